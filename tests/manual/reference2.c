/* SPDX-License-Identifier: MIT OR Unlicense

   reference2.c: examples of docs/reference.html for functions that neither the manual nor examples/ use.

   tools/pages.py takes what stands between "Example: names" and "End" as the example of those functions; what is around
   it shows that it does what it looks like. */
#define KINEMATIC_IMPLEMENTATION
#include "kinematic.h"
#include "utest.h"

#include <stdio.h>
#include <stdlib.h>

/* A floor whose top is at 0, a hero at 0, a crate at 3, a lift at 8 with its top at 0.25. */
static kin_world *world;
static kin_id     floor_id, hero, crate, lift;

static void control_hero(kin_world *w, kin_id id, float dt, void *user)
{
    kin_vec v = kin_get_velocity(w, id);
    (void)dt, (void)user;
    kin_set_velocity(w, id, kin_v(1, v.y));
}

/* Example: kin_log_fn, kin_alloc_fn, kin_free_fn */
static size_t used;
static char   last_line[200];

static void  note(const char *text, void *user) { snprintf((char *)user, 200, "%s", text); }
static void *take(size_t bytes, void *user) { (void)user, used += bytes; return malloc(bytes); }
static void  give(void *memory, size_t bytes, void *user) { (void)user, used -= bytes; free(memory); }

static kin_world *open_counted_world(void)
{
    return kin_world_create(&(kin_world_desc){
        .gravity = { 0, -30 }, .on_log = note, .allocate = take, .release = give, .user = last_line });
}
/* End */

static void run(int steps)
{
    while (steps-- > 0) kin_world_step(world, 1.0f / 60);
}

static void open_world(void)
{
    world = kin_world_create(&(kin_world_desc){ .gravity = { 0, -30 } });
    floor_id = kin_add_static(world, &(kin_static_desc){ .shape = kin_box(kin_v(80, 1)), .position = { 0, -0.5f } });
    hero = kin_add_body(world, &(kin_body_desc){
        .shape = kin_capsule(1.8f, 0.4f), .position = { 0, 0.91f }, .push = KIN_UNPUSHABLE });
    crate = kin_add_body(world, &(kin_body_desc){ .shape = kin_box(kin_v(1, 1)), .position = { 3, 0.5f } });
    lift = kin_add_mover(world, &(kin_mover_desc){ .shape = kin_box(kin_v(4, 0.5f)), .position = { 8, 0 } });
    run(5);
}

static bool close_to(float a, float b) { return a - b < 0.02f && b - a < 0.02f; }

/* ---- levels ------------------------------------------------------------------------------------------------------ */

UTEST(reference, mesh)
{
    open_world();
    /* Example: kin_add_mesh, kin_mesh_desc */
    const kin_vec hills[] = { { -10, 6 }, { 0, 5 }, { 6, 7 }, { 12, 5 } };
    const int     lines[] = { 0, 1,  1, 2,  2, 3 };              // pairs of points; in 3D triples
    kin_id ground = kin_add_mesh(world, &(kin_mesh_desc){
        .points = hills, .point_count = 4, .indices = lines, .index_count = 6 });
    /* End */
    kin_set_position(world, crate, kin_v(-5, 7));
    run(60);
    ASSERT_TRUE(kin_same(kin_get_ground(world, crate).id, ground));
    kin_world_destroy(world);
}

UTEST(reference, hull)
{
    open_world();
    /* Example: kin_hull, KIN_MAX_POINTS */
    const kin_vec ramp[] = { { -2, 0 }, { 2, 0 }, { 2, 1 } };
    kin_id slope = kin_add_static(world, &(kin_static_desc){
        .shape = kin_hull(ramp, 3, 0), .position = { 14, 0 } });  // 0: sharp corners
    /* End */
    kin_set_position(world, hero, kin_v(14, 3));
    run(60);
    ASSERT_TRUE(kin_same(kin_get_ground(world, hero).id, slope));
    kin_world_destroy(world);
}

/* ---- asking about things ----------------------------------------------------------------------------------------- */

UTEST(reference, alive)
{
    open_world();
    /* Example: kin_alive */
    kin_id target = crate;                                       // what a foe hunts
    kin_remove(world, crate);
    if (!kin_alive(world, target)) target = hero;                // it has gone: hunt somebody else
    /* End */
    ASSERT_TRUE(kin_same(target, hero));
    kin_world_destroy(world);
}

UTEST(reference, forms)
{
    float drawn = 0;
    open_world();
    /* Example: kin_get_form, kin_get_shape, kin_form, kin_get_bounds, kin_kind */
    for (kin_id id = kin_next(world, KIN_NOTHING, (kin_id){ 0 }); id.slot; id = kin_next(world, KIN_NOTHING, id)) {
        kin_shape shape;
        kin_vec   low, high;
        if (kin_get_form(world, id) != KIN_FORM_SHAPE || !kin_get_shape(world, id, &shape)) continue;
        kin_get_bounds(world, id, &low, &high);                  // draw only what the camera sees
        if (high.x > -20 && low.x < 20) drawn += (float)shape.count;
    }
    /* End */
    ASSERT_TRUE(close_to(drawn, 4 + 2 + 4 + 4));
    kin_world_destroy(world);
}

UTEST(reference, motion)
{
    open_world();
    kin_set_velocity(world, lift, kin_v(2, 0));
    kin_set_position(world, hero, kin_v(8, 1.16f));
    run(10);
    /* Example: kin_get_motion */
    kin_vec own = kin_get_velocity(world, hero);                 // 0: it stands on the lift
    kin_vec real = kin_get_motion(world, hero);                  // the lift's 2: for trails, sounds, cameras
    /* End */
    ASSERT_TRUE(close_to(own.x, 0) && close_to(real.x, 2));
    /* Example: kin_get_leftover, kin_set_leftover */
    kin_set_velocity(world, hero, kin_v(0, 12));                 // jumps off the lift
    kin_world_step(world, 1.0f / 60);
    kin_vec kept = kin_get_leftover(world, hero);                // the lift's velocity, until it lands
    kin_set_leftover(world, hero, kin_v(0, kept.y));             // ... but not sideways in this game
    /* End */
    ASSERT_TRUE(close_to(kept.x, 2) && close_to(kin_get_leftover(world, hero).x, 0));
    kin_world_destroy(world);
}

UTEST(reference, spin)
{
    open_world();
    kin_id wheel = kin_add_mover(world, &(kin_mover_desc){
        .shape = kin_ball(2), .position = { -20, 5 }, .spin = 0.5f });
    /* Example: kin_get_spin, kin_set_spin, kin_spin */
    kin_spin spin = kin_get_spin(world, wheel);
    kin_set_spin(world, wheel, spin < 2 ? spin + 0.1f : 2);      // speeds up to 2 radians per second
    /* End */
    ASSERT_TRUE(close_to(kin_get_spin(world, wheel), 0.6f));
    kin_world_destroy(world);
}

UTEST(reference, riders)
{
    int paid = 0;
    open_world();
    kin_set_position(world, hero, kin_v(8, 1.16f));
    run(5);
    /* Example: kin_get_riders */
    kin_id riders[8];
    int    count = kin_get_riders(world, lift, riders, 8);       // how many there are; may be more than 8
    for (int i = 0; i < count && i < 8; i++)
        if (kin_same(riders[i], hero)) paid++;
    /* End */
    ASSERT_TRUE(count == 1 && paid == 1);
    kin_world_destroy(world);
}

UTEST(reference, walls)
{
    open_world();
    kin_add_static(world, &(kin_static_desc){ .shape = kin_box(kin_v(1, 8)), .position = { -2, 4 } });
    kin_set_velocity(world, hero, kin_v(-6, 0));
    run(30);
    bool jump = true;
    /* Example: kin_get_wall, kin_contact */
    kin_contact wall;
    if (jump && kin_get_wall(world, hero, &wall))                // a wall jump: up, and away from the wall
        kin_set_velocity(world, hero, kin_v(8 * wall.normal.x, 12));
    /* End */
    ASSERT_TRUE(close_to(kin_get_velocity(world, hero).x, 8));
    kin_world_destroy(world);
}

UTEST(reference, ceilings)
{
    kin_id block;
    bool   broken = false;
    open_world();
    block = kin_add_static(world, &(kin_static_desc){ .shape = kin_box(kin_v(1, 1)), .position = { 0, 3 } });
    kin_set_velocity(world, hero, kin_v(0, 12));
    while (!kin_on_ceiling(world, hero)) run(1);
    /* Example: kin_on_ceiling, kin_get_ceiling */
    kin_contact above;
    if (kin_on_ceiling(world, hero) && kin_get_ceiling(world, hero, &above))
        broken = kin_remove(world, above.other);                 // the head breaks the block
    /* End */
    ASSERT_TRUE(broken && !kin_alive(world, block));
    kin_world_destroy(world);
}

UTEST(reference, embedded)
{
    open_world();
    kin_add_static(world, &(kin_static_desc){ .shape = kin_box(kin_v(10, 10)), .position = { 30, 5 } });
    kin_set_position(world, hero, kin_v(30, 5));
    run(1);
    /* Example: kin_is_embedded */
    if (kin_is_embedded(world, hero) || kin_is_crushed(world, hero))
        kin_set_position(world, hero, kin_v(0, 2));              // back to the last safe place
    /* End */
    run(5);
    ASSERT_FALSE(kin_is_embedded(world, hero));
    kin_world_destroy(world);
}

/* ---- changing things --------------------------------------------------------------------------------------------- */

UTEST(reference, filters)
{
    enum { FOE = 2, SECRET = 4 };
    open_world();
    kin_set_filter(world, crate, SECRET, 1);
    /* Example: kin_get_filter, kin_set_filter */
    uint32_t layer, mask;
    kin_get_filter(world, hero, &layer, &mask);
    kin_set_filter(world, hero, layer, mask & ~(uint32_t)FOE);   // foes do not hurt for a while
    /* End */
    kin_get_filter(world, hero, &layer, &mask);
    ASSERT_TRUE(layer == 1 && !(mask & FOE));
    /* Example: kin_ignore */
    kin_ignore(world, hero, crate, true);                        // the crate in his hands is not in his way
    /* End */
    kin_set_position(world, crate, kin_v(0, 0.5f));
    run(5);
    ASSERT_FALSE(kin_is_embedded(world, hero));
    kin_world_destroy(world);
}

UTEST(reference, enabled)
{
    open_world();
    kin_id gate = kin_add_static(world, &(kin_static_desc){ .shape = kin_box(kin_v(1, 8)), .position = { -9, 4 } });
    bool   key = true;
    /* Example: kin_set_enabled, kin_is_enabled */
    if (key && kin_is_enabled(world, gate)) kin_set_enabled(world, gate, false);   // the gate is open
    /* End */
    ASSERT_FALSE(kin_is_enabled(world, gate));
    kin_world_destroy(world);
}

UTEST(reference, options)
{
    open_world();
    /* Example: kin_get_body_options, kin_set_body_options */
    kin_body_desc options;
    kin_get_body_options(world, hero, &options);
    options.step_height = 0.5f;                                  // found the boots
    options.max_slope = 1;
    kin_set_body_options(world, hero, &options);                 // everything else as it was
    /* End */
    kin_get_body_options(world, hero, &options);
    ASSERT_TRUE(close_to(options.step_height, 0.5f) && options.push == KIN_UNPUSHABLE);
    /* Example: kin_get_mover_options, kin_set_mover_options */
    kin_mover_desc gentle;
    kin_get_mover_options(world, lift, &gentle);
    gentle.on_blocked = KIN_BLOCKED_STOP;                        // from now on it waits for what is in its way
    kin_set_mover_options(world, lift, &gentle);
    /* End */
    kin_get_mover_options(world, lift, &gentle);
    ASSERT_TRUE(gentle.on_blocked == KIN_BLOCKED_STOP);
    /* Example: kin_get_static_options, kin_set_static_options */
    kin_static_desc belt;
    kin_get_static_options(world, floor_id, &belt);
    belt.surface_velocity = kin_v(2, 0);                         // somebody has switched the belt on
    kin_set_static_options(world, floor_id, &belt);
    /* End */
    run(60);
    ASSERT_TRUE(kin_get_position(world, hero).x > 1);
    kin_world_destroy(world);
}

UTEST(reference, choices)
{
    open_world();
    /* Example: kin_ride, kin_leave, kin_crush, kin_slope, kin_body_desc */
    kin_id skater = kin_add_body(world, &(kin_body_desc){
        .shape = kin_box(kin_v(0.8f, 1.6f)), .position = { -4, 0.81f }, .push = KIN_UNPUSHABLE,
        .ride = KIN_RIDE_PHYSICAL,                               // a lift that falls faster leaves it behind
        .leave = KIN_LEAVE_UP_ONLY,                              // a sinking lift does not spoil its jump
        .slope = KIN_SLOPE_HORIZONTAL_SPEED,                     // as fast uphill as on the flat
        .on_crush = KIN_CRUSH_DISABLE });                        // switched off when it is crushed
    /* End */
    /* Example: kin_carry, kin_blocked, kin_mover_desc */
    kin_id press = kin_add_mover(world, &(kin_mover_desc){
        .shape = kin_box(kin_v(4, 1)), .position = { -30, 4 }, .velocity = { 0, -2 },
        .carry = KIN_CARRY_NONE,                                 // nobody rides on it
        .on_blocked = KIN_BLOCKED_STOP });                       // and it hurts nobody
    /* End */
    ASSERT_TRUE(kin_alive(world, skater) && kin_alive(world, press));
    kin_world_destroy(world);
}

UTEST(reference, ground)
{
    kin_vec dust = { 0, 0 };
    open_world();
    /* Example: kin_get_ground, kin_ground, kin_footing */
    kin_ground ground = kin_get_ground(world, hero);
    if (ground.footing == KIN_STEEP) kin_set_velocity(world, hero, kin_v(0, 0));   // grabs hold of a steep slope
    if (ground.footing == KIN_STABLE) dust = ground.point;                         // where footsteps are drawn
    /* End */
    ASSERT_TRUE(close_to(dust.y, 0) && kin_same(ground.id, floor_id));
    kin_world_destroy(world);
}

UTEST(reference, single_options)
{
    bool ladder = true;
    open_world();
    /* Example: kin_set_gravity_scale */
    kin_set_gravity_scale(world, hero, ladder ? 0 : 1);          // does not fall while it climbs
    /* End */
    kin_set_position(world, hero, kin_v(0, 5));
    run(30);
    ASSERT_TRUE(close_to(kin_get_position(world, hero).y, 5));
    /* Example: kin_set_push */
    kin_set_push(world, crate, KIN_UNPUSHABLE);                  // the crate has found its place
    /* End */
    /* Example: kin_set_control */
    kin_set_control(world, hero, control_hero);                  // from now on the player, or NULL: nobody
    /* End */
    kin_set_gravity_scale(world, hero, 1);
    run(240);
    ASSERT_TRUE(close_to(kin_get_position(world, crate).x, 3));
    ASSERT_TRUE(close_to(kin_get_position(world, hero).x, 2.1f));
    kin_world_destroy(world);
}

UTEST(reference, teleport)
{
    open_world();
    kin_pose spawn = { .p = { -5, 2 } };
    /* Example: kin_set_pose, kin_set_rotation */
    kin_set_pose(world, hero, spawn);                            // respawn: nothing is swept, leftover is dropped
    kin_set_velocity(world, hero, kin_v(0, 0));
    kin_set_rotation(world, crate, kin_turn(0.5f));              // bodies turn only when you say so
    /* End */
    ASSERT_TRUE(close_to(kin_get_position(world, hero).x, -5));
    kin_world_destroy(world);
}

/* ---- questions --------------------------------------------------------------------------------------------------- */

UTEST(reference, questions)
{
    open_world();
    /* Example: kin_overlap */
    kin_shape  blast = kin_ball(4);
    kin_id     near[16];
    kin_filter others = { .ignore = hero };
    int        count = kin_overlap(world, &blast, (kin_pose){ .p = { 0, 1 } }, &others, near, 16);
    for (int i = 0; i < count && i < 16; i++)
        if (kin_get_kind(world, near[i]) == KIN_BODY) kin_set_velocity(world, near[i], kin_v(3, 9));
    /* End */
    ASSERT_TRUE(close_to(kin_get_velocity(world, crate).y, 9));
    /* Example: kin_test_move, kin_move */
    kin_hit hit;
    if (!kin_test_move(world, hero, kin_v(-1, 0), &hit))         // is there room for a dash?
        kin_move(world, hero, kin_v(-1, 0));                     // then dash now, between two steps
    /* End */
    ASSERT_TRUE(close_to(kin_get_position(world, hero).x, -1));
    /* Example: kin_move_hits */
    kin_hit met[4];
    int     walls = kin_move_hits(world, hero, kin_v(5, 0), NULL, met, 4);   // a dash that tells what it ran into
    bool    hurt = walls > 0 && kin_get_kind(world, met[0].id) == KIN_BODY;
    /* End */
    ASSERT_TRUE(hurt && kin_same(met[0].id, crate) && kin_on_wall(world, hero));
    kin_world_destroy(world);
}

UTEST(reference, sensors)
{
    int shown = 0;
    open_world();
    kin_add_static(world, &(kin_static_desc){ .shape = kin_ball(1), .position = { 0, 9 }, .sensor = true });
    /* Example: kin_is_sensor */
    for (kin_id id = kin_next(world, KIN_STATIC, (kin_id){ 0 }); id.slot; id = kin_next(world, KIN_STATIC, id))
        if (kin_is_sensor(world, id)) shown++;                   // an editor shows them, the game does not
    /* End */
    ASSERT_EQ(shown, 1);
    kin_world_destroy(world);
}

UTEST(reference, ray)
{
    open_world();
    /* Example: kin_cast_ray, kin_hit */
    kin_filter others = { .ignore = hero };
    kin_vec    from = kin_get_position(world, hero), travel = { 50, -1 };
    kin_hit    hit;
    float      length = 1;
    if (kin_cast_ray(world, from, travel, &others, &hit)) length = hit.t;   // the beam ends at hit.point
    /* End */
    ASSERT_TRUE(kin_same(hit.id, crate) && close_to(hit.point.x, 2.5f) && length < 0.1f);
    kin_world_destroy(world);
}

/* ---- the world --------------------------------------------------------------------------------------------------- */

UTEST(reference, version)
{
    /* Example: kin_version, KIN_VERSION */
    bool same = kin_version() == KIN_VERSION;                    // header and linked implementation fit together
    /* End */
    ASSERT_TRUE(same);
}

UTEST(reference, callbacks)
{
    kin_world *counted = open_counted_world();
    ASSERT_TRUE(counted && used > 0);
    ASSERT_FALSE(kin_world_step(counted, -1));
    ASSERT_TRUE(last_line[0] != 0);
    kin_world_destroy(counted);
    ASSERT_TRUE(used == 0);
}

UTEST(reference, time)
{
    double lost = 0;
    open_world();
    /* Example: kin_world_dropped, kin_world_alpha */
    kin_world_advance(world, 0.5);
    lost += kin_world_dropped(world);                            // after a hitch: time that was not simulated
    float part = kin_world_alpha(world);                         // 0..1: how far drawing is into the next step
    /* End */
    ASSERT_TRUE(close_to((float)lost, 0) && part >= 0 && part < 1);
    kin_world_destroy(world);
}

UTEST(reference, gravity)
{
    open_world();
    /* Example: kin_world_get_gravity, kin_world_set_gravity, kin_world_get_up */
    kin_vec g = kin_world_get_gravity(world);
    kin_world_set_gravity(world, kin_v(-g.x, -g.y));             // upside down: ceilings are ground now
    kin_vec up = kin_world_get_up(world);                        // (0, -1)
    /* End */
    ASSERT_TRUE(close_to(up.y, -1));
    kin_world_destroy(world);
    /* Example: kin_world_set_up */
    world = kin_world_create(NULL);                              // top-down: no gravity, no ground
    kin_world_set_up(world, kin_v(0, 1));                        // now surfaces that face up can be stood on
    /* End */
    ASSERT_TRUE(close_to(kin_world_get_up(world).y, 1));
    kin_world_destroy(world);
}

UTEST(reference, statistics)
{
    open_world();
    /* Example: kin_world_get_stats, kin_stats, kin_world_overflowed */
    kin_stats stats = kin_world_get_stats(world);
    int       busy = stats.bodies - stats.idle;                  // those at rest cost next to nothing
    if (kin_world_overflowed(world)) busy = -1;                  // raise max_contacts or max_events
    /* End */
    ASSERT_TRUE(busy >= 0 && busy <= 2);
    kin_world_destroy(world);
}

UTEST(reference, settings)
{
    open_world();
    /* Example: kin_world_get_desc */
    kin_world_desc desc;
    kin_world_get_desc(world, &desc);                            // as it is now, defaults filled in
    kin_world *twin = kin_world_create(&desc);
    /* End */
    ASSERT_TRUE(desc.rate > 127 && twin);
    kin_world_destroy(twin);
    kin_world_destroy(world);
}

UTEST(reference, levels_are_read_back)
{
    const uint8_t cells[] = { 1, 1, 1, 1 };
    kin_vec       ends[] = { { 0, 5 }, { 4, 5 }, { 8, 6 } };
    int           pairs[] = { 0, 1, 1, 2 };
    open_world();
    kin_id grid = kin_add_tiles(world, &(kin_tiles_desc){ .size = { 4, 1 }, .cells = cells, .origin = { 20, 0 } });
    kin_id mesh = kin_add_mesh(world, &(kin_mesh_desc){
        .points = ends, .point_count = 3, .indices = pairs, .index_count = 4 });
    /* Example: kin_get_tiles, kin_get_tile_definition, kin_set_tiles_region */
    kin_tiles_desc level;
    kin_tile       solid;
    kin_get_tiles(world, grid, &level);                          // size, cell, origin: enough to draw it
    kin_get_tile_definition(world, grid, KIN_TILE_SOLID, &solid);
    const uint8_t hole[] = { 0, 0 };
    kin_set_tiles_region(world, grid, kin_c(1, 0), kin_c(2, 1), hole);
    /* End */
    ASSERT_TRUE(level.size.x == 4 && solid.count == 0 && kin_get_tile(world, grid, kin_c(2, 0)) == 0);
    /* Example: kin_get_mesh, kin_is_one_sided */
    kin_vec points[16];
    int     indices[32], count;
    int     faces = kin_get_mesh(world, mesh, points, 16, &count, indices, 32);
    bool    one_sided = kin_is_one_sided(world, mesh);
    /* End */
    ASSERT_TRUE(!one_sided && faces == 2 && count == 3 && indices[3] == 2);
    kin_world_destroy(world);
}

static bool is_crate(kin_id id, int part, void *user)
{
    (void)part;
    return kin_same(id, *(kin_id *)user);
}

UTEST(reference, many_answers)
{
    open_world();
    /* Example: kin_cast_ray_all */
    kin_hit hits[8];
    int     found = kin_cast_ray_all(world, kin_v(-5, 0.5f), kin_v(9, 0), NULL, hits, 8);   // a laser, nearest first
    /* End */
    ASSERT_TRUE(found == 2 && kin_same(hits[0].id, hero) && kin_same(hits[1].id, crate));
    /* Example: kin_cast_shape_all */
    kin_shape  ball = kin_ball(0.2f);
    kin_filter crates = { .takes = is_crate, .user = &crate };   // takes is asked about each part
    int        met = kin_cast_shape_all(world, &ball, (kin_pose){ .p = { -5, 0.5f } }, kin_v(9, 0), &crates, hits, 8);
    /* End */
    ASSERT_TRUE(met == 1);
    /* Example: kin_overlap_contacts, kin_closest */
    kin_shape   blast = kin_ball(3);
    kin_contact near[8], nearest;
    int         hurt = kin_overlap_contacts(world, &blast, (kin_pose){ .p = { 2, 1 } }, NULL, near, 8);   // deepest first
    bool        any = kin_closest(world, &ball, (kin_pose){ .p = { 0, 5 } }, 10, NULL, &nearest);
    /* End */
    ASSERT_TRUE(hurt == 3 && near[0].gap < near[1].gap && any && kin_same(nearest.other, hero));
    /* Example: kin_find_room */
    kin_shape box = kin_box(kin_v(1, 1));
    kin_vec   place;
    if (kin_find_room(world, &box, (kin_pose){ .p = { 3, 0.4f } }, 2, NULL, &place))   // the crate is there, and the floor
        crate = kin_add_body(world, &(kin_body_desc){ .shape = box, .position = place });
    /* End */
    ASSERT_TRUE(kin_alive(world, crate) && kin_overlap(world, &box, (kin_pose){ .p = place }, NULL, NULL, 0) == 1);
    kin_world_destroy(world);
}

static int strokes;
static void count_line(kin_vec from, kin_vec to, uint32_t rgba, void *user)
{
    (void)from, (void)to, (void)rgba, (void)user, strokes++;
}

UTEST(reference, drawing_by_choice)
{
    open_world();
    /* Example: kin_debug_draw_options, kin_draw_options, KIN_DRAW_SHAPES */
    kin_draw         view = { .line = count_line };
    kin_draw_options only = { .layers = KIN_DRAW_SHAPES | KIN_DRAW_GROUND, .only = hero, .interpolated = true };
    kin_debug_draw_options(world, &view, &only);
    /* End */
    ASSERT_TRUE(strokes > 5);
    kin_world_destroy(world);
}

UTEST_MAIN();
