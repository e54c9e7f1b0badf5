# SPDX-License-Identifier: MIT
"""Many frames of a batch at once."""

from __future__ import annotations

import ctypes as c
from dataclasses import dataclass
from typing import Any, Iterator, Literal

import numpy as np
import numpy.typing as npt

from ._arrays import Floats, address, block, choice, doubles, empty, int32
from ._library import INVALID_CODE, INVALID_COUNT, INVALID_VALUE, CBakeRequest, InvalidType, InvalidValue, library
from ._reading import WHAT, Reading
from ._tracks import Run, Selection, Tracks, indices, select

Order = Literal["interleaved", "time_major", "track_major"]
_ORDER = {"time_major": 0, "interleaved": 1, "track_major": 2}


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


class Baking(Reading):
    """The bakes of a batch."""

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
        self._ask(library.read, WHAT["targets"], at, 0, length, address(unread), self._dimensions, 1)
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
