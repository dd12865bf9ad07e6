/* SPDX-License-Identifier: MIT OR Unlicense

   surface.c: with which of its surfaces a piece collides.

   Not with those that its grid hides, nor with an edge that a neighbour covers. Of one-ways: oneway.c. */
#include "things.h"

/* The normal of the face of a box or hull that is nearest to this one. */
static kin_vec kini_face_towards(const kini_solid *solid, kin_rot turn, kin_vec normal)
{
    bool    turned = !kini_is_unturned(turn);
    kin_vec local = turned ? kini_unrotate(turn, normal) : normal, size = kini_magnitudes(local);
    int     i, best = 0;
    if (solid->hull) {
        for (i = 1; i < solid->hull->face_count; i++)
            if (kini_dot(solid->hull->normals[i], local) > kini_dot(solid->hull->normals[best], local)) best = i;
        return kini_rotate(turn, solid->hull->normals[best]);
    }
    for (i = 1; i < KINI_DIM; i++)
        if (kini_at(size, i) > kini_at(size, best)) best = i;
    local = kini_with(kini_vec_zero(), best, kini_at(local, best) < 0 ? -1.0f : 1.0f);
    return turned ? kini_rotate(turn, local) : local;
}

/* The face that a one-way blocks with: of a slope its sloping face; a round solid blocks in the direction itself. */
KINI_PART kin_vec kini_outward_face(const kini_solid *solid, kin_rot turn, kin_vec out)
{
    bool    round = !solid->hull && !(kini_smallest(solid->half) > 0);
    kin_vec best = round ? out : kini_face_towards(solid, turn, out);
    return kini_dot(best, out) >= 0.5f ? best : out;
}

KINI_PART bool kini_is_hidden(const kini_piece *piece, kin_vec normal)
{
    kin_vec local;
    int     axis;
    if (piece->hidden == 0) return false;
    local = kini_unrotate(piece->turn, normal);
    for (axis = 0; axis < KINI_DIM; axis++) {
        float s = kini_at(local, axis);
        if (s < -KINI_SAME_NORMAL && (piece->hidden >> (2 * axis) & 1)) return true;
        if (s > KINI_SAME_NORMAL && (piece->hidden >> (2 * axis + 1) & 1)) return true;
    }
    return false;
}

KINI_PART int kini_piece_ways(const kini_piece *piece, kin_vec x, kin_vec start, kini_way *ways, int capacity)
{
    int   i, kept = 0, count = kini_obstacle_ways(&piece->obstacle, x, ways, capacity);
    bool  flat = !kini_is_zero(piece->face);
    float side = kini_dot(piece->face, start) - piece->level;
    for (i = 0; i < count; i++) {
        float towards = kini_dot(piece->face, ways[i].axis);
        if (kini_is_hidden(piece, ways[i].axis)) continue;
        /* A body leaves a face without inside towards the side on which it was. */
        if (flat && !(side > 0 ? towards > -KINI_NEGLIGIBLE : towards < KINI_NEGLIGIBLE)) continue;
        ways[kept++] = ways[i];
    }
    return kept;
}

/* Corrects the normal of a body that overlaps the piece: no side that the grid hides, and no edge of a mesh face. */
KINI_PART void kini_inner_normal(const kini_piece *piece, kin_vec x, kin_vec *normal)
{
    kini_way ways[KINI_MAX_WAYS];
    bool     flat = !kini_is_zero(piece->face);
    int      i, count;
    if (!flat && !kini_is_hidden(piece, *normal)) return;
    count = kini_piece_ways(piece, x, x, ways, KINI_MAX_WAYS);
    for (i = 0; i < count && ways[i].length <= piece->deep; i++) {
        if (flat && kini_abs(kini_dot(ways[i].axis, piece->face)) < KINI_SAME_NORMAL) continue;
        *normal = ways[i].axis;
        return;
    }
}

/* The normal of the piece's face that is nearest to this one; zero if it is round, without faces and edges. */
KINI_PART kin_vec kini_nearest_face(const kin_world *world, int index, kin_vec normal)
{
    const kini_piece *piece = &world->pieces.at[index];
    const kini_solid *solid = &world->solids.at[index];
    if (!kini_is_zero(piece->face)) return kini_scale(piece->face, kini_dot(piece->face, normal) < 0 ? -1.0f : 1.0f);
    return solid->radius > 0 ? kini_vec_zero() : kini_face_towards(solid, piece->turn, normal);
}

KINI_PART bool kini_is_edge_normal(const kin_world *world, int index, kin_vec normal)
{
    kin_vec face = kini_nearest_face(world, index, normal);
    return !kini_is_zero(face) && kini_dot(face, normal) <= KINI_SAME_FACE;
}

/* How far along `out` the point lies that a body at x touches with this normal. */
static float kini_level_of(const kini_near *near, kin_vec x, kin_vec normal, float gap, kin_vec out)
{
    kin_vec half, foot = kini_foot(&near->solid, kini_pose(x, near->turn), normal, &half);
    return kini_dot(kini_madd(foot, normal, -gap), out);
}

/* Does piece i keep a body at x from an edge `gap` away? It is in between, or its face is flush with the edge. */
static bool kini_covers(const kin_world *world, const kini_near *near, int i, const kini_obstacle *edge, kin_vec x,
                        kin_vec normal, float gap)
{
    const kini_obstacle *o = &world->pieces.at[i].obstacle;
    kin_vec              there = kini_madd(x, normal, -gap), then, now;
    float                unit = world->desc.unit, flush = KINI_OVERLAP * unit, left, under;
    if (kini_largest(kini_sub(kini_magnitudes(kini_sub(there, o->centre)), o->half)) > o->radius + KINI_TOUCH * unit)
        return false;
    left = kini_obstacle_gap(o, x, &now);
    if (left <= -flush) return false;   /* it presses the body now */
    under = o->sum ? kini_sum_gap(o, there, &then) : kini_obstacle_gap(o, there, &then);   /* that of x stays known */
    if (under < -KINI_UNDER_EDGE * unit && kini_dot(then, normal) > 0) return true;
    if (left > gap + flush || kini_dot(now, normal) <= 0 || kini_is_edge_normal(world, i, now)) return false;
    if (kini_obstacle_extent(edge, now) <= kini_obstacle_extent(o, now) + flush) return true;
    return kini_level_of(near, x, normal, gap, now) <= kini_level_of(near, x, now, left, now) + flush;
}

static bool kini_find_cover(const kin_world *world, const kini_near *near, int index, kin_vec x, kin_vec normal,
                            float gap)
{
    const kini_piece *edge = &world->pieces.at[index];
    int               i;
    if (!kini_is_zero(edge->face) && kini_is_inner(world, edge, normal)) return true;
    for (i = 0; i < near->count; i++) {
        uint32_t flags = world->pieces.at[i].flags;
        if (i == index || (flags & (KINI_SENSOR | KINI_ONE_WAY | KINI_PIECE_BODY))) continue;
        if ((flags ^ edge->flags) & KINI_PIECE_MOVER) continue;   /* it will not stay there */
        if (kini_covers(world, near, i, &edge->obstacle, x, normal, gap)) return true;
    }
    return false;
}

/* Would the body hit another piece before this edge? E.g. the edge between two floor pieces under a round body. The
   answer about the normal of a gap that is kept is kept with it. */
KINI_PART bool kini_is_covered(const kin_world *world, const kini_near *near, int index, kin_vec x, kin_vec normal,
                               float gap)
{
    kini_sum       *sum = world->pieces.at[index].obstacle.sum;
    kini_gap_known *asked = sum && sum->asked.known ? &sum->asked : NULL;
    if (!kini_is_edge_normal(world, index, normal)) return false;
    if (!asked || !kini_is_zero(kini_sub(x, asked->x)) || !kini_is_zero(kini_sub(normal, asked->normal)))
        return kini_find_cover(world, near, index, x, normal, gap);
    if (asked->covered == 0) asked->covered = kini_find_cover(world, near, index, x, normal, gap) ? 1 : -1;
    return asked->covered > 0;
}
