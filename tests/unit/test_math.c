/* SPDX-License-Identifier: MIT OR Unlicense

   Elementary functions against the C library in long double precision, and the small public values.
   The build for 3D takes our own square root, that for 2D the one of the machine: both must give the same bits. */
#if KINEMATIC_DIM == 3
#define KINI_OWN_ROOT
#endif
#ifndef TEST_SHARE
#define TEST_SHARE 1
#endif
#include "math.c"

#include <math.h>
#include <string.h>
#include "utest.h"

#define CLOSE 1e-6L

static uint32_t random_state = 1;

static uint32_t random_bits(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return random_state;
}

static float random_between(float lo, float hi)
{
    return lo + (hi - lo) * (float)(random_bits() >> 8) / 16777216.0f;
}

static float of_bits(uint32_t bits)
{
    float a;
    memcpy(&a, &bits, sizeof a);
    return a;
}

static uint32_t bits_of(float a)
{
    uint32_t bits;
    memcpy(&bits, &a, sizeof bits);
    return bits;
}

static long double off(float got, long double want)
{
    return fabsl((long double)got - want);
}

/* ---- square root --------------------------------------------------------------------------------------------- */

static bool root_is_exact(float a)
{
    return bits_of(kini_sqrt(a)) == bits_of(sqrtf(a));
}

UTEST(math, square_root_of_every_significand)
{
    uint32_t i, wrong = 0;
    for (i = 0; i < 1u << 24; i += 3) wrong += !root_is_exact(of_bits((127u << 23) + i));
    ASSERT_EQ(0u, wrong);
}

UTEST(math, square_root_of_every_size)
{
    uint32_t i, wrong = 0;
    for (i = 1; i < 255; i++) {
        wrong += !root_is_exact(of_bits(i << 23));
        wrong += !root_is_exact(of_bits((i << 23) + 1));
        wrong += !root_is_exact(of_bits((i << 23) + 0x7fffff));
    }
    for (i = 1; i < 1u << 23; i += 1 + i / 100) wrong += !root_is_exact(of_bits(i));
    for (i = 0; i < 1000000 / TEST_SHARE; i++) wrong += !root_is_exact(of_bits(random_bits() % 0x7f800000u));
    ASSERT_EQ(0u, wrong);
}

UTEST(math, square_root_of_what_has_none)
{
    ASSERT_EQ(0u, bits_of(kini_sqrt(0.0f)));
    ASSERT_EQ(0u, bits_of(kini_sqrt(-0.0f)));
    ASSERT_EQ(0u, bits_of(kini_sqrt(-1.0f)));
    ASSERT_EQ(0u, bits_of(kini_sqrt(-INFINITY)));
    ASSERT_EQ(0u, bits_of(kini_sqrt(NAN)));
    ASSERT_TRUE(kini_sqrt(INFINITY) > KINI_FLT_MAX);
}

/* ---- sine and cosine ----------------------------------------------------------------------------------------- */

static long double sine_error(float a)
{
    float s, c;
    kini_sine(a, &s, &c);
    return fmaxl(off(s, sinl((long double)a)), off(c, cosl((long double)a)));
}

UTEST(math, sine_within_some_turns)
{
    long double worst = 0;
    int         i;
    for (i = -1000000; i <= 1000000; i += TEST_SHARE) worst = fmaxl(worst, sine_error((float)i * 1e-5f));
    ASSERT_TRUE(worst < 6.0e-8L);   /* half an ulp of one */
}

UTEST(math, sine_of_thousands_of_turns)
{
    long double worst = 0;
    int         i;
    for (i = 0; i < 1000000 / TEST_SHARE; i++) worst = fmaxl(worst, sine_error(random_between(-1e5f, 1e5f)));
    ASSERT_TRUE(worst < CLOSE);
    for (i = 0; i < 100000 / TEST_SHARE; i++) worst = fmaxl(worst, sine_error(random_between(-1e7f, 1e7f)));
    ASSERT_TRUE(worst < CLOSE);
}

UTEST(math, sine_near_multiples_of_a_quarter_turn)
{
    long double worst = 0;
    int         i, j;
    for (i = -4000; i <= 4000; i++) {
        float a = (float)i * 1.57079632679f;
        for (j = 0; j < 9; j++) worst = fmaxl(worst, sine_error(a + (float)(j - 4) * 1e-6f));
    }
    ASSERT_TRUE(worst < CLOSE);
}

UTEST(math, sine_of_tiny_angles_is_the_angle)
{
    float a, s, c;
    for (a = 1e-4f; a > 1e-44f; a *= 0.37f) {
        kini_sine(a, &s, &c);
        ASSERT_TRUE(off(s, sinl((long double)a)) <= (long double)a * 6.0e-8L + 1e-45L);
    }
}

UTEST(math, sine_is_on_the_unit_circle_for_every_float)
{
    int i, wrong = 0;
    for (i = 0; i < 1000000 / TEST_SHARE; i++) {
        float s, c, size;
        kini_sine(of_bits(random_bits()), &s, &c);
        size = s * s + c * c;
        wrong += !(size > 0.9999995f && size < 1.0000005f);
    }
    ASSERT_EQ(0, wrong);
}

UTEST(math, sine_is_odd_and_cosine_even_to_the_bit)
{
    int i, wrong = 0;
    for (i = 0; i < 1000000 / TEST_SHARE; i++) {
        float a = i & 1 ? random_between(0.0f, 10.0f) : kini_abs(of_bits(random_bits() % 0x7f800000u)), s, c, t, d;
        kini_sine(a, &s, &c);
        kini_sine(-a, &t, &d);
        wrong += bits_of(-s) != bits_of(t) && a > 0;
        wrong += bits_of(c) != bits_of(d);
    }
    ASSERT_EQ(0, wrong);
}

UTEST(math, sine_of_special_numbers)
{
    float given[5], s, c;
    int   i;
    given[0] = 0.0f; given[1] = -0.0f; given[2] = NAN; given[3] = INFINITY; given[4] = -INFINITY;
    for (i = 0; i < 5; i++) {
        kini_sine(given[i], &s, &c);
        ASSERT_EQ(0u, bits_of(s));
        ASSERT_EQ(bits_of(1.0f), bits_of(c));
    }
    kini_sine(KINI_PI / 2, &s, &c);
    ASSERT_EQ(bits_of(1.0f), bits_of(s));
}

/* ---- arc tangent --------------------------------------------------------------------------------------------- */

UTEST(math, arc_tangent_all_round)
{
    long double worst = 0;
    int         i;
    for (i = 0; i < 1000000 / TEST_SHARE; i++) {
        float y = random_between(-1.0f, 1.0f), x = random_between(-1.0f, 1.0f);
        if (i % 3 == 0) y *= 1e-6f;
        if (i % 5 == 0) x *= 1e-30f;
        worst = fmaxl(worst, off(kini_arc_tangent(y, x), atan2l((long double)y, (long double)x)));
    }
    ASSERT_TRUE(worst < 2.4e-7L);   /* an ulp of pi */
}

UTEST(math, arc_tangent_of_every_size)
{
    long double worst = 0;
    int         i;
    for (i = 0; i < 1000000 / TEST_SHARE; i++) {
        float y = of_bits(random_bits()), x = of_bits(random_bits());
        if (!kini_finite(y) || !kini_finite(x) || kini_is_zero(kini_all(y)) || kini_is_zero(kini_all(x))) continue;
        worst = fmaxl(worst, off(kini_arc_tangent(y, x), atan2l((long double)y, (long double)x)));
    }
    ASSERT_TRUE(worst < 2.4e-7L);
}

UTEST(math, arc_tangent_mirrors_to_the_bit)
{
    int i, wrong = 0;
    for (i = 0; i < 100000 / TEST_SHARE; i++) {
        float y = random_between(0.001f, 2.0f), x = random_between(-2.0f, 2.0f);
        wrong += bits_of(kini_arc_tangent(-y, x)) != bits_of(-kini_arc_tangent(y, x));
    }
    ASSERT_EQ(0, wrong);
}

UTEST(math, arc_tangent_of_special_numbers)
{
    ASSERT_EQ(0u, bits_of(kini_arc_tangent(0, 0)));
    ASSERT_EQ(0u, bits_of(kini_arc_tangent(0, 1)));
    ASSERT_EQ(0u, bits_of(kini_arc_tangent(0, INFINITY)));
    ASSERT_EQ(0u, bits_of(kini_arc_tangent(NAN, 1)));
    ASSERT_EQ(0u, bits_of(kini_arc_tangent(1, NAN)));
    ASSERT_EQ(0u, bits_of(kini_arc_tangent(INFINITY, -INFINITY)));
    ASSERT_EQ(bits_of(3.14159265f), bits_of(kini_arc_tangent(0, -1)));
    ASSERT_EQ(bits_of(1.57079633f), bits_of(kini_arc_tangent(1, 0)));
    ASSERT_EQ(bits_of(-1.57079633f), bits_of(kini_arc_tangent(-INFINITY, 1)));
    ASSERT_EQ(bits_of(0.785398163f), bits_of(kini_arc_tangent(3, 3)));
}

/* ---- power --------------------------------------------------------------------------------------------------- */

UTEST(math, power_as_the_fade_uses_it)
{
    long double worst = 0;
    int         i;
    for (i = 0; i < 1000000 / TEST_SHARE; i++) {
        float base = random_between(0.0f, 1.0f), exponent = random_between(0.0f, i & 1 ? 0.05f : 20.0f);
        if (!(base > 0)) continue;
        worst = fmaxl(worst, off(kini_power(base, exponent), powl((long double)base, (long double)exponent)));
    }
    ASSERT_TRUE(worst < 6.0e-8L);
}

UTEST(math, power_is_accurate_for_small_results_too)
{
    long double worst = 0;
    int         i;
    for (i = 0; i < 1000000 / TEST_SHARE; i++) {
        float       base = of_bits(random_bits() % 0x3f800000u), exponent = random_between(0.0f, 3.0f);
        long double want = powl((long double)base, (long double)exponent);
        if (want < 1.2e-38L) continue;
        worst = fmaxl(worst, off(kini_power(base, exponent), want) / want);
    }
    ASSERT_TRUE(worst < CLOSE);
}

UTEST(math, power_splits_into_steps)
{
    float whole = kini_power(0.3f, 1.0f), steps = 1;
    int   i;
    for (i = 0; i < 128; i++) steps *= kini_power(0.3f, 1.0f / 128);
    ASSERT_TRUE(off(whole, 0.3L) < 1e-7L);
    ASSERT_TRUE(off(steps, 0.3L) < 1e-5L);
}

UTEST(math, power_at_the_ends)
{
    ASSERT_EQ(bits_of(1.0f), bits_of(kini_power(1, 0.01f)));
    ASSERT_EQ(bits_of(1.0f), bits_of(kini_power(0.5f, 0)));
    ASSERT_EQ(bits_of(1.0f), bits_of(kini_power(0, 0)));
    ASSERT_EQ(bits_of(0.5f), bits_of(kini_power(0.5f, 1)));
    ASSERT_EQ(bits_of(0.25f), bits_of(kini_power(0.5f, 2)));
    ASSERT_EQ(0u, bits_of(kini_power(0, 0.01f)));
    ASSERT_EQ(0u, bits_of(kini_power(-1, 0.01f)));
    ASSERT_EQ(0u, bits_of(kini_power(0.5f, INFINITY)));
    ASSERT_EQ(0u, bits_of(kini_power(0.5f, 200)));
    ASSERT_EQ(1u, bits_of(kini_power(0.5f, 149)));   /* the smallest float there is */
    ASSERT_EQ(bits_of(1.0f), bits_of(kini_power(2, 3)));
    ASSERT_EQ(bits_of(1.0f), bits_of(kini_power(0.5f, NAN)));
    ASSERT_EQ(0u, bits_of(kini_power(NAN, 1)));
}

/* ---- public values ------------------------------------------------------------------------------------------- */

static kin_id id_of(uint32_t slot, uint32_t age)
{
    kin_id id;
    id.slot = slot;
    id.age = age;
    return id;
}

UTEST(values, version_and_handles)
{
    ASSERT_EQ(KIN_VERSION, kin_version());
    ASSERT_TRUE(kin_same(id_of(3, 7), id_of(3, 7)));
    ASSERT_FALSE(kin_same(id_of(3, 7), id_of(3, 8)));
    ASSERT_FALSE(kin_same(id_of(3, 7), id_of(4, 7)));
    ASSERT_TRUE(kin_same(id_of(0, 0), kini_nobody()));
}

#if KINEMATIC_DIM == 2

UTEST(values, vectors_and_cells)
{
    kin_vec  v = kin_v(1, -2);
    kin_cell c = kin_c(3, -4);
    ASSERT_TRUE(v.x >= 1 && v.x <= 1 && v.y >= -2 && v.y <= -2);
    ASSERT_TRUE(c.x == 3 && c.y == -4);
}

UTEST(values, turn_is_counter_clockwise)
{
    kin_vec v = kini_rotate(kin_turn(KINI_PI / 2), kin_v(2, 0));
    ASSERT_TRUE(off(v.x, 0) < CLOSE && off(v.y, 2) < CLOSE);
    ASSERT_TRUE(kini_is_unturned(kin_turn(0)));
    ASSERT_TRUE(kini_is_unturned(kin_turn(NAN)));
    ASSERT_TRUE(kini_is_unturned(kin_turn(INFINITY)));
}

UTEST(values, spin_over_time)
{
    kin_rot q = kini_spin_turn(-3.0f, 0.25f);
    ASSERT_TRUE(off(q.c, cosl(0.75L)) < 6.0e-8L && off(q.s, -sinl(0.75L)) < 6.0e-8L);
    q = kini_spin_turn(1e-20f, 0.01f);
    ASSERT_TRUE(off(q.s, 1e-22L) < 1e-28L);
    ASSERT_TRUE(kini_is_unturned(kini_spin_turn(0, 1)));
}

#else

static bool quaternion_is(kin_rot q, long double x, long double y, long double z, long double w, long double within)
{
    return off(q.x, x) <= within && off(q.y, y) <= within && off(q.z, z) <= within && off(q.w, w) <= within;
}

UTEST(values, vectors_and_cells)
{
    kin_vec  v = kin_v(1, -2, 5);
    kin_cell c = kin_c(3, -4, 6);
    ASSERT_TRUE(v.x >= 1 && v.x <= 1 && v.y >= -2 && v.y <= -2 && v.z >= 5 && v.z <= 5);
    ASSERT_TRUE(c.x == 3 && c.y == -4 && c.z == 6);
}

UTEST(values, turn_about_an_axis)
{
    kin_vec v = kini_rotate(kin_turn(kin_v(0, 0, 7), KINI_PI / 2), kin_v(2, 0, 1));
    ASSERT_TRUE(off(v.x, 0) < CLOSE && off(v.y, 2) < CLOSE && off(v.z, 1) < CLOSE);
    v = kini_rotate(kin_turn(kin_v(1, 1, 1), 2 * KINI_PI / 3), kin_v(1, 2, 3));
    ASSERT_TRUE(off(v.x, 3) < CLOSE && off(v.y, 1) < CLOSE && off(v.z, 2) < CLOSE);
}

UTEST(values, turn_about_no_axis)
{
    ASSERT_TRUE(kini_is_unturned(kin_turn(kin_v(0, 0, 0), 1)));
    ASSERT_TRUE(kini_is_unturned(kin_turn(kin_v(NAN, 1, 0), 1)));
    ASSERT_TRUE(kini_is_unturned(kin_turn(kin_v(0, 1, NAN), 1)));
    ASSERT_TRUE(kini_is_unturned(kin_turn(kin_v(INFINITY, 1, 0), 1)));
    ASSERT_TRUE(kini_is_unturned(kin_turn(kin_v(0, 1, 0), NAN)));
    ASSERT_TRUE(kini_is_unturned(kin_turn(kin_v(0, 1, 0), 0)));
}

UTEST(values, turn_about_axes_of_any_length)
{
    float size;
    for (size = 1e38f; size > 1e-37f; size *= 0.1f) {
        long double s = sinl(0.5L) / sqrtl(3.0L);
        ASSERT_TRUE(quaternion_is(kin_turn(kin_v(size, -size, size), 1), s, -s, s, cosl(0.5L), 2e-7L));
    }
    size = kini_rot_len2(kin_turn(kin_v(1e-42f, 0, 0), 1));
    ASSERT_TRUE(size > 0.999f && size < 1.001f);
}

UTEST(values, spin_over_time)
{
    long double worst = 0;
    int         i;
    for (i = 0; i < 100000 / TEST_SHARE; i++) {
        kin_vec     w = kin_v(random_between(-1, 1), random_between(-1, 1), random_between(-1, 1));
        float       dt = i & 1 ? random_between(0.0f, 8.0f) : random_between(0.0f, 0.004f);
        long double x = (long double)w.x, y = (long double)w.y, z = (long double)w.z;
        long double length = sqrtl(x * x + y * y + z * z), s = sinl(length * (long double)dt / 2) / length;
        kin_rot     q = kini_spin_turn(w, dt);
        worst = fmaxl(worst, fmaxl(off(q.x, x * s), fmaxl(off(q.y, y * s), off(q.z, z * s))));
        worst = fmaxl(worst, off(q.w, cosl(length * (long double)dt / 2)));
    }
    ASSERT_TRUE(worst < CLOSE);
}

UTEST(values, tiny_and_mad_spins)
{
    ASSERT_TRUE(quaternion_is(kini_spin_turn(kin_v(2e-20f, 0, -4e-20f), 0.5f), 0.5e-20L, 0, -1e-20L, 1, 1e-26L));
    ASSERT_TRUE(kini_is_unturned(kini_spin_turn(kin_v(0, 0, 0), 1)));
    ASSERT_TRUE(kini_is_unturned(kini_spin_turn(kin_v(1e30f, 0, 0), 1)));
    ASSERT_TRUE(kini_is_unturned(kini_spin_turn(kin_v(NAN, 0, 0), 1)));
}

#endif

UTEST_MAIN()
