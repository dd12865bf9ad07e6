/* SPDX-License-Identifier: MIT OR Unlicense

   Every public function with every kind of bad argument: it says no, returns nothing, logs one line that names the
   call, the argument and the value, and the world is as it was. */
#define KINEMATIC_IMPLEMENTATION
#include "kinematic.h"
#include "worlds.h"

#include <unistd.h>

UTEST_MAIN()

#define NAN_ ((float)NAN)
#define INF_ ((float)INFINITY)

static bool begins(const char *text, const char *with) { return strncmp(text, with, strlen(with)) == 0; }

/* The expression is false or zero, and exactly one line beginning with `start` was logged. */
#define REFUSED(start, expression) \
    do { \
        uint64_t hash_before = kin_world_hash(world); \
        log.lines = 0; \
        EXPECT_FALSE(expression); \
        EXPECT_EQ(1, log.lines); \
        EXPECT_TRUE(begins(log.last, start)); \
        if (!begins(log.last, start)) fprintf(stderr, "logged: %s\n", log.last); \
        EXPECT_TRUE(hash_before == kin_world_hash(world)); \
    } while (0)

typedef struct scene {
    kin_world *world;
    kin_id     fixed, mover, body, dead;
} scene;

static scene make_scene(test_log *log)
{
    scene s;
    s.world = quiet_world(log);
    s.fixed = add_static(s.world, kin_box(size(9, 1)), at(0, -5));
    s.mover = add_mover(s.world, kin_box(size(2, 1)), at(20, 0));
    s.body = add_body(s.world, kin_ball(0.5f), at(0, 0));
    s.dead = add_body(s.world, kin_ball(0.5f), at(9, 0));
    kin_remove(s.world, s.dead);
    return s;
}

static bool is_zero(const void *memory, size_t bytes)
{
    const char *m = (const char *)memory;
    size_t      i;
    for (i = 0; i < bytes; i++)
        if (m[i]) return false;
    return true;
}

/* A value of zeros counts as nothing. */
static bool some_vec(kin_vec v) { return !is_zero(&v, sizeof v); }
static bool some_rot(kin_rot v) { return !is_zero(&v, sizeof v); }
static bool some_pose(kin_pose v) { return !is_zero(&v, sizeof v); }
static bool some_spin(kin_spin v) { return !is_zero(&v, sizeof v); }
static bool some_id(kin_id v) { return !is_zero(&v, sizeof v); }
static bool some_ground(kin_ground v) { return v.footing != KIN_AIR || v.id.slot != 0; }

/* ---- handles that do not work ----------------------------------------------------------------------------------------- */

static void nothing(kin_world *world, kin_id id, float dt, void *user) { (void)world; (void)id; (void)dt; (void)user; }

UTEST(refuse, handles_that_are_dead_or_were_never_given)
{
    test_log       log;
    scene          s = make_scene(&log);
    kin_world     *world = s.world;
    kin_id         bad[5];
    kin_shape      ball = kin_ball(1);
    kin_body_desc  body = body_desc(ball, at(0, 0));
    kin_mover_desc mover = mover_desc(ball, at(0, 0));
    kin_contact    contact;
    kin_id         out;
    kin_hit        hit;
    int            i;
    bad[0] = s.dead;
    bad[1] = nobody();
    bad[2] = handle(1000, 1);
    bad[3] = handle(s.body.slot, s.body.age + 1);
    bad[4] = handle(0xFFFFFFFFu, 0xFFFFFFFFu);
    for (i = 0; i < 5; i++) {
        kin_id id = bad[i];
        EXPECT_FALSE(kin_alive(world, id));
        REFUSED("kin_remove: id is", kin_remove(world, id));
        REFUSED("kin_get_kind: id is", kin_get_kind(world, id));
        REFUSED("kin_get_user: id is", kin_get_user(world, id) != NULL);
        REFUSED("kin_get_position: id is", some_vec(kin_get_position(world, id)));
        REFUSED("kin_get_rotation: id is", some_rot(kin_get_rotation(world, id)));
        REFUSED("kin_get_draw_pose: id is", some_pose(kin_get_draw_pose(world, id)));
        REFUSED("kin_get_velocity: id is", some_vec(kin_get_velocity(world, id)));
        REFUSED("kin_get_motion: id is", some_vec(kin_get_motion(world, id)));
        REFUSED("kin_get_leftover: id is", some_vec(kin_get_leftover(world, id)));
        REFUSED("kin_get_spin: id is", some_spin(kin_get_spin(world, id)));
        REFUSED("kin_set_position: id is", kin_set_position(world, id, at(0, 0)));
        REFUSED("kin_set_rotation: id is", kin_set_rotation(world, id, turned(0)));
        REFUSED("kin_set_velocity: id is", kin_set_velocity(world, id, at(0, 0)));
        REFUSED("kin_set_spin: id is", kin_set_spin(world, id, spin(0)));
        REFUSED("kin_move_to: mover is", kin_move_to(world, id, at(0, 0), turned(0)));
        REFUSED("kin_set_shape: id is", kin_set_shape(world, id, &ball));
        REFUSED("kin_set_enabled: id is", kin_set_enabled(world, id, false));
        REFUSED("kin_set_filter: id is", kin_set_filter(world, id, 1, 1));
        REFUSED("kin_set_user: id is", kin_set_user(world, id, &ball));
        REFUSED("kin_set_control: id is", kin_set_control(world, id, nothing));
        REFUSED("kin_get_body_options: body is", kin_get_body_options(world, id, &body));
        REFUSED("kin_set_body_options: body is", kin_set_body_options(world, id, &body));
        REFUSED("kin_get_mover_options: mover is", kin_get_mover_options(world, id, &mover));
        REFUSED("kin_set_mover_options: mover is", kin_set_mover_options(world, id, &mover));
        REFUSED("kin_set_push: body is", kin_set_push(world, id, KIN_PUSHABLE));
        REFUSED("kin_ignore: a is", kin_ignore(world, id, s.body, true));
        REFUSED("kin_ignore: b is", kin_ignore(world, s.body, id, true));
        REFUSED("kin_drop_through: body is", kin_drop_through(world, id));
        REFUSED("kin_get_ground: body is", some_ground(kin_get_ground(world, id)));
        REFUSED("kin_on_ground: body is", kin_on_ground(world, id));
        REFUSED("kin_on_wall: body is", kin_on_wall(world, id));
        REFUSED("kin_on_ceiling: body is", kin_on_ceiling(world, id));
        REFUSED("kin_is_crushed: body is", kin_is_crushed(world, id));
        REFUSED("kin_is_embedded: body is", kin_is_embedded(world, id));
        REFUSED("kin_is_blocked: mover is", kin_is_blocked(world, id));
        REFUSED("kin_get_contacts: id is", kin_get_contacts(world, id, &contact, 1));
        REFUSED("kin_get_riders: id is", kin_get_riders(world, id, &out, 1));
        REFUSED("kin_test_move: body is", kin_test_move(world, id, at(1, 0), &hit));
        REFUSED("kin_move: body is", some_vec(kin_move(world, id, at(1, 0))));
        if (i >= 2) REFUSED("kin_next: after is", some_id(kin_next(world, KIN_NOTHING, id)));
    }
    add_body(world, ball, at(9, 0));   /* the dead handle's slot has a new owner: it marks no place any more */
    REFUSED("kin_next: after is not alive (slot ", some_id(kin_next(world, KIN_NOTHING, s.dead)));
    kin_world_destroy(world);
}

UTEST(refuse, things_of_the_wrong_kind)
{
    test_log       log;
    scene          s = make_scene(&log);
    kin_world     *world = s.world;
    kin_body_desc  body = body_desc(kin_ball(1), at(0, 0));
    kin_mover_desc mover = mover_desc(kin_ball(1), at(0, 0));
    kin_hit        hit;
    REFUSED("kin_set_velocity: id is a static", kin_set_velocity(world, s.fixed, at(1, 0)));
    REFUSED("kin_set_control: id is a static", kin_set_control(world, s.fixed, nothing));
    REFUSED("kin_set_spin: id is not a mover", kin_set_spin(world, s.body, spin(1)));
    REFUSED("kin_set_spin: id is not a mover", kin_set_spin(world, s.fixed, spin(1)));
    REFUSED("kin_move_to: mover is not a mover", kin_move_to(world, s.body, at(1, 0), turned(0)));
    REFUSED("kin_get_body_options: body is not a body", kin_get_body_options(world, s.mover, &body));
    REFUSED("kin_set_body_options: body is not a body", kin_set_body_options(world, s.fixed, &body));
    REFUSED("kin_get_mover_options: mover is not a mover", kin_get_mover_options(world, s.body, &mover));
    REFUSED("kin_set_mover_options: mover is not a mover", kin_set_mover_options(world, s.fixed, &mover));
    REFUSED("kin_set_push: body is not a body", kin_set_push(world, s.mover, KIN_PUSHABLE));
    REFUSED("kin_drop_through: body is not a body", kin_drop_through(world, s.fixed));
    REFUSED("kin_get_ground: body is not a body", some_ground(kin_get_ground(world, s.fixed)));
    REFUSED("kin_on_ground: body is not a body", kin_on_ground(world, s.mover));
    REFUSED("kin_on_wall: body is not a body", kin_on_wall(world, s.mover));
    REFUSED("kin_on_ceiling: body is not a body", kin_on_ceiling(world, s.mover));
    REFUSED("kin_is_crushed: body is not a body", kin_is_crushed(world, s.fixed));
    REFUSED("kin_is_embedded: body is not a body", kin_is_embedded(world, s.fixed));
    REFUSED("kin_is_blocked: mover is not a mover", kin_is_blocked(world, s.fixed));
    REFUSED("kin_test_move: body is not a body", kin_test_move(world, s.fixed, at(1, 0), &hit));
    REFUSED("kin_move: body is not a body", some_vec(kin_move(world, s.mover, at(1, 0))));
    REFUSED("kin_ignore: b is a itself", kin_ignore(world, s.body, s.body, true));
    kin_world_destroy(world);
}

/* ---- numbers ------------------------------------------------------------------------------------------------------------- */

UTEST(refuse, vectors_that_are_not_finite_or_too_large)
{
    test_log   log;
    scene      s = make_scene(&log);
    kin_world *world = s.world;
    kin_vec    bad[5];
    kin_shape  ball = kin_ball(1);
    kin_hit    hit;
    kin_id     out;
    int        i;
    bad[0] = at(NAN_, 0);
    bad[1] = at(0, NAN_);
    bad[2] = at(INF_, 1);
    bad[3] = at(2, -INF_);
    bad[4] = at(1e30f, 0);
    for (i = 0; i < 5; i++) {
        kin_vec         v = bad[i];
        kin_static_desc fixed = static_desc(ball, v);
        kin_mover_desc  mover = mover_desc(ball, v);
        kin_body_desc   body = body_desc(ball, v);
        REFUSED("kin_add_static: position is", some_id(kin_add_static(world, &fixed)));
        REFUSED("kin_add_mover: position is", some_id(kin_add_mover(world, &mover)));
        REFUSED("kin_add_body: position is", some_id(kin_add_body(world, &body)));
        REFUSED("kin_set_position: position is", kin_set_position(world, s.body, v));
        REFUSED("kin_set_position: position is", kin_set_position(world, s.fixed, v));
        REFUSED("kin_move_to: position is", kin_move_to(world, s.mover, v, turned(0)));
        REFUSED("kin_world_set_gravity: gravity is", kin_world_set_gravity(world, v));
        REFUSED("kin_cast_ray: from is", kin_cast_ray(world, v, at(1, 0), NULL, &hit));
        REFUSED("kin_cast_ray: travel is", kin_cast_ray(world, at(0, 0), v, NULL, &hit));
        REFUSED("kin_cast_shape: from is", kin_cast_shape(world, &ball, pose(v, 0), at(1, 0), NULL, &hit));
        REFUSED("kin_cast_shape: travel is", kin_cast_shape(world, &ball, pose(at(0, 0), 0), v, NULL, &hit));
        REFUSED("kin_overlap: at is", kin_overlap(world, &ball, pose(v, 0), NULL, &out, 1));
        REFUSED("kin_test_move: travel is", kin_test_move(world, s.body, v, &hit));
        REFUSED("kin_move: travel is", some_vec(kin_move(world, s.body, v)));
        if (i == 4) continue;   /* what follows is directions and speeds: large ones are cut, not refused */
        REFUSED("kin_set_velocity: velocity is", kin_set_velocity(world, s.body, v));
        REFUSED("kin_set_velocity: velocity is", kin_set_velocity(world, s.mover, v));
        fixed.position = mover.position = body.position = at(0, 0);
        fixed.one_way = mover.velocity = body.velocity = v;
        REFUSED("kin_add_static: one_way is", some_id(kin_add_static(world, &fixed)));
        REFUSED("kin_add_mover: velocity is", some_id(kin_add_mover(world, &mover)));
        REFUSED("kin_add_body: velocity is", some_id(kin_add_body(world, &body)));
        fixed.one_way = mover.velocity = at(0, 0);
        fixed.surface_velocity = mover.surface_velocity = v;
        REFUSED("kin_add_static: surface_velocity is", some_id(kin_add_static(world, &fixed)));
        REFUSED("kin_add_mover: surface_velocity is", some_id(kin_add_mover(world, &mover)));
        REFUSED("kin_set_mover_options: surface_velocity is", kin_set_mover_options(world, s.mover, &mover));
        mover.surface_velocity = at(0, 0);
        mover.one_way = v;
        REFUSED("kin_add_mover: one_way is", some_id(kin_add_mover(world, &mover)));
        REFUSED("kin_set_mover_options: one_way is", kin_set_mover_options(world, s.mover, &mover));
    }
    kin_world_destroy(world);
}

UTEST(refuse, a_message_names_call_argument_and_value)
{
    test_log   log;
    scene      s = make_scene(&log);
    kin_world *world = s.world;
    kin_set_position(world, s.body, at(NAN_, 1));
    EXPECT_STREQ(KINEMATIC_DIM == 2 ? "kin_set_position: position is not finite (nan, 1)" : "kin_set_position: position is not finite (nan, 1, 0)", log.last);
    kin_set_position(world, s.body, at(-INF_, -0.25f));
    EXPECT_STREQ(KINEMATIC_DIM == 2 ? "kin_set_position: position is not finite (-inf, -0.25)" : "kin_set_position: position is not finite (-inf, -0.25, 0)", log.last);
    kin_set_position(world, s.body, at(-1.5e30f, 123456));
    EXPECT_STREQ(KINEMATIC_DIM == 2 ? "kin_set_position: position is too large (-1.5e+30, 123456), at most 1e+9" : "kin_set_position: position is too large (-1.5e+30, 123456, 0), at most 1e+9", log.last);
    kin_remove(world, handle(77, 3));
    EXPECT_STREQ("kin_remove: id is not alive (slot 77, age 3)", log.last);
    kin_remove(world, nobody());
    EXPECT_STREQ("kin_remove: id is nobody (slot 0, age 0)", log.last);
    kin_world_destroy(world);
}

UTEST(refuse, numbers_are_written_as_people_write_them)
{
    static const struct { float number; const char *text; } cases[] = {
        { 0, "0" }, { 1, "1" }, { -1, "-1" }, { 0.1f, "0.1" }, { 10, "10" }, { 100000, "100000" }, { 1234567, "1234570" },
        { 123456792, "123457000" }, { 1e9f, "1e+9" }, { 0.001f, "0.001" }, { 0.00015f, "0.00015" }, { 0.00001f, "1e-5" },
        { 3.14159274f, "3.14159" }, { 999999.9f, "1000000" }, { 3.4e38f, "3.4e+38" }, { 1e-45f, "1.4013e-45" }, { -2.5e-7f, "-2.5e-7" }
    };
    int i;
    for (i = 0; i < (int)(sizeof cases / sizeof cases[0]); i++) {
        test_log   log;
        kin_world *world = quiet_world(&log);
        char       want[80];
        kini_refuse_number(world, "call", "argument", "is so", cases[i].number);
        snprintf(want, sizeof want, "call: argument is so (%s)", cases[i].text);
        EXPECT_STREQ(want, log.last);
        kin_world_destroy(world);
    }
}

UTEST(refuse, long_messages_are_cut)
{
    test_log   log;
    kin_world *world = quiet_world(&log);
    char       words[2000];
    memset(words, 'x', sizeof words);
    words[sizeof words - 1] = 0;
    EXPECT_FALSE(kini_refuse(world, words, words, words));
    EXPECT_EQ(239, (int)strlen(log.last));
    kin_world_destroy(world);
}

UTEST(refuse, rotations_and_spins)
{
    test_log   log;
    scene      s = make_scene(&log);
    kin_world *world = s.world;
    float      bad[3];
    kin_shape  ball = kin_ball(1);
    kin_hit    hit;
    kin_id     out;
    int        i;
    bad[0] = NAN_;
    bad[1] = INF_;
    bad[2] = 1e30f;
    for (i = 0; i < 3; i++) {
        kin_static_desc fixed = static_desc(ball, at(0, 0));
        kin_mover_desc  mover = mover_desc(ball, at(0, 0));
        kin_body_desc   body = body_desc(ball, at(0, 0));
        kin_pose        from = pose(at(0, 0), 0);
        kin_rot         q = kini_rot_scale(turned(0.5f), bad[i]);
        fixed.rotation = mover.rotation = body.rotation = from.q = q;
        REFUSED("kin_add_static: rotation is", some_id(kin_add_static(world, &fixed)));
        REFUSED("kin_add_mover: rotation is", some_id(kin_add_mover(world, &mover)));
        REFUSED("kin_add_body: rotation is", some_id(kin_add_body(world, &body)));
        REFUSED("kin_set_rotation: rotation is", kin_set_rotation(world, s.body, q));
        REFUSED("kin_set_rotation: rotation is", kin_set_rotation(world, s.mover, q));
        REFUSED("kin_move_to: rotation is", kin_move_to(world, s.mover, at(0, 0), q));
        REFUSED("kin_cast_shape: from is", kin_cast_shape(world, &ball, from, at(1, 0), NULL, &hit));
        REFUSED("kin_overlap: at is", kin_overlap(world, &ball, from, NULL, &out, 1));
        mover.rotation = turned(0);
        mover.spin = spin(bad[i]);
        REFUSED("kin_add_mover: spin is", some_id(kin_add_mover(world, &mover)));
        REFUSED("kin_set_spin: spin is", kin_set_spin(world, s.mover, spin(bad[i])));
    }
    kin_world_destroy(world);
}

UTEST(refuse, shapes)
{
    test_log   log;
    scene      s = make_scene(&log);
    kin_world *world = s.world;
    kin_shape  bad[8];
    int        i;
    for (i = 0; i < 8; i++) bad[i] = kin_box(size(1, 1));
    bad[0].count = 0;
    bad[1].count = -1;
    bad[2].count = KIN_MAX_POINTS + 1;
    bad[3].radius = -1;
    bad[4].radius = NAN_;
    bad[5].points[1].x = INF_;
    bad[6].points[0] = bad[6].points[1] = bad[6].points[2];
    bad[6].count = 3;
    bad[7] = kin_ball(-1);
    for (i = 0; i < 8; i++) {
        kin_static_desc fixed = static_desc(bad[i], at(0, 0));
        kin_mover_desc  mover = mover_desc(bad[i], at(0, 0));
        kin_body_desc   body = body_desc(bad[i], at(0, 0));
        kin_hit         hit;
        kin_id          out;
        REFUSED("kin_add_static: shape ", some_id(kin_add_static(world, &fixed)));
        REFUSED("kin_add_mover: shape ", some_id(kin_add_mover(world, &mover)));
        REFUSED("kin_add_body: shape ", some_id(kin_add_body(world, &body)));
        REFUSED("kin_set_shape: shape ", kin_set_shape(world, s.body, &bad[i]));
        REFUSED("kin_set_shape: shape ", kin_set_shape(world, s.fixed, &bad[i]));
        REFUSED("kin_cast_shape: shape ", kin_cast_shape(world, &bad[i], pose(at(0, 0), 0), at(1, 0), NULL, &hit));
        REFUSED("kin_overlap: shape ", kin_overlap(world, &bad[i], pose(at(0, 0), 0), NULL, &out, 1));
    }
    kin_world_destroy(world);
}

UTEST(refuse, body_options)
{
    test_log      log;
    scene         s = make_scene(&log);
    kin_world    *world = s.world;
    kin_body_desc good = body_desc(kin_ball(1), at(0, 0)), desc;
#define BAD(member, value) \
    do { \
        desc = good; \
        desc.member = value; \
        REFUSED("kin_add_body: " #member " is", some_id(kin_add_body(world, &desc))); \
        REFUSED("kin_set_body_options: " #member " is", kin_set_body_options(world, s.body, &desc)); \
    } while (0)
    BAD(push, (kin_push)3);
    BAD(ride, (kin_ride)2);
    BAD(leave, (kin_leave)3);
    BAD(on_crush, (kin_crush)2);
    BAD(slope, (kin_slope)2);
    BAD(max_slope, NAN_);
    BAD(max_slope, -0.1f);
    BAD(max_slope, 1.6f);
    BAD(snap, NAN_);
    BAD(snap, INF_);
    BAD(step_height, NAN_);
    BAD(step_height, -1);
    BAD(step_height, INF_);
    BAD(corner_nudge, NAN_);
    BAD(corner_nudge, -1);
    BAD(gravity_scale, NAN_);
    BAD(gravity_scale, -INF_);
    BAD(leftover_fade, NAN_);
    BAD(leftover_fade, -0.1f);
    BAD(leftover_fade, 1.1f);
    BAD(bounce, 1.1f);
    BAD(bounce, -0.1f);
    BAD(weight, -1);
    BAD(weight, NAN_);
    BAD(max_push, INF_);
#undef BAD
    REFUSED("kin_set_push: push is not one of its choices (3)", kin_set_push(world, s.body, (kin_push)3));
    kin_world_destroy(world);
}

UTEST(refuse, mover_options)
{
    test_log       log;
    scene          s = make_scene(&log);
    kin_world     *world = s.world;
    kin_mover_desc desc = mover_desc(kin_ball(1), at(0, 0));
    desc.carry = (kin_carry)3;
    REFUSED("kin_add_mover: carry is not one of its choices (3)", some_id(kin_add_mover(world, &desc)));
    REFUSED("kin_set_mover_options: carry is not one of its choices (3)", kin_set_mover_options(world, s.mover, &desc));
    desc.carry = KIN_CARRY_FULL;
    desc.on_blocked = (kin_blocked)2;
    REFUSED("kin_add_mover: on_blocked is not one of its choices (2)", some_id(kin_add_mover(world, &desc)));
    REFUSED("kin_set_mover_options: on_blocked is not one of its choices (2)", kin_set_mover_options(world, s.mover, &desc));
    kin_world_destroy(world);
}

UTEST(refuse, what_static_things_are_attached_to)
{
    test_log        log;
    scene           s = make_scene(&log);
    kin_world      *world = s.world;
    kin_static_desc desc = static_desc(kin_ball(1), at(0, 0));
    desc.attach = s.dead;
    REFUSED("kin_add_static: attach is not alive", some_id(kin_add_static(world, &desc)));
    desc.attach = s.body;
    REFUSED("kin_add_static: attach is not a mover", some_id(kin_add_static(world, &desc)));
    desc.attach = s.mover;
    desc.position = at(9.9999e8f, 0);
    EXPECT_TRUE(kin_set_position(world, s.mover, at(9.9999e8f, 0)));
    REFUSED("kin_add_static: position is too large", some_id(kin_add_static(world, &desc)));   /* in the world it is */
    kin_world_destroy(world);
}

UTEST(refuse, filters_lists_and_kinds)
{
    test_log    log;
    scene       s = make_scene(&log);
    kin_world  *world = s.world;
    kin_shape   ball = kin_ball(1);
    kin_filter  filter;
    kin_hit     hit;
    kin_id      out;
    kin_contact contact;
    memset(&filter, 0, sizeof filter);
    filter.ignore = s.dead;
    REFUSED("kin_cast_ray: filter.ignore is", kin_cast_ray(world, at(0, 5), at(0, -9), &filter, &hit));
    EXPECT_TRUE(is_zero(&hit, sizeof hit));
    REFUSED("kin_cast_shape: filter.ignore is", kin_cast_shape(world, &ball, pose(at(0, 5), 0), at(0, -9), &filter, &hit));
    REFUSED("kin_overlap: filter.ignore is", kin_overlap(world, &ball, pose(at(0, 0), 0), &filter, &out, 1));
    REFUSED("kin_overlap: capacity is negative (-1)", kin_overlap(world, &ball, pose(at(0, 0), 0), NULL, &out, -1));
    REFUSED("kin_overlap: out is NULL", kin_overlap(world, &ball, pose(at(0, 0), 0), NULL, NULL, 1));
    REFUSED("kin_get_contacts: capacity is negative (-1)", kin_get_contacts(world, s.body, &contact, -1));
    REFUSED("kin_get_contacts: out is NULL", kin_get_contacts(world, s.body, NULL, 1));
    REFUSED("kin_get_riders: capacity is negative (-5)", kin_get_riders(world, s.body, &out, -5));
    REFUSED("kin_get_riders: out is NULL", kin_get_riders(world, s.body, NULL, 2));
    REFUSED("kin_next: kind is not one of its choices (4)", some_id(kin_next(world, (kin_kind)4, nobody())));
    kin_world_destroy(world);
}

/* Every argument of the questions with many answers, or with none of their own. */
UTEST(refuse, questions_of_the_second_edition)
{
    test_log    log;
    scene       s = make_scene(&log);
    kin_world  *world = s.world;
    kin_shape   ball = kin_ball(1), none = kin_ball(-1);
    kin_pose    here = pose(at(0, 0), 0), nowhere = pose(at(NAN_, 0), 0);
    kin_vec     way = at(1, 0), far = at(0, INF_), out;
    kin_hit     hit;
    kin_contact contact;
    kin_filter  filter;
    memset(&filter, 0, sizeof filter);
    REFUSED("kin_cast_ray_all: from is", kin_cast_ray_all(world, nowhere.p, way, NULL, &hit, 1));
    REFUSED("kin_cast_ray_all: travel is", kin_cast_ray_all(world, way, far, NULL, &hit, 1));
    REFUSED("kin_cast_ray_all: capacity is negative (-1)", kin_cast_ray_all(world, way, way, NULL, &hit, -1));
    REFUSED("kin_cast_ray_all: out is NULL", kin_cast_ray_all(world, way, way, NULL, NULL, 1));
    REFUSED("kin_cast_shape_all: shape is NULL", kin_cast_shape_all(world, NULL, here, way, NULL, &hit, 1));
    REFUSED("kin_cast_shape_all: shape ", kin_cast_shape_all(world, &none, here, way, NULL, &hit, 1));
    REFUSED("kin_cast_shape_all: from is", kin_cast_shape_all(world, &ball, nowhere, way, NULL, &hit, 1));
    REFUSED("kin_cast_shape_all: travel is", kin_cast_shape_all(world, &ball, here, far, NULL, &hit, 1));
    REFUSED("kin_cast_shape_all: out is NULL", kin_cast_shape_all(world, &ball, here, way, NULL, NULL, 1));
    REFUSED("kin_overlap_contacts: shape is NULL", kin_overlap_contacts(world, NULL, here, NULL, &contact, 1));
    REFUSED("kin_overlap_contacts: at is", kin_overlap_contacts(world, &ball, nowhere, NULL, &contact, 1));
    REFUSED("kin_overlap_contacts: out is NULL", kin_overlap_contacts(world, &ball, here, NULL, NULL, 1));
    REFUSED("kin_closest: at is", kin_closest(world, &ball, nowhere, 1, NULL, &contact));
    REFUSED("kin_closest: reach is", kin_closest(world, &ball, here, -1, NULL, &contact));
    REFUSED("kin_closest: out is NULL", kin_closest(world, &ball, here, 1, NULL, NULL));
    REFUSED("kin_find_room: shape ", kin_find_room(world, &none, here, 1, NULL, &out));
    REFUSED("kin_find_room: reach is", kin_find_room(world, &ball, here, NAN_, NULL, &out));
    REFUSED("kin_find_room: out is NULL", kin_find_room(world, &ball, here, 1, NULL, NULL));
    filter.ignored_count = -1;
    REFUSED("kin_cast_ray: filter.ignored_count is negative (-1)", kin_cast_ray(world, way, way, &filter, &hit));
    filter.ignored_count = 1;
    REFUSED("kin_closest: filter.ignored is NULL", kin_closest(world, &ball, here, 1, &filter, &contact));
    REFUSED("kin_world_get_desc: out is NULL", kin_world_get_desc(world, NULL));
    REFUSED("kin_get_tiles: tiles is not", kin_get_tiles(world, s.body, NULL));
    REFUSED("kin_get_mesh: mesh is not", kin_get_mesh(world, s.fixed, NULL, 0, NULL, NULL, 0));
    REFUSED("kin_debug_draw_options: draw is NULL", (kin_debug_draw_options(world, NULL, NULL), false));
    kin_world_destroy(world);
}

UTEST(refuse, steps_and_times)
{
    test_log   log;
    scene      s = make_scene(&log);
    kin_world *world = s.world;
    REFUSED("kin_world_step: dt is", kin_world_step(world, 0));
    REFUSED("kin_world_step: dt is", kin_world_step(world, -1));
    REFUSED("kin_world_step: dt is", kin_world_step(world, NAN_));
    REFUSED("kin_world_step: dt is", kin_world_step(world, INF_));
    REFUSED("kin_world_advance: seconds is", kin_world_advance(world, -1));
    REFUSED("kin_world_advance: seconds is", kin_world_advance(world, (double)NAN_));
    REFUSED("kin_world_advance: seconds is", kin_world_advance(world, (double)INF_));
    kin_world_destroy(world);
}

/* ---- pointers that are missing ---------------------------------------------------------------------------------------- */

UTEST(refuse, missing_arguments)
{
    test_log   log;
    scene      s = make_scene(&log);
    kin_world *world = s.world;
    kin_hit    hit;
    kin_id     out;
    REFUSED("kin_add_static: desc is NULL", some_id(kin_add_static(world, NULL)));
    REFUSED("kin_add_mover: desc is NULL", some_id(kin_add_mover(world, NULL)));
    REFUSED("kin_add_body: desc is NULL", some_id(kin_add_body(world, NULL)));
    REFUSED("kin_set_shape: shape is NULL", kin_set_shape(world, s.body, NULL));
    REFUSED("kin_get_body_options: out is NULL", kin_get_body_options(world, s.body, NULL));
    REFUSED("kin_set_body_options: options is NULL", kin_set_body_options(world, s.body, NULL));
    REFUSED("kin_get_mover_options: out is NULL", kin_get_mover_options(world, s.mover, NULL));
    REFUSED("kin_set_mover_options: options is NULL", kin_set_mover_options(world, s.mover, NULL));
    REFUSED("kin_cast_shape: shape is NULL", kin_cast_shape(world, NULL, pose(at(0, 0), 0), at(1, 0), NULL, &hit));
    REFUSED("kin_overlap: shape is NULL", kin_overlap(world, NULL, pose(at(0, 0), 0), NULL, &out, 1));
    REFUSED("kin_debug_draw: draw is NULL", (kin_debug_draw(world, NULL), false));
    EXPECT_TRUE(kin_cast_ray(world, at(0, 5), at(0, -9), NULL, NULL));   /* only whether it hits */
    kin_world_destroy(world);
}

/* Counts the lines that go to stderr meanwhile: without a world there is no other log. */
static FILE *kept;
static int   kept_stderr;

static void catch_stderr(void)
{
    fflush(stderr);
    kept = tmpfile();
    kept_stderr = dup(2);
    dup2(fileno(kept), 2);
}

static int release_stderr(const char *start)
{
    char line[512];
    int  lines = 0;
    fflush(stderr);
    dup2(kept_stderr, 2);
    close(kept_stderr);
    rewind(kept);
    while (fgets(line, sizeof line, kept)) lines += begins(line, start) ? 1 : 100;
    fclose(kept);
    return lines;
}

#define NO_WORLD(call, expression) \
    do { \
        bool something; \
        catch_stderr(); \
        something = (expression); \
        EXPECT_EQ(1, release_stderr(call ": world is NULL")); \
        EXPECT_FALSE(something); \
    } while (0)

UTEST(refuse, a_missing_world)
{
    kin_id           id = handle(1, 1);
    kin_shape        ball = kin_ball(1);
    kin_static_desc  fixed = static_desc(ball, at(0, 0));
    kin_body_desc    body = body_desc(ball, at(0, 0));
    kin_mover_desc   mover = mover_desc(ball, at(0, 0));
    const kin_event *events;
    kin_contact      contact;
    kin_draw         draw;
    kin_hit          hit;
    kin_world_desc   world_desc;
    kin_tiles_desc   tiles;
    kin_tile         tile;
    kin_cell         cell;
    memset(&draw, 0, sizeof draw);
    memset(&cell, 0, sizeof cell);
    NO_WORLD("kin_world_step", kin_world_step(NULL, 0.01f));
    NO_WORLD("kin_world_advance", kin_world_advance(NULL, 0.01));
    NO_WORLD("kin_world_alpha", kin_world_alpha(NULL) > 0);
    NO_WORLD("kin_world_dropped", kin_world_dropped(NULL) > 0);
    NO_WORLD("kin_world_steps", kin_world_steps(NULL));
    NO_WORLD("kin_world_hash", kin_world_hash(NULL));
    NO_WORLD("kin_world_set_gravity", kin_world_set_gravity(NULL, at(0, 0)));
    NO_WORLD("kin_world_overflowed", kin_world_overflowed(NULL));
    NO_WORLD("kin_next", some_id(kin_next(NULL, KIN_BODY, nobody())));
    NO_WORLD("kin_get_events", kin_get_events(NULL, &events));
    NO_WORLD("kin_add_static", some_id(kin_add_static(NULL, &fixed)));
    NO_WORLD("kin_add_mover", some_id(kin_add_mover(NULL, &mover)));
    NO_WORLD("kin_add_body", some_id(kin_add_body(NULL, &body)));
    NO_WORLD("kin_remove", kin_remove(NULL, id));
    NO_WORLD("kin_alive", kin_alive(NULL, id));
    NO_WORLD("kin_get_kind", kin_get_kind(NULL, id));
    NO_WORLD("kin_get_user", kin_get_user(NULL, id) != NULL);
    NO_WORLD("kin_get_position", some_vec(kin_get_position(NULL, id)));
    NO_WORLD("kin_get_rotation", some_rot(kin_get_rotation(NULL, id)));
    NO_WORLD("kin_get_draw_pose", some_pose(kin_get_draw_pose(NULL, id)));
    NO_WORLD("kin_get_velocity", some_vec(kin_get_velocity(NULL, id)));
    NO_WORLD("kin_get_motion", some_vec(kin_get_motion(NULL, id)));
    NO_WORLD("kin_get_leftover", some_vec(kin_get_leftover(NULL, id)));
    NO_WORLD("kin_get_spin", some_spin(kin_get_spin(NULL, id)));
    NO_WORLD("kin_set_position", kin_set_position(NULL, id, at(0, 0)));
    NO_WORLD("kin_set_rotation", kin_set_rotation(NULL, id, turned(0)));
    NO_WORLD("kin_set_velocity", kin_set_velocity(NULL, id, at(0, 0)));
    NO_WORLD("kin_set_spin", kin_set_spin(NULL, id, spin(0)));
    NO_WORLD("kin_move_to", kin_move_to(NULL, id, at(0, 0), turned(0)));
    NO_WORLD("kin_set_shape", kin_set_shape(NULL, id, &ball));
    NO_WORLD("kin_set_enabled", kin_set_enabled(NULL, id, true));
    NO_WORLD("kin_set_filter", kin_set_filter(NULL, id, 1, 1));
    NO_WORLD("kin_set_user", kin_set_user(NULL, id, NULL));
    NO_WORLD("kin_set_control", kin_set_control(NULL, id, NULL));
    NO_WORLD("kin_get_body_options", kin_get_body_options(NULL, id, &body));
    NO_WORLD("kin_set_body_options", kin_set_body_options(NULL, id, &body));
    NO_WORLD("kin_get_mover_options", kin_get_mover_options(NULL, id, &mover));
    NO_WORLD("kin_set_mover_options", kin_set_mover_options(NULL, id, &mover));
    NO_WORLD("kin_set_push", kin_set_push(NULL, id, KIN_PUSHABLE));
    NO_WORLD("kin_ignore", kin_ignore(NULL, id, id, true));
    NO_WORLD("kin_drop_through", kin_drop_through(NULL, id));
    NO_WORLD("kin_get_ground", some_ground(kin_get_ground(NULL, id)));
    NO_WORLD("kin_on_ground", kin_on_ground(NULL, id));
    NO_WORLD("kin_on_wall", kin_on_wall(NULL, id));
    NO_WORLD("kin_on_ceiling", kin_on_ceiling(NULL, id));
    NO_WORLD("kin_is_crushed", kin_is_crushed(NULL, id));
    NO_WORLD("kin_is_embedded", kin_is_embedded(NULL, id));
    NO_WORLD("kin_is_blocked", kin_is_blocked(NULL, id));
    NO_WORLD("kin_get_contacts", kin_get_contacts(NULL, id, &contact, 1));
    NO_WORLD("kin_get_riders", kin_get_riders(NULL, id, &id, 1));
    NO_WORLD("kin_cast_ray", kin_cast_ray(NULL, at(0, 0), at(1, 0), NULL, &hit));
    NO_WORLD("kin_cast_shape", kin_cast_shape(NULL, &ball, pose(at(0, 0), 0), at(1, 0), NULL, &hit));
    NO_WORLD("kin_overlap", kin_overlap(NULL, &ball, pose(at(0, 0), 0), NULL, &id, 1));
    NO_WORLD("kin_test_move", kin_test_move(NULL, id, at(1, 0), &hit));
    NO_WORLD("kin_move", some_vec(kin_move(NULL, id, at(1, 0))));
    NO_WORLD("kin_snapshot_size", kin_snapshot_size(NULL));
    NO_WORLD("kin_snapshot_save", kin_snapshot_save(NULL, &hit, sizeof hit));
    NO_WORLD("kin_snapshot_load", kin_snapshot_load(NULL, &hit, sizeof hit));
    NO_WORLD("kin_debug_draw", (kin_debug_draw(NULL, &draw), false));
    NO_WORLD("kin_debug_draw_options", (kin_debug_draw_options(NULL, &draw, NULL), false));
    NO_WORLD("kin_world_get_gravity", some_vec(kin_world_get_gravity(NULL)));
    NO_WORLD("kin_world_get_up", some_vec(kin_world_get_up(NULL)));
    NO_WORLD("kin_world_set_up", kin_world_set_up(NULL, at(0, 1)));
    NO_WORLD("kin_get_form", kin_get_form(NULL, id) != KIN_FORM_NONE);
    NO_WORLD("kin_get_shape", kin_get_shape(NULL, id, &ball));
    NO_WORLD("kin_is_enabled", kin_is_enabled(NULL, id));
    NO_WORLD("kin_is_sensor", kin_is_sensor(NULL, id));
    NO_WORLD("kin_is_one_sided", kin_is_one_sided(NULL, id));
    NO_WORLD("kin_get_wall", kin_get_wall(NULL, id, &contact));
    NO_WORLD("kin_get_ceiling", kin_get_ceiling(NULL, id, &contact));
    NO_WORLD("kin_set_pose", kin_set_pose(NULL, id, pose(at(0, 0), 0)));
    NO_WORLD("kin_set_leftover", kin_set_leftover(NULL, id, at(0, 0)));
    NO_WORLD("kin_set_gravity", kin_set_gravity(NULL, id, at(0, 0)));
    NO_WORLD("kin_move_hits", kin_move_hits(NULL, id, at(0, 0), NULL, NULL, 0));
    NO_WORLD("kin_get_up", (kin_get_up(NULL, id), false));
    NO_WORLD("kin_set_gravity_scale", kin_set_gravity_scale(NULL, id, 1));
    NO_WORLD("kin_world_get_desc", kin_world_get_desc(NULL, &world_desc));
    NO_WORLD("kin_get_tiles", kin_get_tiles(NULL, id, &tiles));
    NO_WORLD("kin_get_tile_definition", kin_get_tile_definition(NULL, id, 1, &tile));
    NO_WORLD("kin_get_mesh", kin_get_mesh(NULL, id, NULL, 0, NULL, NULL, 0));
    NO_WORLD("kin_set_tiles_region", kin_set_tiles_region(NULL, id, cell, cell, NULL));
    NO_WORLD("kin_cast_ray_all", kin_cast_ray_all(NULL, at(0, 0), at(1, 0), NULL, &hit, 1));
    NO_WORLD("kin_cast_shape_all", kin_cast_shape_all(NULL, &ball, pose(at(0, 0), 0), at(1, 0), NULL, &hit, 1));
    NO_WORLD("kin_overlap_contacts", kin_overlap_contacts(NULL, &ball, pose(at(0, 0), 0), NULL, &contact, 1));
    NO_WORLD("kin_closest", kin_closest(NULL, &ball, pose(at(0, 0), 0), 1, NULL, &contact));
    NO_WORLD("kin_find_room", kin_find_room(NULL, &ball, pose(at(0, 0), 0), 1, NULL, &hit.point));
}

/* ---- worlds that are not made --------------------------------------------------------------------------------------------- */

static void *some_memory(size_t bytes, void *user) { (void)user; return malloc(bytes); }
static void  some_release(void *memory, size_t bytes, void *user) { (void)bytes; (void)user; free(memory); }

UTEST(refuse, worlds_with_bad_descriptors)
{
    test_log       log;
    kin_world_desc good, desc;
    static double  room[4096];
    memset(&log, 0, sizeof log);
    memset(&good, 0, sizeof good);
    good.on_log = note;
    good.user = &log;
#define BAD(name, member, value) \
    do { \
        desc = good; \
        desc.member = value; \
        log.lines = 0; \
        EXPECT_TRUE(kin_world_create(&desc) == NULL); \
        EXPECT_TRUE(begins(log.last, "kin_world_create: " name " is")); \
        EXPECT_TRUE(kin_world_create_in(room, sizeof room, &desc) == NULL); \
        EXPECT_TRUE(begins(log.last, "kin_world_create_in: " name " is")); \
        EXPECT_EQ(0u, (unsigned)kin_world_bytes(&desc)); \
        EXPECT_TRUE(begins(log.last, "kin_world_bytes: " name " is")); \
        EXPECT_EQ(3, log.lines); \
    } while (0)
    BAD("gravity", gravity, at(0, NAN_));
    BAD("gravity", gravity, at(INF_, 0));
    BAD("gravity", gravity, at(1e30f, 0));
    BAD("up", up, at(NAN_, 0));
    BAD("rate", rate, NAN_);
    BAD("rate", rate, -1);
    BAD("rate", rate, INF_);
    BAD("rate", rate, 0.05f);   /* steps of more than ten seconds, which kin_world_step does not take either */
    BAD("max_catch_up", max_catch_up, -1);
    BAD("max_catch_up", max_catch_up, NAN_);
    BAD("unit", unit, -1);
    BAD("unit", unit, NAN_);
    BAD("unit", unit, 1e20f);
    BAD("unit", unit, 1e-20f);
    BAD("max_speed", max_speed, -1);
    BAD("max_speed", max_speed, INF_);
    BAD("max_rounds", max_rounds, -1);
    BAD("max_contacts", max_contacts, -1);
    BAD("max_contacts", max_contacts, 1000000);
    BAD("max_sensor_contacts", max_sensor_contacts, -1);
    BAD("max_events", max_events, -1);
    BAD("workers", workers, -1);
    BAD("statics", statics, -1);
    BAD("movers", movers, -1);
    BAD("bodies", bodies, -1);
    BAD("bodies", bodies, 0x7FFFFFFF);
    BAD("release", allocate, some_memory);
    BAD("allocate", release, some_release);
#undef BAD
    EXPECT_TRUE(kin_world_create_in(NULL, 1000000, &good) == NULL);
    EXPECT_TRUE(begins(log.last, "kin_world_create_in: memory is NULL"));
    EXPECT_TRUE(kin_world_create_in(room, sizeof room, &good) == NULL);
    EXPECT_TRUE(begins(log.last, "kin_world_create_in: memory is too small"));
    EXPECT_TRUE(kin_world_create_in(room, 3, &good) == NULL);
    EXPECT_TRUE(kin_world_create_in((char *)room + 3, 5, &good) == NULL);
}

UTEST(refuse, ending_a_world_inside_a_step)
{
    test_log   log;
    scene      s = make_scene(&log);
    kin_world *world = s.world;
    world->stage = 3;
    REFUSED("kin_world_destroy: world is inside a step", (kin_world_destroy(world), false));
    REFUSED("kin_world_step: world is", kin_world_step(world, 0.01f));
    REFUSED("kin_world_advance: world is", kin_world_advance(world, 0.01));
    world->stage = 0;
    kin_world_destroy(world);
}
