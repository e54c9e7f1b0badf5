# SPDX-License-Identifier: MIT
"""Particles of several properties."""

from __future__ import annotations

import ctypes as c
from typing import Any

import numpy as np
import numpy.typing as npt

from ._arrays import Values, empty, floats, int32, values
from ._batch import Batch
from ._library import INVALID_CODE, INVALID_COUNT, InvalidValue, library
from ._outcomes import Ending, Endings
from ._owner import Owner
from ._snapshots import Snapshot
from ._tracks import EVENT, Selection, Tracks, counted, select


class Property(Batch):
    """A property of :class:`Particles`: a batch whose tracks are the particles.

    Particles are added, removed and advanced in all properties at once, so these calls raise :class:`StateError` here.
    """

    def __init__(self, particles: Particles, number: int, dimensions: int) -> None:
        Owner.__init__(self, None, None)
        self._number = number
        self._hold_arrays(dimensions)
        self._lock, self._lent = particles._lock, particles._lent
        self._particles = particles

    def close(self) -> None:
        """Frees the particles with all their properties."""
        self._particles.close()

    def __reduce__(self) -> tuple[Any, ...]:
        return Owner.__reduce__(self)


def _create_particles(widths: Any, count: int, numbers: Any, number: Any) -> int:
    return library.particles_create(widths, count, number, numbers)  # type: ignore[no-any-return]


def _particles_from(snapshot: int, count: int, numbers: Any, number: Any) -> int:
    return library.particles_from_snapshot(snapshot, count, number, numbers)  # type: ignore[no-any-return]


def _unpickled(data: bytes, dimensions: dict[str, int]) -> Particles:
    return Particles.from_snapshot(Snapshot.from_bytes(data), **dimensions)


class Particles(Owner):
    """Particles of several properties, such as a position and a colour, which move on their own.

    A handle names a particle in every property.

    Args:
        dimensions: The components of each property by its name.

    >>> import murmuration
    >>> with murmuration.Particles(position=2, opacity=1) as sparks:  # doctest: +SKIP
    ...     some = sparks.add(100)
    ...     change = sparks["opacity"].animate(some, 1, murmuration.ease_in(0.3))
    ...     sparks.advance(0.1)
    """

    def __init__(self, **dimensions: int) -> None:
        widths = [int32(name, width) for name, width in dimensions.items()]
        if not 1 <= len(widths) <= 64:
            raise InvalidValue(INVALID_COUNT, f"particles have 1 to 64 properties, not {len(widths)}")
        self._make(_create_particles, (c.c_int32 * len(widths))(*widths), dimensions)

    def _make(self, function: Any, source: Any, dimensions: dict[str, int]) -> None:
        numbers = (c.c_uint32 * len(dimensions))()
        Owner.__init__(self, library.particles_free, function, source, len(dimensions), numbers)
        self._dimensions = sum(dimensions.values())
        self._numbers = dict(zip(dimensions, zip(numbers, dimensions.values())))

    @staticmethod
    def from_snapshot(snapshot: Snapshot, **dimensions: int) -> Particles:
        """Particles that begin with a snapshot of others: see :meth:`Batch.from_snapshot`.

        Args:
            dimensions: The names of the properties, with their components, in the order in which the others have them.
        """
        Snapshot._check(snapshot)
        made = Particles.__new__(Particles)
        with snapshot._turn:
            made._make(_particles_from, snapshot._number, {name: int32(name, width) for name, width in dimensions.items()})
        for name, (_, width) in made._numbers.items():
            components = made[name]._info().dimensions
            if components != width:
                made.close()
                raise InvalidValue(INVALID_COUNT, f"{name} has {components} components, not {width}")
            made[name]._endings.go_on((snapshot._waited or {}).get(name, ()))
        return made

    def __deepcopy__(self, memo: dict[int, Any]) -> Particles:
        with self.snapshot() as moment:
            return Particles.from_snapshot(moment, **{name: width for name, (_, width) in self._numbers.items()})

    def __reduce__(self) -> tuple[Any, ...]:
        with self.snapshot() as moment:
            return _unpickled, (bytes(moment), {name: width for name, (_, width) in self._numbers.items()})

    def _said(self) -> str:
        widths = ", ".join(f"{name} {width}" for name, (_, width) in self._numbers.items())
        info = self[self.properties[0]]._describe()
        return f" of {counted(info.count, 'track')} with {widths} at {info.time:g} s"

    @property
    def properties(self) -> tuple[str, ...]:
        """The names of the properties."""
        return tuple(self._numbers)

    def __getitem__(self, name: str) -> Property:
        made = self._shown()
        if name not in made:
            if name not in self._numbers:
                raise InvalidValue(INVALID_CODE, f"there is no property {name!r}, only {', '.join(self._numbers)}")
            made[name] = Property(self, *self._numbers[name])
        return made[name]

    def add(self, values_: Values | int, count: int | None = None) -> Tracks:
        """Adds particles that stand still.

        Args:
            values_: The components of all properties, one property after the other, (particles, components); or only the
                number of particles, which begin at zeros.
        """
        start: int | None = None
        strides: tuple[int, ...] = (0, 0)
        if isinstance(values_, (int, np.integer)) and count is None:
            count = int32("count", values_)
        else:
            array = floats("values", values_)
            count = int32("count", count if count is not None else array.shape[0] if array.ndim == 2 else 1)
            keep, start, *strides_ = values("values", array, count, self._dimensions)
            strides = tuple(strides_)
        if count < 0:
            raise InvalidValue(INVALID_COUNT, f"count must be 0 or more, is {count}")
        handles = empty((count, 3), np.uint32)
        with self._turn:
            self._change(library.particles_add, start, *strides, handles.ctypes.data, count)
            self._renew_properties()
        return Tracks._adopt(handles)

    def remove(self, tracks: Selection) -> None:
        """Removes particles."""
        with self._turn:
            self._change(library.particles_remove, *select(self[self.properties[0]], tracks))

    def remove_settled(self) -> int:
        """Removes the particles of which no property moves any more, and returns their number."""
        removed = c.c_int32()
        with self._turn:
            self._change(library.particles_remove_settled, c.byref(removed))
        return removed.value

    def advance(self, seconds: float, *, velocities: bool = False) -> None:
        """Evaluates every property at a time. After an error no property has changed."""
        self._advance(library.particles_advance, seconds, velocities)

    def advance_by(self, seconds: float, *, velocities: bool = False) -> None:
        """Moves the clock by some seconds, and evaluates every property."""
        self._advance(library.particles_advance_by, seconds, velocities)

    def _advance(self, function: Any, seconds: float, velocities: bool) -> None:
        with self._turn:
            self._change(function, seconds, 1 if velocities else 0)
            self._renew_properties()
            for made in self._properties():
                if made._endings.waiting:
                    made._take_ended()
        for made in self._properties():
            if made._endings.told:
                made._endings.tell()

    def close(self) -> None:
        """Frees the memory. Every later call is an error. Closing twice does nothing."""
        for made in self._properties():
            made._refuse_if_goals_are_lent()
        super().close()
        for made in self._properties():
            made._end()

    def _properties(self) -> list[Property]:
        """The properties that a program has asked for."""
        return list(self._shown().values())

    def _shown(self) -> dict[str, Property]:
        return self.__dict__.setdefault("_by_name", {})  # type: ignore[no-any-return]

    def _change(self, function: Any, *arguments: Any) -> int:
        for made in self._properties():
            made._version += 1
        return super()._change(function, *arguments)

    def snapshot(self, into: Snapshot | None = None) -> Snapshot:
        """The state of all properties now: see :meth:`Batch.snapshot`."""
        if into is None:
            with self._turn:
                into = Snapshot(library.snapshot_free, library.particles_snapshot_create, self._number)
                into._words, into._waited = self._said(), self._waited()
            return into
        Snapshot._check(into)
        with self._turn, into._turn:
            into._change(library.particles_snapshot_update, self._number)
            into._words, into._waited = self._said(), self._waited()
        return into

    def restore(self, snapshot: Snapshot) -> None:
        """Makes the particles what they were: see :meth:`Batch.restore`."""
        Snapshot._check(snapshot)
        lost: list[tuple[int, Ending]] = []
        with self._turn, snapshot._turn:
            self._change(library.particles_restore, snapshot._number)
            if snapshot._waited is not None:
                for name, made in self._shown().items():
                    lost += made._endings.go_back(snapshot._waited.get(name, frozenset()))
            self._renew_properties()
        Endings.give_up(lost)

    def _waited(self) -> dict[str, frozenset[int]]:
        """The changes of each property whose ends are to be told."""
        return {name: frozenset(made._endings.waiting) for name, made in self._shown().items()}

    def _renew_properties(self) -> None:
        for made in self._properties():
            if made._views:
                made._renew_held()

    @property
    def events(self) -> npt.NDArray[Any]:
        """An event for each particle that came to rest as a whole with the last advance."""
        with self._turn:
            return self._list(library.particles_events, EVENT)
