# SPDX-License-Identifier: MIT
"""Recordings of calls and their checks, and random programs: the same bits and events as in Swift.

`murmuration programs` writes these programs with what a Swift batch shows. MURMURATION_PROGRAMS names the file;
Scripts/check-python has it written.
"""
import base64
import json
import math
import os
import pathlib
import re

import numpy as np
import pytest

import murmuration
from murmuration import Curve, Grid, Keyframe, Playback, Spring

_FILE = os.environ.get("MURMURATION_PROGRAMS")
_LINES = pathlib.Path(_FILE).read_text().splitlines() if _FILE else []

# Curves by the names of Swift, such as easeInOutSine.
_CURVES = {
    re.sub("_(.)", lambda found: found[1].upper(), name.lower()): getattr(Curve, name)
    for name in dir(Curve) if name.isupper()}
_STARTS = {"firstValue": "first_value", "shownValue": "shown_value", "automatic": "automatic"}


def number(found):
    """A number of a recording, in which texts stand for what JSON has no numbers for."""
    return float(found)


def curve(found):
    return Curve.bezier(*found["bezier"]) if "bezier" in found else _CURVES[found["name"]]


def spring(found):
    if "duration" in found:
        return Spring(number(found["duration"]), number(found["bounce"]))
    if "stiffness" not in found:
        # Its numbers are none, so that it is refused.
        assert found["naturalFrequency"] == "nan"
        return Spring(math.nan)
    return Spring.stiffness(
        number(found["stiffness"]), number(found["damping"]), number(found["mass"]), overdamped=True)


def animation(found):
    if found is None:
        return None
    (kind, parts), = found.items()
    if kind == "curve":
        return murmuration.curve(curve(parts["curve"]), number(parts["duration"]))
    if kind == "spring":
        return murmuration.spring(spring(parts["spring"]))
    if kind == "interpolatingSpring":
        return murmuration.interpolating_spring(spring(parts["spring"]), initial_velocity=parts["initialVelocity"])
    made = animation(parts["of"])
    if kind == "delay":
        return made.delay(parts["seconds"])
    if kind == "speed":
        return made.speed(parts["factor"])
    if kind == "logicallyComplete":
        return made.logically_complete_after(parts["seconds"])
    return made.repeat(parts.get("count", math.inf), autoreverses=parts["autoreverses"])


def keyframe(found):
    kind, to, duration = found["kind"], found["to"], found.get("duration")
    if kind == "SpringKeyframe":
        return Keyframe.spring(to, spring(found["spring"]), duration, found.get("startVelocity"))
    if kind == "MoveKeyframe":
        return Keyframe.move(to)
    if kind == "LinearKeyframe":
        return Keyframe.linear(to, duration, curve(found["timingCurve"]))
    return Keyframe.cubic(to, duration, found.get("startVelocity"), found.get("endVelocity"))


def playback(found):
    return Playback(
        found.get("start"), found["delay"], number(found["speed"]), found.get("count", math.inf), found["timeOffset"],
        found["autoreverses"], not found["holdsBefore"], not found["holdsAfter"])


class Player:
    """Makes the calls of a recording on a batch."""

    def __init__(self, recording):
        self.dimensions = recording["dimensions"]
        self.batch = murmuration.Batch(self.dimensions, curve_tolerance=recording["curveTolerance"])
        self.tracks = np.zeros((0, 3), np.uint32)
        self.clips, self.phases = [], []
        # Names that another batch gave, for tracks, clips and phases that there never were.
        self.other = murmuration.Batch()
        self.strangers = (
            self.other.add(0).handles, self.other.load_clip([(0, [])]), self.other.load_phases([0]))

    def close(self):
        self.batch.close()
        self.other.close()

    def vectors(self, call, name):
        return np.array([number(one) for one in call.get(name, [])], np.float32).reshape(-1, self.dimensions)

    def given(self, call, name):
        """Vectors; None for none."""
        return self.vectors(call, name) if call.get(name) else None

    def ends(self, call):
        """Bounds, points and the spring of a slide."""
        if "lower" not in call:
            return {}
        snap = self.given(call, "points")
        lower, upper, spacing = ([number(one) for one in call.get(name, [])] for name in ("lower", "upper", "spacing"))
        if spacing:
            snap = Grid(spacing, snap[0])
        return {"within": (lower, upper) if lower else None, "snap": snap, "spring": spring(call["springs"][0])}

    def selection(self, call):
        if call.get("all"):
            return None
        if "indices" in call:
            return range(*call["indices"])
        if "tracks" not in call:
            return None
        known = len(self.tracks)
        rows = [self.tracks[one] if 0 <= one < known else self.strangers[0][0] for one in call["tracks"]]
        return murmuration.Tracks(np.array(rows, np.uint32).reshape(-1, 3))

    def clip(self, place):
        return self.clips[place] if 0 <= place < len(self.clips) else self.strangers[1]

    def sequence(self, place):
        return self.phases[place] if 0 <= place < len(self.phases) else self.strangers[2]

    def perform(self, call):
        """Makes a call, in the way that Python programs make it."""
        batch, which, name = self.batch, self.selection(call), call["call"]
        numbers = [number(one) for one in call.get("numbers", [])]
        if name == "add":
            self.tracks = np.concatenate([self.tracks, batch.add(self.vectors(call, "values")).handles])
        elif name in ("remove", "pause", "resume", "stop", "trigger"):
            getattr(batch, name)(which)
        elif name == "removeSettled":
            batch.remove_settled()
        elif name == "removeAll":
            batch.remove_all()
        elif name == "compact":
            batch.compact()
        elif name == "reserve":
            batch.reserve(call["count"])
        elif name == "animate":
            each = [animation(one) for one in call.get("animations", [])]
            batch.animate(
                which, self.vectors(call, "goals"), each[0] if len(each) == 1 else each, delays=numbers or None)
        elif name == "retarget":
            batch.retarget(which, self.vectors(call, "goals"), delays=numbers or None)
        elif name == "follow":
            each = [spring(one) for one in call.get("springs", [])]
            batch.follow(which, each[0] if len(each) == 1 else each)
        elif name == "setGoals":
            batch.set_goals(which, self.vectors(call, "goals"))
        elif name == "cancelDelays":
            batch.cancel_delays(which)
        elif name in ("set", "displace"):
            getattr(batch, name)(which, self.vectors(call, "values"), self.vectors(call, "velocities"))
        elif name == "push":
            batch.push(which, self.vectors(call, "velocities"))
        elif name == "decelerate":
            batch.decelerate(
                which, self.given(call, "velocities"), rate=number(call["deceleration"]), **self.ends(call))
        elif name == "loadClip":
            clip = call["clip"]
            self.clips.append(batch.load_clip(
                [(first, [keyframe(one) for one in list_])
                 for first, list_ in zip(clip["initialValues"], clip["keyframes"])], tolerance=clip["tolerance"]))
        elif name == "unloadClip":
            batch.unload_clip(self.clip(call["clips"][0]))
        elif name == "loadPhases":
            self.phases.append(batch.load_phases(call["targets"], [animation(one) for one in call["animations"]]))
        elif name == "unloadPhases":
            batch.unload_phases(self.sequence(call["sequences"][0]))
        elif name == "play":
            each = [playback(one) for one in call.get("playbacks", [])]
            batch.play(
                self.clip(call["clips"][0]), which, each[0] if len(each) == 1 else each, start=_STARTS[call["start"]])
        elif name == "setVariations":
            batch.vary(which, self.vectors(call, "scales"), self.vectors(call, "offsets"))
        elif name == "setSpeed":
            batch.set_speed(which, numbers)
        elif name == "seek":
            batch.seek(which, numbers)
        elif name == "playPhases":
            batch.play_phases(
                self.sequence(call["sequences"][0]), which, loops=call["phasePlayback"] == "loops", starts=numbers or None,
                scales=self.given(call, "scales"), offsets=self.given(call, "offsets"))
        elif name == "advance":
            batch.advance(number(call["time"]), velocities=call["computesVelocities"])
        elif name == "setRestTolerance":
            batch.set_rest_tolerance(*call["tolerance"])
        elif name == "setReports":
            batch.set_reports(iterations=bool(call["reports"] & 1), phases=bool(call["reports"] & 2))
        else:
            raise NotImplementedError(name)


def events(batch):
    return [
        [one["track"][0], one["kind"], one["change"], one["time"], one["number"]] for one in batch.events]


def compare(batch, step, where):
    """Compares what a batch shows after an advance with what Swift's showed."""
    for what in "values", "velocities", "targets":
        if what in step:
            shown, wanted = getattr(batch, what), np.frombuffer(base64.b64decode(step[what]), np.float32)
            places = np.flatnonzero(shown.ravel().view(np.uint32) != wanted.view(np.uint32))
            assert not places.size, (
                f"{where}: {what}[{places[0]}] is {shown.flat[places[0]]}, not {wanted[places[0]]}, and {places.size} differ")
    shown = [[one["track"][0], one["kind"], one["change"], one["time"], one["number"]] for one in batch.events]
    assert shown == step["events"], where


@pytest.mark.skipif(not _FILE, reason="MURMURATION_PROGRAMS names no file")
def test_programs_show_the_bits_and_events_of_swift():
    """Every call of every program is accepted or refused as in Swift, and every frame has its bits."""
    names, refused, frames = set(), 0, 0
    for line in _LINES:
        program = json.loads(line)
        recording, steps = program["recording"], program["steps"]
        player, accepted = Player(recording), []
        player.batch.record()
        for place, (call, step) in enumerate(zip(recording["calls"], steps, strict=True)):
            where = f"seed {program['seed']}, call {place}, {json.dumps(call)[:300]}"
            try:
                player.perform(call)
                assert step["isAccepted"], f"{where} is accepted"
                accepted.append(call["call"])
            except murmuration.Error as error:
                assert not step["isAccepted"], f"{where} is refused: {error}"
                refused += 1
            if "events" in step:
                compare(player.batch, step, where)
                frames += 1
        # The recording of these calls is the same program.
        recording = json.loads(player.batch.recording)
        again = Player(recording)
        for call in recording["calls"]:
            again.perform(call)
        assert [call["call"] for call in recording["calls"][2:]] == accepted, f"seed {program['seed']}"
        assert again.batch.values.tobytes() == player.batch.values.tobytes(), f"seed {program['seed']}"
        names.update(accepted)
        player.close()
        again.close()
    assert len(names) >= 27 and refused > len(_LINES) / 2 and frames > 8 * len(_LINES), (sorted(names), refused, frames)


def test_recorded_calls_are_checked_against_the_reference(batch):
    batch.record()
    dots = batch.add(np.zeros((20, 2)))
    batch.animate(dots, [5, 50], murmuration.bouncy(), delays=np.arange(20) / 100)
    batch.advance(0.1)
    early = batch.recording
    batch.pause(dots[3])
    with pytest.raises(murmuration.Error):
        batch.animate(dots, [np.nan, 0], None)
    batch.remove(dots[5:])
    batch.advance(0.5, velocities=True)
    for recording, comparisons in (early, 40), (batch.recording.encode(), 50):
        report = murmuration.check(recording)
        assert report.passed and report.comparisons == comparisons
        assert 0 < report.value_error <= 1 and 0 < report.velocity_error <= 1
        assert str(report) == report.text and report.text.startswith(f"{comparisons} values and velocities compared\n")
        assert re.search(r"largest error of a value: 0[.]\d+ of the bound; track \d+, call \d+, 0[.]\d s: ", report.text)
    # A refused call is no part of it, and a recording that ends can be kept.
    assert '"nan"' not in batch.recording
    batch.stop_recording()
    with pytest.raises(murmuration.StateError, match="not recorded") as caught:
        batch.recording
    assert caught.value.name == "notRecorded"
    with pytest.raises(murmuration.StateError):
        batch.stop_recording()


def test_what_cannot_be_recorded_or_checked_is_refused(batch):
    batch.add([0, 0])
    with pytest.raises(murmuration.StateError, match="before the first track") as caught:
        batch.record()
    assert caught.value.name == "recordsFromStart"
    with murmuration.Particles(position=2) as sparks, pytest.raises(murmuration.StateError, match="particles"):
        sparks["position"].record()
    for text in "", "{}", b"\xff", '{"curveTolerance":0.001,"dimensions":1,"calls":[{"call":"fly"}]}':
        with pytest.raises(murmuration.FileError, match="no recording"):
            murmuration.check(text)
    with pytest.raises(murmuration.InvalidValue, match="tolerance"):
        murmuration.check('{"curveTolerance":7,"dimensions":1,"calls":[]}')
    with pytest.raises(murmuration.InvalidType, match="must be the text"):
        murmuration.check(batch)
    # The batch of the check refuses these calls, as any batch would: there is nothing to compare.
    report = murmuration.check(
        '{"curveTolerance":0.001,"dimensions":1,"calls":[{"call":"stop","tracks":[7]},{"call":"advance","time":1}]}')
    assert report.passed and report.comparisons == 0 == report.value_error
