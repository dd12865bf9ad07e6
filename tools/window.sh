#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
#
# Builds examples/window; `make window` calls it and starts it. Without SDL2 it says what to install.
set -eu
cd "$(dirname "$0")/.."

if flags=$("${PKG_CONFIG:-pkg-config}" --cflags --libs sdl2 2> /dev/null); then :
elif flags=$("${SDL2_CONFIG:-sdl2-config}" --cflags --libs 2> /dev/null); then :
else
    cat >&2 << END
The window needs SDL2 and its headers. Install them with one of

    apt-get install libsdl2-dev      # Debian, Ubuntu
    dnf install SDL2-devel           # Fedora
    pacman -S sdl2                   # Arch
    brew install sdl2                # macOS

and say "make window" again. The demo needs nothing: make demo
END
    exit 1
fi
mkdir -p build
echo "building the window: a few seconds"
# The flags are words, so they stay unquoted. Not optimised, as the demo: it starts sooner.
${CC:-cc} -std=c99 -O0 -Wall -Wextra -I. examples/window/window.c -o build/window $flags -lm
echo "arrows walk, space jumps, down drops through ledges, Tab shows the overlay, R begins again, Escape ends"
