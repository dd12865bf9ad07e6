/* SPDX-License-Identifier: MIT OR Unlicense

   motion.h: N11 and N12 of the catalogue, for any world: how far a body can have moved in one step, and when a condition
   can have opened.

   Only the public interface is used, and double precision. Around each step:

       motion_before(&m, world);
       kin_world_step(world, dt);
       motion_after(&m, world, dt);

   and m.tell is called for each breach. The interface does not tell which statics are parts of a mover, nor what a callback
   wrote or a game changed: motion_part, motion_wrote, motion_changed. How deep a body overlapped at the start of the
   step is asked only where it matters (m.overlap).

   A group is the bodies connected by overlap of the boxes of their motion, plus a margin. What a body of it can have pushed
   with is what it wanted or was moved by the level and the movers, never what others pushed it: two bodies that were
   thrown do not excuse each other. */
#ifndef MOTION_H
#define MOTION_H

#include "scenarios/solid.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOTION_REST 0.05       /* N11: what is left over, in units */
#define MOTION_MARGIN 0.05     /* between bodies of a group */
#define MOTION_NEAR 2.0        /* N12, in units */
#define MOTION_PUSH 4.0        /* N11: a push is at most so many times as long as the motion of what pushes */

/* A body or a mover, or a part of one, around one step. */
typedef struct trip {
    kin_id     id, mover;          /* mover: of a part */
    bool       body, meets, stays; /* meets: is not as if it were not there; stays: still there after the step */
    bool       sensor;             /* of a body: blocks no other body, but is stopped and squeezed as any */
    bool       opened;             /* a condition, in this step */
    kin_push   push;
    uint32_t   layer, mask;
    kin_pose   from, to;
    dv         points[KIN_MAX_POINTS];   /* of its shape, around its origin */
    int        count;
    double     radius, reach;      /* reach: of its furthest point, from the origin (of the mover) */
    dv         lo, hi;             /* box at the start */
    dv         way_lo, way_hi;     /* box of its motion */
    kin_ground ground;             /* at the start */
    dv         velocity, up;
    double     speed, extra, most_slope;   /* wanted; snap, step_height and corner_nudge together */
    bool       level_speed;        /* keeps its horizontal speed on slopes */
    kin_vec    surface;            /* velocity */
    double     wanted;             /* of a mover: the longest motion of a point in a second */
    double     own, carry, moved, overlap, deepest, pushed_by_movers;
    int        parent;             /* in its group */
    double     group_motion[2];    /* of the first of a group: the two longest */
} trip;

typedef struct motion_box { dv lo, hi; bool fresh; } motion_box;   /* fresh: of a change inside the step */
typedef struct motion_part_row { kin_id id, mover; dv points[8]; int count; double radius; bool sensor; } motion_part_row;
typedef struct motion_write { kin_id id; double speed; } motion_write;

typedef struct motion {
    dv       gravity, up;          /* up is zero in a floating world */
    double   unit, dt;
    trip    *trips;
    int      count, room;
    int     *at;                   /* by slot: trip + 1 */
    double  *rode;                 /* by slot: the ground's speed after the last step */
    int      slots;
    motion_part_row *parts;
    int      part_count, part_room;
    motion_box *changes;           /* since the last step */
    int      change_count, change_room;
    motion_write *writes;          /* in this step */
    int      write_count, write_room;
    bool     stepping, grouped, measured;
    /* How deep the body was in others at the start of the step, all of them together, and in one of them at most. */
    double (*overlap)(void *user, kin_id id, double *deepest);
    bool   (*excused)(void *user, kin_id id);   /* teleported inside the step: no motion; may be NULL */
    void   (*tell)(void *user, int invariant, kin_id id, const char *what, double value, double allowed);
    void    *user;
    char     text[200];            /* of the last breach */
} motion;

static inline void *motion_grow(void *rows, int count, int *room, size_t bytes)
{
    if (count < *room) return rows;
    *room = *room ? 2 * *room : 64;
    rows = realloc(rows, (size_t)*room * bytes);
    if (!rows) abort();
    return rows;
}

/* ---- what the interface does not tell ------------------------------------------------------------------------------- */

/* A static is part of a mover: its points in the mover's axes, rounded by radius. */
static inline void motion_part(motion *m, kin_id id, kin_id mover, const dv *points, int count, double radius, bool sensor)
{
    motion_part_row *p;
    int i;
    m->parts = (motion_part_row *)motion_grow(m->parts, m->part_count, &m->part_room, sizeof *m->parts);
    p = &m->parts[m->part_count++];
    p->id = id;
    p->mover = mover;
    p->radius = radius;
    p->sensor = sensor;
    p->count = count < 8 ? count : 8;
    for (i = 0; i < p->count; i++) p->points[i] = points[i];
}

/* The same for one whose local box is known. */
static inline void motion_part_box(motion *m, kin_id id, kin_id mover, dv lo, dv hi, bool sensor)
{
    dv  corners[8];
    int i;
    for (i = 0; i < 8; i++) corners[i] = dv_make(i & 1 ? hi.x : lo.x, i & 2 ? hi.y : lo.y, i & 4 ? hi.z : lo.z);
    motion_part(m, id, mover, corners, 8, 0, sensor);
}

/* Within this box a shape, tile, filter, pose or the like was changed since the last step. */
static inline void motion_changed(motion *m, dv lo, dv hi)
{
    m->changes = (motion_box *)motion_grow(m->changes, m->change_count, &m->change_room, sizeof *m->changes);
    m->changes[m->change_count].lo = lo;
    m->changes[m->change_count].fresh = m->stepping;
    m->changes[m->change_count++].hi = hi;
}

/* A callback gave the body this velocity inside the step. */
static inline void motion_wrote(motion *m, kin_id id, kin_vec velocity)
{
    m->writes = (motion_write *)motion_grow(m->writes, m->write_count, &m->write_room, sizeof *m->writes);
    m->writes[m->write_count].id = id;
    m->writes[m->write_count++].speed = dv_len(dv_of(velocity));
}

static inline void motion_free(motion *m)
{
    free(m->trips);
    free(m->at);
    free(m->rode);
    free(m->parts);
    free(m->changes);
    free(m->writes);
    memset(m, 0, sizeof *m);
}

/* ---- before the step -------------------------------------------------------------------------------------------------- */

static inline kin_pose motion_pose(const kin_world *world, kin_id id)
{
    kin_pose at;
    at.p = kin_get_position(world, id);
    at.q = kin_get_rotation(world, id);
    return at;
}

static inline trip *motion_trip(const motion *m, kin_id id)
{
    int i = (int)id.slot < m->slots ? m->at[id.slot] : 0;
    return i > 0 && kin_same(m->trips[i - 1].id, id) ? &m->trips[i - 1] : NULL;
}

static inline trip *motion_add(motion *m, kin_id id)
{
    trip *t;
    m->trips = (trip *)motion_grow(m->trips, m->count, &m->room, sizeof *m->trips);
    while ((int)id.slot >= m->slots) {
        int more = m->slots ? m->slots : 64;
        m->at = (int *)realloc(m->at, (size_t)(m->slots + more) * sizeof *m->at);
        if (!m->at) abort();
        memset(m->at + m->slots, 0, (size_t)more * sizeof *m->at);
        m->rode = (double *)realloc(m->rode, (size_t)(m->slots + more) * sizeof *m->rode);
        if (!m->rode) abort();
        memset(m->rode + m->slots, 0, (size_t)more * sizeof *m->rode);
        m->slots += more;
    }
    t = &m->trips[m->count++];
    memset(t, 0, sizeof *t);
    t->id = id;
    m->at[id.slot] = m->count;
    return t;
}

/* The box around a trip's points in a pose. */
static inline motion_box motion_box_at(const trip *t, kin_pose pose)
{
    dm         turn = dm_of(pose.q);
    motion_box b;
    dv         r = dv_make(t->radius, t->radius, t->radius), p = dv_of(pose.p);
    int        i;
    b.lo = b.hi = p;
    for (i = 0; i < t->count; i++) {
        dv at = dv_add(p, dm_turn(&turn, t->points[i]));
        if (i == 0) b.lo = b.hi = at;
        b.lo = dv_make(lesser(b.lo.x, at.x), lesser(b.lo.y, at.y), lesser(b.lo.z, at.z));
        b.hi = dv_make(greater(b.hi.x, at.x), greater(b.hi.y, at.y), greater(b.hi.z, at.z));
    }
    b.lo = dv_sub(b.lo, r);
    b.hi = dv_add(b.hi, r);
    return b;
}

static inline void motion_set_shape(trip *t, const kin_shape *shape)
{
    motion_box b;
    int        i;
    t->count = shape->count;
    t->radius = (double)shape->radius;
    for (i = 0; i < t->count; i++) {
        t->points[i] = dv_of(shape->points[i]);
        t->reach = greater(t->reach, dv_len(t->points[i]) + t->radius);
    }
    b = motion_box_at(t, t->from);
    t->lo = b.lo;
    t->hi = b.hi;
}

static inline void motion_note_body(motion *m, const kin_world *world, kin_id id)
{
    trip         *t = motion_add(m, id);
    kin_body_desc d;
    double        gravity;
    memset(&d, 0, sizeof d);
    kin_get_body_options(world, id, &d);
    t->body = true;
    t->from = t->to = motion_pose(world, id);
    motion_set_shape(t, &d.shape);
    t->meets = !d.disabled;
    t->sensor = d.sensor;
    t->push = d.push;
    t->layer = d.layer;
    t->mask = d.mask;
    t->ground = kin_get_ground(world, id);
    gravity = dv_len(dv_of(d.gravity));   /* its own */
    t->up = gravity > 0 ? dv_scale(dv_of(d.gravity), -1 / gravity) : m->up;
    gravity = d.weightless ? 0 : (gravity > 0 ? gravity : dv_len(m->gravity)) * fabs((double)d.gravity_scale);
    t->speed = dv_len(dv_of(kin_get_leftover(world, id)));
    t->velocity = dv_of(kin_get_velocity(world, id));
    t->own = dv_len(t->velocity);
    t->extra = greater(0, (double)d.snap) + (double)d.step_height + (double)d.corner_nudge;
    t->carry = gravity;      /* until motion_after knows dt */
    t->most_slope = (double)d.max_slope;
    t->level_speed = d.slope == KIN_SLOPE_HORIZONTAL_SPEED;
}

static inline dv motion_spin(kin_spin w)
{
#if KINEMATIC_DIM == 2
    return dv_make(0, 0, (double)w);
#else
    return dv_of(w);
#endif
}

/* The longest motion of any point of a mover or part in a second, if it goes on as it is told now. */
static inline double motion_wanted(const kin_world *world, const trip *t)
{
    return dv_len(dv_of(kin_get_velocity(world, t->mover))) + dv_len(motion_spin(kin_get_spin(world, t->mover))) * t->reach;
}

static inline void motion_note_mover(motion *m, const kin_world *world, kin_id id)
{
    trip          *t = motion_add(m, id);
    kin_mover_desc d;
    memset(&d, 0, sizeof d);
    kin_get_mover_options(world, id, &d);
    t->mover = id;
    t->from = t->to = motion_pose(world, id);
    motion_set_shape(t, &d.shape);
    t->meets = !d.sensor && !d.disabled;
    t->layer = d.layer;
    t->mask = d.mask;
    t->surface = d.surface_velocity;
    t->wanted = motion_wanted(world, t);
}

static inline void motion_note_part(motion *m, const kin_world *world, const motion_part_row *p)
{
    trip      *mover = motion_trip(m, p->mover), *t;
    kin_pose   from;
    motion_box b;
    int        i;
    if (!mover || !kin_alive(world, p->id)) return;
    from = mover->from;
    t = motion_add(m, p->id);
    t->mover = p->mover;
    t->from = t->to = from;
    t->count = p->count;
    t->radius = p->radius;
    t->meets = !p->sensor;
    t->layer = t->mask = 0xffffffffu;
    for (i = 0; i < p->count; i++) {
        t->points[i] = p->points[i];
        t->reach = greater(t->reach, dv_len(t->points[i]) + t->radius);
    }
    b = motion_box_at(t, from);
    t->lo = b.lo;
    t->hi = b.hi;
    t->wanted = motion_wanted(world, t);
}

static inline void motion_before(motion *m, const kin_world *world)
{
    kin_id id, nobody;
    int    i;
    memset(&nobody, 0, sizeof nobody);
    for (i = 0; i < m->count; i++) m->at[m->trips[i].id.slot] = 0;
    m->count = m->write_count = 0;
    m->stepping = true;
    for (id = kin_next(world, KIN_MOVER, nobody); id.slot; id = kin_next(world, KIN_MOVER, id)) motion_note_mover(m, world, id);
    for (i = 0; i < m->part_count; i++) motion_note_part(m, world, &m->parts[i]);
    for (id = kin_next(world, KIN_BODY, nobody); id.slot; id = kin_next(world, KIN_BODY, id)) motion_note_body(m, world, id);
}

/* ---- after the step: lengths ----------------------------------------------------------------------------------------- */

/* The angle between two rotations, from 0 to pi. */
static inline double motion_angle(kin_rot a, kin_rot b)
{
    dm m = dm_of(a), n = dm_of(b);
    if (KINEMATIC_DIM == 2) return acos(lesser(1, greater(-1, dv_dot(m.x, n.x))));
    return acos(lesser(1, greater(-1, 0.5 * (dv_dot(m.x, n.x) + dv_dot(m.y, n.y) + dv_dot(m.z, n.z) - 1))));
}

static inline bool motion_same(kin_pose a, kin_pose b) { return memcmp(&a, &b, sizeof a) == 0; }

/* How far a point goes that moves with a thing. */
static inline double motion_of_point(const trip *t, dv point)
{
    dm from = dm_of(t->from.q), to = dm_of(t->to.q);
    dv local = dm_turn_back(&from, dv_sub(point, dv_of(t->from.p)));
    return dv_len(dv_sub(dv_add(dv_of(t->to.p), dm_turn(&to, local)), point));
}

/* The longest way of any point of a mover or part. */
static inline double motion_of_mover(const kin_world *world, const motion *m, const trip *t)
{
    double turned = motion_angle(t->from.q, t->to.q), by_spin;
    if (!kin_alive(world, t->mover)) return t->wanted * m->dt;   /* removed at the end of the step, perhaps */
    if (motion_same(t->from, t->to)) return 0;
    by_spin = dv_len(motion_spin(kin_get_spin(world, t->mover))) * m->dt;
    if (by_spin > 3) turned = by_spin;   /* more than the poses show */
    return dv_len(dv_sub(dv_of(t->to.p), dv_of(t->from.p))) + turned * t->reach;
}

/* The box of the whole motion of a mover or part: both ends, and how far the arc between them bulges. */
static inline void motion_sweep_mover(trip *t, double way)
{
    motion_box b = motion_box_at(t, t->to);
    double     turned = motion_angle(t->from.q, t->to.q), bulge = turned > 0 ? t->reach * (1 - cos(lesser(0.5 * turned, 1.5707))) : 0;
    dv         by = dv_make(bulge, bulge, bulge);
    if (turned > 1 || !t->stays) by = dv_make(way, way, way);
    t->way_lo = dv_sub(dv_make(lesser(t->lo.x, b.lo.x), lesser(t->lo.y, b.lo.y), lesser(t->lo.z, b.lo.z)), by);
    t->way_hi = dv_add(dv_make(greater(t->hi.x, b.hi.x), greater(t->hi.y, b.hi.y), greater(t->hi.z, b.hi.z)), by);
}

/* The motion of a body's ground at any point of the body, and of the ground's own surface. */
static inline double motion_of_ground(const kin_world *world, const motion *m, const trip *t)
{
    const trip *ground = motion_trip(m, t->ground.id);
    double      most = 0;
    dv          surface = dv_of(t->ground.velocity);
    int         i;
    if (t->ground.footing == KIN_AIR) return 0;
    if (!ground) return dv_len(surface) * m->dt;
    for (i = 0; i < 8; i++)
        most = greater(most, motion_of_point(ground, dv_make(i & 1 ? t->hi.x : t->lo.x, i & 2 ? t->hi.y : t->lo.y, i & 4 ? t->hi.z : t->lo.z)));
    if (ground->body) return most;
    if (!kin_same(ground->id, ground->mover) && kin_alive(world, ground->mover)) {
        dv w = motion_spin(kin_get_spin(world, ground->mover)), arm = dv_sub(dv_of(t->ground.point), dv_of(ground->from.p));
        surface = dv_sub(surface, dv_add(dv_of(kin_get_velocity(world, ground->mover)), dv_cross(w, arm)));
    } else surface = dv_of(ground->surface);
    return most + dv_len(surface) * m->dt;
}

/* The carrier of a body: its ground, or, if it leaves that or the ground is gone, the velocity that the ground had. */
static inline double motion_carry(const kin_world *world, const motion *m, const trip *t)
{
    return greater(motion_of_ground(world, m, t), m->rode[t->id.slot] * m->dt);
}

/* A body's own motion: on slopes, also those that it crosses within the step, it may be longer in horizontal mode; a slide
   down a steep ground is known by its part along up. */
static inline double motion_own(const motion *m, const trip *t)
{
    double gravity = t->carry, v = t->own, cosine = 1;
    int    i;
    for (i = 0; i < m->write_count; i++)
        if (kin_same(m->writes[i].id, t->id)) v = greater(v, m->writes[i].speed);
    if (t->ground.footing == KIN_STEEP) {
        double c = dv_dot(dv_of(t->ground.normal), t->up), sine = sqrt(greater(0, 1 - c * c));
        double rise = fabs(dv_dot(t->velocity, t->up));
        v = greater(v, dv_len(dv_sub(t->velocity, dv_scale(t->up, dv_dot(t->velocity, t->up)))) + rise / greater(sine, 0.01));
    }
    if (t->level_speed) cosine = cos(lesser(1.4836, t->most_slope + 0.01));
    return (v + t->speed + gravity * m->dt) * m->dt / cosine;
}

static inline void motion_lengths(motion *m, const kin_world *world)
{
    int i;
    for (i = 0; i < m->count; i++) {
        trip *t = &m->trips[i];
        t->stays = kin_alive(world, t->id);
        if (t->body && t->stays) t->to = motion_pose(world, t->id);
        if (!t->body && kin_alive(world, t->mover)) t->to = motion_pose(world, t->mover);
        t->moved = t->body ? dv_len(dv_sub(dv_of(t->to.p), dv_of(t->from.p))) : motion_of_mover(world, m, t);
        if (!t->body) motion_sweep_mover(t, t->moved);
    }
    for (i = 0; i < m->count; i++) {
        trip *t = &m->trips[i];
        if (!t->body) continue;
        t->own = motion_own(m, t);
        t->carry = motion_carry(world, m, t);
        if (m->excused && m->excused(m->user, t->id)) { t->moved = 0; t->to = t->from; }
    }
}

/* ---- after the step: groups ----------------------------------------------------------------------------------------- */

static inline double motion_gap(dv alo, dv ahi, dv blo, dv bhi)
{
    double gap = -1e300;
    int    i;
    for (i = 0; i < KINEMATIC_DIM; i++) {
        gap = greater(gap, dv_at(alo, i) - dv_at(bhi, i));
        gap = greater(gap, dv_at(blo, i) - dv_at(ahi, i));
    }
    return gap;
}

static inline bool motion_meet(const trip *a, const trip *b)
{
    if (!a->meets || !b->meets) return false;
    if (a->body && b->body && (a->push == KIN_INTANGIBLE || b->push == KIN_INTANGIBLE || a->sensor || b->sensor)) return false;
    return (a->layer & b->mask) && (b->layer & a->mask);
}

static inline int motion_root(motion *m, int i)
{
    while (m->trips[i].parent != i) i = m->trips[i].parent = m->trips[m->trips[i].parent].parent;
    return i;
}

/* The longest motion that a body can have pushed another one with. */
static inline double motion_reach(const trip *t)
{
    double alone = t->own + t->carry, most = alone + MOTION_PUSH * t->pushed_by_movers + t->overlap + t->extra;
    return greater(greater(alone, t->pushed_by_movers), lesser(t->moved, most));
}

/* The longest motion of what can have pushed a body: movers near it, others of its group. */
static inline double motion_pushers(motion *m, int i)
{
    const trip   *t = &m->trips[i];
    const double *group = m->trips[motion_root(m, i)].group_motion;
    if (!m->grouped) return 0;
    return greater(t->pushed_by_movers, motion_reach(t) < group[0] ? group[0] : group[1]);
}

static inline double motion_limit(motion *m, int i)
{
    const trip *t = &m->trips[i];
    double      far = 8 * 1.1920929e-7 * dv_largest(dv_of(t->from.p));
    return t->own + t->carry + MOTION_PUSH * motion_pushers(m, i) + t->overlap + t->extra + MOTION_REST * m->unit + far;
}

/* The box of a body's motion: as far as it wanted in any direction, and where it ended if that is not too far. */
static inline void motion_sweep_body(motion *m, int i)
{
    trip      *t = &m->trips[i];
    double     way = t->own + t->carry;
    dv         by = dv_make(way, way, way);
    motion_box b = motion_box_at(t, t->to);
    t->way_lo = dv_sub(t->lo, by);
    t->way_hi = dv_add(t->hi, by);
    if (!(t->moved <= motion_limit(m, i))) return;
    t->way_lo = dv_make(lesser(t->way_lo.x, b.lo.x), lesser(t->way_lo.y, b.lo.y), lesser(t->way_lo.z, b.lo.z));
    t->way_hi = dv_make(greater(t->way_hi.x, b.hi.x), greater(t->way_hi.y, b.hi.y), greater(t->way_hi.z, b.hi.z));
}

/* The longest motion of movers near a body. */
static inline void motion_find_movers(motion *m, int i)
{
    trip *t = &m->trips[i];
    int   k;
    t->pushed_by_movers = 0;
    for (k = 0; k < m->count && !m->trips[k].body; k++) {
        const trip *o = &m->trips[k];
        if (!(o->moved > t->pushed_by_movers) || !motion_meet(t, o)) continue;
        if (motion_gap(t->way_lo, t->way_hi, o->way_lo, o->way_hi) <= MOTION_MARGIN * m->unit) t->pushed_by_movers = o->moved;
    }
}

static const motion *motion_sorting;

static int motion_compare(const void *a, const void *b)
{
    const trip *s = &motion_sorting->trips[*(const int *)a], *t = &motion_sorting->trips[*(const int *)b];
    if (s->way_lo.x < t->way_lo.x) return -1;
    if (s->way_lo.x > t->way_lo.x) return 1;
    return *(const int *)a - *(const int *)b;
}

/* Joins all bodies whose boxes meet; how many joins there were. */
static inline int motion_join(motion *m)
{
    int *order = (int *)malloc((size_t)(m->count + 1) * sizeof *order), n = 0, i, k, joins = 0;
    if (!order) abort();
    for (i = 0; i < m->count; i++)
        if (m->trips[i].body && m->trips[i].meets) order[n++] = i;
    motion_sorting = m;
    qsort(order, (size_t)n, sizeof *order, motion_compare);
    for (i = 0; i < n; i++) {
        const trip *a = &m->trips[order[i]];
        for (k = i + 1; k < n && m->trips[order[k]].way_lo.x <= a->way_hi.x + MOTION_MARGIN * m->unit; k++) {
            const trip *b = &m->trips[order[k]];
            int         p, q;
            if (motion_gap(a->way_lo, a->way_hi, b->way_lo, b->way_hi) > MOTION_MARGIN * m->unit || !motion_meet(a, b)) continue;
            p = motion_root(m, order[i]);
            q = motion_root(m, order[k]);
            if (p == q) continue;
            m->trips[p > q ? p : q].parent = p > q ? q : p;
            joins++;
        }
    }
    free(order);
    return joins;
}

static inline void motion_group_lengths(motion *m)
{
    int i;
    for (i = 0; i < m->count; i++) m->trips[i].group_motion[0] = m->trips[i].group_motion[1] = 0;
    for (i = 0; i < m->count; i++) {
        double *group = m->trips[motion_root(m, i)].group_motion, reach = motion_reach(&m->trips[i]);
        if (!m->trips[i].body) continue;
        group[1] = greater(group[1], lesser(group[0], reach));
        group[0] = greater(group[0], reach);
    }
}

/* Groups grow while bodies that moved as far as they may reach others. */
static inline void motion_group(motion *m)
{
    int i, rounds;
    for (i = 0; i < m->count; i++) m->trips[i].parent = i;
    m->grouped = false;
    for (rounds = 0; rounds < 8; rounds++) {
        int joins;
        for (i = 0; i < m->count; i++)
            if (m->trips[i].body) { motion_sweep_body(m, i); motion_find_movers(m, i); }
        joins = motion_join(m);
        motion_group_lengths(m);
        m->grouped = true;
        if (joins == 0 && rounds > 0) break;
    }
}

/* Did a body begin inside something, beyond the slop? */
static inline bool motion_is_inside(const motion *m, const trip *t)
{
    return t->deepest > 0.005 * m->unit + 8 * 1.1920929e-7 * dv_largest(dv_of(t->from.p));
}

static inline double motion_width(const trip *t)
{
    double least = lesser(t->hi.x - t->lo.x, t->hi.y - t->lo.y);
    return KINEMATIC_DIM == 3 ? lesser(least, t->hi.z - t->lo.z) : least;
}

/* Where the shortest way out leads into something else a longer one is taken, of up to half the body's width. */
static inline void motion_measure(motion *m)
{
    int i;
    if (m->measured) return;
    m->measured = true;
    for (i = 0; i < m->count; i++)
        if (m->trips[i].body && m->overlap) {
            trip *t = &m->trips[i];
            t->overlap = m->overlap(m->user, t->id, &t->deepest);
            if (motion_is_inside(m, t)) t->overlap = greater(t->overlap, 0.5 * motion_width(t));
        }
    motion_group(m);
}

/* ---- the invariants --------------------------------------------------------------------------------------------------- */

/* N11. Most bodies move no further than by themselves; only for the others groups and overlaps are looked for. */
static inline void motion_check_length(motion *m, int i)
{
    trip *t = &m->trips[i];
    if (!t->stays || t->moved <= motion_limit(m, i)) return;
    if (!m->grouped) motion_group(m);
    if (t->moved <= motion_limit(m, i)) return;
    motion_measure(m);
    if (t->moved <= motion_limit(m, i)) return;
    snprintf(m->text, sizeof m->text, "moved too far in one step (own %.4g, carried %.4g, pushed by 4 x %.4g, overlap %.4g, options %.4g)", t->own, t->carry,
             motion_pushers(m, i), t->overlap, t->extra);
    m->tell(m->user, 11, t->id, m->text, t->moved, motion_limit(m, i));
}

/* Does a mover that moves, or wants to, come near this body? */
static inline bool motion_mover_near(const motion *m, const kin_world *world, const trip *t)
{
    int k;
    for (k = 0; k < m->count && !m->trips[k].body; k++) {
        const trip *o = &m->trips[k];
        bool        goes = o->moved > 0 || o->wanted > 0 || (o->stays && kin_alive(world, o->mover) && motion_wanted(world, o) > 0);
        if (goes && motion_meet(t, o) && motion_gap(t->way_lo, t->way_hi, o->way_lo, o->way_hi) <= MOTION_NEAR * m->unit) return true;
    }
    return false;
}

static inline bool motion_changed_near(const motion *m, const trip *t)
{
    int i;
    for (i = 0; i < m->change_count; i++)
        if (motion_gap(t->way_lo, t->way_hi, m->changes[i].lo, m->changes[i].hi) <= MOTION_NEAR * m->unit) return true;
    return false;
}

/* N12. Movers are looked for near the whole group. */
static inline void motion_check_condition(motion *m, const kin_world *world, int i)
{
    int k, root;
    motion_measure(m);
    root = motion_root(m, i);
    if (motion_is_inside(m, &m->trips[i]) || motion_changed_near(m, &m->trips[i])) return;
    for (k = 0; k < m->count; k++)
        if (m->trips[k].body && motion_root(m, k) == root && motion_mover_near(m, world, &m->trips[k])) return;
    m->tell(m->user, 12, m->trips[i].id, "a condition opens though nothing squeezes", m->trips[i].deepest, 0);
}

/* Changes inside a step, as those of a callback, count for it and for the next one. */
static inline void motion_forget(motion *m)
{
    int i, kept = 0;
    for (i = 0; i < m->change_count; i++)
        if (m->changes[i].fresh) { m->changes[kept] = m->changes[i]; m->changes[kept++].fresh = false; }
    m->change_count = kept;
    m->stepping = false;
}

/* N11 and N12 for everybody; `events` are those of this step. */
static inline void motion_after(motion *m, const kin_world *world, double dt, const kin_event *events, int event_count, bool n11, bool n12)
{
    int i;
    m->dt = dt;
    m->grouped = m->measured = false;
    for (i = 0; i < m->count; i++) m->trips[i].parent = i;
    motion_lengths(m, world);
    for (i = 0; i < m->count && n11; i++)
        if (m->trips[i].body) motion_check_length(m, i);
    for (i = 0; i < event_count && n12; i++) {
        trip *t = motion_trip(m, events[i].a);
        if ((events[i].type == KIN_EVENT_CRUSHED || events[i].type == KIN_EVENT_EMBEDDED) && t && t->body)
            motion_check_condition(m, world, (int)(t - m->trips));
    }
    for (i = 0; i < m->count; i++)
        if (m->trips[i].body && m->trips[i].stays) m->rode[m->trips[i].id.slot] = dv_len(dv_of(kin_get_ground(world, m->trips[i].id).velocity));
    motion_forget(m);
}

#endif
