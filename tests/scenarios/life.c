/* SPDX-License-Identifier: MIT OR Unlicense

   life.c: section I of the catalogue: life cycle. I06, which needs pushing, is in push.c. */
#include "scene.h"

/* I01 teleport: to free space: pose exact, velocity kept, contacts ended, not grounded until the next step decides,
   nothing swept in between, interpolation restarts (no streak). */
SCENARIO(I01_teleport, ALL_SHAPES)
{
    kin_static_desc d;
    kin_id f, wall, sensor, b;
    open_earth(s);
    f = add_floor(s);
    wall = add_static_box(s, 3, 0, 4, 20);
    d = static_desc(s, 6, 0, 7, 20);
    d.sensor = true;
    sensor = put_static(s, &d);
    b = add_body(s, 0, 0.5);
    settle(s);
    kin_world_advance(s->world, 0.5 / 128);   /* half a step is left: drawn half-way between the last two steps */
    set_vx(s, b, 3);
    run(s, 8);
    EXPECT_NEAR(kin_get_draw_pose(s->world, b).p.x * s->mirror, x_of(s, b) - 0.5 * 3 / 128, 1e-5);
    clear_events(s);
    teleport(s, b, 10, 5);
    EXPECT_IN(x_of(s, b), 10, 10);
    EXPECT_IN(y_of(s, b), 5, 5);
    EXPECT_IN(vx_of(s, b), 3, 3);
    EXPECT(!grounded(s, b));
    EXPECT(same_vec(kin_get_draw_pose(s->world, b).p, v2(s, 10, 5)));
    run(s, 1);
    EXPECT(!grounded(s, b));
    EXPECT_NEAR(x_of(s, b), 10 + 3.0 / 128, 1e-5);
    EXPECT_NEAR(y_of(s, b), 5 - 30.0 / 128 / 128, 1e-5);
    EXPECT_IN(vx_of(s, b), 3, 3);
    EXPECT_NEAR(kin_get_draw_pose(s->world, b).p.x * s->mirror, 10 + 1.5 / 128, 1e-5);
    EXPECT_IN(kin_get_contacts(s->world, b, NULL, 0), 0, 0);
    EXPECT_IN(count_events(s, KIN_EVENT_ENDED, b, f), 1, 1);
    EXPECT_IN(count_events(s, KIN_EVENT_BEGAN, b, nobody()), 0, 0);
    EXPECT_IN(count_told(s, 0, wall, false) + count_told(s, 0, sensor, false), 0, 0);

    teleport(s, b, 12, 0.501);
    EXPECT(!grounded(s, b));
    run(s, 1);
    EXPECT(grounded(s, b));
    EXPECT_REST(bottom_of(s, b));
}

/* Teleports a body, once, from the callback that tells of this. */
typedef struct jolt { kin_event_type on; int calls; } jolt;

static void teleport_told(scene *s, const kin_event *event)
{
    jolt *j = (jolt *)s->user;
    if (event->type == j->on && s->steps > 4 && j->calls++ == 0) teleport(s, event->a, 10, 5);
}

static void teleport_from_control(kin_world *world, kin_id id, float dt, void *user)
{
    scene *s = (scene *)user;
    jolt  *j = (jolt *)s->user;
    (void)world; (void)dt;
    if (j->calls++ == 8) teleport(s, id, 10, 5);
}

/* Since the world was opened the body has landed on this ground once, has left it, and nothing else. */
static void expect_landed_and_left(scene *s, kin_id b, kin_id ground)
{
    int  i;
    bool stands = false;
    for (i = 0; i < s->event_count; i++) {
        const kin_event *e = &s->events[i];
        if (e->type != KIN_EVENT_LANDED && e->type != KIN_EVENT_LEFT) continue;
        EXPECT(kin_same(e->a, b) && kin_same(e->b, ground));
        EXPECT(stands == (e->type == KIN_EVENT_LEFT));
        stands = !stands;
    }
    EXPECT(!stands);
    EXPECT_IN(count_events(s, KIN_EVENT_LANDED, b, ground), 1, 1);
}

/* I01 in a callback: what the step has still to tell of the body names the ground it was about, and landing and leaving
   alternate. Jumping, it is told ended, then left; coming down, began, then landed. */
SCENARIO(I01_teleport_in_a_callback, ALL_SHAPES)
{
    static const kin_event_type on[4] = { KIN_EVENT_ENDED, KIN_EVENT_LEFT, KIN_EVENT_BEGAN, KIN_EVENT_LANDED };
    kin_id f, b;
    jolt   j;
    int    k;
    s->user = &j;
    s->on_event = teleport_told;
    s->skip = 1u << 4;   /* N4 asks at the end of each step: there it has landed or left, and is already elsewhere */
    for (k = 0; k < 4; k++) {
        j.on = on[k];
        j.calls = 0;
        open_earth(s);
        f = add_floor(s);
        b = add_body(s, 0, k < 2 ? 0.5 : 0.7);
        run(s, 8);
        if (k < 2) set_v(s, b, 0, 12);
        run(s, 8);
        EXPECT_IN(j.calls, 1, 2);
        expect_landed_and_left(s, b, f);
    }
}

/* ... and in the body's own controller, when its ground was teleported too. */
SCENARIO(I01_teleport_in_a_controller, ALL_SHAPES)
{
    kin_body_desc d;
    kin_id        m, b;
    jolt          j;
    memset(&j, 0, sizeof j);
    s->user = &j;
    open_earth(s);
    m = add_mover(s, 0, -0.25, 4, 0.5, 0, 0);
    d = body_desc(s, 0, 0.5);
    d.control = teleport_from_control;
    d.user = s;
    b = put_body(s, &d);
    run(s, 8);
    teleport(s, m, 0, -5);
    run(s, 2);
    EXPECT(!grounded(s, b));
    expect_landed_and_left(s, b, m);
}

/* I02 teleport across a wall: allowed; no collision with the wall. */
SCENARIO(I02_teleport_across_a_wall, ALL_SHAPES)
{
    kin_id wall, b;
    int    i;
    open_floating(s);
    wall = add_static_box(s, 1, -50, 2, 50);
    b = add_body(s, 0, 0);
    set_v(s, b, 2, 0);
    run(s, 4);
    teleport(s, b, 3, 0);
    for (i = 1; i <= 32; i++) {
        scene_step(s);
        EXPECT_NEAR(x_of(s, b), 3 + 2.0 * i / 128, 1e-5);
        EXPECT_IN(vx_of(s, b), 2, 2);
    }
    EXPECT_IN(count_events(s, KIN_EVENT_BEGAN, b, wall), 0, 0);
}

static void expect_move(scene *s, kin_id b, double x, double y, double got_x, double got_y)
{
    kin_vec went = move_now(s, b, x, y);
    EXPECT_NEAR(went.x, got_x, 0.005);
    EXPECT_NEAR(went.y, got_y, 0.005);
}

/* Moved and slid between two steps, a body goes where it is told, as kin_test_move says it can: down again after up,
   and down past a ledge. On its ground it walks along it, and only there. */
SCENARIO(I02_moved_now, ALL_SHAPES)
{
    kin_id b;
    double run_up = cos(DEGREES(30)), rise = sin(DEGREES(30));
    open_earth(s);
    add_static_box(s, -20, -1, 0, 0);
    add_ramp(s, -40, 20 * rise / run_up, -20, 0);
    b = add_body(s, -3, 0.502);
    settle(s);
    expect_move(s, b, 0, 1, 0, 1);
    EXPECT(!kin_test_move(s->world, b, v2(s, 0, -0.5), NULL));
    expect_move(s, b, 0, -0.5, 0, -0.5);
    expect_move(s, b, 0.3, -0.4, 0.3, -0.4);
    expect_move(s, b, 0.5, -3, 0.5, -0.1);   /* it lands, and slides on */
    expect_move(s, b, 0, -1, 0, 0);
    run(s, 2);
    EXPECT(grounded(s, b));
    expect_move(s, b, 6, 0, 6, 0);
    expect_move(s, b, 0, -3, 0, -3);
    run(s, 2);
    EXPECT(!grounded(s, b));

    teleport(s, b, -23, 3 * rise / run_up + 1.2);
    EXPECT(run_until_grounded(s, b, 100) > 0);
    expect_move(s, b, -1, 0, -run_up, rise);
    expect_move(s, b, 0, 1, 0, 1);
    expect_move(s, b, -1, 0, -1, 0);
}

static void expect_freed(scene *s, kin_id b, double x)
{
    EXPECT_REST(bottom_of(s, b));
    EXPECT_NEAR(x_of(s, b), x, 1e-4);
    EXPECT_NEAR(vx_of(s, b), 0, 0);
    EXPECT_NEAR(vy_of(s, b), 0, 0);
    EXPECT(grounded(s, b));
    EXPECT_IN(count_events(s, KIN_EVENT_EMBEDDED, b, nobody()), 0, 0);
}

/* I03 shallow overlap: B at (0, 0.3) in F (0.2 deep): next step bottom REST, |dx| <= 1e-4, velocity 0 (no launch).
   Recovery is complete in that step. */
SCENARIO(I03_shallow_overlap, RATE_60 | ALL_SHAPES)
{
    kin_id   b;
    kin_pose pose;
    open_earth(s);
    add_floor(s);
    b = add_body(s, 0, 0.3);
    run(s, 1);
    expect_freed(s, b, 0);
    pose = pose_now(s, b);
    run(s, 64);
    EXPECT(same_pose(pose, pose_now(s, b)));
    teleport(s, b, 7, 0.3);
    run(s, 1);
    expect_freed(s, b, 7);
}

static void deep_inside(scene *s, double x, double y)
{
    kin_id block, b;
    int    i;
    open_earth(s);
    block = add_static_box(s, -5, -5, 5, 5);
    b = add_body(s, x, y);
    for (i = 0; i < 256; i++) {
        scene_step(s);
        EXPECT(kin_is_embedded(s->world, b));
        EXPECT_NEAR(x_of(s, b), x, 1e-6);
        EXPECT_NEAR(y_of(s, b), y, 1e-6);
    }
    EXPECT_IN(count_events(s, KIN_EVENT_EMBEDDED, b, block), 1, 1);
    teleport(s, b, 0, 8);
    run(s, 1);
    EXPECT(!kin_is_embedded(s->world, b));
    EXPECT_IN(count_events(s, KIN_EVENT_FREED, b, nobody()), 1, 1);
    EXPECT_IN(y_of(s, b), 7.99, 8);   /* no speed was stored up inside */
    run(s, 128);
    EXPECT(grounded(s, b));
    EXPECT_REST(bottom_of(s, b) - 5);
    EXPECT_IN(count_events(s, KIN_EVENT_EMBEDDED, b, nobody()), 1, 1);
}

/* I04 deep inside: B in the middle of a 10 x 10 static: embedded event once; pose bounded (unmoved, or at most the
   documented recovery distance per step); teleport out works. Off the middle too: nothing falls through the block. */
SCENARIO(I04_deep_inside, ALL_SHAPES)
{
    deep_inside(s, 0, 0);
    deep_inside(s, 2, 0);
    deep_inside(s, 0, 2);
    deep_inside(s, -1, -2);
}

static void pull_platform(scene *s, kin_leave leave, double dx, double by)
{
    kin_body_desc d;
    kin_id        m, b;
    double        from;
    int           events;
    open_earth(s);
    m = add_mover(s, 0, -0.25, 4, 0.5, 6, 0);
    d = body_desc(s, 0, 0.5);
    d.leave = leave;
    b = put_body(s, &d);
    settle(s);
    EXPECT(grounded(s, b));
    from = x_of(s, b);
    events = s->event_count;
    take_out(s, m);
    run(s, 1);
    EXPECT(!grounded(s, b));
    EXPECT_NEAR(vy_of(s, b), -0.234, 0.001);
    EXPECT_IN(kin_get_ground(s->world, b).id.slot, 0, 0);
    EXPECT_IN(count_told(s, events, m, true), 1, 1);
    EXPECT_IN(count_told(s, events, m, false), 0, 0);
    run(s, 63);
    EXPECT_NEAR(x_of(s, b) - from, dx, by);
}

/* I08 platform removed under a rider: next step not grounded, vy = -0.234 +-0.001, ground id none; leave momentum as
   E08. */
SCENARIO(I08_platform_removed_under_a_rider, ALL_SHAPES)
{
    pull_platform(s, KIN_LEAVE_ADD, 3, 0.001);
    pull_platform(s, KIN_LEAVE_NONE, 0, 0.05);
}

enum { BY_DISABLING, BY_FILTER, BY_THE_BODYS_FILTER, BY_IGNORING, BY_A_SENSOR, BY_SHRINKING, WAYS_TO_GO };

static void take_away(scene *s, kin_id m, kin_id b, int way)
{
    kin_shape      thin = box(4, 0.25);
    kin_mover_desc d;
    switch (way) {
    case BY_DISABLING: set_enabled(s, m, false); break;
    case BY_FILTER: set_filter(s, m, 1, 0xfffffffeu); break;
    case BY_THE_BODYS_FILTER: set_filter(s, b, 1, 0xfffffffeu); break;
    case BY_IGNORING: ignore_pair(s, m, b); break;
    case BY_SHRINKING: EXPECT(set_shape(s, m, &thin)); break;
    default:
        EXPECT(kin_get_mover_options(s->world, m, &d));
        d.sensor = thing_of(s, m)->sensor = true;
        EXPECT(kin_set_mover_options(s->world, m, &d));
        scene_stir(s);
        break;
    }
}

/* I08 a platform that is still there, but holds nobody any more: the same as one that was removed. It carries no further. */
SCENARIO(I08_platform_that_holds_no_more, ALL_SHAPES)
{
    int way, none;
    for (way = 0; way < WAYS_TO_GO; way++) for (none = 0; none < 2; none++) {
        kin_body_desc d;
        kin_id        m, b;
        double        from;
        open_earth(s);
        m = add_mover(s, 0, -0.25, 4, 0.5, 6, 0);
        d = body_desc(s, 0, 0.5);
        d.leave = none ? KIN_LEAVE_NONE : KIN_LEAVE_ADD;
        b = put_body(s, &d);
        settle(s);
        EXPECT(grounded(s, b));
        from = x_of(s, b);
        clear_events(s);
        take_away(s, m, b, way);
        run(s, 1);
        EXPECT(!grounded(s, b));
        EXPECT_NEAR(vy_of(s, b), -0.234, 0.001);
        EXPECT_IN(kin_get_ground(s->world, b).id.slot, 0, 0);
        EXPECT_IN(count_events(s, KIN_EVENT_LEFT, b, m), 1, 1);
        run(s, 7);
        EXPECT_NEAR(x_of(s, b) - from, none ? 0 : 6 * 8.0 / 128, 1e-4);
    }
}

/* I08 the other way: a platform whose shape changes and that is still under its rider, or no lower than that snaps,
   carries on. So does it for a rider that crouches. */
SCENARIO(I08_platform_that_changes_and_holds, ALL_SHAPES)
{
    kin_shape shapes[3];
    int       k;
    shapes[0] = box(6, 0.5);
    shapes[1] = box(4, 0.45);
    shapes[2] = body_box(0.5, 0.5);
    for (k = 0; k < 3; k++) {
        kin_id m, b;
        double from;
        open_earth(s);
        m = add_mover(s, 0, -0.25, 4, 0.5, 6, 0);
        b = add_body(s, 0, 0.5);
        settle(s);
        EXPECT(grounded(s, b));
        from = x_of(s, b);
        clear_events(s);
        EXPECT(set_shape(s, k == 2 ? b : m, &shapes[k]));
        run(s, 1);
        EXPECT(grounded(s, b));
        EXPECT_NEAR(x_of(s, b) - from, 6.0 / 128, 1e-5);
        EXPECT_REST(bottom_of(s, b) - top_of(s, m));
        run(s, 63);
        EXPECT_NEAR(x_of(s, b) - from, 3, 1e-4);
        EXPECT_IN(count_events(s, KIN_EVENT_LEFT, b, nobody()), 0, 0);
    }
}

enum { NEVER, BEFORE_THE_STEP, INSIDE_THE_STEP };
enum { BY_NOBODY, BY_A_BODY, BY_A_BODY_INSIDE, BY_A_STATIC_INSIDE, TAKERS };

/* Two that touch, when each of them is removed, and who is added then and takes a slot that is free. */
typedef struct parting { kin_id pair[2]; int when[2], taken; bool now; } parting;

static void part(scene *s, const parting *p, int when)
{
    int i;
    for (i = 0; i < 2; i++) if (p->when[i] == when) take_out(s, p->pair[i]);
}

static void part_from_control(kin_world *world, kin_id id, float dt, void *user)
{
    scene   *s = (scene *)user;
    parting *p = (parting *)s->user;
    (void)world; (void)id; (void)dt;
    if (!p->now) return;
    p->now = false;
    part(s, p, INSIDE_THE_STEP);
    if (p->taken == BY_A_BODY_INSIDE) add_body(s, 20, 50);
    if (p->taken == BY_A_STATIC_INSIDE) add_static_box(s, 20, 50, 21, 51);
}

static kin_id add_to_touch(scene *s, kin_kind kind)
{
    if (kind == KIN_STATIC) return add_static_box(s, -1, 0, 0, 1);
    return kind == KIN_MOVER ? add_mover(s, -0.5, 0.5, 1, 1, 0, 0) : add_crate(s, -0.5, 0.5);
}

static void part_two(scene *s, kin_kind kind, bool later, parting *p)
{
    kin_body_desc d;
    int           i;
    s->user = p;
    open_floating(s);
    d = body_desc(s, 10, 0.5);
    d.control = part_from_control;
    d.user = s;
    put_body(s, &d);
    for (i = 0; i < 2; i++) {
        if (later == (i == 0)) p->pair[1] = add_body(s, 0.502, 0.5);
        else p->pair[0] = add_to_touch(s, kind);
    }
    run(s, 4);
    EXPECT_IN(open_touches(s, p->pair[1]), 1, 1);
    part(s, p, BEFORE_THE_STEP);
    kin_world_advance(s->world, 0);   /* stage 1 alone */
    if (p->taken == BY_A_BODY) add_body(s, 20, 50);
    p->now = true;
    run(s, 4);
    EXPECT_IN(count_events(s, KIN_EVENT_ENDED, p->pair[1], p->pair[0]), 1, 1);
}

/* I08 whoever of two that touch is removed, when, and whoever has its slot next: their contact ends once. */
SCENARIO(I08_removed_and_the_slot_taken, 0)
{
    parting p;
    int     kind, later;
    memset(&p, 0, sizeof p);
    for (kind = KIN_STATIC; kind <= KIN_BODY; kind++)
        for (later = 0; later < 2; later++)
            for (p.taken = 0; p.taken < TAKERS; p.taken++)
                for (p.when[0] = NEVER; p.when[0] <= INSIDE_THE_STEP; p.when[0]++)
                    for (p.when[1] = NEVER; p.when[1] <= INSIDE_THE_STEP; p.when[1]++)
                        if (p.when[0] || p.when[1]) part_two(s, (kin_kind)kind, later, &p);
}

typedef struct plan { kin_id victim, added; int events, calls; } plan;

static void remove_victim(scene *s, const kin_event *event)
{
    plan *p = (plan *)s->user;
    if (event->type != KIN_EVENT_LANDED || p->calls++ > 0) return;
    take_out(s, p->victim);
    p->events = s->event_count;
}

/* Two bodies land in the same step; the handler of the first landing removes one of them. */
static void remove_on_landing(scene *s, bool itself)
{
    kin_id one, two;
    plan   p;
    int    contacts;
    memset(&p, 0, sizeof p);
    open_earth(s);
    add_floor(s);
    one = add_body(s, -3, 3);
    two = add_body(s, 3, 3);
    p.victim = itself ? one : two;
    s->user = &p;
    s->on_event = remove_victim;
    while (p.calls == 0 && s->steps < 128) if (!scene_step(s)) return;
    EXPECT(!kin_alive(s->world, p.victim));
    contacts = open_touches(s, p.victim);
    run(s, 64);
    EXPECT_IN(count_told(s, p.events, p.victim, false), 0, 0);
    EXPECT_IN(count_told(s, p.events, p.victim, true), contacts, contacts);
    EXPECT(grounded(s, itself ? two : one));
    EXPECT_IN(count_events(s, KIN_EVENT_LANDED, itself ? two : one, nobody()), 1, 1);
}

/* I09 self-removal in a callback: land handler removes the body: no crash (sanitizers), no further event for it but one
   ended per open contact, others finish the step. The same for a handler that removes another body. */
SCENARIO(I09_self_removal_in_a_callback, ALL_SHAPES)
{
    remove_on_landing(s, true);
    remove_on_landing(s, false);
}

static void remove_on_touch(scene *s, const kin_event *event)
{
    plan *p = (plan *)s->user;
    if (event->type == KIN_EVENT_BEGAN && p->calls++ == 0) take_out(s, p->victim);
}

static kin_id put_wide_body(scene *s)
{
    kin_body_desc d = body_desc(s, 0, 0.502);
    d.shape = body_box(2, 1);
    return put_body(s, &d);
}

/* I09 on first contact: a body comes down on two at once, and the handler of the first meeting removes one of the
   three. The other meeting is not told any more, and so does not end either. */
SCENARIO(I09_removed_before_it_was_told, 0)
{
    int who, bodies;
    for (bodies = 0; bodies < 2; bodies++) for (who = 0; who < 3; who++) {
        kin_id ids[3];
        plan   p;
        int    i, began = 0;
        memset(&p, 0, sizeof p);
        open_earth(s);
        if (bodies) add_static_box(s, -10, -2, 10, -1);
        for (i = 0; i < 2; i++)
            ids[i] = bodies ? add_crate(s, 2 * i - 1, -0.5) : add_static_box(s, 4 * i - 4, -1, 4 * i, 0);
        run(s, 4);
        ids[2] = put_wide_body(s);
        p.victim = ids[who];
        s->user = &p;
        s->on_event = remove_on_touch;
        clear_events(s);
        run(s, 8);
        s->on_event = NULL;
        EXPECT(p.calls > 0 && !kin_alive(s->world, p.victim));
        for (i = 0; i < 2; i++) {
            int told = count_events(s, KIN_EVENT_BEGAN, ids[2], ids[i]);
            began += told;
            EXPECT_IN(count_events(s, KIN_EVENT_ENDED, ids[2], ids[i]), 0, told);
        }
        EXPECT_IN(began, who == 0 ? 2 : 1, who == 0 ? 2 : 1);
    }
}

static void add_another(scene *s, const kin_event *event)
{
    plan *p = (plan *)s->user;
    if (event->type != KIN_EVENT_LANDED || p->calls++ > 0) return;
    p->added = add_body(s, 5, 5);
    if (!kin_alive(s->world, p->added) || !(y_of(s, p->added) > 4.9)) scene_fail(s, "the new body is not valid at once");
}

static void add_from_control(kin_world *world, kin_id id, float dt, void *user)
{
    scene *s = (scene *)user;
    plan  *p = (plan *)s->user;
    (void)world; (void)id; (void)dt;
    if (p->calls++ > 0) return;
    p->added = add_body(s, 5, 5);
    if (!kin_alive(s->world, p->added)) scene_fail(s, "the new body is not valid at once");
}

static void expect_starts_now(scene *s, kin_id b)
{
    EXPECT_IN(y_of(s, b), 5, 5);
    EXPECT_IN(vy_of(s, b), 0, 0);
    run(s, 1);
    EXPECT_NEAR(vy_of(s, b), -0.234, 0.001);
    EXPECT_NEAR(y_of(s, b), 5 - 0.234 / 128, 1e-5);
    run(s, 128);
    EXPECT(grounded(s, b));
}

/* I10 add in a callback: new body valid at once, simulated from the next step. */
SCENARIO(I10_add_in_a_callback, ALL_SHAPES)
{
    kin_body_desc d;
    plan          p;
    memset(&p, 0, sizeof p);
    open_earth(s);
    add_floor(s);
    add_body(s, 0, 2);
    s->user = &p;
    s->on_event = add_another;
    while (p.calls == 0 && s->steps < 128) if (!scene_step(s)) return;
    EXPECT(p.added.slot != 0);
    expect_starts_now(s, p.added);

    memset(&p, 0, sizeof p);
    s->on_event = NULL;
    open_earth(s);
    add_floor(s);
    d = body_desc(s, 0, 2);
    d.control = add_from_control;
    d.user = s;
    put_body(s, &d);
    run(s, 1);
    EXPECT_IN(p.calls, 1, 1);
    expect_starts_now(s, p.added);
}

static void remove_presser(scene *s, const kin_event *event)
{
    plan *p = (plan *)s->user;
    if (event->type != KIN_EVENT_CRUSHED) return;
    p->calls++;
    take_out(s, p->victim);
    p->events = s->event_count;
}

/* I12 remove the mover in its crush callback. */
SCENARIO(I12_remove_the_mover_in_its_crush_callback, ALL_SHAPES)
{
    kin_pose pose;
    kin_id   b;
    plan     p;
    memset(&p, 0, sizeof p);
    open_earth(s);
    add_floor(s);
    add_static_box(s, 5, -1, 9, 9);
    p.victim = add_mover(s, 0, 1.5, 4, 3, 2, 0);
    b = add_body(s, 4, 0.5);
    s->user = &p;
    s->on_event = remove_presser;
    while (p.calls == 0 && s->steps < 300) if (!scene_step(s)) return;
    EXPECT(!kin_alive(s->world, p.victim));
    run(s, 2);
    EXPECT(!kin_is_crushed(s->world, b));
    EXPECT(!kin_is_embedded(s->world, b));
    EXPECT_IN(count_events(s, KIN_EVENT_FREED, b, nobody()), 1, 1);
    EXPECT_IN(count_told(s, p.events, p.victim, true), 1, 1);
    EXPECT_NEAR(x_of(s, b), 5 - half_width(s), 0.005);
    run(s, 2);
    pose = pose_now(s, b);
    run(s, 32);
    EXPECT(same_pose(pose, pose_now(s, b)));
    EXPECT(grounded(s, b));
    EXPECT_IN(p.calls, 1, 1);
}

static void clear_world(scene *s)
{
    kin_id id = kin_next(s->world, KIN_NOTHING, nobody());
    while (id.slot) {
        kin_id next = kin_next(s->world, KIN_NOTHING, id);
        take_out(s, id);
        id = next;
    }
}

static void clear_on_landing(scene *s, const kin_event *event)
{
    if (event->type == KIN_EVENT_LANDED) clear_world(s);
}

static void clear_from_control(kin_world *world, kin_id id, float dt, void *user)
{
    (void)world; (void)id; (void)dt;
    clear_world((scene *)user);
}

/* A busy world; whose controller clears it? */
static void fill_world(scene *s, kin_control_fn *mover, kin_control_fn *body)
{
    kin_body_desc  b;
    kin_mover_desc m;
    int            i;
    open_earth(s);
    add_floor(s);
    for (i = 0; i < 4; i++) {
        m = mover_desc(s, 8 * i - 20, 0.25, 4, 0.5);
        m.velocity = v2(s, 1, 0);
        m.user = s;
        if (i == 1) m.control = mover;
        put_mover(s, &m);
        b = body_desc(s, 8 * i - 20, 2 + i);
        b.user = s;
        if (i == 1) b.control = body;
        put_body(s, &b);
    }
}

static void expect_cleared(scene *s)
{
    kin_id b;
    EXPECT_IN(kin_next(s->world, KIN_NOTHING, nobody()).slot, 0, 0);
    s->on_event = NULL;
    run(s, 4);
    add_floor(s);
    b = add_body(s, 0, 0.5);
    run(s, 4);
    EXPECT(grounded(s, b));
}

/* I13 clear the world in a callback: deferred or immediate, never a crash; the step returns. */
SCENARIO(I13_clear_the_world_in_a_callback, ALL_SHAPES)
{
    fill_world(s, NULL, NULL);
    s->on_event = clear_on_landing;
    run(s, 64);
    expect_cleared(s);
    fill_world(s, clear_from_control, NULL);
    run(s, 4);
    expect_cleared(s);
    fill_world(s, NULL, clear_from_control);
    run(s, 4);
    expect_cleared(s);
}

/* Every call that takes a handle, with one that is dead. How many logged nothing or did not refuse. */
static int calls_that_take(scene *s, kin_id id, kin_id live)
{
    kin_world *w = s->world;
    kin_pose   at = pose_now(s, live);
    kin_shape  shape = kin_ball(1);
    kin_body_desc   body;
    kin_mover_desc  mover;
    kin_static_desc part = static_desc(s, 0, 0, 1, 1);
    kin_tiles_desc tiles;
    kin_mesh_desc  mesh;
    kin_filter     filter;
    kin_contact contact;
    kin_cell    cell;
    kin_id      rider;
    kin_hit     hit;
    int         took = 0, logs = s->logs;
    int         face[] = { 0, 1, 2 };
    kin_vec     points[3];
    memset(&body, 0, sizeof body);
    memset(&mover, 0, sizeof mover);
    memset(&tiles, 0, sizeof tiles);
    memset(&mesh, 0, sizeof mesh);
    memset(&filter, 0, sizeof filter);
    memset(&cell, 0, sizeof cell);
    points[0] = v2(s, 0, 0);
    points[1] = v2(s, 1, 0);
    points[2] = v2(s, 0, 1);
    mesh.points = points;
    mesh.point_count = 3;
    mesh.indices = face;
    mesh.index_count = KINEMATIC_DIM;
    tiles.size = cell;
    tiles.size.x = tiles.size.y = 1;
#if KINEMATIC_DIM == 3
    tiles.size.z = 1;
#endif
    part.attach = tiles.attach = mesh.attach = filter.ignore = id;
#define REFUSED(refused) do { if (!(refused) || s->logs != ++logs) { took++; logs = s->logs; } } while (0)
    REFUSED(!kin_remove(w, id));
    REFUSED(kin_get_user(w, id) == NULL);
    REFUSED(same_vec(kin_get_position(w, id), v2(s, 0, 0)));
    REFUSED((kin_get_rotation(w, id), true));
    REFUSED(same_vec(kin_get_draw_pose(w, id).p, v2(s, 0, 0)));
    REFUSED(same_vec(kin_get_velocity(w, id), v2(s, 0, 0)));
    REFUSED(same_vec(kin_get_motion(w, id), v2(s, 0, 0)));
    REFUSED(same_vec(kin_get_leftover(w, id), v2(s, 0, 0)));
    REFUSED((kin_get_spin(w, id), true));
    REFUSED(!kin_set_position(w, id, v2(s, 1, 1)));
    REFUSED(!kin_set_rotation(w, id, turn(s, 1)));
    REFUSED(!kin_set_velocity(w, id, v2(s, 1, 1)));
    REFUSED(!kin_set_spin(w, id, spin(s, 1)));
    REFUSED(!kin_move_to(w, id, at.p, at.q));
    REFUSED(!kin_set_shape(w, id, &shape));
    REFUSED(!kin_set_enabled(w, id, false));
    REFUSED(!kin_set_filter(w, id, 2, 2));
    REFUSED(!kin_set_user(w, id, s));
    REFUSED(!kin_set_control(w, id, NULL));
    REFUSED(!kin_get_body_options(w, id, &body));
    REFUSED(!kin_set_body_options(w, id, &body));
    REFUSED(!kin_get_mover_options(w, id, &mover));
    REFUSED(!kin_set_mover_options(w, id, &mover));
    REFUSED(!kin_set_push(w, id, KIN_PUSHABLE));
    REFUSED(!kin_ignore(w, id, live, true));
    REFUSED(!kin_ignore(w, live, id, true));
    REFUSED(!kin_drop_through(w, id));
    REFUSED(kin_get_ground(w, id).id.slot == 0);
    REFUSED(!kin_on_ground(w, id));
    REFUSED(!kin_on_wall(w, id));
    REFUSED(!kin_on_ceiling(w, id));
    REFUSED(!kin_is_crushed(w, id));
    REFUSED(!kin_is_embedded(w, id));
    REFUSED(kin_get_contacts(w, id, &contact, 1) == 0);
    REFUSED(kin_get_riders(w, id, &rider, 1) == 0);
    REFUSED(!kin_test_move(w, id, v2(s, 1, 0), NULL));
    REFUSED(same_vec(kin_move(w, id, v2(s, 1, 0)), v2(s, 0, 0)));
    REFUSED(!kin_define_tile(w, id, 4, NULL));
    REFUSED(kin_get_tile(w, id, cell) == 0);
    REFUSED(!kin_set_tile(w, id, cell, KIN_TILE_SOLID));
    REFUSED(kin_next(w, KIN_NOTHING, id).slot == 0);
    REFUSED(!kin_cast_ray(w, at.p, v2(s, 0, -9), &filter, &hit));
    REFUSED(!kin_cast_shape(w, &shape, at, v2(s, 0, -9), &filter, &hit));
    REFUSED(kin_overlap(w, &shape, at, &filter, &rider, 1) == 0);
    REFUSED(kin_add_static(w, &part).slot == 0);
    REFUSED(kin_add_tiles(w, &tiles).slot == 0);
    REFUSED(kin_add_mesh(w, &mesh).slot == 0);
#undef REFUSED
    return took;
}

static kin_id add_of_kind(scene *s, kin_kind kind, double x)
{
    if (kind == KIN_STATIC) return add_static_box(s, x, 5, x + 1, 6);
    return kind == KIN_MOVER ? add_mover(s, x, 5, 1, 1, 0, 0) : add_body(s, x, 0.5);
}

/* I15 stale handles: after remove and re-add the old handle answers "invalid" for every call. */
SCENARIO(I15_stale_handles, NO_MIRROR)
{
    int kind, next;
    for (kind = KIN_STATIC; kind <= KIN_BODY; kind++) {
        for (next = KIN_STATIC; next <= KIN_BODY; next++) {
            kin_id   old, live, again;
            uint64_t hash;
            s->allow_log = false;
            open_earth(s);
            add_floor(s);
            live = add_body(s, 10, 0.5);
            old = add_of_kind(s, (kin_kind)kind, 0);
            run(s, 4);
            take_out(s, old);
            run(s, 2);
            again = add_of_kind(s, (kin_kind)next, 0);
            EXPECT_IN(again.slot, old.slot, old.slot);   /* the very slot is used again */
            EXPECT(!kin_same(old, again));
            EXPECT(!kin_alive(s->world, old) && kin_alive(s->world, again));
            run(s, 2);
            s->allow_log = true;
            EXPECT(kin_get_kind(s->world, old) == KIN_NOTHING);
            hash = kin_world_hash(s->world);
            EXPECT_IN(calls_that_take(s, old, live), 0, 0);
            old.age += 1000;   /* nor one that was never given */
            EXPECT_IN(calls_that_take(s, old, live), 0, 0);
            old.slot += 1000;
            EXPECT_IN(calls_that_take(s, old, live), 0, 0);
            EXPECT(kin_world_hash(s->world) == hash);
            EXPECT(kin_get_kind(s->world, again) == (kin_kind)next);
        }
    }
}

static kin_shape standing(const scene *s)
{
    return s->form == FORM_BOX ? body_box(1, 2) : s->form == FORM_BALL ? kin_ball(1) : kin_capsule(2, 0.4f);
}

/* I16 crouch and stand: 1 x 2 -> 1 x 1 keeping the feet: bottom within 1e-5, grounded stays, no events. Stand under a
   ceiling at 1.5: refused, nothing changes; after walking out: succeeds. */
SCENARIO(I16_crouch_and_stand, ALL_SHAPES)
{
    kin_shape     low = hero(s), high = standing(s);
    kin_body_desc d;
    kin_id        b;
    kin_pose      pose;
    uint64_t      hash;
    double        feet;
    int           i;
    open_earth(s);
    add_floor(s);
    add_static_box(s, 2, 1.5, 5, 2.5);
    d = body_desc(s, 0, 1);
    d.shape = high;
    b = put_body(s, &d);
    settle(s);
    feet = bottom_of(s, b);
    clear_events(s);
    EXPECT(set_shape(s, b, &low));
    EXPECT_NEAR(bottom_of(s, b), feet, 1e-5);
    EXPECT(grounded(s, b));
    for (i = 0; i < 160; i++) {   /* in under the ceiling, at 2.8 */
        set_vx(s, b, 2.8 * 128 / 160);
        scene_step(s);
        EXPECT(grounded(s, b));
        EXPECT_NEAR(bottom_of(s, b), feet, 1e-5);
    }
    set_vx(s, b, 0);
    run(s, 1);
    EXPECT_IN(s->event_count, 0, 0);
    s->allow_log = true;
    hash = kin_world_hash(s->world);
    pose = pose_now(s, b);
    EXPECT(!set_shape(s, b, &high));
    EXPECT(kin_world_hash(s->world) == hash);
    EXPECT(same_pose(pose, pose_now(s, b)));
    EXPECT(grounded(s, b));
    s->allow_log = false;
    for (i = 0; i < 128; i++) {   /* and out again */
        set_vx(s, b, -2);
        scene_step(s);
        EXPECT(grounded(s, b));
    }
    EXPECT(set_shape(s, b, &high));
    EXPECT_NEAR(bottom_of(s, b), feet, 1e-5);
    EXPECT_NEAR(top_of(s, b), feet + 2, 1e-5);
    EXPECT(grounded(s, b));
    run(s, 32);
    EXPECT(grounded(s, b));
    EXPECT_NEAR(bottom_of(s, b), feet, 1e-5);
    EXPECT_IN(s->event_count, 0, 0);
}

/* I17 grow beside a wall: gap 0.1, width 1 -> 2: refused, nothing changed. */
SCENARIO(I17_grow_beside_a_wall, 0)
{
    kin_shape wide = body_box(2, 1);
    uint64_t  hash;
    kin_id    b;
    open_earth(s);
    add_floor(s);
    add_static_box(s, 0.6, 0, 2, 5);
    b = add_body(s, 0, 0.5);
    settle(s);
    clear_events(s);
    hash = kin_world_hash(s->world);
    s->allow_log = true;
    EXPECT(!set_shape(s, b, &wide));
    EXPECT(kin_world_hash(s->world) == hash);
    s->allow_log = false;
    run(s, 32);
    EXPECT_IN(x_of(s, b), 0, 0);
    EXPECT_NEAR(right_of(s, b), 0.5, 1e-6);
    EXPECT_IN(s->event_count, 0, 0);
}

enum { PASSING = 384 };

/* B walks at 2 u/s past where the sensor is, if there is one; all its poses. */
static void walk_past(scene *s, kin_kind kind, kin_pose *path)
{
    kin_static_desc d;
    kin_mover_desc  m;
    kin_id          b, sensor = nobody();
    int             i;
    open_earth(s);
    add_floor(s);
    b = add_body(s, 0, 0.5);
    d = static_desc(s, 2, 0, 3, 3);
    m = mover_desc(s, 2.5, 1.5, 1, 3);
    d.sensor = m.sensor = true;
    if (kind == KIN_STATIC) sensor = put_static(s, &d);
    if (kind == KIN_MOVER) sensor = put_mover(s, &m);
    for (i = 0; i < PASSING; i++) {
        set_vx(s, b, 2);
        scene_step(s);
        path[i] = pose_now(s, b);
    }
    if (kind == KIN_NOTHING) return;
    EXPECT_IN(count_events(s, KIN_EVENT_BEGAN, b, sensor), 1, 1);
    EXPECT_IN(count_events(s, KIN_EVENT_ENDED, b, sensor), 1, 1);
    for (i = 0; i < s->event_count; i++) {
        const kin_event *e = &s->events[i];
        if (!kin_same(e->b, sensor)) continue;
        EXPECT(e->type == KIN_EVENT_BEGAN || e->type == KIN_EVENT_ENDED);
        EXPECT_NEAR(e->step, 64 * (e->type == KIN_EVENT_BEGAN ? 2 - half_width(s) : 3 + half_width(s)), 2);
    }
}

/* I18 sensor: B passes a 1-wide sensor at 2 u/s: begin once, end once; trajectory BIT-equal to the run without
   sensor. */
SCENARIO(I18_sensor, ALL_SHAPES)
{
    kin_pose without[PASSING], with[PASSING];
    int      i, kind;
    walk_past(s, KIN_NOTHING, without);
    for (kind = KIN_STATIC; kind <= KIN_MOVER; kind++) {
        walk_past(s, (kin_kind)kind, with);
        for (i = 0; i < PASSING && !scene_failed(s); i++) EXPECT(same_pose(without[i], with[i]));
    }
}

/* I18 among many: a sensor that is crossed within one step is told, however many statics lie along the way, and
   whether it was added before or after them. */
SCENARIO(I18_sensor_among_many, RATE_60)
{
    int first, i;
    for (first = 0; first < 2; first++) {
        kin_static_desc d;
        kin_id          b, sensor = nobody();
        open_floating(s);
        b = add_body(s, 0, 0.5);
        d = static_desc(s, 6, 0, 6.2, 1);
        d.sensor = true;
        if (first) sensor = put_static(s, &d);
        for (i = 0; i < 240; i++) add_static_box(s, 0.05 * i, -0.5, 0.05 * i + 0.04, -0.006);
        if (!first) sensor = put_static(s, &d);
        set_vx(s, b, 12 / (double)s->dt);
        scene_step(s);
        EXPECT_NEAR(x_of(s, b), 12, 0.01);
        EXPECT_IN(count_events(s, KIN_EVENT_BEGAN, b, sensor), 1, 1);
    }
}

/* Does B stand on a floor if each has this layer and mask? */
static bool meets(scene *s, uint32_t layer, uint32_t mask, uint32_t other_layer, uint32_t other_mask)
{
    kin_static_desc f;
    kin_body_desc   d;
    kin_id          b;
    open_earth(s);
    f = static_desc(s, -100, -1, 100, 0);
    f.layer = other_layer;
    f.mask = other_mask;
    put_static(s, &f);
    d = body_desc(s, 0, 1);
    d.layer = layer;
    d.mask = mask;
    b = put_body(s, &d);
    run(s, 64);
    if (grounded(s, b) != (kin_get_contacts(s->world, b, NULL, 0) > 0)) scene_fail(s, "ground and contacts differ");
    if (grounded(s, b) != (s->event_count > 0)) scene_fail(s, "ground and events differ");
    return grounded(s, b);
}

/* I21 filters: collide only if both masks agree; changed at run time while overlapping: no jump, contact ended; changed
   back while overlapping: I03. */
SCENARIO(I21_filters, ALL_SHAPES)
{
    kin_id f, b;
    double y;
    int    i, k;
    EXPECT(meets(s, 1, 2, 2, 1));
    EXPECT(!meets(s, 1, 1, 2, 1));
    EXPECT(!meets(s, 1, 2, 2, 2));
    EXPECT(!meets(s, 1, 1, 2, 2));
    EXPECT(meets(s, 5, 6, 2, 4));
    open_earth(s);
    f = add_floor(s);
    b = add_body(s, 0, 0.5);
    settle(s);
    for (k = 0; k < 2; k++) {
        clear_events(s);
        y = y_of(s, b);
        set_filter(s, b, 1, 0xfffffffeu);
        for (i = 1; i <= 14; i++) {
            scene_step(s);
            EXPECT_IN(x_of(s, b), 0, 0);
            EXPECT_NEAR(y - y_of(s, b), 15.0 * i * (i + 1) / 128 / 128, 1e-5);   /* free fall */
            EXPECT(!grounded(s, b));
        }
        EXPECT_IN(count_events(s, KIN_EVENT_ENDED, b, f), 1, 1);
        EXPECT_IN(count_events(s, KIN_EVENT_BEGAN, b, f), 0, 0);
        set_filter(s, b, 1, 0xffffffffu);
        run(s, 1);
        expect_freed(s, b, 0);
        EXPECT_IN(count_events(s, KIN_EVENT_BEGAN, b, f), 1, 1);
        run(s, 16);
    }
}

/* I22 pair ignore: A-B ignored, A-C not. */
SCENARIO(I22_pair_ignore, ALL_SHAPES)
{
    int movers;
    for (movers = 0; movers < 2; movers++) {
        kin_id a, b, c;
        int    i;
        open_earth(s);
        add_floor(s);
        b = movers ? add_mover(s, 2.5, 1.5, 1, 3, 0, 0) : add_static_box(s, 2, 0, 3, 3);
        c = movers ? add_mover(s, 5.5, 1.5, 1, 3, 0, 0) : add_static_box(s, 5, 0, 6, 3);
        a = add_body(s, 0, 0.5);
        ignore_pair(s, a, b);
        for (i = 0; i < 256; i++) {
            set_vx(s, a, 4);
            scene_step(s);
            if (x_of(s, a) < 4) EXPECT_IN(vx_of(s, a), 4, 4);
        }
        EXPECT_REST(5 - right_of(s, a));
        EXPECT_NEAR(vx_of(s, a), 0, 1e-4);
        EXPECT_IN(count_events(s, KIN_EVENT_BEGAN, a, b), 0, 0);
        EXPECT_IN(count_events(s, KIN_EVENT_BEGAN, a, c), 1, 1);
        kin_ignore(s->world, a, b, false);
        s->ignored_count = 0;
        scene_stir(s);
        for (i = 0; i < 256; i++) {
            set_vx(s, a, -4);
            scene_step(s);
        }
        EXPECT_REST(left_of(s, a) - 3);
        EXPECT_IN(count_events(s, KIN_EVENT_BEGAN, a, b), 1, 1);
    }
}

static void disable_falling(scene *s)
{
    kin_pose pose;
    kin_id   b;
    double   vy;
    int      i;
    open_earth(s);
    add_floor(s);
    b = add_body(s, 0, 5);
    run(s, 10);
    pose = pose_now(s, b);
    vy = vy_of(s, b);
    set_enabled(s, b, false);
    for (i = 0; i < 32; i++) {
        scene_step(s);
        EXPECT(same_pose(pose, pose_now(s, b)));
    }
    set_enabled(s, b, true);
    EXPECT_IN(vy_of(s, b), vy, vy);
    run(s, 1);
    EXPECT_NEAR(vy_of(s, b), vy - 30.0 / 128, 1e-5);
    run(s, 128);
    EXPECT(grounded(s, b));
}

static void disable_standing(scene *s)
{
    kin_pose pose;
    kin_id   f, b;
    int      i;
    open_earth(s);
    f = add_floor(s);
    b = add_body(s, 0, 0.5);
    settle(s);
    pose = pose_now(s, b);
    clear_events(s);
    set_enabled(s, b, false);
    for (i = 0; i < 32; i++) {
        scene_step(s);
        EXPECT(same_pose(pose, pose_now(s, b)));
        EXPECT_IN(kin_get_contacts(s->world, b, NULL, 0), 0, 0);
        EXPECT(!grounded(s, b));
    }
    EXPECT_IN(count_events(s, KIN_EVENT_ENDED, b, f), 1, 1);
    set_enabled(s, b, true);
    run(s, 1);
    EXPECT(grounded(s, b));
    EXPECT(same_pose(pose, pose_now(s, b)));
}

static void disable_platform(scene *s)
{
    kin_pose pose;
    kin_id   m, b;
    int      i;
    open_earth(s);
    m = add_mover(s, 0, -0.25, 4, 0.5, 2, 0);
    b = add_body(s, 0, 0.5);
    settle(s);
    EXPECT(grounded(s, b));
    pose = pose_now(s, m);
    set_enabled(s, m, false);
    for (i = 0; i < 8; i++) {
        scene_step(s);
        EXPECT(same_pose(pose, pose_now(s, m)));
        EXPECT(!grounded(s, b));
        EXPECT_IN(kin_get_riders(s->world, m, NULL, 0), 0, 0);
        EXPECT_IN(vy_of(s, b), -30.0 * (i + 1) / 128 - 1e-4, -30.0 * i / 128);
    }
    set_enabled(s, m, true);
    run(s, 1);
    EXPECT_NEAR(x_of(s, m) - (double)(s->mirror * pose.p.x), 2.0 / 128, 1e-5);
    EXPECT(grounded(s, b));   /* the few steps of falling were a shallow overlap */
    EXPECT_REST(bottom_of(s, b) - top_of(s, m));
}

/* I23 disable / enable: disabled: BIT-still, no contacts, riders lose it; enabled: state as before. */
SCENARIO(I23_disable_and_enable, ALL_SHAPES)
{
    disable_falling(s);
    disable_standing(s);
    disable_platform(s);
}

/* ---- I24: a world of its own, too large for the scene's list --------------------------------------------------- */

typedef struct churn {
    kin_world *world;
    kin_id     ids[300], fresh_dead[300];
    kin_kind   kinds[300];
    int        live, dead;                /* dead: removed since the last step */
    long       blocks, faults;
    unsigned   state;
} churn;

static unsigned churn_random(churn *c, unsigned below)
{
    c->state = c->state * 1664525u + 1013904223u;
    return (c->state >> 8) % below;
}

static double churn_number(churn *c, double low, double high) { return low + (high - low) * churn_random(c, 100000) / 1e5; }

static void *churn_allocate(size_t bytes, void *user)
{
    ((churn *)user)->blocks++;
    return malloc(bytes);
}

static void churn_release(void *memory, size_t bytes, void *user)
{
    (void)bytes;
    if (memory) ((churn *)user)->blocks--;
    free(memory);
}

static void churn_log(const char *text, void *user)
{
    (void)text;
    ((churn *)user)->faults++;
}

/* Only the end of a contact may name what is gone, and only in the step after its removal. */
static void churn_event(kin_world *world, const kin_event *event, void *user)
{
    churn *c = (churn *)user;
    kin_id named[3];
    int    i, k;
    named[0] = event->a; named[1] = event->b; named[2] = event->c;
    for (i = 0; i < 3; i++) {
        bool fresh = false;
        if (!named[i].slot || kin_alive(world, named[i])) continue;
        for (k = 0; k < c->dead; k++) fresh = fresh || kin_same(named[i], c->fresh_dead[k]);
        if (!fresh || event->type != KIN_EVENT_ENDED) c->faults++;
    }
}

static void churn_add(churn *c)
{
    static const scene plain = { .mirror = 1 };
    double   x = churn_number(c, -20, 20), y = churn_number(c, 0, 20), w = churn_number(c, 0.2, 4), h = churn_number(c, 0.2, 2);
    double   vx = churn_number(c, -3, 3), vy = churn_number(c, -3, 3);
    kin_kind kind = (kin_kind)(KIN_STATIC + churn_random(c, 3));
    kin_id   id;
    if (kind == KIN_STATIC) {
        kin_static_desc d = static_desc(&plain, x, y, x + w, y + h);
        id = kin_add_static(c->world, &d);
    } else if (kind == KIN_MOVER) {
        kin_mover_desc d = mover_desc(&plain, x, y, w, h);
        d.velocity = v2(&plain, vx, vy);
        id = kin_add_mover(c->world, &d);
    } else {
        kin_body_desc d = body_desc(&plain, x, y);
        d.shape = churn_random(c, 2) ? kin_ball(0.25f * (float)w) : body_box(0.5 * w, h);
        d.push = (kin_push)churn_random(c, 3);
        id = kin_add_body(c->world, &d);
    }
    if (!id.slot) c->faults++;
    c->ids[c->live] = id;
    c->kinds[c->live++] = kind;
}

static void churn_remove(churn *c)
{
    int i = (int)churn_random(c, (unsigned)c->live);
    if (!kin_remove(c->world, c->ids[i]) || kin_alive(c->world, c->ids[i])) c->faults++;
    c->fresh_dead[c->dead++] = c->ids[i];
    c->ids[i] = c->ids[--c->live];
    c->kinds[i] = c->kinds[c->live];
}

static bool churn_counts(const churn *c)
{
    int kind, i;
    for (kind = KIN_STATIC; kind <= KIN_BODY; kind++) {
        kin_id id = kin_next(c->world, (kin_kind)kind, nobody());
        int    n = 0;
        for (i = 0; i < c->live; i++) n += c->kinds[i] == (kin_kind)kind;
        for (; id.slot; id = kin_next(c->world, (kin_kind)kind, id)) n--;
        if (n != 0) return false;
    }
    return true;
}

/* I24 churn: 100,000 random adds/removes with stepping: counts right, no leak, no stale event. */
TEST I24_churn(void)
{
    kin_world_desc d;
    churn c;
    int   i, rounds = 100000 / TEST_SHARE;
    memset(&c, 0, sizeof c);
    memset(&d, 0, sizeof d);
    d.gravity.y = -30;
    d.on_event = churn_event;
    d.on_log = churn_log;
    d.allocate = churn_allocate;
    d.release = churn_release;
    d.user = &c;
    c.world = kin_world_create(&d);
    ASSERT(c.world != NULL);
    for (i = 0; i < rounds; i++) {
        bool add = c.live < 60 || (c.live < 290 && churn_random(&c, 2));
        if (add && c.dead < 290) churn_add(&c);
        else churn_remove(&c);
        if (churn_random(&c, 8) && c.dead < 290) continue;
        ASSERT(kin_world_step(c.world, 1.0f / 128));
        c.dead = 0;
        ASSERT(churn_counts(&c));
        ASSERT_EQ_FMT(0L, c.faults, "%ld");
    }
    while (c.live > 0) { c.dead = 0; churn_remove(&c); }
    ASSERT(kin_world_step(c.world, 1.0f / 128));
    ASSERT(churn_counts(&c));
    kin_world_destroy(c.world);
    ASSERT_EQ_FMT(0L, c.blocks, "%ld");
    PASS();
}

/* I25 change of shape while ridden: lift grows 0.2 taller in place: rider pushed up 0.2, not embedded. */
SCENARIO(I25_change_of_shape_while_ridden, ALL_SHAPES)
{
    kin_shape tall = box(4, 0.7);
    kin_id    m, b;
    double    feet;
    open_earth(s);
    m = add_mover(s, 0, -0.25, 4, 0.5, 0, 0);
    b = add_body(s, 0, 0.5);
    settle(s);
    feet = bottom_of(s, b);
    EXPECT(set_shape(s, m, &tall));
    EXPECT_NEAR(bottom_of(s, m), -0.5, 1e-5);
    EXPECT_NEAR(top_of(s, m), 0.2, 1e-5);
    run(s, 1);
    EXPECT_NEAR(bottom_of(s, b) - feet, 0.2, 0.005);
    EXPECT_REST(bottom_of(s, b) - top_of(s, m));
    EXPECT(grounded(s, b));
    EXPECT_NEAR(x_of(s, b), 0, 1e-4);
    run(s, 32);
    EXPECT_IN(count_events(s, KIN_EVENT_EMBEDDED, b, nobody()), 0, 0);
    EXPECT_IN(count_events(s, KIN_EVENT_CRUSHED, b, nobody()), 0, 0);
    EXPECT_REST(bottom_of(s, b) - top_of(s, m));
}

/* Every landing tells how fast it was, also one that ends the step near enough without a hit, and one on a body. */
SCENARIO(landings_tell_their_speed, RATE_60)
{
    int i, on_body;
    for (on_body = 0; on_body < 2; on_body++)
        for (i = 0; i < 60 && !scene_failed(s); i++) {
            double           height = 1 + 0.0317 * i, speed = sqrt(60 * height);
            const kin_event *e;
            kin_id           b;
            open_earth(s);
            add_floor(s);
            if (on_body) add_body(s, 0, 0.5);
            b = add_crate(s, 0, 0.5 + height + on_body);
            run(s, steps_in(s, 0.6));
            e = last_event(s, KIN_EVENT_LANDED, b);
            EXPECT(e != NULL);
            if (e) EXPECT_IN(e->speed, speed - 0.6, speed + 0.6);
        }
}

SUITE(life)
{
    RUN_TEST(I01_teleport);
    RUN_TEST(I01_teleport_in_a_callback);
    RUN_TEST(I01_teleport_in_a_controller);
    RUN_TEST(I02_teleport_across_a_wall);
    RUN_TEST(I02_moved_now);
    RUN_TEST(I03_shallow_overlap);
    RUN_TEST(I04_deep_inside);
    RUN_TEST(I08_platform_removed_under_a_rider);
    RUN_TEST(I08_platform_that_holds_no_more);
    RUN_TEST(I08_platform_that_changes_and_holds);
    RUN_TEST(I08_removed_and_the_slot_taken);
    RUN_TEST(I09_self_removal_in_a_callback);
    RUN_TEST(I09_removed_before_it_was_told);
    RUN_TEST(I10_add_in_a_callback);
    RUN_TEST(I12_remove_the_mover_in_its_crush_callback);
    RUN_TEST(I13_clear_the_world_in_a_callback);
    RUN_TEST(I15_stale_handles);
    RUN_TEST(I16_crouch_and_stand);
    RUN_TEST(I17_grow_beside_a_wall);
    RUN_TEST(I18_sensor);
    RUN_TEST(I18_sensor_among_many);
    RUN_TEST(I21_filters);
    RUN_TEST(I22_pair_ignore);
    RUN_TEST(I23_disable_and_enable);
    RUN_TEST(I24_churn);
    RUN_TEST(I25_change_of_shape_while_ridden);
    RUN_TEST(landings_tell_their_speed);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv)
{
    GREATEST_MAIN_BEGIN();
    RUN_SUITE(life);
    GREATEST_MAIN_END();
}
