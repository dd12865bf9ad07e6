/* SPDX-License-Identifier: MIT OR Unlicense

   filter.c: which things collide, and with which of their surfaces.

   Two things collide if each one's layer is in the other's mask, both are enabled and alive, and the game did not tell
   the pair to ignore each other, nor says no when it is asked. Ignored pairs are few: a sorted list, and a flag on each
   thing that is in it. Of a piece only some surfaces count: not those hidden by its grid, not the back of a one-way. */
#include "internal.h"

/* ---- ignored pairs ----------------------------------------------------------------------------------------------- */

static kini_pair kini_pair_of(uint32_t a, uint32_t b)
{
    kini_pair pair;
    pair.a = a < b ? a : b;
    pair.b = a < b ? b : a;
    return pair;
}

/* Is the pair in the list? It is at `at`, or would be. */
static bool kini_find_pair(const kin_world *world, kini_pair pair, int32_t *at)
{
    int32_t lo = 0, hi = world->ignored.count;
    while (lo < hi) {
        int32_t   middle = lo + (hi - lo) / 2;
        kini_pair other = world->ignored.at[middle];
        if (other.a != pair.a ? other.a < pair.a : other.b < pair.b) lo = middle + 1;
        else hi = middle;
    }
    *at = lo;
    return lo < world->ignored.count && world->ignored.at[lo].a == pair.a && world->ignored.at[lo].b == pair.b;
}

/* Sets the flag, or clears it if no pair names the thing any more. */
static void kini_review_ignores(kin_world *world, uint32_t slot)
{
    kini_thing *thing = &world->things.at[slot];
    int32_t     i;
    kini_set_flag(thing, KINI_IGNORES, false);
    for (i = 0; i < world->ignored.count; i++)
        if (world->ignored.at[i].a == slot || world->ignored.at[i].b == slot) thing->flags |= KINI_IGNORES;
}

KINI_PART bool kini_ignore_pair(kin_world *world, const char *call, uint32_t a, uint32_t b, bool ignore)
{
    kini_pair pair = kini_pair_of(a, b);
    int32_t   i, at;
    if (kini_find_pair(world, pair, &at) == ignore) return true;
    if (world->things.at[a].kind == KIN_BODY) kini_wake(world, world->things.at[a].row);
    if (world->things.at[b].kind == KIN_BODY) kini_wake(world, world->things.at[b].row);
    if (ignore) {
        if (!kini_grow(world, &world->ignored, sizeof *world->ignored.at, world->ignored.count + 1))
            return kini_refuse(world, call, "memory", "was not given");
        for (i = world->ignored.count++; i > at; i--) world->ignored.at[i] = world->ignored.at[i - 1];
        world->ignored.at[at] = pair;
    } else
        kini_cut_rows(&world->ignored, sizeof *world->ignored.at, at, 1);
    kini_review_ignores(world, a);
    kini_review_ignores(world, b);
    return true;
}

KINI_PART void kini_forget_ignored(kin_world *world, uint32_t slot)
{
    int32_t i, kept = 0, count = world->ignored.count;
    for (i = 0; i < count; i++)
        if (world->ignored.at[i].a != slot && world->ignored.at[i].b != slot)
            world->ignored.at[kept++] = world->ignored.at[i];
    world->ignored.count = kept;
}

#if defined(__GNUC__) && !defined(__TINYC__)
#define KINI_COUNT_BY(at, amount) __atomic_add_fetch(at, amount, __ATOMIC_RELAXED)
#else
#define KINI_COUNT_BY(at, amount) (*(at) += (amount))
#endif

/* Asks the game. Several threads may, with questions outside a step; what it asks the world meanwhile inside one, and
   all too deep within each other, is answered by layers. */
static bool kini_ask_game(const kin_world *world, uint32_t body, uint32_t other)
{
    int32_t open = KINI_COUNT_BY(world->asking.at, 1);
    bool    yes = open > (world->stage ? 1 : KINI_MOST_ASKING) ||
                  world->desc.collide(world, kini_id_of(world, body), kini_id_of(world, other), world->desc.user);
    KINI_COUNT_BY(world->asking.at, -1);
    return yes;
}

/* In a step the answer is kept; before stage 3 has asked, layers decide. */
static bool kini_collides(const kin_world *world, kini_pair pair)
{
    const kini_thing *a = &world->things.at[pair.a], *b = &world->things.at[pair.b];
    uint32_t          body = a->kind == KIN_BODY ? pair.a : pair.b, other = a->kind == KIN_BODY ? pair.b : pair.a;
    bool              afresh = world->stage == 0 || world->in_callback || world->asking.at[0] > 0, yes;
    kini_answers     *answers;
    int32_t           i;
    if ((a->kind != KIN_BODY && b->kind != KIN_BODY) || !(afresh || world->answering)) return true;
    if (afresh) return kini_ask_game(world, body, other);
    answers = &world->answers.at[world->things.at[body].row];
    for (i = 0; i < answers->count; i++)
        if (answers->others[i] == other) return (answers->yes >> i & 1) != 0;
    world->bodies.at[world->things.at[body].row].calm = false;
    if (world->things.at[other].kind == KIN_BODY) world->bodies.at[world->things.at[other].row].calm = false;
    if (answers->count == KINI_ANSWERS) { answers->full = true; return true; }
    yes = kini_ask_game(world, body, other);
    answers->others[answers->count] = other;
    answers->yes |= (uint32_t)yes << answers->count;
    answers->count++;
    return yes;
}

KINI_PART bool kini_meets(const kin_world *world, uint32_t a, uint32_t b)
{
    const kini_thing *s = &world->things.at[a], *t = &world->things.at[b];
    int               out = KINI_DISABLED | KINI_REMOVED | (world->stage ? KINI_PENDING : 0);
    int32_t           at;
    if (((s->flags | t->flags) & out) || !(s->layer & t->mask) || !(t->layer & s->mask)) return false;
    if ((t->flags & KINI_ATTACHED) && world->statics.at[t->row].attach.slot == a) return false;   /* its own sensor */
    if ((s->flags & KINI_ATTACHED) && world->statics.at[s->row].attach.slot == b) return false;
    if ((s->flags & t->flags & KINI_IGNORES) && kini_find_pair(world, kini_pair_of(a, b), &at)) return false;
    return !world->desc.collide || kini_collides(world, kini_pair_of(a, b));
}

KINI_PART bool kini_pair_solid(const kin_world *world, uint32_t a, uint32_t b)
{
    const kini_thing *s = &world->things.at[a], *t = &world->things.at[b];
    if ((s->flags | t->flags) & KINI_SENSOR) return false;
    return world->bodies.at[s->row].options.push != KIN_INTANGIBLE &&
           world->bodies.at[t->row].options.push != KIN_INTANGIBLE;
}

/* Not if one of them was teleported or changed since, or if the game has said that they do not hold each other. */
KINI_PART bool kini_still_beside(const kin_world *world, uint32_t body, uint32_t other)
{
    if (!kini_takes_part(world, other)) return false;
    if ((world->things.at[body].flags | world->things.at[other].flags) & (KINI_SHIFTED | KINI_RESHAPED | KINI_SENSOR))
        return false;
    if (!kini_meets(world, body, other)) return false;
    return world->things.at[other].kind != KIN_BODY || kini_pair_solid(world, body, other);
}

/* ---- surfaces of a piece ----------------------------------------------------------------------------------------- */

static kin_vec kini_better_face(kin_vec best, kin_vec normal, kin_vec out)
{
    return kini_dot(normal, out) > kini_dot(best, out) ? normal : best;
}

/* The face that a one-way blocks with: of a slope its sloping face; a round solid blocks in the direction itself. */
KINI_PART kin_vec kini_outward_face(const kini_solid *solid, kin_rot turn, kin_vec out)
{
    kin_vec best = kini_vec_zero();
    int     i;
    for (i = 0; solid->hull && i < solid->hull->face_count; i++)
        best = kini_better_face(best, kini_rotate(turn, solid->hull->normals[i]), out);
    for (i = 0; !solid->hull && kini_smallest(solid->half) > 0 && i < KINI_DIM; i++) {
        kin_vec normal = kini_rotate(turn, kini_with(kini_vec_zero(), i, 1));
        best = kini_better_face(kini_better_face(best, normal, out), kini_neg(normal), out);
    }
    return kini_dot(best, out) >= 0.5f ? best : out;
}

/* A one-way blocks a body that was beyond its outward face at x, before the motion. */
KINI_PART bool kini_one_way_blocks(const kini_piece *piece, kin_vec x, kin_vec normal)
{
    kin_vec out = piece->one_way;
    return kini_dot(normal, out) > 0.05f &&
           kini_dot(x, out) >= kini_obstacle_extent(&piece->obstacle, out) - piece->slop;
}

/* The same for a motion from outside, along `way`. Near the end of a tilted platform a corner of the body is below the
   face before anything touches: the body is then taken back along the face's normal, by at most half its width. */
KINI_PART bool kini_one_way_stops(const kini_piece *piece, kin_vec x, kin_vec way, kin_vec normal)
{
    float against = -kini_dot(way, piece->one_way);
    if (against > 0) x = kini_madd(x, piece->one_way, piece->deep * against);
    return kini_one_way_blocks(piece, x, normal);
}

/* The same for a body that overlaps it at x and was at `before`; not if it came in by another side. */
KINI_PART bool kini_one_way_holds(const kini_piece *piece, kin_vec before, kin_vec x, kin_vec normal)
{
    kin_vec met;
    float   t;
    if (!kini_one_way_blocks(piece, before, normal)) return false;
    if (!kini_obstacle_ray(&piece->obstacle, before, kini_sub(x, before), &t, &met) || !(t > 0)) return true;
    return kini_one_way_blocks(piece, before, met);
}

KINI_PART bool kini_is_hidden(const kini_piece *piece, kin_vec normal)
{
    kin_vec local;
    int     axis;
    if (piece->hidden == 0) return false;
    local = kini_unrotate(piece->turn, normal);
    for (axis = 0; axis < KINI_DIM; axis++) {
        float s = kini_at(local, axis);
        if (s < -0.999f && (piece->hidden >> (2 * axis) & 1)) return true;
        if (s > 0.999f && (piece->hidden >> (2 * axis + 1) & 1)) return true;
    }
    return false;
}

KINI_PART int kini_piece_ways(const kini_piece *piece, kin_vec x, kin_vec start, kini_way *ways, int capacity)
{
    int   i, kept = 0, count = kini_obstacle_ways(&piece->obstacle, x, ways, capacity);
    bool  flat = !kini_is_zero(piece->face);
    float side = kini_dot(piece->face, start) - piece->level;
    for (i = 0; i < count; i++) {
        float towards = kini_dot(piece->face, ways[i].axis);
        if (kini_is_hidden(piece, ways[i].axis)) continue;
        /* A body leaves a face without inside towards the side on which it was. */
        if (flat && !(side > 0 ? towards > -1e-3f : towards < 1e-3f)) continue;
        ways[kept++] = ways[i];
    }
    return kept;
}

/* Corrects the normal of a body that overlaps the piece: no side that the grid hides, and no edge of a mesh face. */
KINI_PART void kini_inner_normal(const kini_piece *piece, kin_vec x, kin_vec *normal)
{
    kini_way ways[KINI_MAX_WAYS];
    bool     flat = !kini_is_zero(piece->face);
    int      i, count;
    if (!flat && !kini_is_hidden(piece, *normal)) return;
    count = kini_piece_ways(piece, x, x, ways, KINI_MAX_WAYS);
    for (i = 0; i < count && ways[i].length <= piece->deep; i++) {
        if (flat && kini_abs(kini_dot(ways[i].axis, piece->face)) < 0.999f) continue;
        *normal = ways[i].axis;
        return;
    }
}

/* Does the normal belong to an edge or a corner of the piece, not to a face? A round solid has no edges. */
KINI_PART bool kini_is_edge_normal(const kin_world *world, int index, kin_vec normal)
{
    const kini_piece *piece = &world->pieces.at[index];
    const kini_solid *solid = &world->solids.at[index];
    kin_vec           local = kini_unrotate(piece->turn, normal);
    int               i;
    if (!kini_is_zero(piece->face)) return kini_abs(kini_dot(piece->face, normal)) <= KINI_SAME_FACE;
    if (solid->radius > 0) return false;
    if (!solid->hull) return kini_largest(kini_magnitudes(local)) <= KINI_SAME_FACE;
    for (i = 0; i < solid->hull->face_count; i++)
        if (kini_dot(solid->hull->normals[i], local) > KINI_SAME_FACE) return false;
    return true;
}

/* How far along `out` the point lies that a body at x touches with this normal. */
static float kini_level_of(const kini_near *near, kin_vec x, kin_vec normal, float gap, kin_vec out)
{
    kin_vec half, foot = kini_foot(&near->solid, kini_pose(x, near->turn), normal, &half);
    return kini_dot(kini_madd(foot, normal, -gap), out);
}

/* Does piece i keep a body at x from an edge `gap` away? It is in between, or its face is flush with the edge. */
static bool kini_covers(const kin_world *world, const kini_near *near, int i, kin_vec x, kin_vec normal, float gap)
{
    const kini_obstacle *o = &world->pieces.at[i].obstacle;
    kin_vec              there = kini_madd(x, normal, -gap), then, now;
    float                unit = world->desc.unit, flush = KINI_OVERLAP * unit, left;
    if (kini_largest(kini_sub(kini_magnitudes(kini_sub(there, o->centre)), o->half)) > o->radius + KINI_TOUCH * unit)
        return false;
    left = kini_obstacle_gap(o, x, &now);
    if (left <= -flush) return false;   /* it presses the body now */
    if (kini_obstacle_gap(o, there, &then) < -KINI_UNDER_EDGE * unit && kini_dot(then, normal) > 0) return true;
    if (left > gap + flush || kini_dot(now, normal) <= 0 || kini_is_edge_normal(world, i, now)) return false;
    return kini_level_of(near, x, normal, gap, now) <= kini_level_of(near, x, now, left, now) + flush;
}

/* Would the body hit another piece before this edge? E.g. the edge between two floor pieces under a round body. */
KINI_PART bool kini_is_covered(const kin_world *world, const kini_near *near, int index, kin_vec x, kin_vec normal,
                               float gap)
{
    const kini_piece *edge = &world->pieces.at[index];
    int               i;
    if (!kini_is_edge_normal(world, index, normal)) return false;
    if (!kini_is_zero(edge->face) && kini_is_inner(world, edge, normal)) return true;
    for (i = 0; i < near->count; i++) {
        uint32_t flags = world->pieces.at[i].flags;
        if (i == index || (flags & (KINI_SENSOR | KINI_ONE_WAY | KINI_PIECE_BODY))) continue;
        if ((flags ^ edge->flags) & KINI_PIECE_MOVER) continue;   /* it will not stay there */
        if (kini_covers(world, near, i, x, normal, gap)) return true;
    }
    return false;
}

/* ---- queries ----------------------------------------------------------------------------------------------------- */

KINI_PART bool kini_check_filter(const kin_world *world, const char *call, const kin_filter *filter, kin_filter *out)
{
    kini_clear(out, sizeof *out);
    if (filter) *out = *filter;
    if (out->layer == 0) out->layer = 1;
    if (out->mask == 0) out->mask = 0xFFFFFFFFu;
    if (out->ignored_count < 0)
        return kini_refuse_number(world, call, "filter.ignored_count", "is negative", (float)out->ignored_count);
    if (out->ignored_count > 0 && !kini_check_pointer(world, call, "filter.ignored", out->ignored)) return false;
    return kini_is_nobody(out->ignore) || kini_check_id(world, call, "filter.ignore", out->ignore);
}

/* Is it this one, or a part of it? */
static bool kini_belongs_to(const kin_world *world, uint32_t slot, kin_id id)
{
    const kini_thing *thing = &world->things.at[slot];
    if (kini_is_nobody(id)) return false;
    return kin_same(kini_id_of(world, slot), id) ||
           ((thing->flags & KINI_ATTACHED) && kin_same(world->statics.at[thing->row].attach, id));
}

KINI_PART bool kini_filter_takes(const kin_world *world, const kin_filter *filter, uint32_t slot)
{
    const kini_thing *thing = &world->things.at[slot];
    int               i;
    if (thing->flags & (KINI_DISABLED | KINI_REMOVED)) return false;
    if ((thing->flags & KINI_SENSOR) && !filter->sensors) return false;
    if (!(thing->layer & filter->mask) || !(filter->layer & thing->mask)) return false;
    for (i = 0; i < filter->ignored_count; i++)
        if (kini_belongs_to(world, slot, filter->ignored[i])) return false;
    return !kini_belongs_to(world, slot, filter->ignore);
}
