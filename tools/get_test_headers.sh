#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
#
# Brings utest.h and greatest.h, which the tests are written with, into build/deps.
#
#   tools/get_test_headers.sh [folder]          folder: build/deps if not given
#   UTEST_H=/my/utest.h GREATEST_H=/my/greatest.h tools/get_test_headers.sh
#
# On Debian (and its kin) both come out of Debian's own source packages, fetched with apt-get from a private
# folder: the system's package sources, lists and caches are read but never written. Each file is checked
# against its SHA-256 and fetched once; a file that is already there and right is left alone.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
deps=${1:-$root/build/deps}

utest_sha=b88583903872d98b651514bbed870a7d95362481ea349e8746f58bb5081a33e0
greatest_sha=1292593d95c35eeccc89ffa1c91d6fe53b49f81cbf2c2b7758842b7f3186fcc2

say() { printf '%s\n' "$*"; }

give_up()
{
    say "" >&2
    say "The tests need utest.h and greatest.h, and this script could not get them: $*" >&2
    say "Get them yourself and say where they are:" >&2
    say "  utest.h      https://github.com/sheredom/utest.h" >&2
    say "  greatest.h   https://github.com/silentbicycle/greatest (1.5.0)" >&2
    say "  make test UTEST_H=/path/to/utest.h GREATEST_H=/path/to/greatest.h" >&2
    exit 1
}

sum_of() { sha256sum "$1" 2>/dev/null | cut -d ' ' -f 1; }

is_there() { [ -f "$deps/$1" ] && [ "$(sum_of "$deps/$1")" = "$2" ]; }

# The user's own copy, whatever its version; copied only if it differs, so that nothing is rebuilt in vain.
take_own()
{
    [ -f "$1" ] || give_up "there is no file $1"
    cmp -s "$1" "$deps/$2" || cp "$1" "$deps/$2"
    say "$2: using $1"
}

# The first plain Debian mirror this machine already uses, else the one that is always there.
find_mirror()
{
    cat /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null |
        sed -n -e 's/^URIs:[ ]*\([^ ]*\).*/\1/p' -e 's/^deb[ ]\(\[[^]]*\][ ]\)\{0,1\}[ ]*\([^ ]*\).*/\2/p' |
        grep '/debian/*$' | head -n 1 || true
}

prepare_apt()
{
    apt=$deps/apt
    [ ! -f "$apt/ready" ] || return 0
    command -v apt-get > /dev/null || give_up "there is no apt-get on this machine"
    [ -f /usr/share/keyrings/debian-archive-keyring.gpg ] || give_up "Debian's archive keyring is not installed (package debian-archive-keyring)"
    mirror=$(find_mirror)
    [ -n "$mirror" ] || mirror=http://deb.debian.org/debian
    mkdir -p "$apt/sources" "$apt/lists/partial" "$apt/cache/archives/partial" "$apt/tar"
    {
        say "Types: deb-src"
        say "URIs: $mirror"
        say "Suites: trixie"
        say "Components: main"
        say "Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg"
    } > "$apt/sources/private.sources"
    say "reading the list of source packages of Debian trixie from $mirror"
    private_apt update -qq || give_up "apt-get update failed (is the network there?)"
    touch "$apt/ready"
}

private_apt()
{
    apt-get -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$apt/sources" \
        -o Dir::State::lists="$apt/lists" -o Dir::Cache="$apt/cache" \
        -o APT::Sandbox::User="$(id -un)" -o Acquire::Retries=3 -o Acquire::Languages=none "$@"
}

# take_debian PACKAGE TAIL NAME SHA: the file of PACKAGE's source whose path ends in TAIL becomes NAME.
take_debian()
{
    prepare_apt
    say "$3: fetching the source of Debian's package $1 ($5)"
    (cd "$apt/tar" && private_apt source -qq --download-only --tar-only "$1") || give_up "apt-get source $1 failed"
    tar=$(ls "$apt/tar/$1"_*.orig.tar.* 2>/dev/null | grep -v '\.asc$' | head -n 1)
    [ -n "$tar" ] || give_up "the source of $1 came without a tar file"
    rm -rf "$apt/out" && mkdir -p "$apt/out"
    tar -x -f "$tar" -C "$apt/out" --wildcards "*/$2" || give_up "$tar has no $2"
    file=$(find "$apt/out" -path "*/$2" -type f | head -n 1)
    [ "$(sum_of "$file")" = "$4" ] || give_up "$2 of package $1 is not the file it should be (SHA-256 $(sum_of "$file"), expected $4)"
    cp "$file" "$deps/$3"
    rm -rf "$apt/out" "$tar"
    say "$3: verified"
}

mkdir -p "$deps"
if [ -n "${GREATEST_H:-}" ]; then take_own "$GREATEST_H" greatest.h
elif is_there greatest.h $greatest_sha; then :
else take_debian dunst test/greatest.h greatest.h $greatest_sha "about 0.5 MB"
fi
if [ -n "${UTEST_H:-}" ]; then take_own "$UTEST_H" utest.h
elif is_there utest.h $utest_sha; then :
else take_debian suitesparse json_h/test/utest.h utest.h $utest_sha "about 51 MB, once"
fi
rm -rf "$deps/apt"
