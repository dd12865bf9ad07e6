/* SPDX-License-Identifier: MIT OR Unlicense

   fuzz.h: what the fuzz targets share: reading values out of bytes, a world's memory that is counted and may run out,
   and what must hold of a world after whatever was done to it.

   A target is a file with LLVMFuzzerTestOneInput. `make fuzz` runs it under libFuzzer; `make fuzz-afl` builds it for
   AFL++. tests/unit/test_fuzz_*.c run its seeds and a small corpus, without either. */
#ifndef FUZZ_H
#define FUZZ_H

#include "../motion.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Not every target uses every tool. */
#if defined(__GNUC__)
#define TOOL static __attribute__((unused))
#else
#define TOOL static
#endif

/* A promise of the library that does not hold: fuzzers see a crash, with the line. */
#define HOLDS(condition) ((condition) ? (void)0 : fuzz_broken(#condition, __FILE__, __LINE__))

TOOL void fuzz_broken(const char *condition, const char *file, int line)
{
    fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, condition);
    abort();
}

/* ---- values from bytes ------------------------------------------------------------------------------------------- */

typedef struct bytes { const uint8_t *at; size_t left; } bytes;

/* Zero when there are no more. */
TOOL unsigned next_byte(bytes *in)
{
    if (in->left == 0) return 0;
    in->left--;
    return *in->at++;
}

TOOL unsigned next_below(bytes *in, unsigned n) { return next_byte(in) % n; }
TOOL bool     next_flag(bytes *in) { return (next_byte(in) & 1) != 0; }

TOOL uint32_t next_word(bytes *in)
{
    uint32_t word = next_byte(in);
    word = word << 8 | next_byte(in);
    word = word << 8 | next_byte(in);
    return word << 8 | next_byte(in);
}

/* 0..127 are quarters around zero and so are 128..199, 200..239 what programs stumble over, the rest is any bits at all:
   most numbers are sound, so that those that are not get far. */
TOOL float next_wild(bytes *in)
{
    static const float odd[] = { 0.0f, -0.0f, INFINITY, -INFINITY, NAN, 3.4e38f, -3.4e38f, 1e-45f, 1.2e-38f, 1e-12f, 1e-6f, 1e6f,
                                 -1e6f, 1e9f, -1e9f, 1.1e9f, 1e12f, -1e12f, 1e20f, 1e-4f, 0.005f, 0.01f, 0.1f, 1 / 128.0f,
                                 1000, 10000, 3.14159265f, -1.5707963f, 1e-3f, 16777216.0f, 0.99999994f, 1.0000001f };
    unsigned b = next_byte(in);
    uint32_t word;
    float    number;
    if (b < 200) return (float)((int)(b & 127) - 64) / 4;
    if (b < 240) return odd[(b - 200) % (sizeof odd / sizeof *odd)];
    word = next_word(in);
    memcpy(&number, &word, sizeof number);
    return number;
}

/* Quarters from -16 to 15.75. */
TOOL float next_tame(bytes *in) { return (float)((int)(next_byte(in) & 127) - 64) / 4; }

TOOL float next_float(bytes *in, bool wild) { return wild ? next_wild(in) : next_tame(in); }

TOOL int next_int(bytes *in, bool wild)
{
    static const int odd[] = { -1, INT32_MAX, INT32_MIN, 65536, 1 << 24, 1 << 28, 4096, 255 };
    unsigned b = next_byte(in);
    if (!wild || b < 128) return (int)(b & 127);
    return b < 192 ? odd[b & 7] : (int)next_word(in);
}

TOOL kin_vec next_vec(bytes *in, bool wild)
{
    kin_vec v;
    memset(&v, 0, sizeof v);
    v.x = next_float(in, wild);
    v.y = next_float(in, wild);
#if KINEMATIC_DIM == 3
    v.z = next_float(in, wild);
#endif
    return v;
}

TOOL kin_rot next_rot(bytes *in, bool wild)
{
    kin_rot q;
    memset(&q, 0, sizeof q);
    if (!next_flag(in)) return q;
#if KINEMATIC_DIM == 2
    if (wild) { q.c = next_wild(in); q.s = next_wild(in); return q; }
    return kin_turn(next_tame(in));
#else
    if (wild) { q.x = next_wild(in); q.y = next_wild(in); q.z = next_wild(in); q.w = next_wild(in); return q; }
    { kin_vec axis = next_vec(in, false); return kin_turn(axis, next_tame(in)); }
#endif
}

TOOL kin_spin next_spin(bytes *in, bool wild)
{
#if KINEMATIC_DIM == 2
    return next_float(in, wild);
#else
    return next_vec(in, wild);
#endif
}

TOOL kin_pose next_pose(bytes *in, bool wild)
{
    kin_pose pose;
    pose.p = next_vec(in, wild);
    pose.q = next_rot(in, wild);
    return pose;
}

TOOL kin_cell next_cell(bytes *in, bool wild)
{
    kin_cell c;
    memset(&c, 0, sizeof c);
    c.x = next_int(in, wild);
    c.y = next_int(in, wild);
#if KINEMATIC_DIM == 3
    c.z = next_int(in, wild);
#endif
    return c;
}

TOOL kin_vec box_size(float w, float h, float d)
{
    kin_vec v;
    memset(&v, 0, sizeof v);
    v.x = w;
    v.y = h;
#if KINEMATIC_DIM == 3
    v.z = d;
#else
    (void)d;
#endif
    return v;
}

TOOL float next_size(bytes *in, bool wild) { return wild ? next_wild(in) : (float)(1 + (next_byte(in) & 31)) / 8; }

TOOL kin_shape next_hull(bytes *in, bool wild)
{
    kin_vec points[KIN_MAX_POINTS + 4];
    int     i, count = (int)next_below(in, KIN_MAX_POINTS + 4);
    for (i = 0; i < count; i++) points[i] = next_vec(in, wild);
    return kin_hull(points, count, next_flag(in) ? next_size(in, wild) : 0);
}

/* 0 box, 1 ball, 2 capsule, 3 hull, 4 whatever. */
TOOL kin_shape next_shape(bytes *in, bool wild)
{
    kin_shape shape;
    float     a, b;
    int       i;
    switch (next_below(in, 5)) {
    case 0: a = next_size(in, wild); b = next_size(in, wild); return kin_box(box_size(a, b, next_size(in, wild)));
    case 1: return kin_ball(next_size(in, wild));
    case 2: a = next_size(in, wild); b = next_size(in, wild); return kin_capsule(wild ? a : a + 2 * b, b);
    case 3: return next_hull(in, wild);
    default:
        memset(&shape, 0, sizeof shape);
        shape.count = next_int(in, true);
        shape.radius = next_wild(in);
        for (i = 0; i < shape.count && i < KIN_MAX_POINTS; i++) shape.points[i] = next_vec(in, true);
        return shape;
    }
}

/* ---- memory that is counted -------------------------------------------------------------------------------------- */

enum { FUZZ_MEMORY = 64 << 20 };
typedef struct purse { size_t out, calls, fails_at; } purse;   /* the call with the number fails_at gets nothing */

TOOL void *purse_take(size_t size, void *user)
{
    purse *p = (purse *)user;
    void  *memory;
    p->calls++;
    if (p->calls == p->fails_at || size > FUZZ_MEMORY || p->out + size > FUZZ_MEMORY) return NULL;
    memory = malloc(size);
    if (memory) p->out += size;
    return memory;
}

TOOL void purse_give(void *memory, size_t size, void *user)
{
    purse *p = (purse *)user;
    HOLDS(p->out >= size);
    p->out -= size;
    free(memory);
}

/* ---- what must hold ---------------------------------------------------------------------------------------------- */

TOOL bool is_finite_vec(kin_vec v)
{
#if KINEMATIC_DIM == 3
    if (!isfinite(v.z)) return false;
#endif
    return isfinite(v.x) && isfinite(v.y);
}

TOOL bool is_finite_rot(kin_rot q)
{
#if KINEMATIC_DIM == 3
    return isfinite(q.x) && isfinite(q.y) && isfinite(q.z) && isfinite(q.w);
#else
    return isfinite(q.c) && isfinite(q.s);
#endif
}

TOOL void look_at_contacts(const kin_world *world, kin_id id)
{
    kin_contact list[4];
    int         i, count = kin_get_contacts(world, id, list, 4);
    for (i = 0; i < count && i < 4; i++) {
        HOLDS(is_finite_vec(list[i].normal) && is_finite_vec(list[i].point) && isfinite(list[i].gap));
    }
}

TOOL void look_at_body(const kin_world *world, kin_id id)
{
    kin_ground ground = kin_get_ground(world, id);
    HOLDS(is_finite_vec(kin_get_velocity(world, id)));
    HOLDS(is_finite_vec(kin_get_motion(world, id)));
    HOLDS(is_finite_vec(kin_get_leftover(world, id)));
    HOLDS(is_finite_vec(ground.normal) && is_finite_vec(ground.point) && is_finite_vec(ground.velocity));
    look_at_contacts(world, id);
}

/* No NaN, no infinity, whatever the game did. */
TOOL void look_at_all(const kin_world *world)
{
    const kin_event *events;
    kin_id           id, nobody = { 0, 0 };
    int              i, count = kin_get_events(world, &events);
    for (id = kin_next(world, KIN_NOTHING, nobody); id.slot; id = kin_next(world, KIN_NOTHING, id)) {
        kin_pose pose = kin_get_draw_pose(world, id);
        HOLDS(is_finite_vec(kin_get_position(world, id)) && is_finite_rot(kin_get_rotation(world, id)));
        HOLDS(is_finite_vec(pose.p) && is_finite_rot(pose.q));
        if (kin_get_kind(world, id) == KIN_BODY) look_at_body(world, id);
    }
    for (i = 0; i < count; i++) HOLDS(is_finite_vec(events[i].normal) && is_finite_vec(events[i].point) && isfinite(events[i].speed));
}

/* ---- seeds ------------------------------------------------------------------------------------------------------------- */

typedef struct pen { uint8_t at[4096]; size_t length; } pen;

TOOL void put(pen *p, unsigned byte)
{
    if (p->length < sizeof p->at) p->at[p->length++] = (uint8_t)byte;
}

/* As next_tame and next_wild read it. */
TOOL void put_float(pen *p, double number) { put(p, (unsigned)((int)(number * 4) + 64)); }

TOOL void put_vec(pen *p, double x, double y, double z)
{
    put_float(p, x);
    put_float(p, y);
    if (KINEMATIC_DIM == 3) put_float(p, z);
}

/* As next_size reads it: eighths. */
TOOL void put_size(pen *p, double size) { put(p, (unsigned)(size * 8) - 1); }

TOOL void write_seed(const char *folder, const char *name, const pen *p)
{
    char  path[512];
    FILE *file;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    file = fopen(path, "wb");
    if (!file) { perror(path); exit(1); }
    fwrite(p->at, 1, p->length, file);
    fclose(file);
}

typedef struct seed { const char *name; void (*write)(pen *); } seed;

/* Fuzzers call this first. With KIN_SEEDS_TO, the program writes its seeds there and ends. */
#define FUZZ_SEEDS(seeds)                                                                \
    int LLVMFuzzerInitialize(int *argc, char ***argv);                                   \
    int LLVMFuzzerInitialize(int *argc, char ***argv)                                    \
    {                                                                                    \
        const char *folder = getenv("KIN_SEEDS_TO");                                     \
        size_t      i;                                                                   \
        (void)argc, (void)argv;                                                          \
        for (i = 0; folder && i < sizeof(seeds) / sizeof *(seeds); i++) {                \
            pen p;                                                                       \
            p.length = 0;                                                                \
            (seeds)[i].write(&p);                                                        \
            write_seed(folder, (seeds)[i].name, &p);                                     \
        }                                                                                \
        if (folder) exit(0);                                                             \
        return 0;                                                                        \
    }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
