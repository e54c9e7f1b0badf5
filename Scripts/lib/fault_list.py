# SPDX-License-Identifier: MIT
"""Reads the list of planted faults; the top of the list describes its entries."""
import dataclasses


class FaultError(Exception):
    """A mistake in the list, the copy or the programs that run in it."""


@dataclasses.dataclass
class Edit:
    """Lines of a file, and the lines that replace them."""

    path: str
    old: list[str] = dataclasses.field(default_factory=list)
    new: list[str] = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Fault:
    """An entry of the list."""

    number: int
    area: str
    text: str
    # The commit that mended this mistake in the past; empty if it never was in the sources.
    history: str = ""
    catcher: str = ""
    edits: list[Edit] = dataclasses.field(default_factory=list)
    # The edits as text, with their lines; known once they were matched.
    places: list[str] = dataclasses.field(default_factory=list)


def read_faults(path):
    """Return the faults of a list, in its order."""
    faults = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            read_line(line, faults)
        except FaultError as error:
            raise FaultError(f"{path}:{number}: {error}") from None
    for fault in faults:
        if not fault.catcher or not fault.edits or not all(edit.old and edit.new for edit in fault.edits):
            raise FaultError(f"{path}: fault {fault.number} needs a file, lines to take, lines to put, and a catcher")
        if not any("FAULT" in line for edit in fault.edits for line in edit.new):
            raise FaultError(f"{path}: fault {fault.number} would always be awake: none of its lines says FAULT")
    return faults


def read_line(line, faults):
    """Read one line of the list."""
    if not line or line.startswith("#"):
        return
    if line[0] in "-+":
        if not faults or not faults[-1].edits:
            raise FaultError("a line of an edit before its file")
        edit = faults[-1].edits[-1]
        (edit.old if line[0] == "-" else edit.new).append(line[1:])
        return
    key, _, value = line.partition(": ")
    if key == "fault":
        area, _, text = value.partition(": ")
        faults.append(Fault(len(faults) + 1, area, text))
    elif not faults:
        raise FaultError(f"“{key}” before the first fault")
    elif key == "mended":
        faults[-1].history = value
    elif key == "file":
        faults[-1].edits.append(Edit(value))
    elif key == "caught by":
        faults[-1].catcher = value
    else:
        raise FaultError(f"“{key}” is none of fault, mended, file, caught by")


def areas(faults):
    """Return the areas of faults, in their order."""
    return list(dict.fromkeys(fault.area for fault in faults))


def spread(faults, count):
    """Return `count` faults, as evenly from all areas as possible: the first ones of each."""
    queues = [[fault for fault in faults if fault.area == area] for area in areas(faults)]
    chosen = []
    while len(chosen) < count:
        for queue in queues:
            if queue and len(chosen) < count:
                chosen.append(queue.pop(0))
    return sorted(chosen, key=lambda fault: fault.number)
