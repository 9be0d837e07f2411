"""Execution of a copy between GM and the Unified Buffer, or inside it."""

from collections.abc import Callable
from typing import Any

import attrs
import numpy as np

from ascend_sim.machine.issue import Access, Issue, Space
from ascend_sim.machine.memory import Bytes, UnifiedBuffer
from ascend_sim.machine.walk import Bursts

Transfer = Callable[[Bytes, int], None]
"""`transfer(gm, offset)`: `gm` is the byte view of the GM array, `offset` the first byte of the GM operand in it. A
copy inside the Unified Buffer ignores both."""


@attrs.frozen
class Combine:
    """How a copy out combines with what GM holds: the numpy function and the element type (atomic add, max, min)."""

    name: str
    function: Callable[..., Any]
    carrier: "np.dtype[Any]"


def combine_with(combine: Combine, place: Bytes, source: Bytes) -> None:
    """`place` becomes function(place, source), element by element."""
    values = place.view(combine.carrier)
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
    ub_side = _view(ub.data, local.walk.base, bursts, local.walk.repeat_stride)
    if bursts.count == 1:
        length = bursts.length
        if inward:

            def copy_in(gm: Bytes, offset: int) -> None:
                ub_side[:] = gm[offset : offset + length]

            return copy_in

        def copy_out(gm: Bytes, offset: int) -> None:
            _put(gm[offset : offset + length], ub_side, combine)

        return copy_out

    def transfer(gm: Bytes, offset: int) -> None:
        gm_side = _view(gm, offset, bursts, remote.walk.repeat_stride)
        if inward:
            ub_side[...] = gm_side
            return
        for burst in range(bursts.count):  # in order: bursts may overlap in GM
            _put(gm_side[burst], ub_side[burst], combine)

    return transfer


def _put(place: Bytes, source: Bytes, combine: Combine | None) -> None:
    if combine is None:
        place[...] = source
    else:
        combine_with(combine, place, source)


def _inside(dst: Access, src: Access, bursts: Bursts, ub: UnifiedBuffer) -> Transfer:
    to = _view(ub.data, dst.walk.base, bursts, dst.walk.repeat_stride)
    source = _view(ub.data, src.walk.base, bursts, src.walk.repeat_stride)

    def copy(_gm: Bytes, _offset: int) -> None:
        if bursts.count == 1:
            to[:] = source
        else:
            for burst in range(bursts.count):
                to[burst] = source[burst]

    return copy


def _view(data: Bytes, start: int, bursts: Bursts, stride: int) -> Bytes:
    if bursts.count == 1:
        return data[start : start + bursts.length]
    return np.ndarray((bursts.count, bursts.length), np.uint8, data, start, (stride, 1))
