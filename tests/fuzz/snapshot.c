/* SPDX-License-Identifier: MIT OR Unlicense

   snapshot.c: hostile snapshots. Bytes choose a world, and what is done to its honest snapshot: words and bytes
   changed, rows swapped, cut or stretched, with or without a checksum made to fit; or they are the snapshot. Such a
   thing is refused and the world is as it was, or it is loaded, and then the world can be stepped, asked and ended.
   A snapshot that leaves its level out also meets worlds with that level, with another one and with none. In the honest
   worlds, before and after they loaded their own, N11 and N12 of the catalogue hold; a made-up one may say of a body
   that its place on a mover is anywhere. */
#define KINEMATIC_IMPLEMENTATION
#ifndef KINI_KEEP_MACROS
#define KINI_KEEP_MACROS
#endif
#include "kinematic.h"
#include "fuzz.h"

enum { MOST_CHANGES = 24 };

/* The worlds that snapshots come from. LEVEL holds its level in its snapshots; those after it leave it out. */
enum { PLAIN, LIFTS, LEVEL, FLOATING, APART, OTHER_LEVEL, EDITED_LEVEL, WORLDS };
enum { WHOLE_WORLDS = FLOATING + 1 };

typedef struct honest { uint8_t *buffer; size_t size; } honest;

static kin_world *victims[WORLDS];   /* made when first needed */
static purse      memory[WORLDS];    /* of each: a snapshot may ask for more than there is */
static honest     snapshots[WORLDS];

/* ---- the worlds ------------------------------------------------------------------------------------------------------ */

static void wander(kin_world *world, kin_id id, float dt, void *user)
{
    kin_vec v = kin_get_velocity(world, id);
    (void)dt, (void)user;
    v.x = kin_get_position(world, id).x > 0 ? -2.0f : 2.0f;
    kin_set_velocity(world, id, v);
}

static void say_nothing(const char *text, void *user) { (void)text, (void)user; }

static kin_world *empty_world(int number)
{
    kin_world_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.gravity = number == FLOATING ? box_size(0, 0, 0) : box_size(0, -30, 0);
    desc.level_apart = number >= APART;
    desc.on_log = say_nothing;
    desc.allocate = purse_take;
    desc.release = purse_give;
    desc.user = &memory[number];
    return kin_world_create(&desc);
}

static kin_shape some_shape(int i)
{
    kin_vec points[5];
    int     k;
    if (i % 4 == 0) return kin_box(box_size(1, 1, 1));
    if (i % 4 == 1) return kin_ball(0.5f);
    if (i % 4 == 2) return kin_capsule(1.5f, 0.375f);
    for (k = 0; k < 5; k++) points[k] = box_size((float)(k % 3) * 0.5f - 0.5f, (float)(k % 2) - 0.5f, (float)(k / 3) - 0.5f);
    return kin_hull(points, 5, 0.125f);
}

static void add_box(kin_world *world, kin_vec at, kin_vec size)
{
    kin_static_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.shape = kin_box(size);
    desc.position = at;
    kin_add_static(world, &desc);
}

static void add_bodies(kin_world *world, int count)
{
    int i;
    for (i = 0; i < count; i++) {
        kin_body_desc desc;
        memset(&desc, 0, sizeof desc);
        desc.shape = some_shape(i);
        desc.position = box_size((float)i * 1.5f - 6, 3 + (float)(i % 3), (float)(i % 2));
        desc.velocity = box_size((float)(i % 5) - 2, 0, 0);
        desc.push = (kin_push)(i % 3);
        desc.control = i % 4 == 0 ? wander : NULL;
        kin_add_body(world, &desc);
    }
}

static void add_lifts(kin_world *world)
{
    kin_mover_desc  desc;
    kin_static_desc part;
    memset(&desc, 0, sizeof desc);
    memset(&part, 0, sizeof part);
    desc.shape = kin_box(box_size(3, 0.5f, 3));
    desc.position = box_size(-3, 1, 0);
    desc.velocity = box_size(1, 0.5f, 0);
    desc.on_blocked = KIN_BLOCKED_STOP;
    desc.control = wander;
    part.attach = kin_add_mover(world, &desc);
    part.shape = kin_ball(0.25f);
    part.position = box_size(1, 0.5f, 0);
    kin_add_static(world, &part);
}

static kin_id add_level(kin_world *world, int number)
{
    static uint8_t cells[16 * 3 * 4];
    kin_tiles_desc tiles;
    kin_mesh_desc  mesh;
    kin_vec        points[6];
    kin_id         grid;
    int            indices[12], i, n = 0;
    memset(&tiles, 0, sizeof tiles);
    memset(&mesh, 0, sizeof mesh);
    for (i = 0; i < (int)sizeof cells; i++) cells[i] = (uint8_t)(i % 16 < 12 && i / 16 % 3 == 0 ? 1 : i % 9 == 0 ? 2 : 0);
    tiles.size.x = 16;
    tiles.size.y = 3;
#if KINEMATIC_DIM == 3
    tiles.size.z = 4;
#endif
    tiles.origin = box_size(-8, -1, -2);
    tiles.cells = cells;
    if (number == OTHER_LEVEL) cells[3] ^= 1;
    grid = kin_add_tiles(world, &tiles);
    for (i = 0; i < 6; i++) points[i] = box_size((float)i * 2, 1 + (float)(i % 2) * 0.5f, i % 2 ? 2.0f : -2.0f);
    for (i = 0; i < 4; i++) {
        indices[n++] = i;
        indices[n++] = i + 1;
        if (KINEMATIC_DIM == 3) indices[n++] = i + 2;
    }
    mesh.points = points;
    mesh.point_count = 6;
    mesh.indices = indices;
    mesh.index_count = n;
    kin_add_mesh(world, &mesh);
    return grid;
}

static void tell_motion(void *user, int n, kin_id id, const char *what, double value, double allowed)
{
    (void)user;
    fprintf(stderr, "N%d: slot %u: %s (%.9g), at most %.9g\n", n, id.slot, what, value, allowed);
    HOLDS(!"N11 and N12");
}

/* Honest steps. Nobody overlaps where it is put; the lift's part is a ball beside it. */
static void run_honest(kin_world *world, int number, int steps)
{
    static const dv ball[1] = { { 1, 0.5, 0 } };
    motion          m;
    kin_id          mover, part, nobody = { 0, 0 };
    memset(&m, 0, sizeof m);
    m.gravity = dv_make(0, number == FLOATING ? 0 : -30, 0);
    m.up = dv_make(0, number == FLOATING ? 0 : 1, 0);
    m.unit = 1;
    m.tell = tell_motion;
    mover = kin_next(world, KIN_MOVER, nobody);
    part = kin_next(world, KIN_STATIC, kin_next(world, KIN_STATIC, nobody));
    if (mover.slot && part.slot) motion_part(&m, part, mover, ball, 1, 0.25, false);
    while (steps-- > 0) {
        const kin_event *events;
        int              count;
        motion_before(&m, world);
        kin_world_step(world, 1.0f / 64);
        count = kin_get_events(world, &events);
        motion_after(&m, world, 1.0 / 64, events, count, true, true);
    }
    motion_free(&m);
}

static kin_world *make_world(int number)
{
    kin_world *world = empty_world(number);
    kin_id     a, grid, nobody = { 0, 0 };
    kin_cell   cell;
    memset(&cell, 0, sizeof cell);
    add_box(world, box_size(0, -4, 0), box_size(30, 4, 8));
    if (number != PLAIN) add_lifts(world);
    if (number == LEVEL || number >= APART) {
        grid = add_level(world, number);
        if (number == EDITED_LEVEL) kin_set_tile(world, grid, cell, 0);
    }
    add_bodies(world, number == PLAIN ? 2 : 9);
    a = kin_next(world, KIN_BODY, nobody);
    kin_ignore(world, a, kin_next(world, KIN_BODY, a), true);
    run_honest(world, number, 20 * (number < APART ? number : 2));
    if (number == LIFTS) { kin_remove(world, a); kin_set_position(world, kin_next(world, KIN_BODY, a), box_size(1, 5, 0)); }
    return world;
}

static kin_world *victim(int number)
{
    if (!victims[number]) victims[number] = make_world(number);
    return victims[number];
}

static void make_all(void)
{
    int i;
    for (i = 0; i < WORLDS; i++) {
        kin_world *world = make_world(i);
        snapshots[i].size = kin_snapshot_size(world);
        snapshots[i].buffer = (uint8_t *)malloc(snapshots[i].size);
        HOLDS(kin_snapshot_save(world, snapshots[i].buffer, snapshots[i].size) == snapshots[i].size);
        HOLDS(kin_snapshot_load(world, snapshots[i].buffer, snapshots[i].size));
        run_honest(world, i, 20);
        kin_world_destroy(world);
    }
    for (i = 0; i < WORLDS; i++)   /* nobody else has this level */
        HOLDS(kin_snapshot_load(victim(i), snapshots[APART].buffer, snapshots[APART].size) == (i == APART || i == LEVEL));
}

/* ---- what is done to a snapshot -------------------------------------------------------------------------------------- */

/* Of one section of rows, or of the head. */
static size_t next_place(bytes *in, const kini_view *view, size_t size)
{
    unsigned section = next_byte(in);
    size_t   from = 0, end = sizeof(kini_saved), offset = next_byte(in);
    offset = offset << 8 | next_byte(in);
    if (section < KINI_SAVED_SECTIONS) {
        from = view->from[section];
        end = section + 1 < KINI_SAVED_SECTIONS ? view->from[section + 1] : size;
    }
    return end > from ? (from + offset % (end - from)) % size : from % size;
}

static void change(bytes *in, const kini_view *view, uint8_t *buffer, size_t size)
{
    static const uint32_t odd[] = { 0, 1, 2, 3, 7, 0xFFFFFFFFu, 0x7FFFFFFFu, 0x80000000u, 0x7FC00000u, 0x7F800000u, 255, 256,
                                    0x4E6E6B28u, 0x7E967699u, 0x00000001u, 0x3F800000u };
    unsigned how = next_byte(in);
    size_t   at = next_place(in, view, size), other;
    uint32_t word = how & 8 ? next_word(in) : odd[next_below(in, 16)];
    if (how & 16) at &= ~(size_t)3;
    if (at + 4 > size) return;
    switch (how & 3) {
    case 0: memcpy(buffer + at, &word, sizeof word); break;
    case 1: buffer[at] = (uint8_t)word; break;
    case 2: buffer[at] = (uint8_t)(buffer[at] ^ 1u << (word & 7)); break;
    default:
        other = next_place(in, view, size) & ~(size_t)3;
        if (other + 4 <= size) memmove(buffer + at, buffer + other, 4);
    }
}

static void fit_checksum(uint8_t *buffer, size_t size)
{
    uint64_t sum;
    if (size < sizeof(kini_saved)) return;
    sum = kini_checksum(buffer, size);
    memcpy(buffer + offsetof(kini_saved, check), &sum, sizeof sum);
}

static void use(kin_world *world)
{
    kin_shape probe = kin_box(box_size(2, 2, 2));
    kin_pose  at;
    kin_hit   hit;
    kin_id    id, nobody = { 0, 0 }, found[4];
    int       i;
    memset(&at, 0, sizeof at);
    kin_cast_ray(world, box_size(-5, 6, 0), box_size(9, -9, 0), NULL, &hit);
    kin_overlap(world, &probe, at, NULL, found, 4);
    for (i = 0; i < 3; i++) kin_world_step(world, 1.0f / 64);
    look_at_all(world);
    for (id = kin_next(world, KIN_NOTHING, nobody); id.slot; id = kin_next(world, KIN_NOTHING, id))
        if (id.slot % 3 == 0) kin_remove(world, id);
    add_bodies(world, 3);
    for (i = 0; i < 2; i++) kin_world_step(world, 1.0f / 64);
    look_at_all(world);
}

static void try_to_load(int number, const uint8_t *buffer, size_t size)
{
    kin_world *world = victim(number);
    uint64_t   before = kin_world_hash(world);
    if (!kin_snapshot_load(world, buffer, size)) { HOLDS(before == kin_world_hash(world)); return; }
    use(world);
    kin_world_destroy(world);
    HOLDS(memory[number].out == 0);
    victims[number] = NULL;
}

/* The first byte says which snapshot goes to which world. From 192 on, 2 bits name a world with a level of its own, one
   more whether it is offered its level or not. */
static const honest *next_honest(unsigned how, int *into)
{
    static const int levels[4] = { APART, OTHER_LEVEL, EDITED_LEVEL, LIFTS };
    *into = LIFTS;
    if (how < 192) return &snapshots[how % WHOLE_WORLDS];
    *into = levels[how & 3];
    return &snapshots[how & 4 ? LEVEL : APART];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const honest *from;
    kini_view     view;
    uint8_t      *buffer;
    bytes         in;
    unsigned      how;
    int           i, into;
    if (!snapshots[0].buffer) make_all();
    in.at = data;
    in.left = size;
    how = next_byte(&in);
    if (how == 255) { try_to_load(LIFTS, in.at, in.left); return 0; }
    from = next_honest(how, &into);
    size = from->size;
    buffer = (uint8_t *)calloc(1, size + 64);
    memcpy(buffer, from->buffer, size);
    memcpy(&view.head, buffer, sizeof view.head);
    kini_lay_out(&view);
    if (how & 16) size = next_flag(&in) ? size + next_below(&in, 64) : size - next_word(&in) % size;
    for (i = 0; i < MOST_CHANGES && in.left > 0; i++) change(&in, &view, buffer, size ? size : 1);
    if (!(how & 32)) fit_checksum(buffer, size);
    try_to_load(into, buffer, size);
    free(buffer);
    return 0;
}

/* ---- seeds ----------------------------------------------------------------------------------------------------------------- */

static void seed_untouched(pen *p) { put(p, LEVEL); }
static void seed_cut(pen *p) { put(p, 16), put(p, 0), put(p, 0), put(p, 0), put(p, 1), put(p, 0); }

/* One word in every section. */
static void every_section(pen *p, unsigned how)
{
    unsigned i;
    put(p, how);
    for (i = 0; i <= KINI_SAVED_SECTIONS; i++) {
        put(p, 16);
        put(p, i);
        put(p, 0), put(p, 8);
        put(p, 1);
    }
}

static void seed_every_section(pen *p) { every_section(p, LEVEL); }
static void seed_same_level(pen *p) { every_section(p, 192); }
static void seed_other_level(pen *p) { put(p, 193); }
static void seed_edited_level(pen *p) { every_section(p, 194 + 4); }
static void seed_no_level(pen *p) { put(p, 195); }

static void seed_raw(pen *p)
{
    size_t i;
    if (!snapshots[0].buffer) make_all();
    put(p, 255);
    for (i = 0; i < snapshots[0].size; i++) put(p, snapshots[0].buffer[i]);
}

static const seed snapshot_seeds[] = {
    { "untouched", seed_untouched }, { "cut", seed_cut }, { "every_section", seed_every_section }, { "raw", seed_raw },
    { "same_level", seed_same_level }, { "other_level", seed_other_level }, { "edited_level", seed_edited_level },
    { "no_level", seed_no_level },
};

FUZZ_SEEDS(snapshot_seeds)
