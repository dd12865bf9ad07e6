/* SPDX-License-Identifier: MIT OR Unlicense

   gather.c: stage 3. Gravity, the controllers (which still see last step's ground and contacts), then the
   motion that each body wants. Nothing moves yet. */
#include "stages.h"

/* A physical rider flies on with its speed when its ground falls away, along the normal, faster than gravity lets it
   follow. A normal that turns counts as it is in the middle of the step. */
static void kini_physical_rider(kin_world *world, kini_body *body)
{
    const kini_stand *stand = &body->stand;
    kin_vec           now, change, out;
    float             fall = body->options.gravity_scale * world->dt;
    if (stand->footing != KIN_STABLE) return;
    now = kini_point_now(world, stand->id.slot, stand->point);
    out = kini_sub(kini_point_now(world, stand->id.slot, kini_add(stand->point, stand->normal)), now);
    out = kini_unit(kini_add(out, stand->normal));
    change = kini_sub(kini_velocity_at(world, stand->id.slot, stand->part, now), stand->velocity);
    fall *= kini_dot(kini_gravity_of(world, body), out);
    if (kini_dot(change, out) >= fall - KINI_SLOW * world->desc.unit) return;
    kini_leave_ground(body, stand->velocity);
    kini_stand_nowhere(body);
}

/* Is a reshaped ground still within snap below the body? The ground may have moved in this step, the body has not. */
static bool kini_is_still_above(const kin_world *world, const kini_body *body)
{
    const kini_thing *thing = &world->things.at[body->slot];
    uint32_t          slot = body->stand.id.slot;
    kini_solid        solid = kini_solid_of(world, thing);
    float             way = 2 * kini_touch_at(world, thing->p) + kini_snap(body);
    kin_pose          before = kini_pose_at(world, slot, 0);
    kin_pose          now = kini_pose(world->things.at[slot].p, world->things.at[slot].q);
    kin_rot           turn = kini_rot_unit(kini_compose(now.q, kini_compose(kini_inverse(before.q), thing->q)));
    kin_pose          from = kini_pose(kini_to_world(now, kini_to_local(before, thing->p)), turn);
    kin_hit           hit;
    return kini_thing_cast(world, slot, &solid, from, kini_scale(body->up, -way), &hit);
}

/* Can what the body stood on at the end of the last step still hold it? */
static bool kini_still_holds(const kin_world *world, const kini_body *body, uint32_t slot)
{
    const kini_thing *ground = &world->things.at[slot];
    if (!kini_meets(world, body->slot, slot) || (ground->flags & KINI_SENSOR)) return false;
    if (ground->kind == KIN_BODY && !kini_pair_solid(world, body->slot, slot)) return false;
    return !((ground->flags | world->things.at[body->slot].flags) & KINI_RESHAPED) || kini_is_still_above(world, body);
}

/* A ground that was teleported, switched off or taken from under their feet leaves its riders behind. */
static void kini_lose_ground(kin_world *world, kini_body *body)
{
    kin_id ground = body->stand.id;
    bool   off;
    if (kini_is_nobody(ground) || !kini_is_live(world, ground)) return;
    off = !kini_still_holds(world, body, ground.slot);
    if (!off && !(world->things.at[ground.slot].flags & KINI_SHIFTED)) return;
    if (off && body->stand.footing == KIN_STABLE) kini_leave_ground(body, body->stand.velocity);
    kini_stand_nowhere(body);
}

/* Velocity given by pushes ends with them, unless the body is in the air or glides. Lasting pushes give it again. */
static void kini_shed(kin_world *world, kini_body *body)
{
    float   given = kini_len(body->given), kept;
    kin_vec along;
    if (!(given > 0) || body->options.glide) return;
    if (body->stand.footing != KIN_STABLE && !kini_is_floating(world, body)) return;
    along = kini_scale(body->given, 1 / given);
    kept = kini_clamp(kini_dot(body->velocity, along), 0, given);
    body->velocity = kini_madd(body->velocity, along, -kept);
    if (kini_len2(body->velocity) < KINI_ROUNDED_AWAY2 * given * given) body->velocity = kini_vec_zero();
    body->shed = kini_scale(along, kept);
    body->given = kini_vec_zero();
    if (!kini_is_zero(body->shed)) world->shed = true;
}

/* Equals that a body, right behind them, pushes on, still as fast as what it gave away, keep what pushes gave them, and
   are queued: each may push on others. */
static void kini_keep_pushed(kin_world *world, int32_t row, kin_vec velocity)
{
    const kini_body    *body = &world->bodies.at[row];
    const kini_contact *list = kini_last_contacts_of(world, row);
    int32_t             i;
    for (i = 0; i < body->contact_count && body->options.push == KIN_PUSHABLE; i++) {   /* not yet its last_count */
        uint32_t   slot = list[i].other.slot;
        kini_body *other;
        float      speed;
        if (world->things.at[slot].kind != KIN_BODY || !kini_still_beside(world, body->slot, list[i].other)) continue;
        other = &world->bodies.at[world->things.at[slot].row];
        if (kini_is_zero(other->shed) || other->keeps) continue;
        speed = kini_len(other->shed);
        if (kini_dot(kini_neg(list[i].normal), other->shed) < KINI_MOSTLY * speed) continue;
        if (!(kini_dot(velocity, other->shed) >= KINI_NEARLY_ALL * speed * speed)) continue;
        other->keeps = true;
        world->queue.at[world->queue.count++] = world->things.at[slot].row;
    }
}

/* A row of equals that push each other on keeps what pushes gave. First all push with their own velocity, then each
   with what it keeps as well, so that the order does not matter. */
static void kini_keep_rows(kin_world *world)
{
    int32_t i;
    world->queue.count = 0;
    for (i = 0; i < world->order.count; i++)
        kini_keep_pushed(world, world->order.at[i], world->bodies.at[world->order.at[i]].velocity);
    for (i = 0; i < world->queue.count; i++) {
        const kini_body *body = &world->bodies.at[world->queue.at[i]];
        kini_keep_pushed(world, world->queue.at[i], kini_add(body->velocity, body->shed));
    }
}

static void kini_fall_rows(kin_world *world, int32_t first, int32_t end)
{
    for (; first < end; first++) {
        kini_body *body = &world->bodies.at[first];
        if (world->idle.at[first] || !kini_takes_part(world, body->slot)) continue;
        if (world->rests) body->calm = kini_wants_nothing(body);
        if (!(body->state & (KINI_BODY_TELEPORTED | KINI_BODY_MOVED))) body->last = body->stand;
        body->last_state = body->state;
        if (world->edited || world->shifted > 0) kini_lose_ground(world, body);
        body->shed = kini_vec_zero();
        body->keeps = false;
        if (!kini_is_zero(body->given)) kini_shed(world, body);
        if (body->options.weightless) continue;
        if (body->options.ride == KIN_RIDE_PHYSICAL && !kini_is_floating(world, body)) kini_physical_rider(world, body);
        body->velocity = kini_madd(body->velocity, kini_gravity_of(world, body),
                                   body->options.gravity_scale * world->dt);
    }
}

static void kini_wish_rows(kin_world *world, int32_t first, int32_t end)
{
    for (; first < end; first++) {
        kini_body *body = &world->bodies.at[first];
        world->done.at[first] = 0;
        if (world->idle.at[first]) continue;   /* both lists are the same */
        body->last_count = body->contact_count;
        body->contact_count = 0;
        if (body->state & KINI_BODY_MOVED) kini_drop_fresh(kini_last_contacts_of(world, first), &body->last_count);
        if (kini_takes_part(world, body->slot)) kini_wish(world, first);
    }
}

static void kini_awake_rows(kin_world *world, int32_t first, int32_t end)
{
    world->order.count = first;
    for (; first < end; first++)
        if (!world->idle.at[first] && kini_takes_part(world, world->bodies.at[first].slot))
            world->order.at[world->order.count++] = first;
}

KINI_PART void kini_spread(kin_world *world)
{
    int32_t i;
    kini_choose_rows(world, kini_awake_rows, world->bodies.count);
    for (i = 0; i < world->order.count && world->idle_count > 0; i++)
        kini_watch(world, world->order.at[i], kini_scale(world->bodies.at[world->order.at[i]].velocity, world->dt));
}

/* The box of a body along what it wants and what it rides, as far as it looks for ground and contacts. */
static void kini_wanted_box(const kin_world *world, const kini_body *body, kin_vec *lo, kin_vec *hi)
{
    kin_vec own = kini_add(kini_add(body->velocity, body->shed), body->leftover), ride = kini_vec_zero(), low, high;
    float   margin = 2 * kini_touch_at(world, world->things.at[body->slot].p);
    if (body->stand.footing == KIN_STABLE) ride = kini_scale(body->stand.velocity, world->dt);
    own = kini_scale(kini_limit_speed(world, own), world->dt);
    kini_around(world, body->slot, kini_vec_zero(), own, margin, lo, hi);
    *lo = kini_lower(*lo, kini_add(*lo, ride));
    *hi = kini_upper(*hi, kini_add(*hi, ride));
    own = kini_scale(body->up, -kini_greater(body->options.snap, 0) - body->options.step_height);
    kini_around(world, body->slot, kini_vec_zero(), own, margin, &low, &high);
    *lo = kini_lower(*lo, low);
    *hi = kini_upper(*hi, high);
}

/* Asks `collide` about all pairs that may meet without a push, in order of slots. */
static void kini_ask_pairs(kin_world *world)
{
    kin_vec  way = kini_vec_zero(), lo, hi, low, high;   /* the longest way of any body */
    int32_t  i, count, *found = world->found.at, room = world->found.capacity;
    uint32_t slot;
    world->answering = true;
    kini_clear(world->answers.at, (size_t)world->bodies.count * sizeof *world->answers.at);
    for (i = 0; i < world->order.count; i++) {
        const kini_body *body = &world->bodies.at[world->order.at[i]];
        kini_wanted_box(world, body, &lo, &hi);
        way = kini_upper(way, kini_upper(kini_sub(world->things.at[body->slot].lo, lo),
                                         kini_sub(hi, world->things.at[body->slot].hi)));
    }
    for (slot = 1; slot < (uint32_t)world->things.count; slot++) {
        const kini_thing *thing = &world->things.at[slot];
        if (thing->kind != KIN_BODY || world->idle.at[thing->row] || !kini_takes_part(world, slot)) continue;
        kini_wanted_box(world, &world->bodies.at[thing->row], &lo, &hi);
        count = kini_tree_collect(&world->trees[KIN_STATIC], lo, hi, found, room);
        count += kini_tree_collect(&world->trees[KIN_MOVER], lo, hi, found + count, room - count);
        count += kini_tree_collect(&world->trees[KIN_BODY], kini_sub(lo, way), kini_add(hi, way), found + count,
                                   room - count);
        kini_sort_items(found, count);
        for (i = 0; i < count; i++) {
            const kini_thing *other = &world->things.at[found[i]];
            if (other->kind == KIN_BODY) {
                if ((uint32_t)found[i] <= slot) continue;   /* it has asked */
                kini_wanted_box(world, &world->bodies.at[other->row], &low, &high);
                if (!kini_boxes_meet(low, high, lo, hi)) continue;
            } else if (!kini_comes_near(world, other, lo, hi)) continue;
            kini_meets(world, slot, (uint32_t)found[i]);
        }
    }
    for (i = 0; i < world->order.count; i++) kini_lose_ground(world, &world->bodies.at[world->order.at[i]]);
}

KINI_PART void kini_stage_gather(kin_world *world)
{
    kini_contacts was;
    int32_t       i, count = world->bodies.count;   /* what controllers add takes part from the next step on */
    world->order.count = 0;
    world->shed = false;
    for (i = 0; i < count && world->shifted > 0; i++) {
        const kini_body *body = &world->bodies.at[i];
        if (world->idle.at[i] && kini_is_live(world, body->stand.id) &&
            !kini_still_holds(world, body, body->stand.id.slot))
            kini_wake(world, i);
    }
    kini_share_rows(world, kini_fall_rows, count);
    world->edited = false;
    world->joining = KINI_FALLEN;
    for (i = 0; i < count && world->controls.count > 0; i++) {
        const kini_body *body = &world->bodies.at[i];
        if (kini_takes_part(world, body->slot)) kini_call_control(world, body->control, body->slot);
    }
    kini_spread(world);
    was = world->contacts;   /* those that this step is compared with */
    world->contacts = world->last_contacts;
    world->last_contacts = was;
    if (world->desc.collide) kini_ask_pairs(world);
    if (world->shed) kini_keep_rows(world);
    kini_share_rows(world, kini_wish_rows, world->bodies.count);
    world->joining = KINI_WISHED;
}
