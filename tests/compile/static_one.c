/* SPDX-License-Identifier: MIT OR Unlicense

   KINEMATIC_STATIC: this file has a private copy, static_two.c has another. */
#define KINEMATIC_STATIC
#define KINEMATIC_IMPLEMENTATION
#include "kinematic.h"

int two(void);

int main(void)
{
    return kin_version() == two() ? 0 : 1;
}
