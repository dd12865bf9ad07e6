/* SPDX-License-Identifier: MIT OR Unlicense

   What is kept around a body decides nothing: two worlds live the same life while their level changes under the feet of
   the bodies, and one of them forgets before every step. */
#define KINEMATIC_IMPLEMENTATION
#include "kinematic.h"
#include "worlds.h"

enum { BODIES = 12, BOXES = 40, WIDE = 24, HIGH = 10, STEPS = 1500 / TEST_SHARE };

typedef struct life {
    kin_world *world;
    kin_id     bodies[BODIES], boxes[BOXES], grids[2], lift;
    void      *saved;
    size_t     saved_bytes;
} life;

static kin_cell cell_of(int x, int y)
{
#if KINEMATIC_DIM == 2
    return kin_c(x, y);
#else
    return kin_c(x, y, 0);
#endif
}

static void add_grid(life *l, int which, kin_vec origin, kin_id attach)
{
    uint8_t        cells[WIDE * HIGH] = { 0 };
    kin_tiles_desc desc;
    int            x;
    for (x = 0; x < WIDE; x++) cells[x] = KIN_TILE_SOLID;
    memset(&desc, 0, sizeof desc);
    desc.size = cell_of(WIDE, which == 0 ? HIGH : 1);
#if KINEMATIC_DIM == 3
    desc.size.z = 1;
    desc.origin.z = -0.5f;
#endif
    desc.origin = kini_add(desc.origin, origin);
    desc.cells = cells;
    desc.attach = attach;
    l->grids[which] = kin_add_tiles(l->world, &desc);
}

static void begin(life *l)
{
    kin_world_desc desc;
    int            i;
    memset(l, 0, sizeof *l);
    memset(&desc, 0, sizeof desc);
    desc.gravity = at(0, -30);
    l->world = kin_world_create(&desc);
    l->lift = kin_add_mover(l->world, &(kin_mover_desc){ .shape = kin_box(size(4, 0.5f)), .position = at(30, 4) });
    add_grid(l, 0, at(-4, -1), nobody());
    add_grid(l, 1, at(-4, 1), l->lift);
    for (i = 0; i < BODIES; i++)
        l->bodies[i] = kin_add_body(l->world, &(kin_body_desc){
            .shape = i % 3 == 0 ? kin_ball(0.4f) : i % 3 == 1 ? kin_capsule(1.2f, 0.3f) : kin_box(size(0.7f, 0.9f)),
            .position = at((float)i * 1.7f, 2), .push = i % 4 == 0 ? KIN_UNPUSHABLE : KIN_PUSHABLE });
}

static void end(life *l)
{
    kin_world_destroy(l->world);
    free(l->saved);
}

/* Something near the feet of a body changes. */
static void change_level(life *l, chance *c)
{
    kin_world *w = l->world;
    kin_id     body = l->bodies[below(c, BODIES)], *box = &l->boxes[below(c, BOXES)];
    kin_vec    p = kin_alive(w, body) ? kin_get_position(w, body) : at(0, 0);
    kin_vec    there = kini_add(p, at((float)below(c, 9) * 0.5f - 2, (float)below(c, 9) * 0.5f - 3));
    int        x = (int)p.x + 4 + (int)below(c, 5) - 2, y = (int)p.y + 1 + (int)below(c, 5) - 3;
    int        what = (int)below(c, 12);
    kin_shape  shape = what & 1 ? kin_box(size(1, 0.5f)) : kin_box(size(0.4f, 2));
    static const uint8_t values[4] = { KIN_TILE_EMPTY, KIN_TILE_SOLID, KIN_TILE_ONE_WAY, 9 };
    if (what < 3) {
        if (kin_alive(w, *box)) kin_remove(w, *box);
        *box = kin_add_static(w, &(kin_static_desc){ .shape = shape, .position = there,
                                                     .one_way = what == 0 ? at(0, 1) : at(0, 0) });
    } else if (what < 8) {
        if (x >= 0 && x < WIDE && y >= 0 && y < HIGH) kin_set_tile(w, l->grids[0], cell_of(x, y), values[below(c, 4)]);
        kin_set_tile(w, l->grids[1], cell_of((int)below(c, WIDE), 0), values[below(c, 4)]);
    } else if (!kin_alive(w, *box)) return;
    else if (what == 8) kin_set_position(w, *box, kin_get_position(w, *box).x > 100 ? there : at(300, 0));
    else if (what == 9) kin_set_shape(w, *box, &shape);
    else if (what == 10) kin_set_enabled(w, *box, below(c, 2) == 0);
    else {   /* its slot goes to a body at the same place */
        kin_id *other = &l->bodies[below(c, BODIES)];
        kin_id  old = *other;
        there = kin_get_position(w, *box);
        kin_remove(w, *box);
        kin_world_step(w, 1.0f / 64);
        *other = kin_add_body(w, &(kin_body_desc){ .shape = kin_ball(0.4f), .position = there });
        kin_remove(w, old);
    }
}

static void change_rules(life *l, chance *c)
{
    kin_world *w = l->world;
    kin_id     body = l->bodies[below(c, BODIES)], box = l->boxes[below(c, BOXES)];
    switch (below(c, 8)) {
    case 0: if (kin_alive(w, box)) kin_set_filter(w, box, 1, below(c, 2) ? 1 : 2); break;
    case 1: if (kin_alive(w, box)) kin_ignore(w, body, box, below(c, 2) == 0); break;
    case 2: kin_set_position(w, body, at((float)below(c, 20), (float)below(c, 6))); break;
    case 3: kin_world_set_gravity(w, below(c, 4) ? at(0, -30) : at(20, -20)); break;
    case 4: kin_define_tile(w, l->grids[0], 9, &(kin_tile){ .sensor = below(c, 2) == 0 }); break;
    case 5: kin_set_velocity(w, l->lift, at((float)below(c, 5) - 2, (float)below(c, 5) - 2)); break;
    case 6:
        free(l->saved);
        l->saved_bytes = kin_snapshot_size(w);
        l->saved = malloc(l->saved_bytes);
        kin_snapshot_save(w, l->saved, l->saved_bytes);
        break;
    default: if (l->saved && below(c, 4) == 0) kin_snapshot_load(w, l->saved, l->saved_bytes);
    }
}

static void live(life *l, chance *c)
{
    int i;
    if (below(c, 3) == 0) change_level(l, c);
    if (below(c, 12) == 0) change_rules(l, c);
    for (i = 0; i < BODIES; i++) {
        kin_vec v = kin_get_velocity(l->world, l->bodies[i]);
        v.x = ((float)below(c, 7) - 3) * 3;
        if (below(c, 30) == 0) v.y = 10;
        if (kin_get_position(l->world, l->bodies[i]).y < -20) kin_set_position(l->world, l->bodies[i], at(8, 4));
        if (below(c, 20) == 0) kin_set_velocity(l->world, l->bodies[i], v);
    }
    kin_world_step(l->world, 1.0f / 64);
}

UTEST(kept, a_world_that_forgets_before_every_step_lives_the_same_life)
{
    life   a, b;
    chance ca = { 5 }, cb = { 5 };
    int    step, used = 0;
    begin(&a);
    begin(&b);
    for (step = 0; step < STEPS; step++) {
        kini_forget_kept(b.world);
        live(&a, &ca);
        live(&b, &cb);
        ASSERT_TRUE(kin_world_hash(a.world) == kin_world_hash(b.world));
        used += a.world->kept.at[1].count > 0;
    }
    EXPECT_TRUE(used > STEPS / 4);   /* else nothing was tested */
    end(&a);
    end(&b);
}

/* A controller puts a thin wall before its body: it takes part from the next step on, and stops the body. */
typedef struct shield { kin_id wall; int step; } shield;

static void put_wall(kin_world *world, kin_id id, float dt, void *user)
{
    shield         *it = (shield *)user;
    kin_static_desc desc;
    (void)dt;
    kin_set_velocity(world, id, at(20, 0));
    if (it->step++ != 40) return;
    memset(&desc, 0, sizeof desc);
    desc.shape = kin_box(size(0.05f, 4));
    desc.position = at(kin_get_position(world, id).x + 0.55f, 1);
    it->wall = kin_add_static(world, &desc);
}

UTEST(kept, what_a_controller_adds_is_met)
{
    kin_world_desc  world_desc;
    kin_static_desc floor;
    kin_body_desc   body;
    kin_world      *world;
    kin_id          hero;
    shield          it;
    int             i;
    memset(&it, 0, sizeof it);
    memset(&world_desc, 0, sizeof world_desc);
    memset(&floor, 0, sizeof floor);
    memset(&body, 0, sizeof body);
    world_desc.gravity = at(0, -20);
    world = kin_world_create(&world_desc);
    floor.shape = kin_box(size(200, 1));
    floor.position = at(0, -0.5f);
    kin_add_static(world, &floor);
    body.shape = kin_box(size(0.3f, 1));
    body.position = at(0, 0.51f);
    body.control = put_wall;
    body.user = &it;
    hero = kin_add_body(world, &body);
    for (i = 0; i < 60; i++) kin_world_step(world, 1.0f / 60);
    EXPECT_TRUE(kin_alive(world, it.wall));
    EXPECT_LT(kin_get_position(world, hero).x, kin_get_position(world, it.wall).x);
    EXPECT_TRUE(kin_on_wall(world, hero));
    kin_world_destroy(world);
}

static void step_both(life *a, life *b)
{
    int i;
    for (i = 0; i < 8; i++) {
        kini_forget_kept(b->world);
        kin_world_step(a->world, 1.0f / 64);
        kin_world_step(b->world, 1.0f / 64);
    }
}

static void put_both(life *a, life *b, kin_vec p)
{
    kin_set_position(a->world, a->bodies[1], p);
    kin_set_position(b->world, b->bodies[1], p);
    step_both(a, b);
}

static void set_both(life *a, life *b, int grid, int x, int y, uint8_t value)
{
    kin_set_tile(a->world, a->grids[grid], cell_of(x, y), value);
    kin_set_tile(b->world, b->grids[grid], cell_of(x, y), value);
    step_both(a, b);
}

UTEST(kept, who_comes_back_sees_what_has_changed_meanwhile)
{
    life a, b;
    begin(&a);
    begin(&b);
    put_both(&a, &b, at(-2.5f, 0.61f));
    put_both(&a, &b, at(200, 0));
    set_both(&a, &b, 0, 1, 0, KIN_TILE_EMPTY);
    put_both(&a, &b, at(-2.5f, 0.61f));
    EXPECT_TRUE(kin_world_hash(a.world) == kin_world_hash(b.world));
    EXPECT_FALSE(kin_on_ground(a.world, a.bodies[1]));
    end(&a);
    end(&b);
}

UTEST(kept, a_load_brings_the_level_back)
{
    life   a, b;
    void  *saved;
    size_t bytes;
    begin(&a);
    begin(&b);
    put_both(&a, &b, at(-2.5f, 0.61f));
    bytes = kin_snapshot_size(a.world);
    saved = malloc(bytes);
    ASSERT_TRUE(kin_snapshot_save(a.world, saved, bytes) == bytes);
    set_both(&a, &b, 0, 1, 0, KIN_TILE_EMPTY);
    EXPECT_FALSE(kin_on_ground(a.world, a.bodies[1]));
    ASSERT_TRUE(kin_snapshot_load(a.world, saved, bytes) && kin_snapshot_load(b.world, saved, bytes));
    step_both(&a, &b);
    EXPECT_TRUE(kin_world_hash(a.world) == kin_world_hash(b.world));
    EXPECT_TRUE(kin_on_ground(a.world, a.bodies[1]));
    free(saved);
    end(&a);
    end(&b);
}

UTEST(kept, cells_of_a_mover_change_under_who_stands_on_them)
{
    life a, b;
    begin(&a);
    begin(&b);
    put_both(&a, &b, at(40.5f, 6.61f));
    EXPECT_TRUE(kin_on_ground(a.world, a.bodies[1]));
    set_both(&a, &b, 1, 14, 0, KIN_TILE_EMPTY);
    EXPECT_TRUE(kin_world_hash(a.world) == kin_world_hash(b.world));
    EXPECT_FALSE(kin_on_ground(a.world, a.bodies[1]));
    end(&a);
    end(&b);
}

static bool knows(const kini_kept *kept, kin_id id)
{
    int i;
    for (i = 0; i < kept->count; i++)
        if ((uint32_t)kept->slots[i] == id.slot) return true;
    return false;
}

/* A change is told to the bodies near it, and only to them. */
UTEST(kept, changes_are_told_where_they_are)
{
    life       l;
    kini_kept *here, *there;
    kin_id     ball;
    int        i;
    begin(&l);
    kin_set_position(l.world, l.bodies[0], at(2, 1));
    kin_set_position(l.world, l.bodies[1], at(300, 0));
    for (i = 0; i < 4; i++) kin_world_step(l.world, 1.0f / 64);
    here = &l.world->kept.at[0];
    there = &l.world->kept.at[1];
    EXPECT_TRUE(knows(here, l.grids[0]));
    kin_set_tile(l.world, l.grids[0], cell_of(6, 2), KIN_TILE_SOLID);
    EXPECT_TRUE(kini_is_zero(here->hi) && !kini_is_zero(there->hi));
    kin_world_step(l.world, 1.0f / 64);
    EXPECT_TRUE(knows(here, l.grids[0]));
    ball = kin_add_static(l.world, &(kin_static_desc){ .shape = kin_ball(1), .position = at(301, -1) });
    EXPECT_TRUE(kini_is_zero(there->hi) && knows(here, l.grids[0]));
    kin_world_step(l.world, 1.0f / 64);
    EXPECT_TRUE(knows(there, ball) && !knows(here, ball));
    kin_set_position(l.world, l.lift, at(303, -1.2f));
    EXPECT_TRUE(kini_is_zero(there->hi));
    kin_world_step(l.world, 1.0f / 64);
    EXPECT_TRUE(knows(there, ball) && knows(there, l.lift) && (uint32_t)there->slots[0] == ball.slot);
    end(&l);
}

UTEST_MAIN()
