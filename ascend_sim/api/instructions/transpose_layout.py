"""The extended Transpose: whole images, channels first to channels last and back, as one instruction.

ascend310p has an instruction that moves one image; the library's program on A2, A3 and ascend950 is a loop of
TransDataTo5HD and DataCopy through shared_tmp_buffer. Both give what the page of Transpose says, so here a call is one
issue with a repeat for each image. Its scratch counts as written, with contents that nobody may read.
"""

from types import FrameType
from typing import Any

from ascend_sim.api.calls.call import Call, refuse
from ascend_sim.api.calls.lower import RUNAWAY
from ascend_sim.api.calls.prepare import find_supported, refuse_tensor
from ascend_sim.api.calls.support import check_choices
from ascend_sim.api.memory.tensor import LocalTensor
from ascend_sim.api.program import Program, make_kernel, vector_program
from ascend_sim.api.running.run import CoreRun
from ascend_sim.checks.violation import Violation
from ascend_sim.machine.issue import Access, Issue, Space
from ascend_sim.machine.memory import ByteState
from ascend_sim.machine.ordering import V
from ascend_sim.machine.walk import Walk, cover_of_lanes, uniform_lanes
from isa.dtypes import ElementType, uint8_t
from isa.families import Form, Pipe
from isa.params import TransposeParamsExt
from isa.products import BLOCK_BYTES, Arch
from isa.tiles import TRANSPOSE_LAYOUT as INSTRUCTION
from isa.transpose_type import TransposeType

SIDE = 16
MOST = 4095


def layout_program(run: CoreRun, tensors: tuple[Any, Any, Any], params: Any, frame: FrameType) -> Program | None:
    """What a call of the extended prototype does: a program, or None for the plain 16 x 16 transposition.

    Source: page of Transpose; which transpose_type and types a product has, and the ranges of the sizes.
    """
    for operand, tensor in zip(INSTRUCTION.family.operands, tensors, strict=True):
        if tensor.__class__ is not LocalTensor or tensor.core is not run.machine:
            refuse_tensor(run, INSTRUCTION, operand.name, tensor)
    shape = TransposeParamsExt(*params) if isinstance(params, tuple) else params
    if not isinstance(shape, TransposeParamsExt) or not isinstance(shape.transpose_type, TransposeType):
        raise refuse(INSTRUCTION, f"transpose_params is a TransposeParamsExt or a tuple in its order, not {params!r}")
    product = run.product
    if product not in INSTRUCTION.types.products():
        problem = Violation(
            code="unsupported-form",
            message=f"{product.id} has no prototype with transpose_params",
            hint="It has Transpose(dst, src) of a 16 x 16 tile.",
        )
        run.reporter.refuse(problem, INSTRUCTION.name, frame)
    types = tuple(t.dtype for t in tensors)
    row = find_supported(run, INSTRUCTION, types, frame)
    arguments = {"transpose_type": shape.transpose_type}
    refusal = check_choices(INSTRUCTION, product, row, arguments)
    if refusal is not None:
        run.reporter.refuse(refusal, INSTRUCTION.name, frame)
    call = Call(INSTRUCTION, product, types, row, Form.REPEATS, arguments)
    if shape.transpose_type is TransposeType.TRANSPOSE_TYPE_NONE:
        return _nothing(run, call)
    if shape.transpose_type is TransposeType.TRANSPOSE_ND2ND_B16:
        if (shape.h_size, shape.w_size) == (SIDE, SIDE):
            return None
        call.report(
            "field-range",
            f"h_size={shape.h_size}, w_size={shape.w_size}: TRANSPOSE_ND2ND_B16 is 16 x 16, anything else does nothing",
            "Set both to 16.",
        )
        return _nothing(run, call)
    return _images(run, call, tensors, shape)


def _nothing(run: CoreRun, call: Call) -> Program:
    program = vector_program(INSTRUCTION.name, (), (), call.violations, run.machine)
    program.pipe = V
    return program


def _images(run: CoreRun, call: Call, tensors: tuple[LocalTensor, ...], shape: TransposeParamsExt) -> Program:
    dst, src, tmp = tensors
    channels, pixels = shape.c_size, shape.h_size * shape.w_size
    if not shape.n_size * channels * pixels:
        call.report("zero-repeat", "a size is 0: the instruction does nothing", "Guard the call.")
        return _nothing(run, call)
    size = dst.dtype.size
    for name, value in (("c_size", channels), ("h_size * w_size", pixels)):
        if value > MOST:
            call.report("field-range", f"{name}={value} is outside 0..{MOST}", "Split the images.", blocks=True)
    if pixels * size % BLOCK_BYTES:
        call.report(
            "field-range",
            f"h_size * w_size={pixels} elements of {dst.dtype} are {pixels * size} bytes, not a multiple of "
            f"{BLOCK_BYTES}",
            "Pad the images to whole blocks.",
            blocks=True,
        )
    needed = scratch_bytes(run.product.arch, dst.dtype, channels, shape.transpose_type)
    if tmp.nbytes < needed:
        call.report(
            "temporary-size",
            f"shared_tmp_buffer has {tmp.nbytes} bytes, {channels} channels of {dst.dtype} need {needed}",
            f"Make it {needed} bytes long.",
            operand="shared_tmp_buffer",
            address=tmp.address,
            writes=True,
            blocks=True,
        )
    if call.violations:
        return _nothing(run, call)  # what the library would do with these is not specified
    used = (dst, src, tmp) if needed else (dst, src)
    _check_apart(call, used, (shape.n_size * channels * pixels * size, needed))
    first = shape.transpose_type is TransposeType.TRANSPOSE_NCHW2NHWC
    rows, columns = (channels, pixels) if first else (pixels, channels)
    carried = uint8_t if dst.dtype.is_nibble else dst.dtype
    width, images = min(channels * pixels, RUNAWAY), min(shape.n_size, RUNAWAY // channels // pixels + 1)
    accesses = [_access(i, tensors[i], carried, width, images) for i in (0, 1)]
    if needed:
        accesses.append(_access(2, tmp, uint8_t, needed, 1))
    issue = Issue(
        INSTRUCTION,
        Form.REPEATS,
        Pipe.V,
        tuple(accesses),
        uniform_lanes(width, images, (1 << width) - 1),
        arguments={**call.arguments, "sizes": (shape.n_size, channels, shape.h_size, shape.w_size)},
        control=run.machine.control,
    )
    made_with = {"rows": rows, "columns": columns}
    kernel = make_kernel(INSTRUCTION, call.types, run.product.arch, run.machine.control, made_with)
    program = vector_program(INSTRUCTION.name, [issue], [kernel], call.violations, run.machine)
    program.marks = tuple(
        (a.cover.low, a.cover.high, ByteState.WRITTEN if a is accesses[0] else ByteState.UNINITIALISED)
        for a in reversed(issue.writes)
    )
    return program


def _check_apart(call: Call, used: tuple[LocalTensor, ...], lengths: tuple[int, int]) -> None:
    """Operands that the general check takes for lane-by-lane reuse, or for two results (page of Transpose)."""
    dst, src, *scratch = used
    shared = [("src", src)] if dst.address == src.address else []
    end = dst.address + min(lengths[0], dst.nbytes)
    shared += [("shared_tmp_buffer", t) for t in scratch if t.address < end and dst.address < t.address + lengths[-1]]
    for name, tensor in shared:
        call.report(
            "overlap",
            f"dst and {name} share UB bytes from 0x{max(dst.address, tensor.address):04X} on, and this prototype "
            "supports no overlap at all",
            "Use another tensor for the result.",
            operand=name,
            address=max(dst.address, tensor.address),
        )


def _access(at: int, tensor: LocalTensor, dtype: ElementType, width: int, repeats: int) -> Access:
    """`repeats` times `width` elements side by side."""
    operand = INSTRUCTION.family.operands[at]
    walk = Walk(tensor.address, BLOCK_BYTES, width * dtype.size, dtype.bits)
    lanes = uniform_lanes(width, repeats, (1 << width) - 1)
    place = (tensor.address, tensor.nbytes, tensor.root.address)
    return Access(operand, Space.UB, dtype, *place, walk, lanes, cover_of_lanes(walk, lanes))


def scratch_bytes(arch: Arch, dtype: ElementType, channels: int, kind: TransposeType) -> int:
    """Bytes of shared_tmp_buffer. Source: page of Transpose, tables of sharedTmpBuffer; ascend310p needs none."""
    if arch is Arch.M200:
        return 0
    tile = (32 if dtype.bits <= 8 else 16) * BLOCK_BYTES
    return (channels + 2 if kind is TransposeType.TRANSPOSE_NCHW2NHWC else 2 * channels + 1) * tile
