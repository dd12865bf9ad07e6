/* SPDX-License-Identifier: MIT OR Unlicense

   Must not compile: KINEMATIC_STATIC without the implementation. */
#define KINEMATIC_STATIC
#include "kinematic.h"
