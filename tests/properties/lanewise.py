"""A second opinion on the families of repeats: every rule again, one lane at a time, over plain lists of bytes.

Written from spec 01 section 3 and spec 03 section 6; it shares nothing with the simulator but the formats of numpy.
"""

import numpy as np

A2 = ("ascend910b", "ascend910_93")
LOOPS = ("ascend310b", "ascend950")  # register loops: they look at the mask everywhere and fill empty results


def place(base, block, repeat, size, r, k):
    """Byte address of lane k of repeat r; strides in blocks."""
    offset = k * size
    return base + r * repeat * 32 + offset // 32 * block * 32 + offset % 32


def load(memory, address, dtype):
    return np.frombuffer(bytes(memory[address : address + dtype.itemsize]), dtype)[0]


def store(memory, address, value, dtype):
    memory[address : address + dtype.itemsize] = np.array([value], dtype).tobytes()


def active_lanes(mask, width):
    bits = (1 << mask) - 1 if isinstance(mask, int) else mask[1] << 64 | mask[0]
    return [k for k in range(width) if bits >> k & 1]


def saturated(value, dtype):
    """Half results are clamped, NaN becomes 0."""
    if dtype != np.float16:
        return value
    if np.isnan(value):
        return dtype.type(0)
    return dtype.type(np.clip(value, -65504, 65504))


def tree(values, dtype):
    with np.errstate(all="ignore"):
        while len(values) > 1:
            values = [saturated(a + b, dtype) for a, b in zip(values[::2], values[1::2], strict=True)]
    return saturated(values[0], dtype)


def extreme(pairs, kind):
    """(value, lane) of the first largest or smallest; no NaN, no zeros of two signs."""
    best = None
    for value, lane in pairs:
        if best is None or (value > best[0] if kind == "max" else value < best[0]):
            best = value, lane
    return best


def identity(kind, dtype, product):
    if kind == "sum":
        return dtype.type(0)
    bound = 65504 if dtype == np.float16 and product == "ascend310b" else np.inf
    return dtype.type(-bound if kind == "max" else bound)


def reduce_repeat(memory, dst, src, dtype, *, kind, order, mask, repeats, strides, product):
    size, width = dtype.itemsize, 256 // dtype.itemsize
    rep, src_blk, src_rep = strides
    lanes = active_lanes(mask, width)
    for r in range(repeats):
        values = {k: load(memory, place(src, src_blk, src_rep, size, r, k), dtype) for k in lanes}
        if kind == "sum":
            zero = dtype.type(0)
            store(memory, dst + r * rep * size, tree([values.get(k, zero) for k in range(width)], dtype), dtype)
            continue
        value, lane = extreme([(values[k], k) for k in lanes], kind)
        index = np.array([lane], f"u{size}").view(dtype)[0]
        at = dst + r * rep * (4 if order == "index" else size if order == "value" else 2 * size)
        if order == "index":
            store(memory, at, np.uint32(lane), np.dtype(np.uint32))
        elif order == "value":
            store(memory, at, value, dtype)
        else:
            first, second = (value, index) if order == "value_index" else (index, value)
            store(memory, at, first, dtype)
            store(memory, at + size, second, dtype)


def reduce_block(memory, dst, src, dtype, *, kind, mask, repeats, strides, product):
    size, width = dtype.itemsize, 256 // dtype.itemsize
    rep, src_blk, src_rep = strides
    per = 32 // size
    lanes = set(active_lanes(mask, width))
    for r in range(repeats):
        for block in range(8):
            mine = [k for k in range(block * per, block * per + per) if k in lanes]
            at = dst + r * rep * 8 * size + block * size
            if not mine:
                if product in LOOPS:
                    store(memory, at, identity(kind, dtype, product), dtype)
                continue
            values = {k: load(memory, place(src, src_blk, src_rep, size, r, k), dtype) for k in mine}
            if kind == "sum":
                whole = [values.get(k, dtype.type(0)) for k in range(block * per, block * per + per)]
                store(memory, at, tree(whole, dtype), dtype)
            else:
                store(memory, at, extreme([(values[k], k) for k in mine], kind)[0], dtype)


def reduce_pair(memory, dst, src, dtype, *, mask, repeats, strides, product):
    size, width = dtype.itemsize, 256 // dtype.itemsize
    rep, src_blk, src_rep = strides
    lanes = set(active_lanes(mask, width))
    for r in range(repeats):
        for pair in range(width // 2):
            mine = [k for k in (2 * pair, 2 * pair + 1) if k in lanes]
            if not mine and product not in LOOPS:
                continue
            both = [
                load(memory, place(src, src_blk, src_rep, size, r, k), dtype) if k in lanes else dtype.type(0)
                for k in (2 * pair, 2 * pair + 1)
            ]
            store(memory, dst + r * rep * 128 + pair * size, tree(both, dtype), dtype)


ASK = {
    "LT": lambda a, b: a < b,
    "GT": lambda a, b: a > b,
    "EQ": lambda a, b: a == b,
    "LE": lambda a, b: a <= b,
    "GE": lambda a, b: a >= b,
    "NE": lambda a, b: a != b,
}


def compare(memory, dst, sources, dtype, *, mode, mask, repeats, strides, product):
    """sources: two addresses, or an address and a scalar; strides: (block, repeat) of each."""
    size, width = dtype.itemsize, 256 // dtype.itemsize
    lanes = set(active_lanes(mask, width)) if product in LOOPS else set(range(width))
    for r in range(repeats):
        bits = [0] * (width // 8)
        for k in lanes:
            values = [
                s if not isinstance(s, int) else load(memory, place(s, *strides[i], size, r, k), dtype)
                for i, s in enumerate(sources)
            ]
            bits[k // 8] |= bool(ASK[mode](*values)) << k % 8
        at = dst + r * width // 8
        memory[at : at + width // 8] = bytes(bits)


def select(memory, dst, bits, sources, dtype, *, mode, mask, repeats, strides):
    """strides: (block, repeat) of dst and of each source."""
    size, width = dtype.itemsize, 256 // dtype.itemsize
    for r in range(repeats):
        for k in active_lanes(mask, width):
            at = bits + (0 if mode == 0 else r * width // 8) + k // 8
            chosen = sources[0] if memory[at] >> k % 8 & 1 else sources[1]
            i = 1 if chosen is sources[0] else 2
            value = (
                chosen if not isinstance(chosen, int) else load(memory, place(chosen, *strides[i], size, r, k), dtype)
            )
            store(memory, place(dst, *strides[0], size, r, k), value, dtype)


def brcb(memory, dst, src, dtype, *, repeats, strides):
    size = dtype.itemsize
    for r in range(repeats):
        for j in range(8):
            value = load(memory, src + (8 * r + j) * size, dtype)
            for k in range(32 // size):
                store(memory, dst + r * strides[1] * 32 + j * (strides[0] or 1) * 32 + k * size, value, dtype)


def gather(memory, dst, src, table, dtype, *, base, mask, repeats, rep):
    size, width = dtype.itemsize, 256 // dtype.itemsize
    for r in range(repeats):
        for k in active_lanes(mask, width):
            offset = int(load(memory, table + 4 * (r * width + k), np.dtype(np.uint32)))
            store(memory, dst + r * rep * 32 + k * size, load(memory, src + base + offset, dtype), dtype)


def scatter(memory, dst, src, table, dtype, *, base, mask, repeats, rep):
    size, width = dtype.itemsize, 256 // dtype.itemsize
    for r in range(repeats):
        for k in active_lanes(mask, width):
            offset = int(load(memory, table + 4 * (r * width + k), np.dtype(np.uint32)))
            store(memory, dst + base + offset, load(memory, src + r * rep * 32 + k * size, dtype), dtype)


def gatherb(memory, dst, src, table, *, repeats, strides):
    for r in range(repeats):
        for j in range(8):
            offset = int(load(memory, table + 4 * (8 * r + j), np.dtype(np.uint32)))
            at = dst + r * strides[1] * 32 + j * (strides[0] or 1) * 32
            memory[at : at + 32] = bytes(memory[src + offset : src + offset + 32])


def gather_mask(memory, dst, src, dtype, *, wanted, lanes, repeats, strides):
    """wanted(r, k): the pattern bit. Returns the number kept."""
    size, kept = dtype.itemsize, []
    for r in range(repeats):
        for k in range(lanes):
            if wanted(r, k):
                at = place(src, *strides, size, r, k)
                kept.append(bytes(memory[at : at + size]))
    memory[dst : dst + size * len(kept)] = b"".join(kept)
    return len(kept)
