/* SPDX-License-Identifier: MIT OR Unlicense

   golden.c: a few busy worlds, run for 300 steps each, and what became of them: lines of

       world step hash trail

   where hash is kin_world_hash and trail sums up all hashes, events and answers since the first step. check.py compares
   these lines with those in 2d.txt or 3d.txt, for every compiler and machine.

   What goes in must not depend on the compiler either. So every number here is a small multiple of 1/64, with which
   sums and products are exact, and chance comes from whole numbers. Needs no C library: see freestanding below. */
#ifndef KIN_IMPLEMENTED
#define KINEMATIC_IMPLEMENTATION
#endif
#include "kinematic.h"

enum { STEPS = 300, EVERY = 10, MOST = 96, WIDE = 48, HIGH = 12, DEEP = KINEMATIC_DIM == 2 ? 1 : 6 };

typedef struct stage {
    kin_world *world;
    uint64_t   dice, trail;
    kin_id     bodies[MOST], movers[MOST];
    int        body_count, mover_count;
    kin_id     tiles;
    float      unit;
    kin_vec    origin;
} stage;

/* ---- output, and memory where there is none ---------------------------------------------------------------------- */

#ifdef KINEMATIC_NO_STDLIB
void put_line(const char *text, int length);   /* from outside */

/* Compilers make calls of these out of plain C. */
void *memset(void *to, int value, size_t bytes)
{
    volatile char *t = (volatile char *)to;
    while (bytes--) *t++ = (char)value;
    return to;
}

void *memcpy(void *to, const void *from, size_t bytes)
{
    volatile char *t = (volatile char *)to;
    const char    *f = (const char *)from;
    while (bytes--) *t++ = *f++;
    return to;
}

void *memmove(void *to, const void *from, size_t bytes)
{
    volatile char *t = (volatile char *)to;
    const char    *f = (const char *)from;
    if (t < f) return memcpy(to, from, bytes);
    while (bytes--) t[bytes] = f[bytes];
    return to;
}

static uint64_t pool[1 << 21];
static size_t   pool_used;

static void *take(size_t bytes, void *user)
{
    void *memory = pool + pool_used;
    (void)user;
    bytes = (bytes + 7) / 8;
    if (bytes > sizeof pool / 8 - pool_used) return NULL;
    pool_used += bytes;
    return memory;
}

static void give(void *memory, size_t bytes, void *user) { (void)memory, (void)bytes, (void)user; }

static void own_memory(kin_world_desc *desc)
{
    pool_used = 0;
    desc->allocate = take;
    desc->release = give;
}
#else
#include <stdio.h>

static void put_line(const char *text, int length) { printf("%.*s\n", length, text); }
static void own_memory(kin_world_desc *desc) { (void)desc; }
#endif

static char *put_word(char *to, const char *word)
{
    while (*word) *to++ = *word++;
    *to++ = ' ';
    return to;
}

static char *put_number(char *to, uint64_t number, unsigned base, int digits)
{
    int i;
    for (i = digits - 1; i >= 0; i--, number /= base) to[i] = "0123456789abcdef"[number % base];
    to[digits] = ' ';
    return to + digits + 1;
}

static void put_state(const stage *s, const char *name, int step)
{
    char text[80], *end = put_word(text, name);
    end = put_number(end, (uint64_t)step, 10, 3);
    end = put_number(end, kin_world_hash(s->world), 16, 16);
    end = put_number(end, s->trail, 16, 16);
    put_line(text, (int)(end - text) - 1);
}

/* ---- chance and numbers ------------------------------------------------------------------------------------------ */

static uint32_t roll(stage *s)
{
    s->dice = s->dice * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(s->dice >> 33);
}

static int  below(stage *s, int n) { return (int)(roll(s) % (uint32_t)n); }
static bool chance(stage *s, int percent) { return below(s, 100) < percent; }

/* Anything from low to high in steps of an eighth. */
static float between(stage *s, int low, int high) { return (float)(low * 8 + below(s, (high - low) * 8 + 1)) / 8; }

static kin_vec vec(float x, float y, float z)
{
#if KINEMATIC_DIM == 2
    (void)z;
    return kin_v(x, y);
#else
    return kin_v(x, y, z);
#endif
}

/* Arguments are evaluated in any order, so no call here has two that roll the dice. */
static kin_vec within(stage *s, int x, int low, int high, int z)
{
    float a = between(s, -x, x), b = between(s, low, high), c = between(s, -z, z);
    return vec(a, b, c);
}

static kin_cell cell(int x, int y, int z)
{
#if KINEMATIC_DIM == 2
    (void)z;
    return kin_c(x, y);
#else
    return kin_c(x, y, z);
#endif
}

static kin_rot tilt(float radians)
{
#if KINEMATIC_DIM == 2
    return kin_turn(radians);
#else
    return kin_turn(kin_v(0, 0, 1), radians);
#endif
}

/* Flat, or about up as a turntable does. */
static kin_spin spin(float speed, bool about_up)
{
#if KINEMATIC_DIM == 2
    (void)about_up;
    return speed;
#else
    return about_up ? kin_v(0, speed, 0) : kin_v(0, 0, speed);
#endif
}

/* A place of this world: its origin may be far away and its unit a pixel. */
static kin_vec at(const stage *s, float x, float y, float z)
{
    kin_vec p = vec(x * s->unit, y * s->unit, z * s->unit);
    p.x += s->origin.x;
    p.y += s->origin.y;
    return p;
}

static kin_vec size(const stage *s, float x, float y, float z) { return vec(x * s->unit, y * s->unit, z * s->unit); }
static kin_shape box(const stage *s, float x, float y, float z) { return kin_box(size(s, x, y, z)); }

static kin_shape hull(const stage *s)
{
    kin_vec points[6];
    points[0] = size(s, -0.5f, -0.5f, -0.375f);
    points[1] = size(s, 0.5f, -0.5f, -0.375f);
    points[2] = size(s, 0.75f, 0.25f, 0);
    points[3] = size(s, 0, 0.75f, 0);
    points[4] = size(s, -0.5f, 0.25f, 0.5f);
    points[5] = size(s, 0.25f, -0.5f, 0.5f);
    return kin_hull(points, 6, 0.125f * s->unit);
}

static kin_shape any_shape(stage *s)
{
    float u = s->unit;
    switch (below(s, 5)) {
    case 0: return kin_ball(0.375f * u);
    case 1: return kin_capsule(1.5f * u, 0.375f * u);
    case 2: return hull(s);
    case 3: return box(s, 0.75f, 1.25f, 0.75f);
    default: return box(s, 0.875f, 0.875f, 0.875f);
    }
}

/* ---- what all worlds are made of ------------------------------------------------------------------------------------ */

static const kin_static_desc no_static;
static const kin_mover_desc  no_mover;
static const kin_body_desc   no_body;

static void nothing_said(const char *text, void *user) { (void)text, (void)user; }

static void open_world(stage *s, float gravity)
{
    static const kin_world_desc none;
    kin_world_desc desc = none;
    desc.gravity = size(s, 0, gravity, 0);
    desc.unit = s->unit;
    desc.on_log = nothing_said;
    own_memory(&desc);
    s->world = kin_world_create(&desc);
}

static kin_id add_box(stage *s, kin_vec position, kin_vec extent)
{
    kin_static_desc desc = no_static;
    desc.shape = kin_box(extent);
    desc.position = position;
    return kin_add_static(s->world, &desc);
}

static kin_id put_mover(stage *s, const kin_mover_desc *desc)
{
    kin_id id = kin_add_mover(s->world, desc);
    if (s->mover_count < MOST) s->movers[s->mover_count++] = id;
    return id;
}

static kin_id put_body(stage *s, const kin_body_desc *desc)
{
    kin_id id = kin_add_body(s->world, desc);
    if (s->body_count < MOST) s->bodies[s->body_count++] = id;
    return id;
}

/* A floor, and walls around what happens on it. */
static void add_room(stage *s, float half_width, float height, float half_depth)
{
    float w = half_width, h = height, d = half_depth;
    add_box(s, at(s, 0, -1, 0), size(s, 2 * w + 4, 2, 2 * d + 4));
    add_box(s, at(s, 0, h + 1, 0), size(s, 2 * w + 4, 2, 2 * d + 4));
    add_box(s, at(s, -w - 1, h / 2, 0), size(s, 2, h, 2 * d + 4));
    add_box(s, at(s, w + 1, h / 2, 0), size(s, 2, h, 2 * d + 4));
#if KINEMATIC_DIM == 3
    add_box(s, at(s, 0, h / 2, -d - 1), size(s, 2 * w + 4, h, 2));
    add_box(s, at(s, 0, h / 2, d + 1), size(s, 2 * w + 4, h, 2));
#endif
}

static void add_heroes(stage *s, int count, float half_width, float y, float half_depth)
{
    int i, w = (int)half_width, d = (int)half_depth;
    for (i = 0; i < count; i++) {
        kin_body_desc desc = no_body;
        float         x = between(s, -w, w), z = between(s, -d, d);
        desc.shape = any_shape(s);
        desc.position = at(s, x, y + (float)(i % 4), z);
        desc.push = (kin_push)below(s, 3);
        desc.ride = (kin_ride)below(s, 2);
        desc.leave = (kin_leave)below(s, 3);
        desc.slope = (kin_slope)below(s, 2);
        desc.step_height = chance(s, 40) ? 0.375f * s->unit : 0;
        desc.corner_nudge = chance(s, 30) ? 0.125f * s->unit : 0;
        desc.leftover_fade = chance(s, 30) ? 0.5f : 0;
        desc.glide = chance(s, 20);
        desc.report_continued = chance(s, 20);
        put_body(s, &desc);
    }
}

/* Run to and fro, jump now and then, and fall through what can be fallen through. */
static void command_heroes(stage *s)
{
    int i;
    for (i = 0; i < s->body_count; i++) {
        kin_id  id = s->bodies[i];
        kin_vec v = kin_get_velocity(s->world, id);
        if (!chance(s, 6)) continue;
        v.x = between(s, -7, 7) * s->unit;
#if KINEMATIC_DIM == 3
        v.z = between(s, -4, 4) * s->unit;
#endif
        if (kin_on_ground(s->world, id) && chance(s, 40)) v.y = between(s, 4, 13) * s->unit;
        kin_set_velocity(s->world, id, v);
        if (chance(s, 25)) kin_drop_through(s->world, id);
    }
}

/* ---- tiles: hills, slopes, one-way floors, a conveyor ------------------------------------------------------------- */

enum { RISE = 4, FALL, GENTLE_LOW, GENTLE_HIGH, CONVEYOR };

/* The part of a cell below the line from (0, left) to (1, right). */
static kin_tile slope(float left, float right)
{
    static const kin_tile none;
    kin_tile tile = none;
    int      i, n = 0, layers = KINEMATIC_DIM - 1;
    for (i = 0; i < layers; i++) {
        tile.points[n++] = vec(0, 0, (float)i);
        tile.points[n++] = vec(1, 0, (float)i);
        if (right > 0) tile.points[n++] = vec(1, right, (float)i);
        if (left > 0) tile.points[n++] = vec(0, left, (float)i);
    }
    tile.count = n;
    return tile;
}

static void define_slopes(stage *s)
{
    static const kin_tile none;
    kin_tile rise = slope(0, 1), fall = slope(1, 0), low = slope(0, 0.5f), high = slope(0.5f, 1), belt = none;
    belt.surface_velocity = size(s, 2, 0, 0);
    kin_define_tile(s->world, s->tiles, RISE, &rise);
    kin_define_tile(s->world, s->tiles, FALL, &fall);
    kin_define_tile(s->world, s->tiles, GENTLE_LOW, &low);
    kin_define_tile(s->world, s->tiles, GENTLE_HIGH, &high);
    kin_define_tile(s->world, s->tiles, CONVEYOR, &belt);
}

static uint8_t surface_tile(int x, int height, int next)
{
    if (next > height) return RISE;
    if (next < height) return FALL;
    return x % 16 == 9 ? GENTLE_LOW : x % 16 == 10 ? GENTLE_HIGH : x % 16 == 13 ? KIN_TILE_SENSOR : KIN_TILE_EMPTY;
}

static void fill_cells(stage *s, uint8_t *cells)
{
    int x, y, z, height = 2, next;
    for (x = 0; x < WIDE; x++, height = next) {
        next = height + below(s, 3) - 1;
        next = next < 1 ? 1 : next > 4 ? 4 : next;
        for (y = 0; y < HIGH; y++)
            for (z = 0; z < DEEP; z++) {
                uint8_t *c = &cells[x + WIDE * (y + HIGH * z)];
                int      top = next < height ? height - 1 : height;
                *c = y < top ? KIN_TILE_SOLID : y == top ? surface_tile(x, height, next) : KIN_TILE_EMPTY;
                if (y == top - 1 && x % 11 == 5) *c = CONVEYOR;
                if (y == 7 && x % 9 < 4) *c = KIN_TILE_ONE_WAY;
                if (y == HIGH - 1 || x == 0 || x == WIDE - 1) *c = KIN_TILE_SOLID;
                if (KINEMATIC_DIM == 3 && (z == 0 || z == DEEP - 1)) *c = KIN_TILE_SOLID;
            }
    }
}

static void add_tile_level(stage *s)
{
    static const kin_tiles_desc none;
    static uint8_t cells[WIDE * HIGH * DEEP];
    kin_tiles_desc desc = none;
    fill_cells(s, cells);
    desc.size = cell(WIDE, HIGH, DEEP);
    desc.cell = s->unit;
    desc.origin = at(s, -WIDE / 2, 0, -DEEP / 2);
    desc.cells = cells;
    s->tiles = kin_add_tiles(s->world, &desc);
    define_slopes(s);
}

static void build_tiles(stage *s)
{
    open_world(s, -30);
    add_tile_level(s);
    add_heroes(s, 14, 20, 5, 1);
}

static void command_tiles(stage *s, int step)
{
    command_heroes(s);
    if (step % 20 == 7) {
        int x = 1 + below(s, WIDE - 2), y = 5 + below(s, 3), value = below(s, 9);
        kin_set_tile(s->world, s->tiles, cell(x, y, 1 % DEEP), (uint8_t)value);
    }
    if (step == 150) {
        kin_tile belt = slope(1, 1);
        belt.surface_velocity = size(s, -3, 0, 0);
        kin_define_tile(s->world, s->tiles, CONVEYOR, &belt);
    }
}

/* The same among pixels, far from the origin. */
static void build_far(stage *s)
{
    s->unit = 16;
    s->origin = vec(16384, -8192, 0);
    build_tiles(s);
}

/* ---- meshes: hills of segments or triangles ------------------------------------------------------------------------- */

enum { ACROSS = 25, ALONG = KINEMATIC_DIM == 2 ? 1 : 5 };

static int connect(int *indices)
{
    int i, k, n = 0;
    for (i = 0; i + 1 < ACROSS; i++) {
#if KINEMATIC_DIM == 2
        k = 0;
        indices[n++] = i;
        indices[n++] = i + 1;
#else
        for (k = 0; k + 1 < ALONG; k++) {
            int a = i + ACROSS * k, b = a + 1, c = a + ACROSS, d = c + 1;
            indices[n++] = a, indices[n++] = c, indices[n++] = b;
            indices[n++] = b, indices[n++] = c, indices[n++] = d;
        }
#endif
    }
    (void)k;
    return n;
}

static kin_id add_hills(stage *s, kin_vec position, float step, kin_id attach)
{
    static const kin_mesh_desc none;
    kin_vec       points[ACROSS * ALONG];
    int           indices[ACROSS * ALONG * 6], i, k;
    kin_mesh_desc desc = none;
    for (k = 0; k < ALONG; k++)
        for (i = 0; i < ACROSS; i++) {
            float y = i == 0 || i == ACROSS - 1 ? 6 : between(s, 0, 1);
            points[i + ACROSS * k] = vec((float)(i - ACROSS / 2) * step, y, (float)(k * 2 - ALONG + 1) * step);
        }
    desc.points = points;
    desc.point_count = ACROSS * ALONG;
    desc.indices = indices;
    desc.index_count = connect(indices);
    desc.position = position;
    desc.attach = attach;
    return kin_add_mesh(s->world, &desc);
}

static void build_mesh(stage *s)
{
    static const kin_id nobody;
    kin_mover_desc  raft = no_mover;
    kin_static_desc ramp = no_static;
    open_world(s, -30);
    add_hills(s, vec(0, 0, 0), 2, nobody);
    add_box(s, vec(0, -4, 0), vec(60, 2, 40));
    raft.shape = kin_box(vec(1, 0.5f, 1));
    raft.position = vec(-6, 4, 0);
    raft.velocity = vec(1, 0.25f, 0);
    add_hills(s, vec(0, 0.25f, 0), 0.25f, put_mover(s, &raft));
    ramp.shape = kin_box(vec(6, 0.5f, 4));
    ramp.position = vec(8, 2, 0);
    ramp.rotation = tilt(0.5f);
    kin_add_static(s->world, &ramp);
    add_heroes(s, 14, 18, 5, 3);
}

static void command_mesh(stage *s, int step)
{
    command_heroes(s);
    if (step % 100 == 99) kin_set_velocity(s->world, s->movers[0], vec(step % 200 == 99 ? -1.5f : 1.5f, 0, 0));
}

/* ---- movers: turntables, wheels, lifts and ferries, with riders ------------------------------------------------------- */

static void ferry(kin_world *world, kin_id id, float dt, void *user)
{
    kin_vec p = kin_get_position(world, id), v = kin_get_velocity(world, id);
    (void)dt, (void)user;
    if (p.x > 8) v.x = -2;
    if (p.x < -8) v.x = 2;
    if (p.y > 6) v.y = -1.5f;
    if (p.y < 2) v.y = 1.5f;
    kin_set_velocity(world, id, v);
}

static void add_turntable(stage *s, float x, float y, float speed)
{
    kin_static_desc post = no_static;
    kin_mover_desc  desc = no_mover;
    desc.shape = box(s, 4, 0.5f, 4);
    desc.position = vec(x, y, 0);
    desc.spin = spin(speed, true);
    post.attach = put_mover(s, &desc);
    post.shape = kin_ball(0.5f);
    post.position = vec(1.5f, 0.75f, 0.5f);
    kin_add_static(s->world, &post);
}

static void build_movers(stage *s)
{
    static const kin_tiles_desc none;
    static const uint8_t cells[8] = { 1, 2, 1, 1, 1, 2, 1, 1 };
    kin_tiles_desc deck = none;
    kin_mover_desc lift = no_mover, wheel = no_mover;
    int            i;
    open_world(s, -30);
    add_room(s, 16, 16, 5);
    for (i = 0; i < 4; i++) add_turntable(s, (float)(i * 8 - 12), 2, 0.25f + (float)i * 0.5f);
    wheel.shape = box(s, 6, 0.75f, 3);
    wheel.position = vec(0, 6, 0);
    wheel.spin = spin(0.75f, false);
    put_mover(s, &wheel);
    lift.shape = box(s, 3, 0.5f, 3);
    lift.control = ferry;
    for (i = 0; i < 4; i++) {
        lift.position = vec((float)(i * 4 - 7), 3 + (float)i, (float)(i - 2));
        lift.velocity = vec(2, i % 2 ? 1.5f : 0, 0);
        lift.carry = (kin_carry)(i % 3);
        lift.on_blocked = i == 3 ? KIN_BLOCKED_STOP : KIN_BLOCKED_PASS;
        put_mover(s, &lift);
    }
    deck.size = cell(4, 1, KINEMATIC_DIM == 2 ? 1 : 2);
    deck.origin = vec(-2, 0.25f, -1);
    deck.cells = cells;
    deck.attach = s->movers[6];
    kin_add_tiles(s->world, &deck);
    add_heroes(s, 20, 14, 8, 3);
}

static void command_movers(stage *s, int step)
{
    int     which = below(s, 5);
    float   speed = between(s, -2, 2), angle = between(s, -1, 1);
    kin_vec to = within(s, 2, 1, 3, 0);
    to.x -= 4;
    command_heroes(s);
    if (step % 50 == 25) kin_set_spin(s->world, s->movers[which], spin(speed, angle > -0.5f));
    if (step % 70 == 40) kin_move_to(s->world, s->movers[1], to, tilt(angle));
}

/* ---- rows of crates, pushed from both sides -------------------------------------------------------------------------- */

static void add_row(stage *s, float x, float y, float z, int count, kin_push head, float speed)
{
    kin_body_desc crate = no_body;
    int           i;
    for (i = 0; i < count; i++) {
        crate.shape = i % 4 == 3 ? kin_ball(0.5f) : box(s, 1, 1, 1);
        crate.position = vec(x + (float)i * (i % 3 == 2 ? 1.0625f : 1.125f), y, z);
        crate.glide = i % 5 == 4;
        crate.push = i == 0 ? head : KIN_PUSHABLE;
        crate.velocity = i == 0 ? vec(speed, 0, 0) : vec(0, 0, 0);
        put_body(s, &crate);
    }
}

static void build_rows(stage *s)
{
    kin_static_desc belt = no_static;
    open_world(s, -30);
    add_room(s, 14, 12, 5);
    belt.shape = box(s, 6, 0.25f, 8);
    belt.position = vec(9, 0.125f, 0);
    belt.surface_velocity = vec(-1.5f, 0, 0);
    kin_add_static(s->world, &belt);
    add_row(s, -12, 0.5f, -2, 6, KIN_UNPUSHABLE, 4);
    add_row(s, -12, 2, -2, 4, KIN_PUSHABLE, 0);
    add_row(s, 2, 0.75f, -2, 5, KIN_UNPUSHABLE, -3);
    add_row(s, -6, 3.5f, 1.25f, 7, KIN_PUSHABLE, 6);
    add_row(s, 0, 6, 2, 5, KIN_INTANGIBLE, 5);
    kin_ignore(s->world, s->bodies[3], s->bodies[8], true);
}

static void command_rows(stage *s, int step)
{
    int i;
    for (i = 0; i < s->body_count; i++) {
        kin_vec v = kin_get_velocity(s->world, s->bodies[i]);
        v.x = step % 120 < 80 ? (i < 10 ? 3.0f : -2.0f) : -1.0f;
        if (i % 6 == 0) kin_set_velocity(s->world, s->bodies[i], v);
    }
    i = below(s, s->body_count);
    if (step % 40 == 20) kin_set_push(s->world, s->bodies[i], (kin_push)below(s, 3));
}

/* ---- crushers, doors and a press ----------------------------------------------------------------------------------------- */

static void press(kin_world *world, kin_id id, float dt, void *user)
{
    uint64_t turn = kin_world_steps(world) / 48 % 2;
    (void)dt, (void)user;
    kin_set_velocity(world, id, vec(0, turn ? 3.0f : -3.0f, 0));
}

static void build_crush(stage *s)
{
    kin_mover_desc desc = no_mover;
    kin_body_desc  body = no_body;
    int            i;
    open_world(s, -30);
    add_room(s, 14, 10, 5);
    desc.shape = box(s, 3, 2, 6);
    desc.control = press;
    for (i = 0; i < 5; i++) {
        desc.position = vec((float)(i * 5 - 10), 2.75f + (float)i * 0.125f, 0);
        desc.on_blocked = (kin_blocked)(i % 2);
        put_mover(s, &desc);
    }
    desc.shape = box(s, 0.5f, 4, 6);
    desc.control = NULL;
    desc.position = vec(-13, 2, 0);
    desc.velocity = vec(3, 0, 0);
    put_mover(s, &desc);
    for (i = 0; i < 20; i++) {
        body.shape = any_shape(s);
        body.position = vec((float)i * 1.25f - 12, 1, between(s, -2, 2));
        body.push = (kin_push)below(s, 3);
        body.on_crush = chance(s, 20) ? KIN_CRUSH_DISABLE : KIN_CRUSH_KEEP;
        put_body(s, &body);
    }
    kin_set_position(s->world, s->bodies[3], vec(-12, -1, 0));
}

static void command_crush(stage *s, int step)
{
    command_heroes(s);
    if (step % 90 == 60) kin_set_velocity(s->world, s->movers[5], vec(step % 180 == 60 ? -4.0f : 4.0f, 0, 0));
    if (step % 75 == 74) kin_set_enabled(s->world, s->bodies[below(s, s->body_count)], true);
}

/* ---- everything: things come and go, and every setter is used --------------------------------------------------------- */

static void build_all(stage *s)
{
    open_world(s, -30);
    add_tile_level(s);
    add_heroes(s, 16, 20, 5, 1);
}

static void add_something(stage *s)
{
    kin_mover_desc  mover = no_mover;
    kin_static_desc fixed = no_static;
    mover.shape = any_shape(s);
    mover.position = within(s, 18, 4, 8, 1);
    mover.velocity = vec(between(s, -2, 2), 0, 0);
    mover.spin = spin(between(s, -1, 1), mover.velocity.x > 0);
    mover.one_way = chance(s, 25) ? vec(0, 1, 0) : vec(0, 0, 0);
    fixed.shape = any_shape(s);
    fixed.position = within(s, 18, 4, 8, 0);
    fixed.rotation = tilt(between(s, -2, 2));
    fixed.sensor = chance(s, 25);
    if (chance(s, 40)) put_mover(s, &mover);
    else if (chance(s, 50)) kin_add_static(s->world, &fixed);
    else add_heroes(s, 1, 18, 6, 1);
}

static void change_body(stage *s, kin_id id)
{
    kin_body_desc options;
    kin_shape     shape = any_shape(s);
    kin_id        other = s->bodies[below(s, s->body_count)];
    bool          yes = chance(s, 55);
    switch (below(s, 10)) {
    case 0: kin_set_shape(s->world, id, &shape); break;
    case 1: kin_set_position(s->world, id, within(s, 20, 3, 9, 1)); break;
    case 2: kin_set_rotation(s->world, id, tilt(between(s, -3, 3))); break;
    case 3: kin_set_filter(s->world, id, 1u << below(s, 2), yes ? ~0u : 3u); break;
    case 4: kin_set_enabled(s->world, id, yes); break;
    case 5: kin_ignore(s->world, id, other, yes); break;
    case 6: kin_move(s->world, id, within(s, 2, -2, 2, 1)); break;
    case 7: kin_remove(s->world, id); break;
    default:
        if (!kin_get_body_options(s->world, id, &options)) break;
        options.weightless = chance(s, 20);
        options.max_slope = between(s, 0, 1) + 0.25f;
        options.snap = between(s, 0, 1);
        options.gravity_scale = between(s, 1, 2);
        options.ride = (kin_ride)below(s, 2);
        kin_set_body_options(s->world, id, &options);
    }
}

static void command_all(stage *s, int step)
{
    command_heroes(s);
    if (step % 6 == 3) add_something(s);
    if (step % 4 == 1) change_body(s, s->bodies[below(s, s->body_count)]);
    if (step % 30 == 29 && s->mover_count > 0) kin_remove(s->world, s->movers[below(s, s->mover_count)]);
    if (step % 100 == 50) kin_world_set_gravity(s->world, vec(step == 150 ? 4.0f : 0, -24, 0));
}

/* ---- seen from above: no gravity, no ground ---------------------------------------------------------------------------- */

static void build_flat(stage *s)
{
    kin_mover_desc wheel = no_mover;
    open_world(s, 0);
    add_room(s, 10, 10, 5);
    wheel.shape = box(s, 6, 0.75f, 4);
    wheel.position = vec(0, 5, 0);
    wheel.spin = spin(1.5f, false);
    put_mover(s, &wheel);
    add_heroes(s, 20, 8, 2, 3);
}

static void command_flat(stage *s, int step)
{
    kin_vec velocity = within(s, 8, -8, 8, 4);
    (void)step;
    if (chance(s, 50)) kin_set_velocity(s->world, s->bodies[below(s, s->body_count)], velocity);
}

/* ---- running ---------------------------------------------------------------------------------------------------------- */

static void add_to_trail(stage *s, uint64_t number)
{
    s->trail = (s->trail ^ number) * 0x100000001B3u;
    s->trail ^= s->trail >> 32;
}

/* Events, and what a ray and a shape meet from a random place. */
static void follow(stage *s)
{
    const kin_event *events;
    kin_shape        probe = any_shape(s);
    kin_hit          hit;
    kin_pose         from = kin_get_draw_pose(s->world, s->bodies[below(s, s->body_count)]);
    kin_id           found[4];
    int              i, count = kin_get_events(s->world, &events);
    for (i = 0; i < count; i++) {
        add_to_trail(s, (uint64_t)events[i].type);
        add_to_trail(s, events[i].a.slot);
        add_to_trail(s, events[i].b.slot);
        add_to_trail(s, (uint64_t)(uint32_t)events[i].part);
    }
    add_to_trail(s, kin_cast_ray(s->world, from.p, size(s, 3, -4, 1), NULL, &hit) ? hit.id.slot + (uint64_t)(hit.t * 65536) * 65536 : 0);
    add_to_trail(s, kin_cast_shape(s->world, &probe, from, size(s, -4, -1, 1), NULL, &hit) ? hit.id.slot + (uint64_t)(hit.t * 65536) * 65536 : 0);
    add_to_trail(s, (uint64_t)kin_overlap(s->world, &probe, from, NULL, found, 4));
    add_to_trail(s, kin_world_hash(s->world));
}

/* Saves the world twice, into memory that held one thing and another, goes on and comes back: what was saved must be the
   same bytes, and every hash that follows the same as without. */
static void save_and_come_back(stage *s)
{
    static uint64_t one[1 << 16], two[1 << 16];
    size_t          i, bytes = kin_snapshot_size(s->world);
    bool            same = bytes <= sizeof one;
    for (i = 0; i < sizeof one / sizeof *one; i++) {
        one[i] = 0;
        two[i] = ~(uint64_t)0;
    }
    same = same && kin_snapshot_save(s->world, one, sizeof one) == bytes &&
           kin_snapshot_save(s->world, two, sizeof two) == bytes;
    for (i = 0; i < bytes && same; i++) same = ((const char *)one)[i] == ((const char *)two)[i];
    if (!same) {
        put_line("snapshots differ", 16);
        return;
    }
    for (i = 0; i < 3; i++) kin_world_step(s->world, 1.0f / 64);
    if (!kin_snapshot_load(s->world, one, bytes)) put_line("snapshot refused", 16);
}

static void run(const char *name, void (*build)(stage *), void (*command)(stage *, int))
{
    static const stage none;
    stage s = none;
    int   step;
    s.unit = 1;
    s.dice = 20;
    build(&s);
    for (step = 1; step <= STEPS; step++) {
        command(&s, step);
        if (step % 50 == 0) save_and_come_back(&s);
        kin_world_step(s.world, 1.0f / 64);
        follow(&s);
        if (step == 1 || step % EVERY == 0) put_state(&s, name, step);
    }
    kin_world_destroy(s.world);
}

int golden(void);
int golden(void)
{
    run("tiles", build_tiles, command_tiles);
    run("far", build_far, command_tiles);
    run("mesh", build_mesh, command_mesh);
    run("movers", build_movers, command_movers);
    run("rows", build_rows, command_rows);
    run("crush", build_crush, command_crush);
    run("all", build_all, command_all);
    run("flat", build_flat, command_flat);
    return 0;
}

#ifndef KINEMATIC_NO_STDLIB
int main(void) { return golden(); }
#endif
