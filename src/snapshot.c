/* SPDX-License-Identifier: MIT OR Unlicense

   snapshot.c: a world as one block of bytes, and back.

   A snapshot is a head (kini_saved), then the rows of every array that lasts from step to step (fields.c), one after
   the other: copies of plain data, no pointers. What each step writes anew is left out, and in a
   world with level_apart also what tiles and meshes are made of, which is then compared by its keys. The head holds
   the layout that it was written with and a checksum of everything, so that another version, dimension or byte order
   and any damage are noticed. Loading judges all of it first (verify.c), if the world does not trust its snapshots,
   then reserves, then copies. */
#include "internal.h"

#define KINI_MAGIC 0x4B494E53u
#define KINI_FORMAT 5u   /* raised when bytes come to mean something else without another size */

static uint32_t kini_layout(void)
{
    static const uint8_t sections[] = { KINI_SAVES_THINGS, KINI_SAVES_STATICS, KINI_SAVES_MOVERS, KINI_SAVES_BODIES,
        KINI_SAVES_SHAPES, KINI_SAVES_HULLS, KINI_SAVES_CONTACTS, KINI_SAVES_EVENTS, KINI_SAVES_GRIDS,
        KINI_SAVES_TILES, KINI_SAVES_MESHES };
    uint32_t hash = ((KIN_VERSION * 4u + KINI_DIM) ^ KINI_FORMAT) * 0x01000193u;
    size_t   i;
    for (i = 0; i < sizeof sections; i++) hash = (hash ^ kini_section_of(sections[i])->lasts) * 0x01000193u;
    return (hash ^ (uint32_t)sizeof(kini_saved)) * 0x01000193u;
}

/* One sum adds up the words, a second one what the first was after every word, and turns by some bits in between. So
   two changes that make up for each other in the first, or two words in each other's place, still show in the second:
   what they leave there lies at other bits after every word, and carries on from there. They begin with large numbers,
   so that small words carry too. */
#ifdef KINI_QUADS
typedef uint64_t kini_longs __attribute__((vector_size(16)));
#else
typedef uint64_t kini_longs;
#endif
enum { KINI_LONGS = (int)(16 / sizeof(kini_longs)) };
typedef struct kini_sums { kini_longs now[KINI_LONGS], all[KINI_LONGS]; } kini_sums;

static inline void kini_add_words(kini_sums *sums, const unsigned char *at)
{
    kini_longs words[KINI_LONGS];
    int        i;
    kini_copy(words, at, sizeof words);
    for (i = 0; i < KINI_LONGS; i++) {
        sums->now[i] += words[i];
        sums->all[i] = (sums->all[i] << 23 | sums->all[i] >> 41) + sums->now[i];
    }
}

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
    for (; end - at >= 2 * KINI_SUMMED; at += 2 * KINI_SUMMED) {
        kini_add_block(&a, &b, &c, &d, at);
        kini_add_block(&a, &b, &c, &d, at + KINI_SUMMED);
    }
    for (; end - at >= KINI_SUMMED; at += KINI_SUMMED) kini_add_block(&a, &b, &c, &d, at);
    kini_clear(rest, sizeof rest);
    kini_copy(rest, at, (size_t)(end - at));
    kini_add_block(&a, &b, &c, &d, rest);
    return kini_mix_sums(kini_mix_sums(kini_mix_sums(kini_mix_sums(bytes, &a), &b), &c), &d);
}

/* ---- where everything is ----------------------------------------------------------------------------------------- */

static size_t kini_section_bytes(const kini_saved *head, int section)
{
    if (head->apart && section >= KINI_SAVES_BULK) return 0;
    return (size_t)head->rows[section] * kini_section_of(section)->lasts;
}

KINI_PART size_t kini_lay_out(kini_view *view)
{
    uint64_t total = sizeof(kini_saved);
    int      i;
    for (i = 0; i < KINI_SAVED_SECTIONS; i++) {
        view->from[i] = (size_t)total;
        if (view->head.rows[i] < 0) return 0;
        if ((uint64_t)view->head.rows[i] > (uint64_t)((size_t)-1 / 2) / kini_section_of(i)->lasts) return 0;
        total += kini_section_bytes(&view->head, i);
        if (total > (uint64_t)((size_t)-1 / 2)) return 0;
        total = (total + 7) & ~(uint64_t)7;
    }
    return (size_t)total;
}

/* ---- saving ------------------------------------------------------------------------------------------------------ */

static void kini_fill_head(const kin_world *world, kini_saved *head)
{
    const kini_setting *setting;
    int                 i;
    kini_clear(head, sizeof *head);
    head->magic = KINI_MAGIC;
    head->layout = kini_layout();
    head->overflowed = world->overflowed;
    head->apart = world->desc.level_apart;
    for (i = 0; (setting = kini_setting_at(i)) != NULL; i++)
        kini_copy((char *)head + setting->saved, (const char *)world + setting->field.at, setting->bytes);
    for (i = 0; i < KINI_SAVED_SECTIONS; i++) head->rows[i] = kini_rows_of(world, i).count;
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

static inline void kini_copy_parts(unsigned char *to, size_t to_stride, const unsigned char *from, size_t from_stride,
                                   size_t bytes, int32_t rows)
{
    for (; rows > 0; rows--, to += to_stride, from += from_stride) kini_copy(to, from, bytes);
}

/* Into a section or out of it; only what lasts. Pointers of users are saved as numbers of 64 bits,
   which most machines' pointers are. */
static void kini_copy_rows(unsigned char *to, size_t to_stride, const unsigned char *from, size_t from_stride,
                           int section, int32_t rows)
{
    if (to_stride == from_stride) kini_copy(to, from, (size_t)rows * to_stride);
    else if (section == KINI_SAVES_THINGS) kini_copy_parts(to, to_stride, from, from_stride, KINI_THING_LASTS, rows);
    else if (section == KINI_SAVES_BODIES) kini_copy_parts(to, to_stride, from, from_stride, KINI_BODY_LASTS, rows);
    else kini_copy_parts(to, to_stride, from, from_stride, to_stride < from_stride ? to_stride : from_stride, rows);
}

static void kini_save_rows(const kin_world *world, const kini_view *view, unsigned char *buffer, int section)
{
    const kini_section *table = kini_section_of(section);
    const void         *rows = kini_rows_of(world, section).at;
    unsigned char      *to = buffer + view->from[section];
    size_t              bytes = kini_section_bytes(&view->head, section);
    if (table->lasts > table->stride) kini_clear(to, bytes);
    if (table->array && bytes > 0)
        kini_copy_rows(to, table->lasts, (const unsigned char *)rows, table->stride, section, view->head.rows[section]);
    kini_clear(to + bytes, (8 - (view->from[section] + bytes) % 8) % 8);
}

/* Contacts, and the last grounds of teleported bodies. */
static void kini_save_contacts(const kin_world *world, const kini_view *view, unsigned char *buffer)
{
    unsigned char *last = buffer + view->from[KINI_SAVES_LASTS], *contact = buffer + view->from[KINI_SAVES_CONTACTS];
    int32_t        i, k;
    for (i = 0; i < world->bodies.count; i++) {
        const kini_body    *body = &world->bodies.at[i];
        const kini_contact *contacts = kini_contacts_of(world, i);
        for (k = 0; k < body->contact_count; k++, contact += sizeof(kini_contact))
            kini_copy(contact, &contacts[k], sizeof(kini_contact));
        if (!(body->state & KINI_BODY_TELEPORTED)) continue;
        kini_copy(last, &body->last, sizeof body->last);
        last += sizeof body->last;
    }
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
    int            i;
    if (!kini_check_world(world, call) || !kini_check_pointer(world, call, "buffer", buffer)) return 0;
    if (world->stage != 0 || world->in_callback) return kini_refuse(world, call, "world", "is inside a step");
    bytes = kini_measure(world, &view);
    if (bytes > capacity) return kini_refuse_number(world, call, "capacity", "is too small", (float)capacity);
    for (i = 0; i < KINI_SAVED_SECTIONS; i++) kini_save_rows(world, &view, out, i);
    kini_save_contacts(world, &view, out);
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

/* Room for all of it under the limits it comes with; without that the world keeps its own. Meshes that are not those
   of this world need trees, and a draft to make them from. */
static bool kini_reserve_saved(kin_world *world, const char *call, const kini_view *view, kini_mesh_draft *draft)
{
    kini_counts counts = kini_counts_of_rows(view->head.rows);
    int         contacts = world->desc.max_contacts, events = world->desc.max_events;
    int32_t     faces = view->head.rows[KINI_SAVES_CORNERS] / KINI_DIM;
    bool        given, anew = faces > 0 && !kini_same_blocks(world, view, KINI_SAVES_MESHES);
    kini_clear(draft, sizeof *draft);
    counts.attached = view->head.attached;
    counts.stop_movers = view->head.stop_movers;
    world->desc.max_contacts = view->head.max_contacts;
    world->desc.max_events = view->head.max_events;
    given = kini_reserve(world, &counts) &&
            kini_grow(world, &world->found, sizeof *world->found.at, view->head.rows[KINI_SAVES_HULLS]);
    if (given && (world->desc.trust_snapshots || kini_hulls_owned(view, world->found.at))) {
        if (!anew || kini_draft_mesh(world, draft, faces)) return true;
        given = false;
    }
    world->desc.max_contacts = contacts;
    world->desc.max_events = events;
    if (!given) return kini_refuse(world, call, "memory", "was not given");
    return kini_refuse(world, call, "buffer", "has shapes that are not sound");
}

static void kini_load_rows(kin_world *world, const kini_view *view, int section)
{
    const kini_section *table = kini_section_of(section);
    int32_t             count = view->head.rows[section];
    if (!table->array || (count > 0 && kini_section_bytes(&view->head, section) == 0)) return;
    kini_set_count(world, section, count);
    if (count > 0)
        kini_copy_rows((unsigned char *)kini_rows_of(world, section).at, table->stride,
                       view->buffer + view->from[section], table->lasts, section, count);
}

static void kini_load_contacts(kin_world *world, const kini_view *view)
{
    const unsigned char *contact = view->buffer + view->from[KINI_SAVES_CONTACTS];
    int32_t              i, k, last = 0;
    for (i = 0; i < world->bodies.count; i++) {
        kini_body    *body = &world->bodies.at[i];
        kini_contact *contacts = kini_contacts_of(world, i);
        for (k = 0; k < body->contact_count; k++, contact += sizeof(kini_contact))
            kini_copy(&contacts[k], contact, sizeof(kini_contact));
        if (body->state & KINI_BODY_TELEPORTED) KINI_SAVED_ROW(view, KINI_SAVES_LASTS, last++, &body->last);
    }
}

/* Before things are loaded: a leaf stays with a thing that is in the same tree in the snapshot. */
static void kini_drop_leaves(kin_world *world, const kini_view *view)
{
    const unsigned char *row = view->buffer + view->from[KINI_SAVES_THINGS];
    int32_t              i, rows = view->head.rows[KINI_SAVES_THINGS];
    for (i = 1; i < world->things.count; i++) {
        kini_thing *thing = &world->things.at[i], saved;
        kini_tree  *tree = kini_tree_of(world, thing);
        row += KINI_THING_LASTS;
        saved.flags = KINI_REMOVED;
        if (i < rows) kini_copy(&saved.flags, row + offsetof(kini_thing, flags), 2 * sizeof saved.flags);
        if (thing->leaf < 0) continue;
        if (saved.kind != KIN_NOTHING && !(saved.flags & KINI_REMOVED) && kini_tree_of(world, &saved) == tree) continue;
        kini_tree_remove(tree, thing->leaf);
        thing->leaf = -1;
    }
    for (; i < rows; i++) world->things.at[i].leaf = -1;
}

/* Derives bounds and leaves from things, shapes and levels. Users of shapes are counted anew, since they may be forged
   in a snapshot that is not trusted. */
static void kini_load_bounds(kin_world *world)
{
    bool    trusted = world->desc.trust_snapshots;
    int32_t i;
    for (i = 0; i < world->shapes.count && !trusted; i++) world->shapes.at[i].users = 0;
    for (i = 0; i < world->tiles.count && !trusted; i++)
        if (world->tiles.at[i].shape >= 0) world->shapes.at[world->tiles.at[i].shape].users++;
    for (i = 1; i < world->things.count; i++) {
        kini_thing *thing = &world->things.at[i];
        kini_shape *shape;
        if (thing->kind == KIN_NOTHING) continue;
        shape = thing->shape >= 0 ? &world->shapes.at[thing->shape] : NULL;
        if (shape && kini_is_simple(shape, thing->q))
            kini_simple_bounds(shape, thing->p, thing->q, &thing->lo, &thing->hi);
        else kini_thing_bounds(world, thing, kini_pose(thing->p, thing->q), &thing->lo, &thing->hi);
        if (shape && !trusted) shape->users++;
        if (!(thing->flags & KINI_REMOVED)) kini_give_leaf(world, (uint32_t)i);
    }
}

KIN_API bool kin_snapshot_load(kin_world *world, const void *buffer, size_t size)
{
    const char         *call = "kin_snapshot_load", *wrong;
    const kini_setting *setting;
    kini_view           view;
    kini_mesh_draft     draft;
    int                 i;
    if (!kini_check_world(world, call) || !kini_check_pointer(world, call, "buffer", buffer)) return false;
    if (world->stage != 0 || world->in_callback) return kini_refuse(world, call, "world", "is inside a step");
    wrong = kini_open_view(&view, buffer, size);
    if (!wrong) wrong = kini_verify(world, &view);
    if (wrong) return kini_refuse(world, call, "buffer", wrong);
    if (!kini_reserve_saved(world, call, &view, &draft)) return false;
    kini_drop_leaves(world, &view);
    for (i = 0; (setting = kini_setting_at(i)) != NULL; i++)
        kini_copy((char *)world + setting->field.at, (const char *)&view.head + setting->saved, setting->bytes);
    world->overflowed = view.head.overflowed != 0;
    for (i = 0; i < KINI_SAVED_SECTIONS; i++) kini_load_rows(world, &view, i);
    kini_clear(&world->things.at[0], sizeof world->things.at[0]);   /* nobody */
    kini_load_contacts(world, &view);
    if (draft.lo) kini_rebuild_trees(world, &draft);
    kini_release(world, draft.lo, draft.bytes);
    kini_load_bounds(world);
    kini_index_shapes(world);
    return true;
}
