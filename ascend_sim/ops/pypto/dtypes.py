"""DT_* types of the framework, and the element types that their tensors have on the device."""

from typing import Any

import numpy as np

from isa.choice import Choice
from isa.dtypes import (
    ElementType,
    bfloat16_t,
    double,
    float32,
    half,
    int8_t,
    int16_t,
    int32_t,
    int64_t,
    uint8_t,
    uint16_t,
    uint32_t,
    uint64_t,
)


class DataType(Choice):
    """Element types of `pypto.Tensor`. `element`: the type of its instructions; the last seven are names only."""

    DT_INT8 = "int8"
    DT_INT16 = "int16"
    DT_INT32 = "int32"
    DT_INT64 = "int64"
    DT_UINT8 = "uint8"
    DT_UINT16 = "uint16"
    DT_UINT32 = "uint32"
    DT_UINT64 = "uint64"
    DT_FP16 = "fp16"
    DT_FP32 = "fp32"
    DT_BF16 = "bf16"
    DT_DOUBLE = "double"
    DT_BOOL = "bool"
    DT_INT4 = "int4"
    DT_FP8 = "fp8"
    DT_FP8E4M3 = "fp8e4m3"
    DT_FP8E5M2 = "fp8e5m2"
    DT_FP8E8M0 = "fp8e8m0"
    DT_HF4 = "hf4"
    DT_HF8 = "hf8"

    def __repr__(self) -> str:
        return self.name

    __str__ = __repr__

    @property
    def element(self) -> ElementType:
        """TypeError for types that exist by name only."""
        try:
            return _ELEMENTS[self]
        except KeyError:
            raise TypeError(f"tensors of {self} are not simulated") from None

    @property
    def host(self) -> "np.dtype[Any]":
        """The numpy type of `Tensor.numpy()`."""
        return np.dtype(bool) if self is DataType.DT_BOOL else self.element.host

    @property
    def is_float(self) -> bool:
        return self in (DataType.DT_FP16, DataType.DT_FP32, DataType.DT_BF16, DataType.DT_DOUBLE)


_ELEMENTS = {
    DataType.DT_INT8: int8_t,
    DataType.DT_INT16: int16_t,
    DataType.DT_INT32: int32_t,
    DataType.DT_INT64: int64_t,
    DataType.DT_UINT8: uint8_t,
    DataType.DT_UINT16: uint16_t,
    DataType.DT_UINT32: uint32_t,
    DataType.DT_UINT64: uint64_t,
    DataType.DT_FP16: half,
    DataType.DT_FP32: float32,
    DataType.DT_BF16: bfloat16_t,
    DataType.DT_DOUBLE: double,
    DataType.DT_BOOL: uint8_t,
}

DT_INT8, DT_INT16, DT_INT32, DT_INT64, DT_UINT8, DT_UINT16, DT_UINT32, DT_UINT64, DT_FP16, DT_FP32, DT_BF16, *_ = (
    DataType
)
DT_DOUBLE, DT_BOOL, DT_INT4 = DataType.DT_DOUBLE, DataType.DT_BOOL, DataType.DT_INT4
DT_FP8, DT_FP8E4M3, DT_FP8E5M2, DT_FP8E8M0 = (
    DataType.DT_FP8,
    DataType.DT_FP8E4M3,
    DataType.DT_FP8E5M2,
    DataType.DT_FP8E8M0,
)
DT_HF4, DT_HF8 = DataType.DT_HF4, DataType.DT_HF8


class TileOpFormat(Choice):
    """How a tensor lies in GM. Vector operators take ND alone."""

    TILEOP_ND = 0
    TILEOP_NZ = 1


def dtype_of(array: "np.dtype[Any]") -> DataType:
    """The DT_* type of a numpy or ml_dtypes type; TypeError when there is none."""
    for dtype in _ELEMENTS:
        if dtype.host == array:
            return dtype
    raise TypeError(f"no DT_* type holds {array}")
