/* SPDX-License-Identifier: MIT OR Unlicense

   access.c: what the world tells about the things in it.

   Everything here only reads. A teleported body stands nowhere and touches nothing until the next step has decided,
   although its old contacts are still kept, so that the step can tell that they ended. */
#include "internal.h"

/* ---- any thing --------------------------------------------------------------------------------------------------- */

KIN_API bool kin_alive(const kin_world *world, kin_id id)
{
    return kini_check_world(world, "kin_alive") && kini_is_live(world, id);
}

/* A thing of no kind if the handle is refused. */
static kini_thing kini_asked(const kin_world *world, const char *call, kin_id id)
{
    uint32_t   slot = kini_check_id(world, call, "id", id);
    kini_thing nothing;
    kini_clear(&nothing, sizeof nothing);
    return slot ? world->things.at[slot] : nothing;
}

KIN_API kin_kind kin_get_kind(const kin_world *world, kin_id id)
{
    return (kin_kind)kini_asked(world, "kin_get_kind", id).kind;
}

/* Of a dead handle as long as an event names it. */
KIN_API void *kin_get_user(const kin_world *world, kin_id id)
{
    uint32_t slot;
    int32_t  i = 0;
    if (world && !kini_is_nobody(id) && !kini_is_live(world, id))
        i = world->telling > world->events.count ? world->telling : world->events.count;
    while (i-- > 0) {
        const kin_event *event = &world->events.at[i];
        if (kin_same(event->a, id)) return world->named.at[i].users[0];
        if (kin_same(event->b, id)) return world->named.at[i].users[1];
        if (kin_same(event->c, id)) return world->named.at[i].users[2];
    }
    slot = kini_check_id(world, "kin_get_user", "id", id);
    return slot ? world->users.at[slot] : NULL;
}

KIN_API kin_vec kin_get_position(const kin_world *world, kin_id id)
{
    return kini_asked(world, "kin_get_position", id).p;
}

KIN_API kin_rot kin_get_rotation(const kin_world *world, kin_id id)
{
    return kini_asked(world, "kin_get_rotation", id).q;
}

/* ---- drawing between two steps -------------------------------------------------------------------------------- */

static kin_pose kini_draw_between(kin_pose drawn, const kini_thing *thing, float alpha)
{
    kin_pose now = kini_pose(thing->p, thing->q);
    return kini_pose(kini_mix(drawn.p, now.p, alpha), kini_rot_unit(kini_rot_mix(drawn.q, now.q, alpha)));
}

static kin_pose kini_draw_static(const kin_world *world, const kini_thing *thing, float alpha)
{
    const kini_static *fixed = &world->statics.at[thing->row];
    const kini_thing  *carrier;
    kin_pose           at;
    if (!(thing->flags & KINI_ATTACHED)) return kini_pose(thing->p, thing->q);
    carrier = &world->things.at[fixed->attach.slot];
    at = kini_draw_between(world->movers.at[carrier->row].drawn, carrier, alpha);
    return kini_pose_on(at, fixed->local);
}

KIN_API kin_pose kin_get_draw_pose(const kin_world *world, kin_id id)
{
    kini_thing it = kini_asked(world, "kin_get_draw_pose", id), *thing = &it;
    float             alpha;
    if (thing->kind == KIN_NOTHING) return kini_pose(thing->p, thing->q);
    alpha = kin_world_alpha(world);
    if (thing->kind == KIN_BODY) return kini_draw_between(world->bodies.at[thing->row].drawn, thing, alpha);
    if (thing->kind == KIN_MOVER) return kini_draw_between(world->movers.at[thing->row].drawn, thing, alpha);
    return kini_draw_static(world, thing, alpha);
}

/* ---- motion ------------------------------------------------------------------------------------------------------ */

KIN_API kin_vec kin_get_velocity(const kin_world *world, kin_id id)
{
    kini_thing it = kini_asked(world, "kin_get_velocity", id), *thing = &it;
    if (thing->kind == KIN_BODY) return kini_seen_velocity(world, thing->row);
    return thing->kind == KIN_MOVER ? world->movers.at[thing->row].velocity : kini_vec_zero();
}

KIN_API kin_vec kin_get_motion(const kin_world *world, kin_id id)
{
    kini_thing it = kini_asked(world, "kin_get_motion", id), *thing = &it;
    if (thing->kind == KIN_BODY) return world->bodies.at[thing->row].motion;
    return thing->kind == KIN_NOTHING ? kini_vec_zero() : kini_rate_at(world, id.slot, thing->p);
}

KIN_API kin_vec kin_get_leftover(const kin_world *world, kin_id id)
{
    kini_thing it = kini_asked(world, "kin_get_leftover", id), *thing = &it;
    return thing->kind == KIN_BODY ? world->bodies.at[thing->row].leftover : kini_vec_zero();
}

KIN_API kin_spin kin_get_spin(const kin_world *world, kin_id id)
{
    kini_thing it = kini_asked(world, "kin_get_spin", id), *thing = &it;
    return thing->kind == KIN_MOVER ? world->movers.at[thing->row].spin : kini_spin_zero();
}

/* ---- bodies: ground and condition ------------------------------------------------------------------------------- */

static const kini_body *kini_asked_body(const kin_world *world, const char *call, kin_id body)
{
    uint32_t slot = kini_check_kind(world, call, "body", body, KIN_BODY);
    return slot ? &world->bodies.at[world->things.at[slot].row] : NULL;
}

static bool kini_body_has(const kin_world *world, const char *call, kin_id body, uint32_t state)
{
    const kini_body *row = kini_asked_body(world, call, body);
    return row && (row->state & state) != 0;
}

KIN_API kin_ground kin_get_ground(const kin_world *world, kin_id body)
{
    const kini_body *row = kini_asked_body(world, "kin_get_ground", body);
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

KIN_API bool kin_on_ground(const kin_world *world, kin_id body)
{
    const kini_body *row = kini_asked_body(world, "kin_on_ground", body);
    return row && row->stand.footing == KIN_STABLE && kini_is_live(world, row->stand.id);
}

KIN_API bool kin_on_wall(const kin_world *world, kin_id body)
{
    return kini_body_has(world, "kin_on_wall", body, KINI_BODY_ON_WALL);
}

KIN_API bool kin_on_ceiling(const kin_world *world, kin_id body)
{
    return kini_body_has(world, "kin_on_ceiling", body, KINI_BODY_ON_CEILING);
}

KIN_API bool kin_is_crushed(const kin_world *world, kin_id body)
{
    return kini_body_has(world, "kin_is_crushed", body, KINI_BODY_CRUSHED);
}

KIN_API bool kin_is_embedded(const kin_world *world, kin_id body)
{
    return kini_body_has(world, "kin_is_embedded", body, KINI_BODY_EMBEDDED);
}

KIN_API bool kin_is_blocked(const kin_world *world, kin_id mover)
{
    uint32_t slot = kini_check_kind(world, "kin_is_blocked", "mover", mover, KIN_MOVER);
    return slot && (world->movers.at[world->things.at[slot].row].state & KINI_STOPPED);
}

/* ---- contacts and riders ----------------------------------------------------------------------------------------- */

static int kini_contact_count(const kini_body *body)
{
    return body->state & KINI_BODY_TELEPORTED ? 0 : body->contact_count;
}

KINI_PART void kini_give_contact(const kin_world *world, uint32_t slot, const kini_contact *contact, kin_contact *out)
{
    out->other = contact->other;
    out->normal = contact->normal;
    out->point = kini_meeting_point(world, slot, contact->other.slot, contact->part, contact->normal);
    out->gap = contact->gap;
    out->part = contact->part;
}

/* Contacts of one body with anybody, or with `id`, as that sees them; returns how many there are now. */
static int kini_tell_contacts_at(const kin_world *world, int32_t row, kin_id id, kin_contact *out, int capacity,
                                 int found)
{
    const kini_contact *contact = kini_contacts_of(world, row);
    int                 count = kini_contact_count(&world->bodies.at[row]);
    kin_id              body = kini_id_of(world, world->bodies.at[row].slot);
    bool                own = kin_same(body, id);
    for (; count > 0; count--, contact++) {
        if (own ? !kini_is_live(world, contact->other) : !kin_same(contact->other, id)) continue;
        if (found++ >= capacity) continue;
        kini_give_contact(world, body.slot, contact, &out[found - 1]);
        if (own) continue;
        out[found - 1].other = body;
        out[found - 1].normal = kini_neg(contact->normal);
    }
    return found;
}

/* Contacts are kept by bodies; of a static or mover they are seen from the other side. */
KIN_API int kin_get_contacts(const kin_world *world, kin_id id, kin_contact *out, int capacity)
{
    const char *call = "kin_get_contacts";
    uint32_t    slot = kini_check_id(world, call, "id", id);
    int32_t     row, found = 0;
    if (!slot || !kini_check_list(world, call, out, capacity)) return 0;
    if (world->things.at[slot].kind == KIN_BODY)
        return kini_tell_contacts_at(world, world->things.at[slot].row, id, out, capacity, 0);
    for (row = 0; row < world->bodies.count; row++)
        if (kini_is_live(world, kini_id_of(world, world->bodies.at[row].slot)))
            found = kini_tell_contacts_at(world, row, id, out, capacity, found);
    return found;
}

KIN_API int kin_get_riders(const kin_world *world, kin_id id, kin_id *out, int capacity)
{
    const char *call = "kin_get_riders";
    int         found = 0;
    int32_t     row;
    if (!kini_check_id(world, call, "id", id) || !kini_check_list(world, call, out, capacity)) return 0;
    for (row = 0; row < world->bodies.count; row++) {
        const kini_body *body = &world->bodies.at[row];
        kin_id           rider = kini_id_of(world, body->slot);
        if (body->slot == 0 || body->stand.footing != KIN_STABLE || !kin_same(body->stand.id, id)) continue;
        if (kini_is_live(world, rider)) kini_keep_id(out, found++, capacity, rider);
    }
    kini_sort_ids(out, found < capacity ? found : capacity);
    return found;
}
