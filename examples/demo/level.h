/* SPDX-License-Identifier: MIT OR Unlicense

   level.h: the level of the demo, and who moves in it. One unit is one tile.

   Below: a row of crates and a one-way ledge; right: a lift; above: a crusher, a wheel that turns, the flag. */
#ifndef DEMO_LEVEL_H
#define DEMO_LEVEL_H

#include "kinematic.h"

enum { WIDTH = 40, HEIGHT = 18, RATE = 60 };

static const char *const MAP[HEIGHT] = {
    "########################################",
    "#                                      #",
    "#                                      #",
    "#                                      #",
    "#                                      #",
    "#                                      #",
    "#                                      #",
    "#                                      #",
    "############     ##################    #",
    "#######                         ###    #",
    "#                                 #    #",
    "#                                      #",
    "#                                      #",
    "#                                      #",
    "#                                      #",
    "#                     ##               #",
    "###################################    #",
    "########################################",
};

/* What a thing is called and looks like; every thing in the world points to one of these. */
typedef struct look {
    const char *name;
    char        glyph;    /* in plain text */
    uint32_t    colour;   /* red, green, blue */
    const char *detail;   /* in the picture: more SVG, in units around the thing's middle, y down */
} look;

#define EYES "<path d='M-.14-.45v.01M.14-.45v.01' stroke='#0d1117' stroke-width='.16' stroke-linecap='round'/>"
#define PLANKS "<path d='M-.42-.42H.42V.42H-.42ZL.42.42' fill='none' stroke='#7a4a12' stroke-width='.1'/>"

static look
    EARTH = { "the floor", '#', 0x4a5670, "" },
    LEDGE = { "the ledge", '=', 0x4fd6c4, "" },
    FLAG = { "the flag", '!', 0xffe066, "" },
    LIFT = { "the lift", '_', 0x5aa2ff,
             "<path d='M-1.6 0h3.2' stroke='#1f4f8f' stroke-width='.1' stroke-dasharray='.3 .2'/>" },
    CRUSHER = { "the crusher", 'V', 0xe5534b,
                "<path d='M-1.2-1.1h2.4M-1.2-.6h2.4' stroke='#7d1f1b' stroke-width='.14'/>"
                "<path d='M-1.5 1.5l.25-.5.25.5.25-.5.25.5.25-.5.25.5.25-.5.25.5.25-.5.25.5.25-.5.25.5z' fill='#ffd7d4'/>" },
    WHEEL = { "the wheel", '*', 0xa78bfa, "<path d='M-2.1 0h4.2M0-2.1v4.2M-1.5-1.5l3 3M-1.5 1.5l3-3' stroke='#5b43b0' "
              "stroke-width='.22' stroke-linecap='round'/><circle r='.45' fill='#5b43b0'/>" },
    HERO = { "the hero", '@', 0x7ee787, EYES },
    SLIME = { "the slime", 'o', 0xff8fb1, "<g transform='translate(0 .4)'>" EYES "</g>" },
    CRATES[3] = { { "crate 1", 'x', 0xe8a33d, PLANKS }, { "crate 2", 'x', 0xd9942f, PLANKS },
                  { "crate 3", 'x', 0xf0b354, PLANKS } };

/* ---- the hero: recorded input ------------------------------------------------------------------------------------ */

enum { LEFT = 1, RIGHT = 2, JUMP = 4, DOWN = 8 };

static const struct { float seconds; int keys; } INPUT[] = {
    { 0.6f, 0 }, { 3.1f, RIGHT }, { 0.4f, 0 },                       /* push the crates until they stop */
    { 0.2f, LEFT }, { 0.1f, JUMP }, { 0.5f, RIGHT }, { 0.6f, 0 },    /* jump onto them */
    { 0.1f, JUMP }, { 0.9f, 0 }, { 0.85f, RIGHT }, { 0.3f, 0 },      /* up through the ledge, along it */
    { 0.1f, DOWN }, { 0.8f, 0 }, { 1.9f, RIGHT }, { 3.1f, 0 },       /* down through it; to the lift, and up */
    { 0.7f, LEFT }, { 1.0f, 0 }, { 2.05f, LEFT },                    /* wait for the crusher, run */
    { 0.1f, LEFT | JUMP }, { 0.75f, LEFT }, { 0.8f, 0 },             /* onto the wheel, and carried along */
    { 0.1f, LEFT | JUMP }, { 1.55f, LEFT }, { 1.8f, 0 },             /* to the flag */
};

static int keys_at(uint64_t step)
{
    double end = 0;
    for (size_t i = 0; i < sizeof INPUT / sizeof *INPUT; i++) {
        end += (double)INPUT[i].seconds * RATE;
        if ((double)step < end) return INPUT[i].keys;
    }
    return 0;
}

static int last_step(void)
{
    double seconds = 0;
    for (size_t i = 0; i < sizeof INPUT / sizeof *INPUT; i++) seconds += (double)INPUT[i].seconds;
    return (int)(seconds * RATE);
}

static void control_hero(kin_world *world, kin_id hero, float dt, void *user)
{
    int     keys = keys_at(kin_world_steps(world));
    kin_vec v = kin_get_velocity(world, hero);
    float   wanted = (keys & RIGHT ? 6.0f : 0) - (keys & LEFT ? 6.0f : 0), change = 60 * dt;
    (void)user;
    v.x += wanted - v.x > change ? change : wanted - v.x < -change ? -change : wanted - v.x;
    if (keys & JUMP && kin_on_ground(world, hero)) v.y = 13;
    if (keys & DOWN && kin_on_ground(world, hero)) kin_drop_through(world, hero);
    kin_set_velocity(world, hero, v);
}

/* ---- the others -------------------------------------------------------------------------------------------------- */

/* Walks to and fro between two places. */
static void control_slime(kin_world *world, kin_id slime, float dt, void *user)
{
    kin_vec p = kin_get_position(world, slime), v = kin_get_velocity(world, slime);
    (void)dt, (void)user;
    if (p.x > 32) v.x = -0.8f;
    if (p.x < 20) v.x = 0.8f;
    kin_set_velocity(world, slime, v);
}

/* Goes up while somebody stands on it, else down. */
static void control_lift(kin_world *world, kin_id lift, float dt, void *user)
{
    float goal = kin_get_riders(world, lift, NULL, 0) ? 9.75f : 1.75f, far = goal - kin_get_position(world, lift).y;
    float speed = far / dt < -3 ? -3 : far / dt > 3 ? 3 : far / dt;
    (void)user;
    kin_set_velocity(world, lift, kin_v(0, speed));
}

/* Comes down fast, rests, goes up slowly: 2.4 seconds. */
static void control_crusher(kin_world *world, kin_id crusher, float dt, void *user)
{
    uint64_t phase = kin_world_steps(world) % 144;
    (void)dt, (void)user;
    kin_set_velocity(world, crusher, kin_v(0, phase < 20 ? -12.0f : phase < 44 ? 0 : phase < 124 ? 3.0f : 0));
}

/* ---- all of it --------------------------------------------------------------------------------------------------- */

static void add_tiles(kin_world *world)
{
    static uint8_t cells[WIDTH * HEIGHT];
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            cells[y * WIDTH + x] = MAP[HEIGHT - 1 - y][x] == '#' ? KIN_TILE_SOLID : KIN_TILE_EMPTY;
    kin_add_tiles(world, &(kin_tiles_desc){ .size = { WIDTH, HEIGHT }, .cells = cells, .user = &EARTH });
}

/* The hero. */
static kin_id fill_level(kin_world *world)
{
    add_tiles(world);
    kin_add_static(world, &(kin_static_desc){
        .shape = kin_box(kin_v(8, 0.6f)), .position = { 23, 4.7f }, .one_way = { 0, 1 }, .user = &LEDGE });
    kin_add_static(world, &(kin_static_desc){
        .shape = kin_box(kin_v(1, 2)), .position = { 3, 11 }, .sensor = true, .user = &FLAG });
    kin_add_mover(world, &(kin_mover_desc){
        .shape = kin_box(kin_v(3.9f, 0.5f)), .position = { 37, 1.75f }, .control = control_lift, .user = &LIFT });
    kin_add_mover(world, &(kin_mover_desc){
        .shape = kin_box(kin_v(3, 3)), .position = { 27.5f, 15.55f }, .control = control_crusher, .user = &CRUSHER });
    kin_add_mover(world, &(kin_mover_desc){
        .shape = kin_ball(2.5f), .position = { 14.5f, 7.4f }, .spin = 0.6f, .user = &WHEEL });
    for (int i = 0; i < 3; i++)
        kin_add_body(world, &(kin_body_desc){
            .shape = kin_box(kin_v(1.2f, 1.2f)), .position = { 8 + 1.8f * (float)i, 2.6f }, .user = &CRATES[i] });
    kin_add_body(world, &(kin_body_desc){
        .shape = kin_ball(0.5f), .position = { 25, 10.5f }, .velocity = { -0.8f, 0 }, .control = control_slime,
        .on_crush = KIN_CRUSH_DISABLE, .user = &SLIME });
    return kin_add_body(world, &(kin_body_desc){
        .shape = kin_capsule(1.8f, 0.4f), .position = { 2.5f, 3 }, .push = KIN_UNPUSHABLE, .control = control_hero,
        .user = &HERO });
}

#endif
