"""Execution of repeats whose operands touch different elements: reductions, packed bits, tiles, broadcasts.

The lane function gets one array (repeats, elements of a repeat) for each source and writes one for each destination;
which elements of a destination are kept is decided here, from the operand's own lanes.
"""

from collections.abc import Callable
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

from ascend_sim.machine.core import Core
from ascend_sim.machine.hazards import may_depend, overwrites_itself
from ascend_sim.machine.issue import Access, Issue
from ascend_sim.machine.memory import UnifiedBuffer
from ascend_sim.machine.walk import Lanes
from isa.numerics.rules import Kernel
from isa.products import BLOCK_BYTES

Array = NDArray[Any]
Step = Callable[..., None]


def bind_repeats(issue: Issue, kernel: Kernel, core: Core) -> Step:
    """A function that executes `issue`. Addresses were checked: nothing here reaches outside the buffer."""
    lanes = issue.lanes
    assert lanes is not None
    in_order = lanes.repeats > 1 and any(
        overwrites_itself(d) or any(may_depend(d, a) for a in issue.reads) for d in issue.writes
    )
    parts = range(lanes.repeats) if in_order else [None] if lanes.repeats else []
    steps = [_bind(issue, kernel, core, part) for part in parts]

    def run(*scalars: Any) -> None:
        for step in steps:
            step(*scalars)

    return steps[0] if len(steps) == 1 else run


def _bind(issue: Issue, kernel: Kernel, core: Core, repeat: int | None) -> Step:
    """All repeats at once, or one of them."""
    lanes = issue.lanes
    assert lanes is not None
    sources = [_Side.of(a, core.ub, repeat) for a in issue.reads]
    outs = [_Side.of(a, core.ub, repeat) for a in issue.writes]
    extra: list[Any] = []
    if issue.instruction.family.needs_mask:
        active = lanes.active()
        extra.append(active if repeat is None else active[repeat : repeat + 1])
    if issue.instruction.family.special:
        extra.append(core.special)
    named = {"address": issue.reads[0].walk.base} if issue.instruction.family.knows_address else {}

    def run(*scalars: Any) -> None:
        results = [out.empty() for out in outs]
        kernel(*[source.load() for source in sources], *extra, *scalars, *results, **named)
        for out, result in zip(outs, results, strict=True):
            out.store(result)

    return run


@attrs.frozen
class _Side:
    """One operand: a view of its elements where it has one, else their addresses.

    shape: (repeats, elements of a repeat); active: of these, None for all.
    """

    ub: UnifiedBuffer
    dtype: "np.dtype[Any]"
    shape: tuple[int, int]
    view: Array | None
    where: NDArray[np.int64] | None
    active: NDArray[np.bool_] | None

    @classmethod
    def of(cls, access: Access, ub: UnifiedBuffer, repeat: int | None) -> "_Side":
        lanes, walk, dtype = access.lanes, access.walk, access.dtype
        assert isinstance(lanes, Lanes)
        active = lanes.active()
        repeats = lanes.repeats
        if repeat is not None:
            active, walk, repeats = active[repeat : repeat + 1], walk.from_repeat(repeat), 1
        shape = (repeats, lanes.width)
        some = None if active.all() else active
        size, carrier = dtype.size, dtype.carrier
        if repeats and walk.extent(repeats, lanes.width)[1] <= ub.size and walk.base >= 0:
            if walk.is_dense(lanes.width):
                view = ub.view(walk, shape, (walk.repeat_stride, size), carrier)
                return cls(ub, carrier, shape, view, None, some)
            per_block = BLOCK_BYTES // size
            if lanes.width % per_block == 0 and walk.block_stride >= BLOCK_BYTES:
                blocks = (repeats, lanes.width // per_block, per_block)
                view = ub.view(walk, blocks, (walk.repeat_stride, walk.block_stride, size), carrier)
                return cls(ub, carrier, shape, view, None, some)
        return cls(ub, carrier, shape, None, walk.offsets(repeats, lanes.width), active)

    def empty(self) -> Array:
        return np.empty(self.shape, self.dtype)

    def load(self) -> Array:
        if self.view is not None:
            return self.view if self.view.ndim == 2 else np.ascontiguousarray(self.view).reshape(self.shape)
        assert self.where is not None and self.active is not None  # noqa: PT018  (one condition: the scattered kind)
        values = np.zeros(self.shape, self.dtype)
        at = self.where[self.active]
        bytes_ = self.ub.data[at[:, None] + np.arange(self.dtype.itemsize)]
        values[self.active] = bytes_.view(self.dtype)[:, 0]
        return values

    def store(self, values: Array) -> None:
        if self.view is not None:
            shaped = values.reshape(self.view.shape)
            if self.active is None:
                self.view[...] = shaped
            else:
                np.copyto(self.view, shaped, where=self.active.reshape(self.view.shape))
            return
        assert self.where is not None and self.active is not None  # noqa: PT018  (one condition: the scattered kind)
        at = self.where[self.active]
        raw = np.ascontiguousarray(values[self.active])[:, None].view(np.uint8)
        self.ub.data[at[:, None] + np.arange(self.dtype.itemsize)] = raw.reshape(at.size, -1)
