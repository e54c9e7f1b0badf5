# SPDX-License-Identifier: MIT
"""The library for C: its types, its functions and its errors."""

from __future__ import annotations

import ctypes as c
import os
import pathlib
import re
from typing import Any, Callable

ABI_VERSION = 1
ALL = -1
GRID = -1


class Error(Exception):
    """The package refused a call. Nothing has changed.

    The subclasses are also the errors that Python programs expect: ``ValueError``, ``TypeError``, ``IndexError``,
    ``KeyError``, ``RuntimeError``, ``MemoryError``, ``OSError`` and ``BufferError``.

    Attributes:
        code: The code of the C library, negative.
        name: The name of the code, such as ``"staleHandle"``.
    """

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.name = NAMES.get(code, "unknown")

    def __str__(self) -> str:
        return self.message

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.code, self.message)


class InvalidValue(Error, ValueError):
    """A number, a shape or a stride is out of its range."""


class InvalidType(Error, TypeError):
    """An argument is none of the types that the call takes: no numbers, or an array to write to that is not float32."""


class OutOfRange(Error, IndexError):
    """An index is not below the number of indices, or a component not below the dimensions."""


class UnknownHandle(Error, KeyError):
    """A track, clip or sequence of phases is gone, or belongs to another batch."""


class StateError(Error, RuntimeError):
    """The batch cannot do that now, or is closed."""


class Busy(StateError):
    """Another thread is in a call about the same object."""


class Lent(Error, BufferError):
    """The call may move memory that a view of :meth:`Batch.column` shows."""


class OutOfMemory(Error, MemoryError):
    """There is no memory for the tracks, clips or arrays of a call, or no number for another object."""


class FileError(Error, OSError):
    """A file cannot be read, or does not hold what it should."""


NULL_POINTER, UNKNOWN_OBJECT, BUSY, INVALID_COUNT, INVALID_STRIDE, INVALID_CODE = -1, -2, -3, -4, -5, -6
INVALID_VALUE, TRACK_OUT_OF_RANGE, CAPACITY_EXCEEDED = -24, -23, -52

_KINDS: dict[type[Error], tuple[int, ...]] = {
    StateError: (UNKNOWN_OBJECT, -8, -53, -54, -56, -58, -59, -60, -61, -62, -63, -64),
    Busy: (BUSY,),
    OutOfMemory: (-7, -52),
    OutOfRange: (-22, -23),
    UnknownHandle: (-50, -51, -55, -57),
    FileError: (-38, -65),
}
_CLASSES = {code: kind for kind, codes in _KINDS.items() for code in codes}


# ---- Types of the header ---------------------------------------------------------------------------------------------


class CHandle(c.Structure):
    _fields_ = [("index", c.c_uint32), ("generation", c.c_uint32), ("store", c.c_uint32)]


class CSpring(c.Structure):
    _fields_ = [("form", c.c_int32), ("reserved", c.c_int32), ("parameters", c.c_double * 3)]


class CSpringInfo(c.Structure):
    _fields_ = [(name, c.c_double) for name in ("duration", "bounce", "damping_ratio", "mass", "stiffness", "damping")]


class CCurve(c.Structure):
    _fields_ = [("kind", c.c_int32), ("reserved", c.c_int32), ("points", c.c_double * 4)]


class CStagger(c.Structure):
    _fields_ = [
        ("seconds", c.c_double), ("is_total", c.c_int32), ("origin", c.c_int32), ("point", c.c_double * 2), ("seed", c.c_uint64),
        ("columns", c.c_int32), ("reserved", c.c_int32), ("ease", CCurve)]


class CModifier(c.Structure):
    _fields_ = [("kind", c.c_int32), ("reserved", c.c_int32), ("value", c.c_double)]


class CAnimation(c.Structure):
    _fields_ = [
        ("kind", c.c_int32), ("modifier_count", c.c_int32), ("spring", CSpring), ("initial_velocity", c.c_double),
        ("curve", CCurve), ("duration", c.c_double), ("modifiers", CModifier * 8)]


class CBatchInfo(c.Structure):
    _fields_ = [
        ("time", c.c_double), ("dimensions", c.c_int32), ("count", c.c_int32), ("index_count", c.c_int32),
        ("event_count", c.c_int32), ("clip_count", c.c_int32), ("called_count", c.c_int32),
        ("thread_count", c.c_int32), ("latest_change", c.c_uint32), ("reports", c.c_int32)]


class CWork(c.Structure):
    _fields_ = [("bytes", c.c_int64)] + [
        (name, c.c_int32) for name in (
            "springs", "effects", "clips", "following", "called", "paused", "still", "at_rest", "waiting", "in_phases",
            "uniform_tiles", "lane_wise_tiles", "effect_tiles", "clip_tiles", "piece_tiles", "following_tiles",
            "resting_tiles", "effect_count", "due_tracks", "computed_ends", "event_count", "reserved")]


class CTrackInfo(c.Structure):
    _fields_ = [
        ("rest_time", c.c_double), ("clip_time", c.c_double), ("next_step_time", c.c_double), ("motion", c.c_int32),
        ("phase", c.c_int32), ("is_at_rest", c.c_int32), ("is_paused", c.c_int32)]


class CKeyframe(c.Structure):
    _fields_ = [
        ("kind", c.c_int32), ("flags", c.c_int32), ("to", c.c_double), ("duration", c.c_double), ("curve", CCurve),
        ("spring", CSpring), ("start_velocity", c.c_double), ("end_velocity", c.c_double)]


class CPlayback(c.Structure):
    _fields_ = [
        ("start", c.c_double), ("delay", c.c_double), ("speed", c.c_double), ("iterations", c.c_double),
        ("time_offset", c.c_double), ("flags", c.c_int32), ("reserved", c.c_int32)]


class CBakeRequest(c.Structure):
    _fields_ = [
        ("start", c.c_double), ("frames_per_second", c.c_double), ("first_frame", c.c_int64),
        ("frame_count", c.c_int64), ("first_index", c.c_int32), ("index_count", c.c_int32),
        ("first_component", c.c_int32), ("component_count", c.c_int32), ("order", c.c_int32), ("reserved", c.c_int32)]


class CVertexLayout(c.Structure):
    _fields_ = [
        ("components", c.c_void_p), ("component_count", c.c_int32), ("format", c.c_int32), ("offset", c.c_int32),
        ("stride", c.c_int32), ("color_source", c.c_int32), ("color_destination", c.c_int32)]


class CLayer(c.Structure):
    _fields_ = [("kind", c.c_int32), ("flags", c.c_int32), ("shape_count", c.c_int32), ("reserved", c.c_int32)]


class CMixerInfo(c.Structure):
    _fields_ = [(name, c.c_int32) for name in ("output_count", "instance_count", "column_count", "term_count")]


class CSceneInfo(c.Structure):
    _fields_ = [
        ("frames_per_second", c.c_double), ("duration", c.c_double), ("frame_count", c.c_int64), ("seed", c.c_uint64),
        ("track_count", c.c_int32), ("dimensions", c.c_int32), ("group_count", c.c_int32), ("reserved", c.c_int32)]


class CSceneSettings(c.Structure):
    _fields_ = [
        ("frames_per_second", c.c_double), ("frame_count", c.c_int64), ("seed", c.c_uint64),
        ("track_count", c.c_int32), ("flags", c.c_int32)]


class CGroupInfo(c.Structure):
    _fields_ = [("first_track", c.c_int32), ("track_count", c.c_int32)]


class CGLTFInfo(c.Structure):
    _fields_ = [("duration", c.c_double), ("dimensions", c.c_int32), ("reserved", c.c_int32)]


class CReportInfo(c.Structure):
    _fields_ = [
        ("comparisons", c.c_int64), ("value_error", c.c_double), ("velocity_error", c.c_double), ("passed", c.c_int32),
        ("reserved", c.c_int32)]


# ---- Functions -------------------------------------------------------------------------------------------------------

# The arguments of each function: u for uint32_t, i for int32_t, q for int64_t, f for float, d for double, p for a pointer.
_SIGNATURES = {
    "version": "", "abi_version": "", "error_message": "", "error_name": "i", "same_bits": "p",
    "spring_describe": "pp", "spring_values": "pdddpipp", "spring_settling_duration": "pdddp", "curve_values": "ppipp",
    "batch_create": "iidp", "batch_free": "u", "batch_describe": "up", "reserve": "ui", "compact": "u",
    "set_thread_count": "ui", "set_rest_tolerance": "uff", "add": "upiipi", "remove": "upii", "remove_settled": "up",
    "remove_all": "u", "track_at": "uip", "live": "upiipp", "track_describe": "upp", "animate": "upiipiippip",
    "animate_each": "upiipiippip", "retarget": "upiipiipip", "cancel_delays": "upii", "follow": "upiipip",
    "follow_tracks": "upiipipiipip", "set_goals": "upiipii", "goals": "uipp", "set": "upiipiipiip",
    "displace": "upiipiipiip", "push": "upiipiip", "decelerate": "upiipiidppipip", "pause": "upii", "resume": "upii",
    "stop": "upii", "load_clip": "upppidpp", "unload_clip": "up", "playback_default": "p", "play_clip": "uppiipiiip",
    "set_speed": "upiipi", "seek": "upiipi", "vary": "upiipiipii", "load_phases": "uppiip", "unload_phases": "up",
    "play_phases": "uppiiippiipiip", "trigger": "upiiip", "advance": "udi", "advance_by": "udi", "events": "upp",
    "outcomes": "upp", "track_outcomes": "upp", "set_reports": "ui", "read": "uipiipii",
    "copy_vertices": "uipiippq", "convert_colors": "iipiipii", "column": "uiipp", "bake": "uppippq",
    "trackers_create": "iip", "trackers_free": "u", "trackers_record": "upiid", "trackers_velocities": "udpii",
    "trackers_reset": "uii",
    "batch_copy": "up", "snapshot_create": "up", "snapshot_update": "uu", "snapshot_free": "u", "restore": "uu",
    "snapshot_bytes": "upp", "snapshot_read": "pqp", "batch_from_snapshot": "up", "particles_from_snapshot": "uipp",
    "particles_snapshot_create": "up", "particles_snapshot_update": "uu", "particles_restore": "uu",
    "particles_create": "pipp", "particles_free": "u", "particles_add": "upiipi", "particles_remove": "upii",
    "particles_remove_settled": "up", "particles_advance": "udi", "particles_advance_by": "udi",
    "particles_events": "upp", "mixer_create": "pipipqip", "mixer_free": "u", "mixer_describe": "up",
    "mixer_set": "uiiiipii", "mixer_set_tracks": "uiiiuiii", "mixer_mix": "uiipii", "scene_open": "pp",
    "scene_open_json": "pqp", "scene_free": "u", "scene_describe": "up", "scene_group": "uip", "scene_text": "uiip",
    "scene_set": "up", "scene_bake": "uqqiiippq", "gltf_open": "pp", "gltf_open_bytes": "pqp", "gltf_free": "u",
    "gltf_count": "up", "gltf_describe": "uip", "gltf_text": "uiiip", "gltf_load_clip": "uiupp",
    "batch_work": "up", "record": "u", "recording": "up", "stop_recording": "u", "check": "pqp", "report_free": "u",
    "report_describe": "up", "report_text": "up", "springs_create": "pip", "springs_free": "u", "springs_values": "upipipipdipp",
    "springs_step": "upppidi", "ease": "pdpipipiip", "stagger_delays": "pip",
}
# The names in Python of the arguments that are a float or a double.
_NUMBERS = {
    "spring_values": ("start", "target", "velocity"), "spring_settling_duration": ("target", "velocity", "epsilon"),
    "batch_create": ("curve_tolerance",), "set_rest_tolerance": ("value", "velocity"), "decelerate": ("rate",),
    "load_clip": ("tolerance",), "advance": ("seconds",), "advance_by": ("seconds",), "trackers_record": ("seconds",),
    "trackers_velocities": ("seconds",), "particles_advance": ("seconds",), "particles_advance_by": ("seconds",),
    "springs_values": ("times",), "springs_step": ("seconds",), "ease": ("tolerance",),
}
_TYPES = {"u": c.c_uint32, "i": c.c_int32, "q": c.c_int64, "f": c.c_float, "d": c.c_double, "p": c.c_void_p}


class Library:
    """The functions of the library, by their names without ``murmuration_``."""

    def __init__(self, path: str) -> None:
        try:
            library = c.CDLL(path)
        except OSError as fault:
            raise ImportError(
                f"the library for C of this package cannot be loaded: {fault}. Install a wheel of Scripts/build-wheel, or name "
                "a library of Scripts/build-c in the environment variable MURMURATION_LIBRARY") from None
        for name, letters in _SIGNATURES.items():
            function = getattr(library, "murmuration_" + name, None)
            if function is not None:
                function.argtypes = [_TYPES[letter] for letter in letters]
                function.restype = c.c_int32
                setattr(self, name, function)
        for name in ("version", "error_message", "error_name"):
            getattr(self, name).restype = c.c_char_p
        version = self.abi_version()
        if version != ABI_VERSION:
            raise ImportError(f"{path} has the binary interface {version}; this package needs {ABI_VERSION}")

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name not in _SIGNATURES:
            raise AttributeError(name)
        raise NotImplementedError(f"this build of the library has no function murmuration_{name}")


def _library_path() -> str:
    path = os.environ.get("MURMURATION_LIBRARY")
    if path:
        return path
    return str(pathlib.Path(__file__).with_name("libmurmuration-c.so"))


library = Library(_library_path())
NAMES: dict[int, str] = {
    code: name for code in range(-99, 1) if (name := library.error_name(code).decode()) != "unknown"}


# Words of messages that belong to Swift and C, and the words of Python.
_WORDS = [
    (re.compile(r"\b0\.\.<(\d+)"), r"range(\1)"),
    (re.compile(r"\bNULL\b"), "None"),
]


def error(status: int) -> Error:
    """The error of a status, in the words of the last call of this thread that failed."""
    message = library.error_message().decode()
    for words, ours in _WORDS:
        message = words.sub(ours, message)
    return _CLASSES.get(status, InvalidValue)(status, message)


def busy() -> Error:
    return Busy(BUSY, "another call about this object is under way")


def misfit(function: Any, arguments: tuple[Any, ...], fault: Exception) -> Error:
    """The error of an argument that is no number."""
    name = function.__name__.removeprefix("murmuration_")
    places = [place for place, letter in enumerate(_SIGNATURES[name]) if letter in "fd"]
    for place, argument in zip(places, _NUMBERS.get(name, ())):
        try:
            c.c_double(arguments[place])
        except TypeError:
            return InvalidType(INVALID_CODE, f"{argument} must be a number, is {arguments[place]!r}")
        except OverflowError as overflow:
            return InvalidValue(INVALID_VALUE, f"{argument} is out of range: {overflow}")
    return InvalidType(INVALID_CODE, str(fault))


def call(function: Any, *arguments: Any) -> None:
    """Calls a function, and raises the error of its status if that is one."""
    try:
        status = function(*arguments)
    except c.ArgumentError as fault:
        raise misfit(function, arguments, fault) from None
    if status:
        raise error(status)
