"""The signatures that editors and type checkers see are those of the prototypes."""

import ast
import re
from pathlib import Path

import pytest

from ascend_sim.api import vector
from ascend_sim.api.calls import repeat_signatures, signatures
from ascend_sim.api.calls.call import prototypes
from isa.model import ALIASES, TABLE

Signature = tuple[int, frozenset[str]]
"""How many operands stand first, whatever they are called, and the names of the other parameters."""


def stated() -> dict[str, set[Signature]]:
    """Of each call protocol, its signatures."""
    found = {}
    for module in (signatures, repeat_signatures):
        for node in ast.parse(Path(module.__file__).read_text()).body:
            if isinstance(node, ast.ClassDef):
                calls = [d.args for d in node.body if isinstance(d, ast.FunctionDef)]
                found[node.name] = {
                    (len(c.posonlyargs) - 1, frozenset(a.arg for a in (*c.args, *c.kwonlyargs))) for c in calls
                }
    return found


def documented(name: str) -> set[Signature]:
    """Of an instruction, the signatures of its prototypes."""
    instruction = vector._OLDER.get(name) or TABLE[ALIASES.get(name, name)]
    found = set()
    for one in instruction.prototypes:
        for text in prototypes(one):
            names = [part.strip().split("=")[0] for part in re.search(r"\((.*)\)", text)[1].split(",")]
            first = next(i for i, name in enumerate(names) if name in ("count", "mask", "repeat_time"))
            found.add((first, frozenset(names[first:])))
    return found


STATED = stated()


@pytest.mark.parametrize("name", [n for n in vector.__annotations__ if not n.startswith("_")])
def test_the_signature_is_that_of_the_prototypes(name):
    missing = documented(name) - STATED[vector.__annotations__[name].__name__]
    assert {rest for _, rest in missing} <= {frozenset({"count"})}  # a tensor in place of the scalar
    assert not STATED[vector.__annotations__[name].__name__] - documented(name)


def test_a_signature_that_differs_is_seen():
    assert documented("Neg") == STATED["UnaryCountCall"] != STATED["UnaryCall"]
