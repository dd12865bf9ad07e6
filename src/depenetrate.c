/* SPDX-License-Identifier: MIT OR Unlicense

   depenetrate.c: stage 7. Moves a body out of what it overlaps: movers first, statics last, so that no body
   ends in a wall, in at most max_rounds rounds.

   The shortest separating translation is taken that is free (it is swept) and at most half the body's width; where one
   leads into other surfaces, those of up to KINI_DIM of them are combined. Velocity is never added.

   A body with others beside it leaves a deep overlap before stage 6, which pushes those along or puts it back: stacks
   and rows leave as one. */
#include "stages.h"

/* How the body has moved in this step, seen from the piece. */
static kin_vec kini_relative_motion(const kin_world *world, const kini_body *body, const kini_piece *piece)
{
    const kini_thing *thing = &world->things.at[body->slot];
    kin_vec           motion = kini_sub(thing->p, body->start.p);
    kin_pose          begin, end;
    if (!(piece->flags & KINI_PIECE_MOVER)) return motion;
    begin = kini_pose_at(world, piece->slot, 0);
    end = kini_pose_at(world, piece->slot, 1);
    return kini_sub(motion, kini_sub(thing->p, kini_to_world(begin, kini_to_local(end, thing->p))));
}

/* Where the body was before its motion, seen from the piece, relative to where the body is. For pieces that stand, only
   the last straight part counts: before it, a fast body may have been around a corner. */
KINI_PART kin_vec kini_start_seen(const kin_world *world, const kini_body *body, const kini_piece *piece)
{
    int32_t row = kini_mover_row(world, &world->things.at[piece->slot]);
    if (row < 0 || !(world->movers.at[row].state & KINI_MOVED))
        return kini_sub(body->turned_at, world->things.at[body->slot].p);
    return kini_neg(kini_relative_motion(world, body, piece));
}

/* A press keeps its direction: a squeezed body comes out where it touched the mover, as on a lift that goes down again,
   not out of the mover's other sides, nor away from what holds it. */
static bool kini_keeps_direction(const kin_world *world, const kini_body *body, kin_id id, kin_vec axis)
{
    const kini_contact *list = kini_last_contacts_of(world, world->things.at[body->slot].row);
    const kini_contact *contact = kini_find_contact(list, body->last_count, id, -1);
    return contact && kini_dot(contact->normal, axis) > KINI_SAME_SIDE && !kini_leaves_holder(world, body, id, axis);
}

/* One way out, if need be combined with those out of what it leads into, as in an acute corner. False if none is free
   and short enough: then `free` is the free part of the one alone. */
static bool kini_free_way(kin_world *world, kini_near *near, kin_vec x, const kini_piece *piece, kini_way out,
                          float longest, kin_vec *free)
{
    kini_way    ways[KINI_MAX_WAYS];
    kini_plane  planes[KINI_DIM];
    float       skin = kini_skin_at(world, near->origin);
    kini_probe  probe = kini_probe_still(x, kini_scale(out.axis, out.length + skin), 0);
    kini_impact impact;
    int         count;
    *free = kini_vec_zero();
    probe.bodies = (piece->flags & KINI_PIECE_MOVER) != 0;
    for (count = 0;; count++) {
        planes[count].normal = out.axis;
        planes[count].push = out.length + skin;
        planes[count].flags = count > 0 ? impact.piece.flags : piece->flags;
        if (count > 0) {
            probe.travel = kini_vec_zero();
            if (!kini_clip(&probe.travel, planes, count + 1, 1) || kini_len(probe.travel) > longest) return false;
        }
        if (!kini_first_impact(world, near, &probe, &impact)) { *free = probe.travel; return true; }
        if (count == 0) *free = kini_scale(probe.travel, impact.t);
        if (count + 1 == KINI_DIM || (impact.piece.flags & KINI_PIECE_BODY)) return false;
        out.axis = impact.normal;
        out.length = kini_dot(probe.travel, impact.normal) * impact.touch;
        if (!(impact.depth > 0)) continue;
        if (kini_piece_ways(&impact.piece, x, x, ways, KINI_MAX_WAYS) == 0) return false;
        out = ways[0];
    }
}

/* Past the edge of a face only goes a way that leads out of its whole mesh, not under the next face. */
static bool kini_way_leads_out(const kin_world *world, const kini_near *near, const kini_piece *piece, kin_vec axis,
                               kin_vec there)
{
    kin_vec normal;
    int     i;
    if (kini_is_zero(piece->face) || kini_abs(kini_dot(piece->face, axis)) > KINI_SAME_NORMAL) return true;
    for (i = 0; i < near->count; i++)
        if (world->pieces.at[i].slot == piece->slot &&
            kini_obstacle_gap(&world->pieces.at[i].obstacle, there, &normal) < 0)
            return false;
    return true;
}

/* The shortest free way out of one piece. A body that its motion of this step led in, from outside or deeper, goes back
   against it, if it can, and is not flung out of the other sides of a mover, unless a press draws back; one that walks
   or turns inside leaves by any way. Out of a mover it also goes part of the way; otherwise all the way or not at all.
   None leads back out of a passage that is as wide as the body, which it overlaps within the slop.
   The longest way is half of the body's width; out of a mover, or of the level within the slop, at most KINI_WEDGE_GAIN
   times the depth, and out of a mover within the crush tolerance no further than that: the body is held. */
static bool kini_way_out(kin_world *world, kini_near *near, const kini_body *body, const kini_piece *piece, kin_vec x,
                         kin_vec *out)
{
    kini_way ways[KINI_MAX_WAYS];
    kin_vec  motion = kini_relative_motion(world, body, piece), before = kini_start_seen(world, body, piece);
    kin_vec  way, normal;
    float    longest = 0.5f * near->solid.width, part = KINI_OVERLAP * world->desc.unit;
    float    press = KINI_CRUSH * world->desc.unit + KINI_FAR_ULPS * kini_far(near->origin), speed = kini_len(motion);
    int      i, pass, count = kini_piece_ways(piece, x, before, ways, KINI_MAX_WAYS);
    kin_id   id = kini_id_of(world, piece->slot);
    bool     mover = (piece->flags & KINI_PIECE_MOVER) != 0, pressed = kini_pressed_by(body, id), led, found = false;
    *out = kini_vec_zero();
    if (count == 0) return false;
    if (mover || ways[0].length <= piece->slop) longest = kini_lesser(longest, KINI_WEDGE_GAIN * ways[0].length);
    if (mover && ways[0].length <= press) longest = press;
    led = speed >= KINI_LEAST_MOTION * world->desc.unit &&
          (kini_dot(ways[0].axis, motion) < -KINI_NEGLIGIBLE * speed ||
           kini_obstacle_gap(&piece->obstacle, before, &normal) > -KINI_OVERLAP * world->desc.unit);
    for (pass = led ? 0 : 1; pass < 2 && !found; pass++) {
        if (pass == 1 && mover && led && !pressed) break;
        for (i = 0; i < count && ways[i].length <= longest && !kini_near_is_spent(near); i++) {
            if (pass == 0 && kini_dot(ways[i].axis, motion) > -KINI_NEGLIGIBLE * speed) continue;
            if (pass == 1 && mover && pressed && !kini_keeps_direction(world, body, id, ways[i].axis)) continue;
            if ((piece->flags & KINI_ONE_WAY) && !kini_one_way_holds(piece, before, x, ways[i].axis)) continue;
            if (kini_fits(world, near, piece, x, ways[i].axis, kini_vec_zero(), NULL)) continue;
            if (kini_free_way(world, near, x, piece, ways[i], longest, &way)) {
                if (!kini_way_leads_out(world, near, piece, ways[i].axis, kini_add(x, way))) continue;
                found = true;
                longest = kini_len(way);
            } else if (mover && !found && kini_len(way) > part) part = kini_len(way);
            else continue;
            *out = way;
        }
    }
    return !kini_is_zero(*out);
}

/* One pass over the pieces of one sort. True if the body was moved. */
static bool kini_separate(kin_world *world, kini_near *near, int32_t row, uint32_t sort, kin_vec *x)
{
    const kini_body *body = &world->bodies.at[row];
    float            limit = -KINI_OVERLAP * world->desc.unit - kini_far(near->origin);
    bool             more, moved = false;
    int              i;
    for (more = kini_near_first(world, near); more; more = kini_near_next(world, near))
        for (i = 0; i < near->count; i++) {
            kini_piece piece = world->pieces.at[i];
            kin_vec    normal, way;
            float      gap;
            if ((piece.flags & (KINI_SENSOR | KINI_PIECE_BODY | KINI_PIECE_MOVER)) != sort) continue;
            if (kini_is_apart(&piece, *x, 0)) continue;
            gap = kini_obstacle_gap(&piece.obstacle, *x, &normal);
            if (gap >= limit || !kini_way_out(world, near, body, &piece, *x, &way)) continue;
            *x = kini_add(*x, way);
            kini_note(world, &piece, row, kini_unit(way), gap, 0, KINI_CONTACT_HIT);
            if (piece.slot != body->stand.id.slot) world->bodies.at[row].state |= KINI_BODY_RENEW;
            moved = true;
        }
    return moved;
}

/* Is it in anything by more than `depth`? */
static bool kini_overlaps(kin_world *world, kini_near *near, kin_vec x, float depth)
{
    float   limit = -depth * world->desc.unit - kini_far(near->origin);
    kin_vec normal;
    bool    more;
    int     i;
    for (more = kini_near_first(world, near); more; more = kini_near_next(world, near))
        for (i = 0; i < near->count; i++) {
            const kini_piece *piece = &world->pieces.at[i];
            if ((piece->flags & (KINI_SENSOR | KINI_PIECE_BODY)) || kini_is_apart(piece, x, 0)) continue;
            if (kini_obstacle_gap(&piece->obstacle, x, &normal) < limit) return true;
        }
    return false;
}

KINI_PART void kini_depenetrate(kin_world *world, kini_near *near, int32_t row, kin_vec *x)
{
    int  round;
    bool moved = kini_overlaps(world, near, *x, KINI_OVERLAP);
    if (moved) near->within = 0;
    for (round = 0; moved && round < world->desc.max_rounds; round++) {
        kini_near_cover(world, near, *x, kini_vec_zero(),
                        0.5f * near->solid.width + 2 * kini_touch_at(world, near->origin));
        moved = kini_separate(world, near, row, KINI_PIECE_MOVER, x);
        moved = kini_separate(world, near, row, 0, x) || moved;
    }
}

/* Takes a body out of a deep overlap with the level or a mover as if other bodies were not there. One that a mover
   presses takes them along as far as they have room. Not one that had other contacts only: none is beside it. */
KINI_PART void kini_stage_free(kin_world *world)
{
    int32_t i, k;
    for (i = 0; i < world->order.count && kini_crowd_meets(world); i++) {
        int32_t             row = world->order.at[i];
        kini_body          *body = &world->bodies.at[row];
        const kini_contact *list = kini_last_contacts_of(world, row);
        kin_vec             x = kini_vec_zero();
        kini_near           near;
        bool                pressed = (body->last_state & KINI_BODY_CRUSHED) != 0;
        if (kini_is_clear(world, row, x)) continue;
        for (k = 0; k < body->last_count && world->things.at[list[k].other.slot].kind != KIN_BODY;) k++;
        if ((k > 0 && k == body->last_count) || !kini_meets_bodies(world, body->slot)) continue;
        kini_near_motion(world, &near, body->slot, 0, KINI_WITH_MOVERS, x, 0);
        if (kini_overlaps(world, &near, x, pressed ? KINI_OVERLAP : KINI_CRUSH))
            kini_depenetrate(world, &near, row, &x);
        if (kini_is_zero(x)) continue;
        body->pushed = kini_unit(x);
        body->pushed_strength = pressed ? KINI_STRENGTH_MOVER : KINI_STRENGTH_BLOCKED;
        kini_shift(world, body->slot, kini_add(near.origin, x), near.turn);
    }
}
