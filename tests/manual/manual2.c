/* SPDX-License-Identifier: MIT OR Unlicense

   manual2.c: every snippet of the manual that is for 2D, as it is printed, and what it says happens. tests/pages.py
   cuts the snippets out of src/manual.txt into files named by their heading. */
#include "use_1.inc"
#include "utest.h"

#include <math.h>
#include <stdlib.h>

#include "jump_1.inc"
#include "lift_1.inc"
#include "crusher_1.inc"
#include "bounce_1.inc"
#include "path_1.inc"
enum { WALLS = 1, FOES = 2, SHOTS = 4 };
#include "bullets_2.inc"
#include "tiles_2.inc"
#define run run_tasks
#define desc threaded
#include "steps_on_two_threads_1.inc"
#undef run
#undef desc

/* A world with a floor whose top is at 0, as most recipes assume. */
static kin_world *open_world(kin_event_fn *told)
{
    kin_world *world = kin_world_create(&(kin_world_desc){ .gravity = { 0, -30 }, .on_event = told });
    kin_add_static(world, &(kin_static_desc){ .shape = kin_box(kin_v(80, 1)), .position = { 0, -0.5f } });
    return world;
}

static kin_id add_hero(kin_world *world, float x, float y)
{
    return kin_add_body(world, &(kin_body_desc){
        .shape = kin_capsule(1.8f, 0.4f), .position = { x, y }, .push = KIN_UNPUSHABLE });
}

static void run(kin_world *world, int steps)
{
    while (steps-- > 0) kin_world_step(world, 1.0f / 60);
}

static bool close_to(float a, float b) { return a - b < 0.02f && b - a < 0.02f; }

/* ---- use --------------------------------------------------------------------------------------------------------- */

static int     frames_left;
static kin_vec drawn;
static bool game_runs(void) { return frames_left-- > 0; }
static void draw(kin_pose pose) { drawn = pose.p; }

UTEST(manual, use)
{
    float  stick = 1;
    bool   jump = false;
    double frame_seconds = 1.0 / 60;
    frames_left = 120;
    {
#include "use_2.inc"
        ASSERT_TRUE(kin_on_ground(world, hero));
        kin_world_destroy(world);
    }
    ASSERT_TRUE(drawn.x > 11.9f && drawn.x < 12);   /* one step behind, as all that is drawn between two steps */
    ASSERT_TRUE(close_to(drawn.y, 1.4f));
}

/* ---- recipes ----------------------------------------------------------------------------------------------------- */

static kin_id add_player(kin_world *world, player *p, float x, float y)
{
    return kin_add_body(world, &(kin_body_desc){
        .shape = kin_capsule(1.8f, 0.4f), .position = { x, y }, .push = KIN_UNPUSHABLE, .control = control_player,
        .user = p });
}

UTEST(manual, jump_within_coyote_time_and_not_later)
{
    for (int late = 0; late < 12; late++) {
        player     p = { .stick = 1, .since_press = 1, .held = true };
        kin_world *world = kin_world_create(&(kin_world_desc){ .gravity = { 0, -30 } });
        kin_add_static(world, &(kin_static_desc){ .shape = kin_box(kin_v(2, 1)), .position = { 0, -0.5f } });
        kin_id hero = add_player(world, &p, 0, 0.91f);
        run(world, 5);
        while (kin_on_ground(world, hero)) run(world, 1);
        run(world, late);
        p.pressed = true;
        run(world, 1);
        ASSERT_EQ(kin_get_velocity(world, hero).y > 0, late <= 4);   /* since_ground is then (late + 1) / 60 */
        kin_world_destroy(world);
    }
}

UTEST(manual, jump_is_buffered)
{
    for (int early = 1; early < 12; early++) {
        player     p = { .since_press = 1, .held = true };
        kin_world *world = open_world(NULL);
        kin_id     hero = add_player(world, &p, 0, 3);
        int        landing = 0, jumps = 0;
        while (!kin_on_ground(world, hero)) run(world, 1), landing++;
        kin_world_destroy(world);
        world = open_world(NULL);
        p = (player){ .since_press = 1, .held = true };
        hero = add_player(world, &p, 0, 3);
        run(world, landing - early);
        p.pressed = true;
        for (int i = 0; i < early + 3; i++) {
            run(world, 1);
            jumps += kin_get_velocity(world, hero).y > 0;
        }
        ASSERT_EQ(jumps > 0, early <= 5);   /* the press is then early / 60 seconds old */
        kin_world_destroy(world);
    }
}

UTEST(manual, jump_is_lower_when_let_go)
{
    float heights[2];
    for (int held = 0; held < 2; held++) {
        player     p = { .since_press = 1, .held = true };
        kin_world *world = open_world(NULL);
        kin_id     hero = add_player(world, &p, 0, 0.91f);
        float      highest = 0;
        run(world, 5);
        p.pressed = true;
        for (int i = 0; i < 60; i++) {
            if (i == 3) p.held = held != 0;
            run(world, 1);
            if (kin_get_position(world, hero).y > highest) highest = kin_get_position(world, hero).y;
        }
        heights[held] = highest - 0.9f;
        kin_world_destroy(world);
    }
    ASSERT_TRUE(close_to(heights[1], 2.5f));     /* 12 + 11.5 + 11 + ... per 60 */
    ASSERT_TRUE(close_to(heights[0], 1.033f));   /* 12 + 11.5 + 11 + 5 + 4.5 + ... per 60 */
}

UTEST(manual, wall_jump)
{
    kin_world *world = open_world(NULL);
    kin_id     hero = add_hero(world, 0, 4);
    bool       jump = true;
    kin_add_static(world, &(kin_static_desc){ .shape = kin_box(kin_v(1, 20)), .position = { 0.91f, 5 } });
    kin_set_velocity(world, hero, kin_v(2, 0));
    run(world, 3);
    {
#include "wall_jump_1.inc"
        ASSERT_TRUE(wall.normal.x < -0.99f);
    }
    run(world, 10);
    ASSERT_TRUE(kin_get_position(world, hero).x < -1 && kin_get_velocity(world, hero).y > 0);
    kin_world_destroy(world);
}

UTEST(manual, dash)
{
    kin_world *world = open_world(NULL);
    kin_id     hero = add_hero(world, 0, 4);
    float      dash_left = 0.15f, facing = 1;
    for (int i = 0; i < 9; i++, dash_left -= 1.0f / 60) {
#include "dash_1.inc"
        run(world, 1);
    }
    ASSERT_TRUE(close_to(kin_get_position(world, hero).x, 3) && close_to(kin_get_position(world, hero).y, 4));
    dash_left = 0;
#include "dash_1.inc"
    run(world, 10);
    ASSERT_TRUE(kin_get_position(world, hero).y < 3.8f);
    kin_world_destroy(world);
}

UTEST(manual, ladder_and_water)
{
    enum { LADDERS = 4 };
    kin_world *world = open_world(NULL);
    kin_id     hero = add_hero(world, 0, 0.91f);
    float      climb = 1;
    kin_add_static(world, &(kin_static_desc){
        .shape = kin_box(kin_v(1, 6)), .position = { 0, 3 }, .sensor = true, .layer = LADDERS });
    for (int i = 0; i < 60; i++) {
#include "ladder_and_water_1.inc"
        ASSERT_TRUE(climbs);
        run(world, 1);
    }
    ASSERT_TRUE(close_to(kin_get_position(world, hero).y, 3.9f));
    kin_world_destroy(world);
}

UTEST(manual, hit_box)
{
    kin_world *world = open_world(NULL);
    kin_id     hero = add_hero(world, 0, 0.91f);
    kin_id     foe = kin_add_body(world, &(kin_body_desc){
        .shape = kin_ball(0.5f), .position = { 1.5f, 0.6f }, .layer = FOES });
#include "hit_box_1.inc"
    ASSERT_TRUE(hits == 1 && kin_same(hurt[0], foe));
#include "hit_box_2.inc"
    run(world, 2);
    kin_contact seen;
    ASSERT_TRUE(kin_get_contacts(world, sight, &seen, 1) == 1 && kin_same(seen.other, foe));
    kin_world_destroy(world);
}

UTEST(manual, bullets)
{
    kin_world *world = open_world(take_shot);
    kin_vec    muzzle = { 0, 1 };
    float      facing = 1;
    kin_id     far, foe = kin_add_body(world, &(kin_body_desc){
        .shape = kin_ball(0.5f), .position = { 5, 1 }, .layer = FOES, .weightless = true });
    kin_add_static(world, &(kin_static_desc){ .shape = kin_box(kin_v(0.1f, 4)), .position = { 9, 2 } });
    far = kin_add_body(world, &(kin_body_desc){
        .shape = kin_ball(0.5f), .position = { 11, 1 }, .layer = FOES, .weightless = true });
    {
#include "bullets_1.inc"
        run(world, 30);
        ASSERT_TRUE(!kin_alive(world, shot) && !kin_alive(world, foe));
    }
    {
#include "bullets_1.inc"
        run(world, 30);
        ASSERT_TRUE(!kin_alive(world, shot) && kin_alive(world, far));
    }
    kin_world_destroy(world);
}

UTEST(manual, ledge_stop)
{
    kin_world *world = kin_world_create(&(kin_world_desc){ .gravity = { 0, -30 } });
    kin_id     foe;
    float      way = 1, least = 0, most = 0;
    kin_add_static(world, &(kin_static_desc){ .shape = kin_box(kin_v(6, 1)), .position = { 0, -0.5f } });
    kin_add_static(world, &(kin_static_desc){ .shape = kin_box(kin_v(1, 3)), .position = { -3, 1 } });
    foe = kin_add_body(world, &(kin_body_desc){ .shape = kin_ball(0.4f), .position = { 0, 0.41f } });
    for (int i = 0; i < 400; i++) {
#include "ledge_stop_1.inc"
        run(world, 1);
        p = kin_get_position(world, foe);
        least = p.x < least ? p.x : least;
        most = p.x > most ? p.x : most;
        ASSERT_TRUE(p.y > 0.39f);
    }
    ASSERT_TRUE(least < -2 && most > 2.2f && most < 3);
    kin_world_destroy(world);
}

UTEST(manual, bounce)
{
    kin_world *world = open_world(bounce);
    kin_id     ball = kin_add_body(world, &(kin_body_desc){ .shape = kin_ball(0.5f), .position = { 0, 5.5f } });
    float      highest = 0;
    while (!kin_on_ground(world, ball)) run(world, 1);
    for (int i = 0; i < 60; i++) {
        run(world, 1);
        if (kin_get_position(world, ball).y > highest) highest = kin_get_position(world, ball).y;
    }
    ASSERT_TRUE(highest - 0.5f > 1.4f && highest - 0.5f < 2.1f);   /* 0.36 of the height */
    kin_world_destroy(world);
}

UTEST(manual, path)
{
    kin_world *world = kin_world_create(NULL);
    path       way = { .points = { { 4, 0 }, { 4, 3 }, { 0, 0 } }, .count = 3, .speed = 2 };
    kin_id     mover = kin_add_mover(world, &(kin_mover_desc){
        .shape = kin_ball(0.5f), .control = follow_path, .user = &way });
    run(world, 120);
    ASSERT_TRUE(close_to(kin_get_position(world, mover).x, 4));
    run(world, 92);   /* rounding may cost a step at each point */
    ASSERT_TRUE(kin_get_position(world, mover).y > 2.9f && way.next == 2);
    run(world, 152);
    ASSERT_TRUE(kin_get_position(world, mover).x < 0.1f && kin_get_position(world, mover).y < 0.1f);
    kin_world_destroy(world);
}

UTEST(manual, y_down)
{
#include "y_down_1.inc"
    kin_id hero = kin_add_body(room, &(kin_body_desc){ .shape = kin_box(kin_v(12, 14)), .position = { 32, 8 } });
    run(room, 60);
    ASSERT_TRUE(kin_on_ground(room, hero) && kin_get_position(room, hero).y > 24.9f && kin_get_position(room, hero).y <= 25);
    kin_world_destroy(room);
}

UTEST(manual, split_screen)
{
    double frame_seconds = 1.0 / 60;
#include "split_screen_1.inc"
    ASSERT_TRUE(kin_world_steps(games[0]) == 2 && kin_world_steps(games[1]) == 2);
    kin_world_destroy(games[0]);
    kin_world_destroy(games[1]);
}

UTEST(manual, one_way_ledge)
{
    kin_world *world = open_world(NULL);
    kin_id     hero = add_hero(world, 0, 0.91f);
    bool       down = false;
#include "one_way_ledge_1.inc"
    run(world, 5);
    ASSERT_FALSE(kin_drop_through(world, hero));   /* the floor */
    kin_set_velocity(world, hero, kin_v(0, 13));
    run(world, 90);
    ASSERT_TRUE(close_to(kin_get_position(world, hero).y, 3.0f));
    ASSERT_TRUE(kin_drop_through(world, hero));
    run(world, 60);
    ASSERT_TRUE(close_to(kin_get_position(world, hero).y, 0.9f));
    kin_world_destroy(world);
}

UTEST(manual, lift)
{
    kin_world *world = open_world(NULL);
    int        ticks = 0;
    kin_id     lift = kin_add_mover(world, &(kin_mover_desc){
        .shape = kin_box(kin_v(4, 0.5f)), .position = { 6, 0 }, .control = control_lift, .user = &ticks,
        .on_blocked = KIN_BLOCKED_STOP }), beam;
    kin_id hero = add_hero(world, 6.5f, 1.16f);
    for (int i = 0; i < 1024; i++) {
        run(world, 1);
        ASSERT_TRUE(kin_on_ground(world, hero));
        ASSERT_TRUE(close_to(kin_get_position(world, hero).y - kin_get_position(world, lift).y, 1.15f));
        ASSERT_TRUE(close_to(kin_get_position(world, hero).x, 6.5f));
        if (i == 256) ASSERT_TRUE(close_to(kin_get_position(world, lift).y, 4));
    }
    beam = kin_add_static(world, &(kin_static_desc){ .shape = kin_box(kin_v(4, 1)), .position = { 6, 4.5f } });
    for (int i = 0; i < 600; i++) {   /* held up by the beam, then let go: it does not make up for the wait */
        if (i == 300) { ASSERT_TRUE(kin_is_blocked(world, lift)); kin_remove(world, beam); }
        run(world, 1);
        ASSERT_TRUE(kin_get_motion(world, lift).y < 1.5f);
    }
    kin_world_destroy(world);
}

UTEST(manual, turntable)
{
    kin_world *world = kin_world_create(&(kin_world_desc){ .gravity = { 0, -30 } });
#include "turntable_1.inc"
    kin_id hero = add_hero(world, 1, 1.0f);
    float  x;
    run(world, 20);
    ASSERT_TRUE(kin_same(kin_get_ground(world, hero).id, wheel));
    x = kin_get_position(world, hero).x;
    run(world, 12);
    ASSERT_TRUE(kin_get_position(world, hero).x < x - 0.2f);   /* carried along, over the top */
    ASSERT_TRUE(kin_cast_ray(world, kin_v(0, 5), kin_v(0, -10), &(kin_filter){ .ignore = hero }, NULL));
    kin_world_destroy(world);
}

UTEST(manual, conveyor)
{
    kin_world *world = kin_world_create(&(kin_world_desc){ .gravity = { 0, -30 } });
#include "conveyor_1.inc"
    kin_id hero = add_hero(world, -4, 0.91f);
    run(world, 63);
    ASSERT_TRUE(kin_get_position(world, hero).x > -2.2f && kin_get_position(world, hero).x < -1.8f);
    kin_world_destroy(world);
}

UTEST(manual, crates)
{
    kin_world *world = open_world(NULL);
    kin_id     hero = add_hero(world, 0, 0.91f);
#include "crates_1.inc"
    for (int i = 0; i < 60; i++) {
        kin_vec v = kin_get_velocity(world, hero);
        kin_set_velocity(world, hero, kin_v(6, v.y));
        run(world, 1);
    }
    ASSERT_TRUE(close_to(kin_get_position(world, crate).x - kin_get_position(world, hero).x, 0.9f));
    kin_set_velocity(world, hero, kin_v(0, 0));
    run(world, 5);
    ASSERT_TRUE(kin_get_motion(world, crate).x < 0.001f);
    kin_world_destroy(world);
}

/* A hero from above, two crates, a wall: the first crate is pushed up to the second, which stays where it is. */
UTEST(manual, one_crate_at_a_time)
{
    kin_world    *world = kin_world_create(&(kin_world_desc){ .unit = 1 });
    kin_id        hero = kin_add_body(world, &(kin_body_desc){ .shape = kin_ball(0.4f), .push = KIN_UNPUSHABLE });
    kin_body_desc crate = { .shape = kin_box(kin_v(1, 1)), .position = { 2, 0 } };
    kin_id        first = kin_add_body(world, &crate), second;
    kin_vec       way = { 0.05f, 0 };
    crate.position.x = 4;
    second = kin_add_body(world, &crate);
    kin_add_static(world, &(kin_static_desc){ .shape = kin_box(kin_v(1, 5)), .position = { 7, 0 } });
    for (int i = 0; i < 240; i++) {
        if (i == 120) kin_remove(world, second);
        {
#include "one_crate_at_a_time_1.inc"
        }
        kin_set_velocity(world, hero, kin_v(3, 0));
        run(world, 1);
        if (i == 119) {
            ASSERT_TRUE(kin_get_position(world, second).x == 4.0f);
            ASSERT_TRUE(kin_get_position(world, first).x > 2.9f && kin_get_position(world, first).x < 3);
        }
    }
    ASSERT_TRUE(kin_get_position(world, first).x > 5.4f && kin_get_position(world, first).x < 6);   /* up to the wall */
    kin_world_destroy(world);
}

UTEST(manual, crusher)
{
    kin_world *world = open_world(on_event);
    kin_id     crate = kin_add_body(world, &(kin_body_desc){ .shape = kin_box(kin_v(1, 1)), .position = { 0, 0.51f } });
    kin_add_mover(world, &(kin_mover_desc){
        .shape = kin_box(kin_v(3, 1)), .position = { 0, 2 }, .velocity = { 0, -1 } });
    run(world, 20);
    ASSERT_TRUE(kin_alive(world, crate));
    run(world, 40);
    ASSERT_FALSE(kin_alive(world, crate));
    kin_world_destroy(world);
}

UTEST(manual, tiles)
{
    kin_world *world = kin_world_create(&(kin_world_desc){ .gravity = { 0, -30 } });
#include "tiles_1.inc"
    kin_id hero = add_hero(world, 0.5f, 1.91f);
    kin_hit hit;
    ASSERT_EQ(kin_get_tile(world, level, kin_c(3, 1)), (uint8_t)KIN_TILE_SOLID);
    for (int i = 0; i < 30; i++) {
        kin_set_velocity(world, hero, kin_v(2, kin_get_velocity(world, hero).y));
        run(world, 1);
    }
    ASSERT_TRUE(kin_get_position(world, hero).y > 2.3f);   /* up the slope */
    ASSERT_TRUE(kin_cast_ray(world, kin_v(3.5f, 5), kin_v(0, -9), NULL, &hit));
    ASSERT_EQ(hit.part, 3 + 1 * 4);
    kin_world_destroy(world);
}

UTEST(manual, coins)
{
    const uint8_t cells[] = { 1, 1, 1, 1, 0, 3, 3, 0 };
    int           coins = 0;
    kin_world    *world = kin_world_create(&(kin_world_desc){
        .gravity = { 0, -30 }, .on_event = take_coin, .user = &coins });
    kin_id        hero, level = kin_add_tiles(world, &(kin_tiles_desc){ .size = { 4, 2 }, .cells = cells });
    hero = kin_add_body(world, &(kin_body_desc){ .shape = kin_ball(0.3f), .position = { 0.5f, 1.31f } });
    for (int i = 0; i < 40; i++) {
        kin_set_velocity(world, hero, kin_v(4, kin_get_velocity(world, hero).y));
        run(world, 1);
    }
    ASSERT_EQ(2, coins);
    ASSERT_EQ(0, kin_get_tile(world, level, kin_c(1, 1)));
    kin_world_destroy(world);
}

UTEST(manual, top_down)
{
#include "top_down_1.inc"
    kin_id hero = kin_add_body(map, &(kin_body_desc){ .shape = kin_ball(6), .velocity = { 60, 60 } });
    kin_add_static(map, &(kin_static_desc){ .shape = kin_box(kin_v(16, 800)), .position = { 48, 0 } });
    run(map, 60);
    ASSERT_TRUE(close_to(kin_get_position(map, hero).y, 60));
    ASSERT_TRUE(kin_get_position(map, hero).x > 33.8f && kin_get_position(map, hero).x <= 34);
    ASSERT_TRUE(kin_on_wall(map, hero) && !kin_on_ground(map, hero));
    kin_world_destroy(map);
}

UTEST(manual, planets)
{
    kin_world *world = kin_world_create(&(kin_world_desc){ .unit = 1 });
    kin_id     planet = kin_add_static(world, &(kin_static_desc){ .shape = kin_ball(5) });
    kin_id     hero = kin_add_body(world, &(kin_body_desc){ .shape = kin_ball(0.5f), .position = { 0, 5.6f } });
    float      stick = 1;
    for (int i = 0; i < 120; i++) {
#include "planets_1.inc"
        run(world, 1);
    }
    kin_vec at = kin_get_position(world, hero);   /* it has gone some 9.5 of 34.6 around */
    ASSERT_TRUE(kin_on_ground(world, hero) && at.x > 5 && at.y < 1 && at.y > -2);
    ASSERT_TRUE(close_to(sqrtf(at.x * at.x + at.y * at.y), 5.5f));
    kin_world_destroy(world);
}

#include "teams_and_ghosts_1.inc"

UTEST(manual, teams_and_ghosts)
{
    fighter    red = { 1, false }, friend = { 1, false }, blue = { 2, false }, dead = { 2, true };
    kin_world *world = kin_world_create(&(kin_world_desc){ .collide = decide });
    kin_id     hero = kin_add_body(world, &(kin_body_desc){
        .shape = kin_ball(0.5f), .velocity = { 6, 0 }, .push = KIN_UNPUSHABLE, .user = &red });
    kin_add_body(world, &(kin_body_desc){ .shape = kin_ball(0.5f), .position = { 2, 0 }, .user = &friend });
    kin_add_body(world, &(kin_body_desc){ .shape = kin_ball(0.5f), .position = { 4, 0 }, .user = &dead });
    kin_add_body(world, &(kin_body_desc){
        .shape = kin_ball(0.5f), .position = { 7, 0 }, .push = KIN_UNPUSHABLE, .user = &blue });
    run(world, 120);
    ASSERT_TRUE(close_to(kin_get_position(world, hero).x, 6));   /* only the last one stops it */
    kin_world_destroy(world);
}

UTEST(manual, stairs_and_slopes)
{
    kin_world *world = open_world(NULL);
    for (int i = 1; i <= 4; i++)
        kin_add_static(world, &(kin_static_desc){
            .shape = kin_box(kin_v(1, 0.25f * (float)i)), .position = { 1.5f + (float)i, 0.125f * (float)i } });
#include "stairs_and_slopes_1.inc"
    kin_id hero = kin_next(world, KIN_BODY, (kin_id){ 0, 0 });
    for (int i = 0; i < 80; i++) {
        kin_set_velocity(world, hero, kin_v(4, kin_get_velocity(world, hero).y));
        run(world, 1);
    }
    ASSERT_TRUE(close_to(kin_get_position(world, hero).y, 1.9f));
    kin_world_destroy(world);
}

UTEST(manual, crouch)
{
    kin_world *world = open_world(NULL);
    kin_id     hero = add_hero(world, 0, 0.91f);
    run(world, 5);
    for (int i = 0; i < 3; i++) {
        bool crouch = i == 0;
#include "crouch_1.inc"
        if (i == 0) kin_add_static(world, &(kin_static_desc){ .shape = kin_box(kin_v(4, 1)), .position = { 0, 1.8f } });
        ASSERT_EQ(done, i != 1);   /* no room under the roof */
        run(world, 2);
        ASSERT_TRUE(close_to(kin_get_position(world, hero).y, i < 2 ? 0.5f : 0.9f));
        if (i == 1) kin_set_position(world, hero, kin_v(5, 0.501f));
    }
    kin_world_destroy(world);
}

UTEST(manual, fixed_step)
{
    double     frame_seconds = 1.0 / 48;
    kin_world *world = kin_world_create(NULL);
    kin_id     hero = kin_add_body(world, &(kin_body_desc){ .shape = kin_ball(1), .velocity = { 1, 0 } });
    float      last = 0;
    for (int frame = 1; frame <= 96; frame++) {
#include "fixed_step_1.inc"
        if (frame > 1) ASSERT_TRUE(pose.p.x - last > 0.0205f && pose.p.x - last < 0.0212f);   /* smooth */
        last = pose.p.x;
    }
    ASSERT_EQ(kin_world_steps(world), (uint64_t)256);
    kin_world_destroy(world);
}

UTEST(manual, rollback)
{
    kin_world *world = open_world(NULL), *other = open_world(NULL);
    kin_id     hero = add_hero(world, 0, 0.91f), same = add_hero(other, 0, 0.91f);
#include "rollback_1.inc"
    kin_set_velocity(other, same, kin_v(6, 0));
    run(other, 1);
    ASSERT_TRUE(hash == kin_world_hash(other));
    {
        player players[8];
#include "rollback_2.inc"
        ASSERT_TRUE(kin_get_user(world, hero) == &players[hero.slot]);
    }
    kin_world_destroy(world);
    kin_world_destroy(other);
}

static int lines, points;
static void my_line(kin_vec from, kin_vec to, uint32_t rgba, void *user)
{
    (void)from, (void)to, (void)rgba, (void)user, lines++;
}
static void my_point(kin_vec at, uint32_t rgba, void *user) { (void)at, (void)rgba, (void)user, points++; }

UTEST(manual, debug_drawing)
{
    kin_world *world = open_world(NULL);
    add_hero(world, 0, 0.91f);
    run(world, 5);
#include "debug_drawing_1.inc"
    ASSERT_TRUE(lines > 20 && points > 0);
    kin_world_destroy(world);
}

UTEST(manual, memory)
{
#include "memory_1.inc"
    for (int i = 0; i < 50; i++) ASSERT_TRUE(kin_alive(small, add_hero(small, (float)i, 0)));
    run(small, 10);
    kin_world_destroy(small);
    free(block);
}

UTEST(manual, threads)
{
    kin_world *alone = open_world(NULL), *world = kin_world_create(&threaded);
    kin_add_static(world, &(kin_static_desc){ .shape = kin_box(kin_v(80, 1)), .position = { 0, -0.5f } });
    for (int i = 0; i < 70; i++) {
        kin_set_velocity(world, add_hero(world, (float)(i - 35), 2), kin_v(1, 0));
        kin_set_velocity(alone, add_hero(alone, (float)(i - 35), 2), kin_v(1, 0));
    }
    run(world, 60);
    run(alone, 60);
    for (kin_id a = kin_next(world, KIN_BODY, (kin_id){ 0 }), b = kin_next(alone, KIN_BODY, (kin_id){ 0 });
         kin_alive(world, a); a = kin_next(world, KIN_BODY, a), b = kin_next(alone, KIN_BODY, b))
        ASSERT_TRUE(kin_get_position(world, a).x == kin_get_position(alone, b).x);
    kin_world_destroy(world);
    kin_world_destroy(alone);
}

UTEST_MAIN()
