"""What all enums of the project share."""

import enum


class Choice(enum.Enum):
    """An enum whose members print as users write them.

    They are hashed by identity: they stand in the keys of the program cache, and Enum would hash their names each time.
    """

    __hash__ = object.__hash__

    def __repr__(self) -> str:
        return f"{type(self).__name__}.{self.name}"
