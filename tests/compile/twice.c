/* SPDX-License-Identifier: MIT OR Unlicense

   Included again and again, with the implementation asked for twice. */
#define KINEMATIC_IMPLEMENTATION
#include "kinematic.h"
#undef KINEMATIC_IMPLEMENTATION
#include "kinematic.h"
#define KINEMATIC_IMPLEMENTATION
#include "kinematic.h"

int main(void)
{
    return kin_version() == KIN_VERSION ? 0 : 1;
}
