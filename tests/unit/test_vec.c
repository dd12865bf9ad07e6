/* SPDX-License-Identifier: MIT OR Unlicense

   Vectors and rotations, the same tests for the plane and for space. */
#define KINEMATIC_IMPLEMENTATION
#include "kinematic.h"
#include "utest.h"

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

/* A turn that moves every axis. */
static kin_rot turn(float radians)
{
#if KINEMATIC_DIM == 2
    return kin_turn(radians);
#else
    return kin_turn(kin_v(1, 2, 3), radians);
#endif
}

UTEST(vec, arithmetic)
{
    kin_vec a = vec(1, -2, 3), b = vec(4, 8, -2);
    EXPECT_TRUE(near_vec(kini_add(a, b), vec(5, 6, 1)));
    EXPECT_TRUE(near_vec(kini_sub(a, b), vec(-3, -10, 5)));
    EXPECT_TRUE(near_vec(kini_scale(a, -2), vec(-2, 4, -6)));
    EXPECT_TRUE(near_vec(kini_madd(a, b, 0.5f), vec(3, 2, 2)));
    EXPECT_TRUE(near_vec(kini_neg(a), vec(-1, 2, -3)));
    EXPECT_TRUE(near_vec(kini_mix(a, b, 0.25f), vec(1.75f, 0.5f, 1.75f)));
    EXPECT_TRUE(near(kini_dot(a, b), KINEMATIC_DIM == 2 ? -12.0f : -18.0f));
    EXPECT_TRUE(near(kini_len2(a), KINEMATIC_DIM == 2 ? 5.0f : 14.0f));
    EXPECT_TRUE(near(kini_len(vec(3, -4, 0)), 5));
}

UTEST(vec, axes_and_extremes)
{
    kin_vec a = vec(1, -7, 3), b = vec(4, -8, 2);
    int     i;
    for (i = 0; i < KINEMATIC_DIM; i++) {
        EXPECT_TRUE(near(kini_at(kini_with(a, i, 9), i), 9));
        EXPECT_TRUE(near(kini_at(kini_with(a, i, 9), (i + 1) % KINEMATIC_DIM), kini_at(a, (i + 1) % KINEMATIC_DIM)));
        EXPECT_TRUE(near(kini_at(kini_all(2), i), 2));
    }
    EXPECT_TRUE(near_vec(kini_lower(a, b), vec(1, -8, 2)));
    EXPECT_TRUE(near_vec(kini_upper(a, b), vec(4, -7, 3)));
    EXPECT_TRUE(near_vec(kini_magnitudes(a), vec(1, 7, 3)));
    EXPECT_TRUE(near(kini_largest(a), KINEMATIC_DIM == 2 ? 1.0f : 3.0f));
    EXPECT_TRUE(near(kini_smallest(a), -7));
    EXPECT_TRUE(near(kini_clamp(5, -1, 1), 1));
    EXPECT_TRUE(near(kini_clamp(-5, -1, 1), -1));
    EXPECT_TRUE(near(kini_clamp(0.5f, -1, 1), 0.5f));
}

UTEST(vec, numbers_that_are_none)
{
    int i;
    EXPECT_TRUE(kini_finite(0));
    EXPECT_TRUE(kini_finite(-KINI_FLT_MAX));
    EXPECT_FALSE(kini_finite(endless()));
    EXPECT_FALSE(kini_finite(-endless()));
    EXPECT_FALSE(kini_finite(not_a_number()));
    EXPECT_TRUE(kini_vec_finite(vec(1, -2, 3)));
    for (i = 0; i < KINEMATIC_DIM; i++) {
        EXPECT_FALSE(kini_vec_finite(kini_with(vec(1, 2, 3), i, not_a_number())));
        EXPECT_FALSE(kini_vec_finite(kini_with(vec(1, 2, 3), i, -endless())));
    }
    EXPECT_TRUE(kini_is_zero(kini_vec_zero()));
    EXPECT_TRUE(kini_is_zero(vec(-0.0f, 0, 0)));
    EXPECT_FALSE(kini_is_zero(vec(0, -1e-30f, 0)));
    EXPECT_TRUE(kini_equal(2, 2));
    EXPECT_TRUE(kini_equal(0.0f, -0.0f));
    EXPECT_FALSE(kini_equal(2, 2.0000002f));
}

UTEST(vec, directions)
{
    static const float sizes[] = { 1e-35f, 1e-12f, 0.3f, 1, 49, 1e12f, 1e37f };
    kin_vec a = kini_unit(vec(3, -4, 12)), n;
    int     i;
    EXPECT_TRUE(kini_is_zero(kini_unit(kini_vec_zero())));
    for (i = 0; i < 7; i++) {
        EXPECT_TRUE(near_vec(kini_unit(kini_scale(vec(3, -4, 12), sizes[i])), a));
        EXPECT_TRUE(near(kini_len(kini_unit(kini_scale(vec(1, 1, 1), sizes[i]))), 1));
    }
    n = kini_unit(vec(1, 1, 0));
    EXPECT_TRUE(near(kini_dot(kini_across(vec(5, -3, 2), n), n), 0));
    EXPECT_TRUE(near_vec(kini_across(vec(5, -3, 2), n), vec(4, -4, 2)));
}

UTEST(vec, boxes)
{
    kin_vec lo = vec(0, 0, 0), hi = vec(1, 1, 1);
    int     i;
    EXPECT_TRUE(kini_boxes_meet(lo, hi, lo, hi));
    for (i = 0; i < KINEMATIC_DIM; i++) {
        EXPECT_TRUE(kini_boxes_meet(lo, hi, kini_with(lo, i, 1), kini_with(hi, i, 2)));
        EXPECT_FALSE(kini_boxes_meet(lo, hi, kini_with(lo, i, 1.001f), kini_with(hi, i, 2)));
        EXPECT_FALSE(kini_boxes_meet(lo, hi, kini_with(lo, i, -2), kini_with(hi, i, -0.001f)));
        EXPECT_FALSE(kini_boxes_meet(lo, hi, kini_with(lo, i, not_a_number()), hi));
    }
}

UTEST(vec, rotations)
{
    kin_rot  a = turn(0.7f), b = turn(-1.9f);
    kin_vec  v = vec(3, -1, 2);
    kin_pose pose = kini_pose(vec(10, 20, 30), a);
    EXPECT_TRUE(near(kini_rot_len2(a), 1));
    EXPECT_TRUE(near(kini_len(kini_rotate(a, v)), kini_len(v)));
    EXPECT_FALSE(near_vec(kini_rotate(a, v), v));
    EXPECT_TRUE(near_vec(kini_unrotate(a, kini_rotate(a, v)), v));
    EXPECT_TRUE(near_vec(kini_rotate(kini_inverse(a), kini_rotate(a, v)), v));
    EXPECT_TRUE(near_vec(kini_rotate(kini_compose(a, b), v), kini_rotate(a, kini_rotate(b, v))));
    EXPECT_TRUE(near_vec(kini_to_local(pose, kini_to_world(pose, v)), v));
    EXPECT_TRUE(near_vec(kini_to_world(pose, kini_vec_zero()), pose.p));
    EXPECT_TRUE(near_vec(kini_rotate(kini_rot_unit(kini_rot_mix(turn(0.2f), turn(1.0f), 0.5f)), v), kini_rotate(turn(0.6f), v)));
}

UTEST(vec, not_turned)
{
    kin_rot none = kini_rot_scale(turn(1), 0);
    EXPECT_TRUE(kini_is_unturned(kini_unturned()));
    EXPECT_TRUE(kini_is_unturned(kini_rot_unit(none)));
    EXPECT_FALSE(kini_is_unturned(turn(1e-3f)));
    EXPECT_FALSE(kini_is_unturned(turn(-3)));
    EXPECT_TRUE(near_vec(kini_rotate(kini_rot_unit(kini_rot_scale(turn(1), 3)), vec(1, 2, 3)), kini_rotate(turn(1), vec(1, 2, 3))));
}

UTEST(vec, box_around_a_turned_box)
{
    kin_vec half = vec(3, 1, 2), got = kini_turned_half(turn(0.7f), half), most = kini_vec_zero();
    int     i, k;
    for (i = 0; i < 8; i++) {
        kin_vec corner = half;
        for (k = 0; k < KINEMATIC_DIM; k++) if (i >> k & 1) corner = kini_with(corner, k, -kini_at(half, k));
        most = kini_upper(most, kini_magnitudes(kini_rotate(turn(0.7f), corner)));
    }
    EXPECT_TRUE(near_vec(got, most));
}

#if KINEMATIC_DIM == 3
/* It leaves out what is zero, and comes to the very number that turning the three arms gives. */
UTEST(vec, box_around_a_turned_box_to_the_bit)
{
    int i, k;
    for (i = 0; i < 20000; i++) {
        kin_rot q = kin_turn(kin_v((float)(i % 7 - 3), (float)(i % 11 - 5), (float)(i % 13) - 5.5f), (float)i * 0.37f);
        kin_vec half = kin_v((float)(i % 5) * 0.3f, 0.7f + (float)(i % 17) * 1e-4f, (float)(i % 3) * 1e5f), arms[3], sum, got;
        for (k = 0; k < 3; k++) arms[k] = kini_magnitudes(kini_rotate(q, kini_with(kini_vec_zero(), k, kini_at(half, k))));
        sum = kini_add(arms[0], kini_add(arms[1], arms[2]));
        got = kini_turned_half(q, half);
        for (k = 0; k < 3; k++) ASSERT_EQ(kini_float_bits(kini_at(sum, k)), kini_float_bits(kini_at(got, k)));
    }
}
#endif

UTEST(vec, spin)
{
    kin_vec arm = vec(2, 0, 0);
#if KINEMATIC_DIM == 2
    kin_spin w = 3;
#else
    kin_spin w = kin_v(0, 0, 3);
#endif
    EXPECT_TRUE(near_vec(kini_spin_velocity(w, arm), vec(0, 6, 0)));
    EXPECT_TRUE(near_vec(kini_spin_velocity(kini_spin_scale(w, -2), arm), vec(0, -12, 0)));
    EXPECT_TRUE(near(kini_spin_size(kini_spin_scale(w, -1)), 3));
    EXPECT_TRUE(kini_spins(w));
    EXPECT_FALSE(kini_spins(kini_spin_zero()));
}

#if KINEMATIC_DIM == 2
UTEST(vec, plane)
{
    EXPECT_TRUE(near_vec(kini_perp(kin_v(2, 1)), kin_v(-1, 2)));
    EXPECT_TRUE(near(kini_area(kin_v(2, 0), kin_v(1, 3)), 6));
    EXPECT_TRUE(near_vec(kini_rotate(kin_turn(KINI_PI / 2), kin_v(2, 1)), kin_v(-1, 2)));
    EXPECT_TRUE(kini_is_unturned(kini_turn_about(kin_turn(1), kin_v(0, 1))));
}
#else
UTEST(vec, space)
{
    kin_vec up = kin_v(0, 1, 0);
    kin_rot both = kini_compose(kin_turn(up, 0.8f), kin_turn(kin_v(1, 0, 0), 0.3f));
    kin_rot about = kini_rot_unit(kini_turn_about(both, up));
    EXPECT_TRUE(near_vec(kini_cross(kin_v(1, 0, 0), kin_v(0, 1, 0)), kin_v(0, 0, 1)));
    EXPECT_TRUE(near_vec(kini_rotate(kin_turn(kin_v(0, 0, 5), KINI_PI / 2), kin_v(2, 1, 7)), kin_v(-1, 2, 7)));
    EXPECT_TRUE(near_vec(kini_rotate(about, up), up));
}
#endif
