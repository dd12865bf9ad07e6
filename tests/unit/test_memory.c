/* SPDX-License-Identifier: MIT OR Unlicense

   Memory: the user's functions or one block and nothing else, every allocation failing in turn, no leak, no growth
   in a step, arrays that grow and arenas that give back. */
#include <stddef.h>
#include <stdlib.h>

static long library_calls;

static void *library_malloc(size_t bytes) { library_calls++; return malloc(bytes); }
static void  library_free(void *memory) { library_calls++; free(memory); }

#define KINEMATIC_MALLOC(bytes) library_malloc(bytes)
#define KINEMATIC_FREE(memory) library_free(memory)
#include "memory.c"
#include "worlds.h"

UTEST_MAIN()

/* ---- an allocator that counts, checks sizes and fails on request -------------------------------------------- */

typedef struct purse {
    long   calls, fail_at;   /* fail_at 0: never */
    size_t bytes, most;
    int    blocks, wrong;
    test_log log;
} purse;

static void *purse_take(size_t bytes, void *user)
{
    purse  *p = (purse *)user;
    size_t *memory;
    if (++p->calls == p->fail_at) return NULL;
    memory = (size_t *)malloc(bytes + 16);
    memory[0] = bytes;
    memset(memory + 2, 0xA5, bytes);   /* fresh memory is never zero by chance */
    p->bytes += bytes;
    p->blocks++;
    if (p->bytes > p->most) p->most = p->bytes;
    return memory + 2;
}

static void purse_give(void *memory, size_t bytes, void *user)
{
    purse  *p = (purse *)user;
    size_t *block = (size_t *)memory - 2;
    if (block[0] != bytes) p->wrong++;
    p->bytes -= block[0];
    p->blocks--;
    free(block);
}

static void purse_note(const char *text, void *user) { note(text, &((purse *)user)->log); }

static kin_world *purse_world(purse *p, long fail_at)
{
    kin_world_desc desc;
    memset(p, 0, sizeof *p);
    memset(&desc, 0, sizeof desc);
    p->fail_at = fail_at;
    desc.gravity = at(0, -30);
    desc.max_events = 16;
    desc.allocate = purse_take;
    desc.release = purse_give;
    desc.on_log = purse_note;
    desc.user = p;
    return kin_world_create(&desc);
}

UTEST(memory, the_users_functions_get_every_call)
{
    purse      p;
    long       before = library_calls;
    kin_world *world = purse_world(&p, 0);
    chance     c = { 1 };
    int        i;
    ASSERT_TRUE(world != NULL);
    for (i = 0; i < 500; i++) add_body(world, any_shape(&c), anywhere(&c, 50));
    EXPECT_TRUE(p.blocks > 5);
    kin_world_destroy(world);
    EXPECT_EQ(0, p.blocks);
    EXPECT_EQ(0, p.wrong);   /* each block comes back with its own size */
    EXPECT_EQ(before, library_calls);
}

UTEST(memory, without_functions_the_library_is_asked)
{
    test_log   log;
    long       before = library_calls;
    kin_world *world = quiet_world(&log);
    EXPECT_TRUE(library_calls > before);
    kin_world_destroy(world);
}

/* ---- every allocation fails in turn -------------------------------------------------------------------------------- */

static void idle(kin_world *world, kin_id id, float dt, void *user) { (void)world; (void)id; (void)dt; (void)user; }
static void idler(kin_world *world, kin_id id, float dt, void *user) { (void)world; (void)id; (void)dt; (void)user; }

/* A call that may be refused: then it logged one line about memory and the world is as it was. */
#define TRY(expression) \
    do { \
        uint64_t hash = kin_world_hash(world); \
        p->log.lines = 0; \
        if (expression) done++; \
        else if (p->log.lines != 1 || !strstr(p->log.last, "memory was not given") || hash != kin_world_hash(world)) p->wrong++; \
    } while (0)

/* Things of all kinds, shapes, controls, pairs, options; returns how many calls were done. */
static int busy_life(kin_world *world, purse *p)
{
    chance          c = { 17 };
    kin_id          ids[40], mover = nobody();
    kin_static_desc part = static_desc(kin_ball(0.3f), at(1, 1));
    kin_mover_desc  stops = mover_desc(kin_ball(0.7f), at(30, 0)), options;
    int             i, done = 0;
    stops.on_blocked = KIN_BLOCKED_STOP;
    memset(ids, 0, sizeof ids);
    for (i = 0; i < 40; i++) {
        kin_shape shape = any_shape(&c);
        kin_vec   place = anywhere(&c, 500);
        if (i % 3 == 0) TRY((ids[i] = add_static(world, shape, place)).slot);
        else if (i % 3 == 1) TRY((ids[i] = mover = add_mover(world, shape, place)).slot);
        else TRY((ids[i] = add_body(world, shape, place)).slot);
        if (i == 20) TRY(kin_add_mover(world, &stops).slot);
    }
    for (i = 0; i < 40; i++) {
        kin_shape shape = any_shape(&c);
        if (!kin_alive(world, ids[i])) continue;
        TRY(kin_set_shape(world, ids[i], &shape));
        if (i > 0 && kin_alive(world, ids[i - 1])) TRY(kin_ignore(world, ids[i], ids[i - 1], true));
        if (kin_get_kind(world, ids[i]) != KIN_STATIC) TRY(kin_set_control(world, ids[i], i % 2 ? idle : idler));
        if (i % 5 == 0) TRY(kin_remove(world, ids[i]));
    }
    if (kin_alive(world, mover)) {
        part.attach = mover;
        TRY(kin_add_static(world, &part).slot);
        kin_get_mover_options(world, mover, &options);
        options.on_blocked = KIN_BLOCKED_STOP;
        TRY(kin_set_mover_options(world, mover, &options));
    }
    return done;
}

static void step_some(kin_world *world)
{
    int i;
    for (i = 0; i < 3; i++) kin_world_step(world, 1.0f / 128);
}

UTEST(memory, the_kth_allocation_fails_for_every_k)
{
    purse p;
    long  calls, k;
    int   all;
    kin_world *world = purse_world(&p, 0);
    ASSERT_TRUE(world != NULL);
    all = busy_life(world, &p);
    calls = p.calls;
    EXPECT_EQ(0, p.wrong);
    kin_world_destroy(world);
    EXPECT_TRUE(calls > 50);
    for (k = 1; k <= calls; k++) {
        world = purse_world(&p, k);
        if (!world) {
            EXPECT_TRUE(strstr(p.log.last, "kin_world_create: memory was not given") != NULL);
        } else {
            int done = busy_life(world, &p);
            EXPECT_TRUE(done >= all - 8 && done <= all);   /* the one call, and what would have used its result */
            p.fail_at = 0;
            step_some(world);
            EXPECT_TRUE(add_body(world, kin_ball(0.123f), at(0, 0)).slot != 0);
            kin_world_destroy(world);
        }
        ASSERT_EQ(0, p.blocks);
        ASSERT_EQ(0, p.wrong);
    }
}

UTEST(memory, all_allocations_fail_from_the_kth_on)
{
    purse p;
    long  k;
    for (k = 1; k < 60; k++) {
        kin_world *world = purse_world(&p, 0);
        kin_id     id;
        int        added = 0, i;
        ASSERT_TRUE(world != NULL);
        for (i = 0; i < 200; i++) {
            p.fail_at = p.calls >= k ? p.calls + 1 : 0;
            if (add_body(world, kin_ball(1 + (float)i / 64), at((float)i * 9, 0)).slot) added++;
        }
        EXPECT_EQ(added, world->live[KIN_BODY]);
        step_some(world);   /* with what there is it goes on */
        for (id = kin_next(world, KIN_BODY, nobody()); id.slot; id = kin_next(world, KIN_BODY, id)) added--;
        EXPECT_EQ(0, added);
        kin_world_destroy(world);
        ASSERT_EQ(0, p.blocks);
    }
}

UTEST(memory, a_step_asks_for_nothing)
{
    purse      p;
    kin_world *world = purse_world(&p, 0);
    chance     c = { 8 };
    long       calls;
    int        i;
    ASSERT_TRUE(world != NULL);
    add_static(world, kin_box(size(200, 1)), at(0, -3));
    for (i = 0; i < 60; i++) add_body(world, any_shape(&c), anywhere(&c, 12));
    for (i = 0; i < 10; i++) add_mover(world, any_shape(&c), anywhere(&c, 12));
    calls = p.calls;
    for (i = 0; i < 60; i++) EXPECT_TRUE(kin_world_step(world, 1.0f / 128));
    EXPECT_EQ(calls, p.calls);
    kin_world_destroy(world);
}

UTEST(memory, room_that_was_reserved_is_not_asked_for_again)
{
    purse          p;
    kin_world_desc desc;
    kin_world     *world;
    long           calls;
    int            i;
    memset(&p, 0, sizeof p);
    memset(&desc, 0, sizeof desc);
    desc.statics = desc.movers = desc.bodies = 50;
    desc.allocate = purse_take;
    desc.release = purse_give;
    desc.user = &p;
    world = kin_world_create(&desc);
    add_static(world, kin_ball(1), at(0, 0));
    calls = p.calls;
    for (i = 1; i < 50; i++) add_static(world, kin_ball(1), at((float)i * 3, 0));
    for (i = 0; i < 50; i++) add_body(world, kin_ball(1), at((float)i * 3, 9));
    for (i = 0; i < 50; i++) add_mover(world, kin_ball(1), at((float)i * 3, 18));
    EXPECT_EQ(calls, p.calls);
    kin_world_destroy(world);
}

/* ---- one block ---------------------------------------------------------------------------------------------------------- */

static kin_world_desc arena_desc(test_log *log, int each)
{
    kin_world_desc desc;
    memset(log, 0, sizeof *log);
    memset(&desc, 0, sizeof desc);
    desc.statics = desc.movers = desc.bodies = each;
    desc.gravity = at(0, -30);
    desc.on_log = note;
    desc.user = log;
    return desc;
}

static void *never_asked(size_t bytes, void *user) { (void)bytes; (void)user; abort(); }
static void  never_told(void *memory, size_t bytes, void *user) { (void)memory; (void)bytes; (void)user; abort(); }

UTEST(memory, a_block_of_the_stated_size_holds_what_was_reserved)
{
    int offset, each;
    for (each = 0; each <= 40; each += 20)
        for (offset = 0; offset < 17; offset += each == 20 ? 1 : 8) {
            test_log       log;
            kin_world_desc desc = arena_desc(&log, each);
            size_t         bytes = kin_world_bytes(&desc);
            char          *memory = (char *)malloc(bytes + 32);
            chance         c = { 31 };
            long           calls = library_calls;
            kin_world     *world;
            kin_id         mover = nobody();
            int            i;
            desc.allocate = never_asked;
            desc.release = never_told;
            memset(memory, 0x5A, bytes + 32);
            world = kin_world_create_in(memory + offset, bytes, &desc);
            ASSERT_TRUE(world != NULL);
            for (i = 0; i < each; i++) {
                kin_mover_desc  lift = mover_desc(any_shape(&c), anywhere(&c, 90));
                kin_static_desc part = static_desc(any_shape(&c), anywhere(&c, 90));
                lift.on_blocked = KIN_BLOCKED_STOP;
                lift.control = idle;
                mover = kin_add_mover(world, &lift);
                ASSERT_TRUE(mover.slot != 0);
                part.attach = i % 2 ? mover : nobody();
                ASSERT_TRUE(kin_add_static(world, &part).slot != 0);
                ASSERT_TRUE(add_body(world, any_shape(&c), anywhere(&c, 90)).slot != 0);
            }
            step_some(world);
            EXPECT_EQ(0, log.lines);
            for (i = 0; i < 32 - offset; i++) EXPECT_EQ(0x5A, memory[(size_t)offset + bytes + (size_t)i]);   /* not a byte beyond */
            kin_world_destroy(world);
            EXPECT_EQ(calls, library_calls);
            free(memory);
        }
}

UTEST(memory, a_full_block_refuses_and_goes_on)
{
    test_log       log;
    kin_world_desc desc = arena_desc(&log, 10);
    size_t         bytes = kin_world_bytes(&desc);
    void          *memory = malloc(bytes);
    kin_world     *world = kin_world_create_in(memory, bytes, &desc);
    kin_id         last = nobody(), id;
    int            added = 0, i;
    uint64_t       hash;
    ASSERT_TRUE(world != NULL);
    for (i = 0; i < 100; i++) {
        hash = kin_world_hash(world);
        id = add_body(world, kin_ball(1), at((float)i * 9, 0));
        if (id.slot) { added++; last = id; }
        else EXPECT_TRUE(hash == kin_world_hash(world));
    }
    EXPECT_TRUE(added >= 10 && added < 100);
    EXPECT_STREQ("kin_add_body: memory was not given", log.last);
    step_some(world);
    EXPECT_TRUE(kin_remove(world, last));
    step_some(world);
    EXPECT_TRUE(add_body(world, kin_ball(1), at(0, 99)).slot != 0);   /* the freed place can be used */
    kin_world_destroy(world);
    free(memory);
}

UTEST(memory, a_block_one_byte_short_is_refused)
{
    test_log       log;
    kin_world_desc desc = arena_desc(&log, 10);
    size_t         bytes;
    void          *memory;
    char          *aligned;
    desc.max_events = 100;
    desc.max_sensor_contacts = 20;
    desc.hulls = 10;
    bytes = kin_world_bytes(&desc) - KINI_ALIGN;   /* which is there for memory that is not aligned */
    memory = malloc(bytes + KINI_ALIGN);
    aligned = (char *)memory + ((KINI_ALIGN - (size_t)memory % KINI_ALIGN) % KINI_ALIGN);
    EXPECT_TRUE(kin_world_create_in(aligned, bytes - 1, &desc) == NULL);
    EXPECT_TRUE(strstr(log.last, "kin_world_create_in: memory is too small (") == log.last && strstr(log.last, "at least "));
    EXPECT_TRUE(kin_world_create_in(aligned, bytes, &desc) != NULL);
    free(memory);
}

/* What kin_world_bytes told version 0.1 of its README's descriptor is enough: limits that are left open shrink. */
UTEST(memory, a_block_of_the_first_version_holds_its_world)
{
    static const size_t bytes = KINEMATIC_DIM == 2 ? 264304 : 469216;
    test_log       log;
    kin_world_desc desc = arena_desc(&log, 0), is;
    void          *memory = malloc(bytes);
    kin_world     *world;
    int            i, open;
    desc.statics = 20;
    desc.movers = 5;
    desc.bodies = 50;
    ASSERT_TRUE(kin_world_bytes(&desc) > bytes);
    for (open = 0; open < 2; open++) {
        desc.max_events = open ? 0 : 300;
        world = kin_world_create_in(memory, bytes, &desc);
        ASSERT_TRUE(world != NULL && kin_world_get_desc(world, &is));
        EXPECT_TRUE(is.max_sensor_contacts >= 8 && is.max_sensor_contacts < 32 && is.max_contacts == 16);
        EXPECT_EQ(open ? 512 : 300, is.max_events);
        for (i = 0; i < 50; i++) {
            kin_static_desc part = static_desc(kin_box(size(2, 1)), at((float)i * 2, 0));
            part.sensor = i % 2 == 1;
            if (i < 20) ASSERT_TRUE(kin_add_static(world, &part).slot != 0);
            if (i < 5) ASSERT_TRUE(add_mover(world, kin_ball(1), at((float)i * 8, 1)).slot != 0);
            ASSERT_TRUE(add_body(world, kin_ball(0.5f), at((float)i, 3)).slot != 0);
        }
        step_some(world);
        EXPECT_EQ(0, log.lines);
        kin_world_destroy(world);
    }
    free(memory);
}

/* With limits of its own that leave nothing else to shrink, there is room for fewer different polygons. */
UTEST(memory, a_small_block_of_the_first_version_holds_its_world)
{
    static const size_t bytes = KINEMATIC_DIM == 2 ? 151792 : 339040;
    test_log       log;
    kin_world_desc desc = arena_desc(&log, 50), is;
    void          *memory = malloc(bytes);
    kin_world     *world;
    int            i;
    desc.statics = 20;
    desc.movers = 5;
    desc.bodies = 50;
    desc.max_contacts = 4;
    desc.max_events = 16;
    world = kin_world_create_in(memory, bytes, &desc);
    ASSERT_TRUE(world != NULL && kin_world_get_desc(world, &is));
    EXPECT_TRUE(is.max_contacts == 4 && is.max_events == 16 && is.hulls >= 8);
    for (i = 0; i < 50; i++) ASSERT_TRUE(add_body(world, kin_ball(0.5f), at((float)i, 3)).slot != 0);
    step_some(world);
    EXPECT_EQ(0, log.lines);
    kin_world_destroy(world);
    free(memory);
}

UTEST(memory, the_same_life_in_a_block_and_outside)
{
    test_log       log;
    kin_world_desc desc = arena_desc(&log, 60);
    size_t         bytes = kin_world_bytes(&desc) + 100000;
    void          *memory = malloc(bytes);
    kin_world     *worlds[2];
    purse          p[2];
    int            i;
    memset(p, 0, sizeof p);
    worlds[0] = kin_world_create(&desc);
    worlds[1] = kin_world_create_in(memory, bytes, &desc);
    for (i = 0; i < 2; i++) {
        busy_life(worlds[i], &p[i]);
        step_some(worlds[i]);
    }
    EXPECT_TRUE(kin_world_hash(worlds[0]) == kin_world_hash(worlds[1]));
    kin_world_destroy(worlds[0]);
    kin_world_destroy(worlds[1]);
    free(memory);
}

/* ---- arrays and arenas --------------------------------------------------------------------------------------------------- */

UTEST(memory, arrays_grow_and_their_new_rows_are_zero)
{
    purse      p;
    kin_world *world = purse_world(&p, 0);
    KINI_ARRAY(int32_t) rows = { NULL, 0, 0 };
    int32_t    i, grown = 0;
    for (i = 0; i < 10000; i++) {
        long calls = p.calls;
        ASSERT_TRUE(kini_grow(world, &rows, sizeof *rows.at, i + 1));
        grown += p.calls > calls;
        ASSERT_TRUE(rows.capacity > i);
        ASSERT_EQ(0, rows.at[i]);
        rows.at[i] = i + 1;
    }
    EXPECT_TRUE(grown < 40);
    for (i = 0; i < 10000; i++) ASSERT_EQ(i + 1, rows.at[i]);
    p.fail_at = p.calls + 1;
    EXPECT_TRUE(kini_grow(world, &rows, sizeof *rows.at, rows.capacity + 1));   /* modestly, if not generously */
    p.fail_at = 0;
    EXPECT_FALSE(kini_grow(world, &rows, (size_t)-1 / 4, rows.capacity + 1));   /* more bytes than there are numbers */
    EXPECT_EQ(1, rows.at[0]);
    kini_drop(world, &rows, sizeof *rows.at);
    EXPECT_TRUE(rows.at == NULL && rows.capacity == 0);
    kin_world_destroy(world);
    EXPECT_EQ(0, p.blocks);
    EXPECT_EQ(0, p.wrong);
}

UTEST(memory, the_last_piece_of_an_arena_grows_in_place_and_is_given_back)
{
    test_log       log;
    kin_world_desc desc = arena_desc(&log, 0);
    size_t         bytes = kin_world_bytes(&desc) + 1024, used;
    void          *memory = malloc(bytes);
    kin_world     *world = kin_world_create_in(memory, bytes, &desc);
    KINI_ARRAY(int32_t) rows = { NULL, 0, 0 };
    void *first, *other;
    ASSERT_TRUE(world != NULL);
    used = world->arena.used;
    ASSERT_TRUE(kini_grow(world, &rows, sizeof *rows.at, 10));
    first = rows.at;
    rows.at[3] = 33;
    ASSERT_TRUE(kini_grow(world, &rows, sizeof *rows.at, 60));
    EXPECT_TRUE(first == rows.at);
    EXPECT_EQ(33, rows.at[3]);
    EXPECT_EQ(0, rows.at[59]);
    EXPECT_FALSE(kini_grow(world, &rows, sizeof *rows.at, 100000));
    EXPECT_TRUE(first == rows.at && rows.capacity == 60);
    other = kini_allocate(world, 10);
    ASSERT_TRUE(other != NULL);
    EXPECT_EQ(0u, (unsigned)((size_t)other % KINI_ALIGN));
    EXPECT_TRUE(kini_allocate(world, (size_t)-1) == NULL);
    EXPECT_TRUE(kini_allocate(world, bytes) == NULL);
    kini_release(world, other, 10);
    kini_drop(world, &rows, sizeof *rows.at);
    EXPECT_EQ((unsigned)used, (unsigned)world->arena.used);
    kin_world_destroy(world);
    free(memory);
}

UTEST(memory, copying_and_clearing)
{
    unsigned char a[100], b[100];
    int           from, bytes, i;
    for (from = 0; from < 20; from++)
        for (bytes = 0; bytes < 40; bytes++) {
            for (i = 0; i < 100; i++) { a[i] = (unsigned char)i; b[i] = 200; }
            kini_copy(b + 30, a + from, (size_t)bytes);
            for (i = 0; i < 100; i++) ASSERT_EQ(i >= 30 && i < 30 + bytes ? i - 30 + from : 200, b[i]);
            kini_clear(b + from, (size_t)bytes);
            for (i = from; i < from + bytes; i++) ASSERT_EQ(0, b[i]);
        }
    EXPECT_EQ(200, b[99]);
}
