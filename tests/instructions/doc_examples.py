"""The numeric examples of the AscendC documentation, as calls: what goes in, what is called, what the page prints.

Each function takes a core and an example and yields (what came out, what the page prints, kind); `None` in what is
printed stands for values that the page leaves out.
"""

import json
from pathlib import Path

import numpy as np

import ascend_sim as a
from ascend_sim import CMPMODE, SELMODE, RoundMode, float32, half, int16_t, int32_t, uint8_t, uint16_t, uint32_t

EXAMPLES = json.loads((Path(__file__).resolve().parent.parent / "data" / "doc_examples.json").read_text("utf-8"))


def numbers(texts):
    """Printed values; None where the page says "..." or "undefined"."""
    return [None if t in ("...", "undefined") else float(t) for t in texts]


def items(example, role):
    return [numbers(values) for kind, _, values in example["items"] if kind == role]


def known(values):
    """The values before the first gap."""
    return values[: values.index(None)] if None in values else values


def agree(got, printed, tolerance=0.0):
    """Equal as far as both are known: from the front to the first gap, and from the last gap to the end."""
    got = np.asarray(got, np.float64)
    front = known(printed)
    pairs = [(got[: len(front)], front)]
    if None in printed:
        tail = known(printed[::-1])[::-1]
        if tail and len(printed) > len(front) + 1 and len(got) > len(printed):
            pairs.append((got[-len(tail) :], tail))
    return all(np.allclose(g, p, rtol=tolerance, atol=tolerance) for g, p in pairs)


def rounded(values):
    """Printed halves as halves."""
    return np.array(values, np.float16)


def unary(name, dtype, tolerance):
    def case(core, example):
        (source,), (printed,) = items(example, "in"), items(example, "out")
        values = known(source)
        x, y = core.alloc(dtype, len(values), values), core.alloc(dtype, len(values))
        getattr(a, name)(y, x, len(values))
        yield y.numpy(), known(printed), tolerance

    return case


def cast(mode):
    def case(core, example):
        (source,), (printed,) = items(example, "in"), items(example, "out")
        values = known(source)
        x, y = core.alloc(half, len(values), values), core.alloc(int32_t, len(values))
        a.Cast(y, x, mode, len(values))
        yield y.numpy(), known(printed), 0

    return case


def cast_masked(core, example):
    """The active lanes; the others keep what the page's run found in memory."""
    (source,), (printed,) = items(example, "in"), items(example, "out")
    x, y = core.alloc(half, 512, source), core.alloc(int32_t, 512, 0)
    a.Cast(y, x, RoundMode.CAST_CEIL, 32, 8, (1, 1, 8, 4))
    lanes = np.arange(512) % 64 < 32
    yield y.numpy()[lanes], list(np.array(printed)[lanes]), 0


def cast_whole(core, example):
    (source,), (printed,) = items(example, "in"), items(example, "out")
    x, y = core.alloc(half, 512, source), core.alloc(int32_t, 512)
    a.Cast(y, x, RoundMode.CAST_CEIL, 512)
    yield y.numpy(), printed, 0


def add_strided(strides, length):
    def case(core, example):
        (printed,) = items(example, "out")
        x, y = core.alloc(int16_t, 512, range(1, 513)), core.alloc(int16_t, 512, range(513, 1025))
        z = core.alloc(int16_t, 512, 0)
        a.Add(z, x, y, 128, 2, strides)
        front = known(printed)
        yield z.numpy(), front, 0
        yield z.numpy()[:256][-2:], [length - 2, length], 0

    return case


def mull(core, example):
    (x, y), (low, high) = items(example, "in"), items(example, "out")
    n = len(known(x))
    s0, s1 = core.alloc(int32_t, n, known(x)), core.alloc(int32_t, n, known(y))
    d0, d1 = core.alloc(int32_t, n), core.alloc(int32_t, n)
    a.Mull(d0, d1, s0, s1, n)
    yield d0.numpy(), known(low), 0
    yield d1.numpy(), known(high), 0


def prelu(core, example):
    (x, y), (printed,) = items(example, "in"), items(example, "out")
    n = len(known(x))
    s0, s1, d = core.alloc(float32, n, known(x)), core.alloc(float32, n, known(y)), core.alloc(float32, n)
    a.Prelu(d, s0, s1, n)
    yield d.numpy(), known(printed), 0


def add_deq_relu(core, example):
    (x, y), (printed,) = items(example, "in"), items(example, "out")
    n = len(known(x))
    s0, s1, d = core.alloc(int32_t, n, known(x)), core.alloc(int32_t, n, known(y)), core.alloc(half, n)
    a.SetDeqScale(0.1)
    a.AddDeqRelu(d, s0, s1, n)
    yield d.numpy(), known(printed), 2e-3


def cast_dequant(core, example):
    (source,), (printed,) = items(example, "in"), items(example, "out")
    x, y, table = core.alloc(int16_t, 256, source), core.alloc(uint8_t, 512, 0), core.alloc(a.uint64_t, 16)
    a.SetDeqScale(table, a.VdeqInfo([1.0] * 16, [0] * 16, [False] * 16))
    a.CastDequant(y, x, 256, is_vec_deq=True, half_block=True)
    yield y.numpy(), printed, 0


def multiply_add(name, dst_type, tolerance):
    def case(core, example):
        (x, y, z), (printed,) = items(example, "in"), items(example, "out")
        s0, s1, d = core.alloc(half, 256, x), core.alloc(half, 256, y), core.alloc(dst_type, 256, z)
        getattr(a, name)(d, s0, s1, 256)
        wanted = rounded(printed) if dst_type is half else printed
        yield d.numpy(), list(map(float, wanted)), tolerance

    return case


def get_mrg_sort_result(core, example):
    (source,), (printed,) = items(example, "in"), items(example, "out")
    x, i = core.alloc(float32, 128, source), core.alloc(uint32_t, 128, 0)
    work, d = core.alloc(float32, 256), core.alloc(float32, 256)
    a.Sort32(work, x, i, 4)
    lists = a.MrgSortSrcList(*(work[64 * k :] for k in range(4)))
    a.MrgSort(d, lists, a.MrgSort4Info([32] * 4, False, 15, 1))
    yield d.numpy(), printed, 0
    a.MrgSort(d, lists, a.MrgSort4Info([32] * 4, True, 15, 1))
    yield a.GetMrgSortResult(), [0, 0, 0, 32], 0  # list 4 has the largest, and is exhausted first


def mrg_sort4(core, example):
    (source,), (printed,) = items(example, "in"), items(example, "out")
    values = core.alloc(half, 64, source)
    proposals, sorted_, merged = (core.alloc(half, 512, 0) for _ in range(3))
    a.ProposalConcat(proposals, values, 4, 4)
    a.RpSort16(sorted_, proposals, 4)
    lists = [sorted_[128 * k :] for k in range(4)]
    a.MrgSort4(merged, lists, a.MrgSort4Info([16] * 4, False, 15, 1))
    scores = [v for v in printed if v]
    yield merged.numpy()[4::8], list(map(float, rounded(scores))), 0


def proposal_extract(core, example):
    source = next(numbers(v) for kind, _, v in example["items"] if kind in ("?", "in"))
    (printed,) = items(example, "out")
    x, y = core.alloc(half, 256, source), core.alloc(half, 32)
    a.ProposalExtract(y, x, 2, 4)
    yield y.numpy(), list(map(float, rounded(printed))), 0


def proposal_concat(core, example):
    (source,), (printed,) = items(example, "in"), items(example, "out")
    x, y = core.alloc(half, 32, source), core.alloc(half, 256, 0)
    a.ProposalConcat(y, x, 2, 4)
    yield y.numpy(), list(map(float, rounded(printed))), 0


def rp_sort16(core, example):
    (source, *_), (printed,) = items(example, "in"), items(example, "out")
    x, y = core.alloc(half, 32, source), core.alloc(half, 256, 0)
    a.ProposalConcat(y, x, 2, 4)
    a.RpSort16(y, y, 2)
    yield y.numpy(), list(map(float, rounded(printed))), 0


def trans_data(dtype, length, *, halves=False):
    def case(core, example):
        (source,), (printed,) = items(example, "in"), items(example, "out")
        x, y = core.alloc(dtype, length, source), core.alloc(dtype, length, 0)
        per = 32 // dtype.size
        lists = [[t[per * k :] for k in range(16)] for t in (y, x)]
        a.TransDataTo5HD(*lists, a.TransDataTo5HDParams(halves, halves, 1, 0, 0))
        yield y.numpy(), printed, 0

    return case


def transpose(core, example):
    (source,), (printed,) = items(example, "in"), items(example, "out")
    x, y = core.alloc(uint16_t, 256, source), core.alloc(uint16_t, 256)
    a.Transpose(y, x)
    yield y.numpy(), printed, 0


def compare_first(core, example):
    (x, y), printed = items(example, "in")[:2], items(example, "out")[0]
    s0, s1, d = core.alloc(float32, 64, x), core.alloc(float32, 64, y), core.alloc(uint8_t, 32)
    a.Compare(d, s0, s1, CMPMODE.LT, 64)
    yield d.numpy()[:8], printed, 0


def compare_eight(mode, at):
    """The pages show 8 of 64 lanes; `at` is the place of the printed byte among the outputs."""

    def case(core, example):
        x, y = next(v for v in items(example, "in") if known(v)[:2] == [2, 3]), [2, 4, 6, 8, 10, 12, 14, 16]
        s0, s1 = core.alloc(float32, 64, known(x) * 8), core.alloc(float32, 64, y * 8)
        d = core.alloc(uint8_t, 32)
        a.Compare(d, s0, s1, mode, 64)
        yield d.numpy()[:1], known(items(example, "out")[at]), 0

    return case


def compare_masked(mask):
    def case(core, example):
        (x, y), printed = items(example, "in")[:2], items(example, "out")[0]
        s0, s1, d = core.alloc(float32, 64, x), core.alloc(float32, 64, y), core.alloc(uint8_t, 32)
        a.Compare(d, s0, s1, CMPMODE.LE, mask, 1, (1, 1, 1, 8, 8, 8))
        yield d.numpy()[:8], printed, 0

    return case


def compare_scalar(name):
    def case(core, example):
        (x, scalars), (printed,) = items(example, "in"), items(example, "out")
        s, d = core.alloc(float32, 256, x), core.alloc(uint8_t, 32)
        getattr(a, name)(d, s, scalars[0], CMPMODE.LT, 64, 4, (1, 1, 8, 8))
        yield d.numpy(), printed, 0

    return case


def compare_register(core, example):
    (x, y), (printed,) = items(example, "in"), items(example, "out")
    s0, s1, d = core.alloc(float32, 64, x), core.alloc(float32, 64, y), core.alloc(uint8_t, 128)
    a.Compare(s0, s1, CMPMODE.LT, 64, (1, 1, 1, 8, 8, 8))
    a.GetCmpMask(d)
    yield d.numpy()[:8], printed, 0


def select(mode):
    def case(core, example):
        ins, (printed,) = items(example, "in"), items(example, "out")
        bits = core.alloc(uint8_t, len(ins[-1]), ins[-1])
        x, d = core.alloc(float32, 256, ins[0]), core.alloc(float32, 256)
        other = 0.0 if mode is SELMODE.VSEL_TENSOR_SCALAR_MODE else core.alloc(float32, 256, ins[1])
        a.Select(d, bits, x, other, mode, 64, 4, (1, 1, 1, 8, 8, 8))
        yield d.numpy(), printed, 1e-6

    return case


def gatherb(core, example):
    (offsets, _), (printed,) = items(example, "in"), items(example, "out")
    x, o, d = core.alloc(uint16_t, 128, range(128)), core.alloc(uint32_t, 8, offsets), core.alloc(uint16_t, 128)
    a.Gatherb(d, x, o, 1, (1, 8))
    yield d.numpy(), printed, 0


def invert(core, example):
    (source,), (printed,) = items(example, "in"), items(example, "out")
    x, y = core.alloc(int16_t, 3, known(source)), core.alloc(int16_t, 3)
    a.Not(y, x, 3)
    yield y.numpy(), known(printed), 0


def pair_sum(core, example):
    (source,), (printed,) = items(example, "in"), items(example, "out")
    x, y = core.alloc(half, 128, source), core.alloc(half, 64)
    a.PairReduceSum(y, x, 1, 128, 1, 1, 8)
    yield y.numpy(), printed, 1e-3


def reduce_whole(name, length):
    """Value and index; the page prints the index as the half that its bits are."""

    def case(core, example):
        (source,), (printed,) = items(example, "in"), items(example, "out")
        x, t, d = core.alloc(half, length, source), core.alloc(half, 256), core.alloc(half, 16)
        getattr(a, name)(d, x, t, length, True)
        yield d.numpy()[:1], [float(half(printed[0]))], 0
        yield d.numpy()[1:2], printed[1:], 3e-7
        if length % 128 == 0:
            getattr(a, name)(d, x, t, 128, length // 128, 8, True)
            yield d.numpy()[1:2], printed[1:], 3e-7

    return case


def repeat_sums(name):
    def case(core, example):
        (source,), (printed,) = items(example, "in"), items(example, "out")
        x, d = core.alloc(half, 2048, source), core.alloc(half, 16)
        if name == "RepeatReduceSum":
            a.RepeatReduceSum(d, x, 16, 128, 1, 1, 1, 8)
        else:
            a.WholeReduceSum(d, x, 128, 16, 1, 1, 8)
        yield d.numpy(), printed, 0

    return case


def repeat_extremes(name):
    def case(core, example):
        (source,), (printed,) = items(example, "in"), items(example, "out")
        x, d = core.alloc(half, 1024, source), core.alloc(half, 16)
        getattr(a, name)(d, x, 128, 8, 1, 1, 8)
        yield d.numpy()[0::2], list(map(float, rounded(printed[0::2]))), 0
        yield d.numpy()[1::2], printed[1::2], 3e-8

    return case


def sort32(core, example):
    (source, _), (printed,) = items(example, "in"), items(example, "out")
    x, i, d = core.alloc(float32, 128, source), core.alloc(uint32_t, 128, 0), core.alloc(float32, 256)
    a.Sort32(d, x, i, 4)
    yield d.numpy(), printed, 1e-6
