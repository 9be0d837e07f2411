"""Which bytes an operand touches: one formula for execution, checks, bank conflicts and pictures.

    address(r, k) = base + r * repeat_stride + (k*s // 32) * block_stride + k*s % 32      (spec 01 section 3.1)

for lane k of repeat r and element size s. A walk counts everything in bytes; lanes switched off by the mask still
count in k.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

import attrs
import numpy as np
from numpy.typing import NDArray

from ascend_sim.machine.record import record
from isa.products import BLOCK_BYTES

Offsets = NDArray[np.int64]
NIBBLE = 4


@record(unsafe_hash=True)
class Walk:
    """Base address and strides of one operand, in bytes; `bits` is the width of one lane."""

    base: int
    block_stride: int
    repeat_stride: int
    bits: int

    def offsets(self, repeats: int, lanes: int) -> Offsets:
        """Byte address of each lane, shape (repeats, lanes). Two nibble lanes share an address."""
        within = np.arange(lanes, dtype=np.int64) * self.bits // 8
        lane = within // BLOCK_BYTES * self.block_stride + within % BLOCK_BYTES
        start = self.base + np.arange(repeats, dtype=np.int64) * self.repeat_stride
        return start[:, None] + lane

    def address(self, repeat: int, lane: int) -> int:
        """Byte address of one lane."""
        block, byte = divmod(lane * self.bits // 8, BLOCK_BYTES)
        return self.base + repeat * self.repeat_stride + block * self.block_stride + byte

    def span(self, lanes: int) -> int:
        """Bytes from the start of a repeat to the end of its first `lanes` lanes, holes included."""
        blocks, rest = divmod(lanes * self.bits // 8, BLOCK_BYTES)
        end = (blocks - 1) * self.block_stride + BLOCK_BYTES if blocks else 0
        return max(end, blocks * self.block_stride + rest) if rest else end

    def extent(self, repeats: int, lanes: int) -> tuple[int, int]:
        """First byte and one past the last byte of `repeats` repeats of `lanes` lanes."""
        return self.base, self.base + (repeats - 1) * self.repeat_stride + self.span(lanes)

    def is_dense(self, lanes: int) -> bool:
        """The first `lanes` lanes of a repeat lie side by side."""
        return self.block_stride == BLOCK_BYTES or lanes * self.bits <= BLOCK_BYTES * 8

    def from_repeat(self, repeat: int) -> "Walk":
        """The same walk, starting at a later repeat."""
        if not repeat:
            return self
        return Walk(self.base + repeat * self.repeat_stride, self.block_stride, self.repeat_stride, self.bits)


@attrs.frozen
class Segment:
    """Consecutive repeats under one mask.

    first, repeats: which; mask: bit k is lane k; lanes: up to and including the last active one; is_prefix: the active
    lanes are the first ones.
    """

    first: int
    repeats: int
    mask: int
    lanes: int
    is_prefix: bool

    @classmethod
    def of(cls, first: int, repeats: int, mask: int) -> "Segment":
        """A segment; what follows from the mask is worked out once."""
        return cls(first, repeats, mask, mask.bit_length(), mask & (mask + 1) == 0)


@attrs.frozen(cache_hash=True)
class Lanes:
    """Which lanes of which repeats are active. Made by `uniform_lanes` and `first_lanes`, which share equal ones.

    width: lanes in a repeat; mask: active lanes of every repeat but the last; last_mask: of the last one (it differs
    in counter mode only); segments: runs of repeats with one mask, those without an active lane left out.
    """

    width: int
    repeats: int
    mask: int
    last_mask: int
    segments: tuple[Segment, ...] = attrs.field(init=False, eq=False)

    @segments.default
    def _runs(self) -> tuple[Segment, ...]:
        main = self.repeats if self.last_mask == self.mask else self.repeats - 1
        runs = []
        if main > 0 and self.mask:
            runs.append(Segment.of(0, main, self.mask))
        if main < self.repeats and self.last_mask:
            runs.append(Segment.of(main, 1, self.last_mask))
        return tuple(runs)

    @property
    def is_empty(self) -> bool:
        """Nothing is active."""
        return not self.segments

    @property
    def reach(self) -> int:
        """Lanes of a repeat up to and including the last one that is active in any repeat."""
        return max((s.lanes for s in self.segments), default=0)

    @property
    def active_count(self) -> int:
        """Active lanes over all repeats."""
        return sum(s.repeats * s.mask.bit_count() for s in self.segments)

    @property
    def element_count(self) -> int:
        """Elements of a count form: all lanes of every repeat, up to the last active one of the last."""
        return (self.repeats - 1) * self.width + self.last_mask.bit_length() if self.repeats else 0

    def mask_of(self, repeat: int) -> int:
        """The mask of one repeat, as an int."""
        return self.last_mask if repeat == self.repeats - 1 else self.mask

    def active(self) -> NDArray[np.bool_]:
        """Shape (repeats, width): True where a lane is active."""
        table = np.empty((self.repeats, self.width), np.bool_)
        table[:] = mask_row(self.mask, self.width)
        if self.repeats:
            table[-1] = mask_row(self.last_mask, self.width)
        return table


@lru_cache(maxsize=1024)
def uniform_lanes(width: int, repeats: int, mask: int) -> Lanes:
    """Every repeat under the same mask."""
    return Lanes(width, repeats, mask, mask)


@lru_cache(maxsize=1024)
def first_lanes(width: int, count: int) -> Lanes:
    """The first `count` elements, repeat after repeat (counter mode, spec 01 section 2.8)."""
    repeats, rest = divmod(count, width)
    full = (1 << width) - 1
    return Lanes(width, repeats + 1, full, (1 << rest) - 1) if rest else Lanes(width, repeats, full, full)


class Cover(NamedTuple):
    """Where an operand's active bytes lie: all within low..high-1, and when `solid` they are exactly those."""

    low: int
    high: int
    solid: bool

    def moved(self, by: int) -> "Cover":
        """The same `by` bytes further."""
        low, high, solid = self
        return _new(Cover, (low + by, high + by, solid))  # a third of the time of Cover(...)


_new = tuple.__new__


def cover_of_lanes(walk: Walk, lanes: Lanes) -> Cover:
    """The bytes that the active lanes touch."""
    return _cover(walk.block_stride, walk.repeat_stride, walk.bits, lanes).moved(walk.base)


@lru_cache(maxsize=4096)
def _cover(block_stride: int, repeat_stride: int, bits: int, lanes: Lanes) -> Cover:
    """`cover_of_lanes` of a walk that starts at 0: calls alike differ in where their operands are."""
    walk = Walk(0, block_stride, repeat_stride, bits)
    if not lanes.segments:
        return Cover(0, 0, solid=True)
    low, high, solid = lanes.segments[0].first * repeat_stride, 0, True
    for segment in lanes.segments:
        n = segment.lanes + (segment.lanes & 1 if bits == NIBBLE else 0)
        span, start = walk.span(n), segment.first * repeat_stride
        follows = segment is lanes.segments[0] or start == high
        is_one = segment.repeats == 1 or repeat_stride == span
        solid = solid and segment.is_prefix and walk.is_dense(n) and follows and is_one
        high = max(high, start + (segment.repeats - 1) * repeat_stride + span)
    return Cover(low, high, solid)


def cover_of_bursts(walk: Walk, bursts: "Bursts") -> Cover:
    """The bytes that a copy touches."""
    if bursts.is_empty:
        return Cover(walk.base, walk.base, solid=True)
    high = walk.base + (bursts.count - 1) * walk.repeat_stride + bursts.length
    return Cover(walk.base, high, bursts.count == 1 or walk.repeat_stride == bursts.length)


@attrs.frozen(eq=False)
class Indexed:
    """Elements whose addresses stand in memory: `resolve()` gives their addresses, repeats and lanes as of now, as flat
    arrays in the order of execution; those outside the operand's memory are left out.
    """

    resolve: Callable[[], tuple[Offsets, Offsets, Offsets]]


@attrs.frozen
class Bursts:
    """What a copy moves: `count` bursts of `length` bytes; one lane is one byte, one repeat one burst, no mask."""

    count: int
    length: int

    @property
    def is_empty(self) -> bool:
        """Nothing moves."""
        return self.count == 0 or self.length == 0


@lru_cache(maxsize=256)
def mask_row(mask: int, width: int) -> NDArray[np.bool_]:
    """The low `width` bits of `mask` as a boolean row, lane 0 first. Read-only: it is shared."""
    raw = (mask & ((1 << width) - 1)).to_bytes((width + 7) // 8, "little")
    row = np.unpackbits(np.frombuffer(raw, np.uint8), bitorder="little")[:width].astype(np.bool_)
    row.flags.writeable = False
    return row
