/* SPDX-License-Identifier: MIT OR Unlicense

   scene.h: what the scenarios stand on.

   A scenario is a function that opens a world, puts things into it, steps and says what it expects:

       SCENARIO(A01_landing, RATE_60 | ALL_SHAPES)
       {
           kin_id b;
           open_earth(s);
           add_floor(s);
           b = add_body(s, 0, 5);
           run(s, 70);
           EXPECT_REST(bottom_of(s, b));
       }

   The same source runs in 2D and 3D, at each asked rate, with each asked body shape, and once more mirrored
   (x -> -x): helpers mirror what goes in and what is read back, so a scenario never sees it. Both runs must leave
   the same trace (N10). After every scene_step the invariants N1 to N8, N11 and N12 of the catalogue are checked from
   outside (invariants.h, motion.h). The first thing that is wrong ends up in s->fault; steps do nothing from then on.

   Positions, velocities, shapes and filters must be set through the helpers here, not through kin_set_..., or the
   invariants are checked against old values. KIN_WATCH=1 in the environment prints every step. */
#ifndef SCENE_H
#define SCENE_H

#ifndef KIN_IMPLEMENTED   /* the Makefile compiles it once for all scenarios */
#define KINEMATIC_IMPLEMENTATION
#endif
#include "kinematic.h"
#include "greatest.h"
#include "solid.h"
#include "../motion.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef TEST_SHARE
#define TEST_SHARE 1           /* long runs are divided by this in the sanitizer builds */
#endif

#define SCENE_PI 3.14159265358979323846
#define DEGREES(d) ((d) * SCENE_PI / 180)

/* The catalogue's numbers, section 0. */
#define SLOP 0.005             /* N2, and the widest resting gap */
#define PRESSED 0.0101         /* N2, in a mover that presses */
#define INTO 1e-4              /* N6, speed into a wall that is not an error */
#define SETTLED 16             /* N7, steps until a body left alone is still */
#define DEPTH 20               /* of everything but bodies, in 3D */

enum {                         /* of SCENARIO */
    RATE_60 = 1,               /* also at 1/60 */
    ALL_SHAPES = 2,            /* box, ball and capsule instead of the box alone */
    NO_MIRROR = 4,             /* bodies that start at one spot */
    ONLY_2D = 8,
    ONLY_3D = 16
};
typedef enum form { FORM_BOX, FORM_BALL, FORM_CAPSULE } form;

/* The scene's record of one thing that it added. */
typedef struct thing {
    kin_id   id;
    int      number;                           /* counted from 0 in the order of adding */
    kin_kind kind;
    kin_push push;
    kin_blocked on_blocked;
    solid    solid;
    placed   place;                            /* where it was after the last step */
    uint32_t layer, mask;
    double   max_slope, step_height;
    dv       own_up;                           /* against its own gravity, zero: the scene's */
    kin_crush on_crush;
    kin_id   attach, ground;                   /* mover it is part of; stable ground after the last step */
    kin_pose local;                            /* place on that mover */
    bool     sensor, disabled, one_way, conveyor, gone;
    kin_pose pose, before;                     /* after and before the last step; of a static: where it was put */
    kin_vec  velocity, velocity_before, leftover_before;
    kin_vec  velocity_earlier;                 /* before the step before */
    kin_spin spin_before;
    kin_pose target;                           /* of move_to */
    bool     has_target, stands;               /* told to move to; nothing told since */
    bool     commanded, written, teleported;   /* since the last step; in a callback; since the last step */
    bool     teleported_inside, added;         /* by a callback of this step; since the last step */
    bool     crushed, embedded;                /* by the events so far */
    int      landed;                           /* by the events so far: 0 no, 1 yes, 2 its ground is gone */
    int      quiet;                            /* steps without command, speed or anything moving near */
} thing;

typedef struct touch { kin_id a, b; bool open; int cell, next; } touch;   /* next: another one of its bucket, from 1 */
enum { BUCKETS = 1024 };
typedef struct scene scene;
typedef void scene_fn(scene *s);

struct scene {
    kin_world *world;
    float      dt;
    float      mirror;                         /* 1 or -1 */
    form       form;                           /* of body B in this run */
    dv         up;                             /* zero in a floating world */
    double     unit;
    int        steps;                          /* since the world was opened */
    unsigned   skip;                           /* invariants to leave out, bit 1 << n; say why */
    bool       allow_log, stepping, watch;
    int        logs;                           /* refusals logged so far */
    char       log[200];                       /* the last one */
    thing    **things;
    int        thing_count, thing_room;
    kin_event *events;                         /* since clear_events, mirrored back */
    int        event_count, event_room, step_events;   /* the last are of this step */
    touch     *touches;
    int        touch_count, touch_room;
    int        touch_first[BUCKETS];   /* the first touch of each bucket, from 1 */
    int        thing_at[BUCKETS];      /* by slot: the thing that was put last */
    kin_id     ignored[16][2];
    int        ignored_count;
    float     *trace;
    int        trace_count, trace_room;
    motion     motion;                         /* N11 and N12 */
    void     (*on_event)(scene *s, const kin_event *event);   /* called after the scene has stored it */
    bool     (*is_sensor)(const scene *s, kin_id id, int part);   /* a sensor cell, whose contact is its own [none is] */
    void      *user;                           /* of the scenario */
    char       fault[512];
};

/* ---- faults --------------------------------------------------------------------------------------------------- */

static inline bool scene_failed(const scene *s) { return s->fault[0] != 0; }

static inline void scene_fail(scene *s, const char *format, ...)
{
    va_list list;
    int     n;
    if (scene_failed(s)) return;
    n = snprintf(s->fault, sizeof s->fault, "step %d: ", s->steps);
    va_start(list, format);
    vsnprintf(s->fault + n, sizeof s->fault - (size_t)n, format, list);
    va_end(list);
}

static inline bool expect_true(scene *s, bool holds, const char *text, int line)
{
    if (!holds) scene_fail(s, "line %d: %s", line, text);
    return !scene_failed(s);
}

static inline bool expect_in(scene *s, double value, double low, double high, const char *text, int line)
{
    if (!(value >= low && value <= high)) scene_fail(s, "line %d: %s is %.9g, not in [%.9g, %.9g]", line, text, value, low, high);
    return !scene_failed(s);
}

/* These end the function they stand in, which has a `scene *s`. */
#define EXPECT(holds) do { if (!expect_true(s, (holds), #holds, __LINE__)) return; } while (0)
#define EXPECT_IN(value, low, high) do { if (!expect_in(s, (double)(value), (low), (high), #value, __LINE__)) return; } while (0)
#define EXPECT_NEAR(value, wanted, by) do { if (!expect_in(s, (double)(value), (wanted) - (by), (wanted) + (by), #value, __LINE__)) return; } while (0)
#define EXPECT_REST(gap) EXPECT_IN(gap, -0.0001, SLOP)
#define EXPECT_POS(value, wanted) EXPECT_NEAR(value, wanted, 0.001)

/* ---- values ------------------------------------------------------------------------------------------------------ */

static inline bool same_float(float a, float b) { return !(a < b) && !(a > b); }   /* 0 and -0 are the same */

static inline bool same_vec(kin_vec a, kin_vec b)
{
#if KINEMATIC_DIM == 2
    return same_float(a.x, b.x) && same_float(a.y, b.y);
#else
    return same_float(a.x, b.x) && same_float(a.y, b.y) && same_float(a.z, b.z);
#endif
}

static inline bool same_rot(kin_rot a, kin_rot b)
{
#if KINEMATIC_DIM == 2
    return same_float(a.c, b.c) && same_float(a.s, b.s);
#else
    return same_float(a.x, b.x) && same_float(a.y, b.y) && same_float(a.z, b.z) && same_float(a.w, b.w);
#endif
}

static inline bool same_pose(kin_pose a, kin_pose b) { return same_vec(a.p, b.p) && same_rot(a.q, b.q); }

/* A vector of the scenario as the world sees it; also the way back. */
static inline kin_vec v2(const scene *s, double x, double y)
{
#if KINEMATIC_DIM == 2
    return kin_v(s->mirror * (float)x, (float)y);
#else
    return kin_v(s->mirror * (float)x, (float)y, 0);
#endif
}

static inline kin_vec v3(const scene *s, double x, double y, double z)
{
    kin_vec v = v2(s, x, y);
#if KINEMATIC_DIM == 3
    v.z = (float)z;
#else
    (void)z;
#endif
    return v;
}

static inline kin_vec mirrored(const scene *s, kin_vec v) { v.x *= s->mirror; return v; }

/* Counter-clockwise in the plane of x and y, as the scenario sees it. */
static inline kin_rot turn(const scene *s, double radians)
{
#if KINEMATIC_DIM == 2
    return kin_turn(s->mirror * (float)radians);
#else
    return kin_turn(kin_v(0, 0, 1), s->mirror * (float)radians);
#endif
}

static inline kin_spin spin(const scene *s, double radians_per_second)
{
#if KINEMATIC_DIM == 2
    return s->mirror * (float)radians_per_second;
#else
    return kin_v(0, 0, s->mirror * (float)radians_per_second);
#endif
}

/* The larger of the two numbers of steps is for 1/128. */
static inline int at_rate(const scene *s, int at_128, int at_60) { return s->dt < 0.01f ? at_128 : at_60; }
static inline int steps_in(const scene *s, double seconds) { return (int)(seconds / (double)s->dt + 0.5); }

/* ---- shapes ------------------------------------------------------------------------------------------------------ */

static inline kin_shape deep_box(double w, double h, double depth)
{
#if KINEMATIC_DIM == 2
    (void)depth;
    return kin_box(kin_v((float)w, (float)h));
#else
    return kin_box(kin_v((float)w, (float)h, (float)depth));
#endif
}

static inline kin_shape box(double w, double h) { return deep_box(w, h, DEPTH); }       /* level and movers */
static inline kin_shape body_box(double w, double h) { return deep_box(w, h, 1); }

/* B in the form of this run: 1 high, position is its centre. */
static inline kin_shape hero(const scene *s)
{
    return s->form == FORM_BOX ? body_box(1, 1) : s->form == FORM_BALL ? kin_ball(0.5f) : kin_capsule(1, 0.4f);
}
static inline double half_width(const scene *s) { return s->form == FORM_CAPSULE ? 0.4 : 0.5; }

/* How far B's centre is from a surface that it touches and that rises by so many degrees. */
static inline double height_on_slope(const scene *s, double degrees)
{
    double c = fabs(cos(DEGREES(degrees))), k = fabs(sin(DEGREES(degrees)));
    return s->form == FORM_BOX ? 0.5 * (c + k) : s->form == FORM_BALL ? 0.5 : 0.4 + 0.1 * c;
}

/* ---- opening a world --------------------------------------------------------------------------------------------- */

static inline void *scene_grow(void *rows, int count, int *room, size_t bytes)
{
    if (count < *room) return rows;
    *room = *room ? 2 * *room : 64;
    rows = realloc(rows, (size_t)*room * bytes);
    if (!rows) abort();
    return rows;
}

static inline void scene_log(const char *text, void *user)
{
    scene *s = (scene *)user;
    s->logs++;
    snprintf(s->log, sizeof s->log, "%s", text);
    if (!s->allow_log) scene_fail(s, "refused: %s", text);
}

static inline void scene_event(kin_world *world, const kin_event *event, void *user)
{
    scene    *s = (scene *)user;
    kin_event copy = *event;
    (void)world;
    copy.normal = mirrored(s, copy.normal);
    copy.point = mirrored(s, copy.point);
    s->events = (kin_event *)scene_grow(s->events, s->event_count, &s->event_room, sizeof *s->events);
    s->events[s->event_count++] = copy;
    s->step_events++;
    if (s->on_event) s->on_event(s, &copy);
}

static inline void scene_close(scene *s)
{
    int i;
    kin_world_destroy(s->world);
    s->world = NULL;
    for (i = 0; i < s->thing_count; i++) free(s->things[i]);
    motion_free(&s->motion);
    s->thing_count = s->event_count = s->touch_count = s->ignored_count = s->steps = s->step_events = 0;
}

/* Up as given, else against gravity; zero gravity keeps the last one. */
static inline void scene_set_up(scene *s, kin_vec up, kin_vec gravity)
{
    dv v = dv_of(up);
    if (!(dv_len(v) > 0)) v = dv_scale(dv_of(gravity), -1);
    if (dv_len(v) > 0) s->up = dv_scale(v, 1 / dv_len(v));
    s->motion.up = s->up;
    s->motion.gravity = dv_of(gravity);
}

/* Of invariants.h, which says what is wrong. */
static inline double scene_overlap(void *user, kin_id id, double *deepest);
static inline bool   scene_excused(void *user, kin_id id);
static inline void   scene_tell(void *user, int n, kin_id id, const char *what, double value, double allowed);

/* Any world, instead of the one that was open; gravity and up as the world sees them (use v2). */
static inline void open_world(scene *s, const kin_world_desc *desc)
{
    kin_world_desc d = *desc;
    scene_close(s);
    d.on_event = scene_event;
    d.on_log = scene_log;
    d.user = s;
    s->unit = d.unit > 0 ? (double)d.unit : 1;
    s->up = dv_make(0, 0, 0);
    scene_set_up(s, d.up, d.gravity);
    s->motion.unit = s->unit;
    s->motion.overlap = scene_overlap;
    s->motion.excused = scene_excused;
    s->motion.tell = scene_tell;
    s->motion.user = s;
    s->world = kin_world_create(&d);
    if (!s->world) abort();
}

/* The usual world: gravity (0, -30). */
static inline void open_earth(scene *s)
{
    kin_world_desc d;
    memset(&d, 0, sizeof d);
    d.gravity = v2(s, 0, -30);
    open_world(s, &d);
}

/* Seen from above: no gravity, no up. */
static inline void open_floating(scene *s)
{
    kin_world_desc d;
    memset(&d, 0, sizeof d);
    open_world(s, &d);
}

/* ---- putting things into it ------------------------------------------------------------------------------------- */

static inline thing *thing_of(const scene *s, kin_id id)
{
    int i;
    if (!id.slot) return NULL;
    i = s->thing_at[id.slot % BUCKETS];
    if (i < s->thing_count && kin_same(s->things[i]->id, id)) return s->things[i];
    for (i = s->thing_count - 1; i >= 0; i--)
        if (kin_same(s->things[i]->id, id)) return s->things[i];
    return NULL;
}

/* Something changed: no body has to be still yet. */
static inline void scene_stir(scene *s)
{
    int i;
    for (i = 0; i < s->thing_count; i++) s->things[i]->quiet = 0;
}

/* Something about this thing was changed, where it is now. */
static inline void scene_changed(scene *s, const thing *t)
{
    if (t && t->place.solid) motion_changed(&s->motion, t->place.lo, t->place.hi);
}

/* A static that is part of a mover, for N11. */
static inline void scene_part(scene *s, const thing *t)
{
    dm  m = dm_of(t->local.q);
    dv  points[KIN_MAX_POINTS], lo, hi;
    int i;
    for (i = 0; i < t->solid.count; i++) {
        points[i] = dv_add(dv_of(t->local.p), dm_turn(&m, t->solid.points[i]));
        if (i == 0) lo = hi = points[i];
        lo = dv_make(lesser(lo.x, points[i].x), lesser(lo.y, points[i].y), lesser(lo.z, points[i].z));
        hi = dv_make(greater(hi.x, points[i].x), greater(hi.y, points[i].y), greater(hi.z, points[i].z));
    }
    if (t->solid.count <= 8) motion_part(&s->motion, t->id, t->attach, points, t->solid.count, t->solid.radius, t->sensor);
    else motion_part_box(&s->motion, t->id, t->attach, lo, hi, t->sensor);
}

/* Where a thing is by its pose; a static that is part of a mover is where that takes it. */
static inline void thing_place(const scene *s, thing *t)
{
    thing *mover = t->attach.slot ? thing_of(s, t->attach) : NULL;
    dv     p = dv_of(t->pose.p);
    dm     m = dm_of(t->pose.q);
    if (mover) {
        dm base = dm_of(mover->pose.q), local = dm_of(t->local.q);
        p = dv_add(dv_of(mover->pose.p), dm_turn(&base, dv_of(t->local.p)));
        m.x = dm_turn(&base, local.x);
        m.y = dm_turn(&base, local.y);
        m.z = dm_turn(&base, local.z);
    }
    placed_set(&t->place, &t->solid, p, m);
}

static inline kin_pose pose_now(const scene *s, kin_id id)
{
    kin_pose at;
    at.p = kin_get_position(s->world, id);
    at.q = kin_get_rotation(s->world, id);
    return at;
}

static inline thing *scene_note(scene *s, kin_id id, kin_kind kind, const kin_shape *shape, uint32_t layer, uint32_t mask)
{
    thing *t = (thing *)calloc(1, sizeof *t);
    if (!t) abort();
    if (!id.slot) scene_fail(s, "could not add: %s", s->log);
    t->id = id;
    t->number = s->thing_count;
    t->kind = kind;
    t->layer = layer ? layer : 1;
    t->mask = mask ? mask : 0xffffffffu;
    t->max_slope = DEGREES(45);
    t->added = true;
    solid_make(&t->solid, shape);
    t->pose = t->before = pose_now(s, id);
    s->things = (thing **)scene_grow(s->things, s->thing_count, &s->thing_room, sizeof *s->things);
    s->thing_at[id.slot % BUCKETS] = s->thing_count;
    s->things[s->thing_count++] = t;
    scene_stir(s);
    return t;
}

static inline kin_id put_static(scene *s, const kin_static_desc *d)
{
    kin_id id = kin_add_static(s->world, d);
    thing *t = scene_note(s, id, KIN_STATIC, &d->shape, d->layer, d->mask);
    t->sensor = d->sensor;
    t->disabled = d->disabled;
    t->one_way = dv_len(dv_of(d->one_way)) > 0;
    t->conveyor = dv_len(dv_of(d->surface_velocity)) > 0;
    t->attach = d->attach;
    t->local.p = d->position;
    t->local.q = d->rotation;
    thing_place(s, t);
    return id;
}

static inline kin_id put_mover(scene *s, const kin_mover_desc *d)
{
    kin_id id = kin_add_mover(s->world, d);
    thing *t = scene_note(s, id, KIN_MOVER, &d->shape, d->layer, d->mask);
    t->sensor = d->sensor;
    t->disabled = d->disabled;
    t->one_way = dv_len(dv_of(d->one_way)) > 0;
    t->conveyor = dv_len(dv_of(d->surface_velocity)) > 0;
    t->on_blocked = d->on_blocked;
    thing_place(s, t);
    return id;
}

static inline kin_id put_body(scene *s, const kin_body_desc *d)
{
    kin_id id = kin_add_body(s->world, d);
    thing *t = scene_note(s, id, KIN_BODY, &d->shape, d->layer, d->mask);
    t->sensor = d->sensor;
    t->disabled = d->disabled;
    t->push = d->push;
    t->on_crush = d->on_crush;
    t->velocity = d->velocity;
    if (d->max_slope > 0) t->max_slope = (double)d->max_slope;
    t->step_height = (double)d->step_height;
    t->own_up = dv_scale(dv_of(d->gravity), -1 / fmax(1e-9, dv_len(dv_of(d->gravity))));
    thing_place(s, t);
    return id;
}

/* Descriptors to change before putting: a box by its corners, a mover by centre and size, B, a crate. */
static inline kin_static_desc static_desc(const scene *s, double x0, double y0, double x1, double y1)
{
    kin_static_desc d;
    memset(&d, 0, sizeof d);
    d.shape = box(x1 - x0, y1 - y0);
    d.position = v2(s, 0.5 * (x0 + x1), 0.5 * (y0 + y1));
    return d;
}

static inline kin_mover_desc mover_desc(const scene *s, double x, double y, double w, double h)
{
    kin_mover_desc d;
    memset(&d, 0, sizeof d);
    d.shape = box(w, h);
    d.position = v2(s, x, y);
    return d;
}

static inline kin_body_desc body_desc(const scene *s, double x, double y)
{
    kin_body_desc d;
    memset(&d, 0, sizeof d);
    d.shape = hero(s);
    d.position = v2(s, x, y);
    d.push = KIN_UNPUSHABLE;
    return d;
}

static inline kin_body_desc crate_desc(const scene *s, double x, double y)
{
    kin_body_desc d = body_desc(s, x, y);
    d.shape = body_box(1, 1);
    d.push = KIN_PUSHABLE;
    return d;
}

/* SCENE_TILES makes a scenario's boxes out of tiles, as far as the corners lie on a lattice: the largest of these cells
   that fits, or 0. */
static inline double cell_for(double x0, double y0, double x1, double y1)
{
    static const double cells[] = { 1, 0.5, 0.25 };
    double corners[4];
    int    i, k;
    corners[0] = x0; corners[1] = y0; corners[2] = x1; corners[3] = y1;
    for (i = 0; i < 3; i++) {
        bool fits = (x1 - x0) * (y1 - y0) < 4000 * cells[i];
        for (k = 0; k < 4; k++)
            if (fabs(corners[k] / cells[i] - floor(corners[k] / cells[i] + 0.5)) > 1e-9) fits = false;
        if (fits) return cells[i];
    }
    return 0;
}

/* The same box as a grid of solid tiles. To the scene it is one thing. */
static inline kin_id put_tiles(scene *s, double x0, double y0, double x1, double y1, double cell)
{
    kin_tiles_desc d;
    kin_shape      shape;
    kin_id         id;
    uint8_t       *cells;
    int            i, layers = KINEMATIC_DIM == 2 ? 1 : (int)(DEPTH / cell), count;
    memset(&d, 0, sizeof d);
    memset(&shape, 0, sizeof shape);
    d.cell = (float)cell;
    d.size.x = (int)((x1 - x0) / cell + 0.5);
    d.size.y = (int)((y1 - y0) / cell + 0.5);
#if KINEMATIC_DIM == 3
    d.size.z = layers;
#endif
    d.origin = v3(s, s->mirror < 0 ? x1 : x0, y0, -0.5 * DEPTH);
    count = d.size.x * d.size.y * layers;
    cells = (uint8_t *)malloc((size_t)count);
    if (!cells) abort();
    memset(cells, KIN_TILE_SOLID, (size_t)count);
    d.cells = cells;
    id = kin_add_tiles(s->world, &d);
    free(cells);
    for (i = 0; i < 1 << KINEMATIC_DIM; i++) {
        kin_vec p = v3(s, i & 1 ? x1 - x0 : 0, i & 2 ? y1 - y0 : 0, i & 4 ? DEPTH : 0);
        p.x = i & 1 ? (float)(x1 - x0) : 0;
        shape.points[shape.count++] = p;
    }
    thing_place(s, scene_note(s, id, KIN_STATIC, &shape, 0, 0));
    return id;
}

/* SCENE_MESH: the same box as its surface, segments or triangles. */
static inline kin_id put_surface(scene *s, const kin_static_desc *box_desc)
{
#if KINEMATIC_DIM == 2
    static const int faces[] = { 0, 1, 1, 3, 3, 2, 2, 0 };
#else
    static const int faces[] = { 0, 1, 2, 1, 3, 2, 4, 6, 5, 5, 6, 7, 0, 4, 1, 1, 4, 5, 2, 3, 6, 3, 7, 6, 0, 2, 4, 2, 6, 4, 1, 5, 3, 3, 5, 7 };
#endif
    kin_mesh_desc d;
    kin_vec       points[8], half = box_desc->shape.points[0];
    kin_id        id;
    thing        *t;
    int           i;
    for (i = 0; i < 1 << KINEMATIC_DIM; i++) {
        points[i] = half;
        points[i].x = (float)fabs(half.x) * s->mirror * (i & 1 ? 1 : -1);
        points[i].y = (float)fabs(half.y) * (i & 2 ? 1 : -1);
#if KINEMATIC_DIM == 3
        points[i].z = (float)fabs(half.z) * (i & 4 ? 1 : -1);
#endif
    }
    memset(&d, 0, sizeof d);
    d.points = points;
    d.point_count = 1 << KINEMATIC_DIM;
    d.indices = faces;
    d.index_count = (int)(sizeof faces / sizeof *faces);
    d.position = box_desc->position;
    d.rotation = box_desc->rotation;
    d.attach = box_desc->attach;
    id = kin_add_mesh(s->world, &d);
    t = scene_note(s, id, KIN_STATIC, &box_desc->shape, 0, 0);
    t->attach = d.attach;
    t->local.p = d.position;
    t->local.q = d.rotation;
    thing_place(s, t);
    return id;
}

static inline kin_id add_static_box(scene *s, double x0, double y0, double x1, double y1)
{
    kin_static_desc d = static_desc(s, x0, y0, x1, y1);
#ifdef SCENE_MESH
    return put_surface(s, &d);
#endif
#ifdef SCENE_TILES
    double cell = cell_for(x0, y0, x1, y1);
    if (cell > 0) return put_tiles(s, x0, y0, x1, y1, cell);
#endif
    return put_static(s, &d);
}

static inline kin_id add_floor(scene *s) { return add_static_box(s, -100, -1, 100, 0); }   /* F */

static inline kin_id add_body(scene *s, double x, double y)
{
    kin_body_desc d = body_desc(s, x, y);
    return put_body(s, &d);
}

static inline kin_id add_crate(scene *s, double x, double y)
{
    kin_body_desc d = crate_desc(s, x, y);
    return put_body(s, &d);
}

static inline kin_id add_mover(scene *s, double x, double y, double w, double h, double vx, double vy)
{
    kin_mover_desc d = mover_desc(s, x, y, w, h);
    d.velocity = v2(s, vx, vy);
    return put_mover(s, &d);
}

/* A slope: a turned box, 2 thick, whose upper side begins at (x, y) and rises to the right by so many degrees. */
static inline kin_id add_slope(scene *s, double x, double y, double degrees, double length)
{
    double c = cos(DEGREES(degrees)), k = sin(DEGREES(degrees));
    kin_static_desc d = static_desc(s, 0, 0, length, 2);
    d.position = v2(s, x + 0.5 * length * c + k, y + 0.5 * length * k - c);
    d.rotation = turn(s, DEGREES(degrees));
    return put_static(s, &d);
}

/* The same as a polygon (3D: a prism) whose upper side goes from (x0, y0) to (x1, y1), x0 < x1. */
static inline kin_id add_ramp(scene *s, double x0, double y0, double x1, double y1)
{
    double  w = 0.5 * (x1 - x0), h = 0.5 * (y1 - y0);
    kin_vec points[8];
    int     i, n = 0;
    kin_static_desc d = static_desc(s, x0, y0 - 1, x1, y1);
    for (i = 0; i < 2 * (KINEMATIC_DIM - 1); i += 2) {
        double z = i == 0 ? -0.5 * DEPTH : 0.5 * DEPTH;
        points[n++] = v3(s, -w, -h, z);
        points[n++] = v3(s, -w, -h - 2, z);
        points[n++] = v3(s, w, h - 2, z);
        points[n++] = v3(s, w, h, z);
    }
    d.shape = kin_hull(points, n, 0);
    d.position = v2(s, 0.5 * (x0 + x1), 0.5 * (y0 + y1));
    return put_static(s, &d);
}

/* B touching the slope's upper side at (x, y), a hair above it. */
static inline kin_body_desc body_on_slope(const scene *s, double x, double y, double degrees)
{
    double up = height_on_slope(s, degrees) + 0.001;
    return body_desc(s, x - up * sin(DEGREES(degrees)), y + up * cos(DEGREES(degrees)));
}

/* ---- telling things what to do; in a callback too ---------------------------------------------------------------- */

static inline void set_velocity(scene *s, kin_id id, kin_vec velocity)
{
    thing *t = thing_of(s, id);
    if (t) {
        if (!same_vec(velocity, kin_get_velocity(s->world, id))) t->commanded = true;
        if (s->stepping) t->written = true;
        if (s->stepping) motion_wrote(&s->motion, id, velocity);
        t->stands = false;
    }
    kin_set_velocity(s->world, id, velocity);
}

static inline void set_v(scene *s, kin_id id, double vx, double vy) { set_velocity(s, id, v2(s, vx, vy)); }

static inline void set_vx(scene *s, kin_id id, double vx)
{
    kin_vec v = kin_get_velocity(s->world, id);
    v.x = s->mirror * (float)vx;
    set_velocity(s, id, v);
}

static inline void set_vy(scene *s, kin_id id, double vy)
{
    kin_vec v = kin_get_velocity(s->world, id);
    v.y = (float)vy;
    set_velocity(s, id, v);
}

static inline void set_spin_about(scene *s, kin_id id, kin_spin w)
{
    thing *t = thing_of(s, id);
    if (t) t->stands = false;
    kin_set_spin(s->world, id, w);
}

static inline void set_spin(scene *s, kin_id id, double radians_per_second) { set_spin_about(s, id, spin(s, radians_per_second)); }

static inline void move_to_pose(scene *s, kin_id id, kin_vec p, kin_rot q)
{
    thing *t = thing_of(s, id);
    if (t) {
        t->target.p = p;
        t->target.q = q;
        t->has_target = true;
    }
    kin_move_to(s->world, id, p, q);
}

static inline void move_to(scene *s, kin_id id, double x, double y, double radians)
{
    move_to_pose(s, id, v2(s, x, y), turn(s, radians));
}

static inline void teleport(scene *s, kin_id id, double x, double y)
{
    thing *t = thing_of(s, id);
    scene_changed(s, t);
    kin_set_position(s->world, id, v2(s, x, y));
    if (t) {
        t->teleported = true;
        t->teleported_inside = s->stepping;
        t->pose = pose_now(s, id);
        thing_place(s, t);
        scene_changed(s, t);
    }
    scene_stir(s);
}

/* Moves and slides a body now, outside the step; what was travelled, as the scenario sees it. */
static inline kin_vec move_now(scene *s, kin_id id, double x, double y)
{
    thing  *t = thing_of(s, id);
    kin_vec went = mirrored(s, kin_move(s->world, id, v2(s, x, y)));
    if (t) {
        t->pose = pose_now(s, id);
        thing_place(s, t);
        scene_changed(s, t);
    }
    scene_stir(s);
    return went;
}

static inline void set_gravity(scene *s, double x, double y)
{
    kin_vec zero = v2(s, 0, 0), g = v2(s, x, y);
    kin_world_set_gravity(s->world, g);
    scene_set_up(s, zero, g);
    scene_stir(s);
}

/* Of one body; (0, 0): the world's again. */
static inline void set_own_gravity(scene *s, kin_id id, double x, double y)
{
    double length = sqrt(x * x + y * y);
    thing *t = thing_of(s, id);
    if (t) t->own_up = length > 0 ? dv_scale(dv_of(v2(s, x, y)), -1 / length) : dv_make(0, 0, 0);
    kin_set_gravity(s->world, id, v2(s, x, y));
    scene_stir(s);
}

static inline bool set_shape(scene *s, kin_id id, const kin_shape *shape)
{
    thing *t = thing_of(s, id);
    bool   done = kin_set_shape(s->world, id, shape);
    if (t && done) {
        scene_changed(s, t);
        solid_make(&t->solid, shape);
        t->pose = pose_now(s, id);
        t->teleported = true;
        t->teleported_inside = s->stepping;
        thing_place(s, t);
        scene_changed(s, t);
        scene_stir(s);
    }
    return done;
}

static inline void set_enabled(scene *s, kin_id id, bool enabled)
{
    thing *t = thing_of(s, id);
    if (t) t->disabled = !enabled;
    scene_changed(s, t);
    kin_set_enabled(s->world, id, enabled);
    scene_stir(s);
}

static inline void set_filter(scene *s, kin_id id, uint32_t layer, uint32_t mask)
{
    thing *t = thing_of(s, id);
    if (t) { t->layer = layer; t->mask = mask; }
    scene_changed(s, t);
    kin_set_filter(s->world, id, layer, mask);
    scene_stir(s);
}

static inline void set_push(scene *s, kin_id id, kin_push push)
{
    thing *t = thing_of(s, id);
    if (t) t->push = push;
    scene_changed(s, t);
    kin_set_push(s->world, id, push);
    scene_stir(s);
}

static inline void ignore_pair(scene *s, kin_id a, kin_id b)
{
    kin_ignore(s->world, a, b, true);
    scene_changed(s, thing_of(s, a));
    scene_changed(s, thing_of(s, b));
    s->ignored[s->ignored_count][0] = a;
    s->ignored[s->ignored_count++][1] = b;
    scene_stir(s);
}

static inline void take_out(scene *s, kin_id id) { kin_remove(s->world, id); }   /* the scene notices */

/* ---- reading back, as the scenario sees it ------------------------------------------------------------------------ */

static inline double x_of(const scene *s, kin_id id) { return (double)(s->mirror * kin_get_position(s->world, id).x); }
static inline double y_of(const scene *s, kin_id id) { return (double)kin_get_position(s->world, id).y; }
static inline double vx_of(const scene *s, kin_id id) { return (double)(s->mirror * kin_get_velocity(s->world, id).x); }
static inline double vy_of(const scene *s, kin_id id) { return (double)kin_get_velocity(s->world, id).y; }
static inline double motion_x(const scene *s, kin_id id) { return (double)(s->mirror * kin_get_motion(s->world, id).x); }
static inline double motion_y(const scene *s, kin_id id) { return (double)kin_get_motion(s->world, id).y; }
static inline bool   grounded(const scene *s, kin_id id) { return kin_on_ground(s->world, id); }
static inline kin_footing footing_of(const scene *s, kin_id id) { return kin_get_ground(s->world, id).footing; }
static inline kin_vec normal_of(const scene *s, kin_id id) { return mirrored(s, kin_get_ground(s->world, id).normal); }
static inline kin_id nobody(void) { kin_id id; id.slot = 0; id.age = 0; return id; }

/* Outermost places of a thing after the last step. */
static inline double bottom_of(const scene *s, kin_id id) { return thing_of(s, id)->place.lo.y; }
static inline double top_of(const scene *s, kin_id id) { return thing_of(s, id)->place.hi.y; }
static inline double right_of(const scene *s, kin_id id) { const placed *p = &thing_of(s, id)->place; return s->mirror > 0 ? p->hi.x : -p->lo.x; }
static inline double left_of(const scene *s, kin_id id) { const placed *p = &thing_of(s, id)->place; return s->mirror > 0 ? p->lo.x : -p->hi.x; }

/* Distance between two things after the last step, negative if they overlap. */
static inline double gap_between(const scene *s, kin_id a, kin_id b)
{
    dv n;
    return separation(&thing_of(s, a)->place, &thing_of(s, b)->place, 1e9, &n);
}

/* The fastest that the body's velocity goes into one of the statics it touches. */
static inline double speed_into_touched(const scene *s, kin_id id)
{
    kin_contact c[16];
    int         i, n = kin_get_contacts(s->world, id, c, 16);
    double      most = 0;
    for (i = 0; i < n && i < 16; i++) {
        double into = -dv_dot(dv_of(kin_get_velocity(s->world, id)), dv_of(c[i].normal));
        if (c[i].gap <= (float)(SLOP * s->unit) && kin_get_kind(s->world, c[i].other) == KIN_STATIC) most = fmax(most, into);
    }
    return most;
}

/* Of a body: against its own gravity, or the scene's. */
static inline dv up_of(const scene *s, const thing *t) { return dv_len(t->own_up) > 0 ? t->own_up : s->up; }

/* Angle of a direction from up, in degrees. */
static inline double slope_of(const scene *s, kin_vec normal)
{
    return acos(fmin(1, dv_dot(dv_of(mirrored(s, normal)), s->up))) * 180 / SCENE_PI;
}

static inline void clear_events(scene *s) { s->event_count = 0; }

/* Events of a type since clear_events; nobody() stands for anyone. The other of a pair may be named first. */
static inline int count_events(const scene *s, kin_event_type type, kin_id a, kin_id b)
{
    int i, n = 0;
    for (i = 0; i < s->event_count; i++) {
        const kin_event *e = &s->events[i];
        bool straight = (!a.slot || kin_same(e->a, a)) && (!b.slot || kin_same(e->b, b));
        bool turned = (!a.slot || kin_same(e->b, a)) && (!b.slot || kin_same(e->a, b));
        bool pair = type == KIN_EVENT_BEGAN || type == KIN_EVENT_ENDED || type == KIN_EVENT_CONTINUED;
        if (e->type == type && (straight || (pair && turned))) n++;
    }
    return n;
}

/* The last event of a type for `a`, or NULL. */
static inline const kin_event *last_event(const scene *s, kin_event_type type, kin_id a)
{
    int i;
    for (i = s->event_count - 1; i >= 0; i--)
        if (s->events[i].type == type && (!a.slot || kin_same(s->events[i].a, a))) return &s->events[i];
    return NULL;
}

/* Contacts of a thing that have begun and not ended. */
static inline int open_touches(const scene *s, kin_id id)
{
    int i, n = 0;
    for (i = 0; i < s->touch_count; i++)
        if (s->touches[i].open && (kin_same(s->touches[i].a, id) || kin_same(s->touches[i].b, id))) n++;
    return n;
}

/* Events from this one on that name a thing: how many say that a contact ended, or how many say anything else. */
static inline int count_told(const scene *s, int from, kin_id id, bool ended)
{
    int i, n = 0;
    for (i = from; i < s->event_count; i++) {
        const kin_event *e = &s->events[i];
        bool named = kin_same(e->a, id) || kin_same(e->b, id) || kin_same(e->c, id);
        if (named && (e->type == KIN_EVENT_ENDED) == ended) n++;
    }
    return n;
}

#include "invariants.h"

/* ---- stepping ----------------------------------------------------------------------------------------------------- */

static inline void scene_remember(scene *s)
{
    int i;
    for (i = 0; i < s->thing_count; i++) {
        thing *t = s->things[i], *ground = thing_of(s, t->ground);
        if (!t->gone && !kin_alive(s->world, t->id)) {
            t->gone = true;
            scene_changed(s, t);
            scene_stir(s);
        }
        if (t->gone || t->kind == KIN_STATIC) continue;
        t->before = pose_now(s, t->id);
        t->velocity_earlier = t->velocity_before;
        t->velocity_before = kin_get_velocity(s->world, t->id);
        t->leftover_before = kin_get_leftover(s->world, t->id);
        t->spin_before = kin_get_spin(s->world, t->id);
        if (t->landed == 1 && (t->teleported || t->disabled || (ground && (!kin_alive(s->world, ground->id) || ground->disabled)))) t->landed = 2;
    }
}

/* Poses after the step; movers first, for what is attached to them. */
static inline void scene_look(scene *s)
{
    int i, k;
    for (k = 0; k < 2; k++) {
        for (i = 0; i < s->thing_count; i++) {
            thing *t = s->things[i];
            if (!t->gone && !kin_alive(s->world, t->id)) t->gone = true;
            if (t->gone || (t->kind == KIN_STATIC) != (k == 1)) continue;
            if (k == 1 && !t->attach.slot) continue;
            t->pose = pose_now(s, t->id);
            if (k == 0) t->velocity = kin_get_velocity(s->world, t->id);
            thing_place(s, t);
        }
    }
}

/* Parts of movers, and what is new, for N11 and N12. */
static inline void scene_tell_motion(scene *s)
{
    int i;
    s->motion.part_count = 0;
    for (i = 0; i < s->thing_count; i++) {
        thing *t = s->things[i];
        if (t->gone) continue;
        if (t->attach.slot) scene_part(s, t);
        if (t->added) scene_changed(s, t);
        t->added = false;
    }
    motion_before(&s->motion, s->world);
}

static inline void scene_check_body(scene *s, thing *t)
{
    if (checks(s, 2) && !squeezed(s, t)) check_depth(s, t);
    if (checks(s, 3)) check_sides(s, t);
    if (checks(s, 4)) check_told(s, t);
    if (checks(s, 5)) check_ground(s, t);
    if (checks(s, 6)) check_velocity(s, t);
    if (checks(s, 7)) check_still(s, t);
}

static inline void scene_check(scene *s)
{
    int i;
    if (checks(s, 4)) check_events(s);
    motion_after(&s->motion, s->world, (double)s->dt, s->events ? s->events + s->event_count - s->step_events : NULL, s->step_events,
                 checks(s, 11), checks(s, 12));
    for (i = 0; i < s->thing_count; i++) {
        thing *t = s->things[i];
        if (t->gone) continue;
        if (checks(s, 1)) check_numbers(s, t);
        if (checks(s, 8)) check_place(s, t);
        if (t->kind == KIN_BODY && !t->disabled && !scene_failed(s)) scene_check_body(s, t);
    }
}

static inline void scene_forget(scene *s)
{
    int i;
    for (i = 0; i < s->thing_count; i++) {
        thing *t = s->things[i];
        if (t->has_target) t->stands = true;
        t->has_target = t->commanded = t->written = t->teleported = t->teleported_inside = false;
    }
}

static inline void trace_add(scene *s, float value)
{
    s->trace = (float *)scene_grow(s->trace, s->trace_count, &s->trace_room, sizeof *s->trace);
    s->trace[s->trace_count++] = value;
}

enum { TRACE_ROW = 7 };   /* place, velocity, state */

/* The run that the mirrored one is compared with. */
static inline void scene_trace(scene *s)
{
    int i;
    for (i = 0; i < s->thing_count; i++) {
        thing *t = s->things[i];
        dv     p = dv_of(mirrored(s, t->pose.p)), v = dv_of(mirrored(s, t->velocity));
        int    state;
        if (t->gone || t->kind != KIN_BODY) continue;
        state = (int)footing_of(s, t->id) + 4 * kin_on_wall(s->world, t->id) + 8 * kin_on_ceiling(s->world, t->id) +
                16 * kin_is_crushed(s->world, t->id) + 32 * kin_is_embedded(s->world, t->id) + 64 * s->step_events;
        trace_add(s, (float)p.x); trace_add(s, (float)p.y); trace_add(s, (float)p.z);
        trace_add(s, (float)v.x); trace_add(s, (float)v.y); trace_add(s, (float)v.z);
        trace_add(s, (float)state);
        if (s->watch) printf("%5d #%d at (%.7g, %.7g, %.7g) velocity (%.7g, %.7g, %.7g) footing %d wall %d ceiling %d events %d\n", s->steps, i,
                             p.x, p.y, p.z, v.x, v.y, v.z, state & 3, state >> 2 & 1, state >> 3 & 1, s->step_events);
    }
}

/* One step and all checks; false once something is wrong. A scenario spends nearly all of its time here, so tests/build.py
   compiles it once, optimised, for all of them (tests/scene_step.c). */
#ifdef SCENE_LINKED
extern bool scene_step(scene *s);
#else
#ifndef SCENE_STEP
#define SCENE_STEP static inline
#endif
SCENE_STEP bool scene_step(scene *s)
{
    bool stepped;
    if (scene_failed(s)) return false;
    scene_remember(s);
    scene_tell_motion(s);
    s->steps++;
    s->step_events = 0;
    s->stepping = true;
    stepped = kin_world_step(s->world, s->dt);
    s->stepping = false;
    if (!stepped) scene_fail(s, "the step was refused: %s", s->log);
    scene_look(s);
    scene_trace(s);
    scene_check(s);
    scene_forget(s);
    return !scene_failed(s);
}
#endif

static inline void run(scene *s, int steps)
{
    while (steps-- > 0 && scene_step(s)) continue;
}

/* Runs until the body stands, at most so many steps; the number of the step after which it does, or -1. */
static inline int run_until_grounded(scene *s, kin_id id, int most)
{
    while (most-- > 0 && scene_step(s))
        if (grounded(s, id)) return s->steps;
    return -1;
}

static inline void settle(scene *s) { run(s, 2 * SETTLED); }

/* ---- playing a scenario -------------------------------------------------------------------------------------------- */

static char scene_report[700];

static inline void scene_free(scene *s)
{
    scene_close(s);
    free(s->things);
    free(s->events);
    free(s->touches);
    free(s->trace);
}

/* N10: in 2D the same bits, in 3D the same places within 0.001. */
static inline void compare_traces(scene *s, const scene *plain)
{
    static const char *const names[] = { "x", "y", "z", "vx", "vy", "vz", "state" };
    int i;
    if (KINEMATIC_DIM == 2 && s->trace_count != plain->trace_count) scene_fail(s, "N10: traces of %d and %d", plain->trace_count, s->trace_count);
    for (i = 0; i < s->trace_count && i < plain->trace_count; i++) {
        double a = (double)plain->trace[i], b = (double)s->trace[i];
        if (KINEMATIC_DIM == 3 && i % TRACE_ROW > 2) continue;
        if (fabs(a - b) > (KINEMATIC_DIM == 2 ? 0 : 0.001))
            scene_fail(s, "N10: row %d: %s is %.9g, mirrored %.9g", i / TRACE_ROW, names[i % TRACE_ROW], a, b);
    }
}

static inline void scene_play(scene *s, scene_fn *play, float dt, form shape, float mirror)
{
    memset(s, 0, sizeof *s);
    s->dt = dt;
    s->form = shape;
    s->mirror = mirror;
    s->watch = getenv("KIN_WATCH") != NULL;
    if (s->watch) printf("rate %d, form %d, mirror %g\n", (int)(1 / (double)dt + 0.5), (int)shape, (double)mirror);
    play(s);
}

/* One rate and shape, plain and mirrored; NULL or what went wrong. */
static inline const char *scene_variant(scene_fn *play, float dt, form shape, bool mirror)
{
    static const char *const forms[] = { "box", "ball", "capsule" };
    scene plain, other;
    const scene *bad = NULL;
    scene_play(&plain, play, dt, shape, 1);
    memset(&other, 0, sizeof other);
    if (mirror && !scene_failed(&plain)) {
        scene_play(&other, play, dt, shape, -1);
        if (!scene_failed(&other)) compare_traces(&other, &plain);
    }
    if (scene_failed(&plain)) bad = &plain;
    else if (scene_failed(&other)) bad = &other;
    if (bad) snprintf(scene_report, sizeof scene_report, "[%dD, 1/%d, %s%s] %s", KINEMATIC_DIM, (int)(1 / (double)dt + 0.5), forms[shape],
                      bad == &other ? ", mirrored" : "", bad->fault);
    scene_free(&plain);
    scene_free(&other);
    return bad ? scene_report : NULL;
}

/* The sanitizers, which look at every access, see one rate and no mirrored run. */
static inline enum greatest_test_res scene_test(scene_fn *play, unsigned flags)
{
    int rate, shape;
    if (TEST_SHARE > 1) flags = (flags & ~(unsigned)RATE_60) | NO_MIRROR;
    if (((flags & ONLY_2D) && KINEMATIC_DIM != 2) || ((flags & ONLY_3D) && KINEMATIC_DIM != 3)) SKIPm("not in this dimension");
    for (rate = 0; rate < ((flags & RATE_60) ? 2 : 1); rate++) {
        for (shape = 0; shape < ((flags & ALL_SHAPES) ? 3 : 1); shape++) {
            const char *fault = scene_variant(play, rate == 0 ? 1.0f / 128 : 1.0f / 60, (form)shape, !(flags & NO_MIRROR));
            if (fault) FAILm(fault);
        }
    }
    PASS();
}

/* SCENARIO(A01_landing, RATE_60 | ALL_SHAPES) { ... }, then RUN_TEST(A01_landing) in the suite. */
#define SCENARIO(name, flags) \
    static void name##_scene(scene *s); \
    TEST name(void) { return scene_test(name##_scene, (flags)); } \
    static void name##_scene(scene *s)

#endif
