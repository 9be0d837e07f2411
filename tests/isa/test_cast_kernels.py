"""What every kernel of Cast promises whatever it computes: strides, aliasing, length, caching, refusals."""

import itertools

import numpy as np
import pytest

from isa import dtypes
from isa.dtypes import (
    bfloat16_t,
    complex32,
    complex64,
    double,
    float32,
    fp4x2_e2m1_t,
    fp8_e4m3fn_t,
    half,
    hifloat8_t,
    int4b_t,
    int8_t,
    int16_t,
    int32_t,
    int64_t,
    uint32_t,
)
from isa.numerics import tiles
from isa.numerics.cast import TARGETS, cast, round_to_integral
from isa.numerics.rounding import INTEGRAL, Rounding, sticky_float32
from isa.numerics.rules import Rules
from isa.params import RoundMode
from isa.products import Arch
from tests import oracle

A3510 = Rules(Arch.A3510)
C220 = Rules(Arch.C220)
WRAPPING = Rules(Arch.A3510, float_saturates=False, cast_saturates=False)
PAIRS = [(src, dst) for src, targets in TARGETS.items() for dst in targets]
SAME_SIZE = [(src, dst) for src, dst in PAIRS if src.carrier.itemsize == dst.carrier.itemsize]


def mode_for(dst: dtypes.ElementType) -> RoundMode:
    return RoundMode.CAST_ROUND if dst is hifloat8_t else RoundMode.CAST_RINT


def any_codes(dtype: dtypes.ElementType, shape: tuple[int, ...]) -> np.ndarray:
    """Arbitrary codes as a carrier array."""
    rng = np.random.default_rng(7)
    codes = rng.integers(0, 1 << dtype.bits, shape, np.uint64).astype(dtype.code)
    return codes.view(dtype.carrier)


def raw(array: np.ndarray) -> bytes:
    return np.ascontiguousarray(array).tobytes()


def converted(src: dtypes.ElementType, dst: dtypes.ElementType, source: np.ndarray, rules: Rules = A3510) -> np.ndarray:
    out = np.empty(source.shape, dst.carrier)
    cast(src, dst, mode_for(dst), rules)(source, out)
    return out


def strided(shape: tuple[int, ...], dtype: np.dtype) -> dict[str, np.ndarray]:
    """Arrays of one shape and every kind of strides that a walk makes, and some that it does not."""
    rows, lanes = shape
    gap = np.zeros((rows, lanes + 3), dtype)[:, 2:-1]
    return {
        "dense": np.zeros(shape, dtype),
        "gaps": gap,
        "every other lane": np.zeros((rows, 2 * lanes), dtype)[:, ::2],
        "reversed": np.zeros(shape, dtype)[::-1, ::-1],
        "transposed": np.zeros((lanes, rows), dtype).T,
        "blocks": np.zeros((rows, 2, lanes), dtype)[:, 0],
    }


LAYOUTS = list(strided((1, 1), np.dtype(np.uint8)))


@pytest.mark.parametrize("rules", [A3510, WRAPPING], ids=["saturating", "wrapping"])
@pytest.mark.parametrize(("src", "dst"), PAIRS, ids=str)
def test_strides_change_nothing(src, dst, rules):
    source = any_codes(src, (6, 32))
    want = raw(converted(src, dst, source, rules))
    for one, other in itertools.product(LAYOUTS, LAYOUTS):
        view, out = strided(source.shape, src.carrier)[one], strided(source.shape, dst.carrier)[other]
        view[...] = source
        cast(src, dst, mode_for(dst), rules)(view, out)
        assert raw(out) == want, (one, other)
        assert raw(view) == raw(source), "the source was changed"


@pytest.mark.parametrize(("src", "dst"), PAIRS, ids=str)
def test_gaps_between_lanes_are_not_written(src, dst):
    memory = np.frombuffer(b"\xa5" * 1024, dst.carrier).copy()
    cast(src, dst, mode_for(dst), A3510)(any_codes(src, (16,)), memory[:32:2])
    left = memory.copy()
    left[:32:2] = np.frombuffer(b"\xa5" * 16 * dst.carrier.itemsize, dst.carrier)
    assert raw(left) == b"\xa5" * 1024


@pytest.mark.parametrize("rules", [A3510, WRAPPING, C220], ids=["saturating", "wrapping", "A2"])
@pytest.mark.parametrize(("src", "dst"), SAME_SIZE, ids=str)
def test_source_and_destination_may_be_the_same_memory(src, dst, rules):
    for mode in RoundMode:
        if mode is RoundMode.CAST_HYBRID or (dst is hifloat8_t and mode is not RoundMode.CAST_ROUND):
            continue
        source = any_codes(src, (5, 16))
        want = np.empty(source.shape, dst.carrier)
        kernel = cast(src, dst, mode, rules)
        kernel(source, want)
        kernel(source, source.view(dst.carrier))
        assert raw(source) == raw(want), mode


@pytest.mark.parametrize(("src", "dst"), PAIRS, ids=str)
def test_no_lanes_are_no_work(src, dst):
    for shape in ((0,), (3, 0), (0, 64)):
        assert converted(src, dst, np.empty(shape, src.carrier)).shape == shape


@pytest.mark.parametrize(("src", "dst"), PAIRS, ids=str)
def test_one_lane_at_a_time_gives_the_same_as_all_at_once(src, dst):
    source = any_codes(src, (96,))
    singles = [converted(src, dst, source[lane : lane + 1]) for lane in range(len(source))]
    assert raw(np.concatenate(singles)) == raw(converted(src, dst, source))


@pytest.mark.parametrize(("src", "dst"), [(float32, half), (half, int32_t), (int64_t, float32), (double, float32)])
def test_long_arrays_are_converted_in_pieces(src, dst, monkeypatch):
    source = any_codes(src, (7, 65))
    want = raw(converted(src, dst, source))
    for lanes in (1, 13, 64, 65, 130, 1000):  # less than a row, rows that do not divide evenly, everything
        monkeypatch.setattr(tiles, "LANES", lanes)
        assert raw(converted(src, dst, source)) == want
        assert raw(converted(src, dst, source.reshape(-1))) == want


def test_the_same_arguments_give_the_same_kernel():
    for src, dst in PAIRS:
        assert cast(src, dst, mode_for(dst), A3510) is cast(src, dst, mode_for(dst), Rules(Arch.A3510))


def test_a_scale_of_minus_zero_is_not_a_scale_of_zero():
    for scale, want in ((0.0, 0x0000), (-0.0, 0x8000), (0.0, 0x0000)):
        out = converted(int32_t, half, np.array([5], np.int32), Rules(Arch.C220, deq_scale=scale))
        assert out.view(np.uint16).tolist() == [want]


def test_an_unset_scale_is_one():
    assert converted(int32_t, half, np.array([5], np.int32), C220).tolist() == [5.0]


def test_pairs_that_no_product_has_are_refused_by_name():
    with pytest.raises(ValueError, match=r"no product converts half to uint32_t; half converts to float32, .*int4b_t"):
        cast(half, uint32_t, RoundMode.CAST_RINT, A3510)
    with pytest.raises(ValueError, match="fp8_e8m0_t converts to nothing"):
        cast(dtypes.fp8_e8m0_t, float32, RoundMode.CAST_NONE, A3510)
    refused = 0
    for src, dst in itertools.product(dtypes.ALL.values(), repeat=2):
        if (src, dst) not in PAIRS:
            with pytest.raises(ValueError, match="no product converts"):
                cast(src, dst, RoundMode.CAST_RINT, A3510)
            refused += 1
    assert refused == len(dtypes.ALL) ** 2 - len(PAIRS)


def test_modes_without_a_meaning_are_refused():
    with pytest.raises(ValueError, match="CAST_HYBRID converts float32 and half to hifloat8_t only"):
        cast(float32, half, RoundMode.CAST_HYBRID, A3510)
    with pytest.raises(ValueError, match="CAST_RINT does not convert to hifloat8_t"):
        cast(float32, hifloat8_t, RoundMode.CAST_RINT, A3510)
    with pytest.raises(ValueError, match="hybrid_policy must be 'literal' or 'exact_guard', not 'guess'"):
        cast(float32, hifloat8_t, RoundMode.CAST_HYBRID, Rules(Arch.A3510, hybrid_policy="guess"))


@pytest.mark.parametrize("src", [half, float32, bfloat16_t, fp4x2_e2m1_t, int4b_t, int8_t, fp8_e4m3fn_t, int32_t])
def test_pairs_that_lose_nothing_ignore_the_mode(src):
    wider = {half: float32, bfloat16_t: float32, fp4x2_e2m1_t: bfloat16_t, int4b_t: int16_t}
    wider |= {int8_t: int32_t, fp8_e4m3fn_t: float32, int32_t: int64_t, float32: float32}
    source = np.array([0, 1, 2, 3], src.carrier)
    outs = set()
    for mode in set(RoundMode) - {RoundMode.CAST_HYBRID}:
        out = np.empty(4, wider[src].carrier)
        cast(src, wider[src], mode, A3510)(source, out)
        outs.add(raw(out))
    assert len(outs) == 1


# ------------------------------------------------------------------------------------------------- to integral


@pytest.mark.parametrize("arch", [Arch.A3510, Arch.C220, Arch.C100])
@pytest.mark.parametrize("mode", set(RoundMode) - {RoundMode.CAST_HYBRID}, ids=repr)
@pytest.mark.parametrize("dtype", [half, bfloat16_t], ids=str)
def test_narrow_floats_round_to_integral_values(dtype, mode, arch):
    codes = np.arange(0, 1 << 16, 37).astype(np.uint16)
    out = np.empty(codes.shape, dtype.carrier)
    round_to_integral(dtype, mode, Rules(arch))(codes.view(dtype.carrier), out)
    rule = "away" if arch is Arch.C100 and mode is RoundMode.CAST_ROUND else mode.name
    for code, got in zip(codes.tolist(), out.view(np.uint16).tolist(), strict=True):
        value = oracle.decode(dtype.name, code)
        if value.magnitude is None:
            assert oracle.same(dtype.name, got, code)
            continue
        result = oracle.decode(dtype.name, got)
        assert result.magnitude == oracle.to_integer(value.magnitude, value.negative, rule)
        assert result.negative == (value.negative and not (arch is Arch.C220 and result.magnitude == 0))


def test_only_computing_floats_round_to_integral_values():
    with pytest.raises(ValueError, match="int32_t cannot be rounded to integral values"):
        round_to_integral(int32_t, RoundMode.CAST_RINT, A3510)


@pytest.mark.parametrize("rounding", Rounding, ids=lambda rounding: rounding.name)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_integral_values_of_both_widths(rounding, dtype):
    """Where adding a half would go wrong: just below a half, and where the half is the last bit."""
    name = {
        Rounding.EVEN: "CAST_RINT",
        Rounding.DOWN: "CAST_FLOOR",
        Rounding.UP: "CAST_CEIL",
        Rounding.HALF_AWAY: "CAST_ROUND",
        Rounding.ZERO: "CAST_TRUNC",
        Rounding.ODD: "CAST_ODD",
        Rounding.AWAY: "away",
    }[rounding]
    bits = np.finfo(dtype).nmant
    marks = np.array(
        [0.5, 1.5, 2.5, 1, 2, 2.0 ** (bits - 1) + 0.5, 2.0**bits - 0.5, 2.0**bits, 2.0 ** (bits + 1), 1e-30]
    )
    positive = np.concatenate([np.nextafter(marks.astype(dtype), dtype(0)), marks.astype(dtype), marks[:4] * 0.75])
    x = np.concatenate([positive, -positive]).astype(dtype)
    got = INTEGRAL[rounding](x)
    assert got.dtype == dtype
    for value, result in zip(x.tolist(), got.tolist(), strict=True):
        magnitude = oracle.to_integer(abs(oracle.Fraction(value)), value < 0, name)
        assert result == (-magnitude if value < 0 else magnitude)


def test_sticky_float32_is_odd_or_exact():
    rng = np.random.default_rng(3)
    fields = np.concatenate([rng.integers(1023 - 155, 1023 + 135, 4000), np.arange(1023 - 155, 1023 + 135)])
    fraction = (
        rng.integers(0, 1 << 52, fields.size) >> rng.integers(0, 52, fields.size) << rng.integers(0, 30, fields.size)
    )
    x = ((fields << 52) | fraction & ((1 << 52) - 1)).view(np.float64)
    got = sticky_float32(x).view(np.uint32).tolist()
    for value, code in zip(x.tolist(), got, strict=True):
        want = oracle.to_wide("float32", oracle.Fraction(value), False, "CAST_ODD")
        # rounding to odd never reaches infinity: the largest value is odd
        assert code == min(want, 0x7F7FFFFF)
    specials = np.array([np.inf, -np.inf, np.nan, -0.0])
    assert str(sticky_float32(specials).tolist()) == "[inf, -inf, nan, -0.0]"


def test_complex_parts_are_converted_alone():
    source = np.array([1.5 - 2.5j, 1e6 + 0.1j], np.complex64)
    halves = converted(complex64, complex32, source).view(np.float16)
    assert halves.tolist() == [1.5, -2.5, 65504.0, float(np.float16(0.1))]
    assert converted(complex32, complex64, halves.view(np.uint32)).tolist()[0] == 1.5 - 2.5j
    assert converted(complex64, complex64, source).tolist() == [2 - 2j, 1e6 + 0j]
