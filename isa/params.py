"""Parameter structs and enums: one per C++ struct, fields in the order of the C++ constructor, each range-checked.

Source: spec 01 section 3.2 (kernel_struct_*.h). A struct never wraps a value silently, as a C++ uint8 field would: a
value that does not fit raises `FieldError`. `fields_of` gives the same limits to code that receives a plain tuple.
"""

import operator
from collections.abc import Callable, Sequence
from functools import cache
from operator import attrgetter
from typing import Any

import attrs
import numpy as np

from isa.choice import Choice
from isa.transpose_type import TransposeType


class FieldError(ValueError):
    """A parameter struct was given a value that its C++ field cannot hold."""


class RoundMode(Choice):
    """How Cast disposes of the bits it drops (spec 03 section 1)."""

    CAST_NONE = 0
    CAST_RINT = 1
    CAST_FLOOR = 2
    CAST_CEIL = 3
    CAST_ROUND = 4
    CAST_TRUNC = 5
    CAST_ODD = 6
    CAST_HYBRID = 7


class MaskMode(Choice):
    """Template argument of SetVectorMask; it says how the argument is encoded, it does not switch the mode."""

    NORMAL = 0
    COUNTER = 1


class CMPMODE(Choice):
    """The question that Compare asks of each lane."""

    LT = 0
    GT = 1
    EQ = 2
    LE = 3
    GE = 4
    NE = 5


class SELMODE(Choice):
    """Where Select finds its bits, and what it puts where a bit is 0."""

    VSEL_CMPMASK_SPR = 0
    VSEL_TENSOR_SCALAR_MODE = 1
    VSEL_TENSOR_TENSOR_MODE = 2


class ReduceType(Choice):
    """What a reduction makes of its elements."""

    SUM = 0
    MAX = 1
    MIN = 2


class ReduceOrder(Choice):
    """What a maximum or minimum of a repeat stores, and in which order."""

    ORDER_VALUE_INDEX = 0
    ORDER_INDEX_VALUE = 1
    ORDER_ONLY_VALUE = 2
    ORDER_ONLY_INDEX = 3


@attrs.frozen
class Limit:
    """Legal values of one integer field: `low..high`, both included; `width` bits in hardware."""

    low: int
    high: int
    width: int

    def holds(self, value: int) -> bool:
        return self.low <= value <= self.high


def _check(struct: Any, attribute: "attrs.Attribute[Any]", value: object) -> None:
    limit: Limit = attribute.metadata["limit"]
    name = f"{type(struct).__name__}.{attribute.name}"
    try:
        number = operator.index(value)  # type: ignore[arg-type]  # that is the question
    except TypeError:
        number = None
    if isinstance(value, bool) or number is None:
        raise FieldError(f"{name} must be an integer, not {value!r}")
    if not limit.holds(number):
        raise FieldError(f"{name}={value} does not fit: the field holds {limit.low}..{limit.high}")


def _uint(width: int, default: int, high: int | None = None) -> Any:
    limit = Limit(0, (1 << width) - 1 if high is None else high, width)
    return attrs.field(default=default, validator=_check, metadata={"limit": limit})


def _zero_or_one(value: Any) -> Any:
    return int(value) if isinstance(value, (bool, np.bool_)) else value


def _flag(default: bool) -> Any:
    return attrs.field(default=default, validator=_check, converter=_zero_or_one, metadata={"limit": Limit(0, 1, 1)})


@attrs.frozen(cache_hash=True)
class UnaryRepeatParams:
    """Strides of dst and src in 32-byte blocks, start to start. `half_block` is read by CastDequant only."""

    dst_blk_stride: int = _uint(16, 1)
    src_blk_stride: int = _uint(16, 1)
    dst_rep_stride: int = _uint(8, 8)
    src_rep_stride: int = _uint(8, 8)
    half_block: int = _flag(default=False)


@attrs.frozen(cache_hash=True)
class BinaryRepeatParams:
    """Strides of dst, src0 and src1 in 32-byte blocks, start to start."""

    dst_blk_stride: int = _uint(8, 1)
    src0_blk_stride: int = _uint(8, 1)
    src1_blk_stride: int = _uint(8, 1)
    dst_rep_stride: int = _uint(8, 8)
    src0_rep_stride: int = _uint(8, 8)
    src1_rep_stride: int = _uint(8, 8)


@attrs.frozen(cache_hash=True)
class DuplicateStrides:
    """The loose arguments dstBlockStride and dstRepeatStride of Duplicate, in 32-byte blocks."""

    dst_block_stride: int = _uint(16, 1)
    dst_repeat_stride: int = _uint(8, 8)


@attrs.frozen(cache_hash=True)
class DataCopyParams:
    """Bursts of DataCopy in 32-byte units; gaps run from the end of one burst to the start of the next."""

    block_count: int = _uint(16, 1, high=4095)
    block_len: int = _uint(16, 0)
    src_gap: int = _uint(16, 0)
    dst_gap: int = _uint(16, 0)


@attrs.frozen(cache_hash=True)
class ReduceStrides:
    """The loose arguments of the reductions: dst in results, src in 32-byte blocks."""

    dst_rep_stride: int = _uint(16, 1)
    src_blk_stride: int = _uint(16, 1)
    src_rep_stride: int = _uint(16, 8)


@attrs.frozen(cache_hash=True)
class RepeatReduceStrides:
    """The loose arguments of RepeatReduceSum; dst_blk_stride has no effect."""

    dst_blk_stride: int = _uint(16, 1)
    src_blk_stride: int = _uint(16, 1)
    dst_rep_stride: int = _uint(16, 1)
    src_rep_stride: int = _uint(16, 8)


@attrs.frozen(cache_hash=True)
class CopyRepeatParams:
    """Strides of Copy in 32-byte blocks, start to start. The default block stride 0 makes every block the first."""

    dst_stride: int = _uint(16, 0)
    src_stride: int = _uint(16, 0)
    dst_repeat_size: int = _uint(16, 8, high=4095)
    src_repeat_size: int = _uint(16, 8, high=4095)


@attrs.frozen(cache_hash=True)
class BrcbRepeatParams:
    """Strides of the destination of Brcb in 32-byte blocks, start to start."""

    dst_blk_stride: int = _uint(16, 1)
    dst_rep_stride: int = _uint(16, 8)


@attrs.frozen(cache_hash=True)
class GatherRepeatParams:
    """Strides of the destination of Gatherb in 32-byte blocks, start to start."""

    dst_blk_stride: int = _uint(8, 1)
    dst_rep_stride: int = _uint(8, 8)


@attrs.frozen(cache_hash=True)
class GatherStrides:
    """The loose argument of Gather, in 32-byte blocks."""

    dst_rep_stride: int = _uint(16, 8)


@attrs.frozen(cache_hash=True)
class ScatterStrides:
    """The loose argument of Scatter, in 32-byte blocks."""

    src_rep_stride: int = _uint(8, 8)


@attrs.frozen(cache_hash=True)
class TensorReduceStrides:
    """The loose argument of ReduceMax, ReduceMin and ReduceSum, in 32-byte blocks."""

    src_rep_stride: int = _uint(16, 8)


@attrs.frozen(cache_hash=True)
class VecIndexStrides:
    """The loose arguments of CreateVecIndex, in 32-byte blocks."""

    dst_blk_stride: int = _uint(16, 1)
    dst_rep_stride: int = _uint(8, 8)


@attrs.frozen(cache_hash=True)
class GatherMaskParams:
    """How GatherMask walks its source, in 32-byte blocks start to start, and its pattern."""

    src0_block_stride: int = _uint(8, 1)
    repeat_times: int = _uint(16, 0)
    src0_repeat_stride: int = _uint(16, 8)
    src1_repeat_stride: int = _uint(8, 8)


@attrs.frozen(cache_hash=True)
class TransDataTo5HDParams:
    """Which halves of the blocks TransDataTo5HD uses (8-bit types), how often, and the steps in 32-byte blocks."""

    dst_high_half: int = _flag(default=False)
    src_high_half: int = _flag(default=False)
    repeat_times: int = _uint(8, 1)
    dst_rep_stride: int = _uint(16, 0)
    src_rep_stride: int = _uint(16, 0)


@attrs.frozen(cache_hash=True)
class TransposeParamsExt:
    """Shape of the source of the extended Transpose, in elements, and what to make of it."""

    n_size: int = _uint(16, 0)
    c_size: int = _uint(16, 0)
    h_size: int = _uint(16, 0)
    w_size: int = _uint(16, 0)
    transpose_type: TransposeType = TransposeType.TRANSPOSE_ND2ND_B16


@attrs.frozen(cache_hash=True)
class DataCopyExtParams:
    """Bursts of DataCopyPad: lengths in bytes; gaps in bytes on the GM side, in 32-byte blocks on the other side."""

    block_count: int = _uint(16, 1, high=4095)
    block_len: int = _uint(32, 0, high=2097151)
    src_stride: int = _uint(32, 0)
    dst_stride: int = _uint(32, 0)
    rsv: int = _uint(32, 0)


def _any_number(_: object, attribute: "attrs.Attribute[Any]", value: object) -> None:
    if isinstance(value, bool) or not (hasattr(value, "__float__") or hasattr(value, "__index__")):
        raise FieldError(f"{attribute.name} must be a number, not {value!r}")


@attrs.frozen(cache_hash=True)
class DataCopyPadExtParams:
    """Filler of DataCopyPad from GM: on or off, elements on the left and right (at most 32 bytes each), its value."""

    is_pad: int = _flag(default=False)
    left_padding: int = _uint(8, 0)
    right_padding: int = _uint(8, 0)
    padding_value: Any = attrs.field(
        default=0, validator=_any_number, metadata={"limit": Limit(-(1 << 63), (1 << 64) - 1, 64)}
    )


@attrs.frozen(cache_hash=True)
class SliceInfo:
    """One dimension of a slice copy, the innermost first: elements start_index..end_index, in pieces of burst_len
    blocks of 32 bytes (rows of 1 beyond the first dimension) with `stride` elements between them, of
    shape_value elements.
    """

    start_index: int = _uint(32, 0)
    end_index: int = _uint(32, 0)
    stride: int = _uint(32, 0)
    burst_len: int = _uint(32, 1)
    shape_value: int = _uint(32, 0)


@attrs.frozen(cache_hash=True)
class Nd2NzParams:
    """Row-major matrices to blocks of 32 bytes, column of blocks after column of blocks; units on the page."""

    nd_num: int = _uint(16, 1, high=4095)
    n_value: int = _uint(16, 0, high=16384)
    d_value: int = _uint(16, 0)
    src_nd_matrix_stride: int = _uint(16, 0)
    src_d_value: int = _uint(16, 0)
    dst_nz_c0_stride: int = _uint(16, 0, high=16384)
    dst_nz_n_stride: int = _uint(16, 0, high=16384)
    dst_nz_matrix_stride: int = _uint(16, 0)


@attrs.frozen(cache_hash=True)
class Nz2NdParamsFull:
    """Matrices in 16-column strips to row-major ones; units on the page."""

    nd_num: int = _uint(16, 1, high=4095)
    n_value: int = _uint(16, 0, high=8192)
    d_value: int = _uint(16, 0, high=8192)
    src_nd_matrix_stride: int = _uint(16, 1, high=512)
    src_n_stride: int = _uint(16, 0, high=4096)
    dst_d_stride: int = _uint(16, 0)
    dst_nd_matrix_stride: int = _uint(16, 1)


DataCopyPadParams = DataCopyPadExtParams  # the older name of the struct


def _lengths(value: "Sequence[int]") -> tuple[int, ...]:
    if not isinstance(value, (list, tuple)) or not all(hasattr(type(v), "__index__") for v in value):
        raise FieldError(f"MrgSort4Info.element_lengths: four whole numbers, not {value!r}")
    return tuple(int(v) for v in value)


def _check_lengths(struct: Any, _attribute: "attrs.Attribute[Any]", value: tuple[int, ...]) -> None:
    name = f"{type(struct).__name__}.element_lengths"
    if len(value) != 4:
        raise FieldError(f"{name} has 4 lengths, not {len(value)}")
    for length in value:
        if not 0 <= length <= 4095:
            raise FieldError(f"{name}: {length} does not fit: the field holds 0..4095")


@attrs.frozen(cache_hash=True)
class MrgSort4Info:
    """Lengths of the lists that MrgSort merges, whether it stops at an exhausted one, which lists take part."""

    element_lengths: tuple[int, ...] = attrs.field(
        converter=_lengths, validator=_check_lengths, metadata={"limit": Limit(0, 4095, 12)}
    )
    if_exhausted_suspension: int = _flag(default=False)
    valid_bit: int = _uint(16, 15)
    repeat_times: int = _uint(8, 1)


def limits(params: type) -> dict[str, Limit]:
    """Field name -> limit, in constructor order."""
    return {f.name: f.metadata["limit"] for f in attrs.fields(params)}


@cache
def required(params: type) -> int:
    """How many fields a tuple must have: it may leave out flags and reserved fields at the end."""
    needed = [f.name != "rsv" and f.metadata["limit"].width > 1 for f in attrs.fields(params)]
    return max((i for i, is_needed in enumerate(needed, 1) if is_needed), default=0)


@cache
def _getter(params: Any) -> Callable[[Any], tuple[int, ...]]:
    first, *rest = limits(params)
    if not rest:
        return lambda struct: (getattr(struct, first),)
    return attrgetter(first, *rest)


def values_of(struct: Any) -> tuple[int, ...]:
    """The fields of a parameter struct, in constructor order."""
    kind: Any = type(struct)
    return _getter(kind)(struct)
