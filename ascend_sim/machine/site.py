"""A place in the user's source."""

from functools import lru_cache
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


@lru_cache(maxsize=4096)
def site_at(code: CodeType, instruction: int) -> Site:
    """The line of a bytecode offset. Looking lines up late keeps them out of the cost of a call."""
    line = code.co_firstlineno
    for start, stop, here in code.co_lines():
        if start <= instruction < stop and here is not None:
            line = here
            break
    return Site(code.co_filename, line)
