/* SPDX-License-Identifier: MIT OR Unlicense

   sweep.c: stage 5. Each body is swept along its own motion against statics, tiles, meshes and movers,
   relative to the movers' motion, and slides. A mover that turns fast is met in several short intervals. */
#include "things.h"

enum { KINI_MAX_INTERVALS = 64 };

KINI_PART void kini_slide_rules(const kin_world *world, const kini_body *body, kini_slide *slide)
{
    kini_slide_blank(slide);
    slide->skin = kini_skin_at(world, world->things.at[body->slot].p);
    slide->senses = true;
    slide->nudge = body->options.corner_nudge;
    if (kini_is_floating(world, body)) {
        slide->head = kini_unit(body->velocity);   /* past door posts */
        return;
    }
    slide->up = slide->head = body->up;
    slide->stable_cos = body->stable_cos;
    slide->keep_horizontal = body->options.slope == KIN_SLOPE_HORIZONTAL_SPEED;
    if (body->stand.footing != KIN_STABLE) return;
    slide->step_height = body->options.step_height;
    slide->ground = slide->feet = kini_walked_on(body);
    if (body->stand.support == KINI_ON_EDGE) slide->perch = body->stand.id.slot;
}

/* Finds two opposed surfaces, one of a mover and the other maybe the ground, that take more than KINI_CRUSH. */
KINI_PART void kini_note_squeeze(const kin_world *world, kini_body *body, const kini_slide *slide)
{
    float most = KINI_CRUSH * world->desc.unit + 2 * slide->skin, missing;
    int   i, j;
    if (!slide->squeezed) return;
    for (i = 0; i < slide->count; i++)
        for (j = 0; j <= slide->count; j++) {
            bool              ground = j == slide->count;
            const kini_plane *a = &slide->planes[i], *b = &slide->planes[ground ? i : j];
            if (!kini_plane_presses(a)) continue;
            if (kini_dot(a->normal, ground ? slide->ground : b->normal) > KINI_OPPOSED) continue;
            missing = (a->push + (ground ? kini_dot(slide->ground_move, slide->ground) : b->push)) * slide->left;
            if (missing <= most) continue;
            most = missing;
            body->squeezed_in[0] = a->slot;
            body->squeezed_in[1] = ground ? body->stand.id.slot : b->slot;
        }
}

/* Movers near the body, and into how many intervals their turning divides the step. In each, a mover that is not there
   yet is out of place by its turn times its travel. */
static int kini_intervals(const kin_world *world, const kini_near *near, bool *moving)
{
    float most = 0;
    int   i;
    *moving = false;
    for (i = 0; i < near->found; i++) {
        int32_t row = kini_mover_row(world, &world->things.at[world->found.at[i]]);
        float   turn, travel;
        if (row < 0 || !(world->movers.at[row].state & KINI_MOVED)) continue;
        *moving = true;
        turn = kini_spin_size(world->movers.at[row].turn_rate) * world->dt;
        travel = kini_len(world->movers.at[row].rate) * world->dt / (KINI_SLOP * world->desc.unit);
        most = kini_greater(most, kini_greater(turn / KINI_TURN_INTERVAL, kini_sqrt(turn * travel)));
    }
    return most < (float)KINI_MAX_INTERVALS ? 1 + (int)most : 1 + KINI_MAX_INTERVALS;
}

/* Slower than that, nothing bounces: it would never come to rest. */
KINI_PART float kini_least_bounce(const kin_world *world, const kini_body *body)
{
    float fall = 2 * kini_len(world->desc.gravity) * kini_abs(body->options.gravity_scale) * world->dt;
    return kini_greater(KINI_LEAST_BOUNCE * world->desc.unit, fall);
}

/* Takes from a velocity what goes into the surfaces that were met, as if none of them pushed if `still`. `leftover` is
   what the body has beside its own velocity, and NULL if this is the leftover itself. */
static void kini_stop_velocity(const kini_slide *slide, kin_vec *v, float per_second, const kin_vec *leftover,
                               bool still)
{
    kini_plane planes[KINI_MAX_PLANES];
    int        i, count = 0;
    for (i = 0; i < slide->count; i++) {
        kini_plane plane = slide->planes[i];
        if (kini_is_zero(plane.normal)) continue;   /* it has bounced off */
        if (still && kini_plane_presses(&plane)) { plane.push = 0; plane.move = kini_vec_zero(); }
        plane = kini_respond_sharing(slide, plane, v, per_second, leftover);
        if (kini_is_zero(slide->up) || kini_dot(plane.surface, slide->up) < slide->stable_cos) planes[count++] = plane;
    }
    if (count > 0) kini_clip_level(v, planes, count, per_second);
}

KINI_PART bool kini_note_press(kini_body *body, const kini_plane *plane)
{
    if (!kini_plane_presses(plane)) return false;
    body->pushed = plane->normal;
    body->pushed_strength = KINI_STRENGTH_MOVER;
    return true;
}

/* A press gave what the velocity gained by it, whatever surfaces turned it, as did the fall that steep ground turned
   aside: `v` is the velocity before. */
static void kini_note_given(kini_body *body, const kini_slide *slide, float per_second, kin_vec v,
                            const kin_vec *leftover)
{
    float fall = kini_lesser(kini_dot(v, slide->up), 0);
    bool  gains = false;
    int   i;
    for (i = 0; i < slide->count; i++) {
        float rise = kini_dot(slide->planes[i].surface, slide->up);
        gains = gains || (fall < 0 && rise > 0 && rise < slide->stable_cos);
        gains = kini_note_press(body, &slide->planes[i]) || gains;
    }
    if (!gains) return;
    v = kini_madd(v, slide->up, -fall);
    kini_stop_velocity(slide, &v, per_second, leftover, true);
    body->given = kini_add(body->given, kini_across(kini_sub(body->velocity, v), slide->up));
}

static void kini_sweep_outcome(kin_world *world, int32_t row, const kini_slide *slide, kin_vec origin, float per_second)
{
    kini_body *body = &world->bodies.at[row];
    kin_vec    before;
    int        i;
    if (slide->count == 0) return;
    if (slide->bounce > 0) body->velocity = kini_madd(body->velocity, slide->kick, per_second);
    before = body->velocity;
    body->state |= KINI_BODY_RENEW;
    body->turned_at = kini_add(origin, slide->turned_at);
    for (i = 0; i < slide->count; i++)
        if (!kini_is_zero(slide->planes[i].normal) &&
            kini_dot(slide->planes[i].surface, slide->up) >= slide->stable_cos)
            body->land_speed = kini_greater(body->land_speed, slide->planes[i].speed * per_second);
    kini_stop_velocity(slide, &body->leftover, per_second, NULL, false);
    kini_stop_velocity(slide, &body->velocity, per_second, &body->leftover, false);
    kini_note_given(body, slide, per_second, before, &body->leftover);
    if (slide->stuck) body->velocity = body->leftover = kini_vec_zero();
    kini_note_planes(world, row, slide, per_second);
}

static void kini_sweep_body(kin_world *world, int32_t row)
{
    kini_body  *body = &world->bodies.at[row];
    kini_near   near;
    kini_slide  slide;
    kin_vec     wish = body->wish, travel = wish;
    float       least = KINI_NO_MOTION * world->desc.unit;
    bool        moving, stopped = false;
    int         i, parts;
    /* Nothing moves it or could come to it. */
    if (kini_is_zero(wish) && (body->met || world->live[KIN_MOVER] == 0)) return;
    if (kini_stands(body))
        travel = kini_turn_along(kini_across(wish, body->up), kini_walked_on(body), body->up,
                                 body->options.slope == KIN_SLOPE_HORIZONTAL_SPEED);
    kini_slide_rules(world, body, &slide);
    if (body->jumps) { slide.step_height = 0; slide.ground = kini_vec_zero(); }
    slide.bounce = body->options.bounce;
    kini_near_motion(world, &near, body->slot, 0, KINI_WITH_MOVERS, travel,   /* as far as the slide looks */
                     slide.step_height > 0 ? 2 * (6 * slide.skin + slide.nudge) : 4 * slide.skin + slide.nudge);
    parts = kini_intervals(world, &near, &moving);
    if (body->met) { moving = false; parts = 1; }
    near.planned = parts == 1 && kini_is_zero(slide.ground) == !kini_stands(body);
    near.way = travel;
    near.ahead = kini_look_ahead(&slide);
    if (kini_buried_in(world, &near)) { body->velocity = body->leftover = kini_vec_zero(); return; }
    if (kini_is_zero(wish) && !moving) return;
    if (!kini_is_zero(wish)) body->state |= KINI_BODY_RENEW;
    if (!body->met && !kini_is_nobody(body->stand.id)) { near.taker = body->stand.id.slot; near.taken = body->carry; }
    slide.least_bounce = kini_least_bounce(world, body) * world->dt / (float)parts;
    if (kini_is_zero(slide.ground) && !body->options.weightless)
        slide.fall = kini_scale(world->desc.gravity,
                                body->options.gravity_scale * world->dt * world->dt / (float)parts);
    for (i = 0; i < parts; i++) {
        slide.travel = kini_scale(wish, 1 / (float)parts);
        if (moving) kini_near_interval(&near, (float)i / (float)parts, (float)(i + 1) / (float)parts);
        kini_slide_run(world, &near, &slide);
        kini_note_squeeze(world, body, &slide);
        kini_sweep_outcome(world, row, &slide, near.origin, (float)parts / world->dt);
        if (slide.count > 0) { wish = kini_scale(slide.travel, (float)parts); stopped = true; }
    }
    if ((kini_is_zero(body->wish) || stopped) && kini_len2(slide.x) < least * least) return;   /* only rounding */
    body->lead = kini_add(body->lead, slide.lead);
    kini_shift(world, body->slot, kini_add(near.origin, slide.x), near.turn);
}

KINI_PART void kini_stage_sweep(kin_world *world)
{
    int32_t i;
    for (i = 0; i < world->order.count; i++) {
        int32_t row = world->order.at[i];
        if (world->done.at[row] == 0) kini_sweep_body(world, row);
        if (world->done.at[row] == KINI_COASTS) kini_go(world, world->bodies.at[row].slot, world->kept.at[row].end);
    }
}
