/* SPDX-License-Identifier: MIT OR Unlicense

   threads.c: a step on several threads. A pool of three threads and the one that steps share the work of a world of
   walkers and crates; a second world does the same on one thread, and both end with the same hash. */
#define _POSIX_C_SOURCE 200809L
#define KINEMATIC_IMPLEMENTATION
#include "kinematic.h"
#include <pthread.h>
#include <stdio.h>

enum { WORKERS = 4, GROUPS = 100 };

/* ---- a pool: threads wait for a job, and take items of it until none is left ---------------------------------------- */

typedef struct pool {
    pthread_mutex_t mutex;
    pthread_cond_t  begun, ended;
    pthread_t       threads[WORKERS];
    int             next, count, at_work, job;
    bool            over;
    kin_task_fn    *task;
    void           *context;
} pool;

typedef struct member { pool *pool; int worker; } member;

static void take_items(pool *p, int worker)     // the mutex is locked
{
    while (p->next < p->count) {
        int first = p->next, end = first + 1 + (p->count - first) / (2 * WORKERS);   // large parts first
        p->next = end;
        p->at_work++;
        pthread_mutex_unlock(&p->mutex);
        p->task(first, end, worker, p->context);
        pthread_mutex_lock(&p->mutex);
        p->at_work--;
    }
    if (p->at_work == 0) pthread_cond_signal(&p->ended);
}

static void *run_member(void *argument)
{
    member *m = argument;
    pool   *p = m->pool;
    int     job = 0;
    pthread_mutex_lock(&p->mutex);
    for (;;) {
        while (p->job == job && !p->over) pthread_cond_wait(&p->begun, &p->mutex);
        if (p->over) break;
        job = p->job;
        take_items(p, m->worker);
    }
    pthread_mutex_unlock(&p->mutex);
    return NULL;
}

static void run_in_pool(kin_task_fn *task, int count, void *context, void *user)
{
    pool *p = user;                             // .user of the world descriptor
    pthread_mutex_lock(&p->mutex);
    p->task = task;
    p->context = context;
    p->next = 0;
    p->count = count;
    p->job++;
    pthread_cond_broadcast(&p->begun);
    take_items(p, 0);                           // the thread that steps works as well
    while (p->at_work > 0) pthread_cond_wait(&p->ended, &p->mutex);
    pthread_mutex_unlock(&p->mutex);
}

/* ---- the same game in two worlds ---------------------------------------------------------------------------------- */

static kin_world *make_world(kin_parallel_fn *parallel, int workers, pool *p)
{
    kin_world *world = kin_world_create(&(kin_world_desc){
        .gravity = { 0, -30 }, .parallel = parallel, .workers = workers, .user = p });
    kin_add_static(world, &(kin_static_desc){ .shape = kin_box(kin_v(4000, 1)), .position = { 1000, -0.5f } });
    for (int i = 0; i < GROUPS; i++) {          // a walker that pushes two crates, one of which carries a third
        float x = 12 * (float)i;
        kin_add_body(world, &(kin_body_desc){ .shape = kin_capsule(1.8f, 0.4f), .position = { x, 1 },
                                              .velocity = { 3, 0 }, .push = KIN_UNPUSHABLE });
        for (int k = 0; k < 3; k++)
            kin_add_body(world, &(kin_body_desc){ .shape = kin_box(kin_v(1, 1)),
                                                  .position = { x + 2 + (k == 1 ? 1.5f : 0), k == 2 ? 1.6f : 0.6f } });
    }
    return world;
}

int main(void)
{
    pool      p = { .mutex = PTHREAD_MUTEX_INITIALIZER, .begun = PTHREAD_COND_INITIALIZER,
                    .ended = PTHREAD_COND_INITIALIZER };
    member    members[WORKERS];
    for (int i = 1; i < WORKERS; i++) {
        members[i] = (member){ &p, i };
        pthread_create(&p.threads[i], NULL, run_member, &members[i]);
    }
    kin_world *many = make_world(run_in_pool, WORKERS, &p), *one = make_world(NULL, 0, NULL);
    for (int step = 1; step <= 120; step++) {
        kin_world_step(many, 1.0f / 60);
        kin_world_step(one, 1.0f / 60);
        if (step % 40 == 0)
            printf("step %3d  %d bodies  %s\n", step, kin_world_get_stats(many).bodies,
                   kin_world_hash(many) == kin_world_hash(one) ? "the same bits" : "different bits");
    }
    kin_world_destroy(many);
    kin_world_destroy(one);
    pthread_mutex_lock(&p.mutex);
    p.over = true;
    pthread_cond_broadcast(&p.begun);
    pthread_mutex_unlock(&p.mutex);
    for (int i = 1; i < WORKERS; i++) pthread_join(p.threads[i], NULL);
    return 0;
}
