# SPDX-License-Identifier: MIT
"""Uses the library through ctypes: types, errors, springs against their closed form, keyframes, events and a bake.

    python3 smoke.py LIBRARY HEADER
"""
import ctypes as c
import math
import re
import sys


class Track(c.Structure):
    _fields_ = [("index", c.c_uint32), ("generation", c.c_uint32), ("store", c.c_uint32)]


class Spring(c.Structure):
    _fields_ = [("form", c.c_int32), ("reserved", c.c_int32), ("parameters", c.c_double * 3)]


class Curve(c.Structure):
    _fields_ = [("kind", c.c_int32), ("reserved", c.c_int32), ("points", c.c_double * 4)]


class Modifier(c.Structure):
    _fields_ = [("kind", c.c_int32), ("reserved", c.c_int32), ("value", c.c_double)]


class Animation(c.Structure):
    _fields_ = [
        ("kind", c.c_int32), ("modifier_count", c.c_int32), ("spring", Spring), ("initial_velocity", c.c_double),
        ("curve", Curve), ("duration", c.c_double), ("modifiers", Modifier * 8)]


class Event(c.Structure):
    _fields_ = [
        ("time", c.c_double), ("number", c.c_int64), ("track", Track), ("change", c.c_uint32), ("kind", c.c_int32),
        ("reserved", c.c_int32)]


class Keyframe(c.Structure):
    _fields_ = [
        ("kind", c.c_int32), ("flags", c.c_int32), ("to", c.c_double), ("duration", c.c_double), ("curve", Curve),
        ("spring", Spring), ("start_velocity", c.c_double), ("end_velocity", c.c_double)]


class Request(c.Structure):
    _fields_ = [
        ("start", c.c_double), ("frames_per_second", c.c_double), ("first_frame", c.c_int64),
        ("frame_count", c.c_int64), ("first_index", c.c_int32), ("index_count", c.c_int32),
        ("first_component", c.c_int32), ("component_count", c.c_int32), ("order", c.c_int32), ("reserved", c.c_int32)]


library = c.CDLL(sys.argv[1])
library.murmuration_error_message.restype = c.c_char_p
library.murmuration_error_name.restype = c.c_char_p
header = open(sys.argv[2], encoding="utf-8").read()
codes = {name: int(value) for name, value in re.findall(r"MURMURATION_(\w+) = (-?\d+)", header)}
WITH_VELOCITIES, ALL = 1, -1


def call(function, *arguments):
    """Calls a function, and raises an error in its words unless it succeeds."""
    status = getattr(library, "murmuration_" + function)(*arguments)
    if status:
        words = library.murmuration_error_message().decode()
        raise RuntimeError(library.murmuration_error_name(status).decode(), words)


def floats(*numbers):
    return (c.c_float * len(numbers))(*numbers)


assert [c.sizeof(t) for t in (Spring, Curve, Animation, Event, Keyframe, Request)] == [32, 40, 224, 40, 112, 56]
assert library.murmuration_abi_version() == int(re.search(r"ABI_VERSION (\d+)", header)[1])

# A critical spring of half a second: 1 - (1 + wt) exp(-wt).
count = 1000
batch, tracks = c.c_uint32(), (Track * count)()
call("batch_create", 1, 0, c.c_double(0), c.byref(batch))
call("add", batch, floats(0), 0, 0, tracks, count)
spring = Animation(kind=codes["SPRING"], spring=Spring(parameters=(0.5, 0, 0)))
change = c.c_uint32()
call("animate", batch, tracks, 0, count, floats(1), 0, 0, c.byref(spring), None, 0, c.byref(change))
call("advance", batch, c.c_double(0.2), WITH_VELOCITIES)
values = (c.c_float * count)()
call("read", batch, codes["VALUES"], None, 0, ALL, values, 1, 1)
angle = 2 * math.pi / 0.5 * 0.2
assert abs(values[17] - (1 - (1 + angle) * math.exp(-angle))) < 1e-6, values[17]
call("advance", batch, c.c_double(9), 0)
events, event_count = c.POINTER(Event)(), c.c_int32()
call("events", batch, c.byref(events), c.byref(event_count))
settled = [event for event in events[:event_count.value] if event.kind == codes["SETTLED"]]
assert len(settled) == count and all(event.change == change.value for event in settled)

# Keyframes, baked track by track.
clip, duration = Track(), c.c_double()
frames = (Keyframe * 2)(
    Keyframe(kind=codes["LINEAR_KEYFRAME"], to=10, duration=1),
    Keyframe(kind=codes["LINEAR_KEYFRAME"], to=0, duration=1))
initial, counts = (c.c_double * 1)(0), (c.c_int32 * 1)(2)
call("load_clip", batch, initial, frames, counts, 1, c.c_double(0), c.byref(clip), c.byref(duration))
assert duration.value == 2
call("play_clip", batch, c.byref(clip), tracks, 0, 1, None, 0, codes["FIRST_VALUE"], 0, None)
baked = (c.c_float * 5)()
request = Request(9, 2, 0, 5, 0, 1, 0, ALL, codes["TRACK_MAJOR"], 0)
call("bake", batch, c.byref(request), None, 0, baked, None, c.c_int64(5))
assert all(abs(a - b) < 1e-5 for a, b in zip(baked, [0, 5, 10, 5, 0])), list(baked)

# Errors, and a batch that is gone.
for function, arguments, name in [
    ("advance", (batch, c.c_double(math.nan), 0), "invalidTime"),
    ("read", (batch, 0, None, 0, count + 1, values, 1, 1), "trackOutOfRange"),
    ("add", (batch, floats(math.inf), 0, 0, None, 1), "invalidValue"),
]:
    try:
        call(function, *arguments)
        raise SystemExit(f"{function} took bad arguments")
    except RuntimeError as error:
        assert error.args[0] == name and error.args[1], error
call("batch_free", batch)
assert library.murmuration_advance(batch, c.c_double(1), 0) == codes["UNKNOWN_OBJECT"]

bits = c.c_uint64()
call("same_bits", c.byref(bits))
assert bits.value == int(re.search(r"SAME_BITS UINT64_C\((\w+)\)", header)[1], 16), hex(bits.value)
print(f"smoke.py: {count} tracks, same bits {bits.value:016x}")
