/* SPDX-License-Identifier: MIT OR Unlicense

   harness.c: the scenarios' own judgement, tried: known distances, and each invariant broken on purpose behind the
   scene's back. A check that cannot fail would say nothing. */
#include "scene.h"

/* ---- distances ------------------------------------------------------------------------------------------------------ */

static double gap_of(const kin_shape *a, kin_vec pa, kin_rot qa, const kin_shape *b, kin_vec pb, kin_rot qb)
{
    solid  sa, sb;
    placed at, to;
    dv     n;
    solid_make(&sa, a);
    solid_make(&sb, b);
    placed_set(&at, &sa, dv_of(pa), dm_of(qa));
    placed_set(&to, &sb, dv_of(pb), dm_of(qb));
    return separation(&at, &to, 1e9, &n);
}

/* A cube rounded on the outside. */
static kin_shape round_cube(const scene *s, double edge, double radius)
{
    kin_vec points[8];
    int     i;
    for (i = 0; i < 1 << KINEMATIC_DIM; i++) points[i] = v3(s, (i & 1 ? 0.5 : -0.5) * edge, (i & 2 ? 0.5 : -0.5) * edge, (i & 4 ? 0.5 : -0.5) * edge);
    return kin_hull(points, i, (float)radius);
}

#define ASSERT_GAP(wanted, found) ASSERT_IN_RANGE((wanted), (found), 1e-6)

/* Distances that can be worked out by hand. */
TEST distances(void)
{
    scene     s;
    kin_rot   no, eighth;
    kin_vec   o;
    kin_shape cube, ball, capsule, prism;
    memset(&s, 0, sizeof s);
    s.mirror = 1;
    o = v2(&s, 0, 0);
    no = turn(&s, 0);
    eighth = turn(&s, DEGREES(45));
    cube = body_box(1, 1);
    ball = kin_ball(0.5f);
    capsule = kin_capsule(2, 0.5f);
    {
        kin_vec points[8];
        int     i, n = 0;
        for (i = 0; i < KINEMATIC_DIM - 1; i++) {
            points[n++] = v3(&s, 0, 0, i - 0.5);
            points[n++] = v3(&s, 2, 0, i - 0.5);
            points[n++] = v3(&s, 0, 2, i - 0.5);
        }
        prism = kin_hull(points, n, 0);
    }
    ASSERT_GAP(0.5, gap_of(&cube, o, no, &cube, v2(&s, 1.5, 0.3), no));
    ASSERT_GAP(-0.25, gap_of(&cube, o, no, &cube, v2(&s, 0.75, 0.3), no));
    ASSERT_GAP(1 - sqrt(0.5), gap_of(&cube, o, no, &cube, v2(&s, 1.5, 0), eighth));
    ASSERT_GAP(sqrt(2) - 0.5, gap_of(&ball, v2(&s, 1.5, 1.5), no, &cube, o, no));
    ASSERT_GAP(-0.1, gap_of(&ball, v2(&s, 0, 0.9), no, &cube, o, no));
    ASSERT_GAP(-0.6, gap_of(&ball, v2(&s, 0, 0.4), no, &cube, o, no));
    ASSERT_GAP(0.25, gap_of(&ball, v2(&s, 1.25, 0.2), no, &capsule, o, no));
    ASSERT_GAP(sqrt(0.5) - 0.5, gap_of(&capsule, v2(&s, 1, 1.5), no, &cube, o, no));
    ASSERT_GAP(-0.25, gap_of(&cube, o, no, &capsule, v2(&s, 0.75, 0.1), no));
    ASSERT_GAP(1, gap_of(&capsule, v2(&s, 2, 0), no, &capsule, o, no));
    ASSERT_GAP(sqrt(2) - 0.5, gap_of(&ball, v2(&s, 2, 2), no, &prism, o, no));
    ASSERT_GAP(-0.5 - 0.5 * sqrt(0.5), gap_of(&ball, v2(&s, 0.75, 0.75), no, &prism, o, no));
    ASSERT_GAP(-0.5, gap_of(&cube, v2(&s, 1, 1), eighth, &prism, o, no));
    cube = round_cube(&s, 1, 0.25);
    ASSERT_GAP(0.5 * sqrt(2) - 0.5, gap_of(&cube, v2(&s, 1.5, 1.5), no, &cube, o, no));
    ASSERT_GAP(0.5 - 0.5, gap_of(&cube, v2(&s, 1.5, 0.3), no, &cube, o, no));
    ASSERT_GAP(-0.6, gap_of(&cube, v2(&s, 0.9, 0.3), no, &cube, o, no));
    ASSERT_GAP(0.5 * sqrt(2) - 0.25, gap_of(&cube, v2(&s, 2, 2), no, &prism, o, no));
    PASS();
}

#if KINEMATIC_DIM == 3
/* Edges that cross: only a product of two edges separates them. */
TEST crossing_edges(void)
{
    kin_shape cube = kin_box(kin_v(1, 1, 1));
    kin_rot   along_x = kin_turn(kin_v(1, 0, 0), (float)DEGREES(45)), along_z = kin_turn(kin_v(0, 0, 1), (float)DEGREES(45));
    ASSERT_GAP(2 - sqrt(2), gap_of(&cube, kin_v(0, 2, 0), along_x, &cube, kin_v(0, 0, 0), along_z));
    ASSERT_GAP(1 - sqrt(2), gap_of(&cube, kin_v(0, 1, 0), along_x, &cube, kin_v(0, 0, 0), along_z));
    cube.radius = 0.25f;
    ASSERT_GAP(1.5 - sqrt(2), gap_of(&cube, kin_v(0, 2, 0), along_x, &cube, kin_v(0, 0, 0), along_z));
    PASS();
}
#endif

/* ---- broken invariants ------------------------------------------------------------------------------------------------- */

/* The scenario must end with a fault that contains the text. */
static enum greatest_test_res must_break(scene_fn *play, const char *text)
{
    const char *fault = scene_variant(play, 1.0f / 128, FORM_BOX, true);
    if (!fault) FAILm("nothing was noticed");
    if (!strstr(fault, text)) FAILm(fault);
    PASS();
}

#define BROKEN(name, text) \
    static void name##_scene(scene *s); \
    TEST name(void) { return must_break(name##_scene, (text)); } \
    static void name##_scene(scene *s)

BROKEN(N2_sinks_into_the_floor, "N2")
{
    kin_id floor, b;
    open_earth(s);
    floor = add_floor(s);
    b = add_body(s, 0, 0.6);
    kin_ignore(s->world, floor, b, true);
    s->skip = 1u << 3;
    run(s, 64);
}

BROKEN(N3_jumps_over_a_wall, "N3")
{
    kin_id b;
    open_floating(s);
    add_static_box(s, 2, -5, 2.1, 5);
    b = add_body(s, 0, 0);
    scene_step(s);
    kin_ignore(s->world, s->things[0]->id, b, true);
    set_v(s, b, 500, 0);
    scene_step(s);
}

static bool repeating;

static void repeat_began(scene *s, const kin_event *event)
{
    if (repeating || event->type != KIN_EVENT_BEGAN) return;
    repeating = true;
    scene_event(s->world, event, s);
    repeating = false;
}

BROKEN(N4_told_twice, "N4")
{
    open_earth(s);
    add_floor(s);
    add_body(s, 0, 0.6);
    s->on_event = repeat_began;
    run(s, 64);
}

BROKEN(N4_never_told, "N4")
{
    open_earth(s);
    add_floor(s);
    add_body(s, 0, 0.5);
    settle(s);
    s->touch_count = 0;
    scene_step(s);
}

BROKEN(N5_stands_too_steep, "N5")
{
    kin_body_desc d;
    kin_id        b;
    open_earth(s);
    add_slope(s, -10, -10 * tan(DEGREES(30)), 30, 50);
    d = body_on_slope(s, 0, 0, 30);
    b = put_body(s, &d);
    thing_of(s, b)->max_slope = DEGREES(29);
    settle(s);
}

static void push_on(scene *s, const kin_event *event)
{
    if (event->type == KIN_EVENT_BEGAN) kin_set_velocity(s->world, event->a, v2(s, 3, 0));
}

BROKEN(N6_velocity_into_a_wall, "N6: body #1 and static #0")
{
    kin_id b;
    open_floating(s);
    add_static_box(s, 2, -5, 3, 5);
    b = add_body(s, 1, 0);
    set_v(s, b, 3, 0);
    s->on_event = push_on;
    run(s, 64);
}

static void lift_off(scene *s, const kin_event *event)
{
    if (event->type == KIN_EVENT_LANDED) kin_set_velocity(s->world, event->a, v2(s, 0, 1));
}

BROKEN(N6_velocity_on_the_ground, "N6: body #1: on stable ground")
{
    open_earth(s);
    add_floor(s);
    add_body(s, 0, 0.6);
    s->on_event = lift_off;
    run(s, 64);
}

static void creep(kin_world *world, kin_id id, float dt, void *user)
{
    kin_vec p = kin_get_position(world, id);
    (void)dt;
    (void)user;
    p.x += p.x * 1e-6f;
    kin_set_position(world, id, p);
}

BROKEN(N7_creeps_at_rest, "N7")
{
    kin_body_desc d;
    open_earth(s);
    add_floor(s);
    d = body_desc(s, 1, 0.5);
    d.control = creep;
    put_body(s, &d);
    run(s, 64);
}

BROKEN(N8_static_moves, "N8: static #0")
{
    kin_id floor;
    open_earth(s);
    floor = add_floor(s);
    scene_step(s);
    kin_set_position(s->world, floor, v2(s, 0.001, -0.5));
    scene_step(s);
}

BROKEN(N8_mover_elsewhere, "N8: mover #0")
{
    kin_id m;
    open_earth(s);
    m = add_mover(s, 0, 0, 1, 1, 2, 0);
    run(s, 4);
    thing_of(s, m)->has_target = true;
    thing_of(s, m)->target = pose_now(s, m);
    scene_step(s);
}

static void throw_up(kin_world *world, kin_id id, float dt, void *user)
{
    kin_vec p = kin_get_position(world, id);
    (void)dt;
    (void)user;
    if (kin_world_steps(world) < 20) return;
    p.y += 2;
    kin_set_position(world, id, p);
}

/* Two that touch and are thrown together do not excuse each other. */
BROKEN(N11_thrown, "N11: body #1")
{
    kin_body_desc d;
    open_earth(s);
    add_floor(s);
    d = body_desc(s, 0, 0.5);
    d.control = throw_up;
    put_body(s, &d);
    d.position = v2(s, 1.001, 0.5);
    put_body(s, &d);
    run(s, 64);
}

/* Carrying, pushing and long commanded motion are no throw. */
BROKEN(N11_carried_and_fast, "not thrown")
{
    kin_id b, m;
    open_earth(s);
    m = add_mover(s, 0, -0.5, 4, 1, 0, 0);
    b = add_body(s, 0, 0.5);
    settle(s);
    move_to(s, m, 3, 4, 0);
    scene_step(s);
    EXPECT_NEAR(x_of(s, b), 3, 0.01);
    set_v(s, b, 0, 300);
    scene_step(s);
    EXPECT(y_of(s, b) > 6);
    scene_fail(s, "not thrown");
}

static void cry_wolf(scene *s, const kin_event *event)
{
    kin_event e = *event;
    e.type = KIN_EVENT_EMBEDDED;
    e.b = e.c = nobody();
    if (event->type == KIN_EVENT_LANDED) scene_event(s->world, &e, s);
}

BROKEN(N12_squeezed_by_nothing, "N12: body #1")
{
    open_earth(s);
    add_floor(s);
    add_body(s, 0, 0.6);
    s->on_event = cry_wolf;
    run(s, 64);
}

/* The same with a mover that comes near: not N12, but nobody else was told of it. */
BROKEN(N12_a_mover_is_near, "a mover was near")
{
    open_earth(s);
    add_floor(s);
    add_body(s, 0, 0.6);
    add_mover(s, 2, 0.5, 1, 1, -1, 0);
    s->on_event = cry_wolf;
    run(s, 16);
    scene_fail(s, "a mover was near");
}

BROKEN(N4_crushed_while_embedded, "N4: body #1: crushed")
{
    kin_event e;
    open_earth(s);
    add_floor(s);
    add_body(s, 0, 5);
    scene_step(s);
    memset(&e, 0, sizeof e);
    e.a = s->things[1]->id;
    e.step = 1;
    e.type = KIN_EVENT_EMBEDDED;
    scene_event(s->world, &e, s);
    e.type = KIN_EVENT_CRUSHED;
    scene_event(s->world, &e, s);
    check_body_event(s, &s->events[s->event_count - 2], s->things[1]);
    check_body_event(s, &s->events[s->event_count - 1], s->things[1]);
}

BROKEN(N10_left_is_not_right, "N10")
{
    kin_id b;
    open_floating(s);
    b = add_body(s, 0, 0);
    set_v(s, b, s->mirror > 0 ? 3 : 3.01, 0);
    run(s, 64);
}

BROKEN(refusals_are_noticed, "refused")
{
    open_floating(s);
    set_v(s, nobody(), 1, 1);
}

BROKEN(expectations_are_noticed, "x_of(s, b) is 1")
{
    kin_id b;
    open_floating(s);
    b = add_body(s, 1, 0);
    EXPECT_NEAR(x_of(s, b), 2, 0.5);
}

SUITE(harness)
{
    RUN_TEST(distances);
#if KINEMATIC_DIM == 3
    RUN_TEST(crossing_edges);
#endif
    RUN_TEST(N2_sinks_into_the_floor);
    RUN_TEST(N3_jumps_over_a_wall);
    RUN_TEST(N4_told_twice);
    RUN_TEST(N4_never_told);
    RUN_TEST(N5_stands_too_steep);
    RUN_TEST(N6_velocity_into_a_wall);
    RUN_TEST(N6_velocity_on_the_ground);
    RUN_TEST(N7_creeps_at_rest);
    RUN_TEST(N8_static_moves);
    RUN_TEST(N8_mover_elsewhere);
    RUN_TEST(N4_crushed_while_embedded);
    RUN_TEST(N10_left_is_not_right);
    RUN_TEST(N11_thrown);
    RUN_TEST(N11_carried_and_fast);
    RUN_TEST(N12_squeezed_by_nothing);
    RUN_TEST(N12_a_mover_is_near);
    RUN_TEST(refusals_are_noticed);
    RUN_TEST(expectations_are_noticed);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv)
{
    GREATEST_MAIN_BEGIN();
    RUN_SUITE(harness);
    GREATEST_MAIN_END();
}
