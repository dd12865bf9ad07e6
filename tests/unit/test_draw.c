/* SPDX-License-Identifier: MIT OR Unlicense

   Debug drawing: what is drawn, where, and in which colour. The colours are those of the manual. */
#define KINEMATIC_IMPLEMENTATION
#include "kinematic.h"
#include "worlds.h"

UTEST_MAIN()

#define GREY 0xA0A0A0FFu
#define BLUE 0x50A0FFFFu
#define ORANGE 0xFFB040FFu
#define GREEN 0x60D060FFu
#define VIOLET 0xC080FFFFu
#define YELLOW 0xE0E040A0u
#define DARK 0x60606080u
#define FAINT 0x80808040u
#define TURQUOISE 0x40E0D0FFu
#define WHITE 0xFFFFFFFFu
#define RED 0xFF4040FFu
#define STABLE 0x40FF40FFu
#define STEEP 0xFF8000FFu

typedef struct mark { kin_vec from, to; uint32_t rgba; } mark;
typedef struct sheet { mark lines[4096], points[256]; int line_count, point_count; } sheet;

static void draw_line(kin_vec from, kin_vec to, uint32_t rgba, void *user)
{
    sheet *s = (sheet *)user;
    mark   m;
    m.from = from;
    m.to = to;
    m.rgba = rgba;
    if (s->line_count < 4096) s->lines[s->line_count++] = m;
}

static void draw_point(kin_vec place, uint32_t rgba, void *user)
{
    sheet *s = (sheet *)user;
    mark   m;
    m.from = m.to = place;
    m.rgba = rgba;
    if (s->point_count < 256) s->points[s->point_count++] = m;
}

static sheet *drawn(const kin_world *world)
{
    static sheet s;
    kin_draw     draw;
    s.line_count = s.point_count = 0;
    draw.line = draw_line;
    draw.point = draw_point;
    draw.user = &s;
    kin_debug_draw(world, &draw);
    return &s;
}

static int lines_of(const sheet *s, uint32_t rgba)
{
    int i, count = 0;
    for (i = 0; i < s->line_count; i++) count += s->lines[i].rgba == rgba;
    return count;
}

/* The first line of a colour. */
static mark line_of(const sheet *s, uint32_t rgba)
{
    mark none;
    int  i;
    memset(&none, 0, sizeof none);
    for (i = 0; i < s->line_count; i++)
        if (s->lines[i].rgba == rgba) return s->lines[i];
    return none;
}

static bool has_point(const sheet *s, kin_vec place, uint32_t rgba)
{
    int i;
    for (i = 0; i < s->point_count; i++)
        if (s->points[i].rgba == rgba && near_to(s->points[i].from, place, 0.02f)) return true;
    return false;
}

/* Are all ends of the lines of a colour in this box, and is each of its sides touched? */
static bool bounds_are(const sheet *s, uint32_t rgba, kin_vec lo, kin_vec hi, float tolerance)
{
    kin_vec least = at(1e9f, 1e9f), most = at(-1e9f, -1e9f);
    int     i;
    for (i = 0; i < s->line_count; i++)
        if (s->lines[i].rgba == rgba) {
            least = kini_lower(least, kini_lower(s->lines[i].from, s->lines[i].to));
            most = kini_upper(most, kini_upper(s->lines[i].from, s->lines[i].to));
        }
    return fabsf(least.x - lo.x) < tolerance && fabsf(least.y - lo.y) < tolerance && fabsf(most.x - hi.x) < tolerance &&
           fabsf(most.y - hi.y) < tolerance;
}

static kin_world *world_with_floor(void)
{
    kin_world_desc desc;
    kin_world     *world;
    memset(&desc, 0, sizeof desc);
    desc.gravity = at(0, -30);
    world = kin_world_create(&desc);
    add_static(world, kin_box(size(20, 1)), at(0, -0.5f));
    return world;
}

UTEST(draw, every_kind_has_its_colour_and_its_place)
{
    static const uint32_t colours[] = { ORANGE, GREEN, VIOLET };
    kin_world            *world = kin_world_create(NULL);
    kin_static_desc       fixed;
    kin_mover_desc        mover;
    kin_body_desc         body;
    sheet                *s;
    int                   i;
    memset(&fixed, 0, sizeof fixed);
    memset(&mover, 0, sizeof mover);
    memset(&body, 0, sizeof body);
    fixed.shape = kin_box(size(2, 1));
    fixed.position = at(10, 0);
    kin_add_static(world, &fixed);
    fixed.position = at(20, 0);
    fixed.sensor = true;
    kin_add_static(world, &fixed);
    fixed.position = at(30, 0);
    fixed.sensor = false;
    fixed.one_way = at(0, 1);
    kin_add_static(world, &fixed);
    fixed.position = at(40, 0);
    fixed.disabled = true;
    kin_add_static(world, &fixed);
    mover.shape = kin_box(size(2, 1));
    mover.position = at(50, 0);
    kin_add_mover(world, &mover);
    for (i = 0; i < 3; i++) {
        body.shape = i == 2 ? kin_ball(1) : kin_capsule(4, 1);
        body.position = at(60 + 10 * (float)i, 0);
        body.push = (kin_push)i;
        kin_add_body(world, &body);
    }
    s = drawn(world);
    EXPECT_TRUE(bounds_are(s, GREY, at(9, -0.5f), at(11, 0.5f), 1e-4f));
    EXPECT_TRUE(bounds_are(s, YELLOW, at(19, -0.5f), at(21, 0.5f), 1e-4f));
    EXPECT_TRUE(bounds_are(s, TURQUOISE, at(29, -0.5f), at(31, 0.5f), 1e-4f));
    EXPECT_TRUE(bounds_are(s, DARK, at(39, -0.5f), at(41, 0.5f), 1e-4f));
    EXPECT_TRUE(bounds_are(s, BLUE, at(49, -0.5f), at(51, 0.5f), 1e-4f));
    for (i = 0; i < 3; i++) {
        float tall = i == 2 ? 1.0f : 2.0f;
        EXPECT_TRUE(bounds_are(s, colours[i], at(59 + 10 * (float)i, -tall), at(61 + 10 * (float)i, tall), 0.03f));
    }
    kin_world_destroy(world);
}

UTEST(draw, contacts_have_normals_and_the_ground_a_line)
{
    kin_world *world = world_with_floor();
    sheet     *s;
    mark       contact, ground;
    add_body(world, kin_box(size(1, 1)), at(0, 0.5f));
    kin_world_step(world, 1.0f / 60);
    s = drawn(world);
    contact = line_of(s, RED);
    ground = line_of(s, STABLE);
    EXPECT_GT(lines_of(s, RED), 0);
    EXPECT_TRUE(fabsf(contact.from.y) < 0.02f && fabsf(contact.to.y - contact.from.y - 0.25f) < 1e-3f);
    EXPECT_TRUE(has_point(s, contact.from, RED));
    EXPECT_EQ(1, lines_of(s, STABLE));
    EXPECT_TRUE(near_to(kin_get_position(world, kin_next(world, KIN_BODY, nobody())), ground.from, 1e-6f));
    EXPECT_TRUE(fabsf(ground.to.y) < 0.02f);
    EXPECT_EQ(0, lines_of(s, STEEP));
    kin_world_destroy(world);
}

UTEST(draw, steep_ground_has_another_colour)
{
    kin_world      *world = kin_world_create(NULL);
    kin_static_desc slope;
    int             i, steep = 0;
    kin_world_set_gravity(world, at(0, -30));
    memset(&slope, 0, sizeof slope);
    slope.shape = kin_box(size(20, 1));
    slope.rotation = turned(1);
    kin_add_static(world, &slope);
    add_body(world, kin_ball(0.5f), at(0, 2));
    for (i = 0; i < 60; i++) {
        kin_world_step(world, 1.0f / 60);
        steep += lines_of(drawn(world), STEEP);
        EXPECT_EQ(0, lines_of(drawn(world), STABLE));
    }
    EXPECT_GT(steep, 0);
    kin_world_destroy(world);
}

UTEST(draw, velocities_lead_where_a_quarter_second_goes)
{
    kin_world *world = kin_world_create(NULL);
    kin_id     body = add_body(world, kin_ball(1), at(0, 0));
    mark       arrow;
    EXPECT_EQ(0, lines_of(drawn(world), WHITE));
    kin_set_velocity(world, body, at(8, 4));
    arrow = line_of(drawn(world), WHITE);
    EXPECT_TRUE(near_to(at(0, 0), arrow.from, 1e-6f) && near_to(at(2, 1), arrow.to, 1e-6f));
    EXPECT_TRUE(has_point(drawn(world), at(2, 1), WHITE));
    kin_set_enabled(world, body, false);
    EXPECT_EQ(0, lines_of(drawn(world), WHITE));
    kin_world_destroy(world);
}

UTEST(draw, tiles_and_meshes)
{
    const uint8_t  cells[4] = { KIN_TILE_SOLID, KIN_TILE_EMPTY, KIN_TILE_ONE_WAY, KIN_TILE_SENSOR };
    kin_world     *world = kin_world_create(NULL);
    kin_tiles_desc tiles;
    kin_mesh_desc  mesh;
    kin_vec        points[3];
    const int      indices[3] = { 0, 1, 2 };
    sheet         *s;
    memset(&tiles, 0, sizeof tiles);
#if KINEMATIC_DIM == 2
    tiles.size = kin_c(2, 2);
#else
    tiles.size = kin_c(2, 2, 1);
#endif
    tiles.cells = cells;
    kin_add_tiles(world, &tiles);
    s = drawn(world);
    EXPECT_TRUE(bounds_are(s, GREY, at(0, 0), at(1, 1), 1e-4f));
    EXPECT_TRUE(bounds_are(s, TURQUOISE, at(0, 1), at(1, 2), 1e-4f));
    EXPECT_TRUE(bounds_are(s, YELLOW, at(1, 1), at(2, 2), 1e-4f));
    kin_world_destroy(world);
    world = kin_world_create(NULL);
    memset(&mesh, 0, sizeof mesh);
    points[0] = at(0, 0);
    points[1] = at(4, 0);
    points[2] = at(4, 3);
    mesh.points = points;
    mesh.point_count = 3;
    mesh.indices = indices;
    mesh.index_count = KINEMATIC_DIM;
    kin_add_mesh(world, &mesh);
    s = drawn(world);
    EXPECT_TRUE(bounds_are(s, GREY, at(0, 0), at(4, KINEMATIC_DIM == 3 ? 3.0f : 0.0f), 1e-4f));
    kin_world_destroy(world);
}

UTEST(draw, the_broad_phase_holds_every_thing)
{
    kin_world *world = kin_world_create(NULL);
    sheet     *s;
    int        i;
    for (i = 0; i < 40; i++) add_body(world, kin_ball(0.5f), at((float)(i % 8) * 3, (float)(i / 8) * 3));
    kin_world_step(world, 1.0f / 60);
    s = drawn(world);
    EXPECT_GT(lines_of(s, FAINT), 40 * (KINEMATIC_DIM == 2 ? 4 : 12));   /* one box each, and those that hold several */
    EXPECT_TRUE(bounds_are(s, FAINT, at(-0.5f, -0.5f), at(21.5f, 12.5f), 0.3f));
    kin_world_destroy(world);
}

UTEST(draw, either_function_may_be_missing)
{
    kin_world *world = world_with_floor();
    kin_draw   draw;
    uint64_t   hash;
    memset(&draw, 0, sizeof draw);
    add_body(world, kin_box(size(1, 1)), at(0, 0.5f));
    kin_world_step(world, 1.0f / 60);
    hash = kin_world_hash(world);
    kin_debug_draw(world, &draw);
    EXPECT_TRUE(hash == kin_world_hash(world));
    kin_world_destroy(world);
}
