/* SPDX-License-Identifier: MIT OR Unlicense

   hello.c: a hero walks along a floor, steps onto a lift, rides it and jumps off. No window: it prints where the
   hero is, four times a second. */
#define KINEMATIC_IMPLEMENTATION
#include "kinematic.h"

#include <stdio.h>

/* Called in every step before the lift moves: it waits for three seconds, then rises for three. */
static void up_and_down(kin_world *world, kin_id lift, float dt, void *user)
{
    uint64_t second = (uint64_t)((float)kin_world_steps(world) * dt);
    (void)user;
    kin_set_velocity(world, lift, kin_v(0, second / 3 % 2 ? 1.5f : 0));
}

int main(void)
{
    kin_world *world = kin_world_create(&(kin_world_desc){ .gravity = { 0, -30 } });
    kin_add_static(world, &(kin_static_desc){ .shape = kin_box(kin_v(40, 1)) });
    kin_id lift = kin_add_mover(world, &(kin_mover_desc){
        .shape = kin_box(kin_v(4, 1)), .position = { 6, 0.01f }, .control = up_and_down });
    kin_id hero = kin_add_body(world, &(kin_body_desc){
        .shape = kin_capsule(1.8f, 0.4f), .position = { 0, 4 }, .push = KIN_UNPUSHABLE });

    for (int frame = 0; frame < 8 * 60; frame++) {
        float stick = frame < 120 ? 0.5f : frame > 360 ? 1.0f : 0.0f;   /* walk, wait on the lift, run on */
        bool jump = frame == 370;
        kin_vec v = kin_get_velocity(world, hero);
        v.x = 6 * stick;
        if (jump && kin_on_ground(world, hero)) v.y = 12;
        kin_set_velocity(world, hero, v);
        kin_world_advance(world, 1.0 / 60);
        if (frame % 15 == 14) {
            kin_vec p = kin_get_draw_pose(world, hero).p;
            bool on_lift = kin_same(kin_get_ground(world, hero).id, lift);
            printf("%5.2f s   x %6.2f   y %5.2f   %s\n", (frame + 1) / 60.0, (double)p.x, (double)p.y,
                   on_lift ? "on the lift" : kin_on_ground(world, hero) ? "on the ground" : "in the air");
        }
    }
    kin_world_destroy(world);
    return 0;
}
