/* SPDX-License-Identifier: MIT OR Unlicense

   A world without what the options KINEMATIC_NO_... leave out: a body falls on a floor. */
#include <string.h>
#define KINEMATIC_IMPLEMENTATION
#include "kinematic.h"

int main(void)
{
    kin_world_desc  world_desc;
    kin_static_desc floor_desc;
    kin_body_desc   body_desc;
    kin_world      *world;
    kin_id          body;
    int             i, stands;
    memset(&world_desc, 0, sizeof world_desc);
    memset(&floor_desc, 0, sizeof floor_desc);
    memset(&body_desc, 0, sizeof body_desc);
    world_desc.gravity.y = -30;
    floor_desc.shape = kin_capsule(1, 0.5f);
    body_desc.shape = kin_ball(0.5f);
    body_desc.position.y = 2;
    world = kin_world_create(&world_desc);
    kin_add_static(world, &floor_desc);
    body = kin_add_body(world, &body_desc);
    for (i = 0; i < 60; i++) kin_world_step(world, 1.0f / 60);
    stands = kin_on_ground(world, body);
    kin_world_destroy(world);
    return stands ? 0 : 1;
}
