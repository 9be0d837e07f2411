"""MrgSort and MrgSort4: up to four sorted lists into one (spec 01 section 3.10).

A record has its score at `score` bytes from its start. Of equal scores the one in the earlier list comes first. When
the instruction stops at the first exhausted list, what follows in the destination keeps its bytes.
"""

from collections.abc import Callable, Sequence

import attrs
import numpy as np
from numpy.typing import NDArray

from ascend_sim.machine.core import Core
from ascend_sim.machine.issue import Access, Issue
from ascend_sim.machine.memory import UnifiedBuffer
from ascend_sim.machine.walk import Indexed, Lanes, Offsets
from isa.dtypes import ElementType

Step = Callable[..., None]
Bytes = NDArray[np.uint8]


@attrs.frozen
class Layout:
    """record: bytes of a record; score: byte of its score, of type dtype; stops: at the first exhausted list."""

    record: int
    score: int
    dtype: ElementType
    stops: bool

    def scores(self, records: Bytes) -> NDArray[np.float64]:
        """The scores of records, one row each."""
        raw = np.ascontiguousarray(records[:, self.score : self.score + self.dtype.size])
        values = raw.view(self.dtype.carrier)[:, 0].astype(np.float64)
        return np.where(np.isnan(values), np.inf, values)


def records_of(access: Access, layout: Layout, ub: UnifiedBuffer, repeat: int) -> Bytes:
    """The records of one list, as rows of bytes."""
    lanes = access.lanes
    assert isinstance(lanes, Lanes)
    start = access.walk.base + repeat * access.walk.repeat_stride
    return ub.data[start : start + lanes.width * access.dtype.size].reshape(-1, layout.record)


def merged(lists: Sequence[Bytes], layout: Layout) -> tuple[Bytes, tuple[int, ...]]:
    """The output records, and how many were taken from each list."""
    scores = [layout.scores(records) for records in lists]
    owner = np.repeat(np.arange(len(lists)), [len(records) for records in lists])
    if all(bool((s[1:] <= s[:-1]).all()) for s in scores):
        order = np.argsort(-np.concatenate(scores), kind="stable")
    else:
        order = _by_heads(scores)
    if layout.stops:
        ends = [int(np.flatnonzero(owner[order] == k)[-1]) for k in range(len(lists)) if len(lists[k])]
        order = order[: min(ends) + 1] if ends else order[:0]
    taken = tuple(int(np.count_nonzero(owner[order] == k)) for k in range(len(lists)))
    return np.concatenate(lists)[order], taken


def _by_heads(scores: Sequence[NDArray[np.float64]]) -> NDArray[np.int64]:
    """Lists that are not sorted: the hardware still compares their heads only."""
    starts = np.cumsum([0, *(s.size for s in scores)])
    at = [0] * len(scores)
    order: list[int] = []
    while True:
        heads = [(-float(s[at[k]]), k) for k, s in enumerate(scores) if at[k] < s.size]
        if not heads:
            return np.array(order, np.int64)
        _, k = min(heads)
        order.append(int(starts[k]) + at[k])
        at[k] += 1


def until_exhausted(dst: Access, sources: Sequence[Access], layout: Layout, ub: UnifiedBuffer) -> Access:
    """A destination whose length the values decide."""

    def written() -> tuple[Offsets, Offsets, Offsets]:
        rows, _ = merged([records_of(s, layout, ub, 0) for s in sources], layout)
        number = np.arange(rows.size // dst.dtype.size)
        address = dst.walk.base + number * dst.dtype.size
        inside = address + dst.dtype.size <= ub.size
        return address[inside], np.zeros_like(address)[inside], number[inside]

    return attrs.evolve(dst, lanes=Indexed(written))


def bind_merge(issue: Issue, core: Core) -> Step:
    """A function that executes the merge."""
    dst, *sources = issue.accesses
    layout: Layout = issue.arguments["layout"]
    lanes = issue.lanes
    assert lanes is not None

    def run(*_: object) -> None:
        for repeat in range(lanes.repeats):
            rows, taken = merged([records_of(s, layout, core.ub, repeat) for s in sources], layout)
            start = dst.walk.base + repeat * dst.walk.repeat_stride
            core.ub.data[start : start + rows.size] = rows.reshape(-1)
            first, second, third, fourth = (*taken, 0, 0, 0, 0)[:4]
            core.special.merged = (first, second, third, fourth)

    return run
