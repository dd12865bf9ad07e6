/* SPDX-License-Identifier: MIT OR Unlicense

   crush.c: stage 9. A body is crushed when something that moves takes more of its room than the crush
   tolerance while something else holds it from the other side; it is embedded when it cannot be freed from what it
   overlaps. Both are conditions that open once and close once. A mover that stops when blocked is put back instead. All
   bodies of a row through which a press reaches a wall are crushed together. */
#include "stages.h"

typedef struct kini_press { kin_vec axis; float depth; uint32_t slot; bool moves; } kini_press;

/* The row of the mover that presses: the thing itself, or what it stands on. */
KINI_PART int32_t kini_pressing_mover(const kin_world *world, kin_id by)
{
    int32_t guard;
    for (guard = 0; guard < world->bodies.count && !kini_is_nobody(by); guard++) {
        const kini_thing *thing = &world->things.at[by.slot];
        if (thing->kind != KIN_BODY) return kini_mover_row(world, thing);
        by = world->bodies.at[thing->row].stand.id;
    }
    return -1;
}

/* Is it driven along `axis` by a mover, carried or pushed? */
KINI_PART bool kini_comes_on(const kin_world *world, uint32_t slot, kin_vec axis)
{
    const kini_thing *thing = &world->things.at[slot];
    const kini_body  *body;
    if (thing->kind != KIN_BODY) return kini_has_moved(world, thing);
    body = &world->bodies.at[thing->row];
    if (body->pushed_strength == KINI_STRENGTH_MOVER && kini_dot(body->pushed, axis) > 0.5f) return true;
    if (kini_is_zero(body->carry) || kini_dot(body->carry, axis) <= 0.5f * kini_len(body->carry)) return false;
    return kini_pressing_mover(world, body->stand.id) >= 0;   /* being carried by a pushed body is no press */
}

/* The side with which a moving mover came over the body last; the shortest way out if none of them approaches. */
static int kini_entered_side(const kini_way *ways, int count, kin_vec rate)
{
    float speed = kini_len(rate), least = KINI_FLT_MAX;
    int   i, best = 0;
    for (i = 0; i < count; i++) {
        float comes = kini_dot(ways[i].axis, rate);
        if (comes <= KINI_NEGLIGIBLE * speed || ways[i].length >= least * comes) continue;
        least = ways[i].length / comes;
        best = i;
    }
    return best;
}

/* The direction in which a piece presses, and how deep the body is in it that way. A body that was not squeezed yet and
   was beyond the nearest side before the motion overlaps the mover there, also if that draws back. */
static bool kini_press_of(const kin_world *world, const kini_body *body, const kini_piece *piece, kin_vec x,
                          kini_press *out)
{
    kini_way ways[KINI_MAX_WAYS];
    kin_vec  rate = kini_rate_at(world, piece->slot, world->things.at[body->slot].p);
    kin_vec  seen = kini_start_seen(world, body, piece);
    int      count = kini_piece_ways(piece, x, seen, ways, KINI_MAX_WAYS), best = 0;
    bool     squeezed = (body->last_state & (KINI_BODY_CRUSHED | KINI_BODY_EMBEDDED)) != 0;
    if (count == 0) count = kini_obstacle_ways(&piece->obstacle, x, ways, KINI_MAX_WAYS);
    if (count == 0) return false;
    if ((piece->flags & KINI_PIECE_MOVER) &&
        (squeezed || !(kini_dot(ways[0].axis, kini_sub(seen, x)) > ways[0].length - 2 * piece->slop)))
        best = kini_entered_side(ways, count, rate);
    out->axis = ways[best].axis;
    out->depth = ways[best].length;
    out->slot = piece->slot;
    out->moves = kini_comes_on(world, piece->slot, out->axis);
    return true;
}

/* The nearest thing that holds the body against the press; 0: none. A press that moves is held by anything, one that
   rests only by what comes on itself. */
static uint32_t kini_held_against(kin_world *world, kini_near *near, const kini_press *press, kin_vec x, float *room)
{
    float     touch = kini_touch_at(world, near->origin);
    uint32_t  by = 0;
    bool      more;
    int       i;
    kini_lot before = near->lot;
    for (more = kini_near_first(world, near); more; more = kini_near_next(world, near))
        for (i = 0; i < near->count; i++) {
            const kini_piece *piece = &world->pieces.at[i];
            kin_vec           normal;
            float             gap;
            if ((piece->flags & KINI_SENSOR) || piece->slot == press->slot || kini_is_apart(piece, x, touch)) continue;
            if (!press->moves && !kini_comes_on(world, piece->slot, kini_neg(press->axis))) continue;
            gap = kini_obstacle_gap(&piece->obstacle, x, &normal);
            if (gap > touch || kini_dot(normal, press->axis) > KINI_OPPOSED) continue;
            if ((piece->flags & KINI_ONE_WAY) && !kini_one_way_blocks(piece, x, normal)) continue;
            if (by && gap >= *room) continue;
            *room = gap;
            by = piece->slot;
        }
    kini_near_again(world, near, before);
    return by;
}

static void kini_open(kini_body *body, uint32_t condition, kin_id a, kin_id b)
{
    if (body->state & KINI_BODY_CRUSHED) return;   /* Crushed overrides embedded; the first pair is kept. */
    if (condition == KINI_BODY_CRUSHED) body->state &= ~(uint32_t)KINI_BODY_EMBEDDED;
    else if (body->state & KINI_BODY_EMBEDDED) return;
    body->state |= condition;
    body->squeezed_by[0] = a;
    body->squeezed_by[1] = b;
}

static void kini_judge_piece(kin_world *world, kini_near *near, int32_t row, const kini_piece *piece, kin_vec x)
{
    kini_body *body = &world->bodies.at[row];
    kini_press press;
    float      room = 0, unit = world->desc.unit, far = KINI_FAR_ULPS * kini_far(near->origin);
    float      most = KINI_CRUSH * unit + far;
    uint32_t   by = 0;
    if (!kini_press_of(world, body, piece, x, &press)) return;
    if (!kini_near_is_spent(near) && (press.moves || (piece->flags & KINI_PIECE_BODY)))
        by = kini_held_against(world, near, &press, x, &room);
    if (by && press.depth - room > most) {
        kini_open(body, KINI_BODY_CRUSHED, kini_id_of(world, piece->slot), kini_id_of(world, by));
        return;
    }
    if (!(piece->flags & KINI_PIECE_MOVER)) most = KINI_SLOP * unit + far;
    if ((piece->flags & KINI_PIECE_BODY) && !(body->last_state & (KINI_BODY_CRUSHED | KINI_BODY_EMBEDDED)) &&
        (world->bodies.at[world->things.at[piece->slot].row].last_state & (KINI_BODY_CRUSHED | KINI_BODY_EMBEDDED)))
        return;   /* reported by the other body, which was moved into this one */
    if (press.depth > most) kini_open(body, KINI_BODY_EMBEDDED, kini_id_of(world, piece->slot), kini_nobody());
}

KINI_PART void kini_find_crush(kin_world *world, kini_near *near, int32_t row, kin_vec x)
{
    kini_body *body = &world->bodies.at[row];
    float      limit = -KINI_OVERLAP * world->desc.unit;
    kin_id     by = body->squeezed_by[0], against = body->squeezed_by[1];
    uint32_t   fast = body->squeezed_in[0];
    bool       more;
    int        i;
    body->state &= ~(uint32_t)(KINI_BODY_CRUSHED | KINI_BODY_EMBEDDED);
    /* A mover so fast that it took the body's room and is past it already has crushed it all the same. */
    if (fast > 0 && kini_thing_gap(world, fast, &near->solid, kini_pose(kini_add(near->origin, x), near->turn),
                                   KINI_SENSOR) >= 0)
        kini_open(body, KINI_BODY_CRUSHED, kini_id_of(world, fast), kini_id_of(world, body->squeezed_in[1]));
    near->within = 0;
    for (more = kini_near_first(world, near); more; more = kini_near_next(world, near))
        for (i = 0; i < near->count && !(body->state & KINI_BODY_CRUSHED); i++) {
            const kini_piece *at = &world->pieces.at[i];
            kini_piece        piece;
            kin_vec           normal;
            if ((at->flags & KINI_SENSOR) || kini_is_apart(at, x, 0)) continue;
            if (kini_obstacle_gap(&at->obstacle, x, &normal) >= limit) continue;
            if ((at->flags & KINI_ONE_WAY) && !kini_one_way_holds(at, kini_start_seen(world, body, at), x, normal))
                continue;
            piece = *at;   /* the search for a holder replaces the list */
            kini_judge_piece(world, near, row, &piece, x);
        }
    /* A crush stays open until the body is free. */
    if (!(body->state & KINI_BODY_EMBEDDED) || !(body->last_state & KINI_BODY_CRUSHED)) return;
    body->state ^= KINI_BODY_EMBEDDED | KINI_BODY_CRUSHED;
    body->squeezed_by[0] = by;
    body->squeezed_by[1] = against;
}

KINI_PART void kini_bury(kin_world *world, int32_t row, uint32_t slot)
{
    kini_body *body = &world->bodies.at[row];
    body->state &= ~(uint32_t)(KINI_BODY_CRUSHED | KINI_BODY_EMBEDDED | KINI_BODY_ON_WALL | KINI_BODY_ON_CEILING);
    kini_stand_nowhere(body);
    kini_open(body, KINI_BODY_EMBEDDED, kini_id_of(world, slot), kini_nobody());
}

/* ---- movers that stop -------------------------------------------------------------------------------------------- */

static bool kini_halts(kin_world *world, const kini_body *body, kin_id by, kin_id other)
{
    int32_t     row = kini_pressing_mover(world, by);
    kini_mover *mover = row < 0 ? NULL : &world->movers.at[row];
    if (!mover || mover->on_blocked != KIN_BLOCKED_STOP || !(mover->state & KINI_MOVED)) return false;
    mover->state |= KINI_STOPPED;
    mover->blocked_by[0] = kini_id_of(world, body->slot);
    mover->blocked_by[1] = other;
    kini_mover_halt(world, mover);
    return true;
}

KINI_PART bool kini_blocked_movers(kin_world *world)
{
    bool    any = false;
    int32_t i;
    if (world->stop_movers == 0) return false;
    for (i = 0; i < world->order.count; i++) {
        const kini_body *body = &world->bodies.at[world->order.at[i]];
        /* Between sides that are less opposed it is not crushed, but in the mover all the same. */
        if (!((body->state & KINI_BODY_CRUSHED) || (body->state & ~body->last_state & KINI_BODY_EMBEDDED))) continue;
        if (kini_halts(world, body, body->squeezed_by[0], body->squeezed_by[1])) any = true;
        if (kini_halts(world, body, body->squeezed_by[1], body->squeezed_by[0])) any = true;
    }
    return any;
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

/* A body presses on the bodies that are flush with it on the side from which `normal` points, at most `most` away:
   marks and queues their contacts with it, once: i is the row, j the contact among its own. A press that does not come
   on holds those that are crushed already, and crushes nobody else. */
static void kini_press_on(kin_world *world, int32_t row, kin_vec normal, float most, bool comes_on)
{
    const kini_contact *list = kini_contacts_of(world, row);
    kin_id              self = kini_id_of(world, world->bodies.at[row].slot);
    int32_t             i;
    for (i = 0; i < world->bodies.at[row].contact_count; i++) {
        const kini_thing   *thing = &world->things.at[list[i].other.slot];
        const kini_contact *with;
        kini_meeting       *entry;
        if (thing->kind != KIN_BODY || !kini_takes_part(world, list[i].other.slot) || list[i].gap > most) continue;
        if (!kini_is_flush(world, row, &list[i]) || kini_dot(list[i].normal, normal) < -KINI_OPPOSED) continue;
        if (!comes_on && !(world->bodies.at[thing->row].last_state & KINI_BODY_CRUSHED)) continue;
        with = kini_find_contact(kini_contacts_of(world, thing->row), world->bodies.at[thing->row].contact_count, self,
                                 -1);
        if (!with || (with->flags & KINI_CONTACT_PRESSES) || kini_no_room_to_meet(world)) continue;
        entry = &world->meetings.at[world->meetings.count++];
        entry->i = thing->row;
        entry->j = (int32_t)(with - kini_contacts_of(world, thing->row));
        kini_contacts_of(world, entry->i)[entry->j].flags |= KINI_CONTACT_PRESSES;
    }
}

/* A body holds another one if it is crushed itself, or pressed on from the other side. */
static bool kini_body_holds(const kin_world *world, int32_t row, kin_vec pressed)
{
    const kini_contact *list = kini_contacts_of(world, row);
    int32_t             i;
    if (world->bodies.at[row].state & KINI_BODY_CRUSHED) return true;
    for (i = 0; i < world->bodies.at[row].contact_count; i++)
        if ((list[i].flags & KINI_CONTACT_PRESSES) && kini_dot(list[i].normal, pressed) <= KINI_OPPOSED) return true;
    return false;
}

/* The contact that supports a pressed body on the far side, the nearest, then of the lower slot. NULL: it gives way. */
static const kini_contact *kini_holder(const kin_world *world, int32_t row, kin_vec pressed)
{
    const kini_contact *list = kini_contacts_of(world, row), *best = NULL;
    int32_t             i;
    for (i = 0; i < world->bodies.at[row].contact_count; i++) {
        const kini_contact *it = &list[i];
        const kini_thing   *thing = &world->things.at[it->other.slot];
        if (!kini_is_flush(world, row, it) || kini_dot(it->normal, pressed) > KINI_OPPOSED) continue;
        if (thing->kind == KIN_BODY && !kini_body_holds(world, thing->row, pressed)) continue;
        if (!best || it->gap < best->gap || (it->gap <= best->gap && it->other.slot < best->other.slot)) best = it;
    }
    return best;
}

/* The contact of a crushed body with one of the two that squeeze it: of several the one most opposed to the other. */
static const kini_contact *kini_squeezing(const kin_world *world, int32_t row, int side)
{
    const kini_body    *body = &world->bodies.at[row];
    const kini_contact *list = kini_contacts_of(world, row), *best = NULL;
    float               least = 1;
    int32_t             i, k;
    for (i = 0; i < body->contact_count; i++)
        for (k = 0; k < body->contact_count && kin_same(list[i].other, body->squeezed_by[side]); k++) {
            float dot = kini_dot(list[i].normal, list[k].normal);
            if (!kin_same(list[k].other, body->squeezed_by[1 - side]) || dot >= least) continue;
            least = dot;
            best = &list[i];
        }
    return best;
}

/* A crushed body presses on bodies that squeeze it, and on others as near on that side, not beyond a wall. */
static void kini_begin_row(kin_world *world, int32_t row, bool comes_on)
{
    const kini_contact *with[2];
    float               beside = 0.5f * kini_skin_at(world, world->things.at[world->bodies.at[row].slot].p);
    bool                comes = false;
    int                 side;
    for (side = 0; side < 2; side++) {
        with[side] = kini_squeezing(world, row, side);
        if (with[side] && kini_comes_on(world, with[side]->other.slot, with[side]->normal)) comes = true;
    }
    for (side = 0; side < 2 && comes == comes_on; side++)
        if (with[side]) kini_press_on(world, row, with[side]->normal, with[side]->gap + beside, comes_on);
}

static void kini_find_rows(kin_world *world, bool comes_on)
{
    int32_t i, first = world->meetings.count;
    for (i = 0; i < world->order.count; i++)
        if (world->bodies.at[world->order.at[i]].state & KINI_BODY_CRUSHED)
            kini_begin_row(world, world->order.at[i], comes_on);
    for (i = first; i < world->meetings.count; i++) {
        const kini_meeting *entry = &world->meetings.at[i];
        kin_vec             on = kini_neg(kini_contacts_of(world, entry->i)[entry->j].normal);
        kini_press_on(world, entry->i, on, KINI_FLT_MAX, comes_on);
    }
}

KINI_PART void kini_crush_rows(kin_world *world)
{
    int32_t i;
    bool    any = world->crushed;
    if (!any) return;
    world->meetings.count = 0;
    kini_find_rows(world, true);
    kini_find_rows(world, false);
    while (any) {   /* from the ends back: for rows once is enough, in heaps each further round crushes one at least */
        any = false;
        for (i = world->meetings.count - 1; i >= 0; i--) {
            const kini_meeting *entry = &world->meetings.at[i];
            kini_body          *body = &world->bodies.at[entry->i];
            const kini_contact *press = &kini_contacts_of(world, entry->i)[entry->j], *holder;
            holder = body->state & KINI_BODY_CRUSHED ? NULL : kini_holder(world, entry->i, press->normal);
            if (!holder) continue;
            kini_open(body, KINI_BODY_CRUSHED, press->other, holder->other);   /* pressed on and held: crushed too */
            any = true;
        }
    }
    for (i = 0; i < world->meetings.count; i++) {
        const kini_meeting *entry = &world->meetings.at[i];
        kini_contacts_of(world, entry->i)[entry->j].flags &= ~(uint32_t)KINI_CONTACT_PRESSES;
    }
}
