"""`unsupported-api`, `-dtype`, `-form`, `-round-mode`: not on this product, or not in this form.

They raise in every mode: there is nothing that the hardware could do.
"""

import pytest

from ascend_sim import (
    Add,
    Adds,
    Cast,
    Duplicate,
    Not,
    Relu,
    RoundMode,
    SetDeqScale,
    bfloat16_t,
    float32,
    half,
    int8_t,
    int16_t,
    int32_t,
    int64_t,
    uint8_t,
)
from tests.helpers import clean, refused_in_every_mode


@pytest.mark.parametrize("product", ["ascend910", "ascend310b"])
def test_api(product):
    def kernel(core):
        yield ()
        SetDeqScale(0.5)  # fires

    words = ("SetDeqScale", product)
    refused_in_every_mode(kernel, "unsupported-api", product=product, instruction="SetDeqScale", words=words)


@pytest.mark.parametrize("product", ["ascend310p", "ascend910b", "ascend910_93", "ascend950"])
def test_api_that_the_product_has(product):
    def kernel(core):
        yield ()
        SetDeqScale(0.5)

    clean(kernel, product=product)


@pytest.mark.parametrize(
    ("product", "instruction", "dtype"),
    [
        ("ascend910", Adds, int32_t),
        ("ascend910", Relu, float32),
        ("ascend910", Add, int16_t),
        ("ascend910b", Add, int8_t),
        ("ascend910b", Not, float32),
        ("ascend910b", Adds, bfloat16_t),
        ("ascend310b", Duplicate, int8_t),
        ("ascend310p", Adds, int64_t),
    ],
)
def test_dtype(product, instruction, dtype):
    def kernel(core):
        x = core.alloc(dtype, 64, [1] * 64)
        y = core.alloc(dtype, 64)
        arguments = {Add: (x, x), Adds: (x, 1), Not: (x,), Relu: (x,), Duplicate: (1,)}[instruction]
        yield y
        instruction(y, *arguments, 64)  # fires

    name = instruction.__name__
    words = (name, dtype.name, product)
    refused_in_every_mode(kernel, "unsupported-dtype", product=product, instruction=name, words=words)


def test_dtype_of_one_operand():
    def kernel(core):
        x = core.alloc(half, 64, [1] * 64)
        y = core.alloc(float32, 64)
        yield y
        Add(y, x, x, 64)  # fires

    refused_in_every_mode(kernel, "unsupported-dtype", instruction="Add", words=("Add", "half", "float32"))


@pytest.mark.parametrize(
    ("product", "source", "destination"),
    [("ascend910", half, int16_t), ("ascend310p", float32, float32), ("ascend910b", int8_t, float32)],
)
def test_pair_of_a_conversion(product, source, destination):
    def kernel(core):
        x = core.alloc(source, 64, [1] * 64)
        y = core.alloc(destination, 64)
        yield y
        Cast(y, x, RoundMode.CAST_RINT, 64)  # fires

    words = ("Cast", source.name, destination.name, product)
    refused_in_every_mode(kernel, "unsupported-dtype", product=product, instruction="Cast", words=words)


@pytest.mark.parametrize(
    ("instruction", "dtype"), [(Add, int64_t), (Add, uint8_t), (Adds, int8_t), (Duplicate, int64_t)]
)
def test_form(instruction, dtype):
    def kernel(core):
        x = core.alloc(dtype, 64, [1] * 64)
        y = core.alloc(dtype, 64)
        arguments, strides = {
            Add: ((x, x), ((1, 1, 1, 8, 8, 8),)),
            Adds: ((x, 1), ((1, 1, 8, 8),)),
            Duplicate: ((1,), (1, 8)),
        }[instruction]
        yield y
        instruction(y, *arguments, 32, 1, *strides)  # fires

    name = instruction.__name__
    words = (name, dtype.name, "count")
    refused_in_every_mode(kernel, "unsupported-form", product="ascend950", instruction=name, words=words)


@pytest.mark.parametrize(
    ("instruction", "dtype"), [(Add, int64_t), (Add, uint8_t), (Adds, int8_t), (Duplicate, int64_t)]
)
def test_form_that_the_product_has(instruction, dtype):
    def kernel(core):
        x = core.alloc(dtype, 64, [1] * 64)
        y = core.alloc(dtype, 64)
        arguments = {Add: (x, x), Adds: (x, 1), Duplicate: (1,)}[instruction]
        yield y
        instruction(y, *arguments, 64)

    clean(kernel, product="ascend950")


@pytest.mark.parametrize(
    ("product", "source", "destination", "mode"),
    [
        ("ascend910b", half, int32_t, RoundMode.CAST_NONE),
        ("ascend910b", half, float32, RoundMode.CAST_RINT),
        ("ascend910b", half, int32_t, RoundMode.CAST_ODD),
        ("ascend910", half, int8_t, RoundMode.CAST_RINT),
        ("ascend910", float32, half, RoundMode.CAST_FLOOR),
        ("ascend950", half, int8_t, RoundMode.CAST_NONE),
        ("ascend950", float32, half, RoundMode.CAST_HYBRID),
    ],
)
@pytest.mark.parametrize("arguments", [(64,), (64, 1, (1, 1, 8, 8))], ids=["count", "tiled"])
def test_round_mode(product, source, destination, mode, arguments):
    def kernel(core):
        x = core.alloc(source, 128, [1] * 128)
        y = core.alloc(destination, 128)
        yield y
        Cast(y, x, mode, *arguments)  # fires

    words = ("Cast", mode.name, source.name, destination.name, product)
    refused_in_every_mode(kernel, "unsupported-round-mode", product=product, instruction="Cast", words=words)


@pytest.mark.parametrize(
    ("product", "source", "destination", "mode"),
    [
        ("ascend910b", half, int32_t, RoundMode.CAST_RINT),
        ("ascend910b", half, float32, RoundMode.CAST_NONE),
        ("ascend910", half, int8_t, RoundMode.CAST_NONE),
        ("ascend910", float32, half, RoundMode.CAST_ODD),
        ("ascend950", half, int8_t, RoundMode.CAST_RINT),
    ],
)
def test_round_mode_that_the_product_has(product, source, destination, mode):
    def kernel(core):
        x = core.alloc(source, 128, [1] * 128)
        y = core.alloc(destination, 128)
        yield y
        Cast(y, x, mode, 64)

    assert clean(kernel, product=product).values[0][:64].tolist() == [1] * 64
