/* SPDX-License-Identifier: MIT OR Unlicense

   check.c: the rules for what comes from outside, in one place.

   Every public function hands its arguments through these before it changes anything. Each one logs which call and
   which argument was wrong and with what value, and says no. Numbers have upper limits too (config.h), far beyond
   any game, so that nothing computed from accepted numbers overflows. */
#include "internal.h"

KINI_PART bool kini_check_world(const kin_world *world, const char *call)
{
    return world ? true : kini_refuse(world, call, "world", "is NULL");
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
    uint32_t slot = kini_check_id(world, call, argument, id);
    if (!slot || world->things.at[slot].kind == kind) return slot;
    kini_refuse_id(world, call, argument,
                   kind == KIN_BODY ? "is not a body" : kind == KIN_MOVER ? "is not a mover" : "is not a static", id);
    return 0;
}

KINI_PART bool kini_check_finite(const kin_world *world, const char *call, const char *argument, kin_vec value)
{
    return kini_vec_finite(value) ? true : kini_refuse_vec(world, call, argument, "is not finite", value);
}

KINI_PART bool kini_check_vec(const kin_world *world, const char *call, const char *argument, kin_vec value,
                              float limit)
{
    if (!kini_check_finite(world, call, argument, value)) return false;
    if (kini_largest(kini_magnitudes(value)) <= limit) return true;
    return kini_refuse_vec(world, call, argument, "is too large", value);
}

KINI_PART bool kini_check_rot(const kin_world *world, const char *call, const char *argument, kin_rot *value)
{
    kin_rot given = *value;
    float   length2 = kini_rot_len2(given);
    if (!kini_finite(length2)) return kini_refuse_rot(world, call, argument, "is not finite", given);
    if (kini_abs(length2 - 1) < 1e-6f) return true;   /* what a getter told comes back bit for bit */
    given = kini_rot_unit(given);
    if (kini_abs(kini_rot_len2(given) - 1) > 1e-3f)
        return kini_refuse_rot(world, call, argument, "is not a rotation", *value);
    *value = given;
    return true;
}

KINI_PART bool kini_check_spin(const kin_world *world, const char *call, const char *argument, kin_spin value)
{
#if KINI_DIM == 2
    return kini_check_number(world, call, argument, value, -KINI_FASTEST, KINI_FASTEST);
#else
    return kini_check_vec(world, call, argument, value, KINI_FASTEST);
#endif
}

KINI_PART bool kini_check_number(const kin_world *world, const char *call, const char *argument, float value, float lo,
                                 float hi)
{
    if (!kini_finite(value)) return kini_refuse_number(world, call, argument, "is not finite", value);
    if (value < lo) return kini_refuse_number(world, call, argument, "is too small", value);
    if (value > hi) return kini_refuse_number(world, call, argument, "is too large", value);
    return true;
}

KINI_PART bool kini_check_choice(const kin_world *world, const char *call, const char *argument, int value, int count)
{
    if (value >= 0 && value < count) return true;
    return kini_refuse_number(world, call, argument, "is not one of its choices", (float)value);
}

KINI_PART bool kini_check_shape(const kin_world *world, const char *call, const kin_shape *shape, kini_solid *out,
                                kini_hull *room)
{
    const char *wrong;
    kini_clear(room, sizeof *room);   /* stored hulls have no chance bytes in them */
    wrong = kini_shape_solid(shape, out, room);
    return wrong ? kini_refuse(world, call, "shape", wrong) : true;
}

KINI_PART bool kini_check_list(const kin_world *world, const char *call, const void *out, int capacity)
{
    if (capacity < 0) return kini_refuse_number(world, call, "capacity", "is negative", (float)capacity);
    return capacity == 0 || kini_check_pointer(world, call, "out", out);
}
