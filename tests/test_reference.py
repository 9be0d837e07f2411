"""The reference interpreter itself, against the worked examples of spec 01."""

import pytest

from tests.reference import ALL_ONES, Machine, Operand, Registers, contiguous_words, dense, ones

A2 = "ascend910b"


def machine(product=A2, size=4096, **registers):
    return Machine(product, bytes(size), Registers(**registers))


def mark(*_codes):
    return 0xFF


@pytest.mark.parametrize(
    ("repeat", "lane", "source", "destination"),
    [(0, 0, 0, 0x1000), (0, 15, 0x1E, 0x103C), (0, 16, 0x20, 0x1040), (0, 63, 0x7E, 0x10FC), (1, 63, 0xFE, 0x11FC)],
)
def test_example_a_half_to_int32(repeat, lane, source, destination):
    assert Operand(0, 16, 1, 4).place(repeat, lane) == (source, 0)
    assert Operand(0x1000, 32, 1, 8).place(repeat, lane) == (destination, 0)


@pytest.mark.parametrize(("lane", "source"), [(16, 0x40), (63, 0xDE)])
def test_example_b_source_blocks_apart(lane, source):
    assert Operand(0, 16, 2, 8).place(0, lane) == (source, 0)


def test_example_c_counter_mode_covers_300_halves():
    core = machine(counter=True, low=300, high=0)
    core.tiled(mark, [Operand(0, 16)], 0, 1, is_set_mask=False)
    assert core.written == set(range(600))


def test_example_d_counter_mode_keeps_strides():
    core = machine(counter=True, low=100, high=0)
    core.tiled(mark, [Operand(0, 32, 2, 16), Operand(2048, 32)], 0, 1, is_set_mask=False)
    blocks = [*range(0, 16, 2), 16, 18, 20, 22]
    assert core.written == {32 * b + i for b in blocks for i in range(32)} | set(range(768, 784))
    assert core.read == set(range(2048, 2448))


@pytest.mark.parametrize(
    ("repeat", "lane", "addresses"),
    [
        (0, 7, (0x1C, 0x101C, 0x301C)),
        (0, 8, (0x20, 0x1040, 0x3000)),
        (0, 63, (0xFC, 0x11DC, 0x301C)),
        (1, 0, (0x100, 0x1200, 0x3000)),
        (1, 63, (0x1FC, 0x13DC, 0x301C)),
    ],
)
def test_example_e_every_operand_walks_alone(repeat, lane, addresses):
    walks = Operand(0, 32, 1, 8), Operand(0x1000, 32, 2, 16), Operand(0x3000, 32, 0, 0)
    assert tuple(walk.place(repeat, lane)[0] for walk in walks) == addresses


@pytest.mark.parametrize(
    ("length", "bits", "words"),
    [
        (64, 16, (ALL_ONES, 0)),
        (64, 32, (ALL_ONES, 0)),
        (128, 16, (ALL_ONES, ALL_ONES)),
        (200, 8, (ALL_ONES, ALL_ONES)),
        (100, 32, (ALL_ONES, ones(36))),
        (32, 64, (ALL_ONES, ALL_ONES)),
        (32, 32, (ones(32), 0)),
        (3, 16, (7, 0)),
        (0, 16, (0, 0)),
    ],
)
def test_table_of_contiguous_masks(length, bits, words):
    assert contiguous_words(length, bits) == words


def test_negative_mask_has_no_result():
    with pytest.raises(ValueError, match="negative"):
        contiguous_words(-1, 16)


def test_count_form_of_910_splits_100000_halves():
    steps = list(Machine._chunks([Operand(0, 16), Operand(0, 16)], 100_000))
    assert [(chunk[0].address // 2, repeats) for chunk, _, _, repeats in steps] == [
        (0, 255),
        (32640, 255),
        (65280, 255),
        (97920, 16),
        (99968, 1),
    ]
    assert steps[-1][1:3] == (ones(32), 0)


def test_dense_narrow_side_takes_fewer_blocks():
    assert [o.repeat_stride for o in dense([Operand(0, 32), Operand(0, 16)])] == [8, 4]
    assert [o.repeat_stride for o in dense([Operand(0, 4), Operand(0, 16)])] == [2, 8]


@pytest.mark.parametrize("product", ["ascend310p", "ascend910b", "ascend910_93"])
def test_count_form_resets_mask_and_mode(product):
    core = machine(product, counter=True, low=5)
    core.count(mark, [Operand(0, 16)], 3)
    assert core.written == set(range(6))
    assert core.registers == Registers()


@pytest.mark.parametrize("product", ["ascend310b", "ascend950"])
def test_count_form_leaves_mask_and_mode(product):
    core = machine(product, counter=True, low=5, high=6)
    core.count(mark, [Operand(0, 16)], 3)
    assert core.registers == Registers(5, 6, counter=True)


def test_contiguous_mask_in_counter_mode_is_a_bit_pattern_or_a_count():
    for product, lanes in {"ascend310p": 7, A2: 7, "ascend950": 3, "ascend310b": 3}.items():
        core = machine(product, counter=True)
        core.tiled(mark, [Operand(0, 16)], 3, 1)
        assert core.written == set(range(2 * lanes)), product


def test_reads_of_a_repeat_come_before_its_writes_and_repeats_are_ordered():
    core = machine(size=1024)
    core.memory[:512] = bytes(range(256)) * 2
    core.tiled(lambda code: code + 1 & 0xFFFF, [Operand(32, 16), Operand(0, 16)], 128, 2)
    assert core.memory[32] == 1  # repeat 0 read byte 0 as it was
    assert core.memory[32 + 256] == core.memory[256] + 1  # repeat 1 read what repeat 0 wrote


def test_nibbles_share_a_byte():
    core = machine(size=64)
    core.memory[0] = 0xA5
    core.tiled(lambda code: code, [Operand(32, 16), Operand(0, 4)], 2, 1)
    assert list(core.memory[32:36]) == [5, 0, 10, 0]
    core.tiled(lambda code: code & 15, [Operand(0, 4), Operand(32, 16)], (2, 0), 1)
    assert core.memory[0] == 0xA5
    core.tiled(lambda code: 7, [Operand(0, 4), Operand(32, 16)], (2, 0), 1)
    assert core.memory[0] == 0x75


def test_writing_past_memory_is_refused():
    with pytest.raises(IndexError, match="outside"):
        machine(size=16).tiled(mark, [Operand(0, 16)], 9, 1)
