# SPDX-License-Identifier: MIT
"""Objects of the library, which one thread uses at a time."""

from __future__ import annotations

import ctypes as c
import threading
import weakref
from types import TracebackType
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ._library import BUSY, INVALID_CODE, UNKNOWN_OBJECT, InvalidType, Lent, StateError, busy, call, error, misfit

if TYPE_CHECKING:
    from typing_extensions import Self


class Owner:
    """An object of the library, which one thread uses at a time, and which ends with this object."""

    _free: Any = None

    def __init__(self, free: Any, function: Any, *arguments: Any) -> None:
        """Makes the object by a function, whose last argument gets its number."""
        # In place before the object is there, so that an interrupt leaves none behind.
        self._made = c.c_uint32()
        self._free = free
        self._version = 0
        # Where calls write the number of a change.
        self._changed = c.c_uint32()
        self._changed_at = c.byref(self._changed)
        self._lock: Any = threading.Lock()
        self._lent: list[weakref.ref[Any]] = []
        if function is not None:
            call(function, *arguments, c.byref(self._made))
        self._number: int = self._made.value

    def __repr__(self) -> str:
        name = type(self).__name__
        if self._free is None and self._made.value:
            return f"<{name}, closed>"
        try:
            with self._turn:
                return f"<{name}{self._said()}>"
        except StateError as fault:
            return f"<{name}: {fault}>"

    def _said(self) -> str:
        """What is said of the object behind its name. The caller has its turn."""
        return ""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __del__(self) -> None:
        if self._free is not None:
            self._free(self._made.value)

    def __reduce__(self) -> tuple[Any, ...]:
        raise InvalidType(
            INVALID_CODE, f"a {type(self).__name__} lives in its process and cannot be pickled; send what makes it")

    @property
    def _turn(self) -> Any:
        """The lock of the object. A call takes it by `with` from its first look at the object to its last, so that nobody
        changes the number of tracks after an array was made for it.

        No interrupt comes between `with` taking a lock of Python's and the block, or between the block and giving it back:
        so no interrupt leaves an object in use. Of two calls that begin at the same moment, one may wait for the other.
        """
        if self._lock.locked():
            raise busy()
        return self._lock

    def close(self) -> None:
        """Frees the memory. Every later call is an error. Closing twice does nothing."""
        if self._free is None:
            return
        with self._turn:
            if self._lent:
                self._refuse_if_lent()
            status = self._free(self._number)
            # An interrupt may have ended a call of this function that had freed the object.
            if status not in (0, UNKNOWN_OBJECT):
                raise error(status)
            self._free = None

    def _change(self, function: Any, *arguments: Any) -> int:
        """Makes a call that may change or move what the object holds. The caller has its turn.

        Returns:
            The number of the change, if `_changed_at` is among the arguments.
        """
        if self._lent:
            self._refuse_if_lent()
        # First, so that an interrupt after the call finds no array up to date that is not.
        self._version += 1
        self._ask(function, *arguments)
        return self._changed.value

    def _ask(self, function: Any, *arguments: Any) -> None:
        """Makes a call that changes nothing. The caller has its turn."""
        try:
            status = function(self._number, *arguments)
        except c.ArgumentError as fault:
            raise misfit(function, (self._number, *arguments), fault) from None
        if status:
            raise error(status)

    def _list(self, function: Any, kind: np.dtype[Any]) -> npt.NDArray[Any]:
        """A copy of the list that a function lends. The caller has its turn."""
        start, count = c.c_void_p(), c.c_int32()
        self._ask(function, c.byref(start), c.byref(count))
        if not count.value:
            return np.empty(0, kind)
        lent = (c.c_char * (count.value * kind.itemsize)).from_address(start.value or 0)
        return np.frombuffer(bytearray(lent), kind)

    def _lent_text(self, function: Any, *arguments: int) -> str:
        """A copy of a text that a function lends until the next one."""
        text = c.c_char_p()
        with self._turn:
            self._ask(function, *arguments, c.byref(text))
            return (text.value or b"").decode()

    def _refuse_if_lent(self) -> None:
        self._lent[:] = [lease for lease in self._lent if lease() is not None]
        if self._lent:
            raise Lent(
                BUSY, f"{len(self._lent)} views of columns are in use, and the call may move what they show: copy or delete them "
                "first")
