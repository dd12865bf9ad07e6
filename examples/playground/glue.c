/* SPDX-License-Identifier: MIT OR Unlicense

   glue.c: what the page calls. Built for wasm32 without a C library, once for 2D with game.h and once for 3D with
   game3.h; both have the same game functions, so most of what is exported is the same.

   Numbers go over as arguments and results, lists through one buffer of floats that play_buffer names. A game is an
   address; there may be several. */
#include <stddef.h>
#include <stdint.h>

void *memcpy(void *to, const void *from, size_t bytes) { return __builtin_memcpy(to, from, bytes); }
void *memset(void *memory, int value, size_t bytes) { return __builtin_memset(memory, value, bytes); }

#include "kinematic.h"

#define sqrtf(x) __builtin_sqrtf(x)
#if KINEMATIC_DIM == 2
#include "game.h"
#else
#include "game3.h"
static int place_of(const game *g, kin_id id) { return (void)g, (void)id, -1; }   /* there are no places in 3D */
#endif

#define EXPORT(name) __attribute__((export_name(#name)))

__attribute__((import_module("env"), import_name("log"))) void js_log(const char *text);

/* ---- memory: free lists of powers of two, since release is told the size --------------------------------------- */

extern unsigned char __heap_base;
static unsigned char *heap_top, *heap_end;
static void          *free_lists[32];

static int class_of(size_t bytes)
{
    int k = 4;
    while (((size_t)1 << k) < bytes) k++;
    return k;
}

static void *allocate(size_t bytes, void *user)
{
    int    k = class_of(bytes);
    void  *taken = free_lists[k];
    size_t size = (size_t)1 << k;
    (void)user;
    if (taken) {
        free_lists[k] = *(void **)taken;
        return taken;
    }
    if (!heap_top) {
        heap_top = (unsigned char *)(((uintptr_t)&__heap_base + 15) & ~(uintptr_t)15);
        heap_end = (unsigned char *)(__builtin_wasm_memory_size(0) * 65536);
    }
    if ((size_t)(heap_end - heap_top) < size) {
        size_t pages = (size + 65535) / 65536;
        if (__builtin_wasm_memory_grow(0, pages) == (size_t)-1) return NULL;
        heap_end += pages * 65536;
    }
    taken = heap_top;
    heap_top += size;
    return taken;
}

static void release(void *memory, size_t bytes, void *user)
{
    int k = class_of(bytes);
    (void)user;
    if (!memory) return;
    *(void **)memory = free_lists[k];
    free_lists[k] = memory;
}

static void log_line(const char *text, void *user)
{
    (void)user;
    js_log(text);
}

EXPORT(play_allocate) void *play_allocate(size_t bytes) { return allocate(bytes, NULL); }
EXPORT(play_release) void play_release(void *memory, size_t bytes) { release(memory, bytes, NULL); }

/* ---- a buffer of floats for lists ------------------------------------------------------------------------------ */

enum { BUFFER_FLOATS = 1 << 17 };
static float buffer[BUFFER_FLOATS];
static int   filled;

EXPORT(play_buffer) float *play_buffer(void) { return buffer; }

static void give(float value)
{
    if (filled < BUFFER_FLOATS) buffer[filled++] = value;
}

/* ---- a game ---------------------------------------------------------------------------------------------------- */

/* The options are in the buffer. */
EXPORT(play_create) game *play_create(int columns, int rows)
{
    game          *g = allocate(sizeof *g, NULL);
    kin_world_desc desc = { .on_log = log_line, .allocate = allocate, .release = release };
    if (!g) return NULL;
    if (game_begin(g, columns, rows, buffer, desc)) return g;
    release(g, sizeof *g, NULL);
    return NULL;
}

EXPORT(play_destroy) void play_destroy(game *g)
{
    kin_world_destroy(g->world);
    release(g, sizeof *g, NULL);
}

EXPORT(play_step) void play_step(game *g, uint32_t keys) { game_step(g, keys); }
EXPORT(play_steps) double play_steps(const game *g) { return (double)kin_world_steps(g->world); }
EXPORT(play_hash_low) uint32_t play_hash_low(const game *g) { return (uint32_t)kin_world_hash(g->world); }
EXPORT(play_hash_high) uint32_t play_hash_high(const game *g) { return (uint32_t)(kin_world_hash(g->world) >> 32); }

/* Statics, movers, bodies, idle bodies. */
EXPORT(play_stats) int play_stats(const game *g)
{
    kin_stats stats = kin_world_get_stats(g->world);
    filled = 0;
    give((float)stats.statics), give((float)stats.movers), give((float)stats.bodies), give((float)stats.idle);
    return filled;
}

/* ---- saving: the world's snapshot, and before it what the game keeps beside the world -------------------------- */

#if KINEMATIC_DIM == 2
static size_t own_bytes(const game *g) { return offsetof(game, places) + (size_t)g->count * sizeof(place); }
#else
static size_t own_bytes(const game *g) { return sizeof *g; }
#endif

EXPORT(play_saved_size) size_t play_saved_size(const game *g) { return own_bytes(g) + kin_snapshot_size(g->world); }

EXPORT(play_save) size_t play_save(const game *g, unsigned char *to, size_t capacity)
{
    size_t own = own_bytes(g);
    if (capacity < own) return 0;
    memcpy(to, g, own);
    return own + kin_snapshot_save(g->world, to + own, capacity - own);
}

EXPORT(play_load) int play_load(game *g, const unsigned char *from, size_t size)
{
    kin_world *world = g->world;
    size_t     own = own_bytes((const game *)from);
    memcpy(g, from, own);
    g->world = world;
    return kin_snapshot_load(world, from + own, size - own);
}

/* ---- debug draw: x, y (, z) of both ends and the colour as red, green, blue, opacity --------------------------- */

static void give_vec(kin_vec v)
{
    give(v.x), give(v.y);
#if KINEMATIC_DIM == 3
    give(v.z);
#endif
}

static void give_line(kin_vec from, kin_vec to, uint32_t rgba, void *user)
{
    (void)user;
    give_vec(from), give_vec(to);
    for (int shift = 24; shift >= 0; shift -= 8) give((float)(rgba >> shift & 255));
}

/* ---- one thing of the world, for looking at -------------------------------------------------------------------- */

EXPORT(play_hero_slot) int play_hero_slot(const game *g, int player) { return (int)g->players[player].id.slot; }

static kin_id find_slot(const game *g, uint32_t slot)
{
    kin_id id = { 0 };
    do id = kin_next(g->world, KIN_NOTHING, id);
    while (id.slot && id.slot != slot);
    return id;
}

/* layers: KIN_DRAW_..., at least one; slot: of one thing alone, 0 for all. */
EXPORT(play_debug_lines) int play_debug_lines(const game *g, uint32_t layers, uint32_t slot)
{
    kin_draw_options options = { .layers = layers };
    filled = 0;
    if (slot) options.only = find_slot(g, slot);
    if (slot && !options.only.slot) return 0;
    kin_debug_draw_options(g->world, &(kin_draw){ .line = give_line }, &options);
    return filled;
}

/* Kind, place, position, velocity, motion, leftover; ground: footing, slot, normal, part; then flags: wall, ceiling,
   crushed, embedded, blocked, riders; the contacts: slot, normal, point, gap, part. 0 floats: no such thing. */
EXPORT(play_inspect) int play_inspect(const game *g, uint32_t slot)
{
    kin_contact contacts[16];
    kin_id      id = find_slot(g, slot);
    kin_kind    kind = id.slot ? kin_get_kind(g->world, id) : KIN_NOTHING;
    bool        body = kind == KIN_BODY, moves = body || kind == KIN_MOVER;
    kin_vec     zero = { 0 };
    kin_ground  ground = { 0 };
    int         count;
    filled = 0;
    if (!id.slot) return 0;
    if (body) ground = kin_get_ground(g->world, id);
    give((float)kind), give((float)place_of(g, id));
    give_vec(kin_get_position(g->world, id));
    give_vec(moves ? kin_get_velocity(g->world, id) : zero);
    give_vec(moves ? kin_get_motion(g->world, id) : zero);
    give_vec(body ? kin_get_leftover(g->world, id) : zero);
    give((float)ground.footing), give((float)ground.id.slot), give_vec(ground.normal), give((float)ground.part);
    give(body && kin_on_wall(g->world, id)), give(body && kin_on_ceiling(g->world, id));
    give(body && kin_is_crushed(g->world, id)), give(body && kin_is_embedded(g->world, id));
    give(kind == KIN_MOVER && kin_is_blocked(g->world, id));
    give((float)kin_get_riders(g->world, id, NULL, 0));
    count = kin_get_contacts(g->world, id, contacts, 16);
    for (int i = 0; i < count && i < 16; i++) {
        give((float)contacts[i].other.slot), give_vec(contacts[i].normal), give_vec(contacts[i].point);
        give(contacts[i].gap), give((float)contacts[i].part);
    }
    return filled;
}

/* The last step's events: type, slots of a and b, speed, part. */
EXPORT(play_events) int play_events(const game *g)
{
    const kin_event *event;
    filled = 0;
    for (int n = kin_get_events(g->world, &event); n > 0; n--, event++) {
        give((float)event->type), give((float)event->a.slot), give((float)event->b.slot);
        give(event->speed), give((float)event->part);
    }
    return filled;
}

/* Place of what has this slot, -1 if it has none. */
EXPORT(play_place_of) int play_place_of(const game *g, uint32_t slot) { return place_of(g, find_slot(g, slot)); }

#if KINEMATIC_DIM == 2
/* ---- 2D: the level and its edits ------------------------------------------------------------------------------- */

EXPORT(play_put) int play_put(game *g, int index, int type, float x, float y, float w, float h, float angle, float dx,
                              float dy, float speed, float tag)
{
    return game_put(g, index, (thing){ type, x, y, w, h, angle, dx, dy, speed, tag });
}

EXPORT(play_tile) int play_tile(game *g, int x, int y, int value) { return game_tile(g, x, y, value); }
EXPORT(play_get_tile) int play_get_tile(const game *g, int x, int y)
{
    return kin_get_tile(g->world, g->tiles, kin_c(x, y));
}

EXPORT(play_option) void play_option(game *g, int option, float value) { game_option(g, option, value); }
EXPORT(play_get_option) float play_get_option(const game *g, int option) { return g->options[option]; }
EXPORT(play_count) int play_count(const game *g) { return g->count; }

EXPORT(play_get) int play_get(const game *g, int index)
{
    const thing *t = &g->places[index].is;
    filled = 0;
    give((float)t->type), give(t->x), give(t->y), give(t->w), give(t->h), give(t->angle);
    give(t->dx), give(t->dy), give(t->speed), give(t->tag);
    return filled;
}

EXPORT(play_slot) int play_slot(const game *g, int index) { return (int)g->places[index].id.slot; }

EXPORT(play_tiles) int play_tiles(const game *g)
{
    filled = 0;
    for (int y = 0; y < g->rows; y++)
        for (int x = 0; x < g->columns; x++) give(kin_get_tile(g->world, g->tiles, kin_c(x, y)));
    return filled;
}

/* Coins, falls, goals, reached, won; then what the drawing of each hero needs: facing, on the ground, up. */
EXPORT(play_score) int play_score(const game *g)
{
    filled = 0;
    give((float)g->coins), give((float)g->falls), give((float)g->goals), give((float)g->reached), give((float)g->won);
    for (int i = 0; i < PLAYERS; i++) {
        const player *p = &g->players[i];
        give((float)p->facing), give(p->id.slot && kin_on_ground(g->world, p->id)), give_vec(p->up);
    }
    return filled;
}

/* Where it is between the last two steps. Worlds here are stepped singly, so the library's own draw pose is the one
   before the last step. */
static kin_vec between(const game *g, kin_id id, float alpha)
{
    kin_vec a = kin_get_draw_pose(g->world, id).p, b = kin_get_position(g->world, id);
    a.x += (b.x - a.x) * alpha;
    a.y += (b.y - a.y) * alpha;
    return a;
}

static void give_pose(const game *g, kin_id id, float alpha)
{
    kin_rot a = kin_get_draw_pose(g->world, id).q, b = kin_get_rotation(g->world, id);
    give_vec(between(g, id, alpha));
    give(a.c + (b.c - a.c) * alpha), give(a.s + (b.s - a.s) * alpha);
}

/* For each place that is there: its number, pose (x, y, cosine, sine), state. */
EXPORT(play_draw) int play_draw(const game *g, float alpha)
{
    filled = 0;
    for (int i = 0; i < g->count; i++) {
        if (!g->places[i].id.slot) continue;
        give((float)i);
        give_pose(g, g->places[i].id, alpha);
        give((float)g->places[i].state);
    }
    return filled;
}

/* For each of the crowd: position and radius. */
EXPORT(play_draw_crowd) int play_draw_crowd(const game *g, float alpha)
{
    kin_shape shape;
    filled = 0;
    for (kin_id id = kin_next(g->world, KIN_BODY, (kin_id){ 0 }); id.slot; id = kin_next(g->world, KIN_BODY, id)) {
        if (type_of(g, id) != CROWD || !kin_get_shape(g->world, id, &shape)) continue;
        give_vec(between(g, id, alpha));
        give(shape.radius);
    }
    return filled;
}

/* Slot of what is at a point, 0 if nothing is; bodies first, then movers, tiles last. */
EXPORT(play_pick) int play_pick(const game *g, float x, float y)
{
    kin_id     found[32];
    kin_shape  dot_shape = kin_ball(0.08f);
    kin_filter all = { .sensors = true };
    int        best = 0, rank = 0, count;
    count = kin_overlap(g->world, &dot_shape, (kin_pose){ .p = { x, y } }, &all, found, 32);
    for (int i = 0; i < count && i < 32; i++) {
        int own = (int)kin_get_kind(g->world, found[i]) * 2 + (place_of(g, found[i]) >= 0);
        if (own >= rank) rank = own, best = (int)found[i].slot;
    }
    return best;
}

/* Half the size of the box around a thing of this slot, and its middle. */
EXPORT(play_bounds) int play_bounds(const game *g, uint32_t slot)
{
    kin_vec low, high;
    kin_id  id = find_slot(g, slot);
    filled = 0;
    if (!id.slot || !kin_get_bounds(g->world, id, &low, &high)) return 0;
    give_vec(low), give_vec(high);
    return filled;
}
#endif

#if KINEMATIC_DIM == 3
/* ---- 3D: what the view needs ----------------------------------------------------------------------------------- */

static kin_vec mixed(kin_vec a, kin_vec b, float t)
{
    return kin_v(a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t, a.z + (b.z - a.z) * t);
}

static kin_vec turned(kin_rot q, kin_vec v)
{
    kin_vec t = { 2 * (q.y * v.z - q.z * v.y), 2 * (q.z * v.x - q.x * v.z), 2 * (q.x * v.y - q.y * v.x) };
    return kin_v(v.x + q.w * t.x + q.y * t.z - q.z * t.y, v.y + q.w * t.y + q.z * t.x - q.x * t.z,
                 v.z + q.w * t.z + q.x * t.y - q.y * t.x);
}

/* Each thing between the last two steps: slot, kind, pushable, radius, number of points, the points. The corners are
   mixed, not the rotation: a step turns little. */
EXPORT(play_solids) int play_solids(const game *g, float alpha)
{
    kin_id none = { 0 };
    filled = 0;
    for (kin_id id = kin_next(g->world, KIN_NOTHING, none); id.slot; id = kin_next(g->world, KIN_NOTHING, id)) {
        kin_pose  before = kin_get_draw_pose(g->world, id);
        kin_vec   p = kin_get_position(g->world, id);
        kin_rot   q = kin_get_rotation(g->world, id);
        kin_shape shape;
        if (!kin_get_shape(g->world, id, &shape)) continue;
        give((float)id.slot), give((float)kin_get_kind(g->world, id)), give(!kin_same(id, g->players[0].id));
        give(shape.radius), give((float)shape.count);
        for (int i = 0; i < shape.count; i++) {
            kin_vec a = turned(before.q, shape.points[i]), b = turned(q, shape.points[i]);
            a = kin_v(before.p.x + a.x, before.p.y + a.y, before.p.z + a.z);
            b = kin_v(p.x + b.x, p.y + b.y, p.z + b.z);
            give_vec(mixed(a, b, alpha));
        }
    }
    return filled;
}

/* The camera and what it looks at: behind the hero, nearer if something is in between. */
EXPORT(play_camera) int play_camera(const game *g, float alpha)
{
    kin_id     hero = g->players[0].id;
    kin_rot    q = half_turn(g->heading);
    kin_vec    head = mixed(kin_get_draw_pose(g->world, hero).p, kin_get_position(g->world, hero), alpha);
    kin_vec    back = { -6.5f * q.y, 2.8f, -6.5f * q.w };
    kin_shape  lens = kin_ball(0.2f);
    kin_filter others = { .ignore = hero };
    kin_hit    hit;
    float      part;
    head.y += 0.9f;
    part = kin_cast_shape(g->world, &lens, (kin_pose){ .p = head }, back, &others, &hit) ? hit.t : 1;
    filled = 0;
    give_vec(kin_v(head.x + part * back.x, head.y + part * back.y, head.z + part * back.z));
    give_vec(head);
    return filled;
}
#endif
