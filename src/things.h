/* SPDX-License-Identifier: MIT OR Unlicense

   things.h: what the layer "things, levels, and one body among its neighbours" offers. */
#ifndef KINI_THINGS_H
#define KINI_THINGS_H

#include "broad.h"

/* ---- things around a body, kept (kept.c) ------------------------------------------------------------------------- */

/* Bodies that a search of that box around this one looks at, in no order; their number, which may be more than there is
   room for. */
KINI_PART int kini_collect_bodies(kin_world *world, uint32_t slot, kin_vec lo, kin_vec hi, int32_t *out, int room);
/* Those around a body in a box that holds lo..hi. NULL: the trees are to be searched. */
KINI_PART kini_kept *kini_kept_around(kin_world *world, uint32_t slot, kin_vec lo, kin_vec hi);
/* A thing gets this leaf. */
KINI_PART void kini_leaf_changed(kin_world *world, const kini_thing *thing, kin_vec lo, kin_vec hi);
KINI_PART void kini_level_changed(kin_world *world, kin_vec lo, kin_vec hi);
KINI_PART void kini_forget_kept(kin_world *world);

/* ---- levels (tiles.c, mesh.c) ------------------------------------------------------------------------------------ */

/* The same for a piece that is a face, and a normal in the world's axes. */
KINI_PART bool kini_is_inner(const kin_world *world, const kini_piece *piece, kin_vec normal);
/* Of all meshes, after points and corners were loaded. */
KINI_PART void kini_rebuild_trees(kin_world *world);
/* Enters a level of this section with this box around it; 0 if there is no memory. */
KINI_PART uint32_t kini_enter_level(kin_world *world, const char *call, kini_entry *entry, kin_vec lo, kin_vec hi,
                                    int section);
KINI_PART kini_grid *kini_check_tiles(const kin_world *world, const char *call, kin_id tiles);
KINI_PART kini_grid *kini_grid_of(const kin_world *world, const kini_thing *thing);
KINI_PART int32_t  kini_cell_number(const kini_grid *grid, kin_cell cell);   /* x fastest */
KINI_PART kin_cell kini_numbered_cell(const kini_grid *grid, int32_t number);
/* NULL: empty or outside. */
KINI_PART const kini_tile *kini_grid_tile(const kin_world *world, const kini_grid *grid, kin_cell cell);
/* The same for a cell that is not outside. */
KINI_PART const kini_tile *kini_inner_tile(const kin_world *world, const kini_grid *grid, kin_cell cell);
KINI_PART bool    kini_check_grid(const kin_world *world, const char *call, kini_grid *grid);   /* counts its cells */
KINI_PART void    kini_forget_grid(kin_world *world, int32_t row);
/* Of a grid or mesh, in its own axes. */
KINI_PART void    kini_level_bounds(const kin_world *world, const kini_thing *thing, kin_vec *lo, kin_vec *hi);
KINI_PART void    kini_forget_mesh(kin_world *world, int32_t row);
KINI_PART bool    kini_emit_mesh(kin_world *world, kini_near *near, const kini_frame *frame);
/* NULL: empty. */
KINI_PART const kini_tile *kini_tile_of(const kin_world *world, const kini_thing *thing, int32_t part);
KINI_PART kin_vec kini_mesh_touch(const kin_world *world, uint32_t slot, int32_t part, const kini_solid *body,
                                  kin_pose at, kin_vec normal);
KINI_PART void    kini_ask_mesh(kini_ask *ask, uint32_t slot);
KINI_PART void    kini_mesh_walk(const kin_world *world, uint32_t slot, kini_face_fn *visit, void *context);

/* ---- things: one row per slot (pool.c, object.c) --------------------------------------------------------- */

KINI_PART void    kini_put_sensors(kin_world *world, const kini_thing *thing);
/* Pose, bounds and broad phase. */
KINI_PART void    kini_place(kin_world *world, uint32_t slot, kin_vec p, kin_rot q);
/* Conveyor, in world axes. */
KINI_PART kin_vec kini_surface_velocity(const kin_world *world, uint32_t slot, int32_t part);
/* Outward, in world axes; zero: solid. */
KINI_PART kin_vec kini_one_way_of(const kin_world *world, uint32_t slot);
KINI_PART void    kini_thing_bounds(const kin_world *world, const kini_thing *thing, kin_pose at, kin_vec *lo,
                                    kin_vec *hi);
/* One that covers its bounds, in the tree of its kind. */
KINI_PART void    kini_give_leaf(kin_world *world, uint32_t slot);
KINI_PART void    kini_leaf_box(const kini_tree *tree, int32_t leaf, kin_vec *lo, kin_vec *hi);
KINI_PART bool    kini_leaf_stays(kin_world *world, const kini_thing *thing);
KINI_PART void    kini_cover(kin_world *world, uint32_t slot, kin_vec lo, kin_vec hi);
/* Furthest that a point of the box lies from the centre. */
KINI_PART float   kini_box_reach(kin_vec lo, kin_vec hi, kin_vec centre);
KINI_PART kini_tree *kini_tree_of(kin_world *world, const kini_thing *thing);
/* Makes that of a static without shape. */
KINI_PART bool     kini_check_entry(const kin_world *world, const char *call, kin_pose at, uint32_t layer,
                                    uint32_t mask, void *user, kini_entry *out);
KINI_PART bool     kini_check_attach(const kin_world *world, const char *call, kin_id attach, kini_entry *entry);
KINI_PART bool     kini_reserve_entry(kin_world *world, const char *call, const kini_entry *entry,
                                      const kini_solid *solid);
KINI_PART uint32_t kini_enter(kin_world *world, const kini_entry *entry);   /* the new slot; room was reserved */
KINI_PART void     kini_link_part(kin_world *world, int32_t row);   /* of a static: among the parts of its carrier */
/* Gives back slot, row, shape, ignored pairs of a removed thing. */
KINI_PART void     kini_forget(kin_world *world, uint32_t slot);
KINI_PART void     kini_mark(kin_world *world, uint32_t slot, int flag);
/* Is `last` still the ground for which LEFT is to be emitted? */
KINI_PART bool     kini_keeps_last(const kin_world *world, const kini_body *body);
/* Nothing swept, nobody carried, nothing streaks. */
KINI_PART void     kini_teleport(kin_world *world, uint32_t slot, kin_pose at);

/* ---- near (near.c): the convex pieces around one body, gathered once ---------------------------------- */

/* Where a thing is in the interval of a search. */
KINI_PART kini_frame kini_frame_of(const kin_world *world, const kini_near *near, uint32_t slot);
KINI_PART kini_frame kini_frame_still(const kin_world *world, uint32_t slot);            /* where it is now */
/* Relative to `origin`. Unturned, the sum is made in the world, where it is mostly exact: mirrored bits. */
KINI_PART kin_vec    kini_frame_point(const kini_frame *frame, kin_vec local, kin_vec origin);
/* Around a box of the world. */
KINI_PART void       kini_frame_box(const kini_frame *frame, kin_vec lo, kin_vec hi, kin_vec *local_lo,
                                    kin_vec *local_hi);
/* The box in the frame's axes that a search looks at, with what a moving frame passes by on its way. */
KINI_PART void       kini_near_box(const kin_world *world, const kini_near *near, const kini_frame *frame, kin_vec *lo,
                                   kin_vec *hi);
/* The solid of a cell, and its place relative to `origin`. */
KINI_PART kini_solid kini_cell_solid(const kin_world *world, uint32_t slot, int32_t part, kin_vec origin, kin_pose *at);
/* The next one; all members but the obstacle. */
KINI_PART kini_piece *kini_piece_begin(kin_world *world, kini_near *near, const kini_frame *frame, uint32_t flags);
/* Counts it, unless the body falls through it. */
KINI_PART void       kini_piece_end(kin_world *world, kini_near *near, const kini_frame *frame, kini_piece *piece);
/* The box around a body that is moved to x and travels from there. */
KINI_PART void kini_around(const kin_world *world, uint32_t slot, kin_vec x, kin_vec travel, float margin,
                           kin_vec *lo, kin_vec *hi);
/* Other bodies so near that they may meet: how many stand in world->found. */
KINI_PART int  kini_bodies_near(kin_world *world, uint32_t slot, float margin);
KINI_PART void kini_near_begin(kin_world *world, kini_near *near, uint32_t slot, kin_vec lo, kin_vec hi);
/* Begins a search around a body and its travel, for all but `skip`. */
KINI_PART void kini_near_motion(kin_world *world, kini_near *near, uint32_t slot, uint32_t skip, int with,
                                kin_vec travel, float margin);
KINI_PART void kini_near_cover(kin_world *world, kini_near *near, kin_vec x, kin_vec travel, float margin);
KINI_PART void kini_near_around(kin_world *world, kini_near *near, kin_vec x, kin_vec travel, float margin);
KINI_PART void kini_near_interval(kini_near *near, float from, float to);   /* movers' part of the step; default 1, 1 */
KINI_PART bool kini_near_first(kin_world *world, kini_near *near);
KINI_PART bool kini_near_next(kin_world *world, kini_near *near);
KINI_PART uint32_t kini_buried_in(kin_world *world, kini_near *near);
KINI_PART void kini_near_again(kin_world *world, kini_near *near, kini_lot before);
KINI_PART kin_pose kini_pose_at(const kin_world *world, uint32_t slot, float part);   /* of anything, within the step */
/* Of the mover that a thing is or is attached to; -1: neither. */
KINI_PART int32_t  kini_mover_row(const kin_world *world, const kini_thing *thing);
KINI_PART bool  kini_comes_near(const kin_world *world, const kini_thing *thing, kin_vec box_lo, kin_vec box_hi);
KINI_PART bool  kini_has_moved(const kin_world *world, const kini_thing *thing);
/* Was it crushed by this thing when the step began? */
KINI_PART bool kini_pressed_by(const kini_body *body, kin_id id);
/* Does this way lead a crushed body away from what `press` squeezes it against? */
KINI_PART bool kini_leaves_holder(const kin_world *world, const kini_body *body, kin_id press, kin_vec way);

/* ---- slide (slide.c): sweep one body along one motion, sliding along what it meets --------------------- */

KINI_PART bool    kini_meet_piece(const kini_piece *piece, const kini_probe *probe, kini_impact *out);
/* A wall beside the place x of a body that meets its end: where it is, and how deep the body is in it at x. */
typedef struct kini_wall { kin_vec x, to, inside; float overlap; int side; } kini_wall;
/* The next side of a piece, from wall->side on, that the body overlaps by no more than the slop and does not cross.
   `inside` it would touch the wall. */
KINI_PART bool    kini_next_wall(const kini_obstacle *o, kin_rot turn, float reach, float slop, kin_vec normal,
                                 kin_vec travel, kini_wall *wall);
KINI_PART bool    kini_fits(kin_world *world, kini_near *near, const kini_piece *piece, kin_vec x, kin_vec normal,
                            kin_vec travel, kini_slide *slide);
KINI_PART void    kini_slide_run(kin_world *world, kini_near *near, kini_slide *slide);
KINI_PART bool    kini_first_impact(kin_world *world, kini_near *near, const kini_probe *probe, kini_impact *out);
/* How much of the way is free of the level and of bodies: 1 if nothing is met on it. */
KINI_PART float   kini_free_part(kin_world *world, kini_near *near, kin_vec x, kin_vec way);
/* Nearest v that no plane forbids. */
KINI_PART bool    kini_clip(kin_vec *v, const kini_plane *planes, int count, float scale);
KINI_PART bool    kini_clip_level(kin_vec *v, const kini_plane *planes, int count, float scale);
KINI_PART kini_plane kini_plane_at(const kini_piece *piece, kin_vec normal, kin_vec move);
KINI_PART void    kini_make_wall(const kini_slide *slide, kini_plane *plane);
KINI_PART bool    kini_on_tread(const kin_world *world, const kini_near *near, kin_vec x, const kini_impact *edge,
                                float stable_cos, kin_vec *normal, kin_vec *place);
KINI_PART bool    kini_nudge(kin_world *world, kini_near *near, kini_slide *slide, const kini_impact *impact, kin_vec v,
                             float left);
KINI_PART kini_plane kini_respond_sharing(const kini_slide *slide, kini_plane plane, kin_vec *v, float per_second,
                                          const kin_vec *leftover);
KINI_PART kin_vec kini_turn_along(kin_vec flat, kin_vec normal, kin_vec up, bool keep_horizontal);

/* ---- bodies within the step (place.c) ------------------------------------------------------------------------ */

/* The body that a body stands on, or NULL. */
KINI_PART const kini_body *kini_carrier(const kin_world *world, const kini_body *body);
KINI_PART void    kini_call_control(kin_world *world, int32_t control, uint32_t slot);
/* Pose and bounds; the tree follows in stage 10. */
KINI_PART void    kini_shift(kin_world *world, uint32_t slot, kin_vec p, kin_rot q);
KINI_PART void    kini_go(kin_world *world, uint32_t slot, kin_vec p);   /* the same for one that keeps its turn */
/* In which riders keep their place: of the mover it is part of, or its own. */
KINI_PART kin_pose kini_carrier_pose(const kin_world *world, const kini_thing *thing);
KINI_PART kin_vec kini_rate_at(const kin_world *world, uint32_t slot, kin_vec point);
KINI_PART kin_vec kini_point_now(const kin_world *world, uint32_t slot, kin_vec point);
/* Of the surface, conveyor included. */
KINI_PART kin_vec kini_velocity_at(const kin_world *world, uint32_t slot, int32_t part, kin_vec point);
KINI_PART bool    kini_limit_place(kin_world *world, kin_vec *p);
KINI_PART void kini_backup(kin_world *world, const kini_body *body);   /* stages 4 to 9 may be run again */

/* ---- contacts (contacts.c) --------------------------------------------------------------------------------------- */

/* Removes contacts without a BEGAN from a list. */
KINI_PART void kini_drop_fresh(kini_contact *list, int32_t *count);
KINI_PART void kini_hide_contacts(kin_world *world, int32_t row);  /* of the last step, until they are found again */
KINI_PART void kini_contact_note(kin_world *world, int32_t row, const kini_contact *contact);   /* merges alike */
/* Does it touch, within the slop, and hold? */
KINI_PART bool kini_is_flush(const kin_world *world, int32_t row, const kini_contact *contact);
/* The first one with this partner: its sensor cell, or -1; NULL: none. */
KINI_PART const kini_contact *kini_find_contact(const kini_contact *list, int32_t count, kin_id other, int32_t cell);
KINI_PART bool kini_finds(const kini_contact *list, int32_t count, const kini_contact *contact);   /* its partner */
KINI_PART bool kini_lasts(const kin_world *world, int32_t row, const kini_contact *contact);   /* since the last step */
KINI_PART bool kini_reports(const kin_world *world, const kini_body *body, kin_id other);   /* contacts that last */
KINI_PART kin_vec       kini_point_on(const kin_world *world, uint32_t slot, int32_t part, const kini_solid *body,
                                      kin_pose at, kin_vec normal);
/* Where a body touches a part of another thing: on that one's surface, or on the body's if it was moved or removed. */
KINI_PART kin_vec       kini_meeting_point(const kin_world *world, uint32_t body, uint32_t other, int32_t part,
                                           kin_vec normal);
/* The part that a body touches: of joined cells that under its foot. */
KINI_PART int32_t       kini_touched_part(const kin_world *world, uint32_t body, uint32_t other, int32_t part,
                                          kin_vec normal);
/* Returns that part. */
KINI_PART int32_t       kini_note(kin_world *world, const kini_piece *piece, int32_t row, kin_vec normal, float gap,
                                  float speed, uint32_t flags);
KINI_PART void          kini_note_body(kin_world *world, int32_t row, uint32_t slot, kin_vec normal, float gap,
                                       float speed, uint32_t flags);
KINI_PART void          kini_note_planes(kin_world *world, int32_t row, const kini_slide *slide, float per_second);
KINI_PART void          kini_note_crossed(kin_world *world, kini_near *near, const kini_probe *probe, float part);

/* ---- bodies at rest (idle.c) ------------------------------------------------------------------------------------- */

KINI_PART void kini_wake(kin_world *world, int32_t row);       /* before a body is changed */
/* Is it awake, or can be woken here? */
static inline bool kini_woken(kin_world *world, int32_t row)
{
    if (world->idle.at[row]) kini_wake(world, row);
    return !world->idle.at[row];
}
KINI_PART void kini_wake_all(kin_world *world);
/* Before and after a thing is changed: wakes it, and those that see it. */
KINI_PART void kini_disturb(kin_world *world, uint32_t slot);
KINI_PART void kini_disturb_cell(kin_world *world, const kini_grid *grid, kin_cell cell);
KINI_PART kin_vec kini_seen_velocity(const kin_world *world, int32_t row);   /* by callbacks */
/* Wakes idle bodies that a body may see on its way, or that may see it. */
KINI_PART void kini_watch(kin_world *world, int32_t row, kin_vec way);
KINI_PART void kini_looked(kin_world *world, uint32_t slot, kin_vec lo, kin_vec hi);   /* it has searched this box */
KINI_PART bool kini_wants_nothing(const kini_body *body);
KINI_PART void kini_rest(kin_world *world);
/* Wakes what a snapshot will change; into world->found, the slots of those things in it: their number. */
KINI_PART int32_t     kini_wake_changed(kin_world *world, const kini_view *view);

/* ---- the stages -------------------------------------------------------------------------------------------------- */

KINI_PART void kini_wish(kin_world *world, int32_t row);
KINI_PART void kini_stand_still(kini_body *body);              /* before stage 4 */
KINI_PART void kini_stage_sweep(kin_world *world);
KINI_PART void kini_note_squeeze(const kin_world *world, kini_body *body, const kini_slide *slide);
/* A body pressed by a mover pushes with its strength. False if the plane is not of a mover that presses. */
KINI_PART bool kini_note_press(kini_body *body, const kini_plane *plane);
KINI_PART void kini_slide_rules(const kin_world *world, const kini_body *body, kini_slide *slide);
KINI_PART float kini_least_bounce(const kin_world *world, const kini_body *body);
KINI_PART void kini_leave_ground(kini_body *body, kin_vec ground_velocity);

/* ---- shapes of things (object.c) --------------------------------------------------------------------------- */

KINI_PART int32_t  kini_take_control(kin_world *world, kin_control_fn *control);   /* its number; room was reserved */
KINI_PART bool     kini_check_body_options(const kin_world *world, const char *call, const kin_body_desc *desc);
KINI_PART bool     kini_check_mover_options(const kin_world *world, const char *call, const kin_mover_desc *desc);
KINI_PART void     kini_take_mover_options(kin_world *world, kini_mover *row, const kin_mover_desc *desc);
KINI_PART void     kini_derive_slope(kini_body *row);
KINI_PART void     kini_take_body_options(kin_world *world, kini_body *row, const kin_body_desc *desc);
KINI_PART kini_surface *kini_surface_of(const kin_world *world, const kini_thing *thing);
KINI_PART void     kini_take_gravity(const kin_world *world, kini_body *row, kin_vec gravity);
KINI_PART bool     kini_check_surface(const kin_world *world, const char *call, kin_vec one_way, kin_vec velocity);
KINI_PART void     kini_take_surface(const kin_world *world, uint32_t slot, kin_vec one_way, kin_vec velocity);
KINI_PART bool     kini_check_senses(const kin_world *world, const char *call, const kini_thing *thing,
                                     const kin_static_desc *desc);
KINI_PART bool     kini_take_senses(kin_world *world, const char *call, uint32_t slot, bool senses);
KINI_PART bool     kini_reserve_control(kin_world *world, const char *call, kin_control_fn *control);

/* ---- what tiles and meshes offer (tiles.c, cells.c, weld.c, mesh.c) ---------------------------------------------- */

KINI_PART void kini_web_face(const kini_web *web, int32_t face, kin_vec *points);
KINI_PART void kini_weld(const kini_web *web, const kini_tree *tree);
/* Does a neighbour hide the edge or corner of a face that has this normal, in the mesh's axes? */
KINI_PART bool kini_is_inner_edge(const kini_web *web, int32_t face, kin_vec normal);
KINI_PART bool    kini_next_cell(kin_cell *cell, kin_cell lo, kin_cell hi);   /* x fastest; false after the last */
KINI_PART kin_vec kini_tile_outward(const kin_world *world, const kini_tile *tile, kin_rot turn);
/* False: there are more, from near->part_cursor on. */
KINI_PART bool    kini_emit_tiles(kin_world *world, kini_near *near, const kini_frame *frame);
KINI_PART int32_t kini_tiles_part(const kin_world *world, uint32_t slot, int32_t part, const kini_solid *body,
                                  kin_pose at, kin_vec normal);
/* Where a body touches a part of a level. */
KINI_PART kin_vec kini_tiles_touch(const kin_world *world, uint32_t slot, int32_t part, const kini_solid *body,
                                   kin_pose at, kin_vec normal);
KINI_PART void    kini_ask_tiles(kini_ask *ask, uint32_t slot);
KINI_PART void    kini_tiles_walk(const kin_world *world, uint32_t slot, kini_solid_fn *visit, void *context);

/* ---- questions (query.c): the one place that knows how to ask a shape, a grid or a mesh ----------------------- */

KINI_PART bool  kini_is_nearer(const kin_hit *a, float gap, const kin_hit *b, float other);
/* Keeps it if it is nearer than what was kept so far. Of the piece obstacle, part, hidden sides and one-way count. */
KINI_PART void  kini_ask_piece(kini_ask *ask, kini_piece *piece, uint32_t flags);
KINI_PART void  kini_ask_box(const kini_ask *ask, kin_vec *lo, kin_vec *hi);   /* around the solid where it starts */
/* Bounds, and what rounding may have taken off them. */
KINI_PART void  kini_search_box(const kini_solid *solid, kin_pose at, kin_vec *lo, kin_vec *hi);
KINI_PART kini_ask kini_question(const kin_world *world, const kini_solid *solid, kin_pose at, uint32_t skip);
KINI_PART bool  kini_ask_thing(kini_ask *ask, uint32_t slot);   /* is there an answer? */
/* Visits what may be met, of all kinds up to `last`; the visitor gets the ask. */
KINI_PART void  kini_ask_all(kini_ask *ask, int last, kini_visit_fn *visit);
KINI_PART void  kini_keep_best(kini_ask *ask);   /* of the answers about things, the nearest */
/* With its point; of joined cells `part` becomes the one that is met. */
KINI_PART kin_hit kini_full_hit(const kini_ask *ask, kin_hit hit);
/* Both leave out cells of a grid: sensors, and those that have one of the flags in `skip`. */
KINI_PART bool  kini_thing_cast(const kin_world *world, uint32_t slot, const kini_solid *solid, kin_pose from,
                                kin_vec travel, kin_hit *hit);
KINI_PART float kini_thing_gap(const kin_world *world, uint32_t slot, const kini_solid *solid, kin_pose at,
                               uint32_t skip);

/* ---- one-ways (oneway.c) ----------------------------------------------------------------------------------------- */

/* `normal` points from the piece to the body. */
KINI_PART bool kini_one_way_blocks(const kini_piece *piece, kin_vec x, kin_vec normal);
KINI_PART bool kini_one_way_stops(const kini_piece *piece, kin_vec x, kin_vec way, kin_vec normal);
KINI_PART bool kini_one_way_holds(const kini_piece *piece, kin_vec before, kin_vec x, kin_vec normal);
KINI_PART bool kini_is_dropped(const kin_world *world, const kini_near *near, const kini_piece *piece);

/* ---- surfaces of a piece (surface.c) ----------------------------------------------------------------------------- */

KINI_PART kin_vec kini_outward_face(const kini_solid *solid, kin_rot turn, kin_vec out);
KINI_PART bool kini_is_hidden(const kini_piece *piece, kin_vec normal);     /* the grid goes on beyond that side */
/* Those kini_obstacle_ways that count for a body that was at `start`. */
KINI_PART int  kini_piece_ways(const kini_piece *piece, kin_vec x, kin_vec start, kini_way *ways, int capacity);
KINI_PART void kini_inner_normal(const kini_piece *piece, kin_vec x, kin_vec *normal);
KINI_PART kin_vec kini_nearest_face(const kin_world *world, int index, kin_vec normal);
KINI_PART bool kini_is_edge_normal(const kin_world *world, int index, kin_vec normal);
KINI_PART bool kini_is_covered(const kin_world *world, const kini_near *near, int index, kin_vec x, kin_vec normal,
                               float gap);

#endif
