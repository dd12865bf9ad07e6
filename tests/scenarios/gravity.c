/* SPDX-License-Identifier: MIT OR Unlicense

   gravity.c: section O of the catalogue, bodies with a gravity of their own. */
#include "scene.h"

static double far_from(const scene *s, kin_id id, double x, double y) { return hypot(x_of(s, id) - x, y_of(s, id) - y); }

static double speed_of(const scene *s, kin_id id) { return dv_len(dv_of(kin_get_velocity(s->world, id))); }

/* Gravity of 30 towards (x, y). */
static void pull_to(scene *s, kin_id id, double x, double y)
{
    double far = far_from(s, id, x, y);
    set_own_gravity(s, id, 30 * (x - x_of(s, id)) / far, 30 * (y - y_of(s, id)) / far);
}

static kin_id add_round(scene *s, double x, double y)
{
    kin_body_desc d = body_desc(s, x, y);
    d.shape = kin_ball(0.4f);
    return put_body(s, &d);
}

static kin_id add_planet(scene *s, double x, double y, double radius)
{
    kin_static_desc d = static_desc(s, 0, 0, 1, 1);
    d.shape = kin_ball((float)radius);
    d.position = v2(s, x, y);
    return put_static(s, &d);
}

/* O70 planets: one hero walks around each of two planets, a third one stands on another. The walkers were given 4 u/s once; it turns
   with up, so both have gone round after 2 pi 5.402 / 4 seconds, always on the ground. */
SCENARIO(O70_planets, RATE_60)
{
    static const double middle[3] = { 0, 20, 40 };
    kin_id  hero[3], planet[3];
    kin_vec rest;
    int     i, k, around;
    open_floating(s);
    for (i = 0; i < 3; i++) {
        planet[i] = add_planet(s, middle[i], 0, 5);
        hero[i] = add_round(s, middle[i] + (i == 2 ? 5.402 : 0), i == 2 ? 0 : 5.402);
    }
    for (k = 0; k < 20; k++) {
        for (i = 0; i < 3; i++) pull_to(s, hero[i], middle[i], 0);
        run(s, 1);
    }
    rest = kin_get_position(s->world, hero[2]);
    for (i = 0; i < 3; i++) EXPECT(grounded(s, hero[i]));
    set_v(s, hero[0], 4, 0);
    set_v(s, hero[1], -4, 0);
    around = steps_in(s, 2 * SCENE_PI * 5.402 / 4);
    for (k = 0; k < around; k++) {
        for (i = 0; i < 3; i++) pull_to(s, hero[i], middle[i], 0);
        run(s, 1);
        for (i = 0; i < 2; i++) {
            kin_vec up = kin_get_up(s->world, hero[i]);
            EXPECT(grounded(s, hero[i]) && kin_same(kin_get_ground(s->world, hero[i]).id, planet[i]));
            EXPECT_IN(far_from(s, hero[i], middle[i], 0) - 5.4, 0, SLOP);
            EXPECT_NEAR(speed_of(s, hero[i]), 4, 0.004);
            EXPECT_NEAR((double)up.y, y_of(s, hero[i]) / 5.4, 0.02);
            if (k == around / 4 && i == 0) EXPECT_NEAR(x_of(s, hero[i]), 5.4, 0.1);
        }
    }
    for (i = 0; i < 2; i++) {
        EXPECT_NEAR(x_of(s, hero[i]), middle[i], 0.1);
        EXPECT_NEAR(y_of(s, hero[i]), 5.4, 0.01);
    }
    EXPECT(same_vec(rest, kin_get_position(s->world, hero[2])));
    EXPECT(count_events(s, KIN_EVENT_LEFT, nobody(), nobody()) == 0);
}

/* O71 on the ceiling: two heroes between a floor and a ceiling 10 above it, one with gravity upwards. Whatever one does the
   other does upside down, within 1e-4: walking, jumping, pushing a crate, a step, riding a lift. */
SCENARIO(O71_on_the_ceiling, RATE_60 | ALL_SHAPES)
{
    kin_id        hero[2], crate[2], lift[2];
    kin_body_desc d;
    int           i, k;
    open_earth(s);
    add_static_box(s, -20, -2, 20, 0);
    add_static_box(s, -20, 10, 20, 12);
    add_static_box(s, -5, 0, -4, 0.25);
    add_static_box(s, -5, 9.75, -4, 10);
    for (i = 0; i < 2; i++) {
        lift[i] = add_mover(s, 9, i ? 10.0 : 0.0, 2, 0.5, 0, 0);
        d = body_desc(s, 0, i ? 9.498 : 0.502);
        d.step_height = 0.3f;
        if (i) d.gravity = v2(s, 0, 30);
        hero[i] = put_body(s, &d);
        d = crate_desc(s, 3, i ? 9.498 : 0.502);
        if (i) d.gravity = v2(s, 0, 30);
        crate[i] = put_body(s, &d);
    }
    run(s, SETTLED);
    EXPECT((double)kin_get_up(s->world, hero[1]).y < -0.999 && (double)kin_get_up(s->world, hero[0]).y > 0.999);
    for (k = 0; k < steps_in(s, 6); k++) {
        for (i = 0; i < 2; i++) {
            set_vx(s, hero[i], k < steps_in(s, 1) ? 4 : k < steps_in(s, 2) ? 0 : -4);
            if (k == steps_in(s, 1.5)) set_vy(s, hero[i], i ? -12 : 12);
            if (k == steps_in(s, 3)) set_v(s, lift[i], 0, i ? -1 : 1);
        }
        run(s, 1);
        EXPECT_NEAR(x_of(s, hero[1]), x_of(s, hero[0]), 1e-4);
        EXPECT_NEAR(10 - y_of(s, hero[1]), y_of(s, hero[0]), 1e-4);
        EXPECT_NEAR(x_of(s, crate[1]), x_of(s, crate[0]), 1e-4);
        EXPECT(grounded(s, hero[0]) == grounded(s, hero[1]) && !kin_on_ceiling(s->world, hero[1]));
        if (k == steps_in(s, 1.5) + at_rate(s, 51, 24)) EXPECT_IN(10 - y_of(s, hero[1]), 2.7, 3);   /* at the top */
    }
    EXPECT(x_of(s, crate[1]) > 3.5 && x_of(s, hero[1]) < -6);
    EXPECT(count_events(s, KIN_EVENT_LANDED, hero[1], nobody()) == count_events(s, KIN_EVENT_LANDED, hero[0], nobody()));
}

/* O72 a room that turns, once around in 6 seconds; gravity of those inside turns with it. One stands, one walks to and fro
   and jumps as in a room that stands, and a third one outside has the world's gravity. */
SCENARIO(O72_turning_room, RATE_60)
{
    double         rate = SCENE_PI / 3, first = 0;
    kin_mover_desc m;
    kin_id         room, idle, walker, outside;
    int            i, k, count;
    open_earth(s);
    add_floor(s);
    outside = add_body(s, 14, 0.502);
    m = mover_desc(s, 0, 10, 1, 1);
    room = put_mover(s, &m);
    for (i = 0; i < 4; i++) {
        kin_static_desc d = static_desc(s, 0, 0, i % 2 ? 1.0 : 12.0, i % 2 ? 12.0 : 1.0);
        d.position = v2(s, i % 2 ? 5.5 * (i - 2) : 0, i % 2 ? 0 : 5.5 * (i - 1));
        d.attach = room;
        put_static(s, &d);
    }
    idle = add_round(s, -3, 10 - 5 + 0.402);
    walker = add_round(s, 3, 10 - 5 + 0.402);
    run(s, SETTLED);
    set_spin(s, room, rate);
    count = steps_in(s, 12);
    for (k = 0; k < count; k++) {
        double angle = rate * (double)s->dt * k, c = cos(angle), n = sin(angle), back = angle + rate * (double)s->dt, x, y;
        set_own_gravity(s, idle, 30 * n, -30 * c);
        set_own_gravity(s, walker, 30 * n, -30 * c);
        x = (k / steps_in(s, 1)) % 2 ? 2 : -2;
        if (grounded(s, walker)) set_v(s, walker, x * c, x * n);
        if (k % steps_in(s, 3) == 100 && grounded(s, walker)) set_v(s, walker, -6 * n, 6 * c);
        run(s, 1);
        x = x_of(s, idle) * cos(back) + (y_of(s, idle) - 10) * sin(back);
        y = (y_of(s, idle) - 10) * cos(back) - x_of(s, idle) * sin(back);
        if (k == 0) first = x;
                EXPECT(grounded(s, idle));
        EXPECT_NEAR(x, first, 0.001);
        EXPECT_NEAR(y, -4.6, SLOP);
        y = (y_of(s, walker) - 10) * cos(back) - x_of(s, walker) * sin(back);
        EXPECT_IN(y, -4.601, -3.5);
        EXPECT(grounded(s, outside));
    }
    EXPECT_POS(y_of(s, outside), 0.502);
}

/* O73 flip: a hero that runs flips its gravity, lands on the ceiling at the same speed, and flips back with {0}. */
SCENARIO(O73_flip, RATE_60 | ALL_SHAPES)
{
    kin_id hero;
    open_earth(s);
    add_floor(s);
    add_static_box(s, -100, 4, 100, 5);
    hero = add_body(s, 0, 0.502);
    run(s, SETTLED);
    set_v(s, hero, 4, 0);
    run(s, 10);
    set_own_gravity(s, hero, 0, 30);
    run(s, steps_in(s, 1));
    EXPECT(grounded(s, hero) && !kin_on_ceiling(s->world, hero));
    EXPECT_NEAR(y_of(s, hero), 4 - 0.502, 0.002);
    EXPECT_NEAR(vx_of(s, hero), 4, 1e-4);
    set_own_gravity(s, hero, 0, 0);
    run(s, steps_in(s, 1));
    EXPECT(grounded(s, hero) && same_vec(kin_get_up(s->world, hero), kin_world_get_up(s->world)));
    EXPECT_NEAR(y_of(s, hero), 0.502, 0.002);
    EXPECT_NEAR(vx_of(s, hero), 4, 1e-4);
    EXPECT(count_events(s, KIN_EVENT_LANDED, hero, nobody()) == 3);
}

/* O74 pulled together: a crate lies on another, whose gravity then turns upwards: neither sinks into the other, at most one
   of them stands on the other, in either order of adding, and both come to rest. When it turns back all is as before. */
SCENARIO(O74_pulled_together, RATE_60)
{
    int order, k;
    for (order = 0; order < 2; order++) {
        kin_id lower, upper;
        open_earth(s);
        add_floor(s);
        lower = order ? nobody() : add_crate(s, 0, 0.502);
        upper = add_crate(s, 0, 1.504);
        if (order) lower = add_crate(s, 0, 0.502);
        run(s, SETTLED);
        EXPECT(kin_same(kin_get_ground(s->world, upper).id, lower));
        set_own_gravity(s, lower, 0, 30);
        for (k = 0; k < steps_in(s, 1); k++) {
            run(s, 1);
            EXPECT(!kin_same(kin_get_ground(s->world, upper).id, lower) || !kin_same(kin_get_ground(s->world, lower).id, upper));
            EXPECT_IN(y_of(s, upper) - y_of(s, lower), 1 - SLOP, 1.02);
        }
        EXPECT_NEAR(dv_len(dv_of(kin_get_motion(s->world, lower))), 0, 0.01);
        EXPECT_IN(y_of(s, lower), 0.5, 0.6);
        set_own_gravity(s, lower, 0, 0);
        run(s, steps_in(s, 0.5));
        EXPECT(grounded(s, lower) && kin_same(kin_get_ground(s->world, upper).id, lower));
    }
}

/* O75 the world's gravity turns: towards a planet, for all at once. The walker was given 4 u/s once; it turns with up. */
SCENARIO(O75_the_world_turns, RATE_60)
{
    kin_id hero;
    int    k;
    open_earth(s);
    add_planet(s, 0, 0, 10);
    hero = add_round(s, 0, 10.402);
    run(s, SETTLED);
    set_v(s, hero, 4, 0);
    for (k = 0; k < steps_in(s, 10); k++) {
        double far = far_from(s, hero, 0, 0);
        set_gravity(s, -30 * x_of(s, hero) / far, -30 * y_of(s, hero) / far);
        run(s, 1);
        EXPECT(grounded(s, hero));
        EXPECT_NEAR(speed_of(s, hero), 4, 0.01);
    }
    EXPECT_NEAR(atan2(x_of(s, hero), y_of(s, hero)), 4 * 10 / 10.4 - 2 * 3.14159265, 0.05);
}

SUITE(gravity)
{
    RUN_TEST(O70_planets);
    RUN_TEST(O71_on_the_ceiling);
    RUN_TEST(O72_turning_room);
    RUN_TEST(O73_flip);
    RUN_TEST(O74_pulled_together);
    RUN_TEST(O75_the_world_turns);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv)
{
    GREATEST_MAIN_BEGIN();
    RUN_SUITE(gravity);
    GREATEST_MAIN_END();
}
