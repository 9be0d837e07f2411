"""Call signatures, as in `signatures`, of the families whose operands do not all have one element for each lane."""

from typing import Any, Protocol, overload

from ascend_sim.api.calls.signatures import Mask, Scalar, UnaryStrides
from ascend_sim.api.memory.tensor import LocalTensor
from isa.params import CMPMODE, BrcbRepeatParams, CopyRepeatParams, GatherRepeatParams, ReduceOrder, ReduceType

Tuple = tuple[int, ...]


class BroadcastCall(Protocol):
    """dst, src; eight elements of src a repeat."""

    def __call__(
        self, dst: LocalTensor, src: LocalTensor, /, repeat_time: int, repeat_params: BrcbRepeatParams | Tuple
    ) -> None: ...


class PaddingCall(Protocol):
    """dst, src, mode, side."""

    @overload
    def __call__(self, dst: LocalTensor, src: LocalTensor, pad_mode: int, pad_side: bool, /, count: int) -> None: ...
    @overload
    def __call__(
        self,
        dst: LocalTensor,
        src: LocalTensor,
        pad_mode: int,
        pad_side: bool,
        /,
        mask: Mask,
        repeat_time: int,
        repeat_params: UnaryStrides,
        *,
        is_set_mask: bool = True,
    ) -> None: ...


class CompareScalarCall(Protocol):
    """dst, src, scalar, comparison; on 950 the scalar may stand before the tensor."""

    @overload
    def __call__(self, dst: LocalTensor, src0: Any, src1_scalar: Scalar, cmp_mode: CMPMODE, /, count: int) -> None: ...
    @overload
    def __call__(
        self,
        dst: LocalTensor,
        src0: Any,
        src1_scalar: Scalar,
        cmp_mode: CMPMODE,
        /,
        mask: Mask,
        repeat_time: int,
        repeat_params: UnaryStrides,
        *,
        is_set_mask: bool = True,
    ) -> None: ...


class ReduceCall(Protocol):
    """dst, src; one result for each repeat, block or pair of lanes."""

    def __call__(
        self,
        dst: LocalTensor,
        src: LocalTensor,
        /,
        mask: Mask,
        repeat_time: int,
        dst_rep_stride: int,
        src_blk_stride: int,
        src_rep_stride: int,
        *,
        is_set_mask: bool = True,
    ) -> None: ...


class ReduceByTypeCall(Protocol):
    """As `ReduceCall`, for the kind of reduction that is asked for."""

    def __call__(
        self,
        dst: LocalTensor,
        src: LocalTensor,
        /,
        mask: Mask,
        repeat_time: int,
        dst_rep_stride: int,
        src_blk_stride: int,
        src_rep_stride: int,
        *,
        reduce_type: ReduceType = ReduceType.SUM,
        is_set_mask: bool = True,
    ) -> None: ...


class ReduceWithIndexCall(Protocol):
    """As `ReduceCall`; `order` says what a result consists of."""

    def __call__(
        self,
        dst: LocalTensor,
        src: LocalTensor,
        /,
        mask: Mask,
        repeat_time: int,
        dst_rep_stride: int,
        src_blk_stride: int,
        src_rep_stride: int,
        order: ReduceOrder = ReduceOrder.ORDER_VALUE_INDEX,
        *,
        is_set_mask: bool = True,
    ) -> None: ...


class ReduceRepeatCall(Protocol):
    """As `ReduceByTypeCall`; `order` says what a result of a maximum or minimum consists of."""

    def __call__(
        self,
        dst: LocalTensor,
        src: LocalTensor,
        /,
        mask: Mask,
        repeat_time: int,
        dst_rep_stride: int,
        src_blk_stride: int,
        src_rep_stride: int,
        order: ReduceOrder = ReduceOrder.ORDER_VALUE_INDEX,
        *,
        reduce_type: ReduceType = ReduceType.SUM,
        is_set_mask: bool = True,
    ) -> None: ...


class OldReduceCall(Protocol):
    """As `ReduceCall` under the older names, whose repeat count comes before the mask."""

    def __call__(
        self,
        dst: LocalTensor,
        src: LocalTensor,
        /,
        repeat_time: int,
        mask: Mask,
        dst_rep_stride: int,
        src_blk_stride: int,
        src_rep_stride: int,
        *,
        is_set_mask: bool = True,
    ) -> None: ...


class RepeatReduceSumCall(Protocol):
    """As `OldReduceCall`, with a block stride of the destination that has no effect."""

    def __call__(
        self,
        dst: LocalTensor,
        src: LocalTensor,
        /,
        repeat_time: int,
        mask: Mask,
        dst_blk_stride: int,
        src_blk_stride: int,
        dst_rep_stride: int,
        src_rep_stride: int,
        *,
        is_set_mask: bool = True,
    ) -> None: ...


class GatherCall(Protocol):
    """dst, src, byte offset of each element in src, start of src."""

    @overload
    def __call__(
        self, dst: LocalTensor, src: LocalTensor, src_offset: LocalTensor, src_base_addr: int, /, count: int
    ) -> None: ...
    @overload
    def __call__(
        self,
        dst: LocalTensor,
        src: LocalTensor,
        src_offset: LocalTensor,
        src_base_addr: int,
        /,
        mask: Mask,
        repeat_time: int,
        dst_rep_stride: int,
    ) -> None: ...


class GatherBlocksCall(Protocol):
    """dst, src, byte offset of each block in src."""

    def __call__(
        self,
        dst: LocalTensor,
        src: LocalTensor,
        offset: LocalTensor,
        /,
        repeat_time: int,
        repeat_params: GatherRepeatParams | Tuple,
    ) -> None: ...


class ScatterCall(Protocol):
    """dst, src, byte offset of each element in dst, start of dst."""

    @overload
    def __call__(
        self, dst: LocalTensor, src: LocalTensor, dst_offset: LocalTensor, dst_base_addr: int, /, count: int
    ) -> None: ...
    @overload
    def __call__(
        self,
        dst: LocalTensor,
        src: LocalTensor,
        dst_offset: LocalTensor,
        dst_base_addr: int,
        /,
        mask: Mask,
        repeat_time: int,
        src_rep_stride: int,
    ) -> None: ...


class CopyCall(Protocol):
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
        repeat_params: CopyRepeatParams | Tuple,
        *,
        is_set_mask: bool = True,
    ) -> None: ...


class SortCall(Protocol):
    """dst, values, indices."""

    def __call__(self, dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, /, repeat_time: int) -> None: ...


class ProposalSortCall(Protocol):
    """dst, src."""

    def __call__(self, dst: LocalTensor, src: LocalTensor, /, repeat_time: int) -> None: ...


class ProposalCall(Protocol):
    """dst, src; which member of the proposals."""

    def __call__(self, dst: LocalTensor, src: LocalTensor, /, repeat_time: int, mode_number: int) -> None: ...
