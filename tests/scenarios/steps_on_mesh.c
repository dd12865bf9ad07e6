/* SPDX-License-Identifier: MIT OR Unlicense

   steps_on_mesh.c: section M of the catalogue once more, with every box made of segments or triangles. */
#define SCENE_MESH
#include "steps.c"
