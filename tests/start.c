/* SPDX-License-Identifier: MIT OR Unlicense

   Linked to every test program: output appears line by line even into a pipe, so that a crash does not swallow the
   name of the test that crashed. */
#include <stdio.h>

static void __attribute__((constructor)) flush_every_line(void)
{
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
}
