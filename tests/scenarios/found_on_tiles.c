/* SPDX-License-Identifier: MIT OR Unlicense

   found_on_tiles.c: section O of the catalogue once more, with every box made of tiles. */
#define SCENE_TILES
#include "found.c"
