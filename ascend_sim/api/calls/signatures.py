"""One call signature for each family, for type checkers and editors; instructions never repeat them."""

from collections.abc import Sequence
from typing import Any, Protocol, overload

from ascend_sim.api.memory.tensor import LocalTensor
from isa.params import BinaryRepeatParams, RoundMode, UnaryRepeatParams

Mask = int | Sequence[int]
Scalar = Any
UnaryStrides = UnaryRepeatParams | tuple[int, ...]
BinaryStrides = BinaryRepeatParams | tuple[int, ...]


class UnaryCall(Protocol):
    """dst, src."""

    @overload
    def __call__(self, dst: LocalTensor, src: LocalTensor, /, count: int) -> None: ...
    @overload
    def __call__(
        self,
        dst: LocalTensor,
        src: LocalTensor,
        /,
        mask: Mask,
        repeat_time: int,
        repeat_params: UnaryStrides,
        *,
        is_set_mask: bool = True,
    ) -> None: ...


class BinaryCall(Protocol):
    """dst, src0, src1."""

    @overload
    def __call__(self, dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, /, count: int) -> None: ...
    @overload
    def __call__(
        self,
        dst: LocalTensor,
        src0: LocalTensor,
        src1: LocalTensor,
        /,
        mask: Mask,
        repeat_time: int,
        repeat_params: BinaryStrides,
        *,
        is_set_mask: bool = True,
    ) -> None: ...


class UnaryCountCall(Protocol):
    """dst, src; in the count form only."""

    def __call__(self, dst: LocalTensor, src: LocalTensor, /, count: int) -> None: ...


class BinaryCountCall(Protocol):
    """dst, src0, src1; in the count form only."""

    def __call__(self, dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, /, count: int) -> None: ...


class TwoResultsCall(Protocol):
    """dst0, dst1, src0, src1."""

    def __call__(
        self, dst0: LocalTensor, dst1: LocalTensor, src0: LocalTensor, src1: LocalTensor, /, count: int
    ) -> None: ...


class VectorScalarCall(Protocol):
    """dst, src, scalar; where the product allows it the scalar may stand before the tensor, or be one."""

    @overload
    def __call__(
        self, dst: LocalTensor, src: Any, scalar_value: Scalar, /, count: int, *, is_set_mask: bool = True
    ) -> None: ...
    @overload
    def __call__(
        self,
        dst: LocalTensor,
        src: Any,
        scalar_value: Scalar,
        /,
        mask: Mask,
        repeat_time: int,
        repeat_params: UnaryStrides,
        *,
        is_set_mask: bool = True,
    ) -> None: ...


class ScalarCountCall(Protocol):
    """dst, src, scalar; in the count form only."""

    def __call__(self, dst: LocalTensor, src: LocalTensor, scalar_value: Scalar, /, count: int) -> None: ...


class AccumulateScalarCall(Protocol):
    """dst, which is read too, src, scalar."""

    @overload
    def __call__(self, dst: LocalTensor, src: LocalTensor, scalar_value: Scalar, /, count: int) -> None: ...
    @overload
    def __call__(
        self,
        dst: LocalTensor,
        src: LocalTensor,
        scalar_value: Scalar,
        /,
        mask: Mask,
        repeat_time: int,
        repeat_params: UnaryStrides,
        *,
        is_set_mask: bool = True,
    ) -> None: ...


class ShiftRightCall(Protocol):
    """dst, src, shift; the tiled forms may round."""

    @overload
    def __call__(
        self, dst: LocalTensor, src: LocalTensor, scalar_value: Scalar, /, count: int, *, is_set_mask: bool = True
    ) -> None: ...
    @overload
    def __call__(
        self,
        dst: LocalTensor,
        src: LocalTensor,
        scalar_value: Scalar,
        /,
        mask: Mask,
        repeat_time: int,
        repeat_params: UnaryStrides,
        round_en: bool = False,
        *,
        is_set_mask: bool = True,
    ) -> None: ...


class ConvertCall(Protocol):
    """dst, src, rounding mode."""

    @overload
    def __call__(self, dst: LocalTensor, src: LocalTensor, round_mode: RoundMode, /, count: int) -> None: ...
    @overload
    def __call__(
        self,
        dst: LocalTensor,
        src: LocalTensor,
        round_mode: RoundMode,
        /,
        mask: Mask,
        repeat_time: int,
        repeat_params: UnaryStrides,
        *,
        is_set_mask: bool = True,
    ) -> None: ...


class ConvertCountCall(Protocol):
    """dst, src, rounding mode; in the count form only."""

    def __call__(self, dst: LocalTensor, src: LocalTensor, round_mode: RoundMode, /, count: int) -> None: ...


class FillCall(Protocol):
    """dst, scalar; strides as plain arguments."""

    @overload
    def __call__(self, dst: LocalTensor, scalar_value: Scalar, /, count: int) -> None: ...
    @overload
    def __call__(
        self,
        dst: LocalTensor,
        scalar_value: Scalar,
        /,
        mask: Mask,
        repeat_time: int,
        dst_block_stride: int,
        dst_repeat_stride: int,
        *,
        is_set_mask: bool = True,
    ) -> None: ...
