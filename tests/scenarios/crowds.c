/* SPDX-License-Identifier: MIT OR Unlicense

   crowds.c: O23, random crowds and piles. A crowd is 3 to 8 bodies of every shape, pushable and not, that walk at walls,
   corners and each other, and jump, with gravity or seen from above. A pile is 30 to 1000 bodies that fall into a pit,
   with no controller. No mover is near: nothing squeezes. Expected are the invariants N1 to N12, that a crowd stays in
   its room, that nobody ends higher in a pit than it was dropped from, and that the world can load its own snapshot.

   KIN_SEEDS sets how many crowds and how many piles are tried, from the seed KIN_FIRST on [1]; a breach names its seed, and
   KIN_SEED=n plays that one alone. Seeds that were wrong once are played again in every other run. KIN_CHECK=n checks that
   invariant alone, of those that look at one step. */
#include "scene.h"
#include "seeds.h"

enum { MOST = 1000 };   /* bodies */

typedef struct play {
    uint32_t seed;
    uint64_t state;             /* of the dice */
    double   u;                 /* unit */
    double   wide, high, deep;  /* room: from minus to plus these, y from 0 */
    bool     earth;             /* with gravity, else seen from above */
    int      count, steps;
    kin_id   bodies[MOST];
    double   from[MOST];        /* height it was dropped from */
    dv       wish[MOST];
    bool     walks[MOST];
} play;

/* ---- dice ------------------------------------------------------------------------------------------------------------ */

static uint32_t roll(play *p)
{
    p->state = p->state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(p->state >> 33);
}

static int    below(play *p, int n) { return (int)(roll(p) % (uint32_t)n); }
static bool   chance(play *p, int percent) { return below(p, 100) < percent; }
static double between(play *p, double low, double high) { return low + (high - low) * (double)roll(p) / 2147483648.0; }

/* ---- shapes ---------------------------------------------------------------------------------------------------------- */

/* Narrower above than below; in 3D along both axes. */
static kin_shape taper(const scene *s, double w, double h, double depth, double radius)
{
    kin_vec points[8];
    int     i, n = 0;
    for (i = 0; i < 4 * (KINEMATIC_DIM - 1); i++) {
        double part = i & 2 ? 0.25 : 0.5;
        points[n++] = v3(s, i & 1 ? part * w : -part * w, i & 2 ? 0.5 * h : -0.5 * h, i & 4 ? part * depth : -part * depth);
    }
    return kin_hull(points, n, (float)radius);
}

static kin_shape random_shape(const scene *s, play *p, double low, double high)
{
    double w = p->u * between(p, low, high), h = p->u * between(p, low, high), depth = p->u * between(p, low, high);
    switch (below(p, 5)) {
    case 0: return kin_ball((float)(0.5 * w));
    case 1: return kin_capsule((float)(lesser(w, h) * 0.9 + h * 0.5), (float)(0.4 * lesser(w, h)));
    case 2: return taper(s, w, h, depth, 0);
    case 3: return taper(s, 0.8 * w, 0.8 * h, 0.8 * depth, 0.1 * lesser(w, lesser(h, depth)));
    default: return deep_box(w, h, depth);
    }
}

/* ---- the room -------------------------------------------------------------------------------------------------------- */

static void add_wall(scene *s, double x0, double y0, double z0, double x1, double y1, double z1)
{
    kin_static_desc d = static_desc(s, x0, y0, x1, y1);
    d.shape = deep_box(x1 - x0, y1 - y0, z1 - z0);
    d.position = v3(s, 0.5 * (x0 + x1), 0.5 * (y0 + y1), 0.5 * (z0 + z1));
    put_static(s, &d);
}

static void add_room(scene *s, const play *p)
{
    double x = p->wide, y = p->high, z = p->deep, t = p->u;
    add_wall(s, -x - t, -t, -z - t, x + t, 0, z + t);
    add_wall(s, -x - t, -t, -z - t, -x, y + t, z + t);
    add_wall(s, x, -t, -z - t, x + t, y + t, z + t);
    add_wall(s, -x - t, y, -z - t, x + t, y + t, z + t);
    if (KINEMATIC_DIM == 2) return;
    add_wall(s, -x - t, -t, -z - t, x + t, y + t, -z);
    add_wall(s, -x - t, -t, z, x + t, y + t, z + t);
}

/* Steps, slopes and pillars. */
static void add_corners(scene *s, play *p)
{
    int i, n = below(p, 4);
    for (i = 0; i < n; i++) {
        kin_static_desc d;
        double          x = between(p, -p->wide, p->wide), y = p->earth ? between(p, -0.5, 1) * p->u : between(p, 0, p->high);
        memset(&d, 0, sizeof d);
        d.shape = deep_box(p->u * between(p, 0.4, 3), p->u * between(p, 0.3, 1.5), chance(p, 50) ? 2 * p->deep + p->u : p->u * between(p, 0.5, 2));
        d.position = v3(s, x, y, between(p, -0.5, 0.5) * p->deep);
        if (chance(p, 50)) d.rotation = turn(s, between(p, -0.9, 0.9));
        put_static(s, &d);
    }
}

static bool is_free(const scene *s, const play *p, const thing *t)
{
    dv  n;
    int i;
    for (i = 0; i < s->thing_count; i++)
        if (s->things[i] != t && separation(&t->place, &s->things[i]->place, 0.02 * p->u, &n) < 0.02 * p->u) return false;
    return true;
}

/* The room is closed: nobody's centre is outside. */
static void check_inside(scene *s, const play *p)
{
    int i;
    for (i = 0; i < p->count; i++) {
        dv at = dv_of(kin_get_position(s->world, p->bodies[i]));
        if (fabs(at.x) > p->wide || fabs(at.z) > p->deep || at.y < 0 || at.y > p->high)
            scene_fail(s, "N3: body #%d left the room: (%g, %g, %g)", thing_of(s, p->bodies[i])->number, at.x, at.y, at.z);
    }
}

/* Whatever happened, a saved world can be loaded again. */
static void check_snapshot(scene *s)
{
    size_t   size = kin_snapshot_size(s->world);
    void    *saved = malloc(size);
    uint64_t hash = kin_world_hash(s->world);
    if (!saved) abort();
    s->allow_log = true;
    if (kin_snapshot_save(s->world, saved, size) != size) scene_fail(s, "the world cannot be saved: %s", s->log);
    else if (!kin_snapshot_load(s->world, saved, size)) scene_fail(s, "the world does not load its own snapshot: %s", s->log);
    else if (kin_world_hash(s->world) != hash) scene_fail(s, "the loaded world is another one");
    s->allow_log = false;
    free(saved);
}

/* ---- crowds ---------------------------------------------------------------------------------------------------------- */

static void random_options(play *p, kin_body_desc *d)
{
    d->ride = (kin_ride)below(p, 2);
    d->leave = (kin_leave)below(p, 3);
    d->slope = (kin_slope)below(p, 2);
    if (chance(p, 40)) d->step_height = (float)(p->u * between(p, 0.05, 0.4));
    if (chance(p, 40)) d->corner_nudge = (float)(p->u * between(p, 0.05, 0.2));
    if (chance(p, 40)) d->snap = chance(p, 30) ? -1 : (float)(p->u * between(p, 0.05, 0.5));
    if (chance(p, 40)) d->max_slope = (float)between(p, 0.3, 1.3);
    d->glide = chance(p, 20);
    d->weightless = chance(p, 5);
}

static void add_walker(scene *s, play *p, int i)
{
    kin_body_desc d;
    int           tries;
    memset(&d, 0, sizeof d);
    d.shape = random_shape(s, p, 0.4, 1.4);
    d.push = chance(p, 50) ? KIN_PUSHABLE : KIN_UNPUSHABLE;
    if (chance(p, 50)) random_options(p, &d);
    for (tries = 0; ; tries++) {
        double most = p->earth ? lesser(p->high, p->u * (3 + 0.02 * tries)) : p->high;   /* higher if there is no room */
        d.position = v3(s, between(p, -p->wide, p->wide), between(p, 0, most), between(p, -p->deep, p->deep));
        if (tries == 0) p->bodies[i] = put_body(s, &d);
        else {
            thing *t = thing_of(s, p->bodies[i]);
            kin_set_position(s->world, p->bodies[i], d.position);
            t->pose = t->before = pose_now(s, p->bodies[i]);
            thing_place(s, t);
            scene_changed(s, t);
        }
        if (is_free(s, p, thing_of(s, p->bodies[i])) || tries == 2000) break;
    }
    p->walks[i] = chance(p, 80);
}

/* At the wall to the right, at another one, at another body, or nowhere. */
static void choose_wish(play *p, const scene *s, int i)
{
    double speed = p->u * between(p, 0.5, chance(p, 10) ? 20 : 8);
    int    what = below(p, 10);
    dv     way = dv_make(1, 0, 0);
    if (what >= 5) way = dv_make(between(p, -1, 1), p->earth ? 0 : between(p, -1, 1), KINEMATIC_DIM == 3 ? between(p, -1, 1) : 0);
    if (what >= 7) {
        way = dv_sub(dv_of(kin_get_position(s->world, p->bodies[below(p, p->count)])), dv_of(kin_get_position(s->world, p->bodies[i])));
        way.x *= (double)s->mirror;
        if (p->earth) way.y = 0;
    }
    if (what == 6) speed = 0;
    p->wish[i] = dv_len(way) > 1e-3 ? dv_scale(way, speed / dv_len(way)) : dv_make(speed, 0, 0);
}

static void command_walker(scene *s, play *p, int i)
{
    kin_id  id = p->bodies[i];
    kin_vec v = kin_get_velocity(s->world, id), wish;
    if (chance(p, 1)) choose_wish(p, s, i);
    if (!p->walks[i]) return;
    wish = v3(s, p->wish[i].x, p->wish[i].y, p->wish[i].z);
    if (p->earth) wish.y = v.y;
    if (p->earth && kin_on_ground(s->world, id) && chance(p, 3)) wish.y = (float)(p->u * between(p, 4, 12));
    set_velocity(s, id, wish);
}

static void play_crowd(scene *s)
{
    play          *p = (play *)s->user;
    kin_world_desc d;
    int            i, k;
    memset(&d, 0, sizeof d);
    p->state = p->seed * 0x9E3779B97F4A7C15u + 23;
    below(p, 2);
    p->u = chance(p, 15) ? 16 : 1;
    p->earth = chance(p, 70);
    p->wide = p->u * between(p, 2, 6);
    p->high = p->u * (p->earth ? 20 : between(p, 3, 8));
    p->deep = KINEMATIC_DIM == 3 ? p->u * between(p, 1, 3) : p->u;
    p->count = 3 + below(p, 6);
    s->dt = chance(p, 50) ? 1.0f / 60 : 1.0f / 128;
    d.unit = (float)p->u;
    if (p->earth) d.gravity = v2(s, 0, -30 * p->u);
    open_world(s, &d);
    add_room(s, p);
    if (chance(p, 50)) add_corners(s, p);
    for (i = 0; i < p->count; i++) add_walker(s, p, i);
    for (i = 0; i < p->count; i++) choose_wish(p, s, i);
    p->steps = 200;
    for (i = 0; i < p->steps && !scene_failed(s); i++) {
        for (k = 0; k < p->count; k++) command_walker(s, p, k);
        scene_step(s);
        if (checks(s, 3)) check_inside(s, p);
    }
    if (!scene_failed(s)) check_snapshot(s);
}

/* ---- piles ----------------------------------------------------------------------------------------------------------- */

static void add_dropped(scene *s, play *p, int i, int row, int column, int layer)
{
    kin_body_desc d;
    double        jitter = 0.05 * p->u;
    memset(&d, 0, sizeof d);
    d.shape = random_shape(s, p, 0.6, 0.9);
    if (chance(p, 20)) d.glide = true;
    d.position = v3(s, -p->wide + (0.6 + column) * p->u + between(p, -jitter, jitter), (0.7 + 1.3 * row) * p->u,
                    KINEMATIC_DIM == 3 ? -p->deep + (0.6 + layer) * p->u + between(p, -jitter, jitter) : 0);
    p->bodies[i] = put_body(s, &d);
    p->from[i] = (double)d.position.y;
}

/* Nothing but gravity: nobody ends higher than it was dropped from. */
static void check_heights(scene *s, const play *p)
{
    int i;
    for (i = 0; i < p->count; i++) {
        double y = (double)kin_get_position(s->world, p->bodies[i]).y;
        if (y > p->from[i] + 0.01 * p->u)
            scene_fail(s, "body #%d is at height %.6g, but was dropped from %.6g", thing_of(s, p->bodies[i])->number, y, p->from[i]);
    }
}

static void play_pile(scene *s)
{
    play          *p = (play *)s->user;
    kin_world_desc d;
    int            i, row, column, layer, columns, layers;
    double         size;
    memset(&d, 0, sizeof d);
    p->state = p->seed * 0x9E3779B97F4A7C15u + 29;
    below(p, 2);
    p->u = 1;
    p->earth = true;
    s->dt = chance(p, 50) ? 1.0f / 60 : 1.0f / 128;
    size = between(p, 0, 1);
    p->count = (int)(30 * pow(MOST / 30.0, size * size * size * size));   /* few are large */
    columns = 2 + below(p, KINEMATIC_DIM == 3 ? 6 : 14);
    layers = KINEMATIC_DIM == 3 ? 1 + below(p, 5) : 1;
    p->wide = 0.5 * (columns + 0.3);
    p->deep = 0.5 * (layers + 0.3);
    p->high = 1.3 * (p->count / (columns * layers) + 1) + 10;
    d.gravity = v2(s, 0, -30);
    open_world(s, &d);
    add_room(s, p);
    for (i = 0, row = 0; i < p->count; row++)
        for (layer = 0; layer < layers; layer++)
            for (column = 0; column < columns && i < p->count; column++, i++) add_dropped(s, p, i, row, column, layer);
    p->steps = p->count > 300 ? 150 : 300;
    for (i = 0; i < p->steps && scene_step(s); i++)
        if (checks(s, 3)) check_inside(s, p);
    check_heights(s, p);
    if (!scene_failed(s)) check_snapshot(s);
}

/* ---- crowds that were seen to throw a body ---------------------------------------------------------------------------- */

/* Nobody moves further than this in the last step. */
static void nobody_jumps(scene *s, double most)
{
    int i;
    for (i = 0; i < s->thing_count; i++) {
        const thing *t = s->things[i];
        double       way = dv_len(dv_sub(dv_of(t->pose.p), dv_of(t->before.p)));
        if (t->kind == KIN_BODY && way > most) scene_fail(s, "body #%d moves %.6g in one step", t->number, way);
    }
}

/* O23: four bodies walk at a wall, one of them jumps. (5.4e8 units in step 66.) */
SCENARIO(O23_thrown_by_a_crowd, RATE_60)
{
    static const double walk[] = { 1.0900856256484985, 3.1472711563110352, 6.7250032424926758, 6.6622447967529297 };
    static const double at[][2] = { { 2.8726147197057132, 0.6420879952435351 }, { 3.9167235919518353, 2.0311464782907525 },
                                    { 1.6647215188802109, 3.3776952492364489 }, { 1.5002062783712962, 4.508206309321154 } };
    kin_id b[4];
    int    i, k;
    open_earth(s);
    add_static_box(s, -20, -1, 20, 0);
    add_static_box(s, 5, 0, 6, 20);
    for (i = 0; i < 4; i++) {
        kin_body_desc d = crate_desc(s, at[i][0], at[i][1]);
        if (i % 3 == 0) d.push = KIN_UNPUSHABLE;
        d.shape = i == 0 ? kin_ball(0.51045870503349944f) : i == 1 ? taper(s, 0.52981480307489104, 0.8663928219756114, 0.5, 0) :
                  i == 2 ? kin_capsule(0.926446593577542f, 0.27589966256861126f) : taper(s, 0.70647530396646785, 0.60401618846907135, 0.7, 0);
        b[i] = put_body(s, &d);
    }
    for (k = 0; k < 128; k++) {
        for (i = 0; i < 4; i++) set_vx(s, b[i], walk[i]);
        if ((k == 65 || k > 90) && grounded(s, b[2])) set_vy(s, b[2], 8.5146121978759766);
        scene_step(s);
        nobody_jumps(s, 0.6);
    }
    check_snapshot(s);
}

static kin_id put_member(scene *s, kin_shape shape, double x, double y, const kin_body_desc *options)
{
    kin_body_desc d = *options;
    d.shape = shape;
    d.position = v2(s, x, y);
    return put_body(s, &d);
}

/* O23: five bodies in pixels, 16 to a unit; a rider and a crate fall onto a row at a wall. (1e18 units in the last step;
   the world could not load its own snapshot.) */
SCENARIO(O23_thrown_beyond_the_world, 0)
{
    static const double walk[] = { 77.75, 53.5, 101.75, 74.25, 0 };
    static const double falls[] = { -18.75, -26.75, -34.75, -42.75, -50.75, -58.75, -66.75, -74.75, -82.75, -90.75, -98.75, -106.75, -114.75, -122.75, 0,
                                    0.0750017166, -2.85895538 };
    static const double jumps[] = { 0, 124.5, 116.5, 108.5, 100.5, 92.5, 84.5, 76.5, 68.5, 60.5, 53.0381508, 0, 0, 0, 124.5, 0, -36.4920883 };
    kin_world_desc w;
    kin_body_desc  d;
    kin_id         b[5];
    int            i, k;
    memset(&w, 0, sizeof w);
    memset(&d, 0, sizeof d);
    s->dt = 1.0f / 60;
    w.unit = 16;
    w.gravity = v2(s, 0, -480);
    open_world(s, &w);
    add_static_box(s, -256, -16, 256, 0);
    add_static_box(s, 240, -16, 256, 240);
    d.leave = KIN_LEAVE_NONE; d.slope = KIN_SLOPE_HORIZONTAL_SPEED; d.step_height = 2; d.max_slope = 0.550494319f;
    b[0] = put_member(s, kin_ball(10.25f), 209.664307, 10.2820501, &d);
    memset(&d, 0, sizeof d);
    d.push = KIN_UNPUSHABLE; d.ride = KIN_RIDE_PHYSICAL; d.corner_nudge = 2; d.max_slope = 1.12617327f;
    b[1] = put_member(s, kin_capsule(21.75f, 3.5f), 236.467941, 10.9070539, &d);
    memset(&d, 0, sizeof d);
    d.corner_nudge = 2;
    b[2] = put_member(s, deep_box(8.25, 21.5, 16), 227.309067, 60.4239922, &d);
    memset(&d, 0, sizeof d);
    d.leave = KIN_LEAVE_UP_ONLY; d.max_slope = 1.16990693f; d.glide = true;
    b[3] = put_member(s, kin_capsule(16.25f, 6.5f), 226.435883, 8.15705395, &d);
    memset(&d, 0, sizeof d);
    d.push = KIN_UNPUSHABLE; d.ride = KIN_RIDE_PHYSICAL; d.step_height = 2.25f; d.corner_nudge = 2;
    b[4] = put_member(s, deep_box(10.5, 20.5, 16), 212.975891, 30.8137665, &d);
    for (k = 0; k < 17; k++) {
        for (i = 0; i < 5; i++) set_v(s, b[i], walk[i], i == 1 && k == 16 ? 116.75 : i == 2 ? falls[k] : i == 3 ? jumps[k] : 0);
        scene_step(s);
        nobody_jumps(s, 16);
    }
    check_snapshot(s);
    run(s, 200);
    check_snapshot(s);
}

/* O23: a crate jumps below one unpushable, between two others. (3.1 units in the third step.) */
SCENARIO(O23_crate_wedged, 0)
{
    static const double v[3][4][2] = { { { 0, -5.30732441 }, { -3.828125, 8.90625 }, { 6.984375, 0 }, { 0, 0 } },
                                       { { 0, -5.80732441 }, { -3.828125, 0 }, { 6.984375, 0 }, { 0, 0 } },
                                       { { 0, 2.38418579e-06 }, { -3.828125, 2.62260437e-06 }, { 6.984375, 0 }, { 0, 0 } } };
    kin_body_desc d;
    kin_id        b[4];
    int           i, k;
    memset(&d, 0, sizeof d);
    s->dt = 1.0f / 60;
    open_earth(s);
    add_static_box(s, -16, -1, 16, 0);
    d.push = KIN_UNPUSHABLE; d.slope = KIN_SLOPE_HORIZONTAL_SPEED; d.step_height = 0.234375f; d.corner_nudge = 0.125f; d.max_slope = 0.557636105f;
    b[0] = put_member(s, body_box(0.828125, 1.203125), 6.04693174, 2.02906847, &d);
    memset(&d, 0, sizeof d);
    d.leave = KIN_LEAVE_UP_ONLY; d.step_height = 0.203125f;
    b[1] = put_member(s, body_box(1.140625, 0.6875), 6.28469229, 0.494188964, &d);
    d.push = KIN_UNPUSHABLE; d.step_height = 0.109375f; d.glide = true;
    b[2] = put_member(s, body_box(0.84375, 1.078125), 5.2905035, 0.541063666, &d);
    d.slope = KIN_SLOPE_HORIZONTAL_SPEED; d.step_height = 0.25f; d.max_slope = 1.14608861f; d.glide = false;
    b[3] = put_member(s, taper(s, 0.875, 0.96875, 0.875, 0.0625), 7.35700607, 0.548876882, &d);
    for (k = 0; k < 60; k++) {
        for (i = 0; i < 4 && k < 3; i++) set_v(s, b[i], v[k][i][0], v[k][i][1]);
        scene_step(s);
        nobody_jumps(s, 1);
    }
    check_snapshot(s);
}

/* O23: a ball lies between two others that stand at walls, too steep to stand on, and walks against one of them. (It was
   put back along the steep side of the other one: 0.12 up in the first step.) */
SCENARIO(O23_walker_in_a_wedge_of_bodies, RATE_60)
{
    kin_body_desc d;
    kin_id        b;
    int           i;
    memset(&d, 0, sizeof d);
    open_earth(s);
    add_static_box(s, -20, -1, 20, 0);
    add_static_box(s, -3, 0, -1.227, 4);
    add_static_box(s, 1.227, 0, 3, 4);
    put_member(s, kin_ball(0.5f), -0.725, 0.502, &d);
    put_member(s, kin_ball(0.5f), 0.725, 0.502, &d);
    b = put_member(s, kin_ball(0.3f), 0, 0.86, &d);
    run(s, 64);
    EXPECT(grounded(s, b));
    for (i = 0; i < 4; i++) {
        set_vx(s, b, i % 2 ? 40 : -40);
        scene_step(s);
        EXPECT_IN(y_of(s, b), 0.8, 0.87);
        set_vx(s, b, 0);
        run(s, 64);
        EXPECT(grounded(s, b));
    }
}

/* Balls and crates fall into a pit ten wide. (One moved 11.7 units in a step and ended 4,343 high.) */
static void pile_in_a_pit(scene *s, int count, int seed)
{
    play  *p = (play *)calloc(1, sizeof *p);
    int    i, column, row, wide = 10;
    if (!p) abort();
    p->state = (uint64_t)(seed * 99 + 300);
    s->dt = 1.0f / 60;
    open_earth(s);
    add_static_box(s, -7, -1, 7, 0);
    add_static_box(s, -6, 0, -5, 400);
    add_static_box(s, 5, 0, 6, 400);
    for (row = 0; p->count < count; row++)
        for (column = 0; column < wide - 1 && p->count < count; column++, p->count++) {
            kin_body_desc d = crate_desc(s, column - 0.5 * wide + 0.8 + between(p, -0.05, 0.05), 1 + row * 1.1);
            d.shape = p->count % 3 ? kin_ball(0.45f) : body_box(0.8, 0.8);
            p->from[p->count] = 1 + row * 1.1;
            p->bodies[p->count] = put_body(s, &d);
        }
    for (i = 0; i < 600 && scene_step(s); i++) nobody_jumps(s, 1);
    check_heights(s, p);
    if (!scene_failed(s) && count_events(s, KIN_EVENT_CRUSHED, nobody(), nobody()) + count_events(s, KIN_EVENT_EMBEDDED, nobody(), nobody()))
        scene_fail(s, "somebody is squeezed by nothing");
    check_snapshot(s);
    free(p);
}

SCENARIO(O23_pile_of_150, ONLY_2D | NO_MIRROR) { pile_in_a_pit(s, 150, 2); }
SCENARIO(O23_pile_of_300, ONLY_2D | NO_MIRROR) { pile_in_a_pit(s, TEST_SHARE > 1 ? 100 : 300, 9); }

/* ---- conditions, limits ----------------------------------------------------------------------------------------------- */

/* Was FREED told before the last event of this type? N4 looks at the order in general. */
static bool freed_before(const scene *s, kin_id b, kin_event_type type)
{
    int i, freed = 0, opened = 0;
    for (i = 0; i < s->event_count; i++) {
        if (!kin_same(s->events[i].a, b)) continue;
        if (s->events[i].type == KIN_EVENT_FREED && !opened) freed = 1 + i;
        if (s->events[i].type == type) opened = 1 + i;
    }
    return freed && freed < opened;
}

/* O23: a body too high for its gap is embedded; then a mover presses it against a wall: FREED, then CRUSHED. */
SCENARIO(O23_freed_before_crushed, RATE_60)
{
    kin_body_desc d;
    kin_id        b;
    int           i;
    open_earth(s);
    add_static_box(s, -20, -1, 20, 0);
    add_static_box(s, -20, 0.8, 20, 1.8);
    d = crate_desc(s, 0, 0.4);
    d.shape = body_box(0.9, 0.9);
    b = put_body(s, &d);
    add_mover(s, -3, 0.4, 1, 0.4, 2, 0);
    add_static_box(s, 0.7, 0, 1.7, 0.8);
    run(s, 8);
    EXPECT(kin_is_embedded(s->world, b) && !kin_is_crushed(s->world, b));
    EXPECT_IN(count_events(s, KIN_EVENT_EMBEDDED, b, nobody()), 1, 1);
    for (i = 0; i < steps_in(s, 2) && !kin_is_crushed(s->world, b); i++) scene_step(s);
    EXPECT(kin_is_crushed(s->world, b) && !kin_is_embedded(s->world, b));
    EXPECT(freed_before(s, b, KIN_EVENT_CRUSHED));
}

static int openings(const scene *s, kin_id b)
{
    return count_events(s, KIN_EVENT_CRUSHED, b, nobody()) + count_events(s, KIN_EVENT_EMBEDDED, b, nobody());
}

/* O23: a crushed body; its press is taken away in the step in which a wall is put around it, then the wall goes as well. It
   may stay crushed or be embedded instead, FREED first; there is one condition at a time, and each ends once. */
SCENARIO(O23_crushed_then_in_a_wall, RATE_60)
{
    kin_id b, press, wall;
    int    i;
    open_earth(s);
    add_floor(s);
    wall = add_static_box(s, 20, 0, 24, 4);
    b = add_crate(s, 0, 0.5);
    press = add_mover(s, 0, 2, 2, 1, 0, -1);
    for (i = 0; i < steps_in(s, 2) && !kin_is_crushed(s->world, b); i++) scene_step(s);
    EXPECT(kin_is_crushed(s->world, b) && !kin_is_embedded(s->world, b));
    take_out(s, press);
    teleport(s, wall, 0, 2);
    run(s, 8);
    EXPECT(kin_is_embedded(s->world, b) != kin_is_crushed(s->world, b));
    EXPECT(!kin_is_embedded(s->world, b) || freed_before(s, b, KIN_EVENT_EMBEDDED));
    EXPECT_IN(openings(s, b) - count_events(s, KIN_EVENT_FREED, b, nobody()), 1, 1);
    teleport(s, wall, 22, 2);
    run(s, 8);
    EXPECT(!kin_is_embedded(s->world, b) && !kin_is_crushed(s->world, b));
    EXPECT_IN(openings(s, b) - count_events(s, KIN_EVENT_FREED, b, nobody()), 0, 0);
}

/* O23: coordinates end at 1e9. A body that would go beyond stops there; one line says so. */
SCENARIO(O23_end_of_the_world, 0)
{
    static const double ways[][2] = { { 1, 0 }, { -1, 0 }, { 0, 1 }, { 0.6, -0.8 } };
    int i;
    for (i = 0; i < 4; i++) {
        kin_id b;
        open_floating(s);
        b = add_body(s, ways[i][0] * (1e9 - 2000), ways[i][1] * (1e9 - 2000));
        s->allow_log = true;
        s->logs = 0;
        set_v(s, b, 1e5 * ways[i][0], 1e5 * ways[i][1]);
        if (i == 3) teleport(s, b, 9.99999e8, -9.99999e8);
        run(s, 64);
        EXPECT_IN(fmax(fabs(x_of(s, b)), fabs(y_of(s, b))), 9.99e8, 1e9);
        EXPECT_IN(s->logs, 1, 1);
        check_snapshot(s);
        if (scene_failed(s)) return;
    }
}

/* O23: nor does a mover go beyond; what it carries stops with it. N8 does not know the end of the world. */
SCENARIO(O23_mover_at_the_end_of_the_world, 0)
{
    kin_id m;
    open_floating(s);
    m = add_mover(s, 1e9 - 2000, 0, 100, 100, 1e5, 0);
    s->allow_log = true;
    s->skip = 1u << 8;
    run(s, 64);
    EXPECT_IN(fabs(x_of(s, m)), 9.99e8, 1e9);
    check_snapshot(s);
}

/* ---- playing --------------------------------------------------------------------------------------------------------- */

/* One world, and in 2D its mirror image (N10); false, with a line that says what is wrong, if something is. */
static bool play_seed(scene_fn *game, const char *name, uint32_t seed)
{
    scene plain, other;
    play *p = (play *)calloc(1, sizeof *p);
    int   only = from_environment("KIN_CHECK", 0), k;
    bool  good = true;
    if (!p) abort();
    memset(&other, 0, sizeof other);
    for (k = 0; k < (KINEMATIC_DIM == 2 && TEST_SHARE <= 10 && (only == 0 || only == 10) ? 2 : 1) && good; k++) {
        scene *s = k == 0 ? &plain : &other;
        memset(s, 0, sizeof *s);
        memset(p, 0, sizeof *p);
        p->seed = seed;
        s->mirror = k == 0 ? 1.0f : -1.0f;
        s->skip = only ? 0x19feu & ~(1u << only) : k > 0 ? 0x19feu : 0;   /* the mirrored one is only compared */
        s->watch = getenv("KIN_WATCH") != NULL;
        s->user = p;
        game(s);
        if (k > 0 && !scene_failed(s)) compare_traces(s, &plain);
        good = !scene_failed(s);
        if (!good) printf("\n%s KIN_SEED=%u, %dD, 1/%d, %d bodies%s: %s\n", name, seed, KINEMATIC_DIM, (int)(1 / (double)s->dt + 0.5),
                          p->count, k ? ", mirrored" : "", s->fault);
    }
    scene_free(&plain);
    scene_free(&other);
    free(p);
    return good;
}

/* All seeds are tried, and every breach is told; how many worlds are wrong. */
static int play_all(scene_fn *game, const char *name, const uint32_t *failed)
{
    seed_list seeds = seeds_to_play(100 / TEST_SHARE, failed);
    uint32_t  seed;
    int       played = 0, bad = 0;
    for (; (seed = next_seed(&seeds)) != 0; played++)
        if (!play_seed(game, name, seed)) bad++;
    if (bad) printf("\n%s: %d of %d worlds are wrong\n", name, bad, played);
    return bad;
}

/* O23: 3 to 8 bodies walk at walls, corners and each other. */
TEST O23_crowds(void)
{
    if (play_all(play_crowd, "crowd", failed_crowds)) FAILm("invariants broken");
    PASS();
}

/* O23: 30 to 1000 bodies fall into a pit. */
TEST O23_piles(void)
{
    if (play_all(play_pile, "pile", failed_piles)) FAILm("invariants broken");
    PASS();
}

SUITE(crowds)
{
    RUN_TEST(O23_thrown_by_a_crowd);
    RUN_TEST(O23_thrown_beyond_the_world);
    RUN_TEST(O23_crate_wedged);
    RUN_TEST(O23_walker_in_a_wedge_of_bodies);
    RUN_TEST(O23_pile_of_150);
    RUN_TEST(O23_pile_of_300);
    RUN_TEST(O23_freed_before_crushed);
    RUN_TEST(O23_crushed_then_in_a_wall);
    RUN_TEST(O23_end_of_the_world);
    RUN_TEST(O23_mover_at_the_end_of_the_world);
    RUN_TEST(O23_crowds);
    RUN_TEST(O23_piles);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv)
{
    GREATEST_MAIN_BEGIN();
    RUN_SUITE(crowds);
    GREATEST_MAIN_END();
}
