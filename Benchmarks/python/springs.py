# SPDX-License-Identifier: MIT
"""Times frames of springs: this package, and what one would write with NumPy today, in one run.

    python3 Benchmarks/python/springs.py [--json FILE] [TRACKS ...]

NumPy evaluates the closed form of underdamped springs with preallocated arrays, in place, as fast as we can write it: for
springs of one kind that began together (a cohort) the coefficients of a frame are two numbers; for springs that each have
their own duration, bounce and start (mixed) each frame computes an exponential, a sine and a cosine for each. Both give
values alone. Goals that move in every frame are followed by loops in NumPy too. Checked against each other before they are
timed. Fastest of several rounds, by turns. With --json the rows of springs are written to a file, in seconds.
"""
import json
import sys
import time

import numpy as np

import murmuration

CALLS = 2000


class Cohort:
    """x(t) = goal + (start - goal) * f(t) with one f for all."""

    def __init__(self, kind, start, goal, duration, bounce):
        self.way, self.goal = (start - goal).astype(kind), goal.astype(kind)
        self.out = np.empty_like(self.goal)
        self.damping = (1 - bounce[0]) * 2 * np.pi / duration[0]
        self.frequency = 2 * np.pi / duration[0] * np.sqrt(1 - (1 - bounce[0]) ** 2)

    def frame(self, seconds):
        angle = self.frequency * seconds
        share = np.exp(-self.damping * seconds) * (np.cos(angle) + self.damping / self.frequency * np.sin(angle))
        np.multiply(self.way, self.way.dtype.type(share), out=self.out)
        np.add(self.out, self.goal, out=self.out)


class Mixed:
    """Springs that each have their own duration and bounce, and began each at its own time."""

    def __init__(self, kind, start, goal, duration, bounce):
        damping = (1 - bounce) * 2 * np.pi / duration
        frequency = 2 * np.pi / duration * np.sqrt(1 - (1 - bounce) ** 2)
        self.goal, self.cosine = goal.astype(kind), (start - goal).astype(kind)
        self.sine = ((start - goal) * damping / frequency).astype(kind)
        self.damping, self.frequency = (-damping).astype(kind), frequency.astype(kind)
        self.out, self.a, self.b = (np.empty_like(self.goal) for _ in range(3))

    def frame(self, seconds):
        out, a, b = self.out, self.a, self.b
        np.multiply(self.frequency, seconds, out=a)
        np.sin(a, out=b)
        np.cos(a, out=a)
        np.multiply(a, self.cosine, out=a)
        np.multiply(b, self.sine, out=b)
        np.add(a, b, out=a)
        np.multiply(self.damping, seconds, out=out)
        np.exp(out, out=out)
        np.multiply(out, a, out=out)
        np.add(out, self.goal, out=out)


class Euler:
    """Springs of half a second without a bounce that follow goals: semi-implicit steps of a sixtieth."""

    def __init__(self, kind, start, goal):
        self.x, self.v, self.goal, self.pull = start.astype(kind), np.zeros(start.size, kind), goal, np.empty(start.size, kind)
        pace = 2 * np.pi / 0.5
        self.stiffness, self.damping, self.seconds = (kind(number) for number in (pace * pace / 60, 1 - 2 * pace / 60, 1 / 60))

    def frame(self, _):
        np.subtract(self.goal, self.x, out=self.pull)
        self.pull *= self.stiffness
        self.v *= self.damping
        self.v += self.pull
        np.multiply(self.v, self.seconds, out=self.pull)
        self.x += self.pull


class Smoothing:
    """Values that go a part of the way to their goals in each frame."""

    def __init__(self, kind, start, goal):
        self.x, self.goal, self.part, self.way = start.astype(kind), goal, kind(0.2), np.empty(start.size, kind)

    def frame(self, _):
        np.subtract(self.goal, self.x, out=self.way)
        self.way *= self.part
        self.x += self.way


class Following:
    """The same springs in a batch: goals of a program's own array, or written in place."""

    def __init__(self, start, goal, in_place):
        self.batch, self.goal, self.time = murmuration.Batch(capacity=start.size), goal, 0.0
        self.batch.add(start)
        self.batch.follow(None, murmuration.Spring(0.5))
        self.goals = self.batch.goals() if in_place else None
        self.x = self.batch.values[:, 0]

    def frame(self, _):
        if self.goals is None:
            self.batch.set_goals(None, self.goal)
        else:
            self.goals[:] = self.goal
        self.time += 1 / 60
        self.batch.advance(self.time)


def springs(mixed, start, goal, duration, bounce):
    batch = murmuration.Batch(capacity=start.size)
    dots = batch.add(start)
    if mixed:
        batch.animate(dots, goal, [murmuration.spring(*pair) for pair in zip(duration, bounce)])
    else:
        batch.animate(dots, goal, murmuration.spring(duration[0], bounce[0]))
    return batch


def fastest(contestants, rounds):
    """Seconds of one frame of each: the fastest of some rounds, by turns. The times of frames go on."""
    best = [float("inf")] * len(contestants)
    for round_ in range(rounds):
        for number, frame in enumerate(contestants):
            moment = 0.1 + 0.2 * (round_ + 1) / rounds
            clock = time.perf_counter()
            frame(moment)
            best[number] = min(best[number], time.perf_counter() - clock)
    return best


def row(count, mixed):
    random = np.random.default_rng(1)
    start, goal = (random.normal(size=count).astype(np.float32) for _ in range(2))
    duration = random.uniform(0.4, 0.8, count) if mixed else np.full(count, 0.5)
    bounce = random.uniform(0.1, 0.6, count) if mixed else np.full(count, 0.3)
    kind = Mixed if mixed else Cohort
    double, single = (kind(type_, start, goal, duration, bounce) for type_ in (np.float64, np.float32))
    batch, viewed = (springs(mixed, start, goal, duration, bounce) for _ in range(2))
    held = viewed.values
    for frame in double.frame, single.frame, viewed.advance:
        frame(0.17)
    np.testing.assert_allclose(single.out, double.out, atol=3e-5)
    # The engine ends a motion within 0.001 of its goal.
    np.testing.assert_allclose(held[:, 0], double.out, atol=1.03e-3)
    times = fastest([batch.advance, viewed.advance, single.frame, double.frame], max(30, 20_000_000 // count // 4))
    kinds = "mixed" if mixed else "cohort"
    print(
        f"| {count:,} {kinds} | " + " | ".join(f"{1e6 * seconds:,.1f}" for seconds in times)
        + f" | {times[2] / times[0]:.1f} | {times[3] / times[0]:.1f} |", flush=True)
    return {"tracks": count, "kind": kinds, "murmuration": times[0], "float32": times[2], "float64": times[3]}


def follow(count):
    random = np.random.default_rng(2)
    start, goal = (random.normal(size=count).astype(np.float32) for _ in range(2))
    loops = [Following(start, goal, True), Following(start, goal, False)] + [
        kind(type_, start, goal) for kind in (Euler, Smoothing) for type_ in (np.float32, np.float64)]
    for one in loops:
        for frame in range(240):
            one.frame(frame)
        np.testing.assert_allclose(one.x, goal, atol=1.1e-3)

    def moving(one):
        def frame(moment):
            # Goals that nothing rests at; the time of this line counts for all.
            np.add(goal, np.float32(moment), out=one.goal)
            one.frame(moment)
        return frame

    for one in loops:
        one.goal = goal.copy()
    times = fastest([moving(one) for one in loops], max(30, 20_000_000 // count // 4))
    print(
        f"| {count:,} | " + " | ".join(f"{1e6 * seconds:,.1f}" for seconds in times)
        + f" | {times[2] / times[0]:.1f} | {times[4] / times[0]:.1f} |", flush=True)


def call(name, function):
    best = float("inf")
    for _ in range(7):
        clock = time.perf_counter()
        for _ in range(CALLS):
            function()
        best = min(best, (time.perf_counter() - clock) / CALLS)
    print(f"| `{name}` | {1e6 * best:.2f} |")


def calls():
    batch = murmuration.Batch(dimensions=2)
    dots, goals = batch.add([[0, 0]]), np.zeros((1, 2), np.float32)
    bouncy, out, fixed = murmuration.bouncy(), np.empty((1, 2), np.float32), np.zeros((1, 2), np.float32)
    fixed.flags.writeable = False
    print("\n| call about one track | microseconds |\n|---|---|")
    call("batch.advance(0.1)", lambda: batch.advance(0.1))
    call("batch.animate(dots, goals, bouncy)", lambda: batch.animate(dots, goals, bouncy))
    call("batch.animate(dots, goals, bouncy), goals read-only", lambda: batch.animate(dots, fixed, bouncy))
    call("batch.set(dots, goals)", lambda: batch.set(dots, goals))
    call("batch.read(dots, out=out)", lambda: batch.read(dots, out=out))
    call("batch.values", lambda: batch.values)
    call("batch.events", lambda: batch.events)
    call("batch.time", lambda: batch.time)


arguments = sys.argv[1:]
path = arguments.pop(arguments.index("--json") + 1) if "--json" in arguments else None
print("microseconds of a frame\n")
print("| tracks | murmuration | with `values` held | NumPy float32 | NumPy float64 | float32 / murmuration | float64 / |")
print("|---|---|---|---|---|---|---|")
sizes = [int(argument) for argument in arguments if argument != "--json"] or [10_000, 100_000, 1_000_000]
rows = [row(tracks, is_mixed) for tracks in sizes for is_mixed in (False, True)]
if path:
    with open(path, "w") as file:
        json.dump(rows, file)
else:
    print("\nmicroseconds of a frame with goals that move, `values` held; Euler and smoothing in NumPy\n")
    print("| tracks | goals in place | set_goals | Euler float32 | float64 | smoothing float32 | float64 | Euler / in place | smoothing / |")
    print("|---|---|---|---|---|---|---|---|---|")
    for tracks in sizes:
        follow(tracks)
    calls()
