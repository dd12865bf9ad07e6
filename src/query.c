/* SPDX-License-Identifier: MIT OR Unlicense

   query.c: rays, shape casts and overlaps.

   A cast is a point against each thing grown by the shape that is cast (obstacle.c); a ray casts a shape without
   extent, but with a second look at what it only grazes, so that no ray slips through the seam of two boxes. The
   trees offer candidates in no particular order, so the nearest hit wins, of those it starts in the deepest, and of
   equal ones the lower slot: answers do not depend on how the trees came to be. What starts inside hits at once, and
   the normal is then the shortest way out. */
#include "internal.h"

/* ---- one thing --------------------------------------------------------------------------------------------------- */

/* Of two hits the earlier one, of two that a shape starts in the deeper one, then that with the lower number. */
KINI_PART bool kini_is_nearer(const kin_hit *a, float gap, const kin_hit *b, float other)
{
    if (a->t < b->t || a->t > b->t) return a->t < b->t;
    if (gap < other || gap > other) return gap < other;
    return a->id.slot != b->id.slot ? a->id.slot < b->id.slot : a->part < b->part;
}

KINI_PART bool kini_ask_piece(kini_ask *ask, const kini_obstacle *obstacle, int32_t part)
{
    kin_vec out;
    ask->next.part = part;
    if (!ask->casts) ask->gap = kini_lesser(ask->gap, kini_obstacle_gap(obstacle, kini_vec_zero(), &out));
    if (!ask->casts ||
        !kini_obstacle_ray(obstacle, kini_vec_zero(), ask->travel, &ask->next.t, &ask->next.normal)) return false;
    ask->next_gap = ask->next.t > 0 ? 0 : kini_obstacle_gap(obstacle, kini_vec_zero(), &out);
    return !ask->found || kini_is_nearer(&ask->next, ask->next_gap, &ask->hit, ask->gap);
}

KINI_PART void kini_ask_keep(kini_ask *ask)
{
    ask->found = true;
    ask->hit = ask->next;
    ask->gap = ask->next_gap;
}

static void kini_ask_shape(kini_ask *ask, const kini_thing *thing)
{
    kini_solid    piece = kini_solid_of(ask->world, thing);
    kini_obstacle obstacle;
    kini_sum      room;
    kini_obstacle_make(&obstacle, &room, &piece, kini_pose(kini_sub(thing->p, ask->at.p), thing->q), ask->solid,
                       ask->at.q);
    if (kini_ask_piece(ask, &obstacle, -1)) kini_ask_keep(ask);
}

static void kini_ask_thing(kini_ask *ask, uint32_t slot)
{
    const kini_thing *thing = &ask->world->things.at[slot];
    ask->found = false;
    ask->gap = KINI_FLT_MAX;
    ask->next.id = kini_id_of(ask->world, slot);
    if (thing->form == KINI_FORM_SHAPE) kini_ask_shape(ask, thing);
    else if (thing->form == KINI_FORM_TILES) kini_ask_tiles(ask, slot);
    else kini_ask_mesh(ask, slot);
}

KINI_PART bool kini_thing_cast(const kin_world *world, uint32_t slot, const kini_solid *solid, kin_pose from,
                               kin_vec travel, uint32_t skip, kin_hit *hit, float *gap)
{
    kini_ask ask;
    ask.world = world; ask.solid = solid; ask.at = from; ask.travel = travel; ask.skip = skip; ask.casts = true;
    kini_ask_thing(&ask, slot);
    if (!ask.found) return false;
    *hit = ask.hit;
    *gap = ask.gap;
    from.p = kini_madd(from.p, travel, hit->t);
    if (world->things.at[slot].form == KINI_FORM_TILES)
        hit->part = kini_tiles_part(world, slot, hit->part, solid, from, hit->normal);
    hit->point = kini_point_on(world, slot, hit->part, solid, from, hit->normal);
    return true;
}

KINI_PART float kini_thing_gap(const kin_world *world, uint32_t slot, const kini_solid *solid, kin_pose at,
                               uint32_t skip)
{
    kini_ask ask;
    ask.world = world; ask.solid = solid; ask.at = at; ask.travel = kini_vec_zero(); ask.skip = skip; ask.casts = false;
    kini_ask_thing(&ask, slot);
    return ask.gap;
}

static uint32_t kini_skipped(const kin_filter *filter) { return filter->sensors ? 0u : (uint32_t)KINI_SENSOR; }

/* Boxes in the broad phase are rounded, shapes relative to each other are not: looks a little further. */
KINI_PART void kini_search_box(const kini_solid *solid, kin_pose at, kin_vec *lo, kin_vec *hi)
{
    kin_vec slack;
    kini_solid_bounds(solid, at, lo, hi);
    slack = kini_all(2 * kini_ulp(kini_largest(kini_upper(kini_magnitudes(*lo), kini_magnitudes(*hi)))));
    *lo = kini_sub(*lo, slack);
    *hi = kini_add(*hi, slack);
}

/* ---- casts ------------------------------------------------------------------------------------------------------- */

typedef struct kini_search {
    const kin_world  *world;
    const kini_solid *solid;
    const kini_solid *line;             /* of a ray: without extent, while `solid` has a little; else NULL */
    kin_filter        filter;
    kin_pose          from;
    kin_vec           travel, lo, hi;   /* box around the shape where it starts */
    kin_hit           best;
    float             gap;              /* to that at the start; negative: it starts inside */
    float             slack;            /* a tree may be wrong about where its boxes begin by this part of the travel */
    bool              hit;
    kin_id           *out;              /* of an overlap: the things found, */
    int               capacity, found;  /* ... of which so many fit */
} kini_search;

/* Takes the little extent off again, where the surface is met frontally enough for that. */
static void kini_come_closer(const kini_search *search, kin_hit *hit)
{
    float into = -kini_dot(search->travel, hit->normal), t;
    if (!(hit->t > 0) || into < 0.1f * kini_len(search->travel)) return;
    t = kini_lesser(hit->t + search->solid->radius / into, 1);
    hit->point = kini_madd(hit->point, search->travel, t - hit->t);
    hit->t = t;
}

/* A ray is as exact as a line where a line hits. Where it only grazes, what has a little extent decides, unless it
   starts there: leaving a surface, or going along it, is no hit. */
static bool kini_cast_at(const kini_search *search, uint32_t slot, kin_hit *hit, float *gap)
{
    const kin_world *world = search->world;
    uint32_t         skip = kini_skipped(&search->filter);
    kin_hit          exact;
    if (!kini_thing_cast(world, slot, search->solid, search->from, search->travel, skip, hit, gap)) return false;
    if (!search->line) return true;
    if (!kini_thing_cast(world, slot, search->line, search->from, search->travel, skip, &exact, gap)) {
        kini_come_closer(search, hit);
        return hit->t > 0;
    }
    *hit = exact;
    return true;
}

static float kini_cast_visit(void *context, int32_t item)
{
    kini_search *search = (kini_search *)context;
    kin_hit      hit;
    float        gap;
    if (kini_filter_takes(search->world, &search->filter, (uint32_t)item) &&
        kini_cast_at(search, (uint32_t)item, &hit, &gap) &&
        (!search->hit || kini_is_nearer(&hit, gap, &search->best, search->gap))) {
        search->hit = true;
        search->best = hit;
        search->gap = gap;
    }
    return search->hit ? search->best.t + search->slack : 1;
}

static bool kini_search_casts(kini_search *search, kin_hit *hit)
{
    kin_vec most = kini_upper(kini_magnitudes(search->lo), kini_magnitudes(search->hi));
    float   length = kini_len(search->travel), size = kini_largest(most) + length;
    int     kind;
    search->slack = length > 0 ? 1e-6f + 8 * kini_ulp(size) / length : 1;
    search->hit = false;
    for (kind = KIN_STATIC; kind <= KIN_BODY; kind++)
        kini_tree_visit(&search->world->trees[kind], search->lo, search->hi, search->travel, kini_cast_visit, search);
    if (search->hit && hit) *hit = search->best;
    return search->hit;
}

static bool kini_begin_search(const kin_world *world, const char *call, const kin_filter *filter, kin_hit *hit,
                              kini_search *out)
{
    if (hit) kini_clear(hit, sizeof *hit);
    if (!kini_check_world(world, call) || !kini_check_filter(world, call, filter, &out->filter)) return false;
    out->world = world;
    out->line = NULL;
    out->found = 0;
    return true;
}

/* Of a question about a shape; `where` names its pose. */
static bool kini_begin_shape(const char *call, const kin_shape *shape, const char *where, kin_pose at,
                             kini_solid *solid, kini_hull *room, kini_search *out)
{
    if (!kini_check_pointer(out->world, call, "shape", shape)) return false;
    if (!kini_check_shape(out->world, call, shape, solid, room)) return false;
    if (!kini_check_vec(out->world, call, where, at.p, KINI_FURTHEST)) return false;
    if (!kini_check_rot(out->world, call, where, &at.q)) return false;
    out->solid = solid;
    out->from = at;
    kini_search_box(solid, at, &out->lo, &out->hi);
    return true;
}

KIN_API bool kin_cast_ray(const kin_world *world, kin_vec from, kin_vec travel, const kin_filter *filter, kin_hit *hit)
{
    const char *call = "kin_cast_ray";
    kini_search search;
    kini_solid  line, thread;
    if (!kini_begin_search(world, call, filter, hit, &search)) return false;
    if (!kini_check_vec(world, call, "from", from, KINI_FURTHEST)) return false;
    if (!kini_check_vec(world, call, "travel", travel, KINI_FURTHEST)) return false;
    kini_clear(&line, sizeof line);
    thread = line;
    thread.radius = KINI_GRAZE * world->desc.unit +
                    2 * kini_ulp(kini_largest(kini_magnitudes(from)) + kini_len(travel));
    search.solid = &thread;
    search.line = &line;
    search.from = kini_pose(from, kini_unturned());
    search.travel = travel;
    kini_search_box(&thread, search.from, &search.lo, &search.hi);
    return kini_search_casts(&search, hit);
}

KIN_API bool kin_cast_shape(const kin_world *world, const kin_shape *shape, kin_pose from, kin_vec travel,
                            const kin_filter *filter, kin_hit *hit)
{
    const char *call = "kin_cast_shape";
    kini_search search;
    kini_solid  solid;
    kini_hull   room;
    if (!kini_begin_search(world, call, filter, hit, &search)) return false;
    if (!kini_begin_shape(call, shape, "from", from, &solid, &room, &search)) return false;
    if (!kini_check_vec(world, call, "travel", travel, KINI_FURTHEST)) return false;
    search.travel = travel;
    return kini_search_casts(&search, hit);
}

/* ---- overlaps ---------------------------------------------------------------------------------------------------- */

static float kini_overlap_visit(void *context, int32_t item)
{
    kini_search *search = (kini_search *)context;
    uint32_t     slot = (uint32_t)item, skip = kini_skipped(&search->filter);
    if (kini_filter_takes(search->world, &search->filter, slot) &&
        kini_thing_gap(search->world, slot, search->solid, search->from, skip) < 0)
        kini_keep_id(search->out, search->found++, search->capacity, kini_id_of(search->world, slot));
    return 1;
}

KIN_API int kin_overlap(const kin_world *world, const kin_shape *shape, kin_pose at, const kin_filter *filter,
                        kin_id *out, int capacity)
{
    const char *call = "kin_overlap";
    kini_search search;
    kini_solid  solid;
    kini_hull   room;
    int         kind;
    if (!kini_begin_search(world, call, filter, NULL, &search)) return 0;
    if (!kini_begin_shape(call, shape, "at", at, &solid, &room, &search)) return 0;
    if (!kini_check_list(world, call, out, capacity)) return 0;
    search.out = out;
    search.capacity = capacity;
    for (kind = KIN_STATIC; kind <= KIN_BODY; kind++)
        kini_tree_visit(&world->trees[kind], search.lo, search.hi, kini_vec_zero(), kini_overlap_visit, &search);
    kini_sort_ids(out, search.found < capacity ? search.found : capacity);
    return search.found;
}
