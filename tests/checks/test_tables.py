"""Findings about offsets in memory, packed bits, scratch tensors and half sums: each fires, and its twin does not."""

from ascend_sim import (
    CMPMODE,
    SELMODE,
    Adds,
    BilinearInterpolation,
    BlockReduceSum,
    Cast,
    Compare,
    Compares,
    Gather,
    Gatherb,
    GatherMask,
    ReduceMax,
    ReduceSum,
    RoundMode,
    Scatter,
    Select,
    WholeReduceSum,
    float32,
    half,
    int32_t,
    uint8_t,
    uint16_t,
    uint32_t,
)
from tests.helpers import clean, fires, remarks


def gather(offsets, base=0, **sizes):
    def kernel(core):
        x = core.alloc(float32, sizes.get("source", 64), range(sizes.get("source", 64)))
        o, d = core.alloc(uint32_t, 8, offsets), core.alloc(float32, 8)
        yield d
        Gather(d, x, o, base, 8)  # fires

    return kernel


def test_offset_that_is_no_whole_element():
    words = ("entry 1", "offset 1", "sizeof=4")
    result = fires(gather(range(8)), "gather-offset", words=words, operand="src_offset", repeat=0, lane=1)
    assert result.states[0].tolist() == ["written"] * 8  # the hardware reads somewhere


def test_offsets_of_whole_elements_are_clean():
    assert clean(gather(range(100, 132, 4))).values[0].tolist() == list(range(25, 33))


def test_small_multiples_look_like_indices():
    kernel = gather(range(0, 32, 4))
    remarks(kernel, "gather-scale", "note", words=("below 64", "sizeof=4"), operand="src_offset")


def test_offset_past_the_tensor():
    fires(gather([*range(128, 156, 4), 256]), "out-of-bounds-read", operand="src", lane=7, address=256)


def test_offset_past_memory_executes_nothing():
    result = fires(gather([*range(128, 156, 4), 4 * 10**6]), "out-of-bounds-read", operand="src", words=("past the",))
    assert set(result.states[0]) == {"uninitialised"}


def test_block_offsets_start_blocks():
    def kernel(core):
        x, o = core.alloc(uint16_t, 128, range(128)), core.alloc(uint32_t, 8, [0, 16, 32, 64, 96, 128, 160, 192])
        d = core.alloc(uint16_t, 128)
        yield d
        Gatherb(d, x, o, 1, (1, 8))  # fires

    fires(kernel, "gather-offset", operand="offset", words=("offset 16",))


def scatter(offsets):
    def kernel(core):
        x, o = core.alloc(float32, 64, range(64)), core.alloc(uint32_t, 64, offsets)
        d = core.alloc(float32, 128, 0)
        yield d
        Scatter(d, x, o, 0, 64)  # fires

    return kernel


def test_two_lanes_at_one_address():
    words = ("entries 2 and 63", "offset 264")
    offsets = [*range(256, 508, 4), 264]
    result = fires(
        scatter(offsets), "scatter-duplicate", product="ascend950", words=words, operand="dst_offset", lane=63
    )
    assert result.values[0][66] == 63  # the later lane wins
    clean(scatter(range(256, 512, 4)), product="ascend950")


def test_scatter_past_the_tensor():
    offsets = [*range(256, 508, 4), 512]
    fires(scatter(offsets), "out-of-bounds-write", product="ascend950", operand="dst", lane=63)


def test_pattern_that_keeps_more_than_fits():
    def kernel(core):
        x, p = core.alloc(float32, 64, range(64)), core.alloc(uint32_t, 8, codes=[0xFFFF_FFFF] * 8)
        d = core.alloc(float32, 32)
        core.alloc(float32, 64)
        yield d
        GatherMask(d, x, p, False, 0, (1, 1, 8, 0))  # fires

    fires(kernel, "out-of-bounds-write", operand="dst", words=("keeps 64 elements",))


def compare_count(count, product="ascend910b"):
    def kernel(core):
        x, m = core.alloc(float32, 128, range(128)), core.alloc(uint8_t, 32, codes=[0xAA] * 32)
        yield m
        Compares(m, x, 64.0, CMPMODE.GE, count)  # fires

    return kernel


def test_comparison_of_no_whole_repeats():
    words = ("400 bytes", "first 64", "128")
    result = fires(compare_count(100), "compare-length", words=words)
    assert result.values[0].tolist() == [0] * 8 + [0xAA] * 24
    clean(compare_count(128))


def test_register_loop_compares_any_count():
    result = clean(compare_count(100), product="ascend950")
    assert result.values[0].tolist() == [0] * 8 + [255, 255, 255, 255, 15] + [0xAA] * 19


def test_scratch_too_small():
    def kernel(core):
        x, t, d = core.alloc(half, 8320, 1.0), core.alloc(half, 64), core.alloc(half, 16)
        yield d
        ReduceMax(d, x, t, 8320, True)  # fires

    words = ("need 176", "352 bytes")
    result = fires(kernel, "temporary-size", operand="shared_tmp_buffer", words=words)
    assert set(result.states[0]) == {"uninitialised"}


def test_scratch_sizes_of_the_page():
    """Elements that ReduceMax needs (documentation, page of ReduceMax)."""
    for dtype, repeats, index, needed in ((half, 65, True, 176), (half, 255, True, 544), (float32, 130, True, 288)):

        def kernel(core, dtype=dtype, repeats=repeats, index=index, needed=needed, less=0):
            width = 256 // dtype.size
            x = core.alloc(dtype, repeats * width, 1.0)
            t, d = core.alloc(dtype, needed - less), core.alloc(dtype, 16)
            yield d
            ReduceMax(d, x, t, width, repeats, 8, index)

        clean(kernel)
        assert "temporary-size" in _codes(lambda core, k=kernel: k(core, less=1))


def _codes(kernel):
    from tests.helpers import run  # noqa: PLC0415  (one use)

    return run(kernel, "record").codes


def test_source_may_be_the_scratch():
    def kernel(core):
        x, d = core.alloc(half, 8320, 1.0), core.alloc(half, 16)
        yield d
        ReduceMax(d, x, x, 8320, True)

    assert clean(kernel).values[0][0] == 1


def test_scratch_of_the_accumulator_is_not_used():
    def kernel(core):
        x, t, d = core.alloc(float32, 8320, 1.0), core.alloc(float32, 8), core.alloc(float32, 8)
        yield d
        ReduceSum(d, x, t, 8320)

    assert clean(kernel).values[0][0] == 8320


def test_scratch_of_the_interpolation():
    def kernel(core):
        x, o, w = core.alloc(half, 512, 1.0), core.alloc(uint32_t, 32, range(0, 1024, 32)), core.alloc(half, 16, 1.0)
        d, t = core.alloc(half, 256), core.alloc(uint8_t, 64)
        yield d
        BilinearInterpolation(d, x, o, w, 128, 2, False, 1, 128, 2, t)  # fires

    fires(kernel, "temporary-size", operand="shared_tmp_buffer")


def test_rounding_of_a_half_sum():
    def kernel(core):
        x, d = core.alloc(half, 128, [2048, *[1] * 127]), core.alloc(half, 16)
        yield d
        WholeReduceSum(d, x, 128, 1, 1, 1, 8)  # fires

    result = remarks(kernel, "half-accumulation", "note", words=("2174", "2175", "0.05%"), operand="src", repeat=0)
    assert result.values[0][0] == 2174


def test_exact_half_sum_is_clean():
    def kernel(core):
        x, d = core.alloc(half, 128, 1.0), core.alloc(half, 16)
        yield d
        BlockReduceSum(d, x, 1, 128, 1, 1, 8)

    assert clean(kernel).values[0][:8].tolist() == [16] * 8


def packed(use):
    def kernel(core):
        x, y = core.alloc(half, 256, range(256)), core.alloc(half, 256, 100)
        m, d = core.alloc(uint8_t, 256, 1), core.alloc(half, 256)
        Compare(m, x, y, CMPMODE.LT, 256)
        yield d
        use(d, m, x, y)

    return kernel


def test_packed_bits_read_as_elements():
    def kernel(core):
        x, y = core.alloc(half, 256, range(256)), core.alloc(half, 256, 100)
        m, d = core.alloc(uint8_t, 256, 1), core.alloc(half, 256)
        Compare(m, x, y, CMPMODE.LT, 256)
        yield d
        Cast(d, m, RoundMode.CAST_NONE, 256)  # fires

    remarks(kernel, "packed-mask-read", "warning", words=("32 bytes", "Select"), operand="src", instruction="Cast")


def test_packed_bits_in_select_are_clean():
    clean(packed(lambda d, m, x, y: Select(d, m, x, y, SELMODE.VSEL_TENSOR_TENSOR_MODE, 256)))


def test_bytes_written_since_are_clean():
    def kernel(core):
        x, y = core.alloc(int32_t, 64, range(64)), core.alloc(float32, 64, 1.0)
        m = core.alloc(int32_t, 64, 1)
        Compares(m.ReinterpretCast(uint8_t), y, 0.0, CMPMODE.GT, 64)
        Adds(m, x, 1, 64)
        yield x
        Adds(x, m, 1, 64)

    clean(kernel)
