/* SPDX-License-Identifier: MIT OR Unlicense

   check.c: checks of arguments.

   Every public function checks its arguments before it changes anything. A failed check logs call, argument and value.
   Numbers have limits far beyond any game (config.h), so that no result overflows. */
#include "shapes.h"

KINI_PART bool kini_check_world(const kin_world *world, const char *call)
{
    return world ? true : kini_refuse(world, call, "world", "is NULL");
}

KINI_PART bool kini_check_unasked(const kin_world *world, const char *call)
{
    if (!kini_check_world(world, call)) return false;
    return world->asking.at[0] == 0 || kini_refuse(world, call, "world", "must not be changed inside collide");
}

KINI_PART bool kini_check_between(const kin_world *world, const char *call)
{
    if (!kini_check_unasked(world, call)) return false;
    return (world->stage == 0 && !world->in_callback) || kini_refuse(world, call, "world", "is inside a step");
}

KINI_PART bool kini_check_pointer(const kin_world *world, const char *call, const char *argument, const void *pointer)
{
    return pointer ? true : kini_refuse(world, call, argument, "is NULL");
}

KINI_PART uint32_t kini_check_id(const kin_world *world, const char *call, const char *argument, kin_id id)
{
    if (!kini_check_world(world, call)) return 0;
    if (kini_is_live(world, id)) return id.slot;
    kini_refuse_id(world, call, argument, kini_is_nobody(id) ? "is nobody" : "is not alive", id);
    return 0;
}

KINI_PART uint32_t kini_check_kind(const kin_world *world, const char *call, const char *argument, kin_id id,
                                   kin_kind kind)
{
    static const char *const said[4][4] = {   /* what it is not, and what it is */
        { "" }, { "", "", "is not a static but a mover", "is not a static but a body" },
        { "", "is not a mover but a static", "", "is not a mover but a body" },
        { "", "is not a body but a static", "is not a body but a mover", "" }
    };
    uint32_t slot = kini_check_id(world, call, argument, id);
    if (!slot || world->things.at[slot].kind == kind) return slot;
    kini_refuse_id(world, call, argument, said[kind][world->things.at[slot].kind], id);
    return 0;
}

KINI_PART kini_body *kini_check_body(const kin_world *world, const char *call, kin_id body)
{
    uint32_t slot = kini_check_kind(world, call, "body", body, KIN_BODY);
    return slot ? &world->bodies.at[world->things.at[slot].row] : NULL;
}

KINI_PART kini_mover *kini_check_mover(const kin_world *world, const char *call, const char *argument, kin_id mover)
{
    uint32_t slot = kini_check_kind(world, call, argument, mover, KIN_MOVER);
    return slot ? &world->movers.at[world->things.at[slot].row] : NULL;
}

KINI_PART bool kini_check_floats(const kin_world *world, const char *call, const char *argument, const void *value,
                                 size_t bytes, float limit)
{
    bool   finite = true, small = true;
    float  number;
    size_t at;
    for (at = 0; at < bytes; at += sizeof number) {
        kini_copy(&number, (const char *)value + at, sizeof number);
        finite = finite && kini_finite(number);
        small = small && kini_abs(number) <= limit;
    }
    if (!finite) return kini_refuse_floats(world, call, argument, "is not finite", value, bytes, KINI_FLT_MAX);
    return small || kini_refuse_floats(world, call, argument, "is too large", value, bytes, limit);
}

KINI_PART bool kini_check_vec(const kin_world *world, const char *call, const char *argument, kin_vec value,
                              float limit)
{
    return kini_dot(kini_magnitudes(value), kini_all(1)) <= limit ||   /* never so of what is not finite */
           kini_check_floats(world, call, argument, &value, KINI_DIM * sizeof(float), limit);
}

KINI_PART bool kini_check_finite(const kin_world *world, const char *call, const char *argument, kin_vec value)
{
    return kini_check_vec(world, call, argument, value, KINI_FLT_MAX);
}

KINI_PART bool kini_check_rot(const kin_world *world, const char *call, const char *argument, kin_rot *value)
{
    kin_rot given = *value;
    float   length2 = kini_rot_len2(given);
    if (!kini_finite(length2)) return kini_refuse_floats(world, call, argument, "is not finite", value, sizeof given,
                                                            KINI_FLT_MAX);
    if (kini_is_unit(length2)) return true;
    given = kini_rot_unit(given);
    if (kini_abs(kini_rot_len2(given) - 1) > KINI_NO_LENGTH)
        return kini_refuse_floats(world, call, argument, "is not a rotation", value, sizeof given, KINI_FLT_MAX);
    *value = given;
    return true;
}

KINI_PART bool kini_check_number(const kin_world *world, const char *call, const char *argument, float value, float lo,
                                 float hi, const char *unit)
{
    if (value >= lo && value <= hi) return true;
    return kini_refuse_range(world, call, argument, (double)value, (double)lo, (double)hi, unit);
}

KINI_PART bool kini_check_choice(const kin_world *world, const char *call, const char *argument, int value, int last)
{
    if (value >= 0 && value <= last) return true;
    return kini_refuse_number(world, call, argument, "is not one of its choices", (float)value);
}

KINI_PART bool kini_check_shape(const kin_world *world, const char *call, const kin_shape *shape, kini_solid *out,
                                kini_hull *room)
{
    const char *wrong;
    float       sizes[2];
    sizes[0] = shape ? shape->points[0].y : 0;
    sizes[1] = shape ? shape->radius : 0;
    if (shape && shape->count == 0 && sizes[0] > 0 && sizes[1] > 0)   /* from kin_capsule */
        return kini_refuse_floats(world, call, "shape", "is a capsule whose height is less than twice its radius",
                                  sizes, sizeof sizes, KINI_FLT_MAX);
    kini_clear(room, sizeof *room);   /* stored hulls have no chance bytes in them */
    wrong = kini_shape_solid(shape, out, room);
    return wrong ? kini_refuse(world, call, "shape", wrong) : true;
}

KINI_PART bool kini_check_list(const kin_world *world, const char *call, const void *out, int capacity)
{
    if (capacity < 0) return kini_refuse_number(world, call, "capacity", "is negative", (float)capacity);
    return capacity == 0 || kini_check_pointer(world, call, "out", out);
}
