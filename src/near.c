/* SPDX-License-Identifier: MIT OR Unlicense

   near.c: everything solid around one body, as one list of convex pieces.

   A stage asks once for the pieces near a body and then works on those: each is already grown by the body's shape
   (obstacle.c) and placed relative to the body, so that sweeps far from the origin lose no precision. Shapes give
   one piece, tiles and meshes several; what moves knows how far it travels in the interval that is looked at. */
#include "things.h"

KINI_PART kin_pose kini_pose_at(const kin_world *world, uint32_t slot, float part)
{
    const kini_thing *thing = &world->things.at[slot];
    const kini_mover *mover;
    int32_t           row = kini_mover_row(world, thing);
    kin_pose          pose = kini_pose(thing->p, thing->q);
    if (row < 0 || part >= 1) return pose;
    mover = &world->movers.at[row];
    pose = kini_pose(world->things.at[mover->slot].p, world->things.at[mover->slot].q);
    if (mover->state & KINI_MOVED) pose.p = kini_mix(mover->before.p, pose.p, part);
    if ((mover->state & KINI_MOVED) && kini_spins(mover->turn_rate)) {
        pose.q = mover->before.q;
        if (part > 0) pose.q = kini_compose(kini_spin_turn(mover->turn_rate, world->dt * part), pose.q);
        pose.q = kini_rot_unit(pose.q);
    }
    return thing->kind == KIN_MOVER ? pose : kini_pose_on(pose, world->statics.at[thing->row].local);
}

/* ---- finding ----------------------------------------------------------------------------------------------------- */

/* A mover that stands in this step is as good as a part of the level, and crushes nobody. */
KINI_PART bool kini_has_moved(const kin_world *world, const kini_thing *thing)
{
    int32_t row = kini_mover_row(world, thing);
    return row >= 0 && (world->movers.at[row].state & KINI_MOVED);
}

KINI_PART bool kini_pressed_by(const kini_body *body, kin_id id)
{
    return (body->last_state & KINI_BODY_CRUSHED) &&
           (kin_same(body->squeezed_by[0], id) || kin_same(body->squeezed_by[1], id));
}

/* Is any of it in the box, at some time of the step? A turning thing is bounded by its reach around its mover's origin,
   since fat boxes must not affect results. */
KINI_PART bool kini_comes_near(const kin_world *world, const kini_thing *thing, kin_vec box_lo, kin_vec box_hi)
{
    kin_vec lo = thing->lo, hi = thing->hi, back;
    if (kini_has_moved(world, thing)) {
        const kini_mover *mover = &world->movers.at[kini_mover_row(world, thing)];
        const kini_thing *origin = &world->things.at[mover->slot];
        if (!kini_same_rot(mover->before.q, origin->q)) {
            float reach = kini_box_reach(lo, hi, origin->p);
            lo = kini_sub(origin->p, kini_all(reach));
            hi = kini_add(origin->p, kini_all(reach));
        }
        back = kini_sub(mover->before.p, origin->p);
        lo = kini_lower(lo, kini_add(lo, back));
        hi = kini_upper(hi, kini_add(hi, back));
    }
    return kini_boxes_meet(lo, hi, box_lo, box_hi);
}

/* Is it near, and may the body meet it? Without movers, a body goes back through those that moved or that crush it. */
static bool kini_is_near(const kin_world *world, const kini_near *near, uint32_t slot)
{
    const kini_thing *thing = &world->things.at[slot], *self = &world->things.at[near->slot];
    if (!kini_comes_near(world, thing, near->lo, near->hi) || slot == near->skip || slot == near->slot) return false;
    if (!(near->with & KINI_WITH_MOVERS) && kini_mover_row(world, thing) >= 0 &&
        (kini_has_moved(world, thing) ||
         (self->kind == KIN_BODY && kini_pressed_by(&world->bodies.at[self->row], kini_id_of(world, slot)))))
        return false;
    return kini_meets(world, near->slot, slot);
}

/* Adds those of one tree to the list, in the order found, and wakes idle bodies among them. */
static int kini_near_collect(kin_world *world, const kini_near *near, int kind, int kept)
{
    int32_t *found = world->found.at;
    int      i = kept, room = world->found.capacity;
    int      end = i + (kind == KIN_BODY
                            ? kini_collect_bodies(world, near->slot, near->lo, near->hi, found + i, room - i)
                            : kini_tree_collect(&world->trees[kind], near->lo, near->hi, found + i, room - i));
    for (; i < end && i < room; i++) {
        const kini_thing *thing = &world->things.at[found[i]];
        if (thing->kind == KIN_BODY && kini_is_foreign(world, near->slot, (uint32_t)found[i])) continue;
        if (!kini_is_near(world, near, (uint32_t)found[i])) continue;
        if (thing->kind == KIN_BODY && world->joining == KINI_WISHED && !kini_woken(world, thing->row)) continue;
        found[kept++] = found[i];
    }
    return kept;
}

/* Statics, then movers and what is attached to them. */
static int kini_near_level(kin_world *world, kini_near *near)
{
    const kini_kept *kept = kini_kept_around(world, near->slot, near->lo, near->hi);
    int              i, found = 0;
    for (i = 0; kept && i < kept->count; i++) {
        const kini_thing *thing = &world->things.at[kept->slots[i]];
        if (thing->kind == KIN_BODY || (thing->flags & KINI_REMOVED)) continue;
        if (kini_is_near(world, near, (uint32_t)kept->slots[i])) world->found.at[found++] = kept->slots[i];
    }
    if (kept) return found;
    found = kini_near_collect(world, near, KIN_STATIC, 0);
    return world->live[KIN_MOVER] > 0 ? kini_near_collect(world, near, KIN_MOVER, found) : found;
}

KINI_PART void kini_around(const kin_world *world, uint32_t slot, kin_vec x, kin_vec travel, float margin,
                           kin_vec *lo, kin_vec *hi)
{
    const kini_thing *thing = &world->things.at[slot];
    *lo = kini_add(thing->lo, x);
    *hi = kini_add(thing->hi, x);
    *lo = kini_sub(kini_lower(*lo, kini_add(*lo, travel)), kini_all(margin));
    *hi = kini_add(kini_upper(*hi, kini_add(*hi, travel)), kini_all(margin));
}

KINI_PART int kini_bodies_near(kin_world *world, uint32_t slot, float margin)
{
    kini_near near;
    near.slot = slot;
    near.skip = 0;
    near.with = KINI_WITH_MOVERS | KINI_WITH_BODIES;
    kini_around(world, slot, kini_vec_zero(), kini_vec_zero(), margin, &near.lo, &near.hi);
    return kini_near_collect(world, &near, KIN_BODY, 0);
}

static void kini_near_find(kin_world *world, kini_near *near, kin_vec lo, kin_vec hi)
{
    near->lo = lo;
    near->hi = hi;
    if (world->rests) kini_looked(world, near->slot, lo, hi);
    world->faces_of = 0;
    near->found = kini_near_level(world, near);
    if (near->with & KINI_WITH_BODIES) near->found = kini_near_collect(world, near, KIN_BODY, near->found);
    near->cursor = near->part_cursor = near->lot.thing = near->lot.part = near->count = 0;
    near->whole = near->passed = false;
}

KINI_PART void kini_near_interval(kini_near *near, float from, float to)
{
    near->from = from;
    near->to = to;
    near->whole = false;
}

KINI_PART void kini_near_begin(kin_world *world, kini_near *near, uint32_t slot, kin_vec lo, kin_vec hi)
{
    const kini_thing *thing = &world->things.at[slot];
    near->origin = thing->p;
    near->turn = thing->q;
    near->solid = kini_solid_of(world, thing);
    near->slot = slot;
    near->taken = kini_vec_zero();
    near->taker = 0;
    near->dropping = false;
    near->lot.built = near->within = 0;
    near->planned = false;
    kini_near_interval(near, 1, 1);
    kini_near_find(world, near, lo, hi);
}

KINI_PART void kini_near_motion(kin_world *world, kini_near *near, uint32_t slot, uint32_t skip, int with,
                                kin_vec travel, float margin)
{
    kin_vec lo, hi;
    near->skip = skip;
    near->with = with;
    kini_around(world, slot, kini_vec_zero(), travel, margin, &lo, &hi);
    kini_near_begin(world, near, slot, lo, hi);
}

/* Extends the search to all within `margin` of the body on this way: slides turn, and ways out lead elsewhere. */
KINI_PART void kini_near_cover(kin_world *world, kini_near *near, kin_vec x, kin_vec travel, float margin)
{
    kin_vec lo, hi;
    kini_around(world, near->slot, x, travel, margin, &lo, &hi);
    if (kini_box_holds(near->lo, near->hi, lo, hi)) return;
    kini_near_find(world, near, kini_lower(near->lo, kini_sub(lo, kini_all(margin))),
                   kini_upper(near->hi, kini_add(hi, kini_all(margin))));
}

/* The same for this part of a way alone. */
KINI_PART void kini_near_around(kin_world *world, kini_near *near, kin_vec x, kin_vec travel, float margin)
{
    kin_vec lo, hi;
    kini_around(world, near->slot, x, travel, margin, &lo, &hi);
    kini_near_find(world, near, lo, hi);
}

/* ---- building pieces --------------------------------------------------------------------------------------------- */

/* A body that was carried is ahead of its carrier until the step ends: for it, that is further on by what is left. */
static kin_vec kini_ahead(const kini_near *near, uint32_t slot)
{
    return slot == near->taker ? kini_scale(near->taken, 1 - near->to) : kini_vec_zero();
}

/* Travel in the interval of a point given at its end. A turning thing moves along the tangent: chords lift riders. */
static kin_vec kini_point_move(const kin_world *world, const kini_near *near, const kini_frame *frame, kin_vec point)
{
    kin_pose          begin = kini_pose_at(world, frame->slot, near->from);
    const kini_mover *mover = &world->movers.at[kini_mover_row(world, &world->things.at[frame->slot])];
    kin_vec           move = kini_sub(frame->at.p, begin.p), arm;
    if (frame->turns) {
        arm = kini_sub(point, kini_add(kini_pose_at(world, mover->slot, near->to).p, kini_ahead(near, frame->slot)));
        move = kini_scale(kini_add(mover->rate, kini_spin_velocity(mover->turn_rate, arm)),
                          world->dt * (near->to - near->from));
    }
    if (frame->slot == near->taker) move = kini_madd(move, near->taken, near->from - near->to);
    return move;
}

KINI_PART kini_frame kini_frame_still(const kin_world *world, uint32_t slot)
{
    const kini_thing *thing = &world->things.at[slot];
    kini_frame        frame;
    frame.slot = slot;
    frame.at = kini_pose(thing->p, thing->q);
    frame.move = kini_vec_zero();
    frame.moves = kini_mover_row(world, thing) >= 0;
    frame.turns = false;
    frame.turned = !kini_is_unturned(thing->q);
    return frame;
}

KINI_PART kini_frame kini_frame_of(const kin_world *world, const kini_near *near, uint32_t slot)
{
    kini_frame frame = kini_frame_still(world, slot);
    if (frame.moves && near->to < 1) frame.at = kini_pose_at(world, slot, near->to);
    if (frame.moves && near->from < near->to) {
        frame.turns = !kini_same_rot(frame.at.q, kini_pose_at(world, slot, near->from).q);
        frame.move = kini_point_move(world, near, &frame, near->origin);
        if (near->to < 1) frame.at.p = kini_add(frame.at.p, kini_ahead(near, slot));
    }
    frame.turned = !kini_is_unturned(frame.at.q);
    return frame;
}

KINI_PART kin_vec kini_frame_point(const kini_frame *frame, kin_vec local, kin_vec origin)
{
    if (!frame->turned) return kini_sub(kini_add(frame->at.p, local), origin);
    return kini_add(kini_sub(frame->at.p, origin), kini_rotate(frame->at.q, local));
}

KINI_PART void kini_frame_box(const kini_frame *frame, kin_vec lo, kin_vec hi, kin_vec *local_lo, kin_vec *local_hi)
{
    kin_vec middle, half;
    *local_lo = kini_sub(lo, frame->at.p);
    *local_hi = kini_sub(hi, frame->at.p);
    if (!frame->turned) return;
    middle = kini_to_local(frame->at, kini_scale(kini_add(lo, hi), 0.5f));
    half = kini_turned_half(kini_inverse(frame->at.q), kini_scale(kini_sub(hi, lo), 0.5f));
    *local_lo = kini_sub(middle, half);
    *local_hi = kini_add(middle, half);
}

KINI_PART void kini_near_box(const kin_world *world, const kini_near *near, const kini_frame *frame,
                             kin_vec *lo, kin_vec *hi)
{
    kin_vec from = near->lo, to = near->hi;
    if (frame->moves) {
        int32_t row = kini_mover_row(world, &world->things.at[frame->slot]);
        float   arc = kini_spin_size(world->movers.at[row].turn_rate) * world->dt * (near->to - near->from);
        float   room = arc > 0 ? arc * kini_len(kini_sub(near->hi, near->lo)) : 0;
        from = kini_sub(kini_lower(from, kini_add(from, frame->move)), kini_all(room));
        to = kini_add(kini_upper(to, kini_add(to, frame->move)), kini_all(room));
    }
    kini_frame_box(frame, from, to, lo, hi);
}

KINI_PART kini_piece *kini_piece_begin(kin_world *world, kini_near *near, const kini_frame *frame, uint32_t flags)
{
    kini_piece *piece = &world->pieces.at[near->count];
    piece->move = frame->move;
    piece->slot = frame->slot;
    piece->part = -1;
    piece->flags = flags | (frame->moves ? (uint32_t)KINI_PIECE_MOVER : 0u);
    if (world->things.at[frame->slot].kind == KIN_BODY)
        piece->flags |= KINI_PIECE_BODY |
                        (kini_pair_solid(world, near->slot, frame->slot) ? 0u : (uint32_t)KINI_SENSOR);
    piece->one_way = piece->face = kini_vec_zero();
    piece->hidden = 0;
    piece->turn = frame->at.q;
    piece->level = piece->reach = 0;
    piece->deep = 0.5f * near->solid.width;
    piece->slop = kini_slop_at(world, near->origin);
    return piece;
}

KINI_PART bool kini_leaves_holder(const kin_world *world, const kini_body *body, kin_id press, kin_vec way)
{
    const kini_contact *list = kini_last_contacts_of(world, world->things.at[body->slot].row);
    kin_id              holder = body->squeezed_by[kin_same(body->squeezed_by[0], press) ? 1 : 0];
    int32_t             i;
    for (i = 0; i < body->last_count; i++)
        if (kin_same(list[i].other, holder) && kini_dot(list[i].normal, way) > KINI_HARDLY) return true;
    return false;
}

/* Has a press gone so far over the body that the shortest way out leads away from what holds the body? A sweep ignores
   such a press, which would take the body along when it goes back. */
static bool kini_has_gone_over(const kin_world *world, const kini_near *near, const kini_piece *piece)
{
    const kini_body *body = &world->bodies.at[world->things.at[near->slot].row];
    kin_vec          normal;
    if (!(piece->flags & KINI_PIECE_MOVER) || !(near->from < near->to)) return false;
    if (!(body->last_state & KINI_BODY_CRUSHED) || !kin_same(body->squeezed_by[0], kini_id_of(world, piece->slot)))
        return false;
    if (kini_obstacle_gap(&piece->obstacle, piece->move, &normal) >= 0) return false;   /* where it was at the start */
    return kini_leaves_holder(world, body, body->squeezed_by[0], normal);
}

KINI_PART void kini_piece_end(kin_world *world, kini_near *near, const kini_frame *frame, kini_piece *piece)
{
    kin_vec normal, half;
    if (kini_is_dropped(world, near, piece)) {
        if (kini_obstacle_gap(&piece->obstacle, kini_vec_zero(), &normal) <= kini_touch_at(world, near->origin))
            near->dropping = true;
        return;
    }
    if (kini_has_gone_over(world, near, piece)) return;
    if (frame->turns) {   /* every point moves differently: that of the piece nearest to the body counts */
        kini_obstacle_gap(&piece->obstacle, kini_vec_zero(), &normal);
        piece->move = kini_point_move(world, near, frame,
                                      kini_foot(&near->solid, kini_pose(near->origin, near->turn), normal, &half));
    }
    near->sensors += (piece->flags & KINI_SENSOR) != 0;
    near->count++;
}

static void kini_emit_shape(kin_world *world, kini_near *near, const kini_frame *frame)
{
    const kini_thing *thing = &world->things.at[frame->slot];
    kini_piece       *piece = kini_piece_begin(world, near, frame, thing->flags & (KINI_SENSOR | KINI_ONE_WAY));
    kini_solid       *solid = &world->solids.at[near->count];
    *solid = kini_solid_of(world, thing);
    kini_obstacle_again(world, &piece->obstacle, near->count, solid,
                        kini_pose(kini_sub(frame->at.p, near->origin), frame->at.q), &near->solid, near->turn);
    if (piece->flags & KINI_ONE_WAY)
        piece->one_way = kini_outward_face(solid, frame->at.q, kini_one_way_of(world, frame->slot));
    kini_piece_end(world, near, frame, piece);
}

/* A box of the level against a body whose core is a box, both along the axes: common, and the same arithmetic. */
static bool kini_emit_box(kin_world *world, kini_near *near, uint32_t slot)
{
    const kini_thing *thing = &world->things.at[slot];
    const kini_shape *shape;
    kini_piece       *piece;
    kini_frame        frame;
    if (thing->form != KINI_FORM_SHAPE || thing->kind != KIN_STATIC || near->solid.count > 0 ||
        (thing->flags & (KINI_ATTACHED | KINI_ONE_WAY)) || !kini_is_unturned(thing->q) || !kini_is_unturned(near->turn))
        return false;
    shape = &world->shapes.at[thing->shape];
    if (shape->hull >= 0) return false;
    frame = kini_frame_still(world, slot);
    piece = kini_piece_begin(world, near, &frame, (uint32_t)(thing->flags & KINI_SENSOR));
    piece->obstacle.centre = kini_add(kini_sub(thing->p, near->origin), kini_sub(shape->centre, near->solid.centre));
    piece->obstacle.half = kini_add(shape->half, near->solid.half);
    piece->obstacle.radius = shape->radius + near->solid.radius;
    piece->obstacle.sum = NULL;
    world->solids.at[near->count].radius = shape->radius;
    world->solids.at[near->count].hull = NULL;
    near->sensors += (thing->flags & KINI_SENSOR) != 0;
    near->count++;
    return true;
}

/* The pieces of the thing at the cursor, from the part cursor on; false if there was no room for all. */
static bool kini_emit(kin_world *world, kini_near *near)
{
    uint32_t          slot = (uint32_t)world->found.at[near->cursor];
    const kini_thing *thing = &world->things.at[slot];
    kini_frame        frame;
    if (kini_emit_box(world, near, slot)) return true;
    frame = kini_frame_of(world, near, slot);
    if (kini_is_tiles(thing)) return kini_emit_tiles(world, near, &frame);
    if (kini_is_mesh(thing)) return kini_emit_mesh(world, near, &frame);
    kini_emit_shape(world, near, &frame);
    return true;
}

static bool kini_near_fill(kin_world *world, kini_near *near)
{
    near->count = near->sensors = 0;
    near->lot.built++;
    near->lot.thing = near->cursor;
    near->lot.part = near->part_cursor;
    while (near->cursor < near->found && near->count < KINI_MAX_NEAR && kini_emit(world, near)) {
        near->cursor++;
        near->part_cursor = 0;
    }
    return near->count > 0;
}

KINI_PART bool kini_near_first(kin_world *world, kini_near *near)
{
    if (near->whole) return near->count > 0;
    near->cursor = near->part_cursor = 0;
    kini_near_fill(world, near);
    near->whole = near->cursor >= near->found;
    return near->count > 0;
}

KINI_PART bool kini_near_next(kin_world *world, kini_near *near)
{
    return !near->whole && kini_near_fill(world, near);
}

/* A search within a search leaves the outer one at another batch. */
KINI_PART void kini_near_again(kin_world *world, kini_near *near, kini_lot before)
{
    if (near->whole) return;
    near->cursor = before.thing;
    near->part_cursor = before.part;
    kini_near_fill(world, near);
    near->within += near->lot.built - before.built;
}

/* Is the body deep in so many pieces of the level that no way out will be found? Only if they do not fit one batch. */
KINI_PART uint32_t kini_buried_in(kin_world *world, kini_near *near)
{
    float   deep = -KINI_BURIED * near->solid.width;
    kin_vec normal;
    int     i, batch = 0, count = 0;
    bool    more = kini_near_first(world, near);
    for (; more && !near->whole && batch < KINI_BURIED_BATCHES; batch++, more = kini_near_next(world, near))
        for (i = 0; i < near->count; i++) {
            const kini_piece *piece = &world->pieces.at[i];
            if (piece->flags & (KINI_SENSOR | KINI_ONE_WAY | KINI_PIECE_MOVER | KINI_PIECE_BODY)) continue;
            if (kini_obstacle_gap(&piece->obstacle, kini_vec_zero(), &normal) < deep && ++count >= KINI_MAX_NEAR)
                return piece->slot;
        }
    return 0;
}
