/* SPDX-License-Identifier: MIT OR Unlicense

   apart.c: stage 7, body against body. Bodies that overlap are moved apart before they are taken out of the level:
   pushables yield to unpushables, equals share, a body that stands is moved along its ground. The last round puts those
   that have no room beside each other on top. Each move is swept and at most half a body wide; velocity stays. */
#include "stages.h"

/* The translation that takes a away from b: the shortest (of length `depth`) for a slight overlap, for a deep one
   across up, or `over` the other where there was no room beside it. */
static bool kini_way_apart(const kin_world *world, const kini_body *a, const kini_body *b, bool over, kini_way *out,
                           float *depth)
{
    kini_way      ways[KINI_MAX_WAYS];
    kini_sum      sum;
    kini_obstacle o;
    int           i, count;
    kini_pair_obstacle(world, a, b, false, &o, &sum);
    count = kini_obstacle_ways(&o, kini_vec_zero(), ways, KINI_MAX_WAYS);
    if (count == 0 || ways[0].length < kini_overlap_at(world, world->things.at[a->slot].p)) return false;
    *out = ways[0];
    *depth = ways[0].length;
    if (ways[0].length <= KINI_DEEP_PAIR * world->desc.unit) return true;
    if (kini_carrier(world, a) == b || kini_carrier(world, b) == a) return true;   /* a stack is lifted, however far */
    for (i = 0; i < count; i++) {
        float rise = kini_abs(kini_dot(ways[i].axis, kini_pair_up(a, b)));
        if (over ? rise > KINI_MOSTLY : rise < KINI_LEVEL_COS) { *out = ways[i]; return true; }
    }
    return true;
}

/* ---- undoing the motion of a jam --------------------------------------------------------------------------------- */

/* Did stage 6 leave these two deeper in each other than the step found them? Then both motions are undone. */
static bool kini_is_jam(const kin_world *world, kini_body *a, kini_body *b, float depth)
{
    kini_sum      sum;
    kini_obstacle o;
    kin_vec       normal;
    float         before;
    if (a->cut && b->cut) return false;
    kini_pair_obstacle(world, a, b, true, &o, &sum);
    before = kini_greater(-kini_obstacle_gap(&o, kini_vec_zero(), &normal), 0);
    a->overlap = kini_greater(a->overlap, before);
    b->overlap = kini_greater(b->overlap, before);
    return depth > before + kini_overlap_at(world, a->start.p);
}

/* Undoes the own and pushed motion of a body, and what a belt has moved it; movers have moved it all the same. */
static void kini_cut(kin_world *world, int32_t row)
{
    kini_body *body = &world->bodies.at[row];
    kin_vec    path = body->path;
    if (body->cut) return;
    body->cut = true;
    body->turned_at = body->start.p;
    kini_set_path(world, row, kini_pressing_mover(world, body->stand.id) >= 0 ? body->carry : kini_vec_zero());
    if (!kini_is_zero(body->pressed) && !(body->last_state & KINI_BODY_CRUSHED))   /* else that was a way out */
        kini_swept_push(world, row, kini_unit(body->pressed), kini_len(body->pressed), 0);
    if (!kini_is_zero(kini_sub(path, body->path))) body->velocity = body->leftover = body->given = kini_vec_zero();
}

/* Bodies that were put back may be in the way of others; riders and what they pushed go back with them, each once. */
static void kini_cut_jam(kin_world *world, int32_t i, int32_t j)
{
    kini_cut(world, i);
    kini_cut(world, j);
    while (world->queue.count > 0 || kini_withdraw_all(world)) {
        int32_t row = kini_next_queued(world);
        int     k, count = kini_path_neighbours(world, row);
        for (k = 0; k < count; k++) {
            int32_t    other = world->neighbours.at[k];
            kini_body *body = &world->bodies.at[row], *beside = &world->bodies.at[other];
            bool       rides = kini_carrier(world, beside) == body;
            kini_way   way;
            float      depth;
            if (!rides && !(kini_pair_solid(world, body->slot, beside->slot) &&
                            kini_way_apart(world, body, beside, false, &way, &depth) &&
                            kini_is_jam(world, body, beside, depth))) continue;
            kini_cut(world, other);
            if (!rides) kini_cut(world, row);
            if (body->queued) break;   /* it is elsewhere now */
        }
    }
}

/* ---- moving apart ------------------------------------------------------------------------------------------------ */

static float kini_move_apart(kin_world *world, int32_t row, kin_vec direction, float amount)
{
    float most = 0.5f * kini_solid_of(world, &world->things.at[world->bodies.at[row].slot]).width;
    if (!(amount > 0)) return 0;
    return kini_swept_push(world, row, direction, kini_lesser(amount, most), KINI_WITH_MOVERS | KINI_WITH_BODIES);
}

/* If one is blocked, the other moves. An overlap is not handed on to other bodies. */
static void kini_take_apart(kin_world *world, int32_t i, int32_t j, const kini_way *way)
{
    int   a = world->bodies.at[i].options.push == KIN_UNPUSHABLE;
    int   b = world->bodies.at[j].options.push == KIN_UNPUSHABLE;
    float rise = kini_dot(way->axis, kini_pair_up(&world->bodies.at[i], &world->bodies.at[j])), done;
    float amount = way->length + kini_skin_at(world, world->bodies.at[i].start.p), share = 0.5f * (float)(1 - a + b);
    kini_note_drive(&world->bodies.at[i], &world->bodies.at[j]);
    kini_note_drive(&world->bodies.at[j], &world->bodies.at[i]);
    if (kini_abs(rise) > KINI_MOSTLY) share = rise > 0 ? 1.0f : 0.0f;   /* the upper one goes up */
    done = kini_move_apart(world, i, way->axis, amount * share) +
           kini_move_apart(world, j, kini_neg(way->axis), amount * (1 - share));
    if (done >= way->length) return;
    done += kini_move_apart(world, j, kini_neg(way->axis), amount - done);
    if (done < way->length) kini_move_apart(world, i, way->axis, amount - done);
}

/* Only bodies that overlapped in one round can in the next: bit 1 of `asked` is for the last, bit 0 for this one. */
enum { KINI_OVERLAPS = 1, KINI_OVERLAPPED = 2 };

/* Round -1 undoes jams; in the last of several, bodies go over each other. True if any overlapped. */
static bool kini_apart_round(kin_world *world, int32_t row, int32_t round)
{
    bool any = false, over = round > 0 && round == world->desc.max_rounds - 1;
    int  k, count = world->bodies.at[row].asked & KINI_OVERLAPPED ? kini_path_neighbours(world, row) : 0;
    for (k = 0; k < count; k++) {
        int32_t    other = world->neighbours.at[k];
        kini_body *a = &world->bodies.at[row], *b = &world->bodies.at[other];
        kini_way   way;
        float      depth;
        if (b->rank < a->rank && (b->asked & KINI_OVERLAPPED)) continue;   /* it asked first */
        if (!kini_pair_solid(world, a->slot, b->slot)) continue;
        if (round >= 0 && ((a->last_state | b->last_state) & KINI_BODY_CRUSHED)) continue;   /* pressed: stays so */
        if (!kini_way_apart(world, a, b, over, &way, &depth)) continue;
        a->asked |= KINI_OVERLAPS;
        b->asked |= KINI_OVERLAPS;
        any = true;
        if (round >= 0) kini_take_apart(world, row, other, &way);
        else if (kini_is_jam(world, a, b, depth)) {
            kini_cut_jam(world, row, other);
            count = kini_path_neighbours(world, row);   /* it is elsewhere now */
            k = -1;
        }
    }
    return any;
}

KINI_PART void kini_stage_apart(kin_world *world)
{
    int32_t i, round;
    bool    any = kini_crowd_meets(world);
    for (round = -1; any && round < world->desc.max_rounds; round++) {
        any = false;
        for (i = 0; i < world->order.count; i++) {
            kini_body *body = &world->bodies.at[world->order.at[i]];
            body->asked = round > 0 ? (body->asked & KINI_OVERLAPS) * KINI_OVERLAPPED : KINI_OVERLAPPED;
        }
        for (i = 0; i < world->order.count; i++)
            if (kini_apart_round(world, world->order.at[i], round)) any = true;
    }
}

/* ---- heaps: more than KINI_HEAP bodies hold the middle of one of them. Pairs would grow with the square of their
   number, so they are scattered first, each to its own place on a spiral, in 3D on spirals above each other. ------- */

typedef struct kini_here { const kin_world *world; kini_solid dot; kin_pose at; int32_t rank, all, before; } kini_here;

/* Counts bodies that hold the point, up to as many as make a heap, and boxes of those that come before. */
static float kini_count_here(void *context, int32_t item)
{
    kini_here        *here = (kini_here *)context;
    const kini_thing *thing = &here->world->things.at[item];
    uint32_t          slot = (uint32_t)item;
    if (!kini_takes_part(here->world, slot) || !kini_boxes_meet(thing->lo, thing->hi, here->at.p, here->at.p)) return 1;
    if (here->all <= KINI_HEAP && kini_thing_gap(here->world, slot, &here->dot, here->at, 0) < 0) here->all++;
    if (here->world->bodies.at[thing->row].rank < here->rank) here->before++;
    return 1;
}

/* The numbers of bodies in their heaps; 0: the first, or not in a heap. */
static void kini_number_rows(kin_world *world, int32_t first, int32_t end)
{
    for (; first < end; first++) {
        kini_body        *body = &world->bodies.at[world->order.at[first]];
        const kini_thing *thing = &world->things.at[body->slot];
        kini_here         here;
        kini_clear(&here, sizeof here);
        here.world = world;
        here.at = kini_pose(kini_scale(kini_add(thing->lo, thing->hi), 0.5f), kini_unturned());
        here.rank = body->rank;
        if (kini_meets_bodies(world, body->slot) &&   /* of leaves, which are wider, there are mostly fewer */
            kini_collect_bodies(world, body->slot, here.at.p, here.at.p, world->found.at, KINI_HEAP) > KINI_HEAP)
            kini_tree_visit(&world->trees[KIN_BODY], here.at.p, here.at.p, kini_vec_zero(), kini_count_here, &here);
        body->asked = here.all > KINI_HEAP ? here.before : 0;
    }
}

static void kini_scatter(kin_world *world, kini_body *body, int32_t number)
{
    const kini_thing *thing = &world->things.at[body->slot];
    float             size = KINI_HEAP_ROOM * 0.5f * kini_largest(kini_sub(thing->hi, thing->lo));
    float             far, sine, cosine, rise;
    int32_t           layer = KINI_DIM == 3 ? number / KINI_HEAP_LAYER : 0;
    kini_near         near;
    kini_slide        slide;
    kini_sine(KINI_GOLDEN_ANGLE * (float)(number % 4096), &sine, &cosine);
    far = size * kini_sqrt((float)(number - layer * KINI_HEAP_LAYER));
    kini_clear(&slide, sizeof slide);
    slide.travel = kini_with(kini_with(kini_vec_zero(), 0, far * cosine), 1, size * (float)layer);
    slide.travel = kini_with(slide.travel, KINI_DIM - 1, far * sine);
    rise = kini_dot(slide.travel, body->up);
    if (rise < 0) slide.travel = kini_madd(slide.travel, body->up, -2 * rise);   /* there is mostly a floor below */
    slide.skin = kini_skin_at(world, thing->p);
    kini_near_motion(world, &near, body->slot, 0, KINI_WITH_MOVERS, slide.travel, 4 * slide.skin);
    kini_slide_run(world, &near, &slide);
    kini_place(world, body->slot, kini_add(near.origin, slide.x), near.turn);
    body->start.p = body->turned_at = world->things.at[body->slot].p;
}

KINI_PART void kini_scatter_heaps(kin_world *world)
{
    int32_t i;
    if (world->order.count <= KINI_HEAP || !kini_crowd_meets(world)) return;
    kini_share_rows(world, kini_number_rows, world->order.count);
    for (i = 0; i < world->order.count; i++) {
        kini_body *body = &world->bodies.at[world->order.at[i]];
        if (body->asked > 0) kini_scatter(world, body, body->asked);
    }
}
