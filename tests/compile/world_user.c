/* SPDX-License-Identifier: MIT OR Unlicense

   Compiled once for 2D, as use_flat, and once for 3D, as use_space: each makes a world and drops a ball into it. */
#include "kinematic.h"

#if KINEMATIC_DIM == 2
int use_flat(void);
int use_flat(void)
#else
int use_space(void);
int use_space(void)
#endif
{
    static const kin_world_desc world_zero;
    static const kin_body_desc body_zero;
    kin_world_desc world_desc = world_zero;
    kin_body_desc body_desc = body_zero;
    kin_world *world;
    kin_id ball;
    float height;

    world_desc.gravity.y = -10;
    body_desc.shape = kin_ball(0.5f);
    world = kin_world_create(&world_desc);
    ball = kin_add_body(world, &body_desc);
    kin_world_advance(world, 1.0);
    height = kin_get_position(world, ball).y;
    kin_world_destroy(world);
    return height < -4.5f && height > -5.5f;
}
