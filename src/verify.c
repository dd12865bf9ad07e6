/* SPDX-License-Identifier: MIT OR Unlicense

   verify.c: may this snapshot be loaded?

   A checksum tells damage from a whole snapshot, but not an honest one from one that was made up. So before anything
   is changed, every number of a snapshot is judged: it is finite, every index names a row that is there and that
   names it back, every list ends, blocks of levels lie one behind the other. What passes can be stepped without
   reading or writing outside the world's arrays, whoever wrote it. A world that trusts its snapshots only asks whether
   it has what they need. Limits of single members stand in fields.c and are tested for all rows at one go; the rest
   follows links. Words are copied out, because a buffer may begin at any address. */
#include "internal.h"

static bool kini_within(int64_t number, int64_t lo, int64_t hi) { return number >= lo && number <= hi; }

/* One member of a row that begins at `row`. */
#define KINI_SAVED_MEMBER(row, type, member, out) kini_copy((out), (row) + offsetof(type, member), sizeof *(out))

static const unsigned char *kini_saved_at(const kini_view *view, int section, int32_t row)
{
    return view->buffer + view->from[section] + (size_t)row * kini_section_of(section)->lasts;
}

/* Out of range: nothing. Its bounds are left as they were. */
static const kini_thing *kini_saved_thing(const kini_view *view, int64_t slot, kini_thing *out)
{
    if (kini_within(slot, 1, view->head.rows[KINI_SAVES_THINGS] - 1))
        KINI_SAVED_PART(view, KINI_SAVES_THINGS, slot, out, KINI_THING_LASTS);
    else kini_clear(out, KINI_THING_LASTS);
    return out;
}

static kini_static kini_saved_static(const kini_view *view, int32_t row)
{
    kini_static fixed;
    kini_clear(&fixed, sizeof fixed);
    if (kini_within(row, 0, view->head.rows[KINI_SAVES_STATICS] - 1))
        KINI_SAVED_ROW(view, KINI_SAVES_STATICS, row, &fixed);
    return fixed;
}

/* Of a row that begins with its slot; 0: out of range or free. */
static uint32_t kini_slot_of_row(const kini_view *view, int section, int32_t row)
{
    uint32_t slot;
    if (!kini_within(row, 0, view->head.rows[section] - 1)) return 0;
    kini_copy(&slot, kini_saved_at(view, section, row), sizeof slot);
    return slot;
}

/* ---- limits of each word ----------------------------------------------------------------------------------------- */

enum { KINI_MOST_WORDS = 400, KINI_ROW_BLOCK = 64, KINI_MOST_TURNS = 4 };
#define KINI_TOP_BIT 0x80000000u

/* What the words of a row may be. A number is refused if it has its top bit, or gets it when `room` is added; the sign
   of a float does not count. Numbers without a top bit may be anything. */
typedef struct kini_limits {
    uint32_t top[KINI_MOST_WORDS];    /* of a number that fills the word, or of each of its bytes */
    uint32_t room[KINI_MOST_WORDS];   /* how far the least that is refused is from there */
    uint32_t sign[KINI_MOST_WORDS];
    int      words, turn_count;
    size_t   turns[KINI_MOST_TURNS], control, id, face;   /* where a row has them; 0: nowhere */
} kini_limits;

/* Of a float, the bits of its magnitude count, which grow as it does; infinities and NaNs are beyond all others. */
static void kini_limit_words(kini_limits *limits, const kini_field *field, uint32_t most, size_t step)
{
    uint32_t sign = field->type == KINI_IS_FLOAT ? KINI_TOP_BIT : 0;
    size_t   i, at = field->at / sizeof(uint32_t);
    for (i = 0; i < field->count; i++, at += step) {
        limits->top[at] = KINI_TOP_BIT;
        limits->room[at] = KINI_TOP_BIT - 1 - most;
        limits->sign[at] = sign;
    }
}

static void kini_limit_field(kini_limits *limits, const kini_view *view, const kini_field *field)
{
    switch (field->type) {
    case KINI_IS_FLOAT: kini_limit_words(limits, field, kini_float_bits(field->most), 1); break;
    case KINI_IS_CHOICE: kini_limit_words(limits, field, (uint32_t)field->most, 1); break;
    case KINI_IS_CONTACTS: kini_limit_words(limits, field, (uint32_t)view->head.max_contacts, 1); break;
    case KINI_IS_ID:
        kini_limit_words(limits, field, (uint32_t)view->head.rows[KINI_SAVES_THINGS] - 1, 2);
        if (!limits->face) limits->id = field->at;
        break;
    case KINI_IS_BYTE:   /* less than 127: bytes do not carry into each other */
        if (field->most < 0) break;
        ((unsigned char *)limits->top)[field->at] = 0x80;
        ((unsigned char *)limits->room)[field->at] = (unsigned char)(0x7F - (int)field->most);
        break;
    case KINI_IS_FACE: limits->face = field->at; break;
    case KINI_IS_TURN: limits->turns[limits->turn_count++] = field->at; break;
    case KINI_IS_CONTROL: limits->control = field->at; break;
    default: break;
    }
}

static void kini_set_limits(kini_limits *limits, const kini_view *view, const kini_section *table)
{
    int i;
    KINEMATIC_ASSERT(table->lasts / sizeof(uint32_t) <= KINI_MOST_WORDS && table->lasts % sizeof(uint32_t) == 0);
    kini_clear(limits->top, table->lasts);
    kini_clear(limits->room, table->lasts);
    kini_clear(limits->sign, table->lasts);
    limits->words = (int)(table->lasts / sizeof(uint32_t));
    limits->turn_count = 0;
    limits->control = limits->id = limits->face = 0;
    for (i = 0; i < table->field_count; i++)
        if (table->fields[i].at < table->lasts) kini_limit_field(limits, view, &table->fields[i]);
}

#ifdef KINI_QUADS
typedef uint32_t kini_words __attribute__((vector_size(16)));
#else
typedef uint32_t kini_words;
#endif
enum { KINI_AT_ONCE = (int)(sizeof(kini_words) / sizeof(uint32_t)) };

/* What exceeds its limit in one column of some rows. */
static inline kini_words kini_excess(const kini_limits *limits, int at, const unsigned char *row, int32_t rows)
{
    size_t     row_bytes = (size_t)limits->words * sizeof(uint32_t);
    kini_words number, top, room, sign, seen, lifted;
    kini_copy(&top, limits->top + at, sizeof top);
    kini_copy(&room, limits->room + at, sizeof room);
    kini_copy(&sign, limits->sign + at, sizeof sign);
    kini_clear(&seen, sizeof seen);
    lifted = seen;
    for (row += (size_t)at * sizeof(uint32_t); rows > 0; rows--, row += row_bytes) {
        kini_copy(&number, row, sizeof number);
        seen |= number;
        lifted |= (number & ~top) + room;
    }
    return (lifted | (seen & ~sign)) & top;
}

/* A face of the mesh that a live handle names has to be there. Of a dead handle nobody looks at the part. */
static bool kini_sane_part(const kini_view *view, kin_id id, int32_t part)
{
    kini_thing thing;
    kini_mesh  mesh;
    int32_t    level;
    kini_saved_thing(view, id.slot, &thing);
    if (thing.kind != KIN_STATIC || thing.form != KINI_FORM_MESH || thing.age != id.age) return true;
    level = kini_saved_static(view, thing.row).level;
    if (!kini_within(level, 0, view->head.rows[KINI_SAVES_MESHES] - 1)) return false;
    KINI_SAVED_PART(view, KINI_SAVES_MESHES, level, &mesh, KINI_MESH_LASTS);
    return kini_within(part, -1, mesh.face_count - 1);
}

/* Without meshes there are no faces. */
static bool kini_faces_hold(const kini_limits *limits, const kini_view *view, int section)
{
    const unsigned char *row = kini_saved_at(view, section, 0);
    int32_t              part, rows = limits->face && view->head.rows[KINI_SAVES_MESHES] ? view->head.rows[section] : 0;
    kin_id               id;
    for (; rows > 0; rows--, row += kini_section_of(section)->lasts) {
        kini_copy(&id, row + limits->id, sizeof id);
        kini_copy(&part, row + limits->face, sizeof part);
        if (!kini_sane_part(view, id, part)) return false;
    }
    return true;
}

/* Column by column, for as many rows at a time as the nearest cache holds. Free rows hold zeros or what they held
   before, and pass too. */
static bool kini_words_hold(const kini_limits *limits, const kini_view *view, int section)
{
    int32_t    i, rows = view->head.rows[section];
    int        at;
    uint32_t   each[KINI_AT_ONCE], any = 0;
    kini_words bad;
    kini_clear(&bad, sizeof bad);
    for (i = 0; i < rows; i += KINI_ROW_BLOCK) {
        const unsigned char *row = kini_saved_at(view, section, i);
        int32_t              count = rows - i < KINI_ROW_BLOCK ? rows - i : KINI_ROW_BLOCK;
        int                  end = limits->words - KINI_AT_ONCE;
        for (at = 0; at < end; at += KINI_AT_ONCE) bad |= kini_excess(limits, at, row, count);
        bad |= kini_excess(limits, end, row, count);
    }
    kini_copy(each, &bad, sizeof each);
    for (at = 0; at < KINI_AT_ONCE; at++) any |= each[at];
    return any == 0;
}

/* Checks for rows in use only. */
static bool kini_turns_hold(const kini_limits *limits, const kini_view *view, int section)
{
    const kini_section  *table = kini_section_of(section);
    size_t               bytes = table->lasts;
    const unsigned char *row = kini_saved_at(view, section, 0), *end = row + (size_t)view->head.rows[section] * bytes;
    int32_t              control;
    kin_rot              q;
    int                  i;
    for (i = 0; i < limits->turn_count; i++) {
        const unsigned char *at = row + limits->turns[i];
        for (; at < end; at += bytes) {
            kini_copy(&q, at, sizeof q);
            if (!(kini_abs(kini_rot_len2(q) - 1) < 1e-2f) && kini_row_used(table, at - limits->turns[i])) return false;
        }
    }
    for (; limits->control && row < end; row += bytes) {
        kini_copy(&control, row + limits->control, sizeof control);
        if (!kini_within(control, -1, view->head.controls - 1) && kini_row_used(table, row)) return false;
    }
    return true;
}

/* All that fields.c says about a section. */
static bool kini_rows_hold(const kini_view *view, int section)
{
    kini_limits limits;
    if (view->head.rows[section] == 0) return true;
    kini_set_limits(&limits, view, kini_section_of(section));
    return kini_words_hold(&limits, view, section) && kini_faces_hold(&limits, view, section) &&
           kini_turns_hold(&limits, view, section);
}

/* The list of free rows holds each of the `left` once: it ends after as many steps. Slots whose age ran out are in no
   list, and nobody has slot 0. */
static bool kini_free_rows_hold(const kini_view *view, int section, int32_t left)
{
    const kini_section *table = kini_section_of(section);
    int32_t             next;
    kini_copy(&next, (const char *)&view->head + table->first, sizeof next);
    for (; next != -1; left--) {
        const unsigned char *row;
        uint32_t             age = 1;
        if (left <= 0 || !kini_within(next, section == KINI_SAVES_THINGS, view->head.rows[section] - 1)) return false;
        row = kini_saved_at(view, section, next);
        if (section == KINI_SAVES_THINGS) KINI_SAVED_MEMBER(row, kini_thing, age, &age);
        if (age == 0 || kini_row_used(table, row)) return false;
        kini_copy(&next, row + table->link, sizeof next);
    }
    return left == 0;
}

/* As many as things name, each naming it back, and the list of free rows has all others. */
static bool kini_owned_rows_hold(const kini_view *view, int section, int32_t owners)
{
    return kini_rows_hold(view, section) && kini_free_rows_hold(view, section, view->head.rows[section] - owners);
}

/* ---- the head ---------------------------------------------------------------------------------------------------- */

static bool kini_setting_holds(const kini_setting *setting, const kini_saved *head)
{
    const char *at = (const char *)head + setting->saved;
    double      number = 0;
    float       single;
    int32_t     whole;
    int         i;
    for (i = 0; i < setting->field.count && setting->field.type != KINI_IS_LONG; i++, at += sizeof(float)) {
        if (setting->field.type == KINI_IS_DOUBLE) kini_copy(&number, at, sizeof number);
        kini_copy(&single, at, sizeof single);
        kini_copy(&whole, at, sizeof whole);
        if (setting->field.type == KINI_IS_FLOAT) number = (double)single;
        if (setting->field.type == KINI_IS_WORD) number = whole;
        if (!(number >= setting->lo && number <= setting->hi)) return false;
    }
    return true;
}

static bool kini_sane_head(const kini_saved *head)
{
    const kini_setting *setting;
    int                 i;
    for (i = 0; (setting = kini_setting_at(i)) != NULL; i++)
        if (!kini_setting_holds(setting, head)) return false;
    return (kini_is_zero(head->up) || kini_abs(kini_len2(head->up) - 1) < 1e-3f) &&
           kini_within(head->overflowed, 0, 1) && kini_within(head->apart, 0, 1) &&
           kini_within(head->rows[KINI_SAVES_THINGS], 1, KINI_MOST_THINGS) &&
           head->rows[KINI_SAVES_USERS] == head->rows[KINI_SAVES_THINGS] &&
           head->rows[KINI_SAVES_EVENTS] <= head->max_events && head->attached <= head->rows[KINI_SAVES_STATICS] &&
           head->stop_movers <= head->rows[KINI_SAVES_MOVERS];
}

/* ---- things ------------------------------------------------------------------------------------------------------ */

enum { KINI_KNOWN_FLAGS = 2047 | KINI_RESHAPED };

static bool kini_sane_shape_number(const kini_view *view, int32_t number)
{
    int32_t users;
    if (!kini_within(number, 0, view->head.rows[KINI_SAVES_SHAPES] - 1)) return false;
    KINI_SAVED_MEMBER(kini_saved_at(view, KINI_SAVES_SHAPES, number), kini_shape, users, &users);
    return users > 0;
}

/* Some flags say what only one kind has, and who goes has been removed. */
static bool kini_sane_flags(const kini_thing *thing)
{
    if (thing->flags & ~KINI_KNOWN_FLAGS) return false;
    if (thing->kind != KIN_STATIC && (thing->flags & KINI_ATTACHED)) return false;
    if (thing->kind == KIN_BODY && (thing->flags & (KINI_ONE_WAY | KINI_CONVEYOR))) return false;
    return !(thing->flags & KINI_GOING) || (thing->kind == KIN_BODY && (thing->flags & KINI_REMOVED));
}

static bool kini_sane_thing(const kini_view *view, const kini_thing *thing, uint32_t slot)
{
    int rows = KINI_SAVES_STATICS + thing->kind - KIN_STATIC;
    if (!kini_sane_flags(thing) || kini_slot_of_row(view, rows, thing->row) != slot) return false;
    if (thing->kind != KIN_STATIC && thing->form != KINI_FORM_SHAPE) return false;
    return thing->form == KINI_FORM_SHAPE ? kini_sane_shape_number(view, thing->shape) : thing->shape == -1;
}

/* Counts the things of each kind that have a row, which names them back: so no two have the same. */
static bool kini_sane_things(const kini_view *view, int32_t *owners)
{
    int32_t live[4] = { 0, 0, 0, 0 }, i, idle = 0;
    if (!kini_rows_hold(view, KINI_SAVES_THINGS)) return false;
    for (i = 1; i < view->head.rows[KINI_SAVES_THINGS]; i++) {
        kini_thing thing;
        KINI_SAVED_PART(view, KINI_SAVES_THINGS, i, &thing, KINI_THING_LASTS);
        if (thing.kind == KIN_NOTHING) {
            idle += thing.age != 0;
            continue;
        }
        if (!kini_sane_thing(view, &thing, (uint32_t)i)) return false;
        owners[thing.kind]++;
        live[thing.kind] += !(thing.flags & KINI_REMOVED);
    }
    for (i = KIN_NOTHING; i <= KIN_BODY; i++)
        if (live[i] != view->head.live[i]) return false;
    return kini_free_rows_hold(view, KINI_SAVES_THINGS, idle);
}

/* ---- statics and movers ------------------------------------------------------------------------------------------ */

static bool kini_sane_static(const kini_view *view, const kini_static *fixed)
{
    kini_thing thing, carrier;
    int        levels;
    kini_saved_thing(view, fixed->slot, &thing);
    levels = thing.form == KINI_FORM_TILES ? KINI_SAVES_GRIDS : KINI_SAVES_MESHES;
    if (thing.form == KINI_FORM_SHAPE && fixed->level != -1) return false;
    if (thing.form != KINI_FORM_SHAPE && kini_slot_of_row(view, levels, fixed->level) != fixed->slot) return false;
    if (!(thing.flags & KINI_ATTACHED) || (thing.flags & KINI_REMOVED)) return true;
    return kini_saved_thing(view, fixed->attach.slot, &carrier)->kind == KIN_MOVER;
}

static bool kini_sane_statics(const kini_view *view, int32_t owners)
{
    int32_t i;
    if (!kini_owned_rows_hold(view, KINI_SAVES_STATICS, owners)) return false;
    for (i = 0; i < view->head.rows[KINI_SAVES_STATICS]; i++) {
        kini_static fixed;
        KINI_SAVED_ROW(view, KINI_SAVES_STATICS, i, &fixed);
        if (fixed.slot != 0 && !kini_sane_static(view, &fixed)) return false;
    }
    return true;
}

/* How many statics hang on the mover; -1 if the list does not end in time or names others. */
static int32_t kini_count_parts(const kini_view *view, const kini_mover *mover)
{
    int32_t count = 0, part = mover->parts;
    for (; part != -1; count++) {
        kini_static fixed = kini_saved_static(view, part);
        kini_thing  thing;
        kini_saved_thing(view, fixed.slot, &thing);
        if (count == view->head.attached || fixed.slot == 0 || fixed.attach.slot != mover->slot) return -1;
        if (!(thing.flags & KINI_ATTACHED) || (thing.flags & KINI_REMOVED)) return -1;
        part = fixed.next_part;
    }
    return count;
}

static bool kini_sane_movers(const kini_view *view, int32_t owners)
{
    int32_t i, parts = 0, stop = 0;
    if (!kini_owned_rows_hold(view, KINI_SAVES_MOVERS, owners)) return false;
    for (i = 0; i < view->head.rows[KINI_SAVES_MOVERS]; i++) {
        kini_mover mover;
        kini_thing thing;
        bool       removed;
        int32_t    own;
        KINI_SAVED_ROW(view, KINI_SAVES_MOVERS, i, &mover);
        if (mover.slot == 0) continue;
        removed = (kini_saved_thing(view, mover.slot, &thing)->flags & KINI_REMOVED) != 0;
        own = kini_count_parts(view, &mover);
        if (own < 0 || (own > 0 && removed)) return false;
        parts += own;
        stop += mover.on_blocked == KIN_BLOCKED_STOP && !removed;
    }
    return parts == view->head.attached && stop == view->head.stop_movers;
}

/* ---- bodies and shapes ------------------------------------------------------------------------------------------- */

static bool kini_sane_bodies(const kini_view *view, int32_t owners)
{
    const unsigned char *row = kini_saved_at(view, KINI_SAVES_BODIES, 0);
    int32_t              i, lasts = 0, count;
    int64_t              contacts = 0;
    uint32_t             state;
    float                fade;
    if (!kini_owned_rows_hold(view, KINI_SAVES_BODIES, owners)) return false;
    for (i = 0; i < view->head.rows[KINI_SAVES_BODIES]; i++, row += KINI_BODY_LASTS) {
        KINI_SAVED_MEMBER(row, kini_body, contact_count, &count);
        KINI_SAVED_MEMBER(row, kini_body, state, &state);
        KINI_SAVED_MEMBER(row, kini_body, options.leftover_fade, &fade);
        if (fade < 0 || fade > 1) return false;
        contacts += count;
        lasts += (state & KINI_BODY_TELEPORTED) != 0;
    }
    return contacts == view->head.rows[KINI_SAVES_CONTACTS] && lasts == view->head.rows[KINI_SAVES_LASTS];
}

static bool kini_sane_hull(const kini_hull *hull)
{
    int i, faces = hull->face_count > 0 ? hull->face_count : 1;   /* the edge of two points names the first of none */
    if (!kini_within(hull->count, 1, KIN_MAX_POINTS) || !kini_within(hull->face_count, 0, KINI_MAX_FACES)) return false;
    if (!kini_within(hull->edge_count, 0, KINI_MAX_EDGES)) return false;
    for (i = 0; i < hull->edge_count; i++) {
        if (hull->edges[i][0] >= hull->count || hull->edges[i][1] >= hull->count) return false;
        if (hull->sides[i][0] >= faces || hull->sides[i][1] >= faces) return false;
    }
    return true;
}

static bool kini_sane_shape(const kini_view *view, const kini_shape *shape)
{
    kini_solid solid;
    kini_hull  hull;
    if (shape->users < 0 || kini_smallest(shape->half) < 0) return false;
    if (shape->radius < 0 || shape->width < 0 || shape->reach < 0) return false;
    kini_clear(&solid, sizeof solid);
    solid.centre = shape->centre;
    solid.half = shape->half;
    solid.radius = shape->radius;
    if (shape->hull != -1) {
        if (!kini_within(shape->hull, 0, view->head.rows[KINI_SAVES_HULLS] - 1)) return false;
        KINI_SAVED_ROW(view, KINI_SAVES_HULLS, shape->hull, &hull);
        if (hull.count == 0) return false;
        solid.points = hull.points;
        solid.count = hull.count;
    }
    return shape->key == kini_shape_key(&solid);
}

static bool kini_sane_shapes(const kini_view *view)
{
    int32_t    i, idle = 0, idle_hulls = 0;
    kini_hull  hull;
    kini_shape shape;
    if (!kini_rows_hold(view, KINI_SAVES_HULLS) || !kini_rows_hold(view, KINI_SAVES_SHAPES)) return false;
    for (i = 0; i < view->head.rows[KINI_SAVES_HULLS]; i++) {
        KINI_SAVED_ROW(view, KINI_SAVES_HULLS, i, &hull);
        if (hull.count == 0) idle_hulls++;
        else if (!kini_sane_hull(&hull)) return false;
    }
    for (i = 0; i < view->head.rows[KINI_SAVES_SHAPES]; i++) {
        KINI_SAVED_ROW(view, KINI_SAVES_SHAPES, i, &shape);
        if (shape.users == 0) idle++;
        else if (!kini_sane_shape(view, &shape)) return false;
    }
    return kini_free_rows_hold(view, KINI_SAVES_SHAPES, idle) &&
           kini_free_rows_hold(view, KINI_SAVES_HULLS, idle_hulls);
}

KINI_PART bool kini_hulls_owned(const kini_view *view, int32_t *owners)
{
    kini_shape shape;
    int32_t    i;
    for (i = 0; i < view->head.rows[KINI_SAVES_HULLS]; i++) owners[i] = 0;
    for (i = 0; i < view->head.rows[KINI_SAVES_SHAPES]; i++) {
        KINI_SAVED_ROW(view, KINI_SAVES_SHAPES, i, &shape);
        if (shape.users > 0 && shape.hull >= 0 && ++owners[shape.hull] > 1) return false;
    }
    return true;
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

static bool kini_sane_cells(const kini_grid *grid)
{
    int axis;
    for (axis = 0; axis < KINI_DIM; axis++)
        if (kini_cell_float(grid->size, axis) * grid->cell > KINI_FURTHEST) return false;
    return grid->cell >= KINI_SMALLEST_SHAPE;
}

/* The static that a grid or mesh belongs to names it back. */
static bool kini_sane_level_owner(const kini_view *view, uint32_t slot, int form, int32_t row)
{
    kini_thing thing;
    kini_saved_thing(view, slot, &thing);
    return thing.kind == KIN_STATIC && thing.form == form && kini_saved_static(view, thing.row).level == row;
}

/* Blocks of grids and meshes in the arrays that they share: where the first row and the number of rows stand. */
typedef struct kini_block { int owner, section; size_t from, count, key; } kini_block;
typedef struct kini_extent { int64_t from, count; uint64_t key; } kini_extent;

#define KINI_BLOCK(owner, section, type, from, count) \
    { owner, section, offsetof(type, from), offsetof(type, count), offsetof(type, key) }
static const kini_block kini_blocks[] = {
    KINI_BLOCK(KINI_SAVES_GRIDS, KINI_SAVES_CELLS, kini_grid, cells, size),
    KINI_BLOCK(KINI_SAVES_GRIDS, KINI_SAVES_TILES, kini_grid, tiles, tile_count),
    KINI_BLOCK(KINI_SAVES_MESHES, KINI_SAVES_POINTS, kini_mesh, points, point_count),
    KINI_BLOCK(KINI_SAVES_MESHES, KINI_SAVES_CORNERS, kini_mesh, corners, face_count)
};
#define KINI_BLOCKS_END (kini_blocks + sizeof kini_blocks / sizeof *kini_blocks)

static kini_extent kini_extent_of(const kini_block *block, const unsigned char *row)
{
    kini_extent extent;
    int32_t     from, count;
    kin_cell    size;
    kini_copy(&from, row + block->from, sizeof from);
    kini_copy(&count, row + block->count, sizeof count);
    kini_copy(&extent.key, row + block->key, sizeof extent.key);
    extent.from = from;
    extent.count = block->section == KINI_SAVES_CORNERS ? (int64_t)count * KINI_DIM : count;
    if (block->section == KINI_SAVES_CELLS) {
        kini_copy(&size, row + block->count, sizeof size);
        extent.count = kini_cell_count(size);
    }
    if (!kini_row_used(kini_section_of(block->owner), row)) kini_clear(&extent, sizeof extent);
    return extent;
}

/* Are all blocks where this world has its own? Nearly always, since most snapshots go back to where they came from.
   With `same` they have to hold the same as well. */
static bool kini_block_as_here(const kin_world *world, const kini_view *view, const kini_block *block, bool same)
{
    kini_rows here = kini_rows_of(world, block->owner);
    size_t    bytes = kini_section_of(block->owner)->stride;
    int32_t   i;
    if (view->head.rows[block->owner] != here.count) return false;
    if (view->head.rows[block->section] != kini_rows_of(world, block->section).count) return false;
    for (i = 0; i < here.count; i++) {
        kini_extent own = kini_extent_of(block, (const unsigned char *)here.at + (size_t)i * bytes);
        kini_extent saved = kini_extent_of(block, kini_saved_at(view, block->owner, i));
        if (saved.from != own.from || saved.count != own.count || (same && saved.key != own.key)) return false;
    }
    return true;
}

/* No two of them overlap, and together they fill the array. */
static bool kini_block_holds(const kin_world *world, const kini_view *view, const kini_block *block)
{
    int64_t room = view->head.rows[block->section], total = 0;
    int32_t i, k;
    if (kini_block_as_here(world, view, block, false)) return true;
    for (i = 0; i < view->head.rows[block->owner]; i++) {
        kini_extent extent = kini_extent_of(block, kini_saved_at(view, block->owner, i));
        if (extent.from < 0 || extent.count < 0 || extent.from + extent.count > room) return false;
        total += extent.count;
        for (k = 0; k < i && extent.count > 0; k++) {
            kini_extent other = kini_extent_of(block, kini_saved_at(view, block->owner, k));
            if (extent.from < other.from + other.count && other.from < extent.from + extent.count) return false;
        }
    }
    return total == room;
}

static bool kini_sane_grids(const kini_view *view)
{
    int32_t i;
    if (!kini_rows_hold(view, KINI_SAVES_GRIDS) || !kini_rows_hold(view, KINI_SAVES_TILES)) return false;
    for (i = 0; i < view->head.rows[KINI_SAVES_GRIDS]; i++) {
        kini_grid grid;
        KINI_SAVED_ROW(view, KINI_SAVES_GRIDS, i, &grid);
        if (grid.slot == 0) continue;
        if (!kini_sane_level_owner(view, grid.slot, KINI_FORM_TILES, i)) return false;
        if (!kini_sane_cells(&grid) || grid.tile_count > 256) return false;
    }
    for (i = 0; i < view->head.rows[KINI_SAVES_TILES]; i++) {
        kini_tile tile;
        KINI_SAVED_ROW(view, KINI_SAVES_TILES, i, &tile);
        if (tile.shape != -1 && !kini_sane_shape_number(view, tile.shape)) return false;
    }
    return true;
}

static bool kini_sane_mesh(const kini_view *view, const kini_mesh *mesh, int32_t row)
{
    int32_t i, corner;
    if (!kini_sane_level_owner(view, mesh->slot, KINI_FORM_MESH, row)) return false;
    if (mesh->face_count < 1) return false;
    if (view->head.apart) return true;
    for (i = 0; i < mesh->face_count * KINI_DIM; i++) {
        KINI_SAVED_ROW(view, KINI_SAVES_CORNERS, mesh->corners + i, &corner);
        if (!kini_within(corner, 0, mesh->point_count - 1)) return false;
    }
    return true;
}

static bool kini_sane_meshes(const kini_view *view)
{
    int32_t   i;
    kini_mesh mesh;
    kin_vec   point;
    if (!kini_rows_hold(view, KINI_SAVES_MESHES)) return false;
    for (i = 0; i < view->head.rows[KINI_SAVES_MESHES]; i++) {
        KINI_SAVED_PART(view, KINI_SAVES_MESHES, i, &mesh, KINI_MESH_LASTS);
        if (mesh.slot != 0 && !kini_sane_mesh(view, &mesh, i)) return false;
    }
    for (i = 0; i < view->head.rows[KINI_SAVES_POINTS] && !view->head.apart; i++) {
        KINI_SAVED_ROW(view, KINI_SAVES_POINTS, i, &point);
        if (!kini_vec_finite(point) || kini_largest(kini_magnitudes(point)) > KINI_FURTHEST) return false;
    }
    return true;
}

static bool kini_sane_levels(const kin_world *world, const kini_view *view)
{
    const kini_block *block;
    for (block = kini_blocks; block < KINI_BLOCKS_END; block++)
        if (!kini_block_holds(world, view, block)) return false;
    return kini_sane_grids(view) && kini_sane_meshes(view);
}

/* A level that was left out has to be here: the same cells and faces at the same places. */
KINI_PART bool kini_same_blocks(const kin_world *world, const kini_view *view, int owner)
{
    const kini_block *block;
    for (block = kini_blocks; block < KINI_BLOCKS_END; block++)
        if (block->owner == owner && block->section != KINI_SAVES_TILES &&
            !kini_block_as_here(world, view, block, true))
            return false;
    return true;
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

static bool kini_sane_ignored(const kini_view *view)
{
    kini_pair  last, pair;
    kini_thing thing;
    int32_t    i;
    last.a = last.b = 0;
    for (i = 0; i < view->head.rows[KINI_SAVES_IGNORED]; i++) {
        KINI_SAVED_ROW(view, KINI_SAVES_IGNORED, i, &pair);
        if (pair.a >= pair.b || pair.a < last.a || (pair.a == last.a && pair.b <= last.b)) return false;
        if (kini_saved_thing(view, pair.a, &thing)->kind == KIN_NOTHING ||
            kini_saved_thing(view, pair.b, &thing)->kind == KIN_NOTHING)
            return false;
        last = pair;
    }
    return true;
}

/* What this world has to bring along for it, whoever wrote it. */
static const char *kini_fits_world(const kin_world *world, const kini_view *view)
{
    if (!kini_within(view->head.controls, 0, world->controls.count)) return "needs controllers this world has not seen";
    if (view->head.apart && !(kini_same_blocks(world, view, KINI_SAVES_GRIDS) &&
                              kini_same_blocks(world, view, KINI_SAVES_MESHES)))
        return "leaves out a level that is not the one of this world";
    return NULL;
}

/* What kin_snapshot_save never writes. */
static const char *kini_is_unsound(const kin_world *world, const kini_view *view)
{
    int32_t owners[4] = { 0, 0, 0, 0 };
    if (!kini_sane_head(&view->head)) return "has settings that no world has";
    if (!kini_sane_shapes(view)) return "has shapes that are not sound";
    if (!kini_sane_things(view, owners)) return "has things that are not sound";
    if (!kini_sane_statics(view, owners[KIN_STATIC]) || !kini_sane_levels(world, view))
        return "has a level that is not sound";
    if (!kini_sane_movers(view, owners[KIN_MOVER])) return "has movers that are not sound";
    if (!kini_sane_bodies(view, owners[KIN_BODY])) return "has bodies that are not sound";
    if (!kini_rows_hold(view, KINI_SAVES_CONTACTS) || !kini_rows_hold(view, KINI_SAVES_LASTS))
        return "has contacts that are not sound";
    if (!kini_sane_ignored(view) || !kini_rows_hold(view, KINI_SAVES_EVENTS))
        return "has pairs or events that are not sound";
    return NULL;
}

KINI_PART const char *kini_verify(const kin_world *world, const kini_view *view)
{
    const char *wrong = kini_fits_world(world, view);
    if (wrong || world->desc.trust_snapshots) return wrong;
    return kini_is_unsound(world, view);
}
