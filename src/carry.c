/* SPDX-License-Identifier: MIT OR Unlicense

   carry.c: stage 4. A body that stands on something moving is swept along with it.

   An idle rider keeps its local place on its ground, so nothing is added up and nothing drifts. The sweep ignores
   the ground itself, unless something holds the rider back, and meets all other movers relative to their motion; those
   then stand still for this body in stage 5. */
#include "stages.h"

/* How many bodies are below: the length of the chain of grounds, found once per body. */
static int32_t kini_depth(const kin_world *world, int32_t row)
{
    const kini_body *body = &world->bodies.at[row];
    int32_t          below;
    for (below = 0; below < world->bodies.count; below++) {
        const kini_thing *ground = &world->things.at[body->stand.id.slot];
        if (body->depth >= 0) return below + body->depth;
        if (!kini_is_live(world, body->stand.id) || ground->kind != KIN_BODY) break;
        body = &world->bodies.at[ground->row];
    }
    return below;
}

/* Carriers before riders; then by distance from the origin, which mirroring keeps; of equal ones the lower slot. */
static bool kini_comes_before(const kini_body *a, const kini_body *b)
{
    if (a->depth != b->depth) return a->depth < b->depth;
    if (a->outward < b->outward || a->outward > b->outward) return a->outward < b->outward;
    return a->slot < b->slot;
}

KINI_PART void kini_order_bodies(kin_world *world)
{
    int32_t *order = world->order.at, i, count = world->order.count;
    bool     met = kini_company_is_kept(world);
    if (world->crowd_changed) world->crowd_layer = world->crowd_mask = 0;
    for (i = 0; i < world->bodies.count && world->crowd_changed; i++) {   /* idle ones as well */
        const kini_thing *thing = &world->things.at[world->bodies.at[i].slot];
        if (!kini_takes_part(world, world->bodies.at[i].slot)) continue;
        world->crowd_layer |= thing->layer;
        world->crowd_mask |= thing->mask;
    }
    world->crowd_changed = world->pending > 0;
    for (i = 0; i < world->bodies.count && !met; i++) world->kept.at[i].company_count = 0;
    if (!kini_crowd_meets(world) && world->stop_movers == 0) return;
    for (i = 0; i < count; i++) world->bodies.at[order[i]].depth = -1;
    for (i = 0; i < count; i++) {
        kini_body *body = &world->bodies.at[order[i]];
        body->depth = kini_depth(world, order[i]);
        body->outward = kini_len2(body->start.p);
    }
    KINI_SORT(int32_t, order, count, kini_comes_before(&world->bodies.at[*a], &world->bodies.at[*b]));
    for (i = 0; i < count; i++) world->bodies.at[order[i]].rank = i;
}

/* Where the ground, part of this mover or -1, takes the body. The conveyor's part renews the local place. */
static kin_vec kini_carry_target(kin_world *world, kini_body *body, const kini_thing *ground, int32_t mover,
                                 kin_carry mode)
{
    kin_vec p = world->things.at[body->slot].p, to = p;
    if (mode != KIN_CARRY_NONE && (ground->kind == KIN_BODY || mover >= 0))
        to = kini_to_world(kini_carrier_pose(world, ground), body->stand.local);
    if (mode == KIN_CARRY_ACROSS_GRAVITY) to = kini_add(p, kini_across(kini_sub(to, p), body->up));
    if (ground->flags & KINI_CONVEYOR) {
        kin_vec run = kini_surface_velocity(world, body->stand.id.slot, body->stand.part);
        to = kini_madd(to, kini_across(run, body->stand.normal), world->dt);
        body->state |= KINI_BODY_RENEW;
    }
    return to;
}

/* In space a rider turns with its ground, about up only. */
static kin_rot kini_carried_turn(const kin_world *world, const kini_body *body, const kini_thing *ground, int32_t mover)
{
    kin_rot q = world->things.at[body->slot].q, before, turn;
    if (body->options.keep_facing || (mover < 0 && ground->kind != KIN_BODY)) return q;
    if (mover >= 0 && !kini_spins(world->movers.at[mover].turn_rate)) return q;
    before = mover >= 0 ? kini_pose_at(world, body->stand.id.slot, 0).q : world->bodies.at[ground->row].start.q;
    turn = kini_compose(ground->q, kini_inverse(before));
    return kini_rot_unit(kini_compose(kini_rot_unit(kini_turn_about(turn, body->up)), q));
}

/* Is all of the body, at `to`, above the plane it stands on, where the ground's turn has taken that? */
static bool kini_stays_above(const kin_world *world, const kini_body *body, const kini_thing *ground, kin_pose before,
                             const kini_solid *mine, kin_vec to, kin_rot turn)
{
    kin_vec normal = kini_rotate(kini_compose(ground->q, kini_inverse(before.q)), body->stand.normal);
    kin_vec lowest = kini_madd(kini_solid_support(mine, turn, kini_neg(normal)), normal, -mine->radius);
    kin_vec point = kini_to_world(kini_pose(ground->p, ground->q), kini_to_local(before, body->stand.point));
    return kini_dot(kini_sub(kini_add(to, lowest), point), normal) >= -kini_skin_at(world, to);
}

/* A ground that turns runs into what does not turn with it: the rider is taken up as far as that needs, and stays up
   when the ground turns no further. */
static kin_vec kini_taken_up(const kin_world *world, kini_body *body, const kini_thing *ground, kin_vec to,
                             kin_rot turn)
{
    kin_pose      before = kini_pose_at(world, body->stand.id.slot, 0);
    kini_solid    mine, theirs;
    kini_obstacle o;
    kini_way      ways[KINI_MAX_WAYS];
    int           i, count;
    if (ground->form != KINI_FORM_SHAPE || kini_same_rot(before.q, ground->q)) return to;
    mine = kini_solid_of(world, &world->things.at[body->slot]);
    if (kini_stays_above(world, body, ground, before, &mine, to, turn)) return to;
    theirs = kini_solid_of(world, ground);
    kini_obstacle_again(world, &o, 0, &theirs, kini_pose(kini_sub(ground->p, to), ground->q), &mine, turn);
    count = kini_obstacle_ways(&o, kini_vec_zero(), ways, KINI_MAX_WAYS);
    if (count == 0 || ways[0].length <= kini_skin_at(world, to)) return to;   /* stage 7 sees to that */
    for (i = 0; i < count; i++)
        if (kini_dot(ways[i].axis, body->stand.normal) > KINI_SAME_SIDE) {
            if (ways[i].length > 0.5f * mine.width) body->state |= KINI_BODY_RENEW;   /* a place on another side */
            return kini_madd(to, ways[i].axis, ways[i].length + kini_skin_at(world, to));
        }
    return to;
}

/* Sweeps it along without `skip` in the way. */
static void kini_carry_sweep(kin_world *world, const kini_body *body, kini_near *near, kini_slide *slide,
                             uint32_t skip, bool full)
{
    float margin = 4 * slide->skin + slide->nudge;
    kini_near_motion(world, near, body->slot, skip, KINI_WITH_MOVERS, slide->travel, margin);
    kini_near_interval(near, 0, full ? 1.0f : 0.0f);
    slide->x = kini_vec_zero();
    kini_slide_run(world, near, slide);
}

/* How far it comes on its way. */
static kin_vec kini_carry_swept(kin_world *world, int32_t row, kin_vec to, uint32_t skip, bool full)
{
    kini_body  *body = &world->bodies.at[row];
    kini_thing *thing = &world->things.at[body->slot];
    kin_vec     travel = kini_sub(to, thing->p);
    kini_near   near;
    kini_slide  slide;
    int         i;
    kini_slide_blank(&slide);
    slide.travel = travel;
    slide.skin = kini_skin_at(world, thing->p);
    slide.head = body->up;
    slide.feet = kini_walked_on(body);
    slide.nudge = body->options.corner_nudge;
    kini_carry_sweep(world, body, &near, &slide, skip, full);
    if (slide.count > 0 && near.skip != 0) {   /* a rider that is held back meets its ground */
        slide.travel = travel;
        kini_carry_sweep(world, body, &near, &slide, 0, full);
    }
    kini_note_squeeze(world, body, &slide);
    for (i = 0; i < slide.count; i++)   /* what only goes along with its ground does not press */
        if (slide.planes[i].push > kini_dot(travel, slide.planes[i].normal) + KINI_PRESSING * slide.skin)
            kini_note_press(body, &slide.planes[i]);
    if (slide.count > 0) body->state |= KINI_BODY_RENEW;
    if (slide.count > 0 || !kini_is_zero(kini_sub(slide.x, slide.travel))) to = kini_add(near.origin, slide.x);
    kini_note_planes(world, row, &slide, 1 / world->dt);
    return to;
}

static void kini_carry_body(kin_world *world, int32_t row)
{
    kini_body  *body = &world->bodies.at[row];
    kini_thing *thing = &world->things.at[body->slot], *ground = &world->things.at[body->stand.id.slot];
    int32_t     mover = kini_mover_row(world, ground);
    kin_carry   mode = mover >= 0 ? (kin_carry)world->movers.at[mover].carry : KIN_CARRY_FULL;
    kin_vec     to = kini_carry_target(world, body, ground, mover, mode);
    kin_rot     turn = kini_carried_turn(world, body, ground, mover);
    uint32_t    slot = body->stand.id.slot, skip = 0;
    bool        full = mode == KIN_CARRY_FULL;
    if (full && mover >= 0) to = kini_taken_up(world, body, ground, to, turn);
    body->met = full;
    /* A moving ground does not block its rider; a still one with a belt does, and so do the other parts of a level. */
    if (mover >= 0 && (ground->form == KINI_FORM_SHAPE ||
                       kini_is_zero(kini_surface_velocity(world, slot, body->stand.part)))) skip = slot;
    if (skip == 0 || !kini_same_rot(turn, thing->q) || !kini_is_way_open(world, row, to))
        to = kini_carry_swept(world, row, to, skip, full);
    body->carry = kini_sub(to, thing->p);
    kini_shift(world, body->slot, to, turn);
}

/* Has its ground moved, or does its surface? */
static bool kini_rides(const kin_world *world, const kini_body *body)
{
    kin_id            id = body->stand.id;
    const kini_thing *ground = &world->things.at[id.slot];
    if (body->stand.footing != KIN_STABLE || !kini_is_live(world, id) || !kini_takes_part(world, id.slot)) return false;
    if (!kini_is_zero(kini_surface_velocity(world, id.slot, body->stand.part))) return true;
    return kini_has_moved(world, ground) ||
           (ground->kind == KIN_BODY && !kini_is_zero(world->bodies.at[ground->row].carry));
}

KINI_PART void kini_stage_carry(kin_world *world)
{
    int32_t i;
    for (i = 0; i < world->order.count; i++) {
        kini_body *body = &world->bodies.at[world->order.at[i]];
        if (kini_coast(world, world->order.at[i])) continue;
        body->state &= ~(uint32_t)KINI_BODY_RENEW;
        if (kini_rides(world, body)) kini_carry_body(world, world->order.at[i]);
    }
}
