/* SPDX-License-Identifier: MIT OR Unlicense

   fields.c: one line for every stored member, one for every stored array.

   Saving, loading, verifying and hashing all walk these tables, so a new member is one line. Lines stand in the order
   in which members are hashed; the first member of a row is zero while the row is free. tests/unit/test_snapshot.c
   fails if a byte of a struct is in no line or in two.

   The hash covers all state that the future depends on. Left out is what every step begins by writing anew (wishes,
   scratch), what only drawing reads, the broad phase, which decides nothing, and what belongs to the user: pointers
   and controllers. */
#include "internal.h"

#define KINI_FIELD(type, member, kind, count, hashed, most) { offsetof(type, member), kind, count, hashed, most }
#define KINI_WORD(type, member, hashed) KINI_FIELD(type, member, KINI_IS_WORD, 1, hashed, -1)
#define KINI_FLOAT(type, member, hashed, most) KINI_FIELD(type, member, KINI_IS_FLOAT, 1, hashed, most)
#define KINI_VEC(type, member, hashed, most) KINI_FIELD(type, member, KINI_IS_FLOAT, KINI_DIM, hashed, most)
#define KINI_SPIN(type, member, hashed, most) \
    KINI_FIELD(type, member, KINI_IS_FLOAT, KINI_DIM * (KINI_DIM - 1) / 2, hashed, most)
#define KINI_TURN(type, member, hashed) KINI_FIELD(type, member, KINI_IS_TURN, 2 * KINI_DIM - 2, hashed, -1)
#define KINI_POSE(type, member, hashed) \
    KINI_VEC(type, member.p, hashed, KINI_BEYOND), KINI_TURN(type, member.q, hashed)
#define KINI_ID(type, member, count, hashed) KINI_FIELD(type, member, KINI_IS_ID, count, hashed, -1)
#define KINI_BYTE(type, member, hashed, most) KINI_FIELD(type, member, KINI_IS_BYTE, 1, hashed, most)
#define KINI_UNUSED(type, member, count) KINI_FIELD(type, member, KINI_IS_BYTE, count, KINI_NEVER, -1)

static const kini_field kini_fields_thing[] = {
    KINI_BYTE(kini_thing, kind, KINI_ALWAYS, KIN_BODY), KINI_WORD(kini_thing, age, KINI_ALWAYS),
    KINI_WORD(kini_thing, row, KINI_ALWAYS),
    KINI_VEC(kini_thing, p, KINI_USED, KINI_BEYOND),
    KINI_TURN(kini_thing, q, KINI_USED),
    KINI_WORD(kini_thing, layer, KINI_USED), KINI_WORD(kini_thing, mask, KINI_USED),
    KINI_FIELD(kini_thing, flags, KINI_IS_SHORT, 1, KINI_USED, -1),
    KINI_BYTE(kini_thing, form, KINI_USED, KINI_FORM_MESH),
    KINI_FIELD(kini_thing, shape, KINI_IS_SHAPE, 1, KINI_USED, -1)
};

static const kini_field kini_fields_static[] = {
    KINI_WORD(kini_static, slot, KINI_ALWAYS), KINI_WORD(kini_static, next, KINI_ALWAYS),
    KINI_VEC(kini_static, one_way, KINI_USED, KINI_TOO_LONG),
    KINI_VEC(kini_static, surface_velocity, KINI_USED, KINI_TOO_FAST),
    KINI_POSE(kini_static, local, KINI_USED),
    KINI_ID(kini_static, attach, 1, KINI_USED),
    KINI_WORD(kini_static, next_part, KINI_IF_ATTACHED), KINI_WORD(kini_static, level, KINI_NEVER)
};

static const kini_field kini_fields_mover[] = {
    KINI_WORD(kini_mover, slot, KINI_ALWAYS), KINI_WORD(kini_mover, next, KINI_ALWAYS),
    KINI_VEC(kini_mover, one_way, KINI_USED, KINI_TOO_LONG),
    KINI_VEC(kini_mover, surface_velocity, KINI_USED, KINI_TOO_FAST),
    KINI_VEC(kini_mover, velocity, KINI_USED, KINI_TOO_FAST),
    KINI_SPIN(kini_mover, spin, KINI_USED, KINI_TOO_FAST),
    KINI_POSE(kini_mover, before, KINI_USED),
    KINI_VEC(kini_mover, rate, KINI_USED, KINI_WILDEST),
    KINI_SPIN(kini_mover, turn_rate, KINI_USED, KINI_TOO_FAST),
    KINI_ID(kini_mover, blocked_by, 2, KINI_USED),
    KINI_BYTE(kini_mover, carry, KINI_USED, KIN_CARRY_NONE),
    KINI_BYTE(kini_mover, on_blocked, KINI_USED, KIN_BLOCKED_STOP), KINI_BYTE(kini_mover, state, KINI_USED, -1),
    KINI_POSE(kini_mover, target, KINI_IF_TARGET),
    KINI_WORD(kini_mover, parts, KINI_USED),   /* they are removed in this order, and their slots used again */
    KINI_POSE(kini_mover, drawn, KINI_NEVER),
    KINI_FIELD(kini_mover, control, KINI_IS_CONTROL, 1, KINI_NEVER, -1),
    KINI_UNUSED(kini_mover, pad, 1)
};

#define KINI_STAND_FIELDS(type, stand, hashed)                                                            \
    KINI_ID(type, stand id, 1, hashed), KINI_VEC(type, stand normal, hashed, KINI_TOO_LONG),              \
    KINI_VEC(type, stand point, hashed, KINI_WILDEST), KINI_VEC(type, stand velocity, hashed, KINI_WILDEST), \
    KINI_VEC(type, stand local, hashed, KINI_WILDEST), KINI_FIELD(type, stand part, KINI_IS_FACE, 1, hashed, -1), \
    KINI_BYTE(type, stand footing, hashed, KIN_STEEP), KINI_BYTE(type, stand wedge, hashed, 1),           \
    KINI_UNUSED(type, stand pad, 2)
#define KINI_NUMBER_FIELD(member, lo, hi, otherwise) KINI_FLOAT(kini_body, options.member, KINI_USED, KINI_WILDEST),
#define KINI_CHOICE_FIELD(member, type, last) KINI_BYTE(kini_body, options.member, KINI_USED, last),
#define KINI_FLAG_FIELD(member) KINI_BYTE(kini_body, options.member, KINI_USED, 1),

static const kini_field kini_fields_body[] = {
    KINI_WORD(kini_body, slot, KINI_ALWAYS), KINI_WORD(kini_body, next, KINI_ALWAYS),
    KINI_VEC(kini_body, velocity, KINI_USED, KINI_WILDEST),
    KINI_VEC(kini_body, leftover, KINI_USED, KINI_WILDEST),
    KINI_VEC(kini_body, given, KINI_USED, KINI_WILDEST),
    KINI_VEC(kini_body, motion, KINI_USED, KINI_WILDEST),
    KINI_STAND_FIELDS(kini_body, stand., KINI_USED),
    KINI_STAND_FIELDS(kini_body, last., KINI_IF_TELEPORTED),
    KINI_ID(kini_body, squeezed_by, 2, KINI_USED),
    KINI_ID(kini_body, drops_through, 1, KINI_USED),
    KINI_VEC(kini_body, drop_from, KINI_USED, KINI_WILDEST),
    KINI_BODY_OPTIONS(KINI_NUMBER_FIELD, KINI_CHOICE_FIELD, KINI_FLAG_FIELD)
    KINI_WORD(kini_body, state, KINI_USED),
    KINI_FIELD(kini_body, contact_count, KINI_IS_CONTACTS, 1, KINI_USED, -1),
    KINI_POSE(kini_body, drawn, KINI_NEVER),
    KINI_FLOAT(kini_body, options.max_slope_cos, KINI_NEVER, KINI_WILDEST), KINI_UNUSED(kini_body, options.pad, 3),
    KINI_FIELD(kini_body, control, KINI_IS_CONTROL, 1, KINI_NEVER, -1)
};

static const kini_field kini_fields_stand[] = { KINI_STAND_FIELDS(kini_stand, , KINI_NEVER) };

static const kini_field kini_fields_contact[] = {
    KINI_ID(kini_contact, other, 1, KINI_ALWAYS),
    KINI_VEC(kini_contact, normal, KINI_ALWAYS, KINI_TOO_LONG),
    KINI_VEC(kini_contact, point, KINI_ALWAYS, KINI_WILDEST),
    KINI_FLOAT(kini_contact, gap, KINI_ALWAYS, KINI_WILDEST),
    KINI_FLOAT(kini_contact, speed, KINI_ALWAYS, KINI_WILDEST),
    KINI_FIELD(kini_contact, part, KINI_IS_FACE, 1, KINI_ALWAYS, -1),
    KINI_WORD(kini_contact, flags, KINI_ALWAYS)
};

static const kini_field kini_fields_shape[] = {
    KINI_WORD(kini_shape, users, KINI_NEVER),
    KINI_VEC(kini_shape, centre, KINI_NEVER, KINI_TOO_WIDE),
    KINI_VEC(kini_shape, half, KINI_NEVER, KINI_TOO_WIDE),
    KINI_FLOAT(kini_shape, radius, KINI_NEVER, KINI_TOO_WIDE),
    KINI_FLOAT(kini_shape, width, KINI_NEVER, KINI_TOO_WIDE),
    KINI_FLOAT(kini_shape, reach, KINI_NEVER, KINI_TOO_WIDE), KINI_WORD(kini_shape, hull, KINI_NEVER),
    KINI_WORD(kini_shape, key, KINI_NEVER)
};

static const kini_field kini_fields_hull[] = {
    KINI_WORD(kini_hull, count, KINI_NEVER),
    KINI_FIELD(kini_hull, points, KINI_IS_FLOAT, KIN_MAX_POINTS * KINI_DIM, KINI_NEVER, KINI_TOO_WIDE),
    KINI_FIELD(kini_hull, normals, KINI_IS_FLOAT, KINI_MAX_FACES * KINI_DIM, KINI_NEVER, KINI_TOO_LONG),
    KINI_UNUSED(kini_hull, edges, KINI_MAX_EDGES * 2), KINI_UNUSED(kini_hull, sides, KINI_MAX_EDGES * 2),
    KINI_WORD(kini_hull, face_count, KINI_NEVER), KINI_WORD(kini_hull, edge_count, KINI_NEVER)
};

static const kini_field kini_fields_pair[] = {
    KINI_WORD(kini_pair, a, KINI_ALWAYS), KINI_WORD(kini_pair, b, KINI_ALWAYS)
};

static const kini_field kini_fields_event[] = {
    KINI_FIELD(kin_event, type, KINI_IS_CHOICE, 1, KINI_NEVER, KIN_EVENT_BLOCKED),
    KINI_FIELD(kin_event, a, KINI_IS_WORD, 2, KINI_NEVER, -1),
    KINI_FIELD(kin_event, b, KINI_IS_WORD, 2, KINI_NEVER, -1),
    KINI_FIELD(kin_event, c, KINI_IS_WORD, 2, KINI_NEVER, -1),
    KINI_VEC(kin_event, normal, KINI_NEVER, KINI_TOO_LONG),
    KINI_VEC(kin_event, point, KINI_NEVER, KINI_WILDEST),
    KINI_FLOAT(kin_event, speed, KINI_NEVER, KINI_WILDEST), KINI_WORD(kin_event, part, KINI_NEVER),
    KINI_FIELD(kin_event, step, KINI_IS_LONG, 1, KINI_NEVER, -1)
};

static const kini_field kini_fields_grid[] = {
    KINI_WORD(kini_grid, slot, KINI_ALWAYS),
    KINI_FIELD(kini_grid, size, KINI_IS_WORD, KINI_DIM, KINI_USED, -1),
    KINI_FLOAT(kini_grid, cell, KINI_USED, KINI_LARGEST_SHAPE),
    KINI_FIELD(kini_grid, key, KINI_IS_LONG, 1, KINI_USED, -1),
    KINI_WORD(kini_grid, cells, KINI_NEVER), KINI_WORD(kini_grid, tiles, KINI_NEVER),
    KINI_WORD(kini_grid, tile_count, KINI_NEVER)
};

static const kini_field kini_fields_tile[] = {
    KINI_FIELD(kini_tile, flags, KINI_IS_SHORT, 1, KINI_ALWAYS, -1),
    KINI_VEC(kini_tile, one_way, KINI_ALWAYS, KINI_TOO_LONG),
    KINI_VEC(kini_tile, surface_velocity, KINI_ALWAYS, KINI_TOO_FAST),
    KINI_FIELD(kini_tile, shape, KINI_IS_SHAPE, 1, KINI_ALWAYS, -1),
    KINI_UNUSED(kini_tile, faces, 1), KINI_UNUSED(kini_tile, covers, 1)
};

static const kini_field kini_fields_mesh[] = {
    KINI_WORD(kini_mesh, slot, KINI_ALWAYS),
    KINI_FIELD(kini_mesh, key, KINI_IS_LONG, 1, KINI_USED, -1),
    KINI_VEC(kini_mesh, lo, KINI_NEVER, KINI_FURTHEST),
    KINI_VEC(kini_mesh, hi, KINI_NEVER, KINI_FURTHEST),
    KINI_FIELD(kini_mesh, points, KINI_IS_WORD, 4, KINI_NEVER, -1),   /* both blocks, to face_count */
    KINI_UNUSED(kini_mesh, pad, 4)
};

/* ---- settings: what a world has beside its arrays ---------------------------------------------------------------- */

#define KINI_SETTING(saved, member, kind, count, hashed, lo, hi)                            \
    { KINI_FIELD(kin_world, member, kind, count, hashed, -1), offsetof(kini_saved, saved),  \
      (count) * (kind == KINI_IS_LONG || kind == KINI_IS_DOUBLE ? 8 : 4), (double)(lo), (double)(hi) }
#define KINI_SAVED_FLOAT(saved, member, lo, hi) KINI_SETTING(saved, member, KINI_IS_FLOAT, 1, KINI_ALWAYS, lo, hi)
#define KINI_SAVED_VEC(saved, member, most) \
    KINI_SETTING(saved, member, KINI_IS_FLOAT, KINI_DIM, KINI_ALWAYS, -(most), most)
#define KINI_SAVED_INT(saved, member, hashed, lo, hi) KINI_SETTING(saved, member, KINI_IS_WORD, 1, hashed, lo, hi)

static const kini_setting kini_settings[] = {
    KINI_SAVED_VEC(gravity, desc.gravity, KINI_FASTEST),
    KINI_SAVED_VEC(given_up, desc.up, KINI_FLT_MAX),
    KINI_SAVED_FLOAT(rate, desc.rate, 1 / KINI_LONGEST_STEP, KINI_HIGHEST_RATE),
    KINI_SAVED_FLOAT(max_catch_up, desc.max_catch_up, 0, KINI_LONGEST_CATCH_UP),
    KINI_SAVED_FLOAT(unit, desc.unit, 1 / KINI_LARGEST_UNIT, KINI_LARGEST_UNIT),
    KINI_SAVED_FLOAT(max_speed, desc.max_speed, 0, KINI_FASTEST),
    KINI_SAVED_INT(max_rounds, desc.max_rounds, KINI_ALWAYS, 1, KINI_MOST_ROUNDS),
    KINI_SAVED_INT(max_contacts, desc.max_contacts, KINI_ALWAYS, 1, KINI_MOST_CONTACTS),
    KINI_SAVED_VEC(up, up, 2),
    KINI_SETTING(time_left, time_left, KINI_IS_DOUBLE, 1, KINI_ALWAYS, 0, 1e9),
    KINI_SETTING(steps, steps, KINI_IS_LONG, 1, KINI_ALWAYS, 0, 0),
    KINI_SAVED_FLOAT(dt, dt, 0, KINI_LONGEST_STEP),
    KINI_SAVED_INT(free_slot, free_slot, KINI_ALWAYS, -1, INT32_MAX),
    KINI_SETTING(free_row[KIN_STATIC], free_row[KIN_STATIC], KINI_IS_WORD, 3, KINI_ALWAYS, -1, INT32_MAX),
    KINI_SETTING(dropped, dropped, KINI_IS_DOUBLE, 1, KINI_NEVER, 0, 1e12),
    KINI_SAVED_INT(max_events, desc.max_events, KINI_NEVER, 1, KINI_MOST_EVENTS),
    KINI_SAVED_INT(free_shape, free_shape, KINI_NEVER, -1, INT32_MAX),
    KINI_SAVED_INT(free_hull, free_hull, KINI_NEVER, -1, INT32_MAX),
    KINI_SETTING(live, live, KINI_IS_WORD, 4, KINI_NEVER, 0, INT32_MAX),
    KINI_SAVED_INT(stop_movers, stop_movers, KINI_NEVER, 0, INT32_MAX),
    KINI_SAVED_INT(attached, attached, KINI_NEVER, 0, INT32_MAX),
    KINI_SAVED_INT(pending, pending, KINI_NEVER, 0, KINI_MOST_COUNTED),
    KINI_SAVED_INT(shifted, shifted, KINI_NEVER, 0, KINI_MOST_COUNTED)
};

/* ---- sections: the arrays of a snapshot, in its order ------------------------------------------------------------ */

#define KINI_STRIDE(array) sizeof *((kin_world *)0)->array.at
#define KINI_FIELDS(of) kini_fields_##of, (int)(sizeof kini_fields_##of / sizeof *kini_fields_##of)
/* Free rows form a list: its first row is in the head, `link` leads to the next. */
#define KINI_LINKED(array, lasts, counts, head, type, link, of)                                              \
    { offsetof(kin_world, array), KINI_STRIDE(array), lasts, offsetof(kini_counts, counts),                  \
      offsetof(kini_saved, head), offsetof(type, link), KINI_FIELDS(of) }
#define KINI_ROWS(array, counts, of) \
    { offsetof(kin_world, array), KINI_STRIDE(array), KINI_STRIDE(array), offsetof(kini_counts, counts), 0, 0, \
      KINI_FIELDS(of) }
#define KINI_BULK(array, lasts, counts) \
    { offsetof(kin_world, array), KINI_STRIDE(array), lasts, offsetof(kini_counts, counts), 0, 0, NULL, 0 }

static const kini_section kini_sections[] = {
    KINI_LINKED(things, KINI_THING_LASTS, things, free_slot, kini_thing, row, thing),
    KINI_BULK(users, sizeof(uint64_t), derived),
    KINI_LINKED(statics, sizeof(kini_static), statics, free_row[KIN_STATIC], kini_static, next, static),
    KINI_LINKED(movers, sizeof(kini_mover), movers, free_row[KIN_MOVER], kini_mover, next, mover),
    KINI_LINKED(bodies, KINI_BODY_LASTS, bodies, free_row[KIN_BODY], kini_body, next, body),
    { 0, sizeof(kini_stand), sizeof(kini_stand), offsetof(kini_counts, derived), 0, 0, KINI_FIELDS(stand) },
    { 0, sizeof(kini_contact), sizeof(kini_contact), offsetof(kini_counts, derived), 0, 0, KINI_FIELDS(contact) },
    KINI_LINKED(shapes, sizeof(kini_shape), shapes, free_shape, kini_shape, hull, shape),
    KINI_LINKED(hulls, sizeof(kini_hull), hulls, free_hull, kini_hull, face_count, hull),
    KINI_ROWS(ignored, ignored, pair),
    KINI_ROWS(events, derived, event),
    KINI_ROWS(grids, grids, grid),
    KINI_ROWS(tiles, tiles, tile),
    { offsetof(kin_world, meshes), sizeof(kini_mesh), KINI_MESH_LASTS, offsetof(kini_counts, meshes), 0, 0,
      KINI_FIELDS(mesh) },
    KINI_BULK(mesh_points, sizeof(kin_vec), mesh_points),
    KINI_BULK(mesh_corners, sizeof(int32_t), mesh_corners),
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
