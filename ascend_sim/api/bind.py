"""From a declaration to the function that a kernel calls.

The function is written as source text and compiled, the way attrs writes `__init__`: it has the instruction's real
signature, and a call whose program is cached costs one dictionary look-up. Everything else is in `prepare`.
"""

import sys
from typing import Any

from ascend_sim.api.call import prototypes
from ascend_sim.api.context import RUNNING, current_run
from ascend_sim.api.prepare import prepare
from ascend_sim.api.tensor import LocalTensor
from isa.families import ArgumentKind
from isa.model import Instruction
from isa.params import limits

_SOURCE = """\
def {name}({signature}):
    run = running(None) or current_run()
    frame = caller({depth})
    if mask.__class__ is list:
        mask = tuple(mask)
{before}    try:
        key = (instruction, {key}, is_set_mask or run.machine.mask)
        program = run.programs.get(key)
    except (TypeError, AttributeError):  # no tensor, or something that cannot be a key: prepare explains
        key = program = None
    if program is None:
        program = prepare(
            run, key, instruction, ({tensors},), {{{arguments}}},
            (mask, repeat_time, {strides}), (count, is_set_mask), frame
        )
    run.play(program, frame{values})
"""

_SCALAR_FIRST = """\
    scalar_first = {src}.__class__ is not LocalTensor
    if scalar_first:
        {src}, {scalar} = {scalar}, {src}
"""

_VARIANT = """\
    if {scalar}.__class__ is LocalTensor:
        return variant({tensors}, {scalar}, mask, repeat_time, {strides}, count=count, is_set_mask=is_set_mask)
"""


def bind(instruction: Instruction, depth: int = 1) -> Any:
    """The callable of a lane instruction, with its real signature and a docstring made from the declaration.

    Its type is the call protocol of its family (`signatures`), stated where it is exported. depth: how many frames
    above it the user's call stands.
    """
    family = instruction.family
    tensors = [o.name for o in family.operands]
    strides = list(limits(family.params)) if family.loose_params and family.params else ["repeat_params"]
    scalars = [a.name for a in family.arguments if a.kind is ArgumentKind.SCALAR]
    made_with = [a.name for a in family.arguments if a.kind is not ArgumentKind.SCALAR]
    before = ""
    if family.either_side:
        made_with.append("scalar_first")
        before += _SCALAR_FIRST.format(src=tensors[-1], scalar=scalars[0])
    if instruction.variants:
        before += _VARIANT.format(scalar=scalars[0], tensors=", ".join(tensors), strides=", ".join(strides))
    source = _SOURCE.format(
        name=instruction.name,
        depth=depth,
        signature=", ".join(
            [
                *tensors,
                *(a.name for a in family.arguments if not a.trailing),
                "mask=None",
                "repeat_time=None",
                *(f"{s}=None" for s in strides),
                *(f"{a.name}={a.default!r}" for a in family.arguments if a.trailing),
                "*",
                "count=None",
                "is_set_mask=True",
            ]
        ),
        before=before,
        key=", ".join([*(f"{t}.key" for t in tensors), *made_with, "mask", "repeat_time", *strides, "count"]),
        tensors=", ".join(tensors),
        arguments=", ".join(f"{a!r}: {a}" for a in made_with),
        strides=f"({', '.join(strides)})" if family.loose_params else strides[0],
        values="".join(f", program.scalar({s})" for s in scalars),
    )
    scope: dict[str, Any] = {
        "LocalTensor": LocalTensor,
        "caller": sys._getframe,  # noqa: SLF001  (the only way to a caller's line)
        "current_run": current_run,
        "instruction": instruction,
        "prepare": prepare,
        "running": RUNNING.get,
        "variant": bind(instruction.variants[0], depth + 1) if instruction.variants else None,
    }
    exec(compile(source, f"<ascend_sim {instruction.name}>", "exec"), scope)  # noqa: S102  (our own text)
    function = scope[instruction.name]
    function.__doc__ = documentation(instruction)
    function.__module__ = "ascend_sim"
    return function


def documentation(instruction: Instruction) -> str:
    """What the instruction does, its prototypes, where it exists, where the rule comes from."""
    lines = [instruction.summary, ""]
    for one in instruction.prototypes:
        lines += prototypes(one)
    lines += ["", "Products: " + ", ".join(p.id for p in instruction.types.products())]
    if instruction.model:
        lines += ["", f"Model: {instruction.model}"]
    lines += ["", f"Source: AscendC documentation, {instruction.doc}"]
    return "\n".join(lines)
