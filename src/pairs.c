/* SPDX-License-Identifier: MIT OR Unlicense

   pairs.c: stage 6. Body against body, one pass after the other.

   Detect: every pair whose relative motion, as stages 4 and 5 left it, meets.
   Resolve: along the normal the stronger keeps its motion and the weaker goes flush; equals stop where they met or
   exchange velocities. Strength: blocked by the level, pressed by a mover, unpushable, pushable; a pushed body pushes
   as strongly as its pusher. A push is swept; the rest comes back to the pusher, which is then blocked too. Moved
   bodies are tested again, so rows of any length move or stop in one step.
   Withdraw: undo pushes whose pusher was limited afterwards. Take along: riders follow their grounds. */
#include "stages.h"

/* ---- strength ---------------------------------------------------------------------------------------------------- */

/* Blocked directions are kept for the step: the two last ones that differ. */
static void kini_block_way(kini_body *body, kin_vec direction)
{
    if (kini_dot(body->blocked[0], direction) > KINI_SAME_SIDE) return;
    body->blocked[1] = body->blocked[0];
    body->blocked[0] = direction;
}

/* How strongly the body resists and pushes against `direction`. Its ground holds it from below; a lift only pushes. */
static int kini_strength(const kini_body *body, kin_vec direction)
{
    int     strength = body->options.push == KIN_UNPUSHABLE ? KINI_STRENGTH_UNPUSHABLE : KINI_STRENGTH_PUSHABLE;
    kin_vec push;
    if (kini_dot(body->blocked[0], direction) > KINI_MOSTLY ||
        kini_dot(body->blocked[1], direction) > KINI_MOSTLY)
        return KINI_STRENGTH_BLOCKED;
    if (kini_stands(body) && kini_dot(direction, body->up) < -KINI_MOSTLY)
        return kini_dot(body->carry, body->up) > 0 ? KINI_STRENGTH_MOVER : KINI_STRENGTH_BLOCKED;
    push = kini_add(kini_sub(kini_sub(body->path, body->carry), body->own), body->pressed);
    if (kini_dot(body->pushed, direction) < 0 || kini_dot(push, direction) < -KINI_NEGLIGIBLE * body->drive)
        return body->pushed_strength > strength ? body->pushed_strength : strength;
    return strength;
}

/* ---- bodies on bodies -------------------------------------------------------------------------------------------- */

/* The part of the ground's motion, beyond its carry, that its rider was not pushed along yet; pushes that only undo
   the rider's own motion do not count. None for a rider that pushes its ground itself. If the ground was put back, an
   idle rider loses the same, less what it lost already, at most what it went. */
static kin_vec kini_way_along(const kin_world *world, const kini_body *body, const kini_body *ground)
{
    kin_vec way = kini_sub(ground->path, ground->carry), back;
    float   has = kini_dot(kini_sub(kini_add(body->path, body->pressed), body->carry), way), went, behind;
    if (ground->pushed_by == world->things.at[body->slot].row) return kini_vec_zero();
    has -= kini_greater(kini_dot(body->own, way), 0);
    if (has > 0) way = kini_scale(way, 1 - kini_lesser(has / kini_len2(way), 1));
    back = kini_unit(way);
    if (!kini_is_zero(body->wish) || kini_dot(ground->carry, back) >= 0) return way;
    went = -kini_dot(body->path, back);
    behind = kini_greater(-kini_dot(ground->carry, back) - went, 0);
    if (went >= kini_len(way) && behind <= 0) return way;
    return kini_scale(back, kini_clamp(kini_len(way) - behind, 0, kini_greater(went, 0)));
}

/* How far a body is still to be taken along by its ground, which does not run into its rider unless it jumps. */
static kin_vec kini_way_to_come(const kin_world *world, const kini_body *body, const kini_body *ground)
{
    bool comes = !world->taken && kini_carrier(world, body) == ground && !(kini_dot(ground->velocity, ground->up) > 0);
    return comes ? kini_way_along(world, body, ground) : kini_vec_zero();
}

/* The motion of a, seen from b. */
static kin_vec kini_path_seen(const kin_world *world, const kini_body *a, const kini_body *b)
{
    kin_vec path = kini_sub(a->path, b->path);
    return kini_sub(kini_add(path, kini_way_to_come(world, a, b)), kini_way_to_come(world, b, a));
}

/* ---- detecting --------------------------------------------------------------------------------------------------- */

/* A lip lower than the slop is no side: the body that stands is lifted over it along `up`, as between two crates. */
static bool kini_meets_lip(const kin_world *world, const kini_body *body, const kini_obstacle *o, kin_vec up,
                           kini_meeting *out)
{
    float lip = kini_obstacle_extent(o, up);
    if (!kini_stands(body) || kini_abs(kini_dot(out->normal, up)) > KINI_MOSTLY) return false;
    if (lip > kini_slop_at(world, body->start.p)) return false;
    out->normal = up;
    out->room = -lip - kini_skin_at(world, body->start.p);
    return true;
}

KINI_PART void kini_pair_obstacle(const kin_world *world, const kini_body *a, const kini_body *b, bool at_start,
                                  kini_obstacle *out, kini_sum *room)
{
    const kini_thing *s = &world->things.at[a->slot], *t = &world->things.at[b->slot];
    const kini_shape *mine = &world->shapes.at[s->shape], *its = &world->shapes.at[t->shape];
    kin_vec           apart = at_start ? kini_sub(b->start.p, a->start.p) : kini_sub(t->p, s->p);
    if (mine->hull < 0 && its->hull < 0 && kini_is_unturned(s->q) && kini_is_unturned(t->q)) {   /* the same, at once */
        out->centre = kini_add(apart, kini_sub(its->centre, mine->centre));
        out->half = kini_add(its->half, mine->half);
        out->radius = its->radius + mine->radius;
        out->sum = NULL;
    } else {
        kini_solid body = kini_solid_of(world, s), piece = kini_solid_of(world, t);
        kini_obstacle_make(out, room, &piece, kini_pose(apart, t->q), &body, s->q);
    }
}

/* Do the paths of two bodies meet, and where? The normal points from j to i. */
static bool kini_paths_meet(const kin_world *world, int32_t i, int32_t j, kini_meeting *out)
{
    const kini_body  *a = &world->bodies.at[i], *b = &world->bodies.at[j];
    const kini_thing *s = &world->things.at[a->slot], *t = &world->things.at[b->slot];
    kin_vec           back = kini_sub(kini_sub(a->start.p, s->p), kini_sub(b->start.p, t->p)), lo, hi;
    kini_probe        probe = kini_probe_still(kini_vec_zero(), kini_path_seen(world, a, b), kini_skin_at(world, s->p));
    kini_sum          sum;
    kini_piece        piece;
    kini_impact       impact;
    kini_around(world, a->slot, kini_vec_zero(), probe.travel, 3 * probe.skin, &lo, &hi);
    if (!kini_boxes_meet(kini_add(lo, back), kini_add(hi, back), t->lo, t->hi)) return false;   /* a quick look */
    kini_clear(&piece, sizeof piece);
    kini_pair_obstacle(world, a, b, true, &piece.obstacle, &sum);
    piece.flags = KINI_PIECE_BODY;
    if (!kini_meet_piece(&piece, &probe, &impact) || impact.depth > KINI_DEEP_PAIR * world->desc.unit) return false;
    out->i = i;
    out->j = j;
    out->normal = impact.normal;
    out->t = impact.touch;
    out->speed = -kini_dot(probe.travel, impact.normal);
    /* An overlap by rounding is pushed flush. */
    out->room = out->speed * impact.t - impact.depth;
    if (kini_meets_lip(world, a, &piece.obstacle, a->up, out) ||
        kini_meets_lip(world, b, &piece.obstacle, kini_neg(b->up), out))
        out->speed = -kini_dot(probe.travel, out->normal);
    return true;
}

/* Rows of the bodies near the path of one, by rank, into world->neighbours; their number. */
KINI_PART int kini_path_neighbours(kin_world *world, int32_t row)
{
    const kini_body  *body = &world->bodies.at[row];
    const kini_thing *thing = &world->things.at[body->slot];
    kin_vec           back = kini_sub(body->start.p, thing->p), lo, hi, low, high;
    int               i, count, kept = 0;
    if (!kini_meets_bodies(world, body->slot)) return 0;
    kini_around(world, body->slot, kini_vec_zero(), back, kini_touch_at(world, thing->p), &lo, &hi);
    count = kini_collect_bodies(world, body->slot, lo, hi, world->neighbours.at, world->neighbours.capacity);
    if (count > world->neighbours.capacity) count = world->neighbours.capacity;
    for (i = 0; i < count; i++) {
        uint32_t         slot = (uint32_t)world->neighbours.at[i];
        const kini_body *other = &world->bodies.at[world->things.at[slot].row];
        if (slot == body->slot || !kini_takes_part(world, slot) || kini_is_foreign(world, body->slot, slot)) continue;
        kini_around(world, slot, kini_vec_zero(), kini_sub(other->start.p, world->things.at[slot].p), 0, &low, &high);
        /* Fat boxes must not affect results. */
        if (!kini_boxes_meet(low, high, lo, hi) || !kini_meets(world, body->slot, slot)) continue;
        if (kini_woken(world, world->things.at[slot].row)) world->neighbours.at[kept++] = other->rank;
    }
    kini_sort_items(world->neighbours.at, kept);
    for (i = 0; i < kept; i++) world->neighbours.at[i] = world->order.at[world->neighbours.at[i]];
    return kept;
}

/* Of the meetings of one pair in a step, the fastest is its contact. */
static void kini_note_pair(kin_world *world, const kini_meeting *meeting)
{
    const kini_body    *a = &world->bodies.at[meeting->i];
    uint32_t            slot = world->bodies.at[meeting->j].slot;
    float               speed = meeting->speed / world->dt;
    const kini_contact *known = kini_find_contact(kini_contacts_of(world, meeting->i), a->contact_count,
                                                  kini_id_of(world, slot), -1);
    if (!known || known->speed < speed)
        kini_note_body(world, meeting->i, slot, meeting->normal, 0, speed, KINI_CONTACT_HIT);
}

static void kini_record(kin_world *world, int32_t row)
{
    int k, count = kini_path_neighbours(world, row);
    for (k = 0; k < count; k++) {
        const kini_body *body = &world->bodies.at[row], *other = &world->bodies.at[world->neighbours.at[k]];
        kini_meeting     meeting;
        if (other->rank < body->rank && !kini_is_zero(other->path)) continue;   /* it asked first */
        if (!kini_paths_meet(world, row, world->neighbours.at[k], &meeting)) continue;
        if (!kini_pair_solid(world, body->slot, other->slot)) { kini_note_pair(world, &meeting); continue; }
        if (kini_no_room_to_meet(world)) return;
        world->meetings.at[world->meetings.count++] = meeting;
    }
}

/* ---- resolving --------------------------------------------------------------------------------------------------- */

static void kini_follow_up(kin_world *world, int32_t row)
{
    kini_body *body = &world->bodies.at[row];
    if (body->queued) return;
    body->queued = true;
    world->queue.at[(world->queue_head + world->queue.count++) % world->queue.capacity] = row;
}

KINI_PART int32_t kini_next_queued(kin_world *world)
{
    int32_t row = world->queue.at[world->queue_head];
    world->queue_head = (world->queue_head + 1) % world->queue.capacity;
    world->queue.count--;
    world->bodies.at[row].queued = false;
    return row;
}

KINI_PART void kini_cover_path(kin_world *world, const kini_body *body)
{
    kin_vec lo, hi, back = kini_sub(body->start.p, world->things.at[body->slot].p);
    kini_around(world, body->slot, kini_vec_zero(), back, 0, &lo, &hi);
    kini_cover(world, body->slot, lo, hi);
}

/* Moves a body this far from its start and queues it. Less than rounding error is ignored: a jam does not creep. */
KINI_PART void kini_set_path(kin_world *world, int32_t row, kin_vec path)
{
    kini_body *body = &world->bodies.at[row];
    bool       jams = kini_is_zero(body->velocity) && kini_is_zero(body->leftover) && kini_is_zero(body->carry) &&
                body->pushed_strength != KINI_STRENGTH_MOVER;
    float      least = (jams ? KINI_OVERLAP : KINI_NO_MOTION) * world->desc.unit;
    body->path = kini_len2(path) < least * least ? kini_vec_zero() : path;
    if (kini_is_zero(body->path)) body->turned_at = body->start.p;   /* one-way surfaces see no motion */
    body->state |= KINI_BODY_RENEW;
    body->changed = ++world->turn;
    kini_shift(world, body->slot, kini_add(body->start.p, body->path), world->things.at[body->slot].q);
    kini_cover_path(world, body);
    kini_follow_up(world, row);
}

/* A hit on the level that comes later than the meeting never happens. */
static void kini_forget_hits(kin_world *world, int32_t row)
{
    kini_body    *body = &world->bodies.at[row];
    kini_contact *list = kini_contacts_of(world, row);
    int32_t       i, kept = 0;
    for (i = 0; i < body->contact_count; i++)
        if (world->things.at[list[i].other.slot].kind == KIN_BODY || (list[i].flags & KINI_CONTACT_SENSOR))
            list[kept++] = list[i];
    body->contact_count = kept;
}

/* On stable ground a push turns along it and keeps its length along the push, within KINI_LONGER_PUSH. */
static kin_vec kini_push_along(const kini_body *body, kin_vec direction, float amount)
{
    kin_vec way = kini_scale(direction, amount), turned;
    float   rise = kini_dot(direction, body->up), kept;
    if (!kini_stands(body) || kini_abs(rise) > KINI_MOSTLY) return way;
    turned = kini_turn_along(kini_across(way, body->up), kini_walked_on(body), body->up, false);
    kept = kini_dot(turned, direction);
    if (kept <= KINI_HARDLY * amount) return way;
    return kini_scale(turned, kini_lesser(amount / kept, KINI_LONGER_PUSH * amount / kini_len(turned)));
}

/* Notes that `by` can move a body in this step: the bound on its path grows with the longest motion behind all pushes
   that reached it, its own apart, so that no push grows between two contacts without end. */
KINI_PART void kini_note_drive(kini_body *body, const kini_body *by)
{
    bool  further = by->drive > by->went && by->drive_by != body->slot;
    float drive = further ? by->drive : by->went;
    if (drive <= body->drive) return;
    body->drive = drive;
    body->drive_by = further ? by->drive_by : by->slot;
}

/* Shortens a translation to the longest path that this step allows: the body's own motion, the overlap it began with,
   and KINI_WEDGE_GAIN times the longest motion behind its pushers. */
static kin_vec kini_bounded_way(const kin_world *world, const kini_body *body, kin_vec way)
{
    float most = body->went + KINI_WEDGE_GAIN * body->drive + body->overlap + KINI_SLOP * world->desc.unit;
    float a = kini_len2(way), b = kini_dot(body->path, way), room = most * most - kini_len2(body->path), s;
    if (a + 2 * b <= room) return way;
    if (room <= 0) return b < 0 ? way : kini_vec_zero();
    s = (kini_sqrt(b * b + a * room) - b) / a;
    return kini_scale(way, kini_clamp(s, 0, 1));
}

/* Sweeps a body on, to bring it along `direction`; how far it got. Surfaces clip `velocity`, unless that is NULL. */
static kin_vec kini_swept_way(kin_world *world, int32_t row, kin_vec direction, kin_vec way, int with,
                              kin_vec *velocity)
{
    kini_body *body = &world->bodies.at[row];
    kini_near  near;
    kini_slide slide;
    body->calm = false;   /* it is pushed, even if it does not give way */
    way = kini_bounded_way(world, body, way);
    kini_clear(&slide, sizeof slide);
    slide.travel = way;
    slide.skin = kini_skin_at(world, world->things.at[body->slot].p);
    if (kini_stands(body)) slide.feet = kini_walked_on(body);
    slide.bodies = (with & KINI_WITH_BODIES) != 0;
    near.origin = world->things.at[body->slot].p;
    if (!(with & KINI_WITH_BODIES) && kini_is_clear(world, row, way)) slide.x = kini_add(slide.x, way);
    else {
        kini_near_motion(world, &near, body->slot, 0, with, slide.travel, 4 * slide.skin);
        kini_slide_run(world, &near, &slide);
        kini_note_planes(world, row, &slide, 1 / world->dt);
    }
    if (velocity && !kini_clip_level(velocity, slide.planes, slide.count, 1 / world->dt)) *velocity = kini_vec_zero();
    if (slide.count > 0 && (kini_dot(slide.x, direction) <= KINI_SIDEWAYS * kini_len(slide.x) ||
                            kini_len2(kini_bounded_way(world, body, slide.x)) < KINI_NEARLY_ALL * kini_len2(slide.x)))
        slide.x = kini_vec_zero();   /* only sideways, or too far aside */
    if (kini_is_zero(slide.x)) return slide.x;
    body->turned_at = kini_add(near.origin, slide.turned_at);   /* one-way surfaces see the motion of this push */
    kini_set_path(world, row, kini_add(body->path, slide.x));
    return slide.x;
}

/* Sweeps a body along a push; how far it got along it. */
KINI_PART float kini_swept_push(kin_world *world, int32_t row, kin_vec direction, float amount, int with)
{
    kin_vec way = kini_push_along(&world->bodies.at[row], direction, amount);
    return kini_dot(kini_swept_way(world, row, direction, way, with, NULL), direction);
}

/* The direction in which a surface changes the velocity of a body, as the level does: ground along up; a steep side
   across it, and a side that leans over a body that stands. In the air, a bounce goes along the normal. */
static kin_vec kini_acts_along(const kin_world *world, const kini_body *body, kin_vec normal)
{
    float   rise = kini_dot(normal, body->up);
    kin_vec flat = kini_unit(kini_across(normal, body->up));
    if (kini_is_floating(world, body) || kini_is_zero(flat)) return normal;
    if (body->options.bounce > 0 && !kini_stands(body)) return normal;
    if (rise >= body->stable_cos) return body->up;
    if (kini_stands(body)) return rise > -KINI_MOSTLY ? flat : normal;
    return rise >= KINI_SIDEWAYS && kini_dot(body->velocity, flat) < 0 ? flat : normal;
}

/* Takes back the body's path; how far it got. A mover that pushed it there may then crush it; any more is a push like
   others. A way back longer than the body may lead behind a wall that it went around: then it stays where it began. */
static float kini_put_back(kin_world *world, int32_t row, kin_vec direction, float amount)
{
    kini_body        *body = &world->bodies.at[row];
    const kini_thing *thing = &world->things.at[body->slot];
    kin_vec           path = body->path, to;
    float             own = kini_clamp(-kini_dot(path, direction), 0, amount);
    kini_near         near;
    if (own > 0) kini_swept_push(world, row, direction, own, 0);
    if (own > kini_largest(kini_sub(thing->hi, thing->lo))) {
        to = body->path;
        kini_set_path(world, row, kini_vec_zero());
        kini_near_motion(world, &near, body->slot, 0, 0, to, 0);
        if (kini_free_part(world, &near, kini_vec_zero(), to) >= 1) kini_set_path(world, row, to);
    }
    if (amount > own) kini_swept_push(world, row, direction, amount - own, KINI_WITH_MOVERS);
    return kini_dot(kini_sub(body->path, path), direction);
}

/* The carry that a body still has: being put back takes its own motion first. */
static kin_vec kini_carry_left(const kini_body *body)
{
    float whole = kini_len2(body->carry), own = kini_lesser(kini_dot(body->own, body->carry), 0);
    if (!(whole > 0)) return body->carry;
    return kini_scale(body->carry, kini_clamp((kini_dot(body->path, body->carry) - own) / whole, 0, 1));
}

/* The same from a further side: along the side before, so that no gap opens there and jams do not shake. From a steep
   side it goes back the way it came before it is lifted: a body's corner gives no more height than a static's. */
static float kini_part_from(kin_world *world, int32_t row, kin_vec n, float amount)
{
    kini_body *body = &world->bodies.at[row];
    float      both = kini_dot(n, body->held), part, done = 0, flat;
    kin_vec    way = both > 0 && both < KINI_SAME_FACING ? kini_unit(kini_madd(n, body->held, -both)) : n;
    kin_vec    side = kini_dot(n, body->up) > KINI_SIDEWAYS ? kini_acts_along(world, body, n) : n;
    part = kini_dot(n, side);
    flat = kini_lesser(kini_dot(kini_sub(kini_carry_left(body), body->path), side), amount / part);
    body->held = n;
    if (part < KINI_SAME_NORMAL && flat > 0 && kini_dot(side, body->up) < 0.5f)
        done = part * kini_put_back(world, row, side, flat);
    if (done >= amount) return done;
    part = kini_dot(n, way);
    return done + part * kini_put_back(world, row, way, (amount - done) / part);
}

/* `own` is the part of the gain that it keeps as its own, as by a bounce; the rest was given. */
static void kini_give_velocity(kini_body *body, kin_vec direction, float speed, float own)
{
    float gain = speed - kini_dot(body->velocity, direction);
    body->velocity = kini_madd(body->velocity, direction, gain);
    body->given = kini_madd(body->given, direction, gain * (1 - own));
}

/* How much of an approach comes back between two bodies: the larger bounce of both counts. */
static float kini_bounce_of(const kin_world *world, const kini_body *a, const kini_body *b, float approach)
{
    float bounce = kini_greater(a->options.bounce, b->options.bounce);
    return bounce > 0 && approach > kini_least_bounce(world, a) && approach > kini_least_bounce(world, b) ? bounce : 0;
}

/* Takes from a velocity what is more than `most` along a direction, first of all what others gave. */
static void kini_stop_along(kini_body *body, kin_vec direction, float most)
{
    float into = kini_dot(body->velocity, direction) - most;
    if (!(into > 0)) return;
    body->velocity = kini_madd(body->velocity, direction, -into);
    body->given = kini_madd(body->given, direction, -kini_clamp(kini_dot(body->given, direction), 0, into));
}

/* How fast the body goes by what carries the lowest of its stack or, in the air, by what is left of that. */
static kin_vec kini_ridden(const kin_world *world, const kini_body *body)
{
    const kini_body *ground;
    int32_t          below = world->bodies.count;
    while (below-- > 0 && (ground = kini_carrier(world, body)) != NULL) body = ground;
    if (body->stand.footing != KIN_STABLE) return body->leftover;
    if (!kini_is_live(world, body->stand.id)) return kini_vec_zero();
    return kini_velocity_at(world, body->stand.id.slot, body->stand.part,
                            kini_point_now(world, body->stand.id.slot, body->stand.point));
}

/* How much faster one is carried along a direction than another: velocities are relative to the ground of each. */
static float kini_carried_past(const kin_world *world, const kini_body *one, const kini_body *other, kin_vec direction)
{
    bool same = one->stand.footing == KIN_STABLE && other->stand.footing == KIN_STABLE &&
                kin_same(one->stand.id, other->stand.id);
    return same ? 0 : kini_dot(kini_sub(kini_ridden(world, one), kini_ridden(world, other)), direction);
}

/* Sweeps a body along a push with `speed` along `its`; how far it got. `kept` is the velocity that the level leaves. */
static float kini_push_on(kin_world *world, int32_t row, kin_vec direction, float amount, kin_vec its, float speed,
                          kin_vec *kept)
{
    kini_body *body = &world->bodies.at[row];
    kin_vec    way = kini_push_along(body, direction, amount);
    float      rise;
    *kept = kini_madd(body->velocity, its, kini_greater(speed - kini_dot(body->velocity, its), 0));
    rise = kini_dot(*kept, body->up);
    way = kini_swept_way(world, row, direction, way, KINI_WITH_MOVERS, kept);
    if (kini_is_zero(way)) *kept = way;
    /* A push against a surface gives no height. */
    rise = kini_dot(*kept, body->up) - rise;
    if (rise > 0 && !kini_is_floating(world, body)) *kept = kini_madd(*kept, body->up, -rise);
    return kini_dot(way, direction);
}

/* How far a body comes along a direction; a pushed body as far as its pusher. */
static float kini_comes(const kini_body *body, kin_vec direction)
{
    float comes = kini_dot(body->path, direction);
    if (body->pushed_by < 0 || kini_dot(body->pushed, direction) < KINI_SAME_SIDE) return comes;
    return kini_greater(comes, body->pushed_from);
}

/* The carry along n that two bodies have in common is the motion of neither. */
static float kini_common_carry(const kini_body *a, const kini_body *b, kin_vec n)
{
    float x = kini_dot(n, kini_carry_left(a)), y = kini_dot(n, kini_carry_left(b));
    if (x > 0 && y > 0) return kini_lesser(x, y);
    return x < 0 && y < 0 ? kini_greater(x, y) : 0;
}

/* An unpushable gives way only as far as it came. A body that runs into it and has no room beside goes back its path,
   less its carry, and stops; how far that brings it away. One that a mover presses has no way back. */
static float kini_back_out(kin_world *world, int32_t row, const kini_body *other, kin_vec away, float amount)
{
    kini_body *body = &world->bodies.at[row];
    kin_vec    carry = kini_carry_left(body), way = kini_sub(body->path, carry), came = kini_sub(other->path, carry);
    float      rest = amount - kini_clamp(kini_dot(came, away), 0, amount), most = kini_len(way), part;
    kin_vec    side;
    way = kini_unit(way);
    part = -kini_dot(way, away);
    if (other->options.push != KIN_UNPUSHABLE || body->pushed_strength == KINI_STRENGTH_MOVER) return 0;
    if (rest <= KINI_SHORTFALL * kini_skin_at(world, body->start.p) || part < KINI_GRAZING) return 0;
    kini_block_way(body, way);
    side = kini_across(away, way);   /* it keeps the velocity across both */
    side = kini_len2(side) > KINI_ONE_LINE2 ? kini_unit(side) : kini_vec_zero();
    body->velocity = kini_across(kini_across(body->velocity, way), side);
    body->given = kini_across(kini_across(body->given, way), side);
    return part * kini_put_back(world, row, kini_neg(way), kini_lesser(rest / part, most));
}

/* Records a push, and how far pusher and body had then come along it, in place of meetings that are resolved. */
static void kini_note_push(kin_world *world, int32_t by, int32_t row, float back)
{
    const kini_body *pusher = &world->bodies.at[by];
    kini_body       *body = &world->bodies.at[row];
    kini_meeting    *push;
    body->pushed_from = kini_comes(pusher, body->pushed);
    body->pushed_by = by;
    if (kini_no_room_to_meet(world)) return;
    push = &world->meetings.at[world->meetings.count++];
    push->i = row;
    push->j = by;
    push->normal = body->pushed;
    push->speed = kini_dot(pusher->path, body->pushed) - kini_greater(back, 0);
    push->room = kini_dot(body->path, body->pushed);
}

/* The weaker goes flush with the stronger; the part that the level blocks comes back. One that only returns some of the
   way that it was pushed before is still pushed by that one. */
static void kini_push(kin_world *world, int32_t by, int32_t row, kin_vec direction, float amount)
{
    kini_body *pusher = &world->bodies.at[by], *body = &world->bodies.at[row];
    float      tolerance = KINI_SHORTFALL * kini_skin_at(world, body->start.p), back;
    kin_vec    mine = kini_neg(kini_acts_along(world, pusher, kini_neg(direction)));
    kin_vec    its = kini_acts_along(world, body, direction);
    kin_vec    kept = kini_vec_zero();
    float      past = kini_carried_past(world, pusher, body, mine), speed, along, bounce;
    int        strength = kini_strength(pusher, kini_neg(direction));
    bool       blocked = strength == KINI_STRENGTH_BLOCKED, returns;
    bool       stands = pusher->pushed_by < 0 &&   /* it only stands in the way: the body has run into it */
                  kini_dot(pusher->path, direction) <= kini_common_carry(pusher, body, direction);
    kini_note_drive(body, pusher);
    kini_note_drive(pusher, body);
    if (blocked) {
        amount -= kini_back_out(world, by, body, kini_neg(direction), amount);
        if (amount <= tolerance) return;
        kini_block_way(body, kini_neg(direction));   /* the block passes back through the row */
    }
    returns = blocked && body->pushed_by >= 0 && kini_dot(body->pushed, direction) < 0;
    if (!returns) {
        body->pushed = direction;
        body->pushed_strength = (uint8_t)(blocked ? KINI_STRENGTH_UNPUSHABLE : strength);
    }
    speed = kini_dot(pusher->velocity, mine) + past;
    back = amount - (blocked || stands ? kini_part_from(world, row, direction, amount)
                                       : kini_push_on(world, row, direction, amount, its, speed, &kept));
    if (!returns) kini_note_push(world, by, row, back);
    if (back <= tolerance) {
        float rest = blocked ? 0 : speed;
        along = rest - kini_dot(body->velocity, its);
        bounce = kini_bounce_of(world, pusher, body, along);
        if (bounce > 0) speed = kini_greater(speed, rest + bounce * along);
        if (speed > kini_dot(body->velocity, its)) kini_give_velocity(body, its, speed, bounce);
        return;
    }
    kini_block_way(body, direction);
    kini_block_way(pusher, direction);
    along = kini_dot(kept, its);
    if (along <= KINI_FAINT * kini_abs(speed)) {
        along = 0;
        kini_stop_along(body, its, 0);
    } else {
        body->given = kini_add(body->given, kini_sub(kept, body->velocity));
        body->velocity = kept;
    }
    kini_stop_along(pusher, mine, along > 0 ? kini_greater(along - past, 0) : 0);
    /* Nor does it go against its pusher. */
    kini_stop_along(body, kini_neg(its), -kini_lesser(kini_dot(pusher->velocity, mine) + past, along));
    back -= kini_back_out(world, row, pusher, direction, back);
    if (back <= tolerance) return;
    kini_forget_hits(world, by);
    kini_part_from(world, by, kini_neg(direction), back);
}

/* Was the pusher limited after it pushed, and the body is still further than its own motion? Then undoes all pushes on
   it and the speed that this one gave; pushers that are still behind it push it again. */
static bool kini_withdraw(kin_world *world, const kini_meeting *push)
{
    kini_body *body = &world->bodies.at[push->i], *pusher = &world->bodies.at[push->j];
    float      lost = push->speed - kini_dot(pusher->path, push->normal), speed, excess;
    float      went = kini_dot(body->path, push->normal), gap = went - push->room + lost;
    kin_vec    own = kini_add(body->carry, body->own), its;
    went -= kini_greater(kini_dot(own, push->normal), 0);
    if (body->cut || body->pushed_strength == KINI_STRENGTH_MOVER) return false;
    if (!(kini_lesser(kini_lesser(lost, gap), went) > kini_skin_at(world, body->start.p))) return false;
    its = kini_acts_along(world, body, push->normal);
    speed = kini_dot(body->velocity, its);
    excess = speed - kini_dot(pusher->velocity, its) - kini_carried_past(world, pusher, body, its);
    excess = kini_lesser(excess, kini_dot(body->given, its));
    if (excess > 0) kini_give_velocity(body, its, speed - excess, 0);
    body->turned_at = body->start.p;
    kini_set_path(world, push->i, own);
    return true;
}

/* Was something flush with the body at the end of the last step, right in this direction? */
static bool kini_is_ahead(const kin_world *world, const kini_body *body, const kini_contact *contact, kin_vec direction)
{
    return kini_dot(contact->normal, direction) <= -KINI_SAME_NORMAL &&
           kini_is_flush(world, world->things.at[body->slot].row, contact) &&
           kini_still_beside(world, body->slot, contact->other);
}

/* Is the body held in this direction, by one of its two last answers? -1: not known. */
static int kini_answered(const kini_body *body, kin_vec direction)
{
    if (kini_dot(body->answered[0], direction) > KINI_ANSWERED) return body->answer[0];
    return kini_dot(body->answered[1], direction) > KINI_ANSWERED ? body->answer[1] : -1;
}

/* Puts a body on world->found, once in a search. */
static void kini_find_once(kin_world *world, int32_t row, int32_t from, int32_t *count)
{
    kini_body *body = &world->bodies.at[row];
    if (body->asked == world->asked) return;
    body->asked = world->asked;
    body->asked_by = from;
    world->found.at[(*count)++] = row;
}

static void kini_answer(kini_body *body, kin_vec direction, bool held)
{
    body->answered[1] = body->answered[0];
    body->answer[1] = body->answer[0];
    body->answered[0] = direction;
    body->answer[0] = held;
}

/* Is a body held by what is right ahead of it: the level or an unpushable that does not go away faster than `goes`, or
   a pushable that is known to be held? If it is not known, it is put on world->found. */
static bool kini_held_ahead(kin_world *world, int32_t row, kin_vec direction, float goes, int32_t *count)
{
    const kini_contact *list = kini_last_contacts_of(world, row);
    int32_t             i;
    for (i = 0; i < world->bodies.at[row].last_count; i++) {
        const kini_thing *thing = &world->things.at[list[i].other.slot];
        if (!kini_is_ahead(world, &world->bodies.at[row], &list[i], direction)) continue;
        if (thing->kind == KIN_BODY && world->bodies.at[thing->row].options.push == KIN_PUSHABLE) {
            int known = kini_answered(&world->bodies.at[thing->row], direction);
            if (known < 0) kini_find_once(world, thing->row, row, count);
            else if (known > 0) return true;
        } else {
            kin_vec point = kini_meeting_point(world, world->bodies.at[row].slot, list[i].other.slot, list[i].part,
                                               list[i].normal);
            if (kini_dot(kini_rate_at(world, list[i].other.slot, point), direction) <= goes) return true;
        }
    }
    return false;
}

/* Would speed along a direction only press the body on a holder, or on a row with one? Answers last for the step. */
static bool kini_is_held(kin_world *world, int32_t row, kin_vec direction)
{
    kini_body *body = &world->bodies.at[row];
    float      rounding = KINI_SLOW * world->desc.unit + KINI_FAR_ULPS * kini_far(body->start.p) / world->dt;
    float      goes = kini_dot(kini_ridden(world, body), direction) + rounding;
    int32_t    count = 0, i;
    int        known = kini_answered(body, direction);
    if (known >= 0) return known > 0;
    world->asked++;
    kini_find_once(world, row, -1, &count);
    for (i = 0; i < count; i++) {
        row = world->found.at[i];
        if (!kini_held_ahead(world, row, direction, goes, &count)) continue;
        for (; row >= 0; row = world->bodies.at[row].asked_by) kini_answer(&world->bodies.at[row], direction, true);
        return true;
    }
    while (count > 0) kini_answer(&world->bodies.at[world->found.at[--count]], direction, false);
    return false;
}

/* Two pushables exchange velocities along the normal; a held one gets nothing that presses it on, but bounces back. */
static void kini_exchange(kin_world *world, const kini_meeting *meeting, kin_vec an, kin_vec bn, float bounce)
{
    kini_body *a = &world->bodies.at[meeting->i], *b = &world->bodies.at[meeting->j];
    kin_vec    n = meeting->normal;
    float      va = kini_dot(a->velocity, an), vb = kini_dot(b->velocity, bn), back, first;
    bool       held_a, held_b;
    if (va >= vb) return;
    held_a = vb > 0 && kini_is_held(world, meeting->i, n);
    held_b = va < 0 && kini_is_held(world, meeting->j, kini_neg(n));
    if (bounce > 0 && held_a != held_b) {
        back = -bounce * (held_a ? vb : va);
        first = held_a ? va : vb;
        vb = kini_greater(first, back);
        va = kini_lesser(first, back);
        held_a = held_b = false;
    }
    bounce = kini_greater(a->options.bounce, b->options.bounce);   /* slow ones keep what they got as well */
    kini_give_velocity(a, an, held_a ? 0 : vb, bounce);
    kini_give_velocity(b, bn, held_b ? 0 : va, bounce);
    if (!held_a && !held_b) return;
    kini_block_way(a, kini_neg(n));
    kini_block_way(b, n);
}

/* Equals go to where they met, or bounce from there: unpushables stop or turn back, pushables exchange velocities. */
static void kini_part_equals(kin_world *world, const kini_meeting *meeting, float lack)
{
    kini_body *a = &world->bodies.at[meeting->i], *b = &world->bodies.at[meeting->j];
    kin_vec    n = meeting->normal, an = kini_acts_along(world, a, n);
    kin_vec    bn = kini_neg(kini_acts_along(world, b, kini_neg(n)));
    float      va = kini_dot(a->velocity, an), vb = kini_dot(b->velocity, bn);
    float      both = kini_common_carry(a, b, n), share = 0.5f, bounce = kini_bounce_of(world, a, b, vb - va);
    float      mine = kini_greater(kini_comes(a, kini_neg(n)) + both, 0);
    float      theirs = kini_greater(kini_comes(b, n) - both, 0);
    bool       swap = a->options.push == KIN_PUSHABLE && b->options.push == KIN_PUSHABLE && a->pushed_strength == 0 &&
                b->pushed_strength == 0;
    if (mine + theirs > 0) share = mine / (mine + theirs);
    kini_note_drive(a, b);
    kini_note_drive(b, a);
    kini_forget_hits(world, meeting->i);
    kini_forget_hits(world, meeting->j);
    mine = lack * (swap && bounce > 0 ? 1 : (1 + bounce) * share);
    theirs = lack * (swap && bounce > 0 ? 1 : (1 + bounce) * (1 - share));
    if (mine > 0) kini_part_from(world, meeting->i, n, mine);
    if (theirs > 0) kini_part_from(world, meeting->j, kini_neg(n), theirs);
    if (swap) { kini_exchange(world, meeting, an, bn, bounce); return; }
    if (va > vb && kini_greater(a->options.bounce, b->options.bounce) > 0) return;   /* they have bounced */
    a->velocity = kini_across(a->velocity, an);
    b->velocity = kini_across(b->velocity, bn);
    if (bounce > 0) {
        a->velocity = kini_madd(a->velocity, an, bounce * (va * vb > 0 ? vb : -va));
        b->velocity = kini_madd(b->velocity, bn, bounce * (va * vb > 0 ? va : -vb));
    }
    a->given = kini_across(a->given, an);
    b->given = kini_across(b->given, bn);
    kini_block_way(a, kini_neg(n));   /* their pushers have to stop as well */
    kini_block_way(b, n);
}

/* A body clips leftover as the level does: no more of it goes into the other than that has of its own. */
static void kini_clip_leftover(const kin_world *world, kini_body *body, const kini_body *other, kin_vec normal)
{
    kin_vec along;
    float   into;
    if (kini_is_zero(body->leftover)) return;
    along = kini_acts_along(world, body, normal);
    into = kini_lesser(kini_dot(other->velocity, along), 0) - kini_dot(body->leftover, along);
    if (into > 0) body->leftover = kini_madd(body->leftover, along, into);
}

/* ---- weights ----------------------------------------------------------------------------------------------------- */

/* Finds the bodies that one of a row moves along: pushables right ahead, and riders; none for the pusher. Returns how
   much those right behind it can push; KINI_FLT_MAX: anything, as a mover. */
static float kini_find_moved(kin_world *world, int32_t row, int32_t pusher, kin_vec direction, int32_t *count)
{
    const kini_contact *list = kini_last_contacts_of(world, row);
    float               limit = 0;
    int32_t             i;
    for (i = 0; i < world->bodies.at[row].last_count; i++) {
        uint32_t          slot = list[i].other.slot;
        const kini_thing *thing = &world->things.at[slot];
        float             side = kini_dot(list[i].normal, direction);
        const kini_body  *other;
        if (!kini_is_flush(world, row, &list[i])) continue;
        if (!kini_still_beside(world, world->bodies.at[row].slot, list[i].other)) continue;
        if (side > KINI_MOSTLY && kini_comes_on(world, slot, direction)) return KINI_FLT_MAX;
        if (thing->kind != KIN_BODY || thing->row == pusher || row == pusher) continue;
        other = &world->bodies.at[thing->row];
        if (kini_carrier(world, other) == &world->bodies.at[row] ||
            (side < -KINI_MOSTLY && other->options.push == KIN_PUSHABLE))
            kini_find_once(world, thing->row, row, count);
        else if (side > KINI_MOSTLY && other->options.push == KIN_UNPUSHABLE &&
                 kini_dot(other->wish, direction) > 0) {
            if (kini_equal(other->options.max_push, 0)) return KINI_FLT_MAX;
            limit += kini_greater(other->options.max_push, 0);
        }
    }
    return limit;
}

/* Is a row too heavy for all that push it? One that was next in it is not: it was weighed with the first. */
static bool kini_is_too_heavy(kin_world *world, int32_t by, int32_t row, kin_vec direction)
{
    const kini_body    *body = &world->bodies.at[by];
    const kini_contact *next;
    float               weight = 0, limit;
    int32_t             i, count = 0;
    if (kini_dot(body->path, direction) <= 0) return false;   /* it only stands in the way */
    next = kini_find_contact(kini_last_contacts_of(world, by), body->last_count,
                             kini_id_of(world, world->bodies.at[row].slot), -1);
    if (body->options.push == KIN_PUSHABLE && next && kini_is_ahead(world, body, next, direction)) return false;
    world->asked++;
    kini_find_once(world, row, by, &count);
    for (i = 0; world->bodies.at[by].options.push == KIN_PUSHABLE && world->bodies.at[by].pushed_by >= 0; i++) {
        if (i == world->bodies.count) return false;
        kini_find_once(world, by, by, &count);
        by = world->bodies.at[by].pushed_by;
    }
    limit = world->bodies.at[by].options.max_push;
    if (kini_equal(limit, 0) || world->bodies.at[by].options.push != KIN_UNPUSHABLE) return false;
    limit = kini_greater(limit, 0) + kini_find_moved(world, by, by, direction, &count);
    for (i = 0; i < count; i++) {
        limit += kini_find_moved(world, world->found.at[i], by, direction, &count);
        weight += world->bodies.at[world->found.at[i]].options.weight;
    }
    return weight > limit * (1 + KINI_WEIGHT_ERROR);
}

static void kini_resolve(kin_world *world, kini_meeting meeting)
{
    kini_body *a = &world->bodies.at[meeting.i], *b = &world->bodies.at[meeting.j];
    kin_vec    n = meeting.normal;
    float      lack = -kini_dot(n, kini_path_seen(world, a, b)) - meeting.room;
    int        sa = kini_strength(a, n), sb = kini_strength(b, kini_neg(n));
    kini_note_pair(world, &meeting);
    if (lack <= KINI_SHORTFALL * kini_skin_at(world, a->start.p)) return;
    kini_clip_leftover(world, a, b, n);
    kini_clip_leftover(world, b, a, kini_neg(n));
    if (sa == KINI_STRENGTH_UNPUSHABLE && sb < sa && kini_is_too_heavy(world, meeting.i, meeting.j, kini_neg(n))) {
        kini_block_way(b, kini_neg(n));
        sb = KINI_STRENGTH_BLOCKED;
    } else if (sb == KINI_STRENGTH_UNPUSHABLE && sa < sb && kini_is_too_heavy(world, meeting.j, meeting.i, n)) {
        kini_block_way(a, n);
        sa = KINI_STRENGTH_BLOCKED;
    }
    if (sa == KINI_STRENGTH_MOVER && sb == sa) {   /* each gives way as far as it has room and the movers let it */
        float done;
        kini_note_drive(a, b);
        kini_note_drive(b, a);
        done = kini_swept_push(world, meeting.i, n, 0.5f * lack, KINI_WITH_MOVERS);
        done += kini_swept_push(world, meeting.j, kini_neg(n), lack - done, KINI_WITH_MOVERS);
        if (done < lack) done += kini_swept_push(world, meeting.i, n, lack - done, KINI_WITH_MOVERS);
        lack -= done;
        if (lack <= KINI_SHORTFALL * kini_skin_at(world, a->start.p)) return;
    }
    if (sa > sb) kini_push(world, meeting.i, meeting.j, kini_neg(n), lack);
    else if (sb > sa) kini_push(world, meeting.j, meeting.i, n, lack);
    else kini_part_equals(world, &meeting, lack);
}

/* Tests moved bodies against their neighbours until none moves, each at most KINI_MOST_TESTS times, four
   times as often if a mover drives it. A pair of which neither has moved since the other was tested is known. */
static void kini_run_queue(kin_world *world)
{
    while (world->queue.count > 0) {
        int32_t    row = kini_next_queued(world);
        kini_body *body = &world->bodies.at[row];
        int        k, count;
        if (body->tests <= (body->pushed_strength == KINI_STRENGTH_MOVER ? -3 * KINI_MOST_TESTS : 0)) continue;
        body->tests--;
        body->tested = ++world->turn;
        count = kini_path_neighbours(world, row);
        for (k = 0; k < count; k++) {
            const kini_body *other = &world->bodies.at[world->neighbours.at[k]];
            kini_meeting     meeting;
            if (other->tested > body->changed && other->tested > other->changed) continue;
            if (!kini_pair_solid(world, body->slot, other->slot)) continue;
            if (kini_paths_meet(world, row, world->neighbours.at[k], &meeting)) kini_resolve(world, meeting);
        }
    }
}

KINI_PART bool kini_withdraw_all(kin_world *world)
{
    int32_t i;
    bool    more = true, any = false;
    for (; more; any = any || more)
        for (more = false, i = 0; i < world->meetings.count; i++)
            if (kini_withdraw(world, &world->meetings.at[i])) more = true;
    return any;
}

/* ---- taking riders along ----------------------------------------------------------------------------------------- */

/* From where an idle rider is to its place on what it stands on. */
static kin_vec kini_way_home(const kin_world *world, const kini_body *body)
{
    const kini_thing *under = &world->things.at[body->stand.id.slot];
    return kini_sub(kini_to_world(kini_pose(under->p, under->q), body->stand.local), world->things.at[body->slot].p);
}

/* Takes a body along with what its ground moved beyond its carry, if more than `least`; an idle one keeps its place. */
static void kini_take_along(kin_world *world, int32_t row, float least)
{
    kini_body       *body = &world->bodies.at[row];
    const kini_body *ground = kini_carrier(world, body);
    kin_vec          way;
    bool             renew = (body->state & KINI_BODY_RENEW) != 0;
    if (ground == NULL) return;
    way = renew ? kini_way_along(world, body, ground) : kini_way_home(world, body);
    if (kini_len2(way) <= least * least) return;
    kini_note_drive(body, ground);
    kini_swept_way(world, row, kini_unit(way), way, KINI_WITH_MOVERS, NULL);
    kini_follow_up(world, row);   /* its ground may run into one that is held */
    if (!renew) body->state &= ~(uint32_t)KINI_BODY_RENEW;
}

/* A ground that was put back after that takes back idle riders that nothing else pushed. A rider that is kept from its
   place has a new one. True if it moved. */
static bool kini_take_back(kin_world *world, int32_t row)
{
    kini_body       *body = &world->bodies.at[row];
    const kini_body *ground = body->depth > 0 ? kini_carrier(world, body) : NULL;
    float            far = kini_far(body->start.p), least = KINI_LEAST_MOTION * world->desc.unit + far;
    kin_vec          home;
    bool             renew = (body->state & KINI_BODY_RENEW) != 0, pushed = body->pushed_by >= 0;
    if (ground == NULL || (renew && !kini_is_zero(body->own))) return false;
    if (renew && pushed && &world->bodies.at[body->pushed_by] != ground) return false;
    home = kini_add(body->path, kini_way_home(world, body));
    if (kini_len2(home) <= least * least) {   /* where it was there is room, though no sweep may come so near */
        bool moves = !kini_is_zero(body->path);
        if (moves) kini_set_path(world, row, kini_vec_zero());
        body->state &= ~(uint32_t)KINI_BODY_RENEW;
        return moves;
    }
    if (renew && !pushed) return false;
    body->state &= ~(uint32_t)KINI_BODY_RENEW;
    home = body->path;
    kini_take_along(world, row, least);
    least += KINI_FAR_ULPS * far;   /* rounding is no obstacle */
    if (kini_len2(kini_way_home(world, body)) > least * least) body->state |= KINI_BODY_RENEW;
    return !kini_is_zero(kini_sub(body->path, home));
}

static void kini_take_riders(kin_world *world)
{
    int32_t i, round;
    bool    any = true, again = true;   /* bodies whose pushes were undone are queued, and carried again */
    world->taken = true;
    for (round = 0; any && round < world->desc.max_rounds; round++) {
        for (i = 0; i < world->order.count && again; i++) {
            const kini_body *body = &world->bodies.at[world->order.at[i]];
            if (body->depth > 0 && (round == 0 || body->queued))
                kini_take_along(world, world->order.at[i], KINI_CARRIED * world->desc.unit);
        }
        kini_run_queue(world);
        any = again = kini_withdraw_all(world);
        for (i = 0; i < world->order.count; i++)
            if (kini_take_back(world, world->order.at[i])) any = true;
    }
    kini_run_queue(world);
}

/* ---- the stage --------------------------------------------------------------------------------------------------- */

static void kini_begin_pairs(kin_world *world)
{
    const size_t scratch = offsetof(kini_body, blocked);
    int32_t      i;
    world->queue_head = world->queue.count = world->meetings.count = world->asked = world->turn = 0;
    world->taken = false;
    for (i = 0; i < world->order.count; i++) {
        kini_body *body = &world->bodies.at[world->order.at[i]];
        float      on;
        kini_clear((char *)body + scratch, offsetof(kini_body, shed) - scratch);
        body->path = kini_sub(world->things.at[body->slot].p, body->start.p);
        body->own = kini_sub(body->path, body->carry);
        body->went = kini_len(kini_add(body->carry, body->own));
        on = kini_dot(kini_sub(body->own, body->wish), body->pushed);   /* that a mover pushed it in its sweep */
        if (body->pushed_strength == KINI_STRENGTH_MOVER && on > 0) body->pressed = kini_scale(body->pushed, on);
        body->tests = KINI_MOST_TESTS;
        if (!kini_is_zero(body->path) && kini_meets_bodies(world, body->slot)) kini_cover_path(world, body);
    }
}

/* Earlier meetings first; of equal ones by rank. */
static bool kini_meets_before(const kin_world *world, const kini_meeting *a, const kini_meeting *b)
{
    if (a->t < b->t || a->t > b->t) return a->t < b->t;
    if (a->i != b->i) return world->bodies.at[a->i].rank < world->bodies.at[b->i].rank;
    return world->bodies.at[a->j].rank < world->bodies.at[b->j].rank;
}

KINI_PART void kini_stage_pairs(kin_world *world)
{
    int32_t i, count;
    if (!kini_crowd_meets(world)) return;
    kini_begin_pairs(world);
    for (i = 0; i < world->order.count; i++)
        if (!kini_is_zero(world->bodies.at[world->order.at[i]].path)) kini_record(world, world->order.at[i]);
    KINI_SORT(kini_meeting, world->meetings.at, world->meetings.count, kini_meets_before(world, a, b));
    count = world->meetings.count;
    world->meetings.count = 0;
    for (i = 0; i < count; i++) kini_resolve(world, world->meetings.at[i]);
    kini_run_queue(world);
    for (i = 0; i < world->desc.max_rounds && kini_withdraw_all(world); i++) kini_run_queue(world);
    kini_take_riders(world);
}
