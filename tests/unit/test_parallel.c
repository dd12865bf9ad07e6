/* SPDX-License-Identifier: MIT OR Unlicense

   test_parallel.c: a step on several threads (islands.c) gives the same bits as on one. Random worlds run side by side
   without a runner and with 1, 2, 3 and 8 workers. Then runners that do wrong are refused, and the step is right all the
   same. Batches are small here, so that small worlds have many. KIN_SEEDS, KIN_FIRST and KIN_STEPS as in test_idle.c. */
static int forgets;
#define KINI_FORGET forgets
#define KINI_BATCH 2
#include "islands.c"
#include "room.c"
#include "step.c"
#include "worlds.h"
#include "games.h"
#include "threads.h"

#if defined(__SANITIZE_THREAD__)
#define WATCHES_THREADS
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define WATCHES_THREADS
#endif
#endif

UTEST_MAIN()

static int calls, items;   /* of counted */

static void counted(kin_task_fn *task, int count, void *context, void *user)
{
    calls++;
    items += count;
    threads_parallel(task, count, context, user);
}

UTEST(parallel, random_worlds_have_the_same_hashes_with_any_number_of_workers)
{
    static const int numbers[4] = { 1, 2, 3, 8 };
    int one = from_environment("KIN_SEED", 0), seed = one ? one : from_environment("KIN_FIRST", 1), i;
    int last = one ? one : seed - 1 + from_environment("KIN_SEEDS", 40 / TEST_SHARE > 4 ? 40 / TEST_SHARE : 4);
    int steps = from_environment("KIN_STEPS", 200);
    calls = items = 0;
    for (; seed <= last; seed++) {
        game a, b;
        games_workers = 0;
        games_runner = NULL;
        begin_game(&a, (uint32_t)seed);
        games_workers = numbers[seed % 4];
        games_runner = counted;
        threads_set(games_workers);
        begin_game(&b, (uint32_t)seed);
        for (i = 0; i < steps; i++) {
            play(&a, seed % 3 == 0);
            play(&b, seed % 5 == 0);
            if (kin_world_hash(a.world) == kin_world_hash(b.world) && same_events(&a, &b)) continue;
            printf("KIN_SEED=%d: step %d differs\n", seed, i);
            if (one) tell_difference(&a, &b);
            EXPECT_TRUE(false);
            break;
        }
        EXPECT_TRUE(b.world->desc.parallel == counted);
        end_game(&a);
        end_game(&b);
    }
    EXPECT_GT(calls, steps);
    EXPECT_GT(items, 8 * calls);
    games_runner = NULL;
    games_workers = 0;
}

/* ---- runners that do wrong --------------------------------------------------------------------------------------- */

enum { CROWD = 60 };

static test_log   said;
static int        called;            /* how often the runner was */
static kin_world *stepped;

static bool begins(const char *text, const char *with) { return strncmp(text, with, strlen(with)) == 0; }

/* Pairs of crates that fall apart from each other, one of each pair pushed into the other. */
static kin_world *crowd(kin_parallel_fn *parallel, int workers)
{
    kin_world_desc d;
    int            i;
    memset(&d, 0, sizeof d);
    d.gravity = at(0, -30);
    d.parallel = parallel;
    d.workers = workers;
    d.on_log = note;
    d.user = &said;
    stepped = kin_world_create(&d);
    if (!stepped) return NULL;
    add_static(stepped, kin_box(size(1000, 2)), at(0, -1));
    for (i = 0; i < CROWD; i++) {
        kin_vec       place = at(8 * (float)(i / 2) + (i % 2 ? 1.1f : 0), 1 + 0.1f * (float)(i % 7));
        kin_body_desc b = body_desc(kin_box(size(1, 1)), place);
        b.velocity = at(i % 2 ? 0 : (float)(i % 5), 0);
        kin_add_body(stepped, &b);
    }
    return stepped;
}

static uint64_t hash_after(kin_parallel_fn *parallel, int workers, int steps)
{
    kin_world *world = crowd(parallel, workers);
    uint64_t   hash;
    called = 0;
    while (steps-- > 0) kin_world_step(world, 1.0f / 60);
    hash = kin_world_hash(world);
    kin_world_destroy(world);
    return hash;
}

static void serial(kin_task_fn *task, int count, void *context, void *user)
{
    (void)user;
    called++;
    task(0, count, 0, context);
}
static void backwards(kin_task_fn *task, int count, void *context, void *user)
{
    (void)user;
    called++;
    task(count, count, 1, context);
    while (count-- > 0) task(count, count + 1, count % 2, context);
}
static void loses(kin_task_fn *task, int count, void *context, void *user)
{
    (void)user;
    called++;
    task(1, count - 1, 0, context);
}
static void does_nothing(kin_task_fn *task, int count, void *context, void *user)
{
    (void)task; (void)count; (void)context; (void)user;
    called++;
}
static void doubles(kin_task_fn *task, int count, void *context, void *user)
{
    (void)user;
    called++;
    task(0, count, 0, context);
    task(0, count, 1, context);
}
static void names_items(kin_task_fn *task, int count, void *context, void *user)
{
    (void)user;
    called++;
    task(0, count + 1, 0, context);
    task(-1, count, 0, context);
    task(count, 0, 0, context);
    task(0, count, 0, context);
}
static void names_workers(kin_task_fn *task, int count, void *context, void *user)
{
    (void)user;
    called++;
    task(0, count / 2, 2, context);
    task(0, count / 2, -1, context);
    task(count / 2, count, 0, context);
}
static void steps_within(kin_task_fn *task, int count, void *context, void *user)
{
    called++;
    if (kin_world_step(stepped, 1)) called += 1000;
    if (kin_world_advance(stepped, 1) > 0) called += 1000;
    serial(task, count, context, user);
}

static struct { kin_task_fn *task; void *context; int count; } late;
static void *comes_late(void *nothing)
{
    late.task(0, late.count, 0, late.context);
    return nothing;
}
static pthread_t late_thread;
static UNUSED void returns_early(kin_task_fn *task, int count, void *context, void *user)
{
    (void)user;
    if (called++ > 0) pthread_join(late_thread, NULL);   /* it was not late */
    late.task = task;
    late.context = context;
    late.count = count;
    pthread_create(&late_thread, NULL, comes_late, NULL);
}

/* All its threads are worker 0. */
static void *is_worker_0(void *number)
{
    long first = (long)(size_t)number * late.count / 4, end = ((long)(size_t)number + 1) * late.count / 4;
    for (; first < end; first++) late.task((int)first, (int)first + 1, 0, late.context);
    return NULL;
}
static void one_worker(kin_task_fn *task, int count, void *context, void *user)
{
    pthread_t all[4];
    int       i;
    (void)user;
    called++;
    late.task = task;
    late.context = context;
    late.count = count;
    for (i = 0; i < 4; i++) pthread_create(&all[i], NULL, is_worker_0, (void *)(size_t)i);
    for (i = 0; i < 4; i++) pthread_join(all[i], NULL);
}

UTEST(parallel, runners_that_do_right)
{
    uint64_t hash = hash_after(NULL, 0, 60);
    EXPECT_TRUE(hash == hash_after(serial, 1, 60));
    EXPECT_GT(called, 2 * 60);   /* not all bodies become idle */
    EXPECT_TRUE(hash == hash_after(backwards, 2, 60));
    EXPECT_GT(called, 2 * 60);
    EXPECT_TRUE(hash == hash_after(NULL, 3, 60));   /* room for nobody */
    EXPECT_TRUE(hash == hash_after(steps_within, 1, 60));
    EXPECT_GT(called, 60);
    EXPECT_LT(called, 1000);
    threads_set(8);
    EXPECT_TRUE(hash == hash_after(threads_parallel, 8, 60));
}

UTEST(parallel, runners_that_do_wrong_are_refused_and_the_step_is_right)
{
    static kin_parallel_fn *const wrong[] = {
        loses, does_nothing, doubles, names_items,
#ifndef WATCHES_THREADS   /* which sees that this one is wrong */
        returns_early,
#endif
        names_workers
    };
    uint64_t hash = hash_after(NULL, 0, 60);
    size_t   i;
    for (i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        kin_world *world = crowd(wrong[i], 2);
        int        k;
        called = said.lines = 0;
        for (k = 0; k < 60; k++) kin_world_step(world, 1.0f / 60);
        if (wrong[i] != returns_early) EXPECT_EQ(1, called);   /* never again */
        EXPECT_TRUE(world->desc.parallel == NULL);
        EXPECT_EQ(1, said.lines);
        EXPECT_TRUE(begins(said.last, "kin_world_step: parallel did not do each item once"));
        EXPECT_TRUE(hash == kin_world_hash(world));
        if (wrong[i] == returns_early) pthread_join(late_thread, NULL);
        kin_world_destroy(world);
    }
    EXPECT_TRUE(hash == hash_after(one_worker, 1, 60));   /* if they were at work at once, it is refused */
}

UTEST(parallel, room_is_reserved)
{
    kin_world_desc d;
    size_t         one, four;
    memset(&d, 0, sizeof d);
    d.on_log = note;
    d.user = &said;
    d.bodies = 100;
    d.statics = 10;
    d.gravity = at(0, -30);
    one = kin_world_bytes(&d);
    d.workers = 4;
    d.parallel = serial;
    four = kin_world_bytes(&d);
    EXPECT_GT(four, one);
    {
        void      *block = malloc(four);
        kin_world *world = kin_world_create_in(block, four, &d);
        int        i;
        ASSERT_TRUE(world != NULL);
        for (i = 0; i < 100; i++) {
            kin_body_desc b = body_desc(kin_ball(0.5f), at(3 * (float)i, 0));
            EXPECT_TRUE(kin_alive(world, kin_add_body(world, &b)));
        }
        called = 0;
        for (i = 0; i < 10; i++) kin_world_step(world, 1.0f / 60);
        EXPECT_GE(called, 10);
        kin_world_destroy(world);
        free(block);
    }
    d.workers = 0;
    EXPECT_TRUE(kin_world_create(&d) == NULL);
    EXPECT_TRUE(begins(said.last, "kin_world_create: workers is missing"));
    d.workers = -1;
    EXPECT_TRUE(kin_world_create(&d) == NULL);
    d.workers = 100000;
    EXPECT_TRUE(kin_world_create(&d) == NULL);
    EXPECT_TRUE(begins(said.last, "kin_world_create: workers is too large"));
}

/* Of 12 bodies that walk, each fourth has no crate before it, the others push one, two or three. */
static kin_stats stats_of_walkers(kin_parallel_fn *runner)
{
    kin_world_desc d;
    kin_world     *world;
    kin_body_desc  crate = body_desc(kin_box(size(1, 1)), at(0, 0.5f)), hero = crate;
    kin_id         heroes[12];
    kin_stats      stats;
    int            i, k;
    memset(&d, 0, sizeof d);
    d.gravity = at(0, -30);
    d.parallel = runner;
    d.workers = runner != NULL;
    world = kin_world_create(&d);
    add_static(world, kin_box(size(2000, 1)), at(0, -0.5f));
    hero.push = KIN_UNPUSHABLE;
    for (i = 0; i < 12; i++) {
        hero.position = at(20 * (float)i, 0.5f);
        heroes[i] = kin_add_body(world, &hero);
        for (k = 0; k < i % 4; k++) {
            crate.position = at(20 * (float)i + 1.2f + (float)k, 0.5f);
            kin_add_body(world, &crate);
        }
    }
    for (k = 0; k < 60; k++) {
        for (i = 0; i < 12; i++) kin_set_velocity(world, heroes[i], at(3, 0));
        kin_world_step(world, 1.0f / 60);
    }
    stats = kin_world_get_stats(world);
    kin_world_destroy(world);
    return stats;
}

UTEST(parallel, groups_are_counted)
{
    EXPECT_EQ(9, stats_of_walkers(NULL).groups);
    EXPECT_EQ(0, stats_of_walkers(NULL).cut_groups);
    EXPECT_EQ(9, stats_of_walkers(serial).groups);
    EXPECT_EQ(0, stats_of_walkers(serial).cut_groups);
}
