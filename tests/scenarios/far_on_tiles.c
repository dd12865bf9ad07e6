/* SPDX-License-Identifier: MIT OR Unlicense

   far_on_tiles.c: big numbers once more, with every box made of tiles, as far as it lies on a lattice. */
#define SCENE_TILES
#include "far.c"
