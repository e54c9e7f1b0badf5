# SPDX-License-Identifier: MIT
"""Every verb with arrays of every layout and type, and with tracks that are named in every way: the bits of contiguous float32
and of handles."""
import numpy as np
import pytest

import murmuration
from murmuration import Curve, Keyframe, Spring, linear

_COUNT = 9


def _field(array):
    """The same numbers in fields of records, at odd addresses."""
    records = np.zeros(array.shape[0], np.dtype([("pad", "u1"), ("at", array.dtype, array.shape[1:])]))
    records["at"] = array
    return records["at"]


def _shifted(array):
    """The same numbers side by side at an odd address."""
    memory = np.zeros(array.nbytes + 1, np.uint8)
    memory[1:] = np.frombuffer(array.tobytes(), np.uint8)
    return memory[1:].view(array.dtype).reshape(array.shape)


def _spread(array):
    """The same numbers in a larger table, with others between them."""
    table = np.full([3 * size for size in array.shape], np.nan, array.dtype)
    part = table[tuple(slice(1, None, 3) for _ in array.shape)]
    part[...] = array
    return part


def _flipped(array):
    """The same numbers at negative strides."""
    turn = (slice(None, None, -1),) * array.ndim
    return np.ascontiguousarray(array[turn])[turn]


#: The same numbers as a contiguous array of float32.
LAYOUTS = {
    "negative strides": _flipped, "first rows last": lambda array: array[::-1].copy()[::-1], "columns": np.asfortranarray,
    "every third": _spread, "fields": _field, "odd address": _shifted, "lists": lambda array: array.tolist(),
    "negative strides of float64": lambda array: _flipped(array.astype(float)),
    "fields of float64": lambda array: _field(array.astype(float)), "odd float64": lambda array: _shifted(array.astype(float)),
    **{kind: lambda array, kind=kind: array.astype(kind) for kind in (
        "f2", ">f2", ">f4", "f8", ">f8", "g", "i1", "u1", "i2", ">i2", "u2", "i4", ">u4", "i8", "u8", "O")},
}


def _keyframes():
    return [(0, [Keyframe.linear(10, 1), Keyframe.cubic(4, 0.5)])] * 2


def _in_clips(verb):
    def call(batch, tracks, *arrays):
        batch.play(batch.load_clip(_keyframes()), tracks)
        verb(batch, tracks, *arrays)
    return call


def _in_phases(verb):
    return lambda batch, tracks, *arrays: batch.play_phases(
        batch.load_phases([[0, 1], [2, 3]], [linear(1)] * 2), tracks, **verb(*arrays))


def _following(verb):
    def call(batch, tracks, *arrays):
        batch.follow(tracks)
        verb(batch, tracks, *arrays)
    return call


#: Calls about tracks of two components with arrays of vectors and of numbers.
VERBS = {
    "animate": lambda batch, tracks, vectors, numbers: batch.animate(tracks, vectors, linear(1), delays=numbers),
    "animate each": lambda batch, tracks, vectors, numbers: batch.animate(tracks, vectors, [linear(2)] * len(numbers), delays=numbers),
    "retarget": lambda batch, tracks, vectors, numbers: batch.retarget(tracks, vectors, delays=numbers),
    "set": lambda batch, tracks, vectors, numbers: batch.set(tracks, vectors, vectors),
    "displace": lambda batch, tracks, vectors, numbers: batch.displace(tracks, vectors, vectors),
    "push": lambda batch, tracks, vectors, numbers: batch.push(tracks, vectors),
    "decelerate": lambda batch, tracks, vectors, numbers: batch.decelerate(
        tracks, vectors, within=(vectors[0], vectors[-1]), snap=vectors),
    "set goals": _following(lambda batch, tracks, vectors, numbers: batch.set_goals(tracks, vectors)),
    "follow tracks": lambda batch, tracks, vectors, numbers: batch.follow(
        tracks, leaders=batch.live(slice(0, len(numbers))), offsets=vectors),
    "vary": _in_clips(lambda batch, tracks, vectors, numbers: batch.vary(tracks, vectors, vectors)),
    "set speed": _in_clips(lambda batch, tracks, vectors, numbers: batch.set_speed(tracks, numbers)),
    "seek": _in_clips(lambda batch, tracks, vectors, numbers: batch.seek(tracks, numbers)),
    "play phases": _in_phases(lambda vectors, numbers: {"starts": numbers, "scales": vectors, "offsets": vectors}),
    "load phases": lambda batch, tracks, vectors, numbers: batch.play_phases(
        batch.load_phases(vectors, [linear(1)] * len(vectors)), tracks),
    "cancel delays": lambda batch, tracks, vectors, numbers: (batch.animate(None, [1, 1], delay=1), batch.cancel_delays(tracks)),
    "pause": lambda batch, tracks, vectors, numbers: (batch.animate(None, [1, 1]), batch.pause(tracks)),
    "resume": lambda batch, tracks, vectors, numbers: (batch.animate(None, [1, 1]), batch.pause(), batch.resume(tracks)),
    "stop": lambda batch, tracks, vectors, numbers: (batch.animate(None, [1, 1]), batch.stop(tracks)),
    "trigger": lambda batch, tracks, vectors, numbers: (
        batch.play_phases(batch.load_phases([[0, 1], [2, 3]]), loops=False), batch.trigger(tracks)),
    "live": lambda batch, tracks, vectors, numbers: batch.stop(batch.live(tracks)),
    "remove": lambda batch, tracks, vectors, numbers: batch.remove(tracks),
    "read": lambda batch, tracks, vectors, numbers: batch.set(slice(0, len(numbers)), batch.read(tracks)),
    "read halves": lambda batch, tracks, vectors, numbers: batch.set(
        slice(0, len(numbers)), batch.read(tracks, out=np.zeros((len(numbers), 2), np.float16))),
    "bake": lambda batch, tracks, vectors, numbers: batch.set(
        slice(0, len(numbers)), batch.bake(times=numbers, tracks=tracks)[1]),
}


def _shown(verb, tracks, vectors, numbers):
    """The bits of frames after a call about the tracks of a batch that `tracks` names."""
    with murmuration.Batch(2) as batch:
        dots = batch.add(np.arange(2 * _COUNT).reshape(_COUNT, 2))
        batch.animate(None, [50, 20])
        batch.advance(0.1)
        VERBS[verb](batch, tracks(dots), vectors, numbers)
        frames = []
        for seconds in 0.2, 1.4, 3.1, 9:
            batch.advance(seconds, velocities=True)
            frames += [batch.values.tobytes(), batch.velocities.tobytes(), batch.targets.tobytes()]
        return frames


@pytest.mark.parametrize("verb", VERBS)
def test_arrays_of_every_layout_give_the_same_bits(verb, random):
    vectors, numbers = (random.integers(1, 9, shape).astype(np.float32) for shape in ((_COUNT, 2), _COUNT))
    vectors[0], vectors[-1] = 0, 9
    expected = _shown(verb, lambda dots: dots, vectors, numbers)
    for name, layout in LAYOUTS.items():
        assert _shown(verb, lambda dots: dots, layout(vectors), layout(numbers)) == expected, name


def test_other_functions_take_every_layout(random):
    vectors, numbers = (random.integers(1, 9, shape).astype(np.float32) for shape in ((_COUNT, 4), _COUNT))
    start = np.zeros(_COUNT, np.float32)

    def stepped(array):
        values, speeds = start.copy(), start.copy()
        murmuration.spring_step(Spring(), values, speeds, array, 0.1)
        return values + speeds

    def tracked(array):
        with murmuration.VelocityTrackers(_COUNT, 4) as trackers:
            trackers.record(np.zeros((_COUNT, 4)), 0)
            trackers.record(array, 0.01)
            return trackers.velocities(0.01)

    def mixed(array):
        layer = murmuration.Layer(array, base=array[0])
        with murmuration.Mixer(array[2], [layer], 2) as mixer:
            mixer.set([range(_COUNT)] * 2)
            return mixer.mix()

    def sparks(array):
        with murmuration.Particles(position=2, color=2) as particles:
            particles.add(array)
            return np.concatenate([particles["position"].values, particles["color"].values])

    for function, array in [
        (lambda array: murmuration.spring_values(murmuration.Springs(array, 0.1), array, array, array, array), numbers),
        (lambda array: murmuration.spring_values(Spring(), array, target=numbers), numbers), (stepped, numbers),
        (lambda array: murmuration.ease(Curve.EASE_IN, array, 1, array), numbers),
        (lambda array: Spring().value(array), numbers), (lambda array: Curve.EASE_IN.value(array), numbers),
        (tracked, vectors), (mixed, vectors), (sparks, vectors),
        (lambda array: murmuration.convert_colors(array, "linear", "oklab"), vectors),
    ]:
        expected = function(array)
        for name, layout in LAYOUTS.items():
            # Numbers of one byte are colours of a file.
            if name != "u1" or array is numbers or function in (tracked, mixed, sparks):
                np.testing.assert_allclose(function(layout(array)), expected, rtol=1e-3 if "f2" in name else 1e-6, err_msg=name)


def test_numbers_are_written_to_arrays_of_every_layout(random):
    start = random.normal(size=(_COUNT, 2)).astype(np.float32)
    with murmuration.Batch(2) as batch, murmuration.Batch() as line:
        dots, places = batch.add(start), line.add(start[:, 0])
        for name in "negative strides", "first rows last", "columns", "every third", "fields", "odd address":
            out, single = LAYOUTS[name](np.zeros_like(start)), LAYOUTS[name](np.zeros(_COUNT, np.float32))
            assert batch.read(dots, out=out) is out and np.array_equal(out, start), name
            assert np.array_equal(line.read(places, out=single), start[:, 0]), name


#: Ways to name the tracks with the indices 1, 4 and 7, and whether from the last to the first.
WAYS = {
    "slice": (slice(1, 8, 3), False), "range": (range(1, 8, 3), False), "list": ([1, 4, 7], False),
    "mask": (np.arange(_COUNT) % 3 == 1, False), "list of bools": ([index % 3 == 1 for index in range(_COUNT)], False),
    "every second index": (np.array([1, 0, 4, 0, 7])[::2], False), "downwards": (slice(7, 0, -3), True),
    "range downwards": (range(7, -1, -3), True), "to the first": (slice(7, None, -3), True),
    "array read backwards": (np.array([1, 4, 7])[::-1], True), "mask read backwards": ((np.arange(_COUNT) % 3 == 1)[::-1], False),
    **{kind: (np.array([7, 4, 1], kind), True) for kind in ("i1", "u1", "i2", ">i2", "u2", "i4", ">u4", "i8", "u8", ">i8")},
}


@pytest.mark.parametrize("verb", VERBS)
def test_tracks_are_named_in_every_way(verb, random):
    vectors, numbers = (random.integers(1, 9, shape).astype(np.float32) for shape in ((3, 2), 3))
    vectors[0], vectors[-1] = 0, 9
    expected = [_shown(verb, lambda dots: dots[order], vectors, numbers) for order in ([1, 4, 7], [7, 4, 1])]
    for name, (way, downwards) in WAYS.items():
        assert _shown(verb, lambda dots: way, vectors, numbers) == expected[downwards], name


def test_particles_and_pointers_are_named_in_every_way():
    for way, _ in WAYS.values():
        with murmuration.Particles(position=2) as sparks, murmuration.VelocityTrackers(_COUNT) as trackers:
            some = sparks.add(_COUNT)
            sparks.remove(way)
            assert sparks["position"].live() == some[[0, 2, 3, 5, 6, 8]]
            trackers.record(0, 0)
            trackers.reset(way)
            trackers.record(1, 0.01)
            assert np.flatnonzero(trackers.velocities(0.01) == 0).tolist() == [1, 4, 7]


@pytest.mark.parametrize("way, kind, words", [
    ([0, 9], IndexError, r"range\(9\), are 0 to 9"), ([-1], IndexError, "are -1 to -1"), (np.array([2**63], "u8"), IndexError, "range"),
    (range(0, 13, 4), IndexError, "0 to 12"), (range(7, -3, -3), IndexError, "are -2 to 7"),
    (slice(-3, None, 2), ValueError, "0 or more"), (slice(None, -1, 2), ValueError, "0 or more"), (slice(0, 4, 0), ValueError, "step of 0"),
    (slice(0, "b", 2), TypeError, "whole number"), (slice(0, 4, 1.5), TypeError, "whole number"),
    (np.ones(8, bool), IndexError, r"\(9,\).*\(8,\)"), ([True, False], IndexError, r"\(9,\).*\(2,\)"),
    (np.ones((9, 1), bool), IndexError, "mask"), (np.zeros((2, 3), np.uint32), ValueError, "made Tracks"),
    (np.array([1.0]), TypeError, "float64"), (["a"], TypeError, "list"), ("all", TypeError, "str"), (np.array(["a"]), TypeError, "U1"),
    ([2, 3], IndexError, "no track at index 3"), (slice(None, None, 3), IndexError, "no track at index 3"),
])
@pytest.mark.parametrize("verb", VERBS)
def test_tracks_that_cannot_be_named(verb, way, kind, words):
    with murmuration.Batch(2) as batch:
        dots = batch.add(np.zeros((_COUNT, 2)))
        batch.remove(dots[3])
        if verb in ("cancel delays", "pause", "resume", "stop", "trigger", "live", "remove", "follow tracks"):
            verb = "animate"
        if verb == "set goals":
            batch.follow(None)
        before = batch.latest_change, batch.values.tobytes()
        with pytest.raises(kind, match=words) as caught:
            call = VERBS[verb] if verb in ("animate", "set", "push", "read", "bake") else VERBS["displace"]
            call(batch, way, np.zeros((2, 2)), [1, 2])
        assert isinstance(caught.value, murmuration.Error)
        assert (batch.latest_change, batch.values.tobytes()) == before


def test_no_tracks_are_named():
    with murmuration.Batch(2) as batch:
        for way in [], np.zeros(0, int), range(5, 5, 2), slice(0, 0, -1), np.zeros(0, bool):
            batch.stop(way)
            assert batch.read(way).shape == (0, 2)
        batch.add(np.zeros((3, 2)))
        batch.stop([])
        assert not len(batch.live([False] * 3))


def test_tracks_are_iterated_and_kept():
    with murmuration.Batch() as batch:
        dots = batch.add(np.arange(1000))
        ones = list(dots[100:])
        assert ones[3] == dots[103] == dots[-897] and ones[-1].indices.tolist() == [999]
        del dots
        assert [one.handles.tolist() for one in ones[:2]] == batch.live([100, 101]).handles[:, None].tolist()
        for one in ones:
            batch.set(one, 5)
        assert (batch.values[100:] == 5).all() and batch.values[99] == 99
        columns = ones[0].handles.astype(np.int64)
        assert murmuration.Tracks(columns) == murmuration.Tracks(columns.astype(">i8")[::-1]) == ones[0]
        with pytest.raises(ValueError, match="32 bits"):
            murmuration.Tracks(np.array([[-1, 0, 0]]))


def test_what_objects_say_of_themselves():
    with murmuration.Batch(2) as batch:
        dots = batch.add(np.zeros((5, 2)))
        batch.animate(dots[:3], [1, 1])
        batch.advance(0.25)
        assert repr(batch) == "<Batch of 5 tracks of 2 components at 0.25 s, 3 moving>"
        assert repr(batch.snapshot()) == "<Snapshot of 5 tracks of 2 components at 0.25 s>"
        assert repr(dots) == "<5 tracks>" and repr(dots[3]) == "<track 3>"
    assert repr(batch) == "<Batch, closed>"
    with murmuration.Particles(position=2, opacity=1) as sparks:
        sparks.add(1)
        assert repr(sparks) == "<Particles of 1 track with position 2, opacity 1 at 0 s>"
        assert repr(sparks["opacity"]) == "<Property of 1 track of 1 component at 0 s, 0 moving>"
        with sparks._turn:
            assert "under way" in repr(sparks)
    assert repr(murmuration.VelocityTrackers(3, 2)) == "<VelocityTrackers of 3 tracks of 2 components>"
    assert repr(murmuration.Springs([1, 2])) == "<Springs of the shape (2,)>"
    for text in (
        "Spring(0.5, 0.3)", "Spring.response(0.5, 0.7)", "Spring.stiffness(100, 10)", "Spring.settling(1, 0.5, epsilon=0.01)",
        "Spring.stiffness(100, 10, mass=2, overdamped=True)", "Curve.EASE_IN", "Curve.EASE_OUT_BACK", "Curve.bezier(0, 0.1, 0.2, 1)",
        "spring(0.5, 0.3).repeat(2).delay(1)", "spring(Spring.response(0.5, 0.7)).speed(2)",
        "interpolating_spring(0.4, 0.1, initial_velocity=2).repeat_forever(autoreverses=False)", "spring(1, 0).repeat_forever()",
        "curve(Curve.LINEAR, 1).repeat(3, autoreverses=False).logically_complete_after(2)", "Keyframe.move(1)",
        "Keyframe.linear(1, 2, timing=Curve.EASE_IN)", "Keyframe.cubic(1, 2, end_velocity=0)", "Playback()",
        "Keyframe.spring(1, Spring(0.3, 0.1), duration=2)", "Playback(speed=-1, autoreverses=True)",
    ):
        assert repr(eval(text, vars(murmuration))) == text
