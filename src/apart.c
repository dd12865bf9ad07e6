/* SPDX-License-Identifier: MIT OR Unlicense

   apart.c: stage 7, body against body. Bodies that overlap (spawned on one spot, or left so by a crowd) are moved apart
   before the level has its say: pushables yield to unpushables, equals share, and whoever stands is moved along the
   ground rather than lifted; only those that the other rounds did not part are put over each other in the last, so that
   a heap without room beside it becomes a pile. Each move is swept and at most half as wide as the body; velocity is
   not touched. */
#include "internal.h"

static bool kini_stands_on(const kini_body *a, const kini_body *b)
{
    return a->stand.footing == KIN_STABLE && a->stand.id.slot == b->slot;
}

/* The way that takes a away from b, shortest first; a slight overlap is undone the short way, a deep one across up:
   whoever stands, or is about to, keeps its height. Where that was no help, because there is no room beside each other,
   it is `over`. */
static bool kini_way_apart(const kin_world *world, const kini_body *a, const kini_body *b, bool over, kini_way *out)
{
    const kini_thing *s = &world->things.at[a->slot], *t = &world->things.at[b->slot];
    kini_solid        mine = kini_solid_of(world, s), theirs = kini_solid_of(world, t);
    kini_way          ways[KINI_MAX_WAYS];
    kini_sum          sum;
    kini_obstacle     o;
    int               i, count;
    if ((a->last_state | b->last_state) & KINI_BODY_CRUSHED) return false;   /* what is pressed together stays so */
    kini_obstacle_make(&o, &sum, &theirs, kini_pose(kini_sub(t->p, s->p), t->q), &mine, s->q);
    count = kini_obstacle_ways(&o, kini_vec_zero(), ways, KINI_MAX_WAYS);
    if (count == 0 || ways[0].length < KINI_OVERLAP * world->desc.unit + kini_far(world, s->p)) return false;
    *out = ways[0];
    if (ways[0].length <= KINI_DEEP_PAIR * world->desc.unit) return true;
    if (kini_stands_on(a, b) || kini_stands_on(b, a)) return true;   /* a stack is lifted, however far it has to be */
    for (i = 0; i < count; i++) {
        float rise = kini_abs(kini_dot(ways[i].axis, world->up));
        if (over ? rise > 0.7f : rise < 0.3f) { *out = ways[i]; return true; }
    }
    return true;
}

static float kini_move_apart(kin_world *world, int32_t row, kin_vec direction, float amount)
{
    kini_solid solid = kini_solid_of(world, &world->things.at[world->bodies.at[row].slot]);
    if (!(amount > 0)) return 0;
    return kini_swept_push(world, row, direction, kini_lesser(amount, 0.5f * solid.width), KINI_WITH_MOVERS);
}

/* What one cannot do, the other has to. */
static void kini_take_apart(kin_world *world, int32_t i, int32_t j, const kini_way *way)
{
    int   a = world->bodies.at[i].options.push == KIN_UNPUSHABLE;
    int   b = world->bodies.at[j].options.push == KIN_UNPUSHABLE;
    float rise = kini_dot(way->axis, world->up);
    float amount = way->length + kini_skin_at(world, world->bodies.at[i].start.p), share = 0.5f, done;
    if (a != b) share = a ? 0.0f : 1.0f;
    if (kini_abs(rise) > 0.7f) share = rise > 0 ? 1.0f : 0.0f;   /* the upper one goes up */
    done = kini_move_apart(world, i, way->axis, amount * share) +
           kini_move_apart(world, j, kini_neg(way->axis), amount * (1 - share));
    if (done >= way->length) return;
    done += kini_move_apart(world, j, kini_neg(way->axis), amount - done);
    if (done < way->length) kini_move_apart(world, i, way->axis, amount - done);
}

static bool kini_apart_round(kin_world *world, int32_t row, bool over)
{
    bool any = false;
    int  k, count = kini_path_neighbours(world, row);
    for (k = 0; k < count; k++) {
        int32_t  other = world->neighbours.at[k];
        kini_way way;
        if (world->bodies.at[other].rank < world->bodies.at[row].rank) continue;
        if (!kini_pair_solid(world, world->bodies.at[row].slot, world->bodies.at[other].slot)) continue;
        if (!kini_way_apart(world, &world->bodies.at[row], &world->bodies.at[other], over, &way)) continue;
        kini_take_apart(world, row, other, &way);
        any = true;
    }
    return any;
}

KINI_PART void kini_stage_apart(kin_world *world)
{
    int32_t i, round;
    bool    any = world->live[KIN_BODY] > 1;
    for (round = 0; any && round < world->desc.max_rounds; round++) {
        any = false;
        for (i = 0; i < world->order.count; i++)
            if (kini_apart_round(world, world->order.at[i], round > 0 && round == world->desc.max_rounds - 1))
                any = true;
    }
}
