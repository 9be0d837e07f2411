"""Calls that are programs over other instructions: each step is an issue of its own, as the listing shows.

A `Sequence` collects the steps of one call on one core. It knows the registers as the steps leave them, so that a step
runs under the mask that an earlier one stored.
"""

from collections.abc import Callable, Mapping
from typing import Any

import attrs

import isa
from ascend_sim.api.calls.lower import set_vector_mask
from ascend_sim.api.calls.place import VectorStep, place
from ascend_sim.api.memory.tensor import LocalTensor
from ascend_sim.api.program import Program, make_kernel, vector_program
from ascend_sim.api.running.run import CoreRun
from ascend_sim.checks.violation import Violation
from ascend_sim.machine.geometry import lane_types
from ascend_sim.machine.issue import Issue
from ascend_sim.machine.ordering import V
from ascend_sim.machine.registers import Control, Mask
from ascend_sim.machine.walk import Lanes, first_lanes, uniform_lanes
from isa.dtypes import ElementType
from isa.families import DST, Family, Form, Operand, Pipe, Role, Shape
from isa.model import Instruction, Timing, anything
from isa.numerics.rules import Kernel
from isa.params import MaskMode
from isa.patterns import tile
from isa.products import PRODUCTS, CountForm

SCALAR_STEP = Instruction(
    name="SetValue",
    family=Family("scalar step", Shape.REPEATS, (DST,), forms=frozenset({Form.CALL}), in_place=True),
    types=anything(*PRODUCTS.values()),
    timing=Timing.STATE,
    doc="",
    summary="the scalar unit reads intermediate results and stores the result",
)


def view(tensor: LocalTensor, offset: int, length: int | None = None) -> LocalTensor:
    """`tensor` from element `offset` on; empty where it has no more elements."""
    left = max(tensor.length - offset, 0)
    part = LocalTensor(
        tensor.dtype,
        tensor.position,
        tensor.address + tensor.dtype.bytes_for(offset),
        left if length is None else min(length, left),
        core=tensor.core,
    )
    part.root = tensor.root  # a slice, made without the bounds check of `tensor[offset:]`
    return part


class Sequence:
    """Steps of one call. inner: tensors, by parameter name, whose contents are the call's own
    intermediate results.
    """

    def __init__(self, run: CoreRun, name: str, form: Form, inner: Mapping[str, LocalTensor] | None = None) -> None:
        self.run, self.name, self.form, self.inner = run, name, form, inner or {}
        self.machine = run.machine
        self.mask: Mask = self.machine.mask
        self.control: Control = self.machine.control
        self.stores_mask = False
        self.issues: list[Issue] = []
        self.kernels: list[Kernel | None] = []
        self.violations: list[Violation] = []

    def report(self, code: str, message: str, hint: str, **place_: Any) -> None:
        self.violations.append(Violation(code=code, message=message, hint=hint, **place_))

    def set_mask(self, mask: Mask) -> None:
        """Store a mask, as SetVectorMask shows it; a register loop has a predicate instead."""
        if self.run.product.count_form is CountForm.REGISTER_LOOP:
            self.mask = mask
            return
        self.mask, self.stores_mask = mask, True
        self._add(set_vector_mask(mask, self.control), None)

    def set_mode(self, mode: MaskMode) -> None:
        """Switch between normal and counter mode."""
        self.control = attrs.evolve(self.control, mode=mode)
        instruction = isa.SET_MASK_COUNT if mode is MaskMode.COUNTER else isa.SET_MASK_NORM
        self._add(Issue(instruction, Form.CALL, Pipe.S, control=self.control), None)

    def lanes(self, width: int, repeats: int) -> Lanes:
        """The lanes that the registers select now."""
        if self.control.counts:
            return first_lanes(width, self.mask.count)
        return uniform_lanes(width, repeats, self.mask.bits & ((1 << width) - 1))

    def vector(
        self,
        instruction: Instruction,
        tensors: tuple[LocalTensor, ...],
        repeats: int,
        strides: tuple[int, ...],
        arguments: Mapping[str, Any] | None = None,
    ) -> None:
        """One vector instruction under the current registers."""
        made_with = {**(arguments or {}), **instruction.fixed}
        types = tuple(t.dtype for t in tensors)
        family, product = instruction.family, self.run.product
        width = 2048 // max(t.bits for t in lane_types(family, types, made_with))
        lanes = self.lanes(width, repeats)
        step = VectorStep(lanes, strides, self.mask, self.control).shaped(instruction, product, types, made_with)
        issue = place(instruction, self.form, made_with, step, tensors)
        arch = product.arch
        self._add(self._unchecked(issue), make_kernel(instruction, types, arch, self.control, made_with))

    def scalar(
        self, kernel: Callable[..., Any], dst: LocalTensor, count: int, *sources: tuple[LocalTensor, int]
    ) -> None:
        """The scalar unit computes `count` elements of dst from the first elements of other tensors:
        `kernel(*sources, special, out)`, each array of shape (1, n).
        """
        operands = [Operand("dst", Role.WRITTEN, tile(count, alignment=-1))]
        operands += [Operand(f"src{i}", Role.READ, tile(n, alignment=-1)) for i, (_, n) in enumerate(sources)]
        family = attrs.evolve(SCALAR_STEP.family, operands=tuple(operands), special=True)
        instruction = attrs.evolve(SCALAR_STEP, family=family)
        tensors = (dst, *(tensor for tensor, _ in sources))
        lanes = uniform_lanes(1, 1, 1)
        types = tuple(t.dtype for t in tensors)
        step = VectorStep(lanes, (1,) * 2 * len(tensors), None, self.control)
        step = step.shaped(instruction, self.run.product, types, {})
        issue = attrs.evolve(place(instruction, Form.CALL, {}, step, tensors), pipe=Pipe.S)
        self._add(self._unchecked(issue), kernel)

    def _unchecked(self, issue: Issue) -> Issue:
        """Reads of intermediate results are not the user's to initialise; they bear the name of their tensor."""
        accesses = []
        for access in issue.accesses:
            for name, tensor in self.inner.items():
                if tensor.address <= access.address < tensor.address + max(tensor.nbytes, 1):
                    operand = attrs.evolve(access.operand, name=name)
                    access = attrs.evolve(access, operand=operand, is_checked=False)  # noqa: PLW2901  (refined)
                    break
            accesses.append(access)
        return attrs.evolve(issue, accesses=tuple(accesses))

    def _add(self, issue: Issue, kernel: Kernel | None) -> None:
        self.issues.append(issue)
        self.kernels.append(kernel)

    def program(self) -> Program:
        """The program of the whole call."""
        made = vector_program(self.name, self.issues, self.kernels, self.violations, self.machine)
        made.pipe = V  # whatever comes first: the waits between its scalar and vector steps are inside the call
        made.mask = self.mask if self.stores_mask else None
        made.control = self.control if self.control != self.machine.control else None
        return made


def full_mask(dtype: ElementType) -> Mask:
    """All lanes of a repeat; the high word stays clear where the type has 64 lanes or fewer."""
    return Mask() if dtype.bits <= 16 else Mask(0, Mask().low)


def low_mask(lanes: int) -> Mask:
    """The first `lanes` lanes."""
    bits = (1 << lanes) - 1
    return Mask(bits >> 64, bits & Mask().low)


def even_mask(lanes: int) -> Mask:
    """Every other lane, `lanes` of them: where values stand in pairs of value and index."""
    bits = sum(1 << 2 * k for k in range(lanes))
    return Mask(bits >> 64, bits & Mask().low)
