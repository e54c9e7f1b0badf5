# SPDX-License-Identifier: MIT
"""Springs and curves over arrays of the caller, without a batch."""

from __future__ import annotations

import ctypes as c
from typing import Any, Iterator, Sequence, Union

import numpy as np
import numpy.typing as npt

from ._arrays import FLOAT, Floats, Values, _converted, address, block, empty, floats, in_order, int32, objects
from ._library import INVALID_CODE, INVALID_COUNT, CSpring, InvalidType, InvalidValue, call, library
from ._motions import Curve, Spring
from ._owner import Owner

_SPRING = np.dtype([("form", np.int32), ("reserved", np.int32), ("parameters", np.float64, 3)])
_Shape = tuple[int, ...]


class Springs(Owner):
    """Springs made ready for arrays: one for all elements, or one for each.

    Args:
        duration: Perceptual durations in seconds; or one :class:`Spring`, or a list of them.
        bounce: Bounces in (-1, 1], which broadcast with the durations.

    >>> import numpy as np
    >>> from murmuration import Springs, spring_values
    >>> print(spring_values(Springs([0.5, 1], 0.3), 0.25).round(3))
    [0.984 0.561]
    """

    def __init__(
        self, duration: Spring | Sequence[Spring] | npt.ArrayLike = 0.5, bounce: npt.ArrayLike = 0.0
    ) -> None:
        self._records = records = _records(duration, bounce)
        #: The shape of the springs, which broadcasts with the other arrays of a call.
        self.shape: _Shape = records.shape
        super().__init__(
            library.springs_free, library.springs_create, address(records), int32("springs", records.size))

    def _said(self) -> str:
        return f" of the shape {self.shape}"

    def _to(self, shape: _Shape) -> Springs:
        """The springs for elements of a shape: for each of the parts of :func:`_parts`."""
        if self._records.size == 1 or _leading(self.shape, shape) is not None:
            return self
        made = Springs.__new__(Springs)
        made._records = records = np.ascontiguousarray(np.broadcast_to(self._records, shape))
        made.shape = shape
        Owner.__init__(
            made, library.springs_free, library.springs_create, address(records), int32("springs", records.size))
        return made


_Springs = Union[Springs, Spring, Sequence[Spring]]


def _records(duration: Any, bounce: Any) -> npt.NDArray[Any]:
    """The structs of springs, side by side."""
    if isinstance(duration, Spring):
        return np.frombuffer(bytes(duration.c), _SPRING).reshape(())
    if isinstance(duration, (list, tuple)) and duration and all(isinstance(one, Spring) for one in duration):
        return np.frombuffer(bytes((CSpring * len(duration))(*(one.c for one in duration))), _SPRING)
    durations = _converted("duration", duration, np.float64)
    bounces = _converted("bounce", bounce, np.float64)
    records: npt.NDArray[Any] = np.zeros(_shape({"duration": durations.shape, "bounce": bounces.shape}), _SPRING)
    records["parameters"][..., 0] = durations
    records["parameters"][..., 1] = bounces
    return records


def _shape(shapes: dict[str, _Shape]) -> _Shape:
    """The shape that some shapes broadcast to."""
    try:
        return np.broadcast_shapes(*shapes.values())
    except ValueError:
        words = ", ".join(f"{name} {shape}" for name, shape in shapes.items())
        raise InvalidValue(INVALID_COUNT, f"these shapes do not broadcast: {words}") from None


def _leading(inner: _Shape, shape: _Shape) -> _Shape | None:
    """The dimensions before those of `inner` if a shape ends with it, or None."""
    first = len(shape) - len(inner)
    return shape[:first] if shape[first:] == inner else None


def _parts(springs: Springs, shape: _Shape) -> Iterator[Any]:
    """The indices of the parts of a shape that have all springs each; they make arrays of no dimensions too."""
    leading = _leading(springs.shape, shape) if springs._records.size != 1 else ()
    return ((*index, ...) for index in np.ndindex(leading or ()))


def _ready(springs: _Springs) -> Springs:
    return springs if isinstance(springs, Springs) else Springs(springs)


def _apart(array: npt.NDArray[Any], *results: Floats | None) -> npt.NDArray[Any]:
    """An array that keeps its numbers while results are written: itself, or a copy if it shares memory with one of them and is
    not that very array."""
    for result in results:
        if result is not None and np.may_share_memory(array, result):
            is_it = array.shape == result.shape and array.strides == result.strides and address(array) == address(result)
            if not is_it or array.dtype != result.dtype:
                return array.copy()
    return array


class _Column:
    """An array that is read in parts: its address, and its stride in floats, 0 or 1."""

    def __init__(self, name: str, value: Any, shape: _Shape, *results: Floats | None) -> None:
        self._array = np.broadcast_to(_apart(floats(name, value), *results), shape)

    def part(self, index: Any) -> tuple[int, int]:
        part = self._array[index]
        if not any(part.strides) and part.size:
            self._kept: Any = part if not address(part) & 3 else part.copy()
            return address(self._kept), 0
        self._kept = in_order(part)
        return address(self._kept), 1


def spring_values(
    springs: _Springs, times: npt.ArrayLike, start: Values = 0, target: Values = 1, velocity: Values = 0, *,
    out: Floats | None = None,
) -> Floats:
    """The values at seconds since the start, in float32. All arguments broadcast.

    Arrays of float32 in C order are read where they lie. One time counts in double precision. Values, targets and velocities
    are not checked: a NaN stays in its element.

    Args:
        springs: Springs, or one spring or a list of them; those of :class:`Springs` are made ready once.
        times: Seconds, 0...1e10.
        start: Where the elements start.
        target: Where the springs pull to.
        velocity: Velocities at the start, per second.
        out: An array of float32 in C order to write to.

    >>> from murmuration import Spring, spring_values
    >>> spring_values(Spring(0.5, 0.3), [0, 0.25, 5], target=[[1], [100]]).round().tolist()
    [[0.0, 1.0, 1.0], [0.0, 98.0, 100.0]]
    """
    return _evaluate(springs, times, start, target, velocity, out, None, False)[0]


def spring_states(
    springs: _Springs, times: npt.ArrayLike, start: Values = 0, target: Values = 1, velocity: Values = 0, *,
    out: tuple[Floats, Floats] | None = None,
) -> tuple[Floats, Floats]:
    """The values and the velocities per second at seconds since the start: see :func:`spring_values`."""
    if out is not None and not (isinstance(out, (tuple, list)) and len(out) == 2):
        raise InvalidType(INVALID_CODE, f"out must be two arrays, is {out!r}")
    values, velocities = out or (None, None)
    return _evaluate(springs, times, start, target, velocity, values, velocities, True)


def _evaluate(
    springs: _Springs, times: Any, start: Any, target: Any, velocity: Any, values: Floats | None,
    velocities: Floats | None, is_whole: bool,
) -> tuple[Floats, Floats]:
    springs = _ready(springs)
    times = times if isinstance(times, np.ndarray) else _converted("times", times, np.float64)
    others = {"start": floats("start", start), "target": floats("target", target), "velocity": floats("velocity", velocity)}
    shapes = {name: array.shape for name, array in others.items()}
    shape = _shape({"springs": springs.shape, "times": times.shape, **shapes})
    springs = springs._to(shape)
    if values is None:
        values = empty(shape)
    block("out", values, shape)
    if is_whole and velocities is None:
        velocities = empty(shape)
    if velocities is not None:
        block("out", velocities, shape)
    columns = [_Column(name, others[name], shape, values, velocities) for name in ("start", "velocity", "target")]
    times = _apart(_converted("times", times, FLOAT if times.dtype == FLOAT else np.float64), values, velocities)
    moments = np.broadcast_to(times, shape)
    with springs._turn:
        for index in _parts(springs, shape):
            part = moments[index]
            is_one = bool(part.size) and not any(part.strides)
            ages = None if is_one else in_order(part.astype(FLOAT, copy=False))
            springs._ask(
                library.springs_values, *columns[0].part(index), *columns[1].part(index), *columns[2].part(index),
                None if ages is None else address(ages), float(part.flat[0]) if is_one else 0.0,
                int32("count", part.size), address(values[index]),
                None if velocities is None else address(velocities[index]))
    return values, velocities if velocities is not None else values


def spring_step(
    springs: _Springs, values: Floats, velocities: Floats, target: Values, seconds: float
) -> None:
    """Moves values and velocities on by some seconds, in place.

    The step is exact for targets that stand still meanwhile, however long it is.

    Args:
        springs: As in :func:`spring_values`. They broadcast to the shape of the values.
        values, velocities: Arrays of float32 in C order, of the same shape.
        target: Where the springs pull to; it broadcasts to that shape.
        seconds: 0...1e10.

    >>> import numpy as np
    >>> from murmuration import Spring, Springs, spring_step
    >>> springs, x, v = Springs(Spring(0.5, 0.3)), np.zeros(3, np.float32), np.zeros(3, np.float32)
    >>> for frame in range(60):
    ...     spring_step(springs, x, v, [1, 2, 3], 1 / 60)
    >>> x.round(2).tolist()
    [1.0, 2.0, 3.0]
    """
    springs = _ready(springs)
    shape = values.shape if isinstance(values, np.ndarray) else ()
    block("values", values, shape)
    block("velocities", velocities, shape)
    targets = floats("target", target)
    if _shape({"springs": springs.shape, "values": shape, "target": targets.shape}) != shape:
        raise InvalidValue(INVALID_COUNT, f"springs {springs.shape} and target {targets.shape} are larger than values {shape}")
    springs = springs._to(shape)
    column = _Column("target", targets, shape, values, velocities)
    with springs._turn:
        for index in _parts(springs, shape):
            part = values[index]
            springs._ask(
                library.springs_step, address(part), address(velocities[index]), *column.part(index), seconds,
                int32("count", part.size))


def ease(
    curve: Curve, progress: Values, start: Values | None = None, target: Values | None = None, *, tolerance: float = 0,
    out: Floats | None = None,
) -> Floats:
    """The values on the way from `start` to `target` at progresses in time, in float32; without both, shares of the way.

    Progress counts as the nearest in 0...1, and NaN gives NaN. All arrays broadcast.

    Args:
        curve: The curve.
        progress: Progress in time.
        start: Where values begin; 0 beside a target.
        target: Where values end; 1 beside a start.
        tolerance: How far shares may be from the curve; 0 for 2**-16.
        out: An array of float32 in C order to write to.

    >>> from murmuration import Curve, ease
    >>> ease(Curve.EASE_IN_OUT, [-1, 0.25, 0.5, 1], target=100).round().tolist()
    [0.0, 13.0, 50.0, 100.0]
    """
    curve, = objects("curve", Curve, [curve])
    has_way = start is not None or target is not None
    arrays = {"progress": floats("progress", progress)}
    if has_way:
        arrays["start"] = floats("start", 0 if start is None else start)
        arrays["target"] = floats("target", 1 if target is None else target)
    shape = _shape({name: array.shape for name, array in arrays.items()})
    values = empty(shape) if out is None else out
    block("out", values, shape)
    columns = [_Column(name, array, shape, values) for name, array in arrays.items()]
    ways = [column.part(...) for column in columns[1:]] if has_way else [(None, 0), (None, 0)]
    call(
        library.ease, c.byref(curve.c), tolerance, *columns[0].part(...), *ways[0], *ways[1],
        int32("count", values.size), address(values))
    return values
