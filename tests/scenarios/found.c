/* SPDX-License-Identifier: MIT OR Unlicense

   found.c: section O of the catalogue, found in use: steps, what contacts tell, respawning. */
#include "scene.h"

enum { IMPACTS = 200 };

/* One impact on something whose near face is at x = 5 when time begins, and comes nearer at `face`. */
static void impact(scene *s, int on, double x, double speed, double face)
{
    kin_body_desc    d;
    const kin_event *e;
    int              i, count;
    open_floating(s);
    d = body_desc(s, 5.5, 0);
    for (i = 0; i < 4 && on == 3; i++) add_static_box(s, 5, i - 2 + x / 2, 6, i - 1 + x / 2);
    if (on == 0) add_static_box(s, 5, -5, 6, 5);
    if (on == 1) add_mover(s, 5.5, 0, 1, 10, -face, 0);
    d.push = KIN_UNPUSHABLE;
    d.shape = body_box(1, 10);
    if (on == 2) put_body(s, &d);
    d = body_desc(s, x, 0);
    d.velocity = v2(s, speed, 0);
    put_body(s, &d);
    while (!last_event(s, KIN_EVENT_BEGAN, nobody()) && s->steps < 2000) run(s, 1);
    EXPECT(last_event(s, KIN_EVENT_BEGAN, nobody()) != NULL);
    count = kin_get_events(s->world, &e);
    for (i = 0; i < count; i++)
        if (e[i].type == KIN_EVENT_BEGAN) EXPECT_NEAR(e[i].speed, speed + (on == 1 ? face : 0), 0.01);
}

static kin_id before_riser(scene *s, double x)
{
    kin_body_desc d;
    open_earth(s);
    add_floor(s);
    add_static_box(s, 3, -1, 50, 0.25);
    d = body_desc(s, x, 0.9);
    d.push = KIN_UNPUSHABLE;
    d.step_height = 0.3f;
    return put_body(s, &d);
}

/* O04 slow stairs: a walker that accelerates at 5 u/s^2 from a standstill at a riser of 0.25 is on top within 1 s; one
   that is held at 0.02 u/s climbs too. */
SCENARIO(O04_slow_stairs, RATE_60 | ALL_SHAPES | NO_MIRROR)
{
    kin_id b = before_riser(s, 2);
    int    i;
    run(s, steps_in(s, 0.5));
    for (i = 0; i < steps_in(s, 2) && right_of(s, b) < 2.98; i++) { set_vx(s, b, 1); scene_step(s); }
    set_v(s, b, 0, 0);
    run(s, steps_in(s, 0.25));
    for (i = 0; i < steps_in(s, 1); i++) { set_vx(s, b, vx_of(s, b) + 5 * (double)s->dt); scene_step(s); }
    EXPECT_REST(bottom_of(s, b) - 0.25);
    b = before_riser(s, 2.45);
    run(s, steps_in(s, 0.5));
    for (i = 0; i < steps_in(s, 20); i++) { set_vx(s, b, 0.02); scene_step(s); }
    EXPECT(bottom_of(s, b) > 0.05);
}

/* O05 speed over steps: 5 u/s given once, riser 0.25: velocity stays 5, at every phase. */
SCENARIO(O05_speed_over_steps, RATE_60 | ALL_SHAPES | NO_MIRROR)
{
    int i;
    for (i = 0; i < 100 / TEST_SHARE + 3; i++) {
        kin_id b = before_riser(s, 0.001 * i);
        run(s, steps_in(s, 0.5));
        set_v(s, b, 5, 0);
        run(s, steps_in(s, 1));
        EXPECT_NEAR(vx_of(s, b), 5, 1e-3);
        EXPECT_REST(bottom_of(s, b) - 0.25);
    }
}

/* O59 upstairs at every speed: eight steps of 0.1 to 0.28, 0.3 to 0.7 deep, at 1 to 30 u/s given once: no step in the
   air, velocity unchanged, and the end is where a walk on the flat ends, within the slop. */
SCENARIO(O59_upstairs, RATE_60 | ALL_SHAPES | NO_MIRROR)
{
    static const double speeds[] = { 2, 5, 10, 14, 20, 30 };
    int i, k;
    for (i = 0; i < 18; i += TEST_SHARE > 1 ? 7 : 1) {
        double        speed = speeds[i / 3] * (s->dt < 0.01f ? 1 : 0.5), rise = 0.1 + 0.09 * (i % 3), run = 0.3 + 0.2 * (i % 3), x;
        kin_body_desc d;
        kin_id        b;
        int           steps = steps_in(s, (6 + 8 * run) / speed);
        open_earth(s);
        add_floor(s);
        for (k = 0; k < 8; k++) add_static_box(s, 3 + k * run, -1, k < 7 ? 3 + (k + 1) * run : 80, (k + 1) * rise);
        d = body_desc(s, 0.0137 * i, 0.502);
        d.step_height = 0.3f;
        b = put_body(s, &d);
        settle(s);
        x = x_of(s, b);
        set_v(s, b, speed, 0);
        for (k = 0; k < steps; k++) {
            scene_step(s);
            EXPECT(grounded(s, b));
            EXPECT_NEAR(vx_of(s, b), speed, 1e-3);
        }
        EXPECT_NEAR(x_of(s, b), x + steps * speed * (double)s->dt, SLOP);
        EXPECT_REST(bottom_of(s, b) - 8 * rise);
    }
}

/* O59 slowly upstairs: steps of 0.05 to 0.24, as steep as 45 degrees and narrower than a round foot too, at 0.05 to 1 u/s,
   given once or held, at 60, 128 and 240 Hz: never in the air, velocity unchanged, and not behind or ahead of a walk on the
   flat by more than a twentieth of the slop at the end. */
SCENARIO(O59_slowly_upstairs, RATE_60 | ALL_SHAPES)
{
    static const double speeds[] = { 0.05, 0.5, 0.2, 1 }, rises[] = { 0.25, 0.2, 0.05, 0.13, 0.24 };
    static const double runs[] = { 1, 0.4, 0.3, 0.22, 0.24 };
    const float         dt = s->dt;
    int                 i, k;
    for (i = 0; i < 20; i += TEST_SHARE > 1 ? 7 : 1) {
        double        speed = speeds[i % 4], rise = rises[i % 5], run_ = runs[i % 5], x, height = 0;
        int           steps, count = i % 5 == 0 ? 1 : 3;
        kin_body_desc d;
        kin_id        b;
        if (i % 4 == 1 && dt < 0.01f) s->dt = 1.0f / 240;
        open_earth(s);
        add_floor(s);
        for (k = 0; k < count; k++) add_static_box(s, k * run_, -1, 20, height += rise);
        d = body_desc(s, -half_width(s) - 0.03 - 0.00037 * (i % 3), 0.502);
        d.step_height = 0.3f;
        b = put_body(s, &d);
        settle(s);
        x = x_of(s, b);
        set_vx(s, b, speed);
        steps = steps_in(s, (2 * half_width(s) + (count - 1) * run_ + 0.1) / speed);
        for (k = 0; k < steps; k++) {
            if (i & 1) set_vx(s, b, speed);
            scene_step(s);
            EXPECT(grounded(s, b));
            EXPECT_NEAR(vx_of(s, b), speed, 1e-4);
        }
        EXPECT_NEAR(x_of(s, b), x + steps * speed * (double)s->dt, 0.05 * SLOP);
        EXPECT_REST(bottom_of(s, b) - height);
        s->dt = dt;
    }
}

/* O17 speed of contacts: impacts at random phases, also where two pieces of a wall meet: every BEGAN.speed equals the
   speed before, +-0.01. */
SCENARIO(O17_speed_of_contacts, RATE_60 | ALL_SHAPES | NO_MIRROR)
{
    unsigned bits = 17;
    int      i;
    for (i = 0; i < IMPACTS / TEST_SHARE + 3; i++) {
        double x, speed, face;
        x = (double)(bits = bits * 1103515245u + 12345u) / 4294967296.0 * 2;
        speed = 1 + (double)(bits = bits * 1103515245u + 12345u) / 4294967296.0 * 12;
        face = (double)(bits = bits * 1103515245u + 12345u) / 4294967296.0 * 2;
        impact(s, i % 4, x, speed, face);
        if (s->fault[0]) return;
    }
}

/* O19 respawn: a body that jumped off a lift is put back: it has lost what the lift left it. */
SCENARIO(O19_respawn, RATE_60 | ALL_SHAPES)
{
    kin_body_desc d;
    kin_id        b;
    open_earth(s);
    add_mover(s, 0, -0.5, 4, 1, 6, 0);
    d = body_desc(s, 0, 0.5);
    b = put_body(s, &d);
    run(s, 10);
    set_v(s, b, 0, 10);
    run(s, 2);
    EXPECT(dv_len(dv_of(kin_get_leftover(s->world, b))) > 5);
    teleport(s, b, 0, 20);
    set_v(s, b, 0, 0);
    EXPECT(dv_len(dv_of(kin_get_leftover(s->world, b))) == 0);
    run(s, 20);
    EXPECT_POS(x_of(s, b), 0);
}

typedef struct purse { int coins[5], ended; kin_id ids[5]; } purse;

static void take_coin(scene *s, const kin_event *event)
{
    purse *p = (purse *)s->user;
    int   *coin = event->type == KIN_EVENT_BEGAN || event->type == KIN_EVENT_ENDED
                      ? (int *)kin_get_user(s->world, event->b) : NULL;
    if (!coin) return;
    (*coin)++;
    if (event->type == KIN_EVENT_BEGAN && coin != &p->coins[4]) take_out(s, event->b);
    if (event->type == KIN_EVENT_ENDED) p->ended++;
}

/* Users of all that the list names, with new things in the slots of the old. */
static void read_events(scene *s, const purse *p)
{
    const kin_event *e;
    int              i, k, count = kin_get_events(s->world, &e);
    kin_static_desc  fresh = static_desc(s, 50, 50, 51, 51);
    for (i = 0; i < count; i++) {
        if (e[i].type == KIN_EVENT_ENDED) put_static(s, &fresh);
        for (k = 0; k < 5; k++)
            if (kin_same(e[i].b, p->ids[k])) EXPECT(kin_get_user(s->world, e[i].b) == &p->coins[k]);
    }
}

/* O50 users of the dead: a walker takes four sensor coins in their BEGAN, their ENDED still tell their users: in the
   callback, and in the list when their slots are taken again. Then the walker goes, and the floor with it. */
SCENARIO(O50_users_of_the_dead, RATE_60 | ALL_SHAPES)
{
    purse           p;
    kin_static_desc coin = static_desc(s, 0, 0, 0.25, 0.25), ground;
    kin_id          b, f;
    int             i;
    open_earth(s);
    memset(&p, 0, sizeof p);
    ground = static_desc(s, -100, -1, 100, 0);
    ground.user = &p.coins[4];
    f = p.ids[4] = put_static(s, &ground);
    b = add_body(s, -2, 0.9);
    coin.sensor = true;
    for (i = 0; i < 4; i++) {
        coin.position = v2(s, i, 0.4);
        coin.user = &p.coins[i];
        p.ids[i] = put_static(s, &coin);
    }
    s->user = &p;
    s->on_event = take_coin;
    for (i = 0; i < steps_in(s, 2); i++) {
        set_vx(s, b, 4);
        scene_step(s);
        read_events(s, &p);
    }
    EXPECT_IN(p.ended, 4, 4);
    for (i = 0; i < 5; i++) EXPECT_IN(p.coins[i], i < 4 ? 2 : 1, 2);
    take_out(s, b);
    take_out(s, f);
    run(s, 1);
    read_events(s, &p);
    EXPECT_IN(p.ended, 5, 5);
    s->allow_log = true;
    run(s, 1);
    EXPECT(kin_get_user(s->world, p.ids[4]) == NULL && s->logs == 1);
}

/* A surface from x0 to x1 at height y: a segment, in 3D two triangles. The second one that is added begins at part 1 or
   2. */
static void add_shelf(const scene *s, kin_vec *points, int *indices, int number, double x0, double x1, double y)
{
    int i, corners = KINEMATIC_DIM == 2 ? 2 : 4;
    for (i = 0; i < corners; i++)
        points[number * corners + i] = v3(s, i % 2 ? x1 : x0, y, i < 2 ? -DEPTH / 2 : DEPTH / 2);
    for (i = 0; i < (KINEMATIC_DIM == 2 ? 2 : 6); i++)
        indices[number * (KINEMATIC_DIM == 2 ? 2 : 6) + i] = number * corners + "\0\1\2\1\3\2"[i];
}

static kin_id put_shelves(scene *s, const kin_vec *points, const int *indices, int count)
{
    kin_mesh_desc m;
    memset(&m, 0, sizeof m);
    m.points = points;
    m.point_count = count * (KINEMATIC_DIM == 2 ? 2 : 4);
    m.indices = indices;
    m.index_count = count * (KINEMATIC_DIM == 2 ? 2 : 6);
    return kin_add_mesh(s->world, &m);
}

/* O51 the deepest part: a box that starts 0.05 in one surface of a mesh and 0.35 in the other names the second,
   whichever comes first; the same of cells, of two things, and of kin_test_move. */
SCENARIO(O51_the_deepest_part, 0)
{
    kin_vec       points[8];
    int           indices[12], k, deep = KINEMATIC_DIM == 2 ? 1 : 2;
    kin_shape     cube = body_box(1, 1);
    kin_body_desc d;
    for (k = 0; k < 2; k++) {
        kin_hit hit;
        kin_id  low, high;
        open_floating(s);
        s->skip |= 1 << 2;   /* the mesh is none of the scene's things */
        add_shelf(s, points, indices, k, -5, 5, 0);
        add_shelf(s, points, indices, 1 - k, -5, 5, 0.3);
        put_shelves(s, points, indices, 2);
        EXPECT(kin_cast_shape(s->world, &cube, (kin_pose){ .p = v2(s, 0, 0.45) }, v2(s, 0, -1), NULL, &hit));
        EXPECT(hit.t <= 0 && (k == 0 ? hit.part >= deep : hit.part < deep));
        EXPECT_NEAR(hit.point.y, 0.3, 1e-5);
        d = body_desc(s, 0, 0.45);
        EXPECT(kin_test_move(s->world, kin_add_body(s->world, &d), v2(s, 0, -1), &hit));
        EXPECT(hit.t <= 0 && (k == 0 ? hit.part >= deep : hit.part < deep));
        low = k ? add_static_box(s, 20, -2, 30, 0.3) : add_static_box(s, 20, -2, 30, 0);
        high = k ? add_static_box(s, 20, -2, 30, 0) : add_static_box(s, 20, -2, 30, 0.3);
        EXPECT(kin_cast_shape(s->world, &cube, (kin_pose){ .p = v2(s, 25, 0.45) }, v2(s, 0, -1), NULL, &hit));
        EXPECT(kin_same(hit.id, k ? low : high));
    }
}

/* O52 points of overlaps: a box 0.1 over the edge of a surface touches it at the edge, in casts and in contacts. */
SCENARIO(O52_points_of_overlaps, RATE_60)
{
    kin_vec          points[4];
    int              indices[6];
    kin_shape        cube = body_box(1, 1);
    kin_hit          hit;
    const kin_event *e;
    kin_body_desc    d = body_desc(s, -0.4, 0.1);
    open_floating(s);
    s->skip |= 1 << 2;
    add_shelf(s, points, indices, 0, 0, 5, 0);
    put_shelves(s, points, indices, 1);
    EXPECT(kin_cast_shape(s->world, &cube, (kin_pose){ .p = v2(s, -0.4, 0.1) }, v2(s, 1, 0), NULL, &hit));
    EXPECT_NEAR(s->mirror * hit.normal.x, -1, 1e-5);
    EXPECT_NEAR(hit.point.x, 0, 1e-5);
    EXPECT_NEAR(hit.point.y, 0, 1e-5);
    d.shape = cube;
    put_body(s, &d);
    run(s, 1);
    e = last_event(s, KIN_EVENT_BEGAN, nobody());
    EXPECT(e != NULL);
    if (!e) return;
    EXPECT_NEAR(e->point.x, 0, 1e-5);
    EXPECT_NEAR(e->point.y, 0, 1e-5);
}

/* Coins of a grid: cells of row 1, in 3D of the middle layer. How often each began and ended. */
enum { WIDE = 24, LAYERS = KINEMATIC_DIM == 2 ? 1 : 3 };
typedef struct till { int began[WIDE], ended[WIDE], others; kin_id grid; bool takes; } till;

static int coin_part(int x) { return x + WIDE + (LAYERS / 2) * 3 * WIDE; }

static void count_coin(scene *s, const kin_event *event)
{
    till *t = (till *)s->user;
    int   x = event->part - coin_part(0);
    if (event->type != KIN_EVENT_BEGAN && event->type != KIN_EVENT_ENDED) return;
    if (!kin_same(event->b, t->grid) || x < 0 || x >= WIDE) { t->others++; return; }
    (event->type == KIN_EVENT_BEGAN ? t->began : t->ended)[x]++;
    if (!t->takes || event->type != KIN_EVENT_BEGAN) return;
#if KINEMATIC_DIM == 2
    kin_set_tile(s->world, event->b, kin_c(x, 1), KIN_TILE_EMPTY);
#else
    kin_set_tile(s->world, event->b, kin_c(x, 1, LAYERS / 2), KIN_TILE_EMPTY);
#endif
}

/* A floor of tiles, and coins in it or in a grid of their own; a walker at x = 1. */
static kin_id open_till(scene *s, till *t, bool apart, int room, int coins)
{
    uint8_t        cells[WIDE * 3 * LAYERS];
    kin_world_desc w;
    kin_tiles_desc d;
    kin_body_desc  b;
    int            i;
    memset(&w, 0, sizeof w);
    memset(&d, 0, sizeof d);
    memset(cells, 0, sizeof cells);
    w.gravity.y = -30;
    w.max_sensor_contacts = room;
    w.max_contacts = room;
    open_world(s, &w);
    s->on_event = count_coin;
    s->user = t;
    d.size.x = WIDE;
    d.size.y = 3;
#if KINEMATIC_DIM == 3
    d.size.z = LAYERS;
#endif
    d.cells = cells;
    for (i = 0; i < WIDE * LAYERS; i++) cells[i % WIDE + i / WIDE * 3 * WIDE] = KIN_TILE_SOLID;
    if (apart) kin_add_tiles(s->world, &d);
    if (apart) memset(cells, 0, sizeof cells);
    for (i = 0; i < coins; i++) cells[coin_part(i < 2 ? 4 + i : 4 + 2 * i)] = KIN_TILE_SENSOR;
    t->grid = kin_add_tiles(s->world, &d);
    b = body_desc(s, 0, 0);
    b.position = KINEMATIC_DIM == 2 ? v2(s, 0, 1.5) : v3(s, 0, 1.5, 1.5);
    b.position.x = 1;
    b.shape = body_box(0.8, 0.9);
    return kin_add_body(s->world, &b);
}

static void walk_coins(scene *s, bool apart, bool takes, float speed)
{
    till    t;
    kin_id  b;
    kin_vec v;
    int     i;
    memset(&t, 0, sizeof t);
    t.takes = takes;
    b = open_till(s, &t, apart, 16, 4);
    for (i = 0; i < 400 && kin_get_position(s->world, b).x < WIDE - 5; i++) {
        v = kin_get_velocity(s->world, b);
        v.x = speed;
        kin_set_velocity(s->world, b, v);
        kin_world_step(s->world, s->dt);
    }
    kin_world_step(s->world, s->dt);
    for (i = 0; i < WIDE; i++) {
        bool coin = i == 4 || i == 5 || i == 8 || i == 10;
        EXPECT_IN(t.began[i], coin, coin);
        EXPECT_IN(t.ended[i], coin, coin);
    }
}

/* O18 coins: each of four coins, two of them side by side, begins and ends once, in the grid that is walked on
   and in one of their own, taken or not, also if they are crossed within a step. */
SCENARIO(O18_coins, RATE_60 | NO_MIRROR)
{
    int i;
    for (i = 0; i < 8; i++) walk_coins(s, i & 1, (i & 2) != 0, i & 4 ? 500 : 5);
}

/* O54 more sensors than fit: with room for two contacts of each sort, a body in six sensor cells is told of two and
   keeps its ground; none ends before it is left, and the others begin when there is room. */
SCENARIO(O54_more_sensors_than_fit, RATE_60 | NO_MIRROR)
{
    till          t;
    kin_body_desc d = body_desc(s, 0, 0);
    kin_id        b;
    int           i, k, open;
    memset(&t, 0, sizeof t);
    b = open_till(s, &t, false, 2, 10);
    for (i = 0; i < steps_in(s, 6); i++) {
        kin_vec v = kin_get_velocity(s->world, b);
        v.x = 4;
        kin_set_velocity(s->world, b, v);
        if (i == 20) { d.shape = body_box(5.8, 0.9); EXPECT(kin_set_shape(s->world, b, &d.shape)); }
        kin_world_step(s->world, s->dt);
        EXPECT(i < 20 || kin_on_ground(s->world, b));
        for (k = open = 0; k < WIDE; k++) {
            double left = (double)kin_get_position(s->world, b).x - 2.9;
            open += t.began[k] - t.ended[k];
            EXPECT(i < 20 || t.ended[k] == 0 || left > k + 0.9);
        }
        EXPECT_IN(open, 0, 2);
    }
    for (k = 0; k < WIDE; k++) EXPECT_IN(t.began[k], t.ended[k], t.ended[k] + 1);
    EXPECT_IN(t.began[4] + t.began[5] + t.began[8] + t.began[10] + t.began[12] + t.began[14], 4, 6);
}

static void mark_user(kin_world *world, kin_id id, float dt, void *user)
{
    (void)world, (void)id, (void)dt;
    if (user) ++*(int *)user;
}

static void load_into(scene *s, const void *saved, size_t bytes, bool trusts, int *calls, int expected)
{
    kin_world_desc w;
    kin_world     *other;
    kin_body_desc  d = body_desc(s, 0, 0);
    kin_id         id;
    memset(&w, 0, sizeof w);
    w.trust_snapshots = trusts;
    w.on_log = scene_log;
    w.user = s;
    other = kin_world_create(&w);
    d.control = mark_user;
    d.user = s;
    kin_add_body(other, &d);   /* it knows the controller, and another user for the first handle */
    s->allow_log = true;
    EXPECT(kin_snapshot_load(other, saved, bytes));
    EXPECT_IN(s->logs, trusts ? 0 : 1, trusts ? 0 : 1);
    *calls = 0;
    kin_world_step(other, s->dt);
    EXPECT_IN(*calls, expected, expected);
    for (id = kin_next(other, KIN_BODY, nobody()); id.slot; id = kin_next(other, KIN_BODY, id))
        EXPECT(kin_get_user(other, id) == (trusts ? calls : NULL));
    kin_world_destroy(other);
}

/* O55 users in snapshots: a world takes back the users that it gave itself, over removals, changes and slots that were
   taken again; another world takes none, unless it trusts, and its controllers are not called with them. */
SCENARIO(O55_users_in_snapshots, NO_MIRROR)
{
    kin_body_desc d = body_desc(s, 0, 0);
    int           user[4] = { 0, 0, 0, 0 }, i;
    kin_id        ids[3], fresh;
    size_t        bytes;
    void         *early, *late;
    open_floating(s);
    d.control = mark_user;
    for (i = 0; i < 3; i++) {
        d.position.x = 3 * (float)i;
        d.user = &user[0];
        ids[i] = kin_add_body(s->world, &d);
    }
    kin_set_user(s->world, ids[1], &user[1]);
    bytes = kin_snapshot_size(s->world);
    early = malloc(bytes);
    EXPECT(kin_snapshot_save(s->world, early, bytes) == bytes);
    kin_remove(s->world, ids[0]);
    kin_world_step(s->world, s->dt);
    kin_world_step(s->world, s->dt);
    d.user = &user[2];
    fresh = kin_add_body(s->world, &d);
    EXPECT(fresh.slot == ids[0].slot);
    kin_set_user(s->world, ids[1], &user[3]);
    late = malloc(kin_snapshot_size(s->world));
    EXPECT(kin_snapshot_save(s->world, late, kin_snapshot_size(s->world)) > 0);
    for (i = 0; i < 3; i++) {
        EXPECT(kin_snapshot_load(s->world, early, bytes));
        EXPECT(kin_get_user(s->world, ids[0]) == &user[0] && kin_get_user(s->world, ids[1]) == &user[1]);
        EXPECT(kin_snapshot_load(s->world, late, kin_snapshot_size(s->world)));
        EXPECT(kin_get_user(s->world, fresh) == &user[2] && kin_get_user(s->world, ids[1]) == &user[3]);
    }
    EXPECT(kin_snapshot_load(s->world, early, bytes));
    kin_set_user(s->world, ids[1], &user[0]);
    EXPECT(kin_snapshot_save(s->world, early, bytes) == bytes && s->logs == 0);
    load_into(s, early, bytes, true, &user[0], 3);
    load_into(s, early, bytes, false, &user[0], 0);
    free(early);
    free(late);
}

/* O56 a lift that waits: one that counts only the steps in which it is not blocked goes on as slowly as before when the
   rider's ceiling is taken away, and reaches its top. */
SCENARIO(O56_a_lift_that_waits, RATE_60 | ALL_SHAPES)
{
    kin_mover_desc m = mover_desc(s, 0, 0, 4, 1);
    kin_id         lift, ceiling, b;
    int            ticks = 0, i, waits = 0;
    double         top = 0;
    open_earth(s);
    m.on_blocked = KIN_BLOCKED_STOP;
    lift = put_mover(s, &m);
    ceiling = add_static_box(s, -4, 3.5, 4, 4.5);
    b = add_body(s, 0, 1.5);
    for (i = 0; i < steps_in(s, 8); i++) {
        if (i == steps_in(s, 4)) { EXPECT(kin_is_blocked(s->world, lift)); take_out(s, ceiling); }
        move_to(s, lift, 0, 2 - 2 * cos(ticks * (double)s->dt), 0);
        scene_step(s);
        waits += kin_is_blocked(s->world, lift);
        ticks += !kin_is_blocked(s->world, lift);
        EXPECT_IN(motion_y(s, lift), -2.01, 2.01);
        EXPECT_IN(count_events(s, KIN_EVENT_CRUSHED, b, nobody()), 0, 0);
        if (y_of(s, lift) > top) top = y_of(s, lift);
    }
    EXPECT_IN(waits, steps_in(s, 2), steps_in(s, 4));
    EXPECT_NEAR(top, 4, 0.01);
}

/* O08 acute corner: B 0.01 deep in both sides of a V of 25 to 150 degrees is out of both within 4 steps, no further than
   they ask for. */
SCENARIO(O08_acute_corner, RATE_60 | ALL_SHAPES)
{
    double opening;
    for (opening = 25; opening <= 150; opening += 12.5) {
        double rise = 90 - 0.5 * opening, c = cos(DEGREES(rise)), k = sin(DEGREES(rise));
        double y = (height_on_slope(s, rise) - 0.01) / c;
        kin_id b, left, right;
        open_earth(s);
        left = add_slope(s, -8 * c, 8 * k, -rise, 8);
        right = add_slope(s, 0, 0, rise, 8);
        b = add_body(s, 0, y);
        run(s, 4);
        EXPECT(!kin_is_embedded(s->world, b));
        EXPECT(gap_between(s, b, left) > -SLOP);
        EXPECT(gap_between(s, b, right) > -SLOP);
        EXPECT_IN(y_of(s, b), y, y + (0.01 + SLOP) / c);
    }
}

/* O09 freed while walking: B walks 0.02 deep in the top of a mover, which may move too, near its end: it is freed
   within two steps, no further than it has to, and jumps. */
SCENARIO(O09_freed_while_walking, RATE_60 | ALL_SHAPES)
{
    static const double ways[4][3] = { { 2, 0, 0 }, { -2, 0, 0 }, { 2, 1, 0 }, { 2, 0, -1 } };
    int i;
    for (i = 0; i < 4; i++) {
        kin_body_desc d;
        kin_id        b, m;
        open_earth(s);
        m = add_mover(s, 0, -0.5, 4, 1, ways[i][1], ways[i][2]);
        d = body_desc(s, -2.1, 0.48);
        d.velocity = v2(s, ways[i][0], 0);
        b = put_body(s, &d);
        run(s, 2);
        EXPECT(!kin_is_embedded(s->world, b));
        EXPECT_IN(gap_between(s, b, m), -SLOP, 0.02);
        EXPECT_NEAR(x_of(s, b), -2.1 + 2 * (double)s->dt * ways[i][0], 2 * (double)s->dt + 0.001);
        set_v(s, b, ways[i][0], 8);
        run(s, 2);
        EXPECT(gap_between(s, b, m) > 8 * (double)s->dt);
    }
}

/* O42 crate in a wheel: placed 0.12 to 0.3 into a wheel it is out within a step, whichever way that turns. */
SCENARIO(O42_crate_in_a_wheel, RATE_60)
{
    int i;
    for (i = 0; i < 9; i++) {
        kin_mover_desc d;
        kin_id         b, m;
        open_earth(s);
        d = mover_desc(s, 2, 0, 4, 4);
        d.shape = kin_ball(2);
        d.spin = spin(s, 0.8 * (i % 3 - 1));
        m = put_mover(s, &d);
        b = add_crate(s, 0.7 - 0.05 * (i / 3), 2.05);
        EXPECT(gap_between(s, b, m) < -0.1);
        run(s, 1);
        EXPECT(!kin_is_embedded(s->world, b));
        EXPECT_IN(gap_between(s, b, m), -SLOP, SLOP);
    }
}

/* O42 slid off a wheel: a crate slides down a ball that stands or turns, and lies on the floor: it stops, unless it
   glides. */
SCENARIO(O42_slid_off_a_wheel, RATE_60)
{
    int i;
    for (i = 0; i < 8; i++) {
        kin_mover_desc d;
        kin_body_desc  c;
        kin_id         b;
        open_earth(s);
        add_floor(s);
        d = mover_desc(s, 2, 6, 4, 4);
        d.shape = kin_ball(2);
        d.spin = spin(s, 0.8 * (i % 4 - 1));
        if (i % 4 < 3) put_mover(s, &d);
        else {
            kin_static_desc ball = static_desc(s, 0, 4, 4, 8);
            ball.shape = d.shape;
            put_static(s, &ball);
        }
        c = crate_desc(s, -0.1, 7.75);
        c.glide = i >= 4;
        b = put_body(s, &c);
        run(s, steps_in(s, 3));
        EXPECT(grounded(s, b) && y_of(s, b) < 1);
        EXPECT((fabs(vx_of(s, b)) > 0.1) == (i >= 4));
    }
}

/* A lift that stops when blocked, its top at 0, under a ceiling at 3 that begins at x; B stands on it. */
static kin_id under_ceiling(scene *s, double x, kin_id *lift)
{
    kin_mover_desc d;
    open_earth(s);
    add_static_box(s, x, 3, x + 10, 4);
    d = mover_desc(s, 0, -0.5, 4, 1);
    d.on_blocked = KIN_BLOCKED_STOP;
    *lift = put_mover(s, &d);
    return add_body(s, 0, 0.5);
}

/* O16 blocked lift goes back: a lift presses B to a ceiling, stops, goes back at 0.01 to 1 u/s: neither crushed nor
   embedded. */
SCENARIO(O16_blocked_lift_goes_back, RATE_60 | ALL_SHAPES)
{
    static const double back[4] = { 0.01, 0.05, 0.3, 1 };
    int i;
    for (i = 0; i < 8; i++) {
        kin_id lift, b = under_ceiling(s, -5, &lift);
        set_v(s, lift, 0, 1 + i / 4);
        run(s, steps_in(s, 2.5));
        EXPECT(count_events(s, KIN_EVENT_BLOCKED, lift, nobody()) > 0);
        set_v(s, lift, 0, -back[i % 4]);
        run(s, steps_in(s, 1));
        EXPECT_IN(count_events(s, KIN_EVENT_CRUSHED, b, nobody()) + count_events(s, KIN_EVENT_EMBEDDED, b, nobody()), 0, 0);
    }
}

/* O16 under a ceiling's corner: B jumps off a lift that is driven by time and stops when blocked, half under a ceiling: it
   is never in the lift. */
SCENARIO(O16_under_a_ceilings_corner, RATE_60 | ALL_SHAPES)
{
    int i, k;
    for (i = 0; i < 16; i++) {
        kin_id lift, b = under_ceiling(s, 0.1 * (1 + i % 2), &lift);
        double speed = 3 + i / 2 % 2;
        int    every = 33 + 13 * (i / 4);
        for (k = 0; k < steps_in(s, 3); k++) {
            if ((k % every == every - 1 || k % every == every / 2) && kin_on_ground(s->world, b)) set_v(s, b, vx_of(s, b), 6);
            move_to(s, lift, 0, 1 - 1.5 * cos((double)k * (double)s->dt * speed / 1.5), 0);
            scene_step(s);
            EXPECT(!kin_is_embedded(s->world, b));
            EXPECT(gap_between(s, b, lift) > -PRESSED);
        }
    }
}

static void expect_log(scene *s, const char *text)
{
    if (strcmp(s->log, text) != 0) scene_fail(s, "log is \"%s\", not \"%s\"", s->log, text);
}

/* O57 messages: what is refused is told with the rule, the numbers and the limit; time that is dropped in every call, as
   by milliseconds, is told once. */
SCENARIO(O57_messages, NO_MIRROR)
{
    kin_body_desc  d = body_desc(s, 0, 0);
    kin_mover_desc m = mover_desc(s, 5, 0, 1, 1);
    kin_id         mover;
    int            i;
    open_earth(s);
    s->allow_log = true;
    d.shape = kin_capsule(0.4f, 1.8f);
    EXPECT(d.shape.count == 0 && kin_add_body(s->world, &d).slot == 0);
    expect_log(s, "kin_add_body: shape is a capsule whose height is less than twice its radius (0.4, 1.8)");
    d.shape = kin_ball(0.5f);
    d.max_slope = 45;
    EXPECT(kin_add_body(s->world, &d).slot == 0);
    expect_log(s, "kin_add_body: max_slope is too large (45), at most 1.5708 radians");
    mover = kin_add_mover(s->world, &m);
    EXPECT(!kin_on_ground(s->world, mover));
    EXPECT(strstr(s->log, "kin_on_ground: body is not a body but a mover (slot ") == s->log);
    EXPECT(!kin_set_position(s->world, mover, v2(s, 0, 2e9)));
    EXPECT(strstr(s->log, "at most 1e+9"));
    s->logs = 0;
    kin_world_advance(s->world, 16);
    kin_world_advance(s->world, 0.01);
    EXPECT_IN(s->logs, 0, 0);
    for (i = 0; i < 12; i++) kin_world_advance(s->world, i == 8 ? 0.01 : 16);
    EXPECT_IN(s->logs, 1, 1);
    EXPECT(strstr(s->log, "milliseconds"));
}

/* O20 kin_move: kin_test_move tells of the crate 2 units away, kin_move of 5 stops there. */
SCENARIO(O20_kin_move, ALL_SHAPES)
{
    kin_body_desc d;
    kin_id        b, c;
    kin_hit       hit;
    open_floating(s);
    c = add_crate(s, 3, 0);
    d = body_desc(s, 0, 0);
    d.push = KIN_UNPUSHABLE;
    b = put_body(s, &d);
    EXPECT(kin_test_move(s->world, b, v2(s, 5, 0), &hit) && kin_same(hit.id, c));
    EXPECT_NEAR((double)hit.t * 5, 2.5 - half_width(s), 0.01);
    move_now(s, b, 5, 0);
    EXPECT_NEAR(right_of(s, b), 2.5, 0.01);
}

/* How far a body slides in 1 s down a slope of so many degrees, in the frame of the slope; the game writes `stick` across
   up before every step. */
static double slid(scene *s, double degrees, bool seams, bool writes, double stick)
{
    const double  c = cos(DEGREES(degrees)), k = sin(DEGREES(degrees));
    kin_body_desc d;
    kin_id        b;
    double        y;
    int           i;
    open_earth(s);
    if (!seams) add_slope(s, -30 * c, -30 * k, degrees, 40);
    for (i = -50; i < 5 && seams; i++) add_slope(s, 0.7 * i * c, 0.7 * i * k, degrees, 0.7);
    d = body_on_slope(s, 0, 0, degrees);
    b = put_body(s, &d);
    y = y_of(s, b);
    for (i = 0; i < steps_in(s, 1); i++) {
        if (writes) set_vx(s, b, stick);
        scene_step(s);
    }
    return (y - y_of(s, b)) / k;
}

static void steep_slides(scene *s)
{
    int i, degrees, seams;
    for (i = 0; i < 6; i++)
        for (seams = 0; seams < 2; seams++) {
            const double whole = 15 * sin(DEGREES(degrees = i < 2 ? 46 + i : 30 + 10 * i));
            kin_id       b;
            EXPECT_IN(slid(s, degrees, seams > 0, false, 0) / whole, 0.95, 1.02);
            EXPECT_IN(slid(s, degrees, seams > 0, true, 0) / whole, 0.95, 1.02);
            EXPECT_IN(slid(s, degrees, seams > 0, true, 6) / whole, 0.95, 1.02);
            b = s->things[s->thing_count - 1]->id;
            set_v(s, b, 0, 0);
            run(s, 1);
            EXPECT_IN(dv_len(dv_of(kin_get_velocity(s->world, b))), 0, 30 * (double)s->dt);
            set_v(s, b, -12, 0);
            run(s, 4);
            EXPECT(footing_of(s, b) == KIN_AIR);
        }
}

/* O06 steep slide: 46 to 80 degrees, in one piece and with seams, vx written as 0 or as 6 uphill in every step: as far as without, and 95 to 102 % of
   0.5 g sin(a) in 1 s, at 240 Hz too. Written as 12 downhill it leaves; vy written as 0 once stops it. */
SCENARIO(O06_steep_slide, RATE_60 | ALL_SHAPES)
{
    float dt = s->dt;
    steep_slides(s);
    s->dt = 1.0f / 240;
    steep_slides(s);
    s->dt = dt;
}

/* How far down a body comes in 1 s on a mover of 60 degrees. */
static double slid_on_mover(scene *s, double vx, double vy, bool writes)
{
    const double  c = cos(DEGREES(60)), k = sin(DEGREES(60));
    kin_mover_desc m;
    kin_body_desc  d;
    kin_id         b;
    double         y;
    int            i;
    open_earth(s);
    m = mover_desc(s, -10 * c + k, -10 * k - c, 40, 2);
    m.velocity = v2(s, vx, vy);
    m.rotation = turn(s, DEGREES(60));
    put_mover(s, &m);
    d = body_on_slope(s, 0, 0, 60);
    b = put_body(s, &d);
    y = y_of(s, b);
    for (i = 0; i < steps_in(s, 1); i++) {
        if (writes) set_vx(s, b, 0);
        scene_step(s);
    }
    return y - y_of(s, b);
}

/* O06 on movers: the same on movers that come, go, rise and sink, relative to them: vx written as 0 in every step slides
   as far as without, +-1 %. */
SCENARIO(O06_steep_slide_on_movers, RATE_60 | ALL_SHAPES)
{
    static const double ways[][2] = { { 2, 0 }, { -2, 0 }, { 0, 2 }, { 0, -2 } };
    int i;
    for (i = 0; i < 4; i++) {
        double whole = slid_on_mover(s, ways[i][0], ways[i][1], false);
        EXPECT_IN(whole, 10, 13);
        EXPECT_NEAR(slid_on_mover(s, ways[i][0], ways[i][1], true) / whole, 1, 0.01);
    }
}

/* O06 past a corner: a ball that falls past the corner of a ledge at a gap of 0.003 to 0.009 falls straight, however
   steep the corner is beside it when a step ends. */
SCENARIO(O06_past_a_corner, RATE_60)
{
    int i, gap;
    for (i = 0; i < 20; i++)
        for (gap = 3; gap < 10; gap += 2) {
            kin_body_desc d;
            kin_id        b;
            open_earth(s);
            add_static_box(s, 0, -20, 4, 0);
            d = body_desc(s, -0.5 - 0.001 * gap, 2 + 0.01 * i);
            d.shape = kin_ball(0.5f);
            b = put_body(s, &d);
            run(s, steps_in(s, 0.75));
            EXPECT(y_of(s, b) < -3);
            EXPECT_NEAR(vx_of(s, b), 0, 1e-6);
        }
}

/* O07 past corners: a body that flies past a block at a gap of 0.0002 to 0.0019, along its top or down its side, onto the
   face or off it, keeps its velocity, wherever its steps end; a static, a mover, and one that comes along. */
SCENARIO(O07_past_corners, RATE_60 | ALL_SHAPES)
{
    static const double gaps[] = { 0.0002, 0.0007, 0.0013, 0.0019 };
    const int           phases = 12 / TEST_SHARE + 2;
    int                 i, on, way;
    for (i = 0; i < 4 * phases; i++)
        for (on = 0; on < 3; on++)
            for (way = 0; way < 3; way++) {
                double        gap = gaps[i % 4], ahead = 0.3 - 5 * (double)s->dt * (i / 4) / phases;
                double        half = s->form == FORM_CAPSULE ? 0.9 : 0.5, vx = way == 0 ? 5 : way == 1 ? -5 : 0;
                double        vy = way == 2 ? -5 : 0, along = on == 2 ? -3 : 0;
                kin_body_desc d;
                kin_id        b;
                open_floating(s);
                if (on == 0) add_static_box(s, 0, -2, 4, 0);
                else add_mover(s, 2, -1, 4, 2, along, 0);
                d = body_desc(s, 0, 0);
                d.position = way == 0 ? v2(s, -half_width(s) - ahead, half + gap)
                             : way == 1 ? v2(s, half_width(s) + ahead, half + gap) : v2(s, -half_width(s) - gap, half + ahead);
                if (way == 2) vx = along;
                d.velocity = v2(s, vx, vy);
                b = put_body(s, &d);
                run(s, steps_in(s, 0.4));
                EXPECT_NEAR(vx_of(s, b), vx, 1e-5);
                EXPECT_NEAR(vy_of(s, b), vy, 1e-5);
            }
}

/* O26 flipper: a plank of 12 turns at 8 rad/s about its middle, from -30 to 30 degrees, and stops. A ball on it, 3.7 from
   the hinge, physical, rides until then: it is thrown at the speed that the plank has 3.7 from the hinge, at every rate. */
SCENARIO(O26_flipper, RATE_60)
{
    static const float rates[] = { 60, 128, 240 };
    const float        dt = s->dt;
    int                i;
    for (i = 0; i < 3; i++) {
        double         angle = DEGREES(-30), c = cos(angle), k = sin(angle), turned;
        kin_mover_desc m;
        kin_body_desc  d;
        kin_id         plank, b;
        s->dt = 1 / rates[i];
        open_earth(s);
        m = mover_desc(s, 0, 0, 12, 0.3);
        m.rotation = turn(s, angle);
        plank = put_mover(s, &m);
        d = body_desc(s, 3.7 * c - 0.652 * k, 3.7 * k + 0.652 * c);
        d.shape = kin_ball(0.5f);
        d.ride = KIN_RIDE_PHYSICAL;
        b = put_body(s, &d);
        run(s, SETTLED);
        set_spin(s, plank, 8);
        turned = 8 * (double)s->dt;
        for (; angle + turned < DEGREES(30); angle += turned) { run(s, 1); EXPECT(grounded(s, b)); }
        set_spin(s, plank, 0);
        run(s, 1);
        EXPECT(!grounded(s, b));
        EXPECT_NEAR(hypot(motion_x(s, b), motion_y(s, b) + 30 * (double)s->dt), 8 * 3.7, 0.05);
    }
    s->dt = dt;
}

/* O60 jump on a slanting deck: a deck of 0 to 40 degrees moves at a constant velocity; who stands on it and jumps comes
   down at the place on it where he stood. */
SCENARIO(O60_jump_on_a_slanting_deck, RATE_60 | ALL_SHAPES)
{
    static const double courses[][2] = { { 5, 0 }, { -4, 2 }, { 3, -3 }, { 0, 6 }, { 0, -2 } };
    int i;
    for (i = 0; i < 25; i++) {
        double         degrees = 10 * (i / 5), x, y;
        kin_mover_desc m;
        kin_body_desc  d;
        kin_id         deck, b;
        open_earth(s);
        m = mover_desc(s, 0, 0, 20, 1);
        m.rotation = turn(s, DEGREES(degrees));
        deck = put_mover(s, &m);
        d = body_desc(s, 0, (0.5 + height_on_slope(s, degrees)) / cos(DEGREES(degrees)) + 0.004);
        b = put_body(s, &d);
        settle(s);
        set_v(s, deck, courses[i % 5][0], courses[i % 5][1]);
        settle(s);
        x = x_of(s, b) - x_of(s, deck);
        y = y_of(s, b) - y_of(s, deck);
        set_vy(s, b, 8);
        run(s, 4);
        EXPECT(!grounded(s, b));
        run(s, steps_in(s, 1));
        EXPECT(grounded(s, b));
        EXPECT_NEAR(x_of(s, b) - x_of(s, deck), x, SLOP);
        EXPECT_NEAR(y_of(s, b) - y_of(s, deck), y, SLOP);
    }
}

/* A top that ends at x = 0. Beyond it stairs lead down, 8 of so wide and high, or ground that falls by so many degrees. */
static kin_id before_descent(scene *s, double degrees, double wide, double high, double snap, double step_height)
{
    kin_body_desc d;
    int           i;
    open_earth(s);
    add_static_box(s, -10, -3, 0, 0);
    for (i = 0; i < 8 && !(degrees > 0); i++) add_static_box(s, wide * i, -4, wide * (i + 1), -high * (i + 1));
    if (degrees > 0) {
        add_ramp(s, 0, 0, 4, -4 * tan(DEGREES(degrees)));
        add_static_box(s, 4, -4 * tan(DEGREES(degrees)) - 2, 60, -4 * tan(DEGREES(degrees)));
    } else add_static_box(s, 8 * wide, -4, 60, -8 * high);
    d = body_desc(s, -2, 0.9);
    d.push = KIN_UNPUSHABLE;
    d.snap = (float)snap;
    d.step_height = (float)step_height;
    return put_body(s, &d);
}

/* Steps in the air on the way down. */
static int hops(scene *s, kin_id b, double speed)
{
    int i, air = 0;
    run(s, steps_in(s, 0.5));
    clear_events(s);
    for (i = 0; i < steps_in(s, 14 / speed); i++) {
        set_vx(s, b, speed);
        scene_step(s);
        if (!grounded(s, b)) air++;
    }
    if (x_of(s, b) < 6) scene_fail(s, "only got to %g", x_of(s, b));
    if ((count_events(s, KIN_EVENT_LEFT, b, nobody()) == 0) != (air == 0)) scene_fail(s, "LEFT was told %d times", air);
    return air;
}

/* ---- O21: exact fit ---------------------------------------------------------------------------------------------- */

typedef struct fitting { kin_world *world; kin_id body; float unit, x0; } fitting;

static kin_vec fit_at(const fitting *f, double x, double y)
{
    kin_vec p;
    memset(&p, 0, sizeof p);
    p.x = f->x0 + f->unit * (float)x;
    p.y = f->unit * (float)y;
#if KINEMATIC_DIM == 3
    p.z = f->unit * 0.5f;
#endif
    return p;
}

/* A grid of the rows of a text, the highest first, between two walls in 3D, and a body of this size in it. */
static void open_fit(fitting *f, const char *const *rows, int count, float gravity, bool round, double x, double y, double w,
                     double h)
{
    static uint8_t cells[3 * 16 * 16];
    int            wide = (int)strlen(rows[0]), i, layer = wide * count;
    kin_world_desc world;
    kin_tiles_desc tiles;
    kin_body_desc  body;
    memset(&world, 0, sizeof world);
    memset(&tiles, 0, sizeof tiles);
    memset(&body, 0, sizeof body);
    for (i = 0; i < layer; i++) cells[i] = cells[2 * layer + i] = 1;
    for (i = 0; i < layer; i++) cells[(KINEMATIC_DIM - 2) * layer + i] = rows[count - 1 - i / wide][i % wide] == '#';
    world.unit = f->unit;
    world.gravity.y = -gravity * f->unit;
    f->world = kin_world_create(&world);
    tiles.cell = f->unit;
    tiles.cells = cells;
    tiles.origin.x = f->x0;
#if KINEMATIC_DIM == 2
    tiles.size = kin_c(wide, count);
    body.shape = kin_box(kin_v((float)w * f->unit, (float)h * f->unit));
#else
    tiles.size = kin_c(wide, count, 3);
    tiles.origin.z = -f->unit;
    body.shape = kin_box(kin_v((float)w * f->unit, (float)h * f->unit, f->unit));   /* as deep as its room, too */
#endif
    if (round) body.shape = kin_capsule((float)h * f->unit, 0.5f * (float)w * f->unit);
    kin_add_tiles(f->world, &tiles);
    body.position = fit_at(f, x, y);
    f->body = kin_add_body(f->world, &body);
}

static kin_vec along_x(float x)
{
    kin_vec v;
    memset(&v, 0, sizeof v);
    v.x = x;
    return v;
}

/* On no wall, under no ceiling, in no condition. */
static bool is_free(const fitting *f)
{
    return !kin_on_wall(f->world, f->body) && !kin_on_ceiling(f->world, f->body) && !kin_is_crushed(f->world, f->body) &&
           !kin_is_embedded(f->world, f->body);
}

static bool is_bit_still(const fitting *f)
{
    kin_vec before = kin_get_position(f->world, f->body), after;
    kin_world_step(f->world, 1.0f / 60);
    after = kin_get_position(f->world, f->body);
    return same_vec(before, after);
}

static double fit_x(const fitting *f) { return (double)((kin_get_position(f->world, f->body).x - f->x0) / f->unit); }
static double fit_y(const fitting *f) { return (double)(kin_get_position(f->world, f->body).y / f->unit); }

/* O21 exact fit: a body of 1 in a hole of 1, of units or pixels, near and far: given its speed once, it walks into a tunnel,
   falls down a shaft, floats through a corridor, aligned to within the slop. Short by 0.02 it stays outside. */
SCENARIO(O21_exact_fit, RATE_60)
{
    static const char *const tunnel[] = { "############", "#...########", "#...########", "#..........#", "############" };
    static const char *const shaft[] = { "############", "#..........#", "#..........#", "#####.######", "#####.######",
                                         "#####.######", "#####.######", "#..........#", "############" };
    static const double      off[] = { 0, 0.002, -0.003, 0.004 };
    int                      form, k, i, inside, round;
    for (form = 0; form < 8; form++)
        for (k = 0; k < 4; k++) {
            fitting f;
            kin_hit hit;
            double  speed, deep = -1;
            round = form & 1;
            f.unit = form & 2 ? 16.0f : 1.0f;
            f.x0 = form & 4 ? 4000 * f.unit : 0;
            open_fit(&f, tunnel, 5, 30, round != 0, 2.2 + 0.03 * k, 1.6, 1, 1);
            for (i = 0; i < 30; i++) kin_world_step(f.world, 1.0f / 60);
            kin_set_velocity(f.world, f.body, along_x(6 * f.unit));
            for (i = inside = 0; i < 70; i++) {
                kin_world_step(f.world, 1.0f / 60);
                if (fit_x(&f) < 4.1) continue;
                inside++;
                EXPECT(is_free(&f) && kin_on_ground(f.world, f.body));
                EXPECT_NEAR((double)(kin_get_velocity(f.world, f.body).x / f.unit), 6, 1e-3);
                EXPECT_NEAR(fit_y(&f), 1.5, 1e-4);
            }
            EXPECT(inside > 45);
            kin_set_velocity(f.world, f.body, along_x(0));
            for (i = 0; i < 20; i++) kin_world_step(f.world, 1.0f / 60);
            EXPECT(is_bit_still(&f));
            kin_world_destroy(f.world);

            open_fit(&f, shaft, 9, 30, round != 0, 5.5 + off[k], 7.1 + 0.11 * k, 1, 1);
            for (i = 0, speed = 0; i < 60; i++) {
                kin_world_step(f.world, 1.0f / 60);
                if (fit_y(&f) < 2.4) continue;
                EXPECT(is_free(&f) && !kin_on_ground(f.world, f.body));
                EXPECT_NEAR((double)(kin_get_velocity(f.world, f.body).y / f.unit), speed - 0.5, 1e-3);
                speed = (double)(kin_get_velocity(f.world, f.body).y / f.unit);
            }
            EXPECT_IN(fit_y(&f), 1.5, 1.51);
            EXPECT_NEAR(fit_x(&f), 5.5, 1e-3);
            EXPECT(is_bit_still(&f));
            kin_world_destroy(f.world);

            open_fit(&f, tunnel, 5, 0, round != 0, 2.2 + 0.03 * k, 1.5 + off[k], 1, 1);
            EXPECT(!kin_test_move(f.world, f.body, along_x(8.2f * f.unit), NULL));
            EXPECT(kin_test_move(f.world, f.body, along_x(8.5f * f.unit), &hit) && (double)hit.t * 8.5 > 8.2);
            EXPECT(hit.normal.x < -0.99f);
            kin_set_velocity(f.world, f.body, along_x(6 * f.unit));
            for (i = inside = 0; i < 70; i++) {
                kin_world_step(f.world, 1.0f / 60);
                if (fit_x(&f) < 4.1) continue;
                inside++;
                EXPECT(is_free(&f));
                EXPECT_NEAR((double)(kin_get_velocity(f.world, f.body).x / f.unit), 6, 1e-3);
            }
            EXPECT(inside > 45);
            kin_world_destroy(f.world);

            if (k > 0) continue;
            open_fit(&f, tunnel, 5, 30, round != 0, 2.2, 1.6, 1, 1.02);
            EXPECT(kin_test_move(f.world, f.body, along_x(8.2f * f.unit), NULL));
            for (i = 0; i < 100; i++) {
                kin_vec v = kin_get_velocity(f.world, f.body);
                v.x = 6 * f.unit;
                kin_set_velocity(f.world, f.body, v);
                kin_world_step(f.world, 1.0f / 60);
                deep = fit_x(&f) > deep ? fit_x(&f) : deep;
            }
            EXPECT_IN(deep, 3.4, 3.95);   /* the front of a round one reaches in */
            kin_world_destroy(f.world);
            if (round) continue;
            open_fit(&f, shaft, 9, 30, false, 5.5, 7.1, 1.02, 1);
            for (i = 0; i < 60; i++) kin_world_step(f.world, 1.0f / 60);
            EXPECT_IN(fit_y(&f), 6.4, 6.6);
            kin_world_destroy(f.world);
        }
}

/* O21 a lid that fits: a ceiling is put over the front of a body that stands, up to 0.004 deep in it. It is not moved
   aside, is in no condition, and walks out. */
SCENARIO(O21_a_lid_that_fits, RATE_60 | ALL_SHAPES)
{
    int k;
    for (k = 0; k <= 4; k++) {
        double x;
        kin_id b;
        int    i;
        open_earth(s);
        add_floor(s);
        b = add_body(s, 0, 0.502);
        run(s, 4);
        x = x_of(s, b);
        add_static_box(s, -0.2, 1.002 - 0.001 * k, 6, 4);
        run(s, 1);
        EXPECT_NEAR(x_of(s, b), x, 1e-6);
        set_vx(s, b, -4);
        for (i = 1; i <= steps_in(s, 0.5); i++) {
            scene_step(s);
            EXPECT_NEAR(x_of(s, b), x - 4 * i * (double)s->dt, 1e-3);
        }
        EXPECT(count_events(s, KIN_EVENT_EMBEDDED, b, nobody()) == 0);
    }
}

/* O21 a tight shaft: a box up to 0.0027 wider than a shaft slides slowly down its higher wall, pressed to it or not, past
   the corner of the other one. It is not lifted out again, but falls on. */
SCENARIO(O21_a_tight_shaft, RATE_60)
{
    int k;
    for (k = 0; k < 8; k++) {
        double        wide = 1 + 0.0009 * (k / 2), y = 9;
        kin_body_desc d;
        kin_id        b;
        int           i;
        open_earth(s);
        add_floor(s);
        add_static_box(s, -6, 0, -0.5, 3);
        add_static_box(s, 0.5, 0, 6, 8);
        d = body_desc(s, 0.498 - 0.5 * wide, 3.502 + 0.0003 * k);
        d.shape = deep_box(wide, 1, 1);
        b = put_body(s, &d);
        for (i = 0; i < steps_in(s, 1); i++) {
            if (k % 2) set_vx(s, b, 5);
            scene_step(s);
            EXPECT(y_of(s, b) <= y);
            y = y_of(s, b);
        }
        EXPECT_REST(bottom_of(s, b));
        EXPECT_IN(x_of(s, b), -0.0005, 0.0005);
        EXPECT(count_events(s, KIN_EVENT_EMBEDDED, b, nobody()) == 0);
    }
}

/* O22 downhill at every speed: with the default snap, slopes of 10 to 45 degrees at 0.7 to 90 u/s, and with step_height
   0.3 stairs at up to 15 u/s, also such as are narrower than a round foot: not one step in the air. A negative snap turns
   that off; a slope too steep to stand on is not followed. */
SCENARIO(O22_downhill_at_every_speed, RATE_60 | ALL_SHAPES | NO_MIRROR)
{
    static const double speeds[] = { 0.7, 2, 5, 15, 40, 90 };
    int i;
    for (i = 0; i < 6; i++) {
        EXPECT_IN(hops(s, before_descent(s, 10, 0, 0, 0, 0), speeds[i]), 0, 0);
        EXPECT_IN(hops(s, before_descent(s, 30, 0, 0, 0, 0), speeds[i]), 0, 0);
        EXPECT_IN(hops(s, before_descent(s, 45, 0, 0, 0, 0), speeds[i]), 0, 0);
        EXPECT(hops(s, before_descent(s, 45, 0, 0, -1, 0), speeds[i]) > 0);
        EXPECT(hops(s, before_descent(s, 60, 0, 0, 0, 0), speeds[i]) > 0);
        if (s->form == FORM_BOX) EXPECT(hops(s, before_descent(s, 0, 0.5, 0.25, -1, 0.3), speeds[i]) > 0);
        if (speeds[i] > 15) continue;
        EXPECT_IN(hops(s, before_descent(s, 0, 0.5, 0.25, 0, 0.3), speeds[i]), 0, 0);
        EXPECT_IN(hops(s, before_descent(s, 0, 0.28, 0.18, 0, 0.3), speeds[i]), 0, 0);
    }
}

/* O61 a step down onto a slope: the top ends 0.08 (within the snap) or 0.25 (within step_height) above ground that falls
   by 10 to 44 degrees: not one step in the air, for round feet too; 0.5 above it the body falls. */
SCENARIO(O61_step_onto_a_slope, RATE_60 | ALL_SHAPES | NO_MIRROR)
{
    static const double with[][3] = { { 0.08, 0, 0 }, { 0.25, 0.3, 0 }, { 0.5, 0, 1 } }, speeds[] = { 0.5, 2, 5, 15 };
    int i;
    for (i = 0; i < 36; i++) {
        double        drop = with[i % 3][0], degrees = 10 + 17 * (i / 3 % 3), fall = 40 * tan(DEGREES(degrees));
        kin_body_desc d;
        kin_id        b;
        int           air;
        open_earth(s);
        add_static_box(s, -10, -3, 0, 0);
        add_ramp(s, 0, -drop, 40, -drop - fall);
        add_static_box(s, 40, -drop - fall - 2, 90, -drop - fall);
        d = body_desc(s, -2, 0.9);
        d.step_height = (float)with[i % 3][1];
        b = put_body(s, &d);
        air = hops(s, b, speeds[i / 9]);
        EXPECT(with[i % 3][2] > 0 ? air > 0 : air == 0);
    }
}

SUITE(found)
{
    RUN_TEST(O04_slow_stairs);
    RUN_TEST(O06_steep_slide);
    RUN_TEST(O06_steep_slide_on_movers);
    RUN_TEST(O06_past_a_corner);
    RUN_TEST(O07_past_corners);
    RUN_TEST(O05_speed_over_steps);
    RUN_TEST(O59_upstairs);
    RUN_TEST(O59_slowly_upstairs);
    RUN_TEST(O17_speed_of_contacts);
    RUN_TEST(O19_respawn);
    RUN_TEST(O50_users_of_the_dead);
    RUN_TEST(O51_the_deepest_part);
    RUN_TEST(O52_points_of_overlaps);
    RUN_TEST(O18_coins);
    RUN_TEST(O54_more_sensors_than_fit);
    RUN_TEST(O55_users_in_snapshots);
    RUN_TEST(O56_a_lift_that_waits);
    RUN_TEST(O08_acute_corner);
    RUN_TEST(O09_freed_while_walking);
    RUN_TEST(O42_crate_in_a_wheel);
    RUN_TEST(O42_slid_off_a_wheel);
    RUN_TEST(O16_blocked_lift_goes_back);
    RUN_TEST(O16_under_a_ceilings_corner);
    RUN_TEST(O57_messages);
    RUN_TEST(O20_kin_move);
    RUN_TEST(O21_exact_fit);
    RUN_TEST(O21_a_lid_that_fits);
    RUN_TEST(O21_a_tight_shaft);
    RUN_TEST(O26_flipper);
    RUN_TEST(O60_jump_on_a_slanting_deck);
    RUN_TEST(O22_downhill_at_every_speed);
    RUN_TEST(O61_step_onto_a_slope);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv)
{
    GREATEST_MAIN_BEGIN();
    RUN_SUITE(found);
    GREATEST_MAIN_END();
}
