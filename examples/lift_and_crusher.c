/* SPDX-License-Identifier: MIT OR Unlicense

   lift_and_crusher.c: what movers do to bodies.

   A lift takes a crate and the hero on top of it up and down, and none of them loses touch. A press comes down on a
   crate twice: once it passes (the crate is crushed), once it stops (and nothing moves). */
#define KINEMATIC_IMPLEMENTATION
#include "kinematic.h"

#include <stdio.h>

static const char *const NAMES[] = {
    "began", "continued", "ended", "landed", "left", "crushed", "embedded", "freed", "blocked"
};

static void tell(kin_world *world, const kin_event *event, void *user)
{
    const char *a = kin_get_user(world, event->a);
    (void)user;
    if (event->type >= KIN_EVENT_CRUSHED) printf("  step %3d: %s %s\n", (int)event->step, a, NAMES[event->type]);
}

/* Up and down like a wave; where it is at a time is all that has to be said. */
static void control_lift(kin_world *world, kin_id lift, float dt, void *user)
{
    int   phase = (int)(kin_world_steps(world) % 240);
    float height = (float)(phase < 120 ? phase : 240 - phase) / 120 * 4;
    (void)dt, (void)user;
    kin_move_to(world, lift, kin_v(0, height), kin_turn(0));
}

static void ride(void)
{
    kin_world *world = kin_world_create(&(kin_world_desc){ .gravity = { 0, -30 }, .on_event = tell });
    kin_id lift = kin_add_mover(world, &(kin_mover_desc){
        .shape = kin_box(kin_v(4, 0.5f)), .control = control_lift, .user = "lift" });
    kin_id crate = kin_add_body(world, &(kin_body_desc){ .shape = kin_box(kin_v(1, 1)), .position = { 1, 0.75f } });
    kin_id hero = kin_add_body(world, &(kin_body_desc){
        .shape = kin_capsule(1.8f, 0.4f), .position = { 1, 2.16f }, .push = KIN_UNPUSHABLE, .user = "hero" });
    int   lost = 0;
    float highest = 0, widest = 0;
    kin_world_step(world, 1.0f / 60);
    for (int step = 0; step < 480; step++) {
        kin_world_step(world, 1.0f / 60);
        kin_vec l = kin_get_position(world, lift), h = kin_get_position(world, hero);
        float   gaps = h.y - l.y - (0.25f + 1 + 0.9f);
        if (!kin_on_ground(world, hero) || !kin_on_ground(world, crate)) lost++;
        if (h.y > highest) highest = h.y;
        if (gaps > widest) widest = gaps;
    }
    printf("after 8 s of riding: crate at x %.2f, hero at x %.2f\n", (double)kin_get_position(world, crate).x,
           (double)kin_get_position(world, hero).x);
    printf("the hero was up at %.2f; without ground: %d steps; both gaps under him together: %s 0.01\n",
           (double)highest, lost, widest < 0.01f ? "at most" : "more than");
    kin_world_destroy(world);
}

enum { PRESS_STEPS = 70 };

static void press(kin_blocked on_blocked)
{
    kin_world *world = kin_world_create(&(kin_world_desc){ .gravity = { 0, -30 }, .on_event = tell });
    kin_add_static(world, &(kin_static_desc){
        .shape = kin_box(kin_v(10, 1)), .position = { 0, -0.5f }, .user = "the floor is" });
    kin_id crusher = kin_add_mover(world, &(kin_mover_desc){
        .shape = kin_box(kin_v(3, 1)), .position = { 0, 3 }, .velocity = { 0, -2 }, .on_blocked = on_blocked,
        .user = "the press is" });
    kin_id crate = kin_add_body(world, &(kin_body_desc){
        .shape = kin_box(kin_v(1, 1)), .position = { 0, 0.5f }, .on_crush = KIN_CRUSH_KEEP, .user = "the crate is" });
    puts(on_blocked == KIN_BLOCKED_STOP ? "a press that stops:" : "a press that passes:");
    for (int step = 0; step < PRESS_STEPS; step++) kin_world_step(world, 1.0f / 60);
    printf("  press at %.2f, crate at %.2f%s\n", (double)kin_get_position(world, crusher).y,
           (double)kin_get_position(world, crate).y, kin_is_crushed(world, crate) ? ", crushed" : ", whole");
    kin_set_velocity(world, crusher, kin_v(0, 2));
    for (int step = 0; step < PRESS_STEPS; step++) kin_world_step(world, 1.0f / 60);
    printf("  and back up: press at %.2f, crate at %.2f\n", (double)kin_get_position(world, crusher).y,
           (double)kin_get_position(world, crate).y);
    kin_world_destroy(world);
}

int main(void)
{
    ride();
    press(KIN_BLOCKED_PASS);
    press(KIN_BLOCKED_STOP);
    return 0;
}
