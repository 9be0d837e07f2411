"""Outputs against golden values: tolerances, and sentences about where the wrong elements lie."""

import numpy as np
import pytest

from ascend_sim import (
    NPU,
    bfloat16_t,
    complex64,
    float32,
    fp8_e4m3fn_t,
    half,
    int4b_t,
    int8_t,
    int32_t,
    int64_t,
    uint64_t,
)
from ascend_sim.views.compare import TOLERANCES, compare, read_tolerance, tolerance_of
from isa.dtypes import ALL

GOLDEN = np.arange(1, 1025, dtype=np.float32)


def wrong(where, *, golden=GOLDEN, dtype=float32, change=lambda values: values + 1, **options):
    """A comparison whose output differs from the golden at the indices `where`."""
    out = golden.copy()
    out[where] = change(out[where])
    return compare(out, golden, dtype, **options)


def groups(where, **options) -> str:
    return "\n".join(wrong(where, **options).groups)


# The verdict


def test_equal_values_pass():
    same = compare(GOLDEN, GOLDEN.copy(), float32)
    assert same.passed
    assert (same.indices.size, same.groups, same.first) == (0, (), ())
    assert str(same) == "equal: 1024 of 1024 float32 match within rtol 1e-06, atol 1e-09"


@pytest.mark.parametrize(
    ("dtype", "error", "passes"),
    [
        (half, 0.9e-3, True),
        (half, 1.2e-3, False),
        (float32, 0.9e-6, True),
        (float32, 1.2e-6, False),
        (bfloat16_t, 3.5e-3, True),
        (bfloat16_t, 4.5e-3, False),
    ],
)
def test_tolerances_of_the_samples_are_relative_to_the_golden(dtype, error, passes):
    golden = np.array([1000.0, -1000.0])
    assert compare(golden * (1 + error), golden, dtype).passed == passes


def test_a_tolerance_that_is_given_goes_first():
    assert compare([1.1], [1.0], float32, rtol=0.2).passed
    assert compare([1.1], [1.0], float32, atol=0.2).passed
    assert not compare([1.0004], [1.0], half, rtol=0, atol=0).passed


@pytest.mark.parametrize("dtype", ALL.values(), ids=str)
def test_every_type_has_a_tolerance_with_its_source(dtype):
    assert tolerance_of(dtype).source
    assert (tolerance_of(dtype).rtol == 0) == (dtype.is_integer or dtype.bits <= 8)


def test_the_table_states_what_the_samples_use():
    assert (TOLERANCES[half].rtol, TOLERANCES[half].error_ratio) == (1e-3, 1e-3)
    assert (TOLERANCES[float32].rtol, TOLERANCES[float32].atol, TOLERANCES[float32].error_ratio) == (1e-6, 1e-9, 1e-4)


def test_integers_are_compared_exactly_even_where_floats_could_not():
    big = 2**63 + 1
    for dtype, value in ((int64_t, 2**62 + 1), (uint64_t, big)):
        values = np.array([value], dtype.host)
        assert compare(values, values, dtype).passed
        (first,) = compare(values, values - np.array(1, dtype.host), dtype).first
        assert (first.index, first.abs_error) == (0, 1.0)
    (first,) = compare(np.array([-128], np.int8), np.array([127], np.int8), int8_t).first
    assert first.abs_error == 255


def test_nan_equals_nan_and_is_remarked():
    golden = GOLDEN.copy()
    golden[7:9] = np.nan
    both = compare(golden, golden, float32)
    assert both.passed
    assert both.both_nan == 2
    assert "2 elements are NaN on both sides" in str(both)
    assert "the first at 7" in str(both)
    assert not compare(golden, GOLDEN, float32).passed


def test_infinities_equal_their_like_alone():
    assert compare([np.inf, -np.inf], [np.inf, -np.inf], half).passed
    bad = compare([np.inf, 1.0, 65504.0], [-np.inf, np.inf, np.inf], half)
    assert bad.indices.tolist() == [0, 1, 2]
    assert bad.first[0].abs_error is None
    assert "[0] inf, golden -inf" in str(bad)


def test_one_garbage_lane_fails_though_the_samples_would_let_it_pass():
    golden = np.ones(20_000, np.float16)
    one = wrong(19_999, golden=golden, dtype=half)
    assert not one.passed
    assert "the samples' verify_result.py would let this pass: it accepts a ratio up to 0.001" in str(one)
    accepted = wrong(19_999, golden=golden, dtype=half, error_ratio=1e-3)
    assert accepted.passed
    assert "element 19999" in str(accepted)
    assert str(accepted).endswith("accepted: the ratio is at most 0.001")


def test_sizes_that_differ_are_explained():
    short = compare(GOLDEN[:1000], GOLDEN, float32)
    assert not short.passed
    assert "the output has 1000 elements of float32, 24 fewer than the golden with 1024" in str(short)
    assert "another element type" in str(compare(GOLDEN[:512], GOLDEN, float32))
    cut = compare(GOLDEN.tobytes()[:-2], GOLDEN.tobytes(), float32)
    assert not cut.passed
    assert "the output has 4094 bytes, no whole number of float32" in str(cut)


def test_nothing_is_no_success():
    nothing = compare(b"", b"", half)
    assert not nothing.passed
    assert "nothing was compared" in str(nothing)


# What can be compared


def test_bytes_arrays_and_tensors():
    with NPU().core() as core:
        x = core.alloc(int32_t, 64, range(64))
    golden = np.arange(64, dtype=np.int32)
    assert compare(x, golden, int32_t).passed
    assert compare(golden.tobytes(), x, int32_t).passed
    assert compare(golden.reshape(8, 8), golden, int32_t).passed


def test_types_that_numpy_does_not_have():
    assert compare(bytes([0x21, 0x83]), [1, 2, 3, -8], int4b_t).passed
    assert compare(bytes([0x38, 0x40]), [1.0, 2.0], fp8_e4m3fn_t).passed
    assert compare(np.array([0x3F80], np.uint16).tobytes(), [1.0], bfloat16_t).passed
    assert compare(np.array([1 + 2j], np.complex64).tobytes(), [1 + 2j], complex64).passed
    assert compare(np.array([1 + 2j]), [1 + 3j], complex64).first[0].abs_error == 1.0


def test_a_path_is_refused():
    with pytest.raises(TypeError, match="read_bytes"):
        compare("out.bin", GOLDEN, float32)


@pytest.mark.parametrize("text", ["1e-3", "a,b", "1,2,3", "-1,0", "nan,0", "inf,0"])
def test_tolerances_that_make_no_sense(text):
    with pytest.raises(ValueError, match=r"rtol,atol|tolerances"):
        read_tolerance(text)


# Where they lie


def test_one_lane_of_each_repeat():
    assert "all at 64k+63: lane 63 in each repeat" in groups(slice(63, None, 64))
    assert "all at 128k+5: lane 5 in each repeat" in groups(slice(5, None, 128), golden=GOLDEN.astype("f2"), dtype=half)


def test_one_lane_of_some_repeats():
    assert "all at 64k+63: lane 63 in each repeat but the last" in groups(slice(63, 960, 64))
    assert "all at 64k+3: lane 3 in each repeat but the first" in groups(slice(67, None, 64))
    every_second = groups(slice(64, None, 128))
    assert "all at 64k+0: lane 0 in 8 of 16 repeats (1, 3, 5, ... 15)" in every_second
    assert "all at 128k+64, each one" in every_second


def test_the_lanes_of_a_repeat_can_be_given():
    assert "all at 48k+47: lane 47 in each repeat" in groups(slice(47, 1008, 48), golden=GOLDEN[:1008], lanes=48)
    with pytest.raises(ValueError, match="at least one lane"):
        compare(GOLDEN, GOLDEN, float32, lanes=0)


def test_a_block_of_each_repeat():
    lanes = np.arange(1024) % 64
    assert "all in block 3 in each repeat: every lane of it" in groups((lanes >= 24) & (lanes < 32))
    assert "all in block 3 in each repeat: lanes 25, 27, 30" in groups(np.isin(lanes, (25, 27, 30)))


def test_upper_half_of_each_repeat():
    assert "all in lanes 32 to 63 in each repeat" in groups(np.arange(1024) % 64 >= 32)


def test_a_repeat():
    assert "all in repeat 5: all of its 64 elements" in groups(slice(320, 384))
    assert "all in repeat 15, the last repeat: all of its 64 elements" in groups(slice(960, None))
    assert "all in repeat 5: 2 of its 64 elements" in groups([321, 330])


def test_from_an_element_on():
    told = groups(slice(256, None))
    assert "from element 256 on, to the end (repeat 4, block 0, lane 0)" in told
    assert "all in repeats 4 to 15, the last ones, of 16" in told


def test_neighbours():
    assert "elements 100 to 119, all of them (repeat 1, block 4, lane 36)" in groups(slice(100, 120))


def test_one_element():
    assert "element 1023: repeat 15, block 7, lane 63" in groups(1023)


def test_the_tail():
    told = groups(slice(960, None), golden=GOLDEN[:1000])
    assert "all in the tail: the 40 elements after the last whole repeat" in told
    assert "all in the tail: the 3 elements after the last whole block" in groups([1000, 1002], golden=GOLDEN[:1003])


def test_a_stride_inside_the_repeat():
    assert "all at 4k+3, each one" in groups(slice(3, None, 4))
    assert "all at 4k+3, from 103 to 203" in groups(slice(103, 204, 4))


def test_everything():
    assert wrong(slice(None)).groups == ("all 1024 elements",)


def test_without_a_pattern():
    assert "spread over 4 of 64 lanes and 3 of 16 repeats" in groups([5, 77, 300, 301])
    assert "most often in lane 5 (2 of 5)" in groups([5, 77, 300, 301, 517])


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda v: v * 0, "all of them are 0.0 in the output"),
        (lambda v: v * np.nan, "all of them are NaN in the output"),
        (lambda v: -v, "all of them have the wrong sign and are right otherwise"),
    ],
)
def test_what_wrong_values_have_in_common(change, told):
    assert told in groups(slice(63, None, 64), change=change)


def test_the_first_ones_are_listed():
    report = wrong(slice(0, None, 2), shown=2)
    assert [m.index for m in report.first] == [0, 2]
    assert "first ones:\n  [0] 2.0, golden 1.0: off by 1, relative 1\n  [2] 4.0, golden 3.0" in str(report)
    assert (report.first[1].abs_error, report.first[1].rel_error) == (1.0, pytest.approx(1 / 3))
    assert "they are:" in str(wrong([4, 70, 200]))
