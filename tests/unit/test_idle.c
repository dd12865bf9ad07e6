/* SPDX-License-Identifier: MIT OR Unlicense

   test_idle.c: bodies at rest are skipped, and that does not change a bit (idle.c). Random worlds that are mostly at rest
   run side by side with their like in which every cache is forgotten before every step, and which so runs every stage in
   full (KINI_FORGET in coast.c, ground.c and step.c), while the game does now and then
   whatever it can do: hashes and events are the same after every step. Then O24 of the catalogue, and single causes that
   wake. KIN_SEEDS and KIN_STEPS set how much is tried; KIN_SEED=n plays that one alone. */
static int forgets;
#define KINI_FORGET forgets
#include "coast.c"
#include "ground.c"
#include "step.c"
#include "worlds.h"
#include "games.h"

UTEST_MAIN()

UTEST(idle, random_worlds_have_the_same_hashes_with_and_without_caches)
{
    int one = from_environment("KIN_SEED", 0), seed = one ? one : from_environment("KIN_FIRST", 1), i;
    int last = one ? one : seed - 1 + from_environment("KIN_SEEDS", 50 / TEST_SHARE > 0 ? 50 / TEST_SHARE : 1);
    int steps = from_environment("KIN_STEPS", 300);
    int64_t idle = 0, total = 0;
    for (; seed <= last; seed++) {
        game a, b;
        begin_game(&a, (uint32_t)seed);
        begin_game(&b, (uint32_t)seed);
        for (i = 0; i < steps; i++) {
            play(&a, 0);
            play(&b, 1);
            if (kin_world_hash(a.world) == kin_world_hash(b.world) && same_events(&a, &b)) continue;
            printf("KIN_SEED=%d: step %d differs\n", seed, i);
            if (one) tell_difference(&a, &b);
            EXPECT_TRUE(false);
            break;
        }
        EXPECT_EQ(0, b.idle);
        idle += a.idle;
        total += (int64_t)steps * BODIES;
        end_game(&a);
        end_game(&b);
    }
    if (!one && last >= 10) EXPECT_GT(idle * 5, total);   /* a test that skips nobody shows nothing */
    if (getenv("KIN_WATCH")) printf("idle: %.1f %%\n", 100.0 * (double)idle / (double)total);
}

/* ---- O24 ------------------------------------------------------------------------------------------------------------- */

enum { SHELVES = TEST_SHARE > 10 ? 10 : 200, PER_SHELF = TEST_SHARE > 10 ? 20 : 50, CRATES = SHELVES * PER_SHELF };

typedef struct store { kin_world *world; kin_id tiles, crates[CRATES]; } store;

/* Crates on shelves of tiles, six cells from each other. */
static void fill_store(store *s)
{
    static uint8_t cells[SHELVES * 3 * (PER_SHELF * 6)];
    kin_world_desc d;
    kin_tiles_desc t;
    int            i;
    memset(&d, 0, sizeof d);
    memset(&t, 0, sizeof t);
    d.gravity = at(0, -30);
    s->world = kin_world_create(&d);
    for (i = 0; i < SHELVES * 3 * PER_SHELF * 6; i++) cells[i] = i / (PER_SHELF * 6) % 3 == 0;
    t.size = any_cell(PER_SHELF * 6, SHELVES * 3, 1);
    t.cells = cells;
    s->tiles = kin_add_tiles(s->world, &t);
    for (i = 0; i < CRATES; i++) {
        kin_vec       p = any_v(1.3f + 6 * (float)(i % PER_SHELF), 1.51f + 3 * (float)(i / PER_SHELF), 0.5f);
        kin_body_desc b = body_desc(kin_box(any_v(1, 1, 0.9f)), p);
        s->crates[i] = kin_add_body(s->world, &b);
    }
}

static int idle_after(store *s, int steps, int forget)
{
    forgets = forget;
    while (steps-- > 0) kin_world_step(s->world, 1.0f / 64);
    return kin_world_get_stats(s->world).idle;
}

static void push_and_edit(store *s, int *pushed, int *edited, int *fallen, int forget)
{
    idle_after(s, 24, forget);
    kin_set_velocity(s->world, s->crates[CRATES / 2], at(0.1f, 0));
    *pushed = idle_after(s, 5, forget);
    kin_set_velocity(s->world, s->crates[CRATES / 2], at(0, 0));
    idle_after(s, 12, forget);
    kin_set_tile(s->world, s->tiles, any_cell(6, 0, 0), 0);   /* under the second crate */
    kin_set_tile(s->world, s->tiles, any_cell(7, 0, 0), 0);
    *edited = idle_after(s, 1, forget);
    *fallen = idle_after(s, 8, forget);
}

UTEST(idle, O24_of_10000_crates_only_that_which_is_pushed_or_loses_its_floor_wakes)
{
    static store kept, forgetful;
    int          pushed, edited, fallen, none;
    fill_store(&kept);
    fill_store(&forgetful);
    push_and_edit(&kept, &pushed, &edited, &fallen, 0);
    EXPECT_EQ(CRATES - 1, pushed);
    EXPECT_EQ(CRATES - 1, edited);
    EXPECT_EQ(CRATES - 1, fallen);
    EXPECT_FALSE(kin_on_ground(kept.world, kept.crates[1]));
    push_and_edit(&forgetful, &none, &none, &none, 1);
    EXPECT_EQ(0, none);
    EXPECT_TRUE(kin_world_hash(kept.world) == kin_world_hash(forgetful.world));
    kin_world_destroy(kept.world);
    kin_world_destroy(forgetful.world);
}

/* ---- single causes --------------------------------------------------------------------------------------------------- */

static int asked, told;
static void count_asked(kin_world *world, kin_id self, float dt, void *user)
{
    kin_set_velocity(world, self, kin_get_velocity(world, self));
    (void)dt; (void)user;
    asked++;
}
static void count_told(kin_world *world, const kin_event *event, void *user)
{
    (void)world; (void)user;
    told += event->type == KIN_EVENT_CONTINUED;
}

/* A controller that changes nothing leaves its body idle; contacts that last are told as before. */
UTEST(idle, who_is_idle_is_asked_and_tells)
{
    kin_world_desc d;
    kin_body_desc  b = body_desc(kin_box(size(1, 1)), at(0, 0.51f));
    kin_world     *world;
    kin_id         body;
    int            i;
    memset(&d, 0, sizeof d);
    d.gravity = at(0, -30);
    d.on_event = count_told;
    world = kin_world_create(&d);
    add_static(world, kin_box(size(20, 1)), at(0, -0.5f));
    b.control = count_asked;
    b.report_continued = true;
    body = kin_add_body(world, &b);
    forgets = asked = told = 0;
    for (i = 0; i < 40; i++) kin_world_step(world, 1.0f / 64);
    EXPECT_EQ(1, kin_world_get_stats(world).idle);
    EXPECT_EQ(40, asked);
    EXPECT_GE(told, 38);
    kin_set_velocity(world, body, kin_get_velocity(world, body));   /* nothing new */
    kin_world_step(world, 1.0f / 64);
    EXPECT_EQ(1, kin_world_get_stats(world).idle);
    kin_world_step(world, 1.0f / 60);
    EXPECT_EQ(0, kin_world_get_stats(world).idle);
    kin_world_destroy(world);
}

/* A snapshot wakes only what it changes. */
UTEST(idle, a_rollback_wakes_what_it_changes)
{
    static store   s;
    size_t         bytes;
    unsigned char *saved;
    uint64_t       hash;
    int            i;
    fill_store(&s);
    idle_after(&s, 40, 0);
    bytes = kin_snapshot_size(s.world);
    saved = (unsigned char *)malloc(bytes);
    kin_snapshot_save(s.world, saved, bytes);   /* what a load finds equal stays idle */
    EXPECT_TRUE(kin_snapshot_load(s.world, saved, bytes));
    EXPECT_EQ(CRATES, idle_after(&s, 1, 0));
    kin_set_velocity(s.world, s.crates[7], at(0.1f, 0));
    kin_snapshot_save(s.world, saved, bytes);
    idle_after(&s, 8, 0);
    hash = kin_world_hash(s.world);
    for (i = 0; i < 3; i++) {
        EXPECT_TRUE(kin_snapshot_load(s.world, saved, bytes));
        EXPECT_EQ(CRATES - 1, idle_after(&s, 8, 0));
        EXPECT_TRUE(hash == kin_world_hash(s.world));
    }
    free(saved);
    kin_world_destroy(s.world);
}
