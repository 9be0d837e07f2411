"""Tensors of the framework: a shape and a DT_* type over GM, which is a numpy array."""

import sys
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ascend_sim.api.report import Report
from ascend_sim.ops.pypto.dtypes import DataType, TileOpFormat, dtype_of
from ascend_sim.ops.pypto.errors import FeError


class Tensor:
    """A tensor. Without data its elements are zero until something writes them.

    report: of the launch that computed it (None for tensors that no operator made): trace, findings, cycles.
    """

    def __init__(
        self,
        shape: Sequence[int] | None = None,
        dtype: DataType = DataType.DT_FP32,
        name: str = "",
        format: TileOpFormat = TileOpFormat.TILEOP_ND,  # noqa: A002  (the framework's word)
    ) -> None:
        if not isinstance(dtype, DataType):
            raise FeError(TypeError(f"dtype is a DT_* type, not {dtype!r}"))
        self.dtype = dtype
        self.name = name
        self.format = format
        self.report: Report | None = None
        self.data: NDArray[Any] = np.zeros(() if shape is None else tuple(shape), dtype.host)
        self.has_shape = shape is not None

    @property
    def shape(self) -> list[int]:
        """A list, as the framework gives it."""
        return list(self.data.shape)

    @property
    def dim(self) -> int:
        """Number of axes."""
        return self.data.ndim

    def numpy(self) -> NDArray[Any]:
        """The elements, in the numpy or ml_dtypes type that matches. The array is the tensor's memory."""
        return self.data

    def torch(self) -> Any:
        """A torch tensor with a copy of the elements."""
        import torch  # noqa: PLC0415  (optional)

        if self.dtype is DataType.DT_BF16:
            return torch.from_numpy(self.data.view(np.int16).copy()).view(torch.bfloat16)
        return torch.from_numpy(self.data.copy())

    def __repr__(self) -> str:
        return f"<pypto.Tensor {self.name or ''}{tuple(self.shape)} {self.dtype}>"

    @classmethod
    def over(cls, array: NDArray[Any], dtype: DataType, name: str = "", report: Report | None = None) -> "Tensor":
        """A tensor whose memory is `array`."""
        made = cls(None, dtype, name)
        made.data, made.has_shape, made.report = array, True, report
        return made


def tensor(
    shape: Sequence[int] | None = None,
    dtype: DataType = DataType.DT_FP32,
    name: str = "",
    format: TileOpFormat = TileOpFormat.TILEOP_ND,  # noqa: A002  (the framework's word)
) -> Tensor:
    """A tensor of zeros."""
    return Tensor(shape, dtype, name, format)


def from_numpy(array: Any, name: str = "", format: TileOpFormat = TileOpFormat.TILEOP_ND) -> Tensor:  # noqa: A002
    """A tensor over an array: its memory where that is contiguous and writable, a copy otherwise."""
    if not isinstance(array, np.ndarray):
        raise FeError(TypeError(f"from_numpy() takes a numpy array, not {type(array).__name__}"))
    try:
        dtype = dtype_of(array.dtype)
    except TypeError as error:
        raise FeError(error) from None
    usable = array.flags.c_contiguous and array.flags.writeable
    made = Tensor.over(array if usable else np.array(array, order="C"), dtype, name)
    made.format = format
    return made


def from_torch(tensor: Any, name: str = "", **options: Any) -> Tensor:
    """A tensor over the memory of a contiguous torch tensor on the CPU; bfloat16 is taken bit by bit.

    options: tensor_format, dtype (the DT_* type to take its bits as); dynamic_axis is accepted and has no effect.
    """
    torch = sys.modules.get("torch")
    if torch is None or not isinstance(tensor, torch.Tensor):
        raise FeError(TypeError(f"from_torch() takes a torch.Tensor, not {type(tensor).__name__}"))
    if not tensor.is_contiguous():
        raise FeError(RuntimeError("from_torch() takes a contiguous tensor"))
    if tensor.dtype is torch.bfloat16:
        array = tensor.detach().view(torch.int16).numpy().view(DataType.DT_BF16.host)
    else:
        array = tensor.detach().numpy()
    made = from_numpy(array, name, options.get("tensor_format") or TileOpFormat.TILEOP_ND)
    dtype = options.get("dtype")
    if dtype is not None:
        made.data, made.dtype = made.data.view(dtype.host), dtype
    return made


def as_tensor(value: Any, operator: str, parameter: str) -> Tensor:
    """An argument as a tensor: one already, a numpy array, or a torch tensor; TypeError inside otherwise."""
    if isinstance(value, Tensor):
        return value
    if isinstance(value, np.ndarray):
        return from_numpy(value)
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(value, torch.Tensor):
        return from_torch(value)
    raise FeError(TypeError(f"{operator}(): {parameter} must be a Tensor, not {type(value).__name__}"))
