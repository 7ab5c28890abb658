"""Fold the code cells tagged `solution` away with the {solution} that stands beside them.

A solution's text is one directive in one cell, so that JupyterLab folds it too; its code cells come
right before or after.

What an exercise or a solution holds gets an id of its own: sphinx-exercise gives all the same.
"""

from docutils import nodes
from sphinx.transforms import SphinxTransform
from sphinx_exercise.nodes import solution_node


def is_ours(node):
    """Tell whether a node is a code cell tagged `solution`."""
    return isinstance(node, nodes.container) and "tag_solution" in node["classes"]


class SolutionCells(SphinxTransform):
    """Move the code cells into the solution, in their order."""

    default_priority = 10

    def apply(self):
        for solution in list(self.document.findall(solution_node)):
            parent, content = solution.parent, solution.children[-1]
            while (at := parent.index(solution)) and is_ours(parent[at - 1]):
                content.insert(0, parent.pop(at - 1))
            while (at := parent.index(solution) + 1) < len(parent) and is_ours(parent[at]):
                content.append(parent.pop(at))
        for section in self.document.findall(nodes.section):
            if section["ids"] in (["exercise-content"], ["solution-content"]):
                section["ids"] = [f"{section.parent['ids'][0]}-content"]


def setup(app):
    """Have it done when a page has been read."""
    app.add_transform(SolutionCells)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
