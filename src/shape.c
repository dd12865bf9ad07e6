/* SPDX-License-Identifier: MIT OR Unlicense

   shape.c: makers of shapes, their form for the narrow phase, and where two of them touch.

   A shape is a core (the convex hull of some points) rounded by a radius. Most cores are boxes along the axes (points
   and upright segments without extent); those are recognised here, for they have closed forms. Others keep their
   corners in a hull (hull2.c, hull3.c). Nobody has to use the makers: any kin_shape is judged by kini_shape_solid. */
#include "shapes.h"

/* ---- judging a shape --------------------------------------------------------------------------------------------- */

KINI_PART void kini_points_box(const kin_vec *points, int count, kin_vec *lo, kin_vec *hi)
{
    int i;
    *lo = *hi = points[0];
    for (i = 1; i < count; i++) {
        *lo = kini_lower(*lo, points[i]);
        *hi = kini_upper(*hi, points[i]);
    }
}

/* Which corner of the box the point is, one bit for each axis on which it is at the far end; -1 if it is none. */
static int kini_corner_of(kin_vec point, kin_vec lo, kin_vec hi)
{
    int axis, corner = 0;
    for (axis = 0; axis < KINI_DIM; axis++) {
        float s = kini_at(point, axis);
        if (s > kini_at(lo, axis) && s < kini_at(hi, axis)) return -1;
        if (s > kini_at(lo, axis)) corner |= 1 << axis;
    }
    return corner;
}

/* Are the points the corners of the box around them, in any order? On an axis without extent both ends are one. */
static bool kini_points_are_box(const kin_vec *points, int count, kin_vec lo, kin_vec hi)
{
    int i, far_corner = kini_corner_of(hi, lo, hi), seen = 0;
    for (i = 0; i < count; i++) {
        int corner = kini_corner_of(points[i], lo, hi);
        if (corner < 0) return false;
        seen |= 1 << corner;
    }
    for (i = 0; i <= far_corner; i++)
        if ((i & far_corner) == i && !(seen >> i & 1)) return false;
    return true;
}

/* Makes the hull the core. Its width is the least extent across a face; nothing if it has none. */
static void kini_solid_keep_hull(kini_solid *solid, const kini_hull *hull)
{
    float most = 0, lo, hi;
    int   i;
    for (i = 0; i < hull->count; i++) most = kini_greater(most, kini_len2(hull->points[i]));
    solid->width = 0;
    for (i = 0; i < hull->face_count; i++) {
        kini_points_stretch(hull->points, hull->count, hull->normals[i], &lo, &hi);
        if (i == 0 || hi - lo < solid->width) solid->width = hi - lo;
    }
    solid->points = hull->points;
    solid->count = hull->count;
    solid->hull = hull;
    solid->reach = kini_sqrt(most);
}

KINI_PART const char *kini_shape_solid(const kin_shape *shape, kini_solid *out, kini_hull *room)
{
    kin_vec lo, hi;
    float   extent, least;
    int     i;
    if (!shape) return "is NULL";
    if (shape->count < 1) return "is empty: it needs a maker, with sizes that are positive";
    if (shape->count > KIN_MAX_POINTS) return "has too many points";
    if (!kini_finite(shape->radius)) return "has a radius that is not a finite number";
    if (shape->radius < 0) return "has a radius that is negative";
    for (i = 0; i < shape->count; i++)
        if (!kini_vec_finite(shape->points[i])) return "has a point that is not finite";
    kini_clear(out, sizeof *out);
    kini_points_box(shape->points, shape->count, &lo, &hi);
    extent = kini_largest(kini_upper(kini_sub(hi, lo), kini_upper(kini_magnitudes(lo), kini_magnitudes(hi))));
    if (!(extent + 2 * shape->radius <= KINI_LARGEST_SHAPE)) return "is too large: it reaches further than 1e7";
    out->centre = kini_scale(kini_add(lo, hi), 0.5f);
    out->half = kini_scale(kini_sub(hi, lo), 0.5f);
    out->radius = shape->radius;
    out->width = 2 * kini_smallest(out->half);
    out->reach = kini_len(kini_upper(kini_magnitudes(lo), kini_magnitudes(hi)));
    least = KINI_SMALLEST_SHAPE;
    if (!kini_points_are_box(shape->points, shape->count, lo, hi)) {
        if (!kini_hull_build(room, shape->points, shape->count)) return "has points that span no hull";
        least = kini_greater(least, 2 * kini_largest(out->half) * KINI_FLAT);
        if (!kini_points_are_box(room->points, room->count, lo, hi)) kini_solid_keep_hull(out, room);
    }
    if (!(shape->radius > 0) && out->width < least) return "has no inside: it is flat or smaller than 1e-6";
    out->width += 2 * shape->radius;
    out->reach += shape->radius;
    if (out->width < KINI_SMALLEST_SHAPE) return "is smaller than 1e-6";
    return NULL;
}

/* ---- makers ------------------------------------------------------------------------------------------------------ */

static kin_shape kini_no_shape(void)
{
    kin_shape shape;
    kini_clear(&shape, sizeof shape);
    return shape;
}

/* The shape, or none if it would be refused. */
static kin_shape kini_sound_shape(kin_shape shape)
{
    kini_solid solid;
    kini_hull  room;
    return kini_shape_solid(&shape, &solid, &room) ? kini_no_shape() : shape;
}

/* Corner number i of the box of this half size; in the plane they run counter-clockwise. */
static kin_vec kini_box_corner(kin_vec half, int i)
{
    int axis, signs = i ^ i >> 1;
    for (axis = 0; axis < KINI_DIM; axis++)
        if (!(signs >> axis & 1)) half = kini_with(half, axis, -kini_at(half, axis));
    return half;
}

KIN_API kin_shape kin_ball(float radius)
{
    kin_shape shape = kini_no_shape();
    shape.count = 1;
    shape.radius = radius;
    return kini_sound_shape(shape);
}

KIN_API kin_shape kin_capsule(float height, float radius)
{
    kin_shape shape = kini_no_shape();
    float     half = height / 2 - radius;
    if (radius > 0 && height > 0 && half < 0) {   /* still empty; the numbers are for the one that refuses it */
        shape.points[0].y = height;
        shape.radius = radius;
    }
    if (!(half >= 0) || !(radius > 0)) return shape;
    shape.count = half > 0 ? 2 : 1;
    shape.points[0].y = half > 0 ? -half : 0;
    shape.points[1].y = half;
    shape.radius = radius;
    return kini_sound_shape(shape);
}

KIN_API kin_shape kin_box(kin_vec size)
{
    kin_shape shape = kini_no_shape();
    if (!(kini_smallest(size) > 0)) return shape;
    for (; shape.count < KINI_MAX_CORNERS; shape.count++)
        shape.points[shape.count] = kini_box_corner(kini_scale(size, 0.5f), shape.count);
    return kini_sound_shape(shape);
}

KIN_API kin_shape kin_hull(const kin_vec *points, int count, float radius)
{
    kin_shape shape = kini_no_shape();
    kini_hull hull;
    int       i;
    if (!points || !kini_hull_build(&hull, points, count)) return shape;
    for (i = 0; i < hull.count; i++) shape.points[i] = hull.points[i];
    shape.count = hull.count;
    shape.radius = radius;
    return kini_sound_shape(shape);
}

/* ---- reading a solid --------------------------------------------------------------------------------------------- */

KINI_PART void kini_solid_bounds(const kini_solid *solid, kin_pose at, kin_vec *lo, kin_vec *hi)
{
    kin_vec corners[KIN_MAX_POINTS];
    if (solid->count == 0 || kini_is_unturned(at.q)) {
        kini_core_bounds(solid->centre, solid->half, solid->radius, at, lo, hi);
        return;
    }
    kini_points_box(corners, kini_solid_corners(solid, at.q, corners), lo, hi);
    *lo = kini_sub(kini_add(at.p, *lo), kini_all(solid->radius));
    *hi = kini_add(kini_add(at.p, *hi), kini_all(solid->radius));
}

KINI_PART kin_vec kini_solid_support(const kini_solid *solid, kin_rot turn, kin_vec direction)
{
    kin_vec p = solid->centre;
    int     axis;
    direction = kini_unrotate(turn, direction);
    if (solid->count > 0) return kini_rotate(turn, kini_furthest_point(solid->points, solid->count, direction));
    for (axis = 0; axis < KINI_DIM; axis++) {
        float h = kini_at(solid->half, axis);
        p = kini_with(p, axis, kini_at(p, axis) + (kini_at(direction, axis) < 0 ? -h : h));
    }
    return kini_rotate(turn, p);
}

KINI_PART int kini_solid_corners(const kini_solid *solid, kin_rot turn, kin_vec *out)
{
    int i, axis, count = solid->count, flat = 0;
    for (i = 0; i < count; i++) out[i] = solid->points[i];
    if (count == 0) {   /* corners of the box that fall together on an axis without extent count once */
        for (axis = 0; axis < KINI_DIM; axis++)
            if (!(kini_at(solid->half, axis) > 0)) flat |= 1 << axis;
        for (i = 0; i < KINI_MAX_CORNERS; i++)
            if (!((i ^ i >> 1) & flat)) out[count++] = kini_add(solid->centre, kini_box_corner(solid->half, i));
    }
    for (i = 0; i < count && !kini_is_unturned(turn); i++) out[i] = kini_rotate(turn, out[i]);
    return count;
}

/* The axis along which a turned axis of the core lies, -1 if it leans. */
static int kini_axis_of(kin_vec arm)
{
    int   axis, along = -1;
    float least = kini_largest(arm) * KINI_STRAIGHT;
    for (axis = 0; axis < KINI_DIM; axis++) {
        if (!(kini_at(arm, axis) > least)) continue;
        if (along >= 0) return -1;
        along = axis;
    }
    return along;
}

KINI_PART bool kini_solid_is_box(const kini_solid *solid, kin_rot turn, kin_vec *half)
{
    int axis, along;
    *half = solid->half;
    if (solid->count > 0) return false;
    if (kini_is_unturned(turn)) return true;
    *half = kini_vec_zero();
    for (axis = 0; axis < KINI_DIM; axis++) {
        float h = kini_at(solid->half, axis);
        if (!(h > 0)) continue;
        along = kini_axis_of(kini_magnitudes(kini_rotate(turn, kini_with(kini_vec_zero(), axis, h))));
        if (along < 0) return false;
        *half = kini_with(*half, along, h);
    }
    return true;
}

/* ---- where two solids touch -------------------------------------------------------------------------------------- */

/* The corners of a core that lie furthest in one direction: a corner, an edge or a face. */
typedef struct kini_front { kin_vec points[KIN_MAX_POINTS]; int count; } kini_front;

static float kini_front_of(kini_front *out, const kini_solid *solid, kin_rot turn, kin_vec direction)
{
    int   i, count = kini_solid_corners(solid, turn, out->points);
    float most = kini_dot(kini_furthest_point(out->points, count, direction), direction);
    float least = most - 2 * kini_largest(solid->half) * KINI_FLUSH;
    out->count = 0;
    for (i = 0; i < count; i++)
        if (kini_dot(out->points[i], direction) >= least) out->points[out->count++] = out->points[i];
    return most;
}

KINI_PART kin_vec kini_foot(const kini_solid *body, kin_pose at, kin_vec normal, kin_vec *half)
{
    kini_front front;
    kin_vec    lo, hi;
    kini_front_of(&front, body, at.q, kini_neg(normal));
    kini_points_box(front.points, front.count, &lo, &hi);
    *half = kini_scale(kini_sub(hi, lo), 0.5f);
    return kini_madd(kini_add(at.p, kini_scale(kini_add(lo, hi), 0.5f)), normal, -body->radius);
}

KINI_PART void kini_foot_ends(const kini_solid *body, kin_pose at, kin_vec normal, kin_vec up, kin_vec *low,
                              kin_vec *high)
{
    kini_front front;
    kin_vec    base = kini_madd(at.p, normal, -body->radius), lower = kini_vec_zero(), upper = lower;
    float      slack = 2 * kini_largest(body->half) * KINI_FLUSH, least, most;
    int        i, lows = 0, highs = 0;
    kini_front_of(&front, body, at.q, kini_neg(normal));
    kini_points_stretch(front.points, front.count, up, &least, &most);
    for (i = 0; i < front.count; i++) {
        float level = kini_dot(front.points[i], up);
        if (level <= least + slack) { lower = kini_add(lower, front.points[i]); lows++; }
        if (level >= most - slack) { upper = kini_add(upper, front.points[i]); highs++; }
    }
    *low = kini_madd(base, lower, 1 / (float)lows);
    *high = kini_madd(base, upper, 1 / (float)highs);
}

/* Brings a front to another place, into the plane `level` along `normal`. */
static void kini_front_move(kini_front *front, kin_vec move, kin_vec normal, float level)
{
    int i;
    for (i = 0; i < front->count; i++) {
        kin_vec p = kini_add(front->points[i], move);
        front->points[i] = kini_madd(p, normal, level - kini_dot(p, normal));
    }
}

/* Middle of the part of an edge in the other front's box, measured from the edge's middle: its ends may be swapped. */
static kin_vec kini_edge_middle(const kini_front *edge, const kini_front *other)
{
    kin_vec lo, hi, middle = kini_scale(kini_add(edge->points[0], edge->points[1]), 0.5f);
    kin_vec arm = kini_scale(kini_sub(edge->points[1], edge->points[0]), 0.5f);
    float   from = -1, to = 1, slack = kini_largest(kini_magnitudes(arm)) * KINI_FLUSH;
    int     axis;
    kini_points_box(other->points, other->count, &lo, &hi);
    for (axis = 0; axis < KINI_DIM; axis++) {
        float a = kini_at(arm, axis), m = kini_at(middle, axis), s, e;
        if (kini_abs(a) <= slack) continue;
        s = (kini_at(lo, axis) - m) / a;
        e = (kini_at(hi, axis) - m) / a;
        from = kini_greater(from, kini_lesser(s, e));
        to = kini_lesser(to, kini_greater(s, e));
    }
    return kini_madd(middle, arm, kini_clamp((from + to) * 0.5f, -1, 1));
}

static kin_vec kini_front_middle(const kini_front *piece, const kini_front *body)
{
    kin_vec lo, hi, body_lo, body_hi;
    if (piece->count == 1) return piece->points[0];
    if (body->count == 1) return body->points[0];
    if (piece->count == 2) return kini_edge_middle(piece, body);
    if (body->count == 2) return kini_edge_middle(body, piece);
    kini_points_box(piece->points, piece->count, &lo, &hi);
    kini_points_box(body->points, body->count, &body_lo, &body_hi);
    return kini_scale(kini_add(kini_upper(lo, body_lo), kini_lower(hi, body_hi)), 0.5f);
}

KINI_PART bool kini_over_top(const kini_solid *piece, kin_rot turn, const kini_solid *body, kin_rot body_turn,
                             kin_vec n)
{
    kin_vec across = kini_sub(kini_all(1), kini_magnitudes(n));
    if (piece->count > 0 || body->count > 0 || kini_largest(kini_magnitudes(n)) < 1) return false;
    return !(kini_dot(body->half, across) > 0) && kini_dot(piece->half, across) > 0 &&
           (kini_is_unturned(turn) || kini_is_zero(kini_sub(kini_rotate(turn, n), n))) &&
           (kini_is_unturned(body_turn) || kini_is_zero(kini_sub(kini_rotate(body_turn, n), n)));
}

/* Exact in the plane, and in space if one of the fronts is a corner, an edge against a front along the axes, or both
   are along the axes; else near the middle. Works relative to the piece, so it is as good far from the origin. */
KINI_PART kin_vec kini_touch_point(const kini_solid *piece, kin_pose at, const kini_solid *body, kin_pose body_at,
                                   kin_vec normal)
{
    kini_front mine, other;
    float      level;
    kin_vec    middle;
    if (kini_over_top(piece, at.q, body, body_at.q, normal)) {
        kin_vec along = kini_magnitudes(normal);
        level = kini_dot(kini_madd(piece->centre, normal, kini_dot(piece->half, along)), normal);
        middle = kini_madd(body->centre, normal, -kini_dot(body->half, along));
        if (!kini_is_unturned(body_at.q)) middle = kini_rotate(body_at.q, middle);
        middle = kini_add(middle, kini_sub(body_at.p, at.p));
        middle = kini_madd(middle, normal, level - kini_dot(middle, normal));
        return kini_add(at.p, kini_madd(middle, normal, level - kini_dot(middle, normal) + piece->radius));
    }
    level = kini_front_of(&mine, piece, at.q, normal);
    kini_front_of(&other, body, body_at.q, kini_neg(normal));
    /* A corner alone decides. */
    if (other.count > 1 || mine.count == 1) kini_front_move(&mine, kini_vec_zero(), normal, level);
    if (mine.count > 1) kini_front_move(&other, kini_sub(body_at.p, at.p), normal, level);
    middle = kini_front_middle(&mine, &other);
    middle = kini_madd(middle, normal, level - kini_dot(middle, normal) + piece->radius);
    return kini_add(at.p, middle);
}
