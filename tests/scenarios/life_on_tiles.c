/* SPDX-License-Identifier: MIT OR Unlicense

   life_on_tiles.c: section I of the catalogue once more, with every box made of tiles. */
#define SCENE_TILES
#include "life.c"
