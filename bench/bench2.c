/* SPDX-License-Identifier: MIT OR Unlicense

   bench2.c: the 2D workloads (level2.h) done by kinematic.h. One kin_world_step moves all bodies; what is counted is
   that, setting velocities or platforms before it, and for walkers also reading where they got to. */
#define KINEMATIC_IMPLEMENTATION
#include "kinematic.h"

#include "bench.h"
#include "tests/threads.h"
#include "level2.h"
#include "saving.h"

enum { LEVEL = 1, CROWD = 2 };   /* layers: walkers and riders meet the level, but not each other */

static kin_world *world;
static bool       trusting;   /* worlds load none but their own snapshots */
static int        number;
static kin_id    *bodies;
static kin_vec   *before;        /* where each body was, or stands on its platform */
static walker    *walkers;
static kin_id    *others;        /* platforms or pushers */

static void begin(int n, int other_count)
{
    world = kin_world_create(&(kin_world_desc){ .gravity = { 0, -GRAVITY }, .trust_snapshots = trusting,
                                                .parallel = bench_workers ? threads_parallel : NULL, .workers = bench_workers });
    threads_set(bench_workers);
    number = n;
    bodies = bench_room(n, sizeof *bodies);
    before = bench_room(n, sizeof *before);
    walkers = bench_room(n, sizeof *walkers);
    others = bench_room(other_count, sizeof *others);
}

static void end(void)
{
    kin_world_destroy(world);
    free(bodies); free(before); free(walkers); free(others);
}

static kin_id add_walker(float x, float y, uint32_t mask)
{
    return kin_add_body(world, &(kin_body_desc){ .shape = kin_capsule(WALKER_HEIGHT, WALKER_RADIUS),
                                                 .position = { x, y }, .layer = CROWD, .mask = mask });
}

static void add_box(float x0, float y0, float x1, float y1)
{
    kin_add_static(world, &(kin_static_desc){ .shape = kin_box(kin_v(x1 - x0, y1 - y0)),
                                              .position = { 0.5f * (x0 + x1), 0.5f * (y0 + y1) } });
}

/* ---- W1: the same level in four forms ----------------------------------------------------------------------------- */

static void add_single_boxes(void)
{
    int x, y;
    for (x = 0; x < LEVEL_LENGTH; x++)
        for (y = -1; y < level_height(x); y++) add_box((float)x, (float)y, (float)(x + 1), (float)(y + 1));
}

static void add_merged_boxes(void)
{
    int x, end_x;
    for (x = 0; x < LEVEL_LENGTH; x = end_x) {
        for (end_x = x + 1; end_x < LEVEL_LENGTH && level_height(end_x) == level_height(x); end_x++) { }
        add_box((float)x, -1, (float)end_x, (float)level_height(x));
    }
}

static void add_tile_grid(void)
{
    int      x, y, rows = LEVEL_TOP + 1;
    uint8_t *cells = bench_room(LEVEL_LENGTH * rows, 1);
    for (y = 0; y < rows; y++)
        for (x = 0; x < LEVEL_LENGTH; x++) cells[y * LEVEL_LENGTH + x] = level_solid(x, y - 1) ? KIN_TILE_SOLID : KIN_TILE_EMPTY;
    kin_add_tiles(world, &(kin_tiles_desc){ .size = { LEVEL_LENGTH, rows }, .origin = { 0, -1 }, .cells = cells });
    free(cells);
}

/* The surface from left to right: one segment for the top of each column, one for each change of height. */
static void add_polyline(void)
{
    kin_vec *points = bench_room(2 * LEVEL_LENGTH, sizeof *points);
    int     *indices = bench_room(4 * LEVEL_LENGTH, sizeof *indices);
    int      x, i, count = 0;
    for (x = 0; x < LEVEL_LENGTH; x++) {
        float top = (float)level_height(x);
        if (x == 0 || level_height(x) != level_height(x - 1)) points[count++] = kin_v((float)x, top);
        points[count++] = kin_v((float)(x + 1), top);
    }
    for (i = 0; i + 1 < count; i++) { indices[2 * i] = i; indices[2 * i + 1] = i + 1; }
    kin_add_mesh(world, &(kin_mesh_desc){ .points = points, .point_count = count,
                                          .indices = indices, .index_count = 2 * (count - 1) });
    free(points); free(indices);
}

static void walk_begin(int n, void (*add_level)(void))
{
    int i;
    begin(n, 1);
    add_level();
    for (i = 0; i < n; i++) {
        before[i] = kin_v(walker_start(i, n), 3);
        bodies[i] = add_walker(before[i].x, before[i].y, LEVEL);
        walker_begin(&walkers[i], i);
    }
}

static void walk_boxes(int n) { walk_begin(n, add_single_boxes); }
static void walk_merged(int n) { walk_begin(n, add_merged_boxes); }
static void walk_tiles(int n) { walk_begin(n, add_tile_grid); }
static void walk_polyline(int n) { walk_begin(n, add_polyline); }

static void walk_step(int step)
{
    int i;
    for (i = 0; i < number; i++) {
        kin_vec v = kin_get_velocity(world, bodies[i]);
        v.x = WALK_SPEED * walkers[i].heading;
        if (walker_jumps(i, step) && kin_on_ground(world, bodies[i])) v.y = JUMP_SPEED;
        kin_set_velocity(world, bodies[i], v);
    }
    kin_world_step(world, STEP_TIME);
    for (i = 0; i < number; i++) {
        kin_vec p = kin_get_position(world, bodies[i]);
        walker_think(&walkers[i], p.x - before[i].x, p.x, p.y, kin_on_ground(world, bodies[i]));
        before[i] = p;
    }
}

static void walk_end(int steps, char *quality)
{
    int i, fallen = 0;
    for (i = 0; i < number; i++) fallen += !(before[i].y > 0);
    walker_report(walkers, number, steps, fallen, quality);
    end();
}

/* ---- W2, W2R ------------------------------------------------------------------------------------------------------ */

static int    rocking;
static double drift_x, drift_y;
static long   samples, in_air, fallen_off;

static void ride_begin(int n, int rocks)
{
    int   i, platforms = (n + RIDERS - 1) / RIDERS;
    place at;
    begin(n, platforms);
    rocking = rocks;
    drift_x = drift_y = 0;
    samples = in_air = fallen_off = 0;
    for (i = 0; i < platforms; i++) {
        at = platform_at(i, 0, rocks);
        others[i] = kin_add_mover(world, &(kin_mover_desc){ .shape = kin_box(kin_v(8, 0.5f)), .position = { at.x, at.y } });
    }
    for (i = 0; i < n; i++) {
        at = platform_at(i / RIDERS, 0, rocks);
        bodies[i] = add_walker(at.x + rider_along(i), at.y + 0.28f + 0.5f * WALKER_HEIGHT, LEVEL);
    }
}

static void ride_shifting(int n) { ride_begin(n, 0); }
static void ride_rocking(int n) { ride_begin(n, 1); }

static void ride_step(int step)
{
    int i;
    for (i = 0; i * RIDERS < number; i++) {
        place to = platform_at(i, step, rocking);
        kin_move_to(world, others[i], kin_v(to.x, to.y), kin_turn(to.turn));
    }
    kin_world_step(world, STEP_TIME);
}

/* Drift is how far a rider's place on its platform differs from that at the end of the settling. */
static void ride_watch(int step)
{
    int i;
    for (i = 0; i < number && step >= 0; i++) {
        kin_vec p = kin_get_position(world, bodies[i]);
        place   on = seen_from(platform_at(i / RIDERS, step + BENCH_SETTLE, rocking), p.x, p.y);
        double  off_x, off_y;
        if (step == 0) before[i] = kin_v(on.x, on.y);
        off_x = fabs(on.x - before[i].x);
        off_y = fabs(on.y - before[i].y);
        samples++;
        if (off_y > 1.5) { fallen_off++; continue; }
        in_air += !kin_on_ground(world, bodies[i]);
        if (off_x > drift_x) drift_x = off_x;
        if (off_y > drift_y) drift_y = off_y;
    }
}

static void ride_end(int steps, char *quality)
{
    (void)steps;
    snprintf(quality, BENCH_ROOM, "drift %.6f along %.6f across  in the air %.3f %%  fallen %.2f %%",
             drift_x, drift_y, 100.0 * (double)in_air / (double)samples, 100.0 * (double)fallen_off / (double)samples);
    end();
}

/* ---- a crowd that stands still; its members could meet ------------------------------------------------------------ */

static double moved;

static void rest_begin(int n)
{
    int i;
    begin(n, 1);
    moved = 0;
    in_air = 0;
    for (i = -1; i <= n; i++) add_box((float)i, -1, (float)(i + 1), 0);
    for (i = 0; i < n; i++) bodies[i] = add_walker((float)i, 0.5f * WALKER_HEIGHT + 0.03f, LEVEL | CROWD);
}

static void rest_step(int step)
{
    (void)step;
    kin_world_step(world, STEP_TIME);
}

static void rest_watch(int step)
{
    int i;
    for (i = 0; i < number && step >= 0; i++) {
        kin_vec p = kin_get_position(world, bodies[i]);
        double  off = fabs(p.x - before[i].x) + fabs(p.y - before[i].y);
        if (step > 0 && off > moved) moved = off;
        in_air += !kin_on_ground(world, bodies[i]);
        before[i] = p;
    }
}

static void rest_end(int steps, char *quality)
{
    snprintf(quality, BENCH_ROOM, "moved %.6f  in the air %.3f %%", moved, 100.0 * (double)in_air / ((double)number * (steps + 1)));
    end();
}

/* ---- W3, and one long row ----------------------------------------------------------------------------------------- */

static int    group;             /* crates to each pusher */
static int    first_moved;       /* crates that went with the pusher in the very first step */
static double overlap, widest, apart;

static kin_id add_crate(float x, kin_push push)
{
    return kin_add_body(world, &(kin_body_desc){ .shape = kin_box(kin_v(1, 1)), .position = { x, 0.5f }, .push = push });
}

static void crates_begin(int n, int each)
{
    begin(n, (n + each - 1) / each);
    group = each;
    first_moved = 0;
    overlap = widest = apart = 0;
    in_air = samples = 0;
    add_box(-1e5f, -1, 1e5f, 0);
}

static void push_begin(int n)
{
    int i;
    crates_begin(n, GROUP);
    for (i = 0; i * group < n; i++) others[i] = add_crate(pusher_start(i), KIN_UNPUSHABLE);
    for (i = 0; i < n; i++) bodies[i] = add_crate(crate_start(i), KIN_PUSHABLE);
}

static float crate_in_row(int i) { return (float)(i + 1); }

static void row_begin(int n)
{
    int i;
    crates_begin(n, n);
    others[0] = add_crate(0, KIN_UNPUSHABLE);
    for (i = 0; i < n; i++) bodies[i] = add_crate(crate_in_row(i), KIN_PUSHABLE);
}

static void push_step(int step)
{
    int i;
    (void)step;
    for (i = 0; i * group < number; i++) kin_set_velocity(world, others[i], kin_v(PUSH_SPEED, 0));
    kin_world_step(world, STEP_TIME);
}

/* Overlap is the deepest between neighbours, apart the largest difference between what a pushed crate and its left
   neighbour moved in one step. */
static void push_watch(int step)
{
    kin_vec left = { 0, 0 }, left_was = { 0, 0 }, pusher;
    int     i;
    for (i = 0; i < number; i++) {
        kin_vec p = kin_get_position(world, bodies[i]), was = before[i];
        double  gap, off;
        if (i % group == 0) {
            pusher = kin_get_position(world, others[i / group]);
            left = pusher;
            left_was = kin_v(pusher.x - PUSH_SPEED * STEP_TIME, pusher.y);
        }
        gap = (double)p.x - left.x - 1;
        off = fabs(((double)p.x - was.x) - ((double)left.x - left_was.x));
        if (-gap > overlap) overlap = -gap;
        if (step > 0 && group > GROUP && gap > widest) widest = gap;
        if (step > 0 && group > GROUP && off > apart) apart = off;
        if (step == 1 - BENCH_SETTLE) first_moved += p.x - crate_in_row(i) > 0.9f * PUSH_SPEED * STEP_TIME;
        if (step > 0) { samples++; in_air += !kin_on_ground(world, bodies[i]); }
        before[i] = left = p;
        left_was = was;
    }
}

static void push_end(int steps, char *quality)
{
    int count = snprintf(quality, BENCH_ROOM, "overlap %.6f  in the air %.3f %%", overlap, 100.0 * (double)in_air / (double)samples);
    (void)steps;
    if (group > GROUP)
        snprintf(quality + count, (size_t)(BENCH_ROOM - count), "  gap %.6f  apart %.6f  moved in the first step %d", widest, apart, first_moved);
    end();
}

/* ---- snapshots of walkers on tiles ------------------------------------------------------------------------------- */

static void save_begin(int n)
{
    int i;
    walk_tiles(n);
    for (i = 1; i <= BENCH_SETTLE; i++) walk_step(i);
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
        { "W1-boxes", walk_boxes, walk_step, NULL, walk_end, { 0 } },
        { "W1-merged", walk_merged, walk_step, NULL, walk_end, { 0 } },
        { "W1-tiles", walk_tiles, walk_step, NULL, walk_end, { 0 } },
        { "W1-polyline", walk_polyline, walk_step, NULL, walk_end, { 0 } },
        { "W2-ride", ride_shifting, ride_step, ride_watch, ride_end, { 0 } },
        { "W2R-rock", ride_rocking, ride_step, ride_watch, ride_end, { 0 } },
        { "rest", rest_begin, rest_step, rest_watch, rest_end, { 0 } },
        { "W3-push", push_begin, push_step, push_watch, push_end, { 0 } },
        { "row", row_begin, push_step, push_watch, push_end, { 125, 250, 500, 1000 } },
        { "save", save_begin, save_step, NULL, save_end, { 0 } },
        { "load", save_begin, load_step, NULL, load_end, { 0 } },
        { "trusted", trust_begin, load_step, NULL, load_end, { 0 } }
    };
    return bench_main(argc, argv, all, (int)(sizeof all / sizeof all[0]));
}
