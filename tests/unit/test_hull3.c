/* SPDX-License-Identifier: MIT OR Unlicense

   Convex hulls in space: known solids in any pose and size, degenerate input, and random clouds judged by what a hull
   has to be: closed, convex, around all points, made of given points, the same in any order. */
#include "hull3.c"
#include "utest.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

UTEST_MAIN()

#if KINEMATIC_DIM == 3

#ifndef TEST_SHARE
#define TEST_SHARE 1
#endif

static uint64_t chance_state = 88172645463325252u;

static uint32_t chance(void)
{
    chance_state ^= chance_state << 13;
    chance_state ^= chance_state >> 7;
    chance_state ^= chance_state << 17;
    return (uint32_t)(chance_state >> 32);
}
static float between(float lo, float hi) { return lo + (hi - lo) * (float)(chance() >> 8) / 16777216.0f; }
static int   pick(int n) { return (int)(chance() % (uint32_t)n); }

static kin_vec random_direction(void)
{
    for (;;) {
        kin_vec a;   /* one number after the other: compilers differ in the order of arguments */
        float   n;
        a.x = between(-1, 1); a.y = between(-1, 1); a.z = between(-1, 1);
        n = kini_len(a);
        if (n > 0.1f && n < 1) return kini_scale(a, 1 / n);
    }
}

static kin_rot random_turn(void) { return kin_turn(random_direction(), between(-3, 3)); }

static void shuffle(kin_vec *points, int count)
{
    int i;
    for (i = count - 1; i > 0; i--) {
        int     k = pick(i + 1);
        kin_vec p = points[i];
        points[i] = points[k];
        points[k] = p;
    }
}

static int box_points(kin_vec *out, kin_vec half)
{
    int i;
    for (i = 0; i < 8; i++) out[i] = kin_v(i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z);
    return 8;
}

static int prism_points(kin_vec *out, int n, float height)
{
    int i;
    for (i = 0; i < n; i++) {
        double a = 6.283185307179586 * i / n;
        out[2 * i] = kin_v((float)cos(a), 0, (float)sin(a));
        out[2 * i + 1] = kin_v((float)cos(a), height, (float)sin(a));
    }
    return 2 * n;
}

static void place_points(kin_vec *points, int count, kin_rot turn, float scale, kin_vec at)
{
    int i;
    for (i = 0; i < count; i++) points[i] = kini_add(at, kini_scale(kini_rotate(turn, points[i]), scale));
}

/* ---- what every hull has to be ---------------------------------------------------------------------------------- */

static float extent_of(const kini_hull *hull)
{
    kin_vec lo = hull->points[0], hi = lo;
    int     i;
    for (i = 1; i < hull->count; i++) { lo = kini_lower(lo, hull->points[i]); hi = kini_upper(hi, hull->points[i]); }
    return kini_largest(kini_sub(hi, lo));
}

static double reach(const kini_hull *hull, kin_vec normal)
{
    double most = -1e300;
    int    i;
    for (i = 0; i < hull->count; i++) {
        kin_vec p = hull->points[i];
        double  s = (double)p.x * (double)normal.x + (double)p.y * (double)normal.y + (double)p.z * (double)normal.z;
        if (s > most) most = s;
    }
    return most;
}

static double level(kin_vec p, kin_vec normal)
{
    return (double)p.x * (double)normal.x + (double)p.y * (double)normal.y + (double)p.z * (double)normal.z;
}

static bool is_given(kin_vec p, const kin_vec *points, int count)
{
    int i;
    for (i = 0; i < count; i++) if (kini_is_zero(kini_sub(points[i], p))) return true;
    return false;
}

static const char *edge_fault(const kini_hull *hull, int i, double slack)
{
    kin_vec a = hull->points[hull->edges[i][0]], b = hull->points[hull->edges[i][1]];
    kin_vec left, right, across;
    int     side, k;
    for (side = 0; side < 2; side++) {
        kin_vec n;
        if (hull->sides[i][side] >= hull->face_count) return "edge without face";
        n = hull->normals[hull->sides[i][side]];
        if (fabs(level(a, n) - reach(hull, n)) > slack || fabs(level(b, n) - reach(hull, n)) > slack) return "edge off its face";
    }
    left = hull->normals[hull->sides[i][0]];
    right = hull->normals[hull->sides[i][1]];
    across = kini_cross(left, right);
    if (kini_len(across) > 0.01f && !(kini_dot(across, kini_sub(b, a)) > 0)) return "edge runs the wrong way";
    for (k = 0; k < i; k++)
        if ((hull->edges[k][0] == hull->edges[i][0] && hull->edges[k][1] == hull->edges[i][1]) ||
            (hull->edges[k][0] == hull->edges[i][1] && hull->edges[k][1] == hull->edges[i][0])) return "edge twice";
    return NULL;
}

/* So thin, compared to its extent, that tolerances of the points decide which way its rim faces: it has to hold all
   points, but edges and faces may be joined to more or fewer. */
static bool is_thin(const kini_hull *hull)
{
    int i;
    for (i = 0; i < hull->face_count; i++)
        if (reach(hull, hull->normals[i]) + reach(hull, kini_neg(hull->normals[i])) < 1e-3 * (double)extent_of(hull)) return true;
    return false;
}

static const char *hull_fault(const kini_hull *hull, const kin_vec *points, int count)
{
    double      slack = 3e-6 * (double)extent_of(hull) + 1e-30;
    const char *fault = NULL;
    bool        thin = hull->face_count > 2 && is_thin(hull);
    int         i, k, least = hull->count < 3 ? hull->count - 1 : hull->face_count == 2 ? 2 : 3;
    if (!thin && hull->face_count > 2 && hull->count - hull->edge_count + hull->face_count != 2) return "not closed";
    for (i = 0; i < hull->count; i++) {
        int ends = 0;
        if (!is_given(hull->points[i], points, count)) return "corner was not given";
        if (i && !kini_vec_before(hull->points[i - 1], hull->points[i])) return "corners are not sorted";
        for (k = 0; k < hull->edge_count; k++) ends += hull->edges[k][0] == i || hull->edges[k][1] == i;
        if (!thin && ends < least) return "corner with too few edges";
    }
    for (i = 0; i < hull->face_count; i++) {
        kin_vec n = hull->normals[i];
        double  far_off = reach(hull, n);
        int     on = 0;
        if (fabs(level(n, n) - 1) > 1e-6) return "normal is not of length one";
        for (k = 0; k < count; k++) if (level(points[k], n) > far_off + 3 * slack) return "point outside";   /* several may be dropped for each other */
        for (k = 0; k < hull->count; k++) on += level(hull->points[k], n) > far_off - slack;
        if (!thin && on < 3) return "face with less than three corners";
        for (k = 0; k < i; k++) if (kini_len(kini_sub(hull->normals[k], n)) < 1e-7f) return "face twice";
    }
    for (i = 0; i < hull->edge_count && hull->face_count && !thin && !fault; i++) fault = edge_fault(hull, i, slack);
    return fault;
}

#define ASSERT_HULL(points, n, c, f, e)                                     \
    do {                                                                    \
        kini_hull hull_;                                                    \
        ASSERT_TRUE(kini_hull_build(&hull_, points, n));                    \
        ASSERT_EQ(hull_.count, c);                                          \
        ASSERT_EQ(hull_.face_count, f);                                     \
        ASSERT_EQ(hull_.edge_count, e);                                     \
        ASSERT_STREQ(hull_fault(&hull_, points, n) ? hull_fault(&hull_, points, n) : "", ""); \
    } while (0)

/* ---- known solids ---------------------------------------------------------------------------------------------------- */

UTEST(hull3, box)
{
    kin_vec   points[8];
    kini_hull hull;
    int       i;
    ASSERT_HULL(points, box_points(points, kin_v(1, 2, 3)), 8, 6, 12);
    ASSERT_TRUE(kini_hull_build(&hull, points, 8));
    for (i = 0; i < 6; i++) ASSERT_TRUE(kini_equal(kini_largest(kini_magnitudes(hull.normals[i])), 1));
}

UTEST(hull3, tetrahedron_and_octahedron)
{
    kin_vec tetra[4], octa[6];
    int     i;
    for (i = 0; i < 4; i++) tetra[i] = i ? kini_with(kini_vec_zero(), i - 1, 1) : kini_vec_zero();
    for (i = 0; i < 6; i++) octa[i] = kini_with(kini_vec_zero(), i / 2, i & 1 ? 1.0f : -1.0f);
    ASSERT_HULL(tetra, 4, 4, 4, 6);
    ASSERT_HULL(octa, 6, 6, 8, 12);
}

UTEST(hull3, wedge)
{
    kin_vec points[6];
    points[0] = kin_v(-1, 0, -1); points[1] = kin_v(1, 0, -1); points[2] = kin_v(1, 0, 1);
    points[3] = kin_v(-1, 0, 1); points[4] = kin_v(-1, 1, -1); points[5] = kin_v(-1, 1, 1);
    ASSERT_HULL(points, 6, 6, 5, 9);
}

UTEST(hull3, prisms_turned_moved_and_scaled)
{
    int n, round;
    for (round = 0; round < 400 / TEST_SHARE + 20; round++)
        for (n = 3; n <= 16; n++) {
            kin_vec points[32];
            float   scale = (float)pow(10, (double)between(-5, 6));
            int     count = prism_points(points, n, between(0.1f, 2));
            place_points(points, count, random_turn(), scale, kini_scale(random_direction(), scale * between(0, 1)));
            ASSERT_HULL(points, count, 2 * n, n + 2, 3 * n);
        }
}

UTEST(hull3, points_inside_on_edges_and_on_faces_vanish)
{
    int round;
    for (round = 0; round < 300 / TEST_SHARE + 20; round++) {
        kin_vec points[160];
        int     i, count = box_points(points, kin_v(1, between(0.1f, 1), between(0.1f, 1)));
        for (i = 0; i < 50; i++) {
            kin_vec a = points[pick(8)], b = points[pick(8)], c = points[pick(8)];
            float   s = between(0, 1), t = between(0, 1 - s);
            points[count++] = kini_mix(a, b, s);
            points[count++] = kini_add(a, kini_add(kini_scale(kini_sub(b, a), s), kini_scale(kini_sub(c, a), t)));
            points[count++] = a;
        }
        place_points(points, count, round & 1 ? random_turn() : kini_unturned(), (float)pow(10, (double)between(-4, 5)), kini_vec_zero());
        shuffle(points, count);
        ASSERT_HULL(points, count, 8, 6, 12);
    }
}

UTEST(hull3, a_grid_of_points_is_a_box)
{
    kin_vec points[216];
    int     i;
    for (i = 0; i < 216; i++) points[i] = kin_v((float)(i % 6), (float)(i / 6 % 6), (float)(i / 36));
    shuffle(points, 216);
    ASSERT_HULL(points, 216, 8, 6, 12);
}

/* ---- flat, straight, single ------------------------------------------------------------------------------------- */

UTEST(hull3, flat_figures_have_two_sides)
{
    int round, n;
    for (round = 0; round < 200 / TEST_SHARE + 20; round++)
        for (n = 3; n <= 12; n++) {
            kin_vec   points[64];
            kini_hull hull;
            int       i, count;
            for (i = 0; i < n; i++) points[i] = kin_v((float)cos(6.283185307179586 * i / n), 0, (float)sin(6.283185307179586 * i / n));
            for (count = n; count < 40; count++) {
                kin_vec inner = kini_scale(kini_mix(points[pick(n)], points[pick(n)], between(0, 1)), between(0, 0.9f));
                points[count] = pick(2) ? points[pick(n)] : inner;
            }
            place_points(points, count, random_turn(), (float)pow(10, (double)between(-4, 5)), kini_vec_zero());
            shuffle(points, count);
            ASSERT_HULL(points, count, n, 2, n);
            ASSERT_TRUE(kini_hull_build(&hull, points, count));
            ASSERT_TRUE(kini_is_zero(kini_add(hull.normals[0], hull.normals[1])));
        }
}

UTEST(hull3, points_on_a_line_are_its_ends)
{
    int round, i;
    for (round = 0; round < 500; round++) {
        kin_vec   points[20], from = random_direction(), along = random_direction();
        kini_hull hull;
        for (i = 0; i < 18; i++) points[i] = kini_madd(from, along, between(0.01f, 0.99f));
        points[18] = from;
        points[19] = kini_add(from, along);
        shuffle(points, 20);
        ASSERT_TRUE(kini_hull_build(&hull, points, 20));
        ASSERT_EQ(hull.count, 2);
        ASSERT_EQ(hull.face_count, 0);
        ASSERT_EQ(hull.edge_count, 1);
        ASSERT_NE(hull.edges[0][0], hull.edges[0][1]);
        ASSERT_TRUE(kini_abs(kini_len(kini_sub(hull.points[0], hull.points[1])) - 1) < 1e-5f);
    }
}

UTEST(hull3, one_point)
{
    kin_vec   points[5];
    kini_hull hull;
    int       i;
    for (i = 0; i < 5; i++) points[i] = kin_v(3, 4, 5);
    for (i = 1; i <= 5; i++) {
        ASSERT_TRUE(kini_hull_build(&hull, points, i));
        ASSERT_EQ(hull.count, 1);
        ASSERT_EQ(hull.face_count, 0);
        ASSERT_EQ(hull.edge_count, 0);
    }
}

/* ---- refused -------------------------------------------------------------------------------------------------------- */

UTEST(hull3, refuses_what_is_no_hull)
{
    kin_vec   points[300];
    kini_hull hull;
    int       i;
    for (i = 0; i < 300; i++) points[i] = random_direction();
    ASSERT_FALSE(kini_hull_build(&hull, points, 0));
    ASSERT_FALSE(kini_hull_build(&hull, points, -1));
    ASSERT_FALSE(kini_hull_build(&hull, points, 300));
    ASSERT_FALSE(kini_hull_build(&hull, points, 256));   /* too many corners */
    ASSERT_FALSE(kini_hull_build(&hull, points, 33));
    ASSERT_TRUE(kini_hull_build(&hull, points, 32));
    ASSERT_EQ(hull.count, 32);
    ASSERT_EQ(hull.face_count, 60);
    ASSERT_EQ(hull.edge_count, 90);
    points[3].y = (float)NAN;
    ASSERT_FALSE(kini_hull_build(&hull, points, 10));
    points[3].y = (float)INFINITY;
    ASSERT_FALSE(kini_hull_build(&hull, points, 10));
    points[3].y = 3e38f;
    ASSERT_FALSE(kini_hull_build(&hull, points, 10));
}

/* ---- chance ------------------------------------------------------------------------------------------------------------ */

/* Clouds of every kind that has ever been trouble: round, thin, needles, on a lattice, clusters, near a plane. */
static int random_cloud(kin_vec *points)
{
    int     i, count = 4 + pick(29), kind = pick(8);
    float   thin = (float)pow(10, (double)between(-7, 0)), scale = (float)pow(10, (double)between(-5, 6));
    kin_rot turn = random_turn();
    for (i = 0; i < count; i++) {
        kin_vec p = random_direction();
        if (kind == 1) p.y *= thin;
        if (kind == 2) { p.y *= thin; p.z *= thin; }
        if (kind == 3) p = kin_v((float)pick(4), (float)pick(3), (float)pick(3));
        if (kind == 4) p = kini_madd(kin_v((float)pick(2), (float)pick(2), (float)pick(2)), p, thin);
        if (kind == 5) p = kini_scale(p, between(0, 1));
        if (kind == 6 && i > 3) p = kini_mix(kini_mix(points[pick(i)], points[pick(i)], between(0, 1)), points[pick(i)], between(0, 1));
        if (kind == 7) p = kini_scale(kin_v(floorf(p.x * 4), floorf(p.y * 4), floorf(p.z * 4)), 0.25f);
        points[i] = p;
    }
    place_points(points, count, kind == 6 || pick(2) ? turn : kini_unturned(), scale, kini_vec_zero());
    return count;
}

UTEST(hull3, random_clouds)
{
    int round, bad = 0, refused = 0, rounds = 100000 / TEST_SHARE;
    for (round = 0; round < rounds; round++) {
        kin_vec     points[40];
        kini_hull   hull;
        const char *fault;
        int         count = random_cloud(points);
        if (!kini_hull_build(&hull, points, count)) { refused++; continue; }
        fault = hull_fault(&hull, points, count);
        if (fault && bad++ < 10) fprintf(stderr, "cloud %d of %d points: %s; %d corners, %d faces, %d edges\n", round, count, fault, hull.count, hull.face_count, hull.edge_count);
    }
    ASSERT_EQ(bad, 0);
    ASSERT_EQ(refused, 0);
}

UTEST(hull3, the_order_of_points_does_not_matter)
{
    int round, rounds = 20000 / TEST_SHARE;
    for (round = 0; round < rounds; round++) {
        kin_vec   points[40];
        kini_hull hull, other;
        int       count = random_cloud(points);
        ASSERT_TRUE(kini_hull_build(&hull, points, count));
        shuffle(points, count);
        ASSERT_TRUE(kini_hull_build(&other, points, count));
        ASSERT_EQ(memcmp(&hull, &other, sizeof hull), 0);
    }
}

#else

UTEST(hull3, only_in_space) { ASSERT_EQ(KINEMATIC_DIM, 2); }

#endif
