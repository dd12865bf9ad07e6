/* SPDX-License-Identifier: MIT OR Unlicense

   contacts.c: what each body touches in this step.

   A contact is noted when something was hit or separated in the step, when a sensor was crossed, or when something
   is within the touch margin at its end. Each body has room for max_contacts, of which the ground's is always
   kept, and for max_sensor_contacts, of which those that last are kept. Each sensor cell is a contact. */
#include "things.h"

KINI_PART const kini_contact *kini_find_contact(const kini_contact *list, int32_t count, kin_id other, int32_t cell)
{
    int32_t i;
    for (i = 0; i < count; i++)
        if (kin_same(list[i].other, other) && kini_cell_of(&list[i]) == cell) return &list[i];
    return NULL;
}

KINI_PART bool kini_is_flush(const kin_world *world, int32_t row, const kini_contact *contact)
{
    uint32_t flags = contact->flags & (KINI_CONTACT_SENSOR | KINI_CONTACT_TOUCH);
    kin_vec  at = world->things.at[world->bodies.at[row].slot].p;
    return flags == KINI_CONTACT_TOUCH && contact->gap <= kini_slop_at(world, at);
}

KINI_PART bool kini_reports(const kin_world *world, const kini_body *body, kin_id other)
{
    const kini_thing *thing = &world->things.at[other.slot];
    return body->options.report_continued ||
           (thing->kind == KIN_BODY && world->bodies.at[thing->row].options.report_continued);
}

/* The same surface of the same thing. Two bodies, which are convex, touch in one place; so does a sensor. */
static bool kini_alike(const kin_world *world, const kini_contact *a, const kini_contact *b)
{
    if (!kin_same(a->other, b->other)) return false;
    return world->things.at[a->other.slot].kind == KIN_BODY ||
           (a->part == b->part && ((a->flags & KINI_CONTACT_SENSOR) ||
            kini_dot(a->normal, b->normal) > KINI_SAME_SIDE));
}

/* The contact of a body that this one would be merged with or stored in; NULL if there is no room for it. */
static kini_contact *kini_contact_place(const kin_world *world, int32_t row, const kini_contact *contact)
{
    const kini_body *body = &world->bodies.at[row];
    kini_contact    *list = kini_contacts_of(world, row);
    bool             sensor = (contact->flags & KINI_CONTACT_SENSOR) != 0;
    int32_t          i, room = sensor ? world->desc.max_sensor_contacts : world->desc.max_contacts;
    for (i = 0; i < body->contact_count; i++) {
        if (kini_alike(world, &list[i], contact)) return &list[i];
        room -= ((list[i].flags & KINI_CONTACT_SENSOR) != 0) == sensor;
    }
    return room > 0 ? &list[body->contact_count] : NULL;
}

/* Forgets what a body touches of one thing, or of one cell of it. */
static void kini_contact_drop(kin_world *world, int32_t row, uint32_t other, int32_t cell)
{
    kini_body    *body = &world->bodies.at[row];
    kini_contact *list = kini_contacts_of(world, row);
    int32_t       i, kept = 0;
    for (i = 0; i < body->contact_count; i++)
        if (list[i].other.slot != other || kini_cell_of(&list[i]) != cell) list[kept++] = list[i];
    body->contact_count = kept;
}

KINI_PART bool kini_finds(const kini_contact *list, int32_t count, const kini_contact *contact)
{
    return kini_find_contact(list, count, contact->other, kini_cell_of(contact)) != NULL;
}

KINI_PART bool kini_lasts(const kin_world *world, int32_t row, const kini_contact *contact)
{
    return kini_finds(kini_last_contacts_of(world, row), world->bodies.at[row].last_count, contact);
}

/* Is it the contact of a body with its ground, or with a body that stands on it? */
static bool kini_contact_bears(const kin_world *world, int32_t row, const kini_contact *contact)
{
    const kini_thing   *other = &world->things.at[contact->other.slot];
    const kini_contact *theirs;
    if (contact->flags & KINI_CONTACT_GROUND) return true;
    if (other->kind != KIN_BODY) return false;
    theirs = kini_find_contact(kini_contacts_of(world, other->row), world->bodies.at[other->row].contact_count,
                               kini_id_of(world, world->bodies.at[row].slot), -1);
    return theirs && (theirs->flags & KINI_CONTACT_GROUND);
}

/* Drops the last contact of a full list that is a new sensor's, or bears nobody; of two bodies, off both lists. */
static bool kini_make_room(kin_world *world, int32_t row, uint32_t sensor)
{
    const kini_contact *list = kini_contacts_of(world, row);
    kini_contact        gone;
    int32_t             i = world->bodies.at[row].contact_count;
    do {
        if (--i < 0) return false;
        gone = list[i];
    } while ((gone.flags & KINI_CONTACT_SENSOR) != sensor ||
             (sensor ? kini_lasts(world, row, &gone) : kini_contact_bears(world, row, &gone)));
    kini_contact_drop(world, row, gone.other.slot, kini_cell_of(&gone));
    if (world->things.at[gone.other.slot].kind == KIN_BODY)
        kini_contact_drop(world, world->things.at[gone.other.slot].row, world->bodies.at[row].slot, -1);
    return true;
}

/* Room for a contact in a list, NULL if there is none and none can be made: only a ground, and a sensor that was there
   in the last step, drive out others. A contact without room is emitted by a later step: the body is not at rest. */
static kini_contact *kini_contact_fit(kin_world *world, int32_t row, const kini_contact *contact, bool ground)
{
    kini_contact *place = kini_contact_place(world, row, contact);
    uint32_t      sensor = contact->flags & KINI_CONTACT_SENSOR;
    if (place) return place;
    world->overflowed = true;
    world->bodies.at[row].calm = false;
    if (!(sensor ? kini_lasts(world, row, contact) : ground) || !kini_make_room(world, row, sensor)) return NULL;
    return kini_contact_place(world, row, contact);
}

KINI_PART void kini_drop_fresh(kini_contact *list, int32_t *count)
{
    int32_t i, kept = 0;
    for (i = 0; i < *count; i++)
        if (!(list[i].flags & KINI_CONTACT_FRESH)) list[kept++] = list[i];
    *count = kept;
}

KINI_PART void kini_hide_contacts(kin_world *world, int32_t row)
{
    kini_contact *list = kini_contacts_of(world, row);
    int32_t       i;
    kini_drop_fresh(list, &world->bodies.at[row].contact_count);
    for (i = 0; i < world->bodies.at[row].contact_count; i++)
        list[i].flags &= ~(uint32_t)(KINI_CONTACT_HIT | KINI_CONTACT_TOUCH | KINI_CONTACT_GROUND);
}

/* Stores it at its place in the list, or merges it with what is there. */
static void kini_contact_put(kin_world *world, int32_t row, kini_contact *place, const kini_contact *contact)
{
    kini_body   *body = &world->bodies.at[row];
    kini_contact was;
    if (place == kini_contacts_of(world, row) + body->contact_count) {
        *place = *contact;
        if (world->stage < 4) place->flags |= KINI_CONTACT_FRESH;
        body->contact_count++;
        return;
    }
    was = *place;
    if ((contact->flags & KINI_CONTACT_TOUCH) || !(was.flags & KINI_CONTACT_TOUCH)) *place = *contact;
    place->speed = kini_greater(was.speed, contact->speed);
    place->flags = was.flags | contact->flags;
}

KINI_PART void kini_contact_note(kin_world *world, int32_t row, const kini_contact *contact)
{
    kini_contact *place = kini_contact_fit(world, row, contact, (contact->flags & KINI_CONTACT_GROUND) != 0);
    if (place) kini_contact_put(world, row, place, contact);
}

KINI_PART kin_vec kini_point_on(const kin_world *world, uint32_t slot, int32_t part, const kini_solid *body,
                                kin_pose at, kin_vec normal)
{
    const kini_thing *thing = &world->things.at[slot];
    kini_solid        solid;
    if (!(body->reach > 0)) return at.p;
    if (kini_is_tiles(thing)) return kini_tiles_touch(world, slot, part, body, at, normal);
    if (kini_is_mesh(thing)) return kini_mesh_touch(world, slot, part, body, at, normal);
    solid = kini_solid_of(world, thing);
    return kini_touch_point(&solid, kini_pose(thing->p, thing->q), body, at, normal);
}

KINI_PART kin_vec kini_meeting_point(const kin_world *world, uint32_t body, uint32_t other, int32_t part,
                                     kin_vec normal)
{
    const kini_thing *thing = &world->things.at[body];
    kini_solid        solid = kini_solid_of(world, thing);
    kin_pose          at = kini_pose(thing->p, thing->q);
    kin_vec           half;
    if (world->things.at[other].flags & (KINI_SHIFTED | KINI_REMOVED)) return kini_foot(&solid, at, normal, &half);
    return kini_point_on(world, other, part, &solid, at, normal);
}

KINI_PART int32_t kini_touched_part(const kin_world *world, uint32_t body, uint32_t other, int32_t part, kin_vec normal)
{
    const kini_thing *thing = &world->things.at[body];
    kini_solid        solid;
    if (!kini_is_tiles(&world->things.at[other])) return part;
    solid = kini_solid_of(world, thing);
    return kini_tiles_part(world, other, part, &solid, kini_pose(thing->p, thing->q), normal);
}

/* Both bodies know of a contact, or neither does. */
static void kini_note_both(kin_world *world, int32_t row, const kini_contact *contact)
{
    int32_t       other = world->things.at[contact->other.slot].row, count;
    kini_contact  theirs = *contact, *mine, *place;
    bool          ground = (contact->flags & KINI_CONTACT_GROUND) != 0;
    theirs.other = kini_id_of(world, world->bodies.at[row].slot);
    theirs.normal = kini_neg(contact->normal);
    theirs.flags &= ~(uint32_t)KINI_CONTACT_GROUND;
    mine = kini_contact_fit(world, row, contact, ground);
    count = world->bodies.at[row].contact_count;
    place = mine ? kini_contact_fit(world, other, &theirs, ground) : NULL;
    if (!place) return;
    if (world->bodies.at[row].contact_count != count) mine = kini_contact_place(world, row, contact);   /* one went */
    kini_contact_put(world, row, mine, contact);
    kini_contact_put(world, other, place, &theirs);
}

/* Approach speed in this step, of a contact that no sweep has hit: it is stopped only in the next one, or a neighbour
   with the same normal has stopped the body before. */
static float kini_approach(const kin_world *world, int32_t row, const kini_contact *contact)
{
    const kini_body    *body = &world->bodies.at[row];
    const kini_contact *list = kini_contacts_of(world, row);
    kin_vec point = kini_meeting_point(world, body->slot, contact->other.slot, contact->part, contact->normal);
    kin_vec rate = kini_rate_at(world, contact->other.slot, point);
    float   speed = kini_greater(kini_dot(kini_sub(rate, kini_rate_at(world, body->slot, point)), contact->normal), 0);
    int32_t i;
    for (i = 0; i < body->contact_count; i++)
        if ((list[i].flags & KINI_CONTACT_HIT) && kini_dot(list[i].normal, contact->normal) > KINI_SAME_FACE)
            speed = kini_greater(speed, list[i].speed + kini_dot(kini_sub(rate, kini_rate_at(world, list[i].other.slot,
                                                                                         point)), contact->normal));
    return speed;
}

KINI_PART int32_t kini_note(kin_world *world, const kini_piece *piece, int32_t row, kin_vec normal, float gap,
                            float speed, uint32_t flags)
{
    kini_contact contact;
    contact.other = kini_id_of(world, piece->slot);
    contact.normal = normal;
    contact.gap = gap;
    contact.speed = speed;
    contact.part = kini_touched_part(world, world->bodies.at[row].slot, piece->slot, piece->part, normal);
    contact.flags = flags | (piece->flags & KINI_SENSOR ? (uint32_t)KINI_CONTACT_SENSOR : 0u);
    if (!(flags & KINI_CONTACT_HIT) && !kini_lasts(world, row, &contact))
        contact.speed = kini_approach(world, row, &contact);
    if ((piece->flags & KINI_PIECE_BODY) && world->stage >= 4) kini_note_both(world, row, &contact);
    else kini_contact_note(world, row, &contact);
    return contact.part;
}

KINI_PART void kini_note_body(kin_world *world, int32_t row, uint32_t slot, kin_vec normal, float gap, float speed,
                              uint32_t flags)
{
    const kini_thing *self = &world->things.at[world->bodies.at[row].slot], *other = &world->things.at[slot];
    kini_piece        piece;
    piece.part = -1;
    piece.flags = KINI_PIECE_BODY | (uint32_t)((self->flags | other->flags) & KINI_SENSOR);
    piece.slot = slot;
    kini_note(world, &piece, row, normal, gap, speed, flags);
}

/* Everything a slide ran into. */
KINI_PART void kini_note_planes(kin_world *world, int32_t row, const kini_slide *slide, float per_second)
{
    kini_piece piece;
    int        i;
    for (i = 0; i < slide->count; i++) {
        const kini_plane *plane = &slide->planes[i];
        piece.slot = plane->slot;
        piece.part = plane->part;
        piece.flags = plane->flags;
        kini_note(world, &piece, row, plane->surface, 0, plane->speed * per_second, KINI_CONTACT_HIT);
    }
}

/* Sensors that the first `part` of a straight motion passes, even if it ends beyond them. */
KINI_PART void kini_note_crossed(kin_world *world, kini_near *near, const kini_probe *probe, float part)
{
    int32_t row = world->things.at[near->slot].row;
    bool    more;
    int     i;
    if (near->whole && near->sensors == 0) return;
    for (more = kini_near_first(world, near); more; more = kini_near_next(world, near))
        for (i = 0; i < near->count && near->sensors > 0; i++) {
            const kini_piece *piece = &world->pieces.at[i];
            kin_vec           x = kini_madd(probe->x, piece->move, probe->left), travel = probe->travel, normal;
            float             t;
            if (!(piece->flags & KINI_SENSOR)) continue;
            if (!probe->frozen) travel = kini_madd(travel, piece->move, -probe->left);
            travel = kini_scale(travel, part);
            if (kini_obstacle_ray(&piece->obstacle, x, travel, &t, &normal))
                kini_note(world, piece, row, normal, 0, -kini_dot(travel, normal) / world->dt, KINI_CONTACT_HIT);
        }
}
