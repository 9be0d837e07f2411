"""Tensors of the framework: a shape and a DT_* type over GM, which is a numpy array."""

import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ascend_sim.api.running.report import Report
from ascend_sim.ops.pypto.dtypes import DataType, TileOpFormat, dtype_of
from ascend_sim.ops.pypto.errors import FeError
from ascend_sim.ops.pypto.symbolic import SymInt

OPERATORS: dict[str, Callable[..., Any]] = {}
"""What the operators and methods of a tensor call; the modules that have them fill it."""


class _Extent:
    """An extent that an annotation leaves open."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __repr__(self) -> str:
        return self._name


DYNAMIC, STATIC = _Extent("DYNAMIC"), _Extent("STATIC")


class Tensor:
    """A tensor. Without data its elements are zero until something writes them.

    As an annotation of a kernel's parameter the shape may be empty, or have DYNAMIC and STATIC for extents.
    data: the elements that count, all of them unless a view gave the tensor a smaller valid shape. report: of the
    launch that computed it (None for tensors that no operator made): trace, findings, cycles.
    """

    def __init__(
        self,
        shape: "Sequence[Any] | None" = None,
        dtype: DataType | None = None,
        name: str = "",
        format: TileOpFormat = TileOpFormat.TILEOP_ND,  # noqa: A002  (the framework's word)
    ) -> None:
        if dtype is not None and not isinstance(dtype, DataType):
            raise FeError(TypeError(f"dtype is a DT_* type, not {dtype!r}"))
        self.declared: tuple[Any, ...] | None = None if shape is None else tuple(shape)
        self.given_dtype = dtype
        self.dtype = DataType.DT_FP32 if dtype is None else dtype
        self.name = name
        self.format = format
        self.report: Report | None = None
        is_open = any(not hasattr(extent, "__index__") for extent in self.declared or ())
        extents = () if is_open else tuple(int(e) for e in self.declared or ())
        self._shape: tuple[int, ...] = extents
        self.data: NDArray[Any] = np.zeros(extents, self.dtype.host)

    def __class_getitem__(cls, _: Any) -> "Tensor":
        """`Tensor[...]`: an annotation that leaves everything open."""
        return cls()

    @classmethod
    def over(
        cls,
        array: NDArray[Any],
        dtype: DataType,
        name: str = "",
        report: Report | None = None,
        shape: Sequence[int] | None = None,
    ) -> "Tensor":
        """A tensor whose memory is `array`. shape: where only the first elements of each axis count."""
        made = cls(None, dtype, name)
        made.data, made.report = array, report
        made._shape = array.shape if shape is None else tuple(shape)
        return made

    @property
    def shape(self) -> list[int]:
        """A list, as the framework gives it."""
        return [SymInt(extent) for extent in self._shape]

    @property
    def dim(self) -> int:
        """Number of axes."""
        return len(self._shape)

    def numpy(self) -> NDArray[Any]:
        """The elements, in the numpy or ml_dtypes type that matches: the tensor's memory. What lies beyond a valid
        shape is 0.
        """
        if self.data.shape == self._shape:
            return self.data
        whole = np.zeros(self._shape, self.data.dtype)
        whole[tuple(slice(n) for n in self.data.shape)] = self.data
        return whole

    def torch(self) -> Any:
        """A torch tensor with a copy of the elements."""
        import torch  # noqa: PLC0415  (optional)

        if self.dtype is DataType.DT_BF16:
            return torch.from_numpy(self.numpy().view(np.int16).copy()).view(torch.bfloat16)
        return torch.from_numpy(self.numpy().copy())

    def become(self, other: "Tensor") -> None:
        """The same elements, shape and type as another one."""
        self.data, self.dtype, self.report = other.data, other.dtype, other.report
        self._shape = tuple(int(n) for n in other.shape)

    def __repr__(self) -> str:
        return f"<pypto.Tensor {self.name or ''}{self._shape} {self.dtype}>"

    # What the framework's programs write

    def view(self, *args: Any, **options: Any) -> "Tensor":
        """`pypto.view` of this tensor."""
        return OPERATORS["view"](self, *args, **options)  # type: ignore[no-any-return]  # by name

    def assemble(self, source: "Tensor", offsets: Sequence[int], **options: Any) -> None:
        """`pypto.assemble` into this tensor."""
        OPERATORS["assemble"](source, offsets, self, **options)

    def move(self, other: "Tensor") -> None:
        """Become `other`."""
        OPERATORS["move"](self, other)

    def __getitem__(self, key: Any) -> "Tensor":
        return OPERATORS["getitem"](self, key)  # type: ignore[no-any-return]  # by name

    def __setitem__(self, key: Any, value: "Tensor") -> None:
        OPERATORS["setitem"](self, key, value)

    def __add__(self, other: Any) -> Any:
        return OPERATORS["add"](self, other)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return OPERATORS["sub"](self, other)

    def __rsub__(self, other: Any) -> Any:
        return OPERATORS["rsub"](self, other)

    def __mul__(self, other: Any) -> Any:
        return OPERATORS["mul"](self, other)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        return OPERATORS["div"](self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return OPERATORS["rdiv"](self, other)

    def __floordiv__(self, other: Any) -> Any:
        """floor(div(self, other)), which is not floor_div: the result of integers is float32."""
        return OPERATORS["floor"](OPERATORS["div"](self, other))

    def __mod__(self, other: Any) -> Any:
        return OPERATORS["remainder"](self, other)

    def __pow__(self, other: Any) -> Any:
        return OPERATORS["pow"](self, other)

    def __neg__(self) -> Any:
        return OPERATORS["neg"](self)

    def __pos__(self) -> "Tensor":
        return self

    def __lt__(self, other: Any) -> Any:
        return OPERATORS["lt"](self, other)

    def __le__(self, other: Any) -> Any:
        return OPERATORS["le"](self, other)

    def __gt__(self, other: Any) -> Any:
        return OPERATORS["gt"](self, other)

    def __ge__(self, other: Any) -> Any:
        return OPERATORS["ge"](self, other)

    def __eq__(self, other: object) -> Any:
        return OPERATORS["eq"](self, other)

    def __ne__(self, other: object) -> Any:
        return OPERATORS["ne"](self, other)

    __hash__ = object.__hash__


tensor = Tensor


def from_numpy(array: Any, name: str = "", format: TileOpFormat = TileOpFormat.TILEOP_ND) -> Tensor:  # noqa: A002  (its name there)
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
