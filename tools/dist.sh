#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
#
# Makes the release archive build/kinematic-VERSION.tar.gz, with the files that git knows as they are now, and prints
# its checksums; `make dist` calls it. The same files make the same bytes.
set -eu
cd "$(dirname "$0")/.."

git rev-parse --git-dir > /dev/null || { echo "A release is made from the git repository." >&2; exit 1; }
${PYTHON:-python3} tools/amalgamate.py --check
name=kinematic-$(tools/version.sh)
mkdir -p build
git ls-files -z | LC_ALL=C sort -z > build/dist.list
tar --null --no-recursion -T build/dist.list --transform "s|^|$name/|S" --mtime="@$(git log -1 --format=%ct)" \
    --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX --format=ustar -cf - | gzip -n -9 > "build/$name.tar.gz"
rm build/dist.list
test -z "$(git status --porcelain --untracked-files=no)" || echo "Not a release: some changes are not committed."
changed=$(${PYTHON:-python3} examples/playground/build.py --check)
test -z "$changed" || echo "Not a release: docs/playground.html has an older $changed; run: make docs/playground.html"
echo "build/$name.tar.gz, $(wc -c < "build/$name.tar.gz") bytes"
(cd build && sha256sum "$name.tar.gz" && sha512sum "$name.tar.gz")
