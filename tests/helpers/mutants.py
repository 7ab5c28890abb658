"""Wrong versions of a right function: by rule from its code, and around it."""

import ast
import copy

# Each of these may stand in place of the others of its line.
ALIKE = (
    (ast.Lt, ast.LtE, ast.Gt, ast.GtE),
    (ast.Eq, ast.NotEq),
    *((ast.In, ast.NotIn), (ast.Is, ast.IsNot), (ast.And, ast.Or), (ast.Pow, ast.Mult)),
    (ast.Add, ast.Sub, ast.Mult, ast.Div),
    *(("max", "min", "sum", "len"), ("sorted", "list", "set"), ("any", "all")),
    *(("log2", "log", "log10"), ("x", "y"), ("left", "right"), ("rows", "columns")),
)


def others(one):
    return [other for alike in ALIKE if one in alike for other in alike if other != one]


def changes(node):
    """Yield changed copies of one node."""
    for place in ("op", "ops"):
        found = getattr(node, place, None)
        operator = found[0] if isinstance(found, list) and found else found
        for other in others(type(operator)):
            changed = copy.deepcopy(node)
            setattr(changed, place, [other(), *found[1:]] if place == "ops" else other())
            yield changed
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        for value in {node.value + 1, -node.value, 0} - {node.value}:
            yield ast.copy_location(ast.Constant(value), node)
    for place in ("id", "attr"):
        for other in others(getattr(node, place, None)):
            changed = copy.deepcopy(node)
            setattr(changed, place, other)
            yield changed
    if isinstance(node, ast.comprehension) and node.ifs:
        changed = copy.deepcopy(node)
        changed.ifs = []
        yield changed
    if isinstance(node, ast.IfExp):
        yield node.body
        yield node.orelse
    if isinstance(node, ast.If | ast.While | ast.IfExp):
        changed = copy.deepcopy(node)
        changed.test = ast.UnaryOp(ast.Not(), changed.test)
        yield changed
    if isinstance(node, ast.Call) and len(node.args) == 2 and not node.keywords:
        changed = copy.deepcopy(node)
        changed.args.reverse()
        yield changed
    if isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords:
        yield node.args[0]
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
        yield node.value
    if isinstance(node, ast.BinOp):
        yield node.left
        yield node.right
    if isinstance(node, ast.Assign | ast.Expr | ast.AugAssign):
        yield ast.Pass()


def by_rule(source):
    """Yield (what was changed, code) for all single changes of a cell's code."""
    tree = ast.parse(source)
    for parent in list(ast.walk(tree)):
        for place, value in ast.iter_fields(parent):
            for index, node in enumerate(value if isinstance(value, list) else [value]):
                if not isinstance(node, ast.AST):
                    continue
                for changed in changes(node):
                    put(parent, place, value, index, changed)
                    try:
                        code = ast.unparse(ast.fix_missing_locations(tree))
                        compile(code, "mutant", "exec")
                        yield f"line {getattr(node, 'lineno', 0)}: {ast.unparse(changed)}", code
                    except (SyntaxError, ValueError, AttributeError, TypeError):
                        pass
                    put(parent, place, value, index, node)


def put(parent, place, value, index, node):
    if isinstance(value, list):
        value[index] = node
    else:
        setattr(parent, place, node)


AROUND = {
    "rounds": "return rounded(right(*a))",
    "gives its first argument": "return a[0]",
    "gives nothing": "return None",
    "a text": "return str(right(*a))",
    "gives the same to all": "return keep.setdefault('first', right(*a))",
    "changes its input": "found = right(*a)\n    spoil(a)\n    return found",
    "empties its input": "found = right(*a)\n    empty(a)\n    return found",
    "turns its lists": "return right(*[x[::-1] if isinstance(x, list) else x for x in a])",
    "leaves out the last": "return right(*[x[:-1] if isinstance(x, list) else x for x in a])",
    "sees the first ten only": "return right(*a) if len(str(a)) < 60 else keep.get(0, 0)",
    "remembers what it saw": "return keep.setdefault(len(a[0]) if hasattr(a[0], '__len__') else "
    "a[0], right(*a))",
    "wrong for one case": "return right(*a) if not one(a) else 7",
    "in a list": "return [right(*a)]",
    "the wrong way round": "return turned(right(*a))",
}
HELPERS = """
def rounded(v):
    if isinstance(v, float): return round(v, 3)
    if isinstance(v, dict): return {k: rounded(w) for k, w in v.items()}
    return type(v)(map(rounded, v)) if isinstance(v, (list, tuple)) else v
def turned(v):
    if isinstance(v, (int, float)): return -v or 1
    if isinstance(v, dict): return dict(zip(v, list(v.values())[::-1]))
    return v[::-1] if v else v
def first(a): return next((x for x in a if isinstance(x, (list, dict))), None)
def spoil(a):
    x = first(a)
    if isinstance(x, list): x.append(x[0] if x else 1)
    if isinstance(x, dict): x["spoilt"] = 1
def empty(a):
    x = first(a)
    if x: x.clear()
def one(a): return hasattr(a[0], "__len__") and len(a[0]) == 1 or a[0] in (0, 1)
keep = {}
"""


def around(source, name):
    for what, body in AROUND.items():
        yield what, f"{source}\n{HELPERS}\nright = {name}\ndef {name}(*a):\n    {body}\n"
