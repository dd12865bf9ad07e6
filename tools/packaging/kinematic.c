/* SPDX-License-Identifier: MIT OR Unlicense

   kinematic.c: the implementation as a file of its own, for compiled libraries. */
#define KINEMATIC_IMPLEMENTATION
#include "kinematic.h"
