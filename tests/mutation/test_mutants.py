"""Faults planted in the clean examples: whatever changes a result must be reported.

A mutant changes a result when an output differs from the unchanged example's under some order of effects and some
contents of memory. It is reported when one of these runs has an error or a warning, or is refused.
"""

import ast
import sys
from functools import cache
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from ascend_sim import NPU, KernelError
from ascend_sim.api.running.report import OBSERVERS
from tests.mutation.mutants import Mutant, mutants, without_checks
from tests.test_examples import KERNELS

CONFIGURATIONS = tuple(product(("eager", "late"), ("pattern", "zero", "nan")))
FEW = (("eager", "pattern"), ("late", "nan"))
GOAL = 0.95

NOT_REPORTED: frozenset[str] = frozenset()
"""Mutants that change a result and are known not to be reported, each with its reason."""


class Outcome(NamedTuple):
    """What came of a mutant over some configurations."""

    changed: bool
    codes: frozenset[str]
    refused: str  # an exception at a call of the API that is no finding

    @property
    def reported(self) -> bool:
        return bool(self.codes or self.refused)


class Ran(NamedTuple):
    """One run: outputs (None when it did not come to its end), codes of errors and warnings, other refusals."""

    outputs: dict[str, np.ndarray] | None
    codes: set[str]
    refused: str


def run_tree(tree: ast.Module, path: Path, dma: str, fill: str) -> Ran:
    names = {"__name__": "mutant"}
    exec(compile(tree, str(path), "exec"), names)
    reports, outputs, refused = [], None, ""
    OBSERVERS.append(reports.append)
    try:
        with np.errstate(all="ignore"):  # of the kernels' own scalar arithmetic
            outputs = names["run"](NPU(check="record", dma=dma, ub_fill=fill))
    except KernelError:
        pass  # its finding is in the report
    except (IndexError, ValueError, TypeError) as error:
        refused = f"{type(error).__name__}: {error}"
    finally:
        OBSERVERS.pop()
    codes = {f.code for r in reports for f in r.findings if f.severity != "note"}
    return Ran(outputs, codes, refused)


@cache
def reference(path: Path) -> dict[str, np.ndarray]:
    ran = run_tree(without_checks(ast.parse(path.read_text())), path, "eager", "pattern")
    assert (ran.codes, ran.refused) == (set(), "")
    return ran.outputs


def outcome(mutant: Mutant, path: Path, configurations) -> Outcome:
    expected, changed, codes, refused = reference(path), False, set(), ""
    for dma, fill in configurations:
        ran = run_tree(mutant.tree, path, dma, fill)
        same = ran.outputs is not None and all(
            array.tobytes() == expected[name].tobytes() for name, array in ran.outputs.items()
        )
        changed |= not same
        codes |= ran.codes
        refused = refused or ran.refused
    return Outcome(changed, frozenset(codes), refused)


def unreported(outcomes: dict[str, Outcome]) -> list[str]:
    return [name for name, o in outcomes.items() if o.changed and not o.reported]


def all_mutants() -> list[tuple[Mutant, Path]]:
    return [(mutant, path) for path in KERNELS for mutant in mutants(path)]


def test_there_are_mutants_of_every_kind():
    kinds = {mutant.kind for mutant, _ in all_mutants()}
    assert kinds >= {"barrier", "flag pair", "flags of an event", "single flag", "EnQue", "DeQue", "EnQue and DeQue"}
    assert kinds >= {"buffer", "mask", "count", "length", "repeat"}
    assert len(all_mutants()) > 100


def test_a_mutant_differs_from_its_example_in_one_place():
    for mutant, path in all_mutants():
        original = without_checks(ast.parse(path.read_text()))
        assert ast.dump(mutant.tree) != ast.dump(original), mutant.name


@pytest.mark.parametrize(("mutant", "path"), all_mutants()[::6], ids=lambda value: getattr(value, "name", ""))
def test_a_few(mutant, path):
    found = outcome(mutant, path, FEW)
    assert found.reported or not found.changed or mutant.name in NOT_REPORTED


@pytest.mark.exhaustive
def test_mutants_that_change_a_result_are_reported(capsys):
    outcomes = {mutant.name: outcome(mutant, path, CONFIGURATIONS) for mutant, path in all_mutants()}
    changed = [o for o in outcomes.values() if o.changed]
    score = sum(o.reported for o in changed) / len(changed)
    missed = unreported(outcomes)
    with capsys.disabled():
        sys.stdout.write(f"\n{len(outcomes)} mutants, {len(changed)} change a result, {score:.1%} are reported\n")
        sys.stdout.writelines(f"not reported: {name}\n" for name in missed)
    assert score >= GOAL
    assert set(missed) <= NOT_REPORTED
