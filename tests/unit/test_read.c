/* SPDX-License-Identifier: MIT OR Unlicense

   What was put in can be read back and changed; questions with many answers against one question at a time, and the
   nearest room against a grid of places. */
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

static void run(kin_world *world, int steps)
{
    while (steps-- > 0) kin_world_step(world, 1.0f / 60);
}

#if KINEMATIC_DIM == 2
static kin_cell cell_at(int x, int y) { return kin_c(x, y); }
static kin_cell grid_size(int x, int y) { return kin_c(x, y); }
#else
static kin_cell cell_at(int x, int y) { return kin_c(x, y, 0); }
static kin_cell grid_size(int x, int y) { return kin_c(x, y, 1); }
#endif

/* ---- reading back ------------------------------------------------------------------------------------------------ */

UTEST(read, the_world)
{
    test_log       log;
    kin_world     *world = quiet_world(&log);
    kin_world_desc desc;
    kin_stats      stats;
    kin_id         body;
    EXPECT_TRUE(near_to(at(0, -30), kin_world_get_gravity(world), 0) && near_to(at(0, 1), kin_world_get_up(world), 0));
    EXPECT_TRUE(kin_world_get_desc(world, &desc));
    EXPECT_TRUE(desc.rate == 128 && desc.unit == 1 && desc.max_contacts == 16 && near_to(at(0, 1), desc.up, 0));
    EXPECT_TRUE(kin_world_set_up(world, at(3, 0)));
    EXPECT_TRUE(near_to(at(1, 0), kin_world_get_up(world), 1e-6f));
    EXPECT_TRUE(kin_world_set_up(world, at(0, 0)));                       /* against gravity again */
    EXPECT_TRUE(near_to(at(0, 1), kin_world_get_up(world), 1e-6f));
    add_static(world, kin_box(size(10, 1)), at(0, -0.5f));
    body = add_body(world, kin_ball(0.5f), at(0, 0.502f));
    run(world, 3);
    stats = kin_world_get_stats(world);
    EXPECT_TRUE(kin_on_ground(world, body) && stats.contacts == 1 && stats.bytes > sizeof(kini_body));
    EXPECT_EQ(stats.events, kin_get_events(world, NULL));
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
    EXPECT_TRUE(kin_get_bounds(world, box, &low, &high) && kin_get_bounds(world, box, NULL, NULL));
    EXPECT_TRUE(kin_get_filter(world, box, NULL, NULL));
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

/* Own gravity: told, in the hash and in snapshots only while it is there, and nothing else turns with it. */
UTEST(read, own_gravity)
{
    test_log       log;
    kin_world     *world = quiet_world(&log);
    kin_id         body = add_body(world, kin_ball(0.5f), at(0, 5)), other = add_body(world, kin_ball(0.5f), at(9, 5));
    uint64_t       plain = kin_world_hash(world), turned;
    unsigned char *saved;
    size_t         bytes;
    kin_body_desc  options;
    EXPECT_TRUE(kin_set_gravity(world, body, at(10, 0)));
    turned = kin_world_hash(world);
    EXPECT_TRUE(turned != plain && near_to(at(-1, 0), kin_get_up(world, body), 0));
    EXPECT_TRUE(near_to(kin_world_get_up(world), kin_get_up(world, other), 0));
    EXPECT_TRUE(kin_get_body_options(world, body, &options) && near_to(at(10, 0), options.gravity, 0));
    EXPECT_TRUE(kin_set_body_options(world, body, &options) && kin_world_hash(world) == turned);
    bytes = kin_snapshot_size(world);
    saved = malloc(bytes);
    EXPECT_TRUE(kin_snapshot_save(world, saved, bytes) == bytes);
    run(world, 60);
    EXPECT_TRUE(near_to(at(5, 5), kin_get_position(world, body), 0.1f));
    turned = kin_world_hash(world);
    EXPECT_TRUE(kin_set_gravity(world, body, at(0, 0)) && near_to(at(0, 1), kin_get_up(world, body), 0));
    EXPECT_TRUE(kin_snapshot_load(world, saved, bytes) && near_to(at(-1, 0), kin_get_up(world, body), 0));
    run(world, 60);
    EXPECT_TRUE(kin_world_hash(world) == turned);
    EXPECT_TRUE(kin_world_set_gravity(world, at(0, 10)) && near_to(at(-1, 0), kin_get_up(world, body), 0));
    EXPECT_TRUE(near_to(at(0, -1), kin_get_up(world, other), 0));
    EXPECT_FALSE(kin_set_gravity(world, body, at(NAN, 0)) || kin_set_gravity(world, body, at(1e30f, 0)));
    options.gravity = at(INFINITY, 0);
    EXPECT_FALSE(kin_set_body_options(world, body, &options));
    free(saved);
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
    roof = add_static(world, kin_box(size(20, 1)), at(0, 1.5105f));   /* more than an exact fit */
    run(world, 2);
    EXPECT_TRUE(kin_on_ceiling(world, hero) && kin_get_ceiling(world, hero, &contact));
    EXPECT_TRUE(kin_same(roof, contact.other) && near_to(at(0, -1), contact.normal, 1e-5f));
    kin_remove(world, roof);
    EXPECT_FALSE(kin_get_ceiling(world, hero, &contact));                 /* dead handles are not told */
    kin_set_enabled(world, hero, false);
    run(world, 2);
    EXPECT_FALSE(kin_on_wall(world, hero) || kin_get_wall(world, hero, &contact));
    kin_world_destroy(world);
}

/* The wall at the end of a corridor as wide as the body, never one of its sides; at rest too. */
UTEST(read, the_end_of_an_exact_corridor)
{
    int         way, i;
    kin_contact contact;
    for (way = 0; way < 4; way++) {
        kin_vec    to = at(way < 2 ? (way == 0 ? 3.0f : -3.0f) : 0, way < 2 ? 0 : (way == 2 ? 3.0f : -3.0f));
        kin_world *world = kin_world_create(NULL);
        kin_id     body = add_body(world, kin_box(size(1, 1)), at(0, 0));
        for (i = 0; i < 4; i++) add_static(world, kin_box(size(4, 4)), at(i < 2 ? 2.5f : -2.5f, i % 2 ? 2.5f : -2.5f));
        add_static(world, kin_box(size(1, 1)), kini_scale(to, 5.0f / 3));
        for (i = 0; i < 120; i++) {
            if (i < 100) kin_set_velocity(world, body, to);
            run(world, 1);
            if (i < 70) EXPECT_FALSE(kin_on_wall(world, body));
            if (i > 90) EXPECT_TRUE(kin_on_wall(world, body) && kin_get_wall(world, body, &contact));
            if (i > 90) EXPECT_TRUE(near_to(kini_scale(to, -1.0f / 3), contact.normal, 1e-4f));
        }
        kin_world_destroy(world);
    }
}

UTEST(read, tiles_and_meshes)
{
    static const uint8_t cells[64] = { 1, 2, 0, 3, 4, 0, 1, 1 };
    test_log       log;
    kin_world     *world = quiet_world(&log);
    kin_tiles_desc desc, out;
    kin_mesh_desc  mesh;
    kin_tile       ramp, tile;
    kin_vec        points[4], got[4];
    uint8_t        block[4] = { 1, 1, 0, 4 };
    int            indices[2 * KINEMATIC_DIM], faces[2 * KINEMATIC_DIM], count, i;
    kin_id         grid, id;
    memset(&desc, 0, sizeof desc);
    memset(&ramp, 0, sizeof ramp);
    desc.size = grid_size(4, 2);
    desc.cell = 2;
    desc.origin = at(1, 1);
    desc.cells = cells;
    grid = kin_add_tiles(world, &desc);
    ramp.points[0] = at(0, 0);
    ramp.points[1] = at(1, 0);
    ramp.points[2] = at(1, 1);
    ramp.count = 3;
#if KINEMATIC_DIM == 3
    for (i = 0; i < 3; i++) { ramp.points[3 + i] = ramp.points[i]; ramp.points[3 + i].z = 1; }
    ramp.count = 6;
#endif
    EXPECT_TRUE(kin_define_tile(world, grid, 4, &ramp));
    EXPECT_TRUE(kin_get_form(world, grid) == KIN_FORM_TILES);
    EXPECT_TRUE(kin_get_tiles(world, grid, &out));
    EXPECT_TRUE(out.size.x == 4 && out.size.y == 2 && out.cell == 2 && near_to(at(1, 1), out.origin, 0) && !out.cells);
    EXPECT_FALSE(kin_get_tile_definition(world, grid, 0, &tile) || kin_get_tile_definition(world, grid, 9, &tile));
    EXPECT_TRUE(kin_get_tile_definition(world, grid, 3, &tile) && tile.sensor && tile.count == 0);
    EXPECT_TRUE(kin_get_tile_definition(world, grid, 2, &tile) && near_to(at(0, 1), tile.one_way, 0));
    EXPECT_TRUE(kin_get_tile_definition(world, grid, 4, &tile) && tile.count == ramp.count);
    EXPECT_TRUE(kin_set_tiles_region(world, grid, cell_at(2, 0), grid_size(2, 2), block));
    EXPECT_TRUE(kin_get_tile(world, grid, cell_at(2, 0)) == 1 && kin_get_tile(world, grid, cell_at(3, 1)) == 4);
    EXPECT_EQ(1, kin_get_tile(world, grid, cell_at(0, 0)));
    EXPECT_FALSE(kin_set_tiles_region(world, grid, cell_at(3, 0), grid_size(2, 1), block));   /* leaves the grid */
    memset(&mesh, 0, sizeof mesh);
    for (i = 0; i < 4; i++) points[i] = at((float)i, (float)(i & 1));
    for (i = 0; i < KINEMATIC_DIM; i++) { indices[i] = i; indices[KINEMATIC_DIM + i] = 0; }   /* the second one has no extent */
    mesh.points = points;
    mesh.point_count = 4;
    mesh.indices = indices;
    mesh.index_count = 2 * KINEMATIC_DIM;
    id = kin_add_mesh(world, &mesh);
    EXPECT_TRUE(kin_get_form(world, id) == KIN_FORM_MESH);
    EXPECT_EQ(1, kin_get_mesh(world, id, got, 4, &count, faces, 2 * KINEMATIC_DIM));
    EXPECT_EQ(4, count);
    EXPECT_TRUE(near_to(points[3], got[3], 0) && faces[0] == 0 && faces[KINEMATIC_DIM - 1] == KINEMATIC_DIM - 1);
    EXPECT_EQ(1, kin_get_mesh(world, id, NULL, 0, NULL, NULL, 0));
    EXPECT_EQ(0, kin_get_mesh(world, grid, NULL, 0, NULL, NULL, 0));
    kin_world_destroy(world);
}

/* ---- meshes by choice -------------------------------------------------------------------------------------------- */

/* A level floor from x = -10 to 10 at y = 0 that looks up. */
static kin_id add_sheet(kin_world *world, kin_mesh_desc desc)
{
#if KINEMATIC_DIM == 2
    static const kin_vec points[] = { { -10, 0 }, { 10, 0 } };
    static const int     indices[] = { 0, 1 };
#else
    static const kin_vec points[] = { { -10, 0, -5 }, { 10, 0, -5 }, { 10, 0, 5 }, { -10, 0, 5 } };
    static const int     indices[] = { 0, 3, 2, 0, 2, 1 };
#endif
    desc.points = points;
    desc.point_count = sizeof points / sizeof *points;
    desc.indices = indices;
    desc.index_count = sizeof indices / sizeof *indices;
    return kin_add_mesh(world, &desc);
}

UTEST(read, a_mesh_with_a_belt)
{
    test_log      log;
    kin_world    *world = quiet_world(&log);
    kin_mesh_desc desc;
    kin_id        body;
    memset(&desc, 0, sizeof desc);
    desc.surface_velocity = at(2, 0);
    add_sheet(world, desc);
    body = add_body(world, kin_ball(0.5f), at(0, 0.502f));
    run(world, 61);
    EXPECT_TRUE(near_to(at(2, 0.502f), kin_get_position(world, body), 0.05f));
    desc.surface_velocity = at(NAN, 0);
    EXPECT_TRUE(add_sheet(world, desc).slot == 0);
    EXPECT_EQ(1, log.lines);
    kin_world_destroy(world);
}

UTEST(read, a_mesh_that_senses)
{
    test_log         log;
    kin_world       *world = quiet_world(&log);
    kin_mesh_desc    desc;
    kin_id           sheet, body;
    const kin_event *events;
    kin_hit          hit;
    int              began = 0, ended = 0, i, k;
    memset(&desc, 0, sizeof desc);
    desc.sensor = true;
    sheet = add_sheet(world, desc);
    EXPECT_TRUE(kin_is_sensor(world, sheet) && !kin_cast_ray(world, at(1, 5), at(0, -9), NULL, &hit));
    body = add_body(world, kin_ball(0.5f), at(2, 2));
    for (i = 0; i < 60; i++) {
        run(world, 1);
        for (k = kin_get_events(world, &events); k-- > 0;) {
            EXPECT_TRUE(kin_same(events[k].a, body) && kin_same(events[k].b, sheet));
            began += events[k].type == KIN_EVENT_BEGAN;
            ended += events[k].type == KIN_EVENT_ENDED;
        }
    }
    EXPECT_TRUE(kin_get_position(world, body).y < -5);
    EXPECT_TRUE(began >= 1 && began == ended);
    kin_world_destroy(world);
}

/* A sheet that is a floor from above becomes a belt, then a sensor, then a floor again; it keeps its side. */
UTEST(read, options_of_a_mesh)
{
    test_log        log;
    kin_world      *world = quiet_world(&log);
    kin_mesh_desc   desc;
    kin_static_desc options;
    kin_id          sheet, body, below;
    uint64_t        hash;
    memset(&desc, 0, sizeof desc);
    desc.one_sided = true;
    sheet = add_sheet(world, desc);
    body = add_body(world, kin_box(size(1, 1)), at(-3, 0.6f));
    run(world, 30);
    hash = kin_world_hash(world);
    ASSERT_TRUE(kin_get_static_options(world, sheet, &options) && kin_set_static_options(world, sheet, &options));
    EXPECT_TRUE(kin_world_hash(world) == hash);
    options.surface_velocity = at(2, 0);
    EXPECT_TRUE(kin_set_static_options(world, sheet, &options));
    run(world, 30);
    EXPECT_TRUE(kin_get_motion(world, body).x > 1.9f);
    below = add_body(world, kin_box(size(1, 1)), at(3, -2));
    kin_set_velocity(world, below, at(0, 15));
    run(world, 20);
    EXPECT_TRUE(kin_get_position(world, below).y > 0);   /* it still comes through from below */
    options.sensor = true;
    EXPECT_TRUE(kin_set_static_options(world, sheet, &options) && kin_is_sensor(world, sheet));
    run(world, 30);
    EXPECT_TRUE(kin_get_position(world, body).y < -1);
    options.one_way = at(0, 1);
    EXPECT_FALSE(kin_set_static_options(world, sheet, &options));
    EXPECT_TRUE(strstr(log.last, "one_way is not for meshes") != NULL);
    kin_world_destroy(world);
}

/* A thing of another world, added again as it is read back there. */
static kin_id copy_thing(const kin_world *world, kin_id id, kin_world *copy)
{
    kin_body_desc   body;
    kin_mover_desc  mover;
    kin_static_desc fixed;
    kin_mesh_desc   mesh;
    kin_vec         points[8];
    int             faces[16], count;
    if (kin_get_kind(world, id) == KIN_BODY) return kin_get_body_options(world, id, &body) ? kin_add_body(copy, &body) : id;
    if (kin_get_kind(world, id) == KIN_MOVER)
        return kin_get_mover_options(world, id, &mover) ? kin_add_mover(copy, &mover) : id;
    kin_get_static_options(world, id, &fixed);
    if (kin_get_form(world, id) == KIN_FORM_SHAPE) return kin_add_static(copy, &fixed);
    memset(&mesh, 0, sizeof mesh);
    mesh.index_count = KINEMATIC_DIM * kin_get_mesh(world, id, points, 8, &count, faces, 16);
    mesh.point_count = count;
    mesh.points = points;
    mesh.indices = faces;
    mesh.position = fixed.position;
    mesh.rotation = fixed.rotation;
    mesh.attach = fixed.attach;
    mesh.sensor = fixed.sensor;
    mesh.surface_velocity = fixed.surface_velocity;
    mesh.one_sided = kin_is_one_sided(world, id);
    return kin_add_mesh(copy, &mesh);
}

/* Directions of any length come back as what they became, which is given again bit for bit. */
UTEST(read, a_world_is_made_again_of_what_it_tells)
{
    chance c = { 3 };
    int    round, i;
    for (round = 0; round < 20; round++) {
        kin_world_desc  desc;
        kin_world      *world, *copy;
        kin_mover_desc  mover = mover_desc(kin_box(size(2, 1)), at(0, 4));
        kin_body_desc   body = body_desc(kin_capsule(1.8f, 0.4f), at(0, 0.902f));
        kin_static_desc part = static_desc(kin_ball(1), at(1, 1));
        kin_mesh_desc   mesh;
        kin_id          id = { 0, 0 };
        memset(&desc, 0, sizeof desc);
        memset(&mesh, 0, sizeof mesh);
        desc.gravity = at(between(&c, -5, 5), -20);
        desc.up = at(between(&c, -5, 5), between(&c, 1, 5));
        world = kin_world_create(&desc);
        mover.one_way = part.one_way = at(between(&c, -5, 5), between(&c, 1, 5));
        mover.rotation = part.rotation = turned(between(&c, -3, 3));
        mover.spin = spin(1);
        mover.senses = part.sensor = part.senses = true;
        part.attach = kin_add_mover(world, &mover);
        kin_add_static(world, &part);
        mesh.position = at(0, -1);
        mesh.rotation = turned(between(&c, -0.2f, 0.2f));
        mesh.one_sided = below(&c, 2) > 0;
        mesh.surface_velocity = at(between(&c, -1, 1), 0);
        EXPECT_EQ(mesh.one_sided, kin_is_one_sided(world, add_sheet(world, mesh)));
        body.no_gravity_scale = below(&c, 4) == 0;
        body.bounce = between(&c, 0, 1);
        body.weight = between(&c, 0.1f, 3);
        body.gravity = at(between(&c, -9, 9), -5);
        body.max_slope = between(&c, 0.1f, 1.4f);
        body.leftover_fade = 0.5f;
        part.attach = kin_add_body(world, &body);
        kin_add_static(world, &part);
        EXPECT_TRUE(kin_world_get_desc(world, &desc));
        copy = kin_world_create(&desc);
        while (id = kin_next(world, KIN_NOTHING, id), id.slot)
            EXPECT_TRUE(kin_same(id, copy_thing(world, id, copy)));
        for (i = 0; i < 2; i++) {
            EXPECT_TRUE(kin_world_hash(world) == kin_world_hash(copy));
            run(world, 40);
            run(copy, 40);
        }
        kin_world_destroy(world);
        kin_world_destroy(copy);
    }
}

/* From above it stands there, from below it comes through, and then it stands there too. */
UTEST(read, a_mesh_with_one_side)
{
    test_log      log;
    kin_world    *world = quiet_world(&log), *copy = quiet_world(&log);
    kin_mesh_desc desc;
    kin_id        above, below;
    kin_hit       hit;
    size_t        bytes;
    void         *saved;
    memset(&desc, 0, sizeof desc);
    desc.one_sided = true;
    add_sheet(world, desc);
    above = add_body(world, kin_ball(0.5f), at(-3, 2));
    below = add_body(world, kin_box(size(1, 1)), at(3, -2));
    kin_set_velocity(world, below, at(0, 15));
    EXPECT_TRUE(kin_test_move(world, above, at(0, -3), &hit) && !kin_test_move(world, below, at(0, 3), &hit));
    run(world, 8);
    EXPECT_TRUE(kin_get_position(world, below).y > -0.7f);
    bytes = kin_snapshot_size(world);
    saved = malloc(bytes);
    EXPECT_TRUE(saved && kin_snapshot_save(world, saved, bytes) == bytes && kin_snapshot_load(copy, saved, bytes));
    free(saved);
    run(world, 112);
    run(copy, 112);
    EXPECT_TRUE(kin_world_hash(world) == kin_world_hash(copy));
    EXPECT_TRUE(near_to(at(-3, 0.502f), kin_get_position(world, above), 0.003f));
    EXPECT_TRUE(near_to(at(3, 0.502f), kin_get_position(world, below), 0.003f));
    kin_world_destroy(world);
    kin_world_destroy(copy);
}

/* ---- doorways ---------------------------------------------------------------------------------------------------- */

/* A body of width 1 goes for a door of 1.2 and meets its post by 0.1, in every direction. */
UTEST(read, a_floating_body_is_helped_past_a_door_post)
{
    int nudge, turn;
    for (nudge = 0; nudge < 3; nudge++)
        for (turn = 0; turn < 4; turn++) {
            test_log      log;
            kin_world    *world = quiet_world(&log);
            kin_rot       q = turned(1.5707963f * (float)turn);
            kin_body_desc desc = body_desc(kin_box(size(1, 1)), kini_rotate(q, at(-3, 0.2f)));
            kin_id        body;
            kin_world_set_gravity(world, at(0, 0));
            add_static(world, kin_box(turn & 1 ? size(4, 1) : size(1, 4)), kini_rotate(q, at(0, 2.6f)));
            add_static(world, kin_box(turn & 1 ? size(4, 1) : size(1, 4)), kini_rotate(q, at(0, -2.6f)));
            desc.weightless = true;
            desc.corner_nudge = 0.075f * (float)nudge;   /* none, too little, enough */
            body = kin_add_body(world, &desc);
            while (kin_world_steps(world) < 120) {
                kin_set_velocity(world, body, kini_rotate(q, at(3, 0)));
                run(world, 1);
            }
            EXPECT_EQ(nudge == 2, kini_unrotate(q, kin_get_position(world, body)).x > 2);
            EXPECT_TRUE(nudge == 2 || kin_on_wall(world, body));
            kin_world_destroy(world);
        }
}

/* ---- questions --------------------------------------------------------------------------------------------------- */

typedef struct only_this { kin_id id; int part; } only_this;

static bool takes_only(kin_id id, int part, void *user)
{
    const only_this *wanted = (const only_this *)user;
    return kin_same(id, wanted->id) && (wanted->part < -1 || part == wanted->part);
}

/* Anywhere within so far of the origin along each axis. */
static kin_vec somewhere(chance *luck, float far)
{
    kin_vec p = at(between(luck, -far, far), between(luck, -far, far));
#if KINEMATIC_DIM == 3
    p.z = between(luck, -0.5f * far, 0.5f * far);
#endif
    return p;
}

/* Statics, a grid and a mesh: parts 0 .. GRID - 1 are cells, 0 .. FACES - 1 faces. */
enum { GRID = 64, FACES = 20 };

static kin_id add_faces(kin_world *world, chance *luck)
{
    kin_vec       points[FACES * KINEMATIC_DIM];
    int           indices[FACES * KINEMATIC_DIM], i;
    kin_mesh_desc desc;
    for (i = 0; i < FACES * KINEMATIC_DIM; i++) {
        points[i] = kini_add(somewhere(luck, 0.7f), i % KINEMATIC_DIM ? points[i - i % KINEMATIC_DIM] : somewhere(luck, 4));
        indices[i] = i;
    }
    memset(&desc, 0, sizeof desc);
    desc.points = points;
    desc.indices = indices;
    desc.point_count = desc.index_count = FACES * KINEMATIC_DIM;
    return kin_add_mesh(world, &desc);
}

static kin_world *mixed_world(test_log *log, chance *luck, kin_id *things, int count, kin_id *grid, kin_id *mesh)
{
    kin_world     *world = quiet_world(log);
    kin_tiles_desc desc;
    uint8_t        cells[8 * 8 * 8];
    int            i;
    for (i = 0; i < count; i++)
        things[i] = add_static(world, i & 1 ? kin_ball(between(luck, 0.2f, 0.8f)) : kin_box(size(1, 0.7f)),
                               somewhere(luck, 4));
    for (i = 0; i < 512; i++) cells[i] = (uint8_t)(between(luck, 0, 1) < 0.3f);
    memset(&desc, 0, sizeof desc);
    desc.size = grid_size(8, 8);
    desc.origin = kini_sub(at(-3.5f, -3.5f), kini_all(0.5f));
    desc.cells = cells;
    *grid = kin_add_tiles(world, &desc);
    *mesh = add_faces(world, luck);
    return world;
}

/* The i-th part of all that there is. */
static only_this nth_part(const kin_id *things, int count, kin_id grid, kin_id mesh, int i)
{
    only_this it;
    it.id = i < count ? things[i] : i < count + GRID ? grid : mesh;
    it.part = i < count ? -1 : i < count + GRID ? i - count : i - count - GRID;
    return it;
}

/* All hits are those of one question for each thing, each cell and each face. */
UTEST(read, all_hits_against_one_question_each)
{
    enum { COUNT = 12, ROOM = 200 };
    chance luck = { 7 };
    int    round;
    for (round = 0; round < 60 / (TEST_SHARE > 6 ? 6 : TEST_SHARE); round++) {
        test_log   log;
        kin_id     things[COUNT], grid, mesh;
        kin_world *world = mixed_world(&log, &luck, things, COUNT, &grid, &mesh);
        kin_shape  ball = kin_ball(0.3f);
        kin_vec    from = somewhere(&luck, 6), travel = somewhere(&luck, 9);
        kin_hit    hits[ROOM], few[3], hit;
        only_this  wanted;
        kin_filter filter = no_filter();
        int        found, i, expected = 0, rays = round & 1;
        found = rays ? kin_cast_ray_all(world, from, travel, NULL, hits, ROOM)
                     : kin_cast_shape_all(world, &ball, pose(from, 0), travel, NULL, hits, ROOM);
        filter.takes = takes_only;
        filter.user = &wanted;
        for (i = 0; i < COUNT + GRID + FACES; i++) {
            bool met;
            int  k, at_it = 0;
            wanted = nth_part(things, COUNT, grid, mesh, i);
            met = rays ? kin_cast_ray(world, from, travel, &filter, &hit)
                       : kin_cast_shape(world, &ball, pose(from, 0), travel, &filter, &hit);
            for (k = 0; k < found; k++) {
                if (!takes_only(hits[k].id, hits[k].part, &wanted)) continue;
                at_it++;
                EXPECT_TRUE(hit.t == hits[k].t && near_to(hit.point, hits[k].point, 0));
                EXPECT_TRUE(near_to(hit.normal, hits[k].normal, 0));
            }
            EXPECT_EQ(met ? 1 : 0, at_it);
            expected += met;
        }
        EXPECT_EQ(expected, found);
        for (i = 1; i < found; i++) EXPECT_TRUE(hits[i - 1].t <= hits[i].t);
        i = rays ? kin_cast_ray_all(world, from, travel, NULL, few, 3)
                 : kin_cast_shape_all(world, &ball, pose(from, 0), travel, NULL, few, 3);
        EXPECT_EQ(found, i);
        for (i = 0; i < 3 && i < found; i++) EXPECT_TRUE(kin_same(few[i].id, hits[i].id) && few[i].part == hits[i].part);
        /* The first of all is what the plain question finds. */
        EXPECT_EQ(found > 0, rays ? kin_cast_ray(world, from, travel, NULL, &hit)
                                  : kin_cast_shape(world, &ball, pose(from, 0), travel, NULL, &hit));
        if (found > 0) EXPECT_TRUE(fabsf(hit.t - hits[0].t) < 1e-5f && kin_same(hit.id, hits[0].id));
        kin_world_destroy(world);
    }
}

UTEST(read, depths_and_distances_against_one_question_each)
{
    enum { COUNT = 12 };
    chance luck = { 11 };
    int    round, i;
    for (round = 0; round < 100 / (TEST_SHARE > 10 ? 10 : TEST_SHARE); round++) {
        test_log    log;
        kin_id      things[COUNT], grid, mesh, ids[COUNT + 2];
        kin_world  *world = mixed_world(&log, &luck, things, COUNT, &grid, &mesh);
        kin_shape   box = kin_box(size(round & 1 ? 1.5f : 0.3f, round & 1 ? 1 : 0.3f));
        kin_pose    place = pose(somewhere(&luck, 5), 0.3f * (float)(round % 3));
        kin_contact list[COUNT + 2], closest, near;
        kin_filter  filter = no_filter();
        only_this   wanted;
        float       least = 20;
        int         count = kin_overlap(world, &box, place, NULL, ids, COUNT + 2);
        EXPECT_EQ(count, kin_overlap_contacts(world, &box, place, NULL, list, COUNT + 2));
        filter.takes = takes_only;
        filter.user = &wanted;
        for (i = 0; i < COUNT + GRID + FACES; i++) {   /* of one part its depth, and whether it overlaps */
            wanted = nth_part(things, COUNT, grid, mesh, i);
            if (!kin_closest(world, &box, place, 20, &filter, &near)) continue;
            least = near.gap < least ? near.gap : least;
            EXPECT_TRUE(kin_same(near.other, wanted.id) && near.part == wanted.part);
            EXPECT_EQ(near.gap < 0, kin_overlap(world, &box, place, &filter, NULL, 0) > 0);
            EXPECT_EQ(near.gap < 0, kin_overlap_contacts(world, &box, place, &filter, &closest, 1) > 0);
        }
        for (i = 0; i < count; i++) {
            EXPECT_TRUE(list[i].gap < 0 && (i == 0 || list[i - 1].gap <= list[i].gap));
            EXPECT_TRUE(fabsf(kini_len(list[i].normal) - 1) < 1e-4f);
            wanted.id = list[i].other;
            wanted.part = -2;
            EXPECT_TRUE(kin_closest(world, &box, place, 20, &filter, &near));
            EXPECT_TRUE(near.gap == list[i].gap && near.part == list[i].part);
        }
        EXPECT_TRUE(kin_closest(world, &box, place, 20, NULL, &closest));
        if (count > 0) EXPECT_TRUE(kin_same(closest.other, list[0].other) && closest.gap == least && list[0].gap == least);
        else {   /* nothing is nearer, and a shape that is moved there touches it */
            EXPECT_TRUE(closest.gap > 0 && fabsf(closest.gap - least) < 1e-5f);
            EXPECT_FALSE(kin_closest(world, &box, place, 0.99f * closest.gap, NULL, &near));
            place.p = kini_madd(place.p, closest.normal, -closest.gap - 1e-3f);
            EXPECT_TRUE(kin_overlap(world, &box, place, NULL, ids, 1) > 0);
        }
        kin_world_destroy(world);
    }
}

/* No place of a fine grid that is free is nearer than what was found, but for the skin. */
UTEST(read, room_against_a_grid_of_places)
{
    enum { COUNT = 6, STEPS = 40 };
    chance luck = { 13 };
    int         round, i, k, worse = 0;
    for (round = 0; round < 40 / (TEST_SHARE > 10 ? 10 : TEST_SHARE); round++) {
        test_log   log;
        kin_id     things[COUNT], id;
        kin_world *world = quiet_world(&log);
        kin_shape  box = kin_box(size(1, 1));
        kin_pose   place = pose(at(0, 0), 0), there;
        kin_vec    room = at(0, 0);
        float      reach = 3, best = reach;
        bool       found;
        for (i = 0; i < COUNT; i++)
            things[i] = add_static(world, kin_box(size(between(&luck, 0.5f, 2), between(&luck, 0.5f, 2))),
                                   at(between(&luck, -1.5f, 1.5f), between(&luck, -1.5f, 1.5f)));
        (void)things;
        found = kin_find_room(world, &box, place, reach, NULL, &room);
        there = place;
        there.p = room;
        if (found) EXPECT_EQ(0, kin_overlap(world, &box, there, NULL, &id, 1));
        for (i = -STEPS; i <= STEPS; i++)
            for (k = -STEPS; k <= STEPS; k++) {
                there.p = at(reach * (float)i / STEPS, reach * (float)k / STEPS);
                if (kini_len(there.p) < best && kin_overlap(world, &box, there, NULL, &id, 1) == 0) best = kini_len(there.p);
            }
        if (best < reach - 0.1f) EXPECT_TRUE(found);
        if (found) worse += kini_len(room) > best + 0.01f;
        kin_world_destroy(world);
    }
    EXPECT_EQ(0, worse);
}

UTEST(read, filters_leave_out_and_have_the_last_word)
{
    test_log   log;
    kin_world *world = quiet_world(&log);
    kin_id     near = add_static(world, kin_box(size(1, 1)), at(2, 0)), far = add_static(world, kin_box(size(1, 1)), at(5, 0));
    kin_id     both[2];
    only_this  wanted;
    kin_filter filter = no_filter();
    kin_hit    hit;
    both[0] = near;
    both[1] = nobody();
    filter.ignored = both;
    filter.ignored_count = 2;
    EXPECT_TRUE(kin_cast_ray(world, at(0, 0), at(9, 0), &filter, &hit) && kin_same(far, hit.id));
    both[1] = far;
    EXPECT_FALSE(kin_cast_ray(world, at(0, 0), at(9, 0), &filter, &hit));
    filter.ignored_count = -1;
    EXPECT_FALSE(kin_cast_ray(world, at(0, 0), at(9, 0), &filter, &hit));
    EXPECT_EQ(1, log.lines);
    filter = no_filter();
    wanted.id = far;
    wanted.part = -2;
    filter.takes = takes_only;
    filter.user = &wanted;
    EXPECT_TRUE(kin_cast_ray(world, at(0, 0), at(9, 0), &filter, &hit) && kin_same(far, hit.id));
    EXPECT_TRUE(fabsf(hit.t - 0.5f) < 1e-6f);
    kin_world_destroy(world);
}

/* ---- drawing by choice ------------------------------------------------------------------------------------------- */

typedef struct strokes { int lines, points; } strokes;

static void count_line(kin_vec from, kin_vec to, uint32_t rgba, void *user)
{
    (void)from; (void)to; (void)rgba;
    ((strokes *)user)->lines++;
}

static void count_point(kin_vec where, uint32_t rgba, void *user)
{
    (void)where; (void)rgba;
    ((strokes *)user)->points++;
}

static strokes drawn(const kin_world *world, uint32_t layers, kin_id only, float smoothness)
{
    strokes          count = { 0, 0 };
    kin_draw         draw;
    kin_draw_options options;
    memset(&options, 0, sizeof options);
    draw.line = count_line;
    draw.point = count_point;
    draw.user = &count;
    options.layers = layers;
    options.only = only;
    options.smoothness = smoothness;
    kin_debug_draw_options(world, &draw, &options);
    return count;
}

UTEST(read, drawing_by_choice)
{
    test_log   log;
    kin_world *world = quiet_world(&log);
    kin_id     floor = add_static(world, kin_box(size(10, 1)), at(0, -0.5f)), ball = add_body(world, kin_ball(0.5f), at(0, 0.502f));
    int        edges = KINEMATIC_DIM == 2 ? 4 : 12;
    run(world, 5);
    EXPECT_EQ(edges, drawn(world, KIN_DRAW_SHAPES, floor, 0).lines);
    EXPECT_EQ(0, drawn(world, KIN_DRAW_SENSORS, floor, 0).lines);
    EXPECT_TRUE(drawn(world, KIN_DRAW_SHAPES, ball, 0.0001f).lines > 2 * drawn(world, KIN_DRAW_SHAPES, ball, 0.01f).lines);
    EXPECT_EQ(1, drawn(world, KIN_DRAW_CONTACTS, nobody(), 0).points);
    EXPECT_EQ(1, drawn(world, KIN_DRAW_GROUND, nobody(), 0).lines);
    EXPECT_EQ(KINEMATIC_DIM == 2 ? 4 : 12, drawn(world, KIN_DRAW_SURROUNDINGS, nobody(), 0).lines);
    EXPECT_TRUE(drawn(world, 0, nobody(), 0).lines > drawn(world, KIN_DRAW_SHAPES, nobody(), 0).lines);
    kin_world_destroy(world);
}
