/* SPDX-License-Identifier: MIT OR Unlicense

   Makers of shapes, what is refused, and what is read of a shape. */
#define KINEMATIC_IMPLEMENTATION
#include "kinematic.h"
#include "utest.h"
#include <stdlib.h>
#include <string.h>

UTEST_MAIN()

static float not_a_number(void) { volatile float zero = 0; return zero / zero; }
static float endless(void) { volatile float big = KINI_FLT_MAX; return big * 2; }

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

static float random_between(float lo, float hi) { return lo + (hi - lo) * (float)(rand() % 10001) / 10000.0f; }
static kin_vec random_vec(float size) { return vec(random_between(-size, size), random_between(-size, size), random_between(-size, size)); }

static bool is_empty(kin_shape shape)
{
    kin_shape none;
    memset(&none, 0, sizeof none);
    return memcmp(&shape, &none, sizeof none) == 0;
}

static kini_hull  room;
static kini_solid solid_of(kin_shape shape)
{
    kini_solid solid;
    memset(&solid, 0, sizeof solid);
    if (kini_shape_solid(&shape, &solid, &room)) abort();
    return solid;
}

static bool is_refused(kin_shape shape, const char *part)
{
    kini_solid  solid;
    const char *why = kini_shape_solid(&shape, &solid, &room);
    return why && strstr(why, part);
}

/* ---- makers ---------------------------------------------------------------------------------------------------------- */

UTEST(shape, ball)
{
    kin_shape ball = kin_ball(1.5f);
    EXPECT_EQ(ball.count, 1);
    EXPECT_TRUE(near(ball.radius, 1.5f));
    EXPECT_TRUE(kini_is_zero(ball.points[0]));
    EXPECT_TRUE(is_empty(kin_ball(0)));
    EXPECT_TRUE(is_empty(kin_ball(-1)));
    EXPECT_TRUE(is_empty(kin_ball(not_a_number())));
    EXPECT_TRUE(is_empty(kin_ball(endless())));
    EXPECT_TRUE(is_empty(kin_ball(1e8f)));
    EXPECT_TRUE(is_empty(kin_ball(1e-8f)));
}

UTEST(shape, capsule)
{
    kin_shape capsule = kin_capsule(2, 0.5f);
    EXPECT_EQ(capsule.count, 2);
    EXPECT_TRUE(near_vec(capsule.points[0], vec(0, -0.5f, 0)));
    EXPECT_TRUE(near_vec(capsule.points[1], vec(0, 0.5f, 0)));
    EXPECT_TRUE(near(capsule.radius, 0.5f));
    EXPECT_EQ(kin_capsule(1, 0.5f).count, 1);
    EXPECT_TRUE(near(kin_capsule(1, 0.5f).radius, 0.5f));
    EXPECT_EQ(0, kin_capsule(0.99f, 0.5f).count);   /* with its numbers, for the message */
    EXPECT_TRUE(is_empty(kin_capsule(2, 0)));
    EXPECT_TRUE(is_empty(kin_capsule(2, -0.5f)));
    EXPECT_TRUE(is_empty(kin_capsule(-2, -3)));
    EXPECT_TRUE(is_empty(kin_capsule(not_a_number(), 0.5f)));
    EXPECT_TRUE(is_empty(kin_capsule(2, not_a_number())));
    EXPECT_TRUE(is_empty(kin_capsule(endless(), 0.5f)));
}

UTEST(shape, box)
{
    kin_shape  box = kin_box(vec(2, 4, 6));
    kini_solid solid = solid_of(box);
    int        i;
    EXPECT_EQ(box.count, KINEMATIC_DIM == 2 ? 4 : 8);
    EXPECT_TRUE(near(box.radius, 0));
    for (i = 0; i < box.count; i++) EXPECT_TRUE(near_vec(kini_magnitudes(box.points[i]), vec(1, 2, 3)));
    EXPECT_EQ(solid.count, 0);
    EXPECT_TRUE(near_vec(solid.half, vec(1, 2, 3)));
    for (i = 0; i < KINEMATIC_DIM; i++) {
        EXPECT_TRUE(is_empty(kin_box(kini_with(vec(2, 4, 6), i, 0))));
        EXPECT_TRUE(is_empty(kin_box(kini_with(vec(2, 4, 6), i, -1))));
        EXPECT_TRUE(is_empty(kin_box(kini_with(vec(2, 4, 6), i, not_a_number()))));
        EXPECT_TRUE(is_empty(kin_box(kini_with(vec(2, 4, 6), i, endless()))));
        EXPECT_TRUE(is_empty(kin_box(kini_with(vec(2, 4, 6), i, 1e-7f))));
        EXPECT_TRUE(is_empty(kin_box(kini_with(vec(2, 4, 6), i, 2e7f))));
    }
}

UTEST(shape, hull_keeps_corners_only)
{
    kin_vec points[40];
    int     i, k, count = 0;
    for (k = 0; k < 3; k++)                    /* corners of a leaning prism three times */
        for (i = 0; i < (KINEMATIC_DIM == 2 ? 4 : 8); i++)
            points[count++] = vec((float)(i & 1) * 4 + (float)(i >> 1 & 1), (float)(i >> 1 & 1) * 3, (float)(i >> 2) * 2);
    for (i = 0; i < 8; i++) points[count++] = vec(2.5f, 1.5f, random_between(0.5f, 1.5f));   /* inside */
    points[count++] = vec(2, 0, 0);            /* along a side */
    points[count++] = vec(0.5f, 1.5f, 0);
    points[count++] = vec(4.25f, 0.75f, 0);
    EXPECT_EQ(kin_hull(points, count, 0).count, KINEMATIC_DIM == 2 ? 4 : 8);
    EXPECT_TRUE(near(kin_hull(points, count, 0.25f).radius, 0.25f));
}

UTEST(shape, hull_refuses)
{
    kin_vec points[300];
    int     i;
    for (i = 0; i < 300; i++) points[i] = vec(1, 1, 1);
    EXPECT_TRUE(is_empty(kin_hull(NULL, 3, 1)));
    EXPECT_TRUE(is_empty(kin_hull(points, 0, 1)));
    EXPECT_TRUE(is_empty(kin_hull(points, -5, 1)));
    EXPECT_TRUE(is_empty(kin_hull(points, 200, 0)));
    EXPECT_TRUE(is_empty(kin_hull(points, 200, -1)));
    EXPECT_TRUE(is_empty(kin_hull(points, 200, not_a_number())));
    EXPECT_EQ(kin_hull(points, 200, 1).count, 1);
    points[3] = vec(not_a_number(), 0, 0);
    EXPECT_TRUE(is_empty(kin_hull(points, 200, 1)));
    points[3] = vec(0, -endless(), 0);
    EXPECT_TRUE(is_empty(kin_hull(points, 200, 1)));
    points[3] = vec(3e38f, -3e38f, 0);
    points[4] = vec(-3e38f, 3e38f, 0);
    EXPECT_TRUE(is_empty(kin_hull(points, 200, 1)));
    points[3] = vec(2, 3, 1);                  /* a segment: flat unless rounded */
    points[4] = vec(1.5f, 2, 1);
    EXPECT_TRUE(is_empty(kin_hull(points, 10, 0)));
    EXPECT_EQ(kin_hull(points, 10, 0.5f).count, 2);
}

UTEST(shape, hull_of_too_many_corners)
{
    kin_vec points[64];
    int     i;
    for (i = 0; i < 64; i++) {
        float   y = 1 - 2 * ((float)i + 0.5f) / 64;
        kin_rot q = turn((float)i * (KINEMATIC_DIM == 2 ? 2 * KINI_PI / 64 : 2.4f));
        points[i] = kini_rotate(q, vec(KINEMATIC_DIM == 2 ? 1 : kini_sqrt(1 - y * y), 0, y));
    }
    EXPECT_TRUE(is_empty(kin_hull(points, 64, 0)));
    EXPECT_EQ(kin_hull(points, KIN_MAX_POINTS, 0).count, KIN_MAX_POINTS);
    EXPECT_TRUE(is_empty(kin_hull(points, KIN_MAX_POINTS + 1, 0)));
}

#if KINEMATIC_DIM == 2
UTEST(shape, hull_runs_counter_clockwise)
{
    int n, i, k, round;
    for (round = 0; round < 20000; round++) {
        kin_vec   points[8];
        float     flat = round % 3 ? 1 : random_between(1e-5f, 1), size = round % 2 ? 1 : 1e6f;
        kini_hull hull;
        n = 1 + round % 8;
        for (i = 0; i < n; i++) points[i] = kin_v((float)(rand() % 5) * size, (float)(rand() % 5) * (size * flat));
        ASSERT_TRUE(kini_hull_build(&hull, points, n));
        ASSERT_LE(hull.count, n);
        for (i = 0; i < hull.face_count; i++) {
            kin_vec at = hull.points[i], next = hull.points[(i + 1) % hull.count];
            ASSERT_TRUE(near(kini_len(hull.normals[i]), 1));
            ASSERT_TRUE(kini_abs(kini_dot(hull.normals[i], kini_unit(kini_sub(next, at)))) < 1e-5f);
            for (k = 0; k < n; k++) ASSERT_LE(kini_dot(hull.normals[i], kini_sub(points[k], at)), 4e-6f * 4 * size);
            for (k = 0; k < hull.count; k++)
                if (k != i && k != (i + 1) % hull.count)
                    ASSERT_LT(kini_dot(hull.normals[i], kini_sub(hull.points[k], at)), 0);
        }
    }
}

UTEST(shape, points_that_hardly_stick_out_are_dropped)
{
    kin_vec   points[6];
    kini_hull hull;
    points[0] = kin_v(-1, -1); points[1] = kin_v(1, -1); points[2] = kin_v(1, 1); points[3] = kin_v(-1, 1);
    points[4] = kin_v(-1.0000002f, 0);
    points[5] = kin_v(0.9999999f, 1.0000001f);
    ASSERT_TRUE(kini_hull_build(&hull, points, 6));
    EXPECT_EQ(hull.count, 4);
}

UTEST(shape, normals_along_the_axes_are_exact)
{
    kin_vec   points[6];
    kini_hull hull;
    int       i, k, exact = 0;
    for (i = 0; i < 1000; i++) {
        float x = random_between(0.1f, 50), y = random_between(0.1f, 50);
        points[0] = kin_v(0, 0); points[1] = kin_v(x, 0); points[2] = kin_v(x, y); points[3] = kin_v(0, y);
        points[4] = kin_v(x * 1.5f, y / 2);
        ASSERT_TRUE(kini_hull_build(&hull, points, 5));
        ASSERT_EQ(hull.count, 5);
        for (k = 0; k < 5; k++) exact += kini_equal(kini_largest(kini_magnitudes(hull.normals[k])), 1);
    }
    EXPECT_EQ(exact, 3000);
}
#endif

/* ---- any shape --------------------------------------------------------------------------------------------------------- */

UTEST(shape, made_by_hand)
{
    kin_shape shape = kin_box(vec(2, 2, 2)), bad;
    EXPECT_TRUE(kini_shape_solid(NULL, NULL, NULL) != NULL);
    bad = shape; bad.count = 0;
    EXPECT_TRUE(is_refused(bad, "is empty"));
    bad.count = -7;
    EXPECT_TRUE(is_refused(bad, "is empty"));
    bad.count = KIN_MAX_POINTS + 1;
    EXPECT_TRUE(is_refused(bad, "too many points"));
    bad = shape; bad.radius = -0.1f;
    EXPECT_TRUE(is_refused(bad, "has a radius that is negative"));
    bad.radius = not_a_number();
    EXPECT_TRUE(is_refused(bad, "has a radius that is not"));
    bad.radius = endless();
    EXPECT_TRUE(is_refused(bad, "has a radius that is not"));
    bad = shape; bad.points[2].y = not_a_number();
    EXPECT_TRUE(is_refused(bad, "has a point that is not finite"));
    bad = shape; bad.points[1].x = 1e8f;
    EXPECT_TRUE(is_refused(bad, "too large"));
    bad = shape; bad.radius = 1e7f;
    EXPECT_TRUE(is_refused(bad, "too large"));
    bad = shape; bad.count = 2; bad.points[0] = vec(1, 1, 1); bad.points[1] = vec(2, 3, 4);
    EXPECT_TRUE(is_refused(bad, "has no inside"));
    bad = kin_ball(1); bad.radius = 1e-9f;
    EXPECT_TRUE(is_refused(bad, "smaller than"));
    bad = kin_ball(1); bad.radius = 0;
    EXPECT_TRUE(is_refused(bad, "has no inside"));
}

UTEST(shape, flat_only_if_rounded)
{
    kin_shape shape = kin_box(vec(2, 2, 2));
    int       i;
    for (i = 0; i < shape.count; i++) shape.points[i] = kini_rotate(turn(0.5f), kini_with(shape.points[i], 1, 0));
    EXPECT_TRUE(is_refused(shape, "has no inside"));
    shape.radius = 0.25f;
    EXPECT_TRUE(near(solid_of(shape).width, 0.5f));
}

UTEST(shape, boxes_are_recognised_in_any_order)
{
    int round, i;
    for (round = 0; round < 2000; round++) {
        kin_vec    lo = random_vec(5), size = kini_add(kini_magnitudes(random_vec(3)), kini_all(0.01f));
        kin_shape  box = kin_box(size);
        kini_solid solid;
        for (i = 0; i < box.count; i++) {
            int     k = i + rand() % (box.count - i);
            kin_vec swapped = box.points[k];
            box.points[k] = box.points[i];
            box.points[i] = kini_add(lo, swapped);
        }
        solid = solid_of(box);
        ASSERT_EQ(solid.count, 0);
        ASSERT_TRUE(solid.points == NULL && solid.hull == NULL);
        ASSERT_TRUE(near_vec(solid.centre, lo));
        ASSERT_TRUE(near_vec(solid.half, kini_scale(size, 0.5f)));
        ASSERT_TRUE(near(solid.width, kini_smallest(size)));
        ASSERT_TRUE(near(solid.reach, kini_len(kini_add(kini_magnitudes(lo), kini_scale(size, 0.5f)))));
    }
}

UTEST(shape, nearly_boxes_are_not)
{
    kin_shape  box = kin_box(vec(2, 2, 2)), part = box, leaning = box;
    part.count--;
    EXPECT_NE(solid_of(part).count, 0);
    leaning.points[1].x += 0.001f;
    EXPECT_NE(solid_of(leaning).count, 0);
    EXPECT_TRUE(solid_of(leaning).hull != NULL);
    box.points[KINEMATIC_DIM == 2 ? 4 : 8] = vec(0, 1, 1);          /* on a side: still a box */
    box.count++;
    EXPECT_EQ(solid_of(box).count, 0);
}

UTEST(shape, segments_along_an_axis)
{
    int axis;
    for (axis = 0; axis < KINEMATIC_DIM; axis++) {
        kin_vec    ends[2];
        kini_solid solid;
        ends[0] = kini_with(vec(1, 2, 3), axis, 5);
        ends[1] = kini_with(vec(1, 2, 3), axis, -1);
        solid = solid_of(kin_hull(ends, 2, 0.5f));
        EXPECT_EQ(solid.count, 0);
        EXPECT_TRUE(near_vec(solid.half, kini_with(kini_vec_zero(), axis, 3)));
        EXPECT_TRUE(near_vec(solid.centre, kini_with(vec(1, 2, 3), axis, 2)));
        EXPECT_TRUE(near(solid.width, 1));
    }
    {
        kin_vec leaning[2];
        leaning[0] = vec(0, 0, 0);
        leaning[1] = vec(1, 2, 0);
        EXPECT_EQ(solid_of(kin_hull(leaning, 2, 0.5f)).count, 2);
        EXPECT_TRUE(near(solid_of(kin_hull(leaning, 2, 0.5f)).width, 1));
        EXPECT_TRUE(near(solid_of(kin_hull(leaning, 2, 0.5f)).reach, kini_sqrt(5) + 0.5f));
    }
}

/* ---- reading ------------------------------------------------------------------------------------------------------------- */

static kin_shape some_shape(int i)
{
    kin_vec points[6];
    int     k;
    for (k = 0; k < 6; k++) points[k] = random_vec(2);
    if (i % 5 == 0) return kin_ball(random_between(0.1f, 2));
    if (i % 5 == 1) return kin_capsule(random_between(2, 4), random_between(0.1f, 1));
    if (i % 5 == 2) return kin_box(kini_add(kini_magnitudes(random_vec(2)), kini_all(0.1f)));
    return kin_hull(points, 6, i % 5 == 3 ? 0 : 0.5f);
}

static kin_rot some_turn(int i)
{
    if (i % 4 == 0) return kini_unturned();
#if KINEMATIC_DIM == 2
    return kin_turn(random_between(-3, 3));
#else
    return kin_turn(random_vec(1), random_between(-3, 3));
#endif
}

UTEST(shape, bounds_corners_and_support)
{
    int i, k, axis;
    for (i = 0; i < 4000; i++) {
        kin_shape  shape = some_shape(i);
        kini_solid solid = solid_of(shape);
        kin_pose   at = kini_pose(random_vec(10), some_turn(i / 5));
        kin_vec    lo, hi, corners[KIN_MAX_POINTS], least = kini_all(1e9f), most = kini_all(-1e9f), way = random_vec(1);
        float      furthest = -1e9f, reach = 0;
        int        count = kini_solid_corners(&solid, at.q, corners);
        kini_solid_bounds(&solid, at, &lo, &hi);
        ASSERT_EQ(count, shape.count);
        for (k = 0; k < shape.count; k++) {
            kin_vec p = kini_rotate(at.q, shape.points[k]);
            least = kini_lower(least, p);
            most = kini_upper(most, p);
            furthest = kini_greater(furthest, kini_dot(p, way));
            reach = kini_greater(reach, kini_len(p));
        }
        for (axis = 0; axis < KINEMATIC_DIM; axis++) {
            ASSERT_TRUE(near(kini_at(lo, axis), kini_at(at.p, axis) + kini_at(least, axis) - shape.radius));
            ASSERT_TRUE(near(kini_at(hi, axis), kini_at(at.p, axis) + kini_at(most, axis) + shape.radius));
        }
        ASSERT_TRUE(near(kini_dot(kini_solid_support(&solid, at.q, way), way), furthest));
        ASSERT_TRUE(near(solid.reach, reach + shape.radius));
    }
}

UTEST(shape, box_along_the_axes_after_a_turn)
{
    kini_solid box = solid_of(kin_box(vec(2, 4, 6))), ball = solid_of(kin_ball(1)), capsule = solid_of(kin_capsule(3, 0.5f));
    kin_vec    half;
    EXPECT_TRUE(kini_solid_is_box(&box, kini_unturned(), &half) && near_vec(half, vec(1, 2, 3)));
    EXPECT_TRUE(kini_solid_is_box(&box, turn(KINI_PI / 2), &half) && kini_equal(half.x, 2) && kini_equal(half.y, 1));
    EXPECT_TRUE(kini_solid_is_box(&box, turn(KINI_PI), &half) && kini_equal(half.x, 1) && kini_equal(half.y, 2));
    EXPECT_FALSE(kini_solid_is_box(&box, turn(KINI_PI / 4), &half));
    EXPECT_FALSE(kini_solid_is_box(&box, turn(1e-5f), &half));
    EXPECT_TRUE(kini_solid_is_box(&ball, turn(1), &half) && kini_is_zero(half));
    EXPECT_TRUE(kini_solid_is_box(&capsule, turn(-KINI_PI / 2), &half) && near_vec(half, vec(1, 0, 0)));
    EXPECT_FALSE(kini_solid_is_box(&capsule, turn(0.3f), &half));
#if KINEMATIC_DIM == 3
    EXPECT_TRUE(kini_solid_is_box(&capsule, kin_turn(kin_v(0, 1, 0), 0.3f), &half) && near_vec(half, vec(0, 1, 0)));
    EXPECT_FALSE(kini_solid_is_box(&box, kin_turn(kin_v(0, 1, 0), 0.3f), &half));
#endif
}

/* ---- where shapes touch -------------------------------------------------------------------------------------------------- */

static kin_vec touch(kin_shape piece, kin_pose at, kin_shape body, kin_vec x, kin_vec normal)
{
    static kini_hull rooms[2];
    kini_solid       a, b;
    if (kini_shape_solid(&piece, &a, &rooms[0]) || kini_shape_solid(&body, &b, &rooms[1])) abort();
    return kini_touch_point(&a, at, &b, kini_pose(x, kini_unturned()), normal);
}

UTEST(shape, touch_on_a_floor)
{
    kin_shape floor = kin_box(vec(10, 2, 10)), box = kin_box(vec(2, 2, 2));
    kin_pose  at = kini_pose(vec(0, -1, 0), kini_unturned());
    kin_vec   up = vec(0, 1, 0);
    EXPECT_TRUE(near_vec(touch(floor, at, box, vec(2, 1, 1), up), vec(2, 0, 1)));
    EXPECT_TRUE(near_vec(touch(floor, at, box, vec(5.5f, 1, 1), up), vec(4.75f, 0, 1)));     /* overhanging */
    EXPECT_TRUE(near_vec(touch(floor, at, box, vec(-5.5f, 1.004f, 1), up), vec(-4.75f, 0, 1)));
    EXPECT_TRUE(near_vec(touch(floor, at, kin_ball(1), vec(2, 1, 1), up), vec(2, 0, 1)));
    EXPECT_TRUE(near_vec(touch(floor, at, kin_capsule(3, 0.5f), vec(2, 1.5f, 1), up), vec(2, 0, 1)));
    EXPECT_TRUE(near_vec(touch(floor, at, kin_capsule(3, 0.5f), vec(5.5f, -0.5f, 1), vec(1, 0, 0)), vec(5, -0.75f, 1)));
    EXPECT_TRUE(near_vec(touch(floor, at, kin_capsule(3, 0.5f), vec(5.5f, 1, 1), vec(1, 0, 0)), vec(5, 0, 1)));
}

UTEST(shape, touch_of_round_shapes)
{
    kin_pose at = kini_pose(vec(1, 1, 1), turn(0.3f));
    kin_vec  way = vec(0.6f, 0.8f, 0);
    EXPECT_TRUE(near_vec(touch(kin_ball(2), at, kin_ball(1), kini_madd(at.p, way, 3), way), kini_madd(at.p, way, 2)));
    EXPECT_TRUE(near_vec(touch(kin_ball(2), at, kin_box(vec(2, 2, 2)), vec(2, 4, 1), vec(0, 1, 0)), vec(1, 3, 1)));
}

UTEST(shape, touch_on_a_slope)
{
    kin_pose  at = kini_pose(vec(0, 0, 0), turn(KINI_PI / 4));
    kin_vec   normal = kini_rotate(at.q, vec(0, 1, 0)), along = kini_rotate(at.q, vec(1, 0, 0));
    kin_shape slope = kin_box(vec(10, 2, 10));
    kin_vec   on = kini_madd(kini_scale(normal, 1), along, 2), got;
    got = touch(slope, at, kin_ball(1), kini_madd(on, normal, 1), normal);
    EXPECT_TRUE(near_vec(got, on));
    got = touch(slope, at, kin_box(vec(2, 2, 2)), kini_add(on, vec(-1, 1, 0)), normal);     /* stands on its corner */
    EXPECT_TRUE(near_vec(got, on));
}

UTEST(shape, touch_far_from_the_origin)
{
    kin_vec far_off = vec(524288, 524288, 0);
    kin_vec got = touch(kin_box(vec(10, 2, 10)), kini_pose(far_off, kini_unturned()), kin_box(vec(2, 2, 2)), kini_add(far_off, vec(5.5f, 2, 0)), vec(0, 1, 0));
    EXPECT_TRUE(near_vec(kini_sub(got, far_off), vec(4.75f, 1, 0)));
}
