/* SPDX-License-Identifier: MIT OR Unlicense

   ground.c: stage 8. What does the body touch, and does it stand?

   The body stands on what stops it when it is moved down by the touch margin (or by its snap, if it stood before and
   does not move away). What merely lies beside a corner is no ground. Touching surfaces take the velocity that goes
   into them, and gaps are kept near the skin. */
#include "internal.h"

typedef struct kini_footing_search {
    kini_near *near;
    kini_body *body;
    int32_t    row;
    float      skin, touch, reach;    /* how far down a ground may be */
    kin_vec    down;                  /* reach along minus up */
    kin_vec    drift;                 /* velocity of the body, what carries it included */
    bool       found;
    bool       stable;
    float      drop;                  /* how far down the best one is, skin left */
    kini_impact best;
} kini_footing_search;

/* ---- touching ------------------------------------------------------------------------------------------------------ */

/* A corner beside a corner is near, but nothing presses there: a surface without rounding touches only with a face. */
static bool kini_faces(const kini_obstacle *o, kin_vec x, kin_vec normal, float gap)
{
    kin_vec face;
    float   t;
    if (o->radius > 0 || gap <= 0) return true;
    if (!kini_obstacle_ray(o, x, kini_scale(normal, -2 * gap - 1e-4f), &t, &face)) return false;
    return kini_dot(face, normal) > 0.999f;
}

static bool kini_touches(const kini_piece *piece, kin_vec x, float touch, kin_vec *normal, float *gap)
{
    const kini_obstacle *o = &piece->obstacle;
    kin_vec              off = kini_sub(kini_magnitudes(kini_sub(x, o->centre)), o->half);
    if (kini_largest(off) > o->radius + touch) return false;
    *gap = kini_obstacle_gap(o, x, normal);
    if (*gap > touch || !kini_faces(o, x, *normal, *gap)) return false;
    return !(piece->flags & KINI_ONE_WAY) || (piece->flags & KINI_SENSOR) || kini_one_way_blocks(piece, x, *normal, KINI_SLOP);
}

/* Moves by `way` as far as nothing is in the way. */
static kin_vec kini_nudged(kin_world *world, kini_near *near, kin_vec x, kin_vec way)
{
    kini_probe  probe;
    kini_impact impact;
    probe.x = x; probe.travel = way; probe.left = 0; probe.skin = 0; probe.frozen = true;
    if (kini_first_impact(world, near, &probe, &impact)) way = kini_scale(way, impact.t);
    return kini_add(x, way);
}

/* Too narrow a gap is opened to the skin, or to half of the room there is. */
static kin_vec kini_open_gap(kin_world *world, kini_near *near, kin_vec x, kin_vec normal, float gap, float skin)
{
    kini_probe  probe;
    kini_impact impact;
    float       room = 2 * skin - gap, want;
    probe.x = x; probe.travel = kini_scale(normal, room); probe.left = 0; probe.skin = 0; probe.frozen = true;
    if (kini_first_impact(world, near, &probe, &impact)) room *= impact.t;
    want = 0.5f * (room + gap) - gap;
    if (want <= 0.1f * skin) return x;
    return kini_madd(x, normal, kini_lesser(want, skin - gap));
}

/* Keeps gaps near the skin: opens narrow ones, closes those the body presses into. */
static void kini_keep_gaps(kin_world *world, kini_footing_search *s, kin_vec *x)
{
    float least = 0.5f * s->skin;
    bool  more;
    int   i;
    for (more = kini_near_first(world, s->near); more; more = kini_near_next(world, s->near))
        for (i = 0; i < s->near->count; i++) {
            kini_piece piece = world->pieces.at[i];
            kin_vec    normal, seen;
            float      gap;
            if ((piece.flags & KINI_SENSOR) || !kini_touches(&piece, *x, s->touch, &normal, &gap) || gap < -s->touch) continue;
            seen = kini_sub(s->drift, kini_velocity_at(world, piece.slot, s->near->origin));
            if (gap < least) *x = kini_open_gap(world, s->near, *x, normal, gap, s->skin);
            else if (gap > 1.5f * s->skin && kini_dot(seen, normal) < -1e-3f * world->desc.unit && kini_dot(normal, world->up) < s->body->options.max_slope_cos)
                *x = kini_nudged(world, s->near, *x, kini_scale(normal, s->skin - gap));
        }
}

/* ---- the ground under the feet -------------------------------------------------------------------------------- */

static bool kini_is_stable(const kin_world *world, const kini_body *body, kin_vec normal)
{
    return kini_dot(normal, world->up) >= body->options.max_slope_cos;
}

/* Is the thing itself below the middle of the body? Decides between grounds of equal height. */
static bool kini_under_centre(const kin_world *world, const kini_footing_search *s, const kini_piece *piece)
{
    const kini_thing *thing = &world->things.at[piece->slot];
    kini_solid        solid, point;
    kini_obstacle     o;
    kini_sum          sum;
    kin_vec           normal;
    float             t;
    if (thing->form != KINI_FORM_SHAPE) return true;
    kini_clear(&point, sizeof point);
    solid = kini_solid_of(world, thing);
    kini_obstacle_make(&o, &sum, &solid, kini_pose(kini_sub(thing->p, s->near->origin), thing->q), &point, kini_unturned());
    return kini_obstacle_ray(&o, kini_vec_zero(), kini_scale(world->up, -2 * s->near->solid.reach - s->reach), &t, &normal);
}

/* Of two grounds: the stable one, the nearer one, the one under the centre, the flatter one, the lower slot. */
static bool kini_better_ground(const kin_world *world, const kini_footing_search *s, const kini_impact *a, bool stable, float drop)
{
    bool  under_a, under_b;
    float rise_a = kini_dot(a->normal, world->up), rise_b = kini_dot(s->best.normal, world->up);
    if (!s->found || stable != s->stable) return !s->found || stable;
    if (kini_abs(drop - s->drop) > 0.5f * s->skin) return drop < s->drop;
    under_a = kini_under_centre(world, s, &a->piece);
    under_b = kini_under_centre(world, s, &s->best.piece);
    if (under_a != under_b) return under_a;
    if (kini_abs(rise_a - rise_b) > 1e-4f) return rise_a > rise_b;
    return a->piece.slot < s->best.piece.slot;
}

/* Moving away from a surface is not standing on it, however near. */
static bool kini_moves_off(const kin_world *world, const kini_footing_search *s, const kini_piece *piece)
{
    kin_vec seen = kini_sub(s->drift, kini_velocity_at(world, piece->slot, s->body->stand.point));
    if (s->body->jumps && piece->slot == s->body->last.id.slot) return true;
    if (piece->slot == s->body->last.id.slot && s->body->last.footing == KIN_STABLE) return false;
    seen = kini_sub(s->drift, kini_velocity_at(world, piece->slot, s->near->origin));
    return kini_dot(seen, world->up) > 1e-3f * world->desc.unit;
}

static void kini_consider_ground(kin_world *world, kini_footing_search *s, const kini_piece *piece, kin_vec x)
{
    kini_probe  probe;
    kini_impact impact;
    bool        stable;
    float       drop;
    probe.x = x; probe.travel = s->down; probe.left = 0; probe.skin = s->skin; probe.frozen = true;
    if (!kini_meet_piece(piece, &probe, &impact)) return;
    if (kini_dot(impact.normal, world->up) < 0.01f) return;
    drop = impact.t * s->reach;
    stable = kini_is_stable(world, s->body, impact.normal);
    if (!stable && drop > s->touch) return;
    if (kini_moves_off(world, s, piece)) return;
    impact.piece = *piece;
    if (!kini_better_ground(world, s, &impact, stable, drop)) return;
    s->best = impact;
    s->stable = stable;
    s->drop = drop;
    s->found = true;
}

static void kini_search_ground(kin_world *world, kini_footing_search *s, kin_vec x)
{
    bool more;
    int  i;
    s->found = false;
    s->down = kini_scale(world->up, -s->reach);
    for (more = kini_near_first(world, s->near); more; more = kini_near_next(world, s->near))
        for (i = 0; i < s->near->count; i++) {
            kini_piece piece = world->pieces.at[i];
            if (!(piece.flags & KINI_SENSOR)) kini_consider_ground(world, s, &piece, x);
        }
}

/* ---- support without stable ground ------------------------------------------------------------------------------- */

/* Steep sides that together leave no way down hold the body as well as flat ground. */
static bool kini_in_wedge(kin_world *world, kini_footing_search *s, kin_vec x)
{
    kini_plane planes[KINI_MAX_PLANES];
    kin_vec    fall = kini_neg(world->up), normal;
    float      gap, sine, cosine;
    bool       more;
    int        i, count = 0;
    for (more = kini_near_first(world, s->near); more; more = kini_near_next(world, s->near))
        for (i = 0; i < s->near->count && count < KINI_MAX_PLANES; i++) {
            const kini_piece *piece = &world->pieces.at[i];
            if ((piece->flags & KINI_SENSOR) || !kini_touches(piece, x, s->touch, &normal, &gap)) continue;
            if (kini_dot(normal, world->up) < 0.01f) continue;
            planes[count].normal = normal;
            planes[count++].push = 0;
        }
    if (count < 2) return false;
    kini_sine(s->body->options.max_slope, &sine, &cosine);
    return kini_clip(&fall, planes, count, 1) && kini_len(fall) <= sine;
}

/* A round foot on the edge of a step that it may climb: the step's top, a little further on, is what it stands on. */
static bool kini_on_step(kin_world *world, kini_footing_search *s, kin_vec x)
{
    float       lift = s->body->options.step_height;
    kin_vec     ahead = kini_unit(kini_across(s->best.normal, world->up));
    kini_probe  probe;
    kini_impact impact;
    if (!s->found || lift <= 0 || s->body->last.footing != KIN_STABLE || s->body->jumps) return false;
    probe.left = 0; probe.skin = s->skin; probe.frozen = true;
    probe.x = kini_madd(x, world->up, lift);
    probe.x = kini_madd(probe.x, ahead, -0.5f * s->near->solid.width);
    probe.travel = kini_scale(world->up, -lift - s->touch);
    return kini_first_impact(world, s->near, &probe, &impact) && impact.t > 0 && kini_is_stable(world, s->body, impact.normal);
}

/* ---- taking the stand -------------------------------------------------------------------------------------------- */

static void kini_take_stand(kin_world *world, kini_footing_search *s, kin_vec x, kin_footing footing, bool wedge)
{
    kini_body        *body = s->body;
    const kini_piece *piece = &s->best.piece;
    const kini_thing *ground = &world->things.at[piece->slot];
    kin_vec           p = kini_add(s->near->origin, x), normal;
    kin_id            id = kini_id_of(world, piece->slot);
    bool              same = kin_same(id, body->last.id) && body->last.footing == (uint8_t)footing;
    float             gap = kini_obstacle_gap(&piece->obstacle, x, &normal);
    body->stand = body->last;
    body->stand.id = id;
    body->stand.part = piece->part;
    body->stand.normal = s->best.normal;
    body->stand.footing = (uint8_t)footing;
    body->stand.wedge = wedge;
    if (!same || (body->state & KINI_BODY_RENEW)) body->stand.local = kini_to_local(kini_pose(ground->p, ground->q), p);
    kini_note(world, piece, s->row, s->best.normal, gap, 0, KINI_CONTACT_TOUCH | KINI_CONTACT_GROUND);
    body->stand.point = kini_add(p, kini_sub(kini_solid_support(&s->near->solid, s->near->turn, kini_neg(s->best.normal)), kini_scale(s->best.normal, s->near->solid.radius)));
    body->stand.velocity = kini_velocity_at(world, piece->slot, body->stand.point);
}

static void kini_fall_off(kin_world *world, kini_footing_search *s)
{
    kini_body *body = s->body;
    kin_vec    velocity = body->last.velocity;
    int32_t    row;
    kini_clear(&body->stand, sizeof body->stand);
    if (body->last.footing != KIN_STABLE || (body->state & KINI_BODY_TELEPORTED)) return;
    if (kini_is_live(world, body->last.id) && kini_takes_part(world, body->last.id.slot)) {
        velocity = kini_velocity_at(world, body->last.id.slot, body->last.point);
        row = kini_mover_row(world, &world->things.at[body->last.id.slot]);
        if (row >= 0 && world->movers.at[row].carry == KIN_CARRY_NONE) velocity = kini_vec_zero();
        if (row >= 0 && world->movers.at[row].carry == KIN_CARRY_ACROSS_GRAVITY) velocity = kini_across(velocity, world->up);
    }
    kini_leave_ground(world, body, velocity);
}

/* Comes down onto stable ground unless it already rests well. */
static void kini_come_down(kin_world *world, kini_footing_search *s, kin_vec *x)
{
    kin_vec normal;
    float   gap = kini_obstacle_gap(&s->best.piece.obstacle, *x, &normal);
    if (gap < 0.5f * s->skin || gap > 1.5f * s->skin) *x = kini_madd(*x, world->up, -s->drop);
}

static void kini_settle_footing(kin_world *world, kini_footing_search *s, kin_vec *x)
{
    kini_body *body = s->body;
    bool       wedge = false;
    if (s->found && s->stable) kini_come_down(world, s, x);
    if (s->found && !s->stable) wedge = kini_in_wedge(world, s, *x) || kini_on_step(world, s, *x);
    if (!s->found) { kini_fall_off(world, s); return; }
    if (!s->stable && !wedge && body->last.footing == KIN_STABLE) kini_fall_off(world, s);
    kini_take_stand(world, s, *x, s->stable || wedge ? KIN_STABLE : KIN_STEEP, wedge);
    if (body->stand.footing != KIN_STABLE) return;
    body->leftover = kini_vec_zero();
    body->velocity = kini_across(body->velocity, world->up);
}

/* ---- contacts at the end of the step --------------------------------------------------------------------------- */

static void kini_mark_side(const kin_world *world, kini_body *body, kin_vec normal)
{
    float rise = kini_dot(normal, world->up);
    if (kini_is_floating(world, body)) body->state |= KINI_BODY_ON_WALL;
    else if (rise < -0.7071f) body->state |= KINI_BODY_ON_CEILING;
    else if (rise < body->options.max_slope_cos) body->state |= KINI_BODY_ON_WALL;
}

/* Notes what the body touches, and takes from its velocity what goes into those surfaces. */
static void kini_touch_all(kin_world *world, kini_footing_search *s, kin_vec x)
{
    kini_slide rules;
    kin_vec    normal;
    float      gap;
    bool       more, floating = kini_is_floating(world, s->body);
    int        i;
    kini_clear(&rules, sizeof rules);
    if (!floating) { rules.up = world->up; rules.stable_cos = s->body->options.max_slope_cos; }
    for (more = kini_near_first(world, s->near); more; more = kini_near_next(world, s->near))
        for (i = 0; i < s->near->count; i++) {
            const kini_piece *piece = &world->pieces.at[i];
            kini_plane        plane;
            if (!kini_touches(piece, x, piece->flags & KINI_SENSOR ? 0 : s->touch, &normal, &gap)) continue;
            kini_note(world, piece, s->row, normal, gap, 0, KINI_CONTACT_TOUCH);
            if (piece->flags & KINI_SENSOR) continue;
            kini_mark_side(world, s->body, normal);
            if (!floating && kini_is_stable(world, s->body, normal)) continue;
            plane.normal = plane.surface = normal;
            plane.move = kini_sub(kini_velocity_at(world, piece->slot, s->near->origin), kini_sub(s->drift, kini_add(s->body->velocity, s->body->leftover)));
            plane.push = kini_lesser(kini_dot(plane.move, normal), 0);
            if (rules.count < KINI_MAX_PLANES) rules.planes[rules.count++] = plane;
        }
    for (i = 0; i < rules.count; i++) {
        kin_vec v = s->body->velocity;
        if (kini_dot(v, rules.planes[i].normal) >= rules.planes[i].push) continue;
        kini_respond(&rules, &rules.planes[i], &s->body->velocity, 1);
    }
    kini_clip(&s->body->velocity, rules.planes, rules.count, 1);
    kini_clip(&s->body->leftover, rules.planes, rules.count, 1);
}

KINI_PART void kini_find_ground(kin_world *world, kini_near *near, int32_t row, kin_vec *x)
{
    kini_footing_search s;
    kini_body          *body = &world->bodies.at[row];
    bool                stood = body->last.footing == KIN_STABLE && body->stand.footing == KIN_STABLE && !body->jumps;
    s.near = near; s.body = body; s.row = row;
    s.skin = kini_skin_at(world, near->origin);
    s.touch = kini_touch_at(world, near->origin);
    s.reach = stood ? kini_greater(body->options.snap, s.touch) : s.touch;
    s.drift = kini_madd(kini_add(body->velocity, body->leftover), body->carry, 1 / world->dt);
    s.found = s.stable = false;
    s.drop = 0;
    body->state &= ~(uint32_t)(KINI_BODY_ON_WALL | KINI_BODY_ON_CEILING);
    kini_keep_gaps(world, &s, x);
    if (!kini_is_floating(world, body)) {
        kini_search_ground(world, &s, *x);
        kini_settle_footing(world, &s, x);
    }
    kini_touch_all(world, &s, *x);
}
