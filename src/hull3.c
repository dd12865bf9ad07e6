/* SPDX-License-Identifier: MIT OR Unlicense

   hull3.c: convex hull of points in space.

   Points are sorted: their order does not matter. Each that is hardly outside of the hull of the others is dropped. The
   hull grows from the others as a closed surface of triangles; at last those in one plane are joined into faces. */
#include "shapes.h"

#if KINI_DIM == 3

enum { KINI_HULL_ROOM = 256 };                  /* points that may be given */
enum { KINI_HULL_ROUNDS = 100 };                /* of one search */

typedef struct kini_facet {
    kini_big normal;             /* twice the area long */
    double   length;
    uint8_t  corner[3];          /* counter-clockwise from outside */
    uint8_t  face;
} kini_facet;

typedef struct kini_hull_work {
    kini_big   at[KIN_MAX_POINTS];
    kini_facet facets[KINI_MAX_FACES];
    int        count, facet_count;
    double     extent;
} kini_hull_work;

/* Length to within 1e-12 of itself: the float root, then one step of Newton. */
static double kini_big_len(kini_big a)
{
    double big = a.x < 0 ? -a.x : a.x, y = a.y < 0 ? -a.y : a.y, z = a.z < 0 ? -a.z : a.z, square, root;
    if (y > big) big = y;
    if (z > big) big = z;
    if (!(big > 0)) return 0;
    a.x /= big; a.y /= big; a.z /= big;
    square = kini_big_dot(a, a);
    root = (double)kini_sqrt((float)square);
    return big * (root + square / root) / 2;
}

static kin_vec kini_big_unit(kini_big a)
{
    double  n = kini_big_len(a);
    kin_vec r = kini_vec_zero();
    if (!(n > 0)) return r;
    r.x = (float)(a.x / n); r.y = (float)(a.y / n); r.z = (float)(a.z / n);
    return r;
}

/* ---- corners ----------------------------------------------------------------------------------------------------- */

static bool kini_vec_before(kin_vec a, kin_vec b)
{
    if (a.x < b.x || a.x > b.x) return a.x < b.x;
    if (a.y < b.y || a.y > b.y) return a.y < b.y;
    return a.z < b.z;
}

/* The point that lies furthest against `direction`, relative to the one left out. */
static kini_big kini_hull_furthest(const kin_vec *points, int count, int out, kini_big direction)
{
    kini_big best = kini_big_of(kini_vec_zero()), from = kini_big_of(points[out]);
    double   least = 0;
    int      i, found = 0;
    for (i = 0; i < count; i++) {
        kini_big p = kini_big_sub(kini_big_of(points[i]), from);
        double   s = kini_big_dot(p, direction);
        if (i == out || (found++ && !(s < least))) continue;
        least = s;
        best = p;
    }
    return best;
}

/* Is this point further than `slack` from the hull of the others? The search ends as soon as that is decided. */
static bool kini_hull_is_corner(const kin_vec *points, int count, int which, double slack)
{
    kini_simplex near;
    kini_big     closest = kini_big_sub(kini_big_of(points[which == 0]), kini_big_of(points[which])), next;
    int          round;
    near.points[0] = closest;
    near.count = 1;
    for (round = 0; round < KINI_HULL_ROUNDS; round++) {
        double size = kini_big_dot(closest, closest), s;
        if (size <= slack * slack) return false;
        next = kini_hull_furthest(points, count, which, closest);
        s = kini_big_dot(closest, next);
        if (s > 0 && s * s > slack * slack * size) return true;
        near.points[near.count++] = next;
        closest = kini_simplex_closest(&near);
        if (near.count == 4) return false;
    }
    return true;
}

/* ---- the closed surface ----------------------------------------------------------------------------------------- */

static void kini_facet_add(kini_hull_work *work, int a, int b, int c)
{
    kini_facet *facet = &work->facets[work->facet_count++];
    kini_big    from = work->at[a];
    facet->corner[0] = (uint8_t)a; facet->corner[1] = (uint8_t)b; facet->corner[2] = (uint8_t)c;
    facet->normal = kini_big_cross(kini_big_sub(work->at[b], from), kini_big_sub(work->at[c], from));
    facet->length = kini_big_len(facet->normal);
    facet->face = 0;
}

static double kini_facet_height(const kini_hull_work *work, const kini_facet *facet, int corner)
{
    double height = kini_big_dot(facet->normal, kini_big_sub(work->at[corner], work->at[facet->corner[0]]));
    return facet->length > 0 ? height / facet->length : 0;
}

/* The corner furthest from corner 0, from the line from there to another one, or from the plane of the only facet so
   far; -1 if none is further away than `least`. */
static int kini_hull_next(const kini_hull_work *work, int other, double least, bool *above)
{
    kini_big along = kini_big_sub(work->at[other], work->at[0]);
    int      i, best = -1;
    for (i = 1; i < work->count; i++) {
        kini_big way = kini_big_sub(work->at[i], work->at[0]);
        double   size = work->facet_count > 0 ? kini_facet_height(work, &work->facets[0], i)
                                              : kini_big_len(other > 0 ? kini_big_cross(along, way) : way);
        if (!(size > least || -size > least)) continue;
        least = size < 0 ? -size : size;
        best = i;
        *above = size > 0;
    }
    return best;
}

/* Replaces the facets that a corner sees. Bit b of rim[a]: one of them has the edge from a to b, none its twin. */
static bool kini_hull_grow(kini_hull_work *work, int corner)
{
    uint32_t rim[KIN_MAX_POINTS];
    int      i, k, kept = 0, ties;
    for (i = 0; i < work->count; i++) rim[i] = 0;
    for (i = 0; i < work->facet_count; i++) {
        const kini_facet *facet = &work->facets[i];
        if (!(kini_facet_height(work, facet, corner) > work->extent * KINI_HULL_SIGHT)) {
            work->facets[kept++] = *facet;
            continue;
        }
        for (k = 0; k < 3; k++) rim[facet->corner[k]] |= (uint32_t)1 << facet->corner[(k + 1) % 3];
    }
    work->facet_count = kept;
    for (i = 0; i < work->count; i++) {
        ties = 0;
        for (k = 0; k < work->count; k++) {
            if (!(rim[i] >> k & 1) || (rim[k] >> i & 1)) continue;
            if (ties++ || work->facet_count == KINI_MAX_FACES) return false;
            kini_facet_add(work, i, k, corner);
        }
    }
    return work->facet_count > kept;
}

/* ---- flat hulls and faces ---------------------------------------------------------------------------------------- */

/* All corners in the plane of the first facet: nothing lies to the right of the edge from each corner to the next. */
static void kini_hull_flat(const kini_hull_work *work, kini_hull *out)
{
    kini_big normal = work->facets[0].normal;
    int      i, k, next;
    out->normals[0] = kini_big_unit(normal);
    out->normals[1] = kini_neg(out->normals[0]);
    out->face_count = 2;
    for (i = 0; i < work->count; i++) {
        next = i == 0;
        for (k = 0; k < work->count; k++) {
            kini_big a = kini_big_sub(work->at[next], work->at[i]), b = kini_big_sub(work->at[k], work->at[i]);
            if (k != i && kini_big_dot(kini_big_cross(a, b), normal) < 0) next = k;
        }
        out->edges[i][0] = (uint8_t)i;
        out->edges[i][1] = (uint8_t)next;
        out->sides[i][1] = 1;
    }
    out->edge_count = work->count;
}

/* The facet on the other side of an edge of a facet; -1 if there is none. */
static int kini_facet_beyond(const kini_hull_work *work, int facet, int side)
{
    int a = work->facets[facet].corner[side], b = work->facets[facet].corner[(side + 1) % 3], i, k;
    for (i = 0; i < work->facet_count; i++)
        for (k = 0; k < 3; k++)
            if (work->facets[i].corner[k] == b && work->facets[i].corner[(k + 1) % 3] == a) return i;
    return -1;
}

/* Do the corners of two faces lie in one plane, across the mean of their normals? */
static bool kini_faces_are_flush(const kini_hull_work *work, int one, int other)
{
    kini_big normal = kini_big_of(kini_vec_zero());
    double   lo = 0, hi = 0, h;
    int      i, k, from = -1;
    for (i = 0; i < work->facet_count; i++) {
        const kini_facet *f = &work->facets[i];
        if (f->face == one || f->face == other) normal = kini_big_madd(normal, f->normal, 1);
    }
    for (i = 0; i < work->facet_count; i++) {
        const kini_facet *f = &work->facets[i];
        if (f->face != one && f->face != other) continue;
        if (from < 0) from = f->corner[0];
        for (k = 0; k < 3; k++) {
            h = kini_big_dot(normal, kini_big_sub(work->at[f->corner[k]], work->at[from]));
            if (h < lo) lo = h;
            if (h > hi) hi = h;
        }
    }
    return hi - lo <= work->extent * KINI_HULL_MERGE / 2 * kini_big_len(normal);
}

/* Joins faces on both sides of an edge that lie in one plane; the lower number stays. */
static void kini_hull_join(kini_hull_work *work)
{
    int i, k, edge;
    for (i = 0; i < work->facet_count; i++) work->facets[i].face = (uint8_t)i;
    for (edge = 0; edge < 3 * work->facet_count; edge++) {
        const kini_facet *f = &work->facets[edge / 3], *g = &work->facets[kini_facet_beyond(work, edge / 3, edge % 3)];
        uint8_t stays = f->face < g->face ? f->face : g->face, goes = f->face < g->face ? g->face : f->face;
        if (stays == goes || kini_big_dot(f->normal, g->normal) < KINI_HULL_FLAT * f->length * g->length) continue;
        if (!kini_faces_are_flush(work, stays, goes)) continue;
        for (k = 0; k < work->facet_count; k++)
            if (work->facets[k].face == goes) work->facets[k].face = stays;
    }
}

/* Faces numbered from 0 on, with their normals. A new number is never above the old one, so none is taken twice. */
static void kini_hull_faces(kini_hull_work *work, kini_hull *out)
{
    int i, k;
    for (i = 0; i < work->facet_count; i++) {
        kini_big sum = kini_big_of(kini_vec_zero());
        if (work->facets[i].face != i) continue;
        for (k = i; k < work->facet_count; k++) {
            if (work->facets[k].face != i) continue;
            sum = kini_big_madd(sum, work->facets[k].normal, 1);
            work->facets[k].face = (uint8_t)out->face_count;
        }
        out->normals[out->face_count++] = kini_big_unit(sum);
    }
}

static void kini_hull_edges(const kini_hull_work *work, kini_hull *out)
{
    int i, k;
    for (i = 0; i < work->facet_count; i++)
        for (k = 0; k < 3; k++) {
            int a = work->facets[i].corner[k], b = work->facets[i].corner[(k + 1) % 3];
            int other = kini_facet_beyond(work, i, k);
            if (a > b || work->facets[i].face == work->facets[other].face) continue;
            out->edges[out->edge_count][0] = (uint8_t)a;
            out->edges[out->edge_count][1] = (uint8_t)b;
            out->sides[out->edge_count][0] = work->facets[i].face;
            out->sides[out->edge_count++][1] = work->facets[other].face;
        }
}

/* Around the tetrahedron of corners 0, b, c and an apex below them. */
static bool kini_hull_surface(kini_hull_work *work, kini_hull *out, int b, int c, int apex)
{
    int i;
    work->facet_count = 0;
    kini_facet_add(work, 0, b, c);
    kini_facet_add(work, b, 0, apex);
    kini_facet_add(work, c, b, apex);
    kini_facet_add(work, 0, c, apex);
    for (i = 1; i < work->count; i++)
        if (i != b && i != c && i != apex && !kini_hull_grow(work, i)) return false;
    for (i = 0; i < 3 * work->facet_count; i++)
        if (kini_facet_beyond(work, i / 3, i % 3) < 0) return false;
    if (work->facet_count != 2 * work->count - 4) return false;
    kini_hull_join(work);
    kini_hull_faces(work, out);
    kini_hull_edges(work, out);
    return true;
}

KINI_PART bool kini_hull_build(kini_hull *out, const kin_vec *points, int count)
{
    kin_vec        corners[KINI_HULL_ROOM], lo, hi;
    kini_hull_work work;
    float          extent;
    double         flat;
    int            i, k, far, wide, apex;
    bool           above = false;
    if (count < 1 || count > KINI_HULL_ROOM) return false;
    for (i = 0; i < count; i++)
        if (!kini_vec_finite(points[i])) return false;
    kini_clear(out, sizeof *out);
    kini_points_box(points, count, &lo, &hi);
    extent = kini_largest(kini_sub(hi, lo));
    if (!(kini_largest(kini_upper(kini_magnitudes(lo), kini_magnitudes(hi))) <= KINI_LARGEST_SHAPE)) return false;
    kini_copy(corners, points, (size_t)count * sizeof *points);
    KINI_SORT(kin_vec, corners, count, kini_vec_before(*a, *b));
    for (i = 0; i < count;) {   /* drops points that are no corners */
        if (count == 1 || kini_hull_is_corner(corners, count, i, (double)extent * KINI_HULL_MERGE)) { i++; continue; }
        count--;
        for (k = i; k < count; k++) corners[k] = corners[k + 1];
    }
    if (count > KIN_MAX_POINTS) return false;
    for (i = 0; i < count; i++) {
        out->points[i] = corners[i];
        work.at[i] = kini_big_of(corners[i]);
    }
    out->count = work.count = count;
    work.extent = (double)extent;
    work.facet_count = 0;
    far = kini_hull_next(&work, 0, 0, &above);
    if (far < 0) return true;
    flat = work.extent * KINI_HULL_MERGE;
    wide = kini_hull_next(&work, far, flat * kini_big_len(kini_big_sub(work.at[far], work.at[0])), &above);
    if (wide < 0) {   /* all on a line */
        out->points[1] = out->points[far];
        out->count = 2;
        out->edges[0][1] = 1;
        out->edge_count = 1;
        return true;
    }
    kini_facet_add(&work, 0, far, wide);
    apex = kini_hull_next(&work, 0, flat / 2, &above);
    if (apex < 0) { kini_hull_flat(&work, out); return true; }
    return kini_hull_surface(&work, out, above ? wide : far, above ? far : wide, apex);
}

#endif
