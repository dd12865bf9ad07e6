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

SUITE(bodies)
{
    RUN_TEST(O10_plough);
    RUN_TEST(O11_slanting_press);
    RUN_TEST(O12_blade_and_two_balls);
    RUN_TEST(O13_leftover_meets_a_body);
    RUN_TEST(O14_bodys_ramp);
    RUN_TEST(O15_slope_top);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv)
{
    GREATEST_MAIN_BEGIN();
    RUN_SUITE(bodies);
    GREATEST_MAIN_END();
}
