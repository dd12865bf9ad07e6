/* SPDX-License-Identifier: MIT OR Unlicense

   The broad phase against a plain list, one random operation after the other; independence of order and history; bulk
   building; and trees whose bytes were changed, which the check has to notice. KIN_OPS sets the number of operations. */
#include "tree.c"

#include <stdlib.h>
#include <string.h>
#include "trees.h"
#include "utest.h"

#ifndef TEST_SHARE
#define TEST_SHARE 1
#endif

enum { MOST_ITEMS = 1000 };

/* ---- random numbers and boxes -------------------------------------------------------------------------------- */

static uint32_t random_state = 1;

static uint32_t random_bits(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return random_state;
}

static int random_below(int n)
{
    return (int)(random_bits() % (uint32_t)n);
}

static float random_between(float lo, float hi)
{
    return lo + (hi - lo) * (float)(random_bits() >> 8) / 16777216.0f;
}

static kin_vec random_vec(float lo, float hi)
{
    kin_vec v = kini_vec_zero();
    int     axis;
    for (axis = 0; axis < KINEMATIC_DIM; axis++) v = kini_with(v, axis, random_between(lo, hi));
    return v;
}

/* On a coarse grid, so that boxes often touch exactly. */
static kin_vec snapped(kin_vec v)
{
    int axis;
    for (axis = 0; axis < KINEMATIC_DIM; axis++) v = kini_with(v, axis, (float)(int)kini_at(v, axis));
    return v;
}

typedef struct box { kin_vec lo, hi; } box;

static box random_box(float span)
{
    box b;
    int kind = random_below(10);
    b.lo = random_vec(0, span);
    if (kind < 3) b.lo = snapped(b.lo);
    b.hi = kini_add(b.lo, kind < 3 ? snapped(random_vec(0, 4)) : kind < 9 ? random_vec(0, 3) : random_vec(0, span));
    return b;
}

/* ---- a tree and the list it is compared with ----------------------------------------------------------------- */

typedef struct pair {
    kini_tree tree;
    box       boxes[MOST_ITEMS];
    int32_t   leaves[MOST_ITEMS];
    bool      live[MOST_ITEMS];
    int       count;
} pair;

static void tree_reserve(kini_tree *tree, int items)
{
    tree->nodes.capacity = (int32_t)kini_tree_nodes(items);
    tree->leaves.capacity = items;
    tree->nodes.at = (kini_node *)malloc((size_t)tree->nodes.capacity * sizeof *tree->nodes.at);
    tree->leaves.at = (kini_leaf *)malloc((size_t)items * sizeof *tree->leaves.at);
}

static void tree_free(kini_tree *tree)
{
    free(tree->nodes.at);
    free(tree->leaves.at);
}

static pair *pair_new(void)
{
    pair *p = (pair *)calloc(1, sizeof *p);
    tree_reserve(&p->tree, MOST_ITEMS);
    return p;
}

static void pair_free(pair *p)
{
    tree_free(&p->tree);
    free(p);
}

static void pair_insert(pair *p, int item, box b)
{
    p->boxes[item] = b;
    p->live[item] = true;
    p->leaves[item] = kini_tree_insert(&p->tree, item, b.lo, b.hi);
    p->count++;
}

static void pair_remove(pair *p, int item)
{
    kini_tree_remove(&p->tree, p->leaves[item]);
    p->live[item] = false;
    p->count--;
}

static void pair_move(pair *p, int item, box b)
{
    p->boxes[item] = b;
    kini_tree_move(&p->tree, p->leaves[item], b.lo, b.hi);
}

/* Most moves are small, as those of bodies are. */
static box moved_box(box b, float span)
{
    kin_vec step = random_vec(-0.2f, 0.2f);
    int     kind = random_below(20);
    if (kind == 0) return random_box(span);
    if (kind == 1) return b;
    if (kind == 2) b.hi = kini_upper(b.lo, kini_add(b.hi, step));
    else b.hi = kini_add(b.hi, step);
    if (kind != 2) b.lo = kini_add(b.lo, step);
    b.hi = kini_upper(b.lo, b.hi);
    return b;
}

static int list_collect(const pair *p, box query, int32_t *out)
{
    int i, found = 0;
    for (i = 0; i < MOST_ITEMS; i++)
        if (p->live[i] && kini_boxes_meet(p->boxes[i].lo, p->boxes[i].hi, query.lo, query.hi)) out[found++] = i;
    return found;
}

static bool same_collect(const pair *p, box query)
{
    int32_t want[MOST_ITEMS], got[MOST_ITEMS + 1];
    int     capacity = random_below(3) ? MOST_ITEMS : random_below(20), count, i;
    int     found = list_collect(p, query, want);
    got[capacity] = -7;
    count = kini_tree_collect(&p->tree, query.lo, query.hi, got, capacity);
    if (count != found || got[capacity] != -7) return false;
    for (i = 0; i < found && found <= capacity; i++)
        if (got[i] != want[i]) return false;
    return true;
}

/* ---- sweeps, in double precision ----------------------------------------------------------------------------- */

/* When a swept box, grown by `more` on each side, first meets another; 2 if it does not. */
static double sweep_time(box query, kin_vec travel, box other, double more)
{
    double enter = 0, leave = 1;
    int    axis;
    for (axis = 0; axis < KINEMATIC_DIM; axis++) {
        double t = (double)kini_at(travel, axis);
        double lo = (double)kini_at(other.lo, axis) - (double)kini_at(query.hi, axis) - more;
        double hi = (double)kini_at(other.hi, axis) - (double)kini_at(query.lo, axis) + more, swap;
        if (!(t < 0) && !(t > 0)) {
            if (lo > 0 || hi < 0) return 2;
            continue;
        }
        lo /= t;
        hi /= t;
        if (t < 0) { swap = lo; lo = hi; hi = swap; }
        if (lo > enter) enter = lo;
        if (hi < leave) leave = hi;
    }
    return enter <= leave ? enter : 2;
}

typedef struct visit_log {
    const pair *p;
    box         query;
    kin_vec     travel;
    int         calls[MOST_ITEMS];
    int         total, stop_after;
    double      nearest;
} visit_log;

static float visit_all(void *context, int32_t item)
{
    visit_log *log = (visit_log *)context;
    log->calls[item]++;
    log->total++;
    return log->total == log->stop_after ? -1.0f : 1.0f;
}

static float visit_nearest(void *context, int32_t item)
{
    visit_log *log = (visit_log *)context;
    double     t = sweep_time(log->query, log->travel, log->p->boxes[item], 0);
    log->total++;
    if (t < log->nearest) log->nearest = t;
    return log->nearest < 1 ? (float)log->nearest : 1.0f;
}

static void log_start(visit_log *log, const pair *p, box query, kin_vec travel)
{
    memset(log, 0, sizeof *log);
    log->p = p;
    log->query = query;
    log->travel = travel;
    log->nearest = 2;
}

/* Every item that is met for certain is visited once, none that is missed for certain is visited at all. */
static bool same_visit(const pair *p, box query, kin_vec travel)
{
    visit_log log;
    int       i;
    log_start(&log, p, query, travel);
    kini_tree_visit(&p->tree, query.lo, query.hi, travel, visit_all, &log);
    for (i = 0; i < MOST_ITEMS; i++) {
        bool must = p->live[i] && sweep_time(query, travel, p->boxes[i], 0) < 1.5;
        bool may = p->live[i] && sweep_time(query, travel, p->boxes[i], 1e-4) < 1.5;
        if (log.calls[i] > may || log.calls[i] < must) return false;
    }
    return true;
}

/* A search that shortens itself ends with the nearest item, and does not look at all of them. */
static bool same_nearest(const pair *p, box query, kin_vec travel)
{
    visit_log log;
    double    want = 2;
    int       i;
    log_start(&log, p, query, travel);
    kini_tree_visit(&p->tree, query.lo, query.hi, travel, visit_nearest, &log);
    for (i = 0; i < MOST_ITEMS; i++) {
        double t = p->live[i] ? sweep_time(query, travel, p->boxes[i], 0) : 2;
        if (t < want) want = t;
    }
    return log.nearest - want < 1e-6 && want - log.nearest < 1e-6;
}

static kin_vec random_travel(float span)
{
    kin_vec travel = random_vec(-span, span);
    int     kind = random_below(8), axis = random_below(KINEMATIC_DIM);
    if (kind < 2) travel = kini_with(kini_vec_zero(), axis, kini_at(travel, axis));
    if (kind == 2) travel = kini_with(travel, axis, 0.0f);
    if (kind == 3) travel = kini_vec_zero();
    if (kind == 4) travel = snapped(travel);
    if (kind == 5) travel = kini_scale(travel, 1e-3f);
    return travel;
}

/* ---- a long random life -------------------------------------------------------------------------------------- */

static bool random_query(const pair *p, float span)
{
    box     query = random_box(span);
    kin_vec travel = random_travel(span);
    int     kind = random_below(8);
    if (kind < 4) return same_collect(p, query);
    if (kind < 6) query.hi = query.lo;   /* a ray */
    return kind & 1 ? same_nearest(p, query, travel) : same_visit(p, query, travel);
}

static bool random_operation(pair *p, float span, int aim)
{
    int item = random_below(MOST_ITEMS), kind = random_below(10);
    if (kind < 4) return random_query(p, span);
    if (!p->live[item]) {
        if (p->count < aim || kind == 4) pair_insert(p, item, random_box(span));
    } else if (p->count > aim && kind < 7) {
        pair_remove(p, item);
    } else {
        pair_move(p, item, moved_box(p->boxes[item], span));
    }
    return true;
}

static int operations(void)
{
    const char *given = getenv("KIN_OPS");
    return given ? atoi(given) : 1000000 / TEST_SHARE;
}

UTEST(tree, a_million_random_operations_like_a_list)
{
    pair *p = pair_new();
    int   i, count = operations(), aim = 300, wrong = 0, ill = 0;
    for (i = 0; i < count; i++) {
        if (i % 5000 == 0) {
            int ebb = random_below(6);
            aim = ebb == 0 ? random_below(20) : ebb == 1 ? 700 : 300;   /* also grows and nearly empties */
            ill += !tree_check(&p->tree);
        }
        wrong += !random_operation(p, 40, aim);
    }
    ill += !tree_check(&p->tree);
    ASSERT_EQ(0, wrong);
    ASSERT_EQ(0, ill);
    ASSERT_TRUE(p->tree.nodes.count <= p->tree.nodes.capacity);
    pair_free(p);
}

UTEST(tree, check_after_each_of_some_operations)
{
    pair *p = pair_new();
    int   i, ill = 0;
    for (i = 0; i < 20000 / TEST_SHARE; i++) {
        random_operation(p, 20, i / 1000 % 2 ? 5 : 120);
        ill += !tree_check(&p->tree);
    }
    ASSERT_EQ(0, ill);
    pair_free(p);
}

/* ---- edges --------------------------------------------------------------------------------------------------- */

UTEST(tree, nothing_in_it)
{
    kini_tree tree;
    visit_log log;
    int32_t   out[1];
    memset(&tree, 0, sizeof tree);
    memset(&log, 0, sizeof log);
    ASSERT_TRUE(tree_check(&tree));
    ASSERT_EQ(0, kini_tree_collect(&tree, kini_all(-1), kini_all(1), out, 1));
    kini_tree_visit(&tree, kini_all(-1), kini_all(1), kini_all(1), visit_all, &log);
    ASSERT_EQ(0, log.total);
}

UTEST(tree, empty_again)
{
    pair *p = pair_new();
    box   b;
    int   i, round;
    b.lo = kini_all(0);
    b.hi = kini_all(1);
    for (round = 0; round < 3; round++) {
        for (i = 0; i < 100; i++) pair_insert(p, i, b);
        ASSERT_EQ(100, kini_tree_collect(&p->tree, b.lo, b.hi, NULL, 0));
        for (i = 0; i < 100; i++) pair_remove(p, i);
        ASSERT_EQ(0, kini_tree_collect(&p->tree, b.lo, b.hi, NULL, 0));
        ASSERT_TRUE(tree_check(&p->tree));
    }
    ASSERT_EQ(100, p->tree.leaves.count);
    pair_free(p);
}

UTEST(tree, touching_is_meeting)
{
    pair   *p = pair_new();
    int32_t out[4];
    box     b;
    b.lo = kini_all(1);
    b.hi = kini_all(2);
    pair_insert(p, 5, b);
    ASSERT_EQ(1, kini_tree_collect(&p->tree, kini_all(2), kini_all(3), out, 4));
    ASSERT_EQ(5, out[0]);
    ASSERT_EQ(1, kini_tree_collect(&p->tree, kini_all(0), kini_all(1), out, 4));
    ASSERT_EQ(0, kini_tree_collect(&p->tree, kini_all(2.0000002f), kini_all(3), out, 4));
    ASSERT_EQ(0, kini_tree_collect(&p->tree, kini_all(0), kini_all(0.9999999f), out, 4));
    pair_free(p);
}

UTEST(tree, a_query_as_large_as_floats_go)
{
    pair   *p = pair_new();
    int32_t out[MOST_ITEMS];
    int     i;
    for (i = 0; i < 20; i++) pair_insert(p, i, random_box(1e6f));
    ASSERT_EQ(20, kini_tree_collect(&p->tree, kini_all(-KINI_FLT_MAX), kini_all(KINI_FLT_MAX), out, MOST_ITEMS));
    pair_free(p);
}

UTEST(tree, tiny_and_huge_boxes_together)
{
    pair *p = pair_new();
    int   i, wrong = 0;
    for (i = 0; i < 500; i++) {
        float size = kini_power(0.5f, random_between(0, 60)) * 1e9f;
        box   b;
        b.lo = kini_sub(random_vec(-1000, 1000), random_vec(0, size));
        b.hi = kini_add(kini_upper(b.lo, random_vec(-1000, 1000)), random_vec(0, size));
        pair_insert(p, i, b);
    }
    for (i = 0; i < 1000; i++) wrong += !same_collect(p, random_box(i & 1 ? 1000.0f : 1.0f));
    ASSERT_EQ(0, wrong);
    ASSERT_TRUE(tree_check(&p->tree));
    pair_free(p);
}

/* A ray along a diagonal meets corner after corner exactly; none may be lost to rounding. */
UTEST(tree, a_ray_through_corners)
{
    pair *p = pair_new();
    int   i, wrong = 0;
    for (i = 0; i < 300; i++) {
        box b;
        b.lo = kini_all((float)i * 0.1f);
        b.hi = kini_add(b.lo, i & 1 ? kini_with(kini_vec_zero(), 0, 1.0f) : kini_vec_zero());
        pair_insert(p, i, b);
    }
    for (i = 0; i < 300; i++) {
        visit_log log;
        box       ray;
        ray.lo = ray.hi = kini_all((float)(i - 7) * 0.37f);
        log_start(&log, p, ray, kini_sub(p->boxes[i].lo, ray.lo));
        kini_tree_visit(&p->tree, ray.lo, ray.hi, log.travel, visit_all, &log);
        wrong += log.calls[i] != 1;
    }
    ASSERT_EQ(0, wrong);
    pair_free(p);
}

/* The ray enters the box along one axis at the very moment it leaves it along the other. */
UTEST(tree, a_ray_that_grazes_a_corner)
{
    pair   *p = pair_new();
    kin_vec along = kini_with(kini_vec_zero(), 0, 1.0f), up = kini_with(kini_vec_zero(), 1, 1.0f);
    int     x, y, wrong = 0;
    for (x = 1; x < 100; x++) {
        for (y = 1; y < 100; y++) {
            visit_log log;
            kin_vec   corner = kini_add(kini_scale(along, (float)x), kini_scale(up, (float)y));
            box       b;
            b.lo = kini_sub(corner, up);
            b.hi = kini_add(corner, along);
            pair_insert(p, 0, b);
            log_start(&log, p, b, kini_scale(corner, 2));
            kini_tree_visit(&p->tree, kini_vec_zero(), kini_vec_zero(), log.travel, visit_all, &log);
            wrong += log.total != 1;
            pair_remove(p, 0);
        }
    }
    ASSERT_EQ(0, wrong);
    pair_free(p);
}

static float visit_first_time(void *context, int32_t item)
{
    visit_log *log = (visit_log *)context;
    log->calls[item]++;
    return (float)sweep_time(log->query, log->travel, log->p->boxes[item], 0);
}

/* Of items met at the same time each is visited, so that the caller can choose by number. */
UTEST(tree, a_tie_is_seen)
{
    pair *p = pair_new();
    int   i, wrong = 0;
    for (i = 1; i < 3000 / (TEST_SHARE > 1 ? 5 : 1); i++) {
        visit_log log;
        kin_vec   along = kini_with(kini_vec_zero(), 0, random_between(0.1f, 100.0f));
        box       b;
        b.lo = kini_scale(along, random_between(0.1f, 0.9f));
        b.hi = kini_add(b.lo, kini_all(1));
        pair_insert(p, 0, b);
        pair_insert(p, 1, b);
        log_start(&log, p, b, along);
        log.query.lo = log.query.hi = kini_vec_zero();
        kini_tree_visit(&p->tree, log.query.lo, log.query.hi, along, visit_first_time, &log);
        wrong += log.calls[0] != 1 || log.calls[1] != 1;
        pair_remove(p, 0);
        pair_remove(p, 1);
    }
    ASSERT_EQ(0, wrong);
    pair_free(p);
}

UTEST(tree, a_visit_ends_when_told)
{
    pair     *p = pair_new();
    visit_log log;
    int       i;
    for (i = 0; i < 200; i++) pair_insert(p, i, random_box(10));
    log_start(&log, p, random_box(10), kini_vec_zero());
    log.stop_after = 7;
    kini_tree_visit(&p->tree, kini_all(0), kini_all(20), kini_all(0), visit_all, &log);
    ASSERT_EQ(7, log.total);
    pair_free(p);
}

/* The nearest of 1000 in a row is found without asking for many. */
UTEST(tree, a_ray_goes_front_to_back)
{
    pair     *p = pair_new();
    visit_log log;
    kin_vec   along = kini_with(kini_vec_zero(), 0, 1.0f);
    box       b;
    int       i;
    for (i = 0; i < MOST_ITEMS; i++) {
        b.lo = kini_scale(along, (float)i);
        b.hi = kini_add(b.lo, kini_all(0.5f));
        pair_insert(p, i, b);
    }
    b.lo = b.hi = kini_scale(along, -10.0f);
    log_start(&log, p, b, kini_scale(along, 2000.0f));
    kini_tree_visit(&p->tree, b.lo, b.hi, log.travel, visit_nearest, &log);
    ASSERT_TRUE(log.nearest < 10.001 / 2000 && log.nearest > 9.999 / 2000);
    ASSERT_EQ(1, log.total);
    pair_free(p);
}

/* ---- independence of order and history ----------------------------------------------------------------------- */

static void shuffle(int *order, int count)
{
    int i;
    for (i = 0; i < count; i++) order[i] = i;
    for (i = count - 1; i > 0; i--) {
        int j = random_below(i + 1), swap = order[i];
        order[i] = order[j];
        order[j] = swap;
    }
}

UTEST(tree, results_depend_on_the_boxes_alone)
{
    enum { COUNT = 400 };
    pair   *a = pair_new(), *b = pair_new();
    int     order[COUNT], i, wrong = 0;
    int32_t of_a[COUNT], of_b[COUNT];
    for (i = 0; i < COUNT; i++) pair_insert(a, i, random_box(30));
    shuffle(order, COUNT);
    for (i = 0; i < COUNT; i++) pair_insert(b, order[i], random_box(30));
    for (i = 0; i < 5000 / (TEST_SHARE > 1 ? 5 : 1); i++) random_operation(b, 30, 250);
    shuffle(order, COUNT);
    for (i = 0; i < COUNT; i++) {
        if (b->live[order[i]]) pair_move(b, order[i], a->boxes[order[i]]);
        else pair_insert(b, order[i], a->boxes[order[i]]);
    }
    for (i = COUNT; i < MOST_ITEMS; i++)
        if (b->live[i]) pair_remove(b, i);
    for (i = 0; i < 5000 / (TEST_SHARE > 1 ? 5 : 1); i++) {
        box query = random_box(30);
        memset(of_a, 0, sizeof of_a);
        memset(of_b, 0, sizeof of_b);
        wrong += kini_tree_collect(&a->tree, query.lo, query.hi, of_a, COUNT) !=
                 kini_tree_collect(&b->tree, query.lo, query.hi, of_b, COUNT);
        wrong += memcmp(of_a, of_b, sizeof of_a) != 0;
    }
    ASSERT_EQ(0, wrong);
    pair_free(a);
    pair_free(b);
}

UTEST(tree, a_copy_is_the_same_tree)
{
    pair     *p = pair_new();
    kini_tree copy;
    int       i;
    for (i = 0; i < 3000 / (TEST_SHARE > 1 ? 5 : 1); i++) random_operation(p, 30, 200);
    copy = p->tree;
    tree_reserve(&copy, MOST_ITEMS);
    memcpy(copy.nodes.at, p->tree.nodes.at, (size_t)p->tree.nodes.count * sizeof *copy.nodes.at);
    memcpy(copy.leaves.at, p->tree.leaves.at, (size_t)p->tree.leaves.count * sizeof *copy.leaves.at);
    ASSERT_TRUE(tree_check(&copy));
    for (i = 0; i < MOST_ITEMS; i++) {
        box b = random_box(30);
        if (!p->live[i]) continue;
        kini_tree_move(&copy, p->leaves[i], b.lo, b.hi);
        pair_move(p, i, b);
    }
    ASSERT_EQ(0, memcmp(copy.nodes.at, p->tree.nodes.at, (size_t)p->tree.nodes.count * sizeof *copy.nodes.at));
    ASSERT_EQ(0, memcmp(copy.leaves.at, p->tree.leaves.at, (size_t)p->tree.leaves.count * sizeof *copy.leaves.at));
    tree_free(&copy);
    pair_free(p);
}

/* ---- many items ---------------------------------------------------------------------------------------------- */

enum { MANY = 100000 / TEST_SHARE };

static box *row_of_boxes(int count)
{
    box    *boxes = (box *)malloc((size_t)count * sizeof *boxes);
    kin_vec along = kini_with(kini_vec_zero(), 0, 1.0f), up = kini_with(kini_vec_zero(), 1, 1.0f);
    int     i;
    for (i = 0; i < count; i++) {
        boxes[i].lo = kini_add(kini_scale(along, (float)(i / 100)), kini_scale(up, (float)(i % 100)));
        boxes[i].hi = kini_add(boxes[i].lo, kini_all(0.75f));
    }
    return boxes;
}

/* How many nodes a query looks into: the price of a search without a clock. */
static int nodes_looked_into(const kini_tree *tree, int32_t at, box query)
{
    const kini_node *node = &tree->nodes.at[at];
    int              i, sum = 1;
    for (i = 0; i < node->count && node->level > 0; i++) {
        kin_vec lo = kini_vec_zero(), hi = lo;
        int     axis;
        for (axis = 0; axis < KINEMATIC_DIM; axis++) {
            lo = kini_with(lo, axis, node->lo[axis][i]);
            hi = kini_with(hi, axis, node->hi[axis][i]);
        }
        if (kini_boxes_meet(lo, hi, query.lo, query.hi)) sum += nodes_looked_into(tree, node->child[i], query);
    }
    return sum;
}

static int price_of_queries(const kini_tree *tree, const box *boxes, int count)
{
    int i, sum = 0;
    for (i = 0; i < 1000; i++) sum += nodes_looked_into(tree, 0, boxes[random_below(count)]);
    return sum / 1000;
}

UTEST(tree, sorted_inserts_stay_shallow)
{
    kini_tree tree;
    box      *boxes = row_of_boxes(MANY);
    int32_t   out[4];
    int       i, wrong = 0;
    memset(&tree, 0, sizeof tree);
    tree_reserve(&tree, MANY);
    for (i = 0; i < MANY; i++) kini_tree_insert(&tree, i, boxes[i].lo, boxes[i].hi);
    ASSERT_TRUE(tree_check(&tree));
    ASSERT_TRUE(tree.nodes.at[0].level < 9);
    ASSERT_TRUE(tree.nodes.count < MANY / 3);
    ASSERT_TRUE(price_of_queries(&tree, boxes, MANY) < 30);
    for (i = 0; i < MANY; i++) wrong += kini_tree_collect(&tree, boxes[i].lo, boxes[i].hi, out, 4) != 1 || out[0] != i;
    ASSERT_EQ(0, wrong);
    for (i = 0; i < MANY; i++) kini_tree_remove(&tree, i);
    ASSERT_TRUE(tree_check(&tree));
    tree_free(&tree);
    free(boxes);
}

/* A thousand steps of bodies that walk about do not spoil the tree. */
UTEST(tree, motion_keeps_the_tree_good)
{
    pair    *p = pair_new();
    kin_vec *steps = (kin_vec *)malloc(MOST_ITEMS * sizeof *steps);
    int      i, step, before;
    for (i = 0; i < MOST_ITEMS; i++) {
        box b;
        b.lo = random_vec(0, 30);
        b.hi = kini_add(b.lo, kini_all(1));
        steps[i] = random_vec(-0.05f, 0.05f);
        pair_insert(p, i, b);
    }
    before = price_of_queries(&p->tree, p->boxes, MOST_ITEMS);
    for (step = 0; step < 1000 / TEST_SHARE; step++) {
        for (i = 0; i < MOST_ITEMS; i++) {
            box b = p->boxes[i];
            int axis;
            for (axis = 0; axis < KINEMATIC_DIM; axis++)
                if (kini_at(b.lo, axis) < 0 || kini_at(b.lo, axis) > 30)   /* back inside */
                    steps[i] = kini_with(steps[i], axis, kini_at(b.lo, axis) < 0 ? 0.03f : -0.03f);
            b.lo = kini_add(b.lo, steps[i]);
            b.hi = kini_add(b.lo, kini_all(1));
            pair_move(p, i, b);
        }
    }
    ASSERT_TRUE(tree_check(&p->tree));
    ASSERT_TRUE(price_of_queries(&p->tree, p->boxes, MOST_ITEMS) <= 2 * before);
    free(steps);
    pair_free(p);
}

/* ---- bulk building ------------------------------------------------------------------------------------------- */

static void box_of(const void *boxes, int32_t item, kin_vec *lo, kin_vec *hi)
{
    *lo = ((const box *)boxes)[item].lo;
    *hi = ((const box *)boxes)[item].hi;
}

static kini_tree built(const box *boxes, int count)
{
    kini_tree tree;
    int       i;
    memset(&tree, 0, sizeof tree);
    tree_reserve(&tree, count + 1);
    tree.nodes.capacity = count / 5 + 2;
    tree.nodes.at = (kini_node *)realloc(tree.nodes.at, (size_t)tree.nodes.capacity * sizeof *tree.nodes.at);
    for (i = 0; i < count; i++) tree.leaves.at[i].item = i;
    tree.leaves.count = count;
    kini_tree_build(&tree, box_of, boxes);
    return tree;
}

UTEST(tree, build_of_every_small_size)
{
    static box boxes[700];
    int32_t    out[700];
    int        count, i, wrong = 0;
    for (i = 0; i < 700; i++) boxes[i] = random_box(20);
    for (count = 0; count < 700; count += TEST_SHARE > 1 ? 7 : 1) {
        kini_tree tree = built(boxes, count);
        wrong += !tree_check(&tree);
        wrong += kini_tree_collect(&tree, kini_all(-1), kini_all(100), out, 700) != count;
        for (i = 0; i < count; i++) wrong += out[i] != i;
        tree_free(&tree);
    }
    ASSERT_EQ(0, wrong);
}

UTEST(tree, build_of_many)
{
    box      *boxes = row_of_boxes(MANY);
    kini_tree tree = built(boxes, MANY), again = built(boxes, MANY);
    int32_t   out[4];
    int       i, wrong = 0;
    ASSERT_TRUE(tree_check(&tree));
    ASSERT_TRUE(price_of_queries(&tree, boxes, MANY) < 12);
    for (i = 0; i < MANY; i++) wrong += kini_tree_collect(&tree, boxes[i].lo, boxes[i].hi, out, 4) != 1 || out[0] != i;
    ASSERT_EQ(0, wrong);
    ASSERT_EQ(0, memcmp(tree.nodes.at, again.nodes.at, (size_t)tree.nodes.count * sizeof *tree.nodes.at));
    tree_free(&tree);
    tree_free(&again);
    free(boxes);
}

UTEST(tree, build_of_equal_boxes)
{
    box      *boxes = (box *)calloc(MANY, sizeof *boxes);
    kini_tree tree = built(boxes, MANY);
    ASSERT_TRUE(tree_check(&tree));
    ASSERT_EQ((int)MANY, kini_tree_collect(&tree, kini_all(0), kini_all(0), NULL, 0));
    tree_free(&tree);
    free(boxes);
}

/* A built tree lives on like any other. */
UTEST(tree, build_then_change)
{
    pair     *p = pair_new();
    kini_tree tree;
    int       i, wrong = 0;
    for (i = 0; i < 300; i++) p->boxes[i] = random_box(30);
    tree = built(p->boxes, 300);
    memcpy(p->tree.nodes.at, tree.nodes.at, (size_t)tree.nodes.count * sizeof *tree.nodes.at);
    memcpy(p->tree.leaves.at, tree.leaves.at, 300 * sizeof *tree.leaves.at);
    p->tree.nodes.count = tree.nodes.count;
    p->tree.leaves.count = 300;
    for (i = 0; i < 300; i++) {
        p->live[p->tree.leaves.at[i].item] = true;
        p->leaves[p->tree.leaves.at[i].item] = i;
    }
    p->count = 300;
    for (i = 0; i < 20000 / TEST_SHARE; i++) wrong += !random_operation(p, 30, 200);
    ASSERT_EQ(0, wrong);
    ASSERT_TRUE(tree_check(&p->tree));
    tree_free(&tree);
    pair_free(p);
}

/* ---- trees from outside -------------------------------------------------------------------------------------- */

/* A tree of three levels or more, with free nodes and free leaves in it. */
static pair *worn_pair(void)
{
    pair *p = pair_new();
    int   i;
    random_state = 99;
    for (i = 0; i < 500; i++) pair_insert(p, i, random_box(30));
    for (i = 0; i < 500; i += 2) pair_remove(p, i);
    return p;
}

static kini_node *first_bottom(const kini_tree *tree, kini_node *node)
{
    while (node->level > 0) node = &tree->nodes.at[node->child[0]];
    return node;
}

#define REJECTED(change, undo)                     \
    do {                                           \
        EXPECT_TRUE(tree_check(tree));        \
        change;                                    \
        EXPECT_FALSE(tree_check(tree));       \
        undo;                                      \
    } while (0)

#define REJECTED_VALUE(place, value)               \
    do {                                           \
        int32_t kept = place;                      \
        REJECTED(place = (value), place = kept);   \
    } while (0)

UTEST(tree, check_notices_wrong_numbers)
{
    pair      *p = worn_pair();
    kini_tree *tree = &p->tree;
    kini_node *root = &tree->nodes.at[0], *inner = &tree->nodes.at[root->child[1]], *low = first_bottom(tree, inner);
    int        leaf = low->child[0];
    ASSERT_LE(2, root->level);
    ASSERT_NE(0, tree->free_node);
    ASSERT_NE(0, tree->free_leaf);
    REJECTED_VALUE(root->child[1], 100000);
    REJECTED_VALUE(root->child[1], -2);
    REJECTED_VALUE(root->child[1], 0);                 /* a circle */
    REJECTED_VALUE(root->child[1], root->child[0]);    /* one child twice */
    REJECTED_VALUE(inner->child[0], root->child[1]);
    REJECTED_VALUE(low->child[0], 100000);
    REJECTED_VALUE(low->child[0], -1);
    REJECTED_VALUE(low->child[0], low->child[1]);
    REJECTED_VALUE(inner->parent, inner->child[0]);
    REJECTED_VALUE(inner->parent, 1 << 30);
    REJECTED_VALUE(inner->lane, 0);
    REJECTED_VALUE(inner->lane, -1);
    REJECTED_VALUE(inner->lane, KINI_LANES);
    REJECTED_VALUE(root->parent, 0);
    REJECTED_VALUE(inner->count, 0);
    REJECTED_VALUE(inner->count, 9);
    REJECTED_VALUE(inner->count, inner->count - 1);
    REJECTED_VALUE(inner->level, 0);
    REJECTED_VALUE(inner->level, inner->level + 1);
    REJECTED_VALUE(inner->level, -1);
    REJECTED_VALUE(inner->level, -2);
    REJECTED_VALUE(root->level, -1);
    REJECTED_VALUE(root->level, root->level + 1);
    REJECTED_VALUE(tree->leaves.at[leaf].home, 1 << 30);
    REJECTED_VALUE(tree->leaves.at[leaf].home, -1);
    REJECTED_VALUE(tree->leaves.at[leaf].home, -9);
    REJECTED_VALUE(tree->leaves.at[leaf].home, tree->leaves.at[low->child[1]].home);
    pair_free(p);
}

UTEST(tree, check_notices_wrong_lists)
{
    pair      *p = worn_pair();
    kini_tree *tree = &p->tree;
    int        second = tree->nodes.at[tree->free_node].parent;
    REJECTED_VALUE(tree->free_node, 0);
    REJECTED_VALUE(tree->free_node, -1);
    REJECTED_VALUE(tree->free_node, 1 << 30);
    REJECTED_VALUE(tree->free_node, tree->nodes.at[0].child[0]);
    REJECTED_VALUE(tree->nodes.at[tree->free_node].parent, tree->free_node);
    REJECTED_VALUE(tree->nodes.at[second].parent, tree->free_node);
    REJECTED_VALUE(tree->nodes.at[second].parent, -5);
    REJECTED_VALUE(tree->free_leaf, 0);
    REJECTED_VALUE(tree->free_leaf, -1);
    REJECTED_VALUE(tree->free_leaf, 1 << 30);
    REJECTED_VALUE(tree->free_leaf, 2);   /* leaf 1 is in use */
    REJECTED_VALUE(tree->leaves.at[tree->free_leaf - 1].item, tree->free_leaf);
    REJECTED_VALUE(tree->nodes.count, -1);
    REJECTED_VALUE(tree->nodes.count, tree->nodes.capacity + 1);
    REJECTED_VALUE(tree->nodes.count, 0);
    REJECTED_VALUE(tree->leaves.count, -1);
    REJECTED_VALUE(tree->leaves.count, tree->leaves.capacity + 1);
    REJECTED_VALUE(tree->leaves.count, 3);
    pair_free(p);
}

#define REJECTED_BOUND(place, value)               \
    do {                                           \
        float was = place;                         \
        REJECTED(place = (value), place = was);    \
    } while (0)

UTEST(tree, check_notices_wrong_boxes)
{
    pair      *p = worn_pair();
    kini_tree *tree = &p->tree;
    kini_node *root = &tree->nodes.at[0], *inner = &tree->nodes.at[root->child[1]], *low = first_bottom(tree, inner);
    float      nan = KINI_FLT_MAX;
    int        axis, spare = KINI_LANES - 1;
    nan += nan;
    nan -= nan;
    while (low->count == KINI_LANES) low = &tree->nodes.at[tree->nodes.at[low->parent].child[low->lane + 1]];
    for (axis = 0; axis < KINEMATIC_DIM; axis++) {
        REJECTED_BOUND(root->lo[axis][1], root->lo[axis][1] - 1);
        REJECTED_BOUND(root->lo[axis][1], root->lo[axis][1] + 1);
        REJECTED_BOUND(inner->hi[axis][0], inner->hi[axis][0] - 0.001f);
        REJECTED_BOUND(inner->hi[axis][0], inner->hi[axis][0] + 0.001f);
        REJECTED_BOUND(low->lo[axis][0], nan);
        REJECTED_BOUND(low->hi[axis][0], nan);
        REJECTED_BOUND(low->lo[axis][0], low->hi[axis][0] + 1);
        REJECTED_BOUND(low->hi[axis][0], 2 * KINI_FLT_MAX);
        ASSERT_EQ(-1, low->child[spare]);
    }
    REJECTED_VALUE(low->child[spare], 3);
    for (axis = 0; axis < KINEMATIC_DIM; axis++) low->lo[axis][spare] = low->hi[axis][spare] = 0;   /* not empty */
    EXPECT_FALSE(tree_check(tree));
    pair_free(p);
}

UTEST(tree, check_notices_wrong_counts)
{
    kini_tree  empty, *tree = &empty;
    pair      *p = pair_new();
    box        b;
    int        i;
    memset(tree, 0, sizeof *tree);
    REJECTED_VALUE(tree->nodes.count, -1);
    REJECTED_VALUE(tree->nodes.count, 1);
    REJECTED_VALUE(tree->leaves.count, -1);
    REJECTED_VALUE(tree->leaves.count, 1);
    tree->nodes.capacity = 1 << 29;
    REJECTED_VALUE(tree->nodes.count, 1 << 29);   /* more than a leaf's home can tell */
    tree = &p->tree;
    b.lo = b.hi = kini_all(1);
    pair_insert(p, 0, b);
    pair_remove(p, 0);
    REJECTED_VALUE(tree->nodes.at[0].level, -1);
    REJECTED_VALUE(tree->nodes.at[0].level, -2);
    REJECTED_VALUE(tree->nodes.at[0].level, 1);
    REJECTED_VALUE(tree->nodes.at[0].count, -1);
    for (i = 0; i < KINI_LANES; i++) pair_insert(p, i, b);
    REJECTED_VALUE(tree->nodes.at[0].count, KINI_LANES + 1);
    REJECTED_VALUE(tree->nodes.at[0].count, KINI_LANES - 1);
    REJECTED_BOUND(tree->nodes.at[0].lo[0][0], -2 * KINI_FLT_MAX);
    REJECTED_BOUND(tree->nodes.at[0].hi[0][0], 2 * KINI_FLT_MAX);
    kini_raise_root(tree);
    EXPECT_FALSE(tree_check(tree));   /* a root with one child */
    pair_free(p);
}

/* Takes a child of a child of the root away, as if it had never been there. */
static int32_t cut_off(kini_tree *tree)
{
    int32_t    at, child, lane = 0;
    kini_node *node;
    while (tree->nodes.at[tree->nodes.at[0].child[lane]].count == KINI_LANES_LEAST) lane++;
    at = tree->nodes.at[0].child[lane];
    node = &tree->nodes.at[at];
    child = node->child[node->count - 1];
    kini_drop_lane(tree, at, node->count - 1);
    kini_refit(tree, at);
    return child;
}

/* All is as it should be, but a part cannot be reached. */
UTEST(tree, check_notices_what_is_cut_off)
{
    pair      *p = worn_pair();
    kini_tree *tree = &p->tree;
    kini_node *spare = &tree->nodes.at[tree->free_node];
    int32_t    child = cut_off(tree);
    EXPECT_FALSE(tree_check(tree));
    spare->count = KINI_LANES;
    spare->child[2] = child;
    tree->nodes.at[child].parent = tree->free_node;   /* it hangs on a free node */
    tree->nodes.at[child].lane = 2;
    EXPECT_FALSE(tree_check(tree));
    pair_free(p);
}

UTEST(tree, check_notices_a_child_that_is_there_twice)
{
    pair       *p = worn_pair();
    kini_tree  *tree = &p->tree;
    kini_node  *root = &tree->nodes.at[0], *inner = &tree->nodes.at[root->child[1]], *low = first_bottom(tree, inner);
    kini_branch twin = kini_get_branch(root, 1);
    ASSERT_TRUE(root->count < KINI_LANES);
    kini_lane_set(root, root->count, twin.lo, twin.hi);
    root->child[root->count++] = twin.child;
    EXPECT_FALSE(tree_check(tree));
    kini_drop_lane(tree, 0, root->count - 1);
    EXPECT_TRUE(tree_check(tree));
    while (low->count == KINI_LANES) low = &tree->nodes.at[tree->nodes.at[low->parent].child[low->lane + 1]];
    twin = kini_get_branch(low, 0);
    kini_lane_set(low, low->count, twin.lo, twin.hi);
    low->child[low->count++] = twin.child;
    EXPECT_FALSE(tree_check(tree));
    pair_free(p);
}

/* The list of free nodes is as long as it should be, yet ends with nodes in use. */
UTEST(tree, check_notices_nodes_in_use_on_the_free_list)
{
    pair      *p = worn_pair();
    kini_tree *tree = &p->tree;
    kini_node *low = first_bottom(tree, &tree->nodes.at[0]);
    int32_t   *link = &tree->free_node, at, left = 0;
    for (at = tree->free_node; at != 0; at = tree->nodes.at[at].parent) left++;
    left -= tree->nodes.at[0].level;   /* from there it goes up to the root, which is 0 */
    ASSERT_TRUE(left >= 0);
    while (left-- > 0) link = &tree->nodes.at[*link].parent;
    *link = (int32_t)(low - tree->nodes.at);
    EXPECT_FALSE(tree_check(tree));
    pair_free(p);
}

/* A leaf that says it is where there is a node of the same number. */
UTEST(tree, check_notices_a_leaf_between_nodes)
{
    pair      *p = worn_pair();
    kini_tree *tree = &p->tree;
    int32_t   *link;
    int        at, lane, tried = 0;
    for (at = 0; at < tree->nodes.count && tried == 0; at++) {
        for (lane = 0; lane < tree->nodes.at[at].count && tree->nodes.at[at].level > 0; lane++) {
            int leaf = tree->nodes.at[at].child[lane];
            if (tried || tree->leaves.at[leaf].home != -1) continue;
            for (link = &tree->free_leaf; *link != leaf + 1; link = &tree->leaves.at[*link - 1].item) {}
            *link = tree->leaves.at[leaf].item;
            tree->leaves.at[leaf].home = at * KINI_LANES + lane;
            tried++;
        }
    }
    ASSERT_EQ(1, tried);
    EXPECT_FALSE(tree_check(tree));
    pair_free(p);
}

/* Whatever the bytes are: the check ends, and a tree that passes can be used. */
UTEST(tree, check_of_random_damage)
{
    pair   *p = worn_pair();
    size_t  node_words = (size_t)p->tree.nodes.count * sizeof(kini_node) / 4;
    size_t  leaf_words = (size_t)p->tree.leaves.count * sizeof(kini_leaf) / 4;
    int     i, passed = 0, rounds = 40000 / TEST_SHARE;
    int32_t out[MOST_ITEMS];
    for (i = 0; i < rounds; i++) {
        bool     in_nodes = random_below(4) > 0;
        size_t   at = random_bits() % (in_nodes ? node_words : leaf_words);
        char    *place = (in_nodes ? (char *)p->tree.nodes.at : (char *)p->tree.leaves.at) + 4 * at;
        uint32_t kept, value;
        memcpy(&kept, place, 4);
        value = random_below(2) ? random_bits() : (uint32_t)random_below(300);
        if (random_below(2)) value = kept ^ (uint32_t)1 << random_below(32);
        memcpy(place, &value, 4);
        if (tree_check(&p->tree)) {
            kini_tree_collect(&p->tree, kini_all(-100), kini_all(100), out, MOST_ITEMS);
            passed += value != kept;
        }
        memcpy(place, &kept, 4);
    }
    ASSERT_TRUE(tree_check(&p->tree));
    ASSERT_TRUE(passed < rounds / 2);   /* items, bounds inside larger ones and free rows may be anything */
    pair_free(p);
}

UTEST_MAIN()
