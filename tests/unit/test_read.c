/* SPDX-License-Identifier: MIT OR Unlicense

   What was put in can be read back and changed. */
#define KINEMATIC_IMPLEMENTATION
#include "kinematic.h"
#include "worlds.h"

UTEST_MAIN()

static void run(kin_world *world, int steps)
{
    while (steps-- > 0) kin_world_step(world, 1.0f / 60);
}

/* ---- reading back ------------------------------------------------------------------------------------------------ */

UTEST(read, gravity_and_up)
{
    test_log   log;
    kin_world *world = quiet_world(&log);
    EXPECT_TRUE(near_to(at(0, -30), kin_world_get_gravity(world), 0) && near_to(at(0, 1), kin_world_get_up(world), 0));
    EXPECT_TRUE(kin_world_set_up(world, at(3, 0)));
    EXPECT_TRUE(near_to(at(1, 0), kin_world_get_up(world), 1e-6f));
    EXPECT_TRUE(kin_world_set_up(world, at(0, 0)));                       /* against gravity again */
    EXPECT_TRUE(near_to(at(0, 1), kin_world_get_up(world), 1e-6f));
    EXPECT_FALSE(kin_world_set_up(world, at(NAN, 0)));
    EXPECT_TRUE(near_to(at(0, 1), kin_world_get_up(world), 1e-6f));
    kin_world_destroy(world);
}

UTEST(read, things)
{
    test_log   log;
    kin_world *world = quiet_world(&log);
    kin_id     box = add_static(world, kin_box(size(4, 2)), at(1, 2)), ball = add_body(world, kin_ball(0.5f), at(9, 9));
    kin_shape  shape, again = kin_box(size(4, 2));
    kin_vec    low, high;
    kin_pose   place = pose(at(5, 6), 0.5f);
    uint32_t   layer, mask;
    EXPECT_TRUE(kin_get_form(world, box) == KIN_FORM_SHAPE);
    EXPECT_TRUE(kin_get_shape(world, box, &shape) && shape.count == again.count && shape.radius == again.radius);
    EXPECT_TRUE(kin_get_shape(world, ball, &shape) && shape.count == 1 && shape.radius == 0.5f);
    EXPECT_TRUE(kin_get_bounds(world, box, &low, &high));
    EXPECT_TRUE(low.x == -1 && low.y == 1 && high.x == 3 && high.y == 3);
    EXPECT_TRUE(kin_set_filter(world, ball, 6, 9) && kin_get_filter(world, ball, &layer, &mask));
    EXPECT_TRUE(layer == 6 && mask == 9);
    EXPECT_TRUE(kin_is_enabled(world, ball) && kin_set_enabled(world, ball, false) && !kin_is_enabled(world, ball));
    EXPECT_FALSE(kin_is_sensor(world, box));
    EXPECT_TRUE(kin_set_pose(world, ball, place));
    EXPECT_TRUE(near_to(at(5, 6), kin_get_position(world, ball), 0));
    EXPECT_TRUE(same_rot(kin_get_rotation(world, ball), place.q));
    EXPECT_EQ(0, log.lines);
    EXPECT_FALSE(kin_set_pose(world, ball, pose(at(NAN, 6), 0)));
    EXPECT_FALSE(kin_get_shape(world, box, NULL));
    EXPECT_FALSE(kin_get_bounds(world, handle(77, 1), &low, &high));
    EXPECT_EQ(3, log.lines);
    kin_world_destroy(world);
}

UTEST(read, static_options)
{
    test_log        log;
    kin_world      *world = quiet_world(&log);
    kin_id          belt = add_static(world, kin_box(size(20, 1)), at(0, -0.5f));
    kin_id          body = add_body(world, kin_ball(0.5f), at(0, 0.502f));
    kin_static_desc options;
    kin_vec         before;
    run(world, 10);
    EXPECT_TRUE(kin_get_static_options(world, belt, &options));
    EXPECT_TRUE(near_to(at(0, -0.5f), options.position, 0) && options.layer == 1 && !options.sensor);
    options.surface_velocity = at(2, 0);
    EXPECT_TRUE(kin_set_static_options(world, belt, &options));
    before = kin_get_position(world, body);
    run(world, 60);
    EXPECT_TRUE(near_to(kini_add(before, at(2, 0)), kin_get_position(world, body), 0.05f));
    options.sensor = true;
    EXPECT_TRUE(kin_set_static_options(world, belt, &options) && kin_is_sensor(world, belt));
    run(world, 60);
    EXPECT_TRUE(kin_get_position(world, body).y < -5);   /* it falls through */
    kin_world_destroy(world);
}

UTEST(read, body_numbers)
{
    test_log      log;
    kin_world    *world = quiet_world(&log);
    kin_id        body = add_body(world, kin_ball(0.5f), at(0, 5)), other;
    kin_body_desc options;
    EXPECT_TRUE(kin_set_gravity_scale(world, body, 0));
    run(world, 30);
    EXPECT_TRUE(near_to(at(0, 5), kin_get_position(world, body), 0));
    EXPECT_TRUE(kin_get_body_options(world, body, &options) && options.no_gravity_scale);
    EXPECT_TRUE(kin_set_body_options(world, body, &options));           /* a get and a set change nothing */
    run(world, 30);
    EXPECT_TRUE(near_to(at(0, 5), kin_get_position(world, body), 0));
    options.position = at(4, 5);
    other = kin_add_body(world, &options);
    EXPECT_TRUE(kin_set_leftover(world, other, at(3, 0)));
    run(world, 60);
    EXPECT_TRUE(near_to(at(7, 5), kin_get_position(world, other), 1e-4f));
    EXPECT_TRUE(near_to(at(3, 0), kin_get_leftover(world, other), 0) && near_to(at(0, 0), kin_get_velocity(world, other), 0));
    EXPECT_FALSE(kin_set_leftover(world, other, at(INFINITY, 0)) || kin_set_gravity_scale(world, other, NAN));
    kin_world_destroy(world);
}

UTEST(read, walls_and_ceilings)
{
    test_log      log;
    kin_world    *world = quiet_world(&log);
    kin_id        wall = add_static(world, kin_box(size(1, 10)), at(1.5f, 5)), hero, roof;
    kin_body_desc desc = body_desc(kin_box(size(1, 1)), at(0.49f, 0.502f));
    kin_contact   contact;
    add_static(world, kin_box(size(20, 1)), at(0, -0.5f));
    hero = kin_add_body(world, &desc);
    run(world, 5);
    EXPECT_FALSE(kin_get_ceiling(world, hero, &contact));
    EXPECT_EQ(kin_on_wall(world, hero), kin_get_wall(world, hero, &contact));
    kin_set_velocity(world, hero, at(3, 0));
    run(world, 2);
    EXPECT_TRUE(kin_on_wall(world, hero) && kin_get_wall(world, hero, &contact));
    EXPECT_TRUE(kin_same(wall, contact.other) && near_to(at(-1, 0), contact.normal, 1e-5f));
    roof = add_static(world, kin_box(size(20, 1)), at(0, 1.51f));
    run(world, 2);
    EXPECT_TRUE(kin_on_ceiling(world, hero) && kin_get_ceiling(world, hero, &contact));
    EXPECT_TRUE(kin_same(roof, contact.other) && near_to(at(0, -1), contact.normal, 1e-5f));
    kin_remove(world, roof);
    EXPECT_FALSE(kin_get_ceiling(world, hero, &contact));                 /* dead handles are not told */
    kin_world_destroy(world);
}
