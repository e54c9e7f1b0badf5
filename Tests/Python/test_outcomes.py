# SPDX-License-Identifier: MIT
"""The ends of changes: as arrays, as futures and as awaitables."""
import asyncio
import threading

import pytest

import murmuration
from murmuration import Keyframe, Result, linear, smooth


def test_changes_end_complete_replaced_or_removed():
    with murmuration.Batch() as batch:
        dots = batch.add([[0]] * 4)
        change = batch.animate(dots, 10, smooth(0.5), completion="logically_complete")
        batch.advance(0.1)
        assert not batch.outcomes.size and not batch.track_outcomes.size
        batch.stop(dots[0])
        batch.remove(dots[3])
        batch.advance(0.2)
        ends = batch.track_outcomes
        assert ends["track"].tolist() == dots.handles[[0, 3]].tolist() and (ends["change"] == change).all()
        assert ends["result"].tolist() == [Result.REPLACED, Result.REMOVED] and not batch.outcomes.size
        batch.advance(0.51)
        assert batch.outcomes.tolist() == [(change, 2, 1, 1)]
        assert batch.track_outcomes["result"].tolist() == [Result.COMPLETE] * 2
        batch.advance(9)
        assert not batch.outcomes.size and not batch.track_outcomes.size


def test_every_call_that_takes_a_completion():
    with murmuration.Batch() as batch:
        dots = batch.add([[0]] * 6)
        clip = batch.load_clip([(0, [Keyframe.linear(1, 0.5)])])
        batch.play_phases(batch.load_phases([0, 8], [linear(0.2)] * 2), dots[5], loops=False)
        changes = [
            batch.animate(dots[0], 1, linear(0.1), completion="settled"),
            batch.animate(dots[1], 1, [linear(0.1)], completion="settled"),
            batch.retarget(dots[2], 1, completion="settled"), batch.decelerate(dots[3], 100, completion="settled"),
            batch.play(clip, dots[4], completion="settled"), batch.trigger(dots[5], completion="settled")]
        batch.animate(None, 5, linear(0.1), delay=20, completion=None)
        batch.advance(10)
        assert sorted(batch.outcomes.tolist()) == [(change, 1, 0, 0) for change in changes]


def test_callbacks_and_threads_get_the_end():
    with murmuration.Batch() as batch:
        dots, log = batch.add([[0], [0]]), []
        change = batch.animate(dots, 1, linear(0.1), completion="settled")
        for _ in range(2):
            # The batch is free when a callback runs.
            batch.finished(change).add_done_callback(lambda end: log.append((end.result(), batch.values[:, 0].tolist())))
        later = batch.finished(change)
        thread = threading.Thread(target=lambda: log.append(later.result(60).is_complete))
        thread.start()
        batch.advance(0.05)
        assert not log
        batch.advance_by(1)
        thread.join()
        assert log.count((murmuration.Outcome(change, 2, 0, 0), [1, 1])) == 2 and log.count(True) == 1
        for none in (change, batch.animate(dots, 3, linear(0.1)), 99, -1):
            with pytest.raises(murmuration.InvalidValue, match="asked for its completion"):
                batch.finished(none)


def test_coroutines_await_the_end():
    async def run():
        with murmuration.Batch() as batch:
            dots = batch.add([[0], [0]])
            change = batch.animate(dots, 1, linear(0.1), completion="settled")

            async def wait():
                return await batch.finished(change)

            waits, cancelled = asyncio.ensure_future(wait()), asyncio.ensure_future(wait())
            await asyncio.sleep(0)
            cancelled.cancel()
            await asyncio.sleep(0)
            # What ends with its call is told by the next advance.
            jump = batch.finished(batch.animate(dots, 7, None, completion="settled"))
            batch.advance(1)
            assert (await waits).replaced == 2 and (await jump).completed == 2 and cancelled.cancelled()

    asyncio.run(run())


def test_properties_of_particles_tell_their_ends():
    with murmuration.Particles(position=2, opacity=1) as sparks:
        some = sparks.add(10)
        end = sparks["opacity"].finished(sparks["opacity"].animate(some, 1, linear(0.1), completion="settled"))
        open_ = sparks["position"].finished(sparks["position"].animate(some, [1, 1], linear(9), completion="settled"))
        sparks.advance(0.5)
        assert end.result(0).completed == 10 and not open_.done()
    assert isinstance(open_.exception(0), murmuration.StateError)


def test_a_batch_that_goes_lets_no_one_wait():
    def pending():
        batch = murmuration.Batch()
        return batch, batch.finished(batch.animate(batch.add(0), 1, linear(1), completion="settled"))

    batch, closed = pending()
    batch.close()
    dropped = pending()[1]
    for end in closed, dropped:
        assert isinstance(end.exception(60), murmuration.StateError)


def test_a_batch_that_goes_back_lets_nothing_wait_in_vain():
    """What waited for a change of later waited for ever, and what had ended since was not to be waited for again."""
    with murmuration.Batch() as batch:
        dots = batch.add([[0], [0]])
        early = batch.animate(dots[0], 1, linear(1), completion="settled")
        with batch.snapshot() as moment:
            first = batch.finished(early)
            late = batch.animate(dots[1], 1, linear(1), completion="settled")
            second, log = batch.finished(late), []
            second.add_done_callback(lambda end: log.append(batch.time))
            batch.restore(moment)
            with pytest.raises(murmuration.StateError, match=f"before change {late}"):
                second.result(0)
            with pytest.raises(murmuration.InvalidValue):
                batch.finished(late)
            assert log == [0] and not first.done()
            batch.advance(2)
            assert first.result(0).is_complete
            batch.restore(moment)
            ends = [batch.finished(early)]
            with batch.copy() as other, murmuration.Batch.from_snapshot(moment) as third:
                ends += [other.finished(early), third.finished(early)]
                for one in batch, other, third:
                    one.advance(2)
            assert all(end.result(0).is_complete for end in ends)


def test_particles_that_go_back_let_nothing_wait_in_vain():
    with murmuration.Particles(place=1, size=1) as sparks:
        dots = sparks.add(2)
        early = sparks["size"].animate(dots, 1, linear(1), completion="settled")
        with sparks.snapshot() as moment:
            late = sparks["place"].animate(dots, 1, linear(1), completion="settled")
            first, second = sparks["size"].finished(early), sparks["place"].finished(late)
            sparks.restore(moment)
            with murmuration.Particles.from_snapshot(moment, place=1, size=1) as others:
                third = others["size"].finished(early)
                for one in sparks, others:
                    one.advance(2)
        assert first.result(0).is_complete and third.result(0).is_complete
        with pytest.raises(murmuration.StateError, match=f"before change {late}"):
            second.result(0)
