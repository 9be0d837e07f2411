"""Logical positions of a tensor. VECIN, VECOUT and VECCALC are the same Unified Buffer (spec 01 section 6.3)."""

from isa.choice import Choice


class TPosition(Choice):
    """Where a tensor or queue lives, in AscendC's order."""

    GM = 0
    A1 = 1
    A2 = 2
    B1 = 3
    B2 = 4
    C1 = 5
    C2 = 6
    CO1 = 7
    CO2 = 8
    VECIN = 9
    VECOUT = 10
    VECCALC = 11
    LCM = VECCALC  # an old name
    SPM = 12
    SHM = SPM  # an old name
    TSCM = 13
    C2PIPE2GM = 14
    C2PIPE2LOCAL = 15
    MAX = 16
