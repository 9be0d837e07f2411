"""The extended Transpose: images between channels first and channels last, against an element-by-element copy."""

import numpy as np
import pytest

from ascend_sim import (
    NPU,
    FieldError,
    KernelError,
    Transpose,
    TransposeParamsExt,
    TransposeType,
    bfloat16_t,
    complex32,
    float32,
    fp4x2_e2m1_t,
    half,
    int8_t,
    int16_t,
    int32_t,
    uint8_t,
    uint16_t,
)
from tests.helpers import A2, clean, fires, refused_in_every_mode

FIRST, LAST = TransposeType.TRANSPOSE_NHWC2NCHW, TransposeType.TRANSPOSE_NCHW2NHWC  # where the channels end up
TILE = TransposeType.TRANSPOSE_ND2ND_B16
NONE = TransposeType.TRANSPOSE_TYPE_NONE
IMAGE_PRODUCTS = ("ascend310p", A2, "ascend910_93", "ascend950")
SCRATCH = 40 * 1024


def moved(values, n, c, h, w, kind):
    """The slow reference: the place of each element, one after the other."""
    out = np.empty_like(values)
    for i in range(n):
        for j in range(c):
            for y in range(h):
                for x in range(w):
                    first = ((i * c + j) * h + y) * w + x
                    last = ((i * h + y) * w + x) * c + j
                    source, target = (first, last) if kind is LAST else (last, first)
                    out[target] = values[source]
    return out


@pytest.mark.parametrize("product", IMAGE_PRODUCTS)
@pytest.mark.parametrize("kind", [FIRST, LAST])
@pytest.mark.parametrize("dtype", [int8_t, uint8_t, int16_t, half, int32_t, float32])
@pytest.mark.parametrize("sizes", [(1, 1, 4, 8), (2, 3, 8, 8), (3, 17, 1, 32), (1, 5, 32, 1)])
def test_images(product, kind, dtype, sizes):
    total = int(np.prod(sizes))
    with NPU(product=product).core() as core:
        codes = np.random.default_rng(total).integers(0, 1 << dtype.bits, total, np.uint64).astype(dtype.code)
        x, y = core.alloc(dtype, total, codes.view(dtype.carrier)), core.alloc(dtype, total)
        Transpose(y, x, core.alloc(uint8_t, SCRATCH), TransposeParamsExt(*sizes, kind))
        assert (y.codes() == moved(codes, *sizes, kind)).all()
        assert set(y.lane_states()) == {"written"}
        assert not core.findings


@pytest.mark.parametrize("product", [A2, "ascend910_93", "ascend950"])
def test_example_of_the_documentation(product):
    """Scenario 2 of the sample for Transpose: half, [3, 3, 2, 8] to [3, 2, 8, 3]."""
    with NPU(product=product).core() as core:
        x, y = core.alloc(half, 144, range(144)), core.alloc(half, 144)
        Transpose(y, x, core.alloc(uint8_t, 5 * 512), (3, 3, 2, 8, LAST))
        # element (n, h, w, c) = 48 n + 16 c + 8 h + w
        assert y.numpy()[:6].tolist() == [0, 16, 32, 1, 17, 33]
        assert y.numpy()[24:27].tolist() == [8, 24, 40]
        assert y.numpy()[48:51].tolist() == [48, 64, 80]
        assert (y.numpy().reshape(3, 2, 8, 3) == np.arange(144).reshape(3, 3, 2, 8).transpose(0, 2, 3, 1)).all()


@pytest.mark.parametrize("dtype", [bfloat16_t, complex32])
def test_types_of_950(dtype):
    with NPU(product="ascend950").core() as core:
        x, y = core.alloc(dtype, 64, range(64)), core.alloc(dtype, 64)
        Transpose(y, x, core.alloc(uint8_t, SCRATCH), (1, 4, 4, 4, LAST))
        assert (y.codes() == moved(x.codes(), 1, 4, 4, 4, LAST)).all()


def test_nibbles_move_in_pairs():
    with NPU(product="ascend950").core() as core:
        x, y = core.alloc(fp4x2_e2m1_t, 128), core.alloc(fp4x2_e2m1_t, 128)
        raw = core.alloc(uint8_t, 64, range(64), addr=x.address)
        Transpose(y, x, core.alloc(uint8_t, SCRATCH), (1, 2, 4, 8, LAST))
        made = core.alloc(uint8_t, 64, addr=y.address)
        assert (made.numpy() == moved(raw.numpy(), 1, 2, 4, 8, LAST)).all()


@pytest.mark.parametrize("product", [*IMAGE_PRODUCTS, "ascend310b"])
def test_tile(product):
    with NPU(product=product).core() as core:
        x, t = core.alloc(uint16_t, 256, range(256)), core.alloc(uint8_t, 32)
        Transpose(x, x, t, TransposeParamsExt(h_size=16, w_size=16))
        assert (x.numpy().reshape(16, 16) == np.arange(256).reshape(16, 16).T).all()
        assert not core.findings


def call(sizes, kind, *, dtype=half, scratch=SCRATCH, elements=512):
    def kernel(core):
        x, y = core.alloc(dtype, elements, [1] * elements), core.alloc(dtype, elements)
        t = core.alloc(uint8_t, scratch)
        yield y
        Transpose(y, x, t, (*sizes, kind))  # fires

    return kernel


def test_no_type_does_nothing():
    with NPU().core() as core:
        (y,) = (kernel := call((1, 2, 4, 8), NONE)(core), next(kernel))[1:]
        list(kernel)
        assert set(y.lane_states()) == {"uninitialised"}
        assert not core.findings


@pytest.mark.parametrize("sizes", [(0, 3, 4, 8), (1, 0, 4, 8), (1, 3, 0, 8), (1, 3, 4, 0)])
def test_a_size_of_nothing_does_nothing(sizes):
    with NPU().core() as core:
        (y,) = (kernel := call(sizes, LAST)(core), next(kernel))[1:]
        list(kernel)
        assert set(y.lane_states()) == {"uninitialised"}
        assert [f.code for f in core.findings] == ["zero-repeat"]


@pytest.mark.parametrize("h", [8, 15])
def test_tile_of_another_size(h):
    result = fires(call((0, 0, h, 16), TILE, dtype=uint16_t), "field-range", words=("16 x 16",))
    assert set(result.states[0]) == {"uninitialised"}


@pytest.mark.parametrize(
    ("sizes", "words"),
    [
        ((1, 4096, 4, 8), ("c_size=4096", "4095")),
        ((1, 1, 64, 64), ("h_size * w_size=4096", "4095")),
        ((1, 2, 3, 5), ("30 bytes", "32")),
    ],
)
def test_sizes_out_of_range(sizes, words):
    result = fires(call(sizes, LAST, scratch=32), "field-range", words=words, product="ascend310p")
    assert set(result.states[0]) == {"uninitialised"}


@pytest.mark.parametrize(
    ("dtype", "kind", "needed"),
    [(half, LAST, 5 * 512), (half, FIRST, 7 * 512), (int8_t, LAST, 5 * 1024), (float32, FIRST, 7 * 512)],
)
def test_scratch(dtype, kind, needed):
    """(c + 2) and (2 c + 1) tiles of 16, for bytes 32, blocks (page of Transpose)."""
    clean(call((2, 3, 4, 8), kind, dtype=dtype, scratch=needed))
    words = (f"need {needed}", f"has {needed - 32} bytes")
    kernel = call((2, 3, 4, 8), kind, dtype=dtype, scratch=needed - 32)
    result = fires(kernel, "temporary-size", operand="shared_tmp_buffer", words=words)
    assert set(result.states[0]) == {"uninitialised"}
    clean(call((2, 3, 4, 8), kind, dtype=dtype, scratch=32), product="ascend310p")


def scratch_read(product):
    with NPU(product=product, check="record").core() as core:
        x, y, t = core.alloc(half, 96, 1.0), core.alloc(half, 96), core.alloc(uint8_t, SCRATCH, 7)
        Transpose(y, x, t, (1, 3, 4, 8, LAST))
        return set(t.lane_states()[: 5 * 512]), set(t.lane_states()[5 * 512 :])


def test_scratch_holds_nothing_afterwards():
    assert scratch_read(A2) == ({"uninitialised"}, {"written"})
    assert scratch_read("ascend310p") == ({"written"}, {"written"})


def test_overlap():
    def kernel(core):
        x = core.alloc(half, 96, 1.0)
        t = core.alloc(uint8_t, SCRATCH)
        yield x
        Transpose(x, x, t, (1, 3, 4, 8, LAST))  # fires

    fires(kernel, "overlap", operand="src", words=("no overlap",))


def test_scratch_over_the_result():
    def kernel(core):
        x, y = core.alloc(half, 96, 1.0), core.alloc(half, 96)
        t = core.alloc(uint8_t, SCRATCH, addr=y.address + 64)
        yield x
        Transpose(y, x, t, (1, 3, 4, 8, LAST))  # fires

    fires(kernel, "overlap", operand="shared_tmp_buffer", words=("no overlap",))


def test_out_of_bounds():
    def kernel(core):
        y, t = core.alloc(half, 512), core.alloc(uint8_t, SCRATCH)
        x = core.alloc(half, 1024, 1.0)
        yield y
        Transpose(y, x, t, (6, 3, 4, 8, LAST))  # fires

    fires(kernel, "out-of-bounds-write", operand="dst")


@pytest.mark.parametrize(
    ("product", "code", "kind", "dtype"),
    [
        ("ascend910", "unsupported-form", LAST, half),
        ("ascend910", "unsupported-form", TILE, uint16_t),
        ("ascend310b", "unsupported-form", LAST, uint16_t),
        ("ascend310b", "unsupported-dtype", TILE, half),
        (A2, "unsupported-dtype", TILE, half),
        (A2, "unsupported-dtype", LAST, bfloat16_t),
        ("ascend950", "unsupported-dtype", TILE, float32),
        (A2, "unsupported-form", TransposeType.TRANSPOSE_NZ2ND_0213, half),
        ("ascend950", "unsupported-form", TransposeType.TRANSPOSE_ND2ND_ONLY, half),
    ],
)
def test_unsupported(product, code, kind, dtype):
    kernel = call((1, 2, 16, 16), kind, dtype=dtype)
    refused_in_every_mode(kernel, code, product=product, instruction="Transpose", words=(product,))


def test_what_is_no_struct():
    with NPU().core() as core:
        x, t = core.alloc(half, 256, 1.0), core.alloc(uint8_t, 32)
        for wrong in (3, (1, 2, 3, 4, 11)):
            with pytest.raises(TypeError, match="TransposeParamsExt"):
                Transpose(x, x, t, wrong)
        with pytest.raises(TypeError, match="go together"):
            Transpose(x, x, t)
        with pytest.raises(FieldError, match="65535"):
            Transpose(x, x, t, (65536, 1, 1, 1, LAST))
        with pytest.raises(TypeError, match="shared_tmp_buffer must be a LocalTensor"):
            Transpose(x, x, 5, (1, 1, 4, 8, LAST))
        with pytest.raises(KernelError, match="uint8_t"):
            Transpose(x, x, x, (1, 1, 4, 8, LAST))
