/* SPDX-License-Identifier: MIT OR Unlicense

   kept.c: the things around each body, kept from one search to the next.

   A search of the trees of statics and movers takes in a margin, and what it finds is kept with the box that was
   searched. A later search within that box reads the list. Every use applies the exact tests of a fresh search, so
   neither the margin nor the age of a list can be seen in a result.
   A thing that gets another leaf drops the lists whose box that leaf meets. A removed thing fails the tests until its
   slot is used again, which drops the list. Lists are found by the leaf of their body: no box is longer than
   KINI_KEPT_LENGTH, a sweep asks for its whole way and so renews the list, and a teleport out of the box drops it.

   With the list goes the open floor: places from which a body on level ground reaches only that ground and pieces lower
   than its feet. Level motion within it hits nothing and is not swept. A mover's rider may be carried downwards: for it
   all other pieces count. Within a part of it, the body touches nothing but the box that it stands on. */
#include "things.h"

KINI_PART void kini_forget_kept(kin_world *world)
{
    kini_clear(world->kept.at, (size_t)world->kept.capacity * sizeof *world->kept.at);
}

/* ---- changes of the level ---------------------------------------------------------------------------------------- */

KINI_PART void kini_level_changed(kin_world *world, kin_vec lo, kin_vec hi)
{
    kin_vec far = kini_all(KINI_KEPT_LENGTH * world->desc.unit);
    int32_t i, count = kini_tree_collect(&world->trees[KIN_BODY], kini_sub(lo, far), kini_add(hi, far),
                                         world->found.at, world->found.capacity / 2);   /* loading uses the rest */
    for (i = 0; i < count; i++) {
        kini_kept *kept = &world->kept.at[world->things.at[world->found.at[i]].row];
        if (kini_boxes_meet(kept->lo, kept->hi, lo, hi)) kini_clear(kept, sizeof *kept);
    }
}

KINI_PART void kini_leaf_changed(kin_world *world, const kini_thing *thing, kin_vec lo, kin_vec hi)
{
    kini_kept *kept;
    if (thing->kind != KIN_BODY) { kini_level_changed(world, lo, hi); return; }
    kept = &world->kept.at[thing->row];
    if (!kini_boxes_meet(kept->lo, kept->hi, lo, hi)) kini_clear(kept, sizeof *kept);
}

/* ---- searching --------------------------------------------------------------------------------------------------- */

/* Searches a box with a margin on all sides, and further ahead where the body is going. */
static void kini_keep(kin_world *world, kini_kept *kept, const kini_body *body, kin_vec lo, kin_vec hi)
{
    kin_vec margin = kini_all(KINI_KEEP * world->desc.unit), most = kini_scale(margin, 4);
    kin_vec ahead = kini_scale(body->motion, 8 * world->dt);
    int32_t i, room = world->found.capacity;
    ahead = kini_upper(kini_lower(ahead, most), kini_neg(most));
    lo = kini_sub(kini_lower(lo, kini_add(lo, ahead)), margin);
    hi = kini_add(kini_upper(hi, kini_add(hi, ahead)), margin);
    kini_clear(kept, sizeof *kept);
    kept->count = -1;
    if (kini_largest(kini_sub(hi, lo)) > KINI_KEPT_LENGTH * world->desc.unit) return;
    kept->lo = lo;
    kept->hi = hi;
    i = kini_tree_collect(&world->trees[KIN_STATIC], lo, hi, world->found.at, room);
    i += kini_tree_collect(&world->trees[KIN_MOVER], lo, hi, world->found.at + i, room - i);
    if (i > KINI_MAX_KEPT) return;
    kept->count = i;
    while (i-- > 0) kept->slots[i] = world->found.at[i];
}

KINI_PART kini_kept *kini_kept_around(kin_world *world, uint32_t slot, kin_vec lo, kin_vec hi)
{
    const kini_thing *thing = &world->things.at[slot];
    kini_kept        *kept;
    if (thing->kind != KIN_BODY) return NULL;
    kept = &world->kept.at[thing->row];
    if (!kini_box_holds(kept->lo, kept->hi, lo, hi)) kini_keep(world, kept, &world->bodies.at[thing->row], lo, hi);
    return kept->count >= 0 ? kept : NULL;
}

/* ---- open floor -------------------------------------------------------------------------------------------------- */

KINI_PART uint32_t kini_carrier_slot(const kin_world *world, const kini_body *body)
{
    return kini_mover_row(world, &world->things.at[body->stand.id.slot]) >= 0 ? body->stand.id.slot : 0;
}

/* Along an axis of the world, so that level motion keeps its height to the bit. */
KINI_PART bool kini_stands_level(const kini_body *body)
{
    return kini_is_zero(kini_sub(body->stand.normal, body->up)) && !(kini_largest(kini_magnitudes(body->up)) < 1);
}

KINI_PART bool kini_is_open(const kin_world *world, const kini_body *body, kin_vec travel, float above)
{
    const kini_thing *thing = &world->things.at[body->slot];
    const kini_kept  *kept = &world->kept.at[thing->row];
    kin_vec           to = kini_add(thing->p, travel);
    if (kept->open <= 0 || !kini_is_zero(kini_sub(thing->p, kept->at))) return false;
    if (kept->carrier != 0 && (!kini_stands(body) || kept->carrier != body->stand.id.slot)) return false;
    if (kini_dot(to, body->up) < kept->height + above || kini_largest(kini_magnitudes(travel)) > world->desc.unit)
        return false;
    return kini_box_holds(kept->open_lo, kept->open_hi, kini_lower(thing->p, to), kini_upper(thing->p, to));
}

KINI_PART void kini_go_openly(kin_world *world, const kini_body *body, kin_vec to)
{
    kini_shift(world, body->slot, to, world->things.at[body->slot].q);
    world->kept.at[world->things.at[body->slot].row].at = to;
}

/* Takes the places from which the body reaches a box off an open box, on the side where they are furthest away. */
static void kini_close_box(kin_vec lo, kin_vec hi, kin_vec at, kin_vec *open_lo, kin_vec *open_hi)
{
    kin_vec below = kini_sub(lo, at), above = kini_sub(at, hi);
    float   most = kini_greater(kini_largest(below), kini_largest(above));
    int     axis;
    for (axis = 0; kini_at(below, axis) < most && kini_at(above, axis) < most; axis++) {}
    if (kini_at(below, axis) >= most)
        *open_hi = kini_with(*open_hi, axis, kini_lesser(kini_at(*open_hi, axis), kini_at(lo, axis)));
    else
        *open_lo = kini_with(*open_lo, axis, kini_greater(kini_at(*open_lo, axis), kini_at(hi, axis)));
}

/* False if another mover, or a sensor of a body, is kept: it may come from anywhere within its leaf. */
static bool kini_close_pieces(const kin_world *world, const kini_near *near, kin_vec up, kini_kept *kept)
{
    float low = -0.5f * kini_skin_at(world, near->origin), touch = 2 * kini_touch_at(world, near->origin);
    int   i;
    for (i = 0; i < kept->count; i++) {
        const kini_thing *thing = &world->things.at[kept->slots[i]];
        if ((thing->kind == KIN_MOVER || (thing->flags & KINI_ATTACHED)) && (uint32_t)kept->slots[i] != kept->carrier)
            return false;
    }
    for (i = 0; i < near->count; i++) {
        const kini_obstacle *o = &world->pieces.at[i].obstacle;
        kin_vec              half = kini_add(o->half, kini_all(o->radius)), at = kini_add(near->origin, o->centre);
        uint32_t             slot = world->pieces.at[i].slot;
        float                top = kini_obstacle_extent(o, up);
        bool                 convex = world->things.at[slot].form == KINI_FORM_SHAPE;
        if (!(kept->carrier == slot ? convex || top < low : top < low && kept->height > -KINI_FLT_MAX))
            kini_close_box(kini_sub(at, half), kini_add(at, half), near->origin, &kept->open_lo, &kept->open_hi);
        if (kept->floor == slot || kept->floor == 0 || top < -touch) continue;
        if (top < low) {   /* beside the floor and no higher, rounded edges reach a foot only near their core */
            float beside = kini_sqrt(touch * (2 * o->radius + touch));
            half = kini_madd(kini_add(o->half, kini_all(beside)), kini_magnitudes(up), o->radius - beside);
        }
        kini_close_box(kini_sub(at, half), kini_add(at, half), near->origin, &kept->floor_lo, &kept->floor_hi);
    }
    return true;
}

/* The slot of the box that a body, whose core is one too, stands on; 0: another ground. */
static uint32_t kini_floor_slot(const kin_world *world, const kini_body *body)
{
    const kini_thing *thing = &world->things.at[body->slot], *ground = &world->things.at[body->stand.id.slot];
    kini_solid        solid;
    kin_vec           half;
    if (body->stand.footing != KIN_STABLE || ground->kind == KIN_BODY || ground->form != KINI_FORM_SHAPE) return 0;
    if (!kini_stands_level(body)) return 0;
    if ((ground->flags & KINI_ONE_WAY) || world->shapes.at[ground->shape].hull >= 0) return 0;
    solid = kini_solid_of(world, thing);
    return kini_is_unturned(ground->q) && kini_solid_is_box(&solid, thing->q, &half) ? body->stand.id.slot : 0;
}

KINI_PART bool kini_is_on_floor(const kin_world *world, const kini_body *body)
{
    kin_vec          p = world->things.at[body->slot].p;
    const kini_kept *kept = &world->kept.at[world->things.at[body->slot].row];
    return kept->floor == body->stand.id.slot && kini_box_holds(kept->floor_lo, kept->floor_hi, p, p) &&
           kini_is_open(world, body, kini_vec_zero(), 0);
}

/* A body that stands on the level does not go lower while it does. Of others, all pieces count. */
KINI_PART void kini_measure_open(kin_world *world, int32_t row)
{
    const kini_body  *body = &world->bodies.at[row];
    const kini_thing *thing = &world->things.at[body->slot];
    kini_kept        *kept = &world->kept.at[row];
    kin_vec           margin = kini_all(2 * kini_touch_at(world, thing->p)), ahead;
    bool              stands = body->stand.footing == KIN_STABLE;
    uint32_t          carrier = stands ? kini_carrier_slot(world, body) : 0;
    kini_near         near;
    if (world->rests || kept->open < 0 || kept->count < 0 || world->desc.collide) return;
    if (body->state & KINI_BODY_DROPS) return;   /* the search leaves out what it drops through */
    if ((stands && carrier == 0 && !kini_stands_level(body)) || !kini_same_rot(thing->q, body->start.q)) return;
    ahead = kini_add(thing->p, kini_scale(kini_sub(thing->p, body->start.p), 2));
    kept->at = thing->p;
    if (kini_is_open(world, body, kini_sub(ahead, thing->p), 0) &&
        (body->contact_count != 1 || kini_floor_slot(world, body) == 0 || kini_is_on_floor(world, body)))
        return;
    kept->open = 1;
    kept->floor = kini_floor_slot(world, body);
    kept->carrier = carrier;
    kept->height = stands && kept->carrier == 0 ? kini_dot(thing->p, body->up) : -KINI_FLT_MAX;
    kept->open_lo = kini_add(kept->lo, kini_sub(thing->p, thing->lo));
    kept->open_hi = kini_sub(kept->hi, kini_sub(thing->hi, thing->p));
    kept->floor_lo = kept->open_lo;
    kept->floor_hi = kept->open_hi;
    near.skip = 0;
    near.with = KINI_WITH_MOVERS;
    kini_near_begin(world, &near, body->slot, kept->lo, kept->hi);
    kini_near_first(world, &near);
    if (!kini_close_pieces(world, &near, body->up, kept) || !near.whole) kept->open = -1;
    kept->open_lo = kini_add(kept->open_lo, margin);
    kept->open_hi = kini_sub(kept->open_hi, margin);
    kept->floor_lo = kini_add(kept->floor_lo, margin);
    kept->floor_hi = kini_sub(kept->floor_hi, margin);
    if (!kini_is_open(world, body, kini_sub(ahead, thing->p), 0)) kept->open = -1;
}
