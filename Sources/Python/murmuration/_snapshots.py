# SPDX-License-Identifier: MIT
"""The state of a batch, or of particles, at one time."""

from __future__ import annotations

import ctypes as c
from typing import Any

from ._arrays import octets
from ._library import INVALID_CODE, InvalidType, library
from ._owner import Owner


class Snapshot(Owner):
    """The state of a batch at one time, to which it can go back: see :meth:`Batch.snapshot`.

    ``bytes(snapshot)`` goes to a file or to another process, and ``pickle`` takes it: a version, the length, a checksum, and
    the whole state with its clips, phases and animations. Machines of one byte order and word size read each other's.
    """

    @classmethod
    def from_bytes(cls, data: bytes) -> Snapshot:
        """The snapshot of some bytes. The batch of this process that it is of goes back to it.

        Bytes of another version or kind of machine, and bytes that were cut or damaged, raise :class:`FileError`. The
        checksum finds damage, and nothing finds intent: as with ``pickle``, read no bytes of strangers.
        """
        data = octets("data", data)
        return cls(library.snapshot_free, library.snapshot_read, data, len(data))

    def __bytes__(self) -> bytes:
        start, count = c.c_void_p(), c.c_int64()
        with self._turn:
            self._ask(library.snapshot_bytes, c.byref(start), c.byref(count))
            return c.string_at(start.value or 0, count.value)

    def __reduce__(self) -> tuple[Any, ...]:
        return Snapshot.from_bytes, (bytes(self),)

    def _said(self) -> str:
        return self._words

    #: What is said of the batch or the particles that it is of.
    _words = ""
    #: The changes whose ends are to be told, by the names of properties; none for those of bytes.
    _waited: dict[str, frozenset[int]] | None = None

    @staticmethod
    def _check(snapshot: Any) -> None:
        """Refuses what is no snapshot."""
        if not isinstance(snapshot, Snapshot):
            raise InvalidType(INVALID_CODE, f"a snapshot is what a batch's snapshot() gives, not {snapshot!r}")
