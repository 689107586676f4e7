"""The state of a game: one NumPy record, the same on the CPU, on the GPU and in a file."""

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

Counts: TypeAlias = npt.NDArray[Any]

if TYPE_CHECKING:

    class Public:
        """What everybody at the table sees, in a state and in a view."""

        def tobytes(self) -> bytes: ...
        def __getitem__(self, field: str) -> Any: ...

        guards: Counts
        thieves: Counts
        chests: Counts
        discard: Counts
        dancers: int
        stock: Counts
        loot: Counts
        unplaced: Counts
        players: int
        variant: int
        rob: int
        seen: int
        spare: int
        first_hands: Counts
        phase: int
        seat: int
        acted: int
        thief_actions: int
        due: int
        named: int
        idle: int
        winner: int
        turn: int

    class State(Public):
        """One element of an array of dtype `STATE`, for the type checker."""

        hands: Counts
        deck: Counts
else:
    Public = State = np.record

States: TypeAlias = npt.NDArray[Any]
"""An array of dtype `STATE`."""

# Small signed numbers throughout: they mean the same compiled and uncompiled, and a count
# never passes 110. CUDA takes only aligned records.
FIELDS: list[tuple[str, str] | tuple[str, str, tuple[int, ...]]] = [
    ("guards", "i1", (6, 5)),  # [palace, owner]: seats, then neutral
    ("thieves", "i1", (6, 4)),  # [palace, seat]: in the courtyard
    ("chests", "i1", (6,)),  # [palace]: left on the terrace
    ("hands", "i1", (4, 7)),  # [seat, card]: palace cards, then dancers
    ("deck", "i1", (6,)),  # [card]: the stack, as counts since its order is chance
    ("discard", "i1", (6,)),  # [card]
    ("dancers", "i1"),  # in the open supply
    ("stock", "i1", (4,)),  # [seat]: thieves at home
    ("loot", "i1", (4,)),  # [seat]: chests taken
    ("unplaced", "i1", (4, 2)),  # [seat, own or neutral]: guards not yet set up
    ("players", "i1"),
    ("variant", "i1"),  # these options as places in VARIANTS, ROBS, HANDS and SPARES
    ("rob", "i1"),
    ("seen", "i1"),
    ("spare", "i1"),
    ("first_hands", "i1", (4,)),  # [seat]: cards dealt (R7)
    ("phase", "i1"),
    ("seat", "i1"),  # whose turn it is, or who is dealt to
    ("acted", "i1"),  # an action was taken this turn
    ("thief_actions", "i1"),  # taken this turn (R11)
    ("due", "i1"),  # palace cards that the pending chance step reveals
    ("named", "i1"),  # the palace whose card is to come first (R23), or -1
    ("idle", "i1"),  # turns in a row without action and gain (R27)
    ("winner", "i1"),  # a seat, or -1
    ("turn", "i4"),  # turns finished
]
_FILLING = ("filling", "i1", (2,))
"""Always 0. Without it the same two bytes would be there, and a compiled copy would leave them to
chance: states that are the same would differ as bytes."""
STATE = np.dtype((np.record, np.dtype([*FIELDS[:-1], _FILLING, FIELDS[-1]], align=True)))


def state_from_bytes(data: bytes) -> State:
    """The state that `state.tobytes()` was; a record can't be pickled and stay itself."""
    state: State = np.frombuffer(bytearray(data), STATE)[0]
    return state
