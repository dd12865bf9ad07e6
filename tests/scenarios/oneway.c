/* SPDX-License-Identifier: MIT OR Unlicense

   oneway.c: section D of the catalogue: one-way surfaces. Where it makes no difference to the numbers, each scenario runs
   with W as a static, as a mover that stands still, as a row of one-way tiles, and as a static and as tiles that are part
   of a mover far below. */
#include "level.h"

enum { AS_STATIC, AS_MOVER, AS_TILES, AS_PART, AS_CHUNK, KINDS };

/* W: x in [-2, 2], y in [1.75, 2], solid only from above; as tiles half a unit high. */
static kin_id add_platform(scene *s, int kind)
{
    if (kind == AS_STATIC || kind == AS_PART) {
        kin_static_desc d = static_desc(s, -2, 1.75, 2, 2);
        d.one_way = v2(s, 0, 1);
        if (kind == AS_PART) {
            d.attach = add_mover(s, 3, -20, 1, 1, 0, 0);
            d.position = v2(s, -3, 21.875);
        }
        return put_static(s, &d);
    }
    if (kind == AS_MOVER) {
        kin_mover_desc d = mover_desc(s, 0, 1.875, 4, 0.25);
        d.one_way = v2(s, 0, 1);
        return put_mover(s, &d);
    } else {
        static const char *const row = "----------------";
        map    m;
        kin_id mover = kind == AS_CHUNK ? add_mover(s, 3, -20, 1, 1, 0, 0) : nobody();
        add_map_to(s, &m, kind == AS_CHUNK ? -5 : -2, kind == AS_CHUNK ? 21.75 : 1.75, 0.25, &row, 1, mover);
        return m.id;
    }
}

/* W as a mover with a velocity. */
static kin_id add_lift(scene *s, double x, double top, double vx, double vy)
{
    kin_mover_desc d = mover_desc(s, x, top - 0.125, 4, 0.25);
    d.one_way = v2(s, 0, 1);
    d.velocity = v2(s, vx, vy);
    return put_mover(s, &d);
}

/* D01 up through, land: B at (0, 0.5), velocity.y = 14. No velocity change on the way up, no ceiling event; lands with
   bottom in [2, 2.005] at step 97 (1/128) or 45 (1/60) +-2; one land event on W. */
SCENARIO(D01_up_through_and_land, RATE_60 | ALL_SHAPES)
{
    int kind, i;
    for (kind = 0; kind < KINDS; kind++) {
        kin_id b, w;
        int    begin, landed = 0;
        double v = 14;
        open_earth(s);
        add_floor(s);
        w = add_platform(s, kind);
        b = add_body(s, 0, 0.5);
        settle(s);
        begin = s->steps;
        clear_events(s);
        set_vy(s, b, 14);
        for (i = 0; i < steps_in(s, 2); i++) {
            v -= 30 * (double)s->dt;
            scene_step(s);
            if (!landed && grounded(s, b)) landed = s->steps - begin;
            if (!landed) EXPECT_NEAR(vy_of(s, b), v, 1e-3);
            EXPECT(!kin_on_ceiling(s->world, b));
        }
        EXPECT_NEAR(landed, at_rate(s, 97, 45), 2);
        EXPECT_IN(bottom_of(s, b), 2, 2.005);
        EXPECT_IN(count_events(s, KIN_EVENT_LANDED, b, w), 1, 1);
        EXPECT_IN(count_events(s, KIN_EVENT_LANDED, b, nobody()), 1, 1);
        EXPECT_IN(count_events(s, KIN_EVENT_BEGAN, b, w), 1, 1);
    }
}

/* D02 apex too low: velocity.y = 10 (bottom peaks at 1.63). Falls back to F at step 85 +-1, never snapped on top, no
   contact with W. */
SCENARIO(D02_apex_too_low, ALL_SHAPES)
{
    int kind, i;
    for (kind = 0; kind < KINDS; kind++) {
        kin_id b, w;
        int    begin, landed = 0;
        open_earth(s);
        add_floor(s);
        w = add_platform(s, kind);
        b = add_body(s, 0, 0.5);
        settle(s);
        begin = s->steps;
        set_vy(s, b, 10);
        for (i = 0; i < 128; i++) {
            scene_step(s);
            if (!landed && grounded(s, b)) landed = s->steps - begin;
            EXPECT(bottom_of(s, b) < 1.7);
        }
        EXPECT_NEAR(landed, 85, 1);
        EXPECT_IN(count_events(s, KIN_EVENT_BEGAN, b, w), 0, 0);
        EXPECT_REST(bottom_of(s, b));
    }
}

/* D03 sideways: g = 0, B at (-4, 1.9), velocity (5, 0). x = 4 after 1.6 s, no contact. */
SCENARIO(D03_sideways, RATE_60 | ALL_SHAPES)
{
    int kind, i, n = steps_in(s, 1.6);
    for (kind = 0; kind < KINDS; kind++) {
        kin_id b, w;
        open_floating(s);
        w = add_platform(s, kind);
        b = add_body(s, -4, 1.9);
        for (i = 0; i < n; i++) {
            set_v(s, b, 5, 0);
            scene_step(s);
        }
        EXPECT_NEAR(x_of(s, b), -4 + 5.0 * n * (double)s->dt, 1e-3);
        EXPECT_IN(y_of(s, b), (double)1.9f, (double)1.9f);
        EXPECT_IN(count_events(s, KIN_EVENT_BEGAN, b, w), 0, 0);
    }
}

/* D04 fast from above: B 50 above, vy = -5, -30, -100, -1000. Always lands, bottom in [2, 2.005]. */
SCENARIO(D04_fast_from_above, RATE_60 | ALL_SHAPES)
{
    static const double speeds[] = { -5, -30, -100, -1000, -1e5 };
    int kind, k;
    for (kind = 0; kind < KINDS; kind++) {
        for (k = 0; k < 5; k++) {
            kin_id b, w;
            open_earth(s);
            add_floor(s);
            w = add_platform(s, kind);
            b = add_body(s, 0.3, 52.5);
            set_vy(s, b, speeds[k]);
            EXPECT(run_until_grounded(s, b, steps_in(s, 5)) > 0);
            EXPECT_IN(bottom_of(s, b), 2, 2.005);
            EXPECT(kin_same(kin_get_ground(s->world, b).id, w));
            run(s, 20);
            EXPECT_IN(bottom_of(s, b), 2, 2.005);
            EXPECT(grounded(s, b));
        }
    }
}

/* D05 drop-through: B on W, call drop. Falls at once, lands on F; never pulled back; a second body 1.5 to the side stays
   on W; afterwards W is solid again for the first body from above. */
SCENARIO(D05_drop_through, RATE_60 | ALL_SHAPES)
{
    int kind, i;
    for (kind = 0; kind < KINDS; kind++) {
        kin_id b, other, w;
        double y;
        open_earth(s);
        add_floor(s);
        w = add_platform(s, kind);
        b = add_body(s, -0.75, 2.502);
        other = add_body(s, 0.75, 2.502);
        settle(s);
        EXPECT(grounded(s, b) && grounded(s, other));
        EXPECT(kin_drop_through(s->world, b));
        scene_stir(s);
        y = y_of(s, b);
        scene_step(s);
        EXPECT(!grounded(s, b));
        EXPECT_NEAR(y_of(s, b), y - 30 * (double)(s->dt * s->dt), 1e-4);
        for (i = 0; i < steps_in(s, 1) && !grounded(s, b); i++) {
            y = y_of(s, b);
            scene_step(s);
            EXPECT(y_of(s, b) < y);
        }
        EXPECT_REST(bottom_of(s, b));
        EXPECT(grounded(s, other));
        EXPECT_IN(bottom_of(s, other), 2, 2.005);
        EXPECT(!kin_drop_through(s->world, b));        /* F is solid */
        settle(s);
        set_vy(s, b, 14);
        run(s, steps_in(s, 2));
        EXPECT(kin_same(kin_get_ground(s->world, b).id, w));
        EXPECT_IN(bottom_of(s, b), 2, 2.005);
    }
}

/* A part of a row of platforms: x in [x, x + 2], a quarter of a unit thick, solid only from above. */
static kin_id add_in_row(scene *s, int kind, double x, double top, kin_id mover)
{
    kin_static_desc d = static_desc(s, x, top - 0.25, x + 2, top);
    d.one_way = v2(s, 0, 1);
    if (kind == AS_MOVER) {
        kin_mover_desc m = mover_desc(s, x + 1, top - 0.125, 2, 0.25);
        m.one_way = d.one_way;
        return put_mover(s, &m);
    }
    if (kind == AS_PART) {
        d.attach = mover;
        d.position = v2(s, x + 1 - 3, top - 0.125 + 20);
    }
    return put_static(s, &d);
}

static void add_pair_in_row(scene *s, int kind, double top, kin_id mover)
{
    add_in_row(s, kind, -2, top, mover);
    add_in_row(s, kind, 0, top, mover);
}

/* D05 over a joint: B stands on two platforms side by side. One call is enough, it passes both; the row below catches it
   and is passed in its turn. Of two bodies the other stays. It may also crouch in the moment that it drops. */
SCENARIO(D05_drop_through_a_joint, RATE_60 | ALL_SHAPES)
{
    static const double places[] = { 0, 0.1, -0.4 };
    static const int    kinds[] = { AS_STATIC, AS_MOVER, AS_PART };
    int kind, k, row, crouch, i;
    for (kind = 0; kind < 3; kind++) for (k = 0; k < 3; k++) for (crouch = 0; crouch < 2; crouch++) {
        kin_id    b, other, mover;
        kin_shape low = body_box(1, 0.5);
        double    y;
        open_earth(s);
        add_floor(s);
        mover = add_mover(s, 3, -20, 1, 1, 0, 0);
        add_pair_in_row(s, kinds[kind], 4, mover);
        add_pair_in_row(s, kinds[kind], 2, mover);
        b = add_body(s, places[k], 4.502);
        other = add_body(s, 1.2, 4.502);
        settle(s);
        for (row = 1; row >= 0; row--) {
            EXPECT(grounded(s, b));
            EXPECT(kin_drop_through(s->world, b));
            scene_stir(s);
            if (crouch && row == 1) EXPECT(set_shape(s, b, &low));
            y = y_of(s, b);
            scene_step(s);
            EXPECT(!grounded(s, b));
            EXPECT_NEAR(y_of(s, b), y - 30 * (double)(s->dt * s->dt), 1e-4);
            for (i = 0; i < steps_in(s, 1) && !grounded(s, b); i++) scene_step(s);
            EXPECT_REST(bottom_of(s, b) - 2 * row);
            settle(s);
            EXPECT_REST(bottom_of(s, b) - 2 * row);
        }
        EXPECT_IN(bottom_of(s, other), 4, 4.005);
        EXPECT(!kin_drop_through(s->world, b));        /* F is solid */
        if (crouch) continue;
        set_vy(s, b, 13);
        run(s, steps_in(s, 2));
        EXPECT_IN(bottom_of(s, b), 2, 2.005);          /* solid again from above */
    }
}

/* D05 over a joint of two that rise side by side: it is left behind by both. */
SCENARIO(D05_drop_through_a_moving_joint, RATE_60 | ALL_SHAPES)
{
    kin_id b, left, right;
    int    i;
    open_earth(s);
    add_floor(s);
    left = add_in_row(s, AS_MOVER, -2, 2, nobody());
    right = add_in_row(s, AS_MOVER, 0, 2, nobody());
    set_v(s, left, 1, 3);
    set_v(s, right, 1, 3);
    b = add_body(s, 0.1, 2.502);
    settle(s);
    EXPECT(grounded(s, b));
    EXPECT(kin_drop_through(s->world, b));
    scene_stir(s);
    for (i = 0; i < steps_in(s, 2) && (i == 0 || !grounded(s, b)); i++) scene_step(s);
    EXPECT(grounded(s, b));
    EXPECT_REST(bottom_of(s, b));
}

/* D05 and what is only near: a one-way wall that B leans on holds it while it falls, and a lift that catches it while it is
   still in the platform it fell through takes it up through where the fall began. */
SCENARIO(D05_drop_beside_a_wall_onto_a_lift, RATE_60 | ALL_SHAPES)
{
    kin_static_desc d;
    kin_id          b, lift;
    int             i;
    open_earth(s);
    add_floor(s);
    add_pair_in_row(s, AS_STATIC, 3, nobody());
    d = static_desc(s, 0.7, 0, 1.7, 6);
    d.one_way = v2(s, -1, 0);
    put_static(s, &d);
    b = add_body(s, 0, 3.502);
    for (i = 0; i < steps_in(s, 1); i++) {
        set_vx(s, b, 2);
        scene_step(s);
    }
    EXPECT_REST(0.7 - right_of(s, b));
    EXPECT(grounded(s, b));
    EXPECT(kin_drop_through(s->world, b));
    for (i = 0; i < steps_in(s, 1); i++) {
        set_vx(s, b, 2);
        scene_step(s);
        EXPECT_REST(0.7 - right_of(s, b));
    }
    EXPECT_REST(bottom_of(s, b));
    open_earth(s);
    add_floor(s);
    add_pair_in_row(s, AS_STATIC, 0.8, nobody());
    b = add_body(s, 0.1, 1.302);
    settle(s);
    EXPECT(kin_drop_through(s->world, b));
    scene_stir(s);
    run(s, steps_in(s, 0.5));
    EXPECT_REST(bottom_of(s, b));
    lift = add_lift(s, 0, -0.2, 0, 1);
    run(s, steps_in(s, 0.25));
    for (i = 0; i < steps_in(s, 1.25); i++) {
        scene_step(s);
        EXPECT(grounded(s, b));
        EXPECT_REST(bottom_of(s, b) - top_of(s, lift));
    }
    EXPECT(bottom_of(s, b) > 1.2);
}

/* D07 rising one-way lift: B on W moving up 3 u/s, 300 steps. Grounded each step, bottom = top REST. */
SCENARIO(D07_rising_lift, RATE_60 | ALL_SHAPES)
{
    kin_id b, w;
    int    i;
    open_earth(s);
    w = add_lift(s, 0, 2, 0, 3);
    b = add_body(s, 0, 2.502);
    for (i = 0; i < 300; i++) {
        scene_step(s);
        EXPECT(grounded(s, b));
        EXPECT_REST(bottom_of(s, b) - top_of(s, w));
    }
}

/* D08a one-way rising from under the feet: B resting on F, one-way mover top at -0.6 rising 2 u/s through F. At
   t = 1.0 s top = 1.4: bottom in [1.4, 1.405]. */
SCENARIO(D08a_rising_from_under_the_feet, RATE_60 | ALL_SHAPES)
{
    kin_id b, w;
    int    i, n = steps_in(s, 1);
    open_earth(s);
    add_floor(s);
    w = add_lift(s, 0, -0.6, 0, 2);
    b = add_body(s, 0.4, 0.502);
    for (i = 0; i < n; i++) {
        scene_step(s);
        EXPECT(grounded(s, b));
    }
    EXPECT_NEAR(top_of(s, w), 1.4, 1e-4);
    EXPECT_IN(bottom_of(s, b), top_of(s, w), top_of(s, w) + 0.005);
}

/* D08b one-way rising through the body: it starts above the feet and does not lift. */
SCENARIO(D08b_rising_through_the_body, RATE_60 | ALL_SHAPES)
{
    kin_id b, w;
    int    i;
    open_earth(s);
    add_floor(s);
    w = add_lift(s, 0, 0.2, 0, 2);
    b = add_body(s, 0.4, 0.502);
    for (i = 0; i < steps_in(s, 1); i++) {
        scene_step(s);
        EXPECT_REST(bottom_of(s, b));
        EXPECT(i < 2 || grounded(s, b));
    }
    EXPECT_IN(count_events(s, KIN_EVENT_LANDED, b, w), 0, 0);
    EXPECT_IN(count_events(s, KIN_EVENT_EMBEDDED, b, nobody()), 0, 0);
}

/* D09 descending one-way lift: -2, -20 u/s with rider: grounded each step (ride policy of E05). */
SCENARIO(D09_descending_lift, RATE_60 | ALL_SHAPES)
{
    static const double speeds[] = { -2, -20 };
    int k, i;
    for (k = 0; k < 2; k++) {
        kin_id b, w;
        open_earth(s);
        w = add_lift(s, 0, 2, 0, 0);
        b = add_body(s, 0, 2.502);
        settle(s);
        set_v(s, w, 0, speeds[k]);
        for (i = 0; i < steps_in(s, 2); i++) {
            scene_step(s);
            EXPECT(grounded(s, b));
            EXPECT_REST(bottom_of(s, b) - top_of(s, w));
        }
    }
}

/* D10 sideways one-way with rider: as E01 with W: zero drift. M.x = 3 sin(2 pi t / 4), 60 s. B.x - M.x within 1e-4 of its
   start, grounded, no events. */
SCENARIO(D10_sideways_lift, RATE_60 | ALL_SHAPES)
{
    kin_id b, w;
    double from;
    int    i, n = steps_in(s, 60.0 / TEST_SHARE);
    open_earth(s);
    w = add_lift(s, 0, 2, 0, 0);
    b = add_body(s, 0, 2.502);
    settle(s);
    clear_events(s);
    from = x_of(s, b) - x_of(s, w);
    for (i = 1; i <= n; i++) {
        move_to(s, w, 3 * sin(2 * SCENE_PI * i * (double)s->dt / 4), 1.875, 0);
        scene_step(s);
        EXPECT_NEAR(x_of(s, b) - x_of(s, w), from, 1e-4);
        EXPECT(grounded(s, b));
    }
    EXPECT_IN(s->event_count, 0, 0);
}

/* D12 second body lands on a rider's head: body 2 dropped on body 1 standing on moving W (2 u/s). Body 1 never falls
   through. */
SCENARIO(D12_second_body_on_a_riders_head, RATE_60)
{
    static const double velocities[][2] = { { 2, 0 }, { 0, 2 }, { 0, -2 }, { -1, 1 } };
    int k, i;
    for (k = 0; k < 4; k++) {
        kin_id b, other, w;
        open_earth(s);
        w = add_lift(s, 0, 2, 0, 0);
        b = add_body(s, 0, 2.502);
        settle(s);
        set_v(s, w, velocities[k][0], velocities[k][1]);
        other = add_body(s, 0.1, 6.5);
        for (i = 0; i < steps_in(s, 3); i++) {
            scene_step(s);
            EXPECT(grounded(s, b));
            EXPECT_REST(bottom_of(s, b) - top_of(s, w));
        }
        EXPECT(grounded(s, other));
        EXPECT_REST(bottom_of(s, other) - top_of(s, b));
    }
}

/* D15 round the clock: W rotated 0, 15, ... 345 deg, body approaching at (4, 0): blocked exactly when the approach is
   against the solid normal. */
SCENARIO(D15_round_the_clock, RATE_60 | ALL_SHAPES)
{
    int degrees, i, kind;
    for (degrees = 0; degrees < 360; degrees += 15) {
        for (kind = AS_STATIC; kind <= AS_MOVER; kind++) {
            bool   against = sin(DEGREES(degrees)) > 1e-6;       /* the normal is (-sin, cos) */
            kin_id b, w;
            open_floating(s);
            if (kind == AS_STATIC) {
                kin_static_desc d = static_desc(s, -2, -0.125, 2, 0.125);
                d.rotation = turn(s, DEGREES(degrees));
                d.one_way = v2(s, 0, 1);
                w = put_static(s, &d);
            } else {
                kin_mover_desc d = mover_desc(s, 0, 0, 4, 0.25);
                d.rotation = turn(s, DEGREES(degrees));
                d.one_way = v2(s, 0, 1);
                w = put_mover(s, &d);
            }
            b = add_body(s, -6, 0);
            for (i = 0; i < steps_in(s, 3); i++) {
                if (count_events(s, KIN_EVENT_BEGAN, b, w) == 0) set_v(s, b, 4, 0);
                scene_step(s);
            }
            if ((count_events(s, KIN_EVENT_BEGAN, b, w) > 0) != against) scene_fail(s, "at %d degrees", degrees);
            if (!against) EXPECT_NEAR(x_of(s, b), 6, 0.01);
        }
    }
}

/* D17 one-way slope: 30 deg one-way, walking up and down at 6 u/s: grounded each step. */
SCENARIO(D17_one_way_slope, RATE_60 | ALL_SHAPES)
{
    int outward, i;
    for (outward = 0; outward < 2; outward++) {
        double          c = cos(DEGREES(30)), k = sin(DEGREES(30)), x;
        kin_static_desc d;
        kin_body_desc   body;
        kin_id          b, w;
        open_earth(s);
        d = static_desc(s, 0, 0, 100, 0.25);
        d.position = v2(s, 50 * c + 0.125 * k, 50 * k - 0.125 * c);
        d.rotation = turn(s, DEGREES(30));
        d.one_way = outward ? v2(s, k, c) : v2(s, 0, 1);      /* up in the world; and the normal of the upper side */
        w = put_static(s, &d);
        body = body_on_slope(s, 30, 30 * k / c, 30);
        body.snap = 0.1f;
        b = put_body(s, &body);
        settle(s);
        EXPECT(grounded(s, b));
        x = x_of(s, b);
        for (i = 0; i < steps_in(s, 2); i++) {
            set_vx(s, b, i < steps_in(s, 1) ? 6 : -6);
            scene_step(s);
            EXPECT(grounded(s, b));
            EXPECT(kin_same(kin_get_ground(s->world, b).id, w));
        }
        EXPECT_NEAR(x_of(s, b), x, 0.05);
    }
}

/* The same with tiles of 45 deg, and up through them from below. */
SCENARIO(D17_one_way_slope_tiles, RATE_60 | ALL_SHAPES)
{
    static const char *const rows[] = { "..............", "..............", ".........d----", "........d.....", ".......d......", "......d.......", ".....d........", "##############" };
    map    m;
    kin_id b;
    double apex = 0;
    int    i;
    open_earth(s);
    add_map(s, &m, 0, -1, 1, rows, 8);
    b = add_body(s, 2, 0.502);
    settle(s);
    for (i = 0; i < steps_in(s, 4) && x_of(s, b) < 11; i++) {
        set_vx(s, b, 6);
        scene_step(s);
        if (x_of(s, b) < 4.4 || x_of(s, b) > 5.6) EXPECT(grounded(s, b));
    }
    EXPECT_REST(bottom_of(s, b) - 5);
    for (i = 0; i < steps_in(s, 4) && x_of(s, b) > 3; i++) {
        set_vx(s, b, -6);
        scene_step(s);
        EXPECT(grounded(s, b));
    }
    teleport(s, b, 8.5, 0.502);
    set_v(s, b, 0, 0);
    run(s, 20);
    set_v(s, b, 0, 18);
    for (i = 0; i < steps_in(s, 3); i++) {
        scene_step(s);
        EXPECT(!kin_on_ceiling(s->world, b));
        apex = fmax(apex, y_of(s, b));
    }
    EXPECT(apex > 5.4);
    EXPECT(grounded(s, b));
    EXPECT(bottom_of(s, b) > 3);
}

SUITE(oneway)
{
    RUN_TEST(D01_up_through_and_land);
    RUN_TEST(D02_apex_too_low);
    RUN_TEST(D03_sideways);
    RUN_TEST(D04_fast_from_above);
    RUN_TEST(D05_drop_through);
    RUN_TEST(D05_drop_through_a_joint);
    RUN_TEST(D05_drop_through_a_moving_joint);
    RUN_TEST(D05_drop_beside_a_wall_onto_a_lift);
    RUN_TEST(D07_rising_lift);
    RUN_TEST(D08a_rising_from_under_the_feet);
    RUN_TEST(D08b_rising_through_the_body);
    RUN_TEST(D09_descending_lift);
    RUN_TEST(D10_sideways_lift);
    RUN_TEST(D12_second_body_on_a_riders_head);
    RUN_TEST(D15_round_the_clock);
    RUN_TEST(D17_one_way_slope);
    RUN_TEST(D17_one_way_slope_tiles);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv)
{
    GREATEST_MAIN_BEGIN();
    RUN_SUITE(oneway);
    GREATEST_MAIN_END();
}
