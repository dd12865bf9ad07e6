/* SPDX-License-Identifier: MIT OR Unlicense

   The narrow phase in the plane against a slow method in double precision that knows nothing of sums: separating axes
   and every corner against every side of the two shapes as given. KIN_PAIRS in the environment sets the number of
   pairs (1,000,000). The same for space is in its own file. */
#define KINEMATIC_IMPLEMENTATION
#include "kinematic.h"
#include "utest.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

UTEST_MAIN()

#if KINEMATIC_DIM == 2

/* ---- chance ------------------------------------------------------------------------------------------------------------ */

static uint64_t chance_state = 88172645463325252u;

static uint32_t chance(void)
{
    chance_state ^= chance_state << 13;
    chance_state ^= chance_state >> 7;
    chance_state ^= chance_state << 17;
    return (uint32_t)(chance_state >> 32);
}
static double unit_chance(void) { return (double)chance() / 4294967296.0; }
static double between(double lo, double hi) { return lo + (hi - lo) * unit_chance(); }
static int    pick(int n) { return (int)(chance() % (uint32_t)n); }

/* ---- the slow method --------------------------------------------------------------------------------------------- */

typedef struct vec { double x, y; } vec;
typedef struct poly { vec at[8]; int count; double radius; } poly;

static vec    v2(double x, double y) { vec r; r.x = x; r.y = y; return r; }
static vec    plus(vec a, vec b) { return v2(a.x + b.x, a.y + b.y); }
static vec    minus(vec a, vec b) { return v2(a.x - b.x, a.y - b.y); }
static vec    times(vec a, double s) { return v2(a.x * s, a.y * s); }
static double dot(vec a, vec b) { return a.x * b.x + a.y * b.y; }
static double length(vec a) { return sqrt(dot(a, a)); }

static poly placed(const kin_shape *shape, kin_rot q, vec at)
{
    poly out;
    int  i;
    out.count = shape->count;
    out.radius = (double)shape->radius;
    for (i = 0; i < shape->count; i++) {
        double x = (double)shape->points[i].x, y = (double)shape->points[i].y;
        out.at[i] = v2(at.x + (double)q.c * x - (double)q.s * y, at.y + (double)q.s * x + (double)q.c * y);
    }
    return out;
}

static double from_segment(vec p, vec a, vec b)
{
    vec    e = minus(b, a), d = minus(p, a);
    double size = dot(e, e), t = size > 0 ? dot(d, e) / size : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    return length(minus(d, times(e, t)));
}

static double corners_to_sides(const poly *a, const poly *b)
{
    double least = 1e300;
    int    i, k;
    for (i = 0; i < a->count; i++)
        for (k = 0; k < b->count; k++)
            least = fmin(least, from_segment(a->at[i], b->at[k], b->at[(k + 1) % b->count]));
    return least;
}

/* How far b lies beyond a along n. */
static double apart(const poly *a, const poly *b, vec n)
{
    double far_a = -1e300, near_b = 1e300;
    int    i;
    for (i = 0; i < a->count; i++) far_a = fmax(far_a, dot(a->at[i], n));
    for (i = 0; i < b->count; i++) near_b = fmin(near_b, dot(b->at[i], n));
    return near_b - far_a;
}

static double most_apart(const poly *a, const poly *b, const poly *sides, double most)
{
    int i;
    for (i = 0; i < sides->count && sides->count > 1; i++) {
        vec    e = minus(sides->at[(i + 1) % sides->count], sides->at[i]);
        double size = length(e);
        vec    n = v2(e.y / size, -e.x / size);
        if (!(size > 0)) continue;
        most = fmax(most, fmax(apart(a, b, n), apart(a, b, times(n, -1))));
        if (sides->count == 2) most = fmax(most, fmax(apart(a, b, times(e, 1 / size)), apart(a, b, times(e, -1 / size))));
        if (most > 0) break;
    }
    return most;
}

static double slow_gap(const poly *a, const poly *b)
{
    double most = most_apart(a, b, a, -1e300);
    if (most <= 0) most = most_apart(a, b, b, most);
    if (a->count == 1 && b->count == 1) most = 1;
    if (most < 0) return most - a->radius - b->radius;
    return fmin(corners_to_sides(a, b), corners_to_sides(b, a)) - a->radius - b->radius;
}

/* ---- random scenes ------------------------------------------------------------------------------------------------ */

typedef struct side {
    kin_shape  shape;
    kini_solid solid;
    kini_hull  room;
    kin_rot    q;
} side;

typedef struct scene {
    side    a, b;
    kin_vec at, x, travel;
    int     kinds[2], place;
} scene;

enum { BALL, CAPSULE, BOX, TRIANGLE, HULL, ROUND_HULL, ROUND_BOX, LEANING_CAPSULE, NEEDLE, KINDS };
enum { FAR_OFF, NEAR_BY, TOUCHING, FACE_TO_FACE, OVERLAPPING, CENTRED, ON_GRID, PLACES };

static kin_vec kv(double x, double y) { return kin_v((float)x, (float)y); }

static kin_shape random_hull(double size, int count, double flatness, float radius)
{
    kin_vec points[8];
    int     i;
    for (i = 0; i < count; i++) points[i] = kv(between(-size, size), between(-size, size) * flatness);
    return kin_hull(points, count, radius);
}

static kin_shape random_shape(int kind, double size)
{
    float   r = (float)(size * between(0.05, 1));
    kin_vec half = kv(size * between(0.05, 1), size * between(0.05, 1)), box[4];
    int     i;
    switch (kind) {
    case BALL: return kin_ball(r);
    case CAPSULE: return kin_capsule(2 * r + (float)(pick(8) ? between(0, size) : 0), r);
    case BOX: return kin_box(kini_scale(half, 2));
    case TRIANGLE: return random_hull(size, 3, 1, 0);
    case HULL: return random_hull(size, 3 + pick(6), 1, 0);
    case ROUND_HULL: return random_hull(size, 1 + pick(8), 1, r);
    case LEANING_CAPSULE: return random_hull(size, 2, 1, r);
    case NEEDLE: return random_hull(size, 3, between(1e-5, 0.05), 0);
    default: break;
    }
    for (i = 0; i < 4; i++) {
        box[i].x = (i & 1 ? half.x : -half.x) + half.y / 2;
        box[i].y = i & 2 ? half.y : -half.y;
    }
    return kin_hull(box, 4, r);
}

static bool random_side(side *out, int kind, double size)
{
    out->shape = random_shape(kind, size);
    switch (pick(6)) {
    case 0: case 1: case 2: out->q = kini_unturned(); break;
    case 3: out->q = kin_turn((float)(pick(8) - 4) * KINI_PI / 4); break;
    case 4: out->q = kin_turn((float)between(-1e-3, 1e-3)); break;
    default: out->q = kin_turn((float)between(-3.2, 3.2)); break;
    }
    return out->shape.count > 0 && !kini_shape_solid(&out->shape, &out->solid, &out->room);
}

static double random_size(void)
{
    static const double sizes[] = { 1e-3, 1e-2, 0.1, 1, 1, 1, 1, 10, 100, 1e4 };
    return sizes[pick(10)] * between(0.5, 2);
}

/* The direction of a side of the piece, or any. */
static vec random_direction(const scene *s, bool face)
{
    double angle = between(-3.15, 3.15);
    poly   a = placed(&s->a.shape, s->a.q, v2(0, 0));
    int    i = pick(a.count);
    vec    e = minus(a.at[(i + 1) % a.count], a.at[i]);
    if (face && length(e) > 0) return times(v2(e.y, -e.x), 1 / length(e));
    return v2(cos(angle), sin(angle));
}

/* Where b touches a in direction n. */
static vec touching(const scene *s, vec n)
{
    poly   a = placed(&s->a.shape, s->a.q, v2(0, 0)), b = placed(&s->b.shape, s->b.q, v2(0, 0));
    vec    pa = a.at[0], pb = b.at[0];
    int    i;
    for (i = 1; i < a.count; i++) if (dot(a.at[i], n) > dot(pa, n)) pa = a.at[i];
    for (i = 1; i < b.count; i++) if (dot(b.at[i], n) < dot(pb, n)) pb = b.at[i];
    return plus(minus(pa, pb), times(n, a.radius + b.radius));
}

static vec random_place(scene *s, double size)
{
    vec n = random_direction(s, s->place == FACE_TO_FACE), at = touching(s, n);
    switch (s->place) {
    case FAR_OFF: return plus(at, times(n, size * between(1, 1000)));
    case NEAR_BY: return plus(at, times(n, size * between(-0.3, 0.3)));
    case TOUCHING: return pick(2) ? at : plus(at, times(n, size * between(-1e-5, 1e-5)));
    case FACE_TO_FACE: return plus(at, times(v2(-n.y, n.x), size * between(-1, 1)));
    case OVERLAPPING: return times(at, between(0, 1));
    case CENTRED: return v2(0, 0);
    default: return v2(floor(at.x * 4 / size) * size / 4, floor(at.y * 4 / size) * size / 4);
    }
}

static vec random_travel(const scene *s, vec x, double size)
{
    vec    n = random_direction(s, false);
    double far_off = size * pow(10, between(-3, 2));
    switch (pick(8)) {
    case 0: return v2(0, 0);
    case 1: return v2(pick(2) ? far_off : -far_off, 0);
    case 2: return v2(0, pick(2) ? far_off : -far_off);
    case 3: return times(minus(touching(s, n), x), between(0.5, 2));
    case 4: n = random_direction(s, true); return times(v2(-n.y, n.x), pick(2) ? far_off : -far_off);
    case 5: return times(x, -between(0, 3));
    case 6: return times(minus(plus(touching(s, n), times(v2(-n.y, n.x), size)), x), 1);
    default: return times(n, far_off);
    }
}

static bool random_scene(scene *s)
{
    double size_a = random_size(), size_b = pick(4) ? size_a : random_size(), size = fmax(size_a, size_b);
    vec    x, at = v2(0, 0), travel;
    s->kinds[0] = pick(KINDS);
    s->kinds[1] = pick(KINDS);
    s->place = pick(PLACES);
    if (!random_side(&s->a, s->kinds[0], size_a) || !random_side(&s->b, s->kinds[1], size_b)) return false;
    if (pick(4) == 0) s->b.q = s->a.q;
    x = random_place(s, size);
    if (pick(2)) at = v2(between(-size, size), between(-size, size));
    travel = random_travel(s, x, size);
    s->at = kv(at.x, at.y);
    s->x = kv(x.x + at.x, x.y + at.y);
    s->travel = kv(travel.x, travel.y);
    return true;
}

/* ---- what is asked and how well it must be answered ------------------------------------------------------------- */

typedef struct answer {
    float    gap, t;
    kin_vec  normal, hit_normal;
    kini_way ways[KINI_MAX_WAYS];
    int      count;
    bool     hit;
} answer;

static void ask(const scene *s, answer *out)
{
    kini_obstacle o;
    kini_sum      room;
    kini_obstacle_make(&o, &room, &s->a.solid, kini_pose(s->at, s->a.q), &s->b.solid, s->b.q);
    out->gap = kini_obstacle_gap(&o, s->x, &out->normal);
    out->count = kini_obstacle_ways(&o, s->x, out->ways, KINI_MAX_WAYS);
    out->t = 0;
    out->hit_normal = kini_vec_zero();
    out->hit = kini_obstacle_ray(&o, s->x, s->travel, &out->t, &out->hit_normal);
}

static double moved_gap(const scene *s, vec move)
{
    poly a = placed(&s->a.shape, s->a.q, v2((double)s->at.x, (double)s->at.y));
    poly b = placed(&s->b.shape, s->b.q, plus(v2((double)s->x.x, (double)s->x.y), move));
    return slow_gap(&a, &b);
}

/* How far apart the shapes are along n after a move: never more than their distance. */
static double moved_apart(const scene *s, vec move, kin_vec n)
{
    poly a = placed(&s->a.shape, s->a.q, v2((double)s->at.x, (double)s->at.y));
    poly b = placed(&s->b.shape, s->b.q, plus(v2((double)s->x.x, (double)s->x.y), move));
    return apart(&a, &b, v2((double)n.x, (double)n.y)) - a.radius - b.radius;
}

/* Largest coordinate that took part: what rounding is measured by. */
static double scale_of(const scene *s)
{
    kin_vec d = kini_sub(s->x, s->at);
    return (double)(s->a.solid.reach + s->b.solid.reach + kini_largest(kini_magnitudes(d)) + kini_largest(kini_magnitudes(s->at)));
}

static vec travelled(const scene *s, double t) { return v2((double)s->travel.x * t, (double)s->travel.y * t); }

/* The gap along a straight path is convex: its least value by golden section. */
static double least_gap(const scene *s, double enough)
{
    double lo = 0, hi = 1, p = 0.381966, q = 0.618034, gp = moved_gap(s, travelled(s, p)), gq = moved_gap(s, travelled(s, q));
    double least = fmin(fmin(gp, gq), fmin(moved_gap(s, travelled(s, 0)), moved_gap(s, travelled(s, 1))));
    int    i;
    for (i = 0; i < 40; i++) {
        if (fmin(gp, gq) > enough + length(travelled(s, hi - lo))) return least;
        if (gp < gq) { hi = q; q = p; gq = gp; p = lo + 0.381966 * (hi - lo); gp = moved_gap(s, travelled(s, p)); least = fmin(least, gp); }
        else { lo = p; p = q; gp = gq; q = lo + 0.618034 * (hi - lo); gq = moved_gap(s, travelled(s, q)); least = fmin(least, gq); }
    }
    return least;
}

static bool is_unit(kin_vec n) { return fabs((double)kini_len(n) - 1) < 1e-5; }

static const char *judge_gap(const scene *s, const answer *got, double gap, double slack)
{
    vec    none = v2(0, 0);
    double out = slack - (double)got->gap;
    if (!(fabs((double)got->gap - gap) <= slack)) return "distance";
    if (!is_unit(got->normal)) return "normal has not length one";
    if (gap > slack && !(moved_apart(s, none, got->normal) >= gap - slack - 1e-6 * gap)) return "normal does not separate";
    if (gap < -slack && !(moved_gap(s, times(v2((double)got->normal.x, (double)got->normal.y), out)) >= 0)) return "way out";
    return NULL;
}

static const char *judge_ways(const scene *s, const answer *got, double slack)
{
    int i;
    if ((got->count > 0) != (got->gap < 0)) return "bundle of a pair that does not overlap, or none of one that does";
    for (i = 0; i < got->count; i++) {
        double way = (double)got->ways[i].length + slack;
        vec    axis = v2((double)got->ways[i].axis.x, (double)got->ways[i].axis.y);
        if (!is_unit(got->ways[i].axis)) return "axis has not length one";
        if (i > 0 && got->ways[i].length < got->ways[i - 1].length) return "bundle is not sorted";
        if (!(moved_gap(s, times(axis, way)) > 0)) return "candidate does not separate";
    }
    if (got->count > 0 && !(fabs((double)(got->ways[0].length + got->gap)) <= slack)) return "shortest way";
    return NULL;
}

static const char *judge_ray(const scene *s, const answer *got, double gap, double slack)
{
    static const double parts[] = { 0.25, 0.5, 0.75, 0.9, 0.97, 0.99 };
    double t = (double)got->t;
    int    i;
    if (!got->hit) {
        if (gap < -slack) return "overlap is no hit";
        return least_gap(s, slack) < -slack ? "ray passes through" : NULL;
    }
    if (!(t >= 0 && t <= 1)) return "t is outside of 0..1";
    if (!is_unit(got->hit_normal)) return "hit normal has not length one";
    if (gap < -slack) return got->t > 0 || kini_dot(got->hit_normal, got->normal) < 0.999f ? "overlap at the start" : NULL;
    if (!(fabs(moved_gap(s, travelled(s, t))) <= slack)) return "no touch at the hit";
    for (i = 0; i < 6; i++)
        if (!(moved_gap(s, travelled(s, t * parts[i])) >= -slack)) return "overlap before the hit";
    if (!(moved_apart(s, travelled(s, t), got->hit_normal) >= -2 * slack)) return "hit normal does not separate";
    if (gap > slack && !((double)kini_dot(got->hit_normal, s->travel) < 1e-6 * length(travelled(s, 1)))) return "hit normal goes with the travel";
    return NULL;
}

/* Distances to 1e-6 of the largest coordinate (1e-4 of the distance): for shapes of a few units that is below 1e-5. */
static const char *judge(const scene *s, const answer *got)
{
    double      gap = moved_gap(s, v2(0, 0)), scale = scale_of(s), slack = 1e-6 * scale;
    double      way = scale + (double)kini_largest(kini_magnitudes(s->travel));
    const char *wrong = judge_gap(s, got, gap, fmax(slack, fabs(gap) * 1e-6));
    if (!wrong) wrong = judge_ways(s, got, 2 * slack);
    if (!wrong) wrong = judge_ray(s, got, gap, 1e-6 * way);
    return wrong;
}

static void tell(const scene *s, const answer *got, const char *wrong, int number)
{
    double scale = scale_of(s);
    fprintf(stderr, "pair %d: %s; kinds %d %d, place %d, scale %g: gap %g, slow %g, error %g of scale\n", number, wrong,
            s->kinds[0], s->kinds[1], s->place, scale, (double)got->gap, moved_gap(s, v2(0, 0)),
            fabs((double)got->gap - moved_gap(s, v2(0, 0))) / scale);
    fprintf(stderr, "    x %.9g %.9g, travel %.9g %.9g, hit %d, t %.9g, normal %g %g, gap there %g\n", (double)s->x.x, (double)s->x.y,
            (double)s->travel.x, (double)s->travel.y, (int)got->hit, (double)got->t, (double)got->hit_normal.x,
            (double)got->hit_normal.y, moved_gap(s, travelled(s, (double)got->t)));
}

/* The builds with sanitizers take a share only. */
#ifndef TEST_SHARE
#define TEST_SHARE 1
#endif

static int pairs(void)
{
    const char *text = getenv("KIN_PAIRS");
    return text ? atoi(text) : 1000000 / TEST_SHARE;
}

UTEST(narrow, against_brute_force)
{
    int n = pairs(), i, bad = 0;
    for (i = 0; i < n; i++) {
        scene       s;
        answer      got;
        const char *wrong;
        while (!random_scene(&s)) { }
        ask(&s, &got);
        wrong = judge(&s, &got);
        if (!wrong) continue;
        if (bad++ < 10) tell(&s, &got, wrong, i);
    }
    ASSERT_EQ(bad, 0);
}

/* ---- mirrored scenes give mirrored bits --------------------------------------------------------------------------- */

static kin_vec mirrored(kin_vec a) { a.x = -a.x; return a; }

static bool mirror_side(side *out, const side *in)
{
    int i;
    out->shape = in->shape;
    for (i = 0; i < in->shape.count; i++) out->shape.points[i] = mirrored(in->shape.points[i]);
    out->q = in->q;
    out->q.s = -in->q.s;
    return !kini_shape_solid(&out->shape, &out->solid, &out->room);
}

static bool same(kin_vec a, kin_vec b) { return kini_equal(a.x, b.x) && kini_equal(a.y, b.y); }

/* Halfway between two ways out there is no mirrored answer: one has to be taken. Then both serve equally well. */
static bool is_tie(const scene *s, const answer *a, const answer *b)
{
    double mine = moved_apart(s, v2(0, 0), a->normal), other = moved_apart(s, v2(0, 0), mirrored(b->normal));
    return a->gap <= 0 && fabs(mine - other) < 1e-7 * scale_of(s) && same(a->normal, b->normal);
}

static bool is_hit_tie(const scene *s, const answer *a, const answer *b)
{
    vec    way = travelled(s, (double)a->t);
    double mine = moved_apart(s, way, a->hit_normal), other = moved_apart(s, way, mirrored(b->hit_normal));
    return fabs(mine - other) < 1e-6 * scale_of(s) && same(a->hit_normal, b->hit_normal);
}

static bool is_mirror_image(const scene *s, const answer *a, const answer *b)
{
    if (!kini_equal(a->gap, b->gap) || a->count != b->count || a->hit != b->hit || !kini_equal(a->t, b->t)) return false;
    if (a->count > 0 && !kini_equal(a->ways[0].length, b->ways[0].length)) return false;
    if (!same(mirrored(a->normal), b->normal) && !is_tie(s, a, b)) return false;
    return same(mirrored(a->hit_normal), b->hit_normal) || is_hit_tie(s, a, b);
}

UTEST(narrow, mirrored)
{
    int n = pairs(), i, bad = 0;
    for (i = 0; i < n; i++) {
        scene  s, m;
        answer got, image;
        while (!random_scene(&s)) { }
        m = s;
        ASSERT_TRUE(mirror_side(&m.a, &s.a) && mirror_side(&m.b, &s.b));
        m.at = mirrored(s.at);
        m.x = mirrored(s.x);
        m.travel = mirrored(s.travel);
        ask(&s, &got);
        ask(&m, &image);
        if (is_mirror_image(&s, &got, &image)) continue;
        if (bad++ < 10) { tell(&s, &got, "mirrored", i); tell(&m, &image, "image", i); }
    }
    ASSERT_EQ(bad, 0);
}

#endif
