/* SPDX-License-Identifier: MIT OR Unlicense

   manual3.c: the snippets of the manual that are for 3D. */
#define KINEMATIC_DIM 3
#define KINEMATIC_IMPLEMENTATION
#include "kinematic.h"
#include "utest.h"

UTEST(manual, third_person)
{
    kin_world *world = kin_world_create(&(kin_world_desc){ .gravity = { 0, -20, 0 } });
    kin_id     hero = kin_add_body(world, &(kin_body_desc){ .shape = kin_capsule(1.8f, 0.4f) });
    for (int wall = 0; wall < 2; wall++) {
        if (wall)
            kin_add_static(world, &(kin_static_desc){ .shape = kin_box(kin_v(20, 20, 1)), .position = { 0, 0, -3 } });
#include "third_person_1.inc"
        ASSERT_TRUE(wall ? camera.z > -2.31f && camera.z < -2.2f : camera.z < -4.99f);
    }
    kin_world_destroy(world);
}

UTEST_MAIN()
