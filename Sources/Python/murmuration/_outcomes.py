# SPDX-License-Identifier: MIT
"""How changes end, and what waits for that."""

from __future__ import annotations

import contextlib
import enum
from collections import deque
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
    """The changes of a batch whose ends will be told, and what waits for them.

    Attributes:
        waiting: What waits for each change.
        told: What the last advance has ended, until :meth:`tell`. An interrupt in between leaves it for the next advance.
    """

    def __init__(self) -> None:
        self.told: deque[tuple[Outcome, Ending]] = deque()
        self.waiting: dict[int, list[Ending]] = {}

    def __del__(self) -> None:
        # An interrupt may have come before there was anything.
        if hasattr(self, "waiting"):
            self.fail()

    def wait(self, change: int) -> Ending:
        """The end of a change. The caller has its turn."""
        if change not in self.waiting:
            raise InvalidValue(INVALID_CODE, f"change must have asked for its completion and not have ended, is {change!r}")
        self.waiting[change].append(Ending())
        return self.waiting[change][-1]

    def take(self, outcomes: npt.NDArray[Any]) -> None:
        """Notes which changes have ended. The caller has its turn."""
        for numbers in outcomes.tolist():
            outcome = Outcome(*numbers)
            self.told.extend((outcome, ending) for ending in self.waiting.pop(outcome.change, []))

    def tell(self) -> None:
        """Lets everything go on that waits for what has ended. The caller has given its turn back, so that a callback may
        call the batch."""
        # Another thread may tell the rest.
        with contextlib.suppress(IndexError):
            while True:
                outcome, ending = self.told.popleft()
                if ending.set_running_or_notify_cancel():
                    ending.set_result(outcome)

    def go_on(self, changes: Iterable[int]) -> None:
        """Waits for changes of the batch that this one begins with."""
        self.waiting = {change: [] for change in changes}

    def go_back(self, changes: frozenset[int]) -> list[tuple[int, Ending]]:
        """Waits for the changes of a time to which the batch went back, also for those that had ended since. The caller has its
        turn.

        Returns:
            What waited for other changes, which never end: see :meth:`give_up`.
        """
        lost = [(change, ending) for change in self.waiting.keys() - changes for ending in self.waiting.pop(change)]
        for change in changes:
            self.waiting.setdefault(change, [])
        return lost

    @staticmethod
    def give_up(lost: Iterable[tuple[int, Ending]]) -> None:
        """Ends the waiting for changes that never end. The caller has given its turn back."""
        for change, ending in lost:
            if ending.set_running_or_notify_cancel():
                ending.set_exception(StateError(UNKNOWN_OBJECT, f"the batch went back to a time before change {change}"))

    def fail(self) -> None:
        """Ends the waiting: the batch is gone."""
        while self.waiting:
            change, endings = self.waiting.popitem()
            for ending in endings:
                if ending.set_running_or_notify_cancel():
                    ending.set_exception(StateError(UNKNOWN_OBJECT, f"the batch was freed before change {change} ended"))
