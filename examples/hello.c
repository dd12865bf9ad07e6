/* SPDX-License-Identifier: MIT OR Unlicense

   hello.c: a hero jumps onto a lift, rides it, and walks off its end. The program of the README. */
#define KINEMATIC_IMPLEMENTATION
#include "kinematic.h"
#include <stdio.h>

int main(void)
{
    kin_world *world = kin_world_create(&(kin_world_desc){ .gravity = { 0, -30 } });
    kin_add_static(world, &(kin_static_desc){ .shape = kin_box(kin_v(40, 1)), .position = { 0, -0.5f } });
    kin_id lift = kin_add_mover(world, &(kin_mover_desc){
        .shape = kin_box(kin_v(4, 1)), .position = { 6, 0 }, .velocity = { 0, 1.5f } });
    kin_id hero = kin_add_body(world, &(kin_body_desc){
        .shape = kin_capsule(1.8f, 0.4f), .position = { 0, 0.9f }, .push = KIN_UNPUSHABLE });
    for (int frame = 1; frame <= 240; frame++) {           // your game's loop, 60 times a second
        kin_vec v = kin_get_velocity(world, hero);
        v.x = frame <= 50 || frame > 150 ? 6 : 0;          // your input: walk, wait on the lift, walk on
        if (frame == 30 && kin_on_ground(world, hero)) v.y = 12;
        kin_set_velocity(world, hero, v);
        kin_world_advance(world, 1.0 / 60);
        kin_vec p = kin_get_draw_pose(world, hero).p;      // your drawing
        bool on_lift = kin_same(kin_get_ground(world, hero).id, lift);
        if (frame % 40 == 0) printf("x %5.2f  y %4.2f  %s\n", p.x, p.y, on_lift ? "on the lift" : "elsewhere");
    }
    kin_world_destroy(world);
    return 0;
}
