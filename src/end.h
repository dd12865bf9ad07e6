/* SPDX-License-Identifier: MIT OR Unlicense

   end.h: gives back what config.h took: the user's own setting for contraction, and for warnings. */
#if defined(__clang__)
#pragma STDC FP_CONTRACT DEFAULT
#if defined(__FMA__) || defined(__FMA4__) || defined(__wasm_simd128__)
#pragma clang attribute pop
#endif
#elif defined(__GNUC__)
#pragma GCC pop_options
#elif defined(_MSC_VER)
#pragma fp_contract(on)
#pragma warning(pop)
#endif
