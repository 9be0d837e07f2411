"""How the bits of the floating point formats are laid out (spec 03 section 3).

All formats but two are a sign, `exponent` bits and `mantissa` bits with subnormals; they differ in numbers only and
are described by one class. HiFloat8 has fields of varying width (`hif8.py`); fp8_e8m0_t is an exponent alone and is
the target of no conversion.
"""

import attrs
import numpy as np

from isa.dtypes import (
    ElementType,
    bfloat16_t,
    double,
    float32,
    fp4x2_e1m2_t,
    fp4x2_e2m1_t,
    fp8_e4m3fn_t,
    fp8_e5m2_t,
    half,
)


@attrs.frozen(eq=False)
class FloatLayout:
    """Sign, exponent and mantissa fields, from the top of the code down.

    bias: of the exponent field; largest: code of the largest finite value; nan: a quiet NaN, None if there is none.
    The code after `largest` is what an overflow becomes where it does not saturate: infinity, NaN in fp8_e4m3fn_t,
    nothing usable in the fp4 types, which always saturate.
    """

    exponent: int
    mantissa: int
    bias: int
    largest: int
    nan: int | None

    @property
    def sign(self) -> int:
        """Code of the sign bit."""
        return 1 << (self.exponent + self.mantissa)

    @property
    def saturates_always(self) -> bool:
        return self.nan is None


LAYOUTS: dict[ElementType, FloatLayout] = {
    double: FloatLayout(11, 52, 1023, largest=0x7FEF_FFFF_FFFF_FFFF, nan=0x7FF8_0000_0000_0000),
    float32: FloatLayout(8, 23, 127, largest=0x7F7F_FFFF, nan=0x7FC0_0000),
    half: FloatLayout(5, 10, 15, largest=0x7BFF, nan=0x7E00),
    bfloat16_t: FloatLayout(8, 7, 127, largest=0x7F7F, nan=0x7FC0),
    fp8_e5m2_t: FloatLayout(5, 2, 15, largest=0x7B, nan=0x7E),
    fp8_e4m3fn_t: FloatLayout(4, 3, 7, largest=0x7E, nan=0x7F),
    fp4x2_e2m1_t: FloatLayout(2, 1, 1, largest=0x7, nan=None),
    fp4x2_e1m2_t: FloatLayout(1, 2, 1, largest=0x7, nan=None),
}

U16 = np.dtype(np.uint16)
U32 = np.dtype(np.uint32)
U64 = np.dtype(np.uint64)
F32 = np.dtype(np.float32)
F64 = np.dtype(np.float64)
