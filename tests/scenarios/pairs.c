/* SPDX-License-Identifier: MIT OR Unlicense

   pairs.c: the pair table of pushing, entry by entry, and crowds on one spot.

   Every kind of pair, both orders of adding, every direction along an axis, the partner resting, coming or going the same
   way, for boxes, balls, capsules and hulls: one step in a world without gravity. Along the normal the table decides;
   across it both keep their own motion. */
#include "scene.h"

/* ---- the table --------------------------------------------------------------------------------------------------------- */

enum { PUSHABLE, UNPUSHABLE, STATIC };                    /* what the partner is */
enum { RESTS, COMES, GOES, MANNERS };                     /* what it does */
enum { BOX, BALL, CAPSULE, HULL, SHAPES };

static const double first_speed = 3;                      /* of the first, towards the partner */
static const double apart = 0.006;                        /* so that they meet within the step */

typedef struct entry { int first, second, manner, shape, direction; bool second_is_added_first; } entry;

/* The direction number d: x, y (and z), each both ways. */
static dv direction_of(int d)
{
    double sign = d % 2 ? -1 : 1;
    return d / 2 == 0 ? dv_make(sign, 0, 0) : d / 2 == 1 ? dv_make(0, sign, 0) : dv_make(0, 0, sign);
}

/* Across it: the next axis. */
static dv side_of(int d)
{
    return direction_of((d / 2 + 1) % KINEMATIC_DIM * 2);
}

static kin_vec to_vec(const scene *s, dv v) { return v3(s, v.x, v.y, v.z); }

/* A box with its corners cut, so that it has a face towards each axis. */
static kin_shape cut_box(void)
{
    kin_vec points[24];
    int     n = 0, i, k;
    for (k = 0; k < KINEMATIC_DIM; k++)
        for (i = 0; i < 1 << KINEMATIC_DIM; i++) {
            double p[3];
            p[0] = (i & 1 ? 1 : -1) * (k == 0 ? 0.5 : 0.3);
            p[1] = (i & 2 ? 1 : -1) * (k == 1 ? 0.5 : 0.3);
            p[2] = (i & 4 ? 1 : -1) * (k == 2 ? 0.5 : 0.3);
#if KINEMATIC_DIM == 3
            points[n++] = kin_v((float)p[0], (float)p[1], (float)p[2]);
#else
            points[n++] = kin_v((float)p[0], (float)p[1]);
#endif
        }
    return kin_hull(points, n, 0);
}

static kin_shape shape_of(int shape)
{
    switch (shape) {
    case BALL: return kin_ball(0.5f);
    case CAPSULE: return kin_capsule(1.6f, 0.4f);
    case HULL: return cut_box();
    default: return body_box(1, 1);
    }
}

/* From the middle to the side that faces an axis. */
static double reach_of(int shape, int d)
{
    if (shape == CAPSULE) return d / 2 == 1 ? 0.8 : 0.4;
    return 0.5;
}

/* Across, where that does not turn the normal. */
static double side_speed(const entry *e) { return e->shape == BOX || e->shape == HULL ? 1 : 0; }

static double second_speed(const entry *e)
{
    return e->second == STATIC || e->manner == RESTS ? 0 : e->manner == COMES ? -1 : 1;
}

static kin_id add_party(scene *s, const entry *e, bool second)
{
    dv            way = direction_of(e->direction), at = second ? dv_scale(way, 2 * reach_of(e->shape, e->direction) + apart) : dv_make(0, 0, 0);
    int           kind = second ? e->second : e->first;
    kin_body_desc b;
    kin_static_desc d;
    if (kind == STATIC) {
        memset(&d, 0, sizeof d);
        d.shape = shape_of(e->shape);
        d.position = to_vec(s, at);
        return put_static(s, &d);
    }
    memset(&b, 0, sizeof b);
    b.shape = shape_of(e->shape);
    b.position = to_vec(s, at);
    b.push = kind == PUSHABLE ? KIN_PUSHABLE : KIN_UNPUSHABLE;
    b.velocity = to_vec(s, dv_add(dv_scale(way, second ? second_speed(e) : first_speed), dv_scale(side_of(e->direction), second ? 0 : side_speed(e))));
    return put_body(s, &b);
}

typedef struct outcome { double moved, across, speed; } outcome;   /* along the direction and across it */

static outcome outcome_of(const scene *s, const entry *e, kin_id id, dv from)
{
    dv      way = direction_of(e->direction), moved = dv_sub(dv_of(mirrored(s, kin_get_position(s->world, id))), from);
    outcome o;
    o.moved = dv_dot(moved, way);
    o.across = dv_dot(moved, side_of(e->direction));
    o.speed = thing_of(s, id)->kind == KIN_BODY ? dv_dot(dv_of(mirrored(s, kin_get_velocity(s->world, id))), way) : 0;
    return o;
}

/* The expected speeds along the normal. */
static void expected_speeds(const entry *e, double *one, double *two)
{
    double u = first_speed, w = second_speed(e);
    *one = *two = 0;
    if (e->second == STATIC) return;                                          /* R0.27, R0.44 */
    if (e->first == PUSHABLE && e->second == PUSHABLE) { *one = w; *two = u; }   /* R0.33 */
    else if (e->first == PUSHABLE) *one = *two = w;                           /* R0.37 */
    else if (e->second == PUSHABLE) *one = *two = u;                          /* R0.41 */
}

/* Full displacement: the unpushable one of a mixed pair; and a static does not move. */
static void expect_ways(scene *s, const entry *e, outcome a, outcome b)
{
    double dt = (double)s->dt, tolerance = 1e-5;
    if (e->first == UNPUSHABLE && e->second == PUSHABLE) EXPECT_NEAR(a.moved, first_speed * dt, tolerance);
    if (e->first == PUSHABLE && e->second == UNPUSHABLE) EXPECT_NEAR(b.moved, second_speed(e) * dt, tolerance);
    if (e->second == STATIC) EXPECT_NEAR(b.moved, 0, 0);
    if (e->first == e->second && e->manner == COMES) {   /* R0.9: between them, by their speeds */
        double closing = apart - 0.002;
        EXPECT_IN(a.moved, closing * 0.75 - 0.001, closing * 0.75 + 0.001);
        EXPECT_IN(-b.moved, closing * 0.25 - 0.001, closing * 0.25 + 0.001);
    }
    if (e->first == e->second && e->manner == RESTS) EXPECT_NEAR(b.moved, 0, tolerance);
}

static void play_entry(scene *s, const entry *e)
{
    kin_id  a, b;
    outcome one, two;
    double  u, w, dt = (double)s->dt;
    dv      to;
    open_floating(s);
    if (e->second_is_added_first) { b = add_party(s, e, true); a = add_party(s, e, false); }
    else { a = add_party(s, e, false); b = add_party(s, e, true); }
    to = dv_of(mirrored(s, kin_get_position(s->world, b)));
    scene_step(s);
    one = outcome_of(s, e, a, dv_make(0, 0, 0));
    two = outcome_of(s, e, b, to);
    expected_speeds(e, &u, &w);
    EXPECT_NEAR(one.speed, u, 1e-3);
    EXPECT_NEAR(two.speed, w, 1e-3);
    EXPECT_NEAR(one.across, side_speed(e) * dt, 1e-4);
    EXPECT_NEAR(two.across, 0, 1e-4);
    if (e->shape == BOX || e->shape == HULL) EXPECT_IN(gap_between(s, a, b), 0, SLOP);
    else EXPECT_IN(gap_between(s, a, b), -1e-4, SLOP);
    expect_ways(s, e, one, two);
    EXPECT(count_events(s, KIN_EVENT_BEGAN, nobody(), nobody()) == 1);
}

/* Plays the entries of one pair of kinds; a breach tells which one. */
static void play_pair(scene *s, int first, int second)
{
    entry e;
    int   k;
    e.first = first;
    e.second = second;
    for (e.shape = BOX; e.shape < SHAPES; e.shape++)
        for (e.manner = RESTS; e.manner < (second == STATIC ? COMES : MANNERS); e.manner++)
            for (e.direction = 0; e.direction < 2 * KINEMATIC_DIM; e.direction++)
                for (k = 0; k < 2 && !scene_failed(s); k++) {
                    e.second_is_added_first = k == 1;
                    play_entry(s, &e);
                    if (scene_failed(s)) printf("\nshape %d, manner %d, direction %d, order %d\n", e.shape, e.manner, e.direction, k);
                }
}

SCENARIO(pair_pushable_static, RATE_60)       { play_pair(s, PUSHABLE, STATIC); }
SCENARIO(pair_pushable_pushable, RATE_60)     { play_pair(s, PUSHABLE, PUSHABLE); }
SCENARIO(pair_pushable_unpushable, RATE_60)   { play_pair(s, PUSHABLE, UNPUSHABLE); }
SCENARIO(pair_unpushable_pushable, RATE_60)   { play_pair(s, UNPUSHABLE, PUSHABLE); }
SCENARIO(pair_unpushable_static, RATE_60)     { play_pair(s, UNPUSHABLE, STATIC); }
SCENARIO(pair_unpushable_unpushable, RATE_60) { play_pair(s, UNPUSHABLE, UNPUSHABLE); }

/* Intangible bodies pass, and both learn of it. */
SCENARIO(pair_intangible, RATE_60 | ALL_SHAPES)
{
    kin_body_desc d;
    kin_id a, b;
    open_floating(s);
    d = body_desc(s, 0, 0);
    d.push = KIN_INTANGIBLE;
    d.velocity = v2(s, 3, 1);
    a = put_body(s, &d);
    b = add_body(s, 1.5, 0);
    run(s, steps_in(s, 1));
    EXPECT_NEAR(x_of(s, a), 3, 0.1);
    EXPECT_NEAR(y_of(s, a), 1, 0.1);
    EXPECT_NEAR(x_of(s, b), 1.5, 0);
    EXPECT(count_events(s, KIN_EVENT_BEGAN, a, b) == 1);
    EXPECT(count_events(s, KIN_EVENT_ENDED, a, b) == 1);
}

/* ---- the stacked case of the first seed ------------------------------------------------------------------------------------ */

/* Unpushable above pushable above static, falling at 0.5 and 0.1: R0.13, R0.14. In one step of 1 s, as the seed counts,
   and in one of the usual length. */
static void stacked_in_order(scene *s, const int *order, kin_push below, float dt)
{
    kin_id        ids[3];
    kin_body_desc d;
    int           i;
    s->dt = dt;
    open_floating(s);
    for (i = 0; i < 3; i++) {
        int    k = order[i];
        double gap = 0.2 * (double)dt;
        if (k == 2) { ids[k] = add_static_box(s, -5, -1, 5, 0); continue; }
        d = k == 0 ? body_desc(s, 0, 1.5 + 0.1 * gap + 0.002 + gap) : crate_desc(s, 0, 0.5 + 0.1 * gap + 0.002);
        d.shape = body_box(1, 1);
        d.push = k == 0 ? KIN_UNPUSHABLE : below;
        d.velocity = v2(s, 0, k == 0 ? -0.5 : -0.1);
        ids[k] = put_body(s, &d);
    }
    scene_step(s);
    EXPECT_IN(bottom_of(s, ids[1]), 0, SLOP);
    EXPECT_IN(bottom_of(s, ids[0]) - top_of(s, ids[1]), 0, SLOP);
    EXPECT_NEAR(vy_of(s, ids[0]), 0, 1e-6);
    EXPECT_NEAR(vy_of(s, ids[1]), 0, 1e-6);
    EXPECT_NEAR(x_of(s, ids[0]), 0, 0);
    EXPECT_NEAR(x_of(s, ids[1]), 0, 0);
}

SCENARIO(seed_stacked_case, 0)
{
    static const int orders[6][3] = { { 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 }, { 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 } };
    float dt = s->dt;
    int   i;
    for (i = 0; i < 6; i++) {
        stacked_in_order(s, orders[i], KIN_PUSHABLE, dt);
        stacked_in_order(s, orders[i], KIN_PUSHABLE, 1);
    }
    s->dt = dt;
}

/* ---- a thousand on one spot ------------------------------------------------------------------------------------------------ */

static kin_id wall_across(scene *s, double z)
{
    kin_static_desc d = static_desc(s, -22, -2, 22, 62);
    d.position = v3(s, 0, 30, z);
    return put_static(s, &d);
}

/* All finite, nobody leaves the room, no step takes forever: and after some of them the heap has come apart, so that all
   that holds for a crowd holds for it. */
SCENARIO(thousand_on_one_spot, NO_MIRROR)
{
    enum { MANY = TEST_SHARE > 1 ? 100 : 1000 };
    static kin_id ids[MANY];
    int i, k;
    open_earth(s);
    add_static_box(s, -20, -2, 20, 0);
    add_static_box(s, -22, -2, -20, 60);
    add_static_box(s, 20, -2, 22, 60);
    add_static_box(s, -22, 60, 22, 62);
    if (KINEMATIC_DIM == 3) { wall_across(s, -15); wall_across(s, 15); }
    for (i = 0; i < MANY; i++) ids[i] = i % 3 == 0 ? add_body(s, 0, 5) : add_crate(s, 0, 5);
    for (i = 0; i < 60 && !scene_failed(s); i++) {
        s->skip = i < 40 ? 0x1fc : 1u << 4;   /* at first N1, N11, N12; N4 counts from the first step or not at all */
        scene_step(s);
        for (k = 0; k < MANY; k++) {
            EXPECT_IN(x_of(s, ids[k]), -20, 20);
            EXPECT_IN(y_of(s, ids[k]), 0, 60);
            EXPECT_IN(dv_of(kin_get_position(s->world, ids[k])).z, -5, 5);
        }
    }
}

/* ---- running them ---------------------------------------------------------------------------------------------------------- */

SUITE(pairs)
{
    RUN_TEST(pair_pushable_static);
    RUN_TEST(pair_pushable_pushable);
    RUN_TEST(pair_pushable_unpushable);
    RUN_TEST(pair_unpushable_pushable);
    RUN_TEST(pair_unpushable_static);
    RUN_TEST(pair_unpushable_unpushable);
    RUN_TEST(pair_intangible);
    RUN_TEST(seed_stacked_case);
    RUN_TEST(thousand_on_one_spot);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv)
{
    GREATEST_MAIN_BEGIN();
    RUN_SUITE(pairs);
    GREATEST_MAIN_END();
}
