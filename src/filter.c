/* SPDX-License-Identifier: MIT OR Unlicense

   filter.c: which things collide.

   Two things collide if each one's layer is in the other's mask, both are enabled and alive, the pair is not
   ignored, and `collide` does not refuse it. Ignored pairs are few: a sorted list, and a flag on each
   thing that is in it. */
#include "broad.h"

/* ---- ignored pairs ----------------------------------------------------------------------------------------------- */

static kini_pair kini_pair_of(uint32_t a, uint32_t b)
{
    kini_pair pair;
    pair.a = a < b ? a : b;
    pair.b = a < b ? b : a;
    return pair;
}

/* Is the pair in the list? It is at `at`, or would be. */
static bool kini_find_pair(const kin_world *world, kini_pair pair, int32_t *at)
{
    int32_t lo = 0, hi = world->ignored.count;
    while (lo < hi) {
        int32_t   middle = lo + (hi - lo) / 2;
        kini_pair other = world->ignored.at[middle];
        if (other.a != pair.a ? other.a < pair.a : other.b < pair.b) lo = middle + 1;
        else hi = middle;
    }
    *at = lo;
    return lo < world->ignored.count && world->ignored.at[lo].a == pair.a && world->ignored.at[lo].b == pair.b;
}

/* Sets the flag, or clears it if no pair names the thing any more. */
static void kini_review_ignores(kin_world *world, uint32_t slot)
{
    kini_thing *thing = &world->things.at[slot];
    int32_t     i;
    kini_set_flag(thing, KINI_IGNORES, false);
    for (i = 0; i < world->ignored.count; i++)
        if (world->ignored.at[i].a == slot || world->ignored.at[i].b == slot) thing->flags |= KINI_IGNORES;
}

KINI_PART bool kini_ignore_pair(kin_world *world, const char *call, uint32_t a, uint32_t b, bool ignore)
{
    kini_pair pair = kini_pair_of(a, b);
    int32_t   i, at;
    if (kini_find_pair(world, pair, &at) == ignore) return true;
    world->edited = true;
    if (ignore) {
        if (!kini_grow(world, &world->ignored, sizeof *world->ignored.at, world->ignored.count + 1))
            return kini_refuse(world, call, "memory", "was not given");
        for (i = world->ignored.count++; i > at; i--) world->ignored.at[i] = world->ignored.at[i - 1];
        world->ignored.at[at] = pair;
    } else
        kini_cut_rows(&world->ignored, sizeof *world->ignored.at, at, 1);
    kini_review_ignores(world, a);
    kini_review_ignores(world, b);
    return true;
}

KINI_PART void kini_forget_ignored(kin_world *world, uint32_t slot)
{
    int32_t i = world->ignored.count;
    while (i-- > 0)
        if (world->ignored.at[i].a == slot || world->ignored.at[i].b == slot)
            kini_cut_rows(&world->ignored, sizeof *world->ignored.at, i, 1);
}

/* Asks the game; several threads may, with questions outside a step. What the game asks the world meanwhile is answered
   by layers: inside a step, and as soon as it is known that it does. */
static bool kini_ask_game(const kin_world *world, uint32_t body, uint32_t other)
{
    int32_t *asking = world->asking.at, open = KINI_COUNT_BY(&asking[0], 1);
    bool     within = open > 1 && (world->stage || KINI_COUNT_BY(&asking[1], 0) > 0), yes = true;
    if (open > KINI_MOST_ASKING && KINI_COUNT_BY(&asking[1], 1) == 1)
        kini_refuse(world, "kin_test_move", "world", "asks collide, which asks kin_test_move: there, layers decide");
    if (open <= KINI_MOST_ASKING && !within)
        yes = world->desc.collide(world, kini_id_of(world, body), kini_id_of(world, other), world->desc.user);
    KINI_COUNT_BY(&asking[0], -1);
    return yes;
}

/* In a step the answer is kept; before stage 3 has asked, layers decide. */
static bool kini_collides(const kin_world *world, kini_pair pair)
{
    const kini_thing *a = &world->things.at[pair.a], *b = &world->things.at[pair.b];
    uint32_t          body = a->kind == KIN_BODY ? pair.a : pair.b, other = a->kind == KIN_BODY ? pair.b : pair.a;
    bool              afresh = world->stage == 0 || world->in_callback || world->asking.at[0] > 0, yes;
    kini_answers     *answers;
    int32_t           i;
    if ((a->kind != KIN_BODY && b->kind != KIN_BODY) || !(afresh || world->answering)) return true;
    if (afresh) return kini_ask_game(world, body, other);
    answers = &world->answers.at[world->things.at[body].row];
    for (i = 0; i < answers->count; i++)
        if (answers->others[i] == other) return (answers->yes >> i & 1) != 0;
    if (kini_escape(world)) return true;
    world->bodies.at[world->things.at[body].row].calm = false;
    if (world->things.at[other].kind == KIN_BODY) world->bodies.at[world->things.at[other].row].calm = false;
    if (answers->count == KINI_ANSWERS) { answers->full = true; return true; }
    yes = kini_ask_game(world, body, other);
    answers->others[answers->count] = other;
    answers->yes |= (uint32_t)yes << answers->count;
    answers->count++;
    return yes;
}

KINI_PART uint32_t kini_owner_slot(const kin_world *world, uint32_t slot)
{
    const kini_thing *thing = &world->things.at[slot];
    return thing->flags & KINI_ATTACHED ? world->statics.at[thing->row].attach.slot : slot;
}

KINI_PART bool kini_meets(const kin_world *world, uint32_t a, uint32_t b)
{
    const kini_thing *s = &world->things.at[a], *t = &world->things.at[b];
    int               out = KINI_DISABLED | KINI_REMOVED | (world->stage ? KINI_PENDING : 0);
    int32_t           at;
    if (((s->flags | t->flags) & out) || !kini_layers_meet(s, t)) return false;
    if (((s->flags | t->flags) & KINI_ATTACHED) && kini_owner_slot(world, a) == kini_owner_slot(world, b)) return false;
    if ((s->flags & t->flags & KINI_IGNORES) && kini_find_pair(world, kini_pair_of(a, b), &at)) return false;
    return !world->desc.collide || kini_collides(world, kini_pair_of(a, b));
}

KINI_PART bool kini_pair_solid(const kin_world *world, uint32_t a, uint32_t b)
{
    const kini_thing *s = &world->things.at[a], *t = &world->things.at[b];
    return !((s->flags | t->flags) & KINI_SENSOR) && world->bodies.at[s->row].options.push != KIN_INTANGIBLE &&
           world->bodies.at[t->row].options.push != KIN_INTANGIBLE;
}

/* Not if one of them was teleported or changed since, or if the game ignores the pair. */
KINI_PART bool kini_still_beside(const kin_world *world, uint32_t body, kin_id other)
{
    const kini_thing *thing = &world->things.at[other.slot];
    if (!kini_is_live(world, other) || !kini_takes_part(world, other.slot)) return false;
    if ((world->things.at[body].flags | thing->flags) & (KINI_SHIFTED | KINI_RESHAPED | KINI_SENSOR)) return false;
    if (!kini_meets(world, body, other.slot)) return false;
    return thing->kind != KIN_BODY || kini_pair_solid(world, body, other.slot);
}

/* ---- queries ----------------------------------------------------------------------------------------------------- */

KINI_PART bool kini_check_filter(const kin_world *world, const char *call, const kin_filter *filter, kin_filter *out)
{
    kini_clear(out, sizeof *out);
    if (filter) *out = *filter;
    if (out->layer == 0) out->layer = 1;
    if (out->mask == 0) out->mask = 0xFFFFFFFFu;
    if (out->ignored_count < 0)
        return kini_refuse_number(world, call, "filter.ignored_count", "is negative", (float)out->ignored_count);
    if (out->ignored_count > 0 && !kini_check_pointer(world, call, "filter.ignored", out->ignored)) return false;
    return kini_is_nobody(out->ignore) || kini_check_id(world, call, "filter.ignore", out->ignore);
}

/* Is it this one, or a part of it? */
static bool kini_belongs_to(const kin_world *world, uint32_t slot, kin_id id)
{
    return kin_same(kini_id_of(world, slot), id) || kin_same(kini_id_of(world, kini_owner_slot(world, slot)), id);
}

KINI_PART bool kini_filter_takes(const kin_world *world, const kin_filter *filter, uint32_t slot)
{
    const kini_thing *thing = &world->things.at[slot];
    int               i;
    if (thing->flags & (KINI_DISABLED | KINI_REMOVED)) return false;
    if ((thing->flags & KINI_SENSOR) && !filter->sensors) return false;
    if (!(thing->layer & filter->mask) || !(filter->layer & thing->mask)) return false;
    for (i = 0; i < filter->ignored_count; i++)
        if (kini_belongs_to(world, slot, filter->ignored[i])) return false;
    return !kini_belongs_to(world, slot, filter->ignore);
}
