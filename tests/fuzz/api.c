/* SPDX-License-Identifier: MIT OR Unlicense

   api.c: the whole interface, driven by bytes: every function, with sound arguments, garbage, dead handles and NaN,
   also from inside callbacks. A refused call must leave the world's hash as it was; nothing ever becomes infinite or
   NaN; N11 and N12 of the catalogue hold in every single step; a loaded snapshot goes on bit for bit; every byte of memory
   comes back. */
#ifndef KIN_IMPLEMENTED
#define KINEMATIC_IMPLEMENTATION
#endif
#include "kinematic.h"
#include "fuzz.h"

enum { MOST_IDS = 64, MOST_OPS = 400, MOST_STEPS = 120, MOST_THINGS = 40 };

typedef enum op {
    OP_STEP, OP_ADVANCE, OP_ADD_STATIC, OP_ADD_MOVER, OP_ADD_BODY, OP_ADD_TILES, OP_ADD_MESH, OP_REMOVE,
    OP_SET_POSITION, OP_SET_ROTATION, OP_SET_VELOCITY, OP_SET_SPIN, OP_MOVE_TO, OP_SET_SHAPE, OP_SET_ENABLED,
    OP_SET_FILTER, OP_SET_USER, OP_SET_CONTROL, OP_BODY_OPTIONS, OP_MOVER_OPTIONS, OP_SET_PUSH, OP_IGNORE,
    OP_DROP_THROUGH, OP_DEFINE_TILE, OP_SET_TILE, OP_GRAVITY, OP_MOVE, OP_ASK, OP_CAST, OP_OVERLAP, OP_REPLAY,
    OP_FAIL_MEMORY, OP_DRAW, OP_OWN_GRAVITY, OP_MOVE_HITS, OP_COUNT
} op;

typedef struct play {
    bytes      in;
    kin_world *world;
    purse      memory;
    kin_id     ids[MOST_IDS];
    int        id_count, ops, steps, depth;
    bool       quiet;          /* callbacks do nothing */
    motion     motion;         /* N11 and N12 */
    bool       inside;         /* a checked step */
    kin_id     touched[MOST_IDS];   /* by callbacks of this step: their motion is not only the step's */
    int        touched_count;
    kin_vec    gravity;
} play;

static void act(play *p);

/* ---- callbacks ----------------------------------------------------------------------------------------------------- */

/* Does some more of what the bytes say, one level deep. */
static void act_inside(play *p)
{
    if (p->quiet || p->depth > 1 || next_below(&p->in, 4) != 1) return;
    p->depth++;
    act(p);
    p->depth--;
}

static void on_control(kin_world *world, kin_id id, float dt, void *user)
{
    play *p = (play *)user;
    HOLDS(kin_alive(world, id) && dt > 0);
    if (p) act_inside(p);
}

static void on_control_remove(kin_world *world, kin_id id, float dt, void *user)
{
    play *p = (play *)user;
    (void)dt;
    if (p && !p->quiet) kin_remove(world, id);
}

static void on_event(kin_world *world, const kin_event *event, void *user)
{
    play *p = (play *)user;
    HOLDS(event->step == kin_world_steps(world));
    act_inside(p);
}

static void on_log(const char *text, void *user)
{
    HOLDS(text[0] != 0 && strlen(text) < 240);
    (void)user;
}

static void *take(size_t size, void *user) { return purse_take(size, &((play *)user)->memory); }
static void  give(void *memory, size_t size, void *user) { purse_give(memory, size, &((play *)user)->memory); }

/* ---- handles ---------------------------------------------------------------------------------------------------------- */

static void changes(play *p, kin_id id);

static void keep(play *p, kin_id id)
{
    if (!id.slot) return;
    p->ids[p->id_count++ % MOST_IDS] = id;
    changes(p, id);
}

/* 0: the last one; up to 250 one of those before, dead or alive; else one that nobody gave. */
static kin_id next_id(play *p)
{
    unsigned b = next_byte(&p->in);
    int      count = p->id_count < MOST_IDS ? p->id_count : MOST_IDS;
    kin_id   id = { 0, 0 };
    if (b > 250) { id.slot = next_word(&p->in); id.age = next_byte(&p->in); return id; }
    if (b == 250 || count == 0) return id;
    return p->ids[(p->id_count - 1 - (int)b % count + MOST_IDS) % MOST_IDS];
}

/* Says no and changes nothing, or says yes. */
#define TELL(call)                                                        \
    do {                                                                  \
        uint64_t before = kin_world_hash(p->world);                       \
        if (!(call)) HOLDS(before == kin_world_hash(p->world));           \
    } while (0)

#define ADD(call)                                                         \
    do {                                                                  \
        uint64_t before = kin_world_hash(p->world);                       \
        kin_id   added = (call);                                          \
        if (!added.slot) HOLDS(before == kin_world_hash(p->world));       \
        keep(p, added);                                                   \
        was_added = added.slot != 0;                                      \
    } while (0)

/* ---- N11 and N12 --------------------------------------------------------------------------------------------------------- */

/* Something about this thing is about to change, or has changed. Of statics the place is not known: it counts everywhere. */
static void changes(play *p, kin_id id)
{
    kin_body_desc  body;
    kin_mover_desc mover;
    motion_box     b;
    trip           t;
    memset(&t, 0, sizeof t);
    if (p->inside) p->touched[p->touched_count++ % MOST_IDS] = id;
    b.lo = dv_make(-1e30, -1e30, -1e30);
    b.hi = dv_make(1e30, 1e30, 1e30);
    if (kin_get_kind(p->world, id) == KIN_BODY && kin_get_body_options(p->world, id, &body)) {
        t.from = motion_pose(p->world, id);
        motion_set_shape(&t, &body.shape);
        b.lo = t.lo, b.hi = t.hi;
    } else if (kin_get_kind(p->world, id) == KIN_MOVER && kin_get_mover_options(p->world, id, &mover) && !p->motion.part_count) {
        t.from = motion_pose(p->world, id);
        motion_set_shape(&t, &mover.shape);
        b.lo = t.lo, b.hi = t.hi;
    }
    motion_changed(&p->motion, b.lo, b.hi);
}

/* A shape that is smaller all around by the slop, about. */
static kin_shape inner_shape(kin_shape shape, double slop)
{
    dv  lo = dv_of(shape.points[0]), hi = lo, middle;
    int i;
    if ((double)shape.radius > 2 * slop) { shape.radius -= (float)slop; return shape; }
    for (i = 1; i < shape.count; i++) {
        dv p = dv_of(shape.points[i]);
        lo = dv_make(lesser(lo.x, p.x), lesser(lo.y, p.y), lesser(lo.z, p.z));
        hi = dv_make(greater(hi.x, p.x), greater(hi.y, p.y), greater(hi.z, p.z));
    }
    middle = dv_scale(dv_add(lo, hi), 0.5);
    for (i = 0; i < shape.count; i++) {
        double least = lesser(hi.x - lo.x, hi.y - lo.y), part;
        if (KINEMATIC_DIM == 3) least = lesser(least, hi.z - lo.z);
        part = greater(0.1, 1 - 4 * slop / greater(least, slop));
        shape.points[i].x = (float)(middle.x + part * (dv_of(shape.points[i]).x - middle.x));
        shape.points[i].y = (float)(middle.y + part * (dv_of(shape.points[i]).y - middle.y));
#if KINEMATIC_DIM == 3
        shape.points[i].z = (float)(middle.z + part * (dv_of(shape.points[i]).z - middle.z));
#endif
    }
    return shape;
}

/* A static, grid or mesh that was added last is part of a mover: for N11, as far as its furthest points. */
static void keep_part(play *p, kin_id mover, dv lo, dv hi)
{
    kin_id id = p->ids[(p->id_count + MOST_IDS - 1) % MOST_IDS];
    if (mover.slot && kin_get_kind(p->world, mover) == KIN_MOVER) motion_part_box(&p->motion, id, mover, lo, hi, false);
}

static void keep_part_points(play *p, kin_id mover, kin_pose local, const kin_vec *points, int count, double radius)
{
    dm  turned = dm_of(local.q);
    dv  lo = dv_of(local.p), hi = lo, r = dv_make(radius, radius, radius);
    int i;
    for (i = 0; i < count; i++) {
        dv at = dv_add(dv_of(local.p), dm_turn(&turned, dv_of(points[i])));
        lo = dv_make(lesser(lo.x, at.x), lesser(lo.y, at.y), lesser(lo.z, at.z));
        hi = dv_make(greater(hi.x, at.x), greater(hi.y, at.y), greater(hi.z, at.z));
    }
    keep_part(p, mover, dv_sub(lo, r), dv_add(hi, r));
}

/* Which bodies overlap something when a step begins? How deep is not known: at most as deep as they are large. */
static void note_overlaps(play *p)
{
    int i;
    for (i = 0; i < p->motion.count; i++) {
        trip         *t = &p->motion.trips[i];
        kin_body_desc d;
        kin_filter    filter;
        kin_shape     inner;
        if (!t->body || !t->meets || !kin_get_body_options(p->world, t->id, &d)) continue;
        memset(&filter, 0, sizeof filter);
        filter.layer = d.layer;
        filter.mask = d.mask;
        filter.ignore = t->id;
        inner = inner_shape(d.shape, 0.005 * p->motion.unit);
        if (d.layer && d.mask && kin_overlap(p->world, &inner, t->from, &filter, NULL, 0) > 0) t->overlap = t->deepest = 2 * t->reach;
    }
}

static bool is_touched(void *user, kin_id id)
{
    play *p = (play *)user;
    int   i;
    for (i = 0; i < p->touched_count && i < MOST_IDS; i++)
        if (kin_same(p->touched[i], id)) return true;
    return p->touched_count > MOST_IDS;
}

static void tell_motion(void *user, int n, kin_id id, const char *what, double value, double allowed)
{
    play *p = (play *)user;
    fprintf(stderr, "N%d: step %d, slot %u: %s (%.9g), at most %.9g\n", n, p->steps, id.slot, what, value, allowed);
    HOLDS(!"N11 and N12");
}

/* A step, and whether N11 and N12 hold in it. */
static void checked_step(play *p, float dt)
{
    motion          *m = &p->motion;
    uint64_t         steps = kin_world_steps(p->world);
    const kin_event *events;
    int              count;
    m->tell = tell_motion;
    m->excused = is_touched;
    m->user = p;
    m->gravity = dv_of(p->gravity);
    p->touched_count = 0;
    motion_before(m, p->world);
    note_overlaps(p);
    p->inside = true;
    kin_world_step(p->world, dt);
    p->inside = false;
    count = kin_get_events(p->world, &events);
    if (dv_len(dv_of(p->gravity)) > dv_len(m->gravity)) m->gravity = dv_of(p->gravity);
    if (kin_world_steps(p->world) != steps) motion_after(m, p->world, (double)dt, events, count, true, true);
    else motion_forget(m);
}

/* ---- adding ---------------------------------------------------------------------------------------------------------------- */

static void add_static(play *p, bool wild)
{
    kin_static_desc desc;
    kin_pose        at;
    bool            was_added;
    unsigned        flags = next_byte(&p->in);
    memset(&desc, 0, sizeof desc);
    desc.shape = next_shape(&p->in, wild);
    desc.position = next_vec(&p->in, wild);
    if (flags & 1) desc.rotation = next_rot(&p->in, wild);
    desc.sensor = (flags & 2) != 0;
    if (flags & 4) desc.one_way = next_vec(&p->in, wild);
    if (flags & 8) desc.surface_velocity = next_vec(&p->in, wild);
    if (flags & 16) desc.attach = next_id(p);
    if (flags & 32) desc.layer = next_word(&p->in);
    desc.disabled = (flags & 64) != 0;
    desc.senses = (flags & 128) != 0;
    ADD(kin_add_static(p->world, &desc));
    at.p = desc.position;
    at.q = desc.rotation;
    if (was_added) keep_part_points(p, desc.attach, at, desc.shape.points, desc.shape.count, (double)desc.shape.radius);
}

static void add_mover(play *p, bool wild)
{
    kin_mover_desc desc;
    bool           was_added;
    unsigned       flags = next_byte(&p->in);
    memset(&desc, 0, sizeof desc);
    desc.shape = next_shape(&p->in, wild);
    desc.position = next_vec(&p->in, wild);
    desc.velocity = next_vec(&p->in, wild);
    if (flags & 1) desc.rotation = next_rot(&p->in, wild);
    if (flags & 2) desc.spin = next_spin(&p->in, wild);
    if (flags & 4) desc.one_way = next_vec(&p->in, wild);
    if (flags & 8) desc.surface_velocity = next_vec(&p->in, wild);
    if (flags & 16) desc.control = next_flag(&p->in) ? on_control : on_control_remove;
    if (flags & 32) desc.carry = (kin_carry)next_below(&p->in, wild ? 9 : 3);
    desc.on_blocked = flags & 64 ? KIN_BLOCKED_STOP : KIN_BLOCKED_PASS;
    desc.sensor = (flags & 128) != 0;
    desc.senses = (flags & 3) == 1;
    desc.user = p;
    ADD(kin_add_mover(p->world, &desc));
    (void)was_added;
}

static void next_options(bytes *in, kin_body_desc *desc, bool wild)
{
    unsigned kinds = wild ? 9 : 2, more;
    desc->push = (kin_push)next_below(in, wild ? 9 : 3);
    desc->ride = (kin_ride)next_below(in, kinds);
    desc->leave = (kin_leave)next_below(in, wild ? 9 : 3);
    desc->on_crush = (kin_crush)next_below(in, kinds);
    desc->slope = (kin_slope)next_below(in, kinds);
    desc->max_slope = wild ? next_wild(in) : (float)next_below(in, 6) / 4;
    desc->snap = next_float(in, wild) / 8;
    desc->step_height = wild ? next_wild(in) : (float)next_below(in, 8) / 8;
    desc->corner_nudge = wild ? next_wild(in) : (float)next_below(in, 8) / 16;
    desc->gravity_scale = next_float(in, wild);
    desc->leftover_fade = wild ? next_wild(in) : (float)next_below(in, 5) / 4;
    desc->weightless = next_flag(in);
    desc->report_continued = next_flag(in);
    desc->glide = next_flag(in);
    more = next_byte(in);
    desc->keep_facing = (more & 1) != 0;
    desc->bounce = (float)(more >> 1 & 3) / (wild ? 2 : 3);
    desc->weight = (float)(more >> 3 & 3) - (wild ? 1 : 0);
    desc->max_push = (float)(more >> 5) - 2;
}

static void add_body(play *p, bool wild)
{
    kin_body_desc desc;
    bool          was_added;
    unsigned      flags = next_byte(&p->in);
    memset(&desc, 0, sizeof desc);
    desc.shape = next_shape(&p->in, wild);
    desc.position = next_vec(&p->in, wild);
    desc.velocity = next_vec(&p->in, wild);
    if (flags & 1) desc.rotation = next_rot(&p->in, wild);
    if (flags & 2) next_options(&p->in, &desc, wild);
    if (flags & 4) desc.control = next_flag(&p->in) ? on_control : on_control_remove;
    if (flags & 8) desc.mask = next_word(&p->in);
    desc.sensor = (flags & 16) != 0;
    desc.disabled = (flags & 32) != 0;
    if (flags & 64) desc.push = KIN_UNPUSHABLE;
    desc.user = p;
    ADD(kin_add_body(p->world, &desc));
    (void)was_added;
}

static int cells_in(kin_cell size)
{
    double count = (double)size.x * size.y;
    if (size.x < 1 || size.y < 1) return 0;
#if KINEMATIC_DIM == 3
    if (size.z < 1) return 0;
    count *= size.z;
#endif
    return count > 65536 ? -1 : (int)count;
}

static void add_tiles(play *p, bool wild)
{
    kin_tiles_desc desc;
    uint8_t       *cells = NULL;
    bool           was_added;
    int            i, count;
    memset(&desc, 0, sizeof desc);
    desc.size = next_cell(&p->in, wild);
    desc.origin = next_vec(&p->in, wild);
    desc.cell = wild ? next_wild(&p->in) : 0;
    if (next_flag(&p->in)) desc.attach = next_id(p);
    count = cells_in(desc.size);
    if (count > 0) cells = (uint8_t *)malloc((size_t)count);
    for (i = 0; i < count; i++) cells[i] = (uint8_t)(i < 64 ? next_byte(&p->in) & 7 : i % 13 == 0);
    desc.cells = cells;
    ADD(kin_add_tiles(p->world, &desc));
    free(cells);
    if (was_added) {
        double edge = desc.cell > 0 ? (double)desc.cell : p->motion.unit;
        dv     lo = dv_of(desc.origin), size = dv_make(desc.size.x, desc.size.y, 0);
#if KINEMATIC_DIM == 3
        size.z = desc.size.z;
#endif
        keep_part(p, desc.attach, lo, dv_add(lo, dv_scale(size, edge)));
    }
}

static void add_mesh(play *p, bool wild)
{
    kin_mesh_desc desc;
    kin_pose      at;
    bool          was_added;
    kin_vec       points[16];
    int           indices[48], i;
    memset(&desc, 0, sizeof desc);
    desc.point_count = (int)next_below(&p->in, 17);
    for (i = 0; i < desc.point_count; i++) points[i] = next_vec(&p->in, wild && next_flag(&p->in));
    desc.index_count = (int)next_below(&p->in, 17) * (wild ? 1 : KINEMATIC_DIM);
    if (desc.index_count > 48) desc.index_count = 48;
    for (i = 0; i < desc.index_count; i++)
        indices[i] = wild ? next_int(&p->in, true) : desc.point_count ? (int)next_below(&p->in, (unsigned)desc.point_count) : 0;
    desc.points = desc.point_count ? points : NULL;
    desc.indices = desc.index_count ? indices : NULL;
    if (wild && next_below(&p->in, 8) == 1) desc.point_count = -desc.point_count;
    desc.position = next_vec(&p->in, wild);
    desc.rotation = next_rot(&p->in, wild);
    if (next_flag(&p->in)) desc.attach = next_id(p);
    ADD(kin_add_mesh(p->world, &desc));
    at.p = desc.position;
    at.q = desc.rotation;
    if (was_added) keep_part_points(p, desc.attach, at, points, desc.point_count, 0);
}

/* ---- changing --------------------------------------------------------------------------------------------------------------- */

static void set_options(play *p, kin_id id, bool wild)
{
    kin_body_desc desc;
    memset(&desc, 0, sizeof desc);
    if (!kin_get_body_options(p->world, id, &desc)) return;
    if (next_flag(&p->in)) next_options(&p->in, &desc, wild);
    if (next_flag(&p->in)) desc.control = next_flag(&p->in) ? on_control : NULL;
    TELL(kin_set_body_options(p->world, id, &desc));
    TELL(kin_set_gravity_scale(p->world, id, desc.gravity_scale));
    TELL(kin_set_leftover(p->world, id, kin_get_leftover(p->world, id)));
}

static void set_static_options(play *p, kin_id id, bool wild)
{
    kin_static_desc desc;
    unsigned        flags = next_byte(&p->in);
    if (!kin_get_static_options(p->world, id, &desc)) return;
    if (flags & 1) desc.one_way = next_vec(&p->in, wild);
    if (flags & 2) desc.surface_velocity = next_vec(&p->in, wild);
    if (flags & 4) desc.sensor = !desc.sensor;
    if (flags & 8) desc.senses = !desc.senses;
    TELL(kin_set_static_options(p->world, id, &desc));
}

static void set_mover_options(play *p, kin_id id, bool wild)
{
    kin_mover_desc desc;
    memset(&desc, 0, sizeof desc);
    if (kin_get_kind(p->world, id) == KIN_STATIC) set_static_options(p, id, wild);
    if (!kin_get_mover_options(p->world, id, &desc)) return;
    desc.one_way = next_vec(&p->in, wild);
    desc.surface_velocity = next_vec(&p->in, wild);
    desc.carry = (kin_carry)next_below(&p->in, wild ? 5 : 3);
    desc.on_blocked = (kin_blocked)next_below(&p->in, wild ? 5 : 2);
    desc.senses = desc.carry == KIN_CARRY_NONE;
    TELL(kin_set_mover_options(p->world, id, &desc));
}

static void define_tile(play *p, kin_id id, bool wild)
{
    kin_tile tile;
    unsigned value = next_byte(&p->in);
    int      i;
    memset(&tile, 0, sizeof tile);
    tile.count = wild ? next_int(&p->in, true) : (int)next_below(&p->in, 9);
    for (i = 0; i < tile.count && i < 8; i++) {
        tile.points[i] = next_vec(&p->in, wild);
        if (wild) continue;
        tile.points[i].x = (tile.points[i].x + 16) / 32;
        tile.points[i].y = (tile.points[i].y + 16) / 32;
#if KINEMATIC_DIM == 3
        tile.points[i].z = (tile.points[i].z + 16) / 32;
#endif
    }
    if (next_flag(&p->in)) tile.one_way = next_vec(&p->in, wild);
    if (next_flag(&p->in)) tile.surface_velocity = next_vec(&p->in, wild);
    tile.sensor = next_flag(&p->in);
    TELL(kin_define_tile(p->world, id, (uint8_t)(wild ? value : 4 + value % 4), &tile));
}

/* ---- asking; nothing may change ---------------------------------------------------------------------------------------------- */

static void read_back(play *p, kin_id id)
{
    kin_vec         low, high;
    kin_shape       shape;
    kin_contact     contact;
    kin_static_desc fixed;
    kin_tiles_desc  tiles;
    kin_tile        tile;
    uint32_t        layer, mask;
    int             count, corners[6];
    kin_get_form(p->world, id);
    kin_get_shape(p->world, id, &shape);
    if (kin_get_bounds(p->world, id, &low, &high)) HOLDS(is_finite_vec(low) && is_finite_vec(high));
    kin_get_filter(p->world, id, &layer, &mask);
    kin_is_enabled(p->world, id);
    kin_is_sensor(p->world, id);
    kin_is_one_sided(p->world, id);
    if (kin_get_wall(p->world, id, &contact)) HOLDS(is_finite_vec(contact.point) && kin_on_wall(p->world, id));
    if (kin_get_ceiling(p->world, id, &contact)) HOLDS(is_finite_vec(contact.point) && kin_on_ceiling(p->world, id));
    kin_get_static_options(p->world, id, &fixed);
    kin_get_tiles(p->world, id, &tiles);
    kin_get_tile_definition(p->world, id, (uint8_t)(id.slot % 9), &tile);
    kin_get_mesh(p->world, id, &low, 1, &count, corners, 5);
    HOLDS(kin_world_get_stats(p->world).bytes > 0);
}

static void ask(play *p, kin_id id)
{
    kin_contact *contacts;
    kin_id      *riders;
    kin_body_desc desc;
    int          room = (int)next_below(&p->in, 4);
    contacts = room ? (kin_contact *)malloc((size_t)room * sizeof *contacts) : NULL;
    riders = room ? (kin_id *)malloc((size_t)room * sizeof *riders) : NULL;
    kin_get_contacts(p->world, id, contacts, room);
    kin_get_riders(p->world, id, riders, room);
    kin_get_contacts(p->world, id, NULL, next_int(&p->in, true) % 3 - 1);
    free(contacts);
    free(riders);
    kin_get_user(p->world, id);
    kin_get_spin(p->world, id);
    kin_get_body_options(p->world, id, next_flag(&p->in) ? &desc : NULL);
    kin_on_ground(p->world, id);
    kin_on_wall(p->world, id);
    kin_on_ceiling(p->world, id);
    kin_is_crushed(p->world, id);
    kin_is_embedded(p->world, id);
    kin_get_tile(p->world, id, next_cell(&p->in, true));
    kin_next(p->world, (kin_kind)next_below(&p->in, 6), id);
    kin_world_alpha(p->world);
    kin_world_dropped(p->world);
    kin_world_overflowed(p->world);
    read_back(p, id);
}

static bool takes_even(kin_id id, int part, void *user)
{
    (*(int *)user)++;
    return (id.slot + (uint32_t)part) % 2 == 0;
}

static void cast(play *p, bool wild)
{
    kin_hit    hit;
    kin_filter filter;
    kin_shape  shape;
    kin_pose   from;
    kin_vec    travel;
    kin_hit    all[3];
    kin_contact near;
    bool       good;
    int        room, found, asked = 0;
    memset(&hit, 0, sizeof hit);
    memset(&filter, 0, sizeof filter);
    if (next_flag(&p->in)) filter.mask = next_word(&p->in);
    filter.ignore = next_flag(&p->in) ? next_id(p) : hit.id;
    filter.sensors = next_flag(&p->in);
    from = next_pose(&p->in, wild);
    travel = next_vec(&p->in, wild);
    good = kin_cast_ray(p->world, from.p, travel, next_flag(&p->in) ? &filter : NULL, &hit);
    if (good) HOLDS(is_finite_vec(hit.point) && is_finite_vec(hit.normal) && hit.t >= 0 && hit.t <= 1);
    shape = next_shape(&p->in, wild);
    good = kin_cast_shape(p->world, &shape, from, travel, &filter, &hit);
    if (good) HOLDS(is_finite_vec(hit.point) && is_finite_vec(hit.normal) && hit.t >= 0 && hit.t <= 1);
    good = kin_test_move(p->world, next_id(p), travel, next_flag(&p->in) ? &hit : NULL);
    room = (int)(hit.id.slot % 4);
    found = kin_cast_ray_all(p->world, from.p, travel, &filter, all, room);
    HOLDS(found >= 0 && (found < 2 || room < 2 || all[0].t <= all[1].t));
    HOLDS(kin_cast_shape_all(p->world, &shape, from, travel, &filter, all, room) >= 0);
    filter.ignored = &hit.id;
    filter.ignored_count = 1;
    filter.takes = takes_even;
    filter.user = &asked;
    found = kin_cast_shape_all(p->world, &shape, from, travel, &filter, all, 3);
    HOLDS(found <= asked && (found == 0 || !kin_same(all[0].id, hit.id) || hit.id.slot == 0));
    if (kin_closest(p->world, &shape, from, 1, &filter, &near)) HOLDS((near.other.slot + (uint32_t)near.part) % 2 == 0);
}

static void overlap(play *p, bool wild)
{
    kin_shape shape = next_shape(&p->in, wild);
    kin_pose  at = next_pose(&p->in, wild);
    int       room = (int)next_below(&p->in, 4);
    kin_id   *out = room ? (kin_id *)malloc((size_t)room * sizeof *out) : NULL;
    kin_contact deepest[2];
    kin_vec     free_place;
    int         found;
    HOLDS(kin_overlap(p->world, &shape, at, NULL, out, room) >= 0);
    free(out);
    found = kin_overlap_contacts(p->world, &shape, at, NULL, deepest, room < 2 ? room : 2);
    HOLDS(found >= 0 && (found < 1 || room < 1 || deepest[0].gap < 0));
    if (kin_closest(p->world, &shape, at, 2, NULL, deepest)) HOLDS(is_finite_vec(deepest[0].point));
    if (kin_find_room(p->world, &shape, at, 1, NULL, &free_place)) HOLDS(is_finite_vec(free_place));
}

static void draw_line(kin_vec from, kin_vec to, uint32_t rgba, void *user)
{
    (void)rgba, (void)user;
    HOLDS(is_finite_vec(from) && is_finite_vec(to));
}

static void draw_point(kin_vec at, uint32_t rgba, void *user)
{
    (void)rgba, (void)user;
    HOLDS(is_finite_vec(at));
}

static void draw(play *p)
{
    kin_draw         how;
    kin_draw_options options;
    memset(&how, 0, sizeof how);
    if (next_flag(&p->in)) how.line = draw_line;
    if (next_flag(&p->in)) how.point = draw_point;
    kin_debug_draw(p->world, next_below(&p->in, 8) == 1 ? NULL : &how);
    memset(&options, 0, sizeof options);
    options.layers = how.point ? 127 : 0;
    options.interpolated = how.line == NULL;
    options.smoothness = how.point ? 0 : 0.1f;
    kin_debug_draw_options(p->world, &how, &options);
}

/* ---- stepping ------------------------------------------------------------------------------------------------------------------ */

static void step(play *p, bool wild)
{
    float dt = wild ? next_wild(&p->in) : 1.0f / 64;
    if (p->depth > 0) { HOLDS(!kin_world_step(p->world, dt)); return; }
    if (p->steps++ >= MOST_STEPS) return;
    p->depth++;
    checked_step(p, dt);
    p->depth--;
    look_at_all(p->world);
}

static void advance(play *p, bool wild)
{
    float seconds = wild ? next_wild(&p->in) : 1.0f / 60;
    if (p->depth > 0) { HOLDS(kin_world_advance(p->world, (double)seconds) == 0); return; }
    if (p->steps >= MOST_STEPS) return;
    p->depth++;
    p->steps += kin_world_advance(p->world, (double)seconds);
    p->depth--;
    look_at_all(p->world);
}

/* Save, step, load, step again: the same. */
static void replay(play *p)
{
    size_t   size = kin_snapshot_size(p->world);
    void    *buffer;
    uint64_t now = kin_world_hash(p->world), then;
    if (p->depth > 0 || p->steps >= MOST_STEPS) {
        char small[8];
        HOLDS(kin_snapshot_save(p->world, small, 8) == 0);
        return;
    }
    buffer = malloc(size);
    p->quiet = true;
    HOLDS(kin_snapshot_save(p->world, buffer, size - 1) == 0);
    HOLDS(kin_snapshot_save(p->world, buffer, size) == size);
    kin_world_step(p->world, 1.0f / 64);
    then = kin_world_hash(p->world);
    if (kin_snapshot_load(p->world, buffer, size)) {
        HOLDS(now == kin_world_hash(p->world));
        kin_world_step(p->world, 1.0f / 64);
    } else HOLDS(p->memory.fails_at != 0);   /* only memory can be missing */
    HOLDS(then == kin_world_hash(p->world));
    p->quiet = false;
    p->steps += 2;
    free(buffer);
    look_at_all(p->world);
}

static bool is_crowded(const play *p)
{
    kin_id id = { 0, 0 };
    int    count = 0;
    for (id = kin_next(p->world, KIN_NOTHING, id); id.slot; id = kin_next(p->world, KIN_NOTHING, id)) count++;
    return count > MOST_THINGS;
}

/* Does it change a shape, tile, filter or pose? */
static bool is_change(op what)
{
    return (what >= OP_REMOVE && what <= OP_SET_TILE && what != OP_SET_VELOCITY && what != OP_SET_SPIN && what != OP_MOVE_TO &&
            what != OP_SET_USER && what != OP_SET_CONTROL);
}

static void set_gravity(play *p, kin_vec gravity)
{
    bool done = false;
    dv   g = dv_of(gravity);
    TELL(done = kin_world_set_gravity(p->world, gravity));
    if (!done) return;
    p->gravity = gravity;
    if (dv_len(g) > 0) p->motion.up = dv_scale(g, -1 / dv_len(g));
}

static void move_hits(play *p, kin_id id, kin_vec travel)
{
    kin_hit hits[4];
    kin_vec went;
    int     i, count = kin_move_hits(p->world, id, travel, &went, hits, 4);
    HOLDS(is_finite_vec(went) && count >= 0);
    for (i = 0; i < count && i < 4; i++)
        HOLDS(kin_alive(p->world, hits[i].id) && hits[i].t >= (i ? hits[i - 1].t : 0) && hits[i].t <= 1 &&
              is_finite_vec(hits[i].point));
}

/* A cell is set by either of two calls, which do the same. */
static void set_tile(play *p, kin_id id, kin_cell at)
{
    uint8_t  value = (uint8_t)next_byte(&p->in);
    kin_cell one = at;
    one.x = one.y = 1;
#if KINEMATIC_DIM == 3
    one.z = 1;
#endif
    if (value & 1) TELL(kin_set_tile(p->world, id, at, value));
    else TELL(kin_set_tiles_region(p->world, id, at, one, &value));
}

/* A static or mover is turned by either of two calls, which do the same. */
static void turn(play *p, kin_id id, kin_rot q)
{
    kin_pose to;
    p->quiet = true;
    to.p = kin_alive(p->world, id) ? kin_get_position(p->world, id) : p->gravity;
    to.q = q;
    if (!kin_alive(p->world, id) || kin_get_kind(p->world, id) == KIN_BODY || id.slot % 2) {
        p->quiet = false;
        TELL(kin_set_rotation(p->world, id, q));
        return;
    }
    p->quiet = false;
    TELL(kin_set_pose(p->world, id, to));
}

static void act(play *p)
{
    unsigned  b = next_byte(&p->in);
    op        what = (op)((b & 127) % OP_COUNT);
    bool      wild = (b & 128) != 0;
    bytes    *in = &p->in;
    kin_shape shape;
    kin_id    id, other;
    if (p->ops++ > MOST_OPS) return;
    if (what >= OP_ADD_STATIC && what <= OP_ADD_MESH && is_crowded(p)) return;
    id.slot = id.age = 0;
    if (what >= OP_REMOVE && what <= OP_SET_TILE) id = next_id(p);
    if (is_change(what)) changes(p, id);
    switch (what) {
    case OP_STEP: step(p, wild); break;
    case OP_ADVANCE: advance(p, wild); break;
    case OP_ADD_STATIC: add_static(p, wild); break;
    case OP_ADD_MOVER: add_mover(p, wild); break;
    case OP_ADD_BODY: add_body(p, wild); break;
    case OP_ADD_TILES: add_tiles(p, wild); break;
    case OP_ADD_MESH: add_mesh(p, wild); break;
    case OP_REMOVE: TELL(kin_remove(p->world, id)); break;
    case OP_SET_POSITION: TELL(kin_set_position(p->world, id, next_vec(in, wild))); break;
    case OP_SET_ROTATION: turn(p, id, next_rot(in, wild)); break;
    case OP_SET_VELOCITY: TELL(kin_set_velocity(p->world, id, next_vec(in, wild))); break;
    case OP_SET_SPIN: TELL(kin_set_spin(p->world, id, next_spin(in, wild))); break;
    case OP_MOVE_TO: { kin_pose to = next_pose(in, wild); TELL(kin_move_to(p->world, id, to.p, to.q)); break; }
    case OP_SET_SHAPE: shape = next_shape(in, wild); TELL(kin_set_shape(p->world, id, &shape)); break;
    case OP_SET_ENABLED: TELL(kin_set_enabled(p->world, id, next_flag(in))); break;
    case OP_SET_FILTER: { uint32_t layer = next_word(in); TELL(kin_set_filter(p->world, id, layer, next_word(in))); break; }
    case OP_SET_USER: TELL(kin_set_user(p->world, id, p)); break;
    case OP_SET_CONTROL: TELL(kin_set_control(p->world, id, next_flag(in) ? on_control : NULL)); break;
    case OP_BODY_OPTIONS: set_options(p, id, wild); break;
    case OP_MOVER_OPTIONS: set_mover_options(p, id, wild); break;
    case OP_SET_PUSH: TELL(kin_set_push(p->world, id, (kin_push)next_below(in, wild ? 9 : 3))); break;
    case OP_IGNORE: other = next_id(p); TELL(kin_ignore(p->world, id, other, next_flag(in))); break;
    case OP_DROP_THROUGH: TELL(kin_drop_through(p->world, id)); break;
    case OP_DEFINE_TILE: define_tile(p, id, wild); break;
    case OP_SET_TILE: set_tile(p, id, next_cell(in, wild)); break;
    case OP_GRAVITY: set_gravity(p, next_vec(in, wild)); break;
    case OP_OWN_GRAVITY: id = next_id(p); TELL(kin_set_gravity(p->world, id, next_vec(in, wild))); break;
    case OP_MOVE: id = next_id(p); changes(p, id); HOLDS(is_finite_vec(kin_move(p->world, id, next_vec(in, wild)))); break;
    case OP_MOVE_HITS: id = next_id(p); changes(p, id); move_hits(p, id, next_vec(in, wild)); break;
    case OP_ASK: ask(p, next_id(p)); break;
    case OP_CAST: cast(p, wild); break;
    case OP_OVERLAP: overlap(p, wild); break;
    case OP_REPLAY: replay(p); break;
    case OP_FAIL_MEMORY: p->memory.fails_at = p->memory.calls + 1 + next_below(in, 8); break;
    case OP_DRAW: draw(p); break;
    case OP_COUNT: break;
    }
    if (is_change(what) || what == OP_MOVE) changes(p, id);
    if (p->inside && what == OP_SET_VELOCITY && kin_alive(p->world, id)) motion_wrote(&p->motion, id, kin_get_velocity(p->world, id));
}

/* Says yes to all, for the motion is checked by layers alone. */
static bool on_collide(const kin_world *world, kin_id body, kin_id other, void *user)
{
    (void)user;
    HOLDS(kin_get_kind(world, body) == KIN_BODY && kin_alive(world, other) && !kin_same(body, other));
    return true;
}

/* A first byte of 0 makes a world with gravity, 1 one without; from 128 on its descriptor is whatever comes. */
static kin_world *next_world(play *p)
{
    kin_world_desc desc;
    unsigned       b = next_byte(&p->in);
    bool           wild = b >= 128;
    memset(&desc, 0, sizeof desc);
    desc.gravity = b == 1 ? box_size(0, 0, 0) : box_size(0, -30, 0);
    if (wild) {
        desc.gravity = next_vec(&p->in, true);
        desc.up = next_vec(&p->in, true);
        desc.rate = next_wild(&p->in);
        desc.max_catch_up = next_wild(&p->in);
        desc.unit = next_wild(&p->in);
        desc.max_speed = next_wild(&p->in);
        desc.max_rounds = next_int(&p->in, true);
        desc.max_contacts = next_int(&p->in, true);
        desc.max_events = next_int(&p->in, true);
        desc.bodies = next_int(&p->in, true);
        if (!(desc.rate * desc.max_catch_up < 1000)) desc.rate = desc.max_catch_up = 0;   /* steps of one advance */
    } else desc.unit = b & 2 ? 16.0f : 0;
    desc.on_log = on_log;
    desc.on_event = b & 4 ? on_event : NULL;
    desc.collide = b & 16 ? on_collide : NULL;
    desc.trust_snapshots = (b & 8) != 0;   /* replay loads none but its own */
    desc.allocate = take;
    desc.release = give;
    desc.user = p;
    p->gravity = desc.gravity;
    p->motion.unit = desc.unit > 0 ? (double)desc.unit : 1;
    p->motion.up = dv_len(dv_of(desc.up)) > 0 ? dv_of(desc.up) : dv_scale(dv_of(desc.gravity), -1);
    if (dv_len(p->motion.up) > 0) p->motion.up = dv_scale(p->motion.up, 1 / dv_len(p->motion.up));
    return kin_world_create(&desc);
}

static void no_log(const char *text, void *user) { (void)text, (void)user; }

/* A world in one block, of whatever size and limits. */
static void fill_block(bytes in)
{
    kin_world_desc desc;
    kin_world     *world;
    kin_body_desc  body;
    size_t         room, size;
    void          *block;
    int            i;
    memset(&desc, 0, sizeof desc);
    memset(&body, 0, sizeof body);
    desc.statics = next_int(&in, true);
    desc.movers = next_int(&in, true);
    desc.bodies = next_int(&in, true);
    desc.max_contacts = next_int(&in, true);
    desc.rate = next_wild(&in);
    desc.on_log = no_log;
    room = kin_world_bytes(&desc);
    size = next_flag(&in) ? room : next_word(&in) % (1 << 20);
    if (size > 1 << 20) return;
    block = malloc(size ? size : 1);
    world = kin_world_create_in(block, size, &desc);
    HOLDS(world || room == 0 || size < room);
    body.shape = kin_ball(1);
    for (i = 0; world && i < 8; i++) kin_add_body(world, &body);
    if (world) kin_world_step(world, 1.0f / 64);
    kin_world_destroy(world);
    free(block);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    play  p;
    bytes whole;
    memset(&p, 0, sizeof p);
    p.in.at = data;
    p.in.left = size;
    whole = p.in;
    p.world = next_world(&p);
    while (p.world && p.in.left > 0 && p.ops < MOST_OPS) act(&p);
    if (p.world) { p.quiet = true; p.steps = 0; step(&p, false); }
    kin_world_destroy(p.world);
    HOLDS(p.memory.out == 0);
    motion_free(&p.motion);
    fill_block(whole);
    return 0;
}

/* ---- seeds: scenes like those of tests/scenarios ------------------------------------------------------------------------------- */

static void put_box(pen *p, double w, double h, double d)
{
    put(p, 0);
    put_size(p, w);
    put_size(p, h);
    put_size(p, d);
}

static void put_static_box(pen *p, double x, double y, double w, double h)
{
    put(p, OP_ADD_STATIC);
    put(p, 0);
    put_box(p, w, h, 4);
    put_vec(p, x, y, 0);
}

static void put_floor(pen *p)
{
    int i;
    for (i = -2; i <= 2; i++) put_static_box(p, i * 4, -1, 4, 2);
}

static void put_body_box(pen *p, double x, double y, double speed, unsigned flags)
{
    put(p, OP_ADD_BODY);
    put(p, flags);
    put_box(p, 1, 1, 1);
    put_vec(p, x, y, 0);
    put_vec(p, speed, 0, 0);
}

static void put_mover_box(pen *p, double x, double y, double vx, double vy, unsigned flags)
{
    put(p, OP_ADD_MOVER);
    put(p, flags);
    put_box(p, 3, 1, 3);
    put_vec(p, x, y, 0);
    put_vec(p, vx, vy, 0);
}

static void put_steps(pen *p, int count) { while (count-- > 0) put(p, OP_STEP); }

static void seed_walk(pen *p)
{
    int i;
    put(p, 4);
    put_floor(p);
    put_static_box(p, 6, 1, 1, 2);
    put_body_box(p, 0, 2, 3, 64);
    for (i = 0; i < 5; i++) {
        put_steps(p, 8);
        put(p, OP_SET_VELOCITY), put(p, 0), put_vec(p, 4 - i, i, i - 2);
    }
    put(p, OP_REPLAY);
    put(p, OP_CAST), put(p, 0), put(p, 0), put(p, 0), put_vec(p, -3, 4, 0), put(p, 0), put_vec(p, 4, -8, 0);
    put(p, OP_ASK), put(p, 0), put(p, 3);
    put(p, OP_DRAW), put(p, 1), put(p, 1), put(p, 0);
}

static void seed_lift(pen *p)
{
    put(p, 4);
    put_floor(p);
    put_mover_box(p, 0, 1, 0, 2, 2 + 16);
    put_float(p, 0.5);
    if (KINEMATIC_DIM == 3) put_float(p, 0), put_float(p, 0);
    put(p, 1);
    put_body_box(p, 0, 3, 0, 4);
    put(p, 1);
    put_body_box(p, 1.25, 3, 0, 0);
    put_steps(p, 20);
    put(p, OP_MOVE_TO), put(p, 2), put_vec(p, 2, 2, 0), put(p, 0);
    put_steps(p, 10);
    put(p, OP_REMOVE), put(p, 2);
    put_steps(p, 5);
    put(p, OP_REPLAY);
}

static void seed_rows(pen *p)
{
    int i;
    put(p, 0);
    put_floor(p);
    for (i = 0; i < 5; i++) put_body_box(p, -4 + i * 1.25, 0.5, i ? 0 : 6, i ? 0 : 64);
    put_steps(p, 40);
    put(p, OP_SET_PUSH), put(p, 2), put(p, 1);
    put(p, OP_IGNORE), put(p, 1), put(p, 2), put(p, 1);
    put(p, OP_SET_SHAPE), put(p, 0), put(p, 1), put_size(p, 0.75);
    put_steps(p, 20);
}

static void seed_crush(pen *p)
{
    put(p, 4);
    put_floor(p);
    put_mover_box(p, 0, 2.5, 0, -2, 0);
    put_mover_box(p, 5, 2.5, 0, -2, 64);
    put_body_box(p, 0, 0.5, 0, 0);
    put_body_box(p, 5, 0.5, 0, 64);
    put_steps(p, 60);
    put(p, OP_REPLAY);
}

static void seed_tiles(pen *p)
{
    int i;
    put(p, 0);
    put(p, OP_ADD_TILES);
    put(p, 16), put(p, 3);
    if (KINEMATIC_DIM == 3) put(p, 2);
    put_vec(p, -8, 0, -1);
    put(p, 0);
    for (i = 0; i < 64; i++) put(p, i < 16 ? 1 : i == 20 ? 4 : i > 40 && i < 44 ? 2 : 0);
    put(p, OP_DEFINE_TILE), put(p, 0), put(p, 0), put(p, 3);
    put_vec(p, -16, -16, -16), put_vec(p, 15, -16, 0), put_vec(p, 15, 15, 15);
    put(p, 0), put(p, 0), put(p, 0);
    put_body_box(p, -6, 3, 4, 2);
    for (i = 0; i < 15; i++) put(p, i == 7 ? 2 : 0);
    put_steps(p, 30);
    put(p, OP_DROP_THROUGH), put(p, 0);
    put(p, OP_SET_TILE), put(p, 1), put(p, 3), put(p, 0), put(p, 0), put(p, 0);
    put_steps(p, 20);
    put(p, OP_REPLAY);
}

static void seed_mesh(pen *p)
{
    int i;
    put(p, 0);
    put(p, OP_ADD_MESH);
    put(p, 8);
    for (i = 0; i < 8; i++) put_vec(p, i * 2 - 8, -(i % 3) * 0.5, i % 2 ? 3 : -3);
    put(p, 6);
    for (i = 0; i < 6; i++) {
        put(p, (unsigned)i), put(p, (unsigned)i + 1);
        if (KINEMATIC_DIM == 3) put(p, (unsigned)i + 2);
    }
    put_vec(p, 0, 0, 0);
    put(p, 0), put(p, 0);
    put(p, OP_ADD_BODY), put(p, 0), put(p, 2), put_size(p, 0.5), put_size(p, 0.5), put_vec(p, 0, 3, 0), put_vec(p, 2, 0, 0);
    put(p, OP_ADD_BODY), put(p, 0), put(p, 1), put_size(p, 0.5), put_vec(p, -3, 3, 0), put_vec(p, 2, 0, 0);
    put_steps(p, 50);
    put(p, OP_OVERLAP), put(p, 1), put_size(p, 2), put_vec(p, 0, 0, 0), put(p, 0), put(p, 2);
}

static void seed_flat(pen *p)
{
    int i;
    put(p, 1);
    for (i = 0; i < 6; i++) put_body_box(p, i * 2 - 6, i % 2, i % 2 ? 4 : -4, 0);
    put_mover_box(p, 0, 4, 0, -3, 0);
    put_steps(p, 40);
    put(p, OP_GRAVITY), put_vec(p, 0, -10, 0);
    put_steps(p, 20);
    put(p, OP_MOVE), put(p, 1), put_vec(p, 3, -1, 0);
    put(p, OP_FAIL_MEMORY), put(p, 0);
    put_static_box(p, 0, -6, 4, 1);
    put(p, OP_ADVANCE);
}

static const seed api_seeds[] = {
    { "walk", seed_walk }, { "lift", seed_lift }, { "rows", seed_rows }, { "crush", seed_crush },
    { "tiles", seed_tiles }, { "mesh", seed_mesh }, { "flat", seed_flat },
};

FUZZ_SEEDS(api_seeds)
