"""Sharp edges of single instructions: the numbers are those of spec 01 section 8."""

import numpy as np
import pytest

from ascend_sim import (
    CMPMODE,
    MASK_PLACEHOLDER,
    NPU,
    SELMODE,
    AddDeqRelu,
    Brcb,
    CastDequant,
    Compare,
    Copy,
    CopyRepeatParams,
    CreateVecIndex,
    Gather,
    Gatherb,
    GatherMask,
    GetAccVal,
    GetCmpMask,
    GetReduceMaxMinCount,
    KernelError,
    MaskMode,
    ReduceMax,
    ReduceOrder,
    ReduceSum,
    ResetMask,
    Select,
    SetCmpMask,
    SetDeqScale,
    SetMaskCount,
    SetMaskNorm,
    SetVectorMask,
    TransDataTo5HD,
    Transpose,
    VectorPadding,
    WholeReduceMax,
    WholeReduceMin,
    WholeReduceSum,
    float32,
    half,
    int16_t,
    int32_t,
    uint8_t,
    uint16_t,
    uint32_t,
)

FULL = (2**64 - 1, 2**64 - 1)
STRIDES = (1, 1, 1, 8, 8, 8)


@pytest.fixture
def core():
    with NPU().core() as running:
        yield running


def on(product, **options):
    return NPU(product=product, **options).core()


def names(core):
    return [entry.name for entry in core.trace]


def test_case_5_default_copy_strides_hit_one_block(core):
    x, y = core.alloc(int32_t, 64, range(64)), core.alloc(int32_t, 64, -1)
    with pytest.raises(KernelError, match="dst-block-stride-zero"):
        Copy(y, x, 64, 1, CopyRepeatParams())
    Copy(y, x, 8, 1, CopyRepeatParams())
    assert y.numpy()[:9].tolist() == [*range(8), -1]


@pytest.mark.parametrize("call", ["brcb", "gatherb"])
def test_case_9_mask_is_destroyed_on_a2(core, call):
    x, y, o = (
        core.alloc(uint16_t, 128, range(128)),
        core.alloc(uint16_t, 128),
        core.alloc(uint32_t, 8, range(0, 256, 32)),
    )
    SetVectorMask(3)
    if call == "brcb":
        Brcb(y, x, 1, (1, 8))
    else:
        Gatherb(y, x, o, 1, (1, 8))
    assert core.mask == FULL
    ResetMask()


def test_case_9_brcb_on_310p_leaves_normal_mode():
    with on("ascend310p") as core:
        x, y = core.alloc(half, 16, range(16)), core.alloc(half, 128)
        SetMaskCount()
        Brcb(y, x, 1, (1, 8))
        assert (core.mask, core.mask_mode) == (FULL, MaskMode.NORMAL)


def test_case_10_gather_count_wraps_its_repeats(core):
    n = 64 * 300
    x, o = core.alloc(float32, 8, 1), core.alloc(uint32_t, n, 0)
    y = core.alloc(float32, n, 7)
    Gather(y, x, o, 0, n)
    values = y.numpy()
    assert (values[: 44 * 64] == 1).all()
    assert (values[44 * 64 :] == 7).all()


@pytest.mark.parametrize(
    ("order", "codes"),
    [
        (ReduceOrder.ORDER_VALUE_INDEX, [0x4900, 5, 0x4D00, 2]),
        (ReduceOrder.ORDER_INDEX_VALUE, [5, 0x4900, 2, 0x4D00]),
        (ReduceOrder.ORDER_ONLY_VALUE, [0x4900, 0x4D00]),
        (ReduceOrder.ORDER_ONLY_INDEX, [5, 0, 2, 0]),
    ],
)
def test_case_13_results_step_in_their_own_unit(core, order, codes):
    values = np.zeros(256, np.float16)
    values[5], values[9], values[128 + 2] = 10, 10, 20  # of equals the first
    x, d = core.alloc(half, 256, values), core.alloc(half, 16, -1)
    WholeReduceMax(d, x, 128, 2, 1, 1, 8, order)
    assert d.codes()[: len(codes)].tolist() == codes


def test_case_14_lowest_index_of_equals(core):
    x, d = core.alloc(float32, 64, 3.0), core.alloc(float32, 8)
    WholeReduceMin(d, x, [0xF0, 0], 1, 1, 1, 8)
    assert d.codes()[1] == 4


def test_case_15_small_contiguous_mask_reads_the_block_before(core):
    whole = core.alloc(half, 32, [100] * 16 + [0] * 16)
    CreateVecIndex(whole[16:], 0, 8, 1, 1, 8)
    assert whole.numpy()[16:24].tolist() == [116] * 8


def test_case_28_repeat_time_0_still_writes_the_first_repeat(core):
    y = core.alloc(half, 128, -1)
    CreateVecIndex(y, 0, 128, 0, 1, 8)
    assert y.numpy().tolist() == list(range(128))


def test_create_vec_index_lists_its_instructions(core):
    y = core.alloc(half, 128)
    CreateVecIndex(y, 3, 128)
    assert names(core).count("Adds") == 7
    assert names(core)[0] == "SetValue"
    with on("ascend950") as one:
        y = one.alloc(half, 128)
        CreateVecIndex(y, 3, 128)
        assert names(one) == ["CreateVecIndex"]


def test_case_16_single_repeat_starts_a_stride_further(core):
    x, y = core.alloc(half, 512, range(512)), core.alloc(half, 512, 0)
    lists = [[t[16 * k :] for k in range(16)] for t in (y, x)]
    TransDataTo5HD(*lists, (False, False, 1, 0, 16))
    assert y.numpy()[:16].tolist() == [256 + 16 * k for k in range(16)]


@pytest.mark.parametrize(("half_block", "kept"), [(True, 0), (False, 16)])
def test_case_18_results_fill_half_of_each_block(core, half_block, kept):
    x, y = core.alloc(int16_t, 128, range(128)), core.alloc(uint8_t, 256, 9)
    SetDeqScale(1.0, 0, False)
    CastDequant(y, x, 128, is_vec_deq=False, half_block=half_block)
    blocks = y.numpy().reshape(8, 32)
    assert (blocks[:, kept : kept + 16] == 9).all()
    assert blocks[:, 16 - kept : 32 - kept].reshape(-1).tolist() == list(range(128))


def test_case_19_gather_mask_ignores_the_mask_and_leaves_its_own(core):
    x, y = core.alloc(float32, 64, range(64)), core.alloc(float32, 64)
    SetVectorMask(3)
    assert GatherMask(y, x, 7, False, 5, (1, 1, 8, 8)) == 64
    assert core.mask == (5, 0)
    SetMaskCount()
    assert GatherMask(y, x, 1, True, 10, (1, 2, 4, 8)) == 10
    assert (core.mask, core.mask_mode) == ((10, 0), MaskMode.NORMAL)
    ResetMask()


def test_case_19_gather_mask_counts_all_elements_on_310p():
    with on("ascend310p") as core:
        x, y = core.alloc(float32, 256, range(256)), core.alloc(float32, 256)
        assert GatherMask(y, x, 1, True, 70, (1, 3, 8, 8)) == 35
        ResetMask()


def test_case_20_copy_counts_each_repeat(core):
    x, y = core.alloc(int32_t, 64 * 18, range(64 * 18)), core.alloc(int32_t, 144)
    SetMaskCount()
    SetVectorMask(144, dtype=int32_t, mode=MaskMode.COUNTER)
    Copy(y, x, MASK_PLACEHOLDER, 1, (1, 8, 8, 8), is_set_mask=False)
    SetMaskNorm()
    ResetMask()
    assert y.numpy().reshape(18, 8).tolist() == [list(range(64 * k, 64 * k + 8)) for k in range(18)]


@pytest.mark.parametrize("mode", [SELMODE.VSEL_TENSOR_SCALAR_MODE, SELMODE.VSEL_TENSOR_TENSOR_MODE])
def test_case_29_select_in_counter_mode_overruns(core, mode):
    x, y, m = core.alloc(float32, 64, 1), core.alloc(float32, 64, 2), core.alloc(uint8_t, 32, 1)
    other = 0.0 if mode is SELMODE.VSEL_TENSOR_SCALAR_MODE else y
    SetMaskCount()
    with pytest.raises(KernelError, match="out-of-bounds-write"):
        Select(y, m, x, other, mode, [64, 0], 1, STRIDES)
    Select(y, m, x, other, mode, 64)
    assert core.mask_mode is MaskMode.NORMAL


# Compare: chunks, the register, the mask


def test_comparison_is_issued_in_chunks_of_252_repeats(core):
    n = 300 * 64
    x, y = core.alloc(float32, n, 1), core.alloc(float32, n, 2)
    m = core.alloc(uint8_t, n // 8, 0)
    Compare(m, x, y, CMPMODE.LT, n)
    assert [e.lanes.repeats for e in core.trace if e.name == "Compare"] == [252, 48]
    assert (m.numpy() == 255).all()


def test_comparison_ignores_the_mask_before_310b():
    for product, wanted in (("ascend910b", 255), ("ascend950", 3)):
        with on(product) as core:
            x, y = core.alloc(float32, 64, 1), core.alloc(float32, 64, 2)
            m = core.alloc(uint8_t, 32, 0)
            before = core.mask
            Compare(m, x, y, CMPMODE.LT, 2, 1, STRIDES)
            assert (m.numpy()[0], core.mask) == (wanted, before)


@pytest.mark.parametrize(("product", "bit"), [("ascend910b", 0), ("ascend950", 1)])
def test_not_equal_to_nan(product, bit):
    with on(product) as core:
        x, y = core.alloc(float32, 64, np.nan), core.alloc(float32, 64, 2)
        m = core.alloc(uint8_t, 32, 0)
        Compare(m, x, y, CMPMODE.NE, 64)
        assert m.numpy()[0] == 255 * bit


def test_integers_compare_for_equality_only(core):
    x, m = core.alloc(int32_t, 64, 1), core.alloc(uint8_t, 32)
    Compare(m, x, x, CMPMODE.EQ, 64)
    with pytest.raises(KernelError, match="unsupported-dtype"):
        Compare(m, x, x, CMPMODE.LT, 64)


def test_compare_register(core):
    x, y = core.alloc(float32, 64, range(64)), core.alloc(float32, 64, 60)
    d, out = core.alloc(uint8_t, 128, 0), core.alloc(float32, 64)
    Compare(x, y, CMPMODE.GE, 64, STRIDES)
    GetCmpMask(d)
    assert d.numpy()[:9].tolist() == [0] * 7 + [0xF0, 0]
    Select(out, x, y, 1, STRIDES)
    assert (out.numpy() == 60).sum() == 61
    bits = core.alloc(uint8_t, 32, 0)
    SetCmpMask(bits)
    Select(out, x, y, 1, STRIDES)
    assert (out.numpy() == 60).all()


def test_select_overwrites_the_register_before_310b():
    for product, wanted in (("ascend910b", 1), ("ascend950", 255)):
        with on(product) as core:
            x, m = core.alloc(float32, 64, 1), core.alloc(uint8_t, 32, 1)
            d = core.alloc(uint8_t, 128, 0)
            Compare(x, x, CMPMODE.EQ, 64, STRIDES)
            Select(x, m, x, x, SELMODE.VSEL_CMPMASK_SPR, 64, 1, STRIDES)
            GetCmpMask(d)
            assert d.numpy()[0] == wanted


# Reductions


def test_empty_block_keeps_or_fills():
    from ascend_sim import ReduceDataBlock, ReduceType  # noqa: PLC0415  (one use)

    for product, kind, wanted in (
        ("ascend910b", ReduceType.MAX, 7),
        ("ascend310b", ReduceType.MAX, -65504),
        ("ascend950", ReduceType.MAX, -np.inf),
        ("ascend950", ReduceType.MIN, np.inf),
        ("ascend310b", ReduceType.SUM, 0),
    ):
        with on(product) as core:
            x, d = core.alloc(half, 128, 1), core.alloc(half, 16, 7)
            ReduceDataBlock(d, x, 64, 1, 1, 1, 8, reduce_type=kind)
            assert d.numpy()[7] == wanted
            assert d.numpy()[0] in (1, 16)


@pytest.mark.parametrize(
    ("values", "wanted"),
    [
        ([np.nan] + [1] * 127, 126),
        ([-np.inf] + [1] * 127, -65376),
        ([np.inf] + [1] * 127, 65504),
    ],
)
def test_half_sum_clamps_at_every_node(core, values, wanted):
    x, d = core.alloc(half, 128, values), core.alloc(half, 16)
    WholeReduceSum(d, x, 128, 1, 1, 1, 8)
    assert d.numpy()[0] == wanted


@pytest.mark.parametrize(
    ("first", "wanted"),
    [([-np.inf], -65248), ([np.nan], 254), ([np.inf, -np.inf, np.nan], 252), ([np.inf, -np.inf], 254)],
)
def test_half_sum_of_two_repeats(core, first, wanted):
    x, t, d = core.alloc(half, 256, [*first, *[1] * (256 - len(first))]), core.alloc(half, 16), core.alloc(half, 16)
    ReduceSum(d, x, t, 256)
    assert d.numpy()[0] == wanted
    assert GetAccVal(dtype=half) == wanted


def test_extremes_clamp_the_result_of_a_repeat(core):
    x, d = core.alloc(half, 128, [np.nan, *[1] * 127]), core.alloc(half, 16)
    WholeReduceMax(d, x, 128, 1, 1, 1, 8)
    assert d.numpy()[0] == 0
    two, t = core.alloc(half, 256, [np.nan, *[1] * 255]), core.alloc(half, 32)
    ReduceMax(d, two, t, 256)
    assert d.numpy()[0] == 1


def test_reduce_tensor_lists_its_rounds_and_leaves_its_mask(core):
    x, t, d = core.alloc(half, 1024, range(1024)), core.alloc(half, 64), core.alloc(half, 16)
    ReduceMax(d, x, t, 1024, True)
    assert [n for n in names(core) if n != "SetVectorMask"] == ["WholeReduceMax", "WholeReduceMax", "SetValue"]
    assert core.mask == (0x5555, 0)
    assert d.codes()[1] == 1023
    assert GetReduceMaxMinCount(dtype=half)[0] == 1023
    ResetMask()


def test_sum_in_the_accumulator_resets_the_registers(core):
    x, t, d = core.alloc(float32, 100, 1.0), core.alloc(float32, 8), core.alloc(float32, 8)
    SetMaskCount()
    ReduceSum(d, x, t, 100)
    assert d.numpy()[0] == 100
    assert (core.mask, core.mask_mode) == (FULL, MaskMode.NORMAL)


def test_add_deq_relu_is_a_program_on_a2(core):
    x, y, d = core.alloc(int32_t, 64, 70), core.alloc(int32_t, 64, 19), core.alloc(half, 64)
    SetDeqScale(0.1)
    AddDeqRelu(d, x, y, 64)
    assert {"Add", "Cast", "Muls", "Duplicate", "Max"} <= set(names(core))
    assert d.numpy()[0] == np.float16(8.898)


# Tiles


def test_transpose_in_place(core):
    x = core.alloc(int16_t, 256, range(256))
    Transpose(x, x)
    assert (x.numpy().reshape(16, 16) == np.arange(256).reshape(16, 16).T).all()


@pytest.mark.parametrize(
    ("mode", "side", "wanted"),
    [
        (0, False, [1] * 8),
        (0, True, [8] * 8),
        (1, False, [8, 7, 6, 5, 4, 3, 2, 1]),
        (1, True, [8, 7, 6, 5, 4, 3, 2, 1]),
        (2, False, [0, 8, 7, 6, 5, 4, 3, 2]),
        (2, True, [7, 6, 5, 4, 3, 2, 1, 0]),
    ],
)
def test_vector_padding(mode, side, wanted):
    with on("ascend310p") as core:
        x, y = core.alloc(float32, 8, range(1, 9)), core.alloc(float32, 8)
        VectorPadding(y, x, mode, side, 8)
        assert y.numpy().tolist() == wanted
