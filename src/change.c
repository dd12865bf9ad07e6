/* SPDX-License-Identifier: MIT OR Unlicense

   change.c: setters: pose, motion, shape, filter, controller.

   Setting a position is a teleport: nothing is swept, no rider is carried, contacts end, and draw poses do not pass
   through the places between. Turning a body is no teleport: a hero may turn in every frame and keep its ground. */
#include "state.h"

/* NULL: position or rotation stays. */
static bool kini_change_pose(kin_world *world, const char *call, kin_id id, const kin_vec *position, kin_rot *rotation)
{
    uint32_t    slot = kini_check_id(world, call, "id", id);
    kini_thing *thing;
    if (!slot || !kini_check_unasked(world, call)) return false;
    if (position && !kini_check_vec(world, call, "position", *position, KINI_FURTHEST)) return false;
    if (rotation && !kini_check_rot(world, call, "rotation", rotation)) return false;
    thing = &world->things.at[slot];
    if (position || thing->kind != KIN_BODY) {
        kini_teleport(world, slot, kini_pose(position ? *position : thing->p, rotation ? *rotation : thing->q));
        return true;
    }
    kini_place(world, slot, thing->p, *rotation);
    world->bodies.at[thing->row].start.q = world->bodies.at[thing->row].drawn.q = *rotation;
    return true;
}

KIN_API bool kin_set_pose(kin_world *world, kin_id id, kin_pose pose)
{
    return kini_change_pose(world, __func__, id, &pose.p, &pose.q);
}

KIN_API bool kin_set_position(kin_world *world, kin_id id, kin_vec position)
{
    return kini_change_pose(world, __func__, id, &position, NULL);
}

KIN_API bool kin_set_rotation(kin_world *world, kin_id id, kin_rot rotation)
{
    return kini_change_pose(world, __func__, id, NULL, &rotation);
}

/* ---- motion ------------------------------------------------------------------------------------------------------ */

KIN_API bool kin_set_velocity(kin_world *world, kin_id id, kin_vec velocity)
{
    uint32_t          slot = kini_check_id(world, __func__, "id", id);
    const kini_thing *thing;
    if (!slot || !kini_check_finite(world, __func__, "velocity", velocity)) return false;
    thing = &world->things.at[slot];
    if (thing->kind == KIN_STATIC) return kini_refuse_id(world, __func__, "id", "is a static", id);
    velocity = kini_limit_speed(world, velocity);
    if (thing->kind == KIN_BODY) {
        kini_body *body = &world->bodies.at[thing->row];
        if (world->idle.at[thing->row]) {
            kin_vec seen = kini_seen_velocity(world, thing->row);
            if (kini_same_bytes(&seen, &velocity, sizeof seen)) return true;
        }
        if (!kini_woken(world, thing->row)) return true;
        if (kini_abs(kini_dot(kini_sub(velocity, body->velocity), body->given)) > 0)
            body->given = kini_vec_zero();   /* from now on it is the body's own */
        if (!kini_same_bytes(&body->velocity, &velocity, sizeof velocity)) body->calm = false;
        body->velocity = velocity;
        return true;
    }
    world->movers.at[thing->row].velocity = velocity;
    world->movers.at[thing->row].state &= (uint8_t)~KINI_HAS_TARGET;   /* replaces the target of kin_move_to */
    return true;
}

KIN_API bool kin_set_leftover(kin_world *world, kin_id body, kin_vec leftover)
{
    kini_body *row = kini_check_body(world, __func__, body);
    if (!row || !kini_check_finite(world, __func__, "leftover", leftover)) return false;
    kini_disturb(world, row->slot);
    row->leftover = kini_limit_speed(world, leftover);
    return true;
}

KIN_API bool kin_set_spin(kin_world *world, kin_id id, kin_spin spin)
{
    kini_mover *mover = kini_check_mover(world, __func__, "id", id);
    if (!mover || !kini_check_floats(world, __func__, "spin", &spin, KINI_SPIN_BYTES, KINI_FASTEST)) return false;
    mover->spin = spin;
    mover->state &= (uint8_t)~KINI_HAS_TARGET;
    return true;
}

KIN_API bool kin_move_to(kin_world *world, kin_id mover, kin_vec position, kin_rot rotation)
{
    kini_mover *row = kini_check_mover(world, __func__, "mover", mover);
    if (!row || !kini_check_vec(world, __func__, "position", position, KINI_FURTHEST)) return false;
    if (!kini_check_rot(world, __func__, "rotation", &rotation)) return false;
    row->target = kini_pose(position, rotation);
    row->velocity = kini_vec_zero();
    row->spin = kini_spin_zero();
    row->state |= KINI_HAS_TARGET;
    return true;
}

/* ---- filter, user, controller ------------------------------------------------------------------------------------ */

KIN_API bool kin_set_enabled(kin_world *world, kin_id id, bool enabled)
{
    uint32_t slot = kini_check_id(world, __func__, "id", id);
    if (!slot || !kini_check_unasked(world, __func__)) return false;
    kini_disturb(world, slot);
    kini_set_flag(&world->things.at[slot], KINI_DISABLED, !enabled);
    return true;
}

KIN_API bool kin_set_filter(kin_world *world, kin_id id, uint32_t layer, uint32_t mask)
{
    uint32_t slot = kini_check_id(world, __func__, "id", id);
    if (!slot || !kini_check_unasked(world, __func__)) return false;
    kini_disturb(world, slot);
    world->things.at[slot].layer = layer;
    world->things.at[slot].mask = mask;
    return true;
}

KIN_API bool kin_set_user(kin_world *world, kin_id id, void *user)
{
    uint32_t slot = kini_check_id(world, __func__, "id", id);
    if (!slot) return false;
    kini_remember_user(world, slot);
    world->users.at[slot] = user;
    return true;
}

KIN_API bool kin_set_control(kin_world *world, kin_id id, kin_control_fn *control)
{
    uint32_t          slot = kini_check_id(world, __func__, "id", id);
    const kini_thing *thing;
    if (!slot) return false;
    thing = &world->things.at[slot];
    if (thing->kind == KIN_STATIC) return kini_refuse_id(world, __func__, "id", "is a static", id);
    if (!kini_reserve_control(world, __func__, control)) return false;
    if (thing->kind == KIN_BODY) world->bodies.at[thing->row].control = kini_take_control(world, control);
    else world->movers.at[thing->row].control = kini_take_control(world, control);
    return true;
}

KIN_API bool kin_ignore(kin_world *world, kin_id a, kin_id b, bool ignore)
{
    if (!kini_check_id(world, __func__, "a", a) || !kini_check_id(world, __func__, "b", b)) return false;
    if (!kini_check_unasked(world, __func__)) return false;
    if (kin_same(a, b)) return kini_refuse_id(world, __func__, "b", "is a itself", b);
    if (world->things.at[a.slot].kind == KIN_BODY) kini_wake(world, world->things.at[a.slot].row);
    if (world->things.at[b.slot].kind == KIN_BODY) kini_wake(world, world->things.at[b.slot].row);
    return kini_ignore_pair(world, __func__, a.slot, b.slot, ignore);
}

/* ---- shape ------------------------------------------------------------------------------------------------------- */

/* Does another shape fit? Not if it overlaps something by more than the slop, and deeper than the old shape. */
static bool kini_has_room(kin_world *world, uint32_t slot, const kini_solid *now, const kini_solid *wanted,
                          kin_pose wanted_at)
{
    const kini_thing *body = &world->things.at[slot];
    const uint32_t    skip = KINI_SENSOR | KINI_ONE_WAY;
    float             gap, far = KINI_FAR_ULPS * kini_ulp(kini_largest(kini_magnitudes(body->p)));
    kin_vec           lo, hi;
    int               kind, i, count;
    if (body->flags & KINI_SENSOR) return true;
    kini_search_box(wanted, wanted_at, &lo, &hi);
    for (kind = KIN_STATIC; kind <= KIN_BODY; kind++) {
        count = kini_tree_collect(&world->trees[kind], lo, hi, world->found.at, world->found.capacity);
        for (i = 0; i < count; i++) {
            uint32_t          other = (uint32_t)world->found.at[i];
            const kini_thing *thing = &world->things.at[other];
            if (other == slot || (thing->flags & skip) || !kini_meets(world, slot, other)) continue;
            if (kind == KIN_BODY && !kini_pair_solid(world, slot, other)) continue;
            gap = kini_thing_gap(world, other, wanted, wanted_at, skip);
            if (!(gap < -(KINI_SLOP * world->desc.unit + far))) continue;
            if (gap < kini_thing_gap(world, other, now, kini_pose(body->p, body->q), skip)) return false;
        }
    }
    return true;
}

/* Height of the lowest point over the thing's origin. */
static float kini_bottom(const kini_solid *solid, kin_rot turn, kin_vec up)
{
    return kini_dot(kini_solid_support(solid, turn, kini_neg(up)), up) - solid->radius;
}

/* Moves the origin of a thing within it; the thing and its parts stay where they are, so nothing is carried. */
static void kini_shift_origin(kin_world *world, uint32_t slot, kin_vec shift)
{
    kini_thing *thing = &world->things.at[slot];
    kin_vec     p = kini_add(thing->p, shift);
    int32_t     part;
    if (thing->kind == KIN_STATIC) {
        kini_teleport(world, slot, kini_pose(p, thing->q));
    } else if (thing->kind == KIN_MOVER) {
        kini_mover *mover = &world->movers.at[thing->row];
        for (part = mover->parts; part >= 0; part = world->statics.at[part].next_part)
            world->statics.at[part].local.p = kini_sub(world->statics.at[part].local.p, kini_unrotate(thing->q, shift));
        kini_place(world, slot, p, thing->q);
        mover->before.p = kini_add(mover->before.p, shift);
        mover->drawn.p = kini_add(mover->drawn.p, shift);
    } else {
        kini_body *body = &world->bodies.at[thing->row];
        kini_place(world, slot, p, thing->q);
        body->start.p = kini_add(body->start.p, shift);
        body->drawn.p = kini_add(body->drawn.p, shift);
        if (kini_is_live(world, body->drops_through))
            body->drop_from = kini_add(body->drop_from,
                                       kini_unrotate(world->things.at[body->drops_through.slot].q, shift));
        if (kini_is_live(world, body->stand.id))
            body->stand.local = kini_add(body->stand.local, kini_unrotate(
                kini_carrier_pose(world, &world->things.at[body->stand.id.slot]).q, shift));
    }
}

KIN_API bool kin_set_shape(kin_world *world, kin_id id, const kin_shape *shape)
{
    uint32_t    slot = kini_check_id(world, __func__, "id", id);
    kini_thing *thing;
    kini_counts counts;
    kini_solid  now, wanted;
    kini_hull   room;
    kin_vec     up, shift;   /* from the origin with the old shape to that with the new one: the lowest point stays */
    int32_t     old;
    if (!slot || !kini_check_unasked(world, __func__)) return false;
    thing = &world->things.at[slot];
    if (thing->form != KINI_FORM_SHAPE) return kini_refuse_id(world, __func__, "id", "has no shape to change", id);
    if (!kini_check_shape(world, __func__, shape, &wanted, &room)) return false;
    now = kini_solid_of(world, thing);
    up = thing->kind == KIN_BODY ? world->bodies.at[thing->row].up : world->up;
    if (kini_is_zero(up)) up = kini_with(up, 1, 1);
    shift = kini_scale(up, kini_bottom(&now, thing->q, up) - kini_bottom(&wanted, thing->q, up));
    if (thing->kind == KIN_BODY &&
        !kini_has_room(world, slot, &now, &wanted, kini_pose(kini_add(thing->p, shift), thing->q)))
        return false;
    counts = kini_counts_now(world, &wanted);
    if (!kini_check_room(world, __func__, &counts)) return false;
    kini_disturb(world, slot);
    old = thing->shape;
    thing->shape = kini_take_shape(world, &wanted);
    kini_give_shape(world, old);
    kini_mark(world, slot, KINI_RESHAPED);
    kini_shift_origin(world, slot, shift);
    return true;
}
