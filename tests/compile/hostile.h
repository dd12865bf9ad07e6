/* SPDX-License-Identifier: MIT OR Unlicense

   Macros that well-known headers define: windows.h, old sound and graphics libraries, debugging allocators. */
#include <assert.h>
#include <stdlib.h>
#ifndef __cplusplus
#include <stdbool.h>
#include <tgmath.h>
#undef bool
#undef true
#undef false
#define bool int
#define true 1
#define false 0
#endif
#undef assert
#undef log
#undef I
#undef linux
#undef unix
#define min(a, b) (((a) < (b)) ? (a) : (b))
#define max(a, b) (((a) > (b)) ? (a) : (b))
#define near
#define far
#define small char
#define interface struct
#define PI 3.14159265358979323846
#define ERROR 0
#define IN
#define OUT
#define CONST const
#define DOMAIN 1
#define OVERFLOW 3
#define assert(condition) hostile_assert(condition)
#define free(memory) hostile_free(memory, __FILE__, __LINE__)
#define malloc(bytes) hostile_malloc(bytes, __FILE__, __LINE__)
#define log hostile_log
#undef sqrt
#define sqrt(x) hostile_sqrt(x)
#define index hostile_index
#define y1 hostile_y1
#define I hostile_i
#define linux 1
#define unix 1
