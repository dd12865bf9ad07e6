/* SPDX-License-Identifier: MIT OR Unlicense

   A point against a grown shape: rounded boxes in both dimensions, polygons in the plane. Numbers worked out by hand,
   the cases on the edge, and random rounded boxes against double precision. */
#define KINEMATIC_IMPLEMENTATION
#include "kinematic.h"
#include "utest.h"
#include <math.h>
#include <stdlib.h>

UTEST_MAIN()

/* The builds with sanitizers take a share only. */
#ifndef TEST_SHARE
#define TEST_SHARE 1
#endif

static bool near(float a, float b) { return kini_abs(a - b) <= 2e-6f * (1 + kini_abs(b)); }
static bool near_vec(kin_vec a, kin_vec b) { return kini_len(kini_sub(a, b)) <= 2e-6f * (1 + kini_len(b)); }

/* The same numbers in both dimensions; z is dropped in the plane. */
static kin_vec vec(float x, float y, float z)
{
    kin_vec r = kini_vec_zero();
    r.x = x;
    r.y = y;
#if KINEMATIC_DIM == 3
    r.z = z;
#endif
    (void)z;
    return r;
}

/* About the axis that leads out of the plane of x and y. */
static kin_rot turn(float radians)
{
#if KINEMATIC_DIM == 2
    return kin_turn(radians);
#else
    return kin_turn(kin_v(0, 0, 1), radians);
#endif
}

/* ---- one question each, with the answer kept -------------------------------------------------------------------- */

typedef struct pair {
    kini_hull     rooms[2];
    kini_solid    piece, body;
    kini_sum      sum;
    kini_obstacle o;
} pair;

static void make(pair *out, kin_shape piece, kin_pose at, kin_shape body, kin_rot body_turn)
{
    if (kini_shape_solid(&piece, &out->piece, &out->rooms[0]) || kini_shape_solid(&body, &out->body, &out->rooms[1])) abort();
    kini_obstacle_make(&out->o, &out->sum, &out->piece, at, &out->body, body_turn);
}

static kini_obstacle rounded_box(kin_vec centre, kin_vec half, float radius)
{
    kini_obstacle o;
    o.centre = centre;
    o.half = half;
    o.radius = radius;
    o.sum = NULL;
    return o;
}

static kin_vec normal;   /* of the last answer */
static float   when;

static float gap(const kini_obstacle *o, kin_vec x) { return kini_obstacle_gap(o, x, &normal); }
static bool  hits(const kini_obstacle *o, kin_vec x, kin_vec travel)
{
    when = -1;
    normal = kini_vec_zero();
    return kini_obstacle_ray(o, x, travel, &when, &normal);
}

/* ---- making ------------------------------------------------------------------------------------------------------------ */

UTEST(obstacle, boxes_make_a_box)
{
    pair p;
    make(&p, kin_box(vec(4, 2, 6)), kini_pose(vec(10, 20, 30), kini_unturned()), kin_box(vec(1, 2, 1)), kini_unturned());
    EXPECT_TRUE(p.o.sum == NULL);
    EXPECT_TRUE(near_vec(p.o.centre, vec(10, 20, 30)));
    EXPECT_TRUE(near_vec(p.o.half, vec(2.5f, 2, 3.5f)));
    EXPECT_TRUE(near(p.o.radius, 0));
    make(&p, kin_box(vec(4, 2, 6)), kini_pose(vec(1, 2, 3), turn(KINI_PI / 2)), kin_capsule(3, 0.5f), kini_unturned());
    EXPECT_TRUE(p.o.sum == NULL);
    EXPECT_TRUE(near_vec(p.o.half, vec(1, 3, 3)));
    EXPECT_TRUE(near(p.o.radius, 0.5f));
    make(&p, kin_ball(2), kini_pose(vec(1, 2, 3), turn(1)), kin_ball(1), turn(2));
    EXPECT_TRUE(p.o.sum == NULL);
    EXPECT_TRUE(kini_is_zero(p.o.half));
    EXPECT_TRUE(near(p.o.radius, 3));
}

UTEST(obstacle, shapes_off_their_origin)
{
    kin_vec   points[2];
    kin_shape capsule;
    pair      p;
    points[0] = vec(3, 1, 0);
    points[1] = vec(3, 5, 0);
    capsule = kin_hull(points, 2, 0.5f);
    make(&p, kin_box(vec(2, 2, 2)), kini_pose(vec(0, 0, 0), kini_unturned()), capsule, kini_unturned());
    EXPECT_TRUE(p.o.sum == NULL);
    EXPECT_TRUE(near_vec(p.o.centre, vec(-3, -3, 0)));
    EXPECT_TRUE(near_vec(p.o.half, vec(1, 3, 1)));
    make(&p, capsule, kini_pose(vec(1, 1, 1), turn(KINI_PI)), kin_box(vec(2, 2, 2)), kini_unturned());
    EXPECT_TRUE(near_vec(p.o.centre, vec(-2, -2, 1)));
}

UTEST(obstacle, others_make_a_sum)
{
    pair p;
    make(&p, kin_box(vec(2, 2, 2)), kini_pose(vec(1, 2, 3), turn(KINI_PI / 4)), kin_box(vec(2, 2, 2)), kini_unturned());
    EXPECT_TRUE(p.o.sum == &p.sum);
    EXPECT_TRUE(near_vec(p.o.centre, vec(1, 2, 3)));
    EXPECT_TRUE(near_vec(p.o.half, vec(2.4142136f, 2.4142136f, 2)));
}

/* ---- distance ---------------------------------------------------------------------------------------------------------- */

UTEST(obstacle, distance_to_a_box)
{
    kini_obstacle box = rounded_box(vec(10, 0, 0), vec(2, 1, 3), 0);
    EXPECT_TRUE(near(gap(&box, vec(15, 0.5f, 1)), 3) && near_vec(normal, vec(1, 0, 0)));
    EXPECT_TRUE(near(gap(&box, vec(9, -4, 1)), 3) && near_vec(normal, vec(0, -1, 0)));
    EXPECT_TRUE(near(gap(&box, vec(15, 5, 1)), 5) && near_vec(normal, vec(0.6f, 0.8f, 0)));
    EXPECT_TRUE(near(gap(&box, vec(5, -5, 1)), 5) && near_vec(normal, vec(-0.6f, -0.8f, 0)));
    EXPECT_TRUE(near(gap(&box, vec(10.5f, 0.75f, 1)), -0.25f) && near_vec(normal, vec(0, 1, 0)));
    EXPECT_TRUE(near(gap(&box, vec(8.25f, 0.25f, 1)), -0.25f) && near_vec(normal, vec(-1, 0, 0)));
    EXPECT_TRUE(near(gap(&box, vec(12, 0, 0)), 0) && near_vec(normal, vec(1, 0, 0)));
    EXPECT_TRUE(near(gap(&box, vec(12, 1, 0)), 0) && near_vec(normal, vec(0, 1, 0)));      /* a corner is floor */
}

UTEST(obstacle, distance_to_a_rounded_box)
{
    kini_obstacle box = rounded_box(vec(0, 0, 0), vec(2, 1, 3), 1), ball = rounded_box(vec(0, 0, 0), vec(0, 0, 0), 2);
    EXPECT_TRUE(near(gap(&box, vec(5, 5, 1)), 4) && near_vec(normal, vec(0.6f, 0.8f, 0)));
    EXPECT_TRUE(near(gap(&box, vec(2.3f, 1.4f, 1)), -0.5f) && near_vec(normal, vec(0.6f, 0.8f, 0)));
    EXPECT_TRUE(near(gap(&box, vec(2.5f, 0, 1)), -0.5f) && near_vec(normal, vec(1, 0, 0)));
    EXPECT_TRUE(near(gap(&box, vec(0.5f, 0.75f, 1)), -1.25f) && near_vec(normal, vec(0, 1, 0)));
    EXPECT_TRUE(near(gap(&ball, vec(3, 4, 0)), 3) && near_vec(normal, vec(0.6f, 0.8f, 0)));
    EXPECT_TRUE(near(gap(&ball, vec(-0.6f, 0.8f, 0)), -1) && near_vec(normal, vec(-0.6f, 0.8f, 0)));
    EXPECT_TRUE(near(gap(&ball, vec(0, 0, 0)), -2) && near(kini_len(normal), 1));
    EXPECT_TRUE(near(gap(&ball, vec(1e-30f, -2e-30f, 0)), -2) && near(kini_len(normal), 1));
}

UTEST(obstacle, extent_and_closest_point)
{
    kini_obstacle box = rounded_box(vec(10, 0, 0), vec(2, 1, 3), 0.5f);
    pair          p;
    EXPECT_TRUE(near(kini_obstacle_extent(&box, vec(1, 0, 0)), 12.5f));
    EXPECT_TRUE(near(kini_obstacle_extent(&box, vec(-0.6f, 0.8f, 0)), -6 + 1.2f + 0.8f + 0.5f));
    make(&p, kin_box(vec(2, 2, 2)), kini_pose(vec(10, 0, 0), turn(KINI_PI / 4)), kin_ball(1), kini_unturned());
    EXPECT_TRUE(near(kini_obstacle_extent(&p.o, vec(1, 0, 0)), 11 + 1.4142136f));
    EXPECT_TRUE(near_vec(kini_closest_on(&p.piece, kini_pose(vec(10, 0, 0), kini_unturned()), vec(20, 0.5f, 0), kini_vec_zero()), vec(11, 0.5f, 0)));
    EXPECT_TRUE(near_vec(kini_closest_on(&p.piece, kini_pose(vec(10, 0, 0), turn(KINI_PI / 4)), vec(20, 0, 0), kini_vec_zero()), vec(11.4142136f, 0, 0)));
    EXPECT_TRUE(near_vec(kini_closest_on(&p.body, kini_pose(vec(1, 1, 0), kini_unturned()), vec(4, 5, 0), kini_vec_zero()), vec(1.6f, 1.8f, 0)));
}

/* ---- ray -------------------------------------------------------------------------------------------------------------------- */

UTEST(obstacle, ray_against_a_box)
{
    kini_obstacle box = rounded_box(vec(10, 0, 0), vec(2, 1, 3), 0);
    EXPECT_TRUE(hits(&box, vec(0, 0, 0), vec(16, 0, 0)) && near(when, 0.5f) && near_vec(normal, vec(-1, 0, 0)));
    EXPECT_TRUE(hits(&box, vec(10, 5, 0), vec(0, -8, 0)) && near(when, 0.5f) && near_vec(normal, vec(0, 1, 0)));
    EXPECT_TRUE(hits(&box, vec(20, 0, 0), vec(-8, 0, 0)) && near(when, 1) && near_vec(normal, vec(1, 0, 0)));
    EXPECT_FALSE(hits(&box, vec(20, 0, 0), vec(-7.99f, 0, 0)));
    EXPECT_FALSE(hits(&box, vec(20, 0, 0), vec(8, 0, 0)));
    EXPECT_FALSE(hits(&box, vec(0, 5, 0), vec(16, -4, 0)));
    EXPECT_TRUE(hits(&box, vec(0, 5, 0), vec(20, -10, 0)) && near(when, 0.4f) && near_vec(normal, vec(0, 1, 0)));   /* a corner */
}

UTEST(obstacle, sliding_flush_is_no_hit)
{
    kini_obstacle box = rounded_box(vec(0, 0, 0), vec(2, 1, 3), 0), round = rounded_box(vec(0, 0, 0), vec(1, 0.5f, 2), 0.5f);
    int           side;
    for (side = -1; side <= 1; side += 2) {
        EXPECT_FALSE(hits(&box, vec(-5, (float)side, 0), vec(10, 0, 0)));
        EXPECT_FALSE(hits(&box, vec(0.5f, (float)side, 0), vec(10, 0, 0)));
        EXPECT_FALSE(hits(&box, vec(0.5f, (float)side, 0), vec(10, (float)side, 0)));
        EXPECT_FALSE(hits(&box, vec(0.5f, (float)side, 0), vec(0, 0, 0)));
        EXPECT_FALSE(hits(&round, vec(-5, (float)side, 0), vec(10, 0, 0)));
        EXPECT_FALSE(hits(&round, vec(0.5f, (float)side, 0), vec(10, 0, 0)));
        EXPECT_FALSE(hits(&round, vec(0.5f, (float)side, 0), vec(3, (float)side, 0)));
    }
}

UTEST(obstacle, starting_on_the_surface)
{
    kini_obstacle box = rounded_box(vec(0, 0, 0), vec(2, 1, 3), 0), round = rounded_box(vec(0, 0, 0), vec(1, 0.5f, 2), 0.5f);
    EXPECT_TRUE(hits(&box, vec(0, 1, 0), vec(3, -1e-3f, 0)) && near(when, 0) && near_vec(normal, vec(0, 1, 0)));
    EXPECT_TRUE(hits(&round, vec(0, 1, 0), vec(3, -1e-3f, 0)) && near(when, 0) && near_vec(normal, vec(0, 1, 0)));
    EXPECT_TRUE(hits(&box, vec(-2, 0, 0), vec(1e-20f, 0, 0)) && near(when, 0) && near_vec(normal, vec(-1, 0, 0)));
    EXPECT_TRUE(hits(&box, vec(2, 1, 0), vec(-1, -1, 0)) && near(when, 0) && near_vec(normal, vec(0, 1, 0)));
    EXPECT_FALSE(hits(&box, vec(2, 1, 0), vec(1, -1, 0)));
    EXPECT_FALSE(hits(&box, vec(2, 1, 0), vec(-1, 1, 0)));
}

UTEST(obstacle, starting_inside)
{
    kini_obstacle box = rounded_box(vec(0, 0, 0), vec(2, 1, 3), 0), round = rounded_box(vec(0, 0, 0), vec(1, 0.5f, 2), 0.5f);
    EXPECT_TRUE(hits(&box, vec(1.75f, 0, 0), vec(100, 50, 0)) && near(when, 0) && near_vec(normal, vec(1, 0, 0)));
    EXPECT_TRUE(hits(&box, vec(1.75f, 0, 0), vec(0, 0, 0)) && near(when, 0) && near_vec(normal, vec(1, 0, 0)));
    EXPECT_TRUE(hits(&round, vec(1.15f, 0.7f, 0), vec(1, 1, 0)) && near(when, 0) && near_vec(normal, vec(0.6f, 0.8f, 0)));
}

UTEST(obstacle, grazing_a_corner)
{
    kini_obstacle box = rounded_box(vec(0, 0, 0), vec(1, 1, 1), 0), ball = rounded_box(vec(0, 0, 0), vec(0, 0, 0), 1);
    EXPECT_FALSE(hits(&box, vec(0, 2, 0), vec(4, -4, 0)));
    EXPECT_TRUE(hits(&box, vec(0, 1.99f, 0), vec(4, -4, 0)));
    EXPECT_FALSE(hits(&ball, vec(-3, 1, 0), vec(6, 0, 0)));
    EXPECT_FALSE(hits(&ball, vec(-3, -1, 0), vec(6, 0, 0)));
    EXPECT_TRUE(hits(&ball, vec(-3, 0.999f, 0), vec(6, 0, 0)));
}

UTEST(obstacle, ray_against_a_rounding)
{
    kini_obstacle box = rounded_box(vec(0, 0, 0), vec(2, 1, 1), 1), ball = rounded_box(vec(1, 1, 0), vec(0, 0, 0), 5);
    EXPECT_TRUE(hits(&ball, vec(1, 11, 0), vec(0, -10, 0)) && near(when, 0.5f) && near_vec(normal, vec(0, 1, 0)));
    EXPECT_TRUE(hits(&ball, vec(-7, 5, 0), vec(10, 0, 0)) && near(when, 0.5f) && near_vec(normal, vec(-0.6f, 0.8f, 0)));
    EXPECT_TRUE(hits(&ball, vec(-9, 4, 0), vec(12, 0, 0)) && near(when, 0.5f) && near_vec(normal, vec(-0.8f, 0.6f, 0)));
    EXPECT_TRUE(hits(&box, vec(-7, 1.8f, 0), vec(10, 0, 0)) && near(when, 0.44f) && near_vec(normal, vec(-0.6f, 0.8f, 0)));
    EXPECT_TRUE(hits(&box, vec(-7, 0.5f, 0), vec(8, 0, 0)) && near(when, 0.5f) && near_vec(normal, vec(-1, 0, 0)));
    EXPECT_FALSE(hits(&box, vec(1.5f, 3, 0), vec(1.6f, -1.6f, 0)));
    EXPECT_FALSE(hits(&box, vec(2.9f, 1.9f, 0), vec(1, -0.5f, 0)));                          /* begins beside the rounding */
    EXPECT_TRUE(hits(&box, vec(2.9f, 1.9f, 0), vec(-1, -1, 0)) && near(kini_dot(normal, vec(1, 1, 0)), 1.4142136f));
}

UTEST(obstacle, long_and_short_travels)
{
    kini_obstacle box = rounded_box(vec(0, 0, 0), vec(1, 1, 1), 0), ball = rounded_box(vec(0, 0, 0), vec(0, 0, 0), 1);
    float         lengths[] = { 1e-30f, 1e-12f, 1e-3f, 1e3f, 1e12f, 1e30f };
    int           i;
    for (i = 0; i < 6; i++) {
        kin_vec down = vec(0.25f * lengths[i], -lengths[i], 0);
        bool    met = hits(&box, vec(0, 2, 0), down);
        EXPECT_EQ(met, lengths[i] > 1);
        if (met) EXPECT_TRUE(near(when * lengths[i], 1) && near_vec(normal, vec(0, 1, 0)));
        met = hits(&ball, vec(0.5f, 2, 0), vec(0, -lengths[i], 0));
        EXPECT_EQ(met, lengths[i] > 1.2f);
        if (met) EXPECT_TRUE(near(when * lengths[i], 2 - 0.8660254f) && near_vec(normal, vec(0.5f, 0.8660254f, 0)));
    }
}

/* ---- ways out ------------------------------------------------------------------------------------------------------- */

UTEST(obstacle, ways_out_of_a_box)
{
    kini_obstacle box = rounded_box(vec(0, 0, 0), vec(2, 1, 3), 0);
    kini_way      ways[KINI_MAX_WAYS];
    EXPECT_EQ(kini_obstacle_ways(&box, vec(0, 2, 0), ways, KINI_MAX_WAYS), 0);
    EXPECT_EQ(kini_obstacle_ways(&box, vec(0, 1, 0), ways, KINI_MAX_WAYS), 0);
    ASSERT_EQ(kini_obstacle_ways(&box, vec(1.5f, 0.25f, 0), ways, KINI_MAX_WAYS), 2 * KINEMATIC_DIM);
    EXPECT_TRUE(near(ways[0].length, 0.5f) && near_vec(ways[0].axis, vec(1, 0, 0)));
    EXPECT_TRUE(near(ways[1].length, 0.75f) && near_vec(ways[1].axis, vec(0, 1, 0)));
    EXPECT_TRUE(near(ways[2].length, 1.25f) && near_vec(ways[2].axis, vec(0, -1, 0)));
    EXPECT_TRUE(near(ways[2 * KINEMATIC_DIM - 1].length, 3.5f));
    ways[2].length = 77;
    ASSERT_EQ(kini_obstacle_ways(&box, vec(1.5f, 0.25f, 0), ways, 2), 2);
    EXPECT_TRUE(near(ways[2].length, 77));
    EXPECT_TRUE(near(ways[0].length, 0.5f) && near(ways[1].length, 0.75f));
    kini_obstacle_ways(&box, vec(0, 0, 0), ways, KINI_MAX_WAYS);                 /* a tie goes up */
    EXPECT_TRUE(near(ways[0].length, 1) && near_vec(ways[0].axis, vec(0, 1, 0)));
    EXPECT_TRUE(near(ways[1].length, 1) && near_vec(ways[1].axis, vec(0, -1, 0)));
}

UTEST(obstacle, ways_out_of_a_rounding)
{
    kini_obstacle box = rounded_box(vec(0, 0, 0), vec(2, 1, 3), 1);
    kini_way      ways[KINI_MAX_WAYS];
    ASSERT_EQ(kini_obstacle_ways(&box, vec(2.3f, -1.4f, 0), ways, KINI_MAX_WAYS), 2 * KINEMATIC_DIM + 1);
    EXPECT_TRUE(near(ways[0].length, 0.5f) && near_vec(ways[0].axis, vec(0.6f, -0.8f, 0)));
    EXPECT_TRUE(near(ways[1].length, 0.6f) && near_vec(ways[1].axis, vec(0, -1, 0)));
    ASSERT_EQ(kini_obstacle_ways(&box, vec(2.3f, 0, 0), ways, KINI_MAX_WAYS), 2 * KINEMATIC_DIM);
    EXPECT_TRUE(near(ways[0].length, 0.7f) && near_vec(ways[0].axis, vec(1, 0, 0)));
    EXPECT_EQ(kini_obstacle_ways(&box, vec(2.9f, 1.9f, 0), ways, KINI_MAX_WAYS), 0);
}

/* ---- random rounded boxes against double precision --------------------------------------------------------------- */

static float random_between(float lo, float hi) { return lo + (hi - lo) * (float)(rand() % 16777216) / 16777216.0f; }
static kin_vec random_vec(float size) { return vec(random_between(-size, size), random_between(-size, size), random_between(-size, size)); }

static double slow_gap(const kini_obstacle *o, kin_vec x, kin_vec travel, double t)
{
    double out = 0, most = -1e300;
    int    i;
    for (i = 0; i < KINEMATIC_DIM; i++) {
        double at = (double)kini_at(x, i) + (double)kini_at(travel, i) * t - (double)kini_at(o->centre, i);
        double q = fabs(at) - (double)kini_at(o->half, i);
        out += q > 0 ? q * q : 0;
        most = fmax(most, q);
    }
    return (most < 0 ? most : sqrt(out)) - (double)o->radius;
}

static double slow_least(const kini_obstacle *o, kin_vec x, kin_vec travel)
{
    double lo = 0, hi = 1;
    int    i;
    for (i = 0; i < 60; i++) {
        double p = lo + (hi - lo) / 3, q = hi - (hi - lo) / 3;
        if (slow_gap(o, x, travel, p) < slow_gap(o, x, travel, q)) hi = q; else lo = p;
    }
    return slow_gap(o, x, travel, lo);
}

/* How far beyond the obstacle x lies along n. */
static double slow_apart(const kini_obstacle *o, kin_vec x, kin_vec travel, double t, kin_vec n)
{
    double apart = -(double)o->radius;
    int    i;
    for (i = 0; i < KINEMATIC_DIM; i++) {
        double at = (double)kini_at(x, i) + (double)kini_at(travel, i) * t - (double)kini_at(o->centre, i);
        apart += at * (double)kini_at(n, i) - fabs((double)kini_at(n, i)) * (double)kini_at(o->half, i);
    }
    return apart;
}

static kini_obstacle random_box(float size)
{
    kin_vec half = kini_magnitudes(random_vec(size));
    int     i;
    for (i = 0; i < KINEMATIC_DIM; i++) if (rand() % 4 == 0) half = kini_with(half, i, 0);
    return rounded_box(random_vec(size), half, rand() % 3 ? random_between(0.01f, 1) * size : 0);
}

static bool gap_is_right(const kini_obstacle *o, kin_vec x, float size)
{
    double want = slow_gap(o, x, kini_vec_zero(), 0), slack = 1e-6 * (double)size * 8;
    float  got = gap(o, x);
    if (!(fabs((double)got - want) <= slack) || !near(kini_len(normal), 1)) return false;
    if (want > 0) return slow_apart(o, x, kini_vec_zero(), 0, normal) >= want - slack;
    return slow_gap(o, x, normal, slack - (double)got) >= 0;
}

static bool ray_is_right(const kini_obstacle *o, kin_vec x, kin_vec travel, float size)
{
    double slack = 1e-6 * (double)(8 * size + kini_largest(kini_magnitudes(travel))), start = slow_gap(o, x, travel, 0);
    int    i;
    if (!hits(o, x, travel)) return start > -slack && slow_least(o, x, travel) >= -slack;
    if (!(when >= 0 && when <= 1) || !near(kini_len(normal), 1)) return false;
    if (start < -slack) return !(when > 0);
    for (i = 1; i < 10; i++) if (slow_gap(o, x, travel, (double)when * i / 10) < -slack) return false;
    return fabs(slow_gap(o, x, travel, (double)when)) <= slack && slow_apart(o, x, travel, (double)when, normal) >= -2 * slack;
}

static bool ways_are_right(const kini_obstacle *o, kin_vec x, float size)
{
    kini_way ways[KINI_MAX_WAYS];
    int      i, count = kini_obstacle_ways(o, x, ways, KINI_MAX_WAYS);
    double   slack = 1e-6 * (double)size * 8;
    if ((count > 0) != (gap(o, x) < 0)) return false;
    if (count > 0 && !(fabs((double)(ways[0].length + gap(o, x))) <= slack)) return false;
    for (i = 0; i < count; i++) {
        if (!near(kini_len(ways[i].axis), 1) || (i > 0 && ways[i].length < ways[i - 1].length)) return false;
        if (!(slow_gap(o, x, ways[i].axis, (double)ways[i].length + slack) > 0)) return false;
    }
    return true;
}

UTEST(obstacle, random_rounded_boxes)
{
    static const float sizes[] = { 1e-3f, 1, 1, 1, 50, 1e5f };
    int i, wrong_gap = 0, wrong_ray = 0, wrong_ways = 0;
    for (i = 0; i < 300000 / TEST_SHARE; i++) {
        float         size = sizes[i % 6];
        kini_obstacle o = random_box(size);
        kin_vec       x = random_vec(3 * size), travel = random_vec(rand() % 2 ? size : 6 * size);
        int           axis = rand() % KINEMATIC_DIM;
        if (rand() % 4 == 0) travel = kini_with(travel, axis, 0);
        if (rand() % 8 == 0) travel = kini_with(kini_vec_zero(), axis, size * 4);
        if (rand() % 4 == 0) x = kini_with(x, axis, kini_at(o.centre, axis) + kini_at(o.half, axis));
        wrong_gap += !gap_is_right(&o, x, size);
        wrong_ray += !ray_is_right(&o, x, travel, size);
        wrong_ways += !ways_are_right(&o, x, size);
    }
    EXPECT_EQ(wrong_gap, 0);
    EXPECT_EQ(wrong_ray, 0);
    EXPECT_EQ(wrong_ways, 0);
}

/* ---- polygons in the plane -------------------------------------------------------------------------------------------- */

#if KINEMATIC_DIM == 2

static kin_shape slope(float radius)
{
    kin_vec points[3];
    points[0] = kin_v(0, 0); points[1] = kin_v(4, 0); points[2] = kin_v(4, 3);
    return kin_hull(points, 3, radius);
}

static kin_shape leaning_capsule(void)
{
    kin_vec points[2];
    points[0] = kin_v(-4, -3); points[1] = kin_v(4, 3);
    return kin_hull(points, 2, 1);
}

static const kin_vec uphill = { -0.6f, 0.8f };   /* normal of that slope */

static kin_pose nowhere(void) { return kini_pose(kini_vec_zero(), kini_unturned()); }

UTEST(polygon, sides_of_a_sum)
{
    pair p;
    make(&p, kin_box(kin_v(2, 2)), kini_pose(kini_vec_zero(), kin_turn(KINI_PI / 4)), kin_box(kin_v(2, 2)), kini_unturned());
    EXPECT_EQ(p.sum.count, 8);
    make(&p, kin_box(kin_v(2, 4)), kini_pose(kini_vec_zero(), kin_turn(0.5f)), kin_box(kin_v(2, 2)), kin_turn(0.5f));
    EXPECT_EQ(p.sum.count, 4);
    make(&p, slope(0), nowhere(), kin_box(kin_v(1, 1)), kini_unturned());
    EXPECT_EQ(p.sum.count, 5);
    EXPECT_TRUE(near_vec(p.o.centre, kin_v(2, 1.5f)) && near_vec(p.o.half, kin_v(2.5f, 2)));
    make(&p, leaning_capsule(), nowhere(), kin_ball(1), kini_unturned());
    EXPECT_EQ(p.sum.count, 2);
    EXPECT_TRUE(near(p.o.radius, 2));
    make(&p, leaning_capsule(), nowhere(), leaning_capsule(), kini_unturned());
    EXPECT_EQ(p.sum.count, 2);
    EXPECT_TRUE(near_vec(p.o.half, kin_v(8, 6)));
    make(&p, leaning_capsule(), nowhere(), leaning_capsule(), kin_turn(1));
    EXPECT_EQ(p.sum.count, 4);
}

UTEST(polygon, sum_is_convex)
{
    int round, i;
    for (round = 0; round < 20000; round++) {
        kin_vec   points[8];
        kin_shape shapes[2];
        pair      p;
        for (i = 0; i < 2; i++) {
            int k;
            for (k = 0; k < 8; k++) points[k] = random_vec(i ? 1 : 10);
            shapes[i] = kin_hull(points, 1 + rand() % 8, 0.5f);
        }
        make(&p, shapes[0], kini_pose(random_vec(5), kin_turn(random_between(-3, 3))), shapes[1], kin_turn(random_between(-3, 3)));
        if (!p.o.sum) continue;
        ASSERT_LE(p.sum.count, p.piece.count + p.body.count + 8);
        for (i = 0; i < p.sum.count; i++) {
            kin_vec n = p.sum.normals[i], after = p.sum.normals[(i + 1) % p.sum.count];
            int     k;
            ASSERT_TRUE(near(kini_len(n), 1));
            ASSERT_TRUE(p.sum.count == 2 || kini_area(n, after) > 0);
            for (k = 0; k < p.sum.count; k++) ASSERT_LE(kini_dot(n, p.sum.points[k]), p.sum.offsets[i] + 1e-5f);
        }
    }
}

UTEST(polygon, distance_to_a_slope)
{
    pair p;
    make(&p, slope(0), nowhere(), kin_ball(1), kini_unturned());
    EXPECT_TRUE(near(gap(&p.o, kini_madd(kin_v(2, 1.5f), uphill, 3)), 2) && near_vec(normal, uphill));
    EXPECT_TRUE(near(gap(&p.o, kin_v(7, 7)), 4) && near_vec(normal, kin_v(0.6f, 0.8f)));
    EXPECT_TRUE(near(gap(&p.o, kin_v(2, -3)), 2) && near_vec(normal, kin_v(0, -1)));
    EXPECT_TRUE(near(gap(&p.o, kini_madd(kin_v(2, 1.5f), uphill, 0.25f)), -0.75f) && near_vec(normal, uphill));
    EXPECT_TRUE(near(gap(&p.o, kini_madd(kin_v(2, 1.5f), uphill, -0.25f)), -1.25f) && near_vec(normal, uphill));
    make(&p, slope(0), nowhere(), kin_box(kin_v(1, 1)), kini_unturned());
    EXPECT_TRUE(near(gap(&p.o, kini_add(kin_v(2, 1.5f), kin_v(-0.5f, 0.5f))), 0) && near_vec(normal, uphill));
    EXPECT_TRUE(near(gap(&p.o, kin_v(5, 1)), 0.5f) && near_vec(normal, kin_v(1, 0)));
}

UTEST(polygon, ray_against_a_slope)
{
    pair p;
    make(&p, slope(0), nowhere(), kin_box(kin_v(1, 1)), kini_unturned());
    EXPECT_TRUE(hits(&p.o, kin_v(1.5f, 4), kin_v(0, -4)) && near(when, 0.5f) && near_vec(normal, uphill));
    EXPECT_TRUE(hits(&p.o, kin_v(6.5f, 1), kin_v(-4, 0)) && near(when, 0.5f) && near_vec(normal, kin_v(1, 0)));
    EXPECT_FALSE(hits(&p.o, kin_v(1.5f, 4), kin_v(0, 4)));
    EXPECT_FALSE(hits(&p.o, kin_v(1.5f, 4), kin_v(0, -1.9f)));
    EXPECT_FALSE(hits(&p.o, kin_v(1.5f, 2), kin_v(4, 3)));          /* up along the slope, flush */
    EXPECT_FALSE(hits(&p.o, kin_v(1.5f, 2), kin_v(-4, -3)));
    EXPECT_TRUE(hits(&p.o, kin_v(1.5f, 2), kin_v(4, 2.9f)) && near(when, 0) && near_vec(normal, uphill));
    EXPECT_FALSE(hits(&p.o, kin_v(1.5f, 2), kin_v(4, 3.1f)));
    EXPECT_FALSE(hits(&p.o, kin_v(1.5f, 2), kin_v(0, 0)));
    EXPECT_FALSE(hits(&p.o, kin_v(4.5f, 2), kin_v(0, -5)));         /* down along the wall, flush */
    EXPECT_FALSE(hits(&p.o, kin_v(4.5f, 5), kin_v(0, -5)));
    EXPECT_TRUE(hits(&p.o, kin_v(2, 1), kin_v(1, 1)) && near(when, 0));
}

UTEST(polygon, ray_against_a_rounding)
{
    pair p;
    make(&p, slope(0.5f), nowhere(), kin_ball(0.5f), kini_unturned());
    EXPECT_TRUE(hits(&p.o, kin_v(4, 8), kin_v(0, -8)) && near(when, 0.5f) && near_vec(normal, kin_v(0, 1)));
    EXPECT_TRUE(hits(&p.o, kin_v(8.6f, 3.8f), kin_v(-8, 0)) && near(when, 0.5f) && near_vec(normal, kin_v(0.6f, 0.8f)));
    EXPECT_TRUE(hits(&p.o, kini_madd(kin_v(2, 1.5f), uphill, 5), kini_scale(uphill, -8)) && near(when, 0.5f) && near_vec(normal, uphill));
    EXPECT_FALSE(hits(&p.o, kin_v(8, 4), kin_v(-8, 0)));            /* grazes the top */
    EXPECT_FALSE(hits(&p.o, kin_v(5, 8), kin_v(0, -16)));           /* flush with the wall */
    EXPECT_TRUE(hits(&p.o, kin_v(4.99f, 8), kin_v(0, -16)));
    make(&p, leaning_capsule(), nowhere(), kin_ball(1), kini_unturned());
    EXPECT_TRUE(hits(&p.o, kin_v(12, 9), kin_v(-16, -12)) && near(when, 0.4f) && near_vec(normal, kin_v(0.8f, 0.6f)));
    EXPECT_TRUE(hits(&p.o, kin_v(4, 9), kin_v(0, -8)) && near(when, 0.5f) && near_vec(normal, kin_v(0, 1)));
    EXPECT_FALSE(hits(&p.o, kin_v(12, 9), kin_v(16, 12)));
    EXPECT_FALSE(hits(&p.o, kini_madd(kin_v(-12, -9), uphill, 2), kin_v(24, 18)));   /* flush along its side */
    EXPECT_TRUE(hits(&p.o, kini_madd(kin_v(-12, -9), uphill, 1.99f), kin_v(24, 18)));
}

UTEST(polygon, sliding_flush_along_any_slope)
{
    int i, met = 0;
    for (i = 0; i < 20000; i++) {
        kin_rot q = kin_turn(random_between(-3, 3));
        kin_vec along = kini_rotate(q, kin_v(1, 0)), up = kini_rotate(q, kin_v(0, 1)), x;
        pair    p;
        make(&p, kin_box(kin_v(6, 2)), kini_pose(random_vec(4), q), i % 2 ? kin_ball(0.5f) : kin_box(kin_v(1, 1)), i % 2 ? kini_unturned() : q);
        x = kini_madd(kini_madd(p.o.centre, up, 1.5f), along, random_between(-2, 2));
        if (kini_obstacle_gap(&p.o, x, &normal) < 0) continue;
        met += hits(&p.o, x, kini_scale(along, random_between(-5, 5)));
    }
    EXPECT_EQ(met, 0);
}

/* A ray that brushes a rounding and then meets the next side, which leans towards it by a hair. */
UTEST(polygon, side_that_hardly_faces_the_ray)
{
    pair  p;
    float low, high;
    int   i;
    make(&p, kin_box(kin_v(4, 1)), kini_pose(kini_vec_zero(), kin_turn(-1e-4f)), kin_ball(2), kini_unturned());
    low = 2 - 0.5e-4f + 2;
    high = 2 + 0.5e-4f + 2;
    for (i = -20; i <= 180; i++) {
        float x = low + 0.5e-6f * (float)i;
        bool  met = hits(&p.o, kin_v(x, -3), kin_v(0, 6));
        EXPECT_TRUE(met == (x < high) || kini_abs(x - high) < 4e-6f);
    }
}

UTEST(polygon, ways_out)
{
    kini_way ways[KINI_MAX_WAYS];
    pair     p;
    int      count, i;
    make(&p, slope(0), nowhere(), kin_box(kin_v(1, 1)), kini_unturned());
    ASSERT_EQ(kini_obstacle_ways(&p.o, kini_madd(kin_v(1.5f, 2), uphill, -0.25f), ways, KINI_MAX_WAYS), 5);
    EXPECT_TRUE(near(ways[0].length, 0.25f) && near_vec(ways[0].axis, uphill));
    EXPECT_EQ(kini_obstacle_ways(&p.o, kini_madd(kin_v(1.5f, 2), uphill, 0.01f), ways, KINI_MAX_WAYS), 0);
    make(&p, leaning_capsule(), nowhere(), kin_ball(1), kini_unturned());
    count = kini_obstacle_ways(&p.o, kin_v(4.8f, 3.6f), ways, KINI_MAX_WAYS);
    ASSERT_EQ(count, 5);                                            /* both sides, both ends, straight away from the end */
    EXPECT_TRUE(near(ways[0].length, 1) && near_vec(ways[0].axis, kin_v(0.8f, 0.6f)));
    for (i = 0; i < count; i++) {
        kin_vec out;
        EXPECT_TRUE(kini_obstacle_gap(&p.o, kini_madd(kin_v(4.8f, 3.6f), ways[i].axis, ways[i].length + 1e-5f), &out) > 0);
    }
}

UTEST(polygon, segment_of_a_mesh)
{
    kin_vec       ends[2];
    kini_solid    segment, body;
    kini_hull     room;
    kini_sum      sum;
    kini_obstacle o;
    kin_shape     ball = kin_ball(1);
    ends[0] = kin_v(0, 0); ends[1] = kin_v(4, 3);
    kini_clear(&segment, sizeof segment);
    segment.points = ends; segment.count = 2;
    segment.centre = kin_v(2, 1.5f); segment.half = kin_v(2, 1.5f); segment.reach = 5;
    ASSERT_TRUE(kini_shape_solid(&ball, &body, &room) == NULL);
    kini_obstacle_make(&o, &sum, &segment, kini_pose(kin_v(10, 10), kini_unturned()), &body, kini_unturned());
    EXPECT_TRUE(near(gap(&o, kini_madd(kin_v(12, 11.5f), uphill, 3)), 2) && near_vec(normal, uphill));
    EXPECT_TRUE(near(gap(&o, kini_madd(kin_v(12, 11.5f), uphill, -3)), 2) && near_vec(normal, kini_neg(uphill)));
    EXPECT_TRUE(near(gap(&o, kin_v(12, 11.5f)), -1));
    EXPECT_TRUE(near(gap(&o, kin_v(18, 16)), 4) && near_vec(normal, kin_v(0.8f, 0.6f)));
}

#endif
