/* SPDX-License-Identifier: MIT OR Unlicense

   coast.c: bodies in open space, for which stages 4, 5 and 8 need no search.

   With the things around a body go its open space: places from which it reaches nothing but the level ground that it
   stands on and pieces lower than its feet. Motion within it hits nothing. A mover's rider may be carried downwards: for
   it, and in the air, all other pieces count. Within a part of it, the floor, a body touches nothing but the box that it
   stands on, and that with its level top.
   The results are those of the stages, bit for bit: a build that forgets its caches runs these instead. */
#include "stages.h"

static const float KINI_MEASURE_AGAIN = 0.1f;   /* way after which open space is looked for again, in units */

KINI_PART uint32_t kini_carrier_slot(const kin_world *world, const kini_body *body)
{
    return kini_mover_row(world, &world->things.at[body->stand.id.slot]) >= 0 ? body->stand.id.slot : 0;
}

/* Along an axis of the world, so that level motion keeps its height to the bit. */
static bool kini_stands_level(const kini_body *body)
{
    return kini_is_zero(kini_sub(body->stand.normal, body->up)) && !(kini_largest(kini_magnitudes(body->up)) < 1);
}

/* ---- open space -------------------------------------------------------------------------------------------------- */

static bool kini_is_open(const kini_body *body, const kini_kept *kept, kin_vec at, float above)
{
    return kept->open > 0 && kini_dot(at, body->up) >= kept->height + above &&
           kini_box_holds(kept->open_lo, kept->open_hi, at, at);
}

/* Takes the places from which the body reaches a box off an open box, on the side where they are furthest away. */
static void kini_close_box(kin_vec lo, kin_vec hi, kin_vec at, kin_vec *open_lo, kin_vec *open_hi)
{
    kin_vec below = kini_sub(lo, at), above = kini_sub(at, hi);
    float   most = kini_greater(kini_largest(below), kini_largest(above));
    int     axis;
    for (axis = 0; kini_at(below, axis) < most && kini_at(above, axis) < most; axis++) {}
    if (kini_at(below, axis) >= most)
        *open_hi = kini_with(*open_hi, axis, kini_lesser(kini_at(*open_hi, axis), kini_at(lo, axis)));
    else
        *open_lo = kini_with(*open_lo, axis, kini_greater(kini_at(*open_lo, axis), kini_at(hi, axis)));
}

/* False if another mover, or a sensor of a body, is kept: it may come from anywhere within its leaf. */
static bool kini_close_pieces(const kin_world *world, const kini_near *near, kin_vec up, kini_kept *kept)
{
    float low = -0.5f * kini_skin_at(world, near->origin), touch = 2 * kini_touch_at(world, near->origin);
    int   i;
    for (i = 0; i < kept->count; i++) {
        const kini_thing *thing = &world->things.at[kept->slots[i]];
        if ((thing->kind == KIN_MOVER || (thing->flags & KINI_ATTACHED)) && (uint32_t)kept->slots[i] != kept->carrier)
            return false;
    }
    for (i = 0; i < near->count; i++) {
        const kini_obstacle *o = &world->pieces.at[i].obstacle;
        kin_vec              half = kini_add(o->half, kini_all(o->radius)), at = kini_add(near->origin, o->centre);
        uint32_t             slot = world->pieces.at[i].slot;
        float                top = kini_obstacle_extent(o, up);
        bool                 convex = world->things.at[slot].form == KINI_FORM_SHAPE;
        if (!(kept->carrier == slot ? convex || top < low : top < low && kept->height > -KINI_FLT_MAX))
            kini_close_box(kini_sub(at, half), kini_add(at, half), near->origin, &kept->open_lo, &kept->open_hi);
        if (kept->floor == slot || kept->floor == 0 || top < -touch) continue;
        if (top < low) {   /* beside the floor and no higher, rounded edges reach a foot only near their core */
            float beside = kini_sqrt(touch * (2 * o->radius + touch));
            half = kini_madd(kini_add(o->half, kini_all(beside)), kini_magnitudes(up), o->radius - beside);
        }
        kini_close_box(kini_sub(at, half), kini_add(at, half), near->origin, &kept->floor_lo, &kept->floor_hi);
    }
    return true;
}

/* The slot of the box that a body, whose core is one too, stands on; 0: another ground. */
static uint32_t kini_floor_slot(const kin_world *world, const kini_body *body)
{
    const kini_thing *thing = &world->things.at[body->slot], *ground = &world->things.at[body->stand.id.slot];
    kini_solid        solid;
    kin_vec           half;
    if (body->stand.footing != KIN_STABLE || ground->form != KINI_FORM_SHAPE || body->stand.wedge) return 0;
    if ((ground->flags & KINI_ONE_WAY) || world->shapes.at[ground->shape].hull >= 0) return 0;
    solid = kini_solid_of(world, thing);
    return kini_is_unturned(ground->q) && kini_solid_is_box(&solid, thing->q, &half) ? body->stand.id.slot : 0;
}

/* A body that stands on the level does not go lower while it does. Of others, all pieces count. */
static void kini_measure_open(kin_world *world, const kini_body *body, kini_kept *kept)
{
    const kini_thing *thing = &world->things.at[body->slot];
    kin_vec           margin = kini_all(2 * kini_touch_at(world, thing->p));
    bool              stands = body->stand.footing == KIN_STABLE;
    kini_near         near;
    near.skip = 0;
    near.with = KINI_WITH_MOVERS;
    kept->open = -1;
    kept->at = thing->p;
    kept->stand = body->stand.id.slot;
    if (kept->count < 0) return;
    kept->floor = kini_floor_slot(world, body);
    kept->carrier = stands ? kini_carrier_slot(world, body) : 0;
    kept->height = stands && kept->carrier == 0 ? kini_dot(thing->p, body->up) : -KINI_FLT_MAX;
    kept->open_lo = kini_add(kept->lo, kini_sub(thing->p, thing->lo));
    kept->open_hi = kini_sub(kept->hi, kini_sub(thing->hi, thing->p));
    kept->floor_lo = kept->open_lo;
    kept->floor_hi = kept->open_hi;
    kini_near_begin(world, &near, body->slot, kept->lo, kept->hi);
    kini_near_first(world, &near);
    if (!kini_close_pieces(world, &near, body->up, kept) || !near.whole) return;
    kept->open = 1;
    kept->open_lo = kini_add(kept->open_lo, margin);
    kept->open_hi = kini_sub(kept->open_hi, margin);
    kept->floor_lo = kini_add(kept->floor_lo, margin);
    kept->floor_hi = kini_sub(kept->floor_hi, margin);
}

/* Is the way of the body, to `to` and on to `end`, open? Measures open space anew where that may help. */
static bool kini_find_open(kin_world *world, const kini_body *body, kini_kept *kept, kin_vec to, kin_vec end)
{
    const kini_thing *thing = &world->things.at[body->slot];
    kin_vec           went = kini_sub(thing->p, kept->at), lo, hi;
    bool              again = kini_largest(kini_magnitudes(went)) > KINI_MEASURE_AGAIN * world->desc.unit ||
                              kept->stand != body->stand.id.slot || kept->open == 0;
    bool              open = kini_is_open(body, kept, to, 0) && kini_is_open(body, kept, end, 0);
    bool              floor = kept->floor == body->stand.id.slot && kini_box_holds(kept->floor_lo, kept->floor_hi, end, end);
    if (kept->carrier != 0 && (!kini_stands(body) || kept->carrier != body->stand.id.slot)) open = false;
    if (open && (floor || kini_is_nobody(body->stand.id) || !again)) return true;
    if (body->last_count > 1 || (!again && kept->open < 0)) return open;
    kini_around(world, body->slot, kini_vec_zero(), kini_sub(end, thing->p), 3 * kini_touch_at(world, thing->p), &lo, &hi);
    kini_kept_around(world, body->slot, lo, hi);
    kini_measure_open(world, body, kept);
    open = kini_is_open(body, kept, thing->p, 0) && kini_is_open(body, kept, to, 0) && kini_is_open(body, kept, end, 0);
    if (!open) kept->open = -1;
    return open;
}

/* ---- stages 4 and 5 ---------------------------------------------------------------------------------------------- */

KINI_PART bool kini_coast(kin_world *world, int32_t row)
{
    kini_body        *body = &world->bodies.at[row];
    const kini_thing *thing = &world->things.at[body->slot], *ground = &world->things.at[body->stand.id.slot];
    kin_vec           to = thing->p, travel = body->wish, end;
    kini_kept        *kept = &world->kept.at[row];
    const kini_mover *mover = NULL;
    uint32_t          hindered = KINI_BODY_CRUSHED | KINI_BODY_EMBEDDED | KINI_BODY_DROPS;
    body->coasts = false;
    if (KINI_FORGET || body->calm || (body->state & hindered) || world->desc.collide) return false;
    if (body->stand.footing == KIN_STABLE) {
        int32_t at = kini_mover_row(world, ground);
        if (!kini_stands_level(body) || ground->kind == KIN_BODY || (ground->flags & KINI_CONVEYOR)) return false;
        if (!kini_is_live(world, body->stand.id) || !kini_takes_part(world, body->stand.id.slot)) return false;
        if (at >= 0 && (world->movers.at[at].state & KINI_MOVED)) {
            mover = &world->movers.at[at];
            if (mover->carry != KIN_CARRY_FULL || kini_spins(mover->turn_rate) || ground->form != KINI_FORM_SHAPE)
                return false;
            to = kini_to_world(kini_carrier_pose(world, ground), body->stand.local);
        }
        if (kini_stands(body))
            travel = kini_turn_along(kini_across(travel, body->up), kini_walked_on(body), body->up,
                                     body->options.slope == KIN_SLOPE_HORIZONTAL_SPEED);
    } else if (body->stand.footing != KIN_AIR) return false;
    if (kini_largest(kini_magnitudes(travel)) > world->desc.unit ||
        kini_largest(kini_magnitudes(kini_sub(to, thing->p))) > world->desc.unit) return false;   /* swept in parts */
    end = kini_is_zero(body->wish) ? to : kini_add(to, travel);
    if (!kini_find_open(world, body, kept, to, end)) return false;
    body->state &= ~(uint32_t)KINI_BODY_RENEW;
    if (mover) {
        body->met = true;
        body->carry = kini_sub(to, thing->p);
        kini_shift(world, body->slot, to, thing->q);
    }
    if (!kini_is_zero(body->wish)) body->state |= KINI_BODY_RENEW;
    kept->end = end;
    body->coasts = true;
    return true;
}

/* ---- stages 7 to 9 ----------------------------------------------------------------------------------------------- */

/* On the floor, a ray down meets the same box with the same normal, up. So the body keeps its stand if it rests well and
   does not move off. */
static bool kini_stay_on_floor(kin_world *world, int32_t row)
{
    kini_body        *body = &world->bodies.at[row];
    const kini_thing *thing = &world->things.at[body->slot], *ground = &world->things.at[body->stand.id.slot];
    const kini_stand *last = &body->last;
    kini_contact     *contact = kini_contacts_of(world, row);
    kini_solid        floor = kini_solid_of(world, ground), solid = kini_solid_of(world, thing);
    kin_pose          at = kini_pose(thing->p, thing->q), under = kini_pose(ground->p, ground->q);
    float             skin = kini_skin_at(world, thing->p), gap;
    kini_obstacle     o;
    kin_vec           normal;
    if (!kin_same(body->stand.id, last->id) || last->footing != KIN_STABLE || kini_is_floating(world, body)) return false;
    if (!(body->options.snap > 0) || body->options.bounce > 0 || kini_dot(body->velocity, body->up) > 0) return false;
    if (body->last_count != 1 || !kin_same(kini_last_contacts_of(world, row)->other, last->id)) return false;
    kini_obstacle_make(&o, NULL, &floor, kini_pose(kini_sub(ground->p, thing->p), ground->q), &solid, thing->q);
    gap = kini_obstacle_gap(&o, kini_vec_zero(), &normal);
    if (gap < 0.5f * skin || gap > skin + kini_rest_slack(world, skin)) return false;
    if (!kini_meets_face(&o, kini_vec_zero(), &normal, gap) || !kini_is_zero(kini_sub(normal, body->up))) return false;
    body->stand.normal = normal;
    body->stand.part = -1;
    if (body->state & KINI_BODY_RENEW) body->stand.local = kini_to_local(kini_carrier_pose(world, ground), at.p);
    body->stand.point = kini_touch_point(&floor, under, &solid, at, normal);
    body->stand.velocity = kini_rate_at(world, last->id.slot, body->stand.point);
    contact->other = last->id;
    contact->normal = normal;
    contact->gap = gap;
    contact->speed = 0;
    contact->part = -1;
    contact->flags = KINI_CONTACT_TOUCH | KINI_CONTACT_GROUND;
    body->contact_count = 1;
    kini_stay(body);
    return true;
}

KINI_PART bool kini_stay_openly(kin_world *world, int32_t row)
{
    kini_body        *body = &world->bodies.at[row];
    const kini_kept  *kept = &world->kept.at[row];
    const kini_thing *thing = &world->things.at[body->slot];
    float             margin;
    bool              air = kini_is_nobody(body->stand.id);
    if (!body->coasts || !kini_is_unhindered(body) || !kini_is_zero(kini_sub(thing->p, kept->end))) return false;
    margin = 2 * kini_touch_at(world, thing->p);
    if (air ? !kini_is_open(body, kept, thing->p, margin)
            : !kini_stands(body) || kept->floor != body->stand.id.slot ||
                  !kini_box_holds(kept->floor_lo, kept->floor_hi, thing->p, thing->p)) return false;
    if (kini_meets_bodies(world, body->slot) && kini_has_bodies(world, body->slot, margin)) return false;
    if (!air && !kini_stay_on_floor(world, row)) return false;
    body->state &= ~(uint32_t)(KINI_BODY_ON_WALL | KINI_BODY_ON_CEILING);
    if (air) kini_stand_nowhere(body);
    return true;
}
