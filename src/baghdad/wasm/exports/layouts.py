"""What lies in memory: the types of parameters, for the functions of all subjects."""

from typing import Annotated, TypeAlias

import numpy as np
import numpy.typing as npt

from baghdad.rules.engine.actions import ACTION_COUNT, ROWS
from baghdad.rules.engine.dealer import Rng
from baghdad.rules.engine.legality import Rows
from baghdad.rules.engine.observation import OBSERVATION_SIZE, Row
from baghdad.rules.engine.state import STATE, State, States
from baghdad.rules.engine.views import VIEW, ViewFields

from .export import Cells, Record, Records

STATE_RECORD, VIEW_RECORD = Record("State", STATE), Record("View", VIEW)

StateAt: TypeAlias = Annotated[State, STATE_RECORD]
OneState: TypeAlias = Annotated[States, Records(STATE_RECORD, 1)]
"""The same bytes, for functions that were written for arrays."""
ViewAt: TypeAlias = Annotated[ViewFields, VIEW_RECORD]
RowsAt: TypeAlias = Annotated[Rows, Cells("Rows", np.int64, ROWS)]
RngAt: TypeAlias = Annotated[Rng, Cells("Rng", np.int64, 4)]
IdsAt: TypeAlias = Annotated[npt.NDArray[np.int16], Cells("Ids", np.int16, ACTION_COUNT)]
MaskAt: TypeAlias = Annotated[Row, Cells("Mask", np.int8, ACTION_COUNT)]
ObservationAt: TypeAlias = Annotated[Row, Cells("Observation", np.int8, OBSERVATION_SIZE)]
CardsAt: TypeAlias = Annotated[npt.NDArray[np.int8], Cells("Cards", np.int8, "count")]
HandsAt: TypeAlias = Annotated[npt.NDArray[np.int8], Cells("Hands", np.int8, 4)]
AnswerAt: TypeAlias = Annotated[npt.NDArray[np.int32], Cells("Answer", np.int32, 2)]
WordsAt: TypeAlias = Annotated[npt.NDArray[np.uint32], Cells("Words", np.uint32, 4)]
