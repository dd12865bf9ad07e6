/* SPDX-License-Identifier: MIT OR Unlicense

   verify.c: may this snapshot be loaded?

   A checksum tells damage from a whole snapshot, but not an honest one from one that was made up. So before anything
   is changed, every number of a snapshot is judged: first each word of each row by the limits that fields.c has for
   it, all rows of a section at one go; then links, row by row: an index names a row that is there and that names it
   back, lists end, blocks of levels lie one behind the other. What passes can be stepped without reading or writing
   outside the world's arrays, whoever wrote it. A world that trusts its snapshots only asks whether it has what they
   need. Rows are copied out, because a buffer may begin at any address. */
#include "internal.h"

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

/* Its bounds are left as they were. */
static const kini_thing *kini_saved_thing(const kini_view *view, int64_t slot, kini_thing *out)
{
    const unsigned char *at = kini_used_row(view, KINI_SAVES_THINGS, slot);
    if (at) kini_copy(out, at, KINI_THING_LASTS);
    else kini_clear(out, KINI_THING_LASTS);
    return out;
}

/* ---- limits of each word ----------------------------------------------------------------------------------------- */

enum { KINI_MOST_WORDS = 512, KINI_ROW_BLOCK = 64 };
static const uint32_t KINI_TOP_BIT = 0x80000000u;

/* Limits of the words of a row. A number is refused if it gets its top bit when `room` is added, or has a bit that is
   forbidden. Numbers without a top bit may be anything. */
typedef struct kini_limits {
    uint32_t top[KINI_MOST_WORDS];    /* of a number that fills the word, or of each of its bytes */
    uint32_t room[KINI_MOST_WORDS];   /* how far the least that is refused is from there */
    uint32_t forbidden[KINI_MOST_WORDS];
} kini_limits;

/* Of a float, the bits of its magnitude count, which grow as it does; infinities and NaNs are beyond all others. */
static void kini_limit_words(kini_limits *limits, const kini_field *field, uint32_t most, size_t step)
{
    size_t i, at = field->at / sizeof(uint32_t);
    for (i = 0; i < field->count; i++, at += step) {
        limits->top[at] = KINI_TOP_BIT;
        limits->room[at] = KINI_TOP_BIT - 1 - most;
        limits->forbidden[at] = field->type == KINI_IS_FLOAT || field->type == KINI_IS_VEC ? 0 : KINI_TOP_BIT;
    }
}

static void kini_limit_field(kini_limits *limits, const kini_view *view, const kini_field *field)
{
    kini_field axis = *field;
    uint32_t   most;
    uint16_t   unknown;
    switch (field->type) {
    case KINI_IS_FLOAT: case KINI_IS_SIZE: kini_limit_words(limits, field, kini_float_bits(field->most), 1); break;
    case KINI_IS_VEC:
        for (; axis.at < field->at + sizeof(float) * KINI_DIM; axis.at = (uint16_t)(axis.at + sizeof(float)))
            kini_limit_words(limits, &axis, kini_float_bits(field->most), sizeof(kin_vec) / sizeof(float));
        break;
    case KINI_IS_ID: kini_limit_words(limits, field, (uint32_t)view->head.rows[KINI_SAVES_THINGS] - 1, 2); break;
    case KINI_IS_COUNT:
        most = field->most < 0 ? (uint32_t)kini_contact_room(&view->was.desc) : (uint32_t)field->most;
        kini_limit_words(limits, field, most, 1);
        break;
    case KINI_IS_SHORT:
        unknown = (uint16_t)~(uint32_t)field->most;
        kini_copy((char *)limits->forbidden + field->at, &unknown, sizeof unknown);
        break;
    case KINI_IS_BYTE:   /* less than 127: bytes do not carry into each other */
        if (field->most < 0) break;
        ((unsigned char *)limits->top)[field->at] = ((unsigned char *)limits->forbidden)[field->at] = 0x80;
        ((unsigned char *)limits->room)[field->at] = (unsigned char)(0x7F - (int)field->most);
        break;
    default: break;
    }
}

#ifdef KINI_QUADS
typedef uint32_t kini_words __attribute__((vector_size(16)));
#else
typedef uint32_t kini_words;
#endif
enum { KINI_AT_ONCE = (int)(sizeof(kini_words) / sizeof(uint32_t)) };

/* What exceeds its limit in one column of some rows. */
static inline kini_words kini_excess(const kini_limits *limits, int at, const unsigned char *row, size_t bytes,
                                     int32_t rows)
{
    kini_words number, top, room, forbidden, seen, lifted;
    kini_copy(&top, limits->top + at, sizeof top);
    kini_copy(&room, limits->room + at, sizeof room);
    kini_copy(&forbidden, limits->forbidden + at, sizeof forbidden);
    kini_clear(&seen, sizeof seen);
    lifted = seen;
    for (row += (size_t)at * sizeof(uint32_t); rows > 0; rows--, row += bytes) {
        kini_copy(&number, row, sizeof number);
        seen |= number;
        lifted |= (number & ~top) + room;
    }
    return (lifted & top) | (seen & forbidden);
}

/* Column by column, for as many rows at a time as the nearest cache holds. Free rows hold zeros or what they held
   before, and pass too. */
static bool kini_words_hold(const kini_limits *limits, const kini_view *view, int section)
{
    size_t     bytes = kini_section_of(section)->lasts;
    int32_t    i, rows = view->head.rows[section];
    int        at, end = (int)(bytes / sizeof(uint32_t)) - KINI_AT_ONCE;
    uint32_t   each[KINI_AT_ONCE], any = 0;
    kini_words bad;
    kini_clear(&bad, sizeof bad);
    for (i = 0; i < rows; i += KINI_ROW_BLOCK) {
        const unsigned char *row = KINI_SAVED_AT(view, section, i);
        int32_t              count = rows - i < KINI_ROW_BLOCK ? rows - i : KINI_ROW_BLOCK;
        for (at = 0; at < end; at += KINI_AT_ONCE) bad |= kini_excess(limits, at, row, bytes, count);
        bad |= kini_excess(limits, end, row, bytes, count);
    }
    kini_copy(each, &bad, sizeof each);
    for (at = 0; at < KINI_AT_ONCE; at++) any |= each[at];
    return any == 0;
}

/* A face of the mesh that a live handle names has to be there. Of a dead handle nobody looks at the part. */
static bool kini_part_holds(const kini_view *view, const unsigned char *handle, int32_t part)
{
    const unsigned char *at;
    kini_static          fixed;
    kini_thing           thing;
    kini_mesh            mesh;
    kin_id               id;
    kini_copy(&id, handle, sizeof id);
    kini_saved_thing(view, id.slot, &thing);
    if (thing.kind != KIN_STATIC || thing.form != KINI_FORM_MESH || thing.age != id.age) return true;
    if ((at = kini_used_row(view, KINI_SAVES_STATICS, thing.row)) == NULL) return false;
    kini_copy(&fixed, at, sizeof fixed);
    if ((at = kini_used_row(view, KINI_SAVES_MESHES, fixed.level)) == NULL) return false;
    kini_copy(&mesh, at, KINI_MESH_LASTS);
    return kini_within(part, -1, mesh.face_count - 1);
}

/* Checks of single members that are more than a limit, in rows that are in use. */
static bool kini_column_holds(const kini_view *view, int section, const kini_field *field)
{
    const kini_section  *table = kini_section_of(section);
    const unsigned char *row = KINI_SAVED_AT(view, section, 0), *end = row + kini_section_bytes(&view->head, section);
    bool                 holds = true;
    kin_rot              q;
    int32_t              number;
    for (; row < end && holds; row += table->lasts) {
        if (field->type == KINI_IS_TURN) {
            kini_copy(&q, row + field->at, sizeof q);
            holds = kini_abs(kini_rot_len2(q) - 1) < 1e-2f;
        } else {
            kini_copy(&number, row + field->at, sizeof number);
            holds = field->type == KINI_IS_FACE ? kini_part_holds(view, row + (size_t)field->most, number)
                                                : kini_within(number, -1, view->head.controls - 1);
        }
        holds = holds || !kini_row_used(table, row);
    }
    return holds;
}

/* All that fields.c says about a section. */
static bool kini_rows_hold(const kini_view *view, int section)
{
    const kini_section *table = kini_section_of(section);
    kini_limits         limits;
    int                 i;
    if (view->head.rows[section] == 0 || table->lasts < sizeof(kini_words)) return true;   /* pairs have no limits */
    KINEMATIC_ASSERT(table->lasts / sizeof(uint32_t) <= KINI_MOST_WORDS && table->lasts % sizeof(uint32_t) == 0);
    kini_clear(&limits, sizeof limits);
    for (i = 0; i < table->field_count; i++) {
        const kini_field *field = &table->fields[i];
        if (field->at >= table->lasts) continue;
        kini_limit_field(&limits, view, field);
        if (field->type == KINI_IS_FACE && view->head.rows[KINI_SAVES_MESHES] == 0) continue;
        if (field->type != KINI_IS_TURN && field->type != KINI_IS_CONTROL && field->type != KINI_IS_FACE) continue;
        if (!kini_column_holds(view, section, field)) return false;
    }
    return kini_words_hold(&limits, view, section);
}

/* ---- links ------------------------------------------------------------------------------------------------------- */

typedef struct kini_tally {           /* what rows name, to be compared with what there is */
    int32_t named[KINI_SAVED_SECTIONS], live[4], attached, parts, stop_movers, lasts;
    int64_t contacts;
    int     section;                  /* that is looked at */
} kini_tally;

/* A free row that has to be in the list of such. Slots whose age ran out are in no list, and nobody has slot 0. */
static bool kini_is_free(const kini_view *view, int section, int32_t row)
{
    const unsigned char *at = KINI_SAVED_AT(view, section, row);
    uint32_t             age = 1;
    if (section == KINI_SAVES_THINGS) kini_copy(&age, at + offsetof(kini_thing, age), sizeof age);
    return age != 0 && (row > 0 || section != KINI_SAVES_THINGS) && !kini_row_used(kini_section_of(section), at);
}

/* The list of free rows holds all that are left, each once: it ends after as many steps. */
static bool kini_free_rows_hold(const kini_view *view, int section, int32_t left)
{
    const kini_section *table = kini_section_of(section);
    int32_t             next;
    kini_copy(&next, (const char *)&view->was + table->first, sizeof next);
    for (; next != -1; left--) {
        if (left <= 0 || !kini_within(next, 0, view->head.rows[section] - 1)) return false;
        if (!kini_is_free(view, section, next)) return false;
        kini_copy(&next, KINI_SAVED_AT(view, section, next) + table->link, sizeof next);
    }
    return left == 0;
}

/* A row that begins with the slot of the thing that names it; NULL: it does not. */
static inline const unsigned char *kini_names_back(const kini_view *view, int section, int32_t row, uint32_t slot,
                                                   kini_tally *tally)
{
    const unsigned char *at = kini_used_row(view, section, row);
    uint32_t             owner = 0;
    if (at) kini_copy(&owner, at, sizeof owner);
    tally->named[section]++;
    return owner == slot ? at : NULL;
}

static bool kini_static_holds(const kini_view *view, const kini_thing *thing, const unsigned char *at,
                              kini_tally *tally)
{
    int         levels = thing->form == KINI_FORM_TILES ? KINI_SAVES_GRIDS : KINI_SAVES_MESHES;
    kini_static fixed;
    kini_thing  carrier;
    kini_copy(&fixed, at, sizeof fixed);
    if (thing->form == KINI_FORM_SHAPE && fixed.level != -1) return false;
    if (thing->form != KINI_FORM_SHAPE && !kini_names_back(view, levels, fixed.level, fixed.slot, tally)) return false;
    if (!(thing->flags & KINI_ATTACHED) || (thing->flags & KINI_REMOVED)) return true;
    tally->attached++;
    return kini_saved_thing(view, fixed.attach.slot, &carrier)->kind == KIN_MOVER;
}

/* The list of its parts ends, and names no others. */
static bool kini_mover_holds(const kini_view *view, const kini_thing *thing, const unsigned char *at, kini_tally *tally)
{
    kini_mover  mover;
    kini_static fixed;
    kini_thing  piece;
    int32_t     part;
    kini_copy(&mover, at, sizeof mover);
    for (part = mover.parts; part != -1; part = fixed.next_part) {
        at = kini_used_row(view, KINI_SAVES_STATICS, part);
        if (!at || tally->parts++ == view->head.rows[KINI_SAVES_STATICS]) return false;
        kini_copy(&fixed, at, sizeof fixed);
        kini_saved_thing(view, fixed.slot, &piece);
        if (fixed.attach.slot != mover.slot || !(piece.flags & KINI_ATTACHED)) return false;
        if ((piece.flags | thing->flags) & KINI_REMOVED) return false;
    }
    tally->stop_movers += mover.on_blocked == KIN_BLOCKED_STOP && !(thing->flags & KINI_REMOVED);
    return true;
}

static bool kini_thing_holds(const kini_view *view, const unsigned char *at, int32_t slot, kini_tally *tally)
{
    static const uint16_t others[4] = {   /* flags that other kinds have */
        0, 0, KINI_ATTACHED, KINI_ATTACHED | KINI_ONE_WAY | KINI_CONVEYOR
    };
    kini_thing thing;
    int32_t    contacts;
    uint32_t   state;
    kini_copy(&thing, at, KINI_THING_LASTS);
    tally->live[thing.kind] += !(thing.flags & KINI_REMOVED);
    if ((thing.flags & others[thing.kind]) || (thing.flags & (KINI_GOING | KINI_REMOVED)) == KINI_GOING) return false;
    if (thing.form != KINI_FORM_SHAPE && (thing.kind != KIN_STATIC || thing.shape != -1)) return false;
    if (thing.form == KINI_FORM_SHAPE && !kini_used_row(view, KINI_SAVES_SHAPES, thing.shape)) return false;
    tally->section = KINI_SAVES_STATICS + thing.kind - KIN_STATIC;
    at = kini_names_back(view, tally->section, thing.row, (uint32_t)slot, tally);
    if (!at) return false;
    if (thing.kind == KIN_STATIC) return kini_static_holds(view, &thing, at, tally);
    if (thing.kind == KIN_MOVER) return kini_mover_holds(view, &thing, at, tally);
    kini_copy(&contacts, at + offsetof(kini_body, contact_count), sizeof contacts);
    kini_copy(&state, at + offsetof(kini_body, state), sizeof state);
    tally->contacts += contacts;
    tally->lasts += (state & KINI_BODY_TELEPORTED) != 0;
    return true;
}

static bool kini_shape_holds(const kini_view *view, const unsigned char *at, int32_t number)
{
    kini_solid solid;
    kini_shape shape;
    kini_hull  hull;
    kini_copy(&shape, at, sizeof shape);
    kini_clear(&solid, sizeof solid);
    solid.centre = shape.centre;
    solid.half = shape.half;
    solid.radius = shape.radius;
    at = kini_used_row(view, KINI_SAVES_HULLS, shape.hull);
    if (at) {
        kini_copy(&hull, at, sizeof hull);
        solid.points = hull.points;
        solid.count = hull.count;
    }
    return (at ? hull.owner == number : shape.hull == -1) && shape.key == kini_shape_key(&solid);
}

static bool kini_hull_holds(const unsigned char *at)
{
    kini_hull hull;
    int       i, faces;
    kini_copy(&hull, at, sizeof hull);
    faces = hull.face_count > 0 ? hull.face_count : 1;   /* the edge of two points names the first of none */
    for (i = 0; i < hull.edge_count; i++) {
        if (hull.edges[i][0] >= hull.count || hull.edges[i][1] >= hull.count) return false;
        if (hull.sides[i][0] >= faces || hull.sides[i][1] >= faces) return false;
    }
    return true;
}

/* Pairs are sorted. */
static bool kini_pair_holds(const kini_view *view, int32_t row)
{
    kini_pair  last = { 0, 0 }, pair;
    kini_thing thing;
    if (row > 0) kini_copy(&last, KINI_SAVED_AT(view, KINI_SAVES_IGNORED, row - 1), sizeof last);
    kini_copy(&pair, KINI_SAVED_AT(view, KINI_SAVES_IGNORED, row), sizeof pair);
    if (pair.a >= pair.b || pair.a < last.a || (pair.a == last.a && pair.b <= last.b)) return false;
    return kini_saved_thing(view, pair.a, &thing)->kind && kini_saved_thing(view, pair.b, &thing)->kind;
}

/* ---- levels ------------------------------------------------------------------------------------------------------ */

static int64_t kini_cell_count(kin_cell size)
{
    int64_t count = 1;
    int     axis;
    for (axis = 0; axis < KINI_DIM; axis++) {
        if (kini_cell_at(size, axis) < 1) return -1;
        count *= kini_cell_at(size, axis);
        if (count > INT32_MAX) return -1;
    }
    return count;
}

static bool kini_grid_holds(const unsigned char *at)
{
    kini_grid grid;
    int       axis;
    kini_copy(&grid, at, sizeof grid);
    for (axis = 0; axis < KINI_DIM; axis++)
        if (kini_cell_float(grid.size, axis) * grid.cell > KINI_FURTHEST) return false;
    return grid.cell >= KINI_SMALLEST_SHAPE;
}

/* The block that a grid or mesh has in an array that levels share. */
typedef struct kini_extent { int64_t from, count; uint64_t key; } kini_extent;

static int kini_owner_of(int section)
{
    return section == KINI_SAVES_TILES || section == KINI_SAVES_CELLS ? KINI_SAVES_GRIDS : KINI_SAVES_MESHES;
}

static kini_extent kini_extent_of(int section, const unsigned char *row)
{
    kini_extent extent;
    kini_grid   grid;
    kini_mesh   mesh;
    int32_t     pair[2];
    bool        used = kini_row_used(kini_section_of(kini_owner_of(section)), row);
    kini_clear(&extent, sizeof extent);
    if (used && kini_owner_of(section) == KINI_SAVES_GRIDS) {
        kini_copy(&grid, row, sizeof grid);
        extent.from = section == KINI_SAVES_TILES ? grid.tiles : grid.cells;
        extent.count = section == KINI_SAVES_TILES ? grid.tile_count : kini_cell_count(grid.size);
        extent.key = grid.key;
    } else if (used) {   /* one behind the other, in the order of sections */
        kini_copy(&mesh, row, KINI_MESH_LASTS);
        kini_copy(pair, &mesh.points + 2 * (section - KINI_SAVES_POINTS), sizeof pair);
        extent.from = pair[0];
        extent.count = section == KINI_SAVES_CORNERS ? (int64_t)pair[1] * KINI_DIM : pair[1];
        extent.key = mesh.key;
    }
    return extent;
}

/* Blocks lie one behind the other, nearly always in the order of their rows, and fill the array. */
static bool kini_blocks_hold(const kini_view *view, int section)
{
    int64_t room = view->head.rows[section], total = 0, end = 0;
    int     owner = kini_owner_of(section);
    int32_t i, missed, count = view->head.rows[owner];
    for (i = 0; i < count; i++) {
        kini_extent extent = kini_extent_of(section, KINI_SAVED_AT(view, owner, i));
        if (extent.count < 0 || (total += extent.count) > room) return false;
    }
    for (i = missed = 0; end < total && missed < count; i = (i + 1) % count) {
        kini_extent extent = kini_extent_of(section, KINI_SAVED_AT(view, owner, i));
        bool        next = extent.count > 0 && extent.from == end;
        missed = next ? 0 : missed + 1;
        if (next) end += extent.count;
    }
    return end == room;
}

KINI_PART bool kini_same_blocks(const kin_world *world, const kini_view *view, int section)
{
    int            owner = kini_owner_of(section);
    kini_rows      here = kini_rows_of(world, owner);
    unsigned char *row = (unsigned char *)here.at;
    int32_t        i;
    if (view->head.rows[owner] != here.count) return false;
    if (view->head.rows[section] != kini_rows_of(world, section).count) return false;
    for (i = 0; i < here.count; i++, row += kini_section_of(owner)->stride) {
        kini_extent own = kini_extent_of(section, row), saved = kini_extent_of(section, KINI_SAVED_AT(view, owner, i));
        if (saved.from != own.from || saved.count != own.count || saved.key != own.key) return false;
    }
    return true;
}

static bool kini_mesh_holds(const kini_view *view, const unsigned char *at)
{
    kini_mesh mesh;
    int32_t   i, corner;
    kin_vec   point;
    kini_copy(&mesh, at, KINI_MESH_LASTS);
    if (mesh.face_count < 1 || view->head.apart) return mesh.face_count >= 1;
    for (i = 0; i < mesh.face_count * KINI_DIM; i++) {
        kini_copy(&corner, KINI_SAVED_AT(view, KINI_SAVES_CORNERS, mesh.corners + i), sizeof corner);
        if (!kini_within(corner, 0, mesh.point_count - 1)) return false;
    }
    for (i = 0; i < mesh.point_count; i++) {
        kini_copy(&point, KINI_SAVED_AT(view, KINI_SAVES_POINTS, mesh.points + i), sizeof point);
        if (!kini_vec_finite(point) || kini_largest(kini_magnitudes(point)) > KINI_FURTHEST) return false;
    }
    return true;
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

static bool kini_row_holds(const kini_view *view, int section, const unsigned char *at, int32_t row, kini_tally *tally)
{
    int32_t shape;
    switch (section) {
    case KINI_SAVES_THINGS: return kini_thing_holds(view, at, row, tally);
    case KINI_SAVES_SHAPES: return kini_shape_holds(view, at, row);
    case KINI_SAVES_HULLS: return kini_hull_holds(at);
    case KINI_SAVES_GRIDS: return kini_grid_holds(at);
    case KINI_SAVES_MESHES: return kini_mesh_holds(view, at);
    case KINI_SAVES_IGNORED: return kini_pair_holds(view, row);
    default:
        kini_copy(&shape, at + offsetof(kini_tile, shape), sizeof shape);
        return shape == -1 || kini_used_row(view, KINI_SAVES_SHAPES, shape);
    }
}

/* Links of the rows of a section that are in use, as tiles and pairs always are, and the list of those that are not. */
static bool kini_links_hold(const kini_view *view, int section, kini_tally *tally)
{
    const kini_section  *table = kini_section_of(section);
    const unsigned char *at = KINI_SAVED_AT(view, section, 0);
    int32_t              row, left = 0;
    if (section == KINI_SAVES_USERS || section == KINI_SAVES_EVENTS) return true;
    if (section >= KINI_SAVES_STATICS && section <= KINI_SAVES_CONTACTS) return true;   /* things have seen to them */
    for (row = 0; row < view->head.rows[section]; row++, at += table->lasts) {
        if (section != KINI_SAVES_TILES && section != KINI_SAVES_IGNORED && !kini_row_used(table, at)) {
            left += kini_is_free(view, section, row);
            continue;
        }
        tally->named[section]--;
        tally->section = section;
        if (!kini_row_holds(view, section, at, row, tally)) return false;
    }
    tally->section = section;
    return table->link == 0 || kini_free_rows_hold(view, section, left);
}

static bool kini_head_holds(const kini_saved *head, const kin_world *was)
{
    return kini_check_settings(was, NULL) && (kini_is_zero(was->up) || kini_abs(kini_len2(was->up) - 1) < 1e-3f) &&
           kini_within(head->apart, 0, 1) && kini_within(head->rows[KINI_SAVES_THINGS], 1, KINI_MOST_THINGS) &&
           head->rows[KINI_SAVES_USERS] == head->rows[KINI_SAVES_THINGS] &&
           head->rows[KINI_SAVES_EVENTS] <= was->desc.max_events;
}

/* Each row in use is named by one thing, the others are free, and what the world counts is what its rows are. */
static bool kini_tally_holds(const kini_view *view, kini_tally *tally)
{
    const int32_t   *rows = view->head.rows;
    const kin_world *was = &view->was;
    int              kind;
    if (tally->live[KIN_NOTHING] != was->live[KIN_NOTHING]) return false;
    for (kind = KIN_STATIC; kind <= KIN_BODY; kind++) {
        tally->section = KINI_SAVES_STATICS + kind - KIN_STATIC;
        if (tally->live[kind] != was->live[kind]) return false;
        if (!kini_free_rows_hold(view, tally->section, rows[tally->section] - tally->named[tally->section]))
            return false;
    }
    return tally->named[KINI_SAVES_GRIDS] == 0 && tally->named[KINI_SAVES_MESHES] == 0 &&
           tally->attached == was->attached && tally->parts == was->attached &&
           tally->stop_movers == was->stop_movers && tally->contacts == rows[KINI_SAVES_CONTACTS] &&
           tally->lasts == rows[KINI_SAVES_LASTS];
}

#define KINI_UNSOUND(what) "has " what " that are not sound"
static const char *const kini_unsound[] = {
    KINI_UNSOUND("things"), KINI_UNSOUND("users"), KINI_UNSOUND("statics"), KINI_UNSOUND("movers"),
    KINI_UNSOUND("bodies"), KINI_UNSOUND("contacts"), KINI_UNSOUND("contacts"), KINI_UNSOUND("shapes"),
    KINI_UNSOUND("shapes"), KINI_UNSOUND("pairs"), KINI_UNSOUND("events"), KINI_UNSOUND("levels"),
    KINI_UNSOUND("levels"), KINI_UNSOUND("levels")
};

/* What kin_snapshot_save never writes. */
static const char *kini_is_unsound(const kini_view *view)
{
    kini_tally tally;
    int        i;
    kini_clear(&tally, sizeof tally);
    if (!kini_head_holds(&view->head, &view->was)) return "has settings that no world has";
    for (i = 0; i < KINI_SAVES_BULK; i++)
        if (!kini_rows_hold(view, i)) return kini_unsound[i];
    for (i = KINI_SAVES_TILES; i <= KINI_SAVES_CELLS; i++)
        if (i != KINI_SAVES_MESHES && !kini_blocks_hold(view, i)) return kini_unsound[KINI_SAVES_MESHES];
    for (i = 0; i < KINI_SAVES_BULK; i++)
        if (!kini_links_hold(view, i, &tally)) return kini_unsound[tally.section];
    return kini_tally_holds(view, &tally) ? NULL : kini_unsound[tally.section];
}

KINI_PART const char *kini_verify(const kin_world *world, const kini_view *view)
{
    int i;
    if (!kini_within(view->head.controls, 0, world->controls.count)) return "needs controllers this world has not seen";
    for (i = KINI_SAVES_BULK; view->head.apart && i <= KINI_SAVES_CELLS; i++)
        if (!kini_same_blocks(world, view, i)) return "leaves out a level that is not the one of this world";
    return world->desc.trust_snapshots ? NULL : kini_is_unsound(view);
}
