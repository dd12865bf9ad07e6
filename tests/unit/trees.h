/* SPDX-License-Identifier: MIT OR Unlicense

   Is a tree of the broad phase well formed, whatever its bytes are? */
#ifndef TREES_H
#define TREES_H

static bool tree_holds(kin_vec lo, kin_vec hi, kin_vec inner_lo, kin_vec inner_hi)
{
    return kini_boxes_meet(lo, hi, inner_hi, inner_lo);   /* lo <= inner_lo and inner_hi <= hi */
}

static void tree_bounds(const kini_node *node, kin_vec *lo, kin_vec *hi)
{
    int i;
    *lo = kini_lane_lo(node, 0);
    *hi = kini_lane_hi(node, 0);
    for (i = 1; i < node->count; i++) {
        *lo = kini_lower(*lo, kini_lane_lo(node, i));
        *hi = kini_upper(*hi, kini_lane_hi(node, i));
    }
}

/* Does every lane in use hold a box, and every other one nothing at all? */
static bool tree_box_is_empty(kin_vec lo, kin_vec hi)
{
    int axis;
    for (axis = 0; axis < KINI_DIM; axis++)
        if (!(kini_at(lo, axis) > KINI_FLT_MAX) || !(kini_at(hi, axis) < -KINI_FLT_MAX)) return false;
    return true;
}

static bool tree_check_boxes(const kini_node *node)
{
    int i;
    for (i = 0; i < KINI_LANES; i++) {
        kin_vec lo = kini_lane_lo(node, i), hi = kini_lane_hi(node, i);
        if (i >= node->count ? !tree_box_is_empty(lo, hi)
            : !kini_vec_finite(lo) || !kini_vec_finite(hi) || !tree_holds(lo, hi, lo, lo))
            return false;
    }
    return true;
}

/* Each check below reads only what an earlier comparison has shown to be there. Levels rise by one from child to
   parent, so there are no circles; what a lane leads to names that lane back, so no two lead to the same, and if as
   many lanes as nodes and leaves are in use, all of them are reached from the root. Depth is bounded by the number of
   nodes, as each has its least number of children. */
static bool tree_check_leaves(const kini_tree *tree, int32_t at)
{
    const kini_node *node = &tree->nodes.at[at];
    uint32_t         leaves = (uint32_t)tree->leaves.count;
    int              i;
    for (i = 0; i < node->count; i++) {
        uint32_t leaf = (uint32_t)node->child[i];
        if (leaf >= leaves || tree->leaves.at[leaf].home != at * KINI_LANES + i) return false;
    }
    return true;
}

static bool tree_check_below(const kini_tree *tree, int32_t at, int lane)
{
    const kini_node *node = &tree->nodes.at[at], *below;
    kin_vec          lo = kini_lane_lo(node, lane), hi = kini_lane_hi(node, lane), inner_lo, inner_hi;
    int32_t          child = node->child[lane];
    if (child < 0 || child >= tree->nodes.count) return false;
    below = &tree->nodes.at[child];
    if (below->level != node->level - 1 || below->parent != at || below->lane != lane) return false;
    if (below->count < KINI_LANES_LEAST || below->count > KINI_LANES) return false;
    tree_bounds(below, &inner_lo, &inner_hi);
    return tree_holds(lo, hi, inner_lo, inner_hi) && tree_holds(inner_lo, inner_hi, lo, hi);
}

static bool tree_check_node(const kini_tree *tree, int32_t at)
{
    const kini_node *node = &tree->nodes.at[at];
    int              i, least = at > 0 ? KINI_LANES_LEAST : node->level > 0 ? 2 : 0;
    if (node->level < 0 || node->count < least || node->count > KINI_LANES || !tree_check_boxes(node)) return false;
    if (at == 0 && (node->parent != -1 || node->lane != -1)) return false;
    for (i = node->count; i < KINI_LANES; i++)
        if (node->child[i] != -1) return false;
    if (node->level == 0) return tree_check_leaves(tree, at);
    for (i = 0; i < node->count; i++)
        if (!tree_check_below(tree, at, i)) return false;
    return true;
}

/* A list that ends after as many steps as there are free rows holds each of them once. */
static bool tree_check_free_nodes(const kini_tree *tree, int32_t left)
{
    int32_t at = tree->free_node;
    for (; at != 0; at = tree->nodes.at[at].parent)
        if (at < 0 || at >= tree->nodes.count || tree->nodes.at[at].level != -1 || left-- == 0) return false;
    return left == 0;
}

static bool tree_check_free_leaves(const kini_tree *tree, int32_t left)
{
    int32_t next = tree->free_leaf;
    for (; next != 0; next = tree->leaves.at[next - 1].item)
        if (next < 0 || next > tree->leaves.count || tree->leaves.at[next - 1].home != -1 || left-- == 0) return false;
    return left == 0;
}

static bool tree_check(const kini_tree *tree)
{
    int32_t i, nodes = 0, leaves = 0, free_nodes = 0, free_leaves = 0;
    if (tree->nodes.count < 0 || tree->nodes.count > tree->nodes.capacity) return false;
    if (tree->leaves.count < 0 || tree->leaves.count > tree->leaves.capacity) return false;
    if (tree->nodes.count > INT32_MAX / KINI_LANES) return false;   /* leaf.home could not tell them apart */
    for (i = 0; i < tree->nodes.count; i++) {
        const kini_node *node = &tree->nodes.at[i];
        if (i > 0 && node->level == -1) { free_nodes++; continue; }
        if (!tree_check_node(tree, i)) return false;
        if (node->level > 0) nodes += node->count;
        else leaves += node->count;
    }
    for (i = 0; i < tree->leaves.count; i++) free_leaves += tree->leaves.at[i].home == -1;
    if (tree->nodes.count > 0 && nodes + 1 + free_nodes != tree->nodes.count) return false;
    if (leaves + free_leaves != tree->leaves.count) return false;
    return tree_check_free_nodes(tree, free_nodes) && tree_check_free_leaves(tree, free_leaves);
}

#endif
