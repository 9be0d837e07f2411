"""Tensors of the operator library: numpy arrays, strided ones too, and the memory under them."""

import ctypes
import sys
from typing import Any

import attrs
import ml_dtypes
import numpy as np
from numpy.typing import NDArray

DTYPES: dict[str, "np.dtype[Any]"] = {
    "FLOAT": np.dtype(np.float32),
    "FLOAT16": np.dtype(np.float16),
    "INT32": np.dtype(np.int32),
    "INT64": np.dtype(np.int64),
    "INT8": np.dtype(np.int8),
    "UINT8": np.dtype(np.uint8),
    "BOOL": np.dtype(np.bool_),
    "BFLOAT16": np.dtype(ml_dtypes.bfloat16),
}


_NOTHING = np.empty(0, np.uint8)


def as_array(tensor: Any) -> NDArray[Any]:
    """A numpy array as it is, a torch tensor as the array over its memory; TypeError otherwise."""
    if isinstance(tensor, np.ndarray):
        return tensor
    torch = sys.modules.get("torch")
    if torch is None or not isinstance(tensor, torch.Tensor):
        raise TypeError(f"a tensor is a numpy array, not {type(tensor).__name__}")
    if tensor.dtype is torch.bfloat16:
        array: NDArray[Any] = tensor.detach().view(torch.int16).numpy().view(DTYPES["BFLOAT16"])
        return array
    return np.asarray(tensor.detach().numpy())


@attrs.frozen(eq=False)
class View:
    """An array as the device sees it: a range of memory, the first element in it, strides in elements.

    memory holds the bytes from the lowest to the highest element and nothing else.
    """

    memory: NDArray[Any]
    first: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    size: int
    owner: NDArray[Any]

    @staticmethod
    def of(array: NDArray[Any]) -> "View":
        """Raises ValueError where the strides are no multiples of the element size."""
        size = array.itemsize
        if any(s % size for s in array.strides):
            raise ValueError(f"strides {array.strides} are no multiples of the element size {size}")
        reach = [(n - 1) * s for n, s in zip(array.shape, array.strides, strict=True)]
        low, high = sum(r for r in reach if r < 0), sum(r for r in reach if r > 0)
        nbytes = high - low + size if array.size else 0
        start = int(array.__array_interface__["data"][0]) + low
        memory = (
            np.frombuffer(memoryview((ctypes.c_uint8 * nbytes).from_address(start)), np.uint8) if nbytes else _NOTHING
        )
        strides = tuple(s // size for s in array.strides)
        return View(memory, -low // size, array.shape, strides, size, array)

    @property
    def is_contiguous(self) -> bool:
        return bool(self.owner.flags.c_contiguous)


def dense(array: NDArray[Any], shape: tuple[int, ...], size: int) -> View:
    """A row-major tensor in `array`, a flat array of bytes."""
    strides = [1] * len(shape)
    for i in range(len(shape) - 1, 0, -1):
        strides[i - 1] = strides[i] * shape[i]
    return View(array, 0, shape, tuple(strides), size, array)
