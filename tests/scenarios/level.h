/* SPDX-License-Identifier: MIT OR Unlicense

   level.h: maps of tiles and meshes for the scenarios, on top of scene.h.

   A map is drawn in text, top row first:

       static const char *const rows[] = { "....#", "#/--#" };
       map m;
       add_map(s, &m, 0, 0, 1, rows, 2);     lower left corner at (0, 0), cells of edge length 1

   In 3D each cell is drawn out to the depth of everything else. A mirrored scenario gets the mirrored map. The scene
   knows every filled cell as a thing of its own with the grid's handle, so that the invariants see them. */
#ifndef LEVEL_H
#define LEVEL_H

#include "scene.h"

enum { MAP_COLUMNS = 64, MAP_ROWS = 32 };

typedef struct map {
    kin_id id, attach;
    double x, y, cell;
    int    columns, rows, layers;
    thing *things[MAP_ROWS][MAP_COLUMNS];   /* by row from below and column from the left, as the scenario sees it */
} map;

/* The meaning of characters: corners of the piece in the unit cell, as the scenario sees it. Values 0 to 3 are built in. */
typedef struct map_tile { char sign, mirror; int value, count; double points[4][2]; } map_tile;

static const map_tile map_tiles[] = {
    { '.', '.', KIN_TILE_EMPTY, 0, { { 0, 0 } } },
    { '#', '#', KIN_TILE_SOLID, 0, { { 0, 0 } } },
    { '-', '-', KIN_TILE_ONE_WAY, 0, { { 0, 0 } } },
    { '~', '~', KIN_TILE_SENSOR, 0, { { 0, 0 } } },
    { '/', '\\', 4, 3, { { 0, 0 }, { 1, 0 }, { 1, 1 } } },                   /* 45 degrees */
    { '\\', '/', 5, 3, { { 0, 0 }, { 1, 0 }, { 0, 1 } } },
    { 'l', 'L', 6, 3, { { 0, 0 }, { 1, 0 }, { 1, 0.5 } } },                  /* gentle: low half, high half, to the right */
    { 'h', 'H', 7, 4, { { 0, 0 }, { 1, 0 }, { 1, 1 }, { 0, 0.5 } } },
    { 'L', 'l', 8, 3, { { 0, 0 }, { 1, 0 }, { 0, 0.5 } } },                  /* ... and to the left */
    { 'H', 'h', 9, 4, { { 0, 0 }, { 1, 0 }, { 1, 0.5 }, { 0, 1 } } },
    { 'v', 'w', 10, 3, { { 0, 1 }, { 1, 1 }, { 1, 0 } } },                   /* ceiling slopes */
    { 'w', 'v', 11, 3, { { 0, 1 }, { 1, 1 }, { 0, 0 } } },
    { '_', '_', 12, 4, { { 0, 0 }, { 1, 0 }, { 1, 0.5 }, { 0, 0.5 } } },     /* half a cell high */
    { '>', '<', 13, 0, { { 0, 0 } } },                                       /* conveyors, 4 units a second */
    { '<', '>', 14, 0, { { 0, 0 } } },
    { 'd', 'b', 15, 3, { { 0, 0 }, { 1, 0 }, { 1, 1 } } },                   /* one-way slopes, outward is up */
    { 'b', 'd', 16, 3, { { 0, 0 }, { 1, 0 }, { 0, 1 } } }
};

static inline const map_tile *map_tile_of(char sign)
{
    size_t i;
    for (i = 0; i < sizeof map_tiles / sizeof *map_tiles; i++)
        if (map_tiles[i].sign == sign) return &map_tiles[i];
    abort();
}

/* The tile that the world gets for a sign of the scenario. */
static inline int map_value(const scene *s, char sign)
{
    const map_tile *tile = map_tile_of(sign);
    return (s->mirror < 0 ? map_tile_of(tile->mirror) : tile)->value;
}

static inline kin_vec map_point(double x, double y, double z)
{
#if KINEMATIC_DIM == 2
    (void)z;
    return kin_v((float)x, (float)y);
#else
    return kin_v((float)x, (float)y, (float)z);
#endif
}

static inline void define_tiles(scene *s, kin_id id)
{
    size_t i;
    int    k, z;
    for (i = 4; i < sizeof map_tiles / sizeof *map_tiles; i++) {
        const map_tile *from = &map_tiles[i];
        kin_tile        tile;
        memset(&tile, 0, sizeof tile);
        for (z = 0; z < KINEMATIC_DIM - 1; z++)
            for (k = 0; k < from->count; k++) tile.points[tile.count++] = map_point(from->points[k][0], from->points[k][1], z);
        if (from->sign == '>' || from->sign == '<') tile.surface_velocity = map_point(from->sign == '>' ? 4 : -4, 0, 0);
        if (from->sign == 'd' || from->sign == 'b') tile.one_way = map_point(0, 1, 0);
        if (!kin_define_tile(s->world, id, (uint8_t)from->value, &tile)) scene_fail(s, "tile not defined: %s", s->log);
    }
}

static inline kin_cell map_cell(const scene *s, const map *m, int column, int row, int layer)
{
    if (s->mirror < 0) column = m->columns - 1 - column;
#if KINEMATIC_DIM == 2
    (void)layer;
    return kin_c(column, row);
#else
    return kin_c(column, row, layer);
#endif
}

/* The scene's own idea of one cell: a solid in the grid's axes. */
static inline thing *note_cell(scene *s, const map *m, char sign, int column, int row)
{
    static const double full[4][2] = { { 0, 0 }, { 1, 0 }, { 1, 1 }, { 0, 1 } };
    const map_tile *tile = map_tile_of(sign);
    const double  (*points)[2] = tile->count ? tile->points : full;
    int             k, z, count = tile->count ? tile->count : 4;
    kin_shape       shape;
    thing          *t;
    memset(&shape, 0, sizeof shape);
    for (z = 0; z < KINEMATIC_DIM - 1; z++)
        for (k = 0; k < count; k++) {
            double x = (column + points[k][0]) * m->cell, y = (row + points[k][1]) * m->cell;
            if (s->mirror < 0) x = m->columns * m->cell - x;
            shape.points[shape.count++] = map_point(x, y, z * m->layers * m->cell);
        }
    t = scene_note(s, m->id, KIN_STATIC, &shape, 0, 0);
    t->sensor = sign == '~';
    t->one_way = sign == '-' || sign == 'd' || sign == 'b';
    t->conveyor = sign == '>' || sign == '<';
    t->attach = m->attach;
    if (m->attach.slot) {
        t->local.p = map_point(s->mirror < 0 ? -m->x - m->columns * m->cell : m->x, m->y, -0.5 * m->layers * m->cell);
        memset(&t->local.q, 0, sizeof t->local.q);
    }
    thing_place(s, t);
    return t;
}

/* Lower left corner at (x, y), of an attached map relative to its mover. */
static inline void add_map_to(scene *s, map *m, double x, double y, double cell, const char *const *rows, int count, kin_id attach)
{
    kin_tiles_desc d;
    uint8_t       *cells;
    int            column, row, layer;
    memset(m, 0, sizeof *m);
    m->x = x; m->y = y; m->cell = cell; m->rows = count; m->attach = attach;
    m->columns = (int)strlen(rows[0]);
    m->layers = KINEMATIC_DIM == 2 ? 1 : (int)(DEPTH / cell + 0.5);
    if (m->columns > MAP_COLUMNS || count > MAP_ROWS) abort();
    cells = (uint8_t *)calloc((size_t)(m->columns * m->rows * m->layers), 1);
    if (!cells) abort();
    for (layer = 0; layer < m->layers; layer++)
        for (row = 0; row < count; row++)
            for (column = 0; column < m->columns; column++)
                cells[map_cell(s, m, column, 0, 0).x + m->columns * (row + count * layer)] = (uint8_t)map_value(s, rows[count - 1 - row][column]);
    memset(&d, 0, sizeof d);
    d.size.x = m->columns;
    d.size.y = m->rows;
#if KINEMATIC_DIM == 3
    d.size.z = m->layers;
#endif
    d.cell = (float)cell;
    d.origin = map_point(s->mirror < 0 ? -x - m->columns * cell : x, y, -0.5 * m->layers * cell);
    d.cells = cells;
    d.attach = attach;
    m->id = kin_add_tiles(s->world, &d);
    free(cells);
    if (!m->id.slot) { scene_fail(s, "could not add: %s", s->log); return; }
    define_tiles(s, m->id);
    for (row = 0; row < count; row++)
        for (column = 0; column < m->columns; column++)
            if (rows[count - 1 - row][column] != '.') m->things[row][column] = note_cell(s, m, rows[count - 1 - row][column], column, row);
}

static inline void add_map(scene *s, map *m, double x, double y, double cell, const char *const *rows, int count)
{
    add_map_to(s, m, x, y, cell, rows, count, nobody());
}

/* A map of one row, so many cells long. */
static inline void add_row(scene *s, map *m, double x, double y, double cell, char sign, int columns)
{
    char        row[MAP_COLUMNS + 1];
    const char *rows = row;
    memset(row, sign, sizeof row);
    row[columns] = 0;
    add_map(s, m, x, y, cell, &rows, 1);
}

/* A map of one column. */
static inline void add_column(scene *s, map *m, double x, double y, double cell, char sign, int count)
{
    char        row[2];
    const char *rows[MAP_ROWS];
    int         i;
    row[0] = sign;
    row[1] = 0;
    for (i = 0; i < count; i++) rows[i] = row;
    add_map(s, m, x, y, cell, rows, count);
}

static inline void set_cell(scene *s, map *m, int column, int row, char sign)
{
    int layer;
    for (layer = 0; layer < m->layers; layer++)
        if (!kin_set_tile(s->world, m->id, map_cell(s, m, column, row, layer), (uint8_t)map_value(s, sign))) scene_fail(s, "tile not set: %s", s->log);
    if (m->things[row][column]) m->things[row][column]->disabled = true;
    m->things[row][column] = sign == '.' ? NULL : note_cell(s, m, sign, column, row);
    scene_stir(s);
}

/* Number of a cell as the world counts them, in the middle layer or the one below that. */
static inline bool is_cell(const scene *s, const map *m, int part, int column, int row)
{
    int layer;
    for (layer = 0; layer < m->layers; layer++)
        if (part == map_cell(s, m, column, 0, 0).x + m->columns * (row + m->rows * layer)) return true;
    return false;
}

/* ---- meshes -------------------------------------------------------------------------------------------------------- */

/* A line of points becomes segments, or in 3D strips of two triangles each, to the depth of everything else. The points
   go from left to right. */
static inline kin_id add_line(scene *s, const double (*points)[2], int count)
{
    kin_mesh_desc d;
    kin_vec       p[64];
    int           indices[256], i, n = 0;
    kin_id        id;
    if (count > 32) abort();
    memset(&d, 0, sizeof d);
    for (i = 0; i < count; i++) {
        p[i] = v3(s, points[i][0], points[i][1], -0.5 * DEPTH);
        p[count + i] = v3(s, points[i][0], points[i][1], 0.5 * DEPTH);
    }
    for (i = 0; i + 1 < count; i++) {
        indices[n++] = i;
        indices[n++] = i + 1;
#if KINEMATIC_DIM == 3
        indices[n++] = count + i;
        indices[n++] = count + i;
        indices[n++] = i + 1;
        indices[n++] = count + i + 1;
#endif
    }
    d.points = p;
    d.point_count = KINEMATIC_DIM == 2 ? count : 2 * count;
    d.indices = indices;
    d.index_count = n;
    id = kin_add_mesh(s->world, &d);
    for (i = 0; i < n; i += KINEMATIC_DIM) {
        kin_shape face;
        int       k;
        memset(&face, 0, sizeof face);
        for (k = 0; k < KINEMATIC_DIM; k++) face.points[face.count++] = p[indices[i + k]];
        thing_place(s, scene_note(s, id, KIN_STATIC, &face, 0, 0));
    }
    return id;
}

#endif
