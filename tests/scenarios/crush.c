/* SPDX-License-Identifier: MIT OR Unlicense

   crush.c: section F of the catalogue: crush and squeeze. F07, F11 (as C12) and F15, which need pushing, tiles and one-way
   surfaces, are elsewhere. */
#include "scene.h"

/* A tall mover, 4 thick, whose right face is at x. */
static kin_id add_press(scene *s, double x, double vx, kin_blocked on_blocked)
{
    kin_mover_desc d = mover_desc(s, x - 2, 1.5, 4, 3);
    d.velocity = v2(s, vx, 0);
    d.on_blocked = on_blocked;
    return put_mover(s, &d);
}

/* Does an event name these two, whichever comes first? */
static bool names(const kin_event *e, kin_id one, kin_id other)
{
    return (kin_same(e->b, one) && kin_same(e->c, other)) || (kin_same(e->b, other) && kin_same(e->c, one));
}

/* The only event of a type so far, or NULL; says so if there are more. */
static const kin_event *only_event(scene *s, kin_event_type type, kin_id a)
{
    int n = count_events(s, type, a, nobody());
    if (n > 1) scene_fail(s, "%d events of type %d", n, (int)type);
    return last_event(s, type, a);
}

/* Runs until the body is crushed or so many steps have passed. */
static void run_until_crushed(scene *s, kin_id b, int most)
{
    while (most-- > 0 && scene_step(s))
        if (kin_is_crushed(s->world, b)) return;
}

static void press_and_pass(scene *s)
{
    const double hw = half_width(s);
    const kin_event *e;
    kin_id wall, m, b;
    double from;
    int    i, first = 0;
    open_earth(s);
    add_floor(s);
    wall = add_static_box(s, 5, -1, 9, 9);
    m = add_press(s, 0, 2, KIN_BLOCKED_PASS);
    b = add_body(s, 2, 0.5);
    from = x_of(s, b);
    for (i = 1; i <= 352; i++) {
        scene_step(s);
        if (!first && x_of(s, b) > from) first = i;
        EXPECT(x_of(s, b) < 5 - hw + 0.005);
        EXPECT_NEAR(y_of(s, b), 0.5, 0.005);
        if (kin_is_crushed(s->world, b)) EXPECT_NEAR(x_of(s, b), 5 - hw, 0.005);
    }
    EXPECT_NEAR(first, 64 * (2 - hw), 1);
    EXPECT_NEAR(right_of(s, m), 5.5, 1e-4);
    EXPECT(kin_is_crushed(s->world, b));
    EXPECT_IN(gap_between(s, b, wall), -0.005, 0.005);
    EXPECT(gap_between(s, b, m) < -0.1);
    e = only_event(s, KIN_EVENT_CRUSHED, b);
    EXPECT(e != NULL);
    EXPECT_NEAR(e->step, 64 * (5 - 2 * hw) + 1, 2);
    EXPECT(names(e, m, wall));
    EXPECT_IN(count_events(s, KIN_EVENT_FREED, b, nobody()), 0, 0);

    set_v(s, m, -2, 0);
    run(s, 160);
    EXPECT(!kin_is_crushed(s->world, b));
    EXPECT(!kin_is_embedded(s->world, b));
    EXPECT_NEAR(x_of(s, b), 5 - hw, 0.005);
    EXPECT_IN(count_events(s, KIN_EVENT_FREED, b, nobody()), 1, 1);
    EXPECT_IN(count_events(s, KIN_EVENT_CRUSHED, b, nobody()), 1, 1);
}

static void press_and_stop(scene *s)
{
    const double hw = half_width(s), room = s->form == FORM_CAPSULE ? 0.01 : 1e-4;   /* the capsule does not fit a whole step */
    const kin_event *e;
    kin_id wall, m, b;
    double face;
    open_earth(s);
    add_floor(s);
    wall = add_static_box(s, 5, -1, 9, 9);
    m = add_press(s, 0, 2, KIN_BLOCKED_STOP);
    b = add_body(s, 2, 0.5);
    run(s, 352);
    EXPECT_IN(right_of(s, m), 5 - 2 * hw - 2.0 / 128, 5 - 2 * hw + room);
    EXPECT_NEAR(x_of(s, b), 5 - hw, 0.005);
    EXPECT_IN(count_events(s, KIN_EVENT_CRUSHED, b, nobody()), 0, 0);
    EXPECT(!kin_is_crushed(s->world, b));
    e = only_event(s, KIN_EVENT_BLOCKED, m);
    EXPECT(e != NULL);
    EXPECT_NEAR(e->step, 64 * (5 - 2 * hw) + 1, 2);
    EXPECT(kin_same(e->b, b) && kin_same(e->c, wall));
    face = right_of(s, m);
    take_out(s, b);
    run(s, 1);
    EXPECT_NEAR(right_of(s, m), face + 2.0 / 128, 1e-5);
    run(s, 64);
    EXPECT_NEAR(right_of(s, m), face + 65 * 2.0 / 128, 1e-4);
    EXPECT_IN(count_events(s, KIN_EVENT_BLOCKED, m, nobody()), 1, 1);
}

/* F01 wall press: wall face x = 5; mover right face from x = 0 at 2 u/s; B at (2, 0.5) on F. Pushed from t = 0.75 s;
   crush begins once, in steps 255..259, naming body, mover and static. PASS movers: mover goes on, B stays in [4.495,
   4.505], overlaps only the mover. STOP movers: mover halts with its face at 4.0 minus at most one step's motion,
   blocked event once; goes on within one step after B is removed. */
SCENARIO(F01_wall_press, ALL_SHAPES)
{
    press_and_pass(s);
    press_and_stop(s);
}

static kin_id add_rising_lift(scene *s, kin_blocked on_blocked)
{
    kin_mover_desc d = mover_desc(s, 0, -1, 4, 2);
    d.velocity = v2(s, 0, 2);
    d.on_blocked = on_blocked;
    return put_mover(s, &d);
}

/* F02 lift into ceiling: ceiling y = 4, lift top from 0 at 2 u/s, B on it: crush in steps 191..195. */
SCENARIO(F02_lift_into_ceiling, ALL_SHAPES)
{
    const kin_event *e;
    kin_id ceiling, m, b;
    int    i;
    open_earth(s);
    ceiling = add_static_box(s, -9, 4, 9, 6);
    m = add_rising_lift(s, KIN_BLOCKED_PASS);
    b = add_body(s, 0, 0.5);
    for (i = 0; i < 224; i++) {
        scene_step(s);
        EXPECT(top_of(s, b) < 4.005);
        EXPECT_IN(x_of(s, b), 0, 0);
    }
    EXPECT_NEAR(top_of(s, m), 3.5, 1e-4);
    e = only_event(s, KIN_EVENT_CRUSHED, b);
    EXPECT(e != NULL);
    EXPECT_IN(e->step, 191, 195);
    EXPECT(names(e, m, ceiling));
    EXPECT_NEAR(top_of(s, b), 4, 0.005);

    open_earth(s);
    ceiling = add_static_box(s, -9, 4, 9, 6);
    m = add_rising_lift(s, KIN_BLOCKED_STOP);
    b = add_body(s, 0, 0.5);
    run(s, 224);
    EXPECT_IN(top_of(s, m), 3 - 2.0 / 128, 3 + 1e-4);
    EXPECT(!kin_is_crushed(s->world, b));
    EXPECT(grounded(s, b));
    e = only_event(s, KIN_EVENT_BLOCKED, m);
    EXPECT(e != NULL);
    EXPECT(kin_same(e->b, b) && kin_same(e->c, ceiling));
    set_v(s, m, 0, -2);
    run(s, 64);
    EXPECT_NEAR(top_of(s, m), 2, 2.0 / 128 + 1e-4);
    EXPECT(grounded(s, b));
}

/* F05 press from above: ceiling mover -2 u/s on B standing on F: crush when 1.0 is underrun; B never below -0.005. */
SCENARIO(F05_press_from_above, ALL_SHAPES)
{
    const kin_event *e;
    kin_id f, m, b;
    int    i;
    open_earth(s);
    f = add_floor(s);
    m = add_mover(s, 0, 4, 4, 2, 0, -2);
    b = add_body(s, 0, 0.5);
    for (i = 0; i < 160; i++) {
        scene_step(s);
        EXPECT_IN(bottom_of(s, b), -0.005, 0.005);
        EXPECT_IN(x_of(s, b), 0, 0);
    }
    e = only_event(s, KIN_EVENT_CRUSHED, b);
    EXPECT(e != NULL);
    EXPECT_NEAR(e->step, 129, 2);
    EXPECT(names(e, m, f));
}

/* F06 two movers: faces closing at 1 u/s each: crush names both movers. */
SCENARIO(F06_two_movers, ALL_SHAPES)
{
    const double hw = half_width(s);
    const kin_event *e;
    kin_id left, right, b;
    open_earth(s);
    add_floor(s);
    left = add_press(s, -2, 1, KIN_BLOCKED_PASS);
    right = add_mover(s, 4, 1.5, 4, 3, -1, 0);
    b = add_body(s, 0.3, 0.5);
    run_until_crushed(s, b, 256);
    e = only_event(s, KIN_EVENT_CRUSHED, b);
    EXPECT(e != NULL);
    EXPECT_NEAR(e->step, 64 * (4 - 2 * hw) + 1, 2);
    EXPECT(names(e, left, right));
    EXPECT_NEAR(x_of(s, b), 0, 0.02);
    run(s, 16);
    EXPECT_IN(count_events(s, KIN_EVENT_CRUSHED, b, nobody()), 1, 1);
    EXPECT_REST(bottom_of(s, b));
}

/* F08 rotating arm against a wall: arm 3 long, 1 rad/s, circle r = 0.5: swept along, then crush; not through the wall.
   The arm is fixed 1 below the floor and falls to the right; the circle touches it when it is upright, and fills
   the corner of floor and wall when it leans by 19.9 deg. */
SCENARIO(F08_rotating_arm_against_a_wall, 0)
{
    const double half = 0.1, depth = 0.5 * DEPTH;
    const kin_event *e;
    kin_mover_desc arm;
    kin_body_desc  d;
    kin_vec points[8];
    kin_id  wall, m, b;
    double  x = 0.62;
    int     i, n = 0;
    open_earth(s);
    add_floor(s);
    wall = add_static_box(s, 1.68, -1, 6, 6);
    for (i = 0; i < KINEMATIC_DIM - 1; i++) {
        double z = i == 0 ? -depth : depth;
        points[n++] = v3(s, -half, 0, z);
        points[n++] = v3(s, half, 0, z);
        points[n++] = v3(s, half, 3, z);
        points[n++] = v3(s, -half, 3, z);
    }
    arm = mover_desc(s, 0, -1, 1, 1);
    arm.shape = kin_hull(points, n, 0);
    arm.rotation = turn(s, DEGREES(10));
    arm.spin = spin(s, -1);
    m = put_mover(s, &arm);
    d = body_desc(s, x, 0.5);
    d.shape = kin_ball(0.5f);
    b = put_body(s, &d);
    for (i = 0; i < 104; i++) {   /* until the arm is half through the circle */
        scene_step(s);
        EXPECT_IN(x_of(s, b), x - 0.005, 1.18 + 0.005);
        EXPECT_NEAR(y_of(s, b), 0.5, 0.005);
        x = fmin(1.18, fmax(x, x_of(s, b)));
    }
    EXPECT_NEAR(x_of(s, b), 1.18, 0.005);
    e = only_event(s, KIN_EVENT_CRUSHED, b);
    EXPECT(e != NULL);
    EXPECT_NEAR(e->step, 68, 2);
    EXPECT(names(e, m, wall));
    for (i = 0; i < 184; i++) {   /* until it is below the floor */
        scene_step(s);
        EXPECT(right_of(s, b) < 1.685 && bottom_of(s, b) > -0.005);
    }
    EXPECT(!kin_is_crushed(s->world, b));
    EXPECT(!kin_is_embedded(s->world, b));
    EXPECT_REST(bottom_of(s, b));
    EXPECT_NEAR(vx_of(s, b), 0, 1e-4);
}

typedef struct removal { kin_id id; int events; } removal;

static void remove_crushed(scene *s, const kin_event *event)
{
    removal *r = (removal *)s->user;
    if (event->type == KIN_EVENT_CRUSHED) r->id = event->a;
    else if (event->type == KIN_EVENT_BLOCKED) r->id = event->b;
    else return;
    take_out(s, r->id);
    r->events = s->event_count;
}

static void press_and_remove(scene *s, kin_blocked on_blocked)
{
    removal r;
    kin_id  m, b;
    double  face;
    int     contacts;
    memset(&r, 0, sizeof r);
    open_earth(s);
    add_floor(s);
    add_static_box(s, 5, -1, 9, 9);
    m = add_press(s, 0, 2, on_blocked);
    b = add_body(s, 2, 0.5);
    s->user = &r;
    s->on_event = remove_crushed;
    while (!r.id.slot && s->steps < 300) if (!scene_step(s)) return;
    EXPECT(kin_same(r.id, b));
    EXPECT(!kin_alive(s->world, b));
    contacts = open_touches(s, b);
    EXPECT_IN(contacts, 3, 3);
    face = right_of(s, m);
    run(s, 1);
    EXPECT(right_of(s, m) > face + 0.5 * 2.0 / 128);
    run(s, 32);
    EXPECT_NEAR(right_of(s, m), face + 33 * 2.0 / 128, 1e-4);
    EXPECT_IN(count_told(s, r.events, b, false), 0, 0);
    EXPECT_IN(count_told(s, r.events, b, true), contacts, contacts);
    EXPECT_IN(open_touches(s, b), 0, 0);
}

/* F12 crush callback removes the body: no later event mentions it but one ended per open contact; mover (STOP policy)
   goes on in the same or next step. */
SCENARIO(F12_crush_callback_removes_the_body, ALL_SHAPES)
{
    press_and_remove(s, KIN_BLOCKED_PASS);
    press_and_remove(s, KIN_BLOCKED_STOP);
}

/* B on a rising lift, its right edge 0.02 under the left end of a ceiling. */
static kin_id under_ceiling_edge(scene *s, double nudge)
{
    kin_body_desc d;
    kin_id        b;
    open_earth(s);
    add_static_box(s, 0.48, 4, 9, 5);
    add_rising_lift(s, KIN_BLOCKED_PASS);
    d = body_desc(s, 0, 0.5);
    d.corner_nudge = (float)nudge;
    b = put_body(s, &d);
    run(s, 224);
    return b;
}

/* F13 corner clip: lift catches 0.02 of the body at a ceiling edge: with corner_nudge 0.05 the body is moved 0.02
   sideways and not crushed; with 0 (default): crush. */
SCENARIO(F13_corner_clip, 0)
{
    kin_id b = under_ceiling_edge(s, 0.05);
    EXPECT_IN(count_events(s, KIN_EVENT_CRUSHED, b, nobody()), 0, 0);
    EXPECT(!kin_is_embedded(s->world, b));
    EXPECT_REST(0.48 - right_of(s, b));
    EXPECT(grounded(s, b));
    EXPECT_REST(bottom_of(s, b) - 3.5);

    b = under_ceiling_edge(s, 0);
    EXPECT_IN(count_events(s, KIN_EVENT_CRUSHED, b, nobody()), 1, 1);
    EXPECT(kin_is_crushed(s->world, b));
    EXPECT_IN(x_of(s, b), 0, 0);
    EXPECT_NEAR(top_of(s, b), 4, 0.005);
}

/* A mover so thick and so fast presses B against a wall (0), onto the floor (1), or up under a ceiling while B rides on it
   (2); it may be past B before the step ends. */
static void press_fast(scene *s, int way, double thick, double speed, kin_blocked on_blocked)
{
    kin_mover_desc d;
    kin_id         against, m, b;
    double         x, y;
    int            i;
    open_earth(s);
    against = way == 0 ? add_static_box(s, 4, -1, 8, 9) : way == 1 ? add_floor(s) : add_static_box(s, -9, 4, 9, 8);
    if (way == 0) add_floor(s);
    b = add_body(s, 0, 0.5);
    d = mover_desc(s, way == 0 ? -9 - 0.5 * thick : 0, way == 1 ? 9 + 0.5 * thick : way == 2 ? -0.5 * thick : 2.6, way == 0 ? thick : 5, way == 0 ? 5 : thick);
    d.on_blocked = on_blocked;
    m = put_mover(s, &d);
    settle(s);
    clear_events(s);
    set_v(s, m, way == 0 ? speed : 0, way == 1 ? -speed : way == 2 ? speed : 0);
    for (i = 0; i < steps_in(s, 26 / speed) + 4; i++) {
        scene_step(s);
        EXPECT(right_of(s, b) < 4 + SLOP && top_of(s, b) < (way == 2 ? 4 : 2) + SLOP);
        if (way < 2) EXPECT(bottom_of(s, b) > -SLOP);
    }
    if (on_blocked == KIN_BLOCKED_PASS) {
        EXPECT_IN(count_events(s, KIN_EVENT_CRUSHED, b, nobody()), 1, 1);
        EXPECT(names(last_event(s, KIN_EVENT_CRUSHED, b), m, against));
        EXPECT_IN(count_events(s, KIN_EVENT_FREED, b, nobody()), 1, 1);   /* the mover is past it */
        return;
    }
    EXPECT_IN(count_events(s, KIN_EVENT_CRUSHED, b, nobody()), 0, 0);
    EXPECT_IN(count_events(s, KIN_EVENT_BLOCKED, m, nobody()), 1, 1);
    x = way == 0 ? left_of(s, b) - right_of(s, m) : 0;
    y = way == 1 ? bottom_of(s, m) - top_of(s, b) : way == 2 ? bottom_of(s, b) - top_of(s, m) : 0;
    EXPECT(x > -PRESSED && y > -PRESSED);
    EXPECT(grounded(s, b));
}

/* F01, F02, F05 at speeds at which the mover has passed B within a step: nobody is passed in silence. */
SCENARIO(fast_presses, RATE_60 | ALL_SHAPES)
{
    static const double speeds[] = { 60, 300, 1000, 20000 }, thick[] = { 0.2, 0.5, 2 };
    int way, i;
    for (way = 0; way < 3; way++)
        for (i = 0; i < 12; i++) {
            press_fast(s, way, thick[i % 3], speeds[i / 3], KIN_BLOCKED_PASS);
            press_fast(s, way, thick[i % 3], speeds[i / 3], KIN_BLOCKED_STOP);
        }
}

/* A press goes deeper than the middle into a crate on the floor and comes back: the crate stays on the floor, and is freed
   once. */
SCENARIO(press_comes_back, ALL_SHAPES)
{
    kin_id m, b;
    int    i;
    open_earth(s);
    add_floor(s);
    m = add_mover(s, 0, 3, 3, 1, 0, -2);
    b = add_body(s, 0, 0.5 * (top_of(s, add_body(s, 50, 2)) - bottom_of(s, add_body(s, 60, 2))));
    settle(s);
    for (i = 0; i < 400; i++) {
        if (y_of(s, m) < 0.35) set_v(s, m, 0, 2);
        scene_step(s);
        EXPECT_IN(bottom_of(s, b), -1e-4, SLOP);
    }
    EXPECT(y_of(s, m) > 2.5);
    EXPECT(!kin_is_crushed(s->world, b) && grounded(s, b));
    EXPECT_IN(count_events(s, KIN_EVENT_CRUSHED, b, nobody()), 1, 1);
    EXPECT_IN(count_events(s, KIN_EVENT_FREED, b, nobody()), 1, 1);
}

/* F05 slowly, on a part of the body only: a press that stops does so, and the body does not jump aside. */
SCENARIO(F05_slow_press_on_an_edge, RATE_60)
{
    static const double speeds[] = { 0.1, 0.3, 0.5, 0.7, 1, 2 };
    int v, k, i;
    for (v = 0; v < 6; v++)
        for (k = 0; k < 5; k++) {
            kin_mover_desc d;
            kin_id         b;
            double         from;
            open_earth(s);
            add_floor(s);
            b = add_body(s, 0, 0.5);
            d = mover_desc(s, -0.2 * k, 1.53, 1, 1);
            d.velocity = v2(s, 0, -speeds[v]);
            d.on_blocked = KIN_BLOCKED_STOP;
            put_mover(s, &d);
            from = x_of(s, b);
            for (i = 0; i < 96; i++) {
                scene_step(s);
                EXPECT_NEAR(x_of(s, b), from, 0.02);
                EXPECT(!kin_is_crushed(s->world, b) && !kin_is_embedded(s->world, b));
            }
            EXPECT_IN(count_events(s, KIN_EVENT_BLOCKED, nobody(), nobody()), 1, 1);
        }
}

/* F05 by a long mover that goes mostly along the body and a little into it: it is told all the same. */
SCENARIO(F05_press_that_goes_along, 0)
{
    static const double slopes[] = { 0.02, 0.06, 0.1, 0.15, 0.5 };
    int k, i, stop;
    for (k = 0; k < 5; k++)
        for (stop = 0; stop < 2; stop++) {
            kin_mover_desc d;
            kin_id         b, m;
            open_earth(s);
            add_floor(s);
            b = add_body(s, 0, 0.5);
            d = mover_desc(s, 0, 1.51, 40, 1);
            d.velocity = v2(s, 1, -slopes[k]);
            d.on_blocked = stop ? KIN_BLOCKED_STOP : KIN_BLOCKED_PASS;
            m = put_mover(s, &d);
            for (i = 0; i < 256; i++) {
                scene_step(s);
                EXPECT(!kin_is_embedded(s->world, b));
                if (stop) EXPECT(!kin_is_crushed(s->world, b) && bottom_of(s, m) > 0.98);
            }
            EXPECT_IN(count_events(s, KIN_EVENT_BLOCKED, m, nobody()), stop, stop);
            EXPECT_IN(count_events(s, KIN_EVENT_CRUSHED, b, nobody()), stop ? 0 : 1, stop ? 0 : 1);
        }
}

SUITE(crush)
{
    RUN_TEST(F01_wall_press);
    RUN_TEST(F02_lift_into_ceiling);
    RUN_TEST(F05_press_from_above);
    RUN_TEST(F05_slow_press_on_an_edge);
    RUN_TEST(F05_press_that_goes_along);
    RUN_TEST(F06_two_movers);
    RUN_TEST(F08_rotating_arm_against_a_wall);
    RUN_TEST(F12_crush_callback_removes_the_body);
    RUN_TEST(F13_corner_clip);
    RUN_TEST(fast_presses);
    RUN_TEST(press_comes_back);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv)
{
    GREATEST_MAIN_BEGIN();
    RUN_SUITE(crush);
    GREATEST_MAIN_END();
}
