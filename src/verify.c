/* SPDX-License-Identifier: MIT OR Unlicense

   verify.c: may this snapshot be loaded?

   A checksum tells damage from a whole snapshot, but not an honest one from one that was made up. So before anything
   is changed, every number of a snapshot is judged: it is finite, every index names a row that is there and that
   names it back, every list ends, blocks of levels lie one behind the other. What passes can be stepped without
   reading or writing outside the world's arrays, whoever wrote it. Rows are copied out one at a time, because a buffer
   may begin at any address. */
#include "internal.h"

#define KINI_BEYOND 1e15f   /* nothing gets this far from the origin, however long it flies */

static bool kini_within(int64_t number, int64_t lo, int64_t hi) { return number >= lo && number <= hi; }

static bool kini_sane_pose(const kin_vec *p, const kin_rot *q)
{
    return kini_largest(kini_magnitudes(*p)) < KINI_BEYOND && kini_vec_finite(*p) &&
           kini_abs(kini_rot_len2(*q) - 1) < 1e-2f;
}

static bool kini_sane_spin(kin_spin spin) { return kini_finite(kini_spin_size(spin)); }

/* A handle that the world may have given: its slot can be looked at. */
static bool kini_sane_id(const kini_view *view, kin_id id)
{
    return id.slot < (uint32_t)view->head.rows[KINI_SAVES_THINGS];
}

/* Out of range: nothing. Its bounds are left as they were. */
static const kini_thing *kini_saved_thing(const kini_view *view, int64_t slot, kini_thing *out)
{
    if (kini_within(slot, 1, view->head.rows[KINI_SAVES_THINGS] - 1))
        KINI_SAVED_PART(view, KINI_SAVES_THINGS, slot, out, KINI_THING_LASTS);
    else kini_clear(out, KINI_THING_LASTS);
    return out;
}

static kini_static kini_saved_static(const kini_view *view, int32_t row)
{
    kini_static fixed;
    kini_clear(&fixed, sizeof fixed);
    if (kini_within(row, 0, view->head.rows[KINI_SAVES_STATICS] - 1))
        KINI_SAVED_ROW(view, KINI_SAVES_STATICS, row, &fixed);
    return fixed;
}

/* ---- the head ---------------------------------------------------------------------------------------------------- */

static bool kini_sane_settings(const kini_saved *head)
{
    return kini_vec_finite(head->gravity) && kini_vec_finite(head->given_up) && kini_vec_finite(head->up) &&
           kini_largest(kini_magnitudes(head->gravity)) <= KINI_FASTEST &&
           (kini_is_zero(head->up) || kini_abs(kini_len2(head->up) - 1) < 1e-3f) &&
           head->rate >= 1 / KINI_HIGHEST_RATE && head->rate <= KINI_HIGHEST_RATE &&
           head->max_catch_up >= 0 && head->max_catch_up <= KINI_LONGEST_CATCH_UP &&
           head->unit >= 1 / KINI_LARGEST_UNIT && head->unit <= KINI_LARGEST_UNIT &&
           head->max_speed >= 0 && head->max_speed <= KINI_FASTEST && head->dt >= 0 &&
           head->dt <= KINI_LONGEST_CATCH_UP &&
           head->time_left >= 0 && head->time_left <= 1e9 && head->dropped >= 0 && head->dropped <= 1e12 &&
           kini_within(head->max_rounds, 1, KINI_MOST_ROUNDS) &&
           kini_within(head->max_contacts, 1, KINI_MOST_CONTACTS) &&
           kini_within(head->max_events, 1, KINI_MOST_EVENTS) && kini_within(head->overflowed, 0, 1) &&
           kini_within(head->apart, 0, 1);
}

static bool kini_sane_rows(const kini_saved *head)
{
    return kini_within(head->rows[KINI_SAVES_THINGS], 1, KINI_MOST_THINGS) &&
           head->rows[KINI_SAVES_USERS] == head->rows[KINI_SAVES_THINGS] &&
           head->rows[KINI_SAVES_EVENTS] <= head->max_events &&
           kini_within(head->attached, 0, head->rows[KINI_SAVES_STATICS]) &&
           kini_within(head->stop_movers, 0, head->rows[KINI_SAVES_MOVERS]) &&
           head->rows[KINI_SAVES_NODES] == 0 && head->rows[KINI_SAVES_LEAVES] == 0;
}

/* ---- things ------------------------------------------------------------------------------------------------------ */

enum { KINI_KNOWN_FLAGS = 2047 };

static uint32_t kini_slot_of_row(const kini_view *view, int kind, int32_t row)
{
    static const int    sections[4] = { 0, KINI_SAVES_STATICS, KINI_SAVES_MOVERS, KINI_SAVES_BODIES };
    /* The slot comes first in each. */
    static const size_t strides[4] = { 0, sizeof(kini_static), sizeof(kini_mover), KINI_BODY_LASTS };
    uint32_t            slot;
    if (!kini_within(row, 0, view->head.rows[sections[kind]] - 1)) return 0;
    kini_copy(&slot, view->buffer + view->from[sections[kind]] + (size_t)row * strides[kind], sizeof slot);
    return slot;
}

static bool kini_sane_shape_number(const kini_view *view, int32_t number)
{
    kini_shape shape;
    if (!kini_within(number, 0, view->head.rows[KINI_SAVES_SHAPES] - 1)) return false;
    KINI_SAVED_ROW(view, KINI_SAVES_SHAPES, number, &shape);
    return shape.users > 0;
}

static bool kini_sane_thing(const kini_view *view, const kini_thing *thing, uint32_t slot)
{
    if (!kini_within(thing->kind, KIN_STATIC, KIN_BODY) || (thing->flags & ~KINI_KNOWN_FLAGS)) return false;
    if (thing->kind != KIN_STATIC && (thing->form != KINI_FORM_SHAPE || (thing->flags & KINI_ATTACHED))) return false;
    if (thing->form > KINI_FORM_MESH || kini_slot_of_row(view, thing->kind, thing->row) != slot) return false;
    if (thing->form == KINI_FORM_SHAPE ? !kini_sane_shape_number(view, thing->shape) : thing->shape != -1) return false;
    return kini_sane_pose(&thing->p, &thing->q);
}

/* Free slots form a list that holds each of them once: it ends after as many steps as there are. */
static bool kini_sane_free_slots(const kini_view *view, int32_t left)
{
    int32_t slot = view->head.free_slot;
    for (; slot != -1; left--) {
        kini_thing thing;
        kini_saved_thing(view, slot, &thing);
        if (left == 0 || !kini_within(slot, 1, view->head.rows[KINI_SAVES_THINGS] - 1)) return false;
        if (thing.kind != KIN_NOTHING || thing.age == 0) return false;
        slot = thing.row;
    }
    return left == 0;
}

static bool kini_sane_things(const kini_view *view)
{
    int32_t live[4] = { 0, 0, 0, 0 }, i, idle = 0;
    for (i = 1; i < view->head.rows[KINI_SAVES_THINGS]; i++) {
        kini_thing thing;
        kini_saved_thing(view, i, &thing);
        if (thing.kind == KIN_NOTHING) {
            idle += thing.age != 0;
            continue;
        }
        if (!kini_sane_thing(view, &thing, (uint32_t)i)) return false;
        live[thing.kind] += !(thing.flags & KINI_REMOVED);
    }
    for (i = KIN_STATIC; i <= KIN_BODY; i++)
        if (live[i] != view->head.live[i]) return false;
    return kini_sane_free_slots(view, idle);
}

/* ---- rows of the three kinds ------------------------------------------------------------------------------------- */

/* The thing that a row belongs to names it back. */
static bool kini_sane_owner(const kini_view *view, uint32_t slot, int kind, int32_t row)
{
    kini_thing thing;
    kini_saved_thing(view, slot, &thing);
    return thing.kind == kind && thing.row == row;
}

static bool kini_sane_level(const kini_view *view, const kini_static *fixed)
{
    kini_thing thing;
    kini_grid  grid;
    kini_mesh  mesh;
    kini_saved_thing(view, fixed->slot, &thing);
    if (thing.form == KINI_FORM_SHAPE) return fixed->level == -1;
    if (thing.form == KINI_FORM_TILES) {
        if (!kini_within(fixed->level, 0, view->head.rows[KINI_SAVES_GRIDS] - 1)) return false;
        KINI_SAVED_ROW(view, KINI_SAVES_GRIDS, fixed->level, &grid);
        return grid.slot == fixed->slot;
    }
    if (!kini_within(fixed->level, 0, view->head.rows[KINI_SAVES_MESHES] - 1)) return false;
    KINI_SAVED_ROW(view, KINI_SAVES_MESHES, fixed->level, &mesh);
    return mesh.slot == fixed->slot;
}

static bool kini_sane_static(const kini_view *view, const kini_static *fixed, int32_t row)
{
    kini_thing thing, carrier;
    kini_saved_thing(view, fixed->slot, &thing);
    if (!kini_sane_owner(view, fixed->slot, KIN_STATIC, row) || !kini_sane_level(view, fixed)) return false;
    if (!kini_vec_finite(fixed->one_way) || !kini_vec_finite(fixed->surface_velocity) ||
        !kini_sane_pose(&fixed->local.p, &fixed->local.q))
        return false;
    if (!(thing.flags & KINI_ATTACHED)) return true;
    if (!kini_sane_id(view, fixed->attach)) return false;
    return (thing.flags & KINI_REMOVED) || kini_saved_thing(view, fixed->attach.slot, &carrier)->kind == KIN_MOVER;
}

/* How many statics hang on the mover; -1 if the list does not end in time or names others. */
static int32_t kini_count_parts(const kini_view *view, const kini_mover *mover)
{
    int32_t count = 0, part = mover->parts;
    for (; part != -1; count++) {
        kini_static fixed = kini_saved_static(view, part);
        kini_thing  thing;
        kini_saved_thing(view, fixed.slot, &thing);
        if (count == view->head.attached || fixed.slot == 0 || fixed.attach.slot != mover->slot) return -1;
        if (!(thing.flags & KINI_ATTACHED) || (thing.flags & KINI_REMOVED)) return -1;
        part = fixed.next_part;
    }
    return count;
}

static bool kini_sane_control(const kin_world *world, int32_t control)
{
    return kini_within(control, -1, world->controls.count - 1);
}

static bool kini_sane_mover(const kini_view *view, const kini_mover *mover, int32_t row)
{
    return kini_sane_owner(view, mover->slot, KIN_MOVER, row) &&
           kini_vec_finite(mover->one_way) && kini_vec_finite(mover->surface_velocity) &&
           kini_vec_finite(mover->velocity) &&
           kini_sane_spin(mover->spin) && kini_vec_finite(mover->rate) && kini_sane_spin(mover->turn_rate) &&
           kini_sane_pose(&mover->before.p, &mover->before.q) && kini_sane_pose(&mover->drawn.p, &mover->drawn.q) &&
           kini_sane_pose(&mover->target.p, &mover->target.q) &&
           kini_sane_id(view, mover->blocked_by[0]) && kini_sane_id(view, mover->blocked_by[1]) &&
           mover->carry <= KIN_CARRY_NONE && mover->on_blocked <= KIN_BLOCKED_STOP;
}

/* A face of the mesh that a live handle names has to be there. Of a dead handle nobody looks at the part. */
static bool kini_sane_part(const kini_view *view, kin_id id, int32_t part)
{
    kini_thing thing;
    kini_mesh  mesh;
    int32_t    level;
    if (!kini_sane_id(view, id)) return false;
    kini_saved_thing(view, id.slot, &thing);
    if (thing.kind != KIN_STATIC || thing.form != KINI_FORM_MESH || thing.age != id.age) return true;
    level = kini_saved_static(view, thing.row).level;
    if (!kini_within(level, 0, view->head.rows[KINI_SAVES_MESHES] - 1)) return false;
    KINI_SAVED_ROW(view, KINI_SAVES_MESHES, level, &mesh);
    return kini_within(part, -1, mesh.face_count - 1);
}

static bool kini_sane_stand(const kini_view *view, const kini_stand *stand)
{
    return kini_sane_part(view, stand->id, stand->part) && kini_vec_finite(stand->normal) &&
           kini_vec_finite(stand->point) &&
           kini_vec_finite(stand->velocity) && kini_vec_finite(stand->local) && stand->footing <= KIN_STEEP;
}

static bool kini_sane_options(const kini_body_options *options)
{
    return kini_finite(options->max_slope_cos) && kini_finite(options->max_slope) && kini_finite(options->snap) &&
           kini_finite(options->step_height) && kini_finite(options->corner_nudge) &&
           kini_finite(options->gravity_scale) &&
           options->leftover_fade >= 0 && options->leftover_fade <= 1 &&
           options->push <= KIN_INTANGIBLE && options->ride <= KIN_RIDE_PHYSICAL && options->leave <= KIN_LEAVE_NONE &&
           options->on_crush <= KIN_CRUSH_DISABLE && options->slope <= KIN_SLOPE_HORIZONTAL_SPEED;
}

/* A bool that is neither 0 nor 1 must not even be looked at as one. */
static bool kini_sane_bool(const kini_view *view, int section, size_t row_bytes, int32_t row, size_t offset)
{
    return view->buffer[view->from[section] + (size_t)row * row_bytes + offset] <= 1;
}

static bool kini_sane_bools(const kini_view *view, int32_t row)
{
    static const size_t offsets[5] = {
        offsetof(kini_body, stand) + offsetof(kini_stand, wedge),
        offsetof(kini_body, options) + offsetof(kini_body_options, weightless),
        offsetof(kini_body, options) + offsetof(kini_body_options, report_continued),
        offsetof(kini_body, options) + offsetof(kini_body_options, glide),
        offsetof(kini_body, options) + offsetof(kini_body_options, keep_facing)
    };
    int i;
    for (i = 0; i < 5; i++)
        if (!kini_sane_bool(view, KINI_SAVES_BODIES, KINI_BODY_LASTS, row, offsets[i])) return false;
    return true;
}

static bool kini_sane_body(const kini_view *view, const kini_body *body, int32_t row)
{
    return kini_sane_owner(view, body->slot, KIN_BODY, row) && kini_sane_pose(&body->drawn.p, &body->drawn.q) &&
           kini_vec_finite(body->velocity) &&
           kini_vec_finite(body->leftover) && kini_vec_finite(body->given) && kini_vec_finite(body->motion) &&
           kini_vec_finite(body->drop_from) && kini_sane_stand(view, &body->stand) &&
           kini_sane_options(&body->options) &&
           kini_sane_id(view, body->squeezed_by[0]) && kini_sane_id(view, body->squeezed_by[1]) &&
           kini_sane_id(view, body->drops_through);
}

static bool kini_sane_statics(const kini_view *view)
{
    int32_t i, rows = view->head.rows[KINI_SAVES_STATICS], next = view->head.free_row[KIN_STATIC], idle = 0;
    for (i = 0; i < rows; i++) {
        kini_static fixed = kini_saved_static(view, i);
        if (fixed.slot == 0) idle++;
        else if (!kini_sane_static(view, &fixed, i)) return false;
    }
    for (; next != -1; idle--) {
        kini_static fixed = kini_saved_static(view, next);
        if (idle == 0 || !kini_within(next, 0, rows - 1) || fixed.slot != 0) return false;
        next = fixed.next;
    }
    return idle == 0;
}

static bool kini_sane_movers(const kin_world *world, const kini_view *view)
{
    int32_t    i, rows = view->head.rows[KINI_SAVES_MOVERS], next = view->head.free_row[KIN_MOVER], idle = 0, parts = 0;
    int32_t    stop = 0;
    kini_mover mover;
    kini_thing thing;
    for (i = 0; i < rows; i++) {
        int32_t own;
        KINI_SAVED_ROW(view, KINI_SAVES_MOVERS, i, &mover);
        if (mover.slot == 0) { idle++; continue; }
        own = kini_count_parts(view, &mover);
        if (own < 0 || !kini_sane_control(world, mover.control) || !kini_sane_mover(view, &mover, i)) return false;
        parts += own;
        stop += mover.on_blocked == KIN_BLOCKED_STOP &&
                !(kini_saved_thing(view, mover.slot, &thing)->flags & KINI_REMOVED);
    }
    for (; next != -1; idle--) {
        if (idle == 0 || !kini_within(next, 0, rows - 1)) return false;
        KINI_SAVED_ROW(view, KINI_SAVES_MOVERS, next, &mover);
        if (mover.slot != 0) return false;
        next = mover.next;
    }
    return idle == 0 && parts == view->head.attached && stop == view->head.stop_movers;
}

static bool kini_sane_bodies(const kin_world *world, const kini_view *view)
{
    int32_t         i, rows = view->head.rows[KINI_SAVES_BODIES], next = view->head.free_row[KIN_BODY], idle = 0;
    int32_t         lasts = 0;
    int64_t         contacts = 0;
    kini_body       body;
    for (i = 0; i < rows; i++) {
        if (!kini_sane_bools(view, i)) return false;
        KINI_SAVED_PART(view, KINI_SAVES_BODIES, i, &body, KINI_BODY_LASTS);
        if (!kini_within(body.contact_count, 0, view->head.max_contacts)) return false;
        contacts += body.contact_count;
        lasts += (body.state & KINI_BODY_TELEPORTED) != 0;
        if (body.slot == 0) idle++;
        else if (!kini_sane_control(world, body.control) || !kini_sane_body(view, &body, i)) return false;
    }
    for (; next != -1; idle--) {
        if (idle == 0 || !kini_within(next, 0, rows - 1)) return false;
        KINI_SAVED_PART(view, KINI_SAVES_BODIES, next, &body, KINI_BODY_LASTS);
        if (body.slot != 0) return false;
        next = body.next;
    }
    return idle == 0 && contacts == view->head.rows[KINI_SAVES_CONTACTS] && lasts == view->head.rows[KINI_SAVES_LASTS];
}

static bool kini_sane_contacts(const kini_view *view)
{
    int32_t i;
    for (i = 0; i < view->head.rows[KINI_SAVES_CONTACTS]; i++) {
        kini_contact contact;
        KINI_SAVED_ROW(view, KINI_SAVES_CONTACTS, i, &contact);
        if (!kini_sane_part(view, contact.other, contact.part)) return false;
        if (!kini_vec_finite(contact.normal) || !kini_vec_finite(contact.point)) return false;
        if (!kini_finite(contact.gap) || !kini_finite(contact.speed)) return false;
    }
    for (i = 0; i < view->head.rows[KINI_SAVES_LASTS]; i++) {
        kini_stand stand;
        if (!kini_sane_bool(view, KINI_SAVES_LASTS, sizeof stand, i, offsetof(kini_stand, wedge))) return false;
        KINI_SAVED_ROW(view, KINI_SAVES_LASTS, i, &stand);
        if (!kini_sane_stand(view, &stand)) return false;
    }
    return true;
}

/* ---- shapes ------------------------------------------------------------------------------------------------------ */

static bool kini_sane_hull(const kini_hull *hull)
{
    int i;
    if (!kini_within(hull->count, 1, KIN_MAX_POINTS) || !kini_within(hull->face_count, 0, KINI_MAX_FACES)) return false;
    if (!kini_within(hull->edge_count, 0, KINI_MAX_EDGES)) return false;
    for (i = 0; i < hull->count; i++)
        if (!kini_vec_finite(hull->points[i])) return false;
    for (i = 0; i < hull->face_count; i++)
        if (!kini_vec_finite(hull->normals[i])) return false;
    for (i = 0; i < hull->edge_count; i++) {
        if (hull->edges[i][0] >= hull->count || hull->edges[i][1] >= hull->count) return false;
        if (hull->sides[i][0] >= hull->face_count || hull->sides[i][1] >= hull->face_count) return false;
    }
    return true;
}

static bool kini_sane_hulls(const kini_view *view)
{
    int32_t   i, rows = view->head.rows[KINI_SAVES_HULLS], next = view->head.free_hull, idle = 0;
    kini_hull hull;
    for (i = 0; i < rows; i++) {
        KINI_SAVED_ROW(view, KINI_SAVES_HULLS, i, &hull);
        if (hull.count == 0) idle++;
        else if (!kini_sane_hull(&hull)) return false;
    }
    for (; next != -1; idle--) {
        if (idle == 0 || !kini_within(next, 0, rows - 1)) return false;
        KINI_SAVED_ROW(view, KINI_SAVES_HULLS, next, &hull);
        if (hull.count != 0) return false;
        next = hull.face_count;
    }
    return idle == 0;
}

static bool kini_sane_shape(const kini_view *view, const kini_shape *shape)
{
    kini_solid solid;
    kini_hull  hull;
    if (!kini_vec_finite(shape->centre) || !kini_vec_finite(shape->half) || kini_smallest(shape->half) < 0)
        return false;
    if (!kini_finite(shape->radius) || shape->radius < 0 || !kini_finite(shape->width) || !kini_finite(shape->reach))
        return false;
    kini_clear(&solid, sizeof solid);
    solid.centre = shape->centre;
    solid.half = shape->half;
    solid.radius = shape->radius;
    if (shape->hull != -1) {
        if (!kini_within(shape->hull, 0, view->head.rows[KINI_SAVES_HULLS] - 1)) return false;
        KINI_SAVED_ROW(view, KINI_SAVES_HULLS, shape->hull, &hull);
        if (hull.count == 0) return false;
        solid.points = hull.points;
        solid.count = hull.count;
    }
    return shape->key == kini_shape_key(&solid);
}

static bool kini_sane_shapes(const kini_view *view)
{
    int32_t    i, rows = view->head.rows[KINI_SAVES_SHAPES], next = view->head.free_shape, idle = 0;
    kini_shape shape;
    for (i = 0; i < rows; i++) {
        KINI_SAVED_ROW(view, KINI_SAVES_SHAPES, i, &shape);
        if (shape.users == 0) idle++;
        else if (shape.users < 0 || !kini_sane_shape(view, &shape)) return false;
    }
    for (; next != -1; idle--) {
        if (idle == 0 || !kini_within(next, 0, rows - 1)) return false;
        KINI_SAVED_ROW(view, KINI_SAVES_SHAPES, next, &shape);
        if (shape.users != 0) return false;
        next = shape.hull;
    }
    return idle == 0;
}

KINI_PART bool kini_hulls_owned(const kini_view *view, int32_t *owners)
{
    kini_shape shape;
    int32_t    i;
    for (i = 0; i < view->head.rows[KINI_SAVES_HULLS]; i++) owners[i] = 0;
    for (i = 0; i < view->head.rows[KINI_SAVES_SHAPES]; i++) {
        KINI_SAVED_ROW(view, KINI_SAVES_SHAPES, i, &shape);
        if (shape.users > 0 && shape.hull >= 0 && ++owners[shape.hull] > 1) return false;
    }
    return true;
}

/* ---- levels ------------------------------------------------------------------------------------------------------ */

static int64_t kini_cell_count(kin_cell size)
{
    int64_t count = 1;
    int     axis;
    for (axis = 0; axis < KINI_DIM; axis++) {
        if (kini_cell_at(size, axis) < 1) return -1;
        count *= kini_cell_at(size, axis);
        if (count > INT32_MAX) return -1;
    }
    return count;
}

static bool kini_sane_tile(const kini_view *view, const kini_tile *tile)
{
    return kini_vec_finite(tile->one_way) && kini_vec_finite(tile->surface_velocity) &&
           (tile->shape == -1 || kini_sane_shape_number(view, tile->shape));
}

/* The static that a grid or mesh belongs to names it back. */
static bool kini_sane_level_owner(const kini_view *view, uint32_t slot, int form, int32_t row)
{
    kini_thing thing;
    kini_saved_thing(view, slot, &thing);
    return thing.kind == KIN_STATIC && thing.form == form && kini_saved_static(view, thing.row).level == row;
}

/* Blocks of grids and meshes in the arrays that they share. */
enum { KINI_BLOCK_CELLS, KINI_BLOCK_TILES, KINI_BLOCK_POINTS, KINI_BLOCK_CORNERS, KINI_BLOCK_NODES, KINI_BLOCK_LEAVES };
typedef struct kini_extent { int64_t from, count; } kini_extent;

static kini_extent kini_grid_extent(const kini_grid *grid, int which)
{
    kini_extent block;
    block.from = which == KINI_BLOCK_CELLS ? grid->cells : grid->tiles;
    block.count = which == KINI_BLOCK_CELLS ? kini_cell_count(grid->size) : grid->tile_count;
    if (grid->slot == 0) block.from = block.count = 0;
    return block;
}

static kini_extent kini_mesh_extent(const kini_mesh *mesh, int which)
{
    kini_extent block;
    block.from = mesh->leaves;
    block.count = mesh->leaf_count;
    if (which == KINI_BLOCK_POINTS) { block.from = mesh->points; block.count = mesh->point_count; }
    if (which == KINI_BLOCK_CORNERS) { block.from = mesh->corners; block.count = (int64_t)mesh->face_count * KINI_DIM; }
    if (which == KINI_BLOCK_NODES) { block.from = mesh->nodes; block.count = mesh->node_count; }
    if (mesh->slot == 0) block.from = block.count = 0;
    return block;
}

static kini_extent kini_saved_extent(const kini_view *view, int which, int32_t row)
{
    kini_grid grid;
    kini_mesh mesh;
    if (which <= KINI_BLOCK_TILES) {
        KINI_SAVED_ROW(view, KINI_SAVES_GRIDS, row, &grid);
        return kini_grid_extent(&grid, which);
    }
    KINI_SAVED_ROW(view, KINI_SAVES_MESHES, row, &mesh);
    return kini_mesh_extent(&mesh, which);
}

static int32_t kini_rows_here(const kin_world *world, int which)
{
    switch (which) {
    case KINI_BLOCK_CELLS: return world->cells.count;
    case KINI_BLOCK_TILES: return world->tiles.count;
    case KINI_BLOCK_POINTS: return world->mesh_points.count;
    case KINI_BLOCK_CORNERS: return world->mesh_corners.count;
    case KINI_BLOCK_NODES: return world->mesh_nodes.count;
    default: return world->mesh_leaves.count;
    }
}

/* Are all blocks where this world has its own? Nearly always, since most snapshots go back to where they came from. */
static bool kini_blocks_as_here(const kin_world *world, const kini_view *view, int which, int owners, int section)
{
    int32_t i, rows = which <= KINI_BLOCK_TILES ? world->grids.count : world->meshes.count;
    if (view->head.rows[owners] != rows || view->head.rows[section] != kini_rows_here(world, which)) return false;
    for (i = 0; i < rows; i++) {
        kini_extent saved = kini_saved_extent(view, which, i), here;
        here = which <= KINI_BLOCK_TILES ? kini_grid_extent(&world->grids.at[i], which)
               : kini_mesh_extent(&world->meshes.at[i], which);
        if (saved.from != here.from || saved.count != here.count) return false;
    }
    return true;
}

/* No two of them overlap, and together they fill the array. */
static bool kini_sane_blocks(const kin_world *world, const kini_view *view, int which, int owners, int section)
{
    int64_t room = view->head.rows[section], total = 0;
    int32_t i, k;
    if (kini_blocks_as_here(world, view, which, owners, section)) return true;
    for (i = 0; i < view->head.rows[owners]; i++) {
        kini_extent block = kini_saved_extent(view, which, i);
        if (block.from < 0 || block.count < 0 || block.from + block.count > room) return false;
        total += block.count;
        for (k = 0; k < i && block.count > 0; k++) {
            kini_extent other = kini_saved_extent(view, which, k);
            if (block.from < other.from + other.count && other.from < block.from + block.count) return false;
        }
    }
    return total == room;
}

static bool kini_sane_grids(const kin_world *world, const kini_view *view)
{
    int32_t i;
    if (!kini_sane_blocks(world, view, KINI_BLOCK_CELLS, KINI_SAVES_GRIDS, KINI_SAVES_CELLS)) return false;
    if (!kini_sane_blocks(world, view, KINI_BLOCK_TILES, KINI_SAVES_GRIDS, KINI_SAVES_TILES)) return false;
    for (i = 0; i < view->head.rows[KINI_SAVES_GRIDS]; i++) {
        kini_grid grid;
        KINI_SAVED_ROW(view, KINI_SAVES_GRIDS, i, &grid);
        if (grid.slot == 0) continue;
        if (!kini_sane_level_owner(view, grid.slot, KINI_FORM_TILES, i)) return false;
        if (!kini_finite(grid.cell) || !(grid.cell > 0) || grid.tile_count > 256) return false;
    }
    for (i = 0; i < view->head.rows[KINI_SAVES_TILES]; i++) {
        kini_tile tile;
        KINI_SAVED_ROW(view, KINI_SAVES_TILES, i, &tile);
        if (!kini_sane_tile(view, &tile)) return false;
    }
    return true;
}

/* Lanes in use lead to a child that leads back; the others hold a box that nothing meets. */
static bool kini_sane_lane(const kini_view *view, const kini_mesh *mesh, const kini_node *node, int32_t at, int lane)
{
    int32_t   child = node->child[lane];
    kini_node below;
    kini_leaf leaf;
    if (lane >= node->count) return !(node->lo[0][lane] <= KINI_FLT_MAX);
    if (node->level == 0) {
        if (!kini_within(child, 0, mesh->leaf_count - 1)) return false;
        KINI_SAVED_ROW(view, KINI_SAVES_MESH_LEAVES, mesh->leaves + child, &leaf);
        return leaf.home == at * KINI_LANES + lane && kini_within(leaf.item, 0, mesh->face_count - 1);
    }
    if (!kini_within(child, 1, mesh->node_count - 1)) return false;
    KINI_SAVED_ROW(view, KINI_SAVES_MESH_NODES, mesh->nodes + child, &below);
    return below.parent == at && below.lane == lane && below.level == node->level - 1;
}

static bool kini_sane_mesh_tree(const kini_view *view, const kini_mesh *mesh)
{
    int32_t i;
    int     lane;
    for (i = 0; i < mesh->node_count; i++) {
        kini_node node;
        KINI_SAVED_ROW(view, KINI_SAVES_MESH_NODES, mesh->nodes + i, &node);
        if (!kini_within(node.level, 0, KINI_TREE_LEVELS - 1) || !kini_within(node.count, 0, KINI_LANES)) return false;
        for (lane = 0; lane < KINI_LANES; lane++)
            if (!kini_sane_lane(view, mesh, &node, i, lane)) return false;
    }
    return mesh->node_count > 0 && mesh->node_count <= INT32_MAX / KINI_LANES;
}

static bool kini_sane_mesh(const kini_view *view, const kini_mesh *mesh, int32_t row)
{
    int32_t i, corner;
    if (!kini_sane_level_owner(view, mesh->slot, KINI_FORM_MESH, row)) return false;
    if (!kini_vec_finite(mesh->lo) || !kini_vec_finite(mesh->hi) || mesh->face_count < 1) return false;
    if (view->head.apart) return true;
    for (i = 0; i < mesh->face_count * KINI_DIM; i++) {
        KINI_SAVED_ROW(view, KINI_SAVES_CORNERS, mesh->corners + i, &corner);
        if (!kini_within(corner, 0, mesh->point_count - 1)) return false;
    }
    return kini_sane_mesh_tree(view, mesh);
}

/* A level that was left out has to be here: the same cells, faces and trees at the same places. */
static bool kini_same_level(const kin_world *world, const kini_view *view)
{
    int32_t i;
    int     which;
    for (which = KINI_BLOCK_CELLS; which <= KINI_BLOCK_LEAVES; which++) {
        static const int sections[] = { KINI_SAVES_CELLS, 0, KINI_SAVES_POINTS, KINI_SAVES_CORNERS,
                                       KINI_SAVES_MESH_NODES, KINI_SAVES_MESH_LEAVES };
        int              owners = which == KINI_BLOCK_CELLS ? KINI_SAVES_GRIDS : KINI_SAVES_MESHES;
        if (which != KINI_BLOCK_TILES && !kini_blocks_as_here(world, view, which, owners, sections[which]))
            return false;
    }
    for (i = 0; i < world->grids.count; i++) {
        kini_grid grid;
        KINI_SAVED_ROW(view, KINI_SAVES_GRIDS, i, &grid);
        if (grid.slot != 0 && grid.key != world->grids.at[i].key) return false;
    }
    for (i = 0; i < world->meshes.count; i++) {
        kini_mesh mesh;
        KINI_SAVED_ROW(view, KINI_SAVES_MESHES, i, &mesh);
        if (mesh.slot != 0 && mesh.key != world->meshes.at[i].key) return false;
    }
    return true;
}

static bool kini_sane_meshes(const kin_world *world, const kini_view *view)
{
    int32_t   i;
    kini_mesh mesh;
    kin_vec   point;
    if (!kini_sane_blocks(world, view, KINI_BLOCK_POINTS, KINI_SAVES_MESHES, KINI_SAVES_POINTS)) return false;
    if (!kini_sane_blocks(world, view, KINI_BLOCK_CORNERS, KINI_SAVES_MESHES, KINI_SAVES_CORNERS)) return false;
    if (!kini_sane_blocks(world, view, KINI_BLOCK_NODES, KINI_SAVES_MESHES, KINI_SAVES_MESH_NODES)) return false;
    if (!kini_sane_blocks(world, view, KINI_BLOCK_LEAVES, KINI_SAVES_MESHES, KINI_SAVES_MESH_LEAVES)) return false;
    for (i = 0; i < view->head.rows[KINI_SAVES_MESHES]; i++) {
        KINI_SAVED_ROW(view, KINI_SAVES_MESHES, i, &mesh);
        if (mesh.slot != 0 && !kini_sane_mesh(view, &mesh, i)) return false;
    }
    for (i = 0; i < view->head.rows[KINI_SAVES_POINTS] && !view->head.apart; i++) {
        KINI_SAVED_ROW(view, KINI_SAVES_POINTS, i, &point);
        if (!kini_vec_finite(point)) return false;
    }
    return true;
}

/* ---- pairs and events -------------------------------------------------------------------------------------------- */

static bool kini_sane_ignored(const kini_view *view)
{
    kini_pair  last, pair;
    kini_thing thing;
    int32_t    i;
    last.a = last.b = 0;
    for (i = 0; i < view->head.rows[KINI_SAVES_IGNORED]; i++) {
        KINI_SAVED_ROW(view, KINI_SAVES_IGNORED, i, &pair);
        if (pair.a >= pair.b || pair.a < last.a || (pair.a == last.a && pair.b <= last.b)) return false;
        if (kini_saved_thing(view, pair.a, &thing)->kind == KIN_NOTHING ||
            kini_saved_thing(view, pair.b, &thing)->kind == KIN_NOTHING)
            return false;
        last = pair;
    }
    return true;
}

static bool kini_sane_events(const kini_view *view)
{
    int32_t i;
    for (i = 0; i < view->head.rows[KINI_SAVES_EVENTS]; i++) {
        kin_event event;
        KINI_SAVED_ROW(view, KINI_SAVES_EVENTS, i, &event);
        if (!kini_within((int)event.type, KIN_EVENT_BEGAN, KIN_EVENT_BLOCKED)) return false;
        if (!kini_vec_finite(event.normal) || !kini_vec_finite(event.point) || !kini_finite(event.speed)) return false;
    }
    return true;
}

KINI_PART const char *kini_verify(const kin_world *world, const kini_view *view)
{
    if (!kini_sane_settings(&view->head) || !kini_sane_rows(&view->head)) return "has settings that no world has";
    if (view->head.apart && !kini_same_level(world, view))
        return "leaves out a level that is not the one of this world";
    if (!kini_sane_hulls(view) || !kini_sane_shapes(view)) return "has shapes that are not sound";
    if (!kini_sane_things(view)) return "has things that are not sound";
    if (!kini_sane_statics(view) || !kini_sane_grids(world, view) || !kini_sane_meshes(world, view))
        return "has a level that is not sound";
    if (!kini_sane_movers(world, view)) return "has movers that are not sound, or controllers this world has not seen";
    if (!kini_sane_bodies(world, view)) return "has bodies that are not sound, or controllers this world has not seen";
    if (!kini_sane_contacts(view)) return "has contacts that are not sound";
    if (!kini_sane_ignored(view) || !kini_sane_events(view)) return "has pairs or events that are not sound";
    return NULL;
}
