"""Values that a user sees and gives, and the carrier arrays that hold them inside the simulator.

Carriers hold one element an item; nibble types come as one code 0..15 a byte (`isa.dtypes.pack_nibbles` packs them).
This is the host's side only: what an instruction makes of a value is `cast.py`.
"""

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import numpy.typing as npt

from isa.dtypes import (
    ElementType,
    Kind,
    complex32,
    complex64,
    double,
    float32,
    fp4x2_e1m2_t,
    fp8_e8m0_t,
    half,
    hifloat8_t,
    int4b_t,
)
from isa.numerics import hif8, narrow
from isa.numerics.integers import limits
from isa.numerics.layouts import F32, F64
from isa.numerics.rounding import Rounding, sticky_float32
from isa.numerics.rules import Array

COMPLEX32 = np.dtype([("real", np.float16), ("imag", np.float16)])
"""A complex32 element; the real part has the lower address."""

_E1M2_VALUES: Array = np.array([code / 4 for code in range(8)] + [-(code / 4) for code in range(8)], F32)
"""fp4x2_e1m2_t has one exponent bit, so its codes are quarters throughout (spec 03, D8)."""


def all_codes(dtype: ElementType) -> Array:
    """Every code of a type of at most 16 bits, in order, as a carrier array."""
    codes = np.arange(1 << dtype.bits, dtype=dtype.code)
    return codes.view(dtype.carrier)


# ---------------------------------------------------------------------------------------------- carrier to host


def to_host(codes: Array, dtype: ElementType) -> Array:
    """The values of carrier codes, as a new array of `dtype.host` and of the same shape."""
    decode = _DECODERS.get(dtype)
    # What is left is its own host type, or the host type gives the same bytes another meaning.
    return np.array(codes).view(dtype.host) if decode is None else decode(codes)


def _decode_complex32(codes: Array) -> Array:
    parts = codes.view(COMPLEX32)
    values = np.empty(codes.shape, np.complex64)
    values.real, values.imag = parts["real"], parts["imag"]
    return values


_DECODERS: dict[ElementType, Callable[[Array], Array]] = {
    hifloat8_t: lambda codes: np.asarray(hif8.VALUES[codes]),
    fp4x2_e1m2_t: lambda codes: np.asarray(_E1M2_VALUES[codes]),
    int4b_t: lambda codes: ((codes ^ np.uint8(8)).astype(np.int8) - np.int8(8)).astype(ml_dtypes.int4),
    complex32: _decode_complex32,
}


# ---------------------------------------------------------------------------------------------- host to carrier


def from_host(values: npt.ArrayLike, dtype: ElementType) -> Array:
    """Carrier codes of `values`, in a new array of the same shape.

    Float formats take the nearest value, of two equally near ones the even one (hifloat8_t: the larger in magnitude,
    it knows no other). What is too large becomes infinity, or NaN in the fp8 types without one; the fp4 types, which
    have neither, take their largest value. An array of `dtype.host` keeps its bits wherever host and carrier agree.
    Raises ValueError for an integer type if a value is no integer or does not fit, for the fp4 types if it is NaN, and
    for every type but the complex ones if it is complex. Values are never wrapped.
    """
    array = np.asarray(values)
    if dtype.is_integer:
        return _integers(_plain(array), dtype)
    if array.dtype == dtype.host and dtype not in _DECODERS:
        return array.copy().view(dtype.carrier)
    array = _plain(array)
    if dtype.kind is Kind.COMPLEX:
        return _complex(array, dtype)
    if array.dtype.kind == "c":
        raise ValueError(f"{dtype} cannot hold complex values; complex32 and complex64 can")
    return _floats(array, dtype)


def _plain(array: Array) -> Array:
    """Values of the types that ml_dtypes adds to numpy, in one of numpy's own; other arrays as they are."""
    if array.dtype.kind == "V":
        return array.astype(F32)
    if array.dtype.kind in "OSU":
        return np.array([_number(value) for value in array.reshape(-1).tolist()], object).reshape(array.shape)
    return array


def _number(value: Any) -> Any:
    """An item of an array that numpy found no number type for: an integer of more than 64 bits, or no number."""
    if hasattr(value, "__index__"):
        return value.__index__()
    if isinstance(value, float):
        return value
    raise ValueError(f"{value!r} is not a number")


def _refuse(array: Array, bad: Any, problem: str) -> None:
    """Raise ValueError about the first value that `bad` marks."""
    bad = np.asarray(bad, bool)
    if bad.any():
        place = np.unravel_index(int(bad.argmax()), bad.shape)
        at = int(place[0]) if len(place) == 1 else tuple(int(i) for i in place)
        raise ValueError(f"value {array[place]!s}{f' at index {at}' if place else ''} {problem}")


def _integers(array: Array, dtype: ElementType) -> Array:
    low, high = limits(dtype)
    if array.dtype.kind == "c":
        raise ValueError(f"{dtype} cannot hold complex values; complex32 and complex64 can")
    if array.dtype.kind == "f":
        _refuse(array, np.trunc(array) != array, f"is not an integer, {dtype} holds {low}..{high}")
        # The limits as floats are exact where both are one beyond the last value that fits.
        outside = (array < float(low)) | (array >= float(high + 1))
    elif array.dtype.kind == "O":
        fractions = [isinstance(value, float) and not value.is_integer() for value in array.flat]
        _refuse(array, np.reshape(fractions, array.shape), f"is not an integer, {dtype} holds {low}..{high}")
        outside = (array < low) | (array > high)
    else:
        outside = np.less(array, low) | np.greater(array, high)
    _refuse(array, outside, f"does not fit {dtype}, which holds {low}..{high}")
    if dtype.is_nibble:
        return array.astype(np.int8).view(np.uint8) & np.uint8(15)
    return np.asarray(array.astype(dtype.carrier))


def _floats(array: Array, dtype: ElementType) -> Array:
    with np.errstate(all="ignore"):
        if dtype in (half, float32, double):
            return np.asarray(array.astype(dtype.carrier))
        wide = array if array.dtype == F32 else sticky_float32(array.astype(F64))
        if dtype is fp8_e8m0_t:
            return wide.astype(ml_dtypes.float8_e8m0fnu).view(dtype.carrier)
    if dtype.is_nibble:
        _refuse(array, np.isnan(wide), f"does not fit {dtype}, which has no NaN")
    out = np.empty(array.shape, dtype.carrier)
    encode = _ENCODERS.get(dtype) or narrow.encoder(dtype, Rounding.EVEN, saturates=False)
    encode(wide, out)
    return out


_ENCODERS = {hifloat8_t: hif8.encoder(hif8.half_away, saturates=False)}


def _complex(array: Array, dtype: ElementType) -> Array:
    if dtype is complex64:
        with np.errstate(all="ignore"):
            return np.asarray(array.astype(dtype.carrier))
    parts = np.empty(array.shape, COMPLEX32)
    parts["real"], parts["imag"] = _floats(array.real, half), _floats(array.imag, half)
    return parts.view(dtype.carrier)
