"""Copies in all their forms: units, gaps, filler, layouts, atomics."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from ascend_sim import (
    NPU,
    PIPE_ALL,
    Adds,
    DataCopy,
    DataCopyExtParams,
    DataCopyPad,
    DataCopyPadExtParams,
    DataCopyParams,
    GlobalTensor,
    KernelError,
    Nd2NzParams,
    Nz2NdParamsFull,
    PipeBarrier,
    SetAtomicAdd,
    SetAtomicMax,
    SetAtomicMin,
    SetAtomicNone,
    SetPadValue,
    bfloat16_t,
    double,
    float32,
    half,
    int16_t,
    int32_t,
)


def gm_of(array, dtype):
    tensor = GlobalTensor(dtype)
    tensor.SetGlobalBuffer(array)
    return tensor


def test_gaps_of_datacopy_run_from_end_to_start_in_blocks():
    source = np.arange(64, dtype=np.int32)
    with NPU(ub_fill="zero").core() as core:
        x = core.alloc(int32_t, 64)
        DataCopy(x, gm_of(source, int32_t), DataCopyParams(2, 1, 2, 1))
        states = x.lane_states()
    assert x.numpy()[:24].tolist() == [*range(8), *[0] * 8, *range(24, 32)]
    assert (states[8:16] == "uninitialised").all()
    assert (states[16:24] == "written").all()


def test_inside_the_buffer_it_is_vector_work():
    with NPU().core() as core:
        x, y = core.alloc(half, 32, range(32)), core.alloc(half, 32)
        DataCopy(y, x, 32)
        Adds(y, y, 1, 32)
    assert y.numpy().tolist() == list(range(1, 33))
    assert [e.pipe.name for e in core.trace if e.name in ("DataCopy", "PipeBarrier")] == ["V", "V"]


class TestPaddingIn:
    """Every row of the table of spec 01 section 3.3."""

    @staticmethod
    def copy(pad, *, length=22, pad_value=None, elements=16):
        source = np.arange(1, 1 + length // 2).astype(np.float16)
        with NPU(check="record").core() as core:
            x = core.alloc(half, elements)
            if pad_value is not None:
                SetPadValue(pad_value, dtype=half)
            DataCopyPad(x, gm_of(source, half), DataCopyExtParams(1, length, 0, 0), pad)
            return x.numpy().tolist(), x.lane_states().tolist()

    def test_no_padding_repeats_the_first_element(self):
        values, states = self.copy(None)
        assert values == [*range(1, 12), 1, 1, 1, 1, 1]
        assert states == ["written"] * 11 + ["pad"] * 5

    def test_a_given_value_counts_as_written(self):
        values, states = self.copy(DataCopyPadExtParams(1, 2, 3, 7))
        assert values == [7, 7, *range(1, 12), 7, 7, 7]
        assert states == ["written"] * 16

    def test_the_dummy_behind_given_padding_has_the_value_too(self):
        values, states = self.copy(DataCopyPadExtParams(1, 0, 1, -2))
        assert values == [*range(1, 12), -2, -2, -2, -2, -2]
        assert states == ["written"] * 16

    def test_padding_without_a_value_is_unset(self):
        _, states = self.copy(DataCopyPadExtParams(0, 0, 5, 0))
        assert states == ["written"] * 11 + ["uninitialised"] * 5

    def test_the_register_gives_the_value(self):
        values, states = self.copy(DataCopyPadExtParams(0, 0, 5, 0), pad_value=4)
        assert values == [*range(1, 12), 4, 4, 4, 4, 4]
        assert states == ["written"] * 16

    def test_whole_blocks_have_no_dummy(self):
        values, states = self.copy(None, length=32)
        assert values == list(range(1, 17))
        assert states == ["written"] * 16

    def test_padding_of_more_than_a_block_is_a_finding(self):
        with NPU().core() as core:
            x, source = core.alloc(half, 64), gm_of(np.zeros(16, np.float16), half)
            with pytest.raises(KernelError) as caught:
                DataCopyPad(x, source, (1, 22, 0, 0), (1, 17, 0, 0))
        assert caught.value.finding.code == "field-range"
        assert "left_padding=17 elements of half are 34 bytes" in caught.value.finding.message

    def test_units_are_bytes_in_gm_and_blocks_in_the_buffer(self):
        source = np.arange(40).astype(np.float16)
        with NPU(ub_fill="zero").core() as core:
            x = core.alloc(half, 48)
            DataCopyPad(x, gm_of(source, half), DataCopyExtParams(2, 20, 4, 1), DataCopyPadExtParams(1, 0, 3, 9))
        assert x.numpy()[:16].tolist() == [*range(10), *[9] * 6]
        assert x.numpy()[32:].tolist() == [*range(12, 22), *[9] * 6]


def test_padded_copies_out_drop_the_dummy():
    out = np.full(16, 9, np.int32)
    with NPU().core() as core:
        x = core.alloc(int32_t, 24, range(24))
        DataCopyPad(gm_of(out, int32_t)[5:], x, DataCopyExtParams(2, 4, 1, 8))
    assert out.tolist() == [9] * 5 + [0] + [9] * 2 + [16] + [9] * 7


def test_filler_is_reported_where_it_is_read():
    with NPU().core() as core:
        x, y = core.alloc(half, 16), core.alloc(half, 16)
        DataCopyPad(x, gm_of(np.ones(11, np.float16), half), DataCopyExtParams(1, 22, 0, 0))
        PipeBarrier(PIPE_ALL)
        Adds(y, x, 1, 11)
        assert core.findings == []
        Adds(y, x, 1, 16)
    (finding,) = core.findings
    assert (finding.code, finding.lane, finding.operand) == ("pad-read", 11, "src")


@given(count=st.integers(1, 4), elements=st.integers(1, 40), gm_gap=st.integers(0, 9), gap=st.integers(0, 3))
def test_a_padded_round_trip_gives_every_element_back(count, elements, gm_gap, gap):
    source = np.arange(400).astype(np.int16)
    out = np.full(400, -1, np.int16)
    length = 2 * elements
    with NPU().core() as core:
        x = core.alloc(int16_t, 4096)
        DataCopyPad(x, gm_of(source, int16_t), DataCopyExtParams(count, length, 2 * gm_gap, gap))
        PipeBarrier(PIPE_ALL)
        DataCopyPad(gm_of(out, int16_t), x, DataCopyExtParams(count, length, gap, 2 * gm_gap))
    for burst in range(count):
        part = slice(burst * (elements + gm_gap), burst * (elements + gm_gap) + elements)
        np.testing.assert_array_equal(out[part], source[part])
        out[part] = -1
    assert (out == -1).all()


class TestLayouts:
    """The examples of the three pages."""

    def test_nd_to_nz(self):
        with NPU().core() as core:
            x = core.alloc(half, 1024)
            DataCopy(x, gm_of(np.arange(1024).astype(np.float16), half), Nd2NzParams(1, 32, 32, 0, 32, 32, 1, 0))
        expected = np.arange(1024).reshape(32, 2, 16).transpose(1, 0, 2)
        np.testing.assert_array_equal(x.numpy(), expected.ravel())

    def test_nd_to_nz_fills_narrow_columns_with_zero(self):
        with NPU().core() as core:
            x = core.alloc(half, 128)
            DataCopy(x, gm_of(np.arange(1, 97).astype(np.float16), half), Nd2NzParams(1, 2, 24, 0, 48, 2, 1, 0))
        rows = x.numpy()[:64].reshape(4, 16)
        np.testing.assert_array_equal(rows[2], [*range(17, 25), *[0] * 8])
        np.testing.assert_array_equal(rows[3], [*range(65, 73), *[0] * 8])

    def test_nz_to_nd(self):
        out = np.zeros(1024, np.float16)
        with NPU().core() as core:
            x = core.alloc(half, 1024, np.arange(1024))
            DataCopy(gm_of(out, half), x, Nz2NdParamsFull(1, 32, 32, 1, 32, 32, 1))
        expected = np.arange(1024).reshape(2, 32, 16).transpose(1, 0, 2)
        np.testing.assert_array_equal(out, expected.ravel())

    def test_slices(self):
        source = np.arange(3 * 87).astype(np.float32)
        with NPU().core() as core:
            x = core.alloc(float32, 96)
            DataCopy(
                x,
                gm_of(source, float32),
                [(0, 47, 0, 3, 48), (0, 1, 0, 1, 2)],
                [(16, 70, 7, 3, 87), (0, 2, 1, 1, 3)],
                2,
            )
        pieces = [source[r * 87 + c : r * 87 + c + 24] for r in (0, 2) for c in (16, 47)]
        np.testing.assert_array_equal(x.numpy(), np.concatenate(pieces))

    def test_a_slice_that_is_no_whole_number_of_pieces_is_refused(self):
        with (
            NPU().core() as core,
            pytest.raises(TypeError, match=r"55 elements .* are no whole number of pieces of 16"),
        ):
            DataCopy(
                core.alloc(float32, 96),
                gm_of(np.zeros(100, np.float32), float32),
                [(0, 47, 0, 2, 48)],
                [(16, 70, 7, 2, 87)],
            )


@pytest.mark.parametrize(
    ("set_atomic", "expected"), [(SetAtomicAdd, 12), (SetAtomicMax, 7), (SetAtomicMin, 5), (None, 7)]
)
def test_atomics_combine_with_what_gm_holds(set_atomic, expected):
    out = np.full(8, 5, np.float32)
    with NPU().core() as core:
        x = core.alloc(float32, 8, 7)
        if set_atomic is not None:
            set_atomic(float32)
        DataCopy(gm_of(out, float32), x, 8)
        SetAtomicNone()
    assert out.tolist() == [expected] * 8


def test_atomic_mode_ends_with_its_block_and_types_are_checked():
    out = np.ones(8, np.float32)
    npu = NPU()
    with npu.core():
        SetAtomicAdd(float32)
    with npu.core() as core:
        DataCopy(gm_of(out, float32), core.alloc(float32, 8, 3), 8)
    assert out.tolist() == [3] * 8
    with NPU("ascend910").core(), pytest.raises(KernelError, match="half is not supported on ascend910"):
        SetAtomicAdd(half)


@pytest.mark.parametrize(
    ("product", "dtype", "code"),
    [("ascend310b", double, "unsupported-dtype"), ("ascend910", half, "unsupported-api")],
)
def test_padded_copies_exist_on_some_products(product, dtype, code):
    with NPU(product).core() as core, pytest.raises(KernelError) as caught:
        DataCopyPad(core.alloc(dtype, 32), gm_of(np.zeros(32, dtype.host), dtype), (1, 32, 0, 0))
    assert caught.value.finding.code == code


def test_datacopy_has_no_bfloat16_before_a2():
    with NPU("ascend310p").core() as core, pytest.raises(KernelError, match="bfloat16_t is not supported"):
        DataCopy(core.alloc(bfloat16_t, 16), gm_of(np.zeros(16, bfloat16_t.host), bfloat16_t), 16)


class TestGmBounds:
    def test_past_the_tensor_but_inside_the_array(self):
        array = np.arange(32, dtype=np.float32)
        tensor = GlobalTensor(float32)
        tensor.SetGlobalBuffer(array, 8)
        with NPU(check="record").core() as core:
            x = core.alloc(float32, 16)
            DataCopy(x, tensor, 16)
        assert [f.code for f in core.findings] == ["out-of-bounds-read"]
        assert x.numpy()[15] == 15

    def test_past_the_array_nothing_happens(self):
        array = np.arange(8, dtype=np.float32)
        with NPU(check="record", ub_fill="zero").core() as core:
            x = core.alloc(float32, 16)
            DataCopy(x, gm_of(array, float32), 16)
        assert [f.code for f in core.findings] == ["out-of-bounds-read"]
        assert "past the GM array of 32 bytes" in core.findings[0].message
        assert (x.lane_states() == "uninitialised").all()


@pytest.mark.parametrize("short", [(), (1,), (1, 2), (1, 2, 3)])
def test_a_tuple_that_leaves_out_a_field_is_refused(short):
    with NPU().core() as core, pytest.raises(TypeError, match=f"DataCopyParams has 4 fields, the tuple {len(short)}"):
        DataCopy(core.alloc(half, 64), core.alloc(half, 64, 0), short)


def test_flags_and_reserved_fields_at_the_end_may_be_left_out():
    source = gm_of(np.arange(64, dtype=np.float16), half)
    with NPU().core() as core:
        x = core.alloc(half, 64)
        DataCopyPad(x, source, (1, 64, 0, 0), (0, 0, 0, 0))
        assert x.numpy()[:32].tolist() == list(range(32))
