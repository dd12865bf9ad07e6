/* SPDX-License-Identifier: MIT OR Unlicense

   polytope3.c: a point against the rounded Minkowski sum of two cores in space.

   The sum of boxes, segments, triangles and small hulls has few sides, so it is kept as its separation axes, each with
   the interval that the core covers. The closest point lies in one, two or three of those planes. Where they are nearly
   parallel, and for sums of larger hulls, whose sides are not kept, it is searched for by the algorithm of Gilbert,
   Johnson and Keerthi (1988); the sides of a large sum are visited only where shapes overlap or nearly do. */
#include "shapes.h"

#if KINI_DIM == 3

enum { KINI_MAX_PLANE_ROUNDS = 6 };            /* ... or if it is not found by then */
enum { KINI_MAX_SEARCH = 40 };                 /* corners that one search may look at */
enum { KINI_MAX_ADVANCES = 40 };               /* steps of one sweep */

/* ---- making ----------------------------------------------------------------------------------------------------- */

static void kini_sum_box(kini_sum *sum, const kini_solid *solid, kin_rot turn, kini_obstacle *box)
{
    bool turned = !kini_is_unturned(turn);
    int  axis;
    box->centre = turned ? kini_rotate(turn, solid->centre) : solid->centre;
    box->half = turned ? kini_vec_zero() : solid->half;
    for (axis = 0; axis < 3; axis++) {
        float   length = kini_at(solid->half, axis);
        kin_vec arm = kini_with(kini_vec_zero(), axis, 1);
        if (!(length > 0)) continue;
        if (turned) {
            arm = kini_rotate(turn, arm);
            box->half = kini_madd(box->half, kini_magnitudes(arm), length);
        }
        sum->arms[sum->arm_count] = arm;
        sum->lengths[sum->arm_count++] = length;
    }
}

static void kini_sum_segment(kini_sum *sum, kin_vec from, kin_vec to, kini_obstacle *box)
{
    kin_vec arm = kini_scale(kini_sub(to, from), 0.5f);
    box->centre = kini_scale(kini_add(from, to), 0.5f);
    box->half = kini_magnitudes(arm);
    if (kini_is_zero(arm)) return;
    sum->arms[sum->arm_count] = kini_unit(arm);
    sum->lengths[sum->arm_count++] = kini_len(arm);
}

static inline void kini_sum_triangle(kini_sum *sum, const kin_vec *p, float sign, kini_obstacle *box)
{
    kini_cloud *cloud = &sum->clouds[sum->cloud_count++];
    kin_vec     lo = kini_lower(kini_lower(p[0], p[1]), p[2]), hi = kini_upper(kini_upper(p[0], p[1]), p[2]);
    int         i;
    box->centre = kini_scale(kini_add(lo, hi), 0.5f);
    box->half = kini_scale(kini_sub(hi, lo), 0.5f);
    cloud->hull = NULL;
    cloud->count = 3;
    for (i = 0; i < 3; i++) cloud->own[i] = sign < 0 ? kini_sub(box->centre, p[i]) : kini_sub(p[i], box->centre);
}

static void kini_sum_hull(kini_sum *sum, const kini_solid *solid, kin_rot turn, float sign, kini_obstacle *box)
{
    kini_cloud *cloud = &sum->clouds[sum->cloud_count++];
    cloud->turned = !kini_is_unturned(turn);
    box->centre = cloud->turned ? kini_rotate(turn, solid->centre) : solid->centre;
    box->half = cloud->turned ? kini_turned_half(turn, solid->half) : solid->half;
    cloud->hull = solid->hull;
    cloud->turn = turn;
    cloud->at = kini_scale(box->centre, -sign);
    cloud->sign = sign;
    cloud->count = solid->count;
}

/* The longest side of a triangle that is as thin as a line; -1 for any other. */
static int kini_needle(const kin_vec *p)
{
    kin_vec a = kini_sub(p[1], p[0]), b = kini_sub(p[2], p[1]), c = kini_sub(p[0], p[2]);
    float   aa = kini_len2(a), bb = kini_len2(b), cc = kini_len2(c), most = kini_greater(aa, kini_greater(bb, cc));
    if (kini_len2(kini_cross(a, b)) > KINI_LINE2 * most * most) return -1;
    return cc < aa || cc < bb ? bb > aa : 2;
}

/* Adds one of the two cores; gives the box around it. */
static void kini_sum_core(kini_sum *sum, const kini_solid *solid, kin_rot turn, float sign, kini_obstacle *box)
{
    kin_vec p[3];
    int     i, from;
    if (solid->count == 0) { kini_sum_box(sum, solid, turn, box); return; }
    if (solid->count > 3) { kini_sum_hull(sum, solid, turn, sign, box); return; }
    from = solid->count == 2 ? 0 : kini_is_zero(solid->face) ? kini_needle(solid->points) : -1;
    for (i = 0; i < solid->count; i++)
        p[i] = kini_is_unturned(turn) ? solid->points[i] : kini_rotate(turn, solid->points[i]);
    if (from >= 0) kini_sum_segment(sum, p[from], p[from == 2 ? 0 : from + 1], box);
    else kini_sum_triangle(sum, p, sign, box);
}

/* The rest of a sum, with the boxes around both cores. */
static inline void kini_sum_end(kini_sum *sum, const kini_solid *piece, const kini_solid *body,
                                const kini_obstacle *own, const kini_obstacle *other, kini_obstacle *out)
{
    int i;
    sum->asked.kept = sum->asked.known = false;
    sum->axis_count = 0;
    sum->complete = false;
    sum->face = body->count == 0 && sum->arm_count <= 1 ? piece->face : kini_vec_zero();
    for (i = 0; i < 3 && !kini_is_zero(sum->face); i++) sum->sides[i] = piece->sides[i];
    out->centre = kini_sub(own->centre, other->centre);
    out->half = kini_add(own->half, other->half);
    out->radius = piece->radius + body->radius;
    out->sum = sum;
}

KINI_PART void kini_sum_make(kini_sum *room, const kini_solid *piece, kin_rot piece_turn, const kini_solid *body,
                             kin_rot body_turn, kini_obstacle *out)
{
    kini_obstacle own, other;   /* boxes around both cores */
    room->arm_count = room->cloud_count = 0;
    kini_sum_core(room, piece, piece_turn, 1, &own);
    kini_sum_core(room, body, body_turn, -1, &other);
    kini_sum_end(room, piece, body, &own, &other, out);
}

KINI_PART void kini_sum_begin(kini_sum *core, const kini_solid *body, kin_rot turn, kini_obstacle *box)
{
    core->arm_count = core->cloud_count = 0;
    kini_clear(core->arms, 3 * sizeof *core->arms);
    kini_clear(core->lengths, 3 * sizeof *core->lengths);
    kini_sum_core(core, body, turn, -1, box);
}

KINI_PART void kini_sum_face(kini_obstacle *out, kini_sum *room, const kini_solid *face, const kini_solid *body,
                             const kini_sum *core, const kini_obstacle *box)
{
    kini_obstacle own;
    room->cloud_count = 0;
    room->arm_count = core->arm_count;
    kini_copy(room->arms, core->arms, 3 * sizeof *room->arms);
    kini_copy(room->lengths, core->lengths, 3 * sizeof *room->lengths);
    kini_sum_triangle(room, face->points, 1, &own);
    kini_sum_end(room, face, body, &own, box, out);
}

/* ---- support points ---------------------------------------------------------------------------------------------- */

static kin_vec kini_from_hull(const kini_cloud *cloud, kin_vec v)
{
    return cloud->turned ? kini_rotate(cloud->turn, v) : v;
}

static kin_vec kini_to_hull(const kini_cloud *cloud, kin_vec v)
{
    return cloud->turned ? kini_unrotate(cloud->turn, v) : v;
}

static kin_vec kini_cloud_corner(const kini_cloud *cloud, kin_vec direction)
{
    kin_vec p;
    if (!cloud->hull) return kini_furthest_point(cloud->own, cloud->count, direction);
    direction = kini_scale(kini_to_hull(cloud, direction), cloud->sign);
    p = kini_furthest_point(cloud->hull->points, cloud->count, direction);
    return kini_madd(cloud->at, kini_from_hull(cloud, p), cloud->sign);
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

KINI_PART float kini_sum_extent(const kini_sum *sum, kin_vec direction)
{
    return kini_dot(kini_sum_corner(sum, direction), direction);
}

static bool kini_simplex_has(const kini_simplex *simplex, kini_big point)
{
    int i;
    for (i = 0; i < simplex->count; i++) {
        kini_big d = kini_big_sub(simplex->points[i], point);
        if (!(kini_big_dot(d, d) > 0)) return true;
    }
    return false;
}

/* Distance of y to the core and the direction to it, starting from a guess of that, which stays if y is inside. */
static float kini_sum_distance(const kini_sum *sum, kin_vec y, kin_vec *normal)
{
    kini_simplex simplex;
    kini_big     closest = kini_big_sub(kini_big_of(kini_sum_corner(sum, *normal)), kini_big_of(y)), next;
    double       size = kini_big_dot(closest, closest);
    float        length;
    int          round;
    simplex.points[0] = closest;
    simplex.count = 1;
    for (round = 0; round < KINI_MAX_SEARCH; round++) {
        next = kini_big_sub(kini_big_of(kini_sum_corner(sum, kini_neg(kini_small(closest)))), kini_big_of(y));
        if (size - kini_big_dot(closest, next) <= size * KINI_SEARCH_END || kini_simplex_has(&simplex, next)) break;
        simplex.points[simplex.count++] = next;
        closest = kini_simplex_closest(&simplex);
        if (simplex.count == 4) return 0;
        size = kini_big_dot(closest, closest);
    }
    length = kini_sqrt((float)size);
    if (length > 0) *normal = kini_scale(kini_small(closest), -1 / length);
    return length;
}

/* ---- axes -------------------------------------------------------------------------------------------------------- */

/* Called for each direction in which the core has a face; not of length one. False ends the walk. */
typedef bool kini_axis_fn(void *context, kin_vec direction);

/* Two edges make a face unless they are parallel. If they nearly are, it is made flush with both again. */
static inline bool kini_take_cross(kin_vec a, kin_vec b, kini_axis_fn *take, void *context)
{
    kin_vec direction = kini_cross(a, b);
    float   sine = kini_len2(direction), size = kini_len2(a) * kini_len2(b);
    if (sine > KINI_SHARP2 * size) return take(context, direction);
    if (!(sine > KINI_PARALLEL2 * size)) return true;
    direction = kini_madd(direction, a, -kini_dot(direction, a) / kini_len2(a));
    direction = kini_madd(direction, b, -kini_dot(direction, b) / kini_len2(b));
    return take(context, direction);
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

/* From the cloud's frame or, with the inverse turn, into it. `along` is no normal: a reflected cloud keeps it. */
static kini_ridge kini_turn_ridge(kini_ridge edge, const kini_cloud *cloud, kin_rot turn)
{
    if (!cloud->hull) return edge;
    if (cloud->turned) {
        edge.along = kini_rotate(turn, edge.along);
        edge.left = kini_rotate(turn, edge.left);
        edge.right = kini_rotate(turn, edge.right);
    }
    edge.left = kini_scale(edge.left, cloud->sign);
    edge.right = kini_scale(edge.right, cloud->sign);
    return edge;
}

static kini_ridge kini_sum_edge(const kini_cloud *cloud, int i)
{
    return kini_turn_ridge(kini_cloud_edge(cloud, i), cloud, cloud->turn);
}

/* A flat cloud also ends in its plane, beyond each edge. */
static bool kini_walk_faces(const kini_cloud *cloud, kini_axis_fn *take, void *context)
{
    const kini_hull *hull = cloud->hull;
    int              i;
    if (!hull && cloud->count < 3) return true;
    if (!hull) return kini_take_cross(kini_own_edge(cloud, 0), kini_own_edge(cloud, 1), take, context);
    for (i = 0; i < hull->face_count; i++)
        if (!take(context, kini_from_hull(cloud, hull->normals[i]))) return false;
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
    int i, k, edges = sum->arm_count > 0 ? kini_cloud_edges(cloud) : 0;
    for (i = 0; i < edges; i++) {
        kini_ridge edge = kini_sum_edge(cloud, i);
        for (k = 0; k < sum->arm_count; k++) {
            kin_vec arm = sum->arms[k];
            if (!edge.flat && !(kini_dot(edge.left, arm) * kini_dot(edge.right, arm) < 0)) continue;
            if (!kini_take_cross(edge.along, arm, take, context)) return false;
        }
    }
    return true;
}

/* The arc of a flat edge is half a circle, on the side of the direction that leads out of the plane figure. */
static kin_vec kini_flat_outward(const kini_ridge *edge) { return kini_cross(edge->along, edge->left); }

static bool kini_half_circle_meets(const kini_ridge *flat, const kini_ridge *edge)
{
    float   left = kini_dot(edge->left, flat->along), right = kini_dot(edge->right, flat->along);
    kin_vec crossing = kini_add(kini_scale(edge->left, kini_abs(right)), kini_scale(edge->right, kini_abs(left)));
    return left * right < 0 && kini_dot(crossing, kini_flat_outward(flat)) > 0;
}

/* Do the arcs of normals of two edges cross? */
static bool kini_ridges_meet(const kini_ridge *a, const kini_ridge *b)
{
    kin_vec crossing;
    float   left, right, here, there;
    if (a->flat && b->flat) {
        crossing = kini_cross(a->along, b->along);
        return kini_dot(crossing, kini_flat_outward(a)) * kini_dot(crossing, kini_flat_outward(b)) > 0;
    }
    if (a->flat) return kini_half_circle_meets(a, b);
    if (b->flat) return kini_half_circle_meets(b, a);
    left = kini_dot(b->left, a->along);
    right = kini_dot(b->right, a->along);
    if (!(left * right < 0)) return false;
    here = kini_dot(a->left, b->along);
    there = kini_dot(a->right, b->along);
    return here * there < 0 && left * there > 0;
}

/* The edges of the first cloud are brought into the frame of the second, whose edges are then read as they are. */
static bool kini_walk_edges(const kini_cloud *a, const kini_cloud *b, kini_axis_fn *take, void *context)
{
    int i, k, count = kini_cloud_edges(a), others = kini_cloud_edges(b);
    for (i = 0; i < count; i++) {
        kini_ridge world = kini_sum_edge(a, i), edge = kini_turn_ridge(world, b, kini_inverse(b->turn));
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
    int i, k;
    for (i = 0; i < sum->cloud_count; i++)
        if (!kini_walk_faces(&sum->clouds[i], take, context)) return false;
    for (i = 0; i < sum->arm_count; i++)
        for (k = i + 1; k < sum->arm_count; k++)
            if (!kini_take_cross(sum->arms[i], sum->arms[k], take, context)) return false;
    for (i = 0; i < sum->cloud_count; i++)
        if (!kini_walk_edges_arms(sum, &sum->clouds[i], take, context)) return false;
    return sum->cloud_count < 2 || kini_walk_edges(&sum->clouds[0], &sum->clouds[1], take, context);
}

/* How far the core reaches along a direction of length one. */
static inline void kini_sum_stretch(const kini_sum *sum, kin_vec along, kini_axis *out)
{
    float middle = 0, half = 0, lo, hi, at, swap;
    int   i;
    for (i = 0; i < sum->arm_count; i++) {
        float s = kini_dot(sum->arms[i], along) * sum->lengths[i];
        half += kini_greater(s, -s);
    }
    for (i = 0; i < sum->cloud_count; i++) {
        const kini_cloud *cloud = &sum->clouds[i];
        if (!cloud->hull) kini_points_stretch(cloud->own, cloud->count, along, &lo, &hi);
        else {
            kini_points_stretch(cloud->hull->points, cloud->count, kini_to_hull(cloud, along), &lo, &hi);
            if (cloud->sign < 0) { swap = -lo; lo = -hi; hi = swap; }
            at = kini_dot(cloud->at, along);
            lo += at;
            hi += at;
        }
        middle += (lo + hi) * 0.5f;
        half += (hi - lo) * 0.5f;
    }
    out->along = along;
    out->middle = middle;
    out->half = half;
}

/* Of length one and upwards, so that of two sides equally far the upper one comes first. */
static inline kin_vec kini_upward(kin_vec direction)
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
    for (i = 0; i < sum->axis_count; i++) {
        kin_vec off = kini_sub(along, sum->axes[i].along);
        if (off.y * off.y < KINI_PARALLEL2 && kini_len2(off) < KINI_PARALLEL2) return true;   /* y tells most apart */
    }
    if (sum->axis_count == KINI_MAX_AXES) return false;
    kini_sum_stretch(sum, along, &sum->axes[sum->axis_count++]);
    return true;
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

/* A core that is flat, or nearly, gets axes in its plane as well; one that is nearly a line, an axis at its ends. */
static bool kini_thin_axes(kini_sum *sum, float extent)
{
    int     first, thin;
    kin_vec normal;
    if (sum->axis_count == 0)   /* a line or a point */
        kini_keep_axis(sum, kini_some_across(sum->arm_count > 0 ? sum->arms[0] : kini_with(kini_vec_zero(), 0, 1)));
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

/* Finds the axes once; false: too many to keep. The one that runs up most comes first, to win where others tie. */
static bool kini_sum_is_small(const kini_obstacle *obstacle)
{
    kini_sum *sum = obstacle->sum;
    kini_axis first;
    int       i, best = 0;
    if (sum->complete) return sum->axis_count > 0;
    sum->complete = true;
    if (!kini_walk_axes(sum, kini_keep_axis, sum) || !kini_thin_axes(sum, kini_largest(obstacle->half))) {
        sum->axis_count = -1;
        return false;
    }
    for (i = 1; i < sum->axis_count; i++)
        if (sum->axes[i].along.y > sum->axes[best].along.y) best = i;
    first = sum->axes[best];
    sum->axes[best] = sum->axes[0];
    sum->axes[0] = first;
    return true;
}

/* ---- distance ---------------------------------------------------------------------------------------------------- */

/* The closest point of the core lies in up to three planes: in a face, an edge or a corner. */
typedef struct kini_close {
    kin_vec normal;       /* from that point to y */
    float   distance;
    kin_vec planes[3];    /* their normals */
    float   levels[3];    /* how far y is beyond each */
    int     count;        /* 0: not known, it was searched for */
} kini_close;

/* How far p is beyond which plane at most (negative: inside of all); the far side of an axis if *side is positive. */
static inline float kini_furthest_plane(const kini_sum *sum, kin_vec p, const kini_axis **which, float *side)
{
    const kini_axis *axis = sum->axes, *end = axis + sum->axis_count;
    float            most = -KINI_FLT_MAX;
    *which = axis;
    *side = 0;
    for (; axis < end; axis++) {
        float s = kini_dot(axis->along, p) - axis->middle, gap = kini_greater(s, -s) - axis->half;
        if (gap > most) { most = gap; *side = s; *which = axis; }
    }
    return most;
}

/* The point of two planes closest to y. False if they are too nearly parallel, or if one alone is closer. */
static bool kini_close_edge(kini_close *close)
{
    kin_vec a = close->planes[0], b = close->planes[1], offset;
    float   cosine = kini_dot(a, b), sine = 1 - cosine * cosine, size;
    float   s = close->levels[0] - cosine * close->levels[1], t = close->levels[1] - cosine * close->levels[0];
    if (sine < KINI_BLUNT2 || s < 0 || t < 0) return false;
    offset = kini_madd(kini_scale(a, s), b, t);
    size = kini_len(offset);
    close->distance = size / sine;
    close->normal = kini_scale(offset, 1 / size);
    return size > 0;
}

/* The same for three planes; drops one of the first two if the point is not held by it. */
static bool kini_close_corner(kini_close *close)
{
    const kin_vec *p = close->planes;
    kin_vec        a = kini_cross(p[1], p[2]), b = kini_cross(p[2], p[0]), c = kini_cross(p[0], p[1]), offset;
    float          volume = kini_dot(p[0], a), first, second, size;
    if (volume * volume < KINI_BLUNT2) return false;
    offset = kini_madd(kini_madd(kini_scale(a, close->levels[0]), b, close->levels[1]), c, close->levels[2]);
    first = kini_dot(offset, a);
    second = kini_dot(offset, b);
    if (kini_dot(offset, c) < 0 || (first < 0 && second < 0)) return false;
    if (first < 0 || second < 0) {
        int drop = first < 0 ? 0 : 1;
        close->planes[drop] = close->planes[2];
        close->levels[drop] = close->levels[2];
        close->count = 2;
        return kini_close_edge(close);
    }
    size = kini_len(offset);
    close->distance = size / kini_abs(volume);
    close->normal = kini_scale(offset, (volume < 0 ? -1 : 1) / size);
    return size > 0;
}

/* From the plane that y is furthest beyond to the closest point: each round adds the plane that the point found so far
   is still beyond. Each gets further away from y, so few rounds are needed; otherwise the search decides. */
static void kini_close_small(const kini_obstacle *obstacle, kin_vec y, kini_close *close)
{
    const kini_sum  *sum = obstacle->sum;
    const kini_axis *axis;
    float            slack = kini_blur(obstacle, y), side, first = kini_furthest_plane(sum, y, &axis, &side), s;
    kin_vec          towards = side < 0 ? kini_neg(axis->along) : axis->along;
    int              round;
    close->normal = close->planes[0] = towards;
    close->distance = close->levels[0] = first;
    close->count = 1;
    if (!(first > slack)) return;
    for (round = 0; round < KINI_MAX_PLANE_ROUNDS; round++) {
        kin_vec point = kini_madd(y, close->normal, -close->distance);
        if (kini_furthest_plane(sum, point, &axis, &side) <= slack * KINI_CLEARLY) return;
        if (close->count == 3) break;
        s = kini_dot(axis->along, y) - axis->middle;
        close->planes[close->count] = side < 0 ? kini_neg(axis->along) : axis->along;
        close->levels[close->count++] = (side < 0 ? -s : s) - axis->half;
        if (!(close->count == 2 ? kini_close_edge(close) : kini_close_corner(close))) break;
    }
    close->count = 0;
    close->normal = towards;
    close->distance = kini_sum_distance(sum, y, &close->normal);
    if (close->distance > first) return;
    close->distance = first;
    close->normal = towards;
}

/* Ways out, found while walking through the axes: for a point in a large sum they are not kept. */
typedef struct kini_way_search {
    const kini_sum *sum;
    kin_vec         y;
    float           radius;
    kini_way        ways[KINI_MAX_WAYS];
    int             count, capacity;
} kini_way_search;

static void kini_way_both(kini_way_search *search, const kini_axis *axis)
{
    float s = kini_dot(axis->along, search->y) - axis->middle, reach = axis->half + search->radius;
    search->count = kini_ways_add(search->ways, search->count, search->capacity, axis->along, reach - s);
    search->count = kini_ways_add(search->ways, search->count, search->capacity, kini_neg(axis->along), reach + s);
}

static bool kini_way_axis(void *context, kin_vec direction)
{
    kini_way_search *search = (kini_way_search *)context;
    kini_axis        axis;
    kini_sum_stretch(search->sum, kini_upward(direction), &axis);
    kini_way_both(search, &axis);
    return true;
}

/* Close to the core a face gives a better normal than the search, and inside there is no other. */
static void kini_close_large(const kini_obstacle *obstacle, kin_vec y, kini_close *close)
{
    kini_way_search search;
    float           slack = kini_blur(obstacle, y), best;
    close->count = 0;
    close->normal = y;
    close->distance = kini_sum_distance(obstacle->sum, y, &close->normal);
    if (close->distance > KINI_CLOSE * kini_largest(obstacle->half)) return;
    search.sum = obstacle->sum;
    search.y = y;
    search.radius = 0;
    search.count = 0;
    search.capacity = 1;
    kini_walk_axes(search.sum, kini_way_axis, &search);
    best = -search.ways[0].length;
    if (close->distance > best + 2 * slack && close->distance > 10 * slack) return;
    close->normal = search.ways[0].axis;
    close->distance = best;
}

/* Which end of a round body's core is nearer to a face's plane, and how far above it; the arm leads to its middle. */
static float kini_foot_over(const kini_sum *sum, kin_vec y, kin_vec *normal, kin_vec *foot, kin_vec *arm)
{
    kin_vec corner = sum->clouds[0].own[0];
    bool    below = kini_dot(sum->face, kini_sub(y, corner)) < 0;
    *normal = below ? kini_neg(sum->face) : sum->face;
    *arm = sum->arm_count > 0 ? kini_scale(sum->arms[0], sum->lengths[0]) : kini_vec_zero();
    if (kini_dot(*normal, *arm) < 0) *arm = kini_neg(*arm);
    *foot = kini_sub(y, *arm);
    return kini_dot(*normal, kini_sub(*foot, corner));
}

/* From a face to a round body whose core is on one side: to the nearer end, unless the core leads nearer still. */
static bool kini_close_face(const kini_sum *sum, kin_vec y, kini_close *close)
{
    const kin_vec *p = sum->clouds[0].own;
    kin_vec        foot, arm, to, best = kini_vec_zero();
    float          least = KINI_FLT_MAX;
    int            i;
    close->distance = kini_foot_over(sum, y, &close->normal, &foot, &arm);
    close->count = 1;
    if (!(close->distance > 0)) return false;
    for (i = 0; i < 3; i++) {
        kin_vec along = kini_own_edge(&sum->clouds[0], i);
        to = kini_sub(foot, p[i]);
        if (!(kini_dot(sum->sides[i], to) > 0)) continue;
        to = kini_madd(to, along, -kini_clamp(kini_dot(to, along) / kini_len2(along), 0, 1));
        if (kini_len2(to) < least) { least = kini_len2(to); best = to; }
    }
    if (!(least < KINI_FLT_MAX) || !(least > 0)) return true;   /* over the face, or on its edge */
    close->count = 0;
    close->distance = kini_sqrt(least);
    close->normal = kini_scale(best, 1 / close->distance);
    return kini_dot(best, arm) >= 0;
}

static void kini_close_to(const kini_obstacle *obstacle, kin_vec y, kini_close *close)
{
    bool round = !kini_is_zero(obstacle->sum->face);
    if (round && kini_close_face(obstacle->sum, y, close)) return;
    if (kini_sum_is_small(obstacle)) kini_close_small(obstacle, y, close);
    else kini_close_large(obstacle, y, close);
    if (round) close->count = 0;   /* kini_edge_advance may be too far away */
}

KINI_PART float kini_sum_gap(const kini_obstacle *obstacle, kin_vec x, kin_vec *normal)
{
    kini_close close;
    kini_close_to(obstacle, kini_sub(x, obstacle->centre), &close);
    *normal = close.normal;
    return close.distance - obstacle->radius;
}

/* ---- ray --------------------------------------------------------------------------------------------------------- */

/* When a ray is between all pairs of sides that it has been clipped to so far, and by which it came in. */
typedef struct kini_pass { float enter, leave; kin_vec normal; } kini_pass;

/* Clips a ray to the axes that are known so far, their sides moved out by the radius. False if it misses. Closer than
   `slack` to a side is on it. pass->enter stays negative if the ray starts between all sides. */
static bool kini_clip_axes(kini_pass *pass, const kini_obstacle *obstacle, kin_vec y, kin_vec v, float slack)
{
    const kini_axis *axis = obstacle->sum->axes, *end = axis + obstacle->sum->axis_count;
    bool             flat = false;
    pass->enter = -1;
    pass->leave = 2;
    for (; axis < end; axis++) {
        float speed = kini_dot(axis->along, v), side = speed < 0 ? 1.0f : -1.0f;
        float from = (kini_dot(axis->along, y) - axis->middle) * -side, reach = axis->half + obstacle->radius;
        float first = -reach - from, last = reach - from, t;
        speed *= -side;
        if (last <= slack || first > speed) return false;
        if (first > -slack) {
            if (!(speed > 0)) return false;
            t = kini_greater(first, 0) / speed;
            if (t > pass->enter) { pass->enter = t; pass->normal = kini_scale(axis->along, side); }
        }
        if (last <= speed) pass->leave = kini_lesser(pass->leave, last / speed);
        if (reach <= slack) flat = true;
    }
    return pass->enter < pass->leave || (flat && pass->enter <= pass->leave);   /* a plane is left as it is entered */
}

/* How much further to the rounding of the edge between two planes, negative: never. An area gives the discriminant, as
   B * B - A * C would cancel. A ray that leaves the edge for a face has touched before: this never goes too far. */
static float kini_edge_advance(const kini_close *close, kin_vec v, float radius)
{
    kin_vec n = close->planes[0], m = close->planes[1];
    float s = close->levels[0], t = close->levels[1], u = kini_dot(n, v), w = kini_dot(m, v);
    float cosine = kini_dot(n, m), sine = 1 - cosine * cosine, area = s * w - t * u;
    float a = u * u - 2 * cosine * u * w + w * w, b = s * u - cosine * (s * w + t * u) + t * w;
    float room = (a * radius * radius - area * area) * sine;
    if (!(b < 0) || !(room > 0)) return -1;
    return (close->distance - radius) * (close->distance + radius) * sine / (kini_sqrt(room) - b);
}

/* The distance along a ray is convex: Newton's steps never go past the first touch, and are exact on a face. */
static bool kini_advance(const kini_obstacle *obstacle, kin_vec y, kin_vec v, float slack, float *t, kin_vec *normal)
{
    float      radius = obstacle->radius;
    int        round;
    kini_close close;
    for (round = 0; round < KINI_MAX_ADVANCES; round++) {
        float gap, speed, step;
        kini_close_to(obstacle, kini_madd(y, v, *t), &close);
        *normal = close.normal;
        gap = close.distance - radius;
        if (gap < -slack && !(*t > 0)) return true;
        speed = -kini_dot(v, close.normal);
        if (!(speed > 0)) return false;
        if (gap <= slack) return true;
        step = close.count == 2 ? kini_edge_advance(&close, v, radius) : gap / speed;
        if (!(step >= 0) || !(*t + step <= 1)) return false;
        *t += step;
    }
    return true;
}

KINI_PART bool kini_sum_ray(const kini_obstacle *obstacle, kin_vec x, kin_vec travel, float *t, kin_vec *normal)
{
    const kini_sum *sum = obstacle->sum;
    kin_vec         y = kini_sub(x, obstacle->centre), foot, arm;
    float           slack = kini_blur(obstacle, y) + obstacle->radius * KINI_BLUR, room, speed;
    kini_pass       pass;
    kini_close      close;
    bool            round = !kini_is_zero(sum->face);
    int             i;
    *t = 0;
    if (round) {   /* most rays that miss a face miss its plane; no ray comes to the face before it comes there */
        room = kini_foot_over(sum, y, normal, &foot, &arm) - obstacle->radius;
        speed = -kini_dot(*normal, travel);
        if (room > slack && room > speed) return false;
        if (room > slack) {
            *t = room / speed;
            foot = kini_madd(foot, travel, *t);
            for (i = 0; i < 3 && !(kini_dot(sum->sides[i], kini_sub(foot, sum->clouds[0].own[i])) > 0); i++) {}
            if (i == 3) return true;
        }
    }
    if ((round && obstacle->radius > 0) || !kini_sum_is_small(obstacle))
        return kini_advance(obstacle, y, travel, slack, t, normal);
    if (!kini_clip_axes(&pass, obstacle, y, travel, slack)) return false;
    if (pass.enter > 0) *t = pass.enter;
    if (obstacle->radius > 0) return kini_advance(obstacle, y, travel, slack, t, normal);
    if (pass.enter < 0) {
        kini_close_small(obstacle, y, &close);
        pass.normal = close.normal;
    }
    *normal = pass.normal;
    return true;
}

KINI_PART int kini_sum_ways(const kini_obstacle *obstacle, kin_vec x, kini_way *ways, int capacity)
{
    const kini_sum *sum = obstacle->sum;
    kini_way_search search;
    kin_vec         normal;
    float           gap = kini_sum_gap(obstacle, x, &normal);
    int             i, k, count = 0;
    if (!(gap < 0)) return 0;
    kini_sum_is_small(obstacle);   /* finds the axes */
    search.sum = sum;
    search.y = kini_sub(x, obstacle->centre);
    search.radius = obstacle->radius;
    search.capacity = KINI_MAX_WAYS;
    search.count = kini_ways_add(search.ways, 0, KINI_MAX_WAYS, normal, -gap);
    for (i = 0; i < sum->axis_count; i++) kini_way_both(&search, &sum->axes[i]);
    if (sum->axis_count < 0) kini_walk_axes(sum, kini_way_axis, &search);
    for (i = 0; i < search.count && count < capacity; i++) {
        bool known = false;   /* of ways that are nearly the same only the shortest counts */
        for (k = 0; k < count; k++) known |= kini_dot(ways[k].axis, search.ways[i].axis) > KINI_SAME_WAY;
        if (!known) ways[count++] = search.ways[i];
    }
    return count;
}

#endif
