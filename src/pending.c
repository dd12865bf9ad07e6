/* SPDX-License-Identifier: MIT OR Unlicense

   pending.c: stage 1. What was added inside the last step takes part from now on. Removed things stay until their open
   contacts have ended in stage 10, without grounds that name them. */
#include "internal.h"

/* A body whose ground is gone falls, with what is left of the ground's motion. */
static void kini_drop_dead_ground(kin_world *world, kini_body *body)
{
    if (kini_is_nobody(body->stand.id) || kini_is_live(world, body->stand.id)) return;
    if (body->stand.footing == KIN_STABLE) kini_leave_ground(body, body->stand.velocity);
    kini_stand_nowhere(body);
}

static void kini_pending_thing(kin_world *world, uint32_t slot)
{
    kini_thing *thing = &world->things.at[slot];
    thing->flags &= (uint16_t)~KINI_PENDING;
    if (!(thing->flags & KINI_REMOVED)) return;
    thing->flags |= KINI_GOING;
    world->going++;
}

KINI_PART void kini_stage_pending(kin_world *world)
{
    int32_t i;
    if (world->pending == 0) return;
    world->pending = 0;
    for (i = 0; i < world->bodies.count; i++)
        if (world->bodies.at[i].slot != 0) kini_drop_dead_ground(world, &world->bodies.at[i]);
    for (i = 1; i < world->things.count; i++)
        if (world->things.at[i].kind != KIN_NOTHING) kini_pending_thing(world, (uint32_t)i);
}
