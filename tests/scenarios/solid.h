/* SPDX-License-Identifier: MIT OR Unlicense

   solid.h: how far apart two shapes are, in double precision, for the scenarios' own judgement.

   Nothing here is shared with the library. A solid is the hull of some points, rounded by a radius. Its sides are
   found by trying every pair (2D) or triple (3D) of points; two solids are then separated along every side normal
   and, in 3D, every product of two edges. A core that is a point or a segment has its distance measured exactly,
   because there the nearest features may be corners. In 2D all z are zero. */
#ifndef SOLID_H
#define SOLID_H

#include <math.h>
#include <stdbool.h>

typedef struct dv { double x, y, z; } dv;

/* Without the library call, and without NaN: the scenarios spend most of their time here. */
static inline double lesser(double a, double b) { return a < b ? a : b; }
static inline double greater(double a, double b) { return a > b ? a : b; }

static inline dv     dv_make(double x, double y, double z) { dv r; r.x = x; r.y = y; r.z = z; return r; }
static inline dv     dv_add(dv a, dv b) { return dv_make(a.x + b.x, a.y + b.y, a.z + b.z); }
static inline dv     dv_sub(dv a, dv b) { return dv_make(a.x - b.x, a.y - b.y, a.z - b.z); }
static inline dv     dv_scale(dv a, double s) { return dv_make(a.x * s, a.y * s, a.z * s); }
static inline double dv_dot(dv a, dv b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline dv     dv_cross(dv a, dv b) { return dv_make(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x); }
static inline double dv_len(dv a) { return sqrt(dv_dot(a, a)); }
static inline double dv_at(dv a, int axis) { return axis == 0 ? a.x : axis == 1 ? a.y : a.z; }
static inline double dv_largest(dv a) { return greater(fabs(a.x), greater(fabs(a.y), fabs(a.z))); }

#if KINEMATIC_DIM == 2
static inline dv dv_of(kin_vec v) { return dv_make((double)v.x, (double)v.y, 0); }
#else
static inline dv dv_of(kin_vec v) { return dv_make((double)v.x, (double)v.y, (double)v.z); }
#endif

/* ---- rotations as three columns ------------------------------------------------------------------------------ */

typedef struct dm { dv x, y, z; } dm;

static inline dv dm_turn(const dm *m, dv v)
{
    return dv_add(dv_add(dv_scale(m->x, v.x), dv_scale(m->y, v.y)), dv_scale(m->z, v.z));
}
static inline dv dm_turn_back(const dm *m, dv v) { return dv_make(dv_dot(m->x, v), dv_dot(m->y, v), dv_dot(m->z, v)); }

/* All zero reads as not turned, as in the library. */
static inline dm dm_of(kin_rot q)
{
    dm m;
#if KINEMATIC_DIM == 2
    double c = (double)q.c, s = (double)q.s, n = sqrt(c * c + s * s);
    if (!(n > 0)) { c = 1; n = 1; }
    c /= n; s /= n;
    m.x = dv_make(c, s, 0);
    m.y = dv_make(-s, c, 0);
    m.z = dv_make(0, 0, 1);
#else
    double x = (double)q.x, y = (double)q.y, z = (double)q.z, w = (double)q.w, n = sqrt(x * x + y * y + z * z + w * w);
    if (!(n > 0)) { w = 1; n = 1; }
    x /= n; y /= n; z /= n; w /= n;
    m.x = dv_make(1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y));
    m.y = dv_make(2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x));
    m.z = dv_make(2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y));
#endif
    return m;
}

/* ---- solids ------------------------------------------------------------------------------------------------------ */

enum { SOLID_SIDES = 2 * KIN_MAX_POINTS, SOLID_EDGES = 3 * KIN_MAX_POINTS, SOLID_PATCHES = 512 };

typedef struct solid {
    dv            points[KIN_MAX_POINTS];
    double        radius;
    dv            sides[SOLID_SIDES];            /* outward normals */
    double        heights[SOLID_SIDES];          /* of each side along its normal */
    dv            edges[SOLID_EDGES];            /* 3D: directions, parallel ones once */
    unsigned char patches[SOLID_PATCHES][3];     /* segments (2D) or triangles (3D) that cover the surface */
    int           count, side_count, edge_count, patch_count;
    dv            middle, half;                  /* of a box along its own axes; else half is zero */
} solid;

static inline void solid_add_side(solid *s, dv normal, double height)
{
    int i;
    for (i = 0; i < s->side_count; i++)
        if (dv_dot(s->sides[i], normal) > 1 - 1e-10) return;
    if (s->side_count == SOLID_SIDES) return;
    s->sides[s->side_count] = normal;
    s->heights[s->side_count++] = height;
}

static inline void solid_add_patch(solid *s, int a, int b, int c)
{
    if (s->patch_count == SOLID_PATCHES) return;
    s->patches[s->patch_count][0] = (unsigned char)a;
    s->patches[s->patch_count][1] = (unsigned char)b;
    s->patches[s->patch_count++][2] = (unsigned char)c;
}

/* Points a, b, c span a plane with this normal: if no point is beyond it, it is a side. A side's patches all start
   at its first point, which is enough to cover it. */
static inline void solid_try_side(solid *s, int a, int b, int c, dv normal)
{
    double length = dv_len(normal), height;
    bool   first = true;
    int    i;
    if (length < 1e-9) return;
    normal = dv_scale(normal, 1 / length);
    height = dv_dot(normal, s->points[a]);
    for (i = 0; i < s->count; i++) {
        double over = dv_dot(normal, s->points[i]) - height;
        if (over > 1e-6) return;
        if (over > -1e-6 && i < a) first = false;
    }
    solid_add_side(s, normal, height);
    if (first) solid_add_patch(s, a, b, c);
}

static inline void solid_find_sides(solid *s)
{
    int a, b;
    for (a = 0; a < s->count; a++) {
        for (b = a + 1; b < s->count; b++) {
            dv ab = dv_sub(s->points[b], s->points[a]);
#if KINEMATIC_DIM == 2
            solid_try_side(s, a, b, b, dv_make(ab.y, -ab.x, 0));
            solid_try_side(s, a, b, b, dv_make(-ab.y, ab.x, 0));
#else
            int c;
            for (c = b + 1; c < s->count; c++) {
                dv n = dv_cross(ab, dv_sub(s->points[c], s->points[a]));
                solid_try_side(s, a, b, c, n);
                solid_try_side(s, a, b, c, dv_scale(n, -1));
            }
#endif
        }
    }
}

static inline int solid_sides_with(const solid *s, int a, int b)
{
    int i, found = 0;
    for (i = 0; i < s->side_count; i++)
        if (dv_dot(s->sides[i], s->points[a]) > s->heights[i] - 1e-6 &&
            dv_dot(s->sides[i], s->points[b]) > s->heights[i] - 1e-6) found++;
    return found;
}

/* Two points are joined by an edge if they share two sides; a segment is an edge by itself. */
static inline void solid_find_edges(solid *s)
{
    int a, b, i;
    for (a = 0; a < s->count; a++) {
        for (b = a + 1; b < s->count; b++) {
            dv     way = dv_sub(s->points[b], s->points[a]);
            double length = dv_len(way);
            if (length < 1e-9 || (s->count > 2 && solid_sides_with(s, a, b) < 2)) continue;
            way = dv_scale(way, 1 / length);
            for (i = 0; i < s->edge_count; i++)
                if (fabs(dv_dot(s->edges[i], way)) > 1 - 1e-10) break;
            if (i == s->edge_count && i < SOLID_EDGES) s->edges[s->edge_count++] = way;
        }
    }
}

/* Are the points the corners of a box along the axes? Then its middle and half its size. */
static inline void solid_find_box(solid *s)
{
    dv  lo = s->points[0], hi = lo, middle, half;
    int i;
    s->middle = s->half = dv_make(0, 0, 0);
    if (s->count != 1 << KINEMATIC_DIM) return;
    for (i = 1; i < s->count; i++) {
        dv p = s->points[i];
        lo = dv_make(lesser(lo.x, p.x), lesser(lo.y, p.y), lesser(lo.z, p.z));
        hi = dv_make(greater(hi.x, p.x), greater(hi.y, p.y), greater(hi.z, p.z));
    }
    middle = dv_scale(dv_add(lo, hi), 0.5);
    half = dv_scale(dv_sub(hi, lo), 0.5);
    for (i = 0; i < s->count; i++) {
        dv p = dv_sub(s->points[i], middle);
        if (fabs(p.x) < half.x - 1e-12 || fabs(p.y) < half.y - 1e-12 || fabs(p.z) < half.z - 1e-12) return;
    }
    s->middle = middle;
    s->half = half;
}

static inline void solid_make(solid *out, const kin_shape *shape)
{
    int i;
    out->count = shape->count;
    out->radius = (double)shape->radius;
    out->side_count = out->edge_count = out->patch_count = 0;
    for (i = 0; i < shape->count; i++) out->points[i] = dv_of(shape->points[i]);
    solid_find_box(out);
    if (shape->count < 2) return;
    solid_find_sides(out);
    if (KINEMATIC_DIM == 3) solid_find_edges(out);
}

/* ---- a solid somewhere --------------------------------------------------------------------------------------- */

typedef struct placed {
    const solid *solid;
    dv           p;
    dm           turn;
    dv           points[KIN_MAX_POINTS];   /* in the world */
    dv           lo, hi;                   /* box around the whole */
} placed;

static inline void placed_set(placed *out, const solid *what, dv p, dm turn)
{
    dv  r = dv_make(what->radius, what->radius, what->radius);
    int i;
    out->solid = what;
    out->p = p;
    out->turn = turn;
    for (i = 0; i < what->count; i++) {
        dv at = dv_add(p, dm_turn(&turn, what->points[i]));
        out->points[i] = at;
        if (i == 0) out->lo = out->hi = at;
        out->lo = dv_make(lesser(out->lo.x, at.x), lesser(out->lo.y, at.y), lesser(out->lo.z, at.z));
        out->hi = dv_make(greater(out->hi.x, at.x), greater(out->hi.y, at.y), greater(out->hi.z, at.z));
    }
    out->lo = dv_sub(out->lo, r);
    out->hi = dv_add(out->hi, r);
}

static inline void placed_shift(placed *it, dv by)
{
    int i;
    for (i = 0; i < it->solid->count; i++) it->points[i] = dv_add(it->points[i], by);
    it->p = dv_add(it->p, by);
    it->lo = dv_add(it->lo, by);
    it->hi = dv_add(it->hi, by);
}

/* A lower bound of the distance: exact enough to leave out what is far away. */
static inline double placed_box_gap(const placed *a, const placed *b)
{
    double gap = -1e300;
    int    i;
    for (i = 0; i < KINEMATIC_DIM; i++) {
        gap = greater(gap, dv_at(a->lo, i) - dv_at(b->hi, i));
        gap = greater(gap, dv_at(b->lo, i) - dv_at(a->hi, i));
    }
    return gap;
}

/* ---- distance of a point or a segment to a core ------------------------------------------------------------ */

static inline dv near_segment(dv p, dv a, dv b)
{
    dv     ab = dv_sub(b, a);
    double n = dv_dot(ab, ab), t = n > 0 ? dv_dot(dv_sub(p, a), ab) / n : 0;
    return dv_add(a, dv_scale(ab, lesser(1, greater(0, t))));
}

/* Inside the triangle's prism it is the foot on the plane, else the nearest of the three sides. */
static inline dv near_triangle(dv p, dv a, dv b, dv c)
{
    dv     n = dv_cross(dv_sub(b, a), dv_sub(c, a)), best, other;
    double area = dv_dot(n, n);
    if (area > 0 && dv_dot(dv_cross(dv_sub(b, a), dv_sub(p, a)), n) >= 0 &&
        dv_dot(dv_cross(dv_sub(c, b), dv_sub(p, b)), n) >= 0 && dv_dot(dv_cross(dv_sub(a, c), dv_sub(p, c)), n) >= 0)
        return dv_sub(p, dv_scale(n, dv_dot(dv_sub(p, a), n) / area));
    best = near_segment(p, a, b);
    other = near_segment(p, b, c);
    if (dv_len(dv_sub(p, other)) < dv_len(dv_sub(p, best))) best = other;
    other = near_segment(p, c, a);
    return dv_len(dv_sub(p, other)) < dv_len(dv_sub(p, best)) ? other : best;
}

static inline double between_both(double a, double half) { return lesser(half, greater(-half, a)); }

static inline dv near_box(dv p, const placed *b)
{
    dv m = b->solid->middle, h = b->solid->half, at = dv_sub(dm_turn_back(&b->turn, dv_sub(p, b->p)), m);
    at = dv_make(between_both(at.x, h.x), between_both(at.y, h.y), between_both(at.z, h.z));
    return dv_add(b->p, dm_turn(&b->turn, dv_add(m, at)));
}

/* Nearest point of b's core to p, which is outside of it. */
static inline dv near_core(dv p, const placed *b)
{
    dv  best = b->points[0];
    int i;
    if (b->solid->half.x > 0) return near_box(p, b);
    if (b->solid->count == 2) return near_segment(p, b->points[0], b->points[1]);
    for (i = 0; i < b->solid->patch_count; i++) {
        const unsigned char *k = b->solid->patches[i];
        dv at = KINEMATIC_DIM == 2 ? near_segment(p, b->points[k[0]], b->points[k[1]])
                                   : near_triangle(p, b->points[k[0]], b->points[k[1]], b->points[k[2]]);
        if (dv_len(dv_sub(p, at)) < dv_len(dv_sub(p, best))) best = at;
    }
    return best;
}

/* From b's core to the nearest point of a's, which is a point or a segment. Along a segment the distance is
   convex: golden section. */
static inline dv core_difference(const placed *a, const placed *b)
{
    const double golden = 0.6180339887498949;
    double lo = 0, hi = 1;
    dv     from = a->points[0], way;
    int    i;
    if (a->solid->count == 1) return dv_sub(from, near_core(from, b));
    way = dv_sub(a->points[1], from);
    for (i = 0; i < 60; i++) {
        double t = hi - golden * (hi - lo), u = lo + golden * (hi - lo);
        dv     p = dv_add(from, dv_scale(way, t)), q = dv_add(from, dv_scale(way, u));
        if (dv_len(dv_sub(p, near_core(p, b))) <= dv_len(dv_sub(q, near_core(q, b)))) hi = u; else lo = t;
    }
    from = dv_add(from, dv_scale(way, 0.5 * (lo + hi)));
    return dv_sub(from, near_core(from, b));
}

static inline void keep_shorter(dv way, dv *best)
{
    if (dv_dot(way, way) < dv_dot(*best, *best)) *best = way;
}

/* From segment b to segment a, where they are nearest. */
static inline dv segment_difference(dv a0, dv a1, dv b0, dv b1)
{
    dv     d = dv_sub(a1, a0), e = dv_sub(b1, b0), r = dv_sub(a0, b0), best = dv_sub(a0, near_segment(a0, b0, b1));
    double dd = dv_dot(d, d), ee = dv_dot(e, e), de = dv_dot(d, e), under = dd * ee - de * de, t, u;
    keep_shorter(dv_sub(a1, near_segment(a1, b0, b1)), &best);
    keep_shorter(dv_sub(near_segment(b0, a0, a1), b0), &best);
    keep_shorter(dv_sub(near_segment(b1, a0, a1), b1), &best);
    if (under < 1e-12 * dd * ee) return best;
    t = (de * dv_dot(e, r) - ee * dv_dot(d, r)) / under;
    u = (dd * dv_dot(e, r) - de * dv_dot(d, r)) / under;
    if (t > 0 && t < 1 && u > 0 && u < 1) keep_shorter(dv_sub(dv_add(a0, dv_scale(d, t)), dv_add(b0, dv_scale(e, u))), &best);
    return best;
}

/* From b's core to the nearest point of a's, both with sides and apart: corner to side, and in 3D edge to edge. */
static inline dv hull_difference(const placed *a, const placed *b)
{
    dv  best = dv_sub(a->points[0], b->points[0]);
    int i, j, k;
    for (i = 0; i < a->solid->count; i++) keep_shorter(dv_sub(a->points[i], near_core(a->points[i], b)), &best);
    for (i = 0; i < b->solid->count; i++) keep_shorter(dv_sub(near_core(b->points[i], a), b->points[i]), &best);
    if (KINEMATIC_DIM == 2) return best;
    for (i = 0; i < a->solid->patch_count; i++)
        for (j = 0; j < b->solid->patch_count; j++)
            for (k = 0; k < 9; k++) {
                const unsigned char *p = a->solid->patches[i], *q = b->solid->patches[j];
                keep_shorter(segment_difference(a->points[p[k / 3]], a->points[p[(k / 3 + 1) % 3]],
                                                b->points[q[k % 3]], b->points[q[(k % 3 + 1) % 3]]), &best);
            }
    return best;
}

/* ---- separation ------------------------------------------------------------------------------------------------ */

static inline void try_axis(const placed *a, const placed *b, dv axis, double *best, dv *normal)
{
    double alo = 1e300, ahi = -1e300, blo = 1e300, bhi = -1e300;
    int    i;
    for (i = 0; i < a->solid->count; i++) {
        double d = dv_dot(axis, a->points[i]);
        alo = lesser(alo, d); ahi = greater(ahi, d);
    }
    for (i = 0; i < b->solid->count; i++) {
        double d = dv_dot(axis, b->points[i]);
        blo = lesser(blo, d); bhi = greater(bhi, d);
    }
    if (alo - bhi > *best) { *best = alo - bhi; *normal = axis; }
    if (blo - ahi > *best) { *best = blo - ahi; *normal = dv_scale(axis, -1); }
}

/* Largest separation of the cores along any side normal or edge product; the normal points from b to a. */
static inline double core_separation(const placed *a, const placed *b, dv *normal)
{
    double best = -1e300;
    int    i, j;
    for (i = 0; i < a->solid->side_count; i++) try_axis(a, b, dm_turn(&a->turn, a->solid->sides[i]), &best, normal);
    for (i = 0; i < b->solid->side_count; i++) try_axis(a, b, dm_turn(&b->turn, b->solid->sides[i]), &best, normal);
    for (i = 0; i < a->solid->edge_count; i++) {
        for (j = 0; j < b->solid->edge_count; j++) {
            dv axis = dv_cross(dm_turn(&a->turn, a->solid->edges[i]), dm_turn(&b->turn, b->solid->edges[j]));
            double length = dv_len(axis);
            if (length > 1e-6) try_axis(a, b, dv_scale(axis, 1 / length), &best, normal);
        }
    }
    return best;
}

/* Distance between two solids; negative is how deep they overlap. The normal points from b to a. Of solids
   more than `near_enough` apart it may be less than the distance. Of two solids with edges and not rounded, the distance of
   corners counts as that of the sides next to them. */
static inline double separation(const placed *a, const placed *b, double near_enough, dv *normal)
{
    double r = a->solid->radius + b->solid->radius, best = placed_box_gap(a, b), length;
    dv     way;
    *normal = dv_make(0, 1, 0);
    if (best > near_enough) return best;
    best = core_separation(a, b, normal);
    if (a->solid->count > 2 && b->solid->count > 2 && !(r > 0)) return best;
    if (best - r > near_enough) return best - r;
    if (best < 0 && best > -1e299) return best - r;
    way = a->solid->count > 2 && b->solid->count > 2 ? hull_difference(a, b) : a->solid->count <= 2 ? core_difference(a, b) : dv_scale(core_difference(b, a), -1);
    length = dv_len(way);
    if (length < 1e-9) return (best > 0 ? best : 0) - r;
    *normal = dv_scale(way, 1 / length);
    return length - r;
}

#endif
