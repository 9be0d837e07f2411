"""Every page of the vector-side basic API, and what of this instruction set it describes.

Most pages are named by a declaration. Listed here are pages that describe a form of an instruction which another page
declares, and pages of APIs that have no counterpart in a model of one vector core, with the reason.
"""

from collections.abc import Iterator

import attrs

from isa.model import TABLE
from isa.products import (
    ASCEND310B,
    ASCEND310P,
    ASCEND910,
    ASCEND910_93,
    ASCEND910B,
    ASCEND950,
    PRODUCTS,
    Product,
)

_EVERY = tuple(PRODUCTS.values())
_A2 = (ASCEND910B, ASCEND910_93)


@attrs.frozen
class Page:
    """One page: its path below "docs/zh/api/SIMD-API", the instruction that it describes ("" for none), the products
    that have it; reason: why there is no instruction.
    """

    doc: str
    instruction: str
    products: tuple[Product, ...]
    reason: str = ""

    @property
    def title(self) -> str:
        """The page's own name."""
        return self.doc.rpartition("/")[2].removesuffix(".md")


_MEMORY = "基础API/Memory矢量计算"
_SYNC = "基础API/同步控制/核内同步"
_SPR = "基础API/特殊寄存器访问"
_FLEXIBLE = "（灵活标量位置）"  # noqa: RUF001  # the pages' own name

_FORMS = (
    *(
        Page(f"{_MEMORY}/{chapter}/{name}{_FLEXIBLE}.md", name, (ASCEND950,))
        for chapter, names in (
            ("基础算术", ("Adds", "Muls", "Maxs", "Mins")),
            ("比较与选择", ("Compares", "Select")),
        )
        for name in names
    ),
    Page(f"{_MEMORY}/数据搬运/DataCopy（GM与UB高维切分数据搬运）.md", "DataCopy", _EVERY),  # noqa: RUF001  # as above
    Page(
        f"{_MEMORY}/数据搬运/DataCopy（UBToUB高维切分数据搬运）.md",  # noqa: RUF001  # as above
        "DataCopy",
        (ASCEND910, ASCEND310P, *_A2, ASCEND950),
    ),
    Page(
        f"{_MEMORY}/数据搬运/DataCopyPad（UBToGM非对齐数据搬运）.md",  # noqa: RUF001  # as above
        "DataCopyPad",
        (*_A2, ASCEND310B, ASCEND950),
    ),
    Page(f"{_SYNC}/SetFlag-WaitFlag(ISASI).md", "SetFlag", (ASCEND910, ASCEND310P, *_A2, ASCEND950)),
    Page(f"{_SYNC}/SetFlag-WaitFlag.md", "SetFlag", _EVERY),
)

_MUTEX = "mutexes order what several cores do to shared memory; blocks run in index order between SyncAll here"
_TRANSFER = "registers of the multi-dimensional transfer engine, whose copies are not modelled"
_READ_BACK = "reads or clears registers of the register API of this product, which is not modelled"

_NO_MEANING = (
    *(
        Page(f"{_SYNC}/{name}.md", "", (ASCEND950,), _MUTEX)
        for name in ("AllocMutexID-(ISASI)", "ReleaseMutexID-(ISASI)", "Lock", "Unlock")
    ),
    Page(
        f"{_SYNC}/DataSyncBarrier(ISASI).md",
        "",
        (*_A2, ASCEND310B, ASCEND950),
        "orders the scalar unit's own memory accesses, which are always in program order here",
    ),
    Page(
        f"{_MEMORY}/数据搬运/DataCopy（GMToUB多维数据搬运NDDMA）.md",  # noqa: RUF001  # as above
        "",
        (ASCEND950,),
        "a copy of the multi-dimensional transfer engine; DataCopy and DataCopyPad say the same in several calls",
    ),
    *(
        Page(f"{_MEMORY}/数据搬运辅助配置接口/{name}.md", "", (ASCEND950,), _TRANSFER)
        for name in ("NdDmaDci", "SetLoopModePara", "ResetLoopModePara")
    ),
    *(Page(f"{_SPR}/{name}.md", "", (ASCEND950,), _READ_BACK) for name in ("GetSpr", "ClearSpr")),
)


def pages() -> tuple[Page, ...]:
    """Every page once, in the order of their paths."""
    found = {page.doc: page for page in (*_FORMS, *_NO_MEANING)}
    for page in _declared():
        found.setdefault(page.doc, page)
    return tuple(found[doc] for doc in sorted(found))


def _declared() -> Iterator[Page]:
    products: dict[str, tuple[str, set[str]]] = {}
    for name, instruction in TABLE.items():
        for prototype in instruction.prototypes:
            _, ids = products.setdefault(prototype.doc, (name, set()))
            ids.update(p.id for p in prototype.types.products())
    for doc, (name, ids) in products.items():
        yield Page(doc, name, tuple(p for p in PRODUCTS.values() if p.id in ids))


def without_meaning() -> tuple[Page, ...]:
    """Pages that no instruction here stands for, each with its reason."""
    return _NO_MEANING
