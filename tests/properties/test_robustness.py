"""Whatever a kernel is given: a finding, a clear refusal, or a result. Never a traceback from inside, and after an error
no byte has changed.
"""

import linecache
import traceback

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import isa
from ascend_sim import KernelError, uint8_t
from ascend_sim.checks.codes import CODES
from isa.products import PRODUCTS
from tests.helpers import A2
from tests.properties.calls import STRUCTS, Call, Workbench, calls, integers, npu, numbers, oddities

REFUSALS = (TypeError, ValueError, IndexError)


def is_deliberate(error: BaseException) -> bool:
    """It was raised by a `raise` of ours, or by Python because the arguments do not fit the signature."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    if "/ascend_sim/" in last.filename or "/isa/" in last.filename or last.filename.startswith("<ascend_sim"):
        lines = (linecache.getline(last.filename, n) for n in range(last.lineno, (last.end_lineno or last.lineno) + 1))
        return "raise" in next(lines)
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


@settings(max_examples=300, **SETTINGS)
@given(data=st.data(), struct=st.sampled_from(STRUCTS))
def test_structs_refuse_what_does_not_fit(data, struct):
    names = list(isa.params.limits(struct))
    given_ = {n: data.draw(integers | numbers | oddities) for n in data.draw(st.lists(st.sampled_from(names)))}
    try:
        made = struct(**given_)
    except (isa.params.FieldError, TypeError) as error:
        assert is_deliberate(error), f"{struct.__name__}({given_}): {error!r}"
        assert any(name in str(error) for name in names), error
    else:
        for name, value in given_.items():
            assert getattr(made, name) == value or np.isnan(value)
