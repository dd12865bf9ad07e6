/* SPDX-License-Identifier: MIT OR Unlicense

   idle.c: bodies at rest are skipped, and woken.

   The effect of a step on one body depends on its rows in bodies, things and contacts, and its shape; on things within
   its sight, the box that it searches (kini_sight), bodies on their way through it included; on its ground, and whether
   that was teleported or reshaped since the last step; on dt, gravity, settings and calls of the game. So if a body
   wants nothing, a step has not changed one bit of it, and none of this has changed since, the next step will not
   change it either: the body is idle, and no stage looks at it. It wakes when
     - a setter changes it, or anything within its sight (kini_disturb before and after the change);
     - a mover moves there, or stops;
     - a body that is awake is or comes there, or finds it in a search: looked for in stage 3 (kini_spread, from body to
       body, so a heap is idle as a whole or not at all), and in stages 4 to 9 whenever one is moved (kini_watch);
     - its ground was reshaped elsewhere and would lose it (stage 3); gravity, dt or settings change.
   One that wakes after stage 3 has missed nothing of that stage, but stages 4 to 9 are run again from their start.
   Both contact lists of an idle body are the same. Controllers are asked all the same, and contacts that last are told.
   All of this is a cache: nothing of it is hashed or saved. KINI_FORGET drops it before every step. */
#include "things.h"

/* How far from its box a body that stays where it is looks. */
static float kini_sight(const kin_world *world, const kini_body *body)
{
    const kini_thing *thing = &world->things.at[body->slot];
    float touch = kini_touch_at(world, thing->p), width = world->shapes.at[thing->shape].width;
    float sight = 3 * touch + 4 * kini_skin_at(world, thing->p) + kini_greater(body->options.snap, 0) +
                  body->options.step_height + body->options.corner_nudge;
    if (body->options.step_height > 0) sight += width;
    return body->state & KINI_BODY_EMBEDDED ? sight + width + 4 * touch : sight;   /* it looks for a way out */
}

KINI_PART void kini_looked(kin_world *world, uint32_t slot, kin_vec lo, kin_vec hi)
{
    const kini_thing *thing = &world->things.at[slot];
    kini_body        *body = &world->bodies.at[thing->row];
    kin_vec           sight;
    if (thing->kind != KIN_BODY || !body->calm) return;
    sight = kini_all(kini_sight(world, body));
    body->calm = kini_box_holds(kini_sub(thing->lo, sight), kini_add(thing->hi, sight), lo, hi);
}

/* ---- waking ------------------------------------------------------------------------------------------------------ */

KINI_PART void kini_wake(kin_world *world, int32_t row)
{
    kini_body *body = &world->bodies.at[row];
    if (kini_escape(world)) return;
    body->calm = false;
    world->kept.at[row].open = 0;
    if (!world->idle.at[row]) return;
    body->velocity = kini_seen_velocity(world, row);
    world->idle.at[row] = 0;
    world->idle_count--;
    if (world->joining == 0 || !kini_takes_part(world, body->slot)) return;
    kini_clear((char *)body + offsetof(kini_body, turned_at), sizeof *body - offsetof(kini_body, turned_at));
    body->rank = world->order.count;
    world->order.at[world->order.count++] = row;
    if (world->joining == KINI_FALLEN) return;
    body->last_count = body->contact_count;
    body->contact_count = 0;
    kini_wish(world, row);
    kini_backup(world, body);
    world->late = true;
}

KINI_PART void kini_wake_all(kin_world *world)
{
    int32_t i;
    for (i = 0; i < world->bodies.count; i++) kini_wake(world, i);
}

typedef struct kini_alarm {
    kin_world *world;
    kin_vec    lo, hi;
    bool       body;                  /* it is about a body: only those wake that take part */
    float      least;                 /* from there to where the nearest begins to look that did not wake */
} kini_alarm;

static float kini_hear(void *context, int32_t item)
{
    kini_alarm       *alarm = (kini_alarm *)context;
    kin_world        *world = alarm->world;
    const kini_thing *thing = &world->things.at[item];
    float             away;
    if (!world->idle.at[thing->row] || (alarm->body && !kini_takes_part(world, (uint32_t)item))) return 1;
    away = kini_largest(kini_upper(kini_sub(alarm->lo, thing->hi), kini_sub(thing->lo, alarm->hi))) -
           kini_sight(world, &world->bodies.at[thing->row]);
    if (!alarm->body) away -= 2 * world->shapes.at[thing->shape].reach;   /* it looks for the cell under its middle */
    if (away <= 0) kini_wake(world, thing->row);
    else alarm->least = kini_lesser(alarm->least, away);
    return 1;
}

/* Wakes those that look at the box; how near others are, up to `clear`. */
static float kini_alarm_box(kin_world *world, kin_vec lo, kin_vec hi, bool body, float clear)
{
    kin_vec    margin = kini_all(world->sight + clear);
    kini_alarm alarm;
    alarm.world = world; alarm.lo = lo; alarm.hi = hi; alarm.body = body; alarm.least = clear;
    if (world->stage == 10) world->rests = false;   /* bodies at rest have not looked at it yet */
    if (world->idle_count > 0)
        kini_tree_visit(&world->trees[KIN_BODY], kini_sub(lo, margin), kini_add(hi, margin), kini_vec_zero(),
                        kini_hear, &alarm);
    return alarm.least;
}

/* The leaf of a mover covers all of its way. */
KINI_PART void kini_disturb(kin_world *world, uint32_t slot)
{
    const kini_thing *thing = &world->things.at[slot];
    const kini_tree  *tree = kini_tree_of(world, thing);
    int32_t           part = thing->kind == KIN_MOVER ? world->movers.at[thing->row].parts : -1;
    bool              advances = world->stage == 2 && !world->in_callback;   /* it is a mover, and only moves */
    if (!advances) world->edited = true;
    if (thing->kind == KIN_BODY) {
        world->crowd_changed = true;
        kini_wake(world, thing->row);
    }
    if (thing->leaf >= 0) {
        kin_vec lo, hi;
        kini_leaf_box(tree, thing->leaf, &lo, &hi);
        kini_alarm_box(world, lo, hi, thing->kind == KIN_BODY, 0);
        if (thing->kind != KIN_BODY && !advances) kini_level_changed(world, lo, hi);   /* else its leaf does */
    }
    for (; part >= 0; part = world->statics.at[part].next_part) kini_disturb(world, world->statics.at[part].slot);
}

/* Cells that are joined with it, or hidden by it, are beside it. */
KINI_PART void kini_disturb_cell(kin_world *world, const kini_grid *grid, kin_cell cell)
{
    const kini_thing *thing = &world->things.at[grid->slot];
    kin_vec           lo, hi;
    kini_core_bounds(kini_cell_corner(grid, cell, 0.5f), kini_all(KINI_CELLS_AROUND * grid->cell), 0,
                     kini_pose(thing->p, thing->q), &lo, &hi);
    kini_level_changed(world, lo, hi);
    kini_alarm_box(world, lo, hi, false, 0);
}

KINI_PART void kini_watch(kin_world *world, int32_t row, kin_vec way)
{
    kini_body *body = &world->bodies.at[row];
    kin_vec    lo, hi, clear;
    if (world->idle_count == 0) return;
    kini_around(world, body->slot, kini_vec_zero(), way, kini_sight(world, body), &lo, &hi);
    if (kini_box_holds(body->clear_lo, body->clear_hi, lo, hi)) return;
    clear = kini_all(kini_alarm_box(world, lo, hi, true, KINI_CLEAR * world->desc.unit));
    body->clear_lo = kini_sub(lo, clear);
    body->clear_hi = kini_add(hi, clear);
}

KINI_PART kin_vec kini_seen_velocity(const kin_world *world, int32_t row)
{
    const kini_body *body = &world->bodies.at[row];
    if (world->joining == 0 || !world->idle.at[row] || !kini_takes_part(world, body->slot) || body->options.weightless)
        return body->velocity;
    return kini_madd(body->velocity, kini_gravity_of(world, body), body->options.gravity_scale * world->dt);
}

/* ---- becoming idle ----------------------------------------------------------------------------------------------- */

/* Zero to the last bit: a negative zero might become a positive one. */
KINI_PART bool kini_wants_nothing(const kini_body *body)
{
    kin_vec  zero[4];   /* motion, velocity, leftover, given */
    uint32_t open = KINI_BODY_CRUSHED | KINI_BODY_TELEPORTED | KINI_BODY_DROPS | KINI_BODY_LETS_GO | KINI_BODY_RENEW;
    kini_clear(zero, sizeof zero);
    return !(body->state & open) &&
           kini_same_bytes((const char *)body + offsetof(kini_body, motion), zero, sizeof zero);
}

/* Has the last step left all of it as it was, and will the next? */
static bool kini_is_still(const kin_world *world, int32_t row)
{
    const kini_body    *body = &world->bodies.at[row];
    const kini_thing   *thing = &world->things.at[body->slot];
    const kini_contact *now = kini_contacts_of(world, row);
    int32_t             i, count = body->contact_count;
    if (thing->flags & (KINI_REMOVED | KINI_PENDING)) return false;
    if (thing->flags & KINI_DISABLED)
        return count == 0 && body->last_count == 0 && !(body->state & KINI_BODY_TELEPORTED);
    if (!body->calm || !kini_wants_nothing(body) || body->state != body->last_state) return false;
    if (!kini_is_zero(body->wish) || !kini_is_zero(body->carry) || body->pushed_strength != 0) return false;
    if (!kini_same_bytes(&thing->q, &body->start.q, sizeof thing->q)) return false;
    if (!kini_same_bytes(&body->stand, &body->last, sizeof body->stand) || count != body->last_count) return false;
    if (!kini_is_nobody(body->stand.id) && !kini_is_live(world, body->stand.id)) return false;
    for (i = 0; i < count; i++)
        if (!kini_is_live(world, now[i].other)) return false;   /* its ENDED is still to be emitted */
    return kini_same_bytes(now, kini_last_contacts_of(world, row), (size_t)count * sizeof *now);
}

KINI_PART void kini_rest(kin_world *world)
{
    int32_t i, k, before = world->idle_count;
    if (!world->rests || world->pending > 0) return;
    for (i = 0; i < world->bodies.count; i++) {
        const kini_body *body = &world->bodies.at[i];
        if (world->idle.at[i] || body->slot == 0 || !kini_is_still(world, i)) continue;
        world->idle.at[i] = KINI_IDLE;
        for (k = 0; k < body->contact_count; k++)
            if (kini_reports(world, body, kini_contacts_of(world, i)[k].other)) world->idle.at[i] = KINI_IDLE_TELLS;
        if (world->idle_count++ == 0) world->sight = 0;
        world->sight = kini_greater(world->sight, kini_sight(world, body) +
                                                  2 * world->shapes.at[world->things.at[body->slot].shape].reach);
    }
    for (i = 0; i < world->bodies.count && world->idle_count != before; i++)
        world->bodies.at[i].clear_lo = world->bodies.at[i].clear_hi = kini_vec_zero();
}

/* ---- loading a snapshot ------------------------------------------------------------------------------------------ */

static bool kini_same_row(const kin_world *world, const kini_view *view, int section, int32_t row)
{
    const kini_section *table = kini_section_of(section);
    kini_rows           rows = kini_rows_of(world, section);
    return row < rows.count && row < view->head.rows[section] &&
           kini_same_bytes((const char *)rows.at + (size_t)row * table->stride,
                           view->buffer + view->from[section] + (size_t)row * table->lasts,
                           section == KINI_SAVES_SHAPES ? offsetof(kini_shape, users) : table->lasts);
}

/* Settings, and all of the level that is no row of a thing: every body depends on them. Of cells and faces the keys. */
static bool kini_same_basis(const kin_world *world, const kini_view *view)
{
    const kini_setting *setting;
    int                 section;
    int32_t             i;
    for (i = 0; (setting = kini_setting_at(i))->field.at != offsetof(kin_world, time_left); i++)
        if (!kini_same_bytes((const char *)world + setting->field.at, (const char *)&view->was + setting->field.at,
                             setting->bytes)) return false;
    for (section = KINI_SAVES_SHAPES; section < KINI_SAVES_BULK; section++) {
        int32_t count = section == KINI_SAVES_EVENTS ? 0 : kini_rows_of(world, section).count;
        if (section != KINI_SAVES_EVENTS && view->head.rows[section] != count) return false;
        for (i = 0; i < count; i++)
            if (!kini_same_row(world, view, section, i)) return false;
    }
    return true;
}

KINI_PART int32_t kini_wake_changed(kin_world *world, const kini_view *view)
{
    const unsigned char *contacts = view->buffer + view->from[KINI_SAVES_CONTACTS];
    const unsigned char *rows = view->buffer + view->from[KINI_SAVES_BODIES];
    int32_t              i, changed = 0, saved = view->head.rows[KINI_SAVES_BODIES];
    for (i = world->bodies.count; i < saved; i++) {
        world->idle.at[i] = 0;
        world->bodies.at[i].clear_lo = world->bodies.at[i].clear_hi = kini_vec_zero();
    }
    world->crowd_changed = true;
    if (world->idle_count > 0 && !kini_same_basis(world, view)) kini_wake_all(world);
    if (world->idle_count == 0) return 0;
    for (i = 1; i < world->things.count || i < view->head.rows[KINI_SAVES_THINGS]; i++) {
        const kini_thing *thing = &world->things.at[i];
        if (kini_same_row(world, view, KINI_SAVES_THINGS, i) &&
            (thing->kind == KIN_NOTHING || kini_same_row(world, view, KINI_SAVES_KIND + thing->kind, thing->row)))
            continue;
        if (i < world->things.count) kini_disturb(world, (uint32_t)i);
        if (i < view->head.rows[KINI_SAVES_THINGS]) world->found.at[world->found.capacity / 2 + changed++] = i;
    }
    for (i = 0; i < saved; i++) {   /* those that are still idle are as they were, but for their contacts */
        int32_t count;
        size_t  bytes;
        kini_copy(&count, rows + (size_t)i * KINI_BODY_LASTS + offsetof(kini_body, contact_count), sizeof count);
        bytes = (size_t)count * sizeof(kini_contact);
        if (i < world->bodies.count && world->idle.at[i] &&
            !kini_same_bytes(kini_contacts_of(world, i), contacts, bytes))
            kini_wake(world, i);
        contacts += bytes;
    }
    return changed;
}
