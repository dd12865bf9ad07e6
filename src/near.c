/* SPDX-License-Identifier: MIT OR Unlicense

   near.c: everything solid around one body, as one list of convex pieces.

   A stage asks once for the pieces near a body and then works on those: each is already grown by the body's shape
   (obstacle.c) and placed relative to the body, so that sweeps far from the origin lose no precision. Shapes give
   one piece, tiles and meshes several; what moves knows how far it travels in the interval that is looked at. */
#include "internal.h"

KINI_PART float kini_far(const kin_world *world, kin_vec at)
{
    (void)world;
    return kini_ulp(kini_largest(kini_magnitudes(at)));
}

KINI_PART int32_t kini_mover_row(const kin_world *world, const kini_thing *thing)
{
    if (thing->kind == KIN_MOVER) return thing->row;
    if (!(thing->flags & KINI_ATTACHED)) return -1;
    return world->things.at[world->statics.at[thing->row].attach.slot].row;
}

static kin_pose kini_mover_pose_at(const kin_world *world, const kini_mover *mover, float part)
{
    const kini_thing *thing = &world->things.at[mover->slot];
    kin_pose pose = kini_pose(thing->p, thing->q);
    if (!(mover->state & KINI_MOVED) || part >= 1) return pose;
    pose.p = kini_mix(mover->before.p, thing->p, part);
    if (kini_spins(mover->turn_rate))
        pose.q = kini_rot_unit(kini_compose(kini_spin_turn(mover->turn_rate, world->dt * part), mover->before.q));
    return pose;
}

KINI_PART kin_pose kini_pose_at(const kin_world *world, uint32_t slot, float part)
{
    const kini_thing *thing = &world->things.at[slot];
    int32_t           row = kini_mover_row(world, thing);
    kin_pose          pose = kini_pose(thing->p, thing->q), local;
    if (row < 0 || part >= 1) return pose;
    pose = kini_mover_pose_at(world, &world->movers.at[row], part);
    if (thing->kind == KIN_MOVER) return pose;
    local = world->statics.at[thing->row].local;
    return kini_pose(kini_to_world(pose, local.p), kini_rot_unit(kini_compose(pose.q, local.q)));
}

/* ---- finding ------------------------------------------------------------------------------------------------------- */

/* Keeps what is really near and may be met, in the order found. */
static int kini_near_sift(const kin_world *world, const kini_near *near, int32_t *found, int count)
{
    int i, kept = 0;
    for (i = 0; i < count; i++) {
        uint32_t          slot = (uint32_t)found[i];
        const kini_thing *thing = &world->things.at[slot];
        bool              moves = thing->kind == KIN_MOVER || (thing->flags & KINI_ATTACHED);
        if (slot == near->skip || slot == near->slot) continue;
        if (!moves && !kini_boxes_meet(thing->lo, thing->hi, near->lo, near->hi)) continue;
        if (kini_meets(world, near->slot, slot)) found[kept++] = found[i];
    }
    return kept;
}

static int kini_near_collect(kin_world *world, const kini_near *near, int kind, int at)
{
    int32_t *out = world->found.at + at;
    int      count = kini_tree_collect(&world->trees[kind], near->lo, near->hi, out, world->found.capacity - at);
    if (count > world->found.capacity - at) count = world->found.capacity - at;
    return at + kini_near_sift(world, near, out, count);
}

KINI_PART void kini_near_begin(kin_world *world, kini_near *near, uint32_t slot, kin_vec lo, kin_vec hi)
{
    const kini_thing *thing = &world->things.at[slot];
    near->origin = thing->p;
    near->turn = thing->q;
    near->solid = kini_solid_of(world, thing);
    near->slot = slot;
    near->lo = lo;
    near->hi = hi;
    near->taken = kini_vec_zero();
    near->taker = 0;
    near->found = kini_near_collect(world, near, KIN_STATIC, 0);
    if (world->live[KIN_MOVER] > 0) near->found = kini_near_collect(world, near, KIN_MOVER, near->found);
    kini_near_interval(near, 1, 1);
}

KINI_PART void kini_near_interval(kini_near *near, float from, float to)
{
    near->from = from;
    near->to = to;
    near->whole = false;
}

/* ---- building pieces --------------------------------------------------------------------------------------------- */

/* How far the point of the thing that is now at the body travels in the interval. */
static kin_vec kini_piece_move(const kin_world *world, const kini_near *near, uint32_t slot, kin_pose end)
{
    kin_pose begin = kini_pose_at(world, slot, near->from);
    kin_vec  move = kini_sub(near->origin, kini_to_world(begin, kini_to_local(end, near->origin)));
    if (kini_is_unturned(kini_compose(end.q, kini_inverse(begin.q)))) move = kini_sub(end.p, begin.p);
    if (slot == near->taker) move = kini_sub(move, near->taken);
    return move;
}

static void kini_emit_shape(kin_world *world, kini_near *near, uint32_t slot)
{
    const kini_thing *thing = &world->things.at[slot];
    kini_piece       *piece = &world->pieces.at[near->count];
    kini_solid       *solid = &world->solids.at[near->count];
    kin_pose          at = kini_pose(thing->p, thing->q);
    bool              moves = kini_mover_row(world, thing) >= 0;
    piece->move = kini_vec_zero();
    if (moves && near->to < 1) at = kini_pose_at(world, slot, near->to);
    if (moves && near->from < near->to) piece->move = kini_piece_move(world, near, slot, at);
    *solid = kini_solid_of(world, thing);
    at.p = kini_sub(at.p, near->origin);
    kini_obstacle_make(&piece->obstacle, &world->sums.at[near->count], solid, at, &near->solid, near->turn);
    piece->slot = slot;
    piece->part = -1;
    piece->flags = (uint32_t)(thing->flags & (KINI_SENSOR | KINI_ONE_WAY)) | (moves ? (uint32_t)KINI_PIECE_MOVER : 0u);
    piece->one_way = thing->flags & KINI_ONE_WAY ? kini_one_way_of(world, slot) : kini_vec_zero();
    near->sensors += (thing->flags & KINI_SENSOR) != 0;
    near->count++;
}

static bool kini_near_fill(kin_world *world, kini_near *near)
{
    near->count = near->sensors = 0;
    for (; near->cursor < near->found && near->count < KINI_MAX_NEAR; near->cursor++)
        kini_emit_shape(world, near, (uint32_t)world->found.at[near->cursor]);
    return near->count > 0;
}

KINI_PART bool kini_near_first(kin_world *world, kini_near *near)
{
    if (near->whole) return near->count > 0;
    near->cursor = 0;
    near->part_cursor = 0;
    kini_near_fill(world, near);
    near->whole = near->cursor >= near->found;
    return near->count > 0;
}

KINI_PART bool kini_near_next(kin_world *world, kini_near *near)
{
    return !near->whole && kini_near_fill(world, near);
}
