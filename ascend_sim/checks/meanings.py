"""What each finding code means, in one sentence: for the rules of a SARIF report and for docs/findings.md."""

MEANINGS: dict[str, str] = {
    "alignment": "An operand's address is not a multiple of what the instruction needs, mostly 32 bytes.",
    "out-of-bounds-read": "An active lane reads past the end of its tensor, the Unified Buffer or the GM array.",
    "out-of-bounds-write": "An active lane writes past the end of its tensor, the Unified Buffer or the GM array.",
    "overlap": "Source and destination share bytes in a way that makes later repeats read results of earlier ones.",
    "mask-range": "A mask is outside what one repeat of the element type has lanes for.",
    "repeat-range": "A number of repeats is outside 0..255.",
    "stride-range": "A block or repeat stride does not fit its hardware field.",
    "count-range": "A number of elements is negative, or more than the instruction can take.",
    "field-range": "A field of a parameter struct does not fit its C++ type.",
    "dst-block-stride-zero": "The destination's block stride is 0: all blocks of a repeat land on the same 32 bytes.",
    "unspecified-result": "No source says what the hardware computes from these values.",
    "copy-length": "A copy's length is not a multiple of what the instruction moves; the rest stays behind.",
    "deq-scale-unset": "An int32 to half conversion runs before SetDeqScale, with whatever scale the register holds.",
    "uninitialised-read": "An active lane reads bytes, or a copy takes bytes out, that nothing wrote since power-on.",
    "ub-capacity": "A buffer does not fit in the Unified Buffer of the product.",
    "unsupported-api": "The product does not have this instruction.",
    "unsupported-dtype": "The product does not have this instruction for these element types.",
    "unsupported-form": "The instruction cannot be called this way: count, mask or operand form.",
    "unsupported-round-mode": "The conversion does not exist with this rounding mode.",
    "scalar-half": "The scalar unit has no arithmetic on half and bfloat16_t.",
    "stale-read": "An active lane reads bytes, or a copy takes bytes out, that an earlier launch left there.",
    "pad-read": "An active lane reads filler that DataCopyPad added by itself, or a copy takes it out.",
    "mask-mode": "The mask argument and the mask mode, or is_set_mask and the product, do not go together.",
    "register-not-reset": "The block ends with a mask or mask mode that the next kernel on the core inherits.",
    "multicore-overlap": "Two cores wrote the same bytes of global memory without atomics.",
    "negative-to-unsigned": "An active lane of a Cast is negative and the destination has no sign.",
    "empty-mask": "No lane is active: the instruction does nothing.",
    "zero-repeat": "The instruction has no repeats: it does nothing.",
    "partial-mask-repeat": "A mask meant for the tail is used in every repeat, and the lanes it skips are used later.",
}


def meaning(code: str) -> str:
    """One sentence about a code; its name for a code that nobody has described yet."""
    return MEANINGS.get(code, f"{code.replace('-', ' ').capitalize()}.")
