/* kinematic.h 0.2.0: kinematic physics for games, 2D or 3D, in one C header. MIT or Unlicense.

   WHAT IT IS
       Movers (lifts, doors, turntables), bodies (heroes, foes, crates) and levels (shapes, meshes, tiles), at a fixed
       step, with the same bits on every machine. Nothing moves unless the game said so, and what moves never ends
       inside a wall. No forces, no joints, no stacks that topple, no threads of its own.

   USE
       In one source file of your program:

           #define KINEMATIC_IMPLEMENTATION
           #include "kinematic.h"

       In all others only the #include. For 3D, define KINEMATIC_DIM as 3 in every file (-DKINEMATIC_DIM=3). There is
       nothing to link but, with some compilers, the library that has sqrtf (-lm). Compiling takes ten seconds and more
       with optimisation: better give those two lines a kinematic.c of their own.

           kin_world *world = kin_world_create(&(kin_world_desc){ .gravity = { 0, -30 } });
           kin_add_static(world, &(kin_static_desc){ .shape = kin_box(kin_v(40, 1)) });
           kin_id hero = kin_add_body(world, &(kin_body_desc){
               .shape = kin_capsule(1.8f, 0.4f), .position = { 0, 4 }, .push = KIN_UNPUSHABLE });

           while (game_runs()) {
               kin_vec v = kin_get_velocity(world, hero);
               v.x = 6 * stick;
               if (jump && kin_on_ground(world, hero)) v.y = 12;
               kin_set_velocity(world, hero, v);
               kin_world_advance(world, frame_seconds);
               draw(kin_get_draw_pose(world, hero));
           }

       From C++, descriptors go by reference: kin_world_desc level = {}; level.gravity.y = -30; kin_world_create(level).
       What may be NULL stays a pointer: kin_cast_ray(world, from, travel, &filter, &hit). C++20 wants designated
       initialisers in the order of the members. Zero in a descriptor means the default that is in [brackets].

   WORDS
       static      a shape, mesh or tile grid that stays put
       mover       moves as the game says, stopped by nothing: lifts, doors, turntables
       body        moves by its velocity, by gravity and by what it rides; stopped by statics and movers
       pushable    a body that other bodies push; an unpushable one stops them and yields only to movers and to what movers
                   push; an intangible one passes through other bodies and has contacts with them all the same
       ground      what a body stands on: stable up to max_slope, else steep
       velocity    a body's own, relative to what it rides; kin_get_motion tells how it really moved
       leftover    the part of a mover's velocity that a body keeps after leaving it, until it lands
       contact     something that a body hit in the last step, or that is within the touch margin
       step        one tick of the world, of the same length every time

   THE STEP
       1 Pending      what was added and removed since the last step
       2 Movers       every mover is asked by its controller and takes its new pose
       3 Gather       each body: gravity, its controller, the motion it wants
       4 Carry        bodies go where their ground takes them
       5 Sweep        bodies move along their own motion, slide along what they meet
       6 Pairs        bodies meet bodies: push, stop or exchange
       7 Depenetrate  what overlaps is separated, statics last, so that no body ends in a wall
       8 Ground       what each body stands on now
       9 Crush        which bodies had no room
      10 Commit       poses, events, step counter

   RECIPES
       In full in docs/manual.html, where each is compiled and run. In short:
       wall jump        kin_get_wall has the normal to jump along
       dash, ladder     kin_set_gravity_scale; kin_overlap with a filter that takes sensors of one layer
       hit box          a sensor with .attach to the body (.senses: told of level and movers, too); ledge stop: a ray down
       bounce           .bounce, of two bodies the larger; what comes slower than 0.5 unit/s or 2 g dt stops
       lift, path       kin_move_to in a mover's controller, waiting while kin_is_blocked
       turntable        .spin, and parts with .attach; conveyor: .surface_velocity
       crates           .push, .glide for ice. A body with .max_push stops at a row whose .weight, with riders, is more
       crusher          KIN_EVENT_CRUSHED; on_crush, on_blocked. FREED ends a condition, and comes before another opens
       tiles            kin_add_tiles, kin_define_tile, kin_set_tile; coins are sensor tiles, told one by one
       pixels, y down   .unit = 16, gravity along +y: rows of a text map go in as written. Top-down: no gravity
       planets          kin_set_gravity in every step: .gravity of a body is its own, kin_get_up is against it
       stairs           .step_height, .max_slope, .snap, .corner_nudge; crouch: kin_set_shape
       rollback, saves  kin_snapshot_save, kin_snapshot_load, kin_world_hash; kin_next to give users again

   GOOD TO KNOW
       one_way and surface_velocity of a turned static turn with it. Rays and casts hit one-ways from every side; `takes`
       in a filter can leave them out. A sensor body is stopped by statics and movers, passes through bodies, and reports
       each of them, however fast it is. ENDED comes one step after the last touch. For a mover driven by kin_move_to,
       kin_get_velocity is 0 and kin_get_motion its velocity. Undefined tile values are empty. Ground that is steeper than
       max_slope by up to 0.002 radians is stable still. dt may be up to 10 seconds, but 1/30 or less is better: ground,
       riding and controllers are decided once per step. Bodies rest 0.002 (times unit) above ground and before walls:
       round positions for drawing, since (int)p.y cuts them off. A body as wide as its tunnel (16 in 16 pixels) enters if
       aligned to within 0.005 (times unit), keeps its speed, and is on no wall there. Queries do not write: several
       threads may ask while no thread steps or changes the world. If `collide` calls kin_test_move, layers decide inside
       that call.

   DEBUG DRAWING
       kin_debug_draw shows what the library works with, as lines and points of your own renderer:

           kin_draw view = { .line = my_line, .point = my_point };
           kin_debug_draw(world, &view);

       grey       A0A0A0   statics, tiles, meshes         white   FFFFFF   velocity: where it leads in a quarter second
       turquoise  40E0D0   one-way surfaces               red     FF4040   contacts, and a short line along the normal
       blue       50A0FF   movers                         green   40FF40   from a body to the stable ground it stands on
       orange     FFB040   pushable bodies                orange  FF8000   ... to steep ground
       green      60D060   unpushable bodies              faint   808080   boxes of the broad phase
       violet     C080FF   intangible bodies              dark    606060   disabled
       yellow     E0E040   sensors

   OPTIONS
       The same in every file that includes the header:
           KINEMATIC_DIM             2       2 or 3. A program may have files of both kinds; mixing them up in one
                                             world does not link.
           KINEMATIC_NO_SNAPSHOT             each leaves its functions out. With gcc -O2 on x86-64 the object, 272 kB in
           KINEMATIC_NO_DRAW                 2D and 355 kB in 3D, gets smaller by 16 and 17 kB (snapshots), 5 and 9 kB
           KINEMATIC_NO_MESH                 (drawing), 7 and 10 kB (meshes), 18 and 23 kB (tiles), 51 and 64 kB (all).
           KINEMATIC_NO_TILES                Snapshots load only where the same is left out of tiles and meshes.
       Only beside the implementation:
           KINEMATIC_IMPLEMENTATION          turns it on
           KINEMATIC_STATIC                  every function static: the world is private to this file, and another
                                             file may have its own
           KINEMATIC_ASSERT(c)       assert  our own invariants, never your mistakes
           KINEMATIC_MALLOC(bytes)   malloc  both or neither; used where a world descriptor names no functions
           KINEMATIC_FREE(memory)    free
           KINEMATIC_MEMCPY(to, from, bytes), KINEMATIC_MEMSET(memory, value, bytes)
                                     memcpy, memset; both or neither
           KINEMATIC_SQRT(x)         sqrtf   must round correctly
           KINEMATIC_NO_STDIO                no stdio.h; without an on_log function nothing is printed
           KINEMATIC_NO_STDLIB               no C library at all: no stdio.h, stdlib.h, math.h, assert.h; worlds need
                                             kin_world_create_in, allocation functions or KINEMATIC_MALLOC and _FREE
           KINEMATIC_NO_DETERMINISM          allows -ffast-math and x87 arithmetic, and drops the promise of equal bits
       Include the header before headers that define names like free, log or assert as macros; the declarations do not
       mind them, the implementation may.

   MEMORY
       A world allocates when it is made and when things are added, never while stepping: contacts per body and events
       per step have a bound in the world descriptor. kin_world_create_in uses one block that you give and never
       allocates; kin_world_bytes says how large it should be, without tiles, meshes and more than .hulls polygons. In a
       smaller one there are fewer events and sensor contacts, unless you say how many:

           kin_world_desc desc = { .gravity = { 0, -30 }, .statics = 10, .movers = 4, .bodies = 50 };
           size_t bytes = kin_world_bytes(&desc);
           void *block = malloc(bytes);
           kin_world *small = kin_world_create_in(block, bytes, &desc);

       A failed allocation refuses the one call that asked and leaves the world as it was. There are no globals: worlds
       on different threads do not know each other.

   THREADS
       .parallel in the world descriptor is a function of yours that runs tasks on .workers threads of yours; the manual in
       docs/ has a short one, examples/threads.c a pool. Lone bodies, and groups of bodies that touch, are then solved side
       by side, from 64 awake bodies on. Controllers, collide, events and log lines stay on the thread that steps. The bits
       are the same with any number of workers, and without. A runner that leaves out or repeats items, or names a worker
       that is missing or busy, is logged and called no more; the step is right all the same.

   NUMBERS
       Lengths are in your units; unit in the world descriptor says how many of them make a metre (16 if a tile has
       16 pixels) and scales every tolerance: slop 0.005, touch margin 0.01, crush 0.01. Angles are in radians, y is up
       unless gravity or up says otherwise. Same inputs, same kin_world_hash, on every compiler and machine with IEEE
       single precision, whatever the optimisation. -ffast-math and x87 arithmetic are refused; fused multiply-add is
       switched off inside the implementation and left alone in your code. One flag is stronger than we are: clang's
       -ffp-contract=fast outside x86, or where it inlines our functions into yours. Its default is fine.

   LIMITS
       One sweep changes direction at most 12 times: what would meet more surfaces in a step gets no further in that step.
       Coordinates end at 1e9: everything stops there, and a log line says so once. Float has seven digits, so far from the
       origin the tolerances grow with the distance. Shapes are convex, with at most 8 points in 2D and 32 in 3D, and
       rounded as you like; tiles have at most 8 points. Statics move only by teleport: what shall carry or push is a
       mover. Movers do not see each other. Bodies do not turn by themselves. A body that is crushed or embedded says so
       and waits for the game to decide. This is version 0.2: the interface is settled, behaviour still grows.
*/

/* Made from src/ by tools/amalgamate.py. Change the parts, not this file. */

/* begin.h: which dimension, checked every time the header is included. */

/* Editors that parse a header by itself see the implementation too. */
#if (defined(__INTELLISENSE__) || defined(__CLION_IDE__)) && !defined(KINEMATIC_IMPLEMENTATION)
#define KINEMATIC_IMPLEMENTATION
#endif

#ifndef KINEMATIC_DIM
#define KINEMATIC_DIM 2
#endif
#if (KINEMATIC_DIM + 0) != 2 && (KINEMATIC_DIM + 0) != 3
#error "kinematic.h: KINEMATIC_DIM must be 2 or 3"
#endif

/* One source file is either flat or not; a program may have files of both kinds. */
#if KINEMATIC_DIM == 2
#define KIN_DIM_IS_2
#else
#define KIN_DIM_IS_3
#endif
#if defined(KIN_DIM_IS_2) && defined(KIN_DIM_IS_3)
#error "kinematic.h: included for 2D and for 3D in one source file; give each dimension a file of its own"
#endif

#if defined(KINEMATIC_STATIC) && !defined(KINEMATIC_IMPLEMENTATION) && !defined(KIN_IMPLEMENTED)
#error "kinematic.h: KINEMATIC_STATIC needs KINEMATIC_IMPLEMENTATION in the same file"
#endif

#ifndef KIN_INCLUDED
#define KIN_INCLUDED

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The linker sees kin2_ or kin3_. So both can live in one program, and mixing them up is an
   undefined symbol instead of a crash. */
#if KINEMATIC_DIM == 2
#define KIN_NAMED(name) kin2_##name
#else
#define KIN_NAMED(name) kin3_##name
#endif
#define kin_add_body             KIN_NAMED(add_body)
#define kin_add_mesh             KIN_NAMED(add_mesh)
#define kin_add_mover            KIN_NAMED(add_mover)
#define kin_add_static           KIN_NAMED(add_static)
#define kin_add_tiles            KIN_NAMED(add_tiles)
#define kin_alive                KIN_NAMED(alive)
#define kin_ball                 KIN_NAMED(ball)
#define kin_body_desc            KIN_NAMED(body_desc)
#define kin_box                  KIN_NAMED(box)
#define kin_c                    KIN_NAMED(c)
#define kin_capsule              KIN_NAMED(capsule)
#define kin_cast_ray             KIN_NAMED(cast_ray)
#define kin_cast_ray_all         KIN_NAMED(cast_ray_all)
#define kin_cast_shape           KIN_NAMED(cast_shape)
#define kin_cast_shape_all       KIN_NAMED(cast_shape_all)
#define kin_cell                 KIN_NAMED(cell)
#define kin_closest              KIN_NAMED(closest)
#define kin_contact              KIN_NAMED(contact)
#define kin_debug_draw           KIN_NAMED(debug_draw)
#define kin_debug_draw_options   KIN_NAMED(debug_draw_options)
#define kin_define_tile          KIN_NAMED(define_tile)
#define kin_draw                 KIN_NAMED(draw)
#define kin_draw_options         KIN_NAMED(draw_options)
#define kin_drop_through         KIN_NAMED(drop_through)
#define kin_event                KIN_NAMED(event)
#define kin_filter               KIN_NAMED(filter)
#define kin_find_room            KIN_NAMED(find_room)
#define kin_get_body_options     KIN_NAMED(get_body_options)
#define kin_get_bounds           KIN_NAMED(get_bounds)
#define kin_get_ceiling          KIN_NAMED(get_ceiling)
#define kin_get_contacts         KIN_NAMED(get_contacts)
#define kin_get_draw_pose        KIN_NAMED(get_draw_pose)
#define kin_get_events           KIN_NAMED(get_events)
#define kin_get_filter           KIN_NAMED(get_filter)
#define kin_get_form             KIN_NAMED(get_form)
#define kin_get_ground           KIN_NAMED(get_ground)
#define kin_get_kind             KIN_NAMED(get_kind)
#define kin_get_leftover         KIN_NAMED(get_leftover)
#define kin_get_mesh             KIN_NAMED(get_mesh)
#define kin_get_motion           KIN_NAMED(get_motion)
#define kin_get_mover_options    KIN_NAMED(get_mover_options)
#define kin_get_position         KIN_NAMED(get_position)
#define kin_get_riders           KIN_NAMED(get_riders)
#define kin_get_rotation         KIN_NAMED(get_rotation)
#define kin_get_shape            KIN_NAMED(get_shape)
#define kin_get_spin             KIN_NAMED(get_spin)
#define kin_get_static_options   KIN_NAMED(get_static_options)
#define kin_get_tile             KIN_NAMED(get_tile)
#define kin_get_tile_definition  KIN_NAMED(get_tile_definition)
#define kin_get_tiles            KIN_NAMED(get_tiles)
#define kin_get_up               KIN_NAMED(get_up)
#define kin_get_user             KIN_NAMED(get_user)
#define kin_get_velocity         KIN_NAMED(get_velocity)
#define kin_get_wall             KIN_NAMED(get_wall)
#define kin_ground               KIN_NAMED(ground)
#define kin_hit                  KIN_NAMED(hit)
#define kin_hull                 KIN_NAMED(hull)
#define kin_id                   KIN_NAMED(id)
#define kin_ignore               KIN_NAMED(ignore)
#define kin_is_blocked           KIN_NAMED(is_blocked)
#define kin_is_crushed           KIN_NAMED(is_crushed)
#define kin_is_embedded          KIN_NAMED(is_embedded)
#define kin_is_enabled           KIN_NAMED(is_enabled)
#define kin_is_one_sided         KIN_NAMED(is_one_sided)
#define kin_is_sensor            KIN_NAMED(is_sensor)
#define kin_mesh_desc            KIN_NAMED(mesh_desc)
#define kin_move                 KIN_NAMED(move)
#define kin_move_hits            KIN_NAMED(move_hits)
#define kin_move_to              KIN_NAMED(move_to)
#define kin_mover_desc           KIN_NAMED(mover_desc)
#define kin_next                 KIN_NAMED(next)
#define kin_on_ceiling           KIN_NAMED(on_ceiling)
#define kin_on_ground            KIN_NAMED(on_ground)
#define kin_on_wall              KIN_NAMED(on_wall)
#define kin_overlap              KIN_NAMED(overlap)
#define kin_overlap_contacts     KIN_NAMED(overlap_contacts)
#define kin_pose                 KIN_NAMED(pose)
#define kin_remove               KIN_NAMED(remove)
#define kin_rot                  KIN_NAMED(rot)
#define kin_same                 KIN_NAMED(same)
#define kin_set_body_options     KIN_NAMED(set_body_options)
#define kin_set_control          KIN_NAMED(set_control)
#define kin_set_enabled          KIN_NAMED(set_enabled)
#define kin_set_filter           KIN_NAMED(set_filter)
#define kin_set_gravity          KIN_NAMED(set_gravity)
#define kin_set_gravity_scale    KIN_NAMED(set_gravity_scale)
#define kin_set_leftover         KIN_NAMED(set_leftover)
#define kin_set_mover_options    KIN_NAMED(set_mover_options)
#define kin_set_pose             KIN_NAMED(set_pose)
#define kin_set_position         KIN_NAMED(set_position)
#define kin_set_push             KIN_NAMED(set_push)
#define kin_set_rotation         KIN_NAMED(set_rotation)
#define kin_set_shape            KIN_NAMED(set_shape)
#define kin_set_spin             KIN_NAMED(set_spin)
#define kin_set_static_options   KIN_NAMED(set_static_options)
#define kin_set_tile             KIN_NAMED(set_tile)
#define kin_set_tiles_region     KIN_NAMED(set_tiles_region)
#define kin_set_user             KIN_NAMED(set_user)
#define kin_set_velocity         KIN_NAMED(set_velocity)
#define kin_shape                KIN_NAMED(shape)
#define kin_snapshot_load        KIN_NAMED(snapshot_load)
#define kin_snapshot_save        KIN_NAMED(snapshot_save)
#define kin_snapshot_size        KIN_NAMED(snapshot_size)
#define kin_static_desc          KIN_NAMED(static_desc)
#define kin_stats                KIN_NAMED(stats)
#define kin_test_move            KIN_NAMED(test_move)
#define kin_tile                 KIN_NAMED(tile)
#define kin_tiles_desc           KIN_NAMED(tiles_desc)
#define kin_turn                 KIN_NAMED(turn)
#define kin_v                    KIN_NAMED(v)
#define kin_vec                  KIN_NAMED(vec)
#define kin_version              KIN_NAMED(version)
#define kin_world                KIN_NAMED(world)
#define kin_world_advance        KIN_NAMED(world_advance)
#define kin_world_alpha          KIN_NAMED(world_alpha)
#define kin_world_bytes          KIN_NAMED(world_bytes)
#define kin_world_create         KIN_NAMED(world_create)
#define kin_world_create_in      KIN_NAMED(world_create_in)
#define kin_world_desc           KIN_NAMED(world_desc)
#define kin_world_destroy        KIN_NAMED(world_destroy)
#define kin_world_dropped        KIN_NAMED(world_dropped)
#define kin_world_get_desc       KIN_NAMED(world_get_desc)
#define kin_world_get_gravity    KIN_NAMED(world_get_gravity)
#define kin_world_get_stats      KIN_NAMED(world_get_stats)
#define kin_world_get_up         KIN_NAMED(world_get_up)
#define kin_world_hash           KIN_NAMED(world_hash)
#define kin_world_overflowed     KIN_NAMED(world_overflowed)
#define kin_world_set_gravity    KIN_NAMED(world_set_gravity)
#define kin_world_set_up         KIN_NAMED(world_set_up)
#define kin_world_step           KIN_NAMED(world_step)
#define kin_world_steps          KIN_NAMED(world_steps)

/* Old libraries make bool an int, which would change the structs below. */
#if !defined(__cplusplus) && defined(bool)
#pragma push_macro("bool")
#undef bool
#define bool _Bool
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ==== src/api.h =================================================================================================== */
/* api.h: every public type and prototype, and nothing else.

   Descriptors may be all zero; zero means the default in [brackets]. Lengths are in world units, times in seconds,
   angles in radians, speeds in units per second. Every function that takes a handle or numbers from outside refuses
   bad ones (dead handle, wrong kind, NaN, infinity, sizes that are not positive): it logs which call and which value,
   returns false, {0} or NULL, and changes nothing. Never an abort, never a NaN inside. */

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

#if !defined(__cplusplus) && defined(bool)
#pragma pop_macro("bool")
#endif

#ifdef __cplusplus
}

/* The same with references, so that a descriptor can be made in the call. What may be NULL stays a pointer. */
static inline kin_world *kin_world_create(const kin_world_desc &desc) { return kin_world_create(&desc); }
static inline kin_world *kin_world_create_in(void *memory, size_t bytes, const kin_world_desc &desc)
{ return kin_world_create_in(memory, bytes, &desc); }
static inline size_t kin_world_bytes(const kin_world_desc &desc) { return kin_world_bytes(&desc); }
static inline kin_id kin_add_static(kin_world *world, const kin_static_desc &desc)
{ return kin_add_static(world, &desc); }
static inline kin_id kin_add_mover(kin_world *world, const kin_mover_desc &desc) { return kin_add_mover(world, &desc); }
static inline kin_id kin_add_body(kin_world *world, const kin_body_desc &desc) { return kin_add_body(world, &desc); }
#ifndef KINEMATIC_NO_TILES
static inline kin_id kin_add_tiles(kin_world *world, const kin_tiles_desc &desc) { return kin_add_tiles(world, &desc); }
#endif
#ifndef KINEMATIC_NO_MESH
static inline kin_id kin_add_mesh(kin_world *world, const kin_mesh_desc &desc) { return kin_add_mesh(world, &desc); }
#endif
static inline bool kin_set_shape(kin_world *world, kin_id id, const kin_shape &shape)
{ return kin_set_shape(world, id, &shape); }
static inline bool kin_set_body_options(kin_world *world, kin_id body, const kin_body_desc &options)
{ return kin_set_body_options(world, body, &options); }
static inline bool kin_set_mover_options(kin_world *world, kin_id mover, const kin_mover_desc &options)
{ return kin_set_mover_options(world, mover, &options); }
static inline bool kin_set_static_options(kin_world *world, kin_id id, const kin_static_desc &options)
{ return kin_set_static_options(world, id, &options); }
#ifndef KINEMATIC_NO_TILES
static inline bool kin_define_tile(kin_world *world, kin_id tiles, uint8_t value, const kin_tile &tile)
{ return kin_define_tile(world, tiles, value, &tile); }
#endif
static inline bool kin_cast_shape(const kin_world *world, const kin_shape &shape, kin_pose from, kin_vec travel,
                                  const kin_filter *filter, kin_hit *hit)
{ return kin_cast_shape(world, &shape, from, travel, filter, hit); }
static inline int kin_overlap(const kin_world *world, const kin_shape &shape, kin_pose at, const kin_filter *filter,
                              kin_id *out, int capacity)
{ return kin_overlap(world, &shape, at, filter, out, capacity); }
static inline int kin_cast_shape_all(const kin_world *world, const kin_shape &shape, kin_pose from, kin_vec travel,
                                     const kin_filter *filter, kin_hit *out, int capacity)
{ return kin_cast_shape_all(world, &shape, from, travel, filter, out, capacity); }
static inline int kin_overlap_contacts(const kin_world *world, const kin_shape &shape, kin_pose at,
                                       const kin_filter *filter, kin_contact *out, int capacity)
{ return kin_overlap_contacts(world, &shape, at, filter, out, capacity); }
static inline bool kin_closest(const kin_world *world, const kin_shape &shape, kin_pose at, float reach,
                               const kin_filter *filter, kin_contact *out)
{ return kin_closest(world, &shape, at, reach, filter, out); }
static inline bool kin_find_room(const kin_world *world, const kin_shape &shape, kin_pose at, float reach,
                                 const kin_filter *filter, kin_vec *out)
{ return kin_find_room(world, &shape, at, reach, filter, out); }
#ifndef KINEMATIC_NO_DRAW
static inline void kin_debug_draw(const kin_world *world, const kin_draw &draw) { kin_debug_draw(world, &draw); }
static inline void kin_debug_draw_options(const kin_world *world, const kin_draw &draw, const kin_draw_options *options)
{ kin_debug_draw_options(world, &draw, options); }
#endif
#endif

#endif /* KIN_INCLUDED */

#if defined(KINEMATIC_IMPLEMENTATION) && !defined(KIN_IMPLEMENTED)
#define KIN_IMPLEMENTED
#define KINEMATIC_SINGLE_FILE

/* ==== src/config.h: what the implementation asks of compiler and library, and the table of named numbers. ============
   Every C library call goes through a macro that the user may define first; its header is then not included. */

/* The promise of equal bits needs plain IEEE single precision: no reassociation, no excess precision. */
#ifndef KINEMATIC_NO_DETERMINISM
#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__) || \
    defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) || defined(__NO_SIGNED_ZEROS__)
#error "kinematic.h: -ffast-math breaks the promise of equal results; drop it here or define KINEMATIC_NO_DETERMINISM"
#endif
#if defined(__FLT_EVAL_METHOD__) && __FLT_EVAL_METHOD__ != 0
#error "kinematic.h: x87 breaks the promise of equal results; use -msse2 -mfpmath=sse or KINEMATIC_NO_DETERMINISM"
#endif
#endif

#if defined(KINEMATIC_MALLOC) ? !defined(KINEMATIC_FREE) : defined(KINEMATIC_FREE)
#error "kinematic.h: define both KINEMATIC_MALLOC and KINEMATIC_FREE, or neither"
#endif
#if defined(KINEMATIC_MEMCPY) ? !defined(KINEMATIC_MEMSET) : defined(KINEMATIC_MEMSET)
#error "kinematic.h: define both KINEMATIC_MEMCPY and KINEMATIC_MEMSET, or neither"
#endif

#ifdef KINEMATIC_NO_STDLIB
#ifndef KINEMATIC_NO_STDIO
#define KINEMATIC_NO_STDIO
#endif
#ifndef KINEMATIC_MALLOC
#define KINEMATIC_MALLOC(bytes) ((void *)((void)(bytes), (char *)0))
#define KINEMATIC_FREE(memory) ((void)(memory))
#endif
#else
#ifndef KINEMATIC_SQRT
#include <math.h>
#endif
#ifndef KINEMATIC_MALLOC
#include <stdlib.h>
#define KINEMATIC_MALLOC(bytes) malloc(bytes)
#define KINEMATIC_FREE(memory) free(memory)
#endif
#endif

#ifndef KINEMATIC_NO_STDIO
#include <stdio.h>
#endif

/* A count that several threads change, and the last of them has seen what the others did. */
#if defined(__GNUC__) && !defined(__TINYC__)
#define KINI_COUNT_BY(at, amount) __atomic_add_fetch(at, amount, __ATOMIC_ACQ_REL)
#else
#define KINI_COUNT_BY(at, amount) (*(at) += (amount))
#endif

/* For tests: a true expression forgets every cache before every step. The bits are the same with and without. */
#ifndef KINI_FORGET
#define KINI_FORGET false
#endif

/* Copying and clearing: the C library's, or plain loops. */
#if !defined(KINEMATIC_NO_STDLIB) && !defined(KINEMATIC_MEMCPY)
#include <string.h>
#define KINEMATIC_MEMCPY(to, from, bytes) memcpy(to, from, bytes)
#define KINEMATIC_MEMSET(memory, value, bytes) memset(memory, value, bytes)
#endif

#ifndef KINEMATIC_ASSERT
#ifdef KINEMATIC_NO_STDLIB
#define KINEMATIC_ASSERT(condition) ((void)0)
#else
#include <assert.h>
#define KINEMATIC_ASSERT(condition) assert(condition)
#endif
#endif

/* Contraction (a * b + c in one rounding) is off inside the implementation, whatever the user's flags; end.h
   gives the user's own setting back. System headers come before this, so that it does not reach into them. */
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#if defined(__FMA__) || defined(__FMA4__)   /* -ffp-contract=fast does not listen to the line above */
#pragma clang attribute push(__attribute__((target("no-fma,no-fma4"))), apply_to = function)
#elif defined(__wasm_simd128__)   /* its vectoriser takes minima of zeros as any zero */
#pragma clang attribute push(__attribute__((target("no-simd128"))), apply_to = function)
#endif
#elif defined(__GNUC__)
#pragma GCC push_options
#pragma GCC optimize("fp-contract=off")
#ifdef __FP_FAST_FMAF   /* where there is an instruction, gcc's vectoriser fuses all the same */
#pragma GCC optimize("no-tree-vectorize")
#endif
#elif defined(_MSC_VER)
#pragma fp_contract(off)
#pragma warning(push)
#pragma warning(disable : 4505 4324)
#endif

/* Parts see each other's functions: static in the one header, extern when each part is compiled alone. */
#ifndef KINI_PART
#if defined(KINEMATIC_SINGLE_FILE) && defined(__GNUC__) && (defined(KINEMATIC_NO_SNAPSHOT) || \
    defined(KINEMATIC_NO_DRAW) || defined(KINEMATIC_NO_MESH) || defined(KINEMATIC_NO_TILES))
#define KINI_PART static __attribute__((unused))
#elif defined(KINEMATIC_SINGLE_FILE)
#define KINI_PART static
#else
#define KINI_PART extern
#endif
#endif

#define KINI_DIM KINEMATIC_DIM

/* ---- named numbers ----------------------------------------------------------------------------------------------- */
/* Lengths, times the world's `unit`. */
static const float KINI_SKIN = 0.002f;           /* gap that a sweep leaves to what it met */
static const float KINI_SLOP = 0.005f;           /* overlap that is not an error; also the widest resting gap */
static const float KINI_TOUCH = 0.01f;           /* nearer than this is a contact */
static const float KINI_CRUSH = 0.01f;           /* missing room that opens a crush */
static const float KINI_DEEP_PAIR = 0.05f;       /* bodies deeper in each other than this are taken apart, not pushed */
static const float KINI_OVERLAP = 1e-4f;         /* deeper is an overlap that is taken apart */
static const float KINI_NO_MOTION = 1e-6f, KINI_CARRIED = 1e-7f;   /* displacements that are rounding error */
static const float KINI_LEAST_MOTION = 1e-5f;    /* displacement in a step that decides on which side a body was */
static const float KINI_SAME_HEIGHT = 1e-5f;     /* surfaces of one thing nearer than this along up are level */
static const float KINI_SAME_PLACE2 = 1e-6f;     /* squared: things nearer than this to the middle are equally near */
static const float KINI_UNDER_EDGE = 1e-5f;      /* deeper than this in a neighbour, an edge cannot be touched */
static const float KINI_PAST_GAP = 1e-4f;        /* length of a ray beyond the surface that it is to hit, in any unit */
static const float KINI_LOOK_AHEAD = 0.5f, KINI_LOOK_AGAIN = 0.125f;   /* way that a velocity is followed; part of it */
static const float KINI_GRAZE = 1e-6f;           /* a ray that passes this near has hit */
static const float KINI_KEEP = 0.5f, KINI_KEPT_LENGTH = 6.0f;   /* margin, greatest length of a box of kept things */
static const float KINI_MEASURE_AGAIN = 0.25f;   /* way after which open space is looked for again */
static const float KINI_CLEAR = 0.5f;            /* way after which idle bodies near a body are looked for again */
static const float KINI_FAT = 0.1f;              /* margin of the broad phase's box around a thing that moves */
static const float KINI_DEFAULT_SNAP = 0.1f;
static const float KINI_FAR_ULPS = 8.0f;         /* lengths above grow by so many ulp of the largest coordinate */

/* Lengths in skins. */
static const float KINI_OVER_RISER = 0.25f;      /* that a step up goes at least beyond the riser, */
static const float KINI_OVER_EDGE = 1.5f;        /* ... or beyond the edge, so that a round foot leaves the floor */
static const float KINI_SHORTFALL = 0.05f;       /* by which a push or a limit may fall short and still be met */
static const float KINI_PRESSING = 0.01f;        /* by which a surface has to come on, to press on a rider */
static const float KINI_LEAST_LIFT = 0.1f, KINI_HELD_OFF = 0.9f;   /* least lift off a surface; gap after it */
static const float KINI_PRESSED_GAP = 1.5f;      /* gap that a body leaves to what it presses on, at most */
static const float KINI_COVERED = 0.25f;         /* deeper than this in a neighbour, a surface is hidden by it */

/* Speeds, times `unit`, per second. */
static const float KINI_SLOW = 1e-3f;            /* does not count as motion into or off a surface */
static const float KINI_LEAST_JUMP = 1e-5f;      /* off stable ground: slower is rounding error and no jump */
static const float KINI_LEAST_BOUNCE = 0.5f;     /* slower approaches do not bounce: a body comes to rest */
static const float KINI_SAME_RATE = 0.01f;       /* one-ways whose speeds differ by less are fallen through together */

/* Angles between two directions, as the dot product of both; numbers that end in 2 are squared sines. */
static const float KINI_OPPOSED = -0.9f;         /* 154 degrees: directions that squeeze */
static const float KINI_SAME_SIDE = 0.9f;        /* 26 degrees: normals of what counts as one surface or one push */
static const float KINI_MOSTLY = 0.7f;           /* 46 degrees: mostly along the other direction */
static const float KINI_LEVEL_COS = 0.3f;       /* 73 degrees from up: bodies that part sideways */
static const float KINI_HARDLY = 0.1f;           /* 84 degrees: hardly along the other direction */
static const float KINI_GRAZING = 0.05f;         /* 87 degrees: a motion that does not go into the surface */
static const float KINI_SIDEWAYS = 0.01f;        /* 89.4 degrees: across the other direction */
static const float KINI_SAME_FACING = 0.95f;     /* 18 degrees: a normal on an edge that still counts as the face's */
static const float KINI_SAME_EDGE = 0.99f;       /* 8 degrees: normals of one edge, before and after a step */
static const float KINI_SAME_NORMAL = 0.999f;    /* 2.6 degrees: normals of one face */
static const float KINI_ANSWERED = 0.99999f;     /* 0.26 degrees: a direction whose answer is known */
static const float KINI_SAME_FACE = 0.999999f;   /* 0.08 degrees: a normal is that face's and not an edge's */
static const float KINI_ONE_LINE2 = 1e-6f;       /* 0.06 degrees: no plane lies between the two */
static const float KINI_WALL_COS = 0.0871f;      /* 85 degrees from up: steeper ground is a wall */
static const float KINI_CEILING_COS = 0.7071f;   /* 45 degrees: what faces down more than this is a ceiling */
static const float KINI_SLOPE_SLACK = 0.002f;    /* radians that ground may exceed max_slope by: rounded normals */
static const float KINI_GOLDEN_ANGLE = 2.3999632f;   /* radians: turned on by this, no two places of many coincide */
#define KINI_PI 3.14159265358979f

/* Parts of a motion, a length or a size that decide nothing: rounding error, or what turns and edges leave. */
static const float KINI_NEGLIGIBLE = 1e-3f;      /* of a motion or of a direction of length one */
static const float KINI_FAINT = 1e-4f;           /* the same where more depends on it */
static const float KINI_ROUNDED_AWAY2 = 1e-10f;  /* squared: left of a velocity whose given part is taken from it */
static const float KINI_CANCELLED2 = 1e-12f;     /* squared: left of a vector of which all but rounding is taken */
static const float KINI_RATE_ERROR = 0.01f;      /* of a carrier's velocity, where it turns or has edges */
static const float KINI_CLIP_ERROR = 3e-7f;      /* of a motion, by which it may break a plane that limits it */
static const float KINI_APPROACH_ERROR = 2e-6f;  /* of two motions: slower approaches are none */
static const float KINI_SAME_MOMENT = 1e-5f;     /* of a travel: of surfaces that are met in it none is first */
static const float KINI_SAME_HIT = 1e-6f;        /* of a cast, within which hits are compared by their normals */
static const float KINI_WEIGHT_ERROR = 1e-6f;    /* of max_push, by which added weights may exceed it */
static const float KINI_PLANE_SLACK = 1.0001f;   /* times its reach: a box that is further from a plane misses it */
static const float KINI_SAME_LENGTH = 1e-6f;     /* from 1: the squared length of a rotation that is taken as it is; */
static const float KINI_NO_LENGTH = 1e-3f, KINI_SAVED_LENGTH = 1e-2f;   /* ... that is none; that is none after steps */
static const float KINI_TINY_TURN = 1e-6f;       /* squared radians: the series of sine and cosine needs two terms */
static const float KINI_CLEARLY = 0.3f;          /* of the rounding error: a point beyond no plane by more is found */

/* Parts of a whole. */
static const float KINI_NEARLY_ALL = 0.999f;     /* of a squared motion: more was lost than rounding takes */
static const float KINI_STEP_PART = 0.9f;        /* of the way that a step up has to come forwards */
static const float KINI_SINKING = 1.1f;          /* times the fall from rest in one step: further is a motion */
static const float KINI_BURIED = 0.25f;          /* of the body's width: so deep in many pieces it has no way out */
static const float KINI_CELLS_AROUND = 1.6f;     /* cells from its middle that a changed cell can be noticed */
static const float KINI_LONGER_PUSH = 1.5f;      /* most by which ground that turns a push aside lengthens it */
static const float KINI_WEDGE_GAIN = 4.0f;       /* most by which a wedge multiplies the motion that drives it */
static const float KINI_HEAP_ROOM = 2.5f;        /* half body sizes between the bodies of a heap that is scattered */
static const float KINI_LONG_SWEEP = 32.0f, KINI_LONG_ACROSS = 4.0f;   /* body sizes that a sweep looks ahead; across */
static const float KINI_MOST_PARTS = 256.0f;     /* of one sweep; what is so fast looks further ahead at once */

/* Geometry: parts of an extent unless it says otherwise, what ends in 2 squared; sines and cosines of angles. */
#define KINI_LARGEST_SHAPE 1e7f                  /* length: furthest coordinate and widest extent of a shape */
static const float  KINI_SMALLEST_SHAPE = 1e-6f; /* length: least width */
static const float  KINI_NOWHERE = 1e-30f;       /* length: a direction shorter than this means nothing */
static const float  KINI_BLUR = 1e-6f;           /* by which two results for one point may differ, of its coordinates */
static const float  KINI_ROUNDED_OFF = 1e-6f;    /* of a coordinate, lost on the way through an obstacle's middle */
static const float  KINI_TREE_SLACK = 1.000001f; /* times a box's way: rounding hides none, nor equal hits */
static const float  KINI_FLAT = 1e-6f;           /* a core less wide has no inside */
static const float  KINI_STRAIGHT = 1e-7f;       /* that a quarter turn may lean aside: an ulp */
static const float  KINI_FLUSH = 1e-4f;          /* corners nearer to a plane lie in that face */
static const float  KINI_COLLINEAR = 1e-6f;      /* 2D hulls: a corner nearer to the line of its neighbours is none */
static const double KINI_HULL_MERGE = 2e-6;      /* 3D hulls: a point nearer to the hull of the others is no corner */
static const double KINI_HULL_FLAT = 0.99999;    /* ... cosine of the steepest edge that may pass as none */
static const double KINI_HULL_SIGHT = 1e-12;     /* ... a corner this far above a triangle sees it */
static const double KINI_SLIVER = 1e-24;         /* sine2: three points at a smaller angle are a line */
static const double KINI_SEARCH_END = 1e-10;     /* of a squared distance, left by the search for the closest point */
static const float  KINI_ALONG = 5e-7f;          /* sine: a smaller angle is none */
static const float  KINI_BRUSH = 1e-6f;          /* sine2 of the angle at which a ray only brushes a rounding */
static const float  KINI_LINE2 = 1e-11f;         /* of its longest side: a triangle less high is a line */
static const float  KINI_PARALLEL2 = 1e-12f;     /* sine2: directions that count as one */
static const float  KINI_SHARP2 = 1e-2f;         /* sine2: directions whose cross product is poor */
static const float  KINI_BLUNT2 = 0.03f;         /* sine2: planes whose edge is searched for */
static const float  KINI_SAME_WAY = 0.9999f;     /* cosine: ways out that count as one */
static const float  KINI_THIN = 0.02f;           /* a core flatter than this needs axes in its plane */
static const float  KINI_CLOSE = 1e-3f;          /* this near, the core's faces are tested too */
static const float  KINI_FACE_THIN2 = 1e-12f, KINI_FACE_POOR2 = 4e-11f;   /* faces less wide: dropped; poor normal */
static const float  KINI_ON_LINE = 1e-5f;        /* of a side of a face: a point nearer to it lies on it */
static const float  KINI_TIE = 1e-3f;            /* sine: a normal across an edge by less belongs to the edge */
static const float  KINI_FLAT_FOLD = 0.0015f;    /* sine: a fold by less is flat; KINI_SAME_FACE twice */
static const float  KINI_SAME_CORNER = 1e-4f;    /* of a cell: corners of neighbours nearer to each other are one */
static const float  KINI_ON_SIDE = 1e-5f;        /* of a cell: a corner nearer to a side is on it */
static const float  KINI_TURN_INTERVAL = 0.1f;   /* radians that a mover may turn in one interval of a sweep */

/* Counts, which bound work and memory. */
enum { KINI_MAX_GROUNDS = 4, KINI_MAX_TOUCHED = 32 };   /* surfaces under a body at rest; that touch it, compared */
enum { KINI_MAX_PLANES = 8, KINI_MAX_SLIDES = 12 };     /* surfaces that one sweep holds; its changes of direction */
enum { KINI_MAX_NEAR = 96 };                     /* convex pieces near one body that are worked on at once */
enum { KINI_HEAP = 24, KINI_HEAP_LAYER = 64 };   /* bodies on one point that are a heap; on one level of it, in 3D */
enum { KINI_REST_EVERY = 8 };                    /* steps between two searches for bodies at rest */
#ifndef KINI_BATCH
#define KINI_BATCH 32                            /* bodies that a worker takes at once, at least */
#endif
enum { KINI_MEETINGS = 4, KINI_MORE_MEETINGS = 32 };   /* pairs of bodies that one step records: per body, and more */
enum { KINI_MOST_TESTS = 24 };                   /* of one body against its neighbours in stage 6 */
enum { KINI_BURIED_BATCHES = 64, KINI_MAX_WITHIN = 512 };   /* batches searched for pieces that bury; nested searches */

/* Limits of what is taken from outside, so that squares and products of accepted numbers stay finite. */
#define KINI_FURTHEST 1e9f         /* coordinates and lengths */
#define KINI_FASTEST 1e12f         /* speeds and accelerations */
#define KINI_LONGEST_STEP 10.0f    /* seconds */
static const float  KINI_SHORTEST_STEP = 1e-7f;
static const double KINI_LONGEST_TIME = 1e9;   /* seconds that pass in one call of kin_world_advance */
static const double KINI_STEP_ERROR = 1e-9;    /* steps that may be missing to a whole one: rounding of the time left */
enum { KINI_MANY_DROPS = 3 };      /* calls in a row that drop time may be hitches */
enum { KINI_MOST_EVENTS = 1 << 24, KINI_MOST_THINGS = 1 << 28, KINI_MOST_WORKERS = 256 };
enum { KINI_MOST_GIVEN = 1024 };   /* users of former handles, and former users, that a world remembers */

/* ---- own elementary functions (math.c): the same bits everywhere, accurate to 1e-6 ------------------------- */
/* The magnitude; never -0, so that all compilers agree. */
#if defined(__GNUC__) && !defined(__TINYC__)
static inline float kini_abs(float a) { return __builtin_fabsf(a); }
#else
static inline float kini_abs(float a) { return a < 0 ? -a : a + 0.0f; }
#endif
KINI_PART float kini_sqrt(float a);
KINI_PART float kini_arc_tangent(float y, float x);   /* angle of (x, y), -pi..pi */

/* ==== src/vec2.h ================================================================================================== */
#if KINI_DIM == 2
/* vec2.h: the plane behind the names of vec.h. vec3.h has the same names for space; nothing above these two
   files knows how many numbers a vector has. */

static inline kin_vec kini_vec_zero(void) { kin_vec r; r.x = 0; r.y = 0; return r; }
static inline kin_vec kini_all(float s) { kin_vec r; r.x = s; r.y = s; return r; }
static inline kin_vec kini_add(kin_vec a, kin_vec b) { a.x += b.x; a.y += b.y; return a; }
static inline kin_vec kini_sub(kin_vec a, kin_vec b) { a.x -= b.x; a.y -= b.y; return a; }
static inline kin_vec kini_scale(kin_vec a, float s) { a.x *= s; a.y *= s; return a; }
static inline kin_vec kini_madd(kin_vec a, kin_vec b, float s) { a.x += b.x * s; a.y += b.y * s; return a; }
static inline float   kini_dot(kin_vec a, kin_vec b) { return a.x * b.x + a.y * b.y; }
static inline float   kini_at(kin_vec a, int axis) { return axis == 0 ? a.x : a.y; }
static inline kin_vec kini_with(kin_vec a, int axis, float s) { if (axis == 0) a.x = s; else a.y = s; return a; }
static inline kin_vec kini_lower(kin_vec a, kin_vec b) {
    a.x = a.x < b.x ? a.x : b.x; a.y = a.y < b.y ? a.y : b.y; return a;
}
static inline kin_vec kini_upper(kin_vec a, kin_vec b) {
    a.x = a.x > b.x ? a.x : b.x; a.y = a.y > b.y ? a.y : b.y; return a;
}
static inline kin_vec kini_magnitudes(kin_vec a) { a.x = kini_abs(a.x); a.y = kini_abs(a.y); return a; }
static inline float   kini_largest(kin_vec a) { return a.x > a.y ? a.x : a.y; }
static inline float   kini_smallest(kin_vec a) { return a.x < a.y ? a.x : a.y; }
static inline bool    kini_is_zero(kin_vec a) { return !(kini_abs(a.x) + kini_abs(a.y) > 0); }
static inline bool    kini_boxes_meet(kin_vec alo, kin_vec ahi, kin_vec blo, kin_vec bhi) {
    return alo.x <= bhi.x && blo.x <= ahi.x && alo.y <= bhi.y && blo.y <= ahi.y;
}

/* Only in the plane: the left-hand perpendicular, and the area spanned by two vectors. */
static inline kin_vec kini_perp(kin_vec a) { kin_vec r; r.x = -a.y; r.y = a.x; return r; }
static inline float   kini_area(kin_vec a, kin_vec b) { return a.x * b.y - a.y * b.x; }

/* ---- faces of a mesh: segments, and cells of a grid ---------------------------------------------------------- */
/* Of any length. */
static inline kin_vec kini_face_normal(const kin_vec *p) { return kini_perp(kini_sub(p[1], p[0])); }
/* Out of the face across side i, as long as that; in the plane from one end to the other. */
static inline kin_vec kini_over_side(const kin_vec *p, kin_vec n, int i) { (void)n; return kini_sub(p[i], p[1 - i]); }
static inline float   kini_face_width2(const kin_vec *p) { kin_vec a = kini_sub(p[1], p[0]); return kini_dot(a, a); }
static inline int     kini_cell_at(kin_cell c, int axis) { return axis == 0 ? c.x : c.y; }
static inline kin_vec kini_cell_vec(kin_cell c) { kin_vec r; r.x = (float)c.x; r.y = (float)c.y; return r; }
static inline kin_cell kini_cell_with(kin_cell c, int axis, int n) { if (axis == 0) c.x = n; else c.y = n; return c; }

/* ---- rotations: a unit complex number ------------------------------------------------------------------------ */
static inline kin_rot kini_unturned(void) { kin_rot q; q.c = 1; q.s = 0; return q; }
static inline float   kini_rot_len2(kin_rot q) { return q.c * q.c + q.s * q.s; }
static inline kin_rot kini_rot_scale(kin_rot q, float s) { q.c *= s; q.s *= s; return q; }
static inline bool    kini_is_unturned(kin_rot q) { return !(q.c < 1) && !(kini_abs(q.s) > 0); }
static inline bool    kini_same_rot(kin_rot a, kin_rot b) {
    return !(a.c < b.c || a.c > b.c || a.s < b.s || a.s > b.s);
}
static inline kin_vec kini_rotate(kin_rot q, kin_vec v) {
    kin_vec r; r.x = q.c * v.x - q.s * v.y; r.y = q.s * v.x + q.c * v.y; return r;
}
static inline kin_vec kini_unrotate(kin_rot q, kin_vec v) {
    kin_vec r; r.x = q.c * v.x + q.s * v.y; r.y = q.c * v.y - q.s * v.x; return r;
}
static inline kin_rot kini_inverse(kin_rot q) { q.s = -q.s; return q; }
static inline kin_rot kini_compose(kin_rot a, kin_rot b) {
    kin_rot q; q.c = a.c * b.c - a.s * b.s; q.s = a.s * b.c + a.c * b.s; return q;
}
static inline kin_rot kini_rot_mix(kin_rot a, kin_rot b, float t) {
    kin_rot q; q.c = a.c + (b.c - a.c) * t; q.s = a.s + (b.s - a.s) * t; return q;
}

/* Half size of the box around a turned box. */
static inline kin_vec kini_turned_half(kin_rot q, kin_vec h) {
    float c = q.c < 0 ? -q.c : q.c, s = q.s < 0 ? -q.s : q.s;
    kin_vec r; r.x = c * h.x + s * h.y; r.y = s * h.x + c * h.y; return r;
}

/* ---- spin -------------------------------------------------------------------------------------------------------- */
static inline kin_spin kini_spin_zero(void) { return 0; }
static inline kin_spin kini_spin_scale(kin_spin w, float s) { return w * s; }
static inline bool     kini_spins(kin_spin w) { return w < 0 || w > 0; }
static inline float    kini_spin_size(kin_spin w) { return w < 0 ? -w : w; }
/* The turn from one rotation to another, as the spin that does it in one second. */
static inline kin_spin kini_spin_between(kin_rot from, kin_rot to) {
    kin_rot q = kini_compose(to, kini_inverse(from));
    return kini_arc_tangent(q.s, q.c);
}
static inline kin_vec  kini_spin_velocity(kin_spin w, kin_vec arm) {
    kin_vec r; r.x = -w * arm.y; r.y = w * arm.x; return r;
}

/* In the plane a rider never turns with its ground. */
static inline kin_rot  kini_turn_about(kin_rot q, kin_vec up) { (void)q; (void)up; return kini_unturned(); }
#endif

/* ==== src/vec3.h ================================================================================================== */
#if KINI_DIM == 3
/* vec3.h: space behind the names of vec.h; see vec2.h. */

static inline kin_vec kini_vec_zero(void) { kin_vec r; r.x = 0; r.y = 0; r.z = 0; return r; }
static inline kin_vec kini_all(float s) { kin_vec r; r.x = s; r.y = s; r.z = s; return r; }
static inline kin_vec kini_add(kin_vec a, kin_vec b) { a.x += b.x; a.y += b.y; a.z += b.z; return a; }
static inline kin_vec kini_sub(kin_vec a, kin_vec b) { a.x -= b.x; a.y -= b.y; a.z -= b.z; return a; }
static inline kin_vec kini_scale(kin_vec a, float s) { a.x *= s; a.y *= s; a.z *= s; return a; }
static inline kin_vec kini_madd(kin_vec a, kin_vec b, float s) {
    a.x += b.x * s; a.y += b.y * s; a.z += b.z * s; return a;
}
static inline float   kini_dot(kin_vec a, kin_vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline float   kini_at(kin_vec a, int axis) { return axis == 0 ? a.x : axis == 1 ? a.y : a.z; }
static inline kin_vec kini_with(kin_vec a, int axis, float s) {
    if (axis == 0) a.x = s; else if (axis == 1) a.y = s; else a.z = s; return a;
}
static inline kin_vec kini_lower(kin_vec a, kin_vec b) {
    a.x = a.x < b.x ? a.x : b.x; a.y = a.y < b.y ? a.y : b.y; a.z = a.z < b.z ? a.z : b.z; return a;
}
static inline kin_vec kini_upper(kin_vec a, kin_vec b) {
    a.x = a.x > b.x ? a.x : b.x; a.y = a.y > b.y ? a.y : b.y; a.z = a.z > b.z ? a.z : b.z; return a;
}
static inline kin_vec kini_magnitudes(kin_vec a) {
    a.x = kini_abs(a.x); a.y = kini_abs(a.y); a.z = kini_abs(a.z); return a;
}
static inline float   kini_largest(kin_vec a) { float m = a.x > a.y ? a.x : a.y; return m > a.z ? m : a.z; }
static inline float   kini_smallest(kin_vec a) { float m = a.x < a.y ? a.x : a.y; return m < a.z ? m : a.z; }
static inline bool    kini_is_zero(kin_vec a) { return !(kini_abs(a.x) + kini_abs(a.y) + kini_abs(a.z) > 0); }
static inline bool    kini_boxes_meet(kin_vec alo, kin_vec ahi, kin_vec blo, kin_vec bhi) {
    return alo.x <= bhi.x && blo.x <= ahi.x && alo.y <= bhi.y && blo.y <= ahi.y && alo.z <= bhi.z && blo.z <= ahi.z;
}

/* Only in space: the cross product, and some direction across another, with the axis that is least along it. */
static inline kin_vec kini_cross(kin_vec a, kin_vec b) {
    kin_vec r; r.x = a.y * b.z - a.z * b.y; r.y = a.z * b.x - a.x * b.z; r.z = a.x * b.y - a.y * b.x; return r;
}
static inline kin_vec kini_some_across(kin_vec a) {
    kin_vec m = kini_magnitudes(a);
    return kini_cross(a, kini_with(kini_vec_zero(), m.y <= m.x && m.y <= m.z ? 1 : m.x <= m.z ? 0 : 2, 1));
}

/* ---- faces of a mesh: triangles, and cells of a grid ---------------------------------------------------------- */
/* Of any length. */
static inline kin_vec kini_face_normal(const kin_vec *p) {
    return kini_cross(kini_sub(p[1], p[0]), kini_sub(p[2], p[0]));
}
static inline kin_vec kini_over_side(const kin_vec *p, kin_vec normal, int i) {
    return kini_cross(kini_sub(p[i == 2 ? 0 : i + 1], p[i]), normal);
}
static inline float   kini_face_width2(const kin_vec *p)   /* squared height over the longest edge */
{
    kin_vec a = kini_sub(p[1], p[0]), b = kini_sub(p[2], p[1]), c = kini_sub(p[0], p[2]), n = kini_face_normal(p);
    float   most = kini_dot(a, a);
    if (kini_dot(b, b) > most) most = kini_dot(b, b);
    if (kini_dot(c, c) > most) most = kini_dot(c, c);
    return most > 0 ? kini_dot(n, n) / most : 0;
}
static inline int     kini_cell_at(kin_cell c, int axis) { return axis == 0 ? c.x : axis == 1 ? c.y : c.z; }
static inline kin_vec kini_cell_vec(kin_cell c) {
    kin_vec r; r.x = (float)c.x; r.y = (float)c.y; r.z = (float)c.z; return r;
}
static inline kin_cell kini_cell_with(kin_cell c, int axis, int n) {
    if (axis == 0) c.x = n; else if (axis == 1) c.y = n; else c.z = n; return c;
}

/* ---- rotations: a unit quaternion ---------------------------------------------------------------------------- */
static inline kin_rot kini_unturned(void) { kin_rot q; q.x = 0; q.y = 0; q.z = 0; q.w = 1; return q; }
static inline float   kini_rot_len2(kin_rot q) { return q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w; }
static inline kin_rot kini_rot_scale(kin_rot q, float s) { q.x *= s; q.y *= s; q.z *= s; q.w *= s; return q; }
static inline bool    kini_is_unturned(kin_rot q) {
    return !(q.w < 1) && !(kini_abs(q.x) + kini_abs(q.y) + kini_abs(q.z) > 0);
}
static inline bool    kini_same_rot(kin_rot a, kin_rot b) {
    return !(a.x < b.x || a.x > b.x || a.y < b.y || a.y > b.y || a.z < b.z || a.z > b.z || a.w < b.w || a.w > b.w);
}
static inline kin_vec kini_rotate(kin_rot q, kin_vec v) {
    kin_vec u, t; u.x = q.x; u.y = q.y; u.z = q.z;
    t = kini_scale(kini_cross(u, v), 2);
    return kini_add(kini_madd(v, t, q.w), kini_cross(u, t));
}
static inline kin_rot kini_inverse(kin_rot q) { q.x = -q.x; q.y = -q.y; q.z = -q.z; return q; }
static inline kin_vec kini_unrotate(kin_rot q, kin_vec v) { return kini_rotate(kini_inverse(q), v); }
static inline kin_rot kini_compose(kin_rot a, kin_rot b) {
    kin_rot q;
    q.x = a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y;
    q.y = a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x;
    q.z = a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w;
    q.w = a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z;
    return q;
}
static inline kin_rot kini_rot_mix(kin_rot a, kin_rot b, float t) {
    kin_rot q;
    float   s = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w < 0 ? -t : t;   /* the shorter way round */
    q.x = a.x * (1 - t) + b.x * s; q.y = a.y * (1 - t) + b.y * s;
    q.z = a.z * (1 - t) + b.z * s; q.w = a.w * (1 - t) + b.w * s;
    return q;
}

/* Half size of the box around a turned box. */
static inline kin_vec kini_turned_half(kin_rot q, kin_vec h) {
    kin_vec x = kini_vec_zero(), y = x, z = x;
    x.x = h.x; y.y = h.y; z.z = h.z;
    y = kini_add(kini_magnitudes(kini_rotate(q, y)), kini_magnitudes(kini_rotate(q, z)));
    return kini_add(kini_magnitudes(kini_rotate(q, x)), y);
}

/* ---- spin -------------------------------------------------------------------------------------------------------- */
static inline kin_spin kini_spin_zero(void) { return kini_vec_zero(); }
static inline kin_spin kini_spin_scale(kin_spin w, float s) { return kini_scale(w, s); }
static inline bool     kini_spins(kin_spin w) { return kini_dot(w, w) > 0; }
static inline float    kini_spin_size(kin_spin w) { return kini_sqrt(kini_dot(w, w)); }
/* The turn from one rotation to another, as the spin that does it in one second. */
static inline kin_spin kini_spin_between(kin_rot from, kin_rot to) {
    kin_rot q = kini_compose(to, kini_inverse(from));
    kin_vec axis;
    float   sine;
    if (q.w < 0) q = kini_rot_scale(q, -1);   /* the shorter way round */
    axis.x = q.x; axis.y = q.y; axis.z = q.z;
    sine = kini_sqrt(kini_dot(axis, axis));
    if (!(sine > 0)) return kini_vec_zero();
    return kini_scale(axis, 2 * kini_arc_tangent(sine, q.w) / sine);
}
static inline kin_vec  kini_spin_velocity(kin_spin w, kin_vec arm) { return kini_cross(w, arm); }

/* The part of a rotation that turns about `up` (not of length one): how a rider's facing turns with its ground. */
static inline kin_rot kini_turn_about(kin_rot q, kin_vec up) {
    float d = q.x * up.x + q.y * up.y + q.z * up.z;
    q.x = up.x * d; q.y = up.y * d; q.z = up.z * d;
    return q;
}
#endif

/* ==== src/vec.h: arithmetic that reads the same in the plane and in space ========================================= */
#define KINI_FLT_MAX 3.402823466e38f

static inline float kini_lesser(float a, float b) { return a < b ? a : b; }
static inline float kini_greater(float a, float b) { return a > b ? a : b; }
static inline float kini_clamp(float a, float lo, float hi) { return a < lo ? lo : a > hi ? hi : a; }
static inline bool  kini_finite(float a) { return a >= -KINI_FLT_MAX && a <= KINI_FLT_MAX; }
static inline bool  kini_equal(float a, float b) { return !(a < b) && !(a > b); }   /* also true if one is NaN */

static inline kin_vec kini_neg(kin_vec a) { return kini_sub(kini_vec_zero(), a); }
static inline float   kini_len2(kin_vec a) { return kini_dot(a, a); }
static inline float   kini_len(kin_vec a) { return kini_sqrt(kini_dot(a, a)); }
static inline bool    kini_vec_finite(kin_vec a) {
    kin_vec m = kini_magnitudes(a);
    return kini_boxes_meet(m, m, kini_vec_zero(), kini_all(KINI_FLT_MAX));
}
static inline kin_vec kini_mix(kin_vec a, kin_vec b, float t) { return kini_madd(a, kini_sub(b, a), t); }
static inline bool    kini_box_holds(kin_vec lo, kin_vec hi, kin_vec inner_lo, kin_vec inner_hi) {
    return kini_boxes_meet(lo, hi, inner_hi, inner_lo);   /* lo <= inner_lo and inner_hi <= hi */
}

/* Direction of a; zero if a has none. */
static inline kin_vec kini_unit(kin_vec a) {
    float big = kini_largest(kini_magnitudes(a)), n;
    if (!(big > 0)) return kini_vec_zero();
    if (big < 1e-30f) { a = kini_scale(a, 1e30f); big *= 1e30f; }   /* one over it would overflow */
    a = kini_scale(a, 1 / big);
    n = kini_len(a);
    return kini_scale(a, 1 / n);
}

/* A direction or rotation from a getter is taken bit for bit. */
static inline bool    kini_is_unit(float length2) { return kini_abs(length2 - 1) < KINI_SAME_LENGTH; }
static inline kin_vec kini_direction(kin_vec given) {
    return kini_is_unit(kini_len2(given)) ? given : kini_unit(given);
}

/* a without its part along the unit vector n. */
static inline kin_vec kini_across(kin_vec a, kin_vec n) { return kini_madd(a, n, -kini_dot(a, n)); }

static inline float kini_distance_to_segment(kin_vec p, kin_vec a, kin_vec b) {
    kin_vec side = kini_sub(b, a), arm = kini_sub(p, a);
    float   size = kini_len2(side);
    if (!(size > 0)) return kini_len(arm);
    return kini_len(kini_madd(arm, side, -kini_clamp(kini_dot(arm, side) / size, 0, 1)));
}

/* A velocity without its part along up; zero if only rounding is left. */
static inline kin_vec kini_flat(kin_vec v, kin_vec up) {
    kin_vec flat = kini_across(v, up);
    float   taken = kini_dot(v, up);
    return kini_dot(flat, flat) <= KINI_CANCELLED2 * taken * taken ? kini_vec_zero() : flat;
}

/* An all-zero rotation means "not turned"; others come out with length one. */
static inline kin_rot kini_rot_unit(kin_rot q) {
    float n = kini_rot_len2(q);
    if (!(n > 0)) return kini_unturned();
    if (n > 0.9999999f && n < 1.0000001f) return q;
    return kini_rot_scale(q, 1 / kini_sqrt(n));
}

static inline kin_vec  kini_to_world(kin_pose at, kin_vec local) { return kini_add(at.p, kini_rotate(at.q, local)); }
static inline kin_vec  kini_to_local(kin_pose at, kin_vec world) { return kini_unrotate(at.q, kini_sub(world, at.p)); }
static inline kin_pose kini_pose(kin_vec p, kin_rot q) { kin_pose r; r.p = p; r.q = q; return r; }
static inline kin_pose kini_pose_on(kin_pose carrier, kin_pose local) {
    return kini_pose(kini_to_world(carrier, local.p), kini_rot_unit(kini_compose(carrier.q, local.q)));
}

/* Distance from one float of this size to the next: 2^-23 of its magnitude, rounded up. */
static inline float kini_ulp(float size) { return size * 1.1920929e-7f; }

/* ==== src/data.h: the structures of a world. All state is plain data in arrays addressed by index; only kin_world
   itself holds pointers to those arrays. */

/* Where four numbers can be worked on at once, whatever else was asked for. The bits are the same without it. */
#if defined(__GNUC__) && !defined(__TINYC__)
#if defined(__SSE2__) || (defined(__aarch64__) && defined(__ARM_NEON))
#define KINI_QUADS
#endif
#endif

KINI_PART void kini_clear(void *memory, size_t bytes);   /* memory.c */

#define KINI_ARRAY(type) struct { type *at; int32_t count, capacity; }
/* Sorts a list in place: `is_before` compares *a, the row to be placed, with *b. */
#define KINI_SORT(type, list, length, is_before) \
    do { \
        type        placed; \
        const type *a = &placed, *b; \
        int32_t     from, to, gap = 1; \
        while (gap < (length) / 3) gap = 3 * gap + 1; \
        for (; gap > 0; gap /= 3) \
            for (from = gap; from < (length); from++) { \
                placed = (list)[from]; \
                for (to = from; to >= gap && (b = &(list)[to - gap], (is_before)); to -= gap) (list)[to] = *b; \
                (list)[to] = placed; \
            } \
    } while (false)
/* Any KINI_ARRAY; copied in and out, so that no pointer is read as one of another type. */
typedef struct kini_rows { void *at; int32_t count, capacity; } kini_rows;

/* ---- shapes (shape.c, hull2.c, hull3.c) ---------------------------------------------------------------------- */
#if KINI_DIM == 2
enum { KINI_MAX_FACES = KIN_MAX_POINTS, KINI_MAX_EDGES = 1, KINI_MAX_CORNERS = 4 };
#else
enum { KINI_MAX_FACES = 2 * KIN_MAX_POINTS - 4, KINI_MAX_EDGES = 3 * KIN_MAX_POINTS - 6, KINI_MAX_CORNERS = 8 };
#endif

/* A convex hull. In 2D points run counter-clockwise and normals[i] belongs to the side from point i to i + 1. A hull
   of two points (or, in 3D, of points in one plane) has no inside: faces then hold both sides. */
typedef struct kini_hull {
    kin_vec points[KIN_MAX_POINTS];
    kin_vec normals[KINI_MAX_FACES];    /* 3D: one per flat face */
    uint8_t edges[KINI_MAX_EDGES][2];   /* 3D: two points, */
    uint8_t sides[KINI_MAX_EDGES][2];   /* ... and two faces; around the first it runs counter-clockwise */
    int     count, face_count, edge_count;
    int32_t owner;                  /* of a stored one: its shape */
} kini_hull;

/* A shape for the narrow phase: the core is a box along the shape's own axes (a ball's has no extent, a capsule's only
   height) unless `points` is set; around the core lies `radius`. */
typedef struct kini_solid {
    kin_vec          centre, half;  /* box around the core */
    float            radius;
    float            width;         /* smallest extent of the whole: no depenetration is longer than half of it */
    float            reach;         /* furthest point from the shape's origin */
    int              count;         /* of points; 0 if the core is the box */
    const kin_vec   *points;
    const kini_hull *hull;          /* sides of a hull; NULL for a box, a segment or a triangle */
    kin_vec          face;          /* normal of a triangle of a mesh, unless it is too thin; else zero */
    const kin_vec   *sides;         /* ... and the directions across its sides, outwards */
} kini_solid;

enum { KINI_CORE_BYTES = offsetof(kini_solid, count) };

/* A stored shape, one for each distinct one. Begins like a solid. */
typedef struct kini_shape {
    kin_vec  centre, half;
    float    radius, width, reach;
    int32_t  hull;    /* in world->hulls, -1 if the core is a box */
    uint32_t key;     /* of its value, for finding equal ones; what a hash of the world sees of it */
    int32_t  users;   /* things and tiles that have this shape; 0: free */
} kini_shape;

/* Of at least one point: the furthest in a direction, and the interval that they cover along it. */
static inline kin_vec kini_furthest_point(const kin_vec *points, int count, kin_vec direction) {
    float most = kini_dot(points[0], direction);
    int   i, best = 0;
    for (i = 1; i < count; i++) {
        float s = kini_dot(points[i], direction);
        if (s > most) { most = s; best = i; }
    }
    return points[best];
}
static inline void kini_points_stretch(const kin_vec *points, int count, kin_vec along, float *lo, float *hi) {
    int i;
    *lo = *hi = kini_dot(points[0], along);
    for (i = 1; i < count; i++) {
        float s = kini_dot(points[i], along);
        *lo = kini_lesser(*lo, s);
        *hi = kini_greater(*hi, s);
    }
}
/* Of a box core, or of any that is not turned. */
static inline void kini_core_bounds(kin_vec centre, kin_vec half, float radius, kin_pose at, kin_vec *lo, kin_vec *hi) {
    bool turned = !kini_is_unturned(at.q);
    centre = kini_add(at.p, turned ? kini_rotate(at.q, centre) : centre);
    half = kini_add(turned ? kini_turned_half(at.q, half) : half, kini_all(radius));
    *lo = kini_sub(centre, half);
    *hi = kini_add(centre, half);
}

/* ---- obstacles (obstacle.c, polygon2.c, polytope3.c) ------------------------------------------------------- */
/* The last answer about a gap: within a step the same one is asked for several times, and whether it is covered. And is
   it written in world->known of what the sum is? */
typedef struct kini_gap_known { kin_vec x, normal; float gap; bool known, kept; int8_t covered; } kini_gap_known;

/* The Minkowski sum behind an obstacle that is not a rounded box. */
#if KINI_DIM == 2
typedef struct kini_sum {
    kin_vec points[2 * KIN_MAX_POINTS];    /* counter-clockwise, relative to the obstacle's centre */
    kin_vec normals[2 * KIN_MAX_POINTS];   /* of the side from point i to i + 1 */
    float   offsets[2 * KIN_MAX_POINTS];   /* of that side from the centre, along its normal */
    int     count;                         /* 2: a segment, with both its sides */
    kini_gap_known asked;
} kini_sum;
#else
/* Corners that come from one of the two: a hull's stay where they are, up to three are copied. */
typedef struct kini_cloud {
    const kini_hull *hull;          /* NULL: the corners are `own` */
    kin_rot          turn;          /* of the hull */
    kin_vec          at;            /* of the hull's origin */
    float            sign;          /* of the hull; -1: reflected, it is the body's */
    kin_vec          own[3];
    int              count;
    bool             turned;        /* by `turn` */
} kini_cloud;

/* A direction in which the core may be separated: it reaches from middle - half to middle + half. */
typedef struct kini_axis { kin_vec along; float middle, half; } kini_axis;
enum { KINI_MAX_AXES = 32, KINI_MAX_ARMS = 6 };

/* The core is the sum of segments (the sides of boxes) and up to two clouds of corners, each around its own middle. */
typedef struct kini_sum {
    kin_vec    arms[KINI_MAX_ARMS];      /* directions of length one */
    float      lengths[KINI_MAX_ARMS];   /* ... and how far they reach both ways */
    kini_cloud clouds[2];
    kini_axis  axes[KINI_MAX_AXES];      /* the core is what all of them hold; found when first needed */
    int        arm_count, cloud_count;
    int        axis_count;               /* so far; -1: more than fit */
    bool       complete;                 /* all have been looked for */
    kin_vec    face;                     /* normal of a triangle, the only cloud, and at most one arm; else zero */
    kin_vec    sides[3];                 /* ... across its sides, outwards */
    kini_gap_known asked;
} kini_sum;

/* Where distances vanish floats are not enough: a search for the closest point works with these. */
typedef struct kini_big { double x, y, z; } kini_big;
static inline kini_big kini_big_of(kin_vec a) {
    kini_big r; r.x = (double)a.x; r.y = (double)a.y; r.z = (double)a.z; return r;
}
static inline kin_vec  kini_small(kini_big a) {
    kin_vec r; r.x = (float)a.x; r.y = (float)a.y; r.z = (float)a.z; return r;
}
static inline kini_big kini_big_sub(kini_big a, kini_big b) { a.x -= b.x; a.y -= b.y; a.z -= b.z; return a; }
static inline kini_big kini_big_madd(kini_big a, kini_big b, double s) {
    a.x += b.x * s; a.y += b.y * s; a.z += b.z * s; return a;
}
static inline double   kini_big_dot(kini_big a, kini_big b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline kini_big kini_big_cross(kini_big a, kini_big b) {
    kini_big r; r.x = a.y * b.z - a.z * b.y; r.y = a.z * b.x - a.x * b.z; r.z = a.x * b.y - a.y * b.x; return r;
}

typedef struct kini_simplex { kini_big points[4]; int count; } kini_simplex;
#endif

/* A piece grown by a body's shape: the body's place is outside of it exactly when the two do not overlap. Distance,
   sweep and separation of two rounded convex shapes are then questions about a point and one rounded convex set. */
typedef struct kini_obstacle {
    kin_vec   centre, half;   /* box around the core; the whole core if `sum` is NULL */
    float     radius;
    kini_sum *sum;
} kini_obstacle;

/* Of which two boxes the sum is that stands at the same place of world->sums, and the obstacle for a piece at 0. */
typedef struct kini_known { kin_vec centres[2], halves[2]; kin_rot turns[2]; kini_obstacle obstacle; } kini_known;
enum { KINI_KNOWN_BYTES = offsetof(kini_known, obstacle), KINI_MOST_KNOWN = 4 };

/* How far two results for a point, as seen from the centre, may differ by rounding. */
static inline float kini_blur(const kini_obstacle *obstacle, kin_vec p) {
    return (kini_largest(obstacle->half) + kini_largest(kini_magnitudes(p))) * KINI_BLUR;
}

/* A separating translation: unit axis times length. */
typedef struct kini_way { kin_vec axis; float length; } kini_way;
enum { KINI_MAX_WAYS = 64 };

/* ---- broad phase (tree.c) ------------------------------------------------------------------------------------- */
enum { KINI_LANES = 8, KINI_LANES_LEAST = 4, KINI_TREE_LEVELS = 16 };   /* 2 * 4^15 leaves do not fit an int32_t */

/* Boxes of up to eight children, side by side; unused lanes hold an empty box (from plus to minus infinity). Every node
   but the root has at least four children, which bounds depth and number of nodes whatever happens. */
typedef struct kini_node {
    float   lo[KINI_DIM][KINI_LANES], hi[KINI_DIM][KINI_LANES];
    int32_t child[KINI_LANES];   /* nodes; on level 0 leaves */
    int32_t parent, lane;        /* of its own box, -1 for the root; while free, `parent` is the next free node or 0 */
    int32_t count, level;        /* children in use; -1: free */
} kini_node;

static inline kin_vec kini_lane_corner(const kini_node *node, int lane, bool upper) {
    kin_vec corner = kini_vec_zero();
    int     axis;
    for (axis = 0; axis < KINI_DIM; axis++)
        corner = kini_with(corner, axis, upper ? node->hi[axis][lane] : node->lo[axis][lane]);
    return corner;
}
static inline kin_vec kini_lane_lo(const kini_node *node, int lane) { return kini_lane_corner(node, lane, false); }
static inline kin_vec kini_lane_hi(const kini_node *node, int lane) { return kini_lane_corner(node, lane, true); }

/* Where a leaf is now: node * KINI_LANES + lane. Free: -1, and `item` is one more than the next free leaf. */
typedef struct kini_leaf { int32_t home, item; } kini_leaf;

/* All zero is an empty tree. Node 0 is the root. Both arrays are reserved before inserting (kini_tree_nodes). */
typedef struct kini_tree {
    KINI_ARRAY(kini_node) nodes;
    KINI_ARRAY(kini_leaf) leaves;
    int32_t free_node, free_leaf;   /* 0: none; else the node, and one more than the leaf */
} kini_tree;

static inline int64_t kini_tree_nodes(int64_t leaves) { return leaves / 3 + 1; }           /* never needs more */

/* Called for each item whose box meets the swept box, in no order. Returns up to which part of the travel (0..1) the
   search goes on; negative ends it. */
typedef float kini_visit_fn(void *context, int32_t item);

/* Makes the nodes over the leaves, of which the caller has written count and items. */
typedef void kini_box_fn(const void *context, int32_t item, kin_vec *lo, kin_vec *hi);

/* ---- things around a body, kept (kept.c) ------------------------------------------------------------------------- */
enum { KINI_MAX_KEPT = 8, KINI_MAX_COMPANY = 8 };
enum { KINI_OPEN_STILL = 2 };   /* open is what the last step was made in, by kini_coast alone */
/* Statics and movers whose leaf meets lo..hi, in the order of searches. All zero holds no box that is asked for. */
typedef struct kini_kept {
    kin_vec  lo, hi;
    int32_t  slots[KINI_MAX_KEPT];
    int8_t   count;                   /* -1: more than fit */
    int8_t   open;                    /* 1: measured; KINI_OPEN_STILL; -1: there is none, 0: not known */
    /* Open space (coast.c): places from which the body reaches nothing but its ground and what is below its feet. */
    kin_vec  open_lo, open_hi;
    kin_vec  floor_lo, floor_hi;      /* ... nor touches any but this one thing, a box that is not turned: */
    uint32_t floor;                   /* ... its slot, 0: none */
    float    height;                  /* ... as long as it is at least so high along up */
    uint32_t carrier;                 /* slot of the mover that it stands on; 0: the level */
    kin_vec  at;                      /* where the body was then, */
    uint32_t stand;                   /* ... and the slot of what it stood on, */
    int32_t  part;                    /* ... and the part of that */
    kin_vec  middle, half;            /* of its sum with the body, from its place (a mover), */
    kin_vec  foot;                    /* ... the lowest point of the body's core, */
    float    top;                     /* ... and the height of its own, if it is broader (kini_over_top) */
    kin_vec  end;                     /* where a body that coasts comes to in this step */
    float    level, gap;              /* above its ground: so far was a body that is so high along up */
    int32_t  company[KINI_MAX_COMPANY];   /* bodies whose leaf meets that of this one, */
    int32_t  company_count;           /* ... with itself: 0: not known, -1: more than fit */
} kini_kept;

/* ---- flags: of things; of tiles (sensor, one-way, conveyor and their own); of pieces and of questions about them - */
enum {
    KINI_SENSOR   = 1,     /* reports contacts, blocks nothing */
    KINI_DISABLED = 2,
    KINI_ONE_WAY  = 4,
    KINI_CONVEYOR = 8,
    KINI_PENDING  = 16,    /* added inside a step: takes part from the next one on */
    KINI_REMOVED  = 32,    /* handle is dead; forgotten at the end of the next step */
    KINI_IGNORES  = 64,    /* named in world->ignored */
    KINI_ATTACHED = 128,   /* a static that is part of a mover, or a body's sensor; it lives in the movers' tree */
    KINI_TOUCHED  = 256,   /* contacts or grounds of bodies may name it: when removed, it stays for a step */
    KINI_GOING    = 512,   /* removed: contacts with it end in this step */
    KINI_SHIFTED  = 1024,  /* teleported since the last step: its riders stay behind */
    KINI_TILE_FILLED = 2048,          /* a tile: not empty */
    KINI_TILE_UP     = 4096,          /* ... its outward side is up */
    KINI_SENSES   = 16384, /* a mover, or a sensor that is attached: meets things that are no bodies (senses.c) */
    KINI_RESHAPED = 8192,  /* shape or tiles changed since the last step: its riders may have lost it */
    KINI_PIECE_MOVER = 1 << 16,
    KINI_PIECE_BODY  = 1 << 17,
    KINI_OUTWARD_ONLY = 1 << 20       /* a cast: one-way pieces stop only what comes from outside */
};

/* ---- levels (tiles.c, mesh.c) ------------------------------------------------------------------------------------ */
/* A static points to the row of a grid or mesh, which has blocks, of any length, in arrays of the world. */
enum { KINI_SIDES = 2 * KINI_DIM };   /* of a cell */

/* The meaning of a value in one grid. Sides are numbered 2 * axis, one more for that with the larger coordinates. */
typedef struct kini_tile {
    kin_vec  one_way, surface_velocity;   /* in the grid's axes */
    int32_t  shape;                       /* stored, around the cell's middle; -1: the full cell */
    uint16_t flags;
    uint8_t  faces, covers;               /* one bit for each side of the cell on which it has a face; that it covers */
} kini_tile;

typedef struct kini_grid {
    uint32_t slot;                    /* 0: free */
    kin_cell size;
    float    cell;
    int32_t  cells, cell_count;       /* in world->cells */
    uint64_t key;                     /* of all cells, updated by every edit: what a hash sees of them */
    int32_t  tiles, tile_count;       /* values 0, 1, ... in world->tiles; those beyond are empty */
} kini_grid;

/* The plane, sides and neighbours of a face, in its mesh's axes (weld.c); not saved. */
typedef struct kini_face {
    kin_vec normal, sides[KINI_DIM];  /* directions of length one: of its plane, and outwards across each side */
    float   level, ends[KINI_DIM];    /* how far along these the plane and each side are */
    float   lean;                     /* sine of the largest angle to faces around, 1 if a side is open; 0: thin */
    int32_t beyond[KINI_DIM];         /* point of the neighbour over each side that is not on it; -1: open */
} kini_face;

typedef struct kini_mesh {
    uint32_t slot;                    /* 0: free */
    kin_vec  lo, hi;                  /* box around it, in its own axes */
    int32_t  points, point_count;     /* in world->mesh_points */
    int32_t  corners, face_count;     /* KINI_DIM numbers of points for each face, in world->mesh_corners */
    uint32_t pad;
    uint64_t key;                     /* of points and corners */
    int32_t  nodes, node_count, leaves, leaf_count;   /* its tree, in world->mesh_nodes and mesh_leaves; not saved */
} kini_mesh;
#define KINI_MESH_LASTS offsetof(kini_mesh, nodes)

/* ---- things: one row per slot (pool.c, object.c) --------------------------------------------------------- */
enum { KINI_FORM_SHAPE, KINI_FORM_TILES, KINI_FORM_MESH };

/* A snapshot holds it up to `leaf`; the rest follows. */
typedef struct kini_thing {
    kin_vec  p;
    kin_rot  q;
    uint32_t layer, mask;
    uint32_t age;           /* of the handle that is or will be valid */
    int32_t  shape;         /* in world->shapes; -1 for tiles and meshes */
    int32_t  row;           /* in statics, movers or bodies */
    uint16_t flags;
    uint8_t  kind;          /* kin_kind; KIN_NOTHING: free */
    uint8_t  form;
    int32_t  leaf;          /* in the tree of its kind; -1: none */
    kin_vec  lo, hi;        /* bounds of the shape at p, q */
} kini_thing;
enum { KINI_THING_LASTS = offsetof(kini_thing, leaf) };

/* No thing has a form that the build leaves out. */
#ifdef KINEMATIC_NO_TILES
enum { KINI_TILES = 0 };
#else
enum { KINI_TILES = 1 };
#endif
#ifdef KINEMATIC_NO_MESH
enum { KINI_MESHES = 0 };
#else
enum { KINI_MESHES = 1 };
#endif
static inline bool kini_is_tiles(const kini_thing *thing) { return KINI_TILES && thing->form == KINI_FORM_TILES; }
static inline bool kini_is_mesh(const kini_thing *thing) { return KINI_MESHES && thing->form == KINI_FORM_MESH; }

static inline void kini_set_flag(kini_thing *thing, int flag, bool on) {
    thing->flags = (uint16_t)(on ? thing->flags | flag : thing->flags & ~flag);
}

typedef struct kini_surface { kin_vec one_way, velocity; } kini_surface;   /* in the axes of its thing */

typedef struct kini_static {
    uint32_t slot;                    /* 0: free row */
    kini_surface surface;
    kin_pose local;                   /* place on the mover it is attached to */
    kin_id   attach;
    int32_t  next_part;               /* next static attached to the same thing, -1: last */
    int32_t  level;                   /* of tiles or mesh: row there; else -1 */
} kini_static;

enum { KINI_HAS_TARGET = 1, KINI_STOPPED = 2, KINI_TELEPORTED = 4, KINI_MOVED = 8, KINI_WAS_STOPPED = 16 };

typedef struct kini_mover {
    uint32_t slot;
    kini_surface surface;
    kin_vec  velocity;
    kin_spin spin;
    kin_pose before;                  /* pose at the start of the step */
    kin_pose drawn;                   /* pose to draw from: before, or the new one after a teleport */
    kin_pose target;                  /* of kin_move_to */
    kin_vec  rate;                    /* real velocity of the origin in this step */
    kin_spin turn_rate;
    kin_id   blocked_by[2];           /* body and what it was pressed against, while stopped */
    int32_t  control;                 /* in world->controls, -1: none */
    int32_t  parts;                   /* first static that is attached to it, -1: none */
    uint8_t  carry, on_blocked, state;
    uint8_t  pad;
} kini_mover;

/* Contacts of a body: `now` of this step, `was` of the last. */
typedef struct kini_contact {
    kin_id  other;
    kin_vec normal;                   /* where they meet follows from it and from both poses: kini_meeting_point */
    float   gap, speed;               /* speed of approach before it was stopped */
    int32_t part;
    uint32_t flags;
} kini_contact;
enum {
    KINI_CONTACT_SENSOR = 1, KINI_CONTACT_HIT = 2, KINI_CONTACT_TOUCH = 4,
    KINI_CONTACT_UNTOLD = 8,          /* one of the two was removed before BEGAN was emitted */
    KINI_CONTACT_GROUND = 16,
    KINI_CONTACT_PRESSES = 32,        /* the other one presses on it in a crush; only within kini_crush_rows */
    KINI_CONTACT_FRESH = 64,          /* found by kin_move_hits: the next step emits BEGAN */
    KINI_CONTACT_FITS = 128           /* of a passage as wide as the body: no wall or ceiling to it */
};

typedef struct kini_sensed { kin_id by; kini_contact it; } kini_sensed;   /* a pair without a body (senses.c) */
typedef KINI_ARRAY(kini_sensed) kini_pairs;                                /* sorted */
typedef KINI_ARRAY(kini_contact) kini_contacts;

/* The part that makes a contact one of its own. */
static inline int32_t kini_cell_of(const kini_contact *contact) {
    return contact->flags & KINI_CONTACT_SENSOR ? contact->part : -1;
}

/* The options of a body: NUMBER(member, FLOAT or SIZE, most, default), CHOICE(member, type, last one). */
#define KINI_BODY_OPTIONS(NUMBER, CHOICE)                                                \
    NUMBER(max_slope, SIZE, KINI_PI / 2 + 1e-6f, KINI_PI / 4)                            \
    NUMBER(snap, FLOAT, KINI_FURTHEST, KINI_DEFAULT_SNAP * world->desc.unit)             \
    NUMBER(step_height, SIZE, KINI_FURTHEST, 0)                                          \
    NUMBER(corner_nudge, SIZE, KINI_FURTHEST, 0)                                         \
    NUMBER(gravity_scale, FLOAT, KINI_FURTHEST, 1)                                       \
    NUMBER(leftover_fade, SIZE, 1, 0)                                                    \
    NUMBER(bounce, SIZE, 1, 0)                                                           \
    NUMBER(weight, SIZE, KINI_FURTHEST, 1)                                               \
    NUMBER(max_push, FLOAT, KINI_FURTHEST, 0)                                            \
    CHOICE(push, kin_push, KIN_INTANGIBLE)                                               \
    CHOICE(ride, kin_ride, KIN_RIDE_PHYSICAL)                                            \
    CHOICE(leave, kin_leave, KIN_LEAVE_NONE)                                             \
    CHOICE(on_crush, kin_crush, KIN_CRUSH_DISABLE)                                       \
    CHOICE(slope, kin_slope, KIN_SLOPE_HORIZONTAL_SPEED)                                 \
    CHOICE(weightless, bool, 1) CHOICE(report_continued, bool, 1)                        \
    CHOICE(glide, bool, 1) CHOICE(keep_facing, bool, 1)
#define KINI_NUMBER_MEMBER(member, kind, most, otherwise) float member;
#define KINI_CHOICE_MEMBER(member, type, last) uint8_t member;
typedef struct kini_body_options {
    KINI_BODY_OPTIONS(KINI_NUMBER_MEMBER, KINI_CHOICE_MEMBER)
    uint8_t pad[3];
} kini_body_options;

/* The ground of a body. `local` is its place on that ground, in the ground's frame: an idle rider keeps it. */
/* What supports it: a surface; two or more steep sides; the edge of a step, whose top counts as its ground. */
enum { KINI_ON_FACE, KINI_IN_WEDGE, KINI_ON_EDGE };
typedef struct kini_stand {
    kin_id   id;                      /* {0} in the air */
    kin_vec  normal, point, velocity;
    kin_vec  local;
    int32_t  part;
    uint8_t  footing;                 /* kin_footing */
    uint8_t  support;                 /* KINI_ON_FACE .. KINI_ON_EDGE */
    uint8_t  pad[2];
} kini_stand;

enum {
    KINI_BODY_CRUSHED = 1, KINI_BODY_EMBEDDED = 2, KINI_BODY_ON_WALL = 4, KINI_BODY_ON_CEILING = 8,
    KINI_BODY_TELEPORTED = 16, KINI_BODY_DROPS = 32, KINI_BODY_RENEW = 128, KINI_BODY_LETS_GO = 256,
    KINI_BODY_MOVED = 512             /* by kin_move_hits: contacts and ground differ from those of the last events */
};

/* Lasting state comes first: a snapshot holds it up to `jumps` (fields.c). The rest is written anew in every step. */
typedef struct kini_body {
    uint32_t   slot;                  /* 0: free row */
    kin_pose   drawn;                 /* pose to draw from */
    kini_body_options options;
    int32_t    control;
    kini_stand last;                  /* ground of the last step */
    int32_t    parts;                 /* first sensor that is attached to it, -1: none */
    kin_id     drops_through;         /* one-way it is falling through */
    kin_vec    drop_from;             /* its place on that when it began to */
    kin_vec    gravity;               /* of its own, zero: the world's */
    kin_vec    motion;                /* real displacement of the last step, per second */
    kin_vec    velocity, leftover;    /* from here to `jumps`: backed up after stage 3 */
    kin_vec    given;                 /* part of velocity that pushes gave; shed when they end */
    kin_vec    lead;                  /* way that a step up took beyond what was wanted: walked that much less */
    kini_stand stand;                 /* its ground */
    kin_id     squeezed_by[2];        /* what an open crush or embedding is between */
    int32_t    contact_count;
    uint32_t   state;
    bool       jumps;                 /* stands, but moves away from its ground in this step */
    bool       met;                   /* stage 4 has met the movers' motion */
    bool       keeps;                 /* what it has shed after all; in stage 3 only */
    kin_pose   start;                 /* pose at the start of the step */
    uint32_t   last_state;
    kin_vec    up;                    /* against its gravity; follows from that and from the world's */
    float      stable_cos;            /* of max_slope: the cosine of the steepest stable ground; follows from it */
    kin_vec    turned_at;             /* where the last straight part of its sweep began */
    kin_vec    pushed;                /* direction in which it is pushed in this step, zero: nobody pushes it */
    uint8_t    pushed_strength;
    bool       calm;                  /* nothing moved it in this step, nor did it look beyond its sight (idle.c) */
    int32_t    pushed_by;             /* row of the body that pushed it last, -1: none, */
    float      pushed_from;           /* ... and how far the first of the row comes along the push */
    kin_vec    blocked[2];            /* directions in which it cannot be pushed; to `shed`, zero when stage 6 begins */
    kin_vec    held;                  /* away from the last body that it was put back from in this step */
    kin_vec    path, own;             /* displacement in this step, and the part that is its own motion */
    kin_vec    pressed;               /* part of `own` that a mover gave in stage 5, beyond what the body wanted */
    float      went;                  /* length of the displacement that stages 4 and 5 gave */
    float      drive;                 /* longest motion of all bodies that can have pushed it in this step, */
    uint32_t   drive_by;              /* ... and the slot of that body */
    float      overlap;               /* deepest that it was in another body when the step began */
    bool       cut;                   /* its motion was undone */
    bool       queued;                /* to be tested against its neighbours, */
    int8_t     tests;                 /* ... and how often it still may be */
    bool       answer[2];             /* the last two answers below: it is held, or it is not */
    int32_t    tested, changed;       /* turns of its last test and of its last change of path */
    int32_t    asked;                 /* number of the last search for what holds a body that came to it, */
    int32_t    asked_by;              /* ... from which row, -1: it began here, */
    kin_vec    answered[2];           /* ... and in which directions the last two answers are */
    kin_vec    shed;                  /* what it has lost of `given`; in stage 3 only */
    kin_vec    wish;                  /* own motion wanted in this step: a displacement */
    kin_vec    carry;                 /* displacement that the ground gave in this step */
    float      land_speed;            /* into stable ground, when it was met in this step */
    uint32_t   squeezed_in[2];        /* in the sweep: a mover that took more than its room, what held it; 0: none */
    int32_t    last_count;
    uint32_t   events;                /* types still to be emitted in stage 10, one bit each */
    int32_t    depth;                 /* bodies under it that carry it */
    float      outward;               /* how far out it is, and */
    int32_t    rank;                  /* ... its turn among the bodies that are awake in this step */
    kin_vec    clear_lo, clear_hi;    /* what is within this box, no idle body sees */
} kini_body;
enum { KINI_BODY_LASTS = offsetof(kini_body, jumps) };
typedef struct kini_backup_row { char at[offsetof(kini_body, start) - offsetof(kini_body, velocity)]; } kini_backup_row;
static inline uint32_t kini_bit(kin_event_type type) { return 1u << (unsigned)type; }   /* in its events */

/* Of two bodies the weaker one yields. */
enum { KINI_STRENGTH_PUSHABLE = 1, KINI_STRENGTH_UNPUSHABLE, KINI_STRENGTH_MOVER, KINI_STRENGTH_BLOCKED };

/* Two bodies whose paths meet (pairs.c); rows. In crush.c j is a contact of i. */
typedef struct kini_meeting {
    int32_t i, j;
    kin_vec normal;                   /* from j to i */
    float   t;                        /* part of the step at which they touch */
    float   speed, room;              /* approach along the normal, and how much of it is free, per step */
} kini_meeting;

typedef struct kini_pair { uint32_t a, b; } kini_pair;   /* slots, a < b */

/* Answers of `collide` in this step about a body, and things or bodies with a higher slot. */
enum { KINI_ANSWERS = 32, KINI_MOST_ASKING = 64 };
typedef struct kini_answers {
    uint32_t others[KINI_ANSWERS];
    uint32_t yes;                     /* one bit each */
    int32_t  count;
    bool     full;
} kini_answers;

/* Bodies that a worker works on (islands.c): rows, or places in world->shares, up to those of the next batch. Has it to
   do with what is not in it? Then flags of the worker's copy of the world. */
typedef struct kini_batch { int32_t first, begun, done; int32_t chosen, groups, cut_groups;
                             bool escaped, overflowed, crushed, shed, far; } kini_batch;
typedef void kini_work_fn(kin_world *world, int32_t first, int32_t end);

typedef struct kini_given { kin_id id; void *user; } kini_given;

/* ---- near (near.c): the convex pieces around one body, gathered once ---------------------------------- */
typedef struct kini_piece {
    kini_obstacle obstacle;           /* relative to kini_near.origin, at the piece's place at the interval's end */
    kin_vec       move;               /* how far it travels in the interval: it starts at obstacle - move */
    kin_vec       one_way;            /* normal of the face that blocks, zero if solid */
    uint32_t      slot;
    int32_t       part;               /* tile, segment or triangle; of joined cells the first; else -1 */
    uint32_t      flags;              /* KINI_SENSOR, KINI_ONE_WAY, KINI_PIECE_* */
    uint32_t      hidden;             /* sides of a cell behind which the grid goes on, in the axes of `turn` */
    kin_rot       turn;               /* of the piece */
    kin_vec       face;               /* normal of a segment or triangle, which has no inside; zero for a solid */
    float         level;              /* ... and how far its plane is along that from the body's middle at x = 0 */
    float         reach;              /* ... and how far the body reaches from its middle towards that plane */
    float         deep;               /* half the body's width: a longer way out is not taken */
    float         slop;
} kini_piece;

/* A quick look: true if the gap is surely more than `margin`. */
static inline bool kini_is_apart(const kini_piece *piece, kin_vec x, float margin) {
    const kini_obstacle *o = &piece->obstacle;
    if (kini_largest(kini_sub(kini_magnitudes(kini_sub(x, o->centre)), o->half)) > o->radius + margin) return true;
    return kini_abs(kini_dot(piece->face, x) - piece->level) > piece->reach + margin;
}

/* A search around one body. Pieces come in batches of KINI_MAX_NEAR; mostly the first holds all, and is built once:
       for (more = kini_near_first(world, near); more; more = kini_near_next(world, near))
           ... world->pieces.at[0 .. near->count - 1] ... */
enum {
    KINI_WITH_MOVERS = 1,             /* and what is attached to them, also if they move in this step */
    KINI_WITH_BODIES = 2              /* other bodies only matter as ground, contact and counter-pressure */
};

typedef struct kini_lot { int thing, part, built; } kini_lot;   /* where it starts; how many were built so far */

typedef struct kini_near {
    kin_vec    origin;                /* world place that x = 0 stands for: the body's when it was gathered */
    kin_vec    lo, hi;                /* world box that was searched */
    kini_solid solid;                 /* of the body */
    kin_rot    turn;
    uint32_t   slot, skip;            /* the body; a thing to leave out, or 0 */
    int        with;                  /* what is looked at beside the fixed level: KINI_WITH_... */
    float      from, to;              /* movers travel through this part of the step, 0..1; equal: they stand there */
    kin_vec    taken;                 /* part of the motion of `taker` that the body has already followed */
    uint32_t   taker;
    int        count, sensors;        /* pieces, and how many of them are sensors */
    kini_lot   lot;                   /* the batch in world->pieces */
    bool       dropping;              /* it touches a one-way that it is falling through, which is left out */
    int        found, cursor, part_cursor;   /* things in world->found, where the next batch starts */
    bool       whole;                 /* the batch in world->pieces is all there is */
    int        within;                /* batches of searches within a search */
    kin_vec    way;                   /* planned motion: faces whose planes the body stays off on it are left out, */
    float      ahead;                 /* ... and for so far across `up` from its end on */
    bool       planned, passed;       /* ... were there any? */
} kini_near;

/* Among thousands of pieces a stage stops searching within its search; the rest waits for the next step. */
static inline bool kini_near_is_spent(const kini_near *near) { return near->within >= KINI_MAX_WITHIN; }

/* Where a thing with its own axes is in the interval that is looked at; what its pieces have in common. */
typedef struct kini_frame {
    kin_pose at;
    kin_vec  move;                    /* ... and how far it travels */
    uint32_t slot;
    bool     moves, turns, turned;    /* it is part of a mover; turns in the interval; is turned at its end */
} kini_frame;

/* ---- slide (slide.c): sweep one body along one motion, sliding along what it meets --------------------- */
/* A surface the slide has met. The body may not move against it faster than it moves itself. */
typedef struct kini_plane {
    kin_vec  normal;                  /* as it limits the motion: steep ground is made a vertical wall for a walker */
    kin_vec  surface;                 /* as it is */
    float    push;                    /* how far the surface advances along normal in the interval */
    kin_vec  move;
    uint32_t slot;
    int32_t  part;
    uint32_t flags;                   /* of the piece */
    float    speed;                   /* of approach when it was met, in travel per interval */
} kini_plane;

static inline bool kini_plane_presses(const kini_plane *p) { return (p->flags & KINI_PIECE_MOVER) && p->push > 0; }

typedef struct kini_slide {
    kin_vec    x;                     /* in and out: place relative to near->origin */
    kin_vec    turned_at;             /* out: where the last straight part began */
    kin_vec    travel;                /* own motion wanted in the interval */
    kin_vec    up;                    /* zero: floating, every surface is a wall */
    kin_vec    ground;                /* normal of the stable ground it walks on, zero in the air */
    kin_vec    ground_move;           /* how far that ground takes or pushes the body in the interval */
    float      stable_cos;
    float      skin;
    float      step_height, nudge;
    kin_vec    lead;                  /* out: see kini_body */
    uint32_t   perch;                 /* the thing on whose edge it stands, 0: none, */
    kin_vec    perched;               /* ... with this normal; zero: that of the last step */
    kin_vec    head;                  /* direction in which `nudge` slips past corners */
    kin_vec    feet;                  /* normal of what it stands on, zero: nothing; low lips are no sides */
    bool       keep_horizontal;       /* slope speed: horizontal instead of along the surface */
    bool       senses;                /* notes the sensors it crosses */
    bool       bodies;                /* other bodies are in the way too: after stage 6 */
    float      left;                  /* out: part of the interval that it was squeezed for */
    kin_hit   *hits;                  /* out: what it met, as far as there is room, */
    int        hit_count, hit_room;   /* ... and how many */
    bool       squeezed, stuck;       /* out: no motion satisfies all planes; started deep inside something */
    float      bounce, least_bounce;  /* part of an approach that comes back, unless that is slower, per interval */
    kin_vec    fall;                  /* part of the travel that gravity gave in this step */
    kin_vec    kick;                  /* out: what bounces added to the travel */
    int        fits;                  /* walls of passages as wide as the body that it has entered, two of each, */
    kin_vec    fit[KINI_SIDES - 2];   /* ... and the directions across them */
    int        count;                 /* planes met, the last KINI_MAX_PLANES of them */
    kini_plane planes[KINI_MAX_PLANES];
} kini_slide;

/* A slide that wants nothing and knows no rules. Of the planes only those that count are ever read. */
static inline void kini_slide_blank(kini_slide *slide) { kini_clear(slide, offsetof(kini_slide, planes)); }
static inline bool kini_walks(const kini_slide *slide) { return !kini_is_zero(slide->ground); }
/* How far a walk looks for a riser at its end: to a slanting edge it is further than the gap. */
static inline float kini_look_ahead(const kini_slide *slide) {
    return kini_walks(slide) && slide->step_height > 0 ? 4 * slide->skin : 0;
}

/* One straight piece of a sweep: the body's point moves by `travel` while pieces make the last `left` of their own
   interval, or stand where they are at that moment. */
typedef struct kini_probe {
    kin_vec x, travel;
    float   left, skin;
    float   deep;                     /* further inside a piece that stands, every way is blocked, inside a body none */
    bool    frozen;
    bool    bodies;                   /* other bodies are in the way too */
    int     fits;                     /* passages as wide as the body that it is in, */
    const kin_vec *fit;               /* ... across their walls, which are passed */
} kini_probe;

typedef struct kini_impact {          /* what a probe meets first */
    float      t, touch;              /* part of the travel: skin taken off, and not */
    kin_vec    normal;
    float      depth;                 /* > 0: it started that deep inside */
    bool       edge;                  /* it was met at an edge or a corner */
    kini_piece piece;
} kini_impact;

/* Pieces stand at the interval's end, and bodies where they are. */
static inline kini_probe kini_probe_still(kin_vec x, kin_vec travel, float skin) {
    kini_probe probe;
    probe.x = x; probe.travel = travel; probe.left = 0; probe.skin = skin;
    probe.deep = KINI_FLT_MAX; probe.frozen = probe.bodies = true; probe.fits = 0;
    return probe;
}

/* ---- the world -------------------------------------------------------------------------------------------------- */
/* Sections of a snapshot, in this order. From KINI_SAVES_BULK on they hold what tiles and meshes are made of. Trees
   decide nothing and are not saved. */
enum {
    KINI_SAVES_THINGS, KINI_SAVES_USERS, KINI_SAVES_STATICS, KINI_SAVES_MOVERS, KINI_SAVES_BODIES, KINI_SAVES_CONTACTS,
    KINI_SAVES_SENSED, KINI_SAVES_SHAPES, KINI_SAVES_HULLS, KINI_SAVES_IGNORED, KINI_SAVES_EVENTS, KINI_SAVES_GRIDS,
    KINI_SAVES_TILES, KINI_SAVES_MESHES, KINI_SAVES_BULK, KINI_SAVES_POINTS = KINI_SAVES_BULK, KINI_SAVES_CORNERS,
    KINI_SAVES_CELLS, KINI_SAVED_SECTIONS, KINI_SAVES_KIND = KINI_SAVES_STATICS - KIN_STATIC   /* plus a kin_kind */
};

enum { KINI_ALIGN = 16 };   /* of the pieces of an arena */
typedef struct kini_arena { unsigned char *memory; size_t bytes, used; } kini_arena;

struct kin_world {
    kin_world_desc desc;              /* defaults filled in */
    kini_arena     arena;             /* of kin_world_create_in; memory NULL: allocate */
    size_t         bytes;             /* of this struct and of all arrays */
    kin_vec        up;                /* zero in a floating world */
    double         time_left, dropped;   /* of kin_world_advance */
    uint64_t       steps;
    float          dt;                /* of the running or last step */
    uint8_t        stage;             /* 0 between steps; else the stage that runs, for callbacks */
    bool           in_callback, overflowed;
    bool           reached_limit;     /* of coordinates: logged once */
    bool           edited;            /* a ground may have ceased to hold a body since stage 3 of the last step */
    int32_t        first_free[KINI_SAVED_SECTIONS];   /* no row before that is free; a hint, found anew after a load */
    int32_t        live[4];           /* things of each kin_kind */
    int32_t        shifted;           /* things teleported or reshaped since the last step */
    int32_t        pending;           /* things that stage 1 has to look at */
    int32_t        going;             /* ... and those it found removed, to be forgotten in stage 10 */
    int32_t        stop_movers;       /* movers that stop when blocked */
    int32_t        attached;          /* statics that are part of movers */
    int32_t        sensers;           /* things with KINI_SENSES */

    KINI_ARRAY(kini_thing)   things;  /* by slot; row 0 is nobody */
    KINI_ARRAY(void *)       users;   /* by slot */
    KINI_ARRAY(kini_static)  statics;
    KINI_ARRAY(kini_mover)   movers;
    KINI_ARRAY(kini_body)    bodies;
    KINI_ARRAY(kini_shape)   shapes;
    KINI_ARRAY(kini_hull)    hulls;
    KINI_ARRAY(int32_t)      shape_index;   /* shape number + 1 by key, 0: empty; count is a power of two */
    KINI_ARRAY(kin_control_fn *) controls;
    KINI_ARRAY(kini_pair)    ignored;
    KINI_ARRAY(kini_grid)    grids;
    KINI_ARRAY(uint8_t)      cells;
    KINI_ARRAY(kini_tile)    tiles;
    KINI_ARRAY(kini_mesh)    meshes;
    KINI_ARRAY(kin_vec)      mesh_points;
    KINI_ARRAY(int32_t)      mesh_corners;
    KINI_ARRAY(kini_node)    mesh_nodes;
    KINI_ARRAY(kini_leaf)    mesh_leaves;
    KINI_ARRAY(kini_face)    mesh_faces;   /* one for KINI_DIM corners */
    kini_contacts            contacts, last_contacts;   /* kini_contact_room per body row */
    kini_pairs               sensed, last_sensed;       /* max_sensor_contacts per thing that senses */
    KINI_ARRAY(uint8_t)      idle, done;   /* by body row: KINI_IDLE..., 0: awake; KINI_COASTS... */
    int32_t                  idle_count, skipped;   /* now, and in the last step */
    int32_t                  groups, cut_groups;    /* of kin_stats */
    float                    idle_dt;      /* length of the step that they were idle in, */
    float                    sight;        /* ... and how far at most one of them looks */
    uint8_t                  joining;      /* how far stage 3 is: a body that wakes now does the same */
    bool                     late;         /* one woke in stages 4 to 9 */
    bool                     rests;        /* bodies may become idle at the end of this step */
    bool                     crowd_changed;   /* crowd_layer and crowd_mask are to be found anew */
    KINI_ARRAY(kin_event)    events;  /* and a row for one that on_event gets but that does not fit */
    KINI_ARRAY(kini_given)   given;   /* users that handles had, the last KINI_MOST_GIVEN in turn */
    uint32_t                 given_next;
    uint32_t                 drops;   /* calls of kin_world_advance in a row that dropped time; logged once */
    int32_t                  telling; /* row of the event that on_event gets, counted from 1 */
    KINI_ARRAY(kini_backup_row) backup;  /* of bodies at the end of stage 3 */
    KINI_ARRAY(int32_t)      found, order;   /* scratch: search results (in pairs.c rows), bodies in carrier order */
    KINI_ARRAY(int32_t)      faces;   /* scratch: faces of one mesh that are near a box, */
    uint32_t                 faces_of;   /* ... which mesh, or 0, */
    kin_vec                  faces_lo, faces_hi;   /* ... and which box */
    KINI_ARRAY(kini_piece)   pieces;  /* scratch: near.c */
    KINI_ARRAY(kini_sum)     sums;    /* scratch: behind the pieces */
    KINI_ARRAY(kini_known)   known;   /* of what the first of them are */
    KINI_ARRAY(kini_solid)   solids;  /* scratch: behind the pieces */
    KINI_ARRAY(int32_t)      neighbours, queue;   /* scratch: rows of bodies, in stages 3, 6 and 7 */
    KINI_ARRAY(kini_meeting) meetings;            /* scratch: pairs.c, crush.c */
    int32_t                  queue_head;
    int32_t                  asked;               /* number of searches for what holds a body, in this step */
    int32_t                  turn;                /* counts tests and changes of paths in stage 6 */
    bool                     taken;               /* stage 6 has taken riders along with what they stand on */
    bool                     crushed;             /* stage 9 has found a crushed body */
    uint32_t                 crowd_layer, crowd_mask;   /* scratch: of all bodies that take part, in stages 4 to 9 */
    KINI_ARRAY(kini_answers) answers; /* per body row, if there is a `collide` */
    bool                     answering;   /* from stage 3 on */
    KINI_ARRAY(int32_t)      asking;  /* calls of `collide` that have not returned; does it ask itself? */
    KINI_ARRAY(kini_kept)    kept;    /* per body row; neither saved nor hashed */
    kini_tree                trees[4];   /* by kin_kind; index KIN_NOTHING is not used */
    int32_t                  island;  /* in a worker's copy of the world: number of the batch, from 1; 0: the world */
    bool                     shed;    /* stage 3 has taken from a body the velocity that pushes gave */
    KINI_ARRAY(int32_t)      islands, shares;   /* batch of each body in stages 4 to 9, 0: none; rows, by batch */
    KINI_ARRAY(kini_batch)   batches; /* and the end of the last */
    KINI_ARRAY(int32_t)      busy;    /* calls by worker; then what the runner did wrong */
    kini_work_fn            *work;    /* that batches are for */
};

/* ---- bodies within the step (place.c) ------------------------------------------------------------------------ */
/* Tolerances at a place: they grow with the distance from the origin. */
static inline float kini_far(kin_vec at) { return kini_ulp(kini_largest(kini_magnitudes(at))); }
static inline float kini_skin_at(const kin_world *world, kin_vec at) {
    return KINI_SKIN * world->desc.unit + 2 * kini_far(at);
}
static inline float kini_touch_at(const kin_world *world, kin_vec at) {
    return KINI_TOUCH * world->desc.unit + KINI_FAR_ULPS * kini_far(at);
}
static inline float kini_slop_at(const kin_world *world, kin_vec at) {
    return KINI_SLOP * world->desc.unit + KINI_FAR_ULPS * kini_far(at);
}
static inline float kini_overlap_at(const kin_world *world, kin_vec at) {
    return KINI_OVERLAP * world->desc.unit + kini_far(at);
}
static inline bool kini_is_floating(const kin_world *world, const kini_body *body) {
    return body->options.weightless || (kini_is_zero(world->up) && kini_is_zero(body->gravity));
}
static inline bool kini_stands(const kini_body *body) { return body->stand.footing == KIN_STABLE && !body->jumps; }
/* How far down a body that stands follows its ground. */
static inline float kini_snap(const kini_body *body) {
    return body->options.snap < 0 ? 0 : kini_greater(body->options.snap, body->options.step_height);
}
/* The surface that walking follows; in a wedge there is none, only a place to stay. */
static inline kin_vec kini_walked_on(const kini_body *body) {
    return body->stand.support == KINI_IN_WEDGE ? body->up : body->stand.normal;
}
static inline kin_vec kini_limit_speed(const kin_world *world, kin_vec velocity) {
    float most = world->desc.max_speed;
    return !(kini_len2(velocity) > most * most) ? velocity : kini_scale(kini_unit(velocity), most);
}
static inline kin_vec kini_gravity_of(const kin_world *world, const kini_body *body) {
    return kini_is_zero(body->gravity) ? world->desc.gravity : body->gravity;
}
static inline kin_vec kini_up_against(const kin_world *world, kin_vec gravity)   /* zero: the world's */
{
    return kini_is_zero(gravity) ? world->up : kini_unit(kini_neg(gravity));
}
/* Of a pair: of the one that stands, of two of the first. */
static inline kin_vec kini_pair_up(const kini_body *a, const kini_body *b) {
    return kini_stands(b) && !kini_stands(a) ? b->up : a->up;
}
/* In this step: alive, enabled, not just added. */
static inline bool kini_takes_part(const kin_world *world, uint32_t slot) {
    return slot != 0 && !(world->things.at[slot].flags & (KINI_DISABLED | KINI_REMOVED | KINI_PENDING));
}
static inline void kini_stand_nowhere(kini_body *body) {
    kini_clear(&body->stand, sizeof body->stand);
    body->stand.part = -1;
}
/* First of what is attached to a mover or body. */
static inline int32_t *kini_parts_of(const kin_world *world, const kini_thing *thing) {
    return thing->kind == KIN_BODY ? &world->bodies.at[thing->row].parts : &world->movers.at[thing->row].parts;
}

static inline float kini_speed_into_ground(const kini_body *body) {
    return kini_dot(kini_sub(body->stand.velocity, kini_add(body->velocity, body->leftover)), body->stand.normal);
}

/* ---- contacts (contacts.c) --------------------------------------------------------------------------------------- */
static inline int32_t kini_contact_room(const kin_world_desc *desc)   /* rows per body */
{
    return desc->max_contacts + desc->max_sensor_contacts;
}
static inline kini_contact *kini_contacts_of(const kin_world *world, int32_t row) {
    return world->contacts.at + (size_t)row * (size_t)kini_contact_room(&world->desc);
}
static inline kini_contact *kini_last_contacts_of(const kin_world *world, int32_t row) {
    return world->last_contacts.at + (size_t)row * (size_t)kini_contact_room(&world->desc);
}
enum { KINI_IDLE = 1, KINI_IDLE_TELLS };   /* the second: it emits CONTINUED in every step */
enum { KINI_FALLEN = 1, KINI_WISHED };     /* what bodies that are awake have done in stage 3 */
/* How far a body is in stages 4 to 10: stage 5 takes it to kini_kept.end; it is settled; committed, but for these: */
enum { KINI_COASTS = 1, KINI_SETTLED = 2, KINI_COMMITTED = 4, KINI_NEEDS_LEAF = 8, KINI_TELLS = 16 };

/* ---- the stages -------------------------------------------------------------------------------------------------- */
static inline bool kini_layers_meet(const kini_thing *a, const kini_thing *b) {
    return (a->layer & b->mask) && (b->layer & a->mask);
}
/* Is this a worker's copy of the world? Then its batch has escaped. */
static inline bool kini_escape(const kin_world *world) {
    if (world->island == 0) return false;
    world->batches.at[world->island - 1].escaped = true;
    return true;
}
/* Is a body that a search has found in another batch? */
static inline bool kini_is_foreign(const kin_world *world, uint32_t body, uint32_t found) {
    const kini_thing *other = &world->things.at[found];
    if (world->island == 0 || world->islands.at[other->row] == 0 || world->islands.at[other->row] == world->island)
        return false;
    return !kini_layers_meet(&world->things.at[body], other) || kini_escape(world);
}
static inline bool kini_no_room_to_meet(kin_world *world) {
    int32_t bodies = world->island ? world->order.count : world->bodies.count;
    if (world->meetings.count < KINI_MEETINGS * bodies + (world->island ? 0 : KINI_MORE_MEETINGS)) return false;
    world->overflowed = true;
    kini_escape(world);
    return true;
}
/* In stages 4 to 9: can a body meet any other at all? */
static inline bool kini_meets_bodies(const kin_world *world, uint32_t slot) {
    const kini_thing *thing = &world->things.at[slot];
    return (thing->layer & world->crowd_mask) && (thing->mask & world->crowd_layer) && world->live[KIN_BODY] > 1;
}
/* What is around each body is kept only where bodies may meet; it is dropped when they begin to. */
static inline bool kini_company_is_kept(const kin_world *world) {
    return !world->crowd_changed && (world->crowd_layer & world->crowd_mask);
}
static inline bool kini_crowd_meets(const kin_world *world)   /* ... and can any of them? */
{
    return (world->crowd_layer & world->crowd_mask) && world->live[KIN_BODY] > 1;
}
enum { KINI_SPIN_BYTES = KINI_DIM * (KINI_DIM - 1) / 2 * (int)sizeof(float) };
static inline kin_id kini_nobody(void) { kin_id id; id.slot = 0; id.age = 0; return id; }
static inline bool   kini_is_nobody(kin_id id) { return id.slot == 0; }
typedef struct kini_counts { int64_t rows[KINI_SAVED_SECTIONS], controls, attached; } kini_counts;
typedef struct kini_room { void *array; size_t row_bytes; int64_t rows; } kini_room;
enum { KINI_MAX_ROOMS = 64 };

/* ---- shapes of things (object.c) --------------------------------------------------------------------------- */
/* The members that all kinds share when they are added, checked before anything is changed. */
typedef struct kini_entry {
    kini_thing thing;
    kin_pose   local;                 /* as given; not its pose if it is attached */
    void      *user;
    kin_id     attach;                /* of a static: the mover it is part of */
} kini_entry;
/* The descriptors of movers and bodies begin like that of a static. */
enum { KINI_COMMON_BYTES = offsetof(kin_static_desc, one_way) };

/* What a solid meets on its way, or without one how far it is from that. Parts of a grid that have one of the flags in
   `skip` are passed over, unless it is KINI_OUTWARD_ONLY. */
typedef struct kini_ask {
    const kin_world     *world;
    const kini_solid    *solid;
    kin_pose             at;
    kin_vec              travel;
    uint32_t             skip;
    bool                 casts, found;
    bool                 sides, apart;   /* the sides that a grid hides do not count; its cells are not joined */
    kin_hit              hit, next;      /* so far, and the one that is asked about; points are found later */
    float                gap, next_gap;  /* ... at the start, negative inside; if nothing is cast, the least of all */
    float                limit, reach;   /* gap that counts no more; how far around the solid to look */
    float                graze;          /* a ray that misses by this has hit */
    kin_hit              best;           /* of all things so far, see kini_keep_best, */
    float                best_gap;       /* ... its gap at the start, negative inside; */
    bool                 any;            /* ... is there one? */
    const kini_obstacle *piece;          /* that is asked about */
    bool (*each)(struct kini_ask *ask);  /* of each that is nearer: is it kept? [yes] */
} kini_ask;

/* ---- what tiles and meshes offer (tiles.c, cells.c, weld.c, mesh.c) ---------------------------------------------- */
typedef struct kini_web { const kin_vec *points; const int32_t *corners; kini_face *faces; } kini_web;

/* In the grid's axes; `beyond` the corner by so many cells along all. */
static inline kin_vec kini_cell_corner(const kini_grid *grid, kin_cell cell, float beyond) {
    return kini_scale(kini_add(kini_cell_vec(cell), kini_all(beyond)), grid->cell);
}
/* Every piece of a grid (joined cells once), every face of a mesh; for drawing. */
typedef void kini_solid_fn(void *context, const kini_solid *solid, kin_pose at, uint32_t flags);
typedef void kini_face_fn(void *context, const kin_vec *points);

/* ---- snapshots (fields.c, snapshot.c, verify.c) ------------------------------------------------------------------ */
typedef struct kini_saved {           /* the head of a snapshot; settings follow, then sections */
    uint32_t magic, version;          /* of the library */
    uint64_t check;                   /* of all bytes after this one */
    uint64_t bytes;
    uint32_t layout;
    int32_t  apart;                   /* 1: the level's bulk is left out (KINI_SAVES_BULK), and counted all the same */
    int32_t  controls;                /* how many controllers there have to be for its movers and bodies */
    int32_t  rows[KINI_SAVED_SECTIONS];
} kini_saved;

typedef struct kini_view {            /* a snapshot that is being looked at */
    kini_saved           head;
    kin_world            was;         /* its settings */
    const unsigned char *buffer;
    size_t               from[KINI_SAVED_SECTIONS];
} kini_view;

/* How a member is read, and what it may be in a snapshot. */
enum {
    KINI_IS_WORD, KINI_IS_BYTE,       /* a byte is at most `most`, if that is not negative */
    KINI_IS_SHORT,                    /* flags; `most` has those that there are */
    KINI_IS_LONG, KINI_IS_DOUBLE,
    KINI_IS_FLOAT, KINI_IS_SIZE,      /* at most `most` in magnitude; the same, and not negative */
    KINI_IS_VEC,                      /* floats, of vectors in an array */
    KINI_IS_ID,                       /* a handle that the world may have given: its slot can be looked at */
    KINI_IS_COUNT,                    /* 0 to `most`, or to kini_contact_room if that is negative */
    KINI_IS_ROOM,                     /* of the descriptor, but not of the world later */
    KINI_IS_TURN,                     /* from here on in a row that is in use: of length one */
    KINI_IS_ROW,                      /* -1, or a row in use of the section `most` */
    KINI_IS_FACE,                     /* -1 or a part of the handle that is at `most` in the row */
    KINI_IS_CONTROL                   /* -1 or a controller */
};
enum { KINI_HASH_NEVER, KINI_HASH_ALWAYS, KINI_HASH_USED };   /* when a member is hashed; the last: in a row in use */
typedef struct kini_field { uint16_t at; uint8_t type, count, when; float most; } kini_field;
/* A member of the world, and its bytes in a snapshot; with a name, of its descriptor: `most` is then the default. */
typedef struct kini_setting {
    kini_field  field;
    uint8_t     bytes;
    const char *name;
    double      lo, hi;
} kini_setting;
typedef struct kini_section {
    uint16_t          array;          /* in kin_world; 0: gathered from the bodies */
    uint16_t          stride, lasts;  /* bytes of a row in the world, and those that a snapshot holds */
    bool              reused;         /* rows become free, and are used again: the first member of a free one is 0 */
    const kini_field *fields;
    int               field_count;
    const char       *unsound;        /* message if a snapshot is refused for it */
} kini_section;

#define KINI_BEYOND 1e15f    /* nothing gets this far from the origin, however long it flies */
#define KINI_WILDEST 1e18f   /* no number that is computed gets there; its square is still finite */
#define KINI_TOO_FAST (2 * KINI_FASTEST)
#define KINI_TOO_LONG 2.0f   /* of a direction, which has length one */
#define KINI_TOO_WIDE (4 * KINI_LARGEST_SHAPE)
enum { KINI_MOST_COUNTED = INT32_MAX / 2 };   /* of what calls since the last step add up, and go on adding to */

/* ==== src/shapes.h: what the layer "shapes" offers: solids, obstacles, stored shapes, checks of arguments ========= */
/* False: no points, not finite, or too many corners. */
KINI_PART bool       kini_hull_build(kini_hull *out, const kin_vec *points, int count);
/* Core corners, turned; up to KIN_MAX_POINTS. */
KINI_PART int        kini_solid_corners(const kini_solid *solid, kin_rot turn, kin_vec *out);
/* Where two touching shapes meet: the middle of what body and piece share across `normal`, on the piece's surface. */

/* ---- obstacles (obstacle.c, polygon2.c, polytope3.c) ------------------------------------------------------- */
#if KINI_DIM == 3
/* The same for many faces, no needles, around one body whose core is a box: that core is made once. */
KINI_PART void  kini_sum_begin(kini_sum *core, const kini_solid *body, kin_rot turn, kini_obstacle *box);
KINI_PART void  kini_sum_face(kini_obstacle *out, kini_sum *room, const kini_solid *face, const kini_solid *body,
                              const kini_sum *core, const kini_obstacle *box);
#endif
/* Puts a way in its place, keeping the shortest `capacity` of them; returns how many there are now. */
KINI_PART int   kini_ways_add(kini_way *ways, int count, int capacity, kin_vec axis, float length);

/* ==== src/things.h: what the layer "things, levels, and one body among its neighbours" offers ===================== */
KINI_PART void    kini_forget_grid(kin_world *world, int32_t row);
/* Of a grid or mesh, in its own axes. */
KINI_PART void    kini_level_bounds(const kin_world *world, const kini_thing *thing, kin_vec *lo, kin_vec *hi);
KINI_PART void    kini_forget_mesh(kin_world *world, int32_t row);
KINI_PART bool    kini_emit_mesh(kin_world *world, kini_near *near, const kini_frame *frame);
/* NULL: empty. */
KINI_PART const kini_tile *kini_tile_of(const kin_world *world, const kini_thing *thing, int32_t part);
KINI_PART void    kini_leaf_box(const kini_tree *tree, int32_t leaf, kin_vec *lo, kin_vec *hi);
/* A wall beside the place x of a body that meets its end: where it is, and how deep the body is in it at x. */
typedef struct kini_wall { kin_vec x, to, inside; float overlap; int side; } kini_wall;
KINI_PART kin_vec kini_rate_at(const kin_world *world, uint32_t slot, kin_vec point);
/* ---- bodies at rest (idle.c) ------------------------------------------------------------------------------------- */
KINI_PART void kini_wake(kin_world *world, int32_t row);       /* before a body is changed */
/* Is it awake, or can be woken here? */
static inline bool kini_woken(kin_world *world, int32_t row) {
    if (world->idle.at[row]) kini_wake(world, row);
    return !world->idle.at[row];
}
/* Before and after a thing is changed: wakes it, and those that see it. */
KINI_PART void kini_disturb(kin_world *world, uint32_t slot);
KINI_PART void kini_disturb_cell(kin_world *world, const kini_grid *grid, kin_cell cell);
KINI_PART kin_vec kini_seen_velocity(const kin_world *world, int32_t row);   /* by callbacks */
/* Wakes idle bodies that a body may see on its way, or that may see it. */
KINI_PART void kini_watch(kin_world *world, int32_t row, kin_vec way);
KINI_PART void kini_looked(kin_world *world, uint32_t slot, kin_vec lo, kin_vec hi);   /* it has searched this box */
KINI_PART bool    kini_next_cell(kin_cell *cell, kin_cell lo, kin_cell hi);   /* x fastest; false after the last */
/* False: there are more, from near->part_cursor on. */
KINI_PART bool    kini_emit_tiles(kin_world *world, kini_near *near, const kini_frame *frame);
/* Keeps it if it is nearer than what was kept so far. Of the piece obstacle, part, hidden sides and one-way count. */
KINI_PART void  kini_ask_piece(kini_ask *ask, kini_piece *piece, uint32_t flags);
KINI_PART void  kini_ask_box(const kini_ask *ask, kin_vec *lo, kin_vec *hi);   /* around the solid where it starts */
KINI_PART bool kini_is_dropped(const kin_world *world, const kini_near *near, const kini_piece *piece);
KINI_PART kin_vec kini_outward_face(const kini_solid *solid, kin_rot turn, kin_vec out);

/* ==== src/stages.h: what the stages of a step offer each other ==================================================== */
/* ---- the stages -------------------------------------------------------------------------------------------------- */
/* b as an obstacle for a, with both where they are now, or where the step found them. */
KINI_PART void kini_pair_obstacle(const kin_world *world, const kini_body *a, const kini_body *b, bool at_start,
                                  kini_obstacle *out, kini_sum *room);
/* On stable ground: what gravity and leftover gave is gone. */
KINI_PART void kini_stay(kini_body *body);
/* How much wider than the skin a gap at rest may be: a quarter of it; far away, where coordinates are coarse, half. */
static inline float kini_rest_slack(const kin_world *world, float skin) {
    return 0.5f * skin - 0.25f * KINI_SKIN * world->desc.unit;
}
KINI_PART void kini_commit_body(kin_world *world, int32_t row);
KINI_PART bool kini_comes_on(const kin_world *world, uint32_t slot, kin_vec axis);
KINI_PART int32_t kini_pressing_mover(const kin_world *world, kin_id by);   /* -1: none */

/* ==== src/state.h: what the layer "the world as a whole" offers: snapshots ======================================== */
/* Does the body still have this contact, and not only an event to emit for it? */
KINI_PART bool kini_is_shown(const kin_world *world, int32_t row, const kini_contact *contact);
KINI_PART void kini_give_contact(const kin_world *world, uint32_t slot, const kini_contact *contact, kin_contact *out);

/* ==== src/math.c: square root, sine and cosine, arc tangent, power, and the small public values. =====================
   Sines differ from one C library to the next, so these are our own: series in double precision, of +, -, *, / alone,
   which IEEE 754 defines to the bit. Odd functions get their sign last: mirrored arguments give mirrored results. */

static const double KINI_HALF_PI = 1.5707963267948966;

/* One instruction where there is one, by name, because compilers guard sqrtf with a call that sets errno; else the C
   library's; else our own. All round correctly, so all give the same bits. A test asks for our own. */
#ifndef KINI_OWN_ROOT
#if defined(KINEMATIC_SQRT)
static inline float kini_root(float a) { return (float)KINEMATIC_SQRT(a); }
#elif defined(__GNUC__) && defined(__AVX__)
static inline float kini_root(float a) { __asm__("vsqrtss %0, %0, %0" : "+x"(a)); return a; }
#elif defined(__GNUC__) && defined(__SSE__)
static inline float kini_root(float a) { __asm__("sqrtss %0, %0" : "+x"(a)); return a; }
#elif defined(__GNUC__) && defined(__aarch64__) && defined(__ARM_FP)
static inline float kini_root(float a) { __asm__("fsqrt %s0, %s0" : "+w"(a)); return a; }
#elif defined(__wasm__)
static inline float kini_root(float a) { return __builtin_sqrtf(a); }
#elif !defined(KINEMATIC_NO_STDLIB)
static inline float kini_root(float a) { return sqrtf(a); }
#else
#define KINI_OWN_ROOT
#endif
#endif

#ifdef KINI_OWN_ROOT
/* Newton's steps from 1..4 in double precision, then rounded. The root of a float is never within four ulp of a double
   of halfway between two floats, so this is the result that IEEE 754 asks for. */
static float kini_root(float a) {
    double x = (double)a, root = 1.5, scale = 1;
    int    i;
    if (!(a <= KINI_FLT_MAX)) return a;
    for (; x >= 4; x /= 4) scale *= 2;
    for (; x < 1; x *= 4) scale /= 2;
    for (i = 0; i < 6; i++) root = (root + x / root) / 2;
    return (float)(root * scale);
}
#endif

/* Zero for everything that has no root: a sum of squares may have been rounded below zero. */
KINI_PART float kini_sqrt(float a) { return a > 0 ? kini_root(a) : 0; }

/* a modulo a whole turn, for a with more quarters than an int can count. Each subtraction is exact. */
static double kini_unwind(double a) {
    double turns = 4 * KINI_HALF_PI;
    while (turns <= a / 2) turns *= 2;
    for (; turns >= 4 * KINI_HALF_PI; turns /= 2)
        if (a >= turns) a -= turns;
    return a;
}

/* Not turned (sine 0, cosine 1) if the angle is not finite. */
KINI_PART void kini_sine(float radians, float *sine, float *cosine) {
    double a = (double)kini_abs(radians), r, s, c, swap;
    int    quarter;
    *sine = 0;
    *cosine = 1;
    if (!kini_finite(radians)) return;
    if (a > 1e6) a = kini_unwind(a);
    quarter = (int)(a / KINI_HALF_PI + 0.5);
    a -= quarter * KINI_HALF_PI;
    r = a * a;
    s = a - a * r * (1.0 / 6 - r * (1.0 / 120 - r * (1.0 / 5040 - r * (1.0 / 362880 - r / 39916800))));
    c = 1 - r * (1.0 / 2 - r * (1.0 / 24 - r * (1.0 / 720 - r * (1.0 / 40320 - r * (1.0 / 3628800 - r / 479001600)))));
    if (quarter & 1) { swap = s; s = c; c = -swap; }
    if (quarter & 2) { s = -s; c = -c; }
    *sine = (float)(radians < 0 ? -s : s);
    *cosine = (float)c;
}

/* Zero if both are zero, both infinite or one is not a number. */
KINI_PART float kini_arc_tangent(float y, float x) {
    double across = (double)kini_abs(x), up = (double)kini_abs(y), angle = 0, sum = 0;
    bool   steep = up > across;
    double t = steep ? across / up : up / across;
    int    n;
    if (!(t <= 1)) return 0;
    if (t > 0.4142135623730950) {   /* tan(pi/8): turn back by pi/4, as the series is slow near 1 */
        t = (t - 1) / (t + 1);
        angle = KINI_HALF_PI / 2;
    }
    for (n = 23; n >= 3; n -= 2) sum = t * t * (1.0 / n - sum);
    angle += t - t * sum;
    if (steep) angle = KINI_HALF_PI - angle;
    if (x < 0) angle = 2 * KINI_HALF_PI - angle;
    return (float)(y < 0 ? -angle : angle);
}

/* Binary logarithm of a > 0, at most 1. */
static double kini_log2(double a) {
    double whole = 0, s, r, sum = 0;
    int    n;
    for (; a < 0.7071067811865476; a *= 2) whole -= 1;
    s = (a - 1) / (a + 1);
    r = s * s;
    for (n = 13; n >= 3; n -= 2) sum = r * (1.0 / n + sum);
    return whole + 2.8853900817779268 * (s + s * sum);   /* 2 / ln 2 */
}

/* A base outside 0..1 counts as the nearest of these, an exponent below 0 as 0. */
KINI_PART float kini_power(float base, float exponent) {
    double a, x, sum = 1;
    int    whole, n;
    if (!(exponent > 0) || base >= 1) return 1;
    if (!(base > 0)) return 0;
    a = -kini_log2((double)base) * (double)exponent;
    if (!(a < 150)) return 0;
    whole = (int)(a + 0.5);
    x = (whole - a) * 0.6931471805599453;   /* ln 2 */
    for (n = 11; n >= 1; n--) sum = 1 + sum * x / n;
    for (; whole > 0; whole--) sum /= 2;
    return (float)sum;
}

KIN_API int kin_version(void) { return KIN_VERSION; }

#if KINI_DIM == 2
KIN_API kin_vec kin_v(float x, float y) { kin_vec v; v.x = x; v.y = y; return v; }
KIN_API kin_cell kin_c(int x, int y) { kin_cell c; c.x = x; c.y = y; return c; }

KIN_API kin_rot kin_turn(float radians) {
    kin_rot q;
    kini_sine(radians, &q.s, &q.c);
    return q;
}

KINI_PART kin_rot kini_spin_turn(kin_spin w, float dt) { return kin_turn(w * dt); }
#else
KIN_API kin_vec kin_v(float x, float y, float z) { kin_vec v; v.x = x; v.y = y; v.z = z; return v; }
KIN_API kin_cell kin_c(int x, int y, int z) { kin_cell c; c.x = x; c.y = y; c.z = z; return c; }

/* The quaternion (v, w), or not turned if it is none. */
static kin_rot kini_quaternion(kin_vec v, float w) {
    kin_rot q;
    q.x = v.x; q.y = v.y; q.z = v.z; q.w = w;
    return kini_rot_len2(q) > 0.5f ? q : kini_unturned();
}

KIN_API kin_rot kin_turn(kin_vec axis, float radians) {
    float sine, cosine;
    kini_sine(radians / 2, &sine, &cosine);
    if (!kini_vec_finite(axis) || kini_is_zero(axis)) return kini_unturned();
    return kini_quaternion(kini_scale(kini_unit(axis), sine), cosine);
}

/* Angles too small for their square to be worth a root take the start of the series. */
KINI_PART kin_rot kini_spin_turn(kin_spin w, float dt) {
    kin_vec half = kini_scale(w, dt / 2);
    float   r = kini_len2(half), length, sine, cosine;
    if (r < KINI_TINY_TURN) return kini_quaternion(kini_scale(half, 1 - r / 6), 1 - r / 2);
    length = kini_sqrt(r);
    kini_sine(length, &sine, &cosine);
    return kini_quaternion(kini_scale(half, sine / length), cosine);
}
#endif

/* ==== src/memory.c: allocation, growing arrays, and log messages. ====================================================
   A world takes memory from the user's functions, from the C library or, if made by kin_world_create_in, from one block
   that is handed out front to back: its last piece can grow in place and be given back. A failed allocation changes
   nothing. Messages are formatted without the C library, so that they are the same everywhere. */

KINI_PART void kini_copy(void *to, const void *from, size_t bytes) {
#ifdef KINEMATIC_MEMCPY
    if (bytes) KINEMATIC_MEMCPY(to, from, bytes);
#else
    unsigned char       *t = (unsigned char *)to;
    const unsigned char *f = (const unsigned char *)from;
    size_t               i;
    for (i = 0; i < bytes; i++) t[i] = f[i];
#endif
}

KINI_PART void kini_clear(void *memory, size_t bytes) {
#ifdef KINEMATIC_MEMSET
    if (bytes) KINEMATIC_MEMSET(memory, 0, bytes);
#else
    unsigned char *m = (unsigned char *)memory;
    size_t         i;
    for (i = 0; i < bytes; i++) m[i] = 0;
#endif
}

KINI_PART bool kini_same_bytes(const void *a, const void *b, size_t bytes) {
    const unsigned char *s = (const unsigned char *)a, *t = (const unsigned char *)b;
    uint64_t             x, y;
    for (; bytes >= sizeof x; bytes -= sizeof x, s += sizeof x, t += sizeof y) {
        kini_copy(&x, s, sizeof x);
        kini_copy(&y, t, sizeof y);
        if (x != y) return false;
    }
    while (bytes > 0 && s[bytes - 1] == t[bytes - 1]) bytes--;
    return bytes == 0;
}

/* -0 reads as 0 */
KINI_PART uint32_t kini_float_bits(float value) {
    uint32_t bits;
    value += 0.0f;
    kini_copy(&bits, &value, sizeof bits);
    return bits;
}

/* ---- allocation, from the user or from the arena of kin_world_create_in ------------------------------------------ */
KINI_PART size_t kini_aligned(size_t bytes) { return (bytes + (KINI_ALIGN - 1)) & ~(size_t)(KINI_ALIGN - 1); }

static bool kini_is_last(const kini_arena *arena, const void *memory, size_t bytes) {
    return arena->used >= kini_aligned(bytes) &&
           arena->memory + (arena->used - kini_aligned(bytes)) == (const unsigned char *)memory;
}

static void *kini_arena_take(kini_arena *arena, size_t bytes) {
    void *memory = arena->memory + arena->used;
    if (bytes > arena->bytes || kini_aligned(bytes) > arena->bytes - arena->used) return NULL;
    arena->used += kini_aligned(bytes);
    return memory;
}

KINI_PART void *kini_allocate(kin_world *world, size_t bytes) {
    if (bytes == 0 || bytes > (size_t)-1 - KINI_ALIGN) return NULL;
    if (world->arena.memory) return kini_arena_take(&world->arena, bytes);
    if (world->desc.allocate) return world->desc.allocate(bytes, world->desc.user);
    return KINEMATIC_MALLOC(bytes);
}

KINI_PART void kini_release(kin_world *world, void *memory, size_t bytes) {
    if (!memory) return;
    if (world->arena.memory) world->arena.used -= kini_is_last(&world->arena, memory, bytes) ? kini_aligned(bytes) : 0;
    else if (world->desc.release) world->desc.release(memory, bytes, world->desc.user);
    else KINEMATIC_FREE(memory);
}

/* A block with the same contents and another size, or NULL and the old one is as it was. */
static void *kini_resize(kin_world *world, void *memory, size_t bytes, size_t rows, size_t row_bytes) {
    size_t wanted = rows * row_bytes;
    void  *fresh;
    if (rows > (size_t)-1 / row_bytes) return NULL;
    if (memory && world->arena.memory && kini_is_last(&world->arena, memory, bytes))
        return kini_arena_take(&world->arena, kini_aligned(wanted) - kini_aligned(bytes)) ? memory : NULL;
    fresh = kini_allocate(world, wanted);
    if (!fresh) return NULL;
    kini_copy(fresh, memory, bytes);
    kini_release(world, memory, bytes);
    return fresh;
}

/* ---- growing arrays --------------------------------------------------------------------------------------------- */
KINI_PART bool kini_grow(kin_world *world, void *array, size_t row_bytes, int32_t rows) {
    kini_rows now;
    int32_t   ample;
    size_t    old;
    void     *at;
    kini_copy(&now, array, sizeof now);
    if (rows <= now.capacity) return true;
    old = (size_t)now.capacity * row_bytes;
    ample = now.capacity > INT32_MAX / 2 - 8 ? INT32_MAX : now.capacity + now.capacity / 2 + 8;
    if (now.capacity == 0 || ample < rows) ample = rows;
    at = kini_resize(world, now.at, old, (size_t)ample, row_bytes);
    if (!at && ample > rows)   /* modestly, if not amply */
        at = kini_resize(world, now.at, old, (size_t)(ample = rows), row_bytes);
    if (!at) return false;
    now.at = at;
    now.capacity = ample;
    kini_clear((unsigned char *)at + old, (size_t)ample * row_bytes - old);
    world->bytes += (size_t)ample * row_bytes - old;
    kini_copy(array, &now, sizeof now);
    return true;
}

/* Gives the room of a KINI_ARRAY back. */
KINI_PART void kini_drop(kin_world *world, void *array, size_t row_bytes) {
    kini_rows now;
    kini_copy(&now, array, sizeof now);
    kini_release(world, now.at, (size_t)now.capacity * row_bytes);
    kini_clear(array, sizeof now);
}

KINI_PART void kini_cut_rows(void *array, size_t row_bytes, int32_t first, int32_t count) {
    kini_rows      now;
    unsigned char *to;
    size_t         cut = (size_t)count * row_bytes, rest, piece;
    kini_copy(&now, array, sizeof now);
    if (count == 0) return;
    to = (unsigned char *)now.at + (size_t)first * row_bytes;
    for (rest = (size_t)(now.count - first - count) * row_bytes; rest > 0; rest -= piece, to += piece) {
        piece = rest < cut ? rest : cut;
        kini_copy(to, to + cut, piece);
    }
    kini_clear(to, cut);
    now.count -= count;
    kini_copy(array, &now, sizeof now);
}

/* ---- messages ---------------------------------------------------------------------------------------------------- */
enum { KINI_TEXT_ROOM = 240, KINI_DIGITS = 6 };
typedef struct kini_text { char at[KINI_TEXT_ROOM]; int length; } kini_text;

static void kini_put_char(kini_text *text, char c) {
    if (text->length < KINI_TEXT_ROOM - 1) text->at[text->length++] = c;
    text->at[text->length] = 0;
}

static void kini_put(kini_text *text, const char *words) {
    for (; *words; words++) kini_put_char(text, *words);
}

static void kini_put_natural(kini_text *text, uint32_t number) {
    uint32_t place = 1;
    while (number / place >= 10) place *= 10;
    for (; place > 0; place /= 10) kini_put_char(text, (char)('0' + number / place % 10));
}

/* Six digits as 0.00123, 12.5, 1200 or, if very large or small, 1.25e+12. */
static void kini_put_float(kini_text *text, float number) {
    char     digits[KINI_DIGITS];
    double   scaled = (double)number;
    int      exponent = 0, count = KINI_DIGITS, point, i;
    uint32_t whole;
    bool     plain;
    if (number < 0) { kini_put_char(text, '-'); scaled = -scaled; }
    if (!kini_finite(number)) { kini_put(text, number < 0 || number > 0 ? "inf" : "nan"); return; }
    if (!(scaled > 0)) { kini_put_char(text, '0'); return; }
    while (scaled >= 10) { scaled /= 10; exponent++; }
    while (scaled < 1) { scaled *= 10; exponent--; }
    whole = (uint32_t)(scaled * 1e5 + 0.5);
    if (whole >= 1000000) { whole /= 10; exponent++; }
    for (i = KINI_DIGITS - 1; i >= 0; i--, whole /= 10) digits[i] = (char)('0' + whole % 10);
    while (count > 1 && digits[count - 1] == '0') count--;
    plain = exponent >= -4 && exponent < 9;
    point = plain ? exponent : 0;
    if (point < 0) kini_put(text, "0.");
    for (i = point + 1; i < 0; i++) kini_put_char(text, '0');
    for (i = 0; i < count || i <= point; i++) {
        if (i > 0 && i == point + 1) kini_put_char(text, '.');
        kini_put_char(text, i < count ? digits[i] : '0');
    }
    if (plain) return;
    kini_put(text, exponent < 0 ? "e-" : "e+");
    kini_put_natural(text, (uint32_t)(exponent < 0 ? -exponent : exponent));
}

static void kini_begin_text(kini_text *text, const char *call, const char *argument, const char *what) {
    text->length = 0;
    for (; *call; call++)
        if (*call != '0' + KINI_DIM) kini_put_char(text, *call);   /* for the linker, names begin with kin2_ or kin3_ */
    kini_put(text, ": ");
    kini_put(text, argument);
    kini_put_char(text, ' ');
    kini_put(text, what);
}

static bool kini_send(const kin_world *world, const kini_text *text) {
    if (world && world->desc.on_log) world->desc.on_log(text->at, world->desc.user);
#ifndef KINEMATIC_NO_STDIO
    else if (fputs(text->at, stderr) >= 0) (void)fputc('\n', stderr);
#endif
    return false;
}

/* Logs "call: argument text (value)" and returns false, for `return kini_refuse(...)`. */
KINI_PART bool kini_refuse(const kin_world *world, const char *call, const char *argument, const char *what) {
    kini_text text;
    kini_begin_text(&text, call, argument, what);
    return kini_send(world, &text);
}

/* What was made by another version than this one. */
KINI_PART bool kini_refuse_version(const kin_world *world, const char *call, const char *argument, uint32_t version) {
    kini_text text;
    int       i;
    kini_begin_text(&text, call, argument, "is from version ");
    for (i = 0; i < 2; i++, version = KIN_VERSION) {
        if (i > 0) kini_put(&text, ", this is ");
        kini_put_natural(&text, version / 10000);
        kini_put_char(&text, '.');
        kini_put_natural(&text, version / 100 % 100);
        kini_put_char(&text, '.');
        kini_put_natural(&text, version % 100);
    }
    return kini_send(world, &text);
}

/* names that, if less than all */
KINI_PART bool kini_refuse_floats(const kin_world *world, const char *call, const char *argument, const char *what,
                                  const void *value, size_t bytes, float most) {
    const char *before = " (";
    kini_text   text;
    float       number;
    size_t      at;
    kini_begin_text(&text, call, argument, what);
    for (at = 0; at < bytes; at += sizeof number, before = ", ") {
        kini_copy(&number, (const char *)value + at, sizeof number);
        kini_put(&text, before);
        kini_put_float(&text, number);
    }
    kini_put(&text, most < KINI_FLT_MAX ? "), at most " : ")");
    if (most < KINI_FLT_MAX) kini_put_float(&text, most);
    return kini_send(world, &text);
}

KINI_PART bool kini_refuse_number(const kin_world *world, const char *call, const char *argument, const char *what,
                                  float value) {
    return kini_refuse_floats(world, call, argument, what, &value, sizeof value, KINI_FLT_MAX);
}

KINI_PART bool kini_refuse_id(const kin_world *world, const char *call, const char *argument, const char *what,
                              kin_id value) {
    kini_text text;
    kini_begin_text(&text, call, argument, what);
    kini_put(&text, " (slot ");
    kini_put_natural(&text, value.slot);
    kini_put(&text, ", age ");
    kini_put_natural(&text, value.age);
    kini_put_char(&text, ')');
    return kini_send(world, &text);
}

/* Names the limit as well. Without a call nothing is logged. */
KINI_PART bool kini_refuse_range(const kin_world *world, const char *call, const char *argument, double value,
                                 double lo, double hi, const char *unit) {
    float     number = (float)value;
    kini_text text;
    bool      less = value < lo;
    if (!call) return false;
    kini_begin_text(&text, call, argument,
                    !kini_finite(number) ? "is not finite" : less ? "is too small" : "is too large");
    kini_put(&text, " (");
    kini_put_float(&text, number);
    kini_put(&text, less ? "), at least " : "), at most ");
    kini_put_float(&text, (float)(less ? lo : hi));
    kini_put(&text, unit);
    return kini_send(world, &text);
}

/* ==== src/fields.c: one line for every stored member, one for every stored array. ====================================
   Saving, loading, verifying and hashing all follow these lists, in their order. The first member of a row that can
   be free is zero while it is. tests/unit/test_snapshot.c fails if a byte of a struct is in no line or in two. */

/* Plain tables: struct, member, how it is read (KINI_IS_...), how many, hashed when (KINI_HASH_...), limit. */
#define KINI_FIELD(type, member, kind, count, when, most) \
    { offsetof(type, member), KINI_IS_##kind, count, KINI_HASH_##when, most }
#define KINI_WORD(type, member, when) KINI_FIELD(type, member, WORD, 1, when, -1)
#define KINI_ROW(type, member, when, section) KINI_FIELD(type, member, ROW, 1, when, KINI_SAVES_##section)
#define KINI_COUNT(type, member, when, most) KINI_FIELD(type, member, COUNT, 1, when, most)
#define KINI_VEC(type, member, when, most) KINI_FIELD(type, member, FLOAT, KINI_DIM, when, most)
#define KINI_SPIN(type, member, when, most) KINI_FIELD(type, member, FLOAT, KINI_DIM * (KINI_DIM - 1) / 2, when, most)
#define KINI_POSE(type, member, when) \
    KINI_VEC(type, member.p, when, KINI_BEYOND), KINI_FIELD(type, member.q, TURN, 2 * KINI_DIM - 2, when, -1)
#define KINI_SURFACE(type) \
    KINI_VEC(type, surface.one_way, USED, KINI_TOO_LONG), KINI_VEC(type, surface.velocity, USED, KINI_TOO_FAST)
#define KINI_FACE(type, member, id, when) KINI_FIELD(type, member, FACE, 1, when, offsetof(type, id))
#define KINI_ID(type, member, count, when) KINI_FIELD(type, member, ID, count, when, -1)
#define KINI_BYTE(type, member, when, most) KINI_FIELD(type, member, BYTE, 1, when, most)
#define KINI_UNUSED(type, member, count) KINI_FIELD(type, member, BYTE, count, NEVER, -1)

static const kini_field kini_fields_thing[] = {
    KINI_BYTE(kini_thing, kind, ALWAYS, KIN_BODY), KINI_WORD(kini_thing, age, ALWAYS),
    KINI_WORD(kini_thing, row, ALWAYS), KINI_VEC(kini_thing, p, USED, KINI_BEYOND),
    KINI_FIELD(kini_thing, q, TURN, 2 * KINI_DIM - 2, USED, -1), KINI_WORD(kini_thing, layer, USED),
    KINI_WORD(kini_thing, mask, USED),
    KINI_FIELD(kini_thing, flags, SHORT, 1, USED, 2047 | KINI_RESHAPED | KINI_SENSES),
    KINI_BYTE(kini_thing, form, USED, KINI_FORM_MESH), KINI_ROW(kini_thing, shape, USED, SHAPES)
};

static const kini_field kini_fields_static[] = {
    KINI_WORD(kini_static, slot, ALWAYS), KINI_SURFACE(kini_static),
    KINI_POSE(kini_static, local, USED), KINI_ID(kini_static, attach, 1, USED),
    KINI_WORD(kini_static, next_part, NEVER), KINI_WORD(kini_static, level, NEVER)
};

static const kini_field kini_fields_mover[] = {
    KINI_WORD(kini_mover, slot, ALWAYS), KINI_SURFACE(kini_mover),
    KINI_VEC(kini_mover, velocity, USED, KINI_TOO_FAST), KINI_SPIN(kini_mover, spin, USED, KINI_TOO_FAST),
    KINI_POSE(kini_mover, before, USED), KINI_VEC(kini_mover, rate, USED, KINI_WILDEST),
    KINI_SPIN(kini_mover, turn_rate, USED, KINI_TOO_FAST), KINI_ID(kini_mover, blocked_by, 2, USED),
    KINI_BYTE(kini_mover, carry, USED, KIN_CARRY_NONE), KINI_BYTE(kini_mover, on_blocked, USED, KIN_BLOCKED_STOP),
    KINI_BYTE(kini_mover, state, USED, -1), KINI_POSE(kini_mover, target, USED),
    KINI_WORD(kini_mover, parts, NEVER), KINI_POSE(kini_mover, drawn, NEVER),
    KINI_FIELD(kini_mover, control, CONTROL, 1, NEVER, -1), KINI_UNUSED(kini_mover, pad, 1)
};

#define KINI_STAND(member, when) \
    KINI_ID(kini_body, member.id, 1, when), KINI_VEC(kini_body, member.normal, when, KINI_TOO_LONG), \
    KINI_VEC(kini_body, member.point, when, KINI_WILDEST), KINI_VEC(kini_body, member.velocity, when, KINI_WILDEST), \
    KINI_VEC(kini_body, member.local, when, KINI_WILDEST), KINI_FACE(kini_body, member.part, member.id, when), \
    KINI_BYTE(kini_body, member.footing, when, KIN_STEEP), KINI_BYTE(kini_body, member.support, when, KINI_ON_EDGE), \
    KINI_UNUSED(kini_body, member.pad, 2)
#define KINI_NUMBER_FIELD(member, kind, most, otherwise) KINI_FIELD(kini_body, options.member, kind, 1, USED, most),
#define KINI_CHOICE_FIELD(member, type, last) KINI_BYTE(kini_body, options.member, USED, last),
static const kini_field kini_fields_body[] = {
    KINI_WORD(kini_body, slot, ALWAYS), KINI_VEC(kini_body, velocity, USED, KINI_WILDEST),
    KINI_VEC(kini_body, leftover, USED, KINI_WILDEST), KINI_VEC(kini_body, given, USED, KINI_WILDEST),
    KINI_VEC(kini_body, motion, USED, KINI_WILDEST), KINI_VEC(kini_body, lead, USED, KINI_WILDEST),
    KINI_STAND(stand, USED), KINI_STAND(last, USED), KINI_ID(kini_body, squeezed_by, 2, USED),
    KINI_ID(kini_body, drops_through, 1, USED), KINI_VEC(kini_body, drop_from, USED, KINI_WILDEST),
    KINI_BODY_OPTIONS(KINI_NUMBER_FIELD, KINI_CHOICE_FIELD) KINI_WORD(kini_body, state, USED),
    KINI_COUNT(kini_body, contact_count, USED, -1), KINI_POSE(kini_body, drawn, NEVER),
    KINI_UNUSED(kini_body, options.pad, 3),
    KINI_FIELD(kini_body, control, CONTROL, 1, NEVER, -1), KINI_VEC(kini_body, gravity, USED, KINI_FASTEST),
    KINI_WORD(kini_body, parts, NEVER)
};

static const kini_field kini_fields_contact[] = {
    KINI_ID(kini_contact, other, 1, ALWAYS), KINI_VEC(kini_contact, normal, ALWAYS, KINI_TOO_LONG),
    KINI_FIELD(kini_contact, gap, FLOAT, 2, ALWAYS, KINI_WILDEST),   /* and speed */
    KINI_FACE(kini_contact, part, other, ALWAYS), KINI_WORD(kini_contact, flags, ALWAYS)
};

static const kini_field kini_fields_sensed[] = {
    KINI_ID(kini_sensed, by, 1, ALWAYS), KINI_ID(kini_sensed, it.other, 1, ALWAYS),
    KINI_VEC(kini_sensed, it.normal, ALWAYS, KINI_TOO_LONG),
    KINI_FIELD(kini_sensed, it.gap, FLOAT, 2, ALWAYS, KINI_WILDEST), KINI_FACE(kini_sensed, it.part, it.other, ALWAYS),
    KINI_WORD(kini_sensed, it.flags, ALWAYS)
};

static const kini_field kini_fields_shape[] = {
    KINI_COUNT(kini_shape, users, NEVER, 1 << 30), KINI_VEC(kini_shape, centre, NEVER, KINI_TOO_WIDE),
    KINI_FIELD(kini_shape, half, SIZE, KINI_DIM, NEVER, KINI_TOO_WIDE),
    KINI_FIELD(kini_shape, radius, SIZE, 3, NEVER, KINI_TOO_WIDE),   /* and width, reach */
    KINI_ROW(kini_shape, hull, NEVER, HULLS), KINI_WORD(kini_shape, key, NEVER)
};

static const kini_field kini_fields_hull[] = {
    KINI_COUNT(kini_hull, count, NEVER, KIN_MAX_POINTS), KINI_WORD(kini_hull, owner, NEVER),
    KINI_FIELD(kini_hull, points, VEC, KIN_MAX_POINTS, NEVER, KINI_TOO_WIDE),
    KINI_FIELD(kini_hull, normals, VEC, KINI_MAX_FACES, NEVER, KINI_TOO_LONG),
    KINI_UNUSED(kini_hull, edges, KINI_MAX_EDGES * 2), KINI_UNUSED(kini_hull, sides, KINI_MAX_EDGES * 2),
    KINI_COUNT(kini_hull, face_count, NEVER, KINI_MAX_FACES), KINI_COUNT(kini_hull, edge_count, NEVER, KINI_MAX_EDGES)
};

static const kini_field kini_fields_pair[] = { KINI_WORD(kini_pair, a, ALWAYS), KINI_WORD(kini_pair, b, ALWAYS) };

static const kini_field kini_fields_event[] = {
    KINI_COUNT(kin_event, type, NEVER, KIN_EVENT_BLOCKED), KINI_FIELD(kin_event, a, WORD, 6, NEVER, -1),
    KINI_VEC(kin_event, normal, NEVER, KINI_TOO_LONG), KINI_VEC(kin_event, point, NEVER, KINI_WILDEST),
    KINI_FIELD(kin_event, speed, FLOAT, 1, NEVER, KINI_WILDEST), KINI_WORD(kin_event, part, NEVER),
    KINI_FIELD(kin_event, step, LONG, 1, NEVER, -1)
};

static const kini_field kini_fields_grid[] = {
    KINI_WORD(kini_grid, slot, ALWAYS), KINI_FIELD(kini_grid, size, WORD, KINI_DIM, USED, -1),
    KINI_FIELD(kini_grid, cell, SIZE, 1, USED, KINI_LARGEST_SHAPE), KINI_FIELD(kini_grid, key, LONG, 1, USED, -1),
    KINI_FIELD(kini_grid, cells, WORD, 2, NEVER, -1), KINI_WORD(kini_grid, tiles, NEVER),
    KINI_COUNT(kini_grid, tile_count, NEVER, 256)
};

static const kini_field kini_fields_tile[] = {
    KINI_FIELD(kini_tile, flags, SHORT, 1, ALWAYS, UINT16_MAX), KINI_VEC(kini_tile, one_way, ALWAYS, KINI_TOO_LONG),
    KINI_VEC(kini_tile, surface_velocity, ALWAYS, KINI_TOO_FAST), KINI_ROW(kini_tile, shape, ALWAYS, SHAPES),
    KINI_UNUSED(kini_tile, faces, 1), KINI_UNUSED(kini_tile, covers, 1)
};

static const kini_field kini_fields_mesh[] = {
    KINI_WORD(kini_mesh, slot, ALWAYS), KINI_FIELD(kini_mesh, key, LONG, 1, USED, -1),
    KINI_VEC(kini_mesh, lo, NEVER, KINI_FURTHEST), KINI_VEC(kini_mesh, hi, NEVER, KINI_FURTHEST),
    KINI_FIELD(kini_mesh, points, WORD, 4, NEVER, -1), KINI_UNUSED(kini_mesh, pad, 4)
};

/* ---- settings: what a world has beside its arrays ---------------------------------------------------------------- */
#define KINI_WIDTH(kind) (KINI_IS_##kind == KINI_IS_ROOM ? 0 : KINI_IS_##kind == KINI_IS_BYTE ? 1 : \
                          KINI_IS_##kind == KINI_IS_LONG || KINI_IS_##kind == KINI_IS_DOUBLE ? 8 : 4)
#define KINI_SETTING(member, kind, count, when, lo, hi) \
    { KINI_FIELD(kin_world, member, kind, count, when, 0), KINI_WIDTH(kind) * (count), NULL, lo, hi }
#define KINI_GIVEN(member, kind, count, when, lo, hi, otherwise) \
    { KINI_FIELD(kin_world, desc.member, kind, count, when, otherwise), KINI_WIDTH(kind) * (count), #member, \
      (double)(lo), (double)(hi) }
#define KINI_GIVEN_ROOM(member) KINI_GIVEN(member, ROOM, 1, NEVER, 0, KINI_MOST_THINGS / 4, 0)

static const kini_setting kini_settings[] = {
    KINI_GIVEN(gravity, FLOAT, KINI_DIM, ALWAYS, -KINI_FASTEST, KINI_FASTEST, 0),
    KINI_GIVEN(up, FLOAT, KINI_DIM, ALWAYS, -KINI_FLT_MAX, KINI_FLT_MAX, 0),
    KINI_GIVEN(rate, FLOAT, 1, ALWAYS, 1 / KINI_LONGEST_STEP, 1e6f, 128),
    KINI_GIVEN(max_catch_up, FLOAT, 1, ALWAYS, 0, 3600, 1),
    KINI_GIVEN(unit, FLOAT, 1, ALWAYS, 1 / 1e6f, 1e6f, 1),
    KINI_GIVEN(max_speed, FLOAT, 1, ALWAYS, 0, KINI_FASTEST, 1e5f),   /* times unit */
    KINI_GIVEN(max_rounds, WORD, 1, ALWAYS, 1, 1000, 10),
    KINI_GIVEN(max_contacts, WORD, 1, ALWAYS, 1, 4096, 16),
    KINI_GIVEN(max_sensor_contacts, WORD, 1, ALWAYS, 1, 4096, 32),
    KINI_SETTING(up, FLOAT, KINI_DIM, ALWAYS, -2, 2), KINI_SETTING(time_left, DOUBLE, 1, ALWAYS, 0, 1e9),
    KINI_SETTING(steps, LONG, 1, ALWAYS, 0, 0), KINI_SETTING(dt, FLOAT, 1, ALWAYS, 0, (double)KINI_LONGEST_STEP),
    KINI_SETTING(dropped, DOUBLE, 1, NEVER, 0, 1e12),
    KINI_GIVEN(max_events, WORD, 1, NEVER, 1, KINI_MOST_EVENTS, 1024),
    KINI_SETTING(attached, WORD, 1, NEVER, 0, INT32_MAX), KINI_SETTING(sensers, WORD, 1, NEVER, 0, INT32_MAX),
    KINI_SETTING(pending, WORD, 1, NEVER, 0, KINI_MOST_COUNTED),
    KINI_SETTING(shifted, WORD, 1, NEVER, 0, KINI_MOST_COUNTED),
    KINI_SETTING(going, WORD, 1, NEVER, 0, KINI_MOST_COUNTED), KINI_SETTING(overflowed, BYTE, 1, NEVER, 0, 1),
    KINI_GIVEN_ROOM(statics), KINI_GIVEN_ROOM(movers), KINI_GIVEN_ROOM(bodies), KINI_GIVEN_ROOM(sensing),
    KINI_GIVEN(hulls, ROOM, 1, NEVER, 0, KINI_MOST_THINGS / 4, 64),
    KINI_GIVEN(workers, ROOM, 1, NEVER, 0, KINI_MOST_WORKERS, 0)
};

/* NULL after the last one */
KINI_PART const kini_setting *kini_setting_at(int number) {
    return number < (int)(sizeof kini_settings / sizeof *kini_settings) ? &kini_settings[number] : NULL;
}

/* One of the numbers that a setting has. */
static double kini_setting_number(const kini_setting *setting, const kin_world *world, int i) {
    const char *at = (const char *)world + setting->field.at;
    switch (setting->field.type) {
    case KINI_IS_BYTE: return *(const unsigned char *)at;
    case KINI_IS_LONG: return 0;
    case KINI_IS_DOUBLE: return *(const double *)(const void *)at;
    case KINI_IS_FLOAT: return (double)((const float *)(const void *)at)[i];
    default: return ((const int32_t *)(const void *)at)[i];
    }
}

KINI_PART bool kini_check_settings(const kin_world *world, const char *call) {
    const kini_setting *setting;
    int                 i, k;
    for (i = 0; (setting = kini_setting_at(i)) != NULL; i++)
        for (k = 0; k < setting->field.count; k++) {
            double number = kini_setting_number(setting, world, k);
            if (number >= setting->lo && number <= setting->hi) continue;
            return kini_refuse_range(world, call, setting->name, number, setting->lo, setting->hi, "");
        }
    return true;
}

/* where the descriptor has 0 */
KINI_PART void kini_default_settings(kin_world *world) {
    const kini_setting *setting;
    int                 i;
    for (i = 0; (setting = kini_setting_at(i)) != NULL; i++) {
        double number = kini_setting_number(setting, world, 0);
        void  *at = (char *)world + setting->field.at;
        if (!(setting->field.most > 0) || !(number >= 0 && number <= 0)) continue;
        if (setting->field.type == KINI_IS_FLOAT) *(float *)at = setting->field.most;
        else *(int32_t *)at = (int32_t)setting->field.most;
        if (at == &world->desc.max_speed) world->desc.max_speed *= world->desc.unit;
    }
}

/* ---- sections: the arrays of a snapshot, in its order ------------------------------------------------------------ */
#define KINI_STRIDE(array) sizeof *((kin_world *)0)->array.at
#define KINI_FIELDS(of, what) kini_fields_##of, (int)(sizeof kini_fields_##of / sizeof *kini_fields_##of), \
                              "has " what " that are not sound"
/* Rows that are removed with their thing; rows that stay, or are cut out of their array; bytes without fields. */
#define KINI_REUSED(array, lasts, of, what) \
    { offsetof(kin_world, array), KINI_STRIDE(array), lasts, true, KINI_FIELDS(of, what) }
#define KINI_ROWS(array, lasts, of, what) \
    { offsetof(kin_world, array), KINI_STRIDE(array), lasts, false, KINI_FIELDS(of, what) }
#define KINI_BULK(array, lasts) { offsetof(kin_world, array), KINI_STRIDE(array), lasts, false, NULL, 0, NULL }

static const kini_section kini_sections[] = {
    KINI_REUSED(things, KINI_THING_LASTS, thing, "things"),
    KINI_BULK(users, sizeof(uint64_t)),
    KINI_REUSED(statics, sizeof(kini_static), static, "statics"),
    KINI_REUSED(movers, sizeof(kini_mover), mover, "movers"),
    KINI_REUSED(bodies, KINI_BODY_LASTS, body, "bodies"),
    { 0, sizeof(kini_contact), sizeof(kini_contact), false, KINI_FIELDS(contact, "contacts") },
    KINI_ROWS(sensed, sizeof(kini_sensed), sensed, "contacts"),
    KINI_REUSED(shapes, sizeof(kini_shape), shape, "shapes"),
    KINI_REUSED(hulls, sizeof(kini_hull), hull, "shapes"),
    KINI_ROWS(ignored, sizeof(kini_pair), pair, "pairs"),
    KINI_ROWS(events, sizeof(kin_event), event, "events"),
    KINI_REUSED(grids, sizeof(kini_grid), grid, "levels"),
    KINI_ROWS(tiles, sizeof(kini_tile), tile, "levels"),
    KINI_REUSED(meshes, KINI_MESH_LASTS, mesh, "levels"),
    KINI_BULK(mesh_points, sizeof(kin_vec)), KINI_BULK(mesh_corners, sizeof(int32_t)),
    KINI_BULK(cells, sizeof(uint8_t))
};

KINI_PART const kini_section *kini_section_of(int section) { return &kini_sections[section]; }

KINI_PART bool kini_row_used(const kini_section *section, const void *row) {
    const unsigned char *at = (const unsigned char *)row + section->fields->at;
    uint32_t             first = *at;
    if (section->fields->type != KINI_IS_BYTE) kini_copy(&first, at, sizeof first);
    return first != 0 || !section->reused;
}

KINI_PART kini_rows kini_rows_of(const kin_world *world, int section) {
    kini_rows rows = { NULL, 0, 0 };
    if (kini_sections[section].array) kini_copy(&rows, (const char *)world + kini_sections[section].array, sizeof rows);
    return rows;
}

KINI_PART void kini_set_count(kin_world *world, int section, int32_t count) {
    kini_copy((char *)world + kini_sections[section].array + offsetof(kini_rows, count), &count, sizeof count);
}

/* Bytes of a section; of a level that is left out none. */
KINI_PART size_t kini_section_bytes(const kini_saved *head, int section) {
    if (head->apart && section >= KINI_SAVES_BULK) return 0;
    return (size_t)head->rows[section] * kini_section_of(section)->lasts;
}

/* ==== src/pool.c: slots, ages and rows. ==============================================================================
   A handle is a slot and its age. Removing raises the age, so an old handle never fits again; a slot whose age has run
   through all numbers is not used any more. */

KIN_API bool kin_same(kin_id a, kin_id b) { return a.slot == b.slot && a.age == b.age; }

KINI_PART bool kini_is_live(const kin_world *world, kin_id id) {
    const kini_thing *thing;
    if (id.slot == 0 || id.slot >= (uint32_t)world->things.count) return false;
    thing = &world->things.at[id.slot];
    return thing->age == id.age && thing->kind != KIN_NOTHING && !(thing->flags & KINI_REMOVED);
}

/* of a removed thing: one older than it had */
KINI_PART kin_id kini_id_of(const kin_world *world, uint32_t slot) {
    kin_id id;
    id.slot = slot;
    id.age = world->things.at[slot].age;
    return id;
}

/* the handle that a removed thing had, too */
KINI_PART kin_id kini_last_id(const kin_world *world, uint32_t slot) {
    kin_id id = kini_id_of(world, slot);
    if (world->things.at[slot].flags & KINI_REMOVED) id.age--;
    return id;
}

/* Address of the user of a thing, removed ones included; NULL: its slot is free or reused. */
KINI_PART void **kini_user_at(const kin_world *world, kin_id id) {
    bool known = id.slot < (uint32_t)world->things.count && world->things.at[id.slot].kind != KIN_NOTHING;
    return known && kin_same(kini_last_id(world, id.slot), id) ? &world->users.at[id.slot] : NULL;
}

/* The last user that a handle is remembered to have had. */
static void *kini_former_user(const kin_world *world, kin_id id) {
    uint32_t i;
    for (i = 1; i <= KINI_MOST_GIVEN; i++) {
        const kini_given *row = &world->given.at[(world->given_next - i) % KINI_MOST_GIVEN];
        if (kin_same(row->id, id)) return row->user;
    }
    return NULL;
}

/* of a dead handle while remembered */
KINI_PART void *kini_user_of(const kin_world *world, kin_id id) {
    void **own = kini_user_at(world, id);
    return own ? *own : kini_former_user(world, id);
}

/* Before the thing in a slot loses its handle or its user. */
KINI_PART void kini_remember_user(kin_world *world, uint32_t slot) {
    kini_given now;
    now.id = kini_last_id(world, slot);
    now.user = world->users.at[slot];
    if (now.user || kini_former_user(world, now.id)) world->given.at[world->given_next++ % KINI_MOST_GIVEN] = now;
}

/* Was this user given for this handle, as far as is remembered? NULL always was. */
KINI_PART bool kini_was_given(const kin_world *world, kin_id id, const void *user) {
    void *const *own = kini_user_at(world, id);
    int32_t      i;
    if (!user || (own && *own == user)) return true;
    for (i = 0; i < KINI_MOST_GIVEN; i++)
        if (world->given.at[i].user == user && kin_same(world->given.at[i].id, id)) return true;
    return false;
}

/* ---- rows of sections whose rows are reused: the lowest free one is taken ---------------------------------------- */
/* the lowest; their number if none is free */
KINI_PART int32_t kini_free_row(const kin_world *world, int section) {
    const kini_section *table = kini_section_of(section);
    kini_rows           rows = kini_rows_of(world, section);
    int32_t             row = world->first_free[section];
    for (; row < rows.count; row++) {
        bool spent = section == KINI_SAVES_THINGS && world->things.at[row].age == 0;   /* no age left; or row 0 */
        if (!spent && !kini_row_used(table, (char *)rows.at + (size_t)row * table->stride)) break;
    }
    return row;
}

/* All zero, or beginning with a slot; room was reserved. */
KINI_PART int32_t kini_take_row(kin_world *world, int section, uint32_t slot) {
    const kini_section *table = kini_section_of(section);
    kini_rows           rows = kini_rows_of(world, section);
    int32_t             row = kini_free_row(world, section);
    unsigned char      *at = (unsigned char *)rows.at + (size_t)row * table->stride;
    if (row == rows.count) kini_set_count(world, section, row + 1);
    world->first_free[section] = row + 1;
    kini_clear(at, table->stride);
    kini_copy(at, &slot, sizeof slot);   /* statics, movers, bodies and levels begin with it, others with zeros */
    return row;
}

KINI_PART void kini_give_row(kin_world *world, int section, int32_t row) {
    const kini_section *table = kini_section_of(section);
    kini_clear((unsigned char *)kini_rows_of(world, section).at + (size_t)row * table->stride, table->stride);
    if (row < world->first_free[section]) world->first_free[section] = row;
}

/* room was reserved */
KINI_PART uint32_t kini_take_slot(kin_world *world) {
    int32_t  slot = kini_free_row(world, KINI_SAVES_THINGS);
    uint32_t age = slot < world->things.count ? world->things.at[slot].age : 1;
    kini_take_row(world, KINI_SAVES_THINGS, 0);
    world->users.count = world->things.count;
    world->things.at[slot].age = age;
    world->things.at[slot].leaf = -1;
    return (uint32_t)slot;
}

/* age was raised when the thing was removed */
KINI_PART void kini_give_slot(kin_world *world, uint32_t slot) {
    uint32_t age = world->things.at[slot].age;
    kini_give_row(world, KINI_SAVES_THINGS, (int32_t)slot);
    world->users.at[slot] = NULL;
    world->things.at[slot].age = age;
    world->things.at[slot].leaf = -1;
}

/* ---- lists of handles, ascending, of which only so many fit -------------------------------------------------- */
/* Inserts into a list of the `capacity` lowest handles, ascending, of `found` so far. */
KINI_PART void kini_keep_id(kin_id *list, int found, int capacity, kin_id id) {
    int i = found < capacity ? found : capacity;
    for (; i > 0 && list[i - 1].slot > id.slot; i--)
        if (i < capacity) list[i] = list[i - 1];
    if (i < capacity) list[i] = id;
}

/* ==== src/shape.c: makers of shapes, their form for the narrow phase, and where two of them touch. ===================
   A shape is a core (the convex hull of some points) rounded by a radius. Most cores are boxes along the axes (points
   and upright segments without extent); those are recognised here, for they have closed forms. Others keep their
   corners in a hull (hull2.c, hull3.c). Nobody has to use the makers: any kin_shape is judged by kini_shape_solid. */

/* ---- judging a shape --------------------------------------------------------------------------------------------- */
KINI_PART void kini_points_box(const kin_vec *points, int count, kin_vec *lo, kin_vec *hi) {
    int i;
    *lo = *hi = points[0];
    for (i = 1; i < count; i++) {
        *lo = kini_lower(*lo, points[i]);
        *hi = kini_upper(*hi, points[i]);
    }
}

/* Which corner of the box the point is, one bit for each axis on which it is at the far end; -1 if it is none. */
static int kini_corner_of(kin_vec point, kin_vec lo, kin_vec hi) {
    int axis, corner = 0;
    for (axis = 0; axis < KINI_DIM; axis++) {
        float s = kini_at(point, axis);
        if (s > kini_at(lo, axis) && s < kini_at(hi, axis)) return -1;
        if (s > kini_at(lo, axis)) corner |= 1 << axis;
    }
    return corner;
}

/* Are the points the corners of the box around them, in any order? On an axis without extent both ends are one. */
static bool kini_points_are_box(const kin_vec *points, int count, kin_vec lo, kin_vec hi) {
    int i, far_corner = kini_corner_of(hi, lo, hi), seen = 0;
    for (i = 0; i < count; i++) {
        int corner = kini_corner_of(points[i], lo, hi);
        if (corner < 0) return false;
        seen |= 1 << corner;
    }
    for (i = 0; i <= far_corner; i++)
        if ((i & far_corner) == i && !(seen >> i & 1)) return false;
    return true;
}

/* Makes the hull the core. Its width is the least extent across a face; nothing if it has none. */
static void kini_solid_keep_hull(kini_solid *solid, const kini_hull *hull) {
    float most = 0, lo, hi;
    int   i;
    for (i = 0; i < hull->count; i++) most = kini_greater(most, kini_len2(hull->points[i]));
    solid->width = 0;
    for (i = 0; i < hull->face_count; i++) {
        kini_points_stretch(hull->points, hull->count, hull->normals[i], &lo, &hi);
        if (i == 0 || hi - lo < solid->width) solid->width = hi - lo;
    }
    solid->points = hull->points;
    solid->count = hull->count;
    solid->hull = hull;
    solid->reach = kini_sqrt(most);
}

/* NULL, or what is wrong with it. */
KINI_PART const char *kini_shape_solid(const kin_shape *shape, kini_solid *out, kini_hull *room) {
    kin_vec lo, hi;
    float   extent, least;
    int     i;
    if (!shape) return "is NULL";
    if (shape->count < 1) return "is empty: it needs a maker, with sizes that are positive";
    if (shape->count > KIN_MAX_POINTS) return "has too many points";
    if (!kini_finite(shape->radius)) return "has a radius that is not a finite number";
    if (shape->radius < 0) return "has a radius that is negative";
    for (i = 0; i < shape->count; i++)
        if (!kini_vec_finite(shape->points[i])) return "has a point that is not finite";
    kini_clear(out, sizeof *out);
    kini_points_box(shape->points, shape->count, &lo, &hi);
    extent = kini_largest(kini_upper(kini_sub(hi, lo), kini_upper(kini_magnitudes(lo), kini_magnitudes(hi))));
    if (!(extent + 2 * shape->radius <= KINI_LARGEST_SHAPE)) return "is too large: it reaches further than 1e7";
    out->centre = kini_scale(kini_add(lo, hi), 0.5f);
    out->half = kini_scale(kini_sub(hi, lo), 0.5f);
    out->radius = shape->radius;
    out->width = 2 * kini_smallest(out->half);
    out->reach = kini_len(kini_upper(kini_magnitudes(lo), kini_magnitudes(hi)));
    least = KINI_SMALLEST_SHAPE;
    if (!kini_points_are_box(shape->points, shape->count, lo, hi)) {
        if (!kini_hull_build(room, shape->points, shape->count)) return "has points that span no hull";
        least = kini_greater(least, 2 * kini_largest(out->half) * KINI_FLAT);
        if (!kini_points_are_box(room->points, room->count, lo, hi)) kini_solid_keep_hull(out, room);
    }
    if (!(shape->radius > 0) && out->width < least) return "has no inside: it is flat or smaller than 1e-6";
    out->width += 2 * shape->radius;
    out->reach += shape->radius;
    if (out->width < KINI_SMALLEST_SHAPE) return "is smaller than 1e-6";
    return NULL;
}

/* ---- makers ------------------------------------------------------------------------------------------------------ */
static kin_shape kini_no_shape(void) {
    kin_shape shape;
    kini_clear(&shape, sizeof shape);
    return shape;
}

/* The shape, or none if it would be refused. */
static kin_shape kini_sound_shape(kin_shape shape) {
    kini_solid solid;
    kini_hull  room;
    return kini_shape_solid(&shape, &solid, &room) ? kini_no_shape() : shape;
}

/* Corner number i of the box of this half size; in the plane they run counter-clockwise. */
static kin_vec kini_box_corner(kin_vec half, int i) {
    int axis, signs = i ^ i >> 1;
    for (axis = 0; axis < KINI_DIM; axis++)
        if (!(signs >> axis & 1)) half = kini_with(half, axis, -kini_at(half, axis));
    return half;
}

KIN_API kin_shape kin_ball(float radius) {
    kin_shape shape = kini_no_shape();
    shape.count = 1;
    shape.radius = radius;
    return kini_sound_shape(shape);
}

KIN_API kin_shape kin_capsule(float height, float radius) {
    kin_shape shape = kini_no_shape();
    float     half = height / 2 - radius;
    if (radius > 0 && height > 0 && half < 0) {   /* still empty; the numbers are for the one that refuses it */
        shape.points[0].y = height;
        shape.radius = radius;
    }
    if (!(half >= 0) || !(radius > 0)) return shape;
    shape.count = half > 0 ? 2 : 1;
    shape.points[0].y = half > 0 ? -half : 0;
    shape.points[1].y = half;
    shape.radius = radius;
    return kini_sound_shape(shape);
}

KIN_API kin_shape kin_box(kin_vec size) {
    kin_shape shape = kini_no_shape();
    if (!(kini_smallest(size) > 0)) return shape;
    for (; shape.count < KINI_MAX_CORNERS; shape.count++)
        shape.points[shape.count] = kini_box_corner(kini_scale(size, 0.5f), shape.count);
    return kini_sound_shape(shape);
}

KIN_API kin_shape kin_hull(const kin_vec *points, int count, float radius) {
    kin_shape shape = kini_no_shape();
    kini_hull hull;
    int       i;
    if (!points || !kini_hull_build(&hull, points, count)) return shape;
    for (i = 0; i < hull.count; i++) shape.points[i] = hull.points[i];
    shape.count = hull.count;
    shape.radius = radius;
    return kini_sound_shape(shape);
}

/* ---- reading a solid --------------------------------------------------------------------------------------------- */
KINI_PART void kini_solid_bounds(const kini_solid *solid, kin_pose at, kin_vec *lo, kin_vec *hi) {
    kin_vec corners[KIN_MAX_POINTS];
    if (solid->count == 0 || kini_is_unturned(at.q)) {
        kini_core_bounds(solid->centre, solid->half, solid->radius, at, lo, hi);
        return;
    }
    kini_points_box(corners, kini_solid_corners(solid, at.q, corners), lo, hi);
    *lo = kini_sub(kini_add(at.p, *lo), kini_all(solid->radius));
    *hi = kini_add(kini_add(at.p, *hi), kini_all(solid->radius));
}

/* Furthest point of the core, turned. */
KINI_PART kin_vec kini_solid_support(const kini_solid *solid, kin_rot turn, kin_vec direction) {
    kin_vec p = solid->centre;
    int     axis;
    direction = kini_unrotate(turn, direction);
    if (solid->count > 0) return kini_rotate(turn, kini_furthest_point(solid->points, solid->count, direction));
    for (axis = 0; axis < KINI_DIM; axis++) {
        float h = kini_at(solid->half, axis);
        p = kini_with(p, axis, kini_at(p, axis) + (kini_at(direction, axis) < 0 ? -h : h));
    }
    return kini_rotate(turn, p);
}

KINI_PART int kini_solid_corners(const kini_solid *solid, kin_rot turn, kin_vec *out) {
    int i, axis, count = solid->count, flat = 0;
    for (i = 0; i < count; i++) out[i] = solid->points[i];
    if (count == 0) {   /* corners of the box that fall together on an axis without extent count once */
        for (axis = 0; axis < KINI_DIM; axis++)
            if (!(kini_at(solid->half, axis) > 0)) flat |= 1 << axis;
        for (i = 0; i < KINI_MAX_CORNERS; i++)
            if (!((i ^ i >> 1) & flat)) out[count++] = kini_add(solid->centre, kini_box_corner(solid->half, i));
    }
    for (i = 0; i < count && !kini_is_unturned(turn); i++) out[i] = kini_rotate(turn, out[i]);
    return count;
}

/* The axis along which a turned axis of the core lies, -1 if it leans. */
static int kini_axis_of(kin_vec arm) {
    int   axis, along = -1;
    float least = kini_largest(arm) * KINI_STRAIGHT;
    for (axis = 0; axis < KINI_DIM; axis++) {
        if (!(kini_at(arm, axis) > least)) continue;
        if (along >= 0) return -1;
        along = axis;
    }
    return along;
}

/* Is the core, so turned, a box along the axes? Then its half size. */
KINI_PART bool kini_solid_is_box(const kini_solid *solid, kin_rot turn, kin_vec *half) {
    int axis, along;
    *half = solid->half;
    if (solid->count > 0) return false;
    if (kini_is_unturned(turn)) return true;
    *half = kini_vec_zero();
    for (axis = 0; axis < KINI_DIM; axis++) {
        float h = kini_at(solid->half, axis);
        if (!(h > 0)) continue;
        along = kini_axis_of(kini_magnitudes(kini_rotate(turn, kini_with(kini_vec_zero(), axis, h))));
        if (along < 0) return false;
        *half = kini_with(*half, along, h);
    }
    return true;
}

/* ---- where two solids touch -------------------------------------------------------------------------------------- */
/* The corners of a core that lie furthest in one direction: a corner, an edge or a face. */
typedef struct kini_front { kin_vec points[KIN_MAX_POINTS]; int count; } kini_front;

static float kini_front_of(kini_front *out, const kini_solid *solid, kin_rot turn, kin_vec direction) {
    int   i, count = kini_solid_corners(solid, turn, out->points);
    float most = kini_dot(kini_furthest_point(out->points, count, direction), direction);
    float least = most - 2 * kini_largest(solid->half) * KINI_FLUSH;
    out->count = 0;
    for (i = 0; i < count; i++)
        if (kini_dot(out->points[i], direction) >= least) out->points[out->count++] = out->points[i];
    return most;
}

/* Middle of the points furthest against `normal`, and half the box around them. */
KINI_PART kin_vec kini_foot(const kini_solid *body, kin_pose at, kin_vec normal, kin_vec *half) {
    kini_front front;
    kin_vec    lo, hi;
    kini_front_of(&front, body, at.q, kini_neg(normal));
    kini_points_box(front.points, front.count, &lo, &hi);
    *half = kini_scale(kini_sub(hi, lo), 0.5f);
    return kini_madd(kini_add(at.p, kini_scale(kini_add(lo, hi), 0.5f)), normal, -body->radius);
}

/* Of what is furthest against `normal`, the lowest and highest place: of an edge or face the middle of each end. */
KINI_PART void kini_foot_ends(const kini_solid *body, kin_pose at, kin_vec normal, kin_vec up, kin_vec *low,
                              kin_vec *high) {
    kini_front front;
    kin_vec    base = kini_madd(at.p, normal, -body->radius), lower = kini_vec_zero(), upper = lower;
    float      slack = 2 * kini_largest(body->half) * KINI_FLUSH, least, most;
    int        i, lows = 0, highs = 0;
    kini_front_of(&front, body, at.q, kini_neg(normal));
    kini_points_stretch(front.points, front.count, up, &least, &most);
    for (i = 0; i < front.count; i++) {
        float level = kini_dot(front.points[i], up);
        if (level <= least + slack) { lower = kini_add(lower, front.points[i]); lows++; }
        if (level >= most - slack) { upper = kini_add(upper, front.points[i]); highs++; }
    }
    *low = kini_madd(base, lower, 1 / (float)lows);
    *high = kini_madd(base, upper, 1 / (float)highs);
}

/* Brings a front to another place, into the plane `level` along `normal`. */
static void kini_front_move(kini_front *front, kin_vec move, kin_vec normal, float level) {
    int i;
    for (i = 0; i < front->count; i++) {
        kin_vec p = kini_add(front->points[i], move);
        front->points[i] = kini_madd(p, normal, level - kini_dot(p, normal));
    }
}

/* Middle of the part of an edge in the other front's box, measured from the edge's middle: its ends may be swapped. */
static kin_vec kini_edge_middle(const kini_front *edge, const kini_front *other) {
    kin_vec lo, hi, middle = kini_scale(kini_add(edge->points[0], edge->points[1]), 0.5f);
    kin_vec arm = kini_scale(kini_sub(edge->points[1], edge->points[0]), 0.5f);
    float   from = -1, to = 1, slack = kini_largest(kini_magnitudes(arm)) * KINI_FLUSH;
    int     axis;
    kini_points_box(other->points, other->count, &lo, &hi);
    for (axis = 0; axis < KINI_DIM; axis++) {
        float a = kini_at(arm, axis), m = kini_at(middle, axis), s, e;
        if (kini_abs(a) <= slack) continue;
        s = (kini_at(lo, axis) - m) / a;
        e = (kini_at(hi, axis) - m) / a;
        from = kini_greater(from, kini_lesser(s, e));
        to = kini_lesser(to, kini_greater(s, e));
    }
    return kini_madd(middle, arm, kini_clamp((from + to) * 0.5f, -1, 1));
}

static kin_vec kini_front_middle(const kini_front *piece, const kini_front *body) {
    kin_vec lo, hi, body_lo, body_hi;
    if (piece->count == 1) return piece->points[0];
    if (body->count == 1) return body->points[0];
    if (piece->count == 2) return kini_edge_middle(piece, body);
    if (body->count == 2) return kini_edge_middle(body, piece);
    kini_points_box(piece->points, piece->count, &lo, &hi);
    kini_points_box(body->points, body->count, &body_lo, &body_hi);
    return kini_scale(kini_add(kini_upper(lo, body_lo), kini_lower(hi, body_hi)), 0.5f);
}

/* Is it a side of a box, turned at most about the normal, under the end of a capsule along the normal, or a ball? */
KINI_PART bool kini_over_top(const kini_solid *piece, kin_rot turn, const kini_solid *body, kin_rot body_turn,
                             kin_vec n) {
    kin_vec across = kini_sub(kini_all(1), kini_magnitudes(n));
    if (piece->count > 0 || body->count > 0 || kini_largest(kini_magnitudes(n)) < 1) return false;
    return !(kini_dot(body->half, across) > 0) && kini_dot(piece->half, across) > 0 &&
           (kini_is_unturned(turn) || kini_is_zero(kini_sub(kini_rotate(turn, n), n))) &&
           (kini_is_unturned(body_turn) || kini_is_zero(kini_sub(kini_rotate(body_turn, n), n)));
}

/* Exact in the plane, and in space if one of the fronts is a corner, an edge against a front along the axes, or both
   are along the axes; else near the middle. Works relative to the piece, so it is as good far from the origin. */
KINI_PART kin_vec kini_touch_point(const kini_solid *piece, kin_pose at, const kini_solid *body, kin_pose body_at,
                                   kin_vec normal) {
    kini_front mine, other;
    float      level;
    kin_vec    middle;
    if (kini_over_top(piece, at.q, body, body_at.q, normal)) {
        kin_vec along = kini_magnitudes(normal);
        level = kini_dot(kini_madd(piece->centre, normal, kini_dot(piece->half, along)), normal);
        middle = kini_madd(body->centre, normal, -kini_dot(body->half, along));
        if (!kini_is_unturned(body_at.q)) middle = kini_rotate(body_at.q, middle);
        middle = kini_add(middle, kini_sub(body_at.p, at.p));
        middle = kini_madd(middle, normal, level - kini_dot(middle, normal));
        return kini_add(at.p, kini_madd(middle, normal, level - kini_dot(middle, normal) + piece->radius));
    }
    level = kini_front_of(&mine, piece, at.q, normal);
    kini_front_of(&other, body, body_at.q, kini_neg(normal));
    /* A corner alone decides. */
    if (other.count > 1 || mine.count == 1) kini_front_move(&mine, kini_vec_zero(), normal, level);
    if (mine.count > 1) kini_front_move(&other, kini_sub(body_at.p, at.p), normal, level);
    middle = kini_front_middle(&mine, &other);
    middle = kini_madd(middle, normal, level - kini_dot(middle, normal) + piece->radius);
    return kini_add(at.p, middle);
}

/* ==== src/check.c: checks of arguments. ==============================================================================
   Every public function checks its arguments before it changes anything. A failed check logs call, argument and value.
   Numbers have limits far beyond any game (config.h), so that no result overflows. */

KINI_PART bool kini_check_world(const kin_world *world, const char *call) {
    return world ? true : kini_refuse(world, call, "world", "is NULL");
}

/* it is not inside `collide` */
KINI_PART bool kini_check_unasked(const kin_world *world, const char *call) {
    if (!kini_check_world(world, call)) return false;
    return world->asking.at[0] == 0 || kini_refuse(world, call, "world", "must not be changed inside collide");
}

/* ... nor inside a step */
KINI_PART bool kini_check_between(const kin_world *world, const char *call) {
    if (!kini_check_unasked(world, call)) return false;
    return (world->stage == 0 && !world->in_callback) || kini_refuse(world, call, "world", "is inside a step");
}

KINI_PART bool kini_check_pointer(const kin_world *world, const char *call, const char *argument, const void *pointer) {
    return pointer ? true : kini_refuse(world, call, argument, "is NULL");
}

KINI_PART uint32_t kini_check_id(const kin_world *world, const char *call, const char *argument, kin_id id) {
    if (!kini_check_world(world, call)) return 0;
    if (kini_is_live(world, id)) return id.slot;
    kini_refuse_id(world, call, argument, kini_is_nobody(id) ? "is nobody" : "is not alive", id);
    return 0;
}

KINI_PART uint32_t kini_check_kind(const kin_world *world, const char *call, const char *argument, kin_id id,
                                   kin_kind kind) {
    static const char *const said[4][4] = {   /* what it is not, and what it is */
        { "" }, { "", "", "is not a static but a mover", "is not a static but a body" },
        { "", "is not a mover but a static", "", "is not a mover but a body" },
        { "", "is not a body but a static", "is not a body but a mover", "" }
    };
    uint32_t slot = kini_check_id(world, call, argument, id);
    if (!slot || world->things.at[slot].kind == kind) return slot;
    kini_refuse_id(world, call, argument, said[kind][world->things.at[slot].kind], id);
    return 0;
}

KINI_PART kini_body *kini_check_body(const kin_world *world, const char *call, kin_id body) {
    uint32_t slot = kini_check_kind(world, call, "body", body, KIN_BODY);
    return slot ? &world->bodies.at[world->things.at[slot].row] : NULL;
}

KINI_PART kini_mover *kini_check_mover(const kin_world *world, const char *call, const char *argument, kin_id mover) {
    uint32_t slot = kini_check_kind(world, call, argument, mover, KIN_MOVER);
    return slot ? &world->movers.at[world->things.at[slot].row] : NULL;
}

/* Each finite, and at most `limit` in magnitude. */
KINI_PART bool kini_check_floats(const kin_world *world, const char *call, const char *argument, const void *value,
                                 size_t bytes, float limit) {
    bool   finite = true, small = true;
    float  number;
    size_t at;
    for (at = 0; at < bytes; at += sizeof number) {
        kini_copy(&number, (const char *)value + at, sizeof number);
        finite = finite && kini_finite(number);
        small = small && kini_abs(number) <= limit;
    }
    if (!finite) return kini_refuse_floats(world, call, argument, "is not finite", value, bytes, KINI_FLT_MAX);
    return small || kini_refuse_floats(world, call, argument, "is too large", value, bytes, limit);
}

KINI_PART bool kini_check_vec(const kin_world *world, const char *call, const char *argument, kin_vec value,
                              float limit) {
    return kini_dot(kini_magnitudes(value), kini_all(1)) <= limit ||   /* never so of what is not finite */
           kini_check_floats(world, call, argument, &value, KINI_DIM * sizeof(float), limit);
}

KINI_PART bool kini_check_finite(const kin_world *world, const char *call, const char *argument, kin_vec value) {
    return kini_check_vec(world, call, argument, value, KINI_FLT_MAX);
}

/* Gives it length one, too. */
KINI_PART bool kini_check_rot(const kin_world *world, const char *call, const char *argument, kin_rot *value) {
    kin_rot given = *value;
    float   length2 = kini_rot_len2(given);
    if (!kini_finite(length2)) return kini_refuse_floats(world, call, argument, "is not finite", value, sizeof given,
                                                            KINI_FLT_MAX);
    if (kini_is_unit(length2)) return true;
    given = kini_rot_unit(given);
    if (kini_abs(kini_rot_len2(given) - 1) > KINI_NO_LENGTH)
        return kini_refuse_floats(world, call, argument, "is not a rotation", value, sizeof given, KINI_FLT_MAX);
    *value = given;
    return true;
}

KINI_PART bool kini_check_number(const kin_world *world, const char *call, const char *argument, float value, float lo,
                                 float hi, const char *unit) {
    if (value >= lo && value <= hi) return true;
    return kini_refuse_range(world, call, argument, (double)value, (double)lo, (double)hi, unit);
}

KINI_PART bool kini_check_choice(const kin_world *world, const char *call, const char *argument, int value, int last) {
    if (value >= 0 && value <= last) return true;
    return kini_refuse_number(world, call, argument, "is not one of its choices", (float)value);
}

KINI_PART bool kini_check_shape(const kin_world *world, const char *call, const kin_shape *shape, kini_solid *out,
                                kini_hull *room) {
    const char *wrong;
    float       sizes[2];
    sizes[0] = shape ? shape->points[0].y : 0;
    sizes[1] = shape ? shape->radius : 0;
    if (shape && shape->count == 0 && sizes[0] > 0 && sizes[1] > 0)   /* from kin_capsule */
        return kini_refuse_floats(world, call, "shape", "is a capsule whose height is less than twice its radius",
                                  sizes, sizeof sizes, KINI_FLT_MAX);
    kini_clear(room, sizeof *room);   /* stored hulls have no chance bytes in them */
    wrong = kini_shape_solid(shape, out, room);
    return wrong ? kini_refuse(world, call, "shape", wrong) : true;
}

KINI_PART bool kini_check_list(const kin_world *world, const char *call, const void *out, int capacity) {
    if (capacity < 0) return kini_refuse_number(world, call, "capacity", "is negative", (float)capacity);
    return capacity == 0 || kini_check_pointer(world, call, "out", out);
}

/* ==== src/hull2.c: the convex hull of points in the plane. ===========================================================
   Begins with the two ends of the longer side of their box, and puts into each side the point that lies furthest
   beyond it, until none does (quickhull). Then corners that stick out by no more than rounding are dropped. */

#if KINI_DIM == 2

/* With room for corners that turn out to lie along a side. */
typedef struct kini_ring { kin_vec at[2 * KIN_MAX_POINTS]; int count; } kini_ring;

static kin_vec kini_ring_at(const kini_ring *ring, int i) { return ring->at[(i + ring->count) % ring->count]; }

/* The point furthest along one axis, up or down; of equal ones that with the least other coordinate. */
static kin_vec kini_end_point(const kin_vec *points, int count, int axis, float sign) {
    kin_vec best = points[0];
    int     i;
    for (i = 1; i < count; i++) {
        float ahead = (kini_at(points[i], axis) - kini_at(best, axis)) * sign;
        if (ahead > 0 || (!(ahead < 0) && kini_at(points[i], 1 - axis) < kini_at(best, 1 - axis))) best = points[i];
    }
    return best;
}

/* The point furthest outside of the side a..b by more than `least`; of nearly equal ones the last along the side. */
static int kini_furthest_beyond(const kin_vec *points, int count, kin_vec a, kin_vec b, float least) {
    kin_vec side = kini_unit(kini_sub(b, a));
    float   most = least, last = 0;
    int     i, best = -1;
    for (i = 0; i < count; i++) most = kini_greater(most, kini_area(kini_sub(points[i], a), side));
    if (!(most > least)) return -1;
    for (i = 0; i < count; i++) {
        kin_vec arm = kini_sub(points[i], a);
        float   beyond = kini_area(arm, side), along = kini_dot(arm, side);
        if (beyond < most - least || !(beyond > least) || (best >= 0 && !(along > last))) continue;
        best = i;
        last = along;
    }
    return best;
}

static void kini_ring_prune(kini_ring *ring, float least) {
    int i = 0, k;
    while (i < ring->count && ring->count > 2) {
        float out = kini_distance_to_segment(ring->at[i], kini_ring_at(ring, i - 1), kini_ring_at(ring, i + 1));
        if (out > least) { i++; continue; }
        ring->count--;
        for (k = i; k < ring->count; k++) ring->at[k] = ring->at[k + 1];
        i = 0;
    }
}

/* Lengths are divided, not multiplied by an inverse: sides along an axis get exact normals. */
static kin_vec kini_side_normal(kin_vec a, kin_vec b) {
    kin_vec side = kini_sub(b, a), n;
    float   big = kini_largest(kini_magnitudes(side)), length;
    n.x = side.y / big;
    n.y = -side.x / big;
    length = kini_len(n);
    n.x /= length;
    n.y /= length;
    return n;
}

static bool kini_ring_grow(kini_ring *ring, const kin_vec *points, int count, float least) {
    int i = 0, k;
    while (i < ring->count) {
        int best = kini_furthest_beyond(points, count, ring->at[i], kini_ring_at(ring, i + 1), least);
        if (best < 0) { i++; continue; }
        if (ring->count == 2 * KIN_MAX_POINTS) return false;
        for (k = ring->count++; k > i + 1; k--) ring->at[k] = ring->at[k - 1];
        ring->at[i + 1] = points[best];
    }
    return true;
}

KINI_PART bool kini_hull_build(kini_hull *out, const kin_vec *points, int count) {
    kini_ring ring;
    kin_vec   lo, hi, size;
    int       i, axis;
    for (i = 0; i < count; i++) if (!kini_vec_finite(points[i])) return false;
    if (count < 1) return false;
    kini_points_box(points, count, &lo, &hi);
    size = kini_sub(hi, lo);
    if (!kini_vec_finite(size)) return false;
    axis = size.x < size.y ? 1 : 0;
    ring.count = kini_largest(size) > 0 ? 2 : 1;
    ring.at[0] = kini_end_point(points, count, axis, -1);
    ring.at[1] = kini_end_point(points, count, axis, 1);
    if (ring.count > 1) {
        float least = kini_largest(size) * KINI_COLLINEAR;
        if (!kini_ring_grow(&ring, points, count, least)) return false;
        kini_ring_prune(&ring, least);
    }
    if (ring.count > KIN_MAX_POINTS) return false;
    kini_clear(out, sizeof *out);
    out->count = ring.count;
    out->face_count = ring.count > 1 ? ring.count : 0;
    for (i = 0; i < ring.count; i++) out->points[i] = ring.at[i];
    for (i = 0; i < out->face_count; i++) out->normals[i] = kini_side_normal(ring.at[i], kini_ring_at(&ring, i + 1));
    return true;
}

#endif

/* ==== src/store.c: shapes, stored once for each distinct one. ========================================================
   Things that look alike share a row; an open-addressing index over the shapes' values finds it. It decides nothing but
   which row an equal shape has: results do not depend on it. */

static uint32_t kini_mix_key(uint32_t key, uint32_t word) {
    key = (key ^ word) * 0x9E3779B1u;
    return key ^ key >> 15;
}

static uint32_t kini_mix_vec(uint32_t key, kin_vec v) {
    int i;
    for (i = 0; i < KINI_DIM; i++) key = kini_mix_key(key, kini_float_bits(kini_at(v, i)));
    return key;
}

KINI_PART uint32_t kini_shape_key(const kini_solid *solid) {
    uint32_t key = kini_mix_key(0x811C9DC5u, kini_float_bits(solid->radius));
    int      i;
    key = kini_mix_vec(kini_mix_vec(key, solid->centre), solid->half);
    key = kini_mix_key(key, (uint32_t)solid->count);
    for (i = 0; i < solid->count; i++) key = kini_mix_vec(key, solid->points[i]);
    return key;
}

static bool kini_same_vec(kin_vec a, kin_vec b) { return kini_box_holds(a, a, b, b); }

static bool kini_is_shape(const kin_world *world, const kini_shape *shape, const kini_solid *solid) {
    const kini_hull *hull;
    int              i;
    if (!kini_equal(shape->radius, solid->radius) || (shape->hull >= 0) != (solid->count > 0)) return false;
    if (!kini_same_vec(shape->centre, solid->centre) || !kini_same_vec(shape->half, solid->half)) return false;
    if (shape->hull < 0) return true;
    hull = &world->hulls.at[shape->hull];
    if (hull->count != solid->count) return false;
    for (i = 0; i < hull->count; i++)
        if (!kini_same_vec(hull->points[i], solid->points[i])) return false;
    return true;
}

/* ---- the index --------------------------------------------------------------------------------------------------- */
static uint32_t kini_next_place(const kin_world *world, uint32_t place) {
    return (place + 1) & ((uint32_t)world->shape_index.count - 1);
}

static uint32_t kini_home_place(const kin_world *world, int32_t shape) {
    return world->shapes.at[shape].key & ((uint32_t)world->shape_index.count - 1);
}

static void kini_index_put(kin_world *world, int32_t shape) {
    uint32_t place = kini_home_place(world, shape);
    while (world->shape_index.at[place]) place = kini_next_place(world, place);
    world->shape_index.at[place] = shape + 1;
}

/* What follows is put in again, so that a search never has to step over a hole. */
static void kini_index_take_out(kin_world *world, int32_t shape) {
    int32_t *index = world->shape_index.at;
    uint32_t place = kini_home_place(world, shape);
    while (index[place] != shape + 1) place = kini_next_place(world, place);
    for (index[place] = 0; index[place = kini_next_place(world, place)];) {
        shape = index[place] - 1;
        index[place] = 0;
        kini_index_put(world, shape);
    }
}

KINI_PART void kini_index_shapes(kin_world *world) {
    int32_t i;
    kini_clear(world->shape_index.at, (size_t)world->shape_index.count * sizeof *world->shape_index.at);
    for (i = 0; i < world->shapes.count; i++)
        if (world->shapes.at[i].users > 0) kini_index_put(world, i);
}

/* -1: not stored yet */
KINI_PART int32_t kini_find_shape(const kin_world *world, const kini_solid *solid) {
    uint32_t key = kini_shape_key(solid), place;
    if (world->shape_index.count == 0) return -1;
    place = key & ((uint32_t)world->shape_index.count - 1);
    for (; world->shape_index.at[place]; place = kini_next_place(world, place)) {
        int32_t           number = world->shape_index.at[place] - 1;
        const kini_shape *shape = &world->shapes.at[number];
        if (shape->key == key && kini_is_shape(world, shape, solid)) return number;
    }
    return -1;
}

/* Found or new, one user more; room was reserved. */
KINI_PART int32_t kini_take_shape(kin_world *world, const kini_solid *solid) {
    int32_t     number = kini_find_shape(world, solid);
    kini_shape *shape;
    if (number >= 0) { world->shapes.at[number].users++; return number; }
    number = kini_take_row(world, KINI_SAVES_SHAPES, 0);
    shape = &world->shapes.at[number];
    kini_copy(shape, solid, KINI_CORE_BYTES);
    shape->radius += 0.0f;   /* no sign of zero */
    shape->hull = -1;
    shape->key = kini_shape_key(solid);
    shape->users = 1;
    if (solid->count > 0) {
        shape->hull = kini_take_row(world, KINI_SAVES_HULLS, 0);
        world->hulls.at[shape->hull] = *solid->hull;
        world->hulls.at[shape->hull].owner = number;
    }
    kini_index_put(world, number);
    return number;
}

KINI_PART void kini_give_shape(kin_world *world, int32_t number) {
    kini_shape *shape = &world->shapes.at[number];
    if (--shape->users > 0) return;
    kini_index_take_out(world, number);
    if (shape->hull >= 0) kini_give_row(world, KINI_SAVES_HULLS, shape->hull);
    kini_give_row(world, KINI_SAVES_SHAPES, number);
}

KINI_PART kini_solid kini_stored_solid(const kin_world *world, int32_t number) {
    const kini_shape *shape = &world->shapes.at[number];
    kini_solid        solid;
    kini_copy(&solid, shape, KINI_CORE_BYTES);
    solid.hull = shape->hull >= 0 ? &world->hulls.at[shape->hull] : NULL;
    solid.points = solid.hull ? solid.hull->points : NULL;
    solid.count = solid.hull ? solid.hull->count : 0;
    solid.face = kini_vec_zero();
    solid.sides = NULL;
    return solid;
}

KINI_PART kini_solid kini_solid_of(const kin_world *world, const kini_thing *thing) {
    return kini_stored_solid(world, thing->shape);
}

/* points that give this solid again */
KINI_PART void kini_shape_points(const kini_solid *solid, kin_shape *out) {
    kini_clear(out, sizeof *out);
    out->count = kini_solid_corners(solid, kini_unturned(), out->points);
    out->radius = solid->radius;
}

/* has it one? */
KINI_PART bool kini_shape_of(const kin_world *world, const kini_thing *thing, kin_shape *out) {
    kini_solid solid;
    kini_clear(out, sizeof *out);
    if (thing->form != KINI_FORM_SHAPE) return false;
    solid = kini_solid_of(world, thing);
    kini_shape_points(&solid, out);
    return true;
}

/* ==== src/room.c: every array of a world, and how many rows it needs, as one list. ===================================
   Adding reserves by this list before it changes anything, scratch memory included, since steps never allocate;
   kin_world_bytes and destroying use it too. A new array is one line here. */

static int64_t kini_index_size(int64_t shapes) {
    int64_t size = 16;
    while (size < 2 * shapes) size *= 2;
    return size;
}

static void kini_room_add(kini_room **next, void *array, size_t row_bytes, int64_t rows) {
    (*next)->array = array;
    (*next)->row_bytes = row_bytes;
    (*next)->rows = rows;
    (*next)++;
}

#define KINI_ROOM(member, rows) kini_room_add(&next, &world->member, sizeof *world->member.at, rows)

/* Hulls come last, so that they can grow in place in the block of kin_world_create_in. */
KINI_PART int kini_rooms(kin_world *world, const kini_counts *counts, kini_room *out) {
    const int64_t *rows = counts->rows, bodies = rows[KINI_SAVES_BODIES], faces = rows[KINI_SAVES_CORNERS] / KINI_DIM;
    int64_t        workers = world->desc.workers ? world->desc.workers : 1;   /* scratch of each, or of the world */
    kini_room     *next = out;
    int            i;
    for (i = 0; i < KINI_SAVED_SECTIONS; i++) {
        const kini_section *table = kini_section_of(i);
        if (table->array && i != KINI_SAVES_HULLS)
            kini_room_add(&next, (char *)world + table->array, table->stride, rows[i]);
    }
    for (i = KIN_STATIC; i <= KIN_BODY; i++) {
        int64_t items = rows[KINI_SAVES_KIND + i] + (i == KIN_MOVER ? counts->attached : 0);
        KINI_ROOM(trees[i].nodes, kini_tree_nodes(items));
        KINI_ROOM(trees[i].leaves, items);
    }
    KINI_ROOM(users, rows[KINI_SAVES_THINGS]);
    KINI_ROOM(idle, bodies);
    KINI_ROOM(done, bodies);
    KINI_ROOM(kept, bodies);
    KINI_ROOM(answers, world->desc.collide ? bodies : 0);
    KINI_ROOM(asking, 2);
    KINI_ROOM(contacts, bodies * kini_contact_room(&world->desc));
    KINI_ROOM(last_contacts, bodies * kini_contact_room(&world->desc));
    KINI_ROOM(last_sensed, rows[KINI_SAVES_SENSED]);
    KINI_ROOM(shape_index, kini_index_size(rows[KINI_SAVES_SHAPES]));
    KINI_ROOM(controls, counts->controls);
    KINI_ROOM(events, (int64_t)world->desc.max_events + 1);
    KINI_ROOM(given, KINI_MOST_GIVEN);
    KINI_ROOM(pieces, workers * KINI_MAX_NEAR);
    KINI_ROOM(sums, workers * KINI_MAX_NEAR);
    KINI_ROOM(known, workers * KINI_MOST_KNOWN);
    KINI_ROOM(solids, workers * KINI_MAX_NEAR);
    KINI_ROOM(found, workers * 2 * rows[KINI_SAVES_THINGS]);   /* the second half: things that a snapshot changes */
    KINI_ROOM(order, bodies);
    KINI_ROOM(neighbours, workers * bodies);
    KINI_ROOM(queue, bodies);
    KINI_ROOM(meetings, KINI_MEETINGS * bodies + KINI_MORE_MEETINGS);
    KINI_ROOM(backup, bodies);
    KINI_ROOM(mesh_nodes, faces / 5 + 2 * rows[KINI_SAVES_MESHES]);   /* as many as kini_tree_build needs */
    KINI_ROOM(mesh_leaves, faces);
    KINI_ROOM(mesh_faces, faces);
    KINI_ROOM(faces, workers * faces);
    KINI_ROOM(islands, world->desc.workers ? bodies : 0);
    KINI_ROOM(shares, world->desc.workers ? bodies : 0);
    KINI_ROOM(batches, world->desc.workers ? bodies / KINI_BATCH + 2 : 0);
    KINI_ROOM(busy, world->desc.workers ? workers + 1 : 0);
    KINI_ROOM(hulls, rows[KINI_SAVES_HULLS]);
    return (int)(next - out);
}

/* One more, if none is free. */
KINI_PART void kini_count_row(const kin_world *world, kini_counts *counts, int section) {
    counts->rows[section] += kini_free_row(world, section) == kini_rows_of(world, section).count;
}

/* Rows in use, and those that a solid needs to be stored. */
KINI_PART kini_counts kini_counts_now(const kin_world *world, const kini_solid *solid) {
    kini_counts counts;
    int         i;
    for (i = 0; i < KINI_SAVED_SECTIONS; i++) counts.rows[i] = kini_rows_of(world, i).count;
    counts.controls = world->controls.count;
    counts.attached = world->attached;
    if (counts.rows[KINI_SAVES_SENSED] < (int64_t)world->sensers * world->desc.max_sensor_contacts)
        counts.rows[KINI_SAVES_SENSED] = (int64_t)world->sensers * world->desc.max_sensor_contacts;
    if (!solid || kini_find_shape(world, solid) >= 0) return counts;
    kini_count_row(world, &counts, KINI_SAVES_SHAPES);
    if (solid->count > 0) kini_count_row(world, &counts, KINI_SAVES_HULLS);
    return counts;
}

/* false: no memory, nothing lost */
KINI_PART bool kini_reserve(kin_world *world, const kini_counts *counts) {
    kini_room rooms[KINI_MAX_ROOMS];
    int       count = kini_rooms(world, counts, rooms), i;
    int32_t   size = (int32_t)kini_index_size(counts->rows[KINI_SAVES_SHAPES]);
    for (i = 0; i < count; i++) {
        if (rooms[i].rows > INT32_MAX) return false;
        if (!kini_grow(world, rooms[i].array, rooms[i].row_bytes, (int32_t)rooms[i].rows)) return false;
    }
    if (size <= world->shape_index.count) return true;
    world->shape_index.count = size;
    kini_index_shapes(world);
    return true;
}

KINI_PART bool kini_check_room(kin_world *world, const char *call, const kini_counts *counts) {
    return kini_check_unasked(world, call) &&
           (kini_reserve(world, counts) || kini_refuse(world, call, "memory", "was not given"));
}

/* ==== src/polygon2.c: a point against the sum of two convex polygons, rounded: the general obstacle in the plane. ====
   The sum of a piece and a reflected body has the sides of both, sorted by direction. All is closed form. What is on a
   side is worked out from both its ends alike, so a mirrored scene gives mirrored bits, and checked against them: the
   sides alone cannot tell where a needle ends. */

#if KINI_DIM == 2

/* ---- making the sum --------------------------------------------------------------------------------------------- */
/* A core, turned, around its own centre. A point has no sides, a segment two. */
typedef struct kini_outline { kin_vec points[KIN_MAX_POINTS], normals[KIN_MAX_POINTS]; int count; } kini_outline;

static void kini_outline_box(kini_outline *out, const kini_solid *solid, kin_rot turn) {
    kin_vec x = kini_rotate(turn, kin_v(solid->half.x, 0)), y = kini_rotate(turn, kin_v(0, solid->half.y));
    kin_vec nx = kini_rotate(turn, kin_v(1, 0)), ny = kini_rotate(turn, kin_v(0, 1));
    int     i;
    out->count = (solid->half.x > 0 ? 2 : 1) * (solid->half.y > 0 ? 2 : 1);
    out->points[0] = kini_neg(kini_add(x, y));
    out->points[1] = out->count == 2 ? kini_add(x, y) : kini_sub(x, y);
    out->normals[0] = out->count == 2 && solid->half.y > 0 ? nx : kini_neg(ny);
    out->normals[1] = out->count == 2 ? kini_neg(out->normals[0]) : nx;
    for (i = 2; i < out->count; i++) {
        out->points[i] = kini_neg(out->points[i - 2]);
        out->normals[i] = kini_neg(out->normals[i - 2]);
    }
}

static void kini_outline_of(kini_outline *out, const kini_solid *solid, kin_rot turn) {
    int i;
    if (solid->count == 0) { kini_outline_box(out, solid, turn); return; }
    out->count = solid->count;
    for (i = 0; i < solid->count; i++) {
        kin_vec from = solid->points[i], to = solid->points[i + 1 < solid->count ? i + 1 : 0];
        kin_vec normal = solid->hull ? solid->hull->normals[i] : kini_unit(kini_perp(kini_sub(from, to)));
        out->points[i] = kini_rotate(turn, kini_sub(from, solid->centre));
        out->normals[i] = kini_rotate(turn, normal);
    }
}

/* Orders directions counter-clockwise from straight down; nearly down counts as down, so that parallel sides meet. */
static bool kini_turns_before(kin_vec a, kin_vec b) {
    bool a_down = a.y < 0 && kini_abs(a.x) <= KINI_ALONG, b_down = b.y < 0 && kini_abs(b.x) <= KINI_ALONG;
    bool a_late = a.x < 0 || (!(a.x > 0) && a.y > 0), b_late = b.x < 0 || (!(b.x > 0) && b.y > 0);
    if (a_down != b_down) return a_down;
    if (a_late != b_late && !a_down) return b_late;
    return kini_area(a, b) > 0;
}

static int kini_first_side(const kini_outline *outline) {
    int i, first = 0;
    for (i = 1; i < outline->count; i++)
        if (kini_turns_before(outline->normals[i], outline->normals[first])) first = i;
    return first;
}

/* One walk around both outlines; the side that turns first is taken next, parallel ones at once. */
static void kini_merge_sides(kini_sum *sum, const kini_outline *a, const kini_outline *b) {
    int i = kini_first_side(a), k = kini_first_side(b);
    int a_left = a->count > 1 ? a->count : 0, b_left = b->count > 1 ? b->count : 0;
    for (sum->count = 0; a_left + b_left > 0; sum->count++) {
        bool both = a_left > 0 && b_left > 0, take_a = a_left > 0, take_b = b_left > 0;
        if (both && !(kini_abs(kini_area(a->normals[i], b->normals[k])) <= KINI_ALONG &&
                      kini_dot(a->normals[i], b->normals[k]) > 0)) {
            take_a = kini_turns_before(a->normals[i], b->normals[k]);
            take_b = !take_a;
        }
        sum->points[sum->count] = kini_add(a->points[i], b->points[k]);
        sum->normals[sum->count] = take_a ? a->normals[i] : b->normals[k];
        if (take_a) { i = i + 1 < a->count ? i + 1 : 0; a_left--; }
        if (take_b) { k = k + 1 < b->count ? k + 1 : 0; b_left--; }
    }
}

static int kini_sum_next(const kini_sum *sum, int i) { return i + 1 < sum->count ? i + 1 : 0; }

/* for a piece at 0 */
KINI_PART void kini_sum_make(kini_sum *room, const kini_solid *piece, kin_rot piece_turn, const kini_solid *body,
                             kin_rot body_turn, kini_obstacle *out) {
    kini_outline a, b;
    kin_vec      apart = kini_sub(kini_rotate(piece_turn, piece->centre), kini_rotate(body_turn, body->centre));
    kin_vec      lo, hi, middle;
    int          i;
    kini_outline_of(&a, piece, piece_turn);
    kini_outline_of(&b, body, kini_rot_scale(body_turn, -1));   /* half a turn reflects it */
    kini_merge_sides(room, &a, &b);
    kini_points_box(room->points, room->count, &lo, &hi);
    middle = kini_scale(kini_add(lo, hi), 0.5f);
    for (i = 0; i < room->count; i++) room->points[i] = kini_sub(room->points[i], middle);
    for (i = 0; i < room->count; i++)
        room->offsets[i] = kini_greater(kini_dot(room->normals[i], room->points[i]),
                                        kini_dot(room->normals[i], room->points[kini_sum_next(room, i)]));
    room->asked.kept = room->asked.known = false;
    out->centre = kini_add(apart, middle);
    out->half = kini_scale(kini_sub(hi, lo), 0.5f);
    out->radius = piece->radius + body->radius;
    out->sum = room;
}

/* ---- distance ---------------------------------------------------------------------------------------------------- */
/* The part of the core nearest to a point; corner is -1 if it is a side. */
typedef struct kini_nearest { float distance; kin_vec normal; int corner; } kini_nearest;

/* Is a point before its side, or past one of the ends? -1, or the number of the corner at that end. */
static int kini_past_end(const kini_sum *sum, int side, kin_vec p) {
    kin_vec along = kini_perp(sum->normals[side]);
    int     next = kini_sum_next(sum, side);
    if (kini_dot(along, kini_sub(p, sum->points[side])) < 0) return side;
    if (kini_dot(along, kini_sub(p, sum->points[next])) > 0) return next;
    return -1;
}

/* Breaks ties between sides, the same way in a mirrored scene. */
static bool kini_more_upwards(kin_vec a, kin_vec b) {
    return a.y > b.y || (!(a.y < b.y) && kini_abs(a.x) < kini_abs(b.x));
}

/* The side whose line is furthest towards p; of equal ones that which faces up more. */
static int kini_facing_side(const kini_sum *sum, kin_vec p, float *most) {
    int i, best = 0;
    *most = kini_dot(sum->normals[0], p) - sum->offsets[0];
    for (i = 1; i < sum->count; i++) {
        float s = kini_dot(sum->normals[i], p) - sum->offsets[i];
        if (s < *most || (!(s > *most) && !kini_more_upwards(sum->normals[i], sum->normals[best]))) continue;
        *most = s;
        best = i;
    }
    return best;
}

static kin_vec kini_normal_before(const kini_sum *sum, int corner) {
    return sum->normals[corner > 0 ? corner - 1 : sum->count - 1];
}

/* The direction away from a corner, kept between the normals of its sides: near the corner it is mostly rounding. */
static kin_vec kini_corner_normal(const kini_sum *sum, int corner, kin_vec away) {
    kin_vec before = kini_normal_before(sum, corner), after = sum->normals[corner];
    if (!(kini_largest(kini_magnitudes(away)) > KINI_NOWHERE))
        return kini_more_upwards(before, after) ? before : after;
    away = kini_unit(away);
    if (kini_area(before, away) < 0 && kini_area(away, after) < 0)
        return kini_dot(before, away) < kini_dot(after, away) ? after : before;
    if (kini_area(before, away) < 0) return before;
    return kini_area(away, after) < 0 ? after : away;
}

/* From a side that p is beyond, goes from side to side while p is past the end and not before the next one's start.
   Returns the corner at which that ends, or -1 and the side that p is straight before. */
static int kini_walk(const kini_sum *sum, int *side, kin_vec p) {
    int i, step, corner = kini_past_end(sum, *side, p);
    if (corner < 0) return -1;
    step = corner == *side ? sum->count - 1 : 1;
    for (i = 0; i < sum->count; i++) {
        int next = (*side + step) % sum->count, other = kini_past_end(sum, next, p);
        if (other == corner) return corner;
        *side = next;
        if (other < 0) return -1;
        corner = other;
    }
    return corner;
}

/* p is relative to the obstacle's centre. */
static kini_nearest kini_nearest_to(const kini_obstacle *o, kin_vec p) {
    const kini_sum *sum = o->sum;
    float           blur = kini_blur(o, p), distance;
    int             side;
    kini_nearest    out;
    side = kini_facing_side(sum, p, &out.distance);
    out.normal = sum->normals[side];
    out.corner = -1;
    if (out.distance < -blur) return out;
    out.corner = kini_walk(sum, &side, p);
    if (out.corner >= 0) {
        kin_vec away = kini_sub(p, sum->points[out.corner]);
        distance = kini_len(away);
        if (out.distance > 0 || distance > 2 * blur) {
            out.distance = distance;
            out.normal = kini_corner_normal(sum, out.corner, away);
            return out;
        }
    } else if (out.distance > 0) {
        out.distance = kini_dot(sum->normals[side], p) - sum->offsets[side];
        out.normal = sum->normals[side];
    }
    out.corner = -1;
    return out;
}

KINI_PART float kini_sum_gap(const kini_obstacle *obstacle, kin_vec x, kin_vec *normal) {
    kini_nearest nearest = kini_nearest_to(obstacle, kini_sub(x, obstacle->centre));
    *normal = nearest.normal;
    return nearest.distance - obstacle->radius;
}

/* The general case behind those above, for an obstacle with a `sum` (polygon2.c, polytope3.c). */
/* of the core, from the centre */
KINI_PART float kini_sum_extent(const kini_sum *sum, kin_vec direction) {
    return kini_dot(kini_furthest_point(sum->points, sum->count, direction), direction);
}

/* ---- ray --------------------------------------------------------------------------------------------------------- */
/* The line of a ray, with its direction divided by its largest part, so that no square overflows or vanishes. */
typedef struct kini_line { kin_vec p, v; float scale, size; } kini_line;   /* size: of v, squared */

static kini_line kini_line_of(kin_vec p, kin_vec travel) {
    kini_line line;
    line.p = p;
    line.scale = kini_largest(kini_magnitudes(travel));
    line.v.x = travel.x / line.scale;
    line.v.y = travel.y / line.scale;
    line.size = kini_len2(line.v);
    return line;
}

static float kini_time_at(const kini_line *line, kin_vec a) {
    return kini_dot(line->v, kini_sub(a, line->p)) / line->size;
}

/* Does a side with this normal face the line? A side along the line does not, whatever rounding makes of it. */
static bool kini_faces(kin_vec normal, const kini_line *line) { return kini_dot(normal, line->v) < -KINI_ALONG; }

/* A sharp corner takes the normal of the side that faces the line; of both, that nearer to `like`, then further up. */
static kin_vec kini_sharp_normal(const kini_sum *sum, int corner, const kini_line *line, kin_vec like) {
    kin_vec before = kini_normal_before(sum, corner), after = sum->normals[corner];
    float   nearer = kini_dot(before, like) - kini_dot(after, like);
    if (!kini_faces(before, line) && !kini_faces(after, line)) return kini_unit(kini_neg(line->v));
    if (!kini_faces(before, line)) return after;
    if (!kini_faces(after, line)) return before;
    if (nearer > 0 || nearer < 0) return nearer > 0 ? before : after;
    return kini_more_upwards(before, after) ? before : after;
}

static bool kini_met_before(const kini_sum *sum, const kini_line *line, int a, int b) {
    float   first = kini_time_at(line, sum->points[a]), second = kini_time_at(line, sum->points[b]);
    kin_vec none = kini_vec_zero();
    if (first < second || second < first) return first < second;
    return kini_more_upwards(kini_sharp_normal(sum, a, line, none), kini_sharp_normal(sum, b, line, none));
}

/* When the line comes to the circle around a corner; negative: never, or behind the start. The area gives the
   discriminant, as b * b - a * c would cancel. Between two sides that face it, it cannot miss, even if it seems so. */
static float kini_corner_time(const kini_obstacle *o, int corner, const kini_line *line, kin_vec *normal) {
    kin_vec e = kini_sub(line->p, o->sum->points[corner]);
    float   area = kini_area(e, line->v), b = kini_dot(e, line->v), c = kini_len2(e) - o->radius * o->radius, time;
    float   whole = line->size * o->radius * o->radius, root = whole - area * area;
    kin_vec before = kini_normal_before(o->sum, corner), after = o->sum->normals[corner];
    bool    between = kini_faces(before, line) && kini_faces(after, line);
    if (!(b < 0) || (!between && !(root > whole * KINI_BRUSH))) return -1;
    time = c > 0 ? c / (kini_sqrt(kini_greater(root, 0)) - b) : 0;
    *normal = kini_corner_normal(o->sum, corner, kini_madd(e, line->v, time));
    if (!(kini_dot(*normal, line->v) < 0)) *normal = kini_sharp_normal(o->sum, corner, line, *normal);
    return time;
}

/* When the line comes to a side: by its distance, exact if flush, but within the ends where it nearly runs along. */
static float kini_side_time(const kini_obstacle *o, int side, const kini_line *line) {
    kin_vec n = o->sum->normals[side];
    float   from = kini_time_at(line, kini_madd(o->sum->points[side], n, o->radius));
    float   to = kini_time_at(line, kini_madd(o->sum->points[kini_sum_next(o->sum, side)], n, o->radius));
    float   time = (kini_dot(n, line->p) - o->sum->offsets[side] - o->radius) / -kini_dot(n, line->v);
    return kini_clamp(time, kini_lesser(from, to), kini_greater(from, to));
}

/* How far left of the line a corner is: one number for both its sides, so the line cannot slip between them. */
static float kini_left_of(const kini_sum *sum, int corner, const kini_line *line) {
    return kini_area(line->v, kini_sub(sum->points[corner], line->p));
}

static bool kini_comes_in(const kini_obstacle *o, int side, const kini_line *line) {
    float shift = kini_area(line->v, o->sum->normals[side]) * o->radius;
    return kini_faces(o->sum->normals[side], line) && kini_left_of(o->sum, side, line) + shift > 0 &&
           kini_left_of(o->sum, kini_sum_next(o->sum, side), line) + shift < 0;
}

/* When the line comes in, by a side that faces it, likely this one, or else a corner; negative: never, or behind the
   start. */
static float kini_line_time(const kini_obstacle *o, const kini_line *line, int side, kin_vec *normal) {
    const kini_sum *sum = o->sum;
    float           left[2 * KIN_MAX_POINTS], most = -KINI_FLT_MAX, least = KINI_FLT_MAX, rounding = 0, shift, shifted;
    int             i, corner = -1, before = sum->count - 1;
    bool            faces, faced;
    if (side >= 0 && !kini_comes_in(o, side, line)) side = -1;
    for (i = 0; i < sum->count && side < 0; i++)
        if (kini_comes_in(o, i, line)) side = i;
    if (side >= 0) {
        *normal = sum->normals[side];
        return kini_side_time(o, side, line);
    }
    for (i = 0; i < sum->count; i++) {
        left[i] = kini_left_of(sum, i, line);
        most = kini_greater(most, left[i]);
        least = kini_lesser(least, left[i]);
    }
    if (o->radius > 0) rounding = o->radius * kini_sqrt(line->size);
    if (!(most + rounding > 0) || !(least - rounding < 0)) return -1;
    faced = kini_faces(sum->normals[before], line);
    shifted = kini_area(line->v, sum->normals[before]) * o->radius;
    for (i = 0; i < sum->count; i++, faced = faces, shifted = shift) {
        faces = kini_faces(sum->normals[i], line);
        shift = kini_area(line->v, sum->normals[i]) * o->radius;
        if (!faced && !faces) continue;
        if ((faced && left[i] + shifted < 0) || (faces && left[i] + shift > 0)) continue;
        if (corner < 0 || kini_met_before(sum, line, i, corner)) corner = i;
    }
    if (corner < 0) return -1;
    if (o->radius > 0) return kini_corner_time(o, corner, line, normal);
    *normal = kini_sharp_normal(sum, corner, line, kini_vec_zero());
    return kini_time_at(line, sum->points[corner]);
}

/* Does the ray come through every side (moved out by the radius) that it starts before, if any? One of them, or -1. */
static bool kini_may_touch(const kini_obstacle *o, kin_vec p, kin_vec v, int *outside) {
    float parallel = kini_largest(kini_magnitudes(v)) * KINI_ALONG;
    int   i;
    *outside = -1;
    for (i = 0; i < o->sum->count; i++) {
        float s = kini_dot(o->sum->normals[i], p) - o->sum->offsets[i] - o->radius, w;
        if (s < 0) continue;
        w = kini_dot(o->sum->normals[i], v);
        if (!(w < -parallel) || s > -w) return false;
        *outside = i;
    }
    return true;
}

/* A ray that starts inside or on the surface; before a side, if its line comes in behind the start or brushes past. */
static bool kini_ray_at_start(const kini_obstacle *o, kin_vec p, kin_vec v, bool outside, float *t, kin_vec *normal) {
    kini_nearest nearest = kini_nearest_to(o, p);
    kini_line    line;
    float        time;
    bool         into = kini_dot(v, nearest.normal) < 0;
    *t = 0;
    *normal = nearest.normal;
    if (outside) return nearest.distance - o->radius <= kini_blur(o, p) && into;
    if (nearest.distance < o->radius) return true;
    if (!into || nearest.corner < 0) return into;
    line = kini_line_of(p, v);
    time = kini_corner_time(o, nearest.corner, &line, normal);
    *t = time / line.scale;
    return time >= 0 && time <= line.scale;
}

KINI_PART bool kini_sum_ray(const kini_obstacle *obstacle, kin_vec x, kin_vec travel, float *t, kin_vec *normal) {
    kin_vec   p = kini_sub(x, obstacle->centre);
    kini_line line;
    float     time;
    int       outside;
    if (!kini_may_touch(obstacle, p, travel, &outside)) return false;
    if (outside < 0) return kini_ray_at_start(obstacle, p, travel, false, t, normal);
    line = kini_line_of(p, travel);
    time = kini_line_time(obstacle, &line, outside, normal);
    if (time < 0) return kini_ray_at_start(obstacle, p, travel, true, t, normal);
    *t = time / line.scale;
    return time <= line.scale;
}

KINI_PART int kini_sum_ways(const kini_obstacle *obstacle, kin_vec x, kini_way *ways, int capacity) {
    const kini_sum *sum = obstacle->sum;
    kin_vec         p = kini_sub(x, obstacle->centre);
    kini_nearest    nearest = kini_nearest_to(obstacle, p);
    int             i, count = 0;
    if (!(nearest.distance < obstacle->radius)) return 0;
    for (i = 0; i < sum->count; i++) {
        float s = kini_dot(sum->normals[i], p) - sum->offsets[i];
        count = kini_ways_add(ways, count, capacity, sum->normals[i], obstacle->radius - s);
        if (sum->count > 2) continue;
        /* A segment has no sides at its ends. */
        s = kini_dot(kini_perp(sum->normals[i]), kini_sub(p, sum->points[1 - i]));
        count = kini_ways_add(ways, count, capacity, kini_perp(sum->normals[i]), obstacle->radius - s);
    }
    if (nearest.corner >= 0 && nearest.distance > 0)
        count = kini_ways_add(ways, count, capacity, nearest.normal, obstacle->radius - nearest.distance);
    return count;
}

#endif

/* ==== src/simplex3.c: the point of a segment, triangle or tetrahedron that is closest to the origin. =================
   Sides that the origin lies beyond are asked in turn, and the nearest answer wins: even a sliver gives a point of its
   own. In double precision, because it is a small difference of large numbers when two shapes are close. */

#if KINI_DIM == 3

static kini_big kini_closest_on_segment(kini_simplex *simplex, kini_big a, kini_big b) {
    kini_big along = kini_big_sub(b, a);
    double   from_a = -kini_big_dot(a, along), from_b = kini_big_dot(b, along), whole = kini_big_dot(along, along);
    simplex->count = 1;
    simplex->points[0] = a;
    if (!(from_a > 0)) return a;
    simplex->points[0] = b;
    if (!(from_b > 0)) return b;
    simplex->count = 2;
    simplex->points[1] = a;
    return from_a < from_b ? kini_big_madd(a, along, from_a / whole) : kini_big_madd(b, along, -from_b / whole);
}

/* Keeps the nearer of two answers. */
static void kini_keep_nearer(kini_simplex *best, kini_big *closest, const kini_simplex *other, kini_big point) {
    if (best->count && !(kini_big_dot(point, point) < kini_big_dot(*closest, *closest))) return;
    *best = *other;
    *closest = point;
}

static kini_big kini_closest_on_triangle(kini_simplex *simplex, kini_big a, kini_big b, kini_big c) {
    kini_big     corners[4], u = kini_big_sub(b, a), v = kini_big_sub(c, a), normal = kini_big_cross(u, v), closest = a;
    kini_simplex side;
    double       size = kini_big_dot(normal, normal);
    bool         sliver = !(size > KINI_SLIVER * kini_big_dot(u, u) * kini_big_dot(v, v));
    int          i;
    corners[0] = a; corners[1] = b; corners[2] = c; corners[3] = a;
    simplex->count = 0;
    for (i = 0; i < 3; i++) {
        kini_big p = corners[i], outward = kini_big_cross(kini_big_sub(corners[i + 1], p), normal);
        if (!sliver && kini_big_dot(outward, p) > 0) continue;
        kini_keep_nearer(simplex, &closest, &side, kini_closest_on_segment(&side, p, corners[i + 1]));
    }
    if (simplex->count) return closest;
    simplex->count = 3;
    simplex->points[0] = a; simplex->points[1] = b; simplex->points[2] = c;
    size = kini_big_dot(a, normal) / size;
    normal.x *= size; normal.y *= size; normal.z *= size;
    return normal;
}

/* Is the origin on the other side of abc than d? Yes also if d is in that plane. */
static bool kini_origin_beyond(kini_big a, kini_big b, kini_big c, kini_big d) {
    kini_big normal = kini_big_cross(kini_big_sub(b, a), kini_big_sub(c, a));
    kini_big up = kini_big_sub(d, a);
    double   height = kini_big_dot(up, normal), origin = -kini_big_dot(a, normal);
    if (!(height * height > KINI_SLIVER * kini_big_dot(normal, normal) * kini_big_dot(up, up))) return true;
    return height > 0 ? origin <= 0 : origin >= 0;
}

/* Point closest to the origin; leaves the corners it lies between, all four if they enclose the origin. */
KINI_PART kini_big kini_simplex_closest(kini_simplex *simplex) {
    static const unsigned char sides[4][4] = { { 0, 1, 2, 3 }, { 0, 1, 3, 2 }, { 0, 2, 3, 1 }, { 1, 2, 3, 0 } };
    const kini_big *p = simplex->points;
    kini_simplex    best, side;
    kini_big        closest = p[0];
    int             i;
    if (simplex->count == 1) return p[0];
    if (simplex->count == 2) return kini_closest_on_segment(simplex, p[0], p[1]);
    if (simplex->count == 3) return kini_closest_on_triangle(simplex, p[0], p[1], p[2]);
    best.count = 0;
    for (i = 0; i < 4; i++) {
        kini_big a = p[sides[i][0]], b = p[sides[i][1]], c = p[sides[i][2]];
        if (!kini_origin_beyond(a, b, c, p[sides[i][3]])) continue;
        kini_keep_nearer(&best, &closest, &side, kini_closest_on_triangle(&side, a, b, c));
    }
    if (best.count) *simplex = best;
    return closest;
}

#endif

/* ==== src/hull3.c: convex hull of points in space. ===================================================================
   Points are sorted: their order does not matter. Each that is hardly outside of the hull of the others is dropped. The
   hull grows from the others as a closed surface of triangles; at last those in one plane are joined into faces. */

#if KINI_DIM == 3

enum { KINI_HULL_ROOM = 256 };                  /* points that may be given */
enum { KINI_HULL_ROUNDS = 100 };                /* of one search */

typedef struct kini_facet {
    kini_big normal;             /* twice the area long */
    double   length;
    uint8_t  corner[3];          /* counter-clockwise from outside */
    uint8_t  face;
} kini_facet;

typedef struct kini_hull_work {
    kini_big   at[KIN_MAX_POINTS];
    kini_facet facets[KINI_MAX_FACES];
    int        count, facet_count;
    double     extent;
} kini_hull_work;

/* Length to within 1e-12 of itself: the float root, then one step of Newton. */
static double kini_big_len(kini_big a) {
    double big = a.x < 0 ? -a.x : a.x, y = a.y < 0 ? -a.y : a.y, z = a.z < 0 ? -a.z : a.z, square, root;
    if (y > big) big = y;
    if (z > big) big = z;
    if (!(big > 0)) return 0;
    a.x /= big; a.y /= big; a.z /= big;
    square = kini_big_dot(a, a);
    root = (double)kini_sqrt((float)square);
    return big * (root + square / root) / 2;
}

static kin_vec kini_big_unit(kini_big a) {
    double  n = kini_big_len(a);
    kin_vec r = kini_vec_zero();
    if (!(n > 0)) return r;
    r.x = (float)(a.x / n); r.y = (float)(a.y / n); r.z = (float)(a.z / n);
    return r;
}

/* ---- corners ----------------------------------------------------------------------------------------------------- */
static bool kini_vec_before(kin_vec a, kin_vec b) {
    if (a.x < b.x || a.x > b.x) return a.x < b.x;
    if (a.y < b.y || a.y > b.y) return a.y < b.y;
    return a.z < b.z;
}

/* The point that lies furthest against `direction`, relative to the one left out. */
static kini_big kini_hull_furthest(const kin_vec *points, int count, int out, kini_big direction) {
    kini_big best = kini_big_of(kini_vec_zero()), from = kini_big_of(points[out]);
    double   least = 0;
    int      i, found = 0;
    for (i = 0; i < count; i++) {
        kini_big p = kini_big_sub(kini_big_of(points[i]), from);
        double   s = kini_big_dot(p, direction);
        if (i == out || (found++ && !(s < least))) continue;
        least = s;
        best = p;
    }
    return best;
}

/* Is this point further than `slack` from the hull of the others? The search ends as soon as that is decided. */
static bool kini_hull_is_corner(const kin_vec *points, int count, int which, double slack) {
    kini_simplex near;
    kini_big     closest = kini_big_sub(kini_big_of(points[which == 0]), kini_big_of(points[which])), next;
    int          round;
    near.points[0] = closest;
    near.count = 1;
    for (round = 0; round < KINI_HULL_ROUNDS; round++) {
        double size = kini_big_dot(closest, closest), s;
        if (size <= slack * slack) return false;
        next = kini_hull_furthest(points, count, which, closest);
        s = kini_big_dot(closest, next);
        if (s > 0 && s * s > slack * slack * size) return true;
        near.points[near.count++] = next;
        closest = kini_simplex_closest(&near);
        if (near.count == 4) return false;
    }
    return true;
}

/* ---- the closed surface ----------------------------------------------------------------------------------------- */
static void kini_facet_add(kini_hull_work *work, int a, int b, int c) {
    kini_facet *facet = &work->facets[work->facet_count++];
    kini_big    from = work->at[a];
    facet->corner[0] = (uint8_t)a; facet->corner[1] = (uint8_t)b; facet->corner[2] = (uint8_t)c;
    facet->normal = kini_big_cross(kini_big_sub(work->at[b], from), kini_big_sub(work->at[c], from));
    facet->length = kini_big_len(facet->normal);
    facet->face = 0;
}

static double kini_facet_height(const kini_hull_work *work, const kini_facet *facet, int corner) {
    double height = kini_big_dot(facet->normal, kini_big_sub(work->at[corner], work->at[facet->corner[0]]));
    return facet->length > 0 ? height / facet->length : 0;
}

/* The corner furthest from corner 0, from the line from there to another one, or from the plane of the only facet so
   far; -1 if none is further away than `least`. */
static int kini_hull_next(const kini_hull_work *work, int other, double least, bool *above) {
    kini_big along = kini_big_sub(work->at[other], work->at[0]);
    int      i, best = -1;
    for (i = 1; i < work->count; i++) {
        kini_big way = kini_big_sub(work->at[i], work->at[0]);
        double   size = work->facet_count > 0 ? kini_facet_height(work, &work->facets[0], i)
                                              : kini_big_len(other > 0 ? kini_big_cross(along, way) : way);
        if (!(size > least || -size > least)) continue;
        least = size < 0 ? -size : size;
        best = i;
        *above = size > 0;
    }
    return best;
}

/* Replaces the facets that a corner sees. Bit b of rim[a]: one of them has the edge from a to b, none its twin. */
static bool kini_hull_grow(kini_hull_work *work, int corner) {
    uint32_t rim[KIN_MAX_POINTS];
    int      i, k, kept = 0, ties;
    for (i = 0; i < work->count; i++) rim[i] = 0;
    for (i = 0; i < work->facet_count; i++) {
        const kini_facet *facet = &work->facets[i];
        if (!(kini_facet_height(work, facet, corner) > work->extent * KINI_HULL_SIGHT)) {
            work->facets[kept++] = *facet;
            continue;
        }
        for (k = 0; k < 3; k++) rim[facet->corner[k]] |= (uint32_t)1 << facet->corner[(k + 1) % 3];
    }
    work->facet_count = kept;
    for (i = 0; i < work->count; i++) {
        ties = 0;
        for (k = 0; k < work->count; k++) {
            if (!(rim[i] >> k & 1) || (rim[k] >> i & 1)) continue;
            if (ties++ || work->facet_count == KINI_MAX_FACES) return false;
            kini_facet_add(work, i, k, corner);
        }
    }
    return work->facet_count > kept;
}

/* ---- flat hulls and faces ---------------------------------------------------------------------------------------- */
/* All corners in the plane of the first facet: nothing lies to the right of the edge from each corner to the next. */
static void kini_hull_flat(const kini_hull_work *work, kini_hull *out) {
    kini_big normal = work->facets[0].normal;
    int      i, k, next;
    out->normals[0] = kini_big_unit(normal);
    out->normals[1] = kini_neg(out->normals[0]);
    out->face_count = 2;
    for (i = 0; i < work->count; i++) {
        next = i == 0;
        for (k = 0; k < work->count; k++) {
            kini_big a = kini_big_sub(work->at[next], work->at[i]), b = kini_big_sub(work->at[k], work->at[i]);
            if (k != i && kini_big_dot(kini_big_cross(a, b), normal) < 0) next = k;
        }
        out->edges[i][0] = (uint8_t)i;
        out->edges[i][1] = (uint8_t)next;
        out->sides[i][1] = 1;
    }
    out->edge_count = work->count;
}

/* The facet on the other side of an edge of a facet; -1 if there is none. */
static int kini_facet_beyond(const kini_hull_work *work, int facet, int side) {
    int a = work->facets[facet].corner[side], b = work->facets[facet].corner[(side + 1) % 3], i, k;
    for (i = 0; i < work->facet_count; i++)
        for (k = 0; k < 3; k++)
            if (work->facets[i].corner[k] == b && work->facets[i].corner[(k + 1) % 3] == a) return i;
    return -1;
}

/* Do the corners of two faces lie in one plane, across the mean of their normals? */
static bool kini_faces_are_flush(const kini_hull_work *work, int one, int other) {
    kini_big normal = kini_big_of(kini_vec_zero());
    double   lo = 0, hi = 0, h;
    int      i, k, from = -1;
    for (i = 0; i < work->facet_count; i++) {
        const kini_facet *f = &work->facets[i];
        if (f->face == one || f->face == other) normal = kini_big_madd(normal, f->normal, 1);
    }
    for (i = 0; i < work->facet_count; i++) {
        const kini_facet *f = &work->facets[i];
        if (f->face != one && f->face != other) continue;
        if (from < 0) from = f->corner[0];
        for (k = 0; k < 3; k++) {
            h = kini_big_dot(normal, kini_big_sub(work->at[f->corner[k]], work->at[from]));
            if (h < lo) lo = h;
            if (h > hi) hi = h;
        }
    }
    return hi - lo <= work->extent * KINI_HULL_MERGE / 2 * kini_big_len(normal);
}

/* Joins faces on both sides of an edge that lie in one plane; the lower number stays. */
static void kini_hull_join(kini_hull_work *work) {
    int i, k, edge;
    for (i = 0; i < work->facet_count; i++) work->facets[i].face = (uint8_t)i;
    for (edge = 0; edge < 3 * work->facet_count; edge++) {
        const kini_facet *f = &work->facets[edge / 3], *g = &work->facets[kini_facet_beyond(work, edge / 3, edge % 3)];
        uint8_t stays = f->face < g->face ? f->face : g->face, goes = f->face < g->face ? g->face : f->face;
        if (stays == goes || kini_big_dot(f->normal, g->normal) < KINI_HULL_FLAT * f->length * g->length) continue;
        if (!kini_faces_are_flush(work, stays, goes)) continue;
        for (k = 0; k < work->facet_count; k++)
            if (work->facets[k].face == goes) work->facets[k].face = stays;
    }
}

/* Faces numbered from 0 on, with their normals. A new number is never above the old one, so none is taken twice. */
static void kini_hull_faces(kini_hull_work *work, kini_hull *out) {
    int i, k;
    for (i = 0; i < work->facet_count; i++) {
        kini_big sum = kini_big_of(kini_vec_zero());
        if (work->facets[i].face != i) continue;
        for (k = i; k < work->facet_count; k++) {
            if (work->facets[k].face != i) continue;
            sum = kini_big_madd(sum, work->facets[k].normal, 1);
            work->facets[k].face = (uint8_t)out->face_count;
        }
        out->normals[out->face_count++] = kini_big_unit(sum);
    }
}

static void kini_hull_edges(const kini_hull_work *work, kini_hull *out) {
    int i, k;
    for (i = 0; i < work->facet_count; i++)
        for (k = 0; k < 3; k++) {
            int a = work->facets[i].corner[k], b = work->facets[i].corner[(k + 1) % 3];
            int other = kini_facet_beyond(work, i, k);
            if (a > b || work->facets[i].face == work->facets[other].face) continue;
            out->edges[out->edge_count][0] = (uint8_t)a;
            out->edges[out->edge_count][1] = (uint8_t)b;
            out->sides[out->edge_count][0] = work->facets[i].face;
            out->sides[out->edge_count++][1] = work->facets[other].face;
        }
}

/* Around the tetrahedron of corners 0, b, c and an apex below them. */
static bool kini_hull_surface(kini_hull_work *work, kini_hull *out, int b, int c, int apex) {
    int i;
    work->facet_count = 0;
    kini_facet_add(work, 0, b, c);
    kini_facet_add(work, b, 0, apex);
    kini_facet_add(work, c, b, apex);
    kini_facet_add(work, 0, c, apex);
    for (i = 1; i < work->count; i++)
        if (i != b && i != c && i != apex && !kini_hull_grow(work, i)) return false;
    for (i = 0; i < 3 * work->facet_count; i++)
        if (kini_facet_beyond(work, i / 3, i % 3) < 0) return false;
    if (work->facet_count != 2 * work->count - 4) return false;
    kini_hull_join(work);
    kini_hull_faces(work, out);
    kini_hull_edges(work, out);
    return true;
}

KINI_PART bool kini_hull_build(kini_hull *out, const kin_vec *points, int count) {
    kin_vec        corners[KINI_HULL_ROOM], lo, hi;
    kini_hull_work work;
    float          extent;
    double         flat;
    int            i, k, far, wide, apex;
    bool           above = false;
    if (count < 1 || count > KINI_HULL_ROOM) return false;
    for (i = 0; i < count; i++)
        if (!kini_vec_finite(points[i])) return false;
    kini_clear(out, sizeof *out);
    kini_points_box(points, count, &lo, &hi);
    extent = kini_largest(kini_sub(hi, lo));
    if (!(kini_largest(kini_upper(kini_magnitudes(lo), kini_magnitudes(hi))) <= KINI_LARGEST_SHAPE)) return false;
    kini_copy(corners, points, (size_t)count * sizeof *points);
    KINI_SORT(kin_vec, corners, count, kini_vec_before(*a, *b));
    for (i = 0; i < count;) {   /* drops points that are no corners */
        if (count == 1 || kini_hull_is_corner(corners, count, i, (double)extent * KINI_HULL_MERGE)) { i++; continue; }
        count--;
        for (k = i; k < count; k++) corners[k] = corners[k + 1];
    }
    if (count > KIN_MAX_POINTS) return false;
    for (i = 0; i < count; i++) {
        out->points[i] = corners[i];
        work.at[i] = kini_big_of(corners[i]);
    }
    out->count = work.count = count;
    work.extent = (double)extent;
    work.facet_count = 0;
    far = kini_hull_next(&work, 0, 0, &above);
    if (far < 0) return true;
    flat = work.extent * KINI_HULL_MERGE;
    wide = kini_hull_next(&work, far, flat * kini_big_len(kini_big_sub(work.at[far], work.at[0])), &above);
    if (wide < 0) {   /* all on a line */
        out->points[1] = out->points[far];
        out->count = 2;
        out->edges[0][1] = 1;
        out->edge_count = 1;
        return true;
    }
    kini_facet_add(&work, 0, far, wide);
    apex = kini_hull_next(&work, 0, flat / 2, &above);
    if (apex < 0) { kini_hull_flat(&work, out); return true; }
    return kini_hull_surface(&work, out, above ? wide : far, above ? far : wide, apex);
}

#endif

/* ==== src/polytope3.c: a point against the rounded Minkowski sum of two cores in space. ==============================
   The sum of boxes, segments, triangles and small hulls has few sides, so it is kept as its separation axes, each with
   the interval that the core covers. The closest point lies in one, two or three of those planes. Where they are nearly
   parallel, and for sums of larger hulls, whose sides are not kept, it is searched for by the algorithm of Gilbert,
   Johnson and Keerthi (1988); the sides of a large sum are visited only where shapes overlap or nearly do. */

#if KINI_DIM == 3

enum { KINI_MAX_PLANE_ROUNDS = 6 };            /* ... or if it is not found by then */
enum { KINI_MAX_SEARCH = 40 };                 /* corners that one search may look at */
enum { KINI_MAX_ADVANCES = 40 };               /* steps of one sweep */

/* ---- making ----------------------------------------------------------------------------------------------------- */
static void kini_sum_box(kini_sum *sum, const kini_solid *solid, kin_rot turn, kini_obstacle *box) {
    bool turned = !kini_is_unturned(turn);
    int  axis;
    box->centre = turned ? kini_rotate(turn, solid->centre) : solid->centre;
    box->half = turned ? kini_vec_zero() : solid->half;
    for (axis = 0; axis < 3; axis++) {
        float   length = kini_at(solid->half, axis);
        kin_vec arm = kini_with(kini_vec_zero(), axis, 1);
        if (!(length > 0)) continue;
        if (turned) {
            arm = kini_rotate(turn, arm);
            box->half = kini_madd(box->half, kini_magnitudes(arm), length);
        }
        sum->arms[sum->arm_count] = arm;
        sum->lengths[sum->arm_count++] = length;
    }
}

static void kini_sum_segment(kini_sum *sum, kin_vec from, kin_vec to, kini_obstacle *box) {
    kin_vec arm = kini_scale(kini_sub(to, from), 0.5f);
    box->centre = kini_scale(kini_add(from, to), 0.5f);
    box->half = kini_magnitudes(arm);
    if (kini_is_zero(arm)) return;
    sum->arms[sum->arm_count] = kini_unit(arm);
    sum->lengths[sum->arm_count++] = kini_len(arm);
}

static inline void kini_sum_triangle(kini_sum *sum, const kin_vec *p, float sign, kini_obstacle *box) {
    kini_cloud *cloud = &sum->clouds[sum->cloud_count++];
    kin_vec     lo = kini_lower(kini_lower(p[0], p[1]), p[2]), hi = kini_upper(kini_upper(p[0], p[1]), p[2]);
    int         i;
    box->centre = kini_scale(kini_add(lo, hi), 0.5f);
    box->half = kini_scale(kini_sub(hi, lo), 0.5f);
    cloud->hull = NULL;
    cloud->count = 3;
    for (i = 0; i < 3; i++) cloud->own[i] = sign < 0 ? kini_sub(box->centre, p[i]) : kini_sub(p[i], box->centre);
}

static void kini_sum_hull(kini_sum *sum, const kini_solid *solid, kin_rot turn, float sign, kini_obstacle *box) {
    kini_cloud *cloud = &sum->clouds[sum->cloud_count++];
    cloud->turned = !kini_is_unturned(turn);
    box->centre = cloud->turned ? kini_rotate(turn, solid->centre) : solid->centre;
    box->half = cloud->turned ? kini_turned_half(turn, solid->half) : solid->half;
    cloud->hull = solid->hull;
    cloud->turn = turn;
    cloud->at = kini_scale(box->centre, -sign);
    cloud->sign = sign;
    cloud->count = solid->count;
}

/* The longest side of a triangle that is as thin as a line; -1 for any other. */
static int kini_needle(const kin_vec *p) {
    kin_vec a = kini_sub(p[1], p[0]), b = kini_sub(p[2], p[1]), c = kini_sub(p[0], p[2]);
    float   aa = kini_len2(a), bb = kini_len2(b), cc = kini_len2(c), most = kini_greater(aa, kini_greater(bb, cc));
    if (kini_len2(kini_cross(a, b)) > KINI_LINE2 * most * most) return -1;
    return cc < aa || cc < bb ? bb > aa : 2;
}

/* Adds one of the two cores; gives the box around it. */
static void kini_sum_core(kini_sum *sum, const kini_solid *solid, kin_rot turn, float sign, kini_obstacle *box) {
    kin_vec p[3];
    int     i, from;
    if (solid->count == 0) { kini_sum_box(sum, solid, turn, box); return; }
    if (solid->count > 3) { kini_sum_hull(sum, solid, turn, sign, box); return; }
    from = solid->count == 2 ? 0 : kini_is_zero(solid->face) ? kini_needle(solid->points) : -1;
    for (i = 0; i < solid->count; i++)
        p[i] = kini_is_unturned(turn) ? solid->points[i] : kini_rotate(turn, solid->points[i]);
    if (from >= 0) kini_sum_segment(sum, p[from], p[from == 2 ? 0 : from + 1], box);
    else kini_sum_triangle(sum, p, sign, box);
}

/* The rest of a sum, with the boxes around both cores. */
static inline void kini_sum_end(kini_sum *sum, const kini_solid *piece, const kini_solid *body,
                                const kini_obstacle *own, const kini_obstacle *other, kini_obstacle *out) {
    int i;
    sum->asked.kept = sum->asked.known = false;
    sum->axis_count = 0;
    sum->complete = false;
    sum->face = body->count == 0 && sum->arm_count <= 1 ? piece->face : kini_vec_zero();
    for (i = 0; i < 3 && !kini_is_zero(sum->face); i++) sum->sides[i] = piece->sides[i];
    out->centre = kini_sub(own->centre, other->centre);
    out->half = kini_add(own->half, other->half);
    out->radius = piece->radius + body->radius;
    out->sum = sum;
}

/* for a piece at 0 */
KINI_PART void kini_sum_make(kini_sum *room, const kini_solid *piece, kin_rot piece_turn, const kini_solid *body,
                             kin_rot body_turn, kini_obstacle *out) {
    kini_obstacle own, other;   /* boxes around both cores */
    room->arm_count = room->cloud_count = 0;
    kini_sum_core(room, piece, piece_turn, 1, &own);
    kini_sum_core(room, body, body_turn, -1, &other);
    kini_sum_end(room, piece, body, &own, &other, out);
}

KINI_PART void kini_sum_begin(kini_sum *core, const kini_solid *body, kin_rot turn, kini_obstacle *box) {
    core->arm_count = core->cloud_count = 0;
    kini_clear(core->arms, 3 * sizeof *core->arms);
    kini_clear(core->lengths, 3 * sizeof *core->lengths);
    kini_sum_core(core, body, turn, -1, box);
}

KINI_PART void kini_sum_face(kini_obstacle *out, kini_sum *room, const kini_solid *face, const kini_solid *body,
                             const kini_sum *core, const kini_obstacle *box) {
    kini_obstacle own;
    room->cloud_count = 0;
    room->arm_count = core->arm_count;
    kini_copy(room->arms, core->arms, 3 * sizeof *room->arms);
    kini_copy(room->lengths, core->lengths, 3 * sizeof *room->lengths);
    kini_sum_triangle(room, face->points, 1, &own);
    kini_sum_end(room, face, body, &own, box, out);
}

/* ---- support points ---------------------------------------------------------------------------------------------- */
static kin_vec kini_from_hull(const kini_cloud *cloud, kin_vec v) {
    return cloud->turned ? kini_rotate(cloud->turn, v) : v;
}

static kin_vec kini_to_hull(const kini_cloud *cloud, kin_vec v) {
    return cloud->turned ? kini_unrotate(cloud->turn, v) : v;
}

static kin_vec kini_cloud_corner(const kini_cloud *cloud, kin_vec direction) {
    kin_vec p;
    if (!cloud->hull) return kini_furthest_point(cloud->own, cloud->count, direction);
    direction = kini_scale(kini_to_hull(cloud, direction), cloud->sign);
    p = kini_furthest_point(cloud->hull->points, cloud->count, direction);
    return kini_madd(cloud->at, kini_from_hull(cloud, p), cloud->sign);
}

static kin_vec kini_sum_corner(const kini_sum *sum, kin_vec direction) {
    kin_vec p = kini_vec_zero();
    int     i;
    for (i = 0; i < sum->arm_count; i++)
        p = kini_madd(p, sum->arms[i], kini_dot(sum->arms[i], direction) < 0 ? -sum->lengths[i] : sum->lengths[i]);
    for (i = 0; i < sum->cloud_count; i++) p = kini_add(p, kini_cloud_corner(&sum->clouds[i], direction));
    return p;
}

/* The general case behind those above, for an obstacle with a `sum` (polygon2.c, polytope3.c). */
/* of the core, from the centre */
KINI_PART float kini_sum_extent(const kini_sum *sum, kin_vec direction) {
    return kini_dot(kini_sum_corner(sum, direction), direction);
}

static bool kini_simplex_has(const kini_simplex *simplex, kini_big point) {
    int i;
    for (i = 0; i < simplex->count; i++) {
        kini_big d = kini_big_sub(simplex->points[i], point);
        if (!(kini_big_dot(d, d) > 0)) return true;
    }
    return false;
}

/* Distance of y to the core and the direction to it, starting from a guess of that, which stays if y is inside. */
static float kini_sum_distance(const kini_sum *sum, kin_vec y, kin_vec *normal) {
    kini_simplex simplex;
    kini_big     closest = kini_big_sub(kini_big_of(kini_sum_corner(sum, *normal)), kini_big_of(y)), next;
    double       size = kini_big_dot(closest, closest);
    float        length;
    int          round;
    simplex.points[0] = closest;
    simplex.count = 1;
    for (round = 0; round < KINI_MAX_SEARCH; round++) {
        next = kini_big_sub(kini_big_of(kini_sum_corner(sum, kini_neg(kini_small(closest)))), kini_big_of(y));
        if (size - kini_big_dot(closest, next) <= size * KINI_SEARCH_END || kini_simplex_has(&simplex, next)) break;
        simplex.points[simplex.count++] = next;
        closest = kini_simplex_closest(&simplex);
        if (simplex.count == 4) return 0;
        size = kini_big_dot(closest, closest);
    }
    length = kini_sqrt((float)size);
    if (length > 0) *normal = kini_scale(kini_small(closest), -1 / length);
    return length;
}

/* ---- axes -------------------------------------------------------------------------------------------------------- */
/* Called for each direction in which the core has a face; not of length one. False ends the walk. */
typedef bool kini_axis_fn(void *context, kin_vec direction);

/* Two edges make a face unless they are parallel. If they nearly are, it is made flush with both again. */
static inline bool kini_take_cross(kin_vec a, kin_vec b, kini_axis_fn *take, void *context) {
    kin_vec direction = kini_cross(a, b);
    float   sine = kini_len2(direction), size = kini_len2(a) * kini_len2(b);
    if (sine > KINI_SHARP2 * size) return take(context, direction);
    if (!(sine > KINI_PARALLEL2 * size)) return true;
    direction = kini_madd(direction, a, -kini_dot(direction, a) / kini_len2(a));
    direction = kini_madd(direction, b, -kini_dot(direction, b) / kini_len2(b));
    return take(context, direction);
}

/* An edge of a cloud and the faces that meet in it, such that along = left x right. */
typedef struct kini_ridge { kin_vec along, left, right; bool flat; } kini_ridge;

static int kini_cloud_edges(const kini_cloud *cloud) {
    return cloud->hull ? cloud->hull->edge_count : cloud->count == 3 ? 3 : 0;
}

static kin_vec kini_own_edge(const kini_cloud *cloud, int i) {
    return kini_sub(cloud->own[i == 2 ? 0 : i + 1], cloud->own[i]);
}

/* In the cloud's own frame. */
static kini_ridge kini_cloud_edge(const kini_cloud *cloud, int i) {
    const kini_hull *hull = cloud->hull;
    kini_ridge       ridge;
    if (hull) {
        ridge.along = kini_sub(hull->points[hull->edges[i][1]], hull->points[hull->edges[i][0]]);
        ridge.left = hull->normals[hull->sides[i][0]];
        ridge.right = hull->normals[hull->sides[i][1]];
        ridge.flat = hull->face_count == 2;
        return ridge;
    }
    ridge.along = kini_own_edge(cloud, i);
    ridge.left = kini_unit(kini_cross(kini_own_edge(cloud, 0), kini_own_edge(cloud, 1)));
    ridge.right = kini_neg(ridge.left);
    ridge.flat = true;
    return ridge;
}

/* From the cloud's frame or, with the inverse turn, into it. `along` is no normal: a reflected cloud keeps it. */
static kini_ridge kini_turn_ridge(kini_ridge edge, const kini_cloud *cloud, kin_rot turn) {
    if (!cloud->hull) return edge;
    if (cloud->turned) {
        edge.along = kini_rotate(turn, edge.along);
        edge.left = kini_rotate(turn, edge.left);
        edge.right = kini_rotate(turn, edge.right);
    }
    edge.left = kini_scale(edge.left, cloud->sign);
    edge.right = kini_scale(edge.right, cloud->sign);
    return edge;
}

static kini_ridge kini_sum_edge(const kini_cloud *cloud, int i) {
    return kini_turn_ridge(kini_cloud_edge(cloud, i), cloud, cloud->turn);
}

/* A flat cloud also ends in its plane, beyond each edge. */
static bool kini_walk_faces(const kini_cloud *cloud, kini_axis_fn *take, void *context) {
    const kini_hull *hull = cloud->hull;
    int              i;
    if (!hull && cloud->count < 3) return true;
    if (!hull) return kini_take_cross(kini_own_edge(cloud, 0), kini_own_edge(cloud, 1), take, context);
    for (i = 0; i < hull->face_count; i++)
        if (!take(context, kini_from_hull(cloud, hull->normals[i]))) return false;
    for (i = 0; i < hull->edge_count && hull->face_count == 2; i++) {
        kini_ridge edge = kini_sum_edge(cloud, i);
        if (!kini_take_cross(edge.along, edge.left, take, context)) return false;
    }
    return true;
}

/* An arm passes along a whole great circle of normals, an edge along the arc between those of its faces: where they
   cross, the sum has a face of both. The arc of a flat edge is half a circle and always crosses. */
static bool kini_walk_edges_arms(const kini_sum *sum, const kini_cloud *cloud, kini_axis_fn *take, void *context) {
    int i, k, edges = sum->arm_count > 0 ? kini_cloud_edges(cloud) : 0;
    for (i = 0; i < edges; i++) {
        kini_ridge edge = kini_sum_edge(cloud, i);
        for (k = 0; k < sum->arm_count; k++) {
            kin_vec arm = sum->arms[k];
            if (!edge.flat && !(kini_dot(edge.left, arm) * kini_dot(edge.right, arm) < 0)) continue;
            if (!kini_take_cross(edge.along, arm, take, context)) return false;
        }
    }
    return true;
}

/* The arc of a flat edge is half a circle, on the side of the direction that leads out of the plane figure. */
static kin_vec kini_flat_outward(const kini_ridge *edge) { return kini_cross(edge->along, edge->left); }

static bool kini_half_circle_meets(const kini_ridge *flat, const kini_ridge *edge) {
    float   left = kini_dot(edge->left, flat->along), right = kini_dot(edge->right, flat->along);
    kin_vec crossing = kini_add(kini_scale(edge->left, kini_abs(right)), kini_scale(edge->right, kini_abs(left)));
    return left * right < 0 && kini_dot(crossing, kini_flat_outward(flat)) > 0;
}

/* Do the arcs of normals of two edges cross? */
static bool kini_ridges_meet(const kini_ridge *a, const kini_ridge *b) {
    kin_vec crossing;
    float   left, right, here, there;
    if (a->flat && b->flat) {
        crossing = kini_cross(a->along, b->along);
        return kini_dot(crossing, kini_flat_outward(a)) * kini_dot(crossing, kini_flat_outward(b)) > 0;
    }
    if (a->flat) return kini_half_circle_meets(a, b);
    if (b->flat) return kini_half_circle_meets(b, a);
    left = kini_dot(b->left, a->along);
    right = kini_dot(b->right, a->along);
    if (!(left * right < 0)) return false;
    here = kini_dot(a->left, b->along);
    there = kini_dot(a->right, b->along);
    return here * there < 0 && left * there > 0;
}

/* The edges of the first cloud are brought into the frame of the second, whose edges are then read as they are. */
static bool kini_walk_edges(const kini_cloud *a, const kini_cloud *b, kini_axis_fn *take, void *context) {
    int i, k, count = kini_cloud_edges(a), others = kini_cloud_edges(b);
    for (i = 0; i < count; i++) {
        kini_ridge world = kini_sum_edge(a, i), edge = kini_turn_ridge(world, b, kini_inverse(b->turn));
        for (k = 0; k < others; k++) {
            kini_ridge other = kini_cloud_edge(b, k);
            if (!kini_ridges_meet(&edge, &other)) continue;
            if (!kini_take_cross(world.along, kini_sum_edge(b, k).along, take, context)) return false;
        }
    }
    return true;
}

static bool kini_walk_axes(const kini_sum *sum, kini_axis_fn *take, void *context) {
    int i, k;
    for (i = 0; i < sum->cloud_count; i++)
        if (!kini_walk_faces(&sum->clouds[i], take, context)) return false;
    for (i = 0; i < sum->arm_count; i++)
        for (k = i + 1; k < sum->arm_count; k++)
            if (!kini_take_cross(sum->arms[i], sum->arms[k], take, context)) return false;
    for (i = 0; i < sum->cloud_count; i++)
        if (!kini_walk_edges_arms(sum, &sum->clouds[i], take, context)) return false;
    return sum->cloud_count < 2 || kini_walk_edges(&sum->clouds[0], &sum->clouds[1], take, context);
}

/* How far the core reaches along a direction of length one. */
static inline void kini_sum_stretch(const kini_sum *sum, kin_vec along, kini_axis *out) {
    float middle = 0, half = 0, lo, hi, at, swap;
    int   i;
    for (i = 0; i < sum->arm_count; i++) {
        float s = kini_dot(sum->arms[i], along) * sum->lengths[i];
        half += kini_greater(s, -s);
    }
    for (i = 0; i < sum->cloud_count; i++) {
        const kini_cloud *cloud = &sum->clouds[i];
        if (!cloud->hull) kini_points_stretch(cloud->own, cloud->count, along, &lo, &hi);
        else {
            kini_points_stretch(cloud->hull->points, cloud->count, kini_to_hull(cloud, along), &lo, &hi);
            if (cloud->sign < 0) { swap = -lo; lo = -hi; hi = swap; }
            at = kini_dot(cloud->at, along);
            lo += at;
            hi += at;
        }
        middle += (lo + hi) * 0.5f;
        half += (hi - lo) * 0.5f;
    }
    out->along = along;
    out->middle = middle;
    out->half = half;
}

/* Of length one and upwards, so that of two sides equally far the upper one comes first. */
static inline kin_vec kini_upward(kin_vec direction) {
    bool down = direction.y < 0 || (!(direction.y > 0) && (direction.x < 0 || (!(direction.x > 0) && direction.z < 0)));
    return kini_scale(direction, (down ? -1 : 1) / kini_len(direction));
}

/* ---- the axes of a small sum ------------------------------------------------------------------------------------- */
static bool kini_keep_axis(void *context, kin_vec direction) {
    kini_sum *sum = (kini_sum *)context;
    kin_vec   along = kini_upward(direction);
    int       i;
    for (i = 0; i < sum->axis_count; i++) {
        kin_vec off = kini_sub(along, sum->axes[i].along);
        if (off.y * off.y < KINI_PARALLEL2 && kini_len2(off) < KINI_PARALLEL2) return true;   /* y tells most apart */
    }
    if (sum->axis_count == KINI_MAX_AXES) return false;
    kini_sum_stretch(sum, along, &sum->axes[sum->axis_count++]);
    return true;
}

static int kini_thinnest(const kini_sum *sum, int from) {
    int i, best = from;
    for (i = from + 1; i < sum->axis_count; i++)
        if (sum->axes[i].half < sum->axes[best].half) best = i;
    return best;
}

/* Axes in the plane across `normal`, one for each edge. */
static bool kini_plane_axes(kini_sum *sum, kin_vec normal) {
    int i, k;
    for (i = 0; i < sum->arm_count; i++)
        if (!kini_take_cross(normal, sum->arms[i], kini_keep_axis, sum)) return false;
    for (k = 0; k < sum->cloud_count; k++)
        for (i = 0; i < kini_cloud_edges(&sum->clouds[k]); i++)
            if (!kini_take_cross(normal, kini_sum_edge(&sum->clouds[k], i).along, kini_keep_axis, sum)) return false;
    return true;
}

/* A core that is flat, or nearly, gets axes in its plane as well; one that is nearly a line, an axis at its ends. */
static bool kini_thin_axes(kini_sum *sum, float extent) {
    int     first, thin;
    kin_vec normal;
    if (sum->axis_count == 0)   /* a line or a point */
        kini_keep_axis(sum, kini_some_across(sum->arm_count > 0 ? sum->arms[0] : kini_with(kini_vec_zero(), 0, 1)));
    thin = kini_thinnest(sum, 0);
    if (sum->axes[thin].half > KINI_THIN * extent) return true;
    normal = sum->axes[thin].along;
    first = sum->axis_count;
    if (!kini_plane_axes(sum, normal)) return false;
    if (first == sum->axis_count) kini_keep_axis(sum, kini_some_across(normal));
    thin = kini_thinnest(sum, first);
    if (sum->axes[thin].half > KINI_THIN * extent) return true;
    return kini_take_cross(normal, sum->axes[thin].along, kini_keep_axis, sum);
}

/* Finds the axes once; false: too many to keep. The one that runs up most comes first, to win where others tie. */
static bool kini_sum_is_small(const kini_obstacle *obstacle) {
    kini_sum *sum = obstacle->sum;
    kini_axis first;
    int       i, best = 0;
    if (sum->complete) return sum->axis_count > 0;
    sum->complete = true;
    if (!kini_walk_axes(sum, kini_keep_axis, sum) || !kini_thin_axes(sum, kini_largest(obstacle->half))) {
        sum->axis_count = -1;
        return false;
    }
    for (i = 1; i < sum->axis_count; i++)
        if (sum->axes[i].along.y > sum->axes[best].along.y) best = i;
    first = sum->axes[best];
    sum->axes[best] = sum->axes[0];
    sum->axes[0] = first;
    return true;
}

/* ---- distance ---------------------------------------------------------------------------------------------------- */
/* The closest point of the core lies in up to three planes: in a face, an edge or a corner. */
typedef struct kini_close {
    kin_vec normal;       /* from that point to y */
    float   distance;
    kin_vec planes[3];    /* their normals */
    float   levels[3];    /* how far y is beyond each */
    int     count;        /* 0: not known, it was searched for */
} kini_close;

/* How far p is beyond which plane at most (negative: inside of all); the far side of an axis if *side is positive. */
static inline float kini_furthest_plane(const kini_sum *sum, kin_vec p, const kini_axis **which, float *side) {
    const kini_axis *axis = sum->axes, *end = axis + sum->axis_count;
    float            most = -KINI_FLT_MAX;
    *which = axis;
    *side = 0;
    for (; axis < end; axis++) {
        float s = kini_dot(axis->along, p) - axis->middle, gap = kini_greater(s, -s) - axis->half;
        if (gap > most) { most = gap; *side = s; *which = axis; }
    }
    return most;
}

/* The point of two planes closest to y. False if they are too nearly parallel, or if one alone is closer. */
static bool kini_close_edge(kini_close *close) {
    kin_vec a = close->planes[0], b = close->planes[1], offset;
    float   cosine = kini_dot(a, b), sine = 1 - cosine * cosine, size;
    float   s = close->levels[0] - cosine * close->levels[1], t = close->levels[1] - cosine * close->levels[0];
    if (sine < KINI_BLUNT2 || s < 0 || t < 0) return false;
    offset = kini_madd(kini_scale(a, s), b, t);
    size = kini_len(offset);
    close->distance = size / sine;
    close->normal = kini_scale(offset, 1 / size);
    return size > 0;
}

/* The same for three planes; drops one of the first two if the point is not held by it. */
static bool kini_close_corner(kini_close *close) {
    const kin_vec *p = close->planes;
    kin_vec        a = kini_cross(p[1], p[2]), b = kini_cross(p[2], p[0]), c = kini_cross(p[0], p[1]), offset;
    float          volume = kini_dot(p[0], a), first, second, size;
    if (volume * volume < KINI_BLUNT2) return false;
    offset = kini_madd(kini_madd(kini_scale(a, close->levels[0]), b, close->levels[1]), c, close->levels[2]);
    first = kini_dot(offset, a);
    second = kini_dot(offset, b);
    if (kini_dot(offset, c) < 0 || (first < 0 && second < 0)) return false;
    if (first < 0 || second < 0) {
        int drop = first < 0 ? 0 : 1;
        close->planes[drop] = close->planes[2];
        close->levels[drop] = close->levels[2];
        close->count = 2;
        return kini_close_edge(close);
    }
    size = kini_len(offset);
    close->distance = size / kini_abs(volume);
    close->normal = kini_scale(offset, (volume < 0 ? -1 : 1) / size);
    return size > 0;
}

/* From the plane that y is furthest beyond to the closest point: each round adds the plane that the point found so far
   is still beyond. Each gets further away from y, so few rounds are needed; otherwise the search decides. */
static void kini_close_small(const kini_obstacle *obstacle, kin_vec y, kini_close *close) {
    const kini_sum  *sum = obstacle->sum;
    const kini_axis *axis;
    float            slack = kini_blur(obstacle, y), side, first = kini_furthest_plane(sum, y, &axis, &side), s;
    kin_vec          towards = side < 0 ? kini_neg(axis->along) : axis->along;
    int              round;
    close->normal = close->planes[0] = towards;
    close->distance = close->levels[0] = first;
    close->count = 1;
    if (!(first > slack)) return;
    for (round = 0; round < KINI_MAX_PLANE_ROUNDS; round++) {
        kin_vec point = kini_madd(y, close->normal, -close->distance);
        if (kini_furthest_plane(sum, point, &axis, &side) <= slack * KINI_CLEARLY) return;
        if (close->count == 3) break;
        s = kini_dot(axis->along, y) - axis->middle;
        close->planes[close->count] = side < 0 ? kini_neg(axis->along) : axis->along;
        close->levels[close->count++] = (side < 0 ? -s : s) - axis->half;
        if (!(close->count == 2 ? kini_close_edge(close) : kini_close_corner(close))) break;
    }
    close->count = 0;
    close->normal = towards;
    close->distance = kini_sum_distance(sum, y, &close->normal);
    if (close->distance > first) return;
    close->distance = first;
    close->normal = towards;
}

/* Ways out, found while walking through the axes: for a point in a large sum they are not kept. */
typedef struct kini_way_search {
    const kini_sum *sum;
    kin_vec         y;
    float           radius;
    kini_way        ways[KINI_MAX_WAYS];
    int             count, capacity;
} kini_way_search;

static void kini_way_both(kini_way_search *search, const kini_axis *axis) {
    float s = kini_dot(axis->along, search->y) - axis->middle, reach = axis->half + search->radius;
    search->count = kini_ways_add(search->ways, search->count, search->capacity, axis->along, reach - s);
    search->count = kini_ways_add(search->ways, search->count, search->capacity, kini_neg(axis->along), reach + s);
}

static bool kini_way_axis(void *context, kin_vec direction) {
    kini_way_search *search = (kini_way_search *)context;
    kini_axis        axis;
    kini_sum_stretch(search->sum, kini_upward(direction), &axis);
    kini_way_both(search, &axis);
    return true;
}

/* Close to the core a face gives a better normal than the search, and inside there is no other. */
static void kini_close_large(const kini_obstacle *obstacle, kin_vec y, kini_close *close) {
    kini_way_search search;
    float           slack = kini_blur(obstacle, y), best;
    close->count = 0;
    close->normal = y;
    close->distance = kini_sum_distance(obstacle->sum, y, &close->normal);
    if (close->distance > KINI_CLOSE * kini_largest(obstacle->half)) return;
    search.sum = obstacle->sum;
    search.y = y;
    search.radius = 0;
    search.count = 0;
    search.capacity = 1;
    kini_walk_axes(search.sum, kini_way_axis, &search);
    best = -search.ways[0].length;
    if (close->distance > best + 2 * slack && close->distance > 10 * slack) return;
    close->normal = search.ways[0].axis;
    close->distance = best;
}

/* Which end of a round body's core is nearer to a face's plane, and how far above it; the arm leads to its middle. */
static float kini_foot_over(const kini_sum *sum, kin_vec y, kin_vec *normal, kin_vec *foot, kin_vec *arm) {
    kin_vec corner = sum->clouds[0].own[0];
    bool    below = kini_dot(sum->face, kini_sub(y, corner)) < 0;
    *normal = below ? kini_neg(sum->face) : sum->face;
    *arm = sum->arm_count > 0 ? kini_scale(sum->arms[0], sum->lengths[0]) : kini_vec_zero();
    if (kini_dot(*normal, *arm) < 0) *arm = kini_neg(*arm);
    *foot = kini_sub(y, *arm);
    return kini_dot(*normal, kini_sub(*foot, corner));
}

/* From a face to a round body whose core is on one side: to the nearer end, unless the core leads nearer still. */
static bool kini_close_face(const kini_sum *sum, kin_vec y, kini_close *close) {
    const kin_vec *p = sum->clouds[0].own;
    kin_vec        foot, arm, to, best = kini_vec_zero();
    float          least = KINI_FLT_MAX;
    int            i;
    close->distance = kini_foot_over(sum, y, &close->normal, &foot, &arm);
    close->count = 1;
    if (!(close->distance > 0)) return false;
    for (i = 0; i < 3; i++) {
        kin_vec along = kini_own_edge(&sum->clouds[0], i);
        to = kini_sub(foot, p[i]);
        if (!(kini_dot(sum->sides[i], to) > 0)) continue;
        to = kini_madd(to, along, -kini_clamp(kini_dot(to, along) / kini_len2(along), 0, 1));
        if (kini_len2(to) < least) { least = kini_len2(to); best = to; }
    }
    if (!(least < KINI_FLT_MAX) || !(least > 0)) return true;   /* over the face, or on its edge */
    close->count = 0;
    close->distance = kini_sqrt(least);
    close->normal = kini_scale(best, 1 / close->distance);
    return kini_dot(best, arm) >= 0;
}

static void kini_close_to(const kini_obstacle *obstacle, kin_vec y, kini_close *close) {
    bool round = !kini_is_zero(obstacle->sum->face);
    if (round && kini_close_face(obstacle->sum, y, close)) return;
    if (kini_sum_is_small(obstacle)) kini_close_small(obstacle, y, close);
    else kini_close_large(obstacle, y, close);
    if (round) close->count = 0;   /* kini_edge_advance may be too far away */
}

KINI_PART float kini_sum_gap(const kini_obstacle *obstacle, kin_vec x, kin_vec *normal) {
    kini_close close;
    kini_close_to(obstacle, kini_sub(x, obstacle->centre), &close);
    *normal = close.normal;
    return close.distance - obstacle->radius;
}

/* ---- ray --------------------------------------------------------------------------------------------------------- */
/* When a ray is between all pairs of sides that it has been clipped to so far, and by which it came in. */
typedef struct kini_pass { float enter, leave; kin_vec normal; } kini_pass;

/* Clips a ray to the axes that are known so far, their sides moved out by the radius. False if it misses. Closer than
   `slack` to a side is on it. pass->enter stays negative if the ray starts between all sides. */
static bool kini_clip_axes(kini_pass *pass, const kini_obstacle *obstacle, kin_vec y, kin_vec v, float slack) {
    const kini_axis *axis = obstacle->sum->axes, *end = axis + obstacle->sum->axis_count;
    bool             flat = false;
    pass->enter = -1;
    pass->leave = 2;
    for (; axis < end; axis++) {
        float speed = kini_dot(axis->along, v), side = speed < 0 ? 1.0f : -1.0f;
        float from = (kini_dot(axis->along, y) - axis->middle) * -side, reach = axis->half + obstacle->radius;
        float first = -reach - from, last = reach - from, t;
        speed *= -side;
        if (last <= slack || first > speed) return false;
        if (first > -slack) {
            if (!(speed > 0)) return false;
            t = kini_greater(first, 0) / speed;
            if (t > pass->enter) { pass->enter = t; pass->normal = kini_scale(axis->along, side); }
        }
        if (last <= speed) pass->leave = kini_lesser(pass->leave, last / speed);
        if (reach <= slack) flat = true;
    }
    return pass->enter < pass->leave || (flat && pass->enter <= pass->leave);   /* a plane is left as it is entered */
}

/* How much further to the rounding of the edge between two planes, negative: never. An area gives the discriminant, as
   B * B - A * C would cancel. A ray that leaves the edge for a face has touched before: this never goes too far. */
static float kini_edge_advance(const kini_close *close, kin_vec v, float radius) {
    kin_vec n = close->planes[0], m = close->planes[1];
    float s = close->levels[0], t = close->levels[1], u = kini_dot(n, v), w = kini_dot(m, v);
    float cosine = kini_dot(n, m), sine = 1 - cosine * cosine, area = s * w - t * u;
    float a = u * u - 2 * cosine * u * w + w * w, b = s * u - cosine * (s * w + t * u) + t * w;
    float room = (a * radius * radius - area * area) * sine;
    if (!(b < 0) || !(room > 0)) return -1;
    return (close->distance - radius) * (close->distance + radius) * sine / (kini_sqrt(room) - b);
}

/* The distance along a ray is convex: Newton's steps never go past the first touch, and are exact on a face. */
static bool kini_advance(const kini_obstacle *obstacle, kin_vec y, kin_vec v, float slack, float *t, kin_vec *normal) {
    float      radius = obstacle->radius;
    int        round;
    kini_close close;
    for (round = 0; round < KINI_MAX_ADVANCES; round++) {
        float gap, speed, step;
        kini_close_to(obstacle, kini_madd(y, v, *t), &close);
        *normal = close.normal;
        gap = close.distance - radius;
        if (gap < -slack && !(*t > 0)) return true;
        speed = -kini_dot(v, close.normal);
        if (!(speed > 0)) return false;
        if (gap <= slack) return true;
        step = close.count == 2 ? kini_edge_advance(&close, v, radius) : gap / speed;
        if (!(step >= 0) || !(*t + step <= 1)) return false;
        *t += step;
    }
    return true;
}

KINI_PART bool kini_sum_ray(const kini_obstacle *obstacle, kin_vec x, kin_vec travel, float *t, kin_vec *normal) {
    const kini_sum *sum = obstacle->sum;
    kin_vec         y = kini_sub(x, obstacle->centre), foot, arm;
    float           slack = kini_blur(obstacle, y) + obstacle->radius * KINI_BLUR, room, speed;
    kini_pass       pass;
    kini_close      close;
    bool            round = !kini_is_zero(sum->face);
    int             i;
    *t = 0;
    if (round) {   /* most rays that miss a face miss its plane; no ray comes to the face before it comes there */
        room = kini_foot_over(sum, y, normal, &foot, &arm) - obstacle->radius;
        speed = -kini_dot(*normal, travel);
        if (room > slack && room > speed) return false;
        if (room > slack) {
            *t = room / speed;
            foot = kini_madd(foot, travel, *t);
            for (i = 0; i < 3 && !(kini_dot(sum->sides[i], kini_sub(foot, sum->clouds[0].own[i])) > 0); i++) {}
            if (i == 3) return true;
        }
    }
    if ((round && obstacle->radius > 0) || !kini_sum_is_small(obstacle))
        return kini_advance(obstacle, y, travel, slack, t, normal);
    if (!kini_clip_axes(&pass, obstacle, y, travel, slack)) return false;
    if (pass.enter > 0) *t = pass.enter;
    if (obstacle->radius > 0) return kini_advance(obstacle, y, travel, slack, t, normal);
    if (pass.enter < 0) {
        kini_close_small(obstacle, y, &close);
        pass.normal = close.normal;
    }
    *normal = pass.normal;
    return true;
}

KINI_PART int kini_sum_ways(const kini_obstacle *obstacle, kin_vec x, kini_way *ways, int capacity) {
    const kini_sum *sum = obstacle->sum;
    kini_way_search search;
    kin_vec         normal;
    float           gap = kini_sum_gap(obstacle, x, &normal);
    int             i, k, count = 0;
    if (!(gap < 0)) return 0;
    kini_sum_is_small(obstacle);   /* finds the axes */
    search.sum = sum;
    search.y = kini_sub(x, obstacle->centre);
    search.radius = obstacle->radius;
    search.capacity = KINI_MAX_WAYS;
    search.count = kini_ways_add(search.ways, 0, KINI_MAX_WAYS, normal, -gap);
    for (i = 0; i < sum->axis_count; i++) kini_way_both(&search, &sum->axes[i]);
    if (sum->axis_count < 0) kini_walk_axes(sum, kini_way_axis, &search);
    for (i = 0; i < search.count && count < capacity; i++) {
        bool known = false;   /* of ways that are nearly the same only the shortest counts */
        for (k = 0; k < count; k++) known |= kini_dot(ways[k].axis, search.ways[i].axis) > KINI_SAME_WAY;
        if (!known) ways[count++] = search.ways[i];
    }
    return count;
}

#endif

/* ==== src/obstacle.c: a point against a rounded box, closed form in both dimensions. =================================
   Grown by a body's shape, a piece becomes an obstacle and the body a point. If both cores are boxes along the axes
   (those of balls and upright capsules are) so is the obstacle's, rounded by the sum of both radii. Others go to the
   general case (polygon2.c, polytope3.c). Ties go to the y axis, so that a corner counts as floor, not as wall. */

static kin_vec kini_core_centre(const kini_solid *solid, kin_rot turn) {
    return kini_is_unturned(turn) ? solid->centre : kini_rotate(turn, solid->centre);
}

/* `room` is used only if the obstacle is not a rounded box; it and the solids' hulls must outlive the obstacle. */
KINI_PART void kini_obstacle_make(kini_obstacle *out, kini_sum *room, const kini_solid *piece, kin_pose at,
                                  const kini_solid *body, kin_rot body_turn) {
    kin_vec piece_half, body_half;
    if (!kini_solid_is_box(piece, at.q, &piece_half) || !kini_solid_is_box(body, body_turn, &body_half)) {
        kini_sum_make(room, piece, at.q, body, body_turn, out);
        out->centre = kini_add(at.p, out->centre);
        return;
    }
    out->centre = kini_add(at.p, kini_sub(kini_core_centre(piece, at.q), kini_core_centre(body, body_turn)));
    out->half = kini_add(piece_half, body_half);
    out->radius = piece->radius + body->radius;
    out->sum = NULL;
}

/* The same at a place of world->sums, which may hold that sum already: riders of a mover ask one after the other. */
KINI_PART void kini_obstacle_again(const kin_world *world, kini_obstacle *out, int place, const kini_solid *piece,
                                   kin_pose at, const kini_solid *body, kin_rot body_turn) {
    kini_known  now, *known = &world->known.at[place];
    kini_sum   *room = &world->sums.at[place];
    if (place >= KINI_MOST_KNOWN || piece->count > 0 || body->count > 0) {
        kini_obstacle_make(out, room, piece, at, body, body_turn);
        return;
    }
    now.centres[0] = piece->centre; now.halves[0] = piece->half; now.turns[0] = at.q;
    now.centres[1] = body->centre; now.halves[1] = body->half; now.turns[1] = body_turn;
    if (!room->asked.kept || !kini_same_bytes(&now, known, KINI_KNOWN_BYTES)) {
        kini_obstacle_make(&now.obstacle, room, piece, kini_pose(kini_vec_zero(), at.q), body, body_turn);
        if (now.obstacle.sum) { *known = now; room->asked.kept = true; }
    } else now.obstacle = known->obstacle;
    *out = now.obstacle;
    out->centre = kini_add(at.p, out->centre);
    out->radius = piece->radius + body->radius;
    if (out->sum) { out->sum = room; room->asked.known = false; }
}

static kin_vec kini_axis_vec(int axis, float s) { return kini_with(kini_vec_zero(), axis, s); }

/* ---- distance ---------------------------------------------------------------------------------------------------- */
/* d is the point as seen from the centre. Beyond one side only, or inside, the nearest surface is a side. */
static float kini_box_gap(const kini_obstacle *box, kin_vec d, kin_vec *normal) {
    kin_vec q = kini_sub(kini_magnitudes(d), box->half), out = kini_upper(q, kini_vec_zero());
    float   most = q.y, size = kini_len2(out);
    int     i, axis = 1;
    for (i = 0; i < KINI_DIM; i++)
        if (kini_at(q, i) > most) { most = kini_at(q, i); axis = i; }
    if (!(most > 0) || !(size > most * most)) {
        *normal = kini_axis_vec(axis, kini_at(d, axis) < 0 ? -1.0f : 1.0f);
        return most - box->radius;
    }
    size = kini_sqrt(size);
    for (i = 0; i < KINI_DIM; i++) out = kini_with(out, i, kini_at(out, i) / (kini_at(d, i) < 0 ? -size : size));
    *normal = out;
    return size - box->radius;
}

/* Signed distance of x to the obstacle; the normal points from the obstacle to x. Inside it is minus the length of
   the shortest way out, and the normal is that way. */
KINI_PART float kini_obstacle_gap(const kini_obstacle *obstacle, kin_vec x, kin_vec *normal) {
    kini_gap_known *asked = obstacle->sum ? &obstacle->sum->asked : NULL;
    if (!asked) return kini_box_gap(obstacle, kini_sub(x, obstacle->centre), normal);
    if (!asked->known || !kini_is_zero(kini_sub(x, asked->x))) {
        asked->gap = kini_sum_gap(obstacle, x, &asked->normal);
        asked->x = x;
        asked->known = true;
        asked->covered = 0;
    }
    *normal = asked->normal;
    return asked->gap;
}

/* How far it reaches, from x = 0. */
KINI_PART float kini_obstacle_extent(const kini_obstacle *obstacle, kin_vec direction) {
    float core = obstacle->sum ? kini_sum_extent(obstacle->sum, direction)
                 : kini_dot(obstacle->half, kini_magnitudes(direction));
    return kini_dot(obstacle->centre, direction) + core + obstacle->radius;
}

/* On its surface, to a point that is moved out this way as far as the piece reaches. */
KINI_PART kin_vec kini_closest_on(const kini_solid *piece, kin_pose at, kin_vec point, kin_vec out) {
    kini_solid    dot;
    kini_obstacle obstacle;
    kini_sum      room;
    kin_vec       normal, x;
    float         gap;
    kini_clear(&dot, sizeof dot);
    at.p = kini_sub(at.p, point);
    kini_obstacle_make(&obstacle, &room, piece, at, &dot, kini_unturned());
    x = kini_scale(out, kini_greater(kini_obstacle_extent(&obstacle, out), 0));
    gap = kini_obstacle_gap(&obstacle, x, &normal);
    return kini_add(point, kini_madd(x, normal, -gap));
}

/* ---- ray --------------------------------------------------------------------------------------------------------- */
/* When a ray is between all pairs of sides so far; axis is the one it entered by last, -1 while it starts inside. */
typedef struct kini_span { float enter, leave; int axis; } kini_span;

/* Clips to one pair of sides, at h on both sides of the centre; false if the ray misses. Divides only if needed. */
static inline bool kini_span_axis(kini_span *span, float d, float h, float v, int axis) {
    float a = v < 0 ? -v : v, from = v < 0 ? -d : d, first = -h - from, last = h - from, t;
    if (!(last > 0) || first > a) return false;
    if (!(first < 0)) {
        if (!(a > 0)) return false;
        t = first / a;
        if (t > span->enter) { span->enter = t; span->axis = axis; }
    }
    if (!(last > a)) {
        t = last / a;
        if (t < span->leave) span->leave = t;
    }
    return true;
}

static inline bool kini_span_box(kini_span *span, kin_vec d, kin_vec half, float radius, kin_vec v) {
    span->enter = -1;
    span->leave = 2;
    span->axis = -1;
    if (!kini_span_axis(span, d.y, half.y + radius, v.y, 1)) return false;
    if (!kini_span_axis(span, d.x, half.x + radius, v.x, 0)) return false;
#if KINI_DIM == 3
    if (!kini_span_axis(span, d.z, half.z + radius, v.z, 2)) return false;
#endif
    /* A flat box is left as it is entered. */
    return span->enter < span->leave || (span->enter <= span->leave && !(kini_smallest(half) + radius > 0));
}

/* One axis of the ray against the core, seen along the travel: before the core, beside it, or past it. */
typedef struct kini_lane { float speed, first, last; int phase; } kini_lane;
enum { KINI_BEFORE, KINI_BESIDE, KINI_PAST };

static float kini_lane_offset(const kini_lane *lane) {
    return lane->phase == KINI_BEFORE ? -lane->first : lane->phase == KINI_PAST ? -lane->last : 0;
}

static float kini_lane_change(const kini_lane *lane) {
    if (lane->phase == KINI_PAST || !(lane->speed > 0)) return KINI_FLT_MAX;
    return (lane->phase == KINI_BEFORE ? lane->first : lane->last) / lane->speed;
}

/* While no phase changes, the squared distance to the core is a quadratic in time. Where does it fall to r * r, at
   `now` or later? Negative: it no longer falls; KINI_FLT_MAX: nowhere. Of areas: B * B - A * C would cancel. */
static float kini_lanes_root(const kini_lane *lanes, float r, float now) {
    float a = 0, b = 0, c = -r * r, areas = 0;
    int   i, k;
    for (i = 0; i < KINI_DIM; i++) {
        float e = kini_lane_offset(&lanes[i]), speed = lanes[i].phase == KINI_BESIDE ? 0 : lanes[i].speed;
        a += speed * speed;
        b += speed * e;
        c += e * e;
        for (k = 0; k < i; k++) {
            float other = lanes[k].phase == KINI_BESIDE ? 0 : lanes[k].speed;
            float area = e * other - kini_lane_offset(&lanes[k]) * speed;
            areas += area * area;
        }
    }
    if (!(a > 0) && c < 0) return now;
    if (!(b + a * now < 0)) return -1;
    if (!(a * r * r > areas)) return KINI_FLT_MAX;
    return kini_greater(c / (kini_sqrt(a * r * r - areas) - b), now);
}

/* From far away a small rounding is lost in the coordinates: then the side that the ray runs against most. */
static kin_vec kini_lanes_normal(const kini_lane *lanes, kin_vec v, float time, float radius) {
    kin_vec n = kini_vec_zero();
    int     i, axis = 0;
    for (i = 0; i < KINI_DIM; i++) {
        float e = kini_lane_offset(&lanes[i]) + lanes[i].speed * time;
        e = lanes[i].phase == KINI_BEFORE ? kini_lesser(e, 0) : lanes[i].phase == KINI_PAST ? kini_greater(e, 0) : 0;
        n = kini_with(n, i, kini_at(v, i) < 0 ? -e : e);
    }
    /* The second is a tangent. */
    if (kini_dot(n, v) < 0 || kini_len2(n) > 0.25f * radius * radius) return kini_unit(n);
    for (i = 1; i < KINI_DIM; i++) if (lanes[i].speed > lanes[axis].speed) axis = i;
    return kini_axis_vec(axis, kini_at(v, axis) < 0 ? 1.0f : -1.0f);
}

/* Walks from one change of phase to the next, at most two on each axis. Times are t * scale: no square overflows. */
static bool kini_rounded_ray(const kini_obstacle *box, kin_vec d, kin_vec v, float *t, kin_vec *normal) {
    kini_lane lanes[KINI_DIM];
    float     scale = kini_largest(kini_magnitudes(v)), now = 0;
    int       i, step;
    if (!(scale > 0)) return false;
    for (i = 0; i < KINI_DIM; i++) {
        float s = kini_at(v, i), from = s < 0 ? -kini_at(d, i) : kini_at(d, i), h = kini_at(box->half, i);
        lanes[i].speed = kini_abs(s) / scale;
        lanes[i].first = -h - from;
        lanes[i].last = h - from;
        lanes[i].phase = lanes[i].first > 0 ? KINI_BEFORE : lanes[i].last < 0 ? KINI_PAST : KINI_BESIDE;
    }
    for (step = 0; step <= 2 * KINI_DIM && now <= scale; step++) {
        float next = KINI_FLT_MAX, root = kini_lanes_root(lanes, box->radius, now);
        if (root < 0) return false;
        for (i = 0; i < KINI_DIM; i++) next = kini_lesser(next, kini_lane_change(&lanes[i]));
        if (root <= next) {
            if (root > scale) return false;
            *t = root / scale;
            *normal = kini_lanes_normal(lanes, v, root, box->radius);
            return kini_dot(*normal, v) < 0;
        }
        for (i = 0; i < KINI_DIM; i++) if (!(kini_lane_change(&lanes[i]) > next)) lanes[i].phase++;
        now = next;
    }
    return false;
}

/* First touch of x + t * travel, t in 0..1. Inside: t = 0, shortest way out. On the surface: only if it goes in. */
KINI_PART bool kini_obstacle_ray(const kini_obstacle *obstacle, kin_vec x, kin_vec travel, float *t, kin_vec *normal) {
    kin_vec   d = kini_sub(x, obstacle->centre);
    kini_span span;
    if (!kini_span_box(&span, d, obstacle->half, obstacle->radius, travel)) return false;
    if (obstacle->sum) return kini_sum_ray(obstacle, x, travel, t, normal);
    if (span.axis >= 0) {
        kin_vec q = kini_sub(kini_magnitudes(kini_madd(d, travel, span.enter)), obstacle->half);
        float   off = kini_largest(kini_magnitudes(d)) * KINI_ROUNDED_OFF;   /* of a flat side, or at the rounding? */
        if (obstacle->radius > 0 && kini_largest(kini_with(q, span.axis, 0)) > off)
            return kini_rounded_ray(obstacle, d, travel, t, normal);
        *t = span.enter;
        *normal = kini_axis_vec(span.axis, kini_at(travel, span.axis) < 0 ? 1.0f : -1.0f);
        return true;
    }
    *t = 0;
    if (kini_box_gap(obstacle, d, normal) < 0) return true;
    return kini_rounded_ray(obstacle, d, travel, t, normal);
}

/* ---- ways out ---------------------------------------------------------------------------------------------------- */
/* The shorter first; of equal ones that which goes more upwards, then by the other axes. */
static bool kini_way_before(kini_way a, kini_way b) {
    int i;
    if (a.length < b.length || b.length < a.length) return a.length < b.length;
    if (a.axis.y < b.axis.y || b.axis.y < a.axis.y) return a.axis.y > b.axis.y;
    for (i = 0; i < KINI_DIM; i++) {
        float p = kini_at(a.axis, i), q = kini_at(b.axis, i);
        if (p < q || q < p) return p > q;
    }
    return false;
}

KINI_PART int kini_ways_add(kini_way *ways, int count, int capacity, kin_vec axis, float length) {
    kini_way way;
    int      i;
    way.axis = axis;
    way.length = length;
    for (i = count; i > 0 && kini_way_before(way, ways[i - 1]); i--)
        if (i < capacity) ways[i] = ways[i - 1];
    if (i < capacity) ways[i] = way;
    return count < capacity ? count + 1 : count;
}

/* The bundle: every separating translation of a point inside, shortest first (ties by axis); 0 if outside. */
KINI_PART int kini_obstacle_ways(const kini_obstacle *obstacle, kin_vec x, kini_way *ways, int capacity) {
    kin_vec d = kini_sub(x, obstacle->centre), normal;
    float   gap;
    int     axis, count = 0;
    if (obstacle->sum) return kini_sum_ways(obstacle, x, ways, capacity);
    gap = kini_box_gap(obstacle, d, &normal);
    if (!(gap < 0)) return 0;
    for (axis = 0; axis < KINI_DIM; axis++) {
        float size = kini_at(obstacle->half, axis) + obstacle->radius, at = kini_at(d, axis);
        count = kini_ways_add(ways, count, capacity, kini_axis_vec(axis, 1), size - at);
        count = kini_ways_add(ways, count, capacity, kini_axis_vec(axis, -1), size + at);
    }
    if (kini_largest(kini_magnitudes(normal)) < 1) count = kini_ways_add(ways, count, capacity, normal, -gap);
    return count;
}

/* ==== src/tree.c: the broad phase. Finds the boxes that meet a box, a swept box or a ray. ============================
   An R-tree with eight boxes to a node (Guttman, "R-trees: a dynamic index structure for spatial searching", 1984), all
   tested at once; all leaves are equally deep. Results depend on the items' boxes alone, never on the tree's shape. */

enum { KINI_TREE_STACK = 7 * KINI_TREE_LEVELS + 8 };   /* a search leaves at most seven siblings behind on each level */
enum { KINI_TREE_GATHER = KINI_LANES + KINI_LANES_LEAST - 1 };   /* most children that two nodes share out again */

/* A child on its way from one node to another. */
typedef struct kini_branch { kin_vec lo, hi; int32_t child; } kini_branch;

/* ---- lanes --------------------------------------------------------------------------------------------------- */
/* Four boxes at once. Comparing is exact everywhere, so this changes the speed and nothing else. */
#ifdef KINI_QUADS
typedef float   kini_quad __attribute__((vector_size(16), aligned(4), may_alias));
typedef int32_t kini_quad_bits __attribute__((vector_size(16)));

static inline kini_quad_bits kini_quad_meets(const float *lo, const float *hi, float query_lo, float query_hi) {
    return ~(*(const kini_quad *)hi < query_lo) & (*(const kini_quad *)lo <= query_hi);   /* so, SSE needs no copies */
}

static inline uint32_t kini_quad_lanes(const kini_node *node, int at, kin_vec lo, kin_vec hi) {
    kini_quad_bits bits = kini_quad_meets(node->lo[0] + at, node->hi[0] + at, lo.x, hi.x);
    int            axis;
    for (axis = 1; axis < KINI_DIM; axis++)
        bits &= kini_quad_meets(node->lo[axis] + at, node->hi[axis] + at, kini_at(lo, axis), kini_at(hi, axis));
#ifdef __SSE2__
    return (uint32_t)__builtin_ia32_movmskps((kini_quad)bits);
#else
    return ((uint32_t)bits[0] & 1) | ((uint32_t)bits[1] & 2) | ((uint32_t)bits[2] & 4) | ((uint32_t)bits[3] & 8);
#endif
}
#endif

/* One bit for each lane whose box meets lo..hi. */
static inline uint32_t kini_lanes_meeting(const kini_node *node, kin_vec lo, kin_vec hi) {
#ifdef KINI_QUADS
    return kini_quad_lanes(node, 0, lo, hi) | kini_quad_lanes(node, 4, lo, hi) << 4;
#else
    uint32_t lanes = 0;
    int      i;
    for (i = 0; i < node->count; i++)
        if (kini_boxes_meet(kini_lane_lo(node, i), kini_lane_hi(node, i), lo, hi)) lanes |= (uint32_t)1 << i;
    return lanes;
#endif
}

static inline int kini_first_lane(uint32_t lanes) {
#if defined(__GNUC__)
    return __builtin_ctz(lanes);
#else
    int lane = 0;
    for (; !(lanes & 1); lanes >>= 1) lane++;
    return lane;
#endif
}

static inline void kini_lane_set(kini_node *node, int lane, kin_vec lo, kin_vec hi) {
    int axis;
    for (axis = 0; axis < KINI_DIM; axis++) {
        node->lo[axis][lane] = kini_at(lo, axis);
        node->hi[axis][lane] = kini_at(hi, axis);
    }
}

static inline float kini_infinity(void) { float a = KINI_FLT_MAX; return a + a; }

/* The sum of the edges: unlike area or volume it tells flat boxes from thin ones, and does not overflow. */
static inline float kini_box_size(kin_vec lo, kin_vec hi) { return kini_dot(kini_sub(hi, lo), kini_all(1)); }

static inline float kini_joint_size(const kini_node *node, int lane, kin_vec lo, kin_vec hi) {
    return kini_box_size(kini_lower(lo, kini_lane_lo(node, lane)), kini_upper(hi, kini_lane_hi(node, lane)));
}

/* ---- nodes and their children -------------------------------------------------------------------------------- */
static void kini_clear_lane(kini_node *node, int lane) {
    kini_lane_set(node, lane, kini_all(kini_infinity()), kini_all(-kini_infinity()));
    node->child[lane] = -1;
}

static int32_t kini_take_node(kini_tree *tree, int32_t level) {
    int32_t    at = tree->free_node ? tree->free_node : tree->nodes.count;
    kini_node *node = &tree->nodes.at[at];
    int        i;
    if (tree->free_node) tree->free_node = node->parent;
    else tree->nodes.count++;
    KINEMATIC_ASSERT(tree->nodes.count <= tree->nodes.capacity);
    node->parent = node->lane = -1;
    node->count = 0;
    node->level = level;
    for (i = 0; i < KINI_LANES; i++) kini_clear_lane(node, i);
    return at;
}

static void kini_give_node(kini_tree *tree, int32_t at) {
    tree->nodes.at[at].level = -1;
    tree->nodes.at[at].parent = tree->free_node;
    tree->free_node = at;
}

static kini_branch kini_get_branch(const kini_node *node, int lane) {
    kini_branch branch;
    branch.lo = kini_lane_lo(node, lane);
    branch.hi = kini_lane_hi(node, lane);
    branch.child = node->child[lane];
    return branch;
}

/* All children of a node; returns their number. */
static int kini_get_branches(const kini_node *node, kini_branch *out) {
    int i;
    for (i = 0; i < node->count; i++) out[i] = kini_get_branch(node, i);
    return node->count;
}

/* A node as a child for its parent. */
static kini_branch kini_branch_of(const kini_tree *tree, int32_t at) {
    const kini_node *node = &tree->nodes.at[at];
    kini_branch      branch = kini_get_branch(node, 0);
    int              i;
    for (i = 1; i < node->count; i++) {
        branch.lo = kini_lower(branch.lo, kini_lane_lo(node, i));
        branch.hi = kini_upper(branch.hi, kini_lane_hi(node, i));
    }
    branch.child = at;
    return branch;
}

static void kini_put_branch(kini_tree *tree, int32_t at, int lane, const kini_branch *branch) {
    kini_node *node = &tree->nodes.at[at];
    kini_lane_set(node, lane, branch->lo, branch->hi);
    node->child[lane] = branch->child;
    if (node->level == 0) {
        tree->leaves.at[branch->child].home = at * KINI_LANES + lane;
        return;
    }
    tree->nodes.at[branch->child].parent = at;
    tree->nodes.at[branch->child].lane = lane;
}

static void kini_drop_lane(kini_tree *tree, int32_t at, int lane) {
    kini_node  *node = &tree->nodes.at[at];
    int         last = --node->count;
    kini_branch moved = kini_get_branch(node, last);
    kini_clear_lane(node, last);
    if (lane != last) kini_put_branch(tree, at, lane, &moved);
}

static void kini_fill_node(kini_tree *tree, int32_t at, const kini_branch *branches, int count) {
    int i;
    while (tree->nodes.at[at].count > count) kini_drop_lane(tree, at, tree->nodes.at[at].count - 1);
    tree->nodes.at[at].count = count;
    for (i = 0; i < count; i++) kini_put_branch(tree, at, i, &branches[i]);
}

/* Updates a node's box in its parent; false if that did not change. */
static bool kini_refit(kini_tree *tree, int32_t at) {
    const kini_node *node = &tree->nodes.at[at];
    kini_node       *parent = &tree->nodes.at[node->parent];
    kini_branch      was = kini_get_branch(parent, node->lane), is = kini_branch_of(tree, at);
    if (kini_box_holds(is.lo, is.hi, was.lo, was.hi) && kini_box_holds(was.lo, was.hi, is.lo, is.hi)) return false;
    kini_lane_set(parent, node->lane, is.lo, is.hi);
    return true;
}

/* ---- sharing children out between two nodes ------------------------------------------------------------------ */
static void kini_sort_branches(kini_branch *branches, int count, int axis) {
    KINI_SORT(kini_branch, branches, count,
              kini_at(a->lo, axis) + kini_at(a->hi, axis) < kini_at(b->lo, axis) + kini_at(b->hi, axis));
}

static float kini_branches_size(const kini_branch *branches, int count) {
    kin_vec lo = branches[0].lo, hi = branches[0].hi;
    int     i;
    for (i = 1; i < count; i++) {
        lo = kini_lower(lo, branches[i].lo);
        hi = kini_upper(hi, branches[i].hi);
    }
    return kini_box_size(lo, hi);
}

/* Sorts the branches so that both halves are small; returns how many are in the first. */
static int kini_divide(kini_branch *branches, int count) {
    float least = kini_infinity();
    int   axis, best = 0, half = count / 2;
    for (axis = 0; axis < KINI_DIM; axis++) {
        float size;
        kini_sort_branches(branches, count, axis);
        size = kini_branches_size(branches, half) + kini_branches_size(branches + half, count - half);
        if (size < least) { least = size; best = axis; }
    }
    kini_sort_branches(branches, count, best);
    return half;
}

/* ---- growing ------------------------------------------------------------------------------------------------- */
/* Puts a new level under the root, which stays node 0. Returns the node that has the root's children now. */
static int32_t kini_raise_root(kini_tree *tree) {
    kini_node  *root = &tree->nodes.at[0];
    int32_t     below = kini_take_node(tree, root->level);
    kini_branch all[KINI_LANES], whole;
    kini_fill_node(tree, below, all, kini_get_branches(root, all));
    whole = kini_branch_of(tree, below);
    root->level++;
    kini_fill_node(tree, 0, &whole, 1);
    return below;
}

/* Splits a full node and one more child in two. Returns the new node as a child for the parent. */
static kini_branch kini_split(kini_tree *tree, int32_t at, kini_branch extra) {
    kini_branch all[KINI_LANES + 1];
    int         count = kini_get_branches(&tree->nodes.at[at], all), cut;
    int32_t     fresh = kini_take_node(tree, tree->nodes.at[at].level);
    all[count++] = extra;
    cut = kini_divide(all, count);
    kini_fill_node(tree, fresh, all + cut, count - cut);
    kini_fill_node(tree, at, all, cut);
    kini_refit(tree, at);
    return kini_branch_of(tree, fresh);
}

/* The child that grows least by taking in lo..hi; of equals the smaller one. */
static int kini_best_lane(const kini_node *node, kin_vec lo, kin_vec hi) {
    float best = kini_infinity(), best_size = best;
    int   i, lane = 0;
    for (i = 0; i < node->count; i++) {
        float size = kini_box_size(kini_lane_lo(node, i), kini_lane_hi(node, i));
        float growth = kini_joint_size(node, i, lo, hi) - size;
        if (growth > best || (!(growth < best) && !(size < best_size))) continue;
        best = growth;
        best_size = size;
        lane = i;
    }
    return lane;
}

static void kini_attach_leaf(kini_tree *tree, int32_t leaf, kin_vec lo, kin_vec hi) {
    int32_t     at = 0;
    kini_branch branch;
    while (tree->nodes.at[at].level > 0) {
        kini_node *node = &tree->nodes.at[at];
        int        lane = kini_best_lane(node, lo, hi);
        kini_lane_set(node, lane, kini_lower(lo, kini_lane_lo(node, lane)), kini_upper(hi, kini_lane_hi(node, lane)));
        at = node->child[lane];
    }
    branch.lo = lo;
    branch.hi = hi;
    branch.child = leaf;
    while (tree->nodes.at[at].count == KINI_LANES) {
        if (at == 0) at = kini_raise_root(tree);
        branch = kini_split(tree, at, branch);
        at = tree->nodes.at[at].parent;
    }
    kini_put_branch(tree, at, tree->nodes.at[at].count++, &branch);
}

/* ---- shrinking ----------------------------------------------------------------------------------------------- */
/* Joins an underfull node with a sibling, or shares their children out between both. */
static void kini_join(kini_tree *tree, int32_t at) {
    kini_node  *node = &tree->nodes.at[at], *parent = &tree->nodes.at[node->parent], *sibling;
    int         count, lane = node->lane == 0;
    kini_branch all[KINI_TREE_GATHER];
    sibling = &tree->nodes.at[parent->child[lane]];
    count = kini_get_branches(sibling, all);
    count += kini_get_branches(node, all + count);
    if (count > KINI_LANES) {
        int cut = kini_divide(all, count);
        kini_fill_node(tree, at, all + cut, count - cut);
        kini_refit(tree, at);
        count = cut;
    }
    kini_fill_node(tree, parent->child[lane], all, count);
    kini_refit(tree, parent->child[lane]);
    if (node->count >= KINI_LANES_LEAST) return;
    kini_drop_lane(tree, node->parent, node->lane);
    kini_give_node(tree, at);
}

/* Repairs the nodes from `at` to the root after a child of `at` was removed or has a new box. */
static void kini_settle(kini_tree *tree, int32_t at) {
    kini_node  *root = &tree->nodes.at[0];
    kini_branch all[KINI_LANES];
    while (at != 0) {
        int32_t parent = tree->nodes.at[at].parent;
        if (tree->nodes.at[at].count < KINI_LANES_LEAST) kini_join(tree, at);
        else if (!kini_refit(tree, at)) return;
        at = parent;
    }
    if (root->level == 0 || root->count != 1) return;
    at = root->child[0];   /* its children become the root's */
    root->level--;
    kini_fill_node(tree, 0, all, kini_get_branches(&tree->nodes.at[at], all));
    kini_give_node(tree, at);
}

/* May the leaf stay in its node with this box? Yes if each node that grows for it stays within half of its parent. */
static bool kini_may_stay(const kini_tree *tree, int32_t at, kin_vec lo, kin_vec hi) {
    while (at != 0) {
        const kini_node *node = &tree->nodes.at[at], *parent = &tree->nodes.at[node->parent];
        kini_branch      outer;
        if (kini_box_holds(kini_lane_lo(parent, node->lane), kini_lane_hi(parent, node->lane), lo, hi)) return true;
        outer = kini_branch_of(tree, node->parent);
        if (2 * kini_joint_size(parent, node->lane, lo, hi) > kini_box_size(outer.lo, outer.hi)) return false;
        at = node->parent;
    }
    return true;
}

KINI_PART int32_t kini_tree_insert(kini_tree *tree, int32_t item, kin_vec lo, kin_vec hi) {
    int32_t leaf = tree->free_leaf ? tree->free_leaf - 1 : tree->leaves.count;
    if (tree->free_leaf) tree->free_leaf = tree->leaves.at[leaf].item;
    else tree->leaves.count++;
    KINEMATIC_ASSERT(tree->leaves.count <= tree->leaves.capacity);
    if (tree->nodes.count == 0) kini_take_node(tree, 0);
    tree->leaves.at[leaf].item = item;
    kini_attach_leaf(tree, leaf, lo, hi);
    return leaf;
}

/* Its box is then exactly lo..hi. */
KINI_PART void kini_tree_move(kini_tree *tree, int32_t leaf, kin_vec lo, kin_vec hi) {
    int32_t    home = tree->leaves.at[leaf].home, at = home / KINI_LANES;
    int        lane = home % KINI_LANES;
    kini_node *node = &tree->nodes.at[at];
    kin_vec    old_lo = kini_lane_lo(node, lane), old_hi = kini_lane_hi(node, lane);
    if (kini_box_holds(lo, hi, old_lo, old_hi) && kini_box_holds(old_lo, old_hi, lo, hi)) return;
    if (kini_may_stay(tree, at, lo, hi)) {
        kini_lane_set(node, lane, lo, hi);
        kini_settle(tree, at);
        return;
    }
    kini_drop_lane(tree, at, lane);
    kini_settle(tree, at);
    kini_attach_leaf(tree, leaf, lo, hi);
}

KINI_PART void kini_tree_remove(kini_tree *tree, int32_t leaf) {
    int32_t home = tree->leaves.at[leaf].home;
    kini_drop_lane(tree, home / KINI_LANES, home % KINI_LANES);
    kini_settle(tree, home / KINI_LANES);
    tree->leaves.at[leaf].home = -1;
    tree->leaves.at[leaf].item = tree->free_leaf;
    tree->free_leaf = leaf + 1;
}

/* ---- queries ------------------------------------------------------------------------------------------------- */
KINI_PART void kini_sort_items(int32_t *items, int count) {
    KINI_SORT(int32_t, items, count, *a < *b);
}

/* Items whose box meets lo..hi, ascending; returns their number. If that is above `capacity`, `out` is of no use. */
KINI_PART int kini_tree_collect(const kini_tree *tree, kin_vec lo, kin_vec hi, int32_t *out, int capacity) {
    const kini_node *nodes = tree->nodes.at, *node = nodes;
    int32_t          stack[KINI_TREE_STACK];
    int              top = 0, found = 0;
    if (tree->nodes.count == 0) return 0;
    for (;;) {
        uint32_t lanes = kini_lanes_meeting(node, lo, hi);
        if (node->level > 0 && lanes) {
            int32_t next = node->child[kini_first_lane(lanes)];
            for (lanes &= lanes - 1; lanes; lanes &= lanes - 1) stack[top++] = node->child[kini_first_lane(lanes)];
            node = &nodes[next];
            continue;
        }
        for (; lanes; lanes &= lanes - 1) {
            if (found < capacity) out[found] = tree->leaves.at[node->child[kini_first_lane(lanes)]].item;
            found++;
        }
        if (top == 0) break;
        node = &nodes[stack[--top]];
    }
    if (found <= capacity) kini_sort_items(out, found);
    return found;
}

/* A swept box, axis by axis: the query's sides that hit a box first and last, and one over the travel; 0: none. */
typedef struct kini_slabs { float first[KINI_DIM], last[KINI_DIM], inverse[KINI_DIM]; } kini_slabs;

/* One bit for each lane that the swept box hits up to `limit`, and when. Rounding keeps order: bounds pass as well. */
static uint32_t kini_lanes_swept(const kini_node *node, const kini_slabs *slabs, float limit, float *enter) {
    float    leave[KINI_LANES];
    uint32_t lanes = 0;
    int      axis, i;
    for (i = 0; i < KINI_LANES; i++) { enter[i] = 0; leave[i] = limit * KINI_TREE_SLACK; }
    for (axis = 0; axis < KINI_DIM; axis++) {
        float        inverse = slabs->inverse[axis], first = slabs->first[axis], last = slabs->last[axis];
        const float *from = inverse < 0 ? node->hi[axis] : node->lo[axis];
        const float *to = inverse < 0 ? node->lo[axis] : node->hi[axis];
        bool         still = !(inverse < 0) && !(inverse > 0);
        for (i = 0; i < KINI_LANES && still; i++)
            if (from[i] > first || to[i] < last) leave[i] = -1;
        for (i = 0; i < KINI_LANES && !still; i++) {
            enter[i] = kini_greater(enter[i], (from[i] - first) * inverse);
            leave[i] = kini_lesser(leave[i], (to[i] - last) * inverse * KINI_TREE_SLACK);
        }
    }
    for (i = 0; i < node->count; i++)
        if (enter[i] <= leave[i]) lanes |= (uint32_t)1 << i;
    return lanes;
}

/* Nodes, or leaves as -1 - leaf, with the part of the travel at which they are hit; the last one is the nearest. */
typedef struct kini_agenda { int32_t child[KINI_TREE_STACK]; float enter[KINI_TREE_STACK]; int count; } kini_agenda;

static void kini_agenda_add(kini_agenda *agenda, int from, int32_t child, float enter) {
    int i = agenda->count++;
    for (; i > from && agenda->enter[i - 1] < enter; i--) {
        agenda->child[i] = agenda->child[i - 1];
        agenda->enter[i] = agenda->enter[i - 1];
    }
    agenda->child[i] = child;
    agenda->enter[i] = enter;
}

KINI_PART void kini_tree_visit(const kini_tree *tree, kin_vec lo, kin_vec hi, kin_vec travel, kini_visit_fn *visit,
                               void *context) {
    kini_slabs  slabs;
    kini_agenda agenda;
    float       enter[KINI_LANES], limit = 1;
    int         axis;
    for (axis = 0; axis < KINI_DIM; axis++) {
        float t = kini_at(travel, axis);
        slabs.inverse[axis] = t < 0 || t > 0 ? kini_clamp(1 / t, -KINI_FLT_MAX, KINI_FLT_MAX) : 0;
        slabs.first[axis] = kini_at(t < 0 ? lo : hi, axis);
        slabs.last[axis] = kini_at(t < 0 ? hi : lo, axis);
    }
    agenda.count = 0;
    if (tree->nodes.count > 0) kini_agenda_add(&agenda, 0, 0, 0);
    while (agenda.count > 0 && limit >= 0) {
        int32_t          at = agenda.child[--agenda.count];
        const kini_node *node = &tree->nodes.at[at < 0 ? 0 : at];
        int              from = agenda.count;
        uint32_t         lanes;
        if (agenda.enter[from] > limit * KINI_TREE_SLACK) continue;
        if (at < 0) {
            limit = kini_lesser(limit, visit(context, tree->leaves.at[-1 - at].item));
            continue;
        }
        for (lanes = kini_lanes_swept(node, &slabs, limit, enter); lanes; lanes &= lanes - 1) {
            int lane = kini_first_lane(lanes);
            kini_agenda_add(&agenda, from, node->level > 0 ? node->child[lane] : -1 - node->child[lane], enter[lane]);
        }
    }
}

/* ---- building a whole tree at once --------------------------------------------------------------------------- */
/* A place, each coordinate in 0..1, as a number along a curve through space that makes no jumps: nearby numbers are
   nearby places (Hilbert, 1891; Skilling, "Programming the Hilbert curve", 2004). */
static int32_t kini_build_key(kin_vec p) {
    enum { BITS = 30 / KINI_DIM, TOP = 1 << (BITS - 1) };
    int32_t x[KINI_DIM], key = 0, turned = 0, bit;
    int     i;
    for (i = 0; i < KINI_DIM; i++) x[i] = (int32_t)(kini_at(p, i) * (float)(2 * TOP - 1));
    for (bit = TOP; bit > 1; bit >>= 1)
        for (i = 0; i < KINI_DIM; i++) {
            int32_t swap = x[i] & bit ? 0 : (x[0] ^ x[i]) & (bit - 1);
            x[0] ^= x[i] & bit ? bit - 1 : swap;
            x[i] ^= swap;
        }
    for (i = 1; i < KINI_DIM; i++) x[i] ^= x[i - 1];
    for (bit = TOP; bit > 1; bit >>= 1) turned ^= x[KINI_DIM - 1] & bit ? bit - 1 : 0;
    for (bit = TOP; bit > 0; bit >>= 1)
        for (i = 0; i < KINI_DIM; i++) key = key << 1 | ((x[i] ^ turned) & bit ? 1 : 0);
    return key;
}

/* Puts a range of leaves under a node, in as few children as can hold them. */
static void kini_build(kini_tree *tree, int32_t at, kini_box_fn *box, const void *context, int32_t first, int32_t count)
{
    kini_node  *node = &tree->nodes.at[at];
    kini_branch branch;
    int32_t     i, groups, under = 1;
    for (i = 0; i < node->level; i++) under *= KINI_LANES;
    groups = (count + under - 1) / under;
    for (i = 0; i < groups; i++) {
        int32_t skip = (int32_t)((int64_t)count * i / groups), end = (int32_t)((int64_t)count * (i + 1) / groups);
        if (node->level > 0) {
            int32_t child = kini_take_node(tree, node->level - 1);
            kini_build(tree, child, box, context, first + skip, end - skip);
            branch = kini_branch_of(tree, child);
        } else {
            branch.child = first + i;
            box(context, tree->leaves.at[first + i].item, &branch.lo, &branch.hi);
        }
        kini_put_branch(tree, at, node->count++, &branch);
    }
}

KINI_PART void kini_tree_build(kini_tree *tree, kini_box_fn *box, const void *context) {
    kini_leaf *leaves = tree->leaves.at;
    int64_t    under;
    int32_t    i, count = tree->leaves.count, level = 0;
    kin_vec    lo, hi, least = kini_all(KINI_FLT_MAX), most = kini_neg(least);
    float      size;
    if (count <= 0) return;
    KINEMATIC_ASSERT(tree->nodes.count == 0);
    for (i = 0; i < count; i++) {
        box(context, leaves[i].item, &lo, &hi);
        least = kini_lower(least, lo);
        most = kini_upper(most, hi);
    }
    size = kini_largest(kini_sub(most, least));
    for (i = 0; i < count; i++) {
        box(context, leaves[i].item, &lo, &hi);
        lo = kini_sub(kini_scale(kini_add(lo, hi), 0.5f), least);
        leaves[i].home = size > 0 ? kini_build_key(kini_scale(lo, kini_lesser(1 / size, KINI_FLT_MAX))) : 0;
    }
    KINI_SORT(kini_leaf, leaves, count, a->home != b->home ? a->home < b->home : a->item < b->item);
    for (under = 1; under * KINI_LANES < count; under *= KINI_LANES) level++;
    kini_build(tree, kini_take_node(tree, level), box, context, 0, count);
}

/* ==== src/filter.c: which things collide. ============================================================================
   Two things collide if each one's layer is in the other's mask, both are enabled and alive, the pair is not
   ignored, and `collide` does not refuse it. Ignored pairs are few: a sorted list, and a flag on each
   thing that is in it. */

/* ---- ignored pairs ----------------------------------------------------------------------------------------------- */
static kini_pair kini_pair_of(uint32_t a, uint32_t b) {
    kini_pair pair;
    pair.a = a < b ? a : b;
    pair.b = a < b ? b : a;
    return pair;
}

/* Is the pair in the list? It is at `at`, or would be. */
static bool kini_find_pair(const kin_world *world, kini_pair pair, int32_t *at) {
    int32_t lo = 0, hi = world->ignored.count;
    while (lo < hi) {
        int32_t   middle = lo + (hi - lo) / 2;
        kini_pair other = world->ignored.at[middle];
        if (other.a != pair.a ? other.a < pair.a : other.b < pair.b) lo = middle + 1;
        else hi = middle;
    }
    *at = lo;
    return lo < world->ignored.count && world->ignored.at[lo].a == pair.a && world->ignored.at[lo].b == pair.b;
}

/* Sets the flag, or clears it if no pair names the thing any more. */
static void kini_review_ignores(kin_world *world, uint32_t slot) {
    kini_thing *thing = &world->things.at[slot];
    int32_t     i;
    kini_set_flag(thing, KINI_IGNORES, false);
    for (i = 0; i < world->ignored.count; i++)
        if (world->ignored.at[i].a == slot || world->ignored.at[i].b == slot) thing->flags |= KINI_IGNORES;
}

KINI_PART bool kini_ignore_pair(kin_world *world, const char *call, uint32_t a, uint32_t b, bool ignore) {
    kini_pair pair = kini_pair_of(a, b);
    int32_t   i, at;
    if (kini_find_pair(world, pair, &at) == ignore) return true;
    world->edited = true;
    if (ignore) {
        if (!kini_grow(world, &world->ignored, sizeof *world->ignored.at, world->ignored.count + 1))
            return kini_refuse(world, call, "memory", "was not given");
        for (i = world->ignored.count++; i > at; i--) world->ignored.at[i] = world->ignored.at[i - 1];
        world->ignored.at[at] = pair;
    } else
        kini_cut_rows(&world->ignored, sizeof *world->ignored.at, at, 1);
    kini_review_ignores(world, a);
    kini_review_ignores(world, b);
    return true;
}

/* all pairs with it */
KINI_PART void kini_forget_ignored(kin_world *world, uint32_t slot) {
    int32_t i = world->ignored.count;
    while (i-- > 0)
        if (world->ignored.at[i].a == slot || world->ignored.at[i].b == slot)
            kini_cut_rows(&world->ignored, sizeof *world->ignored.at, i, 1);
}

/* Asks the game; several threads may, with questions outside a step. What the game asks the world meanwhile is answered
   by layers: inside a step, and as soon as it is known that it does. */
static bool kini_ask_game(const kin_world *world, uint32_t body, uint32_t other) {
    int32_t *asking = world->asking.at, open = KINI_COUNT_BY(&asking[0], 1);
    bool     within = open > 1 && (world->stage || KINI_COUNT_BY(&asking[1], 0) > 0), yes = true;
    if (open > KINI_MOST_ASKING && KINI_COUNT_BY(&asking[1], 1) == 1)
        kini_refuse(world, "kin_test_move", "world", "asks collide, which asks kin_test_move: there, layers decide");
    if (open <= KINI_MOST_ASKING && !within)
        yes = world->desc.collide(world, kini_id_of(world, body), kini_id_of(world, other), world->desc.user);
    KINI_COUNT_BY(&asking[0], -1);
    return yes;
}

/* In a step the answer is kept; before stage 3 has asked, layers decide. */
static bool kini_collides(const kin_world *world, kini_pair pair) {
    const kini_thing *a = &world->things.at[pair.a], *b = &world->things.at[pair.b];
    uint32_t          body = a->kind == KIN_BODY ? pair.a : pair.b, other = a->kind == KIN_BODY ? pair.b : pair.a;
    bool              afresh = world->stage == 0 || world->in_callback || world->asking.at[0] > 0, yes;
    kini_answers     *answers;
    int32_t           i;
    if ((a->kind != KIN_BODY && b->kind != KIN_BODY) || !(afresh || world->answering)) return true;
    if (afresh) return kini_ask_game(world, body, other);
    answers = &world->answers.at[world->things.at[body].row];
    for (i = 0; i < answers->count; i++)
        if (answers->others[i] == other) return (answers->yes >> i & 1) != 0;
    if (kini_escape(world)) return true;
    world->bodies.at[world->things.at[body].row].calm = false;
    if (world->things.at[other].kind == KIN_BODY) world->bodies.at[world->things.at[other].row].calm = false;
    if (answers->count == KINI_ANSWERS) { answers->full = true; return true; }
    yes = kini_ask_game(world, body, other);
    answers->others[answers->count] = other;
    answers->yes |= (uint32_t)yes << answers->count;
    answers->count++;
    return yes;
}

/* what it is attached to, or it itself */
KINI_PART uint32_t kini_owner_slot(const kin_world *world, uint32_t slot) {
    const kini_thing *thing = &world->things.at[slot];
    return thing->flags & KINI_ATTACHED ? world->statics.at[thing->row].attach.slot : slot;
}

/* Layers, enabled, ignored pairs, life; then `collide`, whose answers are kept for the step. */
KINI_PART bool kini_meets(const kin_world *world, uint32_t a, uint32_t b) {
    const kini_thing *s = &world->things.at[a], *t = &world->things.at[b];
    int               out = KINI_DISABLED | KINI_REMOVED | (world->stage ? KINI_PENDING : 0);
    int32_t           at;
    if (((s->flags | t->flags) & out) || !kini_layers_meet(s, t)) return false;
    if (((s->flags | t->flags) & KINI_ATTACHED) && kini_owner_slot(world, a) == kini_owner_slot(world, b)) return false;
    if ((s->flags & t->flags & KINI_IGNORES) && kini_find_pair(world, kini_pair_of(a, b), &at)) return false;
    return !world->desc.collide || kini_collides(world, kini_pair_of(a, b));
}

/* Two bodies that are not to pass each other. */
KINI_PART bool kini_pair_solid(const kin_world *world, uint32_t a, uint32_t b) {
    const kini_thing *s = &world->things.at[a], *t = &world->things.at[b];
    return !((s->flags | t->flags) & KINI_SENSOR) && world->bodies.at[s->row].options.push != KIN_INTANGIBLE &&
           world->bodies.at[t->row].options.push != KIN_INTANGIBLE;
}

/* May a body still press on what it touched at the end of the last step? */
/* Not if one of them was teleported or changed since, or if the game ignores the pair. */
KINI_PART bool kini_still_beside(const kin_world *world, uint32_t body, kin_id other) {
    const kini_thing *thing = &world->things.at[other.slot];
    if (!kini_is_live(world, other) || !kini_takes_part(world, other.slot)) return false;
    if ((world->things.at[body].flags | thing->flags) & (KINI_SHIFTED | KINI_RESHAPED | KINI_SENSOR)) return false;
    if (!kini_meets(world, body, other.slot)) return false;
    return thing->kind != KIN_BODY || kini_pair_solid(world, body, other.slot);
}

/* ---- queries ----------------------------------------------------------------------------------------------------- */
KINI_PART bool kini_check_filter(const kin_world *world, const char *call, const kin_filter *filter, kin_filter *out) {
    kini_clear(out, sizeof *out);
    if (filter) *out = *filter;
    if (out->layer == 0) out->layer = 1;
    if (out->mask == 0) out->mask = 0xFFFFFFFFu;
    if (out->ignored_count < 0)
        return kini_refuse_number(world, call, "filter.ignored_count", "is negative", (float)out->ignored_count);
    if (out->ignored_count > 0 && !kini_check_pointer(world, call, "filter.ignored", out->ignored)) return false;
    return kini_is_nobody(out->ignore) || kini_check_id(world, call, "filter.ignore", out->ignore);
}

/* Is it this one, or a part of it? */
static bool kini_belongs_to(const kin_world *world, uint32_t slot, kin_id id) {
    return kin_same(kini_id_of(world, slot), id) || kin_same(kini_id_of(world, kini_owner_slot(world, slot)), id);
}

/* Of a query, defaults filled in. */
KINI_PART bool kini_filter_takes(const kin_world *world, const kin_filter *filter, uint32_t slot) {
    const kini_thing *thing = &world->things.at[slot];
    int               i;
    if (thing->flags & (KINI_DISABLED | KINI_REMOVED)) return false;
    if ((thing->flags & KINI_SENSOR) && !filter->sensors) return false;
    if (!(thing->layer & filter->mask) || !(filter->layer & thing->mask)) return false;
    for (i = 0; i < filter->ignored_count; i++)
        if (kini_belongs_to(world, slot, filter->ignored[i])) return false;
    return !kini_belongs_to(world, slot, filter->ignore);
}

/* ==== src/kept.c: the things around each body, kept from one search to the next. =====================================
   A search of the trees of statics and movers takes in a margin, and what it finds is kept with the box that was
   searched. A later search within that box reads the list. Every use applies the exact tests of a fresh search, so
   neither the margin nor the age of a list can be seen in a result.
   A thing that gets another leaf drops the lists whose box that leaf meets. A removed thing fails the tests until its
   slot is used again, which drops the list. Lists are found by the leaf of their body: no box is longer than
   KINI_KEPT_LENGTH, a sweep asks for its whole way and so renews the list, and a teleport out of the box drops it.
   The bodies whose leaf meets that of a body are kept as well, until one of these leaves changes. */

KINI_PART void kini_forget_kept(kin_world *world) {
    kini_clear(world->kept.at, (size_t)world->bodies.count * sizeof *world->kept.at);   /* adding clears the others */
    world->edited = true;
}

KINI_PART void kini_level_changed(kin_world *world, kin_vec lo, kin_vec hi) {
    kin_vec far = kini_all(KINI_KEPT_LENGTH * world->desc.unit);
    int32_t i, count = kini_tree_collect(&world->trees[KIN_BODY], kini_sub(lo, far), kini_add(hi, far),
                                         world->found.at, world->found.capacity / 2);   /* loading uses the rest */
    for (i = 0; i < count; i++) {
        kini_kept *kept = &world->kept.at[world->things.at[world->found.at[i]].row];
        if (kini_boxes_meet(kept->lo, kept->hi, lo, hi)) kini_clear(kept, sizeof *kept);
    }
}

static float kini_forget_company(void *context, int32_t item) {
    kin_world *world = (kin_world *)context;
    world->kept.at[world->things.at[item].row].company_count = 0;
    return 1;
}

/* A thing gets this leaf. */
KINI_PART void kini_leaf_changed(kin_world *world, const kini_thing *thing, kin_vec lo, kin_vec hi) {
    kini_kept *kept;
    if (thing->kind != KIN_BODY) { kini_level_changed(world, lo, hi); return; }
    kept = &world->kept.at[thing->row];
    kept->company_count = 0;
    if (world->crowd_layer & world->crowd_mask)
        kini_tree_visit(&world->trees[KIN_BODY], lo, hi, kini_vec_zero(), kini_forget_company, world);
    if (!kini_boxes_meet(kept->lo, kept->hi, lo, hi)) kini_clear(kept, sizeof *kept);
}

/* Bodies that a search of that box around this one looks at, in no order; their number, which may be more than there is
   room for. */
KINI_PART int kini_collect_bodies(kin_world *world, uint32_t slot, kin_vec lo, kin_vec hi, int32_t *out, int room) {
    const kini_thing *thing = &world->things.at[slot];
    const kini_tree  *tree = &world->trees[KIN_BODY];
    kini_kept        *kept = &world->kept.at[thing->row];
    kin_vec           leaf_lo, leaf_hi;
    if (thing->kind != KIN_BODY || thing->leaf < 0 || room < KINI_MAX_COMPANY || kept->company_count < 0 ||
        !kini_company_is_kept(world))
        return kini_tree_collect(tree, lo, hi, out, room);
    kini_leaf_box(tree, thing->leaf, &leaf_lo, &leaf_hi);
    if (!kini_box_holds(leaf_lo, leaf_hi, lo, hi)) return kini_tree_collect(tree, lo, hi, out, room);
    if (kept->company_count == 0) {
        int count = kini_tree_collect(tree, leaf_lo, leaf_hi, kept->company, KINI_MAX_COMPANY);
        kept->company_count = count <= KINI_MAX_COMPANY ? count : -1;
        if (kept->company_count < 0) return kini_tree_collect(tree, lo, hi, out, room);
    }
    kini_copy(out, kept->company, (size_t)kept->company_count * sizeof *out);
    return kept->company_count;
}

/* Searches a box with a margin on all sides, and further ahead where the body is going. */
static void kini_keep(kin_world *world, kini_kept *kept, const kini_body *body, kin_vec lo, kin_vec hi) {
    kin_vec margin = kini_all(KINI_KEEP * world->desc.unit), most = kini_scale(margin, 4);
    kin_vec ahead = kini_scale(body->motion, 8 * world->dt);
    int32_t i, room = world->found.capacity;
    ahead = kini_upper(kini_lower(ahead, most), kini_neg(most));
    lo = kini_sub(kini_lower(lo, kini_add(lo, ahead)), margin);
    hi = kini_add(kini_upper(hi, kini_add(hi, ahead)), margin);
    kini_clear(kept, offsetof(kini_kept, level));
    kept->count = -1;
    if (kini_largest(kini_sub(hi, lo)) > KINI_KEPT_LENGTH * world->desc.unit) return;
    kept->lo = lo;
    kept->hi = hi;
    i = kini_tree_collect(&world->trees[KIN_STATIC], lo, hi, world->found.at, room);
    i += kini_tree_collect(&world->trees[KIN_MOVER], lo, hi, world->found.at + i, room - i);
    if (i > KINI_MAX_KEPT) return;
    kept->count = (int8_t)i;
    while (i-- > 0) kept->slots[i] = world->found.at[i];
}

/* Those around a body in a box that holds lo..hi. NULL: the trees are to be searched. */
KINI_PART kini_kept *kini_kept_around(kin_world *world, uint32_t slot, kin_vec lo, kin_vec hi) {
    const kini_thing *thing = &world->things.at[slot];
    kini_kept        *kept;
    if (thing->kind != KIN_BODY) return NULL;
    kept = &world->kept.at[thing->row];
    if (!kini_box_holds(kept->lo, kept->hi, lo, hi)) kini_keep(world, kept, &world->bodies.at[thing->row], lo, hi);
    return kept->count >= 0 ? kept : NULL;
}

/* ==== src/options.c: getting and setting options by descriptors. Setting what a getter returned changes nothing === */
/* ---- controllers: the table of those seen ------------------------------------------------------------------------ */
/* Its number; that of the next row if it was not seen before; -1: none. */
static int32_t kini_find_control(const kin_world *world, kin_control_fn *control) {
    int32_t i = control ? 0 : -1;
    while (i >= 0 && i < world->controls.count && world->controls.at[i] != control) i++;
    return i;
}

/* its number; room was reserved */
KINI_PART int32_t kini_take_control(kin_world *world, kin_control_fn *control) {
    int32_t number = kini_find_control(world, control);
    if (number == world->controls.count) world->controls.at[world->controls.count++] = control;
    return number;
}

KINI_PART bool kini_reserve_control(kin_world *world, const char *call, kin_control_fn *control) {
    return kini_grow(world, &world->controls, sizeof *world->controls.at, kini_find_control(world, control) + 1) ||
           kini_refuse(world, call, "memory", "was not given");
}

/* ---- the surface of a static or mover ---------------------------------------------------------------------------- */
KINI_PART kini_surface *kini_surface_of(const kin_world *world, const kini_thing *thing) {
    return thing->kind == KIN_MOVER ? &world->movers.at[thing->row].surface : &world->statics.at[thing->row].surface;
}

/* Of the mover that a thing is or is attached to; -1: neither. */
KINI_PART int32_t kini_mover_row(const kin_world *world, const kini_thing *thing) {
    if (thing->kind == KIN_MOVER) return thing->row;
    if (!(thing->flags & KINI_ATTACHED)) return -1;
    thing = &world->things.at[world->statics.at[thing->row].attach.slot];
    return thing->kind == KIN_BODY ? -1 : thing->row;
}

KINI_PART bool kini_check_surface(const kin_world *world, const char *call, kin_vec one_way, kin_vec velocity) {
    return kini_check_finite(world, call, "one_way", one_way) &&
           kini_check_finite(world, call, "surface_velocity", velocity);
}

KINI_PART void kini_take_surface(const kin_world *world, uint32_t slot, kin_vec one_way, kin_vec velocity) {
    kini_thing   *thing = &world->things.at[slot];
    kini_surface *surface = kini_surface_of(world, thing);
    surface->one_way = kini_direction(one_way);
    surface->velocity = kini_limit_speed(world, velocity);
    kini_set_flag(thing, KINI_ONE_WAY, !kini_is_zero(surface->one_way));
    kini_set_flag(thing, KINI_CONVEYOR, !kini_is_zero(surface->velocity));
}

/* Any other static would report nothing. */
KINI_PART bool kini_check_senses(const kin_world *world, const char *call, const kini_thing *thing,
                                 const kin_static_desc *desc) {
    return !desc->senses || (desc->sensor && (thing->flags & KINI_ATTACHED) && thing->form == KINI_FORM_SHAPE) ||
           kini_refuse(world, call, "senses", "is only for a sensor that is attached to a mover or body");
}

/* Sets KINI_SENSES; false if there is no memory for its contacts. */
KINI_PART bool kini_take_senses(kin_world *world, const char *call, uint32_t slot, bool senses) {
    kini_thing *thing = &world->things.at[slot];
    kini_counts counts = kini_counts_now(world, NULL);
    int         more = (int)senses - ((thing->flags & KINI_SENSES) != 0);
    counts.rows[KINI_SAVES_SENSED] += world->desc.max_sensor_contacts;
    if (more > 0 && !kini_check_room(world, call, &counts)) return false;
    kini_set_flag(thing, KINI_SENSES, senses);
    world->sensers += more;
    return true;
}

/* ---- getting and setting ----------------------------------------------------------------------------------------- */
/* Clears a descriptor and fills in the members that all kinds share; NULL if it is refused. */
static const kini_thing *kini_tell_common(const kin_world *world, const char *call, const char *argument, kin_id id,
                                          kin_kind kind, void *out, size_t bytes) {
    uint32_t          slot = kini_check_kind(world, call, argument, id, kind);
    const kini_thing *thing = slot ? &world->things.at[slot] : NULL;
    kin_static_desc   common;
    if (!thing || !kini_check_pointer(world, call, "out", out)) return NULL;
    kini_clear(&common, sizeof common);
    kini_shape_of(world, thing, &common.shape);
    common.position = thing->p;
    common.rotation = thing->q;
    common.layer = thing->layer;
    common.mask = thing->mask;
    common.sensor = (thing->flags & KINI_SENSOR) != 0;
    common.disabled = (thing->flags & KINI_DISABLED) != 0;
    common.user = world->users.at[slot];
    kini_clear(out, bytes);
    kini_copy(out, &common, KINI_COMMON_BYTES);
    return thing;
}

/* The thing whose options are set; NULL if it is refused. */
static kini_thing *kini_check_options(const kin_world *world, const char *call, const char *argument, kin_id id,
                                      kin_kind kind, const void *options) {
    uint32_t slot = kini_check_kind(world, call, argument, id, kind);
    bool     allowed = slot && kini_check_pointer(world, call, "options", options) && kini_check_unasked(world, call);
    return allowed ? &world->things.at[slot] : NULL;
}

static kin_control_fn *kini_control_of(const kin_world *world, int32_t control) {
    return control >= 0 ? world->controls.at[control] : NULL;
}

/* ---- bodies ------------------------------------------------------------------------------------------------------ */
#define KINI_CHECK_NUMBER(member, kind, most, otherwise) \
    if (!kini_check_number(world, call, #member, desc->member, KINI_IS_##kind == KINI_IS_SIZE ? 0 : -(most), most, \
                           &desc->member == &desc->max_slope ? " radians" : "")) return false;
#define KINI_CHECK_CHOICE(member, type, last) \
    if (!kini_check_choice(world, call, #member, (int)desc->member, last)) return false;
#define KINI_TAKE_NUMBER(member, kind, most, otherwise) \
    options.member = desc->member < 0 || desc->member > 0 ? desc->member : otherwise;
#define KINI_TAKE_CHOICE(member, type, last) options.member = (uint8_t)desc->member;
#define KINI_TELL_NUMBER(member, kind, most, otherwise) out->member = options->member;
#define KINI_TELL_CHOICE(member, type, last) out->member = (type)options->member;

KINI_PART bool kini_check_body_options(const kin_world *world, const char *call, const kin_body_desc *desc) {
    KINI_BODY_OPTIONS(KINI_CHECK_NUMBER, KINI_CHECK_CHOICE)
    return kini_check_vec(world, call, "gravity", desc->gravity, KINI_FASTEST);
}

/* Rotates a vector perpendicular to `from` as `from` turns to `to`; unchanged if they are opposite. */
static kin_vec kini_turn_with(kin_vec v, kin_vec from, kin_vec to) {
    kin_vec sum = kini_add(from, to);
    float   cosine = 1 + kini_dot(from, to);
    return cosine > KINI_NEGLIGIBLE ? kini_flat(kini_madd(v, sum, -kini_dot(sum, v) / cosine), to) : v;
}

/* The velocity of a body on stable ground turns with its up. */
KINI_PART void kini_take_gravity(const kin_world *world, kini_body *row, kin_vec gravity) {
    kin_vec from = row->up;
    float   rise = kini_dot(row->velocity, from);
    row->gravity = gravity;
    row->up = kini_up_against(world, gravity);
    if (row->stand.footing != KIN_STABLE || kini_same_bytes(&from, &row->up, sizeof from)) return;
    row->velocity = kini_madd(kini_turn_with(kini_across(row->velocity, from), from, row->up), row->up, rise);
    row->given = kini_turn_with(row->given, from, row->up);
}

/* An exactly equal angle is stable. */
KINI_PART void kini_derive_slope(kini_body *row) {
    float sine;
    kini_sine(row->options.max_slope + KINI_SLOPE_SLACK, &sine, &row->stable_cos);
    row->stable_cos = kini_greater(row->stable_cos, 0);
}

KINI_PART void kini_take_body_options(kin_world *world, kini_body *row, const kin_body_desc *desc) {
    kini_body_options options;
    kini_clear(&options, sizeof options);
    KINI_BODY_OPTIONS(KINI_TAKE_NUMBER, KINI_TAKE_CHOICE)
    if (desc->no_gravity_scale) options.gravity_scale = 0;
    row->options = options;
    kini_derive_slope(row);
    kini_take_gravity(world, row, desc->gravity);
    row->control = kini_take_control(world, desc->control);
    kini_set_flag(&world->things.at[row->slot], KINI_SENSOR, desc->sensor);
    kini_set_flag(&world->things.at[row->slot], KINI_DISABLED, desc->disabled);
}

KIN_API bool kin_get_body_options(const kin_world *world, kin_id body, kin_body_desc *out) {
    const kini_thing *thing = kini_tell_common(world, __func__, "body", body, KIN_BODY, out, sizeof *out);
    const kini_body  *row = thing ? &world->bodies.at[thing->row] : NULL;
    const kini_body_options *options = thing ? &row->options : NULL;
    if (!thing) return false;
    KINI_BODY_OPTIONS(KINI_TELL_NUMBER, KINI_TELL_CHOICE)
    out->no_gravity_scale = !(options->gravity_scale < 0 || options->gravity_scale > 0);
    out->velocity = kini_seen_velocity(world, thing->row);
    out->control = kini_control_of(world, row->control);
    out->gravity = row->gravity;
    return true;
}

KIN_API bool kin_set_body_options(kin_world *world, kin_id body, const kin_body_desc *options) {
    kini_thing *thing = kini_check_options(world, __func__, "body", body, KIN_BODY, options);
    if (!thing || !kini_check_body_options(world, __func__, options) ||
        !kini_reserve_control(world, __func__, options->control)) return false;
    kini_disturb(world, body.slot);
    kini_take_body_options(world, &world->bodies.at[thing->row], options);
    return true;
}

KIN_API bool kin_set_push(kin_world *world, kin_id body, kin_push push) {
    kini_body *row = kini_check_body(world, __func__, body);
    if (!row || !kini_check_choice(world, __func__, "push", (int)push, KIN_INTANGIBLE)) return false;
    kini_disturb(world, row->slot);
    row->options.push = (uint8_t)push;
    return true;
}

KIN_API bool kin_set_gravity(kin_world *world, kin_id body, kin_vec gravity) {
    kini_body *row = kini_check_body(world, __func__, body);
    if (!row || !kini_check_vec(world, __func__, "gravity", gravity, KINI_FASTEST)) return false;
    if (kini_same_bytes(&row->gravity, &gravity, sizeof gravity)) return true;
    kini_disturb(world, row->slot);
    kini_take_gravity(world, row, gravity);
    return true;
}

KIN_API bool kin_set_gravity_scale(kin_world *world, kin_id body, float scale) {
    kini_body *row = kini_check_body(world, __func__, body);
    if (!row || !kini_check_number(world, __func__, "scale", scale, -KINI_FURTHEST, KINI_FURTHEST, "")) return false;
    kini_disturb(world, row->slot);
    row->options.gravity_scale = scale;
    return true;
}

/* ---- movers ------------------------------------------------------------------------------------------------------ */
KINI_PART bool kini_check_mover_options(const kin_world *world, const char *call, const kin_mover_desc *desc) {
    return kini_check_surface(world, call, desc->one_way, desc->surface_velocity) &&
           kini_check_choice(world, call, "carry", (int)desc->carry, KIN_CARRY_NONE) &&
           kini_check_choice(world, call, "on_blocked", (int)desc->on_blocked, KIN_BLOCKED_STOP);
}

KINI_PART void kini_take_mover_options(kin_world *world, kini_mover *row, const kin_mover_desc *desc) {
    world->stop_movers += (desc->on_blocked == KIN_BLOCKED_STOP) - (row->on_blocked == KIN_BLOCKED_STOP);
    kini_take_surface(world, row->slot, desc->one_way, desc->surface_velocity);
    row->control = kini_take_control(world, desc->control);
    row->carry = (uint8_t)desc->carry;
    row->on_blocked = (uint8_t)desc->on_blocked;
    kini_set_flag(&world->things.at[row->slot], KINI_SENSOR, desc->sensor);
    kini_set_flag(&world->things.at[row->slot], KINI_DISABLED, desc->disabled);
}

KIN_API bool kin_get_mover_options(const kin_world *world, kin_id mover, kin_mover_desc *out) {
    const kini_thing *thing = kini_tell_common(world, __func__, "mover", mover, KIN_MOVER, out, sizeof *out);
    const kini_mover *row = thing ? &world->movers.at[thing->row] : NULL;
    if (!thing) return false;
    out->one_way = row->surface.one_way;
    out->surface_velocity = row->surface.velocity;
    out->velocity = row->velocity;
    out->spin = row->spin;
    out->control = kini_control_of(world, row->control);
    out->carry = (kin_carry)row->carry;
    out->on_blocked = (kin_blocked)row->on_blocked;
    out->senses = (thing->flags & KINI_SENSES) != 0;
    return true;
}

KIN_API bool kin_set_mover_options(kin_world *world, kin_id mover, const kin_mover_desc *options) {
    kini_thing *thing = kini_check_options(world, __func__, "mover", mover, KIN_MOVER, options);
    if (!thing || !kini_check_mover_options(world, __func__, options) ||
        !kini_reserve_control(world, __func__, options->control) ||
        !kini_take_senses(world, __func__, mover.slot, options->senses)) return false;
    kini_disturb(world, mover.slot);
    kini_take_mover_options(world, &world->movers.at[thing->row], options);
    return true;
}

/* ---- statics ----------------------------------------------------------------------------------------------------- */
KIN_API bool kin_get_static_options(const kin_world *world, kin_id id, kin_static_desc *out) {
    const kini_thing  *thing = kini_tell_common(world, __func__, "id", id, KIN_STATIC, out, sizeof *out);
    const kini_static *fixed = thing ? &world->statics.at[thing->row] : NULL;
    if (!thing) return false;
    out->one_way = fixed->surface.one_way;
    out->surface_velocity = fixed->surface.velocity;
    out->attach = fixed->attach;
    out->senses = (thing->flags & KINI_SENSES) != 0;
    if (kini_is_nobody(out->attach)) return true;
    out->position = fixed->local.p;
    out->rotation = fixed->local.q;
    return true;
}

KIN_API bool kin_set_static_options(kin_world *world, kin_id id, const kin_static_desc *options) {
    kini_thing *thing = kini_check_options(world, __func__, "id", id, KIN_STATIC, options);
    bool        one_sided = thing && kini_is_mesh(thing) && (thing->flags & KINI_ONE_WAY);
    if (!thing) return false;
    if (kini_is_tiles(thing)) return kini_refuse_id(world, __func__, "id", "is a grid: kin_define_tile is for it", id);
    if (kini_is_mesh(thing) && !kini_is_zero(options->one_way))
        return kini_refuse(world, __func__, "one_way", "is not for meshes, which have one_sided");
    if (!options->sensor && (thing->flags & KINI_ATTACHED) && kini_mover_row(world, thing) < 0)
        return kini_refuse_id(world, __func__, "id", "is attached to a body, and stays a sensor", id);
    if (!kini_check_surface(world, __func__, options->one_way, options->surface_velocity) ||
        !kini_check_senses(world, __func__, thing, options) ||
        !kini_take_senses(world, __func__, id.slot, options->senses)) return false;
    kini_disturb(world, id.slot);
    kini_take_surface(world, id.slot, options->one_way, options->surface_velocity);
    kini_set_flag(thing, KINI_SENSOR, options->sensor);
    if (one_sided) thing->flags |= KINI_ONE_WAY;
    return true;
}

/* ==== src/object.c: adding, placing and removing what lives in a world. ==============================================
   Adding checks all arguments, reserves all memory that the new thing and later steps need, then changes the world: a
   refused call changes nothing. Removing invalidates the handle; slot and row are freed in stage 1, or at once if no
   contact can refer to the thing. Leaves of what moves are fat, so that most steps do not change the tree. */

/* A grid or mesh has the bounds of the box around it. Most shapes are boxes or not turned, and need no solid. */
KINI_PART void kini_thing_bounds(const kin_world *world, const kini_thing *thing, kin_pose at, kin_vec *lo, kin_vec *hi)
{
    const kini_shape *shape = thing->form == KINI_FORM_SHAPE ? &world->shapes.at[thing->shape] : NULL;
    kini_solid        solid;
    if (!shape) {
        kini_level_bounds(world, thing, lo, hi);
        kini_core_bounds(kini_scale(kini_add(*lo, *hi), 0.5f), kini_scale(kini_sub(*hi, *lo), 0.5f), 0, at, lo, hi);
    } else if (shape->hull < 0 || kini_is_unturned(at.q)) {
        kini_core_bounds(shape->centre, shape->half, shape->radius, at, lo, hi);
    } else {
        solid = kini_solid_of(world, thing);
        kini_solid_bounds(&solid, at, lo, hi);
    }
}

/* Outward, in world axes; zero: solid. */
KINI_PART kin_vec kini_one_way_of(const kin_world *world, uint32_t slot) {
    const kini_thing *thing = &world->things.at[slot];
    if (!(thing->flags & KINI_ONE_WAY)) return kini_vec_zero();
    return kini_rotate(thing->q, kini_surface_of(world, thing)->one_way);
}

/* Conveyor, in world axes. */
KINI_PART kin_vec kini_surface_velocity(const kin_world *world, uint32_t slot, int32_t part) {
    const kini_thing *thing = &world->things.at[slot];
    const kini_tile  *tile;
    if (!(thing->flags & KINI_CONVEYOR)) return kini_vec_zero();
    if (!kini_is_tiles(thing)) return kini_rotate(thing->q, kini_surface_of(world, thing)->velocity);
    tile = kini_tile_of(world, thing, part);
    return tile ? kini_rotate(thing->q, tile->surface_velocity) : kini_vec_zero();
}

/* ---- placing ----------------------------------------------------------------------------------------------------- */
KINI_PART kini_tree *kini_tree_of(kin_world *world, const kini_thing *thing) {
    return &world->trees[thing->flags & KINI_ATTACHED ? (int)KIN_MOVER : (int)thing->kind];
}

static float kini_fat_of(const kin_world *world, const kini_thing *thing) {
    return thing->kind == KIN_STATIC && !(thing->flags & KINI_ATTACHED) ? 0 : KINI_FAT * world->desc.unit;
}

KINI_PART void kini_leaf_box(const kini_tree *tree, int32_t leaf, kin_vec *lo, kin_vec *hi) {
    uint32_t         home = (uint32_t)tree->leaves.at[leaf].home;
    const kini_node *node = &tree->nodes.at[home / KINI_LANES];
    *lo = kini_lane_lo(node, (int)(home % KINI_LANES));
    *hi = kini_lane_hi(node, (int)(home % KINI_LANES));
}

/* For how many steps the leaf of what moves reaches ahead, each up to half its margin; for more if no body looks for
   it. */
static float kini_ahead_of(const kin_world *world, const kini_thing *thing) {
    bool alone = thing->kind == KIN_BODY && !kini_meets_bodies(world, world->bodies.at[thing->row].slot);
    return alone ? 32 : 8;
}

/* Does the leaf cover lo..hi without being much larger? Islands make leaves wider (kini_find_islands). */
static bool kini_leaf_fits(kin_world *world, const kini_thing *thing, kin_vec lo, kin_vec hi, bool loose) {
    kin_vec leaf_lo, leaf_hi;
    if (thing->leaf < 0) return true;
    kini_leaf_box(kini_tree_of(world, thing), thing->leaf, &leaf_lo, &leaf_hi);
    return kini_box_holds(leaf_lo, leaf_hi, lo, hi) &&
           (loose || !(kini_largest(kini_sub(kini_sub(leaf_hi, leaf_lo), kini_sub(hi, lo))) >
                       kini_ahead_of(world, thing) * kini_fat_of(world, thing)));
}

/* May the leaf stay as it is? Whether it has become too large is looked at now and then. */
KINI_PART bool kini_leaf_stays(kin_world *world, const kini_thing *thing) {
    return kini_leaf_fits(world, thing, thing->lo, thing->hi, world->desc.parallel || !world->rests);
}

/* Makes the leaf cover lo..hi, unless it does and is not much larger. What moves gets a leaf that reaches ahead. */
KINI_PART void kini_cover(kin_world *world, uint32_t slot, kin_vec lo, kin_vec hi) {
    const kini_thing *thing = &world->things.at[slot];
    kini_tree        *tree = kini_tree_of(world, thing);
    float             fat = kini_fat_of(world, thing), steps = kini_ahead_of(world, thing);
    kin_vec           most = kini_all(0.5f * steps * fat), ahead;
    if (kini_leaf_fits(world, thing, lo, hi, world->island != 0)) return;
    if (kini_escape(world)) return;
    ahead = kini_scale(kini_rate_at(world, slot, thing->p), steps * world->dt);
    ahead = kini_upper(kini_lower(ahead, most), kini_neg(most));
    lo = kini_sub(kini_lower(lo, kini_add(lo, ahead)), kini_all(fat));
    hi = kini_add(kini_upper(hi, kini_add(hi, ahead)), kini_all(fat));
    kini_leaf_changed(world, thing, lo, hi);
    kini_tree_move(tree, thing->leaf, lo, hi);
}

/* One that covers its bounds, in the tree of its kind. */
KINI_PART void kini_give_leaf(kin_world *world, uint32_t slot) {
    kini_thing *thing = &world->things.at[slot];
    kin_vec     fat = kini_all(kini_fat_of(world, thing)), lo = kini_sub(thing->lo, fat), hi = kini_add(thing->hi, fat);
    if (thing->leaf >= 0) { kini_cover(world, slot, thing->lo, thing->hi); return; }
    kini_leaf_changed(world, thing, lo, hi);
    thing->leaf = kini_tree_insert(kini_tree_of(world, thing), (int32_t)slot, lo, hi);
}

/* Furthest that a point of the box lies from the centre. */
KINI_PART float kini_box_reach(kin_vec lo, kin_vec hi, kin_vec centre) {
    return kini_len(kini_upper(kini_magnitudes(kini_sub(lo, centre)), kini_magnitudes(kini_sub(hi, centre))));
}

/* Places a thing. If it, or the mover it is part of, is swept `from` a pose `to` another, the leaf covers the arc. */
static void kini_put_thing(kin_world *world, kini_thing *thing, kin_pose at, bool swept, kin_pose from, kin_pose to) {
    uint32_t slot = (uint32_t)(thing - world->things.at);
    kin_vec  lo = thing->lo, hi = thing->hi;
    if (!swept) kini_disturb(world, slot);
    thing->p = at.p;
    thing->q = at.q;
    kini_thing_bounds(world, thing, at, &thing->lo, &thing->hi);
    if (swept && !kini_same_rot(to.q, from.q)) {
        float reach = kini_greater(kini_box_reach(lo, hi, from.p), kini_box_reach(thing->lo, thing->hi, to.p));
        lo = kini_sub(kini_lower(from.p, to.p), kini_all(reach));
        hi = kini_add(kini_upper(from.p, to.p), kini_all(reach));
    }
    if (swept) kini_cover(world, slot, kini_lower(lo, thing->lo), kini_upper(hi, thing->hi));
    else kini_cover(world, slot, thing->lo, thing->hi);
    kini_disturb(world, slot);
}

KINI_PART void kini_put_sensors(kin_world *world, const kini_thing *thing) {
    int32_t part;
    for (part = *kini_parts_of(world, thing); part >= 0; part = world->statics.at[part].next_part) {
        kini_thing *piece = &world->things.at[world->statics.at[part].slot];
        kin_pose    at = kini_pose_on(kini_pose(thing->p, thing->q), world->statics.at[part].local);
        if (!kini_same_bytes(&at.p, &piece->p, sizeof at.p) || !kini_same_bytes(&at.q, &piece->q, sizeof at.q))
            kini_put_thing(world, piece, at, false, at, at);
    }
}

/* With all its parts. */
static void kini_put_whole(kin_world *world, kini_thing *thing, kin_pose to, bool swept) {
    kin_pose from = kini_pose(thing->p, thing->q);
    int32_t  part = thing->kind == KIN_STATIC ? -1 : *kini_parts_of(world, thing);
    for (kini_put_thing(world, thing, to, swept, from, to); part >= 0; part = world->statics.at[part].next_part)
        kini_put_thing(world, &world->things.at[world->statics.at[part].slot],
                 kini_pose_on(to, world->statics.at[part].local), swept, from, to);
}

/* Pose, bounds and broad phase. */
KINI_PART void kini_place(kin_world *world, uint32_t slot, kin_vec p, kin_rot q) {
    kini_thing *thing = &world->things.at[slot];
    kini_put_whole(world, thing, kini_pose(p, q), thing->kind == KIN_MOVER);
}

/* Is `last` still the ground for which LEFT is to be emitted? */
/* In callbacks of stage 3 this step is already compared with it; in those of stage 10 its LEFT may still be due. */
KINI_PART bool kini_keeps_last(const kin_world *world, const kini_body *body) {
    if (body->state & (KINI_BODY_TELEPORTED | KINI_BODY_MOVED)) return true;
    if (world->stage == 3) return kini_takes_part(world, body->slot);
    return (body->events & kini_bit(KIN_EVENT_LEFT)) != 0;
}

/* Sets KINI_SHIFTED or KINI_RESHAPED until the end of the next step (in a callback, of this one), for riders. */
KINI_PART void kini_mark(kin_world *world, uint32_t slot, int flag) {
    kini_thing *thing = &world->things.at[slot];
    if (!(thing->flags & (KINI_SHIFTED | KINI_RESHAPED))) world->shifted++;
    thing->flags = (uint16_t)(thing->flags | flag);
}

/* Nothing swept, nobody carried, nothing streaks. */
KINI_PART void kini_teleport(kin_world *world, uint32_t slot, kin_pose at) {
    kini_thing *thing = &world->things.at[slot];
    kini_disturb(world, slot);
    kini_mark(world, slot, KINI_SHIFTED);
    kini_put_whole(world, thing, at, false);
    if (thing->kind == KIN_MOVER) {
        kini_mover *mover = &world->movers.at[thing->row];
        mover->before = mover->drawn = at;
        mover->state = (uint8_t)((mover->state & ~(KINI_MOVED | KINI_HAS_TARGET)) | KINI_TELEPORTED);
    }
    if (thing->kind == KIN_BODY) {
        kini_body *body = &world->bodies.at[thing->row];
        body->start = body->drawn = at;
        if (!kini_keeps_last(world, body)) body->last = body->stand;
        kini_stand_nowhere(body);
        body->velocity = kini_sub(body->velocity, body->given);
        body->leftover = body->given = body->lead = kini_vec_zero();
        body->drops_through = kini_nobody();
        body->state &= ~(uint32_t)(KINI_BODY_ON_WALL | KINI_BODY_ON_CEILING | KINI_BODY_DROPS | KINI_BODY_LETS_GO);
        body->state = (body->state & ~(uint32_t)KINI_BODY_MOVED) | KINI_BODY_TELEPORTED;
    }
    if (thing->flags & KINI_ATTACHED) {
        kini_static      *part = &world->statics.at[thing->row];
        const kini_thing *mover = &world->things.at[part->attach.slot];
        part->local.p = kini_to_local(kini_pose(mover->p, mover->q), at.p);
        part->local.q = kini_rot_unit(kini_compose(kini_inverse(mover->q), at.q));
    }
}

/* ---- adding ------------------------------------------------------------------------------------------------------ */
/* Makes that of a static without shape. */
KINI_PART bool kini_check_entry(const kin_world *world, const char *call, kin_pose at, uint32_t layer, uint32_t mask,
                                void *user, kini_entry *out) {
    if (!kini_check_vec(world, call, "position", at.p, KINI_FURTHEST)) return false;
    if (!kini_check_rot(world, call, "rotation", &at.q)) return false;
    kini_clear(out, sizeof *out);
    out->thing.p = at.p;
    out->thing.q = at.q;
    out->thing.layer = layer ? layer : 1;
    out->thing.mask = mask ? mask : 0xFFFFFFFFu;
    out->thing.kind = KIN_STATIC;
    out->thing.form = KINI_FORM_SHAPE;
    out->thing.shape = out->thing.leaf = -1;
    out->local = at;
    out->user = user;
    return true;
}

KINI_PART bool kini_check_attach(const kin_world *world, const char *call, kin_id attach, kini_entry *entry) {
    const kini_thing *mover;
    kin_pose          at;
    if (kini_is_nobody(attach)) return true;
    if (!kini_check_id(world, call, "attach", attach)) return false;
    mover = &world->things.at[attach.slot];
    if (mover->kind == KIN_STATIC || (mover->kind == KIN_BODY && !(entry->thing.flags & KINI_SENSOR)))
        return kini_refuse_id(world, call, "attach", "is not a mover, nor a body that gets a sensor", attach);
    at = kini_pose_on(kini_pose(mover->p, mover->q), entry->local);
    entry->attach = attach;
    entry->thing.flags |= KINI_ATTACHED;
    entry->thing.p = at.p;
    entry->thing.q = at.q;
    return kini_check_vec(world, call, "position", at.p, KINI_FURTHEST);
}

typedef struct kini_newcomer { kini_entry entry; kini_solid solid; kini_hull room; } kini_newcomer;

static bool kini_check_newcomer(const kin_world *world, const char *call, const void *desc, kin_kind kind,
                                kini_newcomer *out) {
    kin_static_desc common;
    if (!kini_check_world(world, call) || !kini_check_pointer(world, call, "desc", desc)) return false;
    kini_copy(&common, desc, KINI_COMMON_BYTES);
    if (!kini_check_shape(world, call, &common.shape, &out->solid, &out->room) ||
        !kini_check_entry(world, call, kini_pose(common.position, common.rotation), common.layer, common.mask,
                          common.user, &out->entry))
        return false;
    out->entry.thing.kind = (uint8_t)kind;
    kini_set_flag(&out->entry.thing, KINI_SENSOR, common.sensor);
    kini_set_flag(&out->entry.thing, KINI_DISABLED, common.disabled);
    return true;
}

KINI_PART bool kini_reserve_entry(kin_world *world, const char *call, const kini_entry *entry, const kini_solid *solid)
{
    kini_counts counts = kini_counts_now(world, solid);
    kini_count_row(world, &counts, KINI_SAVES_THINGS);
    kini_count_row(world, &counts, KINI_SAVES_KIND + entry->thing.kind);
    counts.attached += (entry->thing.flags & KINI_ATTACHED) != 0;
    if (entry->thing.flags & KINI_SENSES) counts.rows[KINI_SAVES_SENSED] += world->desc.max_sensor_contacts;
    if (counts.rows[KINI_SAVES_THINGS] > KINI_MOST_THINGS) return kini_refuse(world, call, "world", "is full");
    return kini_check_room(world, call, &counts);
}

/* of a static: among the parts of its carrier */
KINI_PART void kini_link_part(kin_world *world, int32_t row) {
    kini_static *part = &world->statics.at[row];
    int32_t     *link = kini_parts_of(world, &world->things.at[part->attach.slot]);
    while (*link >= 0 && *link < row) link = &world->statics.at[*link].next_part;
    part->next_part = *link;
    *link = row;
}

/* the new slot; room was reserved */
KINI_PART uint32_t kini_enter(kin_world *world, const kini_entry *entry) {
    uint32_t    slot = kini_take_slot(world), age = world->things.at[slot].age;
    kini_thing *thing = &world->things.at[slot];
    *thing = entry->thing;
    thing->age = age;
    thing->row = kini_take_row(world, KINI_SAVES_KIND + thing->kind, slot);
    if (thing->kind == KIN_STATIC) {
        kini_static *fixed = &world->statics.at[thing->row];
        fixed->local = entry->local;
        fixed->attach = entry->attach;
        fixed->level = fixed->next_part = -1;
    } else {
        *kini_parts_of(world, thing) = -1;
    }
    if (thing->flags & KINI_ATTACHED) {
        kini_link_part(world, thing->row);
        world->attached++;
    }
    if (thing->kind == KIN_BODY) world->idle.at[thing->row] = 0;
    if (thing->kind == KIN_BODY) kini_clear(&world->kept.at[thing->row], sizeof *world->kept.at);
    world->users.at[slot] = entry->user;
    kini_give_leaf(world, slot);
    world->live[thing->kind]++;
    world->sensers += (thing->flags & KINI_SENSES) != 0;
    kini_disturb(world, slot);
    if (world->stage == 0) return slot;
    thing->flags |= KINI_PENDING;
    world->pending++;
    return slot;
}

static int32_t kini_enter_newcomer(kin_world *world, kini_newcomer *it) {
    kini_thing *thing = &it->entry.thing;
    thing->shape = kini_take_shape(world, &it->solid);
    kini_solid_bounds(&it->solid, kini_pose(thing->p, thing->q), &thing->lo, &thing->hi);
    return world->things.at[kini_enter(world, &it->entry)].row;
}

KIN_API kin_id kin_add_static(kin_world *world, const kin_static_desc *desc) {
    kini_newcomer it;
    kini_static  *fixed;
    if (!kini_check_newcomer(world, __func__, desc, KIN_STATIC, &it)) return kini_nobody();
    kini_set_flag(&it.entry.thing, KINI_SENSES, desc->senses);
    if (!kini_check_surface(world, __func__, desc->one_way, desc->surface_velocity) ||
        !kini_check_attach(world, __func__, desc->attach, &it.entry) ||
        !kini_check_senses(world, __func__, &it.entry.thing, desc) ||
        !kini_reserve_entry(world, __func__, &it.entry, &it.solid))
        return kini_nobody();
    fixed = &world->statics.at[kini_enter_newcomer(world, &it)];
    kini_take_surface(world, fixed->slot, desc->one_way, desc->surface_velocity);
    return kini_id_of(world, fixed->slot);
}

KIN_API kin_id kin_add_mover(kin_world *world, const kin_mover_desc *desc) {
    kini_newcomer it;
    kini_mover   *mover;
    if (!kini_check_newcomer(world, __func__, desc, KIN_MOVER, &it)) return kini_nobody();
    kini_set_flag(&it.entry.thing, KINI_SENSES, desc->senses);
    if (!kini_check_mover_options(world, __func__, desc) ||
        !kini_check_finite(world, __func__, "velocity", desc->velocity) ||
        !kini_check_floats(world, __func__, "spin", &desc->spin, KINI_SPIN_BYTES, KINI_FASTEST) ||
        !kini_reserve_control(world, __func__, desc->control) ||
        !kini_reserve_entry(world, __func__, &it.entry, &it.solid))
        return kini_nobody();
    mover = &world->movers.at[kini_enter_newcomer(world, &it)];
    kini_take_mover_options(world, mover, desc);
    mover->velocity = kini_limit_speed(world, desc->velocity);
    mover->spin = desc->spin;
    mover->before = mover->drawn = mover->target = it.entry.local;
    return kini_id_of(world, mover->slot);
}

KIN_API kin_id kin_add_body(kin_world *world, const kin_body_desc *desc) {
    kini_newcomer it;
    kini_body    *body;
    if (!kini_check_newcomer(world, __func__, desc, KIN_BODY, &it) ||
        !kini_check_finite(world, __func__, "velocity", desc->velocity) ||
        !kini_check_body_options(world, __func__, desc) || !kini_reserve_control(world, __func__, desc->control) ||
        !kini_reserve_entry(world, __func__, &it.entry, &it.solid))
        return kini_nobody();
    body = &world->bodies.at[kini_enter_newcomer(world, &it)];
    body->start = body->drawn = it.entry.local;
    body->velocity = kini_limit_speed(world, desc->velocity);
    kini_take_body_options(world, body, desc);
    body->stand.part = body->last.part = -1;
    return kini_id_of(world, body->slot);
}

/* ---- removing ---------------------------------------------------------------------------------------------------- */
/* Gives back slot, row, shape, ignored pairs of a removed thing. */
KINI_PART void kini_forget(kin_world *world, uint32_t slot) {
    kini_thing *thing = &world->things.at[slot];
    if (thing->flags & KINI_IGNORES) kini_forget_ignored(world, slot);
    if (thing->shape >= 0) kini_give_shape(world, thing->shape);
    if (kini_is_tiles(thing)) kini_forget_grid(world, world->statics.at[thing->row].level);
    if (kini_is_mesh(thing)) kini_forget_mesh(world, world->statics.at[thing->row].level);
    kini_give_row(world, KINI_SAVES_KIND + thing->kind, thing->row);
    kini_give_slot(world, slot);
}

static void kini_retire(kin_world *world, uint32_t slot) {
    kini_thing      *thing = &world->things.at[slot];
    const kini_body *body = thing->kind == KIN_BODY ? &world->bodies.at[thing->row] : NULL;
    /* Can a contact or a ground name it, or does it name others whose contact with it has to end? */
    bool involved = (thing->flags & KINI_TOUCHED) || (body && (body->contact_count > 0 || body->stand.id.slot != 0));
    kin_vec          lo, hi;
    kini_disturb(world, slot);
    if (thing->leaf >= 0) {
        kini_leaf_box(kini_tree_of(world, thing), thing->leaf, &lo, &hi);
        kini_leaf_changed(world, thing, lo, hi);
        kini_tree_remove(kini_tree_of(world, thing), thing->leaf);
    }
    if (thing->flags & KINI_ATTACHED) {
        kini_static *fixed = &world->statics.at[thing->row];
        int32_t     *link = kini_parts_of(world, &world->things.at[fixed->attach.slot]);
        while (*link != thing->row) link = &world->statics.at[*link].next_part;
        *link = fixed->next_part;
        fixed->next_part = -1;
        world->attached--;
    }
    if (thing->kind == KIN_MOVER && world->movers.at[thing->row].on_blocked == KIN_BLOCKED_STOP) world->stop_movers--;
    thing->leaf = -1;
    kini_remember_user(world, slot);
    thing->age++;
    thing->flags |= KINI_REMOVED;
    world->live[thing->kind]--;
    world->sensers -= (thing->flags & KINI_SENSES) != 0;
    if (world->stage == 0 && !world->in_callback && !involved) kini_forget(world, slot);
    else world->pending++;
}

KIN_API bool kin_remove(kin_world *world, kin_id id) {
    uint32_t          slot = kini_check_id(world, __func__, "id", id);
    const kini_thing *thing;
    if (!slot || !kini_check_unasked(world, __func__)) return false;
    thing = &world->things.at[slot];
    while (thing->kind != KIN_STATIC && *kini_parts_of(world, thing) >= 0)
        kini_retire(world, world->statics.at[*kini_parts_of(world, thing)].slot);
    kini_retire(world, slot);
    return true;
}

/* ==== src/tiles.c: grids of cells: how they are kept, made and edited. ===============================================
   A cell is one byte. Each grid defines once what a value means: a convex piece of the cell, kept as a stored shape,
   with its own one-way direction and conveyor. Nothing is kept about neighbours: hidden sides are looked up when pieces
   are made (cells.c), so an edit writes one byte. */

enum { KINI_ALL_SIDES = (1 << KINI_SIDES) - 1, KINI_FIRST_DEFINED = 4 };

/* ---- finding cells ----------------------------------------------------------------------------------------------- */
KINI_PART kini_grid *kini_grid_of(const kin_world *world, const kini_thing *thing) {
    return &world->grids.at[world->statics.at[thing->row].level];
}

static bool kini_has_cell(const kini_grid *grid, kin_cell cell) {
    int axis;
    for (axis = 0; axis < KINI_DIM; axis++)
        if (kini_cell_at(cell, axis) < 0 || kini_cell_at(cell, axis) >= kini_cell_at(grid->size, axis)) return false;
    return true;
}

/* x fastest */
KINI_PART int32_t kini_cell_number(const kini_grid *grid, kin_cell cell) {
    int32_t number = 0;
    int     axis;
    for (axis = KINI_DIM - 1; axis >= 0; axis--)
        number = number * kini_cell_at(grid->size, axis) + kini_cell_at(cell, axis);
    return number;
}

KINI_PART kin_cell kini_numbered_cell(const kini_grid *grid, int32_t number) {
    kin_cell cell = grid->size;
    int      axis;
    for (axis = 0; axis < KINI_DIM; axis++) {
        cell = kini_cell_with(cell, axis, number % kini_cell_at(grid->size, axis));
        number /= kini_cell_at(grid->size, axis);
    }
    return cell;
}

/* The same for a cell that is not outside. */
KINI_PART const kini_tile *kini_inner_tile(const kin_world *world, const kini_grid *grid, kin_cell cell) {
    const kini_tile *tile;
    int              value = world->cells.at[grid->cells + kini_cell_number(grid, cell)];
    if (value == KIN_TILE_EMPTY || value >= grid->tile_count) return NULL;
    tile = &world->tiles.at[grid->tiles + value];
    return tile->flags & KINI_TILE_FILLED ? tile : NULL;
}

/* NULL: empty or outside. */
KINI_PART const kini_tile *kini_grid_tile(const kin_world *world, const kini_grid *grid, kin_cell cell) {
    return kini_has_cell(grid, cell) ? kini_inner_tile(world, grid, cell) : NULL;
}

KINI_PART const kini_tile *kini_tile_of(const kin_world *world, const kini_thing *thing, int32_t part) {
    const kini_grid *grid = kini_grid_of(world, thing);
    return part < 0 ? NULL : kini_grid_tile(world, grid, kini_numbered_cell(grid, part));
}

/* ---- adding ------------------------------------------------------------------------------------------------------ */
/* Enters a level of this section with this box around it; 0 if there is no memory. */
KINI_PART uint32_t kini_enter_level(kin_world *world, const char *call, kini_entry *entry, kin_vec lo, kin_vec hi,
                                    int section) {
    kini_thing *thing = &entry->thing;
    uint32_t    slot;
    thing->form = section == KINI_SAVES_GRIDS ? KINI_FORM_TILES : KINI_FORM_MESH;
    kini_core_bounds(kini_scale(kini_add(lo, hi), 0.5f), kini_scale(kini_sub(hi, lo), 0.5f), 0,
                     kini_pose(thing->p, thing->q), &thing->lo, &thing->hi);
    if (!kini_reserve_entry(world, call, entry, NULL)) return 0;
    slot = kini_enter(world, entry);
    world->statics.at[world->things.at[slot].row].level = kini_take_row(world, section, slot);
    return slot;
}

/* counts its cells */
KINI_PART bool kini_check_grid(const kin_world *world, const char *call, kini_grid *grid) {
    int64_t total = 1;
    int     axis;
    if (!kini_check_number(world, call, "cell", grid->cell, KINI_SMALLEST_SHAPE, KINI_LARGEST_SHAPE, "")) return false;
    for (axis = 0; axis < KINI_DIM; axis++) {
        int    n = kini_cell_at(grid->size, axis);
        double most = (double)kini_lesser(KINI_FURTHEST / grid->cell, (float)(INT32_MAX / total));
        total *= n;
        if (n < 1 || total > INT32_MAX || (float)n * grid->cell > KINI_FURTHEST)
            return kini_refuse_range(world, call, "size", n, 1, most, "");
    }
    grid->cell_count = (int32_t)total;
    return true;
}

#ifndef KINEMATIC_NO_TILES
/* The share of one cell in the key of its grid; empty cells have none. */
static uint64_t kini_cell_key(int32_t number, uint8_t value) {
    uint64_t key = ((uint64_t)(uint32_t)number << 8 | value) * 0x9E3779B97F4A7C15u;
    return value == KIN_TILE_EMPTY ? 0 : key ^ key >> 29;
}

static void kini_set_builtin(kini_tile *tile, uint16_t flags) {
    kini_clear(tile, sizeof *tile);
    tile->shape = -1;
    tile->flags = flags;
    tile->faces = tile->covers = KINI_ALL_SIDES;
}

static void kini_fill_grid(kin_world *world, kini_grid *grid, const uint8_t *cells) {
    uint8_t   *to = world->cells.at + world->cells.count;
    kini_tile *tiles = world->tiles.at + world->tiles.count;
    int32_t    i, count = grid->cell_count;
    grid->cells = world->cells.count;
    grid->tiles = world->tiles.count;
    grid->tile_count = KINI_FIRST_DEFINED;
    world->cells.count += count;
    world->tiles.count += KINI_FIRST_DEFINED;
    kini_clear(to, (size_t)count);
    if (cells) kini_copy(to, cells, (size_t)count);
    for (i = 0; i < count && cells; i++) grid->key += kini_cell_key(i, to[i]);
    kini_set_builtin(&tiles[KIN_TILE_EMPTY], 0);
    kini_set_builtin(&tiles[KIN_TILE_SOLID], KINI_TILE_FILLED);
    kini_set_builtin(&tiles[KIN_TILE_ONE_WAY], KINI_TILE_FILLED | KINI_TILE_UP | KINI_ONE_WAY);
    kini_set_builtin(&tiles[KIN_TILE_SENSOR], KINI_TILE_FILLED | KINI_SENSOR);
}

KIN_API kin_id kin_add_tiles(kin_world *world, const kin_tiles_desc *desc) {
    kini_entry  entry;
    kini_grid   grid;
    kini_counts counts;
    if (!kini_check_world(world, __func__) || !kini_check_pointer(world, __func__, "desc", desc)) return kini_nobody();
    kini_clear(&grid, sizeof grid);
    grid.size = desc->size;
    grid.cell = desc->cell >= 0 && desc->cell <= 0 ? world->desc.unit : desc->cell;
    if (!kini_check_grid(world, __func__, &grid) ||
        !kini_check_vec(world, __func__, "origin", desc->origin, KINI_FURTHEST) ||
        !kini_check_entry(world, __func__, kini_pose(desc->origin, kini_unturned()), desc->layer, desc->mask,
                          desc->user, &entry) ||
        !kini_check_attach(world, __func__, desc->attach, &entry))
        return kini_nobody();
    counts = kini_counts_now(world, NULL);
    kini_count_row(world, &counts, KINI_SAVES_GRIDS);
    counts.rows[KINI_SAVES_CELLS] += grid.cell_count;
    counts.rows[KINI_SAVES_TILES] += KINI_FIRST_DEFINED;
    if (!kini_check_room(world, __func__, &counts)) return kini_nobody();
    grid.slot = kini_enter_level(world, __func__, &entry, kini_vec_zero(), kini_cell_corner(&grid, grid.size, 0),
                                 KINI_SAVES_GRIDS);
    if (!grid.slot) return kini_nobody();
    kini_fill_grid(world, &grid, desc->cells);
    kini_copy(kini_grid_of(world, &world->things.at[grid.slot]), &grid, sizeof grid);   /* with its chance bytes */
    return kini_id_of(world, grid.slot);
}
#endif

/* ---- giving back ------------------------------------------------------------------------------------------------- */
static void kini_cut_tiles(kin_world *world, int32_t first, int32_t count) {
    int32_t i;
    kini_cut_rows(&world->tiles, sizeof *world->tiles.at, first, count);
    for (i = 0; i < world->grids.count; i++)
        if (world->grids.at[i].tiles > first) world->grids.at[i].tiles -= count;
}

KINI_PART void kini_forget_grid(kin_world *world, int32_t row) {
    kini_grid *grid = &world->grids.at[row];
    int32_t    i, first = grid->cells, count = grid->cell_count;
    for (i = grid->tiles; i < grid->tiles + grid->tile_count; i++)
        if (world->tiles.at[i].shape >= 0) kini_give_shape(world, world->tiles.at[i].shape);
    kini_cut_tiles(world, grid->tiles, grid->tile_count);
    kini_cut_rows(&world->cells, sizeof *world->cells.at, first, count);
    for (i = 0; i < world->grids.count; i++)
        if (world->grids.at[i].cells > first) world->grids.at[i].cells -= count;
    kini_give_row(world, KINI_SAVES_GRIDS, row);
}

#ifndef KINEMATIC_NO_TILES

/* ---- defining values --------------------------------------------------------------------------------------------- */
/* On which sides of the cell has the piece a face, and which does it cover from corner to corner? */
static void kini_tile_sides(kini_tile *tile, const kini_solid *solid, float cell) {
    kin_vec corners[KIN_MAX_POINTS];
    float   least = 0.5f * cell - KINI_ON_SIDE * cell;   /* from the middle: further out is on a side */
    int     i, side, count = kini_solid_corners(solid, kini_unturned(), corners);
    tile->faces = tile->covers = 0;
    for (side = 0; side < KINI_SIDES; side++) {
        int on_side = 0, in_corner = 0;
        for (i = 0; i < count; i++) {
            if (kini_at(corners[i], side / 2) * (side & 1 ? 1.0f : -1.0f) < least) continue;
            on_side++;
            in_corner += kini_smallest(kini_magnitudes(corners[i])) >= least;
        }
        if (on_side >= KINI_DIM) tile->faces |= (uint8_t)(1 << side);
        if (in_corner == KINI_MAX_CORNERS / 2) tile->covers |= (uint8_t)(1 << side);
    }
}

/* The piece of the cell that a tile is, around the cell's middle; false if it is refused. */
static bool kini_check_tile(const kin_world *world, const char *call, const kin_tile *tile, float cell, kini_solid *out,
                            kini_hull *room) {
    kin_shape shape;
    int       i;
    if (!kini_check_finite(world, call, "one_way", tile->one_way)) return false;
    if (!kini_check_finite(world, call, "surface_velocity", tile->surface_velocity)) return false;
    if (tile->count < 0 || tile->count > 8)
        return kini_refuse_number(world, call, "count", "is not one of 0 to 8", (float)tile->count);
    kini_clear(&shape, sizeof shape);
    shape.count = tile->count;
    for (i = 0; i < tile->count; i++) {
        kin_vec p = tile->points[i];
        if (!kini_check_finite(world, call, "points", p)) return false;
        if (kini_smallest(p) < -KINI_ON_SIDE || kini_largest(p) > 1 + KINI_ON_SIDE)
            return kini_refuse_floats(world, call, "points", "leave the unit cell", &p, KINI_DIM * sizeof p.x,
                                      KINI_FLT_MAX);
        shape.points[i] = kini_scale(kini_sub(p, kini_all(0.5f)), cell);
    }
    return tile->count == 0 || kini_check_shape(world, call, &shape, out, room);
}

/* A grid with more values than before gets a new block behind the others. */
static void kini_extend_tiles(kin_world *world, kini_grid *grid, int32_t wanted) {
    int32_t    i, first = grid->tiles, old = grid->tile_count;
    kini_tile *from = world->tiles.at + first, *to = world->tiles.at + world->tiles.count;
    if (wanted <= old) return;
    for (i = 0; i < old; i++) to[i] = from[i];
    for (; i < wanted; i++) kini_set_builtin(&to[i], 0);
    grid->tiles = world->tiles.count;
    grid->tile_count = wanted;
    world->tiles.count += wanted;
    kini_cut_tiles(world, first, old);
}

static void kini_set_meaning(kin_world *world, kini_tile *row, const kin_tile *tile, const kini_solid *solid,
                             float cell) {
    int32_t old = row->shape;
    kini_set_builtin(row, KINI_TILE_FILLED);
    if (tile->sensor) row->flags |= KINI_SENSOR;
    if (!kini_is_zero(tile->one_way)) row->flags |= KINI_ONE_WAY;
    if (!kini_is_zero(tile->surface_velocity)) row->flags |= KINI_CONVEYOR;
    row->one_way = kini_direction(tile->one_way);
    row->surface_velocity = kini_limit_speed(world, tile->surface_velocity);
    if (solid) {
        row->shape = kini_take_shape(world, solid);
        kini_tile_sides(row, solid, cell);
    }
    if (old >= 0) kini_give_shape(world, old);
}

KINI_PART kini_grid *kini_check_tiles(const kin_world *world, const char *call, kin_id tiles) {
    uint32_t slot = kini_check_kind(world, call, "tiles", tiles, KIN_STATIC);
    if (!slot) return NULL;
    if (world->things.at[slot].form == KINI_FORM_TILES) return kini_grid_of(world, &world->things.at[slot]);
    kini_refuse_id(world, call, "tiles", "is not a grid of tiles", tiles);
    return NULL;
}

KIN_API bool kin_define_tile(kin_world *world, kin_id tiles, uint8_t value, const kin_tile *tile) {
    kini_grid        *grid = kini_check_tiles(world, __func__, tiles);
    kini_solid        solid;
    const kini_solid *piece = &solid;
    kini_counts       counts;
    kini_hull         room;
    if (!grid || !kini_check_unasked(world, __func__) || !kini_check_pointer(world, __func__, "tile", tile))
        return false;
    if (value < KINI_FIRST_DEFINED) return kini_refuse_number(world, __func__, "value", "is built in", (float)value);
    if (!kini_check_tile(world, __func__, tile, grid->cell, &solid, &room)) return false;
    if (tile->count == 0 || (solid.count == 0 && kini_smallest(solid.half) > (0.5f - KINI_ON_SIDE) * grid->cell))
        piece = NULL;
    counts = kini_counts_now(world, piece);
    if (value >= grid->tile_count) counts.rows[KINI_SAVES_TILES] += value + 1;
    if (!kini_check_room(world, __func__, &counts)) return false;
    kini_disturb(world, tiles.slot);
    kini_extend_tiles(world, grid, value + 1);
    kini_set_meaning(world, &world->tiles.at[grid->tiles + value], tile, piece, grid->cell);
    kini_mark(world, tiles.slot, KINI_RESHAPED);
    if (!kini_is_zero(tile->surface_velocity)) world->things.at[grid->slot].flags |= KINI_CONVEYOR;
    return true;
}

/* ---- cells ------------------------------------------------------------------------------------------------------- */
/* The number of a cell, or -1 if it is refused. */
static int32_t kini_check_cell(const kin_world *world, const char *call, const kini_grid *grid, kin_cell cell) {
    kin_vec place = kini_cell_vec(cell);
    if (kini_has_cell(grid, cell)) return kini_cell_number(grid, cell);
    kini_refuse_floats(world, call, "cell", "is outside of the grid", &place, KINI_DIM * sizeof place.x, KINI_FLT_MAX);
    return -1;
}

KIN_API uint8_t kin_get_tile(const kin_world *world, kin_id tiles, kin_cell cell) {
    const kini_grid *grid = kini_check_tiles(world, __func__, tiles);
    int32_t          number = grid ? kini_check_cell(world, __func__, grid, cell) : -1;
    return number < 0 ? (uint8_t)KIN_TILE_EMPTY : world->cells.at[grid->cells + number];
}

static void kini_write_cell(kin_world *world, kini_grid *grid, kin_cell cell, uint8_t value) {
    int32_t  number = kini_cell_number(grid, cell);
    uint8_t *at = &world->cells.at[grid->cells + number];
    if (*at == value) return;
    kini_disturb_cell(world, grid, cell);
    kini_mark(world, grid->slot, KINI_RESHAPED);
    grid->key += kini_cell_key(number, value) - kini_cell_key(number, *at);
    *at = value;
}

KIN_API bool kin_set_tile(kin_world *world, kin_id tiles, kin_cell cell, uint8_t value) {
    kini_grid *grid = kini_check_tiles(world, __func__, tiles);
    if (!grid || kini_check_cell(world, __func__, grid, cell) < 0 || !kini_check_unasked(world, __func__)) return false;
    kini_write_cell(world, grid, cell, value);
    return true;
}

KIN_API bool kin_set_tiles_region(kin_world *world, kin_id tiles, kin_cell first, kin_cell size, const uint8_t *values)
{
    kini_grid *grid = kini_check_tiles(world, __func__, tiles);
    kin_cell   last = first, cell = first;
    int        axis;
    if (!grid || !kini_check_pointer(world, __func__, "values", values) || !kini_check_unasked(world, __func__))
        return false;
    if (kini_check_cell(world, __func__, grid, first) < 0) return false;
    for (axis = 0; axis < KINI_DIM; axis++) {
        int n = kini_cell_at(size, axis), room = kini_cell_at(grid->size, axis) - kini_cell_at(first, axis);
        if (n < 1 || n > room) return kini_refuse_range(world, __func__, "size", n, 1, room, "");
        last = kini_cell_with(last, axis, kini_cell_at(first, axis) + n - 1);
    }
    do kini_write_cell(world, grid, cell, *values++);
    while (kini_next_cell(&cell, first, last));
    return true;
}
#endif

/* ==== src/near.c: everything solid around one body, as one list of convex pieces. ====================================
   A stage asks once for the pieces near a body and then works on those: each is already grown by the body's shape
   (obstacle.c) and placed relative to the body, so that sweeps far from the origin lose no precision. Shapes give
   one piece, tiles and meshes several; what moves knows how far it travels in the interval that is looked at. */

/* of anything, within the step */
KINI_PART kin_pose kini_pose_at(const kin_world *world, uint32_t slot, float part) {
    const kini_thing *thing = &world->things.at[slot];
    const kini_mover *mover;
    int32_t           row = kini_mover_row(world, thing);
    kin_pose          pose = kini_pose(thing->p, thing->q);
    if (row < 0 || part >= 1) return pose;
    mover = &world->movers.at[row];
    pose = kini_pose(world->things.at[mover->slot].p, world->things.at[mover->slot].q);
    if (mover->state & KINI_MOVED) pose.p = kini_mix(mover->before.p, pose.p, part);
    if ((mover->state & KINI_MOVED) && kini_spins(mover->turn_rate)) {
        pose.q = mover->before.q;
        if (part > 0) pose.q = kini_compose(kini_spin_turn(mover->turn_rate, world->dt * part), pose.q);
        pose.q = kini_rot_unit(pose.q);
    }
    return thing->kind == KIN_MOVER ? pose : kini_pose_on(pose, world->statics.at[thing->row].local);
}

/* ---- finding ----------------------------------------------------------------------------------------------------- */
/* A mover that stands in this step is as good as a part of the level, and crushes nobody. */
KINI_PART bool kini_has_moved(const kin_world *world, const kini_thing *thing) {
    int32_t row = kini_mover_row(world, thing);
    return row >= 0 && (world->movers.at[row].state & KINI_MOVED);
}

/* Was it crushed by this thing when the step began? */
KINI_PART bool kini_pressed_by(const kini_body *body, kin_id id) {
    return (body->last_state & KINI_BODY_CRUSHED) &&
           (kin_same(body->squeezed_by[0], id) || kin_same(body->squeezed_by[1], id));
}

/* Is any of it in the box, at some time of the step? A turning thing is bounded by its reach around its mover's origin,
   since fat boxes must not affect results. */
KINI_PART bool kini_comes_near(const kin_world *world, const kini_thing *thing, kin_vec box_lo, kin_vec box_hi) {
    kin_vec lo = thing->lo, hi = thing->hi, back;
    if (kini_has_moved(world, thing)) {
        const kini_mover *mover = &world->movers.at[kini_mover_row(world, thing)];
        const kini_thing *origin = &world->things.at[mover->slot];
        if (!kini_same_rot(mover->before.q, origin->q)) {
            float reach = kini_box_reach(lo, hi, origin->p);
            lo = kini_sub(origin->p, kini_all(reach));
            hi = kini_add(origin->p, kini_all(reach));
        }
        back = kini_sub(mover->before.p, origin->p);
        lo = kini_lower(lo, kini_add(lo, back));
        hi = kini_upper(hi, kini_add(hi, back));
    }
    return kini_boxes_meet(lo, hi, box_lo, box_hi);
}

/* Is it near, and may the body meet it? Without movers, a body goes back through those that moved or that crush it. */
static bool kini_is_near(const kin_world *world, const kini_near *near, uint32_t slot) {
    const kini_thing *thing = &world->things.at[slot], *self = &world->things.at[near->slot];
    if (!kini_comes_near(world, thing, near->lo, near->hi) || slot == near->skip || slot == near->slot) return false;
    if (!(near->with & KINI_WITH_MOVERS) && kini_mover_row(world, thing) >= 0 &&
        (kini_has_moved(world, thing) ||
         (self->kind == KIN_BODY && kini_pressed_by(&world->bodies.at[self->row], kini_id_of(world, slot)))))
        return false;
    return kini_meets(world, near->slot, slot);
}

/* Adds those of one tree to the list, in the order found, and wakes idle bodies among them. */
static int kini_near_collect(kin_world *world, const kini_near *near, int kind, int kept) {
    int32_t *found = world->found.at;
    int      i = kept, room = world->found.capacity;
    int      end = i + (kind == KIN_BODY
                            ? kini_collect_bodies(world, near->slot, near->lo, near->hi, found + i, room - i)
                            : kini_tree_collect(&world->trees[kind], near->lo, near->hi, found + i, room - i));
    for (; i < end && i < room; i++) {
        const kini_thing *thing = &world->things.at[found[i]];
        if (thing->kind == KIN_BODY && kini_is_foreign(world, near->slot, (uint32_t)found[i])) continue;
        if (!kini_is_near(world, near, (uint32_t)found[i])) continue;
        if (thing->kind == KIN_BODY && world->joining == KINI_WISHED && !kini_woken(world, thing->row)) continue;
        found[kept++] = found[i];
    }
    return kept;
}

/* Statics, then movers and what is attached to them. */
static int kini_near_level(kin_world *world, kini_near *near) {
    const kini_kept *kept = kini_kept_around(world, near->slot, near->lo, near->hi);
    int              i, found = 0;
    for (i = 0; kept && i < kept->count; i++) {
        const kini_thing *thing = &world->things.at[kept->slots[i]];
        if (thing->kind == KIN_BODY || (thing->flags & KINI_REMOVED)) continue;
        if (kini_is_near(world, near, (uint32_t)kept->slots[i])) world->found.at[found++] = kept->slots[i];
    }
    if (kept) return found;
    found = kini_near_collect(world, near, KIN_STATIC, 0);
    return world->live[KIN_MOVER] > 0 ? kini_near_collect(world, near, KIN_MOVER, found) : found;
}

/* The box around a body that is moved to x and travels from there. */
KINI_PART void kini_around(const kin_world *world, uint32_t slot, kin_vec x, kin_vec travel, float margin,
                           kin_vec *lo, kin_vec *hi) {
    const kini_thing *thing = &world->things.at[slot];
    *lo = kini_add(thing->lo, x);
    *hi = kini_add(thing->hi, x);
    *lo = kini_sub(kini_lower(*lo, kini_add(*lo, travel)), kini_all(margin));
    *hi = kini_add(kini_upper(*hi, kini_add(*hi, travel)), kini_all(margin));
}

/* Other bodies so near that they may meet: how many stand in world->found. */
KINI_PART int kini_bodies_near(kin_world *world, uint32_t slot, float margin) {
    kini_near near;
    near.slot = slot;
    near.skip = 0;
    near.with = KINI_WITH_MOVERS | KINI_WITH_BODIES;
    kini_around(world, slot, kini_vec_zero(), kini_vec_zero(), margin, &near.lo, &near.hi);
    return kini_near_collect(world, &near, KIN_BODY, 0);
}

static void kini_near_find(kin_world *world, kini_near *near, kin_vec lo, kin_vec hi) {
    near->lo = lo;
    near->hi = hi;
    if (world->rests) kini_looked(world, near->slot, lo, hi);
    world->faces_of = 0;
    near->found = kini_near_level(world, near);
    if (near->with & KINI_WITH_BODIES) near->found = kini_near_collect(world, near, KIN_BODY, near->found);
    near->cursor = near->part_cursor = near->lot.thing = near->lot.part = near->count = 0;
    near->whole = near->passed = false;
}

/* movers' part of the step; default 1, 1 */
KINI_PART void kini_near_interval(kini_near *near, float from, float to) {
    near->from = from;
    near->to = to;
    near->whole = false;
}

KINI_PART void kini_near_begin(kin_world *world, kini_near *near, uint32_t slot, kin_vec lo, kin_vec hi) {
    const kini_thing *thing = &world->things.at[slot];
    near->origin = thing->p;
    near->turn = thing->q;
    near->solid = kini_solid_of(world, thing);
    near->slot = slot;
    near->taken = kini_vec_zero();
    near->taker = 0;
    near->dropping = false;
    near->lot.built = near->within = 0;
    near->planned = false;
    kini_near_interval(near, 1, 1);
    kini_near_find(world, near, lo, hi);
}

/* Begins a search around a body and its travel, for all but `skip`. */
KINI_PART void kini_near_motion(kin_world *world, kini_near *near, uint32_t slot, uint32_t skip, int with,
                                kin_vec travel, float margin) {
    kin_vec lo, hi;
    near->skip = skip;
    near->with = with;
    kini_around(world, slot, kini_vec_zero(), travel, margin, &lo, &hi);
    kini_near_begin(world, near, slot, lo, hi);
}

/* Extends the search to all within `margin` of the body on this way: slides turn, and ways out lead elsewhere. */
KINI_PART void kini_near_cover(kin_world *world, kini_near *near, kin_vec x, kin_vec travel, float margin) {
    kin_vec lo, hi;
    kini_around(world, near->slot, x, travel, margin, &lo, &hi);
    if (kini_box_holds(near->lo, near->hi, lo, hi)) return;
    kini_near_find(world, near, kini_lower(near->lo, kini_sub(lo, kini_all(margin))),
                   kini_upper(near->hi, kini_add(hi, kini_all(margin))));
}

/* The same for this part of a way alone. */
KINI_PART void kini_near_around(kin_world *world, kini_near *near, kin_vec x, kin_vec travel, float margin) {
    kin_vec lo, hi;
    kini_around(world, near->slot, x, travel, margin, &lo, &hi);
    kini_near_find(world, near, lo, hi);
}

/* ---- building pieces --------------------------------------------------------------------------------------------- */
/* A body that was carried is ahead of its carrier until the step ends: for it, that is further on by what is left. */
static kin_vec kini_ahead(const kini_near *near, uint32_t slot) {
    return slot == near->taker ? kini_scale(near->taken, 1 - near->to) : kini_vec_zero();
}

/* Travel in the interval of a point given at its end. A turning thing moves along the tangent: chords lift riders. */
static kin_vec kini_point_move(const kin_world *world, const kini_near *near, const kini_frame *frame, kin_vec point) {
    kin_pose          begin = kini_pose_at(world, frame->slot, near->from);
    const kini_mover *mover = &world->movers.at[kini_mover_row(world, &world->things.at[frame->slot])];
    kin_vec           move = kini_sub(frame->at.p, begin.p), arm;
    if (frame->turns) {
        arm = kini_sub(point, kini_add(kini_pose_at(world, mover->slot, near->to).p, kini_ahead(near, frame->slot)));
        move = kini_scale(kini_add(mover->rate, kini_spin_velocity(mover->turn_rate, arm)),
                          world->dt * (near->to - near->from));
    }
    if (frame->slot == near->taker) move = kini_madd(move, near->taken, near->from - near->to);
    return move;
}

/* where it is now */
KINI_PART kini_frame kini_frame_still(const kin_world *world, uint32_t slot) {
    const kini_thing *thing = &world->things.at[slot];
    kini_frame        frame;
    frame.slot = slot;
    frame.at = kini_pose(thing->p, thing->q);
    frame.move = kini_vec_zero();
    frame.moves = kini_mover_row(world, thing) >= 0;
    frame.turns = false;
    frame.turned = !kini_is_unturned(thing->q);
    return frame;
}

/* Where a thing is in the interval of a search. */
KINI_PART kini_frame kini_frame_of(const kin_world *world, const kini_near *near, uint32_t slot) {
    kini_frame frame = kini_frame_still(world, slot);
    if (frame.moves && near->to < 1) frame.at = kini_pose_at(world, slot, near->to);
    if (frame.moves && near->from < near->to) {
        frame.turns = !kini_same_rot(frame.at.q, kini_pose_at(world, slot, near->from).q);
        frame.move = kini_point_move(world, near, &frame, near->origin);
        if (near->to < 1) frame.at.p = kini_add(frame.at.p, kini_ahead(near, slot));
    }
    frame.turned = !kini_is_unturned(frame.at.q);
    return frame;
}

/* Relative to `origin`. Unturned, the sum is made in the world, where it is mostly exact: mirrored bits. */
KINI_PART kin_vec kini_frame_point(const kini_frame *frame, kin_vec local, kin_vec origin) {
    if (!frame->turned) return kini_sub(kini_add(frame->at.p, local), origin);
    return kini_add(kini_sub(frame->at.p, origin), kini_rotate(frame->at.q, local));
}

/* Around a box of the world. */
KINI_PART void kini_frame_box(const kini_frame *frame, kin_vec lo, kin_vec hi, kin_vec *local_lo, kin_vec *local_hi) {
    kin_vec middle, half;
    *local_lo = kini_sub(lo, frame->at.p);
    *local_hi = kini_sub(hi, frame->at.p);
    if (!frame->turned) return;
    middle = kini_to_local(frame->at, kini_scale(kini_add(lo, hi), 0.5f));
    half = kini_turned_half(kini_inverse(frame->at.q), kini_scale(kini_sub(hi, lo), 0.5f));
    *local_lo = kini_sub(middle, half);
    *local_hi = kini_add(middle, half);
}

/* The box in the frame's axes that a search looks at, with what a moving frame passes by on its way. */
KINI_PART void kini_near_box(const kin_world *world, const kini_near *near, const kini_frame *frame,
                             kin_vec *lo, kin_vec *hi) {
    kin_vec from = near->lo, to = near->hi;
    if (frame->moves) {
        int32_t row = kini_mover_row(world, &world->things.at[frame->slot]);
        float   arc = kini_spin_size(world->movers.at[row].turn_rate) * world->dt * (near->to - near->from);
        float   room = arc > 0 ? arc * kini_len(kini_sub(near->hi, near->lo)) : 0;
        from = kini_sub(kini_lower(from, kini_add(from, frame->move)), kini_all(room));
        to = kini_add(kini_upper(to, kini_add(to, frame->move)), kini_all(room));
    }
    kini_frame_box(frame, from, to, lo, hi);
}

/* The next one; all members but the obstacle. */
KINI_PART kini_piece *kini_piece_begin(kin_world *world, kini_near *near, const kini_frame *frame, uint32_t flags) {
    kini_piece *piece = &world->pieces.at[near->count];
    piece->move = frame->move;
    piece->slot = frame->slot;
    piece->part = -1;
    piece->flags = flags | (frame->moves ? (uint32_t)KINI_PIECE_MOVER : 0u);
    if (world->things.at[frame->slot].kind == KIN_BODY)
        piece->flags |= KINI_PIECE_BODY |
                        (kini_pair_solid(world, near->slot, frame->slot) ? 0u : (uint32_t)KINI_SENSOR);
    piece->one_way = piece->face = kini_vec_zero();
    piece->hidden = 0;
    piece->turn = frame->at.q;
    piece->level = piece->reach = 0;
    piece->deep = 0.5f * near->solid.width;
    piece->slop = kini_slop_at(world, near->origin);
    return piece;
}

/* Does this way lead a crushed body away from what `press` squeezes it against? */
KINI_PART bool kini_leaves_holder(const kin_world *world, const kini_body *body, kin_id press, kin_vec way) {
    const kini_contact *list = kini_last_contacts_of(world, world->things.at[body->slot].row);
    kin_id              holder = body->squeezed_by[kin_same(body->squeezed_by[0], press) ? 1 : 0];
    int32_t             i;
    for (i = 0; i < body->last_count; i++)
        if (kin_same(list[i].other, holder) && kini_dot(list[i].normal, way) > KINI_HARDLY) return true;
    return false;
}

/* Has a press gone so far over the body that the shortest way out leads away from what holds the body? A sweep ignores
   such a press, which would take the body along when it goes back. */
static bool kini_has_gone_over(const kin_world *world, const kini_near *near, const kini_piece *piece) {
    const kini_body *body = &world->bodies.at[world->things.at[near->slot].row];
    kin_vec          normal;
    if (!(piece->flags & KINI_PIECE_MOVER) || !(near->from < near->to)) return false;
    if (!(body->last_state & KINI_BODY_CRUSHED) || !kin_same(body->squeezed_by[0], kini_id_of(world, piece->slot)))
        return false;
    if (kini_obstacle_gap(&piece->obstacle, piece->move, &normal) >= 0) return false;   /* where it was at the start */
    return kini_leaves_holder(world, body, body->squeezed_by[0], normal);
}

/* Counts it, unless the body falls through it. */
KINI_PART void kini_piece_end(kin_world *world, kini_near *near, const kini_frame *frame, kini_piece *piece) {
    kin_vec normal, half;
    if (kini_is_dropped(world, near, piece)) {
        if (kini_obstacle_gap(&piece->obstacle, kini_vec_zero(), &normal) <= kini_touch_at(world, near->origin))
            near->dropping = true;
        return;
    }
    if (kini_has_gone_over(world, near, piece)) return;
    if (frame->turns) {   /* every point moves differently: that of the piece nearest to the body counts */
        kini_obstacle_gap(&piece->obstacle, kini_vec_zero(), &normal);
        piece->move = kini_point_move(world, near, frame,
                                      kini_foot(&near->solid, kini_pose(near->origin, near->turn), normal, &half));
    }
    near->sensors += (piece->flags & KINI_SENSOR) != 0;
    near->count++;
}

static void kini_emit_shape(kin_world *world, kini_near *near, const kini_frame *frame) {
    const kini_thing *thing = &world->things.at[frame->slot];
    kini_piece       *piece = kini_piece_begin(world, near, frame, thing->flags & (KINI_SENSOR | KINI_ONE_WAY));
    kini_solid       *solid = &world->solids.at[near->count];
    *solid = kini_solid_of(world, thing);
    kini_obstacle_again(world, &piece->obstacle, near->count, solid,
                        kini_pose(kini_sub(frame->at.p, near->origin), frame->at.q), &near->solid, near->turn);
    if (piece->flags & KINI_ONE_WAY)
        piece->one_way = kini_outward_face(solid, frame->at.q, kini_one_way_of(world, frame->slot));
    kini_piece_end(world, near, frame, piece);
}

/* A box of the level against a body whose core is a box, both along the axes: common, and the same arithmetic. */
static bool kini_emit_box(kin_world *world, kini_near *near, uint32_t slot) {
    const kini_thing *thing = &world->things.at[slot];
    const kini_shape *shape;
    kini_piece       *piece;
    kini_frame        frame;
    if (thing->form != KINI_FORM_SHAPE || thing->kind != KIN_STATIC || near->solid.count > 0 ||
        (thing->flags & (KINI_ATTACHED | KINI_ONE_WAY)) || !kini_is_unturned(thing->q) || !kini_is_unturned(near->turn))
        return false;
    shape = &world->shapes.at[thing->shape];
    if (shape->hull >= 0) return false;
    frame = kini_frame_still(world, slot);
    piece = kini_piece_begin(world, near, &frame, (uint32_t)(thing->flags & KINI_SENSOR));
    piece->obstacle.centre = kini_add(kini_sub(thing->p, near->origin), kini_sub(shape->centre, near->solid.centre));
    piece->obstacle.half = kini_add(shape->half, near->solid.half);
    piece->obstacle.radius = shape->radius + near->solid.radius;
    piece->obstacle.sum = NULL;
    world->solids.at[near->count].radius = shape->radius;
    world->solids.at[near->count].hull = NULL;
    near->sensors += (thing->flags & KINI_SENSOR) != 0;
    near->count++;
    return true;
}

/* The pieces of the thing at the cursor, from the part cursor on; false if there was no room for all. */
static bool kini_emit(kin_world *world, kini_near *near) {
    uint32_t          slot = (uint32_t)world->found.at[near->cursor];
    const kini_thing *thing = &world->things.at[slot];
    kini_frame        frame;
    if (kini_emit_box(world, near, slot)) return true;
    frame = kini_frame_of(world, near, slot);
    if (kini_is_tiles(thing)) return kini_emit_tiles(world, near, &frame);
    if (kini_is_mesh(thing)) return kini_emit_mesh(world, near, &frame);
    kini_emit_shape(world, near, &frame);
    return true;
}

static bool kini_near_fill(kin_world *world, kini_near *near) {
    near->count = near->sensors = 0;
    near->lot.built++;
    near->lot.thing = near->cursor;
    near->lot.part = near->part_cursor;
    while (near->cursor < near->found && near->count < KINI_MAX_NEAR && kini_emit(world, near)) {
        near->cursor++;
        near->part_cursor = 0;
    }
    return near->count > 0;
}

KINI_PART bool kini_near_first(kin_world *world, kini_near *near) {
    if (near->whole) return near->count > 0;
    near->cursor = near->part_cursor = 0;
    kini_near_fill(world, near);
    near->whole = near->cursor >= near->found;
    return near->count > 0;
}

KINI_PART bool kini_near_next(kin_world *world, kini_near *near) {
    return !near->whole && kini_near_fill(world, near);
}

/* A search within a search leaves the outer one at another batch. */
KINI_PART void kini_near_again(kin_world *world, kini_near *near, kini_lot before) {
    if (near->whole) return;
    near->cursor = before.thing;
    near->part_cursor = before.part;
    kini_near_fill(world, near);
    near->within += near->lot.built - before.built;
}

/* Is the body deep in so many pieces of the level that no way out will be found? Only if they do not fit one batch. */
KINI_PART uint32_t kini_buried_in(kin_world *world, kini_near *near) {
    float   deep = -KINI_BURIED * near->solid.width;
    kin_vec normal;
    int     i, batch = 0, count = 0;
    bool    more = kini_near_first(world, near);
    for (; more && !near->whole && batch < KINI_BURIED_BATCHES; batch++, more = kini_near_next(world, near))
        for (i = 0; i < near->count; i++) {
            const kini_piece *piece = &world->pieces.at[i];
            if (piece->flags & (KINI_SENSOR | KINI_ONE_WAY | KINI_PIECE_MOVER | KINI_PIECE_BODY)) continue;
            if (kini_obstacle_gap(&piece->obstacle, kini_vec_zero(), &normal) < deep && ++count >= KINI_MAX_NEAR)
                return piece->slot;
        }
    return 0;
}

/* ==== src/weld.c: which faces of a mesh meet, found when its tree is built. ==========================================
   A side of a face is the edge from a corner to the next one, in 2D the corner itself. Its neighbour is the one other
   face with a side that it lies on: the same edge, with points shared or doubled, or a longer one (a T-junction, where
   the longer side stays open). A side of no neighbour, or of more than one, is open. A contact on an edge or a corner
   counts only if no neighbour reaches further along its normal: flat and hollow edges never do, convex ones between the
   normals of their faces. A fold that is hollow on one side is convex on the other. */

enum { KINI_MOST_AROUND = 64 };                /* faces near one corner; among more all sides are open */

static kin_vec kini_corner(const kini_web *web, int32_t face, int i) {
    return web->points[web->corners[face * KINI_DIM + i % KINI_DIM]];
}

KINI_PART void kini_web_face(const kini_web *web, int32_t face, kin_vec *points) {
    int i;
    for (i = 0; i < KINI_DIM; i++) points[i] = kini_corner(web, face, i);
}

/* Which corner of a face is at this place; -1: none. */
static int kini_corner_at(const kini_web *web, int32_t face, kin_vec place) {
    int i = KINI_DIM - 1;
    while (i >= 0 && !kini_is_zero(kini_sub(kini_corner(web, face, i), place))) i--;
    return i;
}

/* Finds the neighbour of a side; gives the least cosine to faces where it begins, -1 if open or on a longer one. */
static float kini_weld_side(const kini_web *web, const kini_tree *tree, int32_t number, int i) {
    kini_face *face = &web->faces[number];
    kin_vec    p = kini_corner(web, number, i), q = kini_corner(web, number, i + 1);
    float      slack = KINI_ON_LINE * kini_len(kini_sub(q, p)) + 4 * kini_ulp(kini_largest(kini_magnitudes(p)));
    float      least = 1;
    int32_t    around[KINI_MOST_AROUND];
    int        k, side, met = 0, count = kini_tree_collect(tree, kini_sub(p, kini_all(slack)),
                                                           kini_add(p, kini_all(slack)), around, KINI_MOST_AROUND);
    face->beyond[i] = -1;
    if (count > KINI_MOST_AROUND) return -1;
    for (k = 0; k < count; k++) {
        int at = kini_corner_at(web, around[k], p), end = KINI_DIM == 3 ? kini_corner_at(web, around[k], q) : 0;
        if (around[k] == number || at < 0) continue;
        least = kini_lesser(least, kini_dot(face->normal, web->faces[around[k]].normal));
        if (end < 0) continue;
        face->beyond[i] = web->corners[around[k] * KINI_DIM + (KINI_DIM == 3 ? 3 - at - end : 1 - at)];
        met++;
    }
    if (met == 1) return least;
    for (k = met > 0 || KINI_DIM == 2 ? count : 0; k < count; k++)
        for (side = 0; side < 3 && around[k] != number; side++) {
            kin_vec a = kini_corner(web, around[k], side), b = kini_corner(web, around[k], side + 1);
            if (kini_greater(kini_distance_to_segment(p, a, b), kini_distance_to_segment(q, a, b)) > slack) continue;
            face->beyond[i] = web->corners[around[k] * KINI_DIM + (side + 2) % KINI_DIM];
            met++;
        }
    if (met != 1) face->beyond[i] = -1;
    return -1;
}

/* First all normals, then what meets. */
KINI_PART void kini_weld(const kini_web *web, const kini_tree *tree) {
    int32_t k;
    int     i;
    for (k = 0; k < tree->leaves.count; k++) {
        kini_face *face = &web->faces[tree->leaves.at[k].item];
        kin_vec    points[KINI_DIM], lo, hi;
        kini_web_face(web, tree->leaves.at[k].item, points);
        kini_points_box(points, KINI_DIM, &lo, &hi);
        face->normal = kini_unit(kini_face_normal(points));
        face->level = kini_dot(face->normal, points[0]);
        for (i = 0; i < KINI_DIM; i++) {
            face->sides[i] = kini_unit(kini_over_side(points, face->normal, i));
            face->ends[i] = kini_dot(face->sides[i], points[i]);
        }
        face->lean = kini_face_width2(points) > KINI_FACE_POOR2 * kini_len2(kini_sub(hi, lo));
    }
    for (k = 0; k < tree->leaves.count; k++) {
        int32_t number = tree->leaves.at[k].item;
        float   least = 1;
        for (i = 0; i < KINI_DIM; i++) least = kini_lesser(least, kini_weld_side(web, tree, number, i));
        if (least > 0) web->faces[number].lean *= kini_lesser(kini_sqrt(1 - least * least) + 2 * KINI_FLAT_FOLD, 1);
    }
}

/* Does the neighbour over a side reach as far along the normal as the point p of the side, or nearly? */
static bool kini_reaches_out(const kini_web *web, int32_t face, int side, kin_vec p, kin_vec along, kin_vec normal) {
    int32_t beyond = web->faces[face].beyond[side];
    kin_vec to;
    if (beyond < 0) return false;
    to = kini_across(kini_sub(web->points[beyond], p), along);
    return kini_dot(to, normal) > -KINI_FLAT_FOLD * kini_len(to);
}

/* Does a neighbour hide the edge or corner of a face that has this normal, in the mesh's axes? */
KINI_PART bool kini_is_inner_edge(const kini_web *web, int32_t face, kin_vec normal) {
    kin_vec p, edge;
    int     i, best = 0, end, side;
    for (i = 1; i < KINI_DIM; i++)
        if (kini_dot(kini_sub(kini_corner(web, face, i), kini_corner(web, face, best)), normal) > 0) best = i;
    p = kini_corner(web, face, best);
    if (KINI_DIM == 2) return kini_reaches_out(web, face, best, p, kini_vec_zero(), normal);
    end = best + 1;
    side = best + 2;
    if (kini_dot(kini_sub(kini_corner(web, face, side), kini_corner(web, face, end)), normal) > 0) end = side;
    edge = kini_sub(kini_corner(web, face, end), p);
    side %= 3;
    if (-kini_dot(edge, normal) <= KINI_TIE * kini_len(edge))
        return kini_reaches_out(web, face, end == best + 1 ? best : side, p, kini_unit(edge), normal);
    return kini_reaches_out(web, face, best, p, kini_vec_zero(), normal) ||
           kini_reaches_out(web, face, side, p, kini_vec_zero(), normal);
}

/* ==== src/mesh.c: surfaces made of segments (2D) or triangles (3D), called faces here. ===============================
   Points, corners, neighbours (weld.c) and a tree over the faces' boxes are blocks in arrays of the world. A face is a
   piece without an inside. Points may be shared, doubled, or lie on the edge of another face. Contacts with an edge
   that another face covers are recognised where they would be noted (surface.c): by neighbours, or by search. */

static const kini_mesh *kini_mesh_of(const kin_world *world, const kini_thing *thing) {
    return &world->meshes.at[world->statics.at[thing->row].level];
}

KINI_PART void kini_level_bounds(const kin_world *world, const kini_thing *thing, kin_vec *lo, kin_vec *hi) {
    const kini_grid *grid = kini_is_tiles(thing) ? kini_grid_of(world, thing) : NULL;
    *lo = grid ? kini_vec_zero() : kini_mesh_of(world, thing)->lo;
    *hi = grid ? kini_cell_corner(grid, grid->size, 0) : kini_mesh_of(world, thing)->hi;
}

static kini_tree kini_mesh_tree(const kin_world *world, const kini_mesh *mesh) {
    kini_tree tree;
    kini_clear(&tree, sizeof tree);
    tree.nodes.at = world->mesh_nodes.at + mesh->nodes;
    tree.nodes.count = tree.nodes.capacity = mesh->node_count;
    tree.leaves.at = world->mesh_leaves.at + mesh->leaves;
    tree.leaves.count = tree.leaves.capacity = mesh->leaf_count;
    return tree;
}

static kini_web kini_web_of(const kin_world *world, const kini_mesh *mesh) {
    kini_web web;
    web.points = world->mesh_points.at + mesh->points;
    web.corners = world->mesh_corners.at + mesh->corners;
    web.faces = world->mesh_faces.at + mesh->corners / KINI_DIM;
    return web;
}

static kini_web kini_web_at(const kin_world *world, uint32_t slot) {
    return kini_web_of(world, kini_mesh_of(world, &world->things.at[slot]));
}

/* The same for a piece that is a face, and a normal in the world's axes. */
KINI_PART bool kini_is_inner(const kin_world *world, const kini_piece *piece, kin_vec normal) {
    kini_web web = kini_web_at(world, piece->slot);
    return kini_is_inner_edge(&web, piece->part, kini_unrotate(piece->turn, normal));
}

/* ---- adding ------------------------------------------------------------------------------------------------------ */
/* Is it wider than rounding? */
static bool kini_has_extent(const kini_web *web, int32_t face) {
    kin_vec points[KINI_DIM], lo, hi;
    float   thin;
    kini_web_face(web, face, points);
    kini_points_box(points, KINI_DIM, &lo, &hi);
    thin = kini_greater(kini_len2(kini_sub(hi, lo)) * KINI_FACE_THIN2, KINI_SMALLEST_SHAPE * KINI_SMALLEST_SHAPE);
    return kini_face_width2(points) > thin;
}

static void kini_face_box(const void *context, int32_t face, kin_vec *lo, kin_vec *hi) {
    kin_vec points[KINI_DIM];
    kini_web_face((const kini_web *)context, face, points);
    kini_points_box(points, KINI_DIM, lo, hi);
}

/* Lists the faces that have an extent behind those of other meshes, and finds the box around them. */
static void kini_list_faces(kin_world *world, kini_mesh *mesh, const kini_web *web) {
    kin_vec lo, hi;
    int32_t face;
    mesh->leaves = world->mesh_leaves.count;
    mesh->leaf_count = 0;
    for (face = 0; face < mesh->face_count; face++) {
        if (!kini_has_extent(web, face)) continue;
        kini_face_box(web, face, &lo, &hi);
        mesh->lo = mesh->leaf_count > 0 ? kini_lower(mesh->lo, lo) : lo;
        mesh->hi = mesh->leaf_count > 0 ? kini_upper(mesh->hi, hi) : hi;
        world->mesh_leaves.at[mesh->leaves + mesh->leaf_count++].item = face;
    }
}

static void kini_grow_tree(kin_world *world, kini_mesh *mesh) {
    kini_web  web = kini_web_of(world, mesh);
    kini_tree tree;
    mesh->nodes = world->mesh_nodes.count;
    mesh->node_count = 0;
    tree = kini_mesh_tree(world, mesh);
    tree.nodes.capacity = world->mesh_nodes.capacity - mesh->nodes;
    kini_tree_build(&tree, kini_face_box, &web);
    mesh->node_count = tree.nodes.count;
    world->mesh_nodes.count += mesh->node_count;
    world->mesh_leaves.count += mesh->leaf_count;
    world->mesh_faces.count = world->mesh_corners.count / KINI_DIM;
    kini_weld(&web, &tree);
}

/* Of all meshes, after points and corners were loaded. */
KINI_PART void kini_rebuild_trees(kin_world *world) {
    int32_t i;
    world->mesh_nodes.count = world->mesh_leaves.count = 0;
    for (i = 0; i < world->meshes.count; i++) {
        kini_mesh *mesh = &world->meshes.at[i];
        kini_web   web = kini_web_of(world, mesh);
        if (mesh->slot == 0) continue;
        kini_list_faces(world, mesh, &web);
        kini_grow_tree(world, mesh);
    }
}

#ifndef KINEMATIC_NO_MESH
static bool kini_check_mesh(const kin_world *world, const char *call, const kin_mesh_desc *desc) {
    int i;
    if (!kini_check_pointer(world, call, "points", desc->points)) return false;
    if (!kini_check_pointer(world, call, "indices", desc->indices)) return false;
    if (desc->point_count < 1) return kini_refuse_range(world, call, "point_count", desc->point_count, 1, 1, "");
    if (desc->index_count < KINI_DIM)
        return kini_refuse_range(world, call, "index_count", desc->index_count, KINI_DIM, KINI_DIM, "");
    if (desc->index_count % KINI_DIM)
        return kini_refuse_number(world, call, "index_count", "leaves an unfinished face", (float)desc->index_count);
    for (i = 0; i < desc->point_count; i++)
        if (!kini_check_vec(world, call, "points", desc->points[i], KINI_FURTHEST)) return false;
    for (i = 0; i < desc->index_count; i++)
        if (desc->indices[i] < 0 || desc->indices[i] >= desc->point_count)
            return kini_refuse_number(world, call, "indices", "name a point that is not there",
                                      (float)desc->indices[i]);
    return true;
}

static uint64_t kini_mesh_key(const kin_mesh_desc *desc) {
    uint64_t key = (uint64_t)(uint32_t)desc->index_count;
    int      i, axis;
    for (i = 0; i < desc->point_count; i++)
        for (axis = 0; axis < KINI_DIM; axis++)
            key = (key ^ kini_float_bits(kini_at(desc->points[i], axis))) * 0x9E3779B97F4A7C15u;
    for (i = 0; i < desc->index_count; i++) key = (key ^ (uint32_t)desc->indices[i]) * 0x9E3779B97F4A7C15u;
    return key ^ key >> 29;
}

static void kini_fill_mesh(kin_world *world, kini_mesh *mesh, const kin_mesh_desc *desc) {
    int32_t i;
    mesh->points = world->mesh_points.count;
    mesh->point_count = desc->point_count;
    mesh->corners = world->mesh_corners.count;
    mesh->key = kini_mesh_key(desc);
    world->mesh_points.count += desc->point_count;
    world->mesh_corners.count += desc->index_count;
    for (i = 0; i < desc->point_count; i++) world->mesh_points.at[mesh->points + i] = desc->points[i];
    for (i = 0; i < desc->index_count; i++) world->mesh_corners.at[mesh->corners + i] = desc->indices[i];
}

KIN_API kin_id kin_add_mesh(kin_world *world, const kin_mesh_desc *desc) {
    const char *call = "kin_add_mesh";
    kini_entry  entry;
    kini_mesh   mesh;
    kini_web    web;
    kini_counts counts;
    kini_static *fixed;
    kin_id      id;
    if (!kini_check_world(world, call) || !kini_check_pointer(world, call, "desc", desc)) return kini_nobody();
    if (!kini_check_mesh(world, call, desc)) return kini_nobody();
    if (!kini_check_finite(world, call, "surface_velocity", desc->surface_velocity)) return kini_nobody();
    if (!kini_check_entry(world, call, kini_pose(desc->position, desc->rotation), desc->layer, desc->mask, desc->user,
                          &entry) || !kini_check_attach(world, call, desc->attach, &entry)) return kini_nobody();
    kini_set_flag(&entry.thing, KINI_SENSOR, desc->sensor);
    kini_set_flag(&entry.thing, KINI_ONE_WAY, desc->one_sided);
    kini_set_flag(&entry.thing, KINI_CONVEYOR, !kini_is_zero(desc->surface_velocity));
    counts = kini_counts_now(world, NULL);
    kini_count_row(world, &counts, KINI_SAVES_MESHES);
    counts.rows[KINI_SAVES_POINTS] += desc->point_count;
    counts.rows[KINI_SAVES_CORNERS] += desc->index_count;
    if (!kini_check_room(world, call, &counts)) return kini_nobody();
    kini_clear(&mesh, sizeof mesh);
    kini_clear(&web, sizeof web);
    mesh.face_count = desc->index_count / KINI_DIM;
    web.points = desc->points;
    web.corners = desc->indices;
    kini_list_faces(world, &mesh, &web);
    if (mesh.leaf_count == 0) {
        kini_refuse(world, call, "indices", "name no face that has an extent");
        return kini_nobody();
    }
    mesh.slot = kini_enter_level(world, call, &entry, mesh.lo, mesh.hi, KINI_SAVES_MESHES);
    if (!mesh.slot) return kini_nobody();
    kini_fill_mesh(world, &mesh, desc);
    kini_grow_tree(world, &mesh);
    fixed = &world->statics.at[world->things.at[mesh.slot].row];
    fixed->surface.velocity = kini_limit_speed(world, desc->surface_velocity);
    world->meshes.at[fixed->level] = mesh;
    id = kini_id_of(world, mesh.slot);
    if (mesh.face_count > mesh.leaf_count)   /* said last: on_log may add and remove, this mesh too */
        kini_refuse_number(world, call, "indices", "name faces without extent; so many are left out:",
                           (float)(mesh.face_count - mesh.leaf_count));
    return id;
}
#endif

/* ---- giving back ------------------------------------------------------------------------------------------------- */
KINI_PART void kini_forget_mesh(kin_world *world, int32_t row) {
    kini_mesh gone = world->meshes.at[row];
    int32_t   i, corners = gone.face_count * KINI_DIM;
    kini_cut_rows(&world->mesh_points, sizeof *world->mesh_points.at, gone.points, gone.point_count);
    kini_cut_rows(&world->mesh_corners, sizeof *world->mesh_corners.at, gone.corners, corners);
    kini_cut_rows(&world->mesh_faces, sizeof *world->mesh_faces.at, gone.corners / KINI_DIM, gone.face_count);
    kini_cut_rows(&world->mesh_nodes, sizeof *world->mesh_nodes.at, gone.nodes, gone.node_count);
    kini_cut_rows(&world->mesh_leaves, sizeof *world->mesh_leaves.at, gone.leaves, gone.leaf_count);
    for (i = 0; i < world->meshes.count; i++) {
        kini_mesh *mesh = &world->meshes.at[i];
        if (mesh->points > gone.points) mesh->points -= gone.point_count;
        if (mesh->corners > gone.corners) mesh->corners -= corners;
        if (mesh->nodes > gone.nodes) mesh->nodes -= gone.node_count;
        if (mesh->leaves > gone.leaves) mesh->leaves -= gone.leaf_count;
    }
    kini_give_row(world, KINI_SAVES_MESHES, row);
}

/* ---- faces ------------------------------------------------------------------------------------------------------- */
/* A face along the world's axes, relative to `origin`, and the solid that it is. */
typedef struct kini_placed {
    kin_vec    points[KINI_DIM], normal, sides[KINI_DIM];
    kini_solid solid;
} kini_placed;

static void kini_place_face(const kini_web *web, const kini_frame *frame, int32_t number, kin_vec origin,
                            kini_placed *out) {
    const kini_face *face = &web->faces[number];
    const int32_t   *corners = web->corners + number * KINI_DIM;
    kin_vec          lo, hi;
    int              i;
    for (i = 0; i < KINI_DIM; i++) out->points[i] = kini_frame_point(frame, web->points[corners[i]], origin);
    for (i = 0; i < KINI_DIM && frame->turned; i++) out->sides[i] = kini_rotate(frame->at.q, face->sides[i]);
    out->normal = frame->turned ? kini_rotate(frame->at.q, face->normal) : face->normal;
    out->solid.points = out->points;
    out->solid.count = KINI_DIM;
    out->solid.hull = NULL;
    out->solid.radius = 0;
    out->solid.face = face->lean > 0 ? out->normal : kini_vec_zero();
    out->solid.sides = frame->turned ? out->sides : face->sides;
    if (KINI_DIM == 3) return;
    kini_points_box(out->points, KINI_DIM, &lo, &hi);
    out->solid.centre = kini_scale(kini_add(lo, hi), 0.5f);
    out->solid.half = kini_scale(kini_sub(hi, lo), 0.5f);
    if (!(kini_smallest(out->solid.half) > 0)) out->solid.count = 0;   /* along an axis it is a flat box */
}

/* A body as the faces of a mesh see it. */
typedef struct kini_seen {
    kin_vec middle, half;    /* box around all places of its core, relative to the mesh along the world's axes; */
    float   radius, blur;
    int     tall;            /* ... its longest side */
    kin_vec centre, start;   /* middle of the core, from the body's place; from the mesh, where it is now */
    kin_vec ahead;           /* of kini_near; with the margin of a sweep, and the least way into a plane that counts */
    float   margin, faint;
    bool    turned, placed;
    kini_piece piece;        /* what all of them have in common, if `placed` */
#if KINI_DIM == 3
    kini_sum      core;      /* ... its part of all sums, */
    kini_obstacle box;       /* ... and the box around it */
#endif
} kini_seen;

static void kini_see_body(const kin_world *world, const kini_near *near, const kini_frame *frame, kini_seen *at) {
    kin_vec far = kini_add(kini_upper(near->hi, kini_neg(near->lo)), kini_magnitudes(frame->at.p)), up;
    int     i;
    at->radius = near->solid.radius;
    at->blur = KINI_FAR_ULPS * kini_ulp(kini_largest(far));
    at->middle = kini_sub(kini_scale(kini_add(near->lo, near->hi), 0.5f), frame->at.p);
    at->half = kini_sub(kini_scale(kini_sub(near->hi, near->lo), 0.5f), kini_all(at->radius));
    at->half = kini_upper(at->half, kini_vec_zero());
    for (at->tall = 0, i = 1; i < KINI_DIM; i++) if (kini_at(at->half, i) > kini_at(at->half, at->tall)) at->tall = i;
    at->turned = !kini_is_unturned(near->turn);
    at->centre = at->turned ? kini_rotate(near->turn, near->solid.centre) : near->solid.centre;
    at->placed = false;
    at->start = at->ahead = kini_vec_zero();
    at->margin = at->faint = 0;
    if (!near->planned) return;
    up = world->bodies.at[world->things.at[near->slot].row].up;
    at->start = kini_sub(kini_add(near->origin, at->centre), frame->at.p);
    at->ahead = kini_scale(kini_unit(kini_across(near->way, up)), near->ahead);
    at->margin = 2 * kini_skin_at(world, near->origin);
    at->faint = 0.5f * KINI_FAINT * kini_largest(kini_magnitudes(near->way));
}

/* How far the core reaches along this direction. */
static inline float kini_core_reach(const kini_near *near, const kini_seen *at, kin_vec n) {
    return kini_dot(kini_magnitudes(at->turned ? kini_unrotate(near->turn, n) : n), near->solid.half);
}

/* Does the body stay off the plane of a face, as kini_meet_piece would find, on all of its planned motion? */
static inline bool kini_face_is_passed(const kini_face *face, kin_vec n, const kini_near *near, const kini_seen *at) {
    float off = kini_dot(n, at->start) - face->level, side = off < 0 ? -1.0f : 1.0f;
    float way = side * kini_dot(n, near->way), ahead = side * kini_dot(n, at->ahead);
    float room = side * off - kini_core_reach(near, at, n) - at->radius - 2 * at->blur;
    if (way < -at->faint && !(room + way > at->margin)) return false;
    return room + kini_lesser(way, 0) > 0 && room + way + kini_lesser(ahead, 0) > 0;
}

/* Is the body beside the plane of a face, or beyond a side by more than a normal that counts leans? Only what is near
   the plane can touch: with the side leant by its slope, the height of the box says nothing. */
static inline bool kini_face_misses(const kini_face *face, kin_vec n, const kini_frame *frame, const kini_seen *at) {
    kin_vec side;
    float   off = kini_dot(n, at->middle) - face->level, room, rise, steep, beyond, slope;
    int     i;
    if (kini_abs(off) > KINI_PLANE_SLACK * (kini_dot(kini_magnitudes(n), at->half) + at->radius) + at->blur)
        return true;
    room = face->lean * at->radius + at->blur;
    rise = kini_at(n, at->tall);
    steep = kini_abs(rise) < KINI_HARDLY ? 0 : 1 / rise;
    for (i = 0; i < KINI_DIM && face->lean > 0; i++) {
        side = frame->turned ? kini_rotate(frame->at.q, face->sides[i]) : face->sides[i];
        beyond = kini_dot(side, at->middle) - face->ends[i] - room;
        if (beyond > kini_dot(kini_magnitudes(side), at->half)) return true;
        slope = kini_at(side, at->tall) * steep;
        beyond -= slope * off + kini_abs(slope) * at->radius;
        if (beyond > kini_dot(kini_magnitudes(kini_madd(side, n, -slope)), at->half)) return true;
    }
    return false;
}

static void kini_emit_face(kin_world *world, kini_near *near, const kini_frame *frame, const kini_web *web,
                           int32_t face, uint32_t flags, kini_seen *at) {
    kini_placed placed;
    kini_piece *piece = &world->pieces.at[near->count];
    kini_sum   *room = &world->sums.at[near->count];
    bool        flat = KINI_DIM == 3 && near->solid.count == 0 && web->faces[face].lean > 0;
    if (at->placed) *piece = at->piece;
    else at->piece = *kini_piece_begin(world, near, frame, flags);
    kini_place_face(web, frame, face, near->origin, &placed);
#if KINI_DIM == 3
    if (!at->placed) kini_sum_begin(&at->core, &near->solid, near->turn, &at->box);
    if (flat) kini_sum_face(&piece->obstacle, room, &placed.solid, &near->solid, &at->core, &at->box);
#endif
    if (!flat)
        kini_obstacle_make(&piece->obstacle, room, &placed.solid, kini_pose(kini_vec_zero(), kini_unturned()),
                           &near->solid, near->turn);
    at->placed = true;
    piece->part = face;
    piece->face = placed.normal;
    if (flags & KINI_ONE_WAY) piece->one_way = piece->face;
    piece->level = kini_dot(piece->face, kini_sub(placed.points[0], at->centre));
    piece->reach = kini_core_reach(near, at, piece->face) + near->solid.radius;
    if (flags == 0 && !frame->moves) near->count++;
    else kini_piece_end(world, near, frame, piece);
}

/* Faces near a box are wanted in ascending order; the list serves all batches. */
KINI_PART bool kini_emit_mesh(kin_world *world, kini_near *near, const kini_frame *frame) {
    kini_tree      tree = kini_mesh_tree(world, kini_mesh_of(world, &world->things.at[frame->slot]));
    const int32_t *faces = world->faces.at;
    kini_web       web = kini_web_at(world, frame->slot);
    uint32_t       flags = (uint32_t)(world->things.at[frame->slot].flags & (KINI_SENSOR | KINI_ONE_WAY));
    bool           planned = near->planned && !frame->moves && !(flags & KINI_SENSOR);
    kini_seen      at;
    kin_vec        lo, hi;
    int            i;
    kini_see_body(world, near, frame, &at);
    kini_near_box(world, near, frame, &lo, &hi);
    if (world->faces_of != frame->slot || !kini_is_zero(kini_sub(world->faces_lo, lo)) ||
        !kini_is_zero(kini_sub(world->faces_hi, hi))) {
        world->faces.count = kini_tree_collect(&tree, lo, hi, world->faces.at, world->faces.capacity);
        world->faces_of = frame->slot;
        world->faces_lo = lo;
        world->faces_hi = hi;
    }
    for (i = 0; i < world->faces.count && faces[i] < near->part_cursor;) i++;
    for (; i < world->faces.count && near->count < KINI_MAX_NEAR; i++) {
        const kini_face *face = &web.faces[faces[i]];
        kin_vec          n = frame->turned ? kini_rotate(frame->at.q, face->normal) : face->normal;
        if (planned && kini_face_is_passed(face, n, near, &at)) near->passed = true;
        else if (frame->moves || !kini_face_misses(face, n, frame, &at))
            kini_emit_face(world, near, frame, &web, faces[i], flags, &at);
    }
    if (i < world->faces.count) near->part_cursor = faces[i];
    return i == world->faces.count;
}

KINI_PART kin_vec kini_mesh_touch(const kin_world *world, uint32_t slot, int32_t part, const kini_solid *body,
                                  kin_pose at, kin_vec normal) {
    kini_frame  frame = kini_frame_still(world, slot);
    kin_vec     half, foot = kini_foot(body, at, normal, &half);
    kini_placed face;
    kini_web    web = kini_web_at(world, slot);
    if (part < 0) return foot;   /* in a made-up snapshot */
    kini_place_face(&web, &frame, part, foot, &face);
    return kini_closest_on(&face.solid, kini_pose(foot, kini_unturned()), foot, normal);
}

/* ---- questions --------------------------------------------------------------------------------------------------- */
typedef struct kini_mesh_ask { kini_ask *ask; kini_frame frame; } kini_mesh_ask;

static float kini_face_visit(void *context, int32_t face) {
    kini_mesh_ask *it = (kini_mesh_ask *)context;
    kini_ask      *ask = it->ask;
    kini_web       web = kini_web_at(ask->world, it->frame.slot);
    kini_placed    placed;
    kini_piece     piece;
    kini_sum       room;
    kini_place_face(&web, &it->frame, face, ask->at.p, &placed);
    kini_obstacle_make(&piece.obstacle, &room, &placed.solid, kini_pose(kini_vec_zero(), kini_unturned()), ask->solid,
                       ask->at.q);
    piece.part = face;
    piece.hidden = 0;
    piece.one_way = placed.normal;
    kini_ask_piece(ask, &piece, ask->world->things.at[it->frame.slot].flags);
    return ask->found ? ask->hit.t + KINI_SAME_MOMENT : 1;
}

KINI_PART void kini_ask_mesh(kini_ask *ask, uint32_t slot) {
    kini_tree     tree = kini_mesh_tree(ask->world, kini_mesh_of(ask->world, &ask->world->things.at[slot]));
    kini_mesh_ask it;
    kin_vec       lo, hi;
    it.ask = ask;
    it.frame = kini_frame_still(ask->world, slot);
    kini_ask_box(ask, &lo, &hi);
    kini_frame_box(&it.frame, lo, hi, &lo, &hi);
    kini_tree_visit(&tree, lo, hi, kini_unrotate(it.frame.at.q, ask->travel), kini_face_visit, &it);
}

KINI_PART void kini_mesh_walk(const kin_world *world, uint32_t slot, kini_face_fn *visit, void *context) {
    const kini_mesh *mesh = kini_mesh_of(world, &world->things.at[slot]);
    kini_frame       frame = kini_frame_still(world, slot);
    kini_web         web = kini_web_of(world, mesh);
    int32_t          i;
    for (i = 0; i < mesh->leaf_count; i++) {
        kini_placed face;
        kini_place_face(&web, &frame, world->mesh_leaves.at[mesh->leaves + i].item, kini_vec_zero(), &face);
        visit(context, face.points);
    }
}

#ifndef KINEMATIC_NO_MESH
KIN_API int kin_get_mesh(const kin_world *world, kin_id mesh, kin_vec *points, int point_capacity, int *point_count,
                         int *indices, int index_capacity) {
    const char      *call = "kin_get_mesh";
    uint32_t         slot = kini_check_kind(world, call, "mesh", mesh, KIN_STATIC);
    const kini_mesh *row;
    kini_web         web;
    int32_t          i, k, corner = 0;
    if (!slot || !kini_check_list(world, call, points, point_capacity)) return 0;
    if (!kini_check_list(world, call, indices, index_capacity)) return 0;
    if (world->things.at[slot].form != KINI_FORM_MESH) {
        kini_refuse_id(world, call, "mesh", "is not a mesh", mesh);
        return 0;
    }
    row = kini_mesh_of(world, &world->things.at[slot]);
    web = kini_web_of(world, row);
    if (point_count) *point_count = row->point_count;
    for (i = 0; i < row->point_count && i < point_capacity; i++) points[i] = web.points[i];
    for (i = 0; i < row->face_count; i++)
        for (k = 0; k < KINI_DIM && kini_has_extent(&web, i); k++, corner++)
            if (corner < index_capacity) indices[corner] = web.corners[i * KINI_DIM + k];
    return corner / KINI_DIM;
}
#endif

/* ==== src/oneway.c: which side of a one-way blocks, and dropping through it ======================================= */
/* `normal` points from the piece to the body. */
/* A one-way blocks a body that was beyond its outward face at x, before the motion. */
KINI_PART bool kini_one_way_blocks(const kini_piece *piece, kin_vec x, kin_vec normal) {
    kin_vec out = piece->one_way;
    return kini_dot(normal, out) > KINI_GRAZING &&
           kini_dot(x, out) >= kini_obstacle_extent(&piece->obstacle, out) - piece->slop;
}

/* The same for a motion from outside, along `way`. Near the end of a tilted platform a corner of the body is below the
   face before anything touches: the body is then taken back along the face's normal, by at most half its width. */
KINI_PART bool kini_one_way_stops(const kini_piece *piece, kin_vec x, kin_vec way, kin_vec normal) {
    float against = -kini_dot(way, piece->one_way);
    if (against > 0) x = kini_madd(x, piece->one_way, piece->deep * against);
    return kini_one_way_blocks(piece, x, normal);
}

/* The same for a body that overlaps it at x and was at `before`; not if it came in by another side. */
KINI_PART bool kini_one_way_holds(const kini_piece *piece, kin_vec before, kin_vec x, kin_vec normal) {
    kin_vec met;
    float   t;
    if (!kini_one_way_blocks(piece, before, normal)) return false;
    if (!kini_obstacle_ray(&piece->obstacle, before, kini_sub(x, before), &t, &met) || !(t > 0)) return true;
    return kini_one_way_blocks(piece, before, met);
}

/* ---- dropping through -------------------------------------------------------------------------------------------- */
/* May a body that falls through one thing pass this other one with it? A floor that keeps its height beside it is
   passed, unless it has caught the body since: a lift may come up to where the fall began. */
static bool kini_goes_along(const kin_world *world, const kini_body *body, const kini_piece *piece) {
    kin_vec from = body->start.p, rate;
    if (!kini_is_live(world, body->drops_through) || body->stand.id.slot == piece->slot) return false;
    rate = kini_sub(kini_rate_at(world, piece->slot, from), kini_rate_at(world, body->drops_through.slot, from));
    if (kini_abs(kini_dot(rate, piece->one_way)) > KINI_SAME_RATE * world->desc.unit) return false;
    return kini_dot(piece->one_way, body->up) >= body->stable_cos;
}

/* Does the body fall through this one-way: did it stand on it, or was it already below, when it began to? Of a row of
   platforms it stood on all that are flush. */
KINI_PART bool kini_is_dropped(const kin_world *world, const kini_near *near, const kini_piece *piece) {
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

KIN_API bool kin_drop_through(kin_world *world, kin_id body) {
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

/* ==== src/surface.c: with which of its surfaces a piece collides. ====================================================
   Not with those that its grid hides, nor with an edge that a neighbour covers. Of one-ways: oneway.c. */

/* The normal of the face of a box or hull that is nearest to this one. */
static kin_vec kini_face_towards(const kini_solid *solid, kin_rot turn, kin_vec normal) {
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
KINI_PART kin_vec kini_outward_face(const kini_solid *solid, kin_rot turn, kin_vec out) {
    bool    round = !solid->hull && !(kini_smallest(solid->half) > 0);
    kin_vec best = round ? out : kini_face_towards(solid, turn, out);
    return kini_dot(best, out) >= 0.5f ? best : out;
}

/* the grid goes on beyond that side */
KINI_PART bool kini_is_hidden(const kini_piece *piece, kin_vec normal) {
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

/* Those kini_obstacle_ways that count for a body that was at `start`. */
KINI_PART int kini_piece_ways(const kini_piece *piece, kin_vec x, kin_vec start, kini_way *ways, int capacity) {
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
KINI_PART void kini_inner_normal(const kini_piece *piece, kin_vec x, kin_vec *normal) {
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
KINI_PART kin_vec kini_nearest_face(const kin_world *world, int index, kin_vec normal) {
    const kini_piece *piece = &world->pieces.at[index];
    const kini_solid *solid = &world->solids.at[index];
    if (!kini_is_zero(piece->face)) return kini_scale(piece->face, kini_dot(piece->face, normal) < 0 ? -1.0f : 1.0f);
    return solid->radius > 0 ? kini_vec_zero() : kini_face_towards(solid, piece->turn, normal);
}

KINI_PART bool kini_is_edge_normal(const kin_world *world, int index, kin_vec normal) {
    kin_vec face = kini_nearest_face(world, index, normal);
    return !kini_is_zero(face) && kini_dot(face, normal) <= KINI_SAME_FACE;
}

/* How far along `out` the point lies that a body at x touches with this normal. */
static float kini_level_of(const kini_near *near, kin_vec x, kin_vec normal, float gap, kin_vec out) {
    kin_vec half, foot = kini_foot(&near->solid, kini_pose(x, near->turn), normal, &half);
    return kini_dot(kini_madd(foot, normal, -gap), out);
}

/* Does piece i keep a body at x from an edge `gap` away? It is in between, or its face is flush with the edge. */
static bool kini_covers(const kin_world *world, const kini_near *near, int i, const kini_obstacle *edge, kin_vec x,
                        kin_vec normal, float gap) {
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
                            float gap) {
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
                               float gap) {
    kini_sum       *sum = world->pieces.at[index].obstacle.sum;
    kini_gap_known *asked = sum && sum->asked.known ? &sum->asked : NULL;
    if (!kini_is_edge_normal(world, index, normal)) return false;
    if (!asked || !kini_is_zero(kini_sub(x, asked->x)) || !kini_is_zero(kini_sub(normal, asked->normal)))
        return kini_find_cover(world, near, index, x, normal, gap);
    if (asked->covered == 0) asked->covered = kini_find_cover(world, near, index, x, normal, gap) ? 1 : -1;
    return asked->covered > 0;
}

/* ==== src/place.c: small tools of the stages: where a body is within the step, how fast a surface moves =========== */
KINI_PART void kini_call_control(kin_world *world, int32_t control, uint32_t slot) {
    if (control < 0) return;
    world->in_callback = true;
    world->controls.at[control](world, kini_id_of(world, slot), world->dt, world->users.at[slot]);
    world->in_callback = false;
}

/* the same for one that keeps its turn */
KINI_PART void kini_go(kin_world *world, uint32_t slot, kin_vec p) {
    kini_thing *thing = &world->things.at[slot];
    kini_body  *body = &world->bodies.at[thing->row];
    bool        same = kini_is_zero(kini_sub(p, thing->p));
    thing->p = p;
    kini_thing_bounds(world, thing, kini_pose(p, thing->q), &thing->lo, &thing->hi);
    if (same || world->joining != KINI_WISHED) return;
    body->calm = false;
    if (world->idle_count > 0) kini_watch(world, thing->row, kini_sub(body->start.p, p));
}

/* Pose and bounds; the tree follows in stage 10. */
KINI_PART void kini_shift(kin_world *world, uint32_t slot, kin_vec p, kin_rot q) {
    kini_thing *thing = &world->things.at[slot];
    bool        faces = kini_same_rot(q, thing->q);
    thing->q = q;
    kini_go(world, slot, p);
    if (faces) return;
    world->kept.at[thing->row].open = 0;   /* which is that of the shape as it was turned */
    if (world->joining != KINI_WISHED) return;
    world->bodies.at[thing->row].calm = false;
    kini_watch(world, thing->row, kini_sub(world->bodies.at[thing->row].start.p, p));
}

/* In which riders keep their place: of the mover it is part of, or its own. */
KINI_PART kin_pose kini_carrier_pose(const kin_world *world, const kini_thing *thing) {
    if (thing->flags & KINI_ATTACHED) thing = &world->things.at[world->statics.at[thing->row].attach.slot];
    return kini_pose(thing->p, thing->q);
}

/* The body that a body stands on, or NULL. */
KINI_PART const kini_body *kini_carrier(const kin_world *world, const kini_body *body) {
    const kini_thing *under = &world->things.at[body->stand.id.slot];
    bool              carries = kini_stands(body) && under->kind == KIN_BODY && kini_is_live(world, body->stand.id);
    return carries ? &world->bodies.at[under->row] : NULL;
}

/* stages 4 to 9 may be run again */
KINI_PART void kini_backup(kin_world *world, const kini_body *body) {
    kini_backup_row *row = &world->backup.at[world->things.at[body->slot].row];
    kini_copy(row, (const char *)body + offsetof(kini_body, velocity), sizeof *row);
}

/* How fast a point of the thing itself moves. */
KINI_PART kin_vec kini_rate_at(const kin_world *world, uint32_t slot, kin_vec point) {
    const kini_thing *thing = &world->things.at[slot];
    int32_t           row = kini_mover_row(world, thing);
    kin_vec           v = kini_vec_zero();
    if (row >= 0) {
        const kini_mover *mover = &world->movers.at[row];
        v = kini_add(mover->rate,
                     kini_spin_velocity(mover->turn_rate, kini_sub(point, world->things.at[mover->slot].p)));
    }
    if (thing->kind == KIN_BODY) {
        const kini_body *body = &world->bodies.at[thing->row];
        v = world->stage < 4 ? body->motion : kini_scale(kini_sub(thing->p, body->start.p), 1 / world->dt);
    }
    return v;
}

/* Where a point of a thing, given by where it was at the start of the step, has come to. */
KINI_PART kin_vec kini_point_now(const kin_world *world, uint32_t slot, kin_vec point) {
    if (kini_mover_row(world, &world->things.at[slot]) < 0) return point;
    return kini_to_world(kini_pose_at(world, slot, 1), kini_to_local(kini_pose_at(world, slot, 0), point));
}

/* Of the surface, conveyor included. */
KINI_PART kin_vec kini_velocity_at(const kin_world *world, uint32_t slot, int32_t part, kin_vec point) {
    kin_vec v = kini_rate_at(world, slot, point);
    if (world->things.at[slot].flags & KINI_CONVEYOR) v = kini_add(v, kini_surface_velocity(world, slot, part));
    return v;
}

/* Coordinates end at KINI_FURTHEST, so that a saved world can always be loaded again. */
KINI_PART bool kini_limit_place(kin_world *world, kin_vec *p) {
    if (!(kini_largest(kini_magnitudes(*p)) > KINI_FURTHEST)) return false;
    *p = kini_upper(kini_lower(*p, kini_all(KINI_FURTHEST)), kini_all(-KINI_FURTHEST));
    if (!world->reached_limit && world->island == 0)
        kini_refuse_number(world, "kin_world_step", "position", "is at the limit of coordinates, and goes no further",
                           KINI_FURTHEST);
    world->reached_limit = true;
    return true;
}

/* ==== src/wish.c: the displacement that a body wants in a step; of stage 3, and of a body that wakes later ======== */
/* What is left of a mover's motion when a body leaves it. */
KINI_PART void kini_leave_ground(kini_body *body, kin_vec ground_velocity) {
    float rise = kini_dot(ground_velocity, body->up);
    if (body->options.leave == KIN_LEAVE_NONE) return;
    if (body->options.leave == KIN_LEAVE_UP_ONLY && rise < 0) ground_velocity = kini_across(ground_velocity, body->up);
    body->leftover = ground_velocity;
}

/* before stage 4 */
KINI_PART void kini_stand_still(kini_body *body) {
    body->turned_at = body->start.p;
    body->carry = body->pushed = kini_vec_zero();
    body->met = false;
    body->squeezed_in[0] = body->squeezed_in[1] = 0;
    body->pushed_strength = 0;
    body->pushed_by = -1;
    body->land_speed = 0;
}

/* A body that steep ground has stopped slides on, whatever it wants across up: the ground takes that as a wall does.
   The part along up, less this step's gravity, tells how fast it slides; faster than it moved is written anew. */
static void kini_keep_slide(const kin_world *world, kini_body *body) {
    kin_vec gravity, side;
    float   corrected, into;
    if (body->stand.footing != KIN_STEEP || world->things.at[body->stand.id.slot].kind == KIN_BODY) return;
    gravity = kini_scale(kini_gravity_of(world, body), body->options.gravity_scale * world->dt);
    corrected = KINI_SKIN * world->desc.unit / world->dt;   /* of its motion, by stage 8 */
    if (kini_dot(kini_sub(kini_sub(body->velocity, gravity), body->motion), body->up) < -corrected) return;
    into = kini_speed_into_ground(body) + kini_dot(gravity, body->stand.normal);
    side = kini_across(body->stand.normal, body->up);
    if (into > KINI_SLOW * world->desc.unit)
        body->velocity = kini_madd(body->velocity, side, into / kini_len2(side));
}

/* A walker that a step up took ahead walks that much less, until it turns, stops or leaves its ground. */
static void kini_spend_lead(const kin_world *world, kini_body *body) {
    float lead = kini_is_zero(body->lead) ? 0 : kini_len(body->lead), way;
    if (!(lead > 0)) return;
    way = kini_lesser(kini_dot(body->wish, body->lead) / lead, lead);
    if (body->stand.footing != KIN_STABLE || body->jumps || !(way > 0)) { body->lead = kini_vec_zero(); return; }
    body->wish = kini_madd(body->wish, body->lead, -way / lead);
    if (kini_len(body->wish) < KINI_CARRIED * world->desc.unit) body->wish = kini_vec_zero();   /* rounding */
    body->lead = kini_scale(body->lead, 1 - way / lead);
}

/* On stable ground the velocity has no part along up, unless it leaves the ground. */
KINI_PART void kini_wish(kin_world *world, int32_t row) {
    kini_body        *body = &world->bodies.at[row];
    const kini_thing *thing = &world->things.at[body->slot];
    kin_vec           kept = body->keeps ? body->shed : kini_vec_zero();
    body->start = body->drawn = kini_pose(thing->p, thing->q);
    body->jumps = false;
    kini_stand_still(body);
    body->given = kini_add(body->given, kept);
    body->velocity = kini_limit_speed(world, kini_add(body->velocity, kept));
    if ((body->state & KINI_BODY_LETS_GO) && kin_same(body->stand.id, body->drops_through)) {   /* kin_drop_through */
        if (body->stand.footing == KIN_STABLE) kini_leave_ground(body, body->stand.velocity);
        kini_stand_nowhere(body);
    }
    body->state &= ~(uint32_t)KINI_BODY_LETS_GO;
    kini_keep_slide(world, body);
    if (body->stand.footing == KIN_STABLE) {
        body->jumps = kini_dot(body->velocity, body->up) > KINI_LEAST_JUMP * world->desc.unit;
        if (!body->jumps) body->velocity = kini_flat(body->velocity, body->up);
    } else if (body->options.leftover_fade > 0)
        body->leftover = kini_scale(body->leftover, kini_power(1 - body->options.leftover_fade, world->dt));
    body->wish = kini_scale(kini_limit_speed(world, kini_add(body->velocity, body->leftover)), world->dt);
    kini_spend_lead(world, body);
}

/* ==== src/cells.c: the cells of a grid near a body: convex pieces, contacts and casts. ===============================
   Filled cells that mean the same are joined into boxes: as long as possible along x, then as many rows along the last
   axis as are alike. Which of them is touched is found from the body's place. Others, and sensors, are a piece each. */

enum { KINI_LAST_AXIS = KINI_DIM - 1 };
enum { KINI_WIDE_FOOT = 16 };   /* cells from its middle within which the one that a body touches is searched for */

/* The cells of a grid that a box meets. */
typedef struct kini_patch {
    const kin_world  *world;
    const kini_grid  *grid;
    const kini_frame *frame;
    kin_cell          lo, hi;   /* first and last one along each axis */
    bool              apart;    /* none are joined */
} kini_patch;

/* Cells that make one piece. */
typedef struct kini_run {
    kin_cell         lo, hi;
    const kini_tile *tile;
} kini_run;

/* ---- cells in a box ---------------------------------------------------------------------------------------------- */
static kini_patch kini_patch_whole(const kin_world *world, const kini_frame *frame) {
    kini_patch patch;
    patch.world = world;
    patch.grid = kini_grid_of(world, &world->things.at[frame->slot]);
    patch.frame = frame;
    patch.apart = false;
    patch.lo = patch.hi = patch.grid->size;
    return patch;
}

/* Those of them that a box in the grid's own axes meets; false if there are none. */
static bool kini_patch_clip(kini_patch *patch, kin_vec lo, kin_vec hi) {
    const kini_grid *grid = patch->grid;
    int              axis;
    for (axis = 0; axis < KINI_DIM; axis++) {
        int   most = kini_cell_at(grid->size, axis) - 1, last = most;
        float from = kini_at(lo, axis) / grid->cell, to = kini_at(hi, axis) / grid->cell;
        if (!(to >= 0) || !(from <= (float)most + 1)) return false;
        if (to < (float)most) last = (int)to;
        from = kini_clamp(from, 0, (float)most);
        patch->lo = kini_cell_with(patch->lo, axis, (int)from);
        patch->hi = kini_cell_with(patch->hi, axis, last);
    }
    return true;
}

/* The cell after this one in lo..hi, x fastest; false after the last. */
KINI_PART bool kini_next_cell(kin_cell *cell, kin_cell lo, kin_cell hi) {
    int axis;
    for (axis = 0; axis < KINI_DIM; axis++) {
        if (kini_cell_at(*cell, axis) < kini_cell_at(hi, axis)) {
            *cell = kini_cell_with(*cell, axis, kini_cell_at(*cell, axis) + 1);
            return true;
        }
        *cell = kini_cell_with(*cell, axis, kini_cell_at(lo, axis));
    }
    return false;
}

static kin_cell kini_beside(kin_cell cell, int axis, int by) {
    return kini_cell_with(cell, axis, kini_cell_at(cell, axis) + by);
}

/* ---- joining ----------------------------------------------------------------------------------------------------- */
/* The outward direction of a one-way tile: the grid's axis nearest to up; of equal ones, or without up, y. */
KINI_PART kin_vec kini_tile_outward(const kin_world *world, const kini_tile *tile, kin_rot turn) {
    kin_vec up = kini_unrotate(turn, world->up), size = kini_magnitudes(up);
    int     axis, best = 1;
    if (!(tile->flags & KINI_TILE_UP)) return tile->one_way;
    for (axis = 0; axis < KINI_DIM; axis++)
        if (kini_at(size, axis) > kini_at(size, best)) best = axis;
    return kini_with(kini_vec_zero(), best, kini_at(up, best) < 0 ? -1.0f : 1.0f);
}

/* May a cell of the patch and its neighbour along this axis be one piece? One-way tiles above each other are two. */
static bool kini_joins(const kini_patch *patch, const kini_tile *a, kin_cell cell, int axis) {
    const kini_tile *b = kini_inner_tile(patch->world, patch->grid, cell);
    if (!b || a->shape >= 0 || b->shape >= 0 || (a->flags & KINI_SENSOR)) return false;
    if (a->flags == KINI_TILE_FILLED && b->flags == KINI_TILE_FILLED) return true;
    if (a != b) return false;
    return !(a->flags & KINI_ONE_WAY) ||
           !(kini_abs(kini_at(kini_tile_outward(patch->world, a, patch->frame->at.q), axis)) > KINI_NEGLIGIBLE);
}

/* The end, up to `last`, of the equal cells along x that begin with this one. */
static int kini_equal_until(const kini_patch *patch, kin_cell cell, int last) {
    const uint8_t *at = &patch->world->cells.at[patch->grid->cells + kini_cell_number(patch->grid, cell)], *end = at;
    for (last -= cell.x; last > 0 && end[1] == *at; last--) end++;
    return cell.x + (int)(end - at);
}

/* Does row `row` along the last axis join the same cells? */
static bool kini_row_is_alike(const kini_patch *patch, const kini_run *run, int row) {
    kin_cell cell = kini_cell_with(run->lo, KINI_LAST_AXIS, row);
    for (; cell.x <= run->hi.x; cell.x = kini_equal_until(patch, cell, run->hi.x) + 1)
        if (!kini_joins(patch, run->tile, cell, KINI_LAST_AXIS)) return false;
    cell.x = run->lo.x - 1;
    if (cell.x >= patch->lo.x && kini_joins(patch, run->tile, cell, 0)) return false;
    cell.x = run->hi.x + 1;
    return cell.x > patch->hi.x || !kini_joins(patch, run->tile, cell, 0);
}

/* Makes the run as large as possible; false if it is part of one that began in an earlier row. */
static bool kini_join_run(const kini_patch *patch, kini_run *run) {
    int row = kini_cell_at(run->lo, KINI_LAST_AXIS);
    while (run->hi.x < patch->hi.x && kini_joins(patch, run->tile, kini_beside(run->hi, 0, 1), 0))
        run->hi.x = kini_equal_until(patch, kini_beside(run->hi, 0, 1), patch->hi.x);
    if (row > kini_cell_at(patch->lo, KINI_LAST_AXIS) && kini_row_is_alike(patch, run, row - 1)) return false;
    while (row < kini_cell_at(patch->hi, KINI_LAST_AXIS) && kini_row_is_alike(patch, run, row + 1)) row++;
    run->hi = kini_cell_with(run->hi, KINI_LAST_AXIS, row);
    return true;
}

/* Cell number `number` of the patch; false if it has fewer. */
static bool kini_patch_cell(const kini_patch *patch, int number, kin_cell *cell) {
    int axis;
    *cell = patch->lo;
    for (axis = 0; axis < KINI_DIM; axis++) {
        int length = kini_cell_at(patch->hi, axis) - kini_cell_at(patch->lo, axis) + 1;
        *cell = kini_beside(*cell, axis, number % length);
        number /= length;
    }
    return number == 0;
}

/* The next run from cell number *cursor of the patch on. */
static bool kini_next_run(const kini_patch *patch, int *cursor, kini_run *run) {
    kin_cell cell;
    bool     more = kini_patch_cell(patch, *cursor, &cell);
    for (; more; (*cursor)++, more = kini_next_cell(&cell, patch->lo, patch->hi)) {
        bool fresh;
        run->tile = kini_inner_tile(patch->world, patch->grid, cell);
        if (!run->tile) continue;
        run->lo = run->hi = cell;
        fresh = run->tile->shape >= 0 || patch->apart || kini_join_run(patch, run);
        *cursor += run->hi.x - cell.x;
        cell.x = run->hi.x;
        if (!fresh) continue;
        (*cursor)++;
        return true;
    }
    return false;
}

/* ---- sides that neighbours hide ---------------------------------------------------------------------------------- */
static int kini_side_corners(const kini_patch *patch, const kini_tile *tile, int side, kin_vec *out) {
    kini_solid solid = kini_stored_solid(patch->world, tile->shape);
    float      least = 0.5f * patch->grid->cell * (1 - KINI_SAME_CORNER);
    int        i, kept = 0, count = kini_solid_corners(&solid, kini_unturned(), out);
    for (i = 0; i < count; i++)
        if (kini_at(out[i], side / 2) * (side & 1 ? 1.0f : -1.0f) > least) out[kept++] = out[i];
    return kept;
}

/* Does the neighbour's face, a rectangle along the axes or equal, cover the tile's? Both are smaller than the side. */
static bool kini_face_within(const kini_patch *patch, const kini_tile *tile, const kini_tile *other, int side) {
    kin_vec mine[KIN_MAX_POINTS], theirs[KIN_MAX_POINTS], lo, hi;
    float   slack = KINI_SAME_CORNER * patch->grid->cell;
    int     i, k, axis = side / 2, count = kini_side_corners(patch, tile, side, mine);
    int     others = kini_side_corners(patch, other, side ^ 1, theirs);
    bool    within = others >= KINI_MAX_CORNERS / 2, equal = true;
    kini_points_box(theirs, others, &lo, &hi);
    for (i = 0; i < others; i++)
        for (k = 0; k < KINI_DIM; k++) {
            float p = kini_at(theirs[i], k);
            if (k != axis && p > kini_at(lo, k) + slack && p < kini_at(hi, k) - slack) within = false;
        }
    for (i = 0; i < count; i++) {
        kin_vec off = kini_upper(kini_sub(lo, mine[i]), kini_sub(mine[i], hi));
        bool    shared = false;
        for (k = 0; k < others; k++)
            shared |= kini_largest(kini_magnitudes(kini_with(kini_sub(theirs[k], mine[i]), axis, 0))) <= slack;
        if (kini_largest(kini_with(off, axis, 0)) > slack) within = false;
        equal &= shared;
    }
    return within || equal;
}

static bool kini_hides(const kini_patch *patch, const kini_tile *tile, const kini_tile *other, int side) {
    if (!other || (other->flags & (KINI_SENSOR | KINI_ONE_WAY))) return false;
    if (other->covers >> (side ^ 1) & 1) return true;
    if (tile->shape < 0 || !(other->faces >> (side ^ 1) & 1)) return false;
    return kini_face_within(patch, tile, other, side);
}

static uint32_t kini_hidden_sides(const kini_patch *patch, const kini_run *run) {
    uint32_t hidden = 0;
    int      side;
    if (run->tile->flags & (KINI_SENSOR | KINI_ONE_WAY)) return 0;
    for (side = 0; side < KINI_SIDES; side++) {
        int      axis = side / 2, end = kini_cell_at(side & 1 ? run->hi : run->lo, axis), by = side & 1 ? 1 : -1;
        kin_cell lo = kini_cell_with(run->lo, axis, end), hi = kini_cell_with(run->hi, axis, end), cell = lo;
        bool     all = (run->tile->faces >> side & 1) != 0, more = all;
        for (; all && more; more = kini_next_cell(&cell, lo, hi))
            all = kini_hides(patch, run->tile, kini_grid_tile(patch->world, patch->grid, kini_beside(cell, axis, by)),
                             side);
        if (all) hidden |= 1u << side;
    }
    return hidden;
}

/* ---- pieces ------------------------------------------------------------------------------------------------------ */
/* The solid of a run, and its place relative to `origin`. */
static kini_solid kini_run_solid(const kini_patch *patch, const kini_run *run, kin_vec origin, kin_pose *at) {
    const kini_frame *frame = patch->frame;
    kini_solid        solid;
    kin_vec           lo = kini_cell_corner(patch->grid, run->lo, 0), hi = kini_cell_corner(patch->grid, run->hi, 1);
    at->q = frame->at.q;
    if (run->tile->shape >= 0) {
        at->p = kini_frame_point(frame, kini_cell_corner(patch->grid, run->lo, 0.5f), origin);
        return kini_stored_solid(patch->world, run->tile->shape);
    }
    kini_clear(&solid, sizeof solid);
    if (frame->turned) {
        at->p = kini_frame_point(frame, kini_scale(kini_add(lo, hi), 0.5f), origin);
    } else {
        lo = kini_frame_point(frame, lo, origin);
        hi = kini_frame_point(frame, hi, origin);
        at->p = kini_scale(kini_add(lo, hi), 0.5f);
    }
    solid.half = kini_scale(kini_sub(hi, lo), 0.5f);
    return solid;
}

/* The piece of a run, grown by the body's solid, relative to the body's place; `solid` and `room` hold its data. */
static void kini_run_piece(const kini_patch *patch, const kini_run *run, const kini_solid *body, kin_pose body_at,
                           uint32_t hidden, kini_solid *solid, kini_sum *room, kini_piece *piece) {
    kin_pose at;
    *solid = kini_run_solid(patch, run, body_at.p, &at);
    kini_obstacle_make(&piece->obstacle, room, solid, at, body, body_at.q);
    piece->part = kini_cell_number(patch->grid, run->lo);
    piece->turn = at.q;
    piece->hidden = hidden;
    if (run->tile->flags & KINI_ONE_WAY)
        piece->one_way = kini_outward_face(solid, at.q,
                                           kini_rotate(at.q, kini_tile_outward(patch->world, run->tile, at.q)));
}

KINI_PART bool kini_emit_tiles(kin_world *world, kini_near *near, const kini_frame *frame) {
    kini_patch patch = kini_patch_whole(world, frame);
    kini_run   run;
    kin_vec    lo, hi;
    kini_near_box(world, near, frame, &lo, &hi);
    if (!kini_patch_clip(&patch, lo, hi)) return true;
    while (near->count < KINI_MAX_NEAR) {
        kini_piece *piece;
        if (!kini_next_run(&patch, &near->part_cursor, &run)) return true;
        piece = kini_piece_begin(world, near, frame, run.tile->flags & (KINI_SENSOR | KINI_ONE_WAY));
        kini_run_piece(&patch, &run, &near->solid, kini_pose(near->origin, near->turn), kini_hidden_sides(&patch, &run),
                       &world->solids.at[near->count], &world->sums.at[near->count], piece);
        kini_piece_end(world, near, frame, piece);
    }
    return false;
}

/* ---- which cell is touched --------------------------------------------------------------------------------------- */
/* Of the cells joined with this part that are under the body's foot, which may be thousands, the one nearest to the
   foot's middle. */
KINI_PART int32_t kini_tiles_part(const kin_world *world, uint32_t slot, int32_t part, const kini_solid *body,
                                  kin_pose at, kin_vec normal) {
    const kini_tile *tile = kini_tile_of(world, &world->things.at[slot], part);
    kini_frame       frame = kini_frame_still(world, slot);
    kini_patch       patch = kini_patch_whole(world, &frame);
    kin_vec          half, foot, near, lo, hi, wide = kini_all((float)KINI_WIDE_FOOT * patch.grid->cell);
    kin_cell         cell, best = kini_numbered_cell(patch.grid, part);
    float            least = KINI_FLT_MAX;
    if (!tile || tile->shape >= 0 || (tile->flags & KINI_SENSOR)) return part;
    foot = kini_foot(body, at, normal, &half);
    foot = kini_madd(foot, normal, -kini_lesser(0.5f * patch.grid->cell, 2 * kini_touch_at(world, foot)));
    kini_frame_box(&frame, kini_sub(foot, half), kini_add(foot, half), &lo, &hi);
    foot = kini_scale(kini_add(lo, hi), 0.5f);
    near = kini_lower(kini_upper(foot, kini_vec_zero()), kini_cell_corner(patch.grid, patch.grid->size, 0));
    if (!kini_patch_clip(&patch, kini_upper(lo, kini_sub(near, wide)), kini_lower(hi, kini_add(near, wide))))
        return part;
    cell = patch.lo;
    do {
        kin_vec before = kini_sub(kini_cell_corner(patch.grid, cell, 0), foot);
        kin_vec beyond = kini_sub(foot, kini_cell_corner(patch.grid, cell, 1));
        float   away = kini_len2(kini_upper(kini_upper(before, beyond), kini_vec_zero()));
        if (!(away < least) || !kini_joins(&patch, tile, cell, 0)) continue;
        least = away;
        best = cell;
    } while (kini_next_cell(&cell, patch.lo, patch.hi));
    return kini_cell_number(patch.grid, best);
}

/* The solid of a cell, and its place relative to `origin`. */
KINI_PART kini_solid kini_cell_solid(const kin_world *world, uint32_t slot, int32_t part, kin_vec origin, kin_pose *at)
{
    kini_frame frame = kini_frame_still(world, slot);
    kini_patch patch = kini_patch_whole(world, &frame);
    kini_run   run;
    run.tile = kini_tile_of(world, &world->things.at[slot], part);
    run.lo = run.hi = kini_numbered_cell(patch.grid, part);
    return kini_run_solid(&patch, &run, origin, at);
}

/* Where a body touches a part of a level. */
KINI_PART kin_vec kini_tiles_touch(const kin_world *world, uint32_t slot, int32_t part, const kini_solid *body,
                                   kin_pose at, kin_vec normal) {
    kini_solid solid;
    kin_vec    half, foot = kini_foot(body, at, normal, &half);
    kin_pose   place;
    if (!kini_tile_of(world, &world->things.at[slot], part)) return foot;
    solid = kini_cell_solid(world, slot, part, foot, &place);
    place.p = kini_add(place.p, foot);
    return kini_closest_on(&solid, place, foot, normal);
}

/* ---- questions --------------------------------------------------------------------------------------------------- */
/* The part of a box's way in which it and a grid of this size can meet, in the grid's axes; false if there is none. */
static bool kini_clip_cast(kin_vec lo, kin_vec hi, kin_vec way, kin_vec size, float *enter, float *leave) {
    int axis;
    *enter = 0;
    *leave = 1;
    for (axis = 0; axis < KINI_DIM; axis++) {
        float v = kini_at(way, axis), first = -kini_at(hi, axis), last = kini_at(size, axis) - kini_at(lo, axis);
        if (!(kini_abs(v) > 0)) {
            if (first > 0 || last < 0) return false;
            continue;
        }
        *enter = kini_greater(*enter, kini_lesser(first / v, last / v));
        *leave = kini_lesser(*leave, kini_greater(first / v, last / v));
    }
    return *enter <= *leave;
}

static bool kini_is_between(kin_cell cell, kin_cell lo, kin_cell hi) {
    int axis = 0;
    while (axis < KINI_DIM && kini_cell_at(cell, axis) >= kini_cell_at(lo, axis) &&
           kini_cell_at(cell, axis) <= kini_cell_at(hi, axis)) axis++;
    return axis == KINI_DIM;
}

/* Goes along the travel one cell's length after the other: a long ray looks at few cells, each in at most two steps. */
KINI_PART void kini_ask_tiles(kini_ask *ask, uint32_t slot) {
    kini_frame frame = kini_frame_still(ask->world, slot);
    kini_patch patch = kini_patch_whole(ask->world, &frame);
    kin_cell   first = patch.lo, last = first;   /* of the patch before */
    kin_vec    lo, hi, way = kini_unrotate(frame.at.q, ask->travel);
    float      enter, leave, cell = patch.grid->cell;
    int        steps, i, cursor;
    kini_ask_box(ask, &lo, &hi);
    kini_frame_box(&frame, lo, hi, &lo, &hi);
    if (!kini_clip_cast(lo, hi, way, kini_cell_corner(patch.grid, patch.grid->size, 0), &enter, &leave)) return;
    steps = 1 + (int)(kini_largest(kini_magnitudes(way)) * (leave - enter) / cell);
    patch.apart = ask->apart;
    for (i = 0; i < steps; i++) {
        float      from = enter + (leave - enter) * (float)i / (float)steps;
        float      to = enter + (leave - enter) * (float)(i + 1) / (float)steps;
        kin_vec    a = kini_scale(way, from), b = kini_scale(way, to), room = kini_all(KINI_NEGLIGIBLE * cell);
        kini_run   run;
        kini_piece piece;
        kini_sum   sum;
        kini_solid stored;
        if (ask->found && ask->hit.t < from) return;
        if (!kini_patch_clip(&patch, kini_sub(kini_add(lo, kini_lower(a, b)), room),
                             kini_add(kini_add(hi, kini_upper(a, b)), room))) continue;
        for (cursor = 0; kini_next_run(&patch, &cursor, &run);) {
            if ((run.tile->flags & ask->skip) || (ask->apart && kini_is_between(run.lo, first, last))) continue;
            kini_clear(&piece, sizeof piece);
            kini_run_piece(&patch, &run, ask->solid, ask->at, ask->sides ? kini_hidden_sides(&patch, &run) : 0,
                           &stored, &sum, &piece);
            kini_ask_piece(ask, &piece, run.tile->flags);
        }
        first = patch.lo;
        last = patch.hi;
    }
}

KINI_PART void kini_tiles_walk(const kin_world *world, uint32_t slot, kini_solid_fn *visit, void *context) {
    kini_frame frame = kini_frame_still(world, slot);
    kini_patch patch = kini_patch_whole(world, &frame);
    kini_run   run;
    int        cursor = 0;
    kini_patch_clip(&patch, kini_vec_zero(), kini_cell_corner(patch.grid, patch.grid->size, 0));
    while (kini_next_run(&patch, &cursor, &run)) {
        kin_pose   at;
        kini_solid solid = kini_run_solid(&patch, &run, kini_vec_zero(), &at);
        visit(context, &solid, at, run.tile->flags);
    }
}

/* ==== src/contacts.c: what each body touches in this step. ===========================================================
   A contact is noted when something was hit or separated in the step, when a sensor was crossed, or when something
   is within the touch margin at its end. Each body has room for max_contacts, of which the ground's is always
   kept, and for max_sensor_contacts, of which those that last are kept. Each sensor cell is a contact. */

/* The first one with this partner: its sensor cell, or -1; NULL: none. */
KINI_PART const kini_contact *kini_find_contact(const kini_contact *list, int32_t count, kin_id other, int32_t cell) {
    int32_t i;
    for (i = 0; i < count; i++)
        if (kin_same(list[i].other, other) && kini_cell_of(&list[i]) == cell) return &list[i];
    return NULL;
}

/* Does it touch, within the slop, and hold? */
KINI_PART bool kini_is_flush(const kin_world *world, int32_t row, const kini_contact *contact) {
    uint32_t flags = contact->flags & (KINI_CONTACT_SENSOR | KINI_CONTACT_TOUCH);
    kin_vec  at = world->things.at[world->bodies.at[row].slot].p;
    return flags == KINI_CONTACT_TOUCH && contact->gap <= kini_slop_at(world, at);
}

/* contacts that last */
KINI_PART bool kini_reports(const kin_world *world, const kini_body *body, kin_id other) {
    const kini_thing *thing = &world->things.at[other.slot];
    return body->options.report_continued ||
           (thing->kind == KIN_BODY && world->bodies.at[thing->row].options.report_continued);
}

/* The same surface of the same thing. Two bodies, which are convex, touch in one place; so does a sensor. */
static bool kini_alike(const kin_world *world, const kini_contact *a, const kini_contact *b) {
    if (!kin_same(a->other, b->other)) return false;
    return world->things.at[a->other.slot].kind == KIN_BODY ||
           (a->part == b->part && ((a->flags & KINI_CONTACT_SENSOR) ||
            kini_dot(a->normal, b->normal) > KINI_SAME_SIDE));
}

/* The contact of a body that this one would be merged with or stored in; NULL if there is no room for it. */
static kini_contact *kini_contact_place(const kin_world *world, int32_t row, const kini_contact *contact) {
    const kini_body *body = &world->bodies.at[row];
    kini_contact    *list = kini_contacts_of(world, row);
    bool             sensor = (contact->flags & KINI_CONTACT_SENSOR) != 0;
    int32_t          i, room = sensor ? world->desc.max_sensor_contacts : world->desc.max_contacts;
    for (i = 0; i < body->contact_count; i++) {
        if (kini_alike(world, &list[i], contact)) return &list[i];
        room -= ((list[i].flags & KINI_CONTACT_SENSOR) != 0) == sensor;
    }
    return room > 0 ? &list[body->contact_count] : NULL;
}

/* Forgets what a body touches of one thing, or of one cell of it. */
static void kini_contact_drop(kin_world *world, int32_t row, uint32_t other, int32_t cell) {
    kini_body    *body = &world->bodies.at[row];
    kini_contact *list = kini_contacts_of(world, row);
    int32_t       i, kept = 0;
    for (i = 0; i < body->contact_count; i++)
        if (list[i].other.slot != other || kini_cell_of(&list[i]) != cell) list[kept++] = list[i];
    body->contact_count = kept;
}

/* its partner */
KINI_PART bool kini_finds(const kini_contact *list, int32_t count, const kini_contact *contact) {
    return kini_find_contact(list, count, contact->other, kini_cell_of(contact)) != NULL;
}

/* since the last step */
KINI_PART bool kini_lasts(const kin_world *world, int32_t row, const kini_contact *contact) {
    return kini_finds(kini_last_contacts_of(world, row), world->bodies.at[row].last_count, contact);
}

/* Is it the contact of a body with its ground, or with a body that stands on it? */
static bool kini_contact_bears(const kin_world *world, int32_t row, const kini_contact *contact) {
    const kini_thing   *other = &world->things.at[contact->other.slot];
    const kini_contact *theirs;
    if (contact->flags & KINI_CONTACT_GROUND) return true;
    if (other->kind != KIN_BODY) return false;
    theirs = kini_find_contact(kini_contacts_of(world, other->row), world->bodies.at[other->row].contact_count,
                               kini_id_of(world, world->bodies.at[row].slot), -1);
    return theirs && (theirs->flags & KINI_CONTACT_GROUND);
}

/* Drops the last contact of a full list that is a new sensor's, or bears nobody; of two bodies, off both lists. */
static bool kini_make_room(kin_world *world, int32_t row, uint32_t sensor) {
    const kini_contact *list = kini_contacts_of(world, row);
    kini_contact        gone;
    int32_t             i = world->bodies.at[row].contact_count;
    do {
        if (--i < 0) return false;
        gone = list[i];
    } while ((gone.flags & KINI_CONTACT_SENSOR) != sensor ||
             (sensor ? kini_lasts(world, row, &gone) : kini_contact_bears(world, row, &gone)));
    kini_contact_drop(world, row, gone.other.slot, kini_cell_of(&gone));
    if (world->things.at[gone.other.slot].kind == KIN_BODY)
        kini_contact_drop(world, world->things.at[gone.other.slot].row, world->bodies.at[row].slot, -1);
    return true;
}

/* Room for a contact in a list, NULL if there is none and none can be made: only a ground, and a sensor that was there
   in the last step, drive out others. A contact without room is emitted by a later step: the body is not at rest. */
static kini_contact *kini_contact_fit(kin_world *world, int32_t row, const kini_contact *contact, bool ground) {
    kini_contact *place = kini_contact_place(world, row, contact);
    uint32_t      sensor = contact->flags & KINI_CONTACT_SENSOR;
    if (place) return place;
    world->overflowed = true;
    world->bodies.at[row].calm = false;
    if (!(sensor ? kini_lasts(world, row, contact) : ground) || !kini_make_room(world, row, sensor)) return NULL;
    return kini_contact_place(world, row, contact);
}

/* Removes contacts without a BEGAN from a list. */
KINI_PART void kini_drop_fresh(kini_contact *list, int32_t *count) {
    int32_t i, kept = 0;
    for (i = 0; i < *count; i++)
        if (!(list[i].flags & KINI_CONTACT_FRESH)) list[kept++] = list[i];
    *count = kept;
}

/* of the last step, until they are found again */
KINI_PART void kini_hide_contacts(kin_world *world, int32_t row) {
    kini_contact *list = kini_contacts_of(world, row);
    int32_t       i;
    kini_drop_fresh(list, &world->bodies.at[row].contact_count);
    for (i = 0; i < world->bodies.at[row].contact_count; i++)
        list[i].flags &= ~(uint32_t)(KINI_CONTACT_HIT | KINI_CONTACT_TOUCH | KINI_CONTACT_GROUND);
}

/* Stores it at its place in the list, or merges it with what is there. */
static void kini_contact_put(kin_world *world, int32_t row, kini_contact *place, const kini_contact *contact) {
    kini_body   *body = &world->bodies.at[row];
    kini_contact was;
    if (place == kini_contacts_of(world, row) + body->contact_count) {
        *place = *contact;
        if (world->stage < 4) place->flags |= KINI_CONTACT_FRESH;
        body->contact_count++;
        return;
    }
    was = *place;
    if ((contact->flags & KINI_CONTACT_TOUCH) || !(was.flags & KINI_CONTACT_TOUCH)) *place = *contact;
    place->speed = kini_greater(was.speed, contact->speed);
    place->flags = was.flags | contact->flags;
}

/* merges alike */
KINI_PART void kini_contact_note(kin_world *world, int32_t row, const kini_contact *contact) {
    kini_contact *place = kini_contact_fit(world, row, contact, (contact->flags & KINI_CONTACT_GROUND) != 0);
    if (place) kini_contact_put(world, row, place, contact);
}

KINI_PART kin_vec kini_point_on(const kin_world *world, uint32_t slot, int32_t part, const kini_solid *body,
                                kin_pose at, kin_vec normal) {
    const kini_thing *thing = &world->things.at[slot];
    kini_solid        solid;
    if (!(body->reach > 0)) return at.p;
    if (kini_is_tiles(thing)) return kini_tiles_touch(world, slot, part, body, at, normal);
    if (kini_is_mesh(thing)) return kini_mesh_touch(world, slot, part, body, at, normal);
    solid = kini_solid_of(world, thing);
    return kini_touch_point(&solid, kini_pose(thing->p, thing->q), body, at, normal);
}

/* Where a body touches a part of another thing: on that one's surface, or on the body's if it was moved or removed. */
KINI_PART kin_vec kini_meeting_point(const kin_world *world, uint32_t body, uint32_t other, int32_t part,
                                     kin_vec normal) {
    const kini_thing *thing = &world->things.at[body];
    kini_solid        solid = kini_solid_of(world, thing);
    kin_pose          at = kini_pose(thing->p, thing->q);
    kin_vec           half;
    if (world->things.at[other].flags & (KINI_SHIFTED | KINI_REMOVED)) return kini_foot(&solid, at, normal, &half);
    return kini_point_on(world, other, part, &solid, at, normal);
}

/* The part that a body touches: of joined cells that under its foot. */
KINI_PART int32_t kini_touched_part(const kin_world *world, uint32_t body, uint32_t other, int32_t part, kin_vec normal)
{
    const kini_thing *thing = &world->things.at[body];
    kini_solid        solid;
    if (!kini_is_tiles(&world->things.at[other])) return part;
    solid = kini_solid_of(world, thing);
    return kini_tiles_part(world, other, part, &solid, kini_pose(thing->p, thing->q), normal);
}

/* Both bodies know of a contact, or neither does. */
static void kini_note_both(kin_world *world, int32_t row, const kini_contact *contact) {
    int32_t       other = world->things.at[contact->other.slot].row, count;
    kini_contact  theirs = *contact, *mine, *place;
    bool          ground = (contact->flags & KINI_CONTACT_GROUND) != 0;
    theirs.other = kini_id_of(world, world->bodies.at[row].slot);
    theirs.normal = kini_neg(contact->normal);
    theirs.flags &= ~(uint32_t)KINI_CONTACT_GROUND;
    mine = kini_contact_fit(world, row, contact, ground);
    count = world->bodies.at[row].contact_count;
    place = mine ? kini_contact_fit(world, other, &theirs, ground) : NULL;
    if (!place) return;
    if (world->bodies.at[row].contact_count != count) mine = kini_contact_place(world, row, contact);   /* one went */
    kini_contact_put(world, row, mine, contact);
    kini_contact_put(world, other, place, &theirs);
}

/* Approach speed in this step, of a contact that no sweep has hit: it is stopped only in the next one, or a neighbour
   with the same normal has stopped the body before. */
static float kini_approach(const kin_world *world, int32_t row, const kini_contact *contact) {
    const kini_body    *body = &world->bodies.at[row];
    const kini_contact *list = kini_contacts_of(world, row);
    kin_vec point = kini_meeting_point(world, body->slot, contact->other.slot, contact->part, contact->normal);
    kin_vec rate = kini_rate_at(world, contact->other.slot, point);
    float   speed = kini_greater(kini_dot(kini_sub(rate, kini_rate_at(world, body->slot, point)), contact->normal), 0);
    int32_t i;
    for (i = 0; i < body->contact_count; i++)
        if ((list[i].flags & KINI_CONTACT_HIT) && kini_dot(list[i].normal, contact->normal) > KINI_SAME_FACE)
            speed = kini_greater(speed, list[i].speed + kini_dot(kini_sub(rate, kini_rate_at(world, list[i].other.slot,
                                                                                         point)), contact->normal));
    return speed;
}

/* Returns that part. */
KINI_PART int32_t kini_note(kin_world *world, const kini_piece *piece, int32_t row, kin_vec normal, float gap,
                            float speed, uint32_t flags) {
    kini_contact contact;
    contact.other = kini_id_of(world, piece->slot);
    contact.normal = normal;
    contact.gap = gap;
    contact.speed = speed;
    contact.part = kini_touched_part(world, world->bodies.at[row].slot, piece->slot, piece->part, normal);
    contact.flags = flags | (piece->flags & KINI_SENSOR ? (uint32_t)KINI_CONTACT_SENSOR : 0u);
    if (!(flags & KINI_CONTACT_HIT) && !kini_lasts(world, row, &contact))
        contact.speed = kini_approach(world, row, &contact);
    if ((piece->flags & KINI_PIECE_BODY) && world->stage >= 4) kini_note_both(world, row, &contact);
    else kini_contact_note(world, row, &contact);
    return contact.part;
}

KINI_PART void kini_note_body(kin_world *world, int32_t row, uint32_t slot, kin_vec normal, float gap, float speed,
                              uint32_t flags) {
    const kini_thing *self = &world->things.at[world->bodies.at[row].slot], *other = &world->things.at[slot];
    kini_piece        piece;
    piece.part = -1;
    piece.flags = KINI_PIECE_BODY | (uint32_t)((self->flags | other->flags) & KINI_SENSOR);
    piece.slot = slot;
    kini_note(world, &piece, row, normal, gap, speed, flags);
}

/* Everything a slide ran into. */
KINI_PART void kini_note_planes(kin_world *world, int32_t row, const kini_slide *slide, float per_second) {
    kini_piece piece;
    int        i;
    for (i = 0; i < slide->count; i++) {
        const kini_plane *plane = &slide->planes[i];
        piece.slot = plane->slot;
        piece.part = plane->part;
        piece.flags = plane->flags;
        kini_note(world, &piece, row, plane->surface, 0, plane->speed * per_second, KINI_CONTACT_HIT);
    }
}

/* Sensors that the first `part` of a straight motion passes, even if it ends beyond them. */
KINI_PART void kini_note_crossed(kin_world *world, kini_near *near, const kini_probe *probe, float part) {
    int32_t row = world->things.at[near->slot].row;
    bool    more;
    int     i;
    if (near->whole && near->sensors == 0) return;
    for (more = kini_near_first(world, near); more; more = kini_near_next(world, near))
        for (i = 0; i < near->count && near->sensors > 0; i++) {
            const kini_piece *piece = &world->pieces.at[i];
            kin_vec           x = kini_madd(probe->x, piece->move, probe->left), travel = probe->travel, normal;
            float             t;
            if (!(piece->flags & KINI_SENSOR)) continue;
            if (!probe->frozen) travel = kini_madd(travel, piece->move, -probe->left);
            travel = kini_scale(travel, part);
            if (kini_obstacle_ray(&piece->obstacle, x, travel, &t, &normal))
                kini_note(world, piece, row, normal, 0, -kini_dot(travel, normal) / world->dt, KINI_CONTACT_HIT);
        }
}

/* ==== src/query.c: rays, shape casts, overlaps, distances, room. =====================================================
   A cast is a point against each thing grown by the shape that is cast (obstacle.c); a ray casts a shape without
   extent, but with a second look at what it only grazes, so that no ray slips through the seam of two boxes. The
   nearest hit wins, of those it starts in the deepest, of equal ones the lower slot, however the trees came to be.
   What starts inside hits at once, and the normal is then the shortest way out. */

/* ---- one thing --------------------------------------------------------------------------------------------------- */
/* The earlier hit; of two at the start that with the smaller gap there; then the lower number. */
KINI_PART bool kini_is_nearer(const kin_hit *a, float gap, const kin_hit *b, float other) {
    if (a->t < b->t || a->t > b->t) return a->t < b->t;
    if (gap < other || gap > other) return gap < other;
    return a->id.slot != b->id.slot ? a->id.slot < b->id.slot : a->part < b->part;
}

/* A ray is grown by ask->graze, which is taken off again where it meets the surface frontally enough. */
static bool kini_ask_ray(kini_ask *ask, const kini_obstacle *obstacle) {
    kini_obstacle grown = *obstacle;
    kin_hit      *next = &ask->next;
    float         into;
    if (kini_obstacle_ray(obstacle, kini_vec_zero(), ask->travel, &next->t, &next->normal)) return true;
    if (!(ask->graze > 0)) return false;
    grown.radius += ask->graze;
    if (!kini_obstacle_ray(&grown, kini_vec_zero(), ask->travel, &next->t, &next->normal)) return false;
    into = -kini_dot(ask->travel, next->normal);
    if (next->t > 0 && into >= KINI_HARDLY * kini_len(ask->travel))
        next->t = kini_lesser(next->t + ask->graze / into, 1);
    return true;
}

KINI_PART void kini_ask_piece(kini_ask *ask, kini_piece *piece, uint32_t flags) {
    kini_way ways[KINI_MAX_WAYS];
    kin_vec  x = kini_vec_zero(), out;
    piece->slop = KINI_SLOP * ask->world->desc.unit;
    piece->deep = 0.5f * ask->solid->width;
    ask->next.part = piece->part;
    ask->piece = &piece->obstacle;
    if (!ask->casts) ask->next_gap = kini_obstacle_gap(ask->piece, x, &ask->next.normal);
    else if (!kini_ask_ray(ask, ask->piece)) return;
    else ask->next_gap = ask->next.t > 0 ? 0 : kini_obstacle_gap(ask->piece, x, &out);
    if ((flags & KINI_ONE_WAY) && (ask->skip & KINI_OUTWARD_ONLY) &&
        !kini_one_way_stops(piece, x, kini_unit(ask->travel), ask->next.normal)) return;
    if (kini_is_hidden(piece, ask->next.normal) && kini_piece_ways(piece, x, x, ways, KINI_MAX_WAYS) > 0) {
        ask->next.normal = ways[0].axis;
        if (!ask->casts) ask->next_gap = -ways[0].length;
    }
    if (!(ask->found ? kini_is_nearer(&ask->next, ask->next_gap, &ask->hit, ask->gap) : ask->next_gap < ask->gap))
        return;
    if (ask->each && !ask->each(ask)) return;
    ask->found = true;
    ask->hit = ask->next;
    ask->gap = ask->next_gap;
}

KINI_PART void kini_ask_box(const kini_ask *ask, kin_vec *lo, kin_vec *hi) {
    kini_solid_bounds(ask->solid, ask->at, lo, hi);
    *lo = kini_sub(*lo, kini_all(ask->reach));
    *hi = kini_add(*hi, kini_all(ask->reach));
}

static void kini_ask_shape(kini_ask *ask, const kini_thing *thing) {
    kini_solid solid = kini_solid_of(ask->world, thing);
    kini_piece piece;
    kini_sum   room;
    kini_obstacle_make(&piece.obstacle, &room, &solid, kini_pose(kini_sub(thing->p, ask->at.p), thing->q), ask->solid,
                       ask->at.q);
    piece.part = -1;
    piece.hidden = 0;
    if (thing->flags & KINI_ONE_WAY)
        piece.one_way = kini_outward_face(&solid, thing->q, kini_one_way_of(ask->world, ask->next.id.slot));
    kini_ask_piece(ask, &piece, thing->flags);
}

static void kini_ask_more(kini_ask *ask, uint32_t slot) {
    const kini_thing *thing = &ask->world->things.at[slot];
    ask->next.id = kini_id_of(ask->world, slot);
    if (kini_is_tiles(thing)) kini_ask_tiles(ask, slot);
    else if (kini_is_mesh(thing)) kini_ask_mesh(ask, slot);
    else kini_ask_shape(ask, thing);
}

/* is there an answer? */
KINI_PART bool kini_ask_thing(kini_ask *ask, uint32_t slot) {
    ask->found = false;
    ask->gap = ask->limit;
    kini_ask_more(ask, slot);
    return ask->found;
}

/* With its point; of joined cells `part` becomes the one that is met. */
KINI_PART kin_hit kini_full_hit(const kini_ask *ask, kin_hit hit) {
    kin_pose at = kini_pose(kini_madd(ask->at.p, ask->travel, hit.t), ask->at.q);
    if (kini_is_tiles(&ask->world->things.at[hit.id.slot]) && !ask->apart)
        hit.part = kini_tiles_part(ask->world, hit.id.slot, hit.part, ask->solid, at, hit.normal);
    hit.point = kini_point_on(ask->world, hit.id.slot, hit.part, ask->solid, at, hit.normal);
    return hit;
}

KINI_PART kini_ask kini_question(const kin_world *world, const kini_solid *solid, kin_pose at, uint32_t skip) {
    kini_ask ask;
    kini_clear(&ask, sizeof ask);
    ask.world = world;
    ask.solid = solid;
    ask.at = at;
    ask.skip = skip;
    ask.limit = KINI_FLT_MAX;
    return ask;
}

/* Both leave out cells of a grid: sensors, and those that have one of the flags in `skip`. */
KINI_PART bool kini_thing_cast(const kin_world *world, uint32_t slot, const kini_solid *solid, kin_pose from,
                               kin_vec travel, kin_hit *hit) {
    kini_ask ask = kini_question(world, solid, from, KINI_SENSOR);
    ask.travel = travel;
    ask.casts = ask.sides = true;
    if (!kini_ask_thing(&ask, slot)) return false;
    *hit = kini_full_hit(&ask, ask.hit);
    return true;
}

KINI_PART float kini_thing_gap(const kin_world *world, uint32_t slot, const kini_solid *solid, kin_pose at,
                               uint32_t skip) {
    kini_ask ask = kini_question(world, solid, at, skip);
    kini_ask_thing(&ask, slot);
    return ask.gap;
}

/* Bounds, and what rounding may have taken off them. */
KINI_PART void kini_search_box(const kini_solid *solid, kin_pose at, kin_vec *lo, kin_vec *hi) {
    kin_vec slack;
    kini_solid_bounds(solid, at, lo, hi);
    slack = kini_all(2 * kini_ulp(kini_largest(kini_upper(kini_magnitudes(*lo), kini_magnitudes(*hi)))));
    *lo = kini_sub(*lo, slack);
    *hi = kini_add(*hi, slack);
}

/* Visits what may be met, of all kinds up to `last`; the visitor gets the ask. */
KINI_PART void kini_ask_all(kini_ask *ask, int last, kini_visit_fn *visit) {
    kin_vec lo, hi, far = kini_all(ask->reach);
    int     kind;
    kini_search_box(ask->solid, ask->at, &lo, &hi);
    for (kind = KIN_STATIC; kind <= last; kind++)
        kini_tree_visit(&ask->world->trees[kind], kini_sub(lo, far), kini_add(hi, far), ask->travel, visit, ask);
}

/* of the answers about things, the nearest */
KINI_PART void kini_keep_best(kini_ask *ask) {
    if (ask->any && !kini_is_nearer(&ask->hit, ask->gap, &ask->best, ask->best_gap)) return;
    ask->any = true;
    ask->best = ask->hit;
    ask->best_gap = ask->gap;
}

/* ---- many things ------------------------------------------------------------------------------------------------- */
enum { KINI_ROOM_TRIES = 256 };         /* places at which a search for room looks */

typedef struct kini_search {
    kini_ask   ask;                     /* must come first: its `each` and visitors get no other pointer */
    kin_filter filter;
    bool       all, contacts;           /* hits, or else things: all, or else the best; with depths, or else ids */
    float      slack;                   /* a tree may be wrong about where its boxes begin by this part of the travel */
    float      graze;                   /* of a ray: it hits what it misses by this; else 0 */
    void      *out;                     /* where all answers go, */
    int        capacity, found;         /* ... of which so many fit */
    int        way_count;
    kini_way   ways[KINI_MAX_WAYS];     /* out of the deepest piece */
    kini_solid solid;
    kini_hull  room;
} kini_search;

/* The last word of the game about the part that is asked. */
static bool kini_part_taken(kini_ask *ask) {
    const kin_filter *filter = &((kini_search *)ask)->filter;
    return !filter->takes || filter->takes(ask->next.id, ask->next.part, filter->user);
}

/* A kin_contact is a kin_hit with normal and point in the other order, and gap for t: one function lists both. */
typedef char kini_hits_are_contacts[sizeof(kin_hit) == sizeof(kin_contact) && offsetof(kin_hit, t) ==
                                    offsetof(kin_contact, gap) ? 1 : -1];

/* In order of t, or of gaps where they start inside: t is negative there until the end. */
static void kini_list(kini_search *search, kin_hit hit, float gap) {
    int      i = search->found < search->capacity ? search->found : search->capacity;
    kin_hit  full = kini_full_hit(&search->ask, hit), above;
    char    *place = (char *)search->out;
    search->found++;
    if (search->capacity == 0) return;
    hit = full;
    if (!(hit.t > 0)) hit.t = gap;
    if (search->contacts) { hit.point = full.normal; hit.normal = full.point; }
    for (place += (size_t)i * sizeof hit; i > 0; i--, place -= sizeof hit) {
        kini_copy(&above, place - sizeof hit, sizeof above);
        if (!kini_is_nearer(&hit, 0, &above, 0)) break;
        if (i < search->capacity) kini_copy(place, &above, sizeof above);
    }
    if (i < search->capacity) kini_copy(place, &hit, sizeof hit);
}

static bool kini_list_part(kini_ask *ask) {
    if (ask->graze > 0 && !(ask->next.t > 0)) return false;   /* the ray leaves it */
    if (kini_part_taken(ask)) kini_list((kini_search *)ask, ask->next, ask->next_gap);
    return false;
}

/* Of a question about a ray or a shape; `where` names its pose. */
static bool kini_begin_search(const kin_world *world, const char *call, const kin_filter *filter, bool ray,
                              const kin_shape *shape, const char *where, kin_pose at, kini_search *out) {
    kini_clear(out, sizeof *out - sizeof out->room);
    if (!kini_check_world(world, call) || !kini_check_filter(world, call, filter, &out->filter)) return false;
    if (!ray && !kini_check_shape(world, call, shape, &out->solid, &out->room)) return false;
    if (!kini_check_vec(world, call, where, at.p, KINI_FURTHEST)) return false;
    if (!kini_check_rot(world, call, where, &at.q)) return false;
    out->ask = kini_question(world, &out->solid, at, out->filter.sensors ? 0u : (uint32_t)KINI_SENSOR);
    out->ask.sides = true;
    out->ask.apart = out->filter.takes != NULL;
    out->ask.each = kini_part_taken;
    return true;
}

/* ---- casts ------------------------------------------------------------------------------------------------------- */
/* A ray is as exact as a line where a line hits. Where it only grazes, what has a little extent decides, unless it
   starts there: leaving a surface, or going along it, is no hit. */
static bool kini_cast_at(kini_search *search, uint32_t slot) {
    kini_ask *ask = &search->ask, grazed;
    ask->graze = search->graze;
    if (!kini_ask_thing(ask, slot) || !(ask->graze > 0)) return ask->found;
    grazed = *ask;
    ask->graze = 0;
    if (kini_ask_thing(ask, slot)) return true;
    *ask = grazed;
    return ask->hit.t > 0;
}

static float kini_cast_visit(void *context, int32_t item) {
    kini_search *search = (kini_search *)context;
    kini_ask    *ask = &search->ask;
    uint32_t     slot = (uint32_t)item;
    bool         hit = kini_filter_takes(ask->world, &search->filter, slot) && kini_cast_at(search, slot);
    if (hit && search->all) {
        ask->each = kini_list_part;
        kini_ask_thing(ask, slot);
        ask->each = kini_part_taken;
    } else if (hit) {
        kini_keep_best(ask);
    }
    return ask->any ? ask->best.t + search->slack : 1;
}

/* The first hit, or all of them, of a shape or, without one, of a ray. */
static int kini_cast(const kin_world *world, const char *call, bool ray, const kin_shape *shape, kin_pose from,
                     kin_vec travel, const kin_filter *filter, bool all, kin_hit *out, int capacity) {
    kini_search search;
    float       length = kini_len(travel), size = kini_largest(kini_magnitudes(from.p)) + length;
    int         i;
    if (out && !all) kini_clear(out, sizeof *out);
    if (!kini_begin_search(world, call, filter, ray, shape, "from", from, &search)) return 0;
    if (!kini_check_vec(world, call, "travel", travel, KINI_FURTHEST)) return 0;
    if (all && !kini_check_list(world, call, out, capacity)) return 0;
    search.graze = search.ask.reach = ray ? KINI_GRAZE * world->desc.unit + 2 * kini_ulp(size) : 0;
    search.slack = length > 0 ? KINI_SAME_HIT + 8 * kini_ulp(size + search.solid.reach) / length : 1;
    search.ask.travel = travel;
    search.ask.casts = true;
    search.ask.apart |= all;
    search.all = all;
    search.out = out;
    search.capacity = capacity;
    kini_ask_all(&search.ask, KIN_BODY, kini_cast_visit);
    for (i = 0; all && i < capacity && i < search.found; i++) out[i].t = kini_greater(out[i].t, 0);
    if (search.ask.any && out) *out = kini_full_hit(&search.ask, search.ask.best);
    return all ? search.found : search.ask.any;
}

KIN_API bool kin_cast_ray(const kin_world *world, kin_vec from, kin_vec travel, const kin_filter *filter, kin_hit *hit)
{
    return kini_cast(world, __func__, true, NULL, kini_pose(from, kini_unturned()), travel, filter, false, hit, 1) > 0;
}

KIN_API int kin_cast_ray_all(const kin_world *world, kin_vec from, kin_vec travel, const kin_filter *filter,
                             kin_hit *out, int capacity) {
    kin_pose at = kini_pose(from, kini_unturned());
    return kini_cast(world, __func__, true, NULL, at, travel, filter, true, out, capacity);
}

KIN_API bool kin_cast_shape(const kin_world *world, const kin_shape *shape, kin_pose from, kin_vec travel,
                            const kin_filter *filter, kin_hit *hit) {
    return kini_cast(world, "kin_cast_shape", false, shape, from, travel, filter, false, hit, 1) > 0;
}

KIN_API int kin_cast_shape_all(const kin_world *world, const kin_shape *shape, kin_pose from, kin_vec travel,
                               const kin_filter *filter, kin_hit *out, int capacity) {
    return kini_cast(world, "kin_cast_shape_all", false, shape, from, travel, filter, true, out, capacity);
}

/* ---- overlaps and distances -------------------------------------------------------------------------------------- */
static float kini_near_visit(void *context, int32_t item) {
    kini_search *search = (kini_search *)context;
    kini_ask    *ask = &search->ask;
    if (!kini_filter_takes(ask->world, &search->filter, (uint32_t)item) || !kini_ask_thing(ask, (uint32_t)item))
        return 1;
    if (search->contacts) kini_list(search, ask->hit, ask->gap);
    else kini_keep_id((kin_id *)search->out, search->found++, search->capacity, ask->hit.id);
    return 1;
}

/* Things nearer than `reach`, and how many: their ids, or contacts. */
static int kini_find_near(const kin_world *world, const char *call, const kin_shape *shape, kin_pose at, float reach,
                          const kin_filter *filter, bool contacts, void *out, int capacity) {
    kini_search search;
    if (!kini_begin_search(world, call, filter, false, shape, "at", at, &search)) return 0;
    if (!kini_check_number(world, call, "reach", reach, 0, KINI_FURTHEST, "")) return 0;
    if (!kini_check_list(world, call, out, capacity)) return 0;
    search.ask.limit = search.ask.reach = reach;
    search.ask.apart |= contacts;
    search.contacts = contacts;
    search.out = out;
    search.capacity = capacity;
    kini_ask_all(&search.ask, KIN_BODY, kini_near_visit);
    return search.found;
}

KIN_API int kin_overlap(const kin_world *world, const kin_shape *shape, kin_pose at, const kin_filter *filter,
                        kin_id *out, int capacity) {
    return kini_find_near(world, "kin_overlap", shape, at, 0, filter, false, out, capacity);
}

KIN_API int kin_overlap_contacts(const kin_world *world, const kin_shape *shape, kin_pose at, const kin_filter *filter,
                                 kin_contact *out, int capacity) {
    return kini_find_near(world, "kin_overlap_contacts", shape, at, 0, filter, true, out, capacity);
}

KIN_API bool kin_closest(const kin_world *world, const kin_shape *shape, kin_pose at, float reach,
                         const kin_filter *filter, kin_contact *out) {
    if (out) kini_clear(out, sizeof *out);
    return kini_find_near(world, "kin_closest", shape, at, reach, filter, true, out, 1) > 0;
}

static bool kini_note_ways(kini_ask *ask) {
    kini_search *search = (kini_search *)ask;
    if (!kini_part_taken(ask)) return false;
    search->way_count = kini_obstacle_ways(ask->piece, kini_vec_zero(), search->ways, KINI_MAX_WAYS);
    return true;
}

static float kini_room_visit(void *context, int32_t item) {
    kini_search *search = (kini_search *)context;
    if (kini_filter_takes(search->ask.world, &search->filter, (uint32_t)item))
        kini_ask_more(&search->ask, (uint32_t)item);
    return 1;
}

/* From spot to spot, nearest first: out of the deepest overlap, every way that separates. Tried spots are far away. */
KIN_API bool kin_find_room(const kin_world *world, const kin_shape *shape, kin_pose at, float reach,
                           const kin_filter *filter, kin_vec *out) {
    kin_vec     spots[KINI_ROOM_TRIES], x = kini_vec_zero();
    float       away[KINI_ROOM_TRIES], skin;
    kini_search search;
    int         i, k, best = 0, count = 1;
    if (!kini_begin_search(world, __func__, filter, false, shape, "at", at, &search)) return false;
    if (!kini_check_number(world, __func__, "reach", reach, 0, KINI_FURTHEST, "")) return false;
    if (!kini_check_pointer(world, __func__, "out", out)) return false;
    skin = KINI_SKIN * world->desc.unit;
    search.ask.each = kini_note_ways;
    for (spots[0] = x, away[0] = 0; away[best] <= reach;) {
        x = spots[best];
        *out = search.ask.at.p = kini_add(at.p, x);
        search.ask.found = false;
        search.ask.gap = 0;
        kini_ask_all(&search.ask, KIN_BODY, kini_room_visit);
        if (!search.ask.found) return true;
        away[best] = KINI_FLT_MAX;
        for (i = 0; i < search.way_count && count < KINI_ROOM_TRIES; i++) {
            spots[count] = kini_madd(x, search.ways[i].axis, search.ways[i].length + skin);
            away[count] = kini_len(spots[count]);
            for (k = 0; kini_largest(kini_magnitudes(kini_sub(spots[k], spots[count]))) > skin; k++) {}
            count += k == count && away[count] <= reach;
        }
        for (i = 0; i < count; i++)
            if (away[i] < away[best]) best = i;
    }
    kini_clear(out, sizeof *out);
    return false;
}

/* ==== src/slide.c: sweeps one body along one motion and slides along what it meets. ==================================
   Each surface met becomes a plane that limits the rest of the motion: the body may not go into it faster than the
   surface itself moves. The motion that is left is the one nearest to the wanted motion that no plane forbids, found
   exactly (all combinations of planes, there are few), so creases and acute corners need no tries. A sweep stops a
   skin before what it meets; surfaces are tested exactly, so flush neighbours cannot be caught on. */

/* ---- clipping: the nearest motion that no plane forbids --------------------------------------------------- */
static bool kini_allowed(kin_vec v, const kini_plane *planes, int count, float scale, float slack) {
    int i;
    for (i = 0; i < count; i++)
        if (kini_dot(planes[i].normal, v) < planes[i].push * scale - slack) return false;
    return true;
}

typedef struct kini_clipping {
    kin_vec           wanted, best;
    float             best_off;       /* squared distance of best from wanted; negative: none yet */
    const kini_plane *planes;
    int               count;
    float             scale, slack;
    float             longest;        /* that planes of movers may make it: a wedge drives a body aside so far */
} kini_clipping;

static void kini_clip_offer(kini_clipping *c, kin_vec v) {
    float off = kini_len2(kini_sub(v, c->wanted)), slack;
    if ((c->best_off >= 0 && off >= c->best_off) || kini_len(v) > c->longest) return;
    slack = kini_greater(c->slack, KINI_CLIP_ERROR * kini_largest(kini_magnitudes(v)));
    if (!kini_allowed(v, c->planes, c->count, c->scale, slack)) return;
    c->best = v;
    c->best_off = off;
}

static float kini_lack(const kini_clipping *c, int i, kin_vec v) {
    return c->planes[i].push * c->scale - kini_dot(c->planes[i].normal, v);
}

/* A plane that the wanted motion already respects does not hold it back (Karush, Kuhn and Tucker): only positive
   shares count, and then the first combination that is allowed is the nearest. Each is made up for twice: what rounding
   of a fast motion has left the first time is small, and so is its own rounding. */
static void kini_clip_one(kini_clipping *c, int i) {
    kin_vec n = c->planes[i].normal, v = kini_madd(c->wanted, n, kini_lack(c, i, c->wanted));
    if (kini_lack(c, i, c->wanted) >= 0) kini_clip_offer(c, kini_madd(v, n, kini_lack(c, i, v)));
}

/* Between opposed planes, one of them of a mover that pushes, a body is squeezed: it does not shoot out sideways. */
static bool kini_squeezes(const kini_clipping *c, int i, int j) {
    const kini_plane *a = &c->planes[i], *b = &c->planes[j];
    return (kini_plane_presses(a) || kini_plane_presses(b)) && kini_dot(a->normal, b->normal) <= KINI_OPPOSED;
}

/* Both planes touched: wanted + a n + b m with both lacks made up for. */
static void kini_clip_two(kini_clipping *c, int i, int j) {
    kin_vec n = c->planes[i].normal, m = c->planes[j].normal, v = c->wanted;
    float   g = kini_dot(n, m), det = 1 - g * g, p, q;
    int     pass;
    if (det < KINI_ONE_LINE2 || kini_squeezes(c, i, j)) return;
    for (pass = 0; pass < 2; pass++) {
        p = kini_lack(c, i, v);
        q = kini_lack(c, j, v);
        if (pass == 0 && (p - g * q < 0 || q - g * p < 0)) return;
        v = kini_madd(kini_madd(v, n, (p - g * q) / det), m, (q - g * p) / det);
    }
    kini_clip_offer(c, v);
}

static void kini_clip_three(kini_clipping *c, int i, int j, int k) {
    kin_vec a = c->planes[i].normal, b = c->planes[j].normal, d = c->planes[k].normal, v = c->wanted;
    float   ab = kini_dot(a, b), ad = kini_dot(a, d), bd = kini_dot(b, d);
    float   det = 1 + 2 * ab * ad * bd - ab * ab - ad * ad - bd * bd;
    int     pass;
    if (det < KINI_ONE_LINE2 || kini_squeezes(c, i, j) || kini_squeezes(c, i, k) || kini_squeezes(c, j, k)) return;
    for (pass = 0; pass < 2; pass++) {
        float p = kini_lack(c, i, v), q = kini_lack(c, j, v), r = kini_lack(c, k, v);
        float sa = p * (1 - bd * bd) - q * (ab - ad * bd) - r * (ad - ab * bd);
        float sb = q * (1 - ad * ad) - p * (ab - ad * bd) - r * (bd - ab * ad);
        float sd = r * (1 - ab * ab) - p * (ad - ab * bd) - q * (bd - ab * ad);
        if (pass == 0 && (sa < 0 || sb < 0 || sd < 0)) return;
        v = kini_madd(kini_madd(kini_madd(v, a, sa / det), b, sb / det), d, sd / det);
    }
    kini_clip_offer(c, v);
}

/* Nearest v that no plane forbids. */
KINI_PART bool kini_clip(kin_vec *v, const kini_plane *planes, int count, float scale) {
    kini_clipping c;
    float         pushed = 0;
    int           i, j, k;
    c.wanted = *v; c.planes = planes; c.count = count; c.scale = scale; c.best_off = -1;
    c.slack = kini_largest(kini_magnitudes(*v));
    for (i = 0; i < count; i++) {
        c.slack = kini_greater(c.slack, kini_abs(planes[i].push * scale));
        if (kini_plane_presses(&planes[i])) pushed = kini_greater(pushed, planes[i].push * scale);
    }
    c.slack *= KINI_CLIP_ERROR;
    if (kini_allowed(*v, planes, count, scale, c.slack)) return true;
    c.longest = pushed > 0 ? kini_len(*v) + KINI_WEDGE_GAIN * pushed : KINI_FLT_MAX;
    for (i = 0; i < count; i++) kini_clip_one(&c, i);
    for (i = 0; i < count && c.best_off < 0; i++)
        for (j = 0; j < i; j++) kini_clip_two(&c, i, j);
    for (i = 0; KINI_DIM == 3 && i < count && c.best_off < 0; i++)   /* two planes leave no motion in 2D */
        for (j = 0; j < i; j++)
            for (k = 0; k < j; k++) kini_clip_three(&c, i, j, k);
    if (c.best_off < 0) kini_clip_offer(&c, kini_vec_zero());
    if (c.best_off >= 0) *v = c.best;
    return c.best_off >= 0;
}

/* As kini_clip; where movers leave no motion that all planes allow, the level has the last word. */
KINI_PART bool kini_clip_level(kin_vec *v, const kini_plane *planes, int count, float scale) {
    kini_plane level[KINI_MAX_PLANES];
    int        i, n = 0;
    if (kini_clip(v, planes, count, scale)) return true;
    for (i = 0; i < count; i++)
        if (!(planes[i].flags & KINI_PIECE_MOVER)) level[n++] = planes[i];
    return kini_clip(v, level, n, scale);
}

/* ---- what a straight motion meets first -------------------------------------------------------------------- */
/* Does the body stay on its side of the plane of a segment or triangle? Settles nearly all of them for a walker. */
static bool kini_stays_off(const kini_piece *piece, kin_vec x, kin_vec travel, float margin) {
    float off = kini_dot(piece->face, x) - piece->level, way = kini_dot(piece->face, travel);
    if (off < 0) { off = -off; way = -way; }
    if (way < 0) off += way;
    if (way < -KINI_FAINT * kini_largest(kini_magnitudes(travel))) off -= margin;
    return off > piece->reach;
}

/* When does the skin touch the piece? Fills all of `out` but its piece. */
KINI_PART bool kini_meet_piece(const kini_piece *piece, const kini_probe *probe, kini_impact *out) {
    const kini_obstacle *o = &piece->obstacle;
    kin_vec              x = kini_madd(probe->x, piece->move, probe->left), travel = probe->travel, to, grown, n;
    float                length, reach, approach, rounding, t;
    int                  i;
    if (!probe->frozen) travel = kini_madd(travel, piece->move, -probe->left);
    if (kini_stays_off(piece, x, travel, 2 * probe->skin)) return false;
    to = kini_add(x, travel);
    grown = kini_add(o->half, kini_all(o->radius + 2 * probe->skin));
    if (!kini_boxes_meet(kini_lower(x, to), kini_upper(x, to), kini_sub(o->centre, grown), kini_add(o->centre, grown)))
        return false;
    length = kini_len(travel);
    if (!(length > 0)) return false;
    reach = 1 + 2 * probe->skin / length;
    if (!kini_obstacle_ray(o, x, kini_scale(travel, reach), &t, &n)) return false;
    for (i = 0; i < probe->fits; i++)   /* walls of passages as wide as the body, within the slop, if it moves along */
        if (kini_obstacle_extent(o, probe->fit[i]) - kini_dot(x, probe->fit[i]) <= piece->slop &&
            kini_dot(travel, probe->fit[i]) >= -piece->slop) return false;
    out->depth = t > 0 ? 0 : -kini_obstacle_gap(o, x, &to);
    if (!(t > 0)) kini_inner_normal(piece, x, &n);
    out->normal = n;
    approach = -kini_dot(travel, n);
    if (out->depth > probe->deep && !(piece->flags & (KINI_PIECE_MOVER | KINI_ONE_WAY))) {
        out->t = out->touch = 0;
        return !(piece->flags & KINI_PIECE_BODY);
    }
    rounding = KINI_APPROACH_ERROR * (probe->frozen ? length : length + kini_len(piece->move) * probe->left);
    if (approach <= rounding) return false;
    if ((piece->flags & KINI_ONE_WAY) && !kini_one_way_stops(piece, x, kini_scale(travel, t > 0 ? 1 / length : 0), n))
        return false;
    out->touch = t * reach;
    out->t = kini_greater(out->touch - probe->skin / approach, 0);
    return out->t < 1;
}

/* Of two impacts the earlier touch (where the skin comes first would favour corners beside a flat face). At the same
   moment, a face comes before the edge of its neighbour; then that which is met more head-on. */
static bool kini_comes_first(const kini_impact *a, const kini_impact *b, kin_vec travel, float slack) {
    float da = kini_dot(a->normal, travel), db = kini_dot(b->normal, travel), apart = a->touch - b->touch;
    if (a->edge != b->edge && kini_len2(travel) * apart * apart <= slack * slack) return b->edge;
    if (a->touch < b->touch || a->touch > b->touch) return a->touch < b->touch;
    return da < db;
}

KINI_PART bool kini_first_impact(kin_world *world, kini_near *near, const kini_probe *probe, kini_impact *out) {
    bool        more, found = false;
    kini_impact impact;
    kini_lot    before = near->lot;
    int         i;
    for (more = kini_near_first(world, near); more; more = kini_near_next(world, near)) {
        for (i = 0; i < near->count; i++) {
            const kini_piece *piece = &world->pieces.at[i];
            if ((piece->flags & KINI_SENSOR) || ((piece->flags & KINI_PIECE_BODY) && !probe->bodies)) continue;
            if (!kini_meet_piece(piece, probe, &impact)) continue;
            impact.edge = kini_is_edge_normal(world, i, impact.normal);
            if (found && !kini_comes_first(&impact, out, probe->travel, KINI_SAME_MOMENT * world->desc.unit)) continue;
            impact.piece = *piece;
            *out = impact;
            found = true;
        }
    }
    kini_near_again(world, near, before);
    return found;
}

/* A slide that meets anything leaves its plan: all pieces count from then on, this one again. */
static void kini_leave_plan(kin_world *world, kini_near *near, const kini_probe *probe, kini_impact *impact) {
    near->planned = false;
    if (!near->passed) return;
    near->passed = near->whole = false;
    kini_first_impact(world, near, probe, impact);
}

/* How much of the way is free of the level and of bodies: 1 if nothing is met on it. */
KINI_PART float kini_free_part(kin_world *world, kini_near *near, kin_vec x, kin_vec way) {
    kini_probe  probe = kini_probe_still(x, way, 0);
    kini_impact impact;
    return kini_first_impact(world, near, &probe, &impact) ? impact.t : 1;
}

/* ---- exact fit --------------------------------------------------------------------------------------------------- */
/* How much wider than a body the passage is that it would be in at y, where it touches a wall on the side of `across`;
   negative: narrower. */
static float kini_passage_room(const kin_world *world, const kini_near *near, kin_vec y, kin_vec across) {
    float   room = KINI_FLT_MAX;
    kin_vec normal;
    int     i;
    for (i = 0; i < near->count; i++) {
        const kini_piece *piece = &world->pieces.at[i];
        float             gap;
        if ((piece->flags & (KINI_SENSOR | KINI_ONE_WAY | KINI_PIECE_BODY)) || !kini_is_zero(piece->move)) continue;
        if (kini_is_apart(piece, y, 2 * piece->slop)) continue;
        gap = kini_obstacle_gap(&piece->obstacle, y, &normal);
        if (kini_dot(normal, across) < KINI_OPPOSED) room = kini_lesser(room, gap);
    }
    return room;
}

/* A quick look: false if a body at x is surely not flush with a side of a piece that is not turned. */
static bool kini_may_be_flush(const kini_piece *piece, kin_vec x, float slop) {
    const kini_obstacle *o = &piece->obstacle;
    kin_vec              d = kini_sub(x, o->centre), off = kini_sub(kini_magnitudes(d), o->half);
    float                room = 3 * slop + 4 * kini_blur(o, d);
    int                  axis;
    for (axis = 0; axis < KINI_DIM; axis++)
        if (kini_abs(kini_at(off, axis) - o->radius) <= room) return true;
    return !kini_is_unturned(piece->turn);
}

/* The next side of a piece, from wall->side on, that the body overlaps by no more than the slop and does not cross.
   `inside` it would touch the wall. */
KINI_PART bool kini_next_wall(const kini_obstacle *o, kin_rot turn, float reach, float slop, kin_vec normal,
                              kin_vec travel, kini_wall *wall) {
    kin_vec ahead;
    float   deep;
    while (wall->side < KINI_SIDES) {
        int side = wall->side++;
        wall->to = kini_with(kini_vec_zero(), side / 2, side % 2 ? 1.0f : -1.0f);
        if (!kini_is_unturned(turn)) wall->to = kini_rotate(turn, wall->to);
        if (kini_dot(normal, wall->to) > KINI_SAME_FACE || kini_abs(kini_dot(travel, wall->to)) > slop) continue;
        wall->overlap = kini_obstacle_extent(o, wall->to) - kini_dot(wall->x, wall->to);
        if (kini_abs(wall->overlap) > slop) continue;
        ahead = kini_unit(kini_across(kini_neg(normal), wall->to));
        deep = kini_lesser(kini_dot(kini_sub(o->centre, wall->x), ahead), reach);
        wall->inside = kini_madd(kini_madd(wall->x, wall->to, wall->overlap), ahead, deep);
        if (deep > 0) return true;
    }
    return false;
}

/* Is what it meets there the end of a wall of a passage as wide as the body, within two slops, which it overlaps by no
   more than the slop and does not move across? A slide is centred before it, and passes the walls from then on. */
KINI_PART bool kini_fits(kin_world *world, kini_near *near, const kini_piece *piece, kin_vec x, kin_vec normal,
                         kin_vec travel, kini_slide *slide) {
    float     slop = KINI_SLOP * world->desc.unit, room;   /* not what rounding adds far from the origin */
    kini_wall wall;
    wall.x = x;
    wall.side = 0;
    if (!kini_is_zero(piece->move) || (piece->flags & (KINI_ONE_WAY | KINI_PIECE_BODY))) return false;
    if (slide ? slide->fits == KINI_SIDES - 2 : near->whole && near->count == 1) return false;
    if (!kini_may_be_flush(piece, x, slop)) return false;
    while (kini_next_wall(&piece->obstacle, piece->turn, near->solid.reach, slop, normal, travel, &wall)) {
        if (slide && !piece->obstacle.sum)
            kini_near_cover(world, near, x, travel, 3 * slop);   /* the other wall, too */
        if (slide && !kini_near_first(world, near)) return false;
        room = kini_passage_room(world, near, wall.inside, wall.to);
        if (!(kini_abs(room) <= 2 * slop)) continue;
        if (!slide) return true;
        slide->x = kini_madd(x, wall.to, wall.overlap + 0.5f * room);
        slide->travel = kini_across(slide->travel, wall.to);
        slide->fit[slide->fits++] = wall.to;
        slide->fit[slide->fits++] = kini_neg(wall.to);
        return true;
    }
    return false;
}

/* ---- rules of footing -------------------------------------------------------------------------------------------- */
/* A horizontal motion turned along a surface: same heading, same speed along it, or the same horizontal speed. */
KINI_PART kin_vec kini_turn_along(kin_vec flat, kin_vec normal, kin_vec up, bool keep_horizontal) {
    float   rise = kini_dot(normal, up), length;
    kin_vec turned;
    if (!(rise > KINI_NEGLIGIBLE)) return flat;   /* a wall, as no body stands on but one from a made-up snapshot */
    turned = kini_madd(flat, up, -kini_dot(flat, normal) / rise);
    length = kini_len(turned);
    return keep_horizontal || !(length > 0) ? turned : kini_scale(turned, kini_len(flat) / length);
}

/* A plane that is met changes a motion or velocity before it is clipped: stable ground takes the part along up; a
   steep side, and for a walker an overhang, acts on the horizontal part as a wall: it gives no height. */
static void kini_respond(const kini_slide *slide, const kini_plane *plane, kin_vec *v, float scale) {
    float   rise = kini_dot(plane->surface, slide->up), into;
    kin_vec side;
    if (kini_is_zero(slide->up) || (rise <= 0 && !kini_walks(slide))) return;
    if (rise >= slide->stable_cos) { *v = kini_flat(*v, slide->up); return; }
    side = kini_unit(kini_across(plane->surface, slide->up));   /* zero under a flat ceiling */
    into = kini_dot(kini_across(*v, slide->up), side) - kini_dot(plane->move, side) * scale;
    if (into < 0) *v = kini_madd(*v, side, -into);
}

/* The rest of a push, for the own velocity to take if the leftover has that much of it already. */
static float kini_rest_of_push(float push, float has) {
    return kini_clamp(push - has, kini_lesser(push, 0), kini_greater(push, 0));
}

/* The same for the velocity of a body, and the plane as that sees it. What a mover pushes is only given once: to the
   own velocity, as far as the leftover does not have it. `leftover` is NULL if this is the leftover itself. */
KINI_PART kini_plane kini_respond_sharing(const kini_slide *slide, kini_plane plane, kin_vec *v, float per_second,
                                          const kin_vec *leftover) {
    kini_plane beside = plane;
    kin_vec    side = kini_unit(kini_across(plane.surface, slide->up));
    float      along = kini_dot(plane.move, side), push = plane.push;
    if (!leftover || !kini_is_zero(*leftover)) {
        float has = leftover ? kini_dot(*leftover, side) / per_second : kini_greater(along, 0);
        beside.move = kini_madd(plane.move, side, kini_rest_of_push(along, has) - along);
        has = leftover ? kini_dot(*leftover, plane.normal) / per_second : kini_greater(push, 0);
        plane.push = kini_rest_of_push(push, has);
        plane.move = kini_madd(plane.move, plane.normal, plane.push - push);
    }
    kini_respond(slide, &beside, v, per_second);
    return plane;
}

/* A walker meets steep ground, and an overhang, as a vertical wall: it is neither lifted nor pressed down by it. An
   overhang that comes down nearly flat squeezes it against its ground and does not drive it aside; nor does any drive
   it further along its ground than a wedge may. */
KINI_PART void kini_make_wall(const kini_slide *slide, kini_plane *plane) {
    kin_vec side = kini_across(plane->surface, slide->up);
    float   lean = kini_len(side);
    if (lean < KINI_HARDLY) return;
    if (plane->push > 0 && (kini_dot(plane->surface, slide->ground) <= KINI_OPPOSED ||
                            lean * kini_dot(slide->ground, slide->up) * KINI_WEDGE_GAIN < 1))
        return;
    plane->normal = kini_scale(side, 1 / lean);
    plane->push /= lean;
}

/* A body that is fast enough leaves what it met by a part of its speed at that moment, and goes on with the rest of
   the interval. What it has met so far limits it no longer: the planes stay, as contacts, without a normal. */
static bool kini_bounce_off(kini_slide *slide, const kini_plane *plane, kin_vec v, float left) {
    kin_vec n = plane->normal;
    float   speed = plane->push - kini_dot(v, n) - kini_dot(slide->fall, n) * (0.5f - left);
    int     i;
    if (!(slide->bounce > 0 && speed > slide->least_bounce)) return false;
    slide->kick = kini_madd(slide->kick, n, (1 + slide->bounce) * speed);
    slide->travel = kini_madd(slide->travel, n, (1 + slide->bounce) * speed);
    for (i = 0; i < slide->count; i++) {
        slide->planes[i].normal = kini_vec_zero();
        slide->planes[i].push = 0;
    }
    return true;
}

KINI_PART kini_plane kini_plane_at(const kini_piece *piece, kin_vec normal, kin_vec move) {
    kini_plane plane;
    plane.normal = plane.surface = normal;
    plane.move = move;
    plane.push = kini_dot(move, normal);
    plane.slot = piece->slot;
    plane.part = piece->part;
    plane.flags = piece->flags;
    plane.speed = 0;
    return plane;
}

static bool kini_probe_stable(const kini_slide *slide, const kini_impact *impact) {
    return !kini_is_zero(slide->up) && kini_dot(impact->normal, slide->up) >= slide->stable_cos;
}

/* Stable ground takes a body along, which moves relative to it from then on. What is convex touches at one place: its
   earlier plane counts no longer, and with it would ask for the impossible if the piece turns. */
static void kini_slide_meet(kini_slide *slide, const kini_impact *impact, kin_vec v, float left) {
    const kini_piece *piece = &impact->piece;
    kini_plane       *plane;
    bool              stable = kini_probe_stable(slide, impact);
    int               i, kept = 0;
    if (slide->hit_count++ < slide->hit_room) {   /* for kin_move_hits; the point is found later, from this place */
        kin_hit *hit = &slide->hits[slide->hit_count - 1];
        hit->id.slot = piece->slot;
        hit->part = piece->part;
        hit->normal = impact->normal;
        hit->point = slide->x;
        hit->t = 1 - left;
    }
    for (i = 0; i < slide->count; i++)
        if (slide->planes[i].slot != piece->slot || slide->planes[i].part != piece->part)
            slide->planes[kept++] = slide->planes[i];
    if (kept == KINI_MAX_PLANES)
        for (kept = 0; kept < KINI_MAX_PLANES - 1; kept++) slide->planes[kept] = slide->planes[kept + 1];
    slide->count = kept + 1;
    plane = &slide->planes[kept];
    *plane = kini_plane_at(piece, impact->normal, piece->move);
    plane->speed = -kini_dot(kini_sub(v, piece->move), impact->normal);
    if (!stable && kini_walks(slide)) kini_make_wall(slide, plane);
    if (!(stable && kini_walks(slide)) && kini_bounce_off(slide, plane, v, left)) return;
    kini_respond(slide, plane, &slide->travel, 1);
    if (!stable) return;
    slide->ground = impact->normal;
    slide->ground_move = piece->move;
}

/* The motion for the rest of the interval. A walker stays on its ground: it neither climbs a wall nor lifts off. */
static bool kini_slide_motion(const kini_slide *slide, kin_vec *v) {
    kini_plane planes[KINI_MAX_PLANES + 2];
    int        i, n = slide->count;
    *v = slide->travel;
    if (!kini_walks(slide)) return kini_clip(v, slide->planes, n, 1);
    *v = kini_turn_along(kini_across(kini_sub(slide->travel, slide->ground_move), slide->up), slide->ground,
                         slide->up, slide->keep_horizontal);
    *v = kini_add(*v, slide->ground_move);
    if (n == 0) return true;
    for (i = 0; i < n; i++) planes[i] = slide->planes[i];
    planes[n] = planes[n + 1] = planes[0];
    planes[n].normal = slide->ground;
    planes[n].push = kini_dot(slide->ground_move, slide->ground);
    planes[n].flags = KINI_PIECE_MOVER;   /* nothing else pushes */
    planes[n + 1].normal = kini_neg(slide->ground);
    planes[n + 1].push = -planes[n].push;
    return kini_clip(v, planes, n + 2, 1) || kini_clip(v, planes, n + 1, 1);
}

/* ---- stepping up and slipping past corners ------------------------------------------------------------------- */
/* From `lift` above along as far as there is room, and down again. True if it went at least so far, and landed no lower
   than it began. */
static bool kini_step_trial(kin_world *world, kini_near *near, const kini_slide *slide, float lift, kin_vec *along,
                            float least, kin_vec *landed, kini_impact *floor, float left) {
    kini_probe  probe = kini_probe_still(kini_madd(slide->x, slide->up, lift), *along, slide->skin);
    kini_impact impact;
    probe.left = left;
    probe.bodies = slide->bodies;
    if (kini_first_impact(world, near, &probe, &impact)) *along = kini_scale(*along, impact.t);
    if (kini_len(*along) < least) return false;
    probe.x = kini_add(probe.x, *along);
    probe.travel = kini_scale(slide->up, -lift - slide->skin);
    if (!kini_first_impact(world, near, &probe, floor)) return false;
    *landed = kini_madd(probe.x, probe.travel, floor->t);
    return true;
}

/* How far there is room for a step up. */
static float kini_step_lift(kin_world *world, kini_near *near, const kini_slide *slide, float left) {
    float       lift = slide->step_height + slide->skin;
    kini_probe  probe = kini_probe_still(slide->x, kini_scale(slide->up, lift), slide->skin);
    kini_impact impact;
    probe.left = left;
    probe.bodies = slide->bodies;
    return kini_first_impact(world, near, &probe, &impact) ? lift * impact.t : lift;
}

/* A round or slanting foot on the edge of a step stands on the step's top: the surface just beyond the edge decides,
   for a tread may be narrower than the foot. A slanting side touches the edge somewhere between its ends. */
KINI_PART bool kini_on_tread(const kin_world *world, const kini_near *near, kin_vec x, const kini_impact *edge,
                             float stable_cos, kin_vec *normal, kin_vec *place) {
    float      beyond = 2 * KINI_TOUCH * world->desc.unit;
    kin_vec    up = world->bodies.at[world->things.at[near->slot].row].up;
    kin_vec    side = kini_unit(kini_across(edge->normal, up)), low, high, travel;
    kini_solid point;
    kin_hit    hit;
    kini_clear(&point, sizeof point);
    kini_foot_ends(&near->solid, kini_pose(kini_add(near->origin, x), near->turn), edge->normal, up, &low, &high);
    travel = kini_madd(kini_sub(low, high), up, -2 * beyond);
    high = kini_madd(kini_madd(high, side, -beyond), up, beyond);
    if (!kini_thing_cast(world, edge->piece.slot, &point, kini_pose(high, kini_unturned()), travel, &hit)) return false;
    *normal = hit.normal;
    *place = kini_madd(kini_sub(high, near->origin), travel, hit.t);
    return hit.t > 0 && kini_dot(hit.normal, up) >= stable_cos;
}

/* Climbs a step if it goes so far ahead, or at least so far; tells how far it went. A round foot may perch on the edge
   of one that is higher above the feet than it has risen. */
static bool kini_step_so_far(kin_world *world, kini_near *near, kini_slide *slide, kin_vec *ahead, float least,
                             float left, float *lift) {
    kin_vec     down = kini_neg(slide->up), place = slide->x, feet, to, ground = down;
    bool        perched;
    kini_impact floor;
    kini_near_cover(world, near, kini_madd(slide->x, slide->up, slide->step_height + slide->skin), *ahead,
                    2 * slide->skin);
    if (*lift < 0) *lift = kini_step_lift(world, near, slide, left);   /* the same each time */
    least = KINI_STEP_PART * kini_lesser(kini_len(*ahead), least);
    if (*lift <= 2 * slide->skin || !kini_step_trial(world, near, slide, *lift, ahead, least, &to, &floor, left))
        return false;
    perched = floor.edge && kini_on_tread(world, near, to, &floor, slide->stable_cos, &ground, &place);
    if (!perched) {
        if (!kini_probe_stable(slide, &floor)) return false;
        place = kini_foot(&near->solid, kini_pose(to, near->turn), floor.normal, &ground);
        ground = floor.normal;
    }
    feet = kini_madd(kini_solid_support(&near->solid, near->turn, down), down, near->solid.radius);
    if (kini_dot(kini_sub(place, kini_add(slide->x, feet)), slide->up) > slide->step_height + slide->skin) return false;
    slide->x = to;
    slide->ground = ground;
    slide->ground_move = kini_vec_zero();
    slide->perch = perched ? floor.piece.slot : 0;
    slide->perched = floor.normal;
    return true;
}

/* A walker that is blocked may climb a step. A round foot first meets the step's edge, whose normal is steep. However
   slow it is, it goes over the gap before what it met, a round foot so far that it leaves the floor: what that is more
   than `left` of v, it walks less later. All of `left` may be too far: it halves that.
   True if it climbed; `left` is what is left then. */
static bool kini_step_up(kin_world *world, kini_near *near, kini_slide *slide, kin_vec v, float *left,
                         const kini_impact *met, float gap) {
    kin_vec flat = kini_across(v, slide->up), ahead = kini_unit(flat), way;
    float   length = kini_len(flat) * *left, went;
    float   least = gap + (met->edge ? KINI_OVER_EDGE : KINI_OVER_RISER) * slide->skin, lift = -1;
    if (!kini_walks(slide) || slide->step_height <= 0 || kini_is_zero(ahead)) return false;
    went = length > 0 && met->edge && met->piece.slot == slide->perch ? length : kini_greater(length, least);
    for (;; went = went > least ? kini_greater(0.5f * went, least) : least) {
        way = kini_scale(ahead, went);
        if (kini_step_so_far(world, near, slide, &way, least, *left, &lift)) break;
        if (went >= least && went <= least) return false;
    }
    went = kini_dot(way, ahead);
    slide->lead = kini_madd(slide->lead, ahead, kini_greater(went - length, 0));
    *left = went < length ? *left * (1 - went / length) : 0;
    return true;
}

/* A walk that ends within the slop before a riser climbs it at once: what is touched would take its velocity. Stage 8
   measures the gap anew, so this looks a little further. True if it climbed. `again`: it has climbed here already, but
   only rolled over a lower edge, and what it met may still be ahead. */
static bool kini_step_ahead(kin_world *world, kini_near *near, kini_slide *slide, kin_vec v, bool again) {
    float       ahead = kini_look_ahead(slide), none = 0, gap;
    kini_probe  probe = kini_probe_still(slide->x, kini_scale(kini_unit(kini_across(v, slide->up)), ahead), 0);
    kini_impact impact, below;
    if (kini_is_zero(probe.travel)) return false;
    probe.bodies = slide->bodies;
    kini_near_cover(world, near, slide->x, probe.travel, slide->skin);
    if (!kini_first_impact(world, near, &probe, &impact)) return false;
    gap = kini_obstacle_gap(&impact.piece.obstacle, slide->x, &impact.normal);
    if (gap > impact.piece.slop + KINI_LEAST_LIFT * slide->skin || kini_probe_stable(slide, &impact)) return false;
    kini_leave_plan(world, near, &probe, &impact);
    kini_obstacle_gap(&impact.piece.obstacle, slide->x, &impact.normal);
    if (impact.piece.slot == slide->perch && kini_dot(impact.normal, slide->perched) > KINI_SAME_EDGE) {
        probe = kini_probe_still(slide->x, kini_scale(slide->up, -KINI_TOUCH * world->desc.unit), 0);
        probe.bodies = slide->bodies;   /* it has left the floor before this edge already? */
        if (again || !kini_first_impact(world, near, &probe, &below) || below.edge || !kini_probe_stable(slide, &below))
            return false;
    }
    return kini_step_up(world, near, slide, v, &none, &impact, impact.touch * ahead);
}

/* Shifts it if nothing is in the way; pieces stand where they are for the last `left` of their interval. */
static bool kini_shift_freely(kin_world *world, kini_near *near, kini_slide *slide, kin_vec way, float left) {
    kini_probe  probe = kini_probe_still(slide->x, way, 0);
    kini_impact met;
    probe.left = left;
    probe.bodies = slide->bodies;
    if (kini_first_impact(world, near, &probe, &met)) return false;
    slide->x = kini_add(slide->x, way);
    return true;
}

/* Slips past a corner above: by the shortest shift across `up`, at most `nudge`, that lets a rising body pass. */
KINI_PART bool kini_nudge(kin_world *world, kini_near *near, kini_slide *slide, const kini_impact *impact, kin_vec v,
                          float left) {
    const kini_obstacle *o = &impact->piece.obstacle;
    kin_vec     x = kini_madd(slide->x, impact->piece.move, left), best = kini_vec_zero();
    kini_probe  probe;
    kini_impact other;
    float       least = slide->nudge;
    int         axis, side;
    if (slide->nudge <= 0 || kini_dot(impact->normal, slide->head) > -KINI_HARDLY) return false;
    if (!(kini_dot(kini_sub(v, impact->piece.move), slide->head) > 0)) return false;
    for (axis = 0; axis < KINI_DIM; axis++)
        for (side = -1; side <= 1; side += 2) {
            float   edge = kini_at(o->centre, axis) + (float)side * (kini_at(o->half, axis) + o->radius);
            float   shift = (edge - kini_at(x, axis)) * (float)side + slide->skin;
            kin_vec way = kini_with(kini_vec_zero(), axis, (float)side);
            if (kini_abs(kini_dot(way, slide->head)) > KINI_HARDLY || shift <= 0 || shift > least) continue;
            least = shift;
            best = kini_scale(way, shift);
        }
    x = slide->x;
    if (kini_is_zero(best) || !kini_shift_freely(world, near, slide, best, left)) return false;
    probe = kini_probe_still(slide->x, kini_scale(v, left), slide->skin);
    probe.left = left;
    probe.bodies = slide->bodies;
    probe.frozen = false;
    if (!kini_first_impact(world, near, &probe, &other) || other.t > 0) return true;
    slide->x = x;
    return false;
}

/* A lip that is lower than the skin is no side, as where two boxes of a floor meet: a body that has a load on it is not
   held off its ground, and may be lower than the next box by rounding. It is lifted over it. */
static bool kini_over_lip(kin_world *world, kini_near *near, kini_slide *slide, const kini_impact *impact, float left) {
    kin_vec x = kini_madd(slide->x, impact->piece.move, left);
    float   lip;
    if (kini_is_zero(slide->feet) || kini_abs(kini_dot(impact->normal, slide->feet)) > KINI_MOSTLY) return false;
    lip = kini_obstacle_extent(&impact->piece.obstacle, slide->feet) - kini_dot(x, slide->feet);
    if (lip > slide->skin) return false;
    return kini_shift_freely(world, near, slide, kini_scale(slide->feet, lip + slide->skin), left);
}

/* ---- the sweep --------------------------------------------------------------------------------------------------- */
/* A long motion is swept part by part, so that it costs what lies along it rather than what lies in the box around it:
   more parts if it is slanting. One part if something moves meanwhile, or if a step or nudge may look further ahead. */
static float kini_sweep_part(const kin_world *world, const kini_near *near, const kini_slide *slide, kin_vec v,
                             float left) {
    kin_vec size = kini_magnitudes(kini_scale(v, left));
    float   longest = kini_largest(size), across = 0, most = near->solid.reach + world->desc.unit, parts;
    int     axis, first = 0;
    if (longest <= KINI_LONG_ACROSS * most || near->from < near->to || slide->step_height > 0 || slide->nudge > 0)
        return 1;
    while (kini_at(size, first) < longest) first++;
    for (axis = 0; axis < KINI_DIM; axis++)
        if (axis != first) across = kini_greater(across, kini_at(size, axis));
    parts = kini_greater(longest / (KINI_LONG_SWEEP * most), across / (KINI_LONG_ACROSS * most));
    parts = kini_lesser(parts, KINI_MOST_PARTS * left);
    return parts > 1 ? 1 / (1 + (float)(int)parts) : 1;
}

KINI_PART void kini_slide_run(kin_world *world, kini_near *near, kini_slide *slide) {
    float left = 1, part;
    bool  nudged = false, again;   /* once is enough: what is still in the way then is no corner */
    int   i;
    slide->count = slide->fits = 0;
    slide->ground_move = kini_vec_zero();   /* that of an earlier interval is made */
    slide->squeezed = slide->stuck = false;
    slide->left = 0;
    slide->kick = kini_vec_zero();
    slide->turned_at = slide->x;
    for (i = 0; i < KINI_MAX_SLIDES;) {
        kini_probe  probe;
        kini_impact impact;
        kin_vec     v;
        if (!kini_slide_motion(slide, &v)) { slide->squeezed = true; slide->left = left; return; }
        if (near->planned && near->ahead > 0 && near->whole && near->count == 0) {   /* its plan holds, in one part */
            slide->x = kini_add(slide->x, v);
            return;
        }
        part = kini_sweep_part(world, near, slide, v, left);
        probe.x = slide->x; probe.travel = kini_scale(v, left * part); probe.left = left; probe.skin = slide->skin;
        probe.deep = 0.5f * near->solid.width; probe.frozen = false; probe.bodies = slide->bodies;
        probe.fits = slide->fits; probe.fit = slide->fit;
        if (part < 1) kini_near_around(world, near, slide->x, probe.travel, 2 * slide->skin);
        else kini_near_cover(world, near, slide->x, probe.travel,
                             (slide->step_height > 0 ? 6 : 2) * slide->skin + slide->nudge);
        if (!kini_first_impact(world, near, &probe, &impact)) {
            if (slide->senses) kini_note_crossed(world, near, &probe, 1);
            slide->x = kini_add(slide->x, probe.travel);
            left *= 1 - part;
            if (part < 1) continue;
            for (again = false; i < KINI_MAX_SLIDES && kini_step_ahead(world, near, slide, v, again); i++) again = true;
            return;
        }
        kini_leave_plan(world, near, &probe, &impact);
        i++;
        slide->stuck = impact.depth > probe.deep && !(impact.piece.flags & KINI_PIECE_MOVER);   /* no way is right */
        slide->x = slide->turned_at = kini_madd(slide->x, probe.travel, impact.t);
        if (slide->senses) kini_note_crossed(world, near, &probe, impact.t);
        left *= 1 - impact.t * part;
        if (slide->stuck) { kini_slide_meet(slide, &impact, v, left); return; }
        if (kini_over_lip(world, near, slide, &impact, left)) continue;
        if (kini_fits(world, near, &impact.piece, slide->x, impact.normal, probe.travel, slide)) continue;
        if (!nudged && kini_nudge(world, near, slide, &impact, v, left)) { nudged = true; continue; }
        if ((impact.edge || !kini_probe_stable(slide, &impact)) &&
            kini_step_up(world, near, slide, v, &left, &impact, slide->skin))
            continue;
        kini_slide_meet(slide, &impact, v, left);
    }
}

/* ==== src/sweep.c: stage 5. Each body is swept along its own motion against statics, tiles, meshes and movers,
   relative to the movers' motion, and slides. A mover that turns fast is met in several short intervals. */

enum { KINI_MAX_INTERVALS = 64 };

KINI_PART void kini_slide_rules(const kin_world *world, const kini_body *body, kini_slide *slide) {
    kini_slide_blank(slide);
    slide->skin = kini_skin_at(world, world->things.at[body->slot].p);
    slide->senses = true;
    slide->nudge = body->options.corner_nudge;
    if (kini_is_floating(world, body)) {
        slide->head = kini_unit(body->velocity);   /* past door posts */
        return;
    }
    slide->up = slide->head = body->up;
    slide->stable_cos = body->stable_cos;
    slide->keep_horizontal = body->options.slope == KIN_SLOPE_HORIZONTAL_SPEED;
    if (body->stand.footing != KIN_STABLE) return;
    slide->step_height = body->options.step_height;
    slide->ground = slide->feet = kini_walked_on(body);
    if (body->stand.support == KINI_ON_EDGE) slide->perch = body->stand.id.slot;
}

/* Finds two opposed surfaces, one of a mover and the other maybe the ground, that take more than KINI_CRUSH. */
KINI_PART void kini_note_squeeze(const kin_world *world, kini_body *body, const kini_slide *slide) {
    float most = KINI_CRUSH * world->desc.unit + 2 * slide->skin, missing;
    int   i, j;
    if (!slide->squeezed) return;
    for (i = 0; i < slide->count; i++)
        for (j = 0; j <= slide->count; j++) {
            bool              ground = j == slide->count;
            const kini_plane *a = &slide->planes[i], *b = &slide->planes[ground ? i : j];
            if (!kini_plane_presses(a)) continue;
            if (kini_dot(a->normal, ground ? slide->ground : b->normal) > KINI_OPPOSED) continue;
            missing = (a->push + (ground ? kini_dot(slide->ground_move, slide->ground) : b->push)) * slide->left;
            if (missing <= most) continue;
            most = missing;
            body->squeezed_in[0] = a->slot;
            body->squeezed_in[1] = ground ? body->stand.id.slot : b->slot;
        }
}

/* Movers near the body, and into how many intervals their turning divides the step. In each, a mover that is not there
   yet is out of place by its turn times its travel. */
static int kini_intervals(const kin_world *world, const kini_near *near, bool *moving) {
    float most = 0;
    int   i;
    *moving = false;
    for (i = 0; i < near->found; i++) {
        int32_t row = kini_mover_row(world, &world->things.at[world->found.at[i]]);
        float   turn, travel;
        if (row < 0 || !(world->movers.at[row].state & KINI_MOVED)) continue;
        *moving = true;
        turn = kini_spin_size(world->movers.at[row].turn_rate) * world->dt;
        travel = kini_len(world->movers.at[row].rate) * world->dt / (KINI_SLOP * world->desc.unit);
        most = kini_greater(most, kini_greater(turn / KINI_TURN_INTERVAL, kini_sqrt(turn * travel)));
    }
    return most < (float)KINI_MAX_INTERVALS ? 1 + (int)most : 1 + KINI_MAX_INTERVALS;
}

/* Slower than that, nothing bounces: it would never come to rest. */
KINI_PART float kini_least_bounce(const kin_world *world, const kini_body *body) {
    float fall = 2 * kini_len(world->desc.gravity) * kini_abs(body->options.gravity_scale) * world->dt;
    return kini_greater(KINI_LEAST_BOUNCE * world->desc.unit, fall);
}

/* Takes from a velocity what goes into the surfaces that were met, as if none of them pushed if `still`. `leftover` is
   what the body has beside its own velocity, and NULL if this is the leftover itself. */
static void kini_stop_velocity(const kini_slide *slide, kin_vec *v, float per_second, const kin_vec *leftover,
                               bool still) {
    kini_plane planes[KINI_MAX_PLANES];
    int        i, count = 0;
    for (i = 0; i < slide->count; i++) {
        kini_plane plane = slide->planes[i];
        if (kini_is_zero(plane.normal)) continue;   /* it has bounced off */
        if (still && kini_plane_presses(&plane)) { plane.push = 0; plane.move = kini_vec_zero(); }
        plane = kini_respond_sharing(slide, plane, v, per_second, leftover);
        if (kini_is_zero(slide->up) || kini_dot(plane.surface, slide->up) < slide->stable_cos) planes[count++] = plane;
    }
    if (count > 0) kini_clip_level(v, planes, count, per_second);
}

/* A body pressed by a mover pushes with its strength. False if the plane is not of a mover that presses. */
KINI_PART bool kini_note_press(kini_body *body, const kini_plane *plane) {
    if (!kini_plane_presses(plane)) return false;
    body->pushed = plane->normal;
    body->pushed_strength = KINI_STRENGTH_MOVER;
    return true;
}

/* A press gave what the velocity gained by it, whatever surfaces turned it, as did the fall that steep ground turned
   aside: `v` is the velocity before. */
static void kini_note_given(kini_body *body, const kini_slide *slide, float per_second, kin_vec v,
                            const kin_vec *leftover) {
    float fall = kini_lesser(kini_dot(v, slide->up), 0);
    bool  gains = false;
    int   i;
    for (i = 0; i < slide->count; i++) {
        float rise = kini_dot(slide->planes[i].surface, slide->up);
        gains = gains || (fall < 0 && rise > 0 && rise < slide->stable_cos);
        gains = kini_note_press(body, &slide->planes[i]) || gains;
    }
    if (!gains) return;
    v = kini_madd(v, slide->up, -fall);
    kini_stop_velocity(slide, &v, per_second, leftover, true);
    body->given = kini_add(body->given, kini_across(kini_sub(body->velocity, v), slide->up));
}

static void kini_sweep_outcome(kin_world *world, int32_t row, const kini_slide *slide, kin_vec origin, float per_second)
{
    kini_body *body = &world->bodies.at[row];
    kin_vec    before;
    int        i;
    if (slide->count == 0) return;
    if (slide->bounce > 0) body->velocity = kini_madd(body->velocity, slide->kick, per_second);
    before = body->velocity;
    body->state |= KINI_BODY_RENEW;
    body->turned_at = kini_add(origin, slide->turned_at);
    for (i = 0; i < slide->count; i++)
        if (!kini_is_zero(slide->planes[i].normal) &&
            kini_dot(slide->planes[i].surface, slide->up) >= slide->stable_cos)
            body->land_speed = kini_greater(body->land_speed, slide->planes[i].speed * per_second);
    kini_stop_velocity(slide, &body->leftover, per_second, NULL, false);
    kini_stop_velocity(slide, &body->velocity, per_second, &body->leftover, false);
    kini_note_given(body, slide, per_second, before, &body->leftover);
    if (slide->stuck) body->velocity = body->leftover = kini_vec_zero();
    kini_note_planes(world, row, slide, per_second);
}

static void kini_sweep_body(kin_world *world, int32_t row) {
    kini_body  *body = &world->bodies.at[row];
    kini_near   near;
    kini_slide  slide;
    kin_vec     wish = body->wish, travel = wish;
    float       least = KINI_NO_MOTION * world->desc.unit;
    bool        moving, stopped = false;
    int         i, parts;
    /* Nothing moves it or could come to it. */
    if (kini_is_zero(wish) && (body->met || world->live[KIN_MOVER] == 0)) return;
    if (kini_stands(body))
        travel = kini_turn_along(kini_across(wish, body->up), kini_walked_on(body), body->up,
                                 body->options.slope == KIN_SLOPE_HORIZONTAL_SPEED);
    kini_slide_rules(world, body, &slide);
    if (body->jumps) { slide.step_height = 0; slide.ground = kini_vec_zero(); }
    slide.bounce = body->options.bounce;
    kini_near_motion(world, &near, body->slot, 0, KINI_WITH_MOVERS, travel,   /* as far as the slide looks */
                     slide.step_height > 0 ? 2 * (6 * slide.skin + slide.nudge) : 4 * slide.skin + slide.nudge);
    parts = kini_intervals(world, &near, &moving);
    if (body->met) { moving = false; parts = 1; }
    near.planned = parts == 1 && kini_is_zero(slide.ground) == !kini_stands(body);
    near.way = travel;
    near.ahead = kini_look_ahead(&slide);
    if (kini_buried_in(world, &near)) { body->velocity = body->leftover = kini_vec_zero(); return; }
    if (kini_is_zero(wish) && !moving) return;
    if (!kini_is_zero(wish)) body->state |= KINI_BODY_RENEW;
    if (!body->met && !kini_is_nobody(body->stand.id)) { near.taker = body->stand.id.slot; near.taken = body->carry; }
    slide.least_bounce = kini_least_bounce(world, body) * world->dt / (float)parts;
    if (kini_is_zero(slide.ground) && !body->options.weightless)
        slide.fall = kini_scale(world->desc.gravity,
                                body->options.gravity_scale * world->dt * world->dt / (float)parts);
    for (i = 0; i < parts; i++) {
        slide.travel = kini_scale(wish, 1 / (float)parts);
        if (moving) kini_near_interval(&near, (float)i / (float)parts, (float)(i + 1) / (float)parts);
        kini_slide_run(world, &near, &slide);
        kini_note_squeeze(world, body, &slide);
        kini_sweep_outcome(world, row, &slide, near.origin, (float)parts / world->dt);
        if (slide.count > 0) { wish = kini_scale(slide.travel, (float)parts); stopped = true; }
    }
    if ((kini_is_zero(body->wish) || stopped) && kini_len2(slide.x) < least * least) return;   /* only rounding */
    body->lead = kini_add(body->lead, slide.lead);
    kini_shift(world, body->slot, kini_add(near.origin, slide.x), near.turn);
}

KINI_PART void kini_stage_sweep(kin_world *world) {
    int32_t i;
    for (i = 0; i < world->order.count; i++) {
        int32_t row = world->order.at[i];
        if (world->done.at[row] == 0) kini_sweep_body(world, row);
        if (world->done.at[row] == KINI_COASTS) kini_go(world, world->bodies.at[row].slot, world->kept.at[row].end);
    }
}

/* ==== src/idle.c: bodies at rest are skipped, and woken. =============================================================
   The effect of a step on one body depends on its rows in bodies, things and contacts, and its shape; on things within
   its sight, the box that it searches (kini_sight), bodies on their way through it included; on its ground, and whether
   that was teleported or reshaped since the last step; on dt, gravity, settings and calls of the game. So if a body
   wants nothing, a step has not changed one bit of it, and none of this has changed since, the next step will not
   change it either: the body is idle, and no stage looks at it. It wakes when
     - a setter changes it, or anything within its sight (kini_disturb before and after the change);
     - a mover moves there, or stops;
     - a body that is awake is or comes there, or finds it in a search: looked for in stage 3 (kini_spread, from body to
       body, so a heap is idle as a whole or not at all), and in stages 4 to 9 whenever one is moved (kini_watch);
     - its ground was reshaped elsewhere and would lose it (stage 3); gravity, dt or settings change.
   One that wakes after stage 3 has missed nothing of that stage, but stages 4 to 9 are run again from their start.
   Both contact lists of an idle body are the same. Controllers are asked all the same, and contacts that last are told.
   All of this is a cache: nothing of it is hashed or saved. KINI_FORGET drops it before every step. */

/* How far from its box a body that stays where it is looks. */
static float kini_sight(const kin_world *world, const kini_body *body) {
    const kini_thing *thing = &world->things.at[body->slot];
    float touch = kini_touch_at(world, thing->p), width = world->shapes.at[thing->shape].width;
    float sight = 3 * touch + 4 * kini_skin_at(world, thing->p) + kini_greater(body->options.snap, 0) +
                  body->options.step_height + body->options.corner_nudge;
    if (body->options.step_height > 0) sight += width;
    return body->state & KINI_BODY_EMBEDDED ? sight + width + 4 * touch : sight;   /* it looks for a way out */
}

KINI_PART void kini_looked(kin_world *world, uint32_t slot, kin_vec lo, kin_vec hi) {
    const kini_thing *thing = &world->things.at[slot];
    kini_body        *body = &world->bodies.at[thing->row];
    kin_vec           sight;
    if (thing->kind != KIN_BODY || !body->calm) return;
    sight = kini_all(kini_sight(world, body));
    body->calm = kini_box_holds(kini_sub(thing->lo, sight), kini_add(thing->hi, sight), lo, hi);
}

/* ---- waking ------------------------------------------------------------------------------------------------------ */
KINI_PART void kini_wake(kin_world *world, int32_t row) {
    kini_body *body = &world->bodies.at[row];
    if (kini_escape(world)) return;
    body->calm = false;
    world->kept.at[row].open = 0;
    if (!world->idle.at[row]) return;
    body->velocity = kini_seen_velocity(world, row);
    world->idle.at[row] = 0;
    world->idle_count--;
    if (world->joining == 0 || !kini_takes_part(world, body->slot)) return;
    kini_clear((char *)body + offsetof(kini_body, turned_at), sizeof *body - offsetof(kini_body, turned_at));
    body->rank = world->order.count;
    world->order.at[world->order.count++] = row;
    if (world->joining == KINI_FALLEN) return;
    body->last_count = body->contact_count;
    body->contact_count = 0;
    kini_wish(world, row);
    kini_backup(world, body);
    world->late = true;
}

KINI_PART void kini_wake_all(kin_world *world) {
    int32_t i;
    for (i = 0; i < world->bodies.count; i++) kini_wake(world, i);
}

typedef struct kini_alarm {
    kin_world *world;
    kin_vec    lo, hi;
    bool       body;                  /* it is about a body: only those wake that take part */
    float      least;                 /* from there to where the nearest begins to look that did not wake */
} kini_alarm;

static float kini_hear(void *context, int32_t item) {
    kini_alarm       *alarm = (kini_alarm *)context;
    kin_world        *world = alarm->world;
    const kini_thing *thing = &world->things.at[item];
    float             away;
    if (!world->idle.at[thing->row] || (alarm->body && !kini_takes_part(world, (uint32_t)item))) return 1;
    away = kini_largest(kini_upper(kini_sub(alarm->lo, thing->hi), kini_sub(thing->lo, alarm->hi))) -
           kini_sight(world, &world->bodies.at[thing->row]);
    if (!alarm->body) away -= 2 * world->shapes.at[thing->shape].reach;   /* it looks for the cell under its middle */
    if (away <= 0) kini_wake(world, thing->row);
    else alarm->least = kini_lesser(alarm->least, away);
    return 1;
}

/* Wakes those that look at the box; how near others are, up to `clear`. */
static float kini_alarm_box(kin_world *world, kin_vec lo, kin_vec hi, bool body, float clear) {
    kin_vec    margin = kini_all(world->sight + clear);
    kini_alarm alarm;
    alarm.world = world; alarm.lo = lo; alarm.hi = hi; alarm.body = body; alarm.least = clear;
    if (world->stage == 10) world->rests = false;   /* bodies at rest have not looked at it yet */
    if (world->idle_count > 0)
        kini_tree_visit(&world->trees[KIN_BODY], kini_sub(lo, margin), kini_add(hi, margin), kini_vec_zero(),
                        kini_hear, &alarm);
    return alarm.least;
}

/* The leaf of a mover covers all of its way. */
KINI_PART void kini_disturb(kin_world *world, uint32_t slot) {
    const kini_thing *thing = &world->things.at[slot];
    const kini_tree  *tree = kini_tree_of(world, thing);
    int32_t           part = thing->kind == KIN_MOVER ? world->movers.at[thing->row].parts : -1;
    bool              advances = world->stage == 2 && !world->in_callback;   /* it is a mover, and only moves */
    if (!advances) world->edited = true;
    if (thing->kind == KIN_BODY) {
        world->crowd_changed = true;
        kini_wake(world, thing->row);
    }
    if (thing->leaf >= 0) {
        kin_vec lo, hi;
        kini_leaf_box(tree, thing->leaf, &lo, &hi);
        kini_alarm_box(world, lo, hi, thing->kind == KIN_BODY, 0);
        if (thing->kind != KIN_BODY && !advances) kini_level_changed(world, lo, hi);   /* else its leaf does */
    }
    for (; part >= 0; part = world->statics.at[part].next_part) kini_disturb(world, world->statics.at[part].slot);
}

/* Cells that are joined with it, or hidden by it, are beside it. */
KINI_PART void kini_disturb_cell(kin_world *world, const kini_grid *grid, kin_cell cell) {
    const kini_thing *thing = &world->things.at[grid->slot];
    kin_vec           lo, hi;
    kini_core_bounds(kini_cell_corner(grid, cell, 0.5f), kini_all(KINI_CELLS_AROUND * grid->cell), 0,
                     kini_pose(thing->p, thing->q), &lo, &hi);
    kini_level_changed(world, lo, hi);
    kini_alarm_box(world, lo, hi, false, 0);
}

KINI_PART void kini_watch(kin_world *world, int32_t row, kin_vec way) {
    kini_body *body = &world->bodies.at[row];
    kin_vec    lo, hi, clear;
    if (world->idle_count == 0) return;
    kini_around(world, body->slot, kini_vec_zero(), way, kini_sight(world, body), &lo, &hi);
    if (kini_box_holds(body->clear_lo, body->clear_hi, lo, hi)) return;
    clear = kini_all(kini_alarm_box(world, lo, hi, true, KINI_CLEAR * world->desc.unit));
    body->clear_lo = kini_sub(lo, clear);
    body->clear_hi = kini_add(hi, clear);
}

KINI_PART kin_vec kini_seen_velocity(const kin_world *world, int32_t row) {
    const kini_body *body = &world->bodies.at[row];
    if (world->joining == 0 || !world->idle.at[row] || !kini_takes_part(world, body->slot) || body->options.weightless)
        return body->velocity;
    return kini_madd(body->velocity, kini_gravity_of(world, body), body->options.gravity_scale * world->dt);
}

/* ---- becoming idle ----------------------------------------------------------------------------------------------- */
/* Zero to the last bit: a negative zero might become a positive one. */
KINI_PART bool kini_wants_nothing(const kini_body *body) {
    kin_vec  zero[4];   /* motion, velocity, leftover, given */
    uint32_t open = KINI_BODY_CRUSHED | KINI_BODY_TELEPORTED | KINI_BODY_DROPS | KINI_BODY_LETS_GO | KINI_BODY_RENEW;
    kini_clear(zero, sizeof zero);
    return !(body->state & open) &&
           kini_same_bytes((const char *)body + offsetof(kini_body, motion), zero, sizeof zero);
}

/* Has the last step left all of it as it was, and will the next? */
static bool kini_is_still(const kin_world *world, int32_t row) {
    const kini_body    *body = &world->bodies.at[row];
    const kini_thing   *thing = &world->things.at[body->slot];
    const kini_contact *now = kini_contacts_of(world, row);
    int32_t             i, count = body->contact_count;
    if (thing->flags & (KINI_REMOVED | KINI_PENDING)) return false;
    if (thing->flags & KINI_DISABLED)
        return count == 0 && body->last_count == 0 && !(body->state & KINI_BODY_TELEPORTED);
    if (!body->calm || !kini_wants_nothing(body) || body->state != body->last_state) return false;
    if (!kini_is_zero(body->wish) || !kini_is_zero(body->carry) || body->pushed_strength != 0) return false;
    if (!kini_same_bytes(&thing->q, &body->start.q, sizeof thing->q)) return false;
    if (!kini_same_bytes(&body->stand, &body->last, sizeof body->stand) || count != body->last_count) return false;
    if (!kini_is_nobody(body->stand.id) && !kini_is_live(world, body->stand.id)) return false;
    for (i = 0; i < count; i++)
        if (!kini_is_live(world, now[i].other)) return false;   /* its ENDED is still to be emitted */
    return kini_same_bytes(now, kini_last_contacts_of(world, row), (size_t)count * sizeof *now);
}

KINI_PART void kini_rest(kin_world *world) {
    int32_t i, k, before = world->idle_count;
    if (!world->rests || world->pending > 0) return;
    for (i = 0; i < world->bodies.count; i++) {
        const kini_body *body = &world->bodies.at[i];
        if (world->idle.at[i] || body->slot == 0 || !kini_is_still(world, i)) continue;
        world->idle.at[i] = KINI_IDLE;
        for (k = 0; k < body->contact_count; k++)
            if (kini_reports(world, body, kini_contacts_of(world, i)[k].other)) world->idle.at[i] = KINI_IDLE_TELLS;
        if (world->idle_count++ == 0) world->sight = 0;
        world->sight = kini_greater(world->sight, kini_sight(world, body) +
                                                  2 * world->shapes.at[world->things.at[body->slot].shape].reach);
    }
    for (i = 0; i < world->bodies.count && world->idle_count != before; i++)
        world->bodies.at[i].clear_lo = world->bodies.at[i].clear_hi = kini_vec_zero();
}

/* ---- loading a snapshot ------------------------------------------------------------------------------------------ */
static bool kini_same_row(const kin_world *world, const kini_view *view, int section, int32_t row) {
    const kini_section *table = kini_section_of(section);
    kini_rows           rows = kini_rows_of(world, section);
    return row < rows.count && row < view->head.rows[section] &&
           kini_same_bytes((const char *)rows.at + (size_t)row * table->stride,
                           view->buffer + view->from[section] + (size_t)row * table->lasts,
                           section == KINI_SAVES_SHAPES ? offsetof(kini_shape, users) : table->lasts);
}

/* Settings, and all of the level that is no row of a thing: every body depends on them. Of cells and faces the keys. */
static bool kini_same_basis(const kin_world *world, const kini_view *view) {
    const kini_setting *setting;
    int                 section;
    int32_t             i;
    for (i = 0; (setting = kini_setting_at(i))->field.at != offsetof(kin_world, time_left); i++)
        if (!kini_same_bytes((const char *)world + setting->field.at, (const char *)&view->was + setting->field.at,
                             setting->bytes)) return false;
    for (section = KINI_SAVES_SHAPES; section < KINI_SAVES_BULK; section++) {
        int32_t count = section == KINI_SAVES_EVENTS ? 0 : kini_rows_of(world, section).count;
        if (section != KINI_SAVES_EVENTS && view->head.rows[section] != count) return false;
        for (i = 0; i < count; i++)
            if (!kini_same_row(world, view, section, i)) return false;
    }
    return true;
}

/* Wakes what a snapshot will change; into world->found, the slots of those things in it: their number. */
KINI_PART int32_t kini_wake_changed(kin_world *world, const kini_view *view) {
    const unsigned char *contacts = view->buffer + view->from[KINI_SAVES_CONTACTS];
    const unsigned char *rows = view->buffer + view->from[KINI_SAVES_BODIES];
    int32_t              i, changed = 0, saved = view->head.rows[KINI_SAVES_BODIES];
    for (i = world->bodies.count; i < saved; i++) {
        world->idle.at[i] = 0;
        world->bodies.at[i].clear_lo = world->bodies.at[i].clear_hi = kini_vec_zero();
    }
    world->crowd_changed = true;
    if (world->idle_count > 0 && !kini_same_basis(world, view)) kini_wake_all(world);
    if (world->idle_count == 0) return 0;
    for (i = 1; i < world->things.count || i < view->head.rows[KINI_SAVES_THINGS]; i++) {
        const kini_thing *thing = &world->things.at[i];
        if (kini_same_row(world, view, KINI_SAVES_THINGS, i) &&
            (thing->kind == KIN_NOTHING || kini_same_row(world, view, KINI_SAVES_KIND + thing->kind, thing->row)))
            continue;
        if (i < world->things.count) kini_disturb(world, (uint32_t)i);
        if (i < view->head.rows[KINI_SAVES_THINGS]) world->found.at[world->found.capacity / 2 + changed++] = i;
    }
    for (i = 0; i < saved; i++) {   /* those that are still idle are as they were, but for their contacts */
        int32_t count;
        size_t  bytes;
        kini_copy(&count, rows + (size_t)i * KINI_BODY_LASTS + offsetof(kini_body, contact_count), sizeof count);
        bytes = (size_t)count * sizeof(kini_contact);
        if (i < world->bodies.count && world->idle.at[i] &&
            !kini_same_bytes(kini_contacts_of(world, i), contacts, bytes))
            kini_wake(world, i);
        contacts += bytes;
    }
    return changed;
}

/* ==== src/islands.c: a step on several threads of the game. ==========================================================
   Bodies are divided into batches, and a worker runs a stage for a batch on a copy of the world: all rows are shared,
   but scratch and order of bodies are its own. In stages 4 to 9 a batch holds whole islands: bodies whose leaves meet,
   that stand on each other, or touched in the last step. Meanwhile trees stay as they are, so that no body finds one of
   another batch while it stays and looks within its leaf. If one does not, if one wakes or the game is to be asked, its
   batch has escaped: all bodies go back and the calling thread runs the stages. The bits are the same either way. */

/* ---- batches ----------------------------------------------------------------------------------------------------- */
#define KINI_OWN_PART(member) \
    if ((copy.member.capacity /= world->desc.workers) > 0) copy.member.at += worker * copy.member.capacity

/* Called by the runner, on any thread. What is wrong is not done, but counted. */
static void kini_task(int first, int end, int worker, void *context) {
    kin_world *world = (kin_world *)context, copy;
    int32_t    workers = world->desc.workers, *busy = world->busy.at;
    bool       known = first >= 0 && first <= end && end <= world->batches.count && worker >= 0 && worker < workers;
    bool       alone = known && KINI_COUNT_BY(&busy[worker], 1) == 1;
    if (!alone) KINI_COUNT_BY(&busy[workers], 1);
    for (; alone && first < end; first++) {
        kini_batch *batch = &world->batches.at[first];
        if (KINI_COUNT_BY(&batch->begun, 1) > 1) { KINI_COUNT_BY(&busy[workers], 1); continue; }
        copy = *world;
        KINI_OWN_PART(found);
        KINI_OWN_PART(neighbours);
        KINI_OWN_PART(faces);
        KINI_OWN_PART(pieces);
        KINI_OWN_PART(sums);
        KINI_OWN_PART(known);
        KINI_OWN_PART(solids);
        copy.island = first + 1;
        world->work(&copy, batch->first, batch[1].first);
        batch->chosen = copy.order.count;
        batch->groups = copy.groups - world->groups;
        batch->cut_groups = copy.cut_groups - world->cut_groups;
        batch->overflowed = copy.overflowed;
        batch->crushed = copy.crushed;
        batch->shed = copy.shed;
        batch->far = copy.reached_limit;
        KINI_COUNT_BY(&batch->done, 1);
    }
    if (known) KINI_COUNT_BY(&busy[worker], -1);
}

/* Does what the runner has not done; one that has done wrong is called no more. False: a batch has escaped. */
KINI_PART bool kini_run_batches(kin_world *world, kini_work_fn *work) {
    kin_vec  far = kini_all(2 * KINI_FURTHEST);
    int32_t  i, groups = 0, cut = 0, count = world->batches.count, *wrong = &world->busy.at[world->desc.workers];
    bool     escaped = false;
    world->work = work;
    *wrong = 0;
    for (i = 0; i < count; i++)
        world->batches.at[i].begun = world->batches.at[i].done = world->batches.at[i].escaped = 0;
    world->desc.parallel(kini_task, count, world, world->desc.user);
    for (i = 0; i < count; i++)
        for (; KINI_COUNT_BY(&world->batches.at[i].done, 0) == 0; KINI_COUNT_BY(wrong, 1))
            kini_task(i, i + 1, 0, world);   /* if no other thread is at it */
    world->batches.count = 0;   /* a call that comes now finds nothing to do */
    if (KINI_COUNT_BY(wrong, 0) > 0) {
        world->desc.parallel = NULL;
        kini_refuse(world, "kin_world_step", "parallel",
                    "did not do each item once, by one of the workers, before it returned: it is called no more");
    }
    for (i = 0; i < count; i++) {
        const kini_batch *batch = &world->batches.at[i];
        escaped = escaped || batch->escaped;
        groups += batch->groups;
        cut += batch->cut_groups;
        world->overflowed = world->overflowed || batch->overflowed;
        world->crushed = world->crushed || batch->crushed;
        world->shed = world->shed || batch->shed;
        if (batch->far && !world->reached_limit) kini_limit_place(world, &far);   /* says so */
    }
    world->groups += groups;
    world->cut_groups += cut;
    return !escaped;
}

/* Batches of rows, or of places in a list, in order. False: too few. */
static bool kini_make_batches(kin_world *world, int32_t count) {
    int32_t i;
    if (!world->desc.parallel || count < 2 * KINI_BATCH) return false;
    world->batches.count = count / KINI_BATCH;
    for (i = 0; i < world->batches.count; i++) world->batches.at[i].first = i * KINI_BATCH;
    world->batches.at[i].first = count;
    return true;
}

/* Work on rows 0 .. count - 1, by batches if there is a runner. */
KINI_PART void kini_share_rows(kin_world *world, kini_work_fn *work, int32_t count) {
    if (kini_make_batches(world, count)) kini_run_batches(world, work);
    else work(world, 0, count);
}

/* The same for work that chooses rows: it lists them in world->order from place `first` on, and sets its count. */
KINI_PART void kini_choose_rows(kin_world *world, kini_work_fn *work, int32_t count) {
    int32_t i, from, batches;
    if (!kini_make_batches(world, count)) { work(world, 0, count); return; }
    batches = world->batches.count;
    kini_run_batches(world, work);
    for (i = world->order.count = 0; i < batches; i++)
        for (from = world->batches.at[i].first; from < world->batches.at[i].chosen; from++)
            world->order.at[world->order.count++] = world->order.at[from];
}

/* ---- islands ----------------------------------------------------------------------------------------------------- */
/* The lowest row, or rank, of the bodies that a body is known to be with. In the list they count from 1. */
static int32_t kini_first_with(int32_t *with, int32_t row) {
    while (with[row] != row + 1) {
        with[row] = with[with[row] - 1];
        row = with[row] - 1;
    }
    return row;
}

/* Bodies that met are a group; cut short is one with a body that was tested as often as may be, or put back whole. */
KINI_PART void kini_count_groups(kin_world *world) {
    int32_t *with = world->queue.at, *flags = world->neighbours.at, i, k;
    if (!kini_crowd_meets(world)) return;
    for (i = 0; i < world->order.count; i++) { with[i] = i + 1; flags[i] = 0; }
    for (i = 0; i < world->order.count; i++) {
        const kini_body    *body = &world->bodies.at[world->order.at[i]];
        const kini_contact *list = kini_contacts_of(world, world->order.at[i]);
        for (k = 0; k < body->contact_count; k++) {
            const kini_thing *other = &world->things.at[list[k].other.slot];
            int32_t           a, b;
            if (other->kind != KIN_BODY || !kini_pair_solid(world, body->slot, list[k].other.slot)) continue;
            a = kini_first_with(with, i);
            b = kini_first_with(with, world->bodies.at[other->row].rank);
            with[a > b ? a : b] = (a > b ? b : a) + 1;
        }
    }
    for (i = 0; i < world->order.count; i++) {
        const kini_body *body = &world->bodies.at[world->order.at[i]];
        int32_t          first = kini_first_with(with, i);
        flags[first] |= (first != i ? 1 : 0) | (body->cut || body->tests < 0 ? 2 : 0);
    }
    for (i = 0; i < world->order.count; i++) {
        world->groups += flags[i] & 1;
        world->cut_groups += flags[i] == 3;
    }
}

static void kini_unite(kin_world *world, int32_t row, const kini_thing *other) {
    int32_t *with = world->islands.at, *sizes = world->queue.at, a, b, low;
    if (other->kind != KIN_BODY || with[other->row] == 0) return;
    a = kini_first_with(with, row);
    b = kini_first_with(with, other->row);
    if (a == b) return;
    low = a < b ? a : b;
    with[a + b - low] = low + 1;
    sizes[low] += sizes[a + b - low];
}

/* Its leaf holds all that a body is likely to do and to look at in this step. */
static void kini_cover_reach(kin_world *world, const kini_body *body) {
    kin_vec ride = kini_scale(body->stand.velocity, world->dt), down, lo, hi;
    float   far = 0.5f * kini_len(body->wish) + KINI_FAT * world->desc.unit;
    down = kini_scale(body->up, -kini_greater(body->options.snap, 0) - body->options.step_height);
    kini_around(world, body->slot, kini_vec_zero(), kini_add(body->wish, ride), far, &lo, &hi);
    kini_cover(world, body->slot, kini_lower(lo, kini_add(lo, down)), kini_upper(hi, kini_add(hi, down)));
}

/* Joins a body with the bodies that it may touch, and with those that its rows refer to. */
static void kini_join_near(kin_world *world, int32_t row) {
    const kini_body    *body = &world->bodies.at[row];
    const kini_thing   *thing = &world->things.at[body->slot];
    const kini_contact *list = kini_last_contacts_of(world, row);
    kin_vec             lo, hi;
    int32_t             i, count;
    kini_unite(world, row, &world->things.at[body->stand.id.slot]);
    for (i = 0; i < body->last_count; i++) kini_unite(world, row, &world->things.at[list[i].other.slot]);
    if (!kini_meets_bodies(world, body->slot)) return;
    kini_leaf_box(&world->trees[KIN_BODY], thing->leaf, &lo, &hi);
    count = kini_tree_collect(&world->trees[KIN_BODY], lo, hi, world->found.at, world->found.capacity);
    for (i = 0; i < count; i++) {
        const kini_thing *other = &world->things.at[world->found.at[i]];
        if (kini_layers_meet(thing, other)) kini_unite(world, row, other);
    }
}

/* Puts islands into batches, in order, and the bodies of each into world->shares, in theirs. */
static void kini_fill_batches(kin_world *world) {
    int32_t    *sizes = world->queue.at, *order = world->order.at, i, size = KINI_BATCH, number = 0;
    kini_batch *batches = world->batches.at;
    for (i = 0; i < world->order.count; i++) {
        int32_t *island = &sizes[kini_first_with(world->islands.at, order[i])];
        if (*island > 0) {   /* from now on, minus the number of its batch */
            if (size >= KINI_BATCH) { size = 0; batches[number++].first = 0; }
            size += *island;
            batches[number - 1].first += *island;
            *island = -number;
        }
        sizes[order[i]] = *island;
    }
    world->batches.count = number;
    for (i = 1; i < number; i++) batches[i].first += batches[i - 1].first;
    batches[number].first = world->order.count;
    for (i = world->order.count - 1; i >= 0; i--) {
        int32_t batch = world->islands.at[order[i]] = -sizes[order[i]];
        world->shares.at[--batches[batch - 1].first] = order[i];
    }
}

/* Divides world->order into batches; false: they are to be worked on as one, by the calling thread. */
KINI_PART bool kini_find_islands(kin_world *world) {
    int32_t i, count = world->order.count;
    if (!kini_make_batches(world, count)) return false;
    kini_clear(world->islands.at, (size_t)world->bodies.count * sizeof *world->islands.at);
    if (!kini_crowd_meets(world)) {
        kini_copy(world->shares.at, world->order.at, (size_t)count * sizeof *world->shares.at);
        return true;
    }
    for (i = 0; i < count; i++) {
        int32_t row = world->order.at[i];
        world->islands.at[row] = row + 1;
        world->queue.at[row] = 1;
        if (kini_meets_bodies(world, world->bodies.at[row].slot)) kini_cover_reach(world, &world->bodies.at[row]);
    }
    for (i = 0; i < count; i++) kini_join_near(world, world->order.at[i]);
    kini_fill_batches(world);
    return world->batches.count > 1;
}

/* ==== src/movers.c: stage 2. All movers advance before any body: the controller sets velocity and spin, the pose
   follows by the exact rigid motion, and bodies of this step see both the new pose and the motion that led to it. */

/* To the pose at the end of the step. kin_move_to arrives exactly and stands from then on. */
static void kini_mover_advance(kin_world *world, int32_t row) {
    kini_mover *mover = &world->movers.at[row], last = *mover;
    kini_thing *thing = &world->things.at[mover->slot];
    kin_pose    before = kini_pose(thing->p, thing->q), goal = before;
    bool        arrives = (mover->state & KINI_HAS_TARGET) != 0;
    mover->before = mover->drawn = before;
    mover->rate = mover->velocity;
    mover->turn_rate = mover->spin;
    if (arrives) {
        goal = mover->target;
        mover->turn_rate = kini_spin_scale(kini_spin_between(before.q, goal.q), 1 / world->dt);
        mover->spin = kini_spin_zero();
    } else {
        goal.p = kini_madd(goal.p, mover->velocity, world->dt);
        if (kini_spins(mover->spin))
            goal.q = kini_rot_unit(kini_compose(kini_spin_turn(mover->spin, world->dt), goal.q));
    }
    if (arrives || kini_limit_place(world, &goal.p)) {
        mover->velocity = kini_vec_zero();
        mover->rate = kini_scale(kini_sub(goal.p, before.p), 1 / world->dt);
    }
    mover->state = (uint8_t)(mover->state & KINI_STOPPED ? KINI_WAS_STOPPED : 0);
    if (!kini_same_bytes(mover, &last, sizeof last)) kini_disturb(world, mover->slot);
    if (kini_is_zero(kini_sub(goal.p, before.p)) && kini_same_rot(goal.q, before.q)) return;
    mover->state |= KINI_MOVED;
    kini_place(world, mover->slot, goal.p, goal.q);
}

/* Puts a mover back to where it was: it stands still in this step. */
KINI_PART void kini_mover_halt(kin_world *world, kini_mover *mover) {
    mover->rate = kini_vec_zero();
    mover->turn_rate = kini_spin_zero();
    mover->state &= (uint8_t)~KINI_MOVED;
    kini_place(world, mover->slot, mover->before.p, mover->before.q);
}

KINI_PART void kini_stage_movers(kin_world *world) {
    int32_t i, count = world->movers.count;   /* what controllers add takes part from the next step on */
    for (i = 0; i < count; i++) {
        const kini_mover *mover = &world->movers.at[i];
        if (kini_takes_part(world, mover->slot)) kini_call_control(world, mover->control, mover->slot);
    }
    for (i = 0; i < count; i++)
        if (kini_takes_part(world, world->movers.at[i].slot)) kini_mover_advance(world, i);
}

/* ==== src/gather.c: stage 3. Gravity, the controllers (which still see last step's ground and contacts), then the
   motion that each body wants. Nothing moves yet. */

/* A physical rider flies on with its speed when its ground falls away, along the normal, faster than gravity lets it
   follow. A normal that turns counts as it is in the middle of the step. */
static void kini_physical_rider(kin_world *world, kini_body *body) {
    const kini_stand *stand = &body->stand;
    kin_vec           now, change, out;
    float             fall = body->options.gravity_scale * world->dt;
    if (stand->footing != KIN_STABLE) return;
    now = kini_point_now(world, stand->id.slot, stand->point);
    out = kini_sub(kini_point_now(world, stand->id.slot, kini_add(stand->point, stand->normal)), now);
    out = kini_unit(kini_add(out, stand->normal));
    change = kini_sub(kini_velocity_at(world, stand->id.slot, stand->part, now), stand->velocity);
    fall *= kini_dot(kini_gravity_of(world, body), out);
    if (kini_dot(change, out) >= fall - KINI_SLOW * world->desc.unit) return;
    kini_leave_ground(body, stand->velocity);
    kini_stand_nowhere(body);
}

/* Is a reshaped ground still within snap below the body? The ground may have moved in this step, the body has not. */
static bool kini_is_still_above(const kin_world *world, const kini_body *body) {
    const kini_thing *thing = &world->things.at[body->slot];
    uint32_t          slot = body->stand.id.slot;
    kini_solid        solid = kini_solid_of(world, thing);
    float             way = 2 * kini_touch_at(world, thing->p) + kini_snap(body);
    kin_pose          before = kini_pose_at(world, slot, 0);
    kin_pose          now = kini_pose(world->things.at[slot].p, world->things.at[slot].q);
    kin_rot           turn = kini_rot_unit(kini_compose(now.q, kini_compose(kini_inverse(before.q), thing->q)));
    kin_pose          from = kini_pose(kini_to_world(now, kini_to_local(before, thing->p)), turn);
    kin_hit           hit;
    return kini_thing_cast(world, slot, &solid, from, kini_scale(body->up, -way), &hit);
}

/* Can what the body stood on at the end of the last step still hold it? */
static bool kini_still_holds(const kin_world *world, const kini_body *body, uint32_t slot) {
    const kini_thing *ground = &world->things.at[slot];
    if (!kini_meets(world, body->slot, slot) || (ground->flags & KINI_SENSOR)) return false;
    if (ground->kind == KIN_BODY && !kini_pair_solid(world, body->slot, slot)) return false;
    return !((ground->flags | world->things.at[body->slot].flags) & KINI_RESHAPED) || kini_is_still_above(world, body);
}

/* A ground that was teleported, switched off or taken from under their feet leaves its riders behind. */
static void kini_lose_ground(kin_world *world, kini_body *body) {
    kin_id ground = body->stand.id;
    bool   off;
    if (kini_is_nobody(ground) || !kini_is_live(world, ground)) return;
    off = !kini_still_holds(world, body, ground.slot);
    if (!off && !(world->things.at[ground.slot].flags & KINI_SHIFTED)) return;
    if (off && body->stand.footing == KIN_STABLE) kini_leave_ground(body, body->stand.velocity);
    kini_stand_nowhere(body);
}

/* Velocity given by pushes ends with them, unless the body is in the air or glides. Lasting pushes give it again. */
static void kini_shed(kin_world *world, kini_body *body) {
    float   given = kini_len(body->given), kept;
    kin_vec along;
    if (!(given > 0) || body->options.glide) return;
    if (body->stand.footing != KIN_STABLE && !kini_is_floating(world, body)) return;
    along = kini_scale(body->given, 1 / given);
    kept = kini_clamp(kini_dot(body->velocity, along), 0, given);
    body->velocity = kini_madd(body->velocity, along, -kept);
    if (kini_len2(body->velocity) < KINI_ROUNDED_AWAY2 * given * given) body->velocity = kini_vec_zero();
    body->shed = kini_scale(along, kept);
    body->given = kini_vec_zero();
    if (!kini_is_zero(body->shed)) world->shed = true;
}

/* Equals that a body, right behind them, pushes on, still as fast as what it gave away, keep what pushes gave them, and
   are queued: each may push on others. */
static void kini_keep_pushed(kin_world *world, int32_t row, kin_vec velocity) {
    const kini_body    *body = &world->bodies.at[row];
    const kini_contact *list = kini_last_contacts_of(world, row);
    int32_t             i;
    for (i = 0; i < body->contact_count && body->options.push == KIN_PUSHABLE; i++) {   /* not yet its last_count */
        uint32_t   slot = list[i].other.slot;
        kini_body *other;
        float      speed;
        if (world->things.at[slot].kind != KIN_BODY || !kini_still_beside(world, body->slot, list[i].other)) continue;
        other = &world->bodies.at[world->things.at[slot].row];
        if (kini_is_zero(other->shed) || other->keeps) continue;
        speed = kini_len(other->shed);
        if (kini_dot(kini_neg(list[i].normal), other->shed) < KINI_MOSTLY * speed) continue;
        if (!(kini_dot(velocity, other->shed) >= KINI_NEARLY_ALL * speed * speed)) continue;
        other->keeps = true;
        world->queue.at[world->queue.count++] = world->things.at[slot].row;
    }
}

/* A row of equals that push each other on keeps what pushes gave. First all push with their own velocity, then each
   with what it keeps as well, so that the order does not matter. */
static void kini_keep_rows(kin_world *world) {
    int32_t i;
    world->queue.count = 0;
    for (i = 0; i < world->order.count; i++)
        kini_keep_pushed(world, world->order.at[i], world->bodies.at[world->order.at[i]].velocity);
    for (i = 0; i < world->queue.count; i++) {
        const kini_body *body = &world->bodies.at[world->queue.at[i]];
        kini_keep_pushed(world, world->queue.at[i], kini_add(body->velocity, body->shed));
    }
}

static void kini_fall_rows(kin_world *world, int32_t first, int32_t end) {
    for (; first < end; first++) {
        kini_body *body = &world->bodies.at[first];
        if (world->idle.at[first] || !kini_takes_part(world, body->slot)) continue;
        if (world->rests) body->calm = kini_wants_nothing(body);
        if (!(body->state & (KINI_BODY_TELEPORTED | KINI_BODY_MOVED))) body->last = body->stand;
        body->last_state = body->state;
        if (world->edited || world->shifted > 0) kini_lose_ground(world, body);
        body->shed = kini_vec_zero();
        body->keeps = false;
        if (!kini_is_zero(body->given)) kini_shed(world, body);
        if (body->options.weightless) continue;
        if (body->options.ride == KIN_RIDE_PHYSICAL && !kini_is_floating(world, body)) kini_physical_rider(world, body);
        body->velocity = kini_madd(body->velocity, kini_gravity_of(world, body),
                                   body->options.gravity_scale * world->dt);
    }
}

static void kini_wish_rows(kin_world *world, int32_t first, int32_t end) {
    for (; first < end; first++) {
        kini_body *body = &world->bodies.at[first];
        world->done.at[first] = 0;
        if (world->idle.at[first]) continue;   /* both lists are the same */
        body->last_count = body->contact_count;
        body->contact_count = 0;
        if (body->state & KINI_BODY_MOVED) kini_drop_fresh(kini_last_contacts_of(world, first), &body->last_count);
        if (kini_takes_part(world, body->slot)) kini_wish(world, first);
    }
}

static void kini_awake_rows(kin_world *world, int32_t first, int32_t end) {
    world->order.count = first;
    for (; first < end; first++)
        if (!world->idle.at[first] && kini_takes_part(world, world->bodies.at[first].slot))
            world->order.at[world->order.count++] = first;
}

/* Lists bodies that are awake and take part, in world->order, with those that they wake. */
KINI_PART void kini_spread(kin_world *world) {
    int32_t i;
    kini_choose_rows(world, kini_awake_rows, world->bodies.count);
    for (i = 0; i < world->order.count && world->idle_count > 0; i++)
        kini_watch(world, world->order.at[i], kini_scale(world->bodies.at[world->order.at[i]].velocity, world->dt));
}

/* The box of a body along what it wants and what it rides, as far as it looks for ground and contacts. */
static void kini_wanted_box(const kin_world *world, const kini_body *body, kin_vec *lo, kin_vec *hi) {
    kin_vec own = kini_add(kini_add(body->velocity, body->shed), body->leftover), ride = kini_vec_zero(), low, high;
    float   margin = 2 * kini_touch_at(world, world->things.at[body->slot].p);
    if (body->stand.footing == KIN_STABLE) ride = kini_scale(body->stand.velocity, world->dt);
    own = kini_scale(kini_limit_speed(world, own), world->dt);
    kini_around(world, body->slot, kini_vec_zero(), own, margin, lo, hi);
    *lo = kini_lower(*lo, kini_add(*lo, ride));
    *hi = kini_upper(*hi, kini_add(*hi, ride));
    own = kini_scale(body->up, -kini_greater(body->options.snap, 0) - body->options.step_height);
    kini_around(world, body->slot, kini_vec_zero(), own, margin, &low, &high);
    *lo = kini_lower(*lo, low);
    *hi = kini_upper(*hi, high);
}

/* Asks `collide` about all pairs that may meet without a push, in order of slots. */
static void kini_ask_pairs(kin_world *world) {
    kin_vec  way = kini_vec_zero(), lo, hi, low, high;   /* the longest way of any body */
    int32_t  i, count, *found = world->found.at, room = world->found.capacity;
    uint32_t slot;
    world->answering = true;
    kini_clear(world->answers.at, (size_t)world->bodies.count * sizeof *world->answers.at);
    for (i = 0; i < world->order.count; i++) {
        const kini_body *body = &world->bodies.at[world->order.at[i]];
        kini_wanted_box(world, body, &lo, &hi);
        way = kini_upper(way, kini_upper(kini_sub(world->things.at[body->slot].lo, lo),
                                         kini_sub(hi, world->things.at[body->slot].hi)));
    }
    for (slot = 1; slot < (uint32_t)world->things.count; slot++) {
        const kini_thing *thing = &world->things.at[slot];
        if (thing->kind != KIN_BODY || world->idle.at[thing->row] || !kini_takes_part(world, slot)) continue;
        kini_wanted_box(world, &world->bodies.at[thing->row], &lo, &hi);
        count = kini_tree_collect(&world->trees[KIN_STATIC], lo, hi, found, room);
        count += kini_tree_collect(&world->trees[KIN_MOVER], lo, hi, found + count, room - count);
        count += kini_tree_collect(&world->trees[KIN_BODY], kini_sub(lo, way), kini_add(hi, way), found + count,
                                   room - count);
        kini_sort_items(found, count);
        for (i = 0; i < count; i++) {
            const kini_thing *other = &world->things.at[found[i]];
            if (other->kind == KIN_BODY) {
                if ((uint32_t)found[i] <= slot) continue;   /* it has asked */
                kini_wanted_box(world, &world->bodies.at[other->row], &low, &high);
                if (!kini_boxes_meet(low, high, lo, hi)) continue;
            } else if (!kini_comes_near(world, other, lo, hi)) continue;
            kini_meets(world, slot, (uint32_t)found[i]);
        }
    }
    for (i = 0; i < world->order.count; i++) kini_lose_ground(world, &world->bodies.at[world->order.at[i]]);
}

KINI_PART void kini_stage_gather(kin_world *world) {
    kini_contacts was;
    int32_t       i, count = world->bodies.count;   /* what controllers add takes part from the next step on */
    world->order.count = 0;
    world->shed = false;
    for (i = 0; i < count && world->shifted > 0; i++) {
        const kini_body *body = &world->bodies.at[i];
        if (world->idle.at[i] && kini_is_live(world, body->stand.id) &&
            !kini_still_holds(world, body, body->stand.id.slot))
            kini_wake(world, i);
    }
    kini_share_rows(world, kini_fall_rows, count);
    world->edited = false;
    world->joining = KINI_FALLEN;
    for (i = 0; i < count && world->controls.count > 0; i++) {
        const kini_body *body = &world->bodies.at[i];
        if (kini_takes_part(world, body->slot)) kini_call_control(world, body->control, body->slot);
    }
    kini_spread(world);
    was = world->contacts;   /* those that this step is compared with */
    world->contacts = world->last_contacts;
    world->last_contacts = was;
    if (world->desc.collide) kini_ask_pairs(world);
    if (world->shed) kini_keep_rows(world);
    kini_share_rows(world, kini_wish_rows, world->bodies.count);
    world->joining = KINI_WISHED;
}

/* ==== src/pending.c: stage 1. What was added inside the last step takes part from now on. Removed things stay until
   their open contacts have ended in stage 10, without grounds that name them. */

KINI_PART void kini_stage_pending(kin_world *world) {
    int32_t i;
    if (world->pending == 0) return;
    world->pending = 0;
    kini_forget_kept(world);   /* which left out what was pending */
    for (i = 0; i < world->bodies.count; i++) {   /* a body whose ground is gone falls */
        kini_body *body = &world->bodies.at[i];
        if (body->slot == 0 || kini_is_nobody(body->stand.id) || kini_is_live(world, body->stand.id)) continue;
        if (body->stand.footing == KIN_STABLE) kini_leave_ground(body, body->stand.velocity);
        kini_stand_nowhere(body);
    }
    for (i = 1; i < world->things.count; i++) {
        kini_thing *thing = &world->things.at[i];
        if (thing->kind == KIN_NOTHING) continue;
        kini_set_flag(thing, KINI_PENDING, false);
        if (!(thing->flags & KINI_REMOVED)) continue;
        thing->flags |= KINI_GOING;
        world->going++;
    }
}

/* ==== src/coast.c: bodies in open space, for which stages 4, 5 and 8 need no search. =================================
   With the things around a body go its open space: places from which it reaches nothing but the level ground that it
   stands on and pieces lower than its feet. Motion within it hits nothing. A mover's rider may be carried downwards:
   for it, and in the air, all other pieces count. Within a part of it, the floor, a body touches nothing but the one
   piece that it stands on, and that with its level top.
   The results are those of the stages, bit for bit: a build that forgets its caches runs these instead. */

static bool kini_is_open(const kini_body *body, const kini_kept *kept, kin_vec at, float above) {
    return kept->open > 0 && kini_dot(at, body->up) >= kept->height + above &&
           kini_box_holds(kept->open_lo, kept->open_hi, at, at);
}

static bool kini_is_on_floor(const kini_body *body, const kini_kept *kept, kin_vec at) {
    return kept->floor == body->stand.id.slot && kept->part == body->stand.part &&
           kini_box_holds(kept->floor_lo, kept->floor_hi, at, at);
}

/* Is that way, from where it is, free of the level for one that coasts? False if it has to be looked for. */
KINI_PART bool kini_is_clear(const kin_world *world, int32_t row, kin_vec way) {
    const kini_kept *kept = &world->kept.at[row];
    const kini_body *body = &world->bodies.at[row];
    kin_vec          p = world->things.at[body->slot].p;
    return world->done.at[row] == KINI_COASTS && kept->carrier == 0 && kini_is_open(body, kept, p, 0) &&
           kini_is_open(body, kept, kini_add(p, way), 0) && !(kini_dot(way, body->up) < 0) &&
           !(kini_largest(kini_magnitudes(way)) > world->desc.unit);   /* swept in parts */
}

/* Cuts an open box where the body reaches the box lo..hi: on the side furthest from it, where `beside` is zero. */
static void kini_close_box(kin_vec lo, kin_vec hi, kin_vec at, kin_vec beside, kin_vec *open_lo, kin_vec *open_hi) {
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
                             const kini_obstacle *o) {
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
static bool kini_close_pieces(kin_world *world, const kini_body *body, kini_kept *kept) {
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
static void kini_measure_floor(const kin_world *world, const kini_body *body, kini_kept *kept) {
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
static void kini_measure_open(kin_world *world, const kini_body *body, kini_kept *kept) {
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

static int kini_level_contacts(const kin_world *world, const kini_contact *list, int count) {
    int i, level = 0;
    for (i = 0; i < count; i++) level += world->things.at[list[i].other.slot].kind != KIN_BODY;
    return level;
}

/* Is the way of the body, to `to` and on to `end`, open? Measures open space anew where that may help. */
static bool kini_find_open(kin_world *world, const kini_body *body, kini_kept *kept, kin_vec to, kin_vec end) {
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
                             const kini_mover **mover) {
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
static float kini_floor_gap(const kin_world *world, const kini_body *body, const kini_kept *kept, kin_vec p) {
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
static kin_vec kini_floor_point(const kin_world *world, const kini_body *body, const kini_kept *kept, kin_vec p) {
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

/* Has nothing but other bodies stopped, held or squeezed it in this step? */
KINI_PART bool kini_is_unhindered(const kin_world *world, int32_t row) {
    const kini_body *body = &world->bodies.at[row];
    uint32_t         held = KINI_BODY_CRUSHED | KINI_BODY_EMBEDDED | KINI_BODY_DROPS;
    return !(body->state & held) && body->squeezed_in[0] == 0 &&
           kini_level_contacts(world, kini_contacts_of(world, row), body->contact_count) == 0;
}

/* Bodies that one on its floor touches with its sides, one on each, nearest first; -1: there is more to find. */
typedef struct kini_side { kin_vec normal; float gap; uint32_t slot; } kini_side;

static int kini_find_beside(kin_world *world, const kini_body *body, kin_vec p, kini_side *list) {
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
static bool kini_stay_on_floor(kin_world *world, int32_t row, kin_vec p, bool known) {
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

/* Stages 7 to 9 of one that comes to a place there: it is still in the air, or on its floor. */
KINI_PART bool kini_stay_openly(kin_world *world, int32_t row, kin_vec p, bool known) {
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
static bool kini_may_coast(const kin_world *world, const kini_body *body) {
    return !KINI_FORGET && !body->calm && !world->desc.collide &&
           !(body->state & (KINI_BODY_CRUSHED | KINI_BODY_EMBEDDED | KINI_BODY_DROPS));
}

/* from where it is, beside its carrier */
KINI_PART bool kini_is_way_open(kin_world *world, int32_t row, kin_vec to) {
    kini_body *body = &world->bodies.at[row];
    kin_vec    way = kini_sub(to, world->things.at[body->slot].p);
    return kini_may_coast(world, body) && world->shifted == 0 &&
           kini_largest(kini_magnitudes(way)) <= world->desc.unit &&
           kini_find_open(world, body, &world->kept.at[row], to, to);
}

/* Stages 4 and 5 of a body that hits nothing, since it moves through open space; false: they have to look. */
KINI_PART bool kini_coast(kin_world *world, int32_t row) {
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

/* ==== src/carry.c: stage 4. A body that stands on something moving is swept along with it. ===========================
   An idle rider keeps its local place on its ground, so nothing is added up and nothing drifts. The sweep ignores
   the ground itself, unless something holds the rider back, and meets all other movers relative to their motion; those
   then stand still for this body in stage 5. */

/* How many bodies are below: the length of the chain of grounds, found once per body. */
static int32_t kini_depth(const kin_world *world, int32_t row) {
    const kini_body *body = &world->bodies.at[row];
    int32_t          below;
    for (below = 0; below < world->bodies.count; below++) {
        const kini_thing *ground = &world->things.at[body->stand.id.slot];
        if (body->depth >= 0) return below + body->depth;
        if (!kini_is_live(world, body->stand.id) || ground->kind != KIN_BODY) break;
        body = &world->bodies.at[ground->row];
    }
    return below;
}

/* Carriers before riders; then by distance from the origin, which mirroring keeps; of equal ones the lower slot. */
static bool kini_comes_before(const kini_body *a, const kini_body *b) {
    if (a->depth != b->depth) return a->depth < b->depth;
    if (a->outward < b->outward || a->outward > b->outward) return a->outward < b->outward;
    return a->slot < b->slot;
}

/* Sorts world->order, carriers before their riders, unless the order can matter to nothing. */
KINI_PART void kini_order_bodies(kin_world *world) {
    int32_t *order = world->order.at, i, count = world->order.count;
    bool     met = kini_company_is_kept(world);
    if (world->crowd_changed) world->crowd_layer = world->crowd_mask = 0;
    for (i = 0; i < world->bodies.count && world->crowd_changed; i++) {   /* idle ones as well */
        const kini_thing *thing = &world->things.at[world->bodies.at[i].slot];
        if (!kini_takes_part(world, world->bodies.at[i].slot)) continue;
        world->crowd_layer |= thing->layer;
        world->crowd_mask |= thing->mask;
    }
    world->crowd_changed = world->pending > 0;
    for (i = 0; i < world->bodies.count && !met; i++) world->kept.at[i].company_count = 0;
    if (!kini_crowd_meets(world) && world->stop_movers == 0) return;
    for (i = 0; i < count; i++) world->bodies.at[order[i]].depth = -1;
    for (i = 0; i < count; i++) {
        kini_body *body = &world->bodies.at[order[i]];
        body->depth = kini_depth(world, order[i]);
        body->outward = kini_len2(body->start.p);
    }
    KINI_SORT(int32_t, order, count, kini_comes_before(&world->bodies.at[*a], &world->bodies.at[*b]));
    for (i = 0; i < count; i++) world->bodies.at[order[i]].rank = i;
}

/* Where the ground, part of this mover or -1, takes the body. The conveyor's part renews the local place. */
static kin_vec kini_carry_target(kin_world *world, kini_body *body, const kini_thing *ground, int32_t mover,
                                 kin_carry mode) {
    kin_vec p = world->things.at[body->slot].p, to = p;
    if (mode != KIN_CARRY_NONE && (ground->kind == KIN_BODY || mover >= 0))
        to = kini_to_world(kini_carrier_pose(world, ground), body->stand.local);
    if (mode == KIN_CARRY_ACROSS_GRAVITY) to = kini_add(p, kini_across(kini_sub(to, p), body->up));
    if (ground->flags & KINI_CONVEYOR) {
        kin_vec run = kini_surface_velocity(world, body->stand.id.slot, body->stand.part);
        to = kini_madd(to, kini_across(run, body->stand.normal), world->dt);
        body->state |= KINI_BODY_RENEW;
    }
    return to;
}

/* In space a rider turns with its ground, about up only. */
static kin_rot kini_carried_turn(const kin_world *world, const kini_body *body, const kini_thing *ground, int32_t mover)
{
    kin_rot q = world->things.at[body->slot].q, before, turn;
    if (body->options.keep_facing || (mover < 0 && ground->kind != KIN_BODY)) return q;
    if (mover >= 0 && !kini_spins(world->movers.at[mover].turn_rate)) return q;
    before = mover >= 0 ? kini_pose_at(world, body->stand.id.slot, 0).q : world->bodies.at[ground->row].start.q;
    turn = kini_compose(ground->q, kini_inverse(before));
    return kini_rot_unit(kini_compose(kini_rot_unit(kini_turn_about(turn, body->up)), q));
}

/* Is all of the body, at `to`, above the plane it stands on, where the ground's turn has taken that? */
static bool kini_stays_above(const kin_world *world, const kini_body *body, const kini_thing *ground, kin_pose before,
                             const kini_solid *mine, kin_vec to, kin_rot turn) {
    kin_vec normal = kini_rotate(kini_compose(ground->q, kini_inverse(before.q)), body->stand.normal);
    kin_vec lowest = kini_madd(kini_solid_support(mine, turn, kini_neg(normal)), normal, -mine->radius);
    kin_vec point = kini_to_world(kini_pose(ground->p, ground->q), kini_to_local(before, body->stand.point));
    return kini_dot(kini_sub(kini_add(to, lowest), point), normal) >= -kini_skin_at(world, to);
}

/* A ground that turns runs into what does not turn with it: the rider is taken up as far as that needs, and stays up
   when the ground turns no further. */
static kin_vec kini_taken_up(const kin_world *world, kini_body *body, const kini_thing *ground, kin_vec to,
                             kin_rot turn) {
    kin_pose      before = kini_pose_at(world, body->stand.id.slot, 0);
    kini_solid    mine, theirs;
    kini_obstacle o;
    kini_way      ways[KINI_MAX_WAYS];
    int           i, count;
    if (ground->form != KINI_FORM_SHAPE || kini_same_rot(before.q, ground->q)) return to;
    mine = kini_solid_of(world, &world->things.at[body->slot]);
    if (kini_stays_above(world, body, ground, before, &mine, to, turn)) return to;
    theirs = kini_solid_of(world, ground);
    kini_obstacle_again(world, &o, 0, &theirs, kini_pose(kini_sub(ground->p, to), ground->q), &mine, turn);
    count = kini_obstacle_ways(&o, kini_vec_zero(), ways, KINI_MAX_WAYS);
    if (count == 0 || ways[0].length <= kini_skin_at(world, to)) return to;   /* stage 7 sees to that */
    for (i = 0; i < count; i++)
        if (kini_dot(ways[i].axis, body->stand.normal) > KINI_SAME_SIDE) {
            if (ways[i].length > 0.5f * mine.width) body->state |= KINI_BODY_RENEW;   /* a place on another side */
            return kini_madd(to, ways[i].axis, ways[i].length + kini_skin_at(world, to));
        }
    return to;
}

/* Sweeps it along without `skip` in the way. */
static void kini_carry_sweep(kin_world *world, const kini_body *body, kini_near *near, kini_slide *slide,
                             uint32_t skip, bool full) {
    float margin = 4 * slide->skin + slide->nudge;
    kini_near_motion(world, near, body->slot, skip, KINI_WITH_MOVERS, slide->travel, margin);
    kini_near_interval(near, 0, full ? 1.0f : 0.0f);
    slide->x = kini_vec_zero();
    kini_slide_run(world, near, slide);
}

/* How far it comes on its way. */
static kin_vec kini_carry_swept(kin_world *world, int32_t row, kin_vec to, uint32_t skip, bool full) {
    kini_body  *body = &world->bodies.at[row];
    kini_thing *thing = &world->things.at[body->slot];
    kin_vec     travel = kini_sub(to, thing->p);
    kini_near   near;
    kini_slide  slide;
    int         i;
    kini_slide_blank(&slide);
    slide.travel = travel;
    slide.skin = kini_skin_at(world, thing->p);
    slide.head = body->up;
    slide.feet = kini_walked_on(body);
    slide.nudge = body->options.corner_nudge;
    kini_carry_sweep(world, body, &near, &slide, skip, full);
    if (slide.count > 0 && near.skip != 0) {   /* a rider that is held back meets its ground */
        slide.travel = travel;
        kini_carry_sweep(world, body, &near, &slide, 0, full);
    }
    kini_note_squeeze(world, body, &slide);
    for (i = 0; i < slide.count; i++)   /* what only goes along with its ground does not press */
        if (slide.planes[i].push > kini_dot(travel, slide.planes[i].normal) + KINI_PRESSING * slide.skin)
            kini_note_press(body, &slide.planes[i]);
    if (slide.count > 0) body->state |= KINI_BODY_RENEW;
    if (slide.count > 0 || !kini_is_zero(kini_sub(slide.x, slide.travel))) to = kini_add(near.origin, slide.x);
    kini_note_planes(world, row, &slide, 1 / world->dt);
    return to;
}

static void kini_carry_body(kin_world *world, int32_t row) {
    kini_body  *body = &world->bodies.at[row];
    kini_thing *thing = &world->things.at[body->slot], *ground = &world->things.at[body->stand.id.slot];
    int32_t     mover = kini_mover_row(world, ground);
    kin_carry   mode = mover >= 0 ? (kin_carry)world->movers.at[mover].carry : KIN_CARRY_FULL;
    kin_vec     to = kini_carry_target(world, body, ground, mover, mode);
    kin_rot     turn = kini_carried_turn(world, body, ground, mover);
    uint32_t    slot = body->stand.id.slot, skip = 0;
    bool        full = mode == KIN_CARRY_FULL;
    if (full && mover >= 0) to = kini_taken_up(world, body, ground, to, turn);
    body->met = full;
    /* A moving ground does not block its rider; a still one with a belt does, and so do the other parts of a level. */
    if (mover >= 0 && (ground->form == KINI_FORM_SHAPE ||
                       kini_is_zero(kini_surface_velocity(world, slot, body->stand.part)))) skip = slot;
    if (skip == 0 || !kini_same_rot(turn, thing->q) || !kini_is_way_open(world, row, to))
        to = kini_carry_swept(world, row, to, skip, full);
    body->carry = kini_sub(to, thing->p);
    kini_shift(world, body->slot, to, turn);
}

/* Has its ground moved, or does its surface? */
static bool kini_rides(const kin_world *world, const kini_body *body) {
    kin_id            id = body->stand.id;
    const kini_thing *ground = &world->things.at[id.slot];
    if (body->stand.footing != KIN_STABLE || !kini_is_live(world, id) || !kini_takes_part(world, id.slot)) return false;
    if (!kini_is_zero(kini_surface_velocity(world, id.slot, body->stand.part))) return true;
    return kini_has_moved(world, ground) ||
           (ground->kind == KIN_BODY && !kini_is_zero(world->bodies.at[ground->row].carry));
}

KINI_PART void kini_stage_carry(kin_world *world) {
    int32_t i;
    for (i = 0; i < world->order.count; i++) {
        kini_body *body = &world->bodies.at[world->order.at[i]];
        if (kini_coast(world, world->order.at[i])) continue;
        body->state &= ~(uint32_t)KINI_BODY_RENEW;
        if (kini_rides(world, body)) kini_carry_body(world, world->order.at[i]);
    }
}

/* ==== src/pairs.c: stage 6. Body against body, one pass after the other. =============================================
   Detect: every pair whose relative motion, as stages 4 and 5 left it, meets.
   Resolve: along the normal the stronger keeps its motion and the weaker goes flush; equals stop where they met or
   exchange velocities. Strength: blocked by the level, pressed by a mover, unpushable, pushable; a pushed body pushes
   as strongly as its pusher. A push is swept; the rest comes back to the pusher, which is then blocked too. Moved
   bodies are tested again, so rows of any length move or stop in one step.
   Withdraw: undo pushes whose pusher was limited afterwards. Take along: riders follow their grounds. */

/* ---- strength ---------------------------------------------------------------------------------------------------- */
/* Blocked directions are kept for the step: the two last ones that differ. */
static void kini_block_way(kini_body *body, kin_vec direction) {
    if (kini_dot(body->blocked[0], direction) > KINI_SAME_SIDE) return;
    body->blocked[1] = body->blocked[0];
    body->blocked[0] = direction;
}

/* How strongly the body resists and pushes against `direction`. Its ground holds it from below; a lift only pushes. */
static int kini_strength(const kini_body *body, kin_vec direction) {
    int     strength = body->options.push == KIN_UNPUSHABLE ? KINI_STRENGTH_UNPUSHABLE : KINI_STRENGTH_PUSHABLE;
    kin_vec push;
    if (kini_dot(body->blocked[0], direction) > KINI_MOSTLY ||
        kini_dot(body->blocked[1], direction) > KINI_MOSTLY)
        return KINI_STRENGTH_BLOCKED;
    if (kini_stands(body) && kini_dot(direction, body->up) < -KINI_MOSTLY)
        return kini_dot(body->carry, body->up) > 0 ? KINI_STRENGTH_MOVER : KINI_STRENGTH_BLOCKED;
    push = kini_add(kini_sub(kini_sub(body->path, body->carry), body->own), body->pressed);
    if (kini_dot(body->pushed, direction) < 0 || kini_dot(push, direction) < -KINI_NEGLIGIBLE * body->drive)
        return body->pushed_strength > strength ? body->pushed_strength : strength;
    return strength;
}

/* ---- bodies on bodies -------------------------------------------------------------------------------------------- */
/* The part of the ground's motion, beyond its carry, that its rider was not pushed along yet; pushes that only undo
   the rider's own motion do not count. None for a rider that pushes its ground itself. If the ground was put back, an
   idle rider loses the same, less what it lost already, at most what it went. */
static kin_vec kini_way_along(const kin_world *world, const kini_body *body, const kini_body *ground) {
    kin_vec way = kini_sub(ground->path, ground->carry), back;
    float   has = kini_dot(kini_sub(kini_add(body->path, body->pressed), body->carry), way), went, behind;
    if (ground->pushed_by == world->things.at[body->slot].row) return kini_vec_zero();
    has -= kini_greater(kini_dot(body->own, way), 0);
    if (has > 0) way = kini_scale(way, 1 - kini_lesser(has / kini_len2(way), 1));
    back = kini_unit(way);
    if (!kini_is_zero(body->wish) || kini_dot(ground->carry, back) >= 0) return way;
    went = -kini_dot(body->path, back);
    behind = kini_greater(-kini_dot(ground->carry, back) - went, 0);
    if (went >= kini_len(way) && behind <= 0) return way;
    return kini_scale(back, kini_clamp(kini_len(way) - behind, 0, kini_greater(went, 0)));
}

/* How far a body is still to be taken along by its ground, which does not run into its rider unless it jumps. */
static kin_vec kini_way_to_come(const kin_world *world, const kini_body *body, const kini_body *ground) {
    bool comes = !world->taken && kini_carrier(world, body) == ground && !(kini_dot(ground->velocity, ground->up) > 0);
    return comes ? kini_way_along(world, body, ground) : kini_vec_zero();
}

/* The motion of a, seen from b. */
static kin_vec kini_path_seen(const kin_world *world, const kini_body *a, const kini_body *b) {
    kin_vec path = kini_sub(a->path, b->path);
    return kini_sub(kini_add(path, kini_way_to_come(world, a, b)), kini_way_to_come(world, b, a));
}

/* ---- detecting --------------------------------------------------------------------------------------------------- */
/* A lip lower than the slop is no side: the body that stands is lifted over it along `up`, as between two crates. */
static bool kini_meets_lip(const kin_world *world, const kini_body *body, const kini_obstacle *o, kin_vec up,
                           kini_meeting *out) {
    float lip = kini_obstacle_extent(o, up);
    if (!kini_stands(body) || kini_abs(kini_dot(out->normal, up)) > KINI_MOSTLY) return false;
    if (lip > kini_slop_at(world, body->start.p)) return false;
    out->normal = up;
    out->room = -lip - kini_skin_at(world, body->start.p);
    return true;
}

KINI_PART void kini_pair_obstacle(const kin_world *world, const kini_body *a, const kini_body *b, bool at_start,
                                  kini_obstacle *out, kini_sum *room) {
    const kini_thing *s = &world->things.at[a->slot], *t = &world->things.at[b->slot];
    const kini_shape *mine = &world->shapes.at[s->shape], *its = &world->shapes.at[t->shape];
    kin_vec           apart = at_start ? kini_sub(b->start.p, a->start.p) : kini_sub(t->p, s->p);
    if (mine->hull < 0 && its->hull < 0 && kini_is_unturned(s->q) && kini_is_unturned(t->q)) {   /* the same, at once */
        out->centre = kini_add(apart, kini_sub(its->centre, mine->centre));
        out->half = kini_add(its->half, mine->half);
        out->radius = its->radius + mine->radius;
        out->sum = NULL;
    } else {
        kini_solid body = kini_solid_of(world, s), piece = kini_solid_of(world, t);
        kini_obstacle_make(out, room, &piece, kini_pose(apart, t->q), &body, s->q);
    }
}

/* Do the paths of two bodies meet, and where? The normal points from j to i. */
static bool kini_paths_meet(const kin_world *world, int32_t i, int32_t j, kini_meeting *out) {
    const kini_body  *a = &world->bodies.at[i], *b = &world->bodies.at[j];
    const kini_thing *s = &world->things.at[a->slot], *t = &world->things.at[b->slot];
    kin_vec           back = kini_sub(kini_sub(a->start.p, s->p), kini_sub(b->start.p, t->p)), lo, hi;
    kini_probe        probe = kini_probe_still(kini_vec_zero(), kini_path_seen(world, a, b), kini_skin_at(world, s->p));
    kini_sum          sum;
    kini_piece        piece;
    kini_impact       impact;
    kini_around(world, a->slot, kini_vec_zero(), probe.travel, 3 * probe.skin, &lo, &hi);
    if (!kini_boxes_meet(kini_add(lo, back), kini_add(hi, back), t->lo, t->hi)) return false;   /* a quick look */
    kini_clear(&piece, sizeof piece);
    kini_pair_obstacle(world, a, b, true, &piece.obstacle, &sum);
    piece.flags = KINI_PIECE_BODY;
    if (!kini_meet_piece(&piece, &probe, &impact) || impact.depth > KINI_DEEP_PAIR * world->desc.unit) return false;
    out->i = i;
    out->j = j;
    out->normal = impact.normal;
    out->t = impact.touch;
    out->speed = -kini_dot(probe.travel, impact.normal);
    /* An overlap by rounding is pushed flush. */
    out->room = out->speed * impact.t - impact.depth;
    if (kini_meets_lip(world, a, &piece.obstacle, a->up, out) ||
        kini_meets_lip(world, b, &piece.obstacle, kini_neg(b->up), out))
        out->speed = -kini_dot(probe.travel, out->normal);
    return true;
}

/* Rows of the bodies near the path of one, by rank, into world->neighbours; their number. */
KINI_PART int kini_path_neighbours(kin_world *world, int32_t row) {
    const kini_body  *body = &world->bodies.at[row];
    const kini_thing *thing = &world->things.at[body->slot];
    kin_vec           back = kini_sub(body->start.p, thing->p), lo, hi, low, high;
    int               i, count, kept = 0;
    if (!kini_meets_bodies(world, body->slot)) return 0;
    kini_around(world, body->slot, kini_vec_zero(), back, kini_touch_at(world, thing->p), &lo, &hi);
    count = kini_collect_bodies(world, body->slot, lo, hi, world->neighbours.at, world->neighbours.capacity);
    if (count > world->neighbours.capacity) count = world->neighbours.capacity;
    for (i = 0; i < count; i++) {
        uint32_t         slot = (uint32_t)world->neighbours.at[i];
        const kini_body *other = &world->bodies.at[world->things.at[slot].row];
        if (slot == body->slot || !kini_takes_part(world, slot) || kini_is_foreign(world, body->slot, slot)) continue;
        kini_around(world, slot, kini_vec_zero(), kini_sub(other->start.p, world->things.at[slot].p), 0, &low, &high);
        /* Fat boxes must not affect results. */
        if (!kini_boxes_meet(low, high, lo, hi) || !kini_meets(world, body->slot, slot)) continue;
        if (kini_woken(world, world->things.at[slot].row)) world->neighbours.at[kept++] = other->rank;
    }
    kini_sort_items(world->neighbours.at, kept);
    for (i = 0; i < kept; i++) world->neighbours.at[i] = world->order.at[world->neighbours.at[i]];
    return kept;
}

/* Of the meetings of one pair in a step, the fastest is its contact. */
static void kini_note_pair(kin_world *world, const kini_meeting *meeting) {
    const kini_body    *a = &world->bodies.at[meeting->i];
    uint32_t            slot = world->bodies.at[meeting->j].slot;
    float               speed = meeting->speed / world->dt;
    const kini_contact *known = kini_find_contact(kini_contacts_of(world, meeting->i), a->contact_count,
                                                  kini_id_of(world, slot), -1);
    if (!known || known->speed < speed)
        kini_note_body(world, meeting->i, slot, meeting->normal, 0, speed, KINI_CONTACT_HIT);
}

static void kini_record(kin_world *world, int32_t row) {
    int k, count = kini_path_neighbours(world, row);
    for (k = 0; k < count; k++) {
        const kini_body *body = &world->bodies.at[row], *other = &world->bodies.at[world->neighbours.at[k]];
        kini_meeting     meeting;
        if (other->rank < body->rank && !kini_is_zero(other->path)) continue;   /* it asked first */
        if (!kini_paths_meet(world, row, world->neighbours.at[k], &meeting)) continue;
        if (!kini_pair_solid(world, body->slot, other->slot)) { kini_note_pair(world, &meeting); continue; }
        if (kini_no_room_to_meet(world)) return;
        world->meetings.at[world->meetings.count++] = meeting;
    }
}

/* ---- resolving --------------------------------------------------------------------------------------------------- */
static void kini_follow_up(kin_world *world, int32_t row) {
    kini_body *body = &world->bodies.at[row];
    if (body->queued) return;
    body->queued = true;
    world->queue.at[(world->queue_head + world->queue.count++) % world->queue.capacity] = row;
}

KINI_PART int32_t kini_next_queued(kin_world *world) {
    int32_t row = world->queue.at[world->queue_head];
    world->queue_head = (world->queue_head + 1) % world->queue.capacity;
    world->queue.count--;
    world->bodies.at[row].queued = false;
    return row;
}

/* The broad phase covers the whole path of the body, so that bodies that cross it find it. */
KINI_PART void kini_cover_path(kin_world *world, const kini_body *body) {
    kin_vec lo, hi, back = kini_sub(body->start.p, world->things.at[body->slot].p);
    kini_around(world, body->slot, kini_vec_zero(), back, 0, &lo, &hi);
    kini_cover(world, body->slot, lo, hi);
}

/* Moves a body this far from its start and queues it. Less than rounding error is ignored: a jam does not creep. */
KINI_PART void kini_set_path(kin_world *world, int32_t row, kin_vec path) {
    kini_body *body = &world->bodies.at[row];
    bool       jams = kini_is_zero(body->velocity) && kini_is_zero(body->leftover) && kini_is_zero(body->carry) &&
                body->pushed_strength != KINI_STRENGTH_MOVER;
    float      least = (jams ? KINI_OVERLAP : KINI_NO_MOTION) * world->desc.unit;
    body->path = kini_len2(path) < least * least ? kini_vec_zero() : path;
    if (kini_is_zero(body->path)) body->turned_at = body->start.p;   /* one-way surfaces see no motion */
    body->state |= KINI_BODY_RENEW;
    body->changed = ++world->turn;
    kini_shift(world, body->slot, kini_add(body->start.p, body->path), world->things.at[body->slot].q);
    kini_cover_path(world, body);
    kini_follow_up(world, row);
}

/* A hit on the level that comes later than the meeting never happens. */
static void kini_forget_hits(kin_world *world, int32_t row) {
    kini_body    *body = &world->bodies.at[row];
    kini_contact *list = kini_contacts_of(world, row);
    int32_t       i, kept = 0;
    for (i = 0; i < body->contact_count; i++)
        if (world->things.at[list[i].other.slot].kind == KIN_BODY || (list[i].flags & KINI_CONTACT_SENSOR))
            list[kept++] = list[i];
    body->contact_count = kept;
}

/* On stable ground a push turns along it and keeps its length along the push, within KINI_LONGER_PUSH. */
static kin_vec kini_push_along(const kini_body *body, kin_vec direction, float amount) {
    kin_vec way = kini_scale(direction, amount), turned;
    float   rise = kini_dot(direction, body->up), kept;
    if (!kini_stands(body) || kini_abs(rise) > KINI_MOSTLY) return way;
    turned = kini_turn_along(kini_across(way, body->up), kini_walked_on(body), body->up, false);
    kept = kini_dot(turned, direction);
    if (kept <= KINI_HARDLY * amount) return way;
    return kini_scale(turned, kini_lesser(amount / kept, KINI_LONGER_PUSH * amount / kini_len(turned)));
}

/* Notes that `by` can move a body in this step: the bound on its path grows with the longest motion behind all pushes
   that reached it, its own apart, so that no push grows between two contacts without end. */
KINI_PART void kini_note_drive(kini_body *body, const kini_body *by) {
    bool  further = by->drive > by->went && by->drive_by != body->slot;
    float drive = further ? by->drive : by->went;
    if (drive <= body->drive) return;
    body->drive = drive;
    body->drive_by = further ? by->drive_by : by->slot;
}

/* Shortens a translation to the longest path that this step allows: the body's own motion, the overlap it began with,
   and KINI_WEDGE_GAIN times the longest motion behind its pushers. */
static kin_vec kini_bounded_way(const kin_world *world, const kini_body *body, kin_vec way) {
    float most = body->went + KINI_WEDGE_GAIN * body->drive + body->overlap + KINI_SLOP * world->desc.unit;
    float a = kini_len2(way), b = kini_dot(body->path, way), room = most * most - kini_len2(body->path), s;
    if (a + 2 * b <= room) return way;
    if (room <= 0) return b < 0 ? way : kini_vec_zero();
    s = (kini_sqrt(b * b + a * room) - b) / a;
    return kini_scale(way, kini_clamp(s, 0, 1));
}

/* Sweeps a body on, to bring it along `direction`; how far it got. Surfaces clip `velocity`, unless that is NULL. */
static kin_vec kini_swept_way(kin_world *world, int32_t row, kin_vec direction, kin_vec way, int with,
                              kin_vec *velocity) {
    kini_body *body = &world->bodies.at[row];
    kini_near  near;
    kini_slide slide;
    body->calm = false;   /* it is pushed, even if it does not give way */
    way = kini_bounded_way(world, body, way);
    kini_clear(&slide, sizeof slide);
    slide.travel = way;
    slide.skin = kini_skin_at(world, world->things.at[body->slot].p);
    if (kini_stands(body)) slide.feet = kini_walked_on(body);
    slide.bodies = (with & KINI_WITH_BODIES) != 0;
    near.origin = world->things.at[body->slot].p;
    if (!(with & KINI_WITH_BODIES) && kini_is_clear(world, row, way)) slide.x = kini_add(slide.x, way);
    else {
        kini_near_motion(world, &near, body->slot, 0, with, slide.travel, 4 * slide.skin);
        kini_slide_run(world, &near, &slide);
        kini_note_planes(world, row, &slide, 1 / world->dt);
    }
    if (velocity && !kini_clip_level(velocity, slide.planes, slide.count, 1 / world->dt)) *velocity = kini_vec_zero();
    if (slide.count > 0 && (kini_dot(slide.x, direction) <= KINI_SIDEWAYS * kini_len(slide.x) ||
                            kini_len2(kini_bounded_way(world, body, slide.x)) < KINI_NEARLY_ALL * kini_len2(slide.x)))
        slide.x = kini_vec_zero();   /* only sideways, or too far aside */
    if (kini_is_zero(slide.x)) return slide.x;
    body->turned_at = kini_add(near.origin, slide.turned_at);   /* one-way surfaces see the motion of this push */
    kini_set_path(world, row, kini_add(body->path, slide.x));
    return slide.x;
}

/* Sweeps a body along a push; how far it got along it. */
KINI_PART float kini_swept_push(kin_world *world, int32_t row, kin_vec direction, float amount, int with) {
    kin_vec way = kini_push_along(&world->bodies.at[row], direction, amount);
    return kini_dot(kini_swept_way(world, row, direction, way, with, NULL), direction);
}

/* The direction in which a surface changes the velocity of a body, as the level does: ground along up; a steep side
   across it, and a side that leans over a body that stands. In the air, a bounce goes along the normal. */
static kin_vec kini_acts_along(const kin_world *world, const kini_body *body, kin_vec normal) {
    float   rise = kini_dot(normal, body->up);
    kin_vec flat = kini_unit(kini_across(normal, body->up));
    if (kini_is_floating(world, body) || kini_is_zero(flat)) return normal;
    if (body->options.bounce > 0 && !kini_stands(body)) return normal;
    if (rise >= body->stable_cos) return body->up;
    if (kini_stands(body)) return rise > -KINI_MOSTLY ? flat : normal;
    return rise >= KINI_SIDEWAYS && kini_dot(body->velocity, flat) < 0 ? flat : normal;
}

/* Takes back the body's path; how far it got. A mover that pushed it there may then crush it; any more is a push like
   others. A way back longer than the body may lead behind a wall that it went around: then it stays where it began. */
static float kini_put_back(kin_world *world, int32_t row, kin_vec direction, float amount) {
    kini_body        *body = &world->bodies.at[row];
    const kini_thing *thing = &world->things.at[body->slot];
    kin_vec           path = body->path, to;
    float             own = kini_clamp(-kini_dot(path, direction), 0, amount);
    kini_near         near;
    if (own > 0) kini_swept_push(world, row, direction, own, 0);
    if (own > kini_largest(kini_sub(thing->hi, thing->lo))) {
        to = body->path;
        kini_set_path(world, row, kini_vec_zero());
        kini_near_motion(world, &near, body->slot, 0, 0, to, 0);
        if (kini_free_part(world, &near, kini_vec_zero(), to) >= 1) kini_set_path(world, row, to);
    }
    if (amount > own) kini_swept_push(world, row, direction, amount - own, KINI_WITH_MOVERS);
    return kini_dot(kini_sub(body->path, path), direction);
}

/* The carry that a body still has: being put back takes its own motion first. */
static kin_vec kini_carry_left(const kini_body *body) {
    float whole = kini_len2(body->carry), own = kini_lesser(kini_dot(body->own, body->carry), 0);
    if (!(whole > 0)) return body->carry;
    return kini_scale(body->carry, kini_clamp((kini_dot(body->path, body->carry) - own) / whole, 0, 1));
}

/* The same from a further side: along the side before, so that no gap opens there and jams do not shake. From a steep
   side it goes back the way it came before it is lifted: a body's corner gives no more height than a static's. */
static float kini_part_from(kin_world *world, int32_t row, kin_vec n, float amount) {
    kini_body *body = &world->bodies.at[row];
    float      both = kini_dot(n, body->held), part, done = 0, flat;
    kin_vec    way = both > 0 && both < KINI_SAME_FACING ? kini_unit(kini_madd(n, body->held, -both)) : n;
    kin_vec    side = kini_dot(n, body->up) > KINI_SIDEWAYS ? kini_acts_along(world, body, n) : n;
    part = kini_dot(n, side);
    flat = kini_lesser(kini_dot(kini_sub(kini_carry_left(body), body->path), side), amount / part);
    body->held = n;
    if (part < KINI_SAME_NORMAL && flat > 0 && kini_dot(side, body->up) < 0.5f)
        done = part * kini_put_back(world, row, side, flat);
    if (done >= amount) return done;
    part = kini_dot(n, way);
    return done + part * kini_put_back(world, row, way, (amount - done) / part);
}

/* `own` is the part of the gain that it keeps as its own, as by a bounce; the rest was given. */
static void kini_give_velocity(kini_body *body, kin_vec direction, float speed, float own) {
    float gain = speed - kini_dot(body->velocity, direction);
    body->velocity = kini_madd(body->velocity, direction, gain);
    body->given = kini_madd(body->given, direction, gain * (1 - own));
}

/* How much of an approach comes back between two bodies: the larger bounce of both counts. */
static float kini_bounce_of(const kin_world *world, const kini_body *a, const kini_body *b, float approach) {
    float bounce = kini_greater(a->options.bounce, b->options.bounce);
    return bounce > 0 && approach > kini_least_bounce(world, a) && approach > kini_least_bounce(world, b) ? bounce : 0;
}

/* Takes from a velocity what is more than `most` along a direction, first of all what others gave. */
static void kini_stop_along(kini_body *body, kin_vec direction, float most) {
    float into = kini_dot(body->velocity, direction) - most;
    if (!(into > 0)) return;
    body->velocity = kini_madd(body->velocity, direction, -into);
    body->given = kini_madd(body->given, direction, -kini_clamp(kini_dot(body->given, direction), 0, into));
}

/* How fast the body goes by what carries the lowest of its stack or, in the air, by what is left of that. */
static kin_vec kini_ridden(const kin_world *world, const kini_body *body) {
    const kini_body *ground;
    int32_t          below = world->bodies.count;
    while (below-- > 0 && (ground = kini_carrier(world, body)) != NULL) body = ground;
    if (body->stand.footing != KIN_STABLE) return body->leftover;
    if (!kini_is_live(world, body->stand.id)) return kini_vec_zero();
    return kini_velocity_at(world, body->stand.id.slot, body->stand.part,
                            kini_point_now(world, body->stand.id.slot, body->stand.point));
}

/* How much faster one is carried along a direction than another: velocities are relative to the ground of each. */
static float kini_carried_past(const kin_world *world, const kini_body *one, const kini_body *other, kin_vec direction)
{
    bool same = one->stand.footing == KIN_STABLE && other->stand.footing == KIN_STABLE &&
                kin_same(one->stand.id, other->stand.id);
    return same ? 0 : kini_dot(kini_sub(kini_ridden(world, one), kini_ridden(world, other)), direction);
}

/* Sweeps a body along a push with `speed` along `its`; how far it got. `kept` is the velocity that the level leaves. */
static float kini_push_on(kin_world *world, int32_t row, kin_vec direction, float amount, kin_vec its, float speed,
                          kin_vec *kept) {
    kini_body *body = &world->bodies.at[row];
    kin_vec    way = kini_push_along(body, direction, amount);
    float      rise;
    *kept = kini_madd(body->velocity, its, kini_greater(speed - kini_dot(body->velocity, its), 0));
    rise = kini_dot(*kept, body->up);
    way = kini_swept_way(world, row, direction, way, KINI_WITH_MOVERS, kept);
    if (kini_is_zero(way)) *kept = way;
    /* A push against a surface gives no height. */
    rise = kini_dot(*kept, body->up) - rise;
    if (rise > 0 && !kini_is_floating(world, body)) *kept = kini_madd(*kept, body->up, -rise);
    return kini_dot(way, direction);
}

/* How far a body comes along a direction; a pushed body as far as its pusher. */
static float kini_comes(const kini_body *body, kin_vec direction) {
    float comes = kini_dot(body->path, direction);
    if (body->pushed_by < 0 || kini_dot(body->pushed, direction) < KINI_SAME_SIDE) return comes;
    return kini_greater(comes, body->pushed_from);
}

/* The carry along n that two bodies have in common is the motion of neither. */
static float kini_common_carry(const kini_body *a, const kini_body *b, kin_vec n) {
    float x = kini_dot(n, kini_carry_left(a)), y = kini_dot(n, kini_carry_left(b));
    if (x > 0 && y > 0) return kini_lesser(x, y);
    return x < 0 && y < 0 ? kini_greater(x, y) : 0;
}

/* An unpushable gives way only as far as it came. A body that runs into it and has no room beside goes back its path,
   less its carry, and stops; how far that brings it away. One that a mover presses has no way back. */
static float kini_back_out(kin_world *world, int32_t row, const kini_body *other, kin_vec away, float amount) {
    kini_body *body = &world->bodies.at[row];
    kin_vec    carry = kini_carry_left(body), way = kini_sub(body->path, carry), came = kini_sub(other->path, carry);
    float      rest = amount - kini_clamp(kini_dot(came, away), 0, amount), most = kini_len(way), part;
    kin_vec    side;
    way = kini_unit(way);
    part = -kini_dot(way, away);
    if (other->options.push != KIN_UNPUSHABLE || body->pushed_strength == KINI_STRENGTH_MOVER) return 0;
    if (rest <= KINI_SHORTFALL * kini_skin_at(world, body->start.p) || part < KINI_GRAZING) return 0;
    kini_block_way(body, way);
    side = kini_across(away, way);   /* it keeps the velocity across both */
    side = kini_len2(side) > KINI_ONE_LINE2 ? kini_unit(side) : kini_vec_zero();
    body->velocity = kini_across(kini_across(body->velocity, way), side);
    body->given = kini_across(kini_across(body->given, way), side);
    return part * kini_put_back(world, row, kini_neg(way), kini_lesser(rest / part, most));
}

/* Records a push, and how far pusher and body had then come along it, in place of meetings that are resolved. */
static void kini_note_push(kin_world *world, int32_t by, int32_t row, float back) {
    const kini_body *pusher = &world->bodies.at[by];
    kini_body       *body = &world->bodies.at[row];
    kini_meeting    *push;
    body->pushed_from = kini_comes(pusher, body->pushed);
    body->pushed_by = by;
    if (kini_no_room_to_meet(world)) return;
    push = &world->meetings.at[world->meetings.count++];
    push->i = row;
    push->j = by;
    push->normal = body->pushed;
    push->speed = kini_dot(pusher->path, body->pushed) - kini_greater(back, 0);
    push->room = kini_dot(body->path, body->pushed);
}

/* The weaker goes flush with the stronger; the part that the level blocks comes back. One that only returns some of the
   way that it was pushed before is still pushed by that one. */
static void kini_push(kin_world *world, int32_t by, int32_t row, kin_vec direction, float amount) {
    kini_body *pusher = &world->bodies.at[by], *body = &world->bodies.at[row];
    float      tolerance = KINI_SHORTFALL * kini_skin_at(world, body->start.p), back;
    kin_vec    mine = kini_neg(kini_acts_along(world, pusher, kini_neg(direction)));
    kin_vec    its = kini_acts_along(world, body, direction);
    kin_vec    kept = kini_vec_zero();
    float      past = kini_carried_past(world, pusher, body, mine), speed, along, bounce;
    int        strength = kini_strength(pusher, kini_neg(direction));
    bool       blocked = strength == KINI_STRENGTH_BLOCKED, returns;
    bool       stands = pusher->pushed_by < 0 &&   /* it only stands in the way: the body has run into it */
                  kini_dot(pusher->path, direction) <= kini_common_carry(pusher, body, direction);
    kini_note_drive(body, pusher);
    kini_note_drive(pusher, body);
    if (blocked) {
        amount -= kini_back_out(world, by, body, kini_neg(direction), amount);
        if (amount <= tolerance) return;
        kini_block_way(body, kini_neg(direction));   /* the block passes back through the row */
    }
    returns = blocked && body->pushed_by >= 0 && kini_dot(body->pushed, direction) < 0;
    if (!returns) {
        body->pushed = direction;
        body->pushed_strength = (uint8_t)(blocked ? KINI_STRENGTH_UNPUSHABLE : strength);
    }
    speed = kini_dot(pusher->velocity, mine) + past;
    back = amount - (blocked || stands ? kini_part_from(world, row, direction, amount)
                                       : kini_push_on(world, row, direction, amount, its, speed, &kept));
    if (!returns) kini_note_push(world, by, row, back);
    if (back <= tolerance) {
        float rest = blocked ? 0 : speed;
        along = rest - kini_dot(body->velocity, its);
        bounce = kini_bounce_of(world, pusher, body, along);
        if (bounce > 0) speed = kini_greater(speed, rest + bounce * along);
        if (speed > kini_dot(body->velocity, its)) kini_give_velocity(body, its, speed, bounce);
        return;
    }
    kini_block_way(body, direction);
    kini_block_way(pusher, direction);
    along = kini_dot(kept, its);
    if (along <= KINI_FAINT * kini_abs(speed)) {
        along = 0;
        kini_stop_along(body, its, 0);
    } else {
        body->given = kini_add(body->given, kini_sub(kept, body->velocity));
        body->velocity = kept;
    }
    kini_stop_along(pusher, mine, along > 0 ? kini_greater(along - past, 0) : 0);
    /* Nor does it go against its pusher. */
    kini_stop_along(body, kini_neg(its), -kini_lesser(kini_dot(pusher->velocity, mine) + past, along));
    back -= kini_back_out(world, row, pusher, direction, back);
    if (back <= tolerance) return;
    kini_forget_hits(world, by);
    kini_part_from(world, by, kini_neg(direction), back);
}

/* Was the pusher limited after it pushed, and the body is still further than its own motion? Then undoes all pushes on
   it and the speed that this one gave; pushers that are still behind it push it again. */
static bool kini_withdraw(kin_world *world, const kini_meeting *push) {
    kini_body *body = &world->bodies.at[push->i], *pusher = &world->bodies.at[push->j];
    float      lost = push->speed - kini_dot(pusher->path, push->normal), speed, excess;
    float      went = kini_dot(body->path, push->normal), gap = went - push->room + lost;
    kin_vec    own = kini_add(body->carry, body->own), its;
    went -= kini_greater(kini_dot(own, push->normal), 0);
    if (body->cut || body->pushed_strength == KINI_STRENGTH_MOVER) return false;
    if (!(kini_lesser(kini_lesser(lost, gap), went) > kini_skin_at(world, body->start.p))) return false;
    its = kini_acts_along(world, body, push->normal);
    speed = kini_dot(body->velocity, its);
    excess = speed - kini_dot(pusher->velocity, its) - kini_carried_past(world, pusher, body, its);
    excess = kini_lesser(excess, kini_dot(body->given, its));
    if (excess > 0) kini_give_velocity(body, its, speed - excess, 0);
    body->turned_at = body->start.p;
    kini_set_path(world, push->i, own);
    return true;
}

/* Was something flush with the body at the end of the last step, right in this direction? */
static bool kini_is_ahead(const kin_world *world, const kini_body *body, const kini_contact *contact, kin_vec direction)
{
    return kini_dot(contact->normal, direction) <= -KINI_SAME_NORMAL &&
           kini_is_flush(world, world->things.at[body->slot].row, contact) &&
           kini_still_beside(world, body->slot, contact->other);
}

/* Is the body held in this direction, by one of its two last answers? -1: not known. */
static int kini_answered(const kini_body *body, kin_vec direction) {
    if (kini_dot(body->answered[0], direction) > KINI_ANSWERED) return body->answer[0];
    return kini_dot(body->answered[1], direction) > KINI_ANSWERED ? body->answer[1] : -1;
}

/* Puts a body on world->found, once in a search. */
static void kini_find_once(kin_world *world, int32_t row, int32_t from, int32_t *count) {
    kini_body *body = &world->bodies.at[row];
    if (body->asked == world->asked) return;
    body->asked = world->asked;
    body->asked_by = from;
    world->found.at[(*count)++] = row;
}

static void kini_answer(kini_body *body, kin_vec direction, bool held) {
    body->answered[1] = body->answered[0];
    body->answer[1] = body->answer[0];
    body->answered[0] = direction;
    body->answer[0] = held;
}

/* Is a body held by what is right ahead of it: the level or an unpushable that does not go away faster than `goes`, or
   a pushable that is known to be held? If it is not known, it is put on world->found. */
static bool kini_held_ahead(kin_world *world, int32_t row, kin_vec direction, float goes, int32_t *count) {
    const kini_contact *list = kini_last_contacts_of(world, row);
    int32_t             i;
    for (i = 0; i < world->bodies.at[row].last_count; i++) {
        const kini_thing *thing = &world->things.at[list[i].other.slot];
        if (!kini_is_ahead(world, &world->bodies.at[row], &list[i], direction)) continue;
        if (thing->kind == KIN_BODY && world->bodies.at[thing->row].options.push == KIN_PUSHABLE) {
            int known = kini_answered(&world->bodies.at[thing->row], direction);
            if (known < 0) kini_find_once(world, thing->row, row, count);
            else if (known > 0) return true;
        } else {
            kin_vec point = kini_meeting_point(world, world->bodies.at[row].slot, list[i].other.slot, list[i].part,
                                               list[i].normal);
            if (kini_dot(kini_rate_at(world, list[i].other.slot, point), direction) <= goes) return true;
        }
    }
    return false;
}

/* Would speed along a direction only press the body on a holder, or on a row with one? Answers last for the step. */
static bool kini_is_held(kin_world *world, int32_t row, kin_vec direction) {
    kini_body *body = &world->bodies.at[row];
    float      rounding = KINI_SLOW * world->desc.unit + KINI_FAR_ULPS * kini_far(body->start.p) / world->dt;
    float      goes = kini_dot(kini_ridden(world, body), direction) + rounding;
    int32_t    count = 0, i;
    int        known = kini_answered(body, direction);
    if (known >= 0) return known > 0;
    world->asked++;
    kini_find_once(world, row, -1, &count);
    for (i = 0; i < count; i++) {
        row = world->found.at[i];
        if (!kini_held_ahead(world, row, direction, goes, &count)) continue;
        for (; row >= 0; row = world->bodies.at[row].asked_by) kini_answer(&world->bodies.at[row], direction, true);
        return true;
    }
    while (count > 0) kini_answer(&world->bodies.at[world->found.at[--count]], direction, false);
    return false;
}

/* Two pushables exchange velocities along the normal; a held one gets nothing that presses it on, but bounces back. */
static void kini_exchange(kin_world *world, const kini_meeting *meeting, kin_vec an, kin_vec bn, float bounce) {
    kini_body *a = &world->bodies.at[meeting->i], *b = &world->bodies.at[meeting->j];
    kin_vec    n = meeting->normal;
    float      va = kini_dot(a->velocity, an), vb = kini_dot(b->velocity, bn), back, first;
    bool       held_a, held_b;
    if (va >= vb) return;
    held_a = vb > 0 && kini_is_held(world, meeting->i, n);
    held_b = va < 0 && kini_is_held(world, meeting->j, kini_neg(n));
    if (bounce > 0 && held_a != held_b) {
        back = -bounce * (held_a ? vb : va);
        first = held_a ? va : vb;
        vb = kini_greater(first, back);
        va = kini_lesser(first, back);
        held_a = held_b = false;
    }
    bounce = kini_greater(a->options.bounce, b->options.bounce);   /* slow ones keep what they got as well */
    kini_give_velocity(a, an, held_a ? 0 : vb, bounce);
    kini_give_velocity(b, bn, held_b ? 0 : va, bounce);
    if (!held_a && !held_b) return;
    kini_block_way(a, kini_neg(n));
    kini_block_way(b, n);
}

/* Equals go to where they met, or bounce from there: unpushables stop or turn back, pushables exchange velocities. */
static void kini_part_equals(kin_world *world, const kini_meeting *meeting, float lack) {
    kini_body *a = &world->bodies.at[meeting->i], *b = &world->bodies.at[meeting->j];
    kin_vec    n = meeting->normal, an = kini_acts_along(world, a, n);
    kin_vec    bn = kini_neg(kini_acts_along(world, b, kini_neg(n)));
    float      va = kini_dot(a->velocity, an), vb = kini_dot(b->velocity, bn);
    float      both = kini_common_carry(a, b, n), share = 0.5f, bounce = kini_bounce_of(world, a, b, vb - va);
    float      mine = kini_greater(kini_comes(a, kini_neg(n)) + both, 0);
    float      theirs = kini_greater(kini_comes(b, n) - both, 0);
    bool       swap = a->options.push == KIN_PUSHABLE && b->options.push == KIN_PUSHABLE && a->pushed_strength == 0 &&
                b->pushed_strength == 0;
    if (mine + theirs > 0) share = mine / (mine + theirs);
    kini_note_drive(a, b);
    kini_note_drive(b, a);
    kini_forget_hits(world, meeting->i);
    kini_forget_hits(world, meeting->j);
    mine = lack * (swap && bounce > 0 ? 1 : (1 + bounce) * share);
    theirs = lack * (swap && bounce > 0 ? 1 : (1 + bounce) * (1 - share));
    if (mine > 0) kini_part_from(world, meeting->i, n, mine);
    if (theirs > 0) kini_part_from(world, meeting->j, kini_neg(n), theirs);
    if (swap) { kini_exchange(world, meeting, an, bn, bounce); return; }
    if (va > vb && kini_greater(a->options.bounce, b->options.bounce) > 0) return;   /* they have bounced */
    a->velocity = kini_across(a->velocity, an);
    b->velocity = kini_across(b->velocity, bn);
    if (bounce > 0) {
        a->velocity = kini_madd(a->velocity, an, bounce * (va * vb > 0 ? vb : -va));
        b->velocity = kini_madd(b->velocity, bn, bounce * (va * vb > 0 ? va : -vb));
    }
    a->given = kini_across(a->given, an);
    b->given = kini_across(b->given, bn);
    kini_block_way(a, kini_neg(n));   /* their pushers have to stop as well */
    kini_block_way(b, n);
}

/* A body clips leftover as the level does: no more of it goes into the other than that has of its own. */
static void kini_clip_leftover(const kin_world *world, kini_body *body, const kini_body *other, kin_vec normal) {
    kin_vec along;
    float   into;
    if (kini_is_zero(body->leftover)) return;
    along = kini_acts_along(world, body, normal);
    into = kini_lesser(kini_dot(other->velocity, along), 0) - kini_dot(body->leftover, along);
    if (into > 0) body->leftover = kini_madd(body->leftover, along, into);
}

/* ---- weights ----------------------------------------------------------------------------------------------------- */
/* Finds the bodies that one of a row moves along: pushables right ahead, and riders; none for the pusher. Returns how
   much those right behind it can push; KINI_FLT_MAX: anything, as a mover. */
static float kini_find_moved(kin_world *world, int32_t row, int32_t pusher, kin_vec direction, int32_t *count) {
    const kini_contact *list = kini_last_contacts_of(world, row);
    float               limit = 0;
    int32_t             i;
    for (i = 0; i < world->bodies.at[row].last_count; i++) {
        uint32_t          slot = list[i].other.slot;
        const kini_thing *thing = &world->things.at[slot];
        float             side = kini_dot(list[i].normal, direction);
        const kini_body  *other;
        if (!kini_is_flush(world, row, &list[i])) continue;
        if (!kini_still_beside(world, world->bodies.at[row].slot, list[i].other)) continue;
        if (side > KINI_MOSTLY && kini_comes_on(world, slot, direction)) return KINI_FLT_MAX;
        if (thing->kind != KIN_BODY || thing->row == pusher || row == pusher) continue;
        other = &world->bodies.at[thing->row];
        if (kini_carrier(world, other) == &world->bodies.at[row] ||
            (side < -KINI_MOSTLY && other->options.push == KIN_PUSHABLE))
            kini_find_once(world, thing->row, row, count);
        else if (side > KINI_MOSTLY && other->options.push == KIN_UNPUSHABLE &&
                 kini_dot(other->wish, direction) > 0) {
            if (kini_equal(other->options.max_push, 0)) return KINI_FLT_MAX;
            limit += kini_greater(other->options.max_push, 0);
        }
    }
    return limit;
}

/* Is a row too heavy for all that push it? One that was next in it is not: it was weighed with the first. */
static bool kini_is_too_heavy(kin_world *world, int32_t by, int32_t row, kin_vec direction) {
    const kini_body    *body = &world->bodies.at[by];
    const kini_contact *next;
    float               weight = 0, limit;
    int32_t             i, count = 0;
    if (kini_dot(body->path, direction) <= 0) return false;   /* it only stands in the way */
    next = kini_find_contact(kini_last_contacts_of(world, by), body->last_count,
                             kini_id_of(world, world->bodies.at[row].slot), -1);
    if (body->options.push == KIN_PUSHABLE && next && kini_is_ahead(world, body, next, direction)) return false;
    world->asked++;
    kini_find_once(world, row, by, &count);
    for (i = 0; world->bodies.at[by].options.push == KIN_PUSHABLE && world->bodies.at[by].pushed_by >= 0; i++) {
        if (i == world->bodies.count) return false;
        kini_find_once(world, by, by, &count);
        by = world->bodies.at[by].pushed_by;
    }
    limit = world->bodies.at[by].options.max_push;
    if (kini_equal(limit, 0) || world->bodies.at[by].options.push != KIN_UNPUSHABLE) return false;
    limit = kini_greater(limit, 0) + kini_find_moved(world, by, by, direction, &count);
    for (i = 0; i < count; i++) {
        limit += kini_find_moved(world, world->found.at[i], by, direction, &count);
        weight += world->bodies.at[world->found.at[i]].options.weight;
    }
    return weight > limit * (1 + KINI_WEIGHT_ERROR);
}

static void kini_resolve(kin_world *world, kini_meeting meeting) {
    kini_body *a = &world->bodies.at[meeting.i], *b = &world->bodies.at[meeting.j];
    kin_vec    n = meeting.normal;
    float      lack = -kini_dot(n, kini_path_seen(world, a, b)) - meeting.room;
    int        sa = kini_strength(a, n), sb = kini_strength(b, kini_neg(n));
    kini_note_pair(world, &meeting);
    if (lack <= KINI_SHORTFALL * kini_skin_at(world, a->start.p)) return;
    kini_clip_leftover(world, a, b, n);
    kini_clip_leftover(world, b, a, kini_neg(n));
    if (sa == KINI_STRENGTH_UNPUSHABLE && sb < sa && kini_is_too_heavy(world, meeting.i, meeting.j, kini_neg(n))) {
        kini_block_way(b, kini_neg(n));
        sb = KINI_STRENGTH_BLOCKED;
    } else if (sb == KINI_STRENGTH_UNPUSHABLE && sa < sb && kini_is_too_heavy(world, meeting.j, meeting.i, n)) {
        kini_block_way(a, n);
        sa = KINI_STRENGTH_BLOCKED;
    }
    if (sa == KINI_STRENGTH_MOVER && sb == sa) {   /* each gives way as far as it has room and the movers let it */
        float done;
        kini_note_drive(a, b);
        kini_note_drive(b, a);
        done = kini_swept_push(world, meeting.i, n, 0.5f * lack, KINI_WITH_MOVERS);
        done += kini_swept_push(world, meeting.j, kini_neg(n), lack - done, KINI_WITH_MOVERS);
        if (done < lack) done += kini_swept_push(world, meeting.i, n, lack - done, KINI_WITH_MOVERS);
        lack -= done;
        if (lack <= KINI_SHORTFALL * kini_skin_at(world, a->start.p)) return;
    }
    if (sa > sb) kini_push(world, meeting.i, meeting.j, kini_neg(n), lack);
    else if (sb > sa) kini_push(world, meeting.j, meeting.i, n, lack);
    else kini_part_equals(world, &meeting, lack);
}

/* Tests moved bodies against their neighbours until none moves, each at most KINI_MOST_TESTS times, four
   times as often if a mover drives it. A pair of which neither has moved since the other was tested is known. */
static void kini_run_queue(kin_world *world) {
    while (world->queue.count > 0) {
        int32_t    row = kini_next_queued(world);
        kini_body *body = &world->bodies.at[row];
        int        k, count;
        if (body->tests <= (body->pushed_strength == KINI_STRENGTH_MOVER ? -3 * KINI_MOST_TESTS : 0)) continue;
        body->tests--;
        body->tested = ++world->turn;
        count = kini_path_neighbours(world, row);
        for (k = 0; k < count; k++) {
            const kini_body *other = &world->bodies.at[world->neighbours.at[k]];
            kini_meeting     meeting;
            if (other->tested > body->changed && other->tested > other->changed) continue;
            if (!kini_pair_solid(world, body->slot, other->slot)) continue;
            if (kini_paths_meet(world, row, world->neighbours.at[k], &meeting)) kini_resolve(world, meeting);
        }
    }
}

/* Undoes pushes that ended, from pusher to pushed along whole rows. True if there were any. */
KINI_PART bool kini_withdraw_all(kin_world *world) {
    int32_t i;
    bool    more = true, any = false;
    for (; more; any = any || more)
        for (more = false, i = 0; i < world->meetings.count; i++)
            if (kini_withdraw(world, &world->meetings.at[i])) more = true;
    return any;
}

/* ---- taking riders along ----------------------------------------------------------------------------------------- */
/* From where an idle rider is to its place on what it stands on. */
static kin_vec kini_way_home(const kin_world *world, const kini_body *body) {
    const kini_thing *under = &world->things.at[body->stand.id.slot];
    return kini_sub(kini_to_world(kini_pose(under->p, under->q), body->stand.local), world->things.at[body->slot].p);
}

/* Takes a body along with what its ground moved beyond its carry, if more than `least`; an idle one keeps its place. */
static void kini_take_along(kin_world *world, int32_t row, float least) {
    kini_body       *body = &world->bodies.at[row];
    const kini_body *ground = kini_carrier(world, body);
    kin_vec          way;
    bool             renew = (body->state & KINI_BODY_RENEW) != 0;
    if (ground == NULL) return;
    way = renew ? kini_way_along(world, body, ground) : kini_way_home(world, body);
    if (kini_len2(way) <= least * least) return;
    kini_note_drive(body, ground);
    kini_swept_way(world, row, kini_unit(way), way, KINI_WITH_MOVERS, NULL);
    kini_follow_up(world, row);   /* its ground may run into one that is held */
    if (!renew) body->state &= ~(uint32_t)KINI_BODY_RENEW;
}

/* A ground that was put back after that takes back idle riders that nothing else pushed. A rider that is kept from its
   place has a new one. True if it moved. */
static bool kini_take_back(kin_world *world, int32_t row) {
    kini_body       *body = &world->bodies.at[row];
    const kini_body *ground = body->depth > 0 ? kini_carrier(world, body) : NULL;
    float            far = kini_far(body->start.p), least = KINI_LEAST_MOTION * world->desc.unit + far;
    kin_vec          home;
    bool             renew = (body->state & KINI_BODY_RENEW) != 0, pushed = body->pushed_by >= 0;
    if (ground == NULL || (renew && !kini_is_zero(body->own))) return false;
    if (renew && pushed && &world->bodies.at[body->pushed_by] != ground) return false;
    home = kini_add(body->path, kini_way_home(world, body));
    if (kini_len2(home) <= least * least) {   /* where it was there is room, though no sweep may come so near */
        bool moves = !kini_is_zero(body->path);
        if (moves) kini_set_path(world, row, kini_vec_zero());
        body->state &= ~(uint32_t)KINI_BODY_RENEW;
        return moves;
    }
    if (renew && !pushed) return false;
    body->state &= ~(uint32_t)KINI_BODY_RENEW;
    home = body->path;
    kini_take_along(world, row, least);
    least += KINI_FAR_ULPS * far;   /* rounding is no obstacle */
    if (kini_len2(kini_way_home(world, body)) > least * least) body->state |= KINI_BODY_RENEW;
    return !kini_is_zero(kini_sub(body->path, home));
}

static void kini_take_riders(kin_world *world) {
    int32_t i, round;
    bool    any = true, again = true;   /* bodies whose pushes were undone are queued, and carried again */
    world->taken = true;
    for (round = 0; any && round < world->desc.max_rounds; round++) {
        for (i = 0; i < world->order.count && again; i++) {
            const kini_body *body = &world->bodies.at[world->order.at[i]];
            if (body->depth > 0 && (round == 0 || body->queued))
                kini_take_along(world, world->order.at[i], KINI_CARRIED * world->desc.unit);
        }
        kini_run_queue(world);
        any = again = kini_withdraw_all(world);
        for (i = 0; i < world->order.count; i++)
            if (kini_take_back(world, world->order.at[i])) any = true;
    }
    kini_run_queue(world);
}

/* ---- the stage --------------------------------------------------------------------------------------------------- */
static void kini_begin_pairs(kin_world *world) {
    const size_t scratch = offsetof(kini_body, blocked);
    int32_t      i;
    world->queue_head = world->queue.count = world->meetings.count = world->asked = world->turn = 0;
    world->taken = false;
    for (i = 0; i < world->order.count; i++) {
        kini_body *body = &world->bodies.at[world->order.at[i]];
        float      on;
        kini_clear((char *)body + scratch, offsetof(kini_body, shed) - scratch);
        body->path = kini_sub(world->things.at[body->slot].p, body->start.p);
        body->own = kini_sub(body->path, body->carry);
        body->went = kini_len(kini_add(body->carry, body->own));
        on = kini_dot(kini_sub(body->own, body->wish), body->pushed);   /* that a mover pushed it in its sweep */
        if (body->pushed_strength == KINI_STRENGTH_MOVER && on > 0) body->pressed = kini_scale(body->pushed, on);
        body->tests = KINI_MOST_TESTS;
        if (!kini_is_zero(body->path) && kini_meets_bodies(world, body->slot)) kini_cover_path(world, body);
    }
}

/* Earlier meetings first; of equal ones by rank. */
static bool kini_meets_before(const kin_world *world, const kini_meeting *a, const kini_meeting *b) {
    if (a->t < b->t || a->t > b->t) return a->t < b->t;
    if (a->i != b->i) return world->bodies.at[a->i].rank < world->bodies.at[b->i].rank;
    return world->bodies.at[a->j].rank < world->bodies.at[b->j].rank;
}

KINI_PART void kini_stage_pairs(kin_world *world) {
    int32_t i, count;
    if (!kini_crowd_meets(world)) return;
    kini_begin_pairs(world);
    for (i = 0; i < world->order.count; i++)
        if (!kini_is_zero(world->bodies.at[world->order.at[i]].path)) kini_record(world, world->order.at[i]);
    KINI_SORT(kini_meeting, world->meetings.at, world->meetings.count, kini_meets_before(world, a, b));
    count = world->meetings.count;
    world->meetings.count = 0;
    for (i = 0; i < count; i++) kini_resolve(world, world->meetings.at[i]);
    kini_run_queue(world);
    for (i = 0; i < world->desc.max_rounds && kini_withdraw_all(world); i++) kini_run_queue(world);
    kini_take_riders(world);
}

/* ==== src/apart.c ================================================================================================= */
/* apart.c: stage 7, body against body. Bodies that overlap are moved apart before they are taken out of the level:
   pushables yield to unpushables, equals share, a body that stands is moved along its ground. The last round puts those
   that have no room beside each other on top. Each move is swept and at most half a body wide; velocity stays. */

/* The translation that takes a away from b: the shortest (of length `depth`) for a slight overlap, for a deep one
   across up, or `over` the other where there was no room beside it. */
static bool kini_way_apart(const kin_world *world, const kini_body *a, const kini_body *b, bool over, kini_way *out,
                           float *depth) {
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
static bool kini_is_jam(const kin_world *world, kini_body *a, kini_body *b, float depth) {
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
static void kini_cut(kin_world *world, int32_t row) {
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
static void kini_cut_jam(kin_world *world, int32_t i, int32_t j) {
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
static float kini_move_apart(kin_world *world, int32_t row, kin_vec direction, float amount) {
    float most = 0.5f * kini_solid_of(world, &world->things.at[world->bodies.at[row].slot]).width;
    if (!(amount > 0)) return 0;
    return kini_swept_push(world, row, direction, kini_lesser(amount, most), KINI_WITH_MOVERS | KINI_WITH_BODIES);
}

/* If one is blocked, the other moves. An overlap is not handed on to other bodies. */
static void kini_take_apart(kin_world *world, int32_t i, int32_t j, const kini_way *way) {
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
static bool kini_apart_round(kin_world *world, int32_t row, int32_t round) {
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

KINI_PART void kini_stage_apart(kin_world *world) {
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
static float kini_count_here(void *context, int32_t item) {
    kini_here        *here = (kini_here *)context;
    const kini_thing *thing = &here->world->things.at[item];
    uint32_t          slot = (uint32_t)item;
    if (!kini_takes_part(here->world, slot) || !kini_boxes_meet(thing->lo, thing->hi, here->at.p, here->at.p)) return 1;
    if (here->all <= KINI_HEAP && kini_thing_gap(here->world, slot, &here->dot, here->at, 0) < 0) here->all++;
    if (here->world->bodies.at[thing->row].rank < here->rank) here->before++;
    return 1;
}

/* The numbers of bodies in their heaps; 0: the first, or not in a heap. */
static void kini_number_rows(kin_world *world, int32_t first, int32_t end) {
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

static void kini_scatter(kin_world *world, kini_body *body, int32_t number) {
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

/* Of 7, before 6: bodies that were put on one spot. */
KINI_PART void kini_scatter_heaps(kin_world *world) {
    int32_t i;
    if (world->order.count <= KINI_HEAP || !kini_crowd_meets(world)) return;
    kini_share_rows(world, kini_number_rows, world->order.count);
    for (i = 0; i < world->order.count; i++) {
        kini_body *body = &world->bodies.at[world->order.at[i]];
        if (body->asked > 0) kini_scatter(world, body, body->asked);
    }
}

/* ==== src/depenetrate.c: stage 7. Moves a body out of what it overlaps: movers first, statics last, so that no body
   ends in a wall, in at most max_rounds rounds.

   The shortest separating translation is taken that is free (it is swept) and at most half the body's width; where one
   leads into other surfaces, those of up to KINI_DIM of them are combined. Velocity is never added.

   A body with others beside it leaves a deep overlap before stage 6, which pushes those along or puts it back: stacks
   and rows leave as one. */

/* How the body has moved in this step, seen from the piece. */
static kin_vec kini_relative_motion(const kin_world *world, const kini_body *body, const kini_piece *piece) {
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
KINI_PART kin_vec kini_start_seen(const kin_world *world, const kini_body *body, const kini_piece *piece) {
    int32_t row = kini_mover_row(world, &world->things.at[piece->slot]);
    if (row < 0 || !(world->movers.at[row].state & KINI_MOVED))
        return kini_sub(body->turned_at, world->things.at[body->slot].p);
    return kini_neg(kini_relative_motion(world, body, piece));
}

/* A press keeps its direction: a squeezed body comes out where it touched the mover, as on a lift that goes down again,
   not out of the mover's other sides, nor away from what holds it. */
static bool kini_keeps_direction(const kin_world *world, const kini_body *body, kin_id id, kin_vec axis) {
    const kini_contact *list = kini_last_contacts_of(world, world->things.at[body->slot].row);
    const kini_contact *contact = kini_find_contact(list, body->last_count, id, -1);
    return contact && kini_dot(contact->normal, axis) > KINI_SAME_SIDE && !kini_leaves_holder(world, body, id, axis);
}

/* One way out, if need be combined with those out of what it leads into, as in an acute corner. False if none is free
   and short enough: then `free` is the free part of the one alone. */
static bool kini_free_way(kin_world *world, kini_near *near, kin_vec x, const kini_piece *piece, kini_way out,
                          float longest, kin_vec *free) {
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
                               kin_vec there) {
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
                         kin_vec *out) {
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
static bool kini_separate(kin_world *world, kini_near *near, int32_t row, uint32_t sort, kin_vec *x) {
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
static bool kini_overlaps(kin_world *world, kini_near *near, kin_vec x, float depth) {
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

KINI_PART void kini_depenetrate(kin_world *world, kini_near *near, int32_t row, kin_vec *x) {
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
KINI_PART void kini_stage_free(kin_world *world) {
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

/* ==== src/ground.c: stage 8, the contacts and the ground of a body. ==================================================
   It stands on what stops it when it is moved down by the touch margin (or by its snap, if it stood before and does not
   move away), not on what merely lies beside a corner. Touching surfaces take the velocity that goes into them, and
   gaps are kept near the skin. */

typedef struct kini_footing_search {
    kini_near *near;
    kini_body *body;
    int32_t    row;
    kin_vec    x;                     /* where the body is now */
    float      skin, touch, reach;    /* how far down a ground may be */
    kin_vec    down;                  /* reach along minus up */
    kin_vec    drift;                 /* velocity of the body, what carries it included */
    bool       moved;                 /* in this step: a body at rest is left alone */
    bool       stood;                 /* on stable ground, and does not jump */
    bool       found, stable, seam;
    bool       on_edge;               /* the best one is the edge of a step; it stands on the step's top */
    kin_vec    edge;                  /* the normal of that edge */
    float      drop;                  /* how far down the best one is, skin left */
    float      nearest;               /* ... and the nearest: in a knee it holds the body above the best */
    float      furthest;              /* how far down one may be */
    kin_vec    held[KINI_MAX_PLANES]; /* normals of surfaces that it was put back from while it moved against them */
    int        held_count;
    kini_impact best;
} kini_footing_search;

static bool kini_is_stable(const kini_body *body, kin_vec normal) {
    return kini_dot(normal, body->up) >= body->stable_cos;
}

typedef struct kini_touched {
    kini_piece piece;
    kin_vec    normal;
    float      gap;
    kin_vec    face;   /* the normal of its nearest face, zero if it is round */
} kini_touched;

/* ---- touching ---------------------------------------------------------------------------------------------------- */
/* Without rounding, surfaces touch with a face, and with its normal: at a corner beside a corner nothing presses. */
static bool kini_meets_face(const kini_obstacle *o, kin_vec x, kin_vec *normal, float gap) {
    kin_vec beside = *normal;
    float   t;
    if (o->radius > 0 || gap <= 0) return true;
    if (!kini_obstacle_ray(o, x, kini_scale(beside, -2 * gap - KINI_PAST_GAP), &t, normal)) return false;
    return kini_dot(beside, *normal) > KINI_SAME_NORMAL;
}

static bool kini_touches(const kini_piece *piece, kin_vec x, float touch, kin_vec *normal, float *gap) {
    const kini_obstacle *o = &piece->obstacle;
    if (kini_is_apart(piece, x, touch)) return false;
    *gap = kini_obstacle_gap(o, x, normal);
    if (*gap > touch || !kini_meets_face(o, x, normal, *gap)) return false;
    if (*gap < 0) kini_inner_normal(piece, x, normal);
    if (kini_is_hidden(piece, *normal)) return false;
    return !(piece->flags & KINI_ONE_WAY) || (piece->flags & KINI_SENSOR) || kini_one_way_blocks(piece, x, *normal);
}

/* A surface that is near but not touched: it lies behind another one, the body has come out of a one-way by it, or it
   is the end of a passage's wall that the body passes without moving across. */
static bool kini_is_passed(kin_world *world, const kini_footing_search *s, int index, kin_vec normal, float gap) {
    const kini_piece *piece = &world->pieces.at[index];
    if ((piece->flags & KINI_ONE_WAY) && !kini_one_way_blocks(piece, kini_start_seen(world, s->body, piece), normal))
        return true;
    return kini_is_covered(world, s->near, index, s->x, normal, gap) ||
           kini_fits(world, s->near, piece, s->x, normal, kini_scale(s->drift, KINI_SLOP / KINI_SLOW), NULL);
}

/* The edge that the body stands on was noted as its ground, and is no wall. */
static bool kini_is_footing(const kini_footing_search *s, const kini_piece *piece, kin_vec normal) {
    return s->on_edge && piece->slot == s->best.piece.slot && kini_dot(normal, s->edge) > KINI_SAME_EDGE;
}

/* The surfaces that a body at x touches. `notes` the contacts of sensors, and of those that are too many. */
static int kini_list_touched(kin_world *world, const kini_footing_search *s, bool notes, kini_touched *list) {
    kin_vec normal;
    float   gap;
    bool    more, sensor;
    int     i, count = 0;
    for (more = kini_near_first(world, s->near); more; more = kini_near_next(world, s->near))
        for (i = 0; i < s->near->count; i++) {
            const kini_piece *piece = &world->pieces.at[i];
            sensor = (piece->flags & KINI_SENSOR) != 0;
            if (!kini_touches(piece, s->x, sensor ? 0 : s->touch, &normal, &gap)) continue;
            if (s->body->options.step_height > 0 && kini_is_footing(s, piece, normal)) continue;
            if (!sensor && kini_is_passed(world, s, i, normal, gap)) continue;
            if (sensor || count == KINI_MAX_TOUCHED) {
                if (notes) kini_note(world, piece, s->row, normal, gap, 0, KINI_CONTACT_TOUCH);
                continue;
            }
            list[count].normal = normal;
            list[count].gap = gap;
            list[count].face = kini_nearest_face(world, i, normal);
            list[count++].piece = *piece;
        }
    return count;
}

/* Does the gap shrink in that time, about as fast as the velocity goes into the surface? */
static bool kini_nears(const kini_touched *it, kin_vec x, kin_vec velocity, float time, float into) {
    kin_vec normal;
    return it->gap - kini_obstacle_gap(&it->piece.obstacle, kini_madd(x, velocity, time), &normal) > 0.5f * time * into;
}

/* Does motion at this velocity lead into the surface, and not only past its corner? The sweep decides; where it would
   be longer than half a unit, whether the gap shrinks on that way, or at least at its start. */
static bool kini_leads_into(const kin_world *world, const kini_touched *it, kin_vec x, kin_vec velocity, float slow) {
    const kini_obstacle *o = &it->piece.obstacle;
    float                into = -kini_dot(velocity, it->normal), time, most, t;
    kin_vec              met;
    if (into <= slow) return false;
    if (it->gap <= 0) return true;
    time = 2 * it->gap / into;
    most = KINI_LOOK_AHEAD * world->desc.unit / kini_len(velocity);
    if (kini_obstacle_ray(o, x, kini_scale(velocity, kini_lesser(time, most)), &t, &met)) return true;
    return most < time && (kini_nears(it, x, velocity, most, into) ||
                           kini_nears(it, x, velocity, KINI_LOOK_AGAIN * most, into));
}

/* How fast a thing moves there where the body touches it with this normal. */
static kin_vec kini_rate_there(const kin_world *world, const kini_footing_search *s, uint32_t slot, kin_vec normal) {
    int32_t row = kini_mover_row(world, &world->things.at[slot]);
    kin_vec half, at = kini_add(s->near->origin, s->x);
    if (row >= 0 && kini_spins(world->movers.at[row].turn_rate))
        at = kini_foot(&s->near->solid, kini_pose(at, s->near->turn), normal, &half);
    return kini_rate_at(world, slot, at);
}

static kin_vec kini_drift_seen(const kin_world *world, const kini_footing_search *s, const kini_touched *it) {
    return kini_sub(s->drift, kini_rate_there(world, s, it->piece.slot, it->normal));
}

static bool kini_presses(const kin_world *world, const kini_footing_search *s, const kini_touched *it) {
    return kini_leads_into(world, it, s->x, kini_drift_seen(world, s, it), KINI_SLOW * world->desc.unit);
}

/* Puts a body that has come too near a surface back to its skin, or by half of the room there is: off the edge that it
   rolls over as off the step's top, so that it loses no way. One that moves against it is held by it as if it was hit
   in the sweep. */
static void kini_hold_off(kin_world *world, kini_footing_search *s, const kini_touched *it) {
    const kini_stand *stand = &s->body->stand;
    kin_vec           out = it->normal;
    float             room = 2 * s->skin - it->gap, want, lean = kini_dot(it->normal, stand->normal);
    if (kini_near_is_spent(s->near)) return;
    if (s->stood && stand->support == KINI_ON_EDGE && it->piece.slot == stand->id.slot && lean > KINI_MOSTLY)
        out = kini_scale(stand->normal, 1 / lean);
    room *= kini_free_part(world, s->near, s->x, kini_scale(out, room));
    want = kini_lesser(0.5f * (room + it->gap) - it->gap, room);
    if (want <= KINI_LEAST_LIFT * s->skin) return;
    s->x = kini_madd(s->x, out, kini_lesser(want, s->skin - it->gap));
    if (s->held_count < KINI_MAX_PLANES && kini_dot(kini_drift_seen(world, s, it), it->normal) < 0)
        s->held[s->held_count++] = it->normal;
}

/* Did the sweep run into this surface? Then the body was held by it, though it may have gone on over a crest. */
static bool kini_was_hit(const kin_world *world, const kini_footing_search *s, uint32_t slot, kin_vec normal) {
    const kini_contact *list = kini_contacts_of(world, s->row);
    int32_t             i;
    for (i = 0; i < s->body->contact_count; i++)
        if (list[i].other.slot == slot && (list[i].flags & KINI_CONTACT_HIT) &&
            kini_dot(list[i].normal, normal) > KINI_SAME_SIDE)
            return true;
    return false;
}

/* A step that the body may climb, and has not failed to in this step, takes no velocity. */
static bool kini_may_climb(const kin_world *world, const kini_footing_search *s, const kini_touched *it) {
    float step = s->body->options.step_height;
    if (step <= 0 || it->gap <= it->piece.slop || s->body->stand.footing != KIN_STABLE) return false;
    if (kini_was_hit(world, s, it->piece.slot, it->normal)) return false;
    return kini_obstacle_extent(&it->piece.obstacle, s->body->up) - kini_dot(s->x, s->body->up) <= step + s->skin;
}

/* Keeps gaps near the skin: opens narrow ones, at rest only that to the ground, and closes the nearest of those the
   body presses into, unless another body pushed it there: rows have no gaps. */
static void kini_keep_gaps(kin_world *world, kini_footing_search *s) {
    kini_touched it;
    kin_vec      nearest = kini_vec_zero();
    float        least = s->touch;
    bool         more, floats = kini_is_floating(world, s->body);
    int          i;
    s->near->within = 0;
    for (more = kini_near_first(world, s->near); more; more = kini_near_next(world, s->near))
        for (i = 0; i < s->near->count; i++) {
            const kini_piece *at = &world->pieces.at[i];
            if (at->flags & (KINI_SENSOR | KINI_PIECE_BODY)) continue;
            if (!kini_touches(at, s->x, s->touch, &it.normal, &it.gap) || it.gap < -s->touch) continue;
            if (kini_is_passed(world, s, i, it.normal, it.gap)) continue;
            it.piece = *at;   /* opening the gap searches again */
            if (it.gap < 0.5f * s->skin && (s->moved || (!floats && kini_is_stable(s->body, it.normal))))
                kini_hold_off(world, s, &it);
            if (it.gap > least || !kini_presses(world, s, &it) || kini_may_climb(world, s, &it)) continue;
            least = it.gap;
            nearest = it.normal;
        }
    if (least <= KINI_PRESSED_GAP * s->skin || kini_is_zero(nearest) || s->body->pushed_by >= 0) return;
    if (kini_dot(s->body->velocity, nearest) >= 0) return;   /* it has to press itself, not only what comes */
    if (!floats && kini_is_stable(s->body, nearest)) return;
    nearest = kini_scale(nearest, s->skin - least);
    s->x = kini_madd(s->x, nearest, kini_free_part(world, s->near, s->x, nearest));
}

/* A head that comes near a corner is stopped by it as if it had hit it; so it slips past it here too. */
static void kini_slip_past(kin_world *world, kini_footing_search *s) {
    kin_vec      v = kini_scale(s->drift, world->dt);
    kini_touched list[KINI_MAX_TOUCHED];
    kini_impact  above;
    kini_slide   slide;
    int          i, count;
    if (s->body->options.corner_nudge <= 0 || kini_is_floating(world, s->body)) return;
    count = kini_list_touched(world, s, false, list);
    for (i = 0; i < count; i++)
        if (!(list[i].piece.flags & KINI_PIECE_BODY) && kini_dot(list[i].normal, s->body->up) < 0 &&
            kini_presses(world, s, &list[i]))
            break;
    if (i == count) return;
    above.piece = list[i].piece;
    above.normal = list[i].normal;
    kini_slide_rules(world, s->body, &slide);
    slide.bodies = true;
    slide.x = s->x;
    kini_near_cover(world, s->near, s->x, v, 2 * s->skin + slide.nudge);
    if (kini_nudge(world, s->near, &slide, &above, v, 1)) s->x = slide.x;
}

/* ---- the ground under the feet -------------------------------------------------------------------------------- */
/* Is the thing itself below the middle of the body? Decides between grounds of equal height. */
static bool kini_under_centre(const kin_world *world, const kini_footing_search *s, const kini_piece *piece) {
    kini_solid point;
    kin_hit    hit;
    kini_clear(&point, sizeof point);
    return kini_thing_cast(world, piece->slot, &point, kini_pose(s->near->origin, kini_unturned()),
                           kini_scale(s->body->up, -2 * s->near->solid.reach - s->reach), &hit);
}

/* How far from the middle of the body, across up, it is touched. */
static float kini_off_centre(const kin_world *world, const kini_footing_search *s, const kini_impact *impact) {
    int32_t part = kini_touched_part(world, s->body->slot, impact->piece.slot, impact->piece.part, impact->normal);
    kin_vec point = kini_meeting_point(world, s->body->slot, impact->piece.slot, part, impact->normal);
    return kini_len2(kini_across(kini_sub(point, s->near->origin), s->body->up));
}

/* Of two grounds: a face before the edge of its neighbour, the stable one, the nearer one, the one under the centre,
   the flatter one, the one touched nearer to the centre, the lower slot. */
static bool kini_better_ground(const kin_world *world, const kini_footing_search *s, const kini_impact *a,
                               bool stable, bool seam, float drop) {
    bool  under_a, same = a->piece.slot == s->best.piece.slot;
    float off = 0, slack = KINI_SAME_PLACE2 * world->desc.unit * world->desc.unit;
    float lean = kini_len2(kini_across(a->normal, s->body->up)) - kini_len2(kini_across(s->best.normal, s->body->up));
    float rise_a = kini_dot(a->normal, s->body->up), rise_b = kini_dot(s->best.normal, s->body->up);
    if (!s->found) return true;
    if (seam != s->seam && a->edge != s->best.edge && kini_abs(drop - s->drop) <= s->touch) return s->seam;
    if (stable != s->stable) return stable;
    if (kini_abs(drop - s->drop) > (same ? KINI_SAME_HEIGHT * world->desc.unit : 0.5f * s->skin)) return drop < s->drop;
    if (same || (a->piece.flags & s->best.piece.flags & KINI_PIECE_BODY))
        off = kini_off_centre(world, s, a) - kini_off_centre(world, s, &s->best);
    if (same && kini_abs(off) > slack) return off < 0;
    if (same) return lean < 0 || (!(lean > 0) && drop < s->drop);
    under_a = kini_under_centre(world, s, &a->piece);
    if (under_a != kini_under_centre(world, s, &s->best.piece)) return under_a;
    if (kini_abs(rise_a - rise_b) > KINI_FAINT) return rise_a > rise_b;
    return kini_abs(off) > slack ? off < 0 : a->piece.slot < s->best.piece.slot;
}

/* Moving away from a surface is not standing on it, however near. A body that stood may follow its ground's shape as
   far as it snaps or steps, and is seen from the mover that carries it: only what it goes along up counts, for along
   itself a surface may run. An idle one is not moved off by its ground. */
static bool kini_moves_off(const kin_world *world, const kini_footing_search *s, uint32_t slot, kin_vec normal) {
    const kini_body *body = s->body;
    bool             own = slot == body->last.id.slot && body->last.footing == KIN_STABLE;
    kin_vec          rate, seen;
    float            rise = kini_dot(body->velocity, body->up), slow = KINI_SLOW * world->desc.unit;
    if (!own) {
        rate = kini_rate_there(world, s, slot, normal);
        if (s->stood && kini_is_live(world, body->last.id) &&
            kini_mover_row(world, &world->things.at[body->last.id.slot]) >= 0)
            rate = kini_madd(rate, body->carry, -1 / world->dt);
        rise = s->stood ? rise - kini_dot(rate, normal) * kini_dot(normal, body->up)
                        : kini_dot(kini_sub(kini_add(body->velocity, body->leftover), rate), normal);
        slow += KINI_RATE_ERROR * kini_len(rate) + KINI_SLOW * kini_len(body->velocity);
    }
    if (body->jumps && own) return true;
    if (rise > slow && !(body->land_speed > 0)) return true;   /* a landing has made it relative already */
    if (body->options.bounce > 0 && -rise > kini_least_bounce(world, body)) return true;   /* it is about to bounce */
    if (s->stood && own && kini_is_zero(body->wish)) return false;
    if (s->stood && (body->options.snap > 0 || body->options.step_height > 0)) return false;
    if (kini_was_hit(world, s, slot, normal)) return false;
    seen = kini_sub(s->near->origin, body->start.p);   /* without what stages 7 and 8 have put right */
    seen = kini_sub(kini_scale(seen, 1 / world->dt), kini_rate_there(world, s, slot, normal));
    return kini_dot(seen, normal) > KINI_NEGLIGIBLE * (world->desc.unit + kini_len(seen));
}

/* A body bears others while it stands itself, or floats; one in the air pushes but does not carry. Of two that could
   each stand on the other, by their own gravities, the lower slot is the ground. */
static bool kini_bears(const kin_world *world, const kini_body *body, const kini_piece *piece, kin_vec normal) {
    const kini_body *other;
    if (!(piece->flags & KINI_PIECE_BODY)) return true;
    other = &world->bodies.at[world->things.at[piece->slot].row];
    if (kini_is_floating(world, other)) return true;
    return kini_stands(other) && (piece->slot < body->slot || !kini_is_stable(other, kini_neg(normal)));
}

/* Stable ground stops the body on its way down, steep ground is what it touches; what is steeper still is a wall. */
static bool kini_meet_below(const kini_footing_search *s, const kini_piece *piece, kini_impact *out) {
    kini_probe probe = kini_probe_still(s->x, s->down, s->skin);
    float      gap;
    if (kini_meet_piece(piece, &probe, out) && kini_is_stable(s->body, out->normal))
        return out->depth <= s->touch;
    if (!kini_touches(piece, s->x, s->touch, &out->normal, &gap) || gap < -s->touch) return false;
    out->t = out->touch = 0;
    out->depth = kini_greater(-gap, 0);
    return kini_dot(out->normal, s->body->up) >= KINI_WALL_COS && !kini_is_stable(s->body, out->normal);
}

static void kini_consider_ground(kin_world *world, kini_footing_search *s, int index) {
    const kini_piece *piece = &world->pieces.at[index];
    kini_impact       impact;
    bool              stable, seam;   /* an edge in the surface beside it, as where two boxes of a slope meet */
    float             drop, gap = 0;
    kin_vec           normal = kini_vec_zero();
    if (!kini_meet_below(s, piece, &impact) || !kini_bears(world, s->body, piece, impact.normal)) return;
    drop = impact.t * s->reach;
    stable = kini_is_stable(s->body, impact.normal);
    if (drop > s->furthest || kini_moves_off(world, s, piece->slot, impact.normal)) return;
    if (kini_fits(world, s->near, piece, s->x, impact.normal, kini_scale(s->drift, world->dt), NULL)) return;
    impact.edge = s->near->count > 1 && kini_is_edge_normal(world, index, impact.normal);
    if (impact.edge) gap = kini_obstacle_gap(&piece->obstacle, s->x, &normal);
    seam = impact.edge && kini_is_covered(world, s->near, index, s->x, normal, gap);
    if (seam && !stable) return;   /* the surface keeps the body from touching it */
    s->nearest = kini_lesser(s->nearest, drop);
    impact.piece = *piece;
    if (!kini_better_ground(world, s, &impact, stable, seam, drop)) return;
    s->best = impact;
    s->seam = seam;
    s->stable = stable;
    s->drop = drop;
    s->found = true;
}

static bool kini_first_below(kin_world *world, const kini_footing_search *s, kini_impact *first) {
    kini_probe probe = kini_probe_still(s->x, s->down, s->skin);
    return kini_first_impact(world, s->near, &probe, first);
}

/* Is there stable ground straight below, no deeper than that? */
static bool kini_has_floor(kin_world *world, kini_footing_search *s, float reach, float furthest) {
    bool more;
    int  i;
    s->reach = reach;
    s->down = kini_scale(s->body->up, -reach);
    s->furthest = furthest;
    s->found = false;
    s->nearest = KINI_FLT_MAX;
    for (more = kini_near_first(world, s->near); more; more = kini_near_next(world, s->near))
        for (i = 0; i < s->near->count; i++)
            if (!(world->pieces.at[i].flags & KINI_SENSOR)) kini_consider_ground(world, s, i);
    return s->found && s->stable;
}

/* Ground that falls further than a walker snaps is followed too if it goes on without a drop edge: its plane, where the
   walker began its way, is no deeper than the snap. */
static void kini_search_downhill(kin_world *world, kini_footing_search *s) {
    kin_vec             way = kini_sub(s->x, kini_sub(kini_add(s->body->start.p, s->body->carry), s->near->origin));
    float               snap = kini_snap(s->body), sine, cosine, rise;
    kini_footing_search below = *s;
    if (!s->stood || !(snap > 0) || kini_is_zero(s->body->wish)) return;
    kini_sine(s->body->options.max_slope, &sine, &cosine);
    snap += s->touch;
    rise = kini_len(kini_across(way, s->body->up)) * sine / kini_greater(cosine, KINI_HARDLY);
    kini_near_cover(world, s->near, s->x, kini_scale(s->body->up, -snap - rise), 2 * s->touch);
    if (!kini_has_floor(world, &below, snap + rise, KINI_FLT_MAX)) return;
    rise = kini_dot(kini_across(way, s->body->up), below.best.normal) / kini_dot(below.best.normal, s->body->up);
    if (below.drop - kini_dot(way, s->body->up) <= rise + snap) *s = below;
}

/* A round foot that rolls over the edge of a step, up or down, stands on the step's top until it reaches the floor
   below, however steep the edge is under it. Where there is no such floor the edge is steep ground like any other. */
static void kini_stand_on_edge(kin_world *world, kini_footing_search *s) {
    kini_footing_search below = *s;
    kini_impact         first;
    kin_vec             normal, place, touch;
    float               drop;
    if (!s->stood) return;
    if (s->found && s->stable) {
        if (!s->best.edge || s->body->options.step_height <= 0) return;
        first = s->best;
    } else if (!kini_first_below(world, s, &first) || kini_is_stable(s->body, first.normal)) return;
    drop = first.t * s->reach;
    if (first.depth > s->touch || kini_moves_off(world, s, first.piece.slot, first.normal)) return;
    touch = kini_madd(s->x, s->body->up, -first.touch * s->reach);   /* of a steep edge far below where its skin is */
    if (!kini_on_tread(world, s->near, touch, &first, s->body->stable_cos, &normal, &place)) return;
    if (!kini_is_stable(s->body, first.normal) &&
        !kini_has_floor(world, &below, kini_greater(s->reach, s->body->options.step_height), KINI_FLT_MAX)) return;
    s->on_edge = true;
    s->edge = first.normal;
    s->best = first;
    s->best.normal = normal;
    s->drop = s->nearest = drop;
    s->found = s->stable = true;
}

/* A side of the level that is as steep as a wall may be one of a wedge all the same: of those touched the flattest. */
static void kini_search_sides(kin_world *world, kini_footing_search *s) {
    kini_touched list[KINI_MAX_TOUCHED];
    float        rise, flattest = KINI_SIDEWAYS;
    int          i, count = kini_list_touched(world, s, false, list);
    for (i = 0; i < count; i++) {
        rise = kini_dot(list[i].normal, s->body->up);
        if ((list[i].piece.flags & (KINI_PIECE_BODY | KINI_PIECE_MOVER)) || rise <= flattest) continue;
        if (rise >= s->body->stable_cos) continue;
        if (kini_moves_off(world, s, list[i].piece.slot, list[i].normal)) continue;
        flattest = rise;
        s->best.piece = list[i].piece;
        s->best.normal = list[i].normal;
        s->found = true;
    }
    s->stable = false;
}

/* Stable ground is no use if something steep holds the body above it. */
static void kini_search_ground(kin_world *world, kini_footing_search *s) {
    kini_impact first;
    s->on_edge = false;
    kini_has_floor(world, s, s->reach, KINI_FLT_MAX);
    if (!s->found) kini_search_downhill(world, s);
    if (s->found && s->drop > s->skin && !(s->near->whole && s->near->count == 1) &&
        kini_first_below(world, s, &first) && first.t * s->reach + s->skin < s->drop)
        kini_has_floor(world, s, s->reach, first.t * s->reach + s->skin);
    kini_stand_on_edge(world, s);
    if (!s->found) kini_search_sides(world, s);
}

/* ---- support without stable ground ------------------------------------------------------------------------------- */
/* A side that is itself a body holds only one that cannot push it away: it bears it, and is no weaker. */
static bool kini_side_holds(const kin_world *world, const kini_body *body, const kini_touched *it) {
    const kini_body *side;
    if (!(it->piece.flags & KINI_PIECE_BODY)) return true;
    side = &world->bodies.at[world->things.at[it->piece.slot].row];
    if (!kini_stands(side) && !kini_is_floating(world, side)) return false;
    return side->options.push == KIN_UNPUSHABLE || body->options.push == KIN_PUSHABLE;
}

/* Steep sides that together leave no way down hold the body as well as flat ground. One that came down met them one by
   one, and may have been turned by one against another. */
static bool kini_in_wedge(kin_world *world, kini_footing_search *s, bool came_down) {
    kini_plane   planes[KINI_MAX_PLANES];
    kini_touched list[KINI_MAX_TOUCHED];
    kin_vec      fall = kini_neg(s->body->up);
    float        pull = kini_len(kini_gravity_of(world, s->body)) * kini_abs(s->body->options.gravity_scale);
    float        sine, cosine;
    /* Moved no further than a step of gravity takes it from rest, it sinks into a crack, leaving neither side. */
    float        most = KINI_SINKING * pull * world->dt * world->dt;
    bool         sank = kini_len(kini_sub(s->near->origin, s->body->start.p)) <= most;
    int          i, sides = 0, count = kini_list_touched(world, s, false, list);
    for (i = 0; i < count && sides < KINI_MAX_PLANES; i++) {
        if (!kini_side_holds(world, s->body, &list[i])) continue;
        if (!sank && kini_moves_off(world, s, list[i].piece.slot, list[i].normal)) continue;
        planes[sides].normal = list[i].normal;
        planes[sides].push = 0;
        planes[sides].flags = list[i].piece.flags;
        list[sides++] = list[i];
    }
    if (sides < 2) return false;
    kini_sine(s->body->options.max_slope, &sine, &cosine);
    if (!kini_clip(&fall, planes, sides, 1) || kini_len(fall) > sine) return false;
    for (i = 0; i < sides; i++)
        kini_note(world, &list[i].piece, s->row, list[i].normal, list[i].gap, 0, KINI_CONTACT_TOUCH);
    if (came_down && !kini_clip(&s->body->velocity, planes, sides, 1)) s->body->velocity = kini_vec_zero();
    return true;
}

/* ---- taking the stand -------------------------------------------------------------------------------------------- */
static void kini_take_stand(kin_world *world, kini_footing_search *s, kin_footing footing, bool wedge) {
    kini_body        *body = s->body;
    const kini_piece *piece = &s->best.piece;
    const kini_thing *ground = &world->things.at[piece->slot];
    kini_kept        *kept = &world->kept.at[s->row];
    kin_pose          at = kini_pose(kini_add(s->near->origin, s->x), s->near->turn);
    kin_vec           other;
    kin_id            id = kini_id_of(world, piece->slot);
    bool              same = kin_same(id, body->stand.id) && body->stand.footing == (uint8_t)footing;
    float             gap = kini_obstacle_gap(&piece->obstacle, s->x, &other);
    kept->gap = gap;
    kept->level = kini_is_zero(s->x) && kini_is_zero(kini_sub(other, body->up)) ? kini_dot(at.p, body->up)
                                                                                : KINI_FLT_MAX;
    body->stand.id = id;
    body->stand.normal = s->best.normal;
    body->stand.footing = (uint8_t)footing;
    body->stand.support = wedge ? KINI_IN_WEDGE : s->on_edge ? KINI_ON_EDGE : KINI_ON_FACE;
    if (!same || (body->state & KINI_BODY_RENEW))   /* one that is pressed into its ground has its place on top of it */
        body->stand.local = kini_to_local(kini_carrier_pose(world, ground),
                                          kini_madd(at.p, s->best.normal, kini_greater(-gap, 0)));
    body->stand.part = kini_note(world, piece, s->row, s->best.normal, gap, 0,
                                 KINI_CONTACT_TOUCH | KINI_CONTACT_GROUND);
    body->stand.point = ground->form == KINI_FORM_SHAPE   /* the middle of what they share */
                            ? kini_point_on(world, piece->slot, -1, &s->near->solid, at, s->best.normal)
                            : kini_foot(&s->near->solid, at, s->best.normal, &other);
    body->stand.velocity = kini_velocity_at(world, piece->slot, body->stand.part, body->stand.point);
}

/* Motion of the ground along a push is part of the push if that is a mover's, or if the ground is a body that was
   pushed away under this one; but one that pushes on a ground rides on it too. */
static void kini_fall_off(kin_world *world, kini_footing_search *s) {
    kini_body *body = s->body;
    kin_vec    velocity = body->last.velocity;
    int32_t    row;
    bool       rode = body->stand.footing == KIN_STABLE;   /* until now; a physical rider may have left in stage 3 */
    bool       lives = kini_is_live(world, body->last.id);
    kini_stand_nowhere(body);
    if (!rode) return;
    if (lives && kini_takes_part(world, body->last.id.slot)) {
        row = kini_mover_row(world, &world->things.at[body->last.id.slot]);
        velocity = kini_velocity_at(world, body->last.id.slot, body->last.part,
                                    kini_point_now(world, body->last.id.slot, body->last.point));
        if (row >= 0 && world->movers.at[row].carry == KIN_CARRY_NONE) velocity = kini_vec_zero();
        if (row >= 0 && world->movers.at[row].carry == KIN_CARRY_ACROSS_GRAVITY)
            velocity = kini_across(velocity, body->up);
    }
    if (body->pushed_strength >= KINI_STRENGTH_MOVER ||
        (body->pushed_strength > 0 && lives && world->things.at[body->last.id.slot].kind == KIN_BODY))
        velocity = kini_across(velocity, body->pushed);
    kini_leave_ground(body, velocity);
}

/* Would a one-way hold a body there that came over its corner in this step? */
static bool kini_held_up(kin_world *world, const kini_footing_search *s, kin_vec there) {
    kin_vec normal;
    bool    more;
    int     i;
    for (more = kini_near_first(world, s->near); more; more = kini_near_next(world, s->near))
        for (i = 0; i < s->near->count; i++) {
            const kini_piece *piece = &world->pieces.at[i];
            if (!(piece->flags & KINI_ONE_WAY) || (piece->flags & KINI_SENSOR)) continue;
            if (kini_is_apart(piece, there, 0) || kini_obstacle_gap(&piece->obstacle, there, &normal) >= 0) continue;
            if (kini_one_way_holds(piece, kini_start_seen(world, s->body, piece), there, piece->one_way)) return true;
        }
    return false;
}

/* Comes down onto stable ground unless it rests well: rounding makes gaps of long walks drift. True if it moved. */
static bool kini_come_down(kin_world *world, kini_footing_search *s) {
    kin_vec normal, down = kini_madd(s->x, s->body->up, -s->nearest);
    float   gap = kini_obstacle_gap(&s->best.piece.obstacle, s->x, &normal);
    if (gap - s->skin <= kini_rest_slack(world, s->skin) || !(s->nearest > 0)) return false;
    if (kini_held_up(world, s, down)) return false;
    s->x = down;
    if (s->nearest > s->touch) s->body->state |= KINI_BODY_RENEW;   /* its place on a turning ground is too far off */
    return true;
}

/* Following the ground over a crest or a knee changes how far the body gets in this step: a walker whose speed is
   along the surface gives the excess back, or walks on. A ledge, steeper than any slope it walks, costs nothing. */
static void kini_keep_pace(kin_world *world, kini_footing_search *s, kin_vec before) {
    kin_vec    from = kini_sub(kini_add(s->body->start.p, s->body->carry), s->near->origin);
    kin_vec    went = kini_sub(before, from);
    float      length = kini_len(went), now = kini_len(kini_sub(s->x, from));
    kini_slide slide;
    if (!s->stood || s->body->options.slope == KIN_SLOPE_HORIZONTAL_SPEED) return;
    if (kini_is_zero(s->body->wish) || !(length > 0) || kini_abs(now - length) < KINI_NEGLIGIBLE * length) return;
    if (kini_dot(kini_sub(before, s->x), s->body->up) * s->body->stable_cos >
        kini_len(kini_across(went, s->body->up)) + s->skin)
        return;
    if (now > length) {
        kin_vec back = kini_scale(went, length / now - 1);
        kini_near_cover(world, s->near, before, back, 2 * s->skin);
        s->x = kini_madd(before, back, kini_free_part(world, s->near, before, back));
    } else {
        kini_slide_rules(world, s->body, &slide);
        slide.ground = s->best.normal;
        slide.bodies = true;
        slide.x = s->x;
        slide.travel = kini_scale(kini_unit(kini_across(went, s->body->up)), length - now);
        kini_slide_run(world, s->near, &slide);
        s->x = slide.x;
    }
    kini_near_cover(world, s->near, s->x, s->down, 2 * s->touch);
    kini_search_ground(world, s);
    if (s->found && s->stable) kini_come_down(world, s);
}

/* How fast it came down: the sweep knows if it hit, pairs know if that is a body; else it has only come near enough. */
static void kini_land(const kin_world *world, kini_footing_search *s) {
    kini_body          *body = s->body;
    const kini_contact *list = kini_contacts_of(world, s->row);
    kin_vec             seen = kini_sub(kini_add(body->velocity, body->leftover), body->stand.velocity);
    int32_t             i;
    body->land_speed = kini_greater(body->land_speed, -kini_dot(seen, body->stand.normal));
    for (i = 0; i < body->contact_count; i++)
        if (kin_same(list[i].other, body->stand.id)) body->land_speed = kini_greater(body->land_speed, list[i].speed);
}

KINI_PART void kini_stay(kini_body *body) {
    body->leftover = kini_vec_zero();
    body->velocity = kini_flat(body->velocity, body->up);
    if (!kini_is_zero(body->given)) body->given = kini_flat(body->given, body->up);   /* so that it is shed whole */
}

static void kini_settle_footing(kin_world *world, kini_footing_search *s) {
    kini_body *body = s->body;
    kin_vec    before = s->x;
    bool       wedge = false;
    if (s->found && s->stable && kini_come_down(world, s)) {
        kini_keep_pace(world, s, before);
        if (!s->near->whole || s->near->count > 1)   /* straight above the only piece it met that there, too */
            kini_search_ground(world, s);            /* its normal is that of where it came to stand */
    }
    if (s->found && !s->stable) wedge = kini_in_wedge(world, s, body->last.footing != KIN_STABLE);
    s->found = s->found && (s->stable || wedge || kini_dot(s->best.normal, body->up) >= KINI_WALL_COS);
    if (!s->found || (!s->stable && !wedge && body->last.footing == KIN_STABLE)) kini_fall_off(world, s);
    if (!s->found) return;
    kini_take_stand(world, s, s->stable || wedge ? KIN_STABLE : KIN_STEEP, wedge);
    if (body->stand.footing != KIN_STABLE) return;
    if (body->last.footing != KIN_STABLE) kini_land(world, s);
    kini_stay(body);
}

/* ---- contacts at the end of the step --------------------------------------------------------------------------- */
/* Is it a wall of a passage as wide as the body? */
static bool kini_is_fitted(const kini_touched *list, int count, int which) {
    int i;
    for (i = 0; i < count; i++)
        if (!((list[i].piece.flags | list[which].piece.flags) & (KINI_PIECE_BODY | KINI_PIECE_MOVER)) &&
            kini_dot(list[i].normal, list[which].normal) < -KINI_SAME_FACE &&
            list[i].gap + list[which].gap <= 2 * list[i].piece.slop) return true;
    return false;
}

/* Another surface, that does not overlap the body, keeps it from reaching this one: the first of two flush boxes. */
static bool kini_is_shadowed(const kini_footing_search *s, const kini_touched *list, int count, int which) {
    kin_vec at = kini_madd(s->x, list[which].normal, -list[which].gap), normal;
    int     i;
    if (list[which].gap <= 0) return false;
    for (i = 0; i < count; i++) {
        if (i == which || list[i].gap > list[which].gap || list[i].gap < -list[i].piece.slop) continue;
        if (kini_dot(list[i].normal, list[which].normal) <= 0) continue;
        if (kini_obstacle_gap(&list[i].piece.obstacle, at, &normal) < -KINI_COVERED * s->skin) return true;
    }
    return false;
}

/* Does the body slide on this steep ground, or a piece that continues it, as in the last step? A sweep may miss it. */
static bool kini_slides_on(const kini_footing_search *s, const kini_touched *it) {
    return s->body->stand.footing == KIN_STEEP && s->body->last.footing == KIN_STEEP &&
           kini_dot(it->normal, s->body->stand.normal) > KINI_SAME_FACE;
}

/* The plane of a touched surface, as it limits velocity: a mover's relative to what the body rides, but the level stops
   it whatever its ground does. What stages 4 and 5 push is not pushed again. */
static kini_plane kini_plane_of(const kin_world *world, const kini_footing_search *s, const kini_slide *rules,
                                const kini_touched *it) {
    kin_vec    move = kini_vec_zero(), side = it->normal;
    kini_plane plane;
    if (it->piece.flags & KINI_PIECE_MOVER) {
        move = kini_rate_there(world, s, it->piece.slot, it->normal);
        if (s->body->stand.footing == KIN_STABLE) move = kini_madd(move, s->body->carry, -1 / world->dt);
        if (!kini_is_zero(rules->ground)) side = kini_across(side, rules->up);   /* to a walker it is a wall */
        if ((kini_dot(move, it->normal) > 0 || kini_dot(move, side) > 0) && !kini_slides_on(s, it))
            move = kini_vec_zero();
    }
    plane = kini_plane_at(&it->piece, it->normal, move);
    if (!kini_is_zero(rules->ground)) kini_make_wall(rules, &plane);
    return plane;
}

/* Does the body's velocity, turned along the ground it stands on, lead into this surface? */
static bool kini_goes_into(const kin_world *world, const kini_footing_search *s, const kini_touched *it, kin_vec move) {
    const kini_body *body = s->body;
    kin_vec          seen = kini_add(body->velocity, body->leftover);
    bool             mover = (it->piece.flags & KINI_PIECE_MOVER) != 0;
    if (mover && !kini_is_zero(body->leftover)) move = kini_rate_there(world, s, it->piece.slot, it->normal);
    if (body->stand.footing == KIN_STABLE)
        seen = kini_turn_along(kini_across(seen, body->up), kini_walked_on(body), body->up, false);
    if (kini_leads_into(world, it, s->x, kini_sub(seen, move), 0)) return true;
    if (kini_is_zero(body->leftover) || body->stand.footing == KIN_STABLE || mover) return false;
    /* For the level, its own may lead elsewhere than both. */
    return kini_leads_into(world, it, s->x, kini_sub(body->velocity, move), 0);
}

/* Was the body held by this surface in this step, or is it nearer than a sweep comes? Then it takes the velocity into
   it even if that leads past its end; at an edge that it was not swept into, as the face that ends there does. */
static bool kini_is_held_off(const kin_world *world, const kini_footing_search *s, kini_touched *it) {
    int i;
    if (kini_slides_on(s, it) || kini_was_hit(world, s, it->piece.slot, it->normal)) return true;
    if (kini_dot(it->normal, it->face) < KINI_SAME_FACING) return false;
    for (i = 0; i < s->held_count && kini_dot(s->held[i], it->normal) <= KINI_SAME_SIDE; i++) {}
    if (i == s->held_count && it->gap >= KINI_HELD_OFF * s->skin) return false;
    it->normal = it->face;
    return true;
}

/* A body that is pushed and stopped was given all that the planes leave of its velocity but not of its own: a push
   that a surface turns aside is still a push, and ends with it. So is a fall. */
static void kini_turn_given(const kin_world *world, kini_body *body, kin_vec before, const kini_slide *rules) {
    float   given = kini_len(body->given);
    kin_vec along = kini_scale(body->given, given > 0 ? 1 / given : 0);
    kin_vec own = kini_madd(before, along, -kini_clamp(kini_dot(before, along), 0, given));
    bool    falls = body->stand.footing != KIN_STABLE && !kini_is_floating(world, body);
    float   fall = falls ? kini_dot(own, rules->up) : 0;
    if (falls ? fall >= 0 : body->pushed_strength == 0 || kini_is_zero(body->given)) return;
    own = kini_madd(own, rules->up, -fall);
    kini_clip_level(&own, rules->planes, rules->count, 1);
    body->given = kini_across(kini_sub(body->velocity, own), rules->up);
}

/* Takes from the velocity what goes into the surfaces that the body touches, nearest first: what is left may lead past
   the next one, or into one that did not matter before. */
static void kini_stop_at_touched(kin_world *world, kini_footing_search *s, kini_touched *list, int count) {
    kini_body *body = s->body;
    kini_slide rules;
    kini_plane met[KINI_MAX_PLANES];   /* as the leftover sees them */
    kin_vec    before = body->velocity;
    bool       taken[KINI_MAX_TOUCHED], held[KINI_MAX_TOUCHED], again = true, any = false;   /* held: as the face */
    float      into;
    int        i, pass;
    kini_slide_blank(&rules);
    for (i = 0; i < count; i++) taken[i] = held[i] = false;
    if (!kini_is_floating(world, body)) { rules.up = body->up; rules.stable_cos = body->stable_cos; }
    if (body->stand.footing == KIN_STABLE) {
        rules.ground = kini_walked_on(body);
        kini_clear(rules.planes, 2 * sizeof *rules.planes);
        rules.planes[0].normal = body->up;   /* neither lifted nor pressed down */
        rules.planes[1].normal = kini_neg(body->up);
        rules.count = 2;
    }
    for (i = 0; i < rules.count; i++) met[i] = rules.planes[i];
    for (pass = 0; pass < 3 && again; pass++) {
        again = false;
        for (i = 0; i < count && rules.count < KINI_MAX_PLANES; i++) {
            kini_plane plane;
            kin_vec    normal = list[i].normal;
            if (taken[i] || (list[i].piece.flags & KINI_PIECE_BODY)) continue;
            if (!kini_is_floating(world, body) && kini_is_stable(body, list[i].normal)) continue;
            if (kini_may_climb(world, s, &list[i])) continue;
            plane = kini_plane_of(world, s, &rules, &list[i]);
            taken[i] = kini_goes_into(world, s, &list[i], plane.move);
            if (!taken[i]) {
                if (held[i] || !kini_is_held_off(world, s, &list[i])) continue;
                plane = kini_plane_of(world, s, &rules, &list[i]);
                list[i].normal = normal;   /* other planes may yet turn the velocity into the edge itself */
                held[i] = true;
            }
            again = true;
            into = plane.push - kini_dot(body->velocity, plane.normal);
            if (body->options.bounce > 0 && into > kini_least_bounce(world, body)) {
                body->velocity = kini_madd(body->velocity, plane.normal, (1 + body->options.bounce) * into);
                continue;
            }
            met[rules.count] = plane;
            met[rules.count].push = kini_lesser(plane.push, 0);
            kini_clip_level(&body->leftover, met, rules.count + 1, 1);
            rules.planes[rules.count++] = kini_respond_sharing(&rules, plane, &body->velocity, 1, &body->leftover);
            kini_clip_level(&body->velocity, rules.planes, rules.count, 1);
            any = true;
        }
    }
    if (any && body->stand.footing == KIN_STABLE)   /* rounding has left it some height */
        body->velocity = kini_flat(body->velocity, body->up);
    if (any) kini_turn_given(world, body, before, &rules);
}

/* Nearest first, in which order the list is left; the surface of the ground was noted when the body took its stand. */
static void kini_note_touched(kin_world *world, const kini_footing_search *s, kini_touched *list, int count) {
    bool floats = kini_is_floating(world, s->body);
    int  i, j;
    for (i = 1; i < count; i++) {
        kini_touched it = list[i];
        for (j = i; j > 0 && it.gap < list[j - 1].gap; j--) list[j] = list[j - 1];
        list[j] = it;
    }
    for (i = 0; i < count; i++) {
        const kini_piece *piece = &list[i].piece;
        float             rise = kini_dot(list[i].normal, s->body->up);
        bool              fits = kini_is_fitted(list, count, i);
        if (kini_is_shadowed(s, list, count, i)) continue;
        if (kini_is_footing(s, piece, list[i].normal)) continue;
        if (!s->found || piece->slot != s->best.piece.slot || piece->part != s->best.piece.part ||
            (piece->flags & KINI_PIECE_BODY) || !kini_is_zero(kini_sub(list[i].normal, s->best.normal)))
            kini_note(world, piece, s->row, list[i].normal, list[i].gap, 0,
                      fits ? KINI_CONTACT_TOUCH | KINI_CONTACT_FITS : KINI_CONTACT_TOUCH);
        if (fits) continue;
        if (rise < -KINI_CEILING_COS && !floats) s->body->state |= KINI_BODY_ON_CEILING;
        else if (floats || rise < s->body->stable_cos) s->body->state |= KINI_BODY_ON_WALL;
    }
}

static kini_footing_search kini_begin_footing(kin_world *world, kini_near *near, int32_t row, kin_vec x) {
    kini_footing_search s;
    s.near = near; s.body = &world->bodies.at[row]; s.row = row; s.x = x;
    s.skin = kini_skin_at(world, near->origin);
    s.reach = s.touch = kini_touch_at(world, near->origin);
    s.drift = kini_vec_zero();
    s.moved = s.found = s.on_edge = false;
    s.held_count = 0;
    s.body->state &= ~(uint32_t)(KINI_BODY_ON_WALL | KINI_BODY_ON_CEILING);
    return s;
}

/* Outside the stages: where it is now, after kin_move_hits. Velocities stay. */
KINI_PART void kini_ground_now(kin_world *world, kini_near *near, int32_t row) {
    kini_touched        list[KINI_MAX_TOUCHED];
    bool                wedge = false;
    kini_body          *body = &world->bodies.at[row];
    kini_footing_search s = kini_begin_footing(world, near, row, kini_vec_zero());
    s.stood = body->stand.footing == KIN_STABLE && world->dt > 0;
    body->start = kini_pose(near->origin, near->turn);
    body->jumps = false;
    body->land_speed = 0;
    body->carry = body->wish = s.x;
    if (!kini_is_floating(world, body)) kini_search_ground(world, &s);
    if (s.found && !s.stable) wedge = kini_in_wedge(world, &s, false);
    s.found = s.found && (s.stable || wedge || kini_dot(s.best.normal, body->up) >= KINI_WALL_COS);
    if (s.found) kini_take_stand(world, &s, s.stable || wedge ? KIN_STABLE : KIN_STEEP, wedge);
    else {
        if (body->stand.footing == KIN_STABLE) kini_leave_ground(body, body->stand.velocity);
        kini_stand_nowhere(body);
    }
    kini_note_touched(world, &s, list, kini_list_touched(world, &s, true, list));
}

static kini_footing_search kini_end_footing(kin_world *world, kini_near *near, int32_t row, kin_vec x) {
    kini_body          *body = &world->bodies.at[row];
    kini_footing_search s = kini_begin_footing(world, near, row, x);
    const kini_body    *ground;
    kin_vec             moved = kini_sub(world->things.at[body->slot].p, kini_add(body->start.p, body->carry));
    if (!(kini_dot(body->velocity, body->up) > 0 || kini_dot(moved, body->up) > 0))
        body->jumps = false;   /* stopped before it rose at all, it does not leave the ground */
    ground = kini_carrier(world, body);   /* what it rode is known only now: where pushes have let its ground go */
    if (ground != NULL) body->carry = kini_sub(world->things.at[ground->slot].p, ground->start.p);
    s.stood = body->last.footing == KIN_STABLE && kini_stands(body);
    s.moved = !kini_is_zero(kini_sub(near->origin, body->start.p)) || !kini_is_zero(x);
    if (s.stood) s.reach = kini_greater(kini_snap(body), s.touch);
    s.drift = kini_madd(kini_add(body->velocity, body->leftover), body->carry, 1 / world->dt);
    return s;
}

KINI_PART void kini_find_ground(kin_world *world, kini_near *near, int32_t row, kin_vec *x) {
    kini_footing_search s = kini_end_footing(world, near, row, *x);
    kini_touched        list[KINI_MAX_TOUCHED];
    int                 count;
    kini_slip_past(world, &s);
    kini_keep_gaps(world, &s);
    if (!kini_is_floating(world, s.body)) {
        kini_search_ground(world, &s);
        kini_settle_footing(world, &s);
    }
    *x = s.x;
    count = kini_list_touched(world, &s, true, list);
    kini_note_touched(world, &s, list, count);
    kini_stop_at_touched(world, &s, list, count);
    if (s.body->stand.footing == KIN_STEEP && kini_speed_into_ground(s.body) > KINI_SLOW * world->desc.unit)
        kini_stand_nowhere(s.body);   /* it only passes: a corner within the touch margin does not hold it */
}

/* Stages 7 to 9 of a body that rests well and touches nothing but grounds, by one look; false if there is more to find.
   A build that forgets its caches runs the stages instead. */
KINI_PART bool kini_keep_ground(kin_world *world, kini_near *near, int32_t row, kin_vec *x) {
    kini_body          *body = &world->bodies.at[row];
    kini_footing_search s;
    kini_touched        list[KINI_MAX_GROUNDS];
    float               rest, least = KINI_FLT_MAX;
    int                 i, index[KINI_MAX_GROUNDS], below = 0, count = 0;
    bool                alone;   /* with one ground, which it need not go along */
    if (KINI_FORGET || !kini_stands(body) || body->last.footing != KIN_STABLE) return false;
    if (!kini_is_unhindered(world, row)) return false;
    if (!near->whole || near->sensors > 0) return false;
    s = kini_end_footing(world, near, row, kini_vec_zero());
    s.down = kini_scale(body->up, -s.reach);
    s.furthest = s.nearest = KINI_FLT_MAX;
    rest = s.skin + kini_rest_slack(world, s.skin);
    for (i = 0; i < near->count; i++) {
        const kini_piece *piece = &world->pieces.at[i];
        kini_touched     *at = &list[count];
        if (kini_is_apart(piece, s.x, s.touch)) continue;
        if (below == KINI_MAX_GROUNDS) return false;
        at->gap = kini_obstacle_gap(&piece->obstacle, s.x, &at->normal);
        if (at->gap > s.touch) continue;
        if (at->gap < 0.5f * s.skin || (piece->flags & (KINI_ONE_WAY | KINI_PIECE_BODY))) return false;
        if (!kini_meets_face(&piece->obstacle, s.x, &at->normal, at->gap)) continue;
        if (kini_is_hidden(piece, at->normal)) continue;
        if (!kini_is_stable(body, at->normal)) return false;
        index[below++] = i;
        if (kini_is_edge_normal(world, i, at->normal)) {
            if (!kini_is_covered(world, near, i, s.x, at->normal, at->gap)) return false;
            continue;   /* the surface beside it keeps the body from touching it */
        }
        at->piece = *piece;
        least = kini_lesser(least, at->gap);
        count++;
    }
    alone = near->count == 1 && count == 1 && kini_is_zero(body->wish);
    if (least > rest && !alone) return false;
    for (i = 0; i < below; i++) kini_consider_ground(world, &s, index[i]);
    if (!s.found || !s.stable) return false;
    if (alone && kini_come_down(world, &s)) *x = s.x;
    least = kini_obstacle_gap(&s.best.piece.obstacle, s.x, &s.edge);
    if (kini_is_zero(s.x) && least > rest) return false;
    if (alone) { list[0].gap = least; list[0].normal = s.edge; }
    kini_take_stand(world, &s, KIN_STABLE, false);
    kini_note_touched(world, &s, list, count);
    kini_stay(body);
    return true;
}

/* ==== src/move.c: a body's own motion outside the step: what would it run into, and move and slide now ============ */
/* Nothing is written to the world here, nor is its scratch used: several threads may ask. */
typedef struct kini_trial {
    kini_ask   ask;                   /* must come first: its `each` and visitors get no other pointer */
    kini_solid solid;
    uint32_t   slot;
    kin_vec    across;                /* of a passage: the side of its first wall, */
    float      room;                  /* ... and how much wider than the body it is */
} kini_trial;

static bool kini_stops_trial(const kini_trial *trial, uint32_t slot) {
    const kin_world  *world = trial->ask.world;
    const kini_thing *thing = &world->things.at[slot];
    if (slot == trial->slot || (thing->flags & KINI_SENSOR) || !kini_meets(world, trial->slot, slot)) return false;
    return thing->kind != KIN_BODY || kini_pair_solid(world, slot, trial->slot);
}

static bool kini_narrow_passage(kini_ask *ask) {
    kini_trial *trial = (kini_trial *)ask;
    if (kini_dot(ask->next.normal, trial->across) < KINI_OPPOSED)
        trial->room = kini_lesser(trial->room, ask->next_gap);
    return false;
}

static float kini_passage_visit(void *context, int32_t item) {
    kini_trial *trial = (kini_trial *)context;
    if (!(trial->ask.world->things.at[item].flags & KINI_ONE_WAY) && kini_stops_trial(trial, (uint32_t)item))
        kini_ask_thing(&trial->ask, (uint32_t)item);
    return 1;
}

/* The room on the side of x that is opposite to `across`; KINI_FLT_MAX: enough. */
static float kini_trial_room(const kini_ask *ask, kin_vec x, kin_vec across) {
    kini_trial trial = *(const kini_trial *)ask;
    trial.ask = kini_question(ask->world, ask->solid, kini_pose(kini_add(ask->at.p, x), ask->at.q),
                              KINI_SENSOR | KINI_ONE_WAY);
    trial.ask.each = kini_narrow_passage;
    trial.ask.limit = 3 * KINI_SLOP * ask->world->desc.unit;
    trial.across = across;
    trial.room = KINI_FLT_MAX;
    kini_ask_all(&trial.ask, KIN_MOVER, kini_passage_visit);
    return trial.room;
}

/* Not what leads out of an overlap, nor seams of a wall that it is in by no more than the slop, nor, by the rule of
   kini_fits, walls of a passage as wide as the body. */
static bool kini_in_the_way(kini_ask *ask) {
    const kini_thing *thing = &ask->world->things.at[ask->next.id.slot];
    const kini_tile  *tile = kini_is_tiles(thing) ? kini_tile_of(ask->world, thing, ask->next.part) : NULL;
    float             slop = KINI_SLOP * ask->world->desc.unit;
    kini_wall         wall;
    if (kini_dot(ask->next.normal, ask->travel) >= 0) return false;
    if (thing->kind == KIN_BODY || ((tile ? tile->flags : thing->flags) & KINI_ONE_WAY)) return true;
    wall.x = kini_scale(ask->travel, ask->next.t);
    wall.side = 0;
    while (kini_next_wall(ask->piece, thing->q, ask->solid->reach, slop, ask->next.normal, ask->travel, &wall))
        if (kini_trial_room(ask, kini_vec_zero(), kini_neg(wall.to)) < 0 ||
            kini_abs(kini_trial_room(ask, wall.inside, wall.to)) <= 2 * slop)
            return false;
    return true;
}

static float kini_trial_visit(void *context, int32_t item) {
    kini_trial *trial = (kini_trial *)context;
    if (kini_stops_trial(trial, (uint32_t)item) && kini_ask_thing(&trial->ask, (uint32_t)item))
        kini_keep_best(&trial->ask);
    return 1;
}

KIN_API bool kin_test_move(const kin_world *world, kin_id body, kin_vec travel, kin_hit *hit) {
    const kini_thing *thing;
    kini_trial        trial;
    uint32_t          slot;
    if (hit) kini_clear(hit, sizeof *hit);
    slot = kini_check_kind(world, __func__, "body", body, KIN_BODY);
    if (!slot || !kini_check_vec(world, __func__, "travel", travel, KINI_FURTHEST)) return false;
    thing = &world->things.at[slot];
    trial.slot = slot;
    trial.solid = kini_solid_of(world, thing);
    trial.ask = kini_question(world, &trial.solid, kini_pose(thing->p, thing->q), KINI_SENSOR | KINI_OUTWARD_ONLY);
    trial.ask.travel = travel;
    trial.ask.casts = trial.ask.sides = true;
    trial.ask.each = kini_in_the_way;
    kini_ask_all(&trial.ask, KIN_BODY, kini_trial_visit);
    if (trial.ask.any && hit) *hit = kini_full_hit(&trial.ask, trial.ask.best);
    return trial.ask.any;
}

/* The game may have moved the body off its ground; on an edge and in a wedge, which are steep, it stands as before. */
static void kini_stand_again(kin_world *world, kini_near *near, const kini_body *body, kini_slide *slide) {
    kini_probe  probe = kini_probe_still(kini_vec_zero(), kini_scale(body->up, -kini_touch_at(world, near->origin)),
                                         slide->skin);
    kini_impact impact;
    bool        below;
    if (kini_is_zero(slide->ground)) return;
    below = kini_first_impact(world, near, &probe, &impact);
    if (below && body->stand.support != KINI_IN_WEDGE && kini_dot(impact.normal, body->up) >= slide->stable_cos)
        slide->ground = impact.normal;
    else if (!below || !(body->stand.support == KINI_IN_WEDGE || impact.piece.slot == body->stand.id.slot)) {
        slide->ground = kini_vec_zero();
        slide->step_height = 0;
    }
}

/* Moves a body and finds what it met, into `out`; how many. */
static int kini_move_body(kin_world *world, uint32_t slot, kin_vec travel, kin_vec *travelled, kin_hit *out,
                          int capacity) {
    kini_body  *row = &world->bodies.at[world->things.at[slot].row];
    kini_near   near;
    kini_slide  slide;
    kin_vec     to;
    float       margin;
    int         i;
    kini_slide_rules(world, row, &slide);
    slide.hits = out;
    slide.hit_room = capacity;
    slide.senses = false;
    slide.bodies = true;
    if (kini_dot(travel, row->up) > 0) slide.ground = kini_vec_zero();
    slide.travel = travel;
    margin = 4 * slide.skin + kini_touch_at(world, world->things.at[slot].p) + slide.nudge + slide.step_height;
    kini_near_motion(world, &near, slot, 0, KINI_WITH_MOVERS | KINI_WITH_BODIES, travel, margin);
    kini_stand_again(world, &near, row, &slide);
    kini_slide_run(world, &near, &slide);
    to = kini_add(near.origin, slide.x);
    kini_limit_place(world, &to);
    kini_place(world, slot, to, near.turn);
    row->state |= KINI_BODY_RENEW;
    if (kini_is_live(world, row->stand.id)) {   /* in stage 3 its ground has gone ahead */
        uint32_t under = kini_owner_slot(world, row->stand.id.slot);
        row->stand.local = kini_to_local(kini_pose_at(world, under, world->stage == 3 ? 0.0f : 1.0f), to);
    }
    row->turned_at = kini_add(near.origin, slide.turned_at);
    for (i = 0; i < slide.hit_count && i < capacity; i++) {
        kin_hit *hit = &out[i];
        kin_pose at = kini_pose(kini_add(near.origin, hit->point), near.turn);
        hit->id = kini_id_of(world, hit->id.slot);
        if (kini_is_tiles(&world->things.at[hit->id.slot]))
            hit->part = kini_tiles_part(world, hit->id.slot, hit->part, &near.solid, at, hit->normal);
        hit->point = kini_point_on(world, hit->id.slot, hit->part, &near.solid, at, hit->normal);
    }
    *travelled = kini_sub(to, near.origin);
    return slide.hit_count;
}

KIN_API kin_vec kin_move(kin_world *world, kin_id body, kin_vec travel) {
    kin_vec  travelled = kini_vec_zero();
    uint32_t slot = kini_check_kind(world, __func__, "body", body, KIN_BODY);
    if (slot && kini_check_unasked(world, __func__) &&
        kini_check_vec(world, __func__, "travel", travel, KINI_FURTHEST))
        kini_move_body(world, slot, travel, &travelled, NULL, 0);
    return travelled;
}

KIN_API int kin_move_hits(kin_world *world, kin_id body, kin_vec travel, kin_vec *travelled, kin_hit *out, int capacity)
{
    uint32_t   slot = kini_check_kind(world, __func__, "body", body, KIN_BODY);
    kin_vec    went;
    kini_near  near;
    kini_body *row;
    int        count;
    if (travelled) *travelled = kini_vec_zero();
    if (!slot || !kini_check_vec(world, __func__, "travel", travel, KINI_FURTHEST)) return 0;
    if (!kini_check_unasked(world, __func__) || !kini_check_list(world, __func__, out, capacity)) return 0;
    count = kini_move_body(world, slot, travel, &went, out, capacity);
    if (travelled) *travelled = went;
    if (world->stage >= 4 || !kini_takes_part(world, slot)) return count;
    /* Contacts after the move; those of emitted events stay for the next step to compare with. */
    row = &world->bodies.at[world->things.at[slot].row];
    kini_wake(world, world->things.at[slot].row);
    if (!kini_keeps_last(world, row)) row->last = row->stand;
    row->state = (row->state & ~(uint32_t)KINI_BODY_TELEPORTED) | KINI_BODY_MOVED;
    kini_hide_contacts(world, world->things.at[slot].row);
    kini_near_motion(world, &near, slot, 0, KINI_WITH_MOVERS | KINI_WITH_BODIES, kini_vec_zero(),
                     2 * kini_touch_at(world, world->things.at[slot].p));
    kini_ground_now(world, &near, world->things.at[slot].row);
    return count;
}

/* ==== src/crush.c: stage 9. A body is crushed when something that moves takes more of its room than the crush
   tolerance while something else holds it from the other side; it is embedded when it cannot be freed from what it
   overlaps. Both are conditions that open once and close once. A mover that stops when blocked is put back instead. All
   bodies of a row through which a press reaches a wall are crushed together. */

typedef struct kini_press { kin_vec axis; float depth; uint32_t slot; bool moves; } kini_press;

/* The row of the mover that presses: the thing itself, or what it stands on. */
KINI_PART int32_t kini_pressing_mover(const kin_world *world, kin_id by) {
    int32_t guard;
    for (guard = 0; guard < world->bodies.count && !kini_is_nobody(by); guard++) {
        const kini_thing *thing = &world->things.at[by.slot];
        if (thing->kind != KIN_BODY) return kini_mover_row(world, thing);
        by = world->bodies.at[thing->row].stand.id;
    }
    return -1;
}

/* Is it driven along `axis` by a mover, carried or pushed? */
KINI_PART bool kini_comes_on(const kin_world *world, uint32_t slot, kin_vec axis) {
    const kini_thing *thing = &world->things.at[slot];
    const kini_body  *body;
    if (thing->kind != KIN_BODY) return kini_has_moved(world, thing);
    body = &world->bodies.at[thing->row];
    if (body->pushed_strength == KINI_STRENGTH_MOVER && kini_dot(body->pushed, axis) > 0.5f) return true;
    if (kini_is_zero(body->carry) || kini_dot(body->carry, axis) <= 0.5f * kini_len(body->carry)) return false;
    return kini_pressing_mover(world, body->stand.id) >= 0;   /* being carried by a pushed body is no press */
}

/* The side with which a moving mover came over the body last; the shortest way out if none of them approaches. */
static int kini_entered_side(const kini_way *ways, int count, kin_vec rate) {
    float speed = kini_len(rate), least = KINI_FLT_MAX;
    int   i, best = 0;
    for (i = 0; i < count; i++) {
        float comes = kini_dot(ways[i].axis, rate);
        if (comes <= KINI_NEGLIGIBLE * speed || ways[i].length >= least * comes) continue;
        least = ways[i].length / comes;
        best = i;
    }
    return best;
}

/* The direction in which a piece presses, and how deep the body is in it that way. A body that was not squeezed yet and
   was beyond the nearest side before the motion overlaps the mover there, also if that draws back. */
static bool kini_press_of(const kin_world *world, const kini_body *body, const kini_piece *piece, kin_vec x,
                          kini_press *out) {
    kini_way ways[KINI_MAX_WAYS];
    kin_vec  rate = kini_rate_at(world, piece->slot, world->things.at[body->slot].p);
    kin_vec  seen = kini_start_seen(world, body, piece);
    int      count = kini_piece_ways(piece, x, seen, ways, KINI_MAX_WAYS), best = 0;
    bool     squeezed = (body->last_state & (KINI_BODY_CRUSHED | KINI_BODY_EMBEDDED)) != 0;
    if (count == 0) count = kini_obstacle_ways(&piece->obstacle, x, ways, KINI_MAX_WAYS);
    if (count == 0) return false;
    if ((piece->flags & KINI_PIECE_MOVER) &&
        (squeezed || !(kini_dot(ways[0].axis, kini_sub(seen, x)) > ways[0].length - 2 * piece->slop)))
        best = kini_entered_side(ways, count, rate);
    out->axis = ways[best].axis;
    out->depth = ways[best].length;
    out->slot = piece->slot;
    out->moves = kini_comes_on(world, piece->slot, out->axis);
    return true;
}

/* The nearest thing that holds the body against the press; 0: none. A press that moves is held by anything, one that
   rests only by what comes on itself. */
static uint32_t kini_held_against(kin_world *world, kini_near *near, const kini_press *press, kin_vec x, float *room) {
    float     touch = kini_touch_at(world, near->origin);
    uint32_t  by = 0;
    bool      more;
    int       i;
    kini_lot before = near->lot;
    for (more = kini_near_first(world, near); more; more = kini_near_next(world, near))
        for (i = 0; i < near->count; i++) {
            const kini_piece *piece = &world->pieces.at[i];
            kin_vec           normal;
            float             gap;
            if ((piece->flags & KINI_SENSOR) || piece->slot == press->slot || kini_is_apart(piece, x, touch)) continue;
            if (!press->moves && !kini_comes_on(world, piece->slot, kini_neg(press->axis))) continue;
            gap = kini_obstacle_gap(&piece->obstacle, x, &normal);
            if (gap > touch || kini_dot(normal, press->axis) > KINI_OPPOSED) continue;
            if ((piece->flags & KINI_ONE_WAY) && !kini_one_way_blocks(piece, x, normal)) continue;
            if (by && gap >= *room) continue;
            *room = gap;
            by = piece->slot;
        }
    kini_near_again(world, near, before);
    return by;
}

static void kini_open(kini_body *body, uint32_t condition, kin_id a, kin_id b) {
    if (body->state & KINI_BODY_CRUSHED) return;   /* Crushed overrides embedded; the first pair is kept. */
    if (condition == KINI_BODY_CRUSHED) body->state &= ~(uint32_t)KINI_BODY_EMBEDDED;
    else if (body->state & KINI_BODY_EMBEDDED) return;
    body->state |= condition;
    body->squeezed_by[0] = a;
    body->squeezed_by[1] = b;
}

static void kini_judge_piece(kin_world *world, kini_near *near, int32_t row, const kini_piece *piece, kin_vec x) {
    kini_body *body = &world->bodies.at[row];
    kini_press press;
    float      room = 0, unit = world->desc.unit, far = KINI_FAR_ULPS * kini_far(near->origin);
    float      most = KINI_CRUSH * unit + far;
    uint32_t   by = 0;
    if (!kini_press_of(world, body, piece, x, &press)) return;
    if (!kini_near_is_spent(near) && (press.moves || (piece->flags & KINI_PIECE_BODY)))
        by = kini_held_against(world, near, &press, x, &room);
    if (by && press.depth - room > most) {
        kini_open(body, KINI_BODY_CRUSHED, kini_id_of(world, piece->slot), kini_id_of(world, by));
        return;
    }
    if (!(piece->flags & KINI_PIECE_MOVER)) most = KINI_SLOP * unit + far;
    if ((piece->flags & KINI_PIECE_BODY) && !(body->last_state & (KINI_BODY_CRUSHED | KINI_BODY_EMBEDDED)) &&
        (world->bodies.at[world->things.at[piece->slot].row].last_state & (KINI_BODY_CRUSHED | KINI_BODY_EMBEDDED)))
        return;   /* reported by the other body, which was moved into this one */
    if (press.depth > most) kini_open(body, KINI_BODY_EMBEDDED, kini_id_of(world, piece->slot), kini_nobody());
}

KINI_PART void kini_find_crush(kin_world *world, kini_near *near, int32_t row, kin_vec x) {
    kini_body *body = &world->bodies.at[row];
    float      limit = -KINI_OVERLAP * world->desc.unit;
    kin_id     by = body->squeezed_by[0], against = body->squeezed_by[1];
    uint32_t   fast = body->squeezed_in[0];
    bool       more;
    int        i;
    body->state &= ~(uint32_t)(KINI_BODY_CRUSHED | KINI_BODY_EMBEDDED);
    /* A mover so fast that it took the body's room and is past it already has crushed it all the same. */
    if (fast > 0 && kini_thing_gap(world, fast, &near->solid, kini_pose(kini_add(near->origin, x), near->turn),
                                   KINI_SENSOR) >= 0)
        kini_open(body, KINI_BODY_CRUSHED, kini_id_of(world, fast), kini_id_of(world, body->squeezed_in[1]));
    near->within = 0;
    for (more = kini_near_first(world, near); more; more = kini_near_next(world, near))
        for (i = 0; i < near->count && !(body->state & KINI_BODY_CRUSHED); i++) {
            const kini_piece *at = &world->pieces.at[i];
            kini_piece        piece;
            kin_vec           normal;
            if ((at->flags & KINI_SENSOR) || kini_is_apart(at, x, 0)) continue;
            if (kini_obstacle_gap(&at->obstacle, x, &normal) >= limit) continue;
            if ((at->flags & KINI_ONE_WAY) && !kini_one_way_holds(at, kini_start_seen(world, body, at), x, normal))
                continue;
            piece = *at;   /* the search for a holder replaces the list */
            kini_judge_piece(world, near, row, &piece, x);
        }
    /* A crush stays open until the body is free. */
    if (!(body->state & KINI_BODY_EMBEDDED) || !(body->last_state & KINI_BODY_CRUSHED)) return;
    body->state ^= KINI_BODY_EMBEDDED | KINI_BODY_CRUSHED;
    body->squeezed_by[0] = by;
    body->squeezed_by[1] = against;
}

/* It is embedded in that level, and asks nothing more of it. */
KINI_PART void kini_bury(kin_world *world, int32_t row, uint32_t slot) {
    kini_body *body = &world->bodies.at[row];
    body->state &= ~(uint32_t)(KINI_BODY_CRUSHED | KINI_BODY_EMBEDDED | KINI_BODY_ON_WALL | KINI_BODY_ON_CEILING);
    kini_stand_nowhere(body);
    kini_open(body, KINI_BODY_EMBEDDED, kini_id_of(world, slot), kini_nobody());
}

/* ---- movers that stop -------------------------------------------------------------------------------------------- */
static bool kini_halts(kin_world *world, const kini_body *body, kin_id by, kin_id other) {
    int32_t     row = kini_pressing_mover(world, by);
    kini_mover *mover = row < 0 ? NULL : &world->movers.at[row];
    if (!mover || mover->on_blocked != KIN_BLOCKED_STOP || !(mover->state & KINI_MOVED)) return false;
    mover->state |= KINI_STOPPED;
    mover->blocked_by[0] = kini_id_of(world, body->slot);
    mover->blocked_by[1] = other;
    kini_mover_halt(world, mover);
    return true;
}

/* A mover that stops when blocked would crush: it is put back. */
KINI_PART bool kini_blocked_movers(kin_world *world) {
    bool    any = false;
    int32_t i;
    if (world->stop_movers == 0) return false;
    for (i = 0; i < world->order.count; i++) {
        const kini_body *body = &world->bodies.at[world->order.at[i]];
        /* Between sides that are less opposed it is not crushed, but in the mover all the same. */
        if (!((body->state & KINI_BODY_CRUSHED) || (body->state & ~body->last_state & KINI_BODY_EMBEDDED))) continue;
        if (kini_halts(world, body, body->squeezed_by[0], body->squeezed_by[1])) any = true;
        if (kini_halts(world, body, body->squeezed_by[1], body->squeezed_by[0])) any = true;
    }
    return any;
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */
/* A body presses on the bodies that are flush with it on the side from which `normal` points, at most `most` away:
   marks and queues their contacts with it, once: i is the row, j the contact among its own. A press that does not come
   on holds those that are crushed already, and crushes nobody else. */
static void kini_press_on(kin_world *world, int32_t row, kin_vec normal, float most, bool comes_on) {
    const kini_contact *list = kini_contacts_of(world, row);
    kin_id              self = kini_id_of(world, world->bodies.at[row].slot);
    int32_t             i;
    for (i = 0; i < world->bodies.at[row].contact_count; i++) {
        const kini_thing   *thing = &world->things.at[list[i].other.slot];
        const kini_contact *with;
        kini_meeting       *entry;
        if (thing->kind != KIN_BODY || !kini_takes_part(world, list[i].other.slot) || list[i].gap > most) continue;
        if (!kini_is_flush(world, row, &list[i]) || kini_dot(list[i].normal, normal) < -KINI_OPPOSED) continue;
        if (!comes_on && !(world->bodies.at[thing->row].last_state & KINI_BODY_CRUSHED)) continue;
        with = kini_find_contact(kini_contacts_of(world, thing->row), world->bodies.at[thing->row].contact_count, self,
                                 -1);
        if (!with || (with->flags & KINI_CONTACT_PRESSES) || kini_no_room_to_meet(world)) continue;
        entry = &world->meetings.at[world->meetings.count++];
        entry->i = thing->row;
        entry->j = (int32_t)(with - kini_contacts_of(world, thing->row));
        kini_contacts_of(world, entry->i)[entry->j].flags |= KINI_CONTACT_PRESSES;
    }
}

/* A body holds another one if it is crushed itself, or pressed on from the other side. */
static bool kini_body_holds(const kin_world *world, int32_t row, kin_vec pressed) {
    const kini_contact *list = kini_contacts_of(world, row);
    int32_t             i;
    if (world->bodies.at[row].state & KINI_BODY_CRUSHED) return true;
    for (i = 0; i < world->bodies.at[row].contact_count; i++)
        if ((list[i].flags & KINI_CONTACT_PRESSES) && kini_dot(list[i].normal, pressed) <= KINI_OPPOSED) return true;
    return false;
}

/* The contact that supports a pressed body on the far side, the nearest, then of the lower slot. NULL: it gives way. */
static const kini_contact *kini_holder(const kin_world *world, int32_t row, kin_vec pressed) {
    const kini_contact *list = kini_contacts_of(world, row), *best = NULL;
    int32_t             i;
    for (i = 0; i < world->bodies.at[row].contact_count; i++) {
        const kini_contact *it = &list[i];
        const kini_thing   *thing = &world->things.at[it->other.slot];
        if (!kini_is_flush(world, row, it) || kini_dot(it->normal, pressed) > KINI_OPPOSED) continue;
        if (thing->kind == KIN_BODY && !kini_body_holds(world, thing->row, pressed)) continue;
        if (!best || it->gap < best->gap || (it->gap <= best->gap && it->other.slot < best->other.slot)) best = it;
    }
    return best;
}

/* The contact of a crushed body with one of the two that squeeze it: of several the one most opposed to the other. */
static const kini_contact *kini_squeezing(const kin_world *world, int32_t row, int side) {
    const kini_body    *body = &world->bodies.at[row];
    const kini_contact *list = kini_contacts_of(world, row), *best = NULL;
    float               least = 1;
    int32_t             i, k;
    for (i = 0; i < body->contact_count; i++)
        for (k = 0; k < body->contact_count && kin_same(list[i].other, body->squeezed_by[side]); k++) {
            float dot = kini_dot(list[i].normal, list[k].normal);
            if (!kin_same(list[k].other, body->squeezed_by[1 - side]) || dot >= least) continue;
            least = dot;
            best = &list[i];
        }
    return best;
}

/* A crushed body presses on bodies that squeeze it, and on others as near on that side, not beyond a wall. */
static void kini_begin_row(kin_world *world, int32_t row, bool comes_on) {
    const kini_contact *with[2];
    float               beside = 0.5f * kini_skin_at(world, world->things.at[world->bodies.at[row].slot].p);
    bool                comes = false;
    int                 side;
    for (side = 0; side < 2; side++) {
        with[side] = kini_squeezing(world, row, side);
        if (with[side] && kini_comes_on(world, with[side]->other.slot, with[side]->normal)) comes = true;
    }
    for (side = 0; side < 2 && comes == comes_on; side++)
        if (with[side]) kini_press_on(world, row, with[side]->normal, with[side]->gap + beside, comes_on);
}

static void kini_find_rows(kin_world *world, bool comes_on) {
    int32_t i, first = world->meetings.count;
    for (i = 0; i < world->order.count; i++)
        if (world->bodies.at[world->order.at[i]].state & KINI_BODY_CRUSHED)
            kini_begin_row(world, world->order.at[i], comes_on);
    for (i = first; i < world->meetings.count; i++) {
        const kini_meeting *entry = &world->meetings.at[i];
        kin_vec             on = kini_neg(kini_contacts_of(world, entry->i)[entry->j].normal);
        kini_press_on(world, entry->i, on, KINI_FLT_MAX, comes_on);
    }
}

/* A crushed body presses on those that it touches: all of a row that is held is crushed. */
KINI_PART void kini_crush_rows(kin_world *world) {
    int32_t i;
    bool    any = world->crushed;
    if (!any) return;
    world->meetings.count = 0;
    kini_find_rows(world, true);
    kini_find_rows(world, false);
    while (any) {   /* from the ends back: for rows once is enough, in heaps each further round crushes one at least */
        any = false;
        for (i = world->meetings.count - 1; i >= 0; i--) {
            const kini_meeting *entry = &world->meetings.at[i];
            kini_body          *body = &world->bodies.at[entry->i];
            const kini_contact *press = &kini_contacts_of(world, entry->i)[entry->j], *holder;
            holder = body->state & KINI_BODY_CRUSHED ? NULL : kini_holder(world, entry->i, press->normal);
            if (!holder) continue;
            kini_open(body, KINI_BODY_CRUSHED, press->other, holder->other);   /* pressed on and held: crushed too */
            any = true;
        }
    }
    for (i = 0; i < world->meetings.count; i++) {
        const kini_meeting *entry = &world->meetings.at[i];
        kini_contacts_of(world, entry->i)[entry->j].flags &= ~(uint32_t)KINI_CONTACT_PRESSES;
    }
}

/* ==== src/senses.c: what attached sensors and movers meet, if they sense; part of stage 10, after poses. =============
   Bodies keep their contacts themselves (contacts.c). Pairs without a body stand in one list, sorted by the one that
   senses, then by what it meets. A pair is met if the two overlap, or if one has passed the other on a straight way in
   this step; that wakes and moves nothing. */

static bool kini_sensed_before(const kini_sensed *a, const kini_sensed *b) {
    if (a->by.slot != b->by.slot) return a->by.slot < b->by.slot;
    if (a->it.other.slot != b->it.other.slot) return a->it.other.slot < b->it.other.slot;
    return kini_cell_of(&a->it) < kini_cell_of(&b->it);
}

/* The first in a list that does not come before a pair, the list's end if there is none. */
static int32_t kini_sensed_place(const kini_pairs *list, const kini_sensed *pair) {
    int32_t lo = 0, hi = list->count;
    while (lo < hi) {
        int32_t middle = lo + (hi - lo) / 2;
        if (kini_sensed_before(&list->at[middle], pair)) lo = middle + 1;
        else hi = middle;
    }
    return lo;
}

KINI_PART bool kini_is_sensed(const kini_pairs *list, const kini_sensed *pair) {
    const kini_sensed *there = &list->at[kini_sensed_place(list, pair)];
    return there < list->at + list->count && kin_same(there->by, pair->by) && kini_finds(&there->it, 1, &pair->it);
}

/* Puts a pair in its place, or merges it, the deeper contact kept; none of a higher slot is there yet. Each that senses
   has max_sensor_contacts: only pairs that last drive out others. */
static void kini_sensed_add(kin_world *world, const kini_sensed *pair) {
    kini_sensed *list = world->sensed.at;
    int32_t      i, from = world->sensed.count, at = kini_sensed_place(&world->sensed, pair);
    if (at < world->sensed.count && !kini_sensed_before(pair, &list[at])) {
        float speed = kini_greater(pair->it.speed, list[at].it.speed);
        if (pair->it.gap < list[at].it.gap) list[at] = *pair;
        list[at].it.speed = speed;
        return;
    }
    while (from > 0 && list[from - 1].by.slot == pair->by.slot) from--;
    i = world->sensed.count;
    if (i - from >= world->desc.max_sensor_contacts || i == world->sensed.capacity) {
        world->overflowed = true;
        do {
            if (--i < from) return;
        } while (kini_is_sensed(&world->last_sensed, &list[i]));
        if (!kini_is_sensed(&world->last_sensed, pair)) return;
        kini_cut_rows(&world->sensed, sizeof *list, i, 1);
        if (i < at) at--;
    }
    for (i = world->sensed.count++; i > at; i--) list[i] = list[i - 1];
    list[at] = *pair;
    world->things.at[pair->by.slot].flags |= KINI_TOUCHED;
    world->things.at[pair->it.other.slot].flags |= KINI_TOUCHED;
}

/* Movers meet sensors, sensors that are attached meet all but their owner and its other sensors. */
static bool kini_may_sense(const kini_thing *a, const kini_thing *b) {
    const int both = KINI_ATTACHED | KINI_SENSOR;
    if (!(a->flags & KINI_SENSES)) return false;
    return a->kind == KIN_MOVER ? (b->flags & KINI_SENSOR) || kini_is_tiles(b) : (a->flags & both) == both;
}

/* Does the first report the second? Of two that may, a mover does, else the lower slot. */
static bool kini_tells_of(const kin_world *world, uint32_t slot, uint32_t other) {
    const kini_thing *a = &world->things.at[slot], *b = &world->things.at[other];
    if (!kini_may_sense(a, b) || !kini_meets(world, slot, other)) return false;
    return !kini_may_sense(b, a) || (a->kind != b->kind ? a->kind == KIN_MOVER : slot < other);
}

typedef struct kini_sensing {
    kini_ask   ask;                   /* must come first: its `each` gets no other pointer */
    kin_world *world;
    uint32_t   slot;
    kin_vec    way;                   /* in this step, relative to what is met */
} kini_sensing;

static bool kini_note_sensed(kini_ask *ask) {
    kini_sensing     *s = (kini_sensing *)ask;
    const kini_thing *thing = &s->world->things.at[ask->next.id.slot];
    const kini_tile  *tile = kini_is_tiles(thing) ? kini_tile_of(s->world, thing, ask->next.part) : NULL;
    bool              sensor = ((tile ? tile->flags : thing->flags) & KINI_SENSOR) != 0;
    kini_sensed       pair;
    if (!sensor && s->world->things.at[s->slot].kind == KIN_MOVER) return false;
    pair.by = kini_id_of(s->world, s->slot);
    pair.it.other = ask->next.id;
    pair.it.normal = ask->next.normal;
    pair.it.gap = ask->next_gap;
    pair.it.speed = kini_greater(-kini_dot(s->way, ask->next.normal), 0) / s->world->dt;
    pair.it.part = ask->next.part;
    pair.it.flags = KINI_CONTACT_TOUCH | (sensor ? (uint32_t)KINI_CONTACT_SENSOR : 0u);
    kini_sensed_add(s->world, &pair);
    return false;
}

static void kini_sense(kin_world *world, uint32_t slot) {
    const kini_thing *thing = &world->things.at[slot];
    kini_solid        solid = kini_solid_of(world, thing);
    kin_vec           way = kini_scale(kini_rate_at(world, kini_owner_slot(world, slot), thing->p), world->dt), lo, hi;
    int32_t           i, count, room = world->found.capacity;
    kini_sensing      s;
    lo = kini_lower(thing->lo, kini_sub(thing->lo, way));
    hi = kini_upper(thing->hi, kini_sub(thing->hi, way));
    count = kini_tree_collect(&world->trees[KIN_STATIC], lo, hi, world->found.at, room);
    count += kini_tree_collect(&world->trees[KIN_MOVER], lo, hi, world->found.at + count, room - count);
    s.world = world;
    s.slot = slot;
    for (i = 0; i < count; i++) {
        uint32_t other = (uint32_t)world->found.at[i];
        if (!kini_comes_near(world, &world->things.at[other], lo, hi) || !kini_tells_of(world, slot, other)) continue;
        s.way = kini_sub(way, kini_scale(kini_rate_at(world, other, thing->p), world->dt));
        s.ask = kini_question(world, &solid, kini_pose(thing->p, thing->q), 0);
        s.ask.sides = s.ask.apart = true;
        s.ask.each = kini_note_sensed;
        s.ask.limit = 0;
        kini_ask_thing(&s.ask, other);
        if (kini_is_zero(s.way)) continue;
        s.ask.at.p = kini_sub(thing->p, s.way);
        s.ask.travel = s.way;
        s.ask.casts = true;
        s.ask.limit = KINI_FLT_MAX;
        kini_ask_thing(&s.ask, other);
    }
}

/* Removed inside this step? Contacts with it stay open, and end in the next. */
KINI_PART bool kini_is_just_removed(const kin_world *world, kin_id id) {
    const kini_thing *thing = &world->things.at[id.slot];
    return (thing->flags & (KINI_REMOVED | KINI_GOING)) == KINI_REMOVED && thing->age == id.age + 1;
}

KINI_PART void kini_sense_all(kin_world *world) {
    kini_pairs         was = world->sensed;
    const kini_sensed *pair = was.at;
    int32_t            i;
    if (world->sensers == 0 && was.count == 0 && world->last_sensed.count == 0) return;
    world->sensed = world->last_sensed;
    world->last_sensed = was;
    world->sensed.count = 0;
    for (i = 1; i < world->things.count; i++) {
        for (; pair < was.at + was.count && pair->by.slot == (uint32_t)i; pair++)
            if (kini_is_just_removed(world, pair->by) || kini_is_just_removed(world, pair->it.other))
                kini_sensed_add(world, pair);
        if ((world->things.at[i].flags & KINI_SENSES) && kini_takes_part(world, (uint32_t)i))
            kini_sense(world, (uint32_t)i);
    }
}

/* ==== src/commit.c: stage 10. Poses go to the broad phase, contacts are compared with those of the last step, and the
   events are told: ended, left, freed, continued, began, landed, crushed, embedded, blocked, and within a type by slot.

   Events are read from the state of the bodies while they are emitted, never from a list, so that a callback may remove
   anything: what is dead is passed over. */

/* ---- comparing --------------------------------------------------------------------------------------------------- */
static bool kini_contact_before(const kini_contact *a, const kini_contact *b) {
    if (a->other.slot != b->other.slot) return a->other.slot < b->other.slot;
    if (kini_cell_of(a) != kini_cell_of(b)) return kini_cell_of(a) < kini_cell_of(b);
    return a->part < b->part;
}

static void kini_compare_contacts(kin_world *world, int32_t row) {
    kini_body          *body = &world->bodies.at[row];
    kini_contact       *now = kini_contacts_of(world, row);
    const kini_contact *was = kini_last_contacts_of(world, row);
    int32_t             i, same = 0;   /* partners that stand at the same place in both lists */
    for (i = 0; world->pending > 0 && i < body->last_count; i++)   /* if it goes itself, it has no next step */
        if (!(world->things.at[body->slot].flags & KINI_GOING) && kini_is_just_removed(world, was[i].other))
            kini_contact_note(world, row, &was[i]);
    KINI_SORT(kini_contact, now, body->contact_count, kini_contact_before(a, b));
    for (i = 0; i < body->contact_count; i++) {
        if (!(world->things.at[now[i].other.slot].flags & KINI_TOUCHED)) world->done.at[row] |= KINI_NEEDS_LEAF;
        if (i < body->last_count && kini_finds(&was[i], 1, &now[i])) same++;
        else if (!kini_lasts(world, row, &now[i])) {
            body->events |= kini_bit(KIN_EVENT_BEGAN);
            continue;
        }
        if (world->desc.on_event || kini_reports(world, body, now[i].other))   /* a callback may still ask for it */
            body->events |= kini_bit(KIN_EVENT_CONTINUED);
    }
    for (i = 0; same < body->last_count && i < body->last_count; i++)
        if (!kini_finds(now, body->contact_count, &was[i])) body->events |= kini_bit(KIN_EVENT_ENDED);
}

KINI_PART void kini_commit_body(kin_world *world, int32_t row) {
    kini_body        *body = &world->bodies.at[row];
    const kini_thing *thing = &world->things.at[body->slot];
    uint32_t          conditions = (body->state ^ body->last_state) & (KINI_BODY_CRUSHED | KINI_BODY_EMBEDDED);
    bool              stands = body->stand.footing == KIN_STABLE, stood = body->last.footing == KIN_STABLE;
    body->events = 0;
    world->done.at[row] |= KINI_COMMITTED;
    if (kini_takes_part(world, body->slot)) {
        kin_vec p = thing->p, moved;
        if (kini_limit_place(world, &p)) {
            body->velocity = body->leftover = body->given = kini_vec_zero();
            kini_shift(world, body->slot, p, thing->q);
        }
        moved = kini_sub(p, body->start.p);
        if (!kini_is_zero(moved) && !kini_leaf_stays(world, thing)) world->done.at[row] |= KINI_NEEDS_LEAF;
        body->motion = kini_scale(moved, 1 / world->dt);
        if (stood != stands) body->events = kini_bit(stood ? KIN_EVENT_LEFT : KIN_EVENT_LANDED);
        if (conditions & body->last_state)
            body->events |= kini_bit(KIN_EVENT_FREED);   /* before the other condition opens, if it does */
        if (conditions & body->state & KINI_BODY_CRUSHED) body->events |= kini_bit(KIN_EVENT_CRUSHED);
        if (conditions & body->state & KINI_BODY_EMBEDDED) body->events |= kini_bit(KIN_EVENT_EMBEDDED);
    } else {
        body->motion = kini_vec_zero();
        kini_stand_nowhere(body);
        body->state &= ~(uint32_t)(KINI_BODY_ON_WALL | KINI_BODY_ON_CEILING);
    }
    if (!(world->done.at[row] & KINI_SETTLED) || body->contact_count != body->last_count)
        kini_compare_contacts(world, row);   /* else they have not changed (coast.c) */
    else if (body->contact_count > 0 && (world->desc.on_event || kini_reports(world, body, body->stand.id)))
        body->events |= kini_bit(KIN_EVENT_CONTINUED);
    if (body->events != 0) world->done.at[row] |= KINI_TELLS;
    body->state &= ~(uint32_t)(KINI_BODY_TELEPORTED | KINI_BODY_MOVED);
}

/* Chooses those that change what all see, or have something to tell. */
static void kini_commit_rows(kin_world *world, int32_t first, int32_t end) {
    world->order.count = first;
    for (; first < end; first++) {
        uint8_t idle = world->idle.at[first], *done = &world->done.at[first];
        if (idle == KINI_IDLE_TELLS) {
            world->bodies.at[first].events = kini_bit(KIN_EVENT_CONTINUED);
            *done = KINI_TELLS;
        } else if (idle) continue;
        else if (!(*done & KINI_COMMITTED) && world->bodies.at[first].slot != 0) kini_commit_body(world, first);
        if (*done & (KINI_TELLS | KINI_NEEDS_LEAF)) world->order.at[world->order.count++] = first;
    }
}

/* What of a body is seen by all. */
static void kini_commit_leaf(kin_world *world, int32_t row) {
    const kini_body  *body = &world->bodies.at[row];
    const kini_thing *thing = &world->things.at[body->slot];
    int32_t           i;
    if (!(world->done.at[row] & KINI_NEEDS_LEAF)) return;
    for (i = 0; i < body->contact_count; i++)
        world->things.at[kini_contacts_of(world, row)[i].other.slot].flags |= KINI_TOUCHED;
    if (!kini_leaf_stays(world, thing)) kini_cover(world, body->slot, thing->lo, thing->hi);
}

/* ---- telling ----------------------------------------------------------------------------------------------------- */
/* False: not emitted, since a callback has removed something that it names. */
static bool kini_tell(kin_world *world, const kin_event *event) {
    const kin_id names[3] = { event->a, event->b, event->c };
    int          i;
    for (i = 0; i < 3 && event->type != KIN_EVENT_ENDED; i++)
        if (!kini_is_nobody(names[i]) && !kini_is_live(world, names[i])) return false;
    world->events.at[world->events.count] = *event;
    world->telling = world->events.count + 1;
    if (world->events.count < world->desc.max_events) world->events.count++;
    else world->overflowed = true;
    world->in_callback = true;
    if (world->desc.on_event) world->desc.on_event(world, event, world->desc.user);
    world->in_callback = false;
    world->telling = 0;
    return true;
}

/* Where and how fast a and b met is that of a contact, if there is one. */
static kin_event kini_event(const kin_world *world, kin_event_type type, kin_id a, kin_id b,
                            const kini_contact *contact) {
    kin_event event;
    kini_clear(&event, sizeof event);
    event.type = type;
    event.a = a;
    event.b = b;
    event.part = contact ? contact->part : -1;
    event.step = world->steps;
    if (!contact) return event;
    event.normal = contact->normal;
    event.point = kini_user_at(world, b) ? kini_meeting_point(world, a.slot, b.slot, contact->part, contact->normal)
                                         : world->things.at[a.slot].p;
    event.speed = contact->speed;
    return event;
}

/* The contacts of one list whose partner is, or is not, in the other list. The first of several with one partner speaks
   for all. No ENDED without a reported BEGAN. */
static void kini_tell_contacts(kin_world *world, int32_t row, kin_id a, kin_event_type type) {
    bool    ended = type == KIN_EVENT_ENDED, both = type == KIN_EVENT_CONTINUED;
    int32_t i, count = ended ? world->bodies.at[row].last_count : world->bodies.at[row].contact_count;
    for (i = 0; i < count; i++) {
        const kini_body    *body = &world->bodies.at[row];
        const kini_contact *list = ended ? kini_last_contacts_of(world, row) : kini_contacts_of(world, row);
        kini_contact        contact = list[i];
        bool                there = ended ? kini_finds(kini_contacts_of(world, row), body->contact_count, &contact)
                                          : kini_lasts(world, row, &contact);
        kin_event           event;
        if (there != both || (i > 0 && kini_finds(&list[i - 1], 1, &contact))) continue;
        if (contact.other.slot < body->slot && world->things.at[contact.other.slot].kind == KIN_BODY &&
            kini_user_at(world, contact.other)) continue;   /* of two bodies the lower slot emits it */
        if (contact.flags & KINI_CONTACT_UNTOLD) continue;
        if (both && !kini_reports(world, body, contact.other)) continue;
        event = kini_event(world, type, a, contact.other, &contact);
        if (!kini_tell(world, &event) && type == KIN_EVENT_BEGAN)
            kini_contacts_of(world, row)[i].flags |= KINI_CONTACT_UNTOLD;
    }
}

/* Pairs without a body that begin or end, up to that of the last slot; `next` is where to go on. */
static void kini_tell_sensed(kin_world *world, kin_event_type type, uint32_t last, int32_t *next) {
    const kini_pairs *now = &world->sensed, *was = &world->last_sensed, *list = type == KIN_EVENT_ENDED ? was : now;
    for (; *next < list->count && list->at[*next].by.slot <= last; ++*next) {
        kini_sensed pair = list->at[*next];
        kin_event   event;
        if (kini_is_sensed(list == now ? was : now, &pair) || (pair.it.flags & KINI_CONTACT_UNTOLD)) continue;
        event = kini_event(world, type, pair.by, pair.it.other, &pair.it);
        if (!kini_tell(world, &event)) list->at[*next].it.flags |= KINI_CONTACT_UNTOLD;
    }
}

/* If a callback has teleported the body already, its ground was moved to `last`; LEFT must not be emitted again. */
static void kini_tell_stand(kin_world *world, kini_body *body, kin_id a, kin_event_type type) {
    bool              left = type == KIN_EVENT_LEFT, teleported = (body->state & KINI_BODY_TELEPORTED) != 0;
    const kini_stand *stand = left || teleported ? &body->last : &body->stand;
    kin_event         event = kini_event(world, type, a, stand->id, NULL);
    event.normal = stand->normal;
    event.point = stand->point;
    event.part = stand->part;
    event.speed = left ? 0 : body->land_speed;
    if (left && teleported) body->last = body->stand;   /* which is nowhere */
    kini_tell(world, &event);
}

/* CRUSHED is emitted even if a callback has removed what squeezes the body, which is then not named. */
static void kini_tell_squeeze(kin_world *world, const kini_body *body, kin_id a, kin_event_type type) {
    bool                freed = type == KIN_EVENT_FREED;
    const kini_contact *contact = kini_find_contact(kini_contacts_of(world, world->things.at[a.slot].row),
                                                    body->contact_count, body->squeezed_by[0], -1);
    kin_event           event = kini_event(world, type, a, body->squeezed_by[0], freed ? NULL : contact);
    event.c = body->squeezed_by[1];
    if (freed || !kini_is_live(world, event.b)) event.b = kini_nobody();
    if (freed || !kini_is_live(world, event.c)) event.c = kini_nobody();
    kini_tell(world, &event);
}

static void kini_tell_body(kin_world *world, int32_t row, kin_event_type type) {
    kini_body *body = &world->bodies.at[row];
    kin_id     a = kini_last_id(world, body->slot);
    if (!(body->events & kini_bit(type))) return;
    body->events &= ~kini_bit(type);   /* a callback that teleports it reads which are left to emit */
    if (type == KIN_EVENT_ENDED || type == KIN_EVENT_CONTINUED || type == KIN_EVENT_BEGAN)
        kini_tell_contacts(world, row, a, type);
    else if (type == KIN_EVENT_LEFT || type == KIN_EVENT_LANDED) kini_tell_stand(world, body, a, type);
    else kini_tell_squeeze(world, body, a, type);
}

/* Movers that were stopped in this step but not in the last. */
static void kini_tell_blocked(kin_world *world) {
    int32_t i;
    for (i = 1; i < world->things.count; i++) {
        const kini_mover *mover;
        kin_event         event;
        if (world->things.at[i].kind != KIN_MOVER) continue;
        mover = &world->movers.at[world->things.at[i].row];
        if ((mover->state & (KINI_STOPPED | KINI_WAS_STOPPED)) != KINI_STOPPED) continue;
        event = kini_event(world, KIN_EVENT_BLOCKED, kini_id_of(world, mover->slot), mover->blocked_by[0], NULL);
        event.c = mover->blocked_by[1];
        event.point = world->things.at[event.b.slot].p;
        kini_tell(world, &event);
    }
}

/* ---- the stage --------------------------------------------------------------------------------------------------- */
static void kini_tell_all(kin_world *world) {
    static const kin_event_type order[8] = {
        KIN_EVENT_ENDED, KIN_EVENT_LEFT, KIN_EVENT_FREED, KIN_EVENT_CONTINUED,
        KIN_EVENT_BEGAN, KIN_EVENT_LANDED, KIN_EVENT_CRUSHED, KIN_EVENT_EMBEDDED
    };
    int32_t i, k, next;
    for (i = k = 0; i < world->order.count; i++)
        if (world->bodies.at[world->order.at[i]].events) world->order.at[k++] = world->order.at[i];
    world->order.count = k;
    KINI_SORT(int32_t, world->order.at, world->order.count, world->bodies.at[*a].slot < world->bodies.at[*b].slot);
    for (k = 0; k < 8; k++) {
        bool pairs = order[k] == KIN_EVENT_ENDED || order[k] == KIN_EVENT_BEGAN;
        for (i = next = 0; i < world->order.count; i++) {
            if (pairs) kini_tell_sensed(world, order[k], world->bodies.at[world->order.at[i]].slot, &next);
            kini_tell_body(world, world->order.at[i], order[k]);
        }
        if (pairs) kini_tell_sensed(world, order[k], UINT32_MAX, &next);
    }
    if (world->stop_movers > 0) kini_tell_blocked(world);
}

static void kini_disable_crushed(kin_world *world) {
    int32_t i;
    for (i = 0; i < world->bodies.count && world->crushed; i++) {
        const kini_body *body = &world->bodies.at[i];
        bool             crushed = body->slot != 0 && !world->idle.at[i] && (body->state & KINI_BODY_CRUSHED);
        if (!crushed || body->options.on_crush != KIN_CRUSH_DISABLE) continue;
        kini_disturb(world, body->slot);
        world->things.at[body->slot].flags |= KINI_DISABLED;
    }
}

KINI_PART void kini_stage_commit(kin_world *world) {
    int32_t i;
    world->joining = 0;
    for (i = 0; i < world->bodies.count && world->answering; i++)
        if (world->answers.at[i].full) world->overflowed = true;
    world->answering = false;
    world->skipped = world->idle_count;
    if (world->shifted > 0) world->rests = false;
    if (world->pending == 0) kini_choose_rows(world, kini_commit_rows, world->bodies.count);
    else kini_commit_rows(world, 0, world->bodies.count);   /* keeping a contact may drop one of another body */
    for (i = 0; i < world->order.count; i++) kini_commit_leaf(world, world->order.at[i]);
    for (i = 0; i < world->bodies.count && world->attached > 0; i++)
        if (!world->idle.at[i] && world->bodies.at[i].slot != 0)
            kini_put_sensors(world, &world->things.at[world->bodies.at[i].slot]);
    kini_sense_all(world);
    world->steps++;
    for (i = 1; i < world->things.count && world->shifted > 0; i++)
        world->things.at[i].flags &= (uint16_t)~(KINI_SHIFTED | KINI_RESHAPED);
    world->shifted = 0;
    kini_tell_all(world);
    kini_disable_crushed(world);
    for (i = 1; i < world->things.count && world->going > 0; i++)   /* the contacts of those that go have ended */
        if (world->things.at[i].flags & KINI_GOING) kini_forget(world, (uint32_t)i);
    world->going = 0;
    kini_rest(world);
}

/* ==== src/step.c: one step, as the list of its stages, and the accumulator that turns frame times into steps ====== */
/* The rest of stage 7, then 8 and 9, for one body: all three work on one search of its surroundings. */
static void kini_settle_body(kin_world *world, int32_t row) {
    const kini_body *body = &world->bodies.at[row];
    kin_vec          p = world->things.at[body->slot].p, x = kini_vec_zero(), down;
    float            least = KINI_NO_MOTION * world->desc.unit;
    kini_near        near;
    uint32_t         buried;
    int              with;
    if (world->done.at[row] == KINI_COASTS && kini_stay_openly(world, row, p, false)) return;
    down = kini_scale(body->up, -kini_greater(body->options.snap, 0) - body->options.step_height);
    with = kini_meets_bodies(world, body->slot) ? KINI_WITH_MOVERS | KINI_WITH_BODIES : KINI_WITH_MOVERS;
    kini_near_motion(world, &near, body->slot, 0, with, down, 2 * kini_touch_at(world, p));
    buried = kini_buried_in(world, &near);
    if (buried) { kini_bury(world, row, buried); return; }
    if (!kini_keep_ground(world, &near, row, &x)) {
        kini_depenetrate(world, &near, row, &x);
        kini_find_ground(world, &near, row, &x);
        kini_find_crush(world, &near, row, x);
        if (body->state & KINI_BODY_CRUSHED) world->crushed = true;
        if (!near.dropping) world->bodies.at[row].state &= ~(uint32_t)KINI_BODY_DROPS;
    }
    if (!(kini_len2(x) <= least * least)) {
        kini_shift(world, body->slot, kini_add(near.origin, x), near.turn);
        if (kini_meets_bodies(world, body->slot)) kini_cover_path(world, body);   /* those after it find it there */
    }
}

/* A mover was blocked, or a body woke: bodies go back to where they were after stage 3. */
static void kini_restore(kin_world *world) {
    int32_t i;
    for (i = 0; i < world->order.count; i++) {
        kini_body *body = &world->bodies.at[world->order.at[i]];
        kini_copy((char *)body + offsetof(kini_body, velocity), &world->backup.at[world->order.at[i]],
                  sizeof *world->backup.at);
        kini_stand_still(body);
        world->kept.at[world->order.at[i]].open = 0;   /* the last step is no longer what it knows of */
        body->rank = i;   /* which was that in its batch */
        kini_shift(world, body->slot, body->start.p, body->start.q);
    }
}

/* Stages 4 to 9, for all bodies that are awake or, in a worker's copy of the world, for those of a batch. */
static void kini_run_bodies(kin_world *world) {
    int32_t i;
    for (i = 0; i < world->order.count && (world->stop_movers > 0 || world->idle_count > 0 || world->island); i++)
        kini_backup(world, &world->bodies.at[world->order.at[i]]);
    world->stage = 4; kini_stage_carry(world);
    world->stage = 5; kini_stage_sweep(world);
    kini_stage_free(world);     /* of 7, what would hold others back in 6 */
    world->stage = 6; kini_stage_pairs(world);
    world->stage = 7; kini_stage_apart(world);
    kini_count_groups(world);
    for (i = 0; i < world->order.count; i++)
        if (!(world->done.at[world->order.at[i]] & KINI_SETTLED)) kini_settle_body(world, world->order.at[i]);
}

static void kini_run_batch(kin_world *world, int32_t first, int32_t end) {
    int32_t i;
    world->order.at = world->shares.at + first;
    world->queue.at += first;
    world->meetings.at += KINI_MEETINGS * first;
    world->order.count = world->queue.capacity = end - first;
    for (i = 0; i < world->order.count; i++) world->bodies.at[world->order.at[i]].rank = i;
    kini_run_bodies(world);
}

static void kini_run_stages(kin_world *world) {
    bool full, escaped = false;
    world->rests = (world->steps + 1) % KINI_REST_EVERY == 0;
    if (KINI_FORGET || !kini_equal(world->dt, world->idle_dt)) kini_wake_all(world);
    world->idle_dt = world->dt;
    if (KINI_FORGET) kini_forget_kept(world);
    world->stage = 1; kini_stage_pending(world);
    world->stage = 2; kini_stage_movers(world);
    world->stage = 3; kini_stage_gather(world);
    kini_order_bodies(world);
    kini_scatter_heaps(world);      /* of 7, before pairs are looked for */
    for (;; kini_restore(world)) {
        if (world->late) {
            kini_spread(world);
            kini_order_bodies(world);
        }
        world->late = world->crushed = false;
        world->groups = world->cut_groups = 0;
        full = world->overflowed;
        if (!escaped && kini_find_islands(world)) {
            world->stage = 4;
            escaped = !kini_run_batches(world, kini_run_batch);
        } else {
            escaped = false;
            kini_run_bodies(world);
        }
        if (!escaped && !world->late && !kini_blocked_movers(world)) break;
        if (escaped || world->late) world->overflowed = full;
    }
    kini_crush_rows(world);         /* of 9, once it is settled which movers go back */
    world->stage = 10; kini_stage_commit(world);
    world->stage = 0;
}

KIN_API bool kin_world_step(kin_world *world, float dt) {
    if (!kini_check_between(world, __func__)) return false;
    if (!kini_check_number(world, __func__, "dt", dt, KINI_SHORTEST_STEP, KINI_LONGEST_STEP, " seconds")) return false;
    world->events.count = 0;
    world->overflowed = false;
    world->dt = dt;
    kini_run_stages(world);
    return true;
}

KIN_API int kin_world_advance(kin_world *world, double seconds) {
    double  interval, most;
    int64_t steps, i;
    if (!kini_check_between(world, __func__)) return 0;
    if (!(seconds >= 0 && seconds <= KINI_LONGEST_TIME)) {
        kini_refuse_number(world, __func__, "seconds", "is not a time that can pass", (float)seconds);
        return 0;
    }
    world->events.count = 0;
    world->overflowed = false;
    interval = 1.0 / (double)world->desc.rate;
    most = (double)world->desc.max_catch_up * (double)world->desc.rate;
    if (most < 1) most = 1;                   /* one step that takes longer than that is still made */
    if (most > INT32_MAX) most = INT32_MAX;   /* the result is an int */
    world->time_left += seconds;
    steps = (int64_t)(world->time_left / interval + KINI_STEP_ERROR);
    world->time_left -= (double)steps * interval;
    if (world->time_left < 0) world->time_left = 0;
    world->dropped = 0;
    if ((double)steps > most + KINI_STEP_ERROR) {
        world->dropped = (double)(steps - (int64_t)(most + KINI_STEP_ERROR)) * interval;
        steps = (int64_t)(most + KINI_STEP_ERROR);
        if (world->drops++ == KINI_MANY_DROPS)
            kini_refuse_number(world, __func__, "seconds", "is more than max_catch_up in every call, the rest is "
                               "dropped: are these milliseconds?", (float)seconds);
    } else if (world->drops <= KINI_MANY_DROPS) world->drops = 0;
    if (steps == 0) kini_stage_pending(world);
    else world->dt = (float)interval;
    for (i = 0; i < steps; i++) kini_run_stages(world);
    return (int)steps;
}

/* ==== src/world.c: creating and destroying a world, its settings and statistics =================================== */
/* Up is that of the descriptor, else against gravity, else as before. */
static void kini_turn_up(kin_world *world) {
    kin_vec up = world->desc.up = kini_direction(world->desc.up);
    int32_t i;
    if (kini_is_zero(up)) up = kini_unit(kini_neg(world->desc.gravity));
    if (!kini_is_zero(up)) world->up = up;
    for (i = 0; i < world->bodies.count; i++)
        kini_take_gravity(world, &world->bodies.at[i], world->bodies.at[i].gravity);
}

/* A world without arrays: enough to log a refusal; the real one is a copy of it. */
static bool kini_draft(kin_world *draft, const char *call, const kin_world_desc *desc) {
    kini_clear(draft, sizeof *draft);
    if (desc) draft->desc = *desc;
    kini_default_settings(draft);
    if (!kini_check_settings(draft, call)) return false;
    if (!draft->desc.allocate != !draft->desc.release)
        return kini_refuse(draft, call, draft->desc.release ? "allocate" : "release", "is missing: give both or none");
    if (draft->desc.parallel && draft->desc.workers == 0)
        return kini_refuse(draft, call, "workers", "is missing: parallel needs at least one");
    kini_turn_up(draft);
    return true;
}

/* Rows that the descriptor reserves; `whole`: in a world that cannot grow, those of all other arrays too. */
static kini_counts kini_counts_of(const kin_world_desc *desc, bool whole) {
    kini_counts counts;
    kini_clear(&counts, sizeof counts);
    counts.rows[KINI_SAVES_STATICS] = desc->statics;
    counts.rows[KINI_SAVES_MOVERS] = desc->movers;
    counts.rows[KINI_SAVES_BODIES] = desc->bodies;
    counts.rows[KINI_SAVES_THINGS] = 1 + (int64_t)desc->statics + desc->movers + desc->bodies;
    if (!whole) return counts;
    counts.rows[KINI_SAVES_SHAPES] = counts.rows[KINI_SAVES_HULLS] = counts.rows[KINI_SAVES_THINGS];
    if (counts.rows[KINI_SAVES_HULLS] > desc->hulls) counts.rows[KINI_SAVES_HULLS] = desc->hulls;
    counts.rows[KINI_SAVES_IGNORED] = desc->bodies;
    counts.controls = (int64_t)desc->movers + desc->bodies;
    counts.attached = desc->statics;
    counts.rows[KINI_SAVES_SENSED] = (int64_t)desc->sensing * desc->max_sensor_contacts;
    return counts;
}

static void kini_end(kin_world *world) {
    kini_room   rooms[KINI_MAX_ROOMS];
    kini_counts counts = kini_counts_now(world, NULL);
    int         i = kini_rooms(world, &counts, rooms);
    while (i-- > 0) kini_drop(world, rooms[i].array, rooms[i].row_bytes);
    if (!world->arena.memory) kini_release(world, world, sizeof *world);
}

/* Copies the draft into memory of its own and reserves its arrays. */
static kin_world *kini_found(kin_world *draft, const char *call) {
    kin_world  *world = (kin_world *)kini_allocate(draft, sizeof *draft);
    kini_counts counts = kini_counts_of(&draft->desc, draft->arena.memory != NULL);
    size_t      least;
    if (world) {
        *world = *draft;
        world->bytes = sizeof *world;
        if (kini_reserve(world, &counts)) {
            world->things.count = world->users.count = 1;
            return world;
        }
        kini_end(world);
    }
    least = draft->arena.memory ? kin_world_bytes(&draft->desc) : 0;
    if (!least) kini_refuse(draft, call, "memory", "was not given");
    else kini_refuse_range(draft, call, "memory", (double)draft->arena.bytes, (double)least, (double)least, " bytes");
    return NULL;
}

KIN_API kin_world *kin_world_create(const kin_world_desc *desc) {
    kin_world draft;
    return kini_draft(&draft, __func__, desc) ? kini_found(&draft, __func__) : NULL;
}

/* Limits that the descriptor leaves open are halved until the world fits: the first two in turn, then the last. */
static void kini_fit(kin_world *draft, const kin_world_desc *desc) {
    int *open[3], i;
    open[0] = desc && desc->max_sensor_contacts ? NULL : &draft->desc.max_sensor_contacts;
    open[1] = desc && desc->max_events ? NULL : &draft->desc.max_events;
    open[2] = desc && desc->hulls ? NULL : &draft->desc.hulls;
    for (i = 0; i < 30 && kin_world_bytes(&draft->desc) > draft->arena.bytes + KINI_ALIGN; i++) {
        int *limit = open[i < 20 ? i % 2 : 2];
        if (limit && *limit > 1) *limit /= 2;
    }
}

KIN_API kin_world *kin_world_create_in(void *memory, size_t bytes, const kin_world_desc *desc) {
    kin_world draft;
    size_t    lost = (size_t)(0 - (uintptr_t)memory) & (KINI_ALIGN - 1);   /* up to the next address that is aligned */
    if (!kini_draft(&draft, __func__, desc)) return NULL;
    if (!kini_check_pointer(&draft, __func__, "memory", memory)) return NULL;
    if (bytes < lost) bytes = lost;
    draft.arena.memory = (unsigned char *)memory + lost;
    draft.arena.bytes = bytes - lost;
    kini_fit(&draft, desc);
    return kini_found(&draft, __func__);
}

KIN_API size_t kin_world_bytes(const kin_world_desc *desc) {
    kin_world   draft;
    kini_room   rooms[KINI_MAX_ROOMS];
    kini_counts counts;
    size_t      bytes = kini_aligned(sizeof draft) + KINI_ALIGN, most = (size_t)-1 / 4;
    int         i;
    if (!kini_draft(&draft, __func__, desc)) return 0;
    counts = kini_counts_of(&draft.desc, true);
    for (i = kini_rooms(&draft, &counts, rooms) - 1; i >= 0; i--) {
        if (rooms[i].rows > INT32_MAX || (size_t)rooms[i].rows > most / rooms[i].row_bytes || bytes > most) {
            kini_refuse(&draft, __func__, "desc", "reserves more than memory can hold");
            return 0;
        }
        bytes += kini_aligned((size_t)rooms[i].rows * rooms[i].row_bytes);
    }
    return bytes;
}

KIN_API void kin_world_destroy(kin_world *world) {
    if (world && kini_check_between(world, __func__)) kini_end(world);
}

KIN_API kin_stats kin_world_get_stats(const kin_world *world) {
    kin_stats stats;
    int32_t   i;
    kini_clear(&stats, sizeof stats);
    if (!kini_check_world(world, __func__)) return stats;
    stats.statics = world->live[KIN_STATIC];
    stats.movers = world->live[KIN_MOVER];
    stats.bodies = world->live[KIN_BODY];
    stats.idle = world->skipped;
    stats.groups = world->groups;
    stats.cut_groups = world->cut_groups;
    for (i = 0; i < world->bodies.count; i++) stats.contacts += world->bodies.at[i].contact_count;
    stats.contacts += world->sensed.count;
    stats.events = world->events.count;
    stats.bytes = world->bytes;
    return stats;
}

KIN_API bool kin_world_set_gravity(kin_world *world, kin_vec gravity) {
    if (!kini_check_world(world, __func__) || !kini_check_vec(world, __func__, "gravity", gravity, KINI_FASTEST))
        return false;
    if (!kini_same_bytes(&world->desc.gravity, &gravity, sizeof gravity)) kini_wake_all(world);
    world->desc.gravity = gravity;
    if (kini_is_zero(world->desc.up)) kini_turn_up(world);
    return true;
}

KIN_API bool kin_world_set_up(kin_world *world, kin_vec up) {
    if (!kini_check_world(world, __func__) || !kini_check_finite(world, __func__, "up", up)) return false;
    kini_wake_all(world);
    world->desc.up = up;
    kini_turn_up(world);
    return true;
}

KIN_API bool kin_world_get_desc(const kin_world *world, kin_world_desc *out) {
    if (!kini_check_world(world, __func__) || !kini_check_pointer(world, __func__, "out", out)) return false;
    *out = world->desc;
    out->up = world->up;
    return true;
}

KIN_API int kin_get_events(const kin_world *world, const kin_event **first) {
    bool known = kini_check_world(world, __func__);
    if (first) *first = known ? world->events.at : NULL;
    return known ? world->events.count : 0;
}

/* A dead handle keeps its place in a walk until its slot is reused, so that a walk may remove what it meets. */
KIN_API kin_id kin_next(const kin_world *world, kin_kind kind, kin_id after) {
    uint32_t slot;
    bool     known;
    if (!kini_check_world(world, __func__) || !kini_check_choice(world, __func__, "kind", (int)kind, KIN_BODY))
        return kini_nobody();
    known = kini_is_nobody(after) || kini_is_live(world, after);
    if (!known && after.slot < (uint32_t)world->things.count) {
        const kini_thing *last = &world->things.at[after.slot];
        known = last->age == after.age + 1 && (last->kind == KIN_NOTHING || (last->flags & KINI_REMOVED));
    }
    if (!known) {
        kini_refuse_id(world, __func__, "after", "is not alive", after);
        return kini_nobody();
    }
    for (slot = after.slot + 1; slot < (uint32_t)world->things.count; slot++) {
        kin_id id = kini_id_of(world, slot);
        if ((kind == KIN_NOTHING || world->things.at[slot].kind == kind) && kini_is_live(world, id)) return id;
    }
    return kini_nobody();
}

/* ==== src/verify.c: may this snapshot be loaded?
   A checksum does not detect forged data. So each number of each row is compared with its limit in fields.c, then links
   are followed: an index refers to a row in use that refers back to it, and blocks of levels fill their array without
   overlapping. A world loaded from a snapshot that passes can be stepped without reading or writing outside its arrays.
   Rows are copied out, because a buffer may begin at any address. */

#ifndef KINEMATIC_NO_SNAPSHOT
static bool kini_within(int64_t number, int64_t lo, int64_t hi) { return number >= lo && number <= hi; }

#define KINI_SAVED_AT(view, section, row) \
    ((view)->buffer + (view)->from[section] + (size_t)(row) * kini_section_of(section)->lasts)

/* NULL: there is no such row, or it is free. */
static inline const unsigned char *kini_used_row(const kini_view *view, int section, int64_t row) {
    const unsigned char *at;
    if (!kini_within(row, 0, view->head.rows[section] - 1)) return NULL;
    at = KINI_SAVED_AT(view, section, row);
    return kini_row_used(kini_section_of(section), at) ? at : NULL;
}

/* A row, aligned as in the world; all zero if there is none or it is free. */
static inline bool kini_read_row(const kini_view *view, int section, int64_t row, void *out) {
    const unsigned char *at = kini_used_row(view, section, row);
    size_t               bytes = kini_section_of(section)->lasts;
    if (at) kini_copy(out, at, bytes);
    else kini_clear(out, bytes);
    return at != NULL;
}

/* ---- members ----------------------------------------------------------------------------------------------------- */
/* By byte of a row: [0] bits that count, [1] what carries a number beyond its limit into its top bit, [2] that bit. */
enum { KINI_WIDEST_ROW = sizeof(kini_hull) + sizeof(kini_body) };
typedef struct kini_limits { unsigned char at[3][KINI_WIDEST_ROW]; } kini_limits;

/* Of a float the bits of its magnitude count, which grow as it does; infinities and NaNs are beyond all others. */
static void kini_limit_field(const kini_view *view, const kini_field *field, kini_limits *out) {
    const size_t   width = field->type == KINI_IS_BYTE ? 1 : field->type == KINI_IS_SHORT ? 2 : 4;
    const uint32_t one = 1, top = 0x80000000u >> (32 - 8 * width);
    const size_t   skip = *(const unsigned char *)&one ? 0 : sizeof one - width;   /* the low bytes may come last */
    size_t         at = field->at;
    uint32_t       keep = 0xFFFFFFFFu, most = kini_float_bits(field->most), limit[3];
    int            i, k, count = field->type == KINI_IS_VEC ? field->count * KINI_DIM : field->count;
    switch (field->type) {
    case KINI_IS_BYTE: if (field->most < 0) return; most = (uint32_t)field->most; break;
    case KINI_IS_SHORT: keep = ~(uint32_t)(int32_t)field->most; most = 0; break;
    case KINI_IS_FLOAT: case KINI_IS_VEC: keep = 0x7FFFFFFFu; break;
    case KINI_IS_SIZE: break;
    case KINI_IS_ID: most = (uint32_t)view->head.rows[KINI_SAVES_THINGS] - 1; break;
    default: return;
    case KINI_IS_COUNT: most = (uint32_t)(field->most < 0 ? kini_contact_room(&view->was.desc) : (int)field->most);
    }
    limit[0] = keep;
    limit[1] = top - 1 - most;
    limit[2] = top;
    for (i = 0; i < count; i++, at += field->type == KINI_IS_ID ? sizeof(kin_id) : width) {
        if (field->type == KINI_IS_VEC && i > 0 && i % KINI_DIM == 0) at += sizeof(kin_vec) - KINI_DIM * width;
        for (k = 0; k < 3; k++) kini_copy(out->at[k] + at, (const char *)&limit[k] + skip, width);
    }
}

/* Is every number of every row within its limit? Eight bytes of all rows at a time. Free rows hold zeros or what they
   held before, and pass too. */
static bool kini_numbers_hold(const kini_view *view, int section) {
    const kini_section  *table = kini_section_of(section);
    const unsigned char *first = KINI_SAVED_AT(view, section, 0), *row;
    const size_t         step = table->lasts, bytes = kini_section_bytes(&view->head, section);
    uint64_t             keep, room, top, number, seen;
    size_t               at;
    kini_limits          limits;
    int                  i;
    for (i = 0; i < 3; i++) kini_clear(limits.at[i], step);
    for (i = 0; i < table->field_count; i++) kini_limit_field(view, &table->fields[i], &limits);
    for (at = 0; at < step; at += 8) {
        if (at + 8 > step) at = step - 8;
        kini_copy(&keep, limits.at[0] + at, 8);
        kini_copy(&room, limits.at[1] + at, 8);
        kini_copy(&top, limits.at[2] + at, 8);
        for (row = first + at, seen = 0; top && row < first + bytes; row += step) {
            kini_copy(&number, row, 8);
            number &= keep;
            seen |= number | (number + room);
        }
        if (seen & top) return false;
    }
    return true;
}

/* The part of a live handle to a mesh has to be one of its faces; that of a dead handle is never read. */
static bool kini_part_holds(const kini_view *view, const unsigned char *handle, int32_t part) {
    kini_static fixed;
    kini_thing  thing;
    kini_mesh   mesh;
    kin_id      id;
    kini_copy(&id, handle, sizeof id);
    kini_read_row(view, KINI_SAVES_THINGS, id.slot, &thing);
    if (thing.kind != KIN_STATIC || thing.form != KINI_FORM_MESH || thing.age != id.age) return true;
    return kini_read_row(view, KINI_SAVES_STATICS, thing.row, &fixed) &&
           kini_read_row(view, KINI_SAVES_MESHES, fixed.level, &mesh) && kini_within(part, -1, mesh.face_count - 1);
}

/* A member that is more than a number, in a row that is in use. */
static bool kini_member_holds(const kini_view *view, const kini_field *field, const unsigned char *row) {
    kin_rot q;
    int32_t number;
    if (field->type == KINI_IS_TURN) {
        kini_copy(&q, row + field->at, sizeof q);
        return kini_abs(kini_rot_len2(q) - 1) < KINI_SAVED_LENGTH;
    }
    kini_copy(&number, row + field->at, sizeof number);
    if (field->type == KINI_IS_FACE) return kini_part_holds(view, row + (size_t)field->most, number);
    if (field->type == KINI_IS_CONTROL) return kini_within(number, -1, view->head.controls - 1);
    return number == -1 || kini_used_row(view, (int)field->most, number);
}

static bool kini_fields_hold(const kini_view *view, int section) {
    const kini_section  *table = kini_section_of(section);
    const unsigned char *row, *end = KINI_SAVED_AT(view, section, view->head.rows[section]);
    int                  i;
    if (view->head.rows[section] == 0 || !table->fields) return true;
    for (i = 0; i < table->field_count; i++) {
        const kini_field *field = &table->fields[i];
        if (field->type < KINI_IS_TURN) continue;
        if (field->type == KINI_IS_FACE && view->head.rows[KINI_SAVES_MESHES] == 0) continue;
        for (row = KINI_SAVED_AT(view, section, 0); row < end; row += table->lasts)
            if (!kini_member_holds(view, field, row) && kini_row_used(table, row)) return false;
    }
    return kini_numbers_hold(view, section);
}

/* ---- links ------------------------------------------------------------------------------------------------------- */
typedef struct kini_tally {           /* counted in the rows, to be compared with other counts */
    int32_t named[KINI_SAVED_SECTIONS], attached, sensers;
    int64_t contacts;
} kini_tally;

static bool kini_thing_holds(const kini_thing *thing, kini_tally *tally) {
    static const uint16_t others[4] = {   /* flags that other kinds have */
        0, 0, KINI_ATTACHED, KINI_ATTACHED | KINI_ONE_WAY | KINI_CONVEYOR | KINI_SENSES
    };
    if (thing->kind == 0) return thing->flags == 0;   /* a free slot */
    tally->sensers += (thing->flags & (KINI_SENSES | KINI_REMOVED)) == KINI_SENSES;
    tally->named[KINI_SAVES_KIND + thing->kind]++;
    if (thing->flags & others[thing->kind]) return false;
    if ((thing->flags & (KINI_GOING | KINI_REMOVED)) == KINI_GOING) return false;
    if (thing->form == KINI_FORM_SHAPE) return thing->shape != -1;
    if (thing->flags & KINI_SENSES) return false;
    tally->named[thing->form == KINI_FORM_TILES ? KINI_SAVES_GRIDS : KINI_SAVES_MESHES]++;
    return thing->kind == KIN_STATIC && thing->shape == -1;
}

/* Rows of statics, movers, bodies and levels begin with the slot of their thing, which refers back to them. */
static bool kini_owner_holds(const kini_view *view, int section, int32_t row, kini_thing *owner) {
    uint32_t    slot;
    kini_static fixed;
    kini_copy(&slot, KINI_SAVED_AT(view, section, row), sizeof slot);
    kini_read_row(view, KINI_SAVES_THINGS, slot, owner);
    if (section <= KINI_SAVES_BODIES) return KINI_SAVES_KIND + owner->kind == section && owner->row == row;
    return owner->form == (section == KINI_SAVES_GRIDS ? KINI_FORM_TILES : KINI_FORM_MESH) &&
           kini_read_row(view, KINI_SAVES_STATICS, owner->row, &fixed) && fixed.level == row;
}

static bool kini_static_holds(const kini_view *view, const kini_static *fixed, const kini_thing *thing,
                              kini_tally *tally) {
    kini_thing carrier;
    if (thing->form == KINI_FORM_SHAPE && fixed->level != -1) return false;
    if (!(thing->flags & KINI_ATTACHED) || (thing->flags & KINI_REMOVED)) return true;
    tally->attached++;
    return kini_read_row(view, KINI_SAVES_THINGS, fixed->attach.slot, &carrier) && !(carrier.flags & KINI_REMOVED) &&
           (carrier.kind == KIN_MOVER || (carrier.kind == KIN_BODY && (thing->flags & KINI_SENSOR)));
}

static bool kini_hull_holds(const kini_hull *hull) {
    int i, faces = hull->face_count > 0 ? hull->face_count : 1;   /* the edge of two points names the first of none */
    if (hull->count < 2 || (KINI_DIM == 2 && hull->face_count != hull->count)) return false;
    for (i = 0; i < hull->edge_count; i++) {
        if (hull->edges[i][0] >= hull->count || hull->edges[i][1] >= hull->count) return false;
        if (hull->sides[i][0] >= faces || hull->sides[i][1] >= faces) return false;
    }
    return true;
}

/* Pairs are sorted. */
static bool kini_pair_holds(const kini_view *view, int32_t row, kini_pair pair) {
    kini_pair last = { 0, 0 };
    if (row > 0) kini_copy(&last, KINI_SAVED_AT(view, KINI_SAVES_IGNORED, row - 1), sizeof last);
    return pair.a < pair.b && (pair.a > last.a || (pair.a == last.a && pair.b > last.b)) &&
           kini_used_row(view, KINI_SAVES_THINGS, pair.a) && kini_used_row(view, KINI_SAVES_THINGS, pair.b);
}

/* ---- levels ------------------------------------------------------------------------------------------------------ */
/* Each grid or mesh has a block in arrays that levels share: its row holds the first element, then the count. */
typedef struct kini_block { int section, owner; size_t at; int times; } kini_block;
static const kini_block kini_blocks[] = {
    { KINI_SAVES_TILES, KINI_SAVES_GRIDS, offsetof(kini_grid, tiles), 1 },
    { KINI_SAVES_CELLS, KINI_SAVES_GRIDS, offsetof(kini_grid, cells), 1 },
    { KINI_SAVES_POINTS, KINI_SAVES_MESHES, offsetof(kini_mesh, points), 1 },
    { KINI_SAVES_CORNERS, KINI_SAVES_MESHES, offsetof(kini_mesh, corners), KINI_DIM }
};
enum { KINI_BLOCKS = (int)(sizeof kini_blocks / sizeof *kini_blocks) };
typedef struct kini_extent { int64_t from, count; } kini_extent;

/* All zero while the row is free. */
static kini_extent kini_extent_of(const kini_view *view, const kini_block *block, int32_t row) {
    const unsigned char *at = kini_used_row(view, block->owner, row);
    kini_extent          extent = { 0, 0 };
    int32_t              place[2];
    if (!at) return extent;
    kini_copy(place, at + block->at, sizeof place);
    extent.from = place[0];
    extent.count = (int64_t)place[1] * block->times;
    return extent;
}

/* Blocks lie one behind the other, nearly always in the order of their rows, and fill the array. */
static bool kini_blocks_hold(const kini_view *view, const kini_block *block) {
    int64_t room = view->head.rows[block->section], total = 0, end = 0;
    int32_t i, missed, count = view->head.rows[block->owner];
    for (i = 0; i < count; i++) {
        kini_extent extent = kini_extent_of(view, block, i);
        if (extent.count < 0 || (total += extent.count) > room) return false;
    }
    for (i = missed = 0; end < total && missed < count; i = (i + 1) % count) {
        kini_extent extent = kini_extent_of(view, block, i);
        bool        next = extent.count > 0 && extent.from == end;
        missed = next ? 0 : missed + 1;
        if (next) end += extent.count;
    }
    return end == room;
}

/* Does this world have the same grids or meshes, at the same places? */
KINI_PART bool kini_same_levels(const kin_world *world, const kini_view *view, int owner) {
    kini_rows here = kini_rows_of(world, owner);
    size_t    stride = kini_section_of(owner)->stride;
    size_t    bytes = owner == KINI_SAVES_GRIDS ? offsetof(kini_grid, tiles) : KINI_MESH_LASTS;   /* with the key */
    int32_t   i, count = view->head.rows[owner];
    for (i = 0; i < count && count == here.count; i++)
        if (!kini_same_bytes((const char *)here.at + (size_t)i * stride, KINI_SAVED_AT(view, owner, i), bytes))
            return false;
    return count == here.count;
}

static bool kini_mesh_holds(const kini_view *view, const kini_mesh *mesh) {
    int32_t i, corner;
    kin_vec point;
    for (i = 0; i < mesh->face_count * KINI_DIM && !view->head.apart; i++) {
        kini_copy(&corner, KINI_SAVED_AT(view, KINI_SAVES_CORNERS, mesh->corners + i), sizeof corner);
        if (!kini_within(corner, 0, mesh->point_count - 1)) return false;
    }
    for (i = 0; i < mesh->point_count && !view->head.apart; i++) {
        kini_copy(&point, KINI_SAVED_AT(view, KINI_SAVES_POINTS, mesh->points + i), sizeof point);
        if (!kini_vec_finite(point) || kini_largest(kini_magnitudes(point)) > KINI_FURTHEST) return false;
    }
    return mesh->face_count >= 1;
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */
static bool kini_row_holds(const kini_view *view, int section, int32_t row, kini_tally *tally) {
    union {
        kini_thing thing; kini_static fixed; kini_mover mover; kini_shape shape; kini_hull hull; kini_pair pair;
        kini_grid grid; kini_mesh mesh; kini_body body; kini_sensed sensed;
    } it;
    kini_thing owner;
    kini_grid  counted;
    bool       owned = (section >= KINI_SAVES_STATICS && section <= KINI_SAVES_BODIES) ||
                       section == KINI_SAVES_GRIDS || section == KINI_SAVES_MESHES;
    tally->named[section] -= owned;
    if (owned && !kini_owner_holds(view, section, row, &owner)) return false;
    kini_read_row(view, section, row, &it);
    switch (section) {
    default: return true;
    case KINI_SAVES_THINGS: return kini_thing_holds(&it.thing, tally);
    case KINI_SAVES_STATICS: return kini_static_holds(view, &it.fixed, &owner, tally);
    case KINI_SAVES_BODIES: tally->contacts += it.body.contact_count; return true;
    case KINI_SAVES_SENSED:   /* one that senses has a shape */
        return kini_read_row(view, KINI_SAVES_THINGS, it.sensed.by.slot, &owner) && owner.form == KINI_FORM_SHAPE;
    case KINI_SAVES_SHAPES:   /* a hull has one shape */
        if (it.shape.hull == -1) return true;
        return kini_read_row(view, KINI_SAVES_HULLS, it.shape.hull, &it) && it.hull.owner == row;
    case KINI_SAVES_HULLS: return kini_hull_holds(&it.hull);
    case KINI_SAVES_IGNORED: return kini_pair_holds(view, row, it.pair);
    case KINI_SAVES_GRIDS:
        counted = it.grid;
        return kini_check_grid(&view->was, NULL, &counted) && counted.cell_count == it.grid.cell_count;
    case KINI_SAVES_MESHES: return kini_mesh_holds(view, &it.mesh);
    }
}

/* NULL, or what kin_snapshot_save would not have written. */
static const char *kini_is_unsound(const kini_view *view) {
    const kini_saved *head = &view->head;
    const kin_world  *was = &view->was;
    kini_tally        tally;
    bool              sound;
    int32_t           row;
    int               i;
    kini_clear(&tally, sizeof tally);
    sound = kini_check_settings(was, NULL) &&
            (kini_is_zero(was->up) || kini_abs(kini_len2(was->up) - 1) < KINI_NO_LENGTH) &&
            kini_within(head->apart, 0, 1) && kini_within(head->rows[KINI_SAVES_THINGS], 1, KINI_MOST_THINGS) &&
            head->rows[KINI_SAVES_USERS] == head->rows[KINI_SAVES_THINGS] &&
            head->rows[KINI_SAVES_EVENTS] <= was->desc.max_events;
    if (!sound) return "has settings that no world has";
    for (i = 0; i < KINI_SAVES_BULK; i++)
        if (!kini_fields_hold(view, i)) return kini_section_of(i)->unsound;
    for (i = 0; i < KINI_BLOCKS; i++)
        if (!kini_blocks_hold(view, &kini_blocks[i])) return kini_section_of(kini_blocks[i].owner)->unsound;
    for (i = 0; i < KINI_SAVES_BULK; i++)
        for (row = 0; row < head->rows[i] && kini_section_of(i)->fields && i != KINI_SAVES_CONTACTS; row++)
            if ((i == KINI_SAVES_THINGS || kini_used_row(view, i, row)) && !kini_row_holds(view, i, row, &tally))
                return kini_section_of(i)->unsound;
    sound = tally.attached == was->attached && tally.sensers == was->sensers &&
            tally.contacts == head->rows[KINI_SAVES_CONTACTS];
    for (i = 0; i < KINI_SAVES_BULK; i++) sound = sound && tally.named[i] == 0;
    return sound ? NULL : kini_section_of(KINI_SAVES_THINGS)->unsound;
}

/* NULL, or why it must not be loaded. */
KINI_PART const char *kini_verify(const kin_world *world, const kini_view *view) {
    if (!kini_within(view->head.controls, 0, world->controls.count)) return "needs controllers this world has not seen";
    if (view->head.apart && !(kini_same_levels(world, view, KINI_SAVES_GRIDS) &&
                              kini_same_levels(world, view, KINI_SAVES_MESHES)))
        return "leaves out a level that is not the one of this world";
    return world->desc.trust_snapshots ? NULL : kini_is_unsound(view);
}
#endif

/* ==== src/snapshot.c: a world as one block of bytes, and back. =======================================================
   A snapshot is a head (kini_saved), the world's settings, then all rows that last from step to step (fields.c). A
   world with level_apart leaves out cells, points and corners, and compares their keys instead. Loading verifies all
   of it first (verify.c) unless it is trusted, then reserves memory, then copies. */

#ifndef KINEMATIC_NO_SNAPSHOT
enum { KINI_MAGIC = 0x4B494E54, KINI_MAGIC_0_1 = 0x4B494E53 };   /* snapshots of 0.1 hold no version */
enum { KINI_FORMAT = 12 };              /* raised when the same bytes come to mean something else */

/* Rotates the sum, so that swapped words, or two flips of the same bit, do not cancel out. */
static inline uint64_t kini_mix_word(uint64_t sum, const void *at) {
    uint64_t word;
    kini_copy(&word, at, sizeof word);
    sum ^= word;
    return (sum << 23 | sum >> 41) * 0x9E3779B97F4A7C15u;
}

/* Of all words that follow the sum itself. */
KINI_PART uint64_t kini_checksum(const void *buffer, size_t bytes) {
    const unsigned char *at = (const unsigned char *)buffer + offsetof(kini_saved, check) + sizeof(uint64_t);
    const unsigned char *end = (const unsigned char *)buffer + bytes;
    uint64_t             a = bytes, b = 1, c = 2, d = 3;
    for (; end - at >= 32; at += 32) {
        a = kini_mix_word(a, at);
        b = kini_mix_word(b, at + 8);
        c = kini_mix_word(c, at + 16);
        d = kini_mix_word(d, at + 24);
    }
    for (; end - at >= 8; at += 8) a = kini_mix_word(a, at);
    a = kini_mix_word(kini_mix_word(kini_mix_word(a, &b), &c), &d);
    return a ^ a >> 32;
}

/* ---- where everything is ----------------------------------------------------------------------------------------- */
/* From a world to a snapshot or back; returns where settings end. NULL: only that. */
static size_t kini_copy_settings(void *to, const void *from, bool saves) {
    const kini_setting *setting;
    size_t              at = sizeof(kini_saved);
    int                 i;
    for (i = 0; (setting = kini_setting_at(i)) != NULL; i++) {
        size_t own = setting->field.at;
        if (to) kini_copy((char *)to + (saves ? at : own), (const char *)from + (saves ? own : at), setting->bytes);
        at += setting->bytes;
    }
    return at;
}

static uint32_t kini_layout(void) {
    uint32_t hash = (KINI_DIM ^ (KINI_FORMAT + 64 * KINI_TILES + 128 * KINI_MESHES)) * 0x01000193u;
    int      i;
    for (i = 0; i < KINI_SAVED_SECTIONS; i++) hash = (hash ^ kini_section_of(i)->lasts) * 0x01000193u;
    return (hash ^ (uint32_t)kini_copy_settings(NULL, NULL, true)) * 0x01000193u;
}

/* Where each section begins; how long the whole is, 0 if it cannot be that long. */
KINI_PART size_t kini_lay_out(kini_view *view) {
    uint64_t total = kini_copy_settings(NULL, NULL, true);
    int      i;
    for (i = 0; i < KINI_SAVED_SECTIONS; i++) {
        total = (total + 7) & ~(uint64_t)7;
        view->from[i] = (size_t)total;
        if (view->head.rows[i] < 0) return 0;
        if ((uint64_t)view->head.rows[i] > (uint64_t)((size_t)-1 / 2) / kini_section_of(i)->lasts) return 0;
        total += kini_section_bytes(&view->head, i);
        if (total > (uint64_t)((size_t)-1 / 2)) return 0;
    }
    return (size_t)((total + 7) & ~(uint64_t)7);
}

/* ---- saving ------------------------------------------------------------------------------------------------------ */
/* Free rows are all zero, which would name the first controller. */
static void kini_need_control(kini_saved *head, uint32_t slot, int32_t control) {
    if (slot != 0 && control >= head->controls) head->controls = control + 1;
}

static size_t kini_measure(const kin_world *world, kini_view *view) {
    kini_saved *head = &view->head;
    int32_t     i;
    kini_clear(head, sizeof *head);
    head->magic = KINI_MAGIC;
    head->version = KIN_VERSION;
    head->layout = kini_layout();
    head->apart = world->desc.level_apart;
    for (i = 0; i < KINI_SAVED_SECTIONS; i++) head->rows[i] = kini_rows_of(world, i).count;
    for (i = 0; i < world->movers.count; i++)
        kini_need_control(head, world->movers.at[i].slot, world->movers.at[i].control);
    for (i = 0; i < world->bodies.count; i++) {
        kini_need_control(head, world->bodies.at[i].slot, world->bodies.at[i].control);
        head->rows[KINI_SAVES_CONTACTS] += world->bodies.at[i].contact_count;
    }
    head->bytes = kini_lay_out(view);
    return (size_t)head->bytes;
}

/* Copies a section into the buffer or, if that is NULL, from the view into the world. Users have 64 bits in a snapshot;
   contacts stand in the order of their bodies. */
static void kini_copy_rows(const kin_world *world, const kini_view *view, unsigned char *buffer, int section) {
    const kini_section *table = kini_section_of(section);
    unsigned char      *row = (unsigned char *)kini_rows_of(world, section).at;
    size_t              at = view->from[section], end = at + kini_section_bytes(&view->head, section);
    size_t              step = table->lasts, bytes = table->stride < step ? table->stride : step;
    int32_t             body;
    if (buffer) kini_clear(buffer + end, (8 - end % 8) % 8);
    if (table->array && table->stride == step) bytes = step = end - at;
    if (buffer && bytes < step) kini_clear(buffer + at, end - at);
    for (body = 0; at < end; at += step, row += table->stride, body++) {
        if (section == KINI_SAVES_THINGS) bytes = KINI_THING_LASTS;   /* known to the compiler, which is quicker */
        if (!table->array) {
            bytes = step = (size_t)world->bodies.at[body].contact_count * sizeof(kini_contact);
            row = (unsigned char *)kini_contacts_of(world, body);
        }
        if (buffer) kini_copy(buffer + at, row, bytes);
        else kini_copy(row, view->buffer + at, bytes);
    }
}

KIN_API size_t kin_snapshot_size(const kin_world *world) {
    kini_view view;
    return kini_check_world(world, __func__) ? kini_measure(world, &view) : 0;
}

KIN_API size_t kin_snapshot_save(const kin_world *world, void *buffer, size_t capacity) {
    unsigned char *out = (unsigned char *)buffer;
    kini_view      view;
    size_t         bytes;
    int            i;
    if (!kini_check_between(world, __func__) || !kini_check_pointer(world, __func__, "buffer", buffer)) return 0;
    bytes = kini_measure(world, &view);
    view.buffer = out;
    if (bytes > capacity)
        return kini_refuse_range(world, __func__, "capacity", (double)capacity, (double)bytes, (double)bytes, " bytes");
    kini_clear(out, view.from[0]);
    kini_copy_settings(out, world, true);
    for (i = 0; i < KINI_SAVED_SECTIONS; i++) kini_copy_rows(world, &view, out, i);
    kini_copy(out, &view.head, sizeof view.head);
    view.head.check = kini_checksum(out, bytes);
    kini_copy(out, &view.head, sizeof view.head);
    return bytes;
}

/* ---- loading ----------------------------------------------------------------------------------------------------- */
/* Reads the head, finds the sections and verifies them. Returns what is wrong, or NULL. */
static const char *kini_open_view(const kin_world *world, kini_view *view, const void *buffer, size_t size) {
    view->buffer = (const unsigned char *)buffer;
    view->head.version = KIN_VERSION;
    if (size < sizeof view->head) return "is too short for a snapshot";
    kini_copy(&view->head, buffer, sizeof view->head);
    if (view->head.magic != KINI_MAGIC) {
        view->head.version = view->head.magic == KINI_MAGIC_0_1 ? 100 : KIN_VERSION;
        return "is no snapshot, or one of another byte order";
    }
    if (view->head.version != KIN_VERSION || view->head.layout != kini_layout())
        return "is from the other dimension, or from a program with other KINEMATIC_NO_ options";
    if (view->head.bytes != size || kini_lay_out(view) != size) return "has lost or gained bytes";
    if (view->head.check != kini_checksum(buffer, size)) return "is damaged";
    kini_clear(&view->was.desc, sizeof view->was.desc);
    kini_copy_settings(&view->was, buffer, false);
    return kini_verify(world, view);
}

/* Reserves memory under the limits of the snapshot; if that fails, the world keeps its own limits. */
static bool kini_reserve_saved(kin_world *world, const char *call, const kini_view *view) {
    kini_counts    counts = kini_counts_now(world, NULL);
    kin_world_desc own = world->desc;
    int            i;
    for (i = 0; i < KINI_SAVED_SECTIONS; i++) counts.rows[i] = view->head.rows[i];
    counts.attached = view->was.attached;
    counts.rows[KINI_SAVES_SENSED] += (int64_t)view->was.sensers * view->was.desc.max_sensor_contacts;
    world->desc.max_contacts = view->was.desc.max_contacts;
    world->desc.max_sensor_contacts = view->was.desc.max_sensor_contacts;
    world->desc.max_events = view->was.desc.max_events;
    if (kini_reserve(world, &counts)) return true;
    world->desc = own;
    return kini_refuse(world, call, "memory", "was not given");
}

/* Before things are loaded: removes leaves of things that are in another tree in the snapshot, or in none. Restores
   the users that this world was itself given for their handles; the others become NULL. Returns their number. */
static int32_t kini_leave_things(kin_world *world, const kini_view *view) {
    int32_t i, lost = 0, rows = view->head.rows[KINI_SAVES_THINGS];
    for (i = 1; i < rows || i < world->things.count; i++) {
        kini_thing *thing = &world->things.at[i], saved;
        bool        here = i < world->things.count, given;
        kini_tree  *tree = here ? kini_tree_of(world, thing) : NULL;
        void       *user = NULL;
        kin_id      id;
        kini_clear(&saved, sizeof saved);
        if (i < rows) {
            kini_copy(&saved, view->buffer + view->from[KINI_SAVES_THINGS] + (size_t)i * KINI_THING_LASTS,
                      KINI_THING_LASTS);
            kini_copy(&user, view->buffer + view->from[KINI_SAVES_USERS] + (size_t)i * sizeof(uint64_t), sizeof user);
        }
        id.slot = (uint32_t)i;
        id.age = saved.age - (saved.flags & KINI_REMOVED ? 1u : 0u);
        if (!here) thing->leaf = -1;
        if (thing->leaf >= 0 && (kini_tree_of(world, &saved) != tree || (saved.flags & KINI_REMOVED))) {
            kini_tree_remove(tree, thing->leaf);
            thing->leaf = -1;
        }
        if (world->desc.trust_snapshots) continue;
        given = saved.kind != KIN_NOTHING && kini_was_given(world, id, user);
        lost += saved.kind != KIN_NOTHING && !given;
        if (here && !(kin_same(kini_last_id(world, id.slot), id) && world->users.at[i] == user))
            kini_remember_user(world, id.slot);
        if (i < rows) world->users.at[i] = given ? user : NULL;
    }
    return lost;
}

/* Counts things; derives bounds, leaves and lists of parts. Users and keys of shapes may be forged, unless the snapshot
   is trusted, and are computed anew. */
static void kini_load_derived(kin_world *world) {
    bool             trusted = world->desc.trust_snapshots;
    const kini_body *last = NULL;
    int32_t          i;
    for (i = 0; i < world->shapes.count && !trusted; i++) {
        kini_shape *shape = &world->shapes.at[i];
        kini_solid  solid;
        if (shape->users == 0) continue;
        solid = kini_stored_solid(world, i);
        shape->key = kini_shape_key(&solid);
        shape->users = 0;
    }
    for (i = 0; i < world->tiles.count && !trusted; i++)
        if (world->tiles.at[i].shape >= 0) world->shapes.at[world->tiles.at[i].shape].users++;
    for (i = 0; i < world->movers.count; i++) world->movers.at[i].parts = -1;
    for (i = 0; i < world->bodies.count; i++) world->bodies.at[i].parts = -1;
    for (i = world->statics.count - 1; i >= 0; i--) {
        kini_static *fixed = &world->statics.at[i];
        fixed->next_part = -1;
        if ((world->things.at[fixed->slot].flags & (KINI_ATTACHED | KINI_REMOVED)) == KINI_ATTACHED)
            kini_link_part(world, i);
    }
    kini_clear(world->live, sizeof world->live);
    kini_clear(world->first_free, sizeof world->first_free);
    world->stop_movers = 0;
    for (i = 1; i < world->things.count; i++) {
        kini_thing *thing = &world->things.at[i];
        if (thing->kind == KIN_NOTHING) continue;
        kini_thing_bounds(world, thing, kini_pose(thing->p, thing->q), &thing->lo, &thing->hi);
        if (thing->shape >= 0 && !trusted) world->shapes.at[thing->shape].users++;
        if (thing->flags & KINI_REMOVED) continue;
        kini_give_leaf(world, (uint32_t)i);
        world->live[thing->kind]++;
        if (thing->kind == KIN_BODY) {
            kini_body *body = &world->bodies.at[thing->row];
            bool       same = last && kini_equal(last->options.max_slope, body->options.max_slope);
            body->up = kini_up_against(world, body->gravity);
            if (same) body->stable_cos = last->stable_cos;
            else kini_derive_slope(body);
            last = body;
        }
        if (thing->kind == KIN_MOVER) world->stop_movers += world->movers.at[thing->row].on_blocked == KIN_BLOCKED_STOP;
    }
}

KIN_API bool kin_snapshot_load(kin_world *world, const void *buffer, size_t size) {
    const char     *wrong;
    kini_view       view;
    bool            same;
    int             i;
    int32_t         changed, lost;
    if (!kini_check_between(world, __func__) || !kini_check_pointer(world, __func__, "buffer", buffer)) return false;
    wrong = kini_open_view(world, &view, buffer, size);
    if (wrong && view.head.version != KIN_VERSION)
        return kini_refuse_version(world, __func__, "buffer", view.head.version);
    if (wrong) return kini_refuse(world, __func__, "buffer", wrong);
    if (kini_contact_room(&view.was.desc) != kini_contact_room(&world->desc)) kini_wake_all(world);
    same = kini_same_levels(world, &view, KINI_SAVES_MESHES);
    if (!kini_reserve_saved(world, __func__, &view)) return false;
    changed = kini_wake_changed(world, &view);
    lost = kini_leave_things(world, &view);
    kini_copy_settings(world, buffer, false);
    for (i = 0; i < KINI_SAVED_SECTIONS; i++) {
        if (view.head.rows[i] > 0 && kini_section_bytes(&view.head, i) == 0) continue;   /* the level is left out */
        if (kini_section_of(i)->array) kini_set_count(world, i, view.head.rows[i]);
        if (i != KINI_SAVES_USERS || world->desc.trust_snapshots) kini_copy_rows(world, &view, NULL, i);
    }
    kini_clear(&world->things.at[0], sizeof world->things.at[0]);   /* slot 0 is no thing */
    if (!same) kini_rebuild_trees(world);
    kini_load_derived(world);
    kini_index_shapes(world);
    kini_forget_kept(world);
    while (changed-- > 0) kini_disturb(world, (uint32_t)world->found.at[world->found.capacity / 2 + changed]);
    if (lost > 0)
        kini_refuse_number(world, __func__, "users", "that this world was not given are NULL; so many:", (float)lost);
    return true;
}
#endif

/* ---- the hash ---------------------------------------------------------------------------------------------------- */
/* It covers all state that the future depends on. Left out is what every step begins by writing anew (wishes, scratch),
   what only drawing reads, the broad phase, and what belongs to the user: pointers and controllers. Numbers go in as
   values: byte order, padding, addresses and the sign of zero do not show. A shape goes in by its key. */
static inline uint64_t kini_hash_word(uint64_t hash, uint32_t word) {
    hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
    return hash ^ hash >> 29;
}

static uint64_t kini_hash_field(uint64_t hash, const kin_world *world, const kini_field *field, const void *row) {
    const void     *at = (const char *)row + field->at;
    const uint32_t *words = (const uint32_t *)at;
    uint64_t        bits;
    double          number;
    int             i, count = field->type == KINI_IS_ID ? 2 * field->count : field->count;
    switch (field->type) {
    case KINI_IS_FLOAT: case KINI_IS_SIZE: case KINI_IS_TURN:
        for (i = 0; i < count; i++) hash = kini_hash_word(hash, kini_float_bits(((const float *)at)[i]));
        return hash;
    case KINI_IS_SHORT: return kini_hash_word(hash, *(const uint16_t *)at);
    case KINI_IS_BYTE: return kini_hash_word(hash, *(const unsigned char *)at);
    case KINI_IS_LONG: case KINI_IS_DOUBLE:
        number = field->type == KINI_IS_DOUBLE ? *(const double *)at + 0.0 : 0;
        kini_copy(&bits, field->type == KINI_IS_DOUBLE ? (const void *)&number : at, sizeof bits);
        return kini_hash_word(kini_hash_word(hash, (uint32_t)(bits & 0xFFFFFFFFu)), (uint32_t)(bits >> 32));
    default:
        if (field->type == KINI_IS_ROW && (int)field->most == KINI_SAVES_SHAPES)
            return *(const int32_t *)at < 0 ? hash : kini_hash_word(hash, world->shapes.at[*(const int32_t *)at].key);
        for (i = 0; i < count; i++) hash = kini_hash_word(hash, words[i]);
        return hash;
    }
}

static uint64_t kini_hash_rows(uint64_t hash, const kin_world *world, int section, const void *first, int32_t count) {
    const kini_section *table = kini_section_of(section);
    const char         *row = (const char *)first;
    int                 i;
    for (; count > 0; count--, row += table->stride) {
        bool used = kini_row_used(table, row);
        for (i = 0; i < table->field_count; i++)
            if (table->fields[i].when == KINI_HASH_ALWAYS || (used && table->fields[i].when == KINI_HASH_USED))
                hash = kini_hash_field(hash, world, &table->fields[i], row);
    }
    return hash;
}

KIN_API uint64_t kin_world_hash(const kin_world *world) {
    uint64_t            hash = 0xCBF29CE484222325u + KINI_DIM;
    const kini_setting *setting;
    int32_t             i;
    if (!kini_check_world(world, __func__)) return 0;
    for (i = 0; (setting = kini_setting_at(i)) != NULL; i++)
        if (setting->field.when == KINI_HASH_ALWAYS) hash = kini_hash_field(hash, world, &setting->field, world);
    hash = kini_hash_rows(hash, world, KINI_SAVES_THINGS, world->things.at + 1, world->things.count - 1);
    hash = kini_hash_rows(hash, world, KINI_SAVES_STATICS, world->statics.at, world->statics.count);
    hash = kini_hash_rows(hash, world, KINI_SAVES_MOVERS, world->movers.at, world->movers.count);
    for (i = 0; i < world->bodies.count; i++) {
        kini_body seen = world->bodies.at[i];
        seen.velocity = kini_seen_velocity(world, i);
        if (!(seen.state & (KINI_BODY_TELEPORTED | KINI_BODY_MOVED))) kini_clear(&seen.last, sizeof seen.last);
        hash = kini_hash_rows(hash, world, KINI_SAVES_BODIES, &seen, 1);
        hash = kini_hash_rows(hash, world, KINI_SAVES_CONTACTS, kini_contacts_of(world, i), seen.contact_count);
    }
    for (i = 0; i < world->grids.count; i++) {
        const kini_grid *grid = &world->grids.at[i];
        hash = kini_hash_rows(hash, world, KINI_SAVES_GRIDS, grid, 1);
        hash = kini_hash_rows(hash, world, KINI_SAVES_TILES, world->tiles.at + grid->tiles, grid->tile_count);
    }
    hash = kini_hash_rows(hash, world, KINI_SAVES_MESHES, world->meshes.at, world->meshes.count);
    hash = kini_hash_rows(hash, world, KINI_SAVES_SENSED, world->sensed.at, world->sensed.count);
    return kini_hash_rows(hash, world, KINI_SAVES_IGNORED, world->ignored.at, world->ignored.count);
}

/* ==== src/access.c: getters, as many as a renderer, an editor or a debugger needs. ===================================
   A teleported body has no ground and shows no contacts until the next step; its old contacts are still kept, so that
   the step can emit ENDED for them. */

/* ---- one value of the world, a thing, a body or a mover: all zero if that is refused ----------------------------- */
#define KINI_GETTER(type, name, parameters, asked, value) \
    KIN_API type name parameters \
    { \
        type told; \
        asked; \
        kini_clear(&told, sizeof told); \
        if (it) told = value; \
        return told; \
    }
#define KINI_OF_WORLD(type, name, value) \
    KINI_GETTER(type, name, (const kin_world *world), bool it = kini_check_world(world, __func__), value)
#define KINI_OF_THING(type, name, value) \
    KINI_GETTER(type, name, (const kin_world *world, kin_id id), \
                const kini_thing *it = kini_asked(world, __func__, id), value)
#define KINI_OF_BODY(type, name, value) \
    KINI_GETTER(type, name, (const kin_world *world, kin_id body), \
                const kini_body *it = kini_check_body(world, __func__, body), value)

/* NULL if the handle is refused. */
static const kini_thing *kini_asked(const kin_world *world, const char *call, kin_id id) {
    uint32_t slot = kini_check_id(world, call, "id", id);
    return slot ? &world->things.at[slot] : NULL;
}

static kin_vec kini_velocity_of(const kin_world *world, const kini_thing *thing) {
    if (thing->kind == KIN_BODY) return kini_seen_velocity(world, thing->row);
    return thing->kind == KIN_MOVER ? world->movers.at[thing->row].velocity : kini_vec_zero();
}

KINI_OF_WORLD(float, kin_world_alpha, kini_clamp((float)(world->time_left * (double)world->desc.rate), 0, 1))
KINI_OF_WORLD(double, kin_world_dropped, world->dropped)
KINI_OF_WORLD(uint64_t, kin_world_steps, world->steps)
KINI_OF_WORLD(bool, kin_world_overflowed, world->overflowed)
KINI_OF_WORLD(kin_vec, kin_world_get_gravity, world->desc.gravity)
KINI_OF_WORLD(kin_vec, kin_world_get_up, world->up)
KINI_OF_THING(kin_kind, kin_get_kind, (kin_kind)it->kind)
KINI_OF_THING(kin_form, kin_get_form, (kin_form)(KIN_FORM_SHAPE + it->form))
KINI_OF_THING(bool, kin_is_enabled, !(it->flags & KINI_DISABLED))
KINI_OF_THING(bool, kin_is_sensor, (it->flags & KINI_SENSOR) != 0)
KINI_OF_THING(bool, kin_is_one_sided, kini_is_mesh(it) && (it->flags & KINI_ONE_WAY))
KINI_OF_THING(kin_vec, kin_get_position, it->p)
KINI_OF_THING(kin_rot, kin_get_rotation, it->q)
KINI_OF_THING(kin_vec, kin_get_velocity, kini_velocity_of(world, it))
KINI_OF_THING(kin_vec, kin_get_motion, it->kind == KIN_BODY ? world->bodies.at[it->row].motion
                                                            : kini_rate_at(world, id.slot, it->p))
KINI_OF_THING(kin_vec, kin_get_leftover, it->kind == KIN_BODY ? world->bodies.at[it->row].leftover : kini_vec_zero())
KINI_OF_THING(kin_spin, kin_get_spin, it->kind == KIN_MOVER ? world->movers.at[it->row].spin : kini_spin_zero())
KINI_OF_BODY(kin_vec, kin_get_up, it->up)
KINI_OF_BODY(bool, kin_on_ground, it->stand.footing == KIN_STABLE && kini_is_live(world, it->stand.id))
KINI_OF_BODY(bool, kin_on_wall, (it->state & KINI_BODY_ON_WALL) != 0)
KINI_OF_BODY(bool, kin_on_ceiling, (it->state & KINI_BODY_ON_CEILING) != 0)
KINI_OF_BODY(bool, kin_is_crushed, (it->state & KINI_BODY_CRUSHED) != 0)
KINI_OF_BODY(bool, kin_is_embedded, (it->state & KINI_BODY_EMBEDDED) != 0)
KINI_GETTER(bool, kin_is_blocked, (const kin_world *world, kin_id mover),
            const kini_mover *it = kini_check_mover(world, __func__, "mover", mover), (it->state & KINI_STOPPED) != 0)
KINI_GETTER(bool, kin_alive, (const kin_world *world, kin_id id), bool it = kini_check_world(world, __func__),
            kini_is_live(world, id))

/* ---- things ------------------------------------------------------------------------------------------------------ */
/* Of a dead handle as long as an event names it. */
KIN_API void *kin_get_user(const kin_world *world, kin_id id) {
    int32_t i = 0;
    if (world && !kini_is_nobody(id) && !kini_is_live(world, id))
        i = world->telling > world->events.count ? world->telling : world->events.count;
    while (i-- > 0) {
        const kin_event *event = &world->events.at[i];
        if (kin_same(event->a, id) || kin_same(event->b, id) || kin_same(event->c, id)) return kini_user_of(world, id);
    }
    return kini_check_id(world, __func__, "id", id) ? kini_user_of(world, id) : NULL;
}

/* Between the last two steps. What is attached is drawn where its mover is. */
KIN_API kin_pose kin_get_draw_pose(const kin_world *world, kin_id id) {
    const kini_thing  *thing = kini_asked(world, __func__, id);
    const kini_static *part = thing && (thing->flags & KINI_ATTACHED) ? &world->statics.at[thing->row] : NULL;
    kin_pose           at, from;
    float              alpha;
    kini_clear(&at, sizeof at);
    if (part) thing = &world->things.at[part->attach.slot];
    if (thing) at = kini_pose(thing->p, thing->q);
    if (!thing || thing->kind == KIN_STATIC) return at;
    from = thing->kind == KIN_BODY ? world->bodies.at[thing->row].drawn : world->movers.at[thing->row].drawn;
    alpha = kin_world_alpha(world);
    at = kini_pose(kini_mix(from.p, at.p, alpha), kini_rot_unit(kini_rot_mix(from.q, at.q, alpha)));
    return part ? kini_pose_on(at, part->local) : at;
}

KIN_API bool kin_get_shape(const kin_world *world, kin_id id, kin_shape *out) {
    const kini_thing *thing = kini_asked(world, __func__, id);
    return thing && kini_check_pointer(world, __func__, "out", out) && kini_shape_of(world, thing, out);
}

KIN_API bool kin_get_bounds(const kin_world *world, kin_id id, kin_vec *low, kin_vec *high) {
    uint32_t slot = kini_check_id(world, __func__, "id", id);
    if (slot && low) *low = world->things.at[slot].lo;
    if (slot && high) *high = world->things.at[slot].hi;
    return slot != 0;
}

KIN_API bool kin_get_filter(const kin_world *world, kin_id id, uint32_t *layer, uint32_t *mask) {
    uint32_t slot = kini_check_id(world, __func__, "id", id);
    if (slot && layer) *layer = world->things.at[slot].layer;
    if (slot && mask) *mask = world->things.at[slot].mask;
    return slot != 0;
}

KIN_API kin_ground kin_get_ground(const kin_world *world, kin_id body) {
    const kini_body *row = kini_check_body(world, __func__, body);
    kin_ground       ground;
    kini_clear(&ground, sizeof ground);
    if (!row) return ground;
    ground.part = -1;
    if (row->stand.footing == KIN_AIR || !kini_is_live(world, row->stand.id)) return ground;
    ground.footing = (kin_footing)row->stand.footing;
    ground.id = row->stand.id;
    ground.normal = row->stand.normal;
    ground.point = row->stand.point;
    ground.velocity = row->stand.velocity;
    ground.part = row->stand.part;
    return ground;
}

/* ---- contacts and riders ----------------------------------------------------------------------------------------- */
KINI_PART bool kini_is_shown(const kin_world *world, int32_t row, const kini_contact *contact) {
    uint32_t seen = KINI_CONTACT_HIT | KINI_CONTACT_TOUCH;
    return !(world->bodies.at[row].state & KINI_BODY_TELEPORTED) && (contact->flags & seen) &&
           kini_is_live(world, contact->other);
}

KINI_PART void kini_give_contact(const kin_world *world, uint32_t slot, const kini_contact *contact, kin_contact *out) {
    out->other = contact->other;
    out->normal = contact->normal;
    out->point = kini_meeting_point(world, slot, contact->other.slot, contact->part, contact->normal);
    out->gap = contact->gap;
    out->part = contact->part;
}

/* Is `id` one of the two in a contact of `by`? Then writes it as seen from `id`, unless out is NULL. */
static bool kini_tell_contact(const kin_world *world, kin_id by, const kini_contact *contact, kin_id id,
                              kin_contact *out) {
    bool own = kin_same(by, id);
    if (!own && !kin_same(contact->other, id)) return false;
    if (!kini_is_live(world, by) || !kini_is_live(world, contact->other)) return false;
    if (out) kini_give_contact(world, by.slot, contact, out);
    if (!out || own) return true;
    out->other = by;
    out->normal = kini_neg(contact->normal);
    return true;
}

/* Contacts are kept by bodies; of a static or mover they are seen from the other side. */
KIN_API int kin_get_contacts(const kin_world *world, kin_id id, kin_contact *out, int capacity) {
    uint32_t slot = kini_check_id(world, __func__, "id", id);
    bool     body = slot && world->things.at[slot].kind == KIN_BODY;
    int32_t  i, row = body ? world->things.at[slot].row : 0, found = 0;
    if (!slot || !kini_check_list(world, __func__, out, capacity)) return 0;
    for (; row < world->bodies.count && (!body || world->bodies.at[row].slot == slot); row++)
        for (i = 0; i < world->bodies.at[row].contact_count; i++) {
            const kini_contact *contact = &kini_contacts_of(world, row)[i];
            if (kini_is_shown(world, row, contact))
                found += kini_tell_contact(world, kini_id_of(world, world->bodies.at[row].slot), contact, id,
                                           found < capacity ? &out[found] : NULL);
        }
    for (i = 0; i < world->sensed.count; i++)
        found += kini_tell_contact(world, world->sensed.at[i].by, &world->sensed.at[i].it, id,
                                   found < capacity ? &out[found] : NULL);
    return found;
}

KIN_API int kin_get_riders(const kin_world *world, kin_id id, kin_id *out, int capacity) {
    int     found = 0;
    int32_t row;
    if (!kini_check_id(world, __func__, "id", id) || !kini_check_list(world, __func__, out, capacity)) return 0;
    for (row = 0; row < world->bodies.count; row++) {
        const kini_body *body = &world->bodies.at[row];
        kin_id           rider = kini_id_of(world, body->slot);
        if (body->slot == 0 || body->stand.footing != KIN_STABLE || !kin_same(body->stand.id, id)) continue;
        if (kini_is_live(world, rider)) kini_keep_id(out, found++, capacity, rider);
    }
    return found;
}

/* Of the touched surfaces that are walls, or ceilings, the most upright, or the most level. */
static bool kini_get_side(const kin_world *world, const char *call, kin_id body, uint32_t state, kin_contact *out) {
    const kini_body    *row = kini_check_body(world, call, body);
    const kini_contact *list, *best = NULL;
    bool                ceiling = state == KINI_BODY_ON_CEILING, floats;
    float               least = KINI_FLT_MAX;
    int32_t             i;
    if (!row || !kini_check_pointer(world, call, "out", out)) return false;
    kini_clear(out, sizeof *out);
    list = kini_contacts_of(world, world->things.at[row->slot].row);
    floats = kini_is_floating(world, row);
    for (i = 0; i < row->contact_count && (row->state & state); i++) {
        float    rise = kini_dot(list[i].normal, row->up), lean = ceiling ? rise : kini_abs(rise);
        bool     faces_down = rise < -KINI_CEILING_COS && !floats;
        uint32_t kind = list[i].flags & (KINI_CONTACT_TOUCH | KINI_CONTACT_SENSOR | KINI_CONTACT_FITS);
        if (kind != KINI_CONTACT_TOUCH) continue;
        if (faces_down != ceiling || (!floats && rise >= row->stable_cos) || lean >= least) continue;
        if (!kini_is_live(world, list[i].other)) continue;
        least = lean;
        best = &list[i];
    }
    if (best) kini_give_contact(world, row->slot, best, out);
    return best != NULL;
}

KIN_API bool kin_get_wall(const kin_world *world, kin_id body, kin_contact *out) {
    return kini_get_side(world, __func__, body, KINI_BODY_ON_WALL, out);
}

KIN_API bool kin_get_ceiling(const kin_world *world, kin_id body, kin_contact *out) {
    return kini_get_side(world, __func__, body, KINI_BODY_ON_CEILING, out);
}

#ifndef KINEMATIC_NO_TILES
KIN_API bool kin_get_tiles(const kin_world *world, kin_id tiles, kin_tiles_desc *out) {
    const kini_grid *grid = kini_check_tiles(world, __func__, tiles);
    kin_static_desc  fixed;
    if (!grid || !kini_check_pointer(world, __func__, "out", out)) return false;
    kin_get_static_options(world, tiles, &fixed);
    kini_clear(out, sizeof *out);
    out->size = grid->size;
    out->cell = grid->cell;
    out->origin = fixed.position;
    out->layer = fixed.layer;
    out->mask = fixed.mask;
    out->user = fixed.user;
    out->attach = fixed.attach;
    return true;
}

KIN_API bool kin_get_tile_definition(const kin_world *world, kin_id tiles, uint8_t value, kin_tile *out) {
    const kini_grid *grid = kini_check_tiles(world, __func__, tiles);
    const kini_tile *tile;
    kini_solid       solid;
    kin_shape        shape;
    int              i;
    if (!grid || !kini_check_pointer(world, __func__, "out", out)) return false;
    kini_clear(out, sizeof *out);
    kini_clear(&shape, sizeof shape);
    tile = &world->tiles.at[grid->tiles + value];
    if (value >= grid->tile_count || !(tile->flags & KINI_TILE_FILLED)) return false;
    if (tile->shape >= 0) {
        solid = kini_stored_solid(world, tile->shape);
        kini_shape_points(&solid, &shape);
    }
    out->count = shape.count;
    for (i = 0; i < shape.count; i++)
        out->points[i] = kini_add(kini_scale(shape.points[i], 1 / grid->cell), kini_all(0.5f));
    if (tile->flags & KINI_ONE_WAY) out->one_way = kini_tile_outward(world, tile, world->things.at[tiles.slot].q);
    out->surface_velocity = tile->surface_velocity;
    out->sensor = (tile->flags & KINI_SENSOR) != 0;
    return true;
}
#endif

/* ==== src/change.c: setters: pose, motion, shape, filter, controller. ================================================
   Setting a position is a teleport: nothing is swept, no rider is carried, contacts end, and draw poses do not pass
   through the places between. Turning a body is no teleport: a hero may turn in every frame and keep its ground. */

/* NULL: position or rotation stays. */
static bool kini_change_pose(kin_world *world, const char *call, kin_id id, const kin_vec *position, kin_rot *rotation)
{
    uint32_t    slot = kini_check_id(world, call, "id", id);
    kini_thing *thing;
    if (!slot || !kini_check_unasked(world, call)) return false;
    if (position && !kini_check_vec(world, call, "position", *position, KINI_FURTHEST)) return false;
    if (rotation && !kini_check_rot(world, call, "rotation", rotation)) return false;
    thing = &world->things.at[slot];
    if (position || thing->kind != KIN_BODY) {
        kini_teleport(world, slot, kini_pose(position ? *position : thing->p, rotation ? *rotation : thing->q));
        return true;
    }
    kini_place(world, slot, thing->p, *rotation);
    world->bodies.at[thing->row].start.q = world->bodies.at[thing->row].drawn.q = *rotation;
    return true;
}

KIN_API bool kin_set_pose(kin_world *world, kin_id id, kin_pose pose) {
    return kini_change_pose(world, __func__, id, &pose.p, &pose.q);
}

KIN_API bool kin_set_position(kin_world *world, kin_id id, kin_vec position) {
    return kini_change_pose(world, __func__, id, &position, NULL);
}

KIN_API bool kin_set_rotation(kin_world *world, kin_id id, kin_rot rotation) {
    return kini_change_pose(world, __func__, id, NULL, &rotation);
}

/* ---- motion ------------------------------------------------------------------------------------------------------ */
KIN_API bool kin_set_velocity(kin_world *world, kin_id id, kin_vec velocity) {
    uint32_t          slot = kini_check_id(world, __func__, "id", id);
    const kini_thing *thing;
    if (!slot || !kini_check_finite(world, __func__, "velocity", velocity)) return false;
    thing = &world->things.at[slot];
    if (thing->kind == KIN_STATIC) return kini_refuse_id(world, __func__, "id", "is a static", id);
    velocity = kini_limit_speed(world, velocity);
    if (thing->kind == KIN_BODY) {
        kini_body *body = &world->bodies.at[thing->row];
        if (world->idle.at[thing->row]) {
            kin_vec seen = kini_seen_velocity(world, thing->row);
            if (kini_same_bytes(&seen, &velocity, sizeof seen)) return true;
        }
        if (!kini_woken(world, thing->row)) return true;
        if (kini_abs(kini_dot(kini_sub(velocity, body->velocity), body->given)) > 0)
            body->given = kini_vec_zero();   /* from now on it is the body's own */
        if (!kini_same_bytes(&body->velocity, &velocity, sizeof velocity)) body->calm = false;
        body->velocity = velocity;
        return true;
    }
    world->movers.at[thing->row].velocity = velocity;
    world->movers.at[thing->row].state &= (uint8_t)~KINI_HAS_TARGET;   /* replaces the target of kin_move_to */
    return true;
}

KIN_API bool kin_set_leftover(kin_world *world, kin_id body, kin_vec leftover) {
    kini_body *row = kini_check_body(world, __func__, body);
    if (!row || !kini_check_finite(world, __func__, "leftover", leftover)) return false;
    kini_disturb(world, row->slot);
    row->leftover = kini_limit_speed(world, leftover);
    return true;
}

KIN_API bool kin_set_spin(kin_world *world, kin_id id, kin_spin spin) {
    kini_mover *mover = kini_check_mover(world, __func__, "id", id);
    if (!mover || !kini_check_floats(world, __func__, "spin", &spin, KINI_SPIN_BYTES, KINI_FASTEST)) return false;
    mover->spin = spin;
    mover->state &= (uint8_t)~KINI_HAS_TARGET;
    return true;
}

KIN_API bool kin_move_to(kin_world *world, kin_id mover, kin_vec position, kin_rot rotation) {
    kini_mover *row = kini_check_mover(world, __func__, "mover", mover);
    if (!row || !kini_check_vec(world, __func__, "position", position, KINI_FURTHEST)) return false;
    if (!kini_check_rot(world, __func__, "rotation", &rotation)) return false;
    row->target = kini_pose(position, rotation);
    row->velocity = kini_vec_zero();
    row->spin = kini_spin_zero();
    row->state |= KINI_HAS_TARGET;
    return true;
}

/* ---- filter, user, controller ------------------------------------------------------------------------------------ */
KIN_API bool kin_set_enabled(kin_world *world, kin_id id, bool enabled) {
    uint32_t slot = kini_check_id(world, __func__, "id", id);
    if (!slot || !kini_check_unasked(world, __func__)) return false;
    kini_disturb(world, slot);
    kini_set_flag(&world->things.at[slot], KINI_DISABLED, !enabled);
    return true;
}

KIN_API bool kin_set_filter(kin_world *world, kin_id id, uint32_t layer, uint32_t mask) {
    uint32_t slot = kini_check_id(world, __func__, "id", id);
    if (!slot || !kini_check_unasked(world, __func__)) return false;
    kini_disturb(world, slot);
    world->things.at[slot].layer = layer;
    world->things.at[slot].mask = mask;
    return true;
}

KIN_API bool kin_set_user(kin_world *world, kin_id id, void *user) {
    uint32_t slot = kini_check_id(world, __func__, "id", id);
    if (!slot) return false;
    kini_remember_user(world, slot);
    world->users.at[slot] = user;
    return true;
}

KIN_API bool kin_set_control(kin_world *world, kin_id id, kin_control_fn *control) {
    uint32_t          slot = kini_check_id(world, __func__, "id", id);
    const kini_thing *thing;
    if (!slot) return false;
    thing = &world->things.at[slot];
    if (thing->kind == KIN_STATIC) return kini_refuse_id(world, __func__, "id", "is a static", id);
    if (!kini_reserve_control(world, __func__, control)) return false;
    if (thing->kind == KIN_BODY) world->bodies.at[thing->row].control = kini_take_control(world, control);
    else world->movers.at[thing->row].control = kini_take_control(world, control);
    return true;
}

KIN_API bool kin_ignore(kin_world *world, kin_id a, kin_id b, bool ignore) {
    if (!kini_check_id(world, __func__, "a", a) || !kini_check_id(world, __func__, "b", b)) return false;
    if (!kini_check_unasked(world, __func__)) return false;
    if (kin_same(a, b)) return kini_refuse_id(world, __func__, "b", "is a itself", b);
    if (world->things.at[a.slot].kind == KIN_BODY) kini_wake(world, world->things.at[a.slot].row);
    if (world->things.at[b.slot].kind == KIN_BODY) kini_wake(world, world->things.at[b.slot].row);
    return kini_ignore_pair(world, __func__, a.slot, b.slot, ignore);
}

/* ---- shape ------------------------------------------------------------------------------------------------------- */
/* Does another shape fit? Not if it overlaps something by more than the slop, and deeper than the old shape. */
static bool kini_has_room(kin_world *world, uint32_t slot, const kini_solid *now, const kini_solid *wanted,
                          kin_pose wanted_at) {
    const kini_thing *body = &world->things.at[slot];
    const uint32_t    skip = KINI_SENSOR | KINI_ONE_WAY;
    float             gap, far = KINI_FAR_ULPS * kini_ulp(kini_largest(kini_magnitudes(body->p)));
    kin_vec           lo, hi;
    int               kind, i, count;
    if (body->flags & KINI_SENSOR) return true;
    kini_search_box(wanted, wanted_at, &lo, &hi);
    for (kind = KIN_STATIC; kind <= KIN_BODY; kind++) {
        count = kini_tree_collect(&world->trees[kind], lo, hi, world->found.at, world->found.capacity);
        for (i = 0; i < count; i++) {
            uint32_t          other = (uint32_t)world->found.at[i];
            const kini_thing *thing = &world->things.at[other];
            if (other == slot || (thing->flags & skip) || !kini_meets(world, slot, other)) continue;
            if (kind == KIN_BODY && !kini_pair_solid(world, slot, other)) continue;
            gap = kini_thing_gap(world, other, wanted, wanted_at, skip);
            if (!(gap < -(KINI_SLOP * world->desc.unit + far))) continue;
            if (gap < kini_thing_gap(world, other, now, kini_pose(body->p, body->q), skip)) return false;
        }
    }
    return true;
}

/* Height of the lowest point over the thing's origin. */
static float kini_bottom(const kini_solid *solid, kin_rot turn, kin_vec up) {
    return kini_dot(kini_solid_support(solid, turn, kini_neg(up)), up) - solid->radius;
}

/* Moves the origin of a thing within it; the thing and its parts stay where they are, so nothing is carried. */
static void kini_shift_origin(kin_world *world, uint32_t slot, kin_vec shift) {
    kini_thing *thing = &world->things.at[slot];
    kin_vec     p = kini_add(thing->p, shift);
    int32_t     part;
    if (thing->kind == KIN_STATIC) {
        kini_teleport(world, slot, kini_pose(p, thing->q));
    } else if (thing->kind == KIN_MOVER) {
        kini_mover *mover = &world->movers.at[thing->row];
        for (part = mover->parts; part >= 0; part = world->statics.at[part].next_part)
            world->statics.at[part].local.p = kini_sub(world->statics.at[part].local.p, kini_unrotate(thing->q, shift));
        kini_place(world, slot, p, thing->q);
        mover->before.p = kini_add(mover->before.p, shift);
        mover->drawn.p = kini_add(mover->drawn.p, shift);
    } else {
        kini_body *body = &world->bodies.at[thing->row];
        kini_place(world, slot, p, thing->q);
        body->start.p = kini_add(body->start.p, shift);
        body->drawn.p = kini_add(body->drawn.p, shift);
        if (kini_is_live(world, body->drops_through))
            body->drop_from = kini_add(body->drop_from,
                                       kini_unrotate(world->things.at[body->drops_through.slot].q, shift));
        if (kini_is_live(world, body->stand.id))
            body->stand.local = kini_add(body->stand.local, kini_unrotate(
                kini_carrier_pose(world, &world->things.at[body->stand.id.slot]).q, shift));
    }
}

KIN_API bool kin_set_shape(kin_world *world, kin_id id, const kin_shape *shape) {
    uint32_t    slot = kini_check_id(world, __func__, "id", id);
    kini_thing *thing;
    kini_counts counts;
    kini_solid  now, wanted;
    kini_hull   room;
    kin_vec     up, shift;   /* from the origin with the old shape to that with the new one: the lowest point stays */
    int32_t     old;
    if (!slot || !kini_check_unasked(world, __func__)) return false;
    thing = &world->things.at[slot];
    if (thing->form != KINI_FORM_SHAPE) return kini_refuse_id(world, __func__, "id", "has no shape to change", id);
    if (!kini_check_shape(world, __func__, shape, &wanted, &room)) return false;
    now = kini_solid_of(world, thing);
    up = thing->kind == KIN_BODY ? world->bodies.at[thing->row].up : world->up;
    if (kini_is_zero(up)) up = kini_with(up, 1, 1);
    shift = kini_scale(up, kini_bottom(&now, thing->q, up) - kini_bottom(&wanted, thing->q, up));
    if (thing->kind == KIN_BODY &&
        !kini_has_room(world, slot, &now, &wanted, kini_pose(kini_add(thing->p, shift), thing->q)))
        return false;
    counts = kini_counts_now(world, &wanted);
    if (!kini_check_room(world, __func__, &counts)) return false;
    kini_disturb(world, slot);
    old = thing->shape;
    thing->shape = kini_take_shape(world, &wanted);
    kini_give_shape(world, old);
    kini_mark(world, slot, KINI_RESHAPED);
    kini_shift_origin(world, slot, shift);
    return true;
}

/* ==== src/draw.c: the world as lines and points, for the game's own debug view. ======================================
   First the boxes of the broad phase, then in slot order outlines and what bodies meet. The drawing functions are the
   user's; either may be missing. Poses are those of the simulation, by default. The manual explains the colours. */

#ifndef KINEMATIC_NO_DRAW
/* All that is drawn, and for each red, green, blue, opacity and its layer. */
enum {
    KINI_DRAWS_STATIC, KINI_DRAWS_MOVER, KINI_DRAWS_PUSHABLE,   /* and two more, in the order of kin_push */
    KINI_DRAWS_SENSOR = KINI_DRAWS_PUSHABLE + 3, KINI_DRAWS_DISABLED, KINI_DRAWS_ONE_WAY, KINI_DRAWS_BOUNDS,
    KINI_DRAWS_SURROUNDINGS, KINI_DRAWS_VELOCITY, KINI_DRAWS_CONTACT, KINI_DRAWS_STABLE, KINI_DRAWS_STEEP
};
static const uint32_t kini_colours[][2] = {
    { 0xA0A0A0FFu, KIN_DRAW_SHAPES }, { 0x50A0FFFFu, KIN_DRAW_SHAPES }, { 0xFFB040FFu, KIN_DRAW_SHAPES },
    { 0x60D060FFu, KIN_DRAW_SHAPES }, { 0xC080FFFFu, KIN_DRAW_SHAPES }, { 0xE0E040A0u, KIN_DRAW_SENSORS },
    { 0x60606080u, KIN_DRAW_SHAPES }, { 0x40E0D0FFu, KIN_DRAW_SHAPES }, { 0x80808040u, KIN_DRAW_BROAD_PHASE },
    { 0x8080C040u, KIN_DRAW_SURROUNDINGS }, { 0xFFFFFFFFu, KIN_DRAW_VELOCITY }, { 0xFF4040FFu, KIN_DRAW_CONTACTS },
    { 0x40FF40FFu, KIN_DRAW_GROUND }, { 0xFF8000FFu, KIN_DRAW_GROUND }
};

static const float KINI_NORMAL_LENGTH = 0.25f;      /* of the line that shows a normal, times unit */
static const float KINI_VELOCITY_SECONDS = 0.25f;   /* a velocity is drawn as long as what it covers in this time */
static const float KINI_SMOOTHNESS = 0.01f;         /* of a line from a round surface, times unit, by default */
static const float KINI_MOST_LINES = 256.0f;        /* that a circle is drawn with */

typedef struct kini_drawer { kin_draw to; kin_draw_options options; int what; } kini_drawer;   /* of the thing */

static void kini_draw_line(const kini_drawer *draw, kin_vec from, kin_vec to, int what) {
    if (draw->to.line && (draw->options.layers & kini_colours[what][1]))
        draw->to.line(from, to, kini_colours[what][0], draw->to.user);
}

static void kini_draw_point(const kini_drawer *draw, kin_vec at, int what) {
    if (draw->to.point && (draw->options.layers & kini_colours[what][1]))
        draw->to.point(at, kini_colours[what][0], draw->to.user);
}

/* Part of a circle: from centre + x, by the angle, towards centre + y; x and y are perpendicular and as long. */
static void kini_draw_arc(const kini_drawer *draw, kin_vec centre, kin_vec x, kin_vec y, float angle, int what) {
    /* The middle of a line over the angle a is r a a / 8 away from the circle. */
    float   lines = kini_lesser(angle * kini_sqrt(kini_len(x) / (8 * draw->options.smoothness)), KINI_MOST_LINES);
    float   least = angle * (8 / KINI_PI);   /* a small circle is still one */
    int     i, count = 1 + (int)(lines > least ? lines : least);
    kin_vec last = kini_add(centre, x);
    for (i = 1; i <= count; i++) {
        float   sine, cosine;
        kin_vec next;
        kini_sine(angle * (float)i / (float)count, &sine, &cosine);
        next = kini_madd(kini_madd(centre, x, cosine), y, sine);
        kini_draw_line(draw, last, next, what);
        last = next;
    }
}

/* ---- outlines ---------------------------------------------------------------------------------------------------- */
#if KINI_DIM == 2
/* Sides moved out by the radius, and an arc around each corner from one side's normal to the next one's. */
static void kini_draw_solid(const kini_drawer *draw, const kini_solid *solid, kin_pose at, int what) {
    kin_vec corners[KIN_MAX_POINTS], before, after;
    float   angle;
    int     i, count = kini_solid_corners(solid, at.q, corners);
    for (i = 0; i < count; i++) {
        kin_vec last = corners[(i + count - 1) % count], here = corners[i], next = corners[(i + 1) % count];
        before = kini_scale(kini_perp(kini_unit(kini_sub(last, here))), solid->radius);
        after = kini_scale(kini_perp(kini_unit(kini_sub(here, next))), solid->radius);
        here = kini_add(at.p, here);
        if (count == 1) {
            kini_draw_arc(draw, here, kin_v(solid->radius, 0), kin_v(0, solid->radius), 2 * KINI_PI, what);
            return;
        }
        angle = count == 2 ? KINI_PI : kini_arc_tangent(kini_area(before, after), kini_dot(before, after));
        if (solid->radius > 0) kini_draw_arc(draw, here, before, kini_perp(before), angle, what);
        kini_draw_line(draw, kini_add(here, after), kini_add(kini_add(at.p, next), after), what);
    }
}
#else
/* An edge of the core; of a rounded shape four lines around it. */
static void kini_draw_edge(const kini_drawer *draw, kin_vec from, kin_vec to, float radius, int what) {
    kin_vec along = kini_unit(kini_sub(to, from)), x = kini_scale(kini_unit(kini_some_across(along)), radius), out;
    int     i;
    for (i = 0; i < (radius > 0 ? 4 : 1); i++) {
        out = kini_scale(i < 2 ? x : kini_cross(along, x), i % 2 == 0 ? 1.0f : -1.0f);
        kini_draw_line(draw, kini_add(from, out), kini_add(to, out), what);
    }
}

/* Corners of a box core are neighbours if they differ along one axis. */
static bool kini_draws_edge(const kini_solid *solid, const kin_vec *corners, int a, int b) {
    kin_vec d = kini_magnitudes(kini_sub(corners[a], corners[b]));
    int     i;
    if (!solid->hull) return (d.x > 0) + (d.y > 0) + (d.z > 0) == 1;
    for (i = 0; i < solid->hull->edge_count; i++) {
        int from = solid->hull->edges[i][0], to = solid->hull->edges[i][1];
        if ((from == a && to == b) || (from == b && to == a)) return true;
    }
    return false;
}

static void kini_draw_solid(const kini_drawer *draw, const kini_solid *solid, kin_pose at, int what) {
    kin_vec corners[KIN_MAX_POINTS];
    int     i, k, count = kini_solid_corners(solid, kini_unturned(), corners);
    for (i = 0; i < count; i++) {
        kin_vec here = kini_to_world(at, corners[i]);
        for (k = 0; k < 3 && solid->radius > 0; k++)
            kini_draw_arc(draw, here, kini_rotate(at.q, kini_with(kini_vec_zero(), k, solid->radius)),
                          kini_rotate(at.q, kini_with(kini_vec_zero(), (k + 1) % 3, solid->radius)), 2 * KINI_PI, what);
        for (k = i + 1; k < count; k++)
            if (kini_draws_edge(solid, corners, i, k))
                kini_draw_edge(draw, here, kini_to_world(at, corners[k]), solid->radius, what);
    }
}
#endif

/* Each corner of the box, and from it the edges that lead upwards along an axis. */
static void kini_draw_box(const kini_drawer *draw, kin_vec lo, kin_vec hi, int what) {
    int corner, axis, upper;
    for (corner = 0; corner < 1 << KINI_DIM; corner++) {
        kin_vec from = lo;
        for (axis = 0; axis < KINI_DIM; axis++)
            if (corner >> axis & 1) from = kini_with(from, axis, kini_at(hi, axis));
        for (upper = 0; upper < KINI_DIM; upper++)
            if (!(corner >> upper & 1)) kini_draw_line(draw, from, kini_with(from, upper, kini_at(hi, upper)), what);
    }
}

/* ---- things ------------------------------------------------------------------------------------------------------ */
static int kini_look_of(const kin_world *world, const kini_thing *thing) {
    if (thing->flags & KINI_DISABLED) return KINI_DRAWS_DISABLED;
    if (thing->flags & KINI_SENSOR) return KINI_DRAWS_SENSOR;
    if (thing->kind == KIN_STATIC) return thing->flags & KINI_ONE_WAY ? KINI_DRAWS_ONE_WAY : KINI_DRAWS_STATIC;
    if (thing->kind == KIN_MOVER) return KINI_DRAWS_MOVER;
    return KINI_DRAWS_PUSHABLE + world->bodies.at[thing->row].options.push;
}

/* A velocity has a point at its tip, so that one sees where it leads. */
static void kini_draw_velocity(const kini_drawer *draw, kin_vec at, kin_vec velocity) {
    kin_vec arrow = kini_scale(velocity, KINI_VELOCITY_SECONDS);
    if (kini_is_zero(arrow)) return;
    kini_draw_line(draw, at, kini_add(at, arrow), KINI_DRAWS_VELOCITY);
    kini_draw_point(draw, kini_add(at, arrow), KINI_DRAWS_VELOCITY);
}

static void kini_draw_contact(const kin_world *world, const kini_drawer *draw, uint32_t slot, const kini_contact *it) {
    kin_contact contact;
    if (!kini_is_live(world, it->other)) return;
    kini_give_contact(world, slot, it, &contact);
    kini_draw_point(draw, contact.point, KINI_DRAWS_CONTACT);
    kini_draw_line(draw, contact.point,
                   kini_madd(contact.point, contact.normal, KINI_NORMAL_LENGTH * world->desc.unit), KINI_DRAWS_CONTACT);
}

static void kini_draw_body(const kin_world *world, const kini_drawer *draw, const kini_thing *thing) {
    const kini_body    *body = &world->bodies.at[thing->row];
    const kini_contact *contacts = kini_contacts_of(world, thing->row);
    int32_t             i;
    kini_draw_velocity(draw, thing->p, body->velocity);
    for (i = 0; i < body->contact_count; i++)
        if (kini_is_shown(world, thing->row, &contacts[i])) kini_draw_contact(world, draw, body->slot, &contacts[i]);
    if (body->stand.footing == KIN_AIR) return;
    kini_draw_line(draw, thing->p, body->stand.point,
                   body->stand.footing == KIN_STABLE ? KINI_DRAWS_STABLE : KINI_DRAWS_STEEP);
}

static void kini_draw_tile(void *context, const kini_solid *solid, kin_pose at, uint32_t flags) {
    int what = flags & KINI_ONE_WAY ? KINI_DRAWS_ONE_WAY : KINI_DRAWS_STATIC;
    kini_draw_solid((const kini_drawer *)context, solid, at, flags & KINI_SENSOR ? KINI_DRAWS_SENSOR : what);
}

static void kini_draw_face(void *context, const kin_vec *points) {
    const kini_drawer *draw = (const kini_drawer *)context;
    int                i;
    for (i = 0; i < KINI_DIM; i++) kini_draw_line(draw, points[i], points[(i + 1) % KINI_DIM], draw->what);
}

static void kini_draw_thing(const kin_world *world, kini_drawer *draw, uint32_t slot) {
    const kini_thing *thing = &world->things.at[slot];
    kin_vec           out = kini_one_way_of(world, slot);
    float             length = KINI_NORMAL_LENGTH * world->desc.unit;
    int32_t           i;
    draw->what = kini_look_of(world, thing);
    if (thing->form == KINI_FORM_SHAPE) {
        kini_solid solid = kini_solid_of(world, thing);
        kin_pose   at = kini_pose(thing->p, thing->q);
        if (draw->options.interpolated) at = kin_get_draw_pose(world, kini_id_of(world, slot));
        kini_draw_solid(draw, &solid, at, draw->what);
    } else if (kini_is_tiles(thing)) kini_tiles_walk(world, slot, kini_draw_tile, draw);
    else if (kini_is_mesh(thing)) kini_mesh_walk(world, slot, kini_draw_face, draw);
    if (thing->kind == KIN_BODY)
        kini_draw_box(draw, world->kept.at[thing->row].lo, world->kept.at[thing->row].hi, KINI_DRAWS_SURROUNDINGS);
    if (thing->flags & KINI_DISABLED) return;
    if (!kini_is_zero(out)) kini_draw_line(draw, thing->p, kini_madd(thing->p, out, length), KINI_DRAWS_ONE_WAY);
    kini_draw_velocity(draw, thing->p, kini_surface_velocity(world, slot, -1));
    if (thing->kind == KIN_MOVER) kini_draw_velocity(draw, thing->p, world->movers.at[thing->row].rate);
    if (thing->kind == KIN_BODY) kini_draw_body(world, draw, thing);
    for (i = 0; i < world->sensed.count && (thing->flags & KINI_SENSES); i++)
        if (world->sensed.at[i].by.slot == slot) kini_draw_contact(world, draw, slot, &world->sensed.at[i].it);
}

/* Every box of a tree: those of its leaves are a little larger than what moves in them, those above hold several. */
static void kini_draw_tree(const kini_drawer *draw, const kini_tree *tree) {
    int32_t i;
    int     lane;
    for (i = 0; i < tree->nodes.count; i++) {
        const kini_node *node = &tree->nodes.at[i];
        for (lane = 0; node->level >= 0 && lane < node->count; lane++)
            kini_draw_box(draw, kini_lane_lo(node, lane), kini_lane_hi(node, lane), KINI_DRAWS_BOUNDS);
    }
}

static void kini_draw_world(const kin_world *world, const char *call, const kin_draw *draw,
                            const kin_draw_options *options) {
    kini_drawer drawer;
    int32_t     i;
    if (!kini_check_world(world, call) || !kini_check_pointer(world, call, "draw", draw)) return;
    kini_clear(&drawer.options, sizeof drawer.options);
    if (options) drawer.options = *options;
    drawer.to = *draw;
    if (!kini_is_nobody(drawer.options.only) && !kini_check_id(world, call, "only", drawer.options.only)) return;
    if (!kini_check_number(world, call, "smoothness", drawer.options.smoothness, 0, KINI_FURTHEST, "")) return;
    if (drawer.options.layers == 0) drawer.options.layers = ~(uint32_t)KIN_DRAW_SURROUNDINGS;
    if (!(drawer.options.smoothness > 0)) drawer.options.smoothness = KINI_SMOOTHNESS * world->desc.unit;
    for (i = KIN_STATIC; i <= KIN_BODY && kini_is_nobody(drawer.options.only); i++)
        kini_draw_tree(&drawer, &world->trees[i]);
    for (i = 1; i < world->things.count; i++) {
        kin_id id = kini_id_of(world, (uint32_t)i);
        bool   wanted = kini_is_nobody(drawer.options.only) || kin_same(id, drawer.options.only);
        if (wanted && kini_is_live(world, id)) kini_draw_thing(world, &drawer, (uint32_t)i);
    }
}

KIN_API void kin_debug_draw(const kin_world *world, const kin_draw *draw) {
    kini_draw_world(world, "kin_debug_draw", draw, NULL);
}

KIN_API void kin_debug_draw_options(const kin_world *world, const kin_draw *draw, const kin_draw_options *options) {
    kini_draw_world(world, "kin_debug_draw_options", draw, options);
}
#endif

/* ==== src/end.h =================================================================================================== */
/* end.h: gives back what config.h took: the user's own setting for contraction, and for warnings. */
#if defined(__clang__)
#pragma STDC FP_CONTRACT DEFAULT
#if defined(__FMA__) || defined(__FMA4__) || defined(__wasm_simd128__)
#pragma clang attribute pop
#endif
#elif defined(__GNUC__)
#pragma GCC pop_options
#elif defined(_MSC_VER)
#pragma fp_contract(on)
#pragma warning(pop)
#endif

/* Nothing private stays behind but names that begin with kini_; our own tests keep the macros too. */
#ifndef KINI_KEEP_MACROS
#undef KINI_ARRAY
#undef KINI_BATCH
#undef KINI_BEYOND
#undef KINI_BODY_OPTIONS
#undef KINI_BULK
#undef KINI_BYTE
#undef KINI_CHECK_CHOICE
#undef KINI_CHECK_NUMBER
#undef KINI_CHOICE_FIELD
#undef KINI_CHOICE_MEMBER
#undef KINI_COUNT
#undef KINI_COUNT_BY
#undef KINI_DIM
#undef KINI_FACE
#undef KINI_FASTEST
#undef KINI_FIELD
#undef KINI_FIELDS
#undef KINI_FLT_MAX
#undef KINI_FORGET
#undef KINI_FURTHEST
#undef KINI_GETTER
#undef KINI_GIVEN
#undef KINI_GIVEN_ROOM
#undef KINI_ID
#undef KINI_LARGEST_SHAPE
#undef KINI_LONGEST_STEP
#undef KINI_MESH_LASTS
#undef KINI_NUMBER_FIELD
#undef KINI_NUMBER_MEMBER
#undef KINI_OF_BODY
#undef KINI_OF_THING
#undef KINI_OF_WORLD
#undef KINI_OWN_PART
#undef KINI_OWN_ROOT
#undef KINI_PART
#undef KINI_PI
#undef KINI_POSE
#undef KINI_QUADS
#undef KINI_REUSED
#undef KINI_ROOM
#undef KINI_ROW
#undef KINI_ROWS
#undef KINI_SAVED_AT
#undef KINI_SETTING
#undef KINI_SORT
#undef KINI_SPIN
#undef KINI_STAND
#undef KINI_STRIDE
#undef KINI_SURFACE
#undef KINI_TAKE_CHOICE
#undef KINI_TAKE_NUMBER
#undef KINI_TELL_CHOICE
#undef KINI_TELL_NUMBER
#undef KINI_TOO_FAST
#undef KINI_TOO_LONG
#undef KINI_TOO_WIDE
#undef KINI_UNUSED
#undef KINI_VEC
#undef KINI_WIDTH
#undef KINI_WILDEST
#undef KINI_WORD
#undef KINEMATIC_SINGLE_FILE
#endif

#endif /* KIN_IMPLEMENTED */

/* This software is available under two licences; choose the one you prefer.

   Choice A: MIT License

   Copyright (c) 2026 the authors of kinematic.h

   Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
   documentation files (the "Software"), to deal in the Software without restriction, including without limitation
   the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and
   to permit persons to whom the Software is furnished to do so, subject to the following conditions:

   The above copyright notice and this permission notice shall be included in all copies or substantial portions of
   the Software.

   THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO
   THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
   AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF
   CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS
   IN THE SOFTWARE.

   Choice B: Public Domain (www.unlicense.org)

   The text of the Unlicense is in the file LICENSE and at https://unlicense.org.
*/
