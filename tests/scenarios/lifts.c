/* SPDX-License-Identifier: MIT OR Unlicense

   lifts.c: section E of the catalogue: lifts and platforms. E23 and E24, which need bodies on bodies, are in push.c.
   M is a box 4 x 0.5 with its top at y = 0; B rides on its middle. */
#include "scene.h"

static kin_id add_lift(scene *s) { return add_mover(s, 0, -0.25, 4, 0.5, 0, 0); }
static double face_gap(const scene *s, kin_id b, kin_id m) { return bottom_of(s, b) - top_of(s, m); }
static double wave(double height, double period, double t) { return height * sin(2 * SCENE_PI * t / period); }

/* B at rest on M, with these policies. */
static kin_id add_rider(scene *s, kin_ride ride, kin_leave leave)
{
    kin_body_desc d = body_desc(s, 0, 0.5);
    kin_id        b;
    d.ride = ride;
    d.leave = leave;
    b = put_body(s, &d);
    settle(s);
    clear_events(s);
    return b;
}

/* How M is told where to be: by move calls, or by velocities that lead there. */
static void drive(scene *s, kin_id m, bool by_velocity, double x, double y)
{
    double dt = (double)s->dt;
    if (by_velocity) set_v(s, m, (x - x_of(s, m)) / dt, (y - y_of(s, m)) / dt);
    else move_to(s, m, x, y, 0);
}

static void ride_sideways(scene *s, bool by_velocity, bool uneven)
{
    const float dt = s->dt;
    kin_id m, b;
    double from, t = 0;
    int    i, n = steps_in(s, 60);
    open_earth(s);
    m = add_lift(s);
    b = add_rider(s, KIN_RIDE_STICK, KIN_LEAVE_ADD);
    from = x_of(s, b) - x_of(s, m);
    for (i = 0; i < n; i++) {
        if (uneven) s->dt = i % 2 ? 1.0f / 120 : 1.0f / 60;
        t += (double)s->dt;
        drive(s, m, by_velocity, wave(3, 4, t), -0.25);
        scene_step(s);
        EXPECT_NEAR(x_of(s, b) - x_of(s, m), from, 1e-4);
        EXPECT_REST(face_gap(s, b, m));
        EXPECT(grounded(s, b));
        EXPECT_IN(vx_of(s, b), 0, 0);
    }
    s->dt = dt;
    EXPECT_IN(s->event_count, 0, 0);
}

/* E01 horizontal sine: M.x = 3 sin(2 pi t / 4), 60 s. In every step: B.x - M.x within 1e-4 of its start, grounded, no
   events. */
SCENARIO(E01_horizontal_sine, RATE_60 | ALL_SHAPES)
{
    ride_sideways(s, false, false);
    ride_sideways(s, true, false);
}

/* Rides at this speed for 4 s; in the last two seconds B walks from side to side as well. */
static void ride_lift(scene *s, double speed)
{
    kin_id m, b;
    int    i, n = steps_in(s, 4);
    open_earth(s);
    m = add_lift(s);
    b = add_rider(s, KIN_RIDE_STICK, KIN_LEAVE_ADD);
    set_v(s, m, 0, speed);
    for (i = 0; i < n; i++) {
        if (i == n / 2) set_vx(s, b, 1);
        if (i == n * 3 / 4) set_vx(s, b, -1);
        scene_step(s);
        EXPECT_REST(face_gap(s, b, m));
        EXPECT(grounded(s, b));
        EXPECT(kin_same(kin_get_ground(s->world, b).id, m));
        EXPECT_NEAR(kin_get_ground(s->world, b).velocity.x, 0, 1e-4);
        EXPECT_NEAR(kin_get_ground(s->world, b).velocity.y, speed, 1e-4);
        EXPECT_IN(vy_of(s, b), 0, 0);
        if (i < n / 2) EXPECT_IN(x_of(s, b), 0, 0);
    }
    EXPECT_NEAR(x_of(s, b), 0, 1e-4);
    EXPECT_IN(s->event_count, 0, 0);
}

/* E03 lift up 5 u/s: REST gap each step, grounded, ground velocity (0, 5), own vy 0. */
SCENARIO(E03_lift_up, RATE_60 | ALL_SHAPES) { ride_lift(s, 5); }

/* E04 lift down 5 u/s: same. */
SCENARIO(E04_lift_down, RATE_60 | ALL_SHAPES) { ride_lift(s, -5); }

static void fall_with_lift(scene *s, double speed)
{
    kin_id m, b;
    int    i;
    open_earth(s);
    m = add_lift(s);
    b = add_rider(s, KIN_RIDE_STICK, KIN_LEAVE_ADD);
    set_v(s, m, 0, speed);
    for (i = 0; i < 128; i++) {
        if (i == 64) set_v(s, m, 0, 0);
        scene_step(s);
        EXPECT_REST(face_gap(s, b, m));
        EXPECT(grounded(s, b));
    }
    EXPECT_IN(s->event_count, 0, 0);
}

static void fall_behind_lift(scene *s, double speed)
{
    kin_id m, b;
    double from;
    open_earth(s);
    m = add_lift(s);
    b = add_rider(s, KIN_RIDE_PHYSICAL, KIN_LEAVE_ADD);
    from = y_of(s, b);
    set_v(s, m, 0, speed);
    run(s, 64);
    EXPECT(!grounded(s, b));
    EXPECT_NEAR(from - y_of(s, b), 3.81, 0.005);
    EXPECT_IN(count_events(s, KIN_EVENT_LANDED, b, nobody()), 0, 0);
    set_v(s, m, 0, 0);
    run(s, 600);
    EXPECT(grounded(s, b));
    EXPECT_REST(face_gap(s, b, m));
    EXPECT_IN(count_events(s, KIN_EVENT_LEFT, b, m), 1, 1);
    EXPECT_IN(count_events(s, KIN_EVENT_LANDED, b, m), 1, 1);
}

/* E05 lift down faster than gravity: -40 and -400 u/s from rest. ride = stick (default): grounded each step, REST.
   ride = physical: leaves once, free fall 3.81 in 0.5 s, lands once when M stops, N2 throughout. */
SCENARIO(E05_lift_down_faster_than_gravity, ALL_SHAPES)
{
    fall_with_lift(s, -40);
    fall_with_lift(s, -400);
    fall_behind_lift(s, -40);
    fall_behind_lift(s, -400);
}

/* E06 lift +20 u/s stops dead: stick: no launch, REST, grounded. physical: launched, apex gain in [6.4, 6.7]. */
SCENARIO(E06_lift_stops_dead, ALL_SHAPES)
{
    kin_id m, b;
    double apex = 0;
    int    i;
    open_earth(s);
    m = add_lift(s);
    b = add_rider(s, KIN_RIDE_STICK, KIN_LEAVE_ADD);
    set_v(s, m, 0, 20);
    for (i = 0; i < 128; i++) {
        if (i == 64) set_v(s, m, 0, 0);
        scene_step(s);
        EXPECT_REST(face_gap(s, b, m));
        EXPECT(grounded(s, b));
    }

    open_earth(s);
    m = add_lift(s);
    b = add_rider(s, KIN_RIDE_PHYSICAL, KIN_LEAVE_ADD);
    set_v(s, m, 0, 20);
    for (i = 0; i < 64; i++) {
        scene_step(s);
        EXPECT_REST(face_gap(s, b, m));
        EXPECT(grounded(s, b));
    }
    set_v(s, m, 0, 0);
    for (i = 0; i < 256; i++) {
        scene_step(s);
        apex = fmax(apex, face_gap(s, b, m));
    }
    EXPECT_IN(apex, 6.4, 6.7);
    EXPECT_REST(face_gap(s, b, m));
    EXPECT_IN(count_events(s, KIN_EVENT_LEFT, b, m), 1, 1);
    EXPECT_IN(count_events(s, KIN_EVENT_LANDED, b, m), 1, 1);
}

/* E07 reversing lift: M.y = 3 sin(2 pi t / 3): grounded each step, REST. */
SCENARIO(E07_reversing_lift, RATE_60 | ALL_SHAPES)
{
    int by_velocity, i;
    for (by_velocity = 0; by_velocity < 2; by_velocity++) {
        kin_id m, b;
        open_earth(s);
        m = add_lift(s);
        b = add_rider(s, KIN_RIDE_STICK, KIN_LEAVE_ADD);
        for (i = 1; i <= steps_in(s, 12); i++) {
            drive(s, m, by_velocity != 0, 0, -0.25 + wave(3, 3, i * (double)s->dt));
            scene_step(s);
            EXPECT_REST(face_gap(s, b, m));
            EXPECT(grounded(s, b));
            EXPECT_IN(vy_of(s, b), 0, 0);
            EXPECT_IN(x_of(s, b), 0, 0);
        }
        EXPECT_IN(s->event_count, 0, 0);
    }
}

/* Jumps at 12 off M that moves like this; how far B is to the side after 64 steps in the air. */
static double jump_sideways(scene *s, kin_leave leave, double own_vx)
{
    kin_id m, b;
    double from;
    int    i;
    open_earth(s);
    m = add_lift(s);
    b = add_rider(s, KIN_RIDE_STICK, leave);
    set_v(s, m, 6, 0);
    run(s, 32);
    clear_events(s);
    from = x_of(s, b);
    set_v(s, b, own_vx, 12);
    for (i = 0; i < 64; i++) {
        scene_step(s);
        if (grounded(s, b)) scene_fail(s, "grounded in the air");
    }
    if (count_events(s, KIN_EVENT_LEFT, b, m) != 1) scene_fail(s, "did not leave once");
    return x_of(s, b) - from;
}

/* E08 jump off a sideways platform: M at +6 u/s, jump 12. Air for 64 steps: ADD: dx = 3.000 +-0.001 (no double count in
   the jump step, none lost); NONE: dx = 0 +-0.05. */
SCENARIO(E08_jump_off_a_sideways_platform, ALL_SHAPES)
{
    EXPECT_NEAR(jump_sideways(s, KIN_LEAVE_ADD, 0), 3, 0.001);
    EXPECT_NEAR(jump_sideways(s, KIN_LEAVE_NONE, 0), 0, 0.05);
    EXPECT_NEAR(jump_sideways(s, KIN_LEAVE_ADD, 2), 4, 0.001);
}

static double jump_off_lift(scene *s, double speed, kin_leave leave)
{
    kin_id m, b;
    double from, apex = 0;
    int    i;
    open_earth(s);
    m = add_lift(s);
    b = add_rider(s, KIN_RIDE_STICK, leave);
    set_v(s, m, 0, speed);
    run(s, 32);
    from = bottom_of(s, b);
    set_vy(s, b, 12);
    for (i = 0; i < 64; i++) {
        scene_step(s);
        if (i == 0 && grounded(s, b)) scene_fail(s, "grounded after the jump step");
        if (!grounded(s, b)) apex = fmax(apex, bottom_of(s, b) - from);
    }
    return apex;
}

/* E09 jump off a lift: M.vy = +4: ADD apex gain 4.20, NONE 2.35. M.vy = -4: ADD 1.04, UP-ONLY 2.35, NONE 2.35. All
   +-0.05. */
SCENARIO(E09_jump_off_a_lift, ALL_SHAPES)
{
    EXPECT_NEAR(jump_off_lift(s, 4, KIN_LEAVE_ADD), 4.20, 0.05);
    EXPECT_NEAR(jump_off_lift(s, 4, KIN_LEAVE_UP_ONLY), 4.20, 0.05);
    EXPECT_NEAR(jump_off_lift(s, 4, KIN_LEAVE_NONE), 2.35, 0.05);
    EXPECT_NEAR(jump_off_lift(s, -4, KIN_LEAVE_ADD), 1.04, 0.05);
    EXPECT_NEAR(jump_off_lift(s, -4, KIN_LEAVE_UP_ONLY), 2.35, 0.05);
    EXPECT_NEAR(jump_off_lift(s, -4, KIN_LEAVE_NONE), 2.35, 0.05);
}

/* A jump off a plank that turns: in its first step too B moves by its own velocity and what the plank leaves it, up to
   the touch margin. An unturned box stands on one edge of its foot only. */
SCENARIO(E09_jump_off_a_turning_plank, RATE_60 | ALL_SHAPES)
{
    static const double turns[] = { 1, 2, -1, -2 };
    int k, i;
    for (k = 0; k < 4; k++) {
        kin_id m, b;
        double dt = (double)s->dt, v, x;
        open_earth(s);
        m = add_mover(s, 0, -0.25, 10, 0.5, 0, 0);
        b = add_body(s, 3, 0.502);
        settle(s);
        set_spin(s, m, turns[k]);
        run(s, steps_in(s, 0.15));
        EXPECT(grounded(s, b));
        x = x_of(s, b);
        set_v(s, b, 0, 12);
        for (i = 0; i < 8; i++) {
            scene_step(s);
            EXPECT(!grounded(s, b));
            v = vy_of(s, b) + (double)kin_get_leftover(s->world, b).y;
            EXPECT_NEAR(motion_y(s, b) * dt, v * dt, i == 0 ? 0.01 : 1e-4);
        }
        EXPECT_NEAR(kin_get_leftover(s->world, b).y, turns[k] * x, 0.55 * fabs(turns[k]));   /* where it stood */
    }
}

static void walk_off_the_end(scene *s, kin_leave leave, double air_speed)
{
    kin_id m, b;
    int    i, air = 0;
    open_earth(s);
    m = add_lift(s);
    b = add_rider(s, KIN_RIDE_STICK, leave);
    set_v(s, m, 6, 0);
    for (i = 0; i < 256; i++) {
        set_vx(s, b, -3);
        scene_step(s);
        EXPECT_IN(vx_of(s, b), -3, -3);
        EXPECT(i >= (s->form == FORM_BOX ? 105 : 84) || grounded(s, b));
        if (grounded(s, b)) continue;
        if (air++ > 0 || (leave == KIN_LEAVE_ADD && s->form == FORM_BOX)) EXPECT_NEAR(motion_x(s, b), air_speed, 0.01);
        EXPECT(x_of(s, b) - x_of(s, m) < -2);
    }
    EXPECT(air > 64);
    EXPECT_IN(count_events(s, KIN_EVENT_LEFT, b, m), 1, 1);
}

/* E10 walk off a platform's end: M at +6, B walks -3 relative off the left end: world vx in the air 3 (ADD) or -3
   (NONE) +-0.01. */
SCENARIO(E10_walk_off_a_platforms_end, ALL_SHAPES)
{
    walk_off_the_end(s, KIN_LEAVE_ADD, 3);
    walk_off_the_end(s, KIN_LEAVE_NONE, -3);
}

/* B's place as M sees it. */
static dv place_on(const scene *s, kin_id b, kin_id m)
{
    dm turned = dm_of(pose_now(s, m).q);
    dv local = dm_turn_back(&turned, dv_sub(dv_of(pose_now(s, b).p), dv_of(pose_now(s, m).p)));
    local.x *= (double)s->mirror;
    return local;
}

/* E11 tilting platform: M 8 x 0.5 pivoting at its centre, angle 20 deg sin(2 pi t / 4). Circle r = 0.5 at local x = 2,
   100 cycles: local position within 0.005 of the start at every step, grounded. With B (unrotating box): local x within
   0.02 at every full cycle. */
SCENARIO(E11_tilting_platform, ALL_SHAPES)
{
    kin_id m, b;
    dv     from;
    int    i, n = steps_in(s, 4) * (TEST_SHARE > 1 ? 5 : 100);
    open_earth(s);
    m = add_mover(s, 0, -0.25, 8, 0.5, 0, 0);
    b = add_body(s, 2, 0.5);
    settle(s);
    clear_events(s);
    from = place_on(s, b, m);
    for (i = 1; i <= n; i++) {
        move_to(s, m, 0, -0.25, DEGREES(wave(20, 4, i * (double)s->dt)));
        scene_step(s);
        EXPECT(grounded(s, b));
        if (s->form == FORM_BALL) EXPECT_IN(dv_len(dv_sub(place_on(s, b, m), from)), 0, 0.005);
        if (i % steps_in(s, 4) == 0) EXPECT_NEAR(place_on(s, b, m).x, from.x, 0.02);
    }
    EXPECT_IN(s->event_count, 0, 0);
}

/* E12 wheel: circle mover r = 5 turning 0.5 rad/s, circle body r = 0.5 on top: carried with the rim; loses ground when
   the normal passes 45 deg, t in [1.53, 1.63] s. */
SCENARIO(E12_wheel, 0)
{
    kin_mover_desc wheel;
    kin_body_desc  d;
    kin_id         m, b;
    int            i;
    open_earth(s);
    wheel = mover_desc(s, 0, 0, 1, 1);
    wheel.shape = kin_ball(5);
    m = put_mover(s, &wheel);
    d = body_desc(s, 0, 5.501);
    d.shape = kin_ball(0.5f);
    b = put_body(s, &d);
    settle(s);
    EXPECT(grounded(s, b));
    set_spin(s, m, -0.5);
    for (i = 1; i < 256; i++) {
        scene_step(s);
        if (!grounded(s, b)) break;
        EXPECT_NEAR(atan2(x_of(s, b), y_of(s, b)), 0.5 * i / 128, 0.001);
        EXPECT_REST(gap_between(s, b, m));
    }
    EXPECT_IN(i / 128.0, 1.53, 1.63);
    run(s, 32);
    EXPECT(!grounded(s, b));
}

/* A conveyor of 4 u/s that itself moves at (0, lift). */
static void ride_conveyor(scene *s, bool is_static, double lift)
{
    kin_static_desc floor = static_desc(s, -100, -1, 100, 0);
    kin_mover_desc  mover = mover_desc(s, 0, -0.5, 200, 1);
    kin_pose        put;
    kin_id          f, b;
    double          from;
    int             i;
    floor.surface_velocity = mover.surface_velocity = v2(s, 4, 0);
    mover.velocity = v2(s, 0, lift);
    open_earth(s);
    f = is_static ? put_static(s, &floor) : put_mover(s, &mover);
    put = pose_now(s, f);
    b = add_body(s, 0, 0.5);
    settle(s);
    for (i = 0; i < 128; i++) {
        scene_step(s);
        EXPECT(grounded(s, b));
        EXPECT_NEAR(motion_x(s, b), 4, 0.001);
        EXPECT_NEAR(motion_y(s, b), lift, 0.001);
        EXPECT_NEAR(kin_get_ground(s->world, b).velocity.x * s->mirror, 4, 1e-4);
        EXPECT_NEAR(vx_of(s, b), 0, 0);
        EXPECT_REST(bottom_of(s, b) - top_of(s, f));
    }
    set_vx(s, b, -4);
    from = x_of(s, b);
    for (i = 0; i < 256; i++) {
        set_vx(s, b, -4);
        scene_step(s);
        EXPECT_NEAR(x_of(s, b), from, 0.001);
        EXPECT(grounded(s, b));
    }
    if (!(lift > 0)) EXPECT(same_pose(put, pose_now(s, f)));
}

/* E17 conveyor: static with surface velocity (4, 0): B moves 4 u/s, the static does not; walking -4 holds position
   within 0.001. A mover can be one too. */
SCENARIO(E17_conveyor, ALL_SHAPES)
{
    ride_conveyor(s, true, 0);
    ride_conveyor(s, false, 0);
    ride_conveyor(s, false, 3);
}

/* E18 teleported platform: M set to a pose 10 away by the teleport call: rider stays, not grounded next step. Same
   displacement by the move call in one step: carried exactly 10.000. */
SCENARIO(E18_teleported_platform, ALL_SHAPES)
{
    kin_id m, b;
    double from;
    open_earth(s);
    m = add_lift(s);
    b = add_rider(s, KIN_RIDE_STICK, KIN_LEAVE_ADD);
    teleport(s, m, 10, -0.25);
    EXPECT_IN(x_of(s, b), 0, 0);
    run(s, 1);
    EXPECT(!grounded(s, b));
    EXPECT_IN(x_of(s, b), 0, 0);
    EXPECT_IN(vy_of(s, b), -0.235, 0);
    run(s, 64);
    EXPECT_IN(x_of(s, b), 0, 0);
    EXPECT_NEAR(vy_of(s, b), -15, 0.25);

    open_earth(s);
    m = add_lift(s);
    b = add_rider(s, KIN_RIDE_STICK, KIN_LEAVE_ADD);
    move_to(s, m, 10, -0.25, 0);
    run(s, 1);
    EXPECT_NEAR(x_of(s, b), 10, 1e-5);
    EXPECT(grounded(s, b));
    from = y_of(s, b);
    move_to(s, m, 10, 9.75, 0);
    run(s, 1);
    EXPECT_NEAR(x_of(s, b), 10, 1e-5);
    EXPECT_NEAR(y_of(s, b) - from, 10, 1e-5);
    EXPECT(grounded(s, b));
    move_to(s, m, 0, -0.25, 0);
    run(s, 1);
    EXPECT_NEAR(x_of(s, b), 0, 1e-5);
    EXPECT_NEAR(y_of(s, b), from, 1e-5);
    EXPECT(grounded(s, b));
    run(s, 64);
    EXPECT_IN(s->event_count, 0, 0);
}

static void bulldoze(scene *s, kin_push push)
{
    kin_body_desc d;
    kin_id        m, b;
    kin_pose      pose;
    int           i;
    open_earth(s);
    add_floor(s);
    m = add_mover(s, -0.5, 1.5, 1, 3, 0, 0);
    d = body_desc(s, half_width(s) + 0.001, 0.5);
    d.push = push;
    b = put_body(s, &d);
    settle(s);
    set_v(s, m, 2, 0);
    for (i = 0; i < 640; i++) {
        scene_step(s);
        EXPECT_REST(left_of(s, b) - right_of(s, m));
        EXPECT(grounded(s, b));
        EXPECT_REST(bottom_of(s, b));
    }
    set_v(s, m, 0, 0);
    run(s, 2);
    pose = pose_now(s, b);
    EXPECT_NEAR(vx_of(s, b), 0, 1e-4);
    run(s, 64);
    EXPECT(same_pose(pose, pose_now(s, b)));
}

/* E21 bulldozer: M as a wall at 2 u/s pushes resting B along F for 5 s: face gap REST each step, grounded. */
SCENARIO(E21_bulldozer, ALL_SHAPES)
{
    bulldoze(s, KIN_UNPUSHABLE);
    bulldoze(s, KIN_PUSHABLE);
}

/* A wall at 5 u/s runs into a body and stops after 40 steps: the body has its speed, not twice, and afloat nothing of it
   is left when nobody pushes any more. */
static void run_into(scene *s, bool afloat)
{
    kin_id wall, b;
    int    i;
    scene_close(s);
    if (afloat) open_floating(s);
    else open_earth(s);
    wall = add_mover(s, -1.1, 0, 1, 40, 5, 0);
    b = add_body(s, 0, 0);
    for (i = 1; i <= 60; i++) {
        if (i == 41) set_v(s, wall, 0, 0);
        scene_step(s);
        if (i >= 8 && i <= 40) EXPECT_REST(gap_between(s, wall, b));
        if (i >= 8 && i <= 40) EXPECT_IN(vx_of(s, b), 5 - 1e-4, 5 + 1e-4);
    }
    if (afloat) EXPECT_REST(gap_between(s, wall, b));
    else EXPECT_REST(gap_between(s, wall, b) - 20 * 5.0 / 128);
}

SCENARIO(E21_run_into_afloat, ALL_SHAPES) { run_into(s, true); }
SCENARIO(E21_run_into_in_the_air, ALL_SHAPES) { run_into(s, false); }

/* E26 uneven step sizes: dt alternating 1/60, 1/120: E01 still zero drift. */
SCENARIO(E26_uneven_step_sizes, ALL_SHAPES)
{
    ride_sideways(s, false, true);
    ride_sideways(s, true, true);
}

/* E28 non-rideable flag: rider stays in world place while M slides away; falls when it is gone. */
SCENARIO(E28_non_rideable_flag, 0)
{
    kin_mover_desc d;
    kin_id         m, b;
    int            i;
    open_earth(s);
    d = mover_desc(s, 0, -0.25, 4, 0.5);
    d.carry = KIN_CARRY_NONE;
    m = put_mover(s, &d);
    b = add_rider(s, KIN_RIDE_STICK, KIN_LEAVE_NONE);
    set_v(s, m, 2, 0);
    for (i = 1; i <= 192; i++) {
        scene_step(s);
        EXPECT_IN(x_of(s, b), 0, 0);
        EXPECT(i > 158 || grounded(s, b));    /* its left end passes x = 0.5 after 160 steps */
        EXPECT(i < 162 || !grounded(s, b));
    }
    EXPECT(bottom_of(s, b) < -0.5);
}

/* A capsule on top of a turning wheel rides down its side: always lower, grounded until the side is too steep. In the gap
   between the wheel and a floor's end it then stays where it is, to the bit. */
SCENARIO(wheel_turns_its_rider_down, 0)
{
    kin_body_desc  d;
    kin_mover_desc wheel;
    kin_id         b;
    kin_vec        p;
    double         last;
    int            i;
    open_earth(s);
    wheel = mover_desc(s, 14.5, 7.4, 1, 1);
    wheel.shape = kin_ball(2.5f);
    wheel.spin = spin(s, 0.6);
    put_mover(s, &wheel);
    add_static_box(s, 0, 8, 12, 10);
    d = body_desc(s, 14.5, 10.81);
    d.shape = kin_capsule(1.8f, 0.4f);
    b = put_body(s, &d);
    run(s, 8);
    last = y_of(s, b);
    for (i = 0; i < 300 && slope_of(s, normal_of(s, b)) < 44; i++) {
        scene_step(s);
        EXPECT(grounded(s, b));
        EXPECT(y_of(s, b) < last + 1e-4);
        last = y_of(s, b);
    }
    EXPECT(i > 100 && i < 300);
    run(s, 64);
    p = kin_get_position(s->world, b);
    for (i = 0; i < 64; i++) {
        scene_step(s);
        EXPECT(same_vec(kin_get_position(s->world, b), p));
        EXPECT(grounded(s, b));
    }
    EXPECT_IN(count_events(s, KIN_EVENT_CRUSHED, b, nobody()) + count_events(s, KIN_EVENT_EMBEDDED, b, nobody()), 0, 0);
}

/* A plank that turns so fast that stage 5 takes it in several intervals throws a body no further than its own end goes. */
SCENARIO(E06_plank_that_whirls, 0)
{
    static const double spins[] = { 60, 90, 120, 200 };
    int k, j, i;
    for (k = 0; k < 4; k++)
        for (j = 0; j < 2; j++) {
            kin_id         body;
            kin_vec        before;
            kin_mover_desc d;
            open_earth(s);
            d = mover_desc(s, 0, -0.5, 4, 1);
            d.carry = j ? KIN_CARRY_ACROSS_GRAVITY : KIN_CARRY_FULL;
            d.spin = spin(s, spins[k]);
            body = add_body(s, 1.5, 0.8);
            put_mover(s, &d);
            for (i = 0; i < 40; i++) {
                before = kin_get_position(s->world, body);
                scene_step(s);
                EXPECT_IN(dv_len(dv_sub(dv_of(kin_get_position(s->world, body)), dv_of(before))), 0, 5);
            }
        }
}

SUITE(lifts)
{
    RUN_TEST(E01_horizontal_sine);
    RUN_TEST(E03_lift_up);
    RUN_TEST(E04_lift_down);
    RUN_TEST(E05_lift_down_faster_than_gravity);
    RUN_TEST(E06_lift_stops_dead);
    RUN_TEST(E07_reversing_lift);
    RUN_TEST(E08_jump_off_a_sideways_platform);
    RUN_TEST(E09_jump_off_a_lift);
    RUN_TEST(E09_jump_off_a_turning_plank);
    RUN_TEST(E10_walk_off_a_platforms_end);
    RUN_TEST(E11_tilting_platform);
    RUN_TEST(E12_wheel);
    RUN_TEST(E17_conveyor);
    RUN_TEST(E18_teleported_platform);
    RUN_TEST(E21_bulldozer);
    RUN_TEST(E21_run_into_afloat);
    RUN_TEST(E21_run_into_in_the_air);
    RUN_TEST(E26_uneven_step_sizes);
    RUN_TEST(E28_non_rideable_flag);
    RUN_TEST(wheel_turns_its_rider_down);
    RUN_TEST(E06_plank_that_whirls);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv)
{
    GREATEST_MAIN_BEGIN();
    RUN_SUITE(lifts);
    GREATEST_MAIN_END();
}
