# SPDX-License-Identifier: MIT
"""Batches of tracks."""

from __future__ import annotations

import ctypes as c
import enum
import threading
import weakref
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Iterable, Literal, Sequence, Union

import numpy as np
import numpy.typing as npt

from ._arrays import FLOAT, Floats, Values, address, block, doubles, int32, output, values
from ._library import (
    ALL, INVALID_CODE, INVALID_COUNT, CBakeRequest, CBatchInfo, CHandle, CKeyframe, CPlayback, CTrackInfo,
    InvalidType, InvalidValue, Lent, StateError, busy, error, library)
from ._motions import Animation, Keyframe, Playback, animations

What = Literal["values", "velocities", "targets"]
_WHAT = {"values": 0, "velocities": 1, "targets": 2}
Order = Literal["interleaved", "time_major", "track_major"]
_ORDER = {"time_major": 0, "interleaved": 1, "track_major": 2}


def _code(what: str) -> int:
    if what not in _WHAT:
        raise InvalidValue(INVALID_CODE, f"what must be one of {', '.join(_WHAT)}, is {what!r}")
    return _WHAT[what]


#: The events of a frame, as NumPy sees them.
EVENT = np.dtype([
    ("time", np.float64), ("number", np.int64), ("track", np.uint32, (3,)), ("change", np.uint32), ("kind", np.int32),
    ("reserved", np.int32)])


class EventKind(enum.IntEnum):
    """What happened to a track."""

    LOGICALLY_COMPLETED = 0
    SETTLED = 1
    ITERATION_BEGAN = 2
    PHASE_BEGAN = 3


class Motion(enum.IntEnum):
    """What moves a track."""

    STILL = 0
    SPRING = 1
    DECELERATION = 2
    CURVE = 3
    SUM = 4
    CLIP = 5


class Tracks(Sequence["Tracks"]):
    """The handles of tracks. Parts are taken as those of an array: ``dots[0]``, ``dots[3:9]``, ``dots[mask]``.

    A handle is never used again: once its track is removed, every use of it is an error.

    Attributes:
        handles: The handles as numbers: index, generation and store of each, (tracks, 3), read-only.
    """

    __slots__ = ("handles", "_address", "_count")

    def __init__(self, handles: npt.NDArray[np.uint32]) -> None:
        if not isinstance(handles, np.ndarray) or handles.dtype != np.uint32:
            raise InvalidType(INVALID_CODE, "handles must be an array of uint32")
        if handles.ndim != 2 or handles.shape[1] != 3:
            raise InvalidValue(INVALID_COUNT, f"handles must have the shape (tracks, 3); their shape is {handles.shape}")
        own = np.array(handles) if handles.flags.writeable else np.ascontiguousarray(handles)
        own.flags.writeable = False
        self.handles = own
        self._address: int = address(own)
        self._count: int = own.shape[0]

    @staticmethod
    def _adopt(handles: npt.NDArray[np.uint32]) -> Tracks:
        handles.flags.writeable = False
        return Tracks(handles)

    @property
    def indices(self) -> npt.NDArray[np.uint32]:
        """The index of each track in its batch."""
        return self.handles[:, 0]

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, part: Any) -> Tracks:
        if isinstance(part, (int, np.integer)):
            if not -self._count <= part < self._count:
                raise IndexError(f"track {part} of {self._count}")
            part = slice(part, part + 1 or None)
        return Tracks._adopt(self.handles[part])

    def __add__(self, other: Tracks) -> Tracks:
        return Tracks._adopt(np.concatenate([self.handles, other.handles]))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tracks) and np.array_equal(self.handles, other.handles)

    def __hash__(self) -> int:
        return hash(self.handles.tobytes())

    def __repr__(self) -> str:
        return f"<{self._count} tracks>" if self._count != 1 else f"<track {self.handles[0, 0]}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return Tracks, (np.array(self.handles),)


#: Which tracks a call is about: handles, an index, a slice or range of indices with a step of 1, or None for all.
Selection = Union[Tracks, int, slice, range, None]


@dataclass(frozen=True)
class TrackState:
    """What is known of a track.

    Attributes:
        rest_time: When its spring rests or its last curve ends; infinite for never; NaN for other motions.
        clip_time: The second of the clip that it shows; NaN if it shows none.
        next_step_time: When it takes its next step of phases; infinite for never; NaN without phases.
        phase: The phase that it shows or heads for; None without phases.
    """

    motion: Motion
    rest_time: float
    clip_time: float
    next_step_time: float
    phase: int | None
    is_at_rest: bool
    is_paused: bool


@dataclass(frozen=True)
class Clip:
    """A clip that a batch has loaded, and its seconds."""

    handle: tuple[int, int, int]
    duration: float


@dataclass(frozen=True)
class Phases:
    """A sequence of phases that a batch has loaded."""

    handle: tuple[int, int, int]


def _handle(handle: CHandle) -> tuple[int, int, int]:
    return handle.index, handle.generation, handle.store


class Owner:
    """An object of the library, which one thread uses at a time, and which ends with this object."""

    def __init__(self, number: int, free: Any) -> None:
        self._number = number
        self._free = free
        self._version = 0
        # Where calls write the number of a change.
        self._changed = c.c_uint32()
        self._changed_at = c.byref(self._changed)
        self._lock = threading.Lock()
        self._lent: list[weakref.ref[Any]] = []

    def __enter__(self) -> Any:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __del__(self) -> None:
        free = getattr(self, "_free", None)
        if free is not None:
            free(self._number)

    def __reduce__(self) -> tuple[Any, ...]:
        raise InvalidType(
            INVALID_CODE, f"a {type(self).__name__} lives in its process and cannot be pickled; send what makes it")

    def close(self) -> None:
        """Frees the memory. Every later call is an error. Closing twice does nothing."""
        free = self._free
        if free is not None:
            self._change(free)
            self._free = None

    def _change(self, function: Any, *arguments: Any) -> int:
        """Makes a call that may change or move what the object holds.

        Returns:
            The number of the change, if `_changed_at` is among the arguments.
        """
        lock = self._lock
        if not lock.acquire(False):
            raise busy()
        try:
            if self._lent:
                self._refuse_if_lent()
            status = function(self._number, *arguments)
            change = self._changed.value
        except c.ArgumentError as fault:
            raise InvalidType(INVALID_CODE, str(fault)) from None
        finally:
            self._version += 1
            lock.release()
        if status:
            raise error(status)
        return change

    def _ask(self, function: Any, *arguments: Any) -> None:
        """Makes a call that changes nothing."""
        try:
            status = function(self._number, *arguments)
        except c.ArgumentError as fault:
            raise InvalidType(INVALID_CODE, str(fault)) from None
        if status:
            raise error(status)

    def _events(self, function: Any) -> npt.NDArray[Any]:
        """A copy of the events that a function lends."""
        start, count = c.c_void_p(), c.c_int32()
        if not self._lock.acquire(False):
            raise busy()
        try:
            self._ask(function, c.byref(start), c.byref(count))
            if not count.value:
                return np.empty(0, EVENT)
            lent = (c.c_char * (count.value * EVENT.itemsize)).from_address(start.value or 0)
            return np.frombuffer(bytearray(lent), EVENT)
        finally:
            self._lock.release()

    def _refuse_if_lent(self) -> None:
        self._lent[:] = [lease for lease in self._lent if lease() is not None]
        if self._lent:
            raise Lent(
                -3, f"{len(self._lent)} views of rows are in use, and the call may move what they show: copy or delete them "
                "first")


class _Renewed:
    """Numbers of all tracks by index, in memory of Python's, that are renewed while someone holds a view of them."""

    def __init__(self) -> None:
        self.memory: Floats | None = None
        self.owner: weakref.ref[Any] | None = None
        self.view: weakref.ref[Floats] | None = None
        self.version = -1

    def is_held(self) -> bool:
        return self.owner is not None and self.owner() is not None


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
    read and written where it lies, whatever its strides; numbers and lists are converted; other arrays are refused.

    One thread at a time uses a batch: a call while another thread is in a call raises :class:`Busy`. Calls let other threads
    of Python run meanwhile.

    Args:
        dimensions: Components of each track, 1...4096.
        capacity: Tracks to make room for now; more may come.
        threads: Threads that a call may use, 1...64. They change no bit.
        curve_tolerance: How far fitted pieces of curves may be from them, as a share of the way; 0 for 2**-16.
    """

    def __init__(
        self, dimensions: int = 1, *, capacity: int = 0, threads: int = 1, curve_tolerance: float = 0
    ) -> None:
        number = c.c_uint32()
        try:
            status = library.batch_create(
                int32("dimensions", dimensions), int32("capacity", capacity), curve_tolerance, c.byref(number))
        except c.ArgumentError as fault:
            raise InvalidType(INVALID_CODE, str(fault)) from None
        if status:
            raise error(status)
        self._adopt(number.value, library.batch_free, dimensions)
        if threads != 1:
            self.threads = threads

    def _adopt(self, number: int, free: Any, dimensions: int) -> None:
        Owner.__init__(self, number, free)
        self._dimensions = dimensions
        self._renewed = (_Renewed(), _Renewed(), _Renewed())
        self._views = 0

    # ---- What is known of it ------------------------------------------------------------------------------------------

    def _info(self) -> CBatchInfo:
        info = CBatchInfo()
        self._ask(library.batch_describe, c.byref(info))
        return info

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
        """One past the largest index that a track ever had: the length of :attr:`values`."""
        return self._info().index_count  # type: ignore[no-any-return]

    @property
    def latest_change(self) -> int:
        """The number of the last call that changed a motion."""
        return self._info().latest_change  # type: ignore[no-any-return]

    @property
    def threads(self) -> int:
        """The number of threads that a call may use, 1...64. They change no bit."""
        return self._info().thread_count  # type: ignore[no-any-return]

    @threads.setter
    def threads(self, count: int) -> None:
        self._change(library.set_thread_count, int32("threads", count))

    def set_reports(self, *, iterations: bool = False, phases: bool = False) -> None:
        """Sets the events that are reported besides completion."""
        self._change(library.set_reports, iterations + 2 * phases)

    def set_rest_tolerance(self, value: float, velocity: float = 0) -> None:
        """Sets the largest distance from the target and the largest speed of a motion at rest; a speed of 0 stands for the
        one that belongs to the distance."""
        self._change(library.set_rest_tolerance, value, velocity)

    def reserve(self, additional: int) -> None:
        """Makes room for some tracks beyond the live ones."""
        self._change(library.reserve, int32("additional", additional))

    def compact(self) -> None:
        """Orders the rows by kind of motion and then by index, and frees memory that is not needed."""
        self._change(library.compact)

    # ---- Tracks -------------------------------------------------------------------------------------------------------

    def _select(self, tracks: Selection) -> tuple[int | None, int, int]:
        """The arguments `tracks`, `first` and `count` of a selection."""
        if type(tracks) is Tracks:
            return tracks._address, 0, tracks._count
        if tracks is None:
            return None, 0, ALL
        if isinstance(tracks, (slice, range)):
            if tracks.step not in (None, 1):
                raise InvalidValue(INVALID_COUNT, f"a range of indices must have a step of 1, has {tracks.step}")
            first, end = tracks.start or 0, tracks.stop
            if first < 0 or end is not None and end < 0:
                raise InvalidValue(INVALID_COUNT, f"a range of indices must begin at 0 or more, is {tracks}")
            return None, int32("first", first), ALL if end is None else int32("count", max(0, end - first))
        if isinstance(tracks, (int, np.integer)):
            return None, int32("index", int(tracks)), 1
        raise InvalidType(
            INVALID_CODE, f"tracks must be Tracks, an index, a slice, a range or None, is {type(tracks).__name__}")

    def _count(self, first: int, count: int) -> int:
        return count if count >= 0 else max(0, self.index_count - first)

    def add(self, values_: Values, count: int | None = None) -> Tracks:
        """Adds tracks that stand still at some values.

        Args:
            values_: (tracks, components); (tracks,) with one component; or with a count, one value for all.
            count: The number of tracks; by default the first dimension of the array.
        """
        array: Any = values_
        if not isinstance(array, np.ndarray):
            array = np.array(array, FLOAT) if isinstance(array, (int, float, list, tuple)) else array
        if count is None:
            shape = np.shape(array)
            if len(shape) == 2 or (len(shape) == 1 and self._dimensions == 1):
                count = shape[0]
            else:
                count = 1
        count = int32("count", count)
        if count < 0:
            raise InvalidValue(INVALID_COUNT, f"count must be 0 or more, is {count}")
        keep, start, track_stride, component_stride = values("values", array, count, self._dimensions)
        handles = np.empty((count, 3), np.uint32)
        self._change(library.add, start, track_stride, component_stride, address(handles), count)
        return Tracks._adopt(handles)

    def remove(self, tracks: Selection) -> None:
        """Removes tracks: their handles go stale, and the next new tracks take their indices."""
        self._change(library.remove, *self._select(tracks))

    def remove_settled(self) -> int:
        """Removes the tracks whose motion is over, and returns their number."""
        removed = c.c_int32()
        self._change(library.remove_settled, c.byref(removed))
        return removed.value

    def remove_all(self) -> None:
        """Removes every track; clips and phases stay loaded."""
        self._change(library.remove_all)

    def track(self, index: int) -> Tracks | None:
        """The track at an index; None for an index without a track."""
        handle = CHandle()
        self._ask(library.track_at, int32("index", index), c.byref(handle))
        if not handle.store:
            return None
        return Tracks(np.array([_handle(handle)], np.uint32))

    def state(self, track: Tracks | int) -> TrackState:
        """What is known of one track, by its handle or its index."""
        found = track if isinstance(track, Tracks) else self.track(track)
        if found is None:
            raise InvalidValue(INVALID_COUNT, f"there is no track at index {track}")
        if len(found) != 1:
            raise InvalidValue(INVALID_COUNT, f"state is about one track, not {len(found)}")
        info = CTrackInfo()
        self._ask(library.track_describe, found._address, c.byref(info))
        return TrackState(
            Motion(info.motion), info.rest_time, info.clip_time, info.next_step_time,
            None if info.phase < 0 else info.phase, bool(info.is_at_rest), bool(info.is_paused))

    # ---- Sending tracks to goals --------------------------------------------------------------------------------------

    def animate(
        self, tracks: Selection, goals: Values, animation: Animation | Sequence[Animation] | None = None, *,
        delays: npt.ArrayLike | None = None
    ) -> int:
        """Sends tracks from their current states to goals.

        Args:
            goals: (tracks, components), or one goal for all.
            animation: One for all tracks, one for each, or None to jump. Springs of one call with one animation make a
                cohort, which is the fastest.
            delays: Seconds until each track sets out, 0 or more. Until then it keeps its motion.

        Returns:
            The number of the change, which the events of this motion carry.
        """
        at, first, count = self._select(tracks)
        if count < 0:
            count = self._count(first, count)
        keep, start, track_stride, component_stride = values("goals", goals, count, self._dimensions)
        waits = None if delays is None else self._delays(delays, count)
        if animation is None or isinstance(animation, Animation):
            return self._change(
                library.animate, at, first, count, start, track_stride, component_stride,
                None if animation is None else animation.address, waits and waits[1], self._changed_at)
        each = animations(animation)
        if len(each) != count:
            raise InvalidValue(INVALID_COUNT, f"there must be {count} animations, are {len(each)}")
        return self._change(
            library.animate_each, at, first, count, start, track_stride, component_stride, c.byref(each),
            waits and waits[1], self._changed_at)

    @staticmethod
    def _delays(delays: npt.ArrayLike, count: int) -> tuple[Any, int]:
        array = doubles("delays", delays, count, one_for_all=True)
        if array.size != count:
            array = np.full(count, array[0])
        return array, array.ctypes.data

    def retarget(self, tracks: Selection, goals: Values, *, delays: npt.ArrayLike | None = None) -> int:
        """Sends tracks to goals with the springs that they follow; a track that follows none takes one of half a second."""
        at, first, count = self._select(tracks)
        count = self._count(first, count)
        keep, start, track_stride, component_stride = values("goals", goals, count, self._dimensions)
        waits = None if delays is None else self._delays(delays, count)
        return self._change(
            library.retarget, at, first, count, start, track_stride, component_stride, waits and waits[1],
            self._changed_at)

    def cancel_delays(self, tracks: Selection = None) -> None:
        """Cancels the calls of these tracks that wait for their delays."""
        self._change(library.cancel_delays, *self._select(tracks))

    def set(self, tracks: Selection, values_: Values, velocities: Values | None = None) -> int:
        """Sets values and velocities, as a dragging hand does. The next spring takes over the velocities."""
        return self._set(library.set, tracks, values_, velocities)

    def displace(self, tracks: Selection, values_: Values, velocities: Values | None = None) -> int:
        """Sets values and velocities; from there tracks go on to their targets with the springs that they follow."""
        return self._set(library.displace, tracks, values_, velocities)

    def _set(self, function: Any, tracks: Selection, values_: Values, velocities: Values | None) -> int:
        at, first, count = self._select(tracks)
        count = self._count(first, count)
        keep, start, track_stride, component_stride = values("values", values_, count, self._dimensions)
        speed: tuple[Any, int | None, int, int] = (None, None, 0, 0)
        if velocities is not None:
            speed = values("velocities", velocities, count, self._dimensions)
        change = self._change(
            function, at, first, count, start, track_stride, component_stride, speed[1], speed[2], speed[3],
            self._changed_at)
        if self._views:
            self._renew_held()
        return change

    def decelerate(self, tracks: Selection, velocities: Values | None = None, *, rate: float = 0.998) -> int:
        """Lets tracks slide to their projected ends, ever more slowly, as a scroll view does after a throw.

        Args:
            velocities: None for the velocities of the tracks.
            rate: The part of the velocity that is left after a millisecond, in (0, 1).
        """
        at, first, count = self._select(tracks)
        count = self._count(first, count)
        speed: tuple[Any, int | None, int, int] = (None, None, 0, 0)
        if velocities is not None:
            speed = values("velocities", velocities, count, self._dimensions)
        return self._change(library.decelerate, at, first, count, speed[1], speed[2], speed[3], rate, self._changed_at)

    def pause(self, tracks: Selection = None) -> None:
        """Pauses tracks: no time passes for them, whatever they follow."""
        self._change(library.pause, *self._select(tracks))

    def resume(self, tracks: Selection = None) -> None:
        """Resumes paused tracks, from where they are and with the velocities that they had."""
        self._change(library.resume, *self._select(tracks))

    def stop(self, tracks: Selection = None) -> None:
        """Ends the motions, phases and waiting calls of tracks, which stay where they are."""
        self._change(library.stop, *self._select(tracks))

    # ---- Clips --------------------------------------------------------------------------------------------------------

    def load_clip(
        self, components: Sequence[tuple[float, Sequence[Keyframe]]], *, tolerance: float = 0
    ) -> Clip:
        """Makes a clip of keyframes and loads it.

        Args:
            components: For each component its initial value and its keyframes.
            tolerance: The largest error of fitted keyframes, as a share of their way; 0 for 2**-16.
        """
        initial = doubles("initial values", [first for first, _ in components])
        counts = np.array([len(keyframes) for _, keyframes in components], np.int32)
        all_ = [keyframe.c for _, keyframes in components for keyframe in keyframes]
        keyframes = (CKeyframe * max(1, len(all_)))(*all_)
        handle, duration = CHandle(), c.c_double()
        self._change(
            library.load_clip, initial.ctypes.data, c.byref(keyframes), counts.ctypes.data, len(components), tolerance,
            c.byref(handle), c.byref(duration))
        return Clip(_handle(handle), duration.value)

    def unload_clip(self, clip: Clip) -> None:
        """Unloads a clip that no track plays."""
        self._change(library.unload_clip, c.byref(CHandle(*clip.handle)))

    def play(
        self, clip: Clip, tracks: Selection = None, playback: Playback | Sequence[Playback] = Playback(), *,
        start: Literal["first_value", "shown_value", "automatic"] = "first_value"
    ) -> int:
        """Plays a clip on tracks, in place of their motions. The next advance shows it.

        Args:
            playback: One for all tracks, or one for each.
            start: With the first value of the clip, from what the track shows, or from what it shows if it is on its way.
        """
        starts = {"first_value": 0, "shown_value": 1, "automatic": 2}
        if start not in starts:
            raise InvalidValue(INVALID_CODE, f"start must be one of {', '.join(starts)}, is {start!r}")
        items = [playback] if isinstance(playback, Playback) else list(playback)
        playbacks = (CPlayback * len(items))(*(item.c for item in items))
        return self._change(
            library.play_clip, c.byref(CHandle(*clip.handle)), *self._select(tracks), c.byref(playbacks), len(items),
            starts[start], self._changed_at)

    def set_speed(self, tracks: Selection, speeds: npt.ArrayLike) -> None:
        """Changes the speed of tracks that play clips: one for all, or one for each."""
        at, first, count = self._select(tracks)
        array = doubles("speeds", speeds)
        self._change(library.set_speed, at, first, count, array.ctypes.data, array.size)

    def seek(self, tracks: Selection, times: npt.ArrayLike) -> None:
        """Moves tracks that play clips to seconds of their clips: one for all, or one for each."""
        at, first, count = self._select(tracks)
        array = doubles("times", times)
        self._change(library.seek, at, first, count, array.ctypes.data, array.size)

    def vary(self, tracks: Selection, scales: Values, offsets: Values) -> None:
        """Gives variations to tracks that play clips: they show scale * value + offset of the clip's values."""
        at, first, count = self._select(tracks)
        count = self._count(first, count)
        scale = values("scales", scales, count, self._dimensions)
        offset = values("offsets", offsets, count, self._dimensions)
        self._change(
            library.vary, at, first, count, scale[1], scale[2], scale[3], offset[1], offset[2], offset[3])

    # ---- Phases -------------------------------------------------------------------------------------------------------

    def load_phases(self, targets: Values, animations_: Sequence[Animation] | None = None) -> Phases:
        """Makes a sequence of phases and loads it.

        Args:
            targets: The value of each phase, (phases, components).
            animations_: The animation to each phase from the one before; None for jumps.
        """
        array = np.ascontiguousarray(np.array(targets, FLOAT) if isinstance(targets, (list, tuple)) else targets)
        if array.ndim == 1 and self._dimensions == 1:
            array = array.reshape(-1, 1)
        if array.dtype != FLOAT or array.ndim != 2:
            raise InvalidType(INVALID_CODE, f"targets must be float32 of (phases, components), are {array.dtype} of {array.shape}")
        each = None
        if animations_ is not None:
            if len(animations_) != array.shape[0]:
                raise InvalidValue(
                    INVALID_COUNT, f"there must be {array.shape[0]} animations, are {len(animations_)}")
            each = animations(animations_)
        handle = CHandle()
        self._change(
            library.load_phases, address(array), each and c.byref(each), array.shape[1], array.shape[0],
            c.byref(handle))
        return Phases(_handle(handle))

    def unload_phases(self, phases: Phases) -> None:
        """Unloads a sequence that no track plays."""
        self._change(library.unload_phases, c.byref(CHandle(*phases.handle)))

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
        at, first, count = self._select(tracks)
        count = self._count(first, count)
        when = None if starts is None else self._delays(starts, count)
        none: tuple[Any, int | None, int, int] = (None, None, 0, 0)
        scale = none if scales is None else values("scales", scales, count, self._dimensions)
        offset = none if offsets is None else values("offsets", offsets, count, self._dimensions)
        return self._change(
            library.play_phases, c.byref(CHandle(*phases.handle)), at, first, count, 0 if loops else 1,
            when and when[1], scale[1], scale[2], scale[3], offset[1], offset[2], offset[3], self._changed_at)

    def trigger(self, tracks: Selection = None) -> int:
        """Triggers tracks: each runs once through the sequence that it plays or played last."""
        return self._change(library.trigger, *self._select(tracks), self._changed_at)

    # ---- Time ---------------------------------------------------------------------------------------------------------

    def advance(self, seconds: float, *, velocities: bool = False) -> None:
        """Evaluates every track at a time, and renews the arrays that :attr:`values` and its like gave.

        The clock may be set to any time since the latest change or step of phases, forwards or back.
        """
        self._change(library.advance, seconds, 1 if velocities else 0)
        if self._views:
            self._renew_held()

    def advance_by(self, seconds: float, *, velocities: bool = False) -> None:
        """Moves the clock by some seconds, and evaluates every track. Small steps lose nothing."""
        self._change(library.advance_by, seconds, 1 if velocities else 0)
        if self._views:
            self._renew_held()

    @property
    def events(self) -> npt.NDArray[Any]:
        """The events of the last advance, in the order of index and then of moment: a structured array (:data:`EVENT`)."""
        return self._events(library.events)

    # ---- Reading ------------------------------------------------------------------------------------------------------

    @property
    def values(self) -> Floats:
        """The values of all tracks by index, (index_count, dimensions), read-only; zeros at indices without a track.

        The array lies in memory of Python's, so it never goes bad. As long as someone holds it, or a part of it, each
        :meth:`advance` and :meth:`set` renews it, at the cost of one copy. After new tracks took indices beyond it, it keeps
        its numbers, and this property gives a longer one. :meth:`rows` gives the numbers without any copy.
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
        memory = renewed.memory
        if memory is None or renewed.version != self._version:
            count = self.index_count
            if memory is None or memory.shape[0] != count:
                memory = np.empty((count, self._dimensions), FLOAT)
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
        count, all_ = memory.shape[0], self.index_count
        if count <= all_:
            self._ask(
                library.read, what, None, 0, ALL if count == all_ else count, address(memory), self._dimensions, 1)
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
        self, tracks: Selection = None, what: What = "values", *, out: Floats | None = None
    ) -> Floats:
        """Copies the numbers of tracks to an array of (tracks, components).

        Args:
            out: Where to write them: an array of float32 with any strides, also (tracks,) with one component.
        """
        code = _code(what)
        at, first, count = self._select(tracks)
        length = count if count >= 0 else self._count(first, count)
        if out is None:
            out = np.empty((length, self._dimensions), FLOAT)
        start, track_stride, component_stride = output("out", out, length, self._dimensions)
        self._ask(library.read, code, at, first, count, start, track_stride, component_stride)
        return out

    def rows(self, component: int = 0, what: What = "values") -> Floats:
        """The numbers of one component of all tracks by row, without a copy, read-only.

        As long as someone holds the array, or a part of it, each call that changes the batch raises :class:`Lent`: it could
        move the memory. :meth:`row_indices` tells the index of the track in each row. A row without a track holds a
        meaningless number.
        """
        start, count = c.c_void_p(), c.c_int32()
        if not self._lock.acquire(False):
            raise busy()
        try:
            self._ask(library.rows, _code(what), int32("component", component), c.byref(start), c.byref(count))
            if not count.value:
                return np.empty(0, FLOAT)
            owner: Any = (c.c_float * count.value).from_address(start.value or 0)
            owner.batch = self
            self._lent.append(weakref.ref(owner))
        finally:
            self._lock.release()
        view: Floats = np.frombuffer(owner, FLOAT)
        view.flags.writeable = False
        return view

    def row_indices(self) -> npt.NDArray[np.uint32]:
        """The index of the track in each row; 2**32 - 1 for a row without a track."""
        indices = np.empty(self._info().row_count, np.uint32)
        self._ask(library.row_indices, indices.ctypes.data, indices.size)
        return indices

    # ---- Baking -------------------------------------------------------------------------------------------------------

    def bake(
        self, frames: int | range = 0, *, frames_per_second: float = 60, start: float = 0,
        times: npt.ArrayLike | None = None, tracks: slice | range | int | None = None,
        components: slice | range | int | None = None, order: Order = "interleaved", out: Floats | None = None,
        velocities: Floats | None = None
    ) -> Floats:
        """Computes many frames as the motions and schedules stand. Nothing of the batch changes.

        Args:
            frames: The frames, of which frame n is at start + n / frames_per_second.
            times: The moments in place of frames, in any order.
            tracks: Indices; None for all.
            components: None for all.
            order: The order of the array: "interleaved" [frames][tracks][components], "time_major"
                [frames][components][tracks], "track_major" [tracks][components][frames].
            out: Where to write the values: contiguous float32 of that shape.
            velocities: Where to write the velocities as well.
        """
        if order not in _ORDER:
            raise InvalidValue(INVALID_CODE, f"order must be one of {', '.join(_ORDER)}, is {order!r}")
        span = range(frames) if isinstance(frames, (int, np.integer)) else frames
        if span.step != 1:
            raise InvalidValue(INVALID_COUNT, f"frames must have a step of 1, have {span.step}")
        moments = None if times is None else doubles("times", times)
        frame_count = len(span) if moments is None else moments.size
        _, first, count = self._select(tracks)
        length = self._count(first, count)
        _, first_component, component_count = self._select(components)
        width = component_count if component_count >= 0 else max(0, self._dimensions - first_component)
        shape = {
            "interleaved": (frame_count, length, width), "time_major": (frame_count, width, length),
            "track_major": (length, width, frame_count)}[order]
        if out is None:
            out = np.empty(shape, FLOAT)
        start_ = block("out", out, shape)
        speeds = None if velocities is None else block("velocities", velocities, shape)
        if moments is not None and not moments.size:
            return out
        try:
            request = CBakeRequest(
                start, frames_per_second, span.start, len(span), first, length, first_component, width, _ORDER[order], 0)
        except TypeError as fault:
            raise InvalidType(INVALID_CODE, f"frames_per_second and start must be numbers: {fault}") from None
        self._ask(
            library.bake, c.byref(request), None if moments is None else moments.ctypes.data,
            0 if moments is None else moments.size, start_, speeds, out.size)
        return out


class VelocityTrackers(Owner):
    """Estimates velocities from samples of pointers.

    Args:
        count: Tracks, all sampled at the same times.
        dimensions: Components of each, 1...4096.
    """

    def __init__(self, count: int = 1, dimensions: int = 1) -> None:
        number = c.c_uint32()
        status = library.trackers_create(int32("count", count), int32("dimensions", dimensions), c.byref(number))
        if status:
            raise error(status)
        super().__init__(number.value, library.trackers_free)
        self._count, self._dimensions = count, dimensions

    def record(self, values_: Values, seconds: float) -> None:
        """Takes a sample of every track, at a time not before the sample before. A sample at the same time replaces it."""
        keep, start, track_stride, component_stride = values("values", values_, self._count, self._dimensions)
        self._change(library.trackers_record, start, track_stride, component_stride, seconds)

    def velocities(self, seconds: float, *, out: Floats | None = None) -> Floats:
        """Estimates the velocity of every track, per second. It fades from the newest sample on, and is 0 after 2 s."""
        if out is None:
            out = np.empty((self._count, self._dimensions), FLOAT)
        start, track_stride, component_stride = output("out", out, self._count, self._dimensions)
        self._ask(library.trackers_velocities, seconds, start, track_stride, component_stride)
        return out

    def reset(self, tracks: slice | range | int | None = None) -> None:
        """Forgets the samples of some tracks: their next sample is their first."""
        if tracks is None:
            self._change(library.trackers_reset, 0, ALL)
            return
        indices = range(tracks, tracks + 1) if isinstance(tracks, int) else tracks
        first, stop = indices.start or 0, indices.stop
        self._change(
            library.trackers_reset, int32("first", first), ALL if stop is None else int32("count", stop - first))


def same_bits() -> int:
    """Runs springs, curves, clips and phases, and gives a hash of all bits: the same on every processor."""
    number = c.c_uint64()
    status = library.same_bits(c.byref(number))
    if status:
        raise error(status)
    return number.value
