/* SPDX-License-Identifier: MIT OR Unlicense

   math.c: square root, sine and cosine, arc tangent, power, and the small public values.

   Sines differ from one C library to the next, so these are our own: series in double precision, of +, -, *, / alone,
   which IEEE 754 defines to the bit. Odd functions get their sign last: mirrored arguments give mirrored results. */
#include "data.h"

static const double KINI_HALF_PI = 1.5707963267948966;

/* One instruction where there is one, by name, because compilers guard sqrtf with a call that sets errno; else the C
   library's; else our own. All round correctly, so all give the same bits. A test asks for our own. */
#ifndef KINI_OWN_ROOT
#if defined(KINEMATIC_SQRT)
static inline float kini_root(float a) { return (float)KINEMATIC_SQRT(a); }
#elif defined(__GNUC__) && defined(__AVX__)
static inline float kini_root(float a) { __asm__("vsqrtss %0, %0, %0" : "+x"(a)); return a; }
#elif defined(__GNUC__) && defined(__SSE__)
static inline float kini_root(float a) { __asm__("sqrtss %0, %0" : "+x"(a)); return a; }
#elif defined(__GNUC__) && defined(__aarch64__) && defined(__ARM_FP)
static inline float kini_root(float a) { __asm__("fsqrt %s0, %s0" : "+w"(a)); return a; }
#elif defined(__wasm__)
static inline float kini_root(float a) { return __builtin_sqrtf(a); }
#elif !defined(KINEMATIC_NO_STDLIB)
static inline float kini_root(float a) { return sqrtf(a); }
#else
#define KINI_OWN_ROOT
#endif
#endif

#ifdef KINI_OWN_ROOT
/* Newton's steps from 1..4 in double precision, then rounded. The root of a float is never within four ulp of a double
   of halfway between two floats, so this is the result that IEEE 754 asks for. */
static float kini_root(float a)
{
    double x = (double)a, root = 1.5, scale = 1;
    int    i;
    if (!(a <= KINI_FLT_MAX)) return a;
    for (; x >= 4; x /= 4) scale *= 2;
    for (; x < 1; x *= 4) scale /= 2;
    for (i = 0; i < 6; i++) root = (root + x / root) / 2;
    return (float)(root * scale);
}
#endif

/* Zero for everything that has no root: a sum of squares may have been rounded below zero. */
KINI_PART float kini_sqrt(float a) { return a > 0 ? kini_root(a) : 0; }

/* a modulo a whole turn, for a with more quarters than an int can count. Each subtraction is exact. */
static double kini_unwind(double a)
{
    double turns = 4 * KINI_HALF_PI;
    while (turns <= a / 2) turns *= 2;
    for (; turns >= 4 * KINI_HALF_PI; turns /= 2)
        if (a >= turns) a -= turns;
    return a;
}

/* Not turned (sine 0, cosine 1) if the angle is not finite. */
KINI_PART void kini_sine(float radians, float *sine, float *cosine)
{
    double a = (double)kini_abs(radians), r, s, c, swap;
    int    quarter;
    *sine = 0;
    *cosine = 1;
    if (!kini_finite(radians)) return;
    if (a > 1e6) a = kini_unwind(a);
    quarter = (int)(a / KINI_HALF_PI + 0.5);
    a -= quarter * KINI_HALF_PI;
    r = a * a;
    s = a - a * r * (1.0 / 6 - r * (1.0 / 120 - r * (1.0 / 5040 - r * (1.0 / 362880 - r / 39916800))));
    c = 1 - r * (1.0 / 2 - r * (1.0 / 24 - r * (1.0 / 720 - r * (1.0 / 40320 - r * (1.0 / 3628800 - r / 479001600)))));
    if (quarter & 1) { swap = s; s = c; c = -swap; }
    if (quarter & 2) { s = -s; c = -c; }
    *sine = (float)(radians < 0 ? -s : s);
    *cosine = (float)c;
}

/* Zero if both are zero, both infinite or one is not a number. */
KINI_PART float kini_arc_tangent(float y, float x)
{
    double across = (double)kini_abs(x), up = (double)kini_abs(y), angle = 0, sum = 0;
    bool   steep = up > across;
    double t = steep ? across / up : up / across;
    int    n;
    if (!(t <= 1)) return 0;
    if (t > 0.4142135623730950) {   /* tan(pi/8): turn back by pi/4, as the series is slow near 1 */
        t = (t - 1) / (t + 1);
        angle = KINI_HALF_PI / 2;
    }
    for (n = 23; n >= 3; n -= 2) sum = t * t * (1.0 / n - sum);
    angle += t - t * sum;
    if (steep) angle = KINI_HALF_PI - angle;
    if (x < 0) angle = 2 * KINI_HALF_PI - angle;
    return (float)(y < 0 ? -angle : angle);
}

/* Binary logarithm of a > 0, at most 1. */
static double kini_log2(double a)
{
    double whole = 0, s, r, sum = 0;
    int    n;
    for (; a < 0.7071067811865476; a *= 2) whole -= 1;
    s = (a - 1) / (a + 1);
    r = s * s;
    for (n = 13; n >= 3; n -= 2) sum = r * (1.0 / n + sum);
    return whole + 2.8853900817779268 * (s + s * sum);   /* 2 / ln 2 */
}

/* A base outside 0..1 counts as the nearest of these, an exponent below 0 as 0. */
KINI_PART float kini_power(float base, float exponent)
{
    double a, x, sum = 1;
    int    whole, n;
    if (!(exponent > 0) || base >= 1) return 1;
    if (!(base > 0)) return 0;
    a = -kini_log2((double)base) * (double)exponent;
    if (!(a < 150)) return 0;
    whole = (int)(a + 0.5);
    x = (whole - a) * 0.6931471805599453;   /* ln 2 */
    for (n = 11; n >= 1; n--) sum = 1 + sum * x / n;
    for (; whole > 0; whole--) sum /= 2;
    return (float)sum;
}

KIN_API int kin_version(void) { return KIN_VERSION; }

#if KINI_DIM == 2
KIN_API kin_vec kin_v(float x, float y) { kin_vec v; v.x = x; v.y = y; return v; }
KIN_API kin_cell kin_c(int x, int y) { kin_cell c; c.x = x; c.y = y; return c; }

KIN_API kin_rot kin_turn(float radians)
{
    kin_rot q;
    kini_sine(radians, &q.s, &q.c);
    return q;
}

KINI_PART kin_rot kini_spin_turn(kin_spin w, float dt) { return kin_turn(w * dt); }
#else
KIN_API kin_vec kin_v(float x, float y, float z) { kin_vec v; v.x = x; v.y = y; v.z = z; return v; }
KIN_API kin_cell kin_c(int x, int y, int z) { kin_cell c; c.x = x; c.y = y; c.z = z; return c; }

/* The quaternion (v, w), or not turned if it is none. */
static kin_rot kini_quaternion(kin_vec v, float w)
{
    kin_rot q;
    q.x = v.x; q.y = v.y; q.z = v.z; q.w = w;
    return kini_rot_len2(q) > 0.5f ? q : kini_unturned();
}

KIN_API kin_rot kin_turn(kin_vec axis, float radians)
{
    float sine, cosine;
    kini_sine(radians / 2, &sine, &cosine);
    if (!kini_vec_finite(axis) || kini_is_zero(axis)) return kini_unturned();
    return kini_quaternion(kini_scale(kini_unit(axis), sine), cosine);
}

/* Angles too small for their square to be worth a root take the start of the series. */
KINI_PART kin_rot kini_spin_turn(kin_spin w, float dt)
{
    kin_vec half = kini_scale(w, dt / 2);
    float   r = kini_len2(half), length, sine, cosine;
    if (r < KINI_TINY_TURN) return kini_quaternion(kini_scale(half, 1 - r / 6), 1 - r / 2);
    length = kini_sqrt(r);
    kini_sine(length, &sine, &cosine);
    return kini_quaternion(kini_scale(half, sine / length), cosine);
}
#endif
