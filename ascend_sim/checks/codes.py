"""Every finding code, its severity, and npuchk's name where one exists. Tests outside the project rely on the names."""

import attrs

from isa.choice import Choice


class Severity(Choice):
    """How bad a finding is. An error raises under check="raise"; a warning or a note never does."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@attrs.frozen
class Code:
    """One kind of finding.

    always_raises: there is no sensible way to go on, so it raises whatever `check` says. alias: npuchk's name.
    enabled: reported unless suppressed (False: only when enabled by name).
    """

    name: str
    severity: Severity
    alias: str | None = None
    always_raises: bool = False
    enabled: bool = True


def _codes(severity: Severity, *names: str, **fields: bool) -> "dict[str, Code]":
    return {n: Code(n, severity, _ALIASES.get(n), **fields) for n in names}


_ALIASES = {
    "uninitialised-read": "ErrorRead2",
    "stale-read": "ErrorRead2",
    "out-of-bounds-read": "ErrorRead3",
    "out-of-bounds-write": "ErrorWrite2",
    "unpaired-flag": "ErrorSync3",
    "event-duplicate": "ErrorSync4",
    "buffer-leak": "ErrorLeak",
    "double-free": "ErrorFree",
    "queue-state": "ErrorBuffer0",
}

CODES: dict[str, Code] = {
    **_codes(
        Severity.ERROR,
        "alignment",
        "out-of-bounds-read",
        "out-of-bounds-write",
        "overlap",
        "mask-range",
        "repeat-range",
        "stride-range",
        "count-range",
        "field-range",
        "dst-block-stride-zero",
        "unspecified-result",
        "copy-length",
        "compare-length",
        "gather-offset",
        "scatter-duplicate",
        "temporary-size",
        "deq-scale-unset",
        "uninitialised-read",
        "race",
        "event-duplicate",
        "aliased-tensors",
    ),
    **_codes(
        Severity.ERROR,
        "ub-capacity",
        "unsupported-api",
        "unsupported-dtype",
        "unsupported-form",
        "unsupported-round-mode",
        "scalar-half",
        "deadlock",
        "queue-state",
        "double-free",
        always_raises=True,
    ),
    **_codes(
        Severity.WARNING,
        "stale-read",
        "pad-read",
        "mask-mode",
        "register-not-reset",
        "multicore-overlap",
        "negative-to-unsigned",
        "packed-mask-read",
        "unpaired-flag",
        "buffer-leak",
    ),
    **_codes(Severity.WARNING, "event-shared-source", enabled=False),
    **_codes(Severity.NOTE, "empty-mask", "zero-repeat", "partial-mask-repeat", "gather-scale", "half-accumulation"),
}


def alias(code: str, *, writes: bool) -> str | None:
    """npuchk's name for a finding: two of them have one name for reads and one for writes."""
    if code == "alignment":
        return "ErrorWrite4" if writes else "ErrorRead4"
    if code == "race":
        return "ErrorSync1" if writes else "ErrorSync2"
    return CODES[code].alias
