/* SPDX-License-Identifier: MIT OR Unlicense

   options.c: how bodies and movers behave, as descriptors going in and coming out.

   What comes out of a get can go into a set and changes nothing. Members that are no options (shape, pose, velocity,
   filter, user) are told but not taken; they have setters of their own. */
#include "internal.h"

static void kini_set_flag(kini_thing *thing, int flag, bool on)
{
    thing->flags = (uint16_t)(on ? thing->flags | flag : thing->flags & ~flag);
}

/* ---- the surface of a static or mover ---------------------------------------------------------------------------- */

KINI_PART bool kini_check_surface(const kin_world *world, const char *call, kin_vec one_way, kin_vec surface_velocity)
{
    return kini_check_finite(world, call, "one_way", one_way) &&
           kini_check_finite(world, call, "surface_velocity", surface_velocity);
}

KINI_PART void kini_take_surface(const kin_world *world, uint32_t slot, kin_vec *own_one_way, kin_vec *own_velocity,
                                 kin_vec one_way, kin_vec surface_velocity)
{
    *own_one_way = kini_unit(one_way);
    *own_velocity = kini_limit_speed(world, surface_velocity);
    kini_set_flag(&world->things.at[slot], KINI_ONE_WAY, !kini_is_zero(*own_one_way));
    kini_set_flag(&world->things.at[slot], KINI_CONVEYOR, !kini_is_zero(*own_velocity));
}

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

#define KINI_CHECK_NUMBER(member, least, most, otherwise) \
    if (!kini_check_number(world, call, #member, desc->member, least, most, \
                           &desc->member == &desc->max_slope ? " radians" : "")) return false;
#define KINI_CHECK_CHOICE(member, type, last) \
    if (!kini_check_choice(world, call, #member, (int)desc->member, last + 1)) return false;
#define KINI_TAKE_NUMBER(member, least, most, otherwise) \
    options.member = desc->member < 0 || desc->member > 0 ? desc->member : otherwise;
#define KINI_TAKE_CHOICE(member, type, last) options.member = (uint8_t)desc->member;
#define KINI_TAKE_FLAG(member) options.member = desc->member;
#define KINI_TELL_NUMBER(member, least, most, otherwise) out->member = options->member;
#define KINI_TELL_CHOICE(member, type, last) out->member = (type)options->member;
#define KINI_TELL_FLAG(member) out->member = options->member;
#define KINI_NOTHING(member)

KINI_PART bool kini_check_body_options(const kin_world *world, const char *call, const kin_body_desc *desc)
{
    KINI_BODY_OPTIONS(KINI_CHECK_NUMBER, KINI_CHECK_CHOICE, KINI_NOTHING)
    return true;
}

KINI_PART void kini_take_body_options(kin_world *world, kini_body *row, const kin_body_desc *desc)
{
    kini_body_options options;
    float             sine;
    kini_clear(&options, sizeof options);
    KINI_BODY_OPTIONS(KINI_TAKE_NUMBER, KINI_TAKE_CHOICE, KINI_TAKE_FLAG)
    if (desc->no_gravity_scale) options.gravity_scale = 0;
    /* An exactly equal angle is stable. */
    kini_sine(options.max_slope + KINI_SLOPE_SLACK, &sine, &options.max_slope_cos);
    options.max_slope_cos = kini_greater(options.max_slope_cos, 0);
    row->options = options;
    row->control = kini_take_control(world, desc->control);
    kini_set_flag(&world->things.at[row->slot], KINI_SENSOR, desc->sensor);
    kini_set_flag(&world->things.at[row->slot], KINI_DISABLED, desc->disabled);
}

static void kini_tell_body_options(const kini_body_options *options, kin_body_desc *out)
{
    KINI_BODY_OPTIONS(KINI_TELL_NUMBER, KINI_TELL_CHOICE, KINI_TELL_FLAG)
    out->no_gravity_scale = !(options->gravity_scale < 0 || options->gravity_scale > 0);
}

static kin_control_fn *kini_control_at(const kin_world *world, int32_t number)
{
    return number >= 0 ? world->controls.at[number] : NULL;
}

/* Clears a descriptor and fills in what those of bodies and movers share; the row, or -1 if it is refused. */
static int32_t kini_tell_common(const kin_world *world, const char *call, const char *argument, kin_id id,
                                kin_kind kind, void *out, size_t bytes)
{
    uint32_t          slot = kini_check_kind(world, call, argument, id, kind);
    const kini_thing *thing;
    kini_common       common;
    kini_solid        solid;
    if (!slot || !kini_check_pointer(world, call, "out", out)) return -1;
    thing = &world->things.at[slot];
    kini_clear(&common, sizeof common);
    if (thing->form == KINI_FORM_SHAPE) {
        solid = kini_solid_of(world, thing);
        kini_shape_points(&solid, &common.shape);
    }
    common.position = thing->p;
    common.rotation = thing->q;
    common.layer = thing->layer;
    common.mask = thing->mask;
    common.sensor = (thing->flags & KINI_SENSOR) != 0;
    common.disabled = (thing->flags & KINI_DISABLED) != 0;
    common.user = world->users.at[slot];
    kini_clear(out, bytes);
    kini_copy(out, &common, sizeof common);
    return thing->row;
}

KIN_API bool kin_get_body_options(const kin_world *world, kin_id body, kin_body_desc *out)
{
    int32_t row = kini_tell_common(world, "kin_get_body_options", "body", body, KIN_BODY, out, sizeof *out);
    if (row < 0) return false;
    out->velocity = kini_seen_velocity(world, row);
    out->control = kini_control_at(world, world->bodies.at[row].control);
    kini_tell_body_options(&world->bodies.at[row].options, out);
    return true;
}

KIN_API bool kin_set_body_options(kin_world *world, kin_id body, const kin_body_desc *options)
{
    const char *call = "kin_set_body_options";
    uint32_t    slot = kini_check_kind(world, call, "body", body, KIN_BODY);
    if (!slot || !kini_check_pointer(world, call, "options", options)) return false;
    if (!kini_check_body_options(world, call, options)) return false;
    if (!kini_reserve_control(world, call, options->control)) return false;
    kini_disturb(world, slot);
    kini_take_body_options(world, &world->bodies.at[world->things.at[slot].row], options);
    return true;
}

KIN_API bool kin_set_push(kin_world *world, kin_id body, kin_push push)
{
    const char *call = "kin_set_push";
    uint32_t    slot = kini_check_kind(world, call, "body", body, KIN_BODY);
    if (!slot || !kini_check_choice(world, call, "push", (int)push, KIN_INTANGIBLE + 1)) return false;
    kini_disturb(world, slot);
    world->bodies.at[world->things.at[slot].row].options.push = (uint8_t)push;
    return true;
}

/* ---- movers ------------------------------------------------------------------------------------------------------ */

KIN_API bool kin_get_mover_options(const kin_world *world, kin_id mover, kin_mover_desc *out)
{
    const char       *call = "kin_get_mover_options";
    int32_t           number = kini_tell_common(world, call, "mover", mover, KIN_MOVER, out, sizeof *out);
    const kini_mover *row;
    if (number < 0) return false;
    row = &world->movers.at[number];
    out->one_way = row->one_way;
    out->surface_velocity = row->surface_velocity;
    out->velocity = row->velocity;
    out->spin = row->spin;
    out->control = kini_control_at(world, row->control);
    out->carry = (kin_carry)row->carry;
    out->on_blocked = (kin_blocked)row->on_blocked;
    return true;
}

KINI_PART bool kini_check_mover_options(const kin_world *world, const char *call, const kin_mover_desc *desc)
{
    return kini_check_surface(world, call, desc->one_way, desc->surface_velocity) &&
           kini_check_choice(world, call, "carry", (int)desc->carry, KIN_CARRY_NONE + 1) &&
           kini_check_choice(world, call, "on_blocked", (int)desc->on_blocked, KIN_BLOCKED_STOP + 1);
}

KINI_PART void kini_take_mover_options(kin_world *world, kini_mover *row, const kin_mover_desc *desc)
{
    world->stop_movers += (desc->on_blocked == KIN_BLOCKED_STOP) - (row->on_blocked == KIN_BLOCKED_STOP);
    kini_take_surface(world, row->slot, &row->one_way, &row->surface_velocity, desc->one_way, desc->surface_velocity);
    row->control = kini_take_control(world, desc->control);
    row->carry = (uint8_t)desc->carry;
    row->on_blocked = (uint8_t)desc->on_blocked;
    kini_set_flag(&world->things.at[row->slot], KINI_SENSOR, desc->sensor);
    kini_set_flag(&world->things.at[row->slot], KINI_DISABLED, desc->disabled);
}

KIN_API bool kin_set_mover_options(kin_world *world, kin_id mover, const kin_mover_desc *options)
{
    const char *call = "kin_set_mover_options";
    uint32_t    slot = kini_check_kind(world, call, "mover", mover, KIN_MOVER);
    if (!slot || !kini_check_pointer(world, call, "options", options)) return false;
    if (!kini_check_mover_options(world, call, options)) return false;
    if (!kini_reserve_control(world, call, options->control)) return false;
    kini_disturb(world, slot);
    kini_take_mover_options(world, &world->movers.at[world->things.at[slot].row], options);
    return true;
}

/* ---- statics ----------------------------------------------------------------------------------------------------- */

KIN_API bool kin_get_static_options(const kin_world *world, kin_id id, kin_static_desc *out)
{
    int32_t            row = kini_tell_common(world, "kin_get_static_options", "id", id, KIN_STATIC, out, sizeof *out);
    const kini_static *fixed;
    if (row < 0) return false;
    fixed = &world->statics.at[row];
    out->one_way = fixed->one_way;
    out->surface_velocity = fixed->surface_velocity;
    out->attach = fixed->attach;
    if (kini_is_nobody(out->attach)) return true;
    out->position = fixed->local.p;
    out->rotation = fixed->local.q;
    return true;
}

KIN_API bool kin_set_static_options(kin_world *world, kin_id id, const kin_static_desc *options)
{
    const char  *call = "kin_set_static_options";
    uint32_t     slot = kini_check_kind(world, call, "id", id, KIN_STATIC);
    kini_thing  *thing;
    kini_static *fixed;
    if (!slot || !kini_check_pointer(world, call, "options", options)) return false;
    thing = &world->things.at[slot];
    if (thing->form != KINI_FORM_SHAPE) return kini_refuse_id(world, call, "id", "has no shape", id);
    if (!kini_check_surface(world, call, options->one_way, options->surface_velocity)) return false;
    kini_disturb(world, slot);
    fixed = &world->statics.at[thing->row];
    kini_take_surface(world, slot, &fixed->one_way, &fixed->surface_velocity, options->one_way,
                      options->surface_velocity);
    kini_set_flag(thing, KINI_SENSOR, options->sensor);
    return true;
}
