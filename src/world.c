/* SPDX-License-Identifier: MIT OR Unlicense

   world.c: creating and destroying a world, its settings and statistics. */
#include "state.h"

/* Up is that of the descriptor, else against gravity, else as before. */
static void kini_turn_up(kin_world *world)
{
    kin_vec up = world->desc.up = kini_direction(world->desc.up);
    int32_t i;
    if (kini_is_zero(up)) up = kini_unit(kini_neg(world->desc.gravity));
    if (!kini_is_zero(up)) world->up = up;
    for (i = 0; i < world->bodies.count; i++)
        kini_take_gravity(world, &world->bodies.at[i], world->bodies.at[i].gravity);
}

/* A world without arrays: enough to log a refusal; the real one is a copy of it. */
static bool kini_draft(kin_world *draft, const char *call, const kin_world_desc *desc)
{
    kini_clear(draft, sizeof *draft);
    if (desc) draft->desc = *desc;
    kini_default_settings(draft);
    if (!kini_check_settings(draft, call)) return false;
    if (!draft->desc.allocate != !draft->desc.release)
        return kini_refuse(draft, call, draft->desc.release ? "allocate" : "release", "is missing: give both or none");
    if (draft->desc.parallel && draft->desc.workers == 0)
        return kini_refuse(draft, call, "workers", "is missing: parallel needs at least one");
    kini_turn_up(draft);
    return true;
}

/* Rows that the descriptor reserves; `whole`: in a world that cannot grow, those of all other arrays too. */
static kini_counts kini_counts_of(const kin_world_desc *desc, bool whole)
{
    kini_counts counts;
    kini_clear(&counts, sizeof counts);
    counts.rows[KINI_SAVES_STATICS] = desc->statics;
    counts.rows[KINI_SAVES_MOVERS] = desc->movers;
    counts.rows[KINI_SAVES_BODIES] = desc->bodies;
    counts.rows[KINI_SAVES_THINGS] = 1 + (int64_t)desc->statics + desc->movers + desc->bodies;
    if (!whole) return counts;
    counts.rows[KINI_SAVES_SHAPES] = counts.rows[KINI_SAVES_HULLS] = counts.rows[KINI_SAVES_THINGS];
    if (counts.rows[KINI_SAVES_HULLS] > desc->hulls) counts.rows[KINI_SAVES_HULLS] = desc->hulls;
    counts.rows[KINI_SAVES_IGNORED] = desc->bodies;
    counts.controls = (int64_t)desc->movers + desc->bodies;
    counts.attached = desc->statics;
    counts.rows[KINI_SAVES_SENSED] = (int64_t)desc->sensing * desc->max_sensor_contacts;
    return counts;
}

static void kini_end(kin_world *world)
{
    kini_room   rooms[KINI_MAX_ROOMS];
    kini_counts counts = kini_counts_now(world, NULL);
    int         i = kini_rooms(world, &counts, rooms);
    while (i-- > 0) kini_drop(world, rooms[i].array, rooms[i].row_bytes);
    if (!world->arena.memory) kini_release(world, world, sizeof *world);
}

/* Copies the draft into memory of its own and reserves its arrays. */
static kin_world *kini_found(kin_world *draft, const char *call)
{
    kin_world  *world = (kin_world *)kini_allocate(draft, sizeof *draft);
    kini_counts counts = kini_counts_of(&draft->desc, draft->arena.memory != NULL);
    size_t      least;
    if (world) {
        *world = *draft;
        world->bytes = sizeof *world;
        if (kini_reserve(world, &counts)) {
            world->things.count = world->users.count = 1;
            return world;
        }
        kini_end(world);
    }
    least = draft->arena.memory ? kin_world_bytes(&draft->desc) : 0;
    if (!least) kini_refuse(draft, call, "memory", "was not given");
    else kini_refuse_range(draft, call, "memory", (double)draft->arena.bytes, (double)least, (double)least, " bytes");
    return NULL;
}

KIN_API kin_world *kin_world_create(const kin_world_desc *desc)
{
    kin_world draft;
    return kini_draft(&draft, __func__, desc) ? kini_found(&draft, __func__) : NULL;
}

/* Limits that the descriptor leaves open are halved until the world fits: the first two in turn, then the last. */
static void kini_fit(kin_world *draft, const kin_world_desc *desc)
{
    int *open[3], i;
    open[0] = desc && desc->max_sensor_contacts ? NULL : &draft->desc.max_sensor_contacts;
    open[1] = desc && desc->max_events ? NULL : &draft->desc.max_events;
    open[2] = desc && desc->hulls ? NULL : &draft->desc.hulls;
    for (i = 0; i < 30 && kin_world_bytes(&draft->desc) > draft->arena.bytes + KINI_ALIGN; i++) {
        int *limit = open[i < 20 ? i % 2 : 2];
        if (limit && *limit > 1) *limit /= 2;
    }
}

KIN_API kin_world *kin_world_create_in(void *memory, size_t bytes, const kin_world_desc *desc)
{
    kin_world draft;
    size_t    lost = (size_t)(0 - (uintptr_t)memory) & (KINI_ALIGN - 1);   /* up to the next address that is aligned */
    if (!kini_draft(&draft, __func__, desc)) return NULL;
    if (!kini_check_pointer(&draft, __func__, "memory", memory)) return NULL;
    if (bytes < lost) bytes = lost;
    draft.arena.memory = (unsigned char *)memory + lost;
    draft.arena.bytes = bytes - lost;
    kini_fit(&draft, desc);
    return kini_found(&draft, __func__);
}

KIN_API size_t kin_world_bytes(const kin_world_desc *desc)
{
    kin_world   draft;
    kini_room   rooms[KINI_MAX_ROOMS];
    kini_counts counts;
    size_t      bytes = kini_aligned(sizeof draft) + KINI_ALIGN, most = (size_t)-1 / 4;
    int         i;
    if (!kini_draft(&draft, __func__, desc)) return 0;
    counts = kini_counts_of(&draft.desc, true);
    for (i = kini_rooms(&draft, &counts, rooms) - 1; i >= 0; i--) {
        if (rooms[i].rows > INT32_MAX || (size_t)rooms[i].rows > most / rooms[i].row_bytes || bytes > most) {
            kini_refuse(&draft, __func__, "desc", "reserves more than memory can hold");
            return 0;
        }
        bytes += kini_aligned((size_t)rooms[i].rows * rooms[i].row_bytes);
    }
    return bytes;
}

KIN_API void kin_world_destroy(kin_world *world)
{
    if (world && kini_check_between(world, __func__)) kini_end(world);
}

KIN_API kin_stats kin_world_get_stats(const kin_world *world)
{
    kin_stats stats;
    int32_t   i;
    kini_clear(&stats, sizeof stats);
    if (!kini_check_world(world, __func__)) return stats;
    stats.statics = world->live[KIN_STATIC];
    stats.movers = world->live[KIN_MOVER];
    stats.bodies = world->live[KIN_BODY];
    stats.idle = world->skipped;
    stats.groups = world->groups;
    stats.cut_groups = world->cut_groups;
    for (i = 0; i < world->bodies.count; i++) stats.contacts += world->bodies.at[i].contact_count;
    stats.contacts += world->sensed.count;
    stats.events = world->events.count;
    stats.bytes = world->bytes;
    return stats;
}

KIN_API bool kin_world_set_gravity(kin_world *world, kin_vec gravity)
{
    if (!kini_check_world(world, __func__) || !kini_check_vec(world, __func__, "gravity", gravity, KINI_FASTEST))
        return false;
    if (!kini_same_bytes(&world->desc.gravity, &gravity, sizeof gravity)) kini_wake_all(world);
    world->desc.gravity = gravity;
    if (kini_is_zero(world->desc.up)) kini_turn_up(world);
    return true;
}

KIN_API bool kin_world_set_up(kin_world *world, kin_vec up)
{
    if (!kini_check_world(world, __func__) || !kini_check_finite(world, __func__, "up", up)) return false;
    kini_wake_all(world);
    world->desc.up = up;
    kini_turn_up(world);
    return true;
}

KIN_API bool kin_world_get_desc(const kin_world *world, kin_world_desc *out)
{
    if (!kini_check_world(world, __func__) || !kini_check_pointer(world, __func__, "out", out)) return false;
    *out = world->desc;
    out->up = world->up;
    return true;
}

KIN_API int kin_get_events(const kin_world *world, const kin_event **first)
{
    bool known = kini_check_world(world, __func__);
    if (first) *first = known ? world->events.at : NULL;
    return known ? world->events.count : 0;
}

/* A dead handle keeps its place in a walk until its slot is reused, so that a walk may remove what it meets. */
KIN_API kin_id kin_next(const kin_world *world, kin_kind kind, kin_id after)
{
    uint32_t slot;
    bool     known;
    if (!kini_check_world(world, __func__) || !kini_check_choice(world, __func__, "kind", (int)kind, KIN_BODY))
        return kini_nobody();
    known = kini_is_nobody(after) || kini_is_live(world, after);
    if (!known && after.slot < (uint32_t)world->things.count) {
        const kini_thing *last = &world->things.at[after.slot];
        known = last->age == after.age + 1 && (last->kind == KIN_NOTHING || (last->flags & KINI_REMOVED));
    }
    if (!known) {
        kini_refuse_id(world, __func__, "after", "is not alive", after);
        return kini_nobody();
    }
    for (slot = after.slot + 1; slot < (uint32_t)world->things.count; slot++) {
        kin_id id = kini_id_of(world, slot);
        if ((kind == KIN_NOTHING || world->things.at[slot].kind == kind) && kini_is_live(world, id)) return id;
    }
    return kini_nobody();
}
