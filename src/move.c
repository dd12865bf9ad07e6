/* SPDX-License-Identifier: MIT OR Unlicense

   move.c: a body's own motion outside the step: what would it run into, and move and slide now. */
#include "stages.h"

typedef struct kini_trial {
    const kin_world *world;
    kini_solid       solid;
    kin_pose         from;
    kin_vec          travel;
    uint32_t         slot;
    kin_hit          best;
    float            gap;               /* to that at the start */
    bool             hit;
} kini_trial;

static float kini_trial_visit(void *context, int32_t item)
{
    kini_trial       *trial = (kini_trial *)context;
    uint32_t          slot = (uint32_t)item;
    const kini_thing *thing = &trial->world->things.at[slot], *self = &trial->world->things.at[trial->slot];
    const kini_body  *bodies = trial->world->bodies.at;
    kin_hit           hit;
    float             gap;
    if (slot == trial->slot || (thing->flags & KINI_SENSOR) || !kini_meets(trial->world, trial->slot, slot)) return 1;
    if (thing->kind == KIN_BODY && (bodies[thing->row].options.push == KIN_INTANGIBLE ||
                                    bodies[self->row].options.push == KIN_INTANGIBLE))
        return 1;
    if (!kini_thing_cast(trial->world, slot, &trial->solid, trial->from, trial->travel,
                         KINI_SENSOR | KINI_OUTWARD_ONLY, &hit, &gap))
        return 1;
    if (kini_dot(hit.normal, trial->travel) >= 0) return 1;   /* it leads out of what it overlaps */
    if (trial->hit && !kini_is_nearer(&hit, gap, &trial->best, trial->gap)) return 1;
    trial->best = hit;
    trial->gap = gap;
    trial->hit = true;
    return 1;
}

KIN_API bool kin_test_move(const kin_world *world, kin_id body, kin_vec travel, kin_hit *hit)
{
    const kini_thing *thing;
    kini_trial        trial;
    int               kind;
    uint32_t          slot;
    if (hit) kini_clear(hit, sizeof *hit);
    slot = kini_check_kind(world, __func__, "body", body, KIN_BODY);
    if (!slot || !kini_check_vec(world, __func__, "travel", travel, KINI_FURTHEST)) return false;
    thing = &world->things.at[slot];
    trial.world = world; trial.slot = slot; trial.travel = travel; trial.hit = false;
    trial.solid = kini_solid_of(world, thing);
    trial.from = kini_pose(thing->p, thing->q);
    for (kind = KIN_STATIC; kind <= KIN_BODY; kind++)
        kini_tree_visit(&world->trees[kind], thing->lo, thing->hi, travel, kini_trial_visit, &trial);
    if (trial.hit && hit) *hit = trial.best;
    return trial.hit;
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
    if (below && !body->stand.wedge && kini_dot(impact.normal, body->up) >= slide->stable_cos)
        slide->ground = impact.normal;
    else if (!below || !(body->stand.wedge || impact.piece.slot == body->stand.id.slot)) {
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
    if (kini_is_live(world, row->stand.id))
        row->stand.local = kini_to_local(kini_carrier_pose(world, &world->things.at[row->stand.id.slot]), to);
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
    /* Contacts of now; those that events have told stay for the next step to compare with. */
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
