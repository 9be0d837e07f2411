"""Constraints of single instructions, in words, for their pages. What checks enforce is data elsewhere."""

CONSTRAINTS: dict[str, tuple[str, ...]] = {
    "Compare": (
        "Before ascend310b the mask is ignored: every lane of a repeat is compared.",
        "The count form wants a multiple of 256 bytes; a rest is dropped, except on ascend310b and ascend950.",
    ),
    "Compares": ("As Compare; a scalar of int32_t compares for equality only on A2 and A3.",),
    "Select": (
        "Mode 0 uses the same bits for every repeat, modes 1 and 2 go on through sel_mask.",
        "Before ascend310b a call with sel_mask overwrites the compare register: with the bits in mode 0, with copies"
        " of the scalar in mode 1, of the 32-bit address of sel_mask in mode 2. Modes 1 and 2 with sel_mask and a mask"
        " must not be used in counter mode.",
    ),
    "Copy": (
        "In counter mode the mask register holds the elements of each repeat, and repeat_time stays in effect.",
        "ascend310b never tests the mode: with is_set_mask=False its contiguous form copies as many elements in all as"
        " SetVectorMask was last given as a length.",
    ),
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
    "Transpose": (
        "TRANSPOSE_ND2ND_B16 is the 16 x 16 tile, with h_size and w_size 16. Otherwise c_size and h_size * w_size are"
        " at most 4095 and h_size * w_size elements are whole blocks; a size of 0 does nothing.",
        "With images a call is one instruction here, one repeat an image. A2, A3 and ascend950 run a program of"
        " TransDataTo5HD and DataCopy: its result is the same, its time is longer than what is shown.",
        "Elements of 4 bits move in pairs: the sizes count bytes.",
        "shared_tmp_buffer: c_size + 2 tiles of 512 bytes (1024 for one-byte elements) to channels last, 2 * c_size + 1"
        " to channels first, none on ascend310p; what it holds afterwards is not specified.",
    ),
    "MrgSort": ("repeat_times above 1 needs four lists of one length, side by side, and no suspension.",),
    "Sort32": ("Of equal scores the earlier one comes first.",),
}
