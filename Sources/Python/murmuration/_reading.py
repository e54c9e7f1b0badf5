# SPDX-License-Identifier: MIT
"""What a batch shows: its size, its clock, its values, events and ends of changes."""

from __future__ import annotations

import ctypes as c
import weakref
from typing import Any, Literal, Sequence

import numpy as np
import numpy.typing as npt

from ._arrays import FLOAT, Floats, Values, address, choice, doubles, empty, int32, output, settled, values, vertices
from ._colors import Encoding, encodings
from ._library import INVALID_CODE, CBatchInfo, CVertexLayout, CWork, InvalidType, StateError, library
from ._outcomes import COMPLETION, OUTCOME, TRACK_OUTCOME, Completion, Endings
from ._owner import Owner
from ._tracks import EVENT, Selection, counted, select

What = Literal["values", "velocities", "targets"]
WHAT = {"values": 0, "velocities": 1, "targets": 2}


def _components(order: Any) -> list[int]:
    try:
        components = list(order)
    except TypeError as fault:
        raise InvalidType(INVALID_CODE, f"order must be whole numbers: {fault}") from None
    return [int32("order", component) for component in components]


class _Renewed:
    """Numbers of all tracks by index, in memory of Python's, that are renewed while someone holds a view of them."""

    def __init__(self) -> None:
        self.memory: Floats | None = None
        self.owner: weakref.ref[Any] | None = None
        self.view: weakref.ref[Floats] | None = None
        self.version = -1

    def is_held(self) -> bool:
        return self.owner is not None and self.owner() is not None


class Reading(Owner):
    """What a batch shows, and how its calls take their arguments."""

    def _hold_arrays(self, dimensions: int) -> None:
        self._dimensions = dimensions
        self._renewed = (_Renewed(), _Renewed(), _Renewed())
        self._views = 0
        self._endings = Endings()
        self._lent_goals: list[tuple[weakref.ref[Any], int]] = []

    def _describe(self) -> CBatchInfo:
        info = CBatchInfo()
        self._ask(library.batch_describe, c.byref(info))
        return info

    def _info(self) -> CBatchInfo:
        with self._turn:
            return self._describe()

    def _said(self) -> str:
        work = CWork()
        self._ask(library.batch_work, c.byref(work))
        return f"{self._size()}, {self._describe().count - work.at_rest} moving"

    def _size(self) -> str:
        info = self._describe()
        return f" of {counted(info.count, 'track')} of {counted(info.dimensions, 'component')} at {info.time:g} s"

    def _length(self, first: int, count: int) -> int:
        """The number of tracks that a selection names. It holds for as long as the caller has its turn."""
        return count if count >= 0 else max(0, self._describe().index_count - first)

    @property
    def dimensions(self) -> int:
        """Components of each track."""
        return self._dimensions

    @property
    def time(self) -> float:
        """The clock, in seconds."""
        return self._info().time  # type: ignore[no-any-return]

    @property
    def count(self) -> int:
        """Live tracks."""
        return self._info().count  # type: ignore[no-any-return]

    def __len__(self) -> int:
        return self.count

    @property
    def index_count(self) -> int:
        """One past the largest index that a track has had since :meth:`compact`: the length of :attr:`values`."""
        return self._info().index_count  # type: ignore[no-any-return]

    @property
    def latest_change(self) -> int:
        """The number of the last call that changed a motion."""
        return self._info().latest_change  # type: ignore[no-any-return]

    @property
    def work(self) -> dict[str, int]:
        """The work of the last frame: numbers by the names of ``murmuration_work`` in the header. Ask after an advance; it takes
        time for each sixteen tracks."""
        work = CWork()
        with self._turn:
            self._ask(library.batch_work, c.byref(work))
        return {name: getattr(work, name) for name, *_ in CWork._fields_ if name != "reserved"}

    # ---- Arguments ----------------------------------------------------------------------------------------------------

    def _given(self, name: str, numbers: Values | None, length: int) -> tuple[Any, int | None, int, int]:
        """Values of tracks as :func:`values` gives them; NULL for None."""
        return (None, None, 0, 0) if numbers is None else values(name, numbers, length, self._dimensions)

    @staticmethod
    def _times(name: str, times: npt.ArrayLike | None, length: int) -> tuple[Any, int] | None:
        """Times of tracks and their address; None for none."""
        if times is None:
            return None
        array = doubles(name, times, length, one_for_all=True)
        if array.size != length:
            array = np.full(length, array[0])
        return array, array.ctypes.data

    @staticmethod
    def _told(completion: Completion | None) -> int:
        """The code of a completion."""
        return 0 if completion is None else choice("completion", COMPLETION, completion)

    def _watched(self, told: int, function: Any, *arguments: Any) -> int:
        """Makes a call whose end is told, if the code says so, and returns the number of its change. The caller has its
        turn."""
        change = self._change(function, *arguments, told, self._changed_at)
        if told:
            self._endings.waiting[change] = []
        return change

    # ---- Numbers ------------------------------------------------------------------------------------------------------

    @property
    def values(self) -> Floats:
        """The values of all tracks by index, (index_count, dimensions), read-only; zeros at indices without a track.

        The array lies in memory of Python's, so it never goes bad. As long as someone holds it, or a part of it, each
        :meth:`advance` and :meth:`set` renews it, at the cost of one copy. After new tracks took indices beyond it, it keeps
        its numbers, and this property gives a longer one. :meth:`column` gives the numbers without any copy.
        """
        return self._view(0)

    @property
    def velocities(self) -> Floats:
        """The velocities of all tracks by index, per second, as :attr:`values`; the last advance must have computed them."""
        return self._view(1)

    @property
    def targets(self) -> Floats:
        """The targets of all tracks by index, as :attr:`values`."""
        return self._view(2)

    def _view(self, what: int) -> Floats:
        renewed = self._renewed[what]
        if renewed.version == self._version and renewed.view is not None:
            shown = renewed.view()
            if shown is not None:
                return shown
        with self._turn:
            return self._new_view(what, renewed)

    def _new_view(self, what: int, renewed: _Renewed) -> Floats:
        memory = renewed.memory
        if memory is None or renewed.version != self._version:
            count = self._describe().index_count
            if memory is None or memory.shape[0] != count:
                memory = empty((count, self._dimensions))
                renewed.memory, renewed.owner, renewed.version = memory, None, -1
            if memory.size and renewed.version != self._version:
                self._renew(what, renewed)
        if not memory.size:
            return memory
        owner: Any = None if renewed.owner is None else renewed.owner()
        if owner is None:
            numbers: Any = c.c_float * memory.size
            owner = numbers.from_buffer(memory)
            renewed.owner = weakref.ref(owner)
            self._views |= 1 << what
        view: Floats = np.frombuffer(owner, FLOAT).reshape(memory.shape)
        view.flags.writeable = False
        renewed.view = weakref.ref(view)
        return view

    def _renew(self, what: int, renewed: _Renewed) -> None:
        memory = renewed.memory
        assert memory is not None
        # The library reads as many tracks as there is memory for, or refuses, whatever other threads do.
        number = self._describe().index_count
        count = min(memory.shape[0], number)
        self._ask(library.read, what, None, 0, count, address(memory), self._dimensions, 1)
        memory[count:] = 0
        # An array of another length goes on, and who asks anew gets one of the right length.
        renewed.version = self._version if memory.shape[0] == number else -1

    def _renew_held(self) -> None:
        """Renews the arrays that someone holds; those that no one holds are renewed when they are asked for."""
        for what, renewed in enumerate(self._renewed):
            if self._views >> what & 1:
                if not renewed.is_held():
                    self._views &= ~(1 << what)
                    continue
                try:
                    self._renew(what, renewed)
                except StateError as fault:
                    # Velocities that this advance left out keep their numbers.
                    if fault.name != "velocitiesNotComputed":
                        raise

    def read(
        self, tracks: Selection = None, what: What = "values", *, out: npt.NDArray[Any] | None = None,
        order: Sequence[int] | None = None, color: tuple[Encoding, Encoding] | None = None
    ) -> npt.NDArray[Any]:
        """Copies the numbers of tracks to an array of (tracks, components).

        Vertices are filled by a call for each field, each from its batch; `order` swaps red and blue here:

        >>> import murmuration, numpy as np
        >>> vertices = np.zeros(3, [("position", "f4", 3), ("color", "u1", 4), ("scale", "f4")])
        >>> with murmuration.Batch(dimensions=4) as colors:
        ...     dots = colors.add([[1, 0.4, 0, 1]] * 3)
        ...     colors.read(out=vertices["color"], order=[2, 1, 0, 3])[0]
        array([  0, 102, 255, 255], dtype=uint8)

        Args:
            out: Where to write them: an array of float32 with any strides, also (tracks,) with one component. Or an array of
                another type whose components lie side by side, such as a field of records: float16 gets the nearest halves,
                uint8 and uint16 get 0...1 as 0...255 and 0...65535, int8 and int16 get -1...1 as -127...127 and
                -32767...32767. Numbers beyond are clamped, NaN is 0, and ties are rounded to even.
            order: The component of each number of a track in `out`, in any order, also fewer or more than there are.
            color: The encodings from and to which values or targets of four components are converted first:
                ("oklab", "srgb"). See :func:`convert_colors`.
        """
        code = choice("what", WHAT, what)
        source, destination = (0, 0) if color is None else encodings(color)
        with self._turn:
            at, first, count = select(self, tracks)
            length = self._length(first, count)
            if order is None and color is None and (out is None or getattr(out, "dtype", FLOAT) == FLOAT):
                if out is None:
                    out = empty((length, self._dimensions))
                written, start, track_stride, component_stride = output("out", out, length, self._dimensions)
                self._ask(library.read, code, at, first, length, start, track_stride, component_stride)
                return settled(out, written)
            components = range(self._dimensions) if order is None else _components(order)
            if out is None:
                out = empty((length, len(components)))
            start, kind, stride, size = vertices("out", out, length, len(components))
            listed = (c.c_int32 * len(components))(*components)
            layout = CVertexLayout(c.addressof(listed), len(components), kind, 0, stride, source, destination)
            self._ask(library.copy_vertices, code, at, first, length, c.byref(layout), start, size)
        return out

    def column(self, component: int = 0, what: What = "values") -> Floats:
        """The numbers of one component of all tracks by index, without a copy, read-only.

        As long as someone holds the array, or a part of it, each call that changes the batch raises :class:`Lent`: it could
        move the memory. An index without a track holds a meaningless number.
        """
        start, count = c.c_void_p(), c.c_int32()
        with self._turn:
            self._ask(
                library.column, choice("what", WHAT, what), int32("component", component), c.byref(start), c.byref(count))
            if not count.value:
                return np.empty(0, FLOAT)
            owner: Any = (c.c_float * count.value).from_address(start.value or 0)
            owner.batch = self
            self._lent.append(weakref.ref(owner))
        view: Floats = np.frombuffer(owner, FLOAT)
        view.flags.writeable = False
        return view

    # ---- Events and ends ----------------------------------------------------------------------------------------------

    @property
    def events(self) -> npt.NDArray[Any]:
        """The events of the last advance, in the order of index and then of moment: a structured array (:data:`EVENT`)."""
        with self._turn:
            return self._list(library.events, EVENT)

    # ---- The ends of changes ------------------------------------------------------------------------------------------

    @property
    def outcomes(self) -> npt.NDArray[Any]:
        """The changes that have ended, of calls that asked for their completion: a structured array (:data:`OUTCOME`).

        Each is told once, with the advance that ends it, or that comes after the call that ends it. A change ends when it has
        ended for all of its tracks. It never does while one of them repeats for ever, has a spring without damping, or is
        paused. It is complete at once for a track for which the call has nothing to do.
        """
        with self._turn:
            return self._list(library.outcomes, OUTCOME)

    @property
    def track_outcomes(self) -> npt.NDArray[Any]:
        """How changes have ended for their tracks, one by one: a structured array (:data:`TRACK_OUTCOME`)."""
        with self._turn:
            return self._list(library.track_outcomes, TRACK_OUTCOME)
