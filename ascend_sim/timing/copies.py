"""Copies between GM and the Unified Buffer: how long one takes, and when the next may start (spec 04 section (g))."""

from functools import lru_cache
from itertools import pairwise

from isa.products import Product
from isa.timings import ALIGNMENT, REQUESTS, UNALIGNED, CopyCost, Machine


def request_bytes(length: int) -> int:
    """What one burst moves: it is split into requests of 128, 256 or 512 bytes, rounding up."""
    largest = REQUESTS[-1]
    whole, rest = divmod(length, largest)
    return whole * largest + next((size for size in (0, *REQUESTS) if rest <= size), largest)


@lru_cache(maxsize=1024)
def bandwidth(cost: CopyCost, cores: int) -> float:
    """Bytes per ns of one of `cores` active cores: what it can do alone, or its share."""
    if cores <= 1:
        return cost.plateau.value
    points = [(1, cost.plateau.value), *sorted(cost.shares.items())]
    for (few, fast), (many, slow) in pairwise(points):
        if cores <= many:
            share = fast + (slow - fast) * (cores - few) / (many - few)
            return min(cost.plateau.value, share)
    most, least = points[-1]
    return min(cost.plateau.value, least * most / cores)


@lru_cache(maxsize=4096)
def copy_cycles(
    count: int, length: int, pitch: int, machine: Machine, product: Product, cores: int, *, reads: bool, aligned: bool
) -> tuple[float, float]:
    """(cycles until the next copy of the pipe may start, cycles until the data is there) of `count` bursts."""
    if not count or not length:
        return 1, 1
    cost = machine.read if reads else machine.write
    clock = machine.clock_mhz.value / 1000  # cycles per ns
    unit = ALIGNMENT.get(product.arch, 0)
    speed = bandwidth(cost, cores)
    if unit and length >= unit and not (aligned and (count == 1 or pitch % unit == 0)):
        speed *= UNALIGNED.value
    nbytes = count * request_bytes(length)
    latency = max(nbytes / speed, cost.setup.value + nbytes / cost.near.value)
    busy = min(latency * clock, max(cost.floor.value, nbytes / min(speed, cost.streamed.value) * clock))
    return busy, latency * clock


def gm_unit(product: Product) -> int:
    """Bytes that a GM address should be a multiple of; 0 where no figure is public."""
    return ALIGNMENT.get(product.arch, 0)
