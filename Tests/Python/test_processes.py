# SPDX-License-Identifier: MIT
"""Threads that race, interrupts at any moment, and processes that fork: nothing is written beyond an array, no batch stays
in use, and no process hangs."""
import gc
import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest

import murmuration
from murmuration import Busy, Lent, _baking

SECONDS = 1.5

# A shell lets what it starts in the background ignore interrupts.
signal.signal(signal.SIGINT, signal.default_int_handler)


def race(change, *readers):
    """Runs a change in a thread of its own, and readers in this one, by turns; refusals are no faults."""
    over, faults = threading.Event(), []

    def run():
        while not over.is_set():
            try:
                change()
            except (Busy, Lent):
                pass
            except BaseException as fault:
                faults.append(fault)
                return

    # Threads change between almost any two steps.
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    thread = threading.Thread(target=run)
    thread.start()
    done = [0] * len(readers)
    try:
        end = time.monotonic() + SECONDS
        while (time.monotonic() < end or not all(done)) and not faults:
            for number, read in enumerate(readers):
                for _ in range(20):
                    try:
                        read()
                        done[number] += 1
                    except (Busy, Lent):
                        pass
    finally:
        over.set()
        thread.join()
        sys.setswitchinterval(interval)
    assert not faults, faults


def grower(batch):
    """Adds tracks, and begins anew when there are many."""
    def change():
        if len(batch) > 3000:
            batch.remove_all()
            batch.compact()
        batch.add(np.ones((97, 2), np.float32))
        batch.advance_by(0.01, velocities=True)
    return change


def test_no_reader_writes_beyond_its_array_while_a_thread_adds(batch):
    """The number of tracks and the copy were two steps: another thread's tracks were written beyond the array."""
    race(
        grower(batch), batch.read, lambda: batch.values, lambda: batch.velocities, lambda: batch.targets,
        lambda: batch.bake(3), lambda: batch.events, lambda: batch.column().sum())


def test_no_call_reads_beyond_its_arrays_while_a_thread_adds(batch):
    def sized(send):
        def run():
            try:
                send(np.ones((batch.index_count, 2), np.float32))
            except murmuration.InvalidValue as fault:
                assert "shape" in str(fault)
                send([1, 2])
        return run

    race(
        grower(batch), sized(lambda goals: batch.animate(None, goals, murmuration.spring())),
        sized(lambda goals: batch.retarget(None, goals)), sized(lambda goals: batch.set(None, goals, goals)),
        sized(lambda goals: batch.displace(None, goals) if isinstance(goals, list)
              else batch.displace(slice(min(3, len(goals)), None), goals[3:])),
        sized(lambda goals: batch.decelerate(None, goals)))


def test_texts_are_copied_before_the_next_one_is_lent():
    scene = murmuration.Scene("murmuration")
    groups, names, name = scene.groups, scene.component_names, scene.name

    def check():
        assert (scene.groups, scene.component_names, scene.name) == (groups, names, name)

    race(lambda: (scene.description, scene.name), check)


def test_readers_of_particles_race_with_new_ones():
    with murmuration.Particles(position=2, opacity=1) as sparks:
        position, opacity = sparks["position"], sparks["opacity"]
        sparks.add(5)

        def change():
            if len(position) > 3000:
                sparks.remove(None)
            sparks.add(50)
            sparks.advance_by(0.01)

        race(change, position.read, lambda: opacity.values.sum(), lambda: position.bake(2), lambda: sparks.events.size)


# ---- Selections ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("order", ["interleaved", "time_major", "track_major"])
@pytest.mark.parametrize("piece", [1 << 23, 7])
def test_a_bake_of_handles_is_that_of_their_tracks(batch, random, order, piece, monkeypatch):
    """It took the first tracks, as many as there were handles."""
    monkeypatch.setattr(_baking, "PIECE", piece)
    start = random.normal(size=(40, 2)).astype(np.float32)
    dots = batch.add(start)
    batch.animate(dots, -start, murmuration.bouncy())
    monkeypatch.setattr(_baking, "PIECE", 1 << 23)
    whole, speeds = batch.bake(9, velocities=(every := np.empty((9, 40, 2), np.float32))), every
    monkeypatch.setattr(_baking, "PIECE", piece)
    axes = {"interleaved": (0, 1, 2), "time_major": (0, 2, 1), "track_major": (1, 2, 0)}[order]
    for some in (
        slice(3, None), slice(None), [5], [9, 4, 4, 30, 5, 6], slice(None, None, -1), [], np.arange(40) % 3 == 1,
    ):
        picked = dots[some] if not isinstance(some, list) else dots[np.array(some, int)]
        places = picked.indices
        rates = np.empty(whole[:, places].transpose(axes).shape, np.float32)
        baked = batch.bake(9, tracks=picked, order=order, velocities=rates)
        assert np.array_equal(baked, whole[:, places].transpose(axes))
        assert np.array_equal(rates, speeds[:, places].transpose(axes))
    some = batch.bake(times=[0.1, 0.05, 0.1], tracks=dots[[7, 2]], components=1, order=order)
    each = batch.bake(times=[0.1, 0.05, 0.1])[:, [7, 2], 1:2].transpose(axes)
    assert np.array_equal(some, each)


def test_no_call_takes_the_handles_of_others(batch):
    dots = batch.add(np.zeros((3, 2), np.float32))
    clip, phases = batch.load_clip([(0, []), (0, [])]), batch.load_phases([[0, 0]])
    out = np.full((4, 1, 2), np.nan, np.float32)
    with murmuration.Batch(2) as other:
        foreign = other.add([0, 0])
    batch.remove(dots[1])
    for tracks, name in (dots[1], "staleHandle"), (foreign, "storeMismatch"):
        for call in (
            lambda: batch.bake(4, tracks=tracks, out=out), lambda: batch.read(tracks), lambda: batch.animate(tracks, [1, 1], None),
            lambda: batch.retarget(tracks, [1, 1]), lambda: batch.set(tracks, [1, 1]), lambda: batch.displace(tracks, [1, 1]),
            lambda: batch.decelerate(tracks), lambda: batch.pause(tracks), lambda: batch.resume(tracks),
            lambda: batch.stop(tracks), lambda: batch.cancel_delays(tracks), lambda: batch.play(clip, tracks),
            lambda: batch.set_speed(tracks, 1), lambda: batch.seek(tracks, 0), lambda: batch.vary(tracks, 1, 0),
            lambda: batch.play_phases(phases, tracks), lambda: batch.trigger(tracks), lambda: batch.remove(tracks),
            lambda: batch.state(tracks),
        ):
            with pytest.raises(murmuration.UnknownHandle) as caught:
                call()
            assert caught.value.name == name
    assert np.isnan(out).all()


def test_none_says_all_to_the_library(batch, monkeypatch):
    """A number of indices is another way through the library, which took up to six times as long."""
    batch.add(np.zeros((3, 2), np.float32))
    clip = batch.load_clip([(0, []), (0, [])])
    said = []
    for name in "animate", "retarget", "set", "displace", "decelerate", "vary", "play_clip":
        function = getattr(_baking.library, name)

        def note(*arguments, function=function, place=3 if name != "play_clip" else 4):
            said.append(arguments[place])
            return function(*arguments)

        monkeypatch.setattr(_baking.library, name, note)
    goals = np.zeros((3, 2), np.float32)
    for call in (
        lambda: batch.animate(None, goals, None), lambda: batch.retarget(None, goals), lambda: batch.set(None, goals),
        lambda: batch.displace(None, goals), lambda: batch.decelerate(None), lambda: batch.vary(None, goals, goals),
        lambda: batch.play(clip),
    ):
        call()
    assert said == [-1] * 7


# ---- Interrupts ---------------------------------------------------------------------------------------------------------


class Interrupt(BaseException):
    pass


def storm(seconds, call):
    """Interrupts calls again and again, wherever they are; returns how often."""
    armed = False

    def interrupt(number, frame):
        nonlocal armed
        if armed:
            armed = False
            raise Interrupt

    count, end = 0, time.monotonic() + seconds
    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 1e-4, 1.7e-4)
    try:
        while time.monotonic() < end:
            try:
                armed = True
                while armed:
                    call()
            except Interrupt:
                count += 1
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    return count


@pytest.mark.parametrize("name", ["advance_by", "animate", "read", "values", "events", "column", "bake", "add and remove"])
def test_no_interrupt_leaves_a_batch_in_use(name):
    """One between taking the lock and what gives it back did, and even `close` was refused then."""
    batch = murmuration.Batch()
    dots = batch.add(np.zeros(8, np.float32))
    calls = {
        "advance_by": lambda: batch.advance_by(0), "animate": lambda: batch.animate(dots, 1, murmuration.spring()),
        "read": lambda: batch.read(), "values": lambda: batch.values, "events": lambda: batch.events,
        "column": lambda: batch.column(), "bake": lambda: batch.bake(2), "add and remove": lambda: batch.remove(batch.add(1)),
    }
    assert storm(SECONDS, calls[name]) > 100
    gc.collect()  # Tracebacks may hold views.
    batch.advance_by(0.1)
    batch.animate(dots, 5, None)
    batch.advance_by(0)
    assert batch.read(dots).tolist() == [[5]] * 8
    batch.close()
    batch.close()


def test_an_interrupted_close_can_be_made_again():
    batches = []

    def make_and_close():
        batches.append(murmuration.Batch())
        batches[-1].close()

    assert storm(SECONDS, make_and_close) > 100
    for batch in batches:
        batch.close()
        with pytest.raises(murmuration.StateError, match="freed|never existed"):
            batch.advance(1)


@pytest.mark.parametrize("order", ["interleaved", "time_major", "track_major"])
def test_a_long_bake_answers_an_interrupt_soon(order, monkeypatch):
    monkeypatch.setattr(_baking, "PIECE", 1000)
    with murmuration.Batch() as batch:
        dots = batch.add(np.zeros(1000, np.float32))
        batch.animate(dots, 1, murmuration.spring())
        frames = 1000
        shape = {"interleaved": (frames, 1000, 1), "time_major": (frames, 1, 1000), "track_major": (1000, 1, frames)}[order]
        out = np.full(shape, np.nan, np.float32)
        calls, bake = 0, _baking.library.bake

        def interrupted(*arguments):
            nonlocal calls
            calls += 1
            if calls == 20:
                signal.raise_signal(signal.SIGINT)
            return bake(*arguments)

        monkeypatch.setattr(_baking.library, "bake", interrupted)
        with pytest.raises(KeyboardInterrupt):
            batch.bake(frames, order=order, out=out)
        assert calls <= 21 and np.isnan(out[-1]).all() and not np.isnan(out[0]).any()
        monkeypatch.setattr(_baking.library, "bake", bake)
        baked = batch.bake(frames, order=order, out=out)
        monkeypatch.setattr(_baking, "PIECE", 1 << 23)
        assert np.array_equal(baked, batch.bake(frames, order=order))


def test_a_refused_bake_in_pieces_writes_nothing(batch, monkeypatch):
    monkeypatch.setattr(_baking, "PIECE", 4)
    dots = batch.add(np.zeros((3, 2), np.float32))
    batch.animate(dots, [1, 1], murmuration.spring(), delays=[0, 0, 0.9])
    batch.advance(0.1)
    out = np.full((60, 3, 2), np.nan, np.float32)
    with pytest.raises(murmuration.StateError, match="sets out"):
        batch.bake(60, start=0.1, out=out)
    with pytest.raises(murmuration.InvalidValue, match="time"):
        batch.bake(times=[*np.linspace(0.1, 0.5, 59), -1], out=out)
    assert np.isnan(out).all()
    assert batch.bake(60, start=0.1, tracks=dots[:2]).shape == (60, 2, 2)


# ---- Processes ----------------------------------------------------------------------------------------------------------


def threaded(count=500_000):
    batch = murmuration.Batch(dimensions=2, threads=4)
    dots = batch.add(np.zeros((count, 2), np.float32))
    batch.animate(dots, [1, 2], murmuration.spring())
    batch.advance(0.1)
    return batch


def test_a_process_that_forks_goes_on_in_both():
    """The child's copy of a batch waited for threads that it does not have, or died."""
    program = textwrap.dedent("""
        import os, signal, sys
        sys.path.insert(0, sys.argv[1])
        import murmuration
        from test_processes import threaded
        batch, freed = threaded(), threaded(10)
        child = os.fork()
        if not child:
            signal.alarm(60)
            assert batch.threads == 1
            batch.advance(0.2)
            batch.bake(1000, start=0.2, tracks=slice(0, 5000))
            alone = batch.values.tobytes()
            batch.threads = 4
            batch.advance(0.2)
            assert batch.threads == 4 and batch.values.tobytes() == alone
            freed.close()
            del freed
            batch.close()
            new = threaded()
            new.advance(0.2)
            assert new.values.tobytes() == alone
            os._exit(7)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
        assert batch.threads == 4
        batch.advance(0.2)
        """)
    done = subprocess.run([sys.executable, "-c", program, os.path.dirname(__file__)], timeout=120)
    assert done.returncode == 0


def _go_on(batch, sums):
    batch.advance(0.2)
    total = float(batch.values.sum())
    batch.close()
    sums.put(total)


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_processes_of_multiprocessing_inherit_batches():
    batch, context = threaded(), multiprocessing.get_context("fork")
    sums = context.Queue()
    workers = [context.Process(target=_go_on, args=(batch, sums)) for _ in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(timeout=60)
    codes = [worker.exitcode for worker in workers]
    for worker in workers:
        worker.kill()
    assert codes == [0, 0]
    batch.advance(0.2)
    assert [sums.get(), sums.get()] == [float(batch.values.sum())] * 2
