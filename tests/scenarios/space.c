/* SPDX-License-Identifier: MIT OR Unlicense

   space.c: section K of the catalogue: what needs three dimensions. K12 and K15, which need pushing, are in push.c. */
#include "scene.h"

#if KINEMATIC_DIM == 3

/* A scenario may stand askew: y of the frame is up, and all it reads and writes goes through it. */
typedef struct frame { dm axes; kin_rot turn; } frame;

static frame upright(void)
{
    frame f;
    memset(&f, 0, sizeof f);
    f.turn.w = 1;
    f.axes = dm_of(f.turn);
    return f;
}

/* The shortest turn that takes y to this direction. */
static frame askew(dv up)
{
    frame f;
    dv    n = dv_scale(up, 1 / dv_len(up)), axis = dv_cross(dv_make(0, 1, 0), n);
    f.turn = kin_turn(kin_v((float)axis.x, (float)axis.y, (float)axis.z), (float)acos(n.y));
    f.axes = dm_of(f.turn);
    return f;
}

static kin_vec from_frame(const scene *s, const frame *f, double x, double y, double z)
{
    dv v = dm_turn(&f->axes, dv_make(x, y, z));
    return v3(s, v.x, v.y, v.z);
}

static dv to_frame(const scene *s, const frame *f, kin_vec v) { return dm_turn_back(&f->axes, dv_of(mirrored(s, v))); }

/* A rotation seen in the mirror. */
static kin_rot turn_in(const scene *s, kin_rot q)
{
    q.y *= s->mirror;
    q.z *= s->mirror;
    return q;
}

/* The three bodies of K01. */
static kin_shape walker(const scene *s)
{
    return s->form == FORM_BOX ? body_box(1, 1) : s->form == FORM_BALL ? kin_ball(0.5f) : kin_capsule(1.8f, 0.3f);
}
static double half_height(const scene *s) { return s->form == FORM_CAPSULE ? 0.9 : 0.5; }

static kin_id add_framed_box(scene *s, const frame *f, double x0, double y0, double x1, double y1, double depth)
{
    kin_static_desc d = static_desc(s, x0, y0, x1, y1);
    d.shape = deep_box(x1 - x0, y1 - y0, depth);
    d.position = from_frame(s, f, 0.5 * (x0 + x1), 0.5 * (y0 + y1), 0);
    d.rotation = turn_in(s, f->turn);
    return put_static(s, &d);
}

/* A body whose feet are at this place. */
static kin_id add_walker(scene *s, const frame *f, double x, double feet, double z)
{
    kin_body_desc d = body_desc(s, 0, 0);
    d.shape = walker(s);
    d.position = from_frame(s, f, x, feet + half_height(s), z);
    d.rotation = turn_in(s, f->turn);
    return put_body(s, &d);
}

static void open_framed(scene *s, const frame *f)
{
    kin_world_desc d;
    memset(&d, 0, sizeof d);
    d.gravity = from_frame(s, f, 0, -30, 0);
    open_world(s, &d);
}

static dv place_of(const scene *s, const frame *f, kin_id b)
{
    dv p = to_frame(s, f, kin_get_position(s->world, b));
    p.y -= half_height(s);
    return p;
}

/* A01; `by` is what an askew frame may cost. */
static void land(scene *s, const frame *f, double by)
{
    kin_id   b;
    kin_pose pose;
    dv       normal;
    int      i;
    open_framed(s, f);
    add_framed_box(s, f, -100, -1, 100, 0, 200);
    b = add_walker(s, f, 0, 4.5, 0);
    EXPECT_NEAR(run_until_grounded(s, b, 256), 70, 1);
    run(s, 256 - s->steps);
    EXPECT_IN(place_of(s, f, b).y, -0.0001 - by, SLOP + by);
    EXPECT_NEAR(place_of(s, f, b).x, 0, 1e-4 + by);
    EXPECT_NEAR(place_of(s, f, b).z, 0, 1e-4 + by);
    EXPECT_NEAR(to_frame(s, f, kin_get_velocity(s->world, b)).y, 0, by);
    normal = to_frame(s, f, kin_get_ground(s->world, b).normal);
    EXPECT_NEAR(normal.y, 1, 1e-4);
    EXPECT_NEAR(normal.x, 0, 1e-4);
    EXPECT_NEAR(normal.z, 0, 1e-4);
    EXPECT_IN(count_events(s, KIN_EVENT_LANDED, b, nobody()), 1, 1);
    EXPECT_NEAR(last_event(s, KIN_EVENT_LANDED, b)->speed, 16.43, 0.5);
    clear_events(s);
    pose = pose_now(s, b);
    for (i = 0; i < 1000 && scene_step(s); i++) {
        EXPECT(same_pose(pose, pose_now(s, b)));
        EXPECT(grounded(s, b));
    }
    EXPECT_IN(s->event_count, 0, 0);
}

/* A05, in a direction across the floor. Where 6/128 is not exactly representable, it gets where adding floats leads. */
static void walk(scene *s, const frame *f, double angle, int steps, double by)
{
    double  c = cos(angle), k = sin(angle), y;
    kin_vec v = from_frame(s, f, 6 * c, 0, 6 * k), sum;
    kin_id  b;
    dv      p, wanted;
    int     i;
    open_framed(s, f);
    add_framed_box(s, f, -550, -1, 550, 0, 1100);
    b = add_walker(s, f, 0, 0, 0);
    settle(s);
    y = place_of(s, f, b).y;
    sum = pose_now(s, b).p;
    for (i = 0; i < steps; i++) {
        sum = kin_v(sum.x + v.x * s->dt, sum.y + v.y * s->dt, sum.z + v.z * s->dt);
        set_velocity(s, b, v);
        scene_step(s);
        EXPECT(grounded(s, b));
        EXPECT_NEAR(place_of(s, f, b).y, y, 1e-4 + by);
    }
    p = place_of(s, f, b);
    wanted = to_frame(s, f, sum);
    EXPECT_NEAR(p.x, wanted.x, 0.01 + by);
    EXPECT_NEAR(p.z, wanted.z, 0.01 + by);
    EXPECT_NEAR(wanted.x * c + wanted.z * k, 6.0 * steps / 128, 0.1);
}

/* A06. The numbers are the box's; round ones roll over the edge until it is too steep under them. */
static void walk_off(scene *s, const frame *f, double by)
{
    double y = 0, first_vy = 1;
    kin_id b;
    int    i, last = s->form == FORM_BOX ? 63 : 51, first = s->form == FORM_BOX ? 65 : 64;
    open_framed(s, f);
    add_framed_box(s, f, -10, -1, 0, 0, 20);
    b = add_walker(s, f, -2, 0, 0);
    for (i = 1; i <= 80; i++) {
        dv now = to_frame(s, f, kin_get_velocity(s->world, b));
        set_velocity(s, b, from_frame(s, f, 5, now.y, 0));
        scene_step(s);
        now = to_frame(s, f, kin_get_velocity(s->world, b));
        EXPECT(i > last || grounded(s, b));
        EXPECT(i < first || !grounded(s, b));
        EXPECT_NEAR(now.x, 5, by);
        if (!grounded(s, b)) {
            if (first_vy > 0) first_vy = now.y;
            else EXPECT(place_of(s, f, b).y - y > now.y / 128 - 1e-4 - by);
        }
        y = place_of(s, f, b).y;
    }
    EXPECT_IN(first_vy, -0.47, 0);
    if (s->form == FORM_BOX) EXPECT_IN(y, -0.30 - by, -0.19 + by);
    EXPECT_NEAR(place_of(s, f, b).z, 0, 1e-4 + by);
}

/* K01 landing, walking, ledge: A01, A05, A06 with box 1 x 1 x 1, sphere r = 0.5, capsule r = 0.3 h = 1.8. */
SCENARIO(K01_landing_walking_ledge, ONLY_3D | ALL_SHAPES)
{
    frame f = upright();
    land(s, &f, 0);
    walk(s, &f, 0, 10000, 0);
    walk(s, &f, DEGREES(90), 10000, 0);
    walk(s, &f, DEGREES(30), 10000, 0);
    walk_off(s, &f, 0);
}

/* K17 arbitrary up: up = normalised (1, 2, 3): K01 within 1e-3. */
SCENARIO(K17_arbitrary_up, ONLY_3D | ALL_SHAPES)
{
    frame f = askew(dv_make(1, 2, 3));
    land(s, &f, 1e-3);
    walk(s, &f, 0, 10000, 1e-3);
    walk(s, &f, DEGREES(90), 10000, 1e-3);
    walk(s, &f, DEGREES(30), 10000, 1e-3);
    walk_off(s, &f, 1e-3);
}

/* ---- turntables and decks ----------------------------------------------------------------------------------------- */

static kin_id add_disc(scene *s)
{
    kin_vec        points[32];
    kin_mover_desc d = mover_desc(s, 0, -0.5, 1, 1);
    int            i;
    for (i = 0; i < 32; i++) points[i] = v3(s, 10 * cos(SCENE_PI * (i / 2) / 8), i % 2 ? 0.5 : -0.5, 10 * sin(SCENE_PI * (i / 2) / 8));
    d.shape = kin_hull(points, 32, 0);
    return put_mover(s, &d);
}

/* About y; the mirror turns it round. */
static void spin_about_up(scene *s, kin_id id, double radians_per_second)
{
    set_spin(s, id, 0);
    kin_set_spin(s->world, id, kin_v(0, s->mirror * (float)radians_per_second, 0));
}

static kin_id add_at(scene *s, double x, double y, double z, bool keep_facing)
{
    kin_body_desc d = body_desc(s, 0, 0);
    d.position = v3(s, x, y, z);
    d.keep_facing = keep_facing;
    return put_body(s, &d);
}

static dv place_on(const scene *s, kin_id b, kin_id m)
{
    dm turned = dm_of(pose_now(s, m).q);
    return dm_turn_back(&turned, dv_sub(dv_of(pose_now(s, b).p), dv_of(pose_now(s, m).p)));
}

static double radius_of(const scene *s, kin_id b)
{
    dv p = dv_of(pose_now(s, b).p);
    return sqrt(p.x * p.x + p.z * p.z);
}

/* K02 turntable: disc r = 10 turning 2 pi rad/s about y, rider at radius 9. Radius 9 +-0.001 at each step; after 1 s back
   at the start +-0.001; after 1000 turns radius within 0.01; no lag step. */
SCENARIO(K02_turntable, ONLY_3D | RATE_60 | ALL_SHAPES)
{
    kin_id m, b;
    dv     from, local;
    int    i, turns = 1000 / TEST_SHARE;
    open_earth(s);
    m = add_disc(s);
    b = add_at(s, 9, 0.5, 0, false);
    settle(s);
    clear_events(s);
    from = dv_of(pose_now(s, b).p);
    local = place_on(s, b, m);
    spin_about_up(s, m, 2 * SCENE_PI);
    for (i = 1; i <= steps_in(s, turns); i++) {
        scene_step(s);
        EXPECT(grounded(s, b));
        EXPECT_NEAR(radius_of(s, b), 9, 0.001);
        EXPECT_IN(dv_len(dv_sub(place_on(s, b, m), local)), 0, 0.001);
        if (i == 1) EXPECT_NEAR(dv_len(dv_sub(dv_of(pose_now(s, b).p), from)), 18 * sin(SCENE_PI * (double)s->dt), 0.001);
        if (i == steps_in(s, 1)) EXPECT_IN(dv_len(dv_sub(dv_of(pose_now(s, b).p), from)), 0, 0.001);
    }
    EXPECT_IN(s->event_count, 0, 0);
}

/* Angle by which x of the body has turned about y, as the scenario sees it. */
static double turned_since(const scene *s, kin_rot before, kin_rot now)
{
    dm a = dm_of(before), b = dm_of(now);
    double angle = atan2(b.x.x * a.x.z - b.x.z * a.x.x, b.x.x * a.x.x + b.x.z * a.x.z);
    return angle * (double)s->mirror;
}

/* K03 turntable yaw: the rider's facing delta per step = 2 pi dt when "turn with ground" is on, 0 when off. */
SCENARIO(K03_turntable_yaw, ONLY_3D | RATE_60 | ALL_SHAPES)
{
    kin_id  m, turns, keeps;
    kin_rot before, kept;
    dm      axes;
    int     i;
    open_earth(s);
    m = add_disc(s);
    turns = add_at(s, 5, 0.5, 0, false);
    keeps = add_at(s, -5, 0.5, 3, true);
    settle(s);
    kept = pose_now(s, keeps).q;
    spin_about_up(s, m, 2 * SCENE_PI);
    for (i = 0; i < steps_in(s, 10); i++) {
        before = pose_now(s, turns).q;
        scene_step(s);
        EXPECT_NEAR(turned_since(s, before, pose_now(s, turns).q), 2 * SCENE_PI * (double)s->dt, 1e-5);
        EXPECT(same_rot(kept, pose_now(s, keeps).q));
        axes = dm_of(pose_now(s, turns).q);
        EXPECT_NEAR(axes.y.y, 1, 1e-5);
        EXPECT(grounded(s, turns) && grounded(s, keeps));
    }
}

/* K04 tumbling deck: platform translating 5 u/s and rolling 10 deg sin(2 pi t / 4): local drift <= 0.01 in 60 s. What has
   corners or height stands on another spot of itself as the deck rolls, so it is compared at full cycles. */
SCENARIO(K04_tumbling_deck, ONLY_3D | ALL_SHAPES)
{
    kin_mover_desc d;
    kin_id m, b;
    dv     from, now;
    int    i;
    open_earth(s);
    d = mover_desc(s, 0, -0.25, 1, 1);
    d.shape = deep_box(8, 0.5, 8);
    m = put_mover(s, &d);
    b = add_at(s, 1, 0.5, 2, false);
    settle(s);
    clear_events(s);
    from = place_on(s, b, m);
    for (i = 1; i <= steps_in(s, 60); i++) {
        double t = i * (double)s->dt;
        move_to_pose(s, m, v3(s, 5 * t, -0.25, 0), kin_turn(kin_v(1, 0, 0), (float)(DEGREES(10) * sin(2 * SCENE_PI * t / 4))));
        scene_step(s);
        now = place_on(s, b, m);
        EXPECT(grounded(s, b));
        if (s->form == FORM_BALL) EXPECT_IN(dv_len(dv_sub(now, from)), 0, 0.01);
        if (i % steps_in(s, 4) == 0) EXPECT_IN(dv_len(dv_sub(now, from)), 0, 0.01);
    }
    EXPECT_IN(s->event_count, 0, 0);
}

/* ---- stairs, edges, walls ----------------------------------------------------------------------------------------- */

/* Ten steps that rise towards +z from z = 0; a body before them. */
static kin_id before_stairs(scene *s, double step_height)
{
    kin_body_desc d;
    int           i;
    open_earth(s);
    add_floor(s);
    for (i = 0; i < 10; i++) {
        kin_static_desc stair = static_desc(s, -10, 0, 10, 0.3 * (i + 1));
        stair.shape = deep_box(20, 0.3 * (i + 1), 10 - 0.3 * i);
        stair.position = v3(s, 0, 0.15 * (i + 1), 0.3 * i + 0.5 * (10 - 0.3 * i));
        put_static(s, &stair);
    }
    d = body_desc(s, 0, 0);
    d.shape = walker(s);
    d.position = v3(s, 0, half_height(s), -2);
    d.step_height = (float)step_height;
    return put_body(s, &d);
}

static double feet_of(const scene *s, kin_id b) { return y_of(s, b) - half_height(s); }
static double z_of(const scene *s, kin_id b) { return (double)kin_get_position(s->world, b).z; }

/* K05 stairs: 10 steps 0.3 high 0.3 deep, step limit 0.4, 4 u/s, at 60, 120, 240, 360 Hz: top reached within 1.5 times
   the ideal time, grounded each step, x drift 0. */
SCENARIO(K05_stairs, ONLY_3D | ALL_SHAPES)
{
    static const float rates[] = { 60, 120, 240, 360 };
    int k;
    for (k = 0; k < 4; k++) {
        kin_id b;
        double ideal = (2 + 9 * 0.3) / 4;   /* its centre above the last step */
        int    i;
        s->dt = 1 / rates[k];
        b = before_stairs(s, 0.4);
        settle(s);
        for (i = 0; i < steps_in(s, 1.5 * ideal); i++) {
            set_velocity(s, b, v3(s, 0, 0, 4));
            scene_step(s);
            EXPECT(grounded(s, b));
            EXPECT_IN(x_of(s, b), 0, 0);
        }
        EXPECT(z_of(s, b) > 9 * 0.3);
        EXPECT_REST(feet_of(s, b) - 3);
    }
}

/* K06 stairs too high: limit 0.25: stops at the first riser, grounded. */
SCENARIO(K06_stairs_too_high, ONLY_3D | ALL_SHAPES)
{
    static const float rates[] = { 60, 120, 240, 360 };
    int k;
    for (k = 0; k < 4; k++) {
        kin_id b;
        int    i;
        s->dt = 1 / rates[k];
        b = before_stairs(s, 0.25);
        settle(s);
        for (i = 0; i < steps_in(s, 2); i++) {
            set_velocity(s, b, v3(s, 0, 0, 4));
            scene_step(s);
            EXPECT(grounded(s, b));
            EXPECT_REST(feet_of(s, b));
        }
        EXPECT_REST(gap_between(s, b, s->things[1]->id));
        EXPECT(z_of(s, b) < 0);
    }
}

/* A capsule whose axis is so far beyond the edge of a ledge, touching it. */
static kin_id on_the_edge(scene *s, double beyond)
{
    kin_body_desc d;
    open_earth(s);
    add_static_box(s, -10, -1, 0, 0);
    add_static_box(s, -10, -9, 10, -8);
    d = body_desc(s, beyond, sqrt(0.25 - beyond * beyond) + 0.5);
    d.shape = kin_capsule(2, 0.5f);
    return put_body(s, &d);
}

/* K09 perch: capsule r = 0.5, axis 0.3 beyond an edge (contact normal 36.9 deg): grounded; 0.4 beyond (53.1 deg): slides
   off. */
SCENARIO(K09_perch, ONLY_3D)
{
    kin_id b = on_the_edge(s, 0.3);
    int    i;
    for (i = 0; i < 256; i++) {
        scene_step(s);
        EXPECT(grounded(s, b));
        EXPECT_NEAR(slope_of(s, normal_of(s, b)), 36.9, 0.6);
        EXPECT_NEAR(x_of(s, b), 0.3, SLOP);
    }
    b = on_the_edge(s, 0.4);
    for (i = 0; i < 32; i++) {
        scene_step(s);
        EXPECT(!grounded(s, b));
    }
    EXPECT(x_of(s, b) > 0.45);
    run(s, 128);
    EXPECT(grounded(s, b));
    EXPECT_REST(bottom_of(s, b) + 8);
}

static void ride_in_space(scene *s, double up, bool turns_back)
{
    kin_mover_desc d;
    kin_id m, b;
    int    i;
    open_earth(s);
    d = mover_desc(s, 0, -0.25, 1, 1);
    d.shape = deep_box(4, 0.5, 4);
    m = put_mover(s, &d);
    b = add_at(s, 0.75, 0.5, -0.5, false);
    settle(s);
    clear_events(s);
    if (!turns_back) set_v(s, m, 0, up);
    for (i = 1; i <= steps_in(s, 6); i++) {
        if (turns_back) move_to(s, m, 0, -0.25 + 3 * sin(2 * SCENE_PI * i * (double)s->dt / 3), 0);
        scene_step(s);
        EXPECT_REST(bottom_of(s, b) - top_of(s, m));
        EXPECT(grounded(s, b));
        EXPECT_IN(x_of(s, b), 0.75, 0.75);
        EXPECT_IN(z_of(s, b), -0.5, -0.5);
        EXPECT_IN(vy_of(s, b), 0, 0);
        if (!turns_back) EXPECT_NEAR(kin_get_ground(s->world, b).velocity.y, up, 1e-4);
    }
    EXPECT_IN(s->event_count, 0, 0);
}

/* K11 lifts: E03, E04, E07: REST gap each step, grounded, own vy 0, at 5 u/s up and down and turning back. */
SCENARIO(K11_lifts, ONLY_3D | RATE_60 | ALL_SHAPES)
{
    ride_in_space(s, 5, false);
    ride_in_space(s, -5, false);
    ride_in_space(s, 0, true);
}

/* K14 wall of vertical pillars: slide along at 5 u/s: no snag. */
SCENARIO(K14_wall_of_vertical_pillars, ONLY_3D | ALL_SHAPES)
{
    kin_id b;
    int    i;
    open_earth(s);
    add_floor(s);
    for (i = 0; i < 60; i++) {
        kin_static_desc d = static_desc(s, 0, 0, 0.2, 5);
        d.shape = deep_box(0.2, 5, 0.2);
        d.position = v3(s, -2 + 0.2 * i, 2.5, -1);
        put_static(s, &d);
    }
    b = add_at(s, 0, 0.5, 0, false);
    settle(s);
    for (i = 0; i < 192; i++) {
        set_velocity(s, b, v3(s, 5, 0, -3));
        scene_step(s);
        EXPECT(grounded(s, b));
        EXPECT_NEAR(motion_x(s, b), 5, 0.01);
        EXPECT(i < 64 || kin_on_wall(s->world, b));
    }
    EXPECT_NEAR(x_of(s, b), 7.5, 0.01);
    EXPECT_REST(z_of(s, b) - half_width(s) + 0.9);
}

SUITE(space)
{
    RUN_TEST(K01_landing_walking_ledge);
    RUN_TEST(K02_turntable);
    RUN_TEST(K03_turntable_yaw);
    RUN_TEST(K04_tumbling_deck);
    RUN_TEST(K05_stairs);
    RUN_TEST(K06_stairs_too_high);
    RUN_TEST(K09_perch);
    RUN_TEST(K11_lifts);
    RUN_TEST(K14_wall_of_vertical_pillars);
    RUN_TEST(K17_arbitrary_up);
}

#else

TEST K_needs_three_dimensions(void) { SKIPm("not in this dimension"); }
SUITE(space) { RUN_TEST(K_needs_three_dimensions); }

#endif

GREATEST_MAIN_DEFS();

int main(int argc, char **argv)
{
    GREATEST_MAIN_BEGIN();
    RUN_SUITE(space);
    GREATEST_MAIN_END();
}
