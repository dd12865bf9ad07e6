/* SPDX-License-Identifier: MIT OR Unlicense

   polytope3.c: a point against the rounded Minkowski sum of two cores in space.

   The sum of boxes, segments, triangles and small hulls has few sides, so it is written down as the axes along which
   it can be separated, each with the stretch that the core covers: a face, a way out or a sweep against faces is then
   a short loop without iteration. Only when the closest point lies on an edge or a corner is it searched for, by the
   algorithm of Gilbert, Johnson and Keerthi (1988) on corners found by direction. Sums of larger hulls have too many
   sides to keep: those always search, and walk through their axes only where shapes overlap or nearly do. */
#include "internal.h"

#if KINI_DIM == 3

#define KINI_NOISE 1e-6f        /* of the size of what is compared: differences below this mean nothing */
#define KINI_LINE 1e-11f        /* squared height of a triangle, as part of its side, below which it is a line */
#define KINI_PARALLEL 1e-12f    /* squared sine of the angle between directions that count as one */
#define KINI_THIN 0.02f         /* part of the extent: a core flatter than this needs axes in its plane */
#define KINI_CLOSE 1e-3f        /* part of the extent: nearer to the core than this its faces are looked at too */
#define KINI_SAME_WAY 0.9999f   /* cosine of the angle between ways out that count as one */
#define KINI_MAX_SEARCH 40      /* corners that one search may look at */
#define KINI_MAX_ADVANCES 40    /* steps of one sweep */

/* ---- making ----------------------------------------------------------------------------------------------------- */

static void kini_sum_arm(kini_sum *sum, kin_vec direction, float length)
{
    if (!(length > 0)) return;
    sum->arms[sum->arm_count] = direction;
    sum->lengths[sum->arm_count++] = length;
}

static void kini_sum_box(kini_sum *sum, const kini_solid *solid, kin_rot turn, kin_vec *middle, kin_vec *half)
{
    int axis;
    *middle = kini_rotate(turn, solid->centre);
    *half = kini_vec_zero();
    for (axis = 0; axis < 3; axis++) {
        float   length = kini_at(solid->half, axis);
        kin_vec arm = kini_rotate(turn, kini_with(kini_vec_zero(), axis, 1));
        kini_sum_arm(sum, arm, length);
        *half = kini_madd(*half, kini_magnitudes(arm), length);
    }
}

static void kini_sum_segment(kini_sum *sum, kin_vec from, kin_vec to, kin_vec *middle, kin_vec *half)
{
    kin_vec arm = kini_scale(kini_sub(to, from), 0.5f);
    *middle = kini_scale(kini_add(from, to), 0.5f);
    *half = kini_magnitudes(arm);
    kini_sum_arm(sum, kini_unit(arm), kini_len(arm));
}

static void kini_sum_corners(kini_sum *sum, const kini_solid *solid, kin_rot turn, float sign, kin_vec *middle, kin_vec *half)
{
    kini_cloud *cloud = &sum->clouds[sum->cloud_count++];
    kin_vec     lo = kini_all(KINI_FLT_MAX), hi = kini_neg(lo);
    int         i;
    cloud->hull = NULL;
    cloud->turn = kini_unturned();
    cloud->at = kini_vec_zero();
    cloud->sign = 1;
    cloud->count = solid->count;
    for (i = 0; i < solid->count; i++) {
        cloud->own[i] = kini_rotate(turn, solid->points[i]);
        lo = kini_lower(lo, cloud->own[i]);
        hi = kini_upper(hi, cloud->own[i]);
    }
    *middle = kini_scale(kini_add(lo, hi), 0.5f);
    *half = kini_scale(kini_sub(hi, lo), 0.5f);
    for (i = 0; i < solid->count; i++) cloud->own[i] = kini_scale(kini_sub(cloud->own[i], *middle), sign);
}

static void kini_sum_hull(kini_sum *sum, const kini_solid *solid, kin_rot turn, float sign, kin_vec *middle, kin_vec *half)
{
    kini_cloud *cloud = &sum->clouds[sum->cloud_count++];
    *middle = kini_rotate(turn, solid->centre);
    *half = kini_is_unturned(turn) ? solid->half : kini_turned_half(turn, solid->half);
    cloud->hull = solid->hull;
    cloud->turn = turn;
    cloud->at = kini_scale(*middle, -sign);
    cloud->sign = sign;
    cloud->count = solid->count;
}

/* The longest side of a triangle that is a mere line; -1 if it is none. */
static int kini_needle(const kin_vec *p)
{
    kin_vec a = kini_sub(p[1], p[0]), b = kini_sub(p[2], p[1]), c = kini_sub(p[0], p[2]);
    float   aa = kini_len2(a), bb = kini_len2(b), cc = kini_len2(c), most = kini_greater(aa, kini_greater(bb, cc));
    if (kini_len2(kini_cross(a, b)) > KINI_LINE * most * most) return -1;
    return cc < aa || cc < bb ? bb > aa : 2;
}

/* Adds one of the two cores; gives the box around it. */
static void kini_sum_core(kini_sum *sum, const kini_solid *solid, kin_rot turn, float sign, kin_vec *middle, kin_vec *half)
{
    const kin_vec *p = solid->points;
    int            line = solid->count == 2 ? 0 : solid->count == 3 ? kini_needle(p) : -1;
    if (line >= 0) kini_sum_segment(sum, kini_rotate(turn, p[line]), kini_rotate(turn, p[line == 2 ? 0 : line + 1]), middle, half);
    else if (solid->count == 0) kini_sum_box(sum, solid, turn, middle, half);
    else if (solid->count <= 3) kini_sum_corners(sum, solid, turn, sign, middle, half);
    else kini_sum_hull(sum, solid, turn, sign, middle, half);
}

KINI_PART void kini_sum_make(kini_sum *room, const kini_solid *piece, kin_rot piece_turn, kin_vec at, const kini_solid *body, kin_rot body_turn, kini_obstacle *out)
{
    kin_vec middle[2], half[2];
    room->arm_count = room->cloud_count = room->axis_count = 0;
    kini_sum_core(room, piece, piece_turn, 1, &middle[0], &half[0]);
    kini_sum_core(room, body, body_turn, -1, &middle[1], &half[1]);
    out->centre = kini_add(at, kini_sub(middle[0], middle[1]));
    out->half = kini_add(half[0], half[1]);
    out->radius = piece->radius + body->radius;
    out->sum = room;
}

/* ---- corners by direction ---------------------------------------------------------------------------------------- */

static kin_vec kini_best_point(const kin_vec *points, int count, kin_vec direction)
{
    float most = kini_dot(points[0], direction);
    int   i, best = 0;
    for (i = 1; i < count; i++) {
        float s = kini_dot(points[i], direction);
        if (s > most) { most = s; best = i; }
    }
    return points[best];
}

static kin_vec kini_cloud_corner(const kini_cloud *cloud, kin_vec direction)
{
    kin_vec p;
    if (!cloud->hull) return kini_best_point(cloud->own, cloud->count, direction);
    direction = kini_scale(kini_unrotate(cloud->turn, direction), cloud->sign);
    p = kini_best_point(cloud->hull->points, cloud->count, direction);
    return kini_madd(cloud->at, kini_rotate(cloud->turn, p), cloud->sign);
}

static kin_vec kini_sum_corner(const kini_sum *sum, kin_vec direction)
{
    kin_vec p = kini_vec_zero();
    int     i;
    for (i = 0; i < sum->arm_count; i++)
        p = kini_madd(p, sum->arms[i], kini_dot(sum->arms[i], direction) < 0 ? -sum->lengths[i] : sum->lengths[i]);
    for (i = 0; i < sum->cloud_count; i++) p = kini_add(p, kini_cloud_corner(&sum->clouds[i], direction));
    return p;
}

/* Point of the core closest to y, relative to y; zero if y is inside. `towards` is a first guess of the direction from
   the core to y. */
static kin_vec kini_sum_closest(const kini_sum *sum, kin_vec y, kin_vec towards)
{
    kini_simplex simplex;
    kin_vec      closest = kini_sub(kini_sum_corner(sum, towards), y), next;
    float        size = kini_len2(closest), last;
    int          round;
    simplex.points[0] = closest;
    simplex.count = 1;
    for (round = 0; round < KINI_MAX_SEARCH && size > 0; round++) {
        next = kini_sub(kini_sum_corner(sum, kini_neg(closest)), y);
        if (size - kini_dot(closest, next) <= size * KINI_NOISE) break;
        simplex.points[simplex.count++] = next;
        next = kini_simplex_closest(&simplex);
        last = size;
        size = kini_len2(next);
        if (simplex.count == 4) return kini_vec_zero();
        if (!(size < last)) break;   /* as near as floats can tell */
        closest = next;
    }
    return closest;
}

/* ---- axes ----------------------------------------------------------------------------------------------------------- */

/* Called for each direction in which the core has a face; not of length one. False ends the walk. */
typedef bool kini_axis_fn(void *context, kin_vec direction);

/* Two edges make a face unless they are parallel. */
static bool kini_take_cross(kin_vec a, kin_vec b, kini_axis_fn *take, void *context)
{
    kin_vec direction = kini_cross(a, b);
    if (!(kini_len2(direction) > KINI_PARALLEL * kini_len2(a) * kini_len2(b))) return true;
    return take(context, direction);
}

static bool kini_walk_arms(const kini_sum *sum, kini_axis_fn *take, void *context)
{
    int i, k;
    for (i = 0; i < sum->arm_count; i++)
        for (k = i + 1; k < sum->arm_count; k++)
            if (!kini_take_cross(sum->arms[i], sum->arms[k], take, context)) return false;
    return true;
}

/* An edge of a cloud and the faces that meet in it, such that along = left x right. */
typedef struct kini_ridge { kin_vec along, left, right; bool flat; } kini_ridge;

static int kini_cloud_edges(const kini_cloud *cloud)
{
    return cloud->hull ? cloud->hull->edge_count : cloud->count == 3 ? 3 : 0;
}

static kin_vec kini_own_edge(const kini_cloud *cloud, int i)
{
    return kini_sub(cloud->own[i == 2 ? 0 : i + 1], cloud->own[i]);
}

/* In the cloud's own frame. */
static kini_ridge kini_cloud_edge(const kini_cloud *cloud, int i)
{
    const kini_hull *hull = cloud->hull;
    kini_ridge       ridge;
    if (hull) {
        ridge.along = kini_sub(hull->points[hull->edges[i][1]], hull->points[hull->edges[i][0]]);
        ridge.left = hull->normals[hull->sides[i][0]];
        ridge.right = hull->normals[hull->sides[i][1]];
        ridge.flat = hull->face_count == 2;
        return ridge;
    }
    ridge.along = kini_own_edge(cloud, i);
    ridge.left = kini_unit(kini_cross(kini_own_edge(cloud, 0), kini_own_edge(cloud, 1)));
    ridge.right = kini_neg(ridge.left);
    ridge.flat = true;
    return ridge;
}

/* The same edge as part of the sum. */
static kini_ridge kini_sum_edge(const kini_cloud *cloud, int i)
{
    kini_ridge ridge = kini_cloud_edge(cloud, i);
    if (!cloud->hull) return ridge;
    ridge.along = kini_rotate(cloud->turn, ridge.along);
    ridge.left = kini_scale(kini_rotate(cloud->turn, ridge.left), cloud->sign);
    ridge.right = kini_scale(kini_rotate(cloud->turn, ridge.right), cloud->sign);
    return ridge;
}

/* A flat cloud also ends in its plane, beyond each edge. */
static bool kini_walk_faces(const kini_cloud *cloud, kini_axis_fn *take, void *context)
{
    const kini_hull *hull = cloud->hull;
    int              i;
    if (!hull && cloud->count < 3) return true;
    if (!hull) return kini_take_cross(kini_own_edge(cloud, 0), kini_own_edge(cloud, 1), take, context);
    for (i = 0; i < hull->face_count; i++)
        if (!take(context, kini_rotate(cloud->turn, hull->normals[i]))) return false;
    for (i = 0; i < hull->edge_count && hull->face_count == 2; i++) {
        kini_ridge edge = kini_sum_edge(cloud, i);
        if (!kini_take_cross(edge.along, edge.left, take, context)) return false;
    }
    return true;
}

/* An arm passes along a whole great circle of normals, an edge along the arc between those of its faces: where they
   cross, the sum has a face of both. The arc of a flat edge is half a circle and always crosses. */
static bool kini_walk_edges_arms(const kini_sum *sum, const kini_cloud *cloud, kini_axis_fn *take, void *context)
{
    int i, k, edges = kini_cloud_edges(cloud);
    for (i = 0; i < edges && sum->arm_count > 0; i++) {
        kini_ridge edge;
        if (cloud->hull) edge = kini_sum_edge(cloud, i);
        else { edge.along = kini_own_edge(cloud, i); edge.left = edge.right = edge.along; edge.flat = true; }
        for (k = 0; k < sum->arm_count; k++) {
            if (!edge.flat && !(kini_dot(edge.left, sum->arms[k]) * kini_dot(edge.right, sum->arms[k]) < 0)) continue;
            if (!kini_take_cross(edge.along, sum->arms[k], take, context)) return false;
        }
    }
    return true;
}

/* Do the arcs of normals of two edges cross? */
static bool kini_arcs_cross(const kini_ridge *a, const kini_ridge *b)
{
    float left = kini_dot(b->left, a->along), right = kini_dot(b->right, a->along), here, there;
    if (!(left * right < 0)) return false;
    here = kini_dot(a->left, b->along);
    there = kini_dot(a->right, b->along);
    return here * there < 0 && left * there > 0;
}

/* The arc of a flat edge is taken in two. */
static bool kini_ridges_meet(const kini_ridge *a, const kini_ridge *b)
{
    kini_ridge half;
    if (!a->flat && !b->flat) return kini_arcs_cross(a, b);
    if (!a->flat) return kini_ridges_meet(b, a);
    half = *a;
    half.flat = false;
    half.right = kini_cross(half.along, half.left);
    if (kini_ridges_meet(&half, b)) return true;
    half.left = half.right;
    half.right = a->right;
    return kini_ridges_meet(&half, b);
}

/* `along` is no normal: a reflected cloud has its edges run the same way. */
static kini_ridge kini_ridge_into(kini_ridge edge, const kini_cloud *cloud)
{
    if (!cloud->hull) return edge;
    edge.along = kini_unrotate(cloud->turn, edge.along);
    edge.left = kini_scale(kini_unrotate(cloud->turn, edge.left), cloud->sign);
    edge.right = kini_scale(kini_unrotate(cloud->turn, edge.right), cloud->sign);
    return edge;
}

/* The edges of the first cloud are brought into the frame of the second, whose edges are then read as they are. */
static bool kini_walk_edges(const kini_cloud *a, const kini_cloud *b, kini_axis_fn *take, void *context)
{
    int i, k, count = kini_cloud_edges(a), others = kini_cloud_edges(b);
    for (i = 0; i < count; i++) {
        kini_ridge world = kini_sum_edge(a, i), edge = kini_ridge_into(world, b);
        for (k = 0; k < others; k++) {
            kini_ridge other = kini_cloud_edge(b, k);
            if (!kini_ridges_meet(&edge, &other)) continue;
            if (!kini_take_cross(world.along, kini_sum_edge(b, k).along, take, context)) return false;
        }
    }
    return true;
}

static bool kini_walk_axes(const kini_sum *sum, kini_axis_fn *take, void *context)
{
    int i;
    for (i = 0; i < sum->cloud_count; i++)
        if (!kini_walk_faces(&sum->clouds[i], take, context)) return false;
    if (!kini_walk_arms(sum, take, context)) return false;
    for (i = 0; i < sum->cloud_count; i++)
        if (!kini_walk_edges_arms(sum, &sum->clouds[i], take, context)) return false;
    return sum->cloud_count < 2 || kini_walk_edges(&sum->clouds[0], &sum->clouds[1], take, context);
}

static void kini_points_stretch(const kin_vec *points, int count, kin_vec along, float *lo, float *hi)
{
    int i;
    *lo = *hi = kini_dot(points[0], along);
    for (i = 1; i < count; i++) {
        float s = kini_dot(points[i], along);
        *lo = kini_lesser(*lo, s);
        *hi = kini_greater(*hi, s);
    }
}

/* Adds what the cloud covers along the axis. */
static void kini_cloud_stretch(const kini_cloud *cloud, kini_axis *axis)
{
    float lo, hi;
    if (!cloud->hull) {
        kini_points_stretch(cloud->own, cloud->count, axis->along, &lo, &hi);
    } else {
        kini_points_stretch(cloud->hull->points, cloud->count, kini_unrotate(cloud->turn, axis->along), &lo, &hi);
        axis->middle += kini_dot(cloud->at, axis->along);
    }
    axis->middle += (lo + hi) * 0.5f * cloud->sign;
    axis->half += (hi - lo) * 0.5f;
}

/* How far the core reaches along a direction of length one. */
static void kini_sum_stretch(const kini_sum *sum, kin_vec along, kini_axis *out)
{
    int i;
    out->along = along;
    out->middle = out->half = 0;
    for (i = 0; i < sum->arm_count; i++) out->half += kini_abs(kini_dot(sum->arms[i], along)) * sum->lengths[i];
    for (i = 0; i < sum->cloud_count; i++) kini_cloud_stretch(&sum->clouds[i], out);
}

/* Of length one and upwards, so that of two sides equally far the upper one comes first. */
static kin_vec kini_upward(kin_vec direction)
{
    bool down = direction.y < 0 || (!(direction.y > 0) && (direction.x < 0 || (!(direction.x > 0) && direction.z < 0)));
    return kini_scale(direction, (down ? -1 : 1) / kini_len(direction));
}

/* ---- the axes of a small sum ------------------------------------------------------------------------------------- */

static bool kini_keep_axis(void *context, kin_vec direction)
{
    kini_sum *sum = (kini_sum *)context;
    kin_vec   along = kini_upward(direction);
    int       i;
    for (i = 0; i < sum->axis_count; i++)
        if (kini_len2(kini_sub(along, sum->axes[i].along)) < KINI_PARALLEL) return true;
    if (sum->axis_count == KINI_MAX_AXES) return false;
    kini_sum_stretch(sum, along, &sum->axes[sum->axis_count++]);
    return true;
}

/* The longest edge of the core; any if it is a point. */
static kin_vec kini_longest_edge(const kini_sum *sum)
{
    kin_vec best = kini_with(kini_vec_zero(), 0, KINI_TINY);
    int     i, k;
    for (i = 0; i < sum->arm_count; i++) {
        kin_vec edge = kini_scale(sum->arms[i], 2 * sum->lengths[i]);
        if (kini_len2(edge) > kini_len2(best)) best = edge;
    }
    for (k = 0; k < sum->cloud_count; k++)
        for (i = 0; i < kini_cloud_edges(&sum->clouds[k]); i++) {
            kin_vec edge = kini_sum_edge(&sum->clouds[k], i).along;
            if (kini_len2(edge) > kini_len2(best)) best = edge;
        }
    return best;
}

/* Some direction across another: with the axis of space that is least along it. */
static kin_vec kini_some_across(kin_vec a)
{
    kin_vec m = kini_magnitudes(a), other = kini_vec_zero();
    if (m.y <= m.x && m.y <= m.z) other.y = 1;
    else if (m.x <= m.z) other.x = 1;
    else other.z = 1;
    return kini_cross(a, other);
}

static int kini_thinnest(const kini_sum *sum, int from)
{
    int i, best = from;
    for (i = from + 1; i < sum->axis_count; i++)
        if (sum->axes[i].half < sum->axes[best].half) best = i;
    return best;
}

/* Axes in the plane across `normal`, one for each edge. */
static bool kini_plane_axes(kini_sum *sum, kin_vec normal)
{
    int i, k;
    for (i = 0; i < sum->arm_count; i++)
        if (!kini_take_cross(normal, sum->arms[i], kini_keep_axis, sum)) return false;
    for (k = 0; k < sum->cloud_count; k++)
        for (i = 0; i < kini_cloud_edges(&sum->clouds[k]); i++)
            if (!kini_take_cross(normal, kini_sum_edge(&sum->clouds[k], i).along, kini_keep_axis, sum)) return false;
    return true;
}

/* A core that is flat, or nearly, ends in its plane at no face, or at faces whose normals are lost in rounding. It gets
   axes of its shadow; one that is nearly a line, an axis at its ends as well. */
static bool kini_thin_axes(kini_sum *sum, float extent)
{
    int     first, thin;
    kin_vec normal;
    if (sum->axis_count == 0) kini_keep_axis(sum, kini_some_across(kini_longest_edge(sum)));
    thin = kini_thinnest(sum, 0);
    if (sum->axes[thin].half > KINI_THIN * extent) return true;
    normal = sum->axes[thin].along;
    first = sum->axis_count;
    if (!kini_plane_axes(sum, normal)) return false;
    if (first == sum->axis_count) kini_keep_axis(sum, kini_some_across(normal));
    thin = kini_thinnest(sum, first);
    if (sum->axes[thin].half > KINI_THIN * extent) return true;
    return kini_take_cross(normal, sum->axes[thin].along, kini_keep_axis, sum);
}

/* Looks for the axes unless that has been done; false if there are too many to keep. */
static bool kini_sum_is_small(const kini_obstacle *obstacle)
{
    kini_sum *sum = obstacle->sum;
    if (sum->axis_count) return sum->axis_count > 0;
    if (kini_walk_axes(sum, kini_keep_axis, sum) && kini_thin_axes(sum, kini_largest(obstacle->half))) return true;
    sum->axis_count = -1;
    return false;
}

/* ---- distance --------------------------------------------------------------------------------------------------------- */

/* How far two results for a point at y may differ by rounding. */
static float kini_sum_noise(const kini_obstacle *obstacle, kin_vec y)
{
    return (kini_largest(obstacle->half) + kini_largest(kini_magnitudes(y))) * KINI_NOISE;
}

/* The largest separation along an axis: outside a lower bound of the distance, inside minus the depth. Of equal ones
   the normal that points up more. */
static void kini_better_axis(const kini_axis *axis, kin_vec y, float *best, kin_vec *normal)
{
    float s = kini_dot(axis->along, y) - axis->middle, gap = kini_abs(s) - axis->half;
    if (gap < *best) return;
    if (!(gap > *best) && !((s < 0 ? -axis->along.y : axis->along.y) > normal->y)) return;
    *best = gap;
    *normal = s < 0 ? kini_neg(axis->along) : axis->along;
}

static bool kini_axes_hold(const kini_sum *sum, kin_vec y, float slack)
{
    int i;
    for (i = 0; i < sum->axis_count; i++)
        if (kini_abs(kini_dot(sum->axes[i].along, y) - sum->axes[i].middle) > sum->axes[i].half + slack) return false;
    return true;
}

/* Distance to the core by search, unless an axis is known to be as good. */
static float kini_searched_gap(const kini_sum *sum, kin_vec y, float best, kin_vec *normal)
{
    kin_vec closest = kini_sum_closest(sum, y, *normal);
    float   size = kini_len(closest);
    if (!(size > best)) return best;
    *normal = kini_scale(closest, -1 / size);
    return size;
}

static float kini_small_gap(const kini_obstacle *obstacle, kin_vec y, kin_vec *normal)
{
    const kini_sum *sum = obstacle->sum;
    float           best = -KINI_FLT_MAX, slack = kini_sum_noise(obstacle, y);
    int             i;
    *normal = kini_vec_zero();
    for (i = 0; i < sum->axis_count; i++) kini_better_axis(&sum->axes[i], y, &best, normal);
    if (best <= slack || kini_axes_hold(sum, kini_madd(y, *normal, -best), slack)) return best;
    return kini_searched_gap(sum, y, best, normal);
}

/* The same while walking through the axes of a large sum. */
typedef struct kini_axis_search { const kini_sum *sum; kin_vec y, normal; float best; } kini_axis_search;

static bool kini_search_axis(void *context, kin_vec direction)
{
    kini_axis_search *search = (kini_axis_search *)context;
    kini_axis         axis;
    kini_sum_stretch(search->sum, kini_upward(direction), &axis);
    kini_better_axis(&axis, search->y, &search->best, &search->normal);
    return true;
}

/* Close to the core a face gives a better normal than the search, and inside there is no other. */
static float kini_large_gap(const kini_obstacle *obstacle, kin_vec y, kin_vec *normal)
{
    kini_axis_search search;
    float            size, slack = kini_sum_noise(obstacle, y);
    *normal = y;
    size = kini_searched_gap(obstacle->sum, y, 0, normal);
    if (size > KINI_CLOSE * kini_largest(obstacle->half)) return size;
    search.sum = obstacle->sum;
    search.y = y;
    search.best = -KINI_FLT_MAX;
    search.normal = kini_vec_zero();
    kini_walk_axes(search.sum, kini_search_axis, &search);
    if (size > search.best + 2 * slack && size > 10 * slack) return size;
    *normal = search.normal;
    return search.best;
}

static float kini_core_gap(const kini_obstacle *obstacle, kin_vec y, kin_vec *normal)
{
    return kini_sum_is_small(obstacle) ? kini_small_gap(obstacle, y, normal) : kini_large_gap(obstacle, y, normal);
}

KINI_PART float kini_sum_gap(const kini_obstacle *obstacle, kin_vec x, kin_vec *normal)
{
    return kini_core_gap(obstacle, kini_sub(x, obstacle->centre), normal) - obstacle->radius;
}

/* ---- ray ---------------------------------------------------------------------------------------------------------------- */

/* When a ray comes in between all pairs of sides moved out by the radius, and by which; enter stays negative if it
   starts there. False: it goes away, along a side, past them or is too short. Closer than `slack` to a side is on it. */
static bool kini_axes_ray(const kini_obstacle *obstacle, kin_vec y, kin_vec v, float slack, float *enter, kin_vec *normal)
{
    const kini_sum *sum = obstacle->sum;
    float           leave = 2;
    int             i;
    *enter = -1;
    for (i = 0; i < sum->axis_count; i++) {
        const kini_axis *axis = &sum->axes[i];
        float speed = kini_dot(axis->along, v), from = kini_dot(axis->along, y) - axis->middle;
        float reach = axis->half + obstacle->radius, side = speed < 0 ? 1.0f : -1.0f, first, last, t;
        if (speed < 0) { speed = -speed; from = -from; }
        first = -reach - from;
        last = reach - from;
        if (last <= slack || first > speed) return false;
        if (first > -slack) {
            if (!(speed > 0)) return false;
            t = kini_greater(first, 0) / speed;
            if (t > *enter || (!(t < *enter) && axis->along.y * side > normal->y)) { *enter = t; *normal = kini_scale(axis->along, side); }
        }
        if (last <= speed) leave = kini_lesser(leave, last / speed);
    }
    return *enter < leave;
}

/* The distance along a ray is convex, so a step by Newton's rule never goes past the first touch: on a face it is
   exact, on a rounding it doubles the digits each time. */
static bool kini_advance(const kini_obstacle *obstacle, kin_vec y, kin_vec v, float slack, float *t, kin_vec *normal)
{
    float gap = kini_core_gap(obstacle, kini_madd(y, v, *t), normal) - obstacle->radius;
    int   round;
    if (gap < -slack && !(*t > 0)) return true;
    for (round = 0; round < KINI_MAX_ADVANCES; round++) {
        float speed = -kini_dot(v, *normal);
        if (!(speed > 0)) return false;
        if (gap <= slack) return true;
        *t += gap / speed;
        if (!(*t <= 1)) return false;
        gap = kini_core_gap(obstacle, kini_madd(y, v, *t), normal) - obstacle->radius;
    }
    return true;
}

KINI_PART bool kini_sum_ray(const kini_obstacle *obstacle, kin_vec x, kin_vec travel, float *t, kin_vec *normal)
{
    kin_vec y = kini_sub(x, obstacle->centre);
    float   enter, slack = kini_sum_noise(obstacle, y) + obstacle->radius * KINI_NOISE;
    *t = 0;
    if (!kini_sum_is_small(obstacle)) return kini_advance(obstacle, y, travel, slack, t, normal);
    if (!kini_axes_ray(obstacle, y, travel, slack, &enter, normal)) return false;
    if (enter > 0) *t = enter;
    if (obstacle->radius > 0) return kini_advance(obstacle, y, travel, slack, t, normal);
    if (enter < 0) kini_small_gap(obstacle, y, normal);
    return true;
}

/* ---- ways out ---------------------------------------------------------------------------------------------------------- */

typedef struct kini_way_search {
    const kini_obstacle *obstacle;
    kin_vec              y;
    kini_way             ways[KINI_MAX_WAYS];
    int                  count;
} kini_way_search;

/* Of ways that are nearly the same only the shortest counts. */
static bool kini_way_known(const kini_way *ways, int count, kin_vec axis, float length)
{
    int i;
    for (i = 0; i < count && !(ways[i].length > length); i++)
        if (kini_dot(ways[i].axis, axis) > KINI_SAME_WAY) return true;
    return false;
}

static void kini_way_both(kini_way_search *search, const kini_axis *axis)
{
    float   s = kini_dot(axis->along, search->y) - axis->middle, reach = axis->half + search->obstacle->radius;
    kin_vec back = kini_neg(axis->along);
    if (!kini_way_known(search->ways, search->count, axis->along, reach - s))
        search->count = kini_ways_add(search->ways, search->count, KINI_MAX_WAYS, axis->along, reach - s);
    if (!kini_way_known(search->ways, search->count, back, reach + s))
        search->count = kini_ways_add(search->ways, search->count, KINI_MAX_WAYS, back, reach + s);
}

static bool kini_way_axis(void *context, kin_vec direction)
{
    kini_way_search *search = (kini_way_search *)context;
    kini_axis        axis;
    kini_sum_stretch(search->obstacle->sum, kini_upward(direction), &axis);
    kini_way_both(search, &axis);
    return true;
}

KINI_PART int kini_sum_ways(const kini_obstacle *obstacle, kin_vec x, kini_way *ways, int capacity)
{
    const kini_sum *sum = obstacle->sum;
    kini_way_search search;
    kin_vec         normal;
    float           gap = kini_sum_gap(obstacle, x, &normal);
    int             i, count = 0;
    if (!(gap < 0)) return 0;
    search.obstacle = obstacle;
    search.y = kini_sub(x, obstacle->centre);
    search.count = kini_ways_add(search.ways, 0, KINI_MAX_WAYS, normal, -gap);
    for (i = 0; i < sum->axis_count; i++) kini_way_both(&search, &sum->axes[i]);
    if (sum->axis_count < 0) kini_walk_axes(sum, kini_way_axis, &search);
    for (i = 0; i < search.count && count < capacity; i++)
        if (!kini_way_known(ways, count, search.ways[i].axis, search.ways[i].length)) ways[count++] = search.ways[i];
    return count;
}

#endif
