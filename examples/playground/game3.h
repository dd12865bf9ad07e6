/* SPDX-License-Identifier: MIT OR Unlicense

   game3.h: the playground's game in 3D: a place, movers, crates, and a hero seen from behind. */

enum { LEFT = 1, RIGHT = 2, UP = 4, DOWN = 8, JUMP = 16, TURN_LEFT = 32, TURN_RIGHT = 64, PLAYERS = 1 };
#define DT (1.0f / 60)

typedef struct player { kin_id id; float since_ground, since_press; int jump_was; } player;

typedef struct game {
    kin_world *world;
    kin_id     lift, bridge;
    player     players[PLAYERS];
    float      heading;        /* of the camera, about the vertical: what is ahead */
    float      lift_time, bridge_time;
    int        falls;
} game;

/* ---- the place ------------------------------------------------------------------------------------------------- */

static void add_box(game *g, kin_vec from, kin_vec to)
{
    kin_add_static(g->world, &(kin_static_desc){
        .shape = kin_box(kin_v(to.x - from.x, to.y - from.y, to.z - from.z)),
        .position = { (from.x + to.x) / 2, (from.y + to.y) / 2, (from.z + to.z) / 2 } });
}

static kin_shape disc(float radius, float height)
{
    kin_vec points[24];
    for (int i = 0; i < 12; i++) {
        float   angle = 0.52359878f * (float)i;
        kin_rot q = kin_turn(kin_v(0, 1, 0), angle * 2);    /* w and y are cosine and sine of half of it */
        points[2 * i] = kin_v(radius * q.w, -height / 2, radius * q.y);
        points[2 * i + 1] = kin_v(radius * q.w, height / 2, radius * q.y);
    }
    return kin_hull(points, 24, 0);
}

static void add_place(game *g)
{
    add_box(g, kin_v(-12, -1, -12), kin_v(12, 0, 12));
    for (int side = -12; side <= 12; side += 24)
        add_box(g, kin_v((float)side - 0.25f, 0, -12), kin_v((float)side + 0.25f, 1, 12));
    add_box(g, kin_v(-12, 0, -12.25f), kin_v(12, 1, -11.75f));
    for (int i = 0; i < 8; i++)
        add_box(g, kin_v(-11, 0, 2 + 0.6f * (float)i), kin_v(-7, 0.3f * (float)(i + 1), 2.6f + 0.6f * (float)i));
    add_box(g, kin_v(-11, 0, 6.8f), kin_v(-7, 2.4f, 11));
    add_box(g, kin_v(6, 0, 6), kin_v(11, 2.4f, 11));
    kin_add_static(g->world, &(kin_static_desc){             /* a ramp */
        .shape = kin_hull((kin_vec[]){ { -1.5f, 0, -2.5f }, { 1.5f, 0, -2.5f }, { -1.5f, 0, 2.5f }, { 1.5f, 0, 2.5f },
            { -1.5f, 2.4f, 2.5f }, { 1.5f, 2.4f, 2.5f } }, 6, 0), .position = { 8.5f, 0, 3.5f } });
}

static kin_id add_crate(game *g, float x, float y, float z, float size)
{
    return kin_add_body(g->world, &(kin_body_desc){
        .shape = kin_box(kin_v(size, size, size)), .position = { x, y, z } });
}

static void add_things(game *g)
{
    kin_id disc_id = kin_add_mover(g->world, &(kin_mover_desc){
        .shape = disc(3, 0.4f), .position = { 0, 0.2f, 1 }, .spin = { 0, 0.7f, 0 } });
    kin_add_static(g->world, &(kin_static_desc){
        .shape = kin_box(kin_v(0.4f, 1.2f, 0.4f)), .position = { 2.2f, 0.8f, 0 }, .attach = disc_id });
    kin_add_static(g->world, &(kin_static_desc){
        .shape = kin_box(kin_v(0.4f, 1.2f, 0.4f)), .position = { -2.2f, 0.8f, 0 }, .attach = disc_id });
    kin_add_mover(g->world, &(kin_mover_desc){
        .shape = kin_box(kin_v(5, 0.5f, 0.5f)), .position = { 7, 0.6f, -6 }, .spin = { 0, 1.2f, 0 } });
    g->lift = kin_add_mover(g->world, &(kin_mover_desc){
        .shape = kin_box(kin_v(3, 0.3f, 3)), .position = { -9, 0.15f, -7 }, .on_blocked = KIN_BLOCKED_STOP });
    g->bridge = kin_add_mover(g->world, &(kin_mover_desc){
        .shape = kin_box(kin_v(3, 0.3f, 3)), .position = { -5, 2.25f, 9 }, .on_blocked = KIN_BLOCKED_STOP });
    for (int i = 0; i < 4; i++) add_crate(g, -3 + 1.3f * (float)i, 0.5f, -5, 1);
    add_crate(g, -2.4f, 1.52f, -5, 0.9f);
    add_crate(g, 0, 0.9f, 1, 0.8f);
    add_crate(g, 4.5f, 0.4f, 8.5f, 0.8f);
}

static bool game_begin(game *g, int columns, int rows, const float *options, kin_world_desc desc)
{
    (void)columns, (void)rows, (void)options;
    *g = (game){ .players = { { .since_press = 1 } } };
    desc.gravity = kin_v(0, -25, 0);
    desc.rate = 60;
    desc.trust_snapshots = true;   /* it loads none but its own */
    g->world = kin_world_create(&desc);
    if (!g->world) return false;
    add_place(g);
    add_things(g);
    g->players[0].id = kin_add_body(g->world, &(kin_body_desc){
        .shape = kin_capsule(1.6f, 0.35f), .position = { 0, 0.82f, -9 }, .push = KIN_UNPUSHABLE, .step_height = 0.35f,
        .max_slope = 0.9f });
    return true;
}

/* ---- one step -------------------------------------------------------------------------------------------------- */

/* Cosine and sine of an angle: those of a rotation by twice as much. */
static kin_rot half_turn(float angle) { return kin_turn(kin_v(0, 1, 0), 2 * angle); }

static float advance(const game *g, kin_id mover, float time, float speed)
{
    if (!kin_is_blocked(g->world, mover)) time += DT * speed;
    return time >= 6.2831853f ? time - 6.2831853f : time;
}

static void move_movers(game *g)
{
    kin_rot none = kin_turn(kin_v(0, 1, 0), 0);
    g->lift_time = advance(g, g->lift, g->lift_time, 0.8f);
    g->bridge_time = advance(g, g->bridge, g->bridge_time, 0.7f);
    kin_move_to(g->world, g->lift, kin_v(-9, 1.65f - 1.5f * half_turn(g->lift_time).w, -7), none);
    kin_move_to(g->world, g->bridge, kin_v(-0.5f - 4.5f * half_turn(g->bridge_time).w, 2.25f, 9), none);
}

/* Along the camera's view. */
static void walk(game *g, player *p, uint32_t keys)
{
    kin_vec v = kin_get_velocity(g->world, p->id);
    float   right = (float)((keys & RIGHT) / RIGHT) - (float)(keys & LEFT);
    float   ahead = (float)((keys & UP) / UP) - (float)((keys & DOWN) / DOWN);
    float   speed = right * ahead > 0 || right * ahead < 0 ? 3.5355339f : 5;
    kin_rot q;
    g->heading += 1.9f * DT * ((float)((keys & TURN_LEFT) / TURN_LEFT) - (float)((keys & TURN_RIGHT) / TURN_RIGHT));
    if (g->heading > 3.1415927f) g->heading -= 6.2831853f;
    if (g->heading < -3.1415927f) g->heading += 6.2831853f;
    q = half_turn(g->heading);
    p->since_ground = kin_on_ground(g->world, p->id) ? 0 : p->since_ground + DT;
    p->since_press = keys & JUMP && !p->jump_was ? 0 : p->since_press + DT;
    p->jump_was = (int)(keys & JUMP);
    v.x = speed * (ahead * q.y - right * q.w);
    v.z = speed * (ahead * q.w + right * q.y);
    if (p->since_press <= 0.12f && p->since_ground <= 0.1f) {
        v.y = 9.5f;
        p->since_press = p->since_ground = 1;                              /* used up */
    }
    kin_set_velocity(g->world, p->id, v);
}

static void game_step(game *g, uint32_t keys)
{
    player *p = &g->players[0];
    kin_vec at;
    move_movers(g);
    walk(g, p, keys);
    kin_world_step(g->world, DT);
    at = kin_get_position(g->world, p->id);
    if (at.y > -8 && at.y < 100) return;
    kin_set_position(g->world, p->id, kin_v(0, 0.82f, -9));
    kin_set_velocity(g->world, p->id, kin_v(0, 0, 0));
    g->falls++;
}
