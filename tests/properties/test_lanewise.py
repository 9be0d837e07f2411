"""Families of repeats against the lane-at-a-time rules: random masks, strides, types; all of memory compared."""

import random

import numpy as np
import pytest

import ascend_sim as a
from ascend_sim import (
    CMPMODE,
    NPU,
    SELMODE,
    ReduceOrder,
    ReduceType,
    float32,
    half,
    int16_t,
    int32_t,
    uint8_t,
    uint16_t,
    uint32_t,
)
from tests.properties import lanewise as rule

SIZE = 24 * 1024  # of memory that is compared
DST, SRC0, SRC1, TABLE = 0, 6 * 1024, 12 * 1024, 18 * 1024
ALL = ("ascend310p", "ascend910b", "ascend950", "ascend310b")
SEEDS = range(6)
KINDS = {"sum": ReduceType.SUM, "max": ReduceType.MAX, "min": ReduceType.MIN}
ORDERS = {
    "value_index": ReduceOrder.ORDER_VALUE_INDEX,
    "index_value": ReduceOrder.ORDER_INDEX_VALUE,
    "value": ReduceOrder.ORDER_ONLY_VALUE,
    "index": ReduceOrder.ORDER_ONLY_INDEX,
}


class Bench:
    """Memory with random values of one type, the same bytes in the simulator and beside it."""

    def __init__(self, core, dtype, seed):
        self.core, self.dtype, self.random = core, dtype, random.Random(seed)
        generator = np.random.default_rng(seed)
        if dtype.is_float:
            values = (generator.random(SIZE // dtype.size) * 200 - 100).astype(dtype.carrier)
        else:
            values = generator.integers(-100, 100, SIZE // dtype.size).astype(dtype.carrier)
        core.alloc(dtype, SIZE // dtype.size, values, addr=0)
        self.memory = bytearray(values.tobytes())

    def tensor(self, address, nbytes=6 * 1024, dtype=None):
        dtype = dtype or self.dtype
        return self.core.alloc(dtype, nbytes // dtype.size, addr=address)

    def write(self, address, codes, dtype):
        self.core.alloc(dtype, len(codes), codes=codes, addr=address)
        raw = np.array(codes, dtype.code).tobytes()
        self.memory[address : address + len(raw)] = raw

    def mask(self, *, full=False):
        width = 256 // self.dtype.size
        if full:
            return width
        if self.random.random() < 0.5:
            return self.random.randint(1, width)
        low = self.random.getrandbits(64) | 1
        return (low, self.random.getrandbits(64) if width > 64 else 0)

    def agrees(self):
        got = self.core.ub.data[:SIZE].tobytes()
        want = bytes(self.memory)
        assert got == want, [i for i in range(SIZE) if got[i] != want[i]][:8]
        assert not [f for f in self.core.findings if f.severity == "error"]


def bench(product, dtype, seed):
    npu = NPU(product=product, suppress=["half-accumulation", "gather-scale", "empty-mask"])
    return npu.core(), lambda core: Bench(core, dtype, seed)


def carrier(dtype):
    return np.dtype(dtype.carrier)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("dtype", [half, float32], ids=str)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("product", ALL)
def test_reduce_repeat(product, kind, dtype, seed):
    context, make = bench(product, dtype, seed)
    with context as core:
        b = make(core)
        allowed = {"ascend310p": 2, "ascend910b": 4, "ascend950": 4}.get(product)
        names = list(ORDERS)[:allowed] if allowed else ["value_index", "value"]
        order = b.random.choice(names)
        mask, repeats = b.mask(), b.random.randint(1, 5)
        strides = (b.random.randint(1, 6), b.random.randint(0, 2), b.random.randint(0, 9))
        arguments = (b.tensor(DST), b.tensor(SRC0), mask, repeats, *strides)
        if kind == "sum":
            a.WholeReduceSum(*arguments)
        else:
            (a.WholeReduceMax if kind == "max" else a.WholeReduceMin)(*arguments, ORDERS[order])
        rule.reduce_repeat(
            b.memory,
            DST,
            SRC0,
            carrier(dtype),
            kind=kind,
            order=order,
            mask=mask,
            repeats=repeats,
            strides=strides,
            product=product,
        )
        b.agrees()


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("dtype", [half, float32], ids=str)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("product", ALL)
def test_reduce_block(product, kind, dtype, seed):
    context, make = bench(product, dtype, seed)
    with context as core:
        b = make(core)
        mask, repeats = b.mask(), b.random.randint(1, 5)
        strides = (b.random.randint(1, 4), b.random.randint(0, 2), b.random.randint(0, 9))
        a.ReduceDataBlock(b.tensor(DST), b.tensor(SRC0), mask, repeats, *strides, reduce_type=KINDS[kind])
        rule.reduce_block(
            b.memory, DST, SRC0, carrier(dtype), kind=kind, mask=mask, repeats=repeats, strides=strides, product=product
        )
        b.agrees()


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("dtype", [half, float32], ids=str)
@pytest.mark.parametrize("product", ALL)
def test_reduce_pair(product, dtype, seed):
    context, make = bench(product, dtype, seed)
    with context as core:
        b = make(core)
        mask, repeats = b.mask(), b.random.randint(1, 5)
        strides = (b.random.randint(1, 4), b.random.randint(0, 2), b.random.randint(0, 9))
        a.PairReduceSum(b.tensor(DST), b.tensor(SRC0), repeats, mask, *strides)
        rule.reduce_pair(
            b.memory, DST, SRC0, carrier(dtype), mask=mask, repeats=repeats, strides=strides, product=product
        )
        b.agrees()


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("dtype", [half, float32], ids=str)
@pytest.mark.parametrize("scalar", [False, True])
@pytest.mark.parametrize("product", ALL)
def test_compare(product, scalar, dtype, seed):
    context, make = bench(product, dtype, seed)
    with context as core:
        b = make(core)
        mode, mask, repeats = b.random.choice(list(rule.ASK)), b.mask(), b.random.randint(1, 5)
        walks = [(b.random.randint(0, 2), b.random.randint(0, 9)) for _ in range(2)]
        dst, src0, src1 = b.tensor(DST, dtype=uint8_t), b.tensor(SRC0), b.tensor(SRC1)
        if scalar:
            value = dtype.carrier.type(b.random.randint(-50, 50))
            strides = (1, walks[0][0], 8, walks[0][1])
            a.Compares(dst, src0, value, CMPMODE[mode], mask, repeats, strides)
            sources = (SRC0, value)
        else:
            strides = (1, walks[0][0], walks[1][0], 8, walks[0][1], walks[1][1])
            a.Compare(dst, src0, src1, CMPMODE[mode], mask, repeats, strides)
            sources = (SRC0, SRC1)
        rule.compare(
            b.memory,
            DST,
            sources,
            carrier(dtype),
            mode=mode,
            mask=mask,
            repeats=repeats,
            strides=walks,
            product=product,
        )
        b.agrees()


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("dtype", [half, float32], ids=str)
@pytest.mark.parametrize("mode", [0, 1, 2])
@pytest.mark.parametrize("product", ALL)
def test_select(product, mode, dtype, seed):
    context, make = bench(product, dtype, seed)
    with context as core:
        b = make(core)
        mask, repeats = b.mask(), b.random.randint(1, 4)
        walks = [(b.random.randint(1, 2), b.random.randint(16, 18))]
        walks += [(b.random.randint(0, 2), b.random.randint(0, 9)) for _ in range(2)]
        other = dtype.carrier.type(7) if mode == 1 else SRC1
        strides = (*(w[0] for w in walks), *(w[1] for w in walks))
        src1 = other if mode == 1 else b.tensor(SRC1)
        bits = b.tensor(TABLE, dtype=uint8_t)
        a.Select(b.tensor(DST), bits, b.tensor(SRC0), src1, SELMODE(mode), mask, repeats, strides)
        rule.select(
            b.memory, DST, TABLE, (SRC0, other), carrier(dtype), mode=mode, mask=mask, repeats=repeats, strides=walks
        )
        b.agrees()


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("dtype", [half, float32, int32_t, uint16_t], ids=str)
@pytest.mark.parametrize("product", ["ascend310p", "ascend910b", "ascend950"])
def test_brcb(product, dtype, seed):
    context, make = bench(product, dtype, seed)
    with context as core:
        b = make(core)
        repeats, strides = b.random.randint(1, 5), (b.random.randint(0, 2), b.random.randint(16, 18))
        a.Brcb(b.tensor(DST), b.tensor(SRC0), repeats, strides)
        rule.brcb(b.memory, DST, SRC0, carrier(dtype), repeats=repeats, strides=strides)
        b.agrees()


def offsets(b, count, limit, size, *, distinct):
    pool = [size * k for k in range(limit // size)]
    return b.random.sample(pool, count) if distinct else [b.random.choice(pool) for _ in range(count)]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("dtype", [half, float32, int16_t, uint32_t], ids=str)
@pytest.mark.parametrize("product", ALL)
def test_gather(product, dtype, seed):
    context, make = bench(product, dtype, seed)
    with context as core:
        b = make(core)
        width, repeats = 256 // dtype.size, b.random.randint(1, 4)
        mask, rep, base = b.mask(), b.random.randint(8, 10), 4 * b.random.randint(0, 9)
        b.write(TABLE, offsets(b, width * repeats, 4096, dtype.size, distinct=False), uint32_t)
        a.Gather(b.tensor(DST), b.tensor(SRC0), b.tensor(TABLE, dtype=uint32_t), base, mask, repeats, rep)
        rule.gather(b.memory, DST, SRC0, TABLE, carrier(dtype), base=base, mask=mask, repeats=repeats, rep=rep)
        b.agrees()


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("dtype", [half, float32, uint32_t], ids=str)
@pytest.mark.parametrize("product", ["ascend310p", "ascend310b", "ascend950"])
def test_scatter(product, dtype, seed):
    context, make = bench(product, dtype, seed)
    with context as core:
        b = make(core)
        width, repeats = 256 // dtype.size, b.random.randint(1, 3)
        mask, rep, base = b.mask(), b.random.randint(8, 10), 4 * b.random.randint(0, 9)
        b.write(TABLE, offsets(b, width * repeats, 4096, dtype.size, distinct=True), uint32_t)
        a.Scatter(b.tensor(DST), b.tensor(SRC0), b.tensor(TABLE, dtype=uint32_t), base, mask, repeats, rep)
        rule.scatter(b.memory, DST, SRC0, TABLE, carrier(dtype), base=base, mask=mask, repeats=repeats, rep=rep)
        b.agrees()


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("product", ["ascend310b", "ascend910b", "ascend950"])
def test_gatherb(product, seed):
    context, make = bench(product, uint16_t, seed)
    with context as core:
        b = make(core)
        repeats, strides = b.random.randint(1, 5), (b.random.randint(0, 2), b.random.randint(16, 18))
        b.write(TABLE, [32 * b.random.randrange(100) for _ in range(8 * repeats)], uint32_t)
        a.Gatherb(b.tensor(DST), b.tensor(SRC0), b.tensor(TABLE, dtype=uint32_t), repeats, strides)
        rule.gatherb(b.memory, DST, SRC0, TABLE, repeats=repeats, strides=strides)
        b.agrees()


STEPS = {1: (2, 0), 2: (2, 1), 3: (4, 0), 4: (4, 1), 5: (4, 2), 6: (4, 3), 7: (1, 0)}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("counts", [False, True])
@pytest.mark.parametrize("table", [False, True])
@pytest.mark.parametrize("dtype", [half, float32, int16_t], ids=str)
@pytest.mark.parametrize("product", ["ascend910b", "ascend310b", "ascend950"])
def test_gather_mask(product, dtype, table, counts, seed):
    context, make = bench(product, dtype, seed)
    with context as core:
        b = make(core)
        width, repeats = 256 // dtype.size, b.random.randint(1, 4)
        lanes = b.random.randint(1, 2 * width) if counts else width
        block, step, again = b.random.randint(1, 2), b.random.randint(0, 12), b.random.randint(0, 3)
        params = (block, repeats, step, again)
        if table:
            bits = b.memory[TABLE : TABLE + 1024]
            pattern = b.tensor(TABLE, dtype=uint16_t if dtype.size == 2 else uint32_t)

            def wanted(r, k):
                return bits[32 * again * r + k // 8] >> k % 8 & 1
        else:
            pattern = b.random.randint(1, 7)

            def wanted(r, k):
                every, first = STEPS[pattern]
                return k % every == first

        kept = a.GatherMask(b.tensor(DST), b.tensor(SRC0), pattern, counts, lanes, params)
        assert kept == rule.gather_mask(
            b.memory, DST, SRC0, carrier(dtype), wanted=wanted, lanes=lanes, repeats=repeats, strides=(block, step)
        )
        b.agrees()


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("dtype", [half, float32], ids=str)
def test_sort_and_merge(dtype, seed):
    with NPU().core() as core:
        generator = np.random.default_rng(seed)
        values = generator.integers(0, 40, 128).astype(dtype.carrier)  # many equal scores
        x, i = core.alloc(dtype, 128, values), core.alloc(uint32_t, 128, range(128))
        per = 8 // dtype.size
        work, out = core.alloc(dtype, 128 * per), core.alloc(dtype, 128 * per)
        a.Sort32(work, x, i, 4)
        a.MrgSort(out, [work[32 * per * k :] for k in range(4)], a.MrgSort4Info([32] * 4, False, 15, 1))
        records = out.codes().view(np.uint32).reshape(-1, 2)
        order = sorted(range(128), key=lambda k: -float(values[k]))
        assert records[:, 1].tolist() == order
        scores = records[:, 0].astype(dtype.code).view(dtype.carrier)
        assert scores.tolist() == values[order].tolist()
