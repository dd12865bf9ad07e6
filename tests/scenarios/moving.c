/* SPDX-License-Identifier: MIT OR Unlicense

   moving.c: what works on a level that stands works the same on that level when it moves at a constant velocity.

   Each scenario is played on a level of statics first; where everyone is after each step is kept. Then the same level is
   a deck: a mover with statics attached to it, with meshes attached to it, or several movers of the same velocity. On
   each of the courses below the catalogue's numbers must hold as seen from the deck, and nobody may be elsewhere on it
   than on the level that stands. */
#include "scene.h"
#include "seeds.h"

typedef enum build { OF_STATICS, OF_PARTS, OF_MESHES, OF_MOVERS, BUILDS } build;

static const double courses[][3] = {   /* the last number is for 3D */
    { 0, 0, 0 }, { 3, 0, 0 }, { -6, 0, 0 }, { 0, 2, 0 }, { 0, -4, 0 }, { -4, 1, 2 }, { 5, -3, -1 }
};
enum { COURSES = sizeof courses / sizeof *courses, PIECES = 16 };

typedef struct level {
    build         of;
    bool          stands;           /* for ever: there are no movers */
    const double *course;
    const double *with;             /* numbers of the scenario */
    kin_id        pieces[PIECES];   /* the deck first; only these are movers */
    int           count;
    dv            origin;           /* where the deck was put */
    dv           *places;           /* of all that was noted on the level that stands */
    int           place_count, place_room, noted;
} level;

/* ---- building it ------------------------------------------------------------------------------------------------------ */

static kin_id put_mover_like(scene *s, const kin_static_desc *d)
{
    kin_mover_desc m;
    memset(&m, 0, sizeof m);
    m.shape = d->shape;
    m.position = d->position;
    m.rotation = d->rotation;
    return put_mover(s, &m);
}

/* A new world with the level's first piece, a box by its corners. */
static void open_level(scene *s, level *l, double x0, double y0, double x1, double y1)
{
    kin_static_desc d = static_desc(s, x0, y0, x1, y1);
    open_earth(s);
    l->pieces[0] = l->stands ? put_static(s, &d) : put_mover_like(s, &d);
    l->count = 1;
    l->origin = dv_of(d.position);
}

/* Another piece; it is placed as in a level that stands. */
static kin_id put_piece(scene *s, level *l, const kin_static_desc *piece)
{
    kin_static_desc d = *piece;
    if (l->of == OF_MOVERS && !l->stands) return l->pieces[l->count++] = put_mover_like(s, &d);
    if (!l->stands) {
        d.position.x -= (float)l->origin.x;
        d.position.y -= (float)l->origin.y;
        d.attach = l->pieces[0];
    }
    return l->of == OF_MESHES && d.shape.count > 1 ? put_surface(s, &d) : put_static(s, &d);
}

static kin_id add_piece(scene *s, level *l, double x0, double y0, double x1, double y1)
{
    kin_static_desc d = static_desc(s, x0, y0, x1, y1);
    return put_piece(s, l, &d);
}

/* From now on the level moves. */
static void set_off(scene *s, level *l)
{
    int i;
    if (l->stands) return;
    for (i = 0; i < l->count; i++) set_velocity(s, l->pieces[i], v3(s, l->course[0], l->course[1], l->course[2]));
}

/* ---- looking from the deck --------------------------------------------------------------------------------------------- */

static dv place_on(const scene *s, const level *l, kin_id b)
{
    dv way = dv_sub(dv_of(kin_get_position(s->world, l->pieces[0])), l->origin);
    dv at = dv_sub(dv_of(kin_get_position(s->world, b)), way);
    at.x *= (double)s->mirror;
    return at;
}

static double x_on(const scene *s, const level *l, kin_id b) { return place_on(s, l, b).x; }
static double y_on(const scene *s, const level *l, kin_id b) { return place_on(s, l, b).y; }
static double bottom_on(const scene *s, const level *l, kin_id b) { return bottom_of(s, b) - y_of(s, b) + y_on(s, l, b); }
static double motion_x_on(const scene *s, const level *l, kin_id b) { return motion_x(s, b) - l->course[0]; }
static double motion_y_on(const scene *s, const level *l, kin_id b) { return motion_y(s, b) - l->course[1]; }

/* Keeps where the body is on the level that stands; on a deck it must be in the same place. Two resting gaps differ by
   the slop at most. */
static void note(scene *s, level *l, kin_id b)
{
    dv at = place_on(s, l, b), wanted;
    if (scene_failed(s)) return;
    if (l->stands) {
        l->places = (dv *)scene_grow(l->places, l->place_count, &l->place_room, sizeof *l->places);
        l->places[l->place_count++] = at;
        return;
    }
    if (l->noted >= l->place_count) { scene_fail(s, "more steps than on the level that stands"); return; }
    wanted = l->places[l->noted++];
    if (dv_len(dv_sub(at, wanted)) > SLOP)
        scene_fail(s, "#%d is at (%.6g, %.6g, %.6g) on the deck, at (%.6g, %.6g, %.6g) on the level that stands",
                   thing_of(s, b)->number, at.x, at.y, at.z, wanted.x, wanted.y, wanted.z);
}

/* ---- on every course ---------------------------------------------------------------------------------------------------- */

typedef void voyage(scene *s, level *l);

static void name_the_deck(scene *s, const level *l)
{
    static const char *const names[] = { "statics", "parts", "meshes", "movers" };
    size_t n = strlen(s->fault);
    snprintf(s->fault + n, sizeof s->fault - n, "; level of %s at (%g, %g, %g)", names[l->of],
             l->course[0], l->course[1], l->course[2]);
}

static void on_every_course(scene *s, voyage *play, const double *with)
{
    level l;
    int   of, k;
    memset(&l, 0, sizeof l);
    l.with = with;
    for (of = 0; of < BUILDS && !scene_failed(s); of++) {
        for (k = 0; k < (of == OF_STATICS ? 1 : COURSES) && !scene_failed(s); k++) {
            l.of = (build)of;
            l.stands = of == OF_STATICS;
            l.course = courses[k];
            l.noted = 0;
            play(s, &l);
            if (!l.stands && l.noted < l.place_count) scene_fail(s, "fewer steps than on the level that stands");
            if (scene_failed(s)) name_the_deck(s, &l);
        }
    }
    free(l.places);
}

/* ---- jumping, walking ----------------------------------------------------------------------------------------------------- */

/* with: walking speed. */
static void jump_and_walk(scene *s, level *l)
{
    kin_id b;
    double apex = 0;
    int    i, landed = 0;
    open_level(s, l, -40, -1, 40, 0);
    b = add_body(s, 0, 0.5);
    settle(s);
    set_off(s, l);
    run(s, 4);
    clear_events(s);
    set_vy(s, b, 12);
    for (i = 1; i <= steps_in(s, 1.2); i++) {
        set_vx(s, b, l->with[0]);
        scene_step(s);
        note(s, l, b);
        EXPECT(i > 1 || !grounded(s, b));
        EXPECT_NEAR(motion_x_on(s, l, b), l->with[0], 0.01);
        EXPECT_IN(vx_of(s, b), l->with[0], l->with[0]);
        apex = fmax(apex, bottom_on(s, l, b));
        if (grounded(s, b) && !landed) landed = i;
    }
    EXPECT_IN(apex, 2.29, 2.41);
    EXPECT_NEAR(landed, at_rate(s, 102, 47), 1);
    EXPECT_REST(bottom_on(s, l, b));
    EXPECT_IN(count_events(s, KIN_EVENT_LEFT, b, nobody()), 1, 1);
    EXPECT_IN(count_events(s, KIN_EVENT_LANDED, b, nobody()), 1, 1);
}

/* A03 on a deck: apex, flight and walk as on a floor that stands; one leave, one land. */
SCENARIO(A03_jump_on_a_deck, RATE_60 | ALL_SHAPES)
{
    static const double walks[] = { 0, 4, -5 };
    int i;
    for (i = 0; i < 3; i++) on_every_course(s, jump_and_walk, &walks[i]);
}

/* ---- inside a car ---------------------------------------------------------------------------------------------------------- */

/* A car with walls at -2 and 2 and its roof at 2. with: walking speed, jump, and whether the walk is held. */
static void jump_in_car(scene *s, level *l)
{
    kin_id b;
    bool   hit = false;
    int    i;
    open_level(s, l, -4, -1, 4, 0);
    add_piece(s, l, -4, 2, 4, 3);
    add_piece(s, l, -3, 0, -2, 2);
    add_piece(s, l, 2, 0, 3, 2);
    b = add_body(s, 0, 0.5);
    settle(s);
    set_off(s, l);
    run(s, 4);
    set_v(s, b, l->with[0], l->with[1]);
    for (i = 0; i < steps_in(s, 1.5); i++) {
        bool wall = kin_on_wall(s->world, b), roof = kin_on_ceiling(s->world, b);
        if (l->with[2] > 0) set_vx(s, b, l->with[0]);
        scene_step(s);
        note(s, l, b);
        if (wall) EXPECT_NEAR(motion_x_on(s, l, b), 0, 0.01);
        if (roof && !hit) EXPECT_NEAR(motion_y_on(s, l, b), -30 * (double)s->dt, 0.01);
        hit = hit || wall || roof;
    }
    EXPECT(hit && grounded(s, b));
    EXPECT_REST(bottom_on(s, l, b));
    EXPECT(l->with[2] > 0 || fabs(vx_of(s, b)) < 1e-4 || l->with[1] > 6);
}

/* E08 in a car: who jumps off its floor and meets a wall or the roof that goes with it moves with the car from then on, as
   in a car that stands (B14, C03): what it kept from the floor is not taken into account twice. */
SCENARIO(E08_jump_inside_a_car, RATE_60 | ALL_SHAPES)
{
    static const double with[][3] = { { -5, 6, 0 }, { 5, 6, 0 }, { -5, 6, 1 }, { 0, 12, 0 }, { 2, 12, 0 }, { -4, 12, 1 } };
    int i;
    for (i = 0; i < 6; i++) on_every_course(s, jump_in_car, with[i]);
}

/* ---- steps ----------------------------------------------------------------------------------------------------------------- */

/* How much of its way at constant speed a round foot loses while it rolls over an edge so high. */
static double lost_on_edge(const scene *s, double height)
{
    double r = half_width(s), angle = acos(1 - height / r);
    return s->form == FORM_BOX ? 0 : r * (angle - sin(angle));
}

/* with: speed, riser, snap. The step height is 0.3. */
static void walk_to_step(scene *s, level *l)
{
    const double  speed = l->with[0], riser = l->with[1];
    kin_body_desc d;
    kin_id        b, step;
    double        x, way;
    int           i, n = steps_in(s, 4 / speed);
    open_level(s, l, -40, -1, 40, 0);
    step = add_piece(s, l, 2, -0.5, 30, riser);
    d = body_desc(s, 0.003, 0.5);   /* no step ends just at the edge */
    d.step_height = 0.3f;
    d.snap = (float)l->with[2];
    b = put_body(s, &d);
    settle(s);
    set_off(s, l);
    run(s, 4);
    x = x_on(s, l, b);
    way = n * speed * (double)s->dt;
    for (i = 0; i < n; i++) {
        set_vx(s, b, speed);
        scene_step(s);
        note(s, l, b);
        EXPECT(grounded(s, b));
        EXPECT_IN(vy_of(s, b), 0, 0);
    }
    if (riser > 0.3) {
        EXPECT_REST(gap_between(s, b, step));
        EXPECT_REST(bottom_on(s, l, b));
        EXPECT_NEAR(vx_of(s, b), 0, 1e-4);
        EXPECT(kin_on_wall(s->world, b));
        return;
    }
    EXPECT_REST(bottom_on(s, l, b) - riser);
    EXPECT_IN(x_on(s, l, b) - x, way - speed * (double)s->dt - lost_on_edge(s, riser), way + speed * (double)s->dt);
}

/* M01 on a deck: riser 0.25: y rises 0.25, vy 0, grounded each step. At most one step of x is lost, and by a
   round foot what it rolls. */
SCENARIO(M01_step_on_a_deck, RATE_60 | ALL_SHAPES)
{
    static const double with[][3] = { { 5, 0.25, 0 }, { 1, 0.25, 0.2 } };
    int i;
    for (i = 0; i < 2; i++) on_every_course(s, walk_to_step, with[i]);
}

/* M02 on a deck: riser 0.35, and a wall: blocked REST. */
SCENARIO(M02_too_high_on_a_deck, RATE_60 | ALL_SHAPES)
{
    static const double with[][3] = { { 5, 0.35, 0 }, { 2, 3, 0.3 } };
    int i;
    for (i = 0; i < 2; i++) on_every_course(s, walk_to_step, with[i]);
}

/* with: speed, drop, snap, and whether it stays on the ground. */
static void walk_down(scene *s, level *l)
{
    const double  speed = l->with[0], drop = l->with[1];
    kin_body_desc d;
    kin_id        b;
    int           i, air = 0;
    open_level(s, l, -40, -1, 40, 0);
    add_piece(s, l, -20, -0.5, 1, drop);
    d = body_desc(s, -1.003, drop + 0.5);   /* no step ends just at the edge */
    d.snap = (float)l->with[2];
    b = put_body(s, &d);
    settle(s);
    set_off(s, l);
    run(s, 4);
    for (i = 0; i < steps_in(s, 4 / speed); i++) {
        set_vx(s, b, speed);
        scene_step(s);
        note(s, l, b);
        if (!grounded(s, b)) air++;
        else EXPECT_IN(vy_of(s, b), 0, 0);
    }
    EXPECT_REST(bottom_on(s, l, b));
    if (l->with[3] > 0) EXPECT_IN(air, 0, 0);
    else EXPECT_IN(air, 5, 30);
}

/* M05 on a deck: drop 0.25, snap 0.3: grounded each step; a drop deeper than the snap: airborne for a while. */
SCENARIO(M05_step_down_on_a_deck, RATE_60 | ALL_SHAPES)
{
    static const double with[][4] = { { 5, 0.25, 0.3, 1 }, { 3, 0.25, 0.3, 1 }, { 5, 0.4, 0.1, 0 }, { 5, 0.4, -1, 0 } };
    int i;
    for (i = 0; i < 4; i++) on_every_course(s, walk_down, with[i]);
}

/* ---- bodies against bodies ---------------------------------------------------------------------------------------------- */

/* with: both speeds, both kinds. They start at -1 and 1, and walk for 1.5 s. */
static void head_on(scene *s, level *l)
{
    const double  a_speed = l->with[0], b_speed = l->with[1];
    kin_body_desc d;
    kin_id        a, b;
    int           i, n = steps_in(s, 1.5);
    open_level(s, l, -40, -1, 40, 0);
    d = body_desc(s, -1, 0.5);
    d.push = (kin_push)(int)l->with[2];
    a = put_body(s, &d);
    d.position = v2(s, 1, 0.5);
    d.push = (kin_push)(int)l->with[3];
    b = put_body(s, &d);
    settle(s);
    set_off(s, l);
    for (i = 0; i < n; i++) {
        set_vx(s, a, a_speed);
        set_vx(s, b, b_speed);
        scene_step(s);
        note(s, l, a);
        note(s, l, b);
        EXPECT(grounded(s, a) && grounded(s, b));
    }
    EXPECT_REST(left_of(s, b) - right_of(s, a));
    if (d.push == KIN_UNPUSHABLE) {   /* and then neither gives way; both come as far as their speeds let them */
        double share = a_speed / (a_speed - b_speed), room = 2 - 2 * half_width(s);
        EXPECT_NEAR(x_on(s, l, a), -1 + share * room, 0.01);
        EXPECT_NEAR(x_on(s, l, b), 1 - (1 - share) * room, 0.01);
    } else if (l->with[2] > 1.5) {
        EXPECT_NEAR(x_on(s, l, a), -1 + a_speed * 1.5, 0.01);
    }
}

/* G06 on a deck: two unpushables walk against each other and stop where they meet; an unpushable pushes a pushable. What
   carries both is nobody's own motion. */
SCENARIO(G06_head_on_on_a_deck, ALL_SHAPES)
{
    static const double U = KIN_UNPUSHABLE, P = KIN_PUSHABLE;
    static const double speeds[][2] = { { 3, -3 }, { 5, -2 }, { 2, -5 }, { 3, 0 } };
    int i, k;
    for (i = 0; i < 4; i++) {
        for (k = 0; k < 2; k++) {
            double with[4];
            with[0] = speeds[i][0];
            with[1] = speeds[i][1];
            with[2] = U;
            with[3] = k ? P : U;
            on_every_course(s, head_on, with);
        }
    }
}

/* with: how fast it is pushed. */
static void push_row(scene *s, level *l)
{
    kin_id hero, crates[3], wall;
    int    i, k, n = steps_in(s, 1.5);
    open_level(s, l, -40, -1, 40, 0);
    wall = add_piece(s, l, 5, -0.5, 6, 3);
    hero = add_body(s, -1.2, 0.5);
    for (k = 0; k < 3; k++) crates[k] = add_crate(s, 1.1 * k, 0.5);
    settle(s);
    set_off(s, l);
    for (i = 0; i < n; i++) {
        set_vx(s, hero, l->with[0]);
        scene_step(s);
        note(s, l, hero);
        for (k = 0; k < 3; k++) {
            note(s, l, crates[k]);
            EXPECT(grounded(s, crates[k]));
        }
    }
    EXPECT_REST(gap_between(s, crates[2], wall));
    EXPECT_REST(gap_between(s, crates[1], crates[2]));
    EXPECT_REST(gap_between(s, crates[0], crates[1]));
    EXPECT_REST(left_of(s, crates[0]) - right_of(s, hero));
    EXPECT_NEAR(vx_of(s, hero), 0, 1e-4);
}

/* G04 on a deck: gaps close one by one, then everything stops; the last crate at the wall REST, vx 0. */
SCENARIO(G04_row_into_a_wall_on_a_deck, ALL_SHAPES)
{
    static const double speeds[] = { 3, 5 };
    int i;
    for (i = 0; i < 2; i++) on_every_course(s, push_row, &speeds[i]);
}

/* ---- leaving it --------------------------------------------------------------------------------------------------------- */

/* The deck ends at x = 0. with: whether the hero pushes one that leaves, or leaves itself. */
static void leave_at_the_end(scene *s, level *l)
{
    kin_body_desc d;
    kin_id        hero, b;
    int           i, air = 0;
    open_level(s, l, -10, -1, 0, 0);
    d = body_desc(s, -3.013, 0.5);   /* no step ends just at the edge */
    if (l->with[0] > 0) d.shape = body_box(1, 1);
    b = hero = put_body(s, &d);
    d = body_desc(s, -1.913, 0.5);
    d.push = KIN_PUSHABLE;
    if (l->with[0] > 0) b = put_body(s, &d);
    settle(s);
    set_off(s, l);
    for (i = 0; i < steps_in(s, 3) && air < 16; i++) {
        set_vx(s, hero, 2);
        scene_step(s);
        note(s, l, b);
        if (grounded(s, b)) continue;
        air++;
        EXPECT_NEAR(kin_get_leftover(s->world, b).x * s->mirror, l->course[0], 0.01);
        EXPECT_NEAR(kin_get_leftover(s->world, b).y, l->course[1], 0.01);
        if (s->form == FORM_BOX) EXPECT_NEAR(motion_x_on(s, l, b), 2, 0.01);
    }
    EXPECT_IN(air, 16, 16);
    EXPECT(x_on(s, l, b) > 0);
}

/* E10 on a deck: who is pushed over its end (G10) keeps the deck's velocity as whoever walks over it does: in the air 2
   faster than the deck. */
SCENARIO(E10_pushed_off_a_deck, RATE_60 | ALL_SHAPES)
{
    static const double pushed[] = { 0, 1 };
    int i;
    for (i = 0; i < 2; i++) on_every_course(s, leave_at_the_end, &pushed[i]);
}

/* ---- between two sides ---------------------------------------------------------------------------------------------------- */

/* A side of a V whose lowest point is the origin, 10 long. */
static void add_side(scene *s, level *l, double degrees)
{
    double c = cos(DEGREES(degrees)), k = sin(DEGREES(degrees)), out = degrees > 0 ? 5 : -5;
    kin_static_desc d = static_desc(s, 0, 0, 10, 1);
    d.position = v2(s, out * c + 0.5 * k, out * k - 0.5 * c);
    d.rotation = turn(s, DEGREES(degrees));
    put_piece(s, l, &d);
}

/* with: where the ball starts, and how long the level stands before it moves. */
static void rest_in_notch(scene *s, level *l)
{
    kin_body_desc d;
    kin_id        b;
    dv            at;
    double        apex = 0;
    int           i;
    open_level(s, l, -1, -6, 1, -5);
    add_side(s, l, 60);
    add_side(s, l, -60);
    d = body_desc(s, l->with[0], l->with[1]);
    d.shape = kin_ball(0.5f);
    b = put_body(s, &d);
    run(s, steps_in(s, l->with[2]));
    set_off(s, l);
    run(s, steps_in(s, 1.5));
    at = place_on(s, l, b);
    for (i = 0; i < 256; i++) {
        scene_step(s);
        EXPECT(grounded(s, b));
        EXPECT_IN(x_on(s, l, b), -0.01, 0.01);
        EXPECT_IN(y_on(s, l, b), 0.9998, 1.0102);
        EXPECT_IN(dv_len(dv_of(kin_get_velocity(s->world, b))), 0, l->stands ? 0 : INTO);
        EXPECT_IN(dv_len(dv_sub(place_on(s, l, b), at)), 0, l->of == OF_MOVERS ? 0.001 : 1e-4);
    }
    set_vy(s, b, 8);
    for (i = 0; i < steps_in(s, 1.2); i++) {
        scene_step(s);
        EXPECT(i > 0 || !grounded(s, b));
        apex = fmax(apex, y_on(s, l, b) - at.y);
    }
    EXPECT_NEAR(apex, 64 / 60.0 - 4 * (double)s->dt, 0.02);
    EXPECT(grounded(s, b));
    EXPECT_IN(y_on(s, l, b), 0.9998, 1.0102);
}

/* B10 on a deck: a ball in a V of two 60 degree sides rests with its centre at (0, 1), grounded, its velocity 0, and can
   jump; whether the V moved when it came or not. The place of a moving side is rounded in each step, and that of several
   movers for each of them, so that they do not quite keep their distance. */
SCENARIO(B10_wedge_on_a_deck, RATE_60)
{
    static const double with[][3] = { { 0.2, 4, 2 }, { 0.05, 1.6, 0 } };
    int i;
    for (i = 0; i < 2; i++) on_every_course(s, rest_in_notch, with[i]);
}

/* with: where the ball starts. */
static void fall_on_hump(scene *s, level *l)
{
    kin_static_desc hump;
    kin_body_desc   d;
    kin_id          b;
    double          last;
    int             i;
    open_level(s, l, -5, -1, 5, 0);
    add_piece(s, l, 1, 0, 2, 4);
    hump = static_desc(s, 0, 0, 1, 1);
    hump.shape = kin_ball(0.5f);
    hump.position = v2(s, 0.12, 0);
    put_piece(s, l, &hump);
    d = body_desc(s, 0.618, l->with[0]);
    d.shape = kin_ball(0.38f);
    d.velocity = v2(s, 0, -6);
    b = put_body(s, &d);
    set_off(s, l);
    for (i = 0, last = l->with[0]; i < 60; i++, last = y_on(s, l, b)) {
        scene_step(s);
        EXPECT(y_on(s, l, b) - last < SLOP);
    }
}

/* I03 on a lift: a ball falls down along a wall onto a hump beside it. Whatever it meets first, it is never thrown up. */
SCENARIO(I03_between_wall_and_hump_on_a_lift, 0)
{
    int i;
    for (i = 0; i < 20; i++) {
        double from = 1.5 + 0.05 * i;
        on_every_course(s, fall_on_hump, &from);
    }
}

/* ---- random levels ---------------------------------------------------------------------------------------------------------- */

static uint32_t roll(uint64_t *dice)
{
    *dice = *dice * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*dice >> 33);
}

static int    below(uint64_t *dice, int n) { return (int)(roll(dice) % (uint32_t)n); }
static double between(uint64_t *dice, double low, double high) { return low + (high - low) * (double)roll(dice) / 2147483648.0; }

/* A floor between two walls with steps, blocks and low ceilings. */
static void random_level(scene *s, level *l, uint64_t *dice)
{
    int i, n;
    open_level(s, l, -30, -1, 30, 0);
    add_piece(s, l, -13, 0, -12, 10);
    add_piece(s, l, 12, 0, 13, 10);
    for (i = 0, n = 3 + below(dice, 4); i < n; i++) {
        int    kind = below(dice, 3);
        double x = between(dice, -10, 10), wide = between(dice, 0.5, 3), a = between(dice, 0, 1);
        if (kind == 0) add_piece(s, l, x, -0.5, x + wide, 0.1 + 0.2 * a);
        if (kind == 1) add_piece(s, l, x, -0.5, x + wide, 0.5 + 1.5 * a);
        if (kind == 2) add_piece(s, l, x, 2.2 + 1.8 * a, x + wide, 2.7 + 1.8 * a);
    }
}

static kin_id random_hero(scene *s, uint64_t *dice)
{
    kin_body_desc d = body_desc(s, between(dice, -9, 9), 6);
    double        wide = between(dice, 0.5, 1), high = between(dice, 0.5, 1.2);
    int           kind = below(dice, 3);
    d.shape = kind == 0 ? body_box(wide, high) : kind == 1 ? kin_ball((float)wide / 2) : kin_capsule((float)high + 0.6f, 0.35f);
    d.snap = 0.2f;
    d.step_height = below(dice, 2) ? 0.35f : 0;
    return put_body(s, &d);
}

typedef struct twins { scene s[2]; level l[2]; kin_id hero[2]; } twins;   /* one stands, one moves */

/* Walks where it stands, and now and then jumps; the one that moves does what the other one does. */
static void command_twins(twins *t, uint64_t *dice, double *walk)
{
    bool   stands = grounded(&t->s[0], t->hero[0]), jumps;
    double up;
    int    i;
    if (t->s[0].steps % 64 == 0) *walk = between(dice, -6, 6);
    jumps = below(dice, 50) == 0;
    up = between(dice, 6, 14);
    for (i = 0; stands && i < 2; i++) {
        set_vx(&t->s[i], t->hero[i], *walk);
        if (jumps) set_vy(&t->s[i], t->hero[i], up);
    }
}

static void open_twins(twins *t, uint32_t seed, uint64_t *dice)
{
    int i;
    memset(t, 0, sizeof *t);
    for (i = 0; i < 2; i++) {
        *dice = seed * 2654435761u + 77;
        below(dice, 2);
        t->s[i].dt = 1.0f / 128;
        t->s[i].mirror = 1;
        t->s[i].watch = getenv("KIN_WATCH") != NULL;
        t->l[i].of = (build)(1 + seed / (COURSES - 1) % (BUILDS - 1));
        t->l[i].stands = i == 0;
        t->l[i].course = courses[i == 0 ? 0 : 1 + seed % (COURSES - 1)];
        random_level(&t->s[i], &t->l[i], dice);
        t->hero[i] = random_hero(&t->s[i], dice);
        run(&t->s[i], 192);
        set_off(&t->s[i], &t->l[i]);
    }
}

/* False, with scene_report, if they part or something else is wrong. */
static bool play_twins(uint32_t seed, int steps, bool *part)
{
    twins    t;
    uint64_t dice;
    double   walk = 0, off = 0;
    int      i, bad;
    open_twins(&t, seed, &dice);
    for (i = 0; i < steps && !scene_failed(&t.s[0]) && !scene_failed(&t.s[1]); i++) {
        dv a, b;
        command_twins(&t, &dice, &walk);
        scene_step(&t.s[0]);
        scene_step(&t.s[1]);
        a = place_on(&t.s[0], &t.l[0], t.hero[0]);
        b = place_on(&t.s[1], &t.l[1], t.hero[1]);
        off = dv_len(dv_sub(a, b));
        *part = off > SLOP && !scene_failed(&t.s[0]) && !scene_failed(&t.s[1]);
        if (*part) scene_fail(&t.s[1], "at (%.6g, %.6g, %.6g), on the deck elsewhere by %g", a.x, a.y, a.z, off);
    }
    bad = scene_failed(&t.s[1]) ? 1 : 0;
    if (bad) name_the_deck(&t.s[1], &t.l[1]);
    if (scene_failed(&t.s[bad])) snprintf(scene_report, sizeof scene_report, "KIN_SEED=%u, %s", seed, t.s[bad].fault);
    bad = scene_failed(&t.s[0]) || scene_failed(&t.s[1]);
    scene_free(&t.s[0]);
    scene_free(&t.s[1]);
    return !bad;
}

/* Random levels, standing and moving: a body that walks, falls, climbs steps, jumps and meets walls and ceilings is always
   in the same place on both. Rounding decides whether the graze of a corner is met in this step or in the next, and from
   there on they are two stories: one world in twenty may part within 512 steps, and more is not tried. KIN_SEEDS and
   KIN_STEPS set how much is, KIN_SEED=n plays one alone. */
TEST same_level_standing_and_moving(void)
{
    enum { MOST_STEPS = 512 };
    seed_list seeds = seeds_to_play(TEST_SHARE > 1 ? 6 : 60, no_failed);
    uint32_t  seed;
    int       one = from_environment("KIN_SEED", 0), steps = from_environment("KIN_STEPS", MOST_STEPS);
    int       count = (int)(seeds.end - seeds.first), bad = 0, parted = 0;
    if (!one && steps > MOST_STEPS) steps = MOST_STEPS;
    while ((seed = next_seed(&seeds)) != 0) {
        bool part = false;
        if (play_twins(seed, steps, &part)) continue;
        if (part) parted++;
        else bad++;
        printf("\n%s\n", scene_report);
    }
    if (bad > 0 || parted > (one ? 0 : count / 20)) FAILm("the moving level is another one");
    PASS();
}

SUITE(moving)
{
    RUN_TEST(A03_jump_on_a_deck);
    RUN_TEST(E08_jump_inside_a_car);
    RUN_TEST(M01_step_on_a_deck);
    RUN_TEST(M02_too_high_on_a_deck);
    RUN_TEST(M05_step_down_on_a_deck);
    RUN_TEST(G06_head_on_on_a_deck);
    RUN_TEST(G04_row_into_a_wall_on_a_deck);
    RUN_TEST(E10_pushed_off_a_deck);
    RUN_TEST(B10_wedge_on_a_deck);
    RUN_TEST(I03_between_wall_and_hump_on_a_lift);
    RUN_TEST(same_level_standing_and_moving);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv)
{
    GREATEST_MAIN_BEGIN();
    RUN_SUITE(moving);
    GREATEST_MAIN_END();
}
