"""How the tests call lane functions: as the engine does, under one `errstate`, with warnings as errors elsewhere."""

import numpy as np

import isa.arithmetic
import isa.compound
import isa.convert
import isa.fill
import isa.logic  # noqa: F401  # the chapters fill TABLE
from isa.dtypes import Kind, bfloat16_t, float32, half
from isa.model import TABLE
from isa.numerics.rules import Rules
from isa.products import Arch
from tests.isa.arith_oracle import BFLOAT, FLOAT, HALF

FORMATS = {half: HALF, float32: FLOAT, bfloat16_t: BFLOAT}


def types_of(instruction, row):
    """One type for each operand, as a lane function wants them."""
    return row.types * len(instruction.family.operands) if len(row.types) == 1 else row.types


def call(kernel, *operands):
    with np.errstate(all="ignore"):
        kernel(*operands)


def run(instruction, types, sources, rules, **arguments):
    """What lanes make of `sources`, the scalar last; the shape is that of the first array."""
    kernel = (TABLE[instruction] if isinstance(instruction, str) else instruction).lanes(types, rules, **arguments)
    shape = next(np.shape(source) for source in sources if np.shape(source))
    out = np.empty(shape, types[0].carrier)
    call(kernel, *sources, out)
    return out


def run_codes(instruction, dtype, sources, rules, **arguments):
    """The same for one type throughout, from lists of codes to a list of codes; a lone code is a scalar."""
    operands = [np.array(codes, dtype.code).view(dtype.carrier) for codes in sources]
    operands = [values if values.shape else values[()] for values in operands]
    count = 1 + len(sources)
    return run(instruction, (dtype,) * count, operands, rules, **arguments).view(dtype.code).tolist()


def agree(got, wanted, fmt):
    """Equal codes; NaNs are one class, whatever their sign and payload."""

    def canonical(codes):
        codes = np.array(codes, np.uint32)
        return np.where(codes & (fmt.sign_bit - 1) > fmt.infinity, fmt.nan, codes)

    return np.array_equal(canonical(got), canonical(wanted))


def first_difference(got, wanted, fmt, *sources):
    """For messages: the first case that disagrees, in hex."""
    for i, (a, b) in enumerate(zip(got, wanted, strict=True)):
        if not agree([a], [b], fmt):
            return f"case {i}: {[hex(s[i]) for s in sources]} gives {a:#x}, not {b:#x}"
    return "none"


ARCHITECTURES = tuple(Arch)
SATURATION = (True, False)


def rules_for(arch, *, saturates=True):
    return Rules(arch, float_saturates=saturates, int_saturates=saturates)


def integer_range(dtype):
    limits = np.iinfo(dtype.carrier)
    return limits.min, limits.max


def is_signed(dtype):
    return dtype.kind is Kind.SIGNED
