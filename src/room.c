/* SPDX-License-Identifier: MIT OR Unlicense

   room.c: every array of a world, and how many rows it needs, as one list.

   The list serves adding (reserve first, commit later, so that a refused allocation leaves the world as it was),
   stepping (scratch for the worst case is reserved while adding, so a step never allocates), measuring for
   kin_world_bytes, and destroying. A new array is a line here and nothing else. */
#include "internal.h"

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

/* What lives in the world. */
static kini_room *kini_rooms_of_things(kin_world *world, const kini_counts *counts, kini_room *next)
{
    KINI_ROOM(things, counts->things);
    KINI_ROOM(users, counts->things);
    KINI_ROOM(statics, counts->statics);
    KINI_ROOM(movers, counts->movers);
    KINI_ROOM(bodies, counts->bodies);
    KINI_ROOM(contacts, counts->bodies * world->desc.max_contacts);
    KINI_ROOM(last_contacts, counts->bodies * world->desc.max_contacts);
    KINI_ROOM(shapes, counts->shapes);
    KINI_ROOM(shape_index, kini_index_size(counts->shapes));
    KINI_ROOM(controls, counts->controls);
    return next;
}

static kini_room *kini_rooms_of_trees(kin_world *world, const kini_counts *counts, kini_room *next)
{
    int64_t items[4];
    int     kind;
    items[KIN_STATIC] = counts->statics;
    items[KIN_MOVER] = counts->movers + counts->attached;
    items[KIN_BODY] = counts->bodies;
    for (kind = KIN_STATIC; kind <= KIN_BODY; kind++) {
        KINI_ROOM(trees[kind].nodes, kini_tree_nodes(items[kind]));
        KINI_ROOM(trees[kind].leaves, items[kind]);
    }
    return next;
}

/* Grids and meshes. */
static kini_room *kini_rooms_of_levels(kin_world *world, const kini_counts *counts, kini_room *next)
{
    KINI_ROOM(grids, counts->grids);
    KINI_ROOM(cells, counts->cells);
    KINI_ROOM(tiles, counts->tiles);
    KINI_ROOM(meshes, counts->meshes);
    KINI_ROOM(mesh_points, counts->mesh_points);
    KINI_ROOM(mesh_corners, counts->mesh_corners);
    KINI_ROOM(mesh_nodes, counts->mesh_nodes);
    KINI_ROOM(mesh_leaves, counts->mesh_leaves);
    KINI_ROOM(faces, counts->mesh_leaves);
    return next;
}

/* What the stages work in. */
static kini_room *kini_rooms_of_step(kin_world *world, const kini_counts *counts, kini_room *next)
{
    KINI_ROOM(events, world->desc.max_events);
    KINI_ROOM(pieces, KINI_MAX_NEAR);
    KINI_ROOM(sums, KINI_MAX_NEAR);
    KINI_ROOM(solids, KINI_MAX_NEAR);
    KINI_ROOM(found, counts->things);
    KINI_ROOM(order, counts->bodies);
    KINI_ROOM(neighbours, counts->bodies);
    KINI_ROOM(queue, counts->bodies);
    KINI_ROOM(meetings, KINI_MEETINGS * counts->bodies);
    KINI_ROOM(backup, counts->stop_movers > 0 ? counts->bodies : 0);
    return next;
}

KINI_PART int kini_rooms(kin_world *world, const kini_counts *counts, kini_room *out)
{
    kini_room *next = kini_rooms_of_things(world, counts, out);
    next = kini_rooms_of_trees(world, counts, next);
    next = kini_rooms_of_step(world, counts, next);
    next = kini_rooms_of_levels(world, counts, next);
    KINI_ROOM(ignored, counts->ignored);
    KINI_ROOM(hulls, counts->hulls);   /* last: it may grow where it is */
    return (int)(next - out);
}

KINI_PART kini_counts kini_counts_now(const kin_world *world)
{
    kini_counts counts;
    counts.things = world->things.count;
    counts.statics = world->statics.count;
    counts.movers = world->movers.count;
    counts.bodies = world->bodies.count;
    counts.shapes = world->shapes.count;
    counts.hulls = world->hulls.count;
    counts.controls = world->controls.count;
    counts.ignored = world->ignored.count;
    counts.attached = world->attached;
    counts.stop_movers = world->stop_movers;
    counts.grids = world->grids.count;
    counts.cells = world->cells.count;
    counts.tiles = world->tiles.count;
    counts.meshes = world->meshes.count;
    counts.mesh_points = world->mesh_points.count;
    counts.mesh_corners = world->mesh_corners.count;
    counts.mesh_nodes = world->mesh_nodes.count;
    counts.mesh_leaves = world->mesh_leaves.count;
    return counts;
}

KINI_PART bool kini_reserve(kin_world *world, const kini_counts *counts)
{
    kini_room rooms[KINI_MAX_ROOMS];
    int       count = kini_rooms(world, counts, rooms), i;
    int32_t   size = (int32_t)kini_index_size(counts->shapes);
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
    return kini_reserve(world, counts) ? true : kini_refuse(world, call, "memory", "was not given");
}

KINI_PART size_t kini_room_bytes(const kini_room *rooms, int count)
{
    size_t bytes = 0;
    int    i;
    for (i = 0; i < count; i++) {
        size_t most = ((size_t)-1 - bytes - KINI_ALIGN) / rooms[i].row_bytes;
        if (rooms[i].rows > INT32_MAX || (size_t)rooms[i].rows > most) return 0;
        bytes += kini_aligned((size_t)rooms[i].rows * rooms[i].row_bytes);
    }
    return bytes;
}
