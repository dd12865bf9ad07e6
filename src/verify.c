/* SPDX-License-Identifier: MIT OR Unlicense

   verify.c: may this snapshot be loaded?

   A checksum does not detect forged data. So each number of each row is compared with its limit in fields.c, then links
   are followed: an index refers to a row in use that refers back to it, and blocks of levels fill their array without
   overlapping. A world loaded from a snapshot that passes can be stepped without reading or writing outside its arrays.
   Rows are copied out, because a buffer may begin at any address. */
#include "state.h"

#ifndef KINEMATIC_NO_SNAPSHOT
static bool kini_within(int64_t number, int64_t lo, int64_t hi) { return number >= lo && number <= hi; }

#define KINI_SAVED_AT(view, section, row) \
    ((view)->buffer + (view)->from[section] + (size_t)(row) * kini_section_of(section)->lasts)

/* NULL: there is no such row, or it is free. */
static inline const unsigned char *kini_used_row(const kini_view *view, int section, int64_t row)
{
    const unsigned char *at;
    if (!kini_within(row, 0, view->head.rows[section] - 1)) return NULL;
    at = KINI_SAVED_AT(view, section, row);
    return kini_row_used(kini_section_of(section), at) ? at : NULL;
}

/* A row, aligned as in the world; all zero if there is none or it is free. */
static inline bool kini_read_row(const kini_view *view, int section, int64_t row, void *out)
{
    const unsigned char *at = kini_used_row(view, section, row);
    size_t               bytes = kini_section_of(section)->lasts;
    if (at) kini_copy(out, at, bytes);
    else kini_clear(out, bytes);
    return at != NULL;
}

/* ---- members ----------------------------------------------------------------------------------------------------- */

/* By byte of a row: [0] bits that count, [1] what carries a number beyond its limit into its top bit, [2] that bit. */
enum { KINI_WIDEST_ROW = sizeof(kini_hull) + sizeof(kini_body) };
typedef struct kini_limits { unsigned char at[3][KINI_WIDEST_ROW]; } kini_limits;

/* Of a float the bits of its magnitude count, which grow as it does; infinities and NaNs are beyond all others. */
static void kini_limit_field(const kini_view *view, const kini_field *field, kini_limits *out)
{
    const size_t   width = field->type == KINI_IS_BYTE ? 1 : field->type == KINI_IS_SHORT ? 2 : 4;
    const uint32_t one = 1, top = 0x80000000u >> (32 - 8 * width);
    const size_t   skip = *(const unsigned char *)&one ? 0 : sizeof one - width;   /* the low bytes may come last */
    size_t         at = field->at;
    uint32_t       keep = 0xFFFFFFFFu, most = kini_float_bits(field->most), limit[3];
    int            i, k, count = field->type == KINI_IS_VEC ? field->count * KINI_DIM : field->count;
    switch (field->type) {
    case KINI_IS_BYTE: if (field->most < 0) return; most = (uint32_t)field->most; break;
    case KINI_IS_SHORT: keep = ~(uint32_t)(int32_t)field->most; most = 0; break;
    case KINI_IS_FLOAT: case KINI_IS_VEC: keep = 0x7FFFFFFFu; break;
    case KINI_IS_SIZE: break;
    case KINI_IS_ID: most = (uint32_t)view->head.rows[KINI_SAVES_THINGS] - 1; break;
    default: return;
    case KINI_IS_COUNT: most = (uint32_t)(field->most < 0 ? kini_contact_room(&view->was.desc) : (int)field->most);
    }
    limit[0] = keep;
    limit[1] = top - 1 - most;
    limit[2] = top;
    for (i = 0; i < count; i++, at += field->type == KINI_IS_ID ? sizeof(kin_id) : width) {
        if (field->type == KINI_IS_VEC && i > 0 && i % KINI_DIM == 0) at += sizeof(kin_vec) - KINI_DIM * width;
        for (k = 0; k < 3; k++) kini_copy(out->at[k] + at, (const char *)&limit[k] + skip, width);
    }
}

/* Is every number of every row within its limit? Eight bytes of all rows at a time. Free rows hold zeros or what they
   held before, and pass too. */
static bool kini_numbers_hold(const kini_view *view, int section)
{
    const kini_section  *table = kini_section_of(section);
    const unsigned char *first = KINI_SAVED_AT(view, section, 0), *row;
    const size_t         step = table->lasts, bytes = kini_section_bytes(&view->head, section);
    uint64_t             keep, room, top, number, seen;
    size_t               at;
    kini_limits          limits;
    int                  i;
    for (i = 0; i < 3; i++) kini_clear(limits.at[i], step);
    for (i = 0; i < table->field_count; i++) kini_limit_field(view, &table->fields[i], &limits);
    for (at = 0; at < step; at += 8) {
        if (at + 8 > step) at = step - 8;
        kini_copy(&keep, limits.at[0] + at, 8);
        kini_copy(&room, limits.at[1] + at, 8);
        kini_copy(&top, limits.at[2] + at, 8);
        for (row = first + at, seen = 0; top && row < first + bytes; row += step) {
            kini_copy(&number, row, 8);
            number &= keep;
            seen |= number | (number + room);
        }
        if (seen & top) return false;
    }
    return true;
}

/* The part of a live handle to a mesh has to be one of its faces; that of a dead handle is never read. */
static bool kini_part_holds(const kini_view *view, const unsigned char *handle, int32_t part)
{
    kini_static fixed;
    kini_thing  thing;
    kini_mesh   mesh;
    kin_id      id;
    kini_copy(&id, handle, sizeof id);
    kini_read_row(view, KINI_SAVES_THINGS, id.slot, &thing);
    if (thing.kind != KIN_STATIC || thing.form != KINI_FORM_MESH || thing.age != id.age) return true;
    return kini_read_row(view, KINI_SAVES_STATICS, thing.row, &fixed) &&
           kini_read_row(view, KINI_SAVES_MESHES, fixed.level, &mesh) && kini_within(part, -1, mesh.face_count - 1);
}

/* A member that is more than a number, in a row that is in use. */
static bool kini_member_holds(const kini_view *view, const kini_field *field, const unsigned char *row)
{
    kin_rot q;
    int32_t number;
    if (field->type == KINI_IS_TURN) {
        kini_copy(&q, row + field->at, sizeof q);
        return kini_abs(kini_rot_len2(q) - 1) < KINI_SAVED_LENGTH;
    }
    kini_copy(&number, row + field->at, sizeof number);
    if (field->type == KINI_IS_FACE) return kini_part_holds(view, row + (size_t)field->most, number);
    if (field->type == KINI_IS_CONTROL) return kini_within(number, -1, view->head.controls - 1);
    return number == -1 || kini_used_row(view, (int)field->most, number);
}

static bool kini_fields_hold(const kini_view *view, int section)
{
    const kini_section  *table = kini_section_of(section);
    const unsigned char *row, *end = KINI_SAVED_AT(view, section, view->head.rows[section]);
    int                  i;
    if (view->head.rows[section] == 0 || !table->fields) return true;
    for (i = 0; i < table->field_count; i++) {
        const kini_field *field = &table->fields[i];
        if (field->type < KINI_IS_TURN) continue;
        if (field->type == KINI_IS_FACE && view->head.rows[KINI_SAVES_MESHES] == 0) continue;
        for (row = KINI_SAVED_AT(view, section, 0); row < end; row += table->lasts)
            if (!kini_member_holds(view, field, row) && kini_row_used(table, row)) return false;
    }
    return kini_numbers_hold(view, section);
}

/* ---- links ------------------------------------------------------------------------------------------------------- */

typedef struct kini_tally {           /* counted in the rows, to be compared with other counts */
    int32_t named[KINI_SAVED_SECTIONS], attached, sensers;
    int64_t contacts;
} kini_tally;

static bool kini_thing_holds(const kini_thing *thing, kini_tally *tally)
{
    static const uint16_t others[4] = {   /* flags that other kinds have */
        0, 0, KINI_ATTACHED, KINI_ATTACHED | KINI_ONE_WAY | KINI_CONVEYOR | KINI_SENSES
    };
    if (thing->kind == 0) return thing->flags == 0;   /* a free slot */
    tally->sensers += (thing->flags & (KINI_SENSES | KINI_REMOVED)) == KINI_SENSES;
    tally->named[KINI_SAVES_KIND + thing->kind]++;
    if (thing->flags & others[thing->kind]) return false;
    if ((thing->flags & (KINI_GOING | KINI_REMOVED)) == KINI_GOING) return false;
    if (thing->form == KINI_FORM_SHAPE) return thing->shape != -1;
    if (thing->flags & KINI_SENSES) return false;
    tally->named[thing->form == KINI_FORM_TILES ? KINI_SAVES_GRIDS : KINI_SAVES_MESHES]++;
    return thing->kind == KIN_STATIC && thing->shape == -1;
}

/* Rows of statics, movers, bodies and levels begin with the slot of their thing, which refers back to them. */
static bool kini_owner_holds(const kini_view *view, int section, int32_t row, kini_thing *owner)
{
    uint32_t    slot;
    kini_static fixed;
    kini_copy(&slot, KINI_SAVED_AT(view, section, row), sizeof slot);
    kini_read_row(view, KINI_SAVES_THINGS, slot, owner);
    if (section <= KINI_SAVES_BODIES) return KINI_SAVES_KIND + owner->kind == section && owner->row == row;
    return owner->form == (section == KINI_SAVES_GRIDS ? KINI_FORM_TILES : KINI_FORM_MESH) &&
           kini_read_row(view, KINI_SAVES_STATICS, owner->row, &fixed) && fixed.level == row;
}

static bool kini_static_holds(const kini_view *view, const kini_static *fixed, const kini_thing *thing,
                              kini_tally *tally)
{
    kini_thing carrier;
    if (thing->form == KINI_FORM_SHAPE && fixed->level != -1) return false;
    if (!(thing->flags & KINI_ATTACHED) || (thing->flags & KINI_REMOVED)) return true;
    tally->attached++;
    return kini_read_row(view, KINI_SAVES_THINGS, fixed->attach.slot, &carrier) && !(carrier.flags & KINI_REMOVED) &&
           (carrier.kind == KIN_MOVER || (carrier.kind == KIN_BODY && (thing->flags & KINI_SENSOR)));
}

static bool kini_hull_holds(const kini_hull *hull)
{
    int i, faces = hull->face_count > 0 ? hull->face_count : 1;   /* the edge of two points names the first of none */
    if (hull->count < 2 || (KINI_DIM == 2 && hull->face_count != hull->count)) return false;
    for (i = 0; i < hull->edge_count; i++) {
        if (hull->edges[i][0] >= hull->count || hull->edges[i][1] >= hull->count) return false;
        if (hull->sides[i][0] >= faces || hull->sides[i][1] >= faces) return false;
    }
    return true;
}

/* Pairs are sorted. */
static bool kini_pair_holds(const kini_view *view, int32_t row, kini_pair pair)
{
    kini_pair last = { 0, 0 };
    if (row > 0) kini_copy(&last, KINI_SAVED_AT(view, KINI_SAVES_IGNORED, row - 1), sizeof last);
    return pair.a < pair.b && (pair.a > last.a || (pair.a == last.a && pair.b > last.b)) &&
           kini_used_row(view, KINI_SAVES_THINGS, pair.a) && kini_used_row(view, KINI_SAVES_THINGS, pair.b);
}

/* ---- levels ------------------------------------------------------------------------------------------------------ */

/* Each grid or mesh has a block in arrays that levels share: its row holds the first element, then the count. */
typedef struct kini_block { int section, owner; size_t at; int times; } kini_block;
static const kini_block kini_blocks[] = {
    { KINI_SAVES_TILES, KINI_SAVES_GRIDS, offsetof(kini_grid, tiles), 1 },
    { KINI_SAVES_CELLS, KINI_SAVES_GRIDS, offsetof(kini_grid, cells), 1 },
    { KINI_SAVES_POINTS, KINI_SAVES_MESHES, offsetof(kini_mesh, points), 1 },
    { KINI_SAVES_CORNERS, KINI_SAVES_MESHES, offsetof(kini_mesh, corners), KINI_DIM }
};
enum { KINI_BLOCKS = (int)(sizeof kini_blocks / sizeof *kini_blocks) };
typedef struct kini_extent { int64_t from, count; } kini_extent;

/* All zero while the row is free. */
static kini_extent kini_extent_of(const kini_view *view, const kini_block *block, int32_t row)
{
    const unsigned char *at = kini_used_row(view, block->owner, row);
    kini_extent          extent = { 0, 0 };
    int32_t              place[2];
    if (!at) return extent;
    kini_copy(place, at + block->at, sizeof place);
    extent.from = place[0];
    extent.count = (int64_t)place[1] * block->times;
    return extent;
}

/* Blocks lie one behind the other, nearly always in the order of their rows, and fill the array. */
static bool kini_blocks_hold(const kini_view *view, const kini_block *block)
{
    int64_t room = view->head.rows[block->section], total = 0, end = 0;
    int32_t i, missed, count = view->head.rows[block->owner];
    for (i = 0; i < count; i++) {
        kini_extent extent = kini_extent_of(view, block, i);
        if (extent.count < 0 || (total += extent.count) > room) return false;
    }
    for (i = missed = 0; end < total && missed < count; i = (i + 1) % count) {
        kini_extent extent = kini_extent_of(view, block, i);
        bool        next = extent.count > 0 && extent.from == end;
        missed = next ? 0 : missed + 1;
        if (next) end += extent.count;
    }
    return end == room;
}

KINI_PART bool kini_same_levels(const kin_world *world, const kini_view *view, int owner)
{
    kini_rows here = kini_rows_of(world, owner);
    size_t    stride = kini_section_of(owner)->stride;
    size_t    bytes = owner == KINI_SAVES_GRIDS ? offsetof(kini_grid, tiles) : KINI_MESH_LASTS;   /* with the key */
    int32_t   i, count = view->head.rows[owner];
    for (i = 0; i < count && count == here.count; i++)
        if (!kini_same_bytes((const char *)here.at + (size_t)i * stride, KINI_SAVED_AT(view, owner, i), bytes))
            return false;
    return count == here.count;
}

static bool kini_mesh_holds(const kini_view *view, const kini_mesh *mesh)
{
    int32_t i, corner;
    kin_vec point;
    for (i = 0; i < mesh->face_count * KINI_DIM && !view->head.apart; i++) {
        kini_copy(&corner, KINI_SAVED_AT(view, KINI_SAVES_CORNERS, mesh->corners + i), sizeof corner);
        if (!kini_within(corner, 0, mesh->point_count - 1)) return false;
    }
    for (i = 0; i < mesh->point_count && !view->head.apart; i++) {
        kini_copy(&point, KINI_SAVED_AT(view, KINI_SAVES_POINTS, mesh->points + i), sizeof point);
        if (!kini_vec_finite(point) || kini_largest(kini_magnitudes(point)) > KINI_FURTHEST) return false;
    }
    return mesh->face_count >= 1;
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

static bool kini_row_holds(const kini_view *view, int section, int32_t row, kini_tally *tally)
{
    union {
        kini_thing thing; kini_static fixed; kini_mover mover; kini_shape shape; kini_hull hull; kini_pair pair;
        kini_grid grid; kini_mesh mesh; kini_body body; kini_sensed sensed;
    } it;
    kini_thing owner;
    kini_grid  counted;
    bool       owned = (section >= KINI_SAVES_STATICS && section <= KINI_SAVES_BODIES) ||
                       section == KINI_SAVES_GRIDS || section == KINI_SAVES_MESHES;
    tally->named[section] -= owned;
    if (owned && !kini_owner_holds(view, section, row, &owner)) return false;
    kini_read_row(view, section, row, &it);
    switch (section) {
    default: return true;
    case KINI_SAVES_THINGS: return kini_thing_holds(&it.thing, tally);
    case KINI_SAVES_STATICS: return kini_static_holds(view, &it.fixed, &owner, tally);
    case KINI_SAVES_BODIES: tally->contacts += it.body.contact_count; return true;
    case KINI_SAVES_SENSED:   /* one that senses has a shape */
        return kini_read_row(view, KINI_SAVES_THINGS, it.sensed.by.slot, &owner) && owner.form == KINI_FORM_SHAPE;
    case KINI_SAVES_SHAPES:   /* a hull has one shape */
        if (it.shape.hull == -1) return true;
        return kini_read_row(view, KINI_SAVES_HULLS, it.shape.hull, &it) && it.hull.owner == row;
    case KINI_SAVES_HULLS: return kini_hull_holds(&it.hull);
    case KINI_SAVES_IGNORED: return kini_pair_holds(view, row, it.pair);
    case KINI_SAVES_GRIDS:
        counted = it.grid;
        return kini_check_grid(&view->was, NULL, &counted) && counted.cell_count == it.grid.cell_count;
    case KINI_SAVES_MESHES: return kini_mesh_holds(view, &it.mesh);
    }
}

/* NULL, or what kin_snapshot_save would not have written. */
static const char *kini_is_unsound(const kini_view *view)
{
    const kini_saved *head = &view->head;
    const kin_world  *was = &view->was;
    kini_tally        tally;
    bool              sound;
    int32_t           row;
    int               i;
    kini_clear(&tally, sizeof tally);
    sound = kini_check_settings(was, NULL) &&
            (kini_is_zero(was->up) || kini_abs(kini_len2(was->up) - 1) < KINI_NO_LENGTH) &&
            kini_within(head->apart, 0, 1) && kini_within(head->rows[KINI_SAVES_THINGS], 1, KINI_MOST_THINGS) &&
            head->rows[KINI_SAVES_USERS] == head->rows[KINI_SAVES_THINGS] &&
            head->rows[KINI_SAVES_EVENTS] <= was->desc.max_events;
    if (!sound) return "has settings that no world has";
    for (i = 0; i < KINI_SAVES_BULK; i++)
        if (!kini_fields_hold(view, i)) return kini_section_of(i)->unsound;
    for (i = 0; i < KINI_BLOCKS; i++)
        if (!kini_blocks_hold(view, &kini_blocks[i])) return kini_section_of(kini_blocks[i].owner)->unsound;
    for (i = 0; i < KINI_SAVES_BULK; i++)
        for (row = 0; row < head->rows[i] && kini_section_of(i)->fields && i != KINI_SAVES_CONTACTS; row++)
            if ((i == KINI_SAVES_THINGS || kini_used_row(view, i, row)) && !kini_row_holds(view, i, row, &tally))
                return kini_section_of(i)->unsound;
    sound = tally.attached == was->attached && tally.sensers == was->sensers &&
            tally.contacts == head->rows[KINI_SAVES_CONTACTS];
    for (i = 0; i < KINI_SAVES_BULK; i++) sound = sound && tally.named[i] == 0;
    return sound ? NULL : kini_section_of(KINI_SAVES_THINGS)->unsound;
}

KINI_PART const char *kini_verify(const kin_world *world, const kini_view *view)
{
    if (!kini_within(view->head.controls, 0, world->controls.count)) return "needs controllers this world has not seen";
    if (view->head.apart && !(kini_same_levels(world, view, KINI_SAVES_GRIDS) &&
                              kini_same_levels(world, view, KINI_SAVES_MESHES)))
        return "leaves out a level that is not the one of this world";
    return world->desc.trust_snapshots ? NULL : kini_is_unsound(view);
}
#endif
