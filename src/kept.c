/* SPDX-License-Identifier: MIT OR Unlicense

   kept.c: the things around each body, kept from one search to the next.

   A search of the trees of statics and movers takes in a margin, and what it finds is kept with the box that was
   searched. A later search within that box reads the list. Every use applies the exact tests of a fresh search, so
   neither the margin nor the age of a list can be seen in a result.
   A thing that gets another leaf drops the lists whose box that leaf meets. A removed thing fails the tests until its
   slot is used again, which drops the list. Lists are found by the leaf of their body: no box is longer than
   KINI_KEPT_LENGTH, a sweep asks for its whole way and so renews the list, and a teleport out of the box drops it.
   The bodies whose leaf meets that of a body are kept as well, until one of these leaves changes. */
#include "things.h"

KINI_PART void kini_forget_kept(kin_world *world)
{
    kini_clear(world->kept.at, (size_t)world->bodies.count * sizeof *world->kept.at);   /* adding clears the others */
    world->edited = true;
}

KINI_PART void kini_level_changed(kin_world *world, kin_vec lo, kin_vec hi)
{
    kin_vec far = kini_all(KINI_KEPT_LENGTH * world->desc.unit);
    int32_t i, count = kini_tree_collect(&world->trees[KIN_BODY], kini_sub(lo, far), kini_add(hi, far),
                                         world->found.at, world->found.capacity / 2);   /* loading uses the rest */
    for (i = 0; i < count; i++) {
        kini_kept *kept = &world->kept.at[world->things.at[world->found.at[i]].row];
        if (kini_boxes_meet(kept->lo, kept->hi, lo, hi)) kini_clear(kept, sizeof *kept);
    }
}

static float kini_forget_company(void *context, int32_t item)
{
    kin_world *world = (kin_world *)context;
    world->kept.at[world->things.at[item].row].company_count = 0;
    return 1;
}

KINI_PART void kini_leaf_changed(kin_world *world, const kini_thing *thing, kin_vec lo, kin_vec hi)
{
    kini_kept *kept;
    if (thing->kind != KIN_BODY) { kini_level_changed(world, lo, hi); return; }
    kept = &world->kept.at[thing->row];
    kept->company_count = 0;
    if (world->crowd_layer & world->crowd_mask)
        kini_tree_visit(&world->trees[KIN_BODY], lo, hi, kini_vec_zero(), kini_forget_company, world);
    if (!kini_boxes_meet(kept->lo, kept->hi, lo, hi)) kini_clear(kept, sizeof *kept);
}

KINI_PART int kini_collect_bodies(kin_world *world, uint32_t slot, kin_vec lo, kin_vec hi, int32_t *out, int room)
{
    const kini_thing *thing = &world->things.at[slot];
    const kini_tree  *tree = &world->trees[KIN_BODY];
    kini_kept        *kept = &world->kept.at[thing->row];
    kin_vec           leaf_lo, leaf_hi;
    if (thing->kind != KIN_BODY || thing->leaf < 0 || room < KINI_MAX_COMPANY || kept->company_count < 0 ||
        !kini_company_is_kept(world))
        return kini_tree_collect(tree, lo, hi, out, room);
    kini_leaf_box(tree, thing->leaf, &leaf_lo, &leaf_hi);
    if (!kini_box_holds(leaf_lo, leaf_hi, lo, hi)) return kini_tree_collect(tree, lo, hi, out, room);
    if (kept->company_count == 0) {
        int count = kini_tree_collect(tree, leaf_lo, leaf_hi, kept->company, KINI_MAX_COMPANY);
        kept->company_count = count <= KINI_MAX_COMPANY ? count : -1;
        if (kept->company_count < 0) return kini_tree_collect(tree, lo, hi, out, room);
    }
    kini_copy(out, kept->company, (size_t)kept->company_count * sizeof *out);
    return kept->company_count;
}

/* Searches a box with a margin on all sides, and further ahead where the body is going. */
static void kini_keep(kin_world *world, kini_kept *kept, const kini_body *body, kin_vec lo, kin_vec hi)
{
    kin_vec margin = kini_all(KINI_KEEP * world->desc.unit), most = kini_scale(margin, 4);
    kin_vec ahead = kini_scale(body->motion, 8 * world->dt);
    int32_t i, room = world->found.capacity;
    ahead = kini_upper(kini_lower(ahead, most), kini_neg(most));
    lo = kini_sub(kini_lower(lo, kini_add(lo, ahead)), margin);
    hi = kini_add(kini_upper(hi, kini_add(hi, ahead)), margin);
    kini_clear(kept, offsetof(kini_kept, level));
    kept->count = -1;
    if (kini_largest(kini_sub(hi, lo)) > KINI_KEPT_LENGTH * world->desc.unit) return;
    kept->lo = lo;
    kept->hi = hi;
    i = kini_tree_collect(&world->trees[KIN_STATIC], lo, hi, world->found.at, room);
    i += kini_tree_collect(&world->trees[KIN_MOVER], lo, hi, world->found.at + i, room - i);
    if (i > KINI_MAX_KEPT) return;
    kept->count = (int8_t)i;
    while (i-- > 0) kept->slots[i] = world->found.at[i];
}

KINI_PART kini_kept *kini_kept_around(kin_world *world, uint32_t slot, kin_vec lo, kin_vec hi)
{
    const kini_thing *thing = &world->things.at[slot];
    kini_kept        *kept;
    if (thing->kind != KIN_BODY) return NULL;
    kept = &world->kept.at[thing->row];
    if (!kini_box_holds(kept->lo, kept->hi, lo, hi)) kini_keep(world, kept, &world->bodies.at[thing->row], lo, hi);
    return kept->count >= 0 ? kept : NULL;
}
