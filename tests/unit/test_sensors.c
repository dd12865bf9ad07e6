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
    desc.attach = nobody();          /* what stands alone senses nothing but bodies */
    desc.senses = true;
    EXPECT_TRUE(kin_same(kin_add_static(world, &desc), nobody()) && log.lines == lines + 4);
    EXPECT_TRUE(strstr(log.last, "senses is only for a sensor that is attached") != NULL);
    options.sensor = options.senses = true;
    EXPECT_TRUE(kin_set_static_options(world, sensor, &options));
    sensor = add_static(world, kin_box(size(1, 1)), at(9, 9));
    EXPECT_TRUE(!kin_set_static_options(world, sensor, &options) && log.lines == lines + 5);
    kin_world_destroy(world);
}

/* ---- sensors and movers that sense ---------------------------------------------------------------------------------- */

static kin_id add_sense(kin_world *world, kin_id owner, kin_vec place)
{
    kin_static_desc desc = static_desc(kin_box(size(1, 1)), place);
    desc.sensor = desc.senses = true;
    desc.attach = owner;
    return kin_add_static(world, &desc);
}

static int count_naming(const kin_world *world, kin_id id)
{
    const kin_event *first;
    int              i, found = 0, count = kin_get_events(world, &first);
    for (i = 0; i < count; i++) found += kin_same(first[i].a, id) || kin_same(first[i].b, id);
    return found;
}

/* O80: the hand of a walking hero, 1 x 1, begins with a wall when its front, 1.5 before the hero, is there; so with a
   standing mover and another's hit box; never with its owner, its owner's other sensor, or the floor below it. A sensor
   that does not sense tells of none of them. */
UTEST(sensors, O80_a_hand_meets_level_movers_and_hit_boxes)
{
    test_log        log;
    kin_world      *world = a_floor(&log);
    kin_id          hero = add_body(world, kin_box(size(1, 1)), at(0, 0.502f));
    kin_id          foe = add_body(world, kin_box(size(1, 1)), at(2, 9)), hand, deaf, feet, target, wall, door;
    kin_body_desc   floats;
    kin_static_desc options;
    kin_contact     contact;
    const kin_event *list;
    unsigned char  *saved;
    size_t          bytes;
    uint64_t        hash;
    int             i, began[3] = { 0, 0, 0 }, ended[3] = { 0, 0, 0 }, first[3] = { 0, 0, 0 }, bad = 0;
    kin_get_body_options(world, foe, &floats);
    floats.weightless = true;
    kin_set_body_options(world, foe, &floats);
    hand = add_sense(world, hero, at(1, 0.2f));
    deaf = add_sensor(world, hero, at(1, 0.2f));
    feet = add_sense(world, hero, at(0, -0.4f));
    target = add_sensor(world, foe, at(1, -7.8f));          /* 2.5..3.5, 0.7..1.7 */
    door = add_mover(world, kin_box(size(1, 1)), at(6, 1.6f));
    wall = add_static(world, kin_box(size(1, 1)), at(9, 1.6f));
    EXPECT_TRUE(kin_get_static_options(world, hand, &options) && options.senses && kin_get_static_options(world, deaf, &options) && !options.senses);
    for (i = 0; i < 100; i++) {
        kin_id others[3];
        int    k;
        others[0] = target; others[1] = door; others[2] = wall;
        kin_set_velocity(world, hero, at(6, 0));
        run(world, 1);
        for (k = 0; k < 3; k++) {
            if (count_of(world, KIN_EVENT_BEGAN, hand, others[k]) && began[k]++ == 0) first[k] = i;
            ended[k] += count_of(world, KIN_EVENT_ENDED, hand, others[k]);
        }
        bad += count_naming(world, deaf) + count_of(world, KIN_EVENT_BEGAN, hand, feet) + count_of(world, KIN_EVENT_BEGAN, hand, hero);
        if (i == 0) {
            EXPECT_EQ(1, kin_get_events(world, &list) > 0);
            EXPECT_EQ(1, kin_get_contacts(world, feet, &contact, 1));
            EXPECT_TRUE(contact.normal.y > 0.99f && contact.gap < -0.39f && contact.gap > -0.4f);
        }
    }
    /* 0.1 a step: the hand's front, 1.5 + 0.1 (i + 1), is beyond 2.5, 5.5, 8.5; it overlaps one of 1 for 2 units, and
       ends a step after it has left. */
    EXPECT_EQ(0, bad);
    EXPECT_TRUE(began[0] == 1 && began[1] == 1 && began[2] == 1);
    EXPECT_TRUE(ended[0] == 1 && ended[1] == 1 && ended[2] == 1);
    EXPECT_TRUE(first[0] >= 9 && first[0] <= 10 && first[1] >= 39 && first[1] <= 40 && first[2] >= 69 && first[2] <= 70);
    kin_set_velocity(world, hero, at(0, 0));
    kin_set_position(world, hero, at(7.5f, 0.502f));
    run(world, 40);                                          /* the hand is in the wall, the hero at rest */
    EXPECT_EQ(2, kin_world_get_stats(world).idle);
    EXPECT_TRUE(kin_get_contacts(world, hand, &contact, 1) == 1 && kin_same(contact.other, wall) && contact.gap < -0.09f);
    EXPECT_TRUE(kin_get_contacts(world, wall, &contact, 1) == 1 && kin_same(contact.other, hand));
    bytes = kin_snapshot_size(world);
    saved = malloc(bytes);
    EXPECT_EQ(bytes, kin_snapshot_save(world, saved, bytes));
    kin_set_velocity(world, door, at(3, 0));                 /* the door flies through the hand: it does not wake the hero */
    for (i = began[1] = ended[1] = bad = 0; i < 120; i++) {
        run(world, 1);
        began[1] += count_of(world, KIN_EVENT_BEGAN, hand, door);
        ended[1] += count_of(world, KIN_EVENT_ENDED, hand, door);
        bad += count_naming(world, wall);
    }
    EXPECT_TRUE(began[1] == 1 && ended[1] == 1 && bad == 0 && near_to(kin_get_position(world, hero), at(7.5f, 0.502f), 1e-4f));
    hash = kin_world_hash(world);
    EXPECT_TRUE(kin_snapshot_load(world, saved, bytes));
    kin_set_velocity(world, door, at(3, 0));
    run(world, 120);
    EXPECT_TRUE(kin_world_hash(world) == hash);
    kin_remove(world, wall);
    run(world, 1);
    EXPECT_TRUE(count_of(world, KIN_EVENT_ENDED, hand, wall) == 1 && count_naming(world, wall) == 1);
    wall = add_static(world, kin_box(size(1, 1)), at(9, 1.6f));
    run(world, 1);
    EXPECT_EQ(1, count_of(world, KIN_EVENT_BEGAN, hand, wall));
    kin_get_static_options(world, hand, &options);
    options.senses = false;
    EXPECT_TRUE(kin_set_static_options(world, hand, &options));
    run(world, 1);
    EXPECT_EQ(1, count_of(world, KIN_EVENT_ENDED, hand, wall));
    options.senses = true;
    EXPECT_TRUE(kin_set_static_options(world, hand, &options));
    run(world, 1);
    EXPECT_EQ(1, count_of(world, KIN_EVENT_BEGAN, hand, wall));
    kin_remove(world, hero);
    run(world, 1);
    EXPECT_TRUE(count_of(world, KIN_EVENT_ENDED, hand, wall) == 1 && kin_get_contacts(world, wall, NULL, 0) == 0);
    free(saved);
    kin_world_destroy(world);
}

/* O81: a mover that senses at 60 u/s: a zone of 2, begun once and ended once; a thin one, crossed within one step, begins
   and ends a step later; each cell of tiles; one sensor attached to a body, with the mover as a, even if that senses too.
   Solid things are no sensors; a mover that does not sense tells nothing. */
UTEST(sensors, O81_movers_that_sense)
{
    test_log        log;
    kin_world_desc  world_desc;
    kin_world      *world;
    kin_mover_desc  bullet = mover_desc(kin_ball(0.2f), at(0, 0)), told;
    kin_static_desc zone = static_desc(kin_box(size(2, 1)), at(5.6f, 0));
    kin_tiles_desc  tiles;
    const kin_event *list;
    kin_body_desc   body = body_desc(kin_box(size(1, 1)), at(20, 9));
    unsigned char   cells[3] = { KIN_TILE_SENSOR, KIN_TILE_SOLID, KIN_TILE_SENSOR };
    kin_id          fast, deaf, wide, thin, wall, row, owner, box;
    int             i, k, count, begins = 0, ends = 0, cells_begun = 0, heard = 0;
    memset(&world_desc, 0, sizeof world_desc);
    memset(&log, 0, sizeof log);
    world = kin_world_create(&world_desc);
    bullet.velocity = at(60, 0);
    bullet.senses = true;
    fast = kin_add_mover(world, &bullet);
    bullet.senses = false;
    deaf = kin_add_mover(world, &bullet);
    EXPECT_TRUE(kin_get_mover_options(world, fast, &told) && told.senses && kin_set_mover_options(world, fast, &told));
    zone.sensor = true;
    wide = kin_add_static(world, &zone);
    zone.shape = kin_box(size(0.1f, 1));
    zone.position = at(10.5f, 0);
    thin = kin_add_static(world, &zone);
    zone.sensor = false;
    zone.position = at(12.5f, 0);
    wall = kin_add_static(world, &zone);
    memset(&tiles, 0, sizeof tiles);
#if KINEMATIC_DIM == 2
    tiles.size = kin_c(3, 1);
#else
    tiles.size = kin_c(3, 1, 1);
#endif
    tiles.cells = cells;
    tiles.origin = kini_with(at(14, -0.5f), KINEMATIC_DIM - 1, -0.5f);   /* 14..17 */
    row = kin_add_tiles(world, &tiles);
    body.weightless = true;
    owner = kin_add_body(world, &body);
    box = add_sense(world, owner, at(0, -9));
    for (i = 0; i < 40; i++) {
        run(world, 1);
        count = kin_get_events(world, &list);
        for (k = 0; k < count; k++) {
            if (kin_same(list[k].a, box) && kin_same(list[k].b, deaf)) { heard++; continue; }
            EXPECT_TRUE(kin_same(list[k].a, fast) && !kin_same(list[k].b, wall) && !kin_same(list[k].b, deaf));
            EXPECT_TRUE(list[k].type != KIN_EVENT_BEGAN || fabsf(list[k].speed - 60) < 0.1f);
            begins += list[k].type == KIN_EVENT_BEGAN;
            ends += list[k].type == KIN_EVENT_ENDED;
            cells_begun += kin_same(list[k].b, row) && list[k].type == KIN_EVENT_BEGAN && (list[k].part == 0 || list[k].part == 2);
            if (kin_same(list[k].b, thin)) EXPECT_EQ(list[k].type == KIN_EVENT_BEGAN ? 11 : 12, (int)list[k].step);
            if (kin_same(list[k].b, wide) && list[k].type == KIN_EVENT_BEGAN) EXPECT_EQ(5, (int)list[k].step);
        }
    }
    EXPECT_TRUE(begins == 5 && ends == 5 && cells_begun == 2 && heard == 2);
    EXPECT_EQ(1, (int)kin_alive(world, box));
    kin_world_destroy(world);
}

/* O82: room for two contacts: with five things the first two are told, the others when those have ended; none ends that
   is still met, and the world tells that it overflowed. */
UTEST(sensors, O82_more_than_fit)
{
    kin_world_desc desc;
    kin_world     *world;
    kin_body_desc  body = body_desc(kin_box(size(1, 1)), at(0, 9));
    kin_id         owner, sense, walls[5];
    int            i, began = 0, ended = 0;
    memset(&desc, 0, sizeof desc);
    desc.max_sensor_contacts = 2;
    world = kin_world_create(&desc);
    owner = kin_add_body(world, &body);
    for (i = 0; i < 5; i++) walls[i] = add_static(world, kin_box(size(1, 1)), at(0.1f * (float)i, 0));
    sense = add_sense(world, owner, at(0, -9));
    run(world, 1);
    for (i = 0; i < 5; i++) began += count_of(world, KIN_EVENT_BEGAN, sense, walls[i]);
    EXPECT_TRUE(began == 2 && kin_get_contacts(world, sense, NULL, 0) == 2 && kin_world_overflowed(world));
    run(world, 3);
    for (i = 0; i < 5; i++) ended += count_of(world, KIN_EVENT_ENDED, sense, walls[i]);
    EXPECT_EQ(0, ended);
    EXPECT_EQ(0, kin_get_events(world, NULL));
    kin_remove(world, walls[0]);
    run(world, 1);
    EXPECT_EQ(1, count_of(world, KIN_EVENT_ENDED, sense, walls[0]));
    EXPECT_EQ(1, count_of(world, KIN_EVENT_BEGAN, sense, walls[2]));
    kin_world_destroy(world);
}
