/* SPDX-License-Identifier: MIT OR Unlicense

   vec2.h: the plane behind the names of vec.h. vec3.h has the same names for space; nothing above these two
   files knows how many numbers a vector has. */
#ifndef KINI_VEC2_H
#define KINI_VEC2_H

#include "config.h"

static inline kin_vec kini_vec_zero(void) { kin_vec r; r.x = 0; r.y = 0; return r; }
static inline kin_vec kini_all(float s) { kin_vec r; r.x = s; r.y = s; return r; }
static inline kin_vec kini_add(kin_vec a, kin_vec b) { a.x += b.x; a.y += b.y; return a; }
static inline kin_vec kini_sub(kin_vec a, kin_vec b) { a.x -= b.x; a.y -= b.y; return a; }
static inline kin_vec kini_scale(kin_vec a, float s) { a.x *= s; a.y *= s; return a; }
static inline kin_vec kini_madd(kin_vec a, kin_vec b, float s) { a.x += b.x * s; a.y += b.y * s; return a; }
static inline float   kini_dot(kin_vec a, kin_vec b) { return a.x * b.x + a.y * b.y; }
static inline float   kini_at(kin_vec a, int axis) { return axis == 0 ? a.x : a.y; }
static inline kin_vec kini_with(kin_vec a, int axis, float s) { if (axis == 0) a.x = s; else a.y = s; return a; }
static inline kin_vec kini_lower(kin_vec a, kin_vec b)
{
    a.x = a.x < b.x ? a.x : b.x; a.y = a.y < b.y ? a.y : b.y; return a;
}
static inline kin_vec kini_upper(kin_vec a, kin_vec b)
{
    a.x = a.x > b.x ? a.x : b.x; a.y = a.y > b.y ? a.y : b.y; return a;
}
static inline kin_vec kini_magnitudes(kin_vec a) { a.x = kini_abs(a.x); a.y = kini_abs(a.y); return a; }
static inline float   kini_largest(kin_vec a) { return a.x > a.y ? a.x : a.y; }
static inline float   kini_smallest(kin_vec a) { return a.x < a.y ? a.x : a.y; }
static inline bool    kini_is_zero(kin_vec a) { return !(kini_abs(a.x) + kini_abs(a.y) > 0); }
static inline bool    kini_boxes_meet(kin_vec alo, kin_vec ahi, kin_vec blo, kin_vec bhi)
{
    return alo.x <= bhi.x && blo.x <= ahi.x && alo.y <= bhi.y && blo.y <= ahi.y;
}

/* Only in the plane: the left-hand perpendicular, and the area spanned by two vectors. */
static inline kin_vec kini_perp(kin_vec a) { kin_vec r; r.x = -a.y; r.y = a.x; return r; }
static inline float   kini_area(kin_vec a, kin_vec b) { return a.x * b.y - a.y * b.x; }

/* ---- faces of a mesh: segments, and cells of a grid ---------------------------------------------------------- */

/* Of any length. */
static inline kin_vec kini_face_normal(const kin_vec *p) { return kini_perp(kini_sub(p[1], p[0])); }
/* Out of the face across side i, as long as that; in the plane from one end to the other. */
static inline kin_vec kini_over_side(const kin_vec *p, kin_vec n, int i) { (void)n; return kini_sub(p[i], p[1 - i]); }
static inline float   kini_face_width2(const kin_vec *p) { kin_vec a = kini_sub(p[1], p[0]); return kini_dot(a, a); }
static inline int     kini_cell_at(kin_cell c, int axis) { return axis == 0 ? c.x : c.y; }
static inline kin_vec kini_cell_vec(kin_cell c) { kin_vec r; r.x = (float)c.x; r.y = (float)c.y; return r; }
static inline kin_cell kini_cell_with(kin_cell c, int axis, int n) { if (axis == 0) c.x = n; else c.y = n; return c; }

/* ---- rotations: a unit complex number ------------------------------------------------------------------------ */

static inline kin_rot kini_unturned(void) { kin_rot q; q.c = 1; q.s = 0; return q; }
static inline float   kini_rot_len2(kin_rot q) { return q.c * q.c + q.s * q.s; }
static inline kin_rot kini_rot_scale(kin_rot q, float s) { q.c *= s; q.s *= s; return q; }
static inline bool    kini_is_unturned(kin_rot q) { return !(q.c < 1) && !(kini_abs(q.s) > 0); }
static inline bool    kini_same_rot(kin_rot a, kin_rot b)
{
    return !(a.c < b.c || a.c > b.c || a.s < b.s || a.s > b.s);
}
static inline kin_vec kini_rotate(kin_rot q, kin_vec v)
{
    kin_vec r; r.x = q.c * v.x - q.s * v.y; r.y = q.s * v.x + q.c * v.y; return r;
}
static inline kin_vec kini_unrotate(kin_rot q, kin_vec v)
{
    kin_vec r; r.x = q.c * v.x + q.s * v.y; r.y = q.c * v.y - q.s * v.x; return r;
}
static inline kin_rot kini_inverse(kin_rot q) { q.s = -q.s; return q; }
static inline kin_rot kini_compose(kin_rot a, kin_rot b)
{
    kin_rot q; q.c = a.c * b.c - a.s * b.s; q.s = a.s * b.c + a.c * b.s; return q;
}
static inline kin_rot kini_rot_mix(kin_rot a, kin_rot b, float t)
{
    kin_rot q; q.c = a.c + (b.c - a.c) * t; q.s = a.s + (b.s - a.s) * t; return q;
}

/* Half size of the box around a turned box. */
static inline kin_vec kini_turned_half(kin_rot q, kin_vec h)
{
    float c = q.c < 0 ? -q.c : q.c, s = q.s < 0 ? -q.s : q.s;
    kin_vec r; r.x = c * h.x + s * h.y; r.y = s * h.x + c * h.y; return r;
}

/* ---- spin -------------------------------------------------------------------------------------------------------- */

static inline kin_spin kini_spin_zero(void) { return 0; }
static inline kin_spin kini_spin_scale(kin_spin w, float s) { return w * s; }
static inline bool     kini_spins(kin_spin w) { return w < 0 || w > 0; }
static inline float    kini_spin_size(kin_spin w) { return w < 0 ? -w : w; }
/* The turn from one rotation to another, as the spin that does it in one second. */
static inline kin_spin kini_spin_between(kin_rot from, kin_rot to)
{
    kin_rot q = kini_compose(to, kini_inverse(from));
    return kini_arc_tangent(q.s, q.c);
}
static inline kin_vec  kini_spin_velocity(kin_spin w, kin_vec arm)
{
    kin_vec r; r.x = -w * arm.y; r.y = w * arm.x; return r;
}

/* In the plane a rider never turns with its ground. */
static inline kin_rot  kini_turn_about(kin_rot q, kin_vec up) { (void)q; (void)up; return kini_unturned(); }

#endif
