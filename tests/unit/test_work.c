/* SPDX-License-Identifier: MIT OR Unlicense

   Work: what a step costs a body that is in or on thousands of pieces grows with their number, not with its square.
   Square roots are counted instead of time: they are the same everywhere, and every piece that is looked at takes some. */
#include <math.h>

static int roots;

static float counted_root(float a) { roots++; return sqrtf(a); }

#define KINEMATIC_SQRT(a) counted_root(a)
#include "math.c"
#include "worlds.h"

UTEST_MAIN()

/* Cells, or faces, along one side of a small and of a large level. The small one already has more pieces than a body may
   look at again for each of them. */
enum { SMALL = KINEMATIC_DIM == 2 ? 40 : 12, LARGE = 2 * SMALL, MOST_CELLS = 25600 };

/* The same for an askew box, which looks again for fewer of them: until the limit is reached, the cost is a square. */
enum { ASKEW = KINEMATIC_DIM == 2 ? 60 : SMALL };

/* How often the large level has as many pieces, and how much more its step may cost: far less than the square. */
enum { AS_MANY = KINEMATIC_DIM == 2 ? 4 : 8, AS_MUCH = AS_MANY + AS_MANY / 2 };

static kin_vec all(float a) { return kini_all(a); }

/* Every other cell is filled. */
static kin_tiles_desc checkerboard(uint8_t *cells, int side)
{
    kin_tiles_desc desc;
    int            i, count = 1;
    memset(&desc, 0, sizeof desc);
    for (i = 0; i < KINEMATIC_DIM; i++) {
        desc.size = kini_cell_with(desc.size, i, side);
        count *= side;
    }
    for (i = 0; i < count; i++) cells[i] = (uint8_t)((i + i / side + i / side / side * (KINEMATIC_DIM - 2)) % 2);
    desc.cells = cells;
    desc.origin = all(-0.5f * (float)side);
    return desc;
}

/* Square roots of the second step of a body nearly as large as the level, which moves if it has a mover. */
static int step_in_cells(const kin_shape *shape, int side, bool moves)
{
    static uint8_t cells[MOST_CELLS];
    kin_world_desc world_desc;
    kin_world     *world;
    kin_tiles_desc tiles = checkerboard(cells, side);
    kin_body_desc  body;
    memset(&world_desc, 0, sizeof world_desc);
    memset(&body, 0, sizeof body);
    world = kin_world_create(&world_desc);
    if (moves) {
        kin_mover_desc mover;
        memset(&mover, 0, sizeof mover);
        mover.shape = kin_ball(0.1f);
        mover.velocity = at(0.5f, 1);
        tiles.attach = kin_add_mover(world, &mover);
    }
    kin_add_tiles(world, &tiles);
    body.shape = *shape;
    body.velocity = at(3, 1);
    kin_add_body(world, &body);
    kin_world_step(world, 1.0f / 64);
    roots = 0;
    kin_world_step(world, 1.0f / 64);
    kin_world_destroy(world);
    return roots;
}

/* A corner of a box of one, drawn askew. */
static kin_vec askew(int i, float a)
{
    kin_vec p = all(i & 1 ? 0.5f : -0.5f);
    p = kini_with(p, 1, i & 2 ? 0.5f : -0.45f);
    if (KINEMATIC_DIM == 3) p = kini_with(p, KINEMATIC_DIM - 1, i & 4 ? 0.5f : -0.4f);
    return kini_scale(kini_with(p, 0, kini_at(p, 0) + 0.05f * kini_at(p, 1)), a);
}

static kin_shape askew_box(float a)
{
    kin_vec corners[8];
    int     i, count = KINEMATIC_DIM == 2 ? 4 : 8;
    for (i = 0; i < count; i++) corners[i] = askew(i, a);
    return kin_hull(corners, count, 0);
}

static void compare(int *utest_result, int small, int large, int as_much)
{
    EXPECT_GT(small, 1000);
    EXPECT_LT(large, small * as_much);
}

/* Buried in the level it is embedded: what the step costs does not grow with the level at all. */
UTEST(work, buried_in_a_checkerboard)
{
    kin_shape large[3];
    int       i;
    large[0] = kin_box(all(0.8f * LARGE));
    large[1] = askew_box(0.8f * LARGE);
    large[2] = kin_ball(0.4f * LARGE);
    for (i = 0; i < 3; i++) EXPECT_LT(step_in_cells(&large[i], LARGE, false), KINEMATIC_DIM == 2 ? 2000 : 15000);
}

UTEST(work, in_a_checkerboard_that_moves)
{
    kin_shape small = kin_box(all(0.8f * SMALL)), large = kin_box(all(0.8f * LARGE));
    compare(utest_result, step_in_cells(&small, SMALL, true), step_in_cells(&large, LARGE, true), AS_MUCH);
    if (TEST_SHARE > 1) return;   /* the counts are the same in every build */
    small = askew_box(0.8f * ASKEW);
    large = askew_box(0.8f * 2 * ASKEW);
    compare(utest_result, step_in_cells(&small, ASKEW, true), step_in_cells(&large, 2 * ASKEW, true), AS_MUCH);
}

/* Square roots of a step of a slab that is pressed in between a floor and a ceiling of single cells, nearer to both than
   it may be: each of them asks for room that is not there. */
static int step_in_a_gap(int length)
{
    static uint8_t cells[MOST_CELLS];
    kin_world_desc world_desc;
    kin_world     *world;
    kin_tiles_desc tiles;
    kin_body_desc  body;
    int            i, depth = KINEMATIC_DIM == 2 ? 1 : length;
    memset(&world_desc, 0, sizeof world_desc);
    memset(&tiles, 0, sizeof tiles);
    memset(&body, 0, sizeof body);
    world_desc.gravity = at(0, -30);
    world = kin_world_create(&world_desc);
    for (i = 0; i < length * 4 * depth; i++) {
        int row = i / length % 4;
        cells[i] = (uint8_t)(row % 3 == 0 && (i % length + i / length / 4) % 2 == 1);
    }
    tiles.size = kini_cell_with(kini_cell_with(tiles.size, KINEMATIC_DIM - 1, depth), 0, length);
    tiles.size.y = 4;
    tiles.cells = cells;
    tiles.origin = kini_with(all(-0.5f * (float)length), 1, 0);
    kin_add_tiles(world, &tiles);
    body.shape = kin_box(kini_with(all(0.9f * (float)length), 1, 1.9985f));
    body.position = at(0.2f, 2);
    body.velocity = at(1, 0);
    kin_add_body(world, &body);
    roots = 0;
    kin_world_step(world, 1.0f / 64);
    kin_world_destroy(world);
    return roots;
}

UTEST(work, between_floor_and_ceiling)
{
    int length = KINEMATIC_DIM == 2 ? 1600 : 40, larger = KINEMATIC_DIM == 2 ? 6400 : 80;
    compare(utest_result, step_in_a_gap(length), step_in_a_gap(larger), 6);
}

/* Square roots of the first step of bodies that were put on one spot. */
static int step_on_one_spot(int count)
{
    kin_world_desc  world_desc;
    kin_static_desc floor;
    kin_body_desc   body;
    kin_world      *world;
    int             i;
    memset(&world_desc, 0, sizeof world_desc);
    memset(&floor, 0, sizeof floor);
    memset(&body, 0, sizeof body);
    world_desc.gravity = at(0, -30);
    world = kin_world_create(&world_desc);
    floor.shape = kin_box(kini_with(all(400), 1, 1));
    kin_add_static(world, &floor);
    body.position = at(0, 1);
    for (i = 0; i < count; i++) {
        body.shape = i % 2 ? kin_ball(0.5f) : kin_box(all(1));
        kin_add_body(world, &body);
    }
    roots = 0;
    kin_world_step(world, 1.0f / 64);
    kin_world_destroy(world);
    return roots;
}

UTEST(work, on_one_spot)
{
    if (TEST_SHARE > 1) return;   /* the counts are the same in every build */
    compare(utest_result, step_on_one_spot(500), step_on_one_spot(1000), 4);
}

/* ---- jams ------------------------------------------------------------------------------------------------------------- */

enum { MOST_JAMMED = 64 };

/* Bodies of three sorts, every fourth unpushable, on a grid. */
static kin_world *jam(kin_id *bodies, int count, int columns, float gravity)
{
    kin_world_desc  world_desc;
    kin_static_desc wall;
    kin_body_desc   body;
    kin_world      *world;
    int             i;
    memset(&world_desc, 0, sizeof world_desc);
    memset(&wall, 0, sizeof wall);
    memset(&body, 0, sizeof body);
    world_desc.gravity = at(0, gravity);
    world = kin_world_create(&world_desc);
    wall.shape = kin_box(all(20));
    for (i = 0; i < 4; i++) {
        wall.position = i < 2 ? at(0, i ? 20.0f : -15.0f) : at(i > 2 ? 15.0f : -15.0f, 0);
        kin_add_static(world, &wall);
    }
    for (i = 0; i < count; i++) {
        body.shape = i % 3 == 0 ? kin_box(all(0.9f)) : i % 3 == 1 ? kin_ball(0.45f) : kin_capsule(1.2f, 0.35f);
        body.position = at(1.2f * (float)(i % columns) - 4, 1.2f * (float)(i / columns) - 4);
        body.push = i % 4 == 3 ? KIN_UNPUSHABLE : KIN_PUSHABLE;
        bodies[i] = kin_add_body(world, &body);
    }
    return world;
}

/* Bodies, and the things within the box of each. */
static int company(const kin_world *world, const kin_id *bodies, int count)
{
    kin_vec margin = all(0.05f);
    int     i, k, sum = count;
    for (i = 0; i < count; i++)
        for (k = 1; k < world->things.count; k++) {
            const kini_thing *s = &world->things.at[bodies[i].slot], *t = &world->things.at[k];
            sum += s != t && kini_boxes_meet(kini_sub(s->lo, margin), kini_add(s->hi, margin), t->lo, t->hi);
        }
    return sum;
}

/* The most square roots, in one step, for each body and each thing within its box, while all walk to one place. */
static int work_in_a_jam(int count, int columns, float gravity, kin_vec place)
{
    kin_id     bodies[MOST_JAMMED];
    kin_world *world = jam(bodies, count, columns, gravity);
    int        i, step, most = 0;
    for (step = 0; step < 200; step++) {
        int each;
        for (i = 0; i < count; i++) {
            kin_vec v = kini_scale(kini_unit(kini_sub(place, kin_get_position(world, bodies[i]))), 4);
            if (gravity < 0) v.y = kin_get_velocity(world, bodies[i]).y;
            kin_set_velocity(world, bodies[i], v);
        }
        roots = 0;
        kin_world_step(world, 1.0f / 60);
        each = roots / company(world, bodies, count);
        if (each > most) most = each;
    }
    kin_world_destroy(world);
    return most;
}

/* 20,000 instructions are about 28 square roots. */
UTEST(work, in_a_jam)
{
    EXPECT_LT(work_in_a_jam(35, 7, -30, at(0, 0)), 28);
    EXPECT_LT(work_in_a_jam(60, 8, 0, at(0, 0)), 28);
    EXPECT_LT(work_in_a_jam(60, 8, 0, at(-30, -20)), 28);
}
