/* SPDX-License-Identifier: MIT OR Unlicense

   The interface cannot drift: every public function has exactly this type, every member of every public struct this
   type and this place in the order, every choice this number. */
#pragma GCC diagnostic error "-Wincompatible-pointer-types"
#ifndef __clang__
#pragma GCC diagnostic error "-Wdiscarded-qualifiers"
#endif
#define KINEMATIC_IMPLEMENTATION
#include "kinematic.h"

#include "utest.h"

#define FUNCTION(result, name, parameters) \
    do { result (*volatile pointer) parameters = name; EXPECT_TRUE(pointer != NULL); } while (0)

/* A struct's members in their order: each begins no earlier than the last one ended. */
#define START(type) typedef type whole; static whole value; size_t ended = 0
#define MEMBER(type, member) \
    do { \
        type *pointer = &value.member; \
        EXPECT_TRUE((char *)pointer >= (char *)&value + ended); \
        ended = offsetof(whole, member) + sizeof(type); \
    } while (0)

#define IN_ORDER(...) \
    do { \
        static const int numbers[] = { __VA_ARGS__ }; \
        int at; \
        for (at = 0; at < (int)(sizeof numbers / sizeof numbers[0]); at++) EXPECT_EQ(at, numbers[at]); \
    } while (0)

typedef kin_vec shape_points[KIN_MAX_POINTS];
typedef kin_vec tile_points[8];
typedef bool (*takes_fn)(kin_id id, int part, void *user);
typedef void (*draw_line)(kin_vec from, kin_vec to, uint32_t rgba, void *user);
typedef void (*draw_point)(kin_vec at, uint32_t rgba, void *user);

UTEST(contract, functions)
{
    FUNCTION(int, kin_version, (void));
#if KINEMATIC_DIM == 2
    FUNCTION(kin_vec, kin_v, (float, float));
    FUNCTION(kin_rot, kin_turn, (float));
    FUNCTION(kin_cell, kin_c, (int, int));
#else
    FUNCTION(kin_vec, kin_v, (float, float, float));
    FUNCTION(kin_rot, kin_turn, (kin_vec, float));
    FUNCTION(kin_cell, kin_c, (int, int, int));
#endif
    FUNCTION(bool, kin_same, (kin_id, kin_id));
    FUNCTION(kin_shape, kin_ball, (float));
    FUNCTION(kin_shape, kin_capsule, (float, float));
    FUNCTION(kin_shape, kin_box, (kin_vec));
    FUNCTION(kin_shape, kin_hull, (const kin_vec *, int, float));
    FUNCTION(kin_world *, kin_world_create, (const kin_world_desc *));
    FUNCTION(kin_world *, kin_world_create_in, (void *, size_t, const kin_world_desc *));
    FUNCTION(size_t, kin_world_bytes, (const kin_world_desc *));
    FUNCTION(void, kin_world_destroy, (kin_world *));
    FUNCTION(bool, kin_world_step, (kin_world *, float));
    FUNCTION(int, kin_world_advance, (kin_world *, double));
    FUNCTION(float, kin_world_alpha, (const kin_world *));
    FUNCTION(double, kin_world_dropped, (const kin_world *));
    FUNCTION(uint64_t, kin_world_steps, (const kin_world *));
    FUNCTION(uint64_t, kin_world_hash, (const kin_world *));
    FUNCTION(bool, kin_world_set_gravity, (kin_world *, kin_vec));
    FUNCTION(bool, kin_world_overflowed, (const kin_world *));
    FUNCTION(kin_id, kin_next, (const kin_world *, kin_kind, kin_id));
    FUNCTION(int, kin_get_events, (const kin_world *, const kin_event **));
    FUNCTION(kin_id, kin_add_static, (kin_world *, const kin_static_desc *));
    FUNCTION(kin_id, kin_add_mover, (kin_world *, const kin_mover_desc *));
    FUNCTION(kin_id, kin_add_body, (kin_world *, const kin_body_desc *));
    FUNCTION(kin_id, kin_add_tiles, (kin_world *, const kin_tiles_desc *));
    FUNCTION(kin_id, kin_add_mesh, (kin_world *, const kin_mesh_desc *));
    FUNCTION(bool, kin_remove, (kin_world *, kin_id));
    FUNCTION(bool, kin_alive, (const kin_world *, kin_id));
    FUNCTION(kin_kind, kin_get_kind, (const kin_world *, kin_id));
    FUNCTION(void *, kin_get_user, (const kin_world *, kin_id));
    FUNCTION(kin_vec, kin_get_position, (const kin_world *, kin_id));
    FUNCTION(kin_rot, kin_get_rotation, (const kin_world *, kin_id));
    FUNCTION(kin_pose, kin_get_draw_pose, (const kin_world *, kin_id));
    FUNCTION(kin_vec, kin_get_velocity, (const kin_world *, kin_id));
    FUNCTION(kin_vec, kin_get_motion, (const kin_world *, kin_id));
    FUNCTION(kin_vec, kin_get_leftover, (const kin_world *, kin_id));
    FUNCTION(kin_spin, kin_get_spin, (const kin_world *, kin_id));
    FUNCTION(bool, kin_set_position, (kin_world *, kin_id, kin_vec));
    FUNCTION(bool, kin_set_rotation, (kin_world *, kin_id, kin_rot));
    FUNCTION(bool, kin_set_velocity, (kin_world *, kin_id, kin_vec));
    FUNCTION(bool, kin_set_spin, (kin_world *, kin_id, kin_spin));
    FUNCTION(bool, kin_move_to, (kin_world *, kin_id, kin_vec, kin_rot));
    FUNCTION(bool, kin_set_shape, (kin_world *, kin_id, const kin_shape *));
    FUNCTION(bool, kin_set_enabled, (kin_world *, kin_id, bool));
    FUNCTION(bool, kin_set_filter, (kin_world *, kin_id, uint32_t, uint32_t));
    FUNCTION(bool, kin_set_user, (kin_world *, kin_id, void *));
    FUNCTION(bool, kin_set_control, (kin_world *, kin_id, kin_control_fn *));
    FUNCTION(bool, kin_get_body_options, (const kin_world *, kin_id, kin_body_desc *));
    FUNCTION(bool, kin_set_body_options, (kin_world *, kin_id, const kin_body_desc *));
    FUNCTION(bool, kin_get_mover_options, (const kin_world *, kin_id, kin_mover_desc *));
    FUNCTION(bool, kin_set_mover_options, (kin_world *, kin_id, const kin_mover_desc *));
    FUNCTION(bool, kin_set_push, (kin_world *, kin_id, kin_push));
    FUNCTION(bool, kin_ignore, (kin_world *, kin_id, kin_id, bool));
    FUNCTION(bool, kin_drop_through, (kin_world *, kin_id));
    FUNCTION(bool, kin_define_tile, (kin_world *, kin_id, uint8_t, const kin_tile *));
    FUNCTION(uint8_t, kin_get_tile, (const kin_world *, kin_id, kin_cell));
    FUNCTION(bool, kin_set_tile, (kin_world *, kin_id, kin_cell, uint8_t));
    FUNCTION(kin_ground, kin_get_ground, (const kin_world *, kin_id));
    FUNCTION(bool, kin_on_ground, (const kin_world *, kin_id));
    FUNCTION(bool, kin_on_wall, (const kin_world *, kin_id));
    FUNCTION(bool, kin_on_ceiling, (const kin_world *, kin_id));
    FUNCTION(bool, kin_is_crushed, (const kin_world *, kin_id));
    FUNCTION(bool, kin_is_embedded, (const kin_world *, kin_id));
    FUNCTION(bool, kin_is_blocked, (const kin_world *, kin_id));
    FUNCTION(int, kin_get_contacts, (const kin_world *, kin_id, kin_contact *, int));
    FUNCTION(int, kin_get_riders, (const kin_world *, kin_id, kin_id *, int));
    FUNCTION(bool, kin_cast_ray, (const kin_world *, kin_vec, kin_vec, const kin_filter *, kin_hit *));
    FUNCTION(bool, kin_cast_shape,
             (const kin_world *, const kin_shape *, kin_pose, kin_vec, const kin_filter *, kin_hit *));
    FUNCTION(int, kin_overlap, (const kin_world *, const kin_shape *, kin_pose, const kin_filter *, kin_id *, int));
    FUNCTION(bool, kin_test_move, (const kin_world *, kin_id, kin_vec, kin_hit *));
    FUNCTION(kin_vec, kin_move, (kin_world *, kin_id, kin_vec));
    FUNCTION(size_t, kin_snapshot_size, (const kin_world *));
    FUNCTION(size_t, kin_snapshot_save, (const kin_world *, void *, size_t));
    FUNCTION(bool, kin_snapshot_load, (kin_world *, const void *, size_t));
    FUNCTION(void, kin_debug_draw, (const kin_world *, const kin_draw *));
}

UTEST(contract, functions_of_the_second_edition)
{
    FUNCTION(kin_vec, kin_world_get_gravity, (const kin_world *));
    FUNCTION(kin_vec, kin_world_get_up, (const kin_world *));
    FUNCTION(bool, kin_world_set_up, (kin_world *, kin_vec));
    FUNCTION(kin_stats, kin_world_get_stats, (const kin_world *));
    FUNCTION(bool, kin_world_get_desc, (const kin_world *, kin_world_desc *));
    FUNCTION(kin_form, kin_get_form, (const kin_world *, kin_id));
    FUNCTION(bool, kin_get_shape, (const kin_world *, kin_id, kin_shape *));
    FUNCTION(bool, kin_get_bounds, (const kin_world *, kin_id, kin_vec *, kin_vec *));
    FUNCTION(bool, kin_get_filter, (const kin_world *, kin_id, uint32_t *, uint32_t *));
    FUNCTION(bool, kin_is_enabled, (const kin_world *, kin_id));
    FUNCTION(bool, kin_is_sensor, (const kin_world *, kin_id));
    FUNCTION(bool, kin_is_one_sided, (const kin_world *, kin_id));
    FUNCTION(bool, kin_is_blocked, (const kin_world *, kin_id));
    FUNCTION(bool, kin_get_tiles, (const kin_world *, kin_id, kin_tiles_desc *));
    FUNCTION(bool, kin_get_tile_definition, (const kin_world *, kin_id, uint8_t, kin_tile *));
    FUNCTION(int, kin_get_mesh, (const kin_world *, kin_id, kin_vec *, int, int *, int *, int));
    FUNCTION(bool, kin_get_static_options, (const kin_world *, kin_id, kin_static_desc *));
    FUNCTION(bool, kin_set_static_options, (kin_world *, kin_id, const kin_static_desc *));
    FUNCTION(bool, kin_get_wall, (const kin_world *, kin_id, kin_contact *));
    FUNCTION(bool, kin_get_ceiling, (const kin_world *, kin_id, kin_contact *));
    FUNCTION(bool, kin_set_pose, (kin_world *, kin_id, kin_pose));
    FUNCTION(bool, kin_set_leftover, (kin_world *, kin_id, kin_vec));
    FUNCTION(int, kin_move_hits, (kin_world *, kin_id, kin_vec, kin_vec *, kin_hit *, int));
    FUNCTION(bool, kin_set_gravity, (kin_world *, kin_id, kin_vec));
    FUNCTION(kin_vec, kin_get_up, (const kin_world *, kin_id));
    FUNCTION(bool, kin_set_gravity_scale, (kin_world *, kin_id, float));
    FUNCTION(bool, kin_set_tiles_region, (kin_world *, kin_id, kin_cell, kin_cell, const uint8_t *));
    FUNCTION(void, kin_debug_draw_options, (const kin_world *, const kin_draw *, const kin_draw_options *));
    FUNCTION(int, kin_cast_ray_all, (const kin_world *, kin_vec, kin_vec, const kin_filter *, kin_hit *, int));
    FUNCTION(int, kin_cast_shape_all,
             (const kin_world *, const kin_shape *, kin_pose, kin_vec, const kin_filter *, kin_hit *, int));
    FUNCTION(int, kin_overlap_contacts,
             (const kin_world *, const kin_shape *, kin_pose, const kin_filter *, kin_contact *, int));
    FUNCTION(bool, kin_closest,
             (const kin_world *, const kin_shape *, kin_pose, float, const kin_filter *, kin_contact *));
    FUNCTION(bool, kin_find_room,
             (const kin_world *, const kin_shape *, kin_pose, float, const kin_filter *, kin_vec *));
    IN_ORDER(KIN_FORM_NONE, KIN_FORM_SHAPE, KIN_FORM_TILES, KIN_FORM_MESH);
    EXPECT_TRUE(KIN_DRAW_SHAPES == 1 && KIN_DRAW_CONTACTS == 2 && KIN_DRAW_GROUND == 4 && KIN_DRAW_VELOCITY == 8);
    EXPECT_TRUE(KIN_DRAW_BROAD_PHASE == 16 && KIN_DRAW_SENSORS == 32 && KIN_DRAW_SURROUNDINGS == 64);
}

UTEST(contract, function_types)
{
    kin_event_fn   *on_event = (void (*)(kin_world *, const kin_event *, void *))NULL;
    kin_log_fn     *on_log = (void (*)(const char *, void *))NULL;
    kin_alloc_fn   *allocate = (void *(*)(size_t, void *))NULL;
    kin_free_fn    *release = (void (*)(void *, size_t, void *))NULL;
    kin_control_fn *control = (void (*)(kin_world *, kin_id, float, void *))NULL;
    EXPECT_TRUE(!on_event && !on_log && !allocate && !release && !control);
}

UTEST(contract, choices)
{
    IN_ORDER((int)KIN_NOTHING, (int)KIN_STATIC, (int)KIN_MOVER, (int)KIN_BODY);
    IN_ORDER((int)KIN_PUSHABLE, (int)KIN_UNPUSHABLE, (int)KIN_INTANGIBLE);
    IN_ORDER((int)KIN_RIDE_STICK, (int)KIN_RIDE_PHYSICAL);
    IN_ORDER((int)KIN_LEAVE_ADD, (int)KIN_LEAVE_UP_ONLY, (int)KIN_LEAVE_NONE);
    IN_ORDER((int)KIN_CARRY_FULL, (int)KIN_CARRY_ACROSS_GRAVITY, (int)KIN_CARRY_NONE);
    IN_ORDER((int)KIN_BLOCKED_PASS, (int)KIN_BLOCKED_STOP);
    IN_ORDER((int)KIN_CRUSH_KEEP, (int)KIN_CRUSH_DISABLE);
    IN_ORDER((int)KIN_SLOPE_SURFACE_SPEED, (int)KIN_SLOPE_HORIZONTAL_SPEED);
    IN_ORDER((int)KIN_EVENT_BEGAN, (int)KIN_EVENT_CONTINUED, (int)KIN_EVENT_ENDED, (int)KIN_EVENT_LANDED,
                      (int)KIN_EVENT_LEFT, (int)KIN_EVENT_CRUSHED, (int)KIN_EVENT_EMBEDDED, (int)KIN_EVENT_FREED,
                      (int)KIN_EVENT_BLOCKED);
    IN_ORDER((int)KIN_TILE_EMPTY, (int)KIN_TILE_SOLID, (int)KIN_TILE_ONE_WAY, (int)KIN_TILE_SENSOR);
    IN_ORDER((int)KIN_AIR, (int)KIN_STABLE, (int)KIN_STEEP);
    EXPECT_EQ(KINEMATIC_DIM == 2 ? 8 : 32, (int)KIN_MAX_POINTS);
}

UTEST(contract, vec)
{
    START(kin_vec);
    MEMBER(float, x);
    MEMBER(float, y);
#if KINEMATIC_DIM == 3
    MEMBER(float, z);
#endif
}

UTEST(contract, rot)
{
    START(kin_rot);
#if KINEMATIC_DIM == 2
    MEMBER(float, c);
    MEMBER(float, s);
#else
    MEMBER(float, x);
    MEMBER(float, y);
    MEMBER(float, z);
    MEMBER(float, w);
#endif
}

UTEST(contract, cell)
{
    START(kin_cell);
    MEMBER(int, x);
    MEMBER(int, y);
#if KINEMATIC_DIM == 3
    MEMBER(int, z);
#endif
}

UTEST(contract, spin)
{
#if KINEMATIC_DIM == 2
    float value = 0;
#else
    kin_vec value = { 0, 0, 0 };
#endif
    kin_spin *pointer = &value;
    EXPECT_EQ(sizeof value, sizeof *pointer);
}

UTEST(contract, pose)
{
    START(kin_pose);
    MEMBER(kin_vec, p);
    MEMBER(kin_rot, q);
}

UTEST(contract, id)
{
    START(kin_id);
    MEMBER(uint32_t, slot);
    MEMBER(uint32_t, age);
}

UTEST(contract, shape)
{
    START(kin_shape);
    MEMBER(shape_points, points);
    MEMBER(int, count);
    MEMBER(float, radius);
}

UTEST(contract, event)
{
    START(kin_event);
    MEMBER(kin_event_type, type);
    MEMBER(kin_id, a);
    MEMBER(kin_id, b);
    MEMBER(kin_id, c);
    MEMBER(kin_vec, normal);
    MEMBER(kin_vec, point);
    MEMBER(float, speed);
    MEMBER(int, part);
    MEMBER(uint64_t, step);
}

UTEST(contract, world_desc)
{
    START(kin_world_desc);
    MEMBER(kin_vec, gravity);
    MEMBER(kin_vec, up);
    MEMBER(float, rate);
    MEMBER(float, max_catch_up);
    MEMBER(float, unit);
    MEMBER(float, max_speed);
    MEMBER(int, max_rounds);
    MEMBER(int, max_contacts);
    MEMBER(int, max_events);
    MEMBER(int, statics);
    MEMBER(int, movers);
    MEMBER(int, bodies);
    MEMBER(kin_event_fn *, on_event);
    MEMBER(kin_log_fn *, on_log);
    MEMBER(kin_alloc_fn *, allocate);
    MEMBER(kin_free_fn *, release);
    MEMBER(void *, user);
    MEMBER(bool, level_apart);
    MEMBER(bool, trust_snapshots);
    MEMBER(kin_collide_fn *, collide);
    MEMBER(int, max_sensor_contacts);
    MEMBER(kin_parallel_fn *, parallel);
    MEMBER(int, workers);
}

UTEST(contract, static_desc)
{
    START(kin_static_desc);
    MEMBER(kin_shape, shape);
    MEMBER(kin_vec, position);
    MEMBER(kin_rot, rotation);
    MEMBER(uint32_t, layer);
    MEMBER(uint32_t, mask);
    MEMBER(bool, sensor);
    MEMBER(bool, disabled);
    MEMBER(void *, user);
    MEMBER(kin_vec, one_way);
    MEMBER(kin_vec, surface_velocity);
    MEMBER(kin_id, attach);
    MEMBER(bool, senses);
}

UTEST(contract, mover_desc)
{
    START(kin_mover_desc);
    MEMBER(kin_shape, shape);
    MEMBER(kin_vec, position);
    MEMBER(kin_rot, rotation);
    MEMBER(uint32_t, layer);
    MEMBER(uint32_t, mask);
    MEMBER(bool, sensor);
    MEMBER(bool, disabled);
    MEMBER(void *, user);
    MEMBER(kin_vec, one_way);
    MEMBER(kin_vec, surface_velocity);
    MEMBER(kin_vec, velocity);
    MEMBER(kin_spin, spin);
    MEMBER(kin_control_fn *, control);
    MEMBER(kin_carry, carry);
    MEMBER(kin_blocked, on_blocked);
    MEMBER(bool, senses);
}

UTEST(contract, body_desc)
{
    START(kin_body_desc);
    MEMBER(kin_shape, shape);
    MEMBER(kin_vec, position);
    MEMBER(kin_rot, rotation);
    MEMBER(uint32_t, layer);
    MEMBER(uint32_t, mask);
    MEMBER(bool, sensor);
    MEMBER(bool, disabled);
    MEMBER(void *, user);
    MEMBER(kin_vec, velocity);
    MEMBER(kin_control_fn *, control);
    MEMBER(kin_push, push);
    MEMBER(kin_ride, ride);
    MEMBER(kin_leave, leave);
    MEMBER(kin_crush, on_crush);
    MEMBER(kin_slope, slope);
    MEMBER(float, max_slope);
    MEMBER(float, snap);
    MEMBER(float, step_height);
    MEMBER(float, corner_nudge);
    MEMBER(float, gravity_scale);
    MEMBER(bool, weightless);
    MEMBER(bool, report_continued);
    MEMBER(bool, glide);
    MEMBER(bool, keep_facing);
    MEMBER(float, leftover_fade);
    MEMBER(kin_vec, gravity);
    MEMBER(float, bounce);
    MEMBER(float, weight);
    MEMBER(float, max_push);
    MEMBER(bool, no_gravity_scale);
}

UTEST(contract, tiles_desc)
{
    START(kin_tiles_desc);
    MEMBER(kin_cell, size);
    MEMBER(float, cell);
    MEMBER(kin_vec, origin);
    MEMBER(const uint8_t *, cells);
    MEMBER(uint32_t, layer);
    MEMBER(uint32_t, mask);
    MEMBER(void *, user);
    MEMBER(kin_id, attach);
}

UTEST(contract, tile)
{
    START(kin_tile);
    MEMBER(tile_points, points);
    MEMBER(int, count);
    MEMBER(kin_vec, one_way);
    MEMBER(kin_vec, surface_velocity);
    MEMBER(bool, sensor);
}

UTEST(contract, mesh_desc)
{
    START(kin_mesh_desc);
    MEMBER(const kin_vec *, points);
    MEMBER(int, point_count);
    MEMBER(const int *, indices);
    MEMBER(int, index_count);
    MEMBER(kin_vec, position);
    MEMBER(kin_rot, rotation);
    MEMBER(uint32_t, layer);
    MEMBER(uint32_t, mask);
    MEMBER(void *, user);
    MEMBER(kin_id, attach);
}

UTEST(contract, ground)
{
    START(kin_ground);
    MEMBER(kin_footing, footing);
    MEMBER(kin_id, id);
    MEMBER(kin_vec, normal);
    MEMBER(kin_vec, point);
    MEMBER(kin_vec, velocity);
    MEMBER(int, part);
}

UTEST(contract, contact)
{
    START(kin_contact);
    MEMBER(kin_id, other);
    MEMBER(kin_vec, normal);
    MEMBER(kin_vec, point);
    MEMBER(float, gap);
    MEMBER(int, part);
}

UTEST(contract, hit)
{
    START(kin_hit);
    MEMBER(kin_id, id);
    MEMBER(kin_vec, point);
    MEMBER(kin_vec, normal);
    MEMBER(float, t);
    MEMBER(int, part);
}

UTEST(contract, filter)
{
    START(kin_filter);
    MEMBER(uint32_t, layer);
    MEMBER(uint32_t, mask);
    MEMBER(kin_id, ignore);
    MEMBER(bool, sensors);
    MEMBER(const kin_id *, ignored);
    MEMBER(int, ignored_count);
    MEMBER(takes_fn, takes);
    MEMBER(void *, user);
}

UTEST(contract, draw_options)
{
    START(kin_draw_options);
    MEMBER(uint32_t, layers);
    MEMBER(kin_id, only);
    MEMBER(bool, interpolated);
    MEMBER(float, smoothness);
}

UTEST(contract, draw)
{
    START(kin_draw);
    MEMBER(draw_line, line);
    MEMBER(draw_point, point);
    MEMBER(void *, user);
}

UTEST_MAIN()
