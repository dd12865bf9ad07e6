/* SPDX-License-Identifier: MIT OR Unlicense

   test_limits.c: bounds of the world descriptor that are reached: contacts per body and events per step. What does not
   fit is flagged and left out; the ground is always kept; nothing flickers. And contacts of what is removed while a
   step runs end once. */
#define KINEMATIC_IMPLEMENTATION
#include "kinematic.h"
#include "worlds.h"

UTEST_MAIN()

#define DT (1.0f / 64)

typedef struct tally { int told, began, ended, landed; } tally;

static void count_event(kin_world *world, const kin_event *event, void *user)
{
    tally *t = (tally *)user;
    (void)world;
    t->told++;
    t->began += event->type == KIN_EVENT_BEGAN;
    t->ended += event->type == KIN_EVENT_ENDED;
    t->landed += event->type == KIN_EVENT_LANDED;
}

static kin_world *bounded_world(int contacts, int events, tally *t)
{
    kin_world_desc desc;
    memset(&desc, 0, sizeof desc);
    memset(t, 0, sizeof *t);
    desc.gravity = at(0, -30);
    desc.max_contacts = contacts;
    desc.max_events = events;
    desc.on_event = count_event;
    desc.user = t;
    return kin_world_create(&desc);
}

static void run(kin_world *world, int steps)
{
    while (steps-- > 0) kin_world_step(world, DT);
}

static kin_id wide_floor(kin_world *world)
{
    return add_static(world, kin_box(kini_with(kini_all(30), 1, 1)), at(0, -0.5f));
}

UTEST(limits, with_room_for_one_contact_the_ground_is_kept)
{
    tally       t;
    kin_world  *world = bounded_world(1, 100, &t);
    kin_contact contact;
    kin_id      floor, body;
    add_static(world, kin_box(kini_with(kini_all(4), 0, 1)), at(-1, 1));   /* a wall, which has the lower slot */
    floor = wide_floor(world);
    body = add_body(world, kin_box(size(1, 1)), at(0.002f, 0.502f));
    run(world, 30);
    EXPECT_TRUE(kin_on_ground(world, body));
    EXPECT_EQ(1, kin_get_contacts(world, body, &contact, 1));
    EXPECT_TRUE(kin_same(floor, contact.other));
    EXPECT_TRUE(kin_world_overflowed(world));
    EXPECT_EQ(1, t.landed);
    EXPECT_EQ(0, t.ended);
    kin_world_destroy(world);
}

UTEST(limits, two_bodies_that_cannot_both_note_each_other_keep_their_grounds)
{
    tally      t;
    kin_world *world = bounded_world(1, 100, &t);
    kin_id     floor = wide_floor(world), a = add_body(world, kin_box(size(1, 1)), at(0, 0.502f));
    kin_id     b = add_body(world, kin_box(size(1, 1)), at(1.004f, 0.502f)), c = add_body(world, kin_box(size(1, 1)), at(0, 1.506f));
    run(world, 60);
    EXPECT_TRUE(kin_same(floor, kin_get_ground(world, a).id) && kin_same(floor, kin_get_ground(world, b).id));
    EXPECT_TRUE(kin_same(a, kin_get_ground(world, c).id));
    EXPECT_TRUE(kin_world_overflowed(world));
    EXPECT_EQ(3, t.landed);
    EXPECT_TRUE(t.began <= 5 && t.ended <= 2);   /* once each, and not again in every step */
    kin_world_destroy(world);
}

UTEST(limits, events_that_do_not_fit_are_flagged_and_still_told)
{
    tally            t;
    kin_world       *world = bounded_world(16, 2, &t);
    const kin_event *events;
    int              i;
    wide_floor(world);
    for (i = 0; i < 5; i++) add_body(world, kin_box(size(1, 1)), at((float)i * 2 - 5, 0.502f));
    run(world, 1);
    EXPECT_EQ(2, kin_get_events(world, &events));
    EXPECT_TRUE(events[0].type == KIN_EVENT_BEGAN);
    EXPECT_TRUE(kin_world_overflowed(world));
    EXPECT_EQ(5, t.began);
    EXPECT_EQ(5, t.landed);
    run(world, 1);
    EXPECT_EQ(0, kin_get_events(world, &events));
    EXPECT_FALSE(kin_world_overflowed(world));
    kin_world_destroy(world);
}

/* ---- removed while a step runs ----------------------------------------------------------------------------------------- */

static kin_id to_remove;

static void remove_it(kin_world *world, kin_id id, float dt, void *user)
{
    (void)id, (void)dt, (void)user;
    if (kin_alive(world, to_remove) && kin_world_steps(world) == 30) kin_remove(world, to_remove);
}

UTEST(limits, contacts_of_what_a_controller_removes_end_once)
{
    tally         t;
    kin_world    *world = bounded_world(16, 100, &t);
    kin_body_desc desc = body_desc(kin_box(size(1, 1)), at(0, 0.502f));
    kin_id        body;
    int           i, ended = 0;
    to_remove = wide_floor(world);
    desc.control = remove_it;
    body = kin_add_body(world, &desc);
    for (i = 0; i < 60; i++) {
        const kin_event *events;
        int              k, count;
        run(world, 1);
        count = kin_get_events(world, &events);
        for (k = 0; k < count; k++) {
            if (i > 30) EXPECT_TRUE(events[k].type == KIN_EVENT_ENDED || events[k].type == KIN_EVENT_LEFT);
            ended += events[k].type == KIN_EVENT_ENDED && kin_same(events[k].b, to_remove) && kin_same(events[k].a, body);
        }
    }
    EXPECT_FALSE(kin_alive(world, to_remove));
    EXPECT_EQ(1, ended);
    EXPECT_TRUE(kin_get_position(world, body).y < 0);
    kin_world_destroy(world);
}
