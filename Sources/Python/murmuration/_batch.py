# SPDX-License-Identifier: MIT
"""Batches of tracks."""

from __future__ import annotations

import ctypes as c
import weakref
from dataclasses import dataclass
from typing import Any, Iterator, Literal, Sequence

import numpy as np
import numpy.typing as npt

from ._arrays import (
    FLOAT, Floats, Values, address, block, choice, doubles, empty, floats, in_order, int32, output, settled, values,
    vertices)
from ._colors import Encoding, encodings
from ._library import (
    BUSY, GRID, INVALID_CODE, INVALID_COUNT, INVALID_VALUE, CAnimation, CBakeRequest, CBatchInfo, CHandle, CKeyframe, CPlayback, CSpring,
    CTrackInfo, CVertexLayout, CWork, InvalidType, InvalidValue, Lent, StateError, call, library)
from ._motions import DEFAULT, Animation, Grid, Keyframe, Playback, Spring, side_by_side
from ._outcomes import COMPLETION, OUTCOME, TRACK_OUTCOME, Completion, Ending, Endings
from ._owner import Owner
from ._tracks import (
    EVENT, Clip, Indices, Motion, Phases, Run, Selection, Tracks, TrackState, counted, handle, indices, is_run, listed, named, select)

What = Literal["values", "velocities", "targets"]
_WHAT = {"values": 0, "velocities": 1, "targets": 2}
Order = Literal["interleaved", "time_major", "track_major"]
_ORDER = {"time_major": 0, "interleaved": 1, "track_major": 2}


class _Renewed:
    """Numbers of all tracks by index, in memory of Python's, that are renewed while someone holds a view of them."""

    def __init__(self) -> None:
        self.memory: Floats | None = None
        self.owner: weakref.ref[Any] | None = None
        self.view: weakref.ref[Floats] | None = None
        self.version = -1

    def is_held(self) -> bool:
        return self.owner is not None and self.owner() is not None


class Snapshot(Owner):
    """The state of a batch at one time, to which it can go back: see :meth:`Batch.snapshot`.

    ``bytes(snapshot)`` goes to a file or to another process, and ``pickle`` takes it: a version, the length, a checksum, and
    the whole state with its clips, phases and animations. Machines of one byte order and word size read each other's.
    """

    @classmethod
    def from_bytes(cls, data: bytes) -> Snapshot:
        """The snapshot of some bytes. The batch of this process that it is of goes back to it.

        Bytes of another version or kind of machine, and bytes that were cut or damaged, raise :class:`FileError`. The
        checksum finds damage, and nothing finds intent: as with ``pickle``, read no bytes of strangers.
        """
        data = bytes(data)
        return cls(library.snapshot_free, library.snapshot_read, data, len(data))

    def __bytes__(self) -> bytes:
        start, count = c.c_void_p(), c.c_int64()
        with self._turn:
            self._ask(library.snapshot_bytes, c.byref(start), c.byref(count))
            return c.string_at(start.value or 0, count.value)

    def __reduce__(self) -> tuple[Any, ...]:
        return Snapshot.from_bytes, (bytes(self),)

    def _said(self) -> str:
        return self._words

    #: What is said of the batch or the particles that it is of.
    _words = ""

    @staticmethod
    def _check(snapshot: Any) -> None:
        """Refuses what is no snapshot."""
        if not isinstance(snapshot, Snapshot):
            raise InvalidType(INVALID_CODE, f"a snapshot is what a batch's snapshot() gives, not {snapshot!r}")


def _unpickled(data: bytes) -> Batch:
    return Batch.from_snapshot(Snapshot.from_bytes(data))


class Batch(Owner):
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

    def _hold_arrays(self, dimensions: int) -> None:
        self._dimensions = dimensions
        self._renewed = (_Renewed(), _Renewed(), _Renewed())
        self._views = 0
        self._endings = Endings()
        self._lent_goals: list[tuple[weakref.ref[Any], int]] = []

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

    # ---- What is known of it ------------------------------------------------------------------------------------------

    def _describe(self) -> CBatchInfo:
        info = CBatchInfo()
        self._ask(library.batch_describe, c.byref(info))
        return info

    def _info(self) -> CBatchInfo:
        with self._turn:
            return self._describe()

    def _said(self) -> str:
        work = CWork()
        self._ask(library.batch_work, c.byref(work))
        return f"{self._size()}, {self._describe().count - work.at_rest} moving"

    def _size(self) -> str:
        info = self._describe()
        return f" of {counted(info.count, 'track')} of {counted(info.dimensions, 'component')} at {info.time:g} s"

    def _length(self, first: int, count: int) -> int:
        """The number of tracks that a selection names. It holds for as long as the caller has its turn."""
        return count if count >= 0 else max(0, self._describe().index_count - first)

    @property
    def dimensions(self) -> int:
        """Components of each track."""
        return self._dimensions

    @property
    def time(self) -> float:
        """The clock, in seconds."""
        return self._info().time  # type: ignore[no-any-return]

    @property
    def count(self) -> int:
        """Live tracks."""
        return self._info().count  # type: ignore[no-any-return]

    def __len__(self) -> int:
        return self.count

    @property
    def index_count(self) -> int:
        """One past the largest index that a track has had since :meth:`compact`: the length of :attr:`values`."""
        return self._info().index_count  # type: ignore[no-any-return]

    @property
    def latest_change(self) -> int:
        """The number of the last call that changed a motion."""
        return self._info().latest_change  # type: ignore[no-any-return]

    @property
    def work(self) -> dict[str, int]:
        """The work of the last frame: numbers by the names of ``murmuration_work`` in the header. Ask after an advance; it takes
        time for each sixteen tracks."""
        work = CWork()
        with self._turn:
            self._ask(library.batch_work, c.byref(work))
        return {name: getattr(work, name) for name, *_ in CWork._fields_ if name != "reserved"}

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
                into._words = self._size()
            return into
        Snapshot._check(into)
        with self._turn, into._turn:
            into._change(library.snapshot_update, self._number)
            into._words = self._size()
        return into

    def restore(self, snapshot: Snapshot) -> None:
        """Makes the batch what it was. Every later frame has the bits that it would have had.

        Handles, clips and phases of that time are good again. What was given out since then names nothing, for ever.
        """
        Snapshot._check(snapshot)
        with self._turn, snapshot._turn:
            self._change(library.restore, snapshot._number)
            if self._views:
                self._renew_held()

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
                raise InvalidValue(INVALID_COUNT, f"there is no track at index {track}")
            if len(found) != 1:
                raise InvalidValue(INVALID_COUNT, f"state is about one track, not {len(found)}")
            self._ask(library.track_describe, found._address, c.byref(info))
        return TrackState(
            Motion(info.motion), info.rest_time, info.clip_time, info.next_step_time,
            None if info.phase < 0 else info.phase, bool(info.is_at_rest), bool(info.is_paused))

    # ---- Sending tracks to goals --------------------------------------------------------------------------------------

    def animate(
        self, tracks: Selection, goals: Values, animation: Animation | Sequence[Animation] | None = DEFAULT, *,
        delay: float | None = None, delays: npt.ArrayLike | None = None, completion: Completion | None = None
    ) -> int:
        """Sends tracks from their current states to goals. A track that heads for its goal already is left alone.

        Args:
            goals: (tracks, components), or one goal for all.
            animation: One for all tracks, one for each, or None to jump. Unless given it is a spring of half a second without a
                bounce, as in SwiftUI. Springs of one call with one animation are the fastest.
            delay: Seconds until all tracks set out, 0 or more. Until then they keep their motions.
            delays: Seconds for each track, added to that.
            completion: When the change is complete, if its end is to be told: see :attr:`outcomes` and :meth:`finished`.

        Returns:
            The number of the change, which the events of this motion carry. Later calls of a batch have larger numbers, up to
            2**32.
        """
        told = self._told(completion)
        with self._turn:
            at, first, count = select(self, tracks)
            length = count if count >= 0 else self._length(first, count)
            keep, start, track_stride, component_stride = values("goals", goals, length, self._dimensions)
            waits = self._delays(delay, delays, length)
            if animation is None or isinstance(animation, Animation):
                return self._watched(
                    told, library.animate, at, first, count, start, track_stride, component_stride,
                    None if animation is None else animation.address, waits and waits[1])
            each = side_by_side("animation", Animation, CAnimation, animation)
            if len(each) != length:
                raise InvalidValue(INVALID_COUNT, f"animation must be {length} animations, are {len(each)}")
            return self._watched(
                told, library.animate_each, at, first, count, start, track_stride, component_stride, c.byref(each),
                waits and waits[1])

    @staticmethod
    def _times(name: str, times: npt.ArrayLike | None, length: int) -> tuple[Any, int] | None:
        """Times of tracks and their address; None for none."""
        if times is None:
            return None
        array = doubles(name, times, length, one_for_all=True)
        if array.size != length:
            array = np.full(length, array[0])
        return array, array.ctypes.data

    @classmethod
    def _delays(cls, delay: float | None, delays: npt.ArrayLike | None, length: int) -> tuple[Any, int] | None:
        """The delays of tracks and their address; None for none."""
        waits = cls._times("delays", 0 if delays is None and delay is not None else delays, length)
        if waits is None or delay is None:
            return waits
        together = waits[0] + doubles("delay", delay, 1)[0]
        return together, together.ctypes.data

    def _given(self, name: str, numbers: Values | None, length: int) -> tuple[Any, int | None, int, int]:
        """Values of tracks as :func:`values` gives them; NULL for None."""
        return (None, None, 0, 0) if numbers is None else values(name, numbers, length, self._dimensions)

    def retarget(
        self, tracks: Selection, goals: Values, *, delay: float | None = None, delays: npt.ArrayLike | None = None,
        completion: Completion | None = None
    ) -> int:
        """Sends tracks to goals with the springs that they follow; a track that follows none takes one of half a second.

        A track that heads for its goal already is left alone. Otherwise as :meth:`animate`.
        """
        told = self._told(completion)
        with self._turn:
            at, first, count = select(self, tracks)
            length = self._length(first, count)
            keep, start, track_stride, component_stride = values("goals", goals, length, self._dimensions)
            waits = self._delays(delay, delays, length)
            return self._watched(
                told, library.retarget, at, first, count, start, track_stride, component_stride, waits and waits[1])

    def follow(
        self, tracks: Selection, spring: Spring | Sequence[Spring] = Spring(), *, leaders: Tracks | None = None,
        offsets: Values | None = None
    ) -> int:
        """Lets tracks follow goals: from each frame to the next a track takes the exact step of its spring towards its goal.

        It is the motion for goals that change in every frame: see :meth:`set_goals` and :meth:`goals`. The goal of a track
        that did not follow before is its value. :meth:`retarget` sets the goal, :meth:`set` and :meth:`displace` change the
        state, and other motions take over. While tracks follow, the clock cannot go back.

        Args:
            spring: One for all tracks, or one for each.
            leaders: Tracks whose values, of the frame before, are the goals: one for each track.
            offsets: Added to the values of the leaders: (tracks, components), or one for all.
        """
        springs = side_by_side("spring", Spring, CSpring, [spring] if isinstance(spring, Spring) else spring)
        with self._turn:
            at, first, count = select(self, tracks)
            self._refuse_if_goals_move()
            if leaders is None:
                return self._change(library.follow, at, first, count, c.byref(springs), len(springs), self._changed_at)
            if not isinstance(leaders, Tracks):
                raise InvalidType(INVALID_CODE, f"leaders must be Tracks, are {type(leaders).__name__}")
            leader, _, leader_count = select(self, leaders)
            keep, start, track_stride, component_stride = self._given("offsets", offsets, self._length(first, count))
            return self._change(
                library.follow_tracks, at, first, count, leader, leader_count, start, track_stride, component_stride,
                c.byref(springs), len(springs), self._changed_at)

    def set_goals(self, tracks: Selection, goals: Values) -> None:
        """Sets the goals of tracks that follow: (tracks, components), or one goal for all."""
        with self._turn:
            at, first, count = select(self, tracks)
            self._refuse_if_goals_move()
            keep, start, track_stride, component_stride = values(
                "goals", goals, self._length(first, count), self._dimensions)
            self._change(library.set_goals, at, first, count, start, track_stride, component_stride)

    def goals(self, component: int = 0) -> Floats:
        """The goals of one component by index, without a copy, to be written in place; empty until a track follows.

        Nothing is checked: a goal that is no number keeps its track where it is, and is reported once. As long as someone
        holds the array, or a part of it, calls about following and goals raise :class:`Lent` after tracks were added: they
        could move the memory.
        """
        start, count = c.c_void_p(), c.c_int32()
        with self._turn:
            self._refuse_if_goals_move()
            self._ask(library.goals, int32("component", component), c.byref(start), c.byref(count))
            if not count.value:
                return np.empty(0, FLOAT)
            owner: Any = (c.c_float * count.value).from_address(start.value or 0)
            owner.batch = self
            self._lent_goals = [(lease, size) for lease, size in self._lent_goals if lease() is not None]
            self._lent_goals.append((weakref.ref(owner), count.value))
        return np.frombuffer(owner, FLOAT)

    def _refuse_if_goals_move(self) -> None:
        """Refuses a call that may move the goals that someone holds. The caller has its turn."""
        if any(lease() is not None for lease, _ in self._lent_goals):
            size = self._describe().index_count
            if any(lease() is not None and lent < size for lease, lent in self._lent_goals):
                raise Lent(BUSY, "goals are in use, and the call may move them: copy or delete them first")

    def cancel_delays(self, tracks: Selection = None) -> None:
        """Cancels the calls of these tracks that wait for their delays."""
        with self._turn:
            self._change(library.cancel_delays, *select(self, tracks))

    def set(self, tracks: Selection, values_: Values, velocities: Values | None = None) -> int:
        """Sets values and velocities, as a dragging hand does. The next spring takes over the velocities."""
        return self._set(library.set, tracks, values_, velocities)

    def displace(self, tracks: Selection, values_: Values, velocities: Values | None = None) -> int:
        """Sets values and velocities; from there tracks go on to their targets with the springs that they follow."""
        return self._set(library.displace, tracks, values_, velocities)

    def push(self, tracks: Selection, velocities: Values) -> int:
        """Adds to the velocities; tracks go on from their values as with :meth:`displace`."""
        with self._turn:
            at, first, count = select(self, tracks)
            keep, start, track_stride, component_stride = values(
                "velocities", velocities, self._length(first, count), self._dimensions)
            return self._change(library.push, at, first, count, start, track_stride, component_stride, self._changed_at)

    def _set(self, function: Any, tracks: Selection, values_: Values, velocities: Values | None) -> int:
        with self._turn:
            at, first, count = select(self, tracks)
            length = self._length(first, count)
            keep, start, track_stride, component_stride = values("values", values_, length, self._dimensions)
            speed = self._given("velocities", velocities, length)
            change = self._change(
                function, at, first, count, start, track_stride, component_stride, speed[1], speed[2], speed[3],
                self._changed_at)
            if self._views:
                self._renew_held()
            return change

    def decelerate(
        self, tracks: Selection, velocities: Values | None = None, *, rate: float = 0.998,
        within: tuple[Values, Values] | None = None, snap: Grid | Values | None = None, spring: Spring = Spring(),
        completion: Completion | None = None
    ) -> int:
        """Lets tracks slide to their projected ends, ever more slowly, as a scroll view does after a throw, or spring to points
        near these ends.

        Args:
            velocities: None for the velocities of the tracks.
            rate: The part of the velocity that is left after a millisecond, in (0, 1).
            within: A lower and an upper bound, each one number, or one for each component; infinite for none. A component that
                meets a bound goes on with the spring, which holds it there.
            snap: Where tracks may end: a :class:`Grid`, or points of the shape (points, components). Each track takes the
                spring, from its value and velocity, to the point nearest to the end of its slide. The end is limited to the
                bounds first, and a point beyond a bound counts at the bound.
            spring: The spring at a bound, or to a point.
            completion: As with :meth:`animate`.
        """
        told = self._told(completion)
        limits = self._limits(within, snap, spring)
        with self._turn:
            at, first, count = select(self, tracks)
            speed = self._given("velocities", velocities, self._length(first, count))
            return self._watched(
                told, library.decelerate, at, first, count, speed[1], speed[2], speed[3], rate, *limits[1:])

    def _limits(
        self, within: tuple[Values, Values] | None, snap: Grid | Values | None, spring: Spring
    ) -> tuple[Any, int | None, int | None, int, Any]:
        """What holds the memory, and the arguments for bounds, points, their number and the spring."""
        bounds: Floats | None = None
        points: Floats | None = None
        if within is None and snap is None:
            return None, None, None, 0, None
        if within is not None:
            try:
                lower, upper = within
            except TypeError as fault:
                raise InvalidType(INVALID_CODE, f"within must be two bounds: {fault}") from None
            except ValueError as fault:
                raise InvalidValue(INVALID_COUNT, f"within must be two bounds: {fault}") from None
            bounds = np.concatenate([self._vector("within", lower), self._vector("within", upper)])
        if isinstance(snap, Grid):
            points = np.stack([self._vector("spacing", snap.spacing), self._vector("origin", snap.origin)])
        elif snap is not None:
            points = np.array(floats("snap", snap), order="C")
            if self._dimensions == 1 and points.ndim < 2:
                points = points.reshape(-1, 1)
            if points.ndim != 2 or points.shape[1] != self._dimensions:
                raise InvalidValue(
                    INVALID_COUNT, f"snap must have the shape (points, {self._dimensions}); its shape is {points.shape}")
        springs = side_by_side("spring", Spring, CSpring, [spring])
        number = GRID if isinstance(snap, Grid) else 0 if points is None else len(points)
        return (
            (bounds, points), None if bounds is None else address(bounds), None if points is None else address(points),
            int32("the number of points", number), c.byref(springs))

    def _vector(self, name: str, value: Values) -> Floats:
        """One number for all components, or one for each."""
        array = floats(name, value)
        if array.shape not in ((), (self._dimensions,)):
            raise InvalidValue(
                INVALID_COUNT, f"{name} must be one number, or one for each of {self._dimensions} components; its shape is "
                f"{array.shape}")
        return np.broadcast_to(array, (self._dimensions,))

    def pause(self, tracks: Selection = None) -> None:
        """Pauses tracks: no time passes for them, whatever they follow."""
        with self._turn:
            self._change(library.pause, *select(self, tracks))

    def resume(self, tracks: Selection = None) -> None:
        """Resumes paused tracks, from where they are and with the velocities that they had."""
        with self._turn:
            self._change(library.resume, *select(self, tracks))

    def stop(self, tracks: Selection = None) -> None:
        """Ends the motions, phases and waiting calls of tracks, which stay where they are."""
        with self._turn:
            self._change(library.stop, *select(self, tracks))

    # ---- Clips --------------------------------------------------------------------------------------------------------

    def load_clip(
        self, components: Sequence[tuple[float, Sequence[Keyframe]]], *, tolerance: float = 0
    ) -> Clip:
        """Makes a clip of keyframes and loads it.

        Args:
            components: For each component its initial value and its keyframes.
            tolerance: The largest error of fitted keyframes, as a share of their way; 0 for 2**-16.
        """
        try:
            pairs = [(first, list(keyframes)) for first, keyframes in components]
        except (TypeError, ValueError) as fault:
            raise InvalidType(
                INVALID_CODE, f"components must be pairs of an initial value and keyframes: {fault}") from None
        initial = doubles("initial values", [first for first, _ in pairs])
        counts = np.array([len(keyframes) for _, keyframes in pairs], np.int32)
        together = side_by_side("keyframes", Keyframe, CKeyframe, [one for _, keyframes in pairs for one in keyframes])
        loaded, duration = CHandle(), c.c_double()
        with self._turn:
            self._change(
                library.load_clip, initial.ctypes.data, c.byref(together), counts.ctypes.data, len(pairs), tolerance,
                c.byref(loaded), c.byref(duration))
        return Clip(handle(loaded), duration.value)

    def unload_clip(self, clip: Clip) -> None:
        """Unloads a clip that no track plays."""
        with self._turn:
            self._change(library.unload_clip, named("clip", Clip, clip))

    def play(
        self, clip: Clip, tracks: Selection = None, playback: Playback | Sequence[Playback] = Playback(), *,
        start: Literal["first_value", "shown_value", "automatic"] = "first_value", completion: Completion | None = None
    ) -> int:
        """Plays a clip on tracks, in place of their motions. The next advance shows it.

        Args:
            playback: One for all tracks, or one for each.
            start: With the first value of the clip, from what the track shows, or from what it shows if it is on its way.
            completion: As with :meth:`animate`.
        """
        start_code = choice("start", {"first_value": 0, "shown_value": 1, "automatic": 2}, start)
        told = self._told(completion)
        items = [playback] if isinstance(playback, Playback) else playback
        playbacks = side_by_side("playback", Playback, CPlayback, items)
        with self._turn:
            at, first, count = select(self, tracks)
            length = self._length(first, count)
            if len(playbacks) not in (1, length):
                raise InvalidValue(INVALID_COUNT, f"playback must be one or {length} of them, are {len(playbacks)}")
            return self._watched(
                told, library.play_clip, named("clip", Clip, clip), at, first, count, c.byref(playbacks), len(playbacks),
                start_code)

    def set_speed(self, tracks: Selection, speeds: npt.ArrayLike) -> None:
        """Changes the speed of motions, from the values that tracks show. Tracks at rest are left alone.

        The speed lasts until another call gives the track a motion.

        Args:
            speeds: Seconds of the motion per second, one for all, or one for each: any finite numbers for clips, and 1e-6 to
                1e6 for other motions.
        """
        array = doubles("speeds", speeds)
        with self._turn:
            self._change(library.set_speed, *select(self, tracks), array.ctypes.data, array.size)

    def seek(self, tracks: Selection, times: npt.ArrayLike) -> None:
        """Moves tracks that play clips to seconds of their clips: one for all, or one for each."""
        array = doubles("times", times)
        with self._turn:
            self._change(library.seek, *select(self, tracks), array.ctypes.data, array.size)

    def vary(self, tracks: Selection, scales: Values, offsets: Values) -> None:
        """Gives variations to tracks that play clips: they show scale * value + offset of the clip's values."""
        with self._turn:
            at, first, count = select(self, tracks)
            length = self._length(first, count)
            scale = values("scales", scales, length, self._dimensions)
            offset = values("offsets", offsets, length, self._dimensions)
            self._change(
                library.vary, at, first, count, scale[1], scale[2], scale[3], offset[1], offset[2], offset[3])

    # ---- Phases -------------------------------------------------------------------------------------------------------

    def load_phases(self, targets: Values, animations: Sequence[Animation] | None = None) -> Phases:
        """Makes a sequence of phases and loads it.

        Args:
            targets: The value of each phase, (phases, components).
            animations: The animation to each phase from the one before; None for jumps.
        """
        array = in_order(floats("targets", targets))
        if array.ndim == 1 and self._dimensions == 1:
            array = array.reshape(-1, 1)
        if array.ndim != 2:
            raise InvalidValue(INVALID_COUNT, f"targets must have the shape (phases, components); theirs is {array.shape}")
        each = None
        if animations is not None:
            each = side_by_side("animations", Animation, CAnimation, animations)
            if len(each) != array.shape[0]:
                raise InvalidValue(INVALID_COUNT, f"animations must be {array.shape[0]}, are {len(each)}")
        loaded = CHandle()
        with self._turn:
            self._change(
                library.load_phases, address(array), each and c.byref(each), array.shape[1], array.shape[0],
                c.byref(loaded))
        return Phases(handle(loaded))

    def unload_phases(self, phases: Phases) -> None:
        """Unloads a sequence that no track plays."""
        with self._turn:
            self._change(library.unload_phases, named("phases", Phases, phases))

    def play_phases(
        self, phases: Phases, tracks: Selection = None, *, loops: bool = True, starts: npt.ArrayLike | None = None,
        scales: Values | None = None, offsets: Values | None = None
    ) -> int:
        """Plays a sequence of phases on tracks. A track keeps its motion until its start or trigger.

        Args:
            loops: Sets out at its start and again after each round; otherwise at a :meth:`trigger`, for one round.
            starts: When each track sets out; None for now.
            scales: Of the targets of each track, scale * target + offset.
        """
        with self._turn:
            at, first, count = select(self, tracks)
            length = self._length(first, count)
            when = self._times("starts", starts, length)
            scale, offset = self._given("scales", scales, length), self._given("offsets", offsets, length)
            return self._change(
                library.play_phases, named("phases", Phases, phases), at, first, count, 0 if loops else 1,
                when and when[1], scale[1], scale[2], scale[3], offset[1], offset[2], offset[3], self._changed_at)

    def trigger(self, tracks: Selection = None, *, completion: Completion | None = None) -> int:
        """Triggers tracks: each runs once through the sequence that it plays or played last.

        Args:
            completion: As with :meth:`animate`.
        """
        told = self._told(completion)
        with self._turn:
            return self._watched(told, library.trigger, *select(self, tracks))

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

    @property
    def events(self) -> npt.NDArray[Any]:
        """The events of the last advance, in the order of index and then of moment: a structured array (:data:`EVENT`)."""
        with self._turn:
            return self._list(library.events, EVENT)

    # ---- The ends of changes ------------------------------------------------------------------------------------------

    @property
    def outcomes(self) -> npt.NDArray[Any]:
        """The changes that have ended, of calls that asked for their completion: a structured array (:data:`OUTCOME`).

        Each is told once, with the advance that ends it, or that comes after the call that ends it. A change ends when it has
        ended for all of its tracks. It never does while one of them repeats for ever, has a spring without damping, or is
        paused. It is complete at once for a track for which the call has nothing to do.
        """
        with self._turn:
            return self._list(library.outcomes, OUTCOME)

    @property
    def track_outcomes(self) -> npt.NDArray[Any]:
        """How changes have ended for their tracks, one by one: a structured array (:data:`TRACK_OUTCOME`)."""
        with self._turn:
            return self._list(library.track_outcomes, TRACK_OUTCOME)

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

    @staticmethod
    def _told(completion: Completion | None) -> int:
        """The code of a completion."""
        return 0 if completion is None else choice("completion", COMPLETION, completion)

    def _watched(self, told: int, function: Any, *arguments: Any) -> int:
        """Makes a call whose end is told, if the code says so, and returns the number of its change. The caller has its
        turn."""
        change = self._change(function, *arguments, told, self._changed_at)
        if told:
            self._endings.waiting[change] = []
        return change

    # ---- Reading ------------------------------------------------------------------------------------------------------

    @property
    def values(self) -> Floats:
        """The values of all tracks by index, (index_count, dimensions), read-only; zeros at indices without a track.

        The array lies in memory of Python's, so it never goes bad. As long as someone holds it, or a part of it, each
        :meth:`advance` and :meth:`set` renews it, at the cost of one copy. After new tracks took indices beyond it, it keeps
        its numbers, and this property gives a longer one. :meth:`column` gives the numbers without any copy.
        """
        return self._view(0)

    @property
    def velocities(self) -> Floats:
        """The velocities of all tracks by index, per second, as :attr:`values`; the last advance must have computed them."""
        return self._view(1)

    @property
    def targets(self) -> Floats:
        """The targets of all tracks by index, as :attr:`values`."""
        return self._view(2)

    def _view(self, what: int) -> Floats:
        renewed = self._renewed[what]
        if renewed.version == self._version and renewed.view is not None:
            shown = renewed.view()
            if shown is not None:
                return shown
        with self._turn:
            return self._new_view(what, renewed)

    def _new_view(self, what: int, renewed: _Renewed) -> Floats:
        memory = renewed.memory
        if memory is None or renewed.version != self._version:
            count = self._describe().index_count
            if memory is None or memory.shape[0] != count:
                memory = empty((count, self._dimensions))
                renewed.memory, renewed.owner, renewed.version = memory, None, -1
            if memory.size and renewed.version != self._version:
                self._renew(what, renewed)
        if not memory.size:
            return memory
        owner: Any = None if renewed.owner is None else renewed.owner()
        if owner is None:
            numbers: Any = c.c_float * memory.size
            owner = numbers.from_buffer(memory)
            renewed.owner = weakref.ref(owner)
            self._views |= 1 << what
        view: Floats = np.frombuffer(owner, FLOAT).reshape(memory.shape)
        view.flags.writeable = False
        renewed.view = weakref.ref(view)
        return view

    def _renew(self, what: int, renewed: _Renewed) -> None:
        memory = renewed.memory
        assert memory is not None
        # The library reads as many tracks as there is memory for, or refuses, whatever other threads do.
        count = memory.shape[0]
        if count <= self._describe().index_count:
            self._ask(library.read, what, None, 0, count, address(memory), self._dimensions, 1)
        renewed.version = self._version

    def _renew_held(self) -> None:
        """Renews the arrays that someone holds; those that no one holds are renewed when they are asked for."""
        for what, renewed in enumerate(self._renewed):
            if self._views >> what & 1:
                if not renewed.is_held():
                    self._views &= ~(1 << what)
                    continue
                try:
                    self._renew(what, renewed)
                except StateError as fault:
                    # Velocities that this advance left out keep their numbers.
                    if fault.name != "velocitiesNotComputed":
                        raise

    def read(
        self, tracks: Selection = None, what: What = "values", *, out: npt.NDArray[Any] | None = None,
        order: Sequence[int] | None = None, color: tuple[Encoding, Encoding] | None = None
    ) -> npt.NDArray[Any]:
        """Copies the numbers of tracks to an array of (tracks, components).

        Vertices are filled by a call for each field, each from its batch; `order` swaps red and blue here:

        >>> import murmuration, numpy as np
        >>> vertices = np.zeros(3, [("position", "f4", 3), ("color", "u1", 4), ("scale", "f4")])
        >>> with murmuration.Batch(dimensions=4) as colors:
        ...     dots = colors.add([[1, 0.4, 0, 1]] * 3)
        ...     colors.read(out=vertices["color"], order=[2, 1, 0, 3])[0]
        array([  0, 102, 255, 255], dtype=uint8)

        Args:
            out: Where to write them: an array of float32 with any strides, also (tracks,) with one component. Or an array of
                another type whose components lie side by side, such as a field of records: float16 gets the nearest halves,
                uint8 and uint16 get 0...1 as 0...255 and 0...65535, int8 and int16 get -1...1 as -127...127 and
                -32767...32767. Numbers beyond are clamped, NaN is 0, and ties are rounded to even.
            order: The component of each number of a track in `out`, in any order, also fewer or more than there are.
            color: The encodings from and to which values or targets of four components are converted first:
                ("oklab", "srgb"). See :func:`convert_colors`.
        """
        code = choice("what", _WHAT, what)
        source, destination = (0, 0) if color is None else encodings(color)
        with self._turn:
            at, first, count = select(self, tracks)
            length = self._length(first, count)
            if order is None and color is None and (out is None or getattr(out, "dtype", FLOAT) == FLOAT):
                if out is None:
                    out = empty((length, self._dimensions))
                written, start, track_stride, component_stride = output("out", out, length, self._dimensions)
                self._ask(library.read, code, at, first, length, start, track_stride, component_stride)
                return settled(out, written)
            components = range(self._dimensions) if order is None else [int32("order", component) for component in order]
            if out is None:
                out = empty((length, len(components)))
            start, kind, stride, size = vertices("out", out, length, len(components))
            listed = (c.c_int32 * len(components))(*components)
            layout = CVertexLayout(c.addressof(listed), len(components), kind, 0, stride, source, destination)
            self._ask(library.copy_vertices, code, at, first, length, c.byref(layout), start, size)
        return out

    def column(self, component: int = 0, what: What = "values") -> Floats:
        """The numbers of one component of all tracks by index, without a copy, read-only.

        As long as someone holds the array, or a part of it, each call that changes the batch raises :class:`Lent`: it could
        move the memory. An index without a track holds a meaningless number.
        """
        start, count = c.c_void_p(), c.c_int32()
        with self._turn:
            self._ask(
                library.column, choice("what", _WHAT, what), int32("component", component), c.byref(start), c.byref(count))
            if not count.value:
                return np.empty(0, FLOAT)
            owner: Any = (c.c_float * count.value).from_address(start.value or 0)
            owner.batch = self
            self._lent.append(weakref.ref(owner))
        view: Floats = np.frombuffer(owner, FLOAT)
        view.flags.writeable = False
        return view

    # ---- Baking -------------------------------------------------------------------------------------------------------

    def bake(
        self, frames: int | range = 0, *, frames_per_second: float = 60, start: float = 0,
        times: npt.ArrayLike | None = None, tracks: Selection = None, components: Run = None,
        order: Order = "interleaved", out: Floats | None = None, velocities: Floats | None = None
    ) -> Floats:
        """Computes many frames as the motions and schedules stand. Nothing of the batch changes.

        A long bake is computed in pieces of eight million numbers, so that Ctrl-C is answered soon; then a part of `out` is
        written.

        Args:
            frames: The frames, of which frame n is at start + n / frames_per_second.
            times: The moments in place of frames, in any order.
            tracks: As in other calls. Tracks in the order of their indices without gaps are the fastest.
            components: An index, a slice or a range; None for all.
            order: The order of the array: "interleaved" [frames][tracks][components], "time_major"
                [frames][components][tracks], "track_major" [tracks][components][frames].
            out: Where to write the values: contiguous float32 of that shape.
            velocities: Where to write the velocities as well.
        """
        order_code = choice("order", _ORDER, order)
        span = part("frames", frames, 0)
        moments = None if times is None else doubles("times", times)
        frame_count = len(span) if moments is None else moments.size
        with self._turn:
            runs, length = self._runs(tracks)
            first, count = indices("components", components)
            width = count if count >= 0 else max(0, self._dimensions - first)
            axes = {"interleaved": (0, 1, 2), "time_major": (0, 2, 1), "track_major": (2, 0, 1)}[order]
            sizes = dict(zip(axes, (frame_count, length, width)))
            shape = (sizes[0], sizes[1], sizes[2])
            if out is None:
                out = empty(shape)
            block("out", out, shape)
            if velocities is not None:
                block("velocities", velocities, shape)

            def compute(run: _Run, some: slice, parts: tuple[Any, ...], components: tuple[int, int]) -> None:
                """Computes some frames of a run of indices into contiguous arrays of values and of velocities."""
                try:
                    request = CBakeRequest(
                        start, frames_per_second, span.start + some.start, some.stop - some.start, run.first, run.count,
                        *components, order_code, 0)
                except TypeError as fault:
                    raise InvalidType(
                        INVALID_CODE, f"frames_per_second and start must be numbers: {fault}") from None
                except OverflowError as fault:
                    raise InvalidValue(
                        INVALID_VALUE, f"frames_per_second or start is out of range: {fault}") from None
                some_moments = None if moments is None else moments[some]
                self._ask(
                    library.bake, c.byref(request), None if some_moments is None else some_moments.ctypes.data,
                    0 if some_moments is None else some_moments.size, parts[0].ctypes.data,
                    None if parts[1] is None else parts[1].ctypes.data, parts[0].size)

            if moments is not None and not moments.size:
                return out
            pieces = [piece for run in runs for piece in run.pieces(frame_count, width, order == "track_major")]
            if len(pieces) > 1 and frame_count and width:
                # What is refused is refused before a number is written.
                ends = (0, frame_count - 1) if moments is None else (int(moments.argmin()), int(moments.argmax()))
                for run in runs:
                    for end in ends:
                        compute(run, slice(end, end + 1), (empty((run.count,)), None), (first, 1))
            for run, some in pieces:
                where: list[Any] = [slice(None)] * 3
                where[axes[0]], where[axes[1]] = some, run.places
                parts = [None if array is None else array[tuple(where)] for array in (out, velocities)]
                if run.picked is None and parts[0] is not None and parts[0].flags.c_contiguous:
                    compute(run, some, tuple(parts), (first, width))
                    continue
                sizes[axes[0]], sizes[axes[1]] = some.stop - some.start, run.count
                parts = [None if one is None else empty((sizes[0], sizes[1], sizes[2])) for one in parts]
                compute(run, some, tuple(parts), (first, width))
                for array, one in zip((out, velocities), parts):
                    if array is not None and one is not None:
                        array[tuple(where)] = one if run.picked is None else one.take(run.picked, axes[1])
        return out

    def _runs(self, tracks: Selection) -> tuple[list[_Run], int]:
        """The runs of neighbouring indices that a selection is made of, and the number of its tracks."""
        at, first, count = select(self, tracks)
        length = self._length(first, count)
        if at is None:
            return [_Run(first, length, slice(0, length))], length
        handles: Tracks = tracks if isinstance(tracks, Tracks) else at.tracks  # type: ignore[attr-defined]
        # Reading refuses the handles of tracks that are gone, and those of other batches.
        unread = empty((length, self._dimensions))
        self._ask(library.read, _WHAT["targets"], at, 0, length, address(unread), self._dimensions, 1)
        named_indices = handles.indices.astype(np.int64)
        if not length or np.array_equal(named_indices, np.arange(length) + named_indices[0]):
            return [_Run(int(named_indices[0]) if length else 0, length, slice(0, length))], length
        order = np.argsort(named_indices, kind="stable")
        ordered = named_indices[order]
        ends = [0, *(np.flatnonzero(np.diff(ordered) > 1) + 1).tolist(), length]
        return [
            _Run(int(ordered[lower]), int(ordered[upper - 1] - ordered[lower]) + 1, order[lower:upper],
                 ordered[lower:upper] - ordered[lower])
            for lower, upper in zip(ends, ends[1:])], length


#: The numbers that one call of the library bakes at most, unless one frame or one track has more.
PIECE = 1 << 23


@dataclass
class _Run:
    """Neighbouring indices of a bake.

    Attributes:
        places: Where their tracks stand among those of the bake.
        picked: The index of each of these tracks, from `first` on; None for all in their order.
    """

    first: int
    count: int
    places: Any
    picked: npt.NDArray[np.int64] | None = None

    def pieces(self, frame_count: int, width: int, by_tracks: bool) -> Iterator[tuple[_Run, slice]]:
        """The parts to compute at a time, some frames of a run each: parts of the run itself if a track's frames lie side by
        side."""
        if by_tracks and self.picked is None:
            step = max(1, PIECE // max(1, frame_count * width))
            for lower in range(0, max(1, self.count), step):
                upper = min(self.count, lower + step)
                yield _Run(self.first + lower, upper - lower, slice(lower, upper)), slice(0, frame_count)
            return
        step = max(1, PIECE // max(1, self.count * width))
        for lower in range(0, max(1, frame_count), step):
            yield self, slice(lower, min(frame_count, lower + step))


def part(name: str, some: range | int | None, count: int) -> range:
    """The range that None, a number or a range with a step of 1 says; None for `count`."""
    found: Any = count if some is None else some
    if not isinstance(found, range):
        found = int32(name, found, bits=64)
        if found < 0:
            raise InvalidValue(INVALID_COUNT, f"{name} must be 0 or more, are {found}")
        found = range(found)
    if found.step != 1 or found.start < 0:
        raise InvalidValue(INVALID_COUNT, f"{name} must be a number or a range from 0 or more in steps of 1, are {some!r}")
    int32(name, found.stop, bits=64)
    return found if found.start <= found.stop else range(found.start, found.start)


class VelocityTrackers(Owner):
    """Estimates velocities from samples of pointers.

    Args:
        count: Tracks, all sampled at the same times.
        dimensions: Components of each, 1...4096.
    """

    def __init__(self, count: int = 1, dimensions: int = 1) -> None:
        super().__init__(
            library.trackers_free, library.trackers_create, int32("count", count), int32("dimensions", dimensions))
        self._count, self._dimensions = count, dimensions

    def _said(self) -> str:
        return f" of {counted(self._count, 'track')} of {counted(self._dimensions, 'component')}"

    def record(self, values_: Values, seconds: float) -> None:
        """Takes a sample of every track, at a time not before the sample before. A sample at the same time replaces it."""
        keep, start, track_stride, component_stride = values("values", values_, self._count, self._dimensions)
        with self._turn:
            self._change(library.trackers_record, start, track_stride, component_stride, seconds)

    def velocities(self, seconds: float, *, out: Floats | None = None) -> Floats:
        """Estimates the velocity of every track, per second. It fades from the newest sample on, and is 0 after 2 s."""
        if out is None:
            out = empty((self._count, self._dimensions))
        written, start, track_stride, component_stride = output("out", out, self._count, self._dimensions)
        with self._turn:
            self._ask(library.trackers_velocities, seconds, start, track_stride, component_stride)
        return settled(out, written)

    def reset(self, tracks: Indices = None) -> None:
        """Forgets the samples of some tracks: their next sample is their first."""
        with self._turn:
            runs = [indices("tracks", tracks)] if is_run(tracks) else [
                (place, 1) for place in listed("tracks", tracks, self._count).tolist()]
            for run in runs:
                self._change(library.trackers_reset, *run)


def same_bits() -> int:
    """Runs springs, curves, clips and phases, and gives a hash of all bits: the same on every processor."""
    number = c.c_uint64()
    call(library.same_bits, c.byref(number))
    return number.value
