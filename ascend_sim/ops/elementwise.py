"""Elementwise operators: the loop over tiles, which every one of them shares, around a sequence of instructions.

A tile is copied in row by row, an operand with axes of size 1 is spread to the full tile inside the Unified Buffer (the
framework's Expand), the sequence runs over all elements of the tile, and the result is copied out. The sequence is a
generator that yields after each instruction: there the older products get the barrier that their tile library places
after every vector instruction.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

from ascend_sim.api.context import current_run
from ascend_sim.api.control.queue import TBuf, TPipe, TQue
from ascend_sim.api.control.sync import EVENT_ID0, PIPE_V, PipeBarrier, SetFlag, WaitFlag
from ascend_sim.api.copies.plain import DataCopy
from ascend_sim.api.launch.npu import NPU, GetBlockIdx, GetBlockNum
from ascend_sim.api.memory.tensor import GlobalTensor, LocalTensor
from ascend_sim.api.running.report import Report
from ascend_sim.api.vector import Duplicate
from ascend_sim.ops.geometry import Piece, Shape, load, narrowest, pieces, pitch_of, rows_of, store
from ascend_sim.ops.machine import SHAPES_ONLY, align, aligned_bytes, largest_tile, named, require_capacity
from isa.dtypes import ElementType, int16_t, uint8_t, uint16_t, uint32_t, uint64_t
from isa.positions import TPosition
from isa.products import BLOCK_BYTES, MAX_REPEAT, Arch, Product
from isa.sync import HardEvent

WHOLE = 64  # elements: sequences run over a multiple of this, because comparisons of A2 and A3 take whole repeats

Steps = Iterator[None]


@attrs.frozen(eq=False)
class Tile:
    """What a sequence works on. count: elements, a multiple of 64; sources: one tensor an operand, all of full shape.

    scratch: the sequence's own bytes.
    """

    product: Product
    count: int
    dst: LocalTensor
    sources: tuple[LocalTensor, ...]
    scratch: LocalTensor

    @property
    def is_register_arch(self) -> bool:
        """The 950 sequences apply, not those of A2 and A3."""
        return self.product.arch is Arch.A3510

    def slot(self, index: int, dtype: ElementType, size: int = 4) -> LocalTensor:
        """The `index`-th scratch buffer of `count` elements of `size` bytes, as elements of `dtype`."""
        start = index * size * self.count
        return self.scratch[start : start + self.count * dtype.size].ReinterpretCast(dtype)

    def masks(self, index: int, first: int) -> LocalTensor:
        """The `index`-th bit mask, one bit for each element, behind byte `first` of the scratch."""
        room = mask_bytes(self.count)
        start = first + index * room
        return self.scratch[start : start + room]


def mask_bytes(count: int) -> int:
    """Room of a bit mask."""
    return aligned_bytes(count // 8)


@attrs.frozen(kw_only=True)
class Operator:
    """An elementwise operator on operands of these types.

    sequence: its instructions on a tile; scratch: bytes that it needs for a number of elements.
    """

    name: str
    result: ElementType
    operands: tuple[ElementType, ...]
    sequence: Callable[[Tile], Steps]
    scratch: Callable[[int], int]

    @property
    def smallest(self) -> int:
        return narrowest(self.result, *self.operands)

    def elements(self, tile: Sequence[int]) -> int:
        """Elements of a tile with everything that is added to its rows and its end."""
        rows = int(np.prod(tile[:-1], dtype=np.int64))
        return align(rows * pitch_of(tile[-1], self.smallest), WHOLE)

    def buffers(self, shapes: Sequence[Shape], tile: Sequence[int]) -> dict[str, int]:
        """Bytes of every buffer of the kernel, in the order in which they are made."""
        count = self.elements(tile)
        full = tuple(max(dims) for dims in zip(*shapes, strict=True))
        needs: dict[str, int] = {}
        for i, (dtype, shape) in enumerate(zip(self.operands, shapes, strict=True)):
            own = self.elements(tuple(1 if d == 1 else t for d, t in zip(shape, tile, strict=True)))
            needs[f"src{i}"] = aligned_bytes(own * dtype.size)
            if shape != full:
                needs[f"src{i} spread"] = aligned_bytes(count * dtype.size)
        needs["dst"] = aligned_bytes(count * self.result.size)
        needs["scratch"] = aligned_bytes(max(self.scratch(count), BLOCK_BYTES))
        return needs


def padded(shape: Sequence[int], rank: int) -> Shape:
    """The shape with axes of size 1 in front."""
    return (1,) * (rank - len(shape)) + tuple(shape)


def fitted(shape: Sequence[int], tile: Sequence[int]) -> Shape:
    """The tile, no longer than the tensor along any axis."""
    return tuple(min(t, d) for t, d in zip(tile, shape, strict=True))


def run_elementwise(
    npu: NPU, operator: Operator, operands: Sequence[NDArray[Any]], tile: Sequence[int] | None
) -> tuple[NDArray[Any], Report | None]:
    """The operator on arrays of equal rank; the result has their broadcast shape. tile: None takes what fits.

    No report where nothing was launched: an empty result, or `SHAPES_ONLY`. Raises KernelError `ub-capacity` when the
    tile's buffers do not fit.
    """
    shapes = [a.shape for a in operands]
    full = tuple(max(dims) for dims in zip(*shapes, strict=True))
    if 0 in full:
        return np.zeros(full, operator.result.carrier), None
    chosen = choose_tile(npu, operator, shapes, tile)
    if SHAPES_ONLY.get():
        return np.zeros(full, operator.result.carrier), None
    result = np.empty(full, operator.result.carrier)
    report = npu.launch(
        named(operator.name, elementwise_kernel),
        min(npu.product.vector_cores, sum(1 for _ in pieces(full, chosen))),
        operator,
        chosen,
        tuple(shapes),
        result.reshape(-1),
        *(a.reshape(-1) for a in operands),
    )
    return result, report


def choose_tile(npu: NPU, operator: Operator, shapes: Sequence[Shape], tile: Sequence[int] | None) -> Shape:
    """The given tile, cut to the tensor and checked; without one, the largest that fits."""
    full = tuple(max(dims) for dims in zip(*shapes, strict=True))

    def needs(candidate: Shape) -> Mapping[str, int]:
        return operator.buffers(shapes, candidate)

    if tile is None:
        room = npu.product.ub_bytes
        best = largest_tile(full, lambda t: sum(needs(t).values()) <= room, BLOCK_BYTES // operator.smallest)
        tile = best if best is not None else full
    chosen = fitted(full, tile)
    require_capacity(operator.name, npu.product, chosen, needs, BLOCK_BYTES // operator.smallest)
    return chosen


def elementwise_kernel(operator: Operator, tile: Shape, shapes: Sequence[Shape], result: Any, *operands: Any) -> None:
    """The kernel of every elementwise operator: block b takes tiles b, b + blocks, ..."""
    full = tuple(max(dims) for dims in zip(*shapes, strict=True))
    kernel = _Blocks(operator, tile, shapes, result, operands)
    for number, piece in enumerate(pieces(full, tile)):
        if number % GetBlockNum() == GetBlockIdx():
            kernel.run(piece)


class _Blocks:
    """The buffers of one block, and what it does with a tile."""

    def __init__(
        self, operator: Operator, tile: Shape, shapes: Sequence[Shape], result: Any, operands: Sequence[Any]
    ) -> None:
        self.operator, self.shapes = operator, shapes
        self.full = tuple(max(dims) for dims in zip(*shapes, strict=True))
        self.product = current_run().product
        needs = operator.buffers(shapes, tile)
        pipe = TPipe()
        self.ins, self.spread, self.gm = [], [], []
        for i, (dtype, address) in enumerate(zip(operator.operands, operands, strict=True)):
            queue = TQue(TPosition.VECIN, 1)
            pipe.InitBuffer(queue, 1, needs[f"src{i}"])
            self.ins.append(queue)
            spread = TBuf() if f"src{i} spread" in needs else None
            if spread is not None:
                pipe.InitBuffer(spread, needs[f"src{i} spread"])
            self.spread.append(spread)
            gm = GlobalTensor(dtype)
            gm.SetGlobalBuffer(address)
            self.gm.append(gm)
        self.out, self.scratch = TQue(TPosition.VECOUT, 1), TBuf()
        pipe.InitBuffer(self.out, 1, needs["dst"])
        pipe.InitBuffer(self.scratch, needs["scratch"])
        self.result = GlobalTensor(operator.result)
        self.result.SetGlobalBuffer(result)

    def run(self, piece: Piece) -> None:
        operator = self.operator
        pitch = pitch_of(piece.extents[-1], operator.smallest)
        used = piece.rows * pitch
        count = align(used, WHOLE)
        taken = []
        for queue, gm, shape in zip(self.ins, self.gm, self.shapes, strict=True):
            part = piece.of(shape)
            groups = rows_of(part, shape)
            tensor = queue.AllocTensor(gm.dtype)
            load(tensor, gm, groups, pitch_of(part.extents[-1], operator.smallest))
            queue.EnQue(tensor)
        sources = []
        for queue, spread, gm, shape in zip(self.ins, self.spread, self.gm, self.shapes, strict=True):
            tensor = queue.DeQue(gm.dtype)
            taken.append((queue, tensor))
            if spread is not None:
                wide = spread.Get(gm.dtype)
                self._steps(expand(wide, tensor, piece, shape, operator.smallest))
                tensor = wide
            else:
                self._steps(fill_gaps(tensor, piece, pitch))
            self._steps(fill(tensor, used, count))
            sources.append(tensor[:count])
        dst = self.out.AllocTensor(operator.result)
        tile = Tile(self.product, count, dst[:count], tuple(sources), self.scratch.Get(uint8_t))
        self._steps(operator.sequence(tile))
        self.out.EnQue(dst)
        for queue, tensor in taken:
            queue.FreeTensor(tensor)
        dst = self.out.DeQue(operator.result)
        store(self.result, dst, rows_of(piece, self.full), pitch)
        self.out.FreeTensor(dst)

    def _steps(self, steps: Steps) -> None:
        for _ in steps:
            if self.product.arch is not Arch.A3510:
                PipeBarrier(PIPE_V)


def fill(tensor: LocalTensor, start: int, stop: int) -> Steps:
    """Ones in elements start..stop, so that nothing undefined is computed with; on A2 and A3 bytes go in pairs."""
    if stop <= start:
        return
    part = tensor[start:stop]
    if part.dtype.size == 1:
        Duplicate(part.ReinterpretCast(int16_t), 0x0101, (stop - start) // 2)
    else:
        Duplicate(part, 1, stop - start)
    yield


def fill_gaps(tensor: LocalTensor, piece: Piece, pitch: int) -> Steps:
    """Ones in the blocks between the rows: an operand that is wider than the narrowest one has some."""
    dtype = tensor.dtype
    taken = align(piece.extents[-1], dtype.per_block)
    if taken >= pitch:
        return
    blocks = pitch * dtype.size // BLOCK_BYTES
    for row in range(0, piece.rows, MAX_REPEAT):
        repeats = min(MAX_REPEAT, piece.rows - row)
        Duplicate(tensor[row * pitch + taken :], 1, pitch - taken, repeats, 1, blocks)
        yield


_BITS = {1: uint8_t, 2: uint16_t, 4: uint32_t, 8: uint64_t}


def expand(wide: LocalTensor, source: LocalTensor, piece: Piece, shape: Shape, smallest: int) -> Steps:
    """An operand with axes of size 1, spread to the full tile.

    A row that lies in several places is copied there; the one element of a row is read by the scalar unit and spread.
    """
    part = piece.of(shape)
    pitch, own = pitch_of(piece.extents[-1], smallest), pitch_of(part.extents[-1], smallest)
    rows = np.broadcast_to(np.arange(part.rows).reshape(part.extents[:-1]), piece.extents[:-1]).reshape(-1)
    if part.extents[-1] == piece.extents[-1]:
        yield from fill_gaps(source, part, own)
        for row, origin in enumerate(rows):
            DataCopy(wide[row * pitch :], source[int(origin) * own :], pitch)
            yield
        return
    SetFlag(HardEvent.MTE2_S, EVENT_ID0)
    WaitFlag(HardEvent.MTE2_S, EVENT_ID0)
    codes = source.ReinterpretCast(_BITS[source.dtype.size])
    values = [int(codes.GetValue(row * own)) for row in range(part.rows)]
    SetFlag(HardEvent.S_MTE2, EVENT_ID0)
    WaitFlag(HardEvent.S_MTE2, EVENT_ID0)
    for row, origin in enumerate(rows):
        yield from _fill_row(wide[row * pitch : (row + 1) * pitch], values[int(origin)])


def _fill_row(row: LocalTensor, code: int) -> Steps:
    size, count = row.dtype.size, row.length
    if size == 1:
        Duplicate(row.ReinterpretCast(uint16_t), code * 0x0101, count // 2)
    else:
        Duplicate(row.ReinterpretCast(_BITS[size]), code, count)
    yield
