"""From a declaration to the function that a kernel calls.

The function is written as source text and compiled, the way attrs writes `__init__`: it has the instruction's real
signature, and a call whose program is cached costs one dictionary look-up. Everything else is in `prepare`.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from types import CodeType
from typing import Any

from ascend_sim.api.calls.call import WRITTEN, prototypes
from ascend_sim.api.calls.prepare import prepare
from ascend_sim.api.context import RUNNING, current_run
from ascend_sim.api.memory.tensor import LocalTensor
from ascend_sim.api.numbers import PLAIN, number
from isa.families import REPEATS_ALONE, ArgumentKind, Form
from isa.model import Instruction
from isa.params import limits

_SOURCE = """\
def call({signature}):
    run = running(None) or current_run()
    frame = caller({depth})
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

_WORDS = """\
    if mask.__class__ is list:
        mask = tuple(mask)
"""

_SCALAR_FIRST = """\
    scalar_first = {src}.__class__ is not LocalTensor
    if scalar_first:
        {src}, {scalar} = {scalar}, {src}
"""

_VARIANT = """\
    if {scalar}.__class__ is LocalTensor:
        return variant({given})
"""


def bind(instruction: Instruction, depth: int = 1) -> Any:
    """The callable of a lane instruction, with its real signature and a docstring made from the declaration.

    Its type is the call protocol of its family (`signatures`), stated where it is exported. depth: how many frames
    above it the user's call stands.
    """
    family = instruction.family
    tensors = [o.name for o in family.operands]
    strides = list(limits(family.params)) if family.loose_params and family.params else ["repeat_params"]
    arguments = [a for a in family.arguments if a.name not in instruction.fixed]
    scalars = [a.name for a in arguments if a.kind is ArgumentKind.SCALAR]
    made_with = [a.name for a in arguments if a.kind is not ArgumentKind.SCALAR]
    parameters = _parameters(instruction, strides)
    before = _WORDS if "mask" in parameters else ""
    if family.either_side:
        made_with.append("scalar_first")
        before += _SCALAR_FIRST.format(src=tensors[-1], scalar=scalars[0])
    if instruction.variants and scalars:
        given = ", ".join(f"{n}={n}" if n in _KEYWORDS else n for n in parameters)
        before += _VARIANT.format(scalar=scalars[0], given=given)
    parts = [*(f"{t}.key" for t in tensors), *made_with, "mask", "repeat_time", *strides, "count"]
    source = _SOURCE.format(
        depth=depth,
        signature=_signature(parameters, {*_KEYWORDS, *(a.name for a in arguments if a.keyword)}),
        before=before,
        key=", ".join(parts),
        tensors=", ".join(tensors),
        arguments=", ".join(f"{a!r}: {a}" for a in made_with),
        strides=f"({', '.join(strides)},)" if family.loose_params else strides[0],
        values="".join(
            f", (program.scalar({s} if {s}.__class__ in plain else number({s}, name + ': {s}')),)" for s in scalars
        ),
    )
    scope: dict[str, Any] = {
        "LocalTensor": LocalTensor,
        "caller": sys._getframe,
        "current_run": current_run,
        "instruction": instruction,
        "name": instruction.name,
        "number": number,
        "plain": PLAIN,
        "prepare": prepare,
        "running": RUNNING.get,
        "variant": bind(instruction.variants[0], depth + 1) if instruction.variants and scalars else None,
        **_defaults(instruction, parameters),
    }
    exec(_compiled(source), scope)  # noqa: S102  (our own text)
    function = scope["call"]
    function.__code__ = function.__code__.replace(co_name=instruction.name)
    function.__name__ = function.__qualname__ = instruction.name
    function.__doc__ = documentation(instruction)
    function.__module__ = "ascend_sim"
    return function


@cache
def _compiled(source: str) -> CodeType:
    """The instructions of one family share their text, and compiling it is most of the time of an import."""
    return compile(source, "<ascend_sim>", "exec")


_KEYWORDS = ("count", "is_set_mask")


def _signature(parameters: Mapping[str, str], keywords: "set[str]") -> str:
    parts = [f"{name}{default}" for name, default in parameters.items() if name not in keywords]
    named = [f"{name}{default}" for name, default in parameters.items() if name in keywords]
    return ", ".join([*parts, "*", *named] if named else parts)


def _parameters(instruction: Instruction, strides: Sequence[str]) -> dict[str, str]:
    """Names of the parameters in order, each with the text of its default ("" for none)."""
    family = instruction.family
    arguments = [a for a in family.arguments if a.name not in instruction.fixed]
    found = dict.fromkeys([o.name for o in family.operands], "")
    found.update(dict.fromkeys([a.name for a in arguments if not a.trailing and not a.keyword], ""))
    form = ["mask", "repeat_time"]
    if family.repeat_first:
        form.reverse()
    if not family.forms - REPEATS_ALONE:
        form.remove("mask")
    found.update(dict.fromkeys([*form, *(strides if family.params else [])], "=None"))
    found.update({a.name: f"={a.name}_default" for a in arguments if a.trailing})
    found.update({a.name: f"={a.name}_default" for a in arguments if a.keyword})
    if Form.COUNT in family.forms:
        found["count"] = "=None"
    if family.takes_is_set_mask and family.forms - REPEATS_ALONE:
        found["is_set_mask"] = "=True"
    return found


def _defaults(instruction: Instruction, parameters: Mapping[str, str]) -> dict[str, Any]:
    """What the text refers to: default values, and what this instruction has no parameter for."""
    scope: dict[str, Any] = {f"{a.name}_default": a.default for a in instruction.family.arguments}
    absent: dict[str, Any] = {"mask": None, "count": None, "is_set_mask": True, "repeat_params": None}
    return scope | {name: value for name, value in absent.items() if name not in parameters}


def written(function: Callable[..., Any], instruction: Instruction, more: str = "") -> None:
    """Say that `function` was written by hand for `instruction`: its signature is the prototype."""
    WRITTEN[instruction] = function
    function.__doc__ = documentation(instruction) + more
    function.__module__ = "ascend_sim"


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
