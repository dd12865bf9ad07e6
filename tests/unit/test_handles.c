/* SPDX-License-Identifier: MIT OR Unlicense

   Handles: dead at once and for ever, slots and rows used again, memory bounded without a single step, adding and
   removing inside a step, and shapes stored once. */
#define KINEMATIC_IMPLEMENTATION
#include "kinematic.h"
#include "trees.h"
#include "worlds.h"

UTEST_MAIN()

/* Rows and links of the world fit together: every live thing has its row, its leaf and its shape. */
static bool sound(const kin_world *world)
{
    int32_t i, live[4] = { 0, 0, 0, 0 }, users = 0, shaped = 0;
    for (i = 1; i < world->things.count; i++) {
        const kini_thing *thing = &world->things.at[i];
        if (thing->kind == KIN_NOTHING) continue;
        if (!(thing->flags & KINI_REMOVED)) live[thing->kind]++;
        shaped += thing->shape >= 0;
        if (thing->kind == KIN_STATIC && world->statics.at[thing->row].slot != (uint32_t)i) return false;
        if (thing->kind == KIN_MOVER && world->movers.at[thing->row].slot != (uint32_t)i) return false;
        if (thing->kind == KIN_BODY && world->bodies.at[thing->row].slot != (uint32_t)i) return false;
        if ((thing->leaf < 0) != ((thing->flags & KINI_REMOVED) != 0)) return false;
    }
    for (i = 0; i < world->shapes.count; i++) users += world->shapes.at[i].users;
    for (i = 1; i < 4; i++)
        if (live[i] != world->live[i] || !tree_check(&world->trees[i])) return false;
    return users == shaped;
}

UTEST(handles, a_million_lives_of_one_slot)
{
    test_log   log;
    kin_world *world = quiet_world(&log);
    kin_shape  ball = kin_ball(1);
    kin_id     first = add_body(world, ball, at(0, 0)), last = first, id;
    int        i, count = 1000000 / TEST_SHARE, old;
    EXPECT_TRUE(kin_remove(world, first));
    for (i = 0; i < count; i++) {
        id = add_body(world, ball, at((float)(i % 50), 0));
        ASSERT_EQ(first.slot, id.slot);
        ASSERT_TRUE(id.age == last.age + 1);
        ASSERT_TRUE(kin_remove(world, id));
        ASSERT_FALSE(kin_alive(world, id));
        last = id;
    }
    EXPECT_EQ(2, world->things.count);      /* nothing has grown, without a step to clean up */
    EXPECT_EQ(1, world->bodies.count);
    EXPECT_EQ(1, world->shapes.count);
    id = add_body(world, ball, at(0, 0));
    EXPECT_EQ(0, log.lines);
    for (old = 1; old < (int)id.age; old += 1 + old / 100) EXPECT_FALSE(kin_alive(world, handle(first.slot, (uint32_t)old)));
    EXPECT_FALSE(kin_alive(world, handle(first.slot, id.age + 1)));
    EXPECT_TRUE(kin_alive(world, id));
    kin_world_destroy(world);
}

UTEST(handles, a_slot_whose_age_has_run_out_is_not_used_again)
{
    test_log   log;
    kin_world *world = quiet_world(&log);
    kin_id     id = add_body(world, kin_ball(1), at(0, 0)), next;
    world->things.at[id.slot].age = id.age = 0xFFFFFFFFu;
    EXPECT_TRUE(kin_alive(world, id));
    EXPECT_TRUE(kin_remove(world, id));
    EXPECT_FALSE(kin_alive(world, id));
    EXPECT_FALSE(kin_alive(world, handle(id.slot, 0)));
    EXPECT_FALSE(kin_alive(world, handle(id.slot, 1)));
    next = add_body(world, kin_ball(1), at(0, 0));
    EXPECT_TRUE(next.slot != id.slot);
    EXPECT_TRUE(kin_remove(world, next));
    EXPECT_EQ(next.slot, add_body(world, kin_ball(1), at(0, 0)).slot);
    EXPECT_TRUE(sound(world));
    kin_world_destroy(world);
}

UTEST(handles, guesses_are_no_handles)
{
    test_log   log;
    kin_world *world = quiet_world(&log);
    kin_id     id = add_static(world, kin_ball(1), at(0, 0));
    EXPECT_FALSE(kin_alive(world, nobody()));
    EXPECT_FALSE(kin_alive(world, handle(0, 1)));
    EXPECT_FALSE(kin_alive(world, handle(id.slot, 0)));
    EXPECT_FALSE(kin_alive(world, handle(id.slot + 1, 1)));
    EXPECT_FALSE(kin_alive(world, handle(0xFFFFFFFFu, 1)));
    EXPECT_TRUE(kin_same(id, id));
    EXPECT_FALSE(kin_same(id, handle(id.slot, id.age + 1)));
    kin_world_destroy(world);
}

UTEST(handles, random_lives_against_a_list)
{
    enum { COUNT = 200 };
    test_log   log;
    kin_world *world = quiet_world(&log);
    chance     c = { 11 };
    kin_id     ids[COUNT], dead[COUNT];
    kin_kind   kinds[COUNT];
    float      places[COUNT];
    int        i, k, rounds = 40000 / TEST_SHARE;
    memset(ids, 0, sizeof ids);
    memset(dead, 0, sizeof dead);
    for (i = 0; i < rounds; i++) {
        k = below(&c, COUNT);
        if (ids[k].slot) {
            ASSERT_EQ((int)kinds[k], (int)kin_get_kind(world, ids[k]));
            ASSERT_EQ(places[k], kin_get_position(world, ids[k]).x);
            ASSERT_TRUE(kin_remove(world, ids[k]));
            dead[k] = ids[k];
            ids[k] = nobody();
        } else {
            places[k] = (float)i;
            kinds[k] = (kin_kind)(1 + below(&c, 3));
            if (kinds[k] == KIN_STATIC) ids[k] = add_static(world, any_shape(&c), at(places[k], 0));
            else if (kinds[k] == KIN_MOVER) ids[k] = add_mover(world, any_shape(&c), at(places[k], 0));
            else ids[k] = add_body(world, any_shape(&c), at(places[k], 0));
            ASSERT_TRUE(ids[k].slot != 0);
        }
        if (dead[k].slot) ASSERT_FALSE(kin_alive(world, dead[k]));
        if (i % 500 == 0) ASSERT_TRUE(sound(world));
    }
    EXPECT_TRUE(world->things.count <= COUNT + 1);
    EXPECT_TRUE(world->shapes.count <= COUNT);
    kin_world_destroy(world);
}

/* ---- inside a step ---------------------------------------------------------------------------------------------------- */

UTEST(handles, what_is_added_inside_a_step_is_valid_at_once_but_takes_no_part)
{
    test_log   log;
    kin_world *world = quiet_world(&log);
    kin_id     old = add_static(world, kin_ball(1), at(0, 0)), id;
    kin_hit    hit;
    world->stage = 3;
    id = add_body(world, kin_ball(1), at(5, 0));
    EXPECT_TRUE(kin_alive(world, id));
    EXPECT_TRUE(world->things.at[id.slot].flags & KINI_PENDING);
    EXPECT_EQ(1, world->pending);
    EXPECT_FALSE(kini_meets(world, old.slot, id.slot));
    EXPECT_TRUE(kin_cast_ray(world, at(5, 5), at(0, -9), NULL, &hit));   /* but questions see it */
    EXPECT_TRUE(kin_same(id, hit.id));
    world->stage = 0;
    EXPECT_TRUE(kini_meets(world, old.slot, id.slot));
    kin_world_destroy(world);
}

UTEST(handles, what_is_removed_inside_a_step_is_dead_at_once_and_forgotten_later)
{
    test_log   log;
    kin_world *world = quiet_world(&log);
    kin_id     old = add_static(world, kin_ball(1), at(0, 0)), body = add_body(world, kin_ball(2), at(0, 0)), id;
    kin_hit    hit;
    world->stage = 3;
    EXPECT_TRUE(kin_remove(world, old));
    EXPECT_FALSE(kin_alive(world, old));
    EXPECT_FALSE(kini_meets(world, old.slot, body.slot));
    EXPECT_TRUE(kin_remove(world, body));
    EXPECT_FALSE(kin_cast_ray(world, at(0, 5), at(0, -9), NULL, &hit));
    EXPECT_EQ(0u, kin_next(world, KIN_NOTHING, nobody()).slot);
    EXPECT_EQ(2, world->pending);
    EXPECT_FALSE(kin_alive(world, handle(old.slot, old.age + 1)));       /* the coming handle is not valid yet */
    id = add_static(world, kin_ball(1), at(0, 0));
    EXPECT_TRUE(id.slot != old.slot && id.slot != body.slot);
    EXPECT_TRUE(sound(world));
    world->stage = 0;
    kini_forget(world, old.slot);
    kini_forget(world, body.slot);
    EXPECT_TRUE(sound(world));
    EXPECT_EQ(old.slot, add_static(world, kin_ball(3), at(0, 0)).slot);    /* the lowest free slot is taken */
    EXPECT_EQ(body.slot, add_static(world, kin_ball(4), at(0, 0)).slot);
    kin_world_destroy(world);
}

UTEST(handles, what_contacts_may_name_stays_until_stage_1)
{
    test_log   log;
    kin_world *world = quiet_world(&log);
    kin_id     ground = add_static(world, kin_ball(1), at(0, 0)), body = add_body(world, kin_ball(2), at(0, 0));
    world->things.at[ground.slot].flags |= KINI_TOUCHED;
    body_row(world, body)->contact_count = 1;
    EXPECT_TRUE(kin_remove(world, ground));
    EXPECT_TRUE(kin_remove(world, body));
    EXPECT_EQ(2, world->pending);
    EXPECT_EQ((int)KIN_STATIC, (int)world->things.at[ground.slot].kind);
    EXPECT_EQ((int)KIN_BODY, (int)world->things.at[body.slot].kind);
    EXPECT_FALSE(kin_alive(world, ground));
    EXPECT_FALSE(kin_alive(world, body));
    kin_world_destroy(world);
}

/* ---- shapes are stored once --------------------------------------------------------------------------------------------- */

UTEST(handles, equal_shapes_share_a_row)
{
    test_log   log;
    kin_world *world = quiet_world(&log);
    chance     c = { 4 };
    kin_shape  shapes[30];
    kin_id     ids[300];
    int        i;
    for (i = 0; i < 30; i++) {
        shapes[i] = any_shape(&c);
        shapes[i].radius += (float)i / 1024;   /* no two alike */
    }
    for (i = 0; i < 300; i++) ids[i] = add_static(world, shapes[i % 30], anywhere(&c, 9));
    EXPECT_EQ(30, world->shapes.count);
    for (i = 0; i < 30; i++) EXPECT_EQ(10, world->shapes.at[i].users);
    for (i = 0; i < 300; i++)
        if (i % 30 != 3) EXPECT_TRUE(kin_remove(world, ids[i]));
    for (i = 0; i < 30; i++) {
        kini_solid solid;
        kini_hull  room;
        ASSERT_TRUE(kini_shape_solid(&shapes[i], &solid, &room) == NULL);
        EXPECT_EQ(i == 3 ? 3 : -1, kini_find_shape(world, &solid));
    }
    for (i = 0; i < 30; i++) EXPECT_TRUE(add_static(world, shapes[i], at(0, 0)).slot != 0);
    EXPECT_EQ(30, world->shapes.count);
    EXPECT_TRUE(sound(world));
    kin_world_destroy(world);
}

UTEST(handles, the_shape_index_survives_any_order_of_removal)
{
    enum { COUNT = 400 };
    test_log   log;
    kin_world *world = quiet_world(&log);
    chance     c = { 21 };
    kin_id     ids[COUNT];
    kin_shape  shapes[COUNT];
    int        i, k, rounds = 20000 / TEST_SHARE;
    memset(ids, 0, sizeof ids);
    for (i = 0; i < COUNT; i++) shapes[i] = kin_ball(1 + (float)i / 64);
    for (i = 0; i < rounds; i++) {
        k = below(&c, COUNT);
        if (ids[k].slot) { ASSERT_TRUE(kin_remove(world, ids[k])); ids[k] = nobody(); }
        else ids[k] = add_static(world, shapes[k], at(0, 0));
        if (i % 100) continue;
        for (k = 0; k < COUNT; k++) {
            kini_solid solid;
            kini_hull  room;
            ASSERT_TRUE(kini_shape_solid(&shapes[k], &solid, &room) == NULL);
            ASSERT_EQ(ids[k].slot ? world->things.at[ids[k].slot].shape : -1, kini_find_shape(world, &solid));
        }
    }
    kin_world_destroy(world);
}

UTEST(handles, a_hundred_thousand_distinct_shapes)
{
    test_log   log;
    kin_world *world = quiet_world(&log);
    int        i, count = 100000 / TEST_SHARE;
    for (i = 0; i < count; i++) ASSERT_TRUE(add_static(world, kin_ball(1 + (float)i / 131072), at((float)(i % 300) * 3, (float)(i / 300) * 3)).slot != 0);
    EXPECT_EQ(count, world->shapes.count);
    EXPECT_TRUE(sound(world));
    kin_world_destroy(world);
}

UTEST(handles, points_that_come_out_give_the_same_shape)
{
    chance c = { 9 };
    int    i;
    for (i = 0; i < 2000; i++) {
        test_log      log;
        kin_world    *world = quiet_world(&log);
        kin_body_desc desc;
        kin_id        id = add_body(world, any_shape(&c), at(0, 0));
        ASSERT_TRUE(kin_get_body_options(world, id, &desc));
        ASSERT_TRUE(kin_set_shape(world, id, &desc.shape));
        ASSERT_EQ(1, world->shapes.count);   /* found again, bit for bit */
        kin_world_destroy(world);
    }
}
