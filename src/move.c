/* SPDX-License-Identifier: MIT OR Unlicense

   move.c: a body's own motion outside the step: what would it run into, and move and slide now. */
#include "stages.h"

/* Nothing is written to the world here, nor is its scratch used: several threads may ask. */
typedef struct kini_trial {
    kini_ask   ask;                   /* must come first: its `each` and visitors get no other pointer */
    kini_solid solid;
    uint32_t   slot;
    kin_vec    across;                /* of a passage: the side of its first wall, */
    float      room;                  /* ... and how much wider than the body it is */
} kini_trial;

static bool kini_stops_trial(const kini_trial *trial, uint32_t slot)
{
    const kin_world  *world = trial->ask.world;
    const kini_thing *thing = &world->things.at[slot];
    if (slot == trial->slot || (thing->flags & KINI_SENSOR) || !kini_meets(world, trial->slot, slot)) return false;
    return thing->kind != KIN_BODY || kini_pair_solid(world, slot, trial->slot);
}

static bool kini_narrow_passage(kini_ask *ask)
{
    kini_trial *trial = (kini_trial *)ask;
    if (kini_dot(ask->next.normal, trial->across) < KINI_OPPOSED)
        trial->room = kini_lesser(trial->room, ask->next_gap);
    return false;
}

static float kini_passage_visit(void *context, int32_t item)
{
    kini_trial *trial = (kini_trial *)context;
    if (!(trial->ask.world->things.at[item].flags & KINI_ONE_WAY) && kini_stops_trial(trial, (uint32_t)item))
        kini_ask_thing(&trial->ask, (uint32_t)item);
    return 1;
}

/* The room on the side of x that is opposite to `across`; KINI_FLT_MAX: enough. */
static float kini_trial_room(const kini_ask *ask, kin_vec x, kin_vec across)
{
    kini_trial trial = *(const kini_trial *)ask;
    trial.ask = kini_question(ask->world, ask->solid, kini_pose(kini_add(ask->at.p, x), ask->at.q),
                              KINI_SENSOR | KINI_ONE_WAY);
    trial.ask.each = kini_narrow_passage;
    trial.ask.limit = 3 * KINI_SLOP * ask->world->desc.unit;
    trial.across = across;
    trial.room = KINI_FLT_MAX;
    kini_ask_all(&trial.ask, KIN_MOVER, kini_passage_visit);
    return trial.room;
}

/* Not what leads out of an overlap, nor seams of a wall that it is in by no more than the slop, nor, by the rule of
   kini_fits, walls of a passage as wide as the body. */
static bool kini_in_the_way(kini_ask *ask)
{
    const kini_thing *thing = &ask->world->things.at[ask->next.id.slot];
    const kini_tile  *tile = kini_is_tiles(thing) ? kini_tile_of(ask->world, thing, ask->next.part) : NULL;
    float             slop = KINI_SLOP * ask->world->desc.unit;
    kini_wall         wall;
    if (kini_dot(ask->next.normal, ask->travel) >= 0) return false;
    if (thing->kind == KIN_BODY || ((tile ? tile->flags : thing->flags) & KINI_ONE_WAY)) return true;
    wall.x = kini_scale(ask->travel, ask->next.t);
    wall.side = 0;
    while (kini_next_wall(ask->piece, thing->q, ask->solid->reach, slop, ask->next.normal, ask->travel, &wall))
        if (kini_trial_room(ask, kini_vec_zero(), kini_neg(wall.to)) < 0 ||
            kini_abs(kini_trial_room(ask, wall.inside, wall.to)) <= 2 * slop)
            return false;
    return true;
}

static float kini_trial_visit(void *context, int32_t item)
{
    kini_trial *trial = (kini_trial *)context;
    if (kini_stops_trial(trial, (uint32_t)item) && kini_ask_thing(&trial->ask, (uint32_t)item))
        kini_keep_best(&trial->ask);
    return 1;
}

KIN_API bool kin_test_move(const kin_world *world, kin_id body, kin_vec travel, kin_hit *hit)
{
    const kini_thing *thing;
    kini_trial        trial;
    uint32_t          slot;
    if (hit) kini_clear(hit, sizeof *hit);
    slot = kini_check_kind(world, __func__, "body", body, KIN_BODY);
    if (!slot || !kini_check_vec(world, __func__, "travel", travel, KINI_FURTHEST)) return false;
    thing = &world->things.at[slot];
    trial.slot = slot;
    trial.solid = kini_solid_of(world, thing);
    trial.ask = kini_question(world, &trial.solid, kini_pose(thing->p, thing->q), KINI_SENSOR | KINI_OUTWARD_ONLY);
    trial.ask.travel = travel;
    trial.ask.casts = trial.ask.sides = true;
    trial.ask.each = kini_in_the_way;
    kini_ask_all(&trial.ask, KIN_BODY, kini_trial_visit);
    if (trial.ask.any && hit) *hit = kini_full_hit(&trial.ask, trial.ask.best);
    return trial.ask.any;
}

/* The game may have moved the body off its ground; on an edge and in a wedge, which are steep, it stands as before. */
static void kini_stand_again(kin_world *world, kini_near *near, const kini_body *body, kini_slide *slide)
{
    kini_probe  probe = kini_probe_still(kini_vec_zero(), kini_scale(body->up, -kini_touch_at(world, near->origin)),
                                         slide->skin);
    kini_impact impact;
    bool        below;
    if (kini_is_zero(slide->ground)) return;
    below = kini_first_impact(world, near, &probe, &impact);
    if (below && body->stand.support != KINI_IN_WEDGE && kini_dot(impact.normal, body->up) >= slide->stable_cos)
        slide->ground = impact.normal;
    else if (!below || !(body->stand.support == KINI_IN_WEDGE || impact.piece.slot == body->stand.id.slot)) {
        slide->ground = kini_vec_zero();
        slide->step_height = 0;
    }
}

/* Moves a body and finds what it met, into `out`; how many. */
static int kini_move_body(kin_world *world, uint32_t slot, kin_vec travel, kin_vec *travelled, kin_hit *out,
                          int capacity)
{
    kini_body  *row = &world->bodies.at[world->things.at[slot].row];
    kini_near   near;
    kini_slide  slide;
    kin_vec     to;
    float       margin;
    int         i;
    kini_slide_rules(world, row, &slide);
    slide.hits = out;
    slide.hit_room = capacity;
    slide.senses = false;
    slide.bodies = true;
    if (kini_dot(travel, row->up) > 0) slide.ground = kini_vec_zero();
    slide.travel = travel;
    margin = 4 * slide.skin + kini_touch_at(world, world->things.at[slot].p) + slide.nudge + slide.step_height;
    kini_near_motion(world, &near, slot, 0, KINI_WITH_MOVERS | KINI_WITH_BODIES, travel, margin);
    kini_stand_again(world, &near, row, &slide);
    kini_slide_run(world, &near, &slide);
    to = kini_add(near.origin, slide.x);
    kini_limit_place(world, &to);
    kini_place(world, slot, to, near.turn);
    row->state |= KINI_BODY_RENEW;
    if (kini_is_live(world, row->stand.id)) {   /* in stage 3 its ground has gone ahead */
        uint32_t under = kini_owner_slot(world, row->stand.id.slot);
        row->stand.local = kini_to_local(kini_pose_at(world, under, world->stage == 3 ? 0.0f : 1.0f), to);
    }
    row->turned_at = kini_add(near.origin, slide.turned_at);
    for (i = 0; i < slide.hit_count && i < capacity; i++) {
        kin_hit *hit = &out[i];
        kin_pose at = kini_pose(kini_add(near.origin, hit->point), near.turn);
        hit->id = kini_id_of(world, hit->id.slot);
        if (kini_is_tiles(&world->things.at[hit->id.slot]))
            hit->part = kini_tiles_part(world, hit->id.slot, hit->part, &near.solid, at, hit->normal);
        hit->point = kini_point_on(world, hit->id.slot, hit->part, &near.solid, at, hit->normal);
    }
    *travelled = kini_sub(to, near.origin);
    return slide.hit_count;
}

KIN_API kin_vec kin_move(kin_world *world, kin_id body, kin_vec travel)
{
    kin_vec  travelled = kini_vec_zero();
    uint32_t slot = kini_check_kind(world, __func__, "body", body, KIN_BODY);
    if (slot && kini_check_unasked(world, __func__) &&
        kini_check_vec(world, __func__, "travel", travel, KINI_FURTHEST))
        kini_move_body(world, slot, travel, &travelled, NULL, 0);
    return travelled;
}

KIN_API int kin_move_hits(kin_world *world, kin_id body, kin_vec travel, kin_vec *travelled, kin_hit *out, int capacity)
{
    uint32_t   slot = kini_check_kind(world, __func__, "body", body, KIN_BODY);
    kin_vec    went;
    kini_near  near;
    kini_body *row;
    int        count;
    if (travelled) *travelled = kini_vec_zero();
    if (!slot || !kini_check_vec(world, __func__, "travel", travel, KINI_FURTHEST)) return 0;
    if (!kini_check_unasked(world, __func__) || !kini_check_list(world, __func__, out, capacity)) return 0;
    count = kini_move_body(world, slot, travel, &went, out, capacity);
    if (travelled) *travelled = went;
    if (world->stage >= 4 || !kini_takes_part(world, slot)) return count;
    /* Contacts after the move; those of emitted events stay for the next step to compare with. */
    row = &world->bodies.at[world->things.at[slot].row];
    kini_wake(world, world->things.at[slot].row);
    if (!kini_keeps_last(world, row)) row->last = row->stand;
    row->state = (row->state & ~(uint32_t)KINI_BODY_TELEPORTED) | KINI_BODY_MOVED;
    kini_hide_contacts(world, world->things.at[slot].row);
    kini_near_motion(world, &near, slot, 0, KINI_WITH_MOVERS | KINI_WITH_BODIES, kini_vec_zero(),
                     2 * kini_touch_at(world, world->things.at[slot].p));
    kini_ground_now(world, &near, world->things.at[slot].row);
    return count;
}
