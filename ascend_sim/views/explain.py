"""`explain`: what a call would do, without a kernel around it."""

from typing import TYPE_CHECKING, Any

import attrs

from ascend_sim.api import vector
from ascend_sim.api.launch.npu import NPU
from ascend_sim.checks.finding import Finding
from ascend_sim.views.lanemap import LaneMap, lane_map
from isa.dtypes import element_type
from isa.families import ArgumentKind, Shape
from isa.model import ALIASES, RENAMED, TABLE, Instruction
from isa.products import BLOCK_BYTES

if TYPE_CHECKING:
    from isa.dtypes import ElementType


@attrs.frozen
class Explanation:
    """The instruction sequence of a call, the lane map of each vector instruction, and the findings."""

    listing: str
    maps: tuple[LaneMap, ...]
    findings: tuple[Finding, ...]

    def __str__(self) -> str:
        parts = [self.listing, *map(str, self.maps)]
        parts += [f"{f.severity}: {f.code}: {f.message}" for f in self.findings]
        return "\n\n".join(parts)


_SHAPES = (Shape.LANES, Shape.REPEATS, Shape.GATHER, Shape.SCATTER)
_OPERANDS = 8  # TransDataTo5HD has 32, given as two lists


def _is_explained(instruction: Instruction) -> bool:
    family = instruction.family
    return family.shape in _SHAPES and len(family.operands) <= _OPERANDS


def explain(name: str, *, product: str = "ascend910b", scalar: float = 1, **call: Any) -> Explanation:
    """What instruction `name` would do: `explain("Cast", dst=int32_t, src=half, round_mode=..., mask=32, ...)`.

    Give the element type of each tensor operand by its name (one alone stands for all: `dtype=half`), and the other
    arguments as in a call: count, or mask, repeat_time, repeat_params. Runs on a scratch core with operands far apart.
    """
    instruction = RENAMED.get(name) or TABLE.get(ALIASES.get(name, name))
    if instruction is None or not _is_explained(instruction):
        known = sorted(n for n, i in TABLE.items() if _is_explained(i))
        raise ValueError(f"{name!r} is no vector instruction; there are {', '.join(known)}")
    operands = instruction.family.operands
    every = call.pop("dtype", None)
    types: list[ElementType] = []
    for operand in operands:
        dtype = call.pop(operand.name, every)
        if dtype is None:
            raise TypeError(f"explain({name!r}): give the element type of {operand.name}, or dtype= for all operands")
        types.append(element_type(dtype))
    npu = NPU(product, check="record", ub_fill="zero")
    with npu.core() as core:
        room = npu.product.ub_bytes // len(operands) // BLOCK_BYTES * BLOCK_BYTES
        tensors = [
            core.alloc(d, room * 8 // d.bits, addr=i * room, name=o.name)
            for i, (d, o) in enumerate(zip(types, operands, strict=True))
        ]
        for tensor, operand in zip(tensors, operands, strict=True):
            if operand.is_read:
                core.ub.mark(tensor.address, tensor.address + tensor.nbytes)
        leading = [
            call.pop(a.name, scalar if a.kind is ArgumentKind.SCALAR else a.default)
            for a in instruction.family.arguments
            if not a.trailing and not a.keyword and a.name not in instruction.fixed
        ]
        getattr(vector, instruction.name)(*tensors, *leading, **call)
        maps = tuple(lane_map(e) for e in core.trace if e.accesses)
        return Explanation(str(core.trace), maps, tuple(core.findings))
