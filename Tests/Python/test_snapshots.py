# SPDX-License-Identifier: MIT
"""Snapshots and copies: the same bits, and names that are never given out twice."""
import copy
import pickle
import subprocess
import sys

import numpy as np
import pytest

import murmuration
from murmuration import Keyframe, linear, smooth


def frames(batch, times=(0.2, 0.3, 0.7)):
    shown = []
    for time in times:
        batch.advance(time)
        shown.append(batch.values.copy())
    return np.array(shown)


def test_a_batch_goes_back():
    with murmuration.Batch(2) as batch:
        dots = batch.add(np.zeros((40, 2)))
        batch.animate(dots, [3, 4], smooth(0.5), delays=np.linspace(0, 0.3, 40))
        batch.advance(0.1)
        moment = batch.snapshot()
        expected = frames(batch)
        new = batch.add([[1, 1]] * 3)
        assert batch.snapshot(into=moment) is moment
        batch.remove(dots[:5])
        batch.restore(moment)
        assert batch.time == 0.7 and len(batch) == 43
        early = batch.copy()
        batch.advance(0.8)
        assert early.time == 0.7 and len(early) == 43
        batch.remove(new)
        batch.restore(moment)
        batch.remove(new)
        later = batch.add([[1, 1]] * 3)
        batch.restore(moment)
        with pytest.raises(murmuration.UnknownHandle):
            batch.stop(later)
        early.close()
    with murmuration.Batch(2) as batch:
        dots = batch.add(np.zeros((40, 2)))
        batch.animate(dots, [3, 4], smooth(0.5), delays=np.linspace(0, 0.3, 40))
        batch.advance(0.1)
        moment = batch.snapshot()
        frames(batch, [0.5, 9])
        batch.restore(moment)
        assert (frames(batch) == expected).all()


def test_copies_go_their_own_ways():
    with murmuration.Batch() as batch:
        dots = batch.add([[0], [0], [0]])
        batch.remove(dots[1])
        batch.animate(dots[[0, 2]], 10, linear(1))
        with copy.deepcopy(batch) as other:
            assert other.track(1) is None
            with pytest.raises(murmuration.Error):
                other.stop(dots[0])
            other.stop(other.track(0))
            for each in (batch, other):
                each.advance(0.5)
            assert batch.values[:, 0].tolist() == [5, 0, 5] and other.values[:, 0].tolist() == [0, 0, 5]


def test_particles_go_back():
    with murmuration.Particles(position=2, opacity=1) as sparks:
        some = sparks.add(10)
        sparks["opacity"].animate(some, 1, linear(1))
        moment = sparks.snapshot()
        sparks.advance(0.5)
        assert sparks["opacity"].values[0, 0] == 0.5
        sparks.restore(moment)
        sparks.advance(0.25)
        assert sparks["opacity"].values[0, 0] == 0.25 and sparks.snapshot(into=moment) is moment


def test_refusals():
    with murmuration.Batch() as batch, murmuration.Batch() as other, murmuration.Particles(size=1) as sparks:
        moment = other.snapshot()
        with pytest.raises(murmuration.StateError, match="not one of this batch"):
            batch.restore(moment)
        with pytest.raises(murmuration.StateError):
            sparks.restore(moment)
        with pytest.raises(murmuration.StateError):
            sparks["size"].snapshot()
        other.record()
        with pytest.raises(murmuration.StateError, match="recorded"):
            other.restore(moment)
        moment.close()
        with pytest.raises(murmuration.StateError):
            batch.restore(moment)


def test_a_batch_is_pickled():
    with murmuration.Batch(2) as batch:
        dots = batch.add(np.zeros((40, 2)))
        clip = batch.load_clip([(0, [Keyframe.linear(3, 1)]), (1, [Keyframe.move(5)])])
        batch.play(clip, dots[:5])
        batch.animate(dots[5:], [3, 4], smooth(0.5), delays=np.linspace(0, 0.3, 35))
        batch.advance(0.1)
        data = pickle.dumps(batch)
        expected = frames(batch)
        with pickle.loads(data) as other:
            assert (frames(other) == expected).all()
        # In another process too, where the same numbers may name other things.
        script = (
            "import pickle, sys, murmuration\n"
            "other = murmuration.Batch(2)\n"
            "batch = pickle.load(sys.stdin.buffer)\n"
            "for time in (0.2, 0.3, 0.7):\n"
            "    batch.advance(time)\n"
            "    sys.stdout.buffer.write(batch.values.tobytes())\n")
        run = subprocess.run([sys.executable, "-c", script], input=data, stdout=subprocess.PIPE, check=True)
        assert run.stdout == expected.tobytes()


def test_bytes_that_are_damaged_are_refused():
    with murmuration.Batch(2) as batch:
        dots = batch.add(np.zeros((20, 2)))
        batch.animate(dots, [3, 4], smooth(0.5))
        data = bytes(batch.snapshot())
        moment = murmuration.Snapshot.from_bytes(data)
        expected = frames(batch)
        batch.restore(moment)
        batch.advance(0)
        batch.restore(moment)
        assert (frames(batch) == expected).all()
        for bad in (b"", data[:-1], data[:100], data + b"0", data[:50] + b"??" + data[52:]):
            with pytest.raises(murmuration.Error) as refused:
                murmuration.Snapshot.from_bytes(bad)
            assert refused.value.name == "invalidSnapshot"
        with pytest.raises(murmuration.Error):
            murmuration.Particles.from_snapshot(moment, place=2)


def test_particles_are_pickled():
    with murmuration.Particles(place=2, size=1) as sparks:
        some = sparks.add(30)
        sparks["place"].animate(some, [1, 2], linear(1))
        sparks["size"].animate(some, 3, smooth(0.4))
        with pickle.loads(pickle.dumps(sparks)) as other, copy.deepcopy(sparks) as third:
            for each in (sparks, other, third):
                each.advance(0.3)
            for name in ("place", "size"):
                assert (sparks[name].values == other[name].values).all()
                assert (sparks[name].values == third[name].values).all()
        with sparks.snapshot() as moment:
            for names in ({"place": 2}, {"place": 3, "size": 1}):
                with pytest.raises(murmuration.Error):
                    murmuration.Particles.from_snapshot(moment, **names)
