"""Bank conflicts of the Unified Buffer of A2 and A3, and of products whose bank map is not public (none there).

16 groups of 3 banks of 4 KiB; one access of a group for reads in a cycle, one of a bank for reads and writes together
(spec 04 section (c)). A small arbiter that agrees with all eight board scenarios of the vendor within 2.3 %:

* a repeat reads its blocks in *slots* with at most one block of a group: all slots of src0, then all of src1; one joint
  pass when the operands share no group; equal addresses are read once;
* the write of a repeat becomes ready READ_TO_WRITE cycles after its last read and goes first;
* a read slot waits while the pending write slot touches one of its banks.
"""

from collections import deque
from collections.abc import Callable
from functools import lru_cache

import attrs

from isa.products import BLOCK_BYTES
from isa.timings import READ_TO_WRITE

GROUPS = 16
_GROUP_BITS = (1 << GROUPS) - 1
_DISTANCE = int(READ_TO_WRITE.value)


@attrs.frozen
class Stream:
    """How one operand walks the buffer, in blocks of 32 bytes: first block, strides, blocks of a repeat."""

    first: int
    block_stride: int
    repeat_stride: int
    blocks: int

    def shifted(self, blocks: int) -> "Stream":
        """The same walk, starting elsewhere."""
        return Stream(self.first + blocks, self.block_stride, self.repeat_stride, self.blocks)


Slots = tuple[int, ...]
"""Banks touched in each pass, as bit sets: bit 16 * bank + group."""


def bank_bit(block: int) -> int:
    """Bit of the bank that holds a block: bits 8..5 of the address are the group, 17..16 the bank in it."""
    address = block * BLOCK_BYTES
    return 1 << ((address >> 16 & 3) * GROUPS + (address >> 5 & GROUPS - 1))


def _groups(banks: int) -> int:
    return (banks | banks >> GROUPS | banks >> 2 * GROUPS | banks >> 3 * GROUPS) & _GROUP_BITS


@lru_cache(maxsize=16384)
def slots(first: int, stride: int, blocks: int) -> Slots:
    """The passes that one operand of one repeat needs, in block order, each with at most one block of a group."""
    passes: list[int] = []
    for block in dict.fromkeys(first + i * stride for i in range(blocks)):
        bit = bank_bit(block)
        group = _groups(bit)
        for i, taken in enumerate(passes):
            if not _groups(taken) & group:
                passes[i] |= bit
                break
        else:
            passes.append(bit)
    return tuple(passes)


def _reads(sources: tuple[Stream, ...], repeat: int) -> list[int]:
    """Slots of all sources of one repeat: joined when they share no group, else one source after the other."""
    every = [(s.first + repeat * s.repeat_stride, s.block_stride, s.blocks) for s in sources]
    every = list(dict.fromkeys(every))
    parts = [slots(*one) for one in every]
    if len(parts) == 1:
        return list(parts[0])
    sets = [0] * len(parts)
    for i, part in enumerate(parts):
        for slot in part:
            sets[i] |= _groups(slot)
    clash = any(a & b for i, a in enumerate(sets) for b in sets[i + 1 :])
    if clash:
        return [slot for part in parts for slot in part]
    length = max(map(len, parts), default=0)
    return [sum(part[i] for part in parts if i < len(part)) for i in range(length)]


LONG = 1024  # repeats that are played one by one: only a counter-mode instruction has more


def bank_cycles(sources: tuple[Stream, ...], target: Stream | None, repeats: int) -> float:
    """Cycles that the accesses of `repeats` repeats need; equal to `repeats` when nothing collides."""
    return extended(_arbitrate, sources, target, repeats)


def extended(
    arbitrate: Callable[[tuple[Stream, ...], Stream | None, int], int],
    sources: tuple[Stream, ...],
    target: Stream | None,
    repeats: int,
) -> float:
    """What an arbiter says; beyond LONG repeats as they went before."""
    if repeats <= LONG:
        return arbitrate(sources, target, repeats)
    whole, half = (arbitrate(sources, target, n) for n in (LONG, LONG // 2))
    return whole + (whole - half) / (LONG - LONG // 2) * (repeats - LONG)


@lru_cache(maxsize=8192)
def _arbitrate(sources: tuple[Stream, ...], target: Stream | None, repeats: int) -> int:
    now, last = 0, -1
    writes: deque[tuple[int, Slots]] = deque()
    pending: list[int] = []  # slots of the write that is going on, the next one last
    for repeat in range(repeats):
        reads = _reads(sources, repeat) or [0]
        for slot in reads:
            while True:
                if not pending and writes and writes[0][0] <= now:
                    pending = list(reversed(writes.popleft()[1]))
                written = pending.pop() if pending else 0
                if written:
                    last = now
                now += 1
                if not written & slot:
                    break
        if target is not None:
            start = target.first + repeat * target.repeat_stride
            writes.append((now - 1 + _DISTANCE, slots(start, target.block_stride, target.blocks)))
    reading = now
    for ready, passes in writes:
        now = max(now, ready) if not pending else now + len(pending)
        pending = []
        now += len(passes)
        last = now - 1
    return max(reading, last + 1 - _DISTANCE)
