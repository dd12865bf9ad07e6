/* SPDX-License-Identifier: MIT OR Unlicense

   object.c: adding, placing and removing what lives in a world.

   Adding checks all arguments, reserves all memory that the new thing and later steps need, then changes the world: a
   refused call changes nothing. Removing invalidates the handle; slot and row are freed in stage 1, or at once if no
   contact can refer to the thing. Leaves of what moves are fat, so that most steps do not change the tree. */
#include "things.h"

/* A grid or mesh has the bounds of the box around it. Most shapes are boxes or not turned, and need no solid. */
KINI_PART void kini_thing_bounds(const kin_world *world, const kini_thing *thing, kin_pose at, kin_vec *lo, kin_vec *hi)
{
    const kini_shape *shape = thing->form == KINI_FORM_SHAPE ? &world->shapes.at[thing->shape] : NULL;
    kini_solid        solid;
    if (!shape) {
        kini_level_bounds(world, thing, lo, hi);
        kini_core_bounds(kini_scale(kini_add(*lo, *hi), 0.5f), kini_scale(kini_sub(*hi, *lo), 0.5f), 0, at, lo, hi);
    } else if (shape->hull < 0 || kini_is_unturned(at.q)) {
        kini_core_bounds(shape->centre, shape->half, shape->radius, at, lo, hi);
    } else {
        solid = kini_solid_of(world, thing);
        kini_solid_bounds(&solid, at, lo, hi);
    }
}

KINI_PART kin_vec kini_one_way_of(const kin_world *world, uint32_t slot)
{
    const kini_thing *thing = &world->things.at[slot];
    if (!(thing->flags & KINI_ONE_WAY)) return kini_vec_zero();
    return kini_rotate(thing->q, kini_surface_of(world, thing)->one_way);
}

KINI_PART kin_vec kini_surface_velocity(const kin_world *world, uint32_t slot, int32_t part)
{
    const kini_thing *thing = &world->things.at[slot];
    const kini_tile  *tile;
    if (!(thing->flags & KINI_CONVEYOR)) return kini_vec_zero();
    if (!kini_is_tiles(thing)) return kini_rotate(thing->q, kini_surface_of(world, thing)->velocity);
    tile = kini_tile_of(world, thing, part);
    return tile ? kini_rotate(thing->q, tile->surface_velocity) : kini_vec_zero();
}

/* ---- placing ----------------------------------------------------------------------------------------------------- */

KINI_PART kini_tree *kini_tree_of(kin_world *world, const kini_thing *thing)
{
    return &world->trees[thing->flags & KINI_ATTACHED ? (int)KIN_MOVER : (int)thing->kind];
}

static float kini_fat_of(const kin_world *world, const kini_thing *thing)
{
    return thing->kind == KIN_STATIC && !(thing->flags & KINI_ATTACHED) ? 0 : KINI_FAT * world->desc.unit;
}

KINI_PART void kini_leaf_box(const kini_tree *tree, int32_t leaf, kin_vec *lo, kin_vec *hi)
{
    uint32_t         home = (uint32_t)tree->leaves.at[leaf].home;
    const kini_node *node = &tree->nodes.at[home / KINI_LANES];
    *lo = kini_lane_lo(node, (int)(home % KINI_LANES));
    *hi = kini_lane_hi(node, (int)(home % KINI_LANES));
}

/* For how many steps the leaf of what moves reaches ahead, each up to half its margin; for more if no body looks for
   it. */
static float kini_ahead_of(const kin_world *world, const kini_thing *thing)
{
    bool alone = thing->kind == KIN_BODY && !kini_meets_bodies(world, world->bodies.at[thing->row].slot);
    return alone ? 32 : 8;
}

/* Does the leaf cover lo..hi without being much larger? Islands make leaves wider (kini_find_islands). */
static bool kini_leaf_fits(kin_world *world, const kini_thing *thing, kin_vec lo, kin_vec hi, bool loose)
{
    kin_vec leaf_lo, leaf_hi;
    if (thing->leaf < 0) return true;
    kini_leaf_box(kini_tree_of(world, thing), thing->leaf, &leaf_lo, &leaf_hi);
    return kini_box_holds(leaf_lo, leaf_hi, lo, hi) &&
           (loose || !(kini_largest(kini_sub(kini_sub(leaf_hi, leaf_lo), kini_sub(hi, lo))) >
                       kini_ahead_of(world, thing) * kini_fat_of(world, thing)));
}

/* May the leaf stay as it is? Whether it has become too large is looked at now and then. */
KINI_PART bool kini_leaf_stays(kin_world *world, const kini_thing *thing)
{
    return kini_leaf_fits(world, thing, thing->lo, thing->hi, world->desc.parallel || !world->rests);
}

/* Makes the leaf cover lo..hi, unless it does and is not much larger. What moves gets a leaf that reaches ahead. */
KINI_PART void kini_cover(kin_world *world, uint32_t slot, kin_vec lo, kin_vec hi)
{
    const kini_thing *thing = &world->things.at[slot];
    kini_tree        *tree = kini_tree_of(world, thing);
    float             fat = kini_fat_of(world, thing), steps = kini_ahead_of(world, thing);
    kin_vec           most = kini_all(0.5f * steps * fat), ahead;
    if (kini_leaf_fits(world, thing, lo, hi, world->island != 0)) return;
    if (kini_escape(world)) return;
    ahead = kini_scale(kini_rate_at(world, slot, thing->p), steps * world->dt);
    ahead = kini_upper(kini_lower(ahead, most), kini_neg(most));
    lo = kini_sub(kini_lower(lo, kini_add(lo, ahead)), kini_all(fat));
    hi = kini_add(kini_upper(hi, kini_add(hi, ahead)), kini_all(fat));
    kini_leaf_changed(world, thing, lo, hi);
    kini_tree_move(tree, thing->leaf, lo, hi);
}

KINI_PART void kini_give_leaf(kin_world *world, uint32_t slot)
{
    kini_thing *thing = &world->things.at[slot];
    kin_vec     fat = kini_all(kini_fat_of(world, thing)), lo = kini_sub(thing->lo, fat), hi = kini_add(thing->hi, fat);
    if (thing->leaf >= 0) { kini_cover(world, slot, thing->lo, thing->hi); return; }
    kini_leaf_changed(world, thing, lo, hi);
    thing->leaf = kini_tree_insert(kini_tree_of(world, thing), (int32_t)slot, lo, hi);
}

KINI_PART float kini_box_reach(kin_vec lo, kin_vec hi, kin_vec centre)
{
    return kini_len(kini_upper(kini_magnitudes(kini_sub(lo, centre)), kini_magnitudes(kini_sub(hi, centre))));
}

/* Places a thing. If it, or the mover it is part of, is swept `from` a pose `to` another, the leaf covers the arc. */
static void kini_put_thing(kin_world *world, kini_thing *thing, kin_pose at, bool swept, kin_pose from, kin_pose to)
{
    uint32_t slot = (uint32_t)(thing - world->things.at);
    kin_vec  lo = thing->lo, hi = thing->hi;
    if (!swept) kini_disturb(world, slot);
    thing->p = at.p;
    thing->q = at.q;
    kini_thing_bounds(world, thing, at, &thing->lo, &thing->hi);
    if (swept && !kini_same_rot(to.q, from.q)) {
        float reach = kini_greater(kini_box_reach(lo, hi, from.p), kini_box_reach(thing->lo, thing->hi, to.p));
        lo = kini_sub(kini_lower(from.p, to.p), kini_all(reach));
        hi = kini_add(kini_upper(from.p, to.p), kini_all(reach));
    }
    if (swept) kini_cover(world, slot, kini_lower(lo, thing->lo), kini_upper(hi, thing->hi));
    else kini_cover(world, slot, thing->lo, thing->hi);
    kini_disturb(world, slot);
}

KINI_PART void kini_put_sensors(kin_world *world, const kini_thing *thing)
{
    int32_t part;
    for (part = *kini_parts_of(world, thing); part >= 0; part = world->statics.at[part].next_part) {
        kini_thing *piece = &world->things.at[world->statics.at[part].slot];
        kin_pose    at = kini_pose_on(kini_pose(thing->p, thing->q), world->statics.at[part].local);
        if (!kini_same_bytes(&at.p, &piece->p, sizeof at.p) || !kini_same_bytes(&at.q, &piece->q, sizeof at.q))
            kini_put_thing(world, piece, at, false, at, at);
    }
}

/* With all its parts. */
static void kini_put_whole(kin_world *world, kini_thing *thing, kin_pose to, bool swept)
{
    kin_pose from = kini_pose(thing->p, thing->q);
    int32_t  part = thing->kind == KIN_STATIC ? -1 : *kini_parts_of(world, thing);
    for (kini_put_thing(world, thing, to, swept, from, to); part >= 0; part = world->statics.at[part].next_part)
        kini_put_thing(world, &world->things.at[world->statics.at[part].slot],
                 kini_pose_on(to, world->statics.at[part].local), swept, from, to);
}

KINI_PART void kini_place(kin_world *world, uint32_t slot, kin_vec p, kin_rot q)
{
    kini_thing *thing = &world->things.at[slot];
    kini_put_whole(world, thing, kini_pose(p, q), thing->kind == KIN_MOVER);
}

/* In callbacks of stage 3 this step is already compared with it; in those of stage 10 its LEFT may still be due. */
KINI_PART bool kini_keeps_last(const kin_world *world, const kini_body *body)
{
    if (body->state & (KINI_BODY_TELEPORTED | KINI_BODY_MOVED)) return true;
    if (world->stage == 3) return kini_takes_part(world, body->slot);
    return (body->events & kini_bit(KIN_EVENT_LEFT)) != 0;
}

/* Sets KINI_SHIFTED or KINI_RESHAPED until the end of the next step (in a callback, of this one), for riders. */
KINI_PART void kini_mark(kin_world *world, uint32_t slot, int flag)
{
    kini_thing *thing = &world->things.at[slot];
    if (!(thing->flags & (KINI_SHIFTED | KINI_RESHAPED))) world->shifted++;
    thing->flags = (uint16_t)(thing->flags | flag);
}

KINI_PART void kini_teleport(kin_world *world, uint32_t slot, kin_pose at)
{
    kini_thing *thing = &world->things.at[slot];
    kini_disturb(world, slot);
    kini_mark(world, slot, KINI_SHIFTED);
    kini_put_whole(world, thing, at, false);
    if (thing->kind == KIN_MOVER) {
        kini_mover *mover = &world->movers.at[thing->row];
        mover->before = mover->drawn = at;
        mover->state = (uint8_t)((mover->state & ~(KINI_MOVED | KINI_HAS_TARGET)) | KINI_TELEPORTED);
    }
    if (thing->kind == KIN_BODY) {
        kini_body *body = &world->bodies.at[thing->row];
        body->start = body->drawn = at;
        if (!kini_keeps_last(world, body)) body->last = body->stand;
        kini_stand_nowhere(body);
        body->velocity = kini_sub(body->velocity, body->given);
        body->leftover = body->given = body->lead = kini_vec_zero();
        body->drops_through = kini_nobody();
        body->state &= ~(uint32_t)(KINI_BODY_ON_WALL | KINI_BODY_ON_CEILING | KINI_BODY_DROPS | KINI_BODY_LETS_GO);
        body->state = (body->state & ~(uint32_t)KINI_BODY_MOVED) | KINI_BODY_TELEPORTED;
    }
    if (thing->flags & KINI_ATTACHED) {
        kini_static      *part = &world->statics.at[thing->row];
        const kini_thing *mover = &world->things.at[part->attach.slot];
        part->local.p = kini_to_local(kini_pose(mover->p, mover->q), at.p);
        part->local.q = kini_rot_unit(kini_compose(kini_inverse(mover->q), at.q));
    }
}

/* ---- adding ------------------------------------------------------------------------------------------------------ */

KINI_PART bool kini_check_entry(const kin_world *world, const char *call, kin_pose at, uint32_t layer, uint32_t mask,
                                void *user, kini_entry *out)
{
    if (!kini_check_vec(world, call, "position", at.p, KINI_FURTHEST)) return false;
    if (!kini_check_rot(world, call, "rotation", &at.q)) return false;
    kini_clear(out, sizeof *out);
    out->thing.p = at.p;
    out->thing.q = at.q;
    out->thing.layer = layer ? layer : 1;
    out->thing.mask = mask ? mask : 0xFFFFFFFFu;
    out->thing.kind = KIN_STATIC;
    out->thing.form = KINI_FORM_SHAPE;
    out->thing.shape = out->thing.leaf = -1;
    out->local = at;
    out->user = user;
    return true;
}

KINI_PART bool kini_check_attach(const kin_world *world, const char *call, kin_id attach, kini_entry *entry)
{
    const kini_thing *mover;
    kin_pose          at;
    if (kini_is_nobody(attach)) return true;
    if (!kini_check_id(world, call, "attach", attach)) return false;
    mover = &world->things.at[attach.slot];
    if (mover->kind == KIN_STATIC || (mover->kind == KIN_BODY && !(entry->thing.flags & KINI_SENSOR)))
        return kini_refuse_id(world, call, "attach", "is not a mover, nor a body that gets a sensor", attach);
    at = kini_pose_on(kini_pose(mover->p, mover->q), entry->local);
    entry->attach = attach;
    entry->thing.flags |= KINI_ATTACHED;
    entry->thing.p = at.p;
    entry->thing.q = at.q;
    return kini_check_vec(world, call, "position", at.p, KINI_FURTHEST);
}

typedef struct kini_newcomer { kini_entry entry; kini_solid solid; kini_hull room; } kini_newcomer;

static bool kini_check_newcomer(const kin_world *world, const char *call, const void *desc, kin_kind kind,
                                kini_newcomer *out)
{
    kin_static_desc common;
    if (!kini_check_world(world, call) || !kini_check_pointer(world, call, "desc", desc)) return false;
    kini_copy(&common, desc, KINI_COMMON_BYTES);
    if (!kini_check_shape(world, call, &common.shape, &out->solid, &out->room) ||
        !kini_check_entry(world, call, kini_pose(common.position, common.rotation), common.layer, common.mask,
                          common.user, &out->entry))
        return false;
    out->entry.thing.kind = (uint8_t)kind;
    kini_set_flag(&out->entry.thing, KINI_SENSOR, common.sensor);
    kini_set_flag(&out->entry.thing, KINI_DISABLED, common.disabled);
    return true;
}

KINI_PART bool kini_reserve_entry(kin_world *world, const char *call, const kini_entry *entry, const kini_solid *solid)
{
    kini_counts counts = kini_counts_now(world, solid);
    kini_count_row(world, &counts, KINI_SAVES_THINGS);
    kini_count_row(world, &counts, KINI_SAVES_KIND + entry->thing.kind);
    counts.attached += (entry->thing.flags & KINI_ATTACHED) != 0;
    if (entry->thing.flags & KINI_SENSES) counts.rows[KINI_SAVES_SENSED] += world->desc.max_sensor_contacts;
    if (counts.rows[KINI_SAVES_THINGS] > KINI_MOST_THINGS) return kini_refuse(world, call, "world", "is full");
    return kini_check_room(world, call, &counts);
}

KINI_PART void kini_link_part(kin_world *world, int32_t row)
{
    kini_static *part = &world->statics.at[row];
    int32_t     *link = kini_parts_of(world, &world->things.at[part->attach.slot]);
    while (*link >= 0 && *link < row) link = &world->statics.at[*link].next_part;
    part->next_part = *link;
    *link = row;
}

KINI_PART uint32_t kini_enter(kin_world *world, const kini_entry *entry)
{
    uint32_t    slot = kini_take_slot(world), age = world->things.at[slot].age;
    kini_thing *thing = &world->things.at[slot];
    *thing = entry->thing;
    thing->age = age;
    thing->row = kini_take_row(world, KINI_SAVES_KIND + thing->kind, slot);
    if (thing->kind == KIN_STATIC) {
        kini_static *fixed = &world->statics.at[thing->row];
        fixed->local = entry->local;
        fixed->attach = entry->attach;
        fixed->level = fixed->next_part = -1;
    } else {
        *kini_parts_of(world, thing) = -1;
    }
    if (thing->flags & KINI_ATTACHED) {
        kini_link_part(world, thing->row);
        world->attached++;
    }
    if (thing->kind == KIN_BODY) world->idle.at[thing->row] = 0;
    if (thing->kind == KIN_BODY) kini_clear(&world->kept.at[thing->row], sizeof *world->kept.at);
    world->users.at[slot] = entry->user;
    kini_give_leaf(world, slot);
    world->live[thing->kind]++;
    world->sensers += (thing->flags & KINI_SENSES) != 0;
    kini_disturb(world, slot);
    if (world->stage == 0) return slot;
    thing->flags |= KINI_PENDING;
    world->pending++;
    return slot;
}

static int32_t kini_enter_newcomer(kin_world *world, kini_newcomer *it)
{
    kini_thing *thing = &it->entry.thing;
    thing->shape = kini_take_shape(world, &it->solid);
    kini_solid_bounds(&it->solid, kini_pose(thing->p, thing->q), &thing->lo, &thing->hi);
    return world->things.at[kini_enter(world, &it->entry)].row;
}

KIN_API kin_id kin_add_static(kin_world *world, const kin_static_desc *desc)
{
    kini_newcomer it;
    kini_static  *fixed;
    if (!kini_check_newcomer(world, __func__, desc, KIN_STATIC, &it)) return kini_nobody();
    kini_set_flag(&it.entry.thing, KINI_SENSES, desc->senses);
    if (!kini_check_surface(world, __func__, desc->one_way, desc->surface_velocity) ||
        !kini_check_attach(world, __func__, desc->attach, &it.entry) ||
        !kini_check_senses(world, __func__, &it.entry.thing, desc) ||
        !kini_reserve_entry(world, __func__, &it.entry, &it.solid))
        return kini_nobody();
    fixed = &world->statics.at[kini_enter_newcomer(world, &it)];
    kini_take_surface(world, fixed->slot, desc->one_way, desc->surface_velocity);
    return kini_id_of(world, fixed->slot);
}

KIN_API kin_id kin_add_mover(kin_world *world, const kin_mover_desc *desc)
{
    kini_newcomer it;
    kini_mover   *mover;
    if (!kini_check_newcomer(world, __func__, desc, KIN_MOVER, &it)) return kini_nobody();
    kini_set_flag(&it.entry.thing, KINI_SENSES, desc->senses);
    if (!kini_check_mover_options(world, __func__, desc) ||
        !kini_check_finite(world, __func__, "velocity", desc->velocity) ||
        !kini_check_floats(world, __func__, "spin", &desc->spin, KINI_SPIN_BYTES, KINI_FASTEST) ||
        !kini_reserve_control(world, __func__, desc->control) ||
        !kini_reserve_entry(world, __func__, &it.entry, &it.solid))
        return kini_nobody();
    mover = &world->movers.at[kini_enter_newcomer(world, &it)];
    kini_take_mover_options(world, mover, desc);
    mover->velocity = kini_limit_speed(world, desc->velocity);
    mover->spin = desc->spin;
    mover->before = mover->drawn = mover->target = it.entry.local;
    return kini_id_of(world, mover->slot);
}

KIN_API kin_id kin_add_body(kin_world *world, const kin_body_desc *desc)
{
    kini_newcomer it;
    kini_body    *body;
    if (!kini_check_newcomer(world, __func__, desc, KIN_BODY, &it) ||
        !kini_check_finite(world, __func__, "velocity", desc->velocity) ||
        !kini_check_body_options(world, __func__, desc) || !kini_reserve_control(world, __func__, desc->control) ||
        !kini_reserve_entry(world, __func__, &it.entry, &it.solid))
        return kini_nobody();
    body = &world->bodies.at[kini_enter_newcomer(world, &it)];
    body->start = body->drawn = it.entry.local;
    body->velocity = kini_limit_speed(world, desc->velocity);
    kini_take_body_options(world, body, desc);
    body->stand.part = body->last.part = -1;
    return kini_id_of(world, body->slot);
}

/* ---- removing ---------------------------------------------------------------------------------------------------- */

KINI_PART void kini_forget(kin_world *world, uint32_t slot)
{
    kini_thing *thing = &world->things.at[slot];
    if (thing->flags & KINI_IGNORES) kini_forget_ignored(world, slot);
    if (thing->shape >= 0) kini_give_shape(world, thing->shape);
    if (kini_is_tiles(thing)) kini_forget_grid(world, world->statics.at[thing->row].level);
    if (kini_is_mesh(thing)) kini_forget_mesh(world, world->statics.at[thing->row].level);
    kini_give_row(world, KINI_SAVES_KIND + thing->kind, thing->row);
    kini_give_slot(world, slot);
}

static void kini_retire(kin_world *world, uint32_t slot)
{
    kini_thing      *thing = &world->things.at[slot];
    const kini_body *body = thing->kind == KIN_BODY ? &world->bodies.at[thing->row] : NULL;
    /* Can a contact or a ground name it, or does it name others whose contact with it has to end? */
    bool involved = (thing->flags & KINI_TOUCHED) || (body && (body->contact_count > 0 || body->stand.id.slot != 0));
    kin_vec          lo, hi;
    kini_disturb(world, slot);
    if (thing->leaf >= 0) {
        kini_leaf_box(kini_tree_of(world, thing), thing->leaf, &lo, &hi);
        kini_leaf_changed(world, thing, lo, hi);
        kini_tree_remove(kini_tree_of(world, thing), thing->leaf);
    }
    if (thing->flags & KINI_ATTACHED) {
        kini_static *fixed = &world->statics.at[thing->row];
        int32_t     *link = kini_parts_of(world, &world->things.at[fixed->attach.slot]);
        while (*link != thing->row) link = &world->statics.at[*link].next_part;
        *link = fixed->next_part;
        fixed->next_part = -1;
        world->attached--;
    }
    if (thing->kind == KIN_MOVER && world->movers.at[thing->row].on_blocked == KIN_BLOCKED_STOP) world->stop_movers--;
    thing->leaf = -1;
    kini_remember_user(world, slot);
    thing->age++;
    thing->flags |= KINI_REMOVED;
    world->live[thing->kind]--;
    world->sensers -= (thing->flags & KINI_SENSES) != 0;
    if (world->stage == 0 && !world->in_callback && !involved) kini_forget(world, slot);
    else world->pending++;
}

KIN_API bool kin_remove(kin_world *world, kin_id id)
{
    uint32_t          slot = kini_check_id(world, __func__, "id", id);
    const kini_thing *thing;
    if (!slot || !kini_check_unasked(world, __func__)) return false;
    thing = &world->things.at[slot];
    while (thing->kind != KIN_STATIC && *kini_parts_of(world, thing) >= 0)
        kini_retire(world, world->statics.at[*kini_parts_of(world, thing)].slot);
    kini_retire(world, slot);
    return true;
}
