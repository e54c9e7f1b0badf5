# SPDX-License-Identifier: MIT
"""Bad input is an error that says what is wrong, and changes nothing."""
import pickle
import re
import threading
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

import murmuration
from murmuration import Error, InvalidType, InvalidValue


def floats(*shape):
    return np.zeros(shape, np.float32)


@pytest.mark.parametrize("goals, kind, words", [
    (np.zeros((4, 2), "M8[s]"), TypeError, "datetime64"),
    (np.full((4, 2), "1"), TypeError, "U1"),
    (np.full((4, 2), 1e300), ValueError, "inf"),
    (np.zeros((4, 2), np.complex64), TypeError, "complex64"),
    (np.ma.masked_array(floats(4, 2)), TypeError, "masked"),
    (floats(3, 2), ValueError, r"\(4, 2\).*\(3, 2\)"),
    (floats(2, 4), ValueError, r"\(2, 4\)"),
    (floats(4), ValueError, r"\(4,\)"),
    (floats(4, 2, 1), ValueError, r"\(4, 2, 1\)"),
    ("abc", TypeError, "str"),
    (["a", "b"], TypeError, "numbers"),
    (None, TypeError, "NoneType"),
    ([np.nan, 0], ValueError, "nan"),
    ([np.inf, 0], ValueError, "inf"),
    ([1e30, 0], ValueError, "e\\+30|1e30|e30"),
])
def test_goals(batch, goals, kind, words):
    dots = batch.add(floats(4, 2))
    before = batch.latest_change
    with pytest.raises(Error, match=words) as caught:
        batch.animate(dots, goals, None)
    assert isinstance(caught.value, kind) and caught.value.code < 0 and caught.value.name != "unknown"
    assert batch.latest_change == before


@pytest.mark.parametrize("out, words", [
    (np.zeros((4, 2)), "float64"), (floats(4, 3), "shape"), (floats(4), "shape"), ([[0, 0]] * 4, "list"),
    (np.broadcast_to(floats(2), (4, 2)), "read-only"),
    (np.lib.stride_tricks.as_strided(floats(2), (4, 2), (0, 4)), "strides"),
])
def test_output(batch, out, words):
    batch.add(floats(4, 2))
    with pytest.raises(Error, match=words):
        batch.read(out=out)
    with pytest.raises(Error):
        batch.bake(1, out=out)


def test_output_that_is_read_only_stays(batch):
    batch.add(np.ones((4, 2), np.float32))
    out = floats(4, 2)
    out.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        batch.read(out=out)
    with pytest.raises(ValueError, match="read-only"):
        batch.values[0, 0] = 1
    assert not out.any()


def test_bakes(batch):
    batch.add(floats(4, 2))
    for arguments, words in [
        (dict(frames=2, out=floats(2, 4, 2)[:, ::-1]), "C order"), (dict(frames=2, out=floats(2, 2, 4)), "shape"),
        (dict(frames=range(0, 4, 2)), "step"), (dict(frames=2, frames_per_second="fast"), "numbers"),
        (dict(frames="all"), "frames"), (dict(frames=range(2**70)), "frames"),
    ]:
        with pytest.raises(Error, match=words):
            batch.bake(**arguments)


def test_arguments_of_other_types(batch):
    dots = batch.add(floats(2, 2))
    for call in (
        lambda: murmuration.Batch(2.5), lambda: murmuration.Tracks([[0, 0, 0]]),
        lambda: pickle.dumps(murmuration.Particles(position=2)["position"]),
        lambda: batch.animate(dots, [0, 0], murmuration.spring("soon")), lambda: batch.add([[1, 2], [3]]),
        lambda: batch.animate(dots, [0, 0], murmuration.curve("linear")), lambda: batch.bake(1, components=dots),
        lambda: murmuration.Spring("soon").parameters, lambda: murmuration.Spring().value(0, target="far"),
        lambda: murmuration.Spring().settling_duration(epsilon="small"), lambda: batch.animate(slice("a", None), [0, 0], None),
        lambda: murmuration.VelocityTrackers(1).record(0, "now"),
        lambda: murmuration.VelocityTrackers(1).reset("all"), lambda: murmuration.Particles(position="two"),
        lambda: murmuration.Particles(position=2).add(["a", "b"]), lambda: murmuration.Mixer("base", [], 1),
        lambda: murmuration.Mixer([0], [], 1).set(0, columns="all"), lambda: murmuration.Mixer([0], [], 1).set_tracks(5),
        lambda: murmuration.GLTF(5), lambda: murmuration.Scene(None), lambda: murmuration.Scene("murmuration").bake("all"),
        lambda: murmuration.Scene("murmuration", frames_per_second="fast"), lambda: murmuration.Snapshot.from_bytes("abc"),
        lambda: murmuration.Snapshot.from_bytes(3), lambda: murmuration.Snapshot.from_bytes(None),
        lambda: murmuration.Mixer([0], 5, 1), lambda: murmuration.Mixer([0], ["layer"], 1),
        lambda: batch.animate(dots, object(), None), lambda: batch.animate(dots, Decimal("sNaN"), None),
        lambda: murmuration.ease("easeIn", 0.5), lambda: murmuration.ease(None, 0.5), lambda: batch.read(order=1),
        lambda: batch.decelerate(dots, [1, 1], spring=murmuration.spring()), lambda: batch.read(order=[0.5]),
        lambda: murmuration.spring_states(murmuration.Spring(), [0, 1], out=floats(2, 2)),
        lambda: murmuration.spring_states(murmuration.Spring(), 0, out=5),
        lambda: murmuration.spring_step(murmuration.Spring(), [[1], [1, 2]], floats(2), 0, 1),
        lambda: murmuration.Particles.from_snapshot(murmuration.Particles(place=2).snapshot(), place="two"),
        lambda: batch.load_clip([(0, [murmuration.Keyframe.linear(1, None)]), (0, [])]),
    ):
        with pytest.raises(InvalidType):
            call()
    for call in (
        lambda: murmuration.Batch(2**32 + 1), lambda: batch.animate(slice(0, 2, 0), [0, 0], None), lambda: batch.state(dots),
        lambda: murmuration.Tracks(np.zeros((2, 2), np.uint32)), lambda: murmuration.Particles(), lambda: murmuration.Scene("a\0b"),
        lambda: batch.load_phases([0, 0]), lambda: murmuration.VelocityTrackers(3).reset(slice(0, -1, 2)),
        lambda: murmuration.check("\ud800"), lambda: murmuration.Scene("shapes", frames_per_second=0),
        lambda: murmuration.Scene("shapes", frame_count=-1), lambda: murmuration.Scene("shapes", track_count=0),
    ):
        with pytest.raises(InvalidValue):
            call()


def test_one_number_may_be_of_any_type_that_becomes_a_float(batch):
    """A list of such numbers was taken, and one was refused."""
    dots = batch.add(floats(1, 2))
    for goal in (Fraction(1, 4), Decimal("0.25"), np.float16(0.25), np.array(Fraction(1, 4))):
        batch.set(dots, [0, 0])
        batch.animate(dots, goal, None)
        assert batch.values.tolist() == [[0.25, 0.25]]


LARGE = 10**400


def test_numbers_that_no_double_has_are_refused(batch):
    """They were an OverflowError, and seeds beyond 64 bits were others."""
    dots = batch.add(floats(2, 2))
    curve = murmuration.Curve.LINEAR
    for call in (
        lambda: batch.advance(LARGE), lambda: batch.set_rest_tolerance(LARGE), lambda: batch.animate(dots, [0, 0], murmuration.linear(LARGE)),
        lambda: batch.animate(dots, [0, 0], murmuration.spring().delay(LARGE)), lambda: batch.decelerate(dots, [1, 1], rate=LARGE),
        lambda: batch.bake(1, start=LARGE), lambda: batch.load_clip([(0, [murmuration.Keyframe.move(LARGE)]), (0, [])]),
        lambda: batch.load_clip([(0, []), (0, [])], tolerance=LARGE), lambda: murmuration.stagger(3, each=LARGE),
        lambda: murmuration.Spring().value(0, target=LARGE), lambda: murmuration.VelocityTrackers(1).record(0, LARGE),
        lambda: murmuration.Scene("murmuration", frames_per_second=LARGE), lambda: murmuration.ease(curve, 0, tolerance=LARGE),
        lambda: murmuration.Scene("murmuration", seed=2**64), lambda: murmuration.Scene("murmuration", seed=-1),
        lambda: murmuration.stagger(3, each=1, seed=2**64), lambda: batch.bake(-1), lambda: murmuration.Scene("murmuration").bake(1, -1),
    ):
        with pytest.raises(InvalidValue):
            call()
    assert murmuration.Scene("murmuration", seed=np.int64(7)).seed == 7
    assert batch.bake(2, tracks=[1, 0], components=slice(2, 2)).shape == (2, 2, 0)


def test_indices_and_handles(batch):
    dots = batch.add(floats(3, 2))
    for call in (
        lambda: batch.animate(3, [0, 0], None), lambda: batch.track(7), lambda: batch.column(2), lambda: dots[3],
        lambda: dots[np.ones(2, bool)], lambda: dots["first"],
        lambda: murmuration.Scene("murmuration").bake(1, range(2**40)), lambda: batch.state(3),
    ):
        with pytest.raises(IndexError) as caught:
            call()
        assert isinstance(caught.value, Error)
    batch.remove(dots[1])
    with pytest.raises(IndexError, match="no track at index 1"):
        batch.state(1)
    with pytest.raises(KeyError) as caught:
        batch.animate(dots, [0, 0], None)
    assert caught.value.name == "staleHandle" and str(caught.value)[0] not in "'\""
    with murmuration.Batch(2) as other, pytest.raises(KeyError, match="batch|store"):
        other.animate(batch.add([0, 0]), [0, 0], None)


def test_a_closed_batch():
    batch = murmuration.Batch()
    batch.add(1.0)
    held = batch.values
    batch.close()
    batch.close()
    for call in lambda: batch.values, lambda: batch.velocities, lambda: batch.targets:
        with pytest.raises(murmuration.StateError, match="it was freed"):
            call()
    assert held.tolist() == [[1]]


def test_two_threads_in_one_batch():
    """One of two threads is refused, and a batch that was refused works on."""
    count, refused, wrong = 300_000, [], []
    batch = murmuration.Batch(capacity=count)
    dots = batch.add(floats(count))
    batch.animate(dots, np.arange(count, dtype=np.float32), murmuration.spring())
    begin = threading.Barrier(2)

    def run():
        begin.wait()
        for step in range(300):
            try:
                batch.advance(0.1)
                batch.read()
                batch.column(), batch.events
            except (murmuration.Busy, murmuration.Lent) as error:
                refused.append(error)
            except Exception as error:
                wrong.append(error)

    threads = [threading.Thread(target=run) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert refused and not wrong
    batch.advance(9)
    assert np.array_equal(batch.values[:, 0], np.arange(count, dtype=np.float32))


def test_errors_can_be_sent_to_other_processes():
    error = pickle.loads(pickle.dumps(murmuration.UnknownHandle(-50, "gone")))
    assert isinstance(error, KeyError) and error.code == -50 and str(error) == "gone" and error.name == "staleHandle"


def test_messages_have_the_words_of_python(batch):
    """No names of Swift and no ranges of Swift."""
    dots = batch.add(floats(3, 2))
    batch.animate(dots, [1, 1], murmuration.spring())
    batch.advance(0.1)
    for call, words in [
        (lambda: batch.track(3), r"range\(3\)"), (lambda: batch.velocities, "were not computed"),
        (lambda: batch.advance("now"), "seconds must be a number, is 'now'"),
        (lambda: batch.decelerate(dots, rate="slow"), "rate must be a number"),
        (lambda: batch.animate(dots, [1, 1], [murmuration.spring()] * 2), "animation must be 3"),
        (lambda: batch.play(batch.load_clip([(0, []), (0, [])]), dots, [murmuration.Playback()] * 2), "playback must be"),
        (lambda: batch.advance(-1), "time must be at least"), (lambda: batch.bake(1, start=-1), "time must be at least"),
    ]:
        with pytest.raises(Error, match=words) as caught:
            call()
        assert not re.search(r"\.\.<|NULL|nil|\w\(\w+:|[a-z]+_count", str(caught.value)), str(caught.value)


def test_memory_that_cannot_be_had(batch):
    for call in (
        lambda: batch.add([0, 0], 2**31 - 1), lambda: batch.reserve(2**31 - 1), lambda: murmuration.Batch(capacity=2**31 - 1),
        lambda: batch.bake(2**62), lambda: murmuration.VelocityTrackers(2**31 - 1, 4096),
        lambda: murmuration.Particles(position=3).add(2**31 - 1),
    ):
        with pytest.raises(MemoryError) as caught:
            call()
        assert isinstance(caught.value, Error)
    assert len(batch) == 0
