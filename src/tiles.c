/* SPDX-License-Identifier: MIT OR Unlicense

   tiles.c: grids of cells: how they are kept, made and edited.

   A cell is one byte. Each grid defines once what a value means: a convex piece of the cell, kept as a stored shape,
   with its own one-way direction and conveyor. Nothing is kept about neighbours: hidden sides are looked up when pieces
   are made (cells.c), so an edit writes one byte. */
#include "things.h"

enum { KINI_ALL_SIDES = (1 << KINI_SIDES) - 1, KINI_FIRST_DEFINED = 4 };

/* ---- finding cells ----------------------------------------------------------------------------------------------- */

KINI_PART kini_grid *kini_grid_of(const kin_world *world, const kini_thing *thing)
{
    return &world->grids.at[world->statics.at[thing->row].level];
}

static bool kini_has_cell(const kini_grid *grid, kin_cell cell)
{
    int axis;
    for (axis = 0; axis < KINI_DIM; axis++)
        if (kini_cell_at(cell, axis) < 0 || kini_cell_at(cell, axis) >= kini_cell_at(grid->size, axis)) return false;
    return true;
}

KINI_PART int32_t kini_cell_number(const kini_grid *grid, kin_cell cell)
{
    int32_t number = 0;
    int     axis;
    for (axis = KINI_DIM - 1; axis >= 0; axis--)
        number = number * kini_cell_at(grid->size, axis) + kini_cell_at(cell, axis);
    return number;
}

KINI_PART kin_cell kini_numbered_cell(const kini_grid *grid, int32_t number)
{
    kin_cell cell = grid->size;
    int      axis;
    for (axis = 0; axis < KINI_DIM; axis++) {
        cell = kini_cell_with(cell, axis, number % kini_cell_at(grid->size, axis));
        number /= kini_cell_at(grid->size, axis);
    }
    return cell;
}

KINI_PART const kini_tile *kini_inner_tile(const kin_world *world, const kini_grid *grid, kin_cell cell)
{
    const kini_tile *tile;
    int              value = world->cells.at[grid->cells + kini_cell_number(grid, cell)];
    if (value == KIN_TILE_EMPTY || value >= grid->tile_count) return NULL;
    tile = &world->tiles.at[grid->tiles + value];
    return tile->flags & KINI_TILE_FILLED ? tile : NULL;
}

KINI_PART const kini_tile *kini_grid_tile(const kin_world *world, const kini_grid *grid, kin_cell cell)
{
    return kini_has_cell(grid, cell) ? kini_inner_tile(world, grid, cell) : NULL;
}

KINI_PART const kini_tile *kini_tile_of(const kin_world *world, const kini_thing *thing, int32_t part)
{
    const kini_grid *grid = kini_grid_of(world, thing);
    return part < 0 ? NULL : kini_grid_tile(world, grid, kini_numbered_cell(grid, part));
}

/* ---- adding ------------------------------------------------------------------------------------------------------ */

KINI_PART uint32_t kini_enter_level(kin_world *world, const char *call, kini_entry *entry, kin_vec lo, kin_vec hi,
                                    int section)
{
    kini_thing *thing = &entry->thing;
    uint32_t    slot;
    thing->form = section == KINI_SAVES_GRIDS ? KINI_FORM_TILES : KINI_FORM_MESH;
    kini_core_bounds(kini_scale(kini_add(lo, hi), 0.5f), kini_scale(kini_sub(hi, lo), 0.5f), 0,
                     kini_pose(thing->p, thing->q), &thing->lo, &thing->hi);
    if (!kini_reserve_entry(world, call, entry, NULL)) return 0;
    slot = kini_enter(world, entry);
    world->statics.at[world->things.at[slot].row].level = kini_take_row(world, section, slot);
    return slot;
}

KINI_PART bool kini_check_grid(const kin_world *world, const char *call, kini_grid *grid)
{
    int64_t total = 1;
    int     axis;
    if (!kini_check_number(world, call, "cell", grid->cell, KINI_SMALLEST_SHAPE, KINI_LARGEST_SHAPE, "")) return false;
    for (axis = 0; axis < KINI_DIM; axis++) {
        int    n = kini_cell_at(grid->size, axis);
        double most = (double)kini_lesser(KINI_FURTHEST / grid->cell, (float)(INT32_MAX / total));
        total *= n;
        if (n < 1 || total > INT32_MAX || (float)n * grid->cell > KINI_FURTHEST)
            return kini_refuse_range(world, call, "size", n, 1, most, "");
    }
    grid->cell_count = (int32_t)total;
    return true;
}

#ifndef KINEMATIC_NO_TILES
/* The share of one cell in the key of its grid; empty cells have none. */
static uint64_t kini_cell_key(int32_t number, uint8_t value)
{
    uint64_t key = ((uint64_t)(uint32_t)number << 8 | value) * 0x9E3779B97F4A7C15u;
    return value == KIN_TILE_EMPTY ? 0 : key ^ key >> 29;
}

static void kini_set_builtin(kini_tile *tile, uint16_t flags)
{
    kini_clear(tile, sizeof *tile);
    tile->shape = -1;
    tile->flags = flags;
    tile->faces = tile->covers = KINI_ALL_SIDES;
}

static void kini_fill_grid(kin_world *world, kini_grid *grid, const uint8_t *cells)
{
    uint8_t   *to = world->cells.at + world->cells.count;
    kini_tile *tiles = world->tiles.at + world->tiles.count;
    int32_t    i, count = grid->cell_count;
    grid->cells = world->cells.count;
    grid->tiles = world->tiles.count;
    grid->tile_count = KINI_FIRST_DEFINED;
    world->cells.count += count;
    world->tiles.count += KINI_FIRST_DEFINED;
    kini_clear(to, (size_t)count);
    if (cells) kini_copy(to, cells, (size_t)count);
    for (i = 0; i < count && cells; i++) grid->key += kini_cell_key(i, to[i]);
    kini_set_builtin(&tiles[KIN_TILE_EMPTY], 0);
    kini_set_builtin(&tiles[KIN_TILE_SOLID], KINI_TILE_FILLED);
    kini_set_builtin(&tiles[KIN_TILE_ONE_WAY], KINI_TILE_FILLED | KINI_TILE_UP | KINI_ONE_WAY);
    kini_set_builtin(&tiles[KIN_TILE_SENSOR], KINI_TILE_FILLED | KINI_SENSOR);
}

KIN_API kin_id kin_add_tiles(kin_world *world, const kin_tiles_desc *desc)
{
    kini_entry  entry;
    kini_grid   grid;
    kini_counts counts;
    if (!kini_check_world(world, __func__) || !kini_check_pointer(world, __func__, "desc", desc)) return kini_nobody();
    kini_clear(&grid, sizeof grid);
    grid.size = desc->size;
    grid.cell = desc->cell >= 0 && desc->cell <= 0 ? world->desc.unit : desc->cell;
    if (!kini_check_grid(world, __func__, &grid) ||
        !kini_check_vec(world, __func__, "origin", desc->origin, KINI_FURTHEST) ||
        !kini_check_entry(world, __func__, kini_pose(desc->origin, kini_unturned()), desc->layer, desc->mask,
                          desc->user, &entry) ||
        !kini_check_attach(world, __func__, desc->attach, &entry))
        return kini_nobody();
    counts = kini_counts_now(world, NULL);
    kini_count_row(world, &counts, KINI_SAVES_GRIDS);
    counts.rows[KINI_SAVES_CELLS] += grid.cell_count;
    counts.rows[KINI_SAVES_TILES] += KINI_FIRST_DEFINED;
    if (!kini_check_room(world, __func__, &counts)) return kini_nobody();
    grid.slot = kini_enter_level(world, __func__, &entry, kini_vec_zero(), kini_cell_corner(&grid, grid.size, 0),
                                 KINI_SAVES_GRIDS);
    if (!grid.slot) return kini_nobody();
    kini_fill_grid(world, &grid, desc->cells);
    kini_copy(kini_grid_of(world, &world->things.at[grid.slot]), &grid, sizeof grid);   /* with its chance bytes */
    return kini_id_of(world, grid.slot);
}
#endif

/* ---- giving back ------------------------------------------------------------------------------------------------- */

static void kini_cut_tiles(kin_world *world, int32_t first, int32_t count)
{
    int32_t i;
    kini_cut_rows(&world->tiles, sizeof *world->tiles.at, first, count);
    for (i = 0; i < world->grids.count; i++)
        if (world->grids.at[i].tiles > first) world->grids.at[i].tiles -= count;
}

KINI_PART void kini_forget_grid(kin_world *world, int32_t row)
{
    kini_grid *grid = &world->grids.at[row];
    int32_t    i, first = grid->cells, count = grid->cell_count;
    for (i = grid->tiles; i < grid->tiles + grid->tile_count; i++)
        if (world->tiles.at[i].shape >= 0) kini_give_shape(world, world->tiles.at[i].shape);
    kini_cut_tiles(world, grid->tiles, grid->tile_count);
    kini_cut_rows(&world->cells, sizeof *world->cells.at, first, count);
    for (i = 0; i < world->grids.count; i++)
        if (world->grids.at[i].cells > first) world->grids.at[i].cells -= count;
    kini_give_row(world, KINI_SAVES_GRIDS, row);
}

#ifndef KINEMATIC_NO_TILES

/* ---- defining values --------------------------------------------------------------------------------------------- */

/* On which sides of the cell has the piece a face, and which does it cover from corner to corner? */
static void kini_tile_sides(kini_tile *tile, const kini_solid *solid, float cell)
{
    kin_vec corners[KIN_MAX_POINTS];
    float   least = 0.5f * cell - KINI_ON_SIDE * cell;   /* from the middle: further out is on a side */
    int     i, side, count = kini_solid_corners(solid, kini_unturned(), corners);
    tile->faces = tile->covers = 0;
    for (side = 0; side < KINI_SIDES; side++) {
        int on_side = 0, in_corner = 0;
        for (i = 0; i < count; i++) {
            if (kini_at(corners[i], side / 2) * (side & 1 ? 1.0f : -1.0f) < least) continue;
            on_side++;
            in_corner += kini_smallest(kini_magnitudes(corners[i])) >= least;
        }
        if (on_side >= KINI_DIM) tile->faces |= (uint8_t)(1 << side);
        if (in_corner == KINI_MAX_CORNERS / 2) tile->covers |= (uint8_t)(1 << side);
    }
}

/* The piece of the cell that a tile is, around the cell's middle; false if it is refused. */
static bool kini_check_tile(const kin_world *world, const char *call, const kin_tile *tile, float cell, kini_solid *out,
                            kini_hull *room)
{
    kin_shape shape;
    int       i;
    if (!kini_check_finite(world, call, "one_way", tile->one_way)) return false;
    if (!kini_check_finite(world, call, "surface_velocity", tile->surface_velocity)) return false;
    if (tile->count < 0 || tile->count > 8)
        return kini_refuse_number(world, call, "count", "is not one of 0 to 8", (float)tile->count);
    kini_clear(&shape, sizeof shape);
    shape.count = tile->count;
    for (i = 0; i < tile->count; i++) {
        kin_vec p = tile->points[i];
        if (!kini_check_finite(world, call, "points", p)) return false;
        if (kini_smallest(p) < -KINI_ON_SIDE || kini_largest(p) > 1 + KINI_ON_SIDE)
            return kini_refuse_floats(world, call, "points", "leave the unit cell", &p, KINI_DIM * sizeof p.x,
                                      KINI_FLT_MAX);
        shape.points[i] = kini_scale(kini_sub(p, kini_all(0.5f)), cell);
    }
    return tile->count == 0 || kini_check_shape(world, call, &shape, out, room);
}

/* A grid with more values than before gets a new block behind the others. */
static void kini_extend_tiles(kin_world *world, kini_grid *grid, int32_t wanted)
{
    int32_t    i, first = grid->tiles, old = grid->tile_count;
    kini_tile *from = world->tiles.at + first, *to = world->tiles.at + world->tiles.count;
    if (wanted <= old) return;
    for (i = 0; i < old; i++) to[i] = from[i];
    for (; i < wanted; i++) kini_set_builtin(&to[i], 0);
    grid->tiles = world->tiles.count;
    grid->tile_count = wanted;
    world->tiles.count += wanted;
    kini_cut_tiles(world, first, old);
}

static void kini_set_meaning(kin_world *world, kini_tile *row, const kin_tile *tile, const kini_solid *solid,
                             float cell)
{
    int32_t old = row->shape;
    kini_set_builtin(row, KINI_TILE_FILLED);
    if (tile->sensor) row->flags |= KINI_SENSOR;
    if (!kini_is_zero(tile->one_way)) row->flags |= KINI_ONE_WAY;
    if (!kini_is_zero(tile->surface_velocity)) row->flags |= KINI_CONVEYOR;
    row->one_way = kini_direction(tile->one_way);
    row->surface_velocity = kini_limit_speed(world, tile->surface_velocity);
    if (solid) {
        row->shape = kini_take_shape(world, solid);
        kini_tile_sides(row, solid, cell);
    }
    if (old >= 0) kini_give_shape(world, old);
}

KINI_PART kini_grid *kini_check_tiles(const kin_world *world, const char *call, kin_id tiles)
{
    uint32_t slot = kini_check_kind(world, call, "tiles", tiles, KIN_STATIC);
    if (!slot) return NULL;
    if (world->things.at[slot].form == KINI_FORM_TILES) return kini_grid_of(world, &world->things.at[slot]);
    kini_refuse_id(world, call, "tiles", "is not a grid of tiles", tiles);
    return NULL;
}

KIN_API bool kin_define_tile(kin_world *world, kin_id tiles, uint8_t value, const kin_tile *tile)
{
    kini_grid        *grid = kini_check_tiles(world, __func__, tiles);
    kini_solid        solid;
    const kini_solid *piece = &solid;
    kini_counts       counts;
    kini_hull         room;
    if (!grid || !kini_check_unasked(world, __func__) || !kini_check_pointer(world, __func__, "tile", tile))
        return false;
    if (value < KINI_FIRST_DEFINED) return kini_refuse_number(world, __func__, "value", "is built in", (float)value);
    if (!kini_check_tile(world, __func__, tile, grid->cell, &solid, &room)) return false;
    if (tile->count == 0 || (solid.count == 0 && kini_smallest(solid.half) > (0.5f - KINI_ON_SIDE) * grid->cell))
        piece = NULL;
    counts = kini_counts_now(world, piece);
    if (value >= grid->tile_count) counts.rows[KINI_SAVES_TILES] += value + 1;
    if (!kini_check_room(world, __func__, &counts)) return false;
    kini_disturb(world, tiles.slot);
    kini_extend_tiles(world, grid, value + 1);
    kini_set_meaning(world, &world->tiles.at[grid->tiles + value], tile, piece, grid->cell);
    kini_mark(world, tiles.slot, KINI_RESHAPED);
    if (!kini_is_zero(tile->surface_velocity)) world->things.at[grid->slot].flags |= KINI_CONVEYOR;
    return true;
}

/* ---- cells ------------------------------------------------------------------------------------------------------- */

/* The number of a cell, or -1 if it is refused. */
static int32_t kini_check_cell(const kin_world *world, const char *call, const kini_grid *grid, kin_cell cell)
{
    kin_vec place = kini_cell_vec(cell);
    if (kini_has_cell(grid, cell)) return kini_cell_number(grid, cell);
    kini_refuse_floats(world, call, "cell", "is outside of the grid", &place, KINI_DIM * sizeof place.x, KINI_FLT_MAX);
    return -1;
}

KIN_API uint8_t kin_get_tile(const kin_world *world, kin_id tiles, kin_cell cell)
{
    const kini_grid *grid = kini_check_tiles(world, __func__, tiles);
    int32_t          number = grid ? kini_check_cell(world, __func__, grid, cell) : -1;
    return number < 0 ? (uint8_t)KIN_TILE_EMPTY : world->cells.at[grid->cells + number];
}

static void kini_write_cell(kin_world *world, kini_grid *grid, kin_cell cell, uint8_t value)
{
    int32_t  number = kini_cell_number(grid, cell);
    uint8_t *at = &world->cells.at[grid->cells + number];
    if (*at == value) return;
    kini_disturb_cell(world, grid, cell);
    kini_mark(world, grid->slot, KINI_RESHAPED);
    grid->key += kini_cell_key(number, value) - kini_cell_key(number, *at);
    *at = value;
}

KIN_API bool kin_set_tile(kin_world *world, kin_id tiles, kin_cell cell, uint8_t value)
{
    kini_grid *grid = kini_check_tiles(world, __func__, tiles);
    if (!grid || kini_check_cell(world, __func__, grid, cell) < 0 || !kini_check_unasked(world, __func__)) return false;
    kini_write_cell(world, grid, cell, value);
    return true;
}

KIN_API bool kin_set_tiles_region(kin_world *world, kin_id tiles, kin_cell first, kin_cell size, const uint8_t *values)
{
    kini_grid *grid = kini_check_tiles(world, __func__, tiles);
    kin_cell   last = first, cell = first;
    int        axis;
    if (!grid || !kini_check_pointer(world, __func__, "values", values) || !kini_check_unasked(world, __func__))
        return false;
    if (kini_check_cell(world, __func__, grid, first) < 0) return false;
    for (axis = 0; axis < KINI_DIM; axis++) {
        int n = kini_cell_at(size, axis), room = kini_cell_at(grid->size, axis) - kini_cell_at(first, axis);
        if (n < 1 || n > room) return kini_refuse_range(world, __func__, "size", n, 1, room, "");
        last = kini_cell_with(last, axis, kini_cell_at(first, axis) + n - 1);
    }
    do kini_write_cell(world, grid, cell, *values++);
    while (kini_next_cell(&cell, first, last));
    return true;
}
#endif
