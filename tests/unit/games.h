/* SPDX-License-Identifier: MIT OR Unlicense

   games.h: random worlds that are mostly at rest, in which the game does now and then whatever it can do, for tests that
   play two of them side by side: test_idle.c and test_parallel.c, which define `forgets` and include worlds.h before. */
#ifndef GAMES_H
#define GAMES_H

enum { BODIES = 40, MOVERS = 6, STATICS = 24, WIDE = 80, HIGH = 16 };
#define DEEP (KINEMATIC_DIM == 2 ? 1 : 8)

static kin_parallel_fn *games_runner;   /* and number of workers, of worlds that begin */
static int              games_workers;

typedef struct game {
    kin_world *world;
    uint64_t   dice;
    kin_id     bodies[BODIES], movers[MOVERS], statics[STATICS], tiles;
    bool       apart;           /* bodies mostly meet the level alone, and walk */
    int        quiet;           /* steps until the next command */
    float      dt;
    unsigned char *saved;
    size_t     saved_bytes;
    int        idle;            /* bodies skipped so far */
} game;

static int pick(game *g, int n)
{
    g->dice = g->dice * 6364136223846793005u + 1442695040888963407u;
    return (int)((uint32_t)(g->dice >> 33) % (uint32_t)n);
}
static bool  often(game *g, int percent) { return pick(g, 100) < percent; }
static bool  seldom(game *g) { return pick(g, 1000) == 0; }
static float range(game *g, float lo, float hi) { return lo + (hi - lo) * (float)pick(g, 1001) / 1000; }

static kin_vec any_v(float x, float y, float z)
{
#if KINEMATIC_DIM == 2
    (void)z;
    return kin_v(x, y);
#else
    return kin_v(x, y, z);
#endif
}

static kin_cell any_cell(int x, int y, int z)
{
#if KINEMATIC_DIM == 2
    (void)z;
    return kin_c(x, y);
#else
    return kin_c(x, y, z);
#endif
}

static kin_vec a_place(game *g)
{
    float x = range(g, 1, WIDE - 1), y = range(g, 1.2f, HIGH - 1), z = range(g, 1, DEEP);
    return any_v(x, y, z);
}

static kin_vec a_velocity(game *g, float most)
{
    float x = range(g, -most, most), y = range(g, -most, most), z = range(g, -most, most);
    return any_v(x, y, z);
}

static kin_shape a_shape(game *g)
{
    int what = pick(g, 10);
    if (what == 0) return kin_ball(range(g, 0.2f, 0.6f));
    if (what == 1) return kin_capsule(range(g, 0.9f, 1.6f), 0.4f);
    if (what < 7) return kin_box(any_v(1, 1, 1));
    return kin_box(any_v(range(g, 0.4f, 2), range(g, 0.4f, 1.5f), range(g, 0.4f, 2)));
}

static kin_id *a_body(game *g) { return &g->bodies[pick(g, BODIES)]; }

/* ---- callbacks ------------------------------------------------------------------------------------------------------ */

static kin_id add_a_static(game *g);

/* Whatever the level may become while controllers are asked. */
static void rebuild(game *g)
{
    kin_id *it = &g->statics[pick(g, STATICS)];
    switch (pick(g, 6)) {
    case 0: kin_set_position(g->world, *it, a_place(g)); break;
    case 1: kin_set_rotation(g->world, *it, turned(range(g, -1, 1))); break;
    case 2: { kin_shape s = a_shape(g); kin_set_shape(g->world, *it, &s); break; }
    case 3: kin_set_enabled(g->world, *it, often(g, 50)); break;
    case 4: kin_remove(g->world, *it); *it = add_a_static(g); break;
    default: kin_set_filter(g->world, *it, 1, (uint32_t)pick(g, 4)); break;
    }
}

static void steer(kin_world *world, kin_id self, float dt, void *user)
{
    game   *g = (game *)user;
    kin_vec v = kin_get_velocity(world, self);
    (void)dt;
    if (often(g, 1)) v.x = range(g, -4, 4);
    if (seldom(g)) kin_set_velocity(world, *a_body(g), a_velocity(g, 5));
    if (seldom(g)) kin_set_position(world, *a_body(g), a_place(g));
    if (seldom(g)) kin_set_enabled(world, *a_body(g), often(g, 50));
    if (seldom(g)) kin_move(world, *a_body(g), a_velocity(g, 1));
    if (seldom(g)) g->dice ^= kin_world_hash(world);
    if (seldom(g)) kin_remove(world, g->statics[pick(g, STATICS)]);
    if (pick(g, 300) == 0) rebuild(g);
    if (kin_get_kind(world, self) == KIN_BODY) kin_set_velocity(world, self, v);
}

static void hear(kin_world *world, const kin_event *event, void *user)
{
    game *g = (game *)user;
    if (!often(g, 1)) return;
    switch (pick(g, 6)) {
    case 0: kin_set_velocity(world, event->a, a_velocity(g, 6)); break;
    case 1: kin_set_position(world, *a_body(g), a_place(g)); break;
    case 2: if (kin_get_kind(world, event->b) != KIN_STATIC) kin_remove(world, event->b); break;
    case 3: kin_set_tile(world, g->tiles, any_cell(pick(g, WIDE), pick(g, 3), pick(g, DEEP)), (uint8_t)pick(g, 4)); break;
    case 4: if (kin_get_kind(world, event->b) != KIN_STATIC) kin_set_enabled(world, event->b, false); break;
    default: kin_ignore(world, event->a, *a_body(g), true); break;
    }
}

static void say_nothing(const char *text, void *user) { (void)text; (void)user; }

/* ---- a world --------------------------------------------------------------------------------------------------------- */

static kin_body_desc a_body_desc(game *g, kin_vec place)
{
    kin_body_desc d = body_desc(a_shape(g), place);
    d.push = often(g, 10) ? KIN_INTANGIBLE : often(g, 70) ? KIN_PUSHABLE : KIN_UNPUSHABLE;
    d.ride = often(g, 30) ? KIN_RIDE_PHYSICAL : KIN_RIDE_STICK;
    d.snap = often(g, 60) ? 0 : often(g, 50) ? -1 : range(g, 0, 0.5f);
    d.step_height = often(g, 15) ? 0.3f : 0;
    d.corner_nudge = often(g, 15) ? 0.1f : 0;
    d.weightless = often(g, 8);
    d.glide = often(g, 20);
    d.report_continued = often(g, 20);
    d.sensor = often(g, 5);
    d.on_crush = often(g, 20) ? KIN_CRUSH_DISABLE : KIN_CRUSH_KEEP;
    d.layer = often(g, 15) ? 2 : 1;
    d.mask = often(g, 15) ? 1 : 3;
    d.user = g;
    if (often(g, g->apart ? 60 : 12)) d.control = steer;
    if (g->apart && often(g, 95)) { d.layer = 2; d.mask = 1; d.sensor = false; }
    return d;
}

static kin_id add_a_static(game *g)
{
    kin_static_desc d;
    memset(&d, 0, sizeof d);
    d.shape = kin_box(any_v(range(g, 0.5f, 5), range(g, 0.3f, 2), range(g, 1, 6)));
    d.position = a_place(g);
    if (often(g, 30)) d.rotation = turned(range(g, -0.7f, 0.7f));
    if (often(g, 15)) d.one_way = at(0, 1);
    if (often(g, 8)) d.surface_velocity = at(1, 0);
    d.sensor = often(g, 15);
    d.user = g;
    d.mask = 3;
    if (often(g, 15)) {
        d.attach = g->movers[pick(g, MOVERS)];
        if (!kin_alive(g->world, d.attach)) d.attach = nobody();
        else d.position = a_velocity(g, 2);
    }
    return kin_add_static(g->world, &d);
}

static kin_id add_a_mover(game *g)
{
    kin_mover_desc d;
    memset(&d, 0, sizeof d);
    d.shape = kin_box(any_v(range(g, 1, 4), range(g, 0.3f, 1), range(g, 1, 4)));
    d.position = a_place(g);
    d.on_blocked = often(g, 40) ? KIN_BLOCKED_STOP : KIN_BLOCKED_PASS;
    d.carry = (kin_carry)pick(g, 3);
    d.user = g;
    d.mask = 3;
    if (often(g, 10)) d.control = steer;
    return kin_add_mover(g->world, &d);
}

/* In space, a turntable. */
static void spin_round(game *g, kin_id mover)
{
#if KINEMATIC_DIM == 2
    kin_set_spin(g->world, mover, spin(range(g, -1, 1)));
#else
    kin_set_spin(g->world, mover, kin_v(0, range(g, -2, 2), 0));
#endif
}

/* Bodies stand in rows and piles as often as alone. */
static kin_id add_one_body(game *g, const kin_id *beside)
{
    kin_vec p = a_place(g);
    kin_body_desc d;
    if (beside && kin_alive(g->world, *beside) && often(g, 60)) {
        p = kin_get_position(g->world, *beside);
        if (often(g, 50)) p.x += range(g, 0.9f, 1.3f);
        else p.y += range(g, 1, 1.2f);
    } else if (often(g, 30) && kin_alive(g->world, g->movers[0])) {   /* many ride on one mover */
        p = kin_get_position(g->world, g->movers[0]);
        p.x += range(g, -1.5f, 1.5f);
        p.y += range(g, 0.8f, 3);
    }
    d = a_body_desc(g, p);
    return kin_add_body(g->world, &d);
}

static void begin_game(game *g, uint32_t seed)
{
    static uint8_t cells[WIDE * 3 * 8];
    kin_world_desc d;
    kin_tiles_desc t;
    int            i;
    memset(g, 0, sizeof *g);
    memset(&d, 0, sizeof d);
    memset(&t, 0, sizeof t);
    g->dice = seed * 2654435761u + 99;
    g->apart = seed % 3 == 0;
    g->dt = 1.0f / 64;
    d.gravity = at(0, -30);
    d.on_event = hear;
    d.on_log = say_nothing;
    d.user = g;
    d.max_contacts = often(g, 10) ? 3 : 0;
    d.parallel = games_runner;
    d.workers = games_workers;
    g->world = kin_world_create(&d);
    for (i = 0; i < WIDE * 3 * DEEP; i++) cells[i] = i / WIDE % 3 == 0 ? 1 : (uint8_t)(often(g, 12) ? pick(g, 4) : 0);
    t.size = any_cell(WIDE, 3, DEEP);
    t.cells = cells;
    t.mask = 3;
    g->tiles = kin_add_tiles(g->world, &t);
    add_static(g->world, kin_box(any_v(400, 1, 400)), at(0, -3));   /* nobody falls for ever */
    for (i = 0; i < MOVERS; i++) g->movers[i] = add_a_mover(g);
    for (i = 0; i < STATICS; i++) g->statics[i] = add_a_static(g);
    for (i = 0; i < BODIES; i++) g->bodies[i] = add_one_body(g, i ? &g->bodies[i - 1] : NULL);
    g->saved_bytes = kin_snapshot_size(g->world);
    g->saved = (unsigned char *)malloc(g->saved_bytes);
    kin_snapshot_save(g->world, g->saved, g->saved_bytes);
}

static void end_game(game *g)
{
    free(g->saved);
    kin_world_destroy(g->world);
}

/* ---- whatever a game can do ------------------------------------------------------------------------------------------ */

static void command_level(game *g)
{
    kin_id *it = &g->statics[pick(g, STATICS)];
    switch (pick(g, 10)) {
    case 0: kin_remove(g->world, *it); *it = add_a_static(g); break;
    case 1: kin_set_position(g->world, *it, a_place(g)); break;
    case 2: kin_set_rotation(g->world, *it, turned(range(g, -1, 1))); break;
    case 3: kin_set_enabled(g->world, *it, often(g, 50)); break;
    case 4: kin_set_filter(g->world, *it, 1, (uint32_t)pick(g, 4)); break;
    case 5: { kin_shape s = a_shape(g); kin_set_shape(g->world, *it, &s); break; }
    case 6: kin_ignore(g->world, *it, *a_body(g), often(g, 70)); break;
    default: kin_set_tile(g->world, g->tiles, any_cell(pick(g, WIDE), pick(g, 3), pick(g, DEEP)), (uint8_t)pick(g, 4));
    }
}

static void command_mover(game *g)
{
    kin_id        *it = &g->movers[pick(g, MOVERS)];
    kin_mover_desc d;
    kin_vec        p = kin_get_position(g->world, *it);
    switch (pick(g, 9)) {
    case 0: kin_remove(g->world, *it); *it = add_a_mover(g); break;
    case 1: kin_set_position(g->world, *it, a_place(g)); break;
    case 2: kin_set_enabled(g->world, *it, often(g, 50)); break;
    case 3: kin_set_spin(g->world, *it, spin(often(g, 50) ? 0 : range(g, -2, 2))); break;
    case 4: p.x += range(g, -1, 1); p.y += range(g, -0.5f, 0.5f); kin_move_to(g->world, *it, p, turned(0)); break;
    case 6: spin_round(g, *it); break;
    case 5: if (kin_get_mover_options(g->world, *it, &d)) { d.surface_velocity = at(range(g, -1, 1), 0); kin_set_mover_options(g->world, *it, &d); } break;
    default: kin_set_velocity(g->world, *it, often(g, 50) ? at(0, 0) : a_velocity(g, 3)); break;
    }
}

static void command_body(game *g)
{
    kin_id       *it = a_body(g);
    kin_body_desc d;
    switch (pick(g, 12)) {
    case 0: kin_remove(g->world, *it); *it = add_one_body(g, a_body(g)); break;
    case 1: kin_set_position(g->world, *it, a_place(g)); break;
    case 2: kin_set_rotation(g->world, *it, turned(range(g, -1, 1))); break;
    case 3: kin_set_enabled(g->world, *it, often(g, 50)); break;
    case 4: kin_set_filter(g->world, *it, 1 + (uint32_t)pick(g, 2), 1 + (uint32_t)pick(g, 3)); break;
    case 5: { kin_shape s = a_shape(g); kin_set_shape(g->world, *it, &s); break; }
    case 6: kin_ignore(g->world, *it, *a_body(g), often(g, 70)); break;
    case 7: kin_drop_through(g->world, *it); break;
    case 8: kin_move(g->world, *it, a_velocity(g, 1)); break;
    case 9: if (kin_get_body_options(g->world, *it, &d)) { d.snap = range(g, -0.1f, 0.4f); d.control = often(g, 30) ? steer : NULL; kin_set_body_options(g->world, *it, &d); } break;
    default: kin_set_velocity(g->world, *it, a_velocity(g, often(g, 20) ? 20 : 4)); break;
    }
}

static void save_game(game *g)
{
    g->saved_bytes = kin_snapshot_size(g->world);
    g->saved = (unsigned char *)realloc(g->saved, g->saved_bytes);
    kin_snapshot_save(g->world, g->saved, g->saved_bytes);
}

/* Nobody walks for long. */
static void stop_all(game *g)
{
    int i;
    for (i = 0; i < BODIES; i++) {
        kin_vec v = kin_alive(g->world, g->bodies[i]) ? kin_get_velocity(g->world, g->bodies[i]) : at(0, 0);
        if (kin_alive(g->world, g->bodies[i])) kin_set_velocity(g->world, g->bodies[i], at(0, i % 8 ? v.y : 0));
    }
    for (i = 0; i < MOVERS; i++)
        if (kin_alive(g->world, g->movers[i]) && often(g, 50)) kin_set_velocity(g->world, g->movers[i], at(0, 0));
}

static void command(game *g)
{
    if (kin_world_steps(g->world) % (g->apart ? 256 : 32) == 0) stop_all(g);
    if (g->quiet-- > 0) return;
    g->quiet = often(g, 30) ? 0 : pick(g, 60);
    switch (pick(g, 16)) {
    case 0: case 1: case 2: command_level(g); break;
    case 3: case 4: case 5: command_mover(g); break;
    case 6: save_game(g); break;
    case 7: kin_snapshot_load(g->world, g->saved, g->saved_bytes); break;
    case 8: if (often(g, 20)) kin_world_set_gravity(g->world, often(g, 20) ? at(-30, 0) : at(0, often(g, 50) ? -30.0f : -20.0f)); break;
    case 9: if (often(g, 10)) g->dt = often(g, 50) ? 1.0f / 64 : 1.0f / 60; break;
    default: command_body(g); break;
    }
}

static void play(game *g, int forget)
{
    forgets = forget;
    command(g);
    kin_world_step(g->world, g->dt);
    g->idle += kin_world_get_stats(g->world).idle;
}

static bool same_events(const game *a, const game *b)
{
    const kin_event *first, *second;
    int              i, count = kin_get_events(a->world, &first);
    if (count != kin_get_events(b->world, &second) || kin_world_overflowed(a->world) != kin_world_overflowed(b->world)) return false;
    for (i = 0; i < count; i++)
        if (first[i].type != second[i].type || !kin_same(first[i].a, second[i].a) || !kin_same(first[i].b, second[i].b) ||
            !same_vec(first[i].point, second[i].point) || !same_vec(first[i].normal, second[i].normal)) return false;
    return true;
}

/* For whoever looks for the cause. */
static void tell_difference(const game *a, const game *b)
{
    const kin_event *first, *second;
    int              i, k, count[2];
    count[0] = kin_get_events(a->world, &first);
    count[1] = kin_get_events(b->world, &second);
    printf("hashes %s, overflowed %d and %d\n", kin_world_hash(a->world) == kin_world_hash(b->world) ? "equal" : "differ", kin_world_overflowed(a->world), kin_world_overflowed(b->world));
    for (k = 0; k < 2; k++)
        for (i = 0; i < count[k]; i++)
            printf("%d: event %d, %u and %u\n", k, (int)(k ? second : first)[i].type, (k ? second : first)[i].a.slot,
                   (k ? second : first)[i].b.slot);
    for (i = 0; i < a->world->bodies.count; i++) {
        const kini_body *s = &a->world->bodies.at[i], *t = &b->world->bodies.at[i];
        kin_vec          p = a->world->things.at[s->slot].p, q = b->world->things.at[t->slot].p;
        bool             same = memcmp(s, t, KINI_BODY_LASTS) == 0 && same_vec(p, q);
        if (s->slot == 0 || (same && memcmp(kini_contacts_of(a->world, i), kini_contacts_of(b->world, i),
                                            (size_t)s->contact_count * sizeof(kini_contact)) == 0))
            continue;
        printf("row %d, idle %d: at %g %g and %g %g, velocity %g %g and %g %g, contacts %d and %d, state %u and %u\n", i,
               a->world->idle.at[i], (double)p.x, (double)p.y, (double)q.x, (double)q.y, (double)s->velocity.x,
               (double)s->velocity.y, (double)t->velocity.x, (double)t->velocity.y, s->contact_count, t->contact_count,
               s->state, t->state);
    }
}

static int from_environment(const char *name, int otherwise)
{
    const char *text = getenv(name);
    return text && atoi(text) > 0 ? atoi(text) : otherwise;
}

#endif
