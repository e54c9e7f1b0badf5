# SPDX-License-Identifier: MIT
"""Delays of tracks that set out one after another."""

from __future__ import annotations

import ctypes as c

import numpy as np

from ._arrays import Doubles, choice, empty, int32, seed64
from ._library import INVALID_CODE, INVALID_COUNT, INVALID_VALUE, CStagger, InvalidType, InvalidValue, call, library
from ._motions import Curve


_ORIGINS = {"first": 0, "last": 1, "center": 2, "edges": 3}


def stagger(
    count: int, *, each: float | None = None, over: float | None = None,
    origin: str | float | tuple[float, float] = "first", columns: int | None = None, ease: Curve | None = None,
    seed: int | None = None,
) -> Doubles:
    """The delays of tracks that set out one after another, in seconds, as ``delays=`` takes them.

    Let d be the distance of a track from the origin, less the smallest one. The delay is ``each * d``, or
    ``over * d / (the largest d)``.

    Args:
        count: The number of tracks.
        each: Seconds for a step of distance.
        over: Seconds until the last track sets out, in place of `each`.
        origin: Where the tracks are that set out first: "first", "last", "center", "edges", a position, also between tracks,
            or the column and the row of a point in a grid.
        columns: Tracks in a row of the grid that they fill row by row; None for a line.
        ease: Bends the course of the delays, and leaves the first and the last. Where it goes below 0, the delay is 0.
        seed: Draws the order from a whole number, in place of an origin.

    >>> import murmuration
    >>> murmuration.stagger(5, over=1, origin="center").tolist()
    [1.0, 0.5, 0.0, 0.5, 1.0]
    """
    if (each is None) == (over is None):
        raise InvalidType(INVALID_CODE, "a stagger has either `each` or `over`")
    if seed is not None:
        code, point = 5, (0.0, 0.0)
        seed = seed64(seed)
    elif isinstance(origin, str):
        code, point = choice("origin", _ORIGINS, origin), (0.0, 0.0)
    else:
        code, point = 4, (origin, 0.0) if np.ndim(origin) == 0 else origin  # type: ignore[assignment]
    if columns is not None and int32("columns", columns) < 1:
        raise InvalidValue(INVALID_COUNT, f"columns must be at least 1, are {columns}")
    try:
        form = CStagger(
            each if over is None else over, over is not None, code, tuple(point), 0 if seed is None else seed,
            0 if columns is None else columns, 0, (Curve.LINEAR if ease is None else ease).c)
    except (TypeError, AttributeError, RuntimeError) as fault:
        raise InvalidType(INVALID_CODE, f"a stagger is made of numbers and a curve: {fault}") from None
    except OverflowError as fault:
        raise InvalidValue(INVALID_VALUE, f"a number of the stagger is out of range: {fault}") from None
    if int32("count", count) < 0:
        raise InvalidValue(INVALID_COUNT, f"count must be at least 0, is {count}")
    delays: Doubles = empty((count,), np.float64)
    call(library.stagger_delays, c.byref(form), count, delays.ctypes.data)
    return delays
