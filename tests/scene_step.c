/* SPDX-License-Identifier: MIT OR Unlicense

   scene_step.c: scene_step of scenarios/scene.h, for all scenarios. */
#include <stdbool.h>
struct scene;
extern bool scene_step(struct scene *s);
#define SCENE_STEP extern
#include "scenarios/scene.h"
