/* SPDX-License-Identifier: MIT OR Unlicense

   stages.h: what the stages of a step offer each other. */
#ifndef KINI_STAGES_H
#define KINI_STAGES_H

#include "things.h"

/* ---- in parallel (islands.c) ------------------------------------------------------------------------------------- */

/* Work on rows 0 .. count - 1, by batches if there is a runner. */
KINI_PART void kini_share_rows(kin_world *world, kini_work_fn *work, int32_t count);
/* The same for work that chooses rows: it lists them in world->order from place `first` on, and sets its count. */
KINI_PART void kini_choose_rows(kin_world *world, kini_work_fn *work, int32_t count);
/* Lists bodies that are awake and take part, in world->order, with those that they wake. */
KINI_PART void kini_spread(kin_world *world);
/* Divides world->order into batches; false: they are to be worked on as one, by the calling thread. */
KINI_PART bool kini_find_islands(kin_world *world);
KINI_PART void kini_count_groups(kin_world *world);
KINI_PART bool kini_run_batches(kin_world *world, kini_work_fn *work);

/* ---- the stages -------------------------------------------------------------------------------------------------- */

KINI_PART void kini_stage_pending(kin_world *world);
KINI_PART void kini_stage_movers(kin_world *world);
KINI_PART void kini_stage_gather(kin_world *world);
KINI_PART void kini_stage_carry(kin_world *world);
KINI_PART void kini_stage_pairs(kin_world *world);
KINI_PART int  kini_path_neighbours(kin_world *world, int32_t row);
/* The broad phase covers the whole path of the body, so that bodies that cross it find it. */
KINI_PART void kini_cover_path(kin_world *world, const kini_body *body);
KINI_PART float kini_swept_push(kin_world *world, int32_t row, kin_vec direction, float amount, int with);
KINI_PART void kini_set_path(kin_world *world, int32_t row, kin_vec path);
KINI_PART int32_t kini_next_queued(kin_world *world);
/* Undoes pushes that ended, from pusher to pushed along whole rows. True if there were any. */
KINI_PART bool kini_withdraw_all(kin_world *world);
KINI_PART void kini_note_drive(kini_body *body, const kini_body *by);
/* Of 7, before 6: bodies that were put on one spot. */
KINI_PART void kini_scatter_heaps(kin_world *world);
KINI_PART void kini_stage_apart(kin_world *world);
/* b as an obstacle for a, with both where they are now, or where the step found them. */
KINI_PART void kini_pair_obstacle(const kin_world *world, const kini_body *a, const kini_body *b, bool at_start,
                                  kini_obstacle *out, kini_sum *room);
KINI_PART void kini_sense_all(kin_world *world);
KINI_PART bool kini_is_sensed(const kini_pairs *list, const kini_sensed *pair);
/* Removed inside this step? Contacts with it stay open, and end in the next. */
KINI_PART bool kini_is_just_removed(const kin_world *world, kin_id id);
KINI_PART void kini_stage_commit(kin_world *world);
/* Sorts world->order, carriers before their riders, unless the order can matter to nothing. */
KINI_PART void kini_order_bodies(kin_world *world);
KINI_PART kin_vec kini_start_seen(const kin_world *world, const kini_body *body, const kini_piece *piece);
KINI_PART void kini_depenetrate(kin_world *world, kini_near *near, int32_t row, kin_vec *x);
KINI_PART void kini_stage_free(kin_world *world);
KINI_PART void kini_find_ground(kin_world *world, kini_near *near, int32_t row, kin_vec *x);
KINI_PART bool kini_keep_ground(kin_world *world, kini_near *near, int32_t row, kin_vec *x);
/* On stable ground: what gravity and leftover gave is gone. */
KINI_PART void kini_stay(kini_body *body);
/* How much wider than the skin a gap at rest may be: a quarter of it; far away, where coordinates are coarse, half. */
static inline float kini_rest_slack(const kin_world *world, float skin)
{
    return 0.5f * skin - 0.25f * KINI_SKIN * world->desc.unit;
}

/* Has nothing but other bodies stopped, held or squeezed it in this step? */
KINI_PART bool kini_is_unhindered(const kin_world *world, int32_t row);

/* ---- open space (coast.c) ---------------------------------------------------------------------------------------- */

/* Stages 4 and 5 of a body that hits nothing, since it moves through open space; false: they have to look. */
KINI_PART bool kini_coast(kin_world *world, int32_t row);
/* Is that way, from where it is, free of the level for one that coasts? False if it has to be looked for. */
KINI_PART bool kini_is_clear(const kin_world *world, int32_t row, kin_vec way);
KINI_PART bool kini_is_way_open(kin_world *world, int32_t row, kin_vec to);   /* from where it is, beside its carrier */
/* Stages 7 to 9 of one that comes to a place there: it is still in the air, or on its floor. */
KINI_PART bool kini_stay_openly(kin_world *world, int32_t row, kin_vec p, bool known);
KINI_PART void kini_commit_body(kin_world *world, int32_t row);
/* Outside the stages: where it is now, after kin_move_hits. Velocities stay. */
KINI_PART void kini_ground_now(kin_world *world, kini_near *near, int32_t row);
KINI_PART bool kini_comes_on(const kin_world *world, uint32_t slot, kin_vec axis);
KINI_PART int32_t kini_pressing_mover(const kin_world *world, kin_id by);   /* -1: none */
KINI_PART void kini_find_crush(kin_world *world, kini_near *near, int32_t row, kin_vec x);
/* It is embedded in that level, and asks nothing more of it. */
KINI_PART void kini_bury(kin_world *world, int32_t row, uint32_t slot);
/* A mover that stops when blocked would crush: it is put back. */
KINI_PART bool kini_blocked_movers(kin_world *world);
/* A crushed body presses on those that it touches: all of a row that is held is crushed. */
KINI_PART void kini_crush_rows(kin_world *world);
KINI_PART void kini_mover_halt(kin_world *world, kini_mover *mover);

#endif
