"""The Unified Buffer: its bytes, and what each byte is to the running kernel.

Both are flat uint8 arrays, so that another front end can share them. Reading goes through `view` or `flat`, writing
through one of them followed by `mark`: whoever writes bytes says so, and every later question about them is answered
here.
"""

import enum
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

from ascend_sim.machine.walk import Walk
from isa.dtypes import ElementType
from isa.products import Product

Bytes = NDArray[np.uint8]
_CACHE_LINE = 64


class ByteState(enum.IntEnum):
    """State of a byte, the worst first: an element has the worst state of its bytes."""

    UNINITIALISED = 0  # never written since power-on, or left unset by DataCopyPad
    PAD = 1  # a filler byte that DataCopyPad added by itself
    STALE = 2  # written, but not in this launch
    WRITTEN = 3


STATE_NAMES = tuple(s.name.lower() for s in ByteState)


@attrs.frozen
class Fill:
    """What the buffer holds at power-on: "pattern" (seeded pseudo-random), "zero", "nan" (0xFF bytes: a NaN in every
    float format of 16 bits and more), or an image of the buffer's size.
    """

    kind: "str | bytes | Bytes" = "pattern"
    seed: int = 0

    def bytes_for(self, size: int, core: int) -> Bytes:
        """`size` bytes; each core gets a pattern of its own."""
        if isinstance(self.kind, str):
            match self.kind:
                case "pattern":
                    return np.random.default_rng((self.seed, core)).integers(0, 256, size, np.uint8)
                case "zero":
                    return np.zeros(size, np.uint8)
                case "nan":
                    return np.full(size, 0xFF, np.uint8)
            raise ValueError(
                f'ub_fill={self.kind!r}: write "pattern", "zero", "nan" or a bytes-like image of the buffer'
            )
        image = np.frombuffer(bytes(self.kind), np.uint8)
        if image.size != size:
            raise ValueError(f"ub_fill has {image.size} bytes, the Unified Buffer of this product has {size}")
        return image


class UnifiedBuffer:
    """`data` and `state` of one core. `version` changes whenever some byte's state gets *worse*: a read that was found
    clean stays clean as long as the version is the same, which is what makes checking each byte affordable.
    """

    def __init__(self, product: Product, core: int, fill: Fill) -> None:
        self.size = product.ub_bytes
        self.data = _aligned(self.size)
        self.data[:] = fill.bytes_for(self.size, core)
        self.state = np.full(self.size, ByteState.UNINITIALISED, np.uint8)
        self.bytes, self.state_bytes = self.data.data, self.state.data  # what Python does faster than numpy
        self.version = 0
        self._typed: dict[ElementType, NDArray[Any]] = {}

    def new_epoch(self) -> None:
        """A launch begins: what earlier launches wrote is stale now."""
        self.state[self.state == ByteState.WRITTEN] = ByteState.STALE
        self.version += 1

    def view(
        self, walk: Walk, shape: tuple[int, ...], strides: tuple[int, ...], dtype: "np.dtype[Any]"
    ) -> NDArray[Any]:
        """An array over the buffer's own bytes that starts at the walk's base."""
        # np.ndarray is five times cheaper than as_strided, and checks the bounds of the buffer.
        return np.ndarray(shape, dtype, self.data, walk.base, strides)

    def flat(self, address: int, count: int, dtype: ElementType) -> NDArray[Any]:
        """`view` of `count` carriers side by side, at a fifth of its cost: a slice of all of them."""
        first, rest = divmod(address, dtype.size)
        if rest:
            return np.ndarray((count,), dtype.carrier, self.data, address)
        every = self._typed.get(dtype)
        if every is None:
            every = self._typed[dtype] = self.data.view(dtype.carrier)
        return every[first : first + count]

    def mark(self, start: int, stop: int, state: ByteState = ByteState.WRITTEN) -> None:
        """Say that the bytes start..stop-1 now have this state."""
        if state is not ByteState.WRITTEN and (self.state[start:stop] > state).any():
            self.version += 1
        self.state[start:stop] = state


def _aligned(size: int) -> Bytes:
    raw = np.empty(size + _CACHE_LINE, np.uint8)
    skip = -raw.ctypes.data % _CACHE_LINE
    return raw[skip : skip + size]
