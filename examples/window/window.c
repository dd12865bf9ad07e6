/* SPDX-License-Identifier: MIT OR Unlicense

   window.c: a pixel platformer in a window, with SDL2. `make window` builds and starts it.

   One unit is one pixel and y points down, as on the screen. The level is a text file:
       # solid   - plank, one-way   / \ slopes   > conveyor   o coin   X crate   @ hero
       L lift, down and up   M lift, to and fro   C crusher
   Arrows or A and D walk, space, up or W jumps, down drops through a plank; gamepad: stick or cross, and A.
   Tab (gamepad: Y) shows what the library sees, R starts again, escape ends. */
#define KINEMATIC_IMPLEMENTATION
#include "kinematic.h"

#include <SDL.h>
#include <stdio.h>
#include <string.h>

enum { TILE = 16, VIEW_WIDTH = 320, VIEW_HEIGHT = 180, ZOOM = 3, MAX_WIDTH = 256, MAX_HEIGHT = 64, MAX_LIFTS = 64 };
enum { UPHILL = 4, DOWNHILL, BELT };        /* our own tiles, after the four that are built in */
static const char TILES[] = " #-o/\\>";     /* in the order of their values */

static const kin_tile OWN_TILES[] = { { .points = { { 0, 1 }, { 1, 1 }, { 1, 0 } }, .count = 3 },
                                      { .points = { { 0, 1 }, { 1, 1 }, { 0, 0 } }, .count = 3 },
                                      { .surface_velocity = { 50, 0 } } };

enum { SKY = 0x1d243a, EARTH = 0x4a5670, GRASS = 0x609660, PLANK = 0x4fd6c4, GOLD = 0xffe066, GREY = 0x82828c,
       INK = 0x0d1117, WOOD = 0xe8a33d, BLUE = 0x5aa2ff, RED = 0xe5534b, LIME = 0x7ee787 };

typedef struct lift { kin_vec home, travel; float seconds, turn; } lift;   /* turn: the part of the time it goes out */

typedef struct game {
    kin_world *world;
    kin_id     hero, tiles;
    int        width, height, coins, all_coins, lift_count;   /* width and height in tiles */
    bool       lost, quit, overlay;
    bool       pressed, held, down;                           /* jump: since the last step, now; drop through */
    float      stick, since_ground, since_press, facing;
    lift       lifts[MAX_LIFTS];
} game;

/* ---- motion and events ------------------------------------------------------------------------------------------- */

/* A jump works shortly after the ground is lost and if it is pressed shortly before; let go early, it is lower. */
static void control_hero(kin_world *world, kin_id hero, float dt, void *user)
{
    game   *g = user;
    kin_vec v = kin_get_velocity(world, hero);
    float   missing = 110 * g->stick - v.x, change = 900 * dt;
    g->since_ground = kin_on_ground(world, hero) ? 0 : g->since_ground + dt;
    g->since_press = g->pressed ? 0 : g->since_press + dt;
    g->pressed = false;
    v.x += missing > change ? change : missing < -change ? -change : missing;
    if (g->since_press < 0.1f && g->since_ground < 0.1f) {
        v.y = -310;
        g->since_press = g->since_ground = 1;   /* used up */
    }
    if (!g->held && v.y < -120) v.y = -120;
    if (g->down) kin_drop_through(world, hero);
    if (g->stick != 0) g->facing = g->stick < 0 ? -1.0f : 1.0f;
    kin_set_velocity(world, hero, v);
}

static void control_lift(kin_world *world, kin_id mover, float dt, void *user)
{
    const lift *l = user;
    float       phase = (float)SDL_fmod((double)kin_world_steps(world) * (double)dt / (double)l->seconds, 1);
    float       part = phase < l->turn ? phase / l->turn : (1 - phase) / (1 - l->turn);
    kin_move_to(world, mover, kin_v(l->home.x + part * l->travel.x, l->home.y + part * l->travel.y), kin_turn(0));
}

static void on_event(kin_world *world, const kin_event *event, void *user)
{
    game    *g = user;
    kin_cell cell = kin_c(event->part % g->width, event->part / g->width);
    if (!kin_same(event->a, g->hero)) return;
    if (event->type == KIN_EVENT_CRUSHED) g->lost = true;
    if (event->type != KIN_EVENT_BEGAN || !kin_same(event->b, g->tiles)) return;
    if (kin_get_tile(world, g->tiles, cell) == KIN_TILE_SENSOR)
        g->coins += kin_set_tile(world, g->tiles, cell, KIN_TILE_EMPTY);
}

/* ---- the level --------------------------------------------------------------------------------------------------- */

static void add_lift(game *g, kin_vec size, lift way)
{
    if (g->lift_count == MAX_LIFTS) return;
    g->lifts[g->lift_count] = way;
    kin_add_mover(g->world, &(kin_mover_desc){ .shape = kin_box(size), .position = way.home, .control = control_lift,
        .user = &g->lifts[g->lift_count++] });
}

/* p is the middle of the character's cell. */
static void add_thing(game *g, char c, kin_vec p)
{
    if (c == '@')
        g->hero = kin_add_body(g->world, &(kin_body_desc){ .shape = kin_capsule(15, 5), .position = p,
            .push = KIN_UNPUSHABLE, .corner_nudge = 4, .control = control_hero, .user = g });
    if (c == 'X')
        kin_add_body(g->world, &(kin_body_desc){ .shape = kin_box(kin_v(14, 14)), .position = { p.x, p.y + 1 } });
    if (c == 'L') add_lift(g, kin_v(46, 6), (lift){ p, { 0, 5 * TILE }, 6, 0.5f });
    if (c == 'M') add_lift(g, kin_v(46, 6), (lift){ p, { 8 * TILE, 0 }, 6, 0.5f });
    if (c == 'C') add_lift(g, kin_v(30, 30), (lift){ { p.x, p.y - 3 * TILE }, { 0, 3 * TILE - 7 }, 2.4f, 0.1f });
}

/* With y down, the first line of the file is row 0 of the tiles. False: there is no such file, or no hero in it. */
static bool load_level(game *g, const char *path)
{
    static char    map[MAX_HEIGHT][MAX_WIDTH + 2];
    static uint8_t cells[MAX_HEIGHT * MAX_WIDTH];
    FILE          *file = fopen(path, "r");
    if (!file) return false;
    *g = (game){ .since_press = 1, .since_ground = 1, .facing = 1, .overlay = g->overlay };
    while (g->height < MAX_HEIGHT && fgets(map[g->height], sizeof map[0], file)) {
        int length = (int)strcspn(map[g->height], "\r\n");
        memset(map[g->height++] + length, ' ', sizeof map[0] - (size_t)length);
        if (length > g->width) g->width = length;
    }
    fclose(file);
    g->world = kin_world_create(&(kin_world_desc){
        .gravity = { 0, 900 }, .unit = TILE, .on_event = on_event, .user = g });
    for (int i = 0; i < g->width * g->height; i++) {
        char        c = map[i / g->width][i % g->width];
        const char *tile = strchr(TILES, c);
        cells[i] = (uint8_t)(tile ? tile - TILES : 0);
        g->all_coins += c == 'o';
        add_thing(g, c, kin_v((float)(i % g->width * TILE + TILE / 2), (float)(i / g->width * TILE + TILE / 2)));
    }
    g->tiles = kin_add_tiles(g->world, &(kin_tiles_desc){
        .size = { g->width, g->height }, .cell = TILE, .cells = cells });
    for (int i = 0; i < 3; i++) kin_define_tile(g->world, g->tiles, (uint8_t)(UPHILL + i), &OWN_TILES[i]);
    return kin_alive(g->world, g->hero);
}

/* ---- drawing ----------------------------------------------------------------------------------------------------- */

typedef struct screen { SDL_Renderer *renderer; float left, top; } screen;   /* the corner of the view in the world */

static void fill(const screen *s, float x, float y, float w, float h, int rgb)
{
    SDL_SetRenderDrawColor(s->renderer, (Uint8)(rgb >> 16), (Uint8)(rgb >> 8), (Uint8)rgb, 255);
    SDL_RenderFillRectF(s->renderer, &(SDL_FRect){ x - s->left, y - s->top, w, h });
}

static void draw_tile(const game *g, const screen *s, int column, int row)
{
    int   value = kin_get_tile(g->world, g->tiles, kin_c(column, row));
    int   above = row > 0 ? kin_get_tile(g->world, g->tiles, kin_c(column, row - 1)) : KIN_TILE_SOLID;
    float x = (float)(column * TILE), y = (float)(row * TILE);
    if (value == KIN_TILE_SOLID) fill(s, x, y, TILE, TILE, EARTH);
    if (value == KIN_TILE_SOLID && (above == KIN_TILE_EMPTY || above == KIN_TILE_SENSOR)) fill(s, x, y, TILE, 3, GRASS);
    if (value == KIN_TILE_ONE_WAY) fill(s, x, y, TILE, 4, PLANK);
    if (value == KIN_TILE_SENSOR) fill(s, x + 5, y + 4, 6, 8, GOLD);
    if (value == BELT) fill(s, x, y, TILE, TILE, GREY);
    if (value == BELT) fill(s, x + (float)(kin_world_steps(g->world) * 50 / 128 % 12), y, 4, 3, GOLD);
    for (int i = 0; i < TILE && (value == UPHILL || value == DOWNHILL); i++) {
        float top = (float)(value == UPHILL ? TILE - 1 - i : i);
        fill(s, x + (float)i, y + top, 1, TILE - top, EARTH);
        fill(s, x + (float)i, y + top, 1, 4, GRASS);
    }
}

static void debug_line(kin_vec from, kin_vec to, uint32_t rgba, void *user)
{
    const screen *s = user;
    SDL_SetRenderDrawColor(s->renderer, (Uint8)(rgba >> 24), (Uint8)(rgba >> 16), (Uint8)(rgba >> 8), (Uint8)rgba);
    SDL_RenderDrawLineF(s->renderer, from.x - s->left, from.y - s->top, to.x - s->left, to.y - s->top);
}

static void draw_thing(const game *g, const screen *s, kin_id id)
{
    kin_vec p = kin_get_draw_pose(g->world, id).p, low = { 0, 0 }, high = { 0, 0 };
    kin_get_bounds(g->world, id, &low, &high);
    float width = high.x - low.x - 1, height = high.y - low.y;   /* a line between neighbours */
    fill(s, p.x - width / 2, p.y - height / 2, width, height,
         kin_get_kind(g->world, id) == KIN_BODY ? WOOD : height > TILE ? RED : BLUE);
}

/* The view is around the hero and within the level. */
static void draw(const game *g, SDL_Renderer *renderer)
{
    kin_vec at = kin_get_draw_pose(g->world, g->hero).p;
    screen  s = { renderer, SDL_clamp(at.x - VIEW_WIDTH / 2, 0, (float)(g->width * TILE - VIEW_WIDTH)),
                  SDL_clamp(at.y - VIEW_HEIGHT / 2, 0, (float)(g->height * TILE - VIEW_HEIGHT)) };
    fill(&s, s.left, s.top, VIEW_WIDTH, VIEW_HEIGHT, SKY);
    for (int i = g->width * g->height - 1; i >= 0; i--) draw_tile(g, &s, i % g->width, i / g->width);
    for (kin_id id = kin_next(g->world, KIN_NOTHING, (kin_id){ 0 }); id.age; id = kin_next(g->world, KIN_NOTHING, id))
        if (!kin_same(id, g->tiles) && !kin_same(id, g->hero)) draw_thing(g, &s, id);
    fill(&s, at.x - 5, at.y - 5, 10, 10, LIME);
    fill(&s, at.x - 3, at.y - 7.5f, 6, 15, LIME);
    for (int eye = -2; eye < 3; eye += 3) fill(&s, at.x + 2 * g->facing + (float)eye, at.y - 4, 1, 3, INK);
    if (g->overlay) kin_debug_draw(g->world, &(kin_draw){ .line = debug_line, .user = &s });
    SDL_RenderPresent(renderer);
}

/* ---- input and main ---------------------------------------------------------------------------------------------- */

/* Presses count even if the key is up again before the frame. */
static void take(game *g, const SDL_Event *event)
{
    bool key = event->type == SDL_KEYDOWN && !event->key.repeat, button = event->type == SDL_CONTROLLERBUTTONDOWN;
    int  code = key ? event->key.keysym.sym : 0, pad = button ? event->cbutton.button : SDL_CONTROLLER_BUTTON_INVALID;
    if (event->type == SDL_CONTROLLERDEVICEADDED) SDL_GameControllerOpen(event->cdevice.which);
    g->quit = g->quit || event->type == SDL_QUIT || code == SDLK_ESCAPE;
    g->lost = g->lost || code == SDLK_r || pad == SDL_CONTROLLER_BUTTON_START;
    if (code == SDLK_SPACE || code == SDLK_UP || code == SDLK_w || pad == SDL_CONTROLLER_BUTTON_A) g->pressed = true;
    if (code == SDLK_TAB || pad == SDL_CONTROLLER_BUTTON_Y) g->overlay = !g->overlay;
}

static void read_held(game *g)
{
    const Uint8        *key = SDL_GetKeyboardState(NULL);
    SDL_GameController *pad = SDL_GameControllerFromPlayerIndex(0);
    float axis = pad ? (float)SDL_GameControllerGetAxis(pad, SDL_CONTROLLER_AXIS_LEFTX) / 32767 : 0;
#define HELD(button) (pad && SDL_GameControllerGetButton(pad, SDL_CONTROLLER_BUTTON_##button))
    int right = key[SDL_SCANCODE_RIGHT] || key[SDL_SCANCODE_D] || HELD(DPAD_RIGHT);
    int left = key[SDL_SCANCODE_LEFT] || key[SDL_SCANCODE_A] || HELD(DPAD_LEFT);
    g->stick = right || left ? (float)(right - left) : axis < -0.2f || axis > 0.2f ? axis : 0;
    g->held = key[SDL_SCANCODE_SPACE] || key[SDL_SCANCODE_UP] || key[SDL_SCANCODE_W] || HELD(A);
    g->down = key[SDL_SCANCODE_DOWN] || key[SDL_SCANCODE_S] || HELD(DPAD_DOWN);
}

int main(int count, char **arguments)
{
    static game   g;
    const char   *path = count > 1 ? arguments[1] : "examples/window/level.txt";
    SDL_Window   *window;
    SDL_Renderer *renderer;
    if (!load_level(&g, path)) return fprintf(stderr, "no level with a hero in %s\n", path), 1;
    if (SDL_Init(SDL_INIT_VIDEO | SDL_INIT_GAMECONTROLLER) != 0 || SDL_CreateWindowAndRenderer(
            VIEW_WIDTH * ZOOM, VIEW_HEIGHT * ZOOM, SDL_WINDOW_RESIZABLE, &window, &renderer) != 0)
        return fprintf(stderr, "SDL: %s\n", SDL_GetError()), 1;
    SDL_RenderSetVSync(renderer, 1);
    SDL_RenderSetLogicalSize(renderer, VIEW_WIDTH, VIEW_HEIGHT);
    for (Uint64 last = SDL_GetPerformanceCounter(), now; !g.quit; last = now) {
        char title[80];
        for (SDL_Event event; SDL_PollEvent(&event);) take(&g, &event);
        read_held(&g);
        now = SDL_GetPerformanceCounter();
        kin_world_advance(g.world, (double)(now - last) / (double)SDL_GetPerformanceFrequency());
        draw(&g, renderer);
        snprintf(title, sizeof title, "kinematic.h: %d of %d coins", g.coins, g.all_coins);
        SDL_SetWindowTitle(window, title);
        if (!g.lost) continue;
        kin_world_destroy(g.world);
        if (!load_level(&g, path)) return 1;
    }
    kin_world_destroy(g.world);
    SDL_Quit();
    return 0;
}
