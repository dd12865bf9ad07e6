// SPDX-License-Identifier: MIT OR Unlicense
//
// From C++: descriptors by reference or by pointer, and the same functions by their C names.
#define KINEMATIC_IMPLEMENTATION
#include "kinematic.h"

int main()
{
    kin_world_desc world_desc = kin_world_desc();
    kin_body_desc body_desc = kin_body_desc();
    body_desc.shape = kin_ball(1);
    kin_world *world = kin_world_create(world_desc);
    kin_id by_reference = kin_add_body(world, body_desc);
    kin_id by_pointer = kin_add_body(world, &body_desc);
    kin_id (*as_in_c)(kin_world *, const kin_body_desc *) = kin_add_body;
    kin_id third = as_in_c(world, &body_desc);
    bool good = kin_alive(world, by_reference) && kin_alive(world, by_pointer) && kin_alive(world, third) &&
                !kin_same(by_reference, by_pointer);
    kin_world_destroy(world);
    return good ? 0 : 1;
}
