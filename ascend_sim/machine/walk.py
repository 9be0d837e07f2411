"""Which bytes an operand touches: one formula for execution, checks, bank conflicts and pictures.

    address(r, k) = base + r * repeat_stride + (k*s // 32) * block_stride + k*s % 32      (spec 01 section 3.1)

for lane k of repeat r and element size s. A walk counts everything in bytes; lanes switched off by the mask still
count in k.
"""

from collections.abc import Iterator
from functools import lru_cache

import attrs
import numpy as np
from numpy.typing import NDArray

from isa.products import BLOCK_BYTES

Offsets = NDArray[np.int64]


@attrs.frozen
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
    """Consecutive repeats under one mask: `first`, how many, and the mask as an int (bit k = lane k)."""

    first: int
    repeats: int
    mask: int

    @property
    def lanes(self) -> int:
        """Lanes up to and including the last active one."""
        return self.mask.bit_length()

    @property
    def is_prefix(self) -> bool:
        """The active lanes are the first ones."""
        return self.mask & (self.mask + 1) == 0


@attrs.frozen
class Lanes:
    """Which lanes of which repeats are active.

    width: lanes in a repeat; mask: active lanes of every repeat but the last; last_mask: of the last one (it differs
    in counter mode only).
    """

    width: int
    repeats: int
    mask: int
    last_mask: int

    @classmethod
    def uniform(cls, width: int, repeats: int, mask: int) -> "Lanes":
        """Every repeat under the same mask."""
        return cls(width, repeats, mask, mask)

    @classmethod
    def first(cls, width: int, count: int) -> "Lanes":
        """The first `count` elements, repeat after repeat (counter mode, spec 01 section 2.8)."""
        repeats, rest = divmod(count, width)
        full = (1 << width) - 1
        return cls(width, repeats + 1, full, (1 << rest) - 1) if rest else cls(width, repeats, full, full)

    @property
    def is_empty(self) -> bool:
        """Nothing is active."""
        return self.repeats == 0 or (self.last_mask == 0 and (self.mask == 0 or self.repeats == 1))

    @property
    def active_count(self) -> int:
        """Active lanes over all repeats."""
        return sum(s.repeats * s.mask.bit_count() for s in self.segments())

    def segments(self) -> Iterator[Segment]:
        """Runs of repeats with one mask, those without an active lane left out."""
        main = self.repeats if self.last_mask == self.mask else self.repeats - 1
        if main > 0 and self.mask:
            yield Segment(0, main, self.mask)
        if main < self.repeats and self.last_mask:
            yield Segment(main, 1, self.last_mask)

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
