/* SPDX-License-Identifier: MIT OR Unlicense

   Macros that well-known headers define: windows.h, old sound and graphics libraries, debugging allocators. */
#if !defined(__cplusplus)
#include <tgmath.h>
#define bool char
#define true 1
#define false 0
#endif
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
#ifdef __cplusplus
#define sqrt(x) hostile_sqrt(x)
#endif
#define index hostile_index
#define y1 hostile_y1
#undef I
#define I hostile_i
#define linux 1
#define unix 1
