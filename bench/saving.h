/* SPDX-License-Identifier: MIT OR Unlicense

   saving.h: what snapshots cost, beside copying as many bytes within memory. Each is repeated over the same memory, so
   that it is in the processor's cache as far as it fits there, and the fastest round counts. */
#ifndef SAVING_H
#define SAVING_H

enum { SAVING_ROUNDS = 60, SAVING_TIMES = 20 };

static kin_world *saved_world;
static size_t     saved_bytes;
static void      *saved, *saved_copy;

static void saving_begin(kin_world *world)
{
    saved_world = world;
    saved_bytes = kin_snapshot_size(world);
    saved = bench_room(1, saved_bytes);
    saved_copy = bench_room(1, saved_bytes);
    kin_snapshot_save(world, saved, saved_bytes);
}

static void save_step(int step)
{
    (void)step;
    kin_snapshot_save(saved_world, saved, saved_bytes);
}

static void load_step(int step)
{
    (void)step;
    if (!kin_snapshot_load(saved_world, saved, saved_bytes)) exit(1);
}

static void copy_step(int step)
{
    ((char *)saved)[0] ^= (char)(step & 1);   /* or the compiler sees that nothing changes */
    memcpy(saved_copy, saved, saved_bytes);
    if (((char *)saved_copy)[0] == 0 && ((char *)saved_copy)[1] == 1) exit(1);
}

static double saving_time(void (*once)(int step))
{
    double best = 1e18;
    int    round, i;
    for (round = 0; round < SAVING_ROUNDS; round++) {
        double start = bench_now(), spent;
        for (i = 0; i < SAVING_TIMES; i++) once(0);
        spent = (bench_now() - start) / SAVING_TIMES;
        if (spent < best) best = spent;
    }
    return best;
}

static void saving_end(void (*once)(int step), char *quality)
{
    double spent = saving_time(once), copying = saving_time(copy_step);
    snprintf(quality, BENCH_ROOM, "%.0f bytes in %.1f us; a memory copy of them takes %.1f us: %.1f times that",
             (double)saved_bytes, spent / 1e3, copying / 1e3, spent / copying);
    free(saved);
    free(saved_copy);
}

#endif
