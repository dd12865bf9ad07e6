/* SPDX-License-Identifier: MIT OR Unlicense

   steps.c: section M of the catalogue: steps, ledges, snapping. */
#include "scene.h"

/* B before a riser at x = 2. */
static kin_id before_riser(scene *s, double height, kin_id *riser)
{
    kin_body_desc d;
    kin_id        box;
    open_earth(s);
    add_floor(s);
    box = add_static_box(s, 2, -1, 50, height);
    if (riser) *riser = box;
    d = body_desc(s, 0, 0.5);
    d.step_height = 0.3f;
    return put_body(s, &d);
}

/* M01 step up: riser 0.25, limit 0.3, 5 u/s: y rises 0.25, ends where a walk on the flat does, vy 0, grounded each step. */
SCENARIO(M01_step_up, RATE_60 | ALL_SHAPES)
{
    kin_id b = before_riser(s, 0.25, NULL);
    double x;
    int    i;
    settle(s);
    x = x_of(s, b);
    for (i = 0; i < steps_in(s, 1); i++) {
        set_vx(s, b, 5);
        scene_step(s);
        EXPECT(grounded(s, b));
        EXPECT_IN(vy_of(s, b), 0, 0);
    }
    EXPECT_REST(bottom_of(s, b) - 0.25);
    EXPECT_NEAR(x_of(s, b) - x, 5, 1e-3);
}

/* M02 too high: riser 0.35: blocked REST. */
SCENARIO(M02_too_high, RATE_60 | ALL_SHAPES)
{
    kin_id riser, b = before_riser(s, 0.35, &riser);
    int    i;
    for (i = 0; i < steps_in(s, 1); i++) {
        set_vx(s, b, 5);
        scene_step(s);
        EXPECT(grounded(s, b));
    }
    EXPECT_REST(gap_between(s, b, riser));   /* a round one at its edge */
    EXPECT_REST(bottom_of(s, b));
    EXPECT_NEAR(vx_of(s, b), 0, 1e-4);
    EXPECT(kin_on_wall(s->world, b));
}

/* Feet that are slanting instead of round: as wide as B below by `foot`, and as B from `from` above its feet on. */
static kin_shape slanting(const scene *s, double foot, double from)
{
    kin_vec points[12];
    int     i, n = 0;
    for (i = 0; i < KINEMATIC_DIM - 1; i++) {
        double z = i - 0.5;
        points[n++] = v3(s, -foot, -0.5, z);
        points[n++] = v3(s, foot, -0.5, z);
        points[n++] = v3(s, 0.5, from - 0.5, z);
        points[n++] = v3(s, 0.5, 0.5, z);
        points[n++] = v3(s, -0.5, 0.5, z);
        points[n++] = v3(s, -0.5, from - 0.5, z);
    }
    return kin_hull(points, n, 0);
}

/* M01 and M02 with feet that slant more steeply than any ground: the edge of a step meets them somewhere between their
   lower and their upper end. */
static void step_with_slant(scene *s, double foot, double from, double riser)
{
    kin_body_desc d;
    kin_id        b, step;
    double        x;
    int           i;
    open_earth(s);
    add_floor(s);
    step = add_static_box(s, 2, -1, 50, riser);
    d = body_desc(s, 0, 0.502);
    d.shape = slanting(s, foot, from);
    d.step_height = d.snap = 0.3f;
    b = put_body(s, &d);
    settle(s);
    x = x_of(s, b);
    for (i = 0; i < steps_in(s, 1); i++) {
        set_vx(s, b, 5);
        scene_step(s);
        EXPECT(grounded(s, b));
        EXPECT_IN(vy_of(s, b), 0, 0);
    }
    if (riser > 0.3) {
        EXPECT_REST(gap_between(s, b, step));
        EXPECT_REST(bottom_of(s, b));
        EXPECT_NEAR(vx_of(s, b), 0, 1e-4);
        return;
    }
    EXPECT_REST(bottom_of(s, b) - riser);
    EXPECT_NEAR(x_of(s, b) - x, 5, 1e-3);
    for (i = 0; i < steps_in(s, 1); i++) {   /* and down again */
        set_vx(s, b, -5);
        scene_step(s);
        EXPECT(grounded(s, b));
    }
    EXPECT_REST(bottom_of(s, b));
}

SCENARIO(M01_slanting_feet, RATE_60)
{
    step_with_slant(s, 0.3, 0.5, 0.25);
    step_with_slant(s, 0.25, 0.433, 0.25);
    step_with_slant(s, 0.4, 0.3, 0.25);
    step_with_slant(s, 0.1, 0.9, 0.28);
    step_with_slant(s, 0.3, 0.5, 0.35);
    step_with_slant(s, 0.25, 0.433, 0.35);
    step_with_slant(s, 0.1, 0.9, 0.35);
}

/* M04 not in the air: falling past a 0.25 ledge while pressing towards it: no step-up while airborne; jump apex
   unchanged. */
SCENARIO(M04_not_in_the_air, RATE_60)
{
    kin_body_desc d;
    kin_id        b;
    double        y, v = 0, apex = 0;
    int           i;
    open_earth(s);
    add_floor(s);
    add_static_box(s, 0.51, 0, 20, 3);
    d = body_desc(s, 0, 3.4);   /* its feet 0.1 below the ledge */
    d.step_height = 0.3f;
    b = put_body(s, &d);
    y = 3.4;
    for (i = 0; i < steps_in(s, 0.4); i++) {
        set_vx(s, b, 5);
        scene_step(s);
        v -= 30 * (double)s->dt;
        y += v * (double)s->dt;
        EXPECT_NEAR(y_of(s, b), y, 1e-3);
        EXPECT(!grounded(s, b));
    }
    EXPECT_REST(0.51 - right_of(s, b));

    b = before_riser(s, 0.25, NULL);
    teleport(s, b, 1.49, 0.5);
    settle(s);
    EXPECT(grounded(s, b));
    set_vy(s, b, 12);
    for (i = 0; i < steps_in(s, 1); i++) {
        set_vx(s, b, 5);
        scene_step(s);
        apex = fmax(apex, bottom_of(s, b));
    }
    EXPECT_IN(apex, 2.29, 2.41);
    EXPECT(x_of(s, b) > 3);
}

/* How much of its way at constant speed a round foot loses while it rolls over an edge so high. */
static double lost_on_edge(const scene *s, double drop)
{
    double r = half_width(s), angle = acos(1 - drop / r);
    return s->form == FORM_BOX ? 0 : r * (angle - sin(angle));
}

/* Walks off an edge at x = 2 onto a floor that is `drop` lower; how many steps were airborne. */
static int walk_down_at(scene *s, double drop, double snap, double speed)
{
    kin_body_desc d;
    kin_id        b;
    int           i, air = 0;
    open_earth(s);
    add_static_box(s, -20, -1, 2, drop);
    add_floor(s);
    d = body_desc(s, 0, drop + 0.5);
    d.snap = (float)snap;
    b = put_body(s, &d);
    settle(s);
    for (i = 0; i < steps_in(s, 5 / speed); i++) {
        set_vx(s, b, speed);
        scene_step(s);
        if (!grounded(s, b)) air++;
        else if (!same_float((float)vy_of(s, b), 0)) scene_fail(s, "grounded with vy %g", vy_of(s, b));
    }
    if (!(bottom_of(s, b) < 0.005)) scene_fail(s, "bottom is at %g", bottom_of(s, b));
    if (!(fabs(x_of(s, b) - 5) < speed * (double)s->dt + lost_on_edge(s, drop) + 1e-4)) scene_fail(s, "more than one step of x lost: %g", x_of(s, b));
    return air;
}

static int walk_down(scene *s, double drop, double snap) { return walk_down_at(s, drop, snap, 5); }

/* M05 step down: drop 0.25, snap 0.3: grounded each step; snap 0.1: airborne. A round foot rolls over the edge, so that for it
   a drop must be deeper to be more than its snap. */
SCENARIO(M05_step_down, RATE_60 | ALL_SHAPES)
{
    const double deep = s->form == FORM_BOX ? 0.25 : 0.4;
    EXPECT_IN(walk_down(s, 0.25, 0.3), 0, 0);
    EXPECT_IN(walk_down_at(s, 0.25, 0.3, 0.5), 0, 0);
    EXPECT_IN(walk_down_at(s, 0.25, 0.3, 1), 0, 0);
    EXPECT_IN(walk_down_at(s, 0.25, 0.3, 12), 0, 0);
    EXPECT_IN(walk_down_at(s, 0.25, 0.3, 40), 0, 0);
    EXPECT_IN(walk_down(s, deep, 0.1), 5, 30);
    EXPECT_IN(walk_down(s, deep, -1), 5, 30);
}

/* A round foot on the edge of a step: it stays where it stops, to the bit, and its ground is the step; no wall, no event. It
   cannot go back up without a step height, walks on down when told, and jumps as from any ground. Without a floor within
   its snap the same edge is too steep, whatever steps it may climb. */
static void stop_on_the_edge(scene *s, double snap, double step_height, double drop, bool stands)
{
    const double  r = s->form == FORM_BOX ? 0.5 : half_width(s), beyond = 0.8 * r;
    kin_body_desc d;
    kin_pose      pose;
    kin_id        step, b;
    int           i;
    open_earth(s);
    step = add_static_box(s, -20, -1, 0, drop);
    add_floor(s);
    d = body_desc(s, -1, drop + 0.5);
    d.snap = (float)snap;
    d.step_height = (float)step_height;
    b = put_body(s, &d);
    settle(s);
    for (i = 0; i < 400 && x_of(s, b) < beyond - 1e-3; i++) {
        set_vx(s, b, 64 * fmin(1.0 / 64, beyond - x_of(s, b)));
        scene_step(s);
        if (!stands && !grounded(s, b)) return;
        EXPECT(grounded(s, b));
        EXPECT(!kin_on_wall(s->world, b));
    }
    EXPECT(stands || s->form == FORM_BOX);
    clear_events(s);
    set_vx(s, b, 0);
    run(s, 4);
    pose = pose_now(s, b);
    for (i = 0; i < 64; i++) {
        scene_step(s);
        EXPECT(same_pose(pose, pose_now(s, b)));
        EXPECT(grounded(s, b) && !kin_on_wall(s->world, b));
        EXPECT(kin_same(kin_get_ground(s->world, b).id, step));
        EXPECT_NEAR(normal_of(s, b).y, 1, 1e-4);
        EXPECT_REST(gap_between(s, b, step));
        EXPECT_IN(open_touches(s, b), 1, 1);
    }
    EXPECT_IN(s->event_count, 0, 0);
    for (i = 0; i < 64; i++) {
        set_vx(s, b, -1);
        scene_step(s);
        EXPECT(grounded(s, b));
    }
    if (s->form != FORM_BOX && !(step_height > 0)) EXPECT_NEAR(x_of(s, b), beyond, 0.005);
    else EXPECT_REST(bottom_of(s, b) - drop);
    teleport(s, b, (double)(s->mirror * pose.p.x), (double)pose.p.y);
    run(s, 1);
    if (!grounded(s, b)) return;   /* a round one has to come rolling */
    set_vy(s, b, 6);
    run(s, 1);
    EXPECT(!grounded(s, b));
}

SCENARIO(M05_stop_on_the_edge, RATE_60 | ALL_SHAPES)
{
    stop_on_the_edge(s, 0.3, 0, 0.25, true);
    stop_on_the_edge(s, 0.1, 0.3, 0.25, true);
    stop_on_the_edge(s, 0.1, 0, 0.4, false);
    stop_on_the_edge(s, 0.3, 0.3, 3, false);
}

/* M07 no snap while falling: snap 0.3, body falls from 3: trajectory is free fall to contact (no pull in the last
   0.3). */
SCENARIO(M07_no_snap_while_falling, RATE_60 | ALL_SHAPES)
{
    kin_body_desc d;
    kin_id        b;
    double        y = 3, v = 0;
    int           i;
    open_earth(s);
    add_floor(s);
    d = body_desc(s, 0, 3);
    d.snap = 0.3f;
    b = put_body(s, &d);
    for (i = 0; i < steps_in(s, 1); i++) {
        scene_step(s);
        v -= 30 * (double)s->dt;
        y += v * (double)s->dt;
        if (grounded(s, b)) break;
        EXPECT_NEAR(y_of(s, b), y, 1e-4);
        EXPECT_NEAR(vy_of(s, b), v, 1e-3);
    }
    EXPECT(grounded(s, b));
    EXPECT(y - 0.5 < 0.01);   /* free fall would have brought it to the floor in this step, not only near */
    EXPECT_REST(bottom_of(s, b));
}

/* M10 snap when vy == 0 exactly: lateral motion only: still snaps. */
SCENARIO(M10_snap_when_vy_is_zero, RATE_60 | ALL_SHAPES)
{
    EXPECT_IN(walk_down(s, 0.08, 0.1), 0, 0);
    EXPECT_IN(walk_down(s, 0.02, 0), 0, 0);   /* zero is the default of 0.1 */
}

static kin_id under_an_edge(scene *s, double nudge, double height)
{
    kin_body_desc d;
    kin_id        b;
    open_earth(s);
    add_floor(s);
    add_static_box(s, half_width(s) - 0.1, height, 20, height + 1);
    d = body_desc(s, 0, 0.5);
    d.corner_nudge = (float)nudge;
    b = put_body(s, &d);
    settle(s);
    set_vy(s, b, 12);
    return b;
}

/* M11 head-corner assist: jump under a ceiling edge overlapping 0.1, corner_nudge 0.15: shifted 0.1 and rises; 0
   (default): blocked. */
SCENARIO(M11_head_corner_assist, RATE_60 | ALL_SHAPES)
{
    kin_id b;
    double apex;
    int    i, k;
    for (k = 0; k < 40; k++) {   /* wherever in a step it gets there */
        b = under_an_edge(s, 0.15, 2 + 0.01 * k);
        apex = 0;
        for (i = 0; i < steps_in(s, 0.5); i++) {
            scene_step(s);
            apex = fmax(apex, bottom_of(s, b));
        }
        EXPECT_IN(apex, 2.29, 2.41);
        EXPECT_REST(half_width(s) - 0.1 - right_of(s, b));
    }

    b = under_an_edge(s, 0, 2);
    apex = 0;
    for (i = 0; i < steps_in(s, 0.5); i++) {
        scene_step(s);
        apex = fmax(apex, bottom_of(s, b));
    }
    if (s->form != FORM_BOX) EXPECT_IN(apex, 0.99, 2);   /* a round one slips past it, at the cost of speed */
    else EXPECT_IN(apex, 0.99, 1.005);
    if (s->form == FORM_BOX) EXPECT_IN(x_of(s, b), 0, 0);
}

SUITE(steps)
{
    RUN_TEST(M01_step_up);
    RUN_TEST(M01_slanting_feet);
    RUN_TEST(M02_too_high);
    RUN_TEST(M04_not_in_the_air);
    RUN_TEST(M05_step_down);
    RUN_TEST(M05_stop_on_the_edge);
    RUN_TEST(M07_no_snap_while_falling);
    RUN_TEST(M10_snap_when_vy_is_zero);
    RUN_TEST(M11_head_corner_assist);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv)
{
    GREATEST_MAIN_BEGIN();
    RUN_SUITE(steps);
    GREATEST_MAIN_END();
}
