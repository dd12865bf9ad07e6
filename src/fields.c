/* SPDX-License-Identifier: MIT OR Unlicense

   fields.c: one line for every stored member, one for every stored array.

   Saving, loading, verifying and hashing all follow these lists, in their order. The first member of a row that can
   be free is zero while it is. tests/unit/test_snapshot.c fails if a byte of a struct is in no line or in two. */
#include "memory.h"

/* Plain tables: struct, member, how it is read (KINI_IS_...), how many, hashed when (KINI_HASH_...), limit. */
#define KINI_FIELD(type, member, kind, count, when, most) \
    { offsetof(type, member), KINI_IS_##kind, count, KINI_HASH_##when, most }
#define KINI_WORD(type, member, when) KINI_FIELD(type, member, WORD, 1, when, -1)
#define KINI_ROW(type, member, when, section) KINI_FIELD(type, member, ROW, 1, when, KINI_SAVES_##section)
#define KINI_COUNT(type, member, when, most) KINI_FIELD(type, member, COUNT, 1, when, most)
#define KINI_VEC(type, member, when, most) KINI_FIELD(type, member, FLOAT, KINI_DIM, when, most)
#define KINI_SPIN(type, member, when, most) KINI_FIELD(type, member, FLOAT, KINI_DIM * (KINI_DIM - 1) / 2, when, most)
#define KINI_POSE(type, member, when) \
    KINI_VEC(type, member.p, when, KINI_BEYOND), KINI_FIELD(type, member.q, TURN, 2 * KINI_DIM - 2, when, -1)
#define KINI_SURFACE(type) \
    KINI_VEC(type, surface.one_way, USED, KINI_TOO_LONG), KINI_VEC(type, surface.velocity, USED, KINI_TOO_FAST)
#define KINI_FACE(type, member, id, when) KINI_FIELD(type, member, FACE, 1, when, offsetof(type, id))
#define KINI_ID(type, member, count, when) KINI_FIELD(type, member, ID, count, when, -1)
#define KINI_BYTE(type, member, when, most) KINI_FIELD(type, member, BYTE, 1, when, most)
#define KINI_UNUSED(type, member, count) KINI_FIELD(type, member, BYTE, count, NEVER, -1)

static const kini_field kini_fields_thing[] = {
    KINI_BYTE(kini_thing, kind, ALWAYS, KIN_BODY), KINI_WORD(kini_thing, age, ALWAYS),
    KINI_WORD(kini_thing, row, ALWAYS), KINI_VEC(kini_thing, p, USED, KINI_BEYOND),
    KINI_FIELD(kini_thing, q, TURN, 2 * KINI_DIM - 2, USED, -1), KINI_WORD(kini_thing, layer, USED),
    KINI_WORD(kini_thing, mask, USED),
    KINI_FIELD(kini_thing, flags, SHORT, 1, USED, 2047 | KINI_RESHAPED | KINI_SENSES),
    KINI_BYTE(kini_thing, form, USED, KINI_FORM_MESH), KINI_ROW(kini_thing, shape, USED, SHAPES)
};

static const kini_field kini_fields_static[] = {
    KINI_WORD(kini_static, slot, ALWAYS), KINI_SURFACE(kini_static),
    KINI_POSE(kini_static, local, USED), KINI_ID(kini_static, attach, 1, USED),
    KINI_WORD(kini_static, next_part, NEVER), KINI_WORD(kini_static, level, NEVER)
};

static const kini_field kini_fields_mover[] = {
    KINI_WORD(kini_mover, slot, ALWAYS), KINI_SURFACE(kini_mover),
    KINI_VEC(kini_mover, velocity, USED, KINI_TOO_FAST), KINI_SPIN(kini_mover, spin, USED, KINI_TOO_FAST),
    KINI_POSE(kini_mover, before, USED), KINI_VEC(kini_mover, rate, USED, KINI_WILDEST),
    KINI_SPIN(kini_mover, turn_rate, USED, KINI_TOO_FAST), KINI_ID(kini_mover, blocked_by, 2, USED),
    KINI_BYTE(kini_mover, carry, USED, KIN_CARRY_NONE), KINI_BYTE(kini_mover, on_blocked, USED, KIN_BLOCKED_STOP),
    KINI_BYTE(kini_mover, state, USED, -1), KINI_POSE(kini_mover, target, USED),
    KINI_WORD(kini_mover, parts, NEVER), KINI_POSE(kini_mover, drawn, NEVER),
    KINI_FIELD(kini_mover, control, CONTROL, 1, NEVER, -1), KINI_UNUSED(kini_mover, pad, 1)
};

#define KINI_STAND(member, when) \
    KINI_ID(kini_body, member.id, 1, when), KINI_VEC(kini_body, member.normal, when, KINI_TOO_LONG), \
    KINI_VEC(kini_body, member.point, when, KINI_WILDEST), KINI_VEC(kini_body, member.velocity, when, KINI_WILDEST), \
    KINI_VEC(kini_body, member.local, when, KINI_WILDEST), KINI_FACE(kini_body, member.part, member.id, when), \
    KINI_BYTE(kini_body, member.footing, when, KIN_STEEP), KINI_BYTE(kini_body, member.support, when, KINI_ON_EDGE), \
    KINI_UNUSED(kini_body, member.pad, 2)
#define KINI_NUMBER_FIELD(member, kind, most, otherwise) KINI_FIELD(kini_body, options.member, kind, 1, USED, most),
#define KINI_CHOICE_FIELD(member, type, last) KINI_BYTE(kini_body, options.member, USED, last),
static const kini_field kini_fields_body[] = {
    KINI_WORD(kini_body, slot, ALWAYS), KINI_VEC(kini_body, velocity, USED, KINI_WILDEST),
    KINI_VEC(kini_body, leftover, USED, KINI_WILDEST), KINI_VEC(kini_body, given, USED, KINI_WILDEST),
    KINI_VEC(kini_body, motion, USED, KINI_WILDEST), KINI_VEC(kini_body, lead, USED, KINI_WILDEST),
    KINI_STAND(stand, USED), KINI_STAND(last, USED), KINI_ID(kini_body, squeezed_by, 2, USED),
    KINI_ID(kini_body, drops_through, 1, USED), KINI_VEC(kini_body, drop_from, USED, KINI_WILDEST),
    KINI_BODY_OPTIONS(KINI_NUMBER_FIELD, KINI_CHOICE_FIELD) KINI_WORD(kini_body, state, USED),
    KINI_COUNT(kini_body, contact_count, USED, -1), KINI_POSE(kini_body, drawn, NEVER),
    KINI_UNUSED(kini_body, options.pad, 3),
    KINI_FIELD(kini_body, control, CONTROL, 1, NEVER, -1), KINI_VEC(kini_body, gravity, USED, KINI_FASTEST),
    KINI_WORD(kini_body, parts, NEVER)
};

static const kini_field kini_fields_contact[] = {
    KINI_ID(kini_contact, other, 1, ALWAYS), KINI_VEC(kini_contact, normal, ALWAYS, KINI_TOO_LONG),
    KINI_FIELD(kini_contact, gap, FLOAT, 2, ALWAYS, KINI_WILDEST),   /* and speed */
    KINI_FACE(kini_contact, part, other, ALWAYS), KINI_WORD(kini_contact, flags, ALWAYS)
};

static const kini_field kini_fields_sensed[] = {
    KINI_ID(kini_sensed, by, 1, ALWAYS), KINI_ID(kini_sensed, it.other, 1, ALWAYS),
    KINI_VEC(kini_sensed, it.normal, ALWAYS, KINI_TOO_LONG),
    KINI_FIELD(kini_sensed, it.gap, FLOAT, 2, ALWAYS, KINI_WILDEST), KINI_FACE(kini_sensed, it.part, it.other, ALWAYS),
    KINI_WORD(kini_sensed, it.flags, ALWAYS)
};

static const kini_field kini_fields_shape[] = {
    KINI_COUNT(kini_shape, users, NEVER, 1 << 30), KINI_VEC(kini_shape, centre, NEVER, KINI_TOO_WIDE),
    KINI_FIELD(kini_shape, half, SIZE, KINI_DIM, NEVER, KINI_TOO_WIDE),
    KINI_FIELD(kini_shape, radius, SIZE, 3, NEVER, KINI_TOO_WIDE),   /* and width, reach */
    KINI_ROW(kini_shape, hull, NEVER, HULLS), KINI_WORD(kini_shape, key, NEVER)
};

static const kini_field kini_fields_hull[] = {
    KINI_COUNT(kini_hull, count, NEVER, KIN_MAX_POINTS), KINI_WORD(kini_hull, owner, NEVER),
    KINI_FIELD(kini_hull, points, VEC, KIN_MAX_POINTS, NEVER, KINI_TOO_WIDE),
    KINI_FIELD(kini_hull, normals, VEC, KINI_MAX_FACES, NEVER, KINI_TOO_LONG),
    KINI_UNUSED(kini_hull, edges, KINI_MAX_EDGES * 2), KINI_UNUSED(kini_hull, sides, KINI_MAX_EDGES * 2),
    KINI_COUNT(kini_hull, face_count, NEVER, KINI_MAX_FACES), KINI_COUNT(kini_hull, edge_count, NEVER, KINI_MAX_EDGES)
};

static const kini_field kini_fields_pair[] = { KINI_WORD(kini_pair, a, ALWAYS), KINI_WORD(kini_pair, b, ALWAYS) };

static const kini_field kini_fields_event[] = {
    KINI_COUNT(kin_event, type, NEVER, KIN_EVENT_BLOCKED), KINI_FIELD(kin_event, a, WORD, 6, NEVER, -1),
    KINI_VEC(kin_event, normal, NEVER, KINI_TOO_LONG), KINI_VEC(kin_event, point, NEVER, KINI_WILDEST),
    KINI_FIELD(kin_event, speed, FLOAT, 1, NEVER, KINI_WILDEST), KINI_WORD(kin_event, part, NEVER),
    KINI_FIELD(kin_event, step, LONG, 1, NEVER, -1)
};

static const kini_field kini_fields_grid[] = {
    KINI_WORD(kini_grid, slot, ALWAYS), KINI_FIELD(kini_grid, size, WORD, KINI_DIM, USED, -1),
    KINI_FIELD(kini_grid, cell, SIZE, 1, USED, KINI_LARGEST_SHAPE), KINI_FIELD(kini_grid, key, LONG, 1, USED, -1),
    KINI_FIELD(kini_grid, cells, WORD, 2, NEVER, -1), KINI_WORD(kini_grid, tiles, NEVER),
    KINI_COUNT(kini_grid, tile_count, NEVER, 256)
};

static const kini_field kini_fields_tile[] = {
    KINI_FIELD(kini_tile, flags, SHORT, 1, ALWAYS, UINT16_MAX), KINI_VEC(kini_tile, one_way, ALWAYS, KINI_TOO_LONG),
    KINI_VEC(kini_tile, surface_velocity, ALWAYS, KINI_TOO_FAST), KINI_ROW(kini_tile, shape, ALWAYS, SHAPES),
    KINI_UNUSED(kini_tile, faces, 1), KINI_UNUSED(kini_tile, covers, 1)
};

static const kini_field kini_fields_mesh[] = {
    KINI_WORD(kini_mesh, slot, ALWAYS), KINI_FIELD(kini_mesh, key, LONG, 1, USED, -1),
    KINI_VEC(kini_mesh, lo, NEVER, KINI_FURTHEST), KINI_VEC(kini_mesh, hi, NEVER, KINI_FURTHEST),
    KINI_FIELD(kini_mesh, points, WORD, 4, NEVER, -1), KINI_UNUSED(kini_mesh, pad, 4)
};

/* ---- settings: what a world has beside its arrays ---------------------------------------------------------------- */

#define KINI_WIDTH(kind) (KINI_IS_##kind == KINI_IS_ROOM ? 0 : KINI_IS_##kind == KINI_IS_BYTE ? 1 : \
                          KINI_IS_##kind == KINI_IS_LONG || KINI_IS_##kind == KINI_IS_DOUBLE ? 8 : 4)
#define KINI_SETTING(member, kind, count, when, lo, hi) \
    { KINI_FIELD(kin_world, member, kind, count, when, 0), KINI_WIDTH(kind) * (count), NULL, lo, hi }
#define KINI_GIVEN(member, kind, count, when, lo, hi, otherwise) \
    { KINI_FIELD(kin_world, desc.member, kind, count, when, otherwise), KINI_WIDTH(kind) * (count), #member, \
      (double)(lo), (double)(hi) }
#define KINI_GIVEN_ROOM(member) KINI_GIVEN(member, ROOM, 1, NEVER, 0, KINI_MOST_THINGS / 4, 0)

static const kini_setting kini_settings[] = {
    KINI_GIVEN(gravity, FLOAT, KINI_DIM, ALWAYS, -KINI_FASTEST, KINI_FASTEST, 0),
    KINI_GIVEN(up, FLOAT, KINI_DIM, ALWAYS, -KINI_FLT_MAX, KINI_FLT_MAX, 0),
    KINI_GIVEN(rate, FLOAT, 1, ALWAYS, 1 / KINI_LONGEST_STEP, 1e6f, 128),
    KINI_GIVEN(max_catch_up, FLOAT, 1, ALWAYS, 0, 3600, 1),
    KINI_GIVEN(unit, FLOAT, 1, ALWAYS, 1 / 1e6f, 1e6f, 1),
    KINI_GIVEN(max_speed, FLOAT, 1, ALWAYS, 0, KINI_FASTEST, 1e5f),   /* times unit */
    KINI_GIVEN(max_rounds, WORD, 1, ALWAYS, 1, 1000, 10),
    KINI_GIVEN(max_contacts, WORD, 1, ALWAYS, 1, 4096, 16),
    KINI_GIVEN(max_sensor_contacts, WORD, 1, ALWAYS, 1, 4096, 32),
    KINI_SETTING(up, FLOAT, KINI_DIM, ALWAYS, -2, 2), KINI_SETTING(time_left, DOUBLE, 1, ALWAYS, 0, 1e9),
    KINI_SETTING(steps, LONG, 1, ALWAYS, 0, 0), KINI_SETTING(dt, FLOAT, 1, ALWAYS, 0, (double)KINI_LONGEST_STEP),
    KINI_SETTING(dropped, DOUBLE, 1, NEVER, 0, 1e12),
    KINI_GIVEN(max_events, WORD, 1, NEVER, 1, KINI_MOST_EVENTS, 1024),
    KINI_SETTING(attached, WORD, 1, NEVER, 0, INT32_MAX), KINI_SETTING(sensers, WORD, 1, NEVER, 0, INT32_MAX),
    KINI_SETTING(pending, WORD, 1, NEVER, 0, KINI_MOST_COUNTED),
    KINI_SETTING(shifted, WORD, 1, NEVER, 0, KINI_MOST_COUNTED),
    KINI_SETTING(going, WORD, 1, NEVER, 0, KINI_MOST_COUNTED), KINI_SETTING(overflowed, BYTE, 1, NEVER, 0, 1),
    KINI_GIVEN_ROOM(statics), KINI_GIVEN_ROOM(movers), KINI_GIVEN_ROOM(bodies), KINI_GIVEN_ROOM(sensing),
    KINI_GIVEN(hulls, ROOM, 1, NEVER, 0, KINI_MOST_THINGS / 4, 64),
    KINI_GIVEN(workers, ROOM, 1, NEVER, 0, KINI_MOST_WORKERS, 0)
};

KINI_PART const kini_setting *kini_setting_at(int number)
{
    return number < (int)(sizeof kini_settings / sizeof *kini_settings) ? &kini_settings[number] : NULL;
}

/* One of the numbers that a setting has. */
static double kini_setting_number(const kini_setting *setting, const kin_world *world, int i)
{
    const char *at = (const char *)world + setting->field.at;
    switch (setting->field.type) {
    case KINI_IS_BYTE: return *(const unsigned char *)at;
    case KINI_IS_LONG: return 0;
    case KINI_IS_DOUBLE: return *(const double *)(const void *)at;
    case KINI_IS_FLOAT: return (double)((const float *)(const void *)at)[i];
    default: return ((const int32_t *)(const void *)at)[i];
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
            return kini_refuse_range(world, call, setting->name, number, setting->lo, setting->hi, "");
        }
    return true;
}

KINI_PART void kini_default_settings(kin_world *world)
{
    const kini_setting *setting;
    int                 i;
    for (i = 0; (setting = kini_setting_at(i)) != NULL; i++) {
        double number = kini_setting_number(setting, world, 0);
        void  *at = (char *)world + setting->field.at;
        if (!(setting->field.most > 0) || !(number >= 0 && number <= 0)) continue;
        if (setting->field.type == KINI_IS_FLOAT) *(float *)at = setting->field.most;
        else *(int32_t *)at = (int32_t)setting->field.most;
        if (at == &world->desc.max_speed) world->desc.max_speed *= world->desc.unit;
    }
}

/* ---- sections: the arrays of a snapshot, in its order ------------------------------------------------------------ */

#define KINI_STRIDE(array) sizeof *((kin_world *)0)->array.at
#define KINI_FIELDS(of, what) kini_fields_##of, (int)(sizeof kini_fields_##of / sizeof *kini_fields_##of), \
                              "has " what " that are not sound"
/* Rows that are removed with their thing; rows that stay, or are cut out of their array; bytes without fields. */
#define KINI_REUSED(array, lasts, of, what) \
    { offsetof(kin_world, array), KINI_STRIDE(array), lasts, true, KINI_FIELDS(of, what) }
#define KINI_ROWS(array, lasts, of, what) \
    { offsetof(kin_world, array), KINI_STRIDE(array), lasts, false, KINI_FIELDS(of, what) }
#define KINI_BULK(array, lasts) { offsetof(kin_world, array), KINI_STRIDE(array), lasts, false, NULL, 0, NULL }

static const kini_section kini_sections[] = {
    KINI_REUSED(things, KINI_THING_LASTS, thing, "things"),
    KINI_BULK(users, sizeof(uint64_t)),
    KINI_REUSED(statics, sizeof(kini_static), static, "statics"),
    KINI_REUSED(movers, sizeof(kini_mover), mover, "movers"),
    KINI_REUSED(bodies, KINI_BODY_LASTS, body, "bodies"),
    { 0, sizeof(kini_contact), sizeof(kini_contact), false, KINI_FIELDS(contact, "contacts") },
    KINI_ROWS(sensed, sizeof(kini_sensed), sensed, "contacts"),
    KINI_REUSED(shapes, sizeof(kini_shape), shape, "shapes"),
    KINI_REUSED(hulls, sizeof(kini_hull), hull, "shapes"),
    KINI_ROWS(ignored, sizeof(kini_pair), pair, "pairs"),
    KINI_ROWS(events, sizeof(kin_event), event, "events"),
    KINI_REUSED(grids, sizeof(kini_grid), grid, "levels"),
    KINI_ROWS(tiles, sizeof(kini_tile), tile, "levels"),
    KINI_REUSED(meshes, KINI_MESH_LASTS, mesh, "levels"),
    KINI_BULK(mesh_points, sizeof(kin_vec)), KINI_BULK(mesh_corners, sizeof(int32_t)),
    KINI_BULK(cells, sizeof(uint8_t))
};

KINI_PART const kini_section *kini_section_of(int section) { return &kini_sections[section]; }

KINI_PART bool kini_row_used(const kini_section *section, const void *row)
{
    const unsigned char *at = (const unsigned char *)row + section->fields->at;
    uint32_t             first = *at;
    if (section->fields->type != KINI_IS_BYTE) kini_copy(&first, at, sizeof first);
    return first != 0 || !section->reused;
}

KINI_PART kini_rows kini_rows_of(const kin_world *world, int section)
{
    kini_rows rows = { NULL, 0, 0 };
    if (kini_sections[section].array) kini_copy(&rows, (const char *)world + kini_sections[section].array, sizeof rows);
    return rows;
}

KINI_PART void kini_set_count(kin_world *world, int section, int32_t count)
{
    kini_copy((char *)world + kini_sections[section].array + offsetof(kini_rows, count), &count, sizeof count);
}

KINI_PART size_t kini_section_bytes(const kini_saved *head, int section)
{
    if (head->apart && section >= KINI_SAVES_BULK) return 0;
    return (size_t)head->rows[section] * kini_section_of(section)->lasts;
}
