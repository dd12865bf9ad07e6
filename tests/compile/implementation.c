/* SPDX-License-Identifier: MIT OR Unlicense

   The file of a program that holds the implementation. */
#define KINEMATIC_IMPLEMENTATION
#include "kinematic.h"
