/* SPDX-License-Identifier: MIT OR Unlicense

   access.c: getters, as many as a renderer, an editor or a debugger needs.

   A teleported body has no ground and shows no contacts until the next step; its old contacts are still kept, so that
   the step can emit ENDED for them. */
#include "state.h"

/* ---- one value of the world, a thing, a body or a mover: all zero if that is refused ----------------------------- */

#define KINI_GETTER(type, name, parameters, asked, value) \
    KIN_API type name parameters \
    { \
        type told; \
        asked; \
        kini_clear(&told, sizeof told); \
        if (it) told = value; \
        return told; \
    }
#define KINI_OF_WORLD(type, name, value) \
    KINI_GETTER(type, name, (const kin_world *world), bool it = kini_check_world(world, __func__), value)
#define KINI_OF_THING(type, name, value) \
    KINI_GETTER(type, name, (const kin_world *world, kin_id id), \
                const kini_thing *it = kini_asked(world, __func__, id), value)
#define KINI_OF_BODY(type, name, value) \
    KINI_GETTER(type, name, (const kin_world *world, kin_id body), \
                const kini_body *it = kini_check_body(world, __func__, body), value)

/* NULL if the handle is refused. */
static const kini_thing *kini_asked(const kin_world *world, const char *call, kin_id id)
{
    uint32_t slot = kini_check_id(world, call, "id", id);
    return slot ? &world->things.at[slot] : NULL;
}

static kin_vec kini_velocity_of(const kin_world *world, const kini_thing *thing)
{
    if (thing->kind == KIN_BODY) return kini_seen_velocity(world, thing->row);
    return thing->kind == KIN_MOVER ? world->movers.at[thing->row].velocity : kini_vec_zero();
}

KINI_OF_WORLD(float, kin_world_alpha, kini_clamp((float)(world->time_left * (double)world->desc.rate), 0, 1))
KINI_OF_WORLD(double, kin_world_dropped, world->dropped)
KINI_OF_WORLD(uint64_t, kin_world_steps, world->steps)
KINI_OF_WORLD(bool, kin_world_overflowed, world->overflowed)
KINI_OF_WORLD(kin_vec, kin_world_get_gravity, world->desc.gravity)
KINI_OF_WORLD(kin_vec, kin_world_get_up, world->up)
KINI_OF_THING(kin_kind, kin_get_kind, (kin_kind)it->kind)
KINI_OF_THING(kin_form, kin_get_form, (kin_form)(KIN_FORM_SHAPE + it->form))
KINI_OF_THING(bool, kin_is_enabled, !(it->flags & KINI_DISABLED))
KINI_OF_THING(bool, kin_is_sensor, (it->flags & KINI_SENSOR) != 0)
KINI_OF_THING(bool, kin_is_one_sided, kini_is_mesh(it) && (it->flags & KINI_ONE_WAY))
KINI_OF_THING(kin_vec, kin_get_position, it->p)
KINI_OF_THING(kin_rot, kin_get_rotation, it->q)
KINI_OF_THING(kin_vec, kin_get_velocity, kini_velocity_of(world, it))
KINI_OF_THING(kin_vec, kin_get_motion, it->kind == KIN_BODY ? world->bodies.at[it->row].motion
                                                            : kini_rate_at(world, id.slot, it->p))
KINI_OF_THING(kin_vec, kin_get_leftover, it->kind == KIN_BODY ? world->bodies.at[it->row].leftover : kini_vec_zero())
KINI_OF_THING(kin_spin, kin_get_spin, it->kind == KIN_MOVER ? world->movers.at[it->row].spin : kini_spin_zero())
KINI_OF_BODY(kin_vec, kin_get_up, it->up)
KINI_OF_BODY(bool, kin_on_ground, it->stand.footing == KIN_STABLE && kini_is_live(world, it->stand.id))
KINI_OF_BODY(bool, kin_on_wall, (it->state & KINI_BODY_ON_WALL) != 0)
KINI_OF_BODY(bool, kin_on_ceiling, (it->state & KINI_BODY_ON_CEILING) != 0)
KINI_OF_BODY(bool, kin_is_crushed, (it->state & KINI_BODY_CRUSHED) != 0)
KINI_OF_BODY(bool, kin_is_embedded, (it->state & KINI_BODY_EMBEDDED) != 0)
KINI_GETTER(bool, kin_is_blocked, (const kin_world *world, kin_id mover),
            const kini_mover *it = kini_check_mover(world, __func__, "mover", mover), (it->state & KINI_STOPPED) != 0)
KINI_GETTER(bool, kin_alive, (const kin_world *world, kin_id id), bool it = kini_check_world(world, __func__),
            kini_is_live(world, id))

/* ---- things ------------------------------------------------------------------------------------------------------ */

/* Of a dead handle as long as an event names it. */
KIN_API void *kin_get_user(const kin_world *world, kin_id id)
{
    int32_t i = 0;
    if (world && !kini_is_nobody(id) && !kini_is_live(world, id))
        i = world->telling > world->events.count ? world->telling : world->events.count;
    while (i-- > 0) {
        const kin_event *event = &world->events.at[i];
        if (kin_same(event->a, id) || kin_same(event->b, id) || kin_same(event->c, id)) return kini_user_of(world, id);
    }
    return kini_check_id(world, __func__, "id", id) ? kini_user_of(world, id) : NULL;
}

/* Between the last two steps. What is attached is drawn where its mover is. */
KIN_API kin_pose kin_get_draw_pose(const kin_world *world, kin_id id)
{
    const kini_thing  *thing = kini_asked(world, __func__, id);
    const kini_static *part = thing && (thing->flags & KINI_ATTACHED) ? &world->statics.at[thing->row] : NULL;
    kin_pose           at, from;
    float              alpha;
    kini_clear(&at, sizeof at);
    if (part) thing = &world->things.at[part->attach.slot];
    if (thing) at = kini_pose(thing->p, thing->q);
    if (!thing || thing->kind == KIN_STATIC) return at;
    from = thing->kind == KIN_BODY ? world->bodies.at[thing->row].drawn : world->movers.at[thing->row].drawn;
    alpha = kin_world_alpha(world);
    at = kini_pose(kini_mix(from.p, at.p, alpha), kini_rot_unit(kini_rot_mix(from.q, at.q, alpha)));
    return part ? kini_pose_on(at, part->local) : at;
}

KIN_API bool kin_get_shape(const kin_world *world, kin_id id, kin_shape *out)
{
    const kini_thing *thing = kini_asked(world, __func__, id);
    return thing && kini_check_pointer(world, __func__, "out", out) && kini_shape_of(world, thing, out);
}

KIN_API bool kin_get_bounds(const kin_world *world, kin_id id, kin_vec *low, kin_vec *high)
{
    uint32_t slot = kini_check_id(world, __func__, "id", id);
    if (slot && low) *low = world->things.at[slot].lo;
    if (slot && high) *high = world->things.at[slot].hi;
    return slot != 0;
}

KIN_API bool kin_get_filter(const kin_world *world, kin_id id, uint32_t *layer, uint32_t *mask)
{
    uint32_t slot = kini_check_id(world, __func__, "id", id);
    if (slot && layer) *layer = world->things.at[slot].layer;
    if (slot && mask) *mask = world->things.at[slot].mask;
    return slot != 0;
}

KIN_API kin_ground kin_get_ground(const kin_world *world, kin_id body)
{
    const kini_body *row = kini_check_body(world, __func__, body);
    kin_ground       ground;
    kini_clear(&ground, sizeof ground);
    if (!row) return ground;
    ground.part = -1;
    if (row->stand.footing == KIN_AIR || !kini_is_live(world, row->stand.id)) return ground;
    ground.footing = (kin_footing)row->stand.footing;
    ground.id = row->stand.id;
    ground.normal = row->stand.normal;
    ground.point = row->stand.point;
    ground.velocity = row->stand.velocity;
    ground.part = row->stand.part;
    return ground;
}

/* ---- contacts and riders ----------------------------------------------------------------------------------------- */

KINI_PART bool kini_is_shown(const kin_world *world, int32_t row, const kini_contact *contact)
{
    uint32_t seen = KINI_CONTACT_HIT | KINI_CONTACT_TOUCH;
    return !(world->bodies.at[row].state & KINI_BODY_TELEPORTED) && (contact->flags & seen) &&
           kini_is_live(world, contact->other);
}

KINI_PART void kini_give_contact(const kin_world *world, uint32_t slot, const kini_contact *contact, kin_contact *out)
{
    out->other = contact->other;
    out->normal = contact->normal;
    out->point = kini_meeting_point(world, slot, contact->other.slot, contact->part, contact->normal);
    out->gap = contact->gap;
    out->part = contact->part;
}

/* Is `id` one of the two in a contact of `by`? Then writes it as seen from `id`, unless out is NULL. */
static bool kini_tell_contact(const kin_world *world, kin_id by, const kini_contact *contact, kin_id id,
                              kin_contact *out)
{
    bool own = kin_same(by, id);
    if (!own && !kin_same(contact->other, id)) return false;
    if (!kini_is_live(world, by) || !kini_is_live(world, contact->other)) return false;
    if (out) kini_give_contact(world, by.slot, contact, out);
    if (!out || own) return true;
    out->other = by;
    out->normal = kini_neg(contact->normal);
    return true;
}

/* Contacts are kept by bodies; of a static or mover they are seen from the other side. */
KIN_API int kin_get_contacts(const kin_world *world, kin_id id, kin_contact *out, int capacity)
{
    uint32_t slot = kini_check_id(world, __func__, "id", id);
    bool     body = slot && world->things.at[slot].kind == KIN_BODY;
    int32_t  i, row = body ? world->things.at[slot].row : 0, found = 0;
    if (!slot || !kini_check_list(world, __func__, out, capacity)) return 0;
    for (; row < world->bodies.count && (!body || world->bodies.at[row].slot == slot); row++)
        for (i = 0; i < world->bodies.at[row].contact_count; i++) {
            const kini_contact *contact = &kini_contacts_of(world, row)[i];
            if (kini_is_shown(world, row, contact))
                found += kini_tell_contact(world, kini_id_of(world, world->bodies.at[row].slot), contact, id,
                                           found < capacity ? &out[found] : NULL);
        }
    for (i = 0; i < world->sensed.count; i++)
        found += kini_tell_contact(world, world->sensed.at[i].by, &world->sensed.at[i].it, id,
                                   found < capacity ? &out[found] : NULL);
    return found;
}

KIN_API int kin_get_riders(const kin_world *world, kin_id id, kin_id *out, int capacity)
{
    int     found = 0;
    int32_t row;
    if (!kini_check_id(world, __func__, "id", id) || !kini_check_list(world, __func__, out, capacity)) return 0;
    for (row = 0; row < world->bodies.count; row++) {
        const kini_body *body = &world->bodies.at[row];
        kin_id           rider = kini_id_of(world, body->slot);
        if (body->slot == 0 || body->stand.footing != KIN_STABLE || !kin_same(body->stand.id, id)) continue;
        if (kini_is_live(world, rider)) kini_keep_id(out, found++, capacity, rider);
    }
    return found;
}

/* Of the touched surfaces that are walls, or ceilings, the most upright, or the most level. */
static bool kini_get_side(const kin_world *world, const char *call, kin_id body, uint32_t state, kin_contact *out)
{
    const kini_body    *row = kini_check_body(world, call, body);
    const kini_contact *list, *best = NULL;
    bool                ceiling = state == KINI_BODY_ON_CEILING, floats;
    float               least = KINI_FLT_MAX;
    int32_t             i;
    if (!row || !kini_check_pointer(world, call, "out", out)) return false;
    kini_clear(out, sizeof *out);
    list = kini_contacts_of(world, world->things.at[row->slot].row);
    floats = kini_is_floating(world, row);
    for (i = 0; i < row->contact_count && (row->state & state); i++) {
        float    rise = kini_dot(list[i].normal, row->up), lean = ceiling ? rise : kini_abs(rise);
        bool     faces_down = rise < -KINI_CEILING_COS && !floats;
        uint32_t kind = list[i].flags & (KINI_CONTACT_TOUCH | KINI_CONTACT_SENSOR | KINI_CONTACT_FITS);
        if (kind != KINI_CONTACT_TOUCH) continue;
        if (faces_down != ceiling || (!floats && rise >= row->stable_cos) || lean >= least) continue;
        if (!kini_is_live(world, list[i].other)) continue;
        least = lean;
        best = &list[i];
    }
    if (best) kini_give_contact(world, row->slot, best, out);
    return best != NULL;
}

KIN_API bool kin_get_wall(const kin_world *world, kin_id body, kin_contact *out)
{
    return kini_get_side(world, __func__, body, KINI_BODY_ON_WALL, out);
}

KIN_API bool kin_get_ceiling(const kin_world *world, kin_id body, kin_contact *out)
{
    return kini_get_side(world, __func__, body, KINI_BODY_ON_CEILING, out);
}

#ifndef KINEMATIC_NO_TILES
KIN_API bool kin_get_tiles(const kin_world *world, kin_id tiles, kin_tiles_desc *out)
{
    const kini_grid *grid = kini_check_tiles(world, __func__, tiles);
    kin_static_desc  fixed;
    if (!grid || !kini_check_pointer(world, __func__, "out", out)) return false;
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
    const kini_grid *grid = kini_check_tiles(world, __func__, tiles);
    const kini_tile *tile;
    kini_solid       solid;
    kin_shape        shape;
    int              i;
    if (!grid || !kini_check_pointer(world, __func__, "out", out)) return false;
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
#endif
