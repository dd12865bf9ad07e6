/* SPDX-License-Identifier: MIT OR Unlicense

   oneway.c: which side of a one-way blocks, and dropping through it. */
#include "things.h"

/* A one-way blocks a body that was beyond its outward face at x, before the motion. */
KINI_PART bool kini_one_way_blocks(const kini_piece *piece, kin_vec x, kin_vec normal)
{
    kin_vec out = piece->one_way;
    return kini_dot(normal, out) > KINI_GRAZING &&
           kini_dot(x, out) >= kini_obstacle_extent(&piece->obstacle, out) - piece->slop;
}

/* The same for a motion from outside, along `way`. Near the end of a tilted platform a corner of the body is below the
   face before anything touches: the body is then taken back along the face's normal, by at most half its width. */
KINI_PART bool kini_one_way_stops(const kini_piece *piece, kin_vec x, kin_vec way, kin_vec normal)
{
    float against = -kini_dot(way, piece->one_way);
    if (against > 0) x = kini_madd(x, piece->one_way, piece->deep * against);
    return kini_one_way_blocks(piece, x, normal);
}

/* The same for a body that overlaps it at x and was at `before`; not if it came in by another side. */
KINI_PART bool kini_one_way_holds(const kini_piece *piece, kin_vec before, kin_vec x, kin_vec normal)
{
    kin_vec met;
    float   t;
    if (!kini_one_way_blocks(piece, before, normal)) return false;
    if (!kini_obstacle_ray(&piece->obstacle, before, kini_sub(x, before), &t, &met) || !(t > 0)) return true;
    return kini_one_way_blocks(piece, before, met);
}

/* ---- dropping through -------------------------------------------------------------------------------------------- */

/* May a body that falls through one thing pass this other one with it? A floor that keeps its height beside it is
   passed, unless it has caught the body since: a lift may come up to where the fall began. */
static bool kini_goes_along(const kin_world *world, const kini_body *body, const kini_piece *piece)
{
    kin_vec from = body->start.p, rate;
    if (!kini_is_live(world, body->drops_through) || body->stand.id.slot == piece->slot) return false;
    rate = kini_sub(kini_rate_at(world, piece->slot, from), kini_rate_at(world, body->drops_through.slot, from));
    if (kini_abs(kini_dot(rate, piece->one_way)) > KINI_SAME_RATE * world->desc.unit) return false;
    return kini_dot(piece->one_way, body->up) >= body->stable_cos;
}

/* Does the body fall through this one-way: did it stand on it, or was it already below, when it began to? Of a row of
   platforms it stood on all that are flush. */
KINI_PART bool kini_is_dropped(const kin_world *world, const kini_near *near, const kini_piece *piece)
{
    const kini_body *body = &world->bodies.at[world->things.at[near->slot].row];
    kini_frame       stood;
    float            height;   /* of the body over the one-way's face, by its place on what it stood on */
    bool             same;
    if (!(piece->flags & KINI_ONE_WAY) || !(body->state & KINI_BODY_DROPS)) return false;
    same = body->drops_through.slot == piece->slot;
    if (!same && !kini_goes_along(world, body, piece)) return false;
    stood = kini_frame_of(world, near, body->drops_through.slot);
    height = kini_dot(kini_frame_point(&stood, body->drop_from, near->origin), piece->one_way) -
             kini_obstacle_extent(&piece->obstacle, piece->one_way);
    return height <= kini_touch_at(world, near->origin) && (same || height >= -piece->slop);
}

KIN_API bool kin_drop_through(kin_world *world, kin_id body)
{
    kini_body        *row = kini_check_body(world, __func__, body);
    const kini_thing *ground, *thing;
    const kini_tile  *tile;
    if (!row || !kini_is_live(world, row->stand.id)) return false;
    ground = &world->things.at[row->stand.id.slot];
    tile = kini_is_tiles(ground) ? kini_tile_of(world, ground, row->stand.part) : NULL;
    if (!((tile ? tile->flags : ground->flags) & KINI_ONE_WAY)) return false;
    thing = &world->things.at[row->slot];
    kini_wake(world, thing->row);
    row->drops_through = row->stand.id;
    row->drop_from = kini_to_local(kini_pose(ground->p, ground->q), thing->p);
    row->state |= KINI_BODY_DROPS | KINI_BODY_LETS_GO;
    return true;
}
