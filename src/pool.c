/* SPDX-License-Identifier: MIT OR Unlicense

   pool.c: slots, ages and rows.

   A handle is a slot and its age. Removing raises the age, so an old handle never fits again; a slot whose age has run
   through all numbers is not used any more. */
#include "memory.h"

KIN_API bool kin_same(kin_id a, kin_id b) { return a.slot == b.slot && a.age == b.age; }

KINI_PART bool kini_is_live(const kin_world *world, kin_id id)
{
    const kini_thing *thing;
    if (id.slot == 0 || id.slot >= (uint32_t)world->things.count) return false;
    thing = &world->things.at[id.slot];
    return thing->age == id.age && thing->kind != KIN_NOTHING && !(thing->flags & KINI_REMOVED);
}

KINI_PART kin_id kini_id_of(const kin_world *world, uint32_t slot)
{
    kin_id id;
    id.slot = slot;
    id.age = world->things.at[slot].age;
    return id;
}

KINI_PART kin_id kini_last_id(const kin_world *world, uint32_t slot)
{
    kin_id id = kini_id_of(world, slot);
    if (world->things.at[slot].flags & KINI_REMOVED) id.age--;
    return id;
}

KINI_PART void **kini_user_at(const kin_world *world, kin_id id)
{
    bool known = id.slot < (uint32_t)world->things.count && world->things.at[id.slot].kind != KIN_NOTHING;
    return known && kin_same(kini_last_id(world, id.slot), id) ? &world->users.at[id.slot] : NULL;
}

/* The last user that a handle is remembered to have had. */
static void *kini_former_user(const kin_world *world, kin_id id)
{
    uint32_t i;
    for (i = 1; i <= KINI_MOST_GIVEN; i++) {
        const kini_given *row = &world->given.at[(world->given_next - i) % KINI_MOST_GIVEN];
        if (kin_same(row->id, id)) return row->user;
    }
    return NULL;
}

KINI_PART void *kini_user_of(const kin_world *world, kin_id id)
{
    void **own = kini_user_at(world, id);
    return own ? *own : kini_former_user(world, id);
}

KINI_PART void kini_remember_user(kin_world *world, uint32_t slot)
{
    kini_given now;
    now.id = kini_last_id(world, slot);
    now.user = world->users.at[slot];
    if (now.user || kini_former_user(world, now.id)) world->given.at[world->given_next++ % KINI_MOST_GIVEN] = now;
}

KINI_PART bool kini_was_given(const kin_world *world, kin_id id, const void *user)
{
    void *const *own = kini_user_at(world, id);
    int32_t      i;
    if (!user || (own && *own == user)) return true;
    for (i = 0; i < KINI_MOST_GIVEN; i++)
        if (world->given.at[i].user == user && kin_same(world->given.at[i].id, id)) return true;
    return false;
}

/* ---- rows of sections whose rows are reused: the lowest free one is taken ---------------------------------------- */

KINI_PART int32_t kini_free_row(const kin_world *world, int section)
{
    const kini_section *table = kini_section_of(section);
    kini_rows           rows = kini_rows_of(world, section);
    int32_t             row = world->first_free[section];
    for (; row < rows.count; row++) {
        bool spent = section == KINI_SAVES_THINGS && world->things.at[row].age == 0;   /* no age left; or row 0 */
        if (!spent && !kini_row_used(table, (char *)rows.at + (size_t)row * table->stride)) break;
    }
    return row;
}

KINI_PART int32_t kini_take_row(kin_world *world, int section, uint32_t slot)
{
    const kini_section *table = kini_section_of(section);
    kini_rows           rows = kini_rows_of(world, section);
    int32_t             row = kini_free_row(world, section);
    unsigned char      *at = (unsigned char *)rows.at + (size_t)row * table->stride;
    if (row == rows.count) kini_set_count(world, section, row + 1);
    world->first_free[section] = row + 1;
    kini_clear(at, table->stride);
    kini_copy(at, &slot, sizeof slot);   /* statics, movers, bodies and levels begin with it, others with zeros */
    return row;
}

KINI_PART void kini_give_row(kin_world *world, int section, int32_t row)
{
    const kini_section *table = kini_section_of(section);
    kini_clear((unsigned char *)kini_rows_of(world, section).at + (size_t)row * table->stride, table->stride);
    if (row < world->first_free[section]) world->first_free[section] = row;
}

KINI_PART uint32_t kini_take_slot(kin_world *world)
{
    int32_t  slot = kini_free_row(world, KINI_SAVES_THINGS);
    uint32_t age = slot < world->things.count ? world->things.at[slot].age : 1;
    kini_take_row(world, KINI_SAVES_THINGS, 0);
    world->users.count = world->things.count;
    world->things.at[slot].age = age;
    world->things.at[slot].leaf = -1;
    return (uint32_t)slot;
}

KINI_PART void kini_give_slot(kin_world *world, uint32_t slot)
{
    uint32_t age = world->things.at[slot].age;
    kini_give_row(world, KINI_SAVES_THINGS, (int32_t)slot);
    world->users.at[slot] = NULL;
    world->things.at[slot].age = age;
    world->things.at[slot].leaf = -1;
}

/* ---- lists of handles, ascending, of which only so many fit -------------------------------------------------- */

KINI_PART void kini_keep_id(kin_id *list, int found, int capacity, kin_id id)
{
    int i = found < capacity ? found : capacity;
    for (; i > 0 && list[i - 1].slot > id.slot; i--)
        if (i < capacity) list[i] = list[i - 1];
    if (i < capacity) list[i] = id;
}
