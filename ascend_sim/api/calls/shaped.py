"""Calls whose operands do not all have one element for each lane: how they are lowered.

Masks and register writes are those of elementwise instructions (`lower`) wherever the family does not say otherwise.
"""

from collections.abc import Iterator

import attrs

from ascend_sim.api.calls import lower as elementwise
from ascend_sim.api.calls.call import Call
from ascend_sim.api.calls.lower import RUNAWAY, Lowered, set_vector_mask
from ascend_sim.api.calls.place import VectorStep
from ascend_sim.machine.issue import Issue
from ascend_sim.machine.registers import ALL_LANES, Control, Mask, contiguous_mask
from ascend_sim.machine.walk import Lanes, first_lanes, uniform_lanes
from isa.families import CountRule, Form, Pipe
from isa.mask import SET_MASK_NORM
from isa.params import SELMODE, MaskMode, values_of
from isa.products import Arch, CountForm, MaskArgument

COMPARE_CHUNK = 252  # repeats: keeps the packed bits of the next chunk on a 32-byte boundary
REPEAT_BYTES = 256


def lower(call: Call, mask: Mask, control: Control) -> Lowered:
    """The instruction sequence of a call, given the registers before it."""
    family = call.instruction.family
    if call.form is Form.REPEATS:
        made = _plain(call, mask, control)
    elif call.form is Form.COUNT:
        made = _count(call, mask, control)
    elif family.ignores_mask and call.product.mask_argument is MaskArgument.REGISTER:
        made = Lowered([VectorStep(_all_lanes(call, call.repeat), call.strides, mask, control)])
    else:
        made = elementwise.tiled(call, mask, control)
        if family.stores_contiguous and call.product.arch is Arch.A3510 and isinstance(call.mask, int):
            made.mask = contiguous_mask(call.mask, call.narrowest_bits)
    if (
        control.counts
        and family.knows_address
        and call.arguments.get("sel_mode") in _RUNNING_BITS
        and call.form is not Form.COUNT
    ):
        _report_overrun(call)
    return made


_RUNNING_BITS = (SELMODE.VSEL_TENSOR_SCALAR_MODE, SELMODE.VSEL_TENSOR_TENSOR_MODE)


def _report_overrun(call: Call) -> None:
    """Before the register loops, these modes fill scratch under 32 mask bits, which counter mode reads as a count."""
    if call.product.count_form is CountForm.COUNTER:
        call.report(
            "out-of-bounds-write",
            "in counter mode the library's own fill of its scratch runs over 4294967295 elements",
            "Call SetMaskNorm first, or use the count form.",
            writes=True,
            blocks=True,
        )


def _all_lanes(call: Call, repeats: int) -> Lanes:
    return uniform_lanes(call.width, repeats, (1 << call.width) - 1)


def _plain(call: Call, mask: Mask, control: Control) -> Lowered:
    """A number of repeats, no mask; what some leave in the registers (spec 01 section 2.9)."""
    step = VectorStep(_all_lanes(call, call.repeat), call.strides, mask, control)
    if not call.instruction.family.resets_mask or call.product.arch not in (Arch.C220, Arch.M200):
        return Lowered([step])
    if call.product.arch is Arch.C220:
        return Lowered([set_vector_mask(ALL_LANES, control), attrs.evolve(step, mask=ALL_LANES)], mask=ALL_LANES)
    normal = attrs.evolve(control, mode=MaskMode.NORMAL)
    steps: list[Issue | VectorStep] = [Issue(SET_MASK_NORM, Form.CALL, Pipe.S, control=normal)] * control.counts
    steps += [set_vector_mask(ALL_LANES, normal), attrs.evolve(step, mask=ALL_LANES, control=normal)]
    return Lowered(steps, mask=ALL_LANES, control=normal)


def _count(call: Call, mask: Mask, control: Control) -> Lowered:
    rule = call.instruction.family.count_rule
    if rule is CountRule.AT_ONCE:
        count = min(call.count, RUNAWAY)
        lanes = uniform_lanes(count, int(count > 0), (1 << count) - 1)
        return Lowered([VectorStep(lanes, _default_strides(call), None, control)])
    if call.product.count_form is CountForm.REGISTER_LOOP:
        return Lowered([VectorStep(first_lanes(call.width, call.count), _default_strides(call), None, control)])
    if rule is CountRule.WHOLE_REPEATS:
        return Lowered(list(_whole_repeats(call, mask, control)))
    if rule is CountRule.TILED:
        return _as_tiled(call, control)
    made = elementwise.lower(call, mask, control)
    strides = _default_strides(call)
    made.steps = [attrs.evolve(s, strides=strides) if isinstance(s, VectorStep) else s for s in made.steps]
    return made


def _default_strides(call: Call) -> tuple[int, ...]:
    """The defaults of a parameter struct are dense: operands with an element for each lane have one width here.

    Gather and Scatter have 128 lanes of bytes in a repeat, half of what the default stride steps over.
    """
    params = call.instruction.family.params
    strides = values_of(params()) if params is not None else (1,) * len(call.types) + (8,) * len(call.types)
    nbytes = call.width * call.widest.bits // 8
    return strides if nbytes >= REPEAT_BYTES else tuple(s * nbytes // REPEAT_BYTES if s == 8 else s for s in strides)


def _whole_repeats(call: Call, mask: Mask, control: Control) -> Iterator[VectorStep]:
    """Compare: unmasked instructions; the rest that fills no repeat is dropped (spec 01 section 2.10)."""
    source = call.types[-1]
    nbytes = source.bytes_for(call.count)
    repeats, rest = divmod(nbytes, REPEAT_BYTES)
    if rest:
        per = REPEAT_BYTES * 8 // source.bits
        call.report(
            "compare-length",
            f"count={call.count} elements of {source} are {nbytes} bytes, not a multiple of {REPEAT_BYTES}: only the "
            f"first {repeats * per} are compared, the bits of the others keep what they held",
            f"Next legal count: {(repeats + 1) * per}; pad the sources up to it.",
        )
    for done in range(0, min(repeats, RUNAWAY // call.width), COMPARE_CHUNK):
        lanes = _all_lanes(call, min(COMPARE_CHUNK, repeats - done))
        yield VectorStep(lanes, _default_strides(call), mask, control, done)


def _as_tiled(call: Call, control: Control) -> Lowered:
    """Gather: whole repeats, their number wrapped to 8 bits, then the tail under its own mask."""
    repeats, tail = divmod(call.count, call.width)
    steps: list[Issue | VectorStep] = []
    strides, stored = _default_strides(call), None
    parts = [(0, repeats & 0xFF, call.width)] * bool(repeats) + [(repeats, 1, tail)] * bool(tail)
    for first, number, lanes in parts:
        stored = contiguous_mask(lanes, call.narrowest_bits)
        active = uniform_lanes(call.width, number, stored.bits & ((1 << call.width) - 1))
        steps += [set_vector_mask(stored, control), VectorStep(active, strides, stored, control, first)]
    return Lowered(steps, mask=stored)
