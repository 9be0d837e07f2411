"""ReduceMax, ReduceMin and ReduceSum: reductions of a whole tensor, programs over reductions of repeats.

Before ascend950 the results of a first round go to the temporary tensor and are reduced again until one is left; the
scalar unit stores it, and follows the indices back through the rounds (spec 01 section 2.9, spec 03 section 6).
"""

import sys
from types import FrameType
from typing import Any

import numpy as np

from ascend_sim.api.calls.bind import documentation
from ascend_sim.api.calls.call import Call, form_of, parse_count, parse_tiled
from ascend_sim.api.calls.composite import Sequence, even_mask, full_mask, low_mask, view
from ascend_sim.api.calls.prepare import find_supported, prepare, recall, refuse_tensor
from ascend_sim.api.context import current_run
from ascend_sim.api.memory.tensor import LocalTensor
from ascend_sim.api.program import Program
from ascend_sim.api.running.run import CoreRun
from ascend_sim.checks import accumulation
from ascend_sim.machine.registers import ALL_LANES, Mask, contiguous_mask
from isa.dtypes import half
from isa.families import Form
from isa.model import Instruction
from isa.params import MaskMode, ReduceOrder, ReduceType
from isa.products import MAX_REPEAT, Arch
from isa.reduce import ACCUMULATE, REDUCE_MAX, REDUCE_MIN, REDUCE_SUM, WHOLE

PAIR = 2  # a maximum of a repeat is a value and its index


def ReduceMax(
    dst: LocalTensor,
    src: LocalTensor,
    shared_tmp_buffer: LocalTensor,
    mask: Any = None,
    repeat_time: Any = None,
    src_rep_stride: Any = None,
    cal_index: bool = False,
    *,
    count: int | None = None,
) -> None:
    _reduce(REDUCE_MAX, dst, src, shared_tmp_buffer, mask, repeat_time, src_rep_stride, cal_index, count, True)


def ReduceMin(
    dst: LocalTensor,
    src: LocalTensor,
    shared_tmp_buffer: LocalTensor,
    mask: Any = None,
    repeat_time: Any = None,
    src_rep_stride: Any = None,
    cal_index: bool = False,
    *,
    count: int | None = None,
) -> None:
    _reduce(REDUCE_MIN, dst, src, shared_tmp_buffer, mask, repeat_time, src_rep_stride, cal_index, count, True)


def ReduceSum(
    dst: LocalTensor,
    src: LocalTensor,
    shared_tmp_buffer: LocalTensor,
    mask: Any = None,
    repeat_time: Any = None,
    src_rep_stride: Any = None,
    *,
    count: int | None = None,
    is_set_mask: bool = True,
) -> None:
    _reduce(REDUCE_SUM, dst, src, shared_tmp_buffer, mask, repeat_time, src_rep_stride, False, count, is_set_mask)


for _function, _instruction in ((ReduceMax, REDUCE_MAX), (ReduceMin, REDUCE_MIN), (ReduceSum, REDUCE_SUM)):
    _function.__doc__ = documentation(_instruction)
    _function.__module__ = "ascend_sim"


def _reduce(
    instruction: Instruction,
    dst: LocalTensor,
    src: LocalTensor,
    tmp: LocalTensor,
    mask: Any,
    repeat: Any,
    stride: Any,
    cal_index: bool,
    count: Any,
    is_set_mask: bool,
) -> None:
    run, frame = current_run(), sys._getframe(2)
    if isinstance(repeat, bool):  # the count form: (count, cal_index)
        repeat, cal_index = None, repeat
    mask = tuple(mask) if isinstance(mask, list) else mask
    tensors, form = (dst, src, tmp), (mask, repeat, stride, cal_index, count, is_set_mask)

    def make() -> Program:
        if run.product.arch is not Arch.A3510:
            return _prepare(run, instruction, tensors, *form, frame)
        arguments, tiled = {"cal_index": bool(cal_index)}, (mask, repeat, (stride,))
        return prepare(run, None, instruction, tensors, arguments, tiled, (count, True), frame)

    run.play(recall(run, (instruction, *tensors, *form, run.mask), make), frame)


def _prepare(
    run: CoreRun,
    instruction: Instruction,
    tensors: tuple[LocalTensor, LocalTensor, LocalTensor],
    mask: Any,
    repeat: Any,
    stride: Any,
    cal_index: bool,
    count: Any,
    is_set_mask: bool,
    frame: FrameType,
) -> Program:
    for operand, tensor in zip(instruction.family.operands, tensors, strict=True):
        if tensor.__class__ is not LocalTensor or tensor.core is not run.machine:
            refuse_tensor(run, instruction, operand.name, tensor)
    types = tuple(t.dtype for t in tensors)
    row = find_supported(run, instruction, types, frame)
    form = form_of(instruction, mask, (repeat, stride), count)
    call = Call(instruction, run.product, types, row, form, {"cal_index": cal_index}, is_set_mask=is_set_mask)
    if form is Form.COUNT:
        parse_count(call, mask if count is None else count)
    else:
        parse_tiled(call, mask, repeat, (stride,), counts=run.machine.control.counts)
    made = _Reduction(run, call, tensors, cal_index=cal_index)
    made.build()
    program = made.steps.program()
    if made.kind is ReduceType.SUM and made.dtype is half:
        program.value_checks = (accumulation.check,)
    return program


class _Reduction:
    """The steps of one call."""

    def __init__(
        self, run: CoreRun, call: Call, tensors: tuple[LocalTensor, LocalTensor, LocalTensor], *, cal_index: bool
    ) -> None:
        self.call, self.cal_index = call, cal_index
        self.dst, self.src, self.tmp = tensors
        self.steps = Sequence(run, call.instruction.name, call.form, self._inner())
        self.steps.violations += call.violations
        self.dtype = self.src.dtype
        self.width = 2048 // self.dtype.bits
        self.kind: ReduceType = {"ReduceMax": ReduceType.MAX, "ReduceMin": ReduceType.MIN}.get(
            call.instruction.name, ReduceType.SUM
        )
        self.one = WHOLE[self.kind]
        self.per = PAIR if self.kind is not ReduceType.SUM else 1

    def _inner(self) -> dict[str, LocalTensor]:
        """Where intermediate results stand; the temporary tensor may be the source, whose first reads do count."""
        inner = {"dst": self.dst}
        if self.tmp.address != self.src.address:
            inner["shared_tmp_buffer"] = self.tmp
        return inner

    def build(self) -> None:
        call, product = self.call, self.call.product
        if call.form is Form.COUNT and self.kind is ReduceType.SUM and product.arch is Arch.C220:
            self._accumulate()
            return
        repeats = max(call.count // self.width, 1) if call.form is Form.COUNT else call.repeat
        if not self._has_room(repeats):
            return
        if call.form is Form.COUNT:
            self._counted()
        elif call.repeat:
            mask = call.mask
            bits = self.dtype.bits
            stored = contiguous_mask(mask, bits) if isinstance(mask, int) else Mask(mask[1], mask[0])  # type: ignore[index]  # words
            self._whole(self.src, stored, call.repeat, call.strides[0], self.dst)
        else:
            self.steps.report("zero-repeat", "repeat_time=0: the instruction does nothing", "Guard the call.")

    def _has_room(self, repeats: int) -> bool:
        """The sizes that the page gives for the temporary tensor, in elements."""
        block = self.dtype.per_block

        def rounded(n: int) -> int:
            return -(-n // block) * block

        first = rounded(repeats * self.per)
        needed = first
        if self.cal_index:
            second = -(-repeats * PAIR // self.width) * PAIR
            needed = first + rounded(second)
            if second > PAIR:
                needed += rounded(-(-second // self.width) * PAIR)
            if repeats == 1:
                needed = 0
        if needed > self.tmp.length and self.tmp.address != self.src.address:
            self.steps.report(
                "temporary-size",
                f"shared_tmp_buffer has {self.tmp.length} elements, {repeats} repeats of {self.dtype} "
                f"{'with their index ' if self.cal_index else ''}need {needed}",
                f"Make it {needed * self.dtype.size} bytes long, or pass src.",
                operand="shared_tmp_buffer",
                address=self.tmp.address,
                writes=True,
                blocks=True,
            )
            return False
        return True

    def _accumulate(self) -> None:
        """A2: one instruction that adds the repeats up in a register, in order; the scalar unit stores the sum."""
        steps, is_set = self.steps, self.call.is_set_mask
        if is_set and not self.call.count:
            return
        if is_set:
            steps.set_mode(MaskMode.COUNTER)
            steps.set_mask(Mask(0, self.call.count))
        steps.vector(ACCUMULATE, (self.src,), 1, (1, 8))
        dtype = self.dtype

        def store(special: Any, out: Any) -> None:
            out[0, 0] = np.array(special.total, np.uint64).astype(dtype.code).view(dtype.carrier)

        steps.scalar(store, self.dst, 1)
        if is_set:
            steps.set_mode(MaskMode.NORMAL)
            steps.set_mask(ALL_LANES)

    def _counted(self) -> None:
        """Whole repeats, then the tail, then the two results against each other."""
        repeats, tail = divmod(self.call.count, self.width)
        if not self.call.count:
            return
        if not repeats:
            self._whole(self.src, low_mask(tail), 1, 8, self.dst)
            return
        self._whole(self.src, full_mask(self.dtype), repeats, 8, self.dst)
        if not tail:
            return
        kept: dict[str, Any] = {}
        length = PAIR if self.cal_index else 1

        def keep(name: str) -> Any:
            def kernel(source: Any, _special: Any, out: Any) -> None:
                kept[name] = source.copy()
                if name == "tail":
                    out[0, 0], out[0, 1] = kept["body"][0, 0], source[0, 0]
                else:
                    out[...] = source

            return kernel

        self.steps.scalar(keep("body"), self.dst, length, (self.dst, length))
        self._whole(view(self.src, repeats * self.width), low_mask(tail), 1, 8, self.dst)
        self.steps.scalar(keep("tail"), self.tmp, PAIR, (self.dst, length))
        self._whole(self.tmp, low_mask(PAIR), 1, 8, self.dst)
        if self.cal_index:
            code = self.dtype.code
            base = repeats * self.width

            def choose(source: Any, _special: Any, out: Any) -> None:
                last = int(source.view(code)[0, 1])
                index = base + int(kept["tail"].view(code)[0, 1]) if last == 1 else int(kept["body"].view(code)[0, 1])
                out[...] = source
                out.view(code)[0, 1] = index & np.iinfo(code).max

            self.steps.scalar(choose, self.dst, PAIR, (self.dst, PAIR))

    def _step(self, dst: LocalTensor, src: LocalTensor, mask: Mask, repeats: int, stride: int = 8) -> None:
        self.steps.set_mask(mask)
        arguments = {} if self.kind is ReduceType.SUM else {"order": ReduceOrder.ORDER_VALUE_INDEX}
        self.steps.vector(self.one, (dst, src), repeats, (1, 1, stride), arguments)

    def _first_round(self, src: LocalTensor, mask: Mask, repeats: int, stride: int) -> None:
        for done in range(0, repeats, MAX_REPEAT):
            part = min(MAX_REPEAT, repeats - done)
            self._step(
                view(self.tmp, done * self.per), view(src, done * stride * self.dtype.per_block), mask, part, stride
            )

    def _whole(self, src: LocalTensor, mask: Mask, repeats: int, stride: int, dst: LocalTensor) -> None:
        if repeats == 1 and self.cal_index:
            self._step(dst, src, mask, 1, stride)
            return
        self._first_round(src, mask, repeats, stride)
        if repeats == 1:
            self._copy(dst, self.tmp)
        elif self.kind is ReduceType.SUM:
            self._sum_rounds(repeats, dst)
        elif self.cal_index:
            self._index_rounds(repeats, stride, dst)
        else:
            count = self._again(repeats * PAIR, 0, 0)
            if count > self.width:
                count = self._again(count, 0, 0)
            self._step(self.tmp, self.tmp, even_mask(count // PAIR), 1)
            self._copy(dst, self.tmp)

    def _copy(self, dst: LocalTensor, src: LocalTensor) -> None:
        def kernel(source: Any, _special: Any, out: Any) -> None:
            out[...] = source

        self.steps.scalar(kernel, dst, 1, (src, 1))

    def _sum_rounds(self, repeats: int, dst: LocalTensor) -> None:
        steps, results = self.steps, -(-repeats // self.width)
        if self.call.product.arch is Arch.C220:
            steps.set_mode(MaskMode.COUNTER)
            self._step(self.tmp, self.tmp, Mask(0, repeats), 1)
            steps.set_mode(MaskMode.NORMAL)
        else:
            whole, rest = divmod(repeats, self.width)
            if whole:
                self._step(self.tmp, self.tmp, full_mask(self.dtype), whole)
            if rest:
                self._step(view(self.tmp, whole), view(self.tmp, whole * self.width), low_mask(rest), 1)
        if results == 1:
            self._copy(dst, self.tmp)
        else:
            self._step(dst, self.tmp, low_mask(results), 1)

    def _again(self, count: int, start: int, to: int) -> int:
        """Reduce `count` elements of pairs at `start` of the temporary tensor; the number of elements that result."""
        whole, rest = divmod(count, self.width)
        if whole:
            self._step(view(self.tmp, to), view(self.tmp, start), even_mask(self.width // PAIR), whole)
        if rest:
            self._step(
                view(self.tmp, to + whole * PAIR),
                view(self.tmp, start + whole * self.width),
                even_mask(rest // PAIR),
                1,
            )
        return (whole + bool(rest)) * PAIR

    def _index_rounds(self, repeats: int, stride: int, dst: LocalTensor) -> None:
        """Each round in a place of its own, so that the indices can be followed back."""
        block = self.dtype.per_block
        starts, counts = [0], [repeats * PAIR]
        while counts[-1] > PAIR:
            start = -(-(starts[-1] + counts[-1]) // block) * block
            counts.append(self._again(counts[-1], starts[-1], start))
            starts.append(start)
        code, width = self.dtype.code, self.width
        per_repeat = stride * block

        def follow(source: Any, _special: Any, out: Any) -> None:
            words = source.view(code)[0]
            group = 0
            for start in reversed(starts):
                at = start + group * PAIR
                index = int(words[at + 1])
                if start == 0:
                    break
                group = (group * width + index) // PAIR
            out[0, 0] = source[0, starts[-1]]
            out.view(code)[0, 1] = (index + per_repeat * group) & np.iinfo(code).max

        self.steps.scalar(follow, dst, PAIR, (self.tmp, starts[-1] + PAIR))
