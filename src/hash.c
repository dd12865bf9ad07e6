/* SPDX-License-Identifier: MIT OR Unlicense

   hash.c: one number for all state that the future depends on.

   fields.c says which members count, and in which order. Numbers go in as values, not as bytes, so byte order, padding
   and addresses do not show; zero has no sign. */
#include "internal.h"

static inline uint64_t kini_hash_word(uint64_t hash, uint32_t word)
{
    hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
    return hash ^ hash >> 29;
}

static uint64_t kini_hash_long(uint64_t hash, uint64_t number)
{
    return kini_hash_word(kini_hash_word(hash, (uint32_t)(number & 0xFFFFFFFFu)), (uint32_t)(number >> 32));
}

static uint64_t kini_hash_double(uint64_t hash, double number)
{
    uint64_t bits;
    number += 0.0;
    kini_copy(&bits, &number, sizeof bits);
    return kini_hash_long(hash, bits);
}

static inline uint64_t kini_hash_field(uint64_t hash, const kin_world *world, const kini_field *field, const void *row)
{
    const void          *at = (const unsigned char *)row + field->at;
    const float         *numbers = (const float *)at;
    const uint32_t      *words = (const uint32_t *)at;
    const unsigned char *bytes = (const unsigned char *)at;
    int                  i, count = field->count;
    switch (field->type) {
    case KINI_IS_FLOAT:
        for (i = 0; i < count; i++) hash = kini_hash_word(hash, kini_float_bits(numbers[i]));
        return hash;
    case KINI_IS_BYTE:
        for (i = 0; i < count; i++) hash = kini_hash_word(hash, bytes[i]);
        return hash;
    case KINI_IS_SHORT: return kini_hash_word(hash, *(const uint16_t *)at);
    case KINI_IS_LONG: return kini_hash_long(hash, *(const uint64_t *)at);
    case KINI_IS_DOUBLE: return kini_hash_double(hash, *(const double *)at);
    case KINI_IS_SHAPE:
        return *(const int32_t *)at < 0 ? hash : kini_hash_word(hash, world->shapes.at[*(const int32_t *)at].key);
    default:
        for (i = 0; i < count; i++) hash = kini_hash_word(hash, words[i]);
        return hash;
    }
}

/* Members of a section that are hashed; those side by side that are read alike are joined, which is quicker. */
typedef struct kini_runs { const kini_section *table; kini_field at[48]; int count; } kini_runs;

static void kini_join_fields(kini_runs *runs, int section)
{
    int i;
    runs->table = kini_section_of(section);
    runs->count = 0;
    for (i = 0; i < runs->table->field_count; i++) {
        kini_field  field = runs->table->fields[i];
        kini_field *last = runs->count > 0 ? &runs->at[runs->count - 1] : NULL;
        if (field.hashed == KINI_NEVER) continue;
        if (field.type == KINI_IS_TURN) field.type = KINI_IS_FLOAT;
        if (field.type == KINI_IS_ID) field.count = (uint8_t)(2 * field.count);
        if (field.type >= KINI_IS_ID && field.type != KINI_IS_SHAPE) field.type = KINI_IS_WORD;
        if (last && last->type == field.type && last->hashed == field.hashed &&
            last->at + last->count * (field.type == KINI_IS_BYTE ? 1 : 4) == field.at &&
            (field.type == KINI_IS_BYTE || field.type == KINI_IS_WORD || field.type == KINI_IS_FLOAT))
            last->count = (uint8_t)(last->count + field.count);
        else runs->at[runs->count++] = field;
    }
}

/* Of a row that is in use: does its state say that the member counts? */
static bool kini_is_hashed(const kini_field *field, const void *row)
{
    if (field->hashed == KINI_IF_ATTACHED) return !kini_is_nobody(((const kini_static *)row)->attach);
    if (field->hashed == KINI_IF_TARGET) return (((const kini_mover *)row)->state & KINI_HAS_TARGET) != 0;
    return (((const kini_body *)row)->state & KINI_BODY_TELEPORTED) != 0;
}

static uint64_t kini_hash_rows(uint64_t hash, const kin_world *world, const kini_runs *runs, const void *rows,
                               int32_t count)
{
    const kini_field    *field, *end = runs->at + runs->count;
    const unsigned char *row = (const unsigned char *)rows;
    for (; count > 0; count--, row += runs->table->stride) {
        int most = !kini_row_used(runs->table, row) ? (int)KINI_ALWAYS : (int)KINI_IF_TELEPORTED;
        for (field = runs->at; field < end; field++) {
            if (field->hashed > most || (field->hashed > KINI_USED && !kini_is_hashed(field, row))) continue;
            hash = kini_hash_field(hash, world, field, row);
        }
    }
    return hash;
}

static uint64_t kini_hash_section(uint64_t hash, const kin_world *world, int section, int32_t first)
{
    kini_rows rows = kini_rows_of(world, section);
    kini_runs runs;
    kini_join_fields(&runs, section);
    if (rows.count <= first) return hash;
    return kini_hash_rows(hash, world, &runs, (const char *)rows.at + (size_t)first * runs.table->stride,
                          rows.count - first);
}

KIN_API uint64_t kin_world_hash(const kin_world *world)
{
    uint64_t            hash = 0xCBF29CE484222325u + KINI_DIM;
    const kini_setting *setting;
    kini_runs           outer, inner;
    int32_t             i;
    if (!kini_check_world(world, "kin_world_hash")) return 0;
    for (i = 0; (setting = kini_setting_at(i)) != NULL; i++)
        if (setting->field.hashed) hash = kini_hash_field(hash, world, &setting->field, world);
    hash = kini_hash_section(hash, world, KINI_SAVES_THINGS, 1);
    hash = kini_hash_section(hash, world, KINI_SAVES_STATICS, 0);
    hash = kini_hash_section(hash, world, KINI_SAVES_MOVERS, 0);
    kini_join_fields(&outer, KINI_SAVES_BODIES);
    kini_join_fields(&inner, KINI_SAVES_CONTACTS);
    for (i = 0; i < world->bodies.count; i++) {
        hash = kini_hash_rows(hash, world, &outer, &world->bodies.at[i], 1);
        hash = kini_hash_rows(hash, world, &inner, kini_contacts_of(world, i), world->bodies.at[i].contact_count);
    }
    kini_join_fields(&outer, KINI_SAVES_GRIDS);
    kini_join_fields(&inner, KINI_SAVES_TILES);
    for (i = 0; i < world->grids.count; i++) {
        const kini_grid *grid = &world->grids.at[i];
        hash = kini_hash_rows(hash, world, &outer, grid, 1);
        if (grid->slot != 0)
            hash = kini_hash_rows(hash, world, &inner, world->tiles.at + grid->tiles, grid->tile_count);
    }
    hash = kini_hash_section(hash, world, KINI_SAVES_MESHES, 0);
    return kini_hash_section(hash, world, KINI_SAVES_IGNORED, 0);
}
