/* SPDX-License-Identifier: MIT OR Unlicense

   fields.c: one line for every stored member, one for every stored array; and the hash of all of them.

   Saving, loading, verifying and hashing all follow these lists, so a new member is one line. Lines stand in the order
   in which members are hashed, with the condition for it; the first member of a row is zero while the row is free.
   tests/unit/test_snapshot.c fails if a byte of a struct is in no line or in two.

   The hash covers all state that the future depends on. Left out is what every step begins by writing anew (wishes,
   scratch), what only drawing reads, the broad phase, which decides nothing, and what belongs to the user: pointers
   and controllers. Numbers go in as values, not as bytes, so byte order, padding and addresses do not show; zero has
   no sign. */
#include "internal.h"

/* KINI_FIELD(struct, member, how it is read, how many, hashed if, limit): a row of a table, or a line of the hash. */
#define KINI_WORD(type, member, when) KINI_FIELD(type, member, KINI_IS_WORD, 1, when, -1)
#define KINI_WORDS(type, member, kind, count, when) KINI_FIELD(type, member, kind, count, when, -1)
#define KINI_COUNT(type, member, when, most) KINI_FIELD(type, member, KINI_IS_COUNT, 1, when, most)
#define KINI_FLOAT(type, member, when, most) KINI_FIELD(type, member, KINI_IS_FLOAT, 1, when, most)
#define KINI_SIZE(type, member, when, most) KINI_FIELD(type, member, KINI_IS_SIZE, 1, when, most)
#define KINI_VEC(type, member, when, most) KINI_FIELD(type, member, KINI_IS_FLOAT, KINI_DIM, when, most)
#define KINI_SPIN(type, member, when, most) \
    KINI_FIELD(type, member, KINI_IS_FLOAT, KINI_DIM * (KINI_DIM - 1) / 2, when, most)
#define KINI_TURN(type, member, when) KINI_FIELD(type, member, KINI_IS_TURN, 2 * KINI_DIM - 2, when, -1)
#define KINI_POSE(type, member, when) KINI_VEC(type, member.p, when, KINI_BEYOND) KINI_TURN(type, member.q, when)
#define KINI_ID(type, member, count, when) KINI_FIELD(type, member, KINI_IS_ID, count, when, -1)
#define KINI_FACE(type, member, id, when) KINI_FIELD(type, member, KINI_IS_FACE, 1, when, offsetof(type, id))
#define KINI_BYTE(type, member, when, most) KINI_FIELD(type, member, KINI_IS_BYTE, 1, when, most)
#define KINI_FLAGS(type, member, when, known) KINI_FIELD(type, member, KINI_IS_SHORT, 1, when, known)
#define KINI_UNUSED(type, member, count) KINI_FIELD(type, member, KINI_IS_BYTE, count, 0, -1)

#define KINI_THING_FIELDS \
    KINI_BYTE(kini_thing, kind, 1, KIN_BODY) KINI_WORD(kini_thing, age, 1) KINI_WORD(kini_thing, row, 1) \
    KINI_VEC(kini_thing, p, used, KINI_BEYOND) KINI_TURN(kini_thing, q, used) KINI_WORD(kini_thing, layer, used) \
    KINI_WORD(kini_thing, mask, used) KINI_FLAGS(kini_thing, flags, used, 2047 | KINI_RESHAPED) \
    KINI_BYTE(kini_thing, form, used, KINI_FORM_MESH) KINI_WORDS(kini_thing, shape, KINI_IS_SHAPE, 1, used)

#define KINI_STATIC_FIELDS \
    KINI_WORD(kini_static, slot, 1) KINI_WORD(kini_static, next, 1) \
    KINI_VEC(kini_static, one_way, used, KINI_TOO_LONG) KINI_VEC(kini_static, surface_velocity, used, KINI_TOO_FAST) \
    KINI_POSE(kini_static, local, used) KINI_ID(kini_static, attach, 1, used) \
    KINI_WORD(kini_static, next_part, used && !kini_is_nobody(row->attach)) KINI_WORD(kini_static, level, 0)

#define KINI_MOVER_FIELDS \
    KINI_WORD(kini_mover, slot, 1) KINI_WORD(kini_mover, next, 1) KINI_VEC(kini_mover, one_way, used, KINI_TOO_LONG) \
    KINI_VEC(kini_mover, surface_velocity, used, KINI_TOO_FAST) KINI_VEC(kini_mover, velocity, used, KINI_TOO_FAST) \
    KINI_SPIN(kini_mover, spin, used, KINI_TOO_FAST) KINI_POSE(kini_mover, before, used) \
    KINI_VEC(kini_mover, rate, used, KINI_WILDEST) KINI_SPIN(kini_mover, turn_rate, used, KINI_TOO_FAST) \
    KINI_ID(kini_mover, blocked_by, 2, used) KINI_BYTE(kini_mover, carry, used, KIN_CARRY_NONE) \
    KINI_BYTE(kini_mover, on_blocked, used, KIN_BLOCKED_STOP) KINI_BYTE(kini_mover, state, used, -1) \
    KINI_POSE(kini_mover, target, used && (row->state & KINI_HAS_TARGET)) KINI_WORD(kini_mover, parts, used) \
    KINI_POSE(kini_mover, drawn, 0) KINI_WORDS(kini_mover, control, KINI_IS_CONTROL, 1, 0) \
    KINI_UNUSED(kini_mover, pad, 1)

#define KINI_STAND_FIELDS(type, stand, when) \
    KINI_ID(type, stand id, 1, when) KINI_VEC(type, stand normal, when, KINI_TOO_LONG) \
    KINI_VEC(type, stand point, when, KINI_WILDEST) KINI_VEC(type, stand velocity, when, KINI_WILDEST) \
    KINI_VEC(type, stand local, when, KINI_WILDEST) KINI_FACE(type, stand part, stand id, when) \
    KINI_BYTE(type, stand footing, when, KIN_STEEP) KINI_BYTE(type, stand wedge, when, 1) \
    KINI_UNUSED(type, stand pad, 2)

#define KINI_NUMBER_FIELD(member, lo, hi, otherwise) \
    KINI_FIELD(kini_body, options.member, (int)(lo) < 0 ? KINI_IS_FLOAT : KINI_IS_SIZE, 1, used, hi)
#define KINI_CHOICE_FIELD(member, type, last) KINI_FIELD(kini_body, options.member, KINI_IS_BYTE, 1, used, last)
#define KINI_FLAG_FIELD(member) KINI_FIELD(kini_body, options.member, KINI_IS_BYTE, 1, used, 1)
#define KINI_BODY_FIELDS \
    KINI_WORD(kini_body, slot, 1) KINI_WORD(kini_body, next, 1) KINI_VEC(kini_body, velocity, used, KINI_WILDEST) \
    KINI_VEC(kini_body, leftover, used, KINI_WILDEST) KINI_VEC(kini_body, given, used, KINI_WILDEST) \
    KINI_VEC(kini_body, motion, used, KINI_WILDEST) KINI_STAND_FIELDS(kini_body, stand., used) \
    KINI_STAND_FIELDS(kini_body, last., used && (row->state & KINI_BODY_TELEPORTED)) \
    KINI_ID(kini_body, squeezed_by, 2, used) KINI_ID(kini_body, drops_through, 1, used) \
    KINI_VEC(kini_body, drop_from, used, KINI_WILDEST) \
    KINI_BODY_OPTIONS(KINI_NUMBER_FIELD, KINI_CHOICE_FIELD, KINI_FLAG_FIELD) KINI_WORD(kini_body, state, used) \
    KINI_COUNT(kini_body, contact_count, used, -1) KINI_POSE(kini_body, drawn, 0) \
    KINI_FLOAT(kini_body, options.max_slope_cos, 0, KINI_WILDEST) KINI_UNUSED(kini_body, options.pad, 3) \
    KINI_WORDS(kini_body, control, KINI_IS_CONTROL, 1, 0)

#define KINI_CONTACT_FIELDS \
    KINI_ID(kini_contact, other, 1, 1) KINI_VEC(kini_contact, normal, 1, KINI_TOO_LONG) \
    KINI_FLOAT(kini_contact, gap, 1, KINI_WILDEST) \
    KINI_FLOAT(kini_contact, speed, 1, KINI_WILDEST) KINI_FACE(kini_contact, part, other, 1) \
    KINI_WORD(kini_contact, flags, 1)

#define KINI_SHAPE_FIELDS \
    KINI_COUNT(kini_shape, users, 0, 1 << 30) KINI_VEC(kini_shape, centre, 0, KINI_TOO_WIDE) \
    KINI_FIELD(kini_shape, half, KINI_IS_SIZE, KINI_DIM, 0, KINI_TOO_WIDE) \
    KINI_SIZE(kini_shape, radius, 0, KINI_TOO_WIDE) KINI_SIZE(kini_shape, width, 0, KINI_TOO_WIDE) \
    KINI_SIZE(kini_shape, reach, 0, KINI_TOO_WIDE) KINI_WORD(kini_shape, hull, 0) KINI_WORD(kini_shape, key, 0)

#define KINI_HULL_FIELDS \
    KINI_COUNT(kini_hull, count, 0, KIN_MAX_POINTS) KINI_WORD(kini_hull, owner, 0) \
    KINI_FIELD(kini_hull, points, KINI_IS_VEC, KIN_MAX_POINTS, 0, KINI_TOO_WIDE) \
    KINI_FIELD(kini_hull, normals, KINI_IS_VEC, KINI_MAX_FACES, 0, KINI_TOO_LONG) \
    KINI_UNUSED(kini_hull, edges, KINI_MAX_EDGES * 2) KINI_UNUSED(kini_hull, sides, KINI_MAX_EDGES * 2) \
    KINI_COUNT(kini_hull, face_count, 0, KINI_MAX_FACES) KINI_COUNT(kini_hull, edge_count, 0, KINI_MAX_EDGES)

#define KINI_PAIR_FIELDS \
    KINI_WORD(kini_pair, a, 1) KINI_WORD(kini_pair, b, 1)

#define KINI_EVENT_FIELDS \
    KINI_COUNT(kin_event, type, 0, KIN_EVENT_BLOCKED) KINI_WORDS(kin_event, a, KINI_IS_WORD, 6, 0) \
    KINI_VEC(kin_event, normal, 0, KINI_TOO_LONG) KINI_VEC(kin_event, point, 0, KINI_WILDEST) \
    KINI_FLOAT(kin_event, speed, 0, KINI_WILDEST) KINI_WORD(kin_event, part, 0) \
    KINI_WORDS(kin_event, step, KINI_IS_LONG, 1, 0)

#define KINI_GRID_FIELDS \
    KINI_WORD(kini_grid, slot, 1) KINI_WORDS(kini_grid, size, KINI_IS_WORD, KINI_DIM, used) \
    KINI_SIZE(kini_grid, cell, used, KINI_LARGEST_SHAPE) KINI_WORDS(kini_grid, key, KINI_IS_LONG, 1, used) \
    KINI_WORD(kini_grid, cells, 0) KINI_WORD(kini_grid, tiles, 0) KINI_COUNT(kini_grid, tile_count, 0, 256)

#define KINI_TILE_FIELDS \
    KINI_FLAGS(kini_tile, flags, 1, UINT16_MAX) KINI_VEC(kini_tile, one_way, 1, KINI_TOO_LONG) \
    KINI_VEC(kini_tile, surface_velocity, 1, KINI_TOO_FAST) KINI_WORDS(kini_tile, shape, KINI_IS_SHAPE, 1, 1) \
    KINI_UNUSED(kini_tile, faces, 1) KINI_UNUSED(kini_tile, covers, 1)

#define KINI_MESH_FIELDS \
    KINI_WORD(kini_mesh, slot, 1) KINI_WORDS(kini_mesh, key, KINI_IS_LONG, 1, used) \
    KINI_VEC(kini_mesh, lo, 0, KINI_FURTHEST) KINI_VEC(kini_mesh, hi, 0, KINI_FURTHEST) \
    KINI_WORDS(kini_mesh, points, KINI_IS_WORD, 4, 0) KINI_UNUSED(kini_mesh, pad, 4)

#define KINI_FIELD(type, member, kind, count, when, most) { offsetof(type, member), kind, count, most },
static const kini_field kini_fields_thing[] = { KINI_THING_FIELDS };
static const kini_field kini_fields_static[] = { KINI_STATIC_FIELDS };
static const kini_field kini_fields_mover[] = { KINI_MOVER_FIELDS };
static const kini_field kini_fields_body[] = { KINI_BODY_FIELDS };
static const kini_field kini_fields_last[] = { KINI_STAND_FIELDS(kini_stand, , 0) };
static const kini_field kini_fields_contact[] = { KINI_CONTACT_FIELDS };
static const kini_field kini_fields_shape[] = { KINI_SHAPE_FIELDS };
static const kini_field kini_fields_hull[] = { KINI_HULL_FIELDS };
static const kini_field kini_fields_pair[] = { KINI_PAIR_FIELDS };
static const kini_field kini_fields_event[] = { KINI_EVENT_FIELDS };
static const kini_field kini_fields_grid[] = { KINI_GRID_FIELDS };
static const kini_field kini_fields_tile[] = { KINI_TILE_FIELDS };
static const kini_field kini_fields_mesh[] = { KINI_MESH_FIELDS };

/* ---- settings: what a world has beside its arrays ---------------------------------------------------------------- */

#define KINI_WIDTH(kind) \
    (kind == KINI_IS_ROOM ? 0 : kind == KINI_IS_BYTE ? 1 : kind == KINI_IS_LONG || kind == KINI_IS_DOUBLE ? 8 : 4)
#define KINI_SETTING(member, kind, count, hashed, lo, hi) \
    { KINI_FIELD(kin_world, member, kind, count, 0, 0) hashed, KINI_WIDTH(kind) * (count), NULL, lo, hi }
#define KINI_COUNTED(member, hashed, lo, hi) KINI_SETTING(member, KINI_IS_WORD, 1, hashed, lo, hi)
/* A member of the descriptor, and its default. */
#define KINI_GIVEN(member, kind, count, hashed, lo, hi, otherwise) \
    { KINI_FIELD(kin_world, desc.member, kind, count, 0, otherwise) hashed, KINI_WIDTH(kind) * (count), #member, \
      (double)(lo), (double)(hi) }
#define KINI_GIVEN_FLOAT(member, lo, hi, otherwise) KINI_GIVEN(member, KINI_IS_FLOAT, 1, true, lo, hi, otherwise)
#define KINI_GIVEN_VEC(member, most) KINI_GIVEN(member, KINI_IS_FLOAT, KINI_DIM, true, -(most), most, 0)
#define KINI_GIVEN_INT(member, hashed, hi, otherwise) KINI_GIVEN(member, KINI_IS_WORD, 1, hashed, 1, hi, otherwise)
#define KINI_GIVEN_ROOM(member) KINI_GIVEN(member, KINI_IS_ROOM, 1, false, 0, KINI_MOST_THINGS / 4, 0)

static const kini_setting kini_settings[] = {
    KINI_GIVEN_VEC(gravity, KINI_FASTEST), KINI_GIVEN_VEC(up, KINI_FLT_MAX),
    KINI_GIVEN_FLOAT(rate, 1 / KINI_LONGEST_STEP, KINI_HIGHEST_RATE, KINI_DEFAULT_RATE),
    KINI_GIVEN_FLOAT(max_catch_up, 0, KINI_LONGEST_CATCH_UP, KINI_DEFAULT_CATCH_UP),
    KINI_GIVEN_FLOAT(unit, 1 / KINI_LARGEST_UNIT, KINI_LARGEST_UNIT, 1),
    KINI_GIVEN_FLOAT(max_speed, 0, KINI_FASTEST, KINI_DEFAULT_MAX_SPEED),   /* times unit */
    KINI_GIVEN_INT(max_rounds, true, KINI_MOST_ROUNDS, KINI_DEFAULT_ROUNDS),
    KINI_GIVEN_INT(max_contacts, true, KINI_MOST_CONTACTS, KINI_DEFAULT_CONTACTS),
    KINI_GIVEN_INT(max_sensor_contacts, true, KINI_MOST_CONTACTS, KINI_DEFAULT_SENSOR_CONTACTS),
    KINI_SETTING(up, KINI_IS_FLOAT, KINI_DIM, true, -2, 2),
    KINI_SETTING(time_left, KINI_IS_DOUBLE, 1, true, 0, 1e9),
    KINI_SETTING(steps, KINI_IS_LONG, 1, true, 0, 0),
    KINI_SETTING(dt, KINI_IS_FLOAT, 1, true, 0, (double)KINI_LONGEST_STEP),
    KINI_COUNTED(free_slot, true, -1, INT32_MAX),
    KINI_SETTING(free_row[KIN_STATIC], KINI_IS_WORD, 3, true, -1, INT32_MAX),
    KINI_SETTING(dropped, KINI_IS_DOUBLE, 1, false, 0, 1e12),
    KINI_GIVEN_INT(max_events, false, KINI_MOST_EVENTS, KINI_DEFAULT_EVENTS),
    KINI_COUNTED(free_shape, false, -1, INT32_MAX), KINI_COUNTED(free_hull, false, -1, INT32_MAX),
    KINI_SETTING(live, KINI_IS_WORD, 4, false, 0, INT32_MAX),
    KINI_COUNTED(stop_movers, false, 0, INT32_MAX), KINI_COUNTED(attached, false, 0, INT32_MAX),
    KINI_COUNTED(pending, false, 0, KINI_MOST_COUNTED), KINI_COUNTED(shifted, false, 0, KINI_MOST_COUNTED),
    KINI_COUNTED(going, false, 0, KINI_MOST_COUNTED),
    KINI_SETTING(overflowed, KINI_IS_BYTE, 1, false, 0, 1),
    KINI_GIVEN_ROOM(statics), KINI_GIVEN_ROOM(movers), KINI_GIVEN_ROOM(bodies)
};

/* ---- sections: the arrays of a snapshot, in its order ------------------------------------------------------------ */

#define KINI_STRIDE(array) sizeof *((kin_world *)0)->array.at
#define KINI_FIELDS(of) kini_fields_##of, (int)(sizeof kini_fields_##of / sizeof *kini_fields_##of)
/* Free rows form a list: its first row is in the world, `link` leads to the next. */
#define KINI_LINKED(array, lasts, head, type, link, of)                                                       \
    { offsetof(kin_world, array), KINI_STRIDE(array), lasts, offsetof(kini_counts, array), offsetof(kin_world, head), \
      offsetof(type, link), KINI_FIELDS(of) }
#define KINI_ROWS(array, counts, of) \
    { offsetof(kin_world, array), KINI_STRIDE(array), KINI_STRIDE(array), offsetof(kini_counts, counts), 0, 0, \
      KINI_FIELDS(of) }
#define KINI_GATHERED(type, of) { 0, sizeof(type), sizeof(type), offsetof(kini_counts, derived), 0, 0, KINI_FIELDS(of) }
#define KINI_BULK(array, lasts, counts) \
    { offsetof(kin_world, array), KINI_STRIDE(array), lasts, offsetof(kini_counts, counts), 0, 0, NULL, 0 }

static const kini_section kini_sections[] = {
    KINI_LINKED(things, KINI_THING_LASTS, free_slot, kini_thing, row, thing),
    KINI_BULK(users, sizeof(uint64_t), derived),
    KINI_LINKED(statics, sizeof(kini_static), free_row[KIN_STATIC], kini_static, next, static),
    KINI_LINKED(movers, sizeof(kini_mover), free_row[KIN_MOVER], kini_mover, next, mover),
    KINI_LINKED(bodies, KINI_BODY_LASTS, free_row[KIN_BODY], kini_body, next, body),
    KINI_GATHERED(kini_stand, last), KINI_GATHERED(kini_contact, contact),
    KINI_LINKED(shapes, sizeof(kini_shape), free_shape, kini_shape, hull, shape),
    KINI_LINKED(hulls, sizeof(kini_hull), free_hull, kini_hull, owner, hull),
    KINI_ROWS(ignored, ignored, pair), KINI_ROWS(events, derived, event), KINI_ROWS(grids, grids, grid),
    KINI_ROWS(tiles, tiles, tile), { offsetof(kin_world, meshes), sizeof(kini_mesh), KINI_MESH_LASTS,
                                     offsetof(kini_counts, meshes), 0, 0, KINI_FIELDS(mesh) },
    KINI_BULK(mesh_points, sizeof(kin_vec), mesh_points), KINI_BULK(mesh_corners, sizeof(int32_t), mesh_corners),
    KINI_BULK(cells, sizeof(uint8_t), cells)
};

KINI_PART const kini_section *kini_section_of(int section) { return &kini_sections[section]; }

KINI_PART const kini_setting *kini_setting_at(int number)
{
    return number < (int)(sizeof kini_settings / sizeof *kini_settings) ? &kini_settings[number] : NULL;
}

KINI_PART bool kini_row_used(const kini_section *section, const unsigned char *row)
{
    uint32_t first = row[section->fields->at];
    if (section->fields->type != KINI_IS_BYTE) kini_copy(&first, row + section->fields->at, sizeof first);
    return first != 0;
}

KINI_PART kini_rows kini_rows_of(const kin_world *world, int section)
{
    kini_rows rows;
    kini_clear(&rows, sizeof rows);
    if (kini_sections[section].array) kini_copy(&rows, (const char *)world + kini_sections[section].array, sizeof rows);
    return rows;
}

KINI_PART void kini_set_count(kin_world *world, int section, int32_t count)
{
    kini_copy((char *)world + kini_sections[section].array + offsetof(kini_rows, count), &count, sizeof count);
}

KINI_PART kini_counts kini_counts_of_rows(const int32_t *rows)
{
    kini_counts counts;
    int         i;
    kini_clear(&counts, sizeof counts);
    for (i = 0; i < KINI_SAVED_SECTIONS; i++) {
        int64_t count = rows[i];
        kini_copy((char *)&counts + kini_sections[i].counts, &count, sizeof count);
    }
    return counts;
}

/* One of the numbers that a setting has. */
static double kini_setting_number(const kini_setting *setting, const kin_world *world, int i)
{
    const char *at = (const char *)world + setting->field.at;
    float       number;
    int32_t     whole;
    double      fine;
    switch (setting->field.type) {
    case KINI_IS_BYTE: return *(const unsigned char *)at;
    case KINI_IS_LONG: return 0;
    case KINI_IS_DOUBLE: kini_copy(&fine, at, sizeof fine); return fine;
    case KINI_IS_FLOAT: kini_copy(&number, at + sizeof number * (size_t)i, sizeof number); return (double)number;
    default: kini_copy(&whole, at + sizeof whole * (size_t)i, sizeof whole); return whole;
    }
}

KINI_PART bool kini_check_settings(const kin_world *world, const char *call)
{
    const kini_setting *setting;
    int                 i, k;
    for (i = 0; (setting = kini_setting_at(i)) != NULL; i++)
        for (k = 0; k < setting->field.count; k++) {
            double number = kini_setting_number(setting, world, k);
            if (number >= setting->lo && number <= setting->hi) continue;
            return call ? kini_refuse_range(world, call, setting->name, number, setting->lo, setting->hi, "") : false;
        }
    return true;
}

KINI_PART void kini_default_settings(kin_world *world)
{
    const kini_setting *setting;
    int                 i;
    for (i = 0; (setting = kini_setting_at(i)) != NULL; i++) {
        double  number = kini_setting_number(setting, world, 0);
        float   otherwise = setting->field.most;
        int32_t whole = (int32_t)otherwise;
        char   *at = (char *)world + setting->field.at;
        if (!setting->name || setting->field.count > 1 || !(number >= 0 && number <= 0)) continue;
        if (setting->field.at == offsetof(kin_world, desc.max_speed)) otherwise *= world->desc.unit;
        if (setting->field.type == KINI_IS_FLOAT) kini_copy(at, &otherwise, sizeof otherwise);
        else kini_copy(at, &whole, sizeof whole);
    }
}

/* ---- the hash ---------------------------------------------------------------------------------------------------- */

static inline uint64_t kini_hash_word(uint64_t hash, uint32_t word)
{
    hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
    return hash ^ hash >> 29;
}

static inline uint64_t kini_hash_field(uint64_t hash, const kin_world *world, const void *at, int kind, int count)
{
    const float         *numbers = (const float *)at;
    const uint32_t      *words = (const uint32_t *)at;
    const unsigned char *bytes = (const unsigned char *)at;
    uint64_t             bits;
    double               number;
    int                  i;
    switch (kind) {
    case KINI_IS_FLOAT: case KINI_IS_SIZE: case KINI_IS_TURN:
        for (i = 0; i < count; i++) hash = kini_hash_word(hash, kini_float_bits(numbers[i]));
        return hash;
    case KINI_IS_SHORT: return kini_hash_word(hash, *(const uint16_t *)at);
    case KINI_IS_BYTE: return kini_hash_word(hash, *bytes);
    case KINI_IS_SHAPE:
        return *(const int32_t *)at < 0 ? hash : kini_hash_word(hash, world->shapes.at[*(const int32_t *)at].key);
    case KINI_IS_LONG: case KINI_IS_DOUBLE:
        number = kind == KINI_IS_DOUBLE ? *(const double *)at + 0.0 : 0;
        kini_copy(&bits, kind == KINI_IS_DOUBLE ? (const void *)&number : at, sizeof bits);
        return kini_hash_word(kini_hash_word(hash, (uint32_t)(bits & 0xFFFFFFFFu)), (uint32_t)(bits >> 32));
    default:
        for (i = 0; i < (kind == KINI_IS_ID ? 2 * count : count); i++) hash = kini_hash_word(hash, words[i]);
        return hash;
    }
}

#undef KINI_FIELD
#define KINI_FIELD(type, member, kind, count, when, most) \
    if (when) hash = kini_hash_field(hash, world, &row->member, kind, count);
#define KINI_HASH_ROW(name, type, in_use, fields)                                             \
    static uint64_t kini_hash_##name(uint64_t hash, const kin_world *world, const type *row)  \
    {                                                                                         \
        const bool used = in_use;                                                             \
        (void)used;                                                                           \
        fields                                                                                \
        return hash;                                                                          \
    }
KINI_HASH_ROW(thing, kini_thing, row->kind != KIN_NOTHING, KINI_THING_FIELDS)
KINI_HASH_ROW(static, kini_static, row->slot != 0, KINI_STATIC_FIELDS)
KINI_HASH_ROW(mover, kini_mover, row->slot != 0, KINI_MOVER_FIELDS)
KINI_HASH_ROW(body, kini_body, row->slot != 0, KINI_BODY_FIELDS)
KINI_HASH_ROW(contact, kini_contact, true, KINI_CONTACT_FIELDS)
KINI_HASH_ROW(grid, kini_grid, row->slot != 0, KINI_GRID_FIELDS)
KINI_HASH_ROW(tile, kini_tile, true, KINI_TILE_FIELDS)
KINI_HASH_ROW(mesh, kini_mesh, row->slot != 0, KINI_MESH_FIELDS)
KINI_HASH_ROW(pair, kini_pair, true, KINI_PAIR_FIELDS)

KIN_API uint64_t kin_world_hash(const kin_world *world)
{
    uint64_t            hash = 0xCBF29CE484222325u + KINI_DIM;
    const kini_setting *setting;
    int32_t             i, k;
    if (!kini_check_world(world, "kin_world_hash")) return 0;
    for (i = 0; (setting = kini_setting_at(i)) != NULL; i++)
        if (setting->hashed)
            hash = kini_hash_field(hash, world, (const char *)world + setting->field.at, setting->field.type,
                                   setting->field.count);
    for (i = 1; i < world->things.count; i++) hash = kini_hash_thing(hash, world, &world->things.at[i]);
    for (i = 0; i < world->statics.count; i++) hash = kini_hash_static(hash, world, &world->statics.at[i]);
    for (i = 0; i < world->movers.count; i++) hash = kini_hash_mover(hash, world, &world->movers.at[i]);
    for (i = 0; i < world->bodies.count; i++) {
        const kini_contact *contacts = kini_contacts_of(world, i);
        kini_body           seen = world->bodies.at[i];
        seen.velocity = kini_seen_velocity(world, i);
        hash = kini_hash_body(hash, world, &seen);
        for (k = 0; k < world->bodies.at[i].contact_count; k++) hash = kini_hash_contact(hash, world, &contacts[k]);
    }
    for (i = 0; i < world->grids.count; i++) {
        const kini_grid *grid = &world->grids.at[i];
        hash = kini_hash_grid(hash, world, grid);
        for (k = 0; k < grid->tile_count; k++) hash = kini_hash_tile(hash, world, &world->tiles.at[grid->tiles + k]);
    }
    for (i = 0; i < world->meshes.count; i++) hash = kini_hash_mesh(hash, world, &world->meshes.at[i]);
    for (i = 0; i < world->ignored.count; i++) hash = kini_hash_pair(hash, world, &world->ignored.at[i]);
    return hash;
}
