/* SPDX-License-Identifier: MIT OR Unlicense

   cells.c: the cells of a grid near a body: convex pieces, contacts and casts.

   Filled cells that mean the same are joined into boxes: as long as possible along x, then as many rows along the last
   axis as are alike. Which of them is touched is found from the body's place. Others, and sensors, are a piece each. */
#include "things.h"

enum { KINI_LAST_AXIS = KINI_DIM - 1 };
enum { KINI_WIDE_FOOT = 16 };   /* cells from its middle within which the one that a body touches is searched for */

/* The cells of a grid that a box meets. */
typedef struct kini_patch {
    const kin_world  *world;
    const kini_grid  *grid;
    const kini_frame *frame;
    kin_cell          lo, hi;   /* first and last one along each axis */
    bool              apart;    /* none are joined */
} kini_patch;

/* Cells that make one piece. */
typedef struct kini_run {
    kin_cell         lo, hi;
    const kini_tile *tile;
} kini_run;

/* ---- cells in a box ---------------------------------------------------------------------------------------------- */

static kini_patch kini_patch_whole(const kin_world *world, const kini_frame *frame)
{
    kini_patch patch;
    patch.world = world;
    patch.grid = kini_grid_of(world, &world->things.at[frame->slot]);
    patch.frame = frame;
    patch.apart = false;
    patch.lo = patch.hi = patch.grid->size;
    return patch;
}

/* Those of them that a box in the grid's own axes meets; false if there are none. */
static bool kini_patch_clip(kini_patch *patch, kin_vec lo, kin_vec hi)
{
    const kini_grid *grid = patch->grid;
    int              axis;
    for (axis = 0; axis < KINI_DIM; axis++) {
        int   most = kini_cell_at(grid->size, axis) - 1, last = most;
        float from = kini_at(lo, axis) / grid->cell, to = kini_at(hi, axis) / grid->cell;
        if (!(to >= 0) || !(from <= (float)most + 1)) return false;
        if (to < (float)most) last = (int)to;
        from = kini_clamp(from, 0, (float)most);
        patch->lo = kini_cell_with(patch->lo, axis, (int)from);
        patch->hi = kini_cell_with(patch->hi, axis, last);
    }
    return true;
}

/* The cell after this one in lo..hi, x fastest; false after the last. */
KINI_PART bool kini_next_cell(kin_cell *cell, kin_cell lo, kin_cell hi)
{
    int axis;
    for (axis = 0; axis < KINI_DIM; axis++) {
        if (kini_cell_at(*cell, axis) < kini_cell_at(hi, axis)) {
            *cell = kini_cell_with(*cell, axis, kini_cell_at(*cell, axis) + 1);
            return true;
        }
        *cell = kini_cell_with(*cell, axis, kini_cell_at(lo, axis));
    }
    return false;
}

static kin_cell kini_beside(kin_cell cell, int axis, int by)
{
    return kini_cell_with(cell, axis, kini_cell_at(cell, axis) + by);
}

/* ---- joining ----------------------------------------------------------------------------------------------------- */

/* The outward direction of a one-way tile: the grid's axis nearest to up; of equal ones, or without up, y. */
KINI_PART kin_vec kini_tile_outward(const kin_world *world, const kini_tile *tile, kin_rot turn)
{
    kin_vec up = kini_unrotate(turn, world->up), size = kini_magnitudes(up);
    int     axis, best = 1;
    if (!(tile->flags & KINI_TILE_UP)) return tile->one_way;
    for (axis = 0; axis < KINI_DIM; axis++)
        if (kini_at(size, axis) > kini_at(size, best)) best = axis;
    return kini_with(kini_vec_zero(), best, kini_at(up, best) < 0 ? -1.0f : 1.0f);
}

/* May a cell of the patch and its neighbour along this axis be one piece? One-way tiles above each other are two. */
static bool kini_joins(const kini_patch *patch, const kini_tile *a, kin_cell cell, int axis)
{
    const kini_tile *b = kini_inner_tile(patch->world, patch->grid, cell);
    if (!b || a->shape >= 0 || b->shape >= 0 || (a->flags & KINI_SENSOR)) return false;
    if (a->flags == KINI_TILE_FILLED && b->flags == KINI_TILE_FILLED) return true;
    if (a != b) return false;
    return !(a->flags & KINI_ONE_WAY) ||
           !(kini_abs(kini_at(kini_tile_outward(patch->world, a, patch->frame->at.q), axis)) > KINI_NEGLIGIBLE);
}

/* The end, up to `last`, of the equal cells along x that begin with this one. */
static int kini_equal_until(const kini_patch *patch, kin_cell cell, int last)
{
    const uint8_t *at = &patch->world->cells.at[patch->grid->cells + kini_cell_number(patch->grid, cell)], *end = at;
    for (last -= cell.x; last > 0 && end[1] == *at; last--) end++;
    return cell.x + (int)(end - at);
}

/* Does row `row` along the last axis join the same cells? */
static bool kini_row_is_alike(const kini_patch *patch, const kini_run *run, int row)
{
    kin_cell cell = kini_cell_with(run->lo, KINI_LAST_AXIS, row);
    for (; cell.x <= run->hi.x; cell.x = kini_equal_until(patch, cell, run->hi.x) + 1)
        if (!kini_joins(patch, run->tile, cell, KINI_LAST_AXIS)) return false;
    cell.x = run->lo.x - 1;
    if (cell.x >= patch->lo.x && kini_joins(patch, run->tile, cell, 0)) return false;
    cell.x = run->hi.x + 1;
    return cell.x > patch->hi.x || !kini_joins(patch, run->tile, cell, 0);
}

/* Makes the run as large as possible; false if it is part of one that began in an earlier row. */
static bool kini_join_run(const kini_patch *patch, kini_run *run)
{
    int row = kini_cell_at(run->lo, KINI_LAST_AXIS);
    while (run->hi.x < patch->hi.x && kini_joins(patch, run->tile, kini_beside(run->hi, 0, 1), 0))
        run->hi.x = kini_equal_until(patch, kini_beside(run->hi, 0, 1), patch->hi.x);
    if (row > kini_cell_at(patch->lo, KINI_LAST_AXIS) && kini_row_is_alike(patch, run, row - 1)) return false;
    while (row < kini_cell_at(patch->hi, KINI_LAST_AXIS) && kini_row_is_alike(patch, run, row + 1)) row++;
    run->hi = kini_cell_with(run->hi, KINI_LAST_AXIS, row);
    return true;
}

/* Cell number `number` of the patch; false if it has fewer. */
static bool kini_patch_cell(const kini_patch *patch, int number, kin_cell *cell)
{
    int axis;
    *cell = patch->lo;
    for (axis = 0; axis < KINI_DIM; axis++) {
        int length = kini_cell_at(patch->hi, axis) - kini_cell_at(patch->lo, axis) + 1;
        *cell = kini_beside(*cell, axis, number % length);
        number /= length;
    }
    return number == 0;
}

/* The next run from cell number *cursor of the patch on. */
static bool kini_next_run(const kini_patch *patch, int *cursor, kini_run *run)
{
    kin_cell cell;
    bool     more = kini_patch_cell(patch, *cursor, &cell);
    for (; more; (*cursor)++, more = kini_next_cell(&cell, patch->lo, patch->hi)) {
        bool fresh;
        run->tile = kini_inner_tile(patch->world, patch->grid, cell);
        if (!run->tile) continue;
        run->lo = run->hi = cell;
        fresh = run->tile->shape >= 0 || patch->apart || kini_join_run(patch, run);
        *cursor += run->hi.x - cell.x;
        cell.x = run->hi.x;
        if (!fresh) continue;
        (*cursor)++;
        return true;
    }
    return false;
}

/* ---- sides that neighbours hide ---------------------------------------------------------------------------------- */

static int kini_side_corners(const kini_patch *patch, const kini_tile *tile, int side, kin_vec *out)
{
    kini_solid solid = kini_stored_solid(patch->world, tile->shape);
    float      least = 0.5f * patch->grid->cell * (1 - KINI_SAME_CORNER);
    int        i, kept = 0, count = kini_solid_corners(&solid, kini_unturned(), out);
    for (i = 0; i < count; i++)
        if (kini_at(out[i], side / 2) * (side & 1 ? 1.0f : -1.0f) > least) out[kept++] = out[i];
    return kept;
}

/* Does the neighbour's face, a rectangle along the axes or equal, cover the tile's? Both are smaller than the side. */
static bool kini_face_within(const kini_patch *patch, const kini_tile *tile, const kini_tile *other, int side)
{
    kin_vec mine[KIN_MAX_POINTS], theirs[KIN_MAX_POINTS], lo, hi;
    float   slack = KINI_SAME_CORNER * patch->grid->cell;
    int     i, k, axis = side / 2, count = kini_side_corners(patch, tile, side, mine);
    int     others = kini_side_corners(patch, other, side ^ 1, theirs);
    bool    within = others >= KINI_MAX_CORNERS / 2, equal = true;
    kini_points_box(theirs, others, &lo, &hi);
    for (i = 0; i < others; i++)
        for (k = 0; k < KINI_DIM; k++) {
            float p = kini_at(theirs[i], k);
            if (k != axis && p > kini_at(lo, k) + slack && p < kini_at(hi, k) - slack) within = false;
        }
    for (i = 0; i < count; i++) {
        kin_vec off = kini_upper(kini_sub(lo, mine[i]), kini_sub(mine[i], hi));
        bool    shared = false;
        for (k = 0; k < others; k++)
            shared |= kini_largest(kini_magnitudes(kini_with(kini_sub(theirs[k], mine[i]), axis, 0))) <= slack;
        if (kini_largest(kini_with(off, axis, 0)) > slack) within = false;
        equal &= shared;
    }
    return within || equal;
}

static bool kini_hides(const kini_patch *patch, const kini_tile *tile, const kini_tile *other, int side)
{
    if (!other || (other->flags & (KINI_SENSOR | KINI_ONE_WAY))) return false;
    if (other->covers >> (side ^ 1) & 1) return true;
    if (tile->shape < 0 || !(other->faces >> (side ^ 1) & 1)) return false;
    return kini_face_within(patch, tile, other, side);
}

static uint32_t kini_hidden_sides(const kini_patch *patch, const kini_run *run)
{
    uint32_t hidden = 0;
    int      side;
    if (run->tile->flags & (KINI_SENSOR | KINI_ONE_WAY)) return 0;
    for (side = 0; side < KINI_SIDES; side++) {
        int      axis = side / 2, end = kini_cell_at(side & 1 ? run->hi : run->lo, axis), by = side & 1 ? 1 : -1;
        kin_cell lo = kini_cell_with(run->lo, axis, end), hi = kini_cell_with(run->hi, axis, end), cell = lo;
        bool     all = (run->tile->faces >> side & 1) != 0, more = all;
        for (; all && more; more = kini_next_cell(&cell, lo, hi))
            all = kini_hides(patch, run->tile, kini_grid_tile(patch->world, patch->grid, kini_beside(cell, axis, by)),
                             side);
        if (all) hidden |= 1u << side;
    }
    return hidden;
}

/* ---- pieces ------------------------------------------------------------------------------------------------------ */

/* The solid of a run, and its place relative to `origin`. */
static kini_solid kini_run_solid(const kini_patch *patch, const kini_run *run, kin_vec origin, kin_pose *at)
{
    const kini_frame *frame = patch->frame;
    kini_solid        solid;
    kin_vec           lo = kini_cell_corner(patch->grid, run->lo, 0), hi = kini_cell_corner(patch->grid, run->hi, 1);
    at->q = frame->at.q;
    if (run->tile->shape >= 0) {
        at->p = kini_frame_point(frame, kini_cell_corner(patch->grid, run->lo, 0.5f), origin);
        return kini_stored_solid(patch->world, run->tile->shape);
    }
    kini_clear(&solid, sizeof solid);
    if (frame->turned) {
        at->p = kini_frame_point(frame, kini_scale(kini_add(lo, hi), 0.5f), origin);
    } else {
        lo = kini_frame_point(frame, lo, origin);
        hi = kini_frame_point(frame, hi, origin);
        at->p = kini_scale(kini_add(lo, hi), 0.5f);
    }
    solid.half = kini_scale(kini_sub(hi, lo), 0.5f);
    return solid;
}

/* The piece of a run, grown by the body's solid, relative to the body's place; `solid` and `room` hold its data. */
static void kini_run_piece(const kini_patch *patch, const kini_run *run, const kini_solid *body, kin_pose body_at,
                           uint32_t hidden, kini_solid *solid, kini_sum *room, kini_piece *piece)
{
    kin_pose at;
    *solid = kini_run_solid(patch, run, body_at.p, &at);
    kini_obstacle_make(&piece->obstacle, room, solid, at, body, body_at.q);
    piece->part = kini_cell_number(patch->grid, run->lo);
    piece->turn = at.q;
    piece->hidden = hidden;
    if (run->tile->flags & KINI_ONE_WAY)
        piece->one_way = kini_outward_face(solid, at.q,
                                           kini_rotate(at.q, kini_tile_outward(patch->world, run->tile, at.q)));
}

KINI_PART bool kini_emit_tiles(kin_world *world, kini_near *near, const kini_frame *frame)
{
    kini_patch patch = kini_patch_whole(world, frame);
    kini_run   run;
    kin_vec    lo, hi;
    kini_near_box(world, near, frame, &lo, &hi);
    if (!kini_patch_clip(&patch, lo, hi)) return true;
    while (near->count < KINI_MAX_NEAR) {
        kini_piece *piece;
        if (!kini_next_run(&patch, &near->part_cursor, &run)) return true;
        piece = kini_piece_begin(world, near, frame, run.tile->flags & (KINI_SENSOR | KINI_ONE_WAY));
        kini_run_piece(&patch, &run, &near->solid, kini_pose(near->origin, near->turn), kini_hidden_sides(&patch, &run),
                       &world->solids.at[near->count], &world->sums.at[near->count], piece);
        kini_piece_end(world, near, frame, piece);
    }
    return false;
}

/* ---- which cell is touched --------------------------------------------------------------------------------------- */

/* Of the cells joined with this part that are under the body's foot, which may be thousands, the one nearest to the
   foot's middle. */
KINI_PART int32_t kini_tiles_part(const kin_world *world, uint32_t slot, int32_t part, const kini_solid *body,
                                  kin_pose at, kin_vec normal)
{
    const kini_tile *tile = kini_tile_of(world, &world->things.at[slot], part);
    kini_frame       frame = kini_frame_still(world, slot);
    kini_patch       patch = kini_patch_whole(world, &frame);
    kin_vec          half, foot, near, lo, hi, wide = kini_all((float)KINI_WIDE_FOOT * patch.grid->cell);
    kin_cell         cell, best = kini_numbered_cell(patch.grid, part);
    float            least = KINI_FLT_MAX;
    if (!tile || tile->shape >= 0 || (tile->flags & KINI_SENSOR)) return part;
    foot = kini_foot(body, at, normal, &half);
    foot = kini_madd(foot, normal, -kini_lesser(0.5f * patch.grid->cell, 2 * kini_touch_at(world, foot)));
    kini_frame_box(&frame, kini_sub(foot, half), kini_add(foot, half), &lo, &hi);
    foot = kini_scale(kini_add(lo, hi), 0.5f);
    near = kini_lower(kini_upper(foot, kini_vec_zero()), kini_cell_corner(patch.grid, patch.grid->size, 0));
    if (!kini_patch_clip(&patch, kini_upper(lo, kini_sub(near, wide)), kini_lower(hi, kini_add(near, wide))))
        return part;
    cell = patch.lo;
    do {
        kin_vec before = kini_sub(kini_cell_corner(patch.grid, cell, 0), foot);
        kin_vec beyond = kini_sub(foot, kini_cell_corner(patch.grid, cell, 1));
        float   away = kini_len2(kini_upper(kini_upper(before, beyond), kini_vec_zero()));
        if (!(away < least) || !kini_joins(&patch, tile, cell, 0)) continue;
        least = away;
        best = cell;
    } while (kini_next_cell(&cell, patch.lo, patch.hi));
    return kini_cell_number(patch.grid, best);
}

KINI_PART kini_solid kini_cell_solid(const kin_world *world, uint32_t slot, int32_t part, kin_vec origin, kin_pose *at)
{
    kini_frame frame = kini_frame_still(world, slot);
    kini_patch patch = kini_patch_whole(world, &frame);
    kini_run   run;
    run.tile = kini_tile_of(world, &world->things.at[slot], part);
    run.lo = run.hi = kini_numbered_cell(patch.grid, part);
    return kini_run_solid(&patch, &run, origin, at);
}

KINI_PART kin_vec kini_tiles_touch(const kin_world *world, uint32_t slot, int32_t part, const kini_solid *body,
                                   kin_pose at, kin_vec normal)
{
    kini_solid solid;
    kin_vec    half, foot = kini_foot(body, at, normal, &half);
    kin_pose   place;
    if (!kini_tile_of(world, &world->things.at[slot], part)) return foot;
    solid = kini_cell_solid(world, slot, part, foot, &place);
    place.p = kini_add(place.p, foot);
    return kini_closest_on(&solid, place, foot, normal);
}

/* ---- questions --------------------------------------------------------------------------------------------------- */

/* The part of a box's way in which it and a grid of this size can meet, in the grid's axes; false if there is none. */
static bool kini_clip_cast(kin_vec lo, kin_vec hi, kin_vec way, kin_vec size, float *enter, float *leave)
{
    int axis;
    *enter = 0;
    *leave = 1;
    for (axis = 0; axis < KINI_DIM; axis++) {
        float v = kini_at(way, axis), first = -kini_at(hi, axis), last = kini_at(size, axis) - kini_at(lo, axis);
        if (!(kini_abs(v) > 0)) {
            if (first > 0 || last < 0) return false;
            continue;
        }
        *enter = kini_greater(*enter, kini_lesser(first / v, last / v));
        *leave = kini_lesser(*leave, kini_greater(first / v, last / v));
    }
    return *enter <= *leave;
}

static bool kini_is_between(kin_cell cell, kin_cell lo, kin_cell hi)
{
    int axis = 0;
    while (axis < KINI_DIM && kini_cell_at(cell, axis) >= kini_cell_at(lo, axis) &&
           kini_cell_at(cell, axis) <= kini_cell_at(hi, axis)) axis++;
    return axis == KINI_DIM;
}

/* Goes along the travel one cell's length after the other: a long ray looks at few cells, each in at most two steps. */
KINI_PART void kini_ask_tiles(kini_ask *ask, uint32_t slot)
{
    kini_frame frame = kini_frame_still(ask->world, slot);
    kini_patch patch = kini_patch_whole(ask->world, &frame);
    kin_cell   first = patch.lo, last = first;   /* of the patch before */
    kin_vec    lo, hi, way = kini_unrotate(frame.at.q, ask->travel);
    float      enter, leave, cell = patch.grid->cell;
    int        steps, i, cursor;
    kini_ask_box(ask, &lo, &hi);
    kini_frame_box(&frame, lo, hi, &lo, &hi);
    if (!kini_clip_cast(lo, hi, way, kini_cell_corner(patch.grid, patch.grid->size, 0), &enter, &leave)) return;
    steps = 1 + (int)(kini_largest(kini_magnitudes(way)) * (leave - enter) / cell);
    patch.apart = ask->apart;
    for (i = 0; i < steps; i++) {
        float      from = enter + (leave - enter) * (float)i / (float)steps;
        float      to = enter + (leave - enter) * (float)(i + 1) / (float)steps;
        kin_vec    a = kini_scale(way, from), b = kini_scale(way, to), room = kini_all(KINI_NEGLIGIBLE * cell);
        kini_run   run;
        kini_piece piece;
        kini_sum   sum;
        kini_solid stored;
        if (ask->found && ask->hit.t < from) return;
        if (!kini_patch_clip(&patch, kini_sub(kini_add(lo, kini_lower(a, b)), room),
                             kini_add(kini_add(hi, kini_upper(a, b)), room))) continue;
        for (cursor = 0; kini_next_run(&patch, &cursor, &run);) {
            if ((run.tile->flags & ask->skip) || (ask->apart && kini_is_between(run.lo, first, last))) continue;
            kini_clear(&piece, sizeof piece);
            kini_run_piece(&patch, &run, ask->solid, ask->at, ask->sides ? kini_hidden_sides(&patch, &run) : 0,
                           &stored, &sum, &piece);
            kini_ask_piece(ask, &piece, run.tile->flags);
        }
        first = patch.lo;
        last = patch.hi;
    }
}

KINI_PART void kini_tiles_walk(const kin_world *world, uint32_t slot, kini_solid_fn *visit, void *context)
{
    kini_frame frame = kini_frame_still(world, slot);
    kini_patch patch = kini_patch_whole(world, &frame);
    kini_run   run;
    int        cursor = 0;
    kini_patch_clip(&patch, kini_vec_zero(), kini_cell_corner(patch.grid, patch.grid->size, 0));
    while (kini_next_run(&patch, &cursor, &run)) {
        kin_pose   at;
        kini_solid solid = kini_run_solid(&patch, &run, kini_vec_zero(), &at);
        visit(context, &solid, at, run.tile->flags);
    }
}
