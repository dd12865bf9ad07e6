/* SPDX-License-Identifier: MIT OR Unlicense

   data.h: the structures of a world. All state is plain data in arrays addressed by index; only kin_world
   itself holds pointers to those arrays. */
#ifndef KINI_DATA_H
#define KINI_DATA_H

#include "vec.h"

/* Where four numbers can be worked on at once, whatever else was asked for. The bits are the same without it. */
#if defined(__GNUC__) && !defined(__TINYC__)
#if defined(__SSE2__) || (defined(__aarch64__) && defined(__ARM_NEON))
#define KINI_QUADS
#endif
#endif

KINI_PART void kini_clear(void *memory, size_t bytes);   /* memory.c */

#define KINI_ARRAY(type) struct { type *at; int32_t count, capacity; }
/* Sorts a list in place: `is_before` compares *a, the row to be placed, with *b. */
#define KINI_SORT(type, list, length, is_before) \
    do { \
        type        placed; \
        const type *a = &placed, *b; \
        int32_t     from, to, gap = 1; \
        while (gap < (length) / 3) gap = 3 * gap + 1; \
        for (; gap > 0; gap /= 3) \
            for (from = gap; from < (length); from++) { \
                placed = (list)[from]; \
                for (to = from; to >= gap && (b = &(list)[to - gap], (is_before)); to -= gap) (list)[to] = *b; \
                (list)[to] = placed; \
            } \
    } while (false)
/* Any KINI_ARRAY; copied in and out, so that no pointer is read as one of another type. */
typedef struct kini_rows { void *at; int32_t count, capacity; } kini_rows;

/* ---- shapes (shape.c, hull2.c, hull3.c) ---------------------------------------------------------------------- */

#if KINI_DIM == 2
enum { KINI_MAX_FACES = KIN_MAX_POINTS, KINI_MAX_EDGES = 1, KINI_MAX_CORNERS = 4 };
#else
enum { KINI_MAX_FACES = 2 * KIN_MAX_POINTS - 4, KINI_MAX_EDGES = 3 * KIN_MAX_POINTS - 6, KINI_MAX_CORNERS = 8 };
#endif

/* A convex hull. In 2D points run counter-clockwise and normals[i] belongs to the side from point i to i + 1. A hull
   of two points (or, in 3D, of points in one plane) has no inside: faces then hold both sides. */
typedef struct kini_hull {
    kin_vec points[KIN_MAX_POINTS];
    kin_vec normals[KINI_MAX_FACES];    /* 3D: one per flat face */
    uint8_t edges[KINI_MAX_EDGES][2];   /* 3D: two points, */
    uint8_t sides[KINI_MAX_EDGES][2];   /* ... and two faces; around the first it runs counter-clockwise */
    int     count, face_count, edge_count;
    int32_t owner;                  /* of a stored one: its shape */
} kini_hull;

/* A shape for the narrow phase: the core is a box along the shape's own axes (a ball's has no extent, a capsule's only
   height) unless `points` is set; around the core lies `radius`. */
typedef struct kini_solid {
    kin_vec          centre, half;  /* box around the core */
    float            radius;
    float            width;         /* smallest extent of the whole: no depenetration is longer than half of it */
    float            reach;         /* furthest point from the shape's origin */
    int              count;         /* of points; 0 if the core is the box */
    const kin_vec   *points;
    const kini_hull *hull;          /* sides of a hull; NULL for a box, a segment or a triangle */
    kin_vec          face;          /* normal of a triangle of a mesh, unless it is too thin; else zero */
    const kin_vec   *sides;         /* ... and the directions across its sides, outwards */
} kini_solid;

enum { KINI_CORE_BYTES = offsetof(kini_solid, count) };

/* A stored shape, one for each distinct one. Begins like a solid. */
typedef struct kini_shape {
    kin_vec  centre, half;
    float    radius, width, reach;
    int32_t  hull;    /* in world->hulls, -1 if the core is a box */
    uint32_t key;     /* of its value, for finding equal ones; what a hash of the world sees of it */
    int32_t  users;   /* things and tiles that have this shape; 0: free */
} kini_shape;

/* Of at least one point: the furthest in a direction, and the interval that they cover along it. */
static inline kin_vec kini_furthest_point(const kin_vec *points, int count, kin_vec direction)
{
    float most = kini_dot(points[0], direction);
    int   i, best = 0;
    for (i = 1; i < count; i++) {
        float s = kini_dot(points[i], direction);
        if (s > most) { most = s; best = i; }
    }
    return points[best];
}
static inline void kini_points_stretch(const kin_vec *points, int count, kin_vec along, float *lo, float *hi)
{
    int i;
    *lo = *hi = kini_dot(points[0], along);
    for (i = 1; i < count; i++) {
        float s = kini_dot(points[i], along);
        *lo = kini_lesser(*lo, s);
        *hi = kini_greater(*hi, s);
    }
}
/* Of a box core, or of any that is not turned. */
static inline void kini_core_bounds(kin_vec centre, kin_vec half, float radius, kin_pose at, kin_vec *lo, kin_vec *hi)
{
    bool turned = !kini_is_unturned(at.q);
    centre = kini_add(at.p, turned ? kini_rotate(at.q, centre) : centre);
    half = kini_add(turned ? kini_turned_half(at.q, half) : half, kini_all(radius));
    *lo = kini_sub(centre, half);
    *hi = kini_add(centre, half);
}

/* ---- obstacles (obstacle.c, polygon2.c, polytope3.c) ------------------------------------------------------- */

/* The last answer about a gap: within a step the same one is asked for several times, and whether it is covered. And is
   it written in world->known of what the sum is? */
typedef struct kini_gap_known { kin_vec x, normal; float gap; bool known, kept; int8_t covered; } kini_gap_known;

/* The Minkowski sum behind an obstacle that is not a rounded box. */
#if KINI_DIM == 2
typedef struct kini_sum {
    kin_vec points[2 * KIN_MAX_POINTS];    /* counter-clockwise, relative to the obstacle's centre */
    kin_vec normals[2 * KIN_MAX_POINTS];   /* of the side from point i to i + 1 */
    float   offsets[2 * KIN_MAX_POINTS];   /* of that side from the centre, along its normal */
    int     count;                         /* 2: a segment, with both its sides */
    kini_gap_known asked;
} kini_sum;
#else
/* Corners that come from one of the two: a hull's stay where they are, up to three are copied. */
typedef struct kini_cloud {
    const kini_hull *hull;          /* NULL: the corners are `own` */
    kin_rot          turn;          /* of the hull */
    kin_vec          at;            /* of the hull's origin */
    float            sign;          /* of the hull; -1: reflected, it is the body's */
    kin_vec          own[3];
    int              count;
    bool             turned;        /* by `turn` */
} kini_cloud;

/* A direction in which the core may be separated: it reaches from middle - half to middle + half. */
typedef struct kini_axis { kin_vec along; float middle, half; } kini_axis;
enum { KINI_MAX_AXES = 32, KINI_MAX_ARMS = 6 };

/* The core is the sum of segments (the sides of boxes) and up to two clouds of corners, each around its own middle. */
typedef struct kini_sum {
    kin_vec    arms[KINI_MAX_ARMS];      /* directions of length one */
    float      lengths[KINI_MAX_ARMS];   /* ... and how far they reach both ways */
    kini_cloud clouds[2];
    kini_axis  axes[KINI_MAX_AXES];      /* the core is what all of them hold; found when first needed */
    int        arm_count, cloud_count;
    int        axis_count;               /* so far; -1: more than fit */
    bool       complete;                 /* all have been looked for */
    kin_vec    face;                     /* normal of a triangle, the only cloud, and at most one arm; else zero */
    kin_vec    sides[3];                 /* ... across its sides, outwards */
    kini_gap_known asked;
} kini_sum;

/* Where distances vanish floats are not enough: a search for the closest point works with these. */
typedef struct kini_big { double x, y, z; } kini_big;
static inline kini_big kini_big_of(kin_vec a)
{
    kini_big r; r.x = (double)a.x; r.y = (double)a.y; r.z = (double)a.z; return r;
}
static inline kin_vec  kini_small(kini_big a)
{
    kin_vec r; r.x = (float)a.x; r.y = (float)a.y; r.z = (float)a.z; return r;
}
static inline kini_big kini_big_sub(kini_big a, kini_big b) { a.x -= b.x; a.y -= b.y; a.z -= b.z; return a; }
static inline kini_big kini_big_madd(kini_big a, kini_big b, double s)
{
    a.x += b.x * s; a.y += b.y * s; a.z += b.z * s; return a;
}
static inline double   kini_big_dot(kini_big a, kini_big b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline kini_big kini_big_cross(kini_big a, kini_big b)
{
    kini_big r; r.x = a.y * b.z - a.z * b.y; r.y = a.z * b.x - a.x * b.z; r.z = a.x * b.y - a.y * b.x; return r;
}

typedef struct kini_simplex { kini_big points[4]; int count; } kini_simplex;
/* Point closest to the origin; leaves the corners it lies between, all four if they enclose the origin. */
KINI_PART kini_big kini_simplex_closest(kini_simplex *simplex);
#endif

/* A piece grown by a body's shape: the body's place is outside of it exactly when the two do not overlap. Distance,
   sweep and separation of two rounded convex shapes are then questions about a point and one rounded convex set. */
typedef struct kini_obstacle {
    kin_vec   centre, half;   /* box around the core; the whole core if `sum` is NULL */
    float     radius;
    kini_sum *sum;
} kini_obstacle;

/* Of which two boxes the sum is that stands at the same place of world->sums, and the obstacle for a piece at 0. */
typedef struct kini_known { kin_vec centres[2], halves[2]; kin_rot turns[2]; kini_obstacle obstacle; } kini_known;
enum { KINI_KNOWN_BYTES = offsetof(kini_known, obstacle), KINI_MOST_KNOWN = 4 };

/* How far two results for a point, as seen from the centre, may differ by rounding. */
static inline float kini_blur(const kini_obstacle *obstacle, kin_vec p)
{
    return (kini_largest(obstacle->half) + kini_largest(kini_magnitudes(p))) * KINI_BLUR;
}

/* A separating translation: unit axis times length. */
typedef struct kini_way { kin_vec axis; float length; } kini_way;
enum { KINI_MAX_WAYS = 64 };

/* ---- broad phase (tree.c) ------------------------------------------------------------------------------------- */

enum { KINI_LANES = 8, KINI_LANES_LEAST = 4, KINI_TREE_LEVELS = 16 };   /* 2 * 4^15 leaves do not fit an int32_t */

/* Boxes of up to eight children, side by side; unused lanes hold an empty box (from plus to minus infinity). Every node
   but the root has at least four children, which bounds depth and number of nodes whatever happens. */
typedef struct kini_node {
    float   lo[KINI_DIM][KINI_LANES], hi[KINI_DIM][KINI_LANES];
    int32_t child[KINI_LANES];   /* nodes; on level 0 leaves */
    int32_t parent, lane;        /* of its own box, -1 for the root; while free, `parent` is the next free node or 0 */
    int32_t count, level;        /* children in use; -1: free */
} kini_node;

static inline kin_vec kini_lane_corner(const kini_node *node, int lane, bool upper)
{
    kin_vec corner = kini_vec_zero();
    int     axis;
    for (axis = 0; axis < KINI_DIM; axis++)
        corner = kini_with(corner, axis, upper ? node->hi[axis][lane] : node->lo[axis][lane]);
    return corner;
}
static inline kin_vec kini_lane_lo(const kini_node *node, int lane) { return kini_lane_corner(node, lane, false); }
static inline kin_vec kini_lane_hi(const kini_node *node, int lane) { return kini_lane_corner(node, lane, true); }

/* Where a leaf is now: node * KINI_LANES + lane. Free: -1, and `item` is one more than the next free leaf. */
typedef struct kini_leaf { int32_t home, item; } kini_leaf;

/* All zero is an empty tree. Node 0 is the root. Both arrays are reserved before inserting (kini_tree_nodes). */
typedef struct kini_tree {
    KINI_ARRAY(kini_node) nodes;
    KINI_ARRAY(kini_leaf) leaves;
    int32_t free_node, free_leaf;   /* 0: none; else the node, and one more than the leaf */
} kini_tree;

static inline int64_t kini_tree_nodes(int64_t leaves) { return leaves / 3 + 1; }           /* never needs more */

/* Called for each item whose box meets the swept box, in no order. Returns up to which part of the travel (0..1) the
   search goes on; negative ends it. */
typedef float kini_visit_fn(void *context, int32_t item);

/* Makes the nodes over the leaves, of which the caller has written count and items. */
typedef void kini_box_fn(const void *context, int32_t item, kin_vec *lo, kin_vec *hi);

/* ---- things around a body, kept (kept.c) ------------------------------------------------------------------------- */

enum { KINI_MAX_KEPT = 8, KINI_MAX_COMPANY = 8 };
enum { KINI_OPEN_STILL = 2 };   /* open is what the last step was made in, by kini_coast alone */
/* Statics and movers whose leaf meets lo..hi, in the order of searches. All zero holds no box that is asked for. */
typedef struct kini_kept {
    kin_vec  lo, hi;
    int32_t  slots[KINI_MAX_KEPT];
    int8_t   count;                   /* -1: more than fit */
    int8_t   open;                    /* 1: measured; KINI_OPEN_STILL; -1: there is none, 0: not known */
    /* Open space (coast.c): places from which the body reaches nothing but its ground and what is below its feet. */
    kin_vec  open_lo, open_hi;
    kin_vec  floor_lo, floor_hi;      /* ... nor touches any but this one thing, a box that is not turned: */
    uint32_t floor;                   /* ... its slot, 0: none */
    float    height;                  /* ... as long as it is at least so high along up */
    uint32_t carrier;                 /* slot of the mover that it stands on; 0: the level */
    kin_vec  at;                      /* where the body was then, */
    uint32_t stand;                   /* ... and the slot of what it stood on, */
    int32_t  part;                    /* ... and the part of that */
    kin_vec  middle, half;            /* of its sum with the body, from its place (a mover), */
    kin_vec  foot;                    /* ... the lowest point of the body's core, */
    float    top;                     /* ... and the height of its own, if it is broader (kini_over_top) */
    kin_vec  end;                     /* where a body that coasts comes to in this step */
    float    level, gap;              /* above its ground: so far was a body that is so high along up */
    int32_t  company[KINI_MAX_COMPANY];   /* bodies whose leaf meets that of this one, */
    int32_t  company_count;           /* ... with itself: 0: not known, -1: more than fit */
} kini_kept;

/* ---- flags: of things; of tiles (sensor, one-way, conveyor and their own); of pieces and of questions about them - */

enum {
    KINI_SENSOR   = 1,     /* reports contacts, blocks nothing */
    KINI_DISABLED = 2,
    KINI_ONE_WAY  = 4,
    KINI_CONVEYOR = 8,
    KINI_PENDING  = 16,    /* added inside a step: takes part from the next one on */
    KINI_REMOVED  = 32,    /* handle is dead; forgotten at the end of the next step */
    KINI_IGNORES  = 64,    /* named in world->ignored */
    KINI_ATTACHED = 128,   /* a static that is part of a mover, or a body's sensor; it lives in the movers' tree */
    KINI_TOUCHED  = 256,   /* contacts or grounds of bodies may name it: when removed, it stays for a step */
    KINI_GOING    = 512,   /* removed: contacts with it end in this step */
    KINI_SHIFTED  = 1024,  /* teleported since the last step: its riders stay behind */
    KINI_TILE_FILLED = 2048,          /* a tile: not empty */
    KINI_TILE_UP     = 4096,          /* ... its outward side is up */
    KINI_SENSES   = 16384, /* a mover, or a sensor that is attached: meets things that are no bodies (senses.c) */
    KINI_RESHAPED = 8192,  /* shape or tiles changed since the last step: its riders may have lost it */
    KINI_PIECE_MOVER = 1 << 16,
    KINI_PIECE_BODY  = 1 << 17,
    KINI_OUTWARD_ONLY = 1 << 20       /* a cast: one-way pieces stop only what comes from outside */
};

/* ---- levels (tiles.c, mesh.c) ------------------------------------------------------------------------------------ */

/* A static points to the row of a grid or mesh, which has blocks, of any length, in arrays of the world. */
enum { KINI_SIDES = 2 * KINI_DIM };   /* of a cell */

/* The meaning of a value in one grid. Sides are numbered 2 * axis, one more for that with the larger coordinates. */
typedef struct kini_tile {
    kin_vec  one_way, surface_velocity;   /* in the grid's axes */
    int32_t  shape;                       /* stored, around the cell's middle; -1: the full cell */
    uint16_t flags;
    uint8_t  faces, covers;               /* one bit for each side of the cell on which it has a face; that it covers */
} kini_tile;

typedef struct kini_grid {
    uint32_t slot;                    /* 0: free */
    kin_cell size;
    float    cell;
    int32_t  cells, cell_count;       /* in world->cells */
    uint64_t key;                     /* of all cells, updated by every edit: what a hash sees of them */
    int32_t  tiles, tile_count;       /* values 0, 1, ... in world->tiles; those beyond are empty */
} kini_grid;

/* The plane, sides and neighbours of a face, in its mesh's axes (weld.c); not saved. */
typedef struct kini_face {
    kin_vec normal, sides[KINI_DIM];  /* directions of length one: of its plane, and outwards across each side */
    float   level, ends[KINI_DIM];    /* how far along these the plane and each side are */
    float   lean;                     /* sine of the largest angle to faces around, 1 if a side is open; 0: thin */
    int32_t beyond[KINI_DIM];         /* point of the neighbour over each side that is not on it; -1: open */
} kini_face;

typedef struct kini_mesh {
    uint32_t slot;                    /* 0: free */
    kin_vec  lo, hi;                  /* box around it, in its own axes */
    int32_t  points, point_count;     /* in world->mesh_points */
    int32_t  corners, face_count;     /* KINI_DIM numbers of points for each face, in world->mesh_corners */
    uint32_t pad;
    uint64_t key;                     /* of points and corners */
    int32_t  nodes, node_count, leaves, leaf_count;   /* its tree, in world->mesh_nodes and mesh_leaves; not saved */
} kini_mesh;
#define KINI_MESH_LASTS offsetof(kini_mesh, nodes)

/* ---- things: one row per slot (pool.c, object.c) --------------------------------------------------------- */

enum { KINI_FORM_SHAPE, KINI_FORM_TILES, KINI_FORM_MESH };

/* A snapshot holds it up to `leaf`; the rest follows. */
typedef struct kini_thing {
    kin_vec  p;
    kin_rot  q;
    uint32_t layer, mask;
    uint32_t age;           /* of the handle that is or will be valid */
    int32_t  shape;         /* in world->shapes; -1 for tiles and meshes */
    int32_t  row;           /* in statics, movers or bodies */
    uint16_t flags;
    uint8_t  kind;          /* kin_kind; KIN_NOTHING: free */
    uint8_t  form;
    int32_t  leaf;          /* in the tree of its kind; -1: none */
    kin_vec  lo, hi;        /* bounds of the shape at p, q */
} kini_thing;
enum { KINI_THING_LASTS = offsetof(kini_thing, leaf) };

/* No thing has a form that the build leaves out. */
#ifdef KINEMATIC_NO_TILES
enum { KINI_TILES = 0 };
#else
enum { KINI_TILES = 1 };
#endif
#ifdef KINEMATIC_NO_MESH
enum { KINI_MESHES = 0 };
#else
enum { KINI_MESHES = 1 };
#endif
static inline bool kini_is_tiles(const kini_thing *thing) { return KINI_TILES && thing->form == KINI_FORM_TILES; }
static inline bool kini_is_mesh(const kini_thing *thing) { return KINI_MESHES && thing->form == KINI_FORM_MESH; }

static inline void kini_set_flag(kini_thing *thing, int flag, bool on)
{
    thing->flags = (uint16_t)(on ? thing->flags | flag : thing->flags & ~flag);
}

typedef struct kini_surface { kin_vec one_way, velocity; } kini_surface;   /* in the axes of its thing */

typedef struct kini_static {
    uint32_t slot;                    /* 0: free row */
    kini_surface surface;
    kin_pose local;                   /* place on the mover it is attached to */
    kin_id   attach;
    int32_t  next_part;               /* next static attached to the same thing, -1: last */
    int32_t  level;                   /* of tiles or mesh: row there; else -1 */
} kini_static;

enum { KINI_HAS_TARGET = 1, KINI_STOPPED = 2, KINI_TELEPORTED = 4, KINI_MOVED = 8, KINI_WAS_STOPPED = 16 };

typedef struct kini_mover {
    uint32_t slot;
    kini_surface surface;
    kin_vec  velocity;
    kin_spin spin;
    kin_pose before;                  /* pose at the start of the step */
    kin_pose drawn;                   /* pose to draw from: before, or the new one after a teleport */
    kin_pose target;                  /* of kin_move_to */
    kin_vec  rate;                    /* real velocity of the origin in this step */
    kin_spin turn_rate;
    kin_id   blocked_by[2];           /* body and what it was pressed against, while stopped */
    int32_t  control;                 /* in world->controls, -1: none */
    int32_t  parts;                   /* first static that is attached to it, -1: none */
    uint8_t  carry, on_blocked, state;
    uint8_t  pad;
} kini_mover;

/* Contacts of a body: `now` of this step, `was` of the last. */
typedef struct kini_contact {
    kin_id  other;
    kin_vec normal;                   /* where they meet follows from it and from both poses: kini_meeting_point */
    float   gap, speed;               /* speed of approach before it was stopped */
    int32_t part;
    uint32_t flags;
} kini_contact;
enum {
    KINI_CONTACT_SENSOR = 1, KINI_CONTACT_HIT = 2, KINI_CONTACT_TOUCH = 4,
    KINI_CONTACT_UNTOLD = 8,          /* one of the two was removed before BEGAN was emitted */
    KINI_CONTACT_GROUND = 16,
    KINI_CONTACT_PRESSES = 32,        /* the other one presses on it in a crush; only within kini_crush_rows */
    KINI_CONTACT_FRESH = 64,          /* found by kin_move_hits: the next step emits BEGAN */
    KINI_CONTACT_FITS = 128           /* of a passage as wide as the body: no wall or ceiling to it */
};

typedef struct kini_sensed { kin_id by; kini_contact it; } kini_sensed;   /* a pair without a body (senses.c) */
typedef KINI_ARRAY(kini_sensed) kini_pairs;                                /* sorted */
typedef KINI_ARRAY(kini_contact) kini_contacts;

/* The part that makes a contact one of its own. */
static inline int32_t kini_cell_of(const kini_contact *contact)
{
    return contact->flags & KINI_CONTACT_SENSOR ? contact->part : -1;
}

/* The options of a body: NUMBER(member, FLOAT or SIZE, most, default), CHOICE(member, type, last one). */
#define KINI_BODY_OPTIONS(NUMBER, CHOICE)                                                \
    NUMBER(max_slope, SIZE, KINI_PI / 2 + 1e-6f, KINI_PI / 4)                            \
    NUMBER(snap, FLOAT, KINI_FURTHEST, KINI_DEFAULT_SNAP * world->desc.unit)             \
    NUMBER(step_height, SIZE, KINI_FURTHEST, 0)                                          \
    NUMBER(corner_nudge, SIZE, KINI_FURTHEST, 0)                                         \
    NUMBER(gravity_scale, FLOAT, KINI_FURTHEST, 1)                                       \
    NUMBER(leftover_fade, SIZE, 1, 0)                                                    \
    NUMBER(bounce, SIZE, 1, 0)                                                           \
    NUMBER(weight, SIZE, KINI_FURTHEST, 1)                                               \
    NUMBER(max_push, FLOAT, KINI_FURTHEST, 0)                                            \
    CHOICE(push, kin_push, KIN_INTANGIBLE)                                               \
    CHOICE(ride, kin_ride, KIN_RIDE_PHYSICAL)                                            \
    CHOICE(leave, kin_leave, KIN_LEAVE_NONE)                                             \
    CHOICE(on_crush, kin_crush, KIN_CRUSH_DISABLE)                                       \
    CHOICE(slope, kin_slope, KIN_SLOPE_HORIZONTAL_SPEED)                                 \
    CHOICE(weightless, bool, 1) CHOICE(report_continued, bool, 1)                        \
    CHOICE(glide, bool, 1) CHOICE(keep_facing, bool, 1)
#define KINI_NUMBER_MEMBER(member, kind, most, otherwise) float member;
#define KINI_CHOICE_MEMBER(member, type, last) uint8_t member;
typedef struct kini_body_options {
    KINI_BODY_OPTIONS(KINI_NUMBER_MEMBER, KINI_CHOICE_MEMBER)
    uint8_t pad[3];
} kini_body_options;

/* The ground of a body. `local` is its place on that ground, in the ground's frame: an idle rider keeps it. */
/* What supports it: a surface; two or more steep sides; the edge of a step, whose top counts as its ground. */
enum { KINI_ON_FACE, KINI_IN_WEDGE, KINI_ON_EDGE };
typedef struct kini_stand {
    kin_id   id;                      /* {0} in the air */
    kin_vec  normal, point, velocity;
    kin_vec  local;
    int32_t  part;
    uint8_t  footing;                 /* kin_footing */
    uint8_t  support;                 /* KINI_ON_FACE .. KINI_ON_EDGE */
    uint8_t  pad[2];
} kini_stand;

enum {
    KINI_BODY_CRUSHED = 1, KINI_BODY_EMBEDDED = 2, KINI_BODY_ON_WALL = 4, KINI_BODY_ON_CEILING = 8,
    KINI_BODY_TELEPORTED = 16, KINI_BODY_DROPS = 32, KINI_BODY_RENEW = 128, KINI_BODY_LETS_GO = 256,
    KINI_BODY_MOVED = 512             /* by kin_move_hits: contacts and ground differ from those of the last events */
};

/* Lasting state comes first: a snapshot holds it up to `jumps` (fields.c). The rest is written anew in every step. */
typedef struct kini_body {
    uint32_t   slot;                  /* 0: free row */
    kin_pose   drawn;                 /* pose to draw from */
    kini_body_options options;
    int32_t    control;
    kini_stand last;                  /* ground of the last step */
    int32_t    parts;                 /* first sensor that is attached to it, -1: none */
    kin_id     drops_through;         /* one-way it is falling through */
    kin_vec    drop_from;             /* its place on that when it began to */
    kin_vec    gravity;               /* of its own, zero: the world's */
    kin_vec    motion;                /* real displacement of the last step, per second */
    kin_vec    velocity, leftover;    /* from here to `jumps`: backed up after stage 3 */
    kin_vec    given;                 /* part of velocity that pushes gave; shed when they end */
    kin_vec    lead;                  /* way that a step up took beyond what was wanted: walked that much less */
    kini_stand stand;                 /* its ground */
    kin_id     squeezed_by[2];        /* what an open crush or embedding is between */
    int32_t    contact_count;
    uint32_t   state;
    bool       jumps;                 /* stands, but moves away from its ground in this step */
    bool       met;                   /* stage 4 has met the movers' motion */
    bool       keeps;                 /* what it has shed after all; in stage 3 only */
    kin_pose   start;                 /* pose at the start of the step */
    uint32_t   last_state;
    kin_vec    up;                    /* against its gravity; follows from that and from the world's */
    float      stable_cos;            /* of max_slope: the cosine of the steepest stable ground; follows from it */
    kin_vec    turned_at;             /* where the last straight part of its sweep began */
    kin_vec    pushed;                /* direction in which it is pushed in this step, zero: nobody pushes it */
    uint8_t    pushed_strength;
    bool       calm;                  /* nothing moved it in this step, nor did it look beyond its sight (idle.c) */
    int32_t    pushed_by;             /* row of the body that pushed it last, -1: none, */
    float      pushed_from;           /* ... and how far the first of the row comes along the push */
    kin_vec    blocked[2];            /* directions in which it cannot be pushed; to `shed`, zero when stage 6 begins */
    kin_vec    held;                  /* away from the last body that it was put back from in this step */
    kin_vec    path, own;             /* displacement in this step, and the part that is its own motion */
    kin_vec    pressed;               /* part of `own` that a mover gave in stage 5, beyond what the body wanted */
    float      went;                  /* length of the displacement that stages 4 and 5 gave */
    float      drive;                 /* longest motion of all bodies that can have pushed it in this step, */
    uint32_t   drive_by;              /* ... and the slot of that body */
    float      overlap;               /* deepest that it was in another body when the step began */
    bool       cut;                   /* its motion was undone */
    bool       queued;                /* to be tested against its neighbours, */
    int8_t     tests;                 /* ... and how often it still may be */
    bool       answer[2];             /* the last two answers below: it is held, or it is not */
    int32_t    tested, changed;       /* turns of its last test and of its last change of path */
    int32_t    asked;                 /* number of the last search for what holds a body that came to it, */
    int32_t    asked_by;              /* ... from which row, -1: it began here, */
    kin_vec    answered[2];           /* ... and in which directions the last two answers are */
    kin_vec    shed;                  /* what it has lost of `given`; in stage 3 only */
    kin_vec    wish;                  /* own motion wanted in this step: a displacement */
    kin_vec    carry;                 /* displacement that the ground gave in this step */
    float      land_speed;            /* into stable ground, when it was met in this step */
    uint32_t   squeezed_in[2];        /* in the sweep: a mover that took more than its room, what held it; 0: none */
    int32_t    last_count;
    uint32_t   events;                /* types still to be emitted in stage 10, one bit each */
    int32_t    depth;                 /* bodies under it that carry it */
    float      outward;               /* how far out it is, and */
    int32_t    rank;                  /* ... its turn among the bodies that are awake in this step */
    kin_vec    clear_lo, clear_hi;    /* what is within this box, no idle body sees */
} kini_body;
enum { KINI_BODY_LASTS = offsetof(kini_body, jumps) };
typedef struct kini_backup_row { char at[offsetof(kini_body, start) - offsetof(kini_body, velocity)]; } kini_backup_row;
static inline uint32_t kini_bit(kin_event_type type) { return 1u << (unsigned)type; }   /* in its events */

/* Of two bodies the weaker one yields. */
enum { KINI_STRENGTH_PUSHABLE = 1, KINI_STRENGTH_UNPUSHABLE, KINI_STRENGTH_MOVER, KINI_STRENGTH_BLOCKED };

/* Two bodies whose paths meet (pairs.c); rows. In crush.c j is a contact of i. */
typedef struct kini_meeting {
    int32_t i, j;
    kin_vec normal;                   /* from j to i */
    float   t;                        /* part of the step at which they touch */
    float   speed, room;              /* approach along the normal, and how much of it is free, per step */
} kini_meeting;

typedef struct kini_pair { uint32_t a, b; } kini_pair;   /* slots, a < b */

/* Answers of `collide` in this step about a body, and things or bodies with a higher slot. */
enum { KINI_ANSWERS = 32, KINI_MOST_ASKING = 64 };
typedef struct kini_answers {
    uint32_t others[KINI_ANSWERS];
    uint32_t yes;                     /* one bit each */
    int32_t  count;
    bool     full;
} kini_answers;

/* Bodies that a worker works on (islands.c): rows, or places in world->shares, up to those of the next batch. Has it to
   do with what is not in it? Then flags of the worker's copy of the world. */
typedef struct kini_batch { int32_t first, begun, done; int32_t chosen, groups, cut_groups;
                             bool escaped, overflowed, crushed, shed, far; } kini_batch;
typedef void kini_work_fn(kin_world *world, int32_t first, int32_t end);

typedef struct kini_given { kin_id id; void *user; } kini_given;

/* ---- near (near.c): the convex pieces around one body, gathered once ---------------------------------- */

typedef struct kini_piece {
    kini_obstacle obstacle;           /* relative to kini_near.origin, at the piece's place at the interval's end */
    kin_vec       move;               /* how far it travels in the interval: it starts at obstacle - move */
    kin_vec       one_way;            /* normal of the face that blocks, zero if solid */
    uint32_t      slot;
    int32_t       part;               /* tile, segment or triangle; of joined cells the first; else -1 */
    uint32_t      flags;              /* KINI_SENSOR, KINI_ONE_WAY, KINI_PIECE_* */
    uint32_t      hidden;             /* sides of a cell behind which the grid goes on, in the axes of `turn` */
    kin_rot       turn;               /* of the piece */
    kin_vec       face;               /* normal of a segment or triangle, which has no inside; zero for a solid */
    float         level;              /* ... and how far its plane is along that from the body's middle at x = 0 */
    float         reach;              /* ... and how far the body reaches from its middle towards that plane */
    float         deep;               /* half the body's width: a longer way out is not taken */
    float         slop;
} kini_piece;

/* A quick look: true if the gap is surely more than `margin`. */
static inline bool kini_is_apart(const kini_piece *piece, kin_vec x, float margin)
{
    const kini_obstacle *o = &piece->obstacle;
    if (kini_largest(kini_sub(kini_magnitudes(kini_sub(x, o->centre)), o->half)) > o->radius + margin) return true;
    return kini_abs(kini_dot(piece->face, x) - piece->level) > piece->reach + margin;
}

/* A search around one body. Pieces come in batches of KINI_MAX_NEAR; mostly the first holds all, and is built once:
       for (more = kini_near_first(world, near); more; more = kini_near_next(world, near))
           ... world->pieces.at[0 .. near->count - 1] ... */
enum {
    KINI_WITH_MOVERS = 1,             /* and what is attached to them, also if they move in this step */
    KINI_WITH_BODIES = 2              /* other bodies only matter as ground, contact and counter-pressure */
};

typedef struct kini_lot { int thing, part, built; } kini_lot;   /* where it starts; how many were built so far */

typedef struct kini_near {
    kin_vec    origin;                /* world place that x = 0 stands for: the body's when it was gathered */
    kin_vec    lo, hi;                /* world box that was searched */
    kini_solid solid;                 /* of the body */
    kin_rot    turn;
    uint32_t   slot, skip;            /* the body; a thing to leave out, or 0 */
    int        with;                  /* what is looked at beside the fixed level: KINI_WITH_... */
    float      from, to;              /* movers travel through this part of the step, 0..1; equal: they stand there */
    kin_vec    taken;                 /* part of the motion of `taker` that the body has already followed */
    uint32_t   taker;
    int        count, sensors;        /* pieces, and how many of them are sensors */
    kini_lot   lot;                   /* the batch in world->pieces */
    bool       dropping;              /* it touches a one-way that it is falling through, which is left out */
    int        found, cursor, part_cursor;   /* things in world->found, where the next batch starts */
    bool       whole;                 /* the batch in world->pieces is all there is */
    int        within;                /* batches of searches within a search */
    kin_vec    way;                   /* planned motion: faces whose planes the body stays off on it are left out, */
    float      ahead;                 /* ... and for so far across `up` from its end on */
    bool       planned, passed;       /* ... were there any? */
} kini_near;

/* Among thousands of pieces a stage stops searching within its search; the rest waits for the next step. */
static inline bool kini_near_is_spent(const kini_near *near) { return near->within >= KINI_MAX_WITHIN; }

/* Where a thing with its own axes is in the interval that is looked at; what its pieces have in common. */
typedef struct kini_frame {
    kin_pose at;
    kin_vec  move;                    /* ... and how far it travels */
    uint32_t slot;
    bool     moves, turns, turned;    /* it is part of a mover; turns in the interval; is turned at its end */
} kini_frame;

/* ---- slide (slide.c): sweep one body along one motion, sliding along what it meets --------------------- */

/* A surface the slide has met. The body may not move against it faster than it moves itself. */
typedef struct kini_plane {
    kin_vec  normal;                  /* as it limits the motion: steep ground is made a vertical wall for a walker */
    kin_vec  surface;                 /* as it is */
    float    push;                    /* how far the surface advances along normal in the interval */
    kin_vec  move;
    uint32_t slot;
    int32_t  part;
    uint32_t flags;                   /* of the piece */
    float    speed;                   /* of approach when it was met, in travel per interval */
} kini_plane;

static inline bool kini_plane_presses(const kini_plane *p) { return (p->flags & KINI_PIECE_MOVER) && p->push > 0; }

typedef struct kini_slide {
    kin_vec    x;                     /* in and out: place relative to near->origin */
    kin_vec    turned_at;             /* out: where the last straight part began */
    kin_vec    travel;                /* own motion wanted in the interval */
    kin_vec    up;                    /* zero: floating, every surface is a wall */
    kin_vec    ground;                /* normal of the stable ground it walks on, zero in the air */
    kin_vec    ground_move;           /* how far that ground takes or pushes the body in the interval */
    float      stable_cos;
    float      skin;
    float      step_height, nudge;
    kin_vec    lead;                  /* out: see kini_body */
    uint32_t   perch;                 /* the thing on whose edge it stands, 0: none, */
    kin_vec    perched;               /* ... with this normal; zero: that of the last step */
    kin_vec    head;                  /* direction in which `nudge` slips past corners */
    kin_vec    feet;                  /* normal of what it stands on, zero: nothing; low lips are no sides */
    bool       keep_horizontal;       /* slope speed: horizontal instead of along the surface */
    bool       senses;                /* notes the sensors it crosses */
    bool       bodies;                /* other bodies are in the way too: after stage 6 */
    float      left;                  /* out: part of the interval that it was squeezed for */
    kin_hit   *hits;                  /* out: what it met, as far as there is room, */
    int        hit_count, hit_room;   /* ... and how many */
    bool       squeezed, stuck;       /* out: no motion satisfies all planes; started deep inside something */
    float      bounce, least_bounce;  /* part of an approach that comes back, unless that is slower, per interval */
    kin_vec    fall;                  /* part of the travel that gravity gave in this step */
    kin_vec    kick;                  /* out: what bounces added to the travel */
    int        fits;                  /* walls of passages as wide as the body that it has entered, two of each, */
    kin_vec    fit[KINI_SIDES - 2];   /* ... and the directions across them */
    int        count;                 /* planes met, the last KINI_MAX_PLANES of them */
    kini_plane planes[KINI_MAX_PLANES];
} kini_slide;

/* A slide that wants nothing and knows no rules. Of the planes only those that count are ever read. */
static inline void kini_slide_blank(kini_slide *slide) { kini_clear(slide, offsetof(kini_slide, planes)); }
static inline bool kini_walks(const kini_slide *slide) { return !kini_is_zero(slide->ground); }
/* How far a walk looks for a riser at its end: to a slanting edge it is further than the gap. */
static inline float kini_look_ahead(const kini_slide *slide)
{
    return kini_walks(slide) && slide->step_height > 0 ? 4 * slide->skin : 0;
}

/* One straight piece of a sweep: the body's point moves by `travel` while pieces make the last `left` of their own
   interval, or stand where they are at that moment. */
typedef struct kini_probe {
    kin_vec x, travel;
    float   left, skin;
    float   deep;                     /* further inside a piece that stands, every way is blocked, inside a body none */
    bool    frozen;
    bool    bodies;                   /* other bodies are in the way too */
    int     fits;                     /* passages as wide as the body that it is in, */
    const kin_vec *fit;               /* ... across their walls, which are passed */
} kini_probe;

typedef struct kini_impact {          /* what a probe meets first */
    float      t, touch;              /* part of the travel: skin taken off, and not */
    kin_vec    normal;
    float      depth;                 /* > 0: it started that deep inside */
    bool       edge;                  /* it was met at an edge or a corner */
    kini_piece piece;
} kini_impact;

/* Pieces stand at the interval's end, and bodies where they are. */
static inline kini_probe kini_probe_still(kin_vec x, kin_vec travel, float skin)
{
    kini_probe probe;
    probe.x = x; probe.travel = travel; probe.left = 0; probe.skin = skin;
    probe.deep = KINI_FLT_MAX; probe.frozen = probe.bodies = true; probe.fits = 0;
    return probe;
}

/* ---- the world -------------------------------------------------------------------------------------------------- */

/* Sections of a snapshot, in this order. From KINI_SAVES_BULK on they hold what tiles and meshes are made of. Trees
   decide nothing and are not saved. */
enum {
    KINI_SAVES_THINGS, KINI_SAVES_USERS, KINI_SAVES_STATICS, KINI_SAVES_MOVERS, KINI_SAVES_BODIES, KINI_SAVES_CONTACTS,
    KINI_SAVES_SENSED, KINI_SAVES_SHAPES, KINI_SAVES_HULLS, KINI_SAVES_IGNORED, KINI_SAVES_EVENTS, KINI_SAVES_GRIDS,
    KINI_SAVES_TILES, KINI_SAVES_MESHES, KINI_SAVES_BULK, KINI_SAVES_POINTS = KINI_SAVES_BULK, KINI_SAVES_CORNERS,
    KINI_SAVES_CELLS, KINI_SAVED_SECTIONS, KINI_SAVES_KIND = KINI_SAVES_STATICS - KIN_STATIC   /* plus a kin_kind */
};

enum { KINI_ALIGN = 16 };   /* of the pieces of an arena */
typedef struct kini_arena { unsigned char *memory; size_t bytes, used; } kini_arena;

struct kin_world {
    kin_world_desc desc;              /* defaults filled in */
    kini_arena     arena;             /* of kin_world_create_in; memory NULL: allocate */
    size_t         bytes;             /* of this struct and of all arrays */
    kin_vec        up;                /* zero in a floating world */
    double         time_left, dropped;   /* of kin_world_advance */
    uint64_t       steps;
    float          dt;                /* of the running or last step */
    uint8_t        stage;             /* 0 between steps; else the stage that runs, for callbacks */
    bool           in_callback, overflowed;
    bool           reached_limit;     /* of coordinates: logged once */
    bool           edited;            /* a ground may have ceased to hold a body since stage 3 of the last step */
    int32_t        first_free[KINI_SAVED_SECTIONS];   /* no row before that is free; a hint, found anew after a load */
    int32_t        live[4];           /* things of each kin_kind */
    int32_t        shifted;           /* things teleported or reshaped since the last step */
    int32_t        pending;           /* things that stage 1 has to look at */
    int32_t        going;             /* ... and those it found removed, to be forgotten in stage 10 */
    int32_t        stop_movers;       /* movers that stop when blocked */
    int32_t        attached;          /* statics that are part of movers */
    int32_t        sensers;           /* things with KINI_SENSES */

    KINI_ARRAY(kini_thing)   things;  /* by slot; row 0 is nobody */
    KINI_ARRAY(void *)       users;   /* by slot */
    KINI_ARRAY(kini_static)  statics;
    KINI_ARRAY(kini_mover)   movers;
    KINI_ARRAY(kini_body)    bodies;
    KINI_ARRAY(kini_shape)   shapes;
    KINI_ARRAY(kini_hull)    hulls;
    KINI_ARRAY(int32_t)      shape_index;   /* shape number + 1 by key, 0: empty; count is a power of two */
    KINI_ARRAY(kin_control_fn *) controls;
    KINI_ARRAY(kini_pair)    ignored;
    KINI_ARRAY(kini_grid)    grids;
    KINI_ARRAY(uint8_t)      cells;
    KINI_ARRAY(kini_tile)    tiles;
    KINI_ARRAY(kini_mesh)    meshes;
    KINI_ARRAY(kin_vec)      mesh_points;
    KINI_ARRAY(int32_t)      mesh_corners;
    KINI_ARRAY(kini_node)    mesh_nodes;
    KINI_ARRAY(kini_leaf)    mesh_leaves;
    KINI_ARRAY(kini_face)    mesh_faces;   /* one for KINI_DIM corners */
    kini_contacts            contacts, last_contacts;   /* kini_contact_room per body row */
    kini_pairs               sensed, last_sensed;       /* max_sensor_contacts per thing that senses */
    KINI_ARRAY(uint8_t)      idle, done;   /* by body row: KINI_IDLE..., 0: awake; KINI_COASTS... */
    int32_t                  idle_count, skipped;   /* now, and in the last step */
    int32_t                  groups, cut_groups;    /* of kin_stats */
    float                    idle_dt;      /* length of the step that they were idle in, */
    float                    sight;        /* ... and how far at most one of them looks */
    uint8_t                  joining;      /* how far stage 3 is: a body that wakes now does the same */
    bool                     late;         /* one woke in stages 4 to 9 */
    bool                     rests;        /* bodies may become idle at the end of this step */
    bool                     crowd_changed;   /* crowd_layer and crowd_mask are to be found anew */
    KINI_ARRAY(kin_event)    events;  /* and a row for one that on_event gets but that does not fit */
    KINI_ARRAY(kini_given)   given;   /* users that handles had, the last KINI_MOST_GIVEN in turn */
    uint32_t                 given_next;
    uint32_t                 drops;   /* calls of kin_world_advance in a row that dropped time; logged once */
    int32_t                  telling; /* row of the event that on_event gets, counted from 1 */
    KINI_ARRAY(kini_backup_row) backup;  /* of bodies at the end of stage 3 */
    KINI_ARRAY(int32_t)      found, order;   /* scratch: search results (in pairs.c rows), bodies in carrier order */
    KINI_ARRAY(int32_t)      faces;   /* scratch: faces of one mesh that are near a box, */
    uint32_t                 faces_of;   /* ... which mesh, or 0, */
    kin_vec                  faces_lo, faces_hi;   /* ... and which box */
    KINI_ARRAY(kini_piece)   pieces;  /* scratch: near.c */
    KINI_ARRAY(kini_sum)     sums;    /* scratch: behind the pieces */
    KINI_ARRAY(kini_known)   known;   /* of what the first of them are */
    KINI_ARRAY(kini_solid)   solids;  /* scratch: behind the pieces */
    KINI_ARRAY(int32_t)      neighbours, queue;   /* scratch: rows of bodies, in stages 3, 6 and 7 */
    KINI_ARRAY(kini_meeting) meetings;            /* scratch: pairs.c, crush.c */
    int32_t                  queue_head;
    int32_t                  asked;               /* number of searches for what holds a body, in this step */
    int32_t                  turn;                /* counts tests and changes of paths in stage 6 */
    bool                     taken;               /* stage 6 has taken riders along with what they stand on */
    bool                     crushed;             /* stage 9 has found a crushed body */
    uint32_t                 crowd_layer, crowd_mask;   /* scratch: of all bodies that take part, in stages 4 to 9 */
    KINI_ARRAY(kini_answers) answers; /* per body row, if there is a `collide` */
    bool                     answering;   /* from stage 3 on */
    KINI_ARRAY(int32_t)      asking;  /* calls of `collide` that have not returned; does it ask itself? */
    KINI_ARRAY(kini_kept)    kept;    /* per body row; neither saved nor hashed */
    kini_tree                trees[4];   /* by kin_kind; index KIN_NOTHING is not used */
    int32_t                  island;  /* in a worker's copy of the world: number of the batch, from 1; 0: the world */
    bool                     shed;    /* stage 3 has taken from a body the velocity that pushes gave */
    KINI_ARRAY(int32_t)      islands, shares;   /* batch of each body in stages 4 to 9, 0: none; rows, by batch */
    KINI_ARRAY(kini_batch)   batches; /* and the end of the last */
    KINI_ARRAY(int32_t)      busy;    /* calls by worker; then what the runner did wrong */
    kini_work_fn            *work;    /* that batches are for */
};

/* ---- bodies within the step (place.c) ------------------------------------------------------------------------ */

/* Tolerances at a place: they grow with the distance from the origin. */
static inline float kini_far(kin_vec at) { return kini_ulp(kini_largest(kini_magnitudes(at))); }
static inline float kini_skin_at(const kin_world *world, kin_vec at)
{
    return KINI_SKIN * world->desc.unit + 2 * kini_far(at);
}
static inline float kini_touch_at(const kin_world *world, kin_vec at)
{
    return KINI_TOUCH * world->desc.unit + KINI_FAR_ULPS * kini_far(at);
}
static inline float kini_slop_at(const kin_world *world, kin_vec at)
{
    return KINI_SLOP * world->desc.unit + KINI_FAR_ULPS * kini_far(at);
}
static inline float kini_overlap_at(const kin_world *world, kin_vec at)
{
    return KINI_OVERLAP * world->desc.unit + kini_far(at);
}
static inline bool kini_is_floating(const kin_world *world, const kini_body *body)
{
    return body->options.weightless || (kini_is_zero(world->up) && kini_is_zero(body->gravity));
}
static inline bool kini_stands(const kini_body *body) { return body->stand.footing == KIN_STABLE && !body->jumps; }
/* How far down a body that stands follows its ground. */
static inline float kini_snap(const kini_body *body)
{
    return body->options.snap < 0 ? 0 : kini_greater(body->options.snap, body->options.step_height);
}
/* The surface that walking follows; in a wedge there is none, only a place to stay. */
static inline kin_vec kini_walked_on(const kini_body *body)
{
    return body->stand.support == KINI_IN_WEDGE ? body->up : body->stand.normal;
}
static inline kin_vec kini_limit_speed(const kin_world *world, kin_vec velocity)
{
    float most = world->desc.max_speed;
    return !(kini_len2(velocity) > most * most) ? velocity : kini_scale(kini_unit(velocity), most);
}
static inline kin_vec kini_gravity_of(const kin_world *world, const kini_body *body)
{
    return kini_is_zero(body->gravity) ? world->desc.gravity : body->gravity;
}
static inline kin_vec kini_up_against(const kin_world *world, kin_vec gravity)   /* zero: the world's */
{
    return kini_is_zero(gravity) ? world->up : kini_unit(kini_neg(gravity));
}
/* Of a pair: of the one that stands, of two of the first. */
static inline kin_vec kini_pair_up(const kini_body *a, const kini_body *b)
{
    return kini_stands(b) && !kini_stands(a) ? b->up : a->up;
}
/* In this step: alive, enabled, not just added. */
static inline bool kini_takes_part(const kin_world *world, uint32_t slot)
{
    return slot != 0 && !(world->things.at[slot].flags & (KINI_DISABLED | KINI_REMOVED | KINI_PENDING));
}
static inline void kini_stand_nowhere(kini_body *body)
{
    kini_clear(&body->stand, sizeof body->stand);
    body->stand.part = -1;
}
/* First of what is attached to a mover or body. */
static inline int32_t *kini_parts_of(const kin_world *world, const kini_thing *thing)
{
    return thing->kind == KIN_BODY ? &world->bodies.at[thing->row].parts : &world->movers.at[thing->row].parts;
}

static inline float kini_speed_into_ground(const kini_body *body)
{
    return kini_dot(kini_sub(body->stand.velocity, kini_add(body->velocity, body->leftover)), body->stand.normal);
}

/* ---- contacts (contacts.c) --------------------------------------------------------------------------------------- */

static inline int32_t kini_contact_room(const kin_world_desc *desc)   /* rows per body */
{
    return desc->max_contacts + desc->max_sensor_contacts;
}
static inline kini_contact *kini_contacts_of(const kin_world *world, int32_t row)
{
    return world->contacts.at + (size_t)row * (size_t)kini_contact_room(&world->desc);
}
static inline kini_contact *kini_last_contacts_of(const kin_world *world, int32_t row)
{
    return world->last_contacts.at + (size_t)row * (size_t)kini_contact_room(&world->desc);
}

/* ---- bodies at rest (idle.c) ------------------------------------------------------------------------------------- */

enum { KINI_IDLE = 1, KINI_IDLE_TELLS };   /* the second: it emits CONTINUED in every step */
enum { KINI_FALLEN = 1, KINI_WISHED };     /* what bodies that are awake have done in stage 3 */
/* How far a body is in stages 4 to 10: stage 5 takes it to kini_kept.end; it is settled; committed, but for these: */
enum { KINI_COASTS = 1, KINI_SETTLED = 2, KINI_COMMITTED = 4, KINI_NEEDS_LEAF = 8, KINI_TELLS = 16 };

/* ---- the stages -------------------------------------------------------------------------------------------------- */

static inline bool kini_layers_meet(const kini_thing *a, const kini_thing *b)
{
    return (a->layer & b->mask) && (b->layer & a->mask);
}
/* Is this a worker's copy of the world? Then its batch has escaped. */
static inline bool kini_escape(const kin_world *world)
{
    if (world->island == 0) return false;
    world->batches.at[world->island - 1].escaped = true;
    return true;
}
/* Is a body that a search has found in another batch? */
static inline bool kini_is_foreign(const kin_world *world, uint32_t body, uint32_t found)
{
    const kini_thing *other = &world->things.at[found];
    if (world->island == 0 || world->islands.at[other->row] == 0 || world->islands.at[other->row] == world->island)
        return false;
    return !kini_layers_meet(&world->things.at[body], other) || kini_escape(world);
}
static inline bool kini_no_room_to_meet(kin_world *world)
{
    int32_t bodies = world->island ? world->order.count : world->bodies.count;
    if (world->meetings.count < KINI_MEETINGS * bodies + (world->island ? 0 : KINI_MORE_MEETINGS)) return false;
    world->overflowed = true;
    kini_escape(world);
    return true;
}
/* In stages 4 to 9: can a body meet any other at all? */
static inline bool kini_meets_bodies(const kin_world *world, uint32_t slot)
{
    const kini_thing *thing = &world->things.at[slot];
    return (thing->layer & world->crowd_mask) && (thing->mask & world->crowd_layer) && world->live[KIN_BODY] > 1;
}
/* What is around each body is kept only where bodies may meet; it is dropped when they begin to. */
static inline bool kini_company_is_kept(const kin_world *world)
{
    return !world->crowd_changed && (world->crowd_layer & world->crowd_mask);
}
static inline bool kini_crowd_meets(const kin_world *world)   /* ... and can any of them? */
{
    return (world->crowd_layer & world->crowd_mask) && world->live[KIN_BODY] > 1;
}

/* ---- checks of arguments (check.c) ------------------------------------------------------------------------------- */

enum { KINI_SPIN_BYTES = KINI_DIM * (KINI_DIM - 1) / 2 * (int)sizeof(float) };

/* ---- handles (pool.c) ----------------------------------------------------------------------------------------- */

static inline kin_id kini_nobody(void) { kin_id id; id.slot = 0; id.age = 0; return id; }
static inline bool   kini_is_nobody(kin_id id) { return id.slot == 0; }

/* ---- room (room.c): every array of the world, and how many rows it needs ------------------------------------ */

typedef struct kini_counts { int64_t rows[KINI_SAVED_SECTIONS], controls, attached; } kini_counts;
typedef struct kini_room { void *array; size_t row_bytes; int64_t rows; } kini_room;
enum { KINI_MAX_ROOMS = 64 };

/* ---- shapes of things (object.c) --------------------------------------------------------------------------- */

/* The members that all kinds share when they are added, checked before anything is changed. */
typedef struct kini_entry {
    kini_thing thing;
    kin_pose   local;                 /* as given; not its pose if it is attached */
    void      *user;
    kin_id     attach;                /* of a static: the mover it is part of */
} kini_entry;
/* The descriptors of movers and bodies begin like that of a static. */
enum { KINI_COMMON_BYTES = offsetof(kin_static_desc, one_way) };

/* What a solid meets on its way, or without one how far it is from that. Parts of a grid that have one of the flags in
   `skip` are passed over, unless it is KINI_OUTWARD_ONLY. */
typedef struct kini_ask {
    const kin_world     *world;
    const kini_solid    *solid;
    kin_pose             at;
    kin_vec              travel;
    uint32_t             skip;
    bool                 casts, found;
    bool                 sides, apart;   /* the sides that a grid hides do not count; its cells are not joined */
    kin_hit              hit, next;      /* so far, and the one that is asked about; points are found later */
    float                gap, next_gap;  /* ... at the start, negative inside; if nothing is cast, the least of all */
    float                limit, reach;   /* gap that counts no more; how far around the solid to look */
    float                graze;          /* a ray that misses by this has hit */
    kin_hit              best;           /* of all things so far, see kini_keep_best, */
    float                best_gap;       /* ... its gap at the start, negative inside; */
    bool                 any;            /* ... is there one? */
    const kini_obstacle *piece;          /* that is asked about */
    bool (*each)(struct kini_ask *ask);  /* of each that is nearer: is it kept? [yes] */
} kini_ask;

/* ---- what tiles and meshes offer (tiles.c, cells.c, weld.c, mesh.c) ---------------------------------------------- */

typedef struct kini_web { const kin_vec *points; const int32_t *corners; kini_face *faces; } kini_web;

/* In the grid's axes; `beyond` the corner by so many cells along all. */
static inline kin_vec kini_cell_corner(const kini_grid *grid, kin_cell cell, float beyond)
{
    return kini_scale(kini_add(kini_cell_vec(cell), kini_all(beyond)), grid->cell);
}
/* Every piece of a grid (joined cells once), every face of a mesh; for drawing. */
typedef void kini_solid_fn(void *context, const kini_solid *solid, kin_pose at, uint32_t flags);
typedef void kini_face_fn(void *context, const kin_vec *points);

/* ---- snapshots (fields.c, snapshot.c, verify.c) ------------------------------------------------------------------ */

typedef struct kini_saved {           /* the head of a snapshot; settings follow, then sections */
    uint32_t magic, version;          /* of the library */
    uint64_t check;                   /* of all bytes after this one */
    uint64_t bytes;
    uint32_t layout;
    int32_t  apart;                   /* 1: the level's bulk is left out (KINI_SAVES_BULK), and counted all the same */
    int32_t  controls;                /* how many controllers there have to be for its movers and bodies */
    int32_t  rows[KINI_SAVED_SECTIONS];
} kini_saved;

typedef struct kini_view {            /* a snapshot that is being looked at */
    kini_saved           head;
    kin_world            was;         /* its settings */
    const unsigned char *buffer;
    size_t               from[KINI_SAVED_SECTIONS];
} kini_view;

/* How a member is read, and what it may be in a snapshot. */
enum {
    KINI_IS_WORD, KINI_IS_BYTE,       /* a byte is at most `most`, if that is not negative */
    KINI_IS_SHORT,                    /* flags; `most` has those that there are */
    KINI_IS_LONG, KINI_IS_DOUBLE,
    KINI_IS_FLOAT, KINI_IS_SIZE,      /* at most `most` in magnitude; the same, and not negative */
    KINI_IS_VEC,                      /* floats, of vectors in an array */
    KINI_IS_ID,                       /* a handle that the world may have given: its slot can be looked at */
    KINI_IS_COUNT,                    /* 0 to `most`, or to kini_contact_room if that is negative */
    KINI_IS_ROOM,                     /* of the descriptor, but not of the world later */
    KINI_IS_TURN,                     /* from here on in a row that is in use: of length one */
    KINI_IS_ROW,                      /* -1, or a row in use of the section `most` */
    KINI_IS_FACE,                     /* -1 or a part of the handle that is at `most` in the row */
    KINI_IS_CONTROL                   /* -1 or a controller */
};
enum { KINI_HASH_NEVER, KINI_HASH_ALWAYS, KINI_HASH_USED };   /* when a member is hashed; the last: in a row in use */
typedef struct kini_field { uint16_t at; uint8_t type, count, when; float most; } kini_field;
/* A member of the world, and its bytes in a snapshot; with a name, of its descriptor: `most` is then the default. */
typedef struct kini_setting {
    kini_field  field;
    uint8_t     bytes;
    const char *name;
    double      lo, hi;
} kini_setting;
typedef struct kini_section {
    uint16_t          array;          /* in kin_world; 0: gathered from the bodies */
    uint16_t          stride, lasts;  /* bytes of a row in the world, and those that a snapshot holds */
    bool              reused;         /* rows become free, and are used again: the first member of a free one is 0 */
    const kini_field *fields;
    int               field_count;
    const char       *unsound;        /* message if a snapshot is refused for it */
} kini_section;

#define KINI_BEYOND 1e15f    /* nothing gets this far from the origin, however long it flies */
#define KINI_WILDEST 1e18f   /* no number that is computed gets there; its square is still finite */
#define KINI_TOO_FAST (2 * KINI_FASTEST)
#define KINI_TOO_LONG 2.0f   /* of a direction, which has length one */
#define KINI_TOO_WIDE (4 * KINI_LARGEST_SHAPE)
enum { KINI_MOST_COUNTED = INT32_MAX / 2 };   /* of what calls since the last step add up, and go on adding to */

#endif
