"""Execution of BilinearInterpolation: products and sums in half, in the order of the horizontal repeats."""

from collections.abc import Callable

import numpy as np

from ascend_sim.machine.core import Core
from ascend_sim.machine.indexed import targets
from ascend_sim.machine.issue import Issue
from ascend_sim.machine.touched import touched
from isa.dtypes import half
from isa.numerics import real
from isa.products import BLOCK_BYTES, BLOCKS_PER_REPEAT

LANES = 128
Step = Callable[..., None]


def bind_interpolation(issue: Issue, core: Core) -> Step:
    """A function that executes the instruction."""
    dst, src, table, weights = issue.accesses
    ub, lanes = core.ub, issue.lanes
    assert lanes is not None
    rows, terms = lanes.repeats, int(issue.arguments["h_repeat"])
    by_block = bool(issue.arguments["repeat_mode"])
    rules = issue.control.rules(core.product.arch)
    times, plus = (real.elementwise(u, half, rules) for u in (np.multiply, np.add))
    where = touched(dst)
    blocks = np.arange(BLOCK_BYTES)

    def run(*_: object) -> None:
        address = targets(src, table, 0, ub).address
        inside = (address >= 0) & (address + BLOCK_BYTES <= ub.size)
        raw = ub.data[np.where(inside, address, 0)[:, None] + blocks]
        values = np.ascontiguousarray(raw).view(np.float16).reshape(rows, terms, BLOCKS_PER_REPEAT, -1)
        start = weights.walk.base
        count = rows * terms * (BLOCKS_PER_REPEAT if by_block else 1)
        factor = ub.data[start : start + 2 * count].view(np.float16).reshape(rows, terms, -1, 1)
        total = np.empty((rows, LANES), np.float16)
        times(values[:, 0], factor[:, 0], total.reshape(rows, BLOCKS_PER_REPEAT, -1))
        for h in range(1, terms):
            product = np.empty((rows, BLOCKS_PER_REPEAT, LANES // BLOCKS_PER_REPEAT), np.float16)
            times(values[:, h], factor[:, h], product)
            plus(total, product.reshape(rows, LANES), total)
        picked = total[where.repeat, where.lane]
        ub.data[where.address[:, None] + np.arange(2)] = picked[:, None].view(np.uint8).reshape(-1, 2)

    return run
