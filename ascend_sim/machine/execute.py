"""Execution of one issue: read all lanes of a repeat, compute, write the active lanes.

Repeats run in order wherever one could read or overwrite what another wrote, all at once otherwise. Everything that
can be decided without values is decided in `bind`, which returns a function to call as often as the issue runs.
"""

from collections.abc import Callable, Sequence
from contextvars import Context, copy_context
from functools import lru_cache, partial
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

from ascend_sim.machine.hazards import may_depend, overwrites_itself
from ascend_sim.machine.issue import Access, Issue
from ascend_sim.machine.memory import UnifiedBuffer
from ascend_sim.machine.walk import Segment, mask_row
from isa.dtypes import pack_nibbles, unpack_nibbles
from isa.numerics.rules import Kernel
from isa.products import BLOCK_BYTES

Array = NDArray[Any]
Step = Callable[..., None]
"""What `bind` returns; it takes the scalars that are known only when the call runs."""


def _quiet_context() -> Context:
    context = copy_context()
    # Overflow and NaN are results here, not accidents; entering np.errstate for each call would cost more than it.
    context.run(np.seterr, all="ignore")
    return context


_QUIET = _quiet_context()


def quiet(step: Step) -> Step:
    """`step` without numpy's floating-point warnings, at the price of one C call."""
    if isinstance(step, partial) and not step.keywords:
        return partial(_QUIET.run, step.func, *step.args)  # one call in place of two
    return partial(_QUIET.run, step)


def bind(issue: Issue, kernel: Kernel, ub: UnifiedBuffer) -> Step:
    """A function that executes `issue` on `ub`. Addresses were checked: nothing here reaches outside the buffer."""
    assert issue.lanes is not None  # register writes and bursts are not executed here
    lanes = issue.lanes
    steps: list[Step] = []
    in_order = lanes.repeats > 1 and _repeats_depend(issue)
    for segment in lanes.segments:
        if in_order:
            parts = [Segment.of(segment.first + r, 1, segment.mask) for r in range(segment.repeats)]
            steps += [_bind_segment(issue, kernel, ub, part) for part in parts]
        else:
            steps.append(_bind_segment(issue, kernel, ub, segment))
    if len(steps) == 1:
        return steps[0]

    def run(*scalars: Any) -> None:
        for step in steps:
            step(*scalars)

    return run


def _repeats_depend(issue: Issue) -> bool:
    for dst in issue.writes:
        if overwrites_itself(dst):
            return True
        for src in issue.reads:
            if may_depend(dst, src):
                return True
    return False


def _must_compute_beside(issue: Issue) -> bool:
    """Two results, or a destination that shares bytes with a source: compute first, write afterwards."""
    if len(issue.writes) > 1:
        return True
    (dst,) = issue.writes
    low, high = dst.cover.low, dst.cover.high
    for src in issue.reads:  # noqa: SIM110  (a generator costs more than the loop, for every new program)
        if low < src.cover.high and src.cover.low < high and dst.walk != src.walk:
            return True
    return False


def _bind_segment(issue: Issue, kernel: Kernel, ub: UnifiedBuffer, segment: Segment) -> Step:
    grid = _grid(issue, segment, ub.size)
    if grid is None:
        return _bind_scattered(issue, kernel, ub, segment)
    kernel = _with_packing(issue, kernel)
    sources = [grid.array(a, ub, segment) for a in issue.reads]
    outs = [grid.array(a, ub, segment) for a in issue.writes]
    if segment.is_prefix and grid.lanes == segment.lanes and not _must_compute_beside(issue):
        if not issue.instruction.family.has_scalar:
            return partial(kernel, *sources, *outs)
        return lambda *scalars: kernel(*sources, *scalars, *outs)
    masks = [grid.mask(segment.mask, a) for a in issue.writes]
    return _blended(kernel, sources, outs, masks)


def _blended(kernel: Kernel, sources: Sequence[Array], outs: Sequence[Array], masks: Sequence[Array | None]) -> Step:
    """Compute beside the buffer, then exchange the active lanes: any mask costs the same three passes."""
    codes = [_codes(out) for out in outs]

    def run(*scalars: Any) -> None:
        results = [np.empty(out.shape, out.dtype) for out in outs]
        kernel(*sources, *scalars, *results)
        for result, code, mask in zip(results, codes, masks, strict=True):
            fresh = _codes(result)
            if mask is not None:
                np.bitwise_xor(fresh, code, fresh)
                np.bitwise_and(fresh, mask, fresh)
                np.bitwise_xor(fresh, code, code)
            else:
                code[...] = fresh

    return run


def _codes(values: Array) -> Array:
    codes: Array = values.view(f"u{values.dtype.itemsize}")
    return codes


@attrs.frozen
class _Grid:
    """A common shape for all operands of a segment.

    lanes: lanes of a repeat that are computed (at least the active ones). by_block: the arrays are
    (repeats, blocks, lanes of a block), else (repeats, lanes), or flat when all operands are contiguous.
    """

    lanes: int
    by_block: bool
    flat: bool

    def array(self, access: Access, ub: UnifiedBuffer, segment: Segment) -> Array:
        """The operand's view, in its carrier type; nibble types as packed bytes."""
        walk, dtype = access.walk, access.dtype
        if segment.first:
            walk = walk.from_repeat(segment.first)
        units = self.lanes * dtype.bits // 8 // dtype.size
        if self.flat or (segment.repeats == 1 and not self.by_block):
            return ub.flat(walk.base, segment.repeats * units, dtype)
        if self.by_block:
            per_block = BLOCK_BYTES // dtype.size
            shape: tuple[int, ...] = (segment.repeats, units // per_block, per_block)
            return ub.view(walk, shape, (walk.repeat_stride, walk.block_stride, dtype.size), dtype.carrier)
        return ub.view(walk, (segment.repeats, units), (walk.repeat_stride, dtype.size), dtype.carrier)

    def mask(self, mask: int, access: Access) -> Array | None:
        """All-ones where the lane is active, in the shape of one repeat; None when all computed lanes are."""
        if mask == (1 << self.lanes) - 1:
            return None
        words = _mask_words(mask, self.lanes, access.dtype.bits)
        return words.reshape(-1, BLOCK_BYTES // access.dtype.size) if self.by_block else words


def _grid(issue: Issue, segment: Segment, limit: int) -> _Grid | None:
    """The cheapest common shape, or None when the operands have none (blocks of different widths apart)."""
    accesses, n = issue.accesses, segment.lanes
    if n & 1 and _has_nibbles(issue):
        n += 1
    dense, contiguous = True, segment.is_prefix
    for access in accesses:
        walk = access.walk
        dense = dense and walk.is_dense(n)
        contiguous = contiguous and walk.repeat_stride * 8 == n * walk.bits
    if dense:
        return _Grid(n, by_block=False, flat=contiguous)
    per_block = accesses[0].dtype.per_block
    if any(a.dtype.bits != accesses[0].dtype.bits or a.dtype.is_nibble for a in accesses):
        return None
    if any(w.walk.block_stride < BLOCK_BYTES for w in issue.writes):
        return None  # several blocks into one: the highest must win
    n = -(-n // per_block) * per_block
    if any(a.walk.from_repeat(segment.first).extent(segment.repeats, n)[1] > limit for a in accesses):
        return None  # the rounded-up block would reach past the buffer
    return _Grid(n, by_block=True, flat=False)


def _has_nibbles(issue: Issue) -> bool:
    for access in issue.accesses:  # noqa: SIM110  (as above)
        if access.dtype.is_nibble:
            return True
    return False


@lru_cache(maxsize=256)
def _mask_words(mask: int, lanes: int, bits: int) -> Array:
    row = mask_row(mask, lanes)
    if bits == 4:
        return pack_nibbles(np.where(row, np.uint8(15), np.uint8(0)))
    unsigned = np.dtype(f"u{bits // 8}")
    words: Array = np.where(row, unsigned.type(np.iinfo(unsigned).max), unsigned.type(0))
    return words


def _with_packing(issue: Issue, kernel: Kernel) -> Kernel:
    """`kernel` works on one code a byte; nibble operands are packed in the buffer."""
    if not _has_nibbles(issue):
        return kernel
    packed_sources = [a.dtype.is_nibble for a in issue.reads]
    packed_out = issue.writes[0].dtype.is_nibble

    def run(*arguments: Any) -> None:
        *given, out = arguments
        for i, packed in enumerate(packed_sources):
            if packed:
                given[i] = unpack_nibbles(given[i])
        if not packed_out:
            kernel(*given, out)
            return
        codes = np.empty((*out.shape[:-1], out.shape[-1] * 2), np.uint8)
        kernel(*given, codes)
        out[...] = pack_nibbles(codes)

    return run


def _bind_scattered(issue: Issue, kernel: Kernel, ub: UnifiedBuffer, segment: Segment) -> Step:
    """Lane by lane addresses, repeat after repeat: always right, for walks that have no common shape."""
    active = np.flatnonzero(mask_row(segment.mask, segment.lanes))
    places = [(a, a.walk.from_repeat(segment.first).offsets(segment.repeats, segment.lanes)) for a in issue.accesses]
    reads = [(a, where[:, active]) for a, where in places if a.operand.is_read]
    writes = [(a, where[:, active]) for a, where in places if a.operand.is_written]

    def run(*scalars: Any) -> None:
        for r in range(segment.repeats):
            sources = [_gather(ub, a, where[r], active) for a, where in reads]
            results = [np.empty(active.size, a.dtype.carrier) for a, _ in writes]
            kernel(*sources, *scalars, *results)
            for (a, where), result in zip(writes, results, strict=True):
                _scatter(ub, a, where[r], active, result)

    return run


def _gather(ub: UnifiedBuffer, access: Access, where: NDArray[np.int64], lanes: NDArray[np.int64]) -> Array:
    if access.dtype.is_nibble:
        return np.asarray(ub.data[where] >> (lanes & 1) * 4 & 15, np.uint8)
    bytes_ = ub.data[where[:, None] + np.arange(access.dtype.size)]
    values: Array = bytes_.view(access.dtype.carrier)[:, 0]
    return values


def _scatter(
    ub: UnifiedBuffer, access: Access, where: NDArray[np.int64], lanes: NDArray[np.int64], values: Array
) -> None:
    # numpy assigns repeated indices in order, so the highest lane wins
    if access.dtype.is_nibble:
        for odd in (0, 1):
            picked = lanes & 1 == odd
            at, keep = where[picked], 0x0F if odd else 0xF0
            ub.data[at] = ub.data[at] & keep | values[picked] << odd * 4
        return
    size = access.dtype.size
    ub.data[where[:, None] + np.arange(size)] = values[:, None].view(np.uint8).reshape(-1, size)
