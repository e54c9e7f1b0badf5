# SPDX-License-Identifier: MIT
"""Batches of tracks."""

from __future__ import annotations

import ctypes as c
from typing import Any

import numpy as np

from ._arrays import Values, address, empty, floats, int32, values
from ._baking import Baking
from ._library import (
    BUSY, INVALID_COUNT, TRACK_OUT_OF_RANGE, CHandle, CTrackInfo, InvalidValue, Lent, OutOfRange, library)
from ._moving import Moving
from ._outcomes import OUTCOME, Ending
from ._owner import Owner
from ._playing import Playing
from ._snapshots import Snapshot
from ._tracks import Motion, Selection, Tracks, TrackState, handle, select


def _unpickled(data: bytes) -> Batch:
    return Batch.from_snapshot(Snapshot.from_bytes(data))


class Batch(Moving, Playing, Baking):
    """Tracks of one to 4096 components that move together.

    >>> import murmuration
    >>> with murmuration.Batch(dimensions=2) as batch:
    ...     dots = batch.add([[0, 0], [10, 0], [20, 0]])
    ...     change = batch.animate(dots, [0, 50], murmuration.spring(0.5, bounce=0.3))
    ...     batch.advance(0.25)
    ...     batch.values.shape
    (3, 2)

    Times are seconds of the batch's clock. Values are float32 and finite, velocities are per second. An array of float32 is
    read and written where it lies, unless a stride is negative or no multiple of 4 bytes; other arrays of real numbers,
    numbers and lists are converted.

    Tracks are named by their handles, or by indices: an index, a slice, a range, an array or a list of indices, a mask of a
    bool for each index, or None for all. Slices and ranges in steps of 1 pass over indices without a track; the others
    refuse them.

    One thread at a time uses a batch: a call while another thread is in a call raises :class:`Busy`. Calls let other threads
    of Python run meanwhile. Ctrl-C leaves no batch in use. A process that `os.fork` made has batches of its own, which
    advance in one thread until their `threads` are set again.

    Args:
        dimensions: Components of each track, 1...4096.
        capacity: Tracks to make room for now; more may come.
        threads: Threads that a call may use, 1...64. They change no bit.
        curve_tolerance: How far fitted pieces of curves may be from them, as a share of the way; 0 for 2**-16.
    """

    def __init__(
        self, dimensions: int = 1, *, capacity: int = 0, threads: int = 1, curve_tolerance: float = 0
    ) -> None:
        super().__init__(
            library.batch_free, library.batch_create, int32("dimensions", dimensions), int32("capacity", capacity),
            curve_tolerance)
        self._hold_arrays(dimensions)
        if threads != 1:
            self.threads = threads

    def close(self) -> None:
        """Frees the memory. Every later call is an error. Closing twice does nothing."""
        self._refuse_if_goals_are_lent()
        super().close()
        self._end()

    def _refuse_if_goals_are_lent(self) -> None:
        """Refuses to free the goals that someone holds."""
        if any(lease() is not None for lease, _ in self._lent_goals):
            raise Lent(BUSY, "goals are in use: copy or delete them first")

    def _end(self) -> None:
        """Ends what programs hold of a batch that was freed: its arrays are not asked for again, and no one waits."""
        self._version += 1
        self._endings.fail()

    # ---- Settings -----------------------------------------------------------------------------------------------------

    @property
    def threads(self) -> int:
        """The number of threads that a call may use, 1...64. They change no bit."""
        return self._info().thread_count  # type: ignore[no-any-return]

    @threads.setter
    def threads(self, count: int) -> None:
        with self._turn:
            self._change(library.set_thread_count, int32("threads", count))

    def set_reports(self, *, iterations: bool = False, phases: bool = False, arrivals: bool = False) -> None:
        """Sets the events that are reported besides completion.

        Args:
            arrivals: Each time that a track that follows reaches its goal.
        """
        with self._turn:
            self._change(library.set_reports, bool(iterations) + 2 * bool(phases) + 4 * bool(arrivals))

    def set_rest_tolerance(self, value: float, velocity: float = 0) -> None:
        """Sets the largest distance from the target and the largest speed of a motion at rest; a speed of 0 stands for the
        one that belongs to the distance."""
        with self._turn:
            self._change(library.set_rest_tolerance, value, velocity)

    def reserve(self, additional: int) -> None:
        """Makes room for some tracks beyond the live ones."""
        with self._turn:
            self._change(library.reserve, int32("additional", additional))

    def compact(self) -> None:
        """Gives back the memory behind the last track."""
        with self._turn:
            self._change(library.compact)

    # ---- Snapshots ----------------------------------------------------------------------------------------------------

    def copy(self) -> Batch:
        """Another batch with the same state, in one thread; :func:`copy.deepcopy` makes it too. Each goes its own way from
        now on.

        A track of the copy has the index of the original: ``copy.track(index)``. Clips and phases that are loaded now are
        good in both.
        """
        made = Batch.__new__(Batch)
        with self._turn:
            Owner.__init__(made, library.batch_free, library.batch_copy, self._number)
            made._hold_arrays(self._dimensions)
            made._endings.go_on(self._endings.waiting)
        return made

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> Batch:
        return self.copy()

    @staticmethod
    def from_snapshot(snapshot: Snapshot) -> Batch:
        """A batch that begins with a snapshot of another one: see :meth:`copy`. ``pickle`` makes it of a batch.

        What another process gave out names nothing here: clips and phases that play go on, and others are loaded anew.
        """
        Snapshot._check(snapshot)
        made = Batch.__new__(Batch)
        with snapshot._turn:
            Owner.__init__(made, library.batch_free, library.batch_from_snapshot, snapshot._number)
            made._hold_arrays(made._describe().dimensions)
            made._endings.go_on((snapshot._waited or {}).get("", ()))
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        with self.snapshot() as moment:
            return _unpickled, (bytes(moment),)

    def snapshot(self, into: Snapshot | None = None) -> Snapshot:
        """The state of the batch now: tracks, motions, delays, pauses, phases, clips, the clock and events.

        Args:
            into: A snapshot of this batch, whose memory is used again.
        """
        if into is None:
            with self._turn:
                into = Snapshot(library.snapshot_free, library.snapshot_create, self._number)
                into._words, into._waited = self._size(), {"": frozenset(self._endings.waiting)}
            return into
        Snapshot._check(into)
        with self._turn, into._turn:
            into._change(library.snapshot_update, self._number)
            into._words, into._waited = self._size(), {"": frozenset(self._endings.waiting)}
        return into

    def restore(self, snapshot: Snapshot) -> None:
        """Makes the batch what it was. Every later frame has the bits that it would have had.

        Handles, clips and phases of that time are good again. What was given out since then names nothing, for ever, and what
        waits for the end of a change of later gets a :class:`StateError`.
        """
        Snapshot._check(snapshot)
        lost: list[tuple[int, Ending]] = []
        with self._turn, snapshot._turn:
            self._change(library.restore, snapshot._number)
            if snapshot._waited is not None:
                lost = self._endings.go_back(snapshot._waited.get("", frozenset()))
            if self._views:
                self._renew_held()
        self._endings.give_up(lost)

    # ---- Recording ----------------------------------------------------------------------------------------------------

    def record(self) -> None:
        """Begins to keep every call that the batch accepts, for :func:`check`, before the first track, clip or phases.

        A recorded call costs what it takes to copy its arguments.
        """
        with self._turn:
            self._ask(library.record)

    @property
    def recording(self) -> str:
        """The calls since :meth:`record` as JSON text, which :func:`check` and `murmuration verify FILE` take."""
        return self._lent_text(library.recording)

    def stop_recording(self) -> None:
        """Ends the recording and frees its memory."""
        with self._turn:
            self._ask(library.stop_recording)

    # ---- Tracks -------------------------------------------------------------------------------------------------------

    def add(self, values_: Values, count: int | None = None) -> Tracks:
        """Adds tracks that stand still at some values.

        Args:
            values_: (tracks, components); (tracks,) with one component; or with a count, one value for all.
            count: The number of tracks; by default the first dimension of the array.
        """
        array = floats("values", values_)
        if count is None:
            count = array.shape[0] if array.ndim == 2 or array.ndim == 1 == self._dimensions else 1
        count = int32("count", count)
        if count < 0:
            raise InvalidValue(INVALID_COUNT, f"count must be 0 or more, is {count}")
        keep, start, track_stride, component_stride = values("values", array, count, self._dimensions)
        handles = empty((count, 3), np.uint32)
        with self._turn:
            self._change(library.add, start, track_stride, component_stride, address(handles), count)
        return Tracks._adopt(handles)

    def remove(self, tracks: Selection) -> None:
        """Removes tracks: their handles go stale, and the next new tracks take their indices."""
        with self._turn:
            self._change(library.remove, *select(self, tracks))

    def remove_settled(self) -> int:
        """Removes the tracks whose motion is over, and returns their number."""
        removed = c.c_int32()
        with self._turn:
            self._change(library.remove_settled, c.byref(removed))
        return removed.value

    def remove_all(self) -> None:
        """Removes every track; clips and phases stay loaded."""
        with self._turn:
            self._change(library.remove_all)

    def track(self, index: int) -> Tracks | None:
        """The track at an index; None for an index without a track."""
        with self._turn:
            return self._track(index)

    def _track(self, index: int) -> Tracks | None:
        found = CHandle()
        self._ask(library.track_at, int32("index", index), c.byref(found))
        return Tracks(np.array([handle(found)], np.uint32)) if found.store else None

    def live(self, tracks: Selection = None) -> Tracks:
        """Those tracks that are there, in the same order; tracks that are gone are passed over."""
        number = c.c_int32()
        with self._turn:
            at, first, count = select(self, tracks)
            length = self._length(first, count)
            # A range beyond the indices is refused before anything is written.
            found = empty((length if at else min(length, self._describe().index_count), 3), np.uint32)
            self._ask(library.live, at, first, count, address(found), c.byref(number))
        return Tracks._adopt(found[:number.value].copy())

    def state(self, track: Tracks | int) -> TrackState:
        """What is known of one track, by its handle or its index."""
        info = CTrackInfo()
        with self._turn:
            found = track if isinstance(track, Tracks) else self._track(track)
            if found is None:
                raise OutOfRange(TRACK_OUT_OF_RANGE, f"there is no track at index {track}")
            if len(found) != 1:
                raise InvalidValue(INVALID_COUNT, f"state is about one track, not {len(found)}")
            self._ask(library.track_describe, found._address, c.byref(info))
        return TrackState(
            Motion(info.motion), info.rest_time, info.clip_time, info.next_step_time,
            None if info.phase < 0 else info.phase, bool(info.is_at_rest), bool(info.is_paused))

    # ---- Time ---------------------------------------------------------------------------------------------------------

    def advance(self, seconds: float, *, velocities: bool = False) -> None:
        """Evaluates every track at a time, and renews the arrays that :attr:`values` and its like gave.

        The clock may be set to any time since the latest change or step of phases, forwards or back.
        """
        self._advance(library.advance, seconds, velocities)

    def advance_by(self, seconds: float, *, velocities: bool = False) -> None:
        """Moves the clock by some seconds, and evaluates every track. Small steps lose nothing."""
        self._advance(library.advance_by, seconds, velocities)

    def _advance(self, function: Any, seconds: float, velocities: bool) -> None:
        with self._turn:
            self._change(function, seconds, 1 if velocities else 0)
            if self._views:
                self._renew_held()
            if self._endings.waiting:
                self._take_ended()
        if self._endings.told:
            self._endings.tell()

    def finished(self, change: int) -> Ending:
        """The end of a change, to wait for: ``outcome = await batch.finished(change)``.

        It is also a :class:`concurrent.futures.Future`: another thread may ask for its `result()`, and its
        `add_done_callback` calls a function from within :meth:`advance`, which may call the batch.

        Args:
            change: The number of a call that asked for its completion, whose end no advance has told.
        """
        with self._turn:
            return self._endings.wait(int32("change", change, bits=64))

    def _take_ended(self) -> None:
        """Notes which changes the last advance has ended. The caller has its turn."""
        self._endings.take(self._list(library.outcomes, OUTCOME))
