/* SPDX-License-Identifier: MIT OR Unlicense

   store.c: shapes, stored once for each distinct one.

   Things that look alike share a row; an open-addressing index over the shapes' values finds it. It decides nothing but
   which row an equal shape has: results do not depend on it. */
#include "shapes.h"

static uint32_t kini_mix_key(uint32_t key, uint32_t word)
{
    key = (key ^ word) * 0x9E3779B1u;
    return key ^ key >> 15;
}

static uint32_t kini_mix_vec(uint32_t key, kin_vec v)
{
    int i;
    for (i = 0; i < KINI_DIM; i++) key = kini_mix_key(key, kini_float_bits(kini_at(v, i)));
    return key;
}

KINI_PART uint32_t kini_shape_key(const kini_solid *solid)
{
    uint32_t key = kini_mix_key(0x811C9DC5u, kini_float_bits(solid->radius));
    int      i;
    key = kini_mix_vec(kini_mix_vec(key, solid->centre), solid->half);
    key = kini_mix_key(key, (uint32_t)solid->count);
    for (i = 0; i < solid->count; i++) key = kini_mix_vec(key, solid->points[i]);
    return key;
}

static bool kini_same_vec(kin_vec a, kin_vec b) { return kini_box_holds(a, a, b, b); }

static bool kini_is_shape(const kin_world *world, const kini_shape *shape, const kini_solid *solid)
{
    const kini_hull *hull;
    int              i;
    if (!kini_equal(shape->radius, solid->radius) || (shape->hull >= 0) != (solid->count > 0)) return false;
    if (!kini_same_vec(shape->centre, solid->centre) || !kini_same_vec(shape->half, solid->half)) return false;
    if (shape->hull < 0) return true;
    hull = &world->hulls.at[shape->hull];
    if (hull->count != solid->count) return false;
    for (i = 0; i < hull->count; i++)
        if (!kini_same_vec(hull->points[i], solid->points[i])) return false;
    return true;
}

/* ---- the index --------------------------------------------------------------------------------------------------- */

static uint32_t kini_next_place(const kin_world *world, uint32_t place)
{
    return (place + 1) & ((uint32_t)world->shape_index.count - 1);
}

static uint32_t kini_home_place(const kin_world *world, int32_t shape)
{
    return world->shapes.at[shape].key & ((uint32_t)world->shape_index.count - 1);
}

static void kini_index_put(kin_world *world, int32_t shape)
{
    uint32_t place = kini_home_place(world, shape);
    while (world->shape_index.at[place]) place = kini_next_place(world, place);
    world->shape_index.at[place] = shape + 1;
}

/* What follows is put in again, so that a search never has to step over a hole. */
static void kini_index_take_out(kin_world *world, int32_t shape)
{
    int32_t *index = world->shape_index.at;
    uint32_t place = kini_home_place(world, shape);
    while (index[place] != shape + 1) place = kini_next_place(world, place);
    for (index[place] = 0; index[place = kini_next_place(world, place)];) {
        shape = index[place] - 1;
        index[place] = 0;
        kini_index_put(world, shape);
    }
}

KINI_PART void kini_index_shapes(kin_world *world)
{
    int32_t i;
    kini_clear(world->shape_index.at, (size_t)world->shape_index.count * sizeof *world->shape_index.at);
    for (i = 0; i < world->shapes.count; i++)
        if (world->shapes.at[i].users > 0) kini_index_put(world, i);
}

KINI_PART int32_t kini_find_shape(const kin_world *world, const kini_solid *solid)
{
    uint32_t key = kini_shape_key(solid), place;
    if (world->shape_index.count == 0) return -1;
    place = key & ((uint32_t)world->shape_index.count - 1);
    for (; world->shape_index.at[place]; place = kini_next_place(world, place)) {
        int32_t           number = world->shape_index.at[place] - 1;
        const kini_shape *shape = &world->shapes.at[number];
        if (shape->key == key && kini_is_shape(world, shape, solid)) return number;
    }
    return -1;
}

KINI_PART int32_t kini_take_shape(kin_world *world, const kini_solid *solid)
{
    int32_t     number = kini_find_shape(world, solid);
    kini_shape *shape;
    if (number >= 0) { world->shapes.at[number].users++; return number; }
    number = kini_take_row(world, KINI_SAVES_SHAPES, 0);
    shape = &world->shapes.at[number];
    kini_copy(shape, solid, KINI_CORE_BYTES);
    shape->radius += 0.0f;   /* no sign of zero */
    shape->hull = -1;
    shape->key = kini_shape_key(solid);
    shape->users = 1;
    if (solid->count > 0) {
        shape->hull = kini_take_row(world, KINI_SAVES_HULLS, 0);
        world->hulls.at[shape->hull] = *solid->hull;
        world->hulls.at[shape->hull].owner = number;
    }
    kini_index_put(world, number);
    return number;
}

KINI_PART void kini_give_shape(kin_world *world, int32_t number)
{
    kini_shape *shape = &world->shapes.at[number];
    if (--shape->users > 0) return;
    kini_index_take_out(world, number);
    if (shape->hull >= 0) kini_give_row(world, KINI_SAVES_HULLS, shape->hull);
    kini_give_row(world, KINI_SAVES_SHAPES, number);
}

KINI_PART kini_solid kini_stored_solid(const kin_world *world, int32_t number)
{
    const kini_shape *shape = &world->shapes.at[number];
    kini_solid        solid;
    kini_copy(&solid, shape, KINI_CORE_BYTES);
    solid.hull = shape->hull >= 0 ? &world->hulls.at[shape->hull] : NULL;
    solid.points = solid.hull ? solid.hull->points : NULL;
    solid.count = solid.hull ? solid.hull->count : 0;
    solid.face = kini_vec_zero();
    solid.sides = NULL;
    return solid;
}

KINI_PART kini_solid kini_solid_of(const kin_world *world, const kini_thing *thing)
{
    return kini_stored_solid(world, thing->shape);
}

KINI_PART void kini_shape_points(const kini_solid *solid, kin_shape *out)
{
    kini_clear(out, sizeof *out);
    out->count = kini_solid_corners(solid, kini_unturned(), out->points);
    out->radius = solid->radius;
}

KINI_PART bool kini_shape_of(const kin_world *world, const kini_thing *thing, kin_shape *out)
{
    kini_solid solid;
    kini_clear(out, sizeof *out);
    if (thing->form != KINI_FORM_SHAPE) return false;
    solid = kini_solid_of(world, thing);
    kini_shape_points(&solid, out);
    return true;
}
