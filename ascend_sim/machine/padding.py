"""Copies of any number of bytes (DataCopyPad): where each byte goes, and what stands where no byte comes.

Into the buffer, every burst takes whole 32-byte blocks: [left padding][data][right padding][dummy] (spec 01, 3.3).
"""

from collections.abc import Iterator

import attrs
import numpy as np

from ascend_sim.machine.memory import ByteState, UnifiedBuffer
from ascend_sim.machine.transfer import Combine, Transfer, combine_with
from isa.products import BLOCK_BYTES

_RANDOM = 0xA5  # what the hardware leaves when no value was set; any bytes would do, these are easy to recognise


@attrs.frozen
class Padding:
    """One burst of a padded copy into the buffer, all in bytes.

    left, data, right: padding and data; element: bytes of one element; value: one element to fill with (None: none is
    known); dummy_is_first: the bytes behind are copies of the burst's first element.
    """

    left: int
    data: int
    right: int
    element: int
    value: bytes | None
    dummy_is_first: bool

    @property
    def pitch(self) -> int:
        """Bytes that the burst takes in the buffer."""
        return -(-(self.left + self.data + self.right) // BLOCK_BYTES) * BLOCK_BYTES

    def states(self) -> Iterator[tuple[int, int, ByteState]]:
        """What the bytes start..stop-1 of the burst are afterwards."""
        filler = ByteState.UNINITIALISED if self.value is None else ByteState.WRITTEN
        if self.left:
            yield 0, self.left, filler
        yield self.left, self.left + self.data, ByteState.WRITTEN
        if self.right:
            yield self.left + self.data, self.left + self.data + self.right, filler
        end = self.left + self.data + self.right
        if end < self.pitch:
            yield end, self.pitch, ByteState.PAD if self.dummy_is_first else filler


def bind_in(padding: Padding, ub: UnifiedBuffer, start: int, stride: int, count: int, gm_stride: int) -> Transfer:
    """A copy into the buffer; `start` and `stride` in the buffer, `gm_stride` between bursts in GM."""
    filler = np.full(padding.pitch, _RANDOM, np.uint8)
    if padding.value is not None:
        filler[:] = np.resize(np.frombuffer(padding.value, np.uint8), padding.pitch)
    first = slice(padding.left, padding.left + padding.data)
    behind = padding.left + padding.data + padding.right

    def copy(gm: memoryview, offset: int) -> None:
        for burst in range(count):
            data = gm[offset + burst * gm_stride : offset + burst * gm_stride + padding.data]
            place = ub.data[start + burst * stride : start + burst * stride + padding.pitch]
            place[:] = filler
            place[first] = data
            if padding.dummy_is_first and behind < padding.pitch:
                place[behind:] = np.resize(data[: padding.element], padding.pitch - behind)

    return copy


def bind_out(
    ub: UnifiedBuffer, start: int, stride: int, count: int, length: int, gm_stride: int, combine: Combine | None
) -> Transfer:
    """A copy out of the buffer: only the data bytes of each burst go."""

    def copy(gm: memoryview, offset: int) -> None:
        for burst in range(count):
            at, to = start + burst * stride, offset + burst * gm_stride
            if combine is None:
                gm[to : to + length] = ub.bytes[at : at + length]
            else:
                combine_with(combine, gm[to : to + length], ub.data[at : at + length])

    return copy
