/* SPDX-License-Identifier: MIT OR Unlicense

   filter.c: the one rule who meets whom.

   Two things meet if each one's layer is in the other's mask, both are enabled and alive, and the pair was not
   told to ignore each other. Ignored pairs are few: a sorted list, and a flag on each thing that is in it. */
#include "internal.h"

/* ---- ignored pairs ------------------------------------------------------------------------------------------------- */

static kini_pair kini_pair_of(uint32_t a, uint32_t b)
{
    kini_pair pair;
    pair.a = a < b ? a : b;
    pair.b = a < b ? b : a;
    return pair;
}

static bool kini_pair_before(kini_pair p, kini_pair q)
{
    return p.a != q.a ? p.a < q.a : p.b < q.b;
}

/* Where the pair is in the list, or would be. */
static int32_t kini_find_pair(const kin_world *world, kini_pair pair)
{
    int32_t lo = 0, hi = world->ignored.count;
    while (lo < hi) {
        int32_t middle = lo + (hi - lo) / 2;
        if (kini_pair_before(world->ignored.at[middle], pair)) lo = middle + 1;
        else hi = middle;
    }
    return lo;
}

static bool kini_pair_at(const kin_world *world, int32_t at, kini_pair pair)
{
    return at < world->ignored.count && world->ignored.at[at].a == pair.a && world->ignored.at[at].b == pair.b;
}

KINI_PART bool kini_is_ignored(const kin_world *world, uint32_t a, uint32_t b)
{
    kini_pair pair = kini_pair_of(a, b);
    return kini_pair_at(world, kini_find_pair(world, pair), pair);
}

static void kini_insert_pair(kin_world *world, int32_t at, kini_pair pair)
{
    int32_t i;
    for (i = world->ignored.count++; i > at; i--) world->ignored.at[i] = world->ignored.at[i - 1];
    world->ignored.at[at] = pair;
    world->things.at[pair.a].flags |= KINI_IGNORES;
    world->things.at[pair.b].flags |= KINI_IGNORES;
}

/* The flag goes with the last pair that names the thing. */
static void kini_review_ignores(kin_world *world, uint32_t slot)
{
    kini_thing *thing = &world->things.at[slot];
    int32_t     i;
    thing->flags = (uint16_t)(thing->flags & ~KINI_IGNORES);
    for (i = 0; i < world->ignored.count; i++)
        if (world->ignored.at[i].a == slot || world->ignored.at[i].b == slot) thing->flags |= KINI_IGNORES;
}

KINI_PART bool kini_ignore_pair(kin_world *world, const char *call, uint32_t a, uint32_t b, bool ignore)
{
    kini_pair pair = kini_pair_of(a, b);
    int32_t   at = kini_find_pair(world, pair);
    if (kini_pair_at(world, at, pair) == ignore) return true;
    if (ignore) {
        if (!kini_grow(world, &world->ignored, sizeof *world->ignored.at, world->ignored.count + 1))
            return kini_refuse(world, call, "memory", "was not given");
        kini_insert_pair(world, at, pair);
        return true;
    }
    for (world->ignored.count--; at < world->ignored.count; at++) world->ignored.at[at] = world->ignored.at[at + 1];
    kini_review_ignores(world, a);
    kini_review_ignores(world, b);
    return true;
}

KINI_PART void kini_forget_ignored(kin_world *world, uint32_t slot)
{
    int32_t i, kept = 0, count = world->ignored.count;
    for (i = 0; i < count; i++)
        if (world->ignored.at[i].a != slot && world->ignored.at[i].b != slot) world->ignored.at[kept++] = world->ignored.at[i];
    world->ignored.count = kept;
}

/* ---- the rule -------------------------------------------------------------------------------------------------------- */

KINI_PART bool kini_meets(const kin_world *world, uint32_t a, uint32_t b)
{
    const kini_thing *s = &world->things.at[a], *t = &world->things.at[b];
    int               out = KINI_DISABLED | KINI_REMOVED | (world->stage ? KINI_PENDING : 0);
    if (((s->flags | t->flags) & out) || !(s->layer & t->mask) || !(t->layer & s->mask)) return false;
    return !(s->flags & t->flags & KINI_IGNORES) || !kini_is_ignored(world, a, b);
}

/* ---- questions ------------------------------------------------------------------------------------------------------- */

KINI_PART bool kini_check_filter(const kin_world *world, const char *call, const kin_filter *filter, kin_filter *out)
{
    kini_clear(out, sizeof *out);
    if (filter) *out = *filter;
    if (out->layer == 0) out->layer = 1;
    if (out->mask == 0) out->mask = 0xFFFFFFFFu;
    return kini_is_nobody(out->ignore) || kini_check_id(world, call, "filter.ignore", out->ignore);
}

KINI_PART bool kini_filter_takes(const kin_world *world, const kin_filter *filter, uint32_t slot)
{
    const kini_thing *thing = &world->things.at[slot];
    if (thing->flags & (KINI_DISABLED | KINI_REMOVED)) return false;
    if ((thing->flags & KINI_SENSOR) && !filter->sensors) return false;
    if (!(thing->layer & filter->mask) || !(filter->layer & thing->mask)) return false;
    if (kini_is_nobody(filter->ignore)) return true;
    if (slot == filter->ignore.slot) return false;
    return !(thing->flags & KINI_ATTACHED) || world->statics.at[thing->row].attach.slot != filter->ignore.slot;
}
