"""Bit patterns worth trying, and random ones."""

import itertools
import random
from functools import cache


def specials(fmt):
    """About forty codes: zeros, subnormals, the edges of the normal range, near one, near the largest, inf, NaN."""
    one = ((1 << fmt.exponent_bits - 1) - 1) << fmt.mantissa_bits
    step = 1 << fmt.mantissa_bits
    positive = (
        *(0, 1, 2, fmt.smallest_normal >> 1, fmt.smallest_normal - 1),
        *(fmt.smallest_normal, fmt.smallest_normal + 1, fmt.smallest_normal + 3 * step),
        *(one - 1, one, one + 1, one - step, one + step, one + step // 2 + 1, one + 7 * step + step // 3),
        *(one - 4 * step + step // 5, fmt.infinity - step - 1, fmt.infinity - 2, fmt.infinity - 1, fmt.infinity),
    )
    nans = (fmt.nan, fmt.sign_bit | fmt.nan, fmt.infinity + 1, fmt.sign_bit - 1 | fmt.sign_bit)
    return [*positive, *(fmt.sign_bit | code for code in positive), *nans]


def random_codes(fmt, count, seed):
    draw = random.Random(seed)
    return [draw.randrange(fmt.sign_bit << 1) for _ in range(count)]


def nearby_codes(fmt, count, seed):
    """Exponents within a few steps of one, where sums cancel and products are ordinary."""
    draw = random.Random(seed)
    one = ((1 << fmt.exponent_bits - 1) - 1) << fmt.mantissa_bits
    span = 6 << fmt.mantissa_bits
    return [draw.choice((0, fmt.sign_bit)) | one + draw.randrange(-span, span) for _ in range(count)]


@cache
def tuples(fmt, width, seed=1, count=500):
    """All combinations of special codes (a sample of them for width 3), and random ones; a tuple for each operand."""
    combined = list(itertools.product(specials(fmt), repeat=width))
    if len(combined) > 3000:
        combined = random.Random(seed).sample(combined, 3000)
    for draw in (random_codes, nearby_codes):
        combined += zip(*(draw(fmt, count, seed + i) for i in range(width)), strict=True)
    return tuple(zip(*combined, strict=True))


def integer_specials(low, high):
    near = {low, low + 1, low // 2, -3, -2, -1, 0, 1, 2, 3, 7, high // 2, high - 1, high}
    return sorted(v for v in near if low <= v <= high)


def integer_tuples(low, high, width, seed=1, count=400):
    draw = random.Random(seed)
    combined = list(itertools.product(integer_specials(low, high), repeat=width))
    combined += [tuple(draw.randint(low, high) for _ in range(width)) for _ in range(count)]
    combined += [tuple(draw.randint(max(low, -200), min(high, 200)) for _ in range(width)) for _ in range(count)]
    return [list(operand) for operand in zip(*combined, strict=True)]
