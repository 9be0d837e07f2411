"""Mutants of an example: the kernel's source with one fault, made on its syntax tree.

Faults: flags that belong together are gone, or one of them; a barrier; an EnQue, a DeQue or both; a buffer is one block
shorter; a mask, a count, a number of repeats or the length of a copy is larger by one.
"""

import ast
import copy
import inspect
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import ascend_sim

BLOCK_BITS = 256
_LARGER = {"mask": "mask", "count": "count", "repeat_time": "repeat"}
_NOT_KERNEL = ("run", "main")


class Mutant(NamedTuple):
    """A syntax tree, and which fault it has: "softmax 61 mask: Sub(...)"."""

    name: str
    kind: str
    tree: ast.Module


Change = Callable[[ast.AST], None]


def mutants(path: Path) -> Iterator[Mutant]:
    """All mutants of one example."""
    tree = without_checks(ast.parse(path.read_text()))
    for kind, nodes, change in _changes(tree):
        mutated = copy.deepcopy(tree)
        twins = dict(zip(map(id, ast.walk(tree)), ast.walk(mutated), strict=True))
        for node in nodes:
            change(twins[id(node)])
        _drop_marked(mutated)
        text = "; ".join(dict.fromkeys(ast.unparse(node) for node in nodes))
        lines = ",".join(str(node.lineno) for node in nodes)
        yield Mutant(f"{path.stem}:{lines} {kind}: {text}", kind, ast.fix_missing_locations(mutated))


def without_checks(tree: ast.Module) -> ast.Module:
    """Comparisons with numpy are gone, so that a wrong result is returned."""
    for function in tree.body:
        if isinstance(function, ast.FunctionDef) and function.name == "run":
            function.body = [s for s in function.body if "np.testing" not in ast.unparse(s)]
    return tree


def _changes(tree: ast.Module) -> Iterator[tuple[str, list[ast.stmt | ast.expr], Change]]:
    for function in tree.body:
        if not isinstance(function, ast.FunctionDef) or function.name in _NOT_KERNEL:
            continue
        yield from _flags(function)
        yield from _queues(function)
        for call in (n for n in ast.walk(function) if isinstance(n, ast.Call)):
            yield from _sizes(call)
        for node in (n for n in ast.walk(function) if isinstance(n, ast.Assign)):
            if ast.unparse(node.targets[0]) == "bursts":  # given to a DataCopyPad
                yield "length", [node], lambda n: _longer(n.value)


def _statements(function: ast.FunctionDef, *names: str) -> list[ast.Expr]:
    """Statements that are nothing but a call of one of these names."""
    return [n for n in ast.walk(function) if isinstance(n, ast.Expr) and _called(n.value) in names]


def _called(node: ast.AST) -> str:
    if not isinstance(node, ast.Call):
        return ""
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def _flags(function: ast.FunctionDef) -> Iterator[tuple[str, list[ast.stmt | ast.expr], Change]]:
    """A call that sets and waits; all flags of one event; those that follow each other; each by itself; barriers."""
    for statement in _statements(function, "PipeBarrier", "SyncAll"):
        yield "barrier", [statement], _mark
    for statement in _statements(function, "order"):
        yield "flag pair", [statement], _mark
    calls = _statements(function, "SetFlag", "WaitFlag")
    if function.name == "order":  # its calls are what is left out
        return
    for event in dict.fromkeys(ast.unparse(c.value.args[0]) for c in calls):
        yield "flags of an event", [c for c in calls if ast.unparse(c.value.args[0]) == event], _mark
    for body in (n.body for n in ast.walk(function) if isinstance(getattr(n, "body", None), list)):
        for first, second in pairwise(body):
            pair = [s for s in (first, second) if s in calls]
            same = len(pair) == 2 and ast.dump(pair[0].value.args[0]) == ast.dump(pair[1].value.args[0])
            if same and [_called(s.value) for s in pair] == ["SetFlag", "WaitFlag"]:
                yield "flag pair", pair, _mark
    for call in calls:
        yield "single flag", [call], _mark


def _queues(function: ast.FunctionDef) -> Iterator[tuple[str, list[ast.stmt | ast.expr], Change]]:
    """EnQue, DeQue and both, for each queue. A DeQue that is gone leaves the variable as it was."""
    puts = _statements(function, "EnQue")
    takes = [n for n in ast.walk(function) if _called(n) == "DeQue"]
    for queue in dict.fromkeys(ast.unparse(c.value.func.value) for c in puts):
        here = [c for c in puts if ast.unparse(c.value.func.value) == queue]
        out = [c for c in takes if ast.unparse(c.func.value) == queue]
        yield "EnQue", here, _mark
        yield "DeQue", out, _mark
        yield "EnQue and DeQue", [*here, *out], _mark


def _sizes(call: ast.Call) -> Iterator[tuple[str, list[ast.stmt | ast.expr], Change]]:
    name = _called(call)
    if name == "InitBuffer":
        yield "buffer", [call], _shorter_bytes
    elif name in ("Alloc", "LocalTensor"):
        yield "buffer", [call], _shorter_elements
    elif name in ("DataCopyPad", "DataCopyExtParams"):
        if name == "DataCopyExtParams" or isinstance(call.args[2], ast.Tuple):
            yield "length", [call], _longer_burst
    elif name in ascend_sim.__all__ and callable(getattr(ascend_sim, name)):
        for at, parameter in _sizes_of(name, call):
            yield _LARGER[parameter], [call], lambda node, at=at: _add(node, at, "1")
        if name == "DataCopy":
            yield "count", [call], lambda node: _add(node, 2, "1")


def _sizes_of(name: str, call: ast.Call) -> Iterator[tuple[int | str, str]]:
    """Which arguments of a call are a mask, a count or repeats: by position or by keyword."""
    try:
        parameters = list(inspect.signature(getattr(ascend_sim, name)).parameters)
    except (TypeError, ValueError):
        return
    for at in range(len(call.args)):
        if at < len(parameters) and parameters[at] in _LARGER:
            yield at, parameters[at]
    for keyword in call.keywords:
        if keyword.arg in _LARGER:
            yield keyword.arg, keyword.arg


# The changes, each on a node of the mutant's own tree.


def _mark(node: ast.AST) -> None:
    node.is_gone = True  # type: ignore[attr-defined]


def _add(call: ast.Call, at: int | str, text: str, operator: ast.operator | None = None) -> None:
    addend = ast.parse(text, mode="eval").body
    if isinstance(at, str):
        keyword = next(k for k in call.keywords if k.arg == at)
        keyword.value = ast.BinOp(keyword.value, operator or ast.Add(), addend)
    else:
        call.args[at] = ast.BinOp(call.args[at], operator or ast.Add(), addend)


def _shorter_bytes(call: ast.Call) -> None:
    _add(call, len(call.args) - 1, "32", ast.Sub())


def _shorter_elements(call: ast.Call) -> None:
    _add(call, len(call.args) - 1, f"{BLOCK_BITS} // {ast.unparse(call.args[0])}.bits", ast.Sub())


def _longer_burst(call: ast.Call) -> None:
    """One element more: all padded copies of the examples are of 4-byte types."""
    if _called(call) == "DataCopyExtParams":
        _add(call, 1, "4")
    else:
        _longer(call.args[2])


def _longer(bursts: ast.Tuple) -> None:
    bursts.elts[1] = ast.BinOp(bursts.elts[1], ast.Add(), ast.Constant(4))


class _Dropper(ast.NodeTransformer):
    """Takes out marked statements, and marked values of assignments with their targets."""

    def visit(self, node: ast.AST) -> ast.AST | None:
        if getattr(node, "is_gone", False) and isinstance(node, ast.stmt):
            return None
        return super().visit(node)

    def visit_Assign(self, node: ast.Assign) -> ast.AST | None:
        targets = node.targets[0]
        if not isinstance(node.value, ast.Tuple) or not isinstance(targets, ast.Tuple):
            return None if getattr(node.value, "is_gone", False) else node
        kept = [(t, v) for t, v in zip(targets.elts, node.value.elts, strict=True) if not getattr(v, "is_gone", False)]
        if not kept:
            return None
        node.targets = [ast.Tuple([t for t, _ in kept], ast.Store())]
        node.value = ast.Tuple([v for _, v in kept], ast.Load())
        return node


def _drop_marked(tree: ast.Module) -> None:
    _Dropper().visit(tree)
    for node in ast.walk(tree):
        if isinstance(getattr(node, "body", None), list) and not node.body:
            node.body = [ast.Pass()]
