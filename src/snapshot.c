/* SPDX-License-Identifier: MIT OR Unlicense

   snapshot.c: a world as one block of bytes, and back.

   A snapshot is a head (kini_saved), the world's settings, then all rows that last from step to step (fields.c). A
   world with level_apart leaves out cells, points and corners, and compares their keys instead. Loading verifies all
   of it first (verify.c) unless it is trusted, then reserves memory, then copies. */
#include "state.h"

#ifndef KINEMATIC_NO_SNAPSHOT
enum { KINI_MAGIC = 0x4B494E54, KINI_MAGIC_0_1 = 0x4B494E53 };   /* snapshots of 0.1 hold no version */
enum { KINI_FORMAT = 12 };              /* raised when the same bytes come to mean something else */

/* Rotates the sum, so that swapped words, or two flips of the same bit, do not cancel out. */
static inline uint64_t kini_mix_word(uint64_t sum, const void *at)
{
    uint64_t word;
    kini_copy(&word, at, sizeof word);
    sum ^= word;
    return (sum << 23 | sum >> 41) * 0x9E3779B97F4A7C15u;
}

/* Of all words that follow the sum itself. */
KINI_PART uint64_t kini_checksum(const void *buffer, size_t bytes)
{
    const unsigned char *at = (const unsigned char *)buffer + offsetof(kini_saved, check) + sizeof(uint64_t);
    const unsigned char *end = (const unsigned char *)buffer + bytes;
    uint64_t             a = bytes, b = 1, c = 2, d = 3;
    for (; end - at >= 32; at += 32) {
        a = kini_mix_word(a, at);
        b = kini_mix_word(b, at + 8);
        c = kini_mix_word(c, at + 16);
        d = kini_mix_word(d, at + 24);
    }
    for (; end - at >= 8; at += 8) a = kini_mix_word(a, at);
    a = kini_mix_word(kini_mix_word(kini_mix_word(a, &b), &c), &d);
    return a ^ a >> 32;
}

/* ---- where everything is ----------------------------------------------------------------------------------------- */

/* From a world to a snapshot or back; returns where settings end. NULL: only that. */
static size_t kini_copy_settings(void *to, const void *from, bool saves)
{
    const kini_setting *setting;
    size_t              at = sizeof(kini_saved);
    int                 i;
    for (i = 0; (setting = kini_setting_at(i)) != NULL; i++) {
        size_t own = setting->field.at;
        if (to) kini_copy((char *)to + (saves ? at : own), (const char *)from + (saves ? own : at), setting->bytes);
        at += setting->bytes;
    }
    return at;
}

static uint32_t kini_layout(void)
{
    uint32_t hash = (KINI_DIM ^ (KINI_FORMAT + 64 * KINI_TILES + 128 * KINI_MESHES)) * 0x01000193u;
    int      i;
    for (i = 0; i < KINI_SAVED_SECTIONS; i++) hash = (hash ^ kini_section_of(i)->lasts) * 0x01000193u;
    return (hash ^ (uint32_t)kini_copy_settings(NULL, NULL, true)) * 0x01000193u;
}

KINI_PART size_t kini_lay_out(kini_view *view)
{
    uint64_t total = kini_copy_settings(NULL, NULL, true);
    int      i;
    for (i = 0; i < KINI_SAVED_SECTIONS; i++) {
        total = (total + 7) & ~(uint64_t)7;
        view->from[i] = (size_t)total;
        if (view->head.rows[i] < 0) return 0;
        if ((uint64_t)view->head.rows[i] > (uint64_t)((size_t)-1 / 2) / kini_section_of(i)->lasts) return 0;
        total += kini_section_bytes(&view->head, i);
        if (total > (uint64_t)((size_t)-1 / 2)) return 0;
    }
    return (size_t)((total + 7) & ~(uint64_t)7);
}

/* ---- saving ------------------------------------------------------------------------------------------------------ */

/* Free rows are all zero, which would name the first controller. */
static void kini_need_control(kini_saved *head, uint32_t slot, int32_t control)
{
    if (slot != 0 && control >= head->controls) head->controls = control + 1;
}

static size_t kini_measure(const kin_world *world, kini_view *view)
{
    kini_saved *head = &view->head;
    int32_t     i;
    kini_clear(head, sizeof *head);
    head->magic = KINI_MAGIC;
    head->version = KIN_VERSION;
    head->layout = kini_layout();
    head->apart = world->desc.level_apart;
    for (i = 0; i < KINI_SAVED_SECTIONS; i++) head->rows[i] = kini_rows_of(world, i).count;
    for (i = 0; i < world->movers.count; i++)
        kini_need_control(head, world->movers.at[i].slot, world->movers.at[i].control);
    for (i = 0; i < world->bodies.count; i++) {
        kini_need_control(head, world->bodies.at[i].slot, world->bodies.at[i].control);
        head->rows[KINI_SAVES_CONTACTS] += world->bodies.at[i].contact_count;
    }
    head->bytes = kini_lay_out(view);
    return (size_t)head->bytes;
}

/* Copies a section into the buffer or, if that is NULL, from the view into the world. Users have 64 bits in a snapshot;
   contacts stand in the order of their bodies. */
static void kini_copy_rows(const kin_world *world, const kini_view *view, unsigned char *buffer, int section)
{
    const kini_section *table = kini_section_of(section);
    unsigned char      *row = (unsigned char *)kini_rows_of(world, section).at;
    size_t              at = view->from[section], end = at + kini_section_bytes(&view->head, section);
    size_t              step = table->lasts, bytes = table->stride < step ? table->stride : step;
    int32_t             body;
    if (buffer) kini_clear(buffer + end, (8 - end % 8) % 8);
    if (table->array && table->stride == step) bytes = step = end - at;
    if (buffer && bytes < step) kini_clear(buffer + at, end - at);
    for (body = 0; at < end; at += step, row += table->stride, body++) {
        if (section == KINI_SAVES_THINGS) bytes = KINI_THING_LASTS;   /* known to the compiler, which is quicker */
        if (!table->array) {
            bytes = step = (size_t)world->bodies.at[body].contact_count * sizeof(kini_contact);
            row = (unsigned char *)kini_contacts_of(world, body);
        }
        if (buffer) kini_copy(buffer + at, row, bytes);
        else kini_copy(row, view->buffer + at, bytes);
    }
}

KIN_API size_t kin_snapshot_size(const kin_world *world)
{
    kini_view view;
    return kini_check_world(world, __func__) ? kini_measure(world, &view) : 0;
}

KIN_API size_t kin_snapshot_save(const kin_world *world, void *buffer, size_t capacity)
{
    unsigned char *out = (unsigned char *)buffer;
    kini_view      view;
    size_t         bytes;
    int            i;
    if (!kini_check_between(world, __func__) || !kini_check_pointer(world, __func__, "buffer", buffer)) return 0;
    bytes = kini_measure(world, &view);
    view.buffer = out;
    if (bytes > capacity)
        return kini_refuse_range(world, __func__, "capacity", (double)capacity, (double)bytes, (double)bytes, " bytes");
    kini_clear(out, view.from[0]);
    kini_copy_settings(out, world, true);
    for (i = 0; i < KINI_SAVED_SECTIONS; i++) kini_copy_rows(world, &view, out, i);
    kini_copy(out, &view.head, sizeof view.head);
    view.head.check = kini_checksum(out, bytes);
    kini_copy(out, &view.head, sizeof view.head);
    return bytes;
}

/* ---- loading ----------------------------------------------------------------------------------------------------- */

/* Reads the head, finds the sections and verifies them. Returns what is wrong, or NULL. */
static const char *kini_open_view(const kin_world *world, kini_view *view, const void *buffer, size_t size)
{
    view->buffer = (const unsigned char *)buffer;
    view->head.version = KIN_VERSION;
    if (size < sizeof view->head) return "is too short for a snapshot";
    kini_copy(&view->head, buffer, sizeof view->head);
    if (view->head.magic != KINI_MAGIC) {
        view->head.version = view->head.magic == KINI_MAGIC_0_1 ? 100 : KIN_VERSION;
        return "is no snapshot, or one of another byte order";
    }
    if (view->head.version != KIN_VERSION || view->head.layout != kini_layout())
        return "is from the other dimension, or from a program with other KINEMATIC_NO_ options";
    if (view->head.bytes != size || kini_lay_out(view) != size) return "has lost or gained bytes";
    if (view->head.check != kini_checksum(buffer, size)) return "is damaged";
    kini_clear(&view->was.desc, sizeof view->was.desc);
    kini_copy_settings(&view->was, buffer, false);
    return kini_verify(world, view);
}

/* Reserves memory under the limits of the snapshot; if that fails, the world keeps its own limits. */
static bool kini_reserve_saved(kin_world *world, const char *call, const kini_view *view)
{
    kini_counts    counts = kini_counts_now(world, NULL);
    kin_world_desc own = world->desc;
    int            i;
    for (i = 0; i < KINI_SAVED_SECTIONS; i++) counts.rows[i] = view->head.rows[i];
    counts.attached = view->was.attached;
    counts.rows[KINI_SAVES_SENSED] += (int64_t)view->was.sensers * view->was.desc.max_sensor_contacts;
    world->desc.max_contacts = view->was.desc.max_contacts;
    world->desc.max_sensor_contacts = view->was.desc.max_sensor_contacts;
    world->desc.max_events = view->was.desc.max_events;
    if (kini_reserve(world, &counts)) return true;
    world->desc = own;
    return kini_refuse(world, call, "memory", "was not given");
}

/* Before things are loaded: removes leaves of things that are in another tree in the snapshot, or in none. Restores
   the users that this world was itself given for their handles; the others become NULL. Returns their number. */
static int32_t kini_leave_things(kin_world *world, const kini_view *view)
{
    int32_t i, lost = 0, rows = view->head.rows[KINI_SAVES_THINGS];
    for (i = 1; i < rows || i < world->things.count; i++) {
        kini_thing *thing = &world->things.at[i], saved;
        bool        here = i < world->things.count, given;
        kini_tree  *tree = here ? kini_tree_of(world, thing) : NULL;
        void       *user = NULL;
        kin_id      id;
        kini_clear(&saved, sizeof saved);
        if (i < rows) {
            kini_copy(&saved, view->buffer + view->from[KINI_SAVES_THINGS] + (size_t)i * KINI_THING_LASTS,
                      KINI_THING_LASTS);
            kini_copy(&user, view->buffer + view->from[KINI_SAVES_USERS] + (size_t)i * sizeof(uint64_t), sizeof user);
        }
        id.slot = (uint32_t)i;
        id.age = saved.age - (saved.flags & KINI_REMOVED ? 1u : 0u);
        if (!here) thing->leaf = -1;
        if (thing->leaf >= 0 && (kini_tree_of(world, &saved) != tree || (saved.flags & KINI_REMOVED))) {
            kini_tree_remove(tree, thing->leaf);
            thing->leaf = -1;
        }
        if (world->desc.trust_snapshots) continue;
        given = saved.kind != KIN_NOTHING && kini_was_given(world, id, user);
        lost += saved.kind != KIN_NOTHING && !given;
        if (here && !(kin_same(kini_last_id(world, id.slot), id) && world->users.at[i] == user))
            kini_remember_user(world, id.slot);
        if (i < rows) world->users.at[i] = given ? user : NULL;
    }
    return lost;
}

/* Counts things; derives bounds, leaves and lists of parts. Users and keys of shapes may be forged, unless the snapshot
   is trusted, and are computed anew. */
static void kini_load_derived(kin_world *world)
{
    bool             trusted = world->desc.trust_snapshots;
    const kini_body *last = NULL;
    int32_t          i;
    for (i = 0; i < world->shapes.count && !trusted; i++) {
        kini_shape *shape = &world->shapes.at[i];
        kini_solid  solid;
        if (shape->users == 0) continue;
        solid = kini_stored_solid(world, i);
        shape->key = kini_shape_key(&solid);
        shape->users = 0;
    }
    for (i = 0; i < world->tiles.count && !trusted; i++)
        if (world->tiles.at[i].shape >= 0) world->shapes.at[world->tiles.at[i].shape].users++;
    for (i = 0; i < world->movers.count; i++) world->movers.at[i].parts = -1;
    for (i = 0; i < world->bodies.count; i++) world->bodies.at[i].parts = -1;
    for (i = world->statics.count - 1; i >= 0; i--) {
        kini_static *fixed = &world->statics.at[i];
        fixed->next_part = -1;
        if ((world->things.at[fixed->slot].flags & (KINI_ATTACHED | KINI_REMOVED)) == KINI_ATTACHED)
            kini_link_part(world, i);
    }
    kini_clear(world->live, sizeof world->live);
    kini_clear(world->first_free, sizeof world->first_free);
    world->stop_movers = 0;
    for (i = 1; i < world->things.count; i++) {
        kini_thing *thing = &world->things.at[i];
        if (thing->kind == KIN_NOTHING) continue;
        kini_thing_bounds(world, thing, kini_pose(thing->p, thing->q), &thing->lo, &thing->hi);
        if (thing->shape >= 0 && !trusted) world->shapes.at[thing->shape].users++;
        if (thing->flags & KINI_REMOVED) continue;
        kini_give_leaf(world, (uint32_t)i);
        world->live[thing->kind]++;
        if (thing->kind == KIN_BODY) {
            kini_body *body = &world->bodies.at[thing->row];
            bool       same = last && kini_equal(last->options.max_slope, body->options.max_slope);
            body->up = kini_up_against(world, body->gravity);
            if (same) body->stable_cos = last->stable_cos;
            else kini_derive_slope(body);
            last = body;
        }
        if (thing->kind == KIN_MOVER) world->stop_movers += world->movers.at[thing->row].on_blocked == KIN_BLOCKED_STOP;
    }
}

KIN_API bool kin_snapshot_load(kin_world *world, const void *buffer, size_t size)
{
    const char     *wrong;
    kini_view       view;
    bool            same;
    int             i;
    int32_t         changed, lost;
    if (!kini_check_between(world, __func__) || !kini_check_pointer(world, __func__, "buffer", buffer)) return false;
    wrong = kini_open_view(world, &view, buffer, size);
    if (wrong && view.head.version != KIN_VERSION)
        return kini_refuse_version(world, __func__, "buffer", view.head.version);
    if (wrong) return kini_refuse(world, __func__, "buffer", wrong);
    if (kini_contact_room(&view.was.desc) != kini_contact_room(&world->desc)) kini_wake_all(world);
    same = kini_same_levels(world, &view, KINI_SAVES_MESHES);
    if (!kini_reserve_saved(world, __func__, &view)) return false;
    changed = kini_wake_changed(world, &view);
    lost = kini_leave_things(world, &view);
    kini_copy_settings(world, buffer, false);
    for (i = 0; i < KINI_SAVED_SECTIONS; i++) {
        if (view.head.rows[i] > 0 && kini_section_bytes(&view.head, i) == 0) continue;   /* the level is left out */
        if (kini_section_of(i)->array) kini_set_count(world, i, view.head.rows[i]);
        if (i != KINI_SAVES_USERS || world->desc.trust_snapshots) kini_copy_rows(world, &view, NULL, i);
    }
    kini_clear(&world->things.at[0], sizeof world->things.at[0]);   /* slot 0 is no thing */
    if (!same) kini_rebuild_trees(world);
    kini_load_derived(world);
    kini_index_shapes(world);
    kini_forget_kept(world);
    while (changed-- > 0) kini_disturb(world, (uint32_t)world->found.at[world->found.capacity / 2 + changed]);
    if (lost > 0)
        kini_refuse_number(world, __func__, "users", "that this world was not given are NULL; so many:", (float)lost);
    return true;
}
#endif

/* ---- the hash ---------------------------------------------------------------------------------------------------- */

/* It covers all state that the future depends on. Left out is what every step begins by writing anew (wishes, scratch),
   what only drawing reads, the broad phase, and what belongs to the user: pointers and controllers. Numbers go in as
   values: byte order, padding, addresses and the sign of zero do not show. A shape goes in by its key. */
static inline uint64_t kini_hash_word(uint64_t hash, uint32_t word)
{
    hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
    return hash ^ hash >> 29;
}

static uint64_t kini_hash_field(uint64_t hash, const kin_world *world, const kini_field *field, const void *row)
{
    const void     *at = (const char *)row + field->at;
    const uint32_t *words = (const uint32_t *)at;
    uint64_t        bits;
    double          number;
    int             i, count = field->type == KINI_IS_ID ? 2 * field->count : field->count;
    switch (field->type) {
    case KINI_IS_FLOAT: case KINI_IS_SIZE: case KINI_IS_TURN:
        for (i = 0; i < count; i++) hash = kini_hash_word(hash, kini_float_bits(((const float *)at)[i]));
        return hash;
    case KINI_IS_SHORT: return kini_hash_word(hash, *(const uint16_t *)at);
    case KINI_IS_BYTE: return kini_hash_word(hash, *(const unsigned char *)at);
    case KINI_IS_LONG: case KINI_IS_DOUBLE:
        number = field->type == KINI_IS_DOUBLE ? *(const double *)at + 0.0 : 0;
        kini_copy(&bits, field->type == KINI_IS_DOUBLE ? (const void *)&number : at, sizeof bits);
        return kini_hash_word(kini_hash_word(hash, (uint32_t)(bits & 0xFFFFFFFFu)), (uint32_t)(bits >> 32));
    default:
        if (field->type == KINI_IS_ROW && (int)field->most == KINI_SAVES_SHAPES)
            return *(const int32_t *)at < 0 ? hash : kini_hash_word(hash, world->shapes.at[*(const int32_t *)at].key);
        for (i = 0; i < count; i++) hash = kini_hash_word(hash, words[i]);
        return hash;
    }
}

static uint64_t kini_hash_rows(uint64_t hash, const kin_world *world, int section, const void *first, int32_t count)
{
    const kini_section *table = kini_section_of(section);
    const char         *row = (const char *)first;
    int                 i;
    for (; count > 0; count--, row += table->stride) {
        bool used = kini_row_used(table, row);
        for (i = 0; i < table->field_count; i++)
            if (table->fields[i].when == KINI_HASH_ALWAYS || (used && table->fields[i].when == KINI_HASH_USED))
                hash = kini_hash_field(hash, world, &table->fields[i], row);
    }
    return hash;
}

KIN_API uint64_t kin_world_hash(const kin_world *world)
{
    uint64_t            hash = 0xCBF29CE484222325u + KINI_DIM;
    const kini_setting *setting;
    int32_t             i;
    if (!kini_check_world(world, __func__)) return 0;
    for (i = 0; (setting = kini_setting_at(i)) != NULL; i++)
        if (setting->field.when == KINI_HASH_ALWAYS) hash = kini_hash_field(hash, world, &setting->field, world);
    hash = kini_hash_rows(hash, world, KINI_SAVES_THINGS, world->things.at + 1, world->things.count - 1);
    hash = kini_hash_rows(hash, world, KINI_SAVES_STATICS, world->statics.at, world->statics.count);
    hash = kini_hash_rows(hash, world, KINI_SAVES_MOVERS, world->movers.at, world->movers.count);
    for (i = 0; i < world->bodies.count; i++) {
        kini_body seen = world->bodies.at[i];
        seen.velocity = kini_seen_velocity(world, i);
        if (!(seen.state & (KINI_BODY_TELEPORTED | KINI_BODY_MOVED))) kini_clear(&seen.last, sizeof seen.last);
        hash = kini_hash_rows(hash, world, KINI_SAVES_BODIES, &seen, 1);
        hash = kini_hash_rows(hash, world, KINI_SAVES_CONTACTS, kini_contacts_of(world, i), seen.contact_count);
    }
    for (i = 0; i < world->grids.count; i++) {
        const kini_grid *grid = &world->grids.at[i];
        hash = kini_hash_rows(hash, world, KINI_SAVES_GRIDS, grid, 1);
        hash = kini_hash_rows(hash, world, KINI_SAVES_TILES, world->tiles.at + grid->tiles, grid->tile_count);
    }
    hash = kini_hash_rows(hash, world, KINI_SAVES_MESHES, world->meshes.at, world->meshes.count);
    hash = kini_hash_rows(hash, world, KINI_SAVES_SENSED, world->sensed.at, world->sensed.count);
    return kini_hash_rows(hash, world, KINI_SAVES_IGNORED, world->ignored.at, world->ignored.count);
}
