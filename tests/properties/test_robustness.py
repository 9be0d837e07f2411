"""Whatever a kernel is given: a finding, a clear refusal, or a result. Never a traceback from inside, and after an
error no byte has changed.
"""

import dis
import struct
import traceback

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

import isa
from ascend_sim import (
    PIPE_ALL,
    Adds,
    DataCopyPad,
    GlobalTensor,
    KernelError,
    LocalMemAllocator,
    PipeBarrier,
    float32,
    uint8_t,
)
from ascend_sim.checks.codes import CODES
from isa.products import PRODUCTS
from tests.helpers import A2
from tests.properties.calls import STRUCTS, Call, Workbench, calls, integers, npu, numbers, oddities

REFUSALS = (TypeError, ValueError, IndexError)


def is_deliberate(error: BaseException) -> bool:
    """It was raised by a `raise` of ours, or by Python because the arguments do not fit the signature."""
    last = error.__traceback__
    while last.tb_next is not None:
        last = last.tb_next
    code = last.tb_frame.f_code
    if any(part in code.co_filename for part in ("/ascend_sim/", "/isa/", "<ascend_sim")):
        return code.co_code[last.tb_lasti] == dis.opmap["RAISE_VARARGS"]
    return isinstance(error, TypeError) and "argument" in str(error)


def memory(core, bench):
    ub = core.alloc(uint8_t, core.product.ub_bytes, addr=0)
    return (
        ub.codes().tobytes(),
        (ub.lane_states() == "written").tobytes(),
        bench.array.tobytes(),
        tuple(core.mask),
        core.mask_mode,
        core.ctrl,
    )


def attempt(call: Call) -> BaseException | None:
    try:
        call.function(*call.arguments)
    except (KernelError, *REFUSALS) as error:
        return error
    return None


def explain(call: Call, error: BaseException) -> str:
    return f"{call.name}{call.arguments}: {''.join(traceback.format_exception(error)[-3:])}"


def one_call(data, check: str) -> None:
    product = data.draw(st.sampled_from([A2] * 4 + list(PRODUCTS)))
    with npu(check, product).core() as core:
        bench = Workbench(core)
        call = data.draw(calls(bench))
        before = memory(core, bench)
        error = attempt(call)
        if error is None:
            core.at_end.clear()  # whatever a queue still holds
            return
        if isinstance(error, KernelError):
            assert error.finding.message
            assert check == "raise" or CODES[error.finding.code].always_raises, error.finding
        else:
            assert is_deliberate(error), explain(call, error)
            assert len(str(error)) > 10, explain(call, error)
        assert memory(core, bench) == before, explain(call, error)


SETTINGS = {"suppress_health_check": list(HealthCheck)}


@pytest.mark.parametrize("check", ["raise", "record"])
@settings(max_examples=150, **SETTINGS)
@given(data=st.data())
def test_any_call(check, data):
    one_call(data, check)


@pytest.mark.exhaustive
@pytest.mark.parametrize("check", ["raise", "record", "off"])
@settings(max_examples=1000, **SETTINGS)
@given(data=st.data())
def test_a_thousand_calls(check, data):
    one_call(data, check)


def shifted(x, y, tiling: bytes) -> None:
    """y = x + 1 on as much of it as the parameters say; they are whatever the bytes hold."""
    offset, length, tile, count = struct.unpack("<4i", tiling)
    source, result = GlobalTensor(float32), GlobalTensor(float32)
    source.SetGlobalBuffer(x + offset, length)
    result.SetGlobalBuffer(y + offset, length)
    t = LocalMemAllocator().Alloc(float32, tile)
    DataCopyPad(t, source, (1, 4 * length, 0, 0, 0))
    PipeBarrier(PIPE_ALL)
    Adds(t, t, 1.0, count)
    PipeBarrier(PIPE_ALL)
    DataCopyPad(result, t, (1, 4 * count, 0, 0, 0))


def check_tiling(tiling: bytes, check: str) -> None:
    x, y = np.arange(100, dtype=np.float32), np.zeros(100, np.float32)
    before, refusal = x.tobytes(), None
    try:
        report = npu(check).launch(shifted, 1, x, y, tiling)
    except (KernelError, *REFUSALS) as error:
        refusal = error
    assert x.tobytes() == before
    if refusal is not None:
        assert isinstance(refusal, KernelError) or is_deliberate(refusal), repr(refusal)
        assert check != "raise" or not y.any()  # the only write to GM is the last call
    elif report.is_clean:
        offset, _, _, count = struct.unpack("<4i", tiling)
        expected = np.zeros_like(y)
        expected[offset : offset + count] = x[offset : offset + count] + 1
        assert y.tolist() == expected.tolist()


byte_strings = st.one_of(
    st.binary(min_size=16, max_size=16),
    st.lists(integers.filter(lambda i: -(2**31) <= i < 2**31), min_size=4, max_size=4).map(
        lambda four: struct.pack("<4i", *four)
    ),
    st.tuples(st.integers(0, 60), st.integers(0, 40), st.integers(0, 64), st.integers(0, 40)).map(
        lambda four: struct.pack("<4i", *four)
    ),
)


@pytest.mark.parametrize("check", ["raise", "record"])
@settings(max_examples=100, **SETTINGS)
@given(tiling=byte_strings)
def test_byte_strings_as_parameters(check, tiling):
    check_tiling(tiling, check)


@pytest.mark.exhaustive
@pytest.mark.parametrize("check", ["raise", "record"])
@settings(max_examples=1000, **SETTINGS)
@given(tiling=byte_strings)
def test_a_thousand_byte_strings_as_parameters(check, tiling):
    check_tiling(tiling, check)


@pytest.mark.parametrize("given_", [b"raw bytes", 5, None, "x", [1.0], np.zeros((4, 4))[:, :2]])
def test_what_is_no_array_is_refused_as_gm(given_):
    with pytest.raises((TypeError, ValueError), match="GM"):
        npu("raise").launch(lambda x: GlobalTensor(float32).SetGlobalBuffer(x), 1, given_)


@settings(max_examples=300, **SETTINGS)
@given(data=st.data(), struct_=st.sampled_from(STRUCTS))
def test_structs_refuse_what_does_not_fit(data, struct_):
    names = list(isa.params.limits(struct_))
    given_ = {n: data.draw(integers | numbers | oddities) for n in data.draw(st.lists(st.sampled_from(names)))}
    made = refusal = None
    try:
        made = struct_(**given_)
    except (isa.params.FieldError, TypeError) as error:
        refusal = error
    if refusal is not None:
        assert is_deliberate(refusal), f"{struct_.__name__}({given_}): {refusal!r}"
        assert any(name in str(refusal) for name in names), refusal
    else:
        for name, value in given_.items():
            assert getattr(made, name) == value or np.isnan(value)
