# SPDX-License-Identifier: MIT
"""Tracks, what is known of them, and which of them a call is about."""

from __future__ import annotations

import ctypes as c
import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Iterator, Sequence, Union

import numpy as np
import numpy.typing as npt

from ._arrays import address, empty, in_order, int32
from ._library import (
    ALL, INVALID_CODE, INVALID_COUNT, TRACK_OUT_OF_RANGE, CHandle, InvalidType, InvalidValue, OutOfRange, library)

if TYPE_CHECKING:
    from ._reading import Reading

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
    INVALID_GOAL = 4


class Motion(enum.IntEnum):
    """What moves a track."""

    STILL = 0
    SPRING = 1
    DECELERATION = 2
    CURVE = 3
    SUM = 4
    CLIP = 5
    FOLLOWING = 6


class Tracks(Sequence["Tracks"]):
    """The handles of tracks. Parts are taken as those of an array: ``dots[0]``, ``dots[3:9]``, ``dots[mask]``.

    A handle is never used again: once its track is removed, every use of it is an error.

    Args:
        handles: Index, generation and store of each track, (tracks, 3), as :attr:`handles` gives them.
    """

    __slots__ = ("_array", "_address", "_count")

    def __init__(self, handles: npt.NDArray[Any]) -> None:
        if not isinstance(handles, np.ndarray) or handles.dtype.kind not in "iu":
            raise InvalidType(INVALID_CODE, "handles must be an array of whole numbers")
        if handles.ndim != 2 or handles.shape[1] != 3:
            raise InvalidValue(INVALID_COUNT, f"handles must have the shape (tracks, 3); their shape is {handles.shape}")
        if handles.dtype != np.uint32:
            if handles.size and not 0 <= handles.min() <= handles.max() < 2**32:
                raise InvalidValue(INVALID_COUNT, "handles must be of numbers of 32 bits")
            handles = handles.astype(np.uint32)
        # The memory of these tracks and of those around them, which it keeps.
        self._array: npt.NDArray[np.uint32] = np.array(handles, order="C") if handles.flags.writeable else in_order(handles)
        self._array.flags.writeable = False
        self._address: int = address(self._array)
        self._count: int = self._array.shape[0]

    @staticmethod
    def _adopt(handles: npt.NDArray[np.uint32]) -> Tracks:
        handles.flags.writeable = False
        return Tracks(handles)

    @property
    def handles(self) -> npt.NDArray[np.uint32]:
        """The handles as numbers: index, generation and store of each, (tracks, 3), read-only."""
        first = (self._address - address(self._array)) // _HANDLE
        return self._array[first:first + self._count]

    @property
    def indices(self) -> npt.NDArray[np.uint32]:
        """The index of each track in its batch."""
        return self.handles[:, 0]

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Tracks]:
        # Each is made here, as a call for each would take longer than all the rest.
        make, kind, array, start = object.__new__, Tracks, self._array, self._address
        for place in range(start, start + _HANDLE * self._count, _HANDLE):
            one = make(kind)
            one._array, one._address, one._count = array, place, 1
            yield one

    def __getitem__(self, part: Any) -> Tracks:
        if isinstance(part, (int, np.integer)):
            if not -self._count <= part < self._count:
                raise OutOfRange(TRACK_OUT_OF_RANGE, f"track {part} of {self._count}")
            one = object.__new__(Tracks)
            one._array, one._count = self._array, 1
            one._address = self._address + _HANDLE * (int(part) + (self._count if part < 0 else 0))
            return one
        try:
            return Tracks._adopt(self.handles[part])
        except (IndexError, TypeError, ValueError) as fault:
            raise OutOfRange(TRACK_OUT_OF_RANGE, f"{self._count} tracks have no part {part!r}: {fault}") from None

    def __add__(self, other: object) -> Tracks:
        if not isinstance(other, Tracks):
            return NotImplemented
        return Tracks._adopt(np.concatenate([self.handles, other.handles]))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tracks) and np.array_equal(self.handles, other.handles)

    def __hash__(self) -> int:
        return hash(self.handles.tobytes())

    def __repr__(self) -> str:
        return f"<{self._count} tracks>" if self._count != 1 else f"<track {self.indices[0]}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return Tracks, (np.array(self.handles),)


_HANDLE = c.sizeof(CHandle)

#: An index, a slice or range of indices with a step of 1, or None for all.
Run = Union[int, slice, range, None]
#: The indices of tracks: also with other steps, and an array or a list of indices, or of a bool for each index.
Indices = Union[Run, npt.NDArray[Any], Sequence[int]]
#: Which tracks a call is about: handles, or indices. Handles and neighbouring indices are the fastest.
Selection = Union[Tracks, Indices]


def indices(name: str, some: Any) -> tuple[int, int]:
    """The first index and the number of indices that are named, which may be `ALL`."""
    if some is None:
        return 0, ALL
    if isinstance(some, (int, np.integer)):
        return int32(name, some), 1
    if not isinstance(some, (slice, range)):
        raise InvalidType(INVALID_CODE, f"{name} must be an index, a slice, a range or None, is {type(some).__name__}")
    if some.step not in (None, 1):
        raise InvalidValue(INVALID_COUNT, f"{name}: a range of indices must have a step of 1, has {some.step}")
    first, end = int32(name, some.start or 0), ALL if some.stop is None else int32(name, some.stop)
    if first < 0 or some.stop is not None and end < 0:
        raise InvalidValue(INVALID_COUNT, f"{name}: a range of indices must begin and end at 0 or more, is {some}")
    return first, ALL if some.stop is None else max(0, end - first)


def listed(name: str, some: Any, size: int) -> npt.NDArray[np.int64]:
    """Indices below a size, one by one, in the order in which they are named."""
    if isinstance(some, slice):
        step = int32(name, 1 if some.step is None else some.step)
        if not step:
            raise InvalidValue(INVALID_COUNT, f"{name}: a slice must not have a step of 0")
        first, end = (0, size) if step > 0 else (size - 1, -1)
        for bound in some.start, some.stop:
            if bound is not None and int32(name, bound) < 0:
                raise InvalidValue(INVALID_COUNT, f"{name}: a slice must begin and end at 0 or more, is {some}")
        some = range(first if some.start is None else some.start, end if some.stop is None else some.stop, step)
    if isinstance(some, range):
        ends = [some[0], some[-1]] if some else []
    else:
        if isinstance(some, list) and all(isinstance(one, (int, np.integer, np.bool_)) for one in some):
            some = np.array(some, None if some else np.int64)
        if not isinstance(some, np.ndarray) or some.dtype.kind not in "biu":
            kind = f"an array of {some.dtype}" if isinstance(some, np.ndarray) else type(some).__name__
            raise InvalidType(
                INVALID_CODE, f"{name} must be an index, a slice, a range, whole numbers, a mask or None, is {kind}")
        if some.dtype.kind == "b":
            if some.shape != (size,):
                raise OutOfRange(TRACK_OUT_OF_RANGE, f"{name}: a mask must have the shape ({size},); its shape is {some.shape}")
            some = np.flatnonzero(some)
        if some.ndim > 1:
            raise InvalidValue(
                INVALID_COUNT, f"{name} must have one dimension, or be made Tracks if they are handles; their shape is "
                f"{some.shape}")
        ends = [some.min(), some.max()] if some.size else []
    if ends and not (0 <= min(ends) and max(ends) < size):
        raise OutOfRange(TRACK_OUT_OF_RANGE, f"{name} must be within range({size}), are {min(ends)} to {max(ends)}")
    return np.arange(some.start, some.stop, some.step) if isinstance(some, range) else some.astype(np.int64).reshape(-1)


class _Address(int):
    """An address, and the tracks that have their handles there."""

    tracks: Tracks


def select(batch: Reading, tracks: Selection) -> tuple[int | None, int, int]:
    """The arguments `tracks`, `first` and `count` of a selection. Every call about tracks asks here, in its turn."""
    if type(tracks) is Tracks:
        return tracks._address, 0, tracks._count
    if is_run(tracks):
        return None, *indices("tracks", tracks)
    places = listed("tracks", tracks, batch._describe().index_count)
    first, end = (int(places.min()), int(places.max()) + 1) if places.size else (0, 0)
    live, number = empty((end - first + 1, 3), np.uint32), c.c_int32()
    batch._ask(library.live, None, first, end - first, address(live), c.byref(number))
    # Behind the last one, an index that no track has.
    live[number.value] = 2**32 - 1
    rows = np.searchsorted(live[:number.value, 0], places)
    missing = places[live[rows, 0] != places]
    if missing.size:
        raise OutOfRange(TRACK_OUT_OF_RANGE, f"there is no track at index {missing[0]}")
    found = Tracks._adopt(live[rows])
    at = _Address(found._address)
    at.tracks = found
    return at, 0, found._count


def is_run(some: Any) -> bool:
    """Whether indices stand side by side, as the library takes them, or are none."""
    if isinstance(some, (slice, range)):
        return some.step is None or isinstance(some.step, (int, np.integer)) and some.step == 1
    return some is None or isinstance(some, (int, np.integer))


def counted(count: int, things: str) -> str:
    return f"{count} {things}" if count == 1 else f"{count} {things}s"


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


def handle(handle: CHandle) -> tuple[int, int, int]:
    return handle.index, handle.generation, handle.store


def named(name: str, kind: type, item: Any) -> Any:
    """The handle of a clip or a sequence of phases as the library takes it."""
    if not isinstance(item, kind):
        raise InvalidType(INVALID_CODE, f"{name} must be of the type {kind.__name__}, is {item!r}")
    return c.byref(CHandle(*item.handle))  # type: ignore[attr-defined]
