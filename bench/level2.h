/* SPDX-License-Identifier: MIT OR Unlicense

   level2.h: what the 2D workloads share, whoever does the physics. Lengths are in tiles, y points up.

   W1, walk: a floor of 4096 tiles with a bump every 16 and a wall every 64. Walkers go one way, jump every 90 steps and
   turn round when something has held them up for ten steps.
   W2, ride: ten riders stand idle on each platform. Even platforms go up and down, odd ones to and fro; in W2R all rock.
   W3, push: groups of ten boxes, each group pushed along the floor by one pusher. */
#ifndef LEVEL2_H
#define LEVEL2_H

#include <math.h>

#define STEP_TIME (1.0f / 60.0f)
#define GRAVITY 30.0f
#define WALK_SPEED 4.0f
#define JUMP_SPEED 12.0f
#define PUSH_SPEED 2.0f
#define WALKER_RADIUS 0.3f
#define WALKER_HEIGHT 1.6f
#define PI 3.14159265358979323846

enum { LEVEL_LENGTH = 4096, LEVEL_TOP = 8, HELD_UP = 10, RIDERS = 10, GROUP = 10 };

/* ---- walk --------------------------------------------------------------------------------------------------------- */

/* Tiles above the floor at a column; the floor itself is the row at y = -1. */
static int level_height(int x)
{
    if (x <= 0 || x >= LEVEL_LENGTH - 1) return LEVEL_TOP;
    if (x % 64 == 0) return 2;
    return x % 16 == 8 ? 1 : 0;
}

static int level_solid(int x, int y) { return y >= -1 && y < level_height(x); }

typedef struct walker { float heading; int held, turns, snags, grounded; double walked; } walker;

static float walker_start(int i, int n) { return 2 + ((float)i + 0.5f) * ((LEVEL_LENGTH - 4) / (float)n); }
static int   walker_jumps(int i, int step) { return (step + 7 * i) % 90 == 0; }

static void walker_begin(walker *w, int i)
{
    memset(w, 0, sizeof *w);
    w->heading = i % 2 ? -1.0f : 1.0f;
}

/* Is there a tile in front of a walker whose middle is at x, y? */
static int walker_faces_wall(const walker *w, float x, float y)
{
    int column = (int)floorf(x + w->heading * (WALKER_RADIUS + 0.1f));
    int row = (int)floorf(y - 0.5f * WALKER_HEIGHT + 0.05f), top = (int)floorf(y + 0.5f * WALKER_HEIGHT);
    for (; row <= top; row++)
        if (level_solid(column, row)) return 1;
    return 0;
}

/* After each step: `went` is how far it got along x, (x, y) where it is. Standing still on free ground is a snag. */
static void walker_think(walker *w, float went, float x, float y, int grounded)
{
    w->grounded += grounded;
    w->walked += fabsf(went);
    if (went * w->heading >= 0.25f * WALK_SPEED * STEP_TIME) { w->held = 0; return; }
    if (grounded && w->held > 0 && !walker_faces_wall(w, x, y)) w->snags++;
    if (++w->held < HELD_UP) return;
    w->heading = -w->heading;
    w->held = 0;
    w->turns++;
}

static void walker_report(const walker *w, int n, int steps, int fallen, char *quality)
{
    double grounded = 0, walked = 0;
    long   snags = 0, turns = 0;
    int    i;
    for (i = 0; i < n; i++) {
        grounded += w[i].grounded;
        walked += w[i].walked;
        snags += w[i].snags;
        turns += w[i].turns;
    }
    steps += BENCH_SETTLE;
    snprintf(quality, BENCH_ROOM, "grounded %.1f %%  snags %ld  turns %.2f  walked %.2f  fallen %d",
             100 * grounded / ((double)n * steps), snags, (double)turns / n, walked / n, fallen);
}

/* ---- ride --------------------------------------------------------------------------------------------------------- */

typedef struct place { float x, y, turn; } place;

static place platform_at(int i, int step, int rocks)
{
    double phase = 2 * PI * step / 240;
    place  at = { 10 + 20 * (float)i, 10, 0 };
    if (rocks) at.turn = (float)(0.25 * sin(phase));
    else if (i % 2) at.x -= (float)(3 * cos(phase));   /* starts at rest */
    else at.y -= (float)(3 * cos(phase));
    return at;
}

static float rider_along(int i) { return 0.8f * (float)(i % RIDERS) - 3.6f; }

/* A place as seen from a platform. */
static place seen_from(place platform, double x, double y)
{
    double c = cos(platform.turn), s = sin(platform.turn);
    place  seen = { 0, 0, 0 };
    x -= platform.x;
    y -= platform.y;
    seen.x = (float)(c * x + s * y);
    seen.y = (float)(c * y - s * x);
    return seen;
}

/* ---- push --------------------------------------------------------------------------------------------------------- */

static float pusher_start(int group) { return 22 * (float)group; }
static float crate_start(int i) { return pusher_start(i / GROUP) + 2 * (float)(i % GROUP + 1); }

#endif
