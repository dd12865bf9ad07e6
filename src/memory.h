/* SPDX-License-Identifier: MIT OR Unlicense

   memory.h: what the layer "memory and handles" offers: memory, messages, handles, tables of fields. */
#ifndef KINI_MEMORY_H
#define KINI_MEMORY_H

#include "data.h"

/* ---- things: one row per slot (pool.c, object.c) --------------------------------------------------------- */

KINI_PART bool    kini_is_live(const kin_world *world, kin_id id);
KINI_PART kin_id  kini_last_id(const kin_world *world, uint32_t slot);  /* the handle that a removed thing had, too */
/* Address of the user of a thing, removed ones included; NULL: its slot is free or reused. */
KINI_PART void  **kini_user_at(const kin_world *world, kin_id id);
KINI_PART void   *kini_user_of(const kin_world *world, kin_id id);      /* of a dead handle while remembered */
/* Before the thing in a slot loses its handle or its user. */
KINI_PART void    kini_remember_user(kin_world *world, uint32_t slot);
/* Was this user given for this handle, as far as is remembered? NULL always was. */
KINI_PART bool    kini_was_given(const kin_world *world, kin_id id, const void *user);
KINI_PART kin_id  kini_id_of(const kin_world *world, uint32_t slot);    /* of a removed thing: one older than it had */
/* Inserts into a list of the `capacity` lowest handles, ascending, of `found` so far. */
KINI_PART void     kini_keep_id(kin_id *list, int found, int capacity, kin_id id);
KINI_PART uint32_t kini_take_slot(kin_world *world);                    /* room was reserved */
KINI_PART void     kini_give_slot(kin_world *world, uint32_t slot);     /* age was raised when the thing was removed */
KINI_PART int32_t  kini_free_row(const kin_world *world, int section);   /* the lowest; their number if none is free */
/* All zero, or beginning with a slot; room was reserved. */
KINI_PART int32_t  kini_take_row(kin_world *world, int section, uint32_t slot);
KINI_PART void     kini_give_row(kin_world *world, int section, int32_t row);

/* ---- memory and messages (memory.c) ----------------------------------------------------------------------- */

KINI_PART void *kini_allocate(kin_world *world, size_t bytes);
KINI_PART void  kini_release(kin_world *world, void *memory, size_t bytes);
KINI_PART void  kini_copy(void *to, const void *from, size_t bytes);
KINI_PART bool  kini_same_bytes(const void *a, const void *b, size_t bytes);
KINI_PART bool  kini_grow(kin_world *world, void *array, size_t row_bytes, int32_t rows);
/* Gives the room of a KINI_ARRAY back. */
KINI_PART void  kini_drop(kin_world *world, void *array, size_t row_bytes);
KINI_PART void  kini_cut_rows(void *array, size_t row_bytes, int32_t first, int32_t count);
KINI_PART size_t kini_aligned(size_t bytes);
/* Logs "call: argument text (value)" and returns false, for `return kini_refuse(...)`. */
KINI_PART bool  kini_refuse(const kin_world *world, const char *call, const char *argument, const char *what);
/* What was made by another version than this one. */
KINI_PART bool  kini_refuse_version(const kin_world *world, const char *call, const char *argument, uint32_t version);
KINI_PART bool  kini_refuse_number(const kin_world *world, const char *call, const char *argument, const char *what,
                                   float value);
KINI_PART bool  kini_refuse_floats(const kin_world *world, const char *call, const char *argument, const char *what,
                                   const void *value, size_t bytes, float most);   /* names that, if less than all */
KINI_PART bool  kini_refuse_id(const kin_world *world, const char *call, const char *argument, const char *what,
                               kin_id value);
/* Names the limit as well. Without a call nothing is logged. */
KINI_PART bool  kini_refuse_range(const kin_world *world, const char *call, const char *argument, double value,
                                  double lo, double hi, const char *unit);
KINI_PART uint32_t kini_float_bits(float value);   /* -0 reads as 0 */

/* ---- snapshots (fields.c, snapshot.c, verify.c) ------------------------------------------------------------------ */

KINI_PART const kini_section *kini_section_of(int section);
KINI_PART const kini_setting *kini_setting_at(int number);             /* NULL after the last one */
KINI_PART bool        kini_check_settings(const kin_world *world, const char *call);
KINI_PART void        kini_default_settings(kin_world *world);         /* where the descriptor has 0 */
KINI_PART bool        kini_row_used(const kini_section *section, const void *row);
KINI_PART kini_rows   kini_rows_of(const kin_world *world, int section);
KINI_PART void        kini_set_count(kin_world *world, int section, int32_t count);
/* Bytes of a section; of a level that is left out none. */
KINI_PART size_t      kini_section_bytes(const kini_saved *head, int section);

#endif
