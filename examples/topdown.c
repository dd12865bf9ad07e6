/* SPDX-License-Identifier: MIT OR Unlicense

   topdown.c: rooms seen from above, in pixels.

   Without gravity nothing stands on anything: bodies slide along walls, ghosts (intangible) go through each other, a
   plate on the floor (sensor) opens a door (mover). One metre is 16 pixels, so the world's unit is 16. */
#define KINEMATIC_IMPLEMENTATION
#include "kinematic.h"

#include <math.h>
#include <stdio.h>

enum { TILE = 16, WIDTH = 20, HEIGHT = 9 };

static const char *const MAP[HEIGHT] = {
    "####################",
    "#         #        #",
    "#         #        #",
    "#         #        #",
    "#         |        #",
    "#         #        #",
    "#    _    #        #",
    "#         #        #",
    "####################",
};

enum { PLAYER = 2, GHOST = 4 };   /* layers beside 1, which is the default */

static kin_vec pixel(int column, int row)
{
    return kin_v((float)(column * TILE + TILE / 2), (float)((HEIGHT - 1 - row) * TILE + TILE / 2));
}

typedef struct door { kin_id plate; float open; bool opened; } door;

/* Slides aside, and stays there, as soon as somebody has stepped on the plate. */
static void control_door(kin_world *world, kin_id id, float dt, void *user)
{
    door   *d = user;
    kin_vec p = kin_get_position(world, id);
    (void)dt;
    if (kin_get_contacts(world, d->plate, NULL, 0) > 0) d->opened = true;
    kin_set_velocity(world, id, kin_v(0, d->opened && p.y < d->open ? 48.0f : 0));
}

/* To and fro between two walls; kin_on_wall tells when to turn. */
static void control_ghost(kin_world *world, kin_id id, float dt, void *user)
{
    int *direction = user;
    (void)dt;
    if (kin_on_wall(world, id)) *direction = -*direction;
    kin_set_velocity(world, id, kin_v((float)(*direction * 40), 0));
}

static void add_rooms(kin_world *world, door *d)
{
    uint8_t cells[WIDTH * HEIGHT];
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        int  column = i % WIDTH, row = HEIGHT - 1 - i / WIDTH;
        char c = MAP[row][column];
        cells[i] = c == '#' ? KIN_TILE_SOLID : KIN_TILE_EMPTY;
        if (c == '_') d->plate = kin_add_static(world, &(kin_static_desc){
            .shape = kin_box(kin_v(12, 12)), .position = pixel(column, row), .sensor = true, .mask = PLAYER });
        if (c == '|') {
            d->open = pixel(column, row).y + TILE;
            kin_add_mover(world, &(kin_mover_desc){
                .shape = kin_box(kin_v(6, TILE)), .position = pixel(column, row), .control = control_door, .user = d });
        }
    }
    kin_add_tiles(world, &(kin_tiles_desc){ .size = { WIDTH, HEIGHT }, .cell = TILE, .cells = cells });
}

static bool is_ghost(const kin_world *world, kin_id id)
{
    kin_body_desc body;
    return kin_get_kind(world, id) == KIN_BODY && kin_get_body_options(world, id, &body) && body.layer == GHOST;
}

/* False when it is there. */
static bool walk_to(kin_world *world, kin_id id, kin_vec goal)
{
    kin_vec p = kin_get_position(world, id), to = kin_v(goal.x - p.x, goal.y - p.y);
    float   far = sqrtf(to.x * to.x + to.y * to.y);
    if (far < 1) return false;
    return kin_set_velocity(world, id, kin_v(60 * to.x / far, 60 * to.y / far));
}

static int ghosts_met(const kin_world *world)
{
    const kin_event *event;
    int              met = 0;
    for (int n = kin_get_events(world, &event); n > 0; n--, event++)
        met += event->type == KIN_EVENT_BEGAN && is_ghost(world, event->a) && is_ghost(world, event->b);
    return met;
}

int main(void)
{
    door       d = { 0 };
    int        directions[2] = { 1, -1 }, met = 0;
    kin_world *world = kin_world_create(&(kin_world_desc){ .unit = TILE });
    add_rooms(world, &d);
    kin_id player = kin_add_body(world, &(kin_body_desc){
        .shape = kin_ball(6), .position = pixel(2, 2), .push = KIN_UNPUSHABLE, .layer = PLAYER });
    for (int i = 0; i < 2; i++)
        kin_add_body(world, &(kin_body_desc){
            .shape = kin_ball(6), .position = pixel(3 + 4 * i, 1), .push = KIN_INTANGIBLE, .layer = GHOST,
            .control = control_ghost, .user = &directions[i] });

    /* Towards each of these in turn, at 60 pixels a second; walls in the way are slid along. */
    const kin_vec way[] = { pixel(5, 6), pixel(8, 4), pixel(13, 4), pixel(18, 7) };
    for (int i = 0; i < 4; i++) {
        while (walk_to(world, player, way[i])) {
            kin_world_step(world, 1.0f / 60);
            met += ghosts_met(world);
        }
        kin_vec p = kin_get_position(world, player);
        printf("step %3d: player at %5.1f, %5.1f\n", (int)kin_world_steps(world), (double)p.x, (double)p.y);
    }
    printf("the door is %s; the ghosts met %d times and went through each other\n", d.opened ? "open" : "closed", met);
    kin_world_destroy(world);
    return 0;
}
