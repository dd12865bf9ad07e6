/* SPDX-License-Identifier: MIT OR Unlicense

   far.c: big numbers. What holds at the origin holds at 1e3 and 1e4 units from it with 8 ulp more of every tolerance; at 1e6
   nothing is NaN, nothing tunnels, and what stands jitters by 8 ulp at most. A world of its own is built at each place, to
   the side, above, below and in both directions at once. J17 is in robust.c. */
#include "scene.h"

typedef struct place { double x, y, largest; } place;

static const place places[] = {
    { 1e3, 0, 1e3 }, { 0, 1e3, 1e3 }, { -1e3, -1e3, 1e3 }, { 1e4, 0, 1e4 }, { 0, -1e4, 1e4 }, { 1e4, 1e4, 1e4 },
    { 1e6, 0, 1e6 }, { 0, 1e6, 1e6 }, { -1e6, 0, 1e6 }, { 1e6, -1e6, 1e6 },
    { 1000.37, 998.21, 1e3 }, { 9871.3, -9999.7, 1e4 }, { 1234.567, 10000.01, 1e4 }, { 987654.3, 1000000.13, 1e6 }   /* rounded */
};
enum { PLACES = sizeof places / sizeof *places };

static double more(const place *p) { return 8 * (double)(nextafterf((float)p->largest, 2e6f) - (float)p->largest); }   /* 8 ulp */
static bool   is_near(const place *p) { return p->largest < 1e5; }   /* where the catalogue's numbers hold, but for 8 ulp */

/* Numbers of the catalogue with 8 ulp more; and what holds everywhere. */
static void expect_rest(scene *s, const place *p, double gap)
{
    EXPECT_IN(gap, -0.0001 - more(p), SLOP + more(p));
}

/* Plays it at every place, and says where it went wrong. */
typedef void play_at(scene *s, const place *p);

static void everywhere(scene *s, play_at *play)
{
    int i;
    for (i = 0; i < PLACES && !scene_failed(s); i++) {
        size_t used;
        play(s, &places[i]);
        used = strlen(s->fault);
        if (used) snprintf(s->fault + used, sizeof s->fault - used, " [at (%.9g, %.9g)]", places[i].x, places[i].y);
    }
}

/* ---- landing and standing ------------------------------------------------------------------------------------------------ */

/* A01 far away: B falls 4.5, lands once, and then keeps still. */
static void land(scene *s, const place *p)
{
    kin_id b;
    double x, y;
    int    i;
    open_earth(s);
    add_static_box(s, p->x - 100, p->y - 1, p->x + 100, p->y);
    b = add_body(s, p->x, p->y + 5);
    i = run_until_grounded(s, b, 256);
    if (is_near(p)) EXPECT_IN(i, 69 - (more(p) > 0.005), 71);
    expect_rest(s, p, bottom_of(s, b) - p->y);
    EXPECT_IN(vy_of(s, b), 0, 0);
    EXPECT_IN(count_events(s, KIN_EVENT_LANDED, b, nobody()), 1, 1);
    settle(s);
    clear_events(s);
    x = x_of(s, b);
    y = y_of(s, b);
    for (i = 0; i < 1000; i++) {
        scene_step(s);
        EXPECT_IN(y_of(s, b), y, y);
        EXPECT_IN(x_of(s, b), x, x);
        EXPECT(grounded(s, b));
    }
    EXPECT_IN(s->event_count, 0, 0);
}

SCENARIO(far_landing, ALL_SHAPES)
{
    everywhere(s, land);
}

/* ---- walking over seams ---------------------------------------------------------------------------------------------------- */

/* Along a floor of boxes one unit wide, for 40 units: never off the ground, never stopped. A step of 0.5 is a number of ulp
   at every place, so that the way that it gets is exact. */
static void walk_over(scene *s, const place *p, double width)
{
    const double speed = 0.5 / (double)s->dt;
    kin_id b;
    double from, y;
    int    i;
    open_earth(s);
    for (i = 0; i * width < 64; i++) add_static_box(s, p->x - 8 + i * width, p->y - 1, p->x - 8 + (i + 1) * width, p->y);
    b = add_body(s, p->x, p->y + 0.5);
    settle(s);
    from = x_of(s, b);
    y = y_of(s, b);
    for (i = 0; i < 80; i++) {
        set_vx(s, b, speed);
        scene_step(s);
        EXPECT(grounded(s, b));
        EXPECT_NEAR(x_of(s, b) - from, 0.5 * (i + 1), 0.001 + more(p));
        EXPECT_NEAR(y_of(s, b), y, 1e-4 + more(p));
    }
    expect_rest(s, p, bottom_of(s, b) - p->y);
}

static void walk_over_seams(scene *s, const place *p) { walk_over(s, p, 1); }
static void walk_on_one_box(scene *s, const place *p) { walk_over(s, p, 64); }

SCENARIO(far_seams, ALL_SHAPES)
{
    everywhere(s, walk_over_seams);
    everywhere(s, walk_on_one_box);
}

/* A05 and a wall at the end: walking at 6, then pressing against the wall. */
static void walk_to_wall(scene *s, const place *p)
{
    kin_id b;
    double from, y;
    int    i;
    open_earth(s);
    add_static_box(s, p->x - 8, p->y - 1, p->x + 40, p->y);
    add_static_box(s, p->x + 16, p->y, p->x + 20, p->y + 8);
    b = add_body(s, p->x, p->y + 0.5);
    settle(s);
    from = x_of(s, b);
    y = y_of(s, b);
    for (i = 0; i < 640; i++) {
        set_vx(s, b, 6);
        scene_step(s);
        EXPECT(grounded(s, b));
        EXPECT_NEAR(y_of(s, b), y, 1e-4 + more(p));
        if (is_near(p) && i == 255) EXPECT_NEAR(x_of(s, b) - from, 12, 0.001 + more(p));   /* 2 s */
    }
    expect_rest(s, p, p->x + 16 - right_of(s, b));
}

SCENARIO(far_walking, ALL_SHAPES)
{
    everywhere(s, walk_to_wall);
}

/* ---- slopes ------------------------------------------------------------------------------------------------------------------ */

/* B01 and B03, B04 far away: idle on 30 degrees; then up and down again, along the slope and, where a step is more than an
   ulp, never off the ground. */
static void on_slope(scene *s, const place *p)
{
    kin_body_desc d;
    kin_id        b, slope;
    double        x, y;
    int           i;
    open_earth(s);
    slope = add_slope(s, p->x, p->y, 30, 100);
    d = body_on_slope(s, p->x + 20, p->y + 20 * tan(DEGREES(30)), 30);
    d.position.y += (float)more(p);
    b = put_body(s, &d);
    run(s, 64);
    x = x_of(s, b);
    y = y_of(s, b);
    for (i = 0; i < 640; i++) {
        scene_step(s);
        EXPECT_NEAR(x_of(s, b), x, is_near(p) ? 1e-4 : more(p));
        EXPECT_NEAR(y_of(s, b), y, is_near(p) ? 1e-4 : more(p));
        EXPECT(grounded(s, b));
    }
    for (i = 0; i < 512; i++) {
        set_vx(s, b, i < 256 ? 4 : -4);
        scene_step(s);
        if (is_near(p)) EXPECT(grounded(s, b));
        expect_rest(s, p, gap_between(s, b, slope));
        if (is_near(p) && i == 255) EXPECT_NEAR(x_of(s, b) - x, 6.928, 0.07 + more(p));
    }
}

SCENARIO(far_slopes, ALL_SHAPES)
{
    everywhere(s, on_slope);
}

/* ---- riding ----------------------------------------------------------------------------------------------------------------- */

/* B stands on a lift that goes aside and up and comes back: it keeps its place on it. */
static void ride(scene *s, const place *p, double vx, double vy)
{
    kin_id m, b;
    double from, high;
    int    i;
    open_earth(s);
    m = add_mover(s, p->x, p->y - 0.5, 4, 1, 0, 0);
    b = add_body(s, p->x + 0.5, p->y + 0.5);
    settle(s);
    clear_events(s);
    from = x_of(s, b) - x_of(s, m);
    high = bottom_of(s, b) - top_of(s, m);
    for (i = 0; i < 512; i++) {
        double sign = i % 256 < 128 ? 1 : -1;
        set_v(s, m, sign * vx, sign * vy);
        scene_step(s);
        EXPECT(grounded(s, b));
        EXPECT_NEAR(x_of(s, b) - x_of(s, m), from, 1e-4 + more(p));
        EXPECT_NEAR(bottom_of(s, b) - top_of(s, m), high, SLOP + more(p));
        EXPECT_IN(vx_of(s, b), 0, 0);
    }
    EXPECT_IN(s->event_count, 0, 0);
}

static void ride_aside(scene *s, const place *p) { ride(s, p, 2, 0); }
static void ride_up(scene *s, const place *p) { ride(s, p, 0, 3); }
static void ride_fast(scene *s, const place *p) { ride(s, p, 20, -20); }

SCENARIO(far_riding, ALL_SHAPES)
{
    everywhere(s, ride_aside);
    everywhere(s, ride_up);
    everywhere(s, ride_fast);
}

#if KINEMATIC_DIM == 3
/* B stands off the axis of a table that turns: near enough it comes round to where it was, and never is it thrown off. */
static void ride_round(scene *s, const place *p)
{
    kin_mover_desc d;
    kin_id         m, b;
    double         turned = 0, radius;
    int            i;
    open_earth(s);
    d = mover_desc(s, p->x, p->y - 0.5, 8, 1);
    m = put_mover(s, &d);
    b = add_body(s, p->x + 2, p->y + 0.5);
    settle(s);
    set_spin_about(s, m, kin_v(0, s->mirror * (float)SCENE_PI, 0));
    for (i = 0; i < 256; i++) {
        dv at;
        scene_step(s);
        turned += SCENE_PI * (double)s->dt;
        at = dv_of(kin_get_position(s->world, b));
        radius = hypot(at.x * (double)s->mirror - p->x, at.z);
        EXPECT(grounded(s, b));
        EXPECT_NEAR(radius, 2, 0.001 + more(p));
        EXPECT_NEAR(bottom_of(s, b) - top_of(s, m), 0.0025, SLOP + more(p));
    }
    if (is_near(p)) EXPECT_NEAR(x_of(s, b) - p->x, 2 * cos(turned), 0.01 + more(p));
}

SCENARIO(far_turntable, ALL_SHAPES)
{
    everywhere(s, ride_round);
}
#endif

/* Pushed by a mover along the floor, and into a wall: crushed or passed over, but never through the wall. */
static void push(scene *s, const place *p)
{
    kin_id m, b;
    int    i;
    open_earth(s);
    add_static_box(s, p->x - 40, p->y - 1, p->x + 40, p->y);
    add_static_box(s, p->x + 16, p->y, p->x + 20, p->y + 8);
    m = add_mover(s, p->x - 4, p->y + 1, 2, 2, 8, 0);
    b = add_body(s, p->x, p->y + 0.5);
    for (i = 0; i < 240; i++) {
        scene_step(s);
        EXPECT(right_of(s, b) < p->x + 16 + more(p));
        if (is_near(p) && i == 200) expect_rest(s, p, left_of(s, b) - right_of(s, m));
    }
    EXPECT(x_of(s, b) > p->x + 4);
}

SCENARIO(far_pushing, ALL_SHAPES)
{
    everywhere(s, push);
}

/* ---- fast -------------------------------------------------------------------------------------------------------------------- */

/* H01 far away: a wall 0.25 thick, met at up to max_speed from both sides. It is never crossed. */
static void into_wall_at(scene *s, const place *p, double speed)
{
    kin_id b;
    int    i, side;
    for (side = -1; side <= 1; side += 2) {
        open_floating(s);
        add_static_box(s, p->x - 0.125, p->y - 50, p->x + 0.125, p->y + 50);
        b = add_body(s, p->x + side * 30, p->y);
        for (i = 0; i < 64; i++) {
            set_v(s, b, -side * speed, 0);
            scene_step(s);
            EXPECT(side * (x_of(s, b) - p->x) > 0);
        }
        if (side > 0) expect_rest(s, p, left_of(s, b) - (p->x + 0.125));
        else expect_rest(s, p, p->x - 0.125 - right_of(s, b));
    }
}

static void into_wall(scene *s, const place *p)
{
    into_wall_at(s, p, 100);
    into_wall_at(s, p, 1e3);
    into_wall_at(s, p, 1e5);
}

SCENARIO(far_thin_wall, ALL_SHAPES)
{
    everywhere(s, into_wall);
}

/* Falls from 1e6 at max_speed onto a floor at the origin, and flies out to 1e6 and beyond: finite, and stopped. */
SCENARIO(from_a_million_units, ALL_SHAPES)
{
    kin_id b, out;
    int    i;
    open_earth(s);
    add_floor(s);
    b = add_body(s, 0, 1e6);
    out = add_body(s, 50, 10);
    for (i = 0; i < 128 * 12; i++) {
        if (!grounded(s, b)) set_vy(s, b, -1e5);
        set_v(s, out, 1e5, 1e5);
        scene_step(s);
        EXPECT(y_of(s, b) > 0);
    }
    EXPECT(grounded(s, b));
    EXPECT_REST(bottom_of(s, b));
    EXPECT(x_of(s, out) > 5e5);
}

/* ---- far bodies do not disturb near ones ----------------------------------------------------------------------------------- */

/* Near the origin, crates are pushed along while a lift goes by; what is seen of that. */
static uint64_t near_by(scene *s, bool with_others)
{
    kin_id   near_ones[6], far_ones[8];
    uint64_t sum = 1;
    int      i, k;
    open_earth(s);
    add_floor(s);
    near_ones[0] = add_mover(s, 6, 0.25, 2, 0.5, 0, 0);
    near_ones[1] = add_body(s, -6, 0.5);
    for (i = 2; i < 6; i++) near_ones[i] = add_crate(s, 1.5 * i - 6, 0.5);
    for (i = 0; i < 8 && with_others; i++) {
        const place *p = &places[i + 2];
        add_static_box(s, p->x - 4, p->y - 3, p->x + 4, p->y - 2);
        far_ones[i] = i % 2 ? add_body(s, p->x, p->y) : add_crate(s, p->x, p->y);
    }
    for (i = 0; i < 400; i++) {
        set_vx(s, near_ones[1], i < 200 ? 4 : -4);
        set_v(s, near_ones[0], i % 128 < 64 ? -1 : 1, 0);
        for (k = 0; k < 8 && with_others && i > 100; k += 3) set_v(s, far_ones[k], 9e4, 9e4);
        scene_step(s);
        for (k = 0; k < 6; k++) {
            kin_vec p = kin_get_position(s->world, near_ones[k]);
            size_t  b;
            for (b = 0; b < sizeof p; b++) sum = (sum ^ ((uint8_t *)&p)[b]) * 0x100000001B3u;
        }
    }
    return sum;
}

SCENARIO(far_bodies_do_not_disturb_near_ones, 0)
{
    uint64_t alone = near_by(s, false);
    EXPECT(alone == near_by(s, true));
}

SUITE(far_away)
{
    RUN_TEST(far_landing);
    RUN_TEST(far_seams);
    RUN_TEST(far_walking);
    RUN_TEST(far_slopes);
    RUN_TEST(far_riding);
#if KINEMATIC_DIM == 3
    RUN_TEST(far_turntable);
#endif
    RUN_TEST(far_pushing);
    RUN_TEST(far_thin_wall);
    RUN_TEST(from_a_million_units);
    RUN_TEST(far_bodies_do_not_disturb_near_ones);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv)
{
    GREATEST_MAIN_BEGIN();
    RUN_SUITE(far_away);
    GREATEST_MAIN_END();
}
