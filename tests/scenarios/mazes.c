/* SPDX-License-Identifier: MIT OR Unlicense

   mazes.c: random worlds of tiles against a slow checker that shares nothing with the library.

   A closed room of random cells: full ones, slopes, half tiles, any convex piece, one-way tiles, sensors, conveyors; in
   one grid or in two side by side, of any cell size, anywhere, some as part of a turned mover. Bodies of all shapes fly
   about in it, up to the highest speed there is. After every step each body is measured against every cell that it may
   touch, must be in the same part of the maze as ever (a flood of small cubes), and may have passed each storey's floor
   of one-way tiles only upwards; N11 and N12 of the catalogue hold (motion.h).

   KIN_SEEDS and KIN_STEPS set how much is tried; a breach names its seed, and KIN_SEED=n plays that one alone. */
#include "scene.h"
#include "seeds.h"

enum {
    EDGE = KINEMATIC_DIM == 2 ? 18 : 10,                   /* cells along each axis, rim included */
    CELLS = KINEMATIC_DIM == 2 ? EDGE * EDGE : EDGE * EDGE * EDGE,
    FINE = KINEMATIC_DIM == 2 ? 8 : 4,                     /* small cubes along a cell, for the flood */
    FINE_EDGE = EDGE * FINE,
    FINE_CELLS = KINEMATIC_DIM == 2 ? FINE_EDGE * FINE_EDGE : FINE_EDGE * FINE_EDGE * FINE_EDGE,
    FIRST = 4, TILES = 40,                                 /* values that mean a piece */
    STOREY = 4,                                            /* rows between two floors of one-way tiles */
    BODIES = 8
};

typedef struct inmate {
    kin_id  id;
    solid   solid;
    placed  place;                                         /* in the grid's axes, from its corner */
    int     home;                                          /* part of the maze; 0: not known yet */
    bool    beyond[EDGE];                                  /* it has been above this row's floor */
} inmate;

typedef struct maze {
    kin_world *world;
    kin_id     grids[2], mover;
    dm         turn;                                       /* of the grid */
    dv         corner;                                     /* in the world */
    double     cell;
    bool       storeys, turned, pushing;                   /* floors of one-way tiles; part of a turned mover; bodies meet */
    uint8_t    cells[CELLS];
    kin_tile   tiles[TILES];                               /* of value FIRST + i */
    solid      pieces[FIRST + TILES];
    bool       blocks[FIRST + TILES];
    int       *part;                                       /* of the maze, by small cube; 0: solid */
    int        stack[FINE_CELLS];
    inmate     inmates[BODIES];
    motion     motion;
    int        steps;
    uint64_t   state;
    char       fault[500];
} maze;

/* ---- dice ------------------------------------------------------------------------------------------------------------ */

static uint32_t roll(maze *m)
{
    m->state = m->state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(m->state >> 33);
}

static int    below(maze *m, int n) { return (int)(roll(m) % (uint32_t)n); }
static bool   chance(maze *m, int percent) { return below(m, 100) < percent; }
static double between(maze *m, double low, double high) { return low + (high - low) * (double)roll(m) / 2147483648.0; }

static kin_vec vec_of(dv v)
{
#if KINEMATIC_DIM == 2
    return kin_v((float)v.x, (float)v.y);
#else
    return kin_v((float)v.x, (float)v.y, (float)v.z);
#endif
}

static dv random_dv(maze *m, double low, double high)
{
    dv v;
    v.x = between(m, low, high);
    v.y = between(m, low, high);
    v.z = KINEMATIC_DIM == 3 ? between(m, low, high) : 0;
    return v;
}

/* ---- tiles --------------------------------------------------------------------------------------------------------- */

static double *coordinate(dv *v, int axis) { return axis == 0 ? &v->x : axis == 1 ? &v->y : &v->z; }

/* The part of the unit cell below a plane through it: its corners, and where its edges are cut. Slopes, halves, ceilings,
   ramps and cut corners are all of this kind. */
static int cut_cell(dv normal, double height, dv *out)
{
    int corner, axis, count = 0;
    for (corner = 0; corner < 1 << KINEMATIC_DIM; corner++) {
        dv     p = dv_make(corner & 1, corner >> 1 & 1, corner >> 2 & 1);
        double d = dv_dot(normal, p) - height;
        if (d <= 1e-9) out[count++] = p;
        for (axis = 0; axis < KINEMATIC_DIM; axis++) {
            dv     q = p;
            double e;
            if (corner >> axis & 1) continue;
            *coordinate(&q, axis) = 1;
            e = dv_dot(normal, q) - height;
            if ((d < -1e-9 && e > 1e-9) || (d > 1e-9 && e < -1e-9)) {
                *coordinate(&q, axis) = d / (d - e);
                out[count++] = q;
            }
        }
    }
    return count;
}

/* 45 degrees and half of it, halves, cut corners: by a normal of small whole numbers. */
static void random_cut(maze *m, kin_tile *tile)
{
    dv  points[16], normal = dv_make(0, 0, 0);
    int count = 0, axis, i;
    while (count < KINEMATIC_DIM + 1 || count > 8) {
        double lowest = 0;
        for (axis = 0; axis < KINEMATIC_DIM; axis++) {
            *coordinate(&normal, axis) = chance(m, KINEMATIC_DIM == 3 ? 40 : 15) ? 0 : below(m, 5) - 2;
            lowest += fmin(0, dv_at(normal, axis));
        }
        if (!(dv_len(normal) > 0)) continue;
        count = cut_cell(normal, lowest + 0.5 * (1 + below(m, 3)), points);
    }
    for (i = 0; i < count; i++) tile->points[tile->count++] = vec_of(points[i]);
}

static void random_tile(maze *m, kin_tile *tile)
{
    int i, kind = below(m, 10);
    memset(tile, 0, sizeof *tile);
    if (kind < 6) random_cut(m, tile);
    else if (kind < 8) for (i = 0; i < KINEMATIC_DIM + 1 + below(m, 3); i++) tile->points[tile->count++] = vec_of(random_dv(m, 0, 1));
    if (kind == 8 || chance(m, 10)) tile->surface_velocity = vec_of(random_dv(m, -4, 4));
    if (kind == 9) tile->one_way = vec_of(random_dv(m, -1, 1));
    else if (chance(m, 5)) tile->sensor = true;
}

/* The meaning of a cell value for the checker. */
static void note_piece(maze *m, int value, const kin_tile *tile)
{
    kin_shape shape;
    int       i;
    memset(&shape, 0, sizeof shape);
    if (tile->count == 0)
        for (i = 0; i < 1 << KINEMATIC_DIM; i++) shape.points[shape.count++] = vec_of(dv_scale(dv_make(i & 1, i >> 1 & 1, i >> 2 & 1), m->cell));
    for (i = 0; i < tile->count; i++) shape.points[shape.count++] = vec_of(dv_scale(dv_of(tile->points[i]), m->cell));
    solid_make(&m->pieces[value], &shape);
    m->blocks[value] = !tile->sensor && !(dv_len(dv_of(tile->one_way)) > 0);
}

/* ---- the maze ------------------------------------------------------------------------------------------------------ */

static int cell_number(int x, int y, int z) { return x + EDGE * (y + (KINEMATIC_DIM == 3 ? EDGE * z : 0)); }

static void fill_maze(maze *m)
{
    int x, y, z, solid_part = 10 + below(m, 30), odd_part = below(m, 40);
    for (z = 0; z < (KINEMATIC_DIM == 3 ? EDGE : 1); z++)
        for (y = 0; y < EDGE; y++)
            for (x = 0; x < EDGE; x++) {
                bool     rim = x == 0 || y == 0 || x == EDGE - 1 || y == EDGE - 1 || (KINEMATIC_DIM == 3 && (z == 0 || z == EDGE - 1));
                uint8_t *cell = &m->cells[cell_number(x, y, z)];
                *cell = KIN_TILE_EMPTY;
                if (chance(m, odd_part)) *cell = (uint8_t)(chance(m, 15) ? KIN_TILE_ONE_WAY : FIRST + below(m, TILES));
                if (chance(m, solid_part)) *cell = KIN_TILE_SOLID;
                if (m->storeys && y % STOREY == 0) *cell = KIN_TILE_ONE_WAY;
                if (rim) *cell = KIN_TILE_SOLID;
            }
}

static bool cube_is_free(const maze *m, int number)
{
    int    x = number % FINE_EDGE, y = number / FINE_EDGE % FINE_EDGE, z = number / FINE_EDGE / FINE_EDGE, i, value;
    dv     p = dv_scale(dv_make(x % FINE + 0.5, y % FINE + 0.5, KINEMATIC_DIM == 3 ? z % FINE + 0.5 : 0), m->cell / FINE);
    value = m->cells[cell_number(x / FINE, y / FINE, z / FINE)];
    if (value == KIN_TILE_EMPTY || !m->blocks[value]) return true;
    for (i = 0; i < m->pieces[value].side_count; i++)
        if (dv_dot(m->pieces[value].sides[i], p) > m->pieces[value].heights[i]) return true;
    return false;
}

static void flood(maze *m, int from, int name)
{
    static const int ways[] = { 1, -1, FINE_EDGE, -FINE_EDGE, FINE_EDGE * FINE_EDGE, -FINE_EDGE * FINE_EDGE };
    int top = 0, k;
    m->stack[top++] = from;
    m->part[from] = name;
    while (top > 0) {
        int at = m->stack[--top];
        for (k = 0; k < 2 * KINEMATIC_DIM; k++) {
            int next = at + ways[k];                      /* the rim is solid: never outside */
            if (m->part[next] != -1) continue;
            m->part[next] = name;
            m->stack[top++] = next;
        }
    }
}

static void find_parts(maze *m)
{
    int i, names = 0;
    for (i = 0; i < FINE_CELLS; i++) m->part[i] = cube_is_free(m, i) ? -1 : 0;
    for (i = 0; i < FINE_CELLS; i++)
        if (m->part[i] == -1) flood(m, i, ++names);
}

static void maze_log(const char *text, void *user)
{
    maze *m = (maze *)user;
    if (!m->fault[0] && !strstr(text, "kin_define_tile")) snprintf(m->fault, sizeof m->fault, "refused: %s", text);
}

/* The cells with first <= x < end, as a grid of their own. */
static kin_id add_part(maze *m, int first, int end)
{
    static uint8_t cells[CELLS];
    kin_tiles_desc d;
    kin_id         id;
    int            i, n = 0;
    memset(&d, 0, sizeof d);
    for (i = 0; i < CELLS; i++)
        if (i % EDGE >= first && i % EDGE < end) cells[n++] = m->cells[i];
    d.size.x = end - first;
    d.size.y = EDGE;
#if KINEMATIC_DIM == 3
    d.size.z = EDGE;
#endif
    d.cell = (float)m->cell;
    d.cells = cells;
    d.attach = m->mover;
    d.origin = vec_of(dv_add(m->mover.slot ? dv_make(0, 0, 0) : m->corner, dv_make(first * m->cell, 0, 0)));
    id = kin_add_tiles(m->world, &d);
    for (i = 0; i < TILES; i++)
        if (!kin_define_tile(m->world, id, (uint8_t)(FIRST + i), &m->tiles[i])) {
            memset(&m->tiles[i], 0, sizeof m->tiles[i]);   /* too thin: a full cell instead */
            kin_define_tile(m->world, id, (uint8_t)(FIRST + i), &m->tiles[i]);
        }
    return id;
}

static void open_maze(maze *m)
{
    kin_world_desc d;
    kin_mover_desc mover;
    kin_rot        straight;
    int            i, cut = chance(m, 40) ? 1 + below(m, EDGE - 1) : EDGE;
    memset(&d, 0, sizeof d);
    memset(&mover, 0, sizeof mover);
    memset(&straight, 0, sizeof straight);
    if (!chance(m, 30)) d.gravity = vec_of(dv_make(0, -30, 0));
    d.on_log = maze_log;
    d.user = m;
    m->world = kin_world_create(&d);
    m->motion.gravity = dv_of(d.gravity);
    m->motion.up = dv_make(0, dv_len(m->motion.gravity) > 0, 0);
    m->motion.unit = 1;
    m->storeys = chance(m, 40);
    m->turned = chance(m, 25);
    m->pushing = chance(m, 25);
    m->cell = chance(m, 50) ? 1 : between(m, 0.3, 2);
    m->cell = (double)(float)m->cell;
    m->corner = chance(m, 50) ? dv_make(-3, -5, KINEMATIC_DIM == 3 ? 7 : 0) : random_dv(m, -100, 100);
    m->corner = dv_of(vec_of(m->corner));
    mover.shape = kin_ball(0.01f);
    mover.position = vec_of(m->corner);
#if KINEMATIC_DIM == 2
    mover.rotation = kin_turn((float)between(m, -0.5, 0.5));
#else
    mover.rotation = kin_turn(vec_of(random_dv(m, 0.1, 1)), (float)between(m, -0.5, 0.5));
#endif
    memset(&m->mover, 0, sizeof m->mover);
    if (m->turned) m->mover = kin_add_mover(m->world, &mover);
    m->turn = dm_of(m->turned ? kin_get_rotation(m->world, m->mover) : straight);
    for (i = 0; i < TILES; i++) random_tile(m, &m->tiles[i]);
    fill_maze(m);
    m->grids[0] = add_part(m, 0, cut);
    if (cut < EDGE) m->grids[1] = add_part(m, cut, EDGE);
    for (i = 0; i < TILES; i++) note_piece(m, FIRST + i, &m->tiles[i]);
    memset(&m->pieces[0], 0, sizeof m->pieces[0]);
    {
        kin_tile full;
        memset(&full, 0, sizeof full);
        note_piece(m, KIN_TILE_SOLID, &full);
        m->blocks[KIN_TILE_EMPTY] = m->blocks[KIN_TILE_ONE_WAY] = m->blocks[KIN_TILE_SENSOR] = false;
    }
    find_parts(m);
}

/* ---- the checker ------------------------------------------------------------------------------------------------------ */

static void place_inmate(const maze *m, inmate *b)
{
    dv p = dm_turn_back(&m->turn, dv_sub(dv_of(kin_get_position(m->world, b->id)), m->corner));
    dm q = dm_of(kin_get_rotation(m->world, b->id)), local;
    local.x = dm_turn_back(&m->turn, q.x);
    local.y = dm_turn_back(&m->turn, q.y);
    local.z = dm_turn_back(&m->turn, q.z);
    placed_set(&b->place, &b->solid, p, local);
}

static int cell_below(double x) { return x < 0 ? 0 : x >= EDGE ? EDGE - 1 : (int)x; }

/* Distance to the nearest cell that blocks, if that is near. */
static double nearest_cell(const maze *m, const placed *body, double within, int *which)
{
    int    lo[3] = { 0, 0, 0 }, hi[3] = { 0, 0, 0 }, axis, x, y, z;
    double least = 1e9;
    dm     straight;
    straight.x = dv_make(1, 0, 0); straight.y = dv_make(0, 1, 0); straight.z = dv_make(0, 0, 1);
    for (axis = 0; axis < KINEMATIC_DIM; axis++) {
        lo[axis] = cell_below((dv_at(body->lo, axis) - within) / m->cell);
        hi[axis] = cell_below((dv_at(body->hi, axis) + within) / m->cell);
    }
    for (z = lo[2]; z <= hi[2]; z++)
        for (y = lo[1]; y <= hi[1]; y++)
            for (x = lo[0]; x <= hi[0]; x++) {
                int    number = cell_number(x, y, z), value = m->cells[number];
                placed cell;
                double gap;
                dv     normal;
                if (value == KIN_TILE_EMPTY || !m->blocks[value]) continue;
                placed_set(&cell, &m->pieces[value], dv_scale(dv_make(x, y, z), m->cell), straight);
                gap = separation(body, &cell, within, &normal);
                if (gap < least) { least = gap; *which = number; }
            }
    return least;
}

static int part_at(const maze *m, dv p)
{
    int x = (int)(p.x / m->cell * FINE), y = (int)(p.y / m->cell * FINE), z = KINEMATIC_DIM == 3 ? (int)(p.z / m->cell * FINE) : 0;
    return m->part[x + FINE_EDGE * (y + FINE_EDGE * z)];
}

static void complain(maze *m, const inmate *b, const char *what, double value)
{
    dv p = b->place.p;
    if (m->fault[0]) return;
    snprintf(m->fault, sizeof m->fault, "step %d: body #%d: %s (%.6g); in cells at (%.6g, %.6g, %.6g)", m->steps, (int)(b - m->inmates), what, value,
             p.x / m->cell, p.y / m->cell, p.z / m->cell);
}

static void check_inmate(maze *m, inmate *b)
{
    double far = 8 * 1.1920929e-7 * greater(dv_largest(dv_of(kin_get_position(m->world, b->id))), EDGE * m->cell + dv_largest(m->corner)), gap;
    dv     p;
    int    which = 0, part, y;
    place_inmate(m, b);
    p = b->place.p;
    if (!(lesser(p.x, lesser(p.y, KINEMATIC_DIM == 3 ? p.z : p.y)) > m->cell && dv_largest(p) < (EDGE - 1) * m->cell)) { complain(m, b, "left the maze", dv_len(p)); return; }
    if (!m->pushing && (kin_is_embedded(m->world, b->id) || kin_is_crushed(m->world, b->id))) complain(m, b, "embedded", 0);
    gap = nearest_cell(m, &b->place, 0, &which);
    if (gap < -(SLOP + far)) complain(m, b, "too deep in a cell", -gap);
    part = part_at(m, p);
    if (part > 0 && b->home > 0 && part != b->home) complain(m, b, "went through a wall", part);
    if (part > 0) b->home = part;
    for (y = STOREY; y < EDGE - 1 && m->storeys; y += STOREY) {
        double over = b->place.lo.y - (y + 1) * m->cell;
        if (over >= -0.001) b->beyond[y] = true;
        else if (b->beyond[y] && over < -(SLOP + 0.001 + far)) complain(m, b, "fell through a one-way floor", over);
    }
}

static void tell_motion(void *user, int n, kin_id id, const char *what, double value, double allowed)
{
    maze *m = (maze *)user;
    char  text[260];
    int   k;
    snprintf(text, sizeof text, "N%d: %s, at most %.6g", n, what, allowed);
    for (k = 0; k < BODIES; k++)
        if (kin_same(m->inmates[k].id, id)) complain(m, &m->inmates[k], text, value);
}

/* One step, with N11 and N12. Nobody overlaps at its start, and the grid's mover stands. */
static void step_maze(maze *m, float dt)
{
    const kin_event *events;
    int              count;
    m->motion.tell = tell_motion;
    m->motion.user = m;
    motion_before(&m->motion, m->world);
    if (!kin_world_step(m->world, dt)) snprintf(m->fault, sizeof m->fault, "step refused");
    count = kin_get_events(m->world, &events);
    motion_after(&m->motion, m->world, (double)dt, events, count, true, true);
}

/* ---- bodies -------------------------------------------------------------------------------------------------------- */

static kin_shape random_shape(maze *m, double size)
{
    double w = size * between(m, 0.5, 1), h = size * between(m, 0.5, 1), depth = size * between(m, 0.5, 1);
    int    kind = below(m, 3);
    if (kind == 0) return deep_box(w, h, depth);
    return kind == 1 ? kin_ball((float)(0.5 * w)) : kin_capsule((float)(lesser(0.8 * w, h) + h), (float)(0.4 * w));
}

static bool is_apart(const maze *m, const inmate *b)
{
    const inmate *other;
    dv            normal;
    for (other = m->inmates; other < b; other++)
        if (m->pushing && separation(&b->place, &other->place, 0.02, &normal) < 0.01) return false;
    return true;
}

/* Somewhere free; small enough after some tries. */
static void add_inmate(maze *m, inmate *b)
{
    kin_body_desc d;
    double        size = m->cell * between(m, 0.4, 1.9);
    int           tries, which;
    memset(b, 0, sizeof *b);
    memset(&d, 0, sizeof d);
    d.push = !m->pushing ? KIN_INTANGIBLE : chance(m, 70) ? KIN_PUSHABLE : KIN_UNPUSHABLE;
    if (chance(m, 30)) d.step_height = (float)(between(m, 0.1, 0.6) * m->cell);
    if (chance(m, 20)) d.corner_nudge = (float)(between(m, 0.05, 0.3) * m->cell);
    if (chance(m, 30)) d.snap = chance(m, 50) ? -1 : 0.5f;
    if (chance(m, 30)) d.slope = KIN_SLOPE_HORIZONTAL_SPEED;
    for (tries = 0; ; tries++) {
        dv local;
        if (tries % 50 == 0) {
            d.shape = random_shape(m, size);
            solid_make(&b->solid, &d.shape);
            size = greater(0.9 * size, 0.3 * m->cell);
        }
        local = dv_scale(random_dv(m, 1, EDGE - 1), m->cell);
        d.position = vec_of(dv_add(m->corner, dm_turn(&m->turn, local)));
        if (tries == 0) b->id = kin_add_body(m->world, &d);
        else { kin_set_position(m->world, b->id, d.position); if (tries % 50 == 0) { kin_remove(m->world, b->id); b->id = kin_add_body(m->world, &d); } }
        place_inmate(m, b);
        if (part_at(m, local) > 0 && nearest_cell(m, &b->place, 0.02, &which) > 0.01 && is_apart(m, b)) break;
    }
    b->home = part_at(m, b->place.p);
}

static void command(maze *m, inmate *b, int k)
{
    double  speed = k < 3 ? 10 : k < 5 ? 100 : k == 5 ? 3000 : k == 6 ? 1e5 : m->cell;
    kin_vec v = vec_of(random_dv(m, -speed, speed));
    if (chance(m, 20)) v.x = 0;
    if (chance(m, 20)) v.y = kin_get_velocity(m->world, b->id).y;
    if (chance(m, 85)) return;
    kin_set_velocity(m->world, b->id, v);
}

/* ---- playing ------------------------------------------------------------------------------------------------------- */

static void play_maze(maze *m, uint32_t seed)
{
    int   k, steps = from_environment("KIN_STEPS", 400);
    float dt;
    memset(m->inmates, 0, sizeof m->inmates);
    m->fault[0] = 0;
    m->steps = 0;
    m->state = seed * 0x9E3779B97F4A7C15u + 1;
    roll(m);
    open_maze(m);
    dt = chance(m, 50) ? 1.0f / 128 : 1.0f / 60;
    for (k = 0; k < BODIES; k++) add_inmate(m, &m->inmates[k]);
    if (steps > 400) steps = 400;
    for (m->steps = 1; m->steps <= steps && !m->fault[0]; m->steps++) {
        for (k = 0; k < BODIES; k++) command(m, &m->inmates[k], k);
        step_maze(m, dt);
        for (k = 0; k < BODIES; k++) check_inmate(m, &m->inmates[k]);
        if (getenv("KIN_WATCH"))
            for (k = 0; k < BODIES; k++) {
                const inmate *b = &m->inmates[k];
                dv v = dv_of(kin_get_velocity(m->world, b->id));
                printf("%4d #%d (%.6g, %.6g, %.6g) velocity (%.6g, %.6g, %.6g) part %d ground %d\n", m->steps, k, b->place.p.x / m->cell, b->place.p.y / m->cell,
                       b->place.p.z / m->cell, v.x, v.y, v.z, b->home, kin_get_ground(m->world, b->id).footing);
            }
    }
    kin_world_destroy(m->world);
    motion_free(&m->motion);
}

TEST nobody_leaves_a_maze(void)
{
    maze     *m = (maze *)calloc(1, sizeof *m);
    seed_list seeds = seeds_to_play(TEST_SHARE > 1 ? 20 : 200, failed_mazes);
    uint32_t  seed;
    int       bad = 0;
    if (!m) abort();
    m->part = (int *)malloc(FINE_CELLS * sizeof *m->part);
    if (!m->part) abort();
    while ((seed = next_seed(&seeds)) != 0) {
        play_maze(m, seed);
        if (!m->fault[0]) continue;
        bad++;
        printf("\nKIN_SEED=%u, %dD%s%s%s: %s\n", seed, KINEMATIC_DIM, m->storeys ? ", storeys" : "", m->turned ? ", turned" : "", m->pushing ? ", pushing" : "", m->fault);
    }
    free(m->part);
    free(m);
    if (bad) FAILm("someone is where nobody can be");
    PASS();
}

SUITE(mazes)
{
    RUN_TEST(nobody_leaves_a_maze);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv)
{
    GREATEST_MAIN_BEGIN();
    RUN_SUITE(mazes);
    GREATEST_MAIN_END();
}
