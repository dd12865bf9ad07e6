/* SPDX-License-Identifier: MIT OR Unlicense

   simplex3.c: the point of a segment, triangle or tetrahedron that is closest to the origin.

   A simplex is taken apart into its sides: those that the origin lies beyond are asked in turn, and the nearest
   answer wins. That costs a little more than deciding by regions, but a sliver whose regions are lost in
   rounding still gives a point of its own, never one beyond it. */
#include "internal.h"

#if KINI_DIM == 3

#define KINI_SLIVER 1e-11f   /* squared sine of the angle below which three points count as a line */

static kin_vec kini_closest_on_segment(kini_simplex *simplex, kin_vec a, kin_vec b)
{
    kin_vec along = kini_sub(b, a);
    float   from_a = -kini_dot(a, along), from_b = kini_dot(b, along), whole = kini_len2(along);
    simplex->count = 1;
    simplex->points[0] = a;
    if (!(from_a > 0)) return a;
    simplex->points[0] = b;
    if (!(from_b > 0)) return b;
    simplex->count = 2;
    simplex->points[1] = a;
    a = from_a < from_b ? kini_madd(a, along, from_a / whole) : kini_madd(b, along, -from_b / whole);
    return kini_madd(a, along, -kini_dot(a, along) / whole);   /* close to the line rounding has left it askew */
}

/* Keeps the nearer of two answers. */
static void kini_keep_nearer(kini_simplex *best, kin_vec *closest, const kini_simplex *other, kin_vec point)
{
    if (best->count && !(kini_len2(point) < kini_len2(*closest))) return;
    *best = *other;
    *closest = point;
}

static kin_vec kini_closest_on_triangle(kini_simplex *simplex, kin_vec a, kin_vec b, kin_vec c)
{
    kin_vec      corners[4], normal = kini_cross(kini_sub(b, a), kini_sub(c, a)), closest = kini_vec_zero();
    kini_simplex side;
    float        size = kini_len2(normal);
    bool         sliver = !(size > KINI_SLIVER * kini_len2(kini_sub(b, a)) * kini_len2(kini_sub(c, a)));
    int          i;
    corners[0] = a; corners[1] = b; corners[2] = c; corners[3] = a;
    simplex->count = 0;
    for (i = 0; i < 3; i++) {
        kin_vec p = corners[i], outward = kini_cross(kini_sub(corners[i + 1], p), normal);
        if (!sliver && kini_dot(outward, p) > 0) continue;
        kini_keep_nearer(simplex, &closest, &side, kini_closest_on_segment(&side, p, corners[i + 1]));
    }
    if (simplex->count) return closest;
    simplex->count = 3;
    simplex->points[0] = a; simplex->points[1] = b; simplex->points[2] = c;
    return kini_scale(normal, kini_dot(a, normal) / size);
}

/* Is the origin on the other side of abc than d? Yes also if d is in that plane. */
static bool kini_origin_beyond(kin_vec a, kin_vec b, kin_vec c, kin_vec d)
{
    kin_vec normal = kini_cross(kini_sub(b, a), kini_sub(c, a));
    float   height = kini_dot(kini_sub(d, a), normal), origin = -kini_dot(a, normal);
    float   least = KINI_SLIVER * kini_len2(normal) * kini_len2(kini_sub(d, a));
    if (!(height * height > least)) return true;
    return height > 0 ? origin <= 0 : origin >= 0;
}

static kin_vec kini_closest_on_tetrahedron(kini_simplex *simplex)
{
    static const unsigned char sides[4][4] = { { 0, 1, 2, 3 }, { 0, 1, 3, 2 }, { 0, 2, 3, 1 }, { 1, 2, 3, 0 } };
    const kin_vec *p = simplex->points;
    kini_simplex   best, side;
    kin_vec        closest = kini_vec_zero();
    int            i;
    best.count = 0;
    for (i = 0; i < 4; i++) {
        kin_vec a = p[sides[i][0]], b = p[sides[i][1]], c = p[sides[i][2]];
        if (!kini_origin_beyond(a, b, c, p[sides[i][3]])) continue;
        kini_keep_nearer(&best, &closest, &side, kini_closest_on_triangle(&side, a, b, c));
    }
    if (best.count) *simplex = best;
    return closest;
}

KINI_PART kin_vec kini_simplex_closest(kini_simplex *simplex)
{
    const kin_vec *p = simplex->points;
    if (simplex->count == 1) return p[0];
    if (simplex->count == 2) return kini_closest_on_segment(simplex, p[0], p[1]);
    if (simplex->count == 3) return kini_closest_on_triangle(simplex, p[0], p[1], p[2]);
    return kini_closest_on_tetrahedron(simplex);
}

#endif
