"""Execution of a copy between GM and the Unified Buffer, or inside it."""

from collections.abc import Callable
from typing import Any

import attrs
import numpy as np

from ascend_sim.machine.issue import Access, Issue, Space
from ascend_sim.machine.memory import Bytes, UnifiedBuffer
from ascend_sim.machine.walk import Bursts

Transfer = Callable[[memoryview, int], None]
"""`transfer(gm, offset)`: `gm` is the bytes of the GM array, `offset` the first byte of the GM operand in it. A
copy inside the Unified Buffer ignores both."""


@attrs.frozen
class Combine:
    """How a copy out combines with what GM holds: the numpy function and the element type (atomic add, max, min)."""

    name: str
    function: Callable[..., Any]
    carrier: "np.dtype[Any]"


def combine_with(combine: Combine, place: "memoryview | Bytes", source: Bytes) -> None:
    """`place` becomes function(place, source), element by element."""
    values = np.frombuffer(place, combine.carrier)
    with np.errstate(all="ignore"):
        values[...] = combine.function(values, source.view(combine.carrier))


def bind_transfer(issue: Issue, ub: UnifiedBuffer, combine: Combine | None = None) -> Transfer:
    """A function that executes a copy. Bounds of both sides were checked. combine: of a copy out, how."""
    bursts = issue.bursts
    assert bursts is not None
    (dst,), (src,) = issue.writes, issue.reads
    if dst.space is Space.UB and src.space is Space.UB:
        return _inside(dst, src, bursts, ub)
    inward = dst.space is Space.UB
    local, remote = (dst, src) if inward else (src, dst)
    if bursts.count == 1 and (inward or combine is None):
        return _one_burst(ub.bytes[local.walk.base : local.walk.base + bursts.length], inward=inward)
    ub_side = _view(ub.data, local.walk.base, bursts, local.walk.repeat_stride)

    def transfer(gm: memoryview, offset: int) -> None:
        gm_side = _view(gm, offset, bursts, remote.walk.repeat_stride)
        if inward:
            ub_side[...] = gm_side
            return
        for place, source in zip(gm_side, ub_side, strict=True):  # in order: bursts may overlap in GM
            if combine is None:
                place[...] = source
            else:
                combine_with(combine, place, source)

    return transfer


def _one_burst(ub_side: memoryview, *, inward: bool) -> Transfer:
    length = ub_side.nbytes

    def copy_in(gm: memoryview, offset: int) -> None:
        ub_side[:] = gm[offset : offset + length]

    def copy_out(gm: memoryview, offset: int) -> None:
        gm[offset : offset + length] = ub_side

    return copy_in if inward else copy_out


def _inside(dst: Access, src: Access, bursts: Bursts, ub: UnifiedBuffer) -> Transfer:
    to = _view(ub.data, dst.walk.base, bursts, dst.walk.repeat_stride)
    source = _view(ub.data, src.walk.base, bursts, src.walk.repeat_stride)

    def copy(_gm: memoryview, _offset: int) -> None:
        for place, data in zip(to, source, strict=True):
            place[...] = data

    return copy


def _view(data: "memoryview | Bytes", start: int, bursts: Bursts, stride: int) -> Bytes:
    """One row for each burst."""
    return np.ndarray((bursts.count, bursts.length), np.uint8, data, start, (stride, 1))
