"""What the engine may do with any kernel: strided views, an output that is a source, any shape, and no warning."""

import numpy as np
import pytest

import tests.isa.kernels  # noqa: F401  # fills TABLE
from isa.families import ArgumentKind, Shape
from isa.model import TABLE
from isa.params import RoundMode
from tests.isa.kernels import call, rules_for, types_of

CHAPTERS = ("基础算术", "逻辑计算", "复合计算", "数据填充", "类型转换")
EVERY = {  # products of one architecture share their kernels
    (prototype, product.arch, row.types): (prototype, product, row)
    for instruction in TABLE.values()
    for prototype in instruction.prototypes
    for product, row in prototype.types
    if prototype.lanes and prototype.family.shape is Shape.LANES and prototype.doc.split("/")[2] in CHAPTERS
}
CASES = tuple(EVERY.values())
SHAPE = (3, 40)


def random_elements(dtype, shape, draw):
    """Any bits: NaNs, subnormals, everything. Nibble types come as one code a byte."""
    codes = draw.integers(0, 1 << dtype.bits, shape, np.uint64, endpoint=False) if dtype.bits < 64 else None
    if codes is None:
        codes = draw.integers(0, 1 << 63, shape, np.uint64) << np.uint64(1)
    return codes.astype(dtype.code).view(dtype.carrier)


def kernel_and_sources(prototype, product, row, draw):
    types = types_of(prototype, row)
    family = prototype.family
    arguments = {}
    for argument in family.arguments:
        if argument.kind is ArgumentKind.ROUND_MODE:
            modes = row.round_modes or (RoundMode.CAST_NONE,)
            arguments["round_mode"] = modes[0]
    kernel = prototype.lanes(types, rules_for(product.arch), **arguments)
    sources = [random_elements(t, SHAPE, draw) for t, o in zip(types, family.operands, strict=True) if o.is_read]
    scalars = [random_elements(types[-1], 1, draw)[0]] if family.has_scalar else []
    results = [t for t, o in zip(types, family.operands, strict=True) if o.is_written]
    return kernel, sources, scalars, results


def strided(values):
    """The same elements in other places: every second lane of every second row of a larger, backward array."""
    spread = np.zeros((2 * values.shape[0], 2 * values.shape[1]), values.dtype)[::-1]
    view = spread[::2, ::2]
    view[...] = values
    return view


def bits_of(values):
    return np.ascontiguousarray(values).view(np.uint8)


def name_of(case):
    prototype, product, row = case
    return f"{prototype.name}-{product}-{'-'.join(map(str, row.types))}-{len(prototype.family.operands)}"


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_where_operands_lie_does_not_matter(case):
    draw = np.random.default_rng(11)
    kernel, sources, scalars, results = kernel_and_sources(*case, draw)
    wanted = [np.zeros(SHAPE, t.carrier) for t in results]
    before = [values.copy() for values in sources]
    call(kernel, *sources, *scalars, *wanted)
    for values, kept in zip(sources, before, strict=True):
        assert np.array_equal(bits_of(values), bits_of(kept)), "a source was changed"

    outs = [strided(np.zeros(SHAPE, t.carrier)) for t in results]
    call(kernel, *map(strided, sources), *scalars, *outs)
    for out, want in zip(outs, wanted, strict=True):
        assert np.array_equal(bits_of(out), bits_of(want))

    row_by_row = [np.zeros(SHAPE, t.carrier) for t in results]
    for i in range(SHAPE[0]):
        call(kernel, *(values[i] for values in sources), *scalars, *(out[i] for out in row_by_row))
    for out, want in zip(row_by_row, wanted, strict=True):
        assert np.array_equal(bits_of(out), bits_of(want))

    for i in range(len(sources)):
        for k in range(len(results)):
            if sources[i].dtype != results[k].carrier:
                continue
            for place in (np.copy, strided):
                fresh = [place(values) for values in sources]
                outs = [np.zeros(SHAPE, t.carrier) for t in results]
                outs[k] = fresh[i]
                call(kernel, *fresh, *scalars, *outs)
                for out, want in zip(outs, wanted, strict=True):
                    assert np.array_equal(bits_of(out), bits_of(want)), f"source {i} in place"


def test_every_row_is_exercised():
    assert len(CASES) > 500
