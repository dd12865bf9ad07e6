/* SPDX-License-Identifier: MIT OR Unlicense

   Grids of tiles: what is refused, what is kept and given back, what pieces they are made of, casts against every cell
   one by one, and random mazes that nobody gets out of. */
#include "draw.c"
#include "worlds.h"

/* ---- helpers ----------------------------------------------------------------------------------------------------- */

static kin_cell cell_of(int x, int y)
{
#if KINEMATIC_DIM == 2
    return kin_c(x, y);
#else
    return kin_c(x, y, 0);
#endif
}

static kin_tiles_desc tiles_desc(int x, int y, const uint8_t *cells)
{
    kin_tiles_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.size = cell_of(x, y);
#if KINEMATIC_DIM == 3
    desc.size.z = 1;
#endif
    desc.cells = cells;
    return desc;
}

/* A triangle in the unit cell that rises to the right; in 3D a prism. */
static kin_tile slope_tile(void)
{
    kin_tile tile;
    int      i;
    memset(&tile, 0, sizeof tile);
    tile.count = 3 * (KINEMATIC_DIM - 1);
    for (i = 0; i < tile.count; i++) {
        tile.points[i] = at(i % 3 > 0 ? 1.0f : 0.0f, i % 3 == 2 ? 1.0f : 0.0f);
#if KINEMATIC_DIM == 3
        tile.points[i].z = i < 3 ? 0.0f : 1.0f;
#endif
    }
    return tile;
}

static kin_shape cube(float s)
{
#if KINEMATIC_DIM == 2
    return kin_box(kin_v(s, s));
#else
    return kin_box(kin_v(s, s, s));
#endif
}

/* In the middle of the one layer. */
static kin_vec mid(float x, float y)
{
    kin_vec p = at(x, y);
#if KINEMATIC_DIM == 3
    p.z = 0.5f;
#endif
    return p;
}

/* ---- refusals -------------------------------------------------------------------------------------------------------- */

static void try_tiles(int *utest_result, kin_world *world, test_log *log, const kin_tiles_desc *desc, const char *word)
{
    int      lines = log->lines;
    uint64_t hash = kin_world_hash(world);
    kin_id   id = kin_add_tiles(world, desc);
    EXPECT_EQ(0u, id.slot);
    EXPECT_EQ(lines + 1, log->lines);
    EXPECT_TRUE(strstr(log->last, "kin_add_tiles") != NULL);
    EXPECT_TRUE(strstr(log->last, word) != NULL);
    EXPECT_TRUE(kin_world_hash(world) == hash);
}

UTEST(tiles, refused_grids)
{
    test_log       log;
    kin_world     *world = quiet_world(&log);
    kin_tiles_desc desc;
    kin_id         wall = add_static(world, cube(1), at(0, 0));
    try_tiles(utest_result, world, &log, NULL, "desc");
    desc = tiles_desc(0, 3, NULL);
    try_tiles(utest_result, world, &log, &desc, "size");
    desc = tiles_desc(3, -1, NULL);
    try_tiles(utest_result, world, &log, &desc, "size");
    desc = tiles_desc(1 << 16, 1 << 16, NULL);
    try_tiles(utest_result, world, &log, &desc, "size");
    desc = tiles_desc(3, 3, NULL);
    desc.cell = -1;
    try_tiles(utest_result, world, &log, &desc, "cell");
    desc.cell = NAN;
    try_tiles(utest_result, world, &log, &desc, "cell");
    desc = tiles_desc(3, 3, NULL);
    desc.origin.y = INFINITY;
    try_tiles(utest_result, world, &log, &desc, "origin");
    desc = tiles_desc(3, 3, NULL);
    desc.attach = wall;
    try_tiles(utest_result, world, &log, &desc, "attach");
    kin_world_destroy(world);
}

UTEST(tiles, refused_edits)
{
    test_log       log;
    kin_world     *world = quiet_world(&log);
    kin_tiles_desc desc = tiles_desc(4, 3, NULL);
    kin_id         wall = add_static(world, cube(1), at(0, 0)), grid = kin_add_tiles(world, &desc);
    kin_tile       tile = slope_tile(), bad;
    uint64_t       hash = kin_world_hash(world);
    ASSERT_NE(0u, grid.slot);
    EXPECT_FALSE(kin_set_tile(world, wall, cell_of(0, 0), 1));
    EXPECT_FALSE(kin_set_tile(world, nobody(), cell_of(0, 0), 1));
    EXPECT_FALSE(kin_set_tile(world, grid, cell_of(4, 0), 1));
    EXPECT_FALSE(kin_set_tile(world, grid, cell_of(0, -1), 1));
    EXPECT_EQ(0, kin_get_tile(world, grid, cell_of(0, 3)));
    EXPECT_EQ(0, kin_get_tile(world, wall, cell_of(0, 0)));
    EXPECT_EQ(6, log.lines);
    EXPECT_FALSE(kin_define_tile(world, wall, 4, &tile));
    EXPECT_FALSE(kin_define_tile(world, grid, 3, &tile));
    EXPECT_FALSE(kin_define_tile(world, grid, 4, NULL));
    bad = tile;
    bad.count = 9;
    EXPECT_FALSE(kin_define_tile(world, grid, 4, &bad));
    bad = tile;
    bad.count = 2;
    EXPECT_FALSE(kin_define_tile(world, grid, 4, &bad));
    bad = tile;
    bad.points[1].x = 1.5f;
    EXPECT_FALSE(kin_define_tile(world, grid, 4, &bad));
    bad = tile;
    bad.points[0].y = NAN;
    EXPECT_FALSE(kin_define_tile(world, grid, 4, &bad));
    bad = tile;
    bad.one_way.x = INFINITY;
    EXPECT_FALSE(kin_define_tile(world, grid, 4, &bad));
    EXPECT_EQ(14, log.lines);
    EXPECT_TRUE(kin_world_hash(world) == hash);
    EXPECT_TRUE(kin_define_tile(world, grid, 4, &tile));
    EXPECT_FALSE(kin_world_hash(world) == hash);
    kin_world_destroy(world);
}

UTEST(tiles, hash_follows_cells)
{
    test_log       log;
    kin_world     *world = quiet_world(&log), *other = quiet_world(&log);
    kin_tiles_desc desc = tiles_desc(9, 7, NULL);
    kin_id         grid = kin_add_tiles(world, &desc);
    uint64_t       empty = kin_world_hash(world), filled;
    kin_add_tiles(other, &desc);
    EXPECT_TRUE(kin_set_tile(world, grid, cell_of(3, 2), 200));
    filled = kin_world_hash(world);
    EXPECT_FALSE(filled == empty);
    EXPECT_TRUE(kin_set_tile(world, grid, cell_of(3, 2), 0));
    EXPECT_TRUE(kin_set_tile(world, grid, cell_of(2, 3), 200));
    EXPECT_FALSE(kin_world_hash(world) == filled);
    EXPECT_TRUE(kin_set_tile(world, grid, cell_of(2, 3), 0));
    EXPECT_TRUE(kin_world_step(world, 1.0f / 128) && kin_world_step(other, 1.0f / 128));   /* who stands there was told */
    EXPECT_TRUE(kin_world_hash(world) == kin_world_hash(other));
    EXPECT_EQ(0, log.lines);
    kin_world_destroy(world);
    kin_world_destroy(other);
}

/* ---- memory ------------------------------------------------------------------------------------------------------------ */

/* Grids of different sizes come and go: those that stay keep their cells and meanings, and in the end nothing is left. */
UTEST(tiles, blocks_move_together)
{
    enum { GRIDS = 12, ROUNDS = 2000 };
    test_log   log;
    kin_world *world = quiet_world(&log);
    kin_id     grids[GRIDS];
    int        wide[GRIDS], value[GRIDS], round, i;
    unsigned   seed = 7;
    memset(grids, 0, sizeof grids);
    for (round = 0; round < ROUNDS / (TEST_SHARE > 4 ? 4 : TEST_SHARE); round++) {
        kin_tiles_desc desc;
        kin_tile       tile = slope_tile();
        int            k = (int)((seed = seed * 1664525u + 1013904223u) >> 16) % GRIDS;
        if (grids[k].slot) {
            ASSERT_EQ(value[k], kin_get_tile(world, grids[k], cell_of(wide[k] - 1, 1)));
            ASSERT_EQ(0, kin_get_tile(world, grids[k], cell_of(wide[k] - 1, 0)));
            ASSERT_TRUE(kin_remove(world, grids[k]));
            grids[k] = nobody();
        } else {
            wide[k] = 1 + (int)(seed >> 8) % 40;
            value[k] = 4 + (int)(seed >> 4) % 60;
            desc = tiles_desc(wide[k], 2, NULL);
            desc.origin = at(0, (float)k * 10);
            grids[k] = kin_add_tiles(world, &desc);
            ASSERT_NE(0u, grids[k].slot);
            ASSERT_TRUE(kin_set_tile(world, grids[k], cell_of(wide[k] - 1, 1), (uint8_t)value[k]));
            tile.surface_velocity = at((float)value[k], 0);
            ASSERT_TRUE(kin_define_tile(world, grids[k], (uint8_t)value[k], &tile));
        }
        for (i = 0; i < GRIDS; i++) {
            const kini_thing *thing = &world->things.at[grids[i].slot];
            const kini_tile  *meant;
            if (!grids[i].slot) continue;
            ASSERT_EQ(value[i], kin_get_tile(world, grids[i], cell_of(wide[i] - 1, 1)));
            meant = kini_tile_of(world, thing, wide[i] + wide[i] - 1);
            ASSERT_TRUE(meant != NULL && same_vec(meant->surface_velocity, at((float)value[i], 0)));
        }
    }
    for (i = 0; i < GRIDS; i++)
        if (grids[i].slot) kin_remove(world, grids[i]);
    kin_world_step(world, 0.01f);
    EXPECT_EQ(0, world->cells.count);
    EXPECT_EQ(0, world->tiles.count);
    for (i = 0; i < world->shapes.count; i++) EXPECT_EQ(0, world->shapes.at[i].users);
    EXPECT_EQ(0, log.lines);
    kin_world_destroy(world);
}

UTEST(tiles, large_grid_costs_its_cells)
{
    test_log       log;
    kin_world     *world = quiet_world(&log);
    int            n = TEST_SHARE > 1 ? 512 : 4096;
    kin_tiles_desc desc = tiles_desc(n, n, NULL);
    kin_id         grid;
    kin_hit        hit;
    desc.origin = at(-0.5f * (float)n, -0.5f * (float)n);
    grid = kin_add_tiles(world, &desc);
    ASSERT_NE(0u, grid.slot);
    EXPECT_EQ(n * n, world->cells.capacity);
    EXPECT_TRUE(kin_set_tile(world, grid, cell_of(n - 1, n - 1), KIN_TILE_SOLID));
    EXPECT_TRUE(kin_cast_ray(world, mid(0.3f, 0.7f), kini_scale(at(0.5f, 0.5f), (float)n), NULL, &hit));
    EXPECT_EQ(n * n - 1, hit.part);
    kin_world_destroy(world);
}

/* ---- pieces ------------------------------------------------------------------------------------------------------------ */

static int pieces_near(kin_world *world, kin_id body, float reach, kini_near *near)
{
    kin_vec lo, hi;
    near->skip = 0;
    near->with = KINI_WITH_MOVERS;
    kini_around(world, body.slot, kini_vec_zero(), kini_vec_zero(), reach, &lo, &hi);
    kini_near_begin(world, near, body.slot, lo, hi);
    return kini_near_first(world, near) ? near->count : 0;
}

UTEST(tiles, cells_join)
{
    static const uint8_t cells[] = {
        1, 1, 1, 1, 1, 1,
        1, 1, 1, 1, 1, 1,
        0, 0, 1, 0, 2, 2,
        0, 0, 0, 0, 2, 2
    };
    test_log       log;
    kin_world     *world = quiet_world(&log);
    kin_tiles_desc desc = tiles_desc(6, 4, cells);
    kin_id         grid = kin_add_tiles(world, &desc), body = add_body(world, cube(0.5f), mid(2.5f, 3.5f));
    kini_near      near;
    int            count = pieces_near(world, body, 10, &near), solid = 0, i;
    ASSERT_NE(0u, grid.slot);
#if KINEMATIC_DIM == 2
    EXPECT_EQ(4, count);                                  /* floor, the cell on it, two floors of one-way */
#else
    EXPECT_EQ(5, count);                                  /* in space rows are joined along z instead */
#endif
    for (i = 0; i < count; i++) solid += !(world->pieces.at[i].flags & KINI_ONE_WAY);
    EXPECT_EQ(count - 2, solid);
    EXPECT_EQ(4u, world->pieces.at[count - 3].hidden);   /* the cell on the floor, below */
    kin_world_destroy(world);
}

/* Sides of slopes: the face that a neighbour covers is hidden, one that it covers in part is not. */
UTEST(tiles, hidden_sides)
{
    static const uint8_t cells[] = { 1, 1, 1, 1, 0, 4, 1, 0, 4, 5, 0, 4, 4, 0, 5, 4, 0 };
    static const unsigned hidden[] = { 2, 0, 0 };        /* beside a full cell; beside its half; beside another slope */
    test_log       log;
    kin_world     *world = quiet_world(&log);
    kin_tiles_desc desc = tiles_desc(17, 1, cells);
    kin_tile       tile = slope_tile(), half = slope_tile();
    kin_id         grid = kin_add_tiles(world, &desc), body;
    kini_near      near;
    int            i, k = 0, count;
    half.points[0].y = half.points[1].y = 0;
    for (i = 0; i < half.count; i++) half.points[i].y *= 0.5f;
    ASSERT_TRUE(kin_define_tile(world, grid, 4, &tile) && kin_define_tile(world, grid, 5, &half));
    body = add_body(world, cube(0.5f), mid(8, 3));
    count = pieces_near(world, body, 30, &near);
    for (i = 0; i < count; i++) {
        int part = world->pieces.at[i].part;
        if (part != 5 && part != 8 && part != 11) continue;
        EXPECT_EQ(hidden[k], (world->pieces.at[i].hidden & 3));
        k++;
    }
    EXPECT_EQ(3, k);
    kin_world_destroy(world);
}

/* However many cells there are, every one is in exactly one piece, and batches come to the same end. */
UTEST(tiles, batches_hold_all_cells)
{
    enum { SIDE = 40 };
    static uint8_t cells[SIDE * SIDE];
    static int     seen[SIDE * SIDE];
    test_log       log;
    kin_world     *world = quiet_world(&log);
    kin_tiles_desc desc;
    kin_id         body;
    kini_near      near;
    unsigned       seed = 3;
    int            i, more, batches = 0, filled = 0, total = 0;
    for (i = 0; i < SIDE * SIDE; i++) {
        seed = seed * 1664525u + 1013904223u;
        cells[i] = (uint8_t)((seed >> 20) % 4);
        filled += cells[i] > 0;
    }
    desc = tiles_desc(SIDE, SIDE, cells);
    ASSERT_NE(0u, kin_add_tiles(world, &desc).slot);
    body = add_body(world, cube(0.5f), mid(20, 20));
    near.skip = 0;
    near.with = KINI_WITH_MOVERS;
    kini_near_begin(world, &near, body.slot, at(-5, -5), kini_add(at(45, 45), kini_all(1)));
    for (more = kini_near_first(world, &near); more; more = kini_near_next(world, &near), batches++) {
        for (i = 0; i < near.count; i++) {
            kin_vec half = world->solids.at[i].half;
            total += (int)(kini_at(half, 0) * 2 + 0.5f) * (int)(kini_at(half, 1) * 2 + 0.5f);
            ASSERT_EQ(0, seen[world->pieces.at[i].part]);
            seen[world->pieces.at[i].part] = 1;
        }
    }
    EXPECT_EQ(filled, total);
    EXPECT_GT(batches, 2);
    kin_world_destroy(world);
}

/* ---- questions --------------------------------------------------------------------------------------------------------- */

/* A cast against the grid is a cast against a static box in each cell. */
UTEST(tiles, casts_agree_with_boxes)
{
    enum { SIDE = 12 };
    uint8_t        cells[SIDE * SIDE];
    int            round, i, rounds = 4000 / TEST_SHARE, hits = 0;
    unsigned       seed = 11;
    test_log       log;
    kin_world     *grids = quiet_world(&log), *boxes = quiet_world(&log);
    kin_tiles_desc desc;
    for (i = 0; i < SIDE * SIDE; i++) {
        seed = seed * 1664525u + 1013904223u;
        cells[i] = (seed >> 24) % 4 == 0;
    }
    desc = tiles_desc(SIDE, SIDE, cells);
    desc.origin = at(-6, -6);
    ASSERT_NE(0u, kin_add_tiles(grids, &desc).slot);
    for (i = 0; i < SIDE * SIDE; i++)
        if (cells[i]) add_static(boxes, cube(1), mid((float)(i % SIDE) - 5.5f, (float)(i / SIDE) - 5.5f));
    for (round = 0; round < rounds; round++) {
        float     r[4];
        kin_shape shape = round % 3 == 0 ? kin_ball(0.3f) : round % 3 == 1 ? cube(0.7f) : kin_capsule(1.2f, 0.25f);
        kin_hit   a, b;
        kin_vec   from, travel;
        bool      hit_a, hit_b;
        for (i = 0; i < 4; i++) {
            seed = seed * 1664525u + 1013904223u;
            r[i] = (float)(seed >> 8) / 16777216.0f * 20 - 10;
        }
        from = mid(r[0], r[1]);
        travel = at(r[2], r[3]);
        if (round % 2) {
            hit_a = kin_cast_ray(grids, from, travel, NULL, &a);
            hit_b = kin_cast_ray(boxes, from, travel, NULL, &b);
        } else {
            hit_a = kin_cast_shape(grids, &shape, pose(from, 0), travel, NULL, &a);
            hit_b = kin_cast_shape(boxes, &shape, pose(from, 0), travel, NULL, &b);
        }
        ASSERT_EQ(hit_b, hit_a);
        if (!hit_a) continue;
        hits++;
        ASSERT_LT(fabsf(a.t - b.t), 1e-5f);
        ASSERT_TRUE(a.part >= 0 && a.part < SIDE * SIDE && cells[a.part]);
        if (a.t > 0) ASSERT_TRUE(near_to(a.normal, b.normal, 1e-3f) || a.t > 0.99f || round % 2 == 0);
        ASSERT_EQ(kin_overlap(boxes, &shape, pose(from, 0), NULL, NULL, 0) > 0, kin_overlap(grids, &shape, pose(from, 0), NULL, NULL, 0) > 0);
    }
    EXPECT_GT(hits, rounds / 4);
    kin_world_destroy(grids);
    kin_world_destroy(boxes);
}

UTEST(tiles, sensor_cells_are_asked_for)
{
    static const uint8_t cells[] = { 0, KIN_TILE_SENSOR, 0, KIN_TILE_SOLID };
    test_log       log;
    kin_world     *world = quiet_world(&log);
    kin_tiles_desc desc = tiles_desc(4, 1, cells);
    kin_filter     filter;
    kin_hit        hit;
    kin_shape      ball = kin_ball(0.1f);
    memset(&filter, 0, sizeof filter);
    ASSERT_NE(0u, kin_add_tiles(world, &desc).slot);
    EXPECT_TRUE(kin_cast_ray(world, mid(-1, 0.5f), at(10, 0), &filter, &hit));
    EXPECT_EQ(3, hit.part);
    EXPECT_EQ(0, kin_overlap(world, &ball, pose(mid(1.5f, 0.5f), 0), &filter, NULL, 0));
    filter.sensors = true;
    EXPECT_TRUE(kin_cast_ray(world, mid(-1, 0.5f), at(10, 0), &filter, &hit));
    EXPECT_EQ(1, hit.part);
    EXPECT_EQ(1, kin_overlap(world, &ball, pose(mid(1.5f, 0.5f), 0), &filter, NULL, 0));
    kin_world_destroy(world);
}

/* ---- debug view ------------------------------------------------------------------------------------------------------- */

typedef struct canvas { kin_vec lo, hi; int lines; } canvas;

static void draw_line_on(kin_vec from, kin_vec to, uint32_t rgba, void *user)
{
    canvas *c = (canvas *)user;
    if (rgba == kini_colours[KINI_DRAWS_BOUNDS][0]) return;
    c->lines++;
    c->lo = kini_lower(c->lo, kini_lower(from, to));
    c->hi = kini_upper(c->hi, kini_upper(from, to));
}

/* Only filled cells of a grid are drawn: a row of two cells and a slope, not the empty rest. */
UTEST(tiles, the_debug_view_shows_filled_cells)
{
    static const uint8_t cells[] = { 0, 1, 1, 4, 0, 0, 0, 0, 0, 0 };
    test_log       log;
    kin_world     *world = quiet_world(&log);
    kin_tiles_desc desc = tiles_desc(5, 2, cells);
    kin_tile       slope = slope_tile();
    kin_draw       draw;
    canvas         paper;
    kin_id         grid;
    desc.origin = at(-7, 3);
    desc.cell = 2;
    grid = kin_add_tiles(world, &desc);
    ASSERT_TRUE(kin_define_tile(world, grid, 4, &slope));
    memset(&draw, 0, sizeof draw);
    paper.lo = kini_all(1e9f);
    paper.hi = kini_all(-1e9f);
    paper.lines = 0;
    draw.user = &paper;
    draw.line = draw_line_on;
    kin_debug_draw(world, &draw);
    EXPECT_TRUE(paper.lo.x < -4.99f && paper.lo.x > -5.01f && paper.hi.x > 0.99f && paper.hi.x < 1.01f);
    EXPECT_TRUE(paper.lo.y < 3.01f && paper.lo.y > 2.99f && paper.hi.y > 4.99f && paper.hi.y < 5.01f);
    EXPECT_GE(paper.lines, KINEMATIC_DIM == 2 ? 7 : 21);
    kin_world_destroy(world);
}

/* ---- mazes -------------------------------------------------------------------------------------------------------------- */

enum { MAZE = 16, FIRST_SLOPE = 4 };

/* Which cells that are not full hang together, side by side. */
static void flood(const uint8_t *cells, int *area, int at_cell, int name)
{
    static const int steps[] = { 1, -1, MAZE, -MAZE };
    int              stack[4 * MAZE * MAZE], top = 0, k;
    stack[top++] = at_cell;
    while (top > 0) {
        int c = stack[--top];
        if (cells[c] == KIN_TILE_SOLID || area[c]) continue;
        area[c] = name;
        for (k = 0; k < 4; k++) stack[top++] = c + steps[k];
    }
}

/* How deep is a point in what fills its cell? Slope k has its right angle in corner k: bit 0 right, bit 1 above. */
static float depth_in(const uint8_t *cells, float x, float y)
{
    int   value = cells[(int)x + MAZE * (int)y], k = value - FIRST_SLOPE;
    float u = x - (float)(int)x, v = y - (float)(int)y;
    if (value == KIN_TILE_EMPTY) return -1;
    if (value == KIN_TILE_SOLID) return fminf(fminf(u, 1 - u), fminf(v, 1 - v));
    if (k & 1) u = 1 - u;
    if (k & 2) v = 1 - v;
    return fminf((1 - u - v) * 0.7071f, fminf(u, v));
}

/* The deepest of eight points on the body's rim. */
static float body_depth(const uint8_t *cells, int kind, kin_vec p)
{
    static const float ways[8][2] = { { 1, 0 }, { 0.7071f, 0.7071f }, { 0, 1 }, { -0.7071f, 0.7071f }, { -1, 0 }, { -0.7071f, -0.7071f }, { 0, -1 }, { 0.7071f, -0.7071f } };
    float most = -1;
    int   k;
    for (k = 0; k < 8; k++) {
        float x = p.x + ways[k][0] * (kind == 1 ? 0.2f : 0.15f), y = p.y + ways[k][1] * (kind == 1 ? 0.2f : 0.15f);
        if (kind == 0) {
            x = p.x + (ways[k][0] > 0.1f ? 0.2f : ways[k][0] < -0.1f ? -0.2f : 0);
            y = p.y + (ways[k][1] > 0.1f ? 0.2f : ways[k][1] < -0.1f ? -0.2f : 0);
        }
        if (kind == 2) y += k > 0 && k < 4 ? 0.1f : k > 4 ? -0.1f : 0;
        most = fmaxf(most, depth_in(cells, x, y));
    }
    return most;
}

static void define_slopes(kin_world *world, kin_id grid)
{
    int k, i;
    for (k = 0; k < 4; k++) {
        kin_tile tile = slope_tile();
        for (i = 0; i < tile.count; i++) {
            tile.points[i].x = 1 - tile.points[i].x;     /* right angle in the lower left corner */
            if (k & 1) tile.points[i].x = 1 - tile.points[i].x;
            if (k & 2) tile.points[i].y = 1 - tile.points[i].y;
        }
        kin_define_tile(world, grid, (uint8_t)(FIRST_SLOPE + k), &tile);
    }
}

static unsigned maze_make(uint8_t *cells, int *area, unsigned r, bool slopes)
{
    int i, names = 0;
    memset(area, 0, MAZE * MAZE * sizeof *area);
    for (i = 0; i < MAZE * MAZE; i++) {
        bool rim = i % MAZE == 0 || i % MAZE == MAZE - 1 || i / MAZE == 0 || i / MAZE == MAZE - 1;
        r = r * 1664525u + 1013904223u;
        cells[i] = rim || (r >> 24) % 10 < 3 ? KIN_TILE_SOLID : KIN_TILE_EMPTY;
        if (!cells[i] && slopes && (r >> 16 & 15) < 4) cells[i] = (uint8_t)(FIRST_SLOPE + (r >> 12 & 3));
    }
    for (i = 0; i < MAZE * MAZE; i++)
        if (cells[i] != KIN_TILE_SOLID && !area[i]) flood(cells, area, i, ++names);
    return r;
}

static kin_id maze_body(kin_world *world, int k, int cell)
{
    kin_body_desc body = body_desc(k % 3 == 0 ? cube(0.4f) : k % 3 == 1 ? kin_ball(0.2f) : kin_capsule(0.5f, 0.15f), at(0, 0));
    body.position = mid((float)(cell % MAZE) + 0.5f, (float)(cell / MAZE) + 0.5f);
    body.push = KIN_INTANGIBLE;
    return kin_add_body(world, &body);
}

/* Small bodies at wild speeds in a random maze: each stays in its area, and none ends in a solid cell or slope. */
UTEST(tiles, nobody_leaves_a_maze)
{
    enum { BODIES = 8 };
    int seed, seeds = TEST_SHARE > 1 ? 12 : 240;
    for (seed = 1; seed <= seeds; seed++) {
        uint8_t        cells[MAZE * MAZE];
        int            area[MAZE * MAZE], homes[BODIES], i, k;
        unsigned       r = maze_make(cells, area, (unsigned)seed * 2654435761u, seed % 3 != 0);
        test_log       log;
        kin_world     *world = quiet_world(&log);
        kin_tiles_desc desc = tiles_desc(MAZE, MAZE, cells);
        kin_id         bodies[BODIES], grid = kin_add_tiles(world, &desc);
        if (seed % 2) kin_world_set_gravity(world, at(0, 0));
        ASSERT_NE(0u, grid.slot);
        define_slopes(world, grid);
        for (k = 0; k < BODIES; k++) {
            do { r = r * 1664525u + 1013904223u; i = (int)((r >> 8) % (MAZE * MAZE)); } while (cells[i]);
            homes[k] = area[i];
            bodies[k] = maze_body(world, k, i);
        }
        for (i = 0; i < 60; i++) {
            for (k = 0; k < BODIES; k++) {
                float speed = k < 4 ? 20 : 5000;
                r = r * 1664525u + 1013904223u;
                if (i % 4 == 0) kin_set_velocity(world, bodies[k], at(speed * ((float)(r >> 20) / 2048 - 1), speed * ((float)(r >> 8 & 4095) / 2048 - 1)));
            }
            kin_world_step(world, 1.0f / 60);
            for (k = 0; k < BODIES; k++) {
                kin_vec p = kin_get_position(world, bodies[k]);
                ASSERT_TRUE(p.x > 0 && p.x < MAZE && p.y > 0 && p.y < MAZE);
                ASSERT_EQ(homes[k], area[(int)p.x + MAZE * (int)p.y]);
                ASSERT_FALSE(kin_is_embedded(world, bodies[k]));
                ASSERT_LT(body_depth(cells, k % 3, p), 0.005f);
            }
        }
        EXPECT_EQ(0, log.lines);
        kin_world_destroy(world);
    }
}

UTEST_MAIN()
