/* SPDX-License-Identifier: MIT OR Unlicense

   far_on_mesh.c: big numbers once more, with every box made of segments or triangles. */
#define SCENE_MESH
#include "far.c"
