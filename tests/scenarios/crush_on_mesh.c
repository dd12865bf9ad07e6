/* SPDX-License-Identifier: MIT OR Unlicense

   crush_on_mesh.c: section F of the catalogue once more, with every box made of segments or triangles. */
#define SCENE_MESH
#include "crush.c"
