/* SPDX-License-Identifier: MIT OR Unlicense

   threads.c: four threads ask one world at once while nobody steps it, with a `collide` callback; under the thread
   sanitizer. All get the answers that one thread gets alone. */
#define KINEMATIC_IMPLEMENTATION
#include "kinematic.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#if KINEMATIC_DIM == 2
#define AT(x, y) kin_v(x, y)
#else
#define AT(x, y) kin_v(x, y, 0)
#endif

enum { THREADS = 4, ROUNDS = 60 };
typedef struct asker { pthread_t thread; const kin_world *world; kin_id bodies[12]; unsigned answers; } asker;

static bool decide(const kin_world *world, kin_id body, kin_id other, void *user)
{
    (void)world, (void)user;
    return (body.slot + other.slot) % 3 != 0;
}

static void note(asker *a, unsigned number) { a->answers = a->answers * 31 + number; }

static void *ask(void *context)
{
    asker    *a = (asker *)context;
    kin_shape ball = kin_ball(0.4f);
    int       i;
    for (i = 0; i < ROUNDS; i++) {
        kin_id      body = a->bodies[i % 12], found[8];
        kin_vec     p = kin_get_position(a->world, body), travel = AT(0.1f * (float)(i % 30) - 1.5f, -2), room;
        kin_pose    at;
        kin_hit     hits[8];
        kin_contact contacts[8];
        memset(&at, 0, sizeof at);
        at.p = p;
        note(a, (unsigned)kin_test_move(a->world, body, travel, hits) * 7u + hits[0].id.slot);
        note(a, (unsigned)kin_cast_ray_all(a->world, p, travel, NULL, hits, 8));
        note(a, (unsigned)kin_cast_shape_all(a->world, &ball, at, travel, NULL, hits, 8));
        note(a, (unsigned)kin_overlap(a->world, &ball, at, NULL, found, 8));
        note(a, (unsigned)kin_overlap_contacts(a->world, &ball, at, NULL, contacts, 8));
        note(a, (unsigned)kin_closest(a->world, &ball, at, 3, NULL, contacts) + contacts[0].other.slot);
        note(a, (unsigned)kin_find_room(a->world, &ball, at, 3, NULL, &room));
        note(a, (unsigned)kin_get_contacts(a->world, body, contacts, 8) + (unsigned)kin_on_ground(a->world, body));
        note(a, (unsigned)kin_world_hash(a->world));
    }
    return NULL;
}

int main(void)
{
    kin_world_desc  desc;
    kin_static_desc wall;
    kin_tiles_desc  tiles;
    kin_body_desc   body;
    uint8_t         cells[64];
    asker           askers[THREADS + 1];
    int             i, k, wrong = 0;
    memset(&desc, 0, sizeof desc);
    memset(&wall, 0, sizeof wall);
    memset(&tiles, 0, sizeof tiles);
    memset(&body, 0, sizeof body);
    memset(askers, 0, sizeof askers);
    desc.gravity = AT(0, -20);
    desc.collide = decide;
    askers[0].world = kin_world_create(&desc);
    wall.shape = kin_hull((kin_vec[]){ AT(-9, -1), AT(9, -1), AT(9, 0), AT(-9, 0.5f) }, 4, 0.1f);
    kin_add_static((kin_world *)askers[0].world, &wall);
    for (i = 0; i < 64; i++) cells[i] = i % 5 == 0;
#if KINEMATIC_DIM == 2
    tiles.size = kin_c(16, 4);
#else
    tiles.size = kin_c(16, 4, 1);
#endif
    tiles.cells = cells;
    tiles.origin = AT(-8, 3);
    kin_add_tiles((kin_world *)askers[0].world, &tiles);
    body.shape = kin_ball(0.3f);
    for (i = 0; i < 12; i++) {
        body.position = AT((float)i - 6, 2);
        askers[0].bodies[i] = kin_add_body((kin_world *)askers[0].world, &body);
    }
    for (i = 0; i < 30; i++) kin_world_step((kin_world *)askers[0].world, 1.0f / 60);
    for (k = 1; k <= THREADS; k++) askers[k] = askers[0];
    ask(&askers[0]);
    for (k = 1; k <= THREADS; k++) pthread_create(&askers[k].thread, NULL, ask, &askers[k]);
    for (k = 1; k <= THREADS; k++) pthread_join(askers[k].thread, NULL);
    for (k = 1; k <= THREADS; k++) wrong += askers[k].answers != askers[0].answers;
    kin_world_destroy((kin_world *)askers[0].world);
    printf("%d passed, %d failed\n", THREADS - wrong, wrong);
    return wrong;
}
