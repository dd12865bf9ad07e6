/* SPDX-License-Identifier: MIT OR Unlicense

   platformer.c: a hero with the manners that players expect.

   A jump still works just after the edge (coyote time), a press just before landing counts (input buffer), a short
   press jumps lower, a one-way ledge lets go on request. The level is a text map; the run is drawn into it as dots. */
#define KINEMATIC_IMPLEMENTATION
#include "kinematic.h"

#include <stdio.h>

enum { WIDTH = 48, HEIGHT = 10 };

static char map[HEIGHT][WIDTH + 1] = {
    "#                                              #",
    "#                                              #",
    "#                                              #",
    "#                                              #",
    "#                                              #",
    "#                                              #",
    "#                                       -----  #",
    "#                                              #",
    "############    ############   ################",
    "############    ############   ################",
};

/* ---- the hero ---------------------------------------------------------------------------------------------------- */

#define COYOTE 0.10f   /* seconds after the ground in which a jump still works */
#define BUFFER 0.12f   /* seconds before the ground in which a press is remembered */

typedef struct hero {
    float stick;               /* -1..1 */
    bool  jump, down;          /* held down now */
    bool  jump_was;            /* in the last step */
    float since_ground, since_press;
} hero;

static void control(kin_world *world, kin_id id, float dt, void *user)
{
    hero   *h = user;
    kin_vec v = kin_get_velocity(world, id);
    bool    pressed = h->jump && !h->jump_was;

    h->since_ground = kin_on_ground(world, id) ? 0 : h->since_ground + dt;
    h->since_press = pressed ? 0 : h->since_press + dt;
    h->jump_was = h->jump;

    v.x = 7 * h->stick;
    if (h->since_press <= BUFFER && h->since_ground <= COYOTE) {
        printf("  jump %.2f s after the ground, %.2f s after the press\n", (double)h->since_ground,
               (double)h->since_press);
        v.y = 13;
        h->since_press = h->since_ground = 1;   /* used up */
    }
    if (!h->jump && v.y > 5) v.y = 5;           /* let go early: a lower jump */
    if (h->down) kin_drop_through(world, id);
    kin_set_velocity(world, id, v);
}

/* ---- the level --------------------------------------------------------------------------------------------------- */

static kin_id add_level(kin_world *world)
{
    uint8_t cells[WIDTH * HEIGHT];
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        char c = map[HEIGHT - 1 - i / WIDTH][i % WIDTH];
        cells[i] = c == '#' ? KIN_TILE_SOLID : c == '-' ? KIN_TILE_ONE_WAY : KIN_TILE_EMPTY;
    }
    return kin_add_tiles(world, &(kin_tiles_desc){ .size = { WIDTH, HEIGHT }, .cells = cells });
}

/* Input as a player would have recorded it: for how many steps of 1/60 s what is held. */
static const struct { int steps; float stick; bool jump, down; const char *what; } INPUT[] = {
    { 89, 1, false, false, "run, and fall off the edge ..." },
    { 25, 1, true, false, "... but press within coyote time" },
    { 12, 1, false, false, NULL },
    { 5, 1, true, false, "press a little before landing, and let go early" },
    { 84, 1, false, false, NULL },
    { 30, 1, true, false, "a long jump" },
    { 92, 1, false, false, NULL },
    { 30, 0, true, false, "up through the ledge" },
    { 30, 0, false, false, NULL },
    { 2, 0, false, true, "and down through it" },
    { 50, 0, false, false, NULL },
};

int main(void)
{
    hero       h = { .since_press = 1 };
    kin_world *world = kin_world_create(&(kin_world_desc){ .gravity = { 0, -36 } });
    add_level(world);
    kin_id id = kin_add_body(world, &(kin_body_desc){
        .shape = kin_box(kin_v(0.8f, 1.5f)), .position = { 2.5f, 2.75f }, .push = KIN_UNPUSHABLE, .corner_nudge = 0.3f,
        .control = control, .user = &h });
    for (size_t i = 0; i < sizeof INPUT / sizeof *INPUT; i++) {
        if (INPUT[i].what) puts(INPUT[i].what);
        h.stick = INPUT[i].stick;
        h.jump = INPUT[i].jump;
        h.down = INPUT[i].down;
        for (int step = 0; step < INPUT[i].steps; step++) {
            kin_world_step(world, 1.0f / 60);
            kin_vec p = kin_get_position(world, id);
            char   *spot = &map[HEIGHT - 1 - (int)p.y][(int)p.x];
            if (*spot == ' ') *spot = '.';
        }
    }
    for (int row = 0; row < HEIGHT; row++) puts(map[row]);
    kin_world_destroy(world);
    return 0;
}
