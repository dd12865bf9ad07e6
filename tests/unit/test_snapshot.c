/* SPDX-License-Identifier: MIT OR Unlicense

   Snapshots: saved, loaded into the same or another world, they go on bit for bit; what is damaged or made up is
   refused, or at least does no harm, and a refused one leaves the world as it was. */
#define KINEMATIC_IMPLEMENTATION
#include "kinematic.h"
#include "trees.h"
#include "worlds.h"

UTEST_MAIN()

#define STEP (1.0f / 128)

/* ---- a busy world --------------------------------------------------------------------------------------------------------- */

static void wander(kin_world *world, kin_id id, float dt, void *user)
{
    kin_vec p = kin_get_position(world, id);
    (void)dt;
    (void)user;
    if (p.x > 6) kin_set_velocity(world, id, at(-3, 0));
    if (p.x < -6) kin_set_velocity(world, id, at(3, 0));
}

static void add_crowd(kin_world *world, chance *c, int count)
{
    int i;
    for (i = 0; i < count; i++) {
        kin_body_desc body = body_desc(any_shape(c), anywhere(c, 5));
        body.velocity = anywhere(c, 4);
        body.push = (kin_push)below(c, 3);
        body.report_continued = below(c, 2) != 0;
        if (i % 3 == 0) body.control = wander;
        kin_add_body(world, &body);
    }
}

static kin_id add_grid(kin_world *world)
{
    static uint8_t cells[4096];
    kin_tiles_desc desc;
    kin_tile       slope;
    kin_id         id;
    int            i;
    memset(&desc, 0, sizeof desc);
    memset(&slope, 0, sizeof slope);
    for (i = 0; i < 4096; i++) cells[i] = (uint8_t)(i % 7 == 0 ? 1 : i % 11 == 0 ? 4 : 0);
    desc.size = KINEMATIC_DIM == 2 ? kini_cell_with(desc.size, 0, 20) : kini_cell_with(desc.size, 0, 20);
    for (i = 1; i < KINEMATIC_DIM; i++) desc.size = kini_cell_with(desc.size, i, 3);
    desc.origin = kini_with(kini_all(-3), 1, -9);
    desc.cells = cells;
    id = kin_add_tiles(world, &desc);
    slope.count = 3;
    slope.points[1] = kini_with(kini_all(0), 0, 1);
    slope.points[2] = kini_with(slope.points[1], 1, 1);
#if KINEMATIC_DIM == 3
    slope.count = 6;
    for (i = 0; i < 3; i++) slope.points[3 + i] = kini_with(slope.points[i], 2, 1);
#endif
    kin_define_tile(world, id, 4, &slope);
    return id;
}

static kin_id add_surface(kin_world *world)
{
    kin_vec       points[8];
    int           indices[24], i, count = 0;
    kin_mesh_desc desc;
    memset(&desc, 0, sizeof desc);
    for (i = 0; i < 8; i++) points[i] = kini_with(kini_with(kini_all(0), 0, (float)i * 2 - 8), 1, -6 - (float)(i % 3) * 0.3f);
#if KINEMATIC_DIM == 3
    for (i = 0; i < 8; i++) points[i].z = i % 2 ? 4 : -4;
    for (i = 0; i < 6; i++) { indices[count++] = i; indices[count++] = i + 1; indices[count++] = i + 2; }
#else
    for (i = 0; i < 7; i++) { indices[count++] = i; indices[count++] = i + 1; }
#endif
    desc.points = points;
    desc.point_count = 8;
    desc.indices = indices;
    desc.index_count = count;
    return kin_add_mesh(world, &desc);
}

static void populate(kin_world *world, uint32_t seed)
{
    chance          c;
    kin_mover_desc  lift = mover_desc(kin_box(size(4, 0.5f)), at(0, -3));
    kin_static_desc part = static_desc(kin_ball(0.4f), at(2, 0.5f));
    kin_id          gone, body;
    c.state = seed;
    add_static(world, kin_box(kini_with(kini_all(30), 1, 1)), at(0, -11));
    add_grid(world);
    add_surface(world);
    lift.velocity = at(0.5f, 0.25f);
    lift.spin = spin(0.3f);
    lift.on_blocked = KIN_BLOCKED_STOP;
    part.attach = kin_add_mover(world, &lift);
    part.sensor = part.senses = true;
    part.shape = kin_ball(4);
    kin_add_static(world, &part);
    gone = add_static(world, kin_ball(1), at(50, 0));
    add_crowd(world, &c, 16);
    body = kin_next(world, KIN_BODY, nobody());
    kin_ignore(world, body, kin_next(world, KIN_BODY, body), true);
    kin_remove(world, gone);
}

static kin_world *busy_world(test_log *log, uint32_t seed)
{
    kin_world *world = quiet_world(log);
    populate(world, seed);
    return world;
}

static void run(kin_world *world, int steps)
{
    int i;
    for (i = 0; i < steps; i++) kin_world_step(world, STEP);
}

static bool same_events(const kin_world *a, const kin_world *b)
{
    const kin_event *x, *y;
    int              i, count = kin_get_events(a, &x);
    if (count != kin_get_events(b, &y)) return false;
    for (i = 0; i < count; i++)
        if (x[i].type != y[i].type || !kin_same(x[i].a, y[i].a) || !kin_same(x[i].b, y[i].b) || x[i].step != y[i].step) return false;
    return true;
}

/* ---- there and back ---------------------------------------------------------------------------------------------------------- */

UTEST(snapshot, L03_save_and_restore_goes_on_bit_for_bit)
{
    test_log   log;
    kin_world *world = busy_world(&log, 5);
    uint64_t   hashes[60], saved;
    size_t     bytes;
    void      *buffer;
    int        i;
    run(world, 40);
    bytes = kin_snapshot_size(world);
    buffer = malloc(bytes);
    ASSERT_EQ(bytes, kin_snapshot_save(world, buffer, bytes));
    saved = kin_world_hash(world);
    for (i = 0; i < 60; i++) { run(world, 1); hashes[i] = kin_world_hash(world); }
    ASSERT_TRUE(kin_snapshot_load(world, buffer, bytes));
    EXPECT_TRUE(saved == kin_world_hash(world));
    EXPECT_EQ(40u, (unsigned)kin_world_steps(world));
    for (i = 0; i < 60; i++) { run(world, 1); ASSERT_TRUE(hashes[i] == kin_world_hash(world)); }
    EXPECT_EQ(0, log.lines);
    free(buffer);
    kin_world_destroy(world);
}

UTEST(snapshot, L07_another_world_steps_identically)
{
    test_log         log, other_log;
    kin_world       *world = busy_world(&log, 6), *other = quiet_world(&other_log);
    const kin_event *events;
    size_t           bytes;
    char            *buffer;
    kin_id           id;
    int              i;
    add_body(other, kin_ball(3), at(0, 0));                       /* what it had before is gone */
    kin_set_control(other, kin_next(other, KIN_BODY, nobody()), wander);
    run(world, 30);
    kin_set_position(world, kin_next(world, KIN_BODY, nobody()), at(3, 3));   /* between two steps, just teleported */
    bytes = kin_snapshot_size(world);
    buffer = (char *)malloc(bytes + 8);
    for (i = 0; i < 8; i++) {                                     /* buffers may begin anywhere */
        ASSERT_EQ(bytes, kin_snapshot_save(world, buffer + i, bytes));
        ASSERT_TRUE(kin_snapshot_load(other, buffer + i, bytes));
        ASSERT_TRUE(kin_world_hash(world) == kin_world_hash(other));
    }
    EXPECT_EQ(kin_get_events(world, NULL), kin_get_events(other, &events));
    EXPECT_TRUE(same_events(world, other));
    for (id = kin_next(world, KIN_BODY, nobody()); id.slot; id = kin_next(world, KIN_BODY, id)) {
        kin_pose a = kin_get_draw_pose(world, id), b = kin_get_draw_pose(other, id);
        EXPECT_TRUE(same_vec(a.p, b.p));
        EXPECT_EQ(kin_get_contacts(world, id, NULL, 0), kin_get_contacts(other, id, NULL, 0));
    }
    for (i = 0; i < 60; i++) {
        run(world, 1);
        run(other, 1);
        ASSERT_TRUE(kin_world_hash(world) == kin_world_hash(other));
        ASSERT_TRUE(same_events(world, other));
    }
    id = add_static(world, kin_ball(0.5f), at(0, 9));             /* the next handles are the same too */
    EXPECT_TRUE(kin_same(id, add_static(other, kin_ball(0.5f), at(0, 9))));
    EXPECT_TRUE(kin_remove(world, kin_next(world, KIN_MOVER, nobody())));
    EXPECT_TRUE(kin_remove(other, kin_next(other, KIN_MOVER, nobody())));
    run(world, 20);
    run(other, 20);
    EXPECT_TRUE(kin_world_hash(world) == kin_world_hash(other));
    EXPECT_EQ(0, log.lines + other_log.lines);
    free(buffer);
    kin_world_destroy(world);
    kin_world_destroy(other);
}

/* Fills all that a snapshot leaves out with values that no world holds. */
static void spoil_the_rest(kin_world *world)
{
    int32_t i;
    for (i = 0; i < world->bodies.count; i++) {
        kini_body *body = &world->bodies.at[i];
        kin_vec    up = body->up;   /* found anew by a load, as is */
        float      stable_cos = body->stable_cos;
        memset((char *)body + KINI_BODY_LASTS, 0xA5, sizeof *body - KINI_BODY_LASTS);
        body->up = up;
        body->stable_cos = stable_cos;
    }
    if (world->last_contacts.at) memset(world->last_contacts.at, 0xA5, (size_t)world->last_contacts.capacity * sizeof *world->last_contacts.at);
}

/* Commands of players between two steps, the same for the same number. */
static kin_vec meddle(kin_world *world, unsigned number)
{
    kin_id   id = kin_next(world, KIN_BODY, nobody());
    unsigned i;
    kin_vec  moved = at(0, 0);
    for (i = 0; i < number % 7 && id.slot; i++) id = kin_next(world, KIN_BODY, id);
    if (!id.slot) return moved;
    if (number % 5 == 0) kin_remove(world, id);
    else if (number % 5 == 1) kin_set_position(world, id, at((float)(number % 9) - 4, 2));
    else if (number % 5 == 2) kin_set_velocity(world, id, at(1, 8));
    else moved = kin_move(world, id, at(0.5f, number % 2 ? -0.25f : 0.25f));
    return moved;
}

UTEST(snapshot, what_is_left_out_decides_nothing)
{
    unsigned seed, i;
    for (seed = 0; seed < 12; seed++) {
        test_log   log, other_log;
        kin_world *world = busy_world(&log, seed + 20), *other = busy_world(&other_log, 3);
        size_t     bytes;
        void      *buffer;
        run(world, 5 + 9 * (int)seed);
        bytes = kin_snapshot_size(world);
        buffer = malloc(bytes);
        ASSERT_EQ(bytes, kin_snapshot_save(world, buffer, bytes));
        ASSERT_TRUE(kin_snapshot_load(other, buffer, bytes));
        spoil_the_rest(other);
        for (i = 0; i < 24; i++) {
            kin_vec a = meddle(world, seed + i), b = meddle(other, seed + i);
            ASSERT_TRUE(same_vec(a, b));
            ASSERT_TRUE(kin_world_hash(world) == kin_world_hash(other));
            run(world, 1);
            run(other, 1);
            ASSERT_TRUE(kin_world_hash(world) == kin_world_hash(other));
            ASSERT_TRUE(same_events(world, other));
        }
        free(buffer);
        kin_world_destroy(world);
        kin_world_destroy(other);
    }
}

/* A body whose last contact has just ended is forgotten in the same way by a world and by its copy. */
UTEST(snapshot, a_body_that_has_just_let_go_is_removed)
{
    test_log   log, other_log;
    kin_world *world = quiet_world(&log), *other = quiet_world(&other_log);
    kin_id     body = add_body(world, kin_box(kini_all(1)), at(0, 0.505f));
    size_t     bytes;
    void      *buffer;
    add_static(world, kin_box(kini_with(kini_all(8), 1, 1)), at(0, -0.5f));
    run(world, 3);
    ASSERT_EQ(1, kin_get_contacts(world, body, NULL, 0));
    kin_set_velocity(world, body, at(0, 9));
    run(world, 1);
    ASSERT_EQ(0, kin_get_contacts(world, body, NULL, 0));
    bytes = kin_snapshot_size(world);
    buffer = malloc(bytes);
    ASSERT_EQ(bytes, kin_snapshot_save(world, buffer, bytes));
    ASSERT_TRUE(kin_snapshot_load(other, buffer, bytes));
    EXPECT_TRUE(kin_remove(world, body));
    EXPECT_TRUE(kin_remove(other, body));
    EXPECT_TRUE(kin_world_hash(world) == kin_world_hash(other));
    EXPECT_TRUE(kin_same(add_body(world, kin_ball(1), at(0, 5)), add_body(other, kin_ball(1), at(0, 5))));
    free(buffer);
    kin_world_destroy(world);
    kin_world_destroy(other);
}

/* Also hulls of one, two or three points, which have no inside: found by fuzzing. */
UTEST(snapshot, hulls_of_any_number_of_points)
{
    int count, i;
    for (count = 1; count <= KIN_MAX_POINTS; count++) {
        test_log   log;
        kin_world *world = quiet_world(&log);
        kin_vec    points[KIN_MAX_POINTS];
        size_t     bytes;
        void      *buffer;
        for (i = 0; i < count; i++) {
            float angle = 6.2831853f * (float)i / (float)count;
            points[i] = kini_with(at(cosf(angle), sinf(angle)), KINEMATIC_DIM - 1, i % 2 ? 1.0f : sinf(angle));
        }
        ASSERT_TRUE(add_body(world, kin_hull(points, count, 0.125f), at(0, 0)).slot != 0);
        bytes = kin_snapshot_size(world);
        buffer = malloc(bytes);
        ASSERT_EQ(bytes, kin_snapshot_save(world, buffer, bytes));
        ASSERT_TRUE(kin_snapshot_load(world, buffer, bytes));
        EXPECT_EQ(0, log.lines);
        free(buffer);
        kin_world_destroy(world);
    }
}

UTEST(snapshot, settings_and_users_travel_along)
{
    test_log       log;
    kin_world_desc desc;
    kin_world     *world, *other = quiet_world(&log);
    size_t         bytes;
    void          *buffer;
    int            mine;
    kin_id         id;
    memset(&desc, 0, sizeof desc);
    desc.unit = 16;
    desc.rate = 60;
    desc.max_contacts = 3;
    desc.gravity = at(1, -2);
    world = kin_world_create(&desc);
    id = add_body(world, kin_ball(1), at(0, 0));
    kin_set_user(world, id, &mine);
    bytes = kin_snapshot_size(world);
    buffer = malloc(bytes);
    ASSERT_EQ(bytes, kin_snapshot_save(world, buffer, bytes));
    ASSERT_TRUE(kin_snapshot_load(other, buffer, bytes));
    EXPECT_EQ(60.0f, other->desc.rate);
    EXPECT_EQ(16.0f, other->desc.unit);
    EXPECT_EQ(3, other->desc.max_contacts);
    EXPECT_TRUE(kin_get_user(other, id) == NULL && log.lines == 1);   /* it was not given that one */
    other->desc.trust_snapshots = true;
    ASSERT_TRUE(kin_snapshot_load(other, buffer, bytes));
    EXPECT_TRUE(kin_get_user(other, id) == &mine && log.lines == 1);
    EXPECT_TRUE(kin_world_hash(world) == kin_world_hash(other));
    EXPECT_TRUE(other->desc.on_log == note);                      /* functions are the world's own */
    free(buffer);
    kin_world_destroy(world);
    kin_world_destroy(other);
}

UTEST(snapshot, size_per_body)
{
    test_log   log;
    kin_world *world = quiet_world(&log);
    size_t     before, after;
    int        i;
    add_static(world, kin_box(size(9, 1)), at(0, -9));
    before = kin_snapshot_size(world);
    for (i = 0; i < 1000; i++) add_body(world, kin_ball(0.5f), at((float)i * 2, 0));
    after = kin_snapshot_size(world);
    EXPECT_TRUE(after - before <= 1000 * 400);
    kin_world_destroy(world);
}

static void expect_shapes(int *utest_result, const kin_world *world, int32_t shapes, int32_t hulls)
{
    size_t     bytes = kin_snapshot_size(world);
    char      *buffer = (char *)malloc(bytes);
    kini_saved head;
    EXPECT_EQ(bytes, kin_snapshot_save(world, buffer, bytes));
    memcpy(&head, buffer, sizeof head);
    EXPECT_EQ(shapes, head.rows[KINI_SAVES_SHAPES]);
    EXPECT_EQ(hulls, head.rows[KINI_SAVES_HULLS]);
    free(buffer);
}

UTEST(snapshot, points_are_held_once_per_distinct_shape)
{
    test_log   log;
    kin_world *world = quiet_world(&log);
    kin_vec    points[6];
    int        i, k;
    for (k = 0; k < 2; k++) {
        for (i = 0; i < 6; i++) points[i] = kini_with(at((float)(i % 3 + i % 2 * 3), (float)(i / 3 + i % 2 + k)), KINEMATIC_DIM - 1, (float)(i * i % 5));
        for (i = 0; i < 100; i++) add_body(world, kin_hull(points, 6, 0.1f * (float)(k + 1)), at((float)i * 9, (float)k * 9));
        expect_shapes(utest_result, world, k + 1, k + 1);
    }
    for (i = 0; i < 100; i++) add_body(world, kin_ball(1), at((float)i * 9, -9));
    expect_shapes(utest_result, world, 3, 2);
    EXPECT_EQ(0, log.lines);
    kin_world_destroy(world);
}

/* Blocks of levels may stand in another order than their rows, and still be taken by a world that has no levels. */
UTEST(snapshot, levels_that_were_removed_and_added_again)
{
    test_log   log, other_log;
    kin_world *world = quiet_world(&log), *other = quiet_world(&other_log);
    kin_id     grids[6], meshes[6];
    size_t     bytes;
    void      *buffer;
    int        i;
    for (i = 0; i < 6; i++) { grids[i] = add_grid(world); meshes[i] = add_surface(world); }
    for (i = 0; i < 6; i += 2) { kin_remove(world, grids[i]); kin_remove(world, meshes[4 - i]); run(world, 1); }
    for (i = 0; i < 2; i++) { add_surface(world); add_grid(world); }
    bytes = kin_snapshot_size(world);
    buffer = malloc(bytes);
    ASSERT_EQ(bytes, kin_snapshot_save(world, buffer, bytes));
    EXPECT_TRUE(kin_snapshot_load(other, buffer, bytes));
    EXPECT_TRUE(kin_world_hash(world) == kin_world_hash(other));
    EXPECT_TRUE(kin_snapshot_load(world, buffer, bytes));
    EXPECT_TRUE(kin_world_hash(world) == kin_world_hash(other));
    EXPECT_EQ(0, log.lines + other_log.lines);
    free(buffer);
    kin_world_destroy(world);
    kin_world_destroy(other);
}

UTEST(snapshot, into_a_block_that_is_too_small)
{
    test_log       log, small_log;
    kin_world     *world = busy_world(&log, 3), *tight;
    kin_world_desc desc;
    size_t         bytes = kin_snapshot_size(world), room;
    void          *buffer = malloc(bytes), *memory;
    uint64_t       hash;
    memset(&desc, 0, sizeof desc);
    memset(&small_log, 0, sizeof small_log);
    desc.on_log = note;
    desc.user = &small_log;
    desc.bodies = 2;
    room = kin_world_bytes(&desc);
    memory = malloc(room);
    tight = kin_world_create_in(memory, room, &desc);
    kin_set_control(tight, add_body(tight, kin_ball(1), at(0, 0)), wander);
    hash = kin_world_hash(tight);
    ASSERT_EQ(bytes, kin_snapshot_save(world, buffer, bytes));
    EXPECT_FALSE(kin_snapshot_load(tight, buffer, bytes));
    EXPECT_STREQ("kin_snapshot_load: memory was not given", small_log.last);
    EXPECT_TRUE(hash == kin_world_hash(tight));
    run(tight, 3);
    free(buffer);
    kin_world_destroy(tight);
    kin_world_destroy(world);
    free(memory);
}

/* ---- trusted snapshots ------------------------------------------------------------------------------------------------------ */

static void *saved_of(const kin_world *world, size_t *bytes)
{
    void *buffer;
    *bytes = kin_snapshot_size(world);
    buffer = malloc(*bytes);
    if (kin_snapshot_save(world, buffer, *bytes) != *bytes) *bytes = 0;
    return buffer;
}

static kin_world *trusting_world(test_log *log, uint32_t seed)
{
    kin_world *world = busy_world(log, seed);
    world->desc.trust_snapshots = true;
    return world;
}

/* The same, down to what follows from the rest. */
static void expect_alike(int *utest_result, const kin_world *a, const kin_world *b)
{
    int32_t i;
    ASSERT_TRUE(kin_world_hash(a) == kin_world_hash(b));
    ASSERT_TRUE(same_events(a, b));
    ASSERT_EQ(a->shapes.count, b->shapes.count);
    for (i = 0; i < a->shapes.count; i++) EXPECT_TRUE(a->shapes.at[i].users == b->shapes.at[i].users && a->shapes.at[i].key == b->shapes.at[i].key);
    for (i = 0; i < 4; i++) EXPECT_EQ(a->live[i], b->live[i]);
    EXPECT_EQ(a->stop_movers, b->stop_movers);
    for (i = 1; i < a->things.count; i++) {
        EXPECT_TRUE(same_vec(a->things.at[i].lo, b->things.at[i].lo));
        EXPECT_TRUE(same_vec(a->things.at[i].hi, b->things.at[i].hi));
        EXPECT_TRUE(a->users.at[i] == b->users.at[i]);
    }
    for (i = KIN_STATIC; i <= KIN_BODY; i++) EXPECT_TRUE(tree_check(&a->trees[i]) && tree_check(&b->trees[i]));
}

/* Loaded with and without looking, into other worlds and back into its own. */
UTEST(snapshot, trusted_goes_on_like_verified)
{
    unsigned seed, i;
    for (seed = 0; seed < 8; seed++) {
        test_log   log, checked_log, trusting_log;
        kin_world *world = busy_world(&log, seed + 40), *checked = busy_world(&checked_log, 3);
        kin_world *trusting = trusting_world(&trusting_log, 4);
        size_t     bytes;
        void      *buffer;
        run(world, 5 + 9 * (int)seed);
        kin_set_user(world, kin_next(world, KIN_BODY, nobody()), world);
        buffer = saved_of(world, &bytes);
        run(world, (int)seed);
        world->desc.trust_snapshots = true;
        ASSERT_TRUE(kin_snapshot_load(world, buffer, bytes));
        ASSERT_TRUE(kin_snapshot_load(checked, buffer, bytes));
        kin_set_user(checked, kin_next(checked, KIN_BODY, nobody()), world);   /* which it was not given */
        ASSERT_TRUE(kin_snapshot_load(trusting, buffer, bytes));
        spoil_the_rest(trusting);
        for (i = 0; i < 24; i++) {
            expect_alike(utest_result, checked, trusting);
            expect_alike(utest_result, checked, world);
            meddle(world, seed + i), meddle(checked, seed + i), meddle(trusting, seed + i);
            run(world, 1), run(checked, 1), run(trusting, 1);
        }
        EXPECT_EQ(1, log.lines + checked_log.lines + trusting_log.lines);   /* that user */
        free(buffer);
        kin_world_destroy(world);
        kin_world_destroy(checked);
        kin_world_destroy(trusting);
    }
}

/* At any address of the buffer, into a block of fixed size. */
UTEST(snapshot, trusted_into_a_block)
{
    enum { ROOM = 1 << 22 };
    test_log       log, other_log;
    kin_world     *world = busy_world(&log, 6), *other;
    kin_world_desc desc;
    void          *memory = malloc(ROOM);
    size_t         bytes;
    char          *buffer;
    int            i;
    memset(&desc, 0, sizeof desc);
    memset(&other_log, 0, sizeof other_log);
    desc.on_log = note;
    desc.user = &other_log;
    desc.trust_snapshots = true;
    desc.bodies = 1;
    other = kin_world_create_in(memory, ROOM, &desc);
    ASSERT_TRUE(other != NULL);
    kin_set_control(other, add_body(other, kin_ball(1), at(0, 0)), wander);
    run(world, 30);
    bytes = kin_snapshot_size(world);
    buffer = (char *)malloc(bytes + 8);
    for (i = 0; i < 8; i++) {
        ASSERT_EQ(bytes, kin_snapshot_save(world, buffer + i, bytes));
        ASSERT_TRUE(kin_snapshot_load(other, buffer + i, bytes));
        expect_alike(utest_result, world, other);
    }
    for (i = 0; i < 40; i++) {
        run(world, 1), run(other, 1);
        ASSERT_TRUE(kin_world_hash(world) == kin_world_hash(other));
    }
    EXPECT_EQ(0, log.lines + other_log.lines);
    free(buffer);
    kin_world_destroy(world);
    kin_world_destroy(other);
    free(memory);
}

/* A tree that has once held more than there is now does not fit where there was never more: it grows anew. */
UTEST(snapshot, trusted_tree_that_does_not_fit)
{
    test_log        log, other_log;
    kin_world      *world = quiet_world(&log), *other = quiet_world(&other_log);
    kin_static_desc part = static_desc(kin_ball(0.25f), at(0, 1));
    kin_id          parts[40];
    size_t          bytes;
    void           *buffer;
    int             i;
    part.attach = add_mover(world, kin_box(size(4, 1)), at(0, -2));
    add_body(world, kin_ball(0.5f), at(0, 0));
    for (i = 0; i < 40; i++) parts[i] = kin_add_static(world, &part);
    for (i = 1; i < 40; i++) kin_remove(world, parts[i]);
    run(world, 2);
    other->desc.trust_snapshots = true;
    buffer = saved_of(world, &bytes);
    ASSERT_TRUE(kin_snapshot_load(other, buffer, bytes));
    EXPECT_TRUE(other->trees[KIN_MOVER].leaves.count < world->trees[KIN_MOVER].leaves.count);
    for (i = 0; i < 40; i++) {
        expect_alike(utest_result, world, other);
        run(world, 1), run(other, 1);
    }
    free(buffer);
    kin_world_destroy(world);
    kin_world_destroy(other);
}

/* Leaves are larger than what they hold, by chance, and smaller when they are grown anew. What is found near a body
   does not depend on it: each mover is there by where it goes in the step. */
UTEST(snapshot, how_large_leaves_are_decides_nothing)
{
    test_log   log;
    kin_world *world = quiet_world(&log);
    kin_id     wheel = add_mover(world, kin_ball(1), at(0, 0)), body = add_body(world, kin_ball(1), at(2.05f, 0));
    kini_thing *thing = &world->things.at[wheel.slot];
    kini_near   near;
    int         way;
    for (way = 0; way < 2; way++) {
        near.skip = 0;
        near.with = KINI_WITH_MOVERS;
        kini_near_begin(world, &near, body.slot, at(1.05f, -1), at(3.05f, 1));
        EXPECT_EQ(0, near.found);
        kini_tree_move(&world->trees[KIN_MOVER], thing->leaf, thing->lo, thing->hi);
    }
    mover_row(world, wheel)->before.p = at(0.1f, 0);   /* it has come from there */
    mover_row(world, wheel)->state |= KINI_MOVED;
    kini_cover(world, wheel.slot, kini_sub(thing->lo, kini_all(0.2f)), kini_add(thing->hi, kini_all(0.2f)));
    kini_near_begin(world, &near, body.slot, at(1.05f, -1), at(3.05f, 1));
    EXPECT_EQ(1, near.found);
    kini_near_begin(world, &near, body.slot, at(1.15f, -1), at(3.05f, 1));
    EXPECT_EQ(0, near.found);
    kin_world_destroy(world);
}

/* The flag is the loading world's own: snapshots neither hold nor change it, and hashes do not see it. */
UTEST(snapshot, trust_does_not_travel)
{
    test_log   log, other_log;
    kin_world *world = trusting_world(&log, 5), *other = busy_world(&other_log, 5);
    size_t     bytes, other_bytes;
    void      *buffer = saved_of(world, &bytes), *same = saved_of(other, &other_bytes);
    EXPECT_TRUE(kin_world_hash(world) == kin_world_hash(other));
    ASSERT_EQ(bytes, other_bytes);
    EXPECT_EQ(0, memcmp(buffer, same, bytes));
    ASSERT_TRUE(kin_snapshot_load(other, buffer, bytes));
    EXPECT_FALSE(other->desc.trust_snapshots);
    ASSERT_TRUE(kin_snapshot_load(world, same, bytes));
    EXPECT_TRUE(world->desc.trust_snapshots);
    free(buffer);
    free(same);
    kin_world_destroy(world);
    kin_world_destroy(other);
}

/* A number that no world has is found when the snapshot is verified. */
UTEST(snapshot, trusted_numbers_are_not_looked_at)
{
    test_log   log, other_log;
    kin_world *world = busy_world(&log, 5), *other = busy_world(&other_log, 7);
    size_t     bytes;
    void      *buffer;
    world->bodies.at[0].options.leftover_fade = 1.5f;
    buffer = saved_of(world, &bytes);
    EXPECT_FALSE(kin_snapshot_load(other, buffer, bytes));
    other->desc.trust_snapshots = true;
    EXPECT_TRUE(kin_snapshot_load(other, buffer, bytes));
    free(buffer);
    kin_world_destroy(world);
    kin_world_destroy(other);
}

/* ---- refusals -------------------------------------------------------------------------------------------------------------- */

UTEST(snapshot, bad_calls)
{
    test_log   log;
    kin_world *world = busy_world(&log, 2);
    size_t     bytes = kin_snapshot_size(world);
    char      *buffer = (char *)malloc(bytes);
    EXPECT_EQ(0u, (unsigned)kin_snapshot_save(world, buffer, bytes - 1));
    EXPECT_EQ(0u, (unsigned)kin_snapshot_save(world, NULL, bytes));
    EXPECT_FALSE(kin_snapshot_load(world, NULL, bytes));
    ASSERT_EQ(bytes, kin_snapshot_save(world, buffer, bytes));
    EXPECT_EQ(3, log.lines);
    world->stage = 3;
    EXPECT_FALSE(kin_snapshot_load(world, buffer, bytes));
    EXPECT_EQ(0u, (unsigned)kin_snapshot_save(world, buffer, bytes));
    world->stage = 0;
    EXPECT_EQ(5, log.lines);
    free(buffer);
    kin_world_destroy(world);
}

static uint64_t sum_of(const char *buffer, size_t bytes)
{
    return kini_checksum(buffer, bytes);
}

static void unseen_controllers(int *utest_result, bool trusted)
{
    test_log   log;
    kin_world *world = busy_world(&log, 2), *other = quiet_world(&log);
    size_t     bytes;
    void      *buffer = saved_of(world, &bytes);
    uint64_t   hash = kin_world_hash(other);
    other->desc.trust_snapshots = trusted;
    EXPECT_FALSE(kin_snapshot_load(other, buffer, bytes));
    EXPECT_STREQ("kin_snapshot_load: buffer needs controllers this world has not seen", log.last);
    EXPECT_TRUE(hash == kin_world_hash(other));
    kin_set_control(other, add_body(other, kin_ball(1), at(0, 0)), wander);
    EXPECT_TRUE(kin_snapshot_load(other, buffer, bytes));
    free(buffer);
    kin_world_destroy(world);
    kin_world_destroy(other);
}

UTEST(snapshot, controllers_this_world_has_not_seen)
{
    unseen_controllers(utest_result, false);
    unseen_controllers(utest_result, true);
}

/* Only those in use count: of movers and bodies that are there. */
UTEST(snapshot, controllers_that_nobody_has_any_more)
{
    test_log       log;
    kin_world     *world = quiet_world(&log), *other = quiet_world(&log);
    kin_mover_desc lift = mover_desc(kin_box(size(4, 1)), at(0, -3));
    kin_id         body = add_body(world, kin_ball(1), at(0, 0)), mover;
    size_t         bytes;
    void          *buffer;
    lift.control = wander;
    mover = kin_add_mover(world, &lift);
    buffer = saved_of(world, &bytes);
    EXPECT_FALSE(kin_snapshot_load(other, buffer, bytes));
    free(buffer);
    kin_remove(world, mover);
    kin_remove(world, body);
    run(world, 2);
    buffer = saved_of(world, &bytes);
    EXPECT_TRUE(kin_snapshot_load(other, buffer, bytes));
    free(buffer);
    kin_world_destroy(world);
    kin_world_destroy(other);
}

static void other_level(int *utest_result, bool trusted)
{
    test_log   log;
    kin_world *world = busy_world(&log, 2), *other = busy_world(&log, 2);
    kin_cell   cell;
    kin_id     grid = kin_next(other, KIN_STATIC, kin_next(other, KIN_STATIC, nobody()));
    size_t     bytes;
    void      *buffer;
    uint8_t    was;
    memset(&cell, 0, sizeof cell);
    world->desc.level_apart = true;
    other->desc.trust_snapshots = trusted;
    buffer = saved_of(world, &bytes);
    EXPECT_TRUE(kin_snapshot_load(other, buffer, bytes));
    was = kin_get_tile(other, grid, cell);
    ASSERT_TRUE(kin_set_tile(other, grid, cell, (uint8_t)(was ? 0 : 1)));
    EXPECT_FALSE(kin_snapshot_load(other, buffer, bytes));
    EXPECT_STREQ("kin_snapshot_load: buffer leaves out a level that is not the one of this world", log.last);
    ASSERT_TRUE(kin_set_tile(other, grid, cell, was));
    EXPECT_TRUE(kin_snapshot_load(other, buffer, bytes));
    EXPECT_TRUE(kin_world_hash(world) == kin_world_hash(other));
    free(buffer);
    kin_world_destroy(world);
    kin_world_destroy(other);
}

UTEST(snapshot, a_level_left_out_is_another)
{
    other_level(utest_result, false);
    other_level(utest_result, true);
}

/* Whole and with a fitting checksum, but from elsewhere. */
static void foreign(int *utest_result, bool trusted)
{
    test_log   log;
    kin_world *world = busy_world(&log, 2);
    size_t     bytes;
    char      *buffer = (char *)saved_of(world, &bytes);
    kini_saved head;
    int        i;
    world->desc.trust_snapshots = trusted;
    memcpy(&head, buffer, sizeof head);
    for (i = 0; i < 4; i++) {
        static const char *const said[] = {
            "no snapshot, or one of another byte order",
            "from the other dimension, or from a program with other KINEMATIC_NO_ options",
            "from version 0.1.0, this is 0.2.0", "from version 12.3.45, this is 0.2.0"
        };
        char       line[160];
        kini_saved other = head;
        uint32_t   m = head.magic;
        if (i == 0) other.magic = m >> 24 | (m >> 8 & 0xFF00u) | (m << 8 & 0xFF0000u) | m << 24;
        else if (i == 1) other.layout ^= 1;
        else if (i == 2) other.magic = 0x4B494E53;   /* of 0.1, which did not tell its version */
        else other.version = 120345;
        memcpy(buffer, &other, sizeof other);
        other.check = sum_of(buffer, bytes);
        memcpy(buffer, &other, sizeof other);
        EXPECT_FALSE(kin_snapshot_load(world, buffer, bytes));
        snprintf(line, sizeof line, "kin_snapshot_load: buffer is %s", said[i]);
        EXPECT_STREQ(line, log.last);
    }
    free(buffer);
    kin_world_destroy(world);
}

UTEST(snapshot, another_byte_order_version_or_dimension)
{
    foreign(utest_result, false);
    foreign(utest_result, true);
}

static void flip(char *buffer, size_t bit) { buffer[bit / 8] = (char)(buffer[bit / 8] ^ 1 << bit % 8); }

/* Two changed bits may cancel in a checksum, most likely the same bit of equal words. */
static void flipped_twice(int *utest_result, kin_world *world, char *buffer, size_t bytes)
{
    chance   c = { 13 };
    size_t   first = 16 * 8, one, two;
    uint64_t hash = kin_world_hash(world);
    int      i, rounds = 40000 / TEST_SHARE;
    for (i = 0; i < rounds; i++) {
        one = first + (size_t)(((uint64_t)roll(&c) << 8 | roll(&c)) % (bytes * 8 - first));
        two = i % 2 ? one + 512 * (size_t)(i % 4 == 1 ? 64 : 1 + below(&c, 20)) : first + (size_t)roll(&c) % (bytes * 8 - first);
        if (one == two || two >= bytes * 8) continue;
        flip(buffer, one);
        flip(buffer, two);
        ASSERT_FALSE(kin_snapshot_load(world, buffer, bytes));
        flip(buffer, one);
        flip(buffer, two);
    }
    ASSERT_TRUE(hash == kin_world_hash(world));
}

static void damaged(int *utest_result, bool trusted)
{
    test_log   log;
    kin_world *world = busy_world(&log, 4);
    chance     c = { 12 };
    size_t     bytes, cut;
    char      *buffer;
    uint64_t   hash;
    int        i, rounds = 3000 / TEST_SHARE;
    world->desc.trust_snapshots = trusted;
    run(world, 10);
    bytes = kin_snapshot_size(world);
    buffer = (char *)calloc(1, bytes + 64);
    ASSERT_EQ(bytes, kin_snapshot_save(world, buffer, bytes));
    run(world, 3);
    hash = kin_world_hash(world);
    for (cut = 0; cut < bytes; cut += 1 + bytes / 200) ASSERT_FALSE(kin_snapshot_load(world, buffer, cut));
    ASSERT_FALSE(kin_snapshot_load(world, buffer, bytes + 8));
    for (i = 0; i < rounds; i++) {
        size_t bit = (size_t)(((uint64_t)roll(&c) << 8 | roll(&c)) % (bytes * 8));
        flip(buffer, bit);
        ASSERT_FALSE(kin_snapshot_load(world, buffer, bytes));
        ASSERT_TRUE(hash == kin_world_hash(world));
        flip(buffer, bit);
    }
    flipped_twice(utest_result, world, buffer, bytes);
    ASSERT_TRUE(kin_snapshot_load(world, buffer, bytes));
    free(buffer);
    kin_world_destroy(world);
}

UTEST(snapshot, truncated_stretched_and_flipped)
{
    damaged(utest_result, false);
    damaged(utest_result, true);
}

/* A snapshot of a world, with one number changed to a value that no world has. */
static void refused(int *utest_result, kin_world *world, kin_world *victim, void *number, const void *wrong, size_t bytes)
{
    size_t   size = kin_snapshot_size(world);
    char    *buffer = (char *)malloc(size), right[8];
    uint64_t hash = kin_world_hash(victim);
    memcpy(right, number, bytes);
    ASSERT_EQ(size, kin_snapshot_save(world, buffer, size));
    ASSERT_TRUE(kin_snapshot_load(victim, buffer, size));
    hash = kin_world_hash(victim);
    memcpy(number, wrong, bytes);
    ASSERT_EQ(size, kin_snapshot_save(world, buffer, size));
    EXPECT_FALSE(kin_snapshot_load(victim, buffer, size));
    EXPECT_TRUE(hash == kin_world_hash(victim));
    memcpy(number, right, bytes);
    free(buffer);
}

#define REFUSED(number, type, value) \
    do { type wrong = (value); refused(utest_result, world, victim, &(number), &wrong, sizeof wrong); } while (0)

UTEST(snapshot, numbers_that_no_world_has)
{
    test_log      log;
    kin_world    *world = busy_world(&log, 8), *victim = busy_world(&log, 9);
    kini_body    *body;
    kini_contact *contact;
    kini_mover   *mover;
    kini_static  *fixed;
    int32_t       row = 0, i;
    run(world, 60);
    for (i = 0; i < 400 && world->events.count == 0; i++) run(world, 1);
    ASSERT_TRUE(world->events.count > 0 && world->ignored.count > 0 && world->hulls.count > 0);
    while (world->bodies.at[row].contact_count == 0) row++;
    body = &world->bodies.at[row];
    contact = kini_contacts_of(world, row);
    mover = &world->movers.at[0];
    fixed = &world->statics.at[0];
    REFUSED(body->velocity.x, float, 1e30f);
    REFUSED(body->motion.y, float, NAN);
    REFUSED(body->given.y, float, -INFINITY);
    REFUSED(body->drawn.p.x, float, 2e15f);
    REFUSED(body->drawn.q, float, 3);
    REFUSED(body->stand.normal.y, float, 4);
    REFUSED(body->stand.id.slot, uint32_t, 0x80000001u);
    REFUSED(body->stand.id.slot, uint32_t, (uint32_t)world->things.count);
    REFUSED(body->stand.footing, uint8_t, KIN_STEEP + 1);
    REFUSED(body->stand.support, uint8_t, 0x82);
    REFUSED(body->squeezed_by[1].slot, uint32_t, 9999);
    REFUSED(body->drops_through.slot, int32_t, -1);
    REFUSED(body->options.snap, float, NAN);
    REFUSED(body->options.leftover_fade, float, -0.5f);
    REFUSED(body->options.leftover_fade, float, 1.5f);
    REFUSED(body->options.push, uint8_t, KIN_INTANGIBLE + 1);
    REFUSED(body->options.keep_facing, uint8_t, 2);
    REFUSED(body->control, int32_t, world->controls.count);
    REFUSED(body->control, int32_t, -2);
    REFUSED(body->slot, uint32_t, body->slot + 1);
    REFUSED(world->things.at[body->slot].row, int32_t, 9999);
    REFUSED(world->things.at[body->slot].kind, uint8_t, KIN_BODY + 1);
    REFUSED(world->things.at[body->slot].form, uint8_t, KINI_FORM_TILES);
    REFUSED(world->things.at[body->slot].p.x, float, 1e16f);
    REFUSED(world->things.at[body->slot].shape, int32_t, world->shapes.count);
    REFUSED(world->things.at[body->slot].flags, uint16_t, KINI_GOING);   /* it has not been removed */
    REFUSED(world->things.at[body->slot].flags, uint16_t, KINI_CONVEYOR);
    REFUSED(world->things.at[body->slot].flags, uint16_t, KINI_ONE_WAY);
    REFUSED(contact->other.slot, uint32_t, (uint32_t)world->things.count);
    REFUSED(contact->normal.x, float, -4);
    REFUSED(contact->gap, float, NAN);
    REFUSED(contact->speed, float, INFINITY);
    REFUSED(mover->spin, float, 1e38f);           /* found by fuzzing: what turns so fast soon is nowhere */
    REFUSED(mover->turn_rate, float, -1e13f);
    REFUSED(mover->velocity.x, float, 1e13f);
    REFUSED(mover->before.q, float, 3);
    REFUSED(mover->carry, uint8_t, KIN_CARRY_NONE + 1);
    REFUSED(mover->blocked_by[1].slot, uint32_t, 0x7FFFFFFFu);
    REFUSED(fixed->surface.velocity.x, float, 1e13f);
    REFUSED(fixed->local.p.x, float, NAN);
    REFUSED(fixed->level, int32_t, 0);
    REFUSED(world->hulls.at[0].normals[0].x, float, -3e38f);   /* found by fuzzing, too */
    REFUSED(world->hulls.at[0].points[0].y, float, 1e9f);
    REFUSED(world->hulls.at[0].count, int, KIN_MAX_POINTS + 1);
    REFUSED(world->shapes.at[0].reach, float, 1e20f);
    REFUSED(world->shapes.at[0].radius, float, -1);
    REFUSED(world->grids.at[0].cell, float, 1e-12f);
    REFUSED(world->grids.at[0].cell, float, 1e7f * 100);
    REFUSED(world->grids.at[0].cells, int32_t, 1);
    REFUSED(world->tiles.at[1].one_way.x, float, 7);
    REFUSED(world->tiles.at[1].surface_velocity.x, float, NAN);
    REFUSED(world->tiles.at[1].shape, int32_t, 4000);
    REFUSED(world->meshes.at[0].hi.x, float, 1e20f);
    REFUSED(world->meshes.at[0].face_count, int32_t, 0);
    REFUSED(world->mesh_points.at[0].x, float, INFINITY);
    REFUSED(world->mesh_corners.at[1], int32_t, 8);
    REFUSED(world->events.at[0].type, int32_t, KIN_EVENT_BLOCKED + 1);
    REFUSED(world->events.at[0].speed, float, NAN);
    REFUSED(world->ignored.at[0].a, uint32_t, world->ignored.at[0].b);
    REFUSED(world->ignored.at[0].b, uint32_t, 9999);
    REFUSED(world->attached, int32_t, 0);
    REFUSED(world->sensers, int32_t, 0);
    REFUSED(world->sensed.at[0].by.slot, uint32_t, 9999);
    REFUSED(world->sensed.at[0].it.gap, float, NAN);
    REFUSED(world->pending, int32_t, INT32_MAX);
    REFUSED(world->pending, int32_t, -1);
    REFUSED(world->shifted, int32_t, INT32_MAX);
    REFUSED(world->dt, float, -1);
    REFUSED(world->time_left, double, (double)NAN);
    REFUSED(world->dropped, double, -1.0);
    REFUSED(world->up.x, float, 1);
    REFUSED(world->desc.rate, float, 0);
    REFUSED(world->desc.unit, float, 1e9f);
    REFUSED(world->desc.gravity.x, float, 1e13f);
    REFUSED(world->desc.max_speed, float, -1);
    REFUSED(world->desc.max_catch_up, float, NAN);
    REFUSED(world->desc.max_rounds, int32_t, 0);
    REFUSED(world->desc.max_events, int32_t, 0);
    kin_world_destroy(world);
    kin_world_destroy(victim);
}

/* Attached statics are removed with their mover. */
UTEST(snapshot, parts_of_a_mover_that_was_removed)
{
    test_log        log;
    kin_world      *world = quiet_world(&log), *other = quiet_world(&log);
    kin_static_desc part = static_desc(kin_ball(0.25f), at(0, 1));
    kini_thing     *mover;
    size_t          bytes;
    void           *buffer;
    part.attach = add_mover(world, kin_box(size(4, 1)), at(0, -2));
    kin_add_static(world, &part);
    mover = &world->things.at[part.attach.slot];
    mover->flags |= KINI_REMOVED;
    mover->age++;
    world->live[KIN_MOVER] = 0;
    world->pending = 1;
    bytes = kin_snapshot_size(world);
    buffer = malloc(bytes);
    ASSERT_EQ(bytes, kin_snapshot_save(world, buffer, bytes));
    EXPECT_FALSE(kin_snapshot_load(other, buffer, bytes));
    EXPECT_STREQ("kin_snapshot_load: buffer has statics that are not sound", log.last);
    free(buffer);
    kin_world_destroy(world);
    kin_world_destroy(other);
}

/* More meetings in a step than are recorded: which ones are left out does not depend on how the arrays have grown. */
UTEST(snapshot, room_that_has_grown_decides_nothing)
{
    test_log       log;
    kin_world     *world = quiet_world(&log), *other = quiet_world(&log);
    unsigned char *buffer;
    size_t         bytes;
    int            i;
    for (i = 0; i < 100; i++) {   /* all of them rush through the middle */
        float  x = 20 + 0.1f * (float)(i % 7), y = 0.7f * (float)(i - 50);
        kin_id id = add_body(world, kin_ball(0.3f), at(i % 2 ? x : -x, y));
        kin_set_velocity(world, id, at(i % 2 ? -2400.0f : 2400.0f, -60 * y));
    }
    bytes = kin_snapshot_size(world);
    buffer = (unsigned char *)malloc(bytes);
    EXPECT_EQ(bytes, kin_snapshot_save(world, buffer, bytes));
    EXPECT_TRUE(kin_snapshot_load(other, buffer, bytes));
    EXPECT_TRUE(kin_world_step(world, 1 / 60.0f) && kin_world_step(other, 1 / 60.0f));
    EXPECT_TRUE(kin_world_overflowed(world));
    EXPECT_EQ(kin_world_hash(world), kin_world_hash(other));
    free(buffer);
    kin_world_destroy(world);
    kin_world_destroy(other);
}

/* Two shapes with one hull: whoever gives it back first would leave the other without. */
/* ---- the tables of fields.c -------------------------------------------------------------------------------------- */

enum { MOST_BYTES = 2048 };
typedef struct covered { uint8_t bytes[MOST_BYTES]; } covered;

/* Each byte of a row is in one line of its table; counts those in none, which are padding. */
static int cover(covered *c, size_t at, size_t bytes)
{
    int twice = 0;
    for (; bytes > 0; bytes--) twice += c->bytes[at++]++;
    return twice;
}

static int bytes_left(const covered *c, size_t bytes)
{
    int left = 0;
    while (bytes-- > 0) left += c->bytes[bytes] == 0;
    return left;
}

static size_t field_bytes(const kini_field *field)
{
    if (field->type == KINI_IS_BYTE) return field->count;
    if (field->type == KINI_IS_SHORT) return 2u * field->count;
    if (field->type == KINI_IS_LONG || field->type == KINI_IS_DOUBLE || field->type == KINI_IS_ID) return 8u * field->count;
    if (field->type == KINI_IS_VEC) return sizeof(kin_vec) * field->count;
    return 4u * field->count;
}

/* A new member that has no line in fields.c fails here. The few bytes are what the compiler puts before a number of 64
   bits: none, or four. */
UTEST(snapshot, every_member_has_one_line)
{
    int section, i;
    for (section = 0; section < KINI_SAVES_POINTS; section++) {
        const kini_section *table = kini_section_of(section);
        int                 padding = 0;
        covered             c;
        memset(&c, 0, sizeof c);
        if (section == KINI_SAVES_USERS) continue;
        if (section == KINI_SAVES_EVENTS) padding = 4;
        if (section == KINI_SAVES_GRIDS) padding = KINEMATIC_DIM == 2 ? 0 : 4;
        for (i = 0; i < table->field_count; i++) {
            const kini_field *field = &table->fields[i];
            EXPECT_EQ(0, cover(&c, field->at, field_bytes(field)));
        }
        EXPECT_EQ(padding, bytes_left(&c, table->lasts));
    }
}

/* A new number of the world, beside its arrays, is saved, counted by a load or stands here. */
UTEST(snapshot, every_setting_has_one_line)
{
    static const struct { size_t at, bytes; } others[] = {
        { offsetof(kin_world, stage), 2 },
        { offsetof(kin_world, reached_limit), offsetof(kin_world, shifted) - offsetof(kin_world, reached_limit) },   /* up to `live` */
        { offsetof(kin_world, stop_movers), sizeof(int32_t) },
        { offsetof(kin_world, up) + sizeof(kin_vec), offsetof(kin_world, time_left) - offsetof(kin_world, up) - sizeof(kin_vec) }
    };
    const size_t        from = offsetof(kin_world, up), end = offsetof(kin_world, sensers) + sizeof(int32_t);
    const kini_setting *setting;
    covered             c;
    size_t              i;
    int                 number, given = 0;
    memset(&c, 0, sizeof c);
    for (i = 0; i < sizeof others / sizeof others[0]; i++) EXPECT_EQ(0, cover(&c, others[i].at, others[i].bytes));
    for (number = 0; (setting = kini_setting_at(number)) != NULL; number++) {
        EXPECT_EQ(0, cover(&c, setting->field.at, field_bytes(&setting->field)));
        EXPECT_EQ(setting->field.type == KINI_IS_ROOM ? 0 : field_bytes(&setting->field), (size_t)setting->bytes);
        given += setting->name != NULL;
    }
    for (i = from; i < end; i++) EXPECT_EQ(1, c.bytes[i]);
    EXPECT_EQ(0, bytes_left(&c, offsetof(kin_world_desc, on_event)));   /* all numbers of the descriptor, which comes first */
    EXPECT_EQ(16, given);
}

UTEST(snapshot, a_hull_has_one_shape)
{
    test_log   log;
    kin_world *world = quiet_world(&log), *other = quiet_world(&log);
    kin_vec    points[3];
    kini_shape second;
    size_t     bytes;
    void      *buffer;
    int        k;
    for (k = 0; k < 2; k++) {
        points[0] = at(0, 0);
        points[1] = at(2, (float)k);
        points[2] = at(1, 3);
        add_body(world, kin_hull(points, 3, 0.25f), at(9.0f * (float)k, 0));
    }
    ASSERT_EQ(2, world->shapes.count);
    second = world->shapes.at[1];
    world->shapes.at[1] = world->shapes.at[0];
    bytes = kin_snapshot_size(world);
    buffer = malloc(bytes);
    ASSERT_EQ(bytes, kin_snapshot_save(world, buffer, bytes));
    EXPECT_FALSE(kin_snapshot_load(other, buffer, bytes));
    EXPECT_STREQ("kin_snapshot_load: buffer has shapes that are not sound", log.last);
    world->shapes.at[1] = second;
    ASSERT_EQ(bytes, kin_snapshot_save(world, buffer, bytes));
    EXPECT_TRUE(kin_snapshot_load(other, buffer, bytes));
    free(buffer);
    kin_world_destroy(world);
    kin_world_destroy(other);
}

/* Made up: numbers changed and the checksum made to fit. It is refused and nothing changed, or loaded, and then the
   world can be stepped and ended; the sanitizers watch. */
static void made_up(int *utest_result, bool level_apart)
{
    test_log   log;
    kin_world *world = busy_world(&log, 8), *victim = busy_world(&log, 9);
    chance     c = { 77 };
    size_t     bytes, all;
    char      *honest, *buffer, *whole;
    int        i, k, loaded = 0, rounds = 20000 / TEST_SHARE;
    run(world, 20);
    all = kin_snapshot_size(world);
    whole = (char *)malloc(all);
    ASSERT_EQ(all, kin_snapshot_save(world, whole, all));
    ASSERT_TRUE(kin_snapshot_load(victim, whole, all));
    world->desc.level_apart = level_apart;
    bytes = kin_snapshot_size(world);
    honest = (char *)malloc(bytes);
    buffer = (char *)malloc(bytes);
    ASSERT_EQ(bytes, kin_snapshot_save(world, honest, bytes));
    for (i = 0; i < rounds; i++) {
        uint64_t hash = kin_world_hash(victim), sum;
        memcpy(buffer, honest, bytes);
        for (k = 1 + below(&c, 3); k > 0; k--) {
            static const uint32_t words[] = { 0, 1, 2, 3, 7, 0xFFFFFFFFu, 0x7FFFFFFFu, 0x80000000u, 0x7FC00000u, 0x7F800000u, 255, 256, 100 };
            size_t   head = sizeof(kini_saved), where = 16 + (size_t)(((uint64_t)roll(&c) << 8 | roll(&c)) % ((below(&c, 3) ? bytes : head) - 20));
            uint32_t word = words[below(&c, 13)];
            if (below(&c, 2)) where &= ~(size_t)3;
            memcpy(buffer + where, &word, below(&c, 2) ? 4 : 1);
        }
        sum = sum_of(buffer, bytes);
        memcpy(buffer + offsetof(kini_saved, check), &sum, sizeof sum);
        if (!kin_snapshot_load(victim, buffer, bytes)) { ASSERT_TRUE(hash == kin_world_hash(victim)); continue; }
        loaded++;
        if (loaded % 16 == 0) {
            kin_hit hit;
            kin_id  id;
            run(victim, 2);
            kin_cast_ray(victim, at(0, 9), at(0, -20), NULL, &hit);
            for (id = kin_next(victim, KIN_NOTHING, nobody()); id.slot; id = kin_next(victim, KIN_NOTHING, id)) {
                kin_contact contacts[4];
                kin_get_contacts(victim, id, contacts, 4);
                if (below(&c, 4) == 0) kin_remove(victim, id);
            }
            run(victim, 1);
            ASSERT_TRUE(kin_snapshot_load(victim, whole, all));
        }
    }
    EXPECT_TRUE(loaded > 0 && loaded < rounds);
    ASSERT_TRUE(kin_snapshot_load(victim, honest, bytes));
    run(world, 5);
    run(victim, 5);
    EXPECT_TRUE(kin_world_hash(world) == kin_world_hash(victim));
    free(honest);
    free(buffer);
    free(whole);
    kin_world_destroy(world);
    kin_world_destroy(victim);
}

/* A part that no face has, in a contact with a mesh that is there or was removed: found from poses when it is read. */
UTEST(snapshot, parts_that_no_mesh_has_do_no_harm)
{
    static char buffer[1 << 20];
    int removed;
    for (removed = 0; removed < 2; removed++) {
        test_log    log;
        kin_world  *world = quiet_world(&log), *victim = quiet_world(&log);
        kin_id      surface = add_surface(world), body;
        kin_vec     low, high;
        kin_contact contact;
        kin_body_desc desc;
        size_t      bytes;
        int         i;
        memset(&desc, 0, sizeof desc);
        desc.shape = kin_ball(0.5f);
        kin_get_bounds(world, surface, &low, &high);
        desc.position = kini_scale(kini_add(low, high), 0.5f);
        desc.position.y = high.y + 0.4f;
        body = kin_add_body(world, &desc);
        for (i = 0; i < 200 && kin_get_contacts(world, body, NULL, 0) == 0; i++) kin_world_step(world, 1.0f / 60);
        ASSERT_TRUE(kin_get_contacts(world, body, NULL, 0) > 0);
        if (removed) kin_remove(world, surface);
        for (i = 0; i < world->bodies.at[0].contact_count; i++) world->contacts.at[i].part = removed ? 1000000 : -1;
        bytes = kin_snapshot_save(world, buffer, sizeof buffer);
        ASSERT_TRUE(bytes > 0);
        ASSERT_TRUE(kin_snapshot_load(victim, buffer, bytes));
        kin_get_contacts(victim, body, &contact, 1);
        run(victim, 5);
        kin_world_destroy(world);
        kin_world_destroy(victim);
    }
}

UTEST(snapshot, made_up_snapshots_do_no_harm) { made_up(utest_result, false); }
UTEST(snapshot, made_up_snapshots_without_a_level_do_no_harm) { made_up(utest_result, true); }
