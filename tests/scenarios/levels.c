/* SPDX-License-Identifier: MIT OR Unlicense

   levels.c: what tiles, meshes and parts of movers do beyond the sections C and D of the catalogue: tiles with a
   meaning of their own, edits, flush neighbours of different kinds, chunks of level that move. */
#include "level.h"

/* ---- tiles defined by the user ----------------------------------------------------------------------------------- */

/* Jumping under a ceiling of slope tiles: deflected to the open side, never faster upwards, down again. */
SCENARIO(ceiling_slope_tiles, RATE_60 | ALL_SHAPES)
{
    static const char *const rows[] = { "##########", "##w....v##", "#w......v#", "#........#", "#........#", "##########" };
    double starts[] = { 1.8, 2.3, 5, 7.7, 8.2 };
    int    k, i;
    for (k = 0; k < 5; k++) {
        map    m;
        kin_id b;
        double v = 12, x;
        bool   met = false, back = false;
        open_earth(s);
        add_map(s, &m, 0, -1, 1, rows, 6);
        b = add_body(s, starts[k], 0.502);
        settle(s);
        x = x_of(s, b);
        set_vy(s, b, 12);
        for (i = 0; i < steps_in(s, 2); i++) {
            scene_step(s);
            EXPECT(vy_of(s, b) <= v);
            v = fmax(vy_of(s, b), 0);
            met = met || kin_on_ceiling(s->world, b);
            back = back || grounded(s, b);
            EXPECT(k == 2 || back || fabs(x_of(s, b) - 5) <= fabs(x - 5) + SLOP);   /* towards the middle, which is open */
        }
        EXPECT(met || k == 2);
        EXPECT(back && grounded(s, b));
        EXPECT_REST(bottom_of(s, b));
    }
}

#if KINEMATIC_DIM == 3
static void define_ramp(scene *s, kin_id id, uint8_t value, const double (*points)[3], int count)
{
    kin_tile tile;
    int      i;
    memset(&tile, 0, sizeof tile);
    for (i = 0; i < count; i++) tile.points[tile.count++] = map_point(points[i][0], points[i][1], points[i][2]);
    if (!kin_define_tile(s->world, id, value, &tile)) scene_fail(s, "tile not defined: %s", s->log);
}

/* A hill of full tiles, 4 x 4, one high, in the middle of a floor of 12 x 12: ramps on the four sides (values 4 to 7) and
   ramps that go down to both sides in the corners (8 to 11). */
static kin_id add_hill(scene *s)
{
    static const double ramps[4][6][3] = {
        { { 0, 0, 0 }, { 1, 0, 0 }, { 1, 1, 0 }, { 0, 0, 1 }, { 1, 0, 1 }, { 1, 1, 1 } },
        { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 }, { 1, 0, 1 }, { 0, 1, 1 } },
        { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 0, 1 }, { 1, 0, 1 }, { 0, 1, 1 }, { 1, 1, 1 } },
        { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 0, 1 }, { 1, 0, 1 }, { 0, 1, 0 }, { 1, 1, 0 } }
    };
    uint8_t        cells[12][2][12];   /* z, y, x */
    kin_tiles_desc d;
    kin_id         id;
    int            x, z, k;
    memset(cells, 0, sizeof cells);
    memset(&d, 0, sizeof d);
    for (z = 0; z < 12; z++)
        for (x = 0; x < 12; x++) {
            int right = x == 3 ? -1 : x == 8 ? 1 : 0, back = z == 3 ? -1 : z == 8 ? 1 : 0;
            cells[z][0][x] = KIN_TILE_SOLID;
            if (x < 3 || x > 8 || z < 3 || z > 8) continue;
            cells[z][1][x] = KIN_TILE_SOLID;
            if (right && !back) cells[z][1][x] = right < 0 ? 4 : 5;
            if (back && !right) cells[z][1][x] = back < 0 ? 6 : 7;
            if (back && right) cells[z][1][x] = (uint8_t)(8 + (right > 0) + 2 * (back > 0));
        }
    d.size = kin_c(12, 2, 12);
    d.cell = 1;
    d.origin = kin_v(-6, -1, -6);
    d.cells = &cells[0][0][0];
    id = kin_add_tiles(s->world, &d);
    for (k = 0; k < 4; k++) define_ramp(s, id, (uint8_t)(4 + k), ramps[k], 6);
    for (k = 0; k < 4; k++) {
        double points[5][3];
        int    i;
        for (i = 0; i < 4; i++) { points[i][0] = i & 1; points[i][1] = 0; points[i][2] = i >> 1; }
        points[4][0] = k & 1 ? 0 : 1;
        points[4][1] = 1;
        points[4][2] = k & 2 ? 0 : 1;
        define_ramp(s, id, (uint8_t)(8 + k), points, 5);
    }
    return id;
}
#endif

/* 3D: over a hill with ramps on all sides and in the corners, in every direction: always grounded, never stopped. */
SCENARIO(ramp_tiles, ONLY_3D | ALL_SHAPES | NO_MIRROR)
{
#if KINEMATIC_DIM == 3
    int    degrees, i, k;
    double speeds[] = { 3, 8 };
    for (k = 0; k < 2; k++)
        for (degrees = 0; degrees < 360 && !scene_failed(s); degrees += 15) {
            kin_body_desc d;
            kin_id        b;
            double        cx = cos(DEGREES(degrees)), cz = sin(DEGREES(degrees)), highest = 0;
            open_earth(s);
            add_hill(s);
            d = body_desc(s, 0, 0);
            d.position = kin_v((float)(-5.2 * cx), 0.502f, (float)(-5.2 * cz));
            d.snap = 0.5f;
            b = put_body(s, &d);
            settle(s);
            for (i = 0; i < steps_in(s, 13 / speeds[k]); i++) {
                kin_vec m = kin_get_position(s->world, b);
                if ((double)m.x * cx + (double)m.z * cz > 5.1) break;
                set_velocity(s, b, kin_v((float)(speeds[k] * cx), 0, (float)(speeds[k] * cz)));
                scene_step(s);
                EXPECT(grounded(s, b));
                m = kin_get_motion(s->world, b);
                EXPECT_IN(dv_len(dv_of(m)), 0.7 * speeds[k], 1.01 * speeds[k]);
                highest = fmax(highest, bottom_of(s, b));
            }
            EXPECT_REST(highest - 1);
            EXPECT_REST(bottom_of(s, b));
        }
#else
    (void)s;
#endif
}

/* A tile with an outward direction of its own: to the right. It stops who comes from there and nobody else. */
SCENARIO(sideways_one_way_tile, RATE_60 | ALL_SHAPES)
{
    static const char *const rows[] = { "..................", "........-.........", "........-.........", "##################" };
    static const double speeds[] = { 3, 30, 300 };
    int k, way, i;
    for (k = 0; k < 3; k++)
        for (way = -1; way <= 1; way += 2) {
            kin_tile tile;
            map      m;
            kin_id   b;
            int      layer;
            open_earth(s);
            add_map(s, &m, 0, -1, 1, rows, 4);
            memset(&tile, 0, sizeof tile);
            tile.one_way = v2(s, 1, 0);
            EXPECT(kin_define_tile(s->world, m.id, 40, &tile));
            for (layer = 0; layer < m.layers; layer++)
                for (i = 1; i < 3; i++) EXPECT(kin_set_tile(s->world, m.id, map_cell(s, &m, 8, i, layer), 40));
            b = add_body(s, way > 0 ? 3 : 15, 0.502);
            settle(s);
            for (i = 0; i < steps_in(s, 12 / speeds[k]) + 2; i++) {
                double before = x_of(s, b);
                if (way > 0 && x_of(s, b) > 14) break;
                set_vx(s, b, way * speeds[k]);
                scene_step(s);
                EXPECT(grounded(s, b));
                if (way > 0) EXPECT_NEAR((x_of(s, b) - before) / (double)s->dt, speeds[k], 1e-3 * speeds[k]);
            }
            if (way > 0) EXPECT(x_of(s, b) > 14);
            else EXPECT_REST(left_of(s, b) - 9);
            EXPECT(kin_on_wall(s->world, b) == (way < 0));
        }
}

enum { PASSING = 384 };

/* B walks at 2 u/s through where a half tile is that only senses; all its poses. */
/* All filled cells of the map are sensors. */
static bool is_of_map(const scene *s, kin_id b, int part)
{
    return part >= 0 && kin_same(b, ((const map *)s->user)->id);
}

static void walk_past(scene *s, bool there, kin_pose *path)
{
    static const char *const rows[] = { "..........", "..~......." };
    kin_tile tile;
    map      m;
    kin_id   b;
    int      i, k, z, layer;
    open_earth(s);
    add_floor(s);
    b = add_body(s, 0, 0.502);
    if (there) {
        add_map(s, &m, 0, 0, 1, rows, 2);
        memset(&tile, 0, sizeof tile);
        for (z = 0; z < KINEMATIC_DIM - 1; z++)
            for (k = 0; k < 4; k++) tile.points[tile.count++] = map_point(k & 1, k & 2 ? 0.5 : 0, z);
        tile.sensor = true;
        EXPECT(kin_define_tile(s->world, m.id, 255, &tile));
        for (layer = 0; layer < m.layers; layer++) EXPECT(kin_set_tile(s->world, m.id, map_cell(s, &m, 2, 0, layer), 255));
        s->user = &m;
        s->is_sensor = is_of_map;
    }
    for (i = 0; i < PASSING; i++) {
        set_vx(s, b, 2);
        scene_step(s);
        path[i] = pose_now(s, b);
    }
    if (!there) return;
    s->is_sensor = NULL;
    /* In 3D the body walks between two layers of cells, each of which begins and ends on its own. */
    EXPECT_IN(count_events(s, KIN_EVENT_BEGAN, b, m.id), KINEMATIC_DIM - 1, KINEMATIC_DIM - 1);
    EXPECT_IN(count_events(s, KIN_EVENT_ENDED, b, m.id), KINEMATIC_DIM - 1, KINEMATIC_DIM - 1);
    for (i = 0; i < s->event_count; i++) {
        const kin_event *e = &s->events[i];
        if (!kin_same(e->b, m.id)) continue;
        EXPECT_NEAR(e->step, 64 * (e->type == KIN_EVENT_BEGAN ? 2 - half_width(s) : 3 + half_width(s)), 2);
        EXPECT(e->type == KIN_EVENT_ENDED || is_cell(s, &m, e->part, 2, 0));
    }
}

/* I18 on tiles: a tile that only senses is begun once and ended once, and changes no bit of the way. */
SCENARIO(I18_sensor_tile, ALL_SHAPES)
{
    kin_pose without[PASSING], with[PASSING];
    int      i;
    walk_past(s, false, without);
    walk_past(s, true, with);
    for (i = 0; i < PASSING && !scene_failed(s); i++) EXPECT(same_pose(without[i], with[i]));
}

/* ---- edits --------------------------------------------------------------------------------------------------------- */

static const char *const edited_rows[] = {
    "........................", "..../#\\.................", "...##.##......lh##HL....", "../....-\\....lh######HL.", "########################"
};

/* Where a body goes that runs over the map and back. */
static void run_over(scene *s, kin_pose *path, int steps)
{
    kin_body_desc d = body_desc(s, 1, 0.502);
    kin_id        b;
    int           i;
    d.snap = 0.5f;
    b = put_body(s, &d);
    for (i = 0; i < steps; i++) {
        if (i > 8) set_vx(s, b, i < steps / 2 ? 9 : -9);
        if (i % 97 == 50) set_vy(s, b, 12);
        scene_step(s);
        path[i] = pose_now(s, b);
    }
}

/* A map that was put together cell by cell, in any order and with detours, is the map that was made at once. */
SCENARIO(edits_leave_no_trace, ALL_SHAPES)
{
    enum { STEPS = 512 };
    kin_pose made[STEPS], edited[STEPS];
    char     empty[32];
    const char *rows[5];
    map      m;
    unsigned state = 7;
    int      i, column, row;
    open_earth(s);
    add_map(s, &m, 0, -1, 1, edited_rows, 5);
    run_over(s, made, STEPS);
    memset(empty, '#', sizeof empty);
    empty[24] = 0;
    for (i = 0; i < 5; i++) rows[i] = empty;
    open_earth(s);
    add_map(s, &m, 0, -1, 1, rows, 5);
    for (i = 0; i < 2000; i++) {
        state = state * 1664525u + 1013904223u;
        column = (int)(state >> 8) % 24;
        row = (int)(state >> 16) % 5;
        set_cell(s, &m, column, row, ".#/\\-_v"[(state >> 20) % 7]);
    }
    for (i = 0; i < 120; i++) {
        column = i * 7 % 24;
        row = i / 24;
        set_cell(s, &m, column, row, edited_rows[4 - row][column]);
    }
    run_over(s, edited, STEPS);
    for (i = 0; i < STEPS && !scene_failed(s); i++) EXPECT(same_pose(made[i], edited[i]));
}

/* ---- neighbours of different kinds ---------------------------------------------------------------------------- */

/* A wall of a grid, a box, a grid of smaller cells and faces of a mesh, one above the other and flush: fallen along and
   risen along as if it were one. */
SCENARIO(flush_wall, RATE_60 | ALL_SHAPES)
{
    static const double line[][2] = { { 0, 15 }, { 0, 17.3 }, { 0, 18 }, { 0, 20 } };
    map    m;
    kin_id b;
    double y = 19, v = 0;
    int    i, up;
    for (up = 0; up < 2; up++) {
        open_earth(s);
        add_column(s, &m, 0, 0, 1, '#', 5);
        add_static_box(s, 0, 5, 1, 10);
        add_column(s, &m, 0, 10, 0.25, '#', 20);
        add_line(s, line, 4);
        b = add_body(s, -0.005 - half_width(s), up ? 2 : 19);
        y = y_of(s, b);
        v = up ? 30 : 0;
        set_vy(s, b, v);
        for (i = 0; i < steps_in(s, up ? 0.95 : 1); i++) {
            v -= 30 * (double)s->dt;
            y += v * (double)s->dt;
            set_vx(s, b, 5);
            scene_step(s);
            EXPECT_NEAR(y_of(s, b), y, 1e-3);
            EXPECT(kin_on_wall(s->world, b));
            EXPECT(!grounded(s, b));
        }
        EXPECT_REST(-right_of(s, b));
    }
}

/* The same as a floor that a body walks, and as a ceiling that a body slides under. */
SCENARIO(flush_floor_and_ceiling, RATE_60 | ALL_SHAPES)
{
    static const double floor_line[][2] = { { 15, 0 }, { 17.3, 0 }, { 18, 0 }, { 25, 0 } };
    static const double speeds[] = { 1, 6, 60, 500 };
    int k, roof;
    for (k = 0; k < 4; k++)
        for (roof = 0; roof < 2; roof++) {
            map    m;
            kin_id b;
            double y;
            int    steps = 0;
            if (roof) open_floating(s); else open_earth(s);
            add_row(s, &m, 0, roof ? 0 : -1, 1, '#', 5);
            add_static_box(s, 5, roof ? 0 : -1, 10, roof ? 1 : 0);
            add_row(s, &m, 10, roof ? 0 : -0.25, 0.25, '#', 20);
            add_line(s, floor_line, 4);
            b = add_body(s, 0.6, roof ? -0.502 : 0.502);
            settle(s);
            y = y_of(s, b);
            while (x_of(s, b) + speeds[k] * (double)s->dt < 24 && !scene_failed(s)) {
                double x = x_of(s, b);
                set_v(s, b, speeds[k], roof ? 5 : 0);
                scene_step(s);
                EXPECT_NEAR((x_of(s, b) - x) / (double)s->dt, speeds[k], 1e-3 * speeds[k]);
                EXPECT_NEAR(y_of(s, b), y, steps < 2 ? 0.01 : 1e-3);
                EXPECT(roof || grounded(s, b));
                if (++steps == 2) y = y_of(s, b);
            }
        }
}

/* ---- parts of movers ---------------------------------------------------------------------------------------------- */

enum { BY_STATIC, BY_TILES, BY_MESH, PARTS };

/* A floor from -3 to 3 with its top at y = 0, and a wall on its right end, 3 high: parts of a mover at (0, -0.5). */
static kin_id add_l_lift(scene *s, kin_id mover, int part)
{
    if (part == BY_STATIC) {
        kin_static_desc d = static_desc(s, -3, -0.5, 3, 0.5);
        d.position = v2(s, 0, 0);
        d.attach = mover;
        put_static(s, &d);
        d = static_desc(s, 0, 0, 1, 3);
        d.position = v2(s, 2.5, 2);
        d.attach = mover;
        return put_static(s, &d);
    }
    if (part == BY_TILES) {
        static const char *const rows[] = { ".....#", ".....#", ".....#", "######" };
        map m;
        add_map_to(s, &m, -3, -0.5, 1, rows, 4, mover);
        return m.id;
    } else {
        static const double line[][2] = { { -3, 0.5 }, { 2, 0.5 }, { 2, 3.5 } };
        kin_mesh_desc d;
        kin_vec       p[6];
        static const int flat[] = { 0, 1, 1, 2 }, deep[] = { 0, 1, 3, 3, 1, 4, 1, 2, 4, 4, 2, 5 };
        int           i, k;
        kin_id        id;
        memset(&d, 0, sizeof d);
        for (i = 0; i < 6; i++) p[i] = v3(s, line[i % 3][0], line[i % 3][1], i < 3 ? -0.5 * DEPTH : 0.5 * DEPTH);
        d.points = p;
        d.point_count = KINEMATIC_DIM == 2 ? 3 : 6;
        d.indices = KINEMATIC_DIM == 2 ? flat : deep;
        d.index_count = KINEMATIC_DIM == 2 ? 4 : 12;
        d.attach = mover;
        id = kin_add_mesh(s->world, &d);
        for (i = 0; i < d.index_count; i += KINEMATIC_DIM) {
            kin_shape face;
            thing    *t;
            memset(&face, 0, sizeof face);
            for (k = 0; k < KINEMATIC_DIM; k++) face.points[face.count++] = p[d.indices[i + k]];
            t = scene_note(s, id, KIN_STATIC, &face, 0, 0);
            t->attach = mover;
            thing_place(s, t);
        }
        return id;
    }
}

/* The mover itself is a small box below the floor's middle. */
static kin_id add_core(scene *s, double vx, double vy)
{
    kin_mover_desc d = mover_desc(s, 0, -0.5, 0.5, 0.5);
    d.velocity = v2(s, vx, vy);
    return put_mover(s, &d);
}

/* Riding in it, in all directions: stays where it is, grounded, no events; then walks into the wall and stays there. */
SCENARIO(l_lift_riding, RATE_60 | ALL_SHAPES)
{
    static const double velocities[][2] = { { 0, 5 }, { 0, -5 }, { 4, 0 }, { -4, 0 }, { 3, 7 }, { -20, -3 } };
    int part, k, i;
    for (part = 0; part < PARTS; part++)
        for (k = 0; k < 6; k++) {
            kin_id m, b, p;
            double x;
            open_earth(s);
            m = add_core(s, 0, 0);
            p = add_l_lift(s, m, part);
            b = add_body(s, -1, 0.502);
            settle(s);
            EXPECT(grounded(s, b));
            set_v(s, m, velocities[k][0], velocities[k][1]);
            clear_events(s);
            x = x_of(s, b) - x_of(s, m);
            for (i = 0; i < steps_in(s, 1); i++) {
                scene_step(s);
                EXPECT(grounded(s, b));
                EXPECT_NEAR(x_of(s, b) - x_of(s, m), x, 1e-4);
                EXPECT_REST(bottom_of(s, b) - (y_of(s, m) + 0.5));
            }
            EXPECT_IN(s->event_count, 0, 0);
            for (i = 0; i < steps_in(s, 1.5); i++) {
                set_vx(s, b, 4);
                scene_step(s);
                EXPECT(grounded(s, b));
                EXPECT_REST(bottom_of(s, b) - (y_of(s, m) + 0.5));
            }
            EXPECT_REST(x_of(s, m) + 2 - right_of(s, b));
            EXPECT(kin_on_wall(s->world, b));
            take_out(s, m);
            scene_step(s);
            EXPECT(!kin_alive(s->world, p));
            EXPECT(!grounded(s, b));
            run(s, 20);
            EXPECT(!grounded(s, b));
        }
}

/* Turning: an idle ball keeps its place on it. */
SCENARIO(l_lift_tilting, RATE_60)
{
    int part, i;
    s->form = FORM_BALL;
    for (part = 0; part < PARTS; part++) {
        kin_id m, b;
        dv     local;
        open_earth(s);
        m = add_core(s, 0, 0);
        add_l_lift(s, m, part);
        b = add_body(s, -1.7, 0.502);
        settle(s);
        local = dv_sub(dv_of(kin_get_position(s->world, b)), dv_of(kin_get_position(s->world, m)));
        for (i = 0; i < steps_in(s, 8); i++) {
            dm at;
            dv now;
            double t = (i + 1) * (double)s->dt;
            move_to(s, m, 0, -0.5, DEGREES(20) * sin(SCENE_PI / 2 * t));
            scene_step(s);
            at = dm_of(kin_get_rotation(s->world, m));
            now = dm_turn_back(&at, dv_sub(dv_of(kin_get_position(s->world, b)), dv_of(kin_get_position(s->world, m))));
            EXPECT(grounded(s, b));
            EXPECT(dv_len(dv_sub(now, local)) < 0.005);
        }
    }
}

/* Its wall pushes a body along the floor of the level, and then crushes it against a wall of the level; a mover that
   stops when blocked stands instead. */
SCENARIO(l_lift_crush, ALL_SHAPES)
{
    int part, stop, i;
    for (part = 0; part < PARTS; part++)
        for (stop = 0; stop < 2; stop++) {
            kin_mover_desc d;
            kin_id         m, b, p, wall;
            open_earth(s);
            add_static_box(s, -100, -3, 100, -2);
            wall = add_static_box(s, -9, -3, -7, 9);
            d = mover_desc(s, 0, -4.5, 0.5, 0.5);
            d.velocity = v2(s, -2, 0);
            d.on_blocked = stop ? KIN_BLOCKED_STOP : KIN_BLOCKED_PASS;
            m = put_mover(s, &d);
            p = add_l_lift(s, m, part);                      /* its floor is below that of the level */
            b = add_body(s, 1 - half_width(s), -1.498);
            for (i = 0; i < steps_in(s, 4.25); i++) {
                scene_step(s);
                EXPECT(bottom_of(s, b) > -2.005);
                EXPECT(left_of(s, b) > -7.005);
                if (!kin_is_crushed(s->world, b)) EXPECT(right_of(s, b) <= x_of(s, m) + 2 + PRESSED);
            }
            EXPECT_NEAR(left_of(s, b), -7, 0.006);
            EXPECT(kin_is_crushed(s->world, b) == !stop);
            EXPECT_IN(count_events(s, KIN_EVENT_CRUSHED, b, nobody()), !stop, !stop);
            if (stop) {
                EXPECT_NEAR(x_of(s, m) + 2, -7 + 2 * half_width(s), 2.0 / 128 + 0.011);
                EXPECT(last_event(s, KIN_EVENT_BLOCKED, m) != NULL);
                continue;
            }
            EXPECT(kin_same(last_event(s, KIN_EVENT_CRUSHED, b)->b, p) || kin_same(last_event(s, KIN_EVENT_CRUSHED, b)->c, p));
            EXPECT(kin_same(last_event(s, KIN_EVENT_CRUSHED, b)->b, wall) || kin_same(last_event(s, KIN_EVENT_CRUSHED, b)->c, wall));
            take_out(s, m);
            run(s, 2);
            EXPECT(!kin_alive(s->world, p));
            EXPECT(!kin_is_crushed(s->world, b));
            EXPECT_IN(count_events(s, KIN_EVENT_FREED, b, nobody()), 1, 1);
        }
}

/* ---- one-way surfaces that move with a mover ---------------------------------------------------------------------- */

/* A rider and one on its head, on a one-way part of a mover, in all directions: from the first step on, and for good. */
SCENARIO(one_way_parts_with_riders, RATE_60 | ALL_SHAPES)
{
    static const double velocities[][2] = { { 0, 3 }, { 0, -2 }, { 0, -20 }, { 2, 0 }, { -2, 4 }, { 5, -5 } };
    static const char *const row = "----------------";
    int kind, k, i;
    for (kind = 0; kind < 2; kind++)
        for (k = 0; k < 6; k++) {
            kin_mover_desc d;
            kin_id         m, b, head;
            double         x, y;
            open_earth(s);
            d = mover_desc(s, 0, -8, 1, 1);
            if (velocities[k][1] > -4) d.velocity = v2(s, velocities[k][0], velocities[k][1]);
            m = put_mover(s, &d);
            if (kind == 0) {
                kin_static_desc w = static_desc(s, -2, 0, 2, 0.25);
                w.one_way = v2(s, 0, 1);
                w.position = v2(s, 0, 7.875);
                w.attach = m;
                put_static(s, &w);
            } else {
                map map;
                add_map_to(s, &map, -2, 7.75, 0.25, &row, 1, m);
            }
            b = add_body(s, 0.3, 0.502);
            head = add_crate(s, 0.3, 1.504);
            for (i = 0; i < steps_in(s, 2); i++) {
                if (i == 8) set_v(s, m, velocities[k][0], velocities[k][1]);   /* what sinks faster than they fall, they stand on first */
                scene_step(s);
                x = x_of(s, b) - x_of(s, m);
                y = bottom_of(s, b) - (y_of(s, m) + 8);
                EXPECT(y > -0.005);
                if (i < 64) continue;                        /* the sinking one is caught up with first */
                EXPECT_REST(y);
                EXPECT(grounded(s, b));
                EXPECT(grounded(s, head));
                EXPECT_REST(bottom_of(s, head) - top_of(s, b));
                EXPECT_NEAR(x, 0.3, 0.1);
            }
            EXPECT(kin_drop_through(s->world, b));
            scene_stir(s);
            run(s, 3);
            EXPECT(!grounded(s, b) || velocities[k][1] < -10);
        }
}

/* F15 pressed into a one-way: body on W, press from above: counts as solid, crush. As a static, as tiles and as a mover. */
SCENARIO(F15_pressed_into_a_one_way, ALL_SHAPES)
{
    int kind, i;
    for (kind = 0; kind < 3; kind++) {
        kin_id w, b, m;
        map    map;
        open_earth(s);
        if (kind == 0) {
            kin_static_desc d = static_desc(s, -2, 1.75, 2, 2);
            d.one_way = v2(s, 0, 1);
            w = put_static(s, &d);
        } else if (kind == 1) {
            add_row(s, &map, -2, 1.75, 0.25, '-', 16);
            w = map.id;
        } else {
            kin_mover_desc d = mover_desc(s, 0, 1.875, 4, 0.25);
            d.one_way = v2(s, 0, 1);
            w = put_mover(s, &d);
        }
        b = add_body(s, 0, 2.502);
        settle(s);
        m = add_mover(s, 0, 5, 2, 2, 0, -1);
        for (i = 0; i < 192; i++) {
            scene_step(s);
            EXPECT_IN(bottom_of(s, b), 1.995, 2.005);
            EXPECT(kin_is_crushed(s->world, b) || bottom_of(s, m) > 2.98);
        }
        EXPECT(kin_is_crushed(s->world, b));
        EXPECT_IN(count_events(s, KIN_EVENT_CRUSHED, b, nobody()), 1, 1);
        {
            const kin_event *e = last_event(s, KIN_EVENT_CRUSHED, b);
            EXPECT((kin_same(e->b, w) && kin_same(e->c, m)) || (kin_same(e->b, m) && kin_same(e->c, w)));
        }
    }
}

SUITE(levels)
{
    RUN_TEST(ceiling_slope_tiles);
    RUN_TEST(ramp_tiles);
    RUN_TEST(sideways_one_way_tile);
    RUN_TEST(I18_sensor_tile);
    RUN_TEST(edits_leave_no_trace);
    RUN_TEST(flush_wall);
    RUN_TEST(flush_floor_and_ceiling);
    RUN_TEST(l_lift_riding);
    RUN_TEST(l_lift_tilting);
    RUN_TEST(l_lift_crush);
    RUN_TEST(one_way_parts_with_riders);
    RUN_TEST(F15_pressed_into_a_one_way);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv)
{
    GREATEST_MAIN_BEGIN();
    RUN_SUITE(levels);
    GREATEST_MAIN_END();
}
