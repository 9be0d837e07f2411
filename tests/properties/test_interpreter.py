"""The simulator against the reference interpreter, on random instructions; and what must hold between calls."""

import random

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from ascend_sim import NPU, Add, Adds, Cast, KernelError, RoundMode, float32, half, int32_t
from tests.properties.operations import ALL, OPERATIONS
from tests.properties.programs import (
    FORMS,
    Program,
    call,
    explain_difference,
    forms_of,
    prepared,
    random_program,
    reference,
    registers_of,
    simulate,
)
from tests.reference import ALL_ONES, Operand, Registers, lanes_per_repeat, ones

DRAWS = st.randoms(use_true_random=False)
ONE_OF_EACH_SHAPE = list({o.types: o for o in OPERATIONS if o.products == ALL and o.call in {Add, Cast}}.values())


def assert_equal_to_reference(program):
    found, expected = simulate(program), reference(program)
    if found != expected:  # an assertion would print two whole memories
        pytest.fail(explain_difference(program, found, expected))


# Against the reference


@pytest.mark.parametrize(("product", "form"), [(p, f) for p in ALL for f in forms_of(p)])
def test_same_bytes_states_and_registers_on_fixed_seeds(product, form):
    for seed in range(5):
        assert_equal_to_reference(random_program(random.Random(f"{product} {form} {seed}"), product, form))


@given(DRAWS)
@settings(max_examples=150)
def test_same_bytes_states_and_registers(rng):
    assert_equal_to_reference(random_program(rng))


@pytest.mark.exhaustive
@pytest.mark.parametrize("product", ALL)
@pytest.mark.parametrize("block", range(10))
def test_same_bytes_states_and_registers_at_length(product, block):
    for seed in range(300):
        assert_equal_to_reference(random_program(random.Random(f"{product} {block} {seed}"), product))


@pytest.mark.parametrize("product", ALL)
@pytest.mark.parametrize("operation", ONE_OF_EACH_SHAPE, ids=repr)
def test_long_count_form(product, operation):
    """More than 255 repeats and a tail; a second source is the destination."""
    lanes = lanes_per_repeat([Operand(0, dtype.bits) for dtype in operation.types])
    count = 256 * lanes + lanes // 2 + 3
    operands = tuple(Operand(i % 2 * 70_016, dtype.bits) for i, dtype in enumerate(operation.types))
    assert_equal_to_reference(Program(product, operation, "count", operands, count, count, 1, Registers()))


@pytest.mark.parametrize("product", ALL)
def test_255_repeats(product):
    operation = next(o for o in OPERATIONS if o.is_cast and o.types == (int32_t, half))
    operands = Operand(0, 32, 1, 8), Operand(70_016, 16, 1, 4)
    program = Program(product, operation, "bitwise", operands, 16384, (1 << 63 | 0xF0F, 5), 255, Registers())
    assert_equal_to_reference(program)


def test_programs_cover_every_form_and_every_kind_of_placement():
    programs = [random_program(random.Random(seed)) for seed in range(400)]
    assert {p.form for p in programs} == set(FORMS)
    assert {p.product for p in programs} == set(ALL)
    assert any(len({o.address for o in p.operands}) == 1 < len(p.operands) for p in programs)
    assert any(o.block_stride == 0 for p in programs for o in p.operands)
    assert any(o.repeat_stride == 0 for p in programs for o in p.operands)


# A refused call


def outcome_under_raise(program):
    """Refused or not; UB and registers before and after."""
    with prepared(program, "raise", written=True) as (core, memory, tensors):
        before = memory.codes().tobytes(), registers_of(core)
        try:
            call(program, tensors)
        except KernelError:
            refused = True
        else:
            refused = False
        return refused, before, (memory.codes().tobytes(), registers_of(core))


def assert_all_or_nothing(program):
    refused, before, after = outcome_under_raise(program)
    if refused:
        assert after == before, program
    else:
        expected = reference(program)
        assert after == (expected.memory, (expected.mask, expected.counter)), program
    return refused


@pytest.mark.parametrize("product", ALL)
def test_refused_call_changes_nothing_on_fixed_seeds(product):
    refused = [assert_all_or_nothing(random_program(random.Random(f"r{seed}"), product)) for seed in range(25)]
    assert 3 <= sum(refused) <= 22  # both kinds are seen


@given(DRAWS)
@settings(max_examples=60)
def test_refused_call_changes_nothing(rng):
    assert_all_or_nothing(random_program(rng))


# Between calls


def run(product, *calls, dtypes=(float32, float32), length=1024, seed=0):
    """Codes of dst after `calls` on fresh tensors of the same values; dst starts at -1."""
    values = np.random.default_rng(seed).integers(-99, 100, length)
    with NPU(product=product).core() as core:
        dst = core.alloc(dtypes[0], length, np.full(length, -1))
        src = core.alloc(dtypes[1], length, values)
        for one in calls:
            one(dst, src)
        return dst.codes()


@pytest.mark.parametrize("product", ALL)
@pytest.mark.parametrize("count", [1, 7, 8, 31, 63, 64])
def test_forms_agree_below_one_repeat(product, count):
    by_count = run(product, lambda d, s: Adds(d, s, 2, count))
    by_number = run(product, lambda d, s: Adds(d, s, 2, count, 1, (1, 1, 8, 8)))
    by_bits = run(product, lambda d, s: Adds(d, s, 2, [ones(count), 0], 1, (1, 1, 8, 8)))
    assert by_count.tolist() == by_number.tolist() == by_bits.tolist()


@pytest.mark.parametrize("product", ALL)
@pytest.mark.parametrize("count", [128, 129, 300, 640, 1000])
def test_count_form_is_full_repeats_and_a_tail(product, count):
    full, tail = divmod(count, 128)

    def tiled(dst, src):
        Add(dst, src, src, 128, full, (1, 1, 1, 8, 8, 8))
        if tail:
            Add(dst[full * 128 :], src[full * 128 :], src[full * 128 :], tail, 1, (1, 1, 1, 8, 8, 8))

    types = (half, half)
    by_count = run(product, lambda d, s: Add(d, s, s, count), dtypes=types)
    assert by_count.tolist() == run(product, tiled, dtypes=types).tolist()
    assert np.count_nonzero(by_count != by_count[-1]) > 0


@given(repeats=st.integers(2, 7), low=st.integers(1, ALL_ONES), strides=st.tuples(*[st.integers(1, 9)] * 4))
@settings(max_examples=40)
def test_one_call_equals_its_repeats_one_by_one(repeats, low, strides):
    dst_block, src_block, dst_repeat, src_repeat = strides
    params = (dst_block, src_block, dst_repeat, src_repeat)

    def at_once(dst, src):
        Cast(dst, src, RoundMode.CAST_RINT, [low, 0], repeats, params)

    def one_by_one(dst, src):
        for r in range(repeats):
            here = dst[r * dst_repeat * 8 :], src[r * src_repeat * 16 :]
            Cast(*here, RoundMode.CAST_RINT, [low, 0], 1, params)

    types = (int32_t, half)
    whole = run("ascend910b", at_once, dtypes=types, length=2048)
    assert whole.tolist() == run("ascend910b", one_by_one, dtypes=types, length=2048).tolist()


@pytest.mark.parametrize("product", ALL)
def test_masked_lanes_keep_their_bytes(product):
    rng = random.Random(product)
    for _ in range(10):
        low, high = rng.getrandbits(64) | 1, rng.getrandbits(64)
        after = run(
            product, lambda d, s, words=[low, high]: Adds(d, s, 200, words, 3, (1, 1, 8, 8)), dtypes=(half, half)
        )
        lanes = np.array([(high << 64 | low) >> lane & 1 for lane in range(128)], bool)
        kept = np.float16(-1).view(np.uint16)
        assert ((after[: 3 * 128].reshape(3, 128) == kept) == ~lanes).all()
        assert (after[3 * 128 :] == kept).all()
