/* SPDX-License-Identifier: MIT OR Unlicense

   polygon2.c: a point against the sum of two convex polygons, rounded: the general obstacle in the plane.

   The sum of a piece and a reflected body has the sides of both, sorted by direction. All is closed form. What is on a
   side is worked out from both its ends alike, so a mirrored scene gives mirrored bits, and checked against them: the
   sides alone cannot tell where a needle ends. */
#include "shapes.h"

#if KINI_DIM == 2

/* ---- making the sum --------------------------------------------------------------------------------------------- */

/* A core, turned, around its own centre. A point has no sides, a segment two. */
typedef struct kini_outline { kin_vec points[KIN_MAX_POINTS], normals[KIN_MAX_POINTS]; int count; } kini_outline;

static void kini_outline_box(kini_outline *out, const kini_solid *solid, kin_rot turn)
{
    kin_vec x = kini_rotate(turn, kin_v(solid->half.x, 0)), y = kini_rotate(turn, kin_v(0, solid->half.y));
    kin_vec nx = kini_rotate(turn, kin_v(1, 0)), ny = kini_rotate(turn, kin_v(0, 1));
    int     i;
    out->count = (solid->half.x > 0 ? 2 : 1) * (solid->half.y > 0 ? 2 : 1);
    out->points[0] = kini_neg(kini_add(x, y));
    out->points[1] = out->count == 2 ? kini_add(x, y) : kini_sub(x, y);
    out->normals[0] = out->count == 2 && solid->half.y > 0 ? nx : kini_neg(ny);
    out->normals[1] = out->count == 2 ? kini_neg(out->normals[0]) : nx;
    for (i = 2; i < out->count; i++) {
        out->points[i] = kini_neg(out->points[i - 2]);
        out->normals[i] = kini_neg(out->normals[i - 2]);
    }
}

static void kini_outline_of(kini_outline *out, const kini_solid *solid, kin_rot turn)
{
    int i;
    if (solid->count == 0) { kini_outline_box(out, solid, turn); return; }
    out->count = solid->count;
    for (i = 0; i < solid->count; i++) {
        kin_vec from = solid->points[i], to = solid->points[i + 1 < solid->count ? i + 1 : 0];
        kin_vec normal = solid->hull ? solid->hull->normals[i] : kini_unit(kini_perp(kini_sub(from, to)));
        out->points[i] = kini_rotate(turn, kini_sub(from, solid->centre));
        out->normals[i] = kini_rotate(turn, normal);
    }
}

/* Orders directions counter-clockwise from straight down; nearly down counts as down, so that parallel sides meet. */
static bool kini_turns_before(kin_vec a, kin_vec b)
{
    bool a_down = a.y < 0 && kini_abs(a.x) <= KINI_ALONG, b_down = b.y < 0 && kini_abs(b.x) <= KINI_ALONG;
    bool a_late = a.x < 0 || (!(a.x > 0) && a.y > 0), b_late = b.x < 0 || (!(b.x > 0) && b.y > 0);
    if (a_down != b_down) return a_down;
    if (a_late != b_late && !a_down) return b_late;
    return kini_area(a, b) > 0;
}

static int kini_first_side(const kini_outline *outline)
{
    int i, first = 0;
    for (i = 1; i < outline->count; i++)
        if (kini_turns_before(outline->normals[i], outline->normals[first])) first = i;
    return first;
}

/* One walk around both outlines; the side that turns first is taken next, parallel ones at once. */
static void kini_merge_sides(kini_sum *sum, const kini_outline *a, const kini_outline *b)
{
    int i = kini_first_side(a), k = kini_first_side(b);
    int a_left = a->count > 1 ? a->count : 0, b_left = b->count > 1 ? b->count : 0;
    for (sum->count = 0; a_left + b_left > 0; sum->count++) {
        bool both = a_left > 0 && b_left > 0, take_a = a_left > 0, take_b = b_left > 0;
        if (both && !(kini_abs(kini_area(a->normals[i], b->normals[k])) <= KINI_ALONG &&
                      kini_dot(a->normals[i], b->normals[k]) > 0)) {
            take_a = kini_turns_before(a->normals[i], b->normals[k]);
            take_b = !take_a;
        }
        sum->points[sum->count] = kini_add(a->points[i], b->points[k]);
        sum->normals[sum->count] = take_a ? a->normals[i] : b->normals[k];
        if (take_a) { i = i + 1 < a->count ? i + 1 : 0; a_left--; }
        if (take_b) { k = k + 1 < b->count ? k + 1 : 0; b_left--; }
    }
}

static int kini_sum_next(const kini_sum *sum, int i) { return i + 1 < sum->count ? i + 1 : 0; }

KINI_PART void kini_sum_make(kini_sum *room, const kini_solid *piece, kin_rot piece_turn, const kini_solid *body,
                             kin_rot body_turn, kini_obstacle *out)
{
    kini_outline a, b;
    kin_vec      apart = kini_sub(kini_rotate(piece_turn, piece->centre), kini_rotate(body_turn, body->centre));
    kin_vec      lo, hi, middle;
    int          i;
    kini_outline_of(&a, piece, piece_turn);
    kini_outline_of(&b, body, kini_rot_scale(body_turn, -1));   /* half a turn reflects it */
    kini_merge_sides(room, &a, &b);
    kini_points_box(room->points, room->count, &lo, &hi);
    middle = kini_scale(kini_add(lo, hi), 0.5f);
    for (i = 0; i < room->count; i++) room->points[i] = kini_sub(room->points[i], middle);
    for (i = 0; i < room->count; i++)
        room->offsets[i] = kini_greater(kini_dot(room->normals[i], room->points[i]),
                                        kini_dot(room->normals[i], room->points[kini_sum_next(room, i)]));
    room->asked.kept = room->asked.known = false;
    out->centre = kini_add(apart, middle);
    out->half = kini_scale(kini_sub(hi, lo), 0.5f);
    out->radius = piece->radius + body->radius;
    out->sum = room;
}

/* ---- distance ---------------------------------------------------------------------------------------------------- */

/* The part of the core nearest to a point; corner is -1 if it is a side. */
typedef struct kini_nearest { float distance; kin_vec normal; int corner; } kini_nearest;

/* Is a point before its side, or past one of the ends? -1, or the number of the corner at that end. */
static int kini_past_end(const kini_sum *sum, int side, kin_vec p)
{
    kin_vec along = kini_perp(sum->normals[side]);
    int     next = kini_sum_next(sum, side);
    if (kini_dot(along, kini_sub(p, sum->points[side])) < 0) return side;
    if (kini_dot(along, kini_sub(p, sum->points[next])) > 0) return next;
    return -1;
}

/* Breaks ties between sides, the same way in a mirrored scene. */
static bool kini_more_upwards(kin_vec a, kin_vec b)
{
    return a.y > b.y || (!(a.y < b.y) && kini_abs(a.x) < kini_abs(b.x));
}

/* The side whose line is furthest towards p; of equal ones that which faces up more. */
static int kini_facing_side(const kini_sum *sum, kin_vec p, float *most)
{
    int i, best = 0;
    *most = kini_dot(sum->normals[0], p) - sum->offsets[0];
    for (i = 1; i < sum->count; i++) {
        float s = kini_dot(sum->normals[i], p) - sum->offsets[i];
        if (s < *most || (!(s > *most) && !kini_more_upwards(sum->normals[i], sum->normals[best]))) continue;
        *most = s;
        best = i;
    }
    return best;
}

static kin_vec kini_normal_before(const kini_sum *sum, int corner)
{
    return sum->normals[corner > 0 ? corner - 1 : sum->count - 1];
}

/* The direction away from a corner, kept between the normals of its sides: near the corner it is mostly rounding. */
static kin_vec kini_corner_normal(const kini_sum *sum, int corner, kin_vec away)
{
    kin_vec before = kini_normal_before(sum, corner), after = sum->normals[corner];
    if (!(kini_largest(kini_magnitudes(away)) > KINI_NOWHERE))
        return kini_more_upwards(before, after) ? before : after;
    away = kini_unit(away);
    if (kini_area(before, away) < 0 && kini_area(away, after) < 0)
        return kini_dot(before, away) < kini_dot(after, away) ? after : before;
    if (kini_area(before, away) < 0) return before;
    return kini_area(away, after) < 0 ? after : away;
}

/* From a side that p is beyond, goes from side to side while p is past the end and not before the next one's start.
   Returns the corner at which that ends, or -1 and the side that p is straight before. */
static int kini_walk(const kini_sum *sum, int *side, kin_vec p)
{
    int i, step, corner = kini_past_end(sum, *side, p);
    if (corner < 0) return -1;
    step = corner == *side ? sum->count - 1 : 1;
    for (i = 0; i < sum->count; i++) {
        int next = (*side + step) % sum->count, other = kini_past_end(sum, next, p);
        if (other == corner) return corner;
        *side = next;
        if (other < 0) return -1;
        corner = other;
    }
    return corner;
}

/* p is relative to the obstacle's centre. */
static kini_nearest kini_nearest_to(const kini_obstacle *o, kin_vec p)
{
    const kini_sum *sum = o->sum;
    float           blur = kini_blur(o, p), distance;
    int             side;
    kini_nearest    out;
    side = kini_facing_side(sum, p, &out.distance);
    out.normal = sum->normals[side];
    out.corner = -1;
    if (out.distance < -blur) return out;
    out.corner = kini_walk(sum, &side, p);
    if (out.corner >= 0) {
        kin_vec away = kini_sub(p, sum->points[out.corner]);
        distance = kini_len(away);
        if (out.distance > 0 || distance > 2 * blur) {
            out.distance = distance;
            out.normal = kini_corner_normal(sum, out.corner, away);
            return out;
        }
    } else if (out.distance > 0) {
        out.distance = kini_dot(sum->normals[side], p) - sum->offsets[side];
        out.normal = sum->normals[side];
    }
    out.corner = -1;
    return out;
}

KINI_PART float kini_sum_gap(const kini_obstacle *obstacle, kin_vec x, kin_vec *normal)
{
    kini_nearest nearest = kini_nearest_to(obstacle, kini_sub(x, obstacle->centre));
    *normal = nearest.normal;
    return nearest.distance - obstacle->radius;
}

KINI_PART float kini_sum_extent(const kini_sum *sum, kin_vec direction)
{
    return kini_dot(kini_furthest_point(sum->points, sum->count, direction), direction);
}

/* ---- ray --------------------------------------------------------------------------------------------------------- */

/* The line of a ray, with its direction divided by its largest part, so that no square overflows or vanishes. */
typedef struct kini_line { kin_vec p, v; float scale, size; } kini_line;   /* size: of v, squared */

static kini_line kini_line_of(kin_vec p, kin_vec travel)
{
    kini_line line;
    line.p = p;
    line.scale = kini_largest(kini_magnitudes(travel));
    line.v.x = travel.x / line.scale;
    line.v.y = travel.y / line.scale;
    line.size = kini_len2(line.v);
    return line;
}

static float kini_time_at(const kini_line *line, kin_vec a)
{
    return kini_dot(line->v, kini_sub(a, line->p)) / line->size;
}

/* Does a side with this normal face the line? A side along the line does not, whatever rounding makes of it. */
static bool kini_faces(kin_vec normal, const kini_line *line) { return kini_dot(normal, line->v) < -KINI_ALONG; }

/* A sharp corner takes the normal of the side that faces the line; of both, that nearer to `like`, then further up. */
static kin_vec kini_sharp_normal(const kini_sum *sum, int corner, const kini_line *line, kin_vec like)
{
    kin_vec before = kini_normal_before(sum, corner), after = sum->normals[corner];
    float   nearer = kini_dot(before, like) - kini_dot(after, like);
    if (!kini_faces(before, line) && !kini_faces(after, line)) return kini_unit(kini_neg(line->v));
    if (!kini_faces(before, line)) return after;
    if (!kini_faces(after, line)) return before;
    if (nearer > 0 || nearer < 0) return nearer > 0 ? before : after;
    return kini_more_upwards(before, after) ? before : after;
}

static bool kini_met_before(const kini_sum *sum, const kini_line *line, int a, int b)
{
    float   first = kini_time_at(line, sum->points[a]), second = kini_time_at(line, sum->points[b]);
    kin_vec none = kini_vec_zero();
    if (first < second || second < first) return first < second;
    return kini_more_upwards(kini_sharp_normal(sum, a, line, none), kini_sharp_normal(sum, b, line, none));
}

/* When the line comes to the circle around a corner; negative: never, or behind the start. The area gives the
   discriminant, as b * b - a * c would cancel. Between two sides that face it, it cannot miss, even if it seems so. */
static float kini_corner_time(const kini_obstacle *o, int corner, const kini_line *line, kin_vec *normal)
{
    kin_vec e = kini_sub(line->p, o->sum->points[corner]);
    float   area = kini_area(e, line->v), b = kini_dot(e, line->v), c = kini_len2(e) - o->radius * o->radius, time;
    float   whole = line->size * o->radius * o->radius, root = whole - area * area;
    kin_vec before = kini_normal_before(o->sum, corner), after = o->sum->normals[corner];
    bool    between = kini_faces(before, line) && kini_faces(after, line);
    if (!(b < 0) || (!between && !(root > whole * KINI_BRUSH))) return -1;
    time = c > 0 ? c / (kini_sqrt(kini_greater(root, 0)) - b) : 0;
    *normal = kini_corner_normal(o->sum, corner, kini_madd(e, line->v, time));
    if (!(kini_dot(*normal, line->v) < 0)) *normal = kini_sharp_normal(o->sum, corner, line, *normal);
    return time;
}

/* When the line comes to a side: by its distance, exact if flush, but within the ends where it nearly runs along. */
static float kini_side_time(const kini_obstacle *o, int side, const kini_line *line)
{
    kin_vec n = o->sum->normals[side];
    float   from = kini_time_at(line, kini_madd(o->sum->points[side], n, o->radius));
    float   to = kini_time_at(line, kini_madd(o->sum->points[kini_sum_next(o->sum, side)], n, o->radius));
    float   time = (kini_dot(n, line->p) - o->sum->offsets[side] - o->radius) / -kini_dot(n, line->v);
    return kini_clamp(time, kini_lesser(from, to), kini_greater(from, to));
}

/* How far left of the line a corner is: one number for both its sides, so the line cannot slip between them. */
static float kini_left_of(const kini_sum *sum, int corner, const kini_line *line)
{
    return kini_area(line->v, kini_sub(sum->points[corner], line->p));
}

static bool kini_comes_in(const kini_obstacle *o, int side, const kini_line *line)
{
    float shift = kini_area(line->v, o->sum->normals[side]) * o->radius;
    return kini_faces(o->sum->normals[side], line) && kini_left_of(o->sum, side, line) + shift > 0 &&
           kini_left_of(o->sum, kini_sum_next(o->sum, side), line) + shift < 0;
}

/* When the line comes in, by a side that faces it, likely this one, or else a corner; negative: never, or behind the
   start. */
static float kini_line_time(const kini_obstacle *o, const kini_line *line, int side, kin_vec *normal)
{
    const kini_sum *sum = o->sum;
    float           left[2 * KIN_MAX_POINTS], most = -KINI_FLT_MAX, least = KINI_FLT_MAX, rounding = 0, shift, shifted;
    int             i, corner = -1, before = sum->count - 1;
    bool            faces, faced;
    if (side >= 0 && !kini_comes_in(o, side, line)) side = -1;
    for (i = 0; i < sum->count && side < 0; i++)
        if (kini_comes_in(o, i, line)) side = i;
    if (side >= 0) {
        *normal = sum->normals[side];
        return kini_side_time(o, side, line);
    }
    for (i = 0; i < sum->count; i++) {
        left[i] = kini_left_of(sum, i, line);
        most = kini_greater(most, left[i]);
        least = kini_lesser(least, left[i]);
    }
    if (o->radius > 0) rounding = o->radius * kini_sqrt(line->size);
    if (!(most + rounding > 0) || !(least - rounding < 0)) return -1;
    faced = kini_faces(sum->normals[before], line);
    shifted = kini_area(line->v, sum->normals[before]) * o->radius;
    for (i = 0; i < sum->count; i++, faced = faces, shifted = shift) {
        faces = kini_faces(sum->normals[i], line);
        shift = kini_area(line->v, sum->normals[i]) * o->radius;
        if (!faced && !faces) continue;
        if ((faced && left[i] + shifted < 0) || (faces && left[i] + shift > 0)) continue;
        if (corner < 0 || kini_met_before(sum, line, i, corner)) corner = i;
    }
    if (corner < 0) return -1;
    if (o->radius > 0) return kini_corner_time(o, corner, line, normal);
    *normal = kini_sharp_normal(sum, corner, line, kini_vec_zero());
    return kini_time_at(line, sum->points[corner]);
}

/* Does the ray come through every side (moved out by the radius) that it starts before, if any? One of them, or -1. */
static bool kini_may_touch(const kini_obstacle *o, kin_vec p, kin_vec v, int *outside)
{
    float parallel = kini_largest(kini_magnitudes(v)) * KINI_ALONG;
    int   i;
    *outside = -1;
    for (i = 0; i < o->sum->count; i++) {
        float s = kini_dot(o->sum->normals[i], p) - o->sum->offsets[i] - o->radius, w;
        if (s < 0) continue;
        w = kini_dot(o->sum->normals[i], v);
        if (!(w < -parallel) || s > -w) return false;
        *outside = i;
    }
    return true;
}

/* A ray that starts inside or on the surface; before a side, if its line comes in behind the start or brushes past. */
static bool kini_ray_at_start(const kini_obstacle *o, kin_vec p, kin_vec v, bool outside, float *t, kin_vec *normal)
{
    kini_nearest nearest = kini_nearest_to(o, p);
    kini_line    line;
    float        time;
    bool         into = kini_dot(v, nearest.normal) < 0;
    *t = 0;
    *normal = nearest.normal;
    if (outside) return nearest.distance - o->radius <= kini_blur(o, p) && into;
    if (nearest.distance < o->radius) return true;
    if (!into || nearest.corner < 0) return into;
    line = kini_line_of(p, v);
    time = kini_corner_time(o, nearest.corner, &line, normal);
    *t = time / line.scale;
    return time >= 0 && time <= line.scale;
}

KINI_PART bool kini_sum_ray(const kini_obstacle *obstacle, kin_vec x, kin_vec travel, float *t, kin_vec *normal)
{
    kin_vec   p = kini_sub(x, obstacle->centre);
    kini_line line;
    float     time;
    int       outside;
    if (!kini_may_touch(obstacle, p, travel, &outside)) return false;
    if (outside < 0) return kini_ray_at_start(obstacle, p, travel, false, t, normal);
    line = kini_line_of(p, travel);
    time = kini_line_time(obstacle, &line, outside, normal);
    if (time < 0) return kini_ray_at_start(obstacle, p, travel, true, t, normal);
    *t = time / line.scale;
    return time <= line.scale;
}

KINI_PART int kini_sum_ways(const kini_obstacle *obstacle, kin_vec x, kini_way *ways, int capacity)
{
    const kini_sum *sum = obstacle->sum;
    kin_vec         p = kini_sub(x, obstacle->centre);
    kini_nearest    nearest = kini_nearest_to(obstacle, p);
    int             i, count = 0;
    if (!(nearest.distance < obstacle->radius)) return 0;
    for (i = 0; i < sum->count; i++) {
        float s = kini_dot(sum->normals[i], p) - sum->offsets[i];
        count = kini_ways_add(ways, count, capacity, sum->normals[i], obstacle->radius - s);
        if (sum->count > 2) continue;
        /* A segment has no sides at its ends. */
        s = kini_dot(kini_perp(sum->normals[i]), kini_sub(p, sum->points[1 - i]));
        count = kini_ways_add(ways, count, capacity, kini_perp(sum->normals[i]), obstacle->radius - s);
    }
    if (nearest.corner >= 0 && nearest.distance > 0)
        count = kini_ways_add(ways, count, capacity, nearest.normal, obstacle->radius - nearest.distance);
    return count;
}

#endif
