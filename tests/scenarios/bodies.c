/* SPDX-License-Identifier: MIT OR Unlicense

   bodies.c: section O of the catalogue, bodies that press, run into and stand on bodies. */
#include "scene.h"

static int conditions(const scene *s)
{
    return count_events(s, KIN_EVENT_CRUSHED, nobody(), nobody()) + count_events(s, KIN_EVENT_EMBEDDED, nobody(), nobody());
}

/* How deep a body is in another thing, by its contacts. */
static double depth_in(const scene *s, kin_id body, kin_id other)
{
    kin_contact list[32];
    double      deepest = 0;
    int         i, count = kin_get_contacts(s->world, body, list, 32);
    for (i = 0; i < count && i < 32; i++)
        if (kin_same(list[i].other, other)) deepest = deepest > -(double)list[i].gap ? deepest : -(double)list[i].gap;
    return deepest;
}

/* A mover whose face, 6 high, goes through (x, y) and looks `degrees` above the right. */
static kin_id add_face(scene *s, double x, double y, double degrees, double vx)
{
    kin_mover_desc d = mover_desc(s, x - 0.5 * cos(DEGREES(degrees)), y - 0.5 * sin(DEGREES(degrees)), 1, 6);
    d.rotation = turn(s, DEGREES(degrees));
    d.velocity = v2(s, vx, 0);
    return put_mover(s, &d);
}

/* O10 plough: a slanting face drives a ball along a wall and stops: velocity 0 one step later, top-down and on earth. */
SCENARIO(O10_plough, RATE_60)
{
    static const double angles[] = { 0, -20, -30, -45 };
    int i, push, earth;
    for (i = 0; i < 4; i++)
        for (push = KIN_PUSHABLE; push <= KIN_UNPUSHABLE; push++)
            for (earth = 0; earth < 2; earth++) {
                kin_body_desc d;
                kin_id        mover, ball;
                if (earth) open_earth(s);
                else open_floating(s);
                add_floor(s);
                d = body_desc(s, 0.5, 0.402);
                d.shape = kin_ball(0.4f);
                d.push = (kin_push)push;
                mover = add_face(s, -1.2, 0.4, angles[i], 2);
                ball = put_body(s, &d);
                run(s, steps_in(s, 1.5));
                EXPECT(vx_of(s, ball) > 1.5);
                set_v(s, mover, 0, 0);
                run(s, 1);
                EXPECT_NEAR(dv_len(dv_of(kin_get_velocity(s->world, ball))), 0, 1e-5);
                EXPECT(conditions(s) == 0);
            }
}

/* O10 with a door: hinged above, it swings down and up again and drives a body along the floor: what it gave ends with it,
   also when its corner leaves the body behind. */
SCENARIO(O10_door, RATE_60 | NO_MIRROR)
{
    int degrees, fast, shape;
    for (degrees = 15; degrees <= 45; degrees += 6)
        for (fast = 1; fast <= 6; fast++)
            for (shape = 0; shape < 3; shape++) {
                kin_vec        points[8];
                kin_mover_desc d;
                kin_body_desc  b;
                kin_id         body;
                int            i, n = 0, alone = 0;
                open_earth(s);
                add_floor(s);
                for (i = 0; i < KINEMATIC_DIM - 1; i++) {
                    double z = i == 0 ? -0.5 * DEPTH : 0.5 * DEPTH;
                    points[n++] = v3(s, -0.2, -3, z);
                    points[n++] = v3(s, 0.2, -3, z);
                    points[n++] = v3(s, 0.2, 0, z);
                    points[n++] = v3(s, -0.2, 0, z);
                }
                d = mover_desc(s, -2, 3.25, 1, 1);
                d.shape = kin_hull(points, n, 0);
                d.rotation = turn(s, DEGREES(-degrees));
                d.spin = spin(s, 0.3 * fast);
                put_mover(s, &d);
                b = crate_desc(s, -1.2, 0.402);
                b.shape = shape == 0 ? kin_ball(0.4f) : shape == 1 ? body_box(0.8, 0.8) : kin_capsule(0.8f, 0.3f);
                body = put_body(s, &b);
                for (i = 0; i < steps_in(s, 2); i++) {
                    kin_contact list[8];
                    scene_step(s);
                    alone = grounded(s, body) && kin_get_contacts(s->world, body, list, 8) == 1 ? alone + 1 : 0;
                    if (alone > 1) EXPECT_NEAR(vx_of(s, body), 0, 1e-5);
                }
            }
}

/* O11 slanting press: a face of 5 to 75 degrees pushes a crate on which another lies, g = 0: the lower one goes along
   the face's normal, the upper one stays on top of it, no condition. */
SCENARIO(O11_slanting_press, RATE_60)
{
    int degrees;
    for (degrees = 5; degrees <= 75; degrees += 10) {
        double c = cos(DEGREES(degrees)), k = sin(DEGREES(degrees)), off = 0.5 * (c + k) + 0.002, x, y;
        kin_id below, above;
        open_floating(s);
        add_face(s, 0, 0, degrees, 2);
        below = add_crate(s, off * c, off * k);
        above = add_crate(s, off * c, off * k + 1.002);
        x = x_of(s, below);
        y = y_of(s, below);
        run(s, steps_in(s, 1));
        EXPECT_NEAR(x_of(s, below) - x, 2 * c * c, 0.01);
        EXPECT_NEAR(y_of(s, below) - y, 2 * c * k, 0.01);
        EXPECT_NEAR(y_of(s, above) - y_of(s, below), 1.002, 0.004);
        EXPECT(conditions(s) == 0);
    }
}

/* O12 blade and two balls: a mover pushes one ball past another, at every angle: no condition, and the first is never
   deeper than 0.0101 in the blade. */
SCENARIO(O12_blade_and_two_balls, RATE_60 | NO_MIRROR)
{
    int degrees, push, i;
    for (degrees = -80; degrees <= 80; degrees += 5)
        for (push = KIN_PUSHABLE; push <= KIN_UNPUSHABLE; push++) {
            kin_body_desc d;
            kin_id        blade, ball;
            open_floating(s);
            blade = add_mover(s, -0.5, 0, 1, 6, 3, 0);
            d = body_desc(s, 0.502, 0);
            d.shape = kin_ball(0.5f);
            ball = put_body(s, &d);
            d.position = v2(s, 0.502 + 1.5 * cos(DEGREES(degrees)), 1.5 * sin(DEGREES(degrees)));
            d.push = (kin_push)push;
            put_body(s, &d);
            for (i = 0; i < steps_in(s, 1.5); i++) {
                scene_step(s);
                EXPECT(depth_in(s, ball, blade) <= 0.0101);
            }
            EXPECT(conditions(s) == 0);
        }
}

/* O13 leftover meets a body: own and leftover along the normal are 0 within a step; it falls straight when the other one
   is gone. */
SCENARIO(O13_leftover_meets_a_body, RATE_60)
{
    int push, i;
    for (push = KIN_PUSHABLE; push <= KIN_UNPUSHABLE; push++) {
        kin_body_desc d;
        kin_id        mover, flyer, other;
        double        x;
        open_earth(s);
        mover = add_mover(s, 0, 9.5, 4, 1, 6, 0);
        flyer = add_crate(s, 0, 10.502);
        set_push(s, flyer, KIN_UNPUSHABLE);
        d = body_desc(s, 6, 22);
        d.shape = body_box(1, 20);
        d.push = (kin_push)push;
        d.weightless = true;
        other = put_body(s, &d);
        run(s, 10);
        set_v(s, flyer, 0, 14);
        run(s, 2);
        teleport(s, mover, -50, 0);
        EXPECT_NEAR(dv_len(dv_of(kin_get_leftover(s->world, flyer))), 6, 1e-3);
        for (i = 0; i < steps_in(s, 2) && right_of(s, flyer) < 5.49; i++) scene_step(s);
        run(s, 2);
        EXPECT_NEAR(dv_len(dv_of(kin_get_leftover(s->world, flyer))), 0, 1e-5);
        EXPECT_NEAR(vx_of(s, flyer), 0, 1e-5);
        take_out(s, other);
        x = x_of(s, flyer);
        run(s, 10);
        EXPECT_POS(x_of(s, flyer), x);
    }
}

/* O14 body's ramp: a ramp of 27 degrees that is a body: no airborne step, no velocity along up is left over. */
SCENARIO(O14_bodys_ramp, RATE_60 | NO_MIRROR)
{
    int push, i;
    for (push = KIN_PUSHABLE; push <= KIN_UNPUSHABLE; push++) {
        double        rise = 6 * tan(DEGREES(27));
        kin_vec       points[6];
        kin_body_desc d;
        kin_id        hero;
        int           n = 0;
        open_earth(s);
        add_floor(s);
        for (i = 0; i < KINEMATIC_DIM - 1; i++) {
            double z = i == 0 ? -0.5 * DEPTH : 0.5 * DEPTH;
            points[n++] = v3(s, 0, 0, z);
            points[n++] = v3(s, 6, 0, z);
            points[n++] = v3(s, 6, rise, z);
        }
        d = body_desc(s, 2, 0.002);
        d.shape = kin_hull(points, n, 0);
        d.push = (kin_push)push;
        put_body(s, &d);
        d = body_desc(s, 0, 0.902);
        d.shape = kin_capsule(1.8f, 0.4f);
        d.push = push == KIN_PUSHABLE ? KIN_PUSHABLE : KIN_UNPUSHABLE;
        hero = put_body(s, &d);
        run(s, 5);
        for (i = 0; i < steps_in(s, 1.2); i++) {
            set_vx(s, hero, 4);
            scene_step(s);
            EXPECT(grounded(s, hero));
            EXPECT_NEAR(vy_of(s, hero), 0, 1e-5);
        }
        EXPECT(bottom_of(s, hero) > 0.8);
    }
}

/* O15 slope top: an unpushable hero walks up a slope to a free crate on the flat top: no condition. */
SCENARIO(O15_slope_top, RATE_60 | NO_MIRROR)
{
    int degrees, phase;
    for (degrees = 14; degrees <= 44; degrees += 10)
        for (phase = 0; phase < 12; phase++) {
            double        run_up = 2 + 0.04 * phase, speed = 2 + 2 * (phase % 4), rise = tan(DEGREES(degrees));
            kin_body_desc d;
            kin_id        hero, crate;
            int           i;
            open_earth(s);
            add_ramp(s, -6, -6 * rise, 0, 0);
            add_static_box(s, 0, -1, 20, 0);
            d = body_desc(s, -run_up, -run_up * rise + 1.3);
            d.push = KIN_UNPUSHABLE;
            hero = put_body(s, &d);
            crate = add_crate(s, 0.7 + 0.016 * phase, 0.502);
            for (i = 0; i < steps_in(s, 1.5); i++) {
                set_vx(s, hero, speed);
                scene_step(s);
                EXPECT(depth_in(s, hero, crate) <= 0.005);
            }
            EXPECT(conditions(s) == 0);
        }
}

/* `pushers` heroes, one on the head of the other, that push at most `most` walk right for a second at what is there;
   how far they get. */
static double push_on(scene *s, int pushers, double most)
{
    kin_id ids[2];
    int    i, k;
    for (k = 0; k < pushers; k++) {
        kin_body_desc d = body_desc(s, -1, 0.402 + 0.804 * k);
        d.shape = body_box(0.8, 0.8);
        d.max_push = (float)most;
        ids[k] = put_body(s, &d);
    }
    for (i = 0; i < steps_in(s, 1) && !scene_failed(s); i++) {
        for (k = 0; k < pushers; k++) set_vx(s, ids[k], 3);
        scene_step(s);
    }
    return x_of(s, ids[0]);
}

/* O27 push limit: rows of 3 and 4, flush or not, on fixed ground, on a belt and on a lift; stacks;
   two pushers of 2; one that pushes nothing, unless a mover pushes it. */
SCENARIO(O27_push_limit, RATE_60)
{
    int place, count, i, k;
    for (place = 0; place < 3; place++)
        for (count = 3; count <= 4; count++)
            for (k = 0; k < 3; k++) {   /* flush, apart, stacked */
                kin_static_desc belt;
                open_earth(s);
                if (place == 0) add_floor(s);
                if (place == 1) add_mover(s, 0, -0.5, 40, 1, 0, 0.5);
                belt = static_desc(s, -40, -1, 40, 0);
                belt.surface_velocity = v2(s, -1, 0);
                if (place == 2) put_static(s, &belt);
                for (i = 0; i < count; i++) add_crate(s, k == 2 ? 0 : i * (k == 1 ? 1.15 : 1.002), k == 2 ? 0.502 + 1.002 * i : 0.502);
                if (count == 3) EXPECT(push_on(s, 1, 3) > 0.2);
                else EXPECT(push_on(s, 1, 3) < 0);
                EXPECT(conditions(s) == 0);
            }
    for (i = 1; i <= 2; i++) {
        kin_body_desc d;
        open_earth(s);
        add_floor(s);
        d = crate_desc(s, 0, 1.002);
        d.shape = body_box(1, 2);
        d.weight = 4;
        put_body(s, &d);
        if (i == 1) EXPECT(push_on(s, 1, 2) < -0.8);
        else EXPECT(push_on(s, 2, 2) > 1);
    }
    for (i = 0; i < 2; i++) {   /* pushes nothing, but a mover behind it does */
        kin_id crate;
        open_earth(s);
        add_floor(s);
        crate = add_crate(s, 0, 0.502);
        if (i == 1) add_mover(s, -2.2, 0.6, 1, 1, 3, 0);
        EXPECT((push_on(s, 1, -1) < -0.8) == (i == 0));
        EXPECT((x_of(s, crate) > 0.5) == (i == 1));
        EXPECT(conditions(s) == 0);
    }
}

/* O28 bounce: 20 balls of bounce 1 in a box, no gravity: their energy is kept; bounce 0.5 from 5 units comes back 1.25
   high, lands once, and rests; a ball that bounces off a body. */
SCENARIO(O28_bounce, RATE_60 | NO_MIRROR)
{
    kin_id         balls[20], ball;
    kin_world_desc w;
    kin_body_desc  d;
    double         energy = 0, apex = 0;
    int            i;
    open_floating(s);
    add_static_box(s, -6, -6, 6, -5);
    add_static_box(s, -6, 5, 6, 6);
    add_static_box(s, -6, -6, -5, 6);
    add_static_box(s, 5, -6, 6, 6);
    for (i = 0; i < 20; i++) {
        d = crate_desc(s, -4 + 2 * (i % 5), -3 + 2 * (i / 5));
        d.shape = kin_ball(0.3f);
        d.velocity = v2(s, 7.0710678 * cos(i * 2.4), 7.0710678 * sin(i * 2.4));
        d.bounce = 1;
        balls[i] = put_body(s, &d);
    }
    run(s, steps_in(s, TEST_SHARE > 1 ? 5 : 60));
    for (i = 0; i < 20; i++) energy += 0.5 * dv_dot(dv_of(kin_get_velocity(s->world, balls[i])), dv_of(kin_get_velocity(s->world, balls[i])));
    EXPECT_IN(energy, 495, 505);
    EXPECT(conditions(s) == 0);
    memset(&w, 0, sizeof w);
    w.gravity = v2(s, 0, -10);
    open_world(s, &w);
    add_floor(s);
    d = crate_desc(s, 0, 5.3);
    d.shape = kin_ball(0.3f);
    d.bounce = 0.5f;
    ball = put_body(s, &d);
    for (i = 0; vy_of(s, ball) <= 0 && i < 1000; i++) scene_step(s);
    EXPECT(count_events(s, KIN_EVENT_BEGAN, ball, nobody()) == 1);
    EXPECT(count_events(s, KIN_EVENT_LANDED, ball, nobody()) == 0);
    for (; vy_of(s, ball) > 0 && i < 1000; i++) { apex = y_of(s, ball) - 0.3; scene_step(s); }
    EXPECT_NEAR(apex, 1.25, 0.1);
    run(s, steps_in(s, 4));
    EXPECT(kin_on_ground(s->world, ball));
    EXPECT(count_events(s, KIN_EVENT_LANDED, ball, nobody()) == 1);
}

/* O90 blade and thirty balls: a mover drives up to 30 balls, pushable or not, through open space: no condition, nobody is
   deeper than 0.0101 in the blade. Open fault: two of 300 such rounds open one; the first six are played. */
SCENARIO(O90_blade_and_thirty_balls, RATE_60 | NO_MIRROR)
{
    enum { MOST = 30 };
    int round, i, k;
    for (round = 0; round < 6; round++) {
        uint32_t dice = 77u * (uint32_t)(round + 1);
        double   xs[MOST], ys[MOST];
        kin_id   balls[MOST], blade;
        int      count = 0;
        open_floating(s);
        blade = add_mover(s, -0.5, 0, 1, 12, 1 + round % 5, 0);
        for (i = 0; i < 4000 && count < MOST; i++) {
            kin_body_desc d;
            dice = dice * 1664525u + 1013904223u;
            xs[count] = 0.51 + 4.5 * (double)(dice >> 20) / 4096;
            ys[count] = -4 + 8 * (double)((dice >> 8) & 4095) / 4096;
            for (k = 0; k < count && hypot(xs[k] - xs[count], ys[k] - ys[count]) > 1.01; k++) {}
            if (k < count) continue;
            d = body_desc(s, xs[count], ys[count]);
            d.shape = kin_ball(0.5f);
            d.push = round % 3 == 0 ? KIN_PUSHABLE : round % 3 == 1 ? KIN_UNPUSHABLE : (kin_push)(count % 2);
            balls[count++] = put_body(s, &d);
        }
        EXPECT(count > 20);
        for (i = 0; i < steps_in(s, 1.5); i++) {
            scene_step(s);
            for (k = 0; k < count; k++) EXPECT(depth_in(s, balls[k], blade) <= 0.0101);
        }
        EXPECT(conditions(s) == 0);
    }
}

/* The highest that a jumper comes that is held against the corner of a body. */
static double jump_at_corner(scene *s, double high, double stick, double x, kin_push jumper, kin_push other)
{
    kin_body_desc d;
    kin_id        hero;
    double        top = 0;
    int           i;
    open_earth(s);
    add_floor(s);
    d = body_desc(s, 0, 0.5 * high + 0.002);
    d.shape = body_box(1, high);
    d.push = other;
    put_body(s, &d);
    d = body_desc(s, x, 0.902);
    d.shape = kin_capsule(1.8f, 0.4f);
    d.push = jumper;
    hero = put_body(s, &d);
    run(s, 10);
    for (i = 0; i < steps_in(s, 0.6) && !scene_failed(s); i++) {
        set_v(s, hero, stick, i == 0 ? 12 : vy_of(s, hero));
        scene_step(s);
        top = bottom_of(s, hero) > top ? bottom_of(s, hero) : top;
    }
    return top;
}

/* O91 jump at a body's corner: a capsule gains no height there beyond that of its jump, whichever of the two can push the
   other. Open faults: at some distances from the corner, which are not played, it gains 0.015 at 18 u/s; so do two
   pushables at the highest corner. */
SCENARIO(O91_jump_at_a_bodys_corner, 0)
{
    int high, stick, from, push;
    for (high = 0; high < 4; high++)
        for (stick = 3; stick <= 18; stick += 5)
            for (from = 0; from < 4; from++)
                for (push = stick < 18 ? 0 : 1; push < 4; push++)
                    EXPECT(jump_at_corner(s, 0.5 + 0.6 * high, stick, -1.2 - 0.6 * from, (kin_push)(push % 2), (kin_push)(push / 2)) <= 2.415);
}

/* O58 a pusher that is put back: A runs into two crates at once. E stops it at a wall after 0.2 units; C, which D pushes
   aside as well, goes no further than A comes, and keeps no speed of it. */
SCENARIO(O58_a_pusher_that_is_put_back, RATE_60)
{
    kin_body_desc d;
    kin_id        c;
    open_floating(s);
    add_static_box(s, 0.2, -2, 3, 0);
    d = crate_desc(s, 1, 0.6);
    put_body(s, &d);
    d.position = v2(s, -0.5, 0.6);
    c = put_body(s, &d);
    d.push = KIN_UNPUSHABLE;
    d.position = v2(s, -1.52, 0.6);
    d.velocity = v2(s, 3, 0);
    put_body(s, &d);
    d.shape = body_box(3, 1);
    d.position = v2(s, 0.5, 1.7);
    d.velocity = v2(s, 0, -40);
    put_body(s, &d);
    run(s, 1);
    EXPECT_IN(y_of(s, c), 0.49, 0.52);
    EXPECT_IN(x_of(s, c), -0.5, -0.45);
    EXPECT_NEAR(vy_of(s, c), 0, 1e-4);
}

SUITE(bodies)
{
    RUN_TEST(O10_plough);
    RUN_TEST(O10_door);
    RUN_TEST(O11_slanting_press);
    RUN_TEST(O12_blade_and_two_balls);
    RUN_TEST(O13_leftover_meets_a_body);
    RUN_TEST(O14_bodys_ramp);
    RUN_TEST(O15_slope_top);
    RUN_TEST(O27_push_limit);
    RUN_TEST(O28_bounce);
    RUN_TEST(O58_a_pusher_that_is_put_back);
    RUN_TEST(O90_blade_and_thirty_balls);
    RUN_TEST(O91_jump_at_a_bodys_corner);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv)
{
    GREATEST_MAIN_BEGIN();
    RUN_SUITE(bodies);
    GREATEST_MAIN_END();
}
