/* SPDX-License-Identifier: MIT OR Unlicense

   pending.c: stage 1. What was added inside the last step takes part from now on. Removed things stay until
   their open contacts have ended in stage 10, without grounds that name them. */
#include "stages.h"

KINI_PART void kini_stage_pending(kin_world *world)
{
    int32_t i;
    if (world->pending == 0) return;
    world->pending = 0;
    kini_forget_kept(world);   /* which left out what was pending */
    for (i = 0; i < world->bodies.count; i++) {   /* a body whose ground is gone falls */
        kini_body *body = &world->bodies.at[i];
        if (body->slot == 0 || kini_is_nobody(body->stand.id) || kini_is_live(world, body->stand.id)) continue;
        if (body->stand.footing == KIN_STABLE) kini_leave_ground(body, body->stand.velocity);
        kini_stand_nowhere(body);
    }
    for (i = 1; i < world->things.count; i++) {
        kini_thing *thing = &world->things.at[i];
        if (thing->kind == KIN_NOTHING) continue;
        kini_set_flag(thing, KINI_PENDING, false);
        if (!(thing->flags & KINI_REMOVED)) continue;
        thing->flags |= KINI_GOING;
        world->going++;
    }
}
