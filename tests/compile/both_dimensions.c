/* SPDX-License-Identifier: MIT OR Unlicense

   Must not compile: both dimensions in one file. */
#define KINEMATIC_DIM 2
#include "kinematic.h"
#undef KINEMATIC_DIM
#define KINEMATIC_DIM 3
#include "kinematic.h"
