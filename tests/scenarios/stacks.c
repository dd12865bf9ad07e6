/* SPDX-License-Identifier: MIT OR Unlicense

   stacks.c: what the catalogue asks of one body, asked of stacks and rows: they ride, are pushed, pressed and freed as one,
   and nobody in them is held fast, torn off or called embedded by a neighbour. */
#include "scene.h"

enum { MANY = 6 };

static void add_stack(scene *s, kin_id *crates, int n, double x, double bottom)
{
    int i;
    for (i = 0; i < n; i++) crates[i] = add_crate(s, x, bottom + i + 0.5);
}

static void expect_whole(scene *s, const kin_id *crates, int n)
{
    int i;
    for (i = 0; i < n; i++) {
        EXPECT(!kin_is_crushed(s->world, crates[i]) && !kin_is_embedded(s->world, crates[i]));
        if (i > 0) EXPECT_REST(gap_between(s, crates[i - 1], crates[i]));
    }
}

/* E11 with flat boxes: a corner that digs in deeper than half the box is high is lifted out like any other. */
SCENARIO(E11_flat_boxes, 0)
{
    static const double sizes[][2] = { { 2, 0.5 }, { 1, 0.25 }, { 4, 1 }, { 3, 1 }, { 1.5, 0.6 } };
    int k, i;
    for (k = 0; k < 5; k++) {
        kin_body_desc d;
        kin_id        deck, b;
        open_earth(s);
        deck = add_mover(s, 0, -0.25, 8, 0.5, 0, 0);
        d = body_desc(s, 1, sizes[k][1] / 2);
        d.shape = deep_box(sizes[k][0], sizes[k][1], 1);
        b = put_body(s, &d);
        settle(s);
        for (i = 1; i <= 1024; i++) {
            move_to(s, deck, 0, -0.25, DEGREES(20) * sin(2 * SCENE_PI * i / 512));
            scene_step(s);
            EXPECT(grounded(s, b) && !kin_is_embedded(s->world, b));
            if (i % 512 == 0) EXPECT_NEAR(x_of(s, b), 1, 0.02);
        }
    }
}

/* E11 with a stack: the upper one is taken up with the lower. */
SCENARIO(E11_stack, 0)
{
    kin_id deck, crates[2];
    int    i;
    open_earth(s);
    deck = add_mover(s, 0, -0.25, 8, 0.5, 0, 0);
    add_stack(s, crates, 2, 2, 0);
    settle(s);
    for (i = 1; i <= 1024; i++) {
        move_to(s, deck, 0, -0.25, DEGREES(15) * sin(2 * SCENE_PI * i / 512));
        scene_step(s);
        EXPECT(grounded(s, crates[0]) && grounded(s, crates[1]));
        expect_whole(s, crates, 2);
    }
    EXPECT_NEAR(x_of(s, crates[0]), 2, 0.02);
    EXPECT_NEAR(x_of(s, crates[1]), x_of(s, crates[0]), 0.02);
}

/* I25 with a stack on the lift that grows, or is set 0.2 higher: all of it is pushed up. */
SCENARIO(I25_under_a_stack, NO_MIRROR)
{
    int n, how, i;
    for (n = 1; n <= 4; n++)
        for (how = 0; how < 2; how++) {
            kin_id    lift, crates[4];
            kin_shape taller = deep_box(4, 0.7, 20);
            open_earth(s);
            lift = add_mover(s, 0, -0.25, 4, 0.5, 0, 0);
            add_stack(s, crates, n, 0, 0);
            settle(s);
            if (how == 0) EXPECT(set_shape(s, lift, &taller));
            else teleport(s, lift, 0, -0.05);
            for (i = 0; i < 32; i++) {
                scene_step(s);
                expect_whole(s, crates, n);
            }
            EXPECT_REST(bottom_of(s, crates[0]) - 0.2);
        }
}

/* I03 with a stack, 0.05 to 0.2 deep in the floor: it is free after one step, and nobody goes sideways. */
SCENARIO(I03_stack, NO_MIRROR)
{
    double depth;
    int    n, i;
    for (n = 2; n <= 4; n++)
        for (depth = 0.05; depth < 0.21; depth += 0.05) {
            kin_id crates[4];
            open_earth(s);
            add_floor(s);
            add_stack(s, crates, n, 0, -depth);
            scene_step(s);
            EXPECT_REST(bottom_of(s, crates[0]));
            for (i = 0; i < n; i++) EXPECT_IN(x_of(s, crates[i]), 0, 0);
            expect_whole(s, crates, n);
            run(s, 32);
            expect_whole(s, crates, n);
        }
}

/* I03 with a row, 0.2 deep in a wall or in a mover that stands there, afloat. */
static void row_in(scene *s, int n, bool mover)
{
    kin_id crates[4], wall;
    int    i;
    open_floating(s);
    wall = mover ? add_mover(s, -2, 0, 2, 6, 0, 0) : add_static_box(s, -3, -3, -1, 3);
    for (i = 0; i < n; i++) crates[i] = add_crate(s, -0.7 + i, 0);
    scene_step(s);
    EXPECT_REST(gap_between(s, wall, crates[0]));
    for (i = 0; i < 16; i++) {
        expect_whole(s, crates, n);
        scene_step(s);
    }
}

SCENARIO(I03_row, 0)
{
    int n;
    for (n = 1; n <= 4; n++) {
        row_in(s, n, false);
        row_in(s, n, true);
    }
}

/* F05 with towers: crushed from above, never embedded; when the press goes up again, all are free and at rest. */
SCENARIO(F05_towers, NO_MIRROR)
{
    int n, i, k;
    for (n = 1; n <= MANY; n++) {
        kin_id press, crates[MANY];
        open_earth(s);
        add_floor(s);
        add_stack(s, crates, n, 0, 0);
        settle(s);
        press = add_mover(s, 0, n + 1.5, 4, 1, 0, -2);
        for (i = 0; i < 96; i++) {   /* it touches after 64 steps */
            if (i == 80) set_v(s, press, 0, 2);
            scene_step(s);
            for (k = 0; k < n; k++) EXPECT(!kin_is_embedded(s->world, crates[k]));
        }
        run(s, 128);
        EXPECT(count_events(s, KIN_EVENT_CRUSHED, nobody(), nobody()) >= 1);
        expect_whole(s, crates, n);
    }
}

/* B10 between bodies: a ball on two balls that leave room for half of it, each too steep to stand on. Equals and
   unpushables hold it, it stands and can jump; an unpushable ball makes its way between pushable ones. */
SCENARIO(B10_between_bodies, RATE_60)
{
    int below, above;
    for (below = KIN_PUSHABLE; below <= KIN_UNPUSHABLE; below++)
        for (above = KIN_PUSHABLE; above <= KIN_UNPUSHABLE; above++) {
            kin_id        left, right, top;
            kin_body_desc d = body_desc(s, -0.8, 0.502);
            kin_pose      pose;
            open_earth(s);
            add_floor(s);
            d.shape = kin_ball(0.5f);
            d.push = (kin_push)below;
            left = put_body(s, &d);
            d.position = v2(s, 0.8, 0.502);
            right = put_body(s, &d);
            d.position = v2(s, 0, 2);
            d.push = (kin_push)above;
            top = put_body(s, &d);
            run(s, steps_in(s, 1));
            EXPECT(grounded(s, top));
            EXPECT_IN(vx_of(s, left), 0, 0);
            EXPECT_IN(vx_of(s, right), 0, 0);
            if (below == KIN_PUSHABLE && above == KIN_UNPUSHABLE) {
                EXPECT_REST(bottom_of(s, top));
                continue;
            }
            EXPECT_NEAR(y_of(s, top), 1.102, 0.01);
            EXPECT_IN(x_of(s, left), (double)-0.8f, (double)-0.8f);
            pose = pose_now(s, top);
            run(s, 64);
            EXPECT(same_pose(pose, pose_now(s, top)));
            set_vy(s, top, 8);
            scene_step(s);
            EXPECT(!grounded(s, top));
            run(s, steps_in(s, 0.2));
            EXPECT(y_of(s, top) > 1.9);
        }
}

/* G15 and B09 with a row: four crates are pushed over gentle hills, and never run into each other. */
SCENARIO(row_over_hills, RATE_60 | ONLY_2D)
{
#if KINEMATIC_DIM == 2
    kin_vec       points[121];
    int           indices[240], i, k;
    kin_mesh_desc d;
    kin_id        b, crates[4];
    memset(&d, 0, sizeof d);
    open_earth(s);
    for (i = 0; i <= 120; i++) {
        double x = -10 + i * 0.5;
        points[i] = v2(s, x, x < 0 ? 0 : 0.25 * (1 - cos(x * 0.8)));
    }
    for (i = 0; i < 120; i++) { indices[2 * i] = i; indices[2 * i + 1] = i + 1; }
    d.points = points; d.point_count = 121; d.indices = indices; d.index_count = 240;
    kin_add_mesh(s->world, &d);
    b = add_body(s, -8, 0.51);
    for (i = 0; i < 4; i++) crates[i] = add_crate(s, -6 + i * 1.05, 0.51);
    for (i = 0; i < steps_in(s, 8); i++) {
        set_vx(s, b, 3);
        scene_step(s);
        for (k = 0; k < 4; k++) EXPECT(!kin_is_embedded(s->world, crates[k]));
        for (k = 1; k < 4; k++) EXPECT(x_of(s, crates[k]) - x_of(s, crates[k - 1]) > 1 - 0.005);
    }
    EXPECT_NEAR(x_of(s, b), 15.85, 0.1);
#else
    (void)s;
#endif
}

/* K17 for stacks and rows: with up turned by any angle, a lift carries two crates and a block pushes two. */
#if KINEMATIC_DIM == 2
static kin_vec about(double angle, double x, double y)
{
    return kin_v((float)(cos(angle) * x - sin(angle) * y), (float)(sin(angle) * x + cos(angle) * y));
}

TEST turned_up(void)
{
    int degrees, kind, i;
    for (degrees = 0; degrees < 360; degrees += 5)
        for (kind = 0; kind < 2; kind++) {
            double          a = DEGREES(degrees);
            kin_world_desc  wd;
            kin_mover_desc  md;
            kin_static_desc fd;
            kin_body_desc   bd;
            kin_world      *w;
            kin_id          m, one, two;
            memset(&wd, 0, sizeof wd); memset(&md, 0, sizeof md); memset(&fd, 0, sizeof fd); memset(&bd, 0, sizeof bd);
            wd.gravity = about(a, 0, -30);
            w = kin_world_create(&wd);
            md.rotation = fd.rotation = bd.rotation = kin_turn((float)a);
            fd.shape = kin_box(kin_v(60, 1));
            fd.position = about(a, 0, -0.5);
            if (kind == 1) kin_add_static(w, &fd);
            md.shape = kind == 0 ? kin_box(kin_v(4, 0.5f)) : kin_box(kin_v(1, 0.9f));
            md.position = kind == 0 ? about(a, 0, -0.25) : about(a, -2, 0.5);
            m = kin_add_mover(w, &md);
            bd.shape = kin_box(kin_v(1, 1));
            bd.position = kind == 0 ? about(a, 0.7, 0.5) : about(a, -0.9, 0.5);
            one = kin_add_body(w, &bd);
            bd.position = kind == 0 ? about(a, 0.7, 1.5) : about(a, 0.5, 0.5);
            two = kin_add_body(w, &bd);
            for (i = 0; i < 288; i++) {
                kin_set_velocity(w, m, i < 32 ? about(a, 0, 0) : kind == 0 ? about(a, 0, 5) : about(a, 2, 0));
                kin_world_step(w, 1.0f / 128);
                if (kin_is_crushed(w, one) || kin_is_crushed(w, two) || kin_is_embedded(w, one) || kin_is_embedded(w, two)) FAILm("crushed in the open");
                if (i > 4 && (!kin_on_ground(w, one) || !kin_on_ground(w, two))) FAILm("lost its ground");
            }
            kin_world_destroy(w);
        }
    PASS();
}
#endif

/* A deck goes left under a crate that a walker holds in its place; a mover pushes the crate's rider right: that goes with its
   pusher, whatever the ground under its ground does. */
SCENARIO(E24_rider_pushed_on_a_held_crate, 0)
{
    static const double speeds[] = { 1, 2, 5 };
    int k, i;
    for (k = 0; k < 3; k++) {
        kin_id deck, walker, rider, pusher;
        kin_body_desc wide;
        open_earth(s);
        deck = add_mover(s, 0, -0.5, 40, 1, 0, 0);
        walker = add_body(s, -2, 0.502);
        wide = crate_desc(s, 0, 0.502);
        wide.shape = deep_box(3, 1, 1);
        put_body(s, &wide);
        rider = add_crate(s, 0, 1.504);
        pusher = add_mover(s, -0.8, 1.6, 0.5, 0.5, 0, 0);
        run(s, 64);
        kin_set_velocity(s->world, deck, v2(s, -3, 0));
        kin_set_velocity(s->world, pusher, v2(s, speeds[k], 0));
        for (i = 0; i < 24; i++) {
            set_vx(s, walker, 3);
            scene_step(s);
            if (i >= 16) EXPECT_IN(x_of(s, rider) - x_of(s, pusher) - 0.75, 0, 0.004);
        }
    }
}

SUITE(stacks)
{
    RUN_TEST(E11_flat_boxes);
    RUN_TEST(E11_stack);
    RUN_TEST(I25_under_a_stack);
    RUN_TEST(I03_stack);
    RUN_TEST(I03_row);
    RUN_TEST(F05_towers);
    RUN_TEST(B10_between_bodies);
    RUN_TEST(row_over_hills);
    RUN_TEST(E24_rider_pushed_on_a_held_crate);
#if KINEMATIC_DIM == 2
    RUN_TEST(turned_up);
#endif
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv)
{
    GREATEST_MAIN_BEGIN();
    RUN_SUITE(stacks);
    GREATEST_MAIN_END();
}
