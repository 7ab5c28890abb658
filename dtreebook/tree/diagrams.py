"""A tree as text for programs that draw: Graphviz and Mermaid."""

from collections.abc import Iterator

from dtreebook.tree.text import leaf_words
from dtreebook.tree.tree import Fitted, Tree, tree_of
from dtreebook.tree.words import printable


def to_dot(tree: Tree | Fitted) -> str:
    """Return the tree in the language of Graphviz.

    Examples
    --------
    >>> from dtreebook import CARTClassifier
    >>> from dtreebook.datasets import load_loan
    >>> model = CARTClassifier(max_depth=1).fit(*load_loan(return_X_y=True))
    >>> print(to_dot(model.tree_))
    digraph tree {
      node [shape=box]
      n0 [label="house"]
      n0 -> n1 [label="= no"]
      n0 -> n2 [label="= yes"]
      n1 [label="no (9.0/3.0)", style=rounded]
      n2 [label="yes (6.0)", style=rounded]
    }
    """
    tree = tree_of(tree)
    lines = ["digraph tree {", "  node [shape=box]"]
    for number, words, branches in _nodes(tree):
        style = "" if branches else ", style=rounded"
        lines.append(f"  n{number} [label={_quoted(words)}{style}]")
        lines += [f"  n{number} -> n{child} [label={_quoted(word)}]" for child, word in branches]
    return "\n".join([*lines, "}"])


def to_mermaid(tree: Tree | Fitted) -> str:
    """Return the tree in the language of Mermaid, which many pages and editors draw.

    Examples
    --------
    >>> from dtreebook import CARTClassifier
    >>> from dtreebook.datasets import load_loan
    >>> model = CARTClassifier(max_depth=1).fit(*load_loan(return_X_y=True))
    >>> print(to_mermaid(model.tree_))
    flowchart TD
      n0["house"]
      n0 -->|"= no"| n1
      n0 -->|"= yes"| n2
      n1(["no (9.0/3.0)"])
      n2(["yes (6.0)"])
    """
    tree = tree_of(tree)
    lines = ["flowchart TD"]
    for number, words, branches in _nodes(tree):
        corners = "[]" if branches else ("([", "])")
        lines.append(f'  n{number}{corners[0]}"{_entities(words)}"{corners[1]}')
        lines += [f'  n{number} -->|"{_entities(word)}"| n{child}' for child, word in branches]
    return "\n".join(lines)


def _nodes(tree: Tree) -> Iterator[tuple[int, str, list[tuple[int, str]]]]:
    """Yield each node's number, its words, and a pair (number, words) for each of its branches."""
    for number, split in enumerate(tree.arrays.split):
        if split is None:
            yield number, leaf_words(tree, number), []
            continue
        attribute = tree.attributes[split.column]
        name = printable(attribute.name)
        words = [word.removeprefix(f"{name} ") for word in split.words(attribute)]
        yield number, name, list(zip(tree.arrays.children(number), words, strict=True))


def _quoted(words):
    escaped = words.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _entities(words):
    """Return words as Mermaid wants them: a few signs by their numbers."""
    return "".join(f"#{ord(sign)};" if sign in '"#<>&`%' else sign for sign in words)
