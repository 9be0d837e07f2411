"""Kernels from public bug reports: what the hardware does, and what the author should be told. Numbers of spec 06."""

import numpy as np
import pytest

from ascend_sim import (
    MASK_PLACEHOLDER,
    PIPE_ALL,
    Adds,
    Cast,
    DataCopy,
    Duplicate,
    GlobalTensor,
    PipeBarrier,
    RoundMode,
    SetMaskCount,
    SetMaskNorm,
    SetVectorMask,
    float32,
    half,
    int8_t,
    int32_t,
)
from tests.helpers import ALL, clean, fires, remarks, run


def gm(array, dtype=half):
    tensor = GlobalTensor(dtype)
    tensor.SetGlobalBuffer(array)
    return tensor


class TestC01MaskedLanesKeepWhatWasThere:
    """A masked lane is not written: the destination keeps old bytes, and a launch that copies them out is told."""

    @staticmethod
    def leftover(core):
        yield core.alloc(half, 128, [7.0] * 128, addr=256)

    def test_contiguous_mask(self):
        array = np.zeros(128, np.float16)

        def kernel(core):
            src = core.alloc(half, 128, range(128))
            dst = core.alloc(half, 128)
            yield array, dst
            Adds(dst, src, 1.0, 100, 1, (1, 1, 8, 8))
            PipeBarrier(PIPE_ALL)
            DataCopy(gm(array), dst, 128)  # fires

        result = remarks(
            kernel,
            "stale-read",
            "warning",
            after=self.leftover,
            instruction="DataCopy",
            address=256 + 200,
            alias="ErrorRead2",
            words=("dst",),
        )
        assert result.values[0][99] == 100
        assert (result.values[0][100:] == 7).all()
        assert (result.states[0][:100] == "written").all()
        assert (result.states[0][100:] == "stale").all()

    def test_bitwise_mask(self):
        def kernel(core):
            src = core.alloc(half, 128, range(128))
            dst = core.alloc(half, 128)
            yield dst
            Adds(dst, src, 1.0, [0x5555_5555_5555_5555] * 2, 1, (1, 1, 8, 8))

        result = clean(kernel, after=self.leftover)
        assert result.values[0][:3].tolist() == [1, 7, 3]
        assert (result.states[0] == "stale").tolist() == [False, True] * 64


class TestC02MaskAppliesToEveryRepeat:
    """100 floats are not two repeats under a mask of 36: every repeat leaves 28 lanes."""

    def test_wrong(self):
        array = np.zeros(128, np.float32)

        def kernel(core):
            src = core.alloc(float32, 128, range(128))
            dst = core.alloc(float32, 128, [-1] * 128)
            yield dst
            Adds(dst, src, 0.5, 36, 2, (1, 1, 8, 8))
            PipeBarrier(PIPE_ALL)
            DataCopy(gm(array, float32), dst, 128)

        result = run(kernel, "raise")
        assert result.codes == ["partial-mask-repeat"]
        assert "28" in result.findings[0].message
        dst = result.values[0]
        assert (dst[35], dst[64], dst[99], dst[100]) == (35.5, 64.5, 99.5, -1)
        assert (dst[36:64] == -1).all()

    @pytest.mark.parametrize("form", ["tail call", "count"])
    def test_right(self, form):
        array = np.zeros(128, np.float32)

        def kernel(core):
            src = core.alloc(float32, 128, range(128))
            dst = core.alloc(float32, 128, [-1] * 128)
            yield dst
            if form == "count":
                Adds(dst, src, 0.5, count=100)
            else:
                Adds(dst, src, 0.5, mask=64, repeat_time=1, repeat_params=(1, 1, 8, 8))
                Adds(dst[64:], src[64:], 0.5, mask=36, repeat_time=1, repeat_params=(1, 1, 8, 8))
            PipeBarrier(PIPE_ALL)
            DataCopy(gm(array, float32), dst, 128)

        assert clean(kernel).values[0].tolist() == [i + 0.5 for i in range(100)] + [-1] * 28


class TestC04RepeatAbove255Wraps:
    """300 repeats are 44 in an 8-bit field: the first part is right, the rest untouched."""

    n = 128 * 300

    def test_wrong(self):
        def kernel(core):
            src = core.alloc(half, self.n, np.arange(self.n) % 1000)
            dst = core.alloc(half, self.n, np.full(self.n, -1))
            yield dst
            Adds(dst, src, 1.0, 128, 300, (1, 1, 8, 8))  # fires

        dst = fires(kernel, "repeat-range", instruction="Adds", words=("300", "255", "44")).values[0]
        assert (dst[:5632] == np.arange(5632) % 1000 + 1).all()
        assert (dst[5632:] == -1).all()

    @pytest.mark.parametrize("product", ALL)
    def test_count_form_has_no_such_limit(self, product):
        def kernel(core):
            src = core.alloc(half, self.n, np.arange(self.n) % 1000)
            dst = core.alloc(half, self.n, np.full(self.n, -1))
            yield dst
            Adds(dst, src, 1.0, count=self.n)

        assert (clean(kernel, product=product).values[0] == np.arange(self.n) % 1000 + 1).all()


class TestC05NoRepeatAndNoMask:
    """An empty loop is silent on the card; 256 repeats are none."""

    @pytest.mark.parametrize(
        ("mask", "repeats", "code"), [(128, 0, "zero-repeat"), (0, 1, "empty-mask")], ids=["repeat 0", "mask 0"]
    )
    def test_nothing_happens(self, mask, repeats, code):
        def kernel(core):
            dst = core.alloc(half, 256, [3] * 256)
            yield dst
            Duplicate(dst, 9.0, mask, repeats, 1, 8)  # fires

        assert remarks(kernel, code, "note", instruction="Duplicate").values[0].tolist() == [3] * 256

    def test_destination_was_never_written(self):
        def kernel(core):
            dst = core.alloc(half, 256)
            yield dst
            Duplicate(dst, 9.0, 128, 0, 1, 8)

        assert (run(kernel, "raise").states[0] == "uninitialised").all()

    def test_256(self):
        def kernel(core):
            dst = core.alloc(half, 256, [3] * 256)
            yield dst
            Duplicate(dst, 9.0, 128, 256, 1, 8)

        strict, recorded = run(kernel, "raise"), run(kernel, "record")
        assert strict.error.finding.code == "repeat-range"
        assert recorded.codes[0] == "repeat-range"
        assert recorded.values[0].tolist() == [3] * 256


def test_c06_stride_in_elements():
    """Strides count blocks of 32 bytes: 64 is 2048 bytes, and the second repeat leaves the tensor."""

    def kernel(core):
        a = core.alloc(float32, 2048, range(2048))
        d = core.alloc(float32, 256)
        yield d
        Adds(d, a, 1, 64, 4, (1, 1, 64, 64))  # fires

    base = 4 * 2048
    where = {"operand": "dst", "repeat": 1, "block": 0, "address": base + 2048, "alias": "ErrorWrite2"}
    words = ("Adds dst", "d", "32", "6400")
    fires(kernel, "out-of-bounds-write", instruction="Adds", **where, words=words)


class TestC13UnalignedOperand:
    """The card only prints a register dump: the message must say which operand and which offset is legal."""

    def test_copy(self):
        def kernel(core):
            x = core.alloc(float32, 64)
            yield x
            DataCopy(x[1:], gm(np.zeros(8, np.float32), float32), 8)  # fires

        where = {"instruction": "DataCopy", "operand": "dst", "address": 4, "alias": "ErrorWrite4"}
        fires(kernel, "alignment", **where, words=("x", "offset 1", "32", "offset: 8"))

    def test_vector_instruction(self):
        def kernel(core):
            x = core.alloc(float32, 64, range(64))
            y = core.alloc(float32, 64)
            yield y
            Adds(y, x[1:], 1, count=8)  # fires

        fires(kernel, "alignment", instruction="Adds", operand="src", address=4)

    def test_right(self):
        def kernel(core):
            x = core.alloc(float32, 64)
            yield x
            DataCopy(x[8:], gm(np.zeros(8, np.float32), float32), 8)

        clean(kernel)


def test_c22_counter_mode_left_on():
    """The next call that trusts the stored mask covers 4096 elements of a tensor that has 64."""

    def kernel(core):
        d = core.alloc(float32, 64)
        g = core.alloc(float32, 64, [5] * 64)
        s_int32 = core.alloc(int32_t, 4096, range(4096), addr=32768)
        SetMaskCount()
        SetVectorMask(0, 4096)
        yield g
        Cast(d, s_int32, RoundMode.CAST_NONE, MASK_PLACEHOLDER, 1, (1, 1, 8, 8), is_set_mask=False)  # fires
        SetMaskNorm()
        SetVectorMask((1 << 64) - 1, (1 << 64) - 1)

    where = {"operand": "dst", "repeat": 1, "lane": 0, "address": 256, "alias": "ErrorWrite2"}
    words = ("Cast dst", "counter", "4096")
    result = fires(kernel, "out-of-bounds-write", instruction="Cast", **where, words=words)
    assert result.values[0].tolist() == list(range(64, 128))


def test_c24_shifted_in_place_update():
    """Repeat 1 reads what repeat 0 wrote; in one repeat, source and destination overlap in part."""

    def kernel(core):
        b = core.alloc(float32, 200, range(200))
        yield b
        Adds(b[8:], b, 1.0, 64, 2, (1, 1, 8, 8))  # fires

    b = fires(kernel, "overlap", instruction="Adds", words=("Adds", "src", "dst")).values[0]
    assert b[8:72].tolist() == list(range(1, 65))
    assert b[72] == 58  # 65 if the source were untouched


HALVES = [-2.5, -1.5, -0.5, 0.5, 1.5, 2.5]
ROUNDED = {
    RoundMode.CAST_RINT: [-2, -2, -0.0, 0, 2, 2],
    RoundMode.CAST_ROUND: [-3, -2, -1, 1, 2, 3],
    RoundMode.CAST_FLOOR: [-3, -2, -1, 0, 1, 2],
    RoundMode.CAST_CEIL: [-2, -1, -0.0, 1, 2, 3],
    RoundMode.CAST_TRUNC: [-2, -1, -0.0, 0, 1, 2],
}


class TestC29HalfWay:
    """Each rounding mode has its own answer half-way, and its own sign of zero."""

    @staticmethod
    def cast(product, mode, source, destination):
        def kernel(core):
            a = core.alloc(source, 8, [*HALVES, 0, 0])
            d = core.alloc(destination, 8)
            yield d
            Cast(d, a, mode, 6)

        return clean(kernel, product=product).values[0][:6]

    @pytest.mark.parametrize("product", ALL)
    @pytest.mark.parametrize("mode", ROUNDED)
    @pytest.mark.parametrize("source", [half, float32])
    def test_to_int32(self, product, mode, source):
        assert self.cast(product, mode, source, int32_t).tolist() == ROUNDED[mode]

    @pytest.mark.parametrize("product", ["ascend910b", "ascend910_93", "ascend950"])
    @pytest.mark.parametrize("mode", ROUNDED)
    def test_to_float(self, product, mode):
        found = self.cast(product, mode, float32, float32)
        assert found.tolist() == ROUNDED[mode]
        keeps_sign = product == "ascend950"  # A2 and A3 store +0
        assert np.signbit(found).tolist() == [bool(np.signbit(x)) and (x != 0 or keeps_sign) for x in ROUNDED[mode]]

    @pytest.mark.parametrize("product", [p for p in ALL if p != "ascend950"])
    def test_none_is_rint_where_precision_is_lost(self, product):
        assert self.cast(product, RoundMode.CAST_NONE, half, int8_t).tolist() == ROUNDED[RoundMode.CAST_RINT]


def test_m4_count_form_of_duplicate_is_exact():
    """A count that is no multiple of a block does not spill over."""

    def kernel(core):
        d = core.alloc(float32, 8, [1] * 8)
        yield d
        Duplicate(d, 5, count=3)

    for product in ALL:
        assert clean(kernel, product=product).values[0].tolist() == [5, 5, 5, 1, 1, 1, 1, 1]
