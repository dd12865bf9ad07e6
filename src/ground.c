/* SPDX-License-Identifier: MIT OR Unlicense

   ground.c: stage 8, the contacts and the ground of a body.

   It stands on what stops it when it is moved down by the touch margin (or by its snap, if it stood before and does not
   move away), not on what merely lies beside a corner. Touching surfaces take the velocity that goes into them, and
   gaps are kept near the skin. */
#include "stages.h"

typedef struct kini_footing_search {
    kini_near *near;
    kini_body *body;
    int32_t    row;
    kin_vec    x;                     /* where the body is now */
    float      skin, touch, reach;    /* how far down a ground may be */
    kin_vec    down;                  /* reach along minus up */
    kin_vec    drift;                 /* velocity of the body, what carries it included */
    bool       moved;                 /* in this step: a body at rest is left alone */
    bool       stood;                 /* on stable ground, and does not jump */
    bool       found, stable, seam;
    bool       on_edge;               /* the best one is the edge of a step; it stands on the step's top */
    kin_vec    edge;                  /* the normal of that edge */
    float      drop;                  /* how far down the best one is, skin left */
    float      nearest;               /* ... and the nearest: in a knee it holds the body above the best */
    float      furthest;              /* how far down one may be */
    kin_vec    held[KINI_MAX_PLANES]; /* normals of surfaces that it was put back from while it moved against them */
    int        held_count;
    kini_impact best;
} kini_footing_search;

static bool kini_is_stable(const kini_body *body, kin_vec normal)
{
    return kini_dot(normal, body->up) >= body->stable_cos;
}

typedef struct kini_touched {
    kini_piece piece;
    kin_vec    normal;
    float      gap;
    kin_vec    face;   /* the normal of its nearest face, zero if it is round */
} kini_touched;

/* ---- touching ---------------------------------------------------------------------------------------------------- */

/* Without rounding, surfaces touch with a face, and with its normal: at a corner beside a corner nothing presses. */
static bool kini_meets_face(const kini_obstacle *o, kin_vec x, kin_vec *normal, float gap)
{
    kin_vec beside = *normal;
    float   t;
    if (o->radius > 0 || gap <= 0) return true;
    if (!kini_obstacle_ray(o, x, kini_scale(beside, -2 * gap - KINI_PAST_GAP), &t, normal)) return false;
    return kini_dot(beside, *normal) > KINI_SAME_NORMAL;
}

static bool kini_touches(const kini_piece *piece, kin_vec x, float touch, kin_vec *normal, float *gap)
{
    const kini_obstacle *o = &piece->obstacle;
    if (kini_is_apart(piece, x, touch)) return false;
    *gap = kini_obstacle_gap(o, x, normal);
    if (*gap > touch || !kini_meets_face(o, x, normal, *gap)) return false;
    if (*gap < 0) kini_inner_normal(piece, x, normal);
    if (kini_is_hidden(piece, *normal)) return false;
    return !(piece->flags & KINI_ONE_WAY) || (piece->flags & KINI_SENSOR) || kini_one_way_blocks(piece, x, *normal);
}

/* A surface that is near but not touched: it lies behind another one, the body has come out of a one-way by it, or it
   is the end of a passage's wall that the body passes without moving across. */
static bool kini_is_passed(kin_world *world, const kini_footing_search *s, int index, kin_vec normal, float gap)
{
    const kini_piece *piece = &world->pieces.at[index];
    if ((piece->flags & KINI_ONE_WAY) && !kini_one_way_blocks(piece, kini_start_seen(world, s->body, piece), normal))
        return true;
    return kini_is_covered(world, s->near, index, s->x, normal, gap) ||
           kini_fits(world, s->near, piece, s->x, normal, kini_scale(s->drift, KINI_SLOP / KINI_SLOW), NULL);
}

/* The edge that the body stands on was noted as its ground, and is no wall. */
static bool kini_is_footing(const kini_footing_search *s, const kini_piece *piece, kin_vec normal)
{
    return s->on_edge && piece->slot == s->best.piece.slot && kini_dot(normal, s->edge) > KINI_SAME_EDGE;
}

/* The surfaces that a body at x touches. `notes` the contacts of sensors, and of those that are too many. */
static int kini_list_touched(kin_world *world, const kini_footing_search *s, bool notes, kini_touched *list)
{
    kin_vec normal;
    float   gap;
    bool    more, sensor;
    int     i, count = 0;
    for (more = kini_near_first(world, s->near); more; more = kini_near_next(world, s->near))
        for (i = 0; i < s->near->count; i++) {
            const kini_piece *piece = &world->pieces.at[i];
            sensor = (piece->flags & KINI_SENSOR) != 0;
            if (!kini_touches(piece, s->x, sensor ? 0 : s->touch, &normal, &gap)) continue;
            if (s->body->options.step_height > 0 && kini_is_footing(s, piece, normal)) continue;
            if (!sensor && kini_is_passed(world, s, i, normal, gap)) continue;
            if (sensor || count == KINI_MAX_TOUCHED) {
                if (notes) kini_note(world, piece, s->row, normal, gap, 0, KINI_CONTACT_TOUCH);
                continue;
            }
            list[count].normal = normal;
            list[count].gap = gap;
            list[count].face = kini_nearest_face(world, i, normal);
            list[count++].piece = *piece;
        }
    return count;
}

/* Does the gap shrink in that time, about as fast as the velocity goes into the surface? */
static bool kini_nears(const kini_touched *it, kin_vec x, kin_vec velocity, float time, float into)
{
    kin_vec normal;
    return it->gap - kini_obstacle_gap(&it->piece.obstacle, kini_madd(x, velocity, time), &normal) > 0.5f * time * into;
}

/* Does motion at this velocity lead into the surface, and not only past its corner? The sweep decides; where it would
   be longer than half a unit, whether the gap shrinks on that way, or at least at its start. */
static bool kini_leads_into(const kin_world *world, const kini_touched *it, kin_vec x, kin_vec velocity, float slow)
{
    const kini_obstacle *o = &it->piece.obstacle;
    float                into = -kini_dot(velocity, it->normal), time, most, t;
    kin_vec              met;
    if (into <= slow) return false;
    if (it->gap <= 0) return true;
    time = 2 * it->gap / into;
    most = KINI_LOOK_AHEAD * world->desc.unit / kini_len(velocity);
    if (kini_obstacle_ray(o, x, kini_scale(velocity, kini_lesser(time, most)), &t, &met)) return true;
    return most < time && (kini_nears(it, x, velocity, most, into) ||
                           kini_nears(it, x, velocity, KINI_LOOK_AGAIN * most, into));
}

/* How fast a thing moves there where the body touches it with this normal. */
static kin_vec kini_rate_there(const kin_world *world, const kini_footing_search *s, uint32_t slot, kin_vec normal)
{
    int32_t row = kini_mover_row(world, &world->things.at[slot]);
    kin_vec half, at = kini_add(s->near->origin, s->x);
    if (row >= 0 && kini_spins(world->movers.at[row].turn_rate))
        at = kini_foot(&s->near->solid, kini_pose(at, s->near->turn), normal, &half);
    return kini_rate_at(world, slot, at);
}

static kin_vec kini_drift_seen(const kin_world *world, const kini_footing_search *s, const kini_touched *it)
{
    return kini_sub(s->drift, kini_rate_there(world, s, it->piece.slot, it->normal));
}

static bool kini_presses(const kin_world *world, const kini_footing_search *s, const kini_touched *it)
{
    return kini_leads_into(world, it, s->x, kini_drift_seen(world, s, it), KINI_SLOW * world->desc.unit);
}

/* Puts a body that has come too near a surface back to its skin, or by half of the room there is: off the edge that it
   rolls over as off the step's top, so that it loses no way. One that moves against it is held by it as if it was hit
   in the sweep. */
static void kini_hold_off(kin_world *world, kini_footing_search *s, const kini_touched *it)
{
    const kini_stand *stand = &s->body->stand;
    kin_vec           out = it->normal;
    float             room = 2 * s->skin - it->gap, want, lean = kini_dot(it->normal, stand->normal);
    if (kini_near_is_spent(s->near)) return;
    if (s->stood && stand->support == KINI_ON_EDGE && it->piece.slot == stand->id.slot && lean > KINI_MOSTLY)
        out = kini_scale(stand->normal, 1 / lean);
    room *= kini_free_part(world, s->near, s->x, kini_scale(out, room));
    want = kini_lesser(0.5f * (room + it->gap) - it->gap, room);
    if (want <= KINI_LEAST_LIFT * s->skin) return;
    s->x = kini_madd(s->x, out, kini_lesser(want, s->skin - it->gap));
    if (s->held_count < KINI_MAX_PLANES && kini_dot(kini_drift_seen(world, s, it), it->normal) < 0)
        s->held[s->held_count++] = it->normal;
}

/* Did the sweep run into this surface? Then the body was held by it, though it may have gone on over a crest. */
static bool kini_was_hit(const kin_world *world, const kini_footing_search *s, uint32_t slot, kin_vec normal)
{
    const kini_contact *list = kini_contacts_of(world, s->row);
    int32_t             i;
    for (i = 0; i < s->body->contact_count; i++)
        if (list[i].other.slot == slot && (list[i].flags & KINI_CONTACT_HIT) &&
            kini_dot(list[i].normal, normal) > KINI_SAME_SIDE)
            return true;
    return false;
}

/* A step that the body may climb, and has not failed to in this step, takes no velocity. */
static bool kini_may_climb(const kin_world *world, const kini_footing_search *s, const kini_touched *it)
{
    float step = s->body->options.step_height;
    if (step <= 0 || it->gap <= it->piece.slop || s->body->stand.footing != KIN_STABLE) return false;
    if (kini_was_hit(world, s, it->piece.slot, it->normal)) return false;
    return kini_obstacle_extent(&it->piece.obstacle, s->body->up) - kini_dot(s->x, s->body->up) <= step + s->skin;
}

/* Keeps gaps near the skin: opens narrow ones, at rest only that to the ground, and closes the nearest of those the
   body presses into, unless another body pushed it there: rows have no gaps. */
static void kini_keep_gaps(kin_world *world, kini_footing_search *s)
{
    kini_touched it;
    kin_vec      nearest = kini_vec_zero();
    float        least = s->touch;
    bool         more, floats = kini_is_floating(world, s->body);
    int          i;
    s->near->within = 0;
    for (more = kini_near_first(world, s->near); more; more = kini_near_next(world, s->near))
        for (i = 0; i < s->near->count; i++) {
            const kini_piece *at = &world->pieces.at[i];
            if (at->flags & (KINI_SENSOR | KINI_PIECE_BODY)) continue;
            if (!kini_touches(at, s->x, s->touch, &it.normal, &it.gap) || it.gap < -s->touch) continue;
            if (kini_is_passed(world, s, i, it.normal, it.gap)) continue;
            it.piece = *at;   /* opening the gap searches again */
            if (it.gap < 0.5f * s->skin && (s->moved || (!floats && kini_is_stable(s->body, it.normal))))
                kini_hold_off(world, s, &it);
            if (it.gap > least || !kini_presses(world, s, &it) || kini_may_climb(world, s, &it)) continue;
            least = it.gap;
            nearest = it.normal;
        }
    if (least <= KINI_PRESSED_GAP * s->skin || kini_is_zero(nearest) || s->body->pushed_by >= 0) return;
    if (kini_dot(s->body->velocity, nearest) >= 0) return;   /* it has to press itself, not only what comes */
    if (!floats && kini_is_stable(s->body, nearest)) return;
    nearest = kini_scale(nearest, s->skin - least);
    s->x = kini_madd(s->x, nearest, kini_free_part(world, s->near, s->x, nearest));
}

/* A head that comes near a corner is stopped by it as if it had hit it; so it slips past it here too. */
static void kini_slip_past(kin_world *world, kini_footing_search *s)
{
    kin_vec      v = kini_scale(s->drift, world->dt);
    kini_touched list[KINI_MAX_TOUCHED];
    kini_impact  above;
    kini_slide   slide;
    int          i, count;
    if (s->body->options.corner_nudge <= 0 || kini_is_floating(world, s->body)) return;
    count = kini_list_touched(world, s, false, list);
    for (i = 0; i < count; i++)
        if (!(list[i].piece.flags & KINI_PIECE_BODY) && kini_dot(list[i].normal, s->body->up) < 0 &&
            kini_presses(world, s, &list[i]))
            break;
    if (i == count) return;
    above.piece = list[i].piece;
    above.normal = list[i].normal;
    kini_slide_rules(world, s->body, &slide);
    slide.bodies = true;
    slide.x = s->x;
    kini_near_cover(world, s->near, s->x, v, 2 * s->skin + slide.nudge);
    if (kini_nudge(world, s->near, &slide, &above, v, 1)) s->x = slide.x;
}

/* ---- the ground under the feet -------------------------------------------------------------------------------- */

/* Is the thing itself below the middle of the body? Decides between grounds of equal height. */
static bool kini_under_centre(const kin_world *world, const kini_footing_search *s, const kini_piece *piece)
{
    kini_solid point;
    kin_hit    hit;
    kini_clear(&point, sizeof point);
    return kini_thing_cast(world, piece->slot, &point, kini_pose(s->near->origin, kini_unturned()),
                           kini_scale(s->body->up, -2 * s->near->solid.reach - s->reach), &hit);
}

/* How far from the middle of the body, across up, it is touched. */
static float kini_off_centre(const kin_world *world, const kini_footing_search *s, const kini_impact *impact)
{
    int32_t part = kini_touched_part(world, s->body->slot, impact->piece.slot, impact->piece.part, impact->normal);
    kin_vec point = kini_meeting_point(world, s->body->slot, impact->piece.slot, part, impact->normal);
    return kini_len2(kini_across(kini_sub(point, s->near->origin), s->body->up));
}

/* Of two grounds: a face before the edge of its neighbour, the stable one, the nearer one, the one under the centre,
   the flatter one, the one touched nearer to the centre, the lower slot. */
static bool kini_better_ground(const kin_world *world, const kini_footing_search *s, const kini_impact *a,
                               bool stable, bool seam, float drop)
{
    bool  under_a, same = a->piece.slot == s->best.piece.slot;
    float off = 0, slack = KINI_SAME_PLACE2 * world->desc.unit * world->desc.unit;
    float lean = kini_len2(kini_across(a->normal, s->body->up)) - kini_len2(kini_across(s->best.normal, s->body->up));
    float rise_a = kini_dot(a->normal, s->body->up), rise_b = kini_dot(s->best.normal, s->body->up);
    if (!s->found) return true;
    if (seam != s->seam && a->edge != s->best.edge && kini_abs(drop - s->drop) <= s->touch) return s->seam;
    if (stable != s->stable) return stable;
    if (kini_abs(drop - s->drop) > (same ? KINI_SAME_HEIGHT * world->desc.unit : 0.5f * s->skin)) return drop < s->drop;
    if (same || (a->piece.flags & s->best.piece.flags & KINI_PIECE_BODY))
        off = kini_off_centre(world, s, a) - kini_off_centre(world, s, &s->best);
    if (same && kini_abs(off) > slack) return off < 0;
    if (same) return lean < 0 || (!(lean > 0) && drop < s->drop);
    under_a = kini_under_centre(world, s, &a->piece);
    if (under_a != kini_under_centre(world, s, &s->best.piece)) return under_a;
    if (kini_abs(rise_a - rise_b) > KINI_FAINT) return rise_a > rise_b;
    return kini_abs(off) > slack ? off < 0 : a->piece.slot < s->best.piece.slot;
}

/* Moving away from a surface is not standing on it, however near. A body that stood may follow its ground's shape as
   far as it snaps or steps, and is seen from the mover that carries it: only what it goes along up counts, for along
   itself a surface may run. An idle one is not moved off by its ground. */
static bool kini_moves_off(const kin_world *world, const kini_footing_search *s, uint32_t slot, kin_vec normal)
{
    const kini_body *body = s->body;
    bool             own = slot == body->last.id.slot && body->last.footing == KIN_STABLE;
    kin_vec          rate, seen;
    float            rise = kini_dot(body->velocity, body->up), slow = KINI_SLOW * world->desc.unit;
    if (!own) {
        rate = kini_rate_there(world, s, slot, normal);
        if (s->stood && kini_is_live(world, body->last.id) &&
            kini_mover_row(world, &world->things.at[body->last.id.slot]) >= 0)
            rate = kini_madd(rate, body->carry, -1 / world->dt);
        rise = s->stood ? rise - kini_dot(rate, normal) * kini_dot(normal, body->up)
                        : kini_dot(kini_sub(kini_add(body->velocity, body->leftover), rate), normal);
        slow += KINI_RATE_ERROR * kini_len(rate) + KINI_SLOW * kini_len(body->velocity);
    }
    if (body->jumps && own) return true;
    if (rise > slow && !(body->land_speed > 0)) return true;   /* a landing has made it relative already */
    if (body->options.bounce > 0 && -rise > kini_least_bounce(world, body)) return true;   /* it is about to bounce */
    if (s->stood && own && kini_is_zero(body->wish)) return false;
    if (s->stood && (body->options.snap > 0 || body->options.step_height > 0)) return false;
    if (kini_was_hit(world, s, slot, normal)) return false;
    seen = kini_sub(s->near->origin, body->start.p);   /* without what stages 7 and 8 have put right */
    seen = kini_sub(kini_scale(seen, 1 / world->dt), kini_rate_there(world, s, slot, normal));
    return kini_dot(seen, normal) > KINI_NEGLIGIBLE * (world->desc.unit + kini_len(seen));
}

/* A body bears others while it stands itself, or floats; one in the air pushes but does not carry. Of two that could
   each stand on the other, by their own gravities, the lower slot is the ground. */
static bool kini_bears(const kin_world *world, const kini_body *body, const kini_piece *piece, kin_vec normal)
{
    const kini_body *other;
    if (!(piece->flags & KINI_PIECE_BODY)) return true;
    other = &world->bodies.at[world->things.at[piece->slot].row];
    if (kini_is_floating(world, other)) return true;
    return kini_stands(other) && (piece->slot < body->slot || !kini_is_stable(other, kini_neg(normal)));
}

/* Stable ground stops the body on its way down, steep ground is what it touches; what is steeper still is a wall. */
static bool kini_meet_below(const kini_footing_search *s, const kini_piece *piece, kini_impact *out)
{
    kini_probe probe = kini_probe_still(s->x, s->down, s->skin);
    float      gap;
    if (kini_meet_piece(piece, &probe, out) && kini_is_stable(s->body, out->normal))
        return out->depth <= s->touch;
    if (!kini_touches(piece, s->x, s->touch, &out->normal, &gap) || gap < -s->touch) return false;
    out->t = out->touch = 0;
    out->depth = kini_greater(-gap, 0);
    return kini_dot(out->normal, s->body->up) >= KINI_WALL_COS && !kini_is_stable(s->body, out->normal);
}

static void kini_consider_ground(kin_world *world, kini_footing_search *s, int index)
{
    const kini_piece *piece = &world->pieces.at[index];
    kini_impact       impact;
    bool              stable, seam;   /* an edge in the surface beside it, as where two boxes of a slope meet */
    float             drop, gap = 0;
    kin_vec           normal = kini_vec_zero();
    if (!kini_meet_below(s, piece, &impact) || !kini_bears(world, s->body, piece, impact.normal)) return;
    drop = impact.t * s->reach;
    stable = kini_is_stable(s->body, impact.normal);
    if (drop > s->furthest || kini_moves_off(world, s, piece->slot, impact.normal)) return;
    if (kini_fits(world, s->near, piece, s->x, impact.normal, kini_scale(s->drift, world->dt), NULL)) return;
    impact.edge = s->near->count > 1 && kini_is_edge_normal(world, index, impact.normal);
    if (impact.edge) gap = kini_obstacle_gap(&piece->obstacle, s->x, &normal);
    seam = impact.edge && kini_is_covered(world, s->near, index, s->x, normal, gap);
    if (seam && !stable) return;   /* the surface keeps the body from touching it */
    s->nearest = kini_lesser(s->nearest, drop);
    impact.piece = *piece;
    if (!kini_better_ground(world, s, &impact, stable, seam, drop)) return;
    s->best = impact;
    s->seam = seam;
    s->stable = stable;
    s->drop = drop;
    s->found = true;
}

static bool kini_first_below(kin_world *world, const kini_footing_search *s, kini_impact *first)
{
    kini_probe probe = kini_probe_still(s->x, s->down, s->skin);
    return kini_first_impact(world, s->near, &probe, first);
}

/* Is there stable ground straight below, no deeper than that? */
static bool kini_has_floor(kin_world *world, kini_footing_search *s, float reach, float furthest)
{
    bool more;
    int  i;
    s->reach = reach;
    s->down = kini_scale(s->body->up, -reach);
    s->furthest = furthest;
    s->found = false;
    s->nearest = KINI_FLT_MAX;
    for (more = kini_near_first(world, s->near); more; more = kini_near_next(world, s->near))
        for (i = 0; i < s->near->count; i++)
            if (!(world->pieces.at[i].flags & KINI_SENSOR)) kini_consider_ground(world, s, i);
    return s->found && s->stable;
}

/* Ground that falls further than a walker snaps is followed too if it goes on without a drop edge: its plane, where the
   walker began its way, is no deeper than the snap. */
static void kini_search_downhill(kin_world *world, kini_footing_search *s)
{
    kin_vec             way = kini_sub(s->x, kini_sub(kini_add(s->body->start.p, s->body->carry), s->near->origin));
    float               snap = kini_snap(s->body), sine, cosine, rise;
    kini_footing_search below = *s;
    if (!s->stood || !(snap > 0) || kini_is_zero(s->body->wish)) return;
    kini_sine(s->body->options.max_slope, &sine, &cosine);
    snap += s->touch;
    rise = kini_len(kini_across(way, s->body->up)) * sine / kini_greater(cosine, KINI_HARDLY);
    kini_near_cover(world, s->near, s->x, kini_scale(s->body->up, -snap - rise), 2 * s->touch);
    if (!kini_has_floor(world, &below, snap + rise, KINI_FLT_MAX)) return;
    rise = kini_dot(kini_across(way, s->body->up), below.best.normal) / kini_dot(below.best.normal, s->body->up);
    if (below.drop - kini_dot(way, s->body->up) <= rise + snap) *s = below;
}

/* A round foot that rolls over the edge of a step, up or down, stands on the step's top until it reaches the floor
   below, however steep the edge is under it. Where there is no such floor the edge is steep ground like any other. */
static void kini_stand_on_edge(kin_world *world, kini_footing_search *s)
{
    kini_footing_search below = *s;
    kini_impact         first;
    kin_vec             normal, place, touch;
    float               drop;
    if (!s->stood) return;
    if (s->found && s->stable) {
        if (!s->best.edge || s->body->options.step_height <= 0) return;
        first = s->best;
    } else if (!kini_first_below(world, s, &first) || kini_is_stable(s->body, first.normal)) return;
    drop = first.t * s->reach;
    if (first.depth > s->touch || kini_moves_off(world, s, first.piece.slot, first.normal)) return;
    touch = kini_madd(s->x, s->body->up, -first.touch * s->reach);   /* of a steep edge far below where its skin is */
    if (!kini_on_tread(world, s->near, touch, &first, s->body->stable_cos, &normal, &place)) return;
    if (!kini_is_stable(s->body, first.normal) &&
        !kini_has_floor(world, &below, kini_greater(s->reach, s->body->options.step_height), KINI_FLT_MAX)) return;
    s->on_edge = true;
    s->edge = first.normal;
    s->best = first;
    s->best.normal = normal;
    s->drop = s->nearest = drop;
    s->found = s->stable = true;
}

/* A side of the level that is as steep as a wall may be one of a wedge all the same: of those touched the flattest. */
static void kini_search_sides(kin_world *world, kini_footing_search *s)
{
    kini_touched list[KINI_MAX_TOUCHED];
    float        rise, flattest = KINI_SIDEWAYS;
    int          i, count = kini_list_touched(world, s, false, list);
    for (i = 0; i < count; i++) {
        rise = kini_dot(list[i].normal, s->body->up);
        if ((list[i].piece.flags & (KINI_PIECE_BODY | KINI_PIECE_MOVER)) || rise <= flattest) continue;
        if (rise >= s->body->stable_cos) continue;
        if (kini_moves_off(world, s, list[i].piece.slot, list[i].normal)) continue;
        flattest = rise;
        s->best.piece = list[i].piece;
        s->best.normal = list[i].normal;
        s->found = true;
    }
    s->stable = false;
}

/* Stable ground is no use if something steep holds the body above it. */
static void kini_search_ground(kin_world *world, kini_footing_search *s)
{
    kini_impact first;
    s->on_edge = false;
    kini_has_floor(world, s, s->reach, KINI_FLT_MAX);
    if (!s->found) kini_search_downhill(world, s);
    if (s->found && s->drop > s->skin && !(s->near->whole && s->near->count == 1) &&
        kini_first_below(world, s, &first) && first.t * s->reach + s->skin < s->drop)
        kini_has_floor(world, s, s->reach, first.t * s->reach + s->skin);
    kini_stand_on_edge(world, s);
    if (!s->found) kini_search_sides(world, s);
}

/* ---- support without stable ground ------------------------------------------------------------------------------- */

/* A side that is itself a body holds only one that cannot push it away: it bears it, and is no weaker. */
static bool kini_side_holds(const kin_world *world, const kini_body *body, const kini_touched *it)
{
    const kini_body *side;
    if (!(it->piece.flags & KINI_PIECE_BODY)) return true;
    side = &world->bodies.at[world->things.at[it->piece.slot].row];
    if (!kini_stands(side) && !kini_is_floating(world, side)) return false;
    return side->options.push == KIN_UNPUSHABLE || body->options.push == KIN_PUSHABLE;
}

/* Steep sides that together leave no way down hold the body as well as flat ground. One that came down met them one by
   one, and may have been turned by one against another. */
static bool kini_in_wedge(kin_world *world, kini_footing_search *s, bool came_down)
{
    kini_plane   planes[KINI_MAX_PLANES];
    kini_touched list[KINI_MAX_TOUCHED];
    kin_vec      fall = kini_neg(s->body->up);
    float        pull = kini_len(kini_gravity_of(world, s->body)) * kini_abs(s->body->options.gravity_scale);
    float        sine, cosine;
    /* Moved no further than a step of gravity takes it from rest, it sinks into a crack, leaving neither side. */
    float        most = KINI_SINKING * pull * world->dt * world->dt;
    bool         sank = kini_len(kini_sub(s->near->origin, s->body->start.p)) <= most;
    int          i, sides = 0, count = kini_list_touched(world, s, false, list);
    for (i = 0; i < count && sides < KINI_MAX_PLANES; i++) {
        if (!kini_side_holds(world, s->body, &list[i])) continue;
        if (!sank && kini_moves_off(world, s, list[i].piece.slot, list[i].normal)) continue;
        planes[sides].normal = list[i].normal;
        planes[sides].push = 0;
        planes[sides].flags = list[i].piece.flags;
        list[sides++] = list[i];
    }
    if (sides < 2) return false;
    kini_sine(s->body->options.max_slope, &sine, &cosine);
    if (!kini_clip(&fall, planes, sides, 1) || kini_len(fall) > sine) return false;
    for (i = 0; i < sides; i++)
        kini_note(world, &list[i].piece, s->row, list[i].normal, list[i].gap, 0, KINI_CONTACT_TOUCH);
    if (came_down && !kini_clip(&s->body->velocity, planes, sides, 1)) s->body->velocity = kini_vec_zero();
    return true;
}

/* ---- taking the stand -------------------------------------------------------------------------------------------- */

static void kini_take_stand(kin_world *world, kini_footing_search *s, kin_footing footing, bool wedge)
{
    kini_body        *body = s->body;
    const kini_piece *piece = &s->best.piece;
    const kini_thing *ground = &world->things.at[piece->slot];
    kini_kept        *kept = &world->kept.at[s->row];
    kin_pose          at = kini_pose(kini_add(s->near->origin, s->x), s->near->turn);
    kin_vec           other;
    kin_id            id = kini_id_of(world, piece->slot);
    bool              same = kin_same(id, body->stand.id) && body->stand.footing == (uint8_t)footing;
    float             gap = kini_obstacle_gap(&piece->obstacle, s->x, &other);
    kept->gap = gap;
    kept->level = kini_is_zero(s->x) && kini_is_zero(kini_sub(other, body->up)) ? kini_dot(at.p, body->up)
                                                                                : KINI_FLT_MAX;
    body->stand.id = id;
    body->stand.normal = s->best.normal;
    body->stand.footing = (uint8_t)footing;
    body->stand.support = wedge ? KINI_IN_WEDGE : s->on_edge ? KINI_ON_EDGE : KINI_ON_FACE;
    if (!same || (body->state & KINI_BODY_RENEW))   /* one that is pressed into its ground has its place on top of it */
        body->stand.local = kini_to_local(kini_carrier_pose(world, ground),
                                          kini_madd(at.p, s->best.normal, kini_greater(-gap, 0)));
    body->stand.part = kini_note(world, piece, s->row, s->best.normal, gap, 0,
                                 KINI_CONTACT_TOUCH | KINI_CONTACT_GROUND);
    body->stand.point = ground->form == KINI_FORM_SHAPE   /* the middle of what they share */
                            ? kini_point_on(world, piece->slot, -1, &s->near->solid, at, s->best.normal)
                            : kini_foot(&s->near->solid, at, s->best.normal, &other);
    body->stand.velocity = kini_velocity_at(world, piece->slot, body->stand.part, body->stand.point);
}

/* Motion of the ground along a push is part of the push if that is a mover's, or if the ground is a body that was
   pushed away under this one; but one that pushes on a ground rides on it too. */
static void kini_fall_off(kin_world *world, kini_footing_search *s)
{
    kini_body *body = s->body;
    kin_vec    velocity = body->last.velocity;
    int32_t    row;
    bool       rode = body->stand.footing == KIN_STABLE;   /* until now; a physical rider may have left in stage 3 */
    bool       lives = kini_is_live(world, body->last.id);
    kini_stand_nowhere(body);
    if (!rode) return;
    if (lives && kini_takes_part(world, body->last.id.slot)) {
        row = kini_mover_row(world, &world->things.at[body->last.id.slot]);
        velocity = kini_velocity_at(world, body->last.id.slot, body->last.part,
                                    kini_point_now(world, body->last.id.slot, body->last.point));
        if (row >= 0 && world->movers.at[row].carry == KIN_CARRY_NONE) velocity = kini_vec_zero();
        if (row >= 0 && world->movers.at[row].carry == KIN_CARRY_ACROSS_GRAVITY)
            velocity = kini_across(velocity, body->up);
    }
    if (body->pushed_strength >= KINI_STRENGTH_MOVER ||
        (body->pushed_strength > 0 && lives && world->things.at[body->last.id.slot].kind == KIN_BODY))
        velocity = kini_across(velocity, body->pushed);
    kini_leave_ground(body, velocity);
}

/* Would a one-way hold a body there that came over its corner in this step? */
static bool kini_held_up(kin_world *world, const kini_footing_search *s, kin_vec there)
{
    kin_vec normal;
    bool    more;
    int     i;
    for (more = kini_near_first(world, s->near); more; more = kini_near_next(world, s->near))
        for (i = 0; i < s->near->count; i++) {
            const kini_piece *piece = &world->pieces.at[i];
            if (!(piece->flags & KINI_ONE_WAY) || (piece->flags & KINI_SENSOR)) continue;
            if (kini_is_apart(piece, there, 0) || kini_obstacle_gap(&piece->obstacle, there, &normal) >= 0) continue;
            if (kini_one_way_holds(piece, kini_start_seen(world, s->body, piece), there, piece->one_way)) return true;
        }
    return false;
}

/* Comes down onto stable ground unless it rests well: rounding makes gaps of long walks drift. True if it moved. */
static bool kini_come_down(kin_world *world, kini_footing_search *s)
{
    kin_vec normal, down = kini_madd(s->x, s->body->up, -s->nearest);
    float   gap = kini_obstacle_gap(&s->best.piece.obstacle, s->x, &normal);
    if (gap - s->skin <= kini_rest_slack(world, s->skin) || !(s->nearest > 0)) return false;
    if (kini_held_up(world, s, down)) return false;
    s->x = down;
    if (s->nearest > s->touch) s->body->state |= KINI_BODY_RENEW;   /* its place on a turning ground is too far off */
    return true;
}

/* Following the ground over a crest or a knee changes how far the body gets in this step: a walker whose speed is
   along the surface gives the excess back, or walks on. A ledge, steeper than any slope it walks, costs nothing. */
static void kini_keep_pace(kin_world *world, kini_footing_search *s, kin_vec before)
{
    kin_vec    from = kini_sub(kini_add(s->body->start.p, s->body->carry), s->near->origin);
    kin_vec    went = kini_sub(before, from);
    float      length = kini_len(went), now = kini_len(kini_sub(s->x, from));
    kini_slide slide;
    if (!s->stood || s->body->options.slope == KIN_SLOPE_HORIZONTAL_SPEED) return;
    if (kini_is_zero(s->body->wish) || !(length > 0) || kini_abs(now - length) < KINI_NEGLIGIBLE * length) return;
    if (kini_dot(kini_sub(before, s->x), s->body->up) * s->body->stable_cos >
        kini_len(kini_across(went, s->body->up)) + s->skin)
        return;
    if (now > length) {
        kin_vec back = kini_scale(went, length / now - 1);
        kini_near_cover(world, s->near, before, back, 2 * s->skin);
        s->x = kini_madd(before, back, kini_free_part(world, s->near, before, back));
    } else {
        kini_slide_rules(world, s->body, &slide);
        slide.ground = s->best.normal;
        slide.bodies = true;
        slide.x = s->x;
        slide.travel = kini_scale(kini_unit(kini_across(went, s->body->up)), length - now);
        kini_slide_run(world, s->near, &slide);
        s->x = slide.x;
    }
    kini_near_cover(world, s->near, s->x, s->down, 2 * s->touch);
    kini_search_ground(world, s);
    if (s->found && s->stable) kini_come_down(world, s);
}

/* How fast it came down: the sweep knows if it hit, pairs know if that is a body; else it has only come near enough. */
static void kini_land(const kin_world *world, kini_footing_search *s)
{
    kini_body          *body = s->body;
    const kini_contact *list = kini_contacts_of(world, s->row);
    kin_vec             seen = kini_sub(kini_add(body->velocity, body->leftover), body->stand.velocity);
    int32_t             i;
    body->land_speed = kini_greater(body->land_speed, -kini_dot(seen, body->stand.normal));
    for (i = 0; i < body->contact_count; i++)
        if (kin_same(list[i].other, body->stand.id)) body->land_speed = kini_greater(body->land_speed, list[i].speed);
}

KINI_PART void kini_stay(kini_body *body)
{
    body->leftover = kini_vec_zero();
    body->velocity = kini_flat(body->velocity, body->up);
    if (!kini_is_zero(body->given)) body->given = kini_flat(body->given, body->up);   /* so that it is shed whole */
}

static void kini_settle_footing(kin_world *world, kini_footing_search *s)
{
    kini_body *body = s->body;
    kin_vec    before = s->x;
    bool       wedge = false;
    if (s->found && s->stable && kini_come_down(world, s)) {
        kini_keep_pace(world, s, before);
        if (!s->near->whole || s->near->count > 1)   /* straight above the only piece it met that there, too */
            kini_search_ground(world, s);            /* its normal is that of where it came to stand */
    }
    if (s->found && !s->stable) wedge = kini_in_wedge(world, s, body->last.footing != KIN_STABLE);
    s->found = s->found && (s->stable || wedge || kini_dot(s->best.normal, body->up) >= KINI_WALL_COS);
    if (!s->found || (!s->stable && !wedge && body->last.footing == KIN_STABLE)) kini_fall_off(world, s);
    if (!s->found) return;
    kini_take_stand(world, s, s->stable || wedge ? KIN_STABLE : KIN_STEEP, wedge);
    if (body->stand.footing != KIN_STABLE) return;
    if (body->last.footing != KIN_STABLE) kini_land(world, s);
    kini_stay(body);
}

/* ---- contacts at the end of the step --------------------------------------------------------------------------- */

/* Is it a wall of a passage as wide as the body? */
static bool kini_is_fitted(const kini_touched *list, int count, int which)
{
    int i;
    for (i = 0; i < count; i++)
        if (!((list[i].piece.flags | list[which].piece.flags) & (KINI_PIECE_BODY | KINI_PIECE_MOVER)) &&
            kini_dot(list[i].normal, list[which].normal) < -KINI_SAME_FACE &&
            list[i].gap + list[which].gap <= 2 * list[i].piece.slop) return true;
    return false;
}

/* Another surface, that does not overlap the body, keeps it from reaching this one: the first of two flush boxes. */
static bool kini_is_shadowed(const kini_footing_search *s, const kini_touched *list, int count, int which)
{
    kin_vec at = kini_madd(s->x, list[which].normal, -list[which].gap), normal;
    int     i;
    if (list[which].gap <= 0) return false;
    for (i = 0; i < count; i++) {
        if (i == which || list[i].gap > list[which].gap || list[i].gap < -list[i].piece.slop) continue;
        if (kini_dot(list[i].normal, list[which].normal) <= 0) continue;
        if (kini_obstacle_gap(&list[i].piece.obstacle, at, &normal) < -KINI_COVERED * s->skin) return true;
    }
    return false;
}

/* Does the body slide on this steep ground, or a piece that continues it, as in the last step? A sweep may miss it. */
static bool kini_slides_on(const kini_footing_search *s, const kini_touched *it)
{
    return s->body->stand.footing == KIN_STEEP && s->body->last.footing == KIN_STEEP &&
           kini_dot(it->normal, s->body->stand.normal) > KINI_SAME_FACE;
}

/* The plane of a touched surface, as it limits velocity: a mover's relative to what the body rides, but the level stops
   it whatever its ground does. What stages 4 and 5 push is not pushed again. */
static kini_plane kini_plane_of(const kin_world *world, const kini_footing_search *s, const kini_slide *rules,
                                const kini_touched *it)
{
    kin_vec    move = kini_vec_zero(), side = it->normal;
    kini_plane plane;
    if (it->piece.flags & KINI_PIECE_MOVER) {
        move = kini_rate_there(world, s, it->piece.slot, it->normal);
        if (s->body->stand.footing == KIN_STABLE) move = kini_madd(move, s->body->carry, -1 / world->dt);
        if (!kini_is_zero(rules->ground)) side = kini_across(side, rules->up);   /* to a walker it is a wall */
        if ((kini_dot(move, it->normal) > 0 || kini_dot(move, side) > 0) && !kini_slides_on(s, it))
            move = kini_vec_zero();
    }
    plane = kini_plane_at(&it->piece, it->normal, move);
    if (!kini_is_zero(rules->ground)) kini_make_wall(rules, &plane);
    return plane;
}

/* Does the body's velocity, turned along the ground it stands on, lead into this surface? */
static bool kini_goes_into(const kin_world *world, const kini_footing_search *s, const kini_touched *it, kin_vec move)
{
    const kini_body *body = s->body;
    kin_vec          seen = kini_add(body->velocity, body->leftover);
    bool             mover = (it->piece.flags & KINI_PIECE_MOVER) != 0;
    if (mover && !kini_is_zero(body->leftover)) move = kini_rate_there(world, s, it->piece.slot, it->normal);
    if (body->stand.footing == KIN_STABLE)
        seen = kini_turn_along(kini_across(seen, body->up), kini_walked_on(body), body->up, false);
    if (kini_leads_into(world, it, s->x, kini_sub(seen, move), 0)) return true;
    if (kini_is_zero(body->leftover) || body->stand.footing == KIN_STABLE || mover) return false;
    /* For the level, its own may lead elsewhere than both. */
    return kini_leads_into(world, it, s->x, kini_sub(body->velocity, move), 0);
}

/* Was the body held by this surface in this step, or is it nearer than a sweep comes? Then it takes the velocity into
   it even if that leads past its end; at an edge that it was not swept into, as the face that ends there does. */
static bool kini_is_held_off(const kin_world *world, const kini_footing_search *s, kini_touched *it)
{
    int i;
    if (kini_slides_on(s, it) || kini_was_hit(world, s, it->piece.slot, it->normal)) return true;
    if (kini_dot(it->normal, it->face) < KINI_SAME_FACING) return false;
    for (i = 0; i < s->held_count && kini_dot(s->held[i], it->normal) <= KINI_SAME_SIDE; i++) {}
    if (i == s->held_count && it->gap >= KINI_HELD_OFF * s->skin) return false;
    it->normal = it->face;
    return true;
}

/* A body that is pushed and stopped was given all that the planes leave of its velocity but not of its own: a push
   that a surface turns aside is still a push, and ends with it. So is a fall. */
static void kini_turn_given(const kin_world *world, kini_body *body, kin_vec before, const kini_slide *rules)
{
    float   given = kini_len(body->given);
    kin_vec along = kini_scale(body->given, given > 0 ? 1 / given : 0);
    kin_vec own = kini_madd(before, along, -kini_clamp(kini_dot(before, along), 0, given));
    bool    falls = body->stand.footing != KIN_STABLE && !kini_is_floating(world, body);
    float   fall = falls ? kini_dot(own, rules->up) : 0;
    if (falls ? fall >= 0 : body->pushed_strength == 0 || kini_is_zero(body->given)) return;
    own = kini_madd(own, rules->up, -fall);
    kini_clip_level(&own, rules->planes, rules->count, 1);
    body->given = kini_across(kini_sub(body->velocity, own), rules->up);
}

/* Takes from the velocity what goes into the surfaces that the body touches, nearest first: what is left may lead past
   the next one, or into one that did not matter before. */
static void kini_stop_at_touched(kin_world *world, kini_footing_search *s, kini_touched *list, int count)
{
    kini_body *body = s->body;
    kini_slide rules;
    kini_plane met[KINI_MAX_PLANES];   /* as the leftover sees them */
    kin_vec    before = body->velocity;
    bool       taken[KINI_MAX_TOUCHED], held[KINI_MAX_TOUCHED], again = true, any = false;   /* held: as the face */
    float      into;
    int        i, pass;
    kini_slide_blank(&rules);
    for (i = 0; i < count; i++) taken[i] = held[i] = false;
    if (!kini_is_floating(world, body)) { rules.up = body->up; rules.stable_cos = body->stable_cos; }
    if (body->stand.footing == KIN_STABLE) {
        rules.ground = kini_walked_on(body);
        kini_clear(rules.planes, 2 * sizeof *rules.planes);
        rules.planes[0].normal = body->up;   /* neither lifted nor pressed down */
        rules.planes[1].normal = kini_neg(body->up);
        rules.count = 2;
    }
    for (i = 0; i < rules.count; i++) met[i] = rules.planes[i];
    for (pass = 0; pass < 3 && again; pass++) {
        again = false;
        for (i = 0; i < count && rules.count < KINI_MAX_PLANES; i++) {
            kini_plane plane;
            kin_vec    normal = list[i].normal;
            if (taken[i] || (list[i].piece.flags & KINI_PIECE_BODY)) continue;
            if (!kini_is_floating(world, body) && kini_is_stable(body, list[i].normal)) continue;
            if (kini_may_climb(world, s, &list[i])) continue;
            plane = kini_plane_of(world, s, &rules, &list[i]);
            taken[i] = kini_goes_into(world, s, &list[i], plane.move);
            if (!taken[i]) {
                if (held[i] || !kini_is_held_off(world, s, &list[i])) continue;
                plane = kini_plane_of(world, s, &rules, &list[i]);
                list[i].normal = normal;   /* other planes may yet turn the velocity into the edge itself */
                held[i] = true;
            }
            again = true;
            into = plane.push - kini_dot(body->velocity, plane.normal);
            if (body->options.bounce > 0 && into > kini_least_bounce(world, body)) {
                body->velocity = kini_madd(body->velocity, plane.normal, (1 + body->options.bounce) * into);
                continue;
            }
            met[rules.count] = plane;
            met[rules.count].push = kini_lesser(plane.push, 0);
            kini_clip_level(&body->leftover, met, rules.count + 1, 1);
            rules.planes[rules.count++] = kini_respond_sharing(&rules, plane, &body->velocity, 1, &body->leftover);
            kini_clip_level(&body->velocity, rules.planes, rules.count, 1);
            any = true;
        }
    }
    if (any && body->stand.footing == KIN_STABLE)   /* rounding has left it some height */
        body->velocity = kini_flat(body->velocity, body->up);
    if (any) kini_turn_given(world, body, before, &rules);
}

/* Nearest first, in which order the list is left; the surface of the ground was noted when the body took its stand. */
static void kini_note_touched(kin_world *world, const kini_footing_search *s, kini_touched *list, int count)
{
    bool floats = kini_is_floating(world, s->body);
    int  i, j;
    for (i = 1; i < count; i++) {
        kini_touched it = list[i];
        for (j = i; j > 0 && it.gap < list[j - 1].gap; j--) list[j] = list[j - 1];
        list[j] = it;
    }
    for (i = 0; i < count; i++) {
        const kini_piece *piece = &list[i].piece;
        float             rise = kini_dot(list[i].normal, s->body->up);
        bool              fits = kini_is_fitted(list, count, i);
        if (kini_is_shadowed(s, list, count, i)) continue;
        if (kini_is_footing(s, piece, list[i].normal)) continue;
        if (!s->found || piece->slot != s->best.piece.slot || piece->part != s->best.piece.part ||
            (piece->flags & KINI_PIECE_BODY) || !kini_is_zero(kini_sub(list[i].normal, s->best.normal)))
            kini_note(world, piece, s->row, list[i].normal, list[i].gap, 0,
                      fits ? KINI_CONTACT_TOUCH | KINI_CONTACT_FITS : KINI_CONTACT_TOUCH);
        if (fits) continue;
        if (rise < -KINI_CEILING_COS && !floats) s->body->state |= KINI_BODY_ON_CEILING;
        else if (floats || rise < s->body->stable_cos) s->body->state |= KINI_BODY_ON_WALL;
    }
}

static kini_footing_search kini_begin_footing(kin_world *world, kini_near *near, int32_t row, kin_vec x)
{
    kini_footing_search s;
    s.near = near; s.body = &world->bodies.at[row]; s.row = row; s.x = x;
    s.skin = kini_skin_at(world, near->origin);
    s.reach = s.touch = kini_touch_at(world, near->origin);
    s.drift = kini_vec_zero();
    s.moved = s.found = s.on_edge = false;
    s.held_count = 0;
    s.body->state &= ~(uint32_t)(KINI_BODY_ON_WALL | KINI_BODY_ON_CEILING);
    return s;
}

KINI_PART void kini_ground_now(kin_world *world, kini_near *near, int32_t row)
{
    kini_touched        list[KINI_MAX_TOUCHED];
    bool                wedge = false;
    kini_body          *body = &world->bodies.at[row];
    kini_footing_search s = kini_begin_footing(world, near, row, kini_vec_zero());
    s.stood = body->stand.footing == KIN_STABLE && world->dt > 0;
    body->start = kini_pose(near->origin, near->turn);
    body->jumps = false;
    body->land_speed = 0;
    body->carry = body->wish = s.x;
    if (!kini_is_floating(world, body)) kini_search_ground(world, &s);
    if (s.found && !s.stable) wedge = kini_in_wedge(world, &s, false);
    s.found = s.found && (s.stable || wedge || kini_dot(s.best.normal, body->up) >= KINI_WALL_COS);
    if (s.found) kini_take_stand(world, &s, s.stable || wedge ? KIN_STABLE : KIN_STEEP, wedge);
    else {
        if (body->stand.footing == KIN_STABLE) kini_leave_ground(body, body->stand.velocity);
        kini_stand_nowhere(body);
    }
    kini_note_touched(world, &s, list, kini_list_touched(world, &s, true, list));
}

static kini_footing_search kini_end_footing(kin_world *world, kini_near *near, int32_t row, kin_vec x)
{
    kini_body          *body = &world->bodies.at[row];
    kini_footing_search s = kini_begin_footing(world, near, row, x);
    const kini_body    *ground;
    kin_vec             moved = kini_sub(world->things.at[body->slot].p, kini_add(body->start.p, body->carry));
    if (!(kini_dot(body->velocity, body->up) > 0 || kini_dot(moved, body->up) > 0))
        body->jumps = false;   /* stopped before it rose at all, it does not leave the ground */
    ground = kini_carrier(world, body);   /* what it rode is known only now: where pushes have let its ground go */
    if (ground != NULL) body->carry = kini_sub(world->things.at[ground->slot].p, ground->start.p);
    s.stood = body->last.footing == KIN_STABLE && kini_stands(body);
    s.moved = !kini_is_zero(kini_sub(near->origin, body->start.p)) || !kini_is_zero(x);
    if (s.stood) s.reach = kini_greater(kini_snap(body), s.touch);
    s.drift = kini_madd(kini_add(body->velocity, body->leftover), body->carry, 1 / world->dt);
    return s;
}

KINI_PART void kini_find_ground(kin_world *world, kini_near *near, int32_t row, kin_vec *x)
{
    kini_footing_search s = kini_end_footing(world, near, row, *x);
    kini_touched        list[KINI_MAX_TOUCHED];
    int                 count;
    kini_slip_past(world, &s);
    kini_keep_gaps(world, &s);
    if (!kini_is_floating(world, s.body)) {
        kini_search_ground(world, &s);
        kini_settle_footing(world, &s);
    }
    *x = s.x;
    count = kini_list_touched(world, &s, true, list);
    kini_note_touched(world, &s, list, count);
    kini_stop_at_touched(world, &s, list, count);
    if (s.body->stand.footing == KIN_STEEP && kini_speed_into_ground(s.body) > KINI_SLOW * world->desc.unit)
        kini_stand_nowhere(s.body);   /* it only passes: a corner within the touch margin does not hold it */
}

/* Stages 7 to 9 of a body that rests well and touches nothing but grounds, by one look; false if there is more to find.
   A build that forgets its caches runs the stages instead. */
KINI_PART bool kini_keep_ground(kin_world *world, kini_near *near, int32_t row, kin_vec *x)
{
    kini_body          *body = &world->bodies.at[row];
    kini_footing_search s;
    kini_touched        list[KINI_MAX_GROUNDS];
    float               rest, least = KINI_FLT_MAX;
    int                 i, index[KINI_MAX_GROUNDS], below = 0, count = 0;
    bool                alone;   /* with one ground, which it need not go along */
    if (KINI_FORGET || !kini_stands(body) || body->last.footing != KIN_STABLE) return false;
    if (!kini_is_unhindered(world, row)) return false;
    if (!near->whole || near->sensors > 0) return false;
    s = kini_end_footing(world, near, row, kini_vec_zero());
    s.down = kini_scale(body->up, -s.reach);
    s.furthest = s.nearest = KINI_FLT_MAX;
    rest = s.skin + kini_rest_slack(world, s.skin);
    for (i = 0; i < near->count; i++) {
        const kini_piece *piece = &world->pieces.at[i];
        kini_touched     *at = &list[count];
        if (kini_is_apart(piece, s.x, s.touch)) continue;
        if (below == KINI_MAX_GROUNDS) return false;
        at->gap = kini_obstacle_gap(&piece->obstacle, s.x, &at->normal);
        if (at->gap > s.touch) continue;
        if (at->gap < 0.5f * s.skin || (piece->flags & (KINI_ONE_WAY | KINI_PIECE_BODY))) return false;
        if (!kini_meets_face(&piece->obstacle, s.x, &at->normal, at->gap)) continue;
        if (kini_is_hidden(piece, at->normal)) continue;
        if (!kini_is_stable(body, at->normal)) return false;
        index[below++] = i;
        if (kini_is_edge_normal(world, i, at->normal)) {
            if (!kini_is_covered(world, near, i, s.x, at->normal, at->gap)) return false;
            continue;   /* the surface beside it keeps the body from touching it */
        }
        at->piece = *piece;
        least = kini_lesser(least, at->gap);
        count++;
    }
    alone = near->count == 1 && count == 1 && kini_is_zero(body->wish);
    if (least > rest && !alone) return false;
    for (i = 0; i < below; i++) kini_consider_ground(world, &s, index[i]);
    if (!s.found || !s.stable) return false;
    if (alone && kini_come_down(world, &s)) *x = s.x;
    least = kini_obstacle_gap(&s.best.piece.obstacle, s.x, &s.edge);
    if (kini_is_zero(s.x) && least > rest) return false;
    if (alone) { list[0].gap = least; list[0].normal = s.edge; }
    kini_take_stand(world, &s, KIN_STABLE, false);
    kini_note_touched(world, &s, list, count);
    kini_stay(body);
    return true;
}
