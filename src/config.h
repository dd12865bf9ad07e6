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

/* ---- named numbers; lengths are multiplied by the world's `unit` ------------------------------------------- */

static const float KINI_SKIN = 0.002f;           /* gap that a sweep leaves to what it met */
static const float KINI_OVER_RISER = 0.25f;      /* skins that a step up goes at least beyond the riser, */
static const float KINI_OVER_EDGE = 1.5f;        /* ... or beyond the edge, so that a round foot leaves the floor */
static const float KINI_SLOP = 0.005f;           /* overlap that is not an error; also the widest resting gap */
static const float KINI_TOUCH = 0.01f;           /* nearer than this is a contact */
static const float KINI_SLOW = 1e-3f;            /* speed that does not count as motion into or off a surface */
static const float KINI_CRUSH = 0.01f;           /* missing room that opens a crush */
static const float KINI_DEEP_PAIR = 0.05f;       /* bodies deeper in each other than this are taken apart, not pushed */
static const float KINI_OVERLAP = 1e-4f;         /* deeper is an overlap that is taken apart */
static const float KINI_FAR_ULPS = 8.0f;         /* tolerances grow by so many ulp of the largest coordinate */
static const float KINI_OPPOSED = -0.9f;         /* dot product of two directions that squeeze */
static const float KINI_WALL_COS = 0.0871f;      /* cosine of 85 degrees: steeper ground is a wall */
static const float KINI_CEILING_COS = 0.7071f;   /* cosine of 45 degrees: what faces down more than this is a ceiling */
static const float KINI_SLOPE_SLACK = 0.002f;    /* radians that ground may exceed max_slope by: rounded normals */
enum { KINI_MAX_GROUNDS = 4 };                   /* level surfaces that a body at rest touches at once */
enum { KINI_MAX_TOUCHED = 32 };                  /* touching surfaces of one body that are compared with each other */
static const float KINI_SAME_FACE = 0.999999f;   /* cosine of 0.08 degrees: a normal belongs to that face */
static const float KINI_UNDER_EDGE = 1e-5f;      /* deeper than this in a neighbour, an edge cannot be touched */
static const float KINI_SAME_MOMENT = 1e-5f;     /* of surfaces that are met less than this apart none is first */
enum { KINI_MAX_PLANES = 8 };                    /* surfaces one slide can hold at once */
enum { KINI_MAX_SLIDES = 12 };                   /* changes of direction in one sweep */
static const float KINI_LONG_SWEEP = 32.0f;      /* body sizes along which a sweep looks ahead at once */
static const float KINI_LONG_ACROSS = 4.0f;      /* ... and across the axis it is longest on */
static const float KINI_MOST_PARTS = 256.0f;     /* of one sweep; what is so fast looks further ahead at once */
enum { KINI_MAX_NEAR = 96 };                     /* convex pieces near one body that are worked on at once */
static const float KINI_LONGER_PUSH = 1.5f;      /* most by which ground that turns a push aside lengthens it */
static const float KINI_WEDGE_GAIN = 4.0f;       /* most by which a wedge multiplies the motion that drives it */
enum { KINI_HEAP = 24 };                         /* bodies that hold one point: more than that lie in a heap */
enum { KINI_HEAP_LAYER = 64 };                   /* bodies of a heap that are scattered at one height, in 3D */
static const float KINI_HEAP_ROOM = 2.5f;        /* half body sizes between the bodies of a heap that is scattered */
enum { KINI_REST_EVERY = 8 };                    /* steps between two searches for bodies at rest */
static const float KINI_CLEAR = 0.5f;            /* way after which idle bodies near a body are looked for again */
#ifndef KINI_BATCH
#define KINI_BATCH 32                            /* bodies that a worker takes at once, at least */
#endif
enum { KINI_MOST_WORKERS = 256 };
enum { KINI_MEETINGS = 4, KINI_MORE_MEETINGS = 32 };   /* pairs of bodies that one step records: per body, and more */
enum { KINI_MOST_TESTS = 24 };                   /* of one body against its neighbours in stage 6 */
enum { KINI_BURIED_BATCHES = 64 };               /* batches searched for pieces that bury the body */
enum { KINI_MAX_WITHIN = 512 };                  /* batches that a stage builds for nested searches of one body */
#define KINI_PI 3.14159265358979f

static const float KINI_GRAZE = 1e-6f;        /* a ray that passes this near has hit */
static const float KINI_KEEP = 0.5f;          /* margin within which things around a body are found for later steps */
static const float KINI_KEPT_LENGTH = 6.0f;   /* ... in a box of at most this length */
static const float KINI_MEASURE_AGAIN = 0.25f;   /* way after which open space is looked for again */
static const float KINI_FAT = 0.1f;           /* margin of the broad phase's box around a thing that moves */

/* Limits of what is taken from outside, so that squares and products of accepted numbers stay finite. */
#define KINI_FURTHEST 1e9f         /* coordinates and lengths */
#define KINI_FASTEST 1e12f         /* speeds and accelerations */
#define KINI_LONGEST_STEP 10.0f    /* seconds */
enum { KINI_MANY_DROPS = 3 };      /* calls in a row that drop time may be hitches */
enum { KINI_MOST_EVENTS = 1 << 24 };
enum { KINI_MOST_THINGS = 1 << 28 };
enum { KINI_MOST_GIVEN = 1024 };   /* users of former handles, and former users, that a world remembers */

static const float KINI_DEFAULT_SNAP = 0.1f;

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
