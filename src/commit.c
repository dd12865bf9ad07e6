/* SPDX-License-Identifier: MIT OR Unlicense

   commit.c: stage 10. Poses go to the broad phase, contacts are compared with those of the last step, and the
   events are told: ended, left, freed, continued, began, landed, crushed, embedded, blocked, and within a type by slot.

   Events are read from the state of the bodies while they are emitted, never from a list, so that a callback may remove
   anything: what is dead is passed over. */
#include "stages.h"

/* ---- comparing --------------------------------------------------------------------------------------------------- */

static bool kini_contact_before(const kini_contact *a, const kini_contact *b)
{
    if (a->other.slot != b->other.slot) return a->other.slot < b->other.slot;
    if (kini_cell_of(a) != kini_cell_of(b)) return kini_cell_of(a) < kini_cell_of(b);
    return a->part < b->part;
}

static void kini_compare_contacts(kin_world *world, int32_t row)
{
    kini_body          *body = &world->bodies.at[row];
    kini_contact       *now = kini_contacts_of(world, row);
    const kini_contact *was = kini_last_contacts_of(world, row);
    int32_t             i, same = 0;   /* partners that stand at the same place in both lists */
    for (i = 0; world->pending > 0 && i < body->last_count; i++)   /* if it goes itself, it has no next step */
        if (!(world->things.at[body->slot].flags & KINI_GOING) && kini_is_just_removed(world, was[i].other))
            kini_contact_note(world, row, &was[i]);
    KINI_SORT(kini_contact, now, body->contact_count, kini_contact_before(a, b));
    for (i = 0; i < body->contact_count; i++) {
        if (!(world->things.at[now[i].other.slot].flags & KINI_TOUCHED)) world->done.at[row] |= KINI_NEEDS_LEAF;
        if (i < body->last_count && kini_finds(&was[i], 1, &now[i])) same++;
        else if (!kini_lasts(world, row, &now[i])) {
            body->events |= kini_bit(KIN_EVENT_BEGAN);
            continue;
        }
        if (world->desc.on_event || kini_reports(world, body, now[i].other))   /* a callback may still ask for it */
            body->events |= kini_bit(KIN_EVENT_CONTINUED);
    }
    for (i = 0; same < body->last_count && i < body->last_count; i++)
        if (!kini_finds(now, body->contact_count, &was[i])) body->events |= kini_bit(KIN_EVENT_ENDED);
}

KINI_PART void kini_commit_body(kin_world *world, int32_t row)
{
    kini_body        *body = &world->bodies.at[row];
    const kini_thing *thing = &world->things.at[body->slot];
    uint32_t          conditions = (body->state ^ body->last_state) & (KINI_BODY_CRUSHED | KINI_BODY_EMBEDDED);
    bool              stands = body->stand.footing == KIN_STABLE, stood = body->last.footing == KIN_STABLE;
    body->events = 0;
    world->done.at[row] |= KINI_COMMITTED;
    if (kini_takes_part(world, body->slot)) {
        kin_vec p = thing->p, moved;
        if (kini_limit_place(world, &p)) {
            body->velocity = body->leftover = body->given = kini_vec_zero();
            kini_shift(world, body->slot, p, thing->q);
        }
        moved = kini_sub(p, body->start.p);
        if (!kini_is_zero(moved) && !kini_leaf_stays(world, thing)) world->done.at[row] |= KINI_NEEDS_LEAF;
        body->motion = kini_scale(moved, 1 / world->dt);
        if (stood != stands) body->events = kini_bit(stood ? KIN_EVENT_LEFT : KIN_EVENT_LANDED);
        if (conditions & body->last_state)
            body->events |= kini_bit(KIN_EVENT_FREED);   /* before the other condition opens, if it does */
        if (conditions & body->state & KINI_BODY_CRUSHED) body->events |= kini_bit(KIN_EVENT_CRUSHED);
        if (conditions & body->state & KINI_BODY_EMBEDDED) body->events |= kini_bit(KIN_EVENT_EMBEDDED);
    } else {
        body->motion = kini_vec_zero();
        kini_stand_nowhere(body);
        body->state &= ~(uint32_t)(KINI_BODY_ON_WALL | KINI_BODY_ON_CEILING);
    }
    if (!(world->done.at[row] & KINI_SETTLED) || body->contact_count != body->last_count)
        kini_compare_contacts(world, row);   /* else they have not changed (coast.c) */
    else if (body->contact_count > 0 && (world->desc.on_event || kini_reports(world, body, body->stand.id)))
        body->events |= kini_bit(KIN_EVENT_CONTINUED);
    if (body->events != 0) world->done.at[row] |= KINI_TELLS;
    body->state &= ~(uint32_t)(KINI_BODY_TELEPORTED | KINI_BODY_MOVED);
}

/* Chooses those that change what all see, or have something to tell. */
static void kini_commit_rows(kin_world *world, int32_t first, int32_t end)
{
    world->order.count = first;
    for (; first < end; first++) {
        uint8_t idle = world->idle.at[first], *done = &world->done.at[first];
        if (idle == KINI_IDLE_TELLS) {
            world->bodies.at[first].events = kini_bit(KIN_EVENT_CONTINUED);
            *done = KINI_TELLS;
        } else if (idle) continue;
        else if (!(*done & KINI_COMMITTED) && world->bodies.at[first].slot != 0) kini_commit_body(world, first);
        if (*done & (KINI_TELLS | KINI_NEEDS_LEAF)) world->order.at[world->order.count++] = first;
    }
}

/* What of a body is seen by all. */
static void kini_commit_leaf(kin_world *world, int32_t row)
{
    const kini_body  *body = &world->bodies.at[row];
    const kini_thing *thing = &world->things.at[body->slot];
    int32_t           i;
    if (!(world->done.at[row] & KINI_NEEDS_LEAF)) return;
    for (i = 0; i < body->contact_count; i++)
        world->things.at[kini_contacts_of(world, row)[i].other.slot].flags |= KINI_TOUCHED;
    if (!kini_leaf_stays(world, thing)) kini_cover(world, body->slot, thing->lo, thing->hi);
}

/* ---- telling ----------------------------------------------------------------------------------------------------- */

/* False: not emitted, since a callback has removed something that it names. */
static bool kini_tell(kin_world *world, const kin_event *event)
{
    const kin_id names[3] = { event->a, event->b, event->c };
    int          i;
    for (i = 0; i < 3 && event->type != KIN_EVENT_ENDED; i++)
        if (!kini_is_nobody(names[i]) && !kini_is_live(world, names[i])) return false;
    world->events.at[world->events.count] = *event;
    world->telling = world->events.count + 1;
    if (world->events.count < world->desc.max_events) world->events.count++;
    else world->overflowed = true;
    world->in_callback = true;
    if (world->desc.on_event) world->desc.on_event(world, event, world->desc.user);
    world->in_callback = false;
    world->telling = 0;
    return true;
}

/* Where and how fast a and b met is that of a contact, if there is one. */
static kin_event kini_event(const kin_world *world, kin_event_type type, kin_id a, kin_id b,
                            const kini_contact *contact)
{
    kin_event event;
    kini_clear(&event, sizeof event);
    event.type = type;
    event.a = a;
    event.b = b;
    event.part = contact ? contact->part : -1;
    event.step = world->steps;
    if (!contact) return event;
    event.normal = contact->normal;
    event.point = kini_user_at(world, b) ? kini_meeting_point(world, a.slot, b.slot, contact->part, contact->normal)
                                         : world->things.at[a.slot].p;
    event.speed = contact->speed;
    return event;
}

/* The contacts of one list whose partner is, or is not, in the other list. The first of several with one partner speaks
   for all. No ENDED without a reported BEGAN. */
static void kini_tell_contacts(kin_world *world, int32_t row, kin_id a, kin_event_type type)
{
    bool    ended = type == KIN_EVENT_ENDED, both = type == KIN_EVENT_CONTINUED;
    int32_t i, count = ended ? world->bodies.at[row].last_count : world->bodies.at[row].contact_count;
    for (i = 0; i < count; i++) {
        const kini_body    *body = &world->bodies.at[row];
        const kini_contact *list = ended ? kini_last_contacts_of(world, row) : kini_contacts_of(world, row);
        kini_contact        contact = list[i];
        bool                there = ended ? kini_finds(kini_contacts_of(world, row), body->contact_count, &contact)
                                          : kini_lasts(world, row, &contact);
        kin_event           event;
        if (there != both || (i > 0 && kini_finds(&list[i - 1], 1, &contact))) continue;
        if (contact.other.slot < body->slot && world->things.at[contact.other.slot].kind == KIN_BODY &&
            kini_user_at(world, contact.other)) continue;   /* of two bodies the lower slot emits it */
        if (contact.flags & KINI_CONTACT_UNTOLD) continue;
        if (both && !kini_reports(world, body, contact.other)) continue;
        event = kini_event(world, type, a, contact.other, &contact);
        if (!kini_tell(world, &event) && type == KIN_EVENT_BEGAN)
            kini_contacts_of(world, row)[i].flags |= KINI_CONTACT_UNTOLD;
    }
}

/* Pairs without a body that begin or end, up to that of the last slot; `next` is where to go on. */
static void kini_tell_sensed(kin_world *world, kin_event_type type, uint32_t last, int32_t *next)
{
    const kini_pairs *now = &world->sensed, *was = &world->last_sensed, *list = type == KIN_EVENT_ENDED ? was : now;
    for (; *next < list->count && list->at[*next].by.slot <= last; ++*next) {
        kini_sensed pair = list->at[*next];
        kin_event   event;
        if (kini_is_sensed(list == now ? was : now, &pair) || (pair.it.flags & KINI_CONTACT_UNTOLD)) continue;
        event = kini_event(world, type, pair.by, pair.it.other, &pair.it);
        if (!kini_tell(world, &event)) list->at[*next].it.flags |= KINI_CONTACT_UNTOLD;
    }
}

/* If a callback has teleported the body already, its ground was moved to `last`; LEFT must not be emitted again. */
static void kini_tell_stand(kin_world *world, kini_body *body, kin_id a, kin_event_type type)
{
    bool              left = type == KIN_EVENT_LEFT, teleported = (body->state & KINI_BODY_TELEPORTED) != 0;
    const kini_stand *stand = left || teleported ? &body->last : &body->stand;
    kin_event         event = kini_event(world, type, a, stand->id, NULL);
    event.normal = stand->normal;
    event.point = stand->point;
    event.part = stand->part;
    event.speed = left ? 0 : body->land_speed;
    if (left && teleported) body->last = body->stand;   /* which is nowhere */
    kini_tell(world, &event);
}

/* CRUSHED is emitted even if a callback has removed what squeezes the body, which is then not named. */
static void kini_tell_squeeze(kin_world *world, const kini_body *body, kin_id a, kin_event_type type)
{
    bool                freed = type == KIN_EVENT_FREED;
    const kini_contact *contact = kini_find_contact(kini_contacts_of(world, world->things.at[a.slot].row),
                                                    body->contact_count, body->squeezed_by[0], -1);
    kin_event           event = kini_event(world, type, a, body->squeezed_by[0], freed ? NULL : contact);
    event.c = body->squeezed_by[1];
    if (freed || !kini_is_live(world, event.b)) event.b = kini_nobody();
    if (freed || !kini_is_live(world, event.c)) event.c = kini_nobody();
    kini_tell(world, &event);
}

static void kini_tell_body(kin_world *world, int32_t row, kin_event_type type)
{
    kini_body *body = &world->bodies.at[row];
    kin_id     a = kini_last_id(world, body->slot);
    if (!(body->events & kini_bit(type))) return;
    body->events &= ~kini_bit(type);   /* a callback that teleports it reads which are left to emit */
    if (type == KIN_EVENT_ENDED || type == KIN_EVENT_CONTINUED || type == KIN_EVENT_BEGAN)
        kini_tell_contacts(world, row, a, type);
    else if (type == KIN_EVENT_LEFT || type == KIN_EVENT_LANDED) kini_tell_stand(world, body, a, type);
    else kini_tell_squeeze(world, body, a, type);
}

/* Movers that were stopped in this step but not in the last. */
static void kini_tell_blocked(kin_world *world)
{
    int32_t i;
    for (i = 1; i < world->things.count; i++) {
        const kini_mover *mover;
        kin_event         event;
        if (world->things.at[i].kind != KIN_MOVER) continue;
        mover = &world->movers.at[world->things.at[i].row];
        if ((mover->state & (KINI_STOPPED | KINI_WAS_STOPPED)) != KINI_STOPPED) continue;
        event = kini_event(world, KIN_EVENT_BLOCKED, kini_id_of(world, mover->slot), mover->blocked_by[0], NULL);
        event.c = mover->blocked_by[1];
        event.point = world->things.at[event.b.slot].p;
        kini_tell(world, &event);
    }
}

/* ---- the stage --------------------------------------------------------------------------------------------------- */

static void kini_tell_all(kin_world *world)
{
    static const kin_event_type order[8] = {
        KIN_EVENT_ENDED, KIN_EVENT_LEFT, KIN_EVENT_FREED, KIN_EVENT_CONTINUED,
        KIN_EVENT_BEGAN, KIN_EVENT_LANDED, KIN_EVENT_CRUSHED, KIN_EVENT_EMBEDDED
    };
    int32_t i, k, next;
    for (i = k = 0; i < world->order.count; i++)
        if (world->bodies.at[world->order.at[i]].events) world->order.at[k++] = world->order.at[i];
    world->order.count = k;
    KINI_SORT(int32_t, world->order.at, world->order.count, world->bodies.at[*a].slot < world->bodies.at[*b].slot);
    for (k = 0; k < 8; k++) {
        bool pairs = order[k] == KIN_EVENT_ENDED || order[k] == KIN_EVENT_BEGAN;
        for (i = next = 0; i < world->order.count; i++) {
            if (pairs) kini_tell_sensed(world, order[k], world->bodies.at[world->order.at[i]].slot, &next);
            kini_tell_body(world, world->order.at[i], order[k]);
        }
        if (pairs) kini_tell_sensed(world, order[k], UINT32_MAX, &next);
    }
    if (world->stop_movers > 0) kini_tell_blocked(world);
}

static void kini_disable_crushed(kin_world *world)
{
    int32_t i;
    for (i = 0; i < world->bodies.count && world->crushed; i++) {
        const kini_body *body = &world->bodies.at[i];
        bool             crushed = body->slot != 0 && !world->idle.at[i] && (body->state & KINI_BODY_CRUSHED);
        if (!crushed || body->options.on_crush != KIN_CRUSH_DISABLE) continue;
        kini_disturb(world, body->slot);
        world->things.at[body->slot].flags |= KINI_DISABLED;
    }
}

KINI_PART void kini_stage_commit(kin_world *world)
{
    int32_t i;
    world->joining = 0;
    for (i = 0; i < world->bodies.count && world->answering; i++)
        if (world->answers.at[i].full) world->overflowed = true;
    world->answering = false;
    world->skipped = world->idle_count;
    if (world->shifted > 0) world->rests = false;
    if (world->pending == 0) kini_choose_rows(world, kini_commit_rows, world->bodies.count);
    else kini_commit_rows(world, 0, world->bodies.count);   /* keeping a contact may drop one of another body */
    for (i = 0; i < world->order.count; i++) kini_commit_leaf(world, world->order.at[i]);
    for (i = 0; i < world->bodies.count && world->attached > 0; i++)
        if (!world->idle.at[i] && world->bodies.at[i].slot != 0)
            kini_put_sensors(world, &world->things.at[world->bodies.at[i].slot]);
    kini_sense_all(world);
    world->steps++;
    for (i = 1; i < world->things.count && world->shifted > 0; i++)
        world->things.at[i].flags &= (uint16_t)~(KINI_SHIFTED | KINI_RESHAPED);
    world->shifted = 0;
    kini_tell_all(world);
    kini_disable_crushed(world);
    for (i = 1; i < world->things.count && world->going > 0; i++)   /* the contacts of those that go have ended */
        if (world->things.at[i].flags & KINI_GOING) kini_forget(world, (uint32_t)i);
    world->going = 0;
    kini_rest(world);
}
