"""Which calls are refused, and why: the error codes of random calls against the rules, worked out byte by byte."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings, strategies as st

from tests.properties.operations import ALL
from tests.properties.programs import call, forms_of, prepared, random_program
from tests.reference import MASK_IN_REGISTER, Machine, Registers, lanes_per_repeat

ACCUMULATING = {"half", "int32_t", "float32"}


class Watched(Machine):
    """Keeps, for each machine instruction and each of its repeats, the active lanes and the bytes of every operand."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.issues = []

    def _issue(self, lane, operands, *, counter, low, high, repeats):
        lanes = lanes_per_repeat(operands)
        steps = list(self._active(lanes, counter=counter, low=low, high=high, repeats=repeats))
        self.issues.append([(active, [bytes_of(o, r, active) for o in operands]) for r, active in enumerate(steps)])
        super()._issue(lane, operands, counter=counter, low=low, high=high, repeats=repeats)


def bytes_of(operand, repeat, active):
    size = max(operand.bits // 8, 1)
    starts = (operand.place(repeat, lane)[0] for lane in active)
    return {start + i for start in starts for i in range(size)}


def watched(program):
    machine = Watched(program.product, program.image, Registers(*vars(program.start).values()))
    operation = program.operation
    if program.is_count:
        machine.count(operation.lane, program.operands, program.mask, is_set_mask=program.is_set_mask)
    else:
        keywords = {"is_set_mask": program.is_set_mask, "is_cast": operation.is_cast}
        machine.tiled(operation.lane, program.operands, program.mask, program.repeats, **keywords)
    return machine.issues


def is_normal(program):
    """The call does not run in counter mode; 310B never looks at the mode."""
    return program.product == "ascend310b" or not program.start.counter


def overlaps(program, issue, source):
    """Rules 2 to 4 of spec 01 section 5.1, for one source of one instruction.

    Conversions in place have rules of their own (sections 5.2 and 5.4) and do not occur here.
    """
    destination, operand = program.operands[0], program.operands[source]
    dtypes = program.operation.types
    no_stride = 0 in (destination.repeat_stride, operand.repeat_stride)
    accumulates = program.operation.call.__name__ == "Add" and source == 2 and dtypes[0].name in ACCUMULATING
    earlier = set()
    for _, places in issue:
        read, written = places[source], places[0]
        if read & written and read != written:
            return True
        if read & earlier and not (accumulates and no_stride and not program.is_count):
            return True
        earlier |= written
    return False


def expected_errors(program):
    issues = watched(program)
    errors = set()
    for index, (operand, dtype) in enumerate(zip(program.operands, program.operation.types, strict=True)):
        inside = range(operand.address, operand.address + dtype.bytes_for(program.length))
        touched = {byte for issue in issues for _, places in issue for byte in places[index]}
        if any(byte not in inside for byte in touched):
            errors.add("out-of-bounds-read" if index else "out-of-bounds-write")
    sources = range(1, len(program.operands))
    if any(overlaps(program, issue, source) for issue in issues for source in sources):
        errors.add("overlap")
    destination = program.operands[0]
    per_block = 256 // destination.bits
    blocks = [{lane // per_block for lane in active} for issue in issues for active, _ in issue]
    if not program.is_count and destination.block_stride == 0 and any(len(b) > 1 for b in blocks):
        errors.add("dst-block-stride-zero")
    if not program.is_count and is_normal(program):
        if program.repeats > 255:
            errors.add("repeat-range")
        reads_it = program.is_set_mask or program.product == "ascend310b"
        if isinstance(program.mask, int) and reads_it and program.mask > lanes_per_repeat(program.operands):
            errors.add("mask-range")
    return errors


def is_decided(program):
    """Not: no active lane on products that may refuse it, which the tests of `mask-range` look at."""
    active = [lane for issue in watched(program) for lanes, _ in issue for lane in lanes]
    return bool(active) or program.product not in MASK_IN_REGISTER


def found_errors(program):
    with prepared(program, "record", written=True) as (core, _, tensors):
        call(program, tensors)
        return {finding.code for finding in core.findings if finding.severity == "error"}


def drawn(rng, product=None, form=None):
    """A random program; the source of a conversion is moved out of the way of its destination."""
    program = random_program(rng, product, form)
    if not program.operation.is_cast:
        return program
    first, second = program.operands
    return program._replace(operands=(first, replace(second, address=second.address + (1 << 15))))


def assert_error_codes(program):
    if is_decided(program):
        found, expected = found_errors(program), expected_errors(program)
        if found != expected:
            pytest.fail(f"{program}\nfound {sorted(found)}, expected {sorted(expected)}")


@pytest.mark.parametrize(("product", "form"), [(p, f) for p in ALL for f in forms_of(p)])
def test_error_codes_on_fixed_seeds(product, form):
    for seed in range(8):
        program = drawn(random.Random(f"legal {product} {form} {seed}"), product, form)
        assert_error_codes(program)


@given(st.randoms(use_true_random=False))
@settings(max_examples=100)
def test_error_codes(rng):
    program = drawn(rng)
    assert_error_codes(program)


@pytest.mark.exhaustive
@pytest.mark.parametrize("product", ALL)
@pytest.mark.parametrize("block", range(10))
def test_error_codes_at_length(product, block):
    for seed in range(200):
        program = drawn(random.Random(f"legal {product} {block} {seed}"), product)
        assert_error_codes(program)


def test_every_code_and_clean_calls_occur():
    programs = [drawn(random.Random(f"kinds {seed}")) for seed in range(300)]
    codes = [frozenset(expected_errors(program)) for program in programs]
    assert frozenset() in codes
    assert frozenset.union(*codes) == {
        "out-of-bounds-read",
        "out-of-bounds-write",
        "overlap",
        "dst-block-stride-zero",
        "mask-range",
        "repeat-range",
    }
