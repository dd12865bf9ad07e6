/* SPDX-License-Identifier: MIT OR Unlicense

   room.c: every array of a world, and how many rows it needs, as one list.

   Adding reserves by this list before it changes anything, scratch memory included, since steps never allocate;
   kin_world_bytes and destroying use it too. A new array is one line here. */
#include "shapes.h"

static int64_t kini_index_size(int64_t shapes)
{
    int64_t size = 16;
    while (size < 2 * shapes) size *= 2;
    return size;
}

static void kini_room_add(kini_room **next, void *array, size_t row_bytes, int64_t rows)
{
    (*next)->array = array;
    (*next)->row_bytes = row_bytes;
    (*next)->rows = rows;
    (*next)++;
}

#define KINI_ROOM(member, rows) kini_room_add(&next, &world->member, sizeof *world->member.at, rows)

/* Hulls come last, so that they can grow in place in the block of kin_world_create_in. */
KINI_PART int kini_rooms(kin_world *world, const kini_counts *counts, kini_room *out)
{
    const int64_t *rows = counts->rows, bodies = rows[KINI_SAVES_BODIES], faces = rows[KINI_SAVES_CORNERS] / KINI_DIM;
    int64_t        workers = world->desc.workers ? world->desc.workers : 1;   /* scratch of each, or of the world */
    kini_room     *next = out;
    int            i;
    for (i = 0; i < KINI_SAVED_SECTIONS; i++) {
        const kini_section *table = kini_section_of(i);
        if (table->array && i != KINI_SAVES_HULLS)
            kini_room_add(&next, (char *)world + table->array, table->stride, rows[i]);
    }
    for (i = KIN_STATIC; i <= KIN_BODY; i++) {
        int64_t items = rows[KINI_SAVES_KIND + i] + (i == KIN_MOVER ? counts->attached : 0);
        KINI_ROOM(trees[i].nodes, kini_tree_nodes(items));
        KINI_ROOM(trees[i].leaves, items);
    }
    KINI_ROOM(users, rows[KINI_SAVES_THINGS]);
    KINI_ROOM(idle, bodies);
    KINI_ROOM(done, bodies);
    KINI_ROOM(kept, bodies);
    KINI_ROOM(answers, world->desc.collide ? bodies : 0);
    KINI_ROOM(asking, 2);
    KINI_ROOM(contacts, bodies * kini_contact_room(&world->desc));
    KINI_ROOM(last_contacts, bodies * kini_contact_room(&world->desc));
    KINI_ROOM(last_sensed, rows[KINI_SAVES_SENSED]);
    KINI_ROOM(shape_index, kini_index_size(rows[KINI_SAVES_SHAPES]));
    KINI_ROOM(controls, counts->controls);
    KINI_ROOM(events, (int64_t)world->desc.max_events + 1);
    KINI_ROOM(given, KINI_MOST_GIVEN);
    KINI_ROOM(pieces, workers * KINI_MAX_NEAR);
    KINI_ROOM(sums, workers * KINI_MAX_NEAR);
    KINI_ROOM(known, workers * KINI_MOST_KNOWN);
    KINI_ROOM(solids, workers * KINI_MAX_NEAR);
    KINI_ROOM(found, workers * 2 * rows[KINI_SAVES_THINGS]);   /* the second half: things that a snapshot changes */
    KINI_ROOM(order, bodies);
    KINI_ROOM(neighbours, workers * bodies);
    KINI_ROOM(queue, bodies);
    KINI_ROOM(meetings, KINI_MEETINGS * bodies + KINI_MORE_MEETINGS);
    KINI_ROOM(backup, bodies);
    KINI_ROOM(mesh_nodes, faces / 5 + 2 * rows[KINI_SAVES_MESHES]);   /* as many as kini_tree_build needs */
    KINI_ROOM(mesh_leaves, faces);
    KINI_ROOM(mesh_faces, faces);
    KINI_ROOM(faces, workers * faces);
    KINI_ROOM(islands, world->desc.workers ? bodies : 0);
    KINI_ROOM(shares, world->desc.workers ? bodies : 0);
    KINI_ROOM(batches, world->desc.workers ? bodies / KINI_BATCH + 2 : 0);
    KINI_ROOM(busy, world->desc.workers ? workers + 1 : 0);
    KINI_ROOM(hulls, rows[KINI_SAVES_HULLS]);
    return (int)(next - out);
}

KINI_PART void kini_count_row(const kin_world *world, kini_counts *counts, int section)
{
    counts->rows[section] += kini_free_row(world, section) == kini_rows_of(world, section).count;
}

KINI_PART kini_counts kini_counts_now(const kin_world *world, const kini_solid *solid)
{
    kini_counts counts;
    int         i;
    for (i = 0; i < KINI_SAVED_SECTIONS; i++) counts.rows[i] = kini_rows_of(world, i).count;
    counts.controls = world->controls.count;
    counts.attached = world->attached;
    if (counts.rows[KINI_SAVES_SENSED] < (int64_t)world->sensers * world->desc.max_sensor_contacts)
        counts.rows[KINI_SAVES_SENSED] = (int64_t)world->sensers * world->desc.max_sensor_contacts;
    if (!solid || kini_find_shape(world, solid) >= 0) return counts;
    kini_count_row(world, &counts, KINI_SAVES_SHAPES);
    if (solid->count > 0) kini_count_row(world, &counts, KINI_SAVES_HULLS);
    return counts;
}

KINI_PART bool kini_reserve(kin_world *world, const kini_counts *counts)
{
    kini_room rooms[KINI_MAX_ROOMS];
    int       count = kini_rooms(world, counts, rooms), i;
    int32_t   size = (int32_t)kini_index_size(counts->rows[KINI_SAVES_SHAPES]);
    for (i = 0; i < count; i++) {
        if (rooms[i].rows > INT32_MAX) return false;
        if (!kini_grow(world, rooms[i].array, rooms[i].row_bytes, (int32_t)rooms[i].rows)) return false;
    }
    if (size <= world->shape_index.count) return true;
    world->shape_index.count = size;
    kini_index_shapes(world);
    return true;
}

KINI_PART bool kini_check_room(kin_world *world, const char *call, const kini_counts *counts)
{
    return kini_check_unasked(world, call) &&
           (kini_reserve(world, counts) || kini_refuse(world, call, "memory", "was not given"));
}
