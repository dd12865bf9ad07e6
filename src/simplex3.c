/* SPDX-License-Identifier: MIT OR Unlicense

   simplex3.c: the point of a segment, triangle or tetrahedron that is closest to the origin.

   Sides that the origin lies beyond are asked in turn, and the nearest answer wins: even a sliver gives a point of its
   own. In double precision, because it is a small difference of large numbers when two shapes are close. */
#include "shapes.h"

#if KINI_DIM == 3

static kini_big kini_closest_on_segment(kini_simplex *simplex, kini_big a, kini_big b)
{
    kini_big along = kini_big_sub(b, a);
    double   from_a = -kini_big_dot(a, along), from_b = kini_big_dot(b, along), whole = kini_big_dot(along, along);
    simplex->count = 1;
    simplex->points[0] = a;
    if (!(from_a > 0)) return a;
    simplex->points[0] = b;
    if (!(from_b > 0)) return b;
    simplex->count = 2;
    simplex->points[1] = a;
    return from_a < from_b ? kini_big_madd(a, along, from_a / whole) : kini_big_madd(b, along, -from_b / whole);
}

/* Keeps the nearer of two answers. */
static void kini_keep_nearer(kini_simplex *best, kini_big *closest, const kini_simplex *other, kini_big point)
{
    if (best->count && !(kini_big_dot(point, point) < kini_big_dot(*closest, *closest))) return;
    *best = *other;
    *closest = point;
}

static kini_big kini_closest_on_triangle(kini_simplex *simplex, kini_big a, kini_big b, kini_big c)
{
    kini_big     corners[4], u = kini_big_sub(b, a), v = kini_big_sub(c, a), normal = kini_big_cross(u, v), closest = a;
    kini_simplex side;
    double       size = kini_big_dot(normal, normal);
    bool         sliver = !(size > KINI_SLIVER * kini_big_dot(u, u) * kini_big_dot(v, v));
    int          i;
    corners[0] = a; corners[1] = b; corners[2] = c; corners[3] = a;
    simplex->count = 0;
    for (i = 0; i < 3; i++) {
        kini_big p = corners[i], outward = kini_big_cross(kini_big_sub(corners[i + 1], p), normal);
        if (!sliver && kini_big_dot(outward, p) > 0) continue;
        kini_keep_nearer(simplex, &closest, &side, kini_closest_on_segment(&side, p, corners[i + 1]));
    }
    if (simplex->count) return closest;
    simplex->count = 3;
    simplex->points[0] = a; simplex->points[1] = b; simplex->points[2] = c;
    size = kini_big_dot(a, normal) / size;
    normal.x *= size; normal.y *= size; normal.z *= size;
    return normal;
}

/* Is the origin on the other side of abc than d? Yes also if d is in that plane. */
static bool kini_origin_beyond(kini_big a, kini_big b, kini_big c, kini_big d)
{
    kini_big normal = kini_big_cross(kini_big_sub(b, a), kini_big_sub(c, a));
    kini_big up = kini_big_sub(d, a);
    double   height = kini_big_dot(up, normal), origin = -kini_big_dot(a, normal);
    if (!(height * height > KINI_SLIVER * kini_big_dot(normal, normal) * kini_big_dot(up, up))) return true;
    return height > 0 ? origin <= 0 : origin >= 0;
}

KINI_PART kini_big kini_simplex_closest(kini_simplex *simplex)
{
    static const unsigned char sides[4][4] = { { 0, 1, 2, 3 }, { 0, 1, 3, 2 }, { 0, 2, 3, 1 }, { 1, 2, 3, 0 } };
    const kini_big *p = simplex->points;
    kini_simplex    best, side;
    kini_big        closest = p[0];
    int             i;
    if (simplex->count == 1) return p[0];
    if (simplex->count == 2) return kini_closest_on_segment(simplex, p[0], p[1]);
    if (simplex->count == 3) return kini_closest_on_triangle(simplex, p[0], p[1], p[2]);
    best.count = 0;
    for (i = 0; i < 4; i++) {
        kini_big a = p[sides[i][0]], b = p[sides[i][1]], c = p[sides[i][2]];
        if (!kini_origin_beyond(a, b, c, p[sides[i][3]])) continue;
        kini_keep_nearer(&best, &closest, &side, kini_closest_on_triangle(&side, a, b, c));
    }
    if (best.count) *simplex = best;
    return closest;
}

#endif
