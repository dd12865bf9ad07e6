/* SPDX-License-Identifier: MIT OR Unlicense

   config.h: what the implementation asks of compiler and library, and the table of named numbers.

   Every C library call goes through a macro that the user may define first; its header is then not included. */
#ifndef KINI_CONFIG_H
#define KINI_CONFIG_H

#include "api.h"

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
KINI_PART void  kini_sine(float radians, float *sine, float *cosine);
KINI_PART float kini_arc_tangent(float y, float x);   /* angle of (x, y), -pi..pi */
KINI_PART float kini_power(float base, float exponent);

#endif
