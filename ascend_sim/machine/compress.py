"""GatherMask: the elements that a pattern picks, side by side in the destination (spec 01 section 3.7)."""

from collections.abc import Callable

import attrs
import numpy as np
from numpy.typing import NDArray

from ascend_sim.machine.core import Core
from ascend_sim.machine.issue import Access, Issue
from ascend_sim.machine.memory import UnifiedBuffer
from ascend_sim.machine.walk import Indexed, Lanes, Offsets

Step = Callable[..., None]


def picked(src: Access, walk_lanes: Lanes, bits: NDArray[np.bool_]) -> tuple[Offsets, Offsets, Offsets]:
    """Address, repeat and lane of the picked elements. bits: (repeats, lanes)."""
    repeat, lane = np.nonzero(bits & walk_lanes.active())
    return src.walk.offsets(walk_lanes.repeats, walk_lanes.width)[repeat, lane], repeat, lane


def table_bits(pattern: Access, width: int, ub: UnifiedBuffer) -> NDArray[np.bool_]:
    """The bits of a pattern tensor for each lane of each repeat, the lowest bit of a byte first."""
    lanes = pattern.lanes
    assert isinstance(lanes, Lanes)
    where = np.minimum(pattern.walk.offsets(lanes.repeats, lanes.width), ub.size - 1)
    bits = np.unpackbits(ub.data[where], axis=-1, bitorder="little")[:, :width]
    return bits.astype(np.bool_)


def with_pattern(
    dst: Access, src: Access, pattern: Access, walk_lanes: Lanes, ub: UnifiedBuffer
) -> tuple[Access, Access]:
    """Destination and source whose elements the pattern tensor decides when somebody asks."""

    def source() -> tuple[Offsets, Offsets, Offsets]:
        address, repeat, lane = picked(src, walk_lanes, table_bits(pattern, walk_lanes.width, ub))
        inside = address + src.dtype.size <= ub.size
        return address[inside], repeat[inside], lane[inside]

    def target() -> tuple[Offsets, Offsets, Offsets]:
        count = source()[0].size
        number = np.arange(count)
        address = dst.walk.base + number * dst.dtype.size
        inside = address + dst.dtype.size <= ub.size
        per_repeat = 256 // dst.dtype.size
        return address[inside], (number // per_repeat)[inside], (number % per_repeat)[inside]

    return attrs.evolve(dst, lanes=Indexed(target)), attrs.evolve(src, lanes=Indexed(source))


def bind_compress(issue: Issue, core: Core) -> Step:
    """Read all picked elements, then write them from the start of the destination on."""
    dst, src = issue.accesses[:2]
    ub, special, size = core.ub, core.special, dst.dtype.size
    lanes = issue.lanes
    assert lanes is not None
    pattern = issue.accesses[2] if len(issue.accesses) > 2 else None
    static = None if pattern is not None else lanes_of(src)

    def run(*_: object) -> None:
        if pattern is None:
            assert static is not None
            address = static
        else:
            address = picked(src, lanes, table_bits(pattern, lanes.width, ub))[0]
        special.kept = int(address.size)
        values = ub.data[address[:, None] + np.arange(size)].reshape(-1)
        ub.data[dst.walk.base : dst.walk.base + values.size] = values

    return run


def lanes_of(access: Access) -> Offsets:
    """Addresses of the active lanes of a walk."""
    lanes = access.lanes
    assert isinstance(lanes, Lanes)
    return access.walk.offsets(lanes.repeats, lanes.width)[np.nonzero(lanes.active())]
