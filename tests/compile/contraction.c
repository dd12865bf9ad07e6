/* SPDX-License-Identifier: MIT OR Unlicense

   Around the implementation the user's own functions keep the user's own setting for contraction. */
#ifdef __cplusplus
extern "C" {
#endif
float user_before(float a, float b, float c);
float user_after(float a, float b, float c);
#ifdef __cplusplus
}
#endif

float user_before(float a, float b, float c)
{
    return a * b + c;
}

#define KINEMATIC_IMPLEMENTATION
#include "kinematic.h"

float user_after(float a, float b, float c)
{
    return a * b + c;
}
