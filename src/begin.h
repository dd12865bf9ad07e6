/* SPDX-License-Identifier: MIT OR Unlicense

   begin.h: which dimension, checked every time the header is included. */

/* Editors that parse a header by itself see the implementation too. */
#if (defined(__INTELLISENSE__) || defined(__CLION_IDE__)) && !defined(KINEMATIC_IMPLEMENTATION)
#define KINEMATIC_IMPLEMENTATION
#endif

#ifndef KINEMATIC_DIM
#define KINEMATIC_DIM 2
#endif
#if (KINEMATIC_DIM + 0) != 2 && (KINEMATIC_DIM + 0) != 3
#error "kinematic.h: KINEMATIC_DIM must be 2 or 3"
#endif

/* One source file is either flat or not; a program may have files of both kinds. */
#if KINEMATIC_DIM == 2
#define KIN_DIM_IS_2
#else
#define KIN_DIM_IS_3
#endif
#if defined(KIN_DIM_IS_2) && defined(KIN_DIM_IS_3)
#error "kinematic.h: included for 2D and for 3D in one source file; give each dimension a file of its own"
#endif

#if defined(KINEMATIC_STATIC) && !defined(KINEMATIC_IMPLEMENTATION) && !defined(KIN_IMPLEMENTED)
#error "kinematic.h: KINEMATIC_STATIC needs KINEMATIC_IMPLEMENTATION in the same file"
#endif
