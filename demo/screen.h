/* SPDX-License-Identifier: MIT OR Unlicense

   screen.h: the demo as coloured blocks in a terminal, or as plain text.

   The screen knows no shapes: it asks the world what is at each spot. */
#ifndef DEMO_SCREEN_H
#define DEMO_SCREEN_H

#include "level.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is seen at a spot: bodies before movers before the level. NULL: nothing. */
static const look *look_at(const kin_world *world, float x, float y, kin_id *who)
{
    kin_shape dot = kin_ball(0.001f);
    kin_id    found[4];
    kin_kind  best = KIN_NOTHING;
    int count = kin_overlap(world, &dot, (kin_pose){ .p = { x, y } }, &(kin_filter){ .sensors = true }, found, 4);
    for (int i = 0; i < count && i < 4; i++)
        if (kin_get_kind(world, found[i]) > best) {
            best = kin_get_kind(world, found[i]);
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
            const look *seen = look_at(world, (float)column / 2 + 0.25f, (float)row + 0.5f, &who);
            line[column] = seen ? seen->glyph : ' ';
            if (seen) end = column + 1;
        }
        printf("    %.*s\n", end, line);
    }
}

/* ---- a terminal: each character is two square pixels, one above the other ---------------------------------------- */

enum { FINE = 2 };   /* a pixel is the mean of FINE x FINE spots, which makes edges and slow motion smooth */

typedef struct rgb { int red, green, blue; } rgb;

/* Of what turns, every other quarter is darker, so that one sees it. */
static bool is_dark_quarter(const kin_world *world, kin_id id, float x, float y)
{
    kin_vec p = kin_get_position(world, id);
    kin_rot q = kin_get_rotation(world, id);
    float   along = (x - p.x) * q.c + (y - p.y) * q.s, aside = (y - p.y) * q.c - (x - p.x) * q.s;
    return kin_get_kind(world, id) == KIN_MOVER && kin_get_spin(world, id) > 0 && (along < 0) != (aside < 0);
}

/* Where nothing is, the sky grows lighter towards the ground. */
static rgb colour_at(const kin_world *world, float x, float y)
{
    kin_id      who = { 0, 0 };
    const look *seen = look_at(world, x, y, &who);
    rgb         c = { 38 - (int)y, 46 - (int)y, 72 - (int)(1.5f * y) };
    if (seen) c = (rgb){ (int)(seen->colour >> 16), (int)(seen->colour >> 8 & 255), (int)(seen->colour & 255) };
    if (seen && is_dark_quarter(world, who, x, y)) c = (rgb){ c.red / 2, c.green / 2, c.blue / 2 };
    return c;
}

static rgb pixel_at(const kin_world *world, int column, int row, int pixels_per_unit)
{
    rgb sum = { 0, 0, 0 };
    for (int i = 0; i < FINE * FINE; i++) {
        float x = ((float)column + ((float)(i % FINE) + 0.5f) / FINE) / (float)pixels_per_unit;
        float y = ((float)row + ((float)(i / FINE) + 0.5f) / FINE) / (float)pixels_per_unit;
        rgb   c = colour_at(world, x, y);
        sum = (rgb){ sum.red + c.red, sum.green + c.green, sum.blue + c.blue };
    }
    return (rgb){ sum.red / (FINE * FINE), sum.green / (FINE * FINE), sum.blue / (FINE * FINE) };
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

static void draw_screen(const kin_world *world, int pixels_per_unit)
{
    fputs("\033[H", stdout);
    for (int row = HEIGHT * pixels_per_unit - 1; row > 0; row -= 2) {
        rgb last_upper = { -1, 0, 0 }, last_lower = { -1, 0, 0 };
        for (int column = 0; column < WIDTH * pixels_per_unit; column++) {
            rgb upper = pixel_at(world, column, row, pixels_per_unit),
                lower = pixel_at(world, column, row - 1, pixels_per_unit);
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
