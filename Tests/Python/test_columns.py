# SPDX-License-Identifier: MIT
"""Springs and curves over arrays, without a batch."""
import itertools

import numpy as np
import pytest

import murmuration
from murmuration import Curve, Spring, Springs, _library, ease, spring_states, spring_step, spring_values

pytestmark = pytest.mark.skipif("springs_step" not in vars(_library.library), reason="this build of the library has no columns")

SPRINGS = [Spring(0.5, 0.3), Spring(0.3, -0.5), Spring(1, 0), Spring.stiffness(100, 4), Spring(0.7, 1)]


def model(springs, times, start, target, velocity):
    """Values and velocities of single springs in double."""
    arrays = np.broadcast_arrays(np.arange(len(springs)), *(np.asarray(one, np.float64) for one in (times, start, target, velocity)))
    found = np.empty((2, *arrays[0].shape))
    for index in np.ndindex(arrays[0].shape):
        spring, time, from_, to, push = (array[index] for array in arrays)
        found[0][index] = springs[spring].value(time, to, from_, push)
        found[1][index] = springs[spring].velocity(time, to, from_, push)
    return found


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_springs_move_as_the_model_says(random, kind):
    count = len(SPRINGS)
    shapes = [(), (count,), (7, count), (7, 1), (2, 7, 1)]
    for times, start, target, velocity in itertools.product(shapes, repeat=4):
        arrays = [random.uniform(size=shape).astype(kind) for shape in (times, start, target, velocity)]
        values, velocities = spring_states(SPRINGS, *arrays)
        expected = model(SPRINGS, *arrays)
        assert values.dtype == velocities.dtype == np.float32 and values.shape == expected[0].shape
        np.testing.assert_allclose(values, expected[0], atol=2e-6)
        np.testing.assert_allclose(velocities, expected[1], atol=3e-5)
        assert np.array_equal(spring_values(Springs(SPRINGS), *arrays), values)
        alone = spring_values(SPRINGS[0], *arrays)
        np.testing.assert_allclose(alone, model(SPRINGS[:1], *arrays)[0], atol=2e-6)


def test_springs_of_arrays():
    springs = Springs(np.array([[0.5], [1]]), [0, 0.3, -0.2])
    assert springs.shape == (2, 3) and Springs(0.5).shape == () and Springs([Spring()]).shape == (1,)
    expected = [[Spring(duration, bounce).value(0.1) for bounce in (0, 0.3, -0.2)] for duration in (0.5, 1)]
    np.testing.assert_allclose(spring_values(springs, 0.1), np.array(expected), atol=1e-6)
    # They broadcast where they have one for several elements.
    assert np.array_equal(
        spring_values(Springs([[0.5], [1]], 0.2), [0.1, 0.2]),
        spring_values(Springs(np.array([[0.5, 0.5], [1, 1]]), 0.2), [0.1, 0.2]))


def test_one_time_counts_in_double():
    # As a float32, the time would be 0.002 s off.
    time = 100_000.12345
    np.testing.assert_allclose(spring_values(Spring(0.5, 1), time), Spring(0.5, 1).value(time), atol=1e-6)


def test_results_go_where_they_are_wanted(random):
    out, other = np.zeros((3, 5), np.float32), np.zeros((3, 5), np.float32)
    start = random.normal(size=(3, 5)).astype(np.float32)
    expected = spring_states(SPRINGS, 0.2, start)
    assert spring_values(SPRINGS, 0.2, start, out=out) is out and np.array_equal(out, expected[0])
    assert spring_states(SPRINGS, 0.2, start, out=(out, other))[1] is other and np.array_equal(other, expected[1])
    # An input may be the output.
    assert np.array_equal(spring_values(SPRINGS, 0.2, start, out=start), expected[0])
    assert ease(Curve.EASE_IN, [0, 1, 2], out=out[0, :3]) is not None and out[0, :3].tolist() == [0, 1, 1]
    assert spring_values(Spring(), np.zeros((0, 3))).shape == (0, 3) and spring_values(SPRINGS, np.zeros((0, 1))).shape == (0, 5)


STEPS = {
    "one target for all": lambda x, v, of: spring_step(SPRINGS[0], x, v, of(x[:1]), 0.1),
    "a target for each row": lambda x, v, of: spring_step(
        Springs(np.linspace(0.2, 1, 50)), x.reshape(2, 50), v.reshape(2, 50), of(x[:50]), 0.1),
    "its neighbour": lambda x, v, of: spring_values(SPRINGS[0], 0.1, of(x[:-1]), 0, out=x[1:]),
    "the target of its neighbour": lambda x, v, of: spring_values(SPRINGS[0], 0.1, 5, of(x[:-1]), out=x[1:]),
    "the time of its neighbour": lambda x, v, of: spring_values(SPRINGS[0], of(x[:-1]), out=x[1:]),
    "the velocity": lambda x, v, of: spring_states(SPRINGS[0], 0.1, of(x), 0, of(v), out=(v, x)),
    "a share of its neighbour": lambda x, v, of: ease(Curve.EASE_IN, of(x[:-1]), out=x[1:]),
}


@pytest.mark.parametrize("name", STEPS)
def test_inputs_that_lie_in_the_results_count_as_they_were(name):
    """A result was written before its neighbours had read it."""
    def results(of):
        x, v = np.linspace(0, 3, 100, dtype=np.float32), np.linspace(-1, 1, 100, dtype=np.float32)
        STEPS[name](x, v, of)
        return [x.tolist(), v.tolist()]

    assert results(lambda array: array) == results(np.copy)


def test_steps_are_the_closed_form(random):
    for springs in (SPRINGS, Springs(SPRINGS), Springs([[spring.duration] for spring in SPRINGS[:3]], 0.2)):
        shape = (4, 5) if not isinstance(springs, Springs) or springs.shape == (5,) else (3, 4)
        values, velocities = (random.normal(size=shape).astype(np.float32) for _ in range(2))
        target = random.normal(size=(shape[0], 1)).astype(np.float32)
        expected = spring_states(springs, 0.25, values.copy(), target, velocities.copy())
        for _ in range(10):
            assert spring_step(springs, values, velocities, target, 0.025) is None
        np.testing.assert_allclose(values, expected[0], atol=1e-5)
        np.testing.assert_allclose(velocities, expected[1], atol=2e-4)


def test_curves_ease(random):
    progress = random.uniform(-0.2, 1.2, size=(50, 1))
    for curve in (Curve.LINEAR, Curve.EASE_IN_OUT, Curve.EASE_OUT_ELASTIC, Curve.bezier(0.2, -1, 0.6, 2)):
        expected = curve.value(progress.astype(np.float32))
        np.testing.assert_allclose(ease(curve, progress), expected, atol=2e-5)
        np.testing.assert_allclose(ease(curve, progress, tolerance=1e-7), expected, atol=1e-6)
        np.testing.assert_allclose(ease(curve, progress, [1, 2], 5), [1, 2] + expected * [4, 3], atol=1e-4)
        np.testing.assert_allclose(ease(curve, progress, target=5), expected * 5, atol=1e-4)


def test_not_a_number_stays_in_its_element():
    start = np.zeros(20, np.float32)
    start[7] = np.nan
    assert np.flatnonzero(~np.isfinite(spring_values(Spring(), 0.1, start))).tolist() == [7]
    assert np.flatnonzero(~np.isfinite(ease(Curve.EASE_IN, start))).tolist() == [7]
    values, velocities = start.copy(), np.zeros(20, np.float32)
    spring_step(Spring(), values, velocities, 1, 0.1)
    assert np.flatnonzero(~np.isfinite(values)).tolist() == [7]


def test_refusals():
    values, velocities = np.zeros(3, np.float32), np.zeros(3, np.float32)
    for call, kind, words in [
        (lambda: spring_values(Spring(-1), 0), ValueError, "spring 0"),
        (lambda: spring_values([Spring(), Spring(1, 2)], 0), ValueError, "spring 1"),
        (lambda: Springs("fast"), TypeError, "duration"),
        (lambda: spring_values(Spring(), -1), ValueError, "age 0"),
        (lambda: spring_values(Spring(), [0, np.nan]), ValueError, "age 1"),
        (lambda: spring_values(Spring(), "soon"), TypeError, "times"),
        (lambda: spring_values(SPRINGS, [0, 1]), ValueError, "broadcast"),
        (lambda: spring_values(Spring(), 0, out=np.zeros(())), TypeError, "float32"),
        (lambda: spring_values(Spring(), [0, 1], out=values), ValueError, "shape"),
        (lambda: spring_step(Spring(), values, velocities[:2], 1, 0.1), ValueError, "shape"),
        (lambda: spring_step(Spring(), values[::2], velocities[::2], 1, 0.1), ValueError, "contiguous"),
        (lambda: spring_step(Spring(), values.astype(float), velocities, 1, 0.1), TypeError, "float32"),
        (lambda: spring_step(Spring(), [0, 0, 0], velocities, 1, 0.1), TypeError, "array"),
        (lambda: spring_step(Spring(), values, velocities, np.ones((2, 3)), 0.1), ValueError, "larger"),
        (lambda: spring_step(Spring(), values, velocities, 1, np.inf), ValueError, "step"),
        (lambda: spring_step(Spring(), values, velocities, 1, "long"), TypeError, "seconds"),
        (lambda: ease(Curve.LINEAR, 0, tolerance=1), ValueError, "tolerance"),
        (lambda: ease(Curve.LINEAR, 0, tolerance="small"), TypeError, "tolerance"),
        (lambda: ease(Curve.LINEAR, [0, 1], [1, 2, 3]), ValueError, "broadcast"),
    ]:
        with pytest.raises(kind, match=words) as caught:
            call()
        assert isinstance(caught.value, murmuration.Error)
    assert not values.any() and not velocities.any()
    springs = Springs(SPRINGS)
    springs.close()
    with pytest.raises(murmuration.StateError):
        spring_values(springs, 0)
