/* SPDX-License-Identifier: MIT OR Unlicense

   broad.h: what the layer "broad phase and filters" offers. */
#ifndef KINI_BROAD_H
#define KINI_BROAD_H

#include "shapes.h"

/* ---- broad phase (tree.c) ------------------------------------------------------------------------------------- */

KINI_PART int32_t kini_tree_insert(kini_tree *tree, int32_t item, kin_vec lo, kin_vec hi);
/* Its box is then exactly lo..hi. */
KINI_PART void    kini_tree_move(kini_tree *tree, int32_t leaf, kin_vec lo, kin_vec hi);
KINI_PART void    kini_tree_remove(kini_tree *tree, int32_t leaf);
KINI_PART void    kini_tree_visit(const kini_tree *tree, kin_vec lo, kin_vec hi, kin_vec travel, kini_visit_fn *visit,
                                  void *context);
KINI_PART void kini_sort_items(int32_t *items, int count);
/* Items whose box meets lo..hi, ascending; returns their number. If that is above `capacity`, `out` is of no use. */
KINI_PART int     kini_tree_collect(const kini_tree *tree, kin_vec lo, kin_vec hi, int32_t *out, int capacity);
KINI_PART void kini_tree_build(kini_tree *tree, kini_box_fn *box, const void *context);

/* ---- filters (filter.c) ------------------------------------------------------------------------------------------ */

/* Two bodies that are not to pass each other. */
KINI_PART bool kini_pair_solid(const kin_world *world, uint32_t a, uint32_t b);
/* May a body still press on what it touched at the end of the last step? */
KINI_PART bool kini_still_beside(const kin_world *world, uint32_t body, kin_id other);
KINI_PART uint32_t kini_owner_slot(const kin_world *world, uint32_t slot);   /* what it is attached to, or it itself */
/* Layers, enabled, ignored pairs, life; then `collide`, whose answers are kept for the step. */
KINI_PART bool kini_meets(const kin_world *world, uint32_t a, uint32_t b);
KINI_PART void kini_forget_ignored(kin_world *world, uint32_t slot);         /* all pairs with it */
/* Of a query, defaults filled in. */
KINI_PART bool kini_filter_takes(const kin_world *world, const kin_filter *filter, uint32_t slot);
KINI_PART bool kini_ignore_pair(kin_world *world, const char *call, uint32_t a, uint32_t b, bool ignore);
KINI_PART bool kini_check_filter(const kin_world *world, const char *call, const kin_filter *filter, kin_filter *out);

#endif
