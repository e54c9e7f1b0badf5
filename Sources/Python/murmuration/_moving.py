# SPDX-License-Identifier: MIT
"""Calls that give motions to tracks of a batch."""

from __future__ import annotations

import ctypes as c
import weakref
from typing import Any, Sequence

import numpy as np
import numpy.typing as npt

from ._arrays import FLOAT, Floats, Values, address, doubles, floats, int32, values
from ._library import (
    BUSY, GRID, INVALID_CODE, INVALID_COUNT, CAnimation, CSpring, InvalidType, InvalidValue, Lent, library)
from ._motions import DEFAULT, Animation, Grid, Spring, side_by_side
from ._outcomes import Completion
from ._reading import Reading
from ._tracks import Selection, Tracks, select


class Moving(Reading):
    """The calls that send, set, slide and stop tracks."""

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

    @classmethod
    def _delays(cls, delay: float | None, delays: npt.ArrayLike | None, length: int) -> tuple[Any, int] | None:
        """The delays of tracks and their address; None for none."""
        waits = cls._times("delays", 0 if delays is None and delay is not None else delays, length)
        if waits is None or delay is None:
            return waits
        together = waits[0] + doubles("delay", delay, 1)[0]
        return together, together.ctypes.data

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
        springs = side_by_side("spring", Spring, CSpring, [spring])
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
