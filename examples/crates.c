/* SPDX-License-Identifier: MIT OR Unlicense

   crates.c: a puzzle of crates, read from a text map and seen from above.

   There is no gravity, so nothing stands on anything: the worker walks from cell to cell, and what is in his way is
   pushed, one crate or a whole row, unless a wall holds it. Goals are sensors that count the crates on them. */
#define KINEMATIC_IMPLEMENTATION
#include "kinematic.h"

#include <stdio.h>
#include <string.h>

static const char *const MAP[] = {
    "##########",
    "#    #   #",
    "#@ $$ .. #",
    "#   $    #",
    "#  ##  . #",
    "##########",
};
enum { WIDTH = 10, HEIGHT = 6, MAX = 16 };

static const char MOVES[] = "rrdrrrurdllllurr";

typedef struct puzzle {
    kin_world *world;
    kin_id     worker, crates[MAX], goals[MAX];
    int        crate_count, goal_count;
} puzzle;

static kin_vec middle_of(int column, int row) { return kin_v((float)column + 0.5f, (float)(HEIGHT - 1 - row) + 0.5f); }

static kin_id add_square(kin_world *world, kin_vec at, kin_push push)
{
    return kin_add_body(world, &(kin_body_desc){ .shape = kin_box(kin_v(0.9f, 0.9f)), .position = at, .push = push });
}

static void read_map(puzzle *p)
{
    uint8_t walls[WIDTH * HEIGHT] = { 0 };
    for (int row = 0; row < HEIGHT; row++)
        for (int column = 0; column < WIDTH; column++) {
            kin_vec at = middle_of(column, row);
            switch (MAP[row][column]) {
            case '#': walls[(HEIGHT - 1 - row) * WIDTH + column] = KIN_TILE_SOLID; break;
            case '@': p->worker = add_square(p->world, at, KIN_UNPUSHABLE); break;
            case '$': p->crates[p->crate_count++] = add_square(p->world, at, KIN_PUSHABLE); break;
            case '.': p->goals[p->goal_count++] = kin_add_static(p->world, &(kin_static_desc){
                .shape = kin_ball(0.1f), .position = at, .sensor = true }); break;
            }
        }
    kin_add_tiles(p->world, &(kin_tiles_desc){ .size = { WIDTH, HEIGHT }, .cells = walls });
}

/* Everything rests in the middle of a cell between two moves. */
static void settle(kin_world *world, kin_id id)
{
    kin_vec p = kin_get_position(world, id);
    kin_set_position(world, id, kin_v((float)(int)p.x + 0.5f, (float)(int)p.y + 0.5f));
}

static void move(puzzle *p, char direction)
{
    float across = direction == 'l' ? -1.0f : direction == 'r' ? 1.0f : 0;
    float along = direction == 'd' ? -1.0f : direction == 'u' ? 1.0f : 0;
    kin_set_velocity(p->world, p->worker, kin_v(8 * across, 8 * along));   /* a cell in an eighth of a second */
    for (int step = 0; step < 8; step++) kin_world_step(p->world, 1.0f / 64);
    kin_set_velocity(p->world, p->worker, kin_v(0, 0));
    settle(p->world, p->worker);
    for (int i = 0; i < p->crate_count; i++) settle(p->world, p->crates[i]);
    kin_world_step(p->world, 1.0f / 64);   /* so that the goals notice */
}

/* A goal is reached if it touches a crate. */
static int goals_reached(const puzzle *p)
{
    int reached = 0;
    for (int i = 0; i < p->goal_count; i++) {
        kin_contact contact;
        if (kin_get_contacts(p->world, p->goals[i], &contact, 1) && !kin_same(contact.other, p->worker)) reached++;
    }
    return reached;
}

static void show(const puzzle *p)
{
    char rows[HEIGHT][WIDTH + 1];
    for (int row = 0; row < HEIGHT; row++) {
        strcpy(rows[row], MAP[row]);
        for (char *c = rows[row]; *c; c++)
            if (*c == '@' || *c == '$') *c = ' ';
    }
    for (int i = 0; i <= p->crate_count; i++) {
        kin_vec at = kin_get_position(p->world, i < p->crate_count ? p->crates[i] : p->worker);
        char   *c = &rows[HEIGHT - 1 - (int)at.y][(int)at.x];
        *c = i == p->crate_count ? '@' : *c == '.' ? '*' : '$';
    }
    for (int row = 0; row < HEIGHT; row++) puts(rows[row]);
}

int main(void)
{
    puzzle p = { .world = kin_world_create(NULL) };
    read_map(&p);
    show(&p);
    for (int i = 0; MOVES[i]; i++) {
        move(&p, MOVES[i]);
        if (goals_reached(&p) == p.goal_count) printf("solved with move %d\n", i + 1);
    }
    show(&p);
    kin_world_destroy(p.world);
    return 0;
}
