#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
#
# Installs what the tests need and this machine lacks, with apt-get. It says first what that is and asks nothing; where it
# may not install, it only says what is missing. It says and does nothing if all is there. `make test` calls it; with a
# word it sees to what that target needs:
#
#   setup.sh [all | portable | coverage | analyze | fuzz-afl | packages | window | playground]
set -eu

GCC=${GCC:-gcc} GXX=${GXX:-g++} CLANG=${CLANG:-clang} CLANGXX=${CLANGXX:-clang++} PYTHON=${PYTHON:-python3}

has() { command -v "$1" > /dev/null 2>&1; }

# need COMMAND PACKAGE
missing=
need() { has "$1" || missing="$missing $2"; }

has_sanitizers()
{
    folder=$(mktemp -d)
    echo 'int main(void) { return 0; }' > "$folder/a.c"
    good=0
    "$CLANG" -fsanitize=memory "$folder/a.c" -o "$folder/a" 2> /dev/null || good=1
    "$CLANG" -fsanitize=address,undefined "$folder/a.c" -o "$folder/a" 2> /dev/null || good=1
    rm -rf "$folder"
    return $good
}

has_32_bits()
{
    folder=$(mktemp -d)
    printf '#include <stdio.h>\nint main(void) { return 0; }\n' > "$folder/a.c"
    good=0
    "$GCC" -m32 "$folder/a.c" -o "$folder/a" 2> /dev/null || good=1
    rm -rf "$folder"
    return $good
}

# A cross compiler and the C library of that machine: gcc's name for it, then Debian's.
need_cross()
{
    has "$1-linux-gnu-gcc" || missing="$missing gcc-$1-linux-gnu libc6-dev-$2-cross"
    need "qemu-$1" qemu-user
}

# The package gcc-multilib does not live beside cross compilers; what it stands for does.
need_portable()
{
    need tcc tcc
    need x86_64-w64-mingw32-gcc gcc-mingw-w64-x86-64
    need wine "wine wine64"
    need_cross aarch64 arm64
    need_cross riscv64 riscv64
    need_cross s390x s390x
    need node nodejs
    need wasm-ld lld
    has_32_bits || missing="$missing gcc-$("$GCC" -dumpversion | cut -d . -f 1)-multilib libc6-dev-i386"
}

need_packages()
{
    need cmake cmake
    need pkg-config pkg-config
    need git git
}

need_window()
{
    need Xvfb xvfb
    need xdotool xdotool
    pkg-config --exists sdl2 2> /dev/null || has sdl2-config || missing="$missing libsdl2-dev"
}

# May we install, and how? Sets as_root.
may_install()
{
    as_root=
    has apt-get || return 1
    [ "$(id -u)" = 0 ] && return 0
    as_root="sudo -n"
    has sudo && sudo -n true 2> /dev/null
}

install()
{
    if ! may_install; then
        echo "These packages are missing (Debian's names), and may not be installed from here:$*" >&2
        echo "Please install them or their like, for example with: apt-get install$*" >&2
        exit 1
    fi
    echo "Going to install with apt-get:$*"
    [ -e build/deps/utest.h ] || [ -n "${UTEST_H:-}" ] ||
        echo "Going to fetch, into build/deps: utest.h and greatest.h, out of Debian's sources (52 MB)"
    $as_root apt-get update -qq
    # The list is words, so it stays unquoted.
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $* > build/setup.log ||
        { tail -n 20 build/setup.log >&2; exit 1; }
}

cd "$(dirname "$0")/.."
mkdir -p build
need "$GCC" gcc
need "$GXX" g++
need "$CLANG" clang
need "$CLANGXX" clang
need "$PYTHON" python3
need objdump binutils
need nm binutils
need sha256sum coreutils
need tar tar
need xz xz-utils
need ar binutils
need node nodejs
need wasm-ld lld
case ${1:-} in
portable) need_portable ;;
coverage) need gcovr gcovr ;;
fuzz-afl) need afl-clang-fast afl++ ;;
playground) need npm npm; need chromium chromium ;;
analyze) need clang-tidy clang-tidy; need cppcheck cppcheck ;;
packages) need_packages ;;
window) need_window ;;
all) need_packages; need_window; need tcc tcc; need npm npm; need chromium chromium ;;
esac
[ -e /usr/include/stdio.h ] || [ ! -e /etc/debian_version ] || missing="$missing libc6-dev"
[ -z "$missing" ] || install "$missing"

case ${1:-} in playground | all) browser=1 ;; *) browser= ;; esac
if [ "$browser" ] && [ ! -d build/browser/node_modules/playwright-core ]; then
    npm install --silent --no-audit --no-fund --prefix build/browser playwright-core ||
        echo "playwright-core cannot be installed: the playground is not tested in Chromium"
fi

# Which version that is, only clang knows.
if ! has_sanitizers; then
    install " libclang-rt-$("$CLANG" -dumpversion | cut -d . -f 1)-dev"
    has_sanitizers || { echo "clang's sanitizers do not work on this machine" >&2; exit 1; }
fi
