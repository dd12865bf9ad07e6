/* SPDX-License-Identifier: MIT OR Unlicense

   rooms.c: no false alarms. Bodies of all shapes walk, jump and push each other about in closed rooms of random boxes,
   ramps, turned boxes, tiles and hills, some with two movers: nobody is told to be embedded or crushed unless a mover
   came within 2 units.

   KIN_SEEDS and KIN_STEPS set how much is tried; an alarm names its seed, and KIN_SEED=n plays that one alone. */
#include "scene.h"

enum { WIDE = 24, HIGH = 12, DEEP = 8, BODIES = 14, MOVERS = 2, KINDS = 6 };

typedef struct room {
    kin_world *world;
    kin_id     bodies[BODIES], movers[MOVERS];
    kin_vec    wish[BODIES];
    int        body_count, mover_count, alarms;
    double     speed;                                      /* how fast bodies are */
    uint64_t   dice;
} room;

static double part(room *r)
{
    r->dice = r->dice * 6364136223846793005u + 1442695040888963407u;
    return (double)(r->dice >> 33) / 2147483648.0;
}

static double between(room *r, double a, double b) { return a + (b - a) * part(r); }
static int below(room *r, int n) { return (int)(part(r) * n); }

static kin_vec at(double x, double y, double z)
{
#if KINEMATIC_DIM == 2
    (void)z;
    return kin_v((float)x, (float)y);
#else
    return kin_v((float)x, (float)y, (float)z);
#endif
}

static kin_rot tilted(double radians)
{
#if KINEMATIC_DIM == 2
    return kin_turn((float)radians);
#else
    return kin_turn(at(0, 0, 1), (float)radians);
#endif
}

/* ---- levels -------------------------------------------------------------------------------------------------------- */

static void add_block(room *r, dv lo, dv hi, double turn)
{
    kin_static_desc d;
    dv              size = dv_sub(hi, lo), middle = dv_scale(dv_add(lo, hi), 0.5);
    memset(&d, 0, sizeof d);
    d.shape = kin_box(at(size.x, size.y, size.z));
    d.position = at(middle.x, middle.y, middle.z);
    d.rotation = tilted(turn);
    kin_add_static(r->world, &d);
}

/* A slope of the whole depth; the points of a tile are those of one of size 1. */
static int slope_points(kin_vec *points, double wide, double high, double deep, bool falls)
{
    int n = 0, k;
    for (k = 0; k < KINEMATIC_DIM - 1; k++) {
        points[n++] = at(0, 0, k * deep);
        points[n++] = at(wide, 0, k * deep);
        points[n++] = at(falls ? 0 : wide, high, k * deep);
    }
    return n;
}

static void add_slopes(room *r, int storeys)
{
    int i;
    for (i = 0; i < 16; i++) {
        double          x = below(r, WIDE - 4), y = 2 * below(r, storeys), wide = 1 + below(r, 4), high = 0.5 + 0.5 * below(r, 6);
        kin_vec         points[6];
        kin_static_desc d;
        memset(&d, 0, sizeof d);
        d.shape = kin_hull(points, slope_points(points, wide, high, DEEP, below(r, 2)), 0);
        d.position = at(x, y, 0);
        kin_add_static(r->world, &d);
        if (below(r, 2)) add_block(r, dv_make(x + wide, y, 0), dv_make(x + wide + 2, y + high, DEEP), 0);
    }
}

/* Full cells, and slopes of one cell and of half a cell. */
static void add_cells(room *r)
{
    uint8_t        cells[WIDE * HIGH * DEEP];
    kin_tiles_desc d;
    kin_tile       tile;
    kin_id         grid;
    int            i, deep = KINEMATIC_DIM == 3 ? DEEP : 1;
    for (i = 0; i < WIDE * HIGH * deep; i++) {
        double q = part(r);
        cells[i] = q < 0.12 ? 1 : q < 0.2 ? 4 : q < 0.28 ? 5 : q < 0.31 ? 6 : q < 0.34 ? 7 : 0;
        if (i / (WIDE * HIGH) % 4) cells[i] = cells[i - WIDE * HIGH];
    }
    memset(&d, 0, sizeof d);
    d.cells = cells;
    d.size.x = WIDE;
    d.size.y = HIGH;
#if KINEMATIC_DIM == 3
    d.size.z = DEEP;
#endif
    grid = kin_add_tiles(r->world, &d);
    for (i = 0; i < 4; i++) {
        memset(&tile, 0, sizeof tile);
        tile.count = slope_points(tile.points, 1, i < 2 ? 1 : 0.5, 1, i % 2);
        kin_define_tile(r->world, grid, (uint8_t)(4 + i), &tile);
    }
}

static void add_hills(room *r)
{
    enum { ROWS = KINEMATIC_DIM == 3 ? 5 : 1 };
    kin_vec       points[(WIDE + 1) * ROWS];
    int           corners[WIDE * 6 * ROWS], n = 0, x, z;
    double        high = 1;
    kin_mesh_desc d;
    for (x = 0; x <= WIDE; x++) {
        high = fmax(0.2, fmin(4, high + between(r, -1.3, 1.3)));
        for (z = 0; z < ROWS; z++) points[x + (WIDE + 1) * z] = at(x, high + (ROWS > 1 ? between(r, -0.3, 0.3) : 0), 2 * z);
    }
    for (x = 0; x < WIDE; x++)
#if KINEMATIC_DIM == 2
        { corners[n++] = x; corners[n++] = x + 1; }
#else
        for (z = 0; z < ROWS - 1; z++) {
            int a = x + (WIDE + 1) * z, b = a + WIDE + 1;
            corners[n++] = a; corners[n++] = a + 1; corners[n++] = b;
            corners[n++] = a + 1; corners[n++] = b + 1; corners[n++] = b;
        }
#endif
    memset(&d, 0, sizeof d);
    d.points = points;
    d.point_count = (WIDE + 1) * ROWS;
    d.indices = corners;
    d.index_count = n;
    kin_add_mesh(r->world, &d);
}

static void add_level(room *r, int kind)
{
    int i;
    add_block(r, dv_make(-2, -2, -2), dv_make(WIDE + 2, 0, DEEP + 2), 0);
    add_block(r, dv_make(-2, HIGH, -2), dv_make(WIDE + 2, HIGH + 2, DEEP + 2), 0);
    add_block(r, dv_make(-2, -2, -2), dv_make(0, HIGH + 2, DEEP + 2), 0);
    add_block(r, dv_make(WIDE, -2, -2), dv_make(WIDE + 2, HIGH + 2, DEEP + 2), 0);
    if (KINEMATIC_DIM == 3) add_block(r, dv_make(-2, -2, -2), dv_make(WIDE + 2, HIGH + 2, 0), 0);
    if (KINEMATIC_DIM == 3) add_block(r, dv_make(-2, -2, DEEP), dv_make(WIDE + 2, HIGH + 2, DEEP + 2), 0);
    for (i = 0; i < 24 && (kind == 0 || kind == 3); i++) {
        dv lo = dv_make(between(r, 0, WIDE - 3), between(r, 0, HIGH - 4), 0);
        dv hi = dv_add(lo, dv_make(between(r, 0.3, 4), between(r, 0.2, 1.5), below(r, 2) ? DEEP : between(r, 1, DEEP)));
        add_block(r, lo, hi, kind == 3 ? between(r, -1.5, 1.5) : 0);
    }
    if (kind == 1 || kind == 2) add_slopes(r, kind == 1 ? 1 : 4);
    if (kind == 4) add_cells(r);
    if (kind == 5) add_hills(r);
}

/* ---- bodies and movers --------------------------------------------------------------------------------------------- */

static kin_shape any_shape(room *r)
{
    kin_vec points[6];
    int     kind = below(r, 4), i;
    if (kind == 0) return kin_box(at(between(r, 0.5, 1), between(r, 0.5, 1.4), between(r, 0.5, 1)));
    if (kind == 1) return kin_ball((float)between(r, 0.25, 0.5));
    if (kind == 2) return kin_capsule((float)between(r, 1, 1.4), 0.3f);
    for (i = 0; i < 6; i++) points[i] = at(between(r, -0.5, 0.5), between(r, -0.5, 0.5), between(r, -0.5, 0.5));
    return kin_hull(points, 6, 0.02f);
}

/* Somewhere free, if that is found. */
static void add_one(room *r, bool hills)
{
    kin_body_desc d;
    kin_shape     larger;
    kin_pose      pose;
    int           tries;
    memset(&d, 0, sizeof d);
    d.shape = larger = any_shape(r);
    larger.radius += 0.05f;
    d.rotation = tilted(below(r, 2) ? between(r, -3, 3) : 0);
    d.push = (kin_push)below(r, 2);
    if (below(r, 2)) d.step_height = 0.3f;
    if (below(r, 3) == 0) d.max_slope = (float)between(r, 0.3, 1.2);
    if (below(r, 4) == 0) d.corner_nudge = 0.1f;
    for (tries = 0; tries < 60; tries++) {
        memset(&pose, 0, sizeof pose);
        pose.p = d.position = at(between(r, 1, WIDE - 1), between(r, hills ? 6 : 1, HIGH - 1), between(r, 1, DEEP - 1));
        pose.q = d.rotation;
        if (kin_overlap(r->world, &larger, pose, NULL, NULL, 0) > 0) continue;
        r->bodies[r->body_count++] = kin_add_body(r->world, &d);
        return;
    }
}

static void add_movers(room *r)
{
    for (r->mover_count = 0; r->mover_count < MOVERS; r->mover_count++) {
        kin_mover_desc d;
        memset(&d, 0, sizeof d);
        d.shape = kin_box(at(3, 0.5, 3));
        d.position = at(between(r, 2, WIDE - 2), between(r, 2, HIGH - 2), 0.5 * DEEP);
        d.velocity = at(between(r, -2, 2), 0, 0);
        r->movers[r->mover_count] = kin_add_mover(r->world, &d);
    }
}

static void command(room *r)
{
    int i;
    for (i = 0; i < r->body_count; i++) {
        kin_id  b = r->bodies[i];
        kin_vec v = kin_get_velocity(r->world, b);
        double  up = (double)v.y;
        if (below(r, 40) == 0) r->wish[i] = at(r->speed * between(r, -7, 7), 0, r->speed * between(r, -3, 3));
        if (below(r, 50) == 0 && (kin_on_ground(r->world, b) || below(r, 10) == 0)) up = r->speed * between(r, 4, 14);
        if (i % 4 < 3) v = r->wish[i];
        v.y = (float)up;
        kin_set_velocity(r->world, b, v);
    }
    for (i = 0; i < r->mover_count; i++) {
        kin_vec p = kin_get_position(r->world, r->movers[i]), v = kin_get_velocity(r->world, r->movers[i]);
        v.x = p.x < 2 ? (float)fabs((double)v.x) : p.x > WIDE - 2 ? -(float)fabs((double)v.x) : v.x;
        kin_set_velocity(r->world, r->movers[i], v);
    }
}

/* ---- playing ------------------------------------------------------------------------------------------------------- */

/* A body may have been squeezed by one that a mover squeezes: half a body's size more than 2 units. */
static bool mover_near(const room *r, kin_id b)
{
    dv  p = dv_of(kin_get_position(r->world, b));
    int i;
    for (i = 0; i < r->mover_count; i++) {
        dv q = dv_of(kin_get_position(r->world, r->movers[i]));
        if (fabs(p.x - q.x) < 1.5 + 2.6 && fabs(p.y - q.y) < 0.25 + 2.6 && fabs(p.z - q.z) < 1.5 + 2.6) return true;
    }
    return false;
}

static void look_for_alarms(room *r, int seed, int kind, int step)
{
    const kin_event *e;
    int              i, count = kin_get_events(r->world, &e);
    for (i = 0; i < count; i++) {
        dv p;
        if ((e[i].type != KIN_EVENT_EMBEDDED && e[i].type != KIN_EVENT_CRUSHED) || mover_near(r, e[i].a)) continue;
        p = dv_of(kin_get_position(r->world, e[i].a));
        printf("\nKIN_SEED=%d, %dD, kind %d, step %d: body %u at (%g, %g, %g) is %s, by slot %u\n", seed, KINEMATIC_DIM, kind, step,
               e[i].a.slot, p.x, p.y, p.z, e[i].type == KIN_EVENT_CRUSHED ? "crushed" : "embedded", e[i].b.slot);
        r->alarms++;
    }
}

static int play_room(int seed, int steps)
{
    static const float rates[] = { 60, 128, 240 };
    kin_world_desc     d;
    room               r;
    float              dt;
    int                i, kind = seed % KINDS;
    memset(&r, 0, sizeof r);
    memset(&d, 0, sizeof d);
    r.dice = (uint64_t)seed * 0x9E3779B97F4A7C15u + 1;
    part(&r);
    d.gravity = at(0, -25, 0);
    r.world = kin_world_create(&d);
    r.speed = below(&r, 3) ? 1 : 4;
    dt = 1 / rates[below(&r, 3)];
    add_level(&r, kind);
    if (below(&r, 3) == 0 && kind != 5) add_movers(&r);
    for (i = 0; i < BODIES; i++) add_one(&r, kind == 5);
    for (i = 1; i <= steps; i++) {
        command(&r);
        kin_world_step(r.world, dt);
        look_for_alarms(&r, seed, kind, i);
    }
    kin_world_destroy(r.world);
    return r.alarms;
}

static int from_environment(const char *name, int usual) { return getenv(name) ? atoi(getenv(name)) : usual; }

TEST no_false_alarms(void)
{
    int one = from_environment("KIN_SEED", 0), count = one ? 1 : from_environment("KIN_SEEDS", TEST_SHARE > 1 ? 6 : 60), i, alarms = 0;
    int steps = from_environment("KIN_STEPS", 600);
    for (i = 0; i < count; i++) alarms += play_room(one ? one : 1 + i, steps);
    if (alarms) FAILm("somebody is embedded or crushed though nothing squeezes");
    PASS();
}

SUITE(rooms)
{
    RUN_TEST(no_false_alarms);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv)
{
    GREATEST_MAIN_BEGIN();
    RUN_SUITE(rooms);
    GREATEST_MAIN_END();
}
