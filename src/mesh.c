/* SPDX-License-Identifier: MIT OR Unlicense

   mesh.c: surfaces made of segments (2D) or triangles (3D), called faces here.

   Points, corners, neighbours (weld.c) and a tree over the faces' boxes are blocks in arrays of the world. A face is a
   piece without an inside. Points may be shared, doubled, or lie on the edge of another face. Contacts with an edge
   that another face covers are recognised where they would be noted (surface.c): by neighbours, or by search. */
#include "things.h"

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
    kini_static *fixed;
    kin_id      id;
    if (!kini_check_world(world, call) || !kini_check_pointer(world, call, "desc", desc)) return kini_nobody();
    if (!kini_check_mesh(world, call, desc)) return kini_nobody();
    if (!kini_check_finite(world, call, "surface_velocity", desc->surface_velocity)) return kini_nobody();
    if (!kini_check_entry(world, call, kini_pose(desc->position, desc->rotation), desc->layer, desc->mask, desc->user,
                          &entry) || !kini_check_attach(world, call, desc->attach, &entry)) return kini_nobody();
    kini_set_flag(&entry.thing, KINI_SENSOR, desc->sensor);
    kini_set_flag(&entry.thing, KINI_ONE_WAY, desc->one_sided);
    kini_set_flag(&entry.thing, KINI_CONVEYOR, !kini_is_zero(desc->surface_velocity));
    counts = kini_counts_now(world, NULL);
    kini_count_row(world, &counts, KINI_SAVES_MESHES);
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
    mesh.slot = kini_enter_level(world, call, &entry, mesh.lo, mesh.hi, KINI_SAVES_MESHES);
    if (!mesh.slot) return kini_nobody();
    kini_fill_mesh(world, &mesh, desc);
    kini_grow_tree(world, &mesh);
    fixed = &world->statics.at[world->things.at[mesh.slot].row];
    fixed->surface.velocity = kini_limit_speed(world, desc->surface_velocity);
    world->meshes.at[fixed->level] = mesh;
    id = kini_id_of(world, mesh.slot);
    if (mesh.face_count > mesh.leaf_count)   /* said last: on_log may add and remove, this mesh too */
        kini_refuse_number(world, call, "indices", "name faces without extent; so many are left out:",
                           (float)(mesh.face_count - mesh.leaf_count));
    return id;
}
#endif

/* ---- giving back ------------------------------------------------------------------------------------------------- */

KINI_PART void kini_forget_mesh(kin_world *world, int32_t row)
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
    kini_give_row(world, KINI_SAVES_MESHES, row);
}

/* ---- faces ------------------------------------------------------------------------------------------------------- */

/* A face along the world's axes, relative to `origin`, and the solid that it is. */
typedef struct kini_placed {
    kin_vec    points[KINI_DIM], normal, sides[KINI_DIM];
    kini_solid solid;
} kini_placed;

static void kini_place_face(const kini_web *web, const kini_frame *frame, int32_t number, kin_vec origin,
                            kini_placed *out)
{
    const kini_face *face = &web->faces[number];
    const int32_t   *corners = web->corners + number * KINI_DIM;
    kin_vec          lo, hi;
    int              i;
    for (i = 0; i < KINI_DIM; i++) out->points[i] = kini_frame_point(frame, web->points[corners[i]], origin);
    for (i = 0; i < KINI_DIM && frame->turned; i++) out->sides[i] = kini_rotate(frame->at.q, face->sides[i]);
    out->normal = frame->turned ? kini_rotate(frame->at.q, face->normal) : face->normal;
    out->solid.points = out->points;
    out->solid.count = KINI_DIM;
    out->solid.hull = NULL;
    out->solid.radius = 0;
    out->solid.face = face->lean > 0 ? out->normal : kini_vec_zero();
    out->solid.sides = frame->turned ? out->sides : face->sides;
    if (KINI_DIM == 3) return;
    kini_points_box(out->points, KINI_DIM, &lo, &hi);
    out->solid.centre = kini_scale(kini_add(lo, hi), 0.5f);
    out->solid.half = kini_scale(kini_sub(hi, lo), 0.5f);
    if (!(kini_smallest(out->solid.half) > 0)) out->solid.count = 0;   /* along an axis it is a flat box */
}

/* A body as the faces of a mesh see it. */
typedef struct kini_seen {
    kin_vec middle, half;    /* box around all places of its core, relative to the mesh along the world's axes; */
    float   radius, blur;
    int     tall;            /* ... its longest side */
    kin_vec centre, start;   /* middle of the core, from the body's place; from the mesh, where it is now */
    kin_vec ahead;           /* of kini_near; with the margin of a sweep, and the least way into a plane that counts */
    float   margin, faint;
    bool    turned, placed;
    kini_piece piece;        /* what all of them have in common, if `placed` */
#if KINI_DIM == 3
    kini_sum      core;      /* ... its part of all sums, */
    kini_obstacle box;       /* ... and the box around it */
#endif
} kini_seen;

static void kini_see_body(const kin_world *world, const kini_near *near, const kini_frame *frame, kini_seen *at)
{
    kin_vec far = kini_add(kini_upper(near->hi, kini_neg(near->lo)), kini_magnitudes(frame->at.p)), up;
    int     i;
    at->radius = near->solid.radius;
    at->blur = KINI_FAR_ULPS * kini_ulp(kini_largest(far));
    at->middle = kini_sub(kini_scale(kini_add(near->lo, near->hi), 0.5f), frame->at.p);
    at->half = kini_sub(kini_scale(kini_sub(near->hi, near->lo), 0.5f), kini_all(at->radius));
    at->half = kini_upper(at->half, kini_vec_zero());
    for (at->tall = 0, i = 1; i < KINI_DIM; i++) if (kini_at(at->half, i) > kini_at(at->half, at->tall)) at->tall = i;
    at->turned = !kini_is_unturned(near->turn);
    at->centre = at->turned ? kini_rotate(near->turn, near->solid.centre) : near->solid.centre;
    at->placed = false;
    at->start = at->ahead = kini_vec_zero();
    at->margin = at->faint = 0;
    if (!near->planned) return;
    up = world->bodies.at[world->things.at[near->slot].row].up;
    at->start = kini_sub(kini_add(near->origin, at->centre), frame->at.p);
    at->ahead = kini_scale(kini_unit(kini_across(near->way, up)), near->ahead);
    at->margin = 2 * kini_skin_at(world, near->origin);
    at->faint = 0.5f * KINI_FAINT * kini_largest(kini_magnitudes(near->way));
}

/* How far the core reaches along this direction. */
static inline float kini_core_reach(const kini_near *near, const kini_seen *at, kin_vec n)
{
    return kini_dot(kini_magnitudes(at->turned ? kini_unrotate(near->turn, n) : n), near->solid.half);
}

/* Does the body stay off the plane of a face, as kini_meet_piece would find, on all of its planned motion? */
static inline bool kini_face_is_passed(const kini_face *face, kin_vec n, const kini_near *near, const kini_seen *at)
{
    float off = kini_dot(n, at->start) - face->level, side = off < 0 ? -1.0f : 1.0f;
    float way = side * kini_dot(n, near->way), ahead = side * kini_dot(n, at->ahead);
    float room = side * off - kini_core_reach(near, at, n) - at->radius - 2 * at->blur;
    if (way < -at->faint && !(room + way > at->margin)) return false;
    return room + kini_lesser(way, 0) > 0 && room + way + kini_lesser(ahead, 0) > 0;
}

/* Is the body beside the plane of a face, or beyond a side by more than a normal that counts leans? Only what is near
   the plane can touch: with the side leant by its slope, the height of the box says nothing. */
static inline bool kini_face_misses(const kini_face *face, kin_vec n, const kini_frame *frame, const kini_seen *at)
{
    kin_vec side;
    float   off = kini_dot(n, at->middle) - face->level, room, rise, steep, beyond, slope;
    int     i;
    if (kini_abs(off) > KINI_PLANE_SLACK * (kini_dot(kini_magnitudes(n), at->half) + at->radius) + at->blur)
        return true;
    room = face->lean * at->radius + at->blur;
    rise = kini_at(n, at->tall);
    steep = kini_abs(rise) < KINI_HARDLY ? 0 : 1 / rise;
    for (i = 0; i < KINI_DIM && face->lean > 0; i++) {
        side = frame->turned ? kini_rotate(frame->at.q, face->sides[i]) : face->sides[i];
        beyond = kini_dot(side, at->middle) - face->ends[i] - room;
        if (beyond > kini_dot(kini_magnitudes(side), at->half)) return true;
        slope = kini_at(side, at->tall) * steep;
        beyond -= slope * off + kini_abs(slope) * at->radius;
        if (beyond > kini_dot(kini_magnitudes(kini_madd(side, n, -slope)), at->half)) return true;
    }
    return false;
}

static void kini_emit_face(kin_world *world, kini_near *near, const kini_frame *frame, const kini_web *web,
                           int32_t face, uint32_t flags, kini_seen *at)
{
    kini_placed placed;
    kini_piece *piece = &world->pieces.at[near->count];
    kini_sum   *room = &world->sums.at[near->count];
    bool        flat = KINI_DIM == 3 && near->solid.count == 0 && web->faces[face].lean > 0;
    if (at->placed) *piece = at->piece;
    else at->piece = *kini_piece_begin(world, near, frame, flags);
    kini_place_face(web, frame, face, near->origin, &placed);
#if KINI_DIM == 3
    if (!at->placed) kini_sum_begin(&at->core, &near->solid, near->turn, &at->box);
    if (flat) kini_sum_face(&piece->obstacle, room, &placed.solid, &near->solid, &at->core, &at->box);
#endif
    if (!flat)
        kini_obstacle_make(&piece->obstacle, room, &placed.solid, kini_pose(kini_vec_zero(), kini_unturned()),
                           &near->solid, near->turn);
    at->placed = true;
    piece->part = face;
    piece->face = placed.normal;
    if (flags & KINI_ONE_WAY) piece->one_way = piece->face;
    piece->level = kini_dot(piece->face, kini_sub(placed.points[0], at->centre));
    piece->reach = kini_core_reach(near, at, piece->face) + near->solid.radius;
    if (flags == 0 && !frame->moves) near->count++;
    else kini_piece_end(world, near, frame, piece);
}

/* Faces near a box are wanted in ascending order; the list serves all batches. */
KINI_PART bool kini_emit_mesh(kin_world *world, kini_near *near, const kini_frame *frame)
{
    kini_tree      tree = kini_mesh_tree(world, kini_mesh_of(world, &world->things.at[frame->slot]));
    const int32_t *faces = world->faces.at;
    kini_web       web = kini_web_at(world, frame->slot);
    uint32_t       flags = (uint32_t)(world->things.at[frame->slot].flags & (KINI_SENSOR | KINI_ONE_WAY));
    bool           planned = near->planned && !frame->moves && !(flags & KINI_SENSOR);
    kini_seen      at;
    kin_vec        lo, hi;
    int            i;
    kini_see_body(world, near, frame, &at);
    kini_near_box(world, near, frame, &lo, &hi);
    if (world->faces_of != frame->slot || !kini_is_zero(kini_sub(world->faces_lo, lo)) ||
        !kini_is_zero(kini_sub(world->faces_hi, hi))) {
        world->faces.count = kini_tree_collect(&tree, lo, hi, world->faces.at, world->faces.capacity);
        world->faces_of = frame->slot;
        world->faces_lo = lo;
        world->faces_hi = hi;
    }
    for (i = 0; i < world->faces.count && faces[i] < near->part_cursor;) i++;
    for (; i < world->faces.count && near->count < KINI_MAX_NEAR; i++) {
        const kini_face *face = &web.faces[faces[i]];
        kin_vec          n = frame->turned ? kini_rotate(frame->at.q, face->normal) : face->normal;
        if (planned && kini_face_is_passed(face, n, near, &at)) near->passed = true;
        else if (frame->moves || !kini_face_misses(face, n, frame, &at))
            kini_emit_face(world, near, frame, &web, faces[i], flags, &at);
    }
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
    if (part < 0) return foot;   /* in a made-up snapshot */
    kini_place_face(&web, &frame, part, foot, &face);
    return kini_closest_on(&face.solid, kini_pose(foot, kini_unturned()), foot, normal);
}

/* ---- questions --------------------------------------------------------------------------------------------------- */

typedef struct kini_mesh_ask { kini_ask *ask; kini_frame frame; } kini_mesh_ask;

static float kini_face_visit(void *context, int32_t face)
{
    kini_mesh_ask *it = (kini_mesh_ask *)context;
    kini_ask      *ask = it->ask;
    kini_web       web = kini_web_at(ask->world, it->frame.slot);
    kini_placed    placed;
    kini_piece     piece;
    kini_sum       room;
    kini_place_face(&web, &it->frame, face, ask->at.p, &placed);
    kini_obstacle_make(&piece.obstacle, &room, &placed.solid, kini_pose(kini_vec_zero(), kini_unturned()), ask->solid,
                       ask->at.q);
    piece.part = face;
    piece.hidden = 0;
    piece.one_way = placed.normal;
    kini_ask_piece(ask, &piece, ask->world->things.at[it->frame.slot].flags);
    return ask->found ? ask->hit.t + KINI_SAME_MOMENT : 1;
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
