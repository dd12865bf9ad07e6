/* SPDX-License-Identifier: MIT OR Unlicense

   tiles.c: one level of tiles with everything that a tile can be.

   # solid, - one-way, / and \ slopes, > conveyor, B a block that breaks when a head hits it, o a coin. The first four
   values are built in, the others are defined here. Events name the tile, so the game can change it. */
#define KINEMATIC_IMPLEMENTATION
#include "kinematic.h"

#include <stdio.h>
#include <string.h>

enum { WIDTH = 40, HEIGHT = 8 };
enum { SLOPE_UP = 4, SLOPE_DOWN, CONVEYOR, BLOCK };   /* our own values */

static const char *const MAP[HEIGHT] = {
    "#                                      #",
    "#                                      #",
    "#                                      #",
    "#                       B              #",
    "#          ----                        #",
    "#        /####\\     o              oo  #",
    "######################>>>>>>>##  #######",
    "########################################",
};

static uint8_t value_of(char c)
{
    const char *all = " #-o/\\>B";   /* in the order of the values */
    return (uint8_t)(strchr(all, c) - all);
}

static kin_id add_level(kin_world *world)
{
    uint8_t cells[WIDTH * HEIGHT];
    for (int i = 0; i < WIDTH * HEIGHT; i++) cells[i] = value_of(MAP[HEIGHT - 1 - i / WIDTH][i % WIDTH]);
    kin_id tiles = kin_add_tiles(world, &(kin_tiles_desc){ .size = { WIDTH, HEIGHT }, .cells = cells });
    kin_define_tile(world, tiles, SLOPE_UP, &(kin_tile){ .points = { { 0, 0 }, { 1, 0 }, { 1, 1 } }, .count = 3 });
    kin_define_tile(world, tiles, SLOPE_DOWN, &(kin_tile){ .points = { { 0, 0 }, { 1, 0 }, { 0, 1 } }, .count = 3 });
    kin_define_tile(world, tiles, CONVEYOR, &(kin_tile){ .surface_velocity = { 3, 0 } });
    kin_define_tile(world, tiles, BLOCK, &(kin_tile){ 0 });   /* a full cell */
    return tiles;
}

static kin_cell cell_of(int part) { return kin_c(part % WIDTH, part / WIDTH); }

/* Coins are sensors: one that is touched goes. What the hero touches with his head breaks, if it can. */
static void look_around(kin_world *world, kin_id hero, kin_id tiles, int *coins)
{
    kin_contact contacts[16];
    int         count = kin_get_contacts(world, hero, contacts, 16);
    for (int i = 0; i < count && i < 16; i++) {
        kin_cell cell = cell_of(contacts[i].part);
        uint8_t  value = kin_get_tile(world, tiles, cell);
        if (value == KIN_TILE_SENSOR || (value == BLOCK && contacts[i].normal.y < -0.5f)) {
            kin_set_tile(world, tiles, cell, KIN_TILE_EMPTY);
            if (value == KIN_TILE_SENSOR) ++*coins;
            else printf("the block at %d, %d breaks\n", cell.x, cell.y);
        }
    }
}

int main(void)
{
    kin_world *world = kin_world_create(&(kin_world_desc){ .gravity = { 0, -30 } });
    kin_id     tiles = add_level(world);
    kin_id     hero = kin_add_body(world, &(kin_body_desc){
        .shape = kin_capsule(0.95f, 0.3f), .position = { 2, 2.48f }, .push = KIN_UNPUSHABLE });
    char trail[HEIGHT][WIDTH + 1];
    int  coins = 0;
    for (int row = 0; row < HEIGHT; row++) strcpy(trail[row], MAP[row]);

    for (int step = 0; step < 540; step++) {
        kin_vec p = kin_get_position(world, hero), v = kin_get_velocity(world, hero);
        bool    under_block = p.x > 23.5f && p.x < 23.8f, at_gap = p.x > 28.9f && p.x < 29.5f;
        v.x = kin_get_tile(world, tiles, kin_c((int)p.x, (int)(p.y - 0.5f))) == CONVEYOR ? 1.0f : 5.0f;
        if ((under_block || at_gap) && kin_on_ground(world, hero)) v.y = 10;
        kin_set_velocity(world, hero, v);
        kin_world_step(world, 1.0f / 60);
        look_around(world, hero, tiles, &coins);
        p = kin_get_position(world, hero);
        if (trail[HEIGHT - 1 - (int)p.y][(int)p.x] == ' ') trail[HEIGHT - 1 - (int)p.y][(int)p.x] = '.';
    }
    for (int row = 0; row < HEIGHT; row++) puts(trail[row]);
    printf("%d coins, hero at %.2f, %.2f\n", coins, (double)kin_get_position(world, hero).x,
           (double)kin_get_position(world, hero).y);
    kin_world_destroy(world);
    return 0;
}
