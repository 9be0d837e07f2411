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
    """Element types of `pypto.Tensor`. `element`: the type of its instructions."""

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

    def __repr__(self) -> str:
        return self.name

    __str__ = __repr__

    @property
    def element(self) -> ElementType:
        return _ELEMENTS[self]

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
DT_DOUBLE, DT_BOOL = DataType.DT_DOUBLE, DataType.DT_BOOL


class TileOpFormat(Choice):
    """How a tensor lies in GM. Vector operators take ND alone."""

    TILEOP_ND = 0
    TILEOP_NZ = 1


def dtype_of(array: "np.dtype[Any]") -> DataType:
    """The DT_* type of a numpy or ml_dtypes type; TypeError when there is none."""
    for dtype in DataType:
        if dtype.host == array:
            return dtype
    raise TypeError(f"no DT_* type holds {array}")
