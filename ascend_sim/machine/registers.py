"""Hidden vector state: the mask register, its mode, the control register, the dequantisation scale."""

from functools import lru_cache

import attrs

from isa.numerics.rules import Rules
from isa.params import MaskMode
from isa.products import Arch

WORD = (1 << 64) - 1
COUNT_BITS = (1 << 32) - 1
RESET_DEQ_SCALE = 1.0  # 950 starts every kernel with it; elsewhere the register keeps what an earlier kernel left

FLOAT_INF_NAN = 1 << 48
FP8_KEEP_NAN = 1 << 50
INT_SATURATE = 1 << 53
CAST_WRAP = 1 << 59
GLOBAL_SATURATION = 1 << 60


@attrs.frozen(cache_hash=True)
class Control:
    """What every instruction depends on: mask mode, control bits (spec 03 section 2.1), dequantisation scale.

    Kept apart from the mask words because programs are cached per control state, not per mask.

    mask_count: on 310B, the length that SetVectorMask was last given, which Copy alone reads (spec 01 section 2.7).
    """

    mode: MaskMode = MaskMode.NORMAL
    ctrl: int = 0
    deq_scale: float | None = None
    deq: tuple[tuple[float, int, bool], ...] | None = None
    hybrid_policy: str = "literal"
    mask_count: int = 0

    @property
    def counts(self) -> bool:
        """Counter mode: the mask register holds a number of elements."""
        return self.mode is MaskMode.COUNTER

    def rules(self, arch: Arch) -> Rules:
        """The numeric switches that these bits mean on this architecture."""
        return _rules(arch, self)


@lru_cache(maxsize=256)
def _rules(arch: Arch, control: Control) -> Rules:
    ctrl = control.ctrl
    return Rules(
        arch=arch,
        # the first generation has saturation only (spec 03 section 2.5)
        float_saturates=arch is Arch.C100 or not ctrl & FLOAT_INF_NAN,
        keeps_fp8_nan=bool(ctrl & FP8_KEEP_NAN),
        int_saturates=bool(ctrl & INT_SATURATE),
        cast_saturates=not ctrl & CAST_WRAP,
        hybrid_policy=control.hybrid_policy,
        deq=control.deq,
        deq_scale=RESET_DEQ_SCALE if control.deq_scale is None else control.deq_scale,
    )


@attrs.frozen
class Mask:
    """The 128-bit mask register: `low` holds lanes 0..63 (or a count), `high` lanes 64..127."""

    high: int = WORD
    low: int = WORD

    def __str__(self) -> str:
        return f"0x{self.high:016X}'{self.low:016X}"

    @property
    def bits(self) -> int:
        """Both words as one int, lane k in bit k."""
        return self.high << 64 | self.low

    @property
    def count(self) -> int:
        """The number of elements that this register means in counter mode (spec 01 section 2.8: bits 31..0)."""
        return self.low & COUNT_BITS


ALL_LANES = Mask()


def contiguous_mask(n: int, bits: int) -> Mask:
    """What SetMask(len) stores for elements of `bits` bits, the library's own order of cases (spec 01 section 2.2)."""
    full = 2048 // bits
    if n == 64:
        return Mask(0, WORD)
    if n == full or n >= 128:
        return ALL_LANES
    if n > 64:
        return Mask((1 << (n - 64)) - 1, WORD)
    return Mask(0, (1 << max(n, 0)) - 1)
