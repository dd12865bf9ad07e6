/* SPDX-License-Identifier: MIT OR Unlicense

   obstacle.c: a point against a rounded box, closed form in both dimensions.

   Grown by a body's shape, a piece becomes an obstacle and the body a point. If both cores are boxes along the axes
   (those of balls and upright capsules are) so is the obstacle's, rounded by the sum of both radii. Others go to the
   general case (polygon2.c, polytope3.c). Ties go to the y axis, so that a corner counts as floor, not as wall. */
#include "shapes.h"

static kin_vec kini_core_centre(const kini_solid *solid, kin_rot turn)
{
    return kini_is_unturned(turn) ? solid->centre : kini_rotate(turn, solid->centre);
}

KINI_PART void kini_obstacle_make(kini_obstacle *out, kini_sum *room, const kini_solid *piece, kin_pose at,
                                  const kini_solid *body, kin_rot body_turn)
{
    kin_vec piece_half, body_half;
    if (!kini_solid_is_box(piece, at.q, &piece_half) || !kini_solid_is_box(body, body_turn, &body_half)) {
        kini_sum_make(room, piece, at.q, body, body_turn, out);
        out->centre = kini_add(at.p, out->centre);
        return;
    }
    out->centre = kini_add(at.p, kini_sub(kini_core_centre(piece, at.q), kini_core_centre(body, body_turn)));
    out->half = kini_add(piece_half, body_half);
    out->radius = piece->radius + body->radius;
    out->sum = NULL;
}

KINI_PART void kini_obstacle_again(const kin_world *world, kini_obstacle *out, int place, const kini_solid *piece,
                                   kin_pose at, const kini_solid *body, kin_rot body_turn)
{
    kini_known  now, *known = &world->known.at[place];
    kini_sum   *room = &world->sums.at[place];
    if (place >= KINI_MOST_KNOWN || piece->count > 0 || body->count > 0) {
        kini_obstacle_make(out, room, piece, at, body, body_turn);
        return;
    }
    now.centres[0] = piece->centre; now.halves[0] = piece->half; now.turns[0] = at.q;
    now.centres[1] = body->centre; now.halves[1] = body->half; now.turns[1] = body_turn;
    if (!room->asked.kept || !kini_same_bytes(&now, known, KINI_KNOWN_BYTES)) {
        kini_obstacle_make(&now.obstacle, room, piece, kini_pose(kini_vec_zero(), at.q), body, body_turn);
        if (now.obstacle.sum) { *known = now; room->asked.kept = true; }
    } else now.obstacle = known->obstacle;
    *out = now.obstacle;
    out->centre = kini_add(at.p, out->centre);
    out->radius = piece->radius + body->radius;
    if (out->sum) { out->sum = room; room->asked.known = false; }
}

static kin_vec kini_axis_vec(int axis, float s) { return kini_with(kini_vec_zero(), axis, s); }

/* ---- distance ---------------------------------------------------------------------------------------------------- */

/* d is the point as seen from the centre. Beyond one side only, or inside, the nearest surface is a side. */
static float kini_box_gap(const kini_obstacle *box, kin_vec d, kin_vec *normal)
{
    kin_vec q = kini_sub(kini_magnitudes(d), box->half), out = kini_upper(q, kini_vec_zero());
    float   most = q.y, size = kini_len2(out);
    int     i, axis = 1;
    for (i = 0; i < KINI_DIM; i++)
        if (kini_at(q, i) > most) { most = kini_at(q, i); axis = i; }
    if (!(most > 0) || !(size > most * most)) {
        *normal = kini_axis_vec(axis, kini_at(d, axis) < 0 ? -1.0f : 1.0f);
        return most - box->radius;
    }
    size = kini_sqrt(size);
    for (i = 0; i < KINI_DIM; i++) out = kini_with(out, i, kini_at(out, i) / (kini_at(d, i) < 0 ? -size : size));
    *normal = out;
    return size - box->radius;
}

KINI_PART float kini_obstacle_gap(const kini_obstacle *obstacle, kin_vec x, kin_vec *normal)
{
    kini_gap_known *asked = obstacle->sum ? &obstacle->sum->asked : NULL;
    if (!asked) return kini_box_gap(obstacle, kini_sub(x, obstacle->centre), normal);
    if (!asked->known || !kini_is_zero(kini_sub(x, asked->x))) {
        asked->gap = kini_sum_gap(obstacle, x, &asked->normal);
        asked->x = x;
        asked->known = true;
        asked->covered = 0;
    }
    *normal = asked->normal;
    return asked->gap;
}

KINI_PART float kini_obstacle_extent(const kini_obstacle *obstacle, kin_vec direction)
{
    float core = obstacle->sum ? kini_sum_extent(obstacle->sum, direction)
                 : kini_dot(obstacle->half, kini_magnitudes(direction));
    return kini_dot(obstacle->centre, direction) + core + obstacle->radius;
}

KINI_PART kin_vec kini_closest_on(const kini_solid *piece, kin_pose at, kin_vec point, kin_vec out)
{
    kini_solid    dot;
    kini_obstacle obstacle;
    kini_sum      room;
    kin_vec       normal, x;
    float         gap;
    kini_clear(&dot, sizeof dot);
    at.p = kini_sub(at.p, point);
    kini_obstacle_make(&obstacle, &room, piece, at, &dot, kini_unturned());
    x = kini_scale(out, kini_greater(kini_obstacle_extent(&obstacle, out), 0));
    gap = kini_obstacle_gap(&obstacle, x, &normal);
    return kini_add(point, kini_madd(x, normal, -gap));
}

/* ---- ray --------------------------------------------------------------------------------------------------------- */

/* When a ray is between all pairs of sides so far; axis is the one it entered by last, -1 while it starts inside. */
typedef struct kini_span { float enter, leave; int axis; } kini_span;

/* Clips to one pair of sides, at h on both sides of the centre; false if the ray misses. Divides only if needed. */
static inline bool kini_span_axis(kini_span *span, float d, float h, float v, int axis)
{
    float a = v < 0 ? -v : v, from = v < 0 ? -d : d, first = -h - from, last = h - from, t;
    if (!(last > 0) || first > a) return false;
    if (!(first < 0)) {
        if (!(a > 0)) return false;
        t = first / a;
        if (t > span->enter) { span->enter = t; span->axis = axis; }
    }
    if (!(last > a)) {
        t = last / a;
        if (t < span->leave) span->leave = t;
    }
    return true;
}

static inline bool kini_span_box(kini_span *span, kin_vec d, kin_vec half, float radius, kin_vec v)
{
    span->enter = -1;
    span->leave = 2;
    span->axis = -1;
    if (!kini_span_axis(span, d.y, half.y + radius, v.y, 1)) return false;
    if (!kini_span_axis(span, d.x, half.x + radius, v.x, 0)) return false;
#if KINI_DIM == 3
    if (!kini_span_axis(span, d.z, half.z + radius, v.z, 2)) return false;
#endif
    /* A flat box is left as it is entered. */
    return span->enter < span->leave || (span->enter <= span->leave && !(kini_smallest(half) + radius > 0));
}

/* One axis of the ray against the core, seen along the travel: before the core, beside it, or past it. */
typedef struct kini_lane { float speed, first, last; int phase; } kini_lane;
enum { KINI_BEFORE, KINI_BESIDE, KINI_PAST };

static float kini_lane_offset(const kini_lane *lane)
{
    return lane->phase == KINI_BEFORE ? -lane->first : lane->phase == KINI_PAST ? -lane->last : 0;
}

static float kini_lane_change(const kini_lane *lane)
{
    if (lane->phase == KINI_PAST || !(lane->speed > 0)) return KINI_FLT_MAX;
    return (lane->phase == KINI_BEFORE ? lane->first : lane->last) / lane->speed;
}

/* While no phase changes, the squared distance to the core is a quadratic in time. Where does it fall to r * r, at
   `now` or later? Negative: it no longer falls; KINI_FLT_MAX: nowhere. Of areas: B * B - A * C would cancel. */
static float kini_lanes_root(const kini_lane *lanes, float r, float now)
{
    float a = 0, b = 0, c = -r * r, areas = 0;
    int   i, k;
    for (i = 0; i < KINI_DIM; i++) {
        float e = kini_lane_offset(&lanes[i]), speed = lanes[i].phase == KINI_BESIDE ? 0 : lanes[i].speed;
        a += speed * speed;
        b += speed * e;
        c += e * e;
        for (k = 0; k < i; k++) {
            float other = lanes[k].phase == KINI_BESIDE ? 0 : lanes[k].speed;
            float area = e * other - kini_lane_offset(&lanes[k]) * speed;
            areas += area * area;
        }
    }
    if (!(a > 0) && c < 0) return now;
    if (!(b + a * now < 0)) return -1;
    if (!(a * r * r > areas)) return KINI_FLT_MAX;
    return kini_greater(c / (kini_sqrt(a * r * r - areas) - b), now);
}

/* From far away a small rounding is lost in the coordinates: then the side that the ray runs against most. */
static kin_vec kini_lanes_normal(const kini_lane *lanes, kin_vec v, float time, float radius)
{
    kin_vec n = kini_vec_zero();
    int     i, axis = 0;
    for (i = 0; i < KINI_DIM; i++) {
        float e = kini_lane_offset(&lanes[i]) + lanes[i].speed * time;
        e = lanes[i].phase == KINI_BEFORE ? kini_lesser(e, 0) : lanes[i].phase == KINI_PAST ? kini_greater(e, 0) : 0;
        n = kini_with(n, i, kini_at(v, i) < 0 ? -e : e);
    }
    /* The second is a tangent. */
    if (kini_dot(n, v) < 0 || kini_len2(n) > 0.25f * radius * radius) return kini_unit(n);
    for (i = 1; i < KINI_DIM; i++) if (lanes[i].speed > lanes[axis].speed) axis = i;
    return kini_axis_vec(axis, kini_at(v, axis) < 0 ? 1.0f : -1.0f);
}

/* Walks from one change of phase to the next, at most two on each axis. Times are t * scale: no square overflows. */
static bool kini_rounded_ray(const kini_obstacle *box, kin_vec d, kin_vec v, float *t, kin_vec *normal)
{
    kini_lane lanes[KINI_DIM];
    float     scale = kini_largest(kini_magnitudes(v)), now = 0;
    int       i, step;
    if (!(scale > 0)) return false;
    for (i = 0; i < KINI_DIM; i++) {
        float s = kini_at(v, i), from = s < 0 ? -kini_at(d, i) : kini_at(d, i), h = kini_at(box->half, i);
        lanes[i].speed = kini_abs(s) / scale;
        lanes[i].first = -h - from;
        lanes[i].last = h - from;
        lanes[i].phase = lanes[i].first > 0 ? KINI_BEFORE : lanes[i].last < 0 ? KINI_PAST : KINI_BESIDE;
    }
    for (step = 0; step <= 2 * KINI_DIM && now <= scale; step++) {
        float next = KINI_FLT_MAX, root = kini_lanes_root(lanes, box->radius, now);
        if (root < 0) return false;
        for (i = 0; i < KINI_DIM; i++) next = kini_lesser(next, kini_lane_change(&lanes[i]));
        if (root <= next) {
            if (root > scale) return false;
            *t = root / scale;
            *normal = kini_lanes_normal(lanes, v, root, box->radius);
            return kini_dot(*normal, v) < 0;
        }
        for (i = 0; i < KINI_DIM; i++) if (!(kini_lane_change(&lanes[i]) > next)) lanes[i].phase++;
        now = next;
    }
    return false;
}

KINI_PART bool kini_obstacle_ray(const kini_obstacle *obstacle, kin_vec x, kin_vec travel, float *t, kin_vec *normal)
{
    kin_vec   d = kini_sub(x, obstacle->centre);
    kini_span span;
    if (!kini_span_box(&span, d, obstacle->half, obstacle->radius, travel)) return false;
    if (obstacle->sum) return kini_sum_ray(obstacle, x, travel, t, normal);
    if (span.axis >= 0) {
        kin_vec q = kini_sub(kini_magnitudes(kini_madd(d, travel, span.enter)), obstacle->half);
        float   off = kini_largest(kini_magnitudes(d)) * KINI_ROUNDED_OFF;   /* of a flat side, or at the rounding? */
        if (obstacle->radius > 0 && kini_largest(kini_with(q, span.axis, 0)) > off)
            return kini_rounded_ray(obstacle, d, travel, t, normal);
        *t = span.enter;
        *normal = kini_axis_vec(span.axis, kini_at(travel, span.axis) < 0 ? 1.0f : -1.0f);
        return true;
    }
    *t = 0;
    if (kini_box_gap(obstacle, d, normal) < 0) return true;
    return kini_rounded_ray(obstacle, d, travel, t, normal);
}

/* ---- ways out ---------------------------------------------------------------------------------------------------- */

/* The shorter first; of equal ones that which goes more upwards, then by the other axes. */
static bool kini_way_before(kini_way a, kini_way b)
{
    int i;
    if (a.length < b.length || b.length < a.length) return a.length < b.length;
    if (a.axis.y < b.axis.y || b.axis.y < a.axis.y) return a.axis.y > b.axis.y;
    for (i = 0; i < KINI_DIM; i++) {
        float p = kini_at(a.axis, i), q = kini_at(b.axis, i);
        if (p < q || q < p) return p > q;
    }
    return false;
}

KINI_PART int kini_ways_add(kini_way *ways, int count, int capacity, kin_vec axis, float length)
{
    kini_way way;
    int      i;
    way.axis = axis;
    way.length = length;
    for (i = count; i > 0 && kini_way_before(way, ways[i - 1]); i--)
        if (i < capacity) ways[i] = ways[i - 1];
    if (i < capacity) ways[i] = way;
    return count < capacity ? count + 1 : count;
}

KINI_PART int kini_obstacle_ways(const kini_obstacle *obstacle, kin_vec x, kini_way *ways, int capacity)
{
    kin_vec d = kini_sub(x, obstacle->centre), normal;
    float   gap;
    int     axis, count = 0;
    if (obstacle->sum) return kini_sum_ways(obstacle, x, ways, capacity);
    gap = kini_box_gap(obstacle, d, &normal);
    if (!(gap < 0)) return 0;
    for (axis = 0; axis < KINI_DIM; axis++) {
        float size = kini_at(obstacle->half, axis) + obstacle->radius, at = kini_at(d, axis);
        count = kini_ways_add(ways, count, capacity, kini_axis_vec(axis, 1), size - at);
        count = kini_ways_add(ways, count, capacity, kini_axis_vec(axis, -1), size + at);
    }
    if (kini_largest(kini_magnitudes(normal)) < 1) count = kini_ways_add(ways, count, capacity, normal, -gap);
    return count;
}
