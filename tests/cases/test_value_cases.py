"""Kernels from public bug reports about values: comparisons, conversions, gathers, sums. Numbers of spec 06."""

import numpy as np
import pytest

from ascend_sim import (
    CMPMODE,
    NPU,
    PIPE_ALL,
    SELMODE,
    Adds,
    Cast,
    Compare,
    CompareScalar,
    CreateVecIndex,
    Div,
    Duplicate,
    Exp,
    Gather,
    LocalTensor,
    Muls,
    PipeBarrier,
    ReduceMax,
    ReduceSum,
    RoundMode,
    Select,
    SetDeqScale,
    TPosition,
    WholeReduceSum,
    bfloat16_t,
    float32,
    half,
    int8_t,
    int16_t,
    int32_t,
    uint8_t,
    uint16_t,
    uint32_t,
)
from tests.helpers import clean, fires, refused_in_every_mode, remarks, run


class TestC09CompareCountIsWholeRepeats:
    """A comparison of 100 floats evaluates 64 and silently drops the tail."""

    @staticmethod
    def kernel_for(count):
        def kernel(core):
            a = core.alloc(float32, 128, range(128))
            m = core.alloc(uint8_t, 32, [0xAA] * 32)
            yield m
            CompareScalar(m, a, 64.0, CMPMODE.GE, count)  # fires

        return kernel

    def test_wrong(self):
        words = ("100", "400 bytes", "256", "128")
        m = fires(self.kernel_for(100), "compare-length", words=words).values[0]
        assert m.tolist() == [0] * 8 + [0xAA] * 24

    def test_right(self):
        m = clean(self.kernel_for(128)).values[0]
        assert m.tolist() == [0] * 8 + [0xFF] * 8 + [0xAA] * 16


class TestC11MaskTileUnderScratch:
    """Rows of packed bits, 32 bytes apart, were taken for 8 bytes each, so scratch was placed over rows 4 and up."""

    ROWS = 32

    def kernel_for(self, scratch):
        def kernel(core):
            x = core.alloc(float32, 64, range(64), addr=0x10000, name="x")
            y = core.alloc(float32, 64, [-1] * 64, addr=0x11000, name="y")
            d = core.alloc(float32, 64 * self.ROWS, addr=0x12000, name="d")
            m = LocalTensor(uint8_t, TPosition.VECCALC, 0, 32 * self.ROWS)
            t = LocalTensor(uint16_t, TPosition.VECCALC, scratch, 2048)
            for row in range(self.ROWS):
                Compare(m[32 * row :], x, x, CMPMODE.EQ, 64)
            Duplicate(t, 0, 2048)
            yield d
            for row in range(self.ROWS):
                Select(d[64 * row :], m[32 * row :], x, y, SELMODE.VSEL_TENSOR_TENSOR_MODE, 64)  # fires

        return kernel

    def test_wrong(self):
        strict = run(self.kernel_for(128), "raise")
        assert strict.error is not None, strict.findings
        finding = strict.error.finding
        assert (finding.code, finding.severity, finding.instruction) == ("aliased-tensors", "error", "Select")
        assert finding.address == 128
        recorded = run(self.kernel_for(128), "record")
        assert set(recorded.codes) == {"aliased-tensors"}
        d = recorded.values[0].reshape(self.ROWS, 64)
        assert (d[:4] == np.arange(64)).all()
        assert (d[4:] == -1).all()

    def test_right(self):
        d = clean(self.kernel_for(32 * self.ROWS)).values[0].reshape(self.ROWS, 64)
        assert (d == np.arange(64)).all()


class TestC26CompositeInPlace:
    """silu(s) with d the same tensor as s: the source is gone before the division reads it."""

    def test_wrong(self):
        def kernel(core):
            s = d = core.alloc(half, 16, [1.0] * 16)
            yield d
            Muls(d, s, -1, 16)
            Exp(d, d, 16)
            Adds(d, d, 1, 16)
            Div(d, s, d, 16)

        outcome = run(kernel, "raise")
        assert outcome.findings == []
        assert outcome.values[0].tolist() == [1.0] * 16

    def test_who_wrote_it(self):
        with NPU().core() as core:
            s = d = core.alloc(half, 16, [1.0] * 16)
            Muls(d, s, -1, 16)
            Exp(d, d, 16)
            Adds(d, d, 1, 16)
            Div(d, s, d, 16)
            lines = [entry.site.line for entry in core.trace if entry.name in {"Muls", "Exp", "Adds", "Div"}]
            exp, div = (next(entry for entry in core.trace if entry.name == name) for name in ("Exp", "Div"))
            write = core.who_wrote(s, 0, before=div)
            assert (write.name, write.site.line) == ("Adds", lines[2])
            assert core.who_wrote(s, 0, before=exp).site.line == lines[0]

    def test_right(self):
        def kernel(core):
            s = core.alloc(half, 16, [1.0] * 16)
            d = core.alloc(half, 16)
            yield d
            Muls(d, s, -1, 16)
            Exp(d, d, 16)
            Adds(d, d, 1, 16)
            Div(d, s, d, 16)

        assert clean(kernel).values[0] == pytest.approx(0.7310, abs=5e-4)


class TestC30OutOfRange:
    """Conversions saturate; float to half depends on the mode of the control register."""

    @staticmethod
    def cast(source, destination, value, mode=RoundMode.CAST_RINT, **options):
        def kernel(core):
            a = core.alloc(source, 32, [value] * 32)
            d = core.alloc(destination, 32)
            yield d
            Cast(d, a, mode, 32)

        return clean(kernel, **options).values[0][0]

    @pytest.mark.parametrize(
        ("source", "destination", "value", "expected"),
        [
            (half, int8_t, 300, 127),
            (half, int8_t, -300, -128),
            (float32, int16_t, 40000, 32767),
            (float32, int32_t, float("nan"), 0),
        ],
    )
    def test_saturates(self, source, destination, value, expected):
        assert self.cast(source, destination, value) == expected

    def test_int32_to_int16(self):
        assert self.cast(int32_t, int16_t, 70000, RoundMode.CAST_NONE) == 32767

    @pytest.mark.parametrize(("mode", "expected"), [("saturate", 65504), ("inf_nan", np.inf)])
    def test_float_to_half(self, mode, expected):
        assert self.cast(float32, half, 70000, float_mode=mode) == expected

    def test_negative_to_unsigned(self):
        def kernel(core):
            a = core.alloc(half, 32, [-3.0] * 32)
            d = core.alloc(uint8_t, 32)
            yield d
            Cast(d, a, RoundMode.CAST_TRUNC, 32)  # fires

        remarks(kernel, "negative-to-unsigned", "warning", operand="src", lane=0)


class TestC31Int32ToHalfIsScaled:
    """The conversion multiplies by a register that the kernel has to set; the rounding mode plays no part."""

    def test_wrong(self):
        def kernel(core):
            a = core.alloc(int32_t, 16, range(16))
            d = core.alloc(half, 16)
            yield d
            Cast(d, a, RoundMode.CAST_RINT, 16)  # fires

        fires(kernel, "deq-scale-unset", instruction="Cast", words=("SetDeqScale",))

    @pytest.mark.parametrize("scale", [0.5, 1.0])
    def test_right(self, scale):
        def kernel(core):
            a = core.alloc(int32_t, 16, range(16))
            d = core.alloc(half, 16)
            yield d
            SetDeqScale(scale)
            Cast(d, a, RoundMode.CAST_NONE, 16)

        assert clean(kernel).values[0].tolist() == [scale * i for i in range(16)]


class TestC40GatherOffsetsAreBytes:
    """Element indices as offsets: refused where they are no multiple of the size, doubted where they happen to be."""

    @staticmethod
    def kernel_for(offsets):
        def kernel(core):
            s = core.alloc(float32, 64, range(64))
            o = core.alloc(uint32_t, 8, offsets)
            d = core.alloc(float32, 8)
            yield d
            Gather(d, s, o, 0, len(offsets))  # fires

        return kernel

    def test_wrong(self):
        words = ("entry 1", "offset 1", "sizeof=4")
        fires(self.kernel_for(range(8)), "gather-offset", instruction="Gather", words=words)

    def test_silent_variant(self):
        result = remarks(self.kernel_for([0, 4, 8, 12]), "gather-scale", "note", words=("64", "sizeof=4"))
        assert result.values[0][:4].tolist() == [0, 1, 2, 3]

    def test_right(self):
        outcome = run(self.kernel_for([4 * i for i in range(8)]), "raise")
        assert outcome.error is None
        assert outcome.values[0].tolist() == [*range(8)]
        assert {f.severity for f in outcome.findings} <= {"note"}  # 28 < 64: it cannot know
        assert clean(self.kernel_for([4 * i for i in range(56, 64)])).values[0].tolist() == [*range(56, 64)]


class TestC42AccumulatingInHalf:
    """A binary tree of halves loses what left-to-right would lose more of; a constant input hides it."""

    def test_wrong(self):
        def kernel(core):
            x = core.alloc(half, 128, [2048, *[1.0] * 127])
            d = core.alloc(half, 16)
            yield d
            WholeReduceSum(d, x, 128, 1, 1, 1, 8)  # fires

        result = remarks(kernel, "half-accumulation", "note", instruction="WholeReduceSum", words=("2174", "2175"))
        assert result.values[0][0] == 2174

    def test_right(self):
        def kernel(core):
            x = core.alloc(half, 128, [2048, *[1.0] * 127])
            wide, total, work = core.alloc(float32, 128), core.alloc(float32, 8), core.alloc(float32, 64)
            d = core.alloc(half, 16)
            yield d
            Cast(wide, x, RoundMode.CAST_NONE, 128)
            ReduceSum(total, wide, work, 128)
            Cast(d, total, RoundMode.CAST_RINT, 1)

        assert clean(kernel).values[0][0] == 2176


def softmax_sum(values, pad, lanes=8):
    """max and sum(exp(x - max)) over `lanes` lanes of a block whose tail is filled with `pad`."""
    with NPU().core() as core:
        x = core.alloc(float32, 8, [*values, *[pad] * (8 - len(values))])
        m, s, work = core.alloc(float32, 8), core.alloc(float32, 8), core.alloc(float32, 64)
        ReduceMax(m, x, work, lanes)
        PipeBarrier(PIPE_ALL)
        top = m.GetValue(0)
        PipeBarrier(PIPE_ALL)
        Adds(x, x, -top, lanes)
        Exp(x, x, lanes)
        ReduceSum(s, x, work, lanes)
        assert core.findings == []
        return top, s.numpy()[0]


class TestC44ZeroIsNoNeutralPad:
    """Zero padding is right for a sum, not for a maximum or for what exp makes of it."""

    def test_wrong(self):
        assert softmax_sum([1, 2, 3], 0) == (3, pytest.approx(1.75215, abs=1e-5))
        assert softmax_sum([-1, -2, -3], 0)[0] == 0

    @pytest.mark.parametrize(("pad", "lanes"), [(-np.inf, 8), (0, 3), (np.nan, 3), (1e30, 3)])
    def test_right(self, pad, lanes):
        assert softmax_sum([1, 2, 3], pad, lanes) == (3, pytest.approx(1.50321, abs=1e-5))
        assert softmax_sum([-1, -2, -3], pad, lanes)[0] == -1


@pytest.mark.parametrize("dtype", [half, bfloat16_t])
class TestC49ScalarHalf:
    """The scalar unit has no arithmetic on half; a plain numpy simulator would hide the compile error."""

    def test_wrong(self, dtype):
        def kernel(core):
            m = core.alloc(dtype, 16, [4.0] * 16)
            a = core.alloc(float32, 64, [1.0] * 64)
            d = core.alloc(float32, 64)
            yield d
            s = m.GetValue(0)
            Muls(d, a, 1.0 / s, 64)  # fires

        refused_in_every_mode(kernel, "scalar-half", words=(str(dtype), "float("))

    def test_right(self, dtype):
        def kernel(core):
            m = core.alloc(dtype, 16, [4.0] * 16)
            a = core.alloc(float32, 64, [1.0] * 64)
            d = core.alloc(float32, 64)
            yield d
            Muls(d, a, 1.0 / float(m.GetValue(0)), 64)

        assert clean(kernel).values[0].tolist() == [0.25] * 64


def test_c48_index_ramp_is_ordered_inside():
    """CreateVecIndex is partly scalar; the wait is its own, so nothing may be reported."""

    def kernel(core):
        i = core.alloc(int32_t, 64)
        f = core.alloc(float32, 64)
        yield f
        CreateVecIndex(i, 0, 64)
        Cast(f, i, RoundMode.CAST_RINT, 64)

    assert clean(kernel).values[0].tolist() == [*range(64)]
