/* SPDX-License-Identifier: MIT OR Unlicense

   both.c: one program with a flat and a solid world. */
#include <stdio.h>

int flat(void);
int solid(void);

int main(void)
{
    printf("flat %d, solid %d\n", flat(), solid());
    return 0;
}
