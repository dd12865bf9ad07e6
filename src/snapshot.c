/* SPDX-License-Identifier: MIT OR Unlicense

   snapshot.c: a world as one block of bytes, and back.

   A snapshot is a head (kini_saved), then the rows of every array that lasts from step to step, one after the other,
   then user numbers and contacts: copies of plain data, no pointers. What each step writes anew is left out, and in a
   world with level_apart also what tiles and meshes are made of, which is then compared by its keys. The head holds
   the layout that it was written with and a checksum of everything, so that another version, dimension or byte order
   and any damage are noticed. Loading judges all of it first (verify.c), if the world does not trust its snapshots,
   then reserves, then copies. */
#include "internal.h"

#define KINI_MAGIC 0x4B494E53u
#define KINI_FORMAT 4u   /* raised when bytes come to mean something else without another size */
#define KINI_LAYOUT_OF(hash, bytes) (((hash) ^ (uint32_t)(bytes)) * 0x01000193u)
#define KINI_LAYOUT(hash, type) KINI_LAYOUT_OF(hash, sizeof(type))

static uint32_t kini_layout(void)
{
    uint32_t hash = KIN_VERSION * 4u + KINI_DIM;
    hash = KINI_LAYOUT_OF(hash, KINI_FORMAT);
    hash = KINI_LAYOUT_OF(hash, KINI_THING_LASTS);
    hash = KINI_LAYOUT(hash, kini_static);
    hash = KINI_LAYOUT(hash, kini_mover);
    hash = KINI_LAYOUT_OF(hash, KINI_BODY_LASTS);
    hash = KINI_LAYOUT(hash, kini_shape);
    hash = KINI_LAYOUT(hash, kini_hull);
    hash = KINI_LAYOUT(hash, kini_contact);
    hash = KINI_LAYOUT(hash, kin_event);
    hash = KINI_LAYOUT(hash, kini_grid);
    hash = KINI_LAYOUT(hash, kini_tile);
    hash = KINI_LAYOUT(hash, kini_mesh);
    hash = KINI_LAYOUT(hash, kini_node);
    return KINI_LAYOUT(hash, kini_saved);
}

/* One sum adds up the words, a second one what the first was after every word, and turns by some bits in between. So
   two changes that make up for each other in the first, or two words in each other's place, still show in the second:
   what they leave there lies at other bits after every word, and carries on from there. They begin with large numbers,
   so that small words carry too. */
#ifdef KINI_QUADS
typedef uint64_t kini_longs __attribute__((vector_size(16)));
typedef struct kini_sums { kini_longs now, all; } kini_sums;

static inline void kini_add_words(kini_sums *sums, const unsigned char *at)
{
    kini_longs words;
    kini_copy(&words, at, sizeof words);
    sums->now += words;
    sums->all = (sums->all << 23 | sums->all >> 41) + sums->now;
}
#else
typedef struct kini_sums { uint64_t now[2], all[2]; } kini_sums;

static inline void kini_add_words(kini_sums *sums, const unsigned char *at)
{
    uint64_t words[2];
    int      i;
    kini_copy(words, at, sizeof words);
    for (i = 0; i < 2; i++) {
        sums->now[i] += words[i];
        sums->all[i] = (sums->all[i] << 23 | sums->all[i] >> 41) + sums->now[i];
    }
}
#endif

enum { KINI_SUMMED = 64 };   /* bytes at a time: eight sums side by side, so that this costs no more than copying */

static uint64_t kini_mix_sums(uint64_t total, const kini_sums *sums)
{
    uint64_t each[sizeof(kini_sums) / sizeof(uint64_t)];
    size_t   i;
    kini_copy(each, sums, sizeof each);
    for (i = 0; i < sizeof each / sizeof *each; i++) {
        total = (total ^ each[i]) * 0x9E3779B97F4A7C15u;
        total ^= total >> 32;
    }
    return total;
}

static inline void kini_add_block(kini_sums *a, kini_sums *b, kini_sums *c, kini_sums *d, const unsigned char *at)
{
    kini_add_words(a, at);
    kini_add_words(b, at + 16);
    kini_add_words(c, at + 32);
    kini_add_words(d, at + 48);
}

/* Of all that follows the sum itself. */
KINI_PART uint64_t kini_checksum(const void *buffer, size_t bytes)
{
    static const uint64_t begin[4] = { 0x9E3779B97F4A7C15u, 0xC2B2AE3D27D4EB4Fu, 0xD6E8FEB86659FD93u,
                                       0xA0761D6478BD642Fu };
    const size_t         first = offsetof(kini_saved, check) + sizeof(uint64_t);
    const unsigned char *at = (const unsigned char *)buffer + first, *end = (const unsigned char *)buffer + bytes;
    unsigned char        rest[KINI_SUMMED];
    kini_sums            a, b, c, d;
    kini_copy(&a, begin, sizeof a);
    b = c = d = a;
    for (; end - at >= KINI_SUMMED; at += KINI_SUMMED) kini_add_block(&a, &b, &c, &d, at);
    kini_clear(rest, sizeof rest);
    kini_copy(rest, at, (size_t)(end - at));
    kini_add_block(&a, &b, &c, &d, rest);
    return kini_mix_sums(kini_mix_sums(kini_mix_sums(kini_mix_sums(bytes, &a), &b), &c), &d);
}

/* ---- where everything is ----------------------------------------------------------------------------------------- */

#define KINI_SAVED_ROWS(number, member)                               \
    head->rows[number] = world->member.count

static void kini_count_rows(const kin_world *world, kini_saved *head)
{
    int kind;
    KINI_SAVED_ROWS(KINI_SAVES_THINGS, things);
    KINI_SAVED_ROWS(KINI_SAVES_STATICS, statics);
    KINI_SAVED_ROWS(KINI_SAVES_MOVERS, movers);
    KINI_SAVED_ROWS(KINI_SAVES_BODIES, bodies);
    KINI_SAVED_ROWS(KINI_SAVES_SHAPES, shapes);
    KINI_SAVED_ROWS(KINI_SAVES_HULLS, hulls);
    KINI_SAVED_ROWS(KINI_SAVES_IGNORED, ignored);
    KINI_SAVED_ROWS(KINI_SAVES_EVENTS, events);
    KINI_SAVED_ROWS(KINI_SAVES_GRIDS, grids);
    KINI_SAVED_ROWS(KINI_SAVES_TILES, tiles);
    KINI_SAVED_ROWS(KINI_SAVES_MESHES, meshes);
    KINI_SAVED_ROWS(KINI_SAVES_POINTS, mesh_points);
    KINI_SAVED_ROWS(KINI_SAVES_CORNERS, mesh_corners);
    KINI_SAVED_ROWS(KINI_SAVES_MESH_NODES, mesh_nodes);
    KINI_SAVED_ROWS(KINI_SAVES_MESH_LEAVES, mesh_leaves);
    KINI_SAVED_ROWS(KINI_SAVES_CELLS, cells);
    for (kind = KIN_STATIC; kind <= KIN_BODY; kind++) {
        KINI_SAVED_ROWS(KINI_SAVES_NODES + kind, trees[kind].nodes);
        KINI_SAVED_ROWS(KINI_SAVES_LEAVES + kind, trees[kind].leaves);
        head->free_node[kind] = world->trees[kind].free_node;
        head->free_leaf[kind] = world->trees[kind].free_leaf;
    }
    head->rows[KINI_SAVES_USERS] = world->things.count;
}

static size_t kini_saved_bytes(int section)
{
    switch (section) {
    case KINI_SAVES_THINGS: return KINI_THING_LASTS;
    case KINI_SAVES_USERS: return sizeof(uint64_t);
    case KINI_SAVES_STATICS: return sizeof(kini_static);
    case KINI_SAVES_MOVERS: return sizeof(kini_mover);
    case KINI_SAVES_BODIES: return KINI_BODY_LASTS;
    case KINI_SAVES_LASTS: return sizeof(kini_stand);
    case KINI_SAVES_CONTACTS: return sizeof(kini_contact);
    case KINI_SAVES_SHAPES: return sizeof(kini_shape);
    case KINI_SAVES_HULLS: return sizeof(kini_hull);
    case KINI_SAVES_IGNORED: return sizeof(kini_pair);
    case KINI_SAVES_EVENTS: return sizeof(kin_event);
    case KINI_SAVES_GRIDS: return sizeof(kini_grid);
    case KINI_SAVES_TILES: return sizeof(kini_tile);
    case KINI_SAVES_MESHES: return sizeof(kini_mesh);
    case KINI_SAVES_POINTS: return sizeof(kin_vec);
    case KINI_SAVES_CORNERS: return sizeof(int32_t);
    case KINI_SAVES_MESH_NODES: return sizeof(kini_node);
    case KINI_SAVES_MESH_LEAVES: return sizeof(kini_leaf);
    case KINI_SAVES_CELLS: return sizeof(uint8_t);
    default: return section < KINI_SAVES_LEAVES ? sizeof(kini_node) : sizeof(kini_leaf);
    }
}

static size_t kini_section_bytes(const kini_saved *head, int section)
{
    if (head->apart && section >= KINI_SAVES_BULK && section <= KINI_SAVES_CELLS) return 0;
    return (size_t)head->rows[section] * kini_saved_bytes(section);
}

KINI_PART size_t kini_lay_out(kini_view *view)
{
    uint64_t total = sizeof(kini_saved);
    int      i;
    for (i = 0; i < KINI_SAVED_SECTIONS; i++) {
        view->from[i] = (size_t)total;
        if (view->head.rows[i] < 0) return 0;
        if ((uint64_t)view->head.rows[i] > (uint64_t)((size_t)-1 / 2) / kini_saved_bytes(i)) return 0;
        total += kini_section_bytes(&view->head, i);
        if (total > (uint64_t)((size_t)-1 / 2)) return 0;
        total = (total + 7) & ~(uint64_t)7;
    }
    return (size_t)total;
}

/* ---- saving ------------------------------------------------------------------------------------------------------ */

static void kini_fill_head(const kin_world *world, kini_saved *head)
{
    int kind;
    kini_clear(head, sizeof *head);
    head->magic = KINI_MAGIC;
    head->layout = kini_layout();
    head->time_left = world->time_left;
    head->dropped = world->dropped;
    head->steps = world->steps;
    head->gravity = world->desc.gravity;
    head->given_up = world->desc.up;
    head->up = world->up;
    head->rate = world->desc.rate;
    head->max_catch_up = world->desc.max_catch_up;
    head->unit = world->desc.unit;
    head->max_speed = world->desc.max_speed;
    head->dt = world->dt;
    head->max_rounds = world->desc.max_rounds;
    head->max_contacts = world->desc.max_contacts;
    head->max_events = world->desc.max_events;
    head->overflowed = world->overflowed;
    head->apart = world->desc.level_apart;
    head->free_slot = world->free_slot;
    head->free_row[KIN_STATIC] = world->free_static;
    head->free_row[KIN_MOVER] = world->free_mover;
    head->free_row[KIN_BODY] = world->free_body;
    head->free_shape = world->free_shape;
    head->free_hull = world->free_hull;
    for (kind = KIN_STATIC; kind <= KIN_BODY; kind++) head->live[kind] = world->live[kind];
    head->stop_movers = world->stop_movers;
    head->attached = world->attached;
    head->pending = world->pending;
    head->shifted = world->shifted;
    kini_count_rows(world, head);
}

/* Free rows are all zero, which would name the first controller. */
static void kini_need_control(kini_saved *head, uint32_t slot, int32_t control)
{
    if (slot != 0 && control >= head->controls) head->controls = control + 1;
}

static size_t kini_measure(const kin_world *world, kini_view *view)
{
    int32_t i;
    kini_fill_head(world, &view->head);
    for (i = 0; i < world->movers.count; i++)
        kini_need_control(&view->head, world->movers.at[i].slot, world->movers.at[i].control);
    for (i = 0; i < world->bodies.count; i++) {
        const kini_body *body = &world->bodies.at[i];
        kini_need_control(&view->head, body->slot, body->control);
        view->head.rows[KINI_SAVES_CONTACTS] += body->contact_count;
        view->head.rows[KINI_SAVES_LASTS] += (body->state & KINI_BODY_TELEPORTED) != 0;
    }
    view->head.bytes = kini_lay_out(view);
    return (size_t)view->head.bytes;
}

/* The few bytes between two sections. */
static void kini_save_seam(const kini_view *view, unsigned char *buffer, int section)
{
    size_t end = view->from[section] + kini_section_bytes(&view->head, section);
    kini_clear(buffer + end, (8 - end % 8) % 8);
}

static void kini_save_rows(const kini_view *view, unsigned char *buffer, int section, const void *rows)
{
    kini_copy(buffer + view->from[section], rows, kini_section_bytes(&view->head, section));
    kini_save_seam(view, buffer, section);
}

static void kini_save_arrays(const kin_world *world, const kini_view *view, unsigned char *buffer)
{
    int kind;
    kini_save_rows(view, buffer, KINI_SAVES_STATICS, world->statics.at);
    kini_save_rows(view, buffer, KINI_SAVES_MOVERS, world->movers.at);
    kini_save_rows(view, buffer, KINI_SAVES_SHAPES, world->shapes.at);
    kini_save_rows(view, buffer, KINI_SAVES_HULLS, world->hulls.at);
    kini_save_rows(view, buffer, KINI_SAVES_IGNORED, world->ignored.at);
    kini_save_rows(view, buffer, KINI_SAVES_EVENTS, world->events.at);
    kini_save_rows(view, buffer, KINI_SAVES_GRIDS, world->grids.at);
    kini_save_rows(view, buffer, KINI_SAVES_TILES, world->tiles.at);
    kini_save_rows(view, buffer, KINI_SAVES_MESHES, world->meshes.at);
    kini_save_rows(view, buffer, KINI_SAVES_POINTS, world->mesh_points.at);
    kini_save_rows(view, buffer, KINI_SAVES_CORNERS, world->mesh_corners.at);
    kini_save_rows(view, buffer, KINI_SAVES_MESH_NODES, world->mesh_nodes.at);
    kini_save_rows(view, buffer, KINI_SAVES_MESH_LEAVES, world->mesh_leaves.at);
    kini_save_rows(view, buffer, KINI_SAVES_CELLS, world->cells.at);
    for (kind = KIN_STATIC; kind <= KIN_BODY; kind++) {
        kini_save_rows(view, buffer, KINI_SAVES_NODES + kind, world->trees[kind].nodes.at);
        kini_save_rows(view, buffer, KINI_SAVES_LEAVES + kind, world->trees[kind].leaves.at);
    }
}

static void kini_save_things(const kin_world *world, const kini_view *view, unsigned char *buffer)
{
    unsigned char *to = buffer + view->from[KINI_SAVES_THINGS];
    int32_t        i;
    for (i = 0; i < world->things.count; i++, to += KINI_THING_LASTS)
        kini_copy(to, &world->things.at[i], KINI_THING_LASTS);
    kini_save_seam(view, buffer, KINI_SAVES_THINGS);
}

/* As numbers of 64 bits, which most machines' pointers are. */
static void kini_save_users(const kin_world *world, const kini_view *view, unsigned char *buffer)
{
    int32_t i;
    if (sizeof(void *) == sizeof(uint64_t)) {
        kini_save_rows(view, buffer, KINI_SAVES_USERS, world->users.at);
        return;
    }
    for (i = 0; i < world->users.count; i++) {
        uint64_t number = (uint64_t)(uintptr_t)world->users.at[i];
        kini_copy(buffer + view->from[KINI_SAVES_USERS] + (size_t)i * sizeof number, &number, sizeof number);
    }
}

static void kini_save_bodies(const kin_world *world, const kini_view *view, unsigned char *buffer)
{
    unsigned char *to = buffer + view->from[KINI_SAVES_BODIES];
    unsigned char *last = buffer + view->from[KINI_SAVES_LASTS], *contact = buffer + view->from[KINI_SAVES_CONTACTS];
    int32_t        i, k;
    for (i = 0; i < world->bodies.count; i++, to += KINI_BODY_LASTS) {
        const kini_body    *body = &world->bodies.at[i];
        const kini_contact *contacts = kini_contacts_of(world, i);
        kini_copy(to, body, KINI_BODY_LASTS);
        for (k = 0; k < body->contact_count; k++, contact += sizeof(kini_contact))
            kini_copy(contact, &contacts[k], sizeof(kini_contact));
        if (!(body->state & KINI_BODY_TELEPORTED)) continue;
        kini_copy(last, &body->last, sizeof body->last);
        last += sizeof body->last;
    }
    kini_save_seam(view, buffer, KINI_SAVES_BODIES);
    kini_save_seam(view, buffer, KINI_SAVES_LASTS);
    kini_save_seam(view, buffer, KINI_SAVES_CONTACTS);
}

KIN_API size_t kin_snapshot_size(const kin_world *world)
{
    kini_view view;
    return kini_check_world(world, "kin_snapshot_size") ? kini_measure(world, &view) : 0;
}

KIN_API size_t kin_snapshot_save(const kin_world *world, void *buffer, size_t capacity)
{
    const char    *call = "kin_snapshot_save";
    unsigned char *out = (unsigned char *)buffer;
    kini_view      view;
    size_t         bytes;
    if (!kini_check_world(world, call) || !kini_check_pointer(world, call, "buffer", buffer)) return 0;
    if (world->stage != 0 || world->in_callback) return kini_refuse(world, call, "world", "is inside a step");
    bytes = kini_measure(world, &view);
    if (bytes > capacity) return kini_refuse_number(world, call, "capacity", "is too small", (float)capacity);
    kini_save_arrays(world, &view, out);
    kini_save_things(world, &view, out);
    kini_save_users(world, &view, out);
    kini_save_bodies(world, &view, out);
    kini_copy(out, &view.head, sizeof view.head);
    view.head.check = kini_checksum(out, bytes);
    kini_copy(out, &view.head, sizeof view.head);
    return bytes;
}

/* ---- loading ----------------------------------------------------------------------------------------------------- */

/* Reads the head and finds the sections; says what is wrong, or NULL. */
static const char *kini_open_view(kini_view *view, const void *buffer, size_t size)
{
    if (size < sizeof view->head) return "is too short for a snapshot";
    kini_copy(&view->head, buffer, sizeof view->head);
    view->buffer = (const unsigned char *)buffer;
    if (view->head.magic != KINI_MAGIC) return "is no snapshot, or one of another byte order";
    if (view->head.layout != kini_layout()) return "is from another version or dimension";
    if (view->head.bytes != size || kini_lay_out(view) != size) return "has lost or gained bytes";
    if (view->head.check != kini_checksum(buffer, size)) return "is damaged";
    return NULL;
}

static kini_counts kini_saved_counts(const kini_saved *head)
{
    kini_counts counts;
    kini_clear(&counts, sizeof counts);
    counts.things = head->rows[KINI_SAVES_THINGS];
    counts.statics = head->rows[KINI_SAVES_STATICS];
    counts.movers = head->rows[KINI_SAVES_MOVERS];
    counts.bodies = head->rows[KINI_SAVES_BODIES];
    counts.shapes = head->rows[KINI_SAVES_SHAPES];
    counts.hulls = head->rows[KINI_SAVES_HULLS];
    counts.ignored = head->rows[KINI_SAVES_IGNORED];
    counts.attached = head->attached;
    counts.stop_movers = head->stop_movers;
    counts.grids = head->rows[KINI_SAVES_GRIDS];
    counts.cells = head->rows[KINI_SAVES_CELLS];
    counts.tiles = head->rows[KINI_SAVES_TILES];
    counts.meshes = head->rows[KINI_SAVES_MESHES];
    counts.mesh_points = head->rows[KINI_SAVES_POINTS];
    counts.mesh_corners = head->rows[KINI_SAVES_CORNERS];
    counts.mesh_nodes = head->rows[KINI_SAVES_MESH_NODES];
    counts.mesh_leaves = head->rows[KINI_SAVES_MESH_LEAVES];
    return counts;
}

static void kini_load_settings(kin_world *world, const kini_saved *head)
{
    world->desc.gravity = head->gravity;
    world->desc.up = head->given_up;
    world->desc.rate = head->rate;
    world->desc.max_catch_up = head->max_catch_up;
    world->desc.unit = head->unit;
    world->desc.max_speed = head->max_speed;
    world->desc.max_rounds = head->max_rounds;
    world->desc.max_contacts = head->max_contacts;
    world->desc.max_events = head->max_events;
}

/* Room for all of it under the settings it comes with; without that the world keeps its own. */
static bool kini_reserve_saved(kin_world *world, const char *call, const kini_view *view)
{
    kin_world_desc own = world->desc;
    kini_counts    counts = kini_saved_counts(&view->head);
    bool           given;
    kini_load_settings(world, &view->head);
    given = kini_reserve(world, &counts) &&
            kini_grow(world, &world->found, sizeof *world->found.at, view->head.rows[KINI_SAVES_HULLS]);
    if (given && (world->desc.trust_snapshots || kini_hulls_owned(view, world->found.at))) return true;
    world->desc = own;
    if (!given) return kini_refuse(world, call, "memory", "was not given");
    return kini_refuse(world, call, "buffer", "has shapes that are not sound");
}

static void kini_load_head(kin_world *world, const kini_saved *head)
{
    int kind;
    world->up = head->up;
    world->time_left = head->time_left;
    world->dropped = head->dropped;
    world->steps = head->steps;
    world->dt = head->dt;
    world->overflowed = head->overflowed != 0;
    world->free_slot = head->free_slot;
    world->free_static = head->free_row[KIN_STATIC];
    world->free_mover = head->free_row[KIN_MOVER];
    world->free_body = head->free_row[KIN_BODY];
    world->free_shape = head->free_shape;
    world->free_hull = head->free_hull;
    for (kind = KIN_STATIC; kind <= KIN_BODY; kind++) world->live[kind] = head->live[kind];
    world->stop_movers = head->stop_movers;
    world->attached = head->attached;
    world->pending = head->pending;
    world->shifted = head->shifted;
}

static int32_t kini_load_rows(const kini_view *view, int section, void *rows)
{
    kini_copy(rows, view->buffer + view->from[section], kini_section_bytes(&view->head, section));
    return view->head.rows[section];
}

static void kini_load_arrays(kin_world *world, const kini_view *view)
{
    world->statics.count = kini_load_rows(view, KINI_SAVES_STATICS, world->statics.at);
    world->movers.count = kini_load_rows(view, KINI_SAVES_MOVERS, world->movers.at);
    world->shapes.count = kini_load_rows(view, KINI_SAVES_SHAPES, world->shapes.at);
    world->hulls.count = kini_load_rows(view, KINI_SAVES_HULLS, world->hulls.at);
    world->ignored.count = kini_load_rows(view, KINI_SAVES_IGNORED, world->ignored.at);
    world->events.count = kini_load_rows(view, KINI_SAVES_EVENTS, world->events.at);
    world->grids.count = kini_load_rows(view, KINI_SAVES_GRIDS, world->grids.at);
    world->tiles.count = kini_load_rows(view, KINI_SAVES_TILES, world->tiles.at);
    world->meshes.count = kini_load_rows(view, KINI_SAVES_MESHES, world->meshes.at);
    if (view->head.apart) return;
    world->mesh_points.count = kini_load_rows(view, KINI_SAVES_POINTS, world->mesh_points.at);
    world->mesh_corners.count = kini_load_rows(view, KINI_SAVES_CORNERS, world->mesh_corners.at);
    world->mesh_nodes.count = kini_load_rows(view, KINI_SAVES_MESH_NODES, world->mesh_nodes.at);
    world->mesh_leaves.count = kini_load_rows(view, KINI_SAVES_MESH_LEAVES, world->mesh_leaves.at);
    world->cells.count = kini_load_rows(view, KINI_SAVES_CELLS, world->cells.at);
}

static void kini_load_users(kin_world *world, const kini_view *view)
{
    int32_t i;
    world->users.count = view->head.rows[KINI_SAVES_USERS];
    if (sizeof(void *) == sizeof(uint64_t)) {
        kini_load_rows(view, KINI_SAVES_USERS, world->users.at);
        return;
    }
    for (i = 0; i < world->users.count; i++) {
        uint64_t number;
        KINI_SAVED_ROW(view, KINI_SAVES_USERS, i, &number);
        /* NOLINTNEXTLINE(performance-no-int-to-ptr): only the user follows it. */
        world->users.at[i] = (void *)(uintptr_t)number;
    }
}

static void kini_load_things(kin_world *world, const kini_view *view)
{
    int32_t i;
    world->things.count = view->head.rows[KINI_SAVES_THINGS];
    for (i = 1; i < world->things.count; i++)
        KINI_SAVED_PART(view, KINI_SAVES_THINGS, i, &world->things.at[i], KINI_THING_LASTS);
}

/* What follows from things, shapes and levels. */
static void kini_load_bounds(kin_world *world)
{
    int32_t i;
    for (i = 1; i < world->things.count; i++) {
        kini_thing       *thing = &world->things.at[i];
        const kini_shape *shape;
        if (thing->kind == KIN_NOTHING) continue;
        shape = thing->shape >= 0 ? &world->shapes.at[thing->shape] : NULL;
        if (shape && kini_is_simple(shape, thing->q))
            kini_simple_bounds(shape, thing->p, thing->q, &thing->lo, &thing->hi);
        else kini_thing_bounds(world, thing, kini_pose(thing->p, thing->q), &thing->lo, &thing->hi);
    }
}

/* How many use each shape, which a snapshot may tell wrongly. */
static void kini_count_users(kin_world *world)
{
    int32_t i;
    for (i = 0; i < world->shapes.count; i++) world->shapes.at[i].users = 0;
    for (i = 0; i < world->tiles.count; i++)
        if (world->tiles.at[i].shape >= 0) world->shapes.at[world->tiles.at[i].shape].users++;
    for (i = 1; i < world->things.count; i++) {
        const kini_thing *thing = &world->things.at[i];
        if (thing->kind != KIN_NOTHING && thing->shape >= 0) world->shapes.at[thing->shape].users++;
    }
}

/* What follows `start` is not written: no step reads it before it has made it anew. */
static void kini_load_bodies(kin_world *world, const kini_view *view)
{
    const unsigned char *contact = view->buffer + view->from[KINI_SAVES_CONTACTS];
    int32_t              i, k, last = 0;
    world->bodies.count = view->head.rows[KINI_SAVES_BODIES];
    for (i = 0; i < world->bodies.count; i++) {
        kini_body    *body = &world->bodies.at[i];
        kini_contact *contacts = kini_contacts_of(world, i);
        KINI_SAVED_PART(view, KINI_SAVES_BODIES, i, body, KINI_BODY_LASTS);
        for (k = 0; k < body->contact_count; k++, contact += sizeof(kini_contact))
            kini_copy(&contacts[k], contact, sizeof(kini_contact));
        if (body->state & KINI_BODY_TELEPORTED) KINI_SAVED_ROW(view, KINI_SAVES_LASTS, last++, &body->last);
    }
}

/* False: there is no room for it as it stands. */
static bool kini_load_tree(kini_tree *tree, const kini_view *view, int kind)
{
    tree->nodes.count = tree->leaves.count = 0;
    if (view->head.rows[KINI_SAVES_NODES + kind] > tree->nodes.capacity ||
        view->head.rows[KINI_SAVES_LEAVES + kind] > tree->leaves.capacity)
        return false;
    tree->nodes.count = kini_load_rows(view, KINI_SAVES_NODES + kind, tree->nodes.at);
    tree->leaves.count = kini_load_rows(view, KINI_SAVES_LEAVES + kind, tree->leaves.at);
    tree->free_node = view->head.free_node[kind];
    tree->free_leaf = view->head.free_leaf[kind];
    return true;
}

static bool kini_has_leaf(const kini_tree *tree, const kini_thing *thing, int32_t slot)
{
    return thing->leaf >= 0 && thing->leaf < tree->leaves.count && tree->leaves.at[thing->leaf].home >= 0 &&
           tree->leaves.at[thing->leaf].item == slot;
}

/* How many leaves of each tree belong to nobody; negative if somebody has none. */
static void kini_count_strays(kin_world *world, int32_t *strays)
{
    int32_t i, kind;
    for (kind = KIN_STATIC; kind <= KIN_BODY; kind++) {
        const kini_tree *tree = &world->trees[kind];
        strays[kind] = 0;
        for (i = 0; i < tree->leaves.count; i++) strays[kind] += tree->leaves.at[i].home >= 0;
    }
    for (i = 1; i < world->things.count; i++) {
        const kini_thing *thing = &world->things.at[i];
        if (thing->kind == KIN_NOTHING || (thing->flags & KINI_REMOVED)) continue;
        kind = thing->flags & KINI_ATTACHED ? (int32_t)KIN_MOVER : (int32_t)thing->kind;
        if (kini_has_leaf(&world->trees[kind], thing, i)) strays[kind]--;
        else strays[kind] = INT32_MIN / 2;
    }
}

static void kini_regrow_tree(kin_world *world, kini_tree *tree)
{
    int32_t i;
    tree->nodes.count = tree->leaves.count = tree->free_node = tree->free_leaf = 0;
    for (i = 1; i < world->things.count; i++) {
        kini_thing *thing = &world->things.at[i];
        if (thing->kind == KIN_NOTHING || kini_tree_of(world, thing) != tree) continue;
        thing->leaf = -1;
        if (!(thing->flags & KINI_REMOVED)) thing->leaf = kini_tree_insert(tree, i, thing->lo, thing->hi);
    }
}

/* Trees decide nothing, so one that does not hold together is not refused but grown anew. */
static void kini_load_trees(kin_world *world, const kini_view *view)
{
    int32_t strays[4] = { 0, 0, 0, 0 };
    bool    whole[4], trusted = world->desc.trust_snapshots;
    int     kind;
    for (kind = KIN_STATIC; kind <= KIN_BODY; kind++) {
        kini_tree *tree = &world->trees[kind];
        whole[kind] = kini_load_tree(tree, view, kind) && (trusted || kini_tree_check(tree));
    }
    if (!trusted) kini_count_strays(world, strays);
    for (kind = KIN_STATIC; kind <= KIN_BODY; kind++)
        if (!whole[kind] || strays[kind] != 0) kini_regrow_tree(world, &world->trees[kind]);
}

KIN_API bool kin_snapshot_load(kin_world *world, const void *buffer, size_t size)
{
    const char *call = "kin_snapshot_load", *wrong;
    kini_view   view;
    if (!kini_check_world(world, call) || !kini_check_pointer(world, call, "buffer", buffer)) return false;
    if (world->stage != 0 || world->in_callback) return kini_refuse(world, call, "world", "is inside a step");
    wrong = kini_open_view(&view, buffer, size);
    if (!wrong) wrong = kini_verify(world, &view);
    if (wrong) return kini_refuse(world, call, "buffer", wrong);
    if (!kini_reserve_saved(world, call, &view)) return false;
    kini_load_head(world, &view.head);
    kini_load_arrays(world, &view);
    kini_load_users(world, &view);
    kini_load_things(world, &view);
    kini_load_bodies(world, &view);
    kini_load_bounds(world);
    if (!world->desc.trust_snapshots) kini_count_users(world);
    kini_load_trees(world, &view);
    kini_index_shapes(world);
    return true;
}
