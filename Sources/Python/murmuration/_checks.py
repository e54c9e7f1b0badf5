# SPDX-License-Identifier: MIT
"""Checks of recorded calls against the reference, and of bits."""

from __future__ import annotations

import ctypes as c
from dataclasses import dataclass

from ._library import INVALID_CODE, CReportInfo, InvalidType, InvalidValue, call, library
from ._owner import Owner


@dataclass(frozen=True)
class CheckReport:
    """What came of playing a recording on a batch and on the reference.

    Attributes:
        passed: Whether the batch does as the reference says.
        comparisons: Components that were compared, each with its velocity.
        value_error, velocity_error: The largest errors, in units of their bounds.
        text: The errors with places and times, and if the check failed, the shortest program that still fails, as Swift
            source.
    """

    passed: bool
    comparisons: int
    value_error: float
    velocity_error: float
    text: str

    def __str__(self) -> str:
        return self.text


def check(recording: str | bytes) -> CheckReport:
    """Plays a recording on a new batch and on the reference in double precision, and compares the two.

    Values, velocities, targets, events and counts are compared after every advance. If the check fails, it plays up to 4000
    shorter recordings to find the shortest that fails.

    Args:
        recording: The text of :attr:`Batch.recording`.
    """
    if not isinstance(recording, (str, bytes)):
        raise InvalidType(INVALID_CODE, f"recording must be the text of a recording, is {type(recording).__name__}")
    try:
        data = recording.encode() if isinstance(recording, str) else recording
    except UnicodeEncodeError as fault:
        raise InvalidValue(INVALID_CODE, f"recording must be text of Unicode: {fault}") from None
    info = CReportInfo()
    with Owner(library.report_free, library.check, data, len(data)) as report:
        with report._turn:
            report._ask(library.report_describe, c.byref(info))
        text = report._lent_text(library.report_text)
    return CheckReport(bool(info.passed), info.comparisons, info.value_error, info.velocity_error, text)


def same_bits() -> int:
    """Runs springs, curves, clips and phases, and gives a hash of all bits: the same on every processor."""
    number = c.c_uint64()
    call(library.same_bits, c.byref(number))
    return number.value
