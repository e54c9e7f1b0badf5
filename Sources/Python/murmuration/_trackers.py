# SPDX-License-Identifier: MIT
"""Velocities of what a pointer drags."""

from __future__ import annotations

from ._arrays import Floats, Values, empty, int32, output, settled, values
from ._library import library
from ._owner import Owner
from ._tracks import Indices, counted, indices, is_run, listed


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
