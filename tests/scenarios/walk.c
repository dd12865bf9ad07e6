/* SPDX-License-Identifier: MIT OR Unlicense

   walk.c: section A of the catalogue: landing, resting, jumping, walking. */
#include "scene.h"

/* A01 landing: B at (0, 5), v = 0, over F. Run 2 s, then 1000 steps. First grounded at step 70 (1/128) or 33 (1/60),
   +-1; bottom REST; velocity.y == 0 exactly; normal (0, 1) +-1e-4; exactly one land event whose impact speed is
   16.43 +-0.5; the 1000 further steps give no event, no grounded change, BIT-identical pose. */
SCENARIO(A01_landing, RATE_60 | ALL_SHAPES)
{
    kin_id   b;
    kin_pose pose;
    int      i;
    open_earth(s);
    add_floor(s);
    b = add_body(s, 0, 5);
    EXPECT_NEAR(run_until_grounded(s, b, steps_in(s, 2)), at_rate(s, 70, 33), 1);
    run(s, steps_in(s, 2) - s->steps);
    EXPECT_REST(bottom_of(s, b));
    EXPECT_IN(vy_of(s, b), 0, 0);
    EXPECT_NEAR(normal_of(s, b).x, 0, 1e-4);
    EXPECT_NEAR(normal_of(s, b).y, 1, 1e-4);
    EXPECT_IN(count_events(s, KIN_EVENT_LANDED, b, nobody()), 1, 1);
    EXPECT_NEAR(last_event(s, KIN_EVENT_LANDED, b)->speed, 16.43, 0.5);
    clear_events(s);
    pose = pose_now(s, b);
    for (i = 0; i < 1000 && scene_step(s); i++) {
        EXPECT(same_pose(pose, pose_now(s, b)));
        EXPECT(grounded(s, b));
    }
    EXPECT_IN(s->event_count, 0, 0);
}

/* A03 jump: resting B, set velocity.y = 12 once. Grounded false after that very step (snap does not cancel it); apex
   of bottom in [2.29, 2.41]; back on the floor after 102 (1/128) or 47 (1/60) steps +-1; one leave and one land
   event. */
SCENARIO(A03_jump, RATE_60 | ALL_SHAPES)
{
    kin_id b;
    double apex = 0;
    int    air = 0;
    open_earth(s);
    add_floor(s);
    b = add_body(s, 0, 0.5);
    settle(s);
    EXPECT(grounded(s, b));
    clear_events(s);
    set_vy(s, b, 12);
    for (air = 1; air < 200 && scene_step(s); air++) {
        if (grounded(s, b)) break;
        apex = fmax(apex, bottom_of(s, b));
    }
    EXPECT_IN(apex, 2.29, 2.41);
    EXPECT_NEAR(air, at_rate(s, 102, 47), 1);
    run(s, 32);
    EXPECT_IN(count_events(s, KIN_EVENT_LEFT, b, nobody()), 1, 1);
    EXPECT_IN(count_events(s, KIN_EVENT_LANDED, b, nobody()), 1, 1);
    EXPECT_REST(bottom_of(s, b));
}

static void jump_once(scene *s, const kin_event *event)
{
    int *jumps = (int *)s->user;
    if (event->type == KIN_EVENT_LANDED && (*jumps)++ == 0) set_vy(s, event->a, 8);
}

/* A04 jump inside the land callback: B falls from y = 3; the land handler sets velocity.y = 8. Body leaves on the next
   step, apex 1.04 +-0.05, events land-leave-land, no lost jump, no double land. */
SCENARIO(A04_jump_in_land_callback, ALL_SHAPES)
{
    static const kin_event_type order[] = { KIN_EVENT_LANDED, KIN_EVENT_LEFT, KIN_EVENT_LANDED };
    kin_id b;
    double apex = 0;
    int    jumps = 0, i, n = 0;
    open_earth(s);
    add_floor(s);
    b = add_body(s, 0, 3);
    s->user = &jumps;
    s->on_event = jump_once;
    EXPECT(run_until_grounded(s, b, 128) > 0);
    scene_step(s);
    EXPECT(!grounded(s, b));
    for (i = 0; i < 256 && scene_step(s); i++) apex = fmax(apex, bottom_of(s, b));
    EXPECT_NEAR(apex, 1.04, 0.05);
    EXPECT(grounded(s, b));
    for (i = 0; i < s->event_count; i++) {
        kin_event_type type = s->events[i].type;
        if (type != KIN_EVENT_LANDED && type != KIN_EVENT_LEFT) continue;
        EXPECT(n < 3 && type == order[n]);
        n++;
    }
    EXPECT_IN(n, 3, 3);
}

/* A05 long flat walk: one static box 1100 wide, B at x = 0, velocity.x = 6 held, 10,000 steps. At 1/128: x = 468.75
   +-0.01; at 1/60: x in [999.8, 1000.1]. Grounded in every single step, y variation <= 1e-4. */
SCENARIO(A05_long_flat_walk, RATE_60 | ALL_SHAPES)
{
    kin_id b;
    double y;
    int    i;
    open_earth(s);
    add_static_box(s, -50, -1, 1050, 0);
    b = add_body(s, 0, 0.5);
    settle(s);
    y = y_of(s, b);
    for (i = 0; i < 10000; i++) {
        set_vx(s, b, 6);
        scene_step(s);
        EXPECT(grounded(s, b));
        EXPECT_NEAR(y_of(s, b), y, 1e-4);
    }
    if (at_rate(s, 1, 0)) EXPECT_NEAR(x_of(s, b), 468.75, 0.01);
    else EXPECT_IN(x_of(s, b), 999.8, 1000.1);
}

/* A06 walking off a ledge: static top at y = 0, x in [-10, 0]. B at (-2, 0.5), velocity.x = 5 held. Grounded through
   step 63; not grounded from step 64 or 65 on; first airborne |vy| <= 0.47; at step 80 bottom in [-0.30, -0.19];
   x speed unchanged. No downward jerk. These numbers are the box's; a round one rolls over the edge until it is too steep
   under it, and has left it when its centre is a radius beyond. */
SCENARIO(A06_walking_off_a_ledge, ALL_SHAPES)
{
    double edge = half_width(s) * sin(DEGREES(45)) + 2;   /* where it becomes too steep */
    kin_id b;
    double y = 0.5, first_vy = 1;
    int    i, last = s->form == FORM_BOX ? 63 : (int)(edge * 128 / 5) - 1, first = s->form == FORM_BOX ? 65 : 64;
    open_earth(s);
    add_static_box(s, -10, -1, 0, 0);
    b = add_body(s, -2, 0.5);
    for (i = 1; i <= 80; i++) {
        set_vx(s, b, 5);
        scene_step(s);
        EXPECT(i > last || grounded(s, b));
        EXPECT(i < first || !grounded(s, b));
        EXPECT_IN(vx_of(s, b), 5, 5);
        if (!grounded(s, b)) {
            if (first_vy > 0) first_vy = vy_of(s, b);
            else EXPECT(y_of(s, b) - y > vy_of(s, b) * (double)s->dt - 1e-4);
        }
        y = y_of(s, b);
    }
    EXPECT_IN(first_vy, -0.47, 0);
    if (s->form == FORM_BOX) EXPECT_IN(bottom_of(s, b), -0.30, -0.19);
}

/* A10 top-down slide: g = 0, no up given (floating world). B at (0, 0), velocity (3, 4) held, static wall left face
   x = 2. 1 s. x = 1.5 minus REST gap, y = 4.000 +-0.005, reported velocity (0, 4). */
SCENARIO(A10_top_down_slide, ALL_SHAPES)
{
    kin_id b;
    int    i;
    open_floating(s);
    add_static_box(s, 2, -50, 3, 50);
    b = add_body(s, 0, 0);
    for (i = 0; i < 128; i++) {
        set_v(s, b, 3, 4);
        scene_step(s);
    }
    EXPECT_REST(2 - right_of(s, b));
    EXPECT_NEAR(y_of(s, b), 4, 0.005);
    EXPECT_NEAR(vx_of(s, b), 0, 1e-4);
    EXPECT_NEAR(vy_of(s, b), 4, 1e-4);
    EXPECT(!grounded(s, b));
}

static const double presses[] = { 0.05, 0.1, 0.2, 0.3, 0.5, 1, 2, 3 };

/* A10 past the end of the wall: as long as B touches it, however slowly it presses, it has no velocity into it. */
SCENARIO(A10_past_the_end_of_a_wall, RATE_60 | ALL_SHAPES)
{
    kin_id b;
    int    i, k;
    for (k = 0; k < (int)(sizeof presses / sizeof *presses); k++) {
        open_floating(s);
        add_static_box(s, 2, -2, 3, 2);
        b = add_body(s, 1.995 - half_width(s), -1.5);
        for (i = 0; i < steps_in(s, 1.5); i++) {
            set_v(s, b, presses[k], 4);
            scene_step(s);
            EXPECT_IN(speed_into_touched(s, b), 0, INTO);
        }
        EXPECT_NEAR(y_of(s, b), 4.5, 0.1);
    }
}

/* The same falling along a wall that ends. */
SCENARIO(A10_falling_past_the_end_of_a_wall, RATE_60 | ALL_SHAPES)
{
    kin_id b;
    int    i, k;
    for (k = 0; k < (int)(sizeof presses / sizeof *presses); k++) {
        open_earth(s);
        add_static_box(s, 2, -2, 3, 2);
        b = add_body(s, 1.995 - half_width(s), 1.5);
        for (i = 0; i < steps_in(s, 1); i++) {
            set_vx(s, b, presses[k]);
            scene_step(s);
            EXPECT_IN(speed_into_touched(s, b), 0, INTO);
        }
        EXPECT_NEAR(vy_of(s, b), -30, 0.25);
    }
}

/* A11 gravity switched mid-air: B falling; after 64 steps gravity set to (0, 30). Decelerates, returns; "up" follows
   gravity; it lands on a ceiling at y = 8 as on a floor. */
SCENARIO(A11_gravity_switched, ALL_SHAPES)
{
    kin_id b, ceiling;
    double vy;
    int    i;
    open_earth(s);
    ceiling = add_static_box(s, -100, 8, 100, 9);
    b = add_body(s, 0, 5);
    run(s, 64);
    EXPECT_NEAR(vy_of(s, b), -15, 0.01);
    set_gravity(s, 0, 30);
    vy = vy_of(s, b);
    for (i = 0; i < 128; i++) {
        scene_step(s);
        EXPECT_NEAR(vy_of(s, b), vy + 30.0 / 128, 1e-3);
        vy = vy_of(s, b);
    }
    EXPECT_NEAR(y_of(s, b), 1.31, 0.01);
    run(s, 128);
    EXPECT(grounded(s, b));
    EXPECT(kin_same(kin_get_ground(s->world, b).id, ceiling));
    EXPECT_REST(8 - top_of(s, b));
    EXPECT_NEAR(normal_of(s, b).y, -1, 1e-4);
    EXPECT_IN(vy_of(s, b), 0, 0);
    EXPECT_IN(count_events(s, KIN_EVENT_LANDED, b, ceiling), 1, 1);
}

/* A12 speed cap: fall for 60 s with max_speed = 50. |vy| reaches 50 +-0.001 and stays; distance after the cap is 50 per
   second +-0.1 %. */
SCENARIO(A12_speed_cap, RATE_60)
{
    kin_world_desc d;
    kin_id b;
    double from;
    int    i;
    memset(&d, 0, sizeof d);
    d.gravity = v2(s, 0, -30);
    d.max_speed = 50;
    open_world(s, &d);
    b = add_body(s, 0, 0);
    run(s, steps_in(s, 2));
    from = y_of(s, b);
    for (i = 0; i < steps_in(s, 58); i++) {
        scene_step(s);
        EXPECT_NEAR(vy_of(s, b), -50, 0.001);
    }
    EXPECT_NEAR(y_of(s, b) - from, -50.0 * 58, 50.0 * 58 * 0.001);
}

SUITE(walk)
{
    RUN_TEST(A01_landing);
    RUN_TEST(A03_jump);
    RUN_TEST(A04_jump_in_land_callback);
    RUN_TEST(A05_long_flat_walk);
    RUN_TEST(A06_walking_off_a_ledge);
    RUN_TEST(A10_top_down_slide);
    RUN_TEST(A10_past_the_end_of_a_wall);
    RUN_TEST(A10_falling_past_the_end_of_a_wall);
    RUN_TEST(A11_gravity_switched);
    RUN_TEST(A12_speed_cap);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv)
{
    GREATEST_MAIN_BEGIN();
    RUN_SUITE(walk);
    GREATEST_MAIN_END();
}
