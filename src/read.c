/* SPDX-License-Identifier: MIT OR Unlicense

   read.c: reads back and changes what was put in: enough for a renderer, an editor or a debugger. */
#include "internal.h"

KIN_API kin_vec kin_world_get_gravity(const kin_world *world)
{
    return kini_check_world(world, "kin_world_get_gravity") ? world->desc.gravity : kini_vec_zero();
}

KIN_API kin_vec kin_world_get_up(const kin_world *world)
{
    return kini_check_world(world, "kin_world_get_up") ? world->up : kini_vec_zero();
}

KIN_API bool kin_world_set_up(kin_world *world, kin_vec up)
{
    const char *call = "kin_world_set_up";
    if (!kini_check_world(world, call) || !kini_check_finite(world, call, "up", up)) return false;
    kini_wake_all(world);
    world->desc.up = up;
    if (!kini_is_zero(up)) world->up = kini_unit(up);
    else if (!kini_is_zero(world->desc.gravity)) world->up = kini_unit(kini_neg(world->desc.gravity));
    return true;
}

KIN_API bool kin_world_get_desc(const kin_world *world, kin_world_desc *out)
{
    const char *call = "kin_world_get_desc";
    if (!kini_check_world(world, call) || !kini_check_pointer(world, call, "out", out)) return false;
    *out = world->desc;
    out->up = world->up;
    return true;
}

KIN_API kin_form kin_get_form(const kin_world *world, kin_id id)
{
    uint32_t slot = kini_check_id(world, "kin_get_form", "id", id);
    return slot ? (kin_form)(KIN_FORM_SHAPE + world->things.at[slot].form) : KIN_FORM_NONE;
}

KIN_API bool kin_get_shape(const kin_world *world, kin_id id, kin_shape *out)
{
    const char *call = "kin_get_shape";
    uint32_t    slot = kini_check_id(world, call, "id", id);
    kini_solid  solid;
    if (!slot || !kini_check_pointer(world, call, "out", out)) return false;
    kini_clear(out, sizeof *out);
    if (world->things.at[slot].form != KINI_FORM_SHAPE) return false;
    solid = kini_solid_of(world, &world->things.at[slot]);
    kini_shape_points(&solid, out);
    return true;
}

KIN_API bool kin_get_bounds(const kin_world *world, kin_id id, kin_vec *low, kin_vec *high)
{
    uint32_t slot = kini_check_id(world, "kin_get_bounds", "id", id);
    if (slot && low) *low = world->things.at[slot].lo;
    if (slot && high) *high = world->things.at[slot].hi;
    return slot != 0;
}

KIN_API bool kin_get_filter(const kin_world *world, kin_id id, uint32_t *layer, uint32_t *mask)
{
    uint32_t slot = kini_check_id(world, "kin_get_filter", "id", id);
    if (slot && layer) *layer = world->things.at[slot].layer;
    if (slot && mask) *mask = world->things.at[slot].mask;
    return slot != 0;
}

KIN_API bool kin_is_enabled(const kin_world *world, kin_id id)
{
    uint32_t slot = kini_check_id(world, "kin_is_enabled", "id", id);
    return slot && !(world->things.at[slot].flags & KINI_DISABLED);
}

KIN_API bool kin_is_sensor(const kin_world *world, kin_id id)
{
    uint32_t slot = kini_check_id(world, "kin_is_sensor", "id", id);
    return slot && (world->things.at[slot].flags & KINI_SENSOR);
}

KIN_API bool kin_set_pose(kin_world *world, kin_id id, kin_pose pose)
{
    const char *call = "kin_set_pose";
    uint32_t    slot = kini_check_id(world, call, "id", id);
    if (!slot || !kini_check_vec(world, call, "position", pose.p, KINI_FURTHEST)) return false;
    if (!kini_check_rot(world, call, "rotation", &pose.q)) return false;
    kini_teleport(world, slot, pose);
    return true;
}

KIN_API bool kin_set_leftover(kin_world *world, kin_id body, kin_vec leftover)
{
    const char *call = "kin_set_leftover";
    uint32_t    slot = kini_check_kind(world, call, "body", body, KIN_BODY);
    if (!slot || !kini_check_finite(world, call, "leftover", leftover)) return false;
    kini_disturb(world, slot);
    world->bodies.at[world->things.at[slot].row].leftover = kini_limit_speed(world, leftover);
    return true;
}

KIN_API bool kin_set_gravity_scale(kin_world *world, kin_id body, float scale)
{
    const char *call = "kin_set_gravity_scale";
    uint32_t    slot = kini_check_kind(world, call, "body", body, KIN_BODY);
    if (!slot || !kini_check_number(world, call, "scale", scale, -KINI_FURTHEST, KINI_FURTHEST, "")) return false;
    kini_disturb(world, slot);
    world->bodies.at[world->things.at[slot].row].options.gravity_scale = scale;
    return true;
}

KIN_API bool kin_get_tiles(const kin_world *world, kin_id tiles, kin_tiles_desc *out)
{
    const char      *call = "kin_get_tiles";
    const kini_grid *grid = kini_check_tiles(world, call, tiles);
    kin_static_desc  fixed;
    if (!grid || !kini_check_pointer(world, call, "out", out)) return false;
    kin_get_static_options(world, tiles, &fixed);
    kini_clear(out, sizeof *out);
    out->size = grid->size;
    out->cell = grid->cell;
    out->origin = fixed.position;
    out->layer = fixed.layer;
    out->mask = fixed.mask;
    out->user = fixed.user;
    out->attach = fixed.attach;
    return true;
}

KIN_API bool kin_get_tile_definition(const kin_world *world, kin_id tiles, uint8_t value, kin_tile *out)
{
    const char      *call = "kin_get_tile_definition";
    const kini_grid *grid = kini_check_tiles(world, call, tiles);
    const kini_tile *tile;
    kini_solid       solid;
    kin_shape        shape;
    int              i;
    if (!grid || !kini_check_pointer(world, call, "out", out)) return false;
    kini_clear(out, sizeof *out);
    kini_clear(&shape, sizeof shape);
    tile = &world->tiles.at[grid->tiles + value];
    if (value >= grid->tile_count || !(tile->flags & KINI_TILE_FILLED)) return false;
    if (tile->shape >= 0) {
        solid = kini_stored_solid(world, tile->shape);
        kini_shape_points(&solid, &shape);
    }
    out->count = shape.count;
    for (i = 0; i < shape.count; i++)
        out->points[i] = kini_add(kini_scale(shape.points[i], 1 / grid->cell), kini_all(0.5f));
    if (tile->flags & KINI_ONE_WAY) out->one_way = kini_tile_outward(world, tile, world->things.at[tiles.slot].q);
    out->surface_velocity = tile->surface_velocity;
    out->sensor = (tile->flags & KINI_SENSOR) != 0;
    return true;
}

/* Of the touched surfaces that are walls, or ceilings, the most upright, or the most level. */
static bool kini_get_side(const kin_world *world, const char *call, kin_id body, uint32_t state, kin_contact *out)
{
    uint32_t            slot = kini_check_kind(world, call, "body", body, KIN_BODY);
    const kini_body    *row;
    const kini_contact *list, *best = NULL;
    bool                ceiling = state == KINI_BODY_ON_CEILING, floats;
    float               least = KINI_FLT_MAX;
    int32_t             i;
    if (!slot || !kini_check_pointer(world, call, "out", out)) return false;
    kini_clear(out, sizeof *out);
    row = &world->bodies.at[world->things.at[slot].row];
    list = kini_contacts_of(world, world->things.at[slot].row);
    floats = kini_is_floating(world, row);
    for (i = 0; i < row->contact_count && (row->state & state); i++) {
        float rise = kini_dot(list[i].normal, world->up), lean = ceiling ? rise : kini_abs(rise);
        bool  faces_down = rise < -KINI_CEILING_COS && !floats;
        if (!(list[i].flags & KINI_CONTACT_TOUCH) || (list[i].flags & KINI_CONTACT_SENSOR)) continue;
        if (faces_down != ceiling || (!floats && rise >= row->options.max_slope_cos) || lean >= least) continue;
        if (!kini_is_live(world, list[i].other)) continue;
        least = lean;
        best = &list[i];
    }
    if (best) kini_give_contact(world, slot, best, out);
    return best != NULL;
}

KIN_API bool kin_get_wall(const kin_world *world, kin_id body, kin_contact *out)
{
    return kini_get_side(world, "kin_get_wall", body, KINI_BODY_ON_WALL, out);
}

KIN_API bool kin_get_ceiling(const kin_world *world, kin_id body, kin_contact *out)
{
    return kini_get_side(world, "kin_get_ceiling", body, KINI_BODY_ON_CEILING, out);
}
