/* SPDX-License-Identifier: MIT OR Unlicense

   tiles.c: section C of the catalogue: seams and tiles. */
#include "level.h"

static const double seam_speeds[] = { 0.1, 1, 5, 10, 30, 100, 500 };
enum { SEAM_SPEEDS = sizeof seam_speeds / sizeof *seam_speeds };

/* B, resting near the left end of something with its top at y = 0, walks 19 units to the right. */
static void cross_row(scene *s, double speed)
{
    kin_id b = add_body(s, 0.5, 0.502);
    double way = speed < 1 ? 19.0 / TEST_SHARE : 19, y;
    settle(s);
    y = y_of(s, b);
    while (x_of(s, b) + speed * (double)s->dt < 0.5 + way) {
        set_vx(s, b, speed);
        scene_step(s);
        EXPECT_IN(vx_of(s, b), (double)(float)speed, (double)(float)speed);
        EXPECT_NEAR(y_of(s, b), y, 1e-4);
        EXPECT(grounded(s, b));
        EXPECT(!kin_on_wall(s->world, b));
    }
}

/* C01 box row: 20 touching unit boxes, tops at y = 0. B crosses at 0.1, 1, 5, 10, 30, 100, 500 u/s. vx BIT-constant, y
   variation <= 1e-4, grounded in every step over the row, no wall flag. */
SCENARIO(C01_box_row, RATE_60 | ALL_SHAPES)
{
    int i, k;
    for (k = 0; k < SEAM_SPEEDS && !scene_failed(s); k++) {
        open_earth(s);
        for (i = 0; i < 20; i++) add_static_box(s, i, -1, i + 1, 0);
        cross_row(s, seam_speeds[k]);
    }
}

/* C02 tile row: same with a tile map, cell 1, and with cell 0.25 (body spans 4 to 5 cells). */
SCENARIO(C02_tile_row, RATE_60 | ALL_SHAPES)
{
    map m, n;
    int k;
    for (k = 0; k < SEAM_SPEEDS && !scene_failed(s); k++) {
        open_earth(s);
        add_row(s, &m, 0, -1, 1, '#', 20);
        cross_row(s, seam_speeds[k]);
        open_earth(s);
        add_row(s, &m, 0, -0.25, 0.25, '#', 40);      /* two grids side by side */
        add_row(s, &n, 10, -0.25, 0.25, '#', 40);
        cross_row(s, seam_speeds[k]);
    }
}

/* The same over cells that cannot be joined: half tiles, conveyors that stand still for who walks against them are
   another matter; one-way tiles, and a grid beside free shapes at flush height. */
SCENARIO(C02_mixed_row, ALL_SHAPES)
{
    static const char *const rows[] = { "_#_#_#_-_-_-_--#-#--" };
    static const char *const flush[] = { "##--##--##" };
    map m;
    int k, i;
    for (k = 1; k < SEAM_SPEEDS && !scene_failed(s); k++) {
        open_earth(s);
        add_map(s, &m, 0, -1, 1, flush, 1);
        for (i = 10; i < 20; i++) add_static_box(s, i, -1, i + 1, 0);
        cross_row(s, seam_speeds[k]);
        open_earth(s);
        add_map(s, &m, 0, -1, 1, rows, 1);
        for (i = 0; i < 20; i += 1)
            if (rows[0][i] == '_') add_static_box(s, i, -0.5, i + 1, 0);   /* half tiles filled up by boxes */
        cross_row(s, seam_speeds[k]);
    }
}

/* C03 wall of tiles, falling: column x in [0, 1], y in [0, 20]; B at (-0.505, 19), velocity.x = 5 held. After 1 s:
   y = 3.883 (1/128) or 3.75 (1/60) +-0.01, vy = -30 +-0.25, on_wall each step, never grounded. */
SCENARIO(C03_wall_falling, RATE_60 | ALL_SHAPES)
{
    map    m;
    kin_id b;
    int    i, n = steps_in(s, 1);
    open_earth(s);
    add_column(s, &m, 0, 0, 1, '#', 20);
    b = add_body(s, -0.005 - half_width(s), 19);
    for (i = 0; i < n; i++) {
        set_vx(s, b, 5);
        scene_step(s);
        EXPECT(kin_on_wall(s->world, b));
        EXPECT(!grounded(s, b));
    }
    EXPECT_NEAR(y_of(s, b), at_rate(s, 1, 0) ? 3.883 : 3.75, 0.01);
    EXPECT_NEAR(vy_of(s, b), -30, 0.25);
    EXPECT_REST(-right_of(s, b));
}

/* C04 wall of tiles, rising: same wall, velocity.y = 16 once: apex gain in [4.10, 4.28], no seam catches. */
SCENARIO(C04_wall_rising, RATE_60 | ALL_SHAPES)
{
    map    m;
    kin_id b;
    double apex = 0;
    int    i;
    open_earth(s);
    add_column(s, &m, 0, 0, 1, '#', 20);
    b = add_body(s, -0.005 - half_width(s), 10);
    set_vy(s, b, 16);
    for (i = 0; i < steps_in(s, 1); i++) {
        set_vx(s, b, 5);
        scene_step(s);
        EXPECT(kin_on_wall(s->world, b));
        EXPECT(!grounded(s, b));
        apex = fmax(apex, y_of(s, b) - 10);
    }
    EXPECT_IN(apex, at_rate(s, 1, 0) ? 4.10 : 4.0, 4.28);
}

/* Walks from the left end of a map to the right, or back; `length` is what its feet travel between x = 3 and x = 17. */
static void cross_hills(scene *s, double from_y, double to_y, double length, double speed, bool keep_horizontal)
{
    kin_body_desc d;
    kin_id b;
    double time = 0, direction = to_y > from_y ? 1 : -1, x, way = length;
    bool   begun = false;
    d = body_desc(s, direction > 0 ? 1 : 19, (direction > 0 ? from_y : from_y) + 0.502);
    d.snap = 0.5f;
    d.slope = keep_horizontal ? KIN_SLOPE_HORIZONTAL_SPEED : KIN_SLOPE_SURFACE_SPEED;
    if (keep_horizontal) way = 14;
    b = put_body(s, &d);
    settle(s);
    for (;;) {
        double before;
        x = direction > 0 ? x_of(s, b) : 20 - x_of(s, b);
        if (x >= 17 || scene_failed(s)) break;
        set_vx(s, b, direction * speed);
        before = x;
        scene_step(s);
        x = direction > 0 ? x_of(s, b) : 20 - x_of(s, b);
        EXPECT(grounded(s, b));
        EXPECT_IN(vx_of(s, b), direction * speed, direction * speed);
        EXPECT_IN((x - before) / (double)s->dt, 0.5 * speed, 1.01 * speed);     /* never stops */
        /* The time between passing 3 and passing 17, in parts of steps. */
        if (x > 3) time += begun ? (double)s->dt : (x - 3) / (x - before) * (double)s->dt;
        if (x > 17) time -= (x - 17) / (x - before) * (double)s->dt;
        begun = x > 3;
    }
    EXPECT_NEAR(way / time, speed, 0.01 * speed);
    EXPECT_REST(bottom_of(s, b) - to_y);
}

static const char *const steep_hill[] = {
    "..........##########", "........./##########", "......../###########", "......./############", "....../#############", "...../##############",
    "####################"
};

/* C06 slope tiles: 45 deg slope over 5 tiles, up and down at 2, 6, 15 u/s (snap 0.5). Grounded every step, speed per
   chosen mode +-1 %, no stop at tile borders. Box and capsule. */
SCENARIO(C06_slope_tiles, RATE_60 | ALL_SHAPES)
{
    static const double speeds[] = { 2, 6, 15 };
    map m;
    int k, mode;
    for (k = 0; k < 3; k++) {
        for (mode = 0; mode < 2 && !scene_failed(s); mode++) {
            open_earth(s);
            add_map(s, &m, 0, -1, 1, steep_hill + 1, 6);
            cross_hills(s, 0, 5, 9 + 5 * sqrt(2), speeds[k], mode == 1);
            open_earth(s);
            add_map(s, &m, 0, -1, 1, steep_hill + 1, 6);
            cross_hills(s, 5, 0, 9 + 5 * sqrt(2), speeds[k], mode == 1);
        }
    }
}

static const char *const gentle_hill[] = { ".........lh#########", ".......lh###########", ".....lh#############", "####################" };

/* C07 gentle slope tiles: 22.5 deg pairs (low half, high half) joined to full tiles at both ends, both directions. */
SCENARIO(C07_gentle_slope_tiles, RATE_60 | ALL_SHAPES)
{
    static const double speeds[] = { 2, 6, 15 };
    map m;
    int k;
    for (k = 0; k < 3 && !scene_failed(s); k++) {
        open_earth(s);
        add_map(s, &m, 0, -1, 1, gentle_hill, 4);
        cross_hills(s, 0, 3, 8 + 3 * sqrt(5), speeds[k], false);
        open_earth(s);
        add_map(s, &m, 0, -1, 1, gentle_hill, 4);
        cross_hills(s, 3, 0, 8 + 3 * sqrt(5), speeds[k], false);
    }
}

static const char *const gap_rows[] = { "#####.##############", "#####.##############", "#####.##############" };

/* C10 one-tile gap: gap 1.0 wide, body 0.98 wide centred above, v = 0: falls through as free fall (y within 0.01), no
   wall friction. Body 1.0 wide held 6 u/s over it, snap off: passes over, no jitter, no stop. */
SCENARIO(C10_one_tile_gap, RATE_60)
{
    kin_body_desc d;
    map    m;
    kin_id b;
    double y, v = 0;
    int    i;
    open_earth(s);
    add_map(s, &m, 0, -3, 1, gap_rows, 3);
    d = body_desc(s, 5.5, 2);
    d.shape = body_box(0.98, 1);
    b = put_body(s, &d);
    y = 2;
    for (i = 0; i < steps_in(s, 0.75); i++) {
        v -= 30 * (double)s->dt;
        y += v * (double)s->dt;
        scene_step(s);
        EXPECT_NEAR(y_of(s, b), y, 0.01);
        EXPECT(!grounded(s, b));
    }
    EXPECT(y < -4);
    open_earth(s);
    add_map(s, &m, 0, -3, 1, gap_rows, 3);
    d = body_desc(s, 1, 0.502);
    d.snap = -1;
    b = put_body(s, &d);
    settle(s);
    y = y_of(s, b);
    while (x_of(s, b) < 15) {
        set_vx(s, b, 6);
        scene_step(s);
        EXPECT_IN(vx_of(s, b), 6, 6);
        EXPECT_NEAR(y_of(s, b), y, 0.003);
        EXPECT(!kin_on_wall(s->world, b));
    }
    EXPECT(grounded(s, b));
}

static const char *const floor_rows[] = { "....................", "....................", "####################", "####################" };

/* C12 tile edits: remove the tile under a resting body: not grounded next step. Put a tile where the body stands:
   treated as I03/I04 (pushed out, or embedded event). */
SCENARIO(C12_tile_edits, ALL_SHAPES)
{
    map    m;
    kin_id b;
    open_earth(s);
    add_map(s, &m, 0, -2, 1, floor_rows, 4);
    b = add_body(s, 5.5, 0.502);
    settle(s);
    EXPECT(grounded(s, b));
    EXPECT(kin_same(kin_get_ground(s->world, b).id, m.id));
    EXPECT(is_cell(s, &m, kin_get_ground(s->world, b).part, 5, 1));
    set_cell(s, &m, 4, 1, '.');
    set_cell(s, &m, 5, 1, '.');
    set_cell(s, &m, 6, 1, '.');
    scene_step(s);
    EXPECT(!grounded(s, b));
    EXPECT_NEAR(vy_of(s, b), -30.0 / 128, 1e-5);
    EXPECT_IN(count_events(s, KIN_EVENT_LEFT, b, m.id), 1, 1);
    run(s, 64);
    EXPECT(grounded(s, b));
    EXPECT_REST(bottom_of(s, b) + 1);
}

/* C12 and what else is there: a wall of the same grid beside the body holds nothing, the next cell does; on a mover too,
   which then goes on carrying. */
SCENARIO(C12_tile_edits_beside, ALL_SHAPES)
{
    int moving;
    for (moving = 0; moving < 2; moving++) {
        map    m;
        kin_id b, mover = nobody();
        double x = 5.8, v = moving ? 4 : 0;
        int    i;
        open_earth(s);
        if (moving) mover = add_mover(s, 3, -20, 1, 1, v, 0);
        add_map_to(s, &m, moving ? -3 : 0, moving ? 18 : -2, 1, floor_rows, 4, mover);
        b = add_body(s, x, 0.502);
        settle(s);
        EXPECT(grounded(s, b));
        x = x_of(s, b);
        set_cell(s, &m, 6, 1, '.');
        set_cell(s, &m, 2, 1, '.');
        for (i = 1; i <= 8; i++) {
            scene_step(s);
            EXPECT(grounded(s, b));
            EXPECT_IN(vy_of(s, b), 0, 0);
            EXPECT_NEAR(x_of(s, b) - x, v * i / 128, 1e-4);
        }
        EXPECT_IN(count_events(s, KIN_EVENT_LEFT, b, nobody()), 0, 0);
        open_earth(s);
        if (moving) mover = add_mover(s, 3, -20, 1, 1, 0, 0);
        add_map_to(s, &m, moving ? -3 : 0, moving ? 18 : -2, 1, floor_rows, 4, mover);
        set_cell(s, &m, 6, 2, '#');
        b = add_body(s, 6 - half_width(s) - 0.002, 0.502);
        settle(s);
        EXPECT(grounded(s, b) && kin_on_wall(s->world, b));
        for (i = 4; i <= 6; i++) set_cell(s, &m, i, 1, '.');
        scene_step(s);
        EXPECT(!grounded(s, b));
        EXPECT_NEAR(vy_of(s, b), -30.0 / 128, 1e-5);
    }
}

/* The second half: a tile that covers only the body's edge pushes it out, one that covers it whole is reported. */
SCENARIO(C12_tile_put_onto_body, RATE_60 | ALL_SHAPES)
{
    map    m;
    kin_id b;
    double x;
    open_earth(s);
    add_map(s, &m, 0, -2, 1, floor_rows, 4);
    b = add_body(s, 6.2 - half_width(s), 0.502);     /* 0.2 into the next cell */
    settle(s);
    EXPECT(grounded(s, b));
    set_cell(s, &m, 6, 2, '#');
    scene_step(s);
    EXPECT_REST(6 - right_of(s, b));
    EXPECT_REST(bottom_of(s, b));
    EXPECT_IN(vx_of(s, b), 0, 0);
    EXPECT_IN(vy_of(s, b), 0, 0);
    EXPECT(grounded(s, b));
    run(s, 10);
    EXPECT_IN(count_events(s, KIN_EVENT_EMBEDDED, b, nobody()), 0, 0);
    open_earth(s);
    add_map(s, &m, 0, -2, 1, floor_rows, 4);
    b = add_body(s, 5.5, 0.502);
    settle(s);
    x = x_of(s, b);
    set_cell(s, &m, 5, 2, '#');
    run(s, 30);
    EXPECT_IN(count_events(s, KIN_EVENT_EMBEDDED, b, m.id), 1, 1);
    EXPECT(kin_is_embedded(s->world, b));
    EXPECT_NEAR(x_of(s, b), x, 0.001);
    EXPECT_NEAR(y_of(s, b), 0.5, 0.01);
    set_cell(s, &m, 5, 2, '.');
    run(s, 2);
    EXPECT_IN(count_events(s, KIN_EVENT_FREED, b, nobody()), 1, 1);
    EXPECT(grounded(s, b));
}

/* C14 tiny body, big tiles: circle r = 0.05 at 20 u/s against a tile border exactly at the seam height: hits, never
   slips between. */
SCENARIO(C14_tiny_body, RATE_60)
{
    kin_body_desc d;
    map    m;
    kin_id b;
    int    k, i;
    for (k = 0; k < 4; k++) {
        open_floating(s);
        if (k % 2) add_column(s, &m, 5, -4, 1, '#', 8);
        else for (i = -4; i < 4; i++) add_static_box(s, 5, i, 6, i + 1);
        d = body_desc(s, 0.123, 0);
        d.shape = kin_ball(0.05f);
        b = put_body(s, &d);
        for (i = 0; i < 64; i++) {
            set_v(s, b, 20, k / 2 * 1e-3);
            scene_step(s);
        }
        EXPECT_REST(5 - right_of(s, b));
        EXPECT(kin_on_wall(s->world, b));
    }
}

/* C15 moving tile chunk: a tile map used as a mover shape, rising 4 u/s, body walking 3 u/s on it. Never stuck, grounded
   each step. Walking is relative to the chunk. */
SCENARIO(C15_moving_chunk, RATE_60 | ALL_SHAPES)
{
    static const char *const rows[] = { "....................", "####_###############", "####################" };
    static const double velocities[][2] = { { 0, 4 }, { 0, -4 }, { 3, 0 }, { -2, 5 } };
    map    m;
    kin_id b, mover;
    int    i, k;
    for (k = 0; k < 4; k++) {
        kin_mover_desc d;
        open_earth(s);
        d = mover_desc(s, 10, -1.5, 1, 0.5);
        d.velocity = v2(s, velocities[k][0], velocities[k][1]);
        mover = put_mover(s, &d);
        add_map_to(s, &m, -10, -0.5, 1, rows, 3, mover);
        set_cell(s, &m, 4, 1, '#');
        b = add_body(s, 2, 0.502);
        for (i = 0; i < steps_in(s, 4); i++) {
            double x = x_of(s, b) - x_of(s, mover);
            if (i >= 40) set_vx(s, b, 3);
            scene_step(s);
            EXPECT(i < 40 || grounded(s, b));            /* the sinking one is caught up with first */
            EXPECT(i < 40 || kin_same(kin_get_ground(s->world, b).id, m.id));
            if (i >= 41) EXPECT_NEAR(x_of(s, b) - x_of(s, mover) - x, 3 * (double)s->dt, 1e-5);
            EXPECT(!kin_on_wall(s->world, b));
        }
        EXPECT_REST(bottom_of(s, b) - (y_of(s, mover) + 1.5));
    }
}

/* C16 one-way tile above a solid tile, stacked one-way tiles: a column of one-way tiles: each top is a separate
   landing. */
SCENARIO(C16_stacked_one_way, RATE_60 | ALL_SHAPES)
{
    static const char *const rows[] = { "..........", "..........", "...----...", "...----...", "...----...", "..........", "##########" };
    map    m;
    kin_id b;
    int    level, i;
    open_earth(s);
    add_map(s, &m, 0, -1, 1, rows, 7);
    b = add_body(s, 5, 0.502);
    settle(s);
    for (level = 2; level <= 4; level++) {           /* up through and onto each top in turn */
        double from = level == 2 ? 0 : level - 1, need = sqrt(60 * (level + 0.5 - from));
        set_vy(s, b, need);
        for (i = 0; i < steps_in(s, 2) && (i < 4 || !grounded(s, b)); i++) {
            scene_step(s);
            EXPECT(!kin_on_ceiling(s->world, b));
        }
        EXPECT_REST(bottom_of(s, b) - level);
        EXPECT(is_cell(s, &m, kin_get_ground(s->world, b).part, 4, level) || is_cell(s, &m, kin_get_ground(s->world, b).part, 5, level));
        settle(s);
    }
    for (level = 3; level >= 1; level--) {            /* and down again, one at a time; below the last is only the floor */
        EXPECT(kin_drop_through(s->world, b));
        scene_stir(s);
        scene_step(s);
        EXPECT(!grounded(s, b));
        for (i = 0; i < steps_in(s, 2) && !grounded(s, b); i++) scene_step(s);
        EXPECT_REST(bottom_of(s, b) - (level == 1 ? 0 : level));
        settle(s);
    }
    EXPECT(!kin_drop_through(s->world, b));
}

static bool is_wavy(const scene *s, kin_id id, int part)
{
    (void)s, (void)id;
    return part % 40 == (s->mirror > 0 ? 34 : 25);   /* rows run upwards, and the sensor is in the second */
}

/* C17 a conveyor of tiles: carries while the body is on it, and no longer. A sensor tile reports and does not stop. */
SCENARIO(C17_conveyor_and_sensor_tiles, RATE_60 | ALL_SHAPES)
{
    static const char *const rows[] = { "..............~.....", "####>>>>>###########" };
    map    m;
    kin_id b;
    int    i;
    open_earth(s);
    s->is_sensor = is_wavy;
    add_map(s, &m, 0, -1, 1, rows, 2);
    b = add_body(s, 5.01, 0.502);
    settle(s);
    EXPECT(x_of(s, b) > 5.9);
    run(s, steps_in(s, 2));
    EXPECT_IN(x_of(s, b), 9, 9.5 + 4 * (double)s->dt + 0.01);
    EXPECT_IN(motion_x(s, b), 0, 0);
    clear_events(s);
    for (i = 0; i < steps_in(s, 2); i++) {
        set_vx(s, b, 4);
        scene_step(s);
        EXPECT_IN(vx_of(s, b), 4, 4);
        EXPECT(grounded(s, b));
    }
    EXPECT(x_of(s, b) > 16);
    EXPECT_IN(count_events(s, KIN_EVENT_BEGAN, b, m.id), 1, KINEMATIC_DIM - 1);   /* of the sensor; in 3D two layers */
    EXPECT_IN(count_events(s, KIN_EVENT_ENDED, b, m.id), 1, KINEMATIC_DIM - 1);   /* it touched the grid all the time */
}

SUITE(tiles)
{
    RUN_TEST(C01_box_row);
    RUN_TEST(C02_tile_row);
    RUN_TEST(C02_mixed_row);
    RUN_TEST(C03_wall_falling);
    RUN_TEST(C04_wall_rising);
    RUN_TEST(C06_slope_tiles);
    RUN_TEST(C07_gentle_slope_tiles);
    RUN_TEST(C10_one_tile_gap);
    RUN_TEST(C12_tile_edits);
    RUN_TEST(C12_tile_edits_beside);
    RUN_TEST(C12_tile_put_onto_body);
    RUN_TEST(C14_tiny_body);
    RUN_TEST(C15_moving_chunk);
    RUN_TEST(C16_stacked_one_way);
    RUN_TEST(C17_conveyor_and_sensor_tiles);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv)
{
    GREATEST_MAIN_BEGIN();
    RUN_SUITE(tiles);
    GREATEST_MAIN_END();
}
