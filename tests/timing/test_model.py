"""The pipes: order, barriers, flags, queues, and what never may happen."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from ascend_sim import NPU, Add, Adds, DataCopy, Exp, GlobalTensor, HardEvent, SetFlag, WaitFlag, float32, half
from ascend_sim.timing.cost import Kind
from ascend_sim.timing.model import timeline
from ascend_sim.timing.programs import DTYPES, INTRINSICS, barrier, copy, mask_write, program, vector
from isa.families import Pipe
from isa.model import TABLE, Timing
from isa.products import ASCEND910B, PRODUCTS
from isa.timings import LOOP, MACHINES, VECTOR, Confidence, figures
from tests.timing.kernels import launch_add

FLOATS = [DTYPES["fp32"]] * 3
FREE = (0x20000, 0, 0x10100)


def cycles(*issues, product=ASCEND910B):
    return timeline(program(issues), product).cycles


def add(repeats, **options):
    return vector("VADD", FLOATS, repeats, FREE, **options)


def test_streamed_instructions_follow_each_other_without_a_gap():
    found = timeline(program([add(10), add(10), add(1), add(1)]), ASCEND910B).spans
    starts = [s.start for s in found]
    assert [b - a for a, b in pairwise(starts)] == [10, 10, 3]


def test_a_barrier_waits_for_the_last_result():
    body = [mask_write(), add(64), barrier()]
    assert (cycles(*body * 9) - cycles(*body * 8)) == 22 + 64


def test_counter_mode_costs_17_cycles_once():
    assert cycles(add(4, counter=True)) - cycles(add(4)) == 17
    assert cycles(add(200), add(200, counter=True)) == cycles(add(200), add(200))


def test_masked_lanes_cost_the_same_except_in_division():
    half_full = {"lanes_active": 32}
    assert cycles(add(16, **half_full)) == cycles(add(16))
    div = [vector("VDIV", FLOATS, 16, FREE, **o) for o in (half_full, {})]
    assert cycles(div[0]) == cycles(div[1]) - 32


def test_packed_results_of_a_sum_are_slow():
    packed, apart = (vector("VCADD", FLOATS[:2], 8, packed=p) for p in (True, False))
    assert cycles(packed) - cycles(apart) == 8 * (7 - 3)


def test_a_full_queue_holds_the_scalar_unit():
    found = timeline(program([vector("VEXP", FLOATS[:2], 100, FREE)] * 40), ASCEND910B).spans
    assert found[31].issued == 32
    assert found[32].issued >= found[0].start
    assert found[39].issued >= found[7].start


def test_copies_and_vector_instructions_overlap_until_a_flag_orders_them():
    with NPU(check="off").core() as core:
        gm = GlobalTensor(half)
        gm.SetGlobalBuffer(np.zeros(8192, np.float16))
        a, b = core.alloc(half, 4096), core.alloc(half, 4096, 1.0)
        DataCopy(a, gm, 4096)
        Adds(b, b, 1.0, 4096)
        together = timeline(core.trace, "ascend910b")
        SetFlag(HardEvent.MTE2_V, 0)
        WaitFlag(HardEvent.MTE2_V, 0)
        Adds(b, a, 1.0, 4096)
        ordered = timeline(core.trace, "ascend910b")
    copied, first = (
        next(s for s in together.spans if s.pipe is p and s.kind is Kind.WORK) for p in (Pipe.MTE2, Pipe.V)
    )
    assert first.start < copied.done
    last = [s for s in ordered.spans if s.name == "Adds"][-1]
    assert last.start >= copied.done + 1
    assert last.waited_for == "MTE2"


def test_doubling_the_buffers_shortens_the_add_kernel():
    assert launch_add(buffers=2).cycles < 0.95 * launch_add(buffers=1).cycles


def test_blocks_beyond_the_cores_run_one_after_another():
    few, many = (launch_add(blocks=n, tiles=1) for n in (48, 96))
    assert many.cycles == 2 * few.cycles
    assert many.timeline.active_cores == 48


def test_active_cores_share_the_bandwidth():
    assert launch_add(blocks=48).cycles > 1.2 * launch_add(blocks=1).cycles


def test_the_end_is_that_of_the_last_span():
    """`end` skips what repeats itself, the spans play every issue; they must agree exactly."""
    for buffers in (1, 2):
        found = launch_add(buffers=buffers, tiles=40).timeline
        assert found.cycles == max(s.done for s in found.spans)
    with NPU().core() as core:
        a = core.alloc(float32, 640, 1.0)
        for i in range(300):
            Adds(a, a, 1.0, 64, 1 + i % 3, (1, 1, 8, 8))
        found = timeline(core.trace, "ascend910b")
    assert found.cycles == max(s.done for s in found.spans)


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(sorted(INTRINSICS)), st.sampled_from(["fp16", "fp32", "int32"]), st.integers(1, 60))
def test_more_repeats_never_take_less(name, dtype, repeats):
    types = [DTYPES[dtype]] * 3
    fewer, more = (cycles(vector(name, types, n)) for n in (repeats, repeats + 1))
    # a partly filled block of packed bits costs 5 to 7 cycles more than a full one (MSKPP), which no order can hide
    slack = 7 if INTRINSICS[name].timing in (Timing.COMPARE, Timing.COMPARE_SCALAR) else 0
    assert more >= fewer - slack


@settings(max_examples=20, deadline=None)
@given(st.integers(1, 200), st.integers(1, 60000))
def test_longer_copies_never_take_less(count, length):
    assert cycles(copy(1, length)) <= cycles(copy(1, length + 32))
    # bursts whose pitch is a multiple of 512 bytes start aligned and are faster: compare those that are alike in it
    assert cycles(copy(count, length)) <= cycles(copy(count, length + 512))
    assert cycles(copy(count, length)) <= cycles(copy(count + 1, length))


@pytest.mark.parametrize("product", PRODUCTS)
def test_every_product_is_timed_and_says_what_is_not_public(product):
    with NPU(product, check="off").core() as core:
        a, b = core.alloc(half, 512, 1.0), core.alloc(half, 512)
        Add(b, a, a, 512)
        Exp(b, a, 512)
    found = timeline(core.trace, product)
    assert math.isfinite(found.cycles)
    assert found.cycles > 0
    public = found.machine.clock_mhz.confidence is Confidence.HIGH
    assert public or "no public measurement" in found.note


def test_every_declared_instruction_has_its_cost():
    unmeasured = {Timing.STATE}
    for instruction in TABLE.values():
        for prototype in instruction.prototypes:
            assert prototype.timing in VECTOR or prototype.timing in unmeasured, prototype.name


def test_intrinsics_name_the_class_of_their_declaration():
    for name, intrinsic in INTRINSICS.items():
        declared = TABLE.get(intrinsic.ascendc)
        assert declared is None or declared.timing is intrinsic.timing, name


def test_every_constant_has_a_source_and_a_confidence():
    costs = [*VECTOR.values(), *LOOP.values(), *figures().values()]
    costs += [f for m in MACHINES.values() for c in (m.read, m.write) for f in (c.setup, c.near, c.plateau, c.floor)]
    assert all(c.source and isinstance(c.confidence, Confidence) for c in costs)


def test_what_was_not_executed_takes_no_time():
    with NPU(check="record").core() as core:
        x = core.alloc(half, 128, 1.0)
        Add(x, x, x, 1 << 20)  # past the Unified Buffer: nothing is executed
    assert core.findings
    assert not any(e.executed for e in core.trace if e.name == "Add")
    with NPU().core() as other:
        x = other.alloc(half, 128, 1.0)
        Add(x, x, x, 128)
    assert timeline(core.trace, "ascend910b").cycles < timeline(other.trace, "ascend910b").cycles
    assert timeline(core.trace, "ascend910b").cycles == timeline(list(core.trace), "ascend910b").cycles
