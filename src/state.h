/* SPDX-License-Identifier: MIT OR Unlicense

   state.h: what the layer "the world as a whole" offers: snapshots. */
#ifndef KINI_STATE_H
#define KINI_STATE_H

#include "stages.h"

/* ---- contacts (contacts.c) --------------------------------------------------------------------------------------- */

/* Does the body still have this contact, and not only an event to emit for it? */
KINI_PART bool kini_is_shown(const kin_world *world, int32_t row, const kini_contact *contact);
KINI_PART void kini_give_contact(const kin_world *world, uint32_t slot, const kini_contact *contact, kin_contact *out);

/* ---- snapshots (fields.c, snapshot.c, verify.c) ------------------------------------------------------------------ */

KINI_PART uint64_t    kini_checksum(const void *buffer, size_t bytes);
/* Where each section begins; how long the whole is, 0 if it cannot be that long. */
KINI_PART size_t      kini_lay_out(kini_view *view);
/* NULL, or why it must not be loaded. */
KINI_PART const char *kini_verify(const kin_world *world, const kini_view *view);
/* Does this world have the same grids or meshes, at the same places? */
KINI_PART bool        kini_same_levels(const kin_world *world, const kini_view *view, int owner);

#endif
