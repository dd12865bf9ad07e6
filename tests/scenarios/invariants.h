/* SPDX-License-Identifier: MIT OR Unlicense

   invariants.h: N1 to N8, N11 and N12 of the catalogue, looked at from outside after every step.

   Only the public interface and the scene's own list of things are used; shapes are measured by solid.h, lengths of motion
   by motion.h. N9 (the
   cap of slides) cannot be seen from outside, N10 (the mirrored run) is compared at the end of a scenario. A breach
   names the invariant, the step, the things by their number of adding, and the value. Included by scene.h. */
#ifndef INVARIANTS_H
#define INVARIANTS_H

/* ---- invariants -------------------------------------------------------------------------------------------------- */

static const char *const scene_kinds[] = { "nothing", "static", "mover", "body" };

static inline bool checks(const scene *s, int n) { return !(s->skip & (1u << n)); }

static inline void breach(scene *s, int n, const thing *t, const thing *o, const char *what, double value)
{
    dv p = dv_of(mirrored(s, t->pose.p)), v = dv_of(mirrored(s, t->velocity));
    char other[40] = "";
    if (o) snprintf(other, sizeof other, " and %s #%d", scene_kinds[o->kind], o->number);
    scene_fail(s, "N%d: %s #%d%s: %s (%.9g); at (%.9g, %.9g, %.9g), velocity (%.9g, %.9g, %.9g)", n, scene_kinds[t->kind],
               t->number, other, what, value, p.x, p.y, p.z, v.x, v.y, v.z);
}

/* Far from the origin every tolerance grows by 8 ulp of the largest coordinate. */
static inline double far_out(const thing *t) { return 8 * 1.1920929e-7 * dv_largest(dv_of(t->pose.p)); }
static inline double ulps(double n, dv p) { return n * 1.1920929e-7 * dv_largest(p); }

static inline bool is_ignored(const scene *s, const thing *a, const thing *b)
{
    int i;
    for (i = 0; i < s->ignored_count; i++) {
        const kin_id *pair = s->ignored[i];
        if ((kin_same(pair[0], a->id) && kin_same(pair[1], b->id)) || (kin_same(pair[0], b->id) && kin_same(pair[1], a->id))) return true;
    }
    return false;
}

/* Do the two block each other? One-way surfaces are left to the scenarios. */
static inline bool blocks(const scene *s, const thing *a, const thing *b)
{
    if (a->gone || b->gone || a->sensor || b->sensor || a->disabled || b->disabled || a->one_way || b->one_way) return false;
    if (a->push == KIN_INTANGIBLE && b->kind == KIN_BODY) return false;
    if (b->push == KIN_INTANGIBLE && a->kind == KIN_BODY) return false;
    return (a->layer & b->mask) && (b->layer & a->mask) && !is_ignored(s, a, b);
}

static inline bool squeezed(const scene *s, const thing *t)
{
    return t->kind == KIN_BODY && (kin_is_crushed(s->world, t->id) || kin_is_embedded(s->world, t->id));
}

static inline bool finite_vec(kin_vec v) { dv d = dv_of(v); return isfinite(d.x) && isfinite(d.y) && isfinite(d.z); }

/* N1: every stored number that can be read is finite. */
static inline void check_numbers(scene *s, const thing *t)
{
    kin_ground g;
    dm m = dm_of(t->pose.q);
    if (!finite_vec(t->pose.p) || !isfinite(m.x.x) || !isfinite(m.y.x)) breach(s, 1, t, NULL, "pose", 0);
    if (t->kind == KIN_STATIC) return;
    if (!finite_vec(t->velocity)) breach(s, 1, t, NULL, "velocity", 0);
    if (!finite_vec(kin_get_motion(s->world, t->id))) breach(s, 1, t, NULL, "motion", 0);
    if (t->kind == KIN_MOVER) return;
    g = kin_get_ground(s->world, t->id);
    if (!finite_vec(g.normal) || !finite_vec(g.point) || !finite_vec(g.velocity)) breach(s, 1, t, NULL, "ground", 0);
    if (!finite_vec(kin_get_leftover(s->world, t->id))) breach(s, 1, t, NULL, "leftover", 0);
}

/* N2: no body is deeper than the slop in a solid it collides with; a mover that presses it against something else
   may be twice as deep. Not while the body is reported as crushed or embedded. */
static inline void check_depth(scene *s, const thing *t)
{
    bool pressed = kin_get_contacts(s->world, t->id, NULL, 0) >= 2;
    int  i;
    for (i = 0; i < s->thing_count; i++) {
        const thing *o = s->things[i];
        double gap, allowed = o->kind == KIN_MOVER && pressed ? PRESSED : SLOP;
        dv     n;
        if (o == t) continue;
        if (o->kind == KIN_BODY && o->number > t->number) continue;   /* each pair once */
        if (placed_box_gap(&t->place, &o->place) > 0 || !blocks(s, t, o) || squeezed(s, o)) continue;
        gap = separation(&t->place, &o->place, 0, &n);
        if (gap < -(allowed * s->unit + far_out(t))) breach(s, 2, t, o, "too deep", -gap);
    }
}

/* Can the straight way of its centre in the last step have met this box? */
static inline bool passes_box(const thing *t, const placed *box)
{
    dv  a = dv_of(t->before.p), b = dv_of(t->pose.p);
    int i;
    for (i = 0; i < KINEMATIC_DIM; i++)
        if (greater(dv_at(a, i), dv_at(b, i)) < dv_at(box->lo, i) || lesser(dv_at(a, i), dv_at(b, i)) > dv_at(box->hi, i)) return false;
    return true;
}

/* N3: the centre never changes side of a static box while it is between that box's other sides; inside it has no side. */
static inline void check_sides(scene *s, const thing *t)
{
    int i, k;
    if (t->teleported) return;
    for (i = 0; i < s->thing_count; i++) {
        const thing *o = s->things[i];
        dm m;
        dv a, b;
        if (o->kind != KIN_STATIC || o->attach.slot || o->teleported || !(o->solid.half.x > 0)) continue;
        if (!passes_box(t, &o->place) || !blocks(s, t, o)) continue;
        m = dm_of(o->pose.q);
        a = dv_sub(dm_turn_back(&m, dv_sub(dv_of(t->before.p), dv_of(o->pose.p))), o->solid.middle);
        b = dv_sub(dm_turn_back(&m, dv_sub(dv_of(t->pose.p), dv_of(o->pose.p))), o->solid.middle);
        for (k = 0; k < KINEMATIC_DIM; k++) {
            bool between = true;
            int  j;
            for (j = 0; j < KINEMATIC_DIM; j++)
                if (j != k && !(fabs(dv_at(a, j)) < dv_at(o->solid.half, j) && fabs(dv_at(b, j)) < dv_at(o->solid.half, j))) between = false;
            if (between && fabs(dv_at(a, k)) >= dv_at(o->solid.half, k) && dv_at(a, k) * dv_at(b, k) < 0) breach(s, 3, t, o, "went through", dv_at(b, k));
        }
    }
}

/* N5: stable ground is not steeper than the limit, unless two or more contacts make a wedge. */
static inline void check_ground(scene *s, const thing *t)
{
    kin_ground g = kin_get_ground(s->world, t->id);
    double     lean = acos(fmin(1, dv_dot(dv_of(g.normal), up_of(s, t)))) * 180 / SCENE_PI;
    if ((g.footing == KIN_STABLE) != kin_on_ground(s->world, t->id)) breach(s, 5, t, NULL, "footing and kin_on_ground differ", 0);
    if ((g.footing == KIN_AIR) != (g.id.slot == 0)) breach(s, 5, t, NULL, "footing and ground id differ", g.footing);
    if (g.footing != KIN_STABLE) return;
    if (!kin_alive(s->world, g.id)) return;
    if (!(dv_len(up_of(s, t)) > 0)) breach(s, 5, t, NULL, "ground in a floating world", 0);
    if (lean > t->max_slope * 180 / SCENE_PI + 0.6 && kin_get_contacts(s->world, t->id, NULL, 0) < 2)
        breach(s, 5, t, thing_of(s, g.id), "stands on a slope of", lean);
}

/* Does this velocity really lead into o, or only past its corner? Shift the body along and see how the gap shrinks. */
static inline bool leads_into(const scene *s, const thing *t, const thing *o, dv v, double gap, dv n, dv *met)
{
    double speed = dv_len(v), into = -dv_dot(v, n), way = s->unit * fmin(0.5, 0.02 * speed / into);
    placed moved = t->place;
    placed_shift(&moved, dv_scale(v, way / speed));
    return gap - separation(&moved, &o->place, s->unit, met) > 0.5 * way * into / speed;
}

/* Would something else stop the body before it touches o, as a slope does before the tiles behind it, or, at a seam, in
   the same place? One that faces the same way is no other surface. */
static inline bool shielded(const scene *s, const thing *t, const thing *o, double gap, dv n)
{
    placed moved = t->place;
    int    i;
    dv     other;
    placed_shift(&moved, dv_scale(n, -gap));
    for (i = 0; i < s->thing_count; i++) {
        const thing *p = s->things[i];
        if (p == o || (p->kind != KIN_STATIC && !kin_same(p->id, o->attach))) continue;
        if (placed_box_gap(&moved, &p->place) > 1e-4 * s->unit || !blocks(s, t, p)) continue;
        gap = separation(&moved, &p->place, s->unit, &other);
        if (gap < -1e-6 * s->unit || (gap < 1e-4 * s->unit && dv_dot(other, n) > 0.1 && dv_dot(other, n) < 0.999)) return true;
    }
    return false;
}

/* A body's velocity and what it has left, turned along the ground it stands on. */
static inline dv walking_velocity(const scene *s, const thing *t, const kin_ground *g)
{
    dv     v = dv_add(dv_of(t->velocity), dv_of(kin_get_leftover(s->world, t->id))), n = dv_of(g->normal), along;
    double rise = dv_dot(n, up_of(s, t));
    if (g->footing != KIN_STABLE || rise < cos(t->max_slope + DEGREES(0.12))) return v;
    along = dv_sub(v, dv_scale(up_of(s, t), dv_dot(v, n) / rise));
    return dv_len(along) > 0 ? dv_scale(along, dv_len(v) / dv_len(along)) : v;
}

/* Does the body really touch there? The gap is that along the axis that parts the two best; a corner beside a corner is
   further away, and moved along that axis they pass each other, or meet across another one. */
static inline bool faces(const scene *s, const thing *t, const thing *o, double gap, dv n)
{
    placed moved = t->place;
    dv     other;
    placed_shift(&moved, dv_scale(n, -gap - 2e-4 * s->unit));
    return separation(&moved, &o->place, 0, &other) < 0 && dv_dot(other, n) > 0.999;
}

/* Is o the step whose edge a round foot is on? Then the body stands on its top, and the edge is no wall. */
static inline bool is_step(const thing *t, const thing *o, const kin_ground *g)
{
    return t->step_height > 0 && g->footing == KIN_STABLE && kin_same(g->id, o->id);
}

/* Does the body go into a static that it touches with this normal? By its velocity, and by that turned along the ground. */
static inline bool goes_into(const scene *s, const thing *t, const thing *o, const kin_ground *g, double gap, dv n)
{
    dv     v = dv_of(t->velocity), walk = walking_velocity(s, t, g), met;
    double slow = fmax(INTO * s->unit, 1e-6 * dv_len(v));
    if (dv_dot(v, n) >= -slow || dv_dot(walk, n) >= -slow) return false;
    if (!leads_into(s, t, o, v, gap, n, &met) || !leads_into(s, t, o, walk, gap, n, &met)) return false;
    return !(dv_len(up_of(s, t)) > 0) || dv_dot(met, up_of(s, t)) < cos(t->max_slope + DEGREES(0.6));
}

/* Is it part of a mover on its way? Then velocities, which are those of things that stand, say nothing about it. */
static inline bool is_under_way(const scene *s, const thing *o)
{
    const thing *mover = o->attach.slot ? thing_of(s, o->attach) : NULL;
    return mover && !same_pose(mover->pose, mover->before);
}

/* N6: no velocity into a wall, ceiling or steep static that it touches; on stable ground none along up. */
static inline void check_velocity(scene *s, const thing *t)
{
    kin_ground g = kin_get_ground(s->world, t->id);
    dv         v = dv_of(t->velocity), n;
    double     most = cos(t->max_slope + DEGREES(0.6)), gap;
    int        i;
    if (t->written || squeezed(s, t) || !(dv_len(v) > 0)) return;
    if (kin_on_ground(s->world, t->id) && fabs(dv_dot(v, up_of(s, t))) > 1e-6 * fmax(1, dv_len(v)))
        breach(s, 6, t, NULL, "on stable ground, velocity along up", dv_dot(v, up_of(s, t)));
    for (i = 0; i < s->thing_count; i++) {
        const thing *o = s->things[i];
        if (o->kind != KIN_STATIC || placed_box_gap(&t->place, &o->place) > SLOP * s->unit || !blocks(s, t, o) || is_under_way(s, o)) continue;
        gap = separation(&t->place, &o->place, s->unit, &n);
        if (gap > SLOP * s->unit || (dv_len(up_of(s, t)) > 0 && dv_dot(n, up_of(s, t)) >= most) || is_step(t, o, &g)) continue;
        if (goes_into(s, t, o, &g, gap, n) && faces(s, t, o, gap, n) && !shielded(s, t, o, gap, n)) breach(s, 6, t, o, "velocity into what it touches", dv_dot(v, n));
    }
}

/* Does a mover that stops want to move, though it was put back? It is where it was, but has pressed on others. */
static inline bool wants_to_move(const scene *s, const thing *o)
{
    kin_spin still, spin;
    if (o->on_blocked != KIN_BLOCKED_STOP || o->kind != KIN_MOVER || o->gone) return false;
    memset(&still, 0, sizeof still);
    spin = kin_get_spin(s->world, o->id);
    return dv_len(dv_of(kin_get_velocity(s->world, o->id))) > 0 || memcmp(&still, &spin, sizeof spin) != 0;
}

/* Is anything moving within one unit of the body, or a neighbour that presses told something else than in the last step? */
static inline bool stirred(const scene *s, const thing *t)
{
    int i;
    for (i = 0; i < s->thing_count; i++) {
        const thing *o = s->things[i];
        bool moves = o->conveyor || o->attach.slot || (o->kind != KIN_STATIC && !o->gone && !same_pose(o->pose, o->before)) || wants_to_move(s, o) ||
                     (o->kind == KIN_BODY && !o->gone && !same_vec(o->velocity_before, o->velocity_earlier));
        double way = dv_len(dv_sub(dv_of(o->pose.p), dv_of(o->before.p)));   /* it may have gone past, or turned away */
        if (!same_rot(o->pose.q, o->before.q)) way += dv_len(dv_sub(o->place.hi, o->place.lo));
        if (o != t && moves && placed_box_gap(&t->place, &o->place) < s->unit + way) return true;
    }
    return false;
}

/* N7: a body that nobody commands, with nothing moving near, is bit-identical from step to step once settled. */
static inline void check_still(scene *s, thing *t)
{
    bool still = !t->commanded && !t->teleported && !t->written && !(dv_len(dv_of(t->velocity)) > 0) &&
                 !(dv_len(dv_of(t->velocity_before)) > 0) && !(dv_len(dv_of(kin_get_leftover(s->world, t->id))) > 0) &&
                 !squeezed(s, t) && !stirred(s, t);
    t->quiet = still ? t->quiet + 1 : 0;
    if (t->quiet > SETTLED && !same_pose(t->pose, t->before))
        breach(s, 7, t, NULL, "moves although left alone, by", dv_len(dv_sub(dv_of(t->pose.p), dv_of(t->before.p))));
}

/* A vector turned about an axis by that axis's length. */
static inline dv turned_by(dv v, dv w)
{
    double a = dv_len(w);
    dv     k;
    if (!(a > 0)) return v;
    k = dv_scale(w, 1 / a);
    return dv_add(dv_add(dv_scale(v, cos(a)), dv_scale(dv_cross(k, v), sin(a))), dv_scale(k, dv_dot(k, v) * (1 - cos(a))));
}

static inline dv spin_vector(kin_spin w)
{
#if KINEMATIC_DIM == 2
    return dv_make(0, 0, (double)w);
#else
    return dv_of(w);
#endif
}

/* Is the mover where one step with this velocity and spin takes it, to the last bit or two? */
static inline bool moved_by(const thing *t, kin_vec velocity, kin_spin w, double dt)
{
    dv by = dv_scale(dv_of(velocity), dt), from = dv_of(t->before.p), to = dv_of(t->pose.p), turned = dv_scale(spin_vector(w), dt);
    dm m = dm_of(t->before.q), now = dm_of(t->pose.q);
    if (dv_len(dv_sub(to, dv_add(from, by))) > ulps(2, from) + ulps(2, to)) return false;
    return dv_len(dv_sub(turned_by(m.x, turned), now.x)) < 2e-6 && dv_len(dv_sub(turned_by(m.y, turned), now.y)) < 2e-6;
}

/* N8: statics never move, movers are exactly where they were told to be (or stand, if they stop when blocked). */
static inline void check_place(scene *s, const thing *t)
{
    double dt = (double)s->dt;
    if (t->kind == KIN_STATIC && !t->attach.slot && !same_pose(t->pose, pose_now(s, t->id))) breach(s, 8, t, NULL, "moved", 0);
    if (t->kind != KIN_MOVER) return;
    if ((t->disabled || t->stands || t->teleported || t->on_blocked == KIN_BLOCKED_STOP) && same_pose(t->pose, t->before)) return;
    if (t->has_target) {
        dm a = dm_of(t->pose.q), b = dm_of(t->target.q);
        if (!same_vec(t->pose.p, t->target.p) || dv_len(dv_sub(a.x, b.x)) + dv_len(dv_sub(a.y, b.y)) > 2e-6)
            breach(s, 8, t, NULL, "is not at its target, by", dv_len(dv_sub(dv_of(t->pose.p), dv_of(t->target.p))));
        return;
    }
    if (t->stands) breach(s, 8, t, NULL, "moves although it reached its target and was told nothing since", 0);
    if (moved_by(t, t->velocity_before, t->spin_before, dt)) return;
    if (moved_by(t, t->velocity, kin_get_spin(s->world, t->id), dt)) return;   /* its controller set it in this step */
    breach(s, 8, t, NULL, "is not where its velocity leads, by",
           dv_len(dv_sub(dv_of(t->pose.p), dv_add(dv_of(t->before.p), dv_scale(dv_of(t->velocity_before), dt)))));
}

/* ---- N11 and N12: see motion.h -------------------------------------------------------------------------------------- */

/* Where a thing was at the start of the step. */
static inline void placed_before(const scene *s, const thing *t, placed *out)
{
    const thing *mover = t->attach.slot ? thing_of(s, t->attach) : NULL;
    dm           m = dm_of(t->before.q);
    if (mover) {
        dm base = dm_of(mover->before.q), local = dm_of(t->local.q);
        m.x = dm_turn(&base, local.x);
        m.y = dm_turn(&base, local.y);
        m.z = dm_turn(&base, local.z);
        placed_set(out, &t->solid, dv_add(dv_of(mover->before.p), dm_turn(&base, dv_of(t->local.p))), m);
    } else if (t->kind == KIN_STATIC) *out = t->place;
    else placed_set(out, &t->solid, dv_of(t->before.p), m);
}

/* An upper bound of how far a thing has moved in the last step; one that has turned: any distance. */
static inline double moved_at_most(const scene *s, const thing *t)
{
    const thing *mover = t->attach.slot ? thing_of(s, t->attach) : t;
    if (!mover || memcmp(&mover->pose.q, &mover->before.q, sizeof mover->pose.q) != 0) return 1e3;
    return dv_len(dv_sub(dv_of(mover->pose.p), dv_of(mover->before.p))) + 0.1;
}

static inline double scene_overlap(void *user, kin_id id, double *deepest)
{
    scene       *s = (scene *)user;
    const thing *t = thing_of(s, id);
    placed       here, there;
    double       all = 0;
    int          i;
    *deepest = 0;
    if (!t) return 0;
    placed_before(s, t, &here);
    for (i = 0; i < s->thing_count; i++) {
        const thing *o = s->things[i];
        double       gap = placed_box_gap(&here, &o->place);
        dv           n;
        if ((gap > 0.1 && gap > moved_at_most(s, o)) || o == t || !blocks(s, t, o)) continue;
        placed_before(s, o, &there);
        gap = separation(&here, &there, 0, &n);
        if (gap >= 0) continue;
        all -= gap;
        *deepest = greater(*deepest, -gap);
    }
    return all;
}

static inline bool scene_excused(void *user, kin_id id)
{
    const thing *t = thing_of((scene *)user, id);
    return t && t->teleported_inside;
}

static inline void scene_tell(void *user, int n, kin_id id, const char *what, double value, double allowed)
{
    scene *s = (scene *)user;
    thing *t = thing_of(s, id);
    char   text[260];
    snprintf(text, sizeof text, "%s, at most %.6g", what, allowed);
    if (t) breach(s, n, t, NULL, n == 11 ? text : what, value);
    else scene_fail(s, "N%d: slot %u: %s (%.9g)", n, id.slot, text, value);
}

/* ---- N4: events --------------------------------------------------------------------------------------------------- */

static inline int cell_of(const scene *s, kin_id b, int part) { return s->is_sensor && s->is_sensor(s, b, part) ? part : -1; }

static inline touch *touch_of(scene *s, kin_id a, kin_id b, int part)
{
    int    cell = cell_of(s, b, part);
    touch *t;
    int   *first = &s->touch_first[(31 * (a.slot ^ b.slot) + a.slot + b.slot) % BUCKETS], i;   /* the same for both orders */
    if (s->touch_count == 0) memset(s->touch_first, 0, sizeof s->touch_first);
    for (i = *first; i > 0; i = t->next) {
        t = &s->touches[i - 1];
        if (t->cell != cell) continue;
        if ((kin_same(t->a, a) && kin_same(t->b, b)) || (kin_same(t->a, b) && kin_same(t->b, a))) return t;
    }
    s->touches = (touch *)scene_grow(s->touches, s->touch_count, &s->touch_room, sizeof *s->touches);
    t = &s->touches[s->touch_count++];
    t->a = a;
    t->b = b;
    t->open = false;
    t->cell = cell;
    t->next = *first;
    *first = s->touch_count;
    return t;
}

static inline void check_pair_event(scene *s, const kin_event *e)
{
    thing *a = thing_of(s, e->a), *b = thing_of(s, e->b);
    touch *t = touch_of(s, e->a, e->b, e->part);
    if (t->open == (e->type == KIN_EVENT_BEGAN))
        scene_fail(s, "N4: %s of slots %u and %u, which %s", e->type == KIN_EVENT_BEGAN ? "began" : e->type == KIN_EVENT_ENDED ? "ended" : "continued",
                   e->a.slot, e->b.slot, t->open ? "touch already" : "do not touch");
    t->open = e->type != KIN_EVENT_ENDED;
    if (!a || !b) return;
    if (a->kind != KIN_BODY || (b->kind == KIN_BODY && b->id.slot < a->id.slot))
        scene_fail(s, "N4: pair named the wrong way round: slots %u and %u", e->a.slot, e->b.slot);
}

/* Landing and leaving alternate, and so do the opening and the end of a condition: one that turns into the other ends first. */
static inline void check_body_event(scene *s, const kin_event *e, thing *t)
{
    static const char *const names[] = { "began", "continued", "ended", "landed", "left", "crushed", "embedded", "freed", "blocked" };
    bool wrong = (e->type == KIN_EVENT_LANDED && t->landed == 1) || (e->type == KIN_EVENT_LEFT && t->landed == 0) ||
                 ((e->type == KIN_EVENT_CRUSHED || e->type == KIN_EVENT_EMBEDDED) && (t->crushed || t->embedded)) ||
                 (e->type == KIN_EVENT_FREED && !t->crushed && !t->embedded);
    if (wrong) breach(s, 4, t, thing_of(s, e->b), names[e->type], 0);
    if (e->type == KIN_EVENT_LANDED) t->landed = 1;
    if (e->type == KIN_EVENT_LEFT) t->landed = 0;
    if (e->type == KIN_EVENT_CRUSHED) t->crushed = true;
    if (e->type == KIN_EVENT_EMBEDDED) t->embedded = true;
    if (e->type == KIN_EVENT_FREED) t->crushed = t->embedded = false;
    if (e->type == KIN_EVENT_CRUSHED && t->on_crush == KIN_CRUSH_DISABLE) t->disabled = true;
}

/* Order within a step: by type as the catalogue lists them, then by a, then by b; so nothing comes twice. */
static inline void check_order(scene *s, const kin_event *first, const kin_event *next)
{
    static const int rank[] = { 4, 3, 0, 5, 1, 6, 7, 2, 8 };
    int r = rank[next->type] - rank[first->type];
    if (r == 0) r = (next->a.slot > first->a.slot) - (next->a.slot < first->a.slot);
    if (r == 0) r = (next->b.slot > first->b.slot) - (next->b.slot < first->b.slot);
    if (r == 0) r = cell_of(s, next->b, next->part) - cell_of(s, first->b, first->part);
    if (r <= 0) scene_fail(s, "N4: event type %d (%u, %u) comes after type %d (%u, %u)", next->type, next->a.slot, next->b.slot,
                           first->type, first->a.slot, first->b.slot);
}

static inline void check_events(scene *s)
{
    const kin_event *e;
    int i;
    if (s->step_events == 0) return;
    e = s->events + s->event_count - s->step_events;
    for (i = 0; i < s->step_events; i++) {
        thing *t = thing_of(s, e[i].a);
        if (i > 0) check_order(s, &e[i - 1], &e[i]);
        if (e[i].step != kin_world_steps(s->world)) scene_fail(s, "N4: event of step %d", (int)e[i].step);
        if (e[i].type == KIN_EVENT_BEGAN || e[i].type == KIN_EVENT_ENDED || e[i].type == KIN_EVENT_CONTINUED) check_pair_event(s, &e[i]);
        else if (t && e[i].type != KIN_EVENT_BLOCKED) check_body_event(s, &e[i], t);
    }
}

/* Queries agree with events: contacts have begun, ground and conditions were announced. */
static inline void check_told(scene *s, thing *t)
{
    kin_contact contacts[16];
    int         i, n = kin_get_contacts(s->world, t->id, contacts, 16);
    bool        on_ground = kin_on_ground(s->world, t->id);
    for (i = 0; i < n && i < 16; i++)
        if (kin_alive(s->world, contacts[i].other) && !touch_of(s, t->id, contacts[i].other, contacts[i].part)->open)
            breach(s, 4, t, thing_of(s, contacts[i].other), "contact without began", (double)contacts[i].gap);
    if (t->landed == 2) t->landed = on_ground ? 1 : 0;
    if (on_ground != (t->landed == 1)) breach(s, 4, t, NULL, on_ground ? "grounded without landed" : "airborne without left", 0);
    if (squeezed(s, t) && !t->crushed && !t->embedded) breach(s, 4, t, NULL, "squeezed without an event", 0);
    if (kin_is_crushed(s->world, t->id) && kin_is_embedded(s->world, t->id)) breach(s, 4, t, NULL, "crushed and embedded at once", 0);
    t->ground = on_ground ? kin_get_ground(s->world, t->id).id : nobody();
}

#endif
