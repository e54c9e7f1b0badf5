# SPDX-License-Identifier: MIT
"""Calls that play clips and phases on tracks of a batch."""

from __future__ import annotations

import ctypes as c
from typing import Literal, Sequence

import numpy as np
import numpy.typing as npt

from ._arrays import Values, address, choice, doubles, floats, in_order, values
from ._library import (
    INVALID_CODE, INVALID_COUNT, CAnimation, CHandle, CKeyframe, CPlayback, InvalidType, InvalidValue, library)
from ._motions import Animation, Keyframe, Playback, side_by_side
from ._outcomes import Completion
from ._reading import Reading
from ._tracks import Clip, Phases, Selection, handle, named, select


class Playing(Reading):
    """The calls about clips and phases."""

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
