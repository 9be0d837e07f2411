"""Comments that silence findings: `# ascend-sim: ignore`, `# ascend-sim: ignore[stale-read, race]`.

The comment stands on any line of the statement that the finding names, so a formatter may move it. Codes that raise in
every mode cannot be silenced: there is no way to go on after them.
"""

import ast
import io
import linecache
import re
import tokenize
from collections.abc import Iterator, Sequence

from ascend_sim.checks.codes import CODES
from ascend_sim.machine.site import Site

_COMMENT = re.compile(r"#\s*ascend-sim:\s*ignore\s*(?:\[(?P<codes>[^\]]*)\])?")

_Ignored = dict[int, frozenset[str] | None]
"""By line: the codes that are silenced there, None for all."""

_CACHE: dict[str, tuple[list[str], _Ignored]] = {}
"""By file, with the very list of lines that was read: linecache hands out another list once the file has changed."""


def is_suppressed(site: Site, code: str) -> bool:
    """A comment at `site` silences findings of this code."""
    if CODES[code].always_raises:
        return False
    ignored = _ignored_in(site.file)
    if site.line not in ignored:
        return False
    codes = ignored[site.line]
    return codes is None or code in codes


def _ignored_in(file: str) -> _Ignored:
    linecache.checkcache(file)
    lines = linecache.getlines(file)
    known = _CACHE.get(file)
    if known is None or known[0] is not lines:
        known = _CACHE[file] = lines, _find(lines)
    return known[1]


def _find(lines: Sequence[str]) -> _Ignored:
    if not any("ascend-sim" in line for line in lines):
        return {}
    source = "".join(lines)
    ignored: _Ignored = {}
    for line, comment in _comments(source):
        match = _COMMENT.match(comment)
        if match is not None:
            names = match["codes"]
            ignored[line] = None if names is None else frozenset(name.strip() for name in names.split(","))
    for first, last in _statements(source):
        inside = [ignored[line] for line in range(first, last + 1) if line in ignored]
        if inside:
            ignored.update(dict.fromkeys(range(first, last + 1), _union(inside)))
    return ignored


def _union(several: Sequence[frozenset[str] | None]) -> frozenset[str] | None:
    named = [codes for codes in several if codes is not None]
    return frozenset[str]().union(*named) if len(named) == len(several) else None


def _comments(source: str) -> Iterator[tuple[int, str]]:
    try:
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type == tokenize.COMMENT:
                yield token.start[0], token.string
    except (tokenize.TokenError, SyntaxError):
        return  # no Python from here on, though something ran: what came before counts


def _statements(source: str) -> Iterator[tuple[int, int]]:
    """First and last line of each statement that has no body: the others would silence all that they contain."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt) and not hasattr(node, "body"):
            yield node.lineno, node.end_lineno or node.lineno
