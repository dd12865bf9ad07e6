/* SPDX-License-Identifier: MIT OR Unlicense

   Found instead of the one header by tests that are linked with the parts of src/: their private declarations too. */
#include "../../src/state.h"
