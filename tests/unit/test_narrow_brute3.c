/* SPDX-License-Identifier: MIT OR Unlicense

   The narrow phase in space against a slow method in double precision that knows nothing of sums: every corner
   against every triangle and every edge against every edge of the two cores, proved by a separating axis; overlaps by
   all axes there are. KIN_PAIRS in the environment sets the number of pairs (400,000 by default). */
#define KINEMATIC_IMPLEMENTATION
#include "kinematic.h"
#include "utest.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

UTEST_MAIN()

#if KINEMATIC_DIM == 3

#ifndef TEST_SHARE
#define TEST_SHARE 1
#endif

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

/* ---- vectors in double precision ------------------------------------------------------------------------------- */

typedef struct vec { double x, y, z; } vec;

static vec    v3(double x, double y, double z) { vec r; r.x = x; r.y = y; r.z = z; return r; }
static vec    plus(vec a, vec b) { return v3(a.x + b.x, a.y + b.y, a.z + b.z); }
static vec    minus(vec a, vec b) { return v3(a.x - b.x, a.y - b.y, a.z - b.z); }
static vec    times(vec a, double s) { return v3(a.x * s, a.y * s, a.z * s); }
static double dot(vec a, vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static vec    cross(vec a, vec b) { return v3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x); }
static double length(vec a) { return sqrt(dot(a, a)); }
static vec    of(kin_vec a) { return v3((double)a.x, (double)a.y, (double)a.z); }
static kin_vec flat(vec a) { return kin_v((float)a.x, (float)a.y, (float)a.z); }

static vec rotated(kin_rot q, vec v)
{
    vec u = v3((double)q.x, (double)q.y, (double)q.z), t = times(cross(u, v), 2);
    return plus(plus(v, times(t, (double)q.w)), cross(u, t));
}

/* One number after the other: the order in which arguments are computed differs from compiler to compiler. */
static vec random_vec(double lo, double hi)
{
    vec r;
    r.x = between(lo, hi);
    r.y = between(lo, hi);
    r.z = between(lo, hi);
    return r;
}

static vec random_direction(void)
{
    for (;;) {
        vec    a = random_vec(-1, 1);
        double n = length(a);
        if (n > 0.1 && n < 1) return times(a, 1 / n);
    }
}

/* ---- shapes: what the library gets, and their corners, edges and triangles as the slow method sees them ---------- */

enum { MAX_TRIANGLES = 240, MAX_LINES = 240 };
enum { BALL, CAPSULE, BOX, ROUND_BOX, HULL, ROUND_HULL, PRISM, TRIANGLE, SEGMENT, PLATE, THIN_HULL, BIG_HULL, KINDS };

typedef struct form {
    int        kind, bucket;
    kini_solid solid;
    kini_hull  hull;
    kin_vec    own[3];
    vec        at[KIN_MAX_POINTS];
    int        count;
    int        triangles[MAX_TRIANGLES][3], triangle_count;
    int        lines[MAX_LINES][2], line_count;
    double     size;     /* extent with its radius */
} form;

/* Every triangle of corners that has all others on one side, and the sides of those: some lie across a flat face,
   which does no harm to a distance. */
static bool add_line(form *f, int a, int b)
{
    int i;
    for (i = 0; i < f->line_count; i++)
        if ((f->lines[i][0] == a && f->lines[i][1] == b) || (f->lines[i][0] == b && f->lines[i][1] == a)) return true;
    if (f->line_count == MAX_LINES) return false;
    f->lines[f->line_count][0] = a;
    f->lines[f->line_count++][1] = b;
    return true;
}

static bool add_triangle(form *f, int a, int b, int c)
{
    if (f->triangle_count == MAX_TRIANGLES) return false;
    f->triangles[f->triangle_count][0] = a;
    f->triangles[f->triangle_count][1] = b;
    f->triangles[f->triangle_count++][2] = c;
    return add_line(f, a, b) && add_line(f, b, c) && add_line(f, c, a);
}

static bool is_outer(const form *f, int a, int b, int c, double slack)
{
    vec    n = cross(minus(f->at[b], f->at[a]), minus(f->at[c], f->at[a]));
    double size = length(n), lo = 0, hi = 0;
    int    i;
    if (size < slack * slack) return false;
    for (i = 0; i < f->count; i++) {
        double h = dot(n, minus(f->at[i], f->at[a])) / size;
        if (h < lo) lo = h;
        if (h > hi) hi = h;
    }
    return lo > -slack || hi < slack;
}

static bool find_triangles(form *f)
{
    int a, b, c;
    f->triangle_count = f->line_count = 0;
    if (f->count == 2) return add_line(f, 0, 1);
    if (f->count == 3) return add_triangle(f, 0, 1, 2);
    for (a = 0; a < f->count; a++)
        for (b = a + 1; b < f->count; b++)
            for (c = b + 1; c < f->count; c++)
                if (is_outer(f, a, b, c, f->size * 1e-7) && !add_triangle(f, a, b, c)) return false;
    return true;
}

static bool finish_form(form *f, const kin_vec *points, int count, double radius)
{
    vec lo = of(points[0]), hi = lo;
    int i;
    f->count = count;
    for (i = 0; i < count; i++) {
        f->at[i] = of(points[i]);
        lo = v3(fmin(lo.x, f->at[i].x), fmin(lo.y, f->at[i].y), fmin(lo.z, f->at[i].z));
        hi = v3(fmax(hi.x, f->at[i].x), fmax(hi.y, f->at[i].y), fmax(hi.z, f->at[i].z));
    }
    hi = minus(hi, lo);
    f->size = fmax(hi.x, fmax(hi.y, hi.z)) + 2 * radius;
    return find_triangles(f);
}

static bool of_shape(form *f, kin_shape shape)
{
    if (kini_shape_solid(&shape, &f->solid, &f->hull)) return false;
    return finish_form(f, shape.points, shape.count, (double)shape.radius);
}

/* A piece of a mesh, or a slanted line: corners without a hull. */
static bool of_points(form *f, int count, double scale, double radius)
{
    vec lo, hi;
    int i;
    for (i = 0; i < count; i++) f->own[i] = flat(times(random_direction(), scale * between(0.1, 1)));
    if (count == 3 && pick(8) == 0) {   /* a needle */
        f->own[2] = kini_mix(f->own[0], f->own[1], (float)between(-0.2, 1.2));
        f->own[2] = kini_add(f->own[2], flat(random_vec(0, scale * 1e-4)));
    }
    if (count == 3 && pick(3) == 0) f->own[0].y = f->own[1].y = f->own[2].y;
    if (count == 3 && pick(3) == 0) f->own[0].x = f->own[1].x = f->own[2].x;
    kini_clear(&f->solid, sizeof f->solid);
    lo = hi = of(f->own[0]);
    for (i = 1; i < count; i++) {
        vec p = of(f->own[i]);
        lo = v3(fmin(lo.x, p.x), fmin(lo.y, p.y), fmin(lo.z, p.z));
        hi = v3(fmax(hi.x, p.x), fmax(hi.y, p.y), fmax(hi.z, p.z));
    }
    f->solid.centre = flat(times(plus(lo, hi), 0.5));
    f->solid.half = flat(times(minus(hi, lo), 0.5));
    f->solid.radius = (float)radius;
    f->solid.count = count;
    f->solid.points = f->own;
    return finish_form(f, f->own, count, radius);
}

static kin_shape random_hull(int count, double scale, double radius, vec squash)
{
    kin_vec points[KIN_MAX_POINTS];
    int     i;
    for (i = 0; i < count; i++) {
        vec d = random_direction();
        points[i] = flat(v3(d.x * squash.x * scale, d.y * squash.y * scale, d.z * squash.z * scale));
    }
    return kin_hull(points, count, (float)radius);
}

static vec any_squash(void) { return random_vec(0.2, 1); }

static vec thin_squash(void)
{
    vec s = random_vec(-4, 0);
    return v3(1, pow(10, s.y), pick(2) ? 1 : pow(10, s.z));
}

/* A ramp or a column: a polygon and its copy; faces of four and more corners. */
static kin_shape random_prism(double scale, double radius)
{
    kin_vec points[16];
    int     i, n = 3 + pick(4);
    double  from = between(0, 6);
    vec     shift = times(random_vec(-0.3, 0.3), scale * pick(2));
    shift.y = between(0.2, 1) * scale;
    for (i = 0; i < n; i++) {
        double angle = from + 6.283185307 * i / n;
        points[i] = flat(v3(scale * cos(angle) / 2, -shift.y / 2, scale * sin(angle) / 2));
        points[n + i] = flat(plus(of(points[i]), shift));
    }
    return kin_hull(points, 2 * n, (float)radius);
}

static kin_shape random_plate(double scale, double radius)
{
    kin_vec points[6];
    vec     u = random_direction(), w = random_direction();
    int     i;
    for (i = 0; i < 6; i++) {
        vec along = random_vec(-scale, scale);
        points[i] = flat(plus(times(u, along.x), times(w, along.y)));
    }
    return kin_hull(points, 6, (float)radius);
}

static kin_shape random_box(double scale, double radius)
{
    kin_shape box = kin_box(flat(random_vec(0.1 * scale, scale)));
    box.radius = (float)radius;
    return box;
}

static bool random_form(form *f, int kind, double scale)
{
    double radius = scale * between(0.05, 0.5), height = scale * between(0.1, 1), maybe = pick(2) ? 0 : radius;
    int    count = 4 + pick(7);
    f->kind = kind;
    switch (kind) {
    case BALL: return of_shape(f, kin_ball((float)radius));
    case CAPSULE: return of_shape(f, kin_capsule((float)(2 * radius + height), (float)radius));
    case BOX: return of_shape(f, random_box(scale, 0));
    case ROUND_BOX: return of_shape(f, random_box(scale, radius));
    case HULL: return of_shape(f, random_hull(count, scale, 0, any_squash()));
    case ROUND_HULL: return of_shape(f, random_hull(count, scale, radius, any_squash()));
    case PRISM: return of_shape(f, random_prism(scale, maybe));
    case TRIANGLE: return of_points(f, 3, scale, 0);
    case SEGMENT: return of_points(f, 2, scale, maybe);
    case PLATE: return of_shape(f, random_plate(scale, radius));
    case THIN_HULL: return of_shape(f, random_hull(count, scale, maybe, thin_squash()));
    default: return of_shape(f, random_hull(32, scale, 0, any_squash()));
    }
}

enum { BUCKETS = 8, FORMS = 96 };   /* sizes from 1e-3 to 1e4 */
static form forms[BUCKETS][FORMS];

static void make_forms(void)
{
    int b, i;
    for (b = 0; b < BUCKETS; b++)
        for (i = 0; i < FORMS; i++) {
            form *f = &forms[b][i];
            int   kind = i == 0 ? BIG_HULL : i % (KINDS - 1);
            f->bucket = b;
            while (!random_form(f, kind, pow(10, b - 3) * between(0.3, 3))) { }
        }
}

/* ---- the slow method --------------------------------------------------------------------------------------------- */

/* A placed pair: corners of the piece, and of the body when its place is the origin. */
typedef struct scene {
    const form *piece, *body;
    kin_rot     piece_turn, body_turn;
    kin_vec     at, x, travel;
    int         place;
    vec         a[KIN_MAX_POINTS], b[KIN_MAX_POINTS];
    double      radius, size;
} scene;

static vec closest_on_line(vec p, vec a, vec b)
{
    vec    e = minus(b, a);
    double whole = dot(e, e), t = whole > 0 ? dot(minus(p, a), e) / whole : 0;
    return plus(a, times(e, t < 0 ? 0 : t > 1 ? 1 : t));
}

static vec nearer(vec p, vec a, vec b)
{
    return length(minus(p, a)) <= length(minus(p, b)) ? a : b;
}

static vec closest_on_triangle(vec p, vec a, vec b, vec c)
{
    vec    n = cross(minus(b, a), minus(c, a)), q;
    double nn = dot(n, n), u, v, w;
    if (nn > 0) {
        q = minus(p, times(n, dot(minus(p, a), n) / nn));
        u = dot(cross(minus(b, a), minus(q, a)), n);
        v = dot(cross(minus(c, b), minus(q, b)), n);
        w = dot(cross(minus(a, c), minus(q, c)), n);
        if (u >= 0 && v >= 0 && w >= 0) return q;
    }
    return nearer(p, closest_on_line(p, a, b), nearer(p, closest_on_line(p, b, c), closest_on_line(p, c, a)));
}

/* Where two lines are closest between their ends, the vector from the first to the second. False if an end is closer:
   that is found from the corner. */
static bool between_lines(vec a, vec b, vec c, vec d, vec *out)
{
    vec    u = minus(b, a), v = minus(d, c), r = minus(c, a);
    double uu = dot(u, u), vv = dot(v, v), uv = dot(u, v), ur = dot(u, r), vr = dot(v, r), bottom = uu * vv - uv * uv;
    double s = ur * vv - uv * vr, t = ur * uv - uu * vr;
    if (!(s > 0 && s < bottom && t > 0 && t < bottom)) return false;
    *out = minus(plus(r, times(v, t / bottom)), times(u, s / bottom));
    if (bottom < 1e-6 * uu * vv) {   /* nearly parallel: s and t are poor, but the vector is across both */
        *out = minus(*out, times(u, dot(*out, u) / uu));
        *out = minus(*out, times(v, dot(*out, v) / vv));
    }
    return bottom > 1e-13 * uu * vv;
}

/* How far the cores are apart along a direction of length one, from piece to body at x. */
static double apart(const scene *s, vec x, vec n)
{
    double far_a = dot(s->a[0], n), near_b = dot(s->b[0], n);
    int    i;
    for (i = 1; i < s->piece->count; i++) far_a = fmax(far_a, dot(s->a[i], n));
    for (i = 1; i < s->body->count; i++) near_b = fmin(near_b, dot(s->b[i], n));
    return near_b + dot(x, n) - far_a;
}

/* Keeps the shorter of two vectors between the cores; of equally short ones, whose directions may differ by the root of
   the rounding error, the one that separates better. */
static void keep_shorter(const scene *s, vec x, vec *best, double *least, vec other)
{
    double size = length(other);
    if (size > *least * (1 + 1e-9)) return;
    if (size > *least * (1 - 1e-9) && !(apart(s, x, times(other, 1 / size)) > apart(s, x, times(*best, 1 / *least)))) return;
    *best = other;
    *least = size;
}

/* From the piece to the body at x. */
static vec closest_features(const scene *s, vec x)
{
    vec    a[KIN_MAX_POINTS], v, best = minus(plus(s->b[0], x), s->a[0]);
    double least = length(best);
    int    i, k;
#define TRY(vector) keep_shorter(s, x, &best, &least, vector)
    if (s->piece->count == 1 && s->body->count == 1) return best;
    for (i = 0; i < s->piece->count; i++) a[i] = minus(s->a[i], x);
    for (i = 0; i < s->piece->count; i++) {
        vec p = a[i];
        for (k = 0; k < s->body->triangle_count; k++) {
            const int *t = s->body->triangles[k];
            TRY(minus(closest_on_triangle(p, s->b[t[0]], s->b[t[1]], s->b[t[2]]), p));
        }
        for (k = 0; k < s->body->line_count && !s->body->triangle_count; k++)
            TRY(minus(closest_on_line(p, s->b[s->body->lines[k][0]], s->b[s->body->lines[k][1]]), p));
    }
    for (i = 0; i < s->body->count; i++) {
        vec p = s->b[i];
        for (k = 0; k < s->piece->triangle_count; k++) {
            const int *t = s->piece->triangles[k];
            TRY(minus(p, closest_on_triangle(p, a[t[0]], a[t[1]], a[t[2]])));
        }
        for (k = 0; k < s->piece->line_count && !s->piece->triangle_count; k++)
            TRY(minus(p, closest_on_line(p, a[s->piece->lines[k][0]], a[s->piece->lines[k][1]])));
    }
    for (i = 0; i < s->piece->line_count; i++)
        for (k = 0; k < s->body->line_count; k++) {
            const int *e = s->piece->lines[i], *f = s->body->lines[k];
            if (between_lines(a[e[0]], a[e[1]], s->b[f[0]], s->b[f[1]], &v)) TRY(v);
        }
#undef TRY
    return best;
}

static void try_axis(const scene *s, vec x, vec n, double *best, vec *normal)
{
    double size = length(n), gap;
    if (!(size > 0)) return;
    n = times(n, 1 / size);
    gap = apart(s, x, n);
    if (gap > *best) { *best = gap; *normal = n; }
    n = times(n, -1);
    gap = apart(s, x, n);
    if (gap > *best) { *best = gap; *normal = n; }
}

static vec triangle_normal(const vec *at, const int *t)
{
    return cross(minus(at[t[1]], at[t[0]]), minus(at[t[2]], at[t[0]]));
}

static vec line_of(const form *f, const vec *at, int i)
{
    return minus(at[f->lines[i][1]], at[f->lines[i][0]]);
}

/* Overlapping cores: the largest, that is least negative, separation over all axes. */
static double depth_of(const scene *s, vec x, vec *normal)
{
    double best = -1e300;
    int    i, k;
    for (i = 0; i < s->piece->triangle_count; i++) try_axis(s, x, triangle_normal(s->a, s->piece->triangles[i]), &best, normal);
    for (i = 0; i < s->body->triangle_count; i++) try_axis(s, x, triangle_normal(s->b, s->body->triangles[i]), &best, normal);
    for (i = 0; i < s->piece->line_count; i++)
        for (k = 0; k < s->body->line_count; k++) {
            vec e = line_of(s->piece, s->a, i), f = line_of(s->body, s->b, k), n = cross(e, f);
            if (length(n) > 1e-9 * length(e) * length(f)) try_axis(s, x, n, &best, normal);
        }
    return best < -1e299 ? 0 : best;   /* cores without any axis: points, parallel lines */
}

/* Signed gap of the rounded shapes with the body at x. */
static double slow_gap(const scene *s, vec x, vec *normal)
{
    vec    v = closest_features(s, x);
    double size = length(v), depth;
    if (size > 0) {
        *normal = times(v, 1 / size);
        if (apart(s, x, *normal) > size - 1e-8 * (s->size + size)) return size - s->radius;
    }
    depth = depth_of(s, x, normal);
    return fmin(depth, 0) - s->radius;
}

/* First touch by conservative advancement; negative if there is none. *least: how near they get, up to that. */
static double slow_cast(const scene *s, vec x, vec v, double slack)
{
    double t = 0, gap, speed;
    vec    n = v3(0, 0, 0);
    int    i;
    for (i = 0; i < 200; i++) {
        gap = slow_gap(s, plus(x, times(v, t)), &n);
        if (gap < slack) return t;
        speed = -dot(v, n);
        if (!(speed > 0)) return -1;
        t += gap / speed;
        if (t > 1) return -1;
    }
    return t;
}

/* ---- scenes ------------------------------------------------------------------------------------------------------------ */

static kin_rot random_turn(void)
{
    kin_vec axis = flat(random_direction());
    float   any = (float)between(-3, 3), little = (float)between(-1e-4, 1e-4), quarters = 1.5707964f * (float)pick(4);
    switch (pick(5)) {
    case 0: return kini_unturned();
    case 1: return kin_turn(kin_v(0, 1, 0), any);
    case 2: return kin_turn(kin_v(1, any < 0 ? 0.0f : 1.0f, little < 0 ? 0.0f : 1.0f), quarters);
    case 3: return kini_rot_unit(kini_compose(kin_turn(axis, little), kin_turn(kin_v(0, 1, 0), quarters)));
    default: return kin_turn(axis, any);
    }
}

/* Corner against corner, face against face or edge against edge, as chance has it. */
static vec facing_direction(const scene *s)
{
    vec         n = random_direction(), other = random_direction();
    const form *a = s->piece, *b = s->body;
    double      size, sign = pick(2) ? 1 : -1;
    int         way = pick(4), i = pick(1 << 20), k = pick(1 << 20);
    if (way == 1 && a->triangle_count) n = triangle_normal(s->a, a->triangles[i % a->triangle_count]);
    if (way == 2 && b->triangle_count) n = triangle_normal(s->b, b->triangles[i % b->triangle_count]);
    if (way == 3 && a->line_count && b->line_count)
        n = cross(line_of(a, s->a, i % a->line_count), line_of(b, s->b, k % b->line_count));
    size = length(n);
    return size > 0 ? times(n, sign / size) : other;
}

static double random_gap(const scene *s, int place)
{
    switch (place) {
    case 0: return s->size * between(0.1, 30);
    case 1: return s->size * between(0, 0.1);
    case 2: return s->size * between(0, 1e-3);
    case 3: return 0;
    case 4: return s->size * between(-1e-5, 1e-5);
    case 5: return -s->radius * between(0, 1);
    default: return -s->size * between(0, 0.5);
    }
}

/* Head on, anywhere, at a corner of the piece or just past it, beyond that, and along. */
static vec random_travel(const scene *s, vec n)
{
    vec    any = random_vec(-1, 1), corner = s->a[pick(s->piece->count)], mine = plus(of(s->x), s->b[pick(s->body->count)]);
    double far_off = between(0, 4);
    switch (pick(5)) {
    case 0: return times(n, -s->size * far_off);
    case 1: return times(any, s->size * far_off);
    case 2: return minus(plus(corner, times(any, s->radius)), mine);
    case 3: return times(minus(corner, mine), far_off / 2);
    default: return times(cross(n, any), s->size * far_off / 2);
    }
}

static void random_scene(scene *s)
{
    int bucket = pick(BUCKETS), other = pick(4) ? bucket : pick(BUCKETS), i;
    vec n, slide;
    s->piece = &forms[bucket][pick(200) ? 1 + pick(FORMS - 1) : 0];
    s->body = &forms[other][pick(200) ? 1 + pick(FORMS - 1) : 0];
    s->piece_turn = random_turn();
    s->radius = (double)s->piece->solid.radius + (double)s->body->solid.radius;
    /* two needles side by side, without a radius, have no volume together: nothing to hit or to be inside of */
    s->body_turn = pick(4) || (s->radius <= 0 && s->piece->count <= 3 && s->body->count <= 3) ? random_turn() : s->piece_turn;
    s->size = s->piece->size + s->body->size;
    s->at = pick(2) ? kini_vec_zero() : flat(random_vec(-s->size * 6, s->size * 6));
    for (i = 0; i < s->piece->count; i++) s->a[i] = plus(of(s->at), rotated(s->piece_turn, s->piece->at[i]));
    for (i = 0; i < s->body->count; i++) s->b[i] = rotated(s->body_turn, s->body->at[i]);
    n = facing_direction(s);
    s->place = pick(7);
    slide = pick(2) ? v3(0, 0, 0) : random_vec(-s->size / 2, s->size / 2);
    slide = minus(slide, times(n, dot(slide, n)));
    slide = plus(slide, times(n, s->radius + random_gap(s, s->place) - apart(s, slide, n)));
    s->x = flat(slide);
    s->travel = flat(random_travel(s, n));
}

/* ---- judging ------------------------------------------------------------------------------------------------------------- */

typedef struct answer {
    float    gap, t;
    kin_vec  normal, hit_normal;
    kini_way ways[KINI_MAX_WAYS];
    int      count;
    bool     hit;
} answer;

/* Through the general case too where a closed form would do. */
static void ask(const scene *s, bool general, answer *out)
{
    static kini_sum room;
    kini_obstacle   obstacle;
    kini_obstacle_make(&obstacle, &room, &s->piece->solid, kini_pose(s->at, s->piece_turn), &s->body->solid, s->body_turn);
    if (general) {
        kini_sum_make(&room, &s->piece->solid, s->piece_turn, &s->body->solid, s->body_turn, &obstacle);
        obstacle.centre = kini_add(s->at, obstacle.centre);
    }
    out->t = 0;
    out->gap = kini_obstacle_gap(&obstacle, s->x, &out->normal);
    out->hit_normal = out->normal;
    out->hit = kini_obstacle_ray(&obstacle, s->x, s->travel, &out->t, &out->hit_normal);
    out->count = kini_obstacle_ways(&obstacle, s->x, out->ways, KINI_MAX_WAYS);
}

/* Distances are as good as 1e-4 of themselves or 1e-5 of the shapes; huge coordinates cost what floats cost. */
static double allowed(const scene *s, double gap, vec x)
{
    double far_off = fmax(length(x), length(of(s->at)));
    return fmax(1e-4 * fabs(gap), fmax(1e-5 * s->size, 1e-6 * far_off));
}

static bool is_unit(kin_vec n)
{
    return fabs(length(of(n)) - 1) < 1e-5;
}

static double rounded_apart(const scene *s, vec x, kin_vec n)
{
    return apart(s, x, of(n)) - s->radius;
}

static double worst_gap, worst_cast;

static const char *judge_gap(const scene *s, const answer *got, double gap)
{
    vec    x = of(s->x);
    double slack = allowed(s, gap, x), error = fabs((double)got->gap - gap);
    if (!kini_finite(got->gap) || !is_unit(got->normal)) return "not a number, or no normal";
    if (!(error <= slack)) return "distance";
    if (error / slack > worst_gap) worst_gap = error / slack;
    if (!(fabs(rounded_apart(s, x, got->normal) - gap) <= 2 * slack)) return "normal";
    return NULL;
}

static const char *judge_ways(const scene *s, const answer *got, double gap)
{
    double slack = allowed(s, gap, of(s->x));
    int    i, k;
    if (got->gap < 0 ? got->count < 1 : got->count != 0) return "number of ways";
    if (got->count && !(fabs((double)got->ways[0].length + gap) <= slack)) return "shortest way";
    for (i = 0; i < got->count; i++) {
        kini_way way = got->ways[i];
        vec      there = plus(of(s->x), times(of(way.axis), (double)way.length));
        if (!kini_finite(way.length) || !is_unit(way.axis)) return "way is no number";
        if (i && way.length < got->ways[i - 1].length) return "order of ways";
        if (!(rounded_apart(s, there, way.axis) >= -slack - 1e-5 * fabs((double)way.length))) return "way does not separate";
        for (k = 0; k < i; k++) if (kini_len(kini_sub(got->ways[k].axis, way.axis)) < 1e-6f) return "same way twice";
    }
    return NULL;
}

static const char *judge_miss(const scene *s, double gap)
{
    vec    x = of(s->x), v = of(s->travel), n = v3(0, 0, 0);
    double slack = allowed(s, 0, x) + 1e-6 * length(v), t = slow_cast(s, x, v, 0), lo, hi, least = 1e300;
    int    i;
    if (gap < -slack) return "starts inside but misses";
    if (t < 0) return NULL;
    /* They touch. Then it must be a graze: never deeper than rounding explains, unless it starts on the surface and
       goes away. */
    for (i = 0, lo = t, hi = 1; i < 60; i++) {
        double p = lo + (hi - lo) / 3, q = hi - (hi - lo) / 3;
        double a = slow_gap(s, plus(x, times(v, p)), &n), b = slow_gap(s, plus(x, times(v, q)), &n);
        least = fmin(least, fmin(a, b));
        if (a < b) hi = q; else lo = p;
    }
    return least > -slack ? NULL : "misses";
}

static const char *judge_cast(const scene *s, const answer *got, double gap)
{
    vec    x = of(s->x), v = of(s->travel), there = plus(x, times(v, (double)got->t)), n = v3(0, 0, 0);
    double slack = allowed(s, 0, x) + 1e-6 * length(v), gap_there;
    if (!got->hit) return judge_miss(s, gap);
    if (!(got->t >= 0 && got->t <= 1) || !is_unit(got->hit_normal)) return "hit is no number";
    if (gap < -slack) {
        if (got->t > 0) return "starts inside but hits later";
        return fabs(rounded_apart(s, x, got->hit_normal) - gap) <= 2 * allowed(s, gap, x) ? NULL : "way out of a start inside";
    }
    if (gap < slack && !(got->t > 0)) return NULL;
    gap_there = slow_gap(s, there, &n);
    if (!(fabs(gap_there) <= slack)) return "does not touch at the hit";
    if (fabs(gap_there) / slack > worst_cast) worst_cast = fabs(gap_there) / slack;
    /* The axis separates them at the hit and all the more before: they have been apart on the whole way. */
    if (!(rounded_apart(s, there, got->hit_normal) >= -2 * slack)) return "normal of the hit";
    if (!(dot(of(got->hit_normal), v) < 1e-6 * length(v))) return "hit from behind";
    return NULL;
}

static void tell(const scene *s, const answer *got, const char *wrong, int number)
{
    vec n = v3(0, 0, 0);
    double gap = slow_gap(s, of(s->x), &n);
    fprintf(stderr, "pair %d: %s; kinds %d %d, sizes %g %g, radius %g, place %d: gap %.9g, slow %.9g (%g %g %g)\n", number, wrong, s->piece->kind,
            s->body->kind, s->piece->size, s->body->size, s->radius, s->place, (double)got->gap, gap, n.x, n.y, n.z);
    fprintf(stderr, "    normal %g %g %g, ways %d, hit %d t %.9g normal %g %g %g, gap there %g, slow t %g\n", (double)got->normal.x,
            (double)got->normal.y, (double)got->normal.z, got->count, (int)got->hit, (double)got->t, (double)got->hit_normal.x,
            (double)got->hit_normal.y, (double)got->hit_normal.z,
            slow_gap(s, plus(of(s->x), times(of(s->travel), (double)got->t)), &n), slow_cast(s, of(s->x), of(s->travel), 0));
}

static int pairs(int usual)
{
    const char *text = getenv("KIN_PAIRS");
    return text ? atoi(text) : usual / TEST_SHARE;
}

UTEST(narrow3, against_brute_force)
{
    int n = pairs(400000), i, bad = 0;
    make_forms();
    for (i = 0; i < n; i++) {
        scene       s;
        answer      got;
        double      gap;
        vec         normal = v3(0, 0, 0);
        const char *wrong;
        random_scene(&s);
        ask(&s, i % 4 == 0, &got);
        gap = slow_gap(&s, of(s.x), &normal);
        wrong = judge_gap(&s, &got, gap);
        if (!wrong) wrong = judge_ways(&s, &got, gap);
        if (!wrong) wrong = judge_cast(&s, &got, gap);
        if (wrong && bad++ < 10) tell(&s, &got, wrong, i);
    }
    printf("%d pairs; worst distance %.3f, worst cast %.3f of what is allowed\n", n, worst_gap, worst_cast);
    ASSERT_EQ(bad, 0);
}

#else

UTEST(narrow3, only_in_space) { ASSERT_EQ(KINEMATIC_DIM, 2); }

#endif
