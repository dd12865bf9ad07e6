/* SPDX-License-Identifier: MIT OR Unlicense

   bench3.c: the 3D workloads. Lengths are in metres, y points up. One kin_world_step moves all bodies; what is counted
   is that and setting velocities or platforms before it.

   walk: 64 x 64 floor boxes with low steps and thin walls on them; characters take a new random heading every two
   seconds. mesh: the same on a hilly surface of 131072 triangles. ride: ten idle riders on each platform, of which one
   third goes up and down, one to and fro, and one turns. save, load, trusted: snapshots of those riders. */
#define KINEMATIC_DIM 3
#define KINEMATIC_IMPLEMENTATION
#include "kinematic.h"

#include "bench.h"
#include "tests/threads.h"
#include "saving.h"

#include <math.h>

#define STEP_TIME (1.0f / 60.0f)
#define GRAVITY 20.0f
#define SPEED 4.0f
#define RADIUS 0.3f
#define HEIGHT 1.8f
#define STEP_HEIGHT 0.4f
#define MAX_SLOPE 0.8726646f   /* 50 degrees */
#define FULL_TURN 6.2831853f

enum { LEVEL = 1, CROWD = 2 };   /* layers: characters meet the level, but not each other */
enum { LEVEL_BOXES = 64, MESH_CELLS = 256, NEW_HEADING = 120, RIDERS = 10 };

static kin_world *world;
static bool       trusting;   /* worlds load none but their own snapshots */
static int        number;
static kin_id    *bodies, *platforms;
static kin_vec   *before, *wishes;
static uint32_t  *seeds;

static void begin(int n)
{
    world = kin_world_create(&(kin_world_desc){ .gravity = { 0, -GRAVITY, 0 }, .trust_snapshots = trusting,
                                                .parallel = bench_workers ? threads_parallel : NULL, .workers = bench_workers });
    threads_set(bench_workers);
    number = n;
    bodies = bench_room(n, sizeof *bodies);
    platforms = bench_room(n, sizeof *platforms);
    before = bench_room(n, sizeof *before);
    wishes = bench_room(n, sizeof *wishes);
    seeds = bench_room(n, sizeof *seeds);
}

static void end(void)
{
    kin_world_destroy(world);
    free(bodies); free(platforms); free(before); free(wishes); free(seeds);
}

static void add_character(int i, kin_vec feet)
{
    before[i] = kin_v(feet.x, feet.y + 0.5f * HEIGHT, feet.z);
    bodies[i] = kin_add_body(world, &(kin_body_desc){
        .shape = kin_capsule(HEIGHT, RADIUS), .position = before[i], .layer = CROWD, .mask = LEVEL,
        .step_height = STEP_HEIGHT, .snap = STEP_HEIGHT, .max_slope = MAX_SLOPE });
}

static uint32_t random_number(uint32_t *seed, uint32_t below)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) % below;
}

/* ---- levels ------------------------------------------------------------------------------------------------------- */

static void add_box(float x, float y, float z, kin_vec size)
{
    kin_add_static(world, &(kin_static_desc){ .shape = kin_box(size), .position = { x, y, z } });
}

static void add_boxes(void)
{
    int i, j;
    for (j = 0; j < LEVEL_BOXES; j++)
        for (i = 0; i < LEVEL_BOXES; i++) {
            float x = 4 * ((float)(i - LEVEL_BOXES / 2) + 0.5f), z = 4 * ((float)(j - LEVEL_BOXES / 2) + 0.5f);
            add_box(x, -0.5f, z, kin_v(4, 1, 4));
            if ((i + 2 * j) % 4 == 0) add_box(x, 0.15f, z, kin_v(2, 0.3f, 2));
            if ((i + 5 * j) % 16 == 5) add_box(x, 1.5f, z, kin_v(3, 3, 0.5f));
        }
}

static float hills(float x, float z)
{
    return 2 * sinf(0.2f * x) * cosf(0.17f * z) + sinf(0.35f * z + 1) + 0.5f * sinf(0.45f * x + 0.3f * z);
}

static void add_hills(void)
{
    int      row = MESH_CELLS + 1, i, j, count = 0;
    kin_vec *points = bench_room(row * row, sizeof *points);
    int     *indices = bench_room(6 * MESH_CELLS * MESH_CELLS, sizeof *indices);
    for (j = 0; j < row; j++)
        for (i = 0; i < row; i++) {
            float x = (float)(i - MESH_CELLS / 2), z = (float)(j - MESH_CELLS / 2);
            points[j * row + i] = kin_v(x, hills(x, z), z);
        }
    for (j = 0; j < MESH_CELLS; j++)
        for (i = 0; i < MESH_CELLS; i++) {
            int a = j * row + i, corners[6] = { a, a + row, a + 1, a + 1, a + row, a + row + 1 }, k;
            for (k = 0; k < 6; k++) indices[count++] = corners[k];
        }
    kin_add_mesh(world, &(kin_mesh_desc){ .points = points, .point_count = row * row, .indices = indices, .index_count = count });
    free(points); free(indices);
}

/* ---- walk, mesh --------------------------------------------------------------------------------------------------- */

static int    on_hills;
static double walked;
static long   grounded, samples, short_steps;

static void walk_begin(int n, int hilly)
{
    uint32_t seed = 12345;
    int      i;
    begin(n);
    on_hills = hilly;
    walked = 0;
    grounded = samples = short_steps = 0;
    if (hilly) add_hills();
    else add_boxes();
    for (i = 0; i < n; i++) {
        float x = 4 * ((float)random_number(&seed, 51) - 25), z = 4 * ((float)random_number(&seed, 51) - 25);
        seeds[i] = 777u + 7919u * (uint32_t)i;
        add_character(i, kin_v(x, hilly ? hills(x, z) + 0.3f : 0.05f, z));
    }
}

static void walk_boxes(int n) { walk_begin(n, 0); }
static void walk_hills(int n) { walk_begin(n, 1); }

/* Near the border the new heading leads back to the middle. */
static void new_heading(int i)
{
    kin_vec p = before[i];
    float   angle = (float)random_number(&seeds[i], 256) * (FULL_TURN / 256);
    if (fabsf(p.x) > 116 || fabsf(p.z) > 116) angle = atan2f(-p.z, -p.x);
    wishes[i] = kin_v(SPEED * cosf(angle), 0, SPEED * sinf(angle));
}

static void walk_step(int step)
{
    int i;
    for (i = 0; i < number; i++) {
        kin_vec v;
        if (step % NEW_HEADING == 1) new_heading(i);
        v = kin_get_velocity(world, bodies[i]);
        kin_set_velocity(world, bodies[i], kin_v(wishes[i].x, v.y, wishes[i].z));
    }
    kin_world_step(world, STEP_TIME);
}

/* Distance walked: along the hills; over boxes as seen from above. */
static void walk_watch(int step)
{
    int i;
    for (i = 0; i < number; i++) {
        kin_vec p = kin_get_position(world, bodies[i]);
        double  x = p.x - before[i].x, y = on_hills ? p.y - before[i].y : 0, z = p.z - before[i].z;
        double  part = sqrt(x * x + y * y + z * z) / (SPEED * STEP_TIME);
        before[i] = p;
        if (step <= 0) continue;
        walked += part;
        short_steps += part < 0.98;
        samples++;
        grounded += kin_on_ground(world, bodies[i]);
    }
}

static void walk_end(int steps, char *quality)
{
    int i, fallen = 0;
    (void)steps;
    for (i = 0; i < number; i++) {
        float floor_y = on_hills ? hills(before[i].x, before[i].z) : 0;
        fallen += !(before[i].y - 0.5f * HEIGHT > floor_y - 0.5f);
    }
    snprintf(quality, BENCH_ROOM, "walked %.2f %%  short steps %.2f %%  grounded %.2f %%  fallen %d", 100 * walked / (double)samples,
             100 * (double)short_steps / (double)samples, 100 * (double)grounded / (double)samples, fallen);
    end();
}

/* ---- ride --------------------------------------------------------------------------------------------------------- */

typedef struct platform { double x, y, z, turn; } platform;

static double drift[3], heights[3];   /* of riders that go up and down, to and fro, round */
static long   in_air, lost;

static platform platform_at(int i, int step)
{
    double   t = step / 60.0;
    platform at = { 20.0 * (i % 32 - 16), 5, 20.0 * (i / 32 - 16), 0 };
    if (i % 3 == 0) at.y += 2 * sin(t);
    else if (i % 3 == 1) at.x += 3 * sin(t);
    else at.turn = t;
    return at;
}

static kin_vec seen_from(platform at, kin_vec p)
{
    double x = p.x - at.x, z = p.z - at.z, c = cos(at.turn), s = sin(at.turn);
    return kin_v((float)(c * x - s * z), (float)(p.y - at.y), (float)(s * x + c * z));
}

static void ride_begin(int n)
{
    int i;
    begin(n);
    memset(drift, 0, sizeof drift);
    memset(heights, 0, sizeof heights);
    samples = in_air = lost = 0;
    for (i = 0; i * RIDERS < n; i++) {
        platform at = platform_at(i, 0);
        platforms[i] = kin_add_mover(world, &(kin_mover_desc){
            .shape = kin_box(kin_v(6, 0.5f, 6)), .position = { (float)at.x, (float)at.y, (float)at.z } });
    }
    for (i = 0; i < n; i++) {
        platform at = platform_at(i / RIDERS, 0);
        float    angle = (float)(i % RIDERS) * (FULL_TURN / RIDERS), far = 0.5f + 0.2f * (float)(i % RIDERS);
        add_character(i, kin_v((float)at.x + far * cosf(angle), (float)at.y + 0.28f, (float)at.z + far * sinf(angle)));
    }
}

static void ride_step(int step)
{
    int i;
    for (i = 0; i * RIDERS < number; i++) {
        platform to = platform_at(i, step);
        kin_move_to(world, platforms[i], kin_v((float)to.x, (float)to.y, (float)to.z), kin_turn(kin_v(0, 1, 0), (float)to.turn));
    }
    kin_world_step(world, STEP_TIME);
}

static void ride_watch(int step)
{
    int i;
    for (i = 0; i < number && step >= 0; i++) {
        kin_vec on = seen_from(platform_at(i / RIDERS, step + BENCH_SETTLE), kin_get_position(world, bodies[i]));
        double  along, across;
        int     kind = i / RIDERS % 3;
        if (step == 0) before[i] = on;
        along = sqrt((on.x - before[i].x) * (on.x - before[i].x) + (on.z - before[i].z) * (on.z - before[i].z));
        across = fabsf(on.y - before[i].y);
        samples++;
        if (across > 1) { lost++; continue; }
        in_air += !kin_on_ground(world, bodies[i]);
        if (along > drift[kind]) drift[kind] = along;
        if (across > heights[kind]) heights[kind] = across;
    }
}

static void ride_end(int steps, char *quality)
{
    (void)steps;
    snprintf(quality, BENCH_ROOM, "drift up %.6f %.6f, to and fro %.6f %.6f, round %.6f %.6f  in the air %.3f %%  fallen %.2f %%",
             drift[0], heights[0], drift[1], heights[1], drift[2], heights[2],
             100 * (double)in_air / (double)samples, 100 * (double)lost / (double)samples);
    end();
}

/* ---- snapshots --------------------------------------------------------------------------------------------------- */

static void save_begin(int n)
{
    int i;
    ride_begin(n);
    for (i = 1; i <= BENCH_SETTLE; i++) ride_step(i);
    saving_begin(world);
}

static void trust_begin(int n)
{
    trusting = true;
    save_begin(n);
    trusting = false;
}

static void save_end(int steps, char *quality) { (void)steps; saving_end(save_step, quality); end(); }
static void load_end(int steps, char *quality) { (void)steps; saving_end(load_step, quality); end(); }

int main(int argc, char **argv)
{
    static const bench_workload all[] = {
        { "3D-walk", walk_boxes, walk_step, walk_watch, walk_end, { 0 } },
        { "3D-mesh", walk_hills, walk_step, walk_watch, walk_end, { 0 } },
        { "3D-ride", ride_begin, ride_step, ride_watch, ride_end, { 0 } },
        { "3D-save", save_begin, save_step, NULL, save_end, { 0 } },
        { "3D-load", save_begin, load_step, NULL, load_end, { 0 } },
        { "3D-trusted", trust_begin, load_step, NULL, load_end, { 0 } }
    };
    return bench_main(argc, argv, all, (int)(sizeof all / sizeof all[0]));
}
