/* SPDX-License-Identifier: MIT OR Unlicense

   islands.c: a step on several threads of the game.

   Bodies are divided into batches, and a worker runs a stage for a batch on a copy of the world: all rows are shared,
   but scratch and order of bodies are its own. In stages 4 to 9 a batch holds whole islands: bodies whose leaves meet,
   that stand on each other, or touched in the last step. Meanwhile trees stay as they are, so that no body finds one of
   another batch while it stays and looks within its leaf. If one does not, if one wakes or the game is to be asked, its
   batch has escaped: all bodies go back and the calling thread runs the stages. The bits are the same either way. */
#include "stages.h"

/* ---- batches ----------------------------------------------------------------------------------------------------- */

#define KINI_OWN_PART(member) \
    if ((copy.member.capacity /= world->desc.workers) > 0) copy.member.at += worker * copy.member.capacity

/* Called by the runner, on any thread. What is wrong is not done, but counted. */
static void kini_task(int first, int end, int worker, void *context)
{
    kin_world *world = (kin_world *)context, copy;
    int32_t    workers = world->desc.workers, *busy = world->busy.at;
    bool       known = first >= 0 && first <= end && end <= world->batches.count && worker >= 0 && worker < workers;
    bool       alone = known && KINI_COUNT_BY(&busy[worker], 1) == 1;
    if (!alone) KINI_COUNT_BY(&busy[workers], 1);
    for (; alone && first < end; first++) {
        kini_batch *batch = &world->batches.at[first];
        if (KINI_COUNT_BY(&batch->begun, 1) > 1) { KINI_COUNT_BY(&busy[workers], 1); continue; }
        copy = *world;
        KINI_OWN_PART(found);
        KINI_OWN_PART(neighbours);
        KINI_OWN_PART(faces);
        KINI_OWN_PART(pieces);
        KINI_OWN_PART(sums);
        KINI_OWN_PART(known);
        KINI_OWN_PART(solids);
        copy.island = first + 1;
        world->work(&copy, batch->first, batch[1].first);
        batch->chosen = copy.order.count;
        batch->groups = copy.groups - world->groups;
        batch->cut_groups = copy.cut_groups - world->cut_groups;
        batch->overflowed = copy.overflowed;
        batch->crushed = copy.crushed;
        batch->shed = copy.shed;
        batch->far = copy.reached_limit;
        KINI_COUNT_BY(&batch->done, 1);
    }
    if (known) KINI_COUNT_BY(&busy[worker], -1);
}

/* Does what the runner has not done; one that has done wrong is called no more. False: a batch has escaped. */
KINI_PART bool kini_run_batches(kin_world *world, kini_work_fn *work)
{
    kin_vec  far = kini_all(2 * KINI_FURTHEST);
    int32_t  i, groups = 0, cut = 0, count = world->batches.count, *wrong = &world->busy.at[world->desc.workers];
    bool     escaped = false;
    world->work = work;
    *wrong = 0;
    for (i = 0; i < count; i++)
        world->batches.at[i].begun = world->batches.at[i].done = world->batches.at[i].escaped = 0;
    world->desc.parallel(kini_task, count, world, world->desc.user);
    for (i = 0; i < count; i++)
        for (; KINI_COUNT_BY(&world->batches.at[i].done, 0) == 0; KINI_COUNT_BY(wrong, 1))
            kini_task(i, i + 1, 0, world);   /* if no other thread is at it */
    world->batches.count = 0;   /* a call that comes now finds nothing to do */
    if (KINI_COUNT_BY(wrong, 0) > 0) {
        world->desc.parallel = NULL;
        kini_refuse(world, "kin_world_step", "parallel",
                    "did not do each item once, by one of the workers, before it returned: it is called no more");
    }
    for (i = 0; i < count; i++) {
        const kini_batch *batch = &world->batches.at[i];
        escaped = escaped || batch->escaped;
        groups += batch->groups;
        cut += batch->cut_groups;
        world->overflowed = world->overflowed || batch->overflowed;
        world->crushed = world->crushed || batch->crushed;
        world->shed = world->shed || batch->shed;
        if (batch->far && !world->reached_limit) kini_limit_place(world, &far);   /* says so */
    }
    world->groups += groups;
    world->cut_groups += cut;
    return !escaped;
}

/* Batches of rows, or of places in a list, in order. False: too few. */
static bool kini_make_batches(kin_world *world, int32_t count)
{
    int32_t i;
    if (!world->desc.parallel || count < 2 * KINI_BATCH) return false;
    world->batches.count = count / KINI_BATCH;
    for (i = 0; i < world->batches.count; i++) world->batches.at[i].first = i * KINI_BATCH;
    world->batches.at[i].first = count;
    return true;
}

KINI_PART void kini_share_rows(kin_world *world, kini_work_fn *work, int32_t count)
{
    if (kini_make_batches(world, count)) kini_run_batches(world, work);
    else work(world, 0, count);
}

KINI_PART void kini_choose_rows(kin_world *world, kini_work_fn *work, int32_t count)
{
    int32_t i, from, batches;
    if (!kini_make_batches(world, count)) { work(world, 0, count); return; }
    batches = world->batches.count;
    kini_run_batches(world, work);
    for (i = world->order.count = 0; i < batches; i++)
        for (from = world->batches.at[i].first; from < world->batches.at[i].chosen; from++)
            world->order.at[world->order.count++] = world->order.at[from];
}

/* ---- islands ----------------------------------------------------------------------------------------------------- */

/* The lowest row, or rank, of the bodies that a body is known to be with. In the list they count from 1. */
static int32_t kini_first_with(int32_t *with, int32_t row)
{
    while (with[row] != row + 1) {
        with[row] = with[with[row] - 1];
        row = with[row] - 1;
    }
    return row;
}

/* Bodies that met are a group; cut short is one with a body that was tested as often as may be, or put back whole. */
KINI_PART void kini_count_groups(kin_world *world)
{
    int32_t *with = world->queue.at, *flags = world->neighbours.at, i, k;
    if (!kini_crowd_meets(world)) return;
    for (i = 0; i < world->order.count; i++) { with[i] = i + 1; flags[i] = 0; }
    for (i = 0; i < world->order.count; i++) {
        const kini_body    *body = &world->bodies.at[world->order.at[i]];
        const kini_contact *list = kini_contacts_of(world, world->order.at[i]);
        for (k = 0; k < body->contact_count; k++) {
            const kini_thing *other = &world->things.at[list[k].other.slot];
            int32_t           a, b;
            if (other->kind != KIN_BODY || !kini_pair_solid(world, body->slot, list[k].other.slot)) continue;
            a = kini_first_with(with, i);
            b = kini_first_with(with, world->bodies.at[other->row].rank);
            with[a > b ? a : b] = (a > b ? b : a) + 1;
        }
    }
    for (i = 0; i < world->order.count; i++) {
        const kini_body *body = &world->bodies.at[world->order.at[i]];
        int32_t          first = kini_first_with(with, i);
        flags[first] |= (first != i ? 1 : 0) | (body->cut || body->tests < 0 ? 2 : 0);
    }
    for (i = 0; i < world->order.count; i++) {
        world->groups += flags[i] & 1;
        world->cut_groups += flags[i] == 3;
    }
}

static void kini_unite(kin_world *world, int32_t row, const kini_thing *other)
{
    int32_t *with = world->islands.at, *sizes = world->queue.at, a, b, low;
    if (other->kind != KIN_BODY || with[other->row] == 0) return;
    a = kini_first_with(with, row);
    b = kini_first_with(with, other->row);
    if (a == b) return;
    low = a < b ? a : b;
    with[a + b - low] = low + 1;
    sizes[low] += sizes[a + b - low];
}

/* Its leaf holds all that a body is likely to do and to look at in this step. */
static void kini_cover_reach(kin_world *world, const kini_body *body)
{
    kin_vec ride = kini_scale(body->stand.velocity, world->dt), down, lo, hi;
    float   far = 0.5f * kini_len(body->wish) + KINI_FAT * world->desc.unit;
    down = kini_scale(body->up, -kini_greater(body->options.snap, 0) - body->options.step_height);
    kini_around(world, body->slot, kini_vec_zero(), kini_add(body->wish, ride), far, &lo, &hi);
    kini_cover(world, body->slot, kini_lower(lo, kini_add(lo, down)), kini_upper(hi, kini_add(hi, down)));
}

/* Joins a body with the bodies that it may touch, and with those that its rows refer to. */
static void kini_join_near(kin_world *world, int32_t row)
{
    const kini_body    *body = &world->bodies.at[row];
    const kini_thing   *thing = &world->things.at[body->slot];
    const kini_contact *list = kini_last_contacts_of(world, row);
    kin_vec             lo, hi;
    int32_t             i, count;
    kini_unite(world, row, &world->things.at[body->stand.id.slot]);
    for (i = 0; i < body->last_count; i++) kini_unite(world, row, &world->things.at[list[i].other.slot]);
    if (!kini_meets_bodies(world, body->slot)) return;
    kini_leaf_box(&world->trees[KIN_BODY], thing->leaf, &lo, &hi);
    count = kini_tree_collect(&world->trees[KIN_BODY], lo, hi, world->found.at, world->found.capacity);
    for (i = 0; i < count; i++) {
        const kini_thing *other = &world->things.at[world->found.at[i]];
        if (kini_layers_meet(thing, other)) kini_unite(world, row, other);
    }
}

/* Puts islands into batches, in order, and the bodies of each into world->shares, in theirs. */
static void kini_fill_batches(kin_world *world)
{
    int32_t    *sizes = world->queue.at, *order = world->order.at, i, size = KINI_BATCH, number = 0;
    kini_batch *batches = world->batches.at;
    for (i = 0; i < world->order.count; i++) {
        int32_t *island = &sizes[kini_first_with(world->islands.at, order[i])];
        if (*island > 0) {   /* from now on, minus the number of its batch */
            if (size >= KINI_BATCH) { size = 0; batches[number++].first = 0; }
            size += *island;
            batches[number - 1].first += *island;
            *island = -number;
        }
        sizes[order[i]] = *island;
    }
    world->batches.count = number;
    for (i = 1; i < number; i++) batches[i].first += batches[i - 1].first;
    batches[number].first = world->order.count;
    for (i = world->order.count - 1; i >= 0; i--) {
        int32_t batch = world->islands.at[order[i]] = -sizes[order[i]];
        world->shares.at[--batches[batch - 1].first] = order[i];
    }
}

KINI_PART bool kini_find_islands(kin_world *world)
{
    int32_t i, count = world->order.count;
    if (!kini_make_batches(world, count)) return false;
    kini_clear(world->islands.at, (size_t)world->bodies.count * sizeof *world->islands.at);
    if (!kini_crowd_meets(world)) {
        kini_copy(world->shares.at, world->order.at, (size_t)count * sizeof *world->shares.at);
        return true;
    }
    for (i = 0; i < count; i++) {
        int32_t row = world->order.at[i];
        world->islands.at[row] = row + 1;
        world->queue.at[row] = 1;
        if (kini_meets_bodies(world, world->bodies.at[row].slot)) kini_cover_reach(world, &world->bodies.at[row]);
    }
    for (i = 0; i < count; i++) kini_join_near(world, world->order.at[i]);
    kini_fill_batches(world);
    return world->batches.count > 1;
}
