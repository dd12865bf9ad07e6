/* SPDX-License-Identifier: MIT OR Unlicense

   game.h: the playground's game, in 2D. The page runs it as wasm, and "Copy as C" puts it word for word into the
   program that it writes, so both do the same and end with the same hash.

   A level is a grid of tiles, a list of things and a list of options. While it plays, the only inputs are the bits of
   the keys, and edits: game_put, game_tile and game_option. */

/* ---- a level --------------------------------------------------------------------------------------------------- */

enum { NOTHING, BOX, LEDGE, LIFT, DOOR, PLATE, WHEEL, PENDULUM, BELT, CRUSHER, CRATE, BALL, FOE, COIN, GOAL, FLAG, HERO,
       CROWD, PLANET, TYPES };

typedef struct thing {
    int   type;
    float x, y, w, h, angle;   /* where it begins, how large it is, how it is turned */
    float dx, dy, speed;       /* where it goes and how fast, if it moves */
    float tag;                 /* lift, crusher: phase; door, plate: channel; wheel: arms; crate: 1 glides;
                                  pendulum: 1 has a platform; hero: player; crowd: count */
} thing;

/* Keys, as bits of one step's input; the second player's are four hexadecimal digits further up. */
enum { LEFT = 1, RIGHT = 2, UP = 4, DOWN = 8, JUMP = 16, PLAYERS = 2, PLAYER_BITS = 16 };

/* Tiles beyond the library's own four. */
enum { SLOPE_UP = 4, SLOPE_DOWN, LOW_UP_1, LOW_UP_2, LOW_DOWN_1, LOW_DOWN_2, BELT_RIGHT, BELT_LEFT, SPIKES };

/* Options: the world's, the game's, then members of the hero's kin_body_desc. */
enum { GRAVITY, VIEW, RUN_SPEED, JUMP_SPEED, MAX_SLOPE, SNAP, STEP_HEIGHT, CORNER_NUDGE, GRAVITY_SCALE, LEFTOVER_FADE,
       PUSH, RIDE, LEAVE, SLOPE, OPTIONS };
enum { SIDE_VIEW, TOP_VIEW, PLANETS };

/* ---- its state while it plays ---------------------------------------------------------------------------------- */

enum { MOST_THINGS = 768 };
#define DT (1.0f / 60)
#define COYOTE 0.1f    /* seconds after the ground in which a jump still works */
#define BUFFER 0.12f   /* seconds before the ground in which a press is remembered */

typedef struct place {
    thing  is;
    kin_id id;
    float  time;    /* of its own: a lift that is held up lets it wait */
    int    state;   /* foe: its direction; door, plate: open, pressed; goal: reached */
} place;

typedef struct player {
    kin_id  id;
    kin_vec up;          /* in the last step */
    float   since_ground, since_press;
    int     jump_was, facing;
} player;

typedef struct game {
    kin_world *world;
    kin_id     tiles;
    int        columns, rows, view;
    float      options[OPTIONS];
    player     players[PLAYERS];
    int        coins, falls, goals, reached, won;
    int        count;                  /* of places */
    place      places[MOST_THINGS];    /* last: a saved game ends with those in use */
} game;

static float limit(float a, float low, float high) { return a < low ? low : a > high ? high : a; }
static float dot(kin_vec a, kin_vec b) { return a.x * b.x + a.y * b.y; }
static kin_vec mix(kin_vec a, float s, kin_vec b, float t) { return kin_v(a.x * s + b.x * t, a.y * s + b.y * t); }
static float length(kin_vec a) { return sqrtf(dot(a, a)); }

/* The user of what belongs to a place is the place's number and one; of all else it is nothing. */
static void *user_of(int index) { return (void *)((intptr_t)index + 1); }

static int place_of(const game *g, kin_id id)
{
    return id.slot ? (int)(intptr_t)kin_get_user(g->world, id) - 1 : -1;
}

static int type_of(const game *g, kin_id id)
{
    int i = place_of(g, id);
    return i >= 0 && i < g->count ? g->places[i].is.type : NOTHING;
}

/* ---- things that stay ------------------------------------------------------------------------------------------ */

static kin_id add_static(game *g, int index, kin_shape shape, kin_static_desc desc)
{
    const thing *t = &g->places[index].is;
    desc.shape = shape;
    desc.position = kin_v(t->x, t->y);
    desc.rotation = kin_turn(t->angle);
    desc.user = user_of(index);
    return kin_add_static(g->world, &desc);
}

static kin_id add_belt(game *g, int index)
{
    const thing *t = &g->places[index].is;
    kin_rot      q = kin_turn(t->angle);
    return add_static(g, index, kin_box(kin_v(t->w, t->h)),
                      (kin_static_desc){ .surface_velocity = { t->speed * q.c, t->speed * q.s } });
}

static kin_id add_ledge(game *g, int index)
{
    const thing *t = &g->places[index].is;
    kin_rot      q = kin_turn(t->angle);
    return add_static(g, index, kin_box(kin_v(t->w, t->h)), (kin_static_desc){ .one_way = { -q.s, q.c } });
}

/* ---- things that move ------------------------------------------------------------------------------------------ */

static kin_id add_mover(game *g, int index, kin_shape shape, kin_mover_desc desc)
{
    const thing *t = &g->places[index].is;
    desc.shape = shape;
    desc.position = kin_v(t->x, t->y);
    desc.rotation = kin_turn(t->angle);
    desc.user = user_of(index);
    return kin_add_mover(g->world, &desc);
}

static void attach(game *g, int index, kin_id mover, kin_shape shape, kin_vec at, kin_rot q)
{
    kin_add_static(g->world, &(kin_static_desc){
        .shape = shape, .position = at, .rotation = q, .attach = mover, .user = user_of(index) });
}

/* A disc, or a hub with arms. */
static kin_id add_wheel(game *g, int index)
{
    const thing *t = &g->places[index].is;
    int          arms = (int)limit(t->tag, 0, 8);
    kin_id       id = add_mover(g, index, kin_ball(arms ? 0.4f : t->w / 2), (kin_mover_desc){ .spin = t->speed });
    for (int i = 0; i < arms; i++) {
        kin_rot q = kin_turn(6.2831853f * (float)i / (float)arms);
        attach(g, index, id, kin_box(kin_v(t->w / 2, t->h)), kin_v(t->w / 4 * q.c, t->w / 4 * q.s), q);
    }
    return id;
}

/* A pivot, a rod, and at its end a ball, or (tag 1) a platform. */
static kin_id add_pendulum(game *g, int index)
{
    const thing *t = &g->places[index].is;
    kin_id       id = add_mover(g, index, kin_ball(0.2f), (kin_mover_desc){ .velocity = { 0, 0 } });
    attach(g, index, id, kin_box(kin_v(0.12f, t->h)), kin_v(0, -t->h / 2), kin_turn(0));
    attach(g, index, id, t->tag > 0 ? kin_box(kin_v(t->w, 0.35f)) : kin_ball(t->w / 2), kin_v(0, -t->h), kin_turn(0));
    return id;
}

/* A planet turns, and has one hill so that one sees it. */
static kin_id add_planet(game *g, int index)
{
    const thing *t = &g->places[index].is;
    kin_id       id = add_mover(g, index, kin_ball(t->w / 2), (kin_mover_desc){ .spin = t->speed });
    attach(g, index, id, kin_box(kin_v(1.2f, 1)), kin_v(0, t->w / 2 + 0.2f), kin_turn(0));
    return id;
}

static kin_id add_block(game *g, int index, kin_blocked on_blocked)
{
    const thing *t = &g->places[index].is;
    return add_mover(g, index, kin_box(kin_v(t->w, t->h)), (kin_mover_desc){ .on_blocked = on_blocked });
}

/* Where on its way, 0 to 1, a crusher is: it waits, falls, rests and rises. */
static float crusher_way(float t)
{
    if (t < 1) return 0;
    if (t < 1.25f) return (t - 1) * (t - 1) * 16;
    if (t < 1.75f) return 1;
    return limit(1 - (t - 1.75f) / 1.25f, 0, 1);
}

static float wrap(float a, float period)
{
    while (a >= period) a -= period;
    return a;
}

static void move_along(game *g, place *p, float way)
{
    kin_move_to(g->world, p->id, kin_v(p->is.x + p->is.dx * way, p->is.y + p->is.dy * way), kin_turn(p->is.angle));
}

static void move_lift(game *g, place *p)
{
    float way = length(kin_v(p->is.dx, p->is.dy));
    if (way < 0.01f) return;
    if (!kin_is_blocked(g->world, p->id)) p->time = wrap(p->time + DT * p->is.speed / way, 2);
    move_along(g, p, 0.5f - 0.5f * kin_turn(3.1415927f * p->time).c);
}

static bool is_pressed(const game *g, float channel)
{
    for (int i = 0; i < g->count; i++)
        if (g->places[i].is.type == PLATE && g->places[i].is.tag == channel && g->places[i].state) return true;
    return false;
}

/* Opens while a plate of its channel is pressed; without such a plate, while the hero is near. */
static bool wants_open(const game *g, const place *p)
{
    kin_vec hero = kin_get_position(g->world, g->players[0].id);
    for (int i = 0; i < g->count; i++)
        if (g->places[i].is.type == PLATE && g->places[i].is.tag == p->is.tag) return is_pressed(g, p->is.tag);
    return length(kin_v(hero.x - p->is.x, hero.y - p->is.y)) < 2.5f + p->is.h / 2;
}

static void move_door(game *g, place *p)
{
    float way = length(kin_v(p->is.dx, p->is.dy));
    if (way < 0.01f) return;
    p->state = wants_open(g, p);
    if (!kin_is_blocked(g->world, p->id))
        p->time = limit(p->time + (p->state ? DT : -DT) * p->is.speed / way, 0, 1);
    move_along(g, p, p->time);
}

static void move_pendulum(game *g, place *p)
{
    p->time = wrap(p->time + DT * p->is.speed, 6.2831853f);
    kin_move_to(g->world, p->id, kin_v(p->is.x, p->is.y), kin_turn(p->is.angle + p->is.dx * kin_turn(p->time).s));
}

/* ---- bodies ---------------------------------------------------------------------------------------------------- */

static kin_id add_body(game *g, int index, kin_shape shape, kin_body_desc desc)
{
    const thing *t = &g->places[index].is;
    desc.shape = shape;
    desc.position = kin_v(t->x, t->y);
    desc.rotation = kin_turn(t->angle);
    desc.user = user_of(index);
    return kin_add_body(g->world, &desc);
}

static kin_id add_foe(game *g, int index)
{
    const thing *t = &g->places[index].is;
    g->places[index].state = t->speed < 0 ? -1 : 1;
    return add_body(g, index, g->view == TOP_VIEW ? kin_ball(t->w / 2) : kin_box(kin_v(t->w, t->h)),
                    (kin_body_desc){ .push = KIN_UNPUSHABLE });
}

/* Whether a ray from its front foot finds no ground. */
static bool at_edge(const game *g, const place *p)
{
    kin_vec    at = kin_get_position(g->world, p->id);
    kin_filter others = { .ignore = p->id };
    at.x += (float)p->state * p->is.w * 0.6f;
    return !kin_cast_ray(g->world, at, kin_v(0, -p->is.h / 2 - 0.6f), &others, NULL);
}

/* To and fro on its ground; seen from above, around the clock wherever a wall stops it. */
static void move_foe(game *g, place *p)
{
    kin_vec     v = kin_get_velocity(g->world, p->id);
    float       speed = p->is.speed < 0 ? -p->is.speed : p->is.speed;
    kin_contact wall;
    if (g->view == TOP_VIEW) {
        bool    stopped = kin_get_wall(g->world, p->id, &wall);
        kin_rot q = kin_turn(1.5707963f * (float)(p->state - 1));
        if (stopped && q.c * wall.normal.x + q.s * wall.normal.y < -0.7f) p->state = p->state % 4 + 1;
        q = kin_turn(1.5707963f * (float)(p->state - 1));
        kin_set_velocity(g->world, p->id, kin_v(speed * q.c, speed * q.s));
        return;
    }
    if (kin_get_wall(g->world, p->id, &wall) && wall.normal.x * (float)p->state < -0.5f) p->state = -p->state;
    else if (kin_on_ground(g->world, p->id) && at_edge(g, p)) p->state = -p->state;
    v.x = (float)p->state * speed;
    kin_set_velocity(g->world, p->id, v);
}

static uint32_t shuffle(uint32_t a)
{
    a = (a ^ a >> 16) * 0x7feb352du;
    a = (a ^ a >> 15) * 0x846ca68bu;
    return a ^ a >> 16;
}

/* As many balls as the tag says, in rows that fill the rectangle. */
static void add_crowd(game *g, int index)
{
    const thing *t = &g->places[index].is;
    int          many = (int)limit(t->tag, 0, 20000), across = 1;
    while ((float)across * (float)across * t->h < (float)many * t->w) across++;
    for (int i = 0; i < many; i++) {
        float    gap = t->w / (float)across;
        uint32_t r = shuffle((uint32_t)i);
        float    aside = 0.004f * (float)(r >> 8 & 127), above = 0.004f * (float)(r >> 16 & 127);   /* out of line */
        kin_add_body(g->world, &(kin_body_desc){
            .shape = kin_ball(gap * (0.16f + 0.008f * (float)(r % 10))), .user = user_of(index),
            .position = { t->x - t->w / 2 + gap * (0.25f + aside + (float)(i % across)),
                          t->y - t->h / 2 + gap * (0.25f + above + (float)(i / across)) } });
    }
}

/* Each changes its mind every two seconds, at a time of its own; most of them like to stand about. */
static void move_crowd(game *g)
{
    uint32_t now = (uint32_t)kin_world_steps(g->world);
    for (kin_id id = kin_next(g->world, KIN_BODY, (kin_id){ 0 }); id.slot; id = kin_next(g->world, KIN_BODY, id)) {
        int      index;
        uint32_t r;
        if ((now + id.slot * 7) % 128) continue;
        index = place_of(g, id);
        if (index < 0 || g->places[index].is.type != CROWD) continue;
        r = shuffle(id.slot * 8191 + now);
        if (g->view == TOP_VIEW) {
            kin_rot q = kin_turn(0.0245437f * (float)(r & 255));
            float   speed = r >> 8 & 15 ? 0 : g->places[index].is.speed;
            kin_set_velocity(g->world, id, kin_v(speed * q.c, speed * q.s));
        } else {
            kin_vec v = kin_get_velocity(g->world, id);
            v.x = r >> 8 & 15 ? 0 : g->places[index].is.speed * (r & 1 ? 1.0f : -1.0f);
            kin_set_velocity(g->world, id, v);
        }
    }
}

/* ---- the hero -------------------------------------------------------------------------------------------------- */

static void apply_options(game *g, kin_id hero)
{
    const float  *o = g->options;
    kin_body_desc desc;
    if (!kin_get_body_options(g->world, hero, &desc)) return;
    desc.max_slope = o[MAX_SLOPE];
    desc.snap = o[SNAP];
    desc.step_height = o[STEP_HEIGHT];
    desc.corner_nudge = o[CORNER_NUDGE];
    desc.gravity_scale = o[GRAVITY_SCALE];
    desc.leftover_fade = o[LEFTOVER_FADE];
    desc.push = (kin_push)(int)o[PUSH];
    desc.ride = (kin_ride)(int)o[RIDE];
    desc.leave = (kin_leave)(int)o[LEAVE];
    desc.slope = (kin_slope)(int)o[SLOPE];
    kin_set_body_options(g->world, hero, &desc);
}

/* Its tag is the number of its player. */
static kin_id add_hero(game *g, int index)
{
    const thing *t = &g->places[index].is;
    player      *p = &g->players[t->tag > 0];
    kin_shape    shape = g->view == SIDE_VIEW ? kin_capsule(limit(t->h, t->w, 100), t->w / 2) : kin_ball(t->w / 2);
    *p = (player){ .id = add_body(g, index, shape, (kin_body_desc){ .push = KIN_UNPUSHABLE }), .up = { 0, 1 },
                   .since_press = 1, .facing = 1 };
    apply_options(g, p->id);
    return p->id;
}

static void begin_again(game *g, player *p)
{
    int i = place_of(g, p->id);
    if (i < 0) return;
    kin_set_position(g->world, p->id, kin_v(g->places[i].is.x, g->places[i].is.y));
    kin_set_velocity(g->world, p->id, kin_v(0, 0));
    kin_set_leftover(g->world, p->id, kin_v(0, 0));
    kin_set_enabled(g->world, p->id, true);
    g->falls++;
}

static float towards(float a, float goal, float most) { return a + limit(goal - a, -most, most); }

static void walk_from_above(game *g, player *p, int keys)
{
    float across = (float)((keys & RIGHT) / RIGHT - (keys & LEFT));
    float along = (float)((keys & UP) / UP - (keys & DOWN) / DOWN);
    float speed = g->options[RUN_SPEED] * (across * along > 0 || across * along < 0 ? 0.70710678f : 1);
    if (across > 0 || across < 0) p->facing = (int)across;
    kin_set_velocity(g->world, p->id, kin_v(speed * across, speed * along));
}

/* Velocity is kept along the ground and away from it, so that it turns with gravity, where that turns. */
static void walk(game *g, player *p, int keys)
{
    kin_vec v = kin_get_velocity(g->world, p->id), up = kin_world_get_up(g->world), right = { up.y, -up.x };
    float   along = dot(v, kin_v(p->up.y, -p->up.x)), rise = dot(v, p->up);
    float   stick = (float)((keys & RIGHT) / RIGHT - (keys & LEFT));
    bool    grounded = kin_on_ground(g->world, p->id);
    p->up = up;
    p->since_ground = grounded ? 0 : p->since_ground + DT;
    p->since_press = keys & JUMP && !p->jump_was ? 0 : p->since_press + DT;
    p->jump_was = keys & JUMP;
    if (stick > 0 || stick < 0) p->facing = (int)stick;
    along = towards(along, g->options[RUN_SPEED] * stick, DT * (grounded ? 80 : 50));
    if (p->since_press <= BUFFER && p->since_ground <= COYOTE) {
        rise = g->options[JUMP_SPEED];
        p->since_press = p->since_ground = 1;                                   /* used up */
    } else if (grounded && rise > 0 && g->view == PLANETS) {
        rise = 0;
    }
    if (!(keys & JUMP) && rise > 0.4f * g->options[JUMP_SPEED]) rise -= DT * 60;   /* let go early: a lower jump */
    if (keys & DOWN) kin_drop_through(g->world, p->id);
    kin_set_velocity(g->world, p->id, mix(right, along, up, rise));
}

/* On a planet, down is where the nearest one is. */
static void turn_gravity(game *g)
{
    kin_vec at = kin_get_position(g->world, g->players[0].id), down = { 0, -1 };
    float   nearest = 1e9f;
    for (int i = 0; i < g->count; i++) {
        const thing *t = &g->places[i].is;
        kin_vec      to = { t->x - at.x, t->y - at.y };
        float        far = length(to);
        if (t->type != PLANET || far < 0.01f || far - t->w / 2 >= nearest) continue;
        nearest = far - t->w / 2;
        down = kin_v(to.x / far, to.y / far);
    }
    kin_world_set_gravity(g->world, kin_v(down.x * g->options[GRAVITY], down.y * g->options[GRAVITY]));
}

static void remove_place(game *g, place *p)
{
    kin_remove(g->world, p->id);
    p->id = (kin_id){ 0 };
}

/* Foes that are jumped on are gone; from any other side they win. */
static void meet(game *g, player *p)
{
    kin_contact contacts[16];
    int         count = kin_get_contacts(g->world, p->id, contacts, 16);
    bool        lost = false;
    for (int i = 0; i < count && i < 16; i++) {
        bool spikes = kin_same(contacts[i].other, g->tiles) && contacts[i].part >= 0 &&
                      kin_get_tile(g->world, g->tiles, kin_c(contacts[i].part % g->columns,
                                                             contacts[i].part / g->columns)) == SPIKES;
        if (spikes) lost = true;
        if (type_of(g, contacts[i].other) != FOE) continue;
        if (g->view == TOP_VIEW || dot(contacts[i].normal, p->up) < 0.6f) {
            lost = true;
        } else {
            remove_place(g, &g->places[place_of(g, contacts[i].other)]);
            kin_set_velocity(g->world, p->id, mix(kin_get_velocity(g->world, p->id), 1, p->up, 9));
        }
    }
    if (lost) begin_again(g, p);
}

/* ---- after the step -------------------------------------------------------------------------------------------- */

static void crushed(game *g, kin_id id)
{
    int i = place_of(g, id), type = type_of(g, id);
    if (type == HERO) begin_again(g, &g->players[g->places[i].is.tag > 0]);
    else if (type == CROWD) kin_remove(g->world, id);
    else if (i >= 0) remove_place(g, &g->places[i]);
}

static void take(game *g, kin_id by, kin_id what)
{
    int type = type_of(g, what);
    if (type_of(g, by) != HERO) return;
    if (type == COIN) {
        g->coins++;
        remove_place(g, &g->places[place_of(g, what)]);
    } else if (type == FLAG) {
        g->won = 1;
    }
}

static void hear(game *g)
{
    const kin_event *event;
    for (int n = kin_get_events(g->world, &event); n > 0; n--, event++) {
        if (!kin_alive(g->world, event->a)) continue;
        if (event->type == KIN_EVENT_CRUSHED) crushed(g, event->a);
        if (event->type == KIN_EVENT_BEGAN && kin_alive(g->world, event->b)) take(g, event->a, event->b);
    }
}

/* Plates feel every body, goals only crates and balls. */
static int count_touching(game *g, const place *p)
{
    kin_contact contacts[8];
    int         count = kin_get_contacts(g->world, p->id, contacts, 8), touching = 0;
    for (int i = 0; i < count && i < 8; i++) {
        int type = type_of(g, contacts[i].other);
        if (p->is.type == PLATE || type == CRATE || type == BALL) touching++;
    }
    return touching;
}

static void look_around(game *g)
{
    g->goals = g->reached = 0;
    for (int i = 0; i < g->count; i++) {
        place *p = &g->places[i];
        if (p->is.type == PLATE || p->is.type == GOAL) p->state = count_touching(g, p) > 0;
        if (p->is.type == GOAL) g->goals++, g->reached += p->state;
    }
    if (g->goals && g->goals == g->reached) g->won = 1;
    for (int i = 0; i < PLAYERS; i++) {
        player *p = &g->players[i];
        kin_vec at;
        if (!p->id.slot) continue;
        meet(g, p);
        at = kin_get_position(g->world, p->id);
        if (at.y < -12 || at.y > 200 || at.x < -40 || at.x > (float)g->columns + 40) begin_again(g, p);
    }
}

/* ---- edits: a level is built by them, too ---------------------------------------------------------------------- */

static kin_id add_thing(game *g, int index)
{
    const thing *t = &g->places[index].is;
    kin_shape    box = kin_box(kin_v(t->w, t->h));
    switch (t->type) {
    case BOX: return add_static(g, index, box, (kin_static_desc){ 0 });
    case LEDGE: return add_ledge(g, index);
    case BELT: return add_belt(g, index);
    case PLATE: case GOAL: case FLAG: return add_static(g, index, box, (kin_static_desc){ .sensor = true });
    case COIN: return add_static(g, index, kin_ball(t->w / 2), (kin_static_desc){ .sensor = true });
    case LIFT: case DOOR: return add_block(g, index, KIN_BLOCKED_STOP);
    case CRUSHER: return add_block(g, index, KIN_BLOCKED_PASS);
    case WHEEL: return add_wheel(g, index);
    case PENDULUM: return add_pendulum(g, index);
    case PLANET: return add_planet(g, index);
    case CRATE: return add_body(g, index, box, (kin_body_desc){ .glide = t->tag > 0 });
    case BALL: return add_body(g, index, kin_ball(t->w / 2), (kin_body_desc){ .glide = t->tag > 0 });
    case FOE: return add_foe(g, index);
    case HERO: return add_hero(g, index);
    case CROWD: add_crowd(g, index); return (kin_id){ 0 };
    default: return (kin_id){ 0 };
    }
}

static void remove_crowd(game *g, int index)
{
    kin_id id = kin_next(g->world, KIN_BODY, (kin_id){ 0 });
    while (id.slot) {
        kin_id next = kin_next(g->world, KIN_BODY, id);
        if (place_of(g, id) == index) kin_remove(g->world, id);
        id = next;
    }
}

/* Puts a thing in a place, instead of what is there; one of type NOTHING leaves it free. */
static bool game_put(game *g, int index, thing what)
{
    place *p = &g->places[index];
    if (index < 0 || index > g->count || index >= MOST_THINGS) return false;
    if (index == g->count) g->count++;
    else if (p->is.type == CROWD) remove_crowd(g, index);
    else if (p->id.slot) kin_remove(g->world, p->id);
    if (p->is.type == HERO) g->players[p->is.tag > 0] = (player){ .up = { 0, 1 } };
    *p = (place){ .is = what };
    if (what.type == LIFT) p->time = wrap(limit(what.tag, 0, 2), 2);
    if (what.type == CRUSHER) p->time = wrap(limit(what.tag, 0, 3), 3);
    p->id = add_thing(g, index);
    return true;
}

static bool game_tile(game *g, int x, int y, int value)
{
    return kin_set_tile(g->world, g->tiles, kin_c(x, y), (uint8_t)value);
}

static void game_option(game *g, int option, float value)
{
    if (option < 0 || option >= OPTIONS) return;
    g->options[option] = value;
    g->view = (int)g->options[VIEW];
    if (option == GRAVITY || option == VIEW)
        kin_world_set_gravity(g->world, kin_v(0, g->view == TOP_VIEW ? 0 : -g->options[GRAVITY]));
    for (int i = 0; i < PLAYERS; i++)
        if (g->players[i].id.slot) apply_options(g, g->players[i].id);
}

static void define_slope(game *g, int value, kin_vec a, kin_vec b, kin_vec c, kin_vec d, int count)
{
    kin_define_tile(g->world, g->tiles, (uint8_t)value, &(kin_tile){ .points = { a, b, c, d }, .count = count });
}

/* An empty level; desc is for those who have an allocator of their own. */
static bool game_begin(game *g, int columns, int rows, const float *options, kin_world_desc desc)
{
    kin_vec o = { 0, 0 }, r = { 1, 0 }, t = { 0, 1 }, rt = { 1, 1 }, half = { 0, 0.5f }, rhalf = { 1, 0.5f };
    *g = (game){ .columns = columns, .rows = rows, .view = (int)options[VIEW] };
    desc.gravity = kin_v(0, g->view == TOP_VIEW ? 0 : -options[GRAVITY]);
    desc.rate = 60;
    desc.trust_snapshots = true;   /* it loads none but its own */
    g->world = kin_world_create(&desc);
    if (!g->world) return false;
    for (int i = 0; i < OPTIONS; i++) g->options[i] = options[i];
    g->tiles = kin_add_tiles(g->world, &(kin_tiles_desc){ .size = { columns, rows } });
    define_slope(g, SLOPE_UP, o, r, rt, o, 3);
    define_slope(g, SLOPE_DOWN, o, r, t, o, 3);
    define_slope(g, LOW_UP_1, o, r, rhalf, o, 3);
    define_slope(g, LOW_UP_2, o, r, rt, half, 4);
    define_slope(g, LOW_DOWN_1, o, r, rhalf, t, 4);
    define_slope(g, LOW_DOWN_2, o, r, half, o, 3);
    define_slope(g, SPIKES, kin_v(0.1f, 0), kin_v(0.9f, 0), kin_v(0.9f, 0.3f), kin_v(0.1f, 0.3f), 4);
    kin_define_tile(g->world, g->tiles, BELT_RIGHT, &(kin_tile){ .surface_velocity = { 3, 0 } });
    kin_define_tile(g->world, g->tiles, BELT_LEFT, &(kin_tile){ .surface_velocity = { -3, 0 } });
    return true;
}

/* ---- one step -------------------------------------------------------------------------------------------------- */

static void move_places(game *g)
{
    for (int i = 0; i < g->count; i++) {
        place *p = &g->places[i];
        if (p->is.type == CROWD) move_crowd(g);
        if (!p->id.slot) continue;
        switch (p->is.type) {
        case LIFT: move_lift(g, p); break;
        case DOOR: move_door(g, p); break;
        case PENDULUM: move_pendulum(g, p); break;
        case FOE: move_foe(g, p); break;
        case CRUSHER:
            p->time = wrap(p->time + DT * p->is.speed, 3);
            move_along(g, p, crusher_way(p->time));
            break;
        default: break;
        }
    }
}

static void game_step(game *g, uint32_t keys)
{
    if (g->view == PLANETS) turn_gravity(g);
    move_places(g);
    for (int i = 0; i < PLAYERS; i++) {
        player *p = &g->players[i];
        int     own = (int)(keys >> i * PLAYER_BITS & 31);
        if (!p->id.slot) continue;
        if (g->view == TOP_VIEW) walk_from_above(g, p, own);
        else walk(g, p, own);
    }
    kin_world_step(g->world, DT);
    hear(g);
    look_around(g);
}
