"""Long arrays in pieces, whose temporaries stay in the cache and in memory that the allocator does not give back."""

from isa.numerics.rules import Array, Kernel

LANES = 16384


def tiled(kernel: Kernel) -> Kernel:
    """`kernel(source, out)`, whose lanes do not depend on each other, on at most `LANES` lanes at a time."""

    def run(source: Array, out: Array) -> None:
        if source.size <= LANES:
            kernel(source, out)
            return
        rows = len(source)
        step = LANES * rows // source.size
        if not step:  # one row is too long
            for row, out_row in zip(source, out, strict=True):
                run(row, out_row)
            return
        for start in range(0, rows, step):
            kernel(source[start : start + step], out[start : start + step])

    return run


def assign(source: Array, out: Array) -> None:
    """numpy's own conversion, which needs no pieces: exact where it can be, else integers to the nearest float."""
    out[...] = source
