/* SPDX-License-Identifier: MIT OR Unlicense

   Somebody's own allocation functions. */
#include <stddef.h>

void *my_malloc(size_t bytes);
void  my_free(void *memory);
