/* SPDX-License-Identifier: MIT OR Unlicense

   coast.c: bodies in open space, for which stages 4, 5 and 8 need no search.

   With the things around a body go its open space: places from which it reaches nothing but the level ground that it
   stands on and pieces lower than its feet. Motion within it hits nothing. A mover's rider may be carried downwards:
   for it, and in the air, all other pieces count. Within a part of it, the floor, a body touches nothing but the one
   piece that it stands on, and that with its level top.
   The results are those of the stages, bit for bit: a build that forgets its caches runs these instead. */
#include "stages.h"

static bool kini_is_open(const kini_body *body, const kini_kept *kept, kin_vec at, float above)
{
    return kept->open > 0 && kini_dot(at, body->up) >= kept->height + above &&
           kini_box_holds(kept->open_lo, kept->open_hi, at, at);
}

static bool kini_is_on_floor(const kini_body *body, const kini_kept *kept, kin_vec at)
{
    return kept->floor == body->stand.id.slot && kept->part == body->stand.part &&
           kini_box_holds(kept->floor_lo, kept->floor_hi, at, at);
}

KINI_PART bool kini_is_clear(const kin_world *world, int32_t row, kin_vec way)
{
    const kini_kept *kept = &world->kept.at[row];
    const kini_body *body = &world->bodies.at[row];
    kin_vec          p = world->things.at[body->slot].p;
    return world->done.at[row] == KINI_COASTS && kept->carrier == 0 && kini_is_open(body, kept, p, 0) &&
           kini_is_open(body, kept, kini_add(p, way), 0) && !(kini_dot(way, body->up) < 0) &&
           !(kini_largest(kini_magnitudes(way)) > world->desc.unit);   /* swept in parts */
}

/* Cuts an open box where the body reaches the box lo..hi: on the side furthest from it, where `beside` is zero. */
static void kini_close_box(kin_vec lo, kin_vec hi, kin_vec at, kin_vec beside, kin_vec *open_lo, kin_vec *open_hi)
{
    kin_vec below = kini_madd(kini_sub(lo, at), beside, -KINI_FURTHEST);
    kin_vec above = kini_madd(kini_sub(at, hi), beside, -KINI_FURTHEST);
    float   most = kini_greater(kini_largest(below), kini_largest(above));
    int     axis;
    for (axis = 0; kini_at(below, axis) < most && kini_at(above, axis) < most; axis++) {}
    if (kini_at(below, axis) >= most)
        *open_hi = kini_with(*open_hi, axis, kini_lesser(kini_at(*open_hi, axis), kini_at(lo, axis)));
    else
        *open_lo = kini_with(*open_lo, axis, kini_greater(kini_at(*open_lo, axis), kini_at(hi, axis)));
}

/* Cuts open space, unless the piece lies below the feet, and the floor where the body reaches the piece. */
static void kini_close_piece(const kin_world *world, kini_kept *kept, kin_vec up, uint32_t slot, int32_t part,
                             const kini_obstacle *o)
{
    float   low = -0.5f * kini_skin_at(world, kept->at), touch = 2 * kini_touch_at(world, kept->at);
    float   top = kini_dot(o->centre, up) + kini_dot(o->half, kini_magnitudes(up)) + o->radius;
    bool    convex = world->things.at[slot].form == KINI_FORM_SHAPE, tiles = kini_is_tiles(&world->things.at[slot]);
    kin_vec half = kini_add(o->half, kini_all(o->radius)), at = kini_add(kept->at, o->centre);
    kin_vec wide = kini_madd(o->half, kini_magnitudes(up), KINI_FURTHEST);   /* over the core */
    if (!(kept->carrier == slot ? convex || top < low : top < low && kept->height > -KINI_FLT_MAX))
        kini_close_box(kini_sub(at, half), kini_add(at, half), kept->at, kini_vec_zero(), &kept->open_lo,
                       &kept->open_hi);
    if (kept->floor == 0 || top < -touch) return;
    if (kept->floor == slot && (tiles ? top < low && kini_box_holds(kini_neg(wide), wide, o->centre, o->centre)
                                      : convex || part == kept->part)) {   /* it is the floor */
        if (kept->carrier == slot) return;   /* its edges move */
        kept->floor_lo = kini_upper(kept->floor_lo, kini_sub(at, wide));
        kept->floor_hi = kini_lower(kept->floor_hi, kini_add(at, wide));
        return;
    }
    if (top < low) {   /* beside the floor and no higher, rounded edges reach a foot only near their core */
        float beside = kini_sqrt(touch * (2 * o->radius + touch));
        half = kini_madd(kini_add(o->half, kini_all(beside)), kini_magnitudes(up), o->radius - beside);
    }
    kini_close_box(kini_sub(at, half), kini_add(at, half), kept->at, top < low ? kini_magnitudes(up) : kini_vec_zero(),
                   &kept->floor_lo, &kept->floor_hi);
}

/* False if another mover, or a sensor of a body, is kept: it may come from anywhere within its leaf. Of shapes their
   bounds are enough, grids and meshes are searched. */
static bool kini_close_pieces(kin_world *world, const kini_body *body, kini_kept *kept)
{
    const kini_thing *self = &world->things.at[body->slot];
    float             radius = world->shapes.at[self->shape].radius;
    kini_near         near;
    kini_obstacle     o;
    bool              convex = true;
    int               i;
    for (i = 0; i < kept->count; i++) {
        const kini_thing *thing = &world->things.at[kept->slots[i]];
        bool              moves = thing->kind == KIN_MOVER || (thing->flags & KINI_ATTACHED);
        if (moves && (uint32_t)kept->slots[i] != kept->carrier) return false;
        convex = convex && thing->form == KINI_FORM_SHAPE;
    }
    for (i = 0; i < kept->count && convex; i++) {
        uint32_t          slot = (uint32_t)kept->slots[i];
        const kini_thing *thing = &world->things.at[slot];
        kin_vec           lo = kini_sub(thing->lo, self->hi), hi = kini_sub(thing->hi, self->lo);
        if (!kini_meets(world, body->slot, slot)) continue;
        o.radius = radius + world->shapes.at[thing->shape].radius;
        o.centre = kini_scale(kini_add(lo, hi), 0.5f);
        o.half = kini_sub(kini_scale(kini_sub(hi, lo), 0.5f), kini_all(o.radius));
        kini_close_piece(world, kept, body->up, slot, -1, &o);
    }
    if (convex) return true;
    near.skip = 0;
    near.with = KINI_WITH_MOVERS;
    kini_near_begin(world, &near, body->slot, kept->lo, kept->hi);
    kini_near_first(world, &near);
    for (i = 0; i < near.count; i++)
        kini_close_piece(world, kept, body->up, world->pieces.at[i].slot, world->pieces.at[i].part,
                         &world->pieces.at[i].obstacle);
    return near.whole;
}

/* Is its ground a box, a cell or, in the plane, a segment, not turned, and its core a box? Then the gap does not change
   along it. Searches for the ground of a row of cells do not reach the row below, with which it may be joined. */
static void kini_measure_floor(const kin_world *world, const kini_body *body, kini_kept *kept)
{
    const kini_thing *thing = &world->things.at[body->slot], *ground = &world->things.at[body->stand.id.slot];
    kini_solid        solid = kini_solid_of(world, thing), floor;
    kin_pose          at;
    kin_vec           half, rise = kini_magnitudes(body->up);
    float             down = kini_greater(body->options.snap, 0) + body->options.step_height;
    kept->floor = 0;
    kept->floor_lo = kept->open_lo;
    kept->floor_hi = kept->open_hi;
    if (body->stand.footing != KIN_STABLE || body->stand.support != KINI_ON_FACE) return;
    if ((ground->flags & (KINI_ONE_WAY | KINI_SENSOR)) || (kini_is_mesh(ground) && KINI_DIM == 3)) return;
    if (!kini_meets(world, body->slot, body->stand.id.slot)) return;
    if (!kini_is_unturned(ground->q) || !kini_solid_is_box(&solid, thing->q, &half)) return;
    if (ground->form != KINI_FORM_SHAPE ? kept->carrier != 0 : world->shapes.at[ground->shape].hull >= 0) return;
    if (kini_is_tiles(ground)) {
        if (!kini_tile_of(world, ground, body->stand.part)) return;
        floor = kini_cell_solid(world, body->stand.id.slot, body->stand.part, kini_vec_zero(), &at);
        if (floor.count > 0 || 2 * kini_dot(floor.half, rise) < down + 4 * kini_touch_at(world, thing->p)) return;
        at.p = kini_sub(at.p, kini_rotate(thing->q, solid.centre));
        floor.half = kini_madd(floor.half, rise, KINI_FURTHEST);
        kept->floor_lo = kini_upper(kept->open_lo, kini_sub(at.p, floor.half));
        kept->floor_hi = kini_lower(kept->open_hi, kini_add(at.p, floor.half));
    }
    kept->floor = body->stand.id.slot;
    kept->top = KINI_FLT_MAX;
    floor = solid;
    floor.radius = 0;
    kept->foot = kini_foot(&floor, kini_pose(kini_vec_zero(), thing->q), body->up, &half);
    if (ground->form == KINI_FORM_SHAPE) {
        kini_obstacle o;
        floor = kini_solid_of(world, ground);
        kini_obstacle_make(&o, NULL, &floor, kini_pose(kini_vec_zero(), ground->q), &solid, thing->q);
        kept->middle = o.centre;
        kept->half = o.half;
        if (!kini_over_top(&floor, ground->q, &solid, thing->q, body->up)) return;
        kept->top = kini_dot(kini_madd(floor.centre, body->up, kini_dot(floor.half, rise)), body->up);
        kept->foot = kini_rotate(thing->q, kini_madd(solid.centre, body->up, -kini_dot(solid.half, rise)));
    }
}

/* A body that stands on the level does not go lower while it does. Of others, all pieces count. */
static void kini_measure_open(kin_world *world, const kini_body *body, kini_kept *kept)
{
    const kini_thing *thing = &world->things.at[body->slot];
    kin_vec           margin = kini_all(2 * kini_touch_at(world, thing->p));
    bool              stands = body->stand.footing == KIN_STABLE;
    kept->open = -1;
    kept->at = thing->p;
    kept->stand = body->stand.id.slot;
    kept->part = body->stand.part;
    if (kept->count < 0) return;
    kept->carrier = stands && kini_mover_row(world, &world->things.at[kept->stand]) >= 0 ? kept->stand : 0;
    kept->height = stands && kept->carrier == 0 ? kini_dot(thing->p, body->up) : -KINI_FLT_MAX;
    kept->open_lo = kini_add(kept->lo, kini_sub(thing->p, thing->lo));
    kept->open_hi = kini_sub(kept->hi, kini_sub(thing->hi, thing->p));
    kini_measure_floor(world, body, kept);
    if (!kini_close_pieces(world, body, kept)) return;
    kept->open = 1;
    kept->open_lo = kini_add(kept->open_lo, margin);
    kept->open_hi = kini_sub(kept->open_hi, margin);
    kept->floor_lo = kini_upper(kini_add(kept->floor_lo, margin), kept->open_lo);
    kept->floor_hi = kini_lower(kini_sub(kept->floor_hi, margin), kept->open_hi);
}

static int kini_level_contacts(const kin_world *world, const kini_contact *list, int count)
{
    int i, level = 0;
    for (i = 0; i < count; i++) level += world->things.at[list[i].other.slot].kind != KIN_BODY;
    return level;
}

/* Is the way of the body, to `to` and on to `end`, open? Measures open space anew where that may help. */
static bool kini_find_open(kin_world *world, const kini_body *body, kini_kept *kept, kin_vec to, kin_vec end)
{
    const kini_thing *thing = &world->things.at[body->slot];
    uint32_t          stand = body->stand.id.slot;
    kin_vec           lo, hi;
    bool              rides = kept->carrier == 0 || (kept->carrier == stand && kini_stands(body));
    bool              open = rides && kini_is_open(body, kept, to, 0) && kini_is_open(body, kept, end, 0);
    if (open && (stand == 0 || kini_is_on_floor(body, kept, end))) return true;
    if (kini_level_contacts(world, kini_last_contacts_of(world, thing->row), body->last_count) > 1) return open;
    if (kept->open != 0 && kept->stand == stand && kept->part == body->stand.part && (open || kept->open < 0) &&
        kini_largest(kini_magnitudes(kini_sub(thing->p, kept->at))) <= KINI_MEASURE_AGAIN * world->desc.unit)
        return open;
    kini_around(world, body->slot, kini_vec_zero(), kini_sub(end, thing->p), 3 * kini_touch_at(world, end), &lo, &hi);
    kini_kept_around(world, body->slot, lo, hi);
    kini_measure_open(world, body, kept);
    open = kini_is_open(body, kept, thing->p, 0) && kini_is_open(body, kept, to, 0) && kini_is_open(body, kept, end, 0);
    if (!open) kept->open = -1;
    return open;
}

/* Where its ground takes a body that stands level, not on an edge, and along an axis of the world, so that level motion
   keeps its height to the bit. False if that needs a look at anything else; `mover` NULL: nowhere. */
static bool kini_ride_openly(const kin_world *world, const kini_body *body, bool known, kin_vec *to,
                             const kini_mover **mover)
{
    const kini_thing *ground = &world->things.at[body->stand.id.slot];
    int32_t           row = kini_mover_row(world, ground);
    if (!known && (body->stand.support != KINI_ON_FACE || !kini_is_zero(kini_sub(body->stand.normal, body->up)) ||
                   kini_largest(kini_magnitudes(body->up)) < 1 || ground->kind == KIN_BODY ||
                   (ground->flags & KINI_CONVEYOR) || !kini_is_live(world, body->stand.id) ||
                   !kini_takes_part(world, body->stand.id.slot))) return false;
    if (row < 0) return true;
    if (world->shifted > 0) return false;   /* it may have been put into the body, which stands on it until stage 8 */
    if (!(world->movers.at[row].state & KINI_MOVED)) return true;
    *mover = &world->movers.at[row];
    if ((*mover)->carry != KIN_CARRY_FULL || kini_spins((*mover)->turn_rate) || ground->form != KINI_FORM_SHAPE)
        return false;
    *to = kini_to_world(kini_carrier_pose(world, ground), body->stand.local);
    return !(kini_largest(kini_magnitudes(kini_sub(*to, world->things.at[body->slot].p))) > world->desc.unit);
}

/* The height over the floor at a place; 0: it is not known, or the body would be beyond an edge. */
static float kini_floor_gap(const kin_world *world, const kini_body *body, const kini_kept *kept, kin_vec p)
{
    const kini_thing *ground = &world->things.at[kept->floor];
    kin_vec           centre, sides;
    float             over;
    if (kept->carrier == 0) return kini_equal(kini_dot(p, body->up), kept->level) ? kept->gap : 0;
    centre = kini_add(kini_sub(ground->p, p), kept->middle);   /* as kini_obstacle_gap would */
    sides = kini_sub(kini_magnitudes(centre), kept->half);
    over = kini_dot(sides, kini_magnitudes(body->up));
    if (!(kini_dot(centre, body->up) < 0) || !(over > 0)) return 0;
    if (kini_largest(kini_sub(sides, kini_scale(kini_magnitudes(body->up), over))) > 0) return 0;
    return over - (world->shapes.at[world->things.at[body->slot].shape].radius +
                   world->shapes.at[ground->shape].radius);
}

/* Where it touches its floor. */
static kin_vec kini_floor_point(const kin_world *world, const kini_body *body, const kini_kept *kept, kin_vec p)
{
    const kini_thing *thing = &world->things.at[body->slot], *ground = &world->things.at[kept->floor];
    kini_solid        floor, solid;
    kin_vec           middle;
    if (ground->form != KINI_FORM_SHAPE)
        return kini_madd(kini_add(p, kept->foot), body->up, -world->shapes.at[thing->shape].radius);
    if (kept->top < KINI_FLT_MAX) {   /* as kini_touch_point would */
        middle = kini_add(kept->foot, kini_sub(p, ground->p));
        middle = kini_madd(middle, body->up, kept->top - kini_dot(middle, body->up));
        return kini_add(ground->p, kini_madd(middle, body->up, kept->top - kini_dot(middle, body->up) +
                                                               world->shapes.at[ground->shape].radius));
    }
    solid = kini_solid_of(world, thing);
    floor = kini_solid_of(world, ground);
    return kini_touch_point(&floor, kini_pose(ground->p, ground->q), &solid, kini_pose(p, thing->q), body->up);
}

KINI_PART bool kini_is_unhindered(const kin_world *world, int32_t row)
{
    const kini_body *body = &world->bodies.at[row];
    uint32_t         held = KINI_BODY_CRUSHED | KINI_BODY_EMBEDDED | KINI_BODY_DROPS;
    return !(body->state & held) && body->squeezed_in[0] == 0 &&
           kini_level_contacts(world, kini_contacts_of(world, row), body->contact_count) == 0;
}

/* Bodies that one on its floor touches with its sides, one on each, nearest first; -1: there is more to find. */
typedef struct kini_side { kin_vec normal; float gap; uint32_t slot; } kini_side;

static int kini_find_beside(kin_world *world, const kini_body *body, kin_vec p, kini_side *list)
{
    kin_vec           rise = kini_magnitudes(body->up);
    float             touch = kini_touch_at(world, p);
    int               i, k, count = 0;
    int               found = kini_meets_bodies(world, body->slot) ? kini_bodies_near(world, body->slot, 2 * touch) : 0;
    for (i = 0; i < found; i++) {
        uint32_t      slot = (uint32_t)world->found.at[i];
        kini_obstacle o;
        kini_sum      sum;
        kini_side     it;
        kin_vec       beyond;
        kini_pair_obstacle(world, body, &world->bodies.at[world->things.at[slot].row], false, &o, &sum);
        if (o.sum || !kini_pair_solid(world, body->slot, slot)) return -1;
        beyond = kini_sub(kini_magnitudes(o.centre), o.half);
        if (kini_dot(beyond, rise) > -touch) return -1;   /* it may be under it */
        it.gap = kini_obstacle_gap(&o, kini_vec_zero(), &it.normal);
        it.slot = slot;
        if (it.gap > touch) continue;
        if (it.gap < -KINI_OVERLAP * world->desc.unit || kini_abs(kini_dot(it.normal, rise)) > 0) return -1;
        beyond = kini_madd(beyond, kini_magnitudes(it.normal), -KINI_FURTHEST);
        if (kini_largest(kini_magnitudes(it.normal)) < 1 || kini_largest(beyond) >= 0) return -1;   /* a corner */
        for (k = 0; k < count; k++)
            if (kini_dot(list[k].normal, it.normal) > 0) return -1;   /* one may be in front of the other */
        for (k = count++; k > 0 && it.gap < list[k - 1].gap; k--) list[k] = list[k - 1];
        list[k] = it;
    }
    return count;
}

/* A ray down would meet the same piece with the same normal, up: the stand is kept if the body rests well there. */
static bool kini_stay_on_floor(kin_world *world, int32_t row, kin_vec p, bool known)
{
    kini_body          *body = &world->bodies.at[row];
    const kini_stand   *last = &body->last;
    const kini_kept    *kept = &world->kept.at[row];
    const kini_contact *was = kini_last_contacts_of(world, row);
    kini_contact        contact;
    kini_side           beside[KINI_SIDES];
    float               skin = kini_skin_at(world, p);
    int                 i, count;
    if (!kini_is_on_floor(body, kept, p)) return false;
    if (!known && (!kin_same(body->stand.id, last->id) || last->footing != KIN_STABLE ||
                   kini_is_floating(world, body) || !(body->options.snap > 0) || body->options.bounce > 0 ||
                   kini_dot(body->velocity, body->up) > 0 || kini_level_contacts(world, was, body->last_count) != 1 ||
                   !kini_find_contact(was, body->last_count, last->id, -1)))
        return false;
    contact.gap = kini_floor_gap(world, body, kept, p);
    if (contact.gap < 0.5f * skin || contact.gap > skin + kini_rest_slack(world, skin)) return false;
    count = kini_find_beside(world, body, p, beside);
    if (count < 0) return false;
    if (body->state & KINI_BODY_RENEW)
        body->stand.local = kini_to_local(kini_carrier_pose(world, &world->things.at[kept->floor]), p);
    body->stand.point = kini_floor_point(world, body, kept, p);
    body->stand.velocity = kept->carrier ? kini_rate_at(world, kept->carrier, body->stand.point) : kini_vec_zero();
    contact.other = last->id;
    contact.normal = last->normal;
    contact.part = last->part;
    contact.speed = 0;
    contact.flags = KINI_CONTACT_TOUCH | KINI_CONTACT_GROUND;
    if (body->contact_count == 0) kini_contacts_of(world, row)[body->contact_count++] = contact;
    else kini_contact_note(world, row, &contact);
    kini_stay(body);
    for (i = 0; i < count; i++)
        kini_note_body(world, row, beside[i].slot, beside[i].normal, beside[i].gap, 0, KINI_CONTACT_TOUCH);
    body->state &= ~(uint32_t)(KINI_BODY_ON_WALL | KINI_BODY_ON_CEILING);
    if (count > 0 && body->stable_cos > 0) body->state |= KINI_BODY_ON_WALL;
    return true;
}

KINI_PART bool kini_stay_openly(kin_world *world, int32_t row, kin_vec p, bool known)
{
    kini_body       *body = &world->bodies.at[row];
    const kini_kept *kept = &world->kept.at[row];
    float            margin = 2 * kini_touch_at(world, p);
    if (!kini_is_unhindered(world, row)) return false;
    if (!kini_is_nobody(body->stand.id))
        return (kini_is_zero(kini_sub(p, kept->end)) || kini_is_open(body, kept, p, 0)) && kini_stands(body) &&
               kini_stay_on_floor(world, row, p, known);
    if (!kini_is_open(body, kept, p, margin)) return false;
    if (kini_meets_bodies(world, body->slot) && kini_bodies_near(world, body->slot, margin) > 0) return false;
    kini_stand_nowhere(body);
    body->state &= ~(uint32_t)(KINI_BODY_ON_WALL | KINI_BODY_ON_CEILING);
    return true;
}

/* May it do without a search, if nothing is in its way? One that may soon be idle has to look around. */
static bool kini_may_coast(const kin_world *world, const kini_body *body)
{
    return !KINI_FORGET && !body->calm && !world->desc.collide &&
           !(body->state & (KINI_BODY_CRUSHED | KINI_BODY_EMBEDDED | KINI_BODY_DROPS));
}

KINI_PART bool kini_is_way_open(kin_world *world, int32_t row, kin_vec to)
{
    kini_body *body = &world->bodies.at[row];
    kin_vec    way = kini_sub(to, world->things.at[body->slot].p);
    return kini_may_coast(world, body) && world->shifted == 0 &&
           kini_largest(kini_magnitudes(way)) <= world->desc.unit &&
           kini_find_open(world, body, &world->kept.at[row], to, to);
}

KINI_PART bool kini_coast(kin_world *world, int32_t row)
{
    kini_body        *body = &world->bodies.at[row];
    kini_kept        *kept = &world->kept.at[row];
    const kini_thing *thing = &world->things.at[body->slot];
    const kini_mover *mover = NULL;
    kin_vec           to = thing->p, end;
    bool              known = kept->open == KINI_OPEN_STILL;   /* nothing has happened to it since the last step */
    if (known) kept->open = 1;
    world->done.at[row] = 0;
    if (!kini_may_coast(world, body) || body->stand.footing == KIN_STEEP) return false;
    if (body->stand.footing == KIN_STABLE && !kini_ride_openly(world, body, known, &to, &mover)) return false;
    if (kini_stands(body) && kini_abs(kini_dot(body->wish, body->up)) > 0) return false;   /* to be turned along it */
    if (kini_largest(kini_magnitudes(body->wish)) > world->desc.unit) return false;   /* swept in parts */
    end = kini_add(to, body->wish);
    if (!kini_find_open(world, body, kept, to, end)) return false;
    kept->end = end;
    body->state &= ~(uint32_t)KINI_BODY_RENEW;
    if (!kini_is_zero(body->wish)) body->state |= KINI_BODY_RENEW;
    if (mover) {
        body->met = true;
        body->carry = kini_sub(to, thing->p);
    }
    if (!kini_meets_bodies(world, body->slot) && world->pending == 0 && kini_stay_openly(world, row, end, known)) {
        kini_go(world, body->slot, end);
        world->done.at[row] = KINI_SETTLED;
        kept->open = KINI_OPEN_STILL;
        kini_commit_body(world, row);
        return true;
    }
    if (mover) kini_go(world, body->slot, to);
    world->done.at[row] = KINI_COASTS;
    return true;
}
