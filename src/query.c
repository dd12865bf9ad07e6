/* SPDX-License-Identifier: MIT OR Unlicense

   query.c: rays, shape casts, overlaps, distances, room.

   A cast is a point against each thing grown by the shape that is cast (obstacle.c); a ray casts a shape without
   extent, but with a second look at what it only grazes, so that no ray slips through the seam of two boxes. The
   nearest hit wins, of those it starts in the deepest, of equal ones the lower slot, however the trees came to be.
   What starts inside hits at once, and the normal is then the shortest way out. */
#include "things.h"

/* ---- one thing --------------------------------------------------------------------------------------------------- */

/* The earlier hit; of two at the start that with the smaller gap there; then the lower number. */
KINI_PART bool kini_is_nearer(const kin_hit *a, float gap, const kin_hit *b, float other)
{
    if (a->t < b->t || a->t > b->t) return a->t < b->t;
    if (gap < other || gap > other) return gap < other;
    return a->id.slot != b->id.slot ? a->id.slot < b->id.slot : a->part < b->part;
}

/* A ray is grown by ask->graze, which is taken off again where it meets the surface frontally enough. */
static bool kini_ask_ray(kini_ask *ask, const kini_obstacle *obstacle)
{
    kini_obstacle grown = *obstacle;
    kin_hit      *next = &ask->next;
    float         into;
    if (kini_obstacle_ray(obstacle, kini_vec_zero(), ask->travel, &next->t, &next->normal)) return true;
    if (!(ask->graze > 0)) return false;
    grown.radius += ask->graze;
    if (!kini_obstacle_ray(&grown, kini_vec_zero(), ask->travel, &next->t, &next->normal)) return false;
    into = -kini_dot(ask->travel, next->normal);
    if (next->t > 0 && into >= KINI_HARDLY * kini_len(ask->travel))
        next->t = kini_lesser(next->t + ask->graze / into, 1);
    return true;
}

KINI_PART void kini_ask_piece(kini_ask *ask, kini_piece *piece, uint32_t flags)
{
    kini_way ways[KINI_MAX_WAYS];
    kin_vec  x = kini_vec_zero(), out;
    piece->slop = KINI_SLOP * ask->world->desc.unit;
    piece->deep = 0.5f * ask->solid->width;
    ask->next.part = piece->part;
    ask->piece = &piece->obstacle;
    if (!ask->casts) ask->next_gap = kini_obstacle_gap(ask->piece, x, &ask->next.normal);
    else if (!kini_ask_ray(ask, ask->piece)) return;
    else ask->next_gap = ask->next.t > 0 ? 0 : kini_obstacle_gap(ask->piece, x, &out);
    if ((flags & KINI_ONE_WAY) && (ask->skip & KINI_OUTWARD_ONLY) &&
        !kini_one_way_stops(piece, x, kini_unit(ask->travel), ask->next.normal)) return;
    if (kini_is_hidden(piece, ask->next.normal) && kini_piece_ways(piece, x, x, ways, KINI_MAX_WAYS) > 0) {
        ask->next.normal = ways[0].axis;
        if (!ask->casts) ask->next_gap = -ways[0].length;
    }
    if (!(ask->found ? kini_is_nearer(&ask->next, ask->next_gap, &ask->hit, ask->gap) : ask->next_gap < ask->gap))
        return;
    if (ask->each && !ask->each(ask)) return;
    ask->found = true;
    ask->hit = ask->next;
    ask->gap = ask->next_gap;
}

KINI_PART void kini_ask_box(const kini_ask *ask, kin_vec *lo, kin_vec *hi)
{
    kini_solid_bounds(ask->solid, ask->at, lo, hi);
    *lo = kini_sub(*lo, kini_all(ask->reach));
    *hi = kini_add(*hi, kini_all(ask->reach));
}

static void kini_ask_shape(kini_ask *ask, const kini_thing *thing)
{
    kini_solid solid = kini_solid_of(ask->world, thing);
    kini_piece piece;
    kini_sum   room;
    kini_obstacle_make(&piece.obstacle, &room, &solid, kini_pose(kini_sub(thing->p, ask->at.p), thing->q), ask->solid,
                       ask->at.q);
    piece.part = -1;
    piece.hidden = 0;
    if (thing->flags & KINI_ONE_WAY)
        piece.one_way = kini_outward_face(&solid, thing->q, kini_one_way_of(ask->world, ask->next.id.slot));
    kini_ask_piece(ask, &piece, thing->flags);
}

static void kini_ask_more(kini_ask *ask, uint32_t slot)
{
    const kini_thing *thing = &ask->world->things.at[slot];
    ask->next.id = kini_id_of(ask->world, slot);
    if (kini_is_tiles(thing)) kini_ask_tiles(ask, slot);
    else if (kini_is_mesh(thing)) kini_ask_mesh(ask, slot);
    else kini_ask_shape(ask, thing);
}

KINI_PART bool kini_ask_thing(kini_ask *ask, uint32_t slot)
{
    ask->found = false;
    ask->gap = ask->limit;
    kini_ask_more(ask, slot);
    return ask->found;
}

KINI_PART kin_hit kini_full_hit(const kini_ask *ask, kin_hit hit)
{
    kin_pose at = kini_pose(kini_madd(ask->at.p, ask->travel, hit.t), ask->at.q);
    if (kini_is_tiles(&ask->world->things.at[hit.id.slot]) && !ask->apart)
        hit.part = kini_tiles_part(ask->world, hit.id.slot, hit.part, ask->solid, at, hit.normal);
    hit.point = kini_point_on(ask->world, hit.id.slot, hit.part, ask->solid, at, hit.normal);
    return hit;
}

KINI_PART kini_ask kini_question(const kin_world *world, const kini_solid *solid, kin_pose at, uint32_t skip)
{
    kini_ask ask;
    kini_clear(&ask, sizeof ask);
    ask.world = world;
    ask.solid = solid;
    ask.at = at;
    ask.skip = skip;
    ask.limit = KINI_FLT_MAX;
    return ask;
}

KINI_PART bool kini_thing_cast(const kin_world *world, uint32_t slot, const kini_solid *solid, kin_pose from,
                               kin_vec travel, kin_hit *hit)
{
    kini_ask ask = kini_question(world, solid, from, KINI_SENSOR);
    ask.travel = travel;
    ask.casts = ask.sides = true;
    if (!kini_ask_thing(&ask, slot)) return false;
    *hit = kini_full_hit(&ask, ask.hit);
    return true;
}

KINI_PART float kini_thing_gap(const kin_world *world, uint32_t slot, const kini_solid *solid, kin_pose at,
                               uint32_t skip)
{
    kini_ask ask = kini_question(world, solid, at, skip);
    kini_ask_thing(&ask, slot);
    return ask.gap;
}

KINI_PART void kini_search_box(const kini_solid *solid, kin_pose at, kin_vec *lo, kin_vec *hi)
{
    kin_vec slack;
    kini_solid_bounds(solid, at, lo, hi);
    slack = kini_all(2 * kini_ulp(kini_largest(kini_upper(kini_magnitudes(*lo), kini_magnitudes(*hi)))));
    *lo = kini_sub(*lo, slack);
    *hi = kini_add(*hi, slack);
}

KINI_PART void kini_ask_all(kini_ask *ask, int last, kini_visit_fn *visit)
{
    kin_vec lo, hi, far = kini_all(ask->reach);
    int     kind;
    kini_search_box(ask->solid, ask->at, &lo, &hi);
    for (kind = KIN_STATIC; kind <= last; kind++)
        kini_tree_visit(&ask->world->trees[kind], kini_sub(lo, far), kini_add(hi, far), ask->travel, visit, ask);
}

KINI_PART void kini_keep_best(kini_ask *ask)
{
    if (ask->any && !kini_is_nearer(&ask->hit, ask->gap, &ask->best, ask->best_gap)) return;
    ask->any = true;
    ask->best = ask->hit;
    ask->best_gap = ask->gap;
}

/* ---- many things ------------------------------------------------------------------------------------------------- */

enum { KINI_ROOM_TRIES = 256 };         /* places at which a search for room looks */

typedef struct kini_search {
    kini_ask   ask;                     /* must come first: its `each` and visitors get no other pointer */
    kin_filter filter;
    bool       all, contacts;           /* hits, or else things: all, or else the best; with depths, or else ids */
    float      slack;                   /* a tree may be wrong about where its boxes begin by this part of the travel */
    float      graze;                   /* of a ray: it hits what it misses by this; else 0 */
    void      *out;                     /* where all answers go, */
    int        capacity, found;         /* ... of which so many fit */
    int        way_count;
    kini_way   ways[KINI_MAX_WAYS];     /* out of the deepest piece */
    kini_solid solid;
    kini_hull  room;
} kini_search;

/* The last word of the game about the part that is asked. */
static bool kini_part_taken(kini_ask *ask)
{
    const kin_filter *filter = &((kini_search *)ask)->filter;
    return !filter->takes || filter->takes(ask->next.id, ask->next.part, filter->user);
}

/* A kin_contact is a kin_hit with normal and point in the other order, and gap for t: one function lists both. */
typedef char kini_hits_are_contacts[sizeof(kin_hit) == sizeof(kin_contact) && offsetof(kin_hit, t) ==
                                    offsetof(kin_contact, gap) ? 1 : -1];

/* In order of t, or of gaps where they start inside: t is negative there until the end. */
static void kini_list(kini_search *search, kin_hit hit, float gap)
{
    int      i = search->found < search->capacity ? search->found : search->capacity;
    kin_hit  full = kini_full_hit(&search->ask, hit), above;
    char    *place = (char *)search->out;
    search->found++;
    if (search->capacity == 0) return;
    hit = full;
    if (!(hit.t > 0)) hit.t = gap;
    if (search->contacts) { hit.point = full.normal; hit.normal = full.point; }
    for (place += (size_t)i * sizeof hit; i > 0; i--, place -= sizeof hit) {
        kini_copy(&above, place - sizeof hit, sizeof above);
        if (!kini_is_nearer(&hit, 0, &above, 0)) break;
        if (i < search->capacity) kini_copy(place, &above, sizeof above);
    }
    if (i < search->capacity) kini_copy(place, &hit, sizeof hit);
}

static bool kini_list_part(kini_ask *ask)
{
    if (ask->graze > 0 && !(ask->next.t > 0)) return false;   /* the ray leaves it */
    if (kini_part_taken(ask)) kini_list((kini_search *)ask, ask->next, ask->next_gap);
    return false;
}

/* Of a question about a ray or a shape; `where` names its pose. */
static bool kini_begin_search(const kin_world *world, const char *call, const kin_filter *filter, bool ray,
                              const kin_shape *shape, const char *where, kin_pose at, kini_search *out)
{
    kini_clear(out, sizeof *out - sizeof out->room);
    if (!kini_check_world(world, call) || !kini_check_filter(world, call, filter, &out->filter)) return false;
    if (!ray && !kini_check_shape(world, call, shape, &out->solid, &out->room)) return false;
    if (!kini_check_vec(world, call, where, at.p, KINI_FURTHEST)) return false;
    if (!kini_check_rot(world, call, where, &at.q)) return false;
    out->ask = kini_question(world, &out->solid, at, out->filter.sensors ? 0u : (uint32_t)KINI_SENSOR);
    out->ask.sides = true;
    out->ask.apart = out->filter.takes != NULL;
    out->ask.each = kini_part_taken;
    return true;
}

/* ---- casts ------------------------------------------------------------------------------------------------------- */

/* A ray is as exact as a line where a line hits. Where it only grazes, what has a little extent decides, unless it
   starts there: leaving a surface, or going along it, is no hit. */
static bool kini_cast_at(kini_search *search, uint32_t slot)
{
    kini_ask *ask = &search->ask, grazed;
    ask->graze = search->graze;
    if (!kini_ask_thing(ask, slot) || !(ask->graze > 0)) return ask->found;
    grazed = *ask;
    ask->graze = 0;
    if (kini_ask_thing(ask, slot)) return true;
    *ask = grazed;
    return ask->hit.t > 0;
}

static float kini_cast_visit(void *context, int32_t item)
{
    kini_search *search = (kini_search *)context;
    kini_ask    *ask = &search->ask;
    uint32_t     slot = (uint32_t)item;
    bool         hit = kini_filter_takes(ask->world, &search->filter, slot) && kini_cast_at(search, slot);
    if (hit && search->all) {
        ask->each = kini_list_part;
        kini_ask_thing(ask, slot);
        ask->each = kini_part_taken;
    } else if (hit) {
        kini_keep_best(ask);
    }
    return ask->any ? ask->best.t + search->slack : 1;
}

/* The first hit, or all of them, of a shape or, without one, of a ray. */
static int kini_cast(const kin_world *world, const char *call, bool ray, const kin_shape *shape, kin_pose from,
                     kin_vec travel, const kin_filter *filter, bool all, kin_hit *out, int capacity)
{
    kini_search search;
    float       length = kini_len(travel), size = kini_largest(kini_magnitudes(from.p)) + length;
    int         i;
    if (out && !all) kini_clear(out, sizeof *out);
    if (!kini_begin_search(world, call, filter, ray, shape, "from", from, &search)) return 0;
    if (!kini_check_vec(world, call, "travel", travel, KINI_FURTHEST)) return 0;
    if (all && !kini_check_list(world, call, out, capacity)) return 0;
    search.graze = search.ask.reach = ray ? KINI_GRAZE * world->desc.unit + 2 * kini_ulp(size) : 0;
    search.slack = length > 0 ? KINI_SAME_HIT + 8 * kini_ulp(size + search.solid.reach) / length : 1;
    search.ask.travel = travel;
    search.ask.casts = true;
    search.ask.apart |= all;
    search.all = all;
    search.out = out;
    search.capacity = capacity;
    kini_ask_all(&search.ask, KIN_BODY, kini_cast_visit);
    for (i = 0; all && i < capacity && i < search.found; i++) out[i].t = kini_greater(out[i].t, 0);
    if (search.ask.any && out) *out = kini_full_hit(&search.ask, search.ask.best);
    return all ? search.found : search.ask.any;
}

KIN_API bool kin_cast_ray(const kin_world *world, kin_vec from, kin_vec travel, const kin_filter *filter, kin_hit *hit)
{
    return kini_cast(world, __func__, true, NULL, kini_pose(from, kini_unturned()), travel, filter, false, hit, 1) > 0;
}

KIN_API int kin_cast_ray_all(const kin_world *world, kin_vec from, kin_vec travel, const kin_filter *filter,
                             kin_hit *out, int capacity)
{
    kin_pose at = kini_pose(from, kini_unturned());
    return kini_cast(world, __func__, true, NULL, at, travel, filter, true, out, capacity);
}

KIN_API bool kin_cast_shape(const kin_world *world, const kin_shape *shape, kin_pose from, kin_vec travel,
                            const kin_filter *filter, kin_hit *hit)
{
    return kini_cast(world, "kin_cast_shape", false, shape, from, travel, filter, false, hit, 1) > 0;
}

KIN_API int kin_cast_shape_all(const kin_world *world, const kin_shape *shape, kin_pose from, kin_vec travel,
                               const kin_filter *filter, kin_hit *out, int capacity)
{
    return kini_cast(world, "kin_cast_shape_all", false, shape, from, travel, filter, true, out, capacity);
}

/* ---- overlaps and distances -------------------------------------------------------------------------------------- */

static float kini_near_visit(void *context, int32_t item)
{
    kini_search *search = (kini_search *)context;
    kini_ask    *ask = &search->ask;
    if (!kini_filter_takes(ask->world, &search->filter, (uint32_t)item) || !kini_ask_thing(ask, (uint32_t)item))
        return 1;
    if (search->contacts) kini_list(search, ask->hit, ask->gap);
    else kini_keep_id((kin_id *)search->out, search->found++, search->capacity, ask->hit.id);
    return 1;
}

/* Things nearer than `reach`, and how many: their ids, or contacts. */
static int kini_find_near(const kin_world *world, const char *call, const kin_shape *shape, kin_pose at, float reach,
                          const kin_filter *filter, bool contacts, void *out, int capacity)
{
    kini_search search;
    if (!kini_begin_search(world, call, filter, false, shape, "at", at, &search)) return 0;
    if (!kini_check_number(world, call, "reach", reach, 0, KINI_FURTHEST, "")) return 0;
    if (!kini_check_list(world, call, out, capacity)) return 0;
    search.ask.limit = search.ask.reach = reach;
    search.ask.apart |= contacts;
    search.contacts = contacts;
    search.out = out;
    search.capacity = capacity;
    kini_ask_all(&search.ask, KIN_BODY, kini_near_visit);
    return search.found;
}

KIN_API int kin_overlap(const kin_world *world, const kin_shape *shape, kin_pose at, const kin_filter *filter,
                        kin_id *out, int capacity)
{
    return kini_find_near(world, "kin_overlap", shape, at, 0, filter, false, out, capacity);
}

KIN_API int kin_overlap_contacts(const kin_world *world, const kin_shape *shape, kin_pose at, const kin_filter *filter,
                                 kin_contact *out, int capacity)
{
    return kini_find_near(world, "kin_overlap_contacts", shape, at, 0, filter, true, out, capacity);
}

KIN_API bool kin_closest(const kin_world *world, const kin_shape *shape, kin_pose at, float reach,
                         const kin_filter *filter, kin_contact *out)
{
    if (out) kini_clear(out, sizeof *out);
    return kini_find_near(world, "kin_closest", shape, at, reach, filter, true, out, 1) > 0;
}

static bool kini_note_ways(kini_ask *ask)
{
    kini_search *search = (kini_search *)ask;
    if (!kini_part_taken(ask)) return false;
    search->way_count = kini_obstacle_ways(ask->piece, kini_vec_zero(), search->ways, KINI_MAX_WAYS);
    return true;
}

static float kini_room_visit(void *context, int32_t item)
{
    kini_search *search = (kini_search *)context;
    if (kini_filter_takes(search->ask.world, &search->filter, (uint32_t)item))
        kini_ask_more(&search->ask, (uint32_t)item);
    return 1;
}

/* From spot to spot, nearest first: out of the deepest overlap, every way that separates. Tried spots are far away. */
KIN_API bool kin_find_room(const kin_world *world, const kin_shape *shape, kin_pose at, float reach,
                           const kin_filter *filter, kin_vec *out)
{
    kin_vec     spots[KINI_ROOM_TRIES], x = kini_vec_zero();
    float       away[KINI_ROOM_TRIES], skin;
    kini_search search;
    int         i, k, best = 0, count = 1;
    if (!kini_begin_search(world, __func__, filter, false, shape, "at", at, &search)) return false;
    if (!kini_check_number(world, __func__, "reach", reach, 0, KINI_FURTHEST, "")) return false;
    if (!kini_check_pointer(world, __func__, "out", out)) return false;
    skin = KINI_SKIN * world->desc.unit;
    search.ask.each = kini_note_ways;
    for (spots[0] = x, away[0] = 0; away[best] <= reach;) {
        x = spots[best];
        *out = search.ask.at.p = kini_add(at.p, x);
        search.ask.found = false;
        search.ask.gap = 0;
        kini_ask_all(&search.ask, KIN_BODY, kini_room_visit);
        if (!search.ask.found) return true;
        away[best] = KINI_FLT_MAX;
        for (i = 0; i < search.way_count && count < KINI_ROOM_TRIES; i++) {
            spots[count] = kini_madd(x, search.ways[i].axis, search.ways[i].length + skin);
            away[count] = kini_len(spots[count]);
            for (k = 0; kini_largest(kini_magnitudes(kini_sub(spots[k], spots[count]))) > skin; k++) {}
            count += k == count && away[count] <= reach;
        }
        for (i = 0; i < count; i++)
            if (away[i] < away[best]) best = i;
    }
    kini_clear(out, sizeof *out);
    return false;
}
