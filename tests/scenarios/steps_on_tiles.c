/* SPDX-License-Identifier: MIT OR Unlicense

   steps_on_tiles.c: section M of the catalogue once more, with every box made of tiles. */
#define SCENE_TILES
#include "steps.c"
