/* SPDX-License-Identifier: MIT OR Unlicense

   vec.h: arithmetic that reads the same in the plane and in space. */
#ifndef KINI_VEC_H
#define KINI_VEC_H

#include "config.h"
#if KINI_DIM == 2
#include "vec2.h"
#else
#include "vec3.h"
#endif

#define KINI_FLT_MAX 3.402823466e38f

static inline float kini_lesser(float a, float b) { return a < b ? a : b; }
static inline float kini_greater(float a, float b) { return a > b ? a : b; }
static inline float kini_clamp(float a, float lo, float hi) { return a < lo ? lo : a > hi ? hi : a; }
static inline bool  kini_finite(float a) { return a >= -KINI_FLT_MAX && a <= KINI_FLT_MAX; }
static inline bool  kini_equal(float a, float b) { return !(a < b) && !(a > b); }   /* also true if one is NaN */

static inline kin_vec kini_neg(kin_vec a) { return kini_sub(kini_vec_zero(), a); }
static inline float   kini_len2(kin_vec a) { return kini_dot(a, a); }
static inline float   kini_len(kin_vec a) { return kini_sqrt(kini_dot(a, a)); }
static inline bool    kini_vec_finite(kin_vec a)
{
    kin_vec m = kini_magnitudes(a);
    return kini_boxes_meet(m, m, kini_vec_zero(), kini_all(KINI_FLT_MAX));
}
static inline kin_vec kini_mix(kin_vec a, kin_vec b, float t) { return kini_madd(a, kini_sub(b, a), t); }
static inline bool    kini_box_holds(kin_vec lo, kin_vec hi, kin_vec inner_lo, kin_vec inner_hi)
{
    return kini_boxes_meet(lo, hi, inner_hi, inner_lo);   /* lo <= inner_lo and inner_hi <= hi */
}

/* Direction of a; zero if a has none. */
static inline kin_vec kini_unit(kin_vec a)
{
    float big = kini_largest(kini_magnitudes(a)), n;
    if (!(big > 0)) return kini_vec_zero();
    if (big < 1e-30f) { a = kini_scale(a, 1e30f); big *= 1e30f; }   /* one over it would overflow */
    a = kini_scale(a, 1 / big);
    n = kini_len(a);
    return kini_scale(a, 1 / n);
}

/* A direction or rotation from a getter is taken bit for bit. */
static inline bool    kini_is_unit(float length2) { return kini_abs(length2 - 1) < KINI_SAME_LENGTH; }
static inline kin_vec kini_direction(kin_vec given)
{
    return kini_is_unit(kini_len2(given)) ? given : kini_unit(given);
}

/* a without its part along the unit vector n. */
static inline kin_vec kini_across(kin_vec a, kin_vec n) { return kini_madd(a, n, -kini_dot(a, n)); }

static inline float kini_distance_to_segment(kin_vec p, kin_vec a, kin_vec b)
{
    kin_vec side = kini_sub(b, a), arm = kini_sub(p, a);
    float   size = kini_len2(side);
    if (!(size > 0)) return kini_len(arm);
    return kini_len(kini_madd(arm, side, -kini_clamp(kini_dot(arm, side) / size, 0, 1)));
}

/* A velocity without its part along up; zero if only rounding is left. */
static inline kin_vec kini_flat(kin_vec v, kin_vec up)
{
    kin_vec flat = kini_across(v, up);
    float   taken = kini_dot(v, up);
    return kini_dot(flat, flat) <= KINI_CANCELLED2 * taken * taken ? kini_vec_zero() : flat;
}

/* An all-zero rotation means "not turned"; others come out with length one. */
static inline kin_rot kini_rot_unit(kin_rot q)
{
    float n = kini_rot_len2(q);
    if (!(n > 0)) return kini_unturned();
    if (n > 0.9999999f && n < 1.0000001f) return q;
    return kini_rot_scale(q, 1 / kini_sqrt(n));
}

static inline kin_vec  kini_to_world(kin_pose at, kin_vec local) { return kini_add(at.p, kini_rotate(at.q, local)); }
static inline kin_vec  kini_to_local(kin_pose at, kin_vec world) { return kini_unrotate(at.q, kini_sub(world, at.p)); }
static inline kin_pose kini_pose(kin_vec p, kin_rot q) { kin_pose r; r.p = p; r.q = q; return r; }
static inline kin_pose kini_pose_on(kin_pose carrier, kin_pose local)
{
    return kini_pose(kini_to_world(carrier, local.p), kini_rot_unit(kini_compose(carrier.q, local.q)));
}

/* Distance from one float of this size to the next: 2^-23 of its magnitude, rounded up. */
static inline float kini_ulp(float size) { return size * 1.1920929e-7f; }

KINI_PART kin_rot kini_spin_turn(kin_spin w, float dt);

#endif
