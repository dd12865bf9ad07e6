/* SPDX-License-Identifier: MIT OR Unlicense

   Rays, shape casts and overlaps: filters and edges one by one, then random worlds against brute force over all
   objects, while things come, go and move. */
#define KINEMATIC_IMPLEMENTATION
#include "kinematic.h"
#include "worlds.h"

UTEST_MAIN()

static kin_filter no_filter(void)
{
    kin_filter filter;
    memset(&filter, 0, sizeof filter);
    return filter;
}

/* ---- one by one -------------------------------------------------------------------------------------------------------- */

UTEST(query, a_ray_meets_the_nearest_thing)
{
    test_log   log;
    kin_world *world = quiet_world(&log);
    kin_id     floor = add_static(world, kin_box(size(10, 1)), at(0, -0.5f)), ball = add_body(world, kin_ball(0.5f), at(0, 3));
    kin_hit    hit;
    EXPECT_TRUE(kin_cast_ray(world, at(0, 10), at(0, -20), NULL, &hit));
    EXPECT_TRUE(kin_same(ball, hit.id));
    EXPECT_TRUE(near_to(at(0, 3.5f), hit.point, 1e-5f) && near_to(at(0, 1), hit.normal, 1e-6f));
    EXPECT_TRUE(fabsf(hit.t - 0.325f) < 1e-6f);
    EXPECT_EQ(-1, hit.part);
    EXPECT_TRUE(kin_cast_ray(world, at(2, 10), at(0, -20), NULL, &hit));
    EXPECT_TRUE(kin_same(floor, hit.id) && fabsf(hit.t - 0.5f) < 1e-6f);
    EXPECT_FALSE(kin_cast_ray(world, at(2, 10), at(0, -9.9f), NULL, &hit));   /* too short */
    EXPECT_FALSE(kin_cast_ray(world, at(2, 10), at(0, 9), NULL, &hit));       /* the other way */
    EXPECT_FALSE(kin_cast_ray(world, at(2, 10), at(0, 0), NULL, &hit));       /* nowhere */
    kin_world_destroy(world);
}

UTEST(query, what_starts_inside_hits_at_once_and_knows_the_shortest_way_out)
{
    test_log   log;
    kin_world *world = quiet_world(&log);
    kin_id     box = add_static(world, kin_box(size(10, 1)), at(0, 0));
    kin_shape  ball = kin_ball(0.25f);
    kin_hit    hit;
    EXPECT_TRUE(kin_cast_ray(world, at(1, 0.4f), at(9, 0), NULL, &hit));
    EXPECT_TRUE(kin_same(box, hit.id));
    EXPECT_EQ(0.0f, hit.t);
    EXPECT_TRUE(near_to(at(0, 1), hit.normal, 1e-6f) && near_to(at(1, 0.4f), hit.point, 0));
    EXPECT_TRUE(kin_cast_ray(world, at(1, -0.4f), at(0, 0), NULL, &hit));     /* even without any travel */
    EXPECT_TRUE(near_to(at(0, -1), hit.normal, 1e-6f));
    EXPECT_TRUE(kin_cast_shape(world, &ball, pose(at(0, 0.7f), 0), at(0, 5), NULL, &hit));
    EXPECT_EQ(0.0f, hit.t);
    EXPECT_TRUE(near_to(at(0, 1), hit.normal, 1e-6f));
    kin_world_destroy(world);
}

UTEST(query, a_shape_is_stopped_by_its_outline)
{
    test_log   log;
    kin_world *world = quiet_world(&log);
    kin_shape  ball = kin_ball(0.5f), box = kin_box(size(2, 1));
    kin_hit    hit;
    add_static(world, kin_box(size(10, 1)), at(0, -0.5f));
    EXPECT_TRUE(kin_cast_shape(world, &ball, pose(at(1, 5.5f), 0), at(0, -10), NULL, &hit));
    EXPECT_TRUE(fabsf(hit.t - 0.5f) < 1e-6f && near_to(at(1, 0), hit.point, 1e-5f) && near_to(at(0, 1), hit.normal, 1e-6f));
    EXPECT_TRUE(kin_cast_shape(world, &box, pose(at(5.9f, 5.5f), 0), at(0, -10), NULL, &hit));   /* catches the end */
    EXPECT_TRUE(fabsf(hit.t - 0.5f) < 1e-6f && near_to(at(4.95f, 0), hit.point, 1e-3f));
    EXPECT_FALSE(kin_cast_shape(world, &box, pose(at(5.9f, 5.5f), 1.57079633f), at(0, -10), NULL, &hit));   /* upright it passes */
    kin_world_destroy(world);
}

UTEST(query, of_two_hits_at_one_time_the_lower_slot_counts)
{
    test_log   log;
    kin_world *world = quiet_world(&log);
    kin_shape  tile = kin_box(size(1, 1)), wide = kin_box(size(3, 1));
    kin_id     first = add_static(world, tile, at(9, 0)), left, right;
    kin_hit    hit;
    left = add_static(world, tile, at(-0.5f, 0));
    right = add_static(world, tile, at(0.5f, 0));
    EXPECT_TRUE(kin_cast_shape(world, &wide, pose(at(0.2f, 5), 0), at(0, -9), NULL, &hit));
    EXPECT_TRUE(kin_same(left, hit.id));
    EXPECT_TRUE(kin_set_position(world, first, at(0.5f, 0)));   /* the other way round in space and time */
    EXPECT_TRUE(kin_set_position(world, right, at(9, 0)));
    EXPECT_TRUE(kin_cast_shape(world, &wide, pose(at(0.2f, 5), 0), at(0, -9), NULL, &hit));
    EXPECT_TRUE(kin_same(first, hit.id));
    kin_world_destroy(world);
}

UTEST(query, no_ray_slips_through_a_seam)
{
    chance c = { 3 };
    int    i;
    for (i = 0; i < 2000; i++) {
        test_log   log;
        kin_world *world = quiet_world(&log);
        float      seam = i < 100 ? 0 : floorf(between(&c, -3000, 3000)) / 2, side = (float)(1 + below(&c, 4)) / 4;
        kin_shape  tile = kin_box(kini_all(side));
        kin_hit    hit;
        add_static(world, tile, at(seam - side / 2, 0));
        add_static(world, tile, at(seam + side / 2, 0));
        ASSERT_TRUE(kin_cast_ray(world, at(seam, 5), at(0, -9), NULL, &hit));   /* straight into it */
        ASSERT_TRUE(near_to(at(seam, side / 2), hit.point, 1e-6f));
        ASSERT_TRUE(kin_cast_ray(world, at(seam - 3, 3 + side / 2), at(6, -6), NULL, &hit));   /* aslant */
        ASSERT_TRUE(near_to(at(seam, side / 2), hit.point, 1e-5f + 4 * kini_ulp(kini_abs(seam))));
        kin_world_destroy(world);
    }
}

UTEST(query, a_ray_that_leaves_a_surface_or_runs_along_it_is_not_stopped_there)
{
    test_log   log;
    kin_world *world = quiet_world(&log);
    kin_hit    hit;
    kin_id     wall;
    add_static(world, kin_box(size(10, 1)), at(0, -0.5f));
    wall = add_static(world, kin_box(size(1, 9)), at(4, 0));
    EXPECT_TRUE(kin_cast_ray(world, at(1, 5), at(0, -9), NULL, &hit));
    EXPECT_FALSE(kin_cast_ray(world, hit.point, at(0, 5), NULL, &hit));
    EXPECT_TRUE(kin_cast_ray(world, at(1, 0), at(9, 0), NULL, &hit));
    EXPECT_TRUE(kin_same(wall, hit.id) && near_to(at(3.5f, 0), hit.point, 1e-5f));
    EXPECT_FALSE(kin_cast_ray(world, at(1, 0), at(-9, 0), NULL, &hit));
    kin_world_destroy(world);
}

UTEST(query, filters)
{
    test_log        log;
    kin_world      *world = quiet_world(&log);
    kin_static_desc desc = static_desc(kin_box(size(2, 1)), at(0, 0));
    kin_filter      filter = no_filter();
    kin_shape       ball = kin_ball(0.2f);
    kin_id          floor, sensor, mover, part, out[8];
    kin_hit         hit;
    floor = kin_add_static(world, &desc);
    desc.position = at(0, 2);
    desc.sensor = true;
    sensor = kin_add_static(world, &desc);
    EXPECT_TRUE(kin_cast_ray(world, at(0, 9), at(0, -9), NULL, &hit) && kin_same(floor, hit.id));
    filter.sensors = true;
    EXPECT_TRUE(kin_cast_ray(world, at(0, 9), at(0, -9), &filter, &hit) && kin_same(sensor, hit.id));
    EXPECT_EQ(1, kin_overlap(world, &ball, pose(at(0, 2), 0), &filter, out, 8));
    filter = no_filter();
    EXPECT_EQ(0, kin_overlap(world, &ball, pose(at(0, 2), 0), &filter, out, 8));
    filter.ignore = floor;
    EXPECT_FALSE(kin_cast_ray(world, at(0, 9), at(0, -9), &filter, &hit));
    filter = no_filter();
    filter.mask = 2;
    EXPECT_FALSE(kin_cast_ray(world, at(0, 9), at(0, -9), &filter, &hit));
    EXPECT_TRUE(kin_set_filter(world, floor, 2, 4));
    EXPECT_FALSE(kin_cast_ray(world, at(0, 9), at(0, -9), &filter, &hit));   /* it does not look for layer 1 */
    filter.layer = 4;
    EXPECT_TRUE(kin_cast_ray(world, at(0, 9), at(0, -9), &filter, &hit) && kin_same(floor, hit.id));
    EXPECT_TRUE(kin_set_enabled(world, floor, false));
    EXPECT_FALSE(kin_cast_ray(world, at(0, 9), at(0, -9), &filter, &hit));
    EXPECT_TRUE(kin_set_enabled(world, floor, true));
    EXPECT_TRUE(kin_remove(world, floor));
    EXPECT_FALSE(kin_cast_ray(world, at(0, 9), at(0, -9), &filter, &hit));

    mover = add_mover(world, kin_box(size(2, 1)), at(30, 0));
    desc.position = at(0, 2);
    desc.sensor = false;
    desc.attach = mover;
    part = kin_add_static(world, &desc);
    filter = no_filter();
    EXPECT_TRUE(kin_cast_ray(world, at(30, 9), at(0, -9), &filter, &hit) && kin_same(part, hit.id));
    filter.ignore = mover;   /* and with it what is part of it */
    EXPECT_FALSE(kin_cast_ray(world, at(30, 9), at(0, -9), &filter, &hit));
    kin_world_destroy(world);
}

UTEST(query, overlaps_are_told_in_slot_order_and_all_counted)
{
    test_log   log;
    kin_world *world = quiet_world(&log);
    kin_shape  ball = kin_ball(5), small = kin_ball(0.4f);
    chance     c = { 2 };
    kin_id     ids[100], out[100];
    int        i, capacity;
    for (i = 0; i < 100; i++) ids[i] = i % 2 ? add_static(world, small, anywhere(&c, 1)) : add_body(world, small, anywhere(&c, 1));
    for (i = 0; i < 50; i++) EXPECT_TRUE(kin_remove(world, ids[2 * i]));
    for (i = 0; i < 50; i++) ids[2 * i] = add_mover(world, small, anywhere(&c, 1));
    for (capacity = 0; capacity <= 100; capacity += 7) {
        EXPECT_EQ(100, kin_overlap(world, &ball, pose(at(0, 0), 0), NULL, out, capacity));
        for (i = 0; i < capacity; i++) EXPECT_EQ(i + 1, (int)out[i].slot);
    }
    EXPECT_EQ(100, kin_overlap(world, &ball, pose(at(0, 0), 0), NULL, NULL, 0));
    kin_world_destroy(world);
}

UTEST(query, touching_is_not_overlapping)
{
    test_log   log;
    kin_world *world = quiet_world(&log);
    kin_shape  box = kin_box(size(1, 1));
    kin_id     out;
    add_static(world, box, at(0, 0));
    EXPECT_EQ(0, kin_overlap(world, &box, pose(at(1, 0), 0), NULL, &out, 1));
    EXPECT_EQ(0, kin_overlap(world, &box, pose(at(0, -1), 0), NULL, &out, 1));
    EXPECT_EQ(1, kin_overlap(world, &box, pose(at(0.999f, 0), 0), NULL, &out, 1));
    kin_world_destroy(world);
}

UTEST(query, an_empty_world_answers)
{
    kin_world *world = kin_world_create(NULL);
    kin_shape  ball = kin_ball(1);
    kin_hit    hit;
    EXPECT_FALSE(kin_cast_ray(world, at(0, 0), at(1, 0), NULL, &hit));
    EXPECT_FALSE(kin_cast_shape(world, &ball, pose(at(0, 0), 0), at(1, 0), NULL, &hit));
    EXPECT_EQ(0, kin_overlap(world, &ball, pose(at(0, 0), 0), NULL, NULL, 0));
    kin_world_destroy(world);
}

/* ---- against brute force --------------------------------------------------------------------------------------------- */

enum { THINGS = 120 };

/* Another look at the filter's rule, from its description. */
static bool may_meet(const kin_world *world, const kin_filter *filter, uint32_t slot)
{
    const kini_thing *thing = &world->things.at[slot];
    uint32_t          layer = filter->layer ? filter->layer : 1, mask = filter->mask ? filter->mask : 0xFFFFFFFFu;
    kin_id            owner = thing->kind == KIN_STATIC ? world->statics.at[thing->row].attach : nobody();
    if (thing->kind == KIN_NOTHING || (thing->flags & (KINI_DISABLED | KINI_REMOVED))) return false;
    if ((thing->flags & KINI_SENSOR) && !filter->sensors) return false;
    if (filter->ignore.slot && (filter->ignore.slot == slot || filter->ignore.slot == owner.slot)) return false;
    return (layer & thing->mask) != 0 && (thing->layer & mask) != 0;
}

/* The thing grown by the solid, around the place where the solid is. */
static void grown(const kin_world *world, uint32_t slot, const kini_solid *solid, kin_pose from, kini_obstacle *out, kini_sum *room, kini_solid *piece)
{
    const kini_thing *thing = &world->things.at[slot];
    *piece = kini_solid_of(world, thing);
    kini_obstacle_make(out, room, piece, kini_pose(kini_sub(thing->p, from.p), thing->q), solid, from.q);
}

static bool brute_cast(const kin_world *world, const kini_solid *solid, kin_pose from, kin_vec travel, const kin_filter *filter, kin_hit *best)
{
    bool     found = false;
    float    least = 0;
    uint32_t slot;
    for (slot = 1; slot < (uint32_t)world->things.count; slot++) {
        kini_obstacle obstacle;
        kini_sum      room;
        kini_solid    piece;
        kin_vec       normal, out;
        float         t, gap;
        if (!may_meet(world, filter, slot)) continue;
        grown(world, slot, solid, from, &obstacle, &room, &piece);
        if (!kini_obstacle_ray(&obstacle, kini_vec_zero(), travel, &t, &normal)) continue;
        gap = t > 0 ? 0 : kini_obstacle_gap(&obstacle, kini_vec_zero(), &out);   /* it starts in the deepest */
        if (found && (t > best->t || (t >= best->t && gap >= least))) continue;
        found = true;
        least = gap;
        best->t = t;
        best->normal = normal;
        best->id = kini_id_of(world, slot);
    }
    return found;
}

static int brute_overlap(const kin_world *world, const kini_solid *solid, kin_pose from, const kin_filter *filter, kin_id *out)
{
    int      found = 0;
    uint32_t slot;
    for (slot = 1; slot < (uint32_t)world->things.count; slot++) {
        kini_obstacle obstacle;
        kini_sum      room;
        kini_solid    piece;
        kin_vec       normal;
        if (!may_meet(world, filter, slot)) continue;
        grown(world, slot, solid, from, &obstacle, &room, &piece);
        if (kini_obstacle_gap(&obstacle, kini_vec_zero(), &normal) < 0) out[found++] = kini_id_of(world, slot);
    }
    return found;
}

static kin_id random_thing(kin_world *world, chance *c, float spread)
{
    kin_shape       shape = any_shape(c);
    kin_static_desc fixed = static_desc(shape, anywhere(c, spread));
    kin_mover_desc  mover = mover_desc(shape, anywhere(c, spread));
    kin_body_desc   body = body_desc(shape, anywhere(c, spread));
    kin_id          id = nobody();
    fixed.rotation = mover.rotation = body.rotation = below(c, 2) ? any_turn(c) : turned(0);
    fixed.sensor = mover.sensor = body.sensor = below(c, 5) == 0;
    fixed.disabled = mover.disabled = body.disabled = below(c, 9) == 0;
    fixed.layer = mover.layer = body.layer = (uint32_t)below(c, 4);
    fixed.mask = mover.mask = body.mask = (uint32_t)below(c, 8);
    switch (below(c, 4)) {
    case 0: return kin_add_mover(world, &mover);
    case 1: return kin_add_body(world, &body);
    case 2:
        id = kin_next(world, KIN_MOVER, nobody());
        if (id.slot) { fixed.attach = id; fixed.position = anywhere(c, 4); }
        return kin_add_static(world, &fixed);
    default: return kin_add_static(world, &fixed);
    }
}

/* Adds, removes, teleports and moves, as a game would between two frames. */
static void stir(kin_world *world, chance *c, kin_id *ids, float spread)
{
    int i, k;
    for (i = 0; i < 10; i++) {
        k = below(c, THINGS);
        if (!kin_alive(world, ids[k])) { ids[k] = random_thing(world, c, spread); continue; }
        switch (below(c, 4)) {
        case 0: kin_remove(world, ids[k]); break;
        case 1: kin_set_position(world, ids[k], anywhere(c, spread)); break;
        case 2: kin_set_rotation(world, ids[k], any_turn(c)); break;
        default: {
            kin_vec nudge = anywhere(c, 0.3f);
            if (kin_get_kind(world, ids[k]) != KIN_STATIC) kini_place(world, ids[k].slot, kini_add(kin_get_position(world, ids[k]), nudge), kin_get_rotation(world, ids[k]));
        }
        }
    }
}

static kin_filter random_filter(kin_world *world, chance *c)
{
    kin_filter filter = no_filter();
    if (below(c, 3)) return filter;
    filter.layer = (uint32_t)below(c, 4);
    filter.mask = (uint32_t)below(c, 8);
    filter.sensors = below(c, 2) != 0;
    if (below(c, 2)) filter.ignore = kin_next(world, (kin_kind)below(c, 4), nobody());
    return filter;
}

#define ROUNDS (40000 / (KINEMATIC_DIM * KINEMATIC_DIM - 3) / TEST_SHARE)
#define CROWD (KINEMATIC_DIM == 2 ? 8.0f : 4.0f)   /* things lie this far from the middle at most */

UTEST(query, casts_against_brute_force)
{
    test_log   log;
    kin_world *world = quiet_world(&log);
    chance     c = { 99 };
    kin_id     ids[THINGS];
    int        i, hits = 0;
    memset(ids, 0, sizeof ids);
    for (i = 0; i < THINGS; i++) ids[i] = random_thing(world, &c, 1.5f * CROWD);
    for (i = 0; i < ROUNDS; i++) {
        kin_filter filter = random_filter(world, &c);
        kin_shape  shape = any_shape(&c);
        kin_pose   from = kini_pose(anywhere(&c, 2 * CROWD), kini_rot_unit(any_turn(&c)));
        kin_vec    travel = anywhere(&c, below(&c, 2) ? 20.0f : 1.0f), up = kini_vec_zero();
        bool       ray = below(&c, 2) != 0, hit, want;
        kin_hit    got, expected;
        kini_solid solid;
        kini_hull  room;
        if (below(&c, 8) == 0) travel = kini_with(up, below(&c, KINEMATIC_DIM), 15);   /* along an axis */
        if (ray) { kini_clear(&solid, sizeof solid); from.q = turned(0); }
        else ASSERT_TRUE(kini_shape_solid(&shape, &solid, &room) == NULL);
        hit = ray ? kin_cast_ray(world, from.p, travel, &filter, &got) : kin_cast_shape(world, &shape, from, travel, &filter, &got);
        want = brute_cast(world, &solid, from, travel, &filter, &expected);
        ASSERT_EQ(want, hit);
        if (hit) {
            hits++;
            ASSERT_TRUE(kin_same(expected.id, got.id));
            ASSERT_EQ(expected.t, got.t);
            ASSERT_TRUE(same_vec(expected.normal, got.normal));
            ASSERT_EQ(-1, got.part);
            if (ray) ASSERT_TRUE(near_to(kini_madd(from.p, travel, got.t), got.point, 1e-4f));
        }
        if (i % 20 == 0) stir(world, &c, ids, 1.5f * CROWD);
    }
    EXPECT_TRUE(hits > ROUNDS / 10 && hits < ROUNDS * 9 / 10);
    EXPECT_EQ(0, log.lines);
    kin_world_destroy(world);
}

UTEST(query, overlaps_against_brute_force)
{
    test_log   log;
    kin_world *world = quiet_world(&log);
    chance     c = { 55 };
    kin_id     ids[THINGS], got[THINGS], expected[THINGS];
    int        i, k, found = 0;
    memset(ids, 0, sizeof ids);
    for (i = 0; i < THINGS; i++) ids[i] = random_thing(world, &c, CROWD);
    for (i = 0; i < ROUNDS; i++) {
        kin_filter filter = random_filter(world, &c);
        kin_shape  shape = any_shape(&c);
        kin_pose   from = kini_pose(anywhere(&c, CROWD + 2), kini_rot_unit(any_turn(&c)));
        kini_solid solid;
        kini_hull  room;
        int        want, capacity = below(&c, THINGS), count;
        ASSERT_TRUE(kini_shape_solid(&shape, &solid, &room) == NULL);
        want = brute_overlap(world, &solid, from, &filter, expected);
        count = kin_overlap(world, &shape, from, &filter, got, capacity);
        ASSERT_EQ(want, count);
        for (k = 0; k < count && k < capacity; k++) ASSERT_TRUE(kin_same(expected[k], got[k]));
        found += count > 1;
        if (i % 20 == 0) stir(world, &c, ids, CROWD);
    }
    EXPECT_TRUE(found > ROUNDS / 40);
    EXPECT_EQ(0, log.lines);
    kin_world_destroy(world);
}

UTEST(query, far_from_the_origin_nothing_is_missed)
{
    chance c = { 77 };
    int    round, i;
    for (round = 0; round < 40; round++) {
        test_log   log;
        kin_world *world = quiet_world(&log);
        float      away = powf(10, (float)(round % 8));
        kin_id     ids[40], got[40], expected[40];
        for (i = 0; i < 40; i++) ids[i] = random_thing(world, &c, 6);
        for (i = 0; i < 40; i++)
            if (kin_get_kind(world, ids[i]) != KIN_STATIC) kini_place(world, ids[i].slot, kini_add(kin_get_position(world, ids[i]), kini_all(away)), turned(0));
            else if (!(world->things.at[ids[i].slot].flags & KINI_ATTACHED)) kin_set_position(world, ids[i], kini_add(kin_get_position(world, ids[i]), kini_all(away)));
        for (i = 0; i < 300 / (TEST_SHARE > 3 ? 3 : TEST_SHARE); i++) {
            kin_filter filter = no_filter();
            kin_shape  shape = any_shape(&c);
            kin_pose   from = kini_pose(kini_add(anywhere(&c, 8), kini_all(away)), kini_rot_unit(any_turn(&c)));
            kin_vec    travel = anywhere(&c, 10);
            kini_solid solid;
            kini_hull  room;
            kin_hit    hit, want;
            bool       hits;
            ASSERT_TRUE(kini_shape_solid(&shape, &solid, &room) == NULL);
            hits = brute_cast(world, &solid, from, travel, &filter, &want);
            ASSERT_EQ(hits, kin_cast_shape(world, &shape, from, travel, &filter, &hit));
            if (hits) ASSERT_TRUE(kin_same(want.id, hit.id));
            ASSERT_EQ(brute_overlap(world, &solid, from, &filter, expected), kin_overlap(world, &shape, from, &filter, got, 40));
        }
        kin_world_destroy(world);
    }
}

UTEST(query, questions_leave_the_world_as_it_was)
{
    test_log   log;
    kin_world *world = quiet_world(&log);
    chance     c = { 5 };
    kin_shape  ball = kin_ball(1);
    kin_id     out[8];
    kin_hit    hit;
    uint64_t   hash;
    int        i;
    for (i = 0; i < 50; i++) random_thing(world, &c, 9);
    hash = kin_world_hash(world);
    for (i = 0; i < 100; i++) {
        kin_cast_ray(world, anywhere(&c, 9), anywhere(&c, 9), NULL, &hit);
        kin_cast_shape(world, &ball, pose(anywhere(&c, 9), 0), anywhere(&c, 9), NULL, &hit);
        kin_overlap(world, &ball, pose(anywhere(&c, 9), 0), NULL, out, 8);
    }
    EXPECT_TRUE(hash == kin_world_hash(world));
    kin_world_destroy(world);
}
