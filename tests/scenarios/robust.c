/* SPDX-License-Identifier: MIT OR Unlicense

   robust.c: section J of the catalogue: robustness. J15 (fuzz) has a program of its own. */
#include "scene.h"
#include <float.h>

/* Numbers that are no size; the last two are no number at all. */
static const float no_size[] = { 0, -1, -FLT_MAX, -INFINITY, INFINITY, NAN };
enum { NO_SIZES = 6 };

/* A world with a floor and a standing body, which later calls must leave as it is. */
static kin_id open_peaceful(scene *s)
{
    kin_id b;
    open_earth(s);
    add_floor(s);
    b = add_body(s, 0, 0.5);
    settle(s);
    s->allow_log = true;
    return b;
}

/* Is this shape refused by everything that takes one, with a message each time and the world as it was? */
static bool shape_is_refused(scene *s, kin_id b, const kin_shape *shape)
{
    kin_static_desc f = static_desc(s, 5, 5, 6, 6);
    kin_mover_desc  m = mover_desc(s, 5, 5, 1, 1);
    kin_body_desc   d = body_desc(s, 5, 5);
    uint64_t        hash = kin_world_hash(s->world);
    int             logs = s->logs;
    bool            taken;
    f.shape = m.shape = d.shape = *shape;
    taken = kin_add_static(s->world, &f).slot != 0;
    taken = kin_add_mover(s->world, &m).slot != 0 || taken;
    taken = kin_add_body(s->world, &d).slot != 0 || taken;
    taken = kin_set_shape(s->world, b, shape) || taken;
    taken = kin_cast_shape(s->world, shape, pose_now(s, b), v2(s, 1, 0), NULL, NULL) || taken;
    taken = kin_overlap(s->world, shape, pose_now(s, b), NULL, NULL, 0) != 0 || taken;
    return !taken && s->logs == logs + 6 && kin_world_hash(s->world) == hash;
}

static bool world_is_refused(kin_world_desc d)
{
    kin_world *world = kin_world_create(&d);
    kin_world_destroy(world);
    return world == NULL;
}

static void no_log(const char *text, void *user) { (void)text; (*(int *)user)++; }

/* J01 zero, negative, NaN, inf sizes: refused with an error, world unchanged. */
SCENARIO(J01_bad_sizes, NO_MIRROR)
{
    kin_id    b = open_peaceful(s);
    kin_shape shape;
    kin_world_desc d;
    int       i, k, logs = 0;
    for (i = 0; i < NO_SIZES; i++) {
        kin_vec size = v3(s, 1, 1, 1), *points = shape.points;
        shape = kin_ball(no_size[i]);
        EXPECT(shape.count == 0 && shape_is_refused(s, b, &shape));
        shape = kin_capsule(no_size[i], 0.5f);
        EXPECT(shape.count == 0 && shape_is_refused(s, b, &shape));
        shape = kin_capsule(2, no_size[i]);
        EXPECT(shape.count == 0 && shape_is_refused(s, b, &shape));
        for (k = 0; k < KINEMATIC_DIM; k++) {
            size = v3(s, 1, 1, 1);
            (&size.x)[k] = no_size[i];
            shape = kin_box(size);
            EXPECT(shape.count == 0 && shape_is_refused(s, b, &shape));
        }
        if (i == 0) continue;
        shape = kin_box(v3(s, 1, 1, 1));
        shape.radius = no_size[i];
        EXPECT(shape_is_refused(s, b, &shape));
        if (no_size[i] < 0) continue;   /* a coordinate may be, unless it is infinite or no number */
        shape = kin_box(v3(s, 1, 1, 1));
        points[1].y = no_size[i];
        EXPECT(shape_is_refused(s, b, &shape));
    }
    shape = kin_capsule(0.9f, 0.5f);   /* lower than it is wide */
    EXPECT(shape.count == 0 && shape_is_refused(s, b, &shape));
    memset(&shape, 0, sizeof shape);
    EXPECT(shape_is_refused(s, b, &shape));
    shape = kin_box(v3(s, 1, 1, 1));
    shape.count = KIN_MAX_POINTS + 1;
    EXPECT(shape_is_refused(s, b, &shape));
    shape.count = -1;
    EXPECT(shape_is_refused(s, b, &shape));

    for (i = 1; i < NO_SIZES; i++) {
        memset(&d, 0, sizeof d);
        d.on_log = no_log;
        d.user = &logs;
        d.unit = no_size[i];
        EXPECT(world_is_refused(d) && logs == 3 * i - 2);
        d.unit = 1;
        d.rate = no_size[i];
        EXPECT(world_is_refused(d) && logs == 3 * i - 1);
        d.rate = 0;
        d.max_speed = no_size[i];
        EXPECT(world_is_refused(d) && logs == 3 * i);
    }
    run(s, 32);
}

/* Vectors with one bad number each. */
static kin_vec bad_vec(const scene *s, int i)
{
    static const float bad[] = { NAN, INFINITY, -INFINITY };
    kin_vec v = v3(s, 1, 2, 3);
    (&v.x)[i / 3 % KINEMATIC_DIM] = bad[i % 3];
    return v;
}
enum { BAD_VECS = 3 * KINEMATIC_DIM };

static bool pose_is_refused(scene *s, kin_id b, kin_id m, kin_vec bad)
{
    kin_static_desc f = static_desc(s, 5, 5, 6, 6);
    kin_mover_desc  e = mover_desc(s, 5, 5, 1, 1);
    kin_body_desc   d = body_desc(s, 5, 5);
    uint64_t        hash = kin_world_hash(s->world);
    int             logs = s->logs;
    bool            taken;
    f.position = e.position = d.position = bad;
    taken = kin_add_static(s->world, &f).slot != 0;
    taken = kin_add_mover(s->world, &e).slot != 0 || taken;
    taken = kin_add_body(s->world, &d).slot != 0 || taken;
    e.position = d.position = v2(s, 5, 5);
    e.velocity = d.velocity = bad;
    taken = kin_add_mover(s->world, &e).slot != 0 || taken;
    taken = kin_add_body(s->world, &d).slot != 0 || taken;
    taken = kin_set_position(s->world, b, bad) || taken;
    taken = kin_set_position(s->world, m, bad) || taken;
    taken = kin_set_velocity(s->world, b, bad) || taken;
    taken = kin_set_velocity(s->world, m, bad) || taken;
    taken = kin_move_to(s->world, m, bad, turn(s, 0)) || taken;
    taken = kin_test_move(s->world, b, bad, NULL) || taken;
    taken = !same_vec(kin_move(s->world, b, bad), v2(s, 0, 0)) || taken;
    taken = kin_cast_ray(s->world, bad, v2(s, 1, 0), NULL, NULL) || taken;
    taken = kin_cast_ray(s->world, v2(s, 0, 1), bad, NULL, NULL) || taken;
    taken = kin_world_set_gravity(s->world, bad) || taken;
    return !taken && s->logs == logs + 15 && kin_world_hash(s->world) == hash;
}

/* J02 NaN/inf position or velocity: setter refuses and keeps the old value; no NaN ever spreads to another body. */
SCENARIO(J02_bad_positions_and_velocities, NO_MIRROR)
{
    kin_id b = open_peaceful(s), m, walker;
    int    i;
    m = add_mover(s, 5, 3, 2, 0.5, 1, 0);
    walker = add_body(s, -5, 0.5);
    for (i = 0; i < BAD_VECS; i++) {
        set_vx(s, walker, 1);
        run(s, 4);
        EXPECT(pose_is_refused(s, b, m, bad_vec(s, i)));
        EXPECT_IN(x_of(s, b), 0, 0);
        EXPECT_IN(vx_of(s, walker), 1, 1);
        EXPECT_NEAR(x_of(s, m), 5 + 4.0 * (i + 1) / 128, 1e-5);
    }
    run(s, 64);
    EXPECT(grounded(s, b) && grounded(s, walker));
}

/* J03 1e30 velocity: clamped to the documented maximum, no inf. */
SCENARIO(J03_huge_velocity, 0)
{
    static const double units[] = { 1, 16 }, huge[] = { 1e30, FLT_MAX };
    int k;
    for (k = 0; k < 4; k++) {
        double         unit = units[k / 2], most = 1e5 * unit, v = huge[k % 2];
        kin_world_desc d;
        kin_body_desc  e;
        kin_id         b, other;
        memset(&d, 0, sizeof d);
        d.unit = (float)unit;
        open_world(s, &d);
        add_static_box(s, -1e5, 200, 1e5, 201);
        b = add_body(s, 0, 0);
        other = add_body(s, 3, 0);
        set_v(s, b, v, v);
        run(s, 1);
        EXPECT(dv_len(dv_of(kin_get_velocity(s->world, b))) < 1.0001 * most);
        EXPECT(top_of(s, b) < 200 + SLOP * unit);
        EXPECT_IN(x_of(s, other), 3, 3);
        e = body_desc(s, 0, 300);
        e.velocity = v2(s, v, v);
        b = put_body(s, &e);
        run(s, 1);
        EXPECT_NEAR(dv_len(dv_of(kin_get_velocity(s->world, b))), most, 1e-4 * most);
        EXPECT_NEAR(vx_of(s, b), vy_of(s, b), 1e-4 * most);
        EXPECT_NEAR(motion_y(s, b), most / sqrt(2), 1e-3 * most);
        run(s, 3);
        EXPECT_NEAR(y_of(s, b), 300 + 4 * most / sqrt(2) / 128, 1e-5 * most);
        set_v(s, b, 0, -v);
        run(s, 4);
        EXPECT_IN(bottom_of(s, b) - 201, -0.0001 * unit - far_out(thing_of(s, b)), SLOP * unit + far_out(thing_of(s, b)));
    }
}

/* A square (cube) by its corners, with what makes it a bad list of points. Returns how many. */
static int bad_square(const scene *s, kin_vec *points, bool reversed, bool twice, bool inside)
{
    static const int xs[] = { -1, 1, 1, -1 }, ys[] = { -1, -1, 1, 1 };
    int i, k, z, n = 0;
    for (z = -1; z <= 2 * KINEMATIC_DIM - 5; z += 2) {
        for (i = 0; i < 4; i++) {
            k = reversed ? 3 - i : i;
            points[n++] = v3(s, xs[k], ys[k], z);
            if (twice && n < KIN_MAX_POINTS) points[n++] = v3(s, xs[k], ys[k], z);
            if (inside && i < 3) points[n++] = v3(s, 0.5 * xs[k], 0.25 * ys[k], 0.5 * z);
        }
    }
    if (inside) points[n++] = v3(s, 0, 1, KINEMATIC_DIM == 3 ? 1 : 0);   /* on an edge */
    return n;
}

/* Is it the square of 2 x 2, as a floor and as a body? */
static void expect_square(scene *s, const kin_shape *shape)
{
    kin_static_desc f;
    kin_body_desc   d;
    kin_id          b, top;
    EXPECT_IN(shape->count, 1 << KINEMATIC_DIM, 1 << KINEMATIC_DIM);
    s->allow_log = false;
    open_earth(s);
    f = static_desc(s, -1, -2, 1, 0);
    f.shape = *shape;
    put_static(s, &f);
    b = add_body(s, 0.7, 1);
    d = body_desc(s, 20, 1.2);
    d.shape = *shape;
    top = put_body(s, &d);
    add_static_box(s, 10, -1, 30, 0);
    run(s, 64);
    EXPECT(grounded(s, b) && grounded(s, top));
    EXPECT_REST(bottom_of(s, b));
    EXPECT_REST(bottom_of(s, top));
}

/* J04 bad polygons: collinear, duplicate vertices, wrong winding, concave, 2 points: refused or normalised as
   documented. */
SCENARIO(J04_bad_polygons, NO_MIRROR)
{
    kin_vec   points[KIN_MAX_POINTS + 1];
    kin_shape shape;
    kin_id    b;
    int       i, n;
    for (i = 1; i < 8; i++) {
        if (KINEMATIC_DIM == 2 && (i & 6) == 6) continue;   /* more than eight points */
        n = bad_square(s, points, (i & 1) != 0, (i & 2) != 0, (i & 4) != 0);
        shape = kin_hull(points, n, 0);
        expect_square(s, &shape);
    }
    for (i = 0; i <= KIN_MAX_POINTS; i++) points[i] = v3(s, i, 2 * i, 3 * i);
    b = open_peaceful(s);
    for (n = 0; n <= KIN_MAX_POINTS; n++) {   /* collinear, and 0, 1, 2 points */
        shape = kin_hull(points, n, 0);
        EXPECT(shape.count == 0 && shape_is_refused(s, b, &shape));
        if (n == 0) continue;
        shape = kin_hull(points, n, 0.25f);
        EXPECT_IN(shape.count, n < 2 ? 1 : 2, n < 2 ? 1 : 2);
    }
    for (i = 0; i <= KIN_MAX_POINTS; i++) points[i] = v3(s, cos(6.28 * i / (KIN_MAX_POINTS + 1)), sin(6.28 * i / (KIN_MAX_POINTS + 1)), i % 2);
    shape = kin_hull(points, KIN_MAX_POINTS + 1, 0.25f);   /* more corners than a shape can have */
    EXPECT(shape.count == 0);
    shape = kin_hull(NULL, 4, 0.25f);
    EXPECT(shape.count == 0);
    shape = kin_hull(points, -1, 0.25f);
    EXPECT(shape.count == 0);
    for (i = 0; i < 8; i++) points[i] = v3(s, 3, 4, 5);   /* the same point again and again */
    shape = kin_hull(points, 8, 0);
    EXPECT(shape.count == 0 && shape_is_refused(s, b, &shape));
    shape = kin_hull(points, 8, 0.5f);
    EXPECT_IN(shape.count, 1, 1);
    for (i = 0; i < BAD_VECS; i++) {
        n = bad_square(s, points, false, false, false);
        points[2] = bad_vec(s, i);
        shape = kin_hull(points, n, 0);
        EXPECT(shape.count == 0 && shape_is_refused(s, b, &shape));
    }
}

/* J05 zero-length segment, zero-length path: mover with coincident way-points stands still. A capsule as high as wide
   is a ball; a cast without travel asks about the place itself. */
SCENARIO(J05_zero_length, NO_MIRROR)
{
    kin_shape capsule = kin_capsule(1, 0.5f), ball = kin_ball(0.5f);
    kin_body_desc d;
    kin_pose  m_pose, b_pose, at;
    kin_hit   hit;
    kin_id    m, b, c;
    int       i;
    open_earth(s);
    add_floor(s);
    m = add_mover(s, 0, 3, 4, 0.5, 0, 0);
    b = add_body(s, 1, 3.75);
    d = body_desc(s, 20, 2);
    d.shape = capsule;
    c = put_body(s, &d);
    d.position = v2(s, 30, 2);
    d.shape = ball;
    put_body(s, &d);
    run(s, 64);
    m_pose = pose_now(s, m);
    b_pose = pose_now(s, b);
    clear_events(s);
    for (i = 0; i < 64; i++) {
        move_to_pose(s, m, m_pose.p, m_pose.q);
        scene_step(s);
        EXPECT(same_pose(m_pose, pose_now(s, m)) && same_pose(b_pose, pose_now(s, b)));
        EXPECT(same_vec(kin_get_motion(s->world, m), v2(s, 0, 0)));
    }
    EXPECT_IN(s->event_count, 0, 0);
    EXPECT(grounded(s, c));
    EXPECT_IN(capsule.count, 1, 1);
    EXPECT_IN(y_of(s, c), 0.4999, 0.505);

    at = b_pose;
    EXPECT(!kin_cast_ray(s->world, v2(s, 50, 5), v2(s, 0, 0), NULL, &hit));
    EXPECT(kin_cast_ray(s->world, v2(s, 0, 3), v2(s, 0, 0), NULL, &hit));
    EXPECT(kin_same(hit.id, m));
    EXPECT_IN(hit.t, 0, 0);
    at.p = v2(s, 50, 5);
    EXPECT(!kin_cast_shape(s->world, &ball, at, v2(s, 0, 0), NULL, &hit));
    at.p = v2(s, 0, 3);
    EXPECT(kin_cast_shape(s->world, &ball, at, v2(s, 0, 0), NULL, &hit));
    EXPECT_IN(hit.t, 0, 0);
    EXPECT(!kin_test_move(s->world, c, v2(s, 0, 0), NULL));
    EXPECT(same_vec(kin_move(s->world, c, v2(s, 0, 0)), v2(s, 0, 0)));
}

/* J09 contact overflow: 300 touching statics, buffer 16: overflow flagged, ground contact kept, walking still works.
   The walls come first, so a buffer filled in order would have no room for a floor. */
SCENARIO(J09_contact_overflow, ALL_SHAPES)
{
    kin_contact contacts[16];
    kin_ground  ground;
    kin_id      b;
    double      from = 0, hw = half_width(s);
    int         i, k, n, kept;
    open_earth(s);
    for (i = 0; i < 150; i++) add_static_box(s, -hw - 2, 0.01 * i - 1, -hw, 3);
    for (i = 0; i < 150; i++) add_static_box(s, -50 - 0.01 * i, -1, 50, 0);
    b = add_body(s, 0.001, 0.5);
    for (i = 0; i < 160; i++) {
        set_vx(s, b, i < 32 ? -1 : 3);
        if (i == 32) from = x_of(s, b);
        scene_step(s);
        EXPECT(kin_world_overflowed(s->world));
        EXPECT(grounded(s, b));
        ground = kin_get_ground(s->world, b);
        n = kin_get_contacts(s->world, b, contacts, 16);
        EXPECT_IN(n, 16, 16);
        for (k = 0, kept = 0; k < n; k++) kept += kin_same(contacts[k].other, ground.id);
        EXPECT_IN(kept, 1, 1);
    }
    EXPECT_NEAR(x_of(s, b) - from, 3, 0.001);
    EXPECT_REST(bottom_of(s, b));
}

/* J09 for what bears others: a crate whose list is full makes room for who stands on it, and both know of each other. */
SCENARIO(J09_full_ground, ALL_SHAPES)
{
    kin_world_desc w;
    kin_contact    contacts[3];
    kin_id         b, crate;
    int            i, k, n, kept;
    memset(&w, 0, sizeof w);
    w.gravity = v2(s, 0, -30);
    w.max_contacts = 3;
    open_world(s, &w);
    add_floor(s);
    crate = add_crate(s, 0, 0.5);
    add_crate(s, -1.0005, 0.5);
    add_crate(s, 1.0005, 0.5);
    settle(s);
    EXPECT_IN(kin_get_contacts(s->world, crate, contacts, 3), 3, 3);
    b = add_body(s, 0, 2);
    EXPECT(run_until_grounded(s, b, 64) > 0);
    for (i = 0; i < 32; i++) {
        scene_step(s);
        EXPECT(grounded(s, b) && grounded(s, crate));
        n = kin_get_contacts(s->world, crate, contacts, 3);
        for (k = 0, kept = 0; k < n; k++) kept += kin_same(contacts[k].other, b);
        EXPECT_IN(kept, 1, 1);
        EXPECT_IN(kin_get_contacts(s->world, b, NULL, 0), 1, 1);
    }
    EXPECT_IN(count_events(s, KIN_EVENT_BEGAN, b, crate), 1, 1);
}

/* ---- J10, J11, J18: memory ---------------------------------------------------------------------------------------- */

typedef struct heap { long calls, blocks, fail_at, failures, logs; bool lasts; size_t bytes; } heap;   /* lasts: until it is turned off */

static void *heap_allocate(size_t bytes, void *user)
{
    heap *h = (heap *)user;
    bool  fails = ++h->calls == h->fail_at || (h->lasts && h->fail_at && h->calls > h->fail_at);
    void *memory = fails ? NULL : malloc(bytes);
    if (!memory) { h->failures++; return NULL; }
    h->blocks++;
    h->bytes += bytes;
    return memory;
}

static void heap_release(void *memory, size_t bytes, void *user)
{
    heap *h = (heap *)user;
    if (!memory) return;
    h->blocks--;
    h->bytes -= bytes;
    free(memory);
}

static void heap_log(const char *text, void *user) { (void)text; ((heap *)user)->logs++; }

static kin_world_desc heap_world(heap *h)
{
    kin_world_desc d;
    memset(&d, 0, sizeof d);
    d.gravity.y = -30;
    d.allocate = heap_allocate;
    d.release = heap_release;
    d.on_log = heap_log;
    d.user = h;
    return d;
}

static const scene flat = { .mirror = 1 };

static void idle_control(kin_world *world, kin_id id, float dt, void *user) { (void)world; (void)id; (void)dt; (void)user; }
static void other_control(kin_world *world, kin_id id, float dt, void *user) { (void)world; (void)id; (void)dt; (void)user; }

/* A call that changes the world: number `i` of a long list. The result is whether it was refused. */
static bool heap_call_refused(kin_world *w, int i, kin_id *last)
{
    kin_static_desc f = static_desc(&flat, i, -1, i + 1 + 0.01 * i, 0);   /* shapes differ */
    kin_mover_desc  m = mover_desc(&flat, i, 5, 1 + 0.01 * i, 1);
    kin_body_desc   d = body_desc(&flat, i, 1);
    kin_vec         hull[8];
    kin_shape       shape;
    int             n;
    switch (i % 6) {
    case 0: return (last[0] = kin_add_static(w, &f)).slot == 0;
    case 1: m.control = idle_control; m.on_blocked = KIN_BLOCKED_STOP; return kin_add_mover(w, &m).slot == 0;
    case 2: d.control = i % 4 ? other_control : NULL; return (last[1] = kin_add_body(w, &d)).slot == 0;
    case 3:
        for (n = 0; n < 8; n++) hull[n] = v3(&flat, cos(0.7 * n) * (1 + 0.01 * i), sin(0.7 * n), n % 2 ? -1 : 1);
        f.shape = kin_hull(hull, 7, 0);
        return kin_add_static(w, &f).slot == 0;
    case 4: return kin_alive(w, last[0]) && kin_alive(w, last[1]) && !kin_ignore(w, last[0], last[1], true);
    default:
        shape = body_box(0.1 + 0.01 * i, 0.1);
        return kin_alive(w, last[1]) && !kin_set_shape(w, last[1], &shape);
    }
}

/* After the bad moment the world is like any other. */
static bool world_is_usable(kin_world *w)
{
    kin_static_desc f = static_desc(&flat, -300, -2, -200, 0);
    kin_body_desc   d = body_desc(&flat, -250, 0.5);
    kin_id          b;
    int             i;
    if (!kin_add_static(w, &f).slot) return false;
    b = kin_add_body(w, &d);
    for (i = 0; i < 4; i++)
        if (!kin_world_step(w, 1.0f / 128)) return false;
    return kin_on_ground(w, b);
}

/* One run in which the k-th allocation fails, and all later ones of the same call if it lasts: that call must be refused.
   A single failure may be made good by asking for less. How many failed. */
static long run_with_failure(long k, bool lasts, const char **wrong)
{
    heap           h;
    kin_world_desc d = heap_world(&h);
    kin_world     *w;
    kin_id         last[2];
    int            i;
    memset(&h, 0, sizeof h);
    memset(last, 0, sizeof last);
    h.fail_at = k;
    h.lasts = lasts;
    w = kin_world_create(&d);
    if (!w != (h.failures > 0) && (lasts || !w)) *wrong = "create";
    for (i = 0; w && i < 240 && !*wrong; i++) {
        uint64_t hash = kin_world_hash(w);
        long     before = h.failures, logs = h.logs;
        bool     refused = heap_call_refused(w, i, last);
        if (refused != (h.failures > before) && (lasts || refused)) *wrong = "a call that should have been refused, or the other way";
        if (refused && (kin_world_hash(w) != hash || h.logs != logs + 1)) *wrong = "a refused call that changed something or said nothing";
        if (h.failures > 0) h.fail_at = 0;
        if (i % 40 == 39 && !kin_world_step(w, 1.0f / 128)) *wrong = "a step";
    }
    h.fail_at = 0;
    if (w && !*wrong && !world_is_usable(w)) *wrong = "the world afterwards";
    kin_world_destroy(w);
    if (h.blocks != 0 || h.bytes != 0) *wrong = "memory that was not given back";
    return h.failures;
}

/* J10 allocation failure: allocator fails at the k-th call for every k: error returned, world usable. */
TEST J10_allocation_failure(void)
{
    const char *wrong = NULL;
    long        k = 1;
    int         lasts;
    for (lasts = 0; lasts < 2; lasts++) {
        for (k = 1; run_with_failure(k, lasts != 0, &wrong) > 0; k += TEST_SHARE > 10 ? 3 : 1)
            if (wrong) FAILm(wrong);
        if (wrong) FAILm(wrong);
        ASSERT(k > 10);
    }
    PASS();
}

/* J11 capacity full: add returns the invalid handle. */
TEST J11_capacity_full(void)
{
    heap            h;
    kin_world_desc  d = heap_world(&h);
    kin_static_desc f = static_desc(&flat, -50, -1, 50, 0);
    kin_mover_desc  m = mover_desc(&flat, 0, 5, 1, 1);
    kin_body_desc   b = body_desc(&flat, 0, 0.5);
    kin_world      *w;
    kin_id          id, first = nobody();
    size_t          bytes;
    void           *memory;
    uint64_t        hash;
    int             i, n = 0;
    memset(&h, 0, sizeof h);
    d.statics = 2; d.movers = 1; d.bodies = 3;
    bytes = kin_world_bytes(&d);
    memory = malloc(bytes);
    ASSERT(memory != NULL);
    w = kin_world_create_in(memory, bytes, &d);
    ASSERT(w != NULL);
    ASSERT(kin_add_static(w, &f).slot && kin_add_static(w, &f).slot && kin_add_mover(w, &m).slot);
    for (i = 0; i < 100; i++) {   /* what was asked for fits; a little more may */
        b.position = v2(&flat, 3 * i - 20, 0.5);
        hash = kin_world_hash(w);
        id = kin_add_body(w, &b);
        if (!id.slot) break;
        if (n++ == 0) first = id;
    }
    ASSERT(n >= 3 && n < 100);
    ASSERT(kin_world_hash(w) == hash && h.logs == 1);
    ASSERT_EQ(KIN_NOTHING, kin_get_kind(w, id));
    for (i = 0; i < 8; i++) ASSERT(kin_world_step(w, 1.0f / 128));
    ASSERT(kin_on_ground(w, first));
    ASSERT(kin_remove(w, first));
    ASSERT(kin_world_step(w, 1.0f / 128));
    id = kin_add_body(w, &b);
    ASSERT(id.slot != 0 && !kin_alive(w, first));
    ASSERT(!kin_add_body(w, &b).slot);
    for (i = 0; i < 8; i++) ASSERT(kin_world_step(w, 1.0f / 128));
    kin_world_destroy(w);
    ASSERT_EQ_FMT(0L, h.calls, "%ld");
    ASSERT(kin_world_create_in(memory, bytes / 2, &d) == NULL);
    free(memory);
    PASS();
}

/* J12 empty world: step and queries fine. */
SCENARIO(J12_empty_world, NO_MIRROR)
{
    kin_shape ball = kin_ball(0.5f);
    const kin_event *events;
    kin_pose  at;
    kin_hit   hit;
    kin_id    id;
    open_earth(s);
    run(s, 4);
    EXPECT_IN(kin_world_advance(s->world, 0.5), 64, 64);
    EXPECT_IN(kin_world_advance(s->world, 0), 0, 0);
    EXPECT_IN(kin_world_steps(s->world), 68, 68);
    memset(&at, 0, sizeof at);
    EXPECT(!kin_cast_ray(s->world, v2(s, 0, 0), v2(s, 1, 1), NULL, &hit));
    EXPECT(hit.id.slot == 0);
    EXPECT(!kin_cast_shape(s->world, &ball, at, v2(s, 5, 0), NULL, &hit));
    EXPECT(hit.id.slot == 0);
    EXPECT_IN(kin_overlap(s->world, &ball, at, NULL, &id, 1), 0, 0);
    EXPECT_IN(kin_next(s->world, KIN_NOTHING, nobody()).slot, 0, 0);
    EXPECT_IN(kin_get_events(s->world, &events), 0, 0);
    EXPECT(!kin_world_overflowed(s->world));
    EXPECT(!kin_alive(s->world, nobody()));
    EXPECT_IN(s->event_count, 0, 0);
}

static double random_in(unsigned *state, double low, double high)
{
    *state = *state * 1664525u + 1013904223u;
    return low + (high - low) * (double)(*state >> 8) / 16777216.0;
}

/* Both numbers in a fixed order, whatever the compiler. */
static kin_vec random_vec(const scene *s, unsigned *state, double low, double high)
{
    double x = random_in(state, low, high), y = random_in(state, low, high);
    return v2(s, x, y);
}

/* Ten boxes, half of them turned, and a body among them. */
static kin_id open_clutter(scene *s, unsigned *state)
{
    kin_body_desc d;
    int           i;
    open_earth(s);
    for (i = 0; i < 10; i++) {
        kin_vec         size = random_vec(s, state, 0.1, 3);
        kin_static_desc f = static_desc(s, 0, 0, fabs((double)size.x), (double)size.y);
        f.position = random_vec(s, state, -3, 3);
        if (i % 2) f.rotation = turn(s, random_in(state, 0, 6));
        put_static(s, &f);
    }
    d = body_desc(s, 0, 0);
    d.position = random_vec(s, state, -2, 2);
    return put_body(s, &d);
}

/* A body that can go nowhere, pressed upon by statics on all sides. */
static void expect_reported(scene *s, double gap_x, double gap_y)
{
    kin_id b;
    int    i;
    open_earth(s);
    add_static_box(s, -5, -5, -0.5 * gap_x, 5);
    add_static_box(s, 0.5 * gap_x, -5, 5, 5);
    add_static_box(s, -5, -5, 5, -0.5 * gap_y);
    add_static_box(s, -5, 0.5 * gap_y, 5, 5);
    b = add_body(s, 0, 0);
    for (i = 0; i < 64; i++) {
        set_v(s, b, i % 2 ? 5 : -5, 5);
        scene_step(s);
        EXPECT(kin_is_embedded(s->world, b) || kin_is_crushed(s->world, b));
        EXPECT_NEAR(x_of(s, b), 0, 1);
        EXPECT_NEAR(y_of(s, b), 0, 1);
    }
}

/* J16 stuck is reported: whenever a body cannot move although commanded and N2 cannot be met, an embedded/crush
   condition is open. No silent stuck. N2 itself is checked in every step of the second part, among random boxes. */
SCENARIO(J16_stuck_is_reported, ALL_SHAPES)
{
    static const double gaps[][2] = { { 0.7, 2 }, { 2, 0.7 }, { 0.7, 0.7 }, { 0.9, 0.95 }, { 0.1, 0.1 } };
    unsigned state = 1;
    int      i, k, n = 400 / (TEST_SHARE > 4 ? 4 : TEST_SHARE);
    for (i = 0; i < 5; i++) {
        if (s->form == FORM_CAPSULE && i == 3) continue;   /* it would fit */
        expect_reported(s, gaps[i][0], gaps[i][1]);
    }
    for (i = 0; i < n && !scene_failed(s); i++) {
        kin_id b = open_clutter(s, &state);
        for (k = 0; k < 24; k++) {
            if (k % 8 == 0) set_velocity(s, b, random_vec(s, &state, -8, 8));
            scene_step(s);
        }
        if (scene_failed(s)) {
            size_t used = strlen(s->fault);
            snprintf(s->fault + used, sizeof s->fault - used, " [set-up %d]", i);
        }
    }
}

/* J17 huge static under a small body: floor 1e5 wide, body 0.5: no y jitter. */
SCENARIO(J17_huge_static_under_a_small_body, ALL_SHAPES)
{
    static const double places[] = { 0, 1000, 40000 };
    kin_body_desc d;
    kin_id        b;
    double        y;
    int           i, k;
    open_earth(s);
    add_static_box(s, -5e4, -1, 5e4, 0);
    d = body_desc(s, 0, 0.25);
    d.shape = s->form == FORM_BOX ? body_box(0.5, 0.5) : s->form == FORM_BALL ? kin_ball(0.25f) : kin_capsule(0.5f, 0.2f);
    b = put_body(s, &d);
    for (k = 0; k < 3; k++) {
        teleport(s, b, places[k], 0.2501);
        set_vx(s, b, 0);
        settle(s);
        EXPECT_IN(bottom_of(s, b), -0.0001 - far_out(thing_of(s, b)), SLOP + far_out(thing_of(s, b)));
        y = y_of(s, b);
        for (i = 0; i < 640; i++) {
            set_vx(s, b, i % 128 < 96 ? 6 : 0);
            scene_step(s);
            EXPECT_IN(y_of(s, b), y, y);
            EXPECT(grounded(s, b));
        }
    }
}

/* J18 no allocation while stepping: after warm-up the allocator is not called. */
TEST J18_no_allocation_while_stepping(void)
{
    heap            h;
    kin_world_desc  d = heap_world(&h);
    kin_static_desc f = static_desc(&flat, -100, -1, 100, 0);
    kin_mover_desc  m;
    kin_body_desc   b;
    kin_world      *w;
    kin_id          movers[8], bodies[40];
    long            calls;
    int             i, k;
    memset(&h, 0, sizeof h);
    w = kin_world_create(&d);
    ASSERT(w != NULL);
    ASSERT(kin_add_static(w, &f).slot);
    for (i = 0; i < 8; i++) {
        m = mover_desc(&flat, 6 * i - 20, 1, 4, 0.5);
        m.on_blocked = i % 2 ? KIN_BLOCKED_STOP : KIN_BLOCKED_PASS;
        movers[i] = kin_add_mover(w, &m);
        f = static_desc(&flat, 6 * i - 20, 0, 6 * i - 19, 3);
        f.sensor = i % 2 == 0;
        ASSERT(kin_add_static(w, &f).slot);
    }
    for (i = 0; i < 40; i++) {
        b = body_desc(&flat, 1.2 * i - 22, 2 + i % 3);
        if (i % 3 == 0) b.shape = kin_ball(0.5f);
        b.report_continued = true;
        b.step_height = 0.3f;
        bodies[i] = kin_add_body(w, &b);
    }
    calls = h.calls;
    for (k = 0; k < 1000; k++) {
        for (i = 0; i < 8; i++) kin_set_velocity(w, movers[i], v2(&flat, 2 * sin(0.01 * k + i), 2 * cos(0.013 * k + i)));
        for (i = 0; i < 40; i++) kin_set_velocity(w, bodies[i], v2(&flat, 5 * sin(0.02 * k + i), k % 64 == i ? 10 : -1));
        if (k == 500) for (i = 0; i < 20; i++) kin_remove(w, bodies[i]);
        if (k == 600) kin_remove(w, movers[0]);
        for (i = k < 500 ? 0 : 20; i < 40 && k % 100 == 7; i++) kin_set_position(w, bodies[i], v2(&flat, 1.3 * i - 25, 4));
        if (k >= 500) for (i = 0; i < 20; i++) bodies[i] = bodies[20 + i];
        if (k >= 600) movers[0] = movers[1];
        ASSERT(kin_world_step(w, 1.0f / 128));
        ASSERT_EQ_FMT(calls, h.calls, "%ld");
    }
    ASSERT_EQ_FMT(0L, h.logs, "%ld");
    kin_world_destroy(w);
    ASSERT_EQ_FMT(0L, h.blocks, "%ld");
    PASS();
}

SUITE(robust)
{
    RUN_TEST(J01_bad_sizes);
    RUN_TEST(J02_bad_positions_and_velocities);
    RUN_TEST(J03_huge_velocity);
    RUN_TEST(J04_bad_polygons);
    RUN_TEST(J05_zero_length);
    RUN_TEST(J09_contact_overflow);
    RUN_TEST(J09_full_ground);
    RUN_TEST(J10_allocation_failure);
    RUN_TEST(J11_capacity_full);
    RUN_TEST(J12_empty_world);
    RUN_TEST(J16_stuck_is_reported);
    RUN_TEST(J17_huge_static_under_a_small_body);
    RUN_TEST(J18_no_allocation_while_stepping);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv)
{
    GREATEST_MAIN_BEGIN();
    RUN_SUITE(robust);
    GREATEST_MAIN_END();
}
