"""From a parsed call to the machine instructions of the product (spec 01 sections 2.6, 2.9 and 2.10)."""

from collections.abc import Sequence
from functools import lru_cache

import attrs

import isa
from ascend_sim.api.calls.call import Call
from ascend_sim.api.calls.place import VectorStep
from ascend_sim.machine.issue import Issue
from ascend_sim.machine.registers import ALL_LANES, COUNT_BITS, Control, Mask, contiguous_mask
from ascend_sim.machine.walk import Lanes, first_lanes, uniform_lanes
from isa.families import Form, Pipe
from isa.params import MaskMode
from isa.products import BLOCK_BYTES, MAX_REPEAT, Arch, CountForm, MaskArgument, Product


@attrs.define
class Lowered:
    """Register writes and vector instructions in order; what the mask register and the control state hold afterwards
    (None: as before).
    """

    steps: "list[Issue | VectorStep]"
    mask: Mask | None = None
    control: Control | None = None


def lower(call: Call, mask: Mask, control: Control) -> Lowered:
    """The instruction sequence of a call, given the registers before it."""
    if call.form is not Form.COUNT:
        return tiled(call, mask, control)
    match call.product.count_form:
        case CountForm.LOOPS:
            return _loops(call, mask, control)
        case CountForm.COUNTER:
            return _counter(call, mask, control)
        case CountForm.REGISTER_LOOP:
            return Lowered([VectorStep(first_lanes(call.width, call.count), _dense(call), None, control)])


RUNAWAY = 1 << 20
"""Elements that no Unified Buffer holds: what covers them leaves memory and is refused, so more is not laid out."""


def tiled(call: Call, mask: Mask, control: Control) -> Lowered:
    """The forms with a mask, a repeat count and strides."""
    if call.reads_mask_count:
        lanes, stored = first_lanes(call.width, min(control.mask_count, RUNAWAY)), None
    else:
        lanes, stored = _tiled_lanes(call, mask, control)
    seen = control if tiled_forms_count(call.product, control) else attrs.evolve(control, mode=MaskMode.NORMAL)
    step = VectorStep(lanes, call.strides, stored or mask, seen)
    if stored is None or call.product.mask_argument is MaskArgument.BITS_ONLY:
        return Lowered([step], mask=stored)
    return Lowered([set_vector_mask(stored, control), step], mask=stored)


def tiled_forms_count(product: Product, control: Control) -> bool:
    """A tiled form takes the mask as a number of elements: counter mode, which 310B's tiled forms never test."""
    return control.counts and product.arch is not Arch.M300


def _tiled_lanes(call: Call, mask: Mask, control: Control) -> tuple[Lanes, Mask | None]:
    """Active lanes, and the mask that the call leaves in the register (None: it leaves it alone)."""
    width, every = call.width, (1 << call.width) - 1
    argument = call.mask
    counts = tiled_forms_count(call.product, control)
    if call.product.mask_argument is MaskArgument.BITS_ONLY and argument is not None:
        if isinstance(argument, int):
            if counts:
                return _counted(call, argument), None
            return uniform_lanes(width, call.repeat, (1 << min(argument, width)) - 1), None
        words = Mask(argument[1], argument[0])
        if counts:
            return _counted(call, words.count), words if call.instruction.family.stores_count else None
        keeps_register = width == 256 or (call.product.arch is Arch.M300 and call.reads_own_mask)
        return uniform_lanes(width, call.repeat, _join(argument) & every), None if keeps_register else words
    stored = None
    if argument is not None:
        bits = call.narrowest_bits
        stored = contiguous_mask(argument, bits) if isinstance(argument, int) else Mask(argument[1], argument[0])
        mask = stored
    if counts:
        return _counted(call, mask.count), stored
    return uniform_lanes(width, call.repeat, mask.bits & every), stored


def _counted(call: Call, count: int) -> Lanes:
    """Counter mode: the elements of the whole instruction, or of each repeat (spec 01 section 2.8)."""
    count &= COUNT_BITS
    if call.instruction.family.counts_per_repeat:
        count = min(count, RUNAWAY)
        return uniform_lanes(count, call.repeat if count else 0, (1 << count) - 1)
    return first_lanes(call.width, count)


def _join(words: Sequence[int]) -> int:
    return sum(word << 64 * i for i, word in enumerate(words))


def _loops(call: Call, mask: Mask, control: Control) -> Lowered:
    """910: full-mask instructions of at most 255 repeats, the rest of the repeats, a masked tail."""
    repeats, tail = divmod(min(call.count, RUNAWAY), call.width)
    every, strides = (1 << call.width) - 1, _dense(call)
    chunks = [MAX_REPEAT] * (repeats // MAX_REPEAT) + [repeats % MAX_REPEAT] * bool(repeats % MAX_REPEAT)
    steps: list[Issue | VectorStep] = []
    current = None if call.is_set_mask else mask
    done = 0
    for part, lanes_mask in [*((n, ALL_LANES) for n in chunks), *([(1, None)] if tail else [])]:
        wanted = lanes_mask or contiguous_mask(tail, call.narrowest_bits)
        if call.is_set_mask and current != wanted:
            current = wanted
            steps.append(set_vector_mask(wanted, control))
        lanes = uniform_lanes(call.width, part, (current or mask).bits & every)
        steps.append(VectorStep(lanes, strides, current, control, first=done))
        done += part
    return Lowered(steps, mask=current if call.is_set_mask else None)


def _counter(call: Call, mask: Mask, control: Control) -> Lowered:
    """310P, A2 and A3: one instruction in counter mode. With is_set_mask=False the registers stay, count is ignored."""
    strides = _dense(call)
    if not call.is_set_mask:
        lanes = uniform_lanes(call.width, 1, mask.bits & ((1 << call.width) - 1))
        if control.counts:
            lanes = first_lanes(call.width, mask.count)
        return Lowered([VectorStep(lanes, strides, mask, control)])
    counting = attrs.evolve(control, mode=MaskMode.COUNTER)
    normal = attrs.evolve(control, mode=MaskMode.NORMAL)
    count = Mask(0, call.count)
    return Lowered(
        [
            Issue(isa.SET_MASK_COUNT, Form.CALL, Pipe.S, control=counting),
            set_vector_mask(count, counting),
            VectorStep(first_lanes(call.width, call.count), strides, count, counting),
            Issue(isa.SET_MASK_NORM, Form.CALL, Pipe.S, control=normal),
            set_vector_mask(ALL_LANES, normal),
        ],
        mask=ALL_LANES,
        control=normal,
    )


@lru_cache(maxsize=1024)
def set_vector_mask(mask: Mask, control: Control) -> Issue:
    """The register write that the listing shows as SetVectorMask."""
    return Issue(isa.SET_VECTOR_MASK, Form.CALL, Pipe.S, mask=mask, control=control)


def _dense(call: Call) -> tuple[int, ...]:
    """Block strides of 1 and repeat strides that leave no hole, one for each operand."""
    return (1,) * len(call.types) + tuple(call.width * t.bits // 8 // BLOCK_BYTES for t in call.types)
