/* SPDX-License-Identifier: MIT OR Unlicense

   flat.c: the part of a game that plays in 2D; the implementation is in a library. */
#include <kinematic.h>

#if KINEMATIC_DIM != 2
#error "the package must say which dimension its library has"
#endif

int flat(void);

int flat(void)
{
    kin_world *world = kin_world_create(&(kin_world_desc){ .gravity = { 0, -30 } });
    kin_id     ball = kin_add_body(world, &(kin_body_desc){ .shape = kin_ball(0.5f) });
    kin_world_step(world, 1.0f / 60);
    int falls = kin_get_velocity(world, ball).y < 0 && kin_version() == KIN_VERSION;
    kin_world_destroy(world);
    return falls;
}
