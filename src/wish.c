/* SPDX-License-Identifier: MIT OR Unlicense

   wish.c: the displacement that a body wants in a step; of stage 3, and of a body that wakes later. */
#include "things.h"

/* What is left of a mover's motion when a body leaves it. */
KINI_PART void kini_leave_ground(kini_body *body, kin_vec ground_velocity)
{
    float rise = kini_dot(ground_velocity, body->up);
    if (body->options.leave == KIN_LEAVE_NONE) return;
    if (body->options.leave == KIN_LEAVE_UP_ONLY && rise < 0) ground_velocity = kini_across(ground_velocity, body->up);
    body->leftover = ground_velocity;
}

KINI_PART void kini_stand_still(kini_body *body)
{
    body->turned_at = body->start.p;
    body->carry = body->pushed = kini_vec_zero();
    body->met = false;
    body->squeezed_in[0] = body->squeezed_in[1] = 0;
    body->pushed_strength = 0;
    body->pushed_by = -1;
    body->land_speed = 0;
}

/* A body that steep ground has stopped slides on, whatever it wants across up: the ground takes that as a wall does.
   The part along up, less this step's gravity, tells how fast it slides; faster than it moved is written anew. */
static void kini_keep_slide(const kin_world *world, kini_body *body)
{
    kin_vec gravity, side;
    float   corrected, into;
    if (body->stand.footing != KIN_STEEP || world->things.at[body->stand.id.slot].kind == KIN_BODY) return;
    gravity = kini_scale(kini_gravity_of(world, body), body->options.gravity_scale * world->dt);
    corrected = KINI_SKIN * world->desc.unit / world->dt;   /* of its motion, by stage 8 */
    if (kini_dot(kini_sub(kini_sub(body->velocity, gravity), body->motion), body->up) < -corrected) return;
    into = kini_speed_into_ground(body) + kini_dot(gravity, body->stand.normal);
    side = kini_across(body->stand.normal, body->up);
    if (into > KINI_SLOW * world->desc.unit)
        body->velocity = kini_madd(body->velocity, side, into / kini_len2(side));
}

/* A walker that a step up took ahead walks that much less, until it turns, stops or leaves its ground. */
static void kini_spend_lead(const kin_world *world, kini_body *body)
{
    float lead = kini_is_zero(body->lead) ? 0 : kini_len(body->lead), way;
    if (!(lead > 0)) return;
    way = kini_lesser(kini_dot(body->wish, body->lead) / lead, lead);
    if (body->stand.footing != KIN_STABLE || body->jumps || !(way > 0)) { body->lead = kini_vec_zero(); return; }
    body->wish = kini_madd(body->wish, body->lead, -way / lead);
    if (kini_len(body->wish) < KINI_CARRIED * world->desc.unit) body->wish = kini_vec_zero();   /* rounding */
    body->lead = kini_scale(body->lead, 1 - way / lead);
}

/* On stable ground the velocity has no part along up, unless it leaves the ground. */
KINI_PART void kini_wish(kin_world *world, int32_t row)
{
    kini_body        *body = &world->bodies.at[row];
    const kini_thing *thing = &world->things.at[body->slot];
    kin_vec           kept = body->keeps ? body->shed : kini_vec_zero();
    body->start = body->drawn = kini_pose(thing->p, thing->q);
    body->jumps = false;
    kini_stand_still(body);
    body->given = kini_add(body->given, kept);
    body->velocity = kini_limit_speed(world, kini_add(body->velocity, kept));
    if ((body->state & KINI_BODY_LETS_GO) && kin_same(body->stand.id, body->drops_through)) {   /* kin_drop_through */
        if (body->stand.footing == KIN_STABLE) kini_leave_ground(body, body->stand.velocity);
        kini_stand_nowhere(body);
    }
    body->state &= ~(uint32_t)KINI_BODY_LETS_GO;
    kini_keep_slide(world, body);
    if (body->stand.footing == KIN_STABLE) {
        body->jumps = kini_dot(body->velocity, body->up) > KINI_LEAST_JUMP * world->desc.unit;
        if (!body->jumps) body->velocity = kini_flat(body->velocity, body->up);
    } else if (body->options.leftover_fade > 0)
        body->leftover = kini_scale(body->leftover, kini_power(1 - body->options.leftover_fade, world->dt));
    body->wish = kini_scale(kini_limit_speed(world, kini_add(body->velocity, body->leftover)), world->dt);
    kini_spend_lead(world, body);
}
