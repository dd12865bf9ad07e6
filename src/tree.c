/* SPDX-License-Identifier: MIT OR Unlicense

   tree.c: the broad phase. Finds the boxes that meet a box, a swept box or a ray.

   An R-tree with eight boxes to a node (Guttman, "R-trees: a dynamic index structure for spatial searching", 1984), all
   tested at once; all leaves are equally deep. Results depend on the items' boxes alone, never on the tree's shape. */
#include "broad.h"

enum { KINI_TREE_STACK = 7 * KINI_TREE_LEVELS + 8 };   /* a search leaves at most seven siblings behind on each level */
enum { KINI_TREE_GATHER = KINI_LANES + KINI_LANES_LEAST - 1 };   /* most children that two nodes share out again */

/* A child on its way from one node to another. */
typedef struct kini_branch { kin_vec lo, hi; int32_t child; } kini_branch;

/* ---- lanes --------------------------------------------------------------------------------------------------- */

/* Four boxes at once. Comparing is exact everywhere, so this changes the speed and nothing else. */
#ifdef KINI_QUADS
typedef float   kini_quad __attribute__((vector_size(16), aligned(4), may_alias));
typedef int32_t kini_quad_bits __attribute__((vector_size(16)));

static inline kini_quad_bits kini_quad_meets(const float *lo, const float *hi, float query_lo, float query_hi)
{
    return ~(*(const kini_quad *)hi < query_lo) & (*(const kini_quad *)lo <= query_hi);   /* so, SSE needs no copies */
}

static inline uint32_t kini_quad_lanes(const kini_node *node, int at, kin_vec lo, kin_vec hi)
{
    kini_quad_bits bits = kini_quad_meets(node->lo[0] + at, node->hi[0] + at, lo.x, hi.x);
    int            axis;
    for (axis = 1; axis < KINI_DIM; axis++)
        bits &= kini_quad_meets(node->lo[axis] + at, node->hi[axis] + at, kini_at(lo, axis), kini_at(hi, axis));
#ifdef __SSE2__
    return (uint32_t)__builtin_ia32_movmskps((kini_quad)bits);
#else
    return ((uint32_t)bits[0] & 1) | ((uint32_t)bits[1] & 2) | ((uint32_t)bits[2] & 4) | ((uint32_t)bits[3] & 8);
#endif
}
#endif

/* One bit for each lane whose box meets lo..hi. */
static inline uint32_t kini_lanes_meeting(const kini_node *node, kin_vec lo, kin_vec hi)
{
#ifdef KINI_QUADS
    return kini_quad_lanes(node, 0, lo, hi) | kini_quad_lanes(node, 4, lo, hi) << 4;
#else
    uint32_t lanes = 0;
    int      i;
    for (i = 0; i < node->count; i++)
        if (kini_boxes_meet(kini_lane_lo(node, i), kini_lane_hi(node, i), lo, hi)) lanes |= (uint32_t)1 << i;
    return lanes;
#endif
}

static inline int kini_first_lane(uint32_t lanes)
{
#if defined(__GNUC__)
    return __builtin_ctz(lanes);
#else
    int lane = 0;
    for (; !(lanes & 1); lanes >>= 1) lane++;
    return lane;
#endif
}

static inline void kini_lane_set(kini_node *node, int lane, kin_vec lo, kin_vec hi)
{
    int axis;
    for (axis = 0; axis < KINI_DIM; axis++) {
        node->lo[axis][lane] = kini_at(lo, axis);
        node->hi[axis][lane] = kini_at(hi, axis);
    }
}

static inline float kini_infinity(void) { float a = KINI_FLT_MAX; return a + a; }

/* The sum of the edges: unlike area or volume it tells flat boxes from thin ones, and does not overflow. */
static inline float kini_box_size(kin_vec lo, kin_vec hi) { return kini_dot(kini_sub(hi, lo), kini_all(1)); }

static inline float kini_joint_size(const kini_node *node, int lane, kin_vec lo, kin_vec hi)
{
    return kini_box_size(kini_lower(lo, kini_lane_lo(node, lane)), kini_upper(hi, kini_lane_hi(node, lane)));
}

/* ---- nodes and their children -------------------------------------------------------------------------------- */

static void kini_clear_lane(kini_node *node, int lane)
{
    kini_lane_set(node, lane, kini_all(kini_infinity()), kini_all(-kini_infinity()));
    node->child[lane] = -1;
}

static int32_t kini_take_node(kini_tree *tree, int32_t level)
{
    int32_t    at = tree->free_node ? tree->free_node : tree->nodes.count;
    kini_node *node = &tree->nodes.at[at];
    int        i;
    if (tree->free_node) tree->free_node = node->parent;
    else tree->nodes.count++;
    KINEMATIC_ASSERT(tree->nodes.count <= tree->nodes.capacity);
    node->parent = node->lane = -1;
    node->count = 0;
    node->level = level;
    for (i = 0; i < KINI_LANES; i++) kini_clear_lane(node, i);
    return at;
}

static void kini_give_node(kini_tree *tree, int32_t at)
{
    tree->nodes.at[at].level = -1;
    tree->nodes.at[at].parent = tree->free_node;
    tree->free_node = at;
}

static kini_branch kini_get_branch(const kini_node *node, int lane)
{
    kini_branch branch;
    branch.lo = kini_lane_lo(node, lane);
    branch.hi = kini_lane_hi(node, lane);
    branch.child = node->child[lane];
    return branch;
}

/* All children of a node; returns their number. */
static int kini_get_branches(const kini_node *node, kini_branch *out)
{
    int i;
    for (i = 0; i < node->count; i++) out[i] = kini_get_branch(node, i);
    return node->count;
}

/* A node as a child for its parent. */
static kini_branch kini_branch_of(const kini_tree *tree, int32_t at)
{
    const kini_node *node = &tree->nodes.at[at];
    kini_branch      branch = kini_get_branch(node, 0);
    int              i;
    for (i = 1; i < node->count; i++) {
        branch.lo = kini_lower(branch.lo, kini_lane_lo(node, i));
        branch.hi = kini_upper(branch.hi, kini_lane_hi(node, i));
    }
    branch.child = at;
    return branch;
}

static void kini_put_branch(kini_tree *tree, int32_t at, int lane, const kini_branch *branch)
{
    kini_node *node = &tree->nodes.at[at];
    kini_lane_set(node, lane, branch->lo, branch->hi);
    node->child[lane] = branch->child;
    if (node->level == 0) {
        tree->leaves.at[branch->child].home = at * KINI_LANES + lane;
        return;
    }
    tree->nodes.at[branch->child].parent = at;
    tree->nodes.at[branch->child].lane = lane;
}

static void kini_drop_lane(kini_tree *tree, int32_t at, int lane)
{
    kini_node  *node = &tree->nodes.at[at];
    int         last = --node->count;
    kini_branch moved = kini_get_branch(node, last);
    kini_clear_lane(node, last);
    if (lane != last) kini_put_branch(tree, at, lane, &moved);
}

static void kini_fill_node(kini_tree *tree, int32_t at, const kini_branch *branches, int count)
{
    int i;
    while (tree->nodes.at[at].count > count) kini_drop_lane(tree, at, tree->nodes.at[at].count - 1);
    tree->nodes.at[at].count = count;
    for (i = 0; i < count; i++) kini_put_branch(tree, at, i, &branches[i]);
}

/* Updates a node's box in its parent; false if that did not change. */
static bool kini_refit(kini_tree *tree, int32_t at)
{
    const kini_node *node = &tree->nodes.at[at];
    kini_node       *parent = &tree->nodes.at[node->parent];
    kini_branch      was = kini_get_branch(parent, node->lane), is = kini_branch_of(tree, at);
    if (kini_box_holds(is.lo, is.hi, was.lo, was.hi) && kini_box_holds(was.lo, was.hi, is.lo, is.hi)) return false;
    kini_lane_set(parent, node->lane, is.lo, is.hi);
    return true;
}

/* ---- sharing children out between two nodes ------------------------------------------------------------------ */

static void kini_sort_branches(kini_branch *branches, int count, int axis)
{
    KINI_SORT(kini_branch, branches, count,
              kini_at(a->lo, axis) + kini_at(a->hi, axis) < kini_at(b->lo, axis) + kini_at(b->hi, axis));
}

static float kini_branches_size(const kini_branch *branches, int count)
{
    kin_vec lo = branches[0].lo, hi = branches[0].hi;
    int     i;
    for (i = 1; i < count; i++) {
        lo = kini_lower(lo, branches[i].lo);
        hi = kini_upper(hi, branches[i].hi);
    }
    return kini_box_size(lo, hi);
}

/* Sorts the branches so that both halves are small; returns how many are in the first. */
static int kini_divide(kini_branch *branches, int count)
{
    float least = kini_infinity();
    int   axis, best = 0, half = count / 2;
    for (axis = 0; axis < KINI_DIM; axis++) {
        float size;
        kini_sort_branches(branches, count, axis);
        size = kini_branches_size(branches, half) + kini_branches_size(branches + half, count - half);
        if (size < least) { least = size; best = axis; }
    }
    kini_sort_branches(branches, count, best);
    return half;
}

/* ---- growing ------------------------------------------------------------------------------------------------- */

/* Puts a new level under the root, which stays node 0. Returns the node that has the root's children now. */
static int32_t kini_raise_root(kini_tree *tree)
{
    kini_node  *root = &tree->nodes.at[0];
    int32_t     below = kini_take_node(tree, root->level);
    kini_branch all[KINI_LANES], whole;
    kini_fill_node(tree, below, all, kini_get_branches(root, all));
    whole = kini_branch_of(tree, below);
    root->level++;
    kini_fill_node(tree, 0, &whole, 1);
    return below;
}

/* Splits a full node and one more child in two. Returns the new node as a child for the parent. */
static kini_branch kini_split(kini_tree *tree, int32_t at, kini_branch extra)
{
    kini_branch all[KINI_LANES + 1];
    int         count = kini_get_branches(&tree->nodes.at[at], all), cut;
    int32_t     fresh = kini_take_node(tree, tree->nodes.at[at].level);
    all[count++] = extra;
    cut = kini_divide(all, count);
    kini_fill_node(tree, fresh, all + cut, count - cut);
    kini_fill_node(tree, at, all, cut);
    kini_refit(tree, at);
    return kini_branch_of(tree, fresh);
}

/* The child that grows least by taking in lo..hi; of equals the smaller one. */
static int kini_best_lane(const kini_node *node, kin_vec lo, kin_vec hi)
{
    float best = kini_infinity(), best_size = best;
    int   i, lane = 0;
    for (i = 0; i < node->count; i++) {
        float size = kini_box_size(kini_lane_lo(node, i), kini_lane_hi(node, i));
        float growth = kini_joint_size(node, i, lo, hi) - size;
        if (growth > best || (!(growth < best) && !(size < best_size))) continue;
        best = growth;
        best_size = size;
        lane = i;
    }
    return lane;
}

static void kini_attach_leaf(kini_tree *tree, int32_t leaf, kin_vec lo, kin_vec hi)
{
    int32_t     at = 0;
    kini_branch branch;
    while (tree->nodes.at[at].level > 0) {
        kini_node *node = &tree->nodes.at[at];
        int        lane = kini_best_lane(node, lo, hi);
        kini_lane_set(node, lane, kini_lower(lo, kini_lane_lo(node, lane)), kini_upper(hi, kini_lane_hi(node, lane)));
        at = node->child[lane];
    }
    branch.lo = lo;
    branch.hi = hi;
    branch.child = leaf;
    while (tree->nodes.at[at].count == KINI_LANES) {
        if (at == 0) at = kini_raise_root(tree);
        branch = kini_split(tree, at, branch);
        at = tree->nodes.at[at].parent;
    }
    kini_put_branch(tree, at, tree->nodes.at[at].count++, &branch);
}

/* ---- shrinking ----------------------------------------------------------------------------------------------- */

/* Joins an underfull node with a sibling, or shares their children out between both. */
static void kini_join(kini_tree *tree, int32_t at)
{
    kini_node  *node = &tree->nodes.at[at], *parent = &tree->nodes.at[node->parent], *sibling;
    int         count, lane = node->lane == 0;
    kini_branch all[KINI_TREE_GATHER];
    sibling = &tree->nodes.at[parent->child[lane]];
    count = kini_get_branches(sibling, all);
    count += kini_get_branches(node, all + count);
    if (count > KINI_LANES) {
        int cut = kini_divide(all, count);
        kini_fill_node(tree, at, all + cut, count - cut);
        kini_refit(tree, at);
        count = cut;
    }
    kini_fill_node(tree, parent->child[lane], all, count);
    kini_refit(tree, parent->child[lane]);
    if (node->count >= KINI_LANES_LEAST) return;
    kini_drop_lane(tree, node->parent, node->lane);
    kini_give_node(tree, at);
}

/* Repairs the nodes from `at` to the root after a child of `at` was removed or has a new box. */
static void kini_settle(kini_tree *tree, int32_t at)
{
    kini_node  *root = &tree->nodes.at[0];
    kini_branch all[KINI_LANES];
    while (at != 0) {
        int32_t parent = tree->nodes.at[at].parent;
        if (tree->nodes.at[at].count < KINI_LANES_LEAST) kini_join(tree, at);
        else if (!kini_refit(tree, at)) return;
        at = parent;
    }
    if (root->level == 0 || root->count != 1) return;
    at = root->child[0];   /* its children become the root's */
    root->level--;
    kini_fill_node(tree, 0, all, kini_get_branches(&tree->nodes.at[at], all));
    kini_give_node(tree, at);
}

/* May the leaf stay in its node with this box? Yes if each node that grows for it stays within half of its parent. */
static bool kini_may_stay(const kini_tree *tree, int32_t at, kin_vec lo, kin_vec hi)
{
    while (at != 0) {
        const kini_node *node = &tree->nodes.at[at], *parent = &tree->nodes.at[node->parent];
        kini_branch      outer;
        if (kini_box_holds(kini_lane_lo(parent, node->lane), kini_lane_hi(parent, node->lane), lo, hi)) return true;
        outer = kini_branch_of(tree, node->parent);
        if (2 * kini_joint_size(parent, node->lane, lo, hi) > kini_box_size(outer.lo, outer.hi)) return false;
        at = node->parent;
    }
    return true;
}

KINI_PART int32_t kini_tree_insert(kini_tree *tree, int32_t item, kin_vec lo, kin_vec hi)
{
    int32_t leaf = tree->free_leaf ? tree->free_leaf - 1 : tree->leaves.count;
    if (tree->free_leaf) tree->free_leaf = tree->leaves.at[leaf].item;
    else tree->leaves.count++;
    KINEMATIC_ASSERT(tree->leaves.count <= tree->leaves.capacity);
    if (tree->nodes.count == 0) kini_take_node(tree, 0);
    tree->leaves.at[leaf].item = item;
    kini_attach_leaf(tree, leaf, lo, hi);
    return leaf;
}

KINI_PART void kini_tree_move(kini_tree *tree, int32_t leaf, kin_vec lo, kin_vec hi)
{
    int32_t    home = tree->leaves.at[leaf].home, at = home / KINI_LANES;
    int        lane = home % KINI_LANES;
    kini_node *node = &tree->nodes.at[at];
    kin_vec    old_lo = kini_lane_lo(node, lane), old_hi = kini_lane_hi(node, lane);
    if (kini_box_holds(lo, hi, old_lo, old_hi) && kini_box_holds(old_lo, old_hi, lo, hi)) return;
    if (kini_may_stay(tree, at, lo, hi)) {
        kini_lane_set(node, lane, lo, hi);
        kini_settle(tree, at);
        return;
    }
    kini_drop_lane(tree, at, lane);
    kini_settle(tree, at);
    kini_attach_leaf(tree, leaf, lo, hi);
}

KINI_PART void kini_tree_remove(kini_tree *tree, int32_t leaf)
{
    int32_t home = tree->leaves.at[leaf].home;
    kini_drop_lane(tree, home / KINI_LANES, home % KINI_LANES);
    kini_settle(tree, home / KINI_LANES);
    tree->leaves.at[leaf].home = -1;
    tree->leaves.at[leaf].item = tree->free_leaf;
    tree->free_leaf = leaf + 1;
}

/* ---- queries ------------------------------------------------------------------------------------------------- */

KINI_PART void kini_sort_items(int32_t *items, int count)
{
    KINI_SORT(int32_t, items, count, *a < *b);
}

KINI_PART int kini_tree_collect(const kini_tree *tree, kin_vec lo, kin_vec hi, int32_t *out, int capacity)
{
    const kini_node *nodes = tree->nodes.at, *node = nodes;
    int32_t          stack[KINI_TREE_STACK];
    int              top = 0, found = 0;
    if (tree->nodes.count == 0) return 0;
    for (;;) {
        uint32_t lanes = kini_lanes_meeting(node, lo, hi);
        if (node->level > 0 && lanes) {
            int32_t next = node->child[kini_first_lane(lanes)];
            for (lanes &= lanes - 1; lanes; lanes &= lanes - 1) stack[top++] = node->child[kini_first_lane(lanes)];
            node = &nodes[next];
            continue;
        }
        for (; lanes; lanes &= lanes - 1) {
            if (found < capacity) out[found] = tree->leaves.at[node->child[kini_first_lane(lanes)]].item;
            found++;
        }
        if (top == 0) break;
        node = &nodes[stack[--top]];
    }
    if (found <= capacity) kini_sort_items(out, found);
    return found;
}

/* A swept box, axis by axis: the query's sides that hit a box first and last, and one over the travel; 0: none. */
typedef struct kini_slabs { float first[KINI_DIM], last[KINI_DIM], inverse[KINI_DIM]; } kini_slabs;

/* One bit for each lane that the swept box hits up to `limit`, and when. Rounding keeps order: bounds pass as well. */
static uint32_t kini_lanes_swept(const kini_node *node, const kini_slabs *slabs, float limit, float *enter)
{
    float    leave[KINI_LANES];
    uint32_t lanes = 0;
    int      axis, i;
    for (i = 0; i < KINI_LANES; i++) { enter[i] = 0; leave[i] = limit * KINI_TREE_SLACK; }
    for (axis = 0; axis < KINI_DIM; axis++) {
        float        inverse = slabs->inverse[axis], first = slabs->first[axis], last = slabs->last[axis];
        const float *from = inverse < 0 ? node->hi[axis] : node->lo[axis];
        const float *to = inverse < 0 ? node->lo[axis] : node->hi[axis];
        bool         still = !(inverse < 0) && !(inverse > 0);
        for (i = 0; i < KINI_LANES && still; i++)
            if (from[i] > first || to[i] < last) leave[i] = -1;
        for (i = 0; i < KINI_LANES && !still; i++) {
            enter[i] = kini_greater(enter[i], (from[i] - first) * inverse);
            leave[i] = kini_lesser(leave[i], (to[i] - last) * inverse * KINI_TREE_SLACK);
        }
    }
    for (i = 0; i < node->count; i++)
        if (enter[i] <= leave[i]) lanes |= (uint32_t)1 << i;
    return lanes;
}

/* Nodes, or leaves as -1 - leaf, with the part of the travel at which they are hit; the last one is the nearest. */
typedef struct kini_agenda { int32_t child[KINI_TREE_STACK]; float enter[KINI_TREE_STACK]; int count; } kini_agenda;

static void kini_agenda_add(kini_agenda *agenda, int from, int32_t child, float enter)
{
    int i = agenda->count++;
    for (; i > from && agenda->enter[i - 1] < enter; i--) {
        agenda->child[i] = agenda->child[i - 1];
        agenda->enter[i] = agenda->enter[i - 1];
    }
    agenda->child[i] = child;
    agenda->enter[i] = enter;
}

KINI_PART void kini_tree_visit(const kini_tree *tree, kin_vec lo, kin_vec hi, kin_vec travel, kini_visit_fn *visit,
                               void *context)
{
    kini_slabs  slabs;
    kini_agenda agenda;
    float       enter[KINI_LANES], limit = 1;
    int         axis;
    for (axis = 0; axis < KINI_DIM; axis++) {
        float t = kini_at(travel, axis);
        slabs.inverse[axis] = t < 0 || t > 0 ? kini_clamp(1 / t, -KINI_FLT_MAX, KINI_FLT_MAX) : 0;
        slabs.first[axis] = kini_at(t < 0 ? lo : hi, axis);
        slabs.last[axis] = kini_at(t < 0 ? hi : lo, axis);
    }
    agenda.count = 0;
    if (tree->nodes.count > 0) kini_agenda_add(&agenda, 0, 0, 0);
    while (agenda.count > 0 && limit >= 0) {
        int32_t          at = agenda.child[--agenda.count];
        const kini_node *node = &tree->nodes.at[at < 0 ? 0 : at];
        int              from = agenda.count;
        uint32_t         lanes;
        if (agenda.enter[from] > limit * KINI_TREE_SLACK) continue;
        if (at < 0) {
            limit = kini_lesser(limit, visit(context, tree->leaves.at[-1 - at].item));
            continue;
        }
        for (lanes = kini_lanes_swept(node, &slabs, limit, enter); lanes; lanes &= lanes - 1) {
            int lane = kini_first_lane(lanes);
            kini_agenda_add(&agenda, from, node->level > 0 ? node->child[lane] : -1 - node->child[lane], enter[lane]);
        }
    }
}

/* ---- building a whole tree at once --------------------------------------------------------------------------- */

/* A place, each coordinate in 0..1, as a number along a curve through space that makes no jumps: nearby numbers are
   nearby places (Hilbert, 1891; Skilling, "Programming the Hilbert curve", 2004). */
static int32_t kini_build_key(kin_vec p)
{
    enum { BITS = 30 / KINI_DIM, TOP = 1 << (BITS - 1) };
    int32_t x[KINI_DIM], key = 0, turned = 0, bit;
    int     i;
    for (i = 0; i < KINI_DIM; i++) x[i] = (int32_t)(kini_at(p, i) * (float)(2 * TOP - 1));
    for (bit = TOP; bit > 1; bit >>= 1)
        for (i = 0; i < KINI_DIM; i++) {
            int32_t swap = x[i] & bit ? 0 : (x[0] ^ x[i]) & (bit - 1);
            x[0] ^= x[i] & bit ? bit - 1 : swap;
            x[i] ^= swap;
        }
    for (i = 1; i < KINI_DIM; i++) x[i] ^= x[i - 1];
    for (bit = TOP; bit > 1; bit >>= 1) turned ^= x[KINI_DIM - 1] & bit ? bit - 1 : 0;
    for (bit = TOP; bit > 0; bit >>= 1)
        for (i = 0; i < KINI_DIM; i++) key = key << 1 | ((x[i] ^ turned) & bit ? 1 : 0);
    return key;
}

/* Puts a range of leaves under a node, in as few children as can hold them. */
static void kini_build(kini_tree *tree, int32_t at, kini_box_fn *box, const void *context, int32_t first, int32_t count)
{
    kini_node  *node = &tree->nodes.at[at];
    kini_branch branch;
    int32_t     i, groups, under = 1;
    for (i = 0; i < node->level; i++) under *= KINI_LANES;
    groups = (count + under - 1) / under;
    for (i = 0; i < groups; i++) {
        int32_t skip = (int32_t)((int64_t)count * i / groups), end = (int32_t)((int64_t)count * (i + 1) / groups);
        if (node->level > 0) {
            int32_t child = kini_take_node(tree, node->level - 1);
            kini_build(tree, child, box, context, first + skip, end - skip);
            branch = kini_branch_of(tree, child);
        } else {
            branch.child = first + i;
            box(context, tree->leaves.at[first + i].item, &branch.lo, &branch.hi);
        }
        kini_put_branch(tree, at, node->count++, &branch);
    }
}

KINI_PART void kini_tree_build(kini_tree *tree, kini_box_fn *box, const void *context)
{
    kini_leaf *leaves = tree->leaves.at;
    int64_t    under;
    int32_t    i, count = tree->leaves.count, level = 0;
    kin_vec    lo, hi, least = kini_all(KINI_FLT_MAX), most = kini_neg(least);
    float      size;
    if (count <= 0) return;
    KINEMATIC_ASSERT(tree->nodes.count == 0);
    for (i = 0; i < count; i++) {
        box(context, leaves[i].item, &lo, &hi);
        least = kini_lower(least, lo);
        most = kini_upper(most, hi);
    }
    size = kini_largest(kini_sub(most, least));
    for (i = 0; i < count; i++) {
        box(context, leaves[i].item, &lo, &hi);
        lo = kini_sub(kini_scale(kini_add(lo, hi), 0.5f), least);
        leaves[i].home = size > 0 ? kini_build_key(kini_scale(lo, kini_lesser(1 / size, KINI_FLT_MAX))) : 0;
    }
    KINI_SORT(kini_leaf, leaves, count, a->home != b->home ? a->home < b->home : a->item < b->item);
    for (under = 1; under * KINI_LANES < count; under *= KINI_LANES) level++;
    kini_build(tree, kini_take_node(tree, level), box, context, 0, count);
}
