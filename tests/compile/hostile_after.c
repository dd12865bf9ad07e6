/* SPDX-License-Identifier: MIT OR Unlicense

   The implementation first, what is hostile afterwards: our macros do not collide with theirs. */
#define KINEMATIC_IMPLEMENTATION
#include "kinematic.h"
#include "hostile.h"
