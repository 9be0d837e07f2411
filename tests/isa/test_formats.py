"""Values in, values out: what `alloc` makes of values and `numpy()` shows."""

from fractions import Fraction

import ml_dtypes
import numpy as np
import pytest

from isa import dtypes
from isa.dtypes import (
    bfloat16_t,
    complex32,
    complex64,
    double,
    float32,
    fp4x2_e1m2_t,
    fp4x2_e2m1_t,
    fp8_e4m3fn_t,
    fp8_e5m2_t,
    fp8_e8m0_t,
    half,
    hifloat8_t,
    int4b_t,
    int8_t,
    int16_t,
    int32_t,
    int64_t,
    uint8_t,
    uint16_t,
    uint32_t,
    uint64_t,
)
from isa.numerics.formats import all_codes, from_host, to_host
from tests import oracle

EVERY = list(dtypes.ALL.values())
SMALL = [dtype for dtype in EVERY if dtype.bits <= 16]
NARROW_FLOATS = [half, bfloat16_t, fp8_e5m2_t, fp8_e4m3fn_t, fp4x2_e2m1_t, fp4x2_e1m2_t, hifloat8_t]


@pytest.mark.parametrize("dtype", EVERY, ids=str)
def test_hosts_and_carriers_have_their_types_and_are_new(dtype):
    values = np.array([[1, 2], [4, 1]])
    codes = from_host(values, dtype)
    assert (codes.dtype, codes.shape) == (dtype.carrier, (2, 2))
    host = to_host(codes, dtype)
    assert (host.dtype, host.shape) == (dtype.host, (2, 2))
    if dtype is not fp4x2_e1m2_t:  # whose largest value is 1.75
        np.testing.assert_array_equal(host.astype(np.complex64), values)
    again = from_host(host, dtype)
    assert again.tobytes() == codes.tobytes()
    assert not np.shares_memory(host, codes)
    assert not np.shares_memory(again, host)


@pytest.mark.parametrize("dtype", SMALL, ids=str)
def test_every_code_has_its_value(dtype):
    codes = all_codes(dtype)
    assert codes.view(dtype.code).tolist() == list(range(1 << dtype.bits))
    stride = 5 if dtype.bits == 16 else 1  # odd, so that every value of every field occurs
    with np.errstate(invalid="ignore"):  # signalling NaNs
        host = to_host(codes, dtype).astype(np.float64)
    for code, shown in list(enumerate(host.tolist()))[::stride]:
        if dtype is fp8_e8m0_t:
            assert shown == 2.0 ** (code - 127) or (code == 255 and np.isnan(shown))
            continue
        value = oracle.decode(dtype.name, code)
        if value.is_nan:
            assert np.isnan(shown)
        else:
            magnitude = float("inf") if value.magnitude is None else float(value.magnitude)
            assert shown == (-magnitude if value.negative else magnitude)
            if dtype.is_float:
                assert np.signbit(shown) == value.negative


@pytest.mark.parametrize("dtype", EVERY, ids=str)
def test_values_survive_the_way_there_and_back(dtype):
    rng = np.random.default_rng(5)
    if dtype.bits <= 16:
        codes = all_codes(dtype)
    elif dtype is complex32:
        codes = rng.integers(0, 1 << 16, 2000).astype(np.uint16).view(np.uint32)
    else:
        codes = rng.integers(0, 256, 1000 * dtype.size).astype(np.uint8).view(dtype.carrier)
    if dtype is complex32:
        codes = codes[~np.isnan(codes.view(np.float16).reshape(-1, 2)).any(1)]
    back = from_host(to_host(codes, dtype), dtype)
    if dtype is hifloat8_t or dtype.host != dtype.carrier:
        np.testing.assert_array_equal(back, codes)
    else:
        assert back.tobytes() == codes.tobytes()


@pytest.mark.parametrize("dtype", NARROW_FLOATS, ids=str)
def test_floats_become_the_nearest_value(dtype):
    """From doubles, among them those a hair beside a tie, which float32 would turn into the tie."""
    magnitudes, _ = oracle.grid(dtype.name)
    rng = np.random.default_rng(11)
    chosen = rng.choice(len(magnitudes) - 1, 300) if len(magnitudes) > 300 else np.arange(len(magnitudes) - 1)
    ties = [float((magnitudes[i] + magnitudes[i + 1]) / 2) for i in chosen]
    x = np.array([t * (1 + d) for t in ties for d in (0, 2.0**-40, -(2.0**-40))])
    x = np.concatenate([x, -x])
    codes = from_host(x, dtype).view(dtype.code)
    s = oracle.Switches("ascend950", float_saturates=False)
    mode = "CAST_ROUND" if dtype is hifloat8_t else "CAST_RINT"
    for value, got in zip(x.tolist(), codes.tolist(), strict=True):
        decoded = oracle.Value(value < 0, abs(Fraction(value)))
        want = oracle.to_float("double", dtype.name, decoded, mode, 0, s)
        assert oracle.same(dtype.name, got, want), value


@pytest.mark.parametrize("dtype", [half, bfloat16_t, fp8_e5m2_t, fp8_e4m3fn_t, fp4x2_e2m1_t, fp8_e8m0_t], ids=str)
def test_floats_agree_with_ml_dtypes(dtype):
    x = np.random.default_rng(2).standard_normal(2000).astype(np.float32) * 64
    x = np.abs(x) + np.float32(0.01) if dtype is fp8_e8m0_t else x
    want = x.astype(dtype.host).view(dtype.code)
    got = from_host(x, dtype).view(dtype.code)
    np.testing.assert_array_equal(got, want & 15 if dtype.is_nibble else want)


def test_too_large_values_become_what_the_format_has():
    for dtype, code in ((half, 0x7C00), (bfloat16_t, 0x7F80), (fp8_e5m2_t, 0x7C), (fp8_e4m3fn_t, 0x7F)):
        assert from_host([1e300, np.inf], dtype).view(dtype.code).tolist() == [code, code]
    for dtype in (fp4x2_e2m1_t, fp4x2_e1m2_t):
        assert from_host([1e300, -np.inf], dtype).tolist() == [7, 15]
    assert from_host([1e300, -np.inf], hifloat8_t).tolist() == [0x6F, 0xEF]
    assert from_host([1e300], float32).tolist() == [np.inf]


def test_fp4_refuses_nan():
    for dtype in (fp4x2_e2m1_t, fp4x2_e1m2_t):
        with pytest.raises(ValueError, match=rf"value nan at index 1 does not fit {dtype}, which has no NaN"):
            from_host([1.0, np.nan], dtype)


def test_special_values_of_the_8_bit_floats():
    assert from_host([np.nan, -0.0, 0.0], hifloat8_t).tolist() == [0x80, 0, 0]
    assert from_host([-0.0, 0.0, -0.01], fp4x2_e1m2_t).tolist() == [8, 0, 8]
    assert from_host([np.nan], fp8_e4m3fn_t).tolist() == [0x7F]
    assert from_host([1.0, 3.0, np.nan], fp8_e8m0_t).tolist() == [127, 129, 255]


INTEGERS = [dtype for dtype in EVERY if dtype.is_integer]


@pytest.mark.parametrize("dtype", INTEGERS, ids=str)
def test_integers_hold_their_limits_and_nothing_beyond(dtype):
    bits, signed = oracle.INTEGERS[dtype.name]
    low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if signed else (0, (1 << bits) - 1)
    for value in (low, high, 0, high // 2):
        assert int(to_host(from_host([value], dtype), dtype)[0]) == value
    for value in (low - 1, high + 1, low - (1 << 70), 1 << 80):
        as_float = [0.0, float(value)] if not low <= float(value) <= high else [0.0, 2.0**70]
        for given in ([0, value], np.array([0, value], object), as_float):
            with pytest.raises(ValueError, match=rf"at index 1 does not fit {dtype}, which holds {low}\.\.{high}"):
                from_host(given, dtype)


@pytest.mark.parametrize("dtype", INTEGERS, ids=str)
def test_integers_refuse_what_is_no_integer(dtype):
    for bad in (0.5, np.nan, np.float16(2.5), ml_dtypes.bfloat16(1.5)):
        with pytest.raises(ValueError, match=rf"value {bad!s} at index 1 is not an integer, {dtype} holds"):
            from_host(np.array([1, bad]).astype(np.asarray(bad).dtype), dtype)
    for bad in (0.5, float("inf"), float("nan")):
        with pytest.raises(ValueError, match=rf"value {bad} at index 1 is not an integer, {dtype} holds"):
            from_host([1 << 70, bad], dtype)
    with pytest.raises(ValueError, match="does not fit"):
        from_host([np.inf], dtype)
    with pytest.raises(ValueError, match="cannot hold complex values"):
        from_host([1j], dtype)
    with pytest.raises(ValueError, match="'two' is not a number"):
        from_host(["two"], dtype)


def test_integral_floats_and_flags_are_integers():
    assert from_host([1.0, -2.0], int8_t).tolist() == [1, -2]
    assert from_host([True, False], uint8_t).tolist() == [1, 0]
    assert from_host(np.array([1, 2], ml_dtypes.bfloat16), int16_t).tolist() == [1, 2]
    assert from_host(np.array([-3, 7], ml_dtypes.int4), int32_t).tolist() == [-3, 7]
    assert from_host(np.array([-3, 7], ml_dtypes.int4), int4b_t).tolist() == [13, 7]
    assert from_host([2**63, 2**64 - 1], uint64_t).tolist() == [2**63, 2**64 - 1]
    assert from_host(float(2**62), int64_t).tolist() == 2**62
    assert from_host(np.array([3, 2.0], object), uint32_t).tolist() == [3, 2]


def test_messages_name_the_place_in_a_table_and_the_single_value():
    with pytest.raises(ValueError, match=r"value 300 at index \(1, 0\) does not fit uint8_t, which holds 0\.\.255"):
        from_host([[1, 2], [300, 400]], uint8_t)
    with pytest.raises(ValueError, match=r"value -1 does not fit uint16_t"):
        from_host(-1, uint16_t)


def test_complex_values():
    codes = from_host([1 + 2j, -0.5], complex32)
    assert codes.tolist() == [0x4000_3C00, 0x0000_B800]
    assert to_host(codes, complex32).tolist() == [1 + 2j, -0.5 + 0j]
    assert from_host([1 + 2j], complex64).tolist() == [1 + 2j]
    for dtype in (half, float32, double, hifloat8_t, fp4x2_e1m2_t):
        with pytest.raises(ValueError, match=f"{dtype} cannot hold complex values"):
            from_host([1 + 2j], dtype)


def test_integers_become_the_nearest_float():
    assert from_host([2049, 2051, 65519, 65520], half).tolist() == [2048.0, 2052.0, 65504.0, np.inf]
    assert from_host([2**24 + 1, 2**24 + 3], float32).tolist() == [2.0**24, 2.0**24 + 4]
    assert from_host([257, 259, 2**32 + 2**24 + 1], bfloat16_t).tolist() == [256.0, 260.0, 2.0**32 + 2.0**25]


def test_values_keep_their_bits_in_an_array_of_their_own_type():
    nans = np.array([0x7C01, 0xFE00], np.uint16).view(np.float16)
    assert from_host(nans, half).view(np.uint16).tolist() == [0x7C01, 0xFE00]
    assert from_host(np.array([0xFF], np.uint8).view(ml_dtypes.float8_e4m3fn), fp8_e4m3fn_t).tolist() == [0xFF]


def test_strided_and_empty_arrays():
    values = np.arange(-8, 8).reshape(4, 4)[:, ::2]
    for dtype in EVERY:
        given = np.abs(values) if dtype.kind is dtypes.Kind.UNSIGNED else values
        np.testing.assert_array_equal(from_host(given, dtype), from_host(given.copy(), dtype))
        wide = np.zeros((4, 4), dtype.carrier)[:, ::2]
        assert to_host(wide, dtype).shape == (4, 2)
        assert from_host([], dtype).shape == to_host(np.empty(0, dtype.carrier), dtype).shape == (0,)
