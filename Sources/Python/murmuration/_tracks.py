# SPDX-License-Identifier: MIT
"""Tracks, what is known of them, and which of them a call is about."""

from __future__ import annotations

import ctypes as c
import enum
from dataclasses import dataclass
from typing import Any, Sequence, Union

import numpy as np
import numpy.typing as npt

from ._arrays import address, int32
from ._library import ALL, INVALID_CODE, INVALID_COUNT, TRACK_OUT_OF_RANGE, CHandle, InvalidType, InvalidValue, OutOfRange

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
                raise OutOfRange(TRACK_OUT_OF_RANGE, f"track {part} of {self._count}")
            part = slice(part, part + 1 or None)
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
        return f"<{self._count} tracks>" if self._count != 1 else f"<track {self.handles[0, 0]}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return Tracks, (np.array(self.handles),)


#: Which tracks a call is about: handles, an index, a slice or range of indices with a step of 1, or None for all.
Selection = Union[Tracks, int, slice, range, None]
#: The same without handles.
Indices = Union[int, slice, range, None]


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


def select(tracks: Selection) -> tuple[int | None, int, int]:
    """The arguments `tracks`, `first` and `count` of a selection. Every call about tracks asks here."""
    if type(tracks) is Tracks:
        return tracks._address, 0, tracks._count
    if not isinstance(tracks, (int, slice, range, np.integer, type(None))):
        raise InvalidType(
            INVALID_CODE, f"tracks must be Tracks, an index, a slice, a range or None, is {type(tracks).__name__}")
    return None, *indices("tracks", tracks)


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
