"""Surprising corners of masks, modes and count forms. Row numbers are those of spec 01 section 8."""

import numpy as np
import pytest

from ascend_sim import (
    MASK_PLACEHOLDER,
    NPU,
    Add,
    Adds,
    BinaryRepeatParams,
    Cast,
    DataCopy,
    Duplicate,
    GlobalTensor,
    MaskMode,
    RoundMode,
    SetMaskCount,
    SetMaskNorm,
    SetVectorMask,
    float32,
    half,
    int32_t,
    int64_t,
)
from isa.families import Pipe
from tests.helpers import ALL, clean, fires, run
from tests.reference import ALL_ONES, ones

UINT64_MAX = ALL_ONES
OLDER = ("ascend910", "ascend310p")
COUNTER_COUNT_FORM = ("ascend310p", "ascend910b", "ascend910_93")


def written(result):
    return (result.states[0] == "written").nonzero()[0].tolist()


# Row 1


@pytest.mark.parametrize("product", ALL)
def test_mask_of_the_documented_cast_sample_selects_no_lane(product):
    """{0, UINT64_MAX} has its bits in the high word, and int32 has 64 lanes: nothing is written, never swapped."""

    def kernel(core):
        src = core.alloc(half, 512, np.arange(512) / 8)
        dst = core.alloc(int32_t, 512)
        yield dst
        Cast(dst, src, RoundMode.CAST_CEIL, [0, UINT64_MAX], 8, (1, 1, 8, 4))

    strict = run(kernel, "raise", product=product)
    if product in OLDER:
        assert strict.error.finding.code == "mask-range"
        assert run(kernel, "record", product=product).codes == ["mask-range"]
    else:
        assert strict.error is None
        assert strict.codes == ["empty-mask"]
        assert "low word" in f"{strict.findings[0].message} {strict.findings[0].hint}"
    assert written(strict) == written(run(kernel, "record", product=product)) == []


@pytest.mark.parametrize("product", ALL)
def test_intended_mask_of_the_documented_cast_sample(product):
    def kernel(core):
        src = core.alloc(half, 512, np.arange(512) / 8)
        dst = core.alloc(int32_t, 512)
        yield dst
        Cast(dst, src, RoundMode.CAST_CEIL, [UINT64_MAX, 0], 8, (1, 1, 8, 4))

    assert (clean(kernel, product=product).values[0] == np.ceil(np.arange(512) / 8)).all()


# Rows 2 to 4


@pytest.mark.parametrize("product", ALL)
def test_row_2_float_mask_of_100_acts_as_64(product):
    def kernel(core):
        x = core.alloc(float32, 256, range(256))
        y = core.alloc(float32, 256)
        yield y
        Adds(y, x, 1, 100, 2, (1, 1, 16, 16))  # fires

    assert written(fires(kernel, "mask-range", product=product)) == [*range(64), *range(128, 192)]


@pytest.mark.parametrize("product", ["ascend910b", "ascend910_93", "ascend310b", "ascend950"])
def test_row_3_64_bit_lanes(product):
    def kernel(core):
        x = core.alloc(int32_t, 64, range(64))
        y = core.alloc(int64_t, 64)
        yield y
        Cast(y, x, RoundMode.CAST_NONE, 32, 1, (1, 1, 8, 4))

    result = clean(kernel, product=product)
    assert written(result) == list(range(32))
    assert result.values[0][:32].tolist() == list(range(32))


@pytest.mark.parametrize("product", ALL)
def test_row_4_half_to_float_has_64_lanes_whatever_the_mask(product):
    def kernel(core):
        x = core.alloc(half, 256, range(256))
        y = core.alloc(float32, 256)
        yield y
        Cast(y, x, RoundMode.CAST_NONE, 128, 2, (1, 1, 16, 8))  # fires

    result = fires(kernel, "mask-range", product=product)
    assert written(result) == [*range(64), *range(128, 192)]
    assert result.values[0][128:192].tolist() == list(range(128, 192))


# Rows 6 to 8


@pytest.mark.parametrize("product", COUNTER_COUNT_FORM)
def test_row_6_contiguous_mask_in_counter_mode_runs_off_memory(product):
    """The register holds 64 ones, and counter mode reads them as 4294967295 elements."""

    def kernel(core):
        x = core.alloc(float32, 64, range(64))
        y = core.alloc(float32, 64)
        SetMaskCount()
        yield y
        Adds(y, x, 1, 64, 1, (1, 1, 8, 8))

    strict, recorded = (run(kernel, check, product=product) for check in ("raise", "record"))
    assert strict.error.finding.code == "out-of-bounds-write"
    assert "4294967295" in strict.error.finding.message
    assert {"mask-mode", "out-of-bounds-write"} <= set(recorded.codes)
    assert written(strict) == written(recorded) == []


@pytest.mark.parametrize(
    ("product", "mask"), [*((p, [64, 0]) for p in (*COUNTER_COUNT_FORM, "ascend950")), ("ascend950", 64)]
)
def test_row_6_count_in_the_low_word(product, mask):
    def kernel(core):
        x = core.alloc(float32, 128, range(128))
        y = core.alloc(float32, 128)
        SetMaskCount()
        yield y
        Adds(y, x, 1, mask, 1, (1, 1, 8, 8))
        SetMaskNorm()

    result = run(kernel, "raise", product=product)
    assert result.error is None
    assert result.codes == ([] if isinstance(mask, list) else ["mask-mode"])
    assert written(result) == list(range(64))


def registers_around(call, product, **options):
    """Mask and mode after counter mode was set, low word 5 and high word 6 were stored, and `call` was made."""
    with NPU(product=product, **options).core() as core:
        y = core.alloc(float32, 64, np.zeros(64))
        SetMaskCount()
        SetVectorMask(6, 5)
        call(y)
        return tuple(core.mask), core.mask_mode


COUNT_CALLS = (lambda y: Adds(y, y, 1, 20), lambda y: Add(y, y, y, 20), lambda y: Duplicate(y, 1, 20))


@pytest.mark.parametrize("call", COUNT_CALLS, ids=["Adds", "Add", "Duplicate"])
@pytest.mark.parametrize("product", COUNTER_COUNT_FORM)
def test_row_7_count_form_resets_mode_and_mask(product, call):
    assert registers_around(call, product) == ((ALL_ONES, ALL_ONES), MaskMode.NORMAL)


@pytest.mark.parametrize("call", COUNT_CALLS, ids=["Adds", "Add", "Duplicate"])
@pytest.mark.parametrize("product", ["ascend950", "ascend310b"])
def test_row_8_register_loop_leaves_mode_and_mask_alone(product, call):
    assert registers_around(call, product) == ((5, 6), MaskMode.COUNTER)


@pytest.mark.parametrize("product", COUNTER_COUNT_FORM)
def test_count_form_without_its_mask_ignores_the_count(product):
    def call(y):
        Adds(y, y, 1, 20, is_set_mask=False)
        assert y.numpy().tolist() == [1] * 5 + [0] * 59  # five elements are stored

    assert registers_around(call, product) == ((5, 6), MaskMode.COUNTER)


# Rows 12, 25 and 27


@pytest.mark.parametrize("product", ALL)
def test_row_12_accumulation_is_in_the_order_of_the_repeats(product):
    big = np.float32(1 << 24)

    def kernel(core):
        total = core.alloc(float32, 64, np.full(64, big))
        x = core.alloc(float32, 256, np.repeat([1, 1, -big, 3], 64))
        yield total
        Add(total, x, total, 64, 4, BinaryRepeatParams(1, 1, 1, 0, 8, 0))

    # 2^24 + 1 is 2^24 in float32, twice; another order would keep the ones
    assert clean(kernel, product=product).values[0].tolist() == [3] * 64


@pytest.mark.parametrize("product", ALL)
def test_row_25_narrowing_in_place(product):
    def kernel(core):
        x = core.alloc(float32, 200, range(200))
        y = x.ReinterpretCast(half)
        yield y
        Cast(y, x, RoundMode.CAST_NONE, 200)

    assert clean(kernel, product=product).values[0][:200].tolist() == list(range(200))


def test_row_27_placeholder_on_310b():
    def kernel(core):
        x = core.alloc(half, 128, range(128))
        y = core.alloc(half, 128)
        yield y
        Adds(y, x, 1, MASK_PLACEHOLDER, 1, (1, 1, 8, 8), is_set_mask=False)

    result = run(kernel, "raise", product="ascend310b")
    assert result.error is None
    assert "mask-mode" in result.codes
    assert written(result) == []


# Registers after a tiled call (section 2.9)


@pytest.mark.parametrize("product", ALL)
def test_contiguous_mask_stays_in_the_register_of_older_products(product):
    with NPU(product=product).core() as core:
        y = core.alloc(half, 128)
        Duplicate(y, 1, 70, 1, 1, 8)
        kept = (ALL_ONES, ones(6)) if product not in {"ascend310b", "ascend950"} else (ALL_ONES, ALL_ONES)
        assert tuple(core.mask) == kept
        Duplicate(y, 1, [9, 4], 1, 1, 8)
        assert tuple(core.mask) == (9, 4)


# Count forms as issues (section 2.10)


def vector_issues(core):
    return [issue for issue in core.trace if issue.pipe is Pipe.V]


def run_90000(product):
    with NPU(product=product).core() as core:
        x = core.alloc(half, 90000, np.arange(90000) % 512)
        Add(x, x, x, 90000)
        return core, x.codes()


def test_90000_halves_on_910_are_four_instructions():
    core, _ = run_90000("ascend910")
    issues = vector_issues(core)
    assert [issue.name for issue in issues] == ["Add"] * 4
    assert [issue.lanes.repeats for issue in issues] == [255, 255, 193, 1]
    assert [issue.lanes.last_mask for issue in issues] == [ones(128)] * 3 + [ones(16)]
    assert tuple(core.mask) == (ones(16), 0)  # the last chunk's, not restored


@pytest.mark.parametrize("product", COUNTER_COUNT_FORM)
def test_90000_halves_are_one_instruction_in_counter_mode(product):
    core, _ = run_90000(product)
    (issue,) = vector_issues(core)
    assert (issue.lanes.repeats, issue.lanes.mask, issue.lanes.last_mask) == (704, ones(128), ones(16))
    assert (tuple(core.mask), core.mask_mode) == ((ALL_ONES, ALL_ONES), MaskMode.NORMAL)
    assert any(issue.pipe is Pipe.S for issue in core.trace)
    assert len(core.trace) == len(list(core.trace)) > 1


@pytest.mark.parametrize("product", ALL)
def test_90000_halves_give_the_same_result_everywhere(product):
    _, codes = run_90000(product)
    assert (codes == (np.arange(90000) % 512 * 2).astype(np.float16).view(np.uint16)).all()


# Copies


@pytest.mark.parametrize("params", [(3, 1, 2, 1), (2, 2, 0, 0), (0, 4, 0, 0), (1, 8, 9, 9)])
def test_gaps_run_from_the_end_of_a_burst_to_the_start_of_the_next(params):
    count, length, source_gap, destination_gap = params
    array = np.arange(512, dtype=np.float16)
    gm = GlobalTensor(half)
    gm.SetGlobalBuffer(array)
    with NPU().core() as core:
        x = core.alloc(half, 512)
        DataCopy(x, gm, params)
        expected = np.full(512, -1)
        for burst in range(count):
            start, from_ = 16 * burst * (length + destination_gap), 16 * burst * (length + source_gap)
            expected[start : start + 16 * length] = array[from_ : from_ + 16 * length]
        states = x.lane_states() == "written"
        assert states.tolist() == (expected >= 0).tolist()
        assert x.numpy()[states].tolist() == expected[states].tolist()


def test_last_writer_of_an_element():
    with NPU().core() as core:
        y = core.alloc(float32, 64)
        Duplicate(y, 1, 40)
        Adds(y, y, 1, 8)
        writers = [core.who_wrote(y, index) for index in (7, 8, 39)]
        assert [writer.name for writer in writers] == ["Adds", "Duplicate", "Duplicate"]
        assert writers[0].site.line == writers[1].site.line + 1
        assert writers[0].site.file == __file__
        assert core.who_wrote(y, 40) is None
