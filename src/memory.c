/* SPDX-License-Identifier: MIT OR Unlicense

   memory.c: allocation, growing arrays, and log messages.

   A world takes memory from the user's functions, from the C library or, if made by kin_world_create_in, from one block
   that is handed out front to back: its last piece can grow in place and be given back. A failed allocation changes
   nothing. Messages are formatted without the C library, so that they are the same everywhere. */
#include "memory.h"

KINI_PART void kini_copy(void *to, const void *from, size_t bytes)
{
#ifdef KINEMATIC_MEMCPY
    if (bytes) KINEMATIC_MEMCPY(to, from, bytes);
#else
    unsigned char       *t = (unsigned char *)to;
    const unsigned char *f = (const unsigned char *)from;
    size_t               i;
    for (i = 0; i < bytes; i++) t[i] = f[i];
#endif
}

KINI_PART void kini_clear(void *memory, size_t bytes)
{
#ifdef KINEMATIC_MEMSET
    if (bytes) KINEMATIC_MEMSET(memory, 0, bytes);
#else
    unsigned char *m = (unsigned char *)memory;
    size_t         i;
    for (i = 0; i < bytes; i++) m[i] = 0;
#endif
}

KINI_PART bool kini_same_bytes(const void *a, const void *b, size_t bytes)
{
    const unsigned char *s = (const unsigned char *)a, *t = (const unsigned char *)b;
    uint64_t             x, y;
    for (; bytes >= sizeof x; bytes -= sizeof x, s += sizeof x, t += sizeof y) {
        kini_copy(&x, s, sizeof x);
        kini_copy(&y, t, sizeof y);
        if (x != y) return false;
    }
    while (bytes > 0 && s[bytes - 1] == t[bytes - 1]) bytes--;
    return bytes == 0;
}

KINI_PART uint32_t kini_float_bits(float value)
{
    uint32_t bits;
    value += 0.0f;
    kini_copy(&bits, &value, sizeof bits);
    return bits;
}

/* ---- allocation, from the user or from the arena of kin_world_create_in ------------------------------------------ */

KINI_PART size_t kini_aligned(size_t bytes) { return (bytes + (KINI_ALIGN - 1)) & ~(size_t)(KINI_ALIGN - 1); }

static bool kini_is_last(const kini_arena *arena, const void *memory, size_t bytes)
{
    return arena->used >= kini_aligned(bytes) &&
           arena->memory + (arena->used - kini_aligned(bytes)) == (const unsigned char *)memory;
}

static void *kini_arena_take(kini_arena *arena, size_t bytes)
{
    void *memory = arena->memory + arena->used;
    if (bytes > arena->bytes || kini_aligned(bytes) > arena->bytes - arena->used) return NULL;
    arena->used += kini_aligned(bytes);
    return memory;
}

KINI_PART void *kini_allocate(kin_world *world, size_t bytes)
{
    if (bytes == 0 || bytes > (size_t)-1 - KINI_ALIGN) return NULL;
    if (world->arena.memory) return kini_arena_take(&world->arena, bytes);
    if (world->desc.allocate) return world->desc.allocate(bytes, world->desc.user);
    return KINEMATIC_MALLOC(bytes);
}

KINI_PART void kini_release(kin_world *world, void *memory, size_t bytes)
{
    if (!memory) return;
    if (world->arena.memory) world->arena.used -= kini_is_last(&world->arena, memory, bytes) ? kini_aligned(bytes) : 0;
    else if (world->desc.release) world->desc.release(memory, bytes, world->desc.user);
    else KINEMATIC_FREE(memory);
}

/* A block with the same contents and another size, or NULL and the old one is as it was. */
static void *kini_resize(kin_world *world, void *memory, size_t bytes, size_t rows, size_t row_bytes)
{
    size_t wanted = rows * row_bytes;
    void  *fresh;
    if (rows > (size_t)-1 / row_bytes) return NULL;
    if (memory && world->arena.memory && kini_is_last(&world->arena, memory, bytes))
        return kini_arena_take(&world->arena, kini_aligned(wanted) - kini_aligned(bytes)) ? memory : NULL;
    fresh = kini_allocate(world, wanted);
    if (!fresh) return NULL;
    kini_copy(fresh, memory, bytes);
    kini_release(world, memory, bytes);
    return fresh;
}

/* ---- growing arrays --------------------------------------------------------------------------------------------- */

KINI_PART bool kini_grow(kin_world *world, void *array, size_t row_bytes, int32_t rows)
{
    kini_rows now;
    int32_t   ample;
    size_t    old;
    void     *at;
    kini_copy(&now, array, sizeof now);
    if (rows <= now.capacity) return true;
    old = (size_t)now.capacity * row_bytes;
    ample = now.capacity > INT32_MAX / 2 - 8 ? INT32_MAX : now.capacity + now.capacity / 2 + 8;
    if (now.capacity == 0 || ample < rows) ample = rows;
    at = kini_resize(world, now.at, old, (size_t)ample, row_bytes);
    if (!at && ample > rows)   /* modestly, if not amply */
        at = kini_resize(world, now.at, old, (size_t)(ample = rows), row_bytes);
    if (!at) return false;
    now.at = at;
    now.capacity = ample;
    kini_clear((unsigned char *)at + old, (size_t)ample * row_bytes - old);
    world->bytes += (size_t)ample * row_bytes - old;
    kini_copy(array, &now, sizeof now);
    return true;
}

KINI_PART void kini_drop(kin_world *world, void *array, size_t row_bytes)
{
    kini_rows now;
    kini_copy(&now, array, sizeof now);
    kini_release(world, now.at, (size_t)now.capacity * row_bytes);
    kini_clear(array, sizeof now);
}

KINI_PART void kini_cut_rows(void *array, size_t row_bytes, int32_t first, int32_t count)
{
    kini_rows      now;
    unsigned char *to;
    size_t         cut = (size_t)count * row_bytes, rest, piece;
    kini_copy(&now, array, sizeof now);
    if (count == 0) return;
    to = (unsigned char *)now.at + (size_t)first * row_bytes;
    for (rest = (size_t)(now.count - first - count) * row_bytes; rest > 0; rest -= piece, to += piece) {
        piece = rest < cut ? rest : cut;
        kini_copy(to, to + cut, piece);
    }
    kini_clear(to, cut);
    now.count -= count;
    kini_copy(array, &now, sizeof now);
}

/* ---- messages ---------------------------------------------------------------------------------------------------- */

enum { KINI_TEXT_ROOM = 240, KINI_DIGITS = 6 };
typedef struct kini_text { char at[KINI_TEXT_ROOM]; int length; } kini_text;

static void kini_put_char(kini_text *text, char c)
{
    if (text->length < KINI_TEXT_ROOM - 1) text->at[text->length++] = c;
    text->at[text->length] = 0;
}

static void kini_put(kini_text *text, const char *words)
{
    for (; *words; words++) kini_put_char(text, *words);
}

static void kini_put_natural(kini_text *text, uint32_t number)
{
    uint32_t place = 1;
    while (number / place >= 10) place *= 10;
    for (; place > 0; place /= 10) kini_put_char(text, (char)('0' + number / place % 10));
}

/* Six digits as 0.00123, 12.5, 1200 or, if very large or small, 1.25e+12. */
static void kini_put_float(kini_text *text, float number)
{
    char     digits[KINI_DIGITS];
    double   scaled = (double)number;
    int      exponent = 0, count = KINI_DIGITS, point, i;
    uint32_t whole;
    bool     plain;
    if (number < 0) { kini_put_char(text, '-'); scaled = -scaled; }
    if (!kini_finite(number)) { kini_put(text, number < 0 || number > 0 ? "inf" : "nan"); return; }
    if (!(scaled > 0)) { kini_put_char(text, '0'); return; }
    while (scaled >= 10) { scaled /= 10; exponent++; }
    while (scaled < 1) { scaled *= 10; exponent--; }
    whole = (uint32_t)(scaled * 1e5 + 0.5);
    if (whole >= 1000000) { whole /= 10; exponent++; }
    for (i = KINI_DIGITS - 1; i >= 0; i--, whole /= 10) digits[i] = (char)('0' + whole % 10);
    while (count > 1 && digits[count - 1] == '0') count--;
    plain = exponent >= -4 && exponent < 9;
    point = plain ? exponent : 0;
    if (point < 0) kini_put(text, "0.");
    for (i = point + 1; i < 0; i++) kini_put_char(text, '0');
    for (i = 0; i < count || i <= point; i++) {
        if (i > 0 && i == point + 1) kini_put_char(text, '.');
        kini_put_char(text, i < count ? digits[i] : '0');
    }
    if (plain) return;
    kini_put(text, exponent < 0 ? "e-" : "e+");
    kini_put_natural(text, (uint32_t)(exponent < 0 ? -exponent : exponent));
}

static void kini_begin_text(kini_text *text, const char *call, const char *argument, const char *what)
{
    text->length = 0;
    for (; *call; call++)
        if (*call != '0' + KINI_DIM) kini_put_char(text, *call);   /* for the linker, names begin with kin2_ or kin3_ */
    kini_put(text, ": ");
    kini_put(text, argument);
    kini_put_char(text, ' ');
    kini_put(text, what);
}

static bool kini_send(const kin_world *world, const kini_text *text)
{
    if (world && world->desc.on_log) world->desc.on_log(text->at, world->desc.user);
#ifndef KINEMATIC_NO_STDIO
    else if (fputs(text->at, stderr) >= 0) (void)fputc('\n', stderr);
#endif
    return false;
}

KINI_PART bool kini_refuse(const kin_world *world, const char *call, const char *argument, const char *what)
{
    kini_text text;
    kini_begin_text(&text, call, argument, what);
    return kini_send(world, &text);
}

KINI_PART bool kini_refuse_version(const kin_world *world, const char *call, const char *argument, uint32_t version)
{
    kini_text text;
    int       i;
    kini_begin_text(&text, call, argument, "is from version ");
    for (i = 0; i < 2; i++, version = KIN_VERSION) {
        if (i > 0) kini_put(&text, ", this is ");
        kini_put_natural(&text, version / 10000);
        kini_put_char(&text, '.');
        kini_put_natural(&text, version / 100 % 100);
        kini_put_char(&text, '.');
        kini_put_natural(&text, version % 100);
    }
    return kini_send(world, &text);
}

KINI_PART bool kini_refuse_floats(const kin_world *world, const char *call, const char *argument, const char *what,
                                  const void *value, size_t bytes, float most)
{
    const char *before = " (";
    kini_text   text;
    float       number;
    size_t      at;
    kini_begin_text(&text, call, argument, what);
    for (at = 0; at < bytes; at += sizeof number, before = ", ") {
        kini_copy(&number, (const char *)value + at, sizeof number);
        kini_put(&text, before);
        kini_put_float(&text, number);
    }
    kini_put(&text, most < KINI_FLT_MAX ? "), at most " : ")");
    if (most < KINI_FLT_MAX) kini_put_float(&text, most);
    return kini_send(world, &text);
}

KINI_PART bool kini_refuse_number(const kin_world *world, const char *call, const char *argument, const char *what,
                                  float value)
{
    return kini_refuse_floats(world, call, argument, what, &value, sizeof value, KINI_FLT_MAX);
}

KINI_PART bool kini_refuse_id(const kin_world *world, const char *call, const char *argument, const char *what,
                              kin_id value)
{
    kini_text text;
    kini_begin_text(&text, call, argument, what);
    kini_put(&text, " (slot ");
    kini_put_natural(&text, value.slot);
    kini_put(&text, ", age ");
    kini_put_natural(&text, value.age);
    kini_put_char(&text, ')');
    return kini_send(world, &text);
}

KINI_PART bool kini_refuse_range(const kin_world *world, const char *call, const char *argument, double value,
                                 double lo, double hi, const char *unit)
{
    float     number = (float)value;
    kini_text text;
    bool      less = value < lo;
    if (!call) return false;
    kini_begin_text(&text, call, argument,
                    !kini_finite(number) ? "is not finite" : less ? "is too small" : "is too large");
    kini_put(&text, " (");
    kini_put_float(&text, number);
    kini_put(&text, less ? "), at least " : "), at most ");
    kini_put_float(&text, (float)(less ? lo : hi));
    kini_put(&text, unit);
    return kini_send(world, &text);
}
