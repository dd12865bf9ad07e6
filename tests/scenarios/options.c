/* SPDX-License-Identifier: MIT OR Unlicense

   options.c: what descriptors can choose and the catalogue has no line for: leftover_fade, carry across gravity, crush that
   disables, gravity_scale, max_rounds; who rides on what; several grounds; a wall in a rider's way. */
#include "scene.h"

/* ---- leftover_fade --------------------------------------------------------------------------------------------------- */

/* Jumps off a platform that moves at +6; of that the part `fade` is lost in each second. */
static void jump_and_fade(scene *s, double fade)
{
    kin_body_desc d;
    kin_id        b;
    double        x;
    int           i;
    open_earth(s);
    add_mover(s, 0, -0.25, 4, 0.5, 6, 0);
    d = body_desc(s, 0, 0.5);
    d.leftover_fade = (float)fade;
    b = put_body(s, &d);
    settle(s);
    set_vy(s, b, 20);
    for (i = 1; i <= steps_in(s, 1); i++) {
        double left = 6 * pow(1 - fade, (i - 1) * (double)s->dt);   /* in the step of the jump it is still carried */
        x = x_of(s, b);
        scene_step(s);
        EXPECT(!grounded(s, b));
        EXPECT_NEAR(kin_get_leftover(s->world, b).x * s->mirror, left, 1e-3);
        EXPECT_NEAR((x_of(s, b) - x) / (double)s->dt, left, 0.01);
        EXPECT_IN(vx_of(s, b), 0, 0);
    }
}

SCENARIO(leftover_fades, RATE_60 | ALL_SHAPES)
{
    jump_and_fade(s, 0);
    jump_and_fade(s, 0.5);
    jump_and_fade(s, 0.9);
    jump_and_fade(s, 1);
}

/* ---- carry across gravity ------------------------------------------------------------------------------------------------ */

static void ride_across(scene *s, double vx, double vy, bool follows)
{
    kin_mover_desc d;
    kin_id         m, b;
    double         offset;
    int            i;
    open_earth(s);
    d = mover_desc(s, 0, -0.25, 4, 0.5);
    d.carry = KIN_CARRY_ACROSS_GRAVITY;
    m = put_mover(s, &d);
    b = add_body(s, 0, 0.5);
    settle(s);
    offset = x_of(s, b) - x_of(s, m);
    set_v(s, m, vx, vy);
    for (i = 0; i < steps_in(s, 0.5); i++) {
        scene_step(s);
        EXPECT_IN(vy_of(s, b), follows ? 0 : -30, 0);
        if (!follows) continue;
        EXPECT(grounded(s, b));
        EXPECT_NEAR(x_of(s, b) - x_of(s, m), offset, 1e-4);
        EXPECT_REST(bottom_of(s, b) - top_of(s, m));
    }
    if (follows) return;
    EXPECT(!grounded(s, b));
    EXPECT_NEAR(y_of(s, b), 0.5 - 30 * 0.125, 0.2);   /* it falls by itself, with nothing of the mover's fall */
    EXPECT_NEAR(x_of(s, b) - x_of(s, m), offset, 0.01);
}

/* A mover that carries across gravity takes riders along to the side only. One that rises pushes them up as it pushes
   everybody; one that sinks is followed by the snap, and left behind where it is faster than that. */
SCENARIO(carry_across_gravity, RATE_60 | ALL_SHAPES)
{
    ride_across(s, 3, 0, true);
    ride_across(s, 0, 2, true);
    ride_across(s, 3, 2, true);
    ride_across(s, 3, -2, true);
    ride_across(s, 3, -40, false);
}

/* ---- crush that disables ----------------------------------------------------------------------------------------------- */

SCENARIO(crush_disables, ALL_SHAPES)
{
    kin_body_desc d;
    kin_pose      pose;
    kin_id        wall, m, b;
    int           i;
    open_earth(s);
    add_floor(s);
    wall = add_static_box(s, 5, -1, 9, 9);
    m = add_mover(s, -2, 1.5, 4, 3, 2, 0);
    d = body_desc(s, 2, 0.5);
    d.on_crush = KIN_CRUSH_DISABLE;
    b = put_body(s, &d);
    for (i = 0; i < 300 && count_events(s, KIN_EVENT_CRUSHED, b, nobody()) == 0; i++) scene_step(s);
    EXPECT_NEAR(s->steps, 64 * (5 - 2 * half_width(s)) + 1, 2);
    EXPECT(kin_alive(s->world, b));
    pose = pose_now(s, b);
    clear_events(s);
    for (i = 0; i < 64; i++) {
        scene_step(s);
        EXPECT(same_pose(pose, pose_now(s, b)));
        EXPECT_IN(kin_get_contacts(s->world, b, NULL, 0), 0, 0);
        EXPECT(!grounded(s, b) && kin_is_crushed(s->world, b));   /* the condition is as it was */
    }
    EXPECT_IN(open_touches(s, b), 0, 0);
    EXPECT_IN(count_told(s, 0, b, false), 0, 0);   /* nothing but the ends of its contacts */
    EXPECT(right_of(s, m) > 4.9 - 2 * half_width(s) + 1);   /* the mover went on */
    set_v(s, m, -2, 0);
    run(s, 160);
    set_enabled(s, b, true);
    run(s, 2);
    EXPECT(!kin_is_crushed(s->world, b));
    EXPECT_IN(count_events(s, KIN_EVENT_FREED, b, nobody()), 1, 1);
    EXPECT(grounded(s, b));
    EXPECT_REST(bottom_of(s, b));
    EXPECT_IN(gap_between(s, b, wall), -1e-4, SLOP);
    EXPECT_IN(count_events(s, KIN_EVENT_CRUSHED, b, nobody()), 0, 0);
}

/* ---- gravity_scale ------------------------------------------------------------------------------------------------------- */

static void fall_scaled(scene *s, double scale, bool weightless)
{
    kin_body_desc d;
    kin_id        b;
    double        v = 0, y = 5;
    int           i;
    open_earth(s);
    d = body_desc(s, 0, 5);
    d.gravity_scale = (float)scale;
    d.weightless = weightless;
    b = put_body(s, &d);
    for (i = 0; i < steps_in(s, 0.5); i++) {
        scene_step(s);
        v -= weightless ? 0 : 30 * scale * (double)s->dt;
        y += v * (double)s->dt;
        EXPECT_NEAR(vy_of(s, b), v, 1e-3);
        EXPECT_NEAR(y_of(s, b), y, 1e-3);
    }
}

/* The apex of a jump at 12 goes with one over the scale, and who stands, stands with any; one that falls upwards comes to a
   ceiling, which is no ground. */
SCENARIO(gravity_scaled, RATE_60 | ALL_SHAPES)
{
    static const double scales[] = { 0.25, 0.5, 2, 3 };
    kin_body_desc d;
    kin_id        b;
    int           i, k;
    fall_scaled(s, 0.5, false);
    fall_scaled(s, 2, false);
    fall_scaled(s, -1, false);
    fall_scaled(s, 1, true);
    for (k = 0; k < 4; k++) {
        double apex = 0, exact = 144 / (60 * scales[k]), v = 12 - 30 * scales[k] * (double)s->dt;
        open_earth(s);
        add_floor(s);
        d = body_desc(s, 0, 0.5);
        d.gravity_scale = (float)scales[k];
        b = put_body(s, &d);
        settle(s);
        EXPECT(grounded(s, b));
        set_vy(s, b, 12);
        for (i = 0; i < steps_in(s, 26 / (30 * scales[k])); i++) {
            scene_step(s);
            apex = fmax(apex, bottom_of(s, b));
        }
        EXPECT_IN(apex, v * v / (60 * scales[k]) - 0.01, exact + 0.01);
        EXPECT(grounded(s, b));
    }
    open_earth(s);
    add_static_box(s, -9, 8, 9, 9);
    d = body_desc(s, 0, 5);
    d.gravity_scale = -1;
    b = put_body(s, &d);
    run(s, steps_in(s, 2));
    EXPECT_REST(8 - top_of(s, b));
    EXPECT(kin_on_ceiling(s->world, b) && !grounded(s, b));
    EXPECT_NEAR(vy_of(s, b), 0, 1e-4);
}

/* ---- max_rounds ----------------------------------------------------------------------------------------------------------- */

/* B spawned in a corner: out of the block on its left it can only go to the right, where a low one is in the way until it
   has been lifted out of the one below. The left one comes first, so that takes two rounds. */
static void spawn_in_a_corner(scene *s, int rounds, bool free_at_once)
{
    kin_world_desc w;
    kin_id         left, below, right, b;
    memset(&w, 0, sizeof w);
    w.max_rounds = rounds;
    open_world(s, &w);
    left = add_static_box(s, -3, -0.3, -half_width(s) + 0.1, 9);
    below = add_static_box(s, -9, -3, 9, -0.4);
    right = add_static_box(s, half_width(s) + 0.01, -3, 3, -0.42);
    b = add_body(s, 0, 0);
    run(s, 1);
    EXPECT(gap_between(s, b, below) > -SLOP && gap_between(s, b, right) > -SLOP);
    EXPECT((gap_between(s, b, left) > -SLOP) == free_at_once);
    EXPECT(kin_is_embedded(s->world, b) == !free_at_once);   /* too few rounds are no secret */
    run(s, 1);
    EXPECT(gap_between(s, b, left) > -SLOP && gap_between(s, b, below) > -SLOP && gap_between(s, b, right) > -SLOP);
    EXPECT(!kin_is_embedded(s->world, b));
}

SCENARIO(rounds_of_depenetration, RATE_60)
{
    spawn_in_a_corner(s, 1, false);
    spawn_in_a_corner(s, 2, true);
    spawn_in_a_corner(s, 0, true);   /* the default: 10 */
}

/* ---- riders -------------------------------------------------------------------------------------------------------------- */

/* Riders of a thing: in the order of their handles, also if there is no room for all; a rider of a rider is not one. */
SCENARIO(riders_of_a_lift, ALL_SHAPES)
{
    kin_id m, crate, bodies[4], out[4];
    int    i;
    open_earth(s);
    m = add_mover(s, 0, -0.25, 12, 0.5, 2, 0);
    for (i = 0; i < 3; i++) bodies[i] = add_body(s, 2.0 * i - 4, 0.5);
    crate = add_crate(s, 3, 0.5);
    bodies[3] = add_body(s, 3, 1.5);
    EXPECT_IN(kin_get_riders(s->world, m, NULL, 0), 0, 0);
    settle(s);
    EXPECT_IN(kin_get_riders(s->world, m, out, 4), 4, 4);
    for (i = 0; i < 3; i++) EXPECT(kin_same(out[i], bodies[i]));
    EXPECT(kin_same(out[3], crate));
    EXPECT_IN(kin_get_riders(s->world, crate, out, 4), 1, 1);
    EXPECT(kin_same(out[0], bodies[3]));
    memset(out, 0, sizeof out);
    EXPECT_IN(kin_get_riders(s->world, m, out, 2), 4, 4);
    EXPECT(kin_same(out[0], bodies[0]) && kin_same(out[1], bodies[1]) && out[2].slot == 0);
    EXPECT_IN(kin_get_riders(s->world, bodies[0], out, 4), 0, 0);
    set_vy(s, bodies[1], 12);
    run(s, 1);
    EXPECT_IN(kin_get_riders(s->world, m, out, 4), 3, 3);
    EXPECT(kin_same(out[0], bodies[0]) && kin_same(out[1], bodies[2]) && kin_same(out[2], crate));
    take_out(s, bodies[0]);
    EXPECT_IN(kin_get_riders(s->world, m, out, 4), 2, 2);
    set_enabled(s, bodies[2], false);
    run(s, 1);
    EXPECT_IN(kin_get_riders(s->world, m, out, 4), 1, 1);
    run(s, 128);
    EXPECT_IN(kin_get_riders(s->world, m, out, 4), 2, 2);   /* who jumped is back */
    EXPECT(kin_same(out[0], bodies[1]) && kin_same(out[1], crate));
}

/* ---- several grounds ----------------------------------------------------------------------------------------------------- */

/* B at x over two flush platforms that meet at x = 0 and move apart up and down: which one does it ride? */
static void between_platforms(scene *s, double x, bool right_first, bool rides_right)
{
    kin_id left, right = nobody(), b;
    int    i;
    open_earth(s);
    if (right_first) right = add_mover(s, 3, -0.25, 6, 0.5, 0, 0);
    left = add_mover(s, -3, -0.25, 6, 0.5, 0, 0);
    if (!right_first) right = add_mover(s, 3, -0.25, 6, 0.5, 0, 0);
    b = add_body(s, x, 0.5);
    settle(s);
    EXPECT(kin_same(kin_get_ground(s->world, b).id, rides_right ? right : left));
    set_v(s, rides_right ? right : left, 0, 1);   /* its own rises, the other one sinks */
    set_v(s, rides_right ? left : right, 0, -1);
    for (i = 0; i < 32; i++) {
        scene_step(s);
        EXPECT(grounded(s, b));
        EXPECT(kin_same(kin_get_ground(s->world, b).id, rides_right ? right : left));
        EXPECT_NEAR(kin_get_ground(s->world, b).velocity.y, 1, 1e-4);   /* never a mix */
        EXPECT_REST(bottom_of(s, b) - top_of(s, rides_right ? right : left));
    }
}

/* A ball on two edges, left and right of its centre: these are the edges' distances from it. */
static void on_two_edges(scene *s, double left_x, double right_x, bool right_first, bool stands_right)
{
    double        high = sqrt(0.25 - left_x * left_x), low = sqrt(0.25 - right_x * right_x);
    kin_body_desc d;
    kin_id        left, right = nobody(), b;
    open_earth(s);
    if (right_first) right = add_static_box(s, right_x, -3, 4, -low);
    left = add_static_box(s, -4, -3, -left_x, -high);
    if (!right_first) right = add_static_box(s, right_x, -3, 4, -low);
    d = body_desc(s, 0, 0.001);
    d.shape = kin_ball(0.5f);
    b = put_body(s, &d);
    settle(s);
    EXPECT(grounded(s, b));
    EXPECT(kin_same(kin_get_ground(s->world, b).id, stands_right ? right : left));
    EXPECT_NEAR(fabs((double)normal_of(s, b).x), 2 * (stands_right ? right_x : left_x), 0.02);
}

/* A box over a gap between two pillars, equally high: neither is under its centre, both are flat. */
static void over_a_gap(scene *s, bool right_first)
{
    kin_body_desc d;
    kin_id        first, b;
    open_earth(s);
    first = right_first ? add_static_box(s, 0.3, -1, 2, 0) : add_static_box(s, -2, -1, -0.3, 0);
    add_static_box(s, right_first ? -2 : 0.3, -1, right_first ? -0.3 : 2, 0);
    d = body_desc(s, 0, 0.5);
    d.shape = body_box(1, 1);
    b = put_body(s, &d);
    settle(s);
    EXPECT(kin_same(kin_get_ground(s->world, b).id, first));
}

/* Of several grounds counts the one under the centre, then the best normal, then the lower slot. */
SCENARIO(several_grounds, ALL_SHAPES)
{
    int order;
    for (order = 0; order < 2; order++) {
        between_platforms(s, -0.05, order == 1, false);
        between_platforms(s, 0.05, order == 1, true);
        on_two_edges(s, 0.15, 0.3, order == 1, false);
        on_two_edges(s, 0.3, 0.1, order == 1, true);
        over_a_gap(s, order == 1);
    }
}

/* ---- a wall in a rider's way --------------------------------------------------------------------------------------------- */

/* A platform takes B to a wall, slides on under it, and takes it back at once when it turns. */
static void carried_to_a_wall(scene *s, double lift)
{
    kin_id wall, m, b;
    double x, y;
    int    i, held = 0;
    open_earth(s);
    wall = add_static_box(s, 2, -20, 3, 20);
    m = add_mover(s, 0, -0.25, 12, 0.5, 0, 0);
    ignore_pair(s, wall, m);
    b = add_body(s, 0, 0.5);
    settle(s);
    set_v(s, m, 4, lift);
    for (i = 0; i < steps_in(s, 1); i++) {
        scene_step(s);
        EXPECT(grounded(s, b));
        EXPECT(kin_same(kin_get_ground(s->world, b).id, m));
        EXPECT_REST(bottom_of(s, b) - top_of(s, m));
        EXPECT(right_of(s, b) < 2 + 1e-4);
        EXPECT_IN(vx_of(s, b), 0, 0);
        held += kin_on_wall(s->world, b);
    }
    EXPECT_REST(2 - right_of(s, b));
    EXPECT(held > steps_in(s, 0.5));
    EXPECT_IN(count_events(s, KIN_EVENT_CRUSHED, b, nobody()) + count_events(s, KIN_EVENT_EMBEDDED, b, nobody()), 0, 0);
    x = x_of(s, b);
    y = y_of(s, b);
    set_v(s, m, -4, -lift);
    scene_step(s);
    EXPECT_NEAR(x_of(s, b) - x, -4 * (double)s->dt, 1e-4);
    EXPECT_NEAR(y_of(s, b) - y, -lift * (double)s->dt, SLOP);
    EXPECT(!kin_on_wall(s->world, b) || left_of(s, b) < x);
}

/* A deck that turns takes B round into a wall: it is held there, and neither pressed into the wall nor into the deck. */
static void turned_to_a_wall(scene *s)
{
    kin_mover_desc d;
    kin_id         wall, m, b;
    int            i;
    open_earth(s);
    wall = add_static_box(s, 3, -20, 4, 20);
    d = mover_desc(s, 0, -0.25, 8, 0.5);
    m = put_mover(s, &d);
    ignore_pair(s, wall, m);
    b = add_body(s, 3 - half_width(s) - 0.02, 0.5);
    settle(s);
    set_spin(s, m, 0.3);   /* it lifts B, and takes its side away from the wall; then back */
    run(s, steps_in(s, 1));
    set_spin(s, m, -0.3);
    for (i = 0; i < steps_in(s, 2); i++) {
        scene_step(s);
        EXPECT(grounded(s, b));
        EXPECT_IN(gap_between(s, b, m), -SLOP, SLOP);
        EXPECT(right_of(s, b) < 3 + 1e-4);
    }
    EXPECT_IN(count_events(s, KIN_EVENT_CRUSHED, b, nobody()) + count_events(s, KIN_EVENT_EMBEDDED, b, nobody()), 0, 0);
}

SCENARIO(wall_in_the_riders_way, RATE_60 | ALL_SHAPES)
{
    carried_to_a_wall(s, 0);
    carried_to_a_wall(s, 3);
    carried_to_a_wall(s, -3);
    turned_to_a_wall(s);
}

SUITE(options)
{
    RUN_TEST(leftover_fades);
    RUN_TEST(carry_across_gravity);
    RUN_TEST(crush_disables);
    RUN_TEST(gravity_scaled);
    RUN_TEST(rounds_of_depenetration);
    RUN_TEST(riders_of_a_lift);
    RUN_TEST(several_grounds);
    RUN_TEST(wall_in_the_riders_way);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv)
{
    GREATEST_MAIN_BEGIN();
    RUN_SUITE(options);
    GREATEST_MAIN_END();
}
