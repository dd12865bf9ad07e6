/* SPDX-License-Identifier: MIT OR Unlicense

   header.c: a game in one file, which holds the implementation. */
#define KINEMATIC_IMPLEMENTATION
#include <kinematic.h>

#include <stdio.h>

int main(void)
{
    kin_world *world = kin_world_create(&(kin_world_desc){ .gravity = { 0, -30 } });
    kin_id     ball = kin_add_body(world, &(kin_body_desc){ .shape = kin_ball(0.5f), .position = { 0, 1.5f } });
    kin_add_static(world, &(kin_static_desc){ .shape = kin_box(kin_v(10, 2)) });
    kin_world_step(world, 1.0f / 60);
    printf("version %d, %s\n", kin_version(), kin_on_ground(world, ball) ? "stands" : "falls");
    kin_world_destroy(world);
    return 0;
}
