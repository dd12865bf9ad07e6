/* SPDX-License-Identifier: MIT OR Unlicense

   test_draw.c: what kin_debug_draw draws: outlines where the things are, coloured by what they are, and every cell and
   face of a level. */
#define KINEMATIC_IMPLEMENTATION
#include "kinematic.h"
#include "worlds.h"

UTEST_MAIN()

#define STATIC_GREY 0xA0A0A0FFu
#define BOUNDS_GREY 0x80808040u

enum { MOST_LINES = 4000 };
typedef struct picture {
    struct { kin_vec from, to; uint32_t rgba; } lines[MOST_LINES];
    int line_count, point_count;
} picture;

static void keep_line(kin_vec from, kin_vec to, uint32_t rgba, void *user)
{
    picture *p = (picture *)user;
    if (p->line_count == MOST_LINES) return;
    p->lines[p->line_count].from = from;
    p->lines[p->line_count].to = to;
    p->lines[p->line_count++].rgba = rgba;
}

static void keep_point(kin_vec where, uint32_t rgba, void *user)
{
    (void)where, (void)rgba;
    ((picture *)user)->point_count++;
}

static const picture *draw(const kin_world *world)
{
    static picture p;
    kin_draw       how;
    p.line_count = p.point_count = 0;
    how.line = keep_line;
    how.point = keep_point;
    how.user = &p;
    kin_debug_draw(world, &how);
    return &p;
}

static int count_colour(const picture *p, uint32_t rgba)
{
    int i, count = 0;
    for (i = 0; i < p->line_count; i++) count += p->lines[i].rgba == rgba;
    return count;
}

/* The smallest box around all lines of a colour. */
static void extent(const picture *p, uint32_t rgba, kin_vec *lo, kin_vec *hi)
{
    int i;
    *lo = kini_all(1e9f);
    *hi = kini_all(-1e9f);
    for (i = 0; i < p->line_count; i++) {
        if (p->lines[i].rgba != rgba) continue;
        *lo = kini_lower(*lo, kini_lower(p->lines[i].from, p->lines[i].to));
        *hi = kini_upper(*hi, kini_upper(p->lines[i].from, p->lines[i].to));
    }
}

UTEST(draw, a_box_is_drawn_by_its_edges)
{
    test_log   log;
    kin_world *world = quiet_world(&log);
    kin_vec    lo, hi;
    add_static(world, kin_box(size(4, 2)), at(5, 3));
    EXPECT_EQ(KINEMATIC_DIM == 2 ? 4 : 12, count_colour(draw(world), STATIC_GREY));
    extent(draw(world), STATIC_GREY, &lo, &hi);
    EXPECT_TRUE(near_to(kini_sub(at(5, 3), kini_scale(size(4, 2), 0.5f)), lo, 1e-5f));
    EXPECT_TRUE(near_to(kini_add(at(5, 3), kini_scale(size(4, 2), 0.5f)), hi, 1e-5f));
    EXPECT_TRUE(count_colour(draw(world), BOUNDS_GREY) > 0);
    kin_world_destroy(world);
}

UTEST(draw, a_turned_box_is_drawn_turned)
{
    test_log        log;
    kin_world      *world = quiet_world(&log);
    kin_static_desc desc = static_desc(kin_box(size(4, 2)), at(0, 0));
    kin_vec         lo, hi;
    desc.rotation = turned(1.57079633f);
    kin_add_static(world, &desc);
    extent(draw(world), STATIC_GREY, &lo, &hi);
    EXPECT_TRUE(fabsf(lo.x + 1) < 1e-5f && fabsf(hi.x - 1) < 1e-5f && fabsf(lo.y + 2) < 1e-5f && fabsf(hi.y - 2) < 1e-5f);
    kin_world_destroy(world);
}

UTEST(draw, round_shapes_reach_their_radius_and_not_beyond)
{
    static const float heights[] = { 2, 3 };
    int                i;
    for (i = 0; i < 2; i++) {
        test_log   log;
        kin_world *world = quiet_world(&log);
        kin_vec    lo, hi;
        add_static(world, i == 0 ? kin_ball(1) : kin_capsule(3, 1), at(2, 0));
        extent(draw(world), STATIC_GREY, &lo, &hi);
        EXPECT_TRUE(lo.x >= 1 - 1e-4f && lo.x < 1.1f && hi.x <= 3 + 1e-4f && hi.x > 2.9f);
        EXPECT_TRUE(fabsf(hi.y - heights[i] / 2) < 0.1f && fabsf(lo.y + heights[i] / 2) < 0.1f);
        kin_world_destroy(world);
    }
}

static uint32_t colour_of_body(kin_push push, bool sensor, bool disabled)
{
    test_log       log;
    kin_world     *world = quiet_world(&log);
    kin_body_desc  desc = body_desc(kin_ball(1), at(0, 0));
    const picture *p;
    int            i;
    uint32_t       colour = 0;
    desc.push = push;
    desc.sensor = sensor;
    desc.disabled = disabled;
    kin_add_body(world, &desc);
    p = draw(world);
    for (i = 0; i < p->line_count; i++)
        if (p->lines[i].rgba != BOUNDS_GREY) colour = p->lines[i].rgba;
    kin_world_destroy(world);
    return colour;
}

UTEST(draw, each_kind_has_its_colour)
{
    EXPECT_EQ(0xFFB040FFu, colour_of_body(KIN_PUSHABLE, false, false));
    EXPECT_EQ(0x60D060FFu, colour_of_body(KIN_UNPUSHABLE, false, false));
    EXPECT_EQ(0xC080FFFFu, colour_of_body(KIN_INTANGIBLE, false, false));
    EXPECT_EQ(0xE0E040A0u, colour_of_body(KIN_PUSHABLE, true, false));
    EXPECT_EQ(0x60606080u, colour_of_body(KIN_PUSHABLE, false, true));
}

UTEST(draw, tiles_are_drawn_where_there_is_something)
{
    static const uint8_t cells[12] = { 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 };
    test_log       log;
    kin_world     *world = quiet_world(&log);
    kin_tiles_desc desc;
    kin_vec        lo, hi;
    memset(&desc, 0, sizeof desc);
    desc.size = kini_cell_with(kini_cell_with(desc.size, 0, 3), 1, 2);
    if (KINEMATIC_DIM == 3) desc.size = kini_cell_with(desc.size, KINEMATIC_DIM - 1, 2);
    desc.cells = cells;
    desc.origin = at(10, 0);
    kin_add_tiles(world, &desc);
    extent(draw(world), STATIC_GREY, &lo, &hi);
    EXPECT_TRUE(near_to(at(11, 0), lo, 1e-5f));
    EXPECT_TRUE(near_to(kini_add(at(11, 0), kini_all(1)), hi, 1e-5f));
    kin_world_destroy(world);
}

UTEST(draw, a_mesh_is_drawn_face_by_face)
{
    test_log      log;
    kin_world    *world = quiet_world(&log);
    kin_vec       points[4], lo, hi;
    int           indices[6] = { 0, 1, 2, 1, 2, 3 };
    kin_mesh_desc desc;
    memset(&desc, 0, sizeof desc);
    points[0] = at(0, 0);
    points[1] = at(4, 1);
    points[2] = at(8, 0);
    points[3] = at(9, 3);
    desc.points = points;
    desc.point_count = 4;
    desc.indices = indices;
    desc.index_count = 6;
    desc.position = at(1, 0);
    ASSERT_TRUE(kin_add_mesh(world, &desc).slot != 0);
    EXPECT_TRUE(count_colour(draw(world), STATIC_GREY) >= 3);
    extent(draw(world), STATIC_GREY, &lo, &hi);
    EXPECT_TRUE(near_to(at(1, 0), lo, 1e-5f));
    EXPECT_TRUE(near_to(at(10, 3), hi, 1e-5f));
    kin_world_destroy(world);
}

/* Ground, contacts, velocities and one-way directions of a small scene; either function may be missing. */
UTEST(draw, a_scene_and_missing_functions)
{
    test_log        log;
    kin_world      *world = quiet_world(&log);
    kin_mover_desc  lift = mover_desc(kin_box(size(4, 1)), at(0, -0.5f));
    kin_static_desc shelf = static_desc(kin_box(size(2, 0.5f)), at(5, 0));
    kin_draw        how;
    uint64_t        hash;
    int             i;
    lift.velocity = at(0, 1);
    shelf.one_way = at(0, 1);
    shelf.surface_velocity = at(1, 0);
    kin_add_mover(world, &lift);
    kin_add_static(world, &shelf);
    add_body(world, kin_box(size(1, 1)), at(0, 0.51f));
    for (i = 0; i < 8; i++) kin_world_step(world, 1.0f / 64);
    hash = kin_world_hash(world);
    EXPECT_TRUE(count_colour(draw(world), 0x50A0FFFFu) > 0);   /* the lift */
    EXPECT_TRUE(count_colour(draw(world), 0x40E0D0FFu) > 0);   /* one-way */
    EXPECT_TRUE(count_colour(draw(world), 0x40FF40FFu) > 0);   /* stable ground */
    EXPECT_TRUE(count_colour(draw(world), 0xFFFFFFFFu) > 0);   /* velocity */
    EXPECT_TRUE(draw(world)->point_count > 0);
    memset(&how, 0, sizeof how);
    kin_debug_draw(world, &how);
    EXPECT_TRUE(hash == kin_world_hash(world));
    EXPECT_EQ(0, log.lines);
    kin_world_destroy(world);
}
