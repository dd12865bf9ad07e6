#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
#
# clang-tidy, cppcheck and gcc -fanalyzer over the implementation, in each dimension; `make analyze` calls it.
#
# gcc's analyzer needs more memory than there is for the header as a whole, so it sees the parts one by one. cppcheck does
# not see that kini_clear sets what it is given (ctuuninitvar); the memory sanitizer watches that.
set -eu
cd "$(dirname "$0")/.."

for dim in 2 3; do
    echo "${dim}D: clang-tidy"
    clang-tidy --quiet tests/compile/implementation.c -- -std=c99 -DKINEMATIC_DIM=$dim -I.
    echo "${dim}D: cppcheck"
    cppcheck --quiet --std=c99 --enable=warning,performance,portability --inline-suppr --error-exitcode=1 \
        --suppress=ctuuninitvar -D__GNUC__=12 -D__SSE__=1 -DKINEMATIC_DIM=$dim -I. tests/compile/implementation.c
    echo "${dim}D: gcc -fanalyzer"
    for part in src/*.c; do
        case $part in *[23].c) [ "$part" = "${part%[23].c}$dim.c" ] || continue ;; esac
        "${GCC:-gcc}" -std=c99 -fanalyzer -fdiagnostics-path-format=none -Werror -Isrc -DKINEMATIC_DIM=$dim -c "$part" -o /dev/null
    done
done
