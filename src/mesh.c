/* SPDX-License-Identifier: MIT OR Unlicense

   mesh.c: surfaces made of segments (2D) or triangles (3D), called faces here.

   Points, corners and a tree over the faces' boxes are blocks in arrays of the world. A face is a piece without an
   inside. Nothing is kept about neighbours, so it does not matter whether points are shared, doubled, or lie on the
   edge of another face: sweeps are exact and leave a skin, so the edge between two faces in one plane is never met, and
   contacts with an edge that another face covers are recognised where they would be noted (filter.c). */
#include "internal.h"

static const float KINI_FACE_THIN2 = 1e-12f;   /* squared width, as part of its extent, of a face that is dropped */

static const kini_mesh *kini_mesh_of(const kin_world *world, const kini_thing *thing)
{
    return &world->meshes.at[world->statics.at[thing->row].level];
}

KINI_PART void kini_mesh_bounds(const kin_world *world, const kini_thing *thing, kin_vec *lo, kin_vec *hi)
{
    const kini_mesh *mesh = kini_mesh_of(world, thing);
    *lo = mesh->lo;
    *hi = mesh->hi;
}

/* The tree of a mesh, as the functions of tree.c want it. */
static kini_tree kini_mesh_tree(const kin_world *world, const kini_mesh *mesh)
{
    kini_tree tree;
    kini_clear(&tree, sizeof tree);
    tree.nodes.at = world->mesh_nodes.at + mesh->nodes;
    tree.nodes.count = tree.nodes.capacity = mesh->node_count;
    tree.leaves.at = world->mesh_leaves.at + mesh->leaves;
    tree.leaves.count = tree.leaves.capacity = mesh->leaf_count;
    return tree;
}

/* ---- adding ------------------------------------------------------------------------------------------------------ */

static bool kini_check_mesh(const kin_world *world, const char *call, const kin_mesh_desc *desc)
{
    int i;
    if (!kini_check_pointer(world, call, "points", desc->points) ||
        !kini_check_pointer(world, call, "indices", desc->indices))
        return false;
    if (desc->point_count < 1) return kini_refuse_range(world, call, "point_count", desc->point_count, 1, 1, "");
    if (desc->index_count < KINI_DIM)
        return kini_refuse_range(world, call, "index_count", desc->index_count, KINI_DIM, KINI_DIM, "");
    if (desc->index_count % KINI_DIM)
        return kini_refuse_number(world, call, "index_count", "leaves an unfinished face", (float)desc->index_count);
    for (i = 0; i < desc->point_count; i++)
        if (!kini_check_vec(world, call, "points", desc->points[i], KINI_FURTHEST)) return false;
    for (i = 0; i < desc->index_count; i++)
        if (desc->indices[i] < 0 || desc->indices[i] >= desc->point_count)
            return kini_refuse_number(world, call, "indices", "name a point that is not there",
                                      (float)desc->indices[i]);
    return true;
}

KINI_PART bool kini_draft_mesh(kin_world *world, kini_mesh_draft *draft, int32_t faces)
{
    unsigned char *memory;
    size_t         vecs = kini_aligned((size_t)faces * sizeof(kin_vec));
    draft->bytes = 2 * vecs + (size_t)faces * sizeof(int32_t);
    memory = (unsigned char *)kini_allocate(world, draft->bytes);
    draft->lo = (kin_vec *)(void *)memory;
    if (!memory) return false;
    draft->hi = (kin_vec *)(void *)(memory + vecs);
    draft->face = (int32_t *)(void *)(memory + 2 * vecs);
    return true;
}

/* Is it wider than rounding? */
static bool kini_has_extent(const kin_vec *points)
{
    kin_vec lo, hi;
    float   thin;
    kini_points_box(points, KINI_DIM, &lo, &hi);
    thin = kini_greater(kini_len2(kini_sub(hi, lo)) * KINI_FACE_THIN2, KINI_SMALLEST_SHAPE * KINI_SMALLEST_SHAPE);
    return kini_face_width2(points) > thin;
}

/* Takes all faces that have an extent. */
static void kini_draft_faces(kini_mesh_draft *draft, const kin_mesh_desc *desc)
{
    int32_t face, faces = desc->index_count / KINI_DIM;
    draft->count = 0;
    for (face = 0; face < faces; face++) {
        kin_vec points[KINI_DIM];
        int     i;
        for (i = 0; i < KINI_DIM; i++) points[i] = desc->points[desc->indices[face * KINI_DIM + i]];
        if (!kini_has_extent(points)) continue;
        kini_points_box(points, KINI_DIM, &draft->lo[draft->count], &draft->hi[draft->count]);
        draft->face[draft->count++] = face;
    }
}

static uint64_t kini_mesh_key(const kin_mesh_desc *desc)
{
    uint64_t key = (uint64_t)(uint32_t)desc->index_count;
    int      i, axis;
    for (i = 0; i < desc->point_count; i++)
        for (axis = 0; axis < KINI_DIM; axis++)
            key = (key ^ kini_float_bits(kini_at(desc->points[i], axis))) * 0x9E3779B97F4A7C15u;
    for (i = 0; i < desc->index_count; i++) key = (key ^ (uint32_t)desc->indices[i]) * 0x9E3779B97F4A7C15u;
    return key ^ key >> 29;
}

static int32_t kini_free_mesh(const kin_world *world)
{
    int32_t row = 0;
    while (row < world->meshes.count && world->meshes.at[row].slot != 0) row++;
    return row;
}

static bool kini_reserve_mesh(kin_world *world, const kin_mesh_desc *desc)
{
    kini_counts counts = kini_counts_now(world, NULL);
    counts.rows[KINI_SAVES_MESHES] += kini_free_mesh(world) == world->meshes.count;
    counts.rows[KINI_SAVES_POINTS] += desc->point_count;
    counts.rows[KINI_SAVES_CORNERS] += desc->index_count;
    return kini_reserve(world, &counts);
}

static void kini_grow_tree(kin_world *world, kini_mesh *mesh, const kini_mesh_draft *draft)
{
    kini_tree tree;
    int32_t   i;
    mesh->nodes = world->mesh_nodes.count;
    mesh->leaves = world->mesh_leaves.count;
    mesh->node_count = mesh->leaf_count = 0;
    tree = kini_mesh_tree(world, mesh);
    tree.nodes.capacity = world->mesh_nodes.capacity - mesh->nodes;
    tree.leaves.capacity = world->mesh_leaves.capacity - mesh->leaves;
    kini_tree_build(&tree, draft->lo, draft->hi, draft->count);
    for (i = 0; i < tree.leaves.count; i++) tree.leaves.at[i].item = draft->face[tree.leaves.at[i].item];
    mesh->node_count = tree.nodes.count;
    mesh->leaf_count = tree.leaves.count;
    world->mesh_nodes.count += mesh->node_count;
    world->mesh_leaves.count += mesh->leaf_count;
}

KINI_PART void kini_rebuild_trees(kin_world *world, kini_mesh_draft *draft)
{
    int32_t i;
    world->mesh_nodes.count = world->mesh_leaves.count = 0;
    for (i = 0; i < world->meshes.count; i++) {
        kini_mesh    *mesh = &world->meshes.at[i];
        kin_mesh_desc desc;
        if (mesh->slot == 0) continue;
        desc.points = world->mesh_points.at + mesh->points;
        desc.indices = world->mesh_corners.at + mesh->corners;
        desc.index_count = mesh->face_count * KINI_DIM;
        kini_draft_faces(draft, &desc);
        kini_grow_tree(world, mesh, draft);
    }
}

static void kini_fill_mesh(kin_world *world, kini_mesh *mesh, const kin_mesh_desc *desc)
{
    int32_t i;
    mesh->points = world->mesh_points.count;
    mesh->point_count = desc->point_count;
    mesh->corners = world->mesh_corners.count;
    mesh->face_count = desc->index_count / KINI_DIM;
    mesh->key = kini_mesh_key(desc);
    world->mesh_points.count += desc->point_count;
    world->mesh_corners.count += desc->index_count;
    for (i = 0; i < desc->point_count; i++) world->mesh_points.at[mesh->points + i] = desc->points[i];
    for (i = 0; i < desc->index_count; i++) world->mesh_corners.at[mesh->corners + i] = desc->indices[i];
}

static kini_solid kini_draft_box(const kini_mesh_draft *draft, kini_mesh *mesh)
{
    kini_solid box;
    int32_t    i;
    kini_clear(&box, sizeof box);
    mesh->lo = draft->lo[0];
    mesh->hi = draft->hi[0];
    for (i = 1; i < draft->count; i++) {
        mesh->lo = kini_lower(mesh->lo, draft->lo[i]);
        mesh->hi = kini_upper(mesh->hi, draft->hi[i]);
    }
    box.centre = kini_scale(kini_add(mesh->lo, mesh->hi), 0.5f);
    box.half = kini_scale(kini_sub(mesh->hi, mesh->lo), 0.5f);
    return box;
}

/* What is left to do once a draft stands: 0 if it is refused. */
static uint32_t kini_add_drafted(kin_world *world, const char *call, const kin_mesh_desc *desc, kini_entry *entry,
                                 const kini_mesh_draft *draft)
{
    kini_mesh  mesh;
    kini_solid box;
    int32_t    row = kini_free_mesh(world);
    if (draft->count == 0) {
        kini_refuse(world, call, "indices", "name no face that has an extent");
        return 0;
    }
    kini_clear(&mesh, sizeof mesh);
    box = kini_draft_box(draft, &mesh);
    entry->thing.form = KINI_FORM_MESH;
    mesh.slot = kini_enter_level(world, call, entry, &box, row);
    if (!mesh.slot) return 0;
    if (row == world->meshes.count) world->meshes.count++;
    kini_fill_mesh(world, &mesh, desc);
    kini_grow_tree(world, &mesh, draft);
    world->meshes.at[row] = mesh;
    return mesh.slot;
}

KIN_API kin_id kin_add_mesh(kin_world *world, const kin_mesh_desc *desc)
{
    const char     *call = "kin_add_mesh";
    kini_entry      entry;
    kini_mesh_draft draft;
    uint32_t        slot;
    int32_t         dropped;
    kin_id          id;
    if (!kini_check_world(world, call) || !kini_check_pointer(world, call, "desc", desc)) return kini_nobody();
    if (!kini_check_mesh(world, call, desc)) return kini_nobody();
    if (!kini_check_finite(world, call, "surface_velocity", desc->surface_velocity)) return kini_nobody();
    if (!kini_check_entry(world, call, kini_pose(desc->position, desc->rotation), desc->layer, desc->mask, desc->user,
                          &entry) || !kini_check_attach(world, call, desc->attach, &entry)) return kini_nobody();
    kini_set_flag(&entry.thing, KINI_SENSOR, desc->sensor);
    kini_set_flag(&entry.thing, KINI_ONE_WAY, desc->one_sided);
    kini_set_flag(&entry.thing, KINI_CONVEYOR, !kini_is_zero(desc->surface_velocity));
    if (!kini_reserve_mesh(world, desc) || !kini_draft_mesh(world, &draft, desc->index_count / KINI_DIM)) {
        kini_refuse(world, call, "memory", "was not given");
        return kini_nobody();
    }
    kini_draft_faces(&draft, desc);
    slot = kini_add_drafted(world, call, desc, &entry, &draft);
    kini_release(world, draft.lo, draft.bytes);
    if (!slot) return kini_nobody();
    world->statics.at[world->things.at[slot].row].surface.velocity = kini_limit_speed(world, desc->surface_velocity);
    id = kini_id_of(world, slot);
    dropped = desc->index_count / KINI_DIM - draft.count;
    if (dropped > 0)   /* said last: on_log may add and remove, this mesh too */
        kini_refuse_number(world, call, "indices", "name faces without extent; so many are left out:", (float)dropped);
    return id;
}

/* ---- giving back ------------------------------------------------------------------------------------------------- */

static void kini_forget_mesh(kin_world *world, int32_t row)
{
    kini_mesh gone = world->meshes.at[row];
    int32_t   i, corners = gone.face_count * KINI_DIM;
    kini_cut_rows(&world->mesh_points, sizeof *world->mesh_points.at, gone.points, gone.point_count);
    kini_cut_rows(&world->mesh_corners, sizeof *world->mesh_corners.at, gone.corners, corners);
    kini_cut_rows(&world->mesh_nodes, sizeof *world->mesh_nodes.at, gone.nodes, gone.node_count);
    kini_cut_rows(&world->mesh_leaves, sizeof *world->mesh_leaves.at, gone.leaves, gone.leaf_count);
    for (i = 0; i < world->meshes.count; i++) {
        kini_mesh *mesh = &world->meshes.at[i];
        if (mesh->points > gone.points) mesh->points -= gone.point_count;
        if (mesh->corners > gone.corners) mesh->corners -= corners;
        if (mesh->nodes > gone.nodes) mesh->nodes -= gone.node_count;
        if (mesh->leaves > gone.leaves) mesh->leaves -= gone.leaf_count;
    }
    kini_clear(&world->meshes.at[row], sizeof gone);
}

KINI_PART void kini_forget_level(kin_world *world, const kini_thing *thing)
{
    int32_t level = world->statics.at[thing->row].level;
    if (thing->form == KINI_FORM_TILES) kini_forget_grid(world, level);
    else kini_forget_mesh(world, level);
}

/* ---- faces ------------------------------------------------------------------------------------------------------- */

/* One face, its points along the world's axes and relative to `origin`. A segment along an axis is a flat box. */
static kini_solid kini_face_solid(const kin_world *world, const kini_frame *frame, int32_t face, kin_vec origin,
                                  kin_vec *points)
{
    const kini_mesh *mesh = kini_mesh_of(world, &world->things.at[frame->slot]);
    const int32_t   *corners = world->mesh_corners.at + mesh->corners + (size_t)face * KINI_DIM;
    kini_solid       solid;
    kin_vec          lo, hi;
    int              i, axis;
    kini_clear(&solid, sizeof solid);
    for (i = 0; i < KINI_DIM; i++)
        points[i] = kini_frame_point(frame, world->mesh_points.at[mesh->points + corners[i]], origin);
    kini_points_box(points, KINI_DIM, &lo, &hi);
    solid.centre = kini_scale(kini_add(lo, hi), 0.5f);
    solid.half = kini_scale(kini_sub(hi, lo), 0.5f);
    solid.reach = kini_len(kini_upper(kini_magnitudes(lo), kini_magnitudes(hi)));
    solid.points = points;
    solid.count = KINI_DIM;
    for (axis = 0; axis < KINI_DIM && KINI_DIM == 2; axis++)
        if (!(kini_at(solid.half, axis) > 0)) { solid.count = 0; solid.points = NULL; }
    return solid;
}

/* Is the face's plane beside the box? */
static bool kini_plane_misses(const kin_vec *points, kin_vec lo, kin_vec hi)
{
    kin_vec normal = kini_face_normal(points), middle = kini_scale(kini_add(lo, hi), 0.5f);
    kin_vec half = kini_scale(kini_sub(hi, lo), 0.5f);
    float   off = kini_dot(normal, kini_sub(middle, points[0])), reach = kini_dot(kini_magnitudes(normal), half);
    return kini_abs(off) > 1.0001f * reach;
}

/* How far the body reaches from its middle, the same in both directions of an axis or more. */
static float kini_reach_along(const kini_solid *solid, kin_rot turn, kin_vec axis)
{
    kin_vec local = kini_unrotate(turn, axis);
    return kini_dot(kini_magnitudes(local), solid->half) + solid->radius;
}

static void kini_emit_face(kin_world *world, kini_near *near, const kini_frame *frame, int32_t face)
{
    uint32_t    flags = (uint32_t)(world->things.at[frame->slot].flags & (KINI_SENSOR | KINI_ONE_WAY));
    kini_piece *piece = kini_piece_begin(world, near, frame, flags);
    kini_solid *solid = &world->solids.at[near->count];
    kin_vec     points[KINI_DIM], lo = kini_sub(near->lo, near->origin), hi = kini_sub(near->hi, near->origin);
    *solid = kini_face_solid(world, frame, face, near->origin, points);
    if (!frame->moves && kini_plane_misses(points, lo, hi)) return;
    kini_obstacle_make(&piece->obstacle, &world->sums.at[near->count], solid,
                       kini_pose(kini_vec_zero(), kini_unturned()), &near->solid, near->turn);
    solid->points = NULL;
    piece->part = face;
    piece->turn = kini_unturned();
    piece->face = kini_unit(kini_face_normal(points));
    if (flags & KINI_ONE_WAY) piece->one_way = piece->face;
    piece->level = kini_dot(piece->face, kini_sub(points[0], kini_rotate(near->turn, near->solid.centre)));
    piece->reach = kini_reach_along(&near->solid, near->turn, piece->face);
    kini_piece_end(world, near, frame, piece);
}

/* Faces near a box are wanted in ascending order. If they are more than a batch holds, all are listed at first. */
static bool kini_are_listed(const kin_world *world, uint32_t slot, kin_vec lo, kin_vec hi)
{
    return world->faces_of == slot && kini_is_zero(kini_sub(world->faces_lo, lo)) &&
           kini_is_zero(kini_sub(world->faces_hi, hi));
}

static void kini_list_faces(kin_world *world, const kini_tree *tree, uint32_t slot, kin_vec lo, kin_vec hi)
{
    world->faces.count = kini_tree_collect(tree, lo, hi, world->faces.at, world->faces.capacity);
    world->faces_of = slot;
    world->faces_lo = lo;
    world->faces_hi = hi;
}

/* Place of the first one that is not less than `from`. */
static int kini_face_place(const int32_t *faces, int count, int32_t from)
{
    int first = 0;
    while (first < count) {
        int middle = first + (count - first) / 2;
        if (faces[middle] < from) first = middle + 1;
        else count = middle;
    }
    return first;
}

KINI_PART bool kini_emit_mesh(kin_world *world, kini_near *near, const kini_frame *frame)
{
    kini_tree      tree = kini_mesh_tree(world, kini_mesh_of(world, &world->things.at[frame->slot]));
    int32_t        few[KINI_MAX_NEAR];
    const int32_t *faces = few;
    kin_vec        lo, hi;
    int            i, count = KINI_MAX_NEAR + 1;
    kini_near_box(world, near, frame, &lo, &hi);
    if (!kini_are_listed(world, frame->slot, lo, hi)) {
        count = kini_tree_collect(&tree, lo, hi, few, KINI_MAX_NEAR);
        if (count > KINI_MAX_NEAR) kini_list_faces(world, &tree, frame->slot, lo, hi);
    }
    if (count > KINI_MAX_NEAR) { faces = world->faces.at; count = world->faces.count; }
    for (i = kini_face_place(faces, count, near->part_cursor); i < count && near->count < KINI_MAX_NEAR; i++)
        kini_emit_face(world, near, frame, faces[i]);
    if (i < count) near->part_cursor = faces[i];
    return i == count;
}

KINI_PART kin_vec kini_mesh_touch(const kin_world *world, uint32_t slot, int32_t part, const kini_solid *body,
                                  kin_pose at, kin_vec normal)
{
    kini_frame frame = kini_frame_still(world, slot);
    kin_vec    points[KINI_DIM], half, foot = kini_foot(body, at, normal, &half);
    kini_solid solid;
    if (part < 0) return foot;   /* in a made-up snapshot */
    solid = kini_face_solid(world, &frame, part, foot, points);
    return kini_closest_on(&solid, kini_pose(foot, kini_unturned()), foot, normal);
}

/* ---- questions --------------------------------------------------------------------------------------------------- */

typedef struct kini_mesh_ask { kini_ask *ask; kini_frame frame; } kini_mesh_ask;

static float kini_face_visit(void *context, int32_t face)
{
    kini_mesh_ask *it = (kini_mesh_ask *)context;
    kini_ask      *ask = it->ask;
    kin_vec        points[KINI_DIM];
    kini_solid     solid = kini_face_solid(ask->world, &it->frame, face, ask->at.p, points);
    kini_piece     piece;
    kini_sum       room;
    kini_obstacle_make(&piece.obstacle, &room, &solid, kini_pose(kini_vec_zero(), kini_unturned()), ask->solid,
                       ask->at.q);
    piece.part = face;
    piece.hidden = 0;
    piece.one_way = kini_unit(kini_face_normal(points));
    kini_ask_piece(ask, &piece, ask->world->things.at[it->frame.slot].flags);
    return ask->found ? ask->hit.t + 1e-5f : 1;
}

KINI_PART void kini_ask_mesh(kini_ask *ask, uint32_t slot)
{
    kini_tree     tree = kini_mesh_tree(ask->world, kini_mesh_of(ask->world, &ask->world->things.at[slot]));
    kini_mesh_ask it;
    kin_vec       lo, hi;
    it.ask = ask;
    it.frame = kini_frame_still(ask->world, slot);
    kini_ask_box(ask, &lo, &hi);
    kini_frame_box(&it.frame, lo, hi, &lo, &hi);
    kini_tree_visit(&tree, lo, hi, kini_unrotate(it.frame.at.q, ask->travel), kini_face_visit, &it);
}

KINI_PART void kini_mesh_walk(const kin_world *world, uint32_t slot, kini_face_fn *visit, void *context)
{
    const kini_mesh *mesh = kini_mesh_of(world, &world->things.at[slot]);
    kini_frame       frame = kini_frame_still(world, slot);
    int32_t          i;
    for (i = 0; i < mesh->leaf_count; i++) {
        kin_vec points[KINI_DIM];
        kini_face_solid(world, &frame, world->mesh_leaves.at[mesh->leaves + i].item, kini_vec_zero(), points);
        visit(context, points);
    }
}

KIN_API int kin_get_mesh(const kin_world *world, kin_id mesh, kin_vec *points, int point_capacity, int *point_count,
                         int *indices, int index_capacity)
{
    const char      *call = "kin_get_mesh";
    uint32_t         slot = kini_check_kind(world, call, "mesh", mesh, KIN_STATIC);
    const kini_mesh *row;
    int32_t          i, k, corner = 0;
    if (!slot || !kini_check_list(world, call, points, point_capacity)) return 0;
    if (!kini_check_list(world, call, indices, index_capacity)) return 0;
    if (world->things.at[slot].form != KINI_FORM_MESH) {
        kini_refuse_id(world, call, "mesh", "is not a mesh", mesh);
        return 0;
    }
    row = kini_mesh_of(world, &world->things.at[slot]);
    if (point_count) *point_count = row->point_count;
    for (i = 0; i < row->point_count && i < point_capacity; i++) points[i] = world->mesh_points.at[row->points + i];
    for (i = 0; i < row->face_count * KINI_DIM; i += KINI_DIM) {
        const int32_t *corners = world->mesh_corners.at + row->corners + i;
        kin_vec        face[KINI_DIM];
        for (k = 0; k < KINI_DIM; k++) face[k] = world->mesh_points.at[row->points + corners[k]];
        for (k = 0; k < KINI_DIM && kini_has_extent(face); k++, corner++)
            if (corner < index_capacity) indices[corner] = corners[k];
    }
    return corner / KINI_DIM;
}
