/* SPDX-License-Identifier: MIT OR Unlicense

   hash.c: one number for all state that the future depends on.

   fields.c says which members count, and in which order. Numbers go in as values, not as bytes, so byte order, padding
   and addresses do not show; zero has no sign. */
#include "internal.h"

static void kini_hash_word(uint64_t *hash, uint32_t word)
{
    uint64_t h = (*hash ^ word) * 0x9E3779B97F4A7C15u;
    *hash = h ^ h >> 29;
}

static void kini_hash_long(uint64_t *hash, uint64_t number)
{
    kini_hash_word(hash, (uint32_t)(number & 0xFFFFFFFFu));
    kini_hash_word(hash, (uint32_t)(number >> 32));
}

static void kini_hash_double(uint64_t *hash, double number)
{
    uint64_t bits;
    number += 0.0;
    kini_copy(&bits, &number, sizeof bits);
    kini_hash_long(hash, bits);
}

static void kini_hash_words(uint64_t *hash, const unsigned char *at, int count, bool floats)
{
    uint32_t word;
    float    number;
    for (; count > 0; count--, at += sizeof word) {
        kini_copy(&word, at, sizeof word);
        kini_copy(&number, at, sizeof number);
        kini_hash_word(hash, floats ? kini_float_bits(number) : word);
    }
}

static void kini_hash_field(uint64_t *hash, const kin_world *world, const kini_field *field, const void *row)
{
    const unsigned char *at = (const unsigned char *)row + field->at;
    if (field->type == KINI_IS_FLOAT || field->type == KINI_IS_TURN) kini_hash_words(hash, at, field->count, true);
    else if (field->type == KINI_IS_BYTE) kini_hash_word(hash, *at);
    else if (field->type == KINI_IS_SHORT) kini_hash_word(hash, *(const uint16_t *)(const void *)at);
    else if (field->type == KINI_IS_LONG) kini_hash_long(hash, *(const uint64_t *)(const void *)at);
    else if (field->type == KINI_IS_DOUBLE) kini_hash_double(hash, *(const double *)(const void *)at);
    else if (field->type == KINI_IS_SHAPE) {
        int32_t shape = *(const int32_t *)(const void *)at;
        if (shape >= 0) kini_hash_word(hash, world->shapes.at[shape].key);
    } else kini_hash_words(hash, at, field->type == KINI_IS_ID ? 2 * field->count : field->count, false);
}

/* Of a row that is in use. */
static bool kini_is_hashed(const kini_field *field, const void *row)
{
    if (field->hashed == KINI_IF_ATTACHED) return !kini_is_nobody(((const kini_static *)row)->attach);
    if (field->hashed == KINI_IF_TARGET) return (((const kini_mover *)row)->state & KINI_HAS_TARGET) != 0;
    if (field->hashed == KINI_IF_TELEPORTED) return (((const kini_body *)row)->state & KINI_BODY_TELEPORTED) != 0;
    return field->hashed != KINI_NEVER;
}

static void kini_hash_rows(uint64_t *hash, const kin_world *world, int section, const void *rows, int32_t count)
{
    const kini_section  *table = kini_section_of(section);
    const unsigned char *row = (const unsigned char *)rows;
    int                  i;
    for (; count > 0; count--, row += table->stride) {
        bool used = kini_row_used(table, row);
        for (i = 0; i < table->field_count; i++)
            if (used ? kini_is_hashed(&table->fields[i], row) : table->fields[i].hashed == KINI_ALWAYS)
                kini_hash_field(hash, world, &table->fields[i], row);
    }
}

KIN_API uint64_t kin_world_hash(const kin_world *world)
{
    uint64_t            hash = 0xCBF29CE484222325u + KINI_DIM;
    const kini_setting *setting;
    int32_t             i;
    if (!kini_check_world(world, "kin_world_hash")) return 0;
    for (i = 0; (setting = kini_setting_at(i)) != NULL; i++)
        if (setting->field.hashed) kini_hash_field(&hash, world, &setting->field, world);
    kini_hash_rows(&hash, world, KINI_SAVES_THINGS, world->things.at + 1, world->things.count - 1);
    kini_hash_rows(&hash, world, KINI_SAVES_STATICS, world->statics.at, world->statics.count);
    kini_hash_rows(&hash, world, KINI_SAVES_MOVERS, world->movers.at, world->movers.count);
    for (i = 0; i < world->bodies.count; i++) {
        const kini_body *body = &world->bodies.at[i];
        kini_hash_rows(&hash, world, KINI_SAVES_BODIES, body, 1);
        kini_hash_rows(&hash, world, KINI_SAVES_CONTACTS, kini_contacts_of(world, i), body->contact_count);
    }
    for (i = 0; i < world->grids.count; i++) {
        const kini_grid *grid = &world->grids.at[i];
        kini_hash_rows(&hash, world, KINI_SAVES_GRIDS, grid, 1);
        if (grid->slot != 0)
            kini_hash_rows(&hash, world, KINI_SAVES_TILES, world->tiles.at + grid->tiles, grid->tile_count);
    }
    kini_hash_rows(&hash, world, KINI_SAVES_MESHES, world->meshes.at, world->meshes.count);
    kini_hash_rows(&hash, world, KINI_SAVES_IGNORED, world->ignored.at, world->ignored.count);
    return hash;
}
