/* SPDX-License-Identifier: MIT OR Unlicense

   meshes.c: walks, falls and pushes on segments (2D) and triangles (3D): the section C of the catalogue again, and what
   the issue asks of meshes beyond it. */
#include "level.h"

static const double walk_speeds[] = { 0.5, 2, 6, 30, 100, 500 };
enum { WALK_SPEEDS = sizeof walk_speeds / sizeof *walk_speeds };

/* A flat floor from x0 to x1 at y = 0, cut at places that follow no pattern. With `doubled` every segment has its own
   points; in 3D rows of triangles are shifted against each other, so that corners lie on the edges of others. */
static kin_id add_patchwork(scene *s, double x0, double x1, bool doubled)
{
    static const double cuts[] = { 0.37, 0.5, 1.1, 0.25, 0.8, 2.3, 0.61, 1, 0.05, 1.7 };
    kin_vec       points[1200];
    int           indices[1800], points_used = 0, used = 0, row, i, rows = KINEMATIC_DIM == 2 ? 1 : 4;
    kin_mesh_desc d;
    for (row = 0; row < rows; row++) {
        double x = x0, z = -0.5 * DEPTH + row * DEPTH / 4.0;
        for (i = row; x < x1; i++) {
            double next = fmin(x1, x + cuts[i % 10]);
            int    first = points_used;
            if (points_used > 1190 || used > 1790) abort();
            if (i > row && !doubled && KINEMATIC_DIM == 2) first--;
            else points[points_used++] = v3(s, x, 0, z);
            points[points_used++] = v3(s, next, 0, z);
            indices[used++] = first;
            indices[used++] = first + 1;
#if KINEMATIC_DIM == 3
            points[points_used++] = v3(s, next, 0, z + DEPTH / 4.0);
            points[points_used++] = v3(s, x, 0, z + DEPTH / 4.0);
            indices[used++] = first + 2;
            indices[used++] = first;
            indices[used++] = first + 2;
            indices[used++] = first + 3;
#endif
            x = next;
        }
    }
    memset(&d, 0, sizeof d);
    d.points = points;
    d.point_count = points_used;
    d.indices = indices;
    d.index_count = used;
    return kin_add_mesh(s->world, &d);
}

/* Flat: vx BIT-constant, speed within 0.1 %, height within 1e-4, grounded in each step, no wall. */
SCENARIO(mesh_flat_walk, RATE_60 | ALL_SHAPES)
{
    int k, doubled;
    for (k = 0; k < WALK_SPEEDS; k++) {
        for (doubled = 0; doubled < 2; doubled++) {
            kin_id b;
            double y, x, speed = walk_speeds[k];
            open_earth(s);
            add_patchwork(s, -20, 20, doubled);
            b = add_body(s, -18.123, 0.502);
            settle(s);
            y = y_of(s, b);
            while (x_of(s, b) + speed * (double)s->dt < 19 && !scene_failed(s)) {
                x = x_of(s, b);
                set_vx(s, b, speed);
                scene_step(s);
                EXPECT_NEAR(y_of(s, b), y, 1e-4);
                EXPECT_IN(vx_of(s, b), (double)(float)speed, (double)(float)speed);
                EXPECT_NEAR((x_of(s, b) - x) / (double)s->dt, speed, 0.001 * speed);
                EXPECT(grounded(s, b));
                EXPECT(!kin_on_wall(s->world, b));
                EXPECT_NEAR(normal_of(s, b).y, 1, 1e-4);
            }
        }
    }
}

/* Falling onto the flat floor, at all angles and places: the part along the floor is kept, whatever edge is near. */
SCENARIO(mesh_falls, ALL_SHAPES | NO_MIRROR)
{
    int i, rounds = 400 / TEST_SHARE;
    for (i = 0; i < rounds; i++) {
        kin_id b;
        double vx = -8 + 16.0 * ((i * 37) % 101) / 100, x = -5 + 10.0 * ((i * 61) % 397) / 397, vy = -0.5 - (i * 13) % 40;
        open_earth(s);
        add_patchwork(s, -20, 20, i % 2);
        b = add_body(s, x, 0.6 + (i % 7) * 0.1);
        set_v(s, b, vx, vy);
        while (!grounded(s, b) && !scene_failed(s)) {
            scene_step(s);
            EXPECT(!kin_on_wall(s->world, b));
            EXPECT_NEAR(vx_of(s, b), vx, 1e-5);
        }
        run(s, 10);
        EXPECT_NEAR(vx_of(s, b), vx, 1e-5);
        EXPECT_REST(bottom_of(s, b));
    }
}

/* Over knees up and down, at all speeds. */
SCENARIO(mesh_knees, RATE_60 | ALL_SHAPES)
{
    static const double hills[][2] = { { -10, 0 }, { -3, 0 }, { 0, 0 }, { 2, 1 }, { 4, 2 }, { 6, 2 }, { 8, 1.5 }, { 9, 0.75 }, { 9.5, 0.5 }, { 12, 0.5 }, { 14, 0 }, { 24, 0 } };
    static const double speeds[] = { 1, 6, 15 };
    int k;
    for (k = 0; k < 3; k++) {
        kin_body_desc d;
        kin_id b;
        open_earth(s);
        add_line(s, hills, 12);
        d = body_desc(s, -8, 0.502);
        d.snap = 0.5f;
        b = put_body(s, &d);
        settle(s);
        while (x_of(s, b) < 18 && !scene_failed(s)) {
            kin_vec m;
            set_vx(s, b, speeds[k]);
            scene_step(s);
            m = kin_get_motion(s->world, b);
            EXPECT(grounded(s, b));
            EXPECT_IN(dv_len(dv_of(m)), 0.9 * speeds[k], 1.01 * speeds[k]);
        }
        EXPECT_REST(bottom_of(s, b));
    }
}

/* Nothing falls through, at any speed, from either side. */
SCENARIO(mesh_never_passed, RATE_60 | ALL_SHAPES)
{
    static const double walls[][2] = { { -50, 3 }, { 0, -0.3 }, { 1, 0.2 }, { 50, -2 } };
    static const double speeds[] = { 10, 1e3, 1e4, 1e5 };
    int k, side, i;
    for (k = 0; k < 4; k++) {
        for (side = -1; side <= 1; side += 2) {
            kin_id b;
            open_floating(s);
            add_line(s, walls, 4);
            b = add_body(s, 0.3, side * 20.0);
            for (i = 0; i < steps_in(s, 3); i++) {
                set_v(s, b, 0.01 * speeds[k], -side * speeds[k]);
                scene_step(s);
                EXPECT(side * y_of(s, b) > -2.5);
            }
        }
    }
}

/* Embedded by a teleport: pushed to the side on which its middle is, at once. */
SCENARIO(mesh_overlap, ALL_SHAPES)
{
    static const double line[][2] = { { -20, 0 }, { -3, 0 }, { -0.4, 0 }, { 0.3, 0 }, { 20, 0 } };
    kin_id b;
    open_floating(s);
    add_line(s, line, 5);
    b = add_body(s, 0, 5);
    run(s, 2);
    teleport(s, b, 0.1, 0.3);
    scene_step(s);
    EXPECT_REST(bottom_of(s, b));
    EXPECT_NEAR(x_of(s, b), 0.1, 1e-4);
    teleport(s, b, 0.1, -0.3);
    scene_step(s);
    EXPECT_REST(-top_of(s, b));
    EXPECT_NEAR(x_of(s, b), 0.1, 1e-4);
}

/* Sliding along a wall of faces with a push into it: keeps its speed. */
SCENARIO(mesh_wall, RATE_60 | ALL_SHAPES)
{
    static const double wall[][2] = { { 0, -20 }, { 0, -3 }, { 0, -2.9 }, { 0, 0.3 }, { 0, 1 }, { 0, 7 }, { 0, 20 } };
    kin_id b;
    int    i;
    open_floating(s);
    add_line(s, wall, 7);
    b = add_body(s, -1, -10);
    for (i = 0; i < steps_in(s, 3); i++) {
        double y = y_of(s, b);
        set_v(s, b, 5, 6);
        scene_step(s);
        EXPECT_NEAR((y_of(s, b) - y) / (double)s->dt, 6, 0.006);
        EXPECT_NEAR(vy_of(s, b), 6, 1e-4);
    }
    EXPECT_REST(-right_of(s, b));
}

/* ---- walks in all directions --------------------------------------------------------------------------------------- */

static double noise(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (double)(*state >> 8) / 16777216.0;
}

/* A floor of crooked cells, 60 units wide, cut along either diagonal, with bumps up to `height`. Some cells have points
   of their own in the same places, some have one more on a side (a corner that lies on the edge of its neighbour), and
   here and there is a face without extent. In 2D it is a crooked line. */
enum { FLOOR_CELLS = 40 };
static kin_id add_bumps(scene *s, double height, unsigned state)
{
    static kin_vec points[9 * (FLOOR_CELLS + 1) * (FLOOR_CELLS + 1)];
    static int     indices[30 * FLOOR_CELLS * FLOOR_CELLS];
    const int      row = FLOOR_CELLS + 1, rows = KINEMATIC_DIM == 2 ? 1 : row;
    int            i, j, k, count = 0, used = 0;
    kin_mesh_desc  d;
    kin_id         id;
    for (j = 0; j < rows; j++)
        for (i = 0; i < row; i++) {
            double x = 1.5 * (i - FLOOR_CELLS / 2 + 0.6 * (noise(&state) - 0.5)), z = 1.5 * (j - FLOOR_CELLS / 2 + 0.6 * (noise(&state) - 0.5));
            points[count++] = v3(s, x, height * noise(&state), z);
        }
    for (j = 0; j < (KINEMATIC_DIM == 2 ? 1 : FLOOR_CELLS); j++)
        for (i = 0; i < FLOOR_CELLS; i++) {
            int a = j * row + i, b = a + 1, c = a + row, e = c + 1, corners[6], kind = (int)(noise(&state) * 8);
            if (kind == 0) { points[count] = points[a]; a = count++; points[count] = points[b]; b = count++; }
#if KINEMATIC_DIM == 2
            corners[0] = a; corners[1] = b;
            (void)c; (void)e;
#else
            corners[0] = a; corners[1] = c; corners[2] = b; corners[3] = b; corners[4] = c; corners[5] = e;
            if (kind & 2) { corners[2] = e; corners[3] = a; corners[4] = e; corners[5] = b; }
            if (kind == 1 && height <= 0) {                      /* its front in two halves, for its neighbour does not know */
                points[count] = points[a];
                points[count].x = 0.5f * (points[a].x + points[b].x);
                points[count].z = 0.5f * (points[a].z + points[b].z);
                indices[used++] = a; indices[used++] = c; indices[used++] = count;
                corners[0] = count; corners[1] = c; corners[2] = b; corners[3] = b; corners[4] = c; corners[5] = e;
                count++;
            }
            if (kind == 5) { indices[used++] = a; indices[used++] = a; indices[used++] = e; }
#endif
            for (k = 0; k < (KINEMATIC_DIM == 2 ? 2 : 6); k++) indices[used++] = corners[k];
        }
    memset(&d, 0, sizeof d);
    d.points = points;
    d.point_count = count;
    d.indices = indices;
    d.index_count = used;
    s->allow_log = true;                                         /* faces without extent are told */
    id = kin_add_mesh(s->world, &d);
    s->allow_log = false;
    return id;
}

/* Walks 20 units in one direction: the way along the floor, in units, per what the speed should give. */
static double walk_across(scene *s, double height, double degrees, double speed, unsigned seed)
{
    kin_body_desc d;
    kin_id        b;
    double        cx = cos(DEGREES(degrees)), cz = KINEMATIC_DIM == 3 ? sin(DEGREES(degrees)) : 0, way = 0;
    int           i, n;
    open_earth(s);
    add_bumps(s, height, seed);
    if (KINEMATIC_DIM == 2) cx = degrees < 180 ? 1 : -1;
    d = body_desc(s, 0, 0);
    d.position = v3(s, -10 * cx, height + 0.51, -10 * cz);
    d.snap = 0.5f;
    d.max_slope = (float)DEGREES(60);
    b = put_body(s, &d);
    run(s, 64);
    n = (int)(20 / (speed * (double)s->dt));
    for (i = 0; i < n && !scene_failed(s); i++) {
        double moved;
        set_velocity(s, b, v3(s, speed * cx, 0, speed * cz));
        scene_step(s);
        moved = dv_len(dv_of(kin_get_motion(s->world, b))) / speed;
        way += moved;
        expect_true(s, grounded(s, b), "grounded", __LINE__);
        if (s->form != FORM_BOX || !(height > 0)) expect_true(s, !kin_on_wall(s->world, b), "no wall", __LINE__);   /* the back of a box may touch a peak */
        if (!(height > 0)) expect_in(s, moved, 0.999, 1.001, "speed", __LINE__);
    }
    return way / n;
}

/* Flat: in every direction and at every speed each step is as long as it should be, within 0.1 %. */
SCENARIO(mesh_flat_directions, ALL_SHAPES | NO_MIRROR)
{
    static const double speeds[] = { 0.7, 4, 20, 100 };
    int k, degrees, apart = TEST_SHARE > 1 ? 45 : 15;
    for (k = TEST_SHARE > 1 ? 1 : 0; k < 4; k++)
        for (degrees = 0; degrees < 360 && !scene_failed(s); degrees += k == 0 ? 6 * apart : apart) {
            double part = walk_across(s, 0, degrees + 3, speeds[k], (unsigned)degrees + 1);
            EXPECT_IN(part, 0.999, 1.001);
        }
}

/* Bumpy: grounded in every step, and the way is as long as it should be. */
SCENARIO(mesh_bumpy_directions, RATE_60 | ALL_SHAPES | NO_MIRROR)
{
    static const double speeds[] = { 1, 4, 8 };
    int k, degrees, apart = TEST_SHARE > 1 ? 90 : 30;
    for (k = TEST_SHARE > 1 ? 1 : 0; k < 3; k++)
        for (degrees = 0; degrees < 360 && !scene_failed(s); degrees += k == 0 ? 4 * apart : apart) {
            double part = walk_across(s, 0.4, degrees + 3, speeds[k], (unsigned)degrees + 1);
            EXPECT_IN(part, 0.999, 1.001);
        }
}

/* A surface of faces that are a fifth of the body or smaller: flat, or with folds of 20 degrees up and down. */
static kin_id add_dense(scene *s, double slope)
{
    enum { LONG = 80, WIDE = KINEMATIC_DIM == 2 ? 0 : 10 };
    static kin_vec points[(LONG + 1) * 11];
    static int     indices[6 * LONG * 10];
    int            i, j, k, used = 0;
    kin_mesh_desc  d;
    for (j = 0; j <= WIDE; j++)
        for (i = 0; i <= LONG; i++)
            points[j * (LONG + 1) + i] = v3(s, 0.2 * (i - LONG / 2), slope * 0.2 * (i % 20 < 10 ? i % 20 : 20 - i % 20), 0.2 * (j - WIDE / 2));
    for (j = 0; j < (WIDE ? WIDE : 1); j++)
        for (i = 0; i < LONG; i++) {
            int a = j * (LONG + 1) + i, c = a + LONG + 1, corners[6];
            corners[0] = a; corners[1] = WIDE ? c : a + 1; corners[2] = corners[3] = a + 1; corners[4] = c; corners[5] = c + 1;
            for (k = 0; k < (WIDE ? 6 : 2); k++) indices[used++] = corners[k];
        }
    memset(&d, 0, sizeof d);
    d.points = points;
    d.point_count = (LONG + 1) * (WIDE + 1);
    d.indices = indices;
    d.index_count = used;
    return kin_add_mesh(s->world, &d);
}

/* Dense: flat, each step is as long as it should be, whatever edges are under the foot; over folds it stays grounded. */
SCENARIO(mesh_dense, RATE_60 | ALL_SHAPES)
{
    static const double speeds[] = { 1, 6, 20 };
    int k, folded;
    for (k = 0; k < 3; k++)
        for (folded = 0; folded < 2; folded++) {
            kin_body_desc d;
            kin_id        b;
            open_earth(s);
            add_dense(s, folded ? tan(DEGREES(20)) : 0);
            d = body_desc(s, -5.9, 1.3);
            d.snap = 0.5f;
            b = put_body(s, &d);
            settle(s);
            while (x_of(s, b) < 5.5 && !scene_failed(s)) {
                set_vx(s, b, speeds[k]);
                scene_step(s);
                EXPECT(grounded(s, b));
                EXPECT(!kin_on_wall(s->world, b) || (folded && s->form == FORM_BOX));
                EXPECT_IN(dv_len(dv_of(kin_get_motion(s->world, b))), (folded ? 0.9 : 0.999) * speeds[k], 1.001 * speeds[k]);
            }
        }
}

/* The convex edges of a closed box stop what comes straight at them, and nothing gets in. */
SCENARIO(mesh_box_edges, RATE_60 | ALL_SHAPES)
{
    static const int sides[12][3] = { { 0, 1, 3 }, { 0, 3, 2 }, { 4, 7, 5 }, { 4, 6, 7 }, { 0, 5, 1 }, { 0, 4, 5 },
                                      { 2, 3, 7 }, { 2, 7, 6 }, { 0, 2, 6 }, { 0, 6, 4 }, { 1, 5, 7 }, { 1, 7, 3 } };
    static const int square[4][2] = { { 0, 1 }, { 1, 3 }, { 3, 2 }, { 2, 0 } };
    static const double speeds[] = { 0.5, 6, 200 };
    int k, i, n;
    for (k = 0; k < 3; k++) {
        kin_vec       points[8];
        int           indices[36], used = 0;
        kin_mesh_desc d;
        kin_id        b;
        open_floating(s);
        for (i = 0; i < 8; i++) points[i] = v3(s, i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1);
        for (i = 0; i < (KINEMATIC_DIM == 2 ? 4 : 12); i++)
            for (n = 0; n < KINEMATIC_DIM; n++) indices[used++] = KINEMATIC_DIM == 2 ? square[i][n & 1] : sides[i][n];
        memset(&d, 0, sizeof d);
        d.points = points;
        d.point_count = KINEMATIC_DIM == 2 ? 4 : 8;
        d.indices = indices;
        d.index_count = used;
        kin_add_mesh(s->world, &d);
        b = add_body(s, 3, 3);
        for (i = 0; i < steps_in(s, 6); i++) {
            set_v(s, b, -speeds[k], -speeds[k]);
            scene_step(s);
            EXPECT(fabs(x_of(s, b)) > 1.2 || fabs(y_of(s, b)) > 1.2);
        }
        if (s->form != FORM_BALL) continue;
        EXPECT_NEAR(hypot(x_of(s, b) - 1, y_of(s, b) - 1), 0.502, 0.003);
        EXPECT_NEAR(x_of(s, b), y_of(s, b), 1e-3);
        EXPECT_NEAR(dv_len(dv_of(kin_get_motion(s->world, b))), 0, 1e-3);
        EXPECT(kin_on_wall(s->world, b));
    }
}

SUITE(meshes)
{
    RUN_TEST(mesh_dense);
    RUN_TEST(mesh_box_edges);
    RUN_TEST(mesh_flat_directions);
    RUN_TEST(mesh_bumpy_directions);
    RUN_TEST(mesh_flat_walk);
    RUN_TEST(mesh_falls);
    RUN_TEST(mesh_knees);
    RUN_TEST(mesh_never_passed);
    RUN_TEST(mesh_overlap);
    RUN_TEST(mesh_wall);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv)
{
    GREATEST_MAIN_BEGIN();
    RUN_SUITE(meshes);
    GREATEST_MAIN_END();
}
