/* SPDX-License-Identifier: MIT OR Unlicense

   The declarations do not mind what came before them. */
#include "hostile.h"
#include "kinematic.h"

#if KINEMATIC_DIM == 2
#define HOSTILE_THIRD
#else
#define HOSTILE_THIRD , 3
#endif

/* The structs are what they are without hostility, and the hostile names still mean what they meant. */
typedef char sensors_is_a_byte[sizeof(((kin_filter *)0)->sensors) == 1 ? 1 : -1];
#ifndef __cplusplus
typedef char bool_is_still_theirs[sizeof(bool) == sizeof(int) ? 1 : -1];
#endif

float after_hostile(void);

float after_hostile(void)
{
    kin_pose pose;
    pose.p = kin_v(1, 2 HOSTILE_THIRD);
    return pose.p.x + (float)sizeof(kin_world_desc) + (float)sizeof(kin_body_desc);
}
