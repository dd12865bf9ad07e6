/* SPDX-License-Identifier: MIT OR Unlicense

   worlds.h: for tests of the world: vectors that read the same in 2D and 3D, a log that remembers, an allocator that
   counts and fails on request, random numbers and random worlds. */
#ifndef WORLDS_H
#define WORLDS_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "utest.h"

#ifndef TEST_SHARE
#define TEST_SHARE 1
#endif

#define UNUSED __attribute__((unused))

/* ---- values ---------------------------------------------------------------------------------------------------- */

#if KINEMATIC_DIM == 2
static UNUSED kin_vec  at(float x, float y) { return kin_v(x, y); }
static UNUSED kin_vec  size(float x, float y) { return kin_v(x, y); }
static UNUSED kin_rot  turned(float angle) { return kin_turn(angle); }
static UNUSED kin_spin spin(float rate) { return rate; }
static UNUSED float    spin_rate(kin_spin w) { return w; }
#else
static UNUSED kin_vec  at(float x, float y) { return kin_v(x, y, 0); }
static UNUSED kin_vec  size(float x, float y) { return kin_v(x, y, 1); }
static UNUSED kin_rot  turned(float angle) { return kin_turn(kin_v(0, 0, 1), angle); }
static UNUSED kin_spin spin(float rate) { return kin_v(0, 0, rate); }
static UNUSED float    spin_rate(kin_spin w) { return w.z; }
#endif

static UNUSED kin_id nobody(void)
{
    kin_id id = { 0, 0 };
    return id;
}

static UNUSED kin_id handle(uint32_t slot, uint32_t age)
{
    kin_id id;
    id.slot = slot;
    id.age = age;
    return id;
}

static UNUSED kin_pose pose(kin_vec p, float angle)
{
    kin_pose r;
    r.p = p;
    r.q = turned(angle);
    return r;
}

static UNUSED bool near_to(kin_vec a, kin_vec b, float tolerance)
{
    return kini_largest(kini_magnitudes(kini_sub(a, b))) <= tolerance;
}

static UNUSED bool same_vec(kin_vec a, kin_vec b) { return memcmp(&a, &b, sizeof a) == 0; }
static UNUSED bool same_rot(kin_rot a, kin_rot b) { return memcmp(&a, &b, sizeof a) == 0; }

/* ---- a log that remembers ------------------------------------------------------------------------------------- */

typedef struct test_log { int lines; char last[256]; } test_log;

static UNUSED void note(const char *text, void *user)
{
    test_log *log = (test_log *)user;
    log->lines++;
    strncpy(log->last, text, sizeof log->last - 1);
    log->last[sizeof log->last - 1] = 0;
}

static UNUSED kin_world *quiet_world(test_log *log)
{
    kin_world_desc desc;
    memset(&desc, 0, sizeof desc);
    memset(log, 0, sizeof *log);
    desc.gravity = at(0, -30);
    desc.on_log = note;
    desc.user = log;
    return kin_world_create(&desc);
}

/* ---- things ------------------------------------------------------------------------------------------------------- */

static UNUSED kin_static_desc static_desc(kin_shape shape, kin_vec position)
{
    kin_static_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.shape = shape;
    desc.position = position;
    return desc;
}

static UNUSED kin_mover_desc mover_desc(kin_shape shape, kin_vec position)
{
    kin_mover_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.shape = shape;
    desc.position = position;
    return desc;
}

static UNUSED kin_body_desc body_desc(kin_shape shape, kin_vec position)
{
    kin_body_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.shape = shape;
    desc.position = position;
    return desc;
}

static UNUSED kin_id add_static(kin_world *world, kin_shape shape, kin_vec position)
{
    kin_static_desc desc = static_desc(shape, position);
    return kin_add_static(world, &desc);
}

static UNUSED kin_id add_mover(kin_world *world, kin_shape shape, kin_vec position)
{
    kin_mover_desc desc = mover_desc(shape, position);
    return kin_add_mover(world, &desc);
}

static UNUSED kin_id add_body(kin_world *world, kin_shape shape, kin_vec position)
{
    kin_body_desc desc = body_desc(shape, position);
    return kin_add_body(world, &desc);
}

/* The rows behind handles of live bodies and movers. */
static UNUSED kini_body  *body_row(kin_world *world, kin_id id) { return &world->bodies.at[world->things.at[id.slot].row]; }
static UNUSED kini_mover *mover_row(kin_world *world, kin_id id) { return &world->movers.at[world->things.at[id.slot].row]; }

/* ---- chance -------------------------------------------------------------------------------------------------------- */

typedef struct chance { uint32_t state; } chance;

static UNUSED uint32_t roll(chance *c)
{
    c->state = c->state * 1664525u + 1013904223u;
    return c->state >> 8;
}

static UNUSED int   below(chance *c, int n) { return (int)(roll(c) % (uint32_t)n); }
static UNUSED float between(chance *c, float lo, float hi) { return lo + (hi - lo) * (float)roll(c) / 16777216.0f; }

static UNUSED kin_vec anywhere(chance *c, float reach)
{
    kin_vec v;
    int     i;
    memset(&v, 0, sizeof v);
    for (i = 0; i < KINEMATIC_DIM; i++) v = kini_with(v, i, between(c, -reach, reach));
    return v;
}

static UNUSED kin_rot any_turn(chance *c)
{
#if KINEMATIC_DIM == 2
    return kin_turn(between(c, -3, 3));
#else
    return kin_turn(kini_add(anywhere(c, 1), kin_v(0, 0, 1.5f)), between(c, -3, 3));
#endif
}

static UNUSED kin_shape any_shape(chance *c)
{
    kin_vec points[KIN_MAX_POINTS];
    int     i, count;
    switch (below(c, 4)) {
    case 0: return kin_ball(between(c, 0.1f, 1));
    case 1: { float radius = between(c, 0.1f, 0.6f); return kin_capsule(2 * radius + between(c, 0.1f, 2), radius); }
    case 2: return kin_box(kini_add(kini_magnitudes(anywhere(c, 2)), kini_all(0.2f)));
    default: break;
    }
    count = KINEMATIC_DIM + 1 + below(c, 4);
    for (i = 0; i < count; i++) points[i] = anywhere(c, 1.2f);
    points[0] = kini_all(-0.7f);
    points[1] = kini_with(kini_all(-0.7f), 0, 0.8f);
    points[2] = kini_with(kini_all(0.2f), 1, 0.9f);
#if KINEMATIC_DIM == 3
    points[3] = kin_v(0, 0, 1.1f);
#endif
    return kin_hull(points, count, below(c, 2) ? 0 : between(c, 0.01f, 0.3f));
}

#endif
