/* SPDX-License-Identifier: MIT OR Unlicense

   Worlds: defaults, getters and setters of statics, movers and bodies, options, draw poses, shapes in place, walking
   over all things, the hash. */
#include "draw.c"
#include "worlds.h"

UTEST_MAIN()

/* ---- the world ---------------------------------------------------------------------------------------------------- */

UTEST(world, defaults_are_filled_in)
{
    kin_world *world = kin_world_create(NULL);
    ASSERT_TRUE(world != NULL);
    EXPECT_EQ(128.0f, world->desc.rate);
    EXPECT_EQ(1.0f, world->desc.max_catch_up);
    EXPECT_EQ(1.0f, world->desc.unit);
    EXPECT_EQ(1e5f, world->desc.max_speed);
    EXPECT_EQ(10, world->desc.max_rounds);
    EXPECT_EQ(16, world->desc.max_contacts);
    EXPECT_EQ(1024, world->desc.max_events);
    EXPECT_TRUE(kini_is_zero(world->up));
    EXPECT_EQ(0u, (unsigned)kin_world_steps(world));
    EXPECT_EQ(0.0f, kin_world_alpha(world));
    EXPECT_EQ(0.0, kin_world_dropped(world));
    EXPECT_FALSE(kin_world_overflowed(world));
    kin_world_destroy(world);
    kin_world_destroy(NULL);
}

UTEST(world, max_speed_follows_unit)
{
    kin_world_desc desc;
    kin_world     *world;
    memset(&desc, 0, sizeof desc);
    desc.unit = 16;
    world = kin_world_create(&desc);
    EXPECT_EQ(16e5f, world->desc.max_speed);
    kin_world_destroy(world);
}

UTEST(world, up_is_against_gravity_until_told_otherwise)
{
    kin_world_desc desc;
    kin_world     *world;
    memset(&desc, 0, sizeof desc);
    desc.gravity = at(0, -30);
    world = kin_world_create(&desc);
    EXPECT_TRUE(same_vec(at(0, 1), world->up));
    EXPECT_TRUE(kin_world_set_gravity(world, at(5, 0)));
    EXPECT_TRUE(near_to(at(-1, 0), world->up, 0));
    EXPECT_TRUE(kin_world_set_gravity(world, at(0, 0)));   /* without gravity the last up is kept */
    EXPECT_TRUE(near_to(at(-1, 0), world->up, 0));
    kin_world_destroy(world);

    desc.up = at(3, 0);
    world = kin_world_create(&desc);
    EXPECT_TRUE(near_to(at(1, 0), world->up, 0));
    EXPECT_TRUE(kin_world_set_gravity(world, at(0, 10)));  /* set by hand: gravity does not turn it */
    EXPECT_TRUE(near_to(at(1, 0), world->up, 0));
    kin_world_destroy(world);
}

UTEST(world, walks_over_a_kind_in_slot_order)
{
    test_log   log;
    kin_world *world = quiet_world(&log);
    kin_shape  ball = kin_ball(1);
    kin_id     a = add_static(world, ball, at(0, 0)), b = add_body(world, ball, at(9, 0)), c = add_mover(world, ball, at(18, 0));
    kin_id     d = add_body(world, ball, at(27, 0)), id;
    int        count = 0;
    EXPECT_TRUE(kin_same(a, kin_next(world, KIN_NOTHING, nobody())));
    EXPECT_TRUE(kin_same(b, kin_next(world, KIN_NOTHING, a)));
    EXPECT_TRUE(kin_same(c, kin_next(world, KIN_NOTHING, b)));
    EXPECT_TRUE(kin_same(d, kin_next(world, KIN_NOTHING, c)));
    EXPECT_TRUE(kin_same(nobody(), kin_next(world, KIN_NOTHING, d)));
    EXPECT_TRUE(kin_same(b, kin_next(world, KIN_BODY, nobody())));
    EXPECT_TRUE(kin_same(d, kin_next(world, KIN_BODY, b)));
    EXPECT_TRUE(kin_same(c, kin_next(world, KIN_MOVER, nobody())));
    EXPECT_TRUE(kin_same(nobody(), kin_next(world, KIN_STATIC, a)));
    for (id = kin_next(world, KIN_NOTHING, nobody()); id.slot; id = kin_next(world, KIN_NOTHING, id)) {
        EXPECT_TRUE(kin_remove(world, id));   /* removing what one meets does not end the walk */
        count++;
    }
    EXPECT_EQ(4, count);
    EXPECT_EQ(0u, kin_next(world, KIN_NOTHING, nobody()).slot);
    EXPECT_EQ(0, log.lines);
    kin_world_destroy(world);
}

/* ---- getters and setters ----------------------------------------------------------------------------------------- */

UTEST(world, a_static_tells_what_it_was_given)
{
    test_log        log;
    kin_world      *world = quiet_world(&log);
    kin_static_desc desc = static_desc(kin_box(size(2, 1)), at(3, 4));
    int             mine;
    kin_id          id;
    desc.rotation = turned(0.5f);
    desc.user = &mine;
    id = kin_add_static(world, &desc);
    EXPECT_TRUE(kin_alive(world, id));
    EXPECT_EQ((int)KIN_STATIC, (int)kin_get_kind(world, id));
    EXPECT_TRUE(same_vec(at(3, 4), kin_get_position(world, id)));
    EXPECT_TRUE(same_rot(turned(0.5f), kin_get_rotation(world, id)));
    EXPECT_TRUE(kin_get_user(world, id) == &mine);
    EXPECT_TRUE(same_vec(at(0, 0), kin_get_velocity(world, id)));
    EXPECT_TRUE(same_vec(at(0, 0), kin_get_motion(world, id)));
    EXPECT_TRUE(kin_set_user(world, id, NULL));
    EXPECT_TRUE(kin_get_user(world, id) == NULL);
    EXPECT_TRUE(kin_set_position(world, id, at(-1, -2)));
    EXPECT_TRUE(kin_set_rotation(world, id, turned(1)));
    EXPECT_TRUE(same_vec(at(-1, -2), kin_get_draw_pose(world, id).p));
    EXPECT_TRUE(same_rot(turned(1), kin_get_draw_pose(world, id).q));
    EXPECT_EQ(0, log.lines);
    kin_world_destroy(world);
}

UTEST(world, a_rotation_of_zeros_is_not_turned_and_others_get_length_one)
{
    test_log        log;
    kin_world      *world = quiet_world(&log);
    kin_static_desc desc = static_desc(kin_box(size(2, 1)), at(0, 0));
    kin_id          id = kin_add_static(world, &desc);
    kin_rot         q = kin_get_rotation(world, id);
    EXPECT_TRUE(kini_is_unturned(q));
    EXPECT_TRUE(kin_set_rotation(world, id, kini_rot_scale(turned(0.7f), 5)));
    q = kin_get_rotation(world, id);
    EXPECT_TRUE(fabsf(kini_rot_len2(q) - 1) < 1e-6f);
    EXPECT_TRUE(near_to(kini_rotate(turned(0.7f), at(1, 2)), kini_rotate(q, at(1, 2)), 1e-6f));
    kin_world_destroy(world);
}

static void steer(kin_world *world, kin_id id, float dt, void *user) { (void)world; (void)id; (void)dt; (void)user; }
static void steer_otherwise(kin_world *world, kin_id id, float dt, void *user) { (void)world; (void)id; (void)dt; (void)user; }

UTEST(world, a_mover_tells_what_it_was_given)
{
    test_log       log;
    kin_world     *world = quiet_world(&log);
    kin_mover_desc desc = mover_desc(kin_box(size(4, 1)), at(1, 2)), out;
    kin_id         id;
    desc.velocity = at(3, 0);
    desc.spin = spin(0.25f);
    desc.layer = 4;
    desc.mask = 6;
    desc.one_way = at(0, 2);
    desc.surface_velocity = at(1, 0);
    desc.control = steer;
    desc.carry = KIN_CARRY_ACROSS_GRAVITY;
    desc.on_blocked = KIN_BLOCKED_STOP;
    id = kin_add_mover(world, &desc);
    EXPECT_EQ((int)KIN_MOVER, (int)kin_get_kind(world, id));
    EXPECT_TRUE(same_vec(at(3, 0), kin_get_velocity(world, id)));
    EXPECT_EQ(0.25f, spin_rate(kin_get_spin(world, id)));
    EXPECT_EQ(1, world->stop_movers);
    ASSERT_TRUE(kin_get_mover_options(world, id, &out));
    EXPECT_TRUE(same_vec(at(0, 1), out.one_way));
    EXPECT_TRUE(same_vec(at(1, 0), out.surface_velocity));
    EXPECT_TRUE(out.control == steer);
    EXPECT_EQ((int)KIN_CARRY_ACROSS_GRAVITY, (int)out.carry);
    EXPECT_EQ((int)KIN_BLOCKED_STOP, (int)out.on_blocked);
    EXPECT_EQ(4u, out.layer);
    EXPECT_EQ(6u, out.mask);
    EXPECT_TRUE(same_vec(at(3, 0), out.velocity));
    EXPECT_TRUE(same_vec(at(1, 2), out.position));
    EXPECT_EQ(4, KINEMATIC_DIM == 2 ? out.shape.count : out.shape.count / 2);

    out.on_blocked = KIN_BLOCKED_PASS;
    out.carry = KIN_CARRY_NONE;
    out.control = steer_otherwise;
    out.velocity = at(50, 50);   /* told, but not taken */
    out.one_way = at(0, 0);
    ASSERT_TRUE(kin_set_mover_options(world, id, &out));
    ASSERT_TRUE(kin_get_mover_options(world, id, &out));
    EXPECT_TRUE(out.control == steer_otherwise);
    EXPECT_EQ((int)KIN_CARRY_NONE, (int)out.carry);
    EXPECT_EQ((int)KIN_BLOCKED_PASS, (int)out.on_blocked);
    EXPECT_EQ(0, world->stop_movers);
    EXPECT_TRUE(same_vec(at(3, 0), kin_get_velocity(world, id)));
    EXPECT_TRUE(kini_is_zero(kini_one_way_of(world, id.slot)));

    EXPECT_TRUE(kin_set_velocity(world, id, at(0, 7)));
    EXPECT_TRUE(kin_set_spin(world, id, spin(-1)));
    EXPECT_TRUE(same_vec(at(0, 7), kin_get_velocity(world, id)));
    EXPECT_EQ(-1.0f, spin_rate(kin_get_spin(world, id)));
    EXPECT_EQ(0, log.lines);
    kin_world_destroy(world);
}

UTEST(world, the_last_order_to_a_mover_counts)
{
    test_log    log;
    kin_world  *world = quiet_world(&log);
    kin_id      id = add_mover(world, kin_box(size(4, 1)), at(0, 0));
    kini_mover *row = mover_row(world, id);
    EXPECT_TRUE(kin_set_velocity(world, id, at(1, 0)));
    EXPECT_TRUE(kin_move_to(world, id, at(5, 5), turned(0.5f)));
    EXPECT_TRUE(row->state & KINI_HAS_TARGET);
    EXPECT_TRUE(same_vec(at(5, 5), row->target.p));
    EXPECT_TRUE(same_vec(at(0, 0), kin_get_velocity(world, id)));   /* it will stand there */
    EXPECT_TRUE(kin_set_velocity(world, id, at(2, 0)));
    EXPECT_FALSE(row->state & KINI_HAS_TARGET);
    EXPECT_TRUE(kin_move_to(world, id, at(5, 5), turned(0.5f)));
    EXPECT_TRUE(kin_set_position(world, id, at(1, 1)));
    EXPECT_FALSE(row->state & KINI_HAS_TARGET);
    EXPECT_TRUE(row->state & KINI_TELEPORTED);
    EXPECT_TRUE(same_vec(at(1, 1), row->before.p));
    kin_world_destroy(world);
}

UTEST(world, body_options_go_in_and_come_out)
{
    test_log      log;
    kin_world    *world = quiet_world(&log);
    kin_body_desc desc = body_desc(kin_capsule(1.8f, 0.4f), at(1, 2)), out;
    uint64_t      hash;
    int           mine;
    kin_id        id = kin_add_body(world, &desc);
    ASSERT_TRUE(kin_get_body_options(world, id, &out));
    EXPECT_EQ(0.785398163f, out.max_slope);   /* defaults as they are now */
    EXPECT_EQ(0.1f, out.snap);
    EXPECT_EQ(1.0f, out.gravity_scale);
    EXPECT_EQ(1.0f, out.weight);
    EXPECT_EQ(1u, out.layer);
    EXPECT_EQ(0xFFFFFFFFu, out.mask);
    EXPECT_EQ(0.4f, out.shape.radius);
    EXPECT_EQ(2, out.shape.count);

    hash = kin_world_hash(world);
    ASSERT_TRUE(kin_set_body_options(world, id, &out));   /* what comes out goes in and changes nothing */
    EXPECT_TRUE(hash == kin_world_hash(world));

    out.push = KIN_UNPUSHABLE;
    out.ride = KIN_RIDE_PHYSICAL;
    out.leave = KIN_LEAVE_NONE;
    out.on_crush = KIN_CRUSH_DISABLE;
    out.slope = KIN_SLOPE_HORIZONTAL_SPEED;
    out.max_slope = 1;
    out.snap = -1;
    out.step_height = 0.3f;
    out.corner_nudge = 0.2f;
    out.gravity_scale = -0.5f;
    out.weightless = out.report_continued = out.glide = out.keep_facing = out.sensor = out.disabled = true;
    out.leftover_fade = 1;
    out.bounce = 0.5f;
    out.weight = 4;
    out.max_push = -1;
    out.control = steer;
    out.user = &mine;
    out.layer = out.mask = 8;
    out.velocity = out.position = at(99, 99);
    ASSERT_TRUE(kin_set_body_options(world, id, &out));
    memset(&desc, 0x55, sizeof desc);
    ASSERT_TRUE(kin_get_body_options(world, id, &desc));
    EXPECT_EQ((int)KIN_UNPUSHABLE, (int)desc.push);
    EXPECT_EQ((int)KIN_RIDE_PHYSICAL, (int)desc.ride);
    EXPECT_EQ((int)KIN_LEAVE_NONE, (int)desc.leave);
    EXPECT_EQ((int)KIN_CRUSH_DISABLE, (int)desc.on_crush);
    EXPECT_EQ((int)KIN_SLOPE_HORIZONTAL_SPEED, (int)desc.slope);
    EXPECT_EQ(1.0f, desc.max_slope);
    EXPECT_EQ(-1.0f, desc.snap);
    EXPECT_EQ(0.3f, desc.step_height);
    EXPECT_EQ(0.2f, desc.corner_nudge);
    EXPECT_EQ(-0.5f, desc.gravity_scale);
    EXPECT_EQ(1.0f, desc.leftover_fade);
    EXPECT_TRUE(kini_equal(0.5f, desc.bounce) && kini_equal(4, desc.weight) && kini_equal(-1, desc.max_push));
    EXPECT_TRUE(desc.weightless && desc.report_continued && desc.glide && desc.keep_facing && desc.sensor && desc.disabled);
    EXPECT_TRUE(desc.control == steer);
    EXPECT_TRUE(desc.user == NULL);            /* not taken: user, filter, velocity, place */
    EXPECT_EQ(1u, desc.layer);
    EXPECT_TRUE(same_vec(at(0, 0), desc.velocity));
    EXPECT_TRUE(same_vec(at(1, 2), desc.position));
    EXPECT_TRUE(kin_set_push(world, id, KIN_INTANGIBLE));
    ASSERT_TRUE(kin_get_body_options(world, id, &desc));
    EXPECT_EQ((int)KIN_INTANGIBLE, (int)desc.push);
    kin_world_destroy(world);
}

UTEST(world, max_slope_of_a_right_angle_is_taken)
{
    test_log      log;
    kin_world    *world = quiet_world(&log);
    kin_body_desc desc = body_desc(kin_ball(1), at(0, 0));
    kin_id        id;
    desc.max_slope = 1.57079633f;
    id = kin_add_body(world, &desc);
    ASSERT_TRUE(kin_alive(world, id));
    EXPECT_TRUE(body_row(world, id)->stable_cos >= 0 && body_row(world, id)->stable_cos < 1e-6f);
    kin_world_destroy(world);
}

UTEST(world, velocity_is_limited_not_refused)
{
    test_log   log;
    kin_world *world = quiet_world(&log);
    kin_id     id = add_body(world, kin_ball(1), at(0, 0));
    EXPECT_TRUE(kin_set_velocity(world, id, at(1e30f, 0)));
    EXPECT_TRUE(same_vec(at(1e5f, 0), kin_get_velocity(world, id)));
    EXPECT_TRUE(kin_set_velocity(world, id, at(-3e5f, 4e5f)));
    EXPECT_TRUE(near_to(at(-6e4f, 8e4f), kin_get_velocity(world, id), 0.02f));
    EXPECT_TRUE(kin_set_velocity(world, id, at(6e4f, 8e4f)));
    EXPECT_TRUE(same_vec(at(6e4f, 8e4f), kin_get_velocity(world, id)));
    EXPECT_EQ(0, log.lines);
    kin_world_destroy(world);
}

/* ---- teleports and drawing ----------------------------------------------------------------------------------------- */

UTEST(world, draw_pose_lies_between_the_last_two_steps)
{
    test_log   log;
    kin_world *world = quiet_world(&log);
    kin_id     body = add_body(world, kin_ball(1), at(10, 0)), mover = add_mover(world, kin_box(size(2, 2)), at(0, 4));
    kin_pose   drawn;
    body_row(world, body)->drawn.p = at(9, 0);
    mover_row(world, mover)->drawn = pose(at(0, 0), -0.4f);
    kini_place(world, mover.slot, at(0, 4), turned(0.4f));
    world->time_left = 0.25 / 128;
    EXPECT_EQ(0.25f, kin_world_alpha(world));
    EXPECT_TRUE(near_to(at(9.25f, 0), kin_get_draw_pose(world, body).p, 1e-6f));
    world->time_left = 0.5 / 128;
    drawn = kin_get_draw_pose(world, mover);
    EXPECT_TRUE(near_to(at(0, 2), drawn.p, 1e-6f));
    EXPECT_TRUE(near_to(at(1, 0), kini_rotate(drawn.q, at(1, 0)), 1e-6f));
    world->time_left = 0.1 / 128;
    EXPECT_TRUE(fabsf(kini_rot_len2(kin_get_draw_pose(world, mover).q) - 1) < 1e-6f);
    EXPECT_TRUE(kin_set_position(world, body, at(50, 0)));   /* no streak from the old place */
    EXPECT_TRUE(kin_set_position(world, mover, at(0, 50)));
    EXPECT_TRUE(same_vec(at(50, 0), kin_get_draw_pose(world, body).p));
    EXPECT_TRUE(same_vec(at(0, 50), kin_get_draw_pose(world, mover).p));
    kin_world_destroy(world);
}

UTEST(world, a_step_longer_than_the_catch_up_is_made)
{
    static const float rates[] = { 0.25f, 0.9f, 128 };
    int i, k;
    for (i = 0; i < 3; i++) {
        kin_world_desc desc;
        kin_world     *world;
        memset(&desc, 0, sizeof desc);
        desc.rate = rates[i];
        desc.max_catch_up = 0.005f;
        world = kin_world_create(&desc);
        for (k = 0; k < 1024 && kin_world_steps(world) == 0; k++) kin_world_advance(world, 1.0 / 128);
        EXPECT_TRUE(fabs(k - 128 / (double)rates[i]) <= 1);
        EXPECT_EQ(0.0, kin_world_dropped(world));
        EXPECT_EQ(1, kin_world_advance(world, 20));   /* never more than one at a time */
        EXPECT_TRUE(kin_world_dropped(world) > 0);
        kin_world_destroy(world);
    }
}

static kini_contact touching(kin_id other, kin_vec normal)
{
    kini_contact contact;
    memset(&contact, 0, sizeof contact);
    contact.other = other;
    contact.normal = normal;
    contact.part = -1;
    contact.flags = KINI_CONTACT_TOUCH;
    return contact;
}

UTEST(world, teleported_bodies_stand_nowhere_and_touch_nothing)
{
    test_log    log;
    kin_world  *world = quiet_world(&log);
    kin_id      floor = add_static(world, kin_box(size(9, 1)), at(0, -1)), id = add_body(world, kin_ball(0.5f), at(0, 0));
    kini_body  *body = body_row(world, id);
    kin_contact contact;
    kin_id      rider;
    body->stand.id = floor;
    body->stand.footing = KIN_STABLE;
    body->stand.normal = at(0, 1);
    body->state = KINI_BODY_ON_WALL | KINI_BODY_CRUSHED;
    body->velocity = at(3, 4);
    body->contact_count = 1;
    *kini_contacts_of(world, world->things.at[id.slot].row) = touching(floor, at(0, 1));
    EXPECT_TRUE(kin_on_ground(world, id));
    EXPECT_TRUE(kin_on_wall(world, id));
    EXPECT_FALSE(kin_on_ceiling(world, id));
    EXPECT_TRUE(kin_is_crushed(world, id));
    EXPECT_FALSE(kin_is_embedded(world, id));
    EXPECT_EQ(1, kin_get_contacts(world, id, &contact, 1));
    EXPECT_TRUE(kin_same(floor, contact.other) && same_vec(at(0, 1), contact.normal));
    EXPECT_EQ(1, kin_get_contacts(world, floor, &contact, 1));
    EXPECT_TRUE(kin_same(id, contact.other) && near_to(at(0, -1), contact.normal, 0));   /* seen from the other side */
    EXPECT_EQ(1, kin_get_contacts(world, floor, NULL, 0));
    EXPECT_EQ(1, kin_get_riders(world, floor, &rider, 1));
    EXPECT_TRUE(kin_same(id, rider));
    EXPECT_TRUE(kin_same(floor, kin_get_ground(world, id).id));

    EXPECT_TRUE(kin_set_rotation(world, id, turned(1)));   /* facing about is no teleport */
    EXPECT_TRUE(kin_on_ground(world, id));
    EXPECT_TRUE(kin_set_position(world, id, at(100, 0)));
    EXPECT_FALSE(kin_on_ground(world, id));
    EXPECT_FALSE(kin_on_wall(world, id));
    EXPECT_EQ(0, kin_get_contacts(world, id, &contact, 1));
    EXPECT_EQ(0, kin_get_contacts(world, floor, &contact, 1));
    EXPECT_EQ(0, kin_get_riders(world, floor, &rider, 1));
    EXPECT_EQ((int)KIN_AIR, (int)kin_get_ground(world, id).footing);
    EXPECT_EQ(-1, kin_get_ground(world, id).part);
    EXPECT_EQ((int)KIN_STABLE, (int)body->last.footing);   /* the step can still tell that it left */
    EXPECT_TRUE(same_vec(at(3, 4), kin_get_velocity(world, id)));
    EXPECT_TRUE(same_vec(at(100, 0), body->start.p));
    kin_world_destroy(world);
}

UTEST(world, riders_come_in_slot_order_and_only_as_many_as_fit)
{
    test_log   log;
    kin_world *world = quiet_world(&log);
    kin_id     floor = add_static(world, kin_box(size(9, 1)), at(0, -1)), bodies[9], out[4];
    int        i;
    for (i = 0; i < 9; i++) bodies[i] = add_body(world, kin_ball(0.5f), at((float)i, 0));
    kin_remove(world, bodies[2]);
    kin_remove(world, bodies[5]);
    bodies[5] = add_body(world, kin_ball(0.5f), at(5, 0));   /* rows and slots no longer run alike */
    bodies[2] = add_body(world, kin_ball(0.5f), at(2, 0));
    for (i = 0; i < 9; i++) {
        body_row(world, bodies[i])->stand.id = floor;
        body_row(world, bodies[i])->stand.footing = KIN_STABLE;
    }
    EXPECT_EQ(9, kin_get_riders(world, floor, out, 4));
    for (i = 1; i < 4; i++) EXPECT_TRUE(out[i - 1].slot < out[i].slot);
    EXPECT_EQ(bodies[0].slot, out[0].slot);
    EXPECT_EQ(bodies[0].slot + 3, out[3].slot);
    kin_world_destroy(world);
}

UTEST(world, drops_only_through_one_way_ground)
{
    test_log        log;
    kin_world      *world = quiet_world(&log);
    kin_static_desc desc = static_desc(kin_box(size(9, 1)), at(0, -1));
    kin_id          solid = kin_add_static(world, &desc), open, id = add_body(world, kin_ball(0.5f), at(0, 0));
    kini_body      *body = body_row(world, id);
    desc.one_way = at(0, 1);
    open = kin_add_static(world, &desc);
    EXPECT_FALSE(kin_drop_through(world, id));
    body->stand.id = solid;
    body->stand.footing = KIN_STABLE;
    EXPECT_FALSE(kin_drop_through(world, id));
    body->stand.id = open;
    EXPECT_TRUE(kin_drop_through(world, id));
    EXPECT_TRUE(body->state & KINI_BODY_DROPS);
    EXPECT_TRUE(kin_same(open, body->drops_through));
    EXPECT_EQ(0, log.lines);   /* asking for it on solid ground is no mistake */
    kin_world_destroy(world);
}

/* ---- parts of movers ------------------------------------------------------------------------------------------------ */

UTEST(world, what_is_attached_goes_with_its_mover)
{
    test_log        log;
    kin_world      *world = quiet_world(&log);
    kin_id          mover = add_mover(world, kin_box(size(4, 1)), at(10, 0)), part, other;
    kin_static_desc desc = static_desc(kin_box(size(1, 1)), at(2, 1));
    kin_hit         hit;
    desc.attach = mover;
    desc.one_way = at(0, 1);
    part = kin_add_static(world, &desc);
    other = kin_add_static(world, &desc);
    EXPECT_TRUE(near_to(at(12, 1), kin_get_position(world, part), 1e-6f));
    EXPECT_TRUE(kin_set_rotation(world, mover, turned(1.57079633f)));
    EXPECT_TRUE(near_to(at(9, 2), kin_get_position(world, part), 1e-5f));
    EXPECT_TRUE(near_to(at(-1, 0), kini_one_way_of(world, part.slot), 1e-6f));
    kini_place(world, mover.slot, at(20, 0), turned(0));
    EXPECT_TRUE(near_to(at(22, 1), kin_get_position(world, part), 1e-5f));
    EXPECT_TRUE(kin_cast_ray(world, at(22, 5), at(0, -5), NULL, &hit));
    EXPECT_TRUE(kin_same(part, hit.id));
    EXPECT_TRUE(kin_set_position(world, part, at(30, 3)));       /* a place in the world, also for a part */
    EXPECT_TRUE(kin_set_position(world, mover, at(0, 0)));
    EXPECT_TRUE(near_to(at(10, 3), kin_get_position(world, part), 1e-5f));
    mover_row(world, mover)->drawn.p = at(-1, 0);
    EXPECT_TRUE(near_to(at(9, 3), kin_get_draw_pose(world, part).p, 1e-5f));
    EXPECT_TRUE(kin_remove(world, other));
    EXPECT_EQ(1, world->attached);
    EXPECT_TRUE(kin_remove(world, mover));
    EXPECT_FALSE(kin_alive(world, part));
    EXPECT_EQ(0, world->attached);
    EXPECT_EQ(0u, kin_next(world, KIN_NOTHING, nobody()).slot);
    EXPECT_EQ(0, log.lines);
    kin_world_destroy(world);
}

UTEST(world, a_movers_box_covers_the_way_it_came)
{
    test_log   log;
    kin_world *world = quiet_world(&log);
    kin_id     mover = add_mover(world, kin_box(size(6, 0.2f)), at(0, 0));
    int32_t    found[4];
    kini_place(world, mover.slot, at(50, 0), turned(0));
    EXPECT_EQ(1, kini_tree_collect(&world->trees[KIN_MOVER], at(25, 0), at(25, 0), found, 4));
    kini_place(world, mover.slot, at(50, 0), turned(3.14159265f));   /* half a turn sweeps a full disc */
    EXPECT_EQ(1, kini_tree_collect(&world->trees[KIN_MOVER], at(50, 2.9f), at(50, 2.9f), found, 4));
    kini_place(world, mover.slot, at(50, 0), turned(3.14159265f));
    EXPECT_EQ(0, kini_tree_collect(&world->trees[KIN_MOVER], at(50, 2.9f), at(50, 2.9f), found, 4));
    EXPECT_TRUE(kin_set_position(world, mover, at(90, 0)));          /* a teleport comes no way */
    EXPECT_EQ(0, kini_tree_collect(&world->trees[KIN_MOVER], at(70, 0), at(70, 0), found, 4));
    EXPECT_EQ(1, kini_tree_collect(&world->trees[KIN_MOVER], at(90, 0), at(90, 0), found, 4));
    kin_world_destroy(world);
}

/* ---- shapes in place ------------------------------------------------------------------------------------------------- */

UTEST(world, crouching_keeps_the_feet)
{
    test_log   log;
    kin_world *world = quiet_world(&log);
    kin_id     id = add_body(world, kin_box(size(1, 2)), at(0, 1));
    kin_shape  low = kin_box(size(1, 1)), tall = kin_box(size(1, 2)), wide = kin_box(size(2, 2)), capsule = kin_capsule(2, 0.5f);
    kin_id     floor = add_static(world, kin_box(size(20, 1)), at(0, -0.5f)), lid = add_static(world, kin_box(size(20, 1)), at(0, 2.5f));
    uint64_t   hash;
    kin_id     found[4];
    EXPECT_TRUE(kin_set_shape(world, id, &low));
    EXPECT_TRUE(near_to(at(0, 0.5f), kin_get_position(world, id), 1e-6f));
    EXPECT_TRUE(near_to(at(0, 0.5f), body_row(world, id)->drawn.p, 1e-6f));
    EXPECT_TRUE(kin_set_position(world, lid, at(0, 2)));          /* ceiling at 1.5 */
    hash = kin_world_hash(world);
    EXPECT_FALSE(kin_set_shape(world, id, &tall));
    EXPECT_FALSE(kin_set_shape(world, id, &capsule));
    EXPECT_TRUE(hash == kin_world_hash(world));
    EXPECT_TRUE(kin_set_position(world, lid, at(0, 2.5f)));
    EXPECT_TRUE(kin_set_shape(world, id, &capsule));
    EXPECT_TRUE(near_to(at(0, 1), kin_get_position(world, id), 1e-6f));
    EXPECT_EQ(1, kin_overlap(world, &low, pose(at(0, 1.4f), 0), NULL, found, 4));   /* it is where its shape says */
    add_static(world, kin_box(size(1, 1)), at(1.1f, 0.5f));
    EXPECT_FALSE(kin_set_shape(world, id, &wide));                /* no room beside a wall */
    EXPECT_TRUE(kin_remove(world, floor));
    EXPECT_EQ(0, log.lines);
    kin_world_destroy(world);
}

UTEST(world, room_is_judged_by_what_a_body_meets)
{
    test_log        log;
    kin_world      *world = quiet_world(&log);
    kin_shape       low = kin_box(size(1, 1)), tall = kin_box(size(1, 2));
    kin_id          id = add_body(world, low, at(0, 0.5f)), other;
    kin_static_desc desc = static_desc(kin_box(size(1, 0.2f)), at(0, 1.5f));
    desc.sensor = true;
    kin_add_static(world, &desc);
    desc.sensor = false;
    desc.disabled = true;
    kin_add_static(world, &desc);
    desc.disabled = false;
    desc.layer = 2;
    desc.mask = 2;
    kin_add_static(world, &desc);
    desc.layer = desc.mask = 0;
    desc.one_way = at(0, 1);
    kin_add_static(world, &desc);
    EXPECT_TRUE(kin_set_shape(world, id, &tall));
    EXPECT_TRUE(kin_set_shape(world, id, &low));
    other = add_body(world, low, at(0, 1.8f));
    EXPECT_FALSE(kin_set_shape(world, id, &tall));
    EXPECT_TRUE(kin_set_push(world, other, KIN_INTANGIBLE));
    EXPECT_TRUE(kin_set_shape(world, id, &tall));
    EXPECT_TRUE(kin_set_shape(world, id, &low));
    EXPECT_TRUE(kin_set_push(world, other, KIN_PUSHABLE));
    EXPECT_TRUE(kin_ignore(world, other, id, true));
    EXPECT_TRUE(kin_set_shape(world, id, &tall));
    EXPECT_TRUE(kin_set_shape(world, id, &low));
    EXPECT_TRUE(kin_ignore(world, other, id, false));
    EXPECT_FALSE(kin_set_shape(world, id, &tall));
    EXPECT_TRUE(kin_set_position(world, other, at(0, 0.6f)));     /* deep in it already: shrinking still works */
    tall = kin_box(size(0.8f, 0.8f));
    EXPECT_TRUE(kin_set_shape(world, id, &tall));
    EXPECT_EQ(0, log.lines);
    kin_world_destroy(world);
}

UTEST(world, a_lift_grows_from_its_bottom)
{
    test_log        log;
    kin_world      *world = quiet_world(&log);
    kin_id          lift = add_mover(world, kin_box(size(4, 1)), at(0, 0)), floor = add_static(world, kin_box(size(4, 1)), at(50, 0)), part;
    kin_shape       taller = kin_box(size(4, 1.2f));
    kin_static_desc desc = static_desc(kin_ball(0.2f), at(3, 0));
    kin_hit         hit;
    desc.attach = lift;
    part = kin_add_static(world, &desc);
    EXPECT_TRUE(kin_set_shape(world, lift, &taller));
    EXPECT_TRUE(near_to(at(0, 0.1f), kin_get_position(world, lift), 1e-6f));
    EXPECT_TRUE(near_to(at(3, 0), kin_get_position(world, part), 1e-6f));   /* its parts stay where they are */
    EXPECT_TRUE(kin_cast_ray(world, at(0, 5), at(0, -10), NULL, &hit));
    EXPECT_TRUE(near_to(at(0, 0.7f), hit.point, 1e-5f));
    EXPECT_TRUE(kin_set_shape(world, floor, &taller));
    EXPECT_TRUE(near_to(at(50, 0.1f), kin_get_position(world, floor), 1e-6f));
    kin_world_destroy(world);
}

/* ---- who meets whom ----------------------------------------------------------------------------------------------------- */

UTEST(world, two_things_meet_if_each_ones_layer_is_in_the_others_mask)
{
    test_log   log;
    kin_world *world = quiet_world(&log);
    kin_id     a = add_body(world, kin_ball(1), at(0, 0)), b = add_body(world, kin_ball(1), at(0, 0));
    EXPECT_TRUE(kini_meets(world, a.slot, b.slot));
    EXPECT_TRUE(kin_set_filter(world, a, 2, 0xFFFFFFFFu));
    EXPECT_TRUE(kin_set_filter(world, b, 4, 2));
    EXPECT_TRUE(kini_meets(world, a.slot, b.slot) && kini_meets(world, b.slot, a.slot));
    EXPECT_TRUE(kin_set_filter(world, a, 2, 1));                  /* one side alone is not enough */
    EXPECT_FALSE(kini_meets(world, a.slot, b.slot) || kini_meets(world, b.slot, a.slot));
    EXPECT_TRUE(kin_set_filter(world, a, 0, 0xFFFFFFFFu));        /* taken literally: no layer */
    EXPECT_FALSE(kini_meets(world, a.slot, b.slot));
    EXPECT_TRUE(kin_set_filter(world, a, 2, 4));
    EXPECT_TRUE(kin_set_enabled(world, b, false));
    EXPECT_FALSE(kini_meets(world, a.slot, b.slot));
    EXPECT_TRUE(kin_set_enabled(world, b, true));
    EXPECT_TRUE(kini_meets(world, a.slot, b.slot));
    kin_world_destroy(world);
}

UTEST(world, ignored_pairs_against_a_table)
{
    enum { COUNT = 20 };
    test_log   log;
    kin_world *world = quiet_world(&log);
    chance     c = { 7 };
    kin_id     ids[COUNT];
    bool       table[COUNT][COUNT];
    int        i, k, round;
    memset(table, 0, sizeof table);
    for (i = 0; i < COUNT; i++) ids[i] = add_body(world, kin_ball(1), at(0, 0));
    for (round = 0; round < 3000; round++) {
        int  a = below(&c, COUNT), b = below(&c, COUNT);
        bool ignore = below(&c, 2) != 0;
        if (a == b) {                                             /* a new thing in an old slot ignores nobody */
            EXPECT_TRUE(kin_remove(world, ids[a]));
            ids[a] = add_body(world, kin_ball(1), at(0, 0));
            for (k = 0; k < COUNT; k++) table[a][k] = table[k][a] = false;
        } else {
            EXPECT_TRUE(kin_ignore(world, ids[a], ids[b], ignore));
            table[a][b] = table[b][a] = ignore;
        }
        if (round % 30) continue;
        for (i = 0; i < COUNT; i++)
            for (k = 0; k < COUNT; k++)
                if (i != k) ASSERT_EQ(!table[i][k], kini_meets(world, ids[i].slot, ids[k].slot));
    }
    kin_world_destroy(world);
}

/* ---- the hash ------------------------------------------------------------------------------------------------------------- */

#define CHANGES(action) \
    do { uint64_t before = kin_world_hash(world); EXPECT_TRUE(action); EXPECT_TRUE(before != kin_world_hash(world)); } while (0)
#define KEEPS(action) \
    do { uint64_t before = kin_world_hash(world); EXPECT_TRUE(action); EXPECT_TRUE(before == kin_world_hash(world)); } while (0)

UTEST(world, the_hash_sees_what_matters_and_nothing_else)
{
    test_log   log;
    kin_world *world = quiet_world(&log);
    kin_id     body = add_body(world, kin_ball(1), at(0, 0)), mover = add_mover(world, kin_ball(1), at(9, 0));
    kin_shape  shape = kin_ball(2);
    int        mine;
    CHANGES(kin_set_position(world, body, at(1, 0)));
    CHANGES(kin_set_velocity(world, body, at(1, 0)));
    CHANGES(kin_set_rotation(world, body, turned(1)));
    CHANGES(kin_set_filter(world, body, 1, 7));
    CHANGES(kin_set_enabled(world, body, false));
    CHANGES(kin_set_push(world, body, KIN_UNPUSHABLE));
    CHANGES(kin_set_shape(world, body, &shape));
    CHANGES(kin_ignore(world, body, mover, true));
    CHANGES(kin_set_velocity(world, mover, at(1, 0)));
    CHANGES(kin_set_spin(world, mover, spin(1)));
    CHANGES(kin_move_to(world, mover, at(3, 3), turned(0)));
    CHANGES(kin_world_set_gravity(world, at(0, -10)));
    CHANGES(add_static(world, shape, at(0, 0)).slot != 0);
    CHANGES(kin_remove(world, mover));
    KEEPS(kin_set_user(world, body, &mine));
    KEEPS(kin_set_control(world, body, steer));
    KEEPS(kin_set_velocity(world, body, at(1, 0)));
    EXPECT_TRUE(kin_set_velocity(world, body, at(0, 0)));
    KEEPS(kin_set_velocity(world, body, at(-0.0f, -0.0f)));       /* zero has no sign */
    kin_world_destroy(world);
}

UTEST(world, the_same_calls_give_the_same_hash)
{
    uint64_t hashes[2];
    int      run, i;
    for (run = 0; run < 2; run++) {
        test_log   log;
        kin_world *world = quiet_world(&log);
        chance     c = { 3 };
        kin_id     ids[64];
        void      *apart = malloc((size_t)(run * 5000 + 1));      /* other addresses */
        memset(ids, 0, sizeof ids);
        for (i = 0; i < 2000; i++) {
            int k = below(&c, 64);
            if (kin_alive(world, ids[k])) kin_remove(world, ids[k]);
            else ids[k] = below(&c, 2) ? add_body(world, any_shape(&c), anywhere(&c, 9)) : add_static(world, any_shape(&c), anywhere(&c, 9));
        }
        hashes[run] = kin_world_hash(world);
        kin_world_destroy(world);
        free(apart);
    }
    EXPECT_TRUE(hashes[0] == hashes[1]);
}

/* ---- drawing ---------------------------------------------------------------------------------------------------------------- */

typedef struct canvas { int lines, points; kin_vec lo, hi; } canvas;   /* box around all lines but those of bounds */

static void draw_line_on(kin_vec from, kin_vec to, uint32_t rgba, void *user)
{
    canvas *c = (canvas *)user;
    c->lines++;
    if (rgba == kini_colours[KINI_DRAWS_BOUNDS][0]) return;
    c->lo = kini_lower(c->lo, kini_lower(from, to));
    c->hi = kini_upper(c->hi, kini_upper(from, to));
}

static void draw_point_on(kin_vec place, uint32_t rgba, void *user)
{
    (void)place;
    (void)rgba;
    ((canvas *)user)->points++;
}

UTEST(world, the_debug_view_shows_each_shape_in_its_bounds)
{
    chance c = { 5 };
    int    round;
    for (round = 0; round < 200; round++) {
        test_log        log;
        kin_world      *world = quiet_world(&log);
        kin_static_desc desc = static_desc(any_shape(&c), anywhere(&c, 9));
        kin_draw        draw;
        canvas          paper;
        kin_id          id;
        float           slack;
        const kini_thing *thing;
        memset(&paper, 0, sizeof paper);
        memset(&draw, 0, sizeof draw);
        desc.rotation = any_turn(&c);
        id = kin_add_static(world, &desc);
        ASSERT_TRUE(id.slot != 0);
        thing = &world->things.at[id.slot];
        paper.lo = kini_all(1e9f);
        paper.hi = kini_all(-1e9f);
        draw.user = &paper;
        draw.line = draw_line_on;
        draw.point = draw_point_on;
        kin_debug_draw(world, &draw);
        EXPECT_TRUE(kini_smallest(kini_sub(paper.lo, thing->lo)) > -1e-4f && kini_smallest(kini_sub(thing->hi, paper.hi)) > -1e-4f);
        slack = 1e-4f + (KINEMATIC_DIM == 2 ? 0.03f : 0.3f) * desc.shape.radius;   /* rings are drawn in few planes */
        EXPECT_TRUE(near_to(thing->lo, paper.lo, slack) && near_to(thing->hi, paper.hi, slack));
        kin_world_destroy(world);
    }
}

UTEST(world, the_debug_view_shows_contacts_ground_and_velocity)
{
    test_log   log;
    kin_world *world = quiet_world(&log);
    kin_id     floor = add_static(world, kin_box(size(9, 1)), at(0, -1)), id = add_body(world, kin_ball(0.5f), at(0, 0));
    kini_body *body = body_row(world, id);
    kin_draw   draw;
    canvas     paper;
    int        lines;
    memset(&paper, 0, sizeof paper);
    memset(&draw, 0, sizeof draw);
    kin_debug_draw(world, &draw);                                 /* nothing to draw with is fine */
    draw.user = &paper;
    draw.line = draw_line_on;
    draw.point = draw_point_on;
    kin_debug_draw(world, &draw);
    lines = paper.lines;
    EXPECT_EQ(0, paper.points);
    body->velocity = at(1, 0);
    body->stand.id = floor;
    body->stand.footing = KIN_STABLE;
    body->contact_count = 1;
    *kini_contacts_of(world, world->things.at[id.slot].row) = touching(floor, at(0, 1));
    memset(&paper, 0, sizeof paper);
    kin_debug_draw(world, &draw);
    EXPECT_EQ(2, paper.points);                                   /* the contact, and the tip of the velocity */
    EXPECT_EQ(lines + 3, paper.lines);
    kin_world_destroy(world);
}
