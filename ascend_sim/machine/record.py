"""`record` makes the classes of which every new call makes a dozen: frozen to the type checker, plain at run time,
because attrs takes twice as long to fill a frozen instance. Whoever assigns to one of them does not pass the gate.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from attrs import frozen as record
else:
    from attrs import define as record

__all__ = ["record"]
