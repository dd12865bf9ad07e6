/* SPDX-License-Identifier: MIT OR Unlicense

   hash.c: one number for all state that the future depends on.

   Each function below visits the fields of one kind of row; a new field is a line here. Numbers go in as values, not
   as bytes, so byte order, padding and addresses do not show; zero has no sign. Left out is what every step begins by
   writing anew (wishes, scratch, last step's contacts), what only drawing reads, the broad phase, which decides
   nothing, and what belongs to the user: pointers and controllers. */
#include "internal.h"

static void kini_hash_word(uint64_t *hash, uint32_t word)
{
    uint64_t h = (*hash ^ word) * 0x9E3779B97F4A7C15u;
    *hash = h ^ h >> 29;
}

static void kini_hash_long(uint64_t *hash, uint64_t number)
{
    kini_hash_word(hash, (uint32_t)(number & 0xFFFFFFFFu));
    kini_hash_word(hash, (uint32_t)(number >> 32));
}

static void kini_hash_int(uint64_t *hash, int32_t number) { kini_hash_word(hash, (uint32_t)number); }
static void kini_hash_float(uint64_t *hash, float number) { kini_hash_word(hash, kini_float_bits(number)); }

static void kini_hash_double(uint64_t *hash, double number)
{
    uint64_t bits;
    number += 0.0;
    kini_copy(&bits, &number, sizeof bits);
    kini_hash_long(hash, bits);
}

static void kini_hash_vec(uint64_t *hash, kin_vec v)
{
    int i;
    for (i = 0; i < KINI_DIM; i++) kini_hash_float(hash, kini_at(v, i));
}

#if KINI_DIM == 2
static void kini_hash_spin(uint64_t *hash, kin_spin spin) { kini_hash_float(hash, spin); }

static void kini_hash_rot(uint64_t *hash, kin_rot q)
{
    kini_hash_float(hash, q.c);
    kini_hash_float(hash, q.s);
}
#else
static void kini_hash_spin(uint64_t *hash, kin_spin spin) { kini_hash_vec(hash, spin); }

static void kini_hash_rot(uint64_t *hash, kin_rot q)
{
    kini_hash_float(hash, q.x);
    kini_hash_float(hash, q.y);
    kini_hash_float(hash, q.z);
    kini_hash_float(hash, q.w);
}
#endif

static void kini_hash_pose(uint64_t *hash, kin_pose pose)
{
    kini_hash_vec(hash, pose.p);
    kini_hash_rot(hash, pose.q);
}

static void kini_hash_id(uint64_t *hash, kin_id id)
{
    kini_hash_word(hash, id.slot);
    kini_hash_word(hash, id.age);
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

static void kini_hash_thing(uint64_t *hash, const kin_world *world, const kini_thing *thing)
{
    kini_hash_word(hash, thing->kind);
    kini_hash_word(hash, thing->age);
    kini_hash_int(hash, thing->row);
    if (thing->kind == KIN_NOTHING) return;
    kini_hash_pose(hash, kini_pose(thing->p, thing->q));
    kini_hash_word(hash, thing->layer);
    kini_hash_word(hash, thing->mask);
    kini_hash_word(hash, thing->flags);
    kini_hash_word(hash, thing->form);
    if (thing->shape >= 0) kini_hash_word(hash, world->shapes.at[thing->shape].key);
}

static void kini_hash_static(uint64_t *hash, const kini_static *fixed)
{
    kini_hash_word(hash, fixed->slot);
    kini_hash_int(hash, fixed->next);
    if (fixed->slot == 0) return;
    kini_hash_vec(hash, fixed->one_way);
    kini_hash_vec(hash, fixed->surface_velocity);
    kini_hash_pose(hash, fixed->local);
    kini_hash_id(hash, fixed->attach);
    if (!kini_is_nobody(fixed->attach)) kini_hash_int(hash, fixed->next_part);
}

static void kini_hash_mover(uint64_t *hash, const kini_mover *mover)
{
    kini_hash_word(hash, mover->slot);
    kini_hash_int(hash, mover->next);
    if (mover->slot == 0) return;
    kini_hash_vec(hash, mover->one_way);
    kini_hash_vec(hash, mover->surface_velocity);
    kini_hash_vec(hash, mover->velocity);
    kini_hash_spin(hash, mover->spin);
    kini_hash_pose(hash, mover->before);
    kini_hash_vec(hash, mover->rate);
    kini_hash_spin(hash, mover->turn_rate);
    kini_hash_id(hash, mover->blocked_by[0]);
    kini_hash_id(hash, mover->blocked_by[1]);
    kini_hash_word(hash, mover->carry);
    kini_hash_word(hash, mover->on_blocked);
    kini_hash_word(hash, mover->state);
    if (mover->state & KINI_HAS_TARGET) kini_hash_pose(hash, mover->target);
    kini_hash_int(hash, mover->parts);   /* they are removed in this order, and their slots used again */
}

static void kini_hash_options(uint64_t *hash, const kini_body_options *options)
{
    kini_hash_float(hash, options->max_slope);
    kini_hash_float(hash, options->snap);
    kini_hash_float(hash, options->step_height);
    kini_hash_float(hash, options->corner_nudge);
    kini_hash_float(hash, options->gravity_scale);
    kini_hash_float(hash, options->leftover_fade);
    kini_hash_word(hash, options->push);
    kini_hash_word(hash, options->ride);
    kini_hash_word(hash, options->leave);
    kini_hash_word(hash, options->on_crush);
    kini_hash_word(hash, options->slope);
    kini_hash_word(hash, options->weightless);
    kini_hash_word(hash, options->report_continued);
    kini_hash_word(hash, options->glide);
    kini_hash_word(hash, options->keep_facing);
}

static void kini_hash_stand(uint64_t *hash, const kini_stand *stand)
{
    kini_hash_id(hash, stand->id);
    kini_hash_vec(hash, stand->normal);
    kini_hash_vec(hash, stand->point);
    kini_hash_vec(hash, stand->velocity);
    kini_hash_vec(hash, stand->local);
    kini_hash_int(hash, stand->part);
    kini_hash_word(hash, stand->footing);
    kini_hash_word(hash, stand->wedge);
}

static void kini_hash_contact(uint64_t *hash, const kini_contact *contact)
{
    kini_hash_id(hash, contact->other);
    kini_hash_vec(hash, contact->normal);
    kini_hash_vec(hash, contact->point);
    kini_hash_float(hash, contact->gap);
    kini_hash_float(hash, contact->speed);
    kini_hash_int(hash, contact->part);
    kini_hash_word(hash, contact->flags);
}

static void kini_hash_body(uint64_t *hash, const kin_world *world, int32_t row)
{
    const kini_body    *body = &world->bodies.at[row];
    const kini_contact *contacts = kini_contacts_of(world, row);
    int32_t             i;
    kini_hash_word(hash, body->slot);
    kini_hash_int(hash, body->next);
    if (body->slot == 0) return;
    kini_hash_vec(hash, body->velocity);
    kini_hash_vec(hash, body->leftover);
    kini_hash_vec(hash, body->given);
    kini_hash_vec(hash, body->motion);
    kini_hash_stand(hash, &body->stand);
    if (body->state & KINI_BODY_TELEPORTED) kini_hash_stand(hash, &body->last);
    kini_hash_id(hash, body->squeezed_by[0]);
    kini_hash_id(hash, body->squeezed_by[1]);
    kini_hash_id(hash, body->drops_through);
    kini_hash_vec(hash, body->drop_from);
    kini_hash_options(hash, &body->options);
    kini_hash_word(hash, body->state);
    kini_hash_int(hash, body->contact_count);
    for (i = 0; i < body->contact_count; i++) kini_hash_contact(hash, &contacts[i]);
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

static void kini_hash_desc(uint64_t *hash, const kin_world_desc *desc)
{
    kini_hash_vec(hash, desc->gravity);
    kini_hash_vec(hash, desc->up);
    kini_hash_float(hash, desc->rate);
    kini_hash_float(hash, desc->max_catch_up);
    kini_hash_float(hash, desc->unit);
    kini_hash_float(hash, desc->max_speed);
    kini_hash_int(hash, desc->max_rounds);
    kini_hash_int(hash, desc->max_contacts);
}

static void kini_hash_world(uint64_t *hash, const kin_world *world)
{
    kini_hash_desc(hash, &world->desc);
    kini_hash_vec(hash, world->up);
    kini_hash_double(hash, world->time_left);
    kini_hash_long(hash, world->steps);
    kini_hash_float(hash, world->dt);
    kini_hash_int(hash, world->free_slot);
    kini_hash_int(hash, world->free_static);
    kini_hash_int(hash, world->free_mover);
    kini_hash_int(hash, world->free_body);
}

static void kini_hash_grid(uint64_t *hash, const kin_world *world, const kini_grid *grid)
{
    int32_t i;
    kini_hash_word(hash, grid->slot);
    if (grid->slot == 0) return;
    for (i = 0; i < KINI_DIM; i++) kini_hash_int(hash, kini_cell_at(grid->size, i));
    kini_hash_float(hash, grid->cell);
    kini_hash_long(hash, grid->key);
    for (i = 0; i < grid->tile_count; i++) {
        const kini_tile *tile = &world->tiles.at[grid->tiles + i];
        kini_hash_word(hash, tile->flags);
        kini_hash_vec(hash, tile->one_way);
        kini_hash_vec(hash, tile->surface_velocity);
        if (tile->shape >= 0) kini_hash_word(hash, world->shapes.at[tile->shape].key);
    }
}

static void kini_hash_mesh(uint64_t *hash, const kini_mesh *mesh)
{
    kini_hash_word(hash, mesh->slot);
    if (mesh->slot != 0) kini_hash_long(hash, mesh->key);
}

KIN_API uint64_t kin_world_hash(const kin_world *world)
{
    uint64_t hash = 0xCBF29CE484222325u + KINI_DIM;
    int32_t  i;
    if (!kini_check_world(world, "kin_world_hash")) return 0;
    kini_hash_world(&hash, world);
    for (i = 1; i < world->things.count; i++) kini_hash_thing(&hash, world, &world->things.at[i]);
    for (i = 0; i < world->statics.count; i++) kini_hash_static(&hash, &world->statics.at[i]);
    for (i = 0; i < world->movers.count; i++) kini_hash_mover(&hash, &world->movers.at[i]);
    for (i = 0; i < world->bodies.count; i++) kini_hash_body(&hash, world, i);
    for (i = 0; i < world->grids.count; i++) kini_hash_grid(&hash, world, &world->grids.at[i]);
    for (i = 0; i < world->meshes.count; i++) kini_hash_mesh(&hash, &world->meshes.at[i]);
    for (i = 0; i < world->ignored.count; i++) {
        kini_hash_word(&hash, world->ignored.at[i].a);
        kini_hash_word(&hash, world->ignored.at[i].b);
    }
    return hash;
}
