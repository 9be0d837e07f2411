"""Element types, under the names that the AscendC documentation gives them.

The documentation's `float` is `float32` here, because `float` is a Python builtin with another meaning.
One element of `int4b_t` or of the fp4x2 types is one *nibble*: lengths, counts, values and codes count nibbles,
and element 0 sits in the low nibble of byte 0 (spec: AscendC "built-in data types").
"""

from typing import Any

import attrs
import ml_dtypes
import numpy as np
from numpy.typing import NDArray

from isa.choice import Choice


class Kind(Choice):
    """What the bits of an element mean."""

    FLOAT = "float"
    SIGNED = "signed integer"
    UNSIGNED = "unsigned integer"
    COMPLEX = "complex"


@attrs.frozen(eq=False, repr=False)
class ElementType:
    """One AscendC element type.

    name: its AscendC name; cpp: how C++ spells it; bits: width of one element;
    carrier: the numpy type of an array that holds the elements *inside* the simulator (codes in an unsigned integer
    where numpy has no arithmetic for the type; nibble types are packed two to a byte and unpacked to one code a byte);
    host: the numpy type that a user sees from `LocalTensor.numpy()`.
    """

    name: str
    bits: int
    kind: Kind
    carrier: "np.dtype[Any]"
    host: "np.dtype[Any]"
    index: int
    cpp: str
    size: int = attrs.field(init=False)
    """Bytes of the smallest addressable unit: one element, or the byte that holds two nibbles."""
    is_nibble: bool = attrs.field(init=False)
    """Two elements share a byte."""

    @size.default
    def _bytes(self) -> int:
        return max(self.bits // 8, 1)

    @is_nibble.default
    def _shares_a_byte(self) -> bool:
        return self.bits == 4

    def __repr__(self) -> str:
        return self.name

    def __call__(self, value: Any) -> Any:
        """The numpy scalar of this type nearest to `value`; `half(0.5)`."""
        return self.host.type(value)

    def bytes_for(self, count: int) -> int:
        """Bytes that `count` elements occupy."""
        return count * self.bits // 8

    @property
    def per_block(self) -> int:
        """Elements in one 32-byte block."""
        return 256 // self.bits

    @property
    def is_float(self) -> bool:
        return self.kind is Kind.FLOAT

    @property
    def is_integer(self) -> bool:
        return self.kind in (Kind.SIGNED, Kind.UNSIGNED)

    @property
    def code(self) -> "np.dtype[Any]":
        """Unsigned integer type that holds the raw bit pattern of one element."""
        return np.dtype(f"u{self.size}")


ALL: "dict[str, ElementType]" = {}


def _declare(name: str, bits: int, kind: Kind, carrier: Any, host: Any = None, cpp: str | None = None) -> ElementType:
    made = ElementType(
        name, bits, kind, np.dtype(carrier), np.dtype(carrier if host is None else host), len(ALL), cpp or name
    )
    ALL[name] = made
    return made


half = _declare("half", 16, Kind.FLOAT, np.float16)
float32 = _declare("float32", 32, Kind.FLOAT, np.float32, cpp="float")
double = _declare("double", 64, Kind.FLOAT, np.float64)
bfloat16_t = _declare("bfloat16_t", 16, Kind.FLOAT, ml_dtypes.bfloat16)
int4b_t = _declare("int4b_t", 4, Kind.SIGNED, np.uint8, ml_dtypes.int4)
int8_t = _declare("int8_t", 8, Kind.SIGNED, np.int8)
uint8_t = _declare("uint8_t", 8, Kind.UNSIGNED, np.uint8)
int16_t = _declare("int16_t", 16, Kind.SIGNED, np.int16)
uint16_t = _declare("uint16_t", 16, Kind.UNSIGNED, np.uint16)
int32_t = _declare("int32_t", 32, Kind.SIGNED, np.int32)
uint32_t = _declare("uint32_t", 32, Kind.UNSIGNED, np.uint32)
int64_t = _declare("int64_t", 64, Kind.SIGNED, np.int64)
uint64_t = _declare("uint64_t", 64, Kind.UNSIGNED, np.uint64)
hifloat8_t = _declare("hifloat8_t", 8, Kind.FLOAT, np.uint8, np.float32)
fp8_e4m3fn_t = _declare("fp8_e4m3fn_t", 8, Kind.FLOAT, np.uint8, ml_dtypes.float8_e4m3fn)
fp8_e5m2_t = _declare("fp8_e5m2_t", 8, Kind.FLOAT, np.uint8, ml_dtypes.float8_e5m2)
fp8_e8m0_t = _declare("fp8_e8m0_t", 8, Kind.FLOAT, np.uint8, ml_dtypes.float8_e8m0fnu)
fp4x2_e2m1_t = _declare("fp4x2_e2m1_t", 4, Kind.FLOAT, np.uint8, ml_dtypes.float4_e2m1fn)
fp4x2_e1m2_t = _declare("fp4x2_e1m2_t", 4, Kind.FLOAT, np.uint8, np.float32)
complex32 = _declare("complex32", 32, Kind.COMPLEX, np.uint32, np.complex64)
complex64 = _declare("complex64", 64, Kind.COMPLEX, np.complex64)


def element_type(value: object) -> ElementType:
    """`value` as an element type; refuses Python's and numpy's types by name.

    Raises TypeError that names the AscendC type to write instead.
    """
    if isinstance(value, ElementType):
        return value
    if value is float:
        raise TypeError(
            "the Python builtin `float` is a 64-bit type: write `float32` for AscendC's float (or `double`)"
        )
    if value is int:
        raise TypeError("the Python builtin `int` has no width: write int32_t, int16_t, ... for an AscendC type")
    raise TypeError(f"{value!r} is not an AscendC element type; the element types are {', '.join(ALL)}")


def unpack_nibbles(packed: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Codes 0..15, one a byte, along the last axis; element 0 of a byte is its low nibble."""
    out = np.empty((*packed.shape, 2), np.uint8)
    np.bitwise_and(packed, 15, out=out[..., 0])
    np.right_shift(packed, 4, out=out[..., 1])
    return out.reshape(*packed.shape[:-1], packed.shape[-1] * 2)


def pack_nibbles(codes: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Inverse of `unpack_nibbles`; the last axis must be even."""
    pairs = codes.reshape(*codes.shape[:-1], codes.shape[-1] // 2, 2)
    return np.asarray(pairs[..., 0] & 15 | pairs[..., 1] << 4, np.uint8)
