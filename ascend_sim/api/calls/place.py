"""A vector instruction of a lowered call, and how it is placed on tensors: calls alike share everything but that."""

from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from ascend_sim.api.calls.call import Call
from ascend_sim.api.memory.tensor import LocalTensor
from ascend_sim.machine.geometry import Geometry, geometries
from ascend_sim.machine.indexed import with_tables
from ascend_sim.machine.issue import Access, Issue, Space
from ascend_sim.machine.registers import Control, Mask
from ascend_sim.machine.walk import Cover, Indexed, Lanes, Walk
from isa.families import Form, Pipe, Shape
from isa.model import Instruction, Types
from isa.products import CountForm, Product

_UB, _V = Space.UB, Pipe.V  # members of an enum are slow to look up
_TABLES = (Shape.GATHER, Shape.SCATTER)


@attrs.frozen
class VectorStep:
    """One vector instruction, not yet placed: its lanes and strides, and the registers that it runs under.

    first: repeats that its operands start behind the tensors; geometry: how each operand walks, once the types are
    known.
    """

    lanes: Lanes
    strides: tuple[int, ...]
    mask: Mask | None
    control: Control
    first: int = 0
    geometry: tuple[Geometry, ...] = ()

    def shaped(
        self, instruction: Instruction, product: Product, types: Types, arguments: Mapping[str, Any]
    ) -> "VectorStep":
        """The step with its geometry."""
        fills = product.count_form is CountForm.REGISTER_LOOP
        made = geometries(instruction.family, types, arguments, self.strides, self.lanes, fills_results=fills)
        return attrs.evolve(self, geometry=made)


def with_geometry(call: Call, steps: "Sequence[Issue | VectorStep]") -> "list[Issue | VectorStep]":
    """The steps of a call, ready to be placed."""
    shape = (call.instruction, call.product, call.types, call.arguments)
    return [s.shaped(*shape) if isinstance(s, VectorStep) else s for s in steps]


def place(
    instruction: Instruction, form: Form, arguments: dict[str, Any], step: VectorStep, tensors: Sequence[LocalTensor]
) -> Issue:
    """A vector instruction on these tensors."""
    accesses = []
    first, family = step.first, instruction.family
    for operand, tensor, shape in zip(family.operands, tensors, step.geometry, strict=True):
        start, nbytes = tensor.address, tensor.length * tensor.dtype.bits >> 3
        if shape.cover is None:
            walk, cover = Walk(start, shape.block_stride, shape.repeat_stride, shape.dtype.bits), _all_of(start, nbytes)
        else:
            if first:
                skipped = first * shape.repeat_stride
                start, nbytes = start + skipped, nbytes - skipped
            walk = Walk(start, shape.block_stride, shape.repeat_stride, shape.dtype.bits)
            cover = shape.cover.moved(start)
        lanes = shape.lanes or _UNKNOWN
        accesses.append(
            Access(operand, _UB, shape.dtype, start, nbytes, tensor.root.address, walk, lanes, cover, shape.alignment)
        )
    found = tuple(accesses)
    if family.shape in _TABLES:
        found = with_tables(family.shape, found, arguments, tensors[0].core.ub)
    return Issue(instruction, form, _V, found, step.lanes, None, arguments, mask=step.mask, control=step.control)


def _all_of(start: int, nbytes: int) -> Cover:
    return Cover(start, start + max(nbytes, 0), solid=True)


def _nowhere() -> Any:
    raise AssertionError("an operand whose addresses stand in memory needs its table")


_UNKNOWN = Indexed(_nowhere)
