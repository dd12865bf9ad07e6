/* SPDX-License-Identifier: MIT OR Unlicense

   weld.c: which faces of a mesh meet, found when its tree is built.

   A side of a face is the edge from a corner to the next one, in 2D the corner itself. Its neighbour is the one other
   face with a side that it lies on: the same edge, with points shared or doubled, or a longer one (a T-junction, where
   the longer side stays open). A side of no neighbour, or of more than one, is open. A contact on an edge or a corner
   counts only if no neighbour reaches further along its normal: flat and hollow edges never do, convex ones between the
   normals of their faces. A fold that is hollow on one side is convex on the other. */
#include "things.h"

enum { KINI_MOST_AROUND = 64 };                /* faces near one corner; among more all sides are open */

static kin_vec kini_corner(const kini_web *web, int32_t face, int i)
{
    return web->points[web->corners[face * KINI_DIM + i % KINI_DIM]];
}

KINI_PART void kini_web_face(const kini_web *web, int32_t face, kin_vec *points)
{
    int i;
    for (i = 0; i < KINI_DIM; i++) points[i] = kini_corner(web, face, i);
}

/* Which corner of a face is at this place; -1: none. */
static int kini_corner_at(const kini_web *web, int32_t face, kin_vec place)
{
    int i = KINI_DIM - 1;
    while (i >= 0 && !kini_is_zero(kini_sub(kini_corner(web, face, i), place))) i--;
    return i;
}

/* Finds the neighbour of a side; gives the least cosine to faces where it begins, -1 if open or on a longer one. */
static float kini_weld_side(const kini_web *web, const kini_tree *tree, int32_t number, int i)
{
    kini_face *face = &web->faces[number];
    kin_vec    p = kini_corner(web, number, i), q = kini_corner(web, number, i + 1);
    float      slack = KINI_ON_LINE * kini_len(kini_sub(q, p)) + 4 * kini_ulp(kini_largest(kini_magnitudes(p)));
    float      least = 1;
    int32_t    around[KINI_MOST_AROUND];
    int        k, side, met = 0, count = kini_tree_collect(tree, kini_sub(p, kini_all(slack)),
                                                           kini_add(p, kini_all(slack)), around, KINI_MOST_AROUND);
    face->beyond[i] = -1;
    if (count > KINI_MOST_AROUND) return -1;
    for (k = 0; k < count; k++) {
        int at = kini_corner_at(web, around[k], p), end = KINI_DIM == 3 ? kini_corner_at(web, around[k], q) : 0;
        if (around[k] == number || at < 0) continue;
        least = kini_lesser(least, kini_dot(face->normal, web->faces[around[k]].normal));
        if (end < 0) continue;
        face->beyond[i] = web->corners[around[k] * KINI_DIM + (KINI_DIM == 3 ? 3 - at - end : 1 - at)];
        met++;
    }
    if (met == 1) return least;
    for (k = met > 0 || KINI_DIM == 2 ? count : 0; k < count; k++)
        for (side = 0; side < 3 && around[k] != number; side++) {
            kin_vec a = kini_corner(web, around[k], side), b = kini_corner(web, around[k], side + 1);
            if (kini_greater(kini_distance_to_segment(p, a, b), kini_distance_to_segment(q, a, b)) > slack) continue;
            face->beyond[i] = web->corners[around[k] * KINI_DIM + (side + 2) % KINI_DIM];
            met++;
        }
    if (met != 1) face->beyond[i] = -1;
    return -1;
}

/* First all normals, then what meets. */
KINI_PART void kini_weld(const kini_web *web, const kini_tree *tree)
{
    int32_t k;
    int     i;
    for (k = 0; k < tree->leaves.count; k++) {
        kini_face *face = &web->faces[tree->leaves.at[k].item];
        kin_vec    points[KINI_DIM], lo, hi;
        kini_web_face(web, tree->leaves.at[k].item, points);
        kini_points_box(points, KINI_DIM, &lo, &hi);
        face->normal = kini_unit(kini_face_normal(points));
        face->level = kini_dot(face->normal, points[0]);
        for (i = 0; i < KINI_DIM; i++) {
            face->sides[i] = kini_unit(kini_over_side(points, face->normal, i));
            face->ends[i] = kini_dot(face->sides[i], points[i]);
        }
        face->lean = kini_face_width2(points) > KINI_FACE_POOR2 * kini_len2(kini_sub(hi, lo));
    }
    for (k = 0; k < tree->leaves.count; k++) {
        int32_t number = tree->leaves.at[k].item;
        float   least = 1;
        for (i = 0; i < KINI_DIM; i++) least = kini_lesser(least, kini_weld_side(web, tree, number, i));
        if (least > 0) web->faces[number].lean *= kini_lesser(kini_sqrt(1 - least * least) + 2 * KINI_FLAT_FOLD, 1);
    }
}

/* Does the neighbour over a side reach as far along the normal as the point p of the side, or nearly? */
static bool kini_reaches_out(const kini_web *web, int32_t face, int side, kin_vec p, kin_vec along, kin_vec normal)
{
    int32_t beyond = web->faces[face].beyond[side];
    kin_vec to;
    if (beyond < 0) return false;
    to = kini_across(kini_sub(web->points[beyond], p), along);
    return kini_dot(to, normal) > -KINI_FLAT_FOLD * kini_len(to);
}

KINI_PART bool kini_is_inner_edge(const kini_web *web, int32_t face, kin_vec normal)
{
    kin_vec p, edge;
    int     i, best = 0, end, side;
    for (i = 1; i < KINI_DIM; i++)
        if (kini_dot(kini_sub(kini_corner(web, face, i), kini_corner(web, face, best)), normal) > 0) best = i;
    p = kini_corner(web, face, best);
    if (KINI_DIM == 2) return kini_reaches_out(web, face, best, p, kini_vec_zero(), normal);
    end = best + 1;
    side = best + 2;
    if (kini_dot(kini_sub(kini_corner(web, face, side), kini_corner(web, face, end)), normal) > 0) end = side;
    edge = kini_sub(kini_corner(web, face, end), p);
    side %= 3;
    if (-kini_dot(edge, normal) <= KINI_TIE * kini_len(edge))
        return kini_reaches_out(web, face, end == best + 1 ? best : side, p, kini_unit(edge), normal);
    return kini_reaches_out(web, face, best, p, kini_vec_zero(), normal) ||
           kini_reaches_out(web, face, side, p, kini_vec_zero(), normal);
}
