"""Pruning: ways to make a grown tree smaller, and estimates to choose by.

Everything that prunes is called in one way and returns one record:

    method(tree, ...) -> Pruning

The tree, or a fitted model, comes first, and stays as it was. A method that asks cases takes them
next as plain tables, `X, y, sample_weight=None`, as `fit` does; then come the parameters of the
method. The `dtreebook.prune.pruning.Pruning` has the pruned tree in `.tree`, and in `.comparisons`
what each node costs as a leaf and as a subtree, and what was decided. Cases, trees and parameters
that cannot be used raise a ValueError that says why.

What a node costs is

- `cost_complexity.prune_at`: risk, and a price for each leaf;
- `reduced_error.reduced_error`: errors on a validation set;
- `reduced_error.pessimistic`: training errors, and half a case for each leaf;
- `reduced_error.regularised`: bits, and a price for each leaf;
- `error_based.error_based`: the errors that C4.5 expects; its cases are the training cases, which
  follow a branch that is raised;
- `error_based.collapse`: training errors;
- `early_stopping.chi_square`: of a subtree, how likely chance alone is to part the classes as well;
  of a leaf, the level of significance;
- `early_stopping.validation`: errors on a validation set, one test ahead;
- `early_stopping.best_first`: risk, and the nodes that save most are divided first.

`crossvalidation` chooses among the trees of a pruning path by cases left out of growing.
"""
