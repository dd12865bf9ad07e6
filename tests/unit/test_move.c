/* SPDX-License-Identifier: MIT OR Unlicense

   test_move.c: kin_test_move, which only asks, and kin_move, which goes and slides, outside the step: walls, one-way
   surfaces, tiles, meshes, bodies and sensors. */
#define KINEMATIC_IMPLEMENTATION
#include "kinematic.h"
#include "worlds.h"

UTEST_MAIN()

static void run(kin_world *world, int steps)
{
    for (; steps > 0; steps--) kin_world_step(world, 1.0f / 60);
}

static kin_world *world_with_body(test_log *log, kin_push push, kin_id *body)
{
    kin_world    *world = quiet_world(log);
    kin_body_desc desc = body_desc(kin_box(size(1, 1)), at(0, 0));
    desc.push = push;
    *body = kin_add_body(world, &desc);
    return world;
}

UTEST(move, a_wall_is_met_where_it_stands)
{
    test_log   log;
    kin_id     body, wall;
    kin_world *world = world_with_body(&log, KIN_PUSHABLE, &body);
    kin_hit    hit;
    uint64_t   hash;
    wall = add_static(world, kin_box(size(1, 4)), at(3, 0));
    hash = kin_world_hash(world);
    EXPECT_TRUE(kin_test_move(world, body, at(4, 0), &hit));
    EXPECT_TRUE(kin_same(wall, hit.id) && near_to(at(-1, 0), hit.normal, 1e-5f) && fabsf(hit.t - 0.5f) < 0.01f);
    EXPECT_FALSE(kin_test_move(world, body, at(1.5f, 0), &hit));
    EXPECT_TRUE(kin_same(nobody(), hit.id));
    EXPECT_TRUE(kin_test_move(world, body, at(4, 0), NULL));
    EXPECT_FALSE(kin_test_move(world, body, at(-4, 0), NULL));
    EXPECT_TRUE(hash == kin_world_hash(world));
    kin_world_destroy(world);
}

/* A shelf above, and the same as a tile: it lets a body through from below, and holds it from above. */
static void check_shelf(int *utest_result, bool tile)
{
    static const uint8_t cells[4] = { KIN_TILE_ONE_WAY, KIN_TILE_ONE_WAY, KIN_TILE_ONE_WAY, KIN_TILE_ONE_WAY };
    test_log        log;
    kin_id          body;
    kin_world      *world = world_with_body(&log, KIN_PUSHABLE, &body);
    kin_static_desc shelf = static_desc(kin_box(size(4, 1)), at(0, 2.5f));
    kin_tiles_desc  tiles;
    memset(&tiles, 0, sizeof tiles);
    shelf.one_way = at(0, 1);
    tiles.size = kini_cell_with(kini_cell_with(tiles.size, 0, 4), 1, 1);
    if (KINEMATIC_DIM == 3) tiles.size = kini_cell_with(tiles.size, KINEMATIC_DIM - 1, 1);
    tiles.cells = cells;
    tiles.origin = at(-2, 2);
    if (KINEMATIC_DIM == 3) tiles.origin = kini_with(tiles.origin, KINEMATIC_DIM - 1, -0.5f);
    if (tile) kin_add_tiles(world, &tiles);
    else kin_add_static(world, &shelf);
    EXPECT_FALSE(kin_test_move(world, body, at(0, 6), NULL));
    EXPECT_TRUE(near_to(at(0, 6), kin_move(world, body, at(0, 6)), 1e-4f));
    EXPECT_TRUE(kin_test_move(world, body, at(0, -6), NULL));
    EXPECT_TRUE(fabsf(kin_move(world, body, at(0, -6)).y + 2.5f) < 0.01f);
    EXPECT_FALSE(kin_test_move(world, body, at(1, 0), NULL));
    EXPECT_FALSE(kin_test_move(world, body, at(0, 1), NULL));
    kin_world_destroy(world);
}

UTEST(move, a_one_way_shelf) { check_shelf(utest_result, false); }
UTEST(move, a_one_way_tile) { check_shelf(utest_result, true); }

UTEST(move, other_bodies_are_met_unless_one_of_the_two_is_intangible)
{
    kin_push a, b;
    for (a = KIN_PUSHABLE; a <= KIN_INTANGIBLE; a = (kin_push)(a + 1))
        for (b = KIN_PUSHABLE; b <= KIN_INTANGIBLE; b = (kin_push)(b + 1)) {
            test_log      log;
            kin_id        body;
            kin_world    *world = world_with_body(&log, a, &body);
            kin_body_desc other = body_desc(kin_box(size(1, 1)), at(2, 0));
            other.push = b;
            kin_add_body(world, &other);
            EXPECT_EQ(a != KIN_INTANGIBLE && b != KIN_INTANGIBLE, kin_test_move(world, body, at(2, 0), NULL));
            kin_world_destroy(world);
        }
}

UTEST(move, sensors_ignored_and_filtered_things_are_not_met)
{
    test_log        log;
    kin_id          body, wall;
    kin_world      *world = world_with_body(&log, KIN_PUSHABLE, &body);
    kin_static_desc desc = static_desc(kin_box(size(1, 4)), at(2, 0));
    desc.sensor = true;
    kin_add_static(world, &desc);
    EXPECT_FALSE(kin_test_move(world, body, at(2, 0), NULL));
    desc.sensor = false;
    wall = kin_add_static(world, &desc);
    EXPECT_TRUE(kin_test_move(world, body, at(2, 0), NULL));
    kin_ignore(world, body, wall, true);
    EXPECT_FALSE(kin_test_move(world, body, at(2, 0), NULL));
    kin_ignore(world, body, wall, false);
    kin_set_filter(world, wall, 2, 2);
    EXPECT_FALSE(kin_test_move(world, body, at(2, 0), NULL));
    kin_set_filter(world, wall, 1, ~0u);
    kin_set_enabled(world, wall, false);
    EXPECT_FALSE(kin_test_move(world, body, at(2, 0), NULL));
    kin_world_destroy(world);
}

UTEST(move, the_nearest_of_several_counts_and_a_move_slides_along_it)
{
    test_log   log;
    kin_id     body, first;
    kin_world *world = world_with_body(&log, KIN_PUSHABLE, &body);
    kin_hit    hit;
    kin_vec    went;
    add_static(world, kin_box(size(1, 20)), at(6, 0));
    first = add_static(world, kin_box(size(1, 20)), at(4, 0));
    EXPECT_TRUE(kin_test_move(world, body, at(9, 3), &hit));
    EXPECT_TRUE(kin_same(first, hit.id));
    went = kin_move(world, body, at(9, 3));
    EXPECT_TRUE(fabsf(went.x - 3) < 0.01f && went.y > 2.9f && went.y < 3.1f);
    EXPECT_TRUE(near_to(went, kin_get_position(world, body), 1e-6f));
    kin_world_destroy(world);
}

/* Into a corner: the wall, then the floor, each at its part of the travel; contacts, ground and wall are there at once. */
UTEST(move, hits_are_told_in_order_and_contacts_follow)
{
    test_log    log;
    kin_id      body, floor, wall;
    kin_world  *world = world_with_body(&log, KIN_PUSHABLE, &body);
    kin_hit     hits[4];
    kin_contact side, list[4];
    kin_vec     went;
    kin_event   told[8];
    int         i, count, began = 0, landed = 0;
    floor = add_static(world, kin_box(size(20, 1)), at(0, -3.5f));   /* 2.5 below the feet */
    wall = add_static(world, kin_box(size(1, 20)), at(2, 0));        /* 1 to the right */
    EXPECT_EQ(2, kin_move_hits(world, body, at(4, -5), &went, hits, 4));
    EXPECT_TRUE(near_to(at(1, -2.5f), went, 0.01f));
    EXPECT_TRUE(kin_same(wall, hits[0].id) && near_to(at(-1, 0), hits[0].normal, 1e-5f) && hits[0].part == -1);
    EXPECT_TRUE(fabsf(hits[0].t - 0.25f) < 0.01f && fabsf(hits[0].point.x - 1.5f) < 0.01f);
    EXPECT_TRUE(kin_same(floor, hits[1].id) && fabsf(hits[1].t - 0.5f) < 0.01f && fabsf(hits[1].point.y + 3) < 0.01f);
    EXPECT_TRUE(kin_on_ground(world, body) && kin_same(floor, kin_get_ground(world, body).id) && kin_on_wall(world, body));
    EXPECT_TRUE(kin_get_wall(world, body, &side) && kin_same(wall, side.other));
    EXPECT_EQ(2, kin_get_contacts(world, body, list, 4));
    EXPECT_EQ(0, kin_move_hits(world, body, at(-3, 0), NULL, NULL, 0));   /* along the floor, away from the wall */
    EXPECT_EQ(1, kin_get_contacts(world, body, list, 4));
    EXPECT_TRUE(kin_same(floor, list[0].other) && kin_on_ground(world, body) && !kin_on_wall(world, body));
    for (i = 0; i < 3; i++) {   /* the next step tells, once */
        const kin_event *first;
        kin_world_step(world, 1.0f / 60);
        for (count = kin_get_events(world, &first); count > 0; count--) {
            told[0] = first[count - 1];
            began += told[0].type == KIN_EVENT_BEGAN;
            landed += told[0].type == KIN_EVENT_LANDED;
            EXPECT_TRUE(told[0].type != KIN_EVENT_ENDED && kin_same(told[0].b, floor));
        }
    }
    EXPECT_TRUE(began == 1 && landed == 1);
    EXPECT_EQ(0, kin_move_hits(world, body, at(0, 2), NULL, NULL, 0));   /* off the floor: what was told ends later */
    EXPECT_TRUE(kin_get_contacts(world, body, NULL, 0) == 0 && !kin_on_ground(world, body));
    EXPECT_EQ(1, kin_move_hits(world, body, at(0, -3), NULL, NULL, 0));  /* and back: nothing has ended */
    EXPECT_TRUE(kin_get_contacts(world, body, NULL, 0) == 1 && kin_on_ground(world, body));
    kin_world_step(world, 1.0f / 60);
    EXPECT_EQ(0, kin_get_events(world, NULL));
    kin_move_hits(world, body, at(0, 5), NULL, NULL, 0);
    kin_world_step(world, 1.0f / 60);
    EXPECT_EQ(2, kin_get_events(world, NULL));   /* ENDED and LEFT */
    kin_world_destroy(world);
}

/* Contacts found by a move go on bit for bit after a load, and the step emits the one with a body. */
UTEST(move, hits_and_snapshots)
{
    test_log       log;
    kin_id         body, other;
    kin_world     *world = world_with_body(&log, KIN_PUSHABLE, &body);
    unsigned char *saved;
    size_t         bytes;
    uint64_t       hash;
    kin_hit        hit;
    add_static(world, kin_box(size(20, 1)), at(0, -1.01f));
    other = add_body(world, kin_box(size(1, 1)), at(3, 0));
    run(world, 20);
    EXPECT_EQ(1, kin_move_hits(world, body, at(3, 0), NULL, &hit, 1));
    EXPECT_TRUE(kin_same(other, hit.id) && fabsf(hit.point.x - 2.5f) < 0.01f && kin_on_wall(world, body));
    EXPECT_TRUE(kin_get_contacts(world, body, NULL, 0) == 2 && kin_get_contacts(world, other, NULL, 0) == 1);
    bytes = kin_snapshot_size(world);
    saved = malloc(bytes);
    EXPECT_TRUE(kin_snapshot_save(world, saved, bytes) == bytes);
    run(world, 1);
    EXPECT_EQ(1, kin_get_events(world, NULL));
    EXPECT_TRUE(kin_get_contacts(world, other, NULL, 0) == 2);
    run(world, 9);
    hash = kin_world_hash(world);
    EXPECT_TRUE(kin_snapshot_load(world, saved, bytes) && kin_get_contacts(world, body, NULL, 0) == 2);
    run(world, 1);
    EXPECT_EQ(1, kin_get_events(world, NULL));
    run(world, 9);
    EXPECT_TRUE(hash == kin_world_hash(world));
    free(saved);
    kin_world_destroy(world);
}

/* What a controller moves over a mover that goes on stays where it was moved to on that. */
static void creep(kin_world *world, kin_id self, float dt, void *user)
{
    (void)dt; (void)user;
    kin_move(world, self, at(0.02f, 0));
}

UTEST(move, within_a_controller_it_moves_along_the_ground_that_carries)
{
    test_log      log;
    kin_world    *world = quiet_world(&log);
    kin_body_desc desc = body_desc(kin_box(size(1, 1)), at(-3, 0.752f));
    kin_id        mover, body;
    int           step;
    float         before = 0, after;
    kin_world_set_gravity(world, at(0, -30));
    mover = kin_add_mover(world, &(kin_mover_desc){ .shape = kin_box(size(10, 0.5f)), .velocity = at(1.5f, 0) });
    desc.control = creep;
    body = kin_add_body(world, &desc);
    for (step = 0; step < 130; step++) {
        kin_world_step(world, 1.0f / 60);
        after = kin_get_position(world, body).x - kin_get_position(world, mover).x;
        if (step >= 10) EXPECT_TRUE(fabsf(after - before - 0.02f) < 1e-4f);
        before = after;
    }
    EXPECT_TRUE(kin_on_ground(world, body));
    kin_world_destroy(world);
}
