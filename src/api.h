/* SPDX-License-Identifier: MIT OR Unlicense

   api.h: every public type and prototype, and nothing else.

   Descriptors may be all zero; zero means the default in [brackets]. Lengths are in world units, times in seconds,
   angles in radians, speeds in units per second. Every function that takes a handle or numbers from outside refuses
   bad ones (dead handle, wrong kind, NaN, infinity, sizes that are not positive): it logs which call and which value,
   returns false, {0} or NULL, and changes nothing. Never an abort, never a NaN inside. */
#ifndef KIN_API_H
#define KIN_API_H

#include "begin.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KIN_VERSION_MAJOR 0
#define KIN_VERSION_MINOR 2
#define KIN_VERSION_PATCH 0
#define KIN_VERSION (KIN_VERSION_MAJOR * 10000 + KIN_VERSION_MINOR * 100 + KIN_VERSION_PATCH)

#ifndef KIN_API
#if !defined(KINEMATIC_STATIC)
#define KIN_API extern
#elif defined(__GNUC__)
#define KIN_API static __attribute__((unused))
#else
#define KIN_API static
#endif
#endif

KIN_API int kin_version(void);   /* KIN_VERSION of the implementation that was linked */

/* ---- values ------------------------------------------------------------------------------------------------- */

#if KINEMATIC_DIM == 2
typedef struct kin_vec { float x, y; } kin_vec;
typedef struct kin_rot { float c, s; } kin_rot;     /* cosine and sine of the angle; all zero reads as "not turned" */
typedef struct kin_cell { int x, y; } kin_cell;     /* of a tile grid, counted from 0 */
typedef float kin_spin;                             /* radians per second, counter-clockwise */
KIN_API kin_vec  kin_v(float x, float y);           /* makes a vector */
KIN_API kin_rot  kin_turn(float radians);           /* makes a rotation, counter-clockwise */
KIN_API kin_cell kin_c(int x, int y);               /* makes a cell */
#else
/* When a function returns a struct of 12 bytes, tcc up to 0.9.27 writes 16: it gets one that has them. */
#if defined(__TINYC__) && __TINYC__ <= 927
#define KIN_FOR_TCC(member) member;
#else
#define KIN_FOR_TCC(member)
#endif
typedef struct kin_vec { float x, y, z; KIN_FOR_TCC(float unused) } kin_vec;
typedef struct kin_rot { float x, y, z, w; } kin_rot;    /* unit quaternion; all zero reads as "not turned" */
typedef struct kin_cell { int x, y, z; KIN_FOR_TCC(int unused) } kin_cell;       /* of a tile grid, counted from 0 */
typedef kin_vec kin_spin;                                /* radians per second about each axis */
KIN_API kin_vec  kin_v(float x, float y, float z);       /* makes a vector */
KIN_API kin_rot  kin_turn(kin_vec axis, float radians);  /* right-handed about the axis, of any length but 0 */
KIN_API kin_cell kin_c(int x, int y, int z);             /* makes a cell */
#endif

typedef struct kin_pose { kin_vec p; kin_rot q; } kin_pose;  /* a place, and how it is turned there */

typedef struct kin_world kin_world;
typedef struct kin_id { uint32_t slot, age; } kin_id;  /* a handle; {0} is nobody, a stale one is recognised for ever */
KIN_API bool kin_same(kin_id a, kin_id b);             /* do both name the same thing? */

/* ---- shapes: plain values, centred on the origin, upright along y ------------------------------------------- */

/* Most points that a shape can have. */
#if KINEMATIC_DIM == 2
enum { KIN_MAX_POINTS = 8 };
#else
enum { KIN_MAX_POINTS = 32 };
#endif

/* The convex hull of its points, rounded by radius. Use the makers; an empty one ({0}) is refused. */
typedef struct kin_shape {
    kin_vec points[KIN_MAX_POINTS];  /* corners of the core, around the shape's origin */
    int     count;                   /* of points, 1..KIN_MAX_POINTS */
    float   radius;                  /* distance from core to surface, 0 or more */
} kin_shape;

/* Sizes are positive; a maker that is given anything else returns a shape without points, which all others refuse. */
KIN_API kin_shape kin_ball(float radius);                   /* circle or sphere */
KIN_API kin_shape kin_capsule(float height, float radius);  /* height includes both caps, at least twice the radius */
KIN_API kin_shape kin_box(kin_vec size);                    /* full width, height (and depth) */
/* Convex hull of up to KIN_MAX_POINTS points, rounded by radius (0: sharp). Points inside it and on its edges are
   dropped. Without area (2D) or volume (3D) it needs a radius. */
KIN_API kin_shape kin_hull(const kin_vec *points, int count, float radius);

/* ---- choices; the first of each is the default -------------------------------------------------------------- */

typedef enum kin_kind    { KIN_NOTHING, KIN_STATIC, KIN_MOVER, KIN_BODY } kin_kind;  /* tiles, meshes are static */
typedef enum kin_push    { KIN_PUSHABLE, KIN_UNPUSHABLE, KIN_INTANGIBLE } kin_push;  /* how a body takes others */
typedef enum kin_ride    { KIN_RIDE_STICK, KIN_RIDE_PHYSICAL } kin_ride;             /* does a fast lift leave it? */
typedef enum kin_leave   { KIN_LEAVE_ADD, KIN_LEAVE_UP_ONLY, KIN_LEAVE_NONE } kin_leave;  /* motion kept on leaving */
typedef enum kin_carry   { KIN_CARRY_FULL, KIN_CARRY_ACROSS_GRAVITY, KIN_CARRY_NONE } kin_carry;  /* of a mover */
typedef enum kin_blocked { KIN_BLOCKED_PASS, KIN_BLOCKED_STOP } kin_blocked;         /* a mover that would crush */
typedef enum kin_crush   { KIN_CRUSH_KEEP, KIN_CRUSH_DISABLE } kin_crush;            /* a body that is crushed */
typedef enum kin_slope   { KIN_SLOPE_SURFACE_SPEED, KIN_SLOPE_HORIZONTAL_SPEED } kin_slope;  /* what stays constant */

/* ---- events ------------------------------------------------------------------------------------------------- */

typedef enum kin_event_type {
    KIN_EVENT_BEGAN,      /* a and b touch, or a senses b; one event: a is a body, the lower slot of two */
    KIN_EVENT_CONTINUED,  /* still touching; only where report_continued is set on one of them */
    KIN_EVENT_ENDED,      /* no longer touching, or one of them is gone */
    KIN_EVENT_LANDED,     /* body a reached stable ground b with the given speed into it */
    KIN_EVENT_LEFT,       /* body a left stable ground b */
    KIN_EVENT_CRUSHED,    /* body a is squeezed between b and c; opens a condition */
    KIN_EVENT_EMBEDDED,   /* body a cannot be freed from b; opens a condition */
    KIN_EVENT_FREED,      /* the crush or embedding of body a is over */
    KIN_EVENT_BLOCKED     /* mover a (stop when blocked) was stopped by body b against c */
} kin_event_type;

typedef struct kin_event {
    kin_event_type type;     /* says which of the members below apply */
    kin_id   a, b, c;        /* {0} where it does not apply */
    kin_vec  normal, point;  /* the normal points from b to a */
    float    speed;          /* of approach along the normal, before it was stopped */
    int      part;           /* of b: index of the tile, segment or triangle, else -1 */
    uint64_t step;           /* number of the step it happened in, from 1 */
} kin_event;

/* ---- the world ---------------------------------------------------------------------------------------------- */

typedef void  kin_event_fn(kin_world *world, const kin_event *event, void *user);
typedef void  kin_log_fn(const char *text, void *user);
/* May these two collide in this step? Asked after layers and ignored pairs, at most once per pair and step, in order of
   slots, when their boxes, swept along what they want, meet; of two bodies the lower slot comes first. Must not change
   the world (adds, moves and removals are refused). kin_move, kin_test_move and kin_set_shape ask too. */
typedef bool  kin_collide_fn(const kin_world *world, kin_id body, kin_id other, void *user);
typedef void  kin_task_fn(int first, int end, int worker, void *context);   /* does items first .. end - 1 */
/* Has all items 0 .. count - 1 done by `task`, each once, in any parts and any order, on any threads, and returns when
   all is done. `worker` is 0 .. workers - 1 and differs between threads at work. Must not use the world. */
typedef void  kin_parallel_fn(kin_task_fn *task, int count, void *context, void *user);
typedef void *kin_alloc_fn(size_t bytes, void *user);
typedef void  kin_free_fn(void *memory, size_t bytes, void *user);

typedef struct kin_world_desc {
    kin_vec       gravity;       /* units per second squared [none: top-down] */
    kin_vec       up;            /* any length [against gravity; without gravity none: a floating, top-down world] */
    float         rate;          /* steps per second of kin_world_advance [128] */
    float         max_catch_up;  /* the most that one advance simulates, in seconds; it drops the rest [1] */
    float         unit;          /* length of one "metre" in your units; scales every tolerance [1] */
    float         max_speed;     /* what is faster is slowed down to this [1e5 times unit, per second] */
    int           max_rounds;    /* depenetration rounds per step [10] */
    int           max_contacts;  /* kept per body; the ground is always kept [16] */
    int           max_events;    /* kept for kin_get_events per step or advance; on_event sees all [1024] */
    int           statics, movers, bodies;  /* room reserved [grows when adding] */
    kin_event_fn *on_event;      /* called at the end of each step, once per event, in order [none] */
    kin_log_fn   *on_log;        /* what was refused and why [stderr] */
    kin_alloc_fn *allocate;      /* both or neither [KINEMATIC_MALLOC, KINEMATIC_FREE] */
    kin_free_fn  *release;       /* gets the size that was allocated */
    void         *user;          /* handed to the functions of this descriptor */
    /* Snapshots leave out what tiles and meshes are made of, and load only where it is unchanged. */
    bool          level_apart;
    /* Snapshots come from kin_snapshot_save of this very program: loading still refuses what is cut, damaged or of
       another version, but does not look at every number and link. Never set it for files or packets of others. */
    bool          trust_snapshots;
    kin_collide_fn *collide;     /* false: as if layers kept the two apart; 32 answers fit per body [yes] */
    /* Kept per body, beside max_contacts, and per thing that senses: each sensor, each sensor cell [32] */
    int           max_sensor_contacts;
    kin_parallel_fn *parallel;   /* runs parts of a step on threads of yours; the bits stay the same [none] */
    int           workers;       /* that it may name; each has scratch of its own */
    int           sensing;       /* room reserved for so many of the things that have .senses [grows when adding] */
    int           hulls;         /* different shapes of points that kin_world_bytes counts room for [64] */
} kin_world_desc;

/* Makes a world; NULL: all defaults. NULL if a number is bad or there is no memory. */
KIN_API kin_world *kin_world_create(const kin_world_desc *desc);
/* The same inside a block of yours, which must outlive it. Never allocates; adds are refused when it is full. If it is
   small, max_events, max_sensor_contacts, at last hulls, where not given, are halved until it holds the world. */
KIN_API kin_world *kin_world_create_in(void *memory, size_t bytes, const kin_world_desc *desc);
KIN_API size_t   kin_world_bytes(const kin_world_desc *desc);    /* what create_in needs for the room in desc */
KIN_API void     kin_world_destroy(kin_world *world);            /* frees everything; NULL is fine */
KIN_API bool     kin_world_step(kin_world *world, float dt);     /* one step of dt seconds; refused inside a callback */
KIN_API int      kin_world_advance(kin_world *world, double seconds);  /* runs the fixed steps that fit; how many */
KIN_API float    kin_world_alpha(const kin_world *world);        /* 0..1: part of a step that is left over */
KIN_API double   kin_world_dropped(const kin_world *world);      /* seconds the last advance cut off */
KIN_API uint64_t kin_world_steps(const kin_world *world);        /* steps so far */
KIN_API uint64_t kin_world_hash(const kin_world *world);         /* of all state that the future depends on */
KIN_API bool     kin_world_set_gravity(kin_world *world, kin_vec gravity);  /* up follows; without gravity it stays */
KIN_API kin_vec  kin_world_get_gravity(const kin_world *world);   /* as created or set */
KIN_API bool     kin_world_set_up(kin_world *world, kin_vec up);  /* of any length; {0}: against gravity again */
KIN_API kin_vec  kin_world_get_up(const kin_world *world);        /* of length one; {0} in a floating world */
KIN_API bool     kin_world_get_desc(const kin_world *world, kin_world_desc *out);  /* as it is now, with defaults */
typedef struct kin_stats {
    int statics, movers, bodies;   /* things */
    int idle;                      /* of the last step: bodies skipped, since nothing about them could change */
    int groups, cut_groups;        /* of the last step: groups of bodies that met; those that a limit cut short */
    int contacts, events;          /* of the last step: contacts of all bodies, events that were kept */
    size_t bytes;                  /* of memory in use */
} kin_stats;
KIN_API kin_stats kin_world_get_stats(const kin_world *world);   /* all 0 if the world is NULL */
KIN_API bool     kin_world_overflowed(const kin_world *world);   /* did contacts or events of the last step not fit? */
/* Walks all things of a kind (KIN_NOTHING: of every kind); {0} starts and ends. */
KIN_API kin_id   kin_next(const kin_world *world, kin_kind kind, kin_id after);
/* Events of the last step or advance, in order; how many. They stay valid until the next one. */
KIN_API int      kin_get_events(const kin_world *world, const kin_event **first);

/* ---- what lives in it --------------------------------------------------------------------------------------- */

/* Asked in stage 2 (movers) or 3 (bodies): set velocity and spin. Sees the last step's ground; may add and remove. */
typedef void kin_control_fn(kin_world *world, kin_id id, float dt, void *user);

typedef struct kin_static_desc {
    kin_shape  shape;            /* required */
    kin_vec    position;         /* of the shape's origin */
    kin_rot    rotation;         /* [not turned] */
    uint32_t   layer, mask;      /* [1], [all]; two things meet if each one's layer is in the other's mask */
    bool       sensor;           /* reports contacts, blocks nothing */
    bool       disabled;         /* as if it were not there, until kin_set_enabled */
    void      *user;             /* yours; kin_get_user gives it back */
    kin_vec    one_way;          /* outward direction of a surface that blocks from that side only [solid] */
    kin_vec    surface_velocity; /* conveyor: what stands on it is moved along */
    /* A mover it is part of, or a body whose sensor it is (hit box, feet, sight), which never reports its owner:
       position and rotation are then local to it, and it goes when that goes [stays put] */
    kin_id     attach;
    bool       senses;           /* a sensor that is attached: reports level, movers, others' sensors too [bodies] */
} kin_static_desc;

typedef struct kin_mover_desc {
    kin_shape  shape;            /* required */
    kin_vec    position;         /* the origin it turns about */
    kin_rot    rotation;         /* [not turned] */
    uint32_t   layer, mask;      /* [1], [all] */
    bool       sensor, disabled; /* as for a static */
    void      *user;             /* also handed to control */
    kin_vec    one_way;          /* turns with the mover [solid] */
    kin_vec    surface_velocity; /* turns with the mover */
    kin_vec    velocity;         /* kept until set again */
    kin_spin   spin;             /* about its origin, kept until set again */
    kin_control_fn *control;     /* [none] */
    kin_carry   carry;           /* how it takes riders along */
    kin_blocked on_blocked;      /* what it does about a body it would crush */
    bool        senses;          /* BEGAN and ENDED with sensors that it meets, with the mover as a [no] */
} kin_mover_desc;

typedef struct kin_body_desc {
    kin_shape  shape;            /* required */
    kin_vec    position;         /* of the shape's origin */
    kin_rot    rotation;         /* [not turned] */
    uint32_t   layer, mask;      /* [1], [all] */
    bool       sensor, disabled; /* as for a static */
    void      *user;             /* also handed to control */
    kin_vec    velocity;         /* its own, relative to what it rides */
    kin_control_fn *control;     /* [none] */
    kin_push   push;             /* what other bodies can do to it */
    kin_ride   ride;             /* stick: stays on any lift; physical: leaves one that falls faster */
    kin_leave  leave;            /* what it keeps of a mover's velocity when it leaves it */
    kin_crush  on_crush;         /* what happens to it when it is crushed, beyond the event */
    kin_slope  slope;            /* which speed stays constant uphill and downhill */
    float      max_slope;        /* steepest stable ground, angle to level, 0..pi/2 [pi/4] */
    float      snap;             /* follows slopes, and drops by this or step_height [0.1 unit]; negative: off */
    float      step_height;      /* highest step it walks up [0] */
    float      corner_nudge;     /* how far a head, or a floating body, is moved aside past a corner [0] */
    float      gravity_scale;    /* [1] */
    bool       weightless;       /* no gravity at all: every surface is a wall */
    bool       report_continued; /* an event for every step in which a contact lasts */
    bool       glide;            /* keeps the speed that pushes gave it [ends with the push, unless in the air] */
    bool       keep_facing;      /* 3D: does not turn with the ground */
    float      leftover_fade;    /* part of the leftover motion lost per second, 0..1 [0] */
    kin_vec    gravity;          /* its own, up is against it: planets, walking on ceilings [the world's] */
    float      bounce;           /* part of the speed into a surface that comes back, 0..1 [0] */
    float      weight;           /* counts against max_push of what pushes it [1] */
    float      max_push;         /* heaviest row, in weights, that it can push; negative: pushes nothing [any] */
    bool       no_gravity_scale; /* a gravity_scale of 0, literally; still a body that stands and steps */
} kin_body_desc;

/* A static grid of square cells. Values 0..3 are built in, 4 to 255 are what kin_define_tile says. */
enum { KIN_TILE_EMPTY, KIN_TILE_SOLID, KIN_TILE_ONE_WAY /* outward is up */, KIN_TILE_SENSOR };

typedef struct kin_tiles_desc {
    kin_cell       size;         /* number of cells along each axis, at least 1 */
    float          cell;         /* edge length [1 unit] */
    kin_vec        origin;       /* corner of cell (0, 0) with the smallest coordinates */
    const uint8_t *cells;        /* copied; x fastest, then y, then z; NULL: all empty */
    uint32_t       layer, mask;  /* [1], [all] */
    void          *user;         /* yours */
    kin_id         attach;       /* a mover it is part of; origin is then local to it [stays put] */
} kin_tiles_desc;

typedef struct kin_tile {
    kin_vec points[8];           /* convex, in the unit cell 0..1 */
    int     count;               /* of points; 0: the full cell */
    kin_vec one_way, surface_velocity;  /* as for a static */
    bool    sensor;              /* reports contacts, blocks nothing */
} kin_tile;

/* A static surface: segments in 2D (pairs of indices), triangles in 3D (triples). */
typedef struct kin_mesh_desc {
    const kin_vec *points;   int point_count;  /* copied */
    const int     *indices;  int index_count;  /* copied; each from 0 to point_count - 1 */
    kin_vec        position;     /* of the points' origin */
    kin_rot        rotation;     /* [not turned] */
    uint32_t       layer, mask;  /* [1], [all] */
    void          *user;         /* yours */
    kin_id         attach;       /* a mover it is part of [stays put] */
    bool           sensor;       /* reports contacts, each face on its own, and blocks nothing */
    bool           one_sided;    /* solid only from the left of its segments, from where triangles look
                                    counter-clockwise [both sides] */
    kin_vec        surface_velocity;   /* conveyor; turns with it */
} kin_mesh_desc;

/* Each returns the handle of the new thing, or {0} if the descriptor is bad or there is no memory. What is added inside
   a callback takes part from the next step on. */
KIN_API kin_id kin_add_static(kin_world *world, const kin_static_desc *desc);  /* a wall, floor, sensor */
KIN_API kin_id kin_add_mover(kin_world *world, const kin_mover_desc *desc);    /* a lift, door, turntable */
KIN_API kin_id kin_add_body(kin_world *world, const kin_body_desc *desc);      /* a hero, foe, crate */
#ifndef KINEMATIC_NO_TILES
KIN_API kin_id kin_add_tiles(kin_world *world, const kin_tiles_desc *desc);    /* a grid of cells */
#endif
#ifndef KINEMATIC_NO_MESH
KIN_API kin_id kin_add_mesh(kin_world *world, const kin_mesh_desc *desc);      /* segments or triangles */
#endif
/* The handle is dead at once, the next step emits ENDED; what is attached to it is removed with it. */
KIN_API bool kin_remove(kin_world *world, kin_id id);

typedef enum kin_form { KIN_FORM_NONE, KIN_FORM_SHAPE, KIN_FORM_TILES, KIN_FORM_MESH } kin_form;

KIN_API bool     kin_alive(const kin_world *world, kin_id id);          /* is the handle still valid? never logs */
KIN_API kin_kind kin_get_kind(const kin_world *world, kin_id id);       /* KIN_NOTHING if it is dead */
/* What its descriptor or kin_set_user gave; also of the last 1024 that were removed, while an event names them. */
KIN_API void    *kin_get_user(const kin_world *world, kin_id id);
KIN_API kin_vec  kin_get_position(const kin_world *world, kin_id id);   /* as of the last step or teleport */
KIN_API kin_rot  kin_get_rotation(const kin_world *world, kin_id id);   /* as of the last step or teleport */
KIN_API kin_pose kin_get_draw_pose(const kin_world *world, kin_id id);  /* between the last two steps, by alpha */
KIN_API kin_vec  kin_get_velocity(const kin_world *world, kin_id id);   /* its own, relative to what it rides */
KIN_API kin_vec  kin_get_motion(const kin_world *world, kin_id id);     /* real displacement of the last step / dt */
KIN_API kin_vec  kin_get_leftover(const kin_world *world, kin_id id);   /* what is left of a mover it has left */
KIN_API kin_spin kin_get_spin(const kin_world *world, kin_id id);       /* of a mover */

KIN_API kin_form kin_get_form(const kin_world *world, kin_id id);       /* what it is made of */
KIN_API bool kin_get_shape(const kin_world *world, kin_id id, kin_shape *out);  /* false for tiles and meshes */
KIN_API bool kin_get_bounds(const kin_world *world, kin_id id, kin_vec *low, kin_vec *high);  /* its box; may be NULL */
KIN_API bool kin_get_filter(const kin_world *world, kin_id id, uint32_t *layer, uint32_t *mask);  /* may be NULL */
KIN_API bool kin_is_enabled(const kin_world *world, kin_id id);  /* by kin_set_enabled; a crush may disable */
KIN_API bool kin_is_sensor(const kin_world *world, kin_id id);   /* all of it; tiles may have sensor cells */
KIN_API bool kin_is_one_sided(const kin_world *world, kin_id id);  /* a mesh that was added so */

KIN_API bool kin_set_pose(kin_world *world, kin_id id, kin_pose pose);         /* teleport, both at once */
KIN_API bool kin_set_position(kin_world *world, kin_id id, kin_vec position);  /* teleport: not swept, nobody carried */
KIN_API bool kin_set_rotation(kin_world *world, kin_id id, kin_rot rotation);  /* teleport; {0}: not turned */
KIN_API bool kin_set_velocity(kin_world *world, kin_id id, kin_vec velocity);  /* of a mover or body */
KIN_API bool kin_set_spin(kin_world *world, kin_id id, kin_spin spin);         /* of a mover */
/* At this pose after the next step, carrying and pushing on the way; then it stands until moved again. */
KIN_API bool kin_move_to(kin_world *world, kin_id mover, kin_vec position, kin_rot rotation);
/* A body keeps its feet and needs room (else false, unchanged); others keep their bottom and push what they overlap. */
KIN_API bool kin_set_shape(kin_world *world, kin_id id, const kin_shape *shape);
KIN_API bool kin_set_enabled(kin_world *world, kin_id id, bool enabled);       /* disabled: as if it were not there */
KIN_API bool kin_set_filter(kin_world *world, kin_id id, uint32_t layer, uint32_t mask);  /* literal: 0 is no layer */
KIN_API bool kin_set_user(kin_world *world, kin_id id, void *user);            /* also handed to control */
KIN_API bool kin_set_control(kin_world *world, kin_id id, kin_control_fn *control);  /* NULL: none */
KIN_API bool kin_get_body_options(const kin_world *world, kin_id body, kin_body_desc *out);  /* every member as it is */
/* Sets all but shape, pose, velocity, filter and user, which have functions of their own. */
KIN_API bool kin_set_body_options(kin_world *world, kin_id body, const kin_body_desc *options);
KIN_API bool kin_get_mover_options(const kin_world *world, kin_id mover, kin_mover_desc *out);  /* as for bodies */
KIN_API bool kin_set_mover_options(kin_world *world, kin_id mover, const kin_mover_desc *options);  /* as for bodies */
KIN_API bool kin_get_static_options(const kin_world *world, kin_id id, kin_static_desc *out);   /* of tiles: no shape */
/* Sets sensor, one_way, surface_velocity and senses; of a mesh sensor and surface_velocity; not for tiles. */
KIN_API bool kin_set_static_options(kin_world *world, kin_id id, const kin_static_desc *options);
KIN_API bool kin_set_leftover(kin_world *world, kin_id body, kin_vec leftover);  /* fades and ends as any */
KIN_API bool kin_set_gravity(kin_world *world, kin_id body, kin_vec gravity);  /* its own; {0}: the world's again */
KIN_API kin_vec kin_get_up(const kin_world *world, kin_id body);  /* of length one; {0}: none */
KIN_API bool kin_set_gravity_scale(kin_world *world, kin_id body, float scale);  /* literal: 0 is no gravity */
KIN_API bool kin_set_push(kin_world *world, kin_id body, kin_push push);       /* what other bodies can do to it */
KIN_API bool kin_ignore(kin_world *world, kin_id a, kin_id b, bool ignore);    /* the two do not meet, until false */
KIN_API bool kin_drop_through(kin_world *world, kin_id body);                  /* fall through one-ways it stands on */
#ifndef KINEMATIC_NO_TILES
/* What a value from 4 to 255 means in these tiles; cells that have it already change at once. */
KIN_API bool kin_define_tile(kin_world *world, kin_id tiles, uint8_t value, const kin_tile *tile);
KIN_API uint8_t kin_get_tile(const kin_world *world, kin_id tiles, kin_cell cell);  /* outside: refused, 0 */
KIN_API bool kin_set_tile(kin_world *world, kin_id tiles, kin_cell cell, uint8_t value);  /* outside: refused */
/* A block of cells at once; values as in kin_tiles_desc: x fastest. */
KIN_API bool kin_set_tiles_region(kin_world *world, kin_id tiles, kin_cell first, kin_cell size, const uint8_t *values);
KIN_API bool kin_get_tiles(const kin_world *world, kin_id tiles, kin_tiles_desc *out);  /* cells: NULL; kin_get_tile */
/* The definition of a value; false if it is empty. */
KIN_API bool kin_get_tile_definition(const kin_world *world, kin_id tiles, uint8_t value, kin_tile *out);
#endif
#ifndef KINEMATIC_NO_MESH
/* Reads a mesh back as it was added, without faces that had no extent: as much as fits. Returns how many faces. */
KIN_API int  kin_get_mesh(const kin_world *world, kin_id mesh, kin_vec *points, int point_capacity, int *point_count,
                          int *indices, int index_capacity);
#endif

typedef enum kin_footing { KIN_AIR, KIN_STABLE, KIN_STEEP } kin_footing;

typedef struct kin_ground {
    kin_footing footing;         /* stable up to the body's max_slope, steep up to 85 degrees; beyond that, a wall */
    kin_id      id;              /* {0} in the air */
    kin_vec     normal, point;   /* the normal points from the ground to the body */
    kin_vec     velocity;        /* of the ground at that point */
    int         part;            /* tile, segment or triangle of it, else -1 */
} kin_ground;

typedef struct kin_contact {
    kin_id  other;               /* what it touches */
    kin_vec normal, point;       /* the normal points from the other to the one that was asked about */
    float   gap;                 /* distance; negative: overlap */
    int     part;                /* tile, segment or triangle of the other, else -1 */
} kin_contact;

KIN_API kin_ground kin_get_ground(const kin_world *world, kin_id body);  /* as of the last step */
KIN_API bool kin_on_ground(const kin_world *world, kin_id body);    /* footing is KIN_STABLE */
KIN_API bool kin_on_wall(const kin_world *world, kin_id body);      /* touches something steeper than max_slope */
KIN_API bool kin_on_ceiling(const kin_world *world, kin_id body);   /* touches something that faces down */
KIN_API bool kin_get_wall(const kin_world *world, kin_id body, kin_contact *out);  /* the most upright; false: none */
KIN_API bool kin_get_ceiling(const kin_world *world, kin_id body, kin_contact *out);  /* the most level; false: none */
KIN_API bool kin_is_crushed(const kin_world *world, kin_id body);   /* from KIN_EVENT_CRUSHED to KIN_EVENT_FREED */
KIN_API bool kin_is_embedded(const kin_world *world, kin_id body);  /* from KIN_EVENT_EMBEDDED to KIN_EVENT_FREED */
KIN_API bool kin_is_blocked(const kin_world *world, kin_id mover);  /* stopped in the last step, by KIN_BLOCKED_STOP */
/* Both fill the first `capacity` places and return how many there are, which may be more; NULL and 0 only count. */
KIN_API int kin_get_contacts(const kin_world *world, kin_id id, kin_contact *out, int capacity);  /* of the last step */
KIN_API int kin_get_riders(const kin_world *world, kin_id id, kin_id *out, int capacity);  /* bodies that stand on it */

/* ---- questions; they leave the world as it was -------------------------------------------------------------- */

typedef struct kin_hit {
    kin_id  id;             /* what was hit */
    kin_vec point, normal;  /* on its surface; the normal points away from it */
    float   t;              /* 0..1 of the travel */
    int     part;           /* tile, segment or triangle of it, else -1 */
} kin_hit;

typedef struct kin_filter {
    uint32_t layer, mask;   /* of the one that asks [1], [all] */
    kin_id   ignore;        /* left out [nobody] */
    bool     sensors;       /* are they hit too? [no] */
    const kin_id *ignored;  /* further things to leave out [none] */
    int      ignored_count; /* how many; dead handles among them name nothing */
    bool   (*takes)(kin_id id, int part, void *user);   /* a last word of the game about each part [takes all] */
    void    *user;          /* handed to it */
} kin_filter;

/* First thing that a travelling point hits; false and *hit = {0} if none. A filter of NULL is {0}; hit may be NULL. */
KIN_API bool kin_cast_ray(const kin_world *world, kin_vec from, kin_vec travel, const kin_filter *filter, kin_hit *hit);
/* The same for a shape that travels without turning. One that starts inside hits the deepest at t = 0; one whose way
   ends at a surface hits it at t = 1. */
KIN_API bool kin_cast_shape(const kin_world *world, const kin_shape *shape, kin_pose from, kin_vec travel,
                            const kin_filter *filter, kin_hit *hit);
/* What a shape overlaps: the first `capacity` in order of their slots; returns how many there are. */
KIN_API int kin_overlap(const kin_world *world, const kin_shape *shape, kin_pose at, const kin_filter *filter,
                        kin_id *out, int capacity);
/* All hits, nearest first, one for each thing (each part of tiles and meshes): the first `capacity`; how many. */
KIN_API int kin_cast_ray_all(const kin_world *world, kin_vec from, kin_vec travel, const kin_filter *filter,
                             kin_hit *out, int capacity);
/* The same for a shape that travels without turning. */
KIN_API int kin_cast_shape_all(const kin_world *world, const kin_shape *shape, kin_pose from, kin_vec travel,
                               const kin_filter *filter, kin_hit *out, int capacity);
/* As kin_overlap, with normal, point and depth (gap is negative) of the deepest part, deepest first. */
KIN_API int kin_overlap_contacts(const kin_world *world, const kin_shape *shape, kin_pose at, const kin_filter *filter,
                                 kin_contact *out, int capacity);
/* Of the things less than reach away from a shape, the nearest, or the deepest that overlaps it; false: none. */
KIN_API bool kin_closest(const kin_world *world, const kin_shape *shape, kin_pose at, float reach,
                         const kin_filter *filter, kin_contact *out);
/* The nearest place within reach where the shape is free, as far as a bounded search finds it; false: none. */
KIN_API bool kin_find_room(const kin_world *world, const kin_shape *shape, kin_pose at, float reach,
                           const kin_filter *filter, kin_vec *out);
KIN_API bool kin_test_move(const kin_world *world, kin_id body, kin_vec travel, kin_hit *hit);  /* would it hit? */
KIN_API kin_vec kin_move(kin_world *world, kin_id body, kin_vec travel);  /* moves and slides now; what was travelled */
/* The same, and what it met, in order: the first `capacity`; how many. Contacts, ground and kin_on_wall of the body
   follow at once (not inside on_event), events with the next step. travelled may be NULL. */
KIN_API int kin_move_hits(kin_world *world, kin_id body, kin_vec travel, kin_vec *travelled, kin_hit *out,
                          int capacity);

/* ---- state -------------------------------------------------------------------------------------------------- */

#ifndef KINEMATIC_NO_SNAPSHOT
KIN_API size_t kin_snapshot_size(const kin_world *world);  /* bytes that a save needs now */
KIN_API size_t kin_snapshot_save(const kin_world *world, void *buffer, size_t capacity);  /* bytes; 0: does not fit */
/* Continues bit for bit; bad data is refused; not inside a callback. */
KIN_API bool kin_snapshot_load(kin_world *world, const void *buffer, size_t size);
#endif

#ifndef KINEMATIC_NO_DRAW
typedef struct kin_draw {
    void (*line)(kin_vec from, kin_vec to, uint32_t rgba, void *user);  /* rgba: red in the highest byte */
    void (*point)(kin_vec at, uint32_t rgba, void *user);               /* may be NULL, as line may */
    void *user;                                                         /* handed to both */
} kin_draw;

KIN_API void kin_debug_draw(const kin_world *world, const kin_draw *draw);  /* shapes, grounds, contacts as lines */

enum { KIN_DRAW_SHAPES = 1, KIN_DRAW_CONTACTS = 2, KIN_DRAW_GROUND = 4, KIN_DRAW_VELOCITY = 8,
       KIN_DRAW_BROAD_PHASE = 16, KIN_DRAW_SENSORS = 32, KIN_DRAW_SURROUNDINGS = 64 };
typedef struct kin_draw_options {
    uint32_t layers;        /* KIN_DRAW_... [all but surroundings] */
    kin_id   only;          /* this thing alone [everything] */
    bool     interpolated;  /* shapes at draw poses instead of those of the last step [no] */
    float    smoothness;    /* longest distance of a line from a round surface [0.01 unit] */
} kin_draw_options;
/* By choice; NULL or all zero: as kin_debug_draw. */
KIN_API void kin_debug_draw_options(const kin_world *world, const kin_draw *draw, const kin_draw_options *options);
#endif

#endif
