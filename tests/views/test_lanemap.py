"""The lane map shows exactly what the machine does."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from ascend_sim import (
    CMPMODE,
    NPU,
    Adds,
    DataCopy,
    Duplicate,
    GlobalTensor,
    RoundMode,
    SetMaskNorm,
    explain,
    float32,
    half,
    int32_t,
    lane_map,
    uint8_t,
)

CEIL = RoundMode.CAST_CEIL


def test_masked_cast_text():
    text = str(
        explain("Cast", dst=int32_t, src=half, round_mode=CEIL, mask=32, repeat_time=2, repeat_params=(1, 1, 8, 4))
    )
    assert "64 of 128 lanes active (50 %)" in text
    read, masked = "R" * 16, "m" * 16
    assert f"rep 0   src  half       0x18000 [{read}][{read}][{masked}][{masked}]" in text
    assert "rep 1   dst  int32_t    0x00100 " + "[WWWWWWWW]" * 4 + "[mmmmmmmm]" * 4 in text
    assert "src  from 0x18000 |00..11..|" in text
    assert "dst  from 0x00000 |0000....1111....|" in text
    assert "legend: R read, W written, m masked off" in text


def test_kept_lanes_show_what_they_hold():
    npu = NPU(check="record")
    with npu.core() as core:
        Duplicate(core.alloc(float32, 32), 1, 32)
    with npu.core() as core:
        dst = core.alloc(float32, 64)
        src = core.alloc(float32, 64, 0)
        Duplicate(dst, 1, 8)
        Adds(dst, src, 1, [0xFF << 40, 0], 1, (1, 1, 8, 8))
        picture = lane_map(core.trace[-1], core.ub)
    blocks = next(r.blocks for r in picture.rows if r.operand == "dst")
    assert blocks == ("mmmmmmmm", "ssssssss", "ssssssss", "ssssssss", "........", "WWWWWWWW", "........", "........")
    assert "masked off, never written" in picture.legend


def test_repeats_alike_are_folded():
    text = str(explain("Adds", dtype=half, mask=128, repeat_time=200, repeat_params=(1, 1, 8, 8)))
    assert "... 198 repeats more of the same ..." in text
    assert len(text.splitlines()) < 30


def test_shared_blocks_and_holes_are_visible():
    text = str(explain("Adds", dtype=float32, mask=64, repeat_time=3, repeat_params=(2, 1, 20, 4)))
    assert "src  from 0x18000 |0000********2222|" in text
    assert "dst  from 0x00000 |0.0.0.0.0.0.0.0.....1.1.1.1.1.1.1.1.....2.2.2.2.2.2.2.2|" in text


def test_copies_have_a_map_too():
    gm = GlobalTensor(half)
    gm.SetGlobalBuffer(np.zeros(64, np.float16))
    with NPU().core() as core:
        DataCopy(core.alloc(half, 128), gm, (2, 1, 1, 2))
    picture = lane_map(core.trace[-1])
    assert [r.blocks for r in picture.rows] == [("W" * 16,), ("R" * 16,)] * 2
    assert "dst  from 0x00000 |0..1|" in str(picture)


def test_a_register_write_has_no_lanes():
    with NPU().core() as core:
        SetMaskNorm()
    with pytest.raises(ValueError, match="SetMaskNorm writes registers"):
        lane_map(core.trace[0])


def test_explain_refuses_what_it_cannot_know():
    with pytest.raises(ValueError, match="'Addd' is no vector instruction"):
        explain("Addd", dtype=half, count=3)
    with pytest.raises(TypeError, match="give the element type of src"):
        explain("Cast", dst=half, round_mode=CEIL, count=16)


@given(
    bits=st.integers(0, 2**64 - 1),
    repeats=st.integers(1, 4),
    block=st.integers(1, 3),
    repeat_stride=st.integers(0, 30),
)
def test_written_cells_are_the_bytes_that_change(bits, repeats, block, repeat_stride):
    changed = set()
    for fill in ("zero", "nan"):
        with NPU(check="record", ub_fill=fill).core() as core:
            src = core.alloc(float32, 64, 5)
            dst = core.alloc(float32, 2048, addr=4096)
            before = core.ub.data.copy()
            Adds(dst, src, 1, [bits, 0], repeats, (block, 1, repeat_stride, 0))
            changed |= set(np.flatnonzero(core.ub.data != before).tolist())
            picture = lane_map(core.trace[-1], core.ub)
    cells = {
        address + lane * 4 + byte
        for row in picture.rows
        if row.operand == "dst"
        for address, letters in zip(row.addresses, row.blocks, strict=True)
        for lane, letter in enumerate(letters)
        if letter == "W"
        for byte in range(4)
    }
    assert changed == cells


def test_each_operand_shows_its_own_elements():
    """One result for each repeat of a reduction, one bit for each lane of a comparison."""
    types = {"dst": float32, "src": float32}
    strides = {"dst_rep_stride": 1, "src_blk_stride": 1, "src_rep_stride": 8}
    result = explain("WholeReduceSum", **types, mask=64, repeat_time=2, **strides)
    rows = {(row.operand, row.repeat): "".join(row.blocks) for row in result.maps[0].rows}
    assert rows["src", 0] == "R" * 64
    assert rows["dst", 0] == rows["dst", 1] == "W"
    types = {"dst": uint8_t, "src0": float32, "src1": float32}
    result = explain("Compare", **types, cmp_mode=CMPMODE.LT, mask=64, repeat_time=1, repeat_params=(1, 1, 1, 8, 8, 8))
    assert ["".join(row.blocks) for row in result.maps[0].rows] == ["R" * 64, "R" * 64, "W" * 8]
