/* SPDX-License-Identifier: MIT OR Unlicense

   verify.c: may this snapshot be loaded?

   A checksum tells damage from a whole snapshot, but not an honest one from one that was made up. So before anything
   is changed, every number of a snapshot is judged: it is finite, every index names a row that is there and that
   names it back, every list ends, blocks of levels lie one behind the other. What passes can be stepped without
   reading or writing outside the world's arrays, whoever wrote it. A world that trusts its snapshots only asks whether
   it has what they need. What can be said of each word by itself is said in a table and tested for all rows at one go;
   the rest follows links. Words are copied out, because a buffer may begin at any address. */
#include "internal.h"

#define KINI_BEYOND 1e15f           /* nothing gets this far from the origin, however long it flies */
#define KINI_WILDEST 1e18f          /* no number that is computed gets there; its square is still finite */
#define KINI_TOO_FAST (2 * KINI_FASTEST)
#define KINI_TOO_LONG 2.0f          /* of a direction, which has length one */
#define KINI_TOO_WIDE (4 * KINI_LARGEST_SHAPE)
#define KINI_MOST_COUNTED (INT32_MAX / 2)   /* of what calls since the last step add up, and go on adding to */

static bool kini_within(int64_t number, int64_t lo, int64_t hi) { return number >= lo && number <= hi; }
static bool kini_is_between(float a, float lo, float hi) { return a >= lo && a <= hi; }

/* Also false of infinities and NaNs. */
static bool kini_is_below(kin_vec a, float limit)
{
    kin_vec m = kini_magnitudes(a);
    return kini_boxes_meet(m, m, kini_vec_zero(), kini_all(limit));
}

static bool kini_sane_turn(kin_rot q) { return kini_abs(kini_rot_len2(q) - 1) < 1e-2f; }

/* One member of a row that begins at `row`. */
#define KINI_SAVED_MEMBER(row, type, member, out) kini_copy((out), (row) + offsetof(type, member), sizeof *(out))

static const unsigned char *kini_saved_at(const kini_view *view, int section, int32_t row, size_t row_bytes)
{
    return view->buffer + view->from[section] + (size_t)row * row_bytes;
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

/* ---- limits of each word ----------------------------------------------------------------------------------------- */

enum { KINI_MOST_WORDS = 96, KINI_ROW_BLOCK = 32 };
#define KINI_TOP_BIT 0x80000000u

/* What the words of a row may be. A number is refused if it has its top bit, or gets it when `room` is added; the sign
   of a float does not count. Numbers without a top bit may be anything. */
typedef struct kini_limits {
    uint32_t top[KINI_MOST_WORDS];    /* of a number that fills the word, or of each of its bytes */
    uint32_t room[KINI_MOST_WORDS];   /* how far the least that is refused is from there */
    uint32_t sign[KINI_MOST_WORDS];
    int      words;
} kini_limits;

static void kini_no_limits(kini_limits *limits, size_t row_bytes)
{
    kini_clear(limits, sizeof *limits);
    limits->words = (int)(row_bytes / sizeof(uint32_t));
    KINEMATIC_ASSERT(limits->words <= KINI_MOST_WORDS && row_bytes % sizeof(uint32_t) == 0);
}

/* 0 to count - 1. */
static void kini_limit_index(kini_limits *limits, size_t offset, int32_t count)
{
    limits->top[offset / sizeof(uint32_t)] = KINI_TOP_BIT;
    limits->room[offset / sizeof(uint32_t)] = KINI_TOP_BIT - (uint32_t)count;
}

/* 0 to most, which is less than 127. Bytes do not carry into each other. */
static void kini_limit_byte(kini_limits *limits, size_t offset, int most)
{
    ((unsigned char *)limits->top)[offset] = 0x80;
    ((unsigned char *)limits->room)[offset] = (unsigned char)(0x7F - most);
}

/* Less than `refused` in magnitude. Magnitudes grow as their bits do, and infinities and NaNs are beyond all others. */
static void kini_limit_floats(kini_limits *limits, size_t offset, size_t bytes, float refused)
{
    size_t i;
    for (i = offset / sizeof(uint32_t); i < (offset + bytes) / sizeof(uint32_t); i++) {
        limits->top[i] = limits->sign[i] = KINI_TOP_BIT;
        limits->room[i] = KINI_TOP_BIT - kini_float_bits(refused);
    }
}

/* Without what some compilers have behind them. */
enum {
    KINI_VEC_BYTES = (int)(KINI_DIM * sizeof(float)),
    KINI_SPIN_BYTES = (int)(KINI_DIM * (KINI_DIM - 1) / 2 * sizeof(float))
};

static void kini_limit_vec(kini_limits *limits, size_t offset, float refused)
{
    kini_limit_floats(limits, offset, KINI_VEC_BYTES, refused);
}

/* A handle that the world may have given: its slot can be looked at. */
static void kini_limit_id(kini_limits *limits, size_t offset, const kini_view *view)
{
    kini_limit_index(limits, offset + offsetof(kin_id, slot), view->head.rows[KINI_SAVES_THINGS]);
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

/* Column by column, for as many rows at a time as the nearest cache holds. Free rows hold zeros or what they held
   before, and pass too. */
static bool kini_rows_hold(const kini_limits *limits, const kini_view *view, int section)
{
    int32_t    i, rows = view->head.rows[section];
    int        at, end = limits->words - KINI_AT_ONCE;
    uint32_t   each[KINI_AT_ONCE], any = 0;
    kini_words bad;
    kini_clear(&bad, sizeof bad);
    for (i = 0; i < rows; i += KINI_ROW_BLOCK) {
        const unsigned char *row = kini_saved_at(view, section, i, (size_t)limits->words * sizeof(uint32_t));
        int32_t              count = rows - i < KINI_ROW_BLOCK ? rows - i : KINI_ROW_BLOCK;
        for (at = 0; at < end; at += KINI_AT_ONCE) bad |= kini_excess(limits, at, row, count);
        bad |= kini_excess(limits, end, row, count);
    }
    kini_copy(each, &bad, sizeof each);
    for (at = 0; at < KINI_AT_ONCE; at++) any |= each[at];
    return any == 0;
}

/* ---- the head ---------------------------------------------------------------------------------------------------- */

static bool kini_sane_settings(const kini_saved *head)
{
    return kini_vec_finite(head->gravity) && kini_vec_finite(head->given_up) && kini_vec_finite(head->up) &&
           kini_largest(kini_magnitudes(head->gravity)) <= KINI_FASTEST &&
           (kini_is_zero(head->up) || kini_abs(kini_len2(head->up) - 1) < 1e-3f) &&
           head->rate >= 1 / KINI_LONGEST_STEP && head->rate <= KINI_HIGHEST_RATE &&
           head->max_catch_up >= 0 && head->max_catch_up <= KINI_LONGEST_CATCH_UP &&
           head->unit >= 1 / KINI_LARGEST_UNIT && head->unit <= KINI_LARGEST_UNIT &&
           head->max_speed >= 0 && head->max_speed <= KINI_FASTEST && head->dt >= 0 &&
           head->dt <= KINI_LONGEST_STEP &&
           head->time_left >= 0 && head->time_left <= 1e9 && head->dropped >= 0 && head->dropped <= 1e12 &&
           kini_within(head->max_rounds, 1, KINI_MOST_ROUNDS) &&
           kini_within(head->max_contacts, 1, KINI_MOST_CONTACTS) &&
           kini_within(head->max_events, 1, KINI_MOST_EVENTS) && kini_within(head->overflowed, 0, 1) &&
           kini_within(head->apart, 0, 1);
}

static bool kini_sane_rows(const kini_saved *head)
{
    return kini_within(head->rows[KINI_SAVES_THINGS], 1, KINI_MOST_THINGS) &&
           head->rows[KINI_SAVES_USERS] == head->rows[KINI_SAVES_THINGS] &&
           head->rows[KINI_SAVES_EVENTS] <= head->max_events &&
           kini_within(head->attached, 0, head->rows[KINI_SAVES_STATICS]) &&
           kini_within(head->stop_movers, 0, head->rows[KINI_SAVES_MOVERS]) &&
           kini_within(head->pending, 0, KINI_MOST_COUNTED) && kini_within(head->shifted, 0, KINI_MOST_COUNTED) &&
           head->rows[KINI_SAVES_NODES] == 0 && head->rows[KINI_SAVES_LEAVES] == 0;
}

/* ---- things ------------------------------------------------------------------------------------------------------ */

enum { KINI_KNOWN_FLAGS = 2047 | KINI_RESHAPED };

static uint32_t kini_slot_of_row(const kini_view *view, int kind, int32_t row)
{
    static const int    sections[4] = { 0, KINI_SAVES_STATICS, KINI_SAVES_MOVERS, KINI_SAVES_BODIES };
    /* The slot comes first in each. */
    static const size_t strides[4] = { 0, sizeof(kini_static), sizeof(kini_mover), KINI_BODY_LASTS };
    uint32_t            slot;
    if (!kini_within(row, 0, view->head.rows[sections[kind]] - 1)) return 0;
    kini_copy(&slot, kini_saved_at(view, sections[kind], row, strides[kind]), sizeof slot);
    return slot;
}

static bool kini_sane_shape_number(const kini_view *view, int32_t number)
{
    int32_t users;
    if (!kini_within(number, 0, view->head.rows[KINI_SAVES_SHAPES] - 1)) return false;
    KINI_SAVED_MEMBER(kini_saved_at(view, KINI_SAVES_SHAPES, number, sizeof(kini_shape)), kini_shape, users, &users);
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
    if (!kini_sane_flags(thing) || kini_slot_of_row(view, thing->kind, thing->row) != slot) return false;
    if (thing->kind != KIN_STATIC && thing->form != KINI_FORM_SHAPE) return false;
    if (thing->form == KINI_FORM_SHAPE ? !kini_sane_shape_number(view, thing->shape) : thing->shape != -1) return false;
    return kini_sane_turn(thing->q);
}

/* Free slots form a list that holds each of them once: it ends after as many steps as there are. */
static bool kini_sane_free_slots(const kini_view *view, int32_t left)
{
    int32_t slot = view->head.free_slot;
    for (; slot != -1; left--) {
        kini_thing thing;
        kini_saved_thing(view, slot, &thing);
        if (left == 0 || !kini_within(slot, 1, view->head.rows[KINI_SAVES_THINGS] - 1)) return false;
        if (thing.kind != KIN_NOTHING || thing.age == 0) return false;
        slot = thing.row;
    }
    return left == 0;
}

static bool kini_thing_rows_hold(const kini_view *view)
{
    kini_limits limits;
    kini_no_limits(&limits, KINI_THING_LASTS);
    kini_limit_vec(&limits, offsetof(kini_thing, p), KINI_BEYOND);
    kini_limit_byte(&limits, offsetof(kini_thing, kind), KIN_BODY);
    kini_limit_byte(&limits, offsetof(kini_thing, form), KINI_FORM_MESH);
    return kini_rows_hold(&limits, view, KINI_SAVES_THINGS);
}

/* Counts the things of each kind that have a row, which names them back: so no two have the same. */
static bool kini_sane_things(const kini_view *view, int32_t *owners)
{
    int32_t live[4] = { 0, 0, 0, 0 }, i, idle = 0;
    if (!kini_thing_rows_hold(view)) return false;
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
    for (i = KIN_STATIC; i <= KIN_BODY; i++)
        if (live[i] != view->head.live[i]) return false;
    return kini_sane_free_slots(view, idle);
}

/* Free rows of a kind form a list that holds each of them once. */
static bool kini_sane_free_rows(const kini_view *view, int kind, int section, size_t row_bytes, int32_t left)
{
    int32_t next = view->head.free_row[kind];
    for (; next != -1; left--) {
        if (left == 0 || !kini_within(next, 0, view->head.rows[section] - 1)) return false;
        if (kini_slot_of_row(view, kind, next) != 0) return false;
        /* The link comes second in each. */
        kini_copy(&next, kini_saved_at(view, section, next, row_bytes) + sizeof(uint32_t), sizeof next);
    }
    return left == 0;
}

/* ---- statics and movers ------------------------------------------------------------------------------------------ */

static bool kini_sane_level(const kini_view *view, const kini_static *fixed, int form)
{
    kini_grid grid;
    kini_mesh mesh;
    if (form == KINI_FORM_SHAPE) return fixed->level == -1;
    if (form == KINI_FORM_TILES) {
        if (!kini_within(fixed->level, 0, view->head.rows[KINI_SAVES_GRIDS] - 1)) return false;
        KINI_SAVED_ROW(view, KINI_SAVES_GRIDS, fixed->level, &grid);
        return grid.slot == fixed->slot;
    }
    if (!kini_within(fixed->level, 0, view->head.rows[KINI_SAVES_MESHES] - 1)) return false;
    KINI_SAVED_ROW(view, KINI_SAVES_MESHES, fixed->level, &mesh);
    return mesh.slot == fixed->slot;
}

static bool kini_sane_static(const kini_view *view, const kini_static *fixed)
{
    kini_thing thing, carrier;
    kini_saved_thing(view, fixed->slot, &thing);
    if (!kini_sane_level(view, fixed, thing.form) || !kini_sane_turn(fixed->local.q)) return false;
    if (!(thing.flags & KINI_ATTACHED) || (thing.flags & KINI_REMOVED)) return true;
    return kini_saved_thing(view, fixed->attach.slot, &carrier)->kind == KIN_MOVER;
}

static bool kini_static_rows_hold(const kini_view *view)
{
    kini_limits limits;
    kini_no_limits(&limits, sizeof(kini_static));
    kini_limit_vec(&limits, offsetof(kini_static, one_way), KINI_TOO_LONG);
    kini_limit_vec(&limits, offsetof(kini_static, surface_velocity), KINI_TOO_FAST);
    kini_limit_vec(&limits, offsetof(kini_static, local) + offsetof(kin_pose, p), KINI_BEYOND);
    kini_limit_id(&limits, offsetof(kini_static, attach), view);
    return kini_rows_hold(&limits, view, KINI_SAVES_STATICS);
}

static bool kini_sane_statics(const kini_view *view, int32_t owners)
{
    int32_t i, rows = view->head.rows[KINI_SAVES_STATICS], used = 0;
    if (!kini_static_rows_hold(view)) return false;
    for (i = 0; i < rows; i++) {
        kini_static fixed;
        KINI_SAVED_ROW(view, KINI_SAVES_STATICS, i, &fixed);
        if (fixed.slot == 0) continue;
        if (!kini_sane_static(view, &fixed)) return false;
        used++;
    }
    return used == owners &&
           kini_sane_free_rows(view, KIN_STATIC, KINI_SAVES_STATICS, sizeof(kini_static), rows - used);
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

static bool kini_sane_control(const kini_view *view, int32_t control)
{
    return kini_within(control, -1, view->head.controls - 1);
}

static bool kini_mover_rows_hold(const kini_view *view)
{
    kini_limits limits;
    kini_no_limits(&limits, sizeof(kini_mover));
    kini_limit_vec(&limits, offsetof(kini_mover, one_way), KINI_TOO_LONG);
    kini_limit_vec(&limits, offsetof(kini_mover, surface_velocity), KINI_TOO_FAST);
    kini_limit_vec(&limits, offsetof(kini_mover, velocity), KINI_TOO_FAST);
    kini_limit_vec(&limits, offsetof(kini_mover, rate), KINI_WILDEST);
    kini_limit_floats(&limits, offsetof(kini_mover, spin), KINI_SPIN_BYTES, KINI_TOO_FAST);
    kini_limit_floats(&limits, offsetof(kini_mover, turn_rate), KINI_SPIN_BYTES, KINI_TOO_FAST);
    kini_limit_vec(&limits, offsetof(kini_mover, before) + offsetof(kin_pose, p), KINI_BEYOND);
    kini_limit_vec(&limits, offsetof(kini_mover, drawn) + offsetof(kin_pose, p), KINI_BEYOND);
    kini_limit_vec(&limits, offsetof(kini_mover, target) + offsetof(kin_pose, p), KINI_BEYOND);
    kini_limit_id(&limits, offsetof(kini_mover, blocked_by), view);
    kini_limit_id(&limits, offsetof(kini_mover, blocked_by) + sizeof(kin_id), view);
    kini_limit_byte(&limits, offsetof(kini_mover, carry), KIN_CARRY_NONE);
    kini_limit_byte(&limits, offsetof(kini_mover, on_blocked), KIN_BLOCKED_STOP);
    return kini_rows_hold(&limits, view, KINI_SAVES_MOVERS);
}

static bool kini_sane_mover(const kini_view *view, const kini_mover *mover)
{
    return kini_sane_control(view, mover->control) && kini_sane_turn(mover->before.q) &&
           kini_sane_turn(mover->drawn.q) && kini_sane_turn(mover->target.q);
}

static bool kini_sane_movers(const kini_view *view, int32_t owners)
{
    int32_t i, rows = view->head.rows[KINI_SAVES_MOVERS], used = 0, parts = 0, stop = 0;
    if (!kini_mover_rows_hold(view)) return false;
    for (i = 0; i < rows; i++) {
        kini_mover mover;
        kini_thing thing;
        bool       removed;
        int32_t    own;
        KINI_SAVED_ROW(view, KINI_SAVES_MOVERS, i, &mover);
        if (mover.slot == 0) continue;
        removed = (kini_saved_thing(view, mover.slot, &thing)->flags & KINI_REMOVED) != 0;
        own = kini_count_parts(view, &mover);
        if (own < 0 || (own > 0 && removed) || !kini_sane_mover(view, &mover)) return false;
        used++;
        parts += own;
        stop += mover.on_blocked == KIN_BLOCKED_STOP && !removed;
    }
    if (used != owners || parts != view->head.attached || stop != view->head.stop_movers) return false;
    return kini_sane_free_rows(view, KIN_MOVER, KINI_SAVES_MOVERS, sizeof(kini_mover), rows - used);
}

/* ---- bodies and what they touch ---------------------------------------------------------------------------------- */

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
    KINI_SAVED_ROW(view, KINI_SAVES_MESHES, level, &mesh);
    return kini_within(part, -1, mesh.face_count - 1);
}

/* The faces that `id` and `part` name, in every row of a section. Without meshes there are none. */
static bool kini_sane_parts(const kini_view *view, int section, size_t row_bytes, size_t id_at, size_t part_at)
{
    const unsigned char *row = kini_saved_at(view, section, 0, row_bytes);
    int32_t              i, part, rows = view->head.rows[KINI_SAVES_MESHES] > 0 ? view->head.rows[section] : 0;
    kin_id               id;
    for (i = 0; i < rows; i++, row += row_bytes) {
        kini_copy(&id, row + id_at, sizeof id);
        kini_copy(&part, row + part_at, sizeof part);
        if (!kini_sane_part(view, id, part)) return false;
    }
    return true;
}

static void kini_limit_stand(kini_limits *limits, size_t offset, const kini_view *view)
{
    kini_limit_id(limits, offset + offsetof(kini_stand, id), view);
    kini_limit_vec(limits, offset + offsetof(kini_stand, normal), KINI_TOO_LONG);
    kini_limit_vec(limits, offset + offsetof(kini_stand, point), KINI_WILDEST);
    kini_limit_vec(limits, offset + offsetof(kini_stand, velocity), KINI_WILDEST);
    kini_limit_vec(limits, offset + offsetof(kini_stand, local), KINI_WILDEST);
    kini_limit_byte(limits, offset + offsetof(kini_stand, footing), KIN_STEEP);
    kini_limit_byte(limits, offset + offsetof(kini_stand, wedge), 1);
}

static bool kini_last_rows_hold(const kini_view *view)
{
    kini_limits limits;
    kini_no_limits(&limits, sizeof(kini_stand));
    kini_limit_stand(&limits, 0, view);
    return kini_rows_hold(&limits, view, KINI_SAVES_LASTS) &&
           kini_sane_parts(view, KINI_SAVES_LASTS, sizeof(kini_stand), offsetof(kini_stand, id),
                           offsetof(kini_stand, part));
}

static void kini_limit_options(kini_limits *limits, size_t offset)
{
    const size_t first = offsetof(kini_body_options, max_slope_cos), end = offsetof(kini_body_options, push);
    kini_limit_floats(limits, offset + first, end - first, KINI_WILDEST);
    kini_limit_byte(limits, offset + offsetof(kini_body_options, push), KIN_INTANGIBLE);
    kini_limit_byte(limits, offset + offsetof(kini_body_options, ride), KIN_RIDE_PHYSICAL);
    kini_limit_byte(limits, offset + offsetof(kini_body_options, leave), KIN_LEAVE_NONE);
    kini_limit_byte(limits, offset + offsetof(kini_body_options, on_crush), KIN_CRUSH_DISABLE);
    kini_limit_byte(limits, offset + offsetof(kini_body_options, slope), KIN_SLOPE_HORIZONTAL_SPEED);
    kini_limit_byte(limits, offset + offsetof(kini_body_options, weightless), 1);
    kini_limit_byte(limits, offset + offsetof(kini_body_options, report_continued), 1);
    kini_limit_byte(limits, offset + offsetof(kini_body_options, glide), 1);
    kini_limit_byte(limits, offset + offsetof(kini_body_options, keep_facing), 1);
}

static bool kini_body_rows_hold(const kini_view *view)
{
    kini_limits limits;
    kini_no_limits(&limits, KINI_BODY_LASTS);
    kini_limit_vec(&limits, offsetof(kini_body, drawn) + offsetof(kin_pose, p), KINI_BEYOND);
    kini_limit_vec(&limits, offsetof(kini_body, velocity), KINI_WILDEST);
    kini_limit_vec(&limits, offsetof(kini_body, leftover), KINI_WILDEST);
    kini_limit_vec(&limits, offsetof(kini_body, given), KINI_WILDEST);
    kini_limit_vec(&limits, offsetof(kini_body, motion), KINI_WILDEST);
    kini_limit_stand(&limits, offsetof(kini_body, stand), view);
    kini_limit_id(&limits, offsetof(kini_body, squeezed_by), view);
    kini_limit_id(&limits, offsetof(kini_body, squeezed_by) + sizeof(kin_id), view);
    kini_limit_id(&limits, offsetof(kini_body, drops_through), view);
    kini_limit_vec(&limits, offsetof(kini_body, drop_from), KINI_WILDEST);
    kini_limit_options(&limits, offsetof(kini_body, options));
    kini_limit_index(&limits, offsetof(kini_body, contact_count), view->head.max_contacts + 1);
    return kini_rows_hold(&limits, view, KINI_SAVES_BODIES) &&
           kini_sane_parts(view, KINI_SAVES_BODIES, KINI_BODY_LASTS,
                           offsetof(kini_body, stand) + offsetof(kini_stand, id),
                           offsetof(kini_body, stand) + offsetof(kini_stand, part));
}

static bool kini_sane_body(const kini_view *view, const unsigned char *row)
{
    int32_t control;
    kin_rot drawn;
    float   fade;
    KINI_SAVED_MEMBER(row, kini_body, control, &control);
    KINI_SAVED_MEMBER(row, kini_body, drawn.q, &drawn);
    KINI_SAVED_MEMBER(row, kini_body, options.leftover_fade, &fade);
    return kini_sane_control(view, control) && kini_sane_turn(drawn) && fade >= 0 && fade <= 1;
}

static bool kini_sane_bodies(const kini_view *view, int32_t owners)
{
    const unsigned char *row = kini_saved_at(view, KINI_SAVES_BODIES, 0, KINI_BODY_LASTS);
    int32_t              i, rows = view->head.rows[KINI_SAVES_BODIES], used = 0, lasts = 0, count;
    int64_t              contacts = 0;
    uint32_t             slot, state;
    if (!kini_body_rows_hold(view)) return false;
    for (i = 0; i < rows; i++, row += KINI_BODY_LASTS) {
        KINI_SAVED_MEMBER(row, kini_body, slot, &slot);
        KINI_SAVED_MEMBER(row, kini_body, contact_count, &count);
        KINI_SAVED_MEMBER(row, kini_body, state, &state);
        contacts += count;
        lasts += (state & KINI_BODY_TELEPORTED) != 0;
        if (slot == 0) continue;
        if (!kini_sane_body(view, row)) return false;
        used++;
    }
    if (contacts != view->head.rows[KINI_SAVES_CONTACTS] || lasts != view->head.rows[KINI_SAVES_LASTS]) return false;
    return used == owners && kini_sane_free_rows(view, KIN_BODY, KINI_SAVES_BODIES, KINI_BODY_LASTS, rows - used);
}

static bool kini_sane_contacts(const kini_view *view)
{
    kini_limits limits;
    kini_no_limits(&limits, sizeof(kini_contact));
    kini_limit_id(&limits, offsetof(kini_contact, other), view);
    kini_limit_vec(&limits, offsetof(kini_contact, normal), KINI_TOO_LONG);
    kini_limit_vec(&limits, offsetof(kini_contact, point), KINI_WILDEST);
    kini_limit_floats(&limits, offsetof(kini_contact, gap), sizeof(float), KINI_WILDEST);
    kini_limit_floats(&limits, offsetof(kini_contact, speed), sizeof(float), KINI_WILDEST);
    return kini_rows_hold(&limits, view, KINI_SAVES_CONTACTS) && kini_last_rows_hold(view) &&
           kini_sane_parts(view, KINI_SAVES_CONTACTS, sizeof(kini_contact), offsetof(kini_contact, other),
                           offsetof(kini_contact, part));
}

/* ---- shapes ------------------------------------------------------------------------------------------------------ */

static bool kini_sane_hull(const kini_hull *hull)
{
    int i, faces = hull->face_count > 0 ? hull->face_count : 1;   /* the edge of two points names the first of none */
    if (!kini_within(hull->count, 1, KIN_MAX_POINTS) || !kini_within(hull->face_count, 0, KINI_MAX_FACES)) return false;
    if (!kini_within(hull->edge_count, 0, KINI_MAX_EDGES)) return false;
    for (i = 0; i < hull->count; i++)
        if (!kini_is_below(hull->points[i], KINI_TOO_WIDE)) return false;
    for (i = 0; i < (int)(sizeof hull->normals / sizeof hull->normals[0]); i++)   /* of faces, in 2D of sides */
        if (!kini_is_below(hull->normals[i], KINI_TOO_LONG)) return false;
    for (i = 0; i < hull->edge_count; i++) {
        if (hull->edges[i][0] >= hull->count || hull->edges[i][1] >= hull->count) return false;
        if (hull->sides[i][0] >= faces || hull->sides[i][1] >= faces) return false;
    }
    return true;
}

static bool kini_sane_hulls(const kini_view *view)
{
    int32_t   i, rows = view->head.rows[KINI_SAVES_HULLS], next = view->head.free_hull, idle = 0;
    kini_hull hull;
    for (i = 0; i < rows; i++) {
        KINI_SAVED_ROW(view, KINI_SAVES_HULLS, i, &hull);
        if (hull.count == 0) idle++;
        else if (!kini_sane_hull(&hull)) return false;
    }
    for (; next != -1; idle--) {
        if (idle == 0 || !kini_within(next, 0, rows - 1)) return false;
        KINI_SAVED_ROW(view, KINI_SAVES_HULLS, next, &hull);
        if (hull.count != 0) return false;
        next = hull.face_count;
    }
    return idle == 0;
}

static bool kini_sane_shape(const kini_view *view, const kini_shape *shape)
{
    kini_solid solid;
    kini_hull  hull;
    if (!kini_is_below(shape->centre, KINI_TOO_WIDE) || !kini_is_below(shape->half, KINI_TOO_WIDE)) return false;
    if (kini_smallest(shape->half) < 0 || !kini_is_between(shape->radius, 0, KINI_TOO_WIDE)) return false;
    if (!kini_is_between(shape->width, 0, KINI_TOO_WIDE) || !kini_is_between(shape->reach, 0, KINI_TOO_WIDE))
        return false;
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
    int32_t    i, rows = view->head.rows[KINI_SAVES_SHAPES], next = view->head.free_shape, idle = 0;
    kini_shape shape;
    for (i = 0; i < rows; i++) {
        KINI_SAVED_ROW(view, KINI_SAVES_SHAPES, i, &shape);
        if (shape.users == 0) idle++;
        else if (shape.users < 0 || !kini_sane_shape(view, &shape)) return false;
    }
    for (; next != -1; idle--) {
        if (idle == 0 || !kini_within(next, 0, rows - 1)) return false;
        KINI_SAVED_ROW(view, KINI_SAVES_SHAPES, next, &shape);
        if (shape.users != 0) return false;
        next = shape.hull;
    }
    return idle == 0;
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
    return kini_is_between(grid->cell, KINI_SMALLEST_SHAPE, KINI_LARGEST_SHAPE);
}

static bool kini_sane_tile(const kini_view *view, const kini_tile *tile)
{
    return kini_is_below(tile->one_way, KINI_TOO_LONG) && kini_is_below(tile->surface_velocity, KINI_TOO_FAST) &&
           (tile->shape == -1 || kini_sane_shape_number(view, tile->shape));
}

/* The static that a grid or mesh belongs to names it back. */
static bool kini_sane_level_owner(const kini_view *view, uint32_t slot, int form, int32_t row)
{
    kini_thing thing;
    kini_saved_thing(view, slot, &thing);
    return thing.kind == KIN_STATIC && thing.form == form && kini_saved_static(view, thing.row).level == row;
}

/* Blocks of grids and meshes in the arrays that they share. */
enum { KINI_BLOCK_CELLS, KINI_BLOCK_TILES, KINI_BLOCK_POINTS, KINI_BLOCK_CORNERS, KINI_BLOCK_NODES, KINI_BLOCK_LEAVES };
typedef struct kini_extent { int64_t from, count; } kini_extent;

static kini_extent kini_grid_extent(const kini_grid *grid, int which)
{
    kini_extent block;
    block.from = which == KINI_BLOCK_CELLS ? grid->cells : grid->tiles;
    block.count = which == KINI_BLOCK_CELLS ? kini_cell_count(grid->size) : grid->tile_count;
    if (grid->slot == 0) block.from = block.count = 0;
    return block;
}

static kini_extent kini_mesh_extent(const kini_mesh *mesh, int which)
{
    kini_extent block;
    block.from = mesh->leaves;
    block.count = mesh->leaf_count;
    if (which == KINI_BLOCK_POINTS) { block.from = mesh->points; block.count = mesh->point_count; }
    if (which == KINI_BLOCK_CORNERS) { block.from = mesh->corners; block.count = (int64_t)mesh->face_count * KINI_DIM; }
    if (which == KINI_BLOCK_NODES) { block.from = mesh->nodes; block.count = mesh->node_count; }
    if (mesh->slot == 0) block.from = block.count = 0;
    return block;
}

static kini_extent kini_saved_extent(const kini_view *view, int which, int32_t row)
{
    kini_grid grid;
    kini_mesh mesh;
    if (which <= KINI_BLOCK_TILES) {
        KINI_SAVED_ROW(view, KINI_SAVES_GRIDS, row, &grid);
        return kini_grid_extent(&grid, which);
    }
    KINI_SAVED_ROW(view, KINI_SAVES_MESHES, row, &mesh);
    return kini_mesh_extent(&mesh, which);
}

static int32_t kini_rows_here(const kin_world *world, int which)
{
    switch (which) {
    case KINI_BLOCK_CELLS: return world->cells.count;
    case KINI_BLOCK_TILES: return world->tiles.count;
    case KINI_BLOCK_POINTS: return world->mesh_points.count;
    case KINI_BLOCK_CORNERS: return world->mesh_corners.count;
    case KINI_BLOCK_NODES: return world->mesh_nodes.count;
    default: return world->mesh_leaves.count;
    }
}

/* Are all blocks where this world has its own? Nearly always, since most snapshots go back to where they came from. */
static bool kini_blocks_as_here(const kin_world *world, const kini_view *view, int which, int owners, int section)
{
    int32_t i, rows = which <= KINI_BLOCK_TILES ? world->grids.count : world->meshes.count;
    if (view->head.rows[owners] != rows || view->head.rows[section] != kini_rows_here(world, which)) return false;
    for (i = 0; i < rows; i++) {
        kini_extent saved = kini_saved_extent(view, which, i), here;
        here = which <= KINI_BLOCK_TILES ? kini_grid_extent(&world->grids.at[i], which)
               : kini_mesh_extent(&world->meshes.at[i], which);
        if (saved.from != here.from || saved.count != here.count) return false;
    }
    return true;
}

/* No two of them overlap, and together they fill the array. */
static bool kini_sane_blocks(const kin_world *world, const kini_view *view, int which, int owners, int section)
{
    int64_t room = view->head.rows[section], total = 0;
    int32_t i, k;
    if (kini_blocks_as_here(world, view, which, owners, section)) return true;
    for (i = 0; i < view->head.rows[owners]; i++) {
        kini_extent block = kini_saved_extent(view, which, i);
        if (block.from < 0 || block.count < 0 || block.from + block.count > room) return false;
        total += block.count;
        for (k = 0; k < i && block.count > 0; k++) {
            kini_extent other = kini_saved_extent(view, which, k);
            if (block.from < other.from + other.count && other.from < block.from + block.count) return false;
        }
    }
    return total == room;
}

static bool kini_sane_grids(const kin_world *world, const kini_view *view)
{
    int32_t i;
    if (!kini_sane_blocks(world, view, KINI_BLOCK_CELLS, KINI_SAVES_GRIDS, KINI_SAVES_CELLS)) return false;
    if (!kini_sane_blocks(world, view, KINI_BLOCK_TILES, KINI_SAVES_GRIDS, KINI_SAVES_TILES)) return false;
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
        if (!kini_sane_tile(view, &tile)) return false;
    }
    return true;
}

/* Lanes in use lead to a child that leads back; the others hold a box that nothing meets. */
static bool kini_sane_lane(const kini_view *view, const kini_mesh *mesh, const kini_node *node, int32_t at, int lane)
{
    int32_t   child = node->child[lane];
    kini_node below;
    kini_leaf leaf;
    if (lane >= node->count) return !(node->lo[0][lane] <= KINI_FLT_MAX);
    if (node->level == 0) {
        if (!kini_within(child, 0, mesh->leaf_count - 1)) return false;
        KINI_SAVED_ROW(view, KINI_SAVES_MESH_LEAVES, mesh->leaves + child, &leaf);
        return leaf.home == at * KINI_LANES + lane && kini_within(leaf.item, 0, mesh->face_count - 1);
    }
    if (!kini_within(child, 1, mesh->node_count - 1)) return false;
    KINI_SAVED_ROW(view, KINI_SAVES_MESH_NODES, mesh->nodes + child, &below);
    return below.parent == at && below.lane == lane && below.level == node->level - 1;
}

static bool kini_sane_mesh_tree(const kini_view *view, const kini_mesh *mesh)
{
    int32_t i;
    int     lane;
    for (i = 0; i < mesh->node_count; i++) {
        kini_node node;
        KINI_SAVED_ROW(view, KINI_SAVES_MESH_NODES, mesh->nodes + i, &node);
        if (!kini_within(node.level, 0, KINI_TREE_LEVELS - 1) || !kini_within(node.count, 0, KINI_LANES)) return false;
        for (lane = 0; lane < KINI_LANES; lane++)
            if (!kini_sane_lane(view, mesh, &node, i, lane)) return false;
    }
    return mesh->node_count > 0 && mesh->node_count <= INT32_MAX / KINI_LANES;
}

static bool kini_sane_mesh(const kini_view *view, const kini_mesh *mesh, int32_t row)
{
    int32_t i, corner;
    if (!kini_sane_level_owner(view, mesh->slot, KINI_FORM_MESH, row)) return false;
    if (!kini_is_below(mesh->lo, KINI_FURTHEST) || !kini_is_below(mesh->hi, KINI_FURTHEST)) return false;
    if (mesh->face_count < 1) return false;
    if (view->head.apart) return true;
    for (i = 0; i < mesh->face_count * KINI_DIM; i++) {
        KINI_SAVED_ROW(view, KINI_SAVES_CORNERS, mesh->corners + i, &corner);
        if (!kini_within(corner, 0, mesh->point_count - 1)) return false;
    }
    return kini_sane_mesh_tree(view, mesh);
}

/* A level that was left out has to be here: the same cells, faces and trees at the same places. */
static bool kini_same_level(const kin_world *world, const kini_view *view)
{
    int32_t i;
    int     which;
    for (which = KINI_BLOCK_CELLS; which <= KINI_BLOCK_LEAVES; which++) {
        static const int sections[] = { KINI_SAVES_CELLS, 0, KINI_SAVES_POINTS, KINI_SAVES_CORNERS,
                                       KINI_SAVES_MESH_NODES, KINI_SAVES_MESH_LEAVES };
        int              owners = which == KINI_BLOCK_CELLS ? KINI_SAVES_GRIDS : KINI_SAVES_MESHES;
        if (which != KINI_BLOCK_TILES && !kini_blocks_as_here(world, view, which, owners, sections[which]))
            return false;
    }
    for (i = 0; i < world->grids.count; i++) {
        kini_grid grid;
        KINI_SAVED_ROW(view, KINI_SAVES_GRIDS, i, &grid);
        if (grid.slot != 0 && grid.key != world->grids.at[i].key) return false;
    }
    for (i = 0; i < world->meshes.count; i++) {
        kini_mesh mesh;
        KINI_SAVED_ROW(view, KINI_SAVES_MESHES, i, &mesh);
        if (mesh.slot != 0 && mesh.key != world->meshes.at[i].key) return false;
    }
    return true;
}

static bool kini_sane_meshes(const kin_world *world, const kini_view *view)
{
    int32_t   i;
    kini_mesh mesh;
    kin_vec   point;
    if (!kini_sane_blocks(world, view, KINI_BLOCK_POINTS, KINI_SAVES_MESHES, KINI_SAVES_POINTS)) return false;
    if (!kini_sane_blocks(world, view, KINI_BLOCK_CORNERS, KINI_SAVES_MESHES, KINI_SAVES_CORNERS)) return false;
    if (!kini_sane_blocks(world, view, KINI_BLOCK_NODES, KINI_SAVES_MESHES, KINI_SAVES_MESH_NODES)) return false;
    if (!kini_sane_blocks(world, view, KINI_BLOCK_LEAVES, KINI_SAVES_MESHES, KINI_SAVES_MESH_LEAVES)) return false;
    for (i = 0; i < view->head.rows[KINI_SAVES_MESHES]; i++) {
        KINI_SAVED_ROW(view, KINI_SAVES_MESHES, i, &mesh);
        if (mesh.slot != 0 && !kini_sane_mesh(view, &mesh, i)) return false;
    }
    for (i = 0; i < view->head.rows[KINI_SAVES_POINTS] && !view->head.apart; i++) {
        KINI_SAVED_ROW(view, KINI_SAVES_POINTS, i, &point);
        if (!kini_is_below(point, KINI_FURTHEST)) return false;
    }
    return true;
}

/* ---- pairs and events -------------------------------------------------------------------------------------------- */

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

static bool kini_sane_events(const kini_view *view)
{
    kini_limits limits;
    kini_no_limits(&limits, sizeof(kin_event));
    kini_limit_index(&limits, offsetof(kin_event, type), KIN_EVENT_BLOCKED + 1);
    kini_limit_vec(&limits, offsetof(kin_event, normal), KINI_TOO_LONG);
    kini_limit_vec(&limits, offsetof(kin_event, point), KINI_WILDEST);
    kini_limit_floats(&limits, offsetof(kin_event, speed), sizeof(float), KINI_WILDEST);
    return kini_rows_hold(&limits, view, KINI_SAVES_EVENTS);
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

/* What this world has to bring along for it, whoever wrote it. */
static const char *kini_fits_world(const kin_world *world, const kini_view *view)
{
    if (!kini_within(view->head.controls, 0, world->controls.count)) return "needs controllers this world has not seen";
    if (view->head.apart && !kini_same_level(world, view))
        return "leaves out a level that is not the one of this world";
    return NULL;
}

/* What kin_snapshot_save never writes. */
static const char *kini_is_unsound(const kin_world *world, const kini_view *view)
{
    int32_t owners[4] = { 0, 0, 0, 0 };
    if (!kini_sane_settings(&view->head) || !kini_sane_rows(&view->head)) return "has settings that no world has";
    if (!kini_sane_hulls(view) || !kini_sane_shapes(view)) return "has shapes that are not sound";
    if (!kini_sane_things(view, owners)) return "has things that are not sound";
    if (!kini_sane_statics(view, owners[KIN_STATIC]) || !kini_sane_grids(world, view) || !kini_sane_meshes(world, view))
        return "has a level that is not sound";
    if (!kini_sane_movers(view, owners[KIN_MOVER])) return "has movers that are not sound";
    if (!kini_sane_bodies(view, owners[KIN_BODY])) return "has bodies that are not sound";
    if (!kini_sane_contacts(view)) return "has contacts that are not sound";
    if (!kini_sane_ignored(view) || !kini_sane_events(view)) return "has pairs or events that are not sound";
    return NULL;
}

KINI_PART const char *kini_verify(const kin_world *world, const kini_view *view)
{
    const char *wrong = kini_fits_world(world, view);
    if (wrong || world->desc.trust_snapshots) return wrong;
    return kini_is_unsound(world, view);
}
