/* SPDX-License-Identifier: MIT OR Unlicense

   hull2.c: the convex hull of points in the plane.

   Begins with the two ends of the longer side of their box, and puts into each side the point that lies furthest
   beyond it, until none does (quickhull). Then corners that stick out by no more than rounding are dropped. */
#include "shapes.h"

#if KINI_DIM == 2

/* With room for corners that turn out to lie along a side. */
typedef struct kini_ring { kin_vec at[2 * KIN_MAX_POINTS]; int count; } kini_ring;

static kin_vec kini_ring_at(const kini_ring *ring, int i) { return ring->at[(i + ring->count) % ring->count]; }

/* The point furthest along one axis, up or down; of equal ones that with the least other coordinate. */
static kin_vec kini_end_point(const kin_vec *points, int count, int axis, float sign)
{
    kin_vec best = points[0];
    int     i;
    for (i = 1; i < count; i++) {
        float ahead = (kini_at(points[i], axis) - kini_at(best, axis)) * sign;
        if (ahead > 0 || (!(ahead < 0) && kini_at(points[i], 1 - axis) < kini_at(best, 1 - axis))) best = points[i];
    }
    return best;
}

/* The point furthest outside of the side a..b by more than `least`; of nearly equal ones the last along the side. */
static int kini_furthest_beyond(const kin_vec *points, int count, kin_vec a, kin_vec b, float least)
{
    kin_vec side = kini_unit(kini_sub(b, a));
    float   most = least, last = 0;
    int     i, best = -1;
    for (i = 0; i < count; i++) most = kini_greater(most, kini_area(kini_sub(points[i], a), side));
    if (!(most > least)) return -1;
    for (i = 0; i < count; i++) {
        kin_vec arm = kini_sub(points[i], a);
        float   beyond = kini_area(arm, side), along = kini_dot(arm, side);
        if (beyond < most - least || !(beyond > least) || (best >= 0 && !(along > last))) continue;
        best = i;
        last = along;
    }
    return best;
}

static void kini_ring_prune(kini_ring *ring, float least)
{
    int i = 0, k;
    while (i < ring->count && ring->count > 2) {
        float out = kini_distance_to_segment(ring->at[i], kini_ring_at(ring, i - 1), kini_ring_at(ring, i + 1));
        if (out > least) { i++; continue; }
        ring->count--;
        for (k = i; k < ring->count; k++) ring->at[k] = ring->at[k + 1];
        i = 0;
    }
}

/* Lengths are divided, not multiplied by an inverse: sides along an axis get exact normals. */
static kin_vec kini_side_normal(kin_vec a, kin_vec b)
{
    kin_vec side = kini_sub(b, a), n;
    float   big = kini_largest(kini_magnitudes(side)), length;
    n.x = side.y / big;
    n.y = -side.x / big;
    length = kini_len(n);
    n.x /= length;
    n.y /= length;
    return n;
}

static bool kini_ring_grow(kini_ring *ring, const kin_vec *points, int count, float least)
{
    int i = 0, k;
    while (i < ring->count) {
        int best = kini_furthest_beyond(points, count, ring->at[i], kini_ring_at(ring, i + 1), least);
        if (best < 0) { i++; continue; }
        if (ring->count == 2 * KIN_MAX_POINTS) return false;
        for (k = ring->count++; k > i + 1; k--) ring->at[k] = ring->at[k - 1];
        ring->at[i + 1] = points[best];
    }
    return true;
}

KINI_PART bool kini_hull_build(kini_hull *out, const kin_vec *points, int count)
{
    kini_ring ring;
    kin_vec   lo, hi, size;
    int       i, axis;
    for (i = 0; i < count; i++) if (!kini_vec_finite(points[i])) return false;
    if (count < 1) return false;
    kini_points_box(points, count, &lo, &hi);
    size = kini_sub(hi, lo);
    if (!kini_vec_finite(size)) return false;
    axis = size.x < size.y ? 1 : 0;
    ring.count = kini_largest(size) > 0 ? 2 : 1;
    ring.at[0] = kini_end_point(points, count, axis, -1);
    ring.at[1] = kini_end_point(points, count, axis, 1);
    if (ring.count > 1) {
        float least = kini_largest(size) * KINI_COLLINEAR;
        if (!kini_ring_grow(&ring, points, count, least)) return false;
        kini_ring_prune(&ring, least);
    }
    if (ring.count > KIN_MAX_POINTS) return false;
    kini_clear(out, sizeof *out);
    out->count = ring.count;
    out->face_count = ring.count > 1 ? ring.count : 0;
    for (i = 0; i < ring.count; i++) out->points[i] = ring.at[i];
    for (i = 0; i < out->face_count; i++) out->normals[i] = kini_side_normal(ring.at[i], kini_ring_at(&ring, i + 1));
    return true;
}

#endif
