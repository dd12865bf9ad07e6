/* SPDX-License-Identifier: MIT OR Unlicense

   found_on_mesh.c: section O of the catalogue once more, with every box made of segments or triangles. */
#define SCENE_MESH
#include "found.c"
