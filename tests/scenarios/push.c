/* SPDX-License-Identifier: MIT OR Unlicense

   push.c: section G of the catalogue, pushing, and what else needs bodies that push each other: E23, E24, F07, H05,
   I06, K12, K15. Crates are 1 x 1, pushable, on F; the pusher B is unpushable and held at 3 u/s unless stated. */
#include "scene.h"

/* ---- G: one pusher ------------------------------------------------------------------------------------------------- */

/* G01 one crate: 1 s: crate dx = 3.00 +-0.01 from contact, gap REST each step, no lag step, B's reported vx 3. */
SCENARIO(G01_one_crate, ALL_SHAPES)
{
    kin_id b, crate;
    double x;
    int    i;
    open_earth(s);
    add_floor(s);
    b = add_body(s, 0, 0.5);
    crate = add_crate(s, half_width(s) + 0.5 + 0.002, 0.5);
    settle(s);
    x = x_of(s, crate);
    for (i = 0; i < 128; i++) {
        double before = x_of(s, crate);
        set_vx(s, b, 3);
        scene_step(s);
        EXPECT_REST(gap_between(s, b, crate));
        EXPECT_NEAR(vx_of(s, b), 3, 1e-5);
        EXPECT_NEAR(x_of(s, crate) - before, 3.0 / 128, i == 0 ? SLOP : 1e-4);   /* the first may close the gap */
        EXPECT(grounded(s, crate));
    }
    EXPECT_NEAR(x_of(s, crate) - x, 3, 0.01);
    set_vx(s, b, 0);
    run(s, 2);
    x = x_of(s, crate);
    run(s, 32);
    EXPECT_IN(x_of(s, crate) - x, 0, 0);   /* pushed speed is lost on the ground */
}

/* A pushable that is held at 3 u/s against a crate: they exchange once, then it walks right behind the crate. When it
   stops, so does the crate, in the same step. */
SCENARIO(G01_pushed_by_an_equal, ALL_SHAPES)
{
    kin_id b, crate;
    double from;
    int    i;
    open_earth(s);
    add_floor(s);
    b = add_body(s, -1.05, 0.5);
    set_push(s, b, KIN_PUSHABLE);
    crate = add_crate(s, 0, 0.5);
    settle(s);
    for (i = 0; i < 16; i++) {
        set_vx(s, b, 3);
        scene_step(s);
    }
    from = x_of(s, crate);
    for (i = 1; i <= 128; i++) {
        set_vx(s, b, 3);
        scene_step(s);
        EXPECT_IN(x_of(s, crate) - from, i * 3.0 / 128 - 1e-3, i * 3.0 / 128 + 1e-3);
        EXPECT_REST(gap_between(s, b, crate));
    }
    from = x_of(s, crate);
    set_vx(s, b, 0);
    scene_step(s);
    EXPECT_IN(x_of(s, crate), from, from);
    EXPECT_IN(vx_of(s, crate), 0, 0);
}

/* G01 where each rides something else: velocity is relative to that. B on a deck of 2 u/s walks 1, the crate stands on
   the floor: its velocity is 3, and with glide it goes on with that. */
SCENARIO(G01_from_a_deck, RATE_60 | ALL_SHAPES)
{
    kin_body_desc d;
    kin_id        b, crate;
    int           i;
    open_earth(s);
    add_floor(s);
    add_mover(s, -6.5, 1, 10, 0.2, 2, 0);
    b = add_body(s, -2.1, 1.602);
    d = crate_desc(s, 0, 1.25);
    d.shape = body_box(1, 2.5);
    d.glide = true;
    crate = put_body(s, &d);
    for (i = 0; i < steps_in(s, 0.75); i++) {
        set_vx(s, b, 1);
        scene_step(s);
    }
    EXPECT_REST(gap_between(s, b, crate));
    EXPECT_NEAR(vx_of(s, b), 1, 1e-4);
    EXPECT_NEAR(vx_of(s, crate), 3, 1e-4);
    kin_remove(s->world, b);
    scene_step(s);
    EXPECT_NEAR(s->mirror * kin_get_motion(s->world, crate).x, 3, 1e-3);
}

/* The other way round: the crate on a belt of -1 u/s, B pushes it at 3 from fixed ground: its velocity is 4. */
SCENARIO(G01_onto_a_belt, RATE_60 | ALL_SHAPES)
{
    kin_static_desc belt;
    kin_id          b, crate;
    int             i;
    open_earth(s);
    add_static_box(s, -20, -1, -0.2, 0);
    belt = static_desc(s, -0.2, -1, 20, 0);
    belt.surface_velocity = v2(s, -1, 0);
    put_static(s, &belt);
    b = add_body(s, -1.5, 0.5);
    crate = add_crate(s, 0.4, 0.5);
    for (i = 0; i < steps_in(s, 0.28); i++) {
        set_vx(s, b, 3);
        scene_step(s);
    }
    EXPECT_REST(gap_between(s, b, crate));
    EXPECT_NEAR(s->mirror * kin_get_motion(s->world, crate).x, 3, 1e-3);
    EXPECT_NEAR(vx_of(s, crate), 4, 1e-4);
}

/* A crate that a belt holds at a wall stops B as any other does. */
SCENARIO(G01_held_by_a_belt, 0)
{
    kin_static_desc belt;
    kin_id          b, crate;
    int             i;
    open_earth(s);
    add_static_box(s, -20, -1, -0.2, 0);
    belt = static_desc(s, -0.2, -1, 20, 0);
    belt.surface_velocity = v2(s, 1, 0);
    put_static(s, &belt);
    add_static_box(s, 1, 0, 2, 5);
    b = add_body(s, -1.5, 0.5);
    crate = add_crate(s, 0.4, 0.5);
    for (i = 0; i < 128; i++) {
        set_vx(s, b, 3);
        scene_step(s);
    }
    EXPECT_REST(gap_between(s, b, crate));
    EXPECT_NEAR(vx_of(s, b), 0, 1e-4);
}

/* G02 unpushable: crate BIT-unmoved, B stops REST, vx 0. */
SCENARIO(G02_unpushable, ALL_SHAPES)
{
    kin_body_desc d;
    kin_pose      pose;
    kin_id        b, crate;
    int           i;
    open_earth(s);
    add_floor(s);
    b = add_body(s, 0, 0.5);
    d = crate_desc(s, 2, 0.5);
    d.push = KIN_UNPUSHABLE;
    crate = put_body(s, &d);
    settle(s);
    pose = pose_now(s, crate);
    for (i = 0; i < 128; i++) {
        set_vx(s, b, 3);
        scene_step(s);
        EXPECT(same_pose(pose, pose_now(s, crate)));
    }
    EXPECT_REST(gap_between(s, b, crate));
    EXPECT_NEAR(vx_of(s, b), 0, 1e-4);
}

static void push_row_of_five(scene *s)
{
    kin_id all[6];
    double before[6];
    int    i, k;
    open_earth(s);
    add_floor(s);
    all[0] = add_body(s, 0, 0.5);
    for (i = 1; i < 6; i++) all[i] = add_crate(s, half_width(s) - 0.5 + i, 0.5);
    settle(s);
    for (i = 0; i < steps_in(s, 1); i++) {
        for (k = 0; k < 6; k++) before[k] = x_of(s, all[k]);
        set_vx(s, all[0], 3);
        scene_step(s);
        for (k = 0; k < 6; k++) EXPECT_NEAR(x_of(s, all[k]) - before[k], 3 * (double)s->dt, 1e-5);
        for (k = 1; k < 6; k++) EXPECT_IN(gap_between(s, all[k - 1], all[k]), -SLOP, SLOP);
    }
}

/* G02 from the side: a pushable ball that runs between two unpushables, or one and a wall, with less room than it needs,
   shoves neither of them. It stays in front of them. */
SCENARIO(G02_between_unpushables, RATE_60)
{
    int kind, i;
    for (kind = 0; kind < 8; kind++) {
        bool          wall = (kind & 1) != 0, held = (kind & 2) != 0;
        kin_push      push = kind & 4 ? KIN_UNPUSHABLE : KIN_PUSHABLE;
        kin_body_desc d;
        kin_id        b, left, right;
        kin_pose      at_left, at_right;
        open_floating(s);
        d = body_desc(s, 0.9, 0);
        d.shape = kin_ball(0.5f);
        right = put_body(s, &d);
        d.position = v2(s, -0.95, 0);
        left = wall ? add_static_box(s, -2, -10, -0.45, 10) : put_body(s, &d);
        d.position = v2(s, 0.06, 1.4);
        d.push = push;
        b = put_body(s, &d);
        at_left = pose_now(s, left);
        at_right = pose_now(s, right);
        for (i = 0; i < steps_in(s, 1); i++) {
            if (i == 0 || held) set_v(s, b, 0, -3);
            scene_step(s);
            EXPECT(same_pose(at_right, pose_now(s, right)));
            EXPECT(same_pose(at_left, pose_now(s, left)));
        }
        EXPECT(y_of(s, b) > 0.1);
        EXPECT_IN(vy_of(s, b), -3, 1e-4);   /* nor does it come back */
    }
}

/* G03 five in a row: touching crates: all move by the same amount in the same step, pairwise overlap <= 0.005 in every
   step. */
SCENARIO(G03_five_in_a_row, RATE_60 | ALL_SHAPES)
{
    push_row_of_five(s);
}

/* G03 where floats change their spacing, at x = 512: neighbours round differently, but what that adds up to is pushed
   along, not taken apart. */
SCENARIO(G03_where_spacing_changes, RATE_60)
{
    enum { COUNT = 13 };
    kin_id all[COUNT];
    double before[COUNT];
    int    i, k;
    open_earth(s);
    add_static_box(s, 490, -1, 550, 0);
    all[0] = add_body(s, 505, 0.5);
    for (k = 1; k < COUNT; k++) all[k] = add_crate(s, 504.5 + half_width(s) + k, 0.5);
    settle(s);
    for (i = 0; i < steps_in(s, 4); i++) {
        for (k = 0; k < COUNT; k++) before[k] = x_of(s, all[k]);
        set_vx(s, all[0], 3.1);
        scene_step(s);
        for (k = 0; k < COUNT; k++) EXPECT_NEAR(x_of(s, all[k]) - before[k], 3.1 * (double)s->dt, 4e-4);
        for (k = 1; k < COUNT; k++) EXPECT_IN(gap_between(s, all[k - 1], all[k]), -3e-4, SLOP);
    }
}

/* G04 row into a wall: gaps of 0.1 between crates: gaps close one by one, then everything stops in one step; last crate
   at the wall REST; B vx 0; 500 still steps BIT. */
SCENARIO(G04_row_into_a_wall, ALL_SHAPES)
{
    kin_id   all[4], wall;
    kin_pose poses[4];
    int      closed[4] = { 0, 0, 0, 0 }, i, k, stopped = 0;
    open_earth(s);
    add_floor(s);
    wall = add_static_box(s, 4.9, 0, 6, 5);
    all[0] = add_body(s, 0, 0.5);
    for (i = 1; i < 4; i++) all[i] = add_crate(s, half_width(s) - 0.5 + 1.1 * i, 0.5);
    settle(s);
    for (i = 1; i < 200 && !stopped; i++) {
        set_vx(s, all[0], 3);
        scene_step(s);
        for (k = 1; k < 4; k++)
            if (!closed[k] && gap_between(s, all[k - 1], all[k]) <= SLOP) closed[k] = i;
        if (gap_between(s, all[3], wall) <= SLOP) stopped = i;
    }
    EXPECT(closed[1] > 0 && closed[1] < closed[2] && closed[2] < closed[3] && closed[3] < stopped);
    EXPECT_NEAR(vx_of(s, all[0]), 0, 1e-4);
    for (k = 0; k < 4; k++) poses[k] = pose_now(s, all[k]);
    for (i = 0; i < 500; i++) {
        set_vx(s, all[0], 3);
        scene_step(s);
        for (k = 0; k < 4; k++) EXPECT(same_pose(poses[k], pose_now(s, all[k])));
        EXPECT_NEAR(vx_of(s, all[0]), 0, 1e-4);
    }
    EXPECT_REST(gap_between(s, all[3], wall));
}

/* G04 wherever the wall is, and whatever is left to it when the step before ends: the row does not tear. */
SCENARIO(G04_wherever_the_wall_is, RATE_60)
{
    int at, i, k;
    for (at = 0; at < 24; at++) {
        kin_id all[4], wall;
        open_earth(s);
        add_floor(s);
        wall = add_static_box(s, 4 + at * 0.002, 0, 6, 5);
        all[0] = add_body(s, 0, 0.5);
        for (i = 1; i < 4; i++) all[i] = add_crate(s, 1.002 * i, 0.5);
        for (i = 0; i < steps_in(s, 0.5); i++) {
            set_vx(s, all[0], 3);
            scene_step(s);
            for (k = 1; k < 4 && i > 2; k++) EXPECT_REST(gap_between(s, all[k - 1], all[k]));
        }
        EXPECT_REST(gap_between(s, all[3], wall));
        EXPECT_NEAR(vx_of(s, all[0]), 0, 1e-4);
    }
}

/* ---- G06: head-on -------------------------------------------------------------------------------------------------- */

typedef struct meeting { double a[200], b[200]; int step; double where; } meeting;

/* Two bodies run at each other for 200 steps; `turned` adds the right one first. */
static void head_on(scene *s, kin_push push, double va, double vb, bool turned, meeting *out)
{
    kin_id ids[2];
    int    i;
    open_earth(s);
    add_floor(s);
    for (i = 0; i < 2; i++) {
        int           left = turned ? i == 1 : i == 0;
        kin_body_desc d = body_desc(s, left ? -4 : 4, 0.5);
        d.push = push;
        d.glide = push == KIN_PUSHABLE;
        ids[left ? 0 : 1] = put_body(s, &d);
    }
    settle(s);
    memset(out, 0, sizeof *out);
    set_vx(s, ids[0], va);
    set_vx(s, ids[1], vb);
    for (i = 0; i < 200; i++) {
        if (push == KIN_UNPUSHABLE) {
            set_vx(s, ids[0], va);
            set_vx(s, ids[1], vb);
        }
        scene_step(s);
        out->a[i] = x_of(s, ids[0]);
        out->b[i] = x_of(s, ids[1]);
        EXPECT(out->a[i] < out->b[i]);
        if (!out->step && !(fabs(vx_of(s, ids[0]) - va) < 1e-4)) {
            out->step = i + 1;
            out->where = 0.5 * (right_of(s, ids[0]) + left_of(s, ids[1]));
            EXPECT_NEAR(vx_of(s, ids[0]), push == KIN_PUSHABLE ? vb : 0, 1e-4);
            EXPECT_NEAR(vx_of(s, ids[1]), push == KIN_PUSHABLE ? va : 0, 1e-4);
        }
    }
}

static void same_meeting(scene *s, const meeting *one, const meeting *two)
{
    int i;
    for (i = 0; i < 200; i++) {
        EXPECT_NEAR(one->a[i], two->a[i], 1e-5);
        EXPECT_NEAR(one->b[i], two->b[i], 1e-5);
    }
}

/* G06 head-on: two controllable bodies, +3 and -3, unpushable: stop at contact, midpoint 0 +-0.005, same for both
   insertion orders. Both pushable with glide and unequal (+5, -3): they meet where the raw motions meet, then the
   velocities along the normal are exchanged (-3, +5); no overlap, bodies never change sides, result independent of
   insertion order and mirror-symmetric. */
SCENARIO(G06_head_on, ALL_SHAPES)
{
    meeting one, two;
    double  w = half_width(s), t = (8 - 2 * w) / 8;
    head_on(s, KIN_UNPUSHABLE, 3, -3, false, &one);
    EXPECT_NEAR(0.5 * (one.a[199] + one.b[199]), 0, 0.005);
    EXPECT_REST(one.b[199] - one.a[199] - 2 * w);
    head_on(s, KIN_UNPUSHABLE, 3, -3, true, &two);
    same_meeting(s, &one, &two);
    head_on(s, KIN_PUSHABLE, 5, -3, false, &one);
    EXPECT_NEAR(one.step, t * 128, 1);
    EXPECT_NEAR(one.where, -4 + w + 5 * t, 0.005);
    head_on(s, KIN_PUSHABLE, 5, -3, true, &two);
    same_meeting(s, &one, &two);
}

/* G07 blocked axis, free axis: top-down g = 0. Wall face x = 0.5, crate at (0, 0) touching it, B at (-1.01, 0) held
   (3, 2), 0.25 s. Crate BIT-unmoved; B.x >= -1.01, B.y = 0.5 +-0.005. */
SCENARIO(G07_blocked_axis_free_axis, 0)
{
    kin_id   b, crate;
    kin_pose pose;
    int      i;
    open_floating(s);
    add_static_box(s, 0.5, -50, 1.5, 50);
    crate = add_crate(s, 0, 0);
    b = add_body(s, -1.01, 0);
    pose = pose_now(s, crate);
    for (i = 0; i < 32; i++) {
        set_v(s, b, 3, 2);
        scene_step(s);
        EXPECT(same_pose(pose, pose_now(s, crate)));
        EXPECT(x_of(s, b) >= (double)-1.01f);
    }
    EXPECT_NEAR(y_of(s, b), 0.5, 0.005);
}

/* G09 diagonal corner contact: pusher meets the crate's corner at 45 deg: picks one axis deterministically, same for the
   mirrored case, no jump > 0.05. */
SCENARIO(G09_diagonal_corner_contact, 0)
{
    kin_id b, crate;
    dv     at[2], was[2];
    double dx, dy;
    int    i, k;
    open_floating(s);
    b = add_body(s, -2, -2);
    crate = add_crate(s, 0, 0);
    was[0] = dv_of(pose_now(s, b).p);
    was[1] = dv_of(pose_now(s, crate).p);
    for (i = 0; i < 192; i++) {
        set_v(s, b, 3, 3);
        scene_step(s);
        at[0] = dv_of(pose_now(s, b).p);
        at[1] = dv_of(pose_now(s, crate).p);
        for (k = 0; k < 2; k++) {
            EXPECT_IN(dv_len(dv_sub(at[k], was[k])), 0, 3 * sqrt(2) / 128 + 0.05);
            was[k] = at[k];
        }
    }
    dx = fabs(x_of(s, crate));
    dy = fabs(y_of(s, crate));
    EXPECT_IN(fmin(dx, dy), 0, 1e-4);
    EXPECT(fmax(dx, dy) > 0.3);
}

/* As G01_pushed_by_an_equal, with rows of two to four crates: each has to get the speed from the one before;
   then all move together, and stop together. */
SCENARIO(G03_row_pushed_by_an_equal, ALL_SHAPES)
{
    int count, i, k;
    for (count = 2; count <= 4; count++) {
        kin_id all[5];
        double from[5];
        open_earth(s);
        add_floor(s);
        all[0] = add_body(s, -1.05, 0.5);
        set_push(s, all[0], KIN_PUSHABLE);
        for (k = 1; k <= count; k++) all[k] = add_crate(s, 1.002 * (k - 1), 0.5);
        settle(s);
        for (i = 0; i < 32; i++) {
            set_vx(s, all[0], 3);
            scene_step(s);
        }
        for (k = 0; k <= count; k++) from[k] = x_of(s, all[k]);
        for (i = 1; i <= 64; i++) {
            set_vx(s, all[0], 3);
            scene_step(s);
            for (k = 0; k <= count; k++) EXPECT_NEAR(x_of(s, all[k]) - from[k], i * 3.0 / 128, 1e-3);
            for (k = 1; k <= count; k++) EXPECT_NEAR(vx_of(s, all[k]), 3, 1e-3);
        }
        for (k = 0; k <= count; k++) from[k] = x_of(s, all[k]);
        set_vx(s, all[0], 0);
        scene_step(s);
        for (k = 0; k <= count; k++) EXPECT_IN(x_of(s, all[k]), from[k], from[k]);
        for (k = 0; k <= count; k++) EXPECT_IN(vx_of(s, all[k]), 0, 0);
    }
}

/* G04 by an equal: a pushable walks a row of others to a wall, or to an unpushable. Then all of them stand still, and no
   velocity is left in any of them. */
SCENARIO(G04_row_pushed_by_an_equal_to_a_wall, ALL_SHAPES | RATE_60)
{
    int kind, count, i, k;
    for (kind = 0; kind < 4; kind++)
        for (count = 1; count <= 5; count++) {
            kin_id all[6];
            if (kind & 1) open_floating(s);
            else open_earth(s);
            add_floor(s);
            all[0] = add_body(s, -1.05, 0.5);
            set_push(s, all[0], KIN_PUSHABLE);
            for (k = 1; k <= count; k++) all[k] = add_crate(s, 1.1 * (k - 1), 0.5);
            if (kind & 2) add_body(s, 1.1 * count + 1, 0.5);
            else add_static_box(s, 1.1 * count + 0.5, 0, 1.1 * count + 1.5, 4);
            for (i = 0; i < steps_in(s, 2); i++) {
                kin_pose was[6];
                for (k = 0; k <= count; k++) was[k] = pose_now(s, all[k]);
                set_vx(s, all[0], 3);
                scene_step(s);
                if (i < steps_in(s, 1)) continue;
                for (k = 0; k <= count; k++) EXPECT(same_pose(pose_now(s, all[k]), was[k]));
                for (k = 0; k <= count; k++) EXPECT_IN(vx_of(s, all[k]), 0, 0);
            }
        }
}

/* P-P at a wall: who is held does not get what would press it on, but the other one gets what it is met with; and what
   has gone from there holds nobody. */
SCENARIO(G06_exchange_at_a_wall, 0)
{
    int gone;
    for (gone = 0; gone < 3; gone++) {
        kin_body_desc d;
        kin_id        a, b, wall;
        open_floating(s);
        wall = add_static_box(s, 0.502, -2.5, 1.5, 2.5);
        d = crate_desc(s, 0, 0);
        d.glide = true;
        b = put_body(s, &d);
        d.position = v2(s, -1.04, 0);
        a = put_body(s, &d);
        run(s, 4);
        if (gone) take_out(s, wall);
        set_vx(s, a, 3);
        set_vx(s, b, gone == 1 ? 0 : -2);
        scene_step(s);
        scene_step(s);
        EXPECT_NEAR(vx_of(s, a), gone == 1 ? 0 : -2, 1e-4);
        EXPECT_NEAR(vx_of(s, b), gone ? 3 : 0, 1e-4);
    }
}

/* Seen from above: a crate that was pushed along others, and turned aside by them, stops when its pusher is gone. */
SCENARIO(G05_stops_when_the_pusher_is_gone, RATE_60)
{
    int k, i;
    for (k = 0; k < 16; k++) {
        kin_body_desc d;
        kin_id        b, crate;
        kin_pose      pose;
        open_floating(s);
        d = body_desc(s, -1.1, -0.05 * k);
        d.shape = kin_ball(0.5f);
        b = put_body(s, &d);
        d = crate_desc(s, 0, 0);
        d.shape = kin_ball(0.5f);
        crate = put_body(s, &d);
        d = body_desc(s, 0, 1.01);
        d.shape = body_box(20, 1);
        put_body(s, &d);
        for (i = 0; i < 32; i++) {
            set_vx(s, b, 3);
            scene_step(s);
        }
        kin_remove(s->world, b);
        scene_step(s);
        pose = pose_now(s, crate);
        EXPECT_NEAR(vx_of(s, crate), 0, 1e-5);
        EXPECT_NEAR(vy_of(s, crate), 0, 1e-5);
        run(s, 64);
        EXPECT(same_pose(pose, pose_now(s, crate)));
    }
}

/* A crate that is taken out of a pushed row leaves those before it without a pusher: they stop in that very step, and go
   on when the gap has closed. */
SCENARIO(G05_a_gap_in_the_row, RATE_60 | ALL_SHAPES)
{
    enum { ROW = 5, MIDDLE = 2 };
    int way, i, k;
    for (way = 0; way < 4; way++) {
        kin_id b, row[ROW];
        double from;
        open_earth(s);
        add_floor(s);
        b = add_body(s, -half_width(s) - 0.002, 0.501);
        for (k = 0; k < ROW; k++) row[k] = add_crate(s, 0.5 + 1.002 * k, 0.501);
        settle(s);
        for (i = 0; i < 16; i++) {
            set_vx(s, b, 3);
            scene_step(s);
        }
        from = x_of(s, row[MIDDLE + 1]);
        if (way == 0) teleport(s, row[MIDDLE], x_of(s, row[MIDDLE]), 9);
        if (way == 1) take_out(s, row[MIDDLE]);
        if (way == 2) set_enabled(s, row[MIDDLE], false);
        if (way == 3) set_push(s, row[MIDDLE], KIN_INTANGIBLE);
        for (i = 0; i < 8; i++) {
            set_vx(s, b, 3);
            scene_step(s);
            EXPECT_IN(x_of(s, row[MIDDLE + 1]), from, from);
            EXPECT_IN(vx_of(s, row[MIDDLE + 1]), 0, 0);
        }
        for (i = 0; i < steps_in(s, 0.5); i++) {
            set_vx(s, b, 3);
            scene_step(s);
        }
        EXPECT_REST(gap_between(s, row[MIDDLE - 1], row[MIDDLE + 1]));
        EXPECT_NEAR(vx_of(s, row[ROW - 1]), 3, 1e-3);
    }
}

/* Seen from above: foes that all walk to one place and press on each other do not shake. */
SCENARIO(G06_three_press_together, RATE_60)
{
    enum { MOST = 4 };
    int count, push, i, k;
    for (count = 2; count <= MOST; count++)
        for (push = KIN_PUSHABLE; push <= KIN_UNPUSHABLE; push++) {
            kin_id all[MOST];
            double x[MOST], y[MOST], angle, far;
            open_floating(s);
            for (k = 0; k < count; k++) {
                kin_body_desc d;
                angle = 6.2832 * k / count + (k == 1 ? 0.3 : 0);
                d = body_desc(s, (2 + 0.3 * k) * cos(angle), (2 + 0.3 * k) * sin(angle));
                d.shape = kin_ball(0.5f);
                d.push = (kin_push)push;
                all[k] = put_body(s, &d);
            }
            for (i = 0; i < 1024; i++) {
                for (k = 0; k < count; k++) {
                    x[k] = x_of(s, all[k]);
                    y[k] = y_of(s, all[k]);
                    far = sqrt(x[k] * x[k] + y[k] * y[k]);
                    if (far > 0.01) set_v(s, all[k], -2 * x[k] / far, -2 * y[k] / far);
                }
                scene_step(s);
                for (k = 0; k < count && i > 896; k++) {
                    EXPECT_NEAR(x_of(s, all[k]), x[k], 1e-3);
                    EXPECT_NEAR(y_of(s, all[k]), y[k], 1e-3);
                }
            }
        }
}

/* A tall one held at (2, 0) pushes one crate, or two in a row, along a wall that leans away by `lean`. The first slides
   as if it went there by itself, with (2 sin^2, -2 sin cos); the others follow with the part of that along the push. */
static void slide_along(scene *s, double lean, int crates)
{
    kin_static_desc wall;
    kin_body_desc   d;
    kin_id          b, crate[2];
    double          vx = 2 * sin(lean) * sin(lean), vy = -2 * sin(lean) * cos(lean), y;
    int             i, k;
    open_floating(s);
    wall = static_desc(s, -0.5, -20, 0.5, 20);
    wall.position = v2(s, 1.3 + 0.5 / cos(lean), 0);
    wall.rotation = turn(s, lean);
    put_static(s, &wall);
    for (k = 0; k < crates; k++) crate[k] = add_crate(s, -1.05 * k, 0);
    d = body_desc(s, -1.05 * crates, 0);
    d.shape = body_box(1, 3);
    b = put_body(s, &d);
    for (i = 0; i < 96; i++) {
        set_v(s, b, 2, 0);
        scene_step(s);
        if (i < 64) continue;
        EXPECT_NEAR(motion_x(s, crate[0]), vx, 0.01);
        EXPECT_NEAR(vx_of(s, crate[0]), vx, 1e-4);
        EXPECT_NEAR(vy_of(s, crate[0]), vy, 1e-4);
        EXPECT_NEAR(vx_of(s, b), vx, 1e-4);
        for (k = 1; k < crates; k++) EXPECT_NEAR(vx_of(s, crate[k]), vx, 1e-4);
    }
    set_v(s, b, 0, 0);
    run(s, 2);
    y = y_of(s, crate[0]);
    run(s, 32);
    EXPECT_IN(y_of(s, crate[0]) - y, 0, 0);   /* what the wall turned aside was given too, and is lost */
}

/* G09 along a slanted wall: what moves on reports the velocity with which it does; into the wall, nothing is left. */
SCENARIO(G09_along_a_slanted_wall, 0)
{
    int crates;
    for (crates = 1; crates <= 2; crates++) {
        slide_along(s, 0, crates);
        slide_along(s, 0.1, crates);
        slide_along(s, 0.3, crates);
        slide_along(s, 0.5, crates);
    }
}

/* G06 for the pushed: who is put back after a push, here a tall one that another stops above, takes the crate along. */
SCENARIO(G06_pushed_as_far_as_the_pusher_comes, RATE_60)
{
    kin_body_desc d;
    kin_id        tall, crate, other;
    open_floating(s);
    d = body_desc(s, 0, 1);
    d.shape = body_box(1, 2);
    tall = put_body(s, &d);
    d = crate_desc(s, 1.01, 0.5);
    d.shape = body_box(1, 0.9);
    crate = put_body(s, &d);
    d = body_desc(s, 1.05, 1.5);
    d.shape = body_box(1, 0.9);
    other = put_body(s, &d);
    set_vx(s, tall, 6);
    set_vx(s, other, -6);
    scene_step(s);
    EXPECT_NEAR(x_of(s, tall), 0.025, 0.002);
    EXPECT_NEAR(x_of(s, other), 1.025, 0.002);
    EXPECT_REST(gap_between(s, tall, crate));
    EXPECT_NEAR(vx_of(s, crate), 0, 1e-4);
}

/* G10 over a ledge: floor ends x = 0; crate from -2, push 2 u/s: leaves ground when its centre passes 0.5; falls, final x
   in [0.5, 1.1]; does not hang on the corner. */
SCENARIO(G10_over_a_ledge, ALL_SHAPES)
{
    kin_id b, crate;
    int    i, left = 0;
    open_earth(s);
    add_static_box(s, -20, -1, 0, 0);
    add_static_box(s, -20, -3, 20, -1);
    crate = add_crate(s, -2, 0.5);
    b = add_body(s, -2.502 - half_width(s), 0.5);
    settle(s);
    for (i = 0; i < 384; i++) {
        set_vx(s, b, left ? 0 : 2);
        scene_step(s);
        if (!left && !grounded(s, crate)) {
            left = i;
            EXPECT_IN(x_of(s, crate), 0.5 - SLOP, 0.5 + 2.0 / 128 + SLOP);
        }
    }
    EXPECT(left > 0);
    EXPECT(grounded(s, crate));
    EXPECT_REST(bottom_of(s, crate) + 1);
    EXPECT_IN(x_of(s, crate), 0.5, 1.1);
}

/* G11 stack: crate on crate, push the lower 2 u/s 1 s: upper's offset within 0.001. Push the upper: lower BIT-still. */
SCENARIO(G11_stack, 0)
{
    kin_id   b, lower, upper;
    kin_pose pose;
    double   offset, x;
    int      i;
    open_earth(s);
    add_floor(s);
    b = add_body(s, 0, 0.5);
    lower = add_crate(s, half_width(s) + 0.502, 0.5);
    upper = add_crate(s, half_width(s) + 0.502, 1.5);
    settle(s);
    offset = x_of(s, upper) - x_of(s, lower);
    x = x_of(s, lower);
    for (i = 0; i < 128; i++) {
        set_vx(s, b, 2);
        scene_step(s);
        EXPECT_NEAR(x_of(s, upper) - x_of(s, lower), offset, 0.001);
        EXPECT_REST(gap_between(s, upper, lower));
    }
    EXPECT_NEAR(x_of(s, lower) - x, 2, 0.01);

    open_earth(s);
    add_floor(s);
    add_static_box(s, -20, 0, 0.45, 1);
    b = add_body(s, -1, 1.5);
    lower = add_crate(s, 1, 0.5);
    upper = add_crate(s, 1, 1.5);
    settle(s);
    pose = pose_now(s, lower);
    x = x_of(s, upper);
    for (i = 0; i < 96; i++) {
        set_vx(s, b, 2);
        scene_step(s);
        EXPECT(same_pose(pose, pose_now(s, lower)));
    }
    EXPECT(x_of(s, upper) > x + 0.3);
}

/* G11 with round bodies: a ball on a pushed crate, and on that another one, off its middle, so that it stands on a slope. */
SCENARIO(G11_round_stack, ALL_SHAPES)
{
    kin_body_desc d;
    kin_id        b, all[3];
    double        x[3], y[3];
    int           i, k;
    open_earth(s);
    add_floor(s);
    b = add_body(s, -0.602 - half_width(s), 0.5);
    d = crate_desc(s, 0, 0.502);
    d.shape = body_box(1.2, 1);
    all[0] = put_body(s, &d);
    d.shape = kin_ball(0.5f);
    d.position = v2(s, 0, 1.504);
    all[1] = put_body(s, &d);
    d.position = v2(s, 0.1, 2.502);
    all[2] = put_body(s, &d);
    settle(s);
    for (k = 0; k < 3; k++) { x[k] = x_of(s, all[k]) - x_of(s, all[0]); y[k] = y_of(s, all[k]); }
    for (i = 0; i < 256; i++) {
        set_vx(s, b, 2);
        scene_step(s);
        for (k = 0; k < 3; k++) {
            EXPECT(grounded(s, all[k]));
            EXPECT_NEAR(x_of(s, all[k]) - x_of(s, all[0]), x[k], 0.001);
            EXPECT_NEAR(y_of(s, all[k]), y[k], 0.001);
        }
    }
    EXPECT(x_of(s, all[0]) > 3.9);
}

/* G11 up a slope: what stands on the crate goes the crate's way. */
SCENARIO(G11_stack_up_a_slope, ALL_SHAPES)
{
    kin_body_desc d;
    kin_id        b, lower, upper;
    double        k = tan(DEGREES(25)), offset, height, x;
    int           i;
    open_earth(s);
    add_slope(s, -20, -20 * k, 25, 100);
    d = body_on_slope(s, 0, 0, 25);
    d.shape = body_box(1, 1);
    d.position.y += 0.3f;
    b = put_body(s, &d);
    d.position = v2(s, (double)d.position.x * (double)s->mirror + 1.2, (double)d.position.y + 1.2 * k);
    d.push = KIN_PUSHABLE;
    lower = put_body(s, &d);
    settle(s);
    d = body_desc(s, x_of(s, lower), y_of(s, lower) + 1.01);
    d.push = KIN_PUSHABLE;
    upper = put_body(s, &d);
    settle(s);
    offset = x_of(s, upper) - x_of(s, lower);
    height = y_of(s, upper) - y_of(s, lower);
    x = x_of(s, lower);
    for (i = 0; i < 256; i++) {
        set_vx(s, b, 2);
        scene_step(s);
        EXPECT(grounded(s, lower) && grounded(s, upper));
        EXPECT_NEAR(x_of(s, upper) - x_of(s, lower), offset, 0.001);
        EXPECT_NEAR(y_of(s, upper) - y_of(s, lower), height, 0.001);
    }
    EXPECT(x_of(s, lower) > x + 3);
}

/* ---- G13, G14: from below and above ------------------------------------------------------------------------------------ */

/* A crate 2 wide on two beams, B under the gap between them; `b` jumps. */
static void under_the_beams(scene *s, kin_push push, bool lid, kin_id *b, kin_id *crate)
{
    kin_body_desc d;
    open_earth(s);
    add_floor(s);
    add_static_box(s, -5, 2, -0.7, 2.28);
    add_static_box(s, 0.7, 2, 5, 2.28);
    d = crate_desc(s, 0, 2.78);
    d.shape = body_box(2, 1);
    *crate = put_body(s, &d);
    d = body_desc(s, 0, 0.5);
    d.push = push;
    *b = put_body(s, &d);
    settle(s);
    if (lid) add_static_box(s, -5, top_of(s, *crate), 5, top_of(s, *crate) + 1);
    set_vy(s, *b, 12);
}

/* Steps until B meets the crate; B's speed just before. */
static double until_headbutt(scene *s, kin_id b, kin_id crate)
{
    double vy = 12;
    int    i;
    clear_events(s);
    for (i = 0; i < 64; i++) {
        vy = vy_of(s, b) - 30.0 / 128;
        if (!scene_step(s)) return vy;
        if (count_events(s, KIN_EVENT_BEGAN, b, crate) > 0) return vy;
    }
    scene_fail(s, "B never met the crate");
    return vy;
}

/* G13 headbutt: B jumps 12 under a crate resting on two beams: unpushable B lifts it along (crate takes B's vertical
   speed) and it comes down on its beams again, x BIT-unchanged; pushable B: vertical velocities are exchanged. With a
   static lid on the crate: crate BIT-still, B.vy 0. */
SCENARIO(G13_headbutt, ALL_SHAPES)
{
    kin_id   b, crate;
    kin_pose pose;
    double   vy, apex = 0;
    int      i;
    under_the_beams(s, KIN_UNPUSHABLE, false, &b, &crate);
    pose = pose_now(s, crate);
    vy = until_headbutt(s, b, crate);
    EXPECT_NEAR(vy_of(s, b), vy, 0.01);
    EXPECT_NEAR(vy_of(s, crate), vy, 0.01);
    for (i = 0; i < 256; i++) {
        scene_step(s);
        apex = fmax(apex, y_of(s, crate));
        EXPECT(same_float(pose_now(s, crate).p.x, pose.p.x));
    }
    EXPECT(apex > (double)pose.p.y + 0.9);
    EXPECT(grounded(s, crate));
    EXPECT_NEAR(y_of(s, crate), (double)pose.p.y, SLOP);
    EXPECT(grounded(s, b));

    under_the_beams(s, KIN_PUSHABLE, false, &b, &crate);
    vy = until_headbutt(s, b, crate);
    EXPECT_NEAR(vy_of(s, crate), vy, 0.01);
    EXPECT_NEAR(vy_of(s, b), 0, 0.01);
    run(s, 256);
    EXPECT(grounded(s, crate) && grounded(s, b));

    under_the_beams(s, KIN_UNPUSHABLE, true, &b, &crate);
    pose = pose_now(s, crate);
    until_headbutt(s, b, crate);
    EXPECT_NEAR(vy_of(s, b), 0, 1e-4);
    for (i = 0; i < 128; i++) {
        EXPECT(same_pose(pose, pose_now(s, crate)));
        scene_step(s);
    }
}

/* G14 crate lands on a head: B stands; crate dropped on it: rests REST on the head; B walks 2 u/s, crate carried; B
   jumps: both rise. */
SCENARIO(G14_crate_lands_on_a_head, 0)
{
    kin_id b, crate;
    double offset, x, apex = 0;
    int    i;
    open_earth(s);
    add_floor(s);
    b = add_body(s, 0, 0.5);
    crate = add_crate(s, 0, 4);
    run(s, 128);
    EXPECT(grounded(s, crate));
    EXPECT(kin_same(kin_get_ground(s->world, crate).id, b));
    EXPECT_REST(gap_between(s, crate, b));
    EXPECT_REST(bottom_of(s, b));
    offset = x_of(s, crate) - x_of(s, b);
    x = x_of(s, b);
    for (i = 0; i < 128; i++) {
        set_vx(s, b, 2);
        scene_step(s);
        EXPECT_NEAR(x_of(s, crate) - x_of(s, b), offset, 0.001);
        EXPECT_REST(gap_between(s, crate, b));
    }
    EXPECT_NEAR(x_of(s, b) - x, 2, 0.01);
    set_v(s, b, 0, 12);
    for (i = 0; i < 128; i++) {
        scene_step(s);
        apex = fmax(apex, bottom_of(s, crate));
        EXPECT(bottom_of(s, crate) > top_of(s, b) - SLOP);
    }
    EXPECT_IN(apex, 1 + 2.29, 1 + 2.6);
    EXPECT_REST(gap_between(s, crate, b));
}

/* G14 on a round head, off its middle, so that the rider stands on a slope that comes towards it or goes away: it is no
   more run into than on a mover of that shape. Where a wall holds the rider, the head goes on under it or stops. */
static void walk_under(scene *s, int kind, double offset, bool walled)
{
    kin_body_desc d;
    kin_id        b, rider;
    double        x, y;
    int           i;
    open_earth(s);
    add_floor(s);
    if (walled) add_static_box(s, 1.5, 1.9, 3, 8);
    d = body_desc(s, 0, 0.902);
    d.shape = kin_capsule(1.8f, 0.4f);
    d.push = kind & 1 ? KIN_UNPUSHABLE : KIN_PUSHABLE;
    b = put_body(s, &d);
    d.push = kind & 2 ? KIN_UNPUSHABLE : KIN_PUSHABLE;
    d.position = v2(s, offset, 1.902 + sqrt(0.802 * 0.802 - offset * offset));
    rider = put_body(s, &d);
    settle(s);
    set_vx(s, rider, 0);
    run(s, 2);
    x = x_of(s, rider) - x_of(s, b);
    y = y_of(s, rider);
    for (i = 0; i < 128; i++) {
        set_vx(s, b, 3);
        scene_step(s);
        EXPECT(gap_between(s, b, rider) >= -0.0001);
        EXPECT(!kin_is_embedded(s->world, rider) && !kin_is_embedded(s->world, b));
        if (walled) continue;
        EXPECT(grounded(s, rider));
        EXPECT_NEAR(x_of(s, rider) - x_of(s, b), x, 0.001);
        EXPECT_NEAR(y_of(s, rider), y, 0.001);
    }
    if (walled) EXPECT(x_of(s, rider) < 1.1);
}

SCENARIO(G14_off_the_middle_of_a_head, RATE_60)
{
    int kind, k;
    for (kind = 0; kind < 4; kind++)
        for (k = -2; k <= 2; k++) {
            walk_under(s, kind, 0.15 * k, false);
            walk_under(s, kind, 0.15 * k, true);
        }
}

/* G14 over crates side by side, whose tops differ by less than slop: B walks over that lip, forth and back; it is not
   stopped, and moves neither of them. */
SCENARIO(G14_over_a_lip, RATE_60)
{
    int kind, k, i;
    for (kind = 0; kind < 2; kind++)
        for (k = 0; k <= 4; k++) {
            kin_body_desc d;
            kin_id        b, crates[2];
            double        x[2];
            open_earth(s);
            add_floor(s);
            for (i = 0; i < 2; i++) {
                d = crate_desc(s, 1.002 * i, 0.502 + 0.0005 * k * i);
                d.shape = body_box(1, 1 + 0.001 * k * i);
                d.push = kind ? KIN_UNPUSHABLE : KIN_PUSHABLE;
                crates[i] = put_body(s, &d);
            }
            b = add_body(s, 0, 1.5);   /* where crates set on the grid would leave it: 0.002 too low */
            settle(s);
            for (i = 0; i < 2; i++) x[i] = x_of(s, crates[i]);
            for (i = 0; i < 2 * steps_in(s, 0.5); i++) {
                set_vx(s, b, i < steps_in(s, 0.5) ? 2 : -2);
                scene_step(s);
                EXPECT(grounded(s, b));
                EXPECT(gap_between(s, b, crates[0]) >= -0.0001 && gap_between(s, b, crates[1]) >= -0.0001);
                EXPECT_NEAR(x_of(s, crates[0]), x[0], 0);
                EXPECT_NEAR(x_of(s, crates[1]), x[1], 0);
                if (i == steps_in(s, 0.5) - 1) EXPECT_NEAR(x_of(s, b), 1, 0.01);
            }
            EXPECT_NEAR(x_of(s, b), 0, 0.01);
        }
}

/* A pushable told to jump under an unpushable that stands on it, and on whose other side is a slab a little lower: the
   rider stays where it is, so the jump is blocked; nobody sinks into anybody. */
SCENARIO(G14_jump_under_a_rider, RATE_60)
{
    int k, i;
    for (k = 0; k <= 8; k++) {
        kin_body_desc d;
        kin_id        lower, upper;
        kin_pose      pose;
        open_earth(s);
        add_floor(s);
        add_static_box(s, -8, 0, -4.27, 0.507 - 0.004 * k);
        d = crate_desc(s, -3.26, 0.252);
        d.shape = body_box(2, 0.5);
        lower = put_body(s, &d);
        d.push = KIN_UNPUSHABLE;
        d.position = v2(s, -3.31, 0.76);
        upper = put_body(s, &d);
        settle(s);
        EXPECT(kin_same(kin_get_ground(s->world, upper).id, lower) || k < 2);
        pose = pose_now(s, upper);
        for (i = 0; i < 4; i++) {
            set_vy(s, lower, 9);
            scene_step(s);
            EXPECT(same_pose(pose, pose_now(s, upper)));
            EXPECT(!kin_is_embedded(s->world, upper) && !kin_is_embedded(s->world, lower));
            EXPECT_IN(gap_between(s, lower, upper), -0.0001, 0.02);
        }
        run(s, 32);
        EXPECT(grounded(s, lower) && grounded(s, upper));
    }
}

/* G15 up a slope: 30 deg, 2 u/s: crate climbs, no overlap; pusher stops: crate stays. */
SCENARIO(G15_up_a_slope, 0)
{
    kin_body_desc d;
    kin_id        b, crate;
    double        x, y, k = tan(DEGREES(30));
    int           i;
    open_earth(s);
    add_slope(s, -10, -10 * k, 30, 100);
    d = body_on_slope(s, 0, 0, 30);
    b = put_body(s, &d);
    d = body_on_slope(s, 1.003, 1.003 * k, 30);
    d.push = KIN_PUSHABLE;
    crate = put_body(s, &d);
    settle(s);
    x = x_of(s, crate);
    y = y_of(s, crate);
    for (i = 0; i < 128; i++) {
        set_vx(s, b, 2);
        scene_step(s);
        EXPECT(grounded(s, crate) && grounded(s, b));
    }
    EXPECT_NEAR(x_of(s, crate) - x, 2 * cos(DEGREES(30)), 0.04);
    EXPECT_NEAR(y_of(s, crate) - y, 2 * sin(DEGREES(30)), 0.04);
    set_vx(s, b, 0);
    run(s, 2);
    x = x_of(s, crate);
    y = y_of(s, crate);
    run(s, 128);
    EXPECT_NEAR(x_of(s, crate), x, 1e-4);
    EXPECT_NEAR(y_of(s, crate), y, 1e-4);
}

/* G15 with a row of three that are shaped as B: all climb at B's speed, each on the ground in every step. Round ones push
   each other along the slope, not across it. */
SCENARIO(G15_a_row_up_a_slope, ALL_SHAPES)
{
    int degrees;
    for (degrees = 15; degrees <= 35; degrees += 10) {
        double        k = tan(DEGREES(degrees)), x[3];
        kin_body_desc d;
        kin_id        b, row[3];
        int           i, j;
        open_earth(s);
        add_slope(s, -20, -20 * k, degrees, 100);
        d = body_on_slope(s, -6, -6 * k, degrees);
        d.shape = body_box(1, 1);
        d.position.y += 0.3f;
        b = put_body(s, &d);
        for (i = 0; i < 3; i++) {
            d = body_on_slope(s, -4 + 1.5 * i, (-4 + 1.5 * i) * k, degrees);
            d.push = KIN_PUSHABLE;
            row[i] = put_body(s, &d);
        }
        settle(s);
        for (j = 0; j < 384; j++) {
            set_vx(s, b, 3);
            scene_step(s);
            for (i = 0; i < 3; i++) {
                EXPECT(grounded(s, row[i]));
                if (j == 255) x[i] = x_of(s, row[i]);   /* by now the gaps are closed */
                if (j >= 255) EXPECT_NEAR(vx_of(s, row[i]), 3, 1e-3);
            }
        }
        for (i = 0; i < 3; i++) EXPECT_NEAR(x_of(s, row[i]) - x[i], 3 * cos(DEGREES(degrees)), 0.005);
    }
}

/* A round pusher meets a larger ball below its middle: it rolls along the floor, it is not lifted off. */
SCENARIO(G01_larger_ball, ALL_SHAPES)
{
    kin_body_desc d;
    kin_id        b, ball;
    int           i;
    open_earth(s);
    add_floor(s);
    b = add_body(s, -2, 0.5);
    d = crate_desc(s, 0, 0.8);
    d.shape = kin_ball(0.8f);
    ball = put_body(s, &d);
    settle(s);
    for (i = 0; i < 256; i++) {
        set_vx(s, b, 3);
        scene_step(s);
        EXPECT(grounded(s, ball));
        EXPECT_REST(bottom_of(s, ball));
    }
    EXPECT_NEAR(vx_of(s, ball), 3, 1e-3);
    EXPECT_REST(gap_between(s, b, ball));
}

/* G17 mover through a crate into a body: mover 2 u/s, crate, unpushable body, free space behind: mover pushes both
   (movers ignore pushability). */
SCENARIO(G17_mover_crate_body, ALL_SHAPES)
{
    kin_id m, crate, b;
    open_earth(s);
    add_floor(s);
    m = add_mover(s, -2, 0.55, 1, 1, 2, 0);
    crate = add_crate(s, 0, 0.5);
    b = add_body(s, 1.5, 0.5);
    run(s, 384);
    EXPECT_NEAR(right_of(s, m), 4.5, 0.001);
    EXPECT_REST(gap_between(s, m, crate));
    EXPECT_REST(gap_between(s, crate, b));
    EXPECT_NEAR(x_of(s, b), 5.5 + half_width(s), 0.011);
    EXPECT_IN(count_events(s, KIN_EVENT_CRUSHED, nobody(), nobody()), 0, 0);
    EXPECT(grounded(s, crate) && grounded(s, b));
}

/* A body that waits for a mover does not go to meet it, however near that has come: it stays, or is pushed on. */
SCENARIO(G17_waits_for_the_mover, RATE_60 | ALL_SHAPES)
{
    int k, i;
    for (k = 0; k < 16; k++) {
        kin_id b;
        double before;
        open_earth(s);
        add_floor(s);
        b = add_body(s, half_width(s) + 0.1 + 0.001 * k, 0.5);
        settle(s);
        add_mover(s, -0.5, 1.05, 1, 2, 2, 0);
        for (i = 0; i < 32; i++) {
            before = x_of(s, b);
            scene_step(s);
            EXPECT(x_of(s, b) >= before);
        }
    }
}

/* A wall that comes along pushes crates and what stands on them at once: each rider keeps its place on its crate, also
   one that the wall would reach by itself in the same step. */
SCENARIO(G17_mover_pushes_a_loaded_row, RATE_60)
{
    enum { ROW = 3 };
    int fast, wide, i, k;
    for (fast = 2; fast <= 10; fast += 8)
        for (wide = 0; wide < 2; wide++) {
            kin_id wall, row[ROW], riders[ROW];
            double size = wide ? 1 : 0.9;
            open_earth(s);
            add_floor(s);
            wall = add_mover(s, -0.5, 1.05, 1, 2, 0, 0);
            for (k = 0; k < ROW; k++) {
                kin_body_desc d = crate_desc(s, 0.8 + 1.1 * k, 1.01 + 0.5 * size);
                d.shape = body_box(size, size);
                row[k] = add_crate(s, 0.8 + 1.1 * k, 0.501);
                riders[k] = put_body(s, &d);
            }
            settle(s);
            set_v(s, wall, fast, 0);
            for (i = 0; i < steps_in(s, 4.0 / fast); i++) {
                scene_step(s);
                for (k = 0; k < ROW; k++) {
                    EXPECT_NEAR(x_of(s, riders[k]) - x_of(s, row[k]), 0, 0.001);
                    EXPECT(grounded(s, riders[k]));
                }
                if (i > steps_in(s, 1.0 / fast)) EXPECT_REST(gap_between(s, wall, row[0]));
            }
        }
}

/* G17 on ground that moves: a mover pushes rows that stand on a deck or a belt, however that moves. */
SCENARIO(G17_rows_on_decks, 0)
{
    static const double decks[][2] = { { 1, 0 }, { -1.5, 0 }, { 0.25, 0 }, { 0, 0.7 }, { 0, -0.7 }, { 0, 0 } };
    int which, n, i, k;
    for (which = 0; which < 6; which++)
        for (n = 1; n <= 4; n++) {
            kin_mover_desc d;
            kin_id         m, row[4];
            open_earth(s);
            d = mover_desc(s, 0, -0.5, 40, 1);
            d.velocity = v2(s, decks[which][0], decks[which][1]);
            if (which == 5) d.surface_velocity = v2(s, -1, 0);
            put_mover(s, &d);
            m = add_mover(s, -2.5, 1, 1, 1.9, 2, decks[which][1]);
            for (k = 0; k < n; k++) row[k] = k == 2 ? add_body(s, 2.3, 0.5) : add_crate(s, 1.1 * k, 0.5);
            for (i = 0; i < 256; i++) {
                scene_step(s);
                for (k = 0; k < n; k++) EXPECT(!kin_is_crushed(s->world, row[k]) && (i < 8 || grounded(s, row[k])));
                EXPECT_IN(gap_between(s, m, row[0]), -0.0001, 9);
                for (k = 1; k < n; k++) EXPECT_IN(gap_between(s, row[k - 1], row[k]), -0.0001, 9);
            }
            EXPECT_REST(gap_between(s, m, row[0]));
        }
}

/* G04 by what they stand on: a deck or a belt brings a row to a wall, where it stands in a queue; nobody is crushed or
   shoved, whoever of them is unpushable. */
SCENARIO(G04_brought_to_the_wall, 0)
{
    int kind, n, i, k;
    for (kind = 0; kind < 6; kind++)
        for (n = 2; n <= 7; n++) {
            kin_mover_desc d;
            kin_id         row[7];
            open_earth(s);
            d = mover_desc(s, 0, -0.5, 60, 1);
            if (kind & 1) d.surface_velocity = v2(s, 2, 0);
            else d.velocity = v2(s, 2, 0);
            put_mover(s, &d);
            add_static_box(s, 9, 0.1, 10, 5);
            for (k = 0; k < n; k++) {
                bool unpushable = kind / 2 == 1 || (kind / 2 == 2 && k == 0);
                row[k] = unpushable ? add_body(s, 8.4 - half_width(s) - 1.1 * (n - 1 - k), 0.5)
                                    : add_crate(s, 7.9 - 1.1 * (n - 1 - k), 0.5);
            }
            for (i = 0; i < 256; i++) {
                scene_step(s);
                for (k = 0; k < n; k++) {
                    EXPECT(!kin_is_crushed(s->world, row[k]) && !kin_is_embedded(s->world, row[k]));
                    if (k > 0) EXPECT_IN(gap_between(s, row[k - 1], row[k]), -0.0001, 9);
                }
                EXPECT_IN(right_of(s, row[n - 1]), 0, 9 + 0.0001);
            }
            for (k = 1; k < n; k++) EXPECT_REST(gap_between(s, row[k - 1], row[k]));
        }
}

/* G11 over the seams of a floor of boxes: a crate that was put flush, with another flush on it, is pushed on. */
SCENARIO(G11_over_seams, 0)
{
    int high, size, i;
    for (high = 0; high < 8; high++)
        for (size = 3; size < 13; size++) {
            double        h = 0.7 * high - 2.3, wide = 0.1 * size;
            kin_body_desc d;
            kin_id        b, lower, upper;
            open_earth(s);
            for (i = -5; i < 9; i++) add_static_box(s, i, h - 1, i + 1, h);
            b = add_body(s, -0.6 - wide / 2, h + 0.5);
            d = crate_desc(s, 0, 0);
            d.shape = body_box(wide, wide);
            d.position.y = (float)h + (float)wide / 2;
            lower = put_body(s, &d);
            d.shape = body_box(wide / 2, 0.8);   /* so that B meets only the lower one */
            d.position.y = (float)h + (float)wide + 0.4f;
            upper = put_body(s, &d);
            for (i = 0; i < 192; i++) {
                double y = y_of(s, lower);
                set_vx(s, b, 2);
                scene_step(s);
                EXPECT_NEAR(y_of(s, lower), y, 0.0021);
                EXPECT_NEAR(x_of(s, upper), x_of(s, lower), 0.001);
            }
            EXPECT(x_of(s, lower) > 2.7);
        }
}

/* G11 over lips lower than the skin, 2 mm: a loaded crate is lifted over them. */
SCENARIO(G11_over_low_lips, 0)
{
    static const double lips[] = { 0.0005, 0.001, 0.0015, 0.0019 };
    int which, i;
    for (which = 0; which < 4; which++) {
        kin_body_desc d;
        kin_id        b, lower;
        open_earth(s);
        add_static_box(s, -9, -1, 1, 0);
        add_static_box(s, 1, -1, 9, lips[which]);
        b = add_body(s, -1.2, 0.5);
        lower = add_crate(s, 0, 0.5);
        d = crate_desc(s, 0, 1.4);
        d.shape = body_box(0.5, 0.8);   /* so that B meets only the lower one */
        put_body(s, &d);
        for (i = 0; i < 192; i++) {
            set_vx(s, b, 2);
            scene_step(s);
        }
        EXPECT(x_of(s, lower) > 2.7);
    }
}

/* ---- G20: insertion order ----------------------------------------------------------------------------------------------- */

enum { ROW_OF_THREE, ROW_TO_WALL, FREE_AXIS };

/* Four things of a set-up, added in the given order; where they end. */
static void play_in_order(scene *s, int set_up, const int *order, dv *out)
{
    kin_id ids[4];
    int    i, k, n = set_up == FREE_AXIS ? 32 : 192;
    if (set_up == FREE_AXIS) open_floating(s);
    else open_earth(s);
    if (set_up != FREE_AXIS) add_floor(s);
    if (set_up == ROW_TO_WALL) add_static_box(s, 4.9, 0, 6, 5);
    for (i = 0; i < 4; i++) {
        k = order[i];
        if (set_up == FREE_AXIS && k == 2) ids[k] = add_static_box(s, 0.5, -50, 1.5, 50);
        else if (set_up == FREE_AXIS) ids[k] = k == 0 ? add_body(s, -1.01, 0) : add_crate(s, 0, k == 1 ? 0 : 3);
        else if (k == 0) ids[k] = add_body(s, 0, 0.5);
        else ids[k] = add_crate(s, set_up == ROW_OF_THREE ? k : 1.1 * k, 0.5);
    }
    for (i = 0; i < n; i++) {
        if (set_up == FREE_AXIS) set_v(s, ids[0], 3, 2);
        else set_vx(s, ids[0], 3);
        scene_step(s);
    }
    for (k = 0; k < 4; k++) out[k] = dv_of(mirrored(s, pose_now(s, ids[k]).p));
}

/* The n-th order of four. */
static void order_of_four(int n, int *out)
{
    int left[4] = { 0, 1, 2, 3 }, i, k;
    for (i = 4; i > 0; i--) {
        int pick = n % i;
        n /= i;
        out[4 - i] = left[pick];
        for (k = pick; k < i - 1; k++) left[k] = left[k + 1];
    }
}

static void in_all_orders(scene *s, int set_up)
{
    dv  first[4], other[4];
    int n, k, order[4];
    for (n = 0; n < 24; n++) {
        order_of_four(n, order);
        play_in_order(s, set_up, order, n == 0 ? first : other);
        for (k = 0; n > 0 && k < 4; k++) EXPECT_IN(dv_len(dv_sub(first[k], other[k])), 0, 1e-5);
    }
}

/* G20 insertion order: G03, G04, G07 with all permutations of 4 ids: same poses within 1e-5. */
SCENARIO(G20_insertion_order, 0)
{
    in_all_orders(s, ROW_OF_THREE);
    in_all_orders(s, ROW_TO_WALL);
    in_all_orders(s, FREE_AXIS);
}

/* G20 where no order is right: a row that two press on from both ends, as fast, stays in the middle. */
SCENARIO(G20_pressed_from_both_ends, RATE_60)
{
    int count, order, i;
    for (count = 1; count <= 5; count++)
        for (order = 0; order < 2; order++) {
            kin_id ends[2], crates[5];
            double half = 0.5 * (count - 1) * 1.01;
            open_earth(s);
            add_floor(s);
            if (order == 0) ends[0] = add_body(s, -half - 1.05, 0.5);
            for (i = 0; i < count; i++) crates[i] = add_crate(s, -half + 1.01 * i, 0.5);
            ends[1] = add_body(s, half + 1.05, 0.5);
            if (order == 1) ends[0] = add_body(s, -half - 1.05, 0.5);
            for (i = 0; i < 64; i++) {
                set_vx(s, ends[0], 3);
                set_vx(s, ends[1], -3);
                scene_step(s);
            }
            for (i = 0; i < count; i++) EXPECT_NEAR(x_of(s, crates[i]) + x_of(s, crates[count - 1 - i]), 0, 1e-5);
            EXPECT_NEAR(x_of(s, ends[0]) + x_of(s, ends[1]), 0, 1e-5);
        }
}

/* G21 push into a one-way: crate passes sideways through W without block. */
SCENARIO(G21_push_into_a_one_way, 0)
{
    kin_static_desc d;
    kin_id          b, crate;
    double          x;
    int             i;
    open_earth(s);
    add_floor(s);
    d = static_desc(s, -2, 0.25, 2, 0.5);
    d.one_way = v2(s, 0, 1);
    put_static(s, &d);
    b = add_body(s, -5, 0.5);
    crate = add_crate(s, -3.998, 0.5);
    settle(s);
    x = x_of(s, crate);
    for (i = 0; i < 384; i++) {
        set_vx(s, b, 3);
        scene_step(s);
        EXPECT_REST(bottom_of(s, crate));
        EXPECT_NEAR(vx_of(s, b), 3, 1e-5);
    }
    EXPECT_NEAR(x_of(s, crate) - x, 9, 0.01);
}

/* G22 push into a sensor: sensor does not stop the chain; begin event for each crate. */
SCENARIO(G22_push_into_a_sensor, ALL_SHAPES)
{
    kin_static_desc d;
    kin_id          b, crates[3], sensor;
    double          x;
    int             i;
    open_earth(s);
    add_floor(s);
    d = static_desc(s, 5, 0, 6, 4);
    d.sensor = true;
    sensor = put_static(s, &d);
    b = add_body(s, 0, 0.5);
    for (i = 0; i < 3; i++) crates[i] = add_crate(s, half_width(s) + 0.5 + i, 0.5);
    settle(s);
    x = x_of(s, crates[2]);
    for (i = 0; i < 384; i++) {
        set_vx(s, b, 3);
        scene_step(s);
        EXPECT_NEAR(vx_of(s, b), 3, 1e-5);
    }
    EXPECT_NEAR(x_of(s, crates[2]) - x, 9, 0.01);
    for (i = 0; i < 3; i++) EXPECT_IN(count_events(s, KIN_EVENT_BEGAN, crates[i], sensor), 1, 1);
    for (i = 0; i < 3; i++) EXPECT_IN(count_events(s, KIN_EVENT_ENDED, crates[i], sensor), 1, 1);
}

/* ---- E: stacks that ride ------------------------------------------------------------------------------------------------- */

static void stack_on_a_lift(scene *s, kin_push push)
{
    kin_id all[6];
    float  x[6];
    int    i, k;
    open_earth(s);
    all[0] = add_mover(s, 0, -0.25, 4, 0.5, 0, 0);
    for (i = 1; i < 6; i++) {
        kin_body_desc d = crate_desc(s, 0.1 * (i % 2), i - 0.5);
        d.push = push;
        all[i] = put_body(s, &d);
    }
    settle(s);
    for (k = 1; k < 6; k++) x[k] = pose_now(s, all[k]).p.x;
    for (i = 1; i <= 30 * 128; i++) {
        move_to(s, all[0], 0, -0.25 + 3 * sin(2 * SCENE_PI * i / 128.0 / 3), 0);
        scene_step(s);
        for (k = 1; k < 6; k++) {
            EXPECT_REST(gap_between(s, all[k], all[k - 1]));
            EXPECT(same_float(pose_now(s, all[k]).p.x, x[k]));
            EXPECT(grounded(s, all[k]));
        }
    }
}

/* E23 five stacked bodies on a lift: M.y = 3 sin(2 pi t / 3), 30 s. Each gap REST, each x BIT-unchanged, all
   grounded. */
SCENARIO(E23_five_stacked_bodies, 0)
{
    stack_on_a_lift(s, KIN_PUSHABLE);
    stack_on_a_lift(s, KIN_UNPUSHABLE);
}

/* E24 rider of a rider: body on a pushable crate on M at +3: zero drift for both; crate removed: body falls, M goes
   on. */
SCENARIO(E24_rider_of_a_rider, RATE_60 | ALL_SHAPES)
{
    kin_id m, crate, b;
    double crate_offset, offset, x;
    int    i;
    open_earth(s);
    m = add_mover(s, 0, -0.25, 4, 0.5, 3, 0);
    crate = add_crate(s, 0, 0.5);
    b = add_body(s, 0.2, 1.5);
    settle(s);
    crate_offset = x_of(s, crate) - x_of(s, m);
    offset = x_of(s, b) - x_of(s, m);
    for (i = 0; i < steps_in(s, 10); i++) {
        scene_step(s);
        EXPECT_NEAR(x_of(s, crate) - x_of(s, m), crate_offset, 1e-4);
        EXPECT_NEAR(x_of(s, b) - x_of(s, m), offset, 1e-4);
        EXPECT(grounded(s, crate) && grounded(s, b));
    }
    take_out(s, crate);
    x = x_of(s, m);
    scene_step(s);
    EXPECT(!grounded(s, b));
    EXPECT(vy_of(s, b) < 0);
    EXPECT_NEAR(x_of(s, m) - x, 3 * (double)s->dt, 1e-4);
    run(s, steps_in(s, 1));
    EXPECT(grounded(s, b));
    EXPECT(kin_same(kin_get_ground(s->world, b).id, m));
}

/* ---- F, H, I -------------------------------------------------------------------------------------------------------------- */

/* F02 with towers: a lift at 2 u/s takes n crates under a ceiling that leaves them 2 units. Crush opens when the room is
   missing, less what the gaps between them take; nobody is embedded, overlaps a neighbour or leaves the tower. */
static void lift_tower(scene *s, int n, kin_blocked on_blocked)
{
    kin_mover_desc d;
    kin_id         crates[12], m;
    int            i, k, due = 128;
    open_earth(s);
    d = mover_desc(s, 0, -0.5, 6, 1);
    d.velocity = v2(s, 0, 2);
    d.on_blocked = on_blocked;
    m = put_mover(s, &d);
    add_static_box(s, -9, n + 2, 9, n + 3);
    for (k = 0; k < n; k++) crates[k] = add_crate(s, 0, k + 0.5);
    for (i = 1; i <= 160; i++) {
        scene_step(s);
        for (k = 0; k < n; k++) {
            EXPECT(!kin_is_embedded(s->world, crates[k]));
            EXPECT_IN(x_of(s, crates[k]), 0, 0);
            if (k > 0) EXPECT_IN(gap_between(s, crates[k - 1], crates[k]), -0.0001, 0.01);
        }
        if (i < due - 2) EXPECT(!kin_is_crushed(s->world, crates[0]));
    }
    EXPECT_IN(count_events(s, KIN_EVENT_CRUSHED, crates[0], nobody()), on_blocked == KIN_BLOCKED_STOP ? 0 : 1, on_blocked == KIN_BLOCKED_STOP ? 0 : 1);
    if (on_blocked == KIN_BLOCKED_PASS) {
        EXPECT_IN(last_event(s, KIN_EVENT_CRUSHED, crates[0])->step, due - 2, due + 2);
        EXPECT_NEAR(top_of(s, m), 2.5, 1e-4);
    } else {
        EXPECT_IN(top_of(s, m), 2 - 2.0 / 128 - 0.002 * (n + 1), 2 + 1e-4);
        EXPECT(count_events(s, KIN_EVENT_BLOCKED, m, nobody()) == 1);
    }
}

SCENARIO(F02_towers_into_ceiling, NO_MIRROR)
{
    int n;
    for (n = 2; n <= 12; n++) {
        lift_tower(s, n, KIN_BLOCKED_PASS);
        lift_tower(s, n, KIN_BLOCKED_STOP);
    }
}

/* F02 and back: a lift presses n crates against a ceiling, waits, and goes down. All are told crushed in the same step,
   nobody is freed while the room is missing, all are freed once, and then they stand on the lift again. A lift that
   stops where they exactly fit crushes nobody. */
SCENARIO(F02_towers_come_free, NO_MIRROR)
{
    static const double speeds[] = { 0.5, 2, 8 };
    int n, v, i, k;
    for (v = 0; v < 3; v++)
        for (n = 1; n <= 4; n++) {
            double speed = speeds[v];
            int    up = steps_in(s, 1 / speed), first = 0;
            kin_id m, crates[4];
            open_earth(s);
            m = add_mover(s, 0, -0.5, 6, 1, 0, speed);
            add_static_box(s, -9, n + 1, 9, n + 2);
            for (k = 0; k < n; k++) crates[k] = add_crate(s, 0, k + 0.5);
            run(s, up);
            set_v(s, m, 0, 0);
            run(s, 20);
            for (k = 0; k < n; k++) EXPECT(!kin_is_crushed(s->world, crates[k]));
            EXPECT(count_events(s, KIN_EVENT_CRUSHED, nobody(), nobody()) == 0);
            for (i = 0; i < 260; i++) {
                set_v(s, m, 0, i < 20 ? 0.3 : i < 120 ? 0 : -0.3);
                scene_step(s);
                if (!first && kin_is_crushed(s->world, crates[0])) first = i;
                for (k = 0; k < n; k++) {
                    EXPECT_IN(top_of(s, crates[k]), 0, n + 1 + SLOP);
                    if (k > 0) EXPECT_IN(gap_between(s, crates[k - 1], crates[k]), -0.0001, 0.01);
                    EXPECT(kin_is_crushed(s->world, crates[k]) == kin_is_crushed(s->world, crates[0]));
                    if (first && top_of(s, m) > 1.011) EXPECT(kin_is_crushed(s->world, crates[k]));
                }
            }
            EXPECT(first > 0);
            for (k = 0; k < n; k++) {
                EXPECT(count_events(s, KIN_EVENT_CRUSHED, crates[k], nobody()) == 1);
                EXPECT(count_events(s, KIN_EVENT_FREED, crates[k], nobody()) == 1);
                EXPECT(grounded(s, crates[k]));
            }
            EXPECT_REST(gap_between(s, crates[0], m));
        }
}

/* A tower that a stopping lift has pressed against the ceiling, not enough to crush it, comes out of the lift again as
   soon as that goes down; it was blocked once. */
SCENARIO(F02_pressed_tower_comes_out, NO_MIRROR)
{
    int n, k, i;
    for (n = 1; n <= 5; n += 2) {
        kin_id         lift, tower[5];
        kin_mover_desc d;
        open_earth(s);
        d = mover_desc(s, 0, -0.25, 4, 0.5);
        d.velocity = v2(s, 0, 0.5);
        d.on_blocked = KIN_BLOCKED_STOP;
        lift = put_mover(s, &d);
        add_static_box(s, -5, n + 1.5, 5, n + 2.5);
        for (k = 0; k < n; k++) tower[k] = add_crate(s, 0, 0.501 + 1.001 * k);
        run(s, steps_in(s, 3.2));
        EXPECT(count_events(s, KIN_EVENT_BLOCKED, lift, nobody()) == 1);
        set_v(s, lift, 0, -0.5);
        run(s, 4);
        for (i = 0; i < 32; i++) {
            scene_step(s);
            for (k = 0; k < n; k++) {
                EXPECT_REST(gap_between(s, k > 0 ? tower[k - 1] : lift, tower[k]));
                EXPECT(grounded(s, tower[k]));
            }
        }
    }
}

/* F07 chain: mover, crate, crate, wall: crates meet, crush opens for the crate(s) under pressure in the same step as in
   F01's arithmetic; none passes the wall; order mover < crate1 < crate2 < wall holds. */
SCENARIO(F07_chain, 0)
{
    kin_id m, one, two;
    int    i, crush = 0;
    open_earth(s);
    add_floor(s);
    add_static_box(s, 5, 0, 6, 5);
    m = add_mover(s, -0.5, 0.6, 1, 1, 2, 0);
    one = add_crate(s, 1.5, 0.5);
    two = add_crate(s, 3.2, 0.5);
    for (i = 1; i <= 256; i++) {
        scene_step(s);
        if (!crush && count_events(s, KIN_EVENT_CRUSHED, nobody(), nobody()) > 0) crush = i;
        EXPECT(x_of(s, one) < x_of(s, two));
        EXPECT_IN(right_of(s, two), 0, 5 + SLOP);
        EXPECT_IN(right_of(s, one), 0, 5 + SLOP);
        if (!crush) EXPECT(right_of(s, m) < left_of(s, one) + PRESSED && right_of(s, one) < left_of(s, two) + PRESSED);
    }
    EXPECT_IN(crush, 191, 195);   /* the face has passed 3.01 */
    EXPECT(kin_is_crushed(s->world, one) && kin_is_crushed(s->world, two));
}

/* F07: a press bears on all of a row, also on a hero at its end: each is told once, in the same step, with its two
   neighbours, and is free again when the press draws back. */
SCENARIO(F07_all_of_a_row, 0)
{
    enum { N = 6 };
    kin_id row[N + 2];
    int    i, k, first = 0;
    open_earth(s);
    add_floor(s);
    row[N + 1] = add_static_box(s, 9, 0, 10, 5);
    row[0] = add_mover(s, -0.5, 0.6, 1, 1, 2, 0);
    for (k = 1; k < N; k++) row[k] = add_crate(s, 1.3 * k, 0.5);
    row[N] = add_body(s, 1.3 * N, 0.5);
    for (i = 1; i <= 256; i++) {
        if (i == 240) kin_set_velocity(s->world, row[0], v2(s, -2, 0));
        scene_step(s);
        if (!first && kin_is_crushed(s->world, row[1])) first = i;
        if (i < 250)
            for (k = 1; k <= N; k++) EXPECT(kin_is_crushed(s->world, row[k]) == (first != 0));
    }
    EXPECT_IN(first, 191, 195);
    for (k = 1; k <= N; k++) {
        const kin_event *e = last_event(s, KIN_EVENT_CRUSHED, row[k]);
        EXPECT(count_events(s, KIN_EVENT_CRUSHED, row[k], nobody()) == 1);
        EXPECT(e && e->step == (uint64_t)first);
        EXPECT(e && kin_same(e->b, row[k - 1]) && kin_same(e->c, row[k + 1]));
    }
    for (i = 0; i < 128; i++) scene_step(s);
    for (k = 1; k <= N; k++) {
        EXPECT(count_events(s, KIN_EVENT_FREED, row[k], nobody()) == 1);
        EXPECT(!kin_is_crushed(s->world, row[k]));
    }
}

/* F06 with a row between the two movers: all of it is crushed in the same step, whoever of them the movers overlap. */
SCENARIO(F06_row_between_two_movers, 0)
{
    int n, i, k;
    for (n = 1; n <= 7; n++) {
        kin_id row[7];
        int    first = 0;
        open_earth(s);
        add_floor(s);
        add_mover(s, -0.5 * n - 1, 0.6, 1, 1, 1, 0);
        add_mover(s, 0.5 * n + 1, 0.6, 1, 1, -1, 0);
        for (k = 0; k < n; k++) row[k] = add_crate(s, k - 0.5 * (n - 1), 0.5);
        for (i = 1; i <= 128; i++) {
            scene_step(s);
            if (!first && kin_is_crushed(s->world, row[0])) first = i;
            for (k = 0; k < n; k++) EXPECT(kin_is_crushed(s->world, row[k]) == (first != 0));
        }
        EXPECT_IN(first, 64, 68);   /* the faces have met the row after 0.5 s */
    }
}

/* F07: only what is held is crushed. The wall opens while a row is pressed: from then on it is driven and free. */
SCENARIO(F07_no_wall_no_crush, 0)
{
    kin_id m, wall, row[4];
    int    i, k;
    open_earth(s);
    add_floor(s);
    wall = add_static_box(s, 4.5, 0, 5, 5);
    m = add_mover(s, -1.5, 0.6, 1, 1, 2, 0);
    for (k = 0; k < 4; k++) row[k] = add_crate(s, 0.3 + 1.1 * k, 0.5);
    for (i = 0; i < 128 && !kin_is_crushed(s->world, row[0]); i++) scene_step(s);
    for (k = 0; k < 4; k++) EXPECT(kin_is_crushed(s->world, row[k]));
    take_out(s, wall);
    run(s, 2);
    for (i = 0; i < 128; i++) {
        scene_step(s);
        for (k = 0; k < 4; k++) EXPECT(!kin_is_crushed(s->world, row[k]));
        EXPECT_REST(gap_between(s, row[0], m));
        for (k = 1; k < 4; k++) EXPECT_REST(gap_between(s, row[k], row[k - 1]));
    }
}

/* F07: only what a press bears on is crushed: not who stands beside the wall that holds the pressed one, with 9 mm to
   spare, and not who is under a beam that is pressed up. */
SCENARIO(F07_beside_the_press, NO_MIRROR)
{
    kin_body_desc d;
    kin_id        pressed, beside;
    open_floating(s);
    add_static_box(s, 2, 0, 4, 2);
    add_static_box(s, 3.007, -2, 4, -0.2);
    d = crate_desc(s, 2.503, -1);
    d.shape = body_box(1, 1);
    beside = put_body(s, &d);
    d = crate_desc(s, 1.4, 0);
    d.shape = body_box(1, 4);
    pressed = put_body(s, &d);
    add_mover(s, 0, 0, 1, 2, 1, 0);
    run(s, 70);
    EXPECT(kin_is_crushed(s->world, pressed) && !kin_is_crushed(s->world, beside));
    open_earth(s);
    add_static_box(s, -10, -1, 0.2, 0);
    add_static_box(s, -10, 2.006, 10, 3);
    beside = add_body(s, -1.5, 0.501);
    d = crate_desc(s, 0, 1.502);
    d.shape = body_box(4, 1);
    pressed = put_body(s, &d);
    add_mover(s, 1.25, 0.5, 1.5, 1, 0, 0.05);
    run(s, 120);
    EXPECT(kin_is_crushed(s->world, pressed) && !kin_is_crushed(s->world, beside));
}

/* F07: a beam is pressed up to a wall and, as high, to a crate that is held: that is crushed too, wherever the world is
   and whichever of the two the rounding makes nearer. */
SCENARIO(F07_wall_and_crate_side_by_side, NO_MIRROR)
{
    int where;
    for (where = 0; where < 12; where++) {
        double        x = 1.37 * where, y = 2.11 * where;
        kin_body_desc d;
        kin_id        crate, beam;
        open_floating(s);
        add_static_box(s, x - 1.5, y + 0.502, x - 0.05, y + 1.502);
        add_static_box(s, x, y + 1.404, x + 1.2, y + 2.4);
        d = crate_desc(s, x, y);
        d.shape = body_box(2, 1);
        beam = put_body(s, &d);
        d = crate_desc(s, x + 0.55, y + 0.952);
        d.shape = body_box(0.9, 0.9);
        crate = put_body(s, &d);
        add_mover(s, x, y - 1.01, 2, 1, 0, 0.3);
        run(s, 30);
        EXPECT(kin_is_crushed(s->world, beam) && kin_is_crushed(s->world, crate));
    }
}

/* F07: one that is pressed to a wall is crushed, whatever presses on it from below, and wherever in the world that is. */
SCENARIO(F07_pressed_from_two_sides, NO_MIRROR)
{
    int where;
    for (where = 0; where < 9; where++) {
        double        x = 1.5 * (where % 3 - 1), y = 1.5 * (where / 3 - 1);
        kin_body_desc d;
        kin_id        b;
        open_floating(s);
        add_static_box(s, x + 1.002, y + 0.1, x + 1.5, y + 3);
        add_static_box(s, x + 1.5, y + 1.006, x + 4, y + 3);
        d = crate_desc(s, x + 0.5, y + 0.5);
        d.shape = body_box(1, 1);
        b = put_body(s, &d);
        d = crate_desc(s, x - 0.504, y + 0.5);
        d.shape = body_box(1, 0.6);
        put_body(s, &d);
        d = crate_desc(s, x + 1.5, y - 0.504);
        d.shape = body_box(3, 1);
        put_body(s, &d);
        d = crate_desc(s, x + 2.1, y + 0.501);
        d.shape = body_box(1, 1);
        put_body(s, &d);
        add_mover(s, x - 1.55, y + 0.5, 1, 0.6, 0.3, 0);
        add_mover(s, x + 1.75, y - 1.55, 2.5, 1, 0, 0.25);
        run(s, 60);
        EXPECT(kin_is_crushed(s->world, b));
        EXPECT(count_events(s, KIN_EVENT_CRUSHED, b, nobody()) == 1 && count_events(s, KIN_EVENT_FREED, b, nobody()) == 0);
    }
}

/* F12 in a row: who removes each body that is told crushed hears of all of them, with no handle that is dead. */
static void remove_crushed(kin_world *world, const kin_event *event, void *user)
{
    if (event->type != KIN_EVENT_CRUSHED) return;
    ++*(int *)user;
    if (event->b.slot != 0 && !kin_alive(world, event->b)) *(int *)user += 1000;
    if (event->c.slot != 0 && !kin_alive(world, event->c)) *(int *)user += 1000;
    kin_remove(world, event->a);
}

TEST F12_callback_removes_a_row(void)
{
    int n, k;
    for (n = 1; n <= 6; n++) {
        int             told = 0;
        kin_world_desc  w = { 0 };
        kin_static_desc wall = { 0 };
        kin_mover_desc  press = { 0 };
        kin_body_desc   body = { 0 };
        kin_world      *world;
        w.on_event = remove_crushed;
        w.user = &told;
        world = kin_world_create(&w);
        wall.shape = press.shape = body.shape = body_box(1, 1);
        wall.position.x = (float)n + 0.6f;
        kin_add_static(world, &wall);
        press.position.x = -0.6f;
        press.velocity.x = 2;
        kin_add_mover(world, &press);
        for (k = 0; k < n; k++) {
            body.position.x = 0.5f + (float)k * 1.01f;
            kin_add_body(world, &body);
        }
        for (k = 0; k < 128; k++) kin_world_step(world, 1 / 128.0f);
        ASSERT_EQ(n, told);
        kin_world_destroy(world);
    }
    PASS();
}

/* H05 two fast bodies: +-1000, unpushable: never swap. */
SCENARIO(H05_two_fast_bodies, RATE_60 | ALL_SHAPES)
{
    kin_id a, b;
    int    i;
    open_floating(s);
    a = add_body(s, -20.3, 0);
    b = add_body(s, 20.1, 0);
    for (i = 0; i < 32; i++) {
        set_v(s, a, 1000, 0);
        set_v(s, b, -1000, 0);
        scene_step(s);
        EXPECT(x_of(s, a) < x_of(s, b));
        EXPECT_IN(gap_between(s, a, b), -SLOP, 1e9);
    }
    EXPECT_REST(gap_between(s, a, b));
    EXPECT_NEAR(0.5 * (x_of(s, a) + x_of(s, b)), -0.1, 0.01);
}

/* I06 same spot, three bodies: on F, pushable: after 64 steps pairwise free or reported; span <= 3.1; y unchanged;
   velocities 0; nobody through the walls at x = +-3. */
SCENARIO(I06_same_spot_three_bodies, NO_MIRROR | ALL_SHAPES)
{
    kin_id        ids[3];
    kin_body_desc d;
    double        low = 1e9, high = -1e9, y;
    int           i, k;
    open_earth(s);
    add_floor(s);
    add_static_box(s, -4, 0, -3, 5);
    add_static_box(s, 3, 0, 4, 5);
    d = body_desc(s, 0, 0.5);
    d.push = KIN_PUSHABLE;
    ids[0] = put_body(s, &d);
    settle(s);
    y = y_of(s, ids[0]);   /* where one alone rests */
    d.position.y = (float)y;
    for (i = 1; i < 3; i++) ids[i] = put_body(s, &d);
    for (i = 0; i < 64; i++) {
        scene_step(s);
        for (k = 0; k < 3; k++) EXPECT_IN(y_of(s, ids[k]), y, y);
    }
    for (i = 0; i < 3; i++) {
        for (k = 0; k < i; k++)
            EXPECT(gap_between(s, ids[i], ids[k]) > -SLOP || kin_is_embedded(s->world, ids[i]) || kin_is_embedded(s->world, ids[k]));
        EXPECT_REST(bottom_of(s, ids[i]));
        EXPECT_IN(dv_len(dv_of(kin_get_velocity(s->world, ids[i]))), 0, 0);
        EXPECT_IN(left_of(s, ids[i]), -3 - SLOP, 3);
        EXPECT_IN(right_of(s, ids[i]), -3, 3 + SLOP);
        low = fmin(low, left_of(s, ids[i]));
        high = fmax(high, right_of(s, ids[i]));
    }
    EXPECT_IN(high - low, 0.5, 3.1);
}

/* I06 heaps: two or three bodies at one spot, or so many that they are scattered, floating, in the air and on F, are free of
   each other 64 steps later, at most as far away as a heap of them is wide. */
SCENARIO(I06_heaps, NO_MIRROR | ALL_SHAPES)
{
    static const int sizes[] = { 2, 3, 25, 150 };
    kin_contact      contacts[32];
    int              form, k, i, j;
    for (form = 0; form < 3; form++)
        for (k = 0; k < 4; k++) {
            kin_id ids[150];
            scene_close(s);
            if (form == 0) open_floating(s);
            else open_earth(s);
            if (form == 2) add_floor(s);
            for (i = 0; i < sizes[k]; i++) ids[i] = i % 3 ? add_crate(s, 0, form == 2 ? 0.502 : 90) : add_body(s, 0, form == 2 ? 0.502 : 90);
            for (i = 0; i < 64; i++) kin_world_step(s->world, s->dt);
            for (i = 0; i < sizes[k]; i++) {
                int count = kin_get_contacts(s->world, ids[i], contacts, 32);
                EXPECT(!kin_is_embedded(s->world, ids[i]));
                EXPECT_IN(x_of(s, ids[i]), -2 - 2 * sqrt((double)sizes[k]), 2 + 2 * sqrt((double)sizes[k]));
                for (j = 0; j < count; j++) EXPECT(contacts[j].gap > -(float)SLOP);
            }
        }
}

/* ---- K ----------------------------------------------------------------------------------------------------------------------- */

/* K12 character against character: radii+gap 0.24 and 0.33, second at x = 1, box behind it; first at 600 u/s for one 60 Hz
   step: stops at x = 0.43, touches the second only. */
SCENARIO(K12_character_against_character, 0)
{
    kin_contact   contacts[4];
    kin_body_desc d;
    kin_id        one, two;
    open_floating(s);
    s->dt = 1.0f / 60;
    add_static_box(s, 1.4, -2, 2, 2);
    d = body_desc(s, 0, 0);
    d.shape = kin_capsule(1, 0.24f);
    d.velocity = v2(s, 600, 0);
    one = put_body(s, &d);
    d = body_desc(s, 1, 0);
    d.shape = kin_capsule(1, 0.33f);
    two = put_body(s, &d);
    scene_step(s);
    EXPECT_IN(x_of(s, one), 0.43 - SLOP, 0.4301);
    EXPECT_IN(kin_get_contacts(s->world, one, contacts, 4), 1, 1);
    EXPECT(kin_same(contacts[0].other, two));
    EXPECT_IN(x_of(s, two), 1, 1);
}

/* F01 and F02 in short: a mover presses B against a wall, a lift presses it under a ceiling. */
static void press_in_space(scene *s, bool lift)
{
    kin_id b, m;
    open_earth(s);
    add_floor(s);
    if (lift) add_static_box(s, -5, 4, 5, 5);
    else add_static_box(s, 5, 0, 6, 5);
    m = lift ? add_mover(s, 0, -0.25, 4, 0.5, 0, 2) : add_mover(s, -0.5, 0.6, 1, 1, 2, 0);
    b = lift ? add_body(s, 0, 0.5) : add_body(s, 2, 0.5);
    run(s, lift ? 190 : 254);
    EXPECT(!kin_is_crushed(s->world, b));
    run(s, 5);
    EXPECT(kin_is_crushed(s->world, b));
    EXPECT_IN(count_events(s, KIN_EVENT_CRUSHED, b, nobody()), 1, 1);
    run(s, 20);
    if (lift) EXPECT_NEAR(top_of(s, b), 4, SLOP);
    else EXPECT_NEAR(right_of(s, b), 5, SLOP);
    EXPECT(gap_between(s, b, m) < 0);
}

/* I18 in short: B's way through a sensor, or without it. */
static void pass_sensor(scene *s, bool sensor, float *xs)
{
    kin_static_desc d;
    kin_id          b, gate = nobody();
    int             i;
    open_earth(s);
    add_floor(s);
    d = static_desc(s, 2, 0, 3, 2);
    d.sensor = true;
    if (sensor) gate = put_static(s, &d);
    b = add_body(s, 0, 0.5);
    for (i = 0; i < 384; i++) {
        set_vx(s, b, 2);
        scene_step(s);
        if (sensor) EXPECT(same_float(xs[i], (float)x_of(s, b)));
        xs[i] = (float)x_of(s, b);
    }
    if (!sensor) return;
    EXPECT_IN(count_events(s, KIN_EVENT_BEGAN, b, gate), 1, 1);
    EXPECT_IN(count_events(s, KIN_EVENT_ENDED, b, gate), 1, 1);
}

/* K15 crush, push chain, sensor: F01, F02, G03, I18 in 3D. */
SCENARIO(K15_crush_chain_sensor, ONLY_3D)
{
    float xs[384];
    press_in_space(s, false);
    press_in_space(s, true);
    push_row_of_five(s);
    pass_sensor(s, false, xs);
    pass_sensor(s, true, xs);
}

SUITE(push)
{
    RUN_TEST(G01_one_crate);
    RUN_TEST(G01_pushed_by_an_equal);
    RUN_TEST(G01_from_a_deck);
    RUN_TEST(G01_onto_a_belt);
    RUN_TEST(G01_held_by_a_belt);
    RUN_TEST(G02_unpushable);
    RUN_TEST(G02_between_unpushables);
    RUN_TEST(G03_five_in_a_row);
    RUN_TEST(G03_where_spacing_changes);
    RUN_TEST(G04_row_into_a_wall);
    RUN_TEST(G04_wherever_the_wall_is);
    RUN_TEST(G06_head_on);
    RUN_TEST(G07_blocked_axis_free_axis);
    RUN_TEST(G09_diagonal_corner_contact);
    RUN_TEST(G09_along_a_slanted_wall);
    RUN_TEST(G10_over_a_ledge);
    RUN_TEST(G11_stack);
    RUN_TEST(G11_round_stack);
    RUN_TEST(G11_stack_up_a_slope);
    RUN_TEST(G13_headbutt);
    RUN_TEST(G06_pushed_as_far_as_the_pusher_comes);
    RUN_TEST(G03_row_pushed_by_an_equal);
    RUN_TEST(G04_row_pushed_by_an_equal_to_a_wall);
    RUN_TEST(G06_exchange_at_a_wall);
    RUN_TEST(G05_stops_when_the_pusher_is_gone);
    RUN_TEST(G05_a_gap_in_the_row);
    RUN_TEST(G06_three_press_together);
    RUN_TEST(G14_crate_lands_on_a_head);
    RUN_TEST(G14_off_the_middle_of_a_head);
    RUN_TEST(G14_over_a_lip);
    RUN_TEST(G14_jump_under_a_rider);
    RUN_TEST(G15_up_a_slope);
    RUN_TEST(G15_a_row_up_a_slope);
    RUN_TEST(G01_larger_ball);
    RUN_TEST(G17_mover_crate_body);
    RUN_TEST(G17_waits_for_the_mover);
    RUN_TEST(G17_mover_pushes_a_loaded_row);
    RUN_TEST(G17_rows_on_decks);
    RUN_TEST(G04_brought_to_the_wall);
    RUN_TEST(G11_over_seams);
    RUN_TEST(G11_over_low_lips);
    RUN_TEST(G20_insertion_order);
    RUN_TEST(G20_pressed_from_both_ends);
    RUN_TEST(G21_push_into_a_one_way);
    RUN_TEST(G22_push_into_a_sensor);
    RUN_TEST(E23_five_stacked_bodies);
    RUN_TEST(E24_rider_of_a_rider);
    RUN_TEST(F02_towers_into_ceiling);
    RUN_TEST(F02_pressed_tower_comes_out);
    RUN_TEST(F07_chain);
    RUN_TEST(F07_all_of_a_row);
    RUN_TEST(F06_row_between_two_movers);
    RUN_TEST(F07_no_wall_no_crush);
    RUN_TEST(F07_beside_the_press);
    RUN_TEST(F07_pressed_from_two_sides);
    RUN_TEST(F07_wall_and_crate_side_by_side);
    RUN_TEST(F12_callback_removes_a_row);
    RUN_TEST(F02_towers_come_free);
    RUN_TEST(H05_two_fast_bodies);
    RUN_TEST(I06_same_spot_three_bodies);
    RUN_TEST(I06_heaps);
    RUN_TEST(K12_character_against_character);
    RUN_TEST(K15_crush_chain_sensor);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv)
{
    GREATEST_MAIN_BEGIN();
    RUN_SUITE(push);
    GREATEST_MAIN_END();
}
