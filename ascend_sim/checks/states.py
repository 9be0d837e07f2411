"""Reads of bytes that this launch did not write: uninitialised, DataCopyPad filler, left by an earlier launch."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ascend_sim.checks.violation import Violation
from ascend_sim.machine.issue import Access, Issue, Space
from ascend_sim.machine.memory import ByteState, UnifiedBuffer
from ascend_sim.machine.touched import Touched, touched
from ascend_sim.machine.walk import Indexed
from isa.products import BLOCK_BYTES, PRODUCTS

# members of an enum are slow to look up, and these are needed for every new program
_WRITTEN, _GM = int(ByteState.WRITTEN), Space.GM
_ALL_WRITTEN = bytes([_WRITTEN]) * max(p.ub_bytes for p in PRODUCTS.values())

_CODE = {
    ByteState.UNINITIALISED: "uninitialised-read",
    ByteState.PAD: "pad-read",
    ByteState.STALE: "stale-read",
}
_ORIGIN = {
    ByteState.UNINITIALISED: "never written",
    ByteState.PAD: "filler that DataCopyPad added",
    ByteState.STALE: "left over from an earlier launch; this one never wrote them",
}
_HINT = {
    ByteState.UNINITIALISED: "Write them first: copy in, Duplicate, or a mask that covers the lanes.",
    ByteState.PAD: "Pad with a value of your own, or keep the filler out of the active lanes.",
    ByteState.STALE: "Write them in this launch, or leave them out of the count, mask or copy.",
}


def all_written(access: Access, ub: UnifiedBuffer) -> bool:
    """Every byte that the operand reads was written in this launch. Cheap where the bytes lie side by side."""
    cover = access.cover
    if cover.low == cover.high:
        return True
    if _ALL_WRITTEN.startswith(ub.state_bytes[cover.low : cover.high]):  # numpy takes longer to begin a reduction
        return True
    return (not cover.solid or isinstance(access.lanes, Indexed)) and bool(
        (_states(access, touched(access), ub) == _WRITTEN).all()
    )


def mark_written(access: Access, ub: UnifiedBuffer) -> None:
    """The issue writes these bytes."""
    cover = access.cover
    if cover.solid and not isinstance(access.lanes, Indexed):
        ub.state[cover.low : cover.high] = _WRITTEN
        return
    address = touched(access).address
    for byte in range(access.dtype.size):
        ub.state[address + byte] = _WRITTEN


def _states(access: Access, where: Touched, ub: UnifiedBuffer) -> NDArray[np.uint8]:
    states = ub.state[where.address]
    for byte in range(1, access.dtype.size):
        np.minimum(states, ub.state[where.address + byte], out=states)
    return states


def check(issue: Issue, ub: UnifiedBuffer) -> Iterator[Violation]:
    """One violation for each operand and kind of byte that an active lane reads."""
    for access in issue.reads:
        if access.space is _GM or not access.is_checked or all_written(access, ub):
            continue
        where = touched(access)
        states = _states(access, where, ub)
        for state, code in _CODE.items():
            if (states == state).any():
                yield _violation(issue, access, where.of(states == state), state, code)


def _violation(issue: Issue, access: Access, bad: Touched, state: ByteState, code: str) -> Violation:
    first, last, lane = int(bad.address[0]), int(bad.address.max()) + access.dtype.size - 1, int(bad.lane[0])
    verb = "copies out" if issue.bursts is not None else "reads"
    where = "" if issue.bursts is not None else f"repeat {bad.repeat[0]} "
    block = lane * access.dtype.bits // 8 // BLOCK_BYTES
    return Violation(
        code=code,
        message=f"{verb} {bad.address.size} elements of {access.dtype} that are {_ORIGIN[state]}: the first is {where}"
        f"block {block} lane {lane} at UB address 0x{first:04X} (bytes {first - access.address}.."
        f"{last - access.address} of the tensor)",
        hint=_HINT[state],
        operand=access.operand.name,
        repeat=int(bad.repeat[0]),
        block=block,
        lane=lane,
        address=first,
    )
