/* SPDX-License-Identifier: MIT OR Unlicense

   vec3.h: space behind the names of vec.h; see vec2.h. */
#ifndef KINI_VEC3_H
#define KINI_VEC3_H

#include "config.h"

static inline kin_vec kini_vec_zero(void) { kin_vec r; r.x = 0; r.y = 0; r.z = 0; return r; }
static inline kin_vec kini_all(float s) { kin_vec r; r.x = s; r.y = s; r.z = s; return r; }
static inline kin_vec kini_add(kin_vec a, kin_vec b) { a.x += b.x; a.y += b.y; a.z += b.z; return a; }
static inline kin_vec kini_sub(kin_vec a, kin_vec b) { a.x -= b.x; a.y -= b.y; a.z -= b.z; return a; }
static inline kin_vec kini_scale(kin_vec a, float s) { a.x *= s; a.y *= s; a.z *= s; return a; }
static inline kin_vec kini_madd(kin_vec a, kin_vec b, float s)
{
    a.x += b.x * s; a.y += b.y * s; a.z += b.z * s; return a;
}
static inline float   kini_dot(kin_vec a, kin_vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline float   kini_at(kin_vec a, int axis) { return axis == 0 ? a.x : axis == 1 ? a.y : a.z; }
static inline kin_vec kini_with(kin_vec a, int axis, float s)
{
    if (axis == 0) a.x = s; else if (axis == 1) a.y = s; else a.z = s; return a;
}
static inline kin_vec kini_lower(kin_vec a, kin_vec b)
{
    a.x = a.x < b.x ? a.x : b.x; a.y = a.y < b.y ? a.y : b.y; a.z = a.z < b.z ? a.z : b.z; return a;
}
static inline kin_vec kini_upper(kin_vec a, kin_vec b)
{
    a.x = a.x > b.x ? a.x : b.x; a.y = a.y > b.y ? a.y : b.y; a.z = a.z > b.z ? a.z : b.z; return a;
}
static inline kin_vec kini_magnitudes(kin_vec a)
{
    a.x = kini_abs(a.x); a.y = kini_abs(a.y); a.z = kini_abs(a.z); return a;
}
static inline float   kini_largest(kin_vec a) { float m = a.x > a.y ? a.x : a.y; return m > a.z ? m : a.z; }
static inline float   kini_smallest(kin_vec a) { float m = a.x < a.y ? a.x : a.y; return m < a.z ? m : a.z; }
static inline bool    kini_is_zero(kin_vec a) { return !(kini_abs(a.x) + kini_abs(a.y) + kini_abs(a.z) > 0); }
static inline bool    kini_boxes_meet(kin_vec alo, kin_vec ahi, kin_vec blo, kin_vec bhi)
{
    return alo.x <= bhi.x && blo.x <= ahi.x && alo.y <= bhi.y && blo.y <= ahi.y && alo.z <= bhi.z && blo.z <= ahi.z;
}

/* Only in space: the cross product, and some direction across another, with the axis that is least along it. */
static inline kin_vec kini_cross(kin_vec a, kin_vec b)
{
    kin_vec r; r.x = a.y * b.z - a.z * b.y; r.y = a.z * b.x - a.x * b.z; r.z = a.x * b.y - a.y * b.x; return r;
}
static inline kin_vec kini_some_across(kin_vec a)
{
    kin_vec m = kini_magnitudes(a);
    return kini_cross(a, kini_with(kini_vec_zero(), m.y <= m.x && m.y <= m.z ? 1 : m.x <= m.z ? 0 : 2, 1));
}

/* ---- faces of a mesh: triangles, and cells of a grid ---------------------------------------------------------- */

/* Of any length. */
static inline kin_vec kini_face_normal(const kin_vec *p)
{
    return kini_cross(kini_sub(p[1], p[0]), kini_sub(p[2], p[0]));
}
static inline kin_vec kini_over_side(const kin_vec *p, kin_vec normal, int i)
{
    return kini_cross(kini_sub(p[i == 2 ? 0 : i + 1], p[i]), normal);
}
static inline float   kini_face_width2(const kin_vec *p)   /* squared height over the longest edge */
{
    kin_vec a = kini_sub(p[1], p[0]), b = kini_sub(p[2], p[1]), c = kini_sub(p[0], p[2]), n = kini_face_normal(p);
    float   most = kini_dot(a, a);
    if (kini_dot(b, b) > most) most = kini_dot(b, b);
    if (kini_dot(c, c) > most) most = kini_dot(c, c);
    return most > 0 ? kini_dot(n, n) / most : 0;
}
static inline int     kini_cell_at(kin_cell c, int axis) { return axis == 0 ? c.x : axis == 1 ? c.y : c.z; }
static inline kin_vec kini_cell_vec(kin_cell c)
{
    kin_vec r; r.x = (float)c.x; r.y = (float)c.y; r.z = (float)c.z; return r;
}
static inline kin_cell kini_cell_with(kin_cell c, int axis, int n)
{
    if (axis == 0) c.x = n; else if (axis == 1) c.y = n; else c.z = n; return c;
}

/* ---- rotations: a unit quaternion ---------------------------------------------------------------------------- */

static inline kin_rot kini_unturned(void) { kin_rot q; q.x = 0; q.y = 0; q.z = 0; q.w = 1; return q; }
static inline float   kini_rot_len2(kin_rot q) { return q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w; }
static inline kin_rot kini_rot_scale(kin_rot q, float s) { q.x *= s; q.y *= s; q.z *= s; q.w *= s; return q; }
static inline bool    kini_is_unturned(kin_rot q)
{
    return !(q.w < 1) && !(kini_abs(q.x) + kini_abs(q.y) + kini_abs(q.z) > 0);
}
static inline bool    kini_same_rot(kin_rot a, kin_rot b)
{
    return !(a.x < b.x || a.x > b.x || a.y < b.y || a.y > b.y || a.z < b.z || a.z > b.z || a.w < b.w || a.w > b.w);
}
static inline kin_vec kini_rotate(kin_rot q, kin_vec v)
{
    kin_vec u, t; u.x = q.x; u.y = q.y; u.z = q.z;
    t = kini_scale(kini_cross(u, v), 2);
    return kini_add(kini_madd(v, t, q.w), kini_cross(u, t));
}
static inline kin_rot kini_inverse(kin_rot q) { q.x = -q.x; q.y = -q.y; q.z = -q.z; return q; }
static inline kin_vec kini_unrotate(kin_rot q, kin_vec v) { return kini_rotate(kini_inverse(q), v); }
static inline kin_rot kini_compose(kin_rot a, kin_rot b)
{
    kin_rot q;
    q.x = a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y;
    q.y = a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x;
    q.z = a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w;
    q.w = a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z;
    return q;
}
static inline kin_rot kini_rot_mix(kin_rot a, kin_rot b, float t)
{
    kin_rot q;
    float   s = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w < 0 ? -t : t;   /* the shorter way round */
    q.x = a.x * (1 - t) + b.x * s; q.y = a.y * (1 - t) + b.y * s;
    q.z = a.z * (1 - t) + b.z * s; q.w = a.w * (1 - t) + b.w * s;
    return q;
}

/* Half size of the box around a turned box. */
static inline kin_vec kini_turned_half(kin_rot q, kin_vec h)
{
    kin_vec x = kini_vec_zero(), y = x, z = x;
    x.x = h.x; y.y = h.y; z.z = h.z;
    y = kini_add(kini_magnitudes(kini_rotate(q, y)), kini_magnitudes(kini_rotate(q, z)));
    return kini_add(kini_magnitudes(kini_rotate(q, x)), y);
}

/* ---- spin -------------------------------------------------------------------------------------------------------- */

static inline kin_spin kini_spin_zero(void) { return kini_vec_zero(); }
static inline kin_spin kini_spin_scale(kin_spin w, float s) { return kini_scale(w, s); }
static inline bool     kini_spins(kin_spin w) { return kini_dot(w, w) > 0; }
static inline float    kini_spin_size(kin_spin w) { return kini_sqrt(kini_dot(w, w)); }
/* The turn from one rotation to another, as the spin that does it in one second. */
static inline kin_spin kini_spin_between(kin_rot from, kin_rot to)
{
    kin_rot q = kini_compose(to, kini_inverse(from));
    kin_vec axis;
    float   sine;
    if (q.w < 0) q = kini_rot_scale(q, -1);   /* the shorter way round */
    axis.x = q.x; axis.y = q.y; axis.z = q.z;
    sine = kini_sqrt(kini_dot(axis, axis));
    if (!(sine > 0)) return kini_vec_zero();
    return kini_scale(axis, 2 * kini_arc_tangent(sine, q.w) / sine);
}
static inline kin_vec  kini_spin_velocity(kin_spin w, kin_vec arm) { return kini_cross(w, arm); }

/* The part of a rotation that turns about `up` (not of length one): how a rider's facing turns with its ground. */
static inline kin_rot kini_turn_about(kin_rot q, kin_vec up)
{
    float d = q.x * up.x + q.y * up.y + q.z * up.z;
    q.x = up.x * d; q.y = up.y * d; q.z = up.z * d;
    return q;
}

#endif
