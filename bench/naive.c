/* SPDX-License-Identifier: MIT OR Unlicense

   naive.c: the floor under the 2D workloads, written by hand for them alone: boxes of fixed size, one axis after the
   other, against a bitmap; riders that add what their platform moved; crates that push the next one in the row. No
   slopes, no capsules, no contacts, no events: what the work costs at the very least. */
#include "bench.h"
#include "level2.h"

#define HALF_WIDTH WALKER_RADIUS
#define HALF_HEIGHT (0.5f * WALKER_HEIGHT)
#define HAIR 1e-4f   /* distance kept from tiles, so that floorf decides clearly */

typedef struct man { float x, y, vx, vy; int grounded; } man;

static int      number;
static man     *men;
static walker  *walkers;
static unsigned char (*map)[16];   /* tiles by column; row 0 is y = -1 */

static int tile(int x, int y)
{
    if (x < 0 || x >= LEVEL_LENGTH) return 1;
    return y >= -1 && y < 15 && map[x][y + 1];
}

static int column_blocked(int x, int y0, int y1)
{
    for (; y0 <= y1; y0++)
        if (tile(x, y0)) return 1;
    return 0;
}

static int row_blocked(int y, int x0, int x1)
{
    for (; x0 <= x1; x0++)
        if (tile(x0, y)) return 1;
    return 0;
}

static void move_across(man *m)
{
    float side = m->vx > 0 ? 1.0f : -1.0f, x = m->x + m->vx * STEP_TIME;
    int   column = (int)floorf(x + side * HALF_WIDTH);
    if (column_blocked(column, (int)floorf(m->y - HALF_HEIGHT + HAIR), (int)floorf(m->y + HALF_HEIGHT - HAIR))) {
        x = (float)(side > 0 ? column : column + 1) - side * (HALF_WIDTH + HAIR);
        m->vx = 0;
    }
    m->x = x;
}

static void move_along_up(man *m)
{
    float side = m->vy > 0 ? 1.0f : -1.0f, y = m->y + m->vy * STEP_TIME;
    int   row = (int)floorf(y + side * HALF_HEIGHT);
    m->grounded = 0;
    if (row_blocked(row, (int)floorf(m->x - HALF_WIDTH), (int)floorf(m->x + HALF_WIDTH))) {
        y = side > 0 ? (float)row - HALF_HEIGHT - HAIR : (float)(row + 1) + HALF_HEIGHT;
        m->grounded = side < 0;
        m->vy = 0;
    }
    m->y = y;
}

static void walk_begin(int n)
{
    int i, y;
    number = n;
    men = bench_room(n, sizeof *men);
    walkers = bench_room(n, sizeof *walkers);
    map = bench_room(LEVEL_LENGTH, sizeof *map);
    for (i = 0; i < LEVEL_LENGTH; i++)
        for (y = 0; y < 16; y++) map[i][y] = (unsigned char)level_solid(i, y - 1);
    for (i = 0; i < n; i++) {
        men[i].x = walker_start(i, n);
        men[i].y = 3;
        walker_begin(&walkers[i], i);
    }
}

static void walk_step(int step)
{
    int i;
    for (i = 0; i < number; i++) {
        man  *m = &men[i];
        float before = m->x;
        m->vx = WALK_SPEED * walkers[i].heading;
        if (m->grounded && walker_jumps(i, step)) m->vy = JUMP_SPEED;
        m->vy -= GRAVITY * STEP_TIME;
        move_across(m);
        move_along_up(m);
        walker_think(&walkers[i], m->x - before, m->x, m->y, m->grounded);
    }
}

static void walk_end(int steps, char *quality)
{
    int i, fallen = 0;
    for (i = 0; i < number; i++) fallen += men[i].y < 0;
    walker_report(walkers, number, steps, fallen, quality);
    free(men); free(walkers); free(map);
}

/* ---- ride: follow the platform ------------------------------------------------------------------------------------ */

static place *platforms;

static void ride_begin(int n)
{
    int i;
    number = n;
    men = bench_room(n, sizeof *men);
    platforms = bench_room(n / RIDERS + 1, sizeof *platforms);
    for (i = 0; i <= n / RIDERS; i++) platforms[i] = platform_at(i, 0, 0);
    for (i = 0; i < n; i++) {
        men[i].x = platforms[i / RIDERS].x + rider_along(i);
        men[i].y = platforms[i / RIDERS].y + 0.25f + HALF_HEIGHT;
    }
}

static void ride_step(int step)
{
    int i;
    for (i = 0; i <= number / RIDERS; i++) {
        place to = platform_at(i, step, 0), from = platforms[i];
        int   j = i * RIDERS, last = j + RIDERS < number ? j + RIDERS : number;
        for (; j < last; j++) { men[j].x += to.x - from.x; men[j].y += to.y - from.y; }
        platforms[i] = to;
    }
}

static void ride_end(int steps, char *quality)
{
    double worst = 0, off;
    int    i;
    (void)steps;
    for (i = 0; i < number; i++) {
        off = fabs(seen_from(platforms[i / RIDERS], men[i].x, men[i].y).x - rider_along(i));
        if (off > worst) worst = off;
    }
    snprintf(quality, BENCH_ROOM, "drift %.6f", worst);
    free(men); free(platforms);
}

/* ---- rock: a place on the platform, which turns about its middle; only the sine of the platform is worked out anew ---- */

static void rock_begin(int n)
{
    int i;
    number = n;
    men = bench_room(n, sizeof *men);
    for (i = 0; i < n; i++) men[i].vx = rider_along(i);
}

static void rock_step(int step)
{
    int i;
    for (i = 0; i * RIDERS < number; i++) {
        place on = platform_at(i, step, 1);
        float c = cosf(on.turn), s = sinf(on.turn);
        int   j = i * RIDERS, last = j + RIDERS < number ? j + RIDERS : number;
        for (; j < last; j++) {
            men[j].x = on.x + c * men[j].vx - s * (0.25f + HALF_HEIGHT);
            men[j].y = on.y + s * men[j].vx + c * (0.25f + HALF_HEIGHT);
        }
    }
}

static void rock_end(int steps, char *quality)
{
    (void)steps;
    snprintf(quality, BENCH_ROOM, "nothing can drift");
    free(men);
}

/* ---- rest: fall on the tile below ------------------------------------------------------------------------------------ */

static void rest_step(int step)
{
    int i;
    (void)step;
    for (i = 0; i < number; i++) {
        men[i].vy -= GRAVITY * STEP_TIME;
        move_along_up(&men[i]);
    }
}

/* ---- push: a crate that is overlapped goes flush, and pushes the next, which a row of cells finds ------------------ */

static float *pushers;
static int  (*cells)[2];   /* crates whose left edge is in a cell, and one more; 0: none */
static int    cell_count;

static int *cell_entry(int cell, int crate)   /* where `crate` stands in that cell; NULL: nowhere */
{
    int k;
    for (k = 0; k < 2 && cell >= 0 && cell < cell_count; k++)
        if (cells[cell][k] == crate) return &cells[cell][k];
    return NULL;
}

static void put_crate(int i, float left)
{
    int from = (int)(men[i].x - 0.5f), to, *entry;
    men[i].x = left + 0.5f;
    to = (int)(men[i].x - 0.5f);
    if (from == to) return;
    entry = cell_entry(from, i + 1);
    if (entry) *entry = 0;
    entry = cell_entry(to, 0);
    if (entry) *entry = i + 1;
}

/* The crate that something overlaps whose right edge is at `right`, other than `self`; -1: none. */
static int crate_before(float right, int self)
{
    int cell, k;
    for (cell = (int)right - 1; cell <= (int)right && cell < cell_count; cell++)
        for (k = 0; k < 2 && cell >= 0; k++) {
            int   i = cells[cell][k] - 1;
            float left = i >= 0 ? men[i].x - 0.5f : right;
            if (i != self && left < right && left > right - 0.5f) return i;
        }
    return -1;
}

static void push_begin(int n)
{
    int i;
    number = n;
    cell_count = 22 * (n / GROUP + 8);
    men = bench_room(n, sizeof *men);
    pushers = bench_room(n / GROUP + 1, sizeof *pushers);
    cells = bench_room(cell_count, sizeof *cells);
    for (i = 0; i < n; i++) { put_crate(i, crate_start(i) - 0.5f); men[i].y = 0.5f; }
    for (i = 0; i < n / GROUP; i++) pushers[i] = pusher_start(i);
}

static void push_step(int step)
{
    int i, crate;
    (void)step;
    for (i = 0; i < number / GROUP; i++) {
        float right = (pushers[i] += PUSH_SPEED * STEP_TIME) + 0.5f;
        for (crate = crate_before(right, -1); crate >= 0; crate = crate_before(right, crate)) {
            put_crate(crate, right);
            right += 1;
        }
    }
    for (i = 0; i < number; i++) {
        man *m = &men[i];
        m->vy -= GRAVITY * STEP_TIME;
        m->y += m->vy * STEP_TIME;
        if (m->y < 0.5f) { m->y = 0.5f; m->vy = 0; }
    }
}

static void push_end(int steps, char *quality)
{
    double worst = 0, gap;
    int    i;
    (void)steps;
    for (i = 0; i < number; i++) {
        gap = men[i].x - 1 - (i % GROUP ? men[i - 1].x : pushers[i / GROUP]);
        if (-gap > worst) worst = -gap;
    }
    snprintf(quality, BENCH_ROOM, "overlap %.6f", worst);
    free(men); free(pushers); free(cells);
}

int main(int argc, char **argv)
{
    static const bench_workload all[] = {
        { "W1-naive", walk_begin, walk_step, NULL, walk_end, { 0 } },
        { "W2-naive", ride_begin, ride_step, NULL, ride_end, { 0 } },
        { "W2R-naive", rock_begin, rock_step, NULL, rock_end, { 0 } },
        { "rest-naive", walk_begin, rest_step, NULL, walk_end, { 0 } },
        { "W3-naive", push_begin, push_step, NULL, push_end, { 0 } }
    };
    return bench_main(argc, argv, all, (int)(sizeof all / sizeof all[0]));
}
