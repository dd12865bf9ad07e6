/* SPDX-License-Identifier: MIT OR Unlicense

   bench.h: runs workloads and prints one line for each: its name, the number of bodies, nanoseconds of CPU time and
   instructions per body and step, and how well it went.

   Every workload settles for BENCH_SETTLE steps first; those are not counted. Instructions come from the processor's
   counter where the system gives it; elsewhere the column holds "-" and run.py asks valgrind, which counts what
   happens inside bench_measured and, if its header is there, runs faster through the rest.

   Arguments: --list, or any of --workload NAME (those whose name begins so), --n N, --steps S, --runs R, and --workers W
   (steps on W threads; time is then that of the clock on the wall, and what is inside kini_task may run in parallel). */
#ifndef BENCH_H
#define BENCH_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if defined(__linux__)
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

#if defined(__has_include)
#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#endif
#endif
#if !defined(CALLGRIND_START_INSTRUMENTATION)
#define CALLGRIND_START_INSTRUMENTATION
#define CALLGRIND_STOP_INSTRUMENTATION
#endif

enum { BENCH_SETTLE = 60, BENCH_ROOM = 200, BENCH_SIZES = 4 };

typedef struct bench_workload {
    const char *name;
    void (*begin)(int n);                     /* builds a world with n bodies */
    void (*step)(int step);                   /* one step of all of them, from 1; this is what is counted */
    void (*watch)(int step);                  /* looks at the result; negative while settling [nothing to see] */
    void (*end)(int steps, char *quality);    /* how well it went, and frees everything */
    int sizes[BENCH_SIZES];                   /* numbers of bodies to run it with, instead of the usual ones */
} bench_workload;

typedef struct bench_options { const char *workload; int n, steps, runs; } bench_options;
typedef struct bench_cost { double time, instructions; } bench_cost;   /* instructions < 0: not known */

static int bench_workers;

static double bench_now(void)
{
    struct timespec t;
    clock_gettime(bench_workers ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* ---- the processor's counter of instructions ------------------------------------------------------------------- */

#if defined(__linux__)
static int bench_counter(void)   /* -1: there is none */
{
    static int counter = -2;
    struct perf_event_attr what;
    if (counter != -2) return counter;
    memset(&what, 0, sizeof what);
    what.size = sizeof what;
    what.type = PERF_TYPE_HARDWARE;
    what.config = PERF_COUNT_HW_INSTRUCTIONS;
    what.disabled = what.exclude_kernel = what.exclude_hv = 1;
    return counter = (int)syscall(SYS_perf_event_open, &what, 0, -1, -1, 0);
}

static void bench_count(int on)
{
    if (bench_counter() >= 0) ioctl(bench_counter(), on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0);
}

static double bench_counted(void)
{
    uint64_t count;
    if (bench_counter() < 0 || read(bench_counter(), &count, sizeof count) != sizeof count) return -1;
    ioctl(bench_counter(), PERF_EVENT_IOC_RESET, 0);
    return (double)count;
}
#else
static void   bench_count(int on) { (void)on; }
static double bench_counted(void) { return -1; }
#endif

/* ---- one workload ---------------------------------------------------------------------------------------------- */

/* The steps from `first` to `last`: what run.py tells valgrind to count. */
#if defined(__GNUC__)
__attribute__((noinline))
#endif
static void bench_measured(const bench_workload *workload, int first, int last)
{
    for (; first <= last; first++) workload->step(first);
}

/* Where nobody watches, all steps are measured at one go, so that the clock itself costs nothing. */
static bench_cost bench_run(const bench_workload *workload, int n, int steps, char *quality)
{
    bench_cost cost;
    double     start;
    int        i, stride = workload->watch ? 1 : steps;
    workload->begin(n);
    for (i = 1; i <= BENCH_SETTLE; i++) {
        workload->step(i);
        if (workload->watch) workload->watch(i - BENCH_SETTLE);
    }
    cost.time = 0;
    CALLGRIND_START_INSTRUMENTATION;
    for (i = 1; i <= steps; i += stride) {
        bench_count(1);
        start = bench_now();
        bench_measured(workload, BENCH_SETTLE + i, BENCH_SETTLE + i + stride - 1);
        cost.time += bench_now() - start;
        bench_count(0);
        if (workload->watch) workload->watch(i);
    }
    CALLGRIND_STOP_INSTRUMENTATION;
    cost.instructions = bench_counted();
    quality[0] = 0;
    workload->end(steps, quality);
    return cost;
}

/* Runs do the same every time, so the fastest is the one that was least disturbed. Long ones are not repeated. */
static void bench_report(const bench_workload *workload, int n, const bench_options *options)
{
    char       quality[BENCH_ROOM], instructions[32] = "-";
    int        steps = options->steps ? options->steps : n > 1000 ? 120 : 600;
    int        runs = options->runs ? options->runs : 3;
    double     per = 1 / ((double)n * steps), start = bench_now();
    bench_cost best = { 0, 0 };
    while (runs-- > 0 && bench_now() - start < 2e9) {
        bench_cost cost = bench_run(workload, n, steps, quality);
        if (best.time <= 0 || cost.time < best.time) best = cost;
    }
    if (best.instructions >= 0) snprintf(instructions, sizeof instructions, "%.0f", best.instructions * per);
    printf("%-14s %6d %9.1f %9s  %s\n", workload->name, n, best.time * per, instructions, quality);
    fflush(stdout);
}

static void bench_sizes(const bench_workload *workload, const bench_options *options)
{
    static const int usual[BENCH_SIZES] = { 100, 1000, 10000, 0 };
    const int       *sizes = workload->sizes[0] ? workload->sizes : usual;
    int              i;
    if (options->n) bench_report(workload, options->n, options);
    for (i = 0; i < BENCH_SIZES && sizes[i] && !options->n; i++) bench_report(workload, sizes[i], options);
}

static int bench_main(int argc, char **argv, const bench_workload *workloads, int count)
{
    bench_options options = { "", 0, 0, 0 };
    int           i, k;
    if (argc == 2 && !strcmp(argv[1], "--list")) {
        for (k = 0; k < count; k++) puts(workloads[k].name);
        return 0;
    }
    for (i = 1; i + 1 < argc; i += 2) {
        if (!strcmp(argv[i], "--workload")) options.workload = argv[i + 1];
        else if (!strcmp(argv[i], "--n")) options.n = atoi(argv[i + 1]);
        else if (!strcmp(argv[i], "--steps")) options.steps = atoi(argv[i + 1]);
        else if (!strcmp(argv[i], "--runs")) options.runs = atoi(argv[i + 1]);
        else if (!strcmp(argv[i], "--workers")) bench_workers = atoi(argv[i + 1]);
        else break;
    }
    if (i < argc || options.n < 0 || options.steps < 0 || options.runs < 0) {
        fprintf(stderr, "usage: %s [--list] [--workload NAME] [--n N] [--steps S] [--runs R] [--workers W]\n", argv[0]);
        return 1;
    }
    for (k = 0; k < count; k++)
        if (!strncmp(workloads[k].name, options.workload, strlen(options.workload))) bench_sizes(&workloads[k], &options);
    return 0;
}

static void *bench_room(int count, size_t bytes)
{
    void *room = calloc((size_t)count, bytes);
    if (!room) { fprintf(stderr, "no memory\n"); exit(1); }
    return room;
}

#endif
