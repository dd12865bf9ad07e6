/* SPDX-License-Identifier: MIT OR Unlicense

   seeds.h: seeds of random worlds that once broke an invariant. The random runners play them after the first seeds, in 2D
   and in 3D; 0 ends a list. KIN_SEED=n plays one seed alone, KIN_SEEDS=n that many from KIN_FIRST [1] on, of which
   KIN_ROOMS=n in worlds that take a second each. */
#ifndef SEEDS_H
#define SEEDS_H

#include <stdint.h>
#include <stdlib.h>

#define LIST static const uint32_t __attribute__((unused))

LIST failed_worlds[] = { 28, 29, 54, 77, 114, 124, 194, 440, 709, 715, 0 };               /* random.c, J15 */
LIST failed_rooms[] = { 2, 3, 5, 6, 8, 9, 10, 11, 18, 23, 32, 36, 44, 59, 63, 71, 73, 78, 86, 87, 94, 97, 98,
                        99, 183, 243, 353, 0 };                /* random.c, crowd_in_a_room */
LIST failed_crowds[] = { 15, 580, 1262, 1416, 2611, 4378, 4569, 7554, 19019, 19482, 72223, 0 };   /* crowds.c */
LIST failed_piles[] = { 1544, 0 };                             /* crowds.c */
LIST failed_mazes[] = { 72, 114, 176, 196, 300, 324, 367, 380, 744, 776, 786, 902, 938, 1798, 0 };   /* mazes.c */
LIST no_failed[] = { 0 };

typedef struct seed_list { uint32_t first, end; const uint32_t *failed; } seed_list;

static int from_environment(const char *name, int otherwise)
{
    const char *text = getenv(name);
    int         n = text ? atoi(text) : 0;
    return n > 0 ? n : otherwise;
}

/* `count` seeds, or as many as the environment says; those that failed once only if it does not say where to begin, and
   not in slow builds. */
static seed_list seeds_to_play(int count, const uint32_t *failed)
{
    seed_list seeds;
    int       one = from_environment("KIN_SEED", 0), first = one ? one : from_environment("KIN_FIRST", 1);
    count = one ? 1 : from_environment("KIN_SEEDS", count > 0 ? count : 1);
    seeds.first = (uint32_t)first;
    seeds.end = (uint32_t)(first + count);
    seeds.failed = one || getenv("KIN_FIRST") || TEST_SHARE > 10 ? no_failed : failed;
    return seeds;
}

static __attribute__((unused)) seed_list at_most(seed_list seeds, int most)
{
    if (seeds.end - seeds.first > (uint32_t)most) seeds.end = seeds.first + (uint32_t)most;
    return seeds;
}

/* The next one, or 0 after the last. */
static uint32_t next_seed(seed_list *seeds)
{
    if (seeds->first < seeds->end) return seeds->first++;
    while (*seeds->failed && *seeds->failed < seeds->end) seeds->failed++;
    return *seeds->failed ? *seeds->failed++ : 0;
}

#endif
