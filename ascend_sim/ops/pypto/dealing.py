"""interleave and deinterleave: elements dealt to two tensors and back, bits untouched (spec 05 section 4); 950 only."""

from collections.abc import Sequence
from typing import Any

import attrs
import numpy as np

from ascend_sim.api.context import current_run
from ascend_sim.api.control.queue import TPipe, TQue
from ascend_sim.api.launch.npu import NPU, GetBlockIdx, GetBlockNum
from ascend_sim.api.memory.tensor import GlobalTensor, LocalTensor
from ascend_sim.api.running.report import Report
from ascend_sim.api.vector import DeInterleave, Interleave
from ascend_sim.ops.elementwise import fitted
from ascend_sim.ops.geometry import Piece, Shape, load, pieces, pitch_of, rows_of, store
from ascend_sim.ops.machine import SHAPES_ONLY, largest_tile, named, operator_npu, require_capacity
from ascend_sim.ops.pypto import checks, settings
from ascend_sim.ops.pypto.dtypes import (
    DT_BF16,
    DT_FP16,
    DT_FP32,
    DT_INT8,
    DT_INT16,
    DT_INT32,
    DT_UINT8,
    DT_UINT16,
    DT_UINT32,
)
from ascend_sim.ops.pypto.errors import bad_dtype, bad_rank, invalid
from ascend_sim.ops.pypto.tape import operation
from ascend_sim.ops.pypto.tensors import Tensor, as_tensor
from isa.dtypes import ElementType
from isa.positions import TPosition
from isa.products import BLOCK_BYTES, Arch

SUPPORTED = (DT_INT8, DT_UINT8, DT_INT16, DT_UINT16, DT_INT32, DT_UINT32, DT_FP16, DT_FP32, DT_BF16)


@attrs.frozen
class Dealing:
    """Which of the three forms: its name, and whether it has one source."""

    name: str
    sources: int

    @property
    def deals_one(self) -> bool:
        return self.sources == 1

    def outputs(self, shape: Sequence[int]) -> Shape:
        """Shape of each result, or of a tile of it."""
        return (*shape[:-1], shape[-1] // 2) if self.deals_one else tuple(shape)

    def row(self, dst0: LocalTensor, dst1: LocalTensor, sources: Sequence[LocalTensor], count: int) -> None:
        """One instruction: it deals `count` elements of each source."""
        if self.name == "interleave":
            src0, src1 = sources
            Interleave(dst0, dst1, src0, src1, count)
        else:
            DeInterleave(dst0, dst1, *sources, count)

    def buffers(self, dtype: ElementType, tile: Sequence[int]) -> dict[str, int]:
        """Bytes of every buffer for a tile of the sources."""
        rows = int(np.prod(tile[:-1], dtype=np.int64))
        per = BLOCK_BYTES // dtype.size
        source = rows * -(-tile[-1] // per) * BLOCK_BYTES
        result = rows * -(-self.outputs(tile)[-1] // per) * BLOCK_BYTES
        return {f"src{i}": source for i in range(self.sources)} | {f"dst{i}": result for i in range(2)}


INTERLEAVE, DEINTERLEAVE, DEINTERLEAVE_ONE = (
    Dealing("interleave", 2),
    Dealing("deinterleave", 2),
    Dealing("deinterleave", 1),
)


@operation
def interleave(input: Any, other: Any) -> list[Tensor]:  # noqa: A002  (the framework's parameter name)
    """The elements of both in turn along the last axis; the first half of them, and the second."""
    return _deal(INTERLEAVE, input, other)


@operation
def deinterleave(input: Any, other: Any = None) -> list[Tensor]:  # noqa: A002  (the framework's parameter name)
    """Elements at even and at odd places along the last axis: of `input` alone, or of `input` followed by `other`."""
    return _deal(DEINTERLEAVE_ONE if other is None else DEINTERLEAVE, input, other)


def _deal(dealing: Dealing, *given: Any) -> list[Tensor]:
    npu, name = operator_npu(), dealing.name
    tensors = [as_tensor(t, name, p) for t, p in zip(given, ("input", "other"), strict=True) if t is not None]
    check(npu, dealing, tensors)
    first = tensors[0]
    tile = choose_tile(npu, dealing, first.dtype.element, first.shape, settings.get_vec_tile_shapes())
    whole = [Tensor.over(np.ascontiguousarray(t.numpy()), t.dtype) for t in tensors]
    results, report = run_dealing(npu, dealing, first.dtype.element, whole, tile)
    return [Tensor.over(r, first.dtype, report=report) for r in results]


def check(npu: NPU, dealing: Dealing, tensors: Sequence[Tensor]) -> None:
    """In the framework's order; what its graph layer leaves to the tile layer comes last."""
    name, first = dealing.name, tensors[0]
    checks.check_format(name, *tensors)
    if npu.product.arch is not Arch.A3510:
        invalid(f"{name} only supports architecture: DAV_3510 (ascend950), not {npu.product.id}.")
    if not first.shape or 0 in first.shape:
        invalid(f"{name}: an empty tensor {tuple(first.shape)} is not supported.")
    if first.shape[-1] % 2:
        invalid(f"{name}: the last axis has {first.shape[-1]} elements; it must be even.")
    _check_tile(dealing, first)
    checks.check_dtype(name, SUPPORTED, *tensors)
    for other in tensors[1:]:
        if other.dtype is not first.dtype:
            bad_dtype(f"{name}: the operands have different types, {first.dtype} and {other.dtype}.")
        if other.dim != first.dim:
            bad_rank(f"{name}: the operands have {first.dim} and {other.dim} axes.")
        if other.shape != first.shape:
            invalid(f"{name}: the operands have shapes {tuple(first.shape)} and {tuple(other.shape)}.")
    checks.check_rank(name, first)
    checks.check_element_count(name, first.shape)


def _check_tile(dealing: Dealing, first: Tensor) -> None:
    name, tile = dealing.name, settings.get_vec_tile_shapes()
    if not tile:
        return
    if len(tile) != first.dim:
        invalid(f"{name}: the tile shape {tile} has {len(tile)} axes, the tensor {first.dim}.")
    if not dealing.deals_one and tile[-1] != first.shape[-1]:
        invalid(f"{name}: the last axis cannot be cut: the tile has {tile[-1]} elements, the tensor "
                f"{first.shape[-1]}.")  # fmt: skip
    if tile[-1] % 2:
        invalid(f"{name}: the last axis of the tile has {tile[-1]} elements; it must be even.")


def choose_tile(npu: NPU, dealing: Dealing, dtype: ElementType, shape: Sequence[int], tile: Sequence[int]) -> Shape:
    """The tile that is set, cut to the tensor and checked for room; without one, the largest that fits."""

    def needs(candidate: Shape) -> dict[str, int]:
        return dealing.buffers(dtype, candidate)

    unit = 2 if dealing.deals_one else shape[-1]
    if not tile:
        room = npu.product.ub_bytes
        tile = largest_tile(shape, lambda t: sum(needs(t).values()) <= room, unit) or shape
    chosen = fitted(shape, tile)
    require_capacity(dealing.name, npu.product, chosen, needs, unit)
    return chosen


def run_dealing(
    npu: NPU, dealing: Dealing, dtype: ElementType, tensors: Sequence[Tensor], tile: Shape
) -> tuple[list[Any], Report | None]:
    """Launch the kernel; both results and the report."""
    shape = tuple(tensors[0].shape)
    results = [np.zeros(dealing.outputs(shape), dtype.carrier) for _ in range(2)]
    if SHAPES_ONLY.get():
        return results, None
    blocks = min(npu.product.vector_cores, sum(1 for _ in pieces(shape, tile)))
    arrays = [a.reshape(-1) for a in (*results, *(t.data for t in tensors))]
    return results, npu.launch(named(dealing.name, dealing_kernel), blocks, dealing, dtype, shape, tile, *arrays)


def dealing_kernel(dealing: Dealing, dtype: ElementType, shape: Shape, tile: Shape, *arrays: Any) -> None:
    """Row by row: one instruction deals a row of a tile. Block b takes tiles b, b + blocks, ..."""
    needs = dealing.buffers(dtype, tile)
    assert sum(needs.values()) <= current_run().product.ub_bytes
    pipe = TPipe()
    queues, gms = {}, {}
    for label, address in zip(("dst0", "dst1", "src0", "src1")[: len(arrays)], arrays, strict=True):
        queues[label] = TQue(TPosition.VECOUT if label.startswith("dst") else TPosition.VECIN, 1)
        pipe.InitBuffer(queues[label], 1, needs[label])
        gms[label] = GlobalTensor(dtype)
        gms[label].SetGlobalBuffer(address)
    sources = [label for label in queues if label.startswith("src")]
    for number, piece in enumerate(pieces(shape, tile)):
        if number % GetBlockNum() != GetBlockIdx():
            continue
        cols = piece.extents[-1]
        pitch, out_cols = pitch_of(cols, dtype.size), cols // 2 if dealing.deals_one else cols
        out_pitch = pitch_of(out_cols, dtype.size)
        for label in sources:
            tensor = queues[label].AllocTensor(dtype)
            load(tensor, gms[label], rows_of(piece, shape), pitch)
            queues[label].EnQue(tensor)
        src = [queues[label].DeQue(dtype) for label in sources]
        dst0, dst1 = queues["dst0"].AllocTensor(dtype), queues["dst1"].AllocTensor(dtype)
        for row in range(piece.rows):
            at, out = row * pitch, row * out_pitch
            dealing.row(dst0[out:], dst1[out:], [t[at:] for t in src], cols)
        queues["dst0"].EnQue(dst0)
        queues["dst1"].EnQue(dst1)
        for label, tensor in zip(sources, src, strict=True):
            queues[label].FreeTensor(tensor)
        offsets, extents = list(piece.offsets), list(piece.extents)
        extents[-1] = out_cols
        if dealing.deals_one:
            offsets[-1] //= 2
        result = Piece(tuple(offsets), tuple(extents))
        for label in ("dst0", "dst1"):
            tensor = queues[label].DeQue(dtype)
            store(gms[label], tensor, rows_of(result, dealing.outputs(shape)), out_pitch)
            queues[label].FreeTensor(tensor)
