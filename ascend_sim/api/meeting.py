"""What the blocks of one launch know of each other."""


class Meeting:
    """How often each block has come to SyncAll, set each flag, and waited for it."""

    def __init__(self, blocks: int) -> None:
        self.arrived = [0] * blocks
        self.flags: dict[int, list[int]] = {}
        self.waited: dict[tuple[int, int], int] = {}
        self.blocks = blocks
