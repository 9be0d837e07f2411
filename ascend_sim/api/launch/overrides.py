"""Finding codes switched off or on for every NPU that is made: the command line's word goes over the script's."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

SUPPRESSED: set[str] = set()
ENABLED: set[str] = set()


@contextmanager
def overridden(*, suppress: Iterable[str] = (), enable: Iterable[str] = ()) -> Iterator[None]:
    """Each NPU made inside has these codes suppressed and enabled; a code in both is suppressed."""
    before = SUPPRESSED.copy(), ENABLED.copy()
    SUPPRESSED.update(suppress)
    ENABLED.update(enable)
    try:
        yield
    finally:
        for changed, old in zip((SUPPRESSED, ENABLED), before, strict=True):
            changed.clear()
            changed.update(old)


def suppressed(codes: frozenset[str]) -> frozenset[str]:
    """What an NPU whose script suppresses `codes` suppresses."""
    return codes - ENABLED | SUPPRESSED


def enabled(codes: frozenset[str]) -> frozenset[str]:
    """What an NPU whose script enables `codes` enables."""
    return codes | ENABLED
