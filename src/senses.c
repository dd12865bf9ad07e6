/* SPDX-License-Identifier: MIT OR Unlicense

   senses.c: what attached sensors and movers meet, if they sense; part of stage 10, after poses.

   Bodies keep their contacts themselves (contacts.c). Pairs without a body stand in one list, sorted by the one that
   senses, then by what it meets. A pair is met if the two overlap, or if one has passed the other on a straight way in
   this step; that wakes and moves nothing. */
#include "stages.h"

static bool kini_sensed_before(const kini_sensed *a, const kini_sensed *b)
{
    if (a->by.slot != b->by.slot) return a->by.slot < b->by.slot;
    if (a->it.other.slot != b->it.other.slot) return a->it.other.slot < b->it.other.slot;
    return kini_cell_of(&a->it) < kini_cell_of(&b->it);
}

/* The first in a list that does not come before a pair, the list's end if there is none. */
static int32_t kini_sensed_place(const kini_pairs *list, const kini_sensed *pair)
{
    int32_t lo = 0, hi = list->count;
    while (lo < hi) {
        int32_t middle = lo + (hi - lo) / 2;
        if (kini_sensed_before(&list->at[middle], pair)) lo = middle + 1;
        else hi = middle;
    }
    return lo;
}

KINI_PART bool kini_is_sensed(const kini_pairs *list, const kini_sensed *pair)
{
    const kini_sensed *there = &list->at[kini_sensed_place(list, pair)];
    return there < list->at + list->count && kin_same(there->by, pair->by) && kini_finds(&there->it, 1, &pair->it);
}

/* Puts a pair in its place, or merges it, the deeper contact kept; none of a higher slot is there yet. Each that senses
   has max_sensor_contacts: only pairs that last drive out others. */
static void kini_sensed_add(kin_world *world, const kini_sensed *pair)
{
    kini_sensed *list = world->sensed.at;
    int32_t      i, from = world->sensed.count, at = kini_sensed_place(&world->sensed, pair);
    if (at < world->sensed.count && !kini_sensed_before(pair, &list[at])) {
        float speed = kini_greater(pair->it.speed, list[at].it.speed);
        if (pair->it.gap < list[at].it.gap) list[at] = *pair;
        list[at].it.speed = speed;
        return;
    }
    while (from > 0 && list[from - 1].by.slot == pair->by.slot) from--;
    i = world->sensed.count;
    if (i - from >= world->desc.max_sensor_contacts || i == world->sensed.capacity) {
        world->overflowed = true;
        do {
            if (--i < from) return;
        } while (kini_is_sensed(&world->last_sensed, &list[i]));
        if (!kini_is_sensed(&world->last_sensed, pair)) return;
        kini_cut_rows(&world->sensed, sizeof *list, i, 1);
        if (i < at) at--;
    }
    for (i = world->sensed.count++; i > at; i--) list[i] = list[i - 1];
    list[at] = *pair;
    world->things.at[pair->by.slot].flags |= KINI_TOUCHED;
    world->things.at[pair->it.other.slot].flags |= KINI_TOUCHED;
}

/* Movers meet sensors, sensors that are attached meet all but their owner and its other sensors. */
static bool kini_may_sense(const kini_thing *a, const kini_thing *b)
{
    const int both = KINI_ATTACHED | KINI_SENSOR;
    if (!(a->flags & KINI_SENSES)) return false;
    return a->kind == KIN_MOVER ? (b->flags & KINI_SENSOR) || kini_is_tiles(b) : (a->flags & both) == both;
}

/* Does the first report the second? Of two that may, a mover does, else the lower slot. */
static bool kini_tells_of(const kin_world *world, uint32_t slot, uint32_t other)
{
    const kini_thing *a = &world->things.at[slot], *b = &world->things.at[other];
    if (!kini_may_sense(a, b) || !kini_meets(world, slot, other)) return false;
    return !kini_may_sense(b, a) || (a->kind != b->kind ? a->kind == KIN_MOVER : slot < other);
}

typedef struct kini_sensing {
    kini_ask   ask;                   /* must come first: its `each` gets no other pointer */
    kin_world *world;
    uint32_t   slot;
    kin_vec    way;                   /* in this step, relative to what is met */
} kini_sensing;

static bool kini_note_sensed(kini_ask *ask)
{
    kini_sensing     *s = (kini_sensing *)ask;
    const kini_thing *thing = &s->world->things.at[ask->next.id.slot];
    const kini_tile  *tile = kini_is_tiles(thing) ? kini_tile_of(s->world, thing, ask->next.part) : NULL;
    bool              sensor = ((tile ? tile->flags : thing->flags) & KINI_SENSOR) != 0;
    kini_sensed       pair;
    if (!sensor && s->world->things.at[s->slot].kind == KIN_MOVER) return false;
    pair.by = kini_id_of(s->world, s->slot);
    pair.it.other = ask->next.id;
    pair.it.normal = ask->next.normal;
    pair.it.gap = ask->next_gap;
    pair.it.speed = kini_greater(-kini_dot(s->way, ask->next.normal), 0) / s->world->dt;
    pair.it.part = ask->next.part;
    pair.it.flags = KINI_CONTACT_TOUCH | (sensor ? (uint32_t)KINI_CONTACT_SENSOR : 0u);
    kini_sensed_add(s->world, &pair);
    return false;
}

static void kini_sense(kin_world *world, uint32_t slot)
{
    const kini_thing *thing = &world->things.at[slot];
    kini_solid        solid = kini_solid_of(world, thing);
    kin_vec           way = kini_scale(kini_rate_at(world, kini_owner_slot(world, slot), thing->p), world->dt), lo, hi;
    int32_t           i, count, room = world->found.capacity;
    kini_sensing      s;
    lo = kini_lower(thing->lo, kini_sub(thing->lo, way));
    hi = kini_upper(thing->hi, kini_sub(thing->hi, way));
    count = kini_tree_collect(&world->trees[KIN_STATIC], lo, hi, world->found.at, room);
    count += kini_tree_collect(&world->trees[KIN_MOVER], lo, hi, world->found.at + count, room - count);
    s.world = world;
    s.slot = slot;
    for (i = 0; i < count; i++) {
        uint32_t other = (uint32_t)world->found.at[i];
        if (!kini_comes_near(world, &world->things.at[other], lo, hi) || !kini_tells_of(world, slot, other)) continue;
        s.way = kini_sub(way, kini_scale(kini_rate_at(world, other, thing->p), world->dt));
        s.ask = kini_question(world, &solid, kini_pose(thing->p, thing->q), 0);
        s.ask.sides = s.ask.apart = true;
        s.ask.each = kini_note_sensed;
        s.ask.limit = 0;
        kini_ask_thing(&s.ask, other);
        if (kini_is_zero(s.way)) continue;
        s.ask.at.p = kini_sub(thing->p, s.way);
        s.ask.travel = s.way;
        s.ask.casts = true;
        s.ask.limit = KINI_FLT_MAX;
        kini_ask_thing(&s.ask, other);
    }
}

KINI_PART bool kini_is_just_removed(const kin_world *world, kin_id id)
{
    const kini_thing *thing = &world->things.at[id.slot];
    return (thing->flags & (KINI_REMOVED | KINI_GOING)) == KINI_REMOVED && thing->age == id.age + 1;
}

KINI_PART void kini_sense_all(kin_world *world)
{
    kini_pairs         was = world->sensed;
    const kini_sensed *pair = was.at;
    int32_t            i;
    if (world->sensers == 0 && was.count == 0 && world->last_sensed.count == 0) return;
    world->sensed = world->last_sensed;
    world->last_sensed = was;
    world->sensed.count = 0;
    for (i = 1; i < world->things.count; i++) {
        for (; pair < was.at + was.count && pair->by.slot == (uint32_t)i; pair++)
            if (kini_is_just_removed(world, pair->by) || kini_is_just_removed(world, pair->it.other))
                kini_sensed_add(world, pair);
        if ((world->things.at[i].flags & KINI_SENSES) && kini_takes_part(world, (uint32_t)i))
            kini_sense(world, (uint32_t)i);
    }
}
