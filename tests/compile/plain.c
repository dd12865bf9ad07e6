/* SPDX-License-Identifier: MIT OR Unlicense

   A file that only calls: nothing but the declarations. */
#include "kinematic.h"

int plain(kin_world *world);

int plain(kin_world *world)
{
    return kin_world_advance(world, 0.5);
}
