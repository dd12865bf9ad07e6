/* SPDX-License-Identifier: MIT OR Unlicense

   options.c: getting and setting options by descriptors. Setting what a getter returned changes nothing. */
#include "things.h"

/* ---- controllers: the table of those seen ------------------------------------------------------------------------ */

/* Its number; that of the next row if it was not seen before; -1: none. */
static int32_t kini_find_control(const kin_world *world, kin_control_fn *control)
{
    int32_t i = control ? 0 : -1;
    while (i >= 0 && i < world->controls.count && world->controls.at[i] != control) i++;
    return i;
}

KINI_PART int32_t kini_take_control(kin_world *world, kin_control_fn *control)
{
    int32_t number = kini_find_control(world, control);
    if (number == world->controls.count) world->controls.at[world->controls.count++] = control;
    return number;
}

KINI_PART bool kini_reserve_control(kin_world *world, const char *call, kin_control_fn *control)
{
    return kini_grow(world, &world->controls, sizeof *world->controls.at, kini_find_control(world, control) + 1) ||
           kini_refuse(world, call, "memory", "was not given");
}

/* ---- the surface of a static or mover ---------------------------------------------------------------------------- */

KINI_PART kini_surface *kini_surface_of(const kin_world *world, const kini_thing *thing)
{
    return thing->kind == KIN_MOVER ? &world->movers.at[thing->row].surface : &world->statics.at[thing->row].surface;
}

KINI_PART int32_t kini_mover_row(const kin_world *world, const kini_thing *thing)
{
    if (thing->kind == KIN_MOVER) return thing->row;
    if (!(thing->flags & KINI_ATTACHED)) return -1;
    thing = &world->things.at[world->statics.at[thing->row].attach.slot];
    return thing->kind == KIN_BODY ? -1 : thing->row;
}

KINI_PART bool kini_check_surface(const kin_world *world, const char *call, kin_vec one_way, kin_vec velocity)
{
    return kini_check_finite(world, call, "one_way", one_way) &&
           kini_check_finite(world, call, "surface_velocity", velocity);
}

KINI_PART void kini_take_surface(const kin_world *world, uint32_t slot, kin_vec one_way, kin_vec velocity)
{
    kini_thing   *thing = &world->things.at[slot];
    kini_surface *surface = kini_surface_of(world, thing);
    surface->one_way = kini_direction(one_way);
    surface->velocity = kini_limit_speed(world, velocity);
    kini_set_flag(thing, KINI_ONE_WAY, !kini_is_zero(surface->one_way));
    kini_set_flag(thing, KINI_CONVEYOR, !kini_is_zero(surface->velocity));
}

/* Any other static would report nothing. */
KINI_PART bool kini_check_senses(const kin_world *world, const char *call, const kini_thing *thing,
                                 const kin_static_desc *desc)
{
    return !desc->senses || (desc->sensor && (thing->flags & KINI_ATTACHED) && thing->form == KINI_FORM_SHAPE) ||
           kini_refuse(world, call, "senses", "is only for a sensor that is attached to a mover or body");
}

/* Sets KINI_SENSES; false if there is no memory for its contacts. */
KINI_PART bool kini_take_senses(kin_world *world, const char *call, uint32_t slot, bool senses)
{
    kini_thing *thing = &world->things.at[slot];
    kini_counts counts = kini_counts_now(world, NULL);
    int         more = (int)senses - ((thing->flags & KINI_SENSES) != 0);
    counts.rows[KINI_SAVES_SENSED] += world->desc.max_sensor_contacts;
    if (more > 0 && !kini_check_room(world, call, &counts)) return false;
    kini_set_flag(thing, KINI_SENSES, senses);
    world->sensers += more;
    return true;
}

/* ---- getting and setting ----------------------------------------------------------------------------------------- */

/* Clears a descriptor and fills in the members that all kinds share; NULL if it is refused. */
static const kini_thing *kini_tell_common(const kin_world *world, const char *call, const char *argument, kin_id id,
                                          kin_kind kind, void *out, size_t bytes)
{
    uint32_t          slot = kini_check_kind(world, call, argument, id, kind);
    const kini_thing *thing = slot ? &world->things.at[slot] : NULL;
    kin_static_desc   common;
    if (!thing || !kini_check_pointer(world, call, "out", out)) return NULL;
    kini_clear(&common, sizeof common);
    kini_shape_of(world, thing, &common.shape);
    common.position = thing->p;
    common.rotation = thing->q;
    common.layer = thing->layer;
    common.mask = thing->mask;
    common.sensor = (thing->flags & KINI_SENSOR) != 0;
    common.disabled = (thing->flags & KINI_DISABLED) != 0;
    common.user = world->users.at[slot];
    kini_clear(out, bytes);
    kini_copy(out, &common, KINI_COMMON_BYTES);
    return thing;
}

/* The thing whose options are set; NULL if it is refused. */
static kini_thing *kini_check_options(const kin_world *world, const char *call, const char *argument, kin_id id,
                                      kin_kind kind, const void *options)
{
    uint32_t slot = kini_check_kind(world, call, argument, id, kind);
    bool     allowed = slot && kini_check_pointer(world, call, "options", options) && kini_check_unasked(world, call);
    return allowed ? &world->things.at[slot] : NULL;
}

static kin_control_fn *kini_control_of(const kin_world *world, int32_t control)
{
    return control >= 0 ? world->controls.at[control] : NULL;
}

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

#define KINI_CHECK_NUMBER(member, kind, most, otherwise) \
    if (!kini_check_number(world, call, #member, desc->member, KINI_IS_##kind == KINI_IS_SIZE ? 0 : -(most), most, \
                           &desc->member == &desc->max_slope ? " radians" : "")) return false;
#define KINI_CHECK_CHOICE(member, type, last) \
    if (!kini_check_choice(world, call, #member, (int)desc->member, last)) return false;
#define KINI_TAKE_NUMBER(member, kind, most, otherwise) \
    options.member = desc->member < 0 || desc->member > 0 ? desc->member : otherwise;
#define KINI_TAKE_CHOICE(member, type, last) options.member = (uint8_t)desc->member;
#define KINI_TELL_NUMBER(member, kind, most, otherwise) out->member = options->member;
#define KINI_TELL_CHOICE(member, type, last) out->member = (type)options->member;

KINI_PART bool kini_check_body_options(const kin_world *world, const char *call, const kin_body_desc *desc)
{
    KINI_BODY_OPTIONS(KINI_CHECK_NUMBER, KINI_CHECK_CHOICE)
    return kini_check_vec(world, call, "gravity", desc->gravity, KINI_FASTEST);
}

/* Rotates a vector perpendicular to `from` as `from` turns to `to`; unchanged if they are opposite. */
static kin_vec kini_turn_with(kin_vec v, kin_vec from, kin_vec to)
{
    kin_vec sum = kini_add(from, to);
    float   cosine = 1 + kini_dot(from, to);
    return cosine > KINI_NEGLIGIBLE ? kini_flat(kini_madd(v, sum, -kini_dot(sum, v) / cosine), to) : v;
}

/* The velocity of a body on stable ground turns with its up. */
KINI_PART void kini_take_gravity(const kin_world *world, kini_body *row, kin_vec gravity)
{
    kin_vec from = row->up;
    float   rise = kini_dot(row->velocity, from);
    row->gravity = gravity;
    row->up = kini_up_against(world, gravity);
    if (row->stand.footing != KIN_STABLE || kini_same_bytes(&from, &row->up, sizeof from)) return;
    row->velocity = kini_madd(kini_turn_with(kini_across(row->velocity, from), from, row->up), row->up, rise);
    row->given = kini_turn_with(row->given, from, row->up);
}

/* An exactly equal angle is stable. */
KINI_PART void kini_derive_slope(kini_body *row)
{
    float sine;
    kini_sine(row->options.max_slope + KINI_SLOPE_SLACK, &sine, &row->stable_cos);
    row->stable_cos = kini_greater(row->stable_cos, 0);
}

KINI_PART void kini_take_body_options(kin_world *world, kini_body *row, const kin_body_desc *desc)
{
    kini_body_options options;
    kini_clear(&options, sizeof options);
    KINI_BODY_OPTIONS(KINI_TAKE_NUMBER, KINI_TAKE_CHOICE)
    if (desc->no_gravity_scale) options.gravity_scale = 0;
    row->options = options;
    kini_derive_slope(row);
    kini_take_gravity(world, row, desc->gravity);
    row->control = kini_take_control(world, desc->control);
    kini_set_flag(&world->things.at[row->slot], KINI_SENSOR, desc->sensor);
    kini_set_flag(&world->things.at[row->slot], KINI_DISABLED, desc->disabled);
}

KIN_API bool kin_get_body_options(const kin_world *world, kin_id body, kin_body_desc *out)
{
    const kini_thing *thing = kini_tell_common(world, __func__, "body", body, KIN_BODY, out, sizeof *out);
    const kini_body  *row = thing ? &world->bodies.at[thing->row] : NULL;
    const kini_body_options *options = thing ? &row->options : NULL;
    if (!thing) return false;
    KINI_BODY_OPTIONS(KINI_TELL_NUMBER, KINI_TELL_CHOICE)
    out->no_gravity_scale = !(options->gravity_scale < 0 || options->gravity_scale > 0);
    out->velocity = kini_seen_velocity(world, thing->row);
    out->control = kini_control_of(world, row->control);
    out->gravity = row->gravity;
    return true;
}

KIN_API bool kin_set_body_options(kin_world *world, kin_id body, const kin_body_desc *options)
{
    kini_thing *thing = kini_check_options(world, __func__, "body", body, KIN_BODY, options);
    if (!thing || !kini_check_body_options(world, __func__, options) ||
        !kini_reserve_control(world, __func__, options->control)) return false;
    kini_disturb(world, body.slot);
    kini_take_body_options(world, &world->bodies.at[thing->row], options);
    return true;
}

KIN_API bool kin_set_push(kin_world *world, kin_id body, kin_push push)
{
    kini_body *row = kini_check_body(world, __func__, body);
    if (!row || !kini_check_choice(world, __func__, "push", (int)push, KIN_INTANGIBLE)) return false;
    kini_disturb(world, row->slot);
    row->options.push = (uint8_t)push;
    return true;
}

KIN_API bool kin_set_gravity(kin_world *world, kin_id body, kin_vec gravity)
{
    kini_body *row = kini_check_body(world, __func__, body);
    if (!row || !kini_check_vec(world, __func__, "gravity", gravity, KINI_FASTEST)) return false;
    if (kini_same_bytes(&row->gravity, &gravity, sizeof gravity)) return true;
    kini_disturb(world, row->slot);
    kini_take_gravity(world, row, gravity);
    return true;
}

KIN_API bool kin_set_gravity_scale(kin_world *world, kin_id body, float scale)
{
    kini_body *row = kini_check_body(world, __func__, body);
    if (!row || !kini_check_number(world, __func__, "scale", scale, -KINI_FURTHEST, KINI_FURTHEST, "")) return false;
    kini_disturb(world, row->slot);
    row->options.gravity_scale = scale;
    return true;
}

/* ---- movers ------------------------------------------------------------------------------------------------------ */

KINI_PART bool kini_check_mover_options(const kin_world *world, const char *call, const kin_mover_desc *desc)
{
    return kini_check_surface(world, call, desc->one_way, desc->surface_velocity) &&
           kini_check_choice(world, call, "carry", (int)desc->carry, KIN_CARRY_NONE) &&
           kini_check_choice(world, call, "on_blocked", (int)desc->on_blocked, KIN_BLOCKED_STOP);
}

KINI_PART void kini_take_mover_options(kin_world *world, kini_mover *row, const kin_mover_desc *desc)
{
    world->stop_movers += (desc->on_blocked == KIN_BLOCKED_STOP) - (row->on_blocked == KIN_BLOCKED_STOP);
    kini_take_surface(world, row->slot, desc->one_way, desc->surface_velocity);
    row->control = kini_take_control(world, desc->control);
    row->carry = (uint8_t)desc->carry;
    row->on_blocked = (uint8_t)desc->on_blocked;
    kini_set_flag(&world->things.at[row->slot], KINI_SENSOR, desc->sensor);
    kini_set_flag(&world->things.at[row->slot], KINI_DISABLED, desc->disabled);
}

KIN_API bool kin_get_mover_options(const kin_world *world, kin_id mover, kin_mover_desc *out)
{
    const kini_thing *thing = kini_tell_common(world, __func__, "mover", mover, KIN_MOVER, out, sizeof *out);
    const kini_mover *row = thing ? &world->movers.at[thing->row] : NULL;
    if (!thing) return false;
    out->one_way = row->surface.one_way;
    out->surface_velocity = row->surface.velocity;
    out->velocity = row->velocity;
    out->spin = row->spin;
    out->control = kini_control_of(world, row->control);
    out->carry = (kin_carry)row->carry;
    out->on_blocked = (kin_blocked)row->on_blocked;
    out->senses = (thing->flags & KINI_SENSES) != 0;
    return true;
}

KIN_API bool kin_set_mover_options(kin_world *world, kin_id mover, const kin_mover_desc *options)
{
    kini_thing *thing = kini_check_options(world, __func__, "mover", mover, KIN_MOVER, options);
    if (!thing || !kini_check_mover_options(world, __func__, options) ||
        !kini_reserve_control(world, __func__, options->control) ||
        !kini_take_senses(world, __func__, mover.slot, options->senses)) return false;
    kini_disturb(world, mover.slot);
    kini_take_mover_options(world, &world->movers.at[thing->row], options);
    return true;
}

/* ---- statics ----------------------------------------------------------------------------------------------------- */

KIN_API bool kin_get_static_options(const kin_world *world, kin_id id, kin_static_desc *out)
{
    const kini_thing  *thing = kini_tell_common(world, __func__, "id", id, KIN_STATIC, out, sizeof *out);
    const kini_static *fixed = thing ? &world->statics.at[thing->row] : NULL;
    if (!thing) return false;
    out->one_way = fixed->surface.one_way;
    out->surface_velocity = fixed->surface.velocity;
    out->attach = fixed->attach;
    out->senses = (thing->flags & KINI_SENSES) != 0;
    if (kini_is_nobody(out->attach)) return true;
    out->position = fixed->local.p;
    out->rotation = fixed->local.q;
    return true;
}

KIN_API bool kin_set_static_options(kin_world *world, kin_id id, const kin_static_desc *options)
{
    kini_thing *thing = kini_check_options(world, __func__, "id", id, KIN_STATIC, options);
    bool        one_sided = thing && kini_is_mesh(thing) && (thing->flags & KINI_ONE_WAY);
    if (!thing) return false;
    if (kini_is_tiles(thing)) return kini_refuse_id(world, __func__, "id", "is a grid: kin_define_tile is for it", id);
    if (kini_is_mesh(thing) && !kini_is_zero(options->one_way))
        return kini_refuse(world, __func__, "one_way", "is not for meshes, which have one_sided");
    if (!options->sensor && (thing->flags & KINI_ATTACHED) && kini_mover_row(world, thing) < 0)
        return kini_refuse_id(world, __func__, "id", "is attached to a body, and stays a sensor", id);
    if (!kini_check_surface(world, __func__, options->one_way, options->surface_velocity) ||
        !kini_check_senses(world, __func__, thing, options) ||
        !kini_take_senses(world, __func__, id.slot, options->senses)) return false;
    kini_disturb(world, id.slot);
    kini_take_surface(world, id.slot, options->one_way, options->surface_velocity);
    kini_set_flag(thing, KINI_SENSOR, options->sensor);
    if (one_sided) thing->flags |= KINI_ONE_WAY;
    return true;
}
