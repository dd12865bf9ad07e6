/* SPDX-License-Identifier: MIT OR Unlicense

   step.c: one step, as the list of its stages, and the accumulator that turns frame times into steps. */
#include "stages.h"

/* The rest of stage 7, then 8 and 9, for one body: all three work on one search of its surroundings. */
static void kini_settle_body(kin_world *world, int32_t row)
{
    const kini_body *body = &world->bodies.at[row];
    kin_vec          p = world->things.at[body->slot].p, x = kini_vec_zero(), down;
    float            least = KINI_NO_MOTION * world->desc.unit;
    kini_near        near;
    uint32_t         buried;
    int              with;
    if (world->done.at[row] == KINI_COASTS && kini_stay_openly(world, row, p, false)) return;
    down = kini_scale(body->up, -kini_greater(body->options.snap, 0) - body->options.step_height);
    with = kini_meets_bodies(world, body->slot) ? KINI_WITH_MOVERS | KINI_WITH_BODIES : KINI_WITH_MOVERS;
    kini_near_motion(world, &near, body->slot, 0, with, down, 2 * kini_touch_at(world, p));
    buried = kini_buried_in(world, &near);
    if (buried) { kini_bury(world, row, buried); return; }
    if (!kini_keep_ground(world, &near, row, &x)) {
        kini_depenetrate(world, &near, row, &x);
        kini_find_ground(world, &near, row, &x);
        kini_find_crush(world, &near, row, x);
        if (body->state & KINI_BODY_CRUSHED) world->crushed = true;
        if (!near.dropping) world->bodies.at[row].state &= ~(uint32_t)KINI_BODY_DROPS;
    }
    if (!(kini_len2(x) <= least * least)) {
        kini_shift(world, body->slot, kini_add(near.origin, x), near.turn);
        if (kini_meets_bodies(world, body->slot)) kini_cover_path(world, body);   /* those after it find it there */
    }
}

/* A mover was blocked, or a body woke: bodies go back to where they were after stage 3. */
static void kini_restore(kin_world *world)
{
    int32_t i;
    for (i = 0; i < world->order.count; i++) {
        kini_body *body = &world->bodies.at[world->order.at[i]];
        kini_copy((char *)body + offsetof(kini_body, velocity), &world->backup.at[world->order.at[i]],
                  sizeof *world->backup.at);
        kini_stand_still(body);
        world->kept.at[world->order.at[i]].open = 0;   /* the last step is no longer what it knows of */
        body->rank = i;   /* which was that in its batch */
        kini_shift(world, body->slot, body->start.p, body->start.q);
    }
}

/* Stages 4 to 9, for all bodies that are awake or, in a worker's copy of the world, for those of a batch. */
static void kini_run_bodies(kin_world *world)
{
    int32_t i;
    for (i = 0; i < world->order.count && (world->stop_movers > 0 || world->idle_count > 0 || world->island); i++)
        kini_backup(world, &world->bodies.at[world->order.at[i]]);
    world->stage = 4; kini_stage_carry(world);
    world->stage = 5; kini_stage_sweep(world);
    kini_stage_free(world);     /* of 7, what would hold others back in 6 */
    world->stage = 6; kini_stage_pairs(world);
    world->stage = 7; kini_stage_apart(world);
    kini_count_groups(world);
    for (i = 0; i < world->order.count; i++)
        if (!(world->done.at[world->order.at[i]] & KINI_SETTLED)) kini_settle_body(world, world->order.at[i]);
}

static void kini_run_batch(kin_world *world, int32_t first, int32_t end)
{
    int32_t i;
    world->order.at = world->shares.at + first;
    world->queue.at += first;
    world->meetings.at += KINI_MEETINGS * first;
    world->order.count = world->queue.capacity = end - first;
    for (i = 0; i < world->order.count; i++) world->bodies.at[world->order.at[i]].rank = i;
    kini_run_bodies(world);
}

static void kini_run_stages(kin_world *world)
{
    bool full, escaped = false;
    world->rests = (world->steps + 1) % KINI_REST_EVERY == 0;
    if (KINI_FORGET || !kini_equal(world->dt, world->idle_dt)) kini_wake_all(world);
    world->idle_dt = world->dt;
    if (KINI_FORGET) kini_forget_kept(world);
    world->stage = 1; kini_stage_pending(world);
    world->stage = 2; kini_stage_movers(world);
    world->stage = 3; kini_stage_gather(world);
    kini_order_bodies(world);
    kini_scatter_heaps(world);      /* of 7, before pairs are looked for */
    for (;; kini_restore(world)) {
        if (world->late) {
            kini_spread(world);
            kini_order_bodies(world);
        }
        world->late = world->crushed = false;
        world->groups = world->cut_groups = 0;
        full = world->overflowed;
        if (!escaped && kini_find_islands(world)) {
            world->stage = 4;
            escaped = !kini_run_batches(world, kini_run_batch);
        } else {
            escaped = false;
            kini_run_bodies(world);
        }
        if (!escaped && !world->late && !kini_blocked_movers(world)) break;
        if (escaped || world->late) world->overflowed = full;
    }
    kini_crush_rows(world);         /* of 9, once it is settled which movers go back */
    world->stage = 10; kini_stage_commit(world);
    world->stage = 0;
}

KIN_API bool kin_world_step(kin_world *world, float dt)
{
    if (!kini_check_between(world, __func__)) return false;
    if (!kini_check_number(world, __func__, "dt", dt, KINI_SHORTEST_STEP, KINI_LONGEST_STEP, " seconds")) return false;
    world->events.count = 0;
    world->overflowed = false;
    world->dt = dt;
    kini_run_stages(world);
    return true;
}

KIN_API int kin_world_advance(kin_world *world, double seconds)
{
    double  interval, most;
    int64_t steps, i;
    if (!kini_check_between(world, __func__)) return 0;
    if (!(seconds >= 0 && seconds <= KINI_LONGEST_TIME)) {
        kini_refuse_number(world, __func__, "seconds", "is not a time that can pass", (float)seconds);
        return 0;
    }
    world->events.count = 0;
    world->overflowed = false;
    interval = 1.0 / (double)world->desc.rate;
    most = (double)world->desc.max_catch_up * (double)world->desc.rate;
    if (most < 1) most = 1;                   /* one step that takes longer than that is still made */
    if (most > INT32_MAX) most = INT32_MAX;   /* the result is an int */
    world->time_left += seconds;
    steps = (int64_t)(world->time_left / interval + KINI_STEP_ERROR);
    world->time_left -= (double)steps * interval;
    if (world->time_left < 0) world->time_left = 0;
    world->dropped = 0;
    if ((double)steps > most + KINI_STEP_ERROR) {
        world->dropped = (double)(steps - (int64_t)(most + KINI_STEP_ERROR)) * interval;
        steps = (int64_t)(most + KINI_STEP_ERROR);
        if (world->drops++ == KINI_MANY_DROPS)
            kini_refuse_number(world, __func__, "seconds", "is more than max_catch_up in every call, the rest is "
                               "dropped: are these milliseconds?", (float)seconds);
    } else if (world->drops <= KINI_MANY_DROPS) world->drops = 0;
    if (steps == 0) kini_stage_pending(world);
    else world->dt = (float)interval;
    for (i = 0; i < steps; i++) kini_run_stages(world);
    return (int)steps;
}
