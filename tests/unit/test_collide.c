/* SPDX-License-Identifier: MIT OR Unlicense

   test_collide.c: the callback that decides about pairs: what it is asked, in which order, how often, and what its answers
   do; whatever is cached. */
static int forgets;
#define KINI_FORGET forgets
#include "step.c"
#include "worlds.h"

UTEST_MAIN()

enum { MOST = 4096 };
typedef struct asked { kin_id a, b; uint64_t step; } asked;
typedef struct game {
    kin_world *world;
    asked      calls[MOST];
    int        count, kept;          /* all, those of the list */
    uint64_t   hash;
    kin_id     no[2];                /* a pair that does not collide */
    bool       chance;               /* answers that follow from slots and the step */
} game;

static bool decide(const kin_world *world, kin_id body, kin_id other, void *user)
{
    game *g = (game *)user;
    if (g->kept < MOST) {
        g->calls[g->kept].a = body;
        g->calls[g->kept].b = other;
        g->calls[g->kept++].step = kin_world_steps(world);
    }
    g->count++;
    g->hash = (g->hash ^ (body.slot * 1000003u + other.slot)) * 0x9E3779B97F4A7C15u;
    g->hash ^= g->hash >> 29;
    if (g->chance) return (body.slot * 7 + other.slot * 13 + kin_world_steps(world) / 32) % 5 != 0;
    return !((kin_same(body, g->no[0]) && kin_same(other, g->no[1])) || (kin_same(body, g->no[1]) && kin_same(other, g->no[0])));
}

static void open_game(game *g, float gravity)
{
    kin_world_desc desc;
    memset(&desc, 0, sizeof desc);
    memset(g, 0, sizeof *g);
    desc.gravity = at(0, gravity);
    desc.collide = decide;
    desc.user = g;
    g->world = kin_world_create(&desc);
}

static void run(kin_world *world, int steps)
{
    for (; steps > 0; steps--) kin_world_step(world, 1.0f / 60);
}

static kin_id add_box(kin_world *world, kin_vec extent, kin_vec place) { return add_static(world, kin_box(extent), place); }

/* Each pair once per step, by slots; far things never. */
UTEST(collide, order_and_number)
{
    game   g;
    kin_id floor, far, a, b, c, last;
    int    i;
    open_game(&g, -30);
    c = add_body(g.world, kin_box(size(1, 1)), at(8, 0.505f));
    floor = add_box(g.world, size(40, 1), at(0, -0.5f));
    far = add_box(g.world, size(1, 1), at(0, 30));
    a = add_body(g.world, kin_box(size(1, 1)), at(0, 0.505f));
    b = add_body(g.world, kin_box(size(1, 1)), at(3, 0.505f));
    last = add_box(g.world, size(1, 1), at(-1.01f, 0.5f));
    run(g.world, 1);
    EXPECT_EQ(4, g.count);   /* c, a and b with the floor, a with the last */
    EXPECT_TRUE(kin_same(g.calls[0].a, c) && kin_same(g.calls[0].b, floor));
    EXPECT_TRUE(kin_same(g.calls[1].a, a) && kin_same(g.calls[1].b, floor));
    EXPECT_TRUE(kin_same(g.calls[2].a, a) && kin_same(g.calls[2].b, last));
    EXPECT_TRUE(kin_same(g.calls[3].a, b) && kin_same(g.calls[3].b, floor));
    g.count = g.kept = 0;
    run(g.world, 59);
    EXPECT_EQ(4 * 59, g.count);
    EXPECT_EQ(0, kin_world_get_stats(g.world).idle);   /* nobody who is asked about is */
    g.count = g.kept = 0;
    kin_set_velocity(g.world, a, at(300, 0));          /* in one step 5, through b */
    run(g.world, 1);
    EXPECT_TRUE(g.count == 5 && kin_same(g.calls[2].a, a) && kin_same(g.calls[2].b, b));
    for (i = 0; i < g.kept; i++) EXPECT_FALSE(kin_same(g.calls[i].b, far));
    kin_world_destroy(g.world);
}

/* A ghost walks through one wall and stands on the floor; a no to the floor lets it fall in that very step. */
UTEST(collide, a_no_is_like_layers)
{
    game     g;
    kin_id   floor, wall, ghost, other;
    kin_hit  hit;
    float    y;
    open_game(&g, -30);
    floor = add_box(g.world, size(40, 1), at(0, -0.5f));
    wall = add_box(g.world, size(1, 8), at(3, 4));
    ghost = add_body(g.world, kin_box(size(1, 1)), at(0, 0.505f));
    other = add_body(g.world, kin_box(size(1, 1)), at(1.5f, 0.505f));
    g.no[0] = ghost;
    g.no[1] = wall;
    run(g.world, 20);
    EXPECT_TRUE(kin_on_ground(g.world, ghost) && kin_on_ground(g.world, other));
    EXPECT_TRUE(kin_test_move(g.world, other, at(3, 0), &hit) && kin_same(hit.id, wall));
    EXPECT_TRUE(kin_test_move(g.world, ghost, at(5, 0), &hit) && kin_same(hit.id, other));
    kin_set_position(g.world, other, at(-6, 0.502f));
    EXPECT_FALSE(kin_test_move(g.world, ghost, at(5, 0), &hit));
    kin_set_velocity(g.world, ghost, at(5, 0));
    run(g.world, 60);
    EXPECT_TRUE(fabsf(kin_get_position(g.world, ghost).x - 5) < 0.01f && kin_get_contacts(g.world, ghost, NULL, 0) == 1);
    g.no[1] = floor;
    y = kin_get_position(g.world, ghost).y;
    run(g.world, 1);
    EXPECT_TRUE(!kin_on_ground(g.world, ghost) && kin_get_position(g.world, ghost).y < y - 0.005f);
    EXPECT_TRUE(kin_get_contacts(g.world, ghost, NULL, 0) == 0 && kin_on_ground(g.world, other));
    kin_world_destroy(g.world);
}

/* Bodies that do not collide pass, and one of them may still push a third, which only the push brings to a fourth. */
UTEST(collide, late_pairs_are_asked_once)
{
    game   g;
    kin_id a, b, c;
    int    i, found = 0;
    open_game(&g, 0);
    a = add_body(g.world, kin_box(size(1, 1)), at(0, 0));
    b = add_body(g.world, kin_box(size(1, 1)), at(1.3f, 0));
    c = add_body(g.world, kin_box(size(1, 1)), at(2.4f, 0));
    kin_set_push(g.world, a, KIN_UNPUSHABLE);
    kin_set_velocity(g.world, a, at(30, 0));   /* 0.5 in the step: pushes b 0.2, which comes to c */
    run(g.world, 1);
    for (i = 0; i < g.kept; i++) found += kin_same(g.calls[i].a, b) && kin_same(g.calls[i].b, c);
    EXPECT_TRUE(found == 1 && g.count == 2 && kin_same(g.calls[0].a, a) && kin_same(g.calls[0].b, b));
    EXPECT_TRUE(kin_get_position(g.world, c).x > 2.45f);
    g.no[0] = b;
    g.no[1] = c;
    kin_set_velocity(g.world, c, at(0, 0));
    run(g.world, 30);
    EXPECT_TRUE(near_to(kin_get_position(g.world, b), kin_get_position(g.world, c), 0.01f));   /* both are pushed by a */
    kin_world_destroy(g.world);
}

UTEST(collide, answers_that_do_not_fit)
{
    game   g;
    kin_id body;
    int    i;
    open_game(&g, 0);
    for (i = 0; i < 40; i++) {
        kin_static_desc desc = static_desc(kin_ball(0.1f), at(0.01f * (float)i, 0));
        desc.sensor = true;
        kin_add_static(g.world, &desc);
    }
    body = add_body(g.world, kin_ball(0.5f), at(0, 0));
    run(g.world, 1);
    EXPECT_TRUE(g.count == 32 && kin_world_overflowed(g.world) && kin_get_contacts(g.world, body, NULL, 0) == 32);
    kin_world_destroy(g.world);
}

/* Random worlds, with answers that change: the calls and the hash are the same whether caches are kept or not, and no pair
   is asked twice in a step. */
static uint64_t play(unsigned seed, uint64_t *calls, bool *twice)
{
    game     g;
    unsigned dice = seed * 2654435761u + 1;
    kin_id   bodies[12];
    int      i, j, k;
    uint64_t hash;
    open_game(&g, seed % 3 ? -30.0f : 0.0f);
    g.chance = true;
    for (i = 0; i < 12; i++) {
        dice = dice * 1664525u + 1013904223u;
        add_box(g.world, size(1 + (float)(dice >> 28), 1), at((float)(dice >> 24 & 15) * 2 - 16, (float)(dice >> 20 & 7) * 2 - 3));
    }
    add_box(g.world, size(60, 2), at(0, -5));
    kin_add_mover(g.world, &(kin_mover_desc){ .shape = kin_box(size(4, 1)), .position = at(0, -2), .velocity = at(1, 0.2f) });
    for (i = 0; i < 12; i++) {
        dice = dice * 1664525u + 1013904223u;
        bodies[i] = add_body(g.world, i % 2 ? kin_ball(0.4f) : kin_box(size(1, 1)), at((float)(dice >> 26) / 2 - 16, 4 + (float)(dice >> 22 & 7)));
        if (i % 3 == 0) kin_set_push(g.world, bodies[i], KIN_UNPUSHABLE);
        if (i % 4 == 0) {
            kin_static_desc sight = static_desc(kin_ball(1.5f), at(1, 0));
            sight.sensor = true;
            sight.attach = bodies[i];
            kin_add_static(g.world, &sight);
        }
    }
    *twice = false;
    for (k = 0; k < 200 / TEST_SHARE; k++) {
        dice = dice * 1664525u + 1013904223u;
        if (k % 7 == 0) kin_set_velocity(g.world, bodies[dice % 12], at((float)(dice >> 27) - 16, (float)(dice >> 22 & 15)));
        g.kept = 0;
        run(g.world, 1);
        for (i = 0; i < g.kept; i++)
            for (j = 0; j < i; j++)
                *twice = *twice || (kin_same(g.calls[i].a, g.calls[j].a) && kin_same(g.calls[i].b, g.calls[j].b));
    }
    *calls = g.hash;
    hash = kin_world_hash(g.world);
    kin_world_destroy(g.world);
    return hash;
}

UTEST(collide, caches_do_not_show)
{
    unsigned seed;
    for (seed = 0; seed < 60; seed++) {
        uint64_t calls, again, hash;
        bool     twice, others;
        forgets = false;
        hash = play(seed, &calls, &twice);
        forgets = true;
        EXPECT_TRUE(play(seed, &again, &others) == hash);
        EXPECT_TRUE(calls == again && !twice && !others);
        forgets = false;
    }
}

/* A callback that tries to change the world is refused, inside a step and outside; the world stays as it was. */
typedef struct meddler { kin_world *world; kin_id body; int tries, did, said; } meddler;

static bool meddle(const kin_world *world, kin_id body, kin_id other, void *user)
{
    meddler        *m = (meddler *)user;
    kin_static_desc wall;
    kin_hit         hit;
    kin_vec         went;
    unsigned char   bytes[16];
    memset(&wall, 0, sizeof wall);
    wall.shape = kin_box(size(1, 1));
    m->tries++;
    m->did += !kin_same(kin_add_static(m->world, &wall), kini_nobody());
    m->did += !kin_same(add_body(m->world, kin_box(size(1, 1)), at(0, 9)), kini_nobody());
    m->did += kin_remove(m->world, other) || kin_remove(m->world, body);
    m->did += kin_set_position(m->world, body, at(0, 50)) || kin_set_shape(m->world, body, &wall.shape);
    m->did += kin_set_enabled(m->world, other, false) || kin_ignore(m->world, body, other, true);
    went = kin_move(m->world, body, at(0.1f, 0));
    m->did += went.x > 0 || kin_move_hits(m->world, body, at(0.1f, 0), NULL, NULL, 0) > 0;
    m->did += kin_world_step(m->world, 0.01f) || kin_world_advance(m->world, 1) > 0;
    m->did += kin_snapshot_load(m->world, bytes, sizeof bytes);
    kin_world_destroy(m->world);
    kin_cast_ray(world, at(0, 0), at(0, -1), NULL, &hit);   /* a question is fine */
    kin_test_move(world, body, at(0, -1), &hit);
    return true;
}

static void hear(const char *text, void *user)
{
    ((meddler *)user)->said += strstr(text, "must not be changed inside collide") != NULL;
}

UTEST(collide, must_not_change_the_world)
{
    kin_world_desc desc;
    meddler        m;
    int            i;
    memset(&desc, 0, sizeof desc);
    memset(&m, 0, sizeof m);
    desc.gravity = at(0, -20);
    desc.collide = meddle;
    desc.on_log = hear;
    desc.user = &m;
    m.world = kin_world_create(&desc);
    add_box(m.world, size(60, 1), at(0, -0.5f));
    for (i = 0; i < 12; i++) m.body = add_body(m.world, kin_box(size(0.6f, 0.6f)), at(0.5f * (float)i, 2 + (float)(i % 3)));
    run(m.world, 60);
    EXPECT_TRUE(m.tries > 100 && m.did == 0 && m.said >= 13 * m.tries);
    EXPECT_EQ(kin_world_get_stats(m.world).bodies, 12);
    m.tries = m.said = 0;
    kin_move(m.world, m.body, at(1, 0));
    EXPECT_TRUE(m.tries > 0 && m.tries < 200 && m.did == 0 && m.said >= 13);
    m.tries = 0;
    kin_test_move(m.world, m.body, at(-2, -3), NULL);
    EXPECT_TRUE(m.tries > 0 && m.tries < 20 && m.did == 0);   /* it is known by now that it asks itself */
    EXPECT_TRUE(kin_set_position(m.world, m.body, at(3, 30)));
    kin_world_destroy(m.world);
}
