# SPDX-License-Identifier: MIT
"""How changes end, and what waits for that."""

from __future__ import annotations

import enum
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Generator, Iterable, Literal

import numpy as np
import numpy.typing as npt

from ._library import INVALID_CODE, UNKNOWN_OBJECT, InvalidValue, StateError

#: When a change is complete for a track: with its event `LOGICALLY_COMPLETED`, or with its event `SETTLED`.
Completion = Literal["logically_complete", "settled"]
COMPLETION = {"logically_complete": 1, "settled": 2}

#: The ends of changes, as NumPy sees them: the number of a change, and its numbers of tracks by how it ended for them.
OUTCOME = np.dtype([("change", np.uint32), ("completed", np.int32), ("replaced", np.int32), ("removed", np.int32)])
#: The ends of changes for single tracks, as NumPy sees them. `result` is a :class:`Result`.
TRACK_OUTCOME = np.dtype([("track", np.uint32, (3,)), ("change", np.uint32), ("result", np.int32)])


class Result(enum.IntEnum):
    """How a change ends for a track."""

    COMPLETE = 0
    REPLACED = 1
    REMOVED = 2


@dataclass(frozen=True)
class Outcome:
    """The end of a change.

    Attributes:
        change: The number that the call returned.
        completed: The number of tracks for which the change was complete.
        replaced: The number of tracks for which another call took its place.
        removed: The number of tracks that were removed before.
    """

    change: int
    completed: int
    replaced: int
    removed: int

    @property
    def is_complete(self) -> bool:
        """Whether the change was complete for all of its tracks."""
        return not self.replaced and not self.removed


class Ending(Future[Outcome]):
    """The end of a change to come: a :class:`concurrent.futures.Future` that can also be awaited.

    The advance that tells the end calls what :meth:`add_done_callback` was given, after it has given the batch back.
    """

    def __await__(self) -> Generator[Any, None, Outcome]:
        import asyncio

        return asyncio.wrap_future(self).__await__()


class Endings:
    """The changes of a batch whose ends will be told, and what waits for them."""

    def __init__(self) -> None:
        self._waiting: dict[int, list[Ending]] = {}

    def __bool__(self) -> bool:
        return bool(self._waiting)

    def __del__(self) -> None:
        self.fail()

    def watch(self, change: int) -> None:
        """Notes a change whose end will be told."""
        self._waiting[change] = []

    def wait(self, change: int) -> Ending:
        """The end of a change."""
        if change not in self._waiting:
            raise InvalidValue(INVALID_CODE, f"change must have asked for its completion and not have ended, is {change!r}")
        self._waiting[change].append(Ending())
        return self._waiting[change][-1]

    def take(self, outcomes: npt.NDArray[Any]) -> list[tuple[Outcome, list[Ending]]]:
        """Forgets the changes that have ended, and returns what waits for each."""
        ended = [Outcome(*outcome) for outcome in outcomes.tolist()]
        return [(outcome, self._waiting.pop(outcome.change, [])) for outcome in ended]

    def fail(self) -> None:
        """Ends the waiting: the batch is gone."""
        for change, endings in self._waiting.items():
            for ending in endings:
                if ending.set_running_or_notify_cancel():
                    ending.set_exception(StateError(UNKNOWN_OBJECT, f"the batch was freed before change {change} ended"))
        self._waiting = {}


def tell(ended: Iterable[tuple[Outcome, list[Ending]]]) -> None:
    """Lets everything go on that waits for changes. The caller has given its turn back, so a callback may call the batch."""
    for outcome, endings in ended:
        for ending in endings:
            if ending.set_running_or_notify_cancel():
                ending.set_result(outcome)
