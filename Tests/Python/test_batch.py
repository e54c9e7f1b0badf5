# SPDX-License-Identifier: MIT
"""Batches: springs against their closed form, events, keyframes, phases and baking."""
import ctypes as c
import dataclasses
import gc
import importlib.metadata
import math
import os
import pickle
import re
import threading

import numpy as np
import pytest

import murmuration
from murmuration import Animation, Curve, EventKind, Keyframe, Motion, Playback, Spring, _library


def test_the_library_is_the_one_of_the_header():
    assert murmuration.__version__ == "0.1.0"
    assert murmuration.same_bits() == 0x4E4B347432DDAACD


def test_a_critical_spring_is_its_closed_form(batch):
    dots = batch.add(np.zeros((1000, 2), np.float32))
    batch.animate(dots, [1, -2], murmuration.spring(0.5))
    batch.advance(0.2, velocities=True)
    angle = 2 * math.pi / 0.5 * 0.2
    value = 1 - (1 + angle) * math.exp(-angle)
    speed = (2 * math.pi / 0.5) * angle * math.exp(-angle)
    np.testing.assert_allclose(batch.values, np.tile([value, -2 * value], (1000, 1)), atol=2e-6)
    np.testing.assert_allclose(batch.velocities, np.tile([speed, -2 * speed], (1000, 1)), rtol=1e-5)
    np.testing.assert_array_equal(batch.targets, np.tile(np.float32([1, -2]), (1000, 1)))


def test_the_bits_are_those_of_the_functions_of_c(batch, random):
    """The same calls through the bare functions, with strides of another layout."""
    count = 777
    start = random.normal(size=(count, 2)).astype(np.float32)
    goals = random.normal(size=(count, 2)).astype(np.float32)
    dots = batch.add(start)
    library, number = _library.library, c.c_uint32()
    assert library.batch_create(2, 0, 0, c.byref(number)) == 0
    columns, tracks = np.asfortranarray(start), np.zeros((count, 3), np.uint32)
    assert library.add(number, columns.ctypes.data, 1, count, tracks.ctypes.data, count) == 0
    out = np.empty((2, count), np.float32)
    for step, animation in enumerate([murmuration.bouncy(0.7), murmuration.ease_in_out(0.4), murmuration.spring(0.3)]):
        batch.animate(dots[step:], goals[step:], animation)
        columns = np.asfortranarray(goals)
        assert library.animate(
            number, tracks.ctypes.data, step, count - step, columns.ctypes.data + 4 * step, 1, count,
            c.addressof(animation.c), None, 0, None) == 0
        for time in 0.1, 0.27:
            batch.advance(step + time, velocities=True)
            assert library.advance(number, step + time, 1) == 0
            for what, numbers in enumerate((batch.values, batch.velocities, batch.targets)):
                assert library.read(number, what, None, 0, -1, out.ctypes.data, 1, count) == 0
                assert numbers.tobytes() == out.T.copy().tobytes()
    assert library.batch_free(number) == 0


def test_threads_change_no_bit(random):
    goals = random.normal(size=(20_000, 1)).astype(np.float32)
    results = []
    for threads in 1, 2:
        with murmuration.Batch(threads=threads) as batch:
            assert batch.threads == threads
            batch.animate(batch.add(np.zeros_like(goals)), goals, murmuration.bouncy())
            batch.advance(0.3)
            results.append(batch.values.tobytes())
    assert results[0] == results[1]


def test_tracks_are_taken_as_parts_of_an_array(batch):
    dots = batch.add(np.zeros((10, 2), np.float32))
    assert len(dots) == 10 and len(dots[-1]) == 1 and dots[3:5].indices.tolist() == [3, 4]
    assert dots[np.arange(10) % 2 == 1].indices.tolist() == [1, 3, 5, 7, 9]
    assert dots[2] + dots[3] == dots[2:4] and pickle.loads(pickle.dumps(dots)) == dots
    assert [one.indices[0] for one in dots] == list(range(10)) and repr(dots[4]) == "<track 4>"
    batch.animate(dots[[1, 3]], [5, 5], None)
    batch.animate(slice(8, None), [6, 6], None)
    batch.animate(0, [7, 7], None)
    batch.animate(range(4, 6), [[8, 8], [9, 9]], None)
    batch.advance(1)
    assert batch.values[:, 0].tolist() == [7, 5, 0, 5, 8, 9, 0, 0, 6, 6]
    assert batch.track(3) == dots[3] and batch.count == len(batch) == 10
    batch.remove(dots[3])
    assert batch.track(3) is None and batch.count == 9 and batch.index_count == 10


def test_events_and_states(batch):
    dots = batch.add(np.zeros((3, 2), np.float32))
    assert batch.events.shape == (0,)
    change = batch.animate(dots[1:], [1, 1], murmuration.spring(0.5))
    assert batch.state(dots[1]).motion == Motion.SPRING and batch.state(0).motion == Motion.STILL
    batch.advance(9)
    settled = batch.events[batch.events["kind"] == EventKind.SETTLED]
    assert settled["change"].tolist() == [change] * 2 == [batch.latest_change] * 2
    assert murmuration.Tracks(settled["track"]) == dots[1:]
    assert batch.state(dots[1]).is_at_rest and batch.state(1).phase is None
    assert batch.remove_settled() == 2 and len(batch) == 1


def test_delays_modifiers_and_pauses(batch):
    dots = batch.add([[0, 0]] * 4)
    batch.animate(dots, [10, 10], murmuration.linear(1), delays=[0, 0.5, 1, 2])
    batch.advance(1)
    np.testing.assert_allclose(batch.values[:, 0], [10, 5, 0, 0], atol=1e-6)
    batch.cancel_delays(dots[3])
    batch.pause(dots[1])
    batch.advance(9)
    np.testing.assert_allclose(batch.values[:, 1], [10, 5, 10, 0], atol=1e-6)
    assert batch.state(1).is_paused
    batch.resume()
    batch.advance_by(0.25)
    assert batch.values[1, 0] == pytest.approx(7.5)
    batch.stop()
    batch.advance(99)
    assert batch.values[1, 0] == pytest.approx(7.5)
    twice = murmuration.linear(1).repeat(2).delay(1).speed(2)
    assert twice == murmuration.linear(1).repeat(2, autoreverses=True).delay(1).speed(2)
    assert twice == pickle.loads(pickle.dumps(twice)) and twice.address
    batch.animate(dots[0], [20, 20], [twice])
    batch.advance(99 + 0.75)
    assert batch.values[0, 0] == pytest.approx(15)


def test_throws_and_displacement(batch):
    dots = batch.add([[0, 0], [0, 0]])
    batch.set(dots, [1, 2], velocities=[100, 0])
    batch.decelerate(dots[0], rate=0.99)
    batch.decelerate(dots[1], [0, 50])
    batch.advance(30)
    assert batch.values[0, 0] == pytest.approx(1 - 0.1 / math.log(0.99), rel=1e-5) and batch.values[1, 1] > 20
    batch.animate(dots, [0, 0], murmuration.spring(0.5))
    batch.displace(dots, [3, 3])
    assert batch.values.tolist() == [[3, 3], [3, 3]]
    batch.push(dots, [10, 0])
    batch.push(dots, [[0, 0], [0, 5]])
    batch.advance(30, velocities=True)
    assert batch.velocities.tolist() == [[10, 0], [10, 5]]
    batch.retarget(dots, [[1, 1], [2, 2]])
    batch.advance(60)
    assert batch.values.tolist() == [[1, 1], [2, 2]]


def test_slides_end_within_bounds_and_at_points(batch):
    dots, throws = batch.add([[0, 0]] * 5), [900, -900]
    end = murmuration.Spring(0.3, 0.4)
    batch.decelerate(dots[0], throws, within=([-50, -math.inf], [70, 10]), spring=end)
    batch.decelerate(dots[1], throws, within=(-60, math.inf))
    batch.decelerate(dots[2], throws, snap=murmuration.Grid([100, 40], [7, 0]))
    batch.decelerate(dots[3], throws, snap=[[0, 0], [400, -400], [449, 900]], within=(-math.inf, [380, 0]))
    batch.decelerate(dots[4], throws, snap=murmuration.Grid(500))
    free = -900 / (1000 * math.log(0.998))
    ends = np.float32([[70, -free], [free, -60], [407, -440], [380, -400], [500, -500]])
    assert np.array_equal(batch.targets, ends)
    most = 0
    for frame in range(300):
        batch.advance(frame / 100)
        most = max(most, batch.values[0, 0])
    # The spring at the bound has a bounce.
    assert 75 < most < 120
    batch.advance(60)
    assert np.array_equal(batch.values, ends)
    with pytest.raises(murmuration.InvalidValue, match="the spacing must be above 0"):
        batch.decelerate(dots, snap=murmuration.Grid([1, 0]))
    with murmuration.Batch() as line:
        dot = line.add(30)
        line.decelerate(dot, snap=[0, 10, 45])
        assert line.targets[0, 0] == 45


def test_tracks_that_are_gone_are_passed_over(batch):
    dots = batch.add([[number, 0] for number in range(5)])
    batch.remove(dots[1:3])
    with pytest.raises(murmuration.UnknownHandle):
        batch.set(dots, [9, 9])
    assert batch.live(dots[4] + dots[1] + dots[0] + dots[4]) == dots[4] + dots[0] + dots[4]
    batch.set(batch.live(dots), [9, 9])
    assert batch.values[:, 0].tolist() == [9, 0, 0, 9, 9]
    assert batch.live() == dots[0] + dots[3:] and batch.live(range(1, 4)) == dots[3] and not len(batch.live(dots[1:3]))
    with murmuration.Batch(2) as other, pytest.raises(murmuration.UnknownHandle):
        batch.live(other.add([0, 0]))
    with pytest.raises(murmuration.OutOfRange):
        batch.live(slice(0, 2**31 - 1))


def test_delays_for_all_and_for_each_add_up(batch):
    dots = batch.add([[0, 0]] * 3)
    batch.animate(dots, [1, 1], None, delay=1, delays=[0, 1, 2])
    batch.advance(2)
    assert batch.values[:, 0].tolist() == [1, 1, 0]
    batch.retarget(dots, [5, 5], delay=0.5)
    batch.advance(3)
    assert (batch.targets == 5).all()
    for delays in {"delay": -1}, {"delay": math.nan}, {"delay": [1, 2]}, {"delay": "soon"}, {"delays": [1, 2]}:
        with pytest.raises(murmuration.Error):
            batch.animate(dots, [0, 0], **delays)


def test_a_track_that_heads_for_its_goal_already_is_left_alone():
    with murmuration.Batch() as batch:
        dots = batch.add([0, 0])
        first = batch.animate(dots, [1, 2], murmuration.spring(0.5))
        batch.advance(0.1)
        batch.animate(dots, [1, 3], murmuration.linear(1))
        second = batch.retarget(dots, [1, 4])
        batch.advance(30)
        settled = batch.events[batch.events["kind"] == EventKind.SETTLED]
        assert dict(zip(settled["track"][:, 0].tolist(), settled["change"].tolist())) == {0: first, 1: second}


def test_keyframes():
    with murmuration.Batch() as batch:
        dots = batch.add(np.zeros(3, np.float32))
        clip = batch.load_clip([(0, [Keyframe.linear(10, 1), Keyframe.linear(0, 1)])])
        assert clip.duration == 2
        batch.play(clip, dots[0])
        batch.play(clip, dots[1:], [Playback(delay=0.5), Playback(speed=-1)])
        np.testing.assert_allclose(batch.bake(5, frames_per_second=2)[:, 0, 0], [0, 5, 10, 5, 0], atol=1e-5)
        batch.advance(1)
        np.testing.assert_allclose(batch.values[:, 0], [10, 5, 10], atol=1e-5)
        batch.vary(dots, 2, [[1], [2], [3]])
        batch.seek(dots, 0.5)
        batch.set_speed(dots, [0, 1, 1])
        batch.advance(1.2)
        np.testing.assert_allclose(batch.values[:2, 0], [11, 2 + 2 * 7], atol=1e-4)
        assert batch.state(0).motion == Motion.CLIP
        with pytest.raises(murmuration.StateError, match="clip"):
            batch.unload_clip(clip)
        batch.stop()
        batch.unload_clip(clip)
        with pytest.raises(KeyError):
            batch.play(clip, dots)
        whole = batch.load_clip([(1, [
            Keyframe.move(2), Keyframe.cubic(3, 0.5, end_velocity=0), Keyframe.spring(5, Spring(0.4, 0.2), 0.5),
            Keyframe.linear(1, 0.5, Curve.EASE_IN)])])
        assert whole.duration == 1.5


def test_phases():
    with murmuration.Batch() as batch:
        dots = batch.add(0, 2)
        phases = batch.load_phases([0, 10], [murmuration.linear(1), murmuration.linear(1)])
        batch.set_reports(phases=True, iterations=True)
        batch.play_phases(phases, dots[0], starts=0)
        batch.play_phases(phases, dots[1], loops=False, scales=2, offsets=[1])
        batch.advance(0.5)
        assert batch.state(0).phase is not None
        assert EventKind.PHASE_BEGAN in batch.events["kind"]
        batch.trigger(dots[1])
        batch.advance(60)
        assert batch.values[1, 0] == 1
        with pytest.raises(RuntimeError):
            batch.unload_phases(phases)


def test_bakes_are_those_of_frames(batch, random):
    goals = random.normal(size=(50, 2)).astype(np.float32)
    dots = batch.add(np.zeros_like(goals))
    batch.animate(dots, goals, murmuration.bouncy(0.6))
    baked = batch.bake(range(3, 9), frames_per_second=10)
    columns = batch.bake(range(3, 9), frames_per_second=10, order="time_major")
    tracks = batch.bake(range(3, 9), frames_per_second=10, order="track_major", tracks=slice(10, 20), components=1)
    speeds = np.empty_like(baked)
    out = np.empty_like(baked)
    assert batch.bake(times=[n / 10 for n in range(3, 9)], out=out, velocities=speeds) is out
    assert baked.tobytes() == out.tobytes() == columns.transpose(0, 2, 1).copy().tobytes()
    assert np.array_equal(tracks[:, 0].T, baked[:, 10:20, 1])
    for frame in range(3, 9):
        batch.advance(frame / 10, velocities=True)
        # Springs are baked with other roundings, within the bound of each: 8 · 2⁻²⁴ of the way, and of the way times ω₀.
        bound = 16 * 2**-24 * np.abs(goals)
        assert (np.abs(batch.values - baked[frame - 3]) <= bound).all()
        assert (np.abs(batch.velocities - speeds[frame - 3]) <= bound * 2 * np.pi / 0.6).all()
    assert batch.bake(0).shape == (0, 50, 2)


def test_velocity_trackers():
    with murmuration.VelocityTrackers(2, 2) as trackers:
        for step in range(10):
            trackers.record([[step, 0], [0, -2 * step]], step / 100)
        np.testing.assert_allclose(trackers.velocities(0.09), [[100, 0], [0, -200]], rtol=1e-4, atol=1e-4)
        trackers.reset(1)
        assert trackers.velocities(0.09, out=np.empty((2, 2), np.float32))[1].tolist() == [0, 0]
        trackers.reset()
        assert not trackers.velocities(0.09).any()
    with pytest.raises(RuntimeError, match="freed"):
        trackers.velocities(1)


def test_springs_and_curves_for_charts():
    spring = Spring.response(0.5, 0.7)
    times = np.linspace(0, 2, 401)
    assert spring.value(times).shape == (401,) and spring.value(0.1).shape == ()
    np.testing.assert_allclose(
        np.gradient(spring.value(times, 10), times)[1:-1], spring.velocity(times, 10)[1:-1], atol=0.15)
    assert spring.parameters["bounce"] == pytest.approx(0.3)
    assert abs(1 - spring.value(spring.settling_duration())) <= 0.001
    assert Spring.settling(1, 0.6).parameters["damping_ratio"] == pytest.approx(0.6)
    assert Spring.stiffness(100, 10).parameters["damping_ratio"] == pytest.approx(0.5)
    assert Spring.stiffness(1, 100, overdamped=True).parameters["damping_ratio"] == pytest.approx(50)
    np.testing.assert_allclose(Curve.LINEAR.value([0, 0.25, 2]), [0, 0.25, 1])
    assert Curve.EASE_IN_SINE.value(1 / 3) == pytest.approx(1 - math.cos(math.pi / 6), abs=1e-12)
    assert Curve.EASE_OUT_QUAD.value(0.25) == pytest.approx(0.4375, abs=1e-12)
    assert Curve.EASE_IN_OUT_BOUNCE.value(0.75) == pytest.approx((1 + 0.765625) / 2, abs=1e-12)
    assert Curve.EASE_OUT_CIRC.value(0.1) == Curve.CIRCULAR_EASE_OUT.value(0.1)
    assert Curve.bezier(0.3, 0, 0.7, 1).value(0.5) == pytest.approx(0.5) and Curve.EASE_IN.velocity(0) < 1
    assert Animation.__doc__ and hash(murmuration.snappy()) == hash(murmuration.spring(0.5, 0.15))
    assert murmuration.smooth() != murmuration.interpolating_spring(0.4, initial_velocity=2)


def test_layouts_are_those_of_the_header():
    sizes = {
        _library.CSpring: 32, _library.CCurve: 40, _library.CAnimation: 224, _library.CKeyframe: 112,
        _library.CBakeRequest: 56, _library.CPlayback: 48, _library.CBatchInfo: 48, _library.CTrackInfo: 40,
        _library.CSceneInfo: 48, _library.CSceneSettings: 32, _library.CWork: 96, _library.CSpringInfo: 48,
        _library.CLayer: 16, _library.CMixerInfo: 16, _library.CGroupInfo: 8, _library.CGLTFInfo: 16}
    assert {kind: c.sizeof(kind) for kind in sizes} == sizes
    kinds = murmuration.EVENT, murmuration.OUTCOME, murmuration.TRACK_OUTCOME
    assert [kind.itemsize for kind in kinds] == [40, 16, 20]


def test_every_function_of_the_headers_is_bound():
    folder = os.environ.get("MURMURATION_HEADERS")
    if not folder:
        pytest.skip("MURMURATION_HEADERS names no folder")
    types = {"uint32_t": "u", "int32_t": "i", "int64_t": "q", "float": "f", "double": "d"}
    objects = ("batch", "trackers", "particles", "mixer", "scene", "gltf", "report", "snapshot", "springs")
    types |= {f"murmuration_{kind}": "u" for kind in objects}
    found = {}
    for header in os.scandir(folder):
        if header.name.endswith(".h"):
            with open(header.path, encoding="utf-8") as file:
                text = re.sub(r"/\*.*?\*/", "", file.read(), flags=re.S)
            for name, arguments in re.findall(r"MURMURATION_API [\w ]+?\*?murmuration_(\w+)\((.*?)\);", text, re.S):
                found[name] = "".join(
                    "p" if "*" in argument else types[argument.split()[-2]]
                    for argument in arguments.split(",") if argument.strip() != "void")
    assert found == {name: letters for name, letters in _library._SIGNATURES.items() if name in found}
    assert len(found) >= 57


def test_numbers_of_batches_end_with_their_objects():
    for _ in range(3000):
        murmuration.Batch().add(1.0)
    gc.collect()
    assert threading.active_count() >= 1


def test_the_wheel_has_its_licence():
    files = importlib.metadata.files("murmuration")
    texts = [file.read_text() for file in files if file.name == "LICENSE"]
    assert texts and texts[0].startswith("MIT License")


def test_arrays_of_other_numbers_are_converted(batch):
    """They were refused, though lists of the same numbers were converted."""
    values = np.arange(8).reshape(4, 2)
    for kind in ("f8", "f2", "i4", "u1", "i8", ">f4", ">f8", "?"):
        dots = batch.add(values.astype(kind))
        assert np.array_equal(batch.read(dots), values.astype(kind).astype(np.float32))
        batch.set(dots, (values * 2).astype(kind), velocities=values.astype(kind))
        assert np.array_equal(batch.read(dots), (values * 2).astype(kind).astype(np.float32))
    with murmuration.Mixer(np.zeros(2), [murmuration.Layer(np.ones((1, 2)))], 3) as mixer:
        mixer.set(np.arange(3)[:, None])
        assert mixer.mix().tolist() == [[0, 0], [1, 1], [2, 2]]
    assert batch.load_phases(np.zeros((2, 2))).handle


def test_constants_of_curves_are_no_fields():
    """They were fields that are None in each curve."""
    assert [field.name for field in dataclasses.fields(Curve)] == ["_kind", "_points"]
    assert Curve.EASE_IN.LINEAR is Curve.LINEAR and Curve.LINEAR == Curve(0) and Curve.EASE_IN != Curve.LINEAR
    assert pickle.loads(pickle.dumps(Curve.EASE_OUT)) == Curve.EASE_OUT


def test_tracks_follow_goals_that_are_set_written_in_place_or_led():
    with murmuration.Batch(2) as batch:
        dots = batch.add(np.zeros((20, 2), np.float32))
        assert batch.goals().size == 0
        change = batch.follow(dots, murmuration.Spring(0.2))
        batch.set_reports(arrivals=True)
        batch.set_goals(dots, [10, 20])
        goals = batch.goals(1)
        assert goals.tolist() == [20] * 20 and goals.flags.writeable
        goals[3] = 50
        goals[4] = np.nan
        arrived = []
        for frame in range(1, 200):
            batch.advance(frame / 60)
            arrived += [(int(one["track"][0]), int(one["kind"])) for one in batch.events]
        assert batch.targets[3].tolist() == [10, 50] and batch.values[3].tolist() == [10, 50]
        assert np.allclose(batch.values[4], [10, 0], atol=1e-3) and batch.values[4][1] == 0 and batch.state(dots[4]).motion == murmuration.Motion.FOLLOWING
        assert sorted(arrived) == [(4, murmuration.EventKind.INVALID_GOAL) if index == 4 else
                                   (index, murmuration.EventKind.SETTLED) for index in range(20)]
        assert change == batch.latest_change
        # What would move the goals is refused, as long as someone holds them; adding tracks does not move them.
        more = batch.add(np.ones((5, 2), np.float32))
        for call in (lambda: batch.follow(more), lambda: batch.set_goals(more, [0, 0]), lambda: batch.goals(0)):
            with pytest.raises(murmuration.Lent):
                call()
        with pytest.raises(murmuration.Lent):
            batch.close()
        del goals
        batch.follow(more, [murmuration.Spring(0)] * 5, leaders=dots[:5], offsets=[1, 0])
        batch.advance(10)
        assert batch.values[20:24].tolist() == [[11, 20], [11, 20], [11, 20], [11, 50]]
        for wrong in ({"leaders": dots[:4]}, {"spring": [murmuration.Spring()] * 3}):
            with pytest.raises(murmuration.InvalidValue):
                batch.follow(more, **wrong)


def test_a_call_without_an_animation_springs():
    with murmuration.Batch() as batch, murmuration.Batch() as named:
        batch.animate(batch.add([0, 0]), 5)
        named.animate(named.add([0, 0]), 5, murmuration.spring())
        batch.advance(0.2)
        named.advance(0.2)
        assert batch.values.tobytes() == named.values.tobytes() and 0.5 < batch.values[0, 0] < 4.9
        batch.animate(slice(None), 1, None)
        assert (batch.values == 1).all()


def test_a_frame_says_what_it_had_to_do():
    batch = murmuration.Batch(dimensions=2)
    dots = batch.add(np.zeros((64, 2)))
    batch.animate(dots[:32], [3, 4], murmuration.spring(0.5))
    batch.advance(0.01)
    work = batch.work
    assert {name: count for name, count in work.items() if count} == {
        "bytes": 32 * 2 * 20, "springs": 32, "still": 32, "at_rest": 32, "uniform_tiles": 2, "resting_tiles": 2}
