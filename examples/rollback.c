/* SPDX-License-Identifier: MIT OR Unlicense

   rollback.c: two players, two machines, and a network that delivers 8 frames late.

   Each machine runs at once with what it knows and guesses the rest: the other still holds what he held last. When
   the truth arrives and differs, it goes back to the snapshot of that frame and runs again. A world that is restored
   continues bit for bit, so both machines end with the same hash as one that knew everything from the start. */
#define KINEMATIC_IMPLEMENTATION
#include "kinematic.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FRAMES = 600, LATE = 8, KEPT = 16, LEFT = 1, RIGHT = 2, JUMP = 4 };

/* What player 0 or 1 really pressed: each changes his mind every few frames. */
static uint8_t pressed(int player, int frame)
{
    uint32_t r = (uint32_t)(frame / 11 * 2 + player) * 2654435761u;
    return (uint8_t)(r >> 13 & (LEFT | RIGHT | JUMP));
}

/* ---- a game: two heroes, some crates, a wheel --------------------------------------------------------------------- */

typedef struct game {
    kin_world *world;
    kin_id     heroes[2];
    uint8_t    input[FRAMES][2];     /* known or guessed */
    int        known[2];             /* frames of each player that are known */
    void      *snapshots[KEPT];      /* of the state before frame i, at i % KEPT */
    size_t     sizes[KEPT];
    int        rollbacks, frames_again;
} game;

static void begin(game *g)
{
    memset(g, 0, sizeof *g);
    g->world = kin_world_create(&(kin_world_desc){
        .gravity = { 0, -30 }, .trust_snapshots = true });            /* it loads none but its own */
    kin_add_static(g->world, &(kin_static_desc){ .shape = kin_box(kin_v(30, 1)), .position = { 0, -0.5f } });
    for (int side = -1; side <= 1; side += 2)
        kin_add_static(g->world, &(kin_static_desc){
            .shape = kin_box(kin_v(1, 20)), .position = { (float)side * 15.5f, 10 } });
    kin_add_mover(g->world, &(kin_mover_desc){ .shape = kin_ball(1.5f), .position = { 0, -0.5f }, .spin = 2 });
    for (int i = 0; i < 6; i++)
        kin_add_body(g->world, &(kin_body_desc){
            .shape = kin_box(kin_v(1, 1)), .position = { 4 + 1.5f * (float)(i % 3), 0.5f + 1.02f * (float)(i / 3) } });
    for (int i = 0; i < 2; i++)
        g->heroes[i] = kin_add_body(g->world, &(kin_body_desc){
            .shape = kin_capsule(1.8f, 0.4f), .position = { i ? 8.0f : -8.0f, 1 }, .push = KIN_UNPUSHABLE });
}

static void step(game *g, const uint8_t input[2])
{
    for (int i = 0; i < 2; i++) {
        kin_vec v = kin_get_velocity(g->world, g->heroes[i]);
        v.x = (input[i] & RIGHT ? 6.0f : 0) - (input[i] & LEFT ? 6.0f : 0);
        if (input[i] & JUMP && kin_on_ground(g->world, g->heroes[i])) v.y = 12;
        kin_set_velocity(g->world, g->heroes[i], v);
    }
    kin_world_step(g->world, 1.0f / 60);
}

/* ---- rollback ---------------------------------------------------------------------------------------------------- */

static void save(game *g, int frame)
{
    int at = frame % KEPT;
    g->sizes[at] = kin_snapshot_size(g->world);
    g->snapshots[at] = realloc(g->snapshots[at], g->sizes[at]);
    kin_snapshot_save(g->world, g->snapshots[at], g->sizes[at]);
}

static void run_frame(game *g, int frame)
{
    for (int i = 0; i < 2; i++)
        if (frame >= g->known[i]) g->input[frame][i] = frame ? g->input[frame - 1][i] : 0;   /* the guess */
    save(g, frame);
    step(g, g->input[frame]);
}

/* The truth about one frame; false if it was guessed right, or not run yet. */
static bool learn(game *g, int player, int frame, uint8_t input, int now)
{
    bool wrong = frame < now && g->input[frame][player] != input;
    g->input[frame][player] = input;
    g->known[player] = frame + 1;
    return wrong;
}

static void roll_back(game *g, int frame, int now)
{
    g->rollbacks++;
    g->frames_again += now - frame;
    kin_snapshot_load(g->world, g->snapshots[frame % KEPT], g->sizes[frame % KEPT]);
    for (int i = frame; i < now; i++) run_frame(g, i);
}

/* One machine: knows its own player at once, the other one LATE frames later. */
static void play(game *g, int own)
{
    begin(g);
    for (int now = 0; now < FRAMES + LATE; now++) {
        int heard = now - LATE, ran = now < FRAMES ? now : FRAMES;
        if (now < FRAMES) learn(g, own, now, pressed(own, now), now);
        if (heard >= 0 && learn(g, !own, heard, pressed(!own, heard), ran)) roll_back(g, heard, ran);
        if (now < FRAMES) run_frame(g, now);
    }
}

static void end(game *g)
{
    for (int i = 0; i < KEPT; i++) free(g->snapshots[i]);
    kin_world_destroy(g->world);
}

int main(void)
{
    static game machines[2], truth;
    uint64_t    hashes[3];
    begin(&truth);
    for (int frame = 0; frame < FRAMES; frame++) step(&truth, (uint8_t[2]){ pressed(0, frame), pressed(1, frame) });
    hashes[2] = kin_world_hash(truth.world);
    for (int i = 0; i < 2; i++) {
        play(&machines[i], i);
        hashes[i] = kin_world_hash(machines[i].world);
        printf("machine %d: %d rollbacks, %d frames run again\n", i, machines[i].rollbacks, machines[i].frames_again);
        end(&machines[i]);
    }
    printf("after %d frames both machines %s, and with one that knew everything %s\n", FRAMES,
           hashes[0] == hashes[1] ? "agree" : "DIFFER", hashes[0] == hashes[2] ? "too" : "NOT");
    end(&truth);
    return hashes[0] == hashes[1] && hashes[0] == hashes[2] ? 0 : 1;
}
