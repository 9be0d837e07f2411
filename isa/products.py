"""Six products: architecture, memory, clock, cores, and the quirks that change what an instruction does.

Sources: UB sizes and reservations, spec 01 section 6.1 (twin debug ini files, architecture pages); banks, section 6.2;
clocks and vector cores, spec 04 section (f). `confidence` of the timing side is stated in `timings.py`.
"""

import attrs

from isa.choice import Choice

KIB = 1024
BLOCK_BYTES = 32
REPEAT_BYTES = 256
BLOCKS_PER_REPEAT = 8
MAX_REPEAT = 255  # the hardware field is 8 bits wide


class Arch(Choice):
    """Vector core architecture; the value is the library's `__NPU_ARCH__`."""

    C100 = 1001
    M200 = 2002
    C220 = 2201
    M300 = 3002
    A3510 = 3510


class CountForm(Choice):
    """How the "first n elements" prototype becomes machine instructions (spec 01 section 2.10)."""

    LOOPS = "full-mask instructions of at most 255 repeats, then a masked tail"
    COUNTER = "counter mode, one instruction, then normal mode and a mask of all ones"
    REGISTER_LOOP = "one loop over vector registers under a predicate; mask and mode untouched"


class MaskArgument(Choice):
    """What a mask argument does to the mask register (spec 01 sections 2.6 and 2.9)."""

    REGISTER = "every form stores its mask in the register"
    BITS_ONLY = "the bitwise form stores its words, the contiguous form is a predicate of its own"


@attrs.frozen
class Banks:
    """Bank structure of the Unified Buffer: groups x banks in a group x bytes in a bank."""

    groups: int
    per_group: int
    bank_bytes: int


@attrs.frozen(kw_only=True, eq=False)
class Product:
    """One NPU. `ub_bytes` is the physical Unified Buffer; `ub_reserved` the tail that the library's scratch claims."""

    id: str
    title: str
    arch: Arch
    ub_bytes: int
    ub_reserved: int
    count_form: CountForm
    mask_argument: MaskArgument
    empty_mask_is_legal: bool  # no active lane: no operation, else refused by the twin (spec 01 section 2.4)
    mask_placeholder_is_mask: bool = False  # 310B contiguous forms read the argument whatever isSetMask says
    repeats_are_ordered: bool = False  # the register loop has a barrier between repeats (spec 01 section 5.3)
    banks: Banks | None = None
    clock_mhz: int | None = None  # None: no public figure
    vector_cores: int

    def __repr__(self) -> str:
        return self.id


def _table(*products: Product) -> dict[str, Product]:
    return {p.id: p for p in products}


_A2 = {
    "arch": Arch.C220,
    "ub_bytes": 192 * KIB,
    "ub_reserved": 8 * KIB,
    "count_form": CountForm.COUNTER,
    "mask_argument": MaskArgument.REGISTER,
    "empty_mask_is_legal": True,
    "banks": Banks(groups=16, per_group=3, bank_bytes=4 * KIB),
    "clock_mhz": 1850,
}

PRODUCTS = _table(
    Product(
        id="ascend910",
        title="Atlas training (910)",
        arch=Arch.C100,
        ub_bytes=256 * KIB,
        ub_reserved=8 * KIB,
        count_form=CountForm.LOOPS,
        mask_argument=MaskArgument.REGISTER,
        empty_mask_is_legal=False,
        vector_cores=32,
    ),
    Product(
        id="ascend310p",
        title="Atlas inference AI Core (310P)",
        arch=Arch.M200,
        ub_bytes=256 * KIB,
        ub_reserved=8 * KIB,
        count_form=CountForm.COUNTER,
        mask_argument=MaskArgument.REGISTER,
        empty_mask_is_legal=False,
        vector_cores=8,
    ),
    Product(id="ascend910b", title="Atlas A2 (910B)", vector_cores=48, **_A2),  # type: ignore[arg-type]  # shared fields
    Product(id="ascend910_93", title="Atlas A3 (910_93)", vector_cores=48, **_A2),  # type: ignore[arg-type]  # one die
    Product(
        id="ascend310b",
        title="Atlas 200I/500 A2 (310B)",
        arch=Arch.M300,
        ub_bytes=248 * KIB,
        ub_reserved=0,
        count_form=CountForm.REGISTER_LOOP,
        mask_argument=MaskArgument.BITS_ONLY,
        empty_mask_is_legal=True,
        mask_placeholder_is_mask=True,
        vector_cores=1,
    ),
    Product(
        id="ascend950",
        title="Ascend 950PR/950DT",
        arch=Arch.A3510,
        ub_bytes=256 * KIB,
        ub_reserved=8 * KIB,
        count_form=CountForm.REGISTER_LOOP,
        mask_argument=MaskArgument.BITS_ONLY,
        empty_mask_is_legal=True,
        repeats_are_ordered=True,
        banks=Banks(groups=8, per_group=2, bank_bytes=16 * KIB),
        clock_mhz=1650,
        vector_cores=64,
    ),
)


ASCEND910, ASCEND310P, ASCEND910B, ASCEND910_93, ASCEND310B, ASCEND950 = PRODUCTS.values()


def product(name: str) -> Product:
    """The product with this id; ValueError lists the six ids otherwise."""
    try:
        return PRODUCTS[name]
    except KeyError:
        raise ValueError(f"unknown product {name!r}; the products are {', '.join(PRODUCTS)}") from None
