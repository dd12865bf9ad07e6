/* SPDX-License-Identifier: MIT OR Unlicense

   speed.c: section H of the catalogue: speed and time steps. H05, which needs pushing, is in push.c. */
#include "scene.h"

static void into_thin_wall(scene *s, const kin_shape *shape, double thick, double speed)
{
    kin_body_desc d;
    kin_id        b;
    open_floating(s);
    add_static_box(s, 5, -50, 5 + thick, 50);
    d = body_desc(s, 0, 0);
    d.shape = *shape;
    d.velocity = v2(s, speed, 0);
    b = put_body(s, &d);
    run(s, 128);
    EXPECT_REST(5 - right_of(s, b));
    EXPECT_NEAR(vx_of(s, b), 0, 1e-4);
    EXPECT(kin_on_wall(s->world, b));
}

/* H01 thin wall: wall 0.01 thick, B at 10, 1e3, 1e4, 1e5 u/s (781 a step): stops REST at the near face. */
SCENARIO(H01_thin_wall, RATE_60 | ALL_SHAPES)
{
    static const double speeds[] = { 10, 1e3, 1e4, 1e5 };
    kin_shape shape = hero(s);
    int       i;
    for (i = 0; i < 4; i++) into_thin_wall(s, &shape, 0.01, speeds[i]);
}

/* H01 with the wall turned: whatever the numbers are rounded to, it stops there and stays. */
static void into_turned_wall(scene *s, double degrees, double speed)
{
    double          c = cos(DEGREES(degrees)), k = sin(DEGREES(degrees));
    kin_static_desc wall;
    kin_body_desc   d;
    kin_id          w, b;
    open_floating(s);
    wall = static_desc(s, 0, 0, 0.01, 40);
    wall.position = v2(s, 6 * c, 6 * k);
    wall.rotation = turn(s, DEGREES(degrees));
    w = put_static(s, &wall);
    d = body_desc(s, 0, 0);
    d.shape = kin_ball(0.5f);
    d.velocity = v2(s, speed * c, speed * k);
    b = put_body(s, &d);
    run(s, 1);
    EXPECT_REST(gap_between(s, b, w));
    run(s, 127);
    EXPECT_REST(gap_between(s, b, w));
    EXPECT_NEAR(vx_of(s, b) * c + vy_of(s, b) * k, 0, 1e-4);
    EXPECT_IN(dv_len(dv_of(kin_get_velocity(s->world, b))), 0, 1e-6 * speed);   /* rounding of where it was headed */
    EXPECT(kin_on_wall(s->world, b));
}

SCENARIO(H01_turned_wall, RATE_60)
{
    static const double speeds[] = { 1e3, 1e4, 6.5e4, 1e5 }, angles[] = { 10, 22.5, 45, 77 };
    int i, k;
    for (i = 0; i < 4; i++)
        for (k = 0; k < 4; k++) into_turned_wall(s, angles[k], speeds[i]);
}

/* H02 tiny and fast: circle r = 0.05, wall 0.001, 1e4 u/s. */
SCENARIO(H02_tiny_and_fast, RATE_60)
{
    kin_shape shape = kin_ball(0.05f);
    into_thin_wall(s, &shape, 0.001, 1e4);
}

/* H06 hitch: advance(10 s) with the default cap of 1 s: exactly 128 steps; left-over < dt; dropped time 9 +-dt reported;
   next advance(1/128) runs 1 or 2 steps. */
SCENARIO(H06_hitch, NO_MIRROR)
{
    open_earth(s);
    add_floor(s);
    add_body(s, 0, 5);
    EXPECT_IN(kin_world_advance(s->world, 10), 128, 128);
    EXPECT_IN(kin_world_steps(s->world), 128, 128);
    EXPECT(kin_world_alpha(s->world) >= 0 && kin_world_alpha(s->world) < 1);
    EXPECT_NEAR(kin_world_dropped(s->world), 9, 1.0 / 128);
    EXPECT_IN(kin_world_advance(s->world, 1.0 / 128), 1, 2);
    EXPECT_IN(kin_world_dropped(s->world), 0, 0);
}

/* H07 crumbs: advance(1e-6) a million times: 128 +-1 steps. */
SCENARIO(H07_crumbs, NO_MIRROR)
{
    int i, steps = 0;
    open_earth(s);
    add_floor(s);
    add_body(s, 0, 5);
    for (i = 0; i < 1000000; i++) steps += kin_world_advance(s->world, 1e-6);
    EXPECT_NEAR(steps, 128, 1);
    EXPECT_IN(kin_world_steps(s->world), steps, steps);
}

static int count_all(const scene *s)
{
    kin_id id = kin_next(s->world, KIN_NOTHING, nobody());
    int    n = 0;
    for (; id.slot; id = kin_next(s->world, KIN_NOTHING, id)) n++;
    return n;
}

/* H08 bad time: advance(-1), NaN, inf: no step, no change, error reported. advance(0): no step, no error, pending adds
   and removals done. */
SCENARIO(H08_bad_time, NO_MIRROR)
{
    double   bad[4];
    kin_id   b;
    uint64_t hash;
    int      i;
    bad[0] = -1;
    bad[1] = (double)NAN;
    bad[2] = (double)INFINITY;
    bad[3] = -(double)INFINITY;
    open_earth(s);
    add_floor(s);
    b = add_body(s, 0, 5);
    run(s, 10);
    hash = kin_world_hash(s->world);
    s->allow_log = true;
    for (i = 0; i < 4; i++) {
        EXPECT_IN(kin_world_advance(s->world, bad[i]), 0, 0);
        EXPECT_IN(s->logs, i + 1, i + 1);
        EXPECT(kin_world_hash(s->world) == hash);
        EXPECT_IN(kin_world_steps(s->world), 10, 10);
    }
    for (i = 0; i < 4; i++) {
        EXPECT(!kin_world_step(s->world, (float)bad[i]));
        EXPECT_IN(s->logs, i + 5, i + 5);
        EXPECT(kin_world_hash(s->world) == hash);
    }
    s->allow_log = false;
    EXPECT_IN(kin_world_advance(s->world, 0), 0, 0);
    EXPECT_IN(kin_world_steps(s->world), 10, 10);
    EXPECT_IN(count_all(s), 2, 2);
    take_out(s, b);
    b = add_body(s, 3, 5);
    EXPECT_IN(kin_world_advance(s->world, 0), 0, 0);
    EXPECT_IN(kin_world_steps(s->world), 10, 10);
    EXPECT_IN(count_all(s), 2, 2);
    EXPECT_NEAR(x_of(s, b), 3, 0);
    run(s, 10);
    EXPECT(y_of(s, b) < 5);
}

/* The apex of a jump at 12 u/s, and the height of rest before it. */
static void jump_at_rate(scene *s, double *rest, double *apex)
{
    kin_id b;
    open_earth(s);
    add_floor(s);
    b = add_body(s, 0, 0.5);
    settle(s);
    *rest = bottom_of(s, b);
    *apex = 0;
    set_vy(s, b, 12);
    do {
        if (!scene_step(s)) return;
        *apex = fmax(*apex, bottom_of(s, b) - *rest);
    } while (!grounded(s, b) && s->steps < 5000);
    EXPECT_REST(*rest);
    EXPECT_REST(bottom_of(s, b));
}

static double walk_up_at_rate(scene *s)
{
    kin_body_desc d;
    kin_id        b;
    dv            from;
    int           i;
    open_earth(s);
    add_slope(s, -10, -10 * tan(DEGREES(30)), 30, 100);
    d = body_on_slope(s, 0, 0, 30);
    b = put_body(s, &d);
    settle(s);
    from = dv_of(pose_now(s, b).p);
    for (i = 0; i < steps_in(s, 2); i++) {
        set_vx(s, b, 4);
        scene_step(s);
        if (!grounded(s, b)) scene_fail(s, "airborne on the slope");
    }
    return dv_len(dv_sub(dv_of(pose_now(s, b).p), from)) / 2;
}

static void ride_at_rate(scene *s)
{
    kin_id m, b;
    double offset;
    int    i;
    open_earth(s);
    m = add_mover(s, 0, -0.25, 4, 0.5, 0, 0);
    b = add_body(s, 0, 0.5);
    settle(s);
    offset = x_of(s, b) - x_of(s, m);
    for (i = 1; i <= steps_in(s, 60) / (TEST_SHARE > 1 ? 8 : 1); i++) {
        move_to(s, m, 3 * sin(2 * SCENE_PI * i * (double)s->dt / 4), -0.25, 0);
        scene_step(s);
        EXPECT_NEAR(x_of(s, b) - x_of(s, m), offset, 1e-4);
        EXPECT_REST(bottom_of(s, b) - top_of(s, m));
        EXPECT(grounded(s, b));
    }
}

/* H09 rate independence: A03, B03, E01 at 60, 128, 240, 1000 Hz: rest heights within 0.005, walk speeds within 0.5 %,
   apex within 6 %. */
SCENARIO(H09_rate_independence, ALL_SHAPES)
{
    static const float rates[] = { 60, 128, 240, 1000 };
    double rest, apex;
    int    i;
    for (i = 0; i < 4; i++) {
        s->dt = 1 / rates[i];
        jump_at_rate(s, &rest, &apex);
        EXPECT_NEAR(apex, 2.4, 0.06 * 2.4);
        EXPECT_NEAR(walk_up_at_rate(s), 4, 0.005 * 4);
        ride_at_rate(s);
    }
}

/* H10 fast blade: arm 4 long, 0.2 thick, 100 rad/s, body r = 0.5 in its way: contact reported, ends outside. */
SCENARIO(H10_fast_blade, 0)
{
    kin_mover_desc m;
    kin_body_desc  d;
    kin_id         arm, b;
    open_floating(s);
    m = mover_desc(s, 0, 0, 4, 0.2);
    m.spin = spin(s, 100);
    arm = put_mover(s, &m);
    d = body_desc(s, 1.3, 1.0);
    d.shape = kin_ball(0.5f);
    b = put_body(s, &d);
    run(s, 32);
    EXPECT(count_events(s, KIN_EVENT_BEGAN, b, arm) > 0);
    EXPECT_IN(gap_between(s, b, arm), -PRESSED, 1e9);
    EXPECT(!kin_is_embedded(s->world, b) && !kin_is_crushed(s->world, b));
}

/* H11 slow creep: 1e-5 u/s, 1e6 steps near the origin: 0.078 +-5 %. */
SCENARIO(H11_slow_creep, 0)
{
    kin_id b;
    int    i, n = 1000000 / TEST_SHARE;
    double way = n * 1e-5 / 128;
    open_earth(s);
    add_floor(s);
    b = add_body(s, 0, 0.5);
    settle(s);
    set_vx(s, b, 1e-5);
    for (i = 0; i < n; i++) {
        scene_step(s);
        EXPECT(grounded(s, b));
    }
    EXPECT_NEAR(x_of(s, b), way, 0.05 * way);
}

/* N9 slides stay under the documented cap: one sweep changes direction at most 12 times. Inside a wheel of 1 degree facets a
   ball is so fast that it would pass 57 of them in a step: it gets as far as that allows, stays inside, gains no speed, and
   goes on in the next step. */
SCENARIO(N9_cap_of_slides, 0)
{
    enum { CAP = 12 };
    const double  wheel = 20, facet = 2 * wheel * tan(DEGREES(0.5));
    kin_body_desc d;
    kin_id        b;
    double        angle = 0, speed = 20 * 128.0;
    int           i, most = 0;
    open_floating(s);
    for (i = 0; i < 360; i++) {
        kin_static_desc wall = static_desc(s, 0, 0, facet, 1);
        wall.position = v2(s, (wheel + 0.5) * sin(DEGREES(i)), -(wheel + 0.5) * cos(DEGREES(i)));
        wall.rotation = turn(s, DEGREES(i));
        put_static(s, &wall);
    }
    d = body_desc(s, 0, -wheel + 0.502);
    d.shape = kin_ball(0.5f);
    d.velocity = v2(s, speed, 0);
    b = put_body(s, &d);
    for (i = 0; i < 64; i++) {
        double now, turned;
        scene_step(s);
        now = atan2(x_of(s, b), -y_of(s, b));
        turned = (now - angle) * 180 / SCENE_PI;
        if (turned < -180) turned += 360;
        EXPECT_IN(turned, 1, CAP + 1);
        if (turned > most) most = (int)turned;
        EXPECT(dv_len(dv_of(pose_now(s, b).p)) < wheel - 0.5 + 0.01);
        EXPECT(dv_len(dv_of(kin_get_velocity(s->world, b))) < speed * (1 + 1e-5));
        speed = dv_len(dv_of(kin_get_velocity(s->world, b)));
        angle = now;
    }
    EXPECT_IN(most, CAP - 2, CAP + 1);
}

SUITE(speed)
{
    RUN_TEST(H01_thin_wall);
    RUN_TEST(H01_turned_wall);
    RUN_TEST(H02_tiny_and_fast);
    RUN_TEST(H06_hitch);
    RUN_TEST(H07_crumbs);
    RUN_TEST(H08_bad_time);
    RUN_TEST(H09_rate_independence);
    RUN_TEST(H10_fast_blade);
    RUN_TEST(H11_slow_creep);
    RUN_TEST(N9_cap_of_slides);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv)
{
    GREATEST_MAIN_BEGIN();
    RUN_SUITE(speed);
    GREATEST_MAIN_END();
}
