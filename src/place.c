/* SPDX-License-Identifier: MIT OR Unlicense

   place.c: small tools of the stages: where a body is within the step, how fast a surface moves. */
#include "things.h"

KINI_PART void kini_call_control(kin_world *world, int32_t control, uint32_t slot)
{
    if (control < 0) return;
    world->in_callback = true;
    world->controls.at[control](world, kini_id_of(world, slot), world->dt, world->users.at[slot]);
    world->in_callback = false;
}

KINI_PART void kini_go(kin_world *world, uint32_t slot, kin_vec p)
{
    kini_thing *thing = &world->things.at[slot];
    kini_body  *body = &world->bodies.at[thing->row];
    bool        same = kini_is_zero(kini_sub(p, thing->p));
    thing->p = p;
    kini_thing_bounds(world, thing, kini_pose(p, thing->q), &thing->lo, &thing->hi);
    if (same || world->joining != KINI_WISHED) return;
    body->calm = false;
    if (world->idle_count > 0) kini_watch(world, thing->row, kini_sub(body->start.p, p));
}

KINI_PART void kini_shift(kin_world *world, uint32_t slot, kin_vec p, kin_rot q)
{
    kini_thing *thing = &world->things.at[slot];
    bool        faces = kini_same_rot(q, thing->q);
    thing->q = q;
    kini_go(world, slot, p);
    if (faces) return;
    world->kept.at[thing->row].open = 0;   /* which is that of the shape as it was turned */
    if (world->joining != KINI_WISHED) return;
    world->bodies.at[thing->row].calm = false;
    kini_watch(world, thing->row, kini_sub(world->bodies.at[thing->row].start.p, p));
}

KINI_PART kin_pose kini_carrier_pose(const kin_world *world, const kini_thing *thing)
{
    if (thing->flags & KINI_ATTACHED) thing = &world->things.at[world->statics.at[thing->row].attach.slot];
    return kini_pose(thing->p, thing->q);
}

KINI_PART const kini_body *kini_carrier(const kin_world *world, const kini_body *body)
{
    const kini_thing *under = &world->things.at[body->stand.id.slot];
    bool              carries = kini_stands(body) && under->kind == KIN_BODY && kini_is_live(world, body->stand.id);
    return carries ? &world->bodies.at[under->row] : NULL;
}

KINI_PART void kini_backup(kin_world *world, const kini_body *body)
{
    kini_backup_row *row = &world->backup.at[world->things.at[body->slot].row];
    kini_copy(row, (const char *)body + offsetof(kini_body, velocity), sizeof *row);
}

/* How fast a point of the thing itself moves. */
KINI_PART kin_vec kini_rate_at(const kin_world *world, uint32_t slot, kin_vec point)
{
    const kini_thing *thing = &world->things.at[slot];
    int32_t           row = kini_mover_row(world, thing);
    kin_vec           v = kini_vec_zero();
    if (row >= 0) {
        const kini_mover *mover = &world->movers.at[row];
        v = kini_add(mover->rate,
                     kini_spin_velocity(mover->turn_rate, kini_sub(point, world->things.at[mover->slot].p)));
    }
    if (thing->kind == KIN_BODY) {
        const kini_body *body = &world->bodies.at[thing->row];
        v = world->stage < 4 ? body->motion : kini_scale(kini_sub(thing->p, body->start.p), 1 / world->dt);
    }
    return v;
}

/* Where a point of a thing, given by where it was at the start of the step, has come to. */
KINI_PART kin_vec kini_point_now(const kin_world *world, uint32_t slot, kin_vec point)
{
    if (kini_mover_row(world, &world->things.at[slot]) < 0) return point;
    return kini_to_world(kini_pose_at(world, slot, 1), kini_to_local(kini_pose_at(world, slot, 0), point));
}

KINI_PART kin_vec kini_velocity_at(const kin_world *world, uint32_t slot, int32_t part, kin_vec point)
{
    kin_vec v = kini_rate_at(world, slot, point);
    if (world->things.at[slot].flags & KINI_CONVEYOR) v = kini_add(v, kini_surface_velocity(world, slot, part));
    return v;
}

/* Coordinates end at KINI_FURTHEST, so that a saved world can always be loaded again. */
KINI_PART bool kini_limit_place(kin_world *world, kin_vec *p)
{
    if (!(kini_largest(kini_magnitudes(*p)) > KINI_FURTHEST)) return false;
    *p = kini_upper(kini_lower(*p, kini_all(KINI_FURTHEST)), kini_all(-KINI_FURTHEST));
    if (!world->reached_limit && world->island == 0)
        kini_refuse_number(world, "kin_world_step", "position", "is at the limit of coordinates, and goes no further",
                           KINI_FURTHEST);
    world->reached_limit = true;
    return true;
}
