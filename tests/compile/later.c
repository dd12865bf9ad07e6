/* SPDX-License-Identifier: MIT OR Unlicense

   Another header has included ours before we ask for the implementation. */
#include "kinematic.h"

#define KINEMATIC_IMPLEMENTATION
#include "kinematic.h"

int main(void)
{
    return kin_version() == KIN_VERSION ? 0 : 1;
}
