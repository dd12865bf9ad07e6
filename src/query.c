/* SPDX-License-Identifier: MIT OR Unlicense

   query.c: rays, shape casts and overlaps.

   A cast is a point against each thing grown by the shape that is cast (obstacle.c); a ray casts a shape without
   extent, but with a second look at what it only grazes, so that no ray slips through the seam of two boxes. The
   nearest hit wins, of equal ones the lower slot, so answers do not depend on the shape of the trees. A cast that
   starts inside hits at once, and the normal is then the shortest way out. */
#include "internal.h"

/* ---- one thing --------------------------------------------------------------------------------------------------- */

KINI_PART bool kini_thing_cast(const kin_world *world, uint32_t slot, const kini_solid *solid, kin_pose from,
                               kin_vec travel, uint32_t skip, kin_hit *hit)
{
    const kini_thing *thing = &world->things.at[slot];
    kini_solid        piece;
    kini_obstacle     obstacle;
    kini_sum          room;
    hit->id = kini_id_of(world, slot);
    if (thing->form == KINI_FORM_TILES) return kini_tiles_cast(world, slot, solid, from, travel, skip, hit);
    if (thing->form == KINI_FORM_MESH) return kini_mesh_cast(world, slot, solid, from, travel, hit);
    piece = kini_solid_of(world, thing);
    kini_obstacle_make(&obstacle, &room, &piece, kini_pose(kini_sub(thing->p, from.p), thing->q), solid, from.q);
    if (!kini_obstacle_ray(&obstacle, kini_vec_zero(), travel, &hit->t, &hit->normal)) return false;
    hit->point = from.p = kini_madd(from.p, travel, hit->t);
    hit->part = -1;
    if (solid->reach > 0)
        hit->point = kini_touch_point(&piece, kini_pose(thing->p, thing->q), solid, from, hit->normal);
    return true;
}

KINI_PART float kini_thing_gap(const kin_world *world, uint32_t slot, const kini_solid *solid, kin_pose at,
                               uint32_t skip)
{
    const kini_thing *thing = &world->things.at[slot];
    kini_solid        piece;
    kini_obstacle     obstacle;
    kini_sum          room;
    kin_vec           normal;
    if (thing->form == KINI_FORM_TILES) return kini_tiles_gap(world, slot, solid, at, skip);
    if (thing->form == KINI_FORM_MESH) return kini_mesh_gap(world, slot, solid, at);
    piece = kini_solid_of(world, thing);
    kini_obstacle_make(&obstacle, &room, &piece, kini_pose(kini_sub(thing->p, at.p), thing->q), solid, at.q);
    return kini_obstacle_gap(&obstacle, kini_vec_zero(), &normal);
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
    float             slack;            /* a tree may be wrong about where its boxes begin by this part of the travel */
    bool              hit;
    kin_id           *out;              /* of an overlap: the things found, */
    int               capacity, found;  /* ... of which so many fit */
} kini_search;

static bool kini_is_nearer(const kin_hit *a, const kin_hit *b)
{
    if (a->t < b->t || a->t > b->t) return a->t < b->t;
    return a->id.slot != b->id.slot ? a->id.slot < b->id.slot : a->part < b->part;
}

/* Takes the ray's little extent off again, unless it hits the surface at too flat an angle. */
static void kini_come_closer(const kini_search *search, kin_hit *hit)
{
    float into = -kini_dot(search->travel, hit->normal), t;
    if (!(hit->t > 0) || into < 0.1f * kini_len(search->travel)) return;
    t = kini_lesser(hit->t + search->solid->radius / into, 1);
    hit->point = kini_madd(hit->point, search->travel, t - hit->t);
    hit->t = t;
}

/* A ray is as exact as a line where a line hits. Where it only grazes, the thread with a little extent decides, unless
   it starts there: leaving a surface, or going along it, is no hit. */
static bool kini_cast_at(const kini_search *search, uint32_t slot, kin_hit *hit)
{
    uint32_t skip = kini_skipped(&search->filter);
    kin_hit  exact;
    if (!kini_thing_cast(search->world, slot, search->solid, search->from, search->travel, skip, hit)) return false;
    if (!search->line) return true;
    if (!kini_thing_cast(search->world, slot, search->line, search->from, search->travel, skip, &exact)) {
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
    if (kini_filter_takes(search->world, &search->filter, (uint32_t)item) &&
        kini_cast_at(search, (uint32_t)item, &hit) &&
        (!search->hit || kini_is_nearer(&hit, &search->best))) {
        search->hit = true;
        search->best = hit;
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
