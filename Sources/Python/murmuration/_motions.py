# SPDX-License-Identifier: MIT
"""Springs, curves, animations, keyframes and playbacks. They can be pickled, compared and shared."""

from __future__ import annotations

import ctypes as c
import math
from dataclasses import dataclass, fields, replace
from typing import Any, Callable, ClassVar, Final, Iterable, TypeVar

import numpy as np
import numpy.typing as npt

from ._arrays import Doubles, Values, doubles, objects
from ._library import (
    INVALID_CODE, INVALID_VALUE, CAnimation, CCurve, CKeyframe, CModifier, CPlayback, CSpring, CSpringInfo,
    InvalidType, InvalidValue, call, library)

_Item = TypeVar("_Item")
_Struct = TypeVar("_Struct")


def _struct(make: Callable[[_Item], _Struct]) -> Callable[[_Item], _Struct]:
    """Lets a property that makes a struct refuse what is no number, and no spring or curve."""

    def made(item: _Item) -> _Struct:
        try:
            return make(item)
        except (TypeError, AttributeError, RuntimeError) as fault:
            raise InvalidType(INVALID_CODE, f"{item!r} is made of other things than numbers: {fault}") from None
        except OverflowError as fault:
            raise InvalidValue(INVALID_VALUE, f"{type(item).__name__}: a number is out of range: {fault}") from None

    made.__doc__ = make.__doc__
    return made


def _words(name: str, *arguments: Any, **options: tuple[Any, Any]) -> str:
    """A call as one would write it: arguments, and those options that are not their defaults."""
    told = [f"{option}={value!r}" for option, (value, default) in options.items() if value != default]
    return f"{name}({', '.join([*map(repr, arguments), *told])})"


@dataclass(frozen=True)
class Spring:
    """A spring of a perceptual duration in seconds and a bounce in (-1, 1]; a duration of 0 jumps.

    >>> from murmuration import Spring
    >>> Spring(0.5, 0.3).value([0, 0.25, 5]).round(3).tolist()
    [0.0, 0.984, 1.0]
    """

    duration: float = 0.5
    bounce: float = 0.0
    _form: int = 0
    _third: float = 0.0

    def __repr__(self) -> str:
        if self._form in (2, 3):
            return _words(
                "Spring.stiffness", self.bounce, self._third, mass=(self.duration, 1), overdamped=(self._form == 3, False))
        if self._form == 4:
            return _words("Spring.settling", self.duration, self.bounce, epsilon=(self._third, 0.001))
        return _words("Spring.response" if self._form else "Spring", self.duration, self.bounce)

    @staticmethod
    def response(response: float, damping_ratio: float) -> Spring:
        """The spring of an undamped period in seconds and a damping ratio."""
        return _spring(1, response, damping_ratio)

    @staticmethod
    def stiffness(stiffness: float, damping: float, mass: float = 1, *, overdamped: bool = False) -> Spring:
        """The spring of the constants of its equation. A damping above the critical counts as critical, unless it may be
        overdamped."""
        return _spring(3 if overdamped else 2, mass, stiffness, damping)

    @staticmethod
    def settling(seconds: float, damping_ratio: float, epsilon: float = 0.001) -> Spring:
        """The spring that settles within epsilon in some seconds."""
        return _spring(4, seconds, damping_ratio, epsilon)

    @property
    @_struct
    def c(self) -> CSpring:
        """The spring as the library takes it."""
        return CSpring(self._form, 0, (self.duration, self.bounce, self._third))

    @property
    def parameters(self) -> dict[str, float]:
        """All parameters: duration, bounce, damping_ratio, mass, stiffness and damping."""
        info = CSpringInfo()
        call(library.spring_describe, c.byref(self.c), c.byref(info))
        return {field[0]: getattr(info, field[0]) for field in CSpringInfo._fields_}

    def value(
        self, time: npt.ArrayLike, target: float = 1, start: float = 0, velocity: float = 0
    ) -> Doubles:
        """The values at seconds since the start, in double, in the shape of `time`."""
        return self._evaluate(time, target, start, velocity)[0]

    def velocity(
        self, time: npt.ArrayLike, target: float = 1, start: float = 0, velocity: float = 0
    ) -> Doubles:
        """The velocities per second at seconds since the start, in double, in the shape of `time`."""
        return self._evaluate(time, target, start, velocity)[1]

    def _evaluate(self, time: npt.ArrayLike, target: float, start: float, velocity: float) -> tuple[Doubles, Doubles]:
        times = doubles("time", time)
        values, velocities = np.empty_like(times), np.empty_like(times)
        call(
            library.spring_values, c.byref(self.c), start, target, velocity, times.ctypes.data, times.size,
            values.ctypes.data, velocities.ctypes.data)
        shape = np.shape(time)
        return values.reshape(shape), velocities.reshape(shape)

    def settling_duration(self, target: float = 1, velocity: float = 0, epsilon: float = 0.001) -> float:
        """The seconds after which a spring from 0 stays within epsilon of the target; infinite if it never does."""
        seconds = c.c_double()
        call(library.spring_settling_duration, c.byref(self.c), target, velocity, epsilon, c.byref(seconds))
        return seconds.value


def _spring(form: int, first: float, second: float, third: float = 0) -> Spring:
    return Spring(first, second, form, third)


@dataclass(frozen=True)
class Curve:
    """A timing curve: :attr:`LINEAR` and the others by name, or :meth:`bezier`."""

    _kind: int
    _points: tuple[float, float, float, float] = (0, 0, 0, 0)

    @staticmethod
    def bezier(x1: float, y1: float, x2: float, y2: float) -> Curve:
        """The curve from (0, 0) to (1, 1) with two control points, whose x count as the nearest in 0...1."""
        return Curve(7, (x1, y1, x2, y2))

    def __repr__(self) -> str:
        if self._kind == 7:
            return _words("Curve.bezier", *self._points)
        return next((f"Curve.{name}" for name in Curve.__annotations__ if getattr(Curve, name, None) == self), "Curve()")

    @property
    @_struct
    def c(self) -> CCurve:
        """The curve as the library takes it."""
        return CCurve(self._kind, 0, self._points)

    def value(self, progress: npt.ArrayLike) -> Doubles:
        """The values at progresses, which count as the nearest in 0...1."""
        return self._evaluate(progress)[0]

    def velocity(self, progress: npt.ArrayLike) -> Doubles:
        """The slopes at progresses."""
        return self._evaluate(progress)[1]

    def _evaluate(self, progress: npt.ArrayLike) -> tuple[Doubles, Doubles]:
        numbers = doubles("progress", progress)
        values, slopes = np.empty_like(numbers), np.empty_like(numbers)
        call(
            library.curve_values, c.byref(self.c), numbers.ctypes.data, numbers.size, values.ctypes.data,
            slopes.ctypes.data)
        shape = np.shape(progress)
        return values.reshape(shape), slopes.reshape(shape)

    LINEAR: ClassVar[Curve]
    EASE_IN: ClassVar[Curve]
    EASE_OUT: ClassVar[Curve]
    EASE_IN_OUT: ClassVar[Curve]
    CIRCULAR_EASE_IN: ClassVar[Curve]
    CIRCULAR_EASE_OUT: ClassVar[Curve]
    CIRCULAR_EASE_IN_OUT: ClassVar[Curve]
    EASE_IN_SINE: ClassVar[Curve]
    EASE_OUT_SINE: ClassVar[Curve]
    EASE_IN_OUT_SINE: ClassVar[Curve]
    EASE_IN_QUAD: ClassVar[Curve]
    EASE_OUT_QUAD: ClassVar[Curve]
    EASE_IN_OUT_QUAD: ClassVar[Curve]
    EASE_IN_CUBIC: ClassVar[Curve]
    EASE_OUT_CUBIC: ClassVar[Curve]
    EASE_IN_OUT_CUBIC: ClassVar[Curve]
    EASE_IN_QUART: ClassVar[Curve]
    EASE_OUT_QUART: ClassVar[Curve]
    EASE_IN_OUT_QUART: ClassVar[Curve]
    EASE_IN_QUINT: ClassVar[Curve]
    EASE_OUT_QUINT: ClassVar[Curve]
    EASE_IN_OUT_QUINT: ClassVar[Curve]
    EASE_IN_EXPO: ClassVar[Curve]
    EASE_OUT_EXPO: ClassVar[Curve]
    EASE_IN_OUT_EXPO: ClassVar[Curve]
    EASE_IN_CIRC: ClassVar[Curve]
    EASE_OUT_CIRC: ClassVar[Curve]
    EASE_IN_OUT_CIRC: ClassVar[Curve]
    EASE_IN_BACK: ClassVar[Curve]
    EASE_OUT_BACK: ClassVar[Curve]
    EASE_IN_OUT_BACK: ClassVar[Curve]
    EASE_IN_ELASTIC: ClassVar[Curve]
    EASE_OUT_ELASTIC: ClassVar[Curve]
    EASE_IN_OUT_ELASTIC: ClassVar[Curve]
    EASE_IN_BOUNCE: ClassVar[Curve]
    EASE_OUT_BOUNCE: ClassVar[Curve]
    EASE_IN_OUT_BOUNCE: ClassVar[Curve]


for _number, _name in enumerate(name for name in Curve.__annotations__ if name.isupper()):
    # Bézier curves have number 7.
    setattr(Curve, _name, Curve(_number if _number < 7 else _number + 1))


@dataclass(frozen=True)
class Animation:
    """How a track goes to a goal: see :func:`spring`, :func:`interpolating_spring` and :func:`curve`.

    Modifiers apply in their order: a delay inside a repetition applies to each iteration, a delay outside only once.

    >>> from murmuration import spring
    >>> twice = spring(0.4).repeat(2).delay(1)
    """

    _kind: int
    _spring: Spring = Spring()
    _initial_velocity: float = 0
    _curve: Curve = Curve(0)
    _duration: float = 0
    _modifiers: tuple[tuple[int, float], ...] = ()

    def __repr__(self) -> str:
        if self._kind == 3:
            text = _words("curve", self._curve, self._duration)
        else:
            spring = self._spring
            text = _words(
                "interpolating_spring" if self._kind == 2 else "spring",
                *((spring,) if spring._form else (spring.duration, spring.bounce)),
                initial_velocity=(self._initial_velocity, 0))
        names = {1: "delay", 2: "speed", 5: "logically_complete_after"}
        for kind, number in self._modifiers:
            text += "." + _words(
                names.get(kind, "repeat_forever" if number == math.inf else "repeat"),
                *(() if kind in (3, 4) and number == math.inf else (number,)), autoreverses=(kind != 3, True))
        return text

    def delay(self, seconds: float) -> Animation:
        """Pauses for some seconds first. Negative seconds skip the beginning."""
        return self._modified(1, seconds)

    def speed(self, factor: float) -> Animation:
        """Goes some times as fast."""
        return self._modified(2, factor)

    def repeat(self, iterations: float, *, autoreverses: bool = True) -> Animation:
        """Repeats; every second iteration runs backwards unless `autoreverses` is false, as in SwiftUI."""
        return self._modified(4 if autoreverses else 3, iterations)

    def repeat_forever(self, *, autoreverses: bool = True) -> Animation:
        """Repeats for ever."""
        return self.repeat(math.inf, autoreverses=autoreverses)

    def logically_complete_after(self, seconds: float) -> Animation:
        """Is logically complete after some seconds at the latest."""
        return self._modified(5, seconds)

    def _modified(self, kind: int, value: float) -> Animation:
        return replace(self, _modifiers=(*self._modifiers, (kind, value)))

    @property
    @_struct
    def c(self) -> CAnimation:
        """The animation as the library takes it; made once."""
        made: CAnimation | None = self.__dict__.get("_made")
        if made is None:
            kept = (CModifier * 8)(*(CModifier(kind, 0, value) for kind, value in self._modifiers[:8]))
            made = CAnimation(
                self._kind, len(self._modifiers), self._spring.c, self._initial_velocity, self._curve.c, self._duration,
                kept)
            self.__dict__["_made"] = made
            self.__dict__["_address"] = c.addressof(made)
        return made

    @property
    def address(self) -> int:
        """The address of the animation as the library takes it. It holds as long as the animation."""
        made: int | None = self.__dict__.get("_address")
        if made is None:
            self.c
            made = c.addressof(self.c)
        return made

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in ("_made", "_address")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)


def spring(duration: float | Spring = 0.5, bounce: float = 0) -> Animation:
    """The animation that follows a spring, and takes over the value and the velocity of the track."""
    return Animation(1, duration if isinstance(duration, Spring) else Spring(duration, bounce))


#: The animation of a call that names none, as SwiftUI's `.default`.
DEFAULT: Final = spring()


def smooth(duration: float = 0.5, extra_bounce: float = 0) -> Animation:
    """A spring without a bounce."""
    return spring(duration, extra_bounce)


def snappy(duration: float = 0.5, extra_bounce: float = 0) -> Animation:
    """A spring with a bounce of 0.15."""
    return spring(duration, 0.15 + extra_bounce)


def bouncy(duration: float = 0.5, extra_bounce: float = 0) -> Animation:
    """A spring with a bounce of 0.3."""
    return spring(duration, 0.3 + extra_bounce)


def interpolating_spring(
    duration: float | Spring = 0.5, bounce: float = 0, *, initial_velocity: float = 0
) -> Animation:
    """The animation of a spring that adds to the motion under way.

    Args:
        initial_velocity: In fractions of the way per second.
    """
    return Animation(
        2, duration if isinstance(duration, Spring) else Spring(duration, bounce), _initial_velocity=initial_velocity)


def curve(timing: Curve, duration: float = 0.35) -> Animation:
    """The animation along a curve during some seconds, which adds to the motion under way."""
    return Animation(3, _curve=timing, _duration=duration)


def linear(duration: float = 0.35) -> Animation:
    """The animation at an even speed."""
    return curve(Curve.LINEAR, duration)


def ease_in(duration: float = 0.35) -> Animation:
    """The animation that begins slowly."""
    return curve(Curve.EASE_IN, duration)


def ease_out(duration: float = 0.35) -> Animation:
    """The animation that ends slowly."""
    return curve(Curve.EASE_OUT, duration)


def ease_in_out(duration: float = 0.35) -> Animation:
    """The animation that begins and ends slowly."""
    return curve(Curve.EASE_IN_OUT, duration)


@dataclass(frozen=True)
class Keyframe:
    """A keyframe of one component: :meth:`move`, :meth:`linear`, :meth:`cubic` or :meth:`spring`."""

    _kind: int
    to: float
    duration: float | None = None
    _curve: Curve = Curve(0)
    _spring: Spring = Spring()
    start_velocity: float | None = None
    end_velocity: float | None = None

    def __repr__(self) -> str:
        if self._kind == 3:
            return _words(
                "Keyframe.spring", self.to, self._spring, duration=(self.duration, None),
                start_velocity=(self.start_velocity, None))
        if self._kind == 0:
            return _words("Keyframe.move", self.to)
        return _words(
            ("", "Keyframe.linear", "Keyframe.cubic")[self._kind], self.to, self.duration, timing=(self._curve, Curve(0)),
            start_velocity=(self.start_velocity, None), end_velocity=(self.end_velocity, None))

    @staticmethod
    def move(to: float) -> Keyframe:
        """A jump, without a duration."""
        return Keyframe(0, to)

    @staticmethod
    def linear(to: float, duration: float, timing: Curve = Curve(0)) -> Keyframe:
        """From the keyframe before, along a curve."""
        return Keyframe(1, to, duration, timing)

    @staticmethod
    def cubic(
        to: float, duration: float, start_velocity: float | None = None, end_velocity: float | None = None
    ) -> Keyframe:
        """A piece of a smooth spline; velocities that are None follow from the neighbours."""
        return Keyframe(2, to, duration, start_velocity=start_velocity, end_velocity=end_velocity)

    @staticmethod
    def spring(
        to: float, spring: Spring = Spring(), duration: float | None = None, start_velocity: float | None = None
    ) -> Keyframe:
        """A spring, which lasts until it settles if it has no duration."""
        return Keyframe(3, to, duration, _spring=spring, start_velocity=start_velocity)

    @property
    @_struct
    def c(self) -> CKeyframe:
        """The keyframe as the library takes it."""
        flags = (
            (self.start_velocity is not None) + 2 * (self.end_velocity is not None)
            + 4 * (self._kind == 3 and self.duration is not None))
        # Only a jump and a spring have none.
        duration = 0 if self.duration is None and self._kind in (0, 3) else self.duration
        return CKeyframe(
            self._kind, flags, self.to, duration, self._curve.c, self._spring.c, self.start_velocity or 0,
            self.end_velocity or 0)


@dataclass(frozen=True)
class Grid:
    """A grid of points at which slides may end: whole multiples of a spacing above and below an origin.

    Args:
        spacing: Above 0: one number, or one for each component.
        origin: One number, or one for each component.
    """

    spacing: Values
    origin: Values = 0


@dataclass(frozen=True)
class Playback:
    """How a track plays a clip.

    Attributes:
        start: Seconds on the clock; None for now.
        delay: Seconds from the start during which it waits. Negative seconds skip the beginning.
        speed: Seconds of the clip per second of the clock. Negative plays backwards.
        iterations: A whole number of at least 1, or infinity.
        time_offset: Seconds that count as played when the delay is over.
        autoreverses: Every second iteration goes the other way.
        target_before: Shows the track's target while it waits, and not the first value of the clip.
        target_after: Shows the track's target when it is over, and not the last value of the clip.
    """

    start: float | None = None
    delay: float = 0
    speed: float = 1
    iterations: float = 1
    time_offset: float = 0
    autoreverses: bool = False
    target_before: bool = False
    target_after: bool = False

    def __repr__(self) -> str:
        return _words("Playback", **{one.name: (getattr(self, one.name), one.default) for one in fields(self)})

    @property
    @_struct
    def c(self) -> CPlayback:
        """The playback as the library takes it."""
        flags = (
            self.autoreverses + 2 * (self.start is not None) + 4 * self.target_before + 8 * self.target_after)
        return CPlayback(
            0 if self.start is None else self.start, self.delay, self.speed, self.iterations, self.time_offset, flags, 0)


def side_by_side(name: str, kind: Any, struct: Any, items: Iterable[Any]) -> Any:
    """Items of one kind side by side, as the library takes them."""
    found = objects(name, kind, items)
    return (struct * len(found))(*(item.c for item in found))
