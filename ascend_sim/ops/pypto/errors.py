"""Errors of the framework: those of its checked core and those of its Python front (spec 05 section 1.1)."""

from typing import NoReturn

from isa.choice import Choice


class ErrorCode(Choice):
    """Codes of the vector operators' checks."""

    ERR_PARAM_INVALID = 0xC0000
    ERR_PARAM_DTYPE_UNSUPPORTED = 0xC0001
    ERR_PARAM_SHAPE_DIM_UNSUPPORTED = 0xC0002
    ERR_CONFIG_TILE = 0xC1000
    ERR_RUNTIME_NULLPTR = 0xC2000

    @property
    def printed(self) -> str:
        """As messages show it: F and five hexadecimal digits."""
        return f"F{self.value:05X}"


class CheckError(RuntimeError):
    """A failed check of the framework's core, which Python sees as a RuntimeError. code: its ErrorCode."""

    def __init__(self, code: ErrorCode, message: str) -> None:
        super().__init__(f"CHECK FAILED: ErrCode: {code.printed}! Enum: {code.name}. {message}")
        self.code = code


def invalid(message: str) -> NoReturn:
    raise CheckError(ErrorCode.ERR_PARAM_INVALID, message)


def bad_dtype(message: str) -> NoReturn:
    raise CheckError(ErrorCode.ERR_PARAM_DTYPE_UNSUPPORTED, message)


def bad_rank(message: str) -> NoReturn:
    raise CheckError(ErrorCode.ERR_PARAM_SHAPE_DIM_UNSUPPORTED, message)


_FRONT = 0xF00000
_KINDS: "tuple[tuple[type[Exception], int], ...]" = (
    (TypeError, 1),
    (ValueError, 2),
    (NameError, 4),
    (NotImplementedError, 5),
    (KeyError, 6),
    (IndexError, 8),
    (RuntimeError, 3),
)
_UNKNOWN = 0xFFFF


class PyptoError(Exception):
    """An error of the Python front. It is no TypeError even where it wraps one. code: with 0xF00000 or-ed in."""

    def __init__(self, code: int, exception: Exception) -> None:
        self.code = _FRONT | code
        self.exception = exception
        super().__init__(f"ErrCode: F{self.code & 0xFFFFF:05X}, {type(exception).__name__}: {exception}")


class PyptoGeneralError(PyptoError):
    """A PyptoError whose code follows from the class of what it wraps."""

    def __init__(self, exception: Exception) -> None:
        code = next((c for kind, c in _KINDS if isinstance(exception, kind)), _UNKNOWN)
        super().__init__(code, exception)


class FeError(PyptoGeneralError):
    """Of the front end."""


class PyptoRtError(PyptoGeneralError):
    """Of the runtime."""


def type_error(text: str) -> NoReturn:
    raise PyptoError(1, TypeError(text))
