"""NPU, kernels, launches on several cores, GM, reports."""

import numpy as np
import pytest

from ascend_sim import (
    NPU,
    PIPE_ALL,
    Adds,
    DataCopy,
    Duplicate,
    GetBlockIdx,
    GetBlockNum,
    GlobalTensor,
    KernelError,
    LocalTensor,
    PipeBarrier,
    SetMaskCount,
    SetVectorMask,
    TPosition,
    float32,
    half,
    kernel,
)

TILE = 64


@kernel
def add_one(x, z, tile):
    """Each block adds 1 to its own tile."""
    source, result = GlobalTensor(float32), GlobalTensor(float32)
    source.SetGlobalBuffer(x + GetBlockIdx() * tile, tile)
    result.SetGlobalBuffer(z + GetBlockIdx() * tile, tile)
    local = LocalTensor(float32, TPosition.VECIN, 0, tile)
    DataCopy(local, source, tile)
    PipeBarrier(PIPE_ALL)
    Adds(local, local, 1, tile)
    PipeBarrier(PIPE_ALL)
    DataCopy(result, local, tile)


def test_blocks_share_gm_and_the_report_joins_them():
    x, z = np.arange(8 * TILE, dtype=np.float32), np.zeros(8 * TILE, np.float32)
    report = NPU().launch(add_one, 8, x, z, TILE)
    np.testing.assert_array_equal(z, x + 1)
    assert report.findings == []
    assert report.is_clean
    assert len(report.trace) == 8 * 9
    assert [e.core for e in report.trace] == sorted(list(range(8)) * 9)
    assert report.summary() == "add_one: 8 blocks, 72 issues, no findings"


def test_launch_with_brackets_on_the_active_npu():
    x, z = np.arange(2 * TILE, dtype=np.float32), np.zeros(2 * TILE, np.float32)
    with NPU():
        add_one[2](x, z, TILE)
    np.testing.assert_array_equal(z, x + 1)
    with pytest.raises(RuntimeError, match="no NPU is active"):
        add_one[2](x, z, TILE)


def test_each_core_has_its_own_buffer_that_survives_launches():
    @kernel
    def store(values):
        del values
        Duplicate(LocalTensor(float32, TPosition.VECCALC, 0, 8), GetBlockIdx() + 10 * GetBlockNum(), 8)

    @kernel
    def load(out):
        gm = GlobalTensor(float32)
        gm.SetGlobalBuffer(out + GetBlockIdx() * 8, 8)
        DataCopy(gm, LocalTensor(float32, TPosition.VECCALC, 0, 8), 8)

    npu, out = NPU(), np.zeros(24, np.float32)
    npu.launch(store, 3, out)
    report = npu.launch(load, 3, out)
    np.testing.assert_array_equal(out.reshape(3, 8)[:, 0], [30, 31, 32])
    assert [(f.code, f.core, f.count) for f in report.findings] == [("stale-read", i, 1) for i in range(3)]


def test_more_blocks_than_cores_reuse_them():
    npu = NPU("ascend310b")  # one vector core

    @kernel
    def leave(_):
        local = LocalTensor(half, TPosition.VECCALC, 0, 16)
        assert GetBlockIdx() == 0 or (local.lane_states() == "stale").all()
        Duplicate(local, GetBlockIdx(), 16)

    npu.launch(leave, 3, 0)
    with npu.core() as core:
        assert core.alloc(half, 16).numpy()[0] == 2


def test_an_error_carries_the_report_of_what_ran():
    @kernel
    def fails(x):
        local = LocalTensor(float32, TPosition.VECCALC, 0, 8)
        Duplicate(local, 1, 8)
        if GetBlockIdx() == 1:
            Adds(local, local[1:], 1, 4)

    with pytest.raises(KernelError) as caught:
        NPU().launch(fails, 4, np.zeros(8, np.float32))
    report = caught.value.report
    assert len(report.runs) == 2
    assert caught.value.finding.core == 1
    assert report.findings == [caught.value.finding]
    assert "'local[1:]'" in caught.value.finding.message


@pytest.mark.parametrize(
    ("array", "error", "words"),
    [
        (np.zeros((8, 8), np.float32)[:, ::2], ValueError, "C-contiguous"),
        (np.broadcast_to(np.float32(1), 8), ValueError, "writable"),
    ],
)
def test_gm_arrays_are_plain_memory(array, error, words):
    with pytest.raises(error, match=words):
        NPU().launch(add_one, 1, array, array, 8)


@pytest.mark.parametrize(("keep", "written"), [(False, 256), (True, 128)])
def test_registers_are_reset_for_each_block_unless_kept(keep, written):
    npu = NPU(keep_registers=keep)
    with npu.core() as core:
        SetMaskCount()
        SetVectorMask(0, 128)
    assert [f.code for f in core.findings] == ["register-not-reset"]
    with npu.core() as core:
        x, y = core.alloc(float32, 256, 1), core.alloc(float32, 256)
        Adds(y, x, 1, 0, 4, (1, 1, 8, 8), is_set_mask=False)
    assert np.count_nonzero(y.lane_states() == "written") == written


def test_reset_is_power_on():
    npu = NPU(ub_fill="zero")
    with npu.core() as core:
        core.alloc(half, 16, 3)
    npu.reset()
    with npu.core() as core:
        tensor = core.alloc(half, 16)
    assert (tensor.numpy() == 0).all()
    assert (tensor.lane_states() == "uninitialised").all()


@pytest.mark.parametrize(("fill", "code"), [("zero", 0), ("nan", 0xFFFF), (bytes([0x34, 0x12]) * (192 * 512), 0x1234)])
def test_fill_at_power_on(fill, code):
    with NPU(ub_fill=fill).core() as core:
        assert (core.alloc(half, 16).codes() == code).all()


def test_pattern_depends_on_seed_and_core_only():
    def image(seed, core=0):
        return NPU(seed=seed)._core(core).machine.ub.data.tobytes()

    assert image(1) == image(1)
    assert len({image(1), image(2), image(1, core=1)}) == 3


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"product": "ascend910c"}, "the products are ascend910, ascend310p"),
        ({"check": "warn"}, "write one of 'raise', 'record', 'off'"),
        ({"ub_fill": "random"}, '"pattern", "zero", "nan"'),
        ({"ub_fill": b"123"}, "ub_fill has 3 bytes, the Unified Buffer of this product has 196608"),
        ({"suppress": ["stale"]}, "unknown finding codes stale"),
        ({"float_mode": "fast"}, "'register', 'saturate', 'inf_nan'"),
    ],
)
def test_bad_options_name_the_good_ones(arguments, words):
    with pytest.raises(ValueError, match=words):
        NPU(**arguments)


def test_suppressed_codes_are_neither_reported_nor_raised():
    with NPU(suppress=["uninitialised-read"]).core() as core:
        x = core.alloc(float32, 8)
        Adds(x, x, 1, 8)
    assert core.findings == []
    assert (x.lane_states() == "written").all()


def test_instructions_need_a_core():
    with NPU().core() as core:
        x = core.alloc(float32, 8, 0)
    with pytest.raises(RuntimeError, match="no core is running"):
        Adds(x, x, 1, 8)


def test_a_tensor_of_another_npu_is_refused():
    with NPU().core() as core:
        x = core.alloc(float32, 8, 0)
    with NPU().core(), pytest.raises(ValueError, match="belongs to another core"):
        Adds(x, x, 1, 8)


def test_a_kernel_returns_nothing():
    with pytest.warns(UserWarning, match="a kernel returns nothing"):
        NPU().launch(lambda: 3, 1)
