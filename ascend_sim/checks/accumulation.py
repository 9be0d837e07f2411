"""Sums in half: a remark where the roundings of the tree give another half than one rounding of the exact sum."""

from collections.abc import Iterator

import numpy as np

from ascend_sim.checks.violation import Violation
from ascend_sim.machine.issue import Issue
from ascend_sim.machine.memory import UnifiedBuffer
from ascend_sim.machine.touched import touched
from isa.dtypes import half
from isa.numerics.reduce import tree_sum
from isa.params import ReduceType
from isa.products import Arch


def check(issue: Issue, ub: UnifiedBuffer) -> Iterator[Violation]:
    """At most one violation: the first result that is off."""
    src = issue.reads[0] if issue.reads else None
    lanes = issue.lanes
    if src is None or lanes is None or src.dtype is not half or not src.is_checked or not lanes.repeats:
        return
    if issue.arguments.get("reduce_type", ReduceType.SUM) is not ReduceType.SUM:
        return
    where = touched(src)
    values = np.zeros((lanes.repeats, lanes.width), np.float16)
    values[where.repeat, where.lane] = ub.data[where.address[:, None] + np.arange(2)].view(np.float16)[:, 0]
    if issue.writes and issue.writes[0].dtype is half:
        per_result = issue.writes[0].lanes
        groups = getattr(per_result, "width", 1)
        values = values.reshape(-1, lanes.width // groups)
    with np.errstate(all="ignore"):
        exact = values.sum(axis=-1, dtype=np.float64)
        got = tree_sum(values, half, issue.control.rules(Arch.C220)).astype(np.float64)
        once = exact.astype(np.float16).astype(np.float64)
        off = np.isfinite(exact) & (np.abs(exact) <= np.finfo(np.float16).max) & (got != once)
    if not off.any():
        return
    at = int(off.argmax())
    error = abs(got[at] - exact[at]) / max(abs(exact[at]), np.finfo(np.float16).tiny)
    yield Violation(
        code="half-accumulation",
        message=f"the sum of repeat {at * (values.shape[-1]) // lanes.width} is {got[at]:g} in half and {exact[at]:g} "
        f"exactly, an error of {error:.2%}: every addition of the tree is rounded to half "
        f"({int(np.count_nonzero(off))} such results)",
        hint="Cast to float32 first, sum there, and convert the result.",
        operand=src.operand.name,
        repeat=at * values.shape[-1] // lanes.width,
    )
