/* SPDX-License-Identifier: MIT OR Unlicense

   Which faces of a mesh meet, and which edges and corners their neighbours hide: flat, convex and hollow folds, open
   edges, T-junctions, points that are doubled, edges of too many faces, corners. */
#define KINEMATIC_IMPLEMENTATION
#include "kinematic.h"
#include "worlds.h"

enum { MOST = 256 };

/* Faces with points of their own: all that is shared has to be welded. */
typedef struct heap { kin_vec points[MOST]; int indices[MOST], count; } heap;

static kin_vec point(float x, float y, float z)
{
    kin_vec p = kini_vec_zero();
    p.x = x;
    p.y = y;
    return kini_with(p, KINEMATIC_DIM - 1, KINEMATIC_DIM == 3 ? z : y);
}

static void add_face(heap *h, kin_vec a, kin_vec b, kin_vec c)
{
    kin_vec corners[3];
    int     i;
    corners[0] = a; corners[1] = b; corners[2] = c;
    for (i = 0; i < KINEMATIC_DIM; i++, h->count++) {
        h->points[h->count] = corners[i];
        h->indices[h->count] = h->count;
    }
}

/* A face from the edge that runs along z through the origin (in 2D from the origin) to the far point. */
static void add_wing(heap *h, float from, float to, float x, float y)
{
    add_face(h, point(0, 0, from), point(x, y, 0.5f * (from + to)), point(0, 0, to));
}

/* The normal that leans by so many degrees from up towards x. */
static kin_vec leaning(float degrees)
{
    float sine, cosine;
    kini_sine(degrees * KINI_PI / 180, &sine, &cosine);
    return point(sine, cosine, 0);
}

enum { SEEN, HIDDEN };   /* by a neighbour; what others do is looked up where a body is */

static int rule(const heap *h, int face, kin_vec normal)
{
    test_log      log;
    kin_world    *world = quiet_world(&log);
    kin_mesh_desc desc;
    kini_web      web;
    int           answer;
    memset(&desc, 0, sizeof desc);
    desc.points = h->points;
    desc.indices = h->indices;
    desc.point_count = desc.index_count = h->count;
    kin_add_mesh(world, &desc);
    web.points = world->mesh_points.at;
    web.corners = world->mesh_corners.at;
    web.faces = world->mesh_faces.at;
    answer = kini_is_inner_edge(&web, face, normal) ? HIDDEN : SEEN;
    kin_world_destroy(world);
    return answer;
}

UTEST(weld, folds)
{
    float y;
    int   turned;
    for (turned = 0; turned < 2; turned++)
        for (y = -1; y <= 1; y++) {
            heap h;
            h.count = 0;
            add_wing(&h, -1, 1, -2, y);
            add_wing(&h, turned ? 1.0f : -1.0f, turned ? -1.0f : 1.0f, 2, y);   /* winding does not matter */
            if (y <= 0) {   /* else the far points come first */
                EXPECT_EQ(y < 0 ? SEEN : HIDDEN, rule(&h, 0, leaning(1)));
                EXPECT_EQ(y < 0 ? SEEN : HIDDEN, rule(&h, 0, leaning(26)));
                EXPECT_EQ(y < 0 ? SEEN : HIDDEN, rule(&h, 1, leaning(-26)));
            }
            EXPECT_EQ(HIDDEN, rule(&h, 0, leaning(27)));   /* beyond the normal of the other face */
            EXPECT_EQ(HIDDEN, rule(&h, 0, leaning(60)));
            if (y >= 0)   /* from below */
                EXPECT_EQ(y > 0 ? SEEN : HIDDEN, rule(&h, 0, leaning(170)));
            EXPECT_EQ(HIDDEN, rule(&h, 0, leaning(150)));
            EXPECT_EQ(HIDDEN, rule(&h, 0, leaning(120)));
        }
}

UTEST(weld, welded_zeros)
{
    heap h;
    h.count = 0;
    add_wing(&h, -1, 1, -2, 0);
    add_wing(&h, -1, 1, 2, 0);
    h.points[KINEMATIC_DIM].y = h.points[2 * KINEMATIC_DIM - 1].y = -0.0f;
    EXPECT_EQ(HIDDEN, rule(&h, 0, leaning(10)));
    EXPECT_EQ(HIDDEN, rule(&h, 1, leaning(-10)));
}

UTEST(weld, open_edges)
{
    heap h;
    h.count = 0;
    add_wing(&h, -1, 1, -2, 0);
    EXPECT_EQ(SEEN, rule(&h, 0, leaning(10)));
    add_wing(&h, -1, 1, 2, 0);
    EXPECT_EQ(HIDDEN, rule(&h, 0, leaning(10)));
    add_wing(&h, -1, 1, 0.5f, 2);   /* a third one: nobody's neighbour is known */
    EXPECT_EQ(SEEN, rule(&h, 0, leaning(10)));
    EXPECT_EQ(SEEN, rule(&h, 1, leaning(-10)));
    EXPECT_EQ(SEEN, rule(&h, 2, leaning(180)));
    h.count = 0;
    add_wing(&h, -1, 1, -2, 0);
    add_wing(&h, -1, 1, -2, 0);     /* doubled faces */
    add_wing(&h, -1, 1, 2, 0);
    EXPECT_EQ(SEEN, rule(&h, 0, leaning(10)));
    h.count = 0;
    add_wing(&h, -1, 1, -2, 0);
    add_wing(&h, -1, 1, 0, 0);      /* one without extent is none */
    add_wing(&h, -1, 1, 2, 0);
    EXPECT_EQ(HIDDEN, rule(&h, 0, leaning(10)));
}

#if KINEMATIC_DIM == 3
UTEST(weld, t_junctions)
{
    float y;
    for (y = -1; y <= 0; y++) {
        int  counts = y < 0 ? SEEN : HIDDEN;
        heap h;
        h.count = 0;
        add_wing(&h, -2, 2, -2, y);
        add_wing(&h, -2, 1, 2, y);
        EXPECT_EQ(SEEN, rule(&h, 0, leaning(10)));   /* a part of it */
        EXPECT_EQ(counts, rule(&h, 1, leaning(-10)));
        add_wing(&h, 1, 2, 2, y);
        EXPECT_EQ(SEEN, rule(&h, 0, leaning(10)));   /* two parts: the longer side stays open */
        EXPECT_EQ(counts, rule(&h, 1, leaning(-10)));
        EXPECT_EQ(counts, rule(&h, 2, leaning(-10)));
        EXPECT_EQ(HIDDEN, rule(&h, 1, leaning(-40)));
        EXPECT_EQ(HIDDEN, rule(&h, 2, leaning(-40)));
    }
}

UTEST(weld, t_junction_of_two_planes)
{
    heap h;
    h.count = 0;
    add_wing(&h, -2, 2, -2, 0);
    add_wing(&h, -2, 0, 2, -1);
    add_wing(&h, 0, 2, 2, 1);
    EXPECT_EQ(SEEN, rule(&h, 0, leaning(10)));
    EXPECT_EQ(SEEN, rule(&h, 1, leaning(10)));
    EXPECT_EQ(HIDDEN, rule(&h, 2, leaning(-30)));
}

/* Six faces around the origin, whose outer corners are at height y. */
static void add_fan(heap *h, float y, int faces)
{
    int i;
    for (i = 0; i < faces; i++) {
        float s, c, t, d;
        kini_sine((float)i * KINI_PI / 3, &s, &c);
        kini_sine((float)((i + 1) % 6) * KINI_PI / 3, &t, &d);
        add_face(h, point(0, 0, 0), point(c, y, s), point(d, y, t));
    }
}

UTEST(weld, corners)
{
    kin_vec away = kini_unit(point(-0.4f, 1, -0.2f));   /* from the first face */
    heap    h;
    h.count = 0;
    add_fan(&h, -0.5f, 6);
    EXPECT_EQ(SEEN, rule(&h, 0, point(0, 1, 0)));
    EXPECT_EQ(SEEN, rule(&h, 0, kini_unit(point(-0.2f, 1, -0.1f))));
    EXPECT_EQ(SEEN, rule(&h, 0, kini_unit(point(-0.9f, 1, -0.5f))));   /* only faces beyond its neighbours hide it */
    h.count = 0;
    add_fan(&h, 0, 6);
    EXPECT_EQ(HIDDEN, rule(&h, 0, away));
    h.count = 0;
    add_fan(&h, 0, 5);
    EXPECT_EQ(SEEN, rule(&h, 0, kini_unit(point(-0.6f, 1, -0.4f))));
}
#endif

UTEST_MAIN()
