#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
#
# Prints the version: that of kinematic.h, which has it from src/api.h.
set -eu
cd "$(dirname "$0")/.."
sed -n 's/^#define KIN_VERSION_[A-Z]* \([0-9]*\)$/\1/p' kinematic.h | paste -s -d . -
