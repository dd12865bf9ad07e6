/* SPDX-License-Identifier: MIT OR Unlicense

   test_sensors.c: sensors that are attached to bodies: hit boxes, feet, sight. */
#define KINEMATIC_IMPLEMENTATION
#include "kinematic.h"
#include "worlds.h"

UTEST_MAIN()

static void run(kin_world *world, int steps)
{
    for (; steps > 0; steps--) kin_world_step(world, 1.0f / 60);
}

static int count_of(const kin_world *world, kin_event_type type, kin_id a, kin_id b)
{
    const kin_event *first;
    int              i, found = 0, count = kin_get_events(world, &first);
    for (i = 0; i < count; i++) found += first[i].type == type && kin_same(first[i].a, a) && kin_same(first[i].b, b);
    return found;
}

static kin_id add_sensor(kin_world *world, kin_id owner, kin_vec place)
{
    kin_static_desc desc = static_desc(kin_box(size(1, 1)), place);
    desc.sensor = true;
    desc.attach = owner;
    return kin_add_static(world, &desc);
}

static kin_world *a_floor(test_log *log)
{
    kin_world *world = quiet_world(log);
    add_static(world, kin_box(size(60, 1)), at(0, -0.5f));
    return world;
}

/* A hero walks with a sensor of 1 x 1 before it towards a crate at rest 6 away: it begins when the two overlap, ends when
   the hero is back, never names the hero, and the crate had been idle. */
UTEST(sensors, they_go_with_their_body)
{
    test_log        log;
    kin_world      *world = a_floor(&log);
    kin_id          hero = add_body(world, kin_box(size(1, 1)), at(0, 0.502f));
    kin_id          crate = add_body(world, kin_box(size(1, 1)), at(6, 0.502f));
    kin_id          sensor = add_sensor(world, hero, at(1, 0.2f));
    kin_static_desc told;
    kin_contact     contact;
    int             i, began = 0, ended = 0, others = 0, first = 0;
    run(world, 40);
    EXPECT_EQ(2, kin_world_get_stats(world).idle);
    EXPECT_EQ(0, kin_get_contacts(world, sensor, NULL, 0));
    for (i = 0; i < 120; i++) {
        const kin_event *list;
        int              k, count;
        kin_set_velocity(world, hero, at(i < 60 ? 5.0f : -5.0f, 0));
        run(world, 1);
        EXPECT_TRUE(near_to(kini_sub(kin_get_position(world, sensor), kin_get_position(world, hero)), at(1, 0.2f), 1e-5f));
        if (count_of(world, KIN_EVENT_BEGAN, crate, sensor) && began++ == 0) first = i;
        ended += count_of(world, KIN_EVENT_ENDED, crate, sensor);
        for (count = kin_get_events(world, &list), k = 0; k < count; k++)
            others += kin_same(list[k].b, sensor) && kin_same(list[k].a, hero);
    }
    /* The front of the sensor, 1.5 before the hero, reaches the crate, 5.5 away, after 4 units: in 48 steps. */
    EXPECT_TRUE(began == 1 && ended == 1 && others == 0 && first >= 47 && first <= 50);
    EXPECT_TRUE(kin_get_static_options(world, sensor, &told) && kin_same(told.attach, hero) && near_to(told.position, at(1, 0.2f), 0));
    kin_set_position(world, hero, at(4.6f, 0.502f));            /* it goes along at once, and is told with the next step */
    EXPECT_TRUE(near_to(kin_get_position(world, sensor), at(5.6f, 0.702f), 1e-5f));
    run(world, 1);
    EXPECT_EQ(1, kin_get_contacts(world, sensor, &contact, 1));
    EXPECT_TRUE(kin_same(contact.other, crate) && kin_get_contacts(world, hero, NULL, 0) == 1);
    kin_move(world, hero, at(-2, 0));
    EXPECT_TRUE(near_to(kin_get_position(world, sensor), at(3.6f - 5.0f / 60, 0.702f), 0.01f));
    kin_world_destroy(world);
}

/* It turns with its body, goes when that goes, and the world saves and loads it. */
UTEST(sensors, they_turn_go_and_are_saved)
{
    test_log       log;
    kin_world     *world = a_floor(&log);
    kin_id         hero = add_body(world, kin_box(size(1, 1)), at(0, 0.502f));
    kin_id         crate = add_body(world, kin_box(size(1, 1)), at(2, 0.502f));
    kin_id         near = add_sensor(world, hero, at(1, 0)), far = add_sensor(world, hero, at(-4, 0));
    unsigned char *saved;
    size_t         bytes;
    uint64_t       hash;
    run(world, 3);
    EXPECT_TRUE(kin_get_contacts(world, near, NULL, 0) == 1 && kin_get_contacts(world, far, NULL, 0) == 0);
    bytes = kin_snapshot_size(world);
    saved = malloc(bytes);
    EXPECT_EQ(bytes, kin_snapshot_save(world, saved, bytes));
    kin_set_rotation(world, hero, turned(3.14159265f));
    EXPECT_TRUE(near_to(kin_get_position(world, near), at(-1, 0.502f), 1e-4f));
    run(world, 2);
    EXPECT_TRUE(kin_get_contacts(world, near, NULL, 0) == 0 && kin_get_contacts(world, far, NULL, 0) == 0);
    kin_remove(world, hero);
    EXPECT_TRUE(!kin_alive(world, near) && !kin_alive(world, far));
    run(world, 2);
    EXPECT_TRUE(kin_snapshot_load(world, saved, bytes) && kin_alive(world, near));
    kin_set_velocity(world, hero, at(2, 0));
    run(world, 20);
    EXPECT_TRUE(near_to(kini_sub(kin_get_position(world, near), kin_get_position(world, hero)), at(1, 0), 1e-5f));
    hash = kin_world_hash(world);
    EXPECT_TRUE(kin_snapshot_load(world, saved, bytes));
    kin_set_velocity(world, hero, at(2, 0));
    run(world, 20);
    EXPECT_TRUE(kin_world_hash(world) == hash);
    kin_remove(world, hero);
    run(world, 1);
    EXPECT_EQ(1, count_of(world, KIN_EVENT_ENDED, crate, near));
    free(saved);
    kin_world_destroy(world);
}

UTEST(sensors, only_sensors_are_attached_to_bodies)
{
    test_log        log;
    kin_world      *world = a_floor(&log);
    kin_id          hero = add_body(world, kin_box(size(1, 1)), at(0, 0.502f)), sensor = add_sensor(world, hero, at(1, 0));
    kin_static_desc desc = static_desc(kin_box(size(1, 1)), at(1, 0)), options;
    int             lines = log.lines;
    desc.attach = hero;
    EXPECT_TRUE(kin_same(kin_add_static(world, &desc), nobody()) && log.lines == lines + 1);
    desc.sensor = true;
    desc.attach = sensor;
    EXPECT_TRUE(kin_same(kin_add_static(world, &desc), nobody()) && log.lines == lines + 2);
    EXPECT_TRUE(kin_get_static_options(world, sensor, &options) && kin_set_static_options(world, sensor, &options));
    options.sensor = false;
    EXPECT_TRUE(!kin_set_static_options(world, sensor, &options) && log.lines == lines + 3);
    kin_world_destroy(world);
}
