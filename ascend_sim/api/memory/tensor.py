"""LocalTensor and GlobalTensor: an address, a type, a length. The bytes belong to the core, or to the user's array."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ascend_sim.api.context import current_run, user_frame
from ascend_sim.api.memory.expression import Expression, operator
from ascend_sim.api.memory.scalar import get_value, set_value
from ascend_sim.api.numbers import size as checked_size, whole
from ascend_sim.machine.core import Core
from ascend_sim.machine.memory import STATE_NAMES, Bytes
from isa.dtypes import ElementType, element_type, unpack_nibbles
from isa.numerics.formats import to_host
from isa.positions import TPosition

KEY_FIELD = 24  # bits for an address or a length in elements: both stay below 2**24 on every product


class LocalTensor:
    """A typed range of the Unified Buffer of one core.

    addr: byte address; length: elements (nibbles for the 4-bit types); its bytes need not be a multiple of 32. Slices
    (`t[8:]`, `t[8:16]`, `t[8]`, all views) and `ReinterpretCast` share the bytes. An empty view is legal until an
    instruction uses it. `name` appears in messages where no variable can be found. core: the machine core whose buffer
    this is; root: the tensor that this one is a slice of, itself when it is none.
    """

    __slots__ = ("address", "core", "dtype", "key", "length", "name", "position", "root")

    def __init__(
        self,
        dtype: ElementType,
        position: TPosition,
        addr: int,
        length: int,
        *,
        name: str | None = None,
        core: Core | None = None,
    ) -> None:
        self.dtype = element_type(dtype)
        self.position = position
        if addr.__class__ is not int or not 0 <= addr < 1 << KEY_FIELD:
            addr = _in_field(addr, "LocalTensor: addr")
        self.address = addr
        self.name = name
        self.core = current_run().machine if core is None else core
        self.root: LocalTensor = self
        self._resize(length)

    def _resize(self, length: int) -> None:
        if length.__class__ is not int or not 0 <= length < 1 << KEY_FIELD:
            length = _in_field(length, "LocalTensor: length")
        self.length = length
        # One int identifies the tensor to the program cache: hashing it costs less than hashing its parts.
        place = (self.core.uid << KEY_FIELD | length) << KEY_FIELD | self.address
        self.key = place << 6 | self.dtype.index

    def __repr__(self) -> str:
        return f"<LocalTensor {self.dtype}[{self.length}] at 0x{self.address:04X}>"

    @property
    def nbytes(self) -> int:
        return self.dtype.bytes_for(self.length)

    def _view(self, dtype: ElementType, address: int, length: int) -> "LocalTensor":
        view = LocalTensor(dtype, self.position, address, length, core=self.core)
        view.root = self.root
        return view

    def __getitem__(self, at: "int | slice") -> "LocalTensor":
        start, stop = _range_of(at, self.length)
        return self._view(self.dtype, self.address + self.dtype.bytes_for(start), stop - start)

    def __setitem__(self, at: "int | slice", value: object) -> None:
        if not isinstance(value, Expression):
            raise TypeError(f"assign an expression of tensors, as `dst[:] = src0 + src1`, not {value!r}; see SetValue")
        value.into(self if at == slice(None) else self[at])

    __add__, __sub__, __mul__, __truediv__ = map(operator, "+-*/")
    __and__, __or__ = map(operator, "&|")
    __lt__, __gt__, __le__, __ge__, __eq__, __ne__ = map(operator, ("<", ">", "<=", ">=", "==", "!="))
    __hash__ = object.__hash__

    def ReinterpretCast(self, dtype: ElementType) -> "LocalTensor":
        """The same bytes as elements of another type; `GetSize` changes, the byte length does not."""
        dtype = element_type(dtype)
        return self._view(dtype, self.address, self.nbytes * 8 // dtype.bits)

    def GetSize(self) -> int:
        """Length in elements."""
        return self.length

    def SetSize(self, size: int) -> None:
        """Change the recorded length (elements). Must stay inside the Unified Buffer."""
        size = whole(size, "SetSize: size")
        if size < 0 or self.address + self.dtype.bytes_for(size) > self.core.ub.size:
            raise ValueError(
                f"SetSize({size}): the tensor at 0x{self.address:04X} would end past the Unified Buffer of "
                f"{self.core.ub.size} bytes"
            )
        self._resize(size)

    def GetPhyAddr(self, offset: int = 0) -> int:
        """Byte address in the Unified Buffer of element `offset`."""
        return self.address + self.dtype.bytes_for(whole(offset, "GetPhyAddr: offset"))

    def GetValue(self, index: int) -> Any:
        """Element `index`, read by the scalar unit: an int, a float, or a half that `float()` must convert."""
        return get_value(self.core.ub, self.dtype, (self.address, self.nbytes, self.root.address), index, user_frame())

    def SetValue(self, index: int, value: Any) -> None:
        """Write element `index` with the scalar unit."""
        place = (self.address, self.nbytes, self.root.address)
        set_value(self.core.ub, self.dtype, place, index, value, user_frame())

    # The host's view: no finding, no effect on the kernel.

    def _bytes(self) -> Bytes:
        return self.core.ub.data[self.address : self.address + self.nbytes]

    def codes(self) -> NDArray[Any]:
        """A copy of the raw bit patterns, one unsigned integer for each element."""
        if self.dtype.is_nibble:
            return unpack_nibbles(self._bytes())
        return self._bytes().copy().view(self.dtype.code)

    def numpy(self) -> NDArray[Any]:
        """A copy of the values, in the numpy or ml_dtypes type that matches (float32 where there is none)."""
        if self.dtype.is_nibble:
            return to_host(unpack_nibbles(self._bytes()), self.dtype)
        return to_host(self._bytes().copy().view(self.dtype.carrier), self.dtype)

    def lane_states(self) -> NDArray[np.str_]:
        """For each element the worst state of its bytes: "uninitialised", "pad", "stale" or "written"."""
        states = self.core.ub.state[self.address : self.address + self.nbytes]
        worst = np.repeat(states, 2) if self.dtype.is_nibble else states.reshape(-1, self.dtype.size).min(axis=1)
        names: NDArray[np.str_] = np.array(STATE_NAMES)[worst]
        return names


def _in_field(value: int, what: str) -> int:
    number = checked_size(value, what)
    if number >= 1 << KEY_FIELD:
        raise ValueError(f"{what} is {number}, far outside any Unified Buffer")
    return number


def _range_of(at: "int | slice", length: int) -> tuple[int, int]:
    """`t[offset]`, `t[offset:]` and `t[a:b]` as element offsets; AscendC counts from the start and forwards only."""
    start, stop, step = (at.start or 0, at.stop, at.step) if isinstance(at, slice) else (at, None, None)
    stop = length if stop is None else stop
    if start.__class__ is not int or stop.__class__ is not int:
        start, stop = whole(start, "the start of a slice"), whole(stop, "the end of a slice")
    if step not in (None, 1):
        raise IndexError("a tensor slice has no step: strides belong to the instruction")
    if not 0 <= start <= length or not start <= stop <= length:
        raise IndexError(f"slice [{start}:{stop}] is outside a tensor of {length} elements")
    return start, stop


class GmAddress:
    """What a kernel receives for a numpy array: a typed address in GM. `x + k` is k elements further."""

    __slots__ = ("array", "base", "data", "offset")

    def __init__(self, array: NDArray[Any], offset: int = 0) -> None:
        self.array = array
        self.data = gm_bytes(array)
        self.base = int(array.__array_interface__["data"][0])  # host address of its first byte
        self.offset = offset  # bytes

    def __add__(self, elements: int) -> "GmAddress":
        moved = GmAddress.__new__(GmAddress)
        moved.array, moved.data, moved.base = self.array, self.data, self.base
        moved.offset = self.offset + whole(elements, "what is added to a GM address") * self.array.itemsize
        return moved

    def __repr__(self) -> str:
        return f"<GM address {self.array.dtype}[{self.array.size}] + {self.offset} bytes>"


def gm_bytes(array: object) -> memoryview:
    """The bytes of a GM array, as a flat view: Python slices and copies it faster than numpy does.

    Raises TypeError for what is not an array, ValueError for an array that is not C-contiguous or not writable.
    """
    if not isinstance(array, np.ndarray):
        raise TypeError(f"GM is a numpy array, not {type(array).__name__}")
    if not array.flags.c_contiguous or not array.flags.writeable:
        raise ValueError("a GM array must be C-contiguous and writable: pass np.ascontiguousarray(a) or a copy")
    return np.asarray(array).reshape(-1).view(np.uint8).data


_new = object.__new__
_NOWHERE = -1 << 62  # the end of a tensor that begins before its array: no copy ends before it


class _Memory:
    """Where a GlobalTensor lies: the array, its host address, what its elements are."""

    __slots__ = ("base", "data", "dtype", "name")

    def __init__(self, dtype: ElementType, name: str | None, data: memoryview | None, base: int) -> None:
        self.dtype, self.name, self.data, self.base = dtype, name, data, base


class GlobalTensor:
    """A typed range of a GM array. `SetGlobalBuffer` says where; `t[k]`, `t[k:]` and `t[a:b]` are views.

    memory: shared by its views; offset: its first byte in the array; stop: one past the last byte that lies in the
    tensor and in the array.
    """

    __slots__ = ("key", "length", "memory", "offset", "stop")

    def __init__(self, dtype: ElementType, name: str | None = None) -> None:
        self.memory = _Memory(element_type(dtype), name, None, 0)
        self.key = -1 - self.dtype.index  # programs know the type only; the address is an argument of the run
        self.offset = self.stop = self.length = 0

    def SetGlobalBuffer(self, address: "GmAddress | NDArray[Any]", length: int | None = None) -> None:
        """Start at `address` (or at the first byte of an array); `length` elements, default to the end of the array."""
        place = address if isinstance(address, GmAddress) else GmAddress(address)
        room = (place.data.nbytes - place.offset) * 8 // self.dtype.bits
        size = max(room, 0) if length is None else checked_size(length, "SetGlobalBuffer: length")
        self.memory = _Memory(self.dtype, self.name, place.data, place.base)
        self.offset, self.length = place.offset, size
        inside = min(self.offset + self.nbytes, place.data.nbytes)
        self.stop = inside if self.offset >= 0 else _NOWHERE

    @property
    def dtype(self) -> ElementType:
        return self.memory.dtype

    @property
    def name(self) -> str | None:
        return self.memory.name

    @property
    def data(self) -> memoryview | None:
        """The bytes of the array; None before SetGlobalBuffer."""
        return self.memory.data

    @property
    def nbytes(self) -> int:
        return self.dtype.bytes_for(self.length)

    def GetSize(self) -> int:
        """Length in elements."""
        return self.length

    def __getitem__(self, at: "int | slice") -> "GlobalTensor":
        view = _new(GlobalTensor)
        view.memory = memory = self.memory
        view.key, view.stop = self.key, self.stop
        if memory.data is None:
            raise ValueError("this GlobalTensor has no memory yet: call SetGlobalBuffer first")
        length = self.length
        start = at.start if at.__class__ is slice and at.stop is at.step is None else None
        if start.__class__ is int and 0 <= start <= length:  # t[k:], the usual walk over GM, needs no call
            view.length = length - start
            view.offset = self.offset + (start * memory.dtype.bits >> 3)
        else:
            start, stop = _range_of(at, length)
            view.length = stop - start
            view.offset = self.offset + self.dtype.bytes_for(start)
            view.stop = min(self.stop, view.offset + view.nbytes)
        return view

    def __repr__(self) -> str:
        return f"<GlobalTensor {self.dtype}[{self.length}] at byte {self.offset}>"


Tensor = LocalTensor | GlobalTensor
