/* SPDX-License-Identifier: MIT OR Unlicense

   shapes.h: what the layer "shapes" offers: solids, obstacles, stored shapes, checks of arguments. */
#ifndef KINI_SHAPES_H
#define KINI_SHAPES_H

#include "memory.h"

/* ---- shapes (shape.c, hull2.c, hull3.c) ---------------------------------------------------------------------- */

KINI_PART void       kini_points_box(const kin_vec *points, int count, kin_vec *lo, kin_vec *hi);
/* False: no points, not finite, or too many corners. */
KINI_PART bool       kini_hull_build(kini_hull *out, const kin_vec *points, int count);
/* NULL, or what is wrong with it. */
KINI_PART const char *kini_shape_solid(const kin_shape *shape, kini_solid *out, kini_hull *room);
KINI_PART void       kini_solid_bounds(const kini_solid *solid, kin_pose at, kin_vec *lo, kin_vec *hi);
/* Furthest point of the core, turned. */
KINI_PART kin_vec    kini_solid_support(const kini_solid *solid, kin_rot turn, kin_vec direction);
/* Core corners, turned; up to KIN_MAX_POINTS. */
KINI_PART int        kini_solid_corners(const kini_solid *solid, kin_rot turn, kin_vec *out);
/* Is the core, so turned, a box along the axes? Then its half size. */
KINI_PART bool       kini_solid_is_box(const kini_solid *solid, kin_rot turn, kin_vec *half);
/* Middle of the points furthest against `normal`, and half the box around them. */
KINI_PART kin_vec kini_foot(const kini_solid *body, kin_pose at, kin_vec normal, kin_vec *half);
/* Of what is furthest against `normal`, the lowest and highest place: of an edge or face the middle of each end. */
KINI_PART void  kini_foot_ends(const kini_solid *body, kin_pose at, kin_vec normal, kin_vec up, kin_vec *low,
                               kin_vec *high);
/* Where two touching shapes meet: the middle of what body and piece share across `normal`, on the piece's surface. */
/* Is it a side of a box, turned at most about the normal, under the end of a capsule along the normal, or a ball? */
KINI_PART bool    kini_over_top(const kini_solid *piece, kin_rot turn, const kini_solid *body, kin_rot body_turn,
                                kin_vec n);
KINI_PART kin_vec kini_touch_point(const kini_solid *piece, kin_pose at, const kini_solid *body, kin_pose body_at,
                                   kin_vec normal);

/* ---- obstacles (obstacle.c, polygon2.c, polytope3.c) ------------------------------------------------------- */

/* `room` is used only if the obstacle is not a rounded box; it and the solids' hulls must outlive the obstacle. */
KINI_PART void  kini_obstacle_make(kini_obstacle *out, kini_sum *room, const kini_solid *piece, kin_pose at,
                                   const kini_solid *body, kin_rot body_turn);
/* The same at a place of world->sums, which may hold that sum already: riders of a mover ask one after the other. */
KINI_PART void  kini_obstacle_again(const kin_world *world, kini_obstacle *out, int place, const kini_solid *piece,
                                    kin_pose at, const kini_solid *body, kin_rot body_turn);
/* Signed distance of x to the obstacle; the normal points from the obstacle to x. Inside it is minus the length of
   the shortest way out, and the normal is that way. */
KINI_PART float kini_obstacle_gap(const kini_obstacle *obstacle, kin_vec x, kin_vec *normal);
/* First touch of x + t * travel, t in 0..1. Inside: t = 0, shortest way out. On the surface: only if it goes in. */
KINI_PART bool  kini_obstacle_ray(const kini_obstacle *obstacle, kin_vec x, kin_vec travel, float *t, kin_vec *normal);
/* The bundle: every separating translation of a point inside, shortest first (ties by axis); 0 if outside. */
KINI_PART int   kini_obstacle_ways(const kini_obstacle *obstacle, kin_vec x, kini_way *ways, int capacity);
/* How far it reaches, from x = 0. */
KINI_PART float kini_obstacle_extent(const kini_obstacle *obstacle, kin_vec direction);
/* The general case behind those above, for an obstacle with a `sum` (polygon2.c, polytope3.c). */
KINI_PART float kini_sum_extent(const kini_sum *sum, kin_vec direction);   /* of the core, from the centre */
KINI_PART void  kini_sum_make(kini_sum *room, const kini_solid *piece, kin_rot piece_turn, const kini_solid *body,
                              kin_rot body_turn, kini_obstacle *out);   /* for a piece at 0 */
#if KINI_DIM == 3
/* The same for many faces, no needles, around one body whose core is a box: that core is made once. */
KINI_PART void  kini_sum_begin(kini_sum *core, const kini_solid *body, kin_rot turn, kini_obstacle *box);
KINI_PART void  kini_sum_face(kini_obstacle *out, kini_sum *room, const kini_solid *face, const kini_solid *body,
                              const kini_sum *core, const kini_obstacle *box);
#endif
KINI_PART float kini_sum_gap(const kini_obstacle *obstacle, kin_vec x, kin_vec *normal);
KINI_PART bool  kini_sum_ray(const kini_obstacle *obstacle, kin_vec x, kin_vec travel, float *t, kin_vec *normal);
KINI_PART int   kini_sum_ways(const kini_obstacle *obstacle, kin_vec x, kini_way *ways, int capacity);
/* Puts a way in its place, keeping the shortest `capacity` of them; returns how many there are now. */
KINI_PART int   kini_ways_add(kini_way *ways, int count, int capacity, kin_vec axis, float length);
/* On its surface, to a point that is moved out this way as far as the piece reaches. */
KINI_PART kin_vec kini_closest_on(const kini_solid *piece, kin_pose at, kin_vec point, kin_vec out);

/* ---- checks of arguments (check.c): each logs what is wrong and returns false or 0 ------------------------------- */

KINI_PART bool     kini_check_world(const kin_world *world, const char *call);
KINI_PART bool     kini_check_unasked(const kin_world *world, const char *call);   /* it is not inside `collide` */
KINI_PART bool     kini_check_between(const kin_world *world, const char *call);   /* ... nor inside a step */
KINI_PART bool     kini_check_pointer(const kin_world *world, const char *call, const char *argument,
                                      const void *pointer);
KINI_PART uint32_t kini_check_id(const kin_world *world, const char *call, const char *argument, kin_id id);
KINI_PART uint32_t kini_check_kind(const kin_world *world, const char *call, const char *argument, kin_id id,
                                   kin_kind kind);
KINI_PART kini_body *kini_check_body(const kin_world *world, const char *call, kin_id body);
KINI_PART kini_mover *kini_check_mover(const kin_world *world, const char *call, const char *argument, kin_id mover);
/* Each finite, and at most `limit` in magnitude. */
KINI_PART bool     kini_check_floats(const kin_world *world, const char *call, const char *argument, const void *value,
                                     size_t bytes, float limit);
KINI_PART bool     kini_check_vec(const kin_world *world, const char *call, const char *argument, kin_vec value,
                                  float limit);
KINI_PART bool     kini_check_finite(const kin_world *world, const char *call, const char *argument, kin_vec value);
/* Gives it length one, too. */
KINI_PART bool     kini_check_rot(const kin_world *world, const char *call, const char *argument, kin_rot *value);
KINI_PART bool     kini_check_number(const kin_world *world, const char *call, const char *argument, float value,
                                     float lo, float hi, const char *unit);
KINI_PART bool     kini_check_choice(const kin_world *world, const char *call, const char *argument, int value,
                                     int last);
KINI_PART bool     kini_check_list(const kin_world *world, const char *call, const void *out, int capacity);
KINI_PART bool     kini_check_shape(const kin_world *world, const char *call, const kin_shape *shape, kini_solid *out,
                                    kini_hull *room);

/* ---- room (room.c): every array of the world, and how many rows it needs ------------------------------------ */

KINI_PART int    kini_rooms(kin_world *world, const kini_counts *counts, kini_room *out);
/* Rows in use, and those that a solid needs to be stored. */
KINI_PART kini_counts kini_counts_now(const kin_world *world, const kini_solid *solid);
/* One more, if none is free. */
KINI_PART void   kini_count_row(const kin_world *world, kini_counts *counts, int section);
KINI_PART bool   kini_reserve(kin_world *world, const kini_counts *counts);   /* false: no memory, nothing lost */
KINI_PART bool   kini_check_room(kin_world *world, const char *call, const kini_counts *counts);

/* ---- stored shapes (store.c) ----------------------------------------------------------------------------------- */

KINI_PART uint32_t kini_shape_key(const kini_solid *solid);
KINI_PART int32_t  kini_find_shape(const kin_world *world, const kini_solid *solid);   /* -1: not stored yet */
/* Found or new, one user more; room was reserved. */
KINI_PART int32_t  kini_take_shape(kin_world *world, const kini_solid *solid);
KINI_PART void     kini_give_shape(kin_world *world, int32_t shape);
KINI_PART void     kini_index_shapes(kin_world *world);
KINI_PART void     kini_shape_points(const kini_solid *solid, kin_shape *out);   /* points that give this solid again */
KINI_PART bool       kini_shape_of(const kin_world *world, const kini_thing *thing, kin_shape *out);   /* has it one? */
KINI_PART kini_solid kini_solid_of(const kin_world *world, const kini_thing *thing);
KINI_PART kini_solid kini_stored_solid(const kin_world *world, int32_t shape);

#endif
