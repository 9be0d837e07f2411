"""A place in the user's source."""

from types import CodeType

import attrs


@attrs.frozen
class Site:
    """File and line, and what happens there. str() is "file:line", with the text in front where there is one."""

    file: str
    line: int
    text: str = ""

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}"
        return f"{self.text} ({where})" if self.text else where


_SITES: dict[tuple[int, int], tuple[CodeType, Site]] = {}
"""By identity: code objects of different files are equal when their bytecode is. Each is kept, so no id comes back."""
_LIMIT = 4096


def site_at(code: CodeType, instruction: int) -> Site:
    """The line of a bytecode offset. Looking lines up late keeps them out of the cost of a call."""
    key = id(code), instruction
    known = _SITES.get(key)
    if known is None:
        if len(_SITES) >= _LIMIT:
            _SITES.clear()
        known = _SITES[key] = code, _find(code, instruction)
    return known[1]


def _find(code: CodeType, instruction: int) -> Site:
    line = code.co_firstlineno
    for start, stop, here in code.co_lines():
        if start <= instruction < stop and here is not None:
            line = here
            break
    return Site(code.co_filename, line)
