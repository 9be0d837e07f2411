"""DataCopy that rearranges: slices of a tensor, ND to NZ on the way in, NZ to ND on the way out.

The library builds these from plain bursts, and so does this: each shows in the listing as the copies it is made of.
"""

import itertools
from collections.abc import Iterator, Sequence
from types import FrameType
from typing import Any

from ascend_sim.api.calls.call import Call, refuse
from ascend_sim.api.calls.prepare import find_supported
from ascend_sim.api.copies.padded import move_in, move_out
from ascend_sim.api.copies.plain import LAYOUTS, prototype_of
from ascend_sim.api.memory.tensor import GlobalTensor, LocalTensor, Tensor
from ascend_sim.api.numbers import is_index
from ascend_sim.api.running.run import CoreRun
from ascend_sim.checks.violation import Violation
from ascend_sim.machine.padding import Padding
from ascend_sim.machine.walk import Bursts
from isa.families import Form
from isa.model import Instruction
from isa.move import ND_TO_NZ, NZ_TO_ND, SLICE_COPY
from isa.params import Nd2NzParams, Nz2NdParamsFull, SliceInfo
from isa.products import BLOCK_BYTES

MAX_DIMENSIONS = 8
STRIP = 16  # columns of one strip in the NZ format


def _call(run: CoreRun, instruction: Instruction, dst: Tensor, src: Tensor, frame: FrameType) -> Call:
    row = find_supported(run, instruction, (dst.dtype, src.dtype), frame)
    return Call(instruction, run.product, (), row, Form.BURSTS, {})


def _plain(length: int, element: int) -> Padding:
    return Padding(0, length, 0, element, b"\0" * element, dummy_is_first=False)


def copy_nd_to_nz(run: CoreRun, dst: Tensor, src: Tensor, params: Nd2NzParams, *, frame: FrameType) -> None:
    """Row x of a matrix is cut into blocks of 32 bytes: block c goes to c * dst_nz_c0_stride + x * dst_nz_n_stride."""
    prototype_of(ND_TO_NZ, dst, src)
    if not isinstance(dst, LocalTensor) or not isinstance(src, GlobalTensor):
        raise refuse(ND_TO_NZ, "the conversion from ND to NZ goes from GM into the Unified Buffer")
    size, p = dst.dtype.size, params
    columns = BLOCK_BYTES // size
    for matrix in range(p.nd_num):
        for block in range(-(-p.d_value // columns)):
            call = _call(run, ND_TO_NZ, dst, src, frame)
            width = min(columns, p.d_value - block * columns) * size
            padding = _plain(width, size)
            to = dst[matrix * p.dst_nz_matrix_stride + block * p.dst_nz_c0_stride * columns :]
            source = src[matrix * p.src_nd_matrix_stride + block * columns :]
            steps = (p.dst_nz_n_stride * BLOCK_BYTES, p.src_d_value * size)
            run.play_copy(move_in(run, call, to, source, padding, p.n_value, *steps), frame, source)


def copy_nz_to_nd(run: CoreRun, dst: Tensor, src: Tensor, params: Nz2NdParamsFull, *, frame: FrameType) -> None:
    """Strip z of a matrix, 16 columns wide, becomes columns 16 z .. 16 z + 15 of a row-major one."""
    prototype_of(NZ_TO_ND, dst, src)
    if not isinstance(src, LocalTensor) or not isinstance(dst, GlobalTensor):
        raise refuse(NZ_TO_ND, "the conversion from NZ to ND goes from the Unified Buffer to GM")
    p, size = params, src.dtype.size
    if p.d_value % STRIP:
        problem = f"d_value={p.d_value} is no multiple of {STRIP}"
        violation = Violation(code="field-range", message=problem, hint="The NZ format has strips of 16 columns.")
        run.reporter.report([violation], "DataCopy", (), frame)
    for matrix in range(p.nd_num):
        for strip in range(p.d_value // STRIP):
            call = _call(run, NZ_TO_ND, dst, src, frame)
            source = src[matrix * p.src_nd_matrix_stride * STRIP * STRIP + strip * p.src_n_stride * STRIP :]
            to = dst[matrix * p.dst_nd_matrix_stride + strip * STRIP :]
            moved = Bursts(p.n_value, STRIP * size)
            run.play_copy(move_out(run, call, to, source, moved, STRIP * size, p.dst_d_stride * size), frame, to)


def copy_slices(
    run: CoreRun,
    dst: Tensor,
    src: Tensor,
    dst_slice_info: Sequence[Any],
    src_slice_info: "Sequence[Any] | None" = None,
    dim_value: int = 1,
    *,
    frame: FrameType,
) -> None:
    """The pieces of a slice of `src`, in order, become the pieces of a slice of `dst`."""
    prototype_of(SLICE_COPY, dst, src)
    if not isinstance(src_slice_info, (list, tuple)):
        raise refuse(SLICE_COPY, f"src_slice_info is a list of SliceInfo as dst_slice_info is, not {src_slice_info!r}")
    to, source = (_dimensions(info, dim_value) for info in (dst_slice_info, src_slice_info))
    if [d.burst_len for d in to] != [d.burst_len for d in source]:
        raise refuse(SLICE_COPY, "burst_len must be the same on both sides")
    if any(d.burst_len != 1 for d in to[1:]):
        raise refuse(SLICE_COPY, "burst_len must be 1 beyond the first dimension")
    length, size = to[0].burst_len * BLOCK_BYTES, dst.dtype.size
    pieces = length // size
    counts = [_pieces(d, pieces if i == 0 else 1) for i, d in enumerate(source)]
    if counts != [_pieces(d, pieces if i == 0 else 1) for i, d in enumerate(to)]:
        raise refuse(SLICE_COPY, "the two slices have different numbers of pieces")
    for at, from_ in zip(_rows(to), _rows(source), strict=True):
        call = _call(run, SLICE_COPY, dst, src, frame)
        step, from_step = (length + d[0].stride * size for d in (to, source))
        if isinstance(dst, LocalTensor) and isinstance(src, GlobalTensor):
            source_part = src[from_:]
            program = move_in(run, call, dst[at:], source_part, _plain(length, size), counts[0], step, from_step)
            run.play_copy(program, frame, source_part)
        elif isinstance(src, LocalTensor) and isinstance(dst, GlobalTensor):
            part = dst[at:]
            program = move_out(run, call, part, src[from_:], Bursts(counts[0], length), from_step, step)
            run.play_copy(program, frame, part)


def _dimensions(info: Sequence[Any], count: int) -> list[SliceInfo]:
    if not is_index(count) or not 1 <= count <= MAX_DIMENSIONS or len(info) != count:
        raise refuse(SLICE_COPY, f"dim_value={count} must be 1..{MAX_DIMENSIONS} and the length of both slice lists")
    for one in info:
        if not isinstance(one, (SliceInfo, tuple)):
            raise refuse(SLICE_COPY, f"a slice list holds SliceInfo, or tuples in its order, not {one!r}")
    return [i if isinstance(i, SliceInfo) else SliceInfo(*i) for i in info]


def _pieces(dimension: SliceInfo, piece: int) -> int:
    """Pieces of `piece` elements with `stride` between them from start to end; the page's equation must hold."""
    extent = dimension.end_index - dimension.start_index + 1
    count, rest = divmod(extent + dimension.stride, piece + dimension.stride)
    if rest or count < 1:
        raise refuse(
            SLICE_COPY,
            f"{extent} elements from {dimension.start_index} to {dimension.end_index} are no whole number of pieces of "
            f"{piece} with {dimension.stride} between them",
        )
    return count


def _rows(dimensions: Sequence[SliceInfo]) -> Iterator[int]:
    """Element offset of the first piece of each innermost row, in order."""
    pitches = [1, *itertools.accumulate((d.shape_value for d in dimensions), lambda a, b: a * b)]
    choices = [range(d.start_index, d.end_index + 1, 1 + d.stride) for d in reversed(dimensions[1:])]
    for indices in itertools.product(*choices):
        outer = sum(i * pitches[k + 1] for k, i in enumerate(reversed(indices)))
        yield dimensions[0].start_index + outer


LAYOUTS.update({Nd2NzParams: copy_nd_to_nz, Nz2NdParamsFull: copy_nz_to_nd, list: copy_slices})
