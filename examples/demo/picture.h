/* SPDX-License-Identifier: MIT OR Unlicense

   picture.h: writes the demo as one SVG that moves in a browser, without scripts.

   Lengths are tenths of a pixel. Every mover and body is drawn once, from its kin_shape, and has a list of places, one
   per frame. The level's outlines, and per frame what the library knows of contacts, grounds and velocities, are what
   kin_debug_draw draws. */
#ifndef DEMO_PICTURE_H
#define DEMO_PICTURE_H

#include "level.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { UNIT = 220, CAPTION = 660, FRAME_STEPS = 3, MAX_FRAMES = 600, MAX_THINGS = 16, MAX_CAPTIONS = 64 };

/* Debug drawing by colour: red, green, blue, opacity as kin_debug_draw gives them. */
static const struct { uint32_t rgba; const char *name; } OVERLAYS[] = {
    { 0x40FF40FFu, "ground" }, { 0xFF8000FFu, "steep" }, { 0xFFFFFFFFu, "velocity" }, { 0xFFFFFFFEu, "tip" },
    { 0xFF4040FFu, "contact" }
};
static const struct { uint32_t rgba; const char *name; } OUTLINES[] = {
    { 0xA0A0A0FFu, "static" }, { 0xE0E040A0u, "sensor" }, { 0x40E0D0FFu, "oneway" }
};
enum { OVERLAY_COUNT = sizeof OVERLAYS / sizeof *OVERLAYS, OUTLINE_COUNT = sizeof OUTLINES / sizeof *OUTLINES };

typedef struct picture {
    int    frames, things, captions;
    kin_id ids[MAX_THINGS];
    struct { int x, y, angle, gone; } places[MAX_THINGS][MAX_FRAMES];   /* the angle in tenths of a degree */
    char   overlays[OVERLAY_COUNT][MAX_FRAMES][600];                     /* each the d attribute of a path */
    char   outlines[OUTLINE_COUNT][60000];
    struct { int frame; char text[80]; } caption[MAX_CAPTIONS];
} picture;

/* ---- recording --------------------------------------------------------------------------------------------------- */

static int rounded(float a) { return (int)(a < 0 ? a - 0.5f : a + 0.5f); }
static int across(float x) { return rounded(x * UNIT); }
static int down(float y) { return rounded(((float)HEIGHT - y) * UNIT); }

static void add_line(char *path, size_t room, kin_vec from, kin_vec to)
{
    size_t used = strlen(path);
    int    x = across(from.x), y = down(from.y);
    if (used + 64 > room) return;
    snprintf(path + used, room - used, "M%d %dl%d %d", x, y, across(to.x) - x, down(to.y) - y);
}

static void draw_overlay(kin_vec from, kin_vec to, uint32_t rgba, void *user)
{
    picture *p = user;
    for (int i = 0; i < OVERLAY_COUNT; i++)
        if (OVERLAYS[i].rgba == rgba) add_line(p->overlays[i][p->frames], sizeof p->overlays[i][0], from, to);
}

/* A short line with round ends is a dot. */
static void draw_tip(kin_vec at, uint32_t rgba, void *user)
{
    if (rgba == 0xFFFFFFFFu) draw_overlay(at, at, 0xFFFFFFFEu, user);
}

static void draw_outline(kin_vec from, kin_vec to, uint32_t rgba, void *user)
{
    picture *p = user;
    for (int i = 0; i < OUTLINE_COUNT; i++)
        if (OUTLINES[i].rgba == rgba) add_line(p->outlines[i], sizeof p->outlines[i], from, to);
}

static void begin_picture(picture *p, const kin_world *world)
{
    const kin_kind kinds[] = { KIN_MOVER, KIN_BODY };
    memset(p, 0, sizeof *p);
    for (int k = 0; k < 2; k++)
        for (kin_id id = kin_next(world, kinds[k], (kin_id){ 0 }); id.age && p->things < MAX_THINGS;
             id = kin_next(world, kinds[k], id))
            p->ids[p->things++] = id;
    kin_debug_draw(world, &(kin_draw){ .line = draw_outline, .user = p });
}

static bool is_gone(const kin_world *world, kin_id id)
{
    kin_body_desc body;
    return kin_get_kind(world, id) == KIN_BODY && kin_get_body_options(world, id, &body) && body.disabled;
}

static void record_frame(picture *p, const kin_world *world)
{
    if (p->frames == MAX_FRAMES) return;
    for (int i = 0; i < p->things; i++) {
        kin_id  id = p->ids[i];
        kin_vec at = kin_get_position(world, id);
        float   spin = kin_get_kind(world, id) == KIN_MOVER ? kin_get_spin(world, id) : 0;
        p->places[i][p->frames].x = across(at.x);
        p->places[i][p->frames].y = down(at.y);
        p->places[i][p->frames].angle = rounded(-spin * (float)(p->frames * FRAME_STEPS) / RATE * 572.957795f);
        p->places[i][p->frames].gone = is_gone(world, id);
    }
    kin_debug_draw(world, &(kin_draw){ .line = draw_overlay, .point = draw_tip, .user = p });
    p->frames++;
}

static void record_caption(picture *p, const char *text)
{
    if (p->captions == MAX_CAPTIONS) return;
    p->caption[p->captions].frame = p->frames;
    snprintf(p->caption[p->captions++].text, sizeof p->caption[0].text, "%s", text);
}

/* ---- writing ----------------------------------------------------------------------------------------------------- */

static void write_timing(const picture *p, FILE *file, const char *mode)
{
    int ms = p->frames * FRAME_STEPS * 1000 / RATE;
    fprintf(file, "' dur='%d.%02ds' calcMode='%s' repeatCount='indefinite'/>\n", ms / 1000, ms % 1000 / 10, mode);
}

/* A shape is the hull of its points, rounded: a polygon with a round pen of that radius. */
static void write_shape(FILE *file, const kin_shape *shape, uint32_t colour)
{
    fprintf(file, "<path stroke-width='%d' stroke='#%06x' fill='#%06x' d='", rounded(2 * shape->radius * UNIT),
            (unsigned)colour, (unsigned)colour);
    for (int i = 0; i < shape->count; i++)
        fprintf(file, "%c%d %d", i ? 'L' : 'M', across(shape->points[i].x), -across(shape->points[i].y));
    fputs("z'/>", file);
}

static kin_shape shape_of(const kin_world *world, kin_id id)
{
    kin_body_desc  body;
    kin_mover_desc mover;
    if (kin_get_kind(world, id) == KIN_BODY) return kin_get_body_options(world, id, &body), body.shape;
    return kin_get_mover_options(world, id, &mover), mover.shape;
}

static void write_places(const picture *p, FILE *file, int thing)
{
    fputs("<animateTransform attributeName='transform' type='translate' values='", file);
    for (int i = 0; i < p->frames; i++)
        fprintf(file, "%s%d %d", i ? ";" : "", p->places[thing][i].x, p->places[thing][i].y);
    write_timing(p, file, "linear");
    for (int i = 1; i < p->frames; i++)
        if (p->places[thing][i].gone && !p->places[thing][i - 1].gone) {
            fprintf(file, "<animate attributeName='opacity' values='1;0' keyTimes='0;0.%04d", i * 10000 / p->frames);
            write_timing(p, file, "discrete");
        }
}

static void write_thing(const picture *p, FILE *file, const kin_world *world, int thing)
{
    const look *seen = kin_get_user(world, p->ids[thing]);
    kin_shape   shape = shape_of(world, p->ids[thing]);
    int         angle = p->places[thing][p->frames - 1].angle;
    fputs("<g>", file);
    write_places(p, file, thing);
    fputs("<g>", file);
    if (angle) {
        fprintf(file, "<animateTransform attributeName='transform' type='rotate' values='0;%d.%d", angle / 10, abs(angle % 10));
        write_timing(p, file, "linear");
    }
    write_shape(file, &shape, seen->colour);
    fprintf(file, "<g transform='scale(%d)'>%s</g></g></g>\n", UNIT, seen->detail);
}

static void write_level(const picture *p, FILE *file)
{
    fprintf(file, "<path fill='#%06x' d='", (unsigned)EARTH.colour);
    for (int row = 0; row < HEIGHT; row++)
        for (int from = 0, to; from < WIDTH; from = to + 1) {
            for (to = from; to < WIDTH && MAP[row][to] == '#'; to++) {}
            if (to > from)
                fprintf(file, "M%d %dh%dv%dH%dz", from * UNIT, row * UNIT, (to - from) * UNIT, UNIT, from * UNIT);
        }
    fputs("'/>\n", file);
    for (int i = 0; i < OUTLINE_COUNT; i++)
        fprintf(file, "<path class='%s' d='%s'/>\n", OUTLINES[i].name, p->outlines[i]);
    fputs("<path d='M660 1760V1330l420 130-420 130' fill='#ffe066' stroke='#fff' stroke-width='30'/>\n", file);
}

static void write_overlays(const picture *p, FILE *file)
{
    for (int i = 0; i < OVERLAY_COUNT; i++) {
        fprintf(file, "<path class='%s'><animate attributeName='d' values='", OVERLAYS[i].name);
        for (int k = 0; k < p->frames; k++)
            fprintf(file, "%s%s", k ? ";" : "", p->overlays[i][k][0] ? p->overlays[i][k] : "M0 0");
        write_timing(p, file, "discrete");
        fputs("</path>\n", file);
    }
}

/* Each caption is shown until the next one comes. */
static void write_captions(const picture *p, FILE *file)
{
    for (int i = 0; i < p->captions; i++) {
        int from = p->caption[i].frame, to = i + 1 < p->captions ? p->caption[i + 1].frame : p->frames;
        if (to == from) continue;
        fprintf(file, "<text x='220' y='%d' opacity='0'>%s<animate attributeName='opacity' values='0;1;0' "
                "keyTimes='0;0.%04d;%d.%04d", HEIGHT * UNIT + 300, p->caption[i].text, from * 10000 / p->frames,
                to / p->frames, to * 10000 / p->frames % 10000);
        write_timing(p, file, "discrete");
        fputs("</text>\n", file);
    }
}

static const char STYLE[] =
    "path{stroke-linejoin:round;stroke-linecap:round}"
    ".static,.sensor,.oneway,.ground,.steep,.velocity,.tip,.contact{fill:none;stroke-width:16}"
    ".static{stroke:#6b7a99;stroke-opacity:.45}.sensor{stroke:#ffe066;stroke-width:26}"
    ".oneway{stroke:#4fd6c4;stroke-width:30}"
    ".ground{stroke:#40ff40;stroke-width:22;stroke-opacity:.8}.steep{stroke:#ff8000;stroke-width:22}"
    ".velocity{stroke:#fff;stroke-width:22}.tip{stroke:#fff;stroke-width:60}.contact{stroke:#ff4040;stroke-width:30}"
    "text{font:200px ui-monospace,Menlo,Consolas,monospace;fill:#fff}"
    ".legend{font-size:150px;fill:#8b949e}";

static const char SKY[] =
    "<linearGradient id='sky' x2='0' y2='1'><stop stop-color='#0d1117'/><stop offset='1' stop-color='#23304d'/>"
    "</linearGradient>\n";

static bool write_picture(const picture *p, const kin_world *world, const char *path)
{
    int   width = WIDTH * UNIT, height = HEIGHT * UNIT + CAPTION;
    FILE *file = fopen(path, "wb");
    if (!file) return false;
    fprintf(file, "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d' width='%d' height='%d'>\n", width, height,
            width / 10, height / 10);
    fprintf(file, "<style>%s</style>\n%s", STYLE, SKY);
    fprintf(file, "<rect width='%d' height='%d' rx='120' fill='#0d1117'/>\n", width, height);
    fprintf(file, "<rect width='%d' height='%d' fill='url(#sky)'/>\n", width, HEIGHT * UNIT);
    write_level(p, file);
    for (int i = 0; i < p->things; i++) write_thing(p, file, world, i);
    write_overlays(p, file);
    write_captions(p, file);
    fprintf(file, "<text class='legend' x='220' y='%d'><tspan fill='#ff4040'>contacts</tspan>, "
            "<tspan fill='#40ff40'>ground</tspan> and velocities are drawn by kin_debug_draw</text>\n", HEIGHT * UNIT + 540);
    fputs("</svg>\n", file);
    return fclose(file) == 0;
}

#endif
