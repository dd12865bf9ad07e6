/* SPDX-License-Identifier: MIT OR Unlicense

   screen.h: the demo as coloured blocks in a terminal, or as plain text.

   The screen knows no shapes: it asks the world what is at each spot. The level stays as it is, so it is asked once;
   pixels inside the bounds of a mover or a body are asked every frame. */
#ifndef DEMO_SCREEN_H
#define DEMO_SCREEN_H

#include "level.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The look of a spot: bodies before movers before the level, or of the level alone. NULL: nothing is there. */
static const look *look_at(const kin_world *world, float x, float y, bool level_only, kin_id *who)
{
    kin_shape dot = kin_ball(0.001f);
    kin_id    found[4];
    kin_kind  best = KIN_NOTHING;
    int count = kin_overlap(world, &dot, (kin_pose){ .p = { x, y } }, &(kin_filter){ .sensors = true }, found, 4);
    for (int i = 0; i < count && i < 4; i++) {
        kin_kind kind = kin_get_kind(world, found[i]);
        if (kind <= best || (level_only && kind != KIN_STATIC)) continue;
        best = kind;
        *who = found[i];
    }
    return best == KIN_NOTHING ? NULL : kin_get_user(world, *who);
}

/* ---- plain text: two characters to a unit, one line to a unit ---------------------------------------------------- */

static void print_text(const kin_world *world)
{
    for (int row = HEIGHT - 1; row >= 0; row--) {
        char line[2 * WIDTH + 1];
        int  end = 0;
        for (int column = 0; column < 2 * WIDTH; column++) {
            kin_id      who;
            const look *seen = look_at(world, (float)column / 2 + 0.25f, (float)row + 0.5f, false, &who);
            line[column] = seen ? seen->glyph : ' ';
            if (seen) end = column + 1;
        }
        printf("    %.*s\n", end, line);
    }
}

/* ---- a terminal: each character is two square pixels, one above the other ---------------------------------------- */

enum { FINE = 2 };   /* a pixel is the mean of FINE x FINE spots, which makes edges and slow motion smooth */
enum { MAX_SCALE = 6, MAX_COLUMNS = WIDTH * MAX_SCALE, MAX_ROWS = HEIGHT * MAX_SCALE };

typedef struct rgb { int red, green, blue; } rgb;

/* The part of the level that is shown, in pixels: scale of them to a unit. Row 0 is the lowest. */
typedef struct view { int scale, left, low, columns, rows; } view;

/* The level's pixels as far as they were needed, and where movers and bodies may be seen. */
typedef struct canvas {
    int  scale;
    bool known[MAX_ROWS][MAX_COLUMNS], busy[MAX_ROWS][MAX_COLUMNS];   /* level is filled in; a thing may be there */
    rgb  level[MAX_ROWS][MAX_COLUMNS];
} canvas;

/* Of what turns, every other quarter is darker, so that one sees it. */
static bool is_dark_quarter(const kin_world *world, kin_id id, float x, float y)
{
    kin_vec p = kin_get_position(world, id);
    kin_rot q = kin_get_rotation(world, id);
    float   along = (x - p.x) * q.c + (y - p.y) * q.s, aside = (y - p.y) * q.c - (x - p.x) * q.s;
    return kin_get_kind(world, id) == KIN_MOVER && kin_get_spin(world, id) > 0 && (along < 0) != (aside < 0);
}

/* Where nothing is, the sky grows lighter towards the ground. */
static rgb colour_at(const kin_world *world, float x, float y, bool level_only)
{
    kin_id      who = { 0, 0 };
    const look *seen = look_at(world, x, y, level_only, &who);
    rgb         c = { 38 - (int)y, 46 - (int)y, 72 - (int)(1.5f * y) };
    if (seen) c = (rgb){ (int)(seen->colour >> 16), (int)(seen->colour >> 8 & 255), (int)(seen->colour & 255) };
    if (seen && is_dark_quarter(world, who, x, y)) c = (rgb){ c.red / 2, c.green / 2, c.blue / 2 };
    return c;
}

static rgb mean_colour(const kin_world *world, int column, int row, int scale, bool level_only)
{
    rgb sum = { 0, 0, 0 };
    for (int i = 0; i < FINE * FINE; i++) {
        float x = ((float)column + ((float)(i % FINE) + 0.5f) / FINE) / (float)scale;
        float y = ((float)row + ((float)(i / FINE) + 0.5f) / FINE) / (float)scale;
        rgb   c = colour_at(world, x, y, level_only);
        sum = (rgb){ sum.red + c.red, sum.green + c.green, sum.blue + c.blue };
    }
    return (rgb){ sum.red / (FINE * FINE), sum.green / (FINE * FINE), sum.blue / (FINE * FINE) };
}

static rgb pixel_at(canvas *c, const kin_world *world, int column, int row)
{
    if (c->busy[row][column]) return mean_colour(world, column, row, c->scale, false);
    if (!c->known[row][column]) c->level[row][column] = mean_colour(world, column, row, c->scale, true);
    c->known[row][column] = true;
    return c->level[row][column];
}

static int within(int a, int low, int high) { return a < low ? low : a > high ? high : a; }

static void mark_busy(canvas *c, const kin_world *world)
{
    memset(c->busy, 0, sizeof c->busy);
    for (kin_id id = kin_next(world, KIN_NOTHING, (kin_id){ 0 }); id.age; id = kin_next(world, KIN_NOTHING, id)) {
        kin_vec low, high;
        if (kin_get_kind(world, id) == KIN_STATIC || !kin_get_bounds(world, id, &low, &high)) continue;
        int left = within((int)(low.x * (float)c->scale), 0, MAX_COLUMNS - 1);
        int right = within((int)(high.x * (float)c->scale), 0, MAX_COLUMNS - 1);
        for (int row = within((int)(low.y * (float)c->scale), 0, MAX_ROWS - 1);
             row <= within((int)(high.y * (float)c->scale), 0, MAX_ROWS - 1); row++)
            memset(&c->busy[row][left], true, (size_t)(right - left + 1));
    }
}

/* Terminals that do not say that they know all colours get the nearest of 24 greys or of a cube of 216. */
static int cube_level(int value) { return value < 48 ? 0 : value < 115 ? 1 : (value - 35) / 40; }

static int palette_index(rgb c)
{
    int mean = (c.red + c.green + c.blue) / 3;
    if (abs(c.red - mean) + abs(c.green - mean) + abs(c.blue - mean) < 64 && mean < 120) return 232 + (mean - 3) / 10;
    return 16 + 36 * cube_level(c.red) + 6 * cube_level(c.green) + cube_level(c.blue);
}

static void set_colour(int where, rgb c)
{
    const char *term = getenv("COLORTERM");
    if (term && (strstr(term, "truecolor") || strstr(term, "24bit")))
        printf("\033[%d;2;%d;%d;%dm", where, c.red, c.green, c.blue);
    else
        printf("\033[%d;5;%dm", where, palette_index(c));
}

/* Ends with the start of the line below the picture. */
static void draw_screen(const kin_world *world, const view *v)
{
    static canvas c;
    if (c.scale != v->scale) memset(c.known, 0, sizeof c.known);
    c.scale = v->scale;
    mark_busy(&c, world);
    fputs("\033[H", stdout);
    for (int row = v->low + v->rows - 1; row > v->low; row -= 2) {
        rgb last_upper = { -1, 0, 0 }, last_lower = { -1, 0, 0 };
        for (int column = v->left; column < v->left + v->columns; column++) {
            rgb upper = pixel_at(&c, world, column, row), lower = pixel_at(&c, world, column, row - 1);
            if (memcmp(&upper, &last_upper, sizeof upper)) set_colour(38, upper);
            if (memcmp(&lower, &last_lower, sizeof lower)) set_colour(48, lower);
            fputs("\342\226\200", stdout);   /* upper half block, in UTF-8 */
            last_upper = upper;
            last_lower = lower;
        }
        fputs("\033[0m\n", stdout);
    }
}

#endif
