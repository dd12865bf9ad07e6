/* SPDX-License-Identifier: MIT OR Unlicense

   third_person.c: a hero in 3D, and a camera behind him that does not look through walls.

   He walks up stairs and onto a disc, which turns him too. With a file name the program draws the last view as an SVG:
   every line is one that kin_debug_draw draws, seen through the camera. */
#define KINEMATIC_DIM 3
#define KINEMATIC_IMPLEMENTATION
#include "kinematic.h"

#include <math.h>
#include <stdio.h>

/* ---- the place --------------------------------------------------------------------------------------------------- */

static void add_box(kin_world *world, kin_vec from, kin_vec to)
{
    kin_add_static(world, &(kin_static_desc){
        .shape = kin_box(kin_v(to.x - from.x, to.y - from.y, to.z - from.z)),
        .position = { (from.x + to.x) / 2, (from.y + to.y) / 2, (from.z + to.z) / 2 } });
}

static void add_place(kin_world *world)
{
    add_box(world, kin_v(-6, -1, -8), kin_v(6, 0, 16));
    for (int i = 0; i < 6; i++) add_box(world, kin_v(-2, 0, 3 + 0.5f * (float)i), kin_v(2, 0.25f * (float)(i + 1), 8));
    add_box(world, kin_v(-3, 0, -6), kin_v(3, 4, -5.5f));                       /* a wall behind the start */
    kin_add_mover(world, &(kin_mover_desc){                                     /* the disc: 8 sides, a metre thick */
        .shape = kin_hull((kin_vec[]){ { 2, -0.5f, 0 }, { 1.4f, -0.5f, 1.4f }, { 0, -0.5f, 2 }, { -1.4f, -0.5f, 1.4f },
            { -2, -0.5f, 0 }, { -1.4f, -0.5f, -1.4f }, { 0, -0.5f, -2 }, { 1.4f, -0.5f, -1.4f }, { 2, 0.5f, 0 },
            { 1.4f, 0.5f, 1.4f }, { 0, 0.5f, 2 }, { -1.4f, 0.5f, 1.4f }, { -2, 0.5f, 0 }, { -1.4f, 0.5f, -1.4f },
            { 0, 0.5f, -2 }, { 1.4f, 0.5f, -1.4f } }, 16, 0),
        .position = { 0, 1, 10 }, .spin = { 0, 1, 0 } });
}

/* ---- the camera: 6 metres behind and above, nearer if something is in between ------------------------------------ */

typedef struct camera { kin_vec at, target; } camera;

static camera follow(const kin_world *world, kin_id hero)
{
    kin_vec    head = kin_get_draw_pose(world, hero).p, back = { 2, 2.5f, -5 };
    kin_shape  lens = kin_ball(0.2f);
    kin_filter others = { .ignore = hero };
    kin_hit    hit;
    float      part = 1;
    head.y += 0.6f;
    if (kin_cast_shape(world, &lens, (kin_pose){ .p = head }, back, &others, &hit)) part = hit.t;
    return (camera){ { head.x + part * back.x, head.y + part * back.y, head.z + part * back.z }, head };
}

/* ---- drawing ----------------------------------------------------------------------------------------------------- */

typedef struct view { FILE *file; camera camera; int lines; } view;

static kin_vec unit(kin_vec a)
{
    float length = sqrtf(a.x * a.x + a.y * a.y + a.z * a.z);
    return kin_v(a.x / length, a.y / length, a.z / length);
}

static float dot(kin_vec a, kin_vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

/* To the right, up and away, seen from the camera. */
static kin_vec seen(const camera *c, kin_vec p)
{
    kin_vec ahead = unit(kin_v(c->target.x - c->at.x, c->target.y - c->at.y, c->target.z - c->at.z));
    kin_vec right = unit(kin_v(-ahead.z, 0, ahead.x));
    kin_vec up = kin_v(-right.z * ahead.y, right.z * ahead.x - right.x * ahead.z, right.x * ahead.y);
    kin_vec d = kin_v(p.x - c->at.x, p.y - c->at.y, p.z - c->at.z);
    return kin_v(dot(d, right), dot(d, up), dot(d, ahead));
}

static void draw_line(kin_vec from, kin_vec to, uint32_t rgba, void *user)
{
    const float near = 0.1f;
    view   *v = user;
    kin_vec a = seen(&v->camera, from), b = seen(&v->camera, to);
    v->lines++;
    if (!v->file || (a.z < near && b.z < near)) return;
    if (a.z < near || b.z < near) {   /* cut off what is behind the camera */
        kin_vec *behind = a.z < near ? &a : &b, *before = a.z < near ? &b : &a;
        float    t = (near - before->z) / (behind->z - before->z);
        *behind = kin_v(before->x + t * (behind->x - before->x), before->y + t * (behind->y - before->y), near);
    }
    fprintf(v->file, "<path d='M%.1f %.1fL%.1f %.1f' stroke='#%06x' stroke-opacity='%.2f'/>\n",
            (double)(400 + 380 * a.x / a.z), (double)(250 - 380 * a.y / a.z), (double)(400 + 380 * b.x / b.z),
            (double)(250 - 380 * b.y / b.z), (unsigned)(rgba >> 8), (double)(rgba & 255) / 255);
}

static int draw(const kin_world *world, kin_id hero, const char *path)
{
    view v = { path ? fopen(path, "w") : NULL, follow(world, hero), 0 };
    if (v.file) fputs("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 800 500'>\n"
                      "<rect width='800' height='500' fill='#10141d'/>\n", v.file);
    kin_debug_draw(world, &(kin_draw){ .line = draw_line, .user = &v });
    if (v.file) fputs("</svg>\n", v.file), fclose(v.file);
    return v.lines;
}

/* ---- main -------------------------------------------------------------------------------------------------------- */

static void show(const char *what, const kin_world *world, kin_id hero)
{
    kin_vec p = kin_get_position(world, hero);
    kin_rot q = kin_get_rotation(world, hero);
    camera  c = follow(world, hero);
    kin_vec back = { c.at.x - c.target.x, c.at.y - c.target.y, c.at.z - c.target.z };
    printf("%-26s hero %5.2f %5.2f %5.2f, turned by %4.0f degrees; camera %.2f away\n", what, (double)p.x, (double)p.y,
           (double)p.z, (double)(2 * atan2f(q.y, q.w) * 57.29578f), (double)sqrtf(dot(back, back)));
}

static void walk(kin_world *world, kin_id hero, float seconds, float speed)
{
    for (int step = 0; step < (int)(seconds * 60); step++) {
        kin_vec v = kin_get_velocity(world, hero);
        kin_set_velocity(world, hero, kin_v(0, v.y, speed));
        kin_world_step(world, 1.0f / 60);
    }
}

int main(int count, char **arguments)
{
    kin_world *world = kin_world_create(&(kin_world_desc){ .gravity = { 0, -20, 0 } });
    add_place(world);
    kin_id hero = kin_add_body(world, &(kin_body_desc){
        .shape = kin_capsule(1.8f, 0.35f), .position = { 0, 0.9f, -4 }, .push = KIN_UNPUSHABLE, .step_height = 0.3f });
    walk(world, hero, 0.1f, 0);
    show("at the wall", world, hero);
    walk(world, hero, 2.6f, 4);
    show("up the stairs", world, hero);
    walk(world, hero, 1.0f, 4);
    walk(world, hero, 1.57f, 0);
    show("on the turning disc", world, hero);
    printf("%d lines to draw\n", draw(world, hero, count > 1 ? arguments[1] : NULL));
    kin_world_destroy(world);
    return 0;
}
