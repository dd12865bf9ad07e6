/* SPDX-License-Identifier: MIT OR Unlicense

   draw.c: the world as lines and points, for the game's own debug view.

   First the boxes of the broad phase, then in slot order outlines and what bodies meet. The drawing functions are the
   user's; either may be missing. Poses are those of the simulation, by default. The manual explains the colours. */
#include "state.h"

#ifndef KINEMATIC_NO_DRAW
/* All that is drawn, and for each red, green, blue, opacity and its layer. */
enum {
    KINI_DRAWS_STATIC, KINI_DRAWS_MOVER, KINI_DRAWS_PUSHABLE,   /* and two more, in the order of kin_push */
    KINI_DRAWS_SENSOR = KINI_DRAWS_PUSHABLE + 3, KINI_DRAWS_DISABLED, KINI_DRAWS_ONE_WAY, KINI_DRAWS_BOUNDS,
    KINI_DRAWS_SURROUNDINGS, KINI_DRAWS_VELOCITY, KINI_DRAWS_CONTACT, KINI_DRAWS_STABLE, KINI_DRAWS_STEEP
};
static const uint32_t kini_colours[][2] = {
    { 0xA0A0A0FFu, KIN_DRAW_SHAPES }, { 0x50A0FFFFu, KIN_DRAW_SHAPES }, { 0xFFB040FFu, KIN_DRAW_SHAPES },
    { 0x60D060FFu, KIN_DRAW_SHAPES }, { 0xC080FFFFu, KIN_DRAW_SHAPES }, { 0xE0E040A0u, KIN_DRAW_SENSORS },
    { 0x60606080u, KIN_DRAW_SHAPES }, { 0x40E0D0FFu, KIN_DRAW_SHAPES }, { 0x80808040u, KIN_DRAW_BROAD_PHASE },
    { 0x8080C040u, KIN_DRAW_SURROUNDINGS }, { 0xFFFFFFFFu, KIN_DRAW_VELOCITY }, { 0xFF4040FFu, KIN_DRAW_CONTACTS },
    { 0x40FF40FFu, KIN_DRAW_GROUND }, { 0xFF8000FFu, KIN_DRAW_GROUND }
};

static const float KINI_NORMAL_LENGTH = 0.25f;      /* of the line that shows a normal, times unit */
static const float KINI_VELOCITY_SECONDS = 0.25f;   /* a velocity is drawn as long as what it covers in this time */
static const float KINI_SMOOTHNESS = 0.01f;         /* of a line from a round surface, times unit, by default */
static const float KINI_MOST_LINES = 256.0f;        /* that a circle is drawn with */

typedef struct kini_drawer { kin_draw to; kin_draw_options options; int what; } kini_drawer;   /* of the thing */

static void kini_draw_line(const kini_drawer *draw, kin_vec from, kin_vec to, int what)
{
    if (draw->to.line && (draw->options.layers & kini_colours[what][1]))
        draw->to.line(from, to, kini_colours[what][0], draw->to.user);
}

static void kini_draw_point(const kini_drawer *draw, kin_vec at, int what)
{
    if (draw->to.point && (draw->options.layers & kini_colours[what][1]))
        draw->to.point(at, kini_colours[what][0], draw->to.user);
}

/* Part of a circle: from centre + x, by the angle, towards centre + y; x and y are perpendicular and as long. */
static void kini_draw_arc(const kini_drawer *draw, kin_vec centre, kin_vec x, kin_vec y, float angle, int what)
{
    /* The middle of a line over the angle a is r a a / 8 away from the circle. */
    float   lines = kini_lesser(angle * kini_sqrt(kini_len(x) / (8 * draw->options.smoothness)), KINI_MOST_LINES);
    float   least = angle * (8 / KINI_PI);   /* a small circle is still one */
    int     i, count = 1 + (int)(lines > least ? lines : least);
    kin_vec last = kini_add(centre, x);
    for (i = 1; i <= count; i++) {
        float   sine, cosine;
        kin_vec next;
        kini_sine(angle * (float)i / (float)count, &sine, &cosine);
        next = kini_madd(kini_madd(centre, x, cosine), y, sine);
        kini_draw_line(draw, last, next, what);
        last = next;
    }
}

/* ---- outlines ---------------------------------------------------------------------------------------------------- */

#if KINI_DIM == 2
/* Sides moved out by the radius, and an arc around each corner from one side's normal to the next one's. */
static void kini_draw_solid(const kini_drawer *draw, const kini_solid *solid, kin_pose at, int what)
{
    kin_vec corners[KIN_MAX_POINTS], before, after;
    float   angle;
    int     i, count = kini_solid_corners(solid, at.q, corners);
    for (i = 0; i < count; i++) {
        kin_vec last = corners[(i + count - 1) % count], here = corners[i], next = corners[(i + 1) % count];
        before = kini_scale(kini_perp(kini_unit(kini_sub(last, here))), solid->radius);
        after = kini_scale(kini_perp(kini_unit(kini_sub(here, next))), solid->radius);
        here = kini_add(at.p, here);
        if (count == 1) {
            kini_draw_arc(draw, here, kin_v(solid->radius, 0), kin_v(0, solid->radius), 2 * KINI_PI, what);
            return;
        }
        angle = count == 2 ? KINI_PI : kini_arc_tangent(kini_area(before, after), kini_dot(before, after));
        if (solid->radius > 0) kini_draw_arc(draw, here, before, kini_perp(before), angle, what);
        kini_draw_line(draw, kini_add(here, after), kini_add(kini_add(at.p, next), after), what);
    }
}
#else
/* An edge of the core; of a rounded shape four lines around it. */
static void kini_draw_edge(const kini_drawer *draw, kin_vec from, kin_vec to, float radius, int what)
{
    kin_vec along = kini_unit(kini_sub(to, from)), x = kini_scale(kini_unit(kini_some_across(along)), radius), out;
    int     i;
    for (i = 0; i < (radius > 0 ? 4 : 1); i++) {
        out = kini_scale(i < 2 ? x : kini_cross(along, x), i % 2 == 0 ? 1.0f : -1.0f);
        kini_draw_line(draw, kini_add(from, out), kini_add(to, out), what);
    }
}

/* Corners of a box core are neighbours if they differ along one axis. */
static bool kini_draws_edge(const kini_solid *solid, const kin_vec *corners, int a, int b)
{
    kin_vec d = kini_magnitudes(kini_sub(corners[a], corners[b]));
    int     i;
    if (!solid->hull) return (d.x > 0) + (d.y > 0) + (d.z > 0) == 1;
    for (i = 0; i < solid->hull->edge_count; i++) {
        int from = solid->hull->edges[i][0], to = solid->hull->edges[i][1];
        if ((from == a && to == b) || (from == b && to == a)) return true;
    }
    return false;
}

static void kini_draw_solid(const kini_drawer *draw, const kini_solid *solid, kin_pose at, int what)
{
    kin_vec corners[KIN_MAX_POINTS];
    int     i, k, count = kini_solid_corners(solid, kini_unturned(), corners);
    for (i = 0; i < count; i++) {
        kin_vec here = kini_to_world(at, corners[i]);
        for (k = 0; k < 3 && solid->radius > 0; k++)
            kini_draw_arc(draw, here, kini_rotate(at.q, kini_with(kini_vec_zero(), k, solid->radius)),
                          kini_rotate(at.q, kini_with(kini_vec_zero(), (k + 1) % 3, solid->radius)), 2 * KINI_PI, what);
        for (k = i + 1; k < count; k++)
            if (kini_draws_edge(solid, corners, i, k))
                kini_draw_edge(draw, here, kini_to_world(at, corners[k]), solid->radius, what);
    }
}
#endif

/* Each corner of the box, and from it the edges that lead upwards along an axis. */
static void kini_draw_box(const kini_drawer *draw, kin_vec lo, kin_vec hi, int what)
{
    int corner, axis, upper;
    for (corner = 0; corner < 1 << KINI_DIM; corner++) {
        kin_vec from = lo;
        for (axis = 0; axis < KINI_DIM; axis++)
            if (corner >> axis & 1) from = kini_with(from, axis, kini_at(hi, axis));
        for (upper = 0; upper < KINI_DIM; upper++)
            if (!(corner >> upper & 1)) kini_draw_line(draw, from, kini_with(from, upper, kini_at(hi, upper)), what);
    }
}

/* ---- things ------------------------------------------------------------------------------------------------------ */

static int kini_look_of(const kin_world *world, const kini_thing *thing)
{
    if (thing->flags & KINI_DISABLED) return KINI_DRAWS_DISABLED;
    if (thing->flags & KINI_SENSOR) return KINI_DRAWS_SENSOR;
    if (thing->kind == KIN_STATIC) return thing->flags & KINI_ONE_WAY ? KINI_DRAWS_ONE_WAY : KINI_DRAWS_STATIC;
    if (thing->kind == KIN_MOVER) return KINI_DRAWS_MOVER;
    return KINI_DRAWS_PUSHABLE + world->bodies.at[thing->row].options.push;
}

/* A velocity has a point at its tip, so that one sees where it leads. */
static void kini_draw_velocity(const kini_drawer *draw, kin_vec at, kin_vec velocity)
{
    kin_vec arrow = kini_scale(velocity, KINI_VELOCITY_SECONDS);
    if (kini_is_zero(arrow)) return;
    kini_draw_line(draw, at, kini_add(at, arrow), KINI_DRAWS_VELOCITY);
    kini_draw_point(draw, kini_add(at, arrow), KINI_DRAWS_VELOCITY);
}

static void kini_draw_contact(const kin_world *world, const kini_drawer *draw, uint32_t slot, const kini_contact *it)
{
    kin_contact contact;
    if (!kini_is_live(world, it->other)) return;
    kini_give_contact(world, slot, it, &contact);
    kini_draw_point(draw, contact.point, KINI_DRAWS_CONTACT);
    kini_draw_line(draw, contact.point,
                   kini_madd(contact.point, contact.normal, KINI_NORMAL_LENGTH * world->desc.unit), KINI_DRAWS_CONTACT);
}

static void kini_draw_body(const kin_world *world, const kini_drawer *draw, const kini_thing *thing)
{
    const kini_body    *body = &world->bodies.at[thing->row];
    const kini_contact *contacts = kini_contacts_of(world, thing->row);
    int32_t             i;
    kini_draw_velocity(draw, thing->p, body->velocity);
    for (i = 0; i < body->contact_count; i++)
        if (kini_is_shown(world, thing->row, &contacts[i])) kini_draw_contact(world, draw, body->slot, &contacts[i]);
    if (body->stand.footing == KIN_AIR) return;
    kini_draw_line(draw, thing->p, body->stand.point,
                   body->stand.footing == KIN_STABLE ? KINI_DRAWS_STABLE : KINI_DRAWS_STEEP);
}

static void kini_draw_tile(void *context, const kini_solid *solid, kin_pose at, uint32_t flags)
{
    int what = flags & KINI_ONE_WAY ? KINI_DRAWS_ONE_WAY : KINI_DRAWS_STATIC;
    kini_draw_solid((const kini_drawer *)context, solid, at, flags & KINI_SENSOR ? KINI_DRAWS_SENSOR : what);
}

static void kini_draw_face(void *context, const kin_vec *points)
{
    const kini_drawer *draw = (const kini_drawer *)context;
    int                i;
    for (i = 0; i < KINI_DIM; i++) kini_draw_line(draw, points[i], points[(i + 1) % KINI_DIM], draw->what);
}

static void kini_draw_thing(const kin_world *world, kini_drawer *draw, uint32_t slot)
{
    const kini_thing *thing = &world->things.at[slot];
    kin_vec           out = kini_one_way_of(world, slot);
    float             length = KINI_NORMAL_LENGTH * world->desc.unit;
    int32_t           i;
    draw->what = kini_look_of(world, thing);
    if (thing->form == KINI_FORM_SHAPE) {
        kini_solid solid = kini_solid_of(world, thing);
        kin_pose   at = kini_pose(thing->p, thing->q);
        if (draw->options.interpolated) at = kin_get_draw_pose(world, kini_id_of(world, slot));
        kini_draw_solid(draw, &solid, at, draw->what);
    } else if (kini_is_tiles(thing)) kini_tiles_walk(world, slot, kini_draw_tile, draw);
    else if (kini_is_mesh(thing)) kini_mesh_walk(world, slot, kini_draw_face, draw);
    if (thing->kind == KIN_BODY)
        kini_draw_box(draw, world->kept.at[thing->row].lo, world->kept.at[thing->row].hi, KINI_DRAWS_SURROUNDINGS);
    if (thing->flags & KINI_DISABLED) return;
    if (!kini_is_zero(out)) kini_draw_line(draw, thing->p, kini_madd(thing->p, out, length), KINI_DRAWS_ONE_WAY);
    kini_draw_velocity(draw, thing->p, kini_surface_velocity(world, slot, -1));
    if (thing->kind == KIN_MOVER) kini_draw_velocity(draw, thing->p, world->movers.at[thing->row].rate);
    if (thing->kind == KIN_BODY) kini_draw_body(world, draw, thing);
    for (i = 0; i < world->sensed.count && (thing->flags & KINI_SENSES); i++)
        if (world->sensed.at[i].by.slot == slot) kini_draw_contact(world, draw, slot, &world->sensed.at[i].it);
}

/* Every box of a tree: those of its leaves are a little larger than what moves in them, those above hold several. */
static void kini_draw_tree(const kini_drawer *draw, const kini_tree *tree)
{
    int32_t i;
    int     lane;
    for (i = 0; i < tree->nodes.count; i++) {
        const kini_node *node = &tree->nodes.at[i];
        for (lane = 0; node->level >= 0 && lane < node->count; lane++)
            kini_draw_box(draw, kini_lane_lo(node, lane), kini_lane_hi(node, lane), KINI_DRAWS_BOUNDS);
    }
}

static void kini_draw_world(const kin_world *world, const char *call, const kin_draw *draw,
                            const kin_draw_options *options)
{
    kini_drawer drawer;
    int32_t     i;
    if (!kini_check_world(world, call) || !kini_check_pointer(world, call, "draw", draw)) return;
    kini_clear(&drawer.options, sizeof drawer.options);
    if (options) drawer.options = *options;
    drawer.to = *draw;
    if (!kini_is_nobody(drawer.options.only) && !kini_check_id(world, call, "only", drawer.options.only)) return;
    if (!kini_check_number(world, call, "smoothness", drawer.options.smoothness, 0, KINI_FURTHEST, "")) return;
    if (drawer.options.layers == 0) drawer.options.layers = ~(uint32_t)KIN_DRAW_SURROUNDINGS;
    if (!(drawer.options.smoothness > 0)) drawer.options.smoothness = KINI_SMOOTHNESS * world->desc.unit;
    for (i = KIN_STATIC; i <= KIN_BODY && kini_is_nobody(drawer.options.only); i++)
        kini_draw_tree(&drawer, &world->trees[i]);
    for (i = 1; i < world->things.count; i++) {
        kin_id id = kini_id_of(world, (uint32_t)i);
        bool   wanted = kini_is_nobody(drawer.options.only) || kin_same(id, drawer.options.only);
        if (wanted && kini_is_live(world, id)) kini_draw_thing(world, &drawer, (uint32_t)i);
    }
}

KIN_API void kin_debug_draw(const kin_world *world, const kin_draw *draw)
{
    kini_draw_world(world, "kin_debug_draw", draw, NULL);
}

KIN_API void kin_debug_draw_options(const kin_world *world, const kin_draw *draw, const kin_draw_options *options)
{
    kini_draw_world(world, "kin_debug_draw_options", draw, options);
}
#endif
