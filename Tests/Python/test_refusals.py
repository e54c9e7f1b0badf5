# SPDX-License-Identifier: MIT
"""Tests/Fixtures/refusals.json: a call with a bad argument raises its error, and the batch goes on as one that was not called."""
import inspect
import json
import pathlib
import re

import numpy as np

import murmuration
from murmuration import Curve, Grid, Keyframe, Playback, Spring, bouncy, curve, interpolating_spring, linear, smooth, spring

_TABLE = json.loads((pathlib.Path(__file__).parent.parent / "Fixtures" / "refusals.json").read_text())
#: Call, argument, bad value and error of each refusal that Python can meet.
_REFUSALS = [
    (call, argument, value, error)
    for row in _TABLE["rows"] if "python" in row.get("in", "python").split()
    for argument, calls in row["where"].items() for name in calls.split() for call in _TABLE["calls"].get(name, name).split()
    if call not in _TABLE["without"]["python"].split()
    for error, values in row["refuses"].items() for value in values]
_COUNT = 9


class Stage:
    """A batch of nine tracks with every kind of motion, and a tenth that is gone."""

    def __init__(self):
        self.batch, self.other = batch, other = murmuration.Batch(2), murmuration.Batch(2)
        added = batch.add(np.arange(20).reshape(10, 2))
        self.tracks, self.foreign = added[:_COUNT], other.add([0, 0])
        keyframes = [(0, [Keyframe.linear(10, 0.7), Keyframe.cubic(2, 0.4)])] * 2
        phases = [[0, 0], [5, 6]], [smooth(0.2), linear(0.3)]
        names = {"good": batch, "unloaded": batch, "inUse": batch, "foreign": other}
        self.clip = {name: owner.load_clip(keyframes) for name, owner in names.items()}
        self.phases = {name: owner.load_phases(*phases) for name, owner in names.items()}
        batch.set_reports(iterations=True, phases=True)
        batch.animate(added[0], [50, 60], bouncy())
        batch.animate(added[1], [50, 60], smooth(2))
        batch.animate(added[1], [-5, 8], linear(1), delay=0.75)
        batch.animate(added[2], [50, 60], linear(2), completion="logically_complete")
        batch.animate(added[3], [50, 60], bouncy())
        batch.animate(added[3], [9, 9], linear(1).repeat_forever(autoreverses=True))
        batch.play(self.clip["inUse"], added[4], Playback(iterations=np.inf))
        batch.play_phases(self.phases["inUse"], added[5])
        batch.follow(added[6], Spring())
        batch.set_goals(added[6], [30, 40])
        batch.decelerate(added[7], [100, 50])
        batch.animate(added[8], [50, 60], bouncy())
        batch.pause(added[8])
        batch.remove(added[9])
        batch.unload_clip(self.clip["unloaded"])
        batch.unload_phases(self.phases["unloaded"])
        batch.advance(0.25, velocities=True)
        self.snapshot = {"good": batch.snapshot(), "foreign": other.snapshot()}
        self.others = {"stale": added[9], "foreign": self.foreign, "noTrack": murmuration.Tracks(np.zeros((1, 3), np.uint32))}

    def shown(self):
        """The numbers and events of the batch in this frame and later ones."""
        batch, frames = self.batch, []
        for frame, seconds in enumerate([0, 0, 0.05, 0.7, 9]):
            if frame:
                batch.advance_by(seconds, velocities=True)
            events, ends = batch.events, batch.track_outcomes
            events["track"][:, 2] = ends["track"][:, 2] = 0
            frames.append((
                batch.time, batch.count, batch.index_count, batch.latest_change, events.tobytes(), ends.tobytes(),
                batch.outcomes.tobytes(), *(one.tobytes() for one in (batch.values, batch.velocities, batch.targets)),
                *(batch.goals(component).tobytes() for component in (0, 1))))
        return frames

    def close(self):
        self.batch.close()
        self.other.close()


class Given:
    """The arguments of one call: good ones, but for one."""

    def __init__(self, stage, argument=None, value=None):
        self.stage, self.batch, self.argument, self.value, self.is_bad = stage, stage.batch, argument, value, False
        self.written = np.zeros(0)

    def say(self, argument, good, some=None, words=None):
        """The good value of an argument, or a bad one: one of some, or what the words stand for."""
        if argument != self.argument:
            return good
        self.is_bad = True
        if some and self.value in some:
            return some[self.value]
        assert words, f"what is {self.value} for {argument}?"
        return words(self.value)

    def tracks(self, argument="tracks"):
        tracks = self.stage.tracks
        mixed = {name: tracks[:-1] + other for name, other in self.stage.others.items()}
        return self.say(argument, tracks, {
            **mixed, "few": tracks[1:], "many": tracks + tracks[0], "beyond": slice(2, 2 + _COUNT), "before": slice(-1, 8),
            "otherType": "all"})

    def vectors(self, argument):
        good = np.ones((_COUNT, 2), np.float32)
        return self.say(
            argument, good, {"few": good[1:], "many": np.ones((_COUNT + 1, 2), np.float32), "wide": np.ones((_COUNT, 3), np.float32),
                             "otherType": "far"},
            lambda value: np.concatenate([good[1:], [[1, float(value)]]]))

    def numbers(self, argument, good=1):
        return self.say(
            argument, [good] * _COUNT, {"few": [good] * (_COUNT - 1), "many": [good] * (_COUNT + 1), "otherType": "x"},
            lambda value: [good] * (_COUNT - 1) + [float(value)])

    def number(self, argument, good, kind=float):
        return self.say(argument, good, {"otherType": "x"}, kind)

    def slide(self):
        """Velocities and a rate, or a velocity that the rate leads beyond all values."""
        velocities, rate = self.vectors("velocities"), self.number("rate", 0.99)
        return self.say("slide", (velocities, rate), {"tooFar": (np.full((_COUNT, 2), 1e15, np.float32), 0.9999)})

    def ends(self):
        """Bounds, and points or a grid."""
        def grid(argument, good):
            return self.say(argument, [good, good], {"few": [good], "many": [good] * 3, "otherType": "x"},
                            lambda value: [good, float(value)])
        bounds = self.say("bounds", (-1e9, [1e9, 1e9]), {
            "nan": (-1e9, [1e9, np.nan]), "crossed": ([-1e9, 9], [1e9, 8]), "few": (-1e9,), "many": (-1e9, [1e9] * 3),
            "otherType": 5})
        points = np.float32([[0, 0], [9, 9]])
        points = self.say("snapPoints", points, {
            "none": points[:0], "few": points[:, :1], "many": np.ones((2, 3)), "otherType": "x"},
            lambda value: [[0, 0], [9, float(value)]])
        if self.argument in ("spacing", "origin"):
            points = Grid(grid("spacing", 1), grid("origin", 0))
        return bounds, points

    def word(self, argument, good):
        return self.say(argument, good, {"unknown": "unknown", "otherType": []})

    def options(self):
        return self.say("options", {}, {"unknown": {"unknown": 1}})

    def completion(self):
        return self.word("completion", "settled")

    def each(self, argument, good, make):
        """A list for all tracks."""
        return self.say(
            argument, [good] * _COUNT, {"few": [good] * (_COUNT - 1), "many": [good] * (_COUNT + 1), "otherType": ["x"]},
            lambda words: [good] * (_COUNT - 1) + [make(words)])

    def loaded(self, argument):
        return self.say(argument, getattr(self.stage, argument)["good"], {**getattr(self.stage, argument), "otherType": 5})

    def components(self):
        good = (0, [Keyframe.linear(1, 1)])
        both = [good, (0, [self.say("keyframe", Keyframe.move(1), {"otherType": "up"}, _keyframe)])]
        return self.say("components", both, {"few": both[:1], "many": [*both, good], "otherType": 5})

    def targets(self):
        return self.say(
            "targets", [[0, 0], [1, 2]], {"none": np.zeros((0, 2)), "many": np.zeros((2, 3)), "otherType": "far"},
            lambda value: [[0, 0], [1, float(value)]])

    def output(self, *shape):
        self.written = np.zeros(shape, np.float32)
        return self.say("output", self.written, {"few": self.written[1:], "otherType": self.written.tolist()})

    def vertices(self):
        """A field of records of five bytes, which is not aligned."""
        self.written = np.zeros(_COUNT, [("id", "u1"), ("at", "f2", 2)])["at"]
        return self.say("output", self.written, {
            "few": self.written[1:], "otherType": self.written.tolist(), "reversed": self.written[::-1],
            "apart": self.written[:, ::-1]})

    def part(self, argument, good, beyond):
        """A range of indices or components."""
        return self.say(argument, good, {"beyond": beyond, "before": slice(-1, 1)})


def _spring(words):
    kind, *numbers = words.split()
    numbers = [float(number) for number in numbers]
    if kind in ("stiffness", "overdamped"):
        return Spring.stiffness(numbers[1], numbers[2], numbers[0], overdamped=kind == "overdamped")
    return (Spring.response if kind == "response" else Spring)(*numbers)


def _animation(words):
    if words == "otherType":
        return "smooth"
    kind, *rest = words.split()
    numbers = [float(rest.pop(0)) for _ in range({"linear": 1, "stiffness": 3, "overdamped": 3}.get(kind, 2))]
    made = {
        "linear": lambda: linear(numbers[0]), "bezier": lambda: curve(Curve.bezier(*numbers, 1, 1), 1),
        "interpolating": lambda: interpolating_spring(numbers[0], initial_velocity=numbers[1]),
    }.get(kind, lambda: spring(_spring(" ".join([kind, *map(str, numbers)]))))()
    while rest:
        modifier, number = rest.pop(0), float(rest.pop(0))
        made = getattr(made, "logically_complete_after" if modifier == "logicallyComplete" else modifier)(number)
    return made


def _keyframe(words):
    kind, to, *duration = words.split()
    duration = [float(seconds) for seconds in duration]
    if kind == "spring":
        return Keyframe.spring(float(to), Spring(), *duration)
    return getattr(Keyframe, kind)(float(to), *duration)


def _playback(words):
    name, number = words.split()
    return Playback(**{"time_offset" if name == "offset" else name: float(number)})


CALLS = {
    "make": lambda c: murmuration.Batch(
        c.number("dimensions", 2, int), capacity=c.number("capacity", 10, int), curve_tolerance=c.number("curveTolerance", 0)).close(),
    "add": lambda c: c.batch.add(c.vectors("values") if c.argument != "count" else [1, 2], c.number("count", None, int)),
    "remove": lambda c: c.batch.remove(c.tracks()),
    "trackAt": lambda c: c.batch.track(c.number("index", 0, int)),
    "state": lambda c: c.batch.state(c.say("track", c.stage.tracks[0], c.stage.others)),
    "animate": lambda c: c.batch.animate(
        c.tracks(), c.vectors("goals"), c.say("animation", smooth(), None, _animation), delay=c.number("delay", 0),
        delays=c.numbers("delays", 0), completion=c.completion(), **c.options()),
    "animateEach": lambda c: c.batch.animate(
        c.tracks(), c.vectors("goals"), c.each("animations", smooth(), _animation), delays=c.numbers("delays", 0),
        completion=c.completion()),
    "retarget": lambda c: c.batch.retarget(
        c.tracks(), c.vectors("goals"), delay=c.number("delay", 0), delays=c.numbers("delays", 0), completion=c.completion(),
        **c.options()),
    "follow": lambda c: c.batch.follow(c.tracks(), c.each("springs", Spring(), _spring), **c.options()),
    "followTracks": lambda c: c.batch.follow(c.tracks(), leaders=c.tracks("leaders"), offsets=c.vectors("offsets")),
    "setGoals": lambda c: c.batch.set_goals(c.tracks(), c.vectors("goals")),
    "goals": lambda c: c.batch.goals(c.number("component", 0, int)),
    "cancelDelays": lambda c: c.batch.cancel_delays(c.tracks()),
    "set": lambda c: c.batch.set(c.tracks(), c.vectors("values"), c.vectors("velocities")),
    "displace": lambda c: c.batch.displace(c.tracks(), c.vectors("values"), c.vectors("velocities")),
    "push": lambda c: c.batch.push(c.tracks(), c.vectors("velocities")),
    "live": lambda c: c.batch.live(c.tracks()),
    "decelerate": lambda c: (lambda velocities, rate, bounds, points: c.batch.decelerate(
        c.tracks(), velocities, rate=rate, within=bounds, snap=points,
        spring=c.say("spring", Spring(), {"otherType": "x"}, _spring), completion=c.completion(), **c.options()))(
            *c.slide(), *c.ends()),
    "pause": lambda c: c.batch.pause(c.tracks()),
    "resume": lambda c: c.batch.resume(c.tracks()),
    "stop": lambda c: c.batch.stop(c.tracks()),
    "loadClip": lambda c: c.batch.load_clip(c.components(), tolerance=c.number("tolerance", 0)),
    "unloadClip": lambda c: c.batch.unload_clip(c.loaded("clip")),
    "play": lambda c: c.batch.play(
        c.loaded("clip"), c.tracks(), c.each("playbacks", Playback(), _playback), start=c.word("start", "first_value"),
        completion=c.completion(), **c.options()),
    "setSpeed": lambda c: c.batch.set_speed(c.tracks(), c.numbers("speeds")),
    "seek": lambda c: c.batch.seek(c.tracks(), c.numbers("times")),
    "vary": lambda c: c.batch.vary(c.tracks(), c.vectors("scales"), c.vectors("offsets")),
    "loadPhases": lambda c: c.batch.load_phases(
        c.targets(), c.say("animations", None, None, lambda words: [smooth(), _animation(words)])),
    "unloadPhases": lambda c: c.batch.unload_phases(c.loaded("phases")),
    "playPhases": lambda c: c.batch.play_phases(
        c.loaded("phases"), c.tracks(), starts=c.numbers("starts"), scales=c.vectors("scales"), offsets=c.vectors("offsets"),
        **c.options()),
    "trigger": lambda c: c.batch.trigger(c.tracks(), completion=c.completion(), **c.options()),
    "advance": lambda c: c.batch.advance(c.number("seconds", 1), **c.options()),
    "advanceBy": lambda c: c.batch.advance_by(c.number("seconds", 1)),
    "read": lambda c: c.batch.read(c.tracks(), c.word("what", "values"), out=c.output(_COUNT, 2)),
    "copyVertices": lambda c: c.batch.read(
        c.tracks(), c.word("what", "values"), out=c.vertices(), order=[c.number("order", 1, int), 0],
        color=(c.word("color", "srgb"), "linear") if c.argument == "color" else None),
    "column": lambda c: c.batch.column(c.number("component", 0, int), c.word("what", "values")),
    "bake": lambda c: c.batch.bake(
        2, frames_per_second=c.number("frameRate", 60), start=c.number("bakeStart", 0.25),
        times=[0.25, float(c.value)] if c.argument == "times" and c.say("times", 1, None, float) else None,
        tracks=c.part("tracks", slice(0, 9), slice(2, 11)), components=c.part("components", slice(0, 2), slice(1, 3)),
        order=c.word("order", "interleaved"), out=c.output(2, _COUNT, 2)),
    "reserve": lambda c: c.batch.reserve(c.number("count", 5, int)),
    "compact": lambda c: c.batch.compact(),
    "removeSettled": lambda c: c.batch.remove_settled(),
    "removeAll": lambda c: c.batch.remove_all(),
    "setThreadCount": lambda c: setattr(c.batch, "threads", 2),
    "describe": lambda c: c.batch.count,
    "events": lambda c: c.batch.events,
    "outcomes": lambda c: c.batch.outcomes,
    "trackOutcomes": lambda c: c.batch.track_outcomes,
    "copy": lambda c: c.batch.copy().close(),
    "snapshot": lambda c: c.batch.snapshot(),
    "updateSnapshot": lambda c: c.batch.snapshot(c.loaded("snapshot")),
    "restore": lambda c: c.batch.restore(c.loaded("snapshot")),
    "setRestTolerance": lambda c: c.batch.set_rest_tolerance(c.number("rest", 0.01), c.number("restVelocity", 0.1)),
}


def test_every_call_takes_good_arguments_and_is_in_the_table():
    for name, call in CALLS.items():
        stage = Stage()
        call(Given(stage))
        stage.close()
    assert not CALLS.keys() - {call for call, *_ in _REFUSALS}
    named = set(re.findall(r"batch\.(\w+)\(", inspect.getsource(inspect.getmodule(Given))))
    methods = {name for name, member in inspect.getmembers(murmuration.Batch, inspect.isfunction) if name[0] != "_"}
    # Recordings, and batches of snapshots, have tests of their own, and `finished` tells by a future.
    assert methods - named == {"record", "stop_recording", "finished", "from_snapshot"}


def test_what_the_table_refuses_changes_nothing():
    expected, faults = Stage().shown(), []
    for name, argument, value, wanted in _REFUSALS:
        stage = Stage()
        given = Given(stage, argument, value)
        if argument == "batch":
            stage.batch.close()
        found = "accepted"
        try:
            CALLS[name](given)
        except Exception as error:
            found = error.name if isinstance(error, murmuration.Error) else type(error).__name__
            found = "typeError" if isinstance(error, TypeError) else found
        if found != wanted:
            faults.append(f"{name}, {argument} {value}: {found}, not {wanted}")
        if argument == "batch":
            continue
        if not given.is_bad:
            faults.append(f"{name}, {argument} {value}: not given")
        if stage.shown() != expected or given.written.any():
            faults.append(f"{name}, {argument} {value}: something changed")
        stage.close()
    assert not faults, "\n".join(faults)
