"""Whether two trees are the same: ours and scikit-learn's."""

from collections import deque

import numpy as np


def same_trees(ours, theirs):
    """Return in words how far two trees are the same, from the root down to the first ties.

    Raises
    ------
    AssertionError
        If two tests at the same place do not lower the impurity equally.
    """
    mine, other = ours.tree_, theirs.tree_
    weight, arrays = other.weighted_n_node_samples, mine.arrays
    pairs, same = deque([(0, 0)]), 0
    while pairs:
        i, j = pairs.popleft()
        same += 1
        left, right = other.children_left[j], other.children_right[j]
        assert (arrays.split[i] is None) == (left < 0), f"node {i}: one is a leaf, the other is not"
        if left < 0:
            continue
        gain = weight[j] * other.impurity[j]
        gain -= weight[left] * other.impurity[left] + weight[right] * other.impurity[right]
        assert np.isclose(arrays.improvement[i], gain, rtol=1e-6, atol=1e-9 * weight[0]), (
            f"node {i}"
        )
        first = arrays.first_child[i]
        sizes = arrays.counts[first : first + 2].sum(axis=1)
        if arrays.split[i].column == other.feature[j] and sizes[0] == weight[left]:
            pairs.extend([(first, left), (first + 1, right)])
    return f"the same gain in {same:,} places; nodes: {mine.node_count:,} and {other.node_count:,}"
