/* SPDX-License-Identifier: MIT OR Unlicense

   threads.h: a pool of threads for kin_world_desc.parallel. Included before a program with -include, together with
   -DTHREADS_EVERYWHERE, it gives every world that the program makes KIN_WORKERS workers [2]. */
#ifndef TESTS_THREADS_H
#define TESTS_THREADS_H

#ifndef KINI_INTERNAL_H
#include "kinematic.h"
#endif

#include <pthread.h>
#include <stdlib.h>

enum { THREADS_MOST = 16 };
static struct {
    pthread_mutex_t mutex;
    pthread_cond_t  begun, ended;
    pthread_t       threads[THREADS_MOST];
    int             started, workers, next, count, busy, parts;
    long            job;
    kin_task_fn    *task;
    void           *context;
} threads = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER, { 0 }, 0, 1, 0, 0, 0, 4,
              0, NULL, NULL };

/* The mutex is held; items are taken a few at a time. */
static void threads_work(int worker)
{
    while (threads.next < threads.count) {
        int first = threads.next, end = first + 1 + (threads.count - first) / (threads.parts * threads.workers);
        threads.next = end;
        threads.busy++;
        pthread_mutex_unlock(&threads.mutex);
        threads.task(first, end, worker, threads.context);
        pthread_mutex_lock(&threads.mutex);
        if (--threads.busy == 0) pthread_cond_broadcast(&threads.ended);
    }
}

static void *threads_run(void *number)
{
    long job = 0;
    pthread_mutex_lock(&threads.mutex);
    for (;;) {
        while (threads.job == job) pthread_cond_wait(&threads.begun, &threads.mutex);
        job = threads.job;
        if ((int)(size_t)number < threads.workers) threads_work((int)(size_t)number);
    }
    return NULL;
}

static inline void threads_set(int workers)
{
    pthread_mutex_lock(&threads.mutex);
    threads.workers = workers > 0 ? workers : 1;
    pthread_mutex_unlock(&threads.mutex);
}

/* The calling thread is worker 0. */
static void threads_parallel(kin_task_fn *task, int count, void *context, void *user)
{
    (void)user;
    pthread_mutex_lock(&threads.mutex);
    while (threads.started < threads.workers - 1) {
        threads.started++;
        pthread_create(&threads.threads[threads.started], NULL, threads_run, (void *)(size_t)threads.started);
    }
    threads.task = task;
    threads.context = context;
    threads.next = 0;
    threads.count = count;
    threads.job++;
    pthread_cond_broadcast(&threads.begun);
    threads_work(0);
    while (threads.busy > 0) pthread_cond_wait(&threads.ended, &threads.mutex);
    pthread_mutex_unlock(&threads.mutex);
}

#ifdef THREADS_EVERYWHERE
static void threads_give(kin_world_desc *mine, const kin_world_desc *desc)
{
    const char    *workers = getenv("KIN_WORKERS");
    kin_world_desc none = { 0 };
    *mine = desc ? *desc : none;
    mine->workers = workers ? atoi(workers) : 2;
    if (mine->workers > 0) mine->parallel = threads_parallel;
    threads_set(mine->workers);
}
static inline kin_world *threads_create(const kin_world_desc *desc)
{
    kin_world_desc mine;
    threads_give(&mine, desc);
    return kin_world_create(&mine);
}
static inline kin_world *threads_create_in(void *memory, size_t bytes, const kin_world_desc *desc)
{
    kin_world_desc mine;
    threads_give(&mine, desc);
    return kin_world_create_in(memory, bytes, &mine);
}
static inline size_t threads_bytes(const kin_world_desc *desc)
{
    kin_world_desc mine;
    threads_give(&mine, desc);
    return kin_world_bytes(&mine);
}
#undef kin_world_create
#undef kin_world_create_in
#undef kin_world_bytes
#define kin_world_create threads_create
#define kin_world_create_in threads_create_in
#define kin_world_bytes threads_bytes
#endif
#endif
