/* SPDX-License-Identifier: MIT OR Unlicense

   slide.c: sweeps one body along one motion and slides along what it meets.

   Each surface met becomes a plane that limits the rest of the motion: the body may not go into it faster than the
   surface itself moves. The motion that is left is the one nearest to the wanted motion that no plane forbids, found
   exactly (all combinations of planes, there are few), so creases and acute corners need no tries. A sweep stops a
   skin before what it meets; surfaces are tested exactly, so flush neighbours cannot be caught on. */
#include "things.h"

/* ---- clipping: the nearest motion that no plane forbids --------------------------------------------------- */

static bool kini_allowed(kin_vec v, const kini_plane *planes, int count, float scale, float slack)
{
    int i;
    for (i = 0; i < count; i++)
        if (kini_dot(planes[i].normal, v) < planes[i].push * scale - slack) return false;
    return true;
}

typedef struct kini_clipping {
    kin_vec           wanted, best;
    float             best_off;       /* squared distance of best from wanted; negative: none yet */
    const kini_plane *planes;
    int               count;
    float             scale, slack;
    float             longest;        /* that planes of movers may make it: a wedge drives a body aside so far */
} kini_clipping;

static void kini_clip_offer(kini_clipping *c, kin_vec v)
{
    float off = kini_len2(kini_sub(v, c->wanted)), slack;
    if ((c->best_off >= 0 && off >= c->best_off) || kini_len(v) > c->longest) return;
    slack = kini_greater(c->slack, KINI_CLIP_ERROR * kini_largest(kini_magnitudes(v)));
    if (!kini_allowed(v, c->planes, c->count, c->scale, slack)) return;
    c->best = v;
    c->best_off = off;
}

static float kini_lack(const kini_clipping *c, int i, kin_vec v)
{
    return c->planes[i].push * c->scale - kini_dot(c->planes[i].normal, v);
}

/* A plane that the wanted motion already respects does not hold it back (Karush, Kuhn and Tucker): only positive
   shares count, and then the first combination that is allowed is the nearest. Each is made up for twice: what rounding
   of a fast motion has left the first time is small, and so is its own rounding. */
static void kini_clip_one(kini_clipping *c, int i)
{
    kin_vec n = c->planes[i].normal, v = kini_madd(c->wanted, n, kini_lack(c, i, c->wanted));
    if (kini_lack(c, i, c->wanted) >= 0) kini_clip_offer(c, kini_madd(v, n, kini_lack(c, i, v)));
}

/* Between opposed planes, one of them of a mover that pushes, a body is squeezed: it does not shoot out sideways. */
static bool kini_squeezes(const kini_clipping *c, int i, int j)
{
    const kini_plane *a = &c->planes[i], *b = &c->planes[j];
    return (kini_plane_presses(a) || kini_plane_presses(b)) && kini_dot(a->normal, b->normal) <= KINI_OPPOSED;
}

/* Both planes touched: wanted + a n + b m with both lacks made up for. */
static void kini_clip_two(kini_clipping *c, int i, int j)
{
    kin_vec n = c->planes[i].normal, m = c->planes[j].normal, v = c->wanted;
    float   g = kini_dot(n, m), det = 1 - g * g, p, q;
    int     pass;
    if (det < KINI_ONE_LINE2 || kini_squeezes(c, i, j)) return;
    for (pass = 0; pass < 2; pass++) {
        p = kini_lack(c, i, v);
        q = kini_lack(c, j, v);
        if (pass == 0 && (p - g * q < 0 || q - g * p < 0)) return;
        v = kini_madd(kini_madd(v, n, (p - g * q) / det), m, (q - g * p) / det);
    }
    kini_clip_offer(c, v);
}

static void kini_clip_three(kini_clipping *c, int i, int j, int k)
{
    kin_vec a = c->planes[i].normal, b = c->planes[j].normal, d = c->planes[k].normal, v = c->wanted;
    float   ab = kini_dot(a, b), ad = kini_dot(a, d), bd = kini_dot(b, d);
    float   det = 1 + 2 * ab * ad * bd - ab * ab - ad * ad - bd * bd;
    int     pass;
    if (det < KINI_ONE_LINE2 || kini_squeezes(c, i, j) || kini_squeezes(c, i, k) || kini_squeezes(c, j, k)) return;
    for (pass = 0; pass < 2; pass++) {
        float p = kini_lack(c, i, v), q = kini_lack(c, j, v), r = kini_lack(c, k, v);
        float sa = p * (1 - bd * bd) - q * (ab - ad * bd) - r * (ad - ab * bd);
        float sb = q * (1 - ad * ad) - p * (ab - ad * bd) - r * (bd - ab * ad);
        float sd = r * (1 - ab * ab) - p * (ad - ab * bd) - q * (bd - ab * ad);
        if (pass == 0 && (sa < 0 || sb < 0 || sd < 0)) return;
        v = kini_madd(kini_madd(kini_madd(v, a, sa / det), b, sb / det), d, sd / det);
    }
    kini_clip_offer(c, v);
}

KINI_PART bool kini_clip(kin_vec *v, const kini_plane *planes, int count, float scale)
{
    kini_clipping c;
    float         pushed = 0;
    int           i, j, k;
    c.wanted = *v; c.planes = planes; c.count = count; c.scale = scale; c.best_off = -1;
    c.slack = kini_largest(kini_magnitudes(*v));
    for (i = 0; i < count; i++) {
        c.slack = kini_greater(c.slack, kini_abs(planes[i].push * scale));
        if (kini_plane_presses(&planes[i])) pushed = kini_greater(pushed, planes[i].push * scale);
    }
    c.slack *= KINI_CLIP_ERROR;
    if (kini_allowed(*v, planes, count, scale, c.slack)) return true;
    c.longest = pushed > 0 ? kini_len(*v) + KINI_WEDGE_GAIN * pushed : KINI_FLT_MAX;
    for (i = 0; i < count; i++) kini_clip_one(&c, i);
    for (i = 0; i < count && c.best_off < 0; i++)
        for (j = 0; j < i; j++) kini_clip_two(&c, i, j);
    for (i = 0; KINI_DIM == 3 && i < count && c.best_off < 0; i++)   /* two planes leave no motion in 2D */
        for (j = 0; j < i; j++)
            for (k = 0; k < j; k++) kini_clip_three(&c, i, j, k);
    if (c.best_off < 0) kini_clip_offer(&c, kini_vec_zero());
    if (c.best_off >= 0) *v = c.best;
    return c.best_off >= 0;
}

/* As kini_clip; where movers leave no motion that all planes allow, the level has the last word. */
KINI_PART bool kini_clip_level(kin_vec *v, const kini_plane *planes, int count, float scale)
{
    kini_plane level[KINI_MAX_PLANES];
    int        i, n = 0;
    if (kini_clip(v, planes, count, scale)) return true;
    for (i = 0; i < count; i++)
        if (!(planes[i].flags & KINI_PIECE_MOVER)) level[n++] = planes[i];
    return kini_clip(v, level, n, scale);
}

/* ---- what a straight motion meets first -------------------------------------------------------------------- */

/* Does the body stay on its side of the plane of a segment or triangle? Settles nearly all of them for a walker. */
static bool kini_stays_off(const kini_piece *piece, kin_vec x, kin_vec travel, float margin)
{
    float off = kini_dot(piece->face, x) - piece->level, way = kini_dot(piece->face, travel);
    if (off < 0) { off = -off; way = -way; }
    if (way < 0) off += way;
    if (way < -KINI_FAINT * kini_largest(kini_magnitudes(travel))) off -= margin;
    return off > piece->reach;
}

/* When does the skin touch the piece? Fills all of `out` but its piece. */
KINI_PART bool kini_meet_piece(const kini_piece *piece, const kini_probe *probe, kini_impact *out)
{
    const kini_obstacle *o = &piece->obstacle;
    kin_vec              x = kini_madd(probe->x, piece->move, probe->left), travel = probe->travel, to, grown, n;
    float                length, reach, approach, rounding, t;
    int                  i;
    if (!probe->frozen) travel = kini_madd(travel, piece->move, -probe->left);
    if (kini_stays_off(piece, x, travel, 2 * probe->skin)) return false;
    to = kini_add(x, travel);
    grown = kini_add(o->half, kini_all(o->radius + 2 * probe->skin));
    if (!kini_boxes_meet(kini_lower(x, to), kini_upper(x, to), kini_sub(o->centre, grown), kini_add(o->centre, grown)))
        return false;
    length = kini_len(travel);
    if (!(length > 0)) return false;
    reach = 1 + 2 * probe->skin / length;
    if (!kini_obstacle_ray(o, x, kini_scale(travel, reach), &t, &n)) return false;
    for (i = 0; i < probe->fits; i++)   /* walls of passages as wide as the body, within the slop, if it moves along */
        if (kini_obstacle_extent(o, probe->fit[i]) - kini_dot(x, probe->fit[i]) <= piece->slop &&
            kini_dot(travel, probe->fit[i]) >= -piece->slop) return false;
    out->depth = t > 0 ? 0 : -kini_obstacle_gap(o, x, &to);
    if (!(t > 0)) kini_inner_normal(piece, x, &n);
    out->normal = n;
    approach = -kini_dot(travel, n);
    if (out->depth > probe->deep && !(piece->flags & (KINI_PIECE_MOVER | KINI_ONE_WAY))) {
        out->t = out->touch = 0;
        return !(piece->flags & KINI_PIECE_BODY);
    }
    rounding = KINI_APPROACH_ERROR * (probe->frozen ? length : length + kini_len(piece->move) * probe->left);
    if (approach <= rounding) return false;
    if ((piece->flags & KINI_ONE_WAY) && !kini_one_way_stops(piece, x, kini_scale(travel, t > 0 ? 1 / length : 0), n))
        return false;
    out->touch = t * reach;
    out->t = kini_greater(out->touch - probe->skin / approach, 0);
    return out->t < 1;
}

/* Of two impacts the earlier touch (where the skin comes first would favour corners beside a flat face). At the same
   moment, a face comes before the edge of its neighbour; then that which is met more head-on. */
static bool kini_comes_first(const kini_impact *a, const kini_impact *b, kin_vec travel, float slack)
{
    float da = kini_dot(a->normal, travel), db = kini_dot(b->normal, travel), apart = a->touch - b->touch;
    if (a->edge != b->edge && kini_len2(travel) * apart * apart <= slack * slack) return b->edge;
    if (a->touch < b->touch || a->touch > b->touch) return a->touch < b->touch;
    return da < db;
}

KINI_PART bool kini_first_impact(kin_world *world, kini_near *near, const kini_probe *probe, kini_impact *out)
{
    bool        more, found = false;
    kini_impact impact;
    kini_lot    before = near->lot;
    int         i;
    for (more = kini_near_first(world, near); more; more = kini_near_next(world, near)) {
        for (i = 0; i < near->count; i++) {
            const kini_piece *piece = &world->pieces.at[i];
            if ((piece->flags & KINI_SENSOR) || ((piece->flags & KINI_PIECE_BODY) && !probe->bodies)) continue;
            if (!kini_meet_piece(piece, probe, &impact)) continue;
            impact.edge = kini_is_edge_normal(world, i, impact.normal);
            if (found && !kini_comes_first(&impact, out, probe->travel, KINI_SAME_MOMENT * world->desc.unit)) continue;
            impact.piece = *piece;
            *out = impact;
            found = true;
        }
    }
    kini_near_again(world, near, before);
    return found;
}

/* A slide that meets anything leaves its plan: all pieces count from then on, this one again. */
static void kini_leave_plan(kin_world *world, kini_near *near, const kini_probe *probe, kini_impact *impact)
{
    near->planned = false;
    if (!near->passed) return;
    near->passed = near->whole = false;
    kini_first_impact(world, near, probe, impact);
}

KINI_PART float kini_free_part(kin_world *world, kini_near *near, kin_vec x, kin_vec way)
{
    kini_probe  probe = kini_probe_still(x, way, 0);
    kini_impact impact;
    return kini_first_impact(world, near, &probe, &impact) ? impact.t : 1;
}

/* ---- exact fit --------------------------------------------------------------------------------------------------- */

/* How much wider than a body the passage is that it would be in at y, where it touches a wall on the side of `across`;
   negative: narrower. */
static float kini_passage_room(const kin_world *world, const kini_near *near, kin_vec y, kin_vec across)
{
    float   room = KINI_FLT_MAX;
    kin_vec normal;
    int     i;
    for (i = 0; i < near->count; i++) {
        const kini_piece *piece = &world->pieces.at[i];
        float             gap;
        if ((piece->flags & (KINI_SENSOR | KINI_ONE_WAY | KINI_PIECE_BODY)) || !kini_is_zero(piece->move)) continue;
        if (kini_is_apart(piece, y, 2 * piece->slop)) continue;
        gap = kini_obstacle_gap(&piece->obstacle, y, &normal);
        if (kini_dot(normal, across) < KINI_OPPOSED) room = kini_lesser(room, gap);
    }
    return room;
}

/* A quick look: false if a body at x is surely not flush with a side of a piece that is not turned. */
static bool kini_may_be_flush(const kini_piece *piece, kin_vec x, float slop)
{
    const kini_obstacle *o = &piece->obstacle;
    kin_vec              d = kini_sub(x, o->centre), off = kini_sub(kini_magnitudes(d), o->half);
    float                room = 3 * slop + 4 * kini_blur(o, d);
    int                  axis;
    for (axis = 0; axis < KINI_DIM; axis++)
        if (kini_abs(kini_at(off, axis) - o->radius) <= room) return true;
    return !kini_is_unturned(piece->turn);
}

KINI_PART bool kini_next_wall(const kini_obstacle *o, kin_rot turn, float reach, float slop, kin_vec normal,
                              kin_vec travel, kini_wall *wall)
{
    kin_vec ahead;
    float   deep;
    while (wall->side < KINI_SIDES) {
        int side = wall->side++;
        wall->to = kini_with(kini_vec_zero(), side / 2, side % 2 ? 1.0f : -1.0f);
        if (!kini_is_unturned(turn)) wall->to = kini_rotate(turn, wall->to);
        if (kini_dot(normal, wall->to) > KINI_SAME_FACE || kini_abs(kini_dot(travel, wall->to)) > slop) continue;
        wall->overlap = kini_obstacle_extent(o, wall->to) - kini_dot(wall->x, wall->to);
        if (kini_abs(wall->overlap) > slop) continue;
        ahead = kini_unit(kini_across(kini_neg(normal), wall->to));
        deep = kini_lesser(kini_dot(kini_sub(o->centre, wall->x), ahead), reach);
        wall->inside = kini_madd(kini_madd(wall->x, wall->to, wall->overlap), ahead, deep);
        if (deep > 0) return true;
    }
    return false;
}

/* Is what it meets there the end of a wall of a passage as wide as the body, within two slops, which it overlaps by no
   more than the slop and does not move across? A slide is centred before it, and passes the walls from then on. */
KINI_PART bool kini_fits(kin_world *world, kini_near *near, const kini_piece *piece, kin_vec x, kin_vec normal,
                         kin_vec travel, kini_slide *slide)
{
    float     slop = KINI_SLOP * world->desc.unit, room;   /* not what rounding adds far from the origin */
    kini_wall wall;
    wall.x = x;
    wall.side = 0;
    if (!kini_is_zero(piece->move) || (piece->flags & (KINI_ONE_WAY | KINI_PIECE_BODY))) return false;
    if (slide ? slide->fits == KINI_SIDES - 2 : near->whole && near->count == 1) return false;
    if (!kini_may_be_flush(piece, x, slop)) return false;
    while (kini_next_wall(&piece->obstacle, piece->turn, near->solid.reach, slop, normal, travel, &wall)) {
        if (slide && !piece->obstacle.sum)
            kini_near_cover(world, near, x, travel, 3 * slop);   /* the other wall, too */
        if (slide && !kini_near_first(world, near)) return false;
        room = kini_passage_room(world, near, wall.inside, wall.to);
        if (!(kini_abs(room) <= 2 * slop)) continue;
        if (!slide) return true;
        slide->x = kini_madd(x, wall.to, wall.overlap + 0.5f * room);
        slide->travel = kini_across(slide->travel, wall.to);
        slide->fit[slide->fits++] = wall.to;
        slide->fit[slide->fits++] = kini_neg(wall.to);
        return true;
    }
    return false;
}

/* ---- rules of footing -------------------------------------------------------------------------------------------- */

/* A horizontal motion turned along a surface: same heading, same speed along it, or the same horizontal speed. */
KINI_PART kin_vec kini_turn_along(kin_vec flat, kin_vec normal, kin_vec up, bool keep_horizontal)
{
    float   rise = kini_dot(normal, up), length;
    kin_vec turned;
    if (!(rise > KINI_NEGLIGIBLE)) return flat;   /* a wall, as no body stands on but one from a made-up snapshot */
    turned = kini_madd(flat, up, -kini_dot(flat, normal) / rise);
    length = kini_len(turned);
    return keep_horizontal || !(length > 0) ? turned : kini_scale(turned, kini_len(flat) / length);
}

/* A plane that is met changes a motion or velocity before it is clipped: stable ground takes the part along up; a
   steep side, and for a walker an overhang, acts on the horizontal part as a wall: it gives no height. */
static void kini_respond(const kini_slide *slide, const kini_plane *plane, kin_vec *v, float scale)
{
    float   rise = kini_dot(plane->surface, slide->up), into;
    kin_vec side;
    if (kini_is_zero(slide->up) || (rise <= 0 && !kini_walks(slide))) return;
    if (rise >= slide->stable_cos) { *v = kini_flat(*v, slide->up); return; }
    side = kini_unit(kini_across(plane->surface, slide->up));   /* zero under a flat ceiling */
    into = kini_dot(kini_across(*v, slide->up), side) - kini_dot(plane->move, side) * scale;
    if (into < 0) *v = kini_madd(*v, side, -into);
}

/* The rest of a push, for the own velocity to take if the leftover has that much of it already. */
static float kini_rest_of_push(float push, float has)
{
    return kini_clamp(push - has, kini_lesser(push, 0), kini_greater(push, 0));
}

/* The same for the velocity of a body, and the plane as that sees it. What a mover pushes is only given once: to the
   own velocity, as far as the leftover does not have it. `leftover` is NULL if this is the leftover itself. */
KINI_PART kini_plane kini_respond_sharing(const kini_slide *slide, kini_plane plane, kin_vec *v, float per_second,
                                          const kin_vec *leftover)
{
    kini_plane beside = plane;
    kin_vec    side = kini_unit(kini_across(plane.surface, slide->up));
    float      along = kini_dot(plane.move, side), push = plane.push;
    if (!leftover || !kini_is_zero(*leftover)) {
        float has = leftover ? kini_dot(*leftover, side) / per_second : kini_greater(along, 0);
        beside.move = kini_madd(plane.move, side, kini_rest_of_push(along, has) - along);
        has = leftover ? kini_dot(*leftover, plane.normal) / per_second : kini_greater(push, 0);
        plane.push = kini_rest_of_push(push, has);
        plane.move = kini_madd(plane.move, plane.normal, plane.push - push);
    }
    kini_respond(slide, &beside, v, per_second);
    return plane;
}

/* A walker meets steep ground, and an overhang, as a vertical wall: it is neither lifted nor pressed down by it. An
   overhang that comes down nearly flat squeezes it against its ground and does not drive it aside; nor does any drive
   it further along its ground than a wedge may. */
KINI_PART void kini_make_wall(const kini_slide *slide, kini_plane *plane)
{
    kin_vec side = kini_across(plane->surface, slide->up);
    float   lean = kini_len(side);
    if (lean < KINI_HARDLY) return;
    if (plane->push > 0 && (kini_dot(plane->surface, slide->ground) <= KINI_OPPOSED ||
                            lean * kini_dot(slide->ground, slide->up) * KINI_WEDGE_GAIN < 1))
        return;
    plane->normal = kini_scale(side, 1 / lean);
    plane->push /= lean;
}

/* A body that is fast enough leaves what it met by a part of its speed at that moment, and goes on with the rest of
   the interval. What it has met so far limits it no longer: the planes stay, as contacts, without a normal. */
static bool kini_bounce_off(kini_slide *slide, const kini_plane *plane, kin_vec v, float left)
{
    kin_vec n = plane->normal;
    float   speed = plane->push - kini_dot(v, n) - kini_dot(slide->fall, n) * (0.5f - left);
    int     i;
    if (!(slide->bounce > 0 && speed > slide->least_bounce)) return false;
    slide->kick = kini_madd(slide->kick, n, (1 + slide->bounce) * speed);
    slide->travel = kini_madd(slide->travel, n, (1 + slide->bounce) * speed);
    for (i = 0; i < slide->count; i++) {
        slide->planes[i].normal = kini_vec_zero();
        slide->planes[i].push = 0;
    }
    return true;
}

KINI_PART kini_plane kini_plane_at(const kini_piece *piece, kin_vec normal, kin_vec move)
{
    kini_plane plane;
    plane.normal = plane.surface = normal;
    plane.move = move;
    plane.push = kini_dot(move, normal);
    plane.slot = piece->slot;
    plane.part = piece->part;
    plane.flags = piece->flags;
    plane.speed = 0;
    return plane;
}

static bool kini_probe_stable(const kini_slide *slide, const kini_impact *impact)
{
    return !kini_is_zero(slide->up) && kini_dot(impact->normal, slide->up) >= slide->stable_cos;
}

/* Stable ground takes a body along, which moves relative to it from then on. What is convex touches at one place: its
   earlier plane counts no longer, and with it would ask for the impossible if the piece turns. */
static void kini_slide_meet(kini_slide *slide, const kini_impact *impact, kin_vec v, float left)
{
    const kini_piece *piece = &impact->piece;
    kini_plane       *plane;
    bool              stable = kini_probe_stable(slide, impact);
    int               i, kept = 0;
    if (slide->hit_count++ < slide->hit_room) {   /* for kin_move_hits; the point is found later, from this place */
        kin_hit *hit = &slide->hits[slide->hit_count - 1];
        hit->id.slot = piece->slot;
        hit->part = piece->part;
        hit->normal = impact->normal;
        hit->point = slide->x;
        hit->t = 1 - left;
    }
    for (i = 0; i < slide->count; i++)
        if (slide->planes[i].slot != piece->slot || slide->planes[i].part != piece->part)
            slide->planes[kept++] = slide->planes[i];
    if (kept == KINI_MAX_PLANES)
        for (kept = 0; kept < KINI_MAX_PLANES - 1; kept++) slide->planes[kept] = slide->planes[kept + 1];
    slide->count = kept + 1;
    plane = &slide->planes[kept];
    *plane = kini_plane_at(piece, impact->normal, piece->move);
    plane->speed = -kini_dot(kini_sub(v, piece->move), impact->normal);
    if (!stable && kini_walks(slide)) kini_make_wall(slide, plane);
    if (!(stable && kini_walks(slide)) && kini_bounce_off(slide, plane, v, left)) return;
    kini_respond(slide, plane, &slide->travel, 1);
    if (!stable) return;
    slide->ground = impact->normal;
    slide->ground_move = piece->move;
}

/* The motion for the rest of the interval. A walker stays on its ground: it neither climbs a wall nor lifts off. */
static bool kini_slide_motion(const kini_slide *slide, kin_vec *v)
{
    kini_plane planes[KINI_MAX_PLANES + 2];
    int        i, n = slide->count;
    *v = slide->travel;
    if (!kini_walks(slide)) return kini_clip(v, slide->planes, n, 1);
    *v = kini_turn_along(kini_across(kini_sub(slide->travel, slide->ground_move), slide->up), slide->ground,
                         slide->up, slide->keep_horizontal);
    *v = kini_add(*v, slide->ground_move);
    if (n == 0) return true;
    for (i = 0; i < n; i++) planes[i] = slide->planes[i];
    planes[n] = planes[n + 1] = planes[0];
    planes[n].normal = slide->ground;
    planes[n].push = kini_dot(slide->ground_move, slide->ground);
    planes[n].flags = KINI_PIECE_MOVER;   /* nothing else pushes */
    planes[n + 1].normal = kini_neg(slide->ground);
    planes[n + 1].push = -planes[n].push;
    return kini_clip(v, planes, n + 2, 1) || kini_clip(v, planes, n + 1, 1);
}

/* ---- stepping up and slipping past corners ------------------------------------------------------------------- */

/* From `lift` above along as far as there is room, and down again. True if it went at least so far, and landed no lower
   than it began. */
static bool kini_step_trial(kin_world *world, kini_near *near, const kini_slide *slide, float lift, kin_vec *along,
                            float least, kin_vec *landed, kini_impact *floor, float left)
{
    kini_probe  probe = kini_probe_still(kini_madd(slide->x, slide->up, lift), *along, slide->skin);
    kini_impact impact;
    probe.left = left;
    probe.bodies = slide->bodies;
    if (kini_first_impact(world, near, &probe, &impact)) *along = kini_scale(*along, impact.t);
    if (kini_len(*along) < least) return false;
    probe.x = kini_add(probe.x, *along);
    probe.travel = kini_scale(slide->up, -lift - slide->skin);
    if (!kini_first_impact(world, near, &probe, floor)) return false;
    *landed = kini_madd(probe.x, probe.travel, floor->t);
    return true;
}

/* How far there is room for a step up. */
static float kini_step_lift(kin_world *world, kini_near *near, const kini_slide *slide, float left)
{
    float       lift = slide->step_height + slide->skin;
    kini_probe  probe = kini_probe_still(slide->x, kini_scale(slide->up, lift), slide->skin);
    kini_impact impact;
    probe.left = left;
    probe.bodies = slide->bodies;
    return kini_first_impact(world, near, &probe, &impact) ? lift * impact.t : lift;
}

/* A round or slanting foot on the edge of a step stands on the step's top: the surface just beyond the edge decides,
   for a tread may be narrower than the foot. A slanting side touches the edge somewhere between its ends. */
KINI_PART bool kini_on_tread(const kin_world *world, const kini_near *near, kin_vec x, const kini_impact *edge,
                             float stable_cos, kin_vec *normal, kin_vec *place)
{
    float      beyond = 2 * KINI_TOUCH * world->desc.unit;
    kin_vec    up = world->bodies.at[world->things.at[near->slot].row].up;
    kin_vec    side = kini_unit(kini_across(edge->normal, up)), low, high, travel;
    kini_solid point;
    kin_hit    hit;
    kini_clear(&point, sizeof point);
    kini_foot_ends(&near->solid, kini_pose(kini_add(near->origin, x), near->turn), edge->normal, up, &low, &high);
    travel = kini_madd(kini_sub(low, high), up, -2 * beyond);
    high = kini_madd(kini_madd(high, side, -beyond), up, beyond);
    if (!kini_thing_cast(world, edge->piece.slot, &point, kini_pose(high, kini_unturned()), travel, &hit)) return false;
    *normal = hit.normal;
    *place = kini_madd(kini_sub(high, near->origin), travel, hit.t);
    return hit.t > 0 && kini_dot(hit.normal, up) >= stable_cos;
}

/* Climbs a step if it goes so far ahead, or at least so far; tells how far it went. A round foot may perch on the edge
   of one that is higher above the feet than it has risen. */
static bool kini_step_so_far(kin_world *world, kini_near *near, kini_slide *slide, kin_vec *ahead, float least,
                             float left, float *lift)
{
    kin_vec     down = kini_neg(slide->up), place = slide->x, feet, to, ground = down;
    bool        perched;
    kini_impact floor;
    kini_near_cover(world, near, kini_madd(slide->x, slide->up, slide->step_height + slide->skin), *ahead,
                    2 * slide->skin);
    if (*lift < 0) *lift = kini_step_lift(world, near, slide, left);   /* the same each time */
    least = KINI_STEP_PART * kini_lesser(kini_len(*ahead), least);
    if (*lift <= 2 * slide->skin || !kini_step_trial(world, near, slide, *lift, ahead, least, &to, &floor, left))
        return false;
    perched = floor.edge && kini_on_tread(world, near, to, &floor, slide->stable_cos, &ground, &place);
    if (!perched) {
        if (!kini_probe_stable(slide, &floor)) return false;
        place = kini_foot(&near->solid, kini_pose(to, near->turn), floor.normal, &ground);
        ground = floor.normal;
    }
    feet = kini_madd(kini_solid_support(&near->solid, near->turn, down), down, near->solid.radius);
    if (kini_dot(kini_sub(place, kini_add(slide->x, feet)), slide->up) > slide->step_height + slide->skin) return false;
    slide->x = to;
    slide->ground = ground;
    slide->ground_move = kini_vec_zero();
    slide->perch = perched ? floor.piece.slot : 0;
    slide->perched = floor.normal;
    return true;
}

/* A walker that is blocked may climb a step. A round foot first meets the step's edge, whose normal is steep. However
   slow it is, it goes over the gap before what it met, a round foot so far that it leaves the floor: what that is more
   than `left` of v, it walks less later. All of `left` may be too far: it halves that.
   True if it climbed; `left` is what is left then. */
static bool kini_step_up(kin_world *world, kini_near *near, kini_slide *slide, kin_vec v, float *left,
                         const kini_impact *met, float gap)
{
    kin_vec flat = kini_across(v, slide->up), ahead = kini_unit(flat), way;
    float   length = kini_len(flat) * *left, went;
    float   least = gap + (met->edge ? KINI_OVER_EDGE : KINI_OVER_RISER) * slide->skin, lift = -1;
    if (!kini_walks(slide) || slide->step_height <= 0 || kini_is_zero(ahead)) return false;
    went = length > 0 && met->edge && met->piece.slot == slide->perch ? length : kini_greater(length, least);
    for (;; went = went > least ? kini_greater(0.5f * went, least) : least) {
        way = kini_scale(ahead, went);
        if (kini_step_so_far(world, near, slide, &way, least, *left, &lift)) break;
        if (went >= least && went <= least) return false;
    }
    went = kini_dot(way, ahead);
    slide->lead = kini_madd(slide->lead, ahead, kini_greater(went - length, 0));
    *left = went < length ? *left * (1 - went / length) : 0;
    return true;
}

/* A walk that ends within the slop before a riser climbs it at once: what is touched would take its velocity. Stage 8
   measures the gap anew, so this looks a little further. True if it climbed. `again`: it has climbed here already, but
   only rolled over a lower edge, and what it met may still be ahead. */
static bool kini_step_ahead(kin_world *world, kini_near *near, kini_slide *slide, kin_vec v, bool again)
{
    float       ahead = kini_look_ahead(slide), none = 0, gap;
    kini_probe  probe = kini_probe_still(slide->x, kini_scale(kini_unit(kini_across(v, slide->up)), ahead), 0);
    kini_impact impact, below;
    if (kini_is_zero(probe.travel)) return false;
    probe.bodies = slide->bodies;
    kini_near_cover(world, near, slide->x, probe.travel, slide->skin);
    if (!kini_first_impact(world, near, &probe, &impact)) return false;
    gap = kini_obstacle_gap(&impact.piece.obstacle, slide->x, &impact.normal);
    if (gap > impact.piece.slop + KINI_LEAST_LIFT * slide->skin || kini_probe_stable(slide, &impact)) return false;
    kini_leave_plan(world, near, &probe, &impact);
    kini_obstacle_gap(&impact.piece.obstacle, slide->x, &impact.normal);
    if (impact.piece.slot == slide->perch && kini_dot(impact.normal, slide->perched) > KINI_SAME_EDGE) {
        probe = kini_probe_still(slide->x, kini_scale(slide->up, -KINI_TOUCH * world->desc.unit), 0);
        probe.bodies = slide->bodies;   /* it has left the floor before this edge already? */
        if (again || !kini_first_impact(world, near, &probe, &below) || below.edge || !kini_probe_stable(slide, &below))
            return false;
    }
    return kini_step_up(world, near, slide, v, &none, &impact, impact.touch * ahead);
}

/* Shifts it if nothing is in the way; pieces stand where they are for the last `left` of their interval. */
static bool kini_shift_freely(kin_world *world, kini_near *near, kini_slide *slide, kin_vec way, float left)
{
    kini_probe  probe = kini_probe_still(slide->x, way, 0);
    kini_impact met;
    probe.left = left;
    probe.bodies = slide->bodies;
    if (kini_first_impact(world, near, &probe, &met)) return false;
    slide->x = kini_add(slide->x, way);
    return true;
}

/* Slips past a corner above: by the shortest shift across `up`, at most `nudge`, that lets a rising body pass. */
KINI_PART bool kini_nudge(kin_world *world, kini_near *near, kini_slide *slide, const kini_impact *impact, kin_vec v,
                          float left)
{
    const kini_obstacle *o = &impact->piece.obstacle;
    kin_vec     x = kini_madd(slide->x, impact->piece.move, left), best = kini_vec_zero();
    kini_probe  probe;
    kini_impact other;
    float       least = slide->nudge;
    int         axis, side;
    if (slide->nudge <= 0 || kini_dot(impact->normal, slide->head) > -KINI_HARDLY) return false;
    if (!(kini_dot(kini_sub(v, impact->piece.move), slide->head) > 0)) return false;
    for (axis = 0; axis < KINI_DIM; axis++)
        for (side = -1; side <= 1; side += 2) {
            float   edge = kini_at(o->centre, axis) + (float)side * (kini_at(o->half, axis) + o->radius);
            float   shift = (edge - kini_at(x, axis)) * (float)side + slide->skin;
            kin_vec way = kini_with(kini_vec_zero(), axis, (float)side);
            if (kini_abs(kini_dot(way, slide->head)) > KINI_HARDLY || shift <= 0 || shift > least) continue;
            least = shift;
            best = kini_scale(way, shift);
        }
    x = slide->x;
    if (kini_is_zero(best) || !kini_shift_freely(world, near, slide, best, left)) return false;
    probe = kini_probe_still(slide->x, kini_scale(v, left), slide->skin);
    probe.left = left;
    probe.bodies = slide->bodies;
    probe.frozen = false;
    if (!kini_first_impact(world, near, &probe, &other) || other.t > 0) return true;
    slide->x = x;
    return false;
}

/* A lip that is lower than the skin is no side, as where two boxes of a floor meet: a body that has a load on it is not
   held off its ground, and may be lower than the next box by rounding. It is lifted over it. */
static bool kini_over_lip(kin_world *world, kini_near *near, kini_slide *slide, const kini_impact *impact, float left)
{
    kin_vec x = kini_madd(slide->x, impact->piece.move, left);
    float   lip;
    if (kini_is_zero(slide->feet) || kini_abs(kini_dot(impact->normal, slide->feet)) > KINI_MOSTLY) return false;
    lip = kini_obstacle_extent(&impact->piece.obstacle, slide->feet) - kini_dot(x, slide->feet);
    if (lip > slide->skin) return false;
    return kini_shift_freely(world, near, slide, kini_scale(slide->feet, lip + slide->skin), left);
}

/* ---- the sweep --------------------------------------------------------------------------------------------------- */

/* A long motion is swept part by part, so that it costs what lies along it rather than what lies in the box around it:
   more parts if it is slanting. One part if something moves meanwhile, or if a step or nudge may look further ahead. */
static float kini_sweep_part(const kin_world *world, const kini_near *near, const kini_slide *slide, kin_vec v,
                             float left)
{
    kin_vec size = kini_magnitudes(kini_scale(v, left));
    float   longest = kini_largest(size), across = 0, most = near->solid.reach + world->desc.unit, parts;
    int     axis, first = 0;
    if (longest <= KINI_LONG_ACROSS * most || near->from < near->to || slide->step_height > 0 || slide->nudge > 0)
        return 1;
    while (kini_at(size, first) < longest) first++;
    for (axis = 0; axis < KINI_DIM; axis++)
        if (axis != first) across = kini_greater(across, kini_at(size, axis));
    parts = kini_greater(longest / (KINI_LONG_SWEEP * most), across / (KINI_LONG_ACROSS * most));
    parts = kini_lesser(parts, KINI_MOST_PARTS * left);
    return parts > 1 ? 1 / (1 + (float)(int)parts) : 1;
}

KINI_PART void kini_slide_run(kin_world *world, kini_near *near, kini_slide *slide)
{
    float left = 1, part;
    bool  nudged = false, again;   /* once is enough: what is still in the way then is no corner */
    int   i;
    slide->count = slide->fits = 0;
    slide->ground_move = kini_vec_zero();   /* that of an earlier interval is made */
    slide->squeezed = slide->stuck = false;
    slide->left = 0;
    slide->kick = kini_vec_zero();
    slide->turned_at = slide->x;
    for (i = 0; i < KINI_MAX_SLIDES;) {
        kini_probe  probe;
        kini_impact impact;
        kin_vec     v;
        if (!kini_slide_motion(slide, &v)) { slide->squeezed = true; slide->left = left; return; }
        if (near->planned && near->ahead > 0 && near->whole && near->count == 0) {   /* its plan holds, in one part */
            slide->x = kini_add(slide->x, v);
            return;
        }
        part = kini_sweep_part(world, near, slide, v, left);
        probe.x = slide->x; probe.travel = kini_scale(v, left * part); probe.left = left; probe.skin = slide->skin;
        probe.deep = 0.5f * near->solid.width; probe.frozen = false; probe.bodies = slide->bodies;
        probe.fits = slide->fits; probe.fit = slide->fit;
        if (part < 1) kini_near_around(world, near, slide->x, probe.travel, 2 * slide->skin);
        else kini_near_cover(world, near, slide->x, probe.travel,
                             (slide->step_height > 0 ? 6 : 2) * slide->skin + slide->nudge);
        if (!kini_first_impact(world, near, &probe, &impact)) {
            if (slide->senses) kini_note_crossed(world, near, &probe, 1);
            slide->x = kini_add(slide->x, probe.travel);
            left *= 1 - part;
            if (part < 1) continue;
            for (again = false; i < KINI_MAX_SLIDES && kini_step_ahead(world, near, slide, v, again); i++) again = true;
            return;
        }
        kini_leave_plan(world, near, &probe, &impact);
        i++;
        slide->stuck = impact.depth > probe.deep && !(impact.piece.flags & KINI_PIECE_MOVER);   /* no way is right */
        slide->x = slide->turned_at = kini_madd(slide->x, probe.travel, impact.t);
        if (slide->senses) kini_note_crossed(world, near, &probe, impact.t);
        left *= 1 - impact.t * part;
        if (slide->stuck) { kini_slide_meet(slide, &impact, v, left); return; }
        if (kini_over_lip(world, near, slide, &impact, left)) continue;
        if (kini_fits(world, near, &impact.piece, slide->x, impact.normal, probe.travel, slide)) continue;
        if (!nudged && kini_nudge(world, near, slide, &impact, v, left)) { nudged = true; continue; }
        if ((impact.edge || !kini_probe_stable(slide, &impact)) &&
            kini_step_up(world, near, slide, v, &left, &impact, slide->skin))
            continue;
        kini_slide_meet(slide, &impact, v, left);
    }
}
