/* SPDX-License-Identifier: MIT OR Unlicense

   crush_on_tiles.c: section F of the catalogue once more, with every box made of tiles. */
#define SCENE_TILES
#include "crush.c"
