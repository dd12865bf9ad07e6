/* SPDX-License-Identifier: MIT OR Unlicense

   walk_on_mesh.c: section A of the catalogue once more, with every box made of segments or triangles. */
#define SCENE_MESH
#include "walk.c"
