/* SPDX-License-Identifier: MIT OR Unlicense

   random.c: random worlds in a closed room: boxes, turned boxes, conveyors and sensors, movers that go to and fro, spin,
   jump to a target or stop when blocked, and bodies of all kinds with random commands. Nothing is expected but the
   invariants, that nobody leaves the room, and that the same world runs the same way twice.

   KIN_SEEDS and KIN_STEPS set how much is tried, but at most COMPARED worlds are played twice, and crowds for CROWD_STEPS
   steps; a breach names its seed (seeds.h). */
#include "scene.h"
#include "seeds.h"
#include <limits.h>

enum { MOVERS = 20, BODIES = 200 };   /* the most there are in any world */

/* The contents of a random world. The room goes from minus to plus these sides. */
typedef struct mix {
    int    boxes, movers, bodies;
    double wide, high, deep;
    bool   alone;        /* bodies pass through each other: only the level and the movers matter */
} mix;

static const mix level_mix = { 50, 20, 20, 20, 20, 8, false }, alone_mix = { 50, 20, 20, 20, 20, 8, true };
static const mix crowd_mix = { 6, 4, 200, 14, 14, 4, false };

typedef struct play {
    uint32_t  seed;
    int       steps;
    const mix *of;
    uint64_t *hashes;       /* of each step, or NULL */
    bool      compare;      /* with those instead of storing them */
    uint64_t  state, rolled; /* of the dice, and when the world was built */
    kin_id    movers[MOVERS], bodies[BODIES];
    kin_vec   wish[BODIES];
    kin_body_desc descs[BODIES];   /* of all bodies, where they found room */
    bool      backwards;    /* add those, the last one first */
    int       strangers;    /* how many more live far away */
    kin_vec  *places;       /* of each body in each step, or NULL */
} play;

/* ---- dice ------------------------------------------------------------------------------------------------------------ */

static uint32_t roll(play *p)
{
    p->state = p->state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(p->state >> 33);
}

static int    below(play *p, int n) { return (int)(roll(p) % (uint32_t)n); }
static bool   chance(play *p, int percent) { return below(p, 100) < percent; }
static double between(play *p, double low, double high) { return low + (high - low) * (double)roll(p) / 2147483648.0; }

static kin_vec random_place(scene *s, play *p, double margin)
{
    double x = between(p, margin - p->of->wide, p->of->wide - margin), y = between(p, margin - p->of->high, p->of->high - margin);
    double z = between(p, margin - p->of->deep, p->of->deep - margin);
    return v3(s, x, y, z);
}

static kin_vec random_velocity(scene *s, play *p, double most)
{
    double x = between(p, -most, most), y = between(p, -most, most), z = between(p, -most, most);
    return v3(s, x, y, z);
}

/* Half of the things stand straight, some by a quarter; in 3D about any axis. */
static kin_rot random_turn(scene *s, play *p)
{
    double angle = chance(p, 50) ? 0 : chance(p, 20) ? DEGREES(90) : between(p, -SCENE_PI, SCENE_PI);
#if KINEMATIC_DIM == 3
    double x = between(p, -1, 1), y = between(p, -1, 1), z = between(p, 0.1, 1);
    if (chance(p, 50)) return kin_turn(kin_v((float)x, (float)y, (float)z), (float)angle);
#endif
    return turn(s, angle);
}

static kin_spin random_spin(scene *s, play *p, double most)
{
    double w = between(p, -most, most);
#if KINEMATIC_DIM == 3
    if (chance(p, 50)) return kin_v((float)between(p, -most, most), (float)between(p, -most, most), (float)w);
#endif
    return spin(s, w);
}

static kin_shape random_box(play *p, double low, double high)
{
    double w = between(p, low, high), h = between(p, low, high), depth = between(p, low, high);
    return deep_box(w, h, depth);
}

static kin_shape random_body_shape(play *p)
{
    int kind = below(p, 4);
    if (kind == 0) return kin_ball((float)between(p, 0.2, 0.6));
    if (kind == 1) return kin_capsule((float)between(p, 1.2, 2), (float)between(p, 0.2, 0.5));
    return random_box(p, 0.4, 1.5);
}

/* ---- the world --------------------------------------------------------------------------------------------------------- */

static void add_walls(scene *s, const mix *of)
{
    double x = of->wide, y = of->high;
    add_static_box(s, -x - 4, -y - 4, x + 4, -y);
    add_static_box(s, -x - 4, y, x + 4, y + 4);
    add_static_box(s, -x - 4, -y - 4, -x, y + 4);
    add_static_box(s, x, -y - 4, x + 4, y + 4);
#if KINEMATIC_DIM == 3
    {
        kin_static_desc d = static_desc(s, -x - 4, -y - 4, x + 4, y + 4);
        d.shape = deep_box(2 * x + 8, 2 * y + 8, 4);
        d.position.z = (float)of->deep + 2;
        put_static(s, &d);
        d.position.z = -(float)of->deep - 2;
        put_static(s, &d);
    }
#endif
}

static void add_boxes(scene *s, play *p)
{
    int i;
    for (i = 0; i < p->of->boxes; i++) {
        kin_static_desc d;
        memset(&d, 0, sizeof d);
        d.shape = random_box(p, 0.3, 5);
        d.position = random_place(s, p, 0);
        d.rotation = random_turn(s, p);
        d.sensor = chance(p, 5);
        if (chance(p, 10)) d.surface_velocity = random_velocity(s, p, 4);
        put_static(s, &d);
    }
}

static void add_movers(scene *s, play *p)
{
    int i;
    for (i = 0; i < p->of->movers; i++) {
        kin_mover_desc d;
        memset(&d, 0, sizeof d);
        d.shape = chance(p, 20) ? kin_ball((float)between(p, 0.3, 2)) : random_box(p, 0.3, 4);
        d.position = random_place(s, p, 2);
        d.rotation = random_turn(s, p);
        d.carry = (kin_carry)below(p, 3);
        d.on_blocked = chance(p, 20) ? KIN_BLOCKED_STOP : KIN_BLOCKED_PASS;
        p->movers[i] = put_mover(s, &d);
    }
}

/* Is there room for the body that was put last? */
static bool is_free(const scene *s, const thing *t)
{
    dv  n;
    int i;
    for (i = 0; i < s->thing_count; i++)
        if (s->things[i] != t && separation(&t->place, &s->things[i]->place, 0.02, &n) < 0.02) return false;
    return true;
}

static void add_backwards(scene *s, play *p)
{
    int i;
    for (i = p->of->bodies - 1; i >= 0; i--) {
        p->bodies[i] = put_body(s, &p->descs[i]);
        p->wish[i] = v2(s, 0, 0);
    }
}

static void add_bodies(scene *s, play *p)
{
    int i, tries;
    for (i = 0; i < p->of->bodies; i++) {
        kin_body_desc d;
        memset(&d, 0, sizeof d);
        d.shape = random_body_shape(p);
        d.push = chance(p, 15) ? KIN_INTANGIBLE : chance(p, 50) ? KIN_PUSHABLE : KIN_UNPUSHABLE;
        if (p->of->alone) d.push = KIN_INTANGIBLE;
        d.ride = chance(p, 30) ? KIN_RIDE_PHYSICAL : KIN_RIDE_STICK;
        d.leave = (kin_leave)below(p, 3);
        d.slope = (kin_slope)below(p, 2);
        d.snap = chance(p, 20) ? -1 : (float)between(p, 0, 0.5);
        d.step_height = chance(p, 30) ? 0.3f : 0;
        d.corner_nudge = chance(p, 20) ? 0.1f : 0;
        d.weightless = chance(p, 10);
        d.glide = chance(p, 20);
        d.report_continued = chance(p, 20);
        d.position = random_place(s, p, 2);
        p->bodies[i] = put_body(s, &d);
        for (tries = 0; tries < 50 && !is_free(s, thing_of(s, p->bodies[i])); tries++) {
            kin_vec at = random_place(s, p, 2);
            teleport(s, p->bodies[i], (double)(s->mirror * at.x), (double)at.y);
        }
        p->wish[i] = v2(s, 0, 0);
        p->descs[i] = d;
        p->descs[i].position = kin_get_position(s->world, p->bodies[i]);
    }
    p->rolled = p->state;
}

/* Bodies that fall or fly far from the room and from each other. */
static void add_strangers(scene *s, const play *p)
{
    int i;
    for (i = 0; i < p->strangers; i++) {
        kin_body_desc d = crate_desc(s, (i % 2 ? 1e4 : -2e4) * (1 + i), 1e4 * (i % 7));
        d.velocity = v2(s, i % 5, i % 3);
        d.weightless = i % 4 == 0;
        put_body(s, &d);
    }
}

static void build(scene *s, play *p)
{
    kin_world_desc d;
    memset(&d, 0, sizeof d);
    p->state = p->seed * 2654435761u + 12345;
    below(p, 2);
    if (!chance(p, 15)) d.gravity = v2(s, 0, -30);
    open_world(s, &d);
    add_walls(s, p->of);
    add_boxes(s, p);
    add_movers(s, p);
    if (!p->backwards) { add_bodies(s, p); add_strangers(s, p); return; }
    add_backwards(s, p);
    p->state = p->rolled;
}

/* ---- commands --------------------------------------------------------------------------------------------------------- */

static void command_mover(scene *s, play *p, kin_id id)
{
    const thing *t = thing_of(s, id);
    dv     at = dv_of(mirrored(s, t->pose.p));
    bool   out = fabs(at.x) > p->of->wide || fabs(at.y) > p->of->high;
    int    what = below(p, 100);
    if (out) {
        set_v(s, id, -0.3 * at.x, -0.3 * at.y);
        return;
    }
    if (what >= 3) return;
    set_velocity(s, id, random_velocity(s, p, chance(p, 10) ? 60 : 5));
    if (chance(p, 50)) set_spin_about(s, id, random_spin(s, p, chance(p, 10) ? 20 : 2));
    if (chance(p, 10)) {
        kin_vec to = random_place(s, p, 2);
        if (!chance(p, 10)) to = v3(s, at.x + between(p, -1, 1), at.y + between(p, -1, 1), at.z + between(p, -1, 1));
        move_to_pose(s, id, to, random_turn(s, p));
    }
}

static void command_body(scene *s, play *p, int i)
{
    kin_id  id = p->bodies[i];
    kin_vec v = kin_get_velocity(s->world, id);
    bool    fly = !(dv_len(s->up) > 0);
    if (chance(p, 3)) p->wish[i] = chance(p, 30) ? v2(s, 0, 0) : random_velocity(s, p, chance(p, 10) ? 100 : 8);
    if (i % 4 == 0) return;   /* some are left alone */
    v.x = p->wish[i].x;
#if KINEMATIC_DIM == 3
    v.z = p->wish[i].z;
#endif
    if (fly) v.y = p->wish[i].y;
    if (kin_on_ground(s->world, id) && chance(p, 2)) v.y = 12;
    set_velocity(s, id, v);
}

/* The room is closed: whatever happens to a body, its centre stays inside. */
static void check_inside(scene *s, const play *p)
{
    int i;
    for (i = 0; i < p->of->bodies; i++) {
        dv at = dv_of(kin_get_position(s->world, p->bodies[i]));
        if (fabs(at.x) > p->of->wide || fabs(at.y) > p->of->high || fabs(at.z) > p->of->deep)
            scene_fail(s, "N3: body %d left the room: (%g, %g, %g)", i, at.x, at.y, at.z);
    }
}

/* Keeps where everyone is after a step, or compares it with what was kept. */
static void same_places(scene *s, play *p, int step)
{
    int i;
    for (i = 0; i < p->of->bodies; i++) {
        kin_vec at = kin_get_position(s->world, p->bodies[i]), *kept = &p->places[step * p->of->bodies + i];
        double  off = dv_len(dv_sub(dv_of(at), dv_of(*kept)));
        if (p->backwards && off > 1e-5) scene_fail(s, "G20: added backwards, body %d is %g elsewhere", i, off);
        if (p->strangers && !same_vec(at, *kept)) scene_fail(s, "with strangers far away, body %d is %g elsewhere", i, off);
        if (!p->backwards && !p->strangers) *kept = at;
    }
}

static void play_random(scene *s)
{
    play *p = (play *)s->user;
    int   i, k;
    build(s, p);
    for (i = 0; i < p->steps && !scene_failed(s); i++) {
        uint64_t hash;
        for (k = 0; k < p->of->movers; k++) command_mover(s, p, p->movers[k]);
        for (k = 0; k < p->of->bodies; k++) command_body(s, p, k);
        scene_step(s);
        if (checks(s, 3)) check_inside(s, p);
        if (p->places) same_places(s, p, i);
        if (!p->hashes) continue;
        hash = kin_world_hash(s->world);
        if (p->compare && hash != p->hashes[i]) scene_fail(s, "L01: another hash than in the first run");
        p->hashes[i] = hash;
    }
}

/* ---- playing ------------------------------------------------------------------------------------------------------------ */

/* One world; false, with scene_report, if something is wrong. With `plain`, its trace is compared. */
static bool play_seed(scene *s, play *p, unsigned skip, float mirror, const scene *plain)
{
    memset(s, 0, sizeof *s);
    s->dt = 1.0f / 128;
    s->mirror = mirror;
    s->skip = skip;
    s->watch = getenv("KIN_WATCH") != NULL;
    s->user = p;
    play_random(s);
    if (plain && !scene_failed(s)) compare_traces(s, plain);
    if (!scene_failed(s)) return true;
    snprintf(scene_report, sizeof scene_report, "KIN_SEED=%u%s, %s", p->seed, mirror < 0 ? " mirrored" : "", s->fault);
    return false;
}

enum { SEEDS = 10 / TEST_SHARE };
enum { CROWD_STEPS = 500 };   /* at most: a crowd is ten times as large as the other worlds */

static void prepare(play *p, uint32_t seed, const mix *of)
{
    memset(p, 0, sizeof *p);
    p->seed = seed;
    p->of = of;
    p->steps = from_environment("KIN_STEPS", 500);
    if (of == &crowd_mix && p->steps > CROWD_STEPS) p->steps = CROWD_STEPS;
}

/* All seeds are tried, and every breach is told; how many there were. */
static int play_all(const mix *of, const uint32_t *failed)
{
    seed_list seeds = at_most(seeds_to_play(SEEDS, failed), of == &crowd_mix ? from_environment("KIN_ROOMS", INT_MAX) : INT_MAX);
    uint32_t  seed;
    int       bad = 0;
    while ((seed = next_seed(&seeds)) != 0) {
        scene s;
        play  p;
        prepare(&p, seed, of);
        if (!play_seed(&s, &p, 0, 1, NULL)) {
            bad++;
            printf("\n%s\n", scene_report);
        }
        scene_free(&s);
    }
    return bad;
}

/* J15 fuzz: 50 random boxes, 20 movers, 20 bodies with random commands: invariants. */
TEST J15_random_worlds(void)
{
    if (play_all(&level_mix, failed_worlds)) FAILm("invariants broken");
    PASS();
}

/* J15 with bodies that pass through each other: only the level and the movers matter. */
TEST J15_without_pushing(void)
{
    if (play_all(&alone_mix, failed_worlds)) FAILm("invariants broken");
    PASS();
}

/* 200 bodies of all kinds in a closed room with movers: no overlap unless a crush is open, nobody leaves the room. */
TEST crowd_in_a_room(void)
{
    if (play_all(&crowd_mix, failed_rooms)) FAILm("invariants broken");
    PASS();
}

enum { UNCHECKED = 0x19fe };  /* N1 to N8, N11, N12: these are J15's business */
enum { COMPARED = 100 };      /* worlds that are played twice, at most; KIN_COMPARED says otherwise */

static seed_list compared_seeds(const mix *of)
{
    int most = from_environment("KIN_ROOMS", 0) / 2;
    return at_most(seeds_to_play(SEEDS, no_failed), of == &crowd_mix && most > 0 ? most : from_environment("KIN_COMPARED", COMPARED));
}

/* L01 twice the same: J15 seed run twice: state hash BIT-equal each step. */
TEST L01_twice_the_same(void)
{
    seed_list seeds = compared_seeds(&level_mix);
    uint32_t  seed;
    bool      good = true;
    while (good && (seed = next_seed(&seeds)) != 0) {
        scene s;
        play  p;
        int   k;
        prepare(&p, seed, &level_mix);
        p.hashes = (uint64_t *)calloc((size_t)p.steps, sizeof *p.hashes);
        for (k = 0; k < 2 && good; k++) {
            p.compare = k > 0;
            good = play_seed(&s, &p, UNCHECKED, 1, NULL);
            scene_free(&s);
        }
        free(p.hashes);
    }
    if (!good) FAILm(scene_report);
    PASS();
}

static int play_mirrored(const mix *of)
{
    seed_list seeds = compared_seeds(of);
    uint32_t  seed;
    int       bad = 0;
    while ((seed = next_seed(&seeds)) != 0) {
        scene plain, other;
        play  p;
        memset(&other, 0, sizeof other);
        prepare(&p, seed, of);
        if (!play_seed(&plain, &p, UNCHECKED, 1, NULL) || !play_seed(&other, &p, UNCHECKED, -1, &plain)) {
            bad++;
            printf("\n%s\n", scene_report);
        }
        scene_free(&other);
        scene_free(&plain);
    }
    return bad;
}

/* N10 the mirrored world (x -> -x) gives the mirrored result, to the bit: alone in a level, and in a crowd. */
TEST N10_mirrored_worlds(void)
{
    if (KINEMATIC_DIM == 3) SKIPm("in 3D rounding differs, and a random world soon makes much of it");
    if (play_mirrored(&alone_mix) + play_mirrored(&level_mix)) FAILm("the mirrored world is another");
    if (play_mirrored(&crowd_mix)) FAILm("the mirrored crowd is another");
    PASS();
}

/* Crowds that are played as they are and then once more otherwise; how many came out elsewhere. */
static int play_otherwise(bool backwards, int strangers)
{
    seed_list seeds = compared_seeds(&crowd_mix);
    uint32_t  seed;
    int       bad = 0;
    while ((seed = next_seed(&seeds)) != 0) {
        scene s;
        play  p;
        prepare(&p, seed, &crowd_mix);
        p.places = (kin_vec *)calloc((size_t)(p.steps * p.of->bodies), sizeof *p.places);
        play_seed(&s, &p, UNCHECKED, 1, NULL);
        scene_free(&s);
        p.backwards = backwards;
        p.strangers = strangers;
        if (!play_seed(&s, &p, UNCHECKED, 1, NULL)) {
            bad++;
            printf("\n%s\n", scene_report);
        }
        scene_free(&s);
        free(p.places);
    }
    return bad;
}

/* G20 in crowds: another order of adding gives the same places. */
TEST G20_crowds_added_backwards(void)
{
    if (play_otherwise(true, 0)) FAILm("the order of adding matters");
    PASS();
}

/* Bodies far away change no bit of a crowd, however it jams. */
TEST crowd_and_strangers(void)
{
    if (play_otherwise(false, 40)) FAILm("far bodies disturb near ones");
    PASS();
}

SUITE(random_worlds)
{
    RUN_TEST(J15_without_pushing);
    RUN_TEST(J15_random_worlds);
    RUN_TEST(crowd_in_a_room);
    RUN_TEST(G20_crowds_added_backwards);
    RUN_TEST(crowd_and_strangers);
    RUN_TEST(L01_twice_the_same);
    RUN_TEST(N10_mirrored_worlds);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv)
{
    GREATEST_MAIN_BEGIN();
    RUN_SUITE(random_worlds);
    GREATEST_MAIN_END();
}
