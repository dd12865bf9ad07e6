/* SPDX-License-Identifier: MIT OR Unlicense

   The general narrow phase in space, case by case: closest points of simplices, faces that must give exact normals, rays
   that start, graze and miss, the bundle of ways out, and shapes at the limits of size. Random pairs against a slow
   method are in test_narrow_brute3.c. */
#define KINEMATIC_IMPLEMENTATION
#include "kinematic.h"
#include "utest.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

UTEST_MAIN()

#if KINEMATIC_DIM == 3

#ifndef TEST_SHARE
#define TEST_SHARE 1
#endif

static uint32_t chance_state = 1;

static float between(float lo, float hi)
{
    chance_state ^= chance_state << 13;
    chance_state ^= chance_state >> 17;
    chance_state ^= chance_state << 5;
    return lo + (hi - lo) * (float)(chance_state >> 8) / 16777216.0f;
}

static kin_vec random_vec(float size)
{
    kin_vec r;   /* one number after the other: compilers differ in the order of arguments */
    r.x = between(-size, size); r.y = between(-size, size); r.z = between(-size, size);
    return r;
}
static kin_rot random_turn(void) { return kin_turn(kini_add(random_vec(1), kin_v(0, 0, 2)), between(-3, 3)); }
static bool    near_to(float a, float b, float slack) { return kini_abs(a - b) <= slack; }
static bool    points_to(kin_vec a, kin_vec b) { return kini_len(kini_sub(a, b)) < 1e-5f; }
static bool    same(kin_vec a, kin_vec b) { return kini_equal(a.x, b.x) && kini_equal(a.y, b.y) && kini_equal(a.z, b.z); }

/* A piece and a body as one obstacle, always by the general case. */
typedef struct pair {
    kini_solid    piece, body;
    kini_hull     piece_hull, body_hull;
    kin_vec       corners[3];
    kini_sum      room;
    kini_obstacle obstacle;
} pair;

static void join(pair *p, kin_pose at, kin_rot body_turn)
{
    kini_sum_make(&p->room, &p->piece, at.q, &p->body, body_turn, &p->obstacle);
    p->obstacle.centre = kini_add(at.p, p->obstacle.centre);
}

static bool take_shapes(pair *p, kin_shape piece, kin_shape body)
{
    return !kini_shape_solid(&piece, &p->piece, &p->piece_hull) && !kini_shape_solid(&body, &p->body, &p->body_hull);
}

/* A triangle of a mesh: corners and no hull. */
static bool take_triangle(pair *p, kin_vec a, kin_vec b, kin_vec c, kin_shape body)
{
    kin_vec lo = kini_lower(a, kini_lower(b, c)), hi = kini_upper(a, kini_upper(b, c));
    kini_clear(&p->piece, sizeof p->piece);
    p->corners[0] = a; p->corners[1] = b; p->corners[2] = c;
    p->piece.centre = kini_scale(kini_add(lo, hi), 0.5f);
    p->piece.half = kini_scale(kini_sub(hi, lo), 0.5f);
    p->piece.count = 3;
    p->piece.points = p->corners;
    return !kini_shape_solid(&body, &p->body, &p->body_hull);
}

static bool floor_triangle(pair *p, kin_shape body)
{
    bool ok = take_triangle(p, kin_v(-4, 1, -3), kin_v(5, 1, -2), kin_v(0, 1, 6), body);
    join(p, kini_pose(kini_vec_zero(), kini_unturned()), kini_unturned());
    return ok;
}

/* ---- simplices -------------------------------------------------------------------------------------------------------- */

static kin_vec closest(int count, kin_vec a, kin_vec b, kin_vec c, kin_vec d, int *left)
{
    kini_simplex simplex;
    kin_vec      p;
    simplex.points[0] = kini_big_of(a); simplex.points[1] = kini_big_of(b);
    simplex.points[2] = kini_big_of(c); simplex.points[3] = kini_big_of(d);
    simplex.count = count;
    p = kini_small(kini_simplex_closest(&simplex));
    *left = simplex.count;
    return p;
}

UTEST(simplex3, point_and_segment)
{
    kin_vec o = kini_vec_zero();
    int     left;
    ASSERT_TRUE(points_to(closest(1, kin_v(1, 2, 3), o, o, o, &left), kin_v(1, 2, 3)));
    ASSERT_EQ(left, 1);
    ASSERT_TRUE(points_to(closest(2, kin_v(-1, 2, 0), kin_v(3, 2, 0), o, o, &left), kin_v(0, 2, 0)));
    ASSERT_EQ(left, 2);
    ASSERT_TRUE(points_to(closest(2, kin_v(1, 2, 0), kin_v(3, 2, 0), o, o, &left), kin_v(1, 2, 0)));
    ASSERT_EQ(left, 1);
    ASSERT_TRUE(points_to(closest(2, kin_v(-4, 2, 0), kin_v(-3, 2, 0), o, o, &left), kin_v(-3, 2, 0)));
    ASSERT_EQ(left, 1);
    ASSERT_TRUE(points_to(closest(2, kin_v(1, 1, 1), kin_v(1, 1, 1), o, o, &left), kin_v(1, 1, 1)));
    ASSERT_EQ(left, 1);
}

UTEST(simplex3, triangle_by_regions)
{
    kin_vec o = kini_vec_zero(), a = kin_v(-1, 2, -1), b = kin_v(1, 2, -1), c = kin_v(0, 2, 2), shift;
    int     left;
    ASSERT_TRUE(points_to(closest(3, a, b, c, o, &left), kin_v(0, 2, 0)));
    ASSERT_EQ(left, 3);
    shift = kin_v(0, 0, 3);   /* beyond the side ab */
    ASSERT_TRUE(points_to(closest(3, kini_add(a, shift), kini_add(b, shift), kini_add(c, shift), o, &left), kin_v(0, 2, 2)));
    ASSERT_EQ(left, 2);
    shift = kin_v(4, 0, 5);   /* beyond the corner a */
    ASSERT_TRUE(points_to(closest(3, kini_add(a, shift), kini_add(b, shift), kini_add(c, shift), o, &left), kin_v(3, 2, 4)));
    ASSERT_EQ(left, 1);
    /* three points in a row, and two that are one */
    ASSERT_TRUE(points_to(closest(3, kin_v(-1, 1, 0), kin_v(0.5f, 1, 0), kin_v(4, 1, 0), o, &left), kin_v(0, 1, 0)));
    ASSERT_EQ(left, 2);
    ASSERT_TRUE(points_to(closest(3, kin_v(-1, 1, 0), kin_v(4, 1, 0), kin_v(4, 1, 0), o, &left), kin_v(0, 1, 0)));
    ASSERT_EQ(left, 2);
}

UTEST(simplex3, tetrahedron)
{
    kin_vec a = kin_v(-1, -1, -1), b = kin_v(3, -1, -1), c = kin_v(-1, -1, 3), d = kin_v(-1, 3, -1), shift;
    int     left;
    closest(4, a, b, c, d, &left);
    ASSERT_EQ(left, 4);
    shift = kin_v(0.5f, 2, 0.5f);   /* below the side abc */
    ASSERT_TRUE(points_to(closest(4, kini_add(a, shift), kini_add(b, shift), kini_add(c, shift), kini_add(d, shift), &left), kin_v(0, 1, 0)));
    ASSERT_EQ(left, 3);
    shift = kin_v(2, 2, 0.5f);      /* beside the edge ac */
    ASSERT_TRUE(points_to(closest(4, kini_add(a, shift), kini_add(b, shift), kini_add(c, shift), kini_add(d, shift), &left), kin_v(1, 1, 0)));
    ASSERT_EQ(left, 2);
    /* flat: encloses nothing */
    ASSERT_TRUE(points_to(closest(4, kin_v(-1, 1, -1), kin_v(2, 1, -1), kin_v(-1, 1, 2), kin_v(2, 1, 2), &left), kin_v(0, 1, 0)));
    ASSERT_LE(left, 3);
}

/* ---- distance --------------------------------------------------------------------------------------------------------- */

UTEST(polytope3, a_face_gives_its_exact_normal)
{
    pair    p;
    kin_vec normal;
    float   gap;
    ASSERT_TRUE(floor_triangle(&p, kin_capsule(1.8f, 0.4f)));
    gap = kini_sum_gap(&p.obstacle, kin_v(0.3f, 1.902f, 0.7f), &normal);
    ASSERT_TRUE(near_to(gap, 0.002f, 1e-6f));
    ASSERT_TRUE(same(normal, kin_v(0, 1, 0)));
    gap = kini_sum_gap(&p.obstacle, kin_v(0.3f, -0.5f, 0.7f), &normal);   /* solid from both sides */
    ASSERT_TRUE(near_to(gap, 0.6f, 1e-6f));
    ASSERT_TRUE(same(normal, kin_v(0, -1, 0)));
}

UTEST(polytope3, faces_of_a_turned_box)
{
    int round;
    for (round = 0; round < 2000; round++) {
        pair    p;
        kin_rot q = random_turn();
        kin_vec place = random_vec(3), face = kini_rotate(q, kin_v(0, 1, 0)), normal;
        float   gap, away = between(0.0001f, 2);
        ASSERT_TRUE(take_shapes(&p, kin_box(kin_v(2, 1, 3)), kin_ball(0.5f)));
        join(&p, kini_pose(place, q), kini_unturned());
        gap = kini_sum_gap(&p.obstacle, kini_add(place, kini_rotate(q, kin_v(between(-0.9f, 0.9f), 1 + away, between(-1.4f, 1.4f)))), &normal);
        ASSERT_TRUE(near_to(gap, away, 3e-6f));
        ASSERT_TRUE(kini_len(kini_sub(normal, face)) < 1e-6f);
    }
}

UTEST(polytope3, edge_and_corner_of_a_turned_box)
{
    int round;
    for (round = 0; round < 2000; round++) {
        pair    p;
        kin_rot q = random_turn();
        kin_vec normal, out = kin_v(between(0.1f, 1), between(0.1f, 1), between(0.1f, 1)), edge = out, n;
        float   gap;
        edge.z = 0;
        ASSERT_TRUE(take_shapes(&p, kin_box(kin_v(2, 1, 3)), kin_ball(0.25f)));
        join(&p, kini_pose(kini_vec_zero(), q), kini_unturned());
        gap = kini_sum_gap(&p.obstacle, kini_rotate(q, kini_add(kin_v(1, 0.5f, between(-1.4f, 1.4f)), edge)), &normal);
        n = kini_rotate(q, kini_unit(edge));
        ASSERT_TRUE(near_to(gap, kini_len(edge) - 0.25f, 2e-6f));
        ASSERT_TRUE(points_to(normal, n));
        gap = kini_sum_gap(&p.obstacle, kini_rotate(q, kini_add(kin_v(1, 0.5f, 1.5f), out)), &normal);
        n = kini_rotate(q, kini_unit(out));
        ASSERT_TRUE(near_to(gap, kini_len(out) - 0.25f, 2e-6f));
        ASSERT_TRUE(points_to(normal, n));
    }
}

UTEST(polytope3, wall_triangle_along_a_capsule)
{
    /* Upright capsule and upright triangle: together they are flat. */
    pair    p;
    kin_vec normal;
    float   gap;
    ASSERT_TRUE(take_triangle(&p, kin_v(2, 0, -1), kin_v(2, 0, 1), kin_v(2, 3, 0), kin_capsule(1.8f, 0.4f)));
    join(&p, kini_pose(kini_vec_zero(), kini_unturned()), kini_unturned());
    gap = kini_sum_gap(&p.obstacle, kin_v(1.5f, 1, 0), &normal);
    ASSERT_TRUE(near_to(gap, 0.1f, 1e-6f));
    ASSERT_TRUE(same(normal, kin_v(-1, 0, 0)));
    gap = kini_sum_gap(&p.obstacle, kin_v(2, -2, 0), &normal);   /* in the plane, below the lower side */
    ASSERT_TRUE(near_to(gap, 2 - 0.5f - 0.4f, 2e-6f));
    ASSERT_TRUE(points_to(normal, kin_v(0, -1, 0)));
    gap = kini_sum_gap(&p.obstacle, kin_v(2, 5, 0), &normal);    /* above the tip */
    ASSERT_TRUE(near_to(gap, 2 - 0.5f - 0.4f, 2e-6f));
    ASSERT_TRUE(points_to(normal, kin_v(0, 1, 0)));
}

UTEST(polytope3, inside_is_minus_the_shortest_way_out)
{
    pair    p;
    kin_vec normal;
    float   gap;
    ASSERT_TRUE(take_shapes(&p, kin_box(kin_v(2, 1, 3)), kin_capsule(2, 0.5f)));
    join(&p, kini_pose(kini_vec_zero(), kin_turn(kin_v(0, 1, 0), 0.5f)), kini_unturned());
    gap = kini_sum_gap(&p.obstacle, kin_v(0, 0.9f, 0), &normal);
    ASSERT_TRUE(near_to(gap, -0.6f, 1e-6f));
    ASSERT_TRUE(points_to(normal, kin_v(0, 1, 0)));
}

UTEST(polytope3, ball_at_the_heart_of_a_flat_or_straight_core)
{
    pair    p;
    kin_vec normal, middle = kin_v(0.2f, 1, 0.3f);
    ASSERT_TRUE(floor_triangle(&p, kin_ball(0.5f)));
    ASSERT_TRUE(near_to(kini_sum_gap(&p.obstacle, middle, &normal), -0.5f, 1e-6f));
    ASSERT_TRUE(same(normal, kin_v(0, 1, 0)));   /* of two ways equally long, the one up */
    ASSERT_TRUE(take_triangle(&p, kin_v(0, 0, 0), kin_v(1, 1, 1), kin_v(2, 2, 2), kin_ball(0.5f)));
    join(&p, kini_pose(kini_vec_zero(), kini_unturned()), kini_unturned());
    ASSERT_TRUE(near_to(kini_sum_gap(&p.obstacle, kin_v(1, 1, 1), &normal), -0.5f, 1e-6f));
    ASSERT_TRUE(near_to(kini_len(normal), 1, 1e-6f));
    ASSERT_TRUE(near_to(kini_dot(normal, kin_v(1, 1, 1)), 0, 1e-6f));
    ASSERT_TRUE(take_shapes(&p, kin_ball(1), kin_ball(0.5f)));
    join(&p, kini_pose(kini_vec_zero(), kini_unturned()), kini_unturned());
    ASSERT_TRUE(near_to(kini_sum_gap(&p.obstacle, kini_vec_zero(), &normal), -1.5f, 1e-6f));
    ASSERT_TRUE(near_to(kini_len(normal), 1, 1e-6f));
}

/* ---- rays ---------------------------------------------------------------------------------------------------------------- */

UTEST(polytope3, ray_onto_a_face_is_exact)
{
    pair    p;
    kin_vec normal;
    float   t;
    ASSERT_TRUE(floor_triangle(&p, kin_capsule(1.8f, 0.4f)));
    ASSERT_TRUE(kini_sum_ray(&p.obstacle, kin_v(0, 3.9f, 0), kin_v(0, -4, 0), &t, &normal));
    ASSERT_TRUE(near_to(t, 0.5f, 1e-6f));
    ASSERT_TRUE(same(normal, kin_v(0, 1, 0)));
    ASSERT_TRUE(kini_sum_ray(&p.obstacle, kin_v(0, -1.9f, 0), kin_v(0.1f, 4, 0.1f), &t, &normal));   /* from below */
    ASSERT_TRUE(near_to(t, 0.5f, 1e-6f));
    ASSERT_TRUE(same(normal, kin_v(0, -1, 0)));
    ASSERT_FALSE(kini_sum_ray(&p.obstacle, kin_v(0, 3.9f, 0), kin_v(0, -1.99f, 0), &t, &normal));    /* too short */
    ASSERT_FALSE(kini_sum_ray(&p.obstacle, kin_v(0, 3.9f, 0), kin_v(0, 4, 0), &t, &normal));         /* away */
    ASSERT_FALSE(kini_sum_ray(&p.obstacle, kin_v(9, 3.9f, 0), kin_v(0, -4, 0), &t, &normal));        /* past it */
}

UTEST(polytope3, ray_from_the_surface_and_from_inside)
{
    pair    p;
    kin_vec normal, on = kin_v(0, 2, 0);
    float   t = 9;
    ASSERT_TRUE(floor_triangle(&p, kin_box(kin_v(1, 2, 1))));
    ASSERT_FALSE(kini_sum_ray(&p.obstacle, on, kin_v(1, 0, 0), &t, &normal));      /* along */
    ASSERT_FALSE(kini_sum_ray(&p.obstacle, on, kin_v(0, 1, 0), &t, &normal));      /* away */
    ASSERT_FALSE(kini_sum_ray(&p.obstacle, on, kini_vec_zero(), &t, &normal));
    ASSERT_TRUE(kini_sum_ray(&p.obstacle, on, kin_v(1, -0.01f, 0), &t, &normal));  /* in */
    ASSERT_TRUE(kini_equal(t, 0));
    ASSERT_TRUE(same(normal, kin_v(0, 1, 0)));
    ASSERT_TRUE(kini_sum_ray(&p.obstacle, kin_v(0, 1.9f, 0), kin_v(0, 1, 0), &t, &normal));   /* inside, even going out */
    ASSERT_TRUE(kini_equal(t, 0));
    ASSERT_TRUE(same(normal, kin_v(0, 1, 0)));
    ASSERT_TRUE(kini_sum_ray(&p.obstacle, kin_v(0, 1.9f, 0), kini_vec_zero(), &t, &normal));
    ASSERT_TRUE(kini_equal(t, 0));
}

UTEST(polytope3, rounded_ray_from_the_surface_and_from_inside)
{
    pair    p;
    kin_vec normal, on = kin_v(0, 1.9f, 0);
    float   t = 9;
    ASSERT_TRUE(floor_triangle(&p, kin_capsule(1.8f, 0.4f)));
    ASSERT_FALSE(kini_sum_ray(&p.obstacle, on, kin_v(1, 0, 0), &t, &normal));
    ASSERT_FALSE(kini_sum_ray(&p.obstacle, on, kin_v(0, 1, 0), &t, &normal));
    ASSERT_TRUE(kini_sum_ray(&p.obstacle, on, kin_v(1, -0.01f, 0), &t, &normal));
    ASSERT_TRUE(near_to(t, 0, 1e-4f));
    ASSERT_TRUE(kini_sum_ray(&p.obstacle, kin_v(0, 1.8f, 0), kin_v(0, 1, 0), &t, &normal));
    ASSERT_TRUE(kini_equal(t, 0));
    ASSERT_TRUE(same(normal, kin_v(0, 1, 0)));
}

/* A ball passes the edge of a turned box at a distance: it hits if that is less than its radius, where a circle says. */
UTEST(polytope3, ray_past_a_rounded_edge)
{
    int round, i;
    for (round = 0; round < 500; round++)
        for (i = 0; i < 40; i++) {
            pair    p;
            kin_rot q = random_turn();
            float   off = 0.5f + (float)i / 40, t = 0, reach = 0.5f + between(0.2f, 0.4f), along = between(-1, 1);
            kin_vec normal, from = kini_rotate(q, kin_v(-5, off, along)), travel = kini_rotate(q, kin_v(10, 0, 0));
            double  rise = (double)off - 0.5, r = (double)reach - 0.5, want = (4.0 - sqrt(r * r - rise * rise)) / 10;
            bool    hit;
            ASSERT_TRUE(take_shapes(&p, kin_box(kin_v(2, 1, 3)), kin_ball(reach - 0.5f)));
            join(&p, kini_pose(kini_vec_zero(), q), kini_unturned());
            hit = kini_sum_ray(&p.obstacle, from, travel, &t, &normal);
            if (fabs(rise - r) < 1e-5) continue;
            ASSERT_EQ(hit, rise < r);
            if (!hit) continue;
            ASSERT_TRUE(fabs((double)t - want) * sqrt(r * r - rise * rise) < 1e-6);
            ASSERT_TRUE(near_to(kini_dot(normal, kini_rotate(q, kin_v(0, 1, 0))), (float)(rise / r), 1e-3f));
        }
}

UTEST(polytope3, what_was_asked_first_does_not_matter)
{
    int round;
    for (round = 0; round < 5000; round++) {
        pair    p;
        kin_vec x = random_vec(3), travel = random_vec(3), normal[2], other[2];
        float   t[2] = { 0, 0 }, gap[2];
        bool    hit[2];
        ASSERT_TRUE(take_triangle(&p, random_vec(2), random_vec(2), random_vec(2), kin_capsule(1.8f, 0.4f)));
        normal[0] = normal[1] = kini_vec_zero();
        join(&p, kini_pose(kini_vec_zero(), kini_unturned()), kini_unturned());
        hit[0] = kini_sum_ray(&p.obstacle, x, travel, &t[0], &normal[0]);
        gap[0] = kini_sum_gap(&p.obstacle, x, &other[0]);
        join(&p, kini_pose(kini_vec_zero(), kini_unturned()), kini_unturned());
        gap[1] = kini_sum_gap(&p.obstacle, x, &other[1]);
        hit[1] = kini_sum_ray(&p.obstacle, x, travel, &t[1], &normal[1]);
        ASSERT_EQ(hit[0], hit[1]);
        ASSERT_TRUE(kini_equal(gap[0], gap[1]) && same(other[0], other[1]));
        if (hit[0]) ASSERT_TRUE(kini_equal(t[0], t[1]) && same(normal[0], normal[1]));
    }
}

/* ---- ways out ---------------------------------------------------------------------------------------------------------- */

UTEST(polytope3, bundle_of_two_boxes)
{
    pair     p;
    kini_way ways[KINI_MAX_WAYS], few[4];
    kin_vec  normal, x = kin_v(0.3f, 0.2f, 0.1f);
    int      i, k;
    ASSERT_TRUE(take_shapes(&p, kin_box(kin_v(2, 1, 3)), kin_box(kin_v(1, 1.5f, 1))));
    join(&p, kini_pose(kini_vec_zero(), kin_turn(kin_v(1, 2, 3), 0.7f)), kini_unturned());
    /* three faces of each box and nine pairs of edges, both ways */
    ASSERT_EQ(kini_sum_ways(&p.obstacle, x, ways, KINI_MAX_WAYS), 30);
    ASSERT_TRUE(near_to(ways[0].length, -kini_sum_gap(&p.obstacle, x, &normal), 1e-6f));
    ASSERT_TRUE(same(ways[0].axis, normal));
    for (i = 1; i < 30; i++) ASSERT_TRUE(ways[i].length >= ways[i - 1].length);
    for (i = 0; i < 6; i++) {
        kin_vec axis = kini_with(kini_vec_zero(), i % 3, i < 3 ? 1.0f : -1.0f);
        for (k = 0; k < 30 && !points_to(ways[k].axis, axis); k++) { }
        ASSERT_LT(k, 30);
    }
    ASSERT_EQ(kini_sum_ways(&p.obstacle, x, few, 4), 4);
    for (i = 0; i < 4; i++) ASSERT_TRUE(same(few[i].axis, ways[i].axis) && kini_equal(few[i].length, ways[i].length));
    ASSERT_EQ(kini_sum_ways(&p.obstacle, kin_v(9, 0, 0), ways, KINI_MAX_WAYS), 0);
    ASSERT_EQ(kini_sum_ways(&p.obstacle, x, few, 0), 0);
}

/* Boxes turned about one axis share it: nothing is listed twice. */
UTEST(polytope3, bundle_of_boxes_turned_about_up)
{
    pair     p;
    kini_way ways[KINI_MAX_WAYS];
    ASSERT_TRUE(take_shapes(&p, kin_box(kin_v(2, 1, 3)), kin_box(kin_v(1, 1.5f, 1))));
    join(&p, kini_pose(kini_vec_zero(), kin_turn(kin_v(0, 1, 0), 0.7f)), kini_unturned());
    ASSERT_EQ(kini_sum_ways(&p.obstacle, kin_v(0.1f, 0.2f, 0.3f), ways, KINI_MAX_WAYS), 10);
}

UTEST(polytope3, bundle_in_the_rounding_begins_with_the_radial_way)
{
    pair     p;
    kini_way ways[KINI_MAX_WAYS];
    kin_vec  normal, x = kin_v(0.3f, 1.1f, -2.9f);   /* beside the edge of the floor triangle, within the radius */
    float    gap;
    ASSERT_TRUE(floor_triangle(&p, kin_ball(0.5f)));
    gap = kini_sum_gap(&p.obstacle, x, &normal);
    ASSERT_TRUE(gap < 0);
    ASSERT_TRUE(kini_sum_ways(&p.obstacle, x, ways, KINI_MAX_WAYS) >= 5);
    ASSERT_TRUE(kini_equal(ways[0].length, -gap));
    ASSERT_TRUE(same(ways[0].axis, normal));
    ASSERT_TRUE(ways[1].length > ways[0].length);
}

UTEST(polytope3, bundle_of_large_hulls)
{
    int round, i;
    for (round = 0; round < 60 / TEST_SHARE + 3; round++) {
        pair     p;
        kin_vec  points[32], normal, x = random_vec(0.3f);
        kini_way ways[KINI_MAX_WAYS];
        int      count;
        float    gap;
        kin_shape shapes[2];
        for (count = 0; count < 2; count++) {
            for (i = 0; i < 32; i++) points[i] = kini_unit(random_vec(1));
            shapes[count] = kin_hull(points, 32, 0);
        }
        ASSERT_TRUE(take_shapes(&p, shapes[0], shapes[1]));
        join(&p, kini_pose(kini_vec_zero(), random_turn()), random_turn());
        gap = kini_sum_gap(&p.obstacle, x, &normal);
        count = kini_sum_ways(&p.obstacle, x, ways, KINI_MAX_WAYS);
        ASSERT_TRUE(gap < -1);
        ASSERT_GT(count, 30);
        ASSERT_TRUE(kini_equal(ways[0].length, -gap));
        for (i = 0; i < count; i++) {
            kin_vec other;
            ASSERT_TRUE(kini_sum_gap(&p.obstacle, kini_madd(x, ways[i].axis, ways[i].length), &other) > -1e-5f);
        }
    }
}

/* ---- limits of size ---------------------------------------------------------------------------------------------------- */

static kin_vec times(kin_vec a, kin_vec b) { return kin_v(a.x * b.x, a.y * b.y, a.z * b.z); }

UTEST(polytope3, largest_and_smallest_shapes)
{
    static const float sizes[] = { 2e-6f, 1e-4f, 1, 1e4f, 3e6f };
    int a, b, round;
    for (a = 0; a < 5; a++)
        for (b = 0; b < 5; b++)
            for (round = 0; round < 400; round++) {
                pair     p;
                kin_vec  u = kini_all(sizes[a]), normal, hit_normal;
                kin_vec  x = random_vec((sizes[a] + sizes[b]) * between(0, 3)), v = random_vec((sizes[a] + sizes[b]) * between(0, 3));
                float    gap, t = 0;
                kini_way ways[KINI_MAX_WAYS];
                int      i, count;
                if (round & 1) ASSERT_TRUE(take_triangle(&p, times(random_vec(1), u), times(random_vec(1), u), times(random_vec(1), u), kin_box(kini_all(sizes[b]))));
                else ASSERT_TRUE(take_shapes(&p, kin_box(u), round & 2 ? kin_box(kini_all(sizes[b])) : kin_capsule(sizes[b] * 3, sizes[b])));
                join(&p, kini_pose(kini_vec_zero(), random_turn()), random_turn());
                gap = kini_sum_gap(&p.obstacle, x, &normal);
                ASSERT_TRUE(kini_finite(gap) && near_to(kini_len(normal), 1, 1e-5f));
                if (kini_sum_ray(&p.obstacle, x, v, &t, &hit_normal)) ASSERT_TRUE(t >= 0 && t <= 1 && near_to(kini_len(hit_normal), 1, 1e-5f));
                count = kini_sum_ways(&p.obstacle, x, ways, KINI_MAX_WAYS);
                ASSERT_EQ(count > 0, gap < 0);
                for (i = 0; i < count; i++) ASSERT_TRUE(kini_finite(ways[i].length) && near_to(kini_len(ways[i].axis), 1, 1e-5f));
            }
}

#else

UTEST(polytope3, only_in_space) { ASSERT_EQ(KINEMATIC_DIM, 2); }

#endif
