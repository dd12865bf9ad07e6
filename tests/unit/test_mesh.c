/* SPDX-License-Identifier: MIT OR Unlicense

   Meshes: what is refused, what is kept and given back, casts against every face one by one in double precision, large
   ones, and closed rooms that nobody gets out of. */
#include "draw.c"
#include "worlds.h"

enum { MOST = 4096 };

/* Faces that are put together one after the other, each with its own points. */
typedef struct heap { kin_vec points[MOST]; int indices[MOST], count; } heap;

static void add_face(heap *h, kin_vec a, kin_vec b, kin_vec c)
{
    kin_vec corners[3];
    int     i;
    corners[0] = a; corners[1] = b; corners[2] = c;
    for (i = 0; i < KINEMATIC_DIM; i++) {
        h->points[h->count] = corners[i];
        h->indices[h->count] = h->count;
        h->count++;
    }
}

static kin_mesh_desc mesh_desc(const heap *h)
{
    kin_mesh_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.points = h->points;
    desc.point_count = h->count;
    desc.indices = h->indices;
    desc.index_count = h->count;
    return desc;
}

static void random_faces(heap *h, chance *c, int faces, float reach)
{
    int i;
    h->count = 0;
    for (i = 0; i < faces; i++) {
        kin_vec a = anywhere(c, reach);
        add_face(h, a, kini_add(a, anywhere(c, 2)), kini_add(a, anywhere(c, 2)));
    }
}

/* ---- refusals ---------------------------------------------------------------------------------------------------------- */

static void try_mesh(int *utest_result, kin_world *world, test_log *log, const kin_mesh_desc *desc, const char *word)
{
    int      lines = log->lines;
    uint64_t hash = kin_world_hash(world);
    kin_id   id = kin_add_mesh(world, desc);
    EXPECT_EQ(0u, id.slot);
    EXPECT_EQ(lines + 1, log->lines);
    EXPECT_TRUE(strstr(log->last, "kin_add_mesh") != NULL);
    EXPECT_TRUE(strstr(log->last, word) != NULL);
    EXPECT_TRUE(kin_world_hash(world) == hash);
    EXPECT_EQ(0, world->mesh_points.count);
    EXPECT_EQ(0, world->mesh_nodes.count);
}

UTEST(mesh, refused)
{
    static heap   h;
    test_log      log;
    chance        c = { 5 };
    kin_world    *world = quiet_world(&log);
    kin_id        wall = add_static(world, kin_ball(1), at(0, 0));
    kin_mesh_desc desc, good;
    random_faces(&h, &c, 10, 5);
    good = mesh_desc(&h);
    try_mesh(utest_result, world, &log, NULL, "desc");
    desc = good;
    desc.points = NULL;
    try_mesh(utest_result, world, &log, &desc, "points");
    desc = good;
    desc.indices = NULL;
    try_mesh(utest_result, world, &log, &desc, "indices");
    desc = good;
    desc.point_count = 0;
    try_mesh(utest_result, world, &log, &desc, "point_count");
    desc = good;
    desc.index_count = -3;
    try_mesh(utest_result, world, &log, &desc, "index_count");
    desc = good;
    desc.index_count--;
    try_mesh(utest_result, world, &log, &desc, "index_count");
    h.indices[4] = h.count;
    try_mesh(utest_result, world, &log, &good, "indices");
    h.indices[4] = -1;
    try_mesh(utest_result, world, &log, &good, "indices");
    h.indices[4] = 4;
    h.points[7].x = NAN;
    try_mesh(utest_result, world, &log, &good, "points");
    h.points[7].x = 1e30f;
    try_mesh(utest_result, world, &log, &good, "points");
    h.points[7].x = 0;
    desc = good;
    desc.position.x = NAN;
    try_mesh(utest_result, world, &log, &desc, "position");
    desc = good;
    desc.attach = wall;
    try_mesh(utest_result, world, &log, &desc, "attach");
    EXPECT_NE(0u, kin_add_mesh(world, &good).slot);
    kin_world_destroy(world);
}

/* Faces without extent are left out with one line; the others keep their numbers. */
UTEST(mesh, thin_faces_are_dropped)
{
    static heap   h;
    test_log      log;
    kin_world    *world = quiet_world(&log);
    kin_mesh_desc desc;
    kin_hit       hit;
    h.count = 0;
    add_face(&h, at(1, 1), at(1, 1), at(1, 1));
    add_face(&h, at(-2, 0), at(2, 0), at(0, 0));
#if KINEMATIC_DIM == 3
    h.points[5].z = 2;
    h.points[3].z = h.points[4].z = -2;
    add_face(&h, kin_v(0, 0, 0), kin_v(1, 1, 1), kin_v(2, 2, 2));
#endif
    add_face(&h, at(3, 3), at(3, 3), at(3, 3));
    desc = mesh_desc(&h);
    ASSERT_NE(0u, kin_add_mesh(world, &desc).slot);
    EXPECT_EQ(1, log.lines);
    EXPECT_TRUE(strstr(log.last, KINEMATIC_DIM == 2 ? "(2)" : "(3)") != NULL);
    EXPECT_TRUE(kin_cast_ray(world, at(0.1f, 3), at(0, -5), NULL, &hit));
    EXPECT_EQ(1, hit.part);
    EXPECT_TRUE(near_to(hit.point, at(0.1f, 0), 1e-5f));
    EXPECT_TRUE(near_to(hit.normal, at(0, 1), 1e-5f));
    EXPECT_TRUE(kin_cast_ray(world, at(0.1f, -3), at(0, 5), NULL, &hit));       /* solid from both sides */
    EXPECT_TRUE(near_to(hit.normal, at(0, -1), 1e-5f));
    h.count = KINEMATIC_DIM;
    desc = mesh_desc(&h);
    EXPECT_EQ(0u, kin_add_mesh(world, &desc).slot);
    EXPECT_EQ(2, log.lines);
    kin_world_destroy(world);
}

/* The log handler, called about left out faces: adds the same mesh again, or removes what was added. */
typedef struct meddler { kin_world *world; const kin_mesh_desc *desc; kin_id inner; bool removes, done; } meddler;

static void meddle(const char *text, void *user)
{
    meddler *m = (meddler *)user;
    (void)text;
    if (m->done) return;
    m->done = true;
    if (m->removes) kin_remove(m->world, kin_next(m->world, KIN_NOTHING, nobody()));
    else m->inner = kin_add_mesh(m->world, m->desc);
}

/* A mesh is there as a whole before the log is told what it lacks. */
UTEST(mesh, log_handler_meddles)
{
    static heap    h;
    kin_world_desc d;
    kin_mesh_desc  desc;
    meddler        m;
    kin_hit        hit;
    kin_id         outer;
    int            removes;
    h.count = 0;
    add_face(&h, at(-2, 0), at(2, 0), at(0, 0));
#if KINEMATIC_DIM == 3
    h.points[2].z = 2;
    h.points[0].z = h.points[1].z = -2;
#endif
    add_face(&h, at(1, 1), at(1, 1), at(1, 1));
    desc = mesh_desc(&h);
    for (removes = 0; removes < 2; removes++) {
        memset(&m, 0, sizeof m);
        memset(&d, 0, sizeof d);
        d.on_log = meddle;
        d.user = &m;
        m.removes = removes;
        m.desc = &desc;
        m.world = kin_world_create(&d);
        outer = kin_add_mesh(m.world, &desc);
        EXPECT_NE(0u, outer.slot);
        EXPECT_EQ(!removes, kin_alive(m.world, outer));
        EXPECT_EQ(removes ? 0 : 4 * KINEMATIC_DIM, m.world->mesh_points.count);
        if (removes) EXPECT_FALSE(kin_same(outer, kin_add_mesh(m.world, &desc)));
        else EXPECT_TRUE(kin_remove(m.world, m.inner));
        EXPECT_TRUE(kin_cast_ray(m.world, at(0.1f, 3), at(0, -5), NULL, &hit));
        kin_world_destroy(m.world);
    }
}

/* ---- memory ------------------------------------------------------------------------------------------------------------ */

UTEST(mesh, blocks_move_together)
{
    enum { MESHES = 8 };
    static heap h[MESHES];
    test_log    log;
    chance      c = { 9 };
    kin_world  *world = quiet_world(&log);
    kin_id      ids[MESHES];
    int         round, k, i;
    memset(ids, 0, sizeof ids);
    for (round = 0; round < 400 / (TEST_SHARE > 4 ? 4 : TEST_SHARE); round++) {
        k = below(&c, MESHES);
        if (ids[k].slot) {
            ASSERT_TRUE(kin_remove(world, ids[k]));
            ids[k] = nobody();
        } else {
            kin_mesh_desc desc;
            random_faces(&h[k], &c, 1 + below(&c, 60), 5);
            desc = mesh_desc(&h[k]);
            desc.position = at(100 * (float)k, 0);
            ids[k] = kin_add_mesh(world, &desc);
            ASSERT_NE(0u, ids[k].slot);
        }
        for (i = 0; i < MESHES; i++) {       /* a ray to the middle of some face finds a face there */
            kin_vec middle = kini_vec_zero();
            kin_hit hit;
            int     face, n;
            if (!ids[i].slot) continue;
            face = below(&c, h[i].count / KINEMATIC_DIM);
            for (n = 0; n < KINEMATIC_DIM; n++) middle = kini_madd(middle, h[i].points[face * KINEMATIC_DIM + n], 1.0f / KINEMATIC_DIM);
            middle = kini_add(middle, at(100 * (float)i, 0));
            ASSERT_TRUE(kin_cast_ray(world, kini_add(middle, at(0.1f, 20)), kini_scale(at(0.1f, 20), -1.001f), NULL, &hit));
            ASSERT_TRUE(kin_same(hit.id, ids[i]));
        }
    }
    for (i = 0; i < MESHES; i++)
        if (ids[i].slot) kin_remove(world, ids[i]);
    EXPECT_EQ(0, world->mesh_points.count);
    EXPECT_EQ(0, world->mesh_corners.count);
    EXPECT_EQ(0, world->mesh_nodes.count);
    EXPECT_EQ(0, world->mesh_leaves.count);
    kin_world_destroy(world);
}

/* An allocation that fails at any point leaves the world as it was. */
typedef struct stingy { test_log log; int left; long open; } stingy;

static void *stingy_take(size_t bytes, void *user)
{
    stingy *s = (stingy *)user;
    if (s->left == 0) return NULL;
    s->left--;
    s->open++;
    return malloc(bytes);
}

static void stingy_give(void *memory, size_t bytes, void *user)
{
    (void)bytes;
    ((stingy *)user)->open--;
    free(memory);
}

static void stingy_note(const char *text, void *user) { note(text, &((stingy *)user)->log); }

UTEST(mesh, memory_runs_out)
{
    static heap    h;
    chance         c = { 3 };
    kin_world_desc desc;
    stingy         s;
    kin_world     *world;
    kin_mesh_desc  mesh;
    kin_tiles_desc tiles;
    kin_id         id;
    uint64_t       hash;
    int            k, grid;
    random_faces(&h, &c, 200, 5);
    mesh = mesh_desc(&h);
    memset(&tiles, 0, sizeof tiles);
    tiles.size.x = tiles.size.y = 30;
#if KINEMATIC_DIM == 3
    tiles.size.z = 2;
#endif
    for (grid = 0; grid < 2; grid++) {
        bool done = false;
        for (k = 0; !done; k++) {
            memset(&s, 0, sizeof s);
            memset(&desc, 0, sizeof desc);
            s.left = 1000;
            desc.allocate = stingy_take;
            desc.release = stingy_give;
            desc.on_log = stingy_note;
            desc.user = &s;
            world = kin_world_create(&desc);
            ASSERT_TRUE(world != NULL);
            hash = kin_world_hash(world);
            s.left = k;
            id = grid ? kin_add_tiles(world, &tiles) : kin_add_mesh(world, &mesh);
            if (!id.slot) {
                EXPECT_EQ(1, s.log.lines);
                EXPECT_TRUE(kin_world_hash(world) == hash);
                s.left = 1000;
                id = grid ? kin_add_tiles(world, &tiles) : kin_add_mesh(world, &mesh);
            } else {
                done = true;
            }
            EXPECT_NE(0u, id.slot);
            EXPECT_TRUE(kin_world_step(world, 0.01f));
            kin_world_destroy(world);
            EXPECT_EQ(0l, s.open);
        }
    }
}

/* ---- questions --------------------------------------------------------------------------------------------------------- */

typedef struct dvec { double x, y, z; } dvec;

static dvec wide(kin_vec v)
{
    dvec d;
    d.x = (double)v.x;
    d.y = (double)v.y;
    d.z = 0;
#if KINEMATIC_DIM == 3
    d.z = (double)v.z;
#endif
    return d;
}

static dvec minus(dvec a, dvec b) { a.x -= b.x; a.y -= b.y; a.z -= b.z; return a; }
static double times(dvec a, dvec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static dvec across(dvec a, dvec b)
{
    dvec d;
    d.x = a.y * b.z - a.z * b.y;
    d.y = a.z * b.x - a.x * b.z;
    d.z = a.x * b.y - a.y * b.x;
    return d;
}

/* Where a ray meets one face; 2 if it does not. `against` is how far it travels across the face's plane; `sure` is false if it passes so close to the rim that floats may differ. */
static double face_time(const kin_vec *p, kin_vec from, kin_vec travel, bool *sure, double *against)
{
    dvec   a = wide(p[0]), b = wide(p[1]), o = wide(from), d = wide(travel), n, third;
    double t, edge[3], least, size;
    int    i, sides = KINEMATIC_DIM == 2 ? 2 : 3;
    third = KINEMATIC_DIM == 2 ? a : wide(p[2 % KINEMATIC_DIM]);
    if (KINEMATIC_DIM == 2) {
        n.x = a.y - b.y; n.y = b.x - a.x; n.z = 0;
    } else n = across(minus(b, a), minus(third, a));
    *sure = true;
    if (fabs(times(n, d)) < 1e-4 * sqrt(times(n, n) * times(d, d))) { *sure = false; return 2; }
    t = times(n, minus(a, o)) / times(n, d);
    *against = fabs(times(n, d)) / sqrt(times(n, n));
    if (fabs(t) < 1e-4 || fabs(t - 1) < 1e-4) *sure = false;
    o.x += t * d.x; o.y += t * d.y; o.z += t * d.z;
    if (KINEMATIC_DIM == 2) {
        edge[0] = times(minus(o, a), minus(b, a));
        edge[1] = times(minus(o, b), minus(a, b));
        size = times(minus(b, a), minus(b, a));
    } else {
        edge[0] = times(across(minus(b, a), minus(o, a)), n);
        edge[1] = times(across(minus(third, b), minus(o, b)), n);
        edge[2] = times(across(minus(a, third), minus(o, third)), n);
        size = times(n, n);
    }
    for (i = 0, least = 1e300; i < sides; i++) least = fmin(least, edge[i]);
    if (fabs(least) < 1e-3 * size) *sure = false;
    return least < 0 || t < 0 || t > 1 ? 2 : t;
}

UTEST(mesh, rays_agree_with_each_face)
{
    static heap   h;
    test_log      log;
    chance        c = { 21 };
    kin_world    *world = quiet_world(&log);
    kin_mesh_desc desc;
    int           i, round, rounds = 20000 / TEST_SHARE, hits = 0, compared = 0;
    random_faces(&h, &c, 300, 10);
    desc = mesh_desc(&h);
    desc.position = at(3, -2);
    ASSERT_NE(0u, kin_add_mesh(world, &desc).slot);
    for (round = 0; round < rounds; round++) {
        kin_vec from = kini_add(anywhere(&c, 14), at(3, -2)), travel = anywhere(&c, 20);
        double  best = 2, against = 0;
        int     which = -1;
        bool    sure = true;
        kin_hit hit;
        for (i = 0; i < h.count; i += KINEMATIC_DIM) {
            bool   clear;
            double cross, t = face_time(&h.points[i], kini_sub(from, at(3, -2)), travel, &clear, &cross);
            if (!clear) sure = false;
            if (t < best) { best = t; which = i / KINEMATIC_DIM; against = cross; }
        }
        if (!sure) continue;
        compared++;
        ASSERT_EQ(best < 1.5, kin_cast_ray(world, from, travel, NULL, &hit));
        if (best > 1.5) continue;
        hits++;
        ASSERT_LT(fabs((double)hit.t - best) * against, 2e-5);      /* that far off the face */
        if (hit.part != which) ASSERT_LT(fabs((double)hit.t - best), 1e-6);
    }
    EXPECT_GT(hits, compared / 10);
    EXPECT_GT(compared, rounds / 20);
    kin_world_destroy(world);
}

/* Of a shape: at the time found it touches, and before it nothing overlaps. */
UTEST(mesh, shape_casts_end_in_touch)
{
    static heap   h;
    test_log      log;
    chance        c = { 33 };
    kin_world    *world = quiet_world(&log);
    kin_mesh_desc desc;
    kin_id        id;
    int           round, rounds = 4000 / TEST_SHARE, hits = 0;
    random_faces(&h, &c, 60, KINEMATIC_DIM == 2 ? 10 : 5);
    desc = mesh_desc(&h);
    desc.rotation = any_turn(&c);
    id = kin_add_mesh(world, &desc);
    ASSERT_NE(0u, id.slot);
    for (round = 0; round < rounds; round++) {
        kin_shape  shape = any_shape(&c);
        kin_pose   from, there;
        kin_vec    travel = anywhere(&c, 20);
        kin_hit    hit;
        kini_solid solid;
        kini_hull  room;
        bool       found;
        from.p = anywhere(&c, KINEMATIC_DIM == 2 ? 14 : 8);
        from.q = any_turn(&c);
        ASSERT_TRUE(kini_shape_solid(&shape, &solid, &room) == NULL);
        found = kin_cast_shape(world, &shape, from, travel, NULL, &hit);
        there = from;
        if (!found) {
            ASSERT_TRUE(kini_thing_gap(world, id.slot, &solid, from, 0) > -1e-3f);
            continue;
        }
        hits++;
        ASSERT_TRUE(hit.part >= 0 && hit.part < h.count / KINEMATIC_DIM);
        there.p = kini_madd(from.p, travel, hit.t);
        if (!(hit.t > 0)) continue;
        ASSERT_LT(fabsf(kini_thing_gap(world, id.slot, &solid, there, 0)), 2e-3f);
        there.p = kini_madd(from.p, travel, hit.t * 0.5f);
        ASSERT_EQ(0, kin_overlap(world, &shape, there, NULL, NULL, 0));
    }
    EXPECT_GT(hits, rounds / 4);
    kin_world_destroy(world);
}

/* ---- debug view ------------------------------------------------------------------------------------------------------- */

typedef struct canvas { kin_vec lo, hi; int lines; } canvas;

static void draw_line_on(kin_vec from, kin_vec to, uint32_t rgba, void *user)
{
    canvas *c = (canvas *)user;
    if (rgba == kini_colours[KINI_DRAWS_BOUNDS][0]) return;
    c->lines++;
    c->lo = kini_lower(c->lo, kini_lower(from, to));
    c->hi = kini_upper(c->hi, kini_upper(from, to));
}

/* Every face is drawn, where the mesh is. */
UTEST(mesh, the_debug_view_shows_every_face)
{
    static heap    h;
    chance         c = { 11 };
    test_log       log;
    kin_world     *world = quiet_world(&log);
    kin_mesh_desc  desc;
    kin_draw       draw;
    canvas         paper;
    kin_vec        lo = kini_all(1e9f), hi = kini_all(-1e9f);
    int            i;
    random_faces(&h, &c, 20, 5);
    desc = mesh_desc(&h);
    desc.position = at(30, -8);
    ASSERT_NE(0u, kin_add_mesh(world, &desc).slot);
    for (i = 0; i < h.count; i++) {
        lo = kini_lower(lo, kini_add(h.points[i], desc.position));
        hi = kini_upper(hi, kini_add(h.points[i], desc.position));
    }
    memset(&draw, 0, sizeof draw);
    paper.lo = kini_all(1e9f);
    paper.hi = kini_all(-1e9f);
    paper.lines = 0;
    draw.user = &paper;
    draw.line = draw_line_on;
    kin_debug_draw(world, &draw);
    EXPECT_TRUE(kini_largest(kini_magnitudes(kini_sub(paper.lo, lo))) < 1e-4f && kini_largest(kini_magnitudes(kini_sub(paper.hi, hi))) < 1e-4f);
    EXPECT_GE(paper.lines, KINEMATIC_DIM == 2 ? 20 : 60);
    kin_world_destroy(world);
}

/* Faces whose boxes meet that of the body, while their planes are far from it, may fill whole batches with nothing; the
   floor comes after them. */
UTEST(mesh, faces_beside_the_body_hide_no_floor)
{
    static heap   h;
    test_log      log;
    kin_world    *world = quiet_world(&log);
    kin_mesh_desc desc;
    kin_id        body;
    float         low = KINEMATIC_DIM == 2 ? -8.0f : -4.0f;
    int           i;
    h.count = 0;
    for (i = 0; i < 300; i++) {
        kin_vec corner = kini_all(low);
        float   high = 12 + 0.01f * (float)i;
        add_face(&h, kini_with(corner, 0, high), kini_with(corner, 1, high), kini_with(corner, KINEMATIC_DIM - 1, high));
    }
    add_face(&h, kini_with(kini_all(-3), 1, -1), kini_with(kini_with(kini_all(-3), 0, 3), 1, -1), kini_with(kini_all(3), 1, -1));
    add_face(&h, kini_with(kini_all(3), 1, -1), kini_with(kini_with(kini_all(3), 0, -3), 1, -1), kini_with(kini_all(-3), 1, -1));
    desc = mesh_desc(&h);
    ASSERT_TRUE(kin_add_mesh(world, &desc).slot != 0);
    kin_world_set_gravity(world, at(0, -30));
    body = add_body(world, kin_box(size(1, 1)), at(0, 0.5f));
    for (i = 0; i < 128; i++) kin_world_step(world, 1.0f / 128);
    EXPECT_TRUE(kin_on_ground(world, body));
    EXPECT_TRUE(kini_abs(kin_get_position(world, body).y + 0.5f) < 0.006f);
    kin_world_destroy(world);
}

/* ---- large meshes ------------------------------------------------------------------------------------------------------ */

UTEST(mesh, a_million_faces)
{
    int           side = KINEMATIC_DIM == 2 ? (TEST_SHARE > 1 ? 20000 : 1000000) : TEST_SHARE > 1 ? 100 : 708, points = 0, n = 0, i;
    kin_vec      *p = (kin_vec *)malloc((KINEMATIC_DIM == 2 ? (size_t)side + 1 : (size_t)(side + 1) * (size_t)(side + 1)) * sizeof *p);
    int          *indices = (int *)malloc((KINEMATIC_DIM == 2 ? 2 * (size_t)side : 6 * (size_t)side * (size_t)side) * sizeof *indices);
    test_log      log;
    kin_world    *world = quiet_world(&log);
    kin_mesh_desc desc;
    kin_body_desc body;
    kin_id        id, walker;
    ASSERT_TRUE(p != NULL && indices != NULL);
#if KINEMATIC_DIM == 2
    for (i = 0; i <= side; i++) p[points++] = kin_v((float)(i - side / 2) * 0.01f, 0.05f * sinf((float)i * 0.02f));
    for (i = 0; i < side; i++) { indices[n++] = i; indices[n++] = i + 1; }
#else
    int k;
    for (k = 0; k <= side; k++)
        for (i = 0; i <= side; i++) p[points++] = kin_v((float)(i - side / 2) * 0.5f, 0.3f * sinf((float)i * 0.3f) * cosf((float)k * 0.2f), (float)(k - side / 2) * 0.5f);
    for (k = 0; k < side; k++)
        for (i = 0; i < side; i++) {
            int a = k * (side + 1) + i, b = a + 1, c = a + side + 1, d = c + 1;
            indices[n++] = a; indices[n++] = c; indices[n++] = b;
            indices[n++] = b; indices[n++] = c; indices[n++] = d;
        }
#endif
    memset(&desc, 0, sizeof desc);
    desc.points = p;
    desc.point_count = points;
    desc.indices = indices;
    desc.index_count = n;
    id = kin_add_mesh(world, &desc);
    ASSERT_NE(0u, id.slot);
    EXPECT_EQ(0, log.lines);
    body = body_desc(kin_capsule(1.8f, 0.3f), at(0, 1.6f));
    body.snap = 0.3f;
    walker = kin_add_body(world, &body);
    for (i = 0; i < 300; i++) {
        if (i >= 40) kin_set_velocity(world, walker, at(4, 0));
        kin_world_step(world, 1.0f / 60);
        if (i >= 40) ASSERT_TRUE(kin_on_ground(world, walker));
    }
    EXPECT_GT(kin_get_position(world, walker).x, 15.0f);
    EXPECT_EQ(kin_get_ground(world, walker).id.slot, id.slot);
    EXPECT_TRUE(kin_remove(world, id));
    kin_world_destroy(world);
    free(p);
    free(indices);
}

/* ---- rooms ---------------------------------------------------------------------------------------------------------------- */

/* One side of a room, cut into faces of different sizes. */
static void add_wall(heap *h, chance *c, kin_vec corner, kin_vec u, kin_vec v)
{
    float x = 0, y;
    while (x < 1) {
        float next = x + between(c, 0.05f, 0.3f);
        if (next > 0.95f) next = 1;
        for (y = 0; y < 1;) {
            float   up = KINEMATIC_DIM == 2 ? 1 : y + between(c, 0.2f, 0.5f);
            kin_vec a, b, d, e;
            if (up > 0.9f) up = 1;
            a = kini_madd(kini_madd(corner, u, x), v, y);
            b = kini_madd(kini_madd(corner, u, next), v, y);
            d = kini_madd(kini_madd(corner, u, x), v, up);
            e = kini_madd(kini_madd(corner, u, next), v, up);
            add_face(h, a, b, d);
            if (KINEMATIC_DIM == 3) add_face(h, e, d, b);
            y = up;
        }
        x = next;
    }
}

static kin_vec axis(int i, float s) { return kini_with(kini_vec_zero(), i, s); }

/* A closed room with crooked walls: whatever is in it stays in it, at any speed. */
UTEST(mesh, nobody_leaves_a_room)
{
    enum { BODIES = 6 };
    static heap h;
    int seed, seeds = TEST_SHARE > 1 ? 5 : 60;
    for (seed = 1; seed <= seeds; seed++) {
        chance        c;
        test_log      log;
        kin_world    *world = quiet_world(&log);
        kin_mesh_desc desc;
        kin_id        bodies[BODIES];
        kin_rot       turn;
        int           i, k, side;
        memset(&c, 0, sizeof c);
        c.state = (uint32_t)seed * 7919u;
        h.count = 0;
        for (i = 0; i < KINEMATIC_DIM; i++)
            for (side = -1; side <= 1; side += 2) {
                int u = (i + 1) % KINEMATIC_DIM, v = (i + 2) % KINEMATIC_DIM;
                kin_vec corner = kini_add(axis(i, 4.0f * (float)side), axis(u, -4));
                if (KINEMATIC_DIM == 3) corner = kini_add(corner, axis(v, -4));
                add_wall(&h, &c, corner, axis(u, 8), KINEMATIC_DIM == 3 ? axis(v, 8) : kini_vec_zero());
            }
        if (seed % 2) kin_world_set_gravity(world, at(0, 0));
        desc = mesh_desc(&h);
        turn = seed % 3 ? any_turn(&c) : kini_unturned();
        desc.rotation = turn;
        ASSERT_NE(0u, kin_add_mesh(world, &desc).slot);
        for (k = 0; k < BODIES; k++) {
            kin_body_desc body = body_desc(k % 3 == 0 ? kin_box(size(0.8f, 0.8f)) : k % 3 == 1 ? kin_ball(0.4f) : kin_capsule(1.2f, 0.3f), kini_vec_zero());
            body.position = kini_rotate(turn, anywhere(&c, 2.5f));
            body.push = KIN_INTANGIBLE;
            bodies[k] = kin_add_body(world, &body);
        }
        for (i = 0; i < 60; i++) {
            for (k = 0; k < BODIES; k++)
                if (i % 5 == 0) kin_set_velocity(world, bodies[k], anywhere(&c, k < 3 ? 20.0f : 4000.0f));
            kin_world_step(world, 1.0f / 60);
            for (k = 0; k < BODIES; k++) {
                kin_vec p = kini_unrotate(turn, kin_get_position(world, bodies[k]));
                ASSERT_LT(kini_largest(kini_magnitudes(p)), 4.0f - 0.29f);
                ASSERT_FALSE(kin_is_embedded(world, bodies[k]));
            }
        }
        kin_world_destroy(world);
    }
}

UTEST_MAIN()
