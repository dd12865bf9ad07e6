/* SPDX-License-Identifier: MIT OR Unlicense

   found.c: section O of the catalogue, found in use: steps, what contacts tell, respawning. */
#include "scene.h"

enum { IMPACTS = 200 };

/* One impact on something whose near face is at x = 5 when time begins, and comes nearer at `face`. */
static void impact(scene *s, int on, double x, double speed, double face)
{
    kin_body_desc    d;
    const kin_event *e;
    open_floating(s);
    d = body_desc(s, 5.5, 0);
    if (on == 0) add_static_box(s, 5, -5, 6, 5);
    if (on == 1) add_mover(s, 5.5, 0, 1, 10, -face, 0);
    d.push = KIN_UNPUSHABLE;
    d.shape = body_box(1, 10);
    if (on == 2) put_body(s, &d);
    d = body_desc(s, x, 0);
    d.velocity = v2(s, speed, 0);
    put_body(s, &d);
    while (!last_event(s, KIN_EVENT_BEGAN, nobody()) && s->steps < 2000) run(s, 1);
    e = last_event(s, KIN_EVENT_BEGAN, nobody());
    EXPECT(e != NULL);
    EXPECT_NEAR(e->speed, speed + (on == 1 ? face : 0), 0.01);
}

static kin_id before_riser(scene *s, double x)
{
    kin_body_desc d;
    open_earth(s);
    add_floor(s);
    add_static_box(s, 3, -1, 50, 0.25);
    d = body_desc(s, x, 0.9);
    d.push = KIN_UNPUSHABLE;
    d.step_height = 0.3f;
    return put_body(s, &d);
}

/* O04 slow stairs: a walker that accelerates at 5 u/s^2 from a standstill at a riser of 0.25 is on top within 1 s; one
   that is held at 0.02 u/s climbs too. */
SCENARIO(O04_slow_stairs, RATE_60 | ALL_SHAPES | NO_MIRROR)
{
    kin_id b = before_riser(s, 2);
    int    i;
    run(s, steps_in(s, 0.5));
    for (i = 0; i < steps_in(s, 2) && right_of(s, b) < 2.98; i++) { set_vx(s, b, 1); scene_step(s); }
    set_v(s, b, 0, 0);
    run(s, steps_in(s, 0.25));
    for (i = 0; i < steps_in(s, 1); i++) { set_vx(s, b, vx_of(s, b) + 5 * (double)s->dt); scene_step(s); }
    EXPECT_REST(bottom_of(s, b) - 0.25);
    b = before_riser(s, 2.45);
    run(s, steps_in(s, 0.5));
    for (i = 0; i < steps_in(s, 20); i++) { set_vx(s, b, 0.02); scene_step(s); }
    EXPECT(bottom_of(s, b) > 0.05);
}

/* O05 speed over steps: 5 u/s given once, riser 0.25: velocity stays 5, at every phase. */
SCENARIO(O05_speed_over_steps, RATE_60 | ALL_SHAPES | NO_MIRROR)
{
    int i;
    for (i = 0; i < 100 / TEST_SHARE + 3; i++) {
        kin_id b = before_riser(s, 0.001 * i);
        run(s, steps_in(s, 0.5));
        set_v(s, b, 5, 0);
        run(s, steps_in(s, 1));
        EXPECT_NEAR(vx_of(s, b), 5, 1e-3);
        EXPECT_REST(bottom_of(s, b) - 0.25);
    }
}

/* O17 speed of contacts: impacts at random phases: BEGAN.speed equals the speed before, +-0.01. */
SCENARIO(O17_speed_of_contacts, RATE_60 | ALL_SHAPES | NO_MIRROR)
{
    unsigned bits = 17;
    int      i;
    for (i = 0; i < IMPACTS / TEST_SHARE + 3; i++) {
        double x, speed, face;
        x = (double)(bits = bits * 1103515245u + 12345u) / 4294967296.0 * 2;
        speed = 1 + (double)(bits = bits * 1103515245u + 12345u) / 4294967296.0 * 12;
        face = (double)(bits = bits * 1103515245u + 12345u) / 4294967296.0 * 2;
        impact(s, i % 3, x, speed, face);
        if (s->fault[0]) return;
    }
}

/* O19 respawn: a body that jumped off a lift is put back: it has lost what the lift left it. */
SCENARIO(O19_respawn, RATE_60 | ALL_SHAPES)
{
    kin_body_desc d;
    kin_id        b;
    open_earth(s);
    add_mover(s, 0, -0.5, 4, 1, 6, 0);
    d = body_desc(s, 0, 0.5);
    b = put_body(s, &d);
    run(s, 10);
    set_v(s, b, 0, 10);
    run(s, 2);
    EXPECT(dv_len(dv_of(kin_get_leftover(s->world, b))) > 5);
    teleport(s, b, 0, 20);
    set_v(s, b, 0, 0);
    EXPECT(dv_len(dv_of(kin_get_leftover(s->world, b))) == 0);
    run(s, 20);
    EXPECT_POS(x_of(s, b), 0);
}

SUITE(found)
{
    RUN_TEST(O04_slow_stairs);
    RUN_TEST(O05_speed_over_steps);
    RUN_TEST(O17_speed_of_contacts);
    RUN_TEST(O19_respawn);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv)
{
    GREATEST_MAIN_BEGIN();
    RUN_SUITE(found);
    GREATEST_MAIN_END();
}
