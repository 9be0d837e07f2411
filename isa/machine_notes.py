"""Constraints of single instructions, in words, for their pages. What checks enforce is data elsewhere."""

CONSTRAINTS: dict[str, tuple[str, ...]] = {
    "Compare": (
        "Before ascend310b the mask is ignored: every lane of a repeat is compared.",
        "The count form wants a multiple of 256 bytes; a rest is dropped, except on ascend310b and ascend950.",
    ),
    "Compares": ("As Compare; a scalar of int32_t compares for equality only on A2 and A3.",),
    "Select": (
        "Mode 0 uses the same bits for every repeat, modes 1 and 2 go on through sel_mask.",
        "Before ascend310b a call with sel_mask overwrites the compare register; modes 1 and 2 must not be used in"
        " counter mode.",
    ),
    "Copy": ("In counter mode the mask register holds the elements of each repeat, and repeat_time stays in effect.",),
    "Brcb": ("No mask. On A2 and A3 the mask register is all ones afterwards. dst may not overlap src.",),
    "Gather": (
        "Offsets count bytes and are whole elements; the count form before ascend310b keeps its repeats in 8 bits.",
    ),
    "Gatherb": ("No mask. Offsets count bytes; every block that they mean starts on 32 bytes.",),
    "Scatter": ("Two lanes with one address: the later lane wins here, undefined on hardware.",),
    "GatherMask": (
        "Returns rsvdCnt. With reduce_mode the mask is a number of elements of each repeat (ascend310p: in all);"
        " on ascend310p, A2 and A3 it stays in the mask register, and the mode is normal afterwards.",
    ),
    "ReduceRepeat": ("Of equal values the lowest index is stored, as bits in the element type.",),
    "ReduceDataBlock": (
        "A block without an active lane keeps its result before ascend310b; there and on ascend950 it gets 0, or the"
        " infinity of the other end.",
    ),
    "ReduceMax": ("Before ascend950 a program over WholeReduceMax in shared_tmp_buffer; the last mask stays.",),
    "ReduceMin": ("Before ascend950 a program over WholeReduceMin in shared_tmp_buffer; the last mask stays.",),
    "ReduceSum": (
        "Count form on A2 and A3: a tree in each repeat, the repeats added in order; otherwise trees throughout.",
    ),
    "CreateVecIndex": (
        "Before ascend310b scalar stores and a chain of Adds: a contiguous mask below one block, or repeat_time 0,"
        " does not do what the page says.",
    ),
    "AddDeqRelu": ("On A2 and A3 a program that overwrites both sources and uses the reserved end of the buffer.",),
    "CastDequant": ("int16_t to 8 bits: results fill one half of each block; ascend950 clears the other half.",),
    "TransDataTo5HD": ("With repeat_times 1 the strides shift the start.",),
    "MrgSort": ("repeat_times above 1 needs four lists of one length, side by side, and no suspension.",),
    "Sort32": ("Of equal scores the earlier one comes first.",),
}
