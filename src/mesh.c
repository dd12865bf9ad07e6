/* SPDX-License-Identifier: MIT OR Unlicense

   mesh.c: surfaces made of segments (2D) or triangles (3D), called faces here.

   Points, corners, neighbours (weld.c) and a tree over the faces' boxes are blocks in arrays of the world. A face is a
   piece without an inside. Points may be shared, doubled, or lie on the edge of another face. Contacts with an edge
   that another face covers are recognised where they would be noted (surface.c): by neighbours, or by search. */
#include "things.h"

static const float KINI_FACE_THIN2 = 1e-12f;   /* squared width, as part of its extent, of a face that is dropped */

static const kini_mesh *kini_mesh_of(const kin_world *world, const kini_thing *thing)
{
    return &world->meshes.at[world->statics.at[thing->row].level];
}

KINI_PART void kini_level_bounds(const kin_world *world, const kini_thing *thing, kin_vec *lo, kin_vec *hi)
{
    const kini_grid *grid = kini_is_tiles(thing) ? kini_grid_of(world, thing) : NULL;
    *lo = grid ? kini_vec_zero() : kini_mesh_of(world, thing)->lo;
    *hi = grid ? kini_cell_corner(grid, grid->size, 0) : kini_mesh_of(world, thing)->hi;
}

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

static kini_web kini_web_of(const kin_world *world, const kini_mesh *mesh)
{
    kini_web web;
    web.points = world->mesh_points.at + mesh->points;
    web.corners = world->mesh_corners.at + mesh->corners;
    web.faces = world->mesh_faces.at + mesh->corners / KINI_DIM;
    return web;
}

static kini_web kini_web_at(const kin_world *world, uint32_t slot)
{
    return kini_web_of(world, kini_mesh_of(world, &world->things.at[slot]));
}

KINI_PART bool kini_is_inner(const kin_world *world, const kini_piece *piece, kin_vec normal)
{
    kini_web web = kini_web_at(world, piece->slot);
    return kini_is_inner_edge(&web, piece->part, kini_unrotate(piece->turn, normal));
}

/* ---- adding ------------------------------------------------------------------------------------------------------ */

/* Is it wider than rounding? */
static bool kini_has_extent(const kini_web *web, int32_t face)
{
    kin_vec points[KINI_DIM], lo, hi;
    float   thin;
    kini_web_face(web, face, points);
    kini_points_box(points, KINI_DIM, &lo, &hi);
    thin = kini_greater(kini_len2(kini_sub(hi, lo)) * KINI_FACE_THIN2, KINI_SMALLEST_SHAPE * KINI_SMALLEST_SHAPE);
    return kini_face_width2(points) > thin;
}

static void kini_face_box(const void *context, int32_t face, kin_vec *lo, kin_vec *hi)
{
    kin_vec points[KINI_DIM];
    kini_web_face((const kini_web *)context, face, points);
    kini_points_box(points, KINI_DIM, lo, hi);
}

/* Lists the faces that have an extent behind those of other meshes, and finds the box around them. */
static void kini_list_faces(kin_world *world, kini_mesh *mesh, const kini_web *web)
{
    kin_vec lo, hi;
    int32_t face;
    mesh->leaves = world->mesh_leaves.count;
    mesh->leaf_count = 0;
    for (face = 0; face < mesh->face_count; face++) {
        if (!kini_has_extent(web, face)) continue;
        kini_face_box(web, face, &lo, &hi);
        mesh->lo = mesh->leaf_count > 0 ? kini_lower(mesh->lo, lo) : lo;
        mesh->hi = mesh->leaf_count > 0 ? kini_upper(mesh->hi, hi) : hi;
        world->mesh_leaves.at[mesh->leaves + mesh->leaf_count++].item = face;
    }
}

static void kini_grow_tree(kin_world *world, kini_mesh *mesh)
{
    kini_web  web = kini_web_of(world, mesh);
    kini_tree tree;
    mesh->nodes = world->mesh_nodes.count;
    mesh->node_count = 0;
    tree = kini_mesh_tree(world, mesh);
    tree.nodes.capacity = world->mesh_nodes.capacity - mesh->nodes;
    kini_tree_build(&tree, kini_face_box, &web);
    mesh->node_count = tree.nodes.count;
    world->mesh_nodes.count += mesh->node_count;
    world->mesh_leaves.count += mesh->leaf_count;
    world->mesh_faces.count = world->mesh_corners.count / KINI_DIM;
    kini_weld(&web, &tree);
}

KINI_PART void kini_rebuild_trees(kin_world *world)
{
    int32_t i;
    world->mesh_nodes.count = world->mesh_leaves.count = 0;
    for (i = 0; i < world->meshes.count; i++) {
        kini_mesh *mesh = &world->meshes.at[i];
        kini_web   web = kini_web_of(world, mesh);
        if (mesh->slot == 0) continue;
        kini_list_faces(world, mesh, &web);
        kini_grow_tree(world, mesh);
    }
}

#ifndef KINEMATIC_NO_MESH
static bool kini_check_mesh(const kin_world *world, const char *call, const kin_mesh_desc *desc)
{
    int i;
    if (!kini_check_pointer(world, call, "points", desc->points)) return false;
    if (!kini_check_pointer(world, call, "indices", desc->indices)) return false;
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

static void kini_fill_mesh(kin_world *world, kini_mesh *mesh, const kin_mesh_desc *desc)
{
    int32_t i;
    mesh->points = world->mesh_points.count;
    mesh->point_count = desc->point_count;
    mesh->corners = world->mesh_corners.count;
    mesh->key = kini_mesh_key(desc);
    world->mesh_points.count += desc->point_count;
    world->mesh_corners.count += desc->index_count;
    for (i = 0; i < desc->point_count; i++) world->mesh_points.at[mesh->points + i] = desc->points[i];
    for (i = 0; i < desc->index_count; i++) world->mesh_corners.at[mesh->corners + i] = desc->indices[i];
}

KIN_API kin_id kin_add_mesh(kin_world *world, const kin_mesh_desc *desc)
{
    const char *call = "kin_add_mesh";
    kini_entry  entry;
    kini_mesh   mesh;
    kini_web    web;
    kini_counts counts;
    int32_t     row = 0;
    kin_id      id;
    if (!kini_check_world(world, call) || !kini_check_pointer(world, call, "desc", desc)) return kini_nobody();
    if (!kini_check_mesh(world, call, desc)) return kini_nobody();
    if (!kini_check_finite(world, call, "surface_velocity", desc->surface_velocity)) return kini_nobody();
    if (!kini_check_entry(world, call, kini_pose(desc->position, desc->rotation), desc->layer, desc->mask, desc->user,
                          &entry) || !kini_check_attach(world, call, desc->attach, &entry)) return kini_nobody();
    kini_set_flag(&entry.thing, KINI_SENSOR, desc->sensor);
    kini_set_flag(&entry.thing, KINI_ONE_WAY, desc->one_sided);
    kini_set_flag(&entry.thing, KINI_CONVEYOR, !kini_is_zero(desc->surface_velocity));
    while (row < world->meshes.count && world->meshes.at[row].slot != 0) row++;
    counts = kini_counts_now(world, NULL);
    counts.rows[KINI_SAVES_MESHES] += row == world->meshes.count;
    counts.rows[KINI_SAVES_POINTS] += desc->point_count;
    counts.rows[KINI_SAVES_CORNERS] += desc->index_count;
    if (!kini_check_room(world, call, &counts)) return kini_nobody();
    kini_clear(&mesh, sizeof mesh);
    kini_clear(&web, sizeof web);
    mesh.face_count = desc->index_count / KINI_DIM;
    web.points = desc->points;
    web.corners = desc->indices;
    kini_list_faces(world, &mesh, &web);
    if (mesh.leaf_count == 0) {
        kini_refuse(world, call, "indices", "name no face that has an extent");
        return kini_nobody();
    }
    entry.thing.form = KINI_FORM_MESH;
    mesh.slot = kini_enter_level(world, call, &entry, mesh.lo, mesh.hi, row);
    if (!mesh.slot) return kini_nobody();
    if (row == world->meshes.count) world->meshes.count++;
    kini_fill_mesh(world, &mesh, desc);
    kini_grow_tree(world, &mesh);
    world->meshes.at[row] = mesh;
    row = world->things.at[mesh.slot].row;
    world->statics.at[row].surface.velocity = kini_limit_speed(world, desc->surface_velocity);
    id = kini_id_of(world, mesh.slot);
    if (mesh.face_count > mesh.leaf_count)   /* said last: on_log may add and remove, this mesh too */
        kini_refuse_number(world, call, "indices", "name faces without extent; so many are left out:",
                           (float)(mesh.face_count - mesh.leaf_count));
    return id;
}
#endif

/* ---- giving back ------------------------------------------------------------------------------------------------- */

static void kini_forget_mesh(kin_world *world, int32_t row)
{
    kini_mesh gone = world->meshes.at[row];
    int32_t   i, corners = gone.face_count * KINI_DIM;
    kini_cut_rows(&world->mesh_points, sizeof *world->mesh_points.at, gone.points, gone.point_count);
    kini_cut_rows(&world->mesh_corners, sizeof *world->mesh_corners.at, gone.corners, corners);
    kini_cut_rows(&world->mesh_faces, sizeof *world->mesh_faces.at, gone.corners / KINI_DIM, gone.face_count);
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
    if (kini_is_tiles(thing)) kini_forget_grid(world, level);
    else kini_forget_mesh(world, level);
}

/* ---- faces ------------------------------------------------------------------------------------------------------- */

/* A face along the world's axes, relative to `origin`. */
typedef struct kini_placed {
    kin_vec   points[KINI_DIM];
    kini_face face;
} kini_placed;

static void kini_place_face(const kini_web *web, const kini_frame *frame, int32_t number, kin_vec origin,
                            kini_placed *out)
{
    const int32_t *corners = web->corners + number * KINI_DIM;
    int            i;
    for (i = 0; i < KINI_DIM; i++) out->points[i] = kini_frame_point(frame, web->points[corners[i]], origin);
    out->face = web->faces[number];
    if (!frame->turned) return;
    out->face.normal = kini_rotate(frame->at.q, out->face.normal);
    for (i = 0; i < KINI_DIM; i++) out->face.sides[i] = kini_rotate(frame->at.q, out->face.sides[i]);
}

/* A segment along an axis is a flat box. */
static kini_solid kini_face_solid(const kini_placed *at)
{
    kini_solid solid;
    kin_vec    lo, hi;
    kini_clear(&solid, sizeof solid);
    kini_points_box(at->points, KINI_DIM, &lo, &hi);
    solid.centre = kini_scale(kini_add(lo, hi), 0.5f);
    solid.half = kini_scale(kini_sub(hi, lo), 0.5f);
    solid.points = at->points;
    solid.count = KINI_DIM == 3 || kini_smallest(solid.half) > 0 ? KINI_DIM : 0;
    solid.sides = at->face.sides;
    if (at->face.lean > 0) solid.face = at->face.normal;
    return solid;
}

/* Is a body, its core in this box, beside the plane, or beyond a side by more than a normal that counts leans? Only
   what is near the plane can touch: with the side leant by its slope, the height of the box says nothing. */
static bool kini_face_misses(const kini_placed *at, kin_vec middle, kin_vec half, float radius)
{
    kin_vec n = at->face.normal, off = kini_sub(middle, at->points[0]);
    float   beyond, slope, rise, room;
    kin_vec side;
    int     i, axis = 0;
    if (kini_abs(kini_dot(n, off)) > 1.0001f * (kini_dot(kini_magnitudes(n), half) + radius)) return true;
    for (i = 1; i < KINI_DIM; i++) if (kini_at(half, i) > kini_at(half, axis)) axis = i;
    rise = kini_at(n, axis);
    for (i = 0; i < KINI_DIM && at->face.lean > 0; i++) {
        off = kini_sub(middle, at->points[i]);
        room = at->face.lean * radius + KINI_FAR_ULPS * kini_ulp(kini_largest(kini_magnitudes(off)));
        side = at->face.sides[i];
        if (kini_dot(side, off) - kini_dot(kini_magnitudes(side), half) > room) return true;
        if (kini_abs(rise) < 0.1f) continue;
        slope = kini_at(side, axis) / rise;
        side = kini_madd(side, n, -slope);
        beyond = kini_dot(side, off) - kini_dot(kini_magnitudes(side), half) - kini_abs(slope) * radius;
        if (beyond > room) return true;
    }
    return false;
}

/* The core of the body is in the box `half` around `middle`. */
static void kini_emit_face(kin_world *world, kini_near *near, const kini_frame *frame, const kini_web *web,
                           int32_t face, kin_vec middle, kin_vec half)
{
    uint32_t    flags = (uint32_t)(world->things.at[frame->slot].flags & (KINI_SENSOR | KINI_ONE_WAY));
    kini_placed placed;
    kini_piece *piece;
    kini_solid  solid;
    kin_vec     local;
    bool        turned;
    kini_place_face(web, frame, face, near->origin, &placed);
    if (!frame->moves && kini_face_misses(&placed, middle, half, near->solid.radius)) return;
    piece = kini_piece_begin(world, near, frame, flags);
    solid = kini_face_solid(&placed);
    kini_obstacle_make(&piece->obstacle, &world->sums.at[near->count], &solid,
                       kini_pose(kini_vec_zero(), kini_unturned()), &near->solid, near->turn);
    piece->part = face;
    piece->face = placed.face.normal;
    if (flags & KINI_ONE_WAY) piece->one_way = piece->face;
    turned = !kini_is_unturned(near->turn);
    middle = turned ? kini_rotate(near->turn, near->solid.centre) : near->solid.centre;
    local = turned ? kini_unrotate(near->turn, piece->face) : piece->face;
    piece->level = kini_dot(piece->face, kini_sub(placed.points[0], middle));
    piece->reach = kini_dot(kini_magnitudes(local), near->solid.half) + near->solid.radius;
    kini_piece_end(world, near, frame, piece);
}

/* Faces near a box are wanted in ascending order; the list serves all batches. */
KINI_PART bool kini_emit_mesh(kin_world *world, kini_near *near, const kini_frame *frame)
{
    kini_tree      tree = kini_mesh_tree(world, kini_mesh_of(world, &world->things.at[frame->slot]));
    const int32_t *faces = world->faces.at;
    kin_vec        middle = kini_sub(kini_scale(kini_add(near->lo, near->hi), 0.5f), near->origin), lo, hi;
    kin_vec        half = kini_sub(kini_scale(kini_sub(near->hi, near->lo), 0.5f), kini_all(near->solid.radius));
    kini_web       web = kini_web_at(world, frame->slot);
    int            i;
    half = kini_upper(half, kini_vec_zero());
    kini_near_box(world, near, frame, &lo, &hi);
    if (world->faces_of != frame->slot || !kini_is_zero(kini_sub(world->faces_lo, lo)) ||
        !kini_is_zero(kini_sub(world->faces_hi, hi))) {
        world->faces.count = kini_tree_collect(&tree, lo, hi, world->faces.at, world->faces.capacity);
        world->faces_of = frame->slot;
        world->faces_lo = lo;
        world->faces_hi = hi;
    }
    for (i = 0; i < world->faces.count && faces[i] < near->part_cursor;) i++;
    for (; i < world->faces.count && near->count < KINI_MAX_NEAR; i++)
        kini_emit_face(world, near, frame, &web, faces[i], middle, half);
    if (i < world->faces.count) near->part_cursor = faces[i];
    return i == world->faces.count;
}

KINI_PART kin_vec kini_mesh_touch(const kin_world *world, uint32_t slot, int32_t part, const kini_solid *body,
                                  kin_pose at, kin_vec normal)
{
    kini_frame  frame = kini_frame_still(world, slot);
    kin_vec     half, foot = kini_foot(body, at, normal, &half);
    kini_placed face;
    kini_web    web = kini_web_at(world, slot);
    kini_solid  solid;
    if (part < 0) return foot;   /* in a made-up snapshot */
    kini_place_face(&web, &frame, part, foot, &face);
    solid = kini_face_solid(&face);
    return kini_closest_on(&solid, kini_pose(foot, kini_unturned()), foot, normal);
}

/* ---- questions --------------------------------------------------------------------------------------------------- */

typedef struct kini_mesh_ask { kini_ask *ask; kini_frame frame; } kini_mesh_ask;

static float kini_face_visit(void *context, int32_t face)
{
    kini_mesh_ask *it = (kini_mesh_ask *)context;
    kini_ask      *ask = it->ask;
    kini_web       web = kini_web_at(ask->world, it->frame.slot);
    kini_placed    placed;
    kini_solid     solid;
    kini_piece     piece;
    kini_sum       room;
    kini_place_face(&web, &it->frame, face, ask->at.p, &placed);
    solid = kini_face_solid(&placed);
    kini_obstacle_make(&piece.obstacle, &room, &solid, kini_pose(kini_vec_zero(), kini_unturned()), ask->solid,
                       ask->at.q);
    piece.part = face;
    piece.hidden = 0;
    piece.one_way = placed.face.normal;
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
    kini_web         web = kini_web_of(world, mesh);
    int32_t          i;
    for (i = 0; i < mesh->leaf_count; i++) {
        kini_placed face;
        kini_place_face(&web, &frame, world->mesh_leaves.at[mesh->leaves + i].item, kini_vec_zero(), &face);
        visit(context, face.points);
    }
}

#ifndef KINEMATIC_NO_MESH
KIN_API int kin_get_mesh(const kin_world *world, kin_id mesh, kin_vec *points, int point_capacity, int *point_count,
                         int *indices, int index_capacity)
{
    const char      *call = "kin_get_mesh";
    uint32_t         slot = kini_check_kind(world, call, "mesh", mesh, KIN_STATIC);
    const kini_mesh *row;
    kini_web         web;
    int32_t          i, k, corner = 0;
    if (!slot || !kini_check_list(world, call, points, point_capacity)) return 0;
    if (!kini_check_list(world, call, indices, index_capacity)) return 0;
    if (world->things.at[slot].form != KINI_FORM_MESH) {
        kini_refuse_id(world, call, "mesh", "is not a mesh", mesh);
        return 0;
    }
    row = kini_mesh_of(world, &world->things.at[slot]);
    web = kini_web_of(world, row);
    if (point_count) *point_count = row->point_count;
    for (i = 0; i < row->point_count && i < point_capacity; i++) points[i] = web.points[i];
    for (i = 0; i < row->face_count; i++)
        for (k = 0; k < KINI_DIM && kini_has_extent(&web, i); k++, corner++)
            if (corner < index_capacity) indices[corner] = web.corners[i * KINI_DIM + k];
    return corner / KINI_DIM;
}
#endif
