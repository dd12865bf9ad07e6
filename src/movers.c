/* SPDX-License-Identifier: MIT OR Unlicense

   movers.c: stage 2. All movers advance before any body: the controller sets velocity and spin, the pose
   follows by the exact rigid motion, and bodies of this step see both the new pose and the motion that led to it. */
#include "stages.h"

/* To the pose at the end of the step. kin_move_to arrives exactly and stands from then on. */
static void kini_mover_advance(kin_world *world, int32_t row)
{
    kini_mover *mover = &world->movers.at[row], last = *mover;
    kini_thing *thing = &world->things.at[mover->slot];
    kin_pose    before = kini_pose(thing->p, thing->q), goal = before;
    bool        arrives = (mover->state & KINI_HAS_TARGET) != 0;
    mover->before = mover->drawn = before;
    mover->rate = mover->velocity;
    mover->turn_rate = mover->spin;
    if (arrives) {
        goal = mover->target;
        mover->turn_rate = kini_spin_scale(kini_spin_between(before.q, goal.q), 1 / world->dt);
        mover->spin = kini_spin_zero();
    } else {
        goal.p = kini_madd(goal.p, mover->velocity, world->dt);
        if (kini_spins(mover->spin))
            goal.q = kini_rot_unit(kini_compose(kini_spin_turn(mover->spin, world->dt), goal.q));
    }
    if (arrives || kini_limit_place(world, &goal.p)) {
        mover->velocity = kini_vec_zero();
        mover->rate = kini_scale(kini_sub(goal.p, before.p), 1 / world->dt);
    }
    mover->state = (uint8_t)(mover->state & KINI_STOPPED ? KINI_WAS_STOPPED : 0);
    if (!kini_same_bytes(mover, &last, sizeof last)) kini_disturb(world, mover->slot);
    if (kini_is_zero(kini_sub(goal.p, before.p)) && kini_same_rot(goal.q, before.q)) return;
    mover->state |= KINI_MOVED;
    kini_place(world, mover->slot, goal.p, goal.q);
}

/* Puts a mover back to where it was: it stands still in this step. */
KINI_PART void kini_mover_halt(kin_world *world, kini_mover *mover)
{
    mover->rate = kini_vec_zero();
    mover->turn_rate = kini_spin_zero();
    mover->state &= (uint8_t)~KINI_MOVED;
    kini_place(world, mover->slot, mover->before.p, mover->before.q);
}

KINI_PART void kini_stage_movers(kin_world *world)
{
    int32_t i, count = world->movers.count;   /* what controllers add takes part from the next step on */
    for (i = 0; i < count; i++) {
        const kini_mover *mover = &world->movers.at[i];
        if (kini_takes_part(world, mover->slot)) kini_call_control(world, mover->control, mover->slot);
    }
    for (i = 0; i < count; i++)
        if (kini_takes_part(world, world->movers.at[i].slot)) kini_mover_advance(world, i);
}
