/* SPDX-License-Identifier: MIT OR Unlicense

   See static_one.c. */
#define KINEMATIC_STATIC
#define KINEMATIC_IMPLEMENTATION
#include "kinematic.h"

int two(void);

int two(void)
{
    return kin_version();
}
