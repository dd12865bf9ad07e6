#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
#
# Installs the header and its pkg-config file; `make install` calls it. PREFIX [/usr/local], INCLUDEDIR and LIBDIR say
# where, DESTDIR comes before all of them. The compiled libraries are installed by CMake: see CMakeLists.txt.
#
#   install.sh [--remove]
set -eu
cd "$(dirname "$0")/.."

PREFIX=${PREFIX:-/usr/local}
INCLUDEDIR=${INCLUDEDIR:-$PREFIX/include} LIBDIR=${LIBDIR:-$PREFIX/lib} DESTDIR=${DESTDIR:-}
case $PREFIX in /*) ;; *) echo "PREFIX must be an absolute path: $PREFIX" >&2; exit 1 ;; esac
header=$DESTDIR$INCLUDEDIR/kinematic.h pc=$DESTDIR$LIBDIR/pkgconfig/kinematic.pc

if [ "${1:-}" = --remove ]; then
    rm -f "$header" "$pc"
    echo "removed $header and $pc"
    exit
fi
mkdir -p "$DESTDIR$INCLUDEDIR" "$DESTDIR$LIBDIR/pkgconfig"
cp kinematic.h "$header"
# The replacements are paths and may hold any character but a newline.
quoted() { printf '%s' "$1" | sed 's/[|&\\]/\\&/g'; }
sed -e "s|@PREFIX@|$(quoted "$PREFIX")|" -e "s|@INCLUDEDIR@|$(quoted "$INCLUDEDIR")|" \
    -e "s|@LIBDIR@|$(quoted "$LIBDIR")|" -e 's|@NAME@|kinematic|' -e "s|@VERSION@|$(tools/version.sh)|" \
    -e 's|@CFLAGS@||' -e 's|@LIBS@|-lm|' tools/packaging/kinematic.pc.in > "$pc"
chmod 644 "$header" "$pc"
echo "installed $header and $pc"
