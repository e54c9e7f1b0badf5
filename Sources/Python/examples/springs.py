# SPDX-License-Identifier: MIT
"""Draws springs of several bounces, a spring that is sent elsewhere on its way, and a field of dots in flight.

    python3 springs.py [PICTURE]
"""
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

import murmuration

figure, (bounces, turn, field) = plt.subplots(1, 3, figsize=(15, 4.5), layout="constrained")

# One track for each bounce, and all frames in one call.
amounts = [-0.5, 0, 0.3, 0.6, 0.8]
with murmuration.Batch() as batch:
    tracks = batch.add(0, len(amounts))
    batch.animate(tracks, 1, [murmuration.spring(0.5, bounce) for bounce in amounts])
    times = np.linspace(0, 1.5, 300)
    frames = batch.bake(times=times)
for bounce, values in zip(amounts, frames[:, :, 0].T):
    bounces.plot(times, values, label=f"bounce {bounce}")
bounces.set(title="Springs of half a second", xlabel="seconds")
bounces.legend()

# The second spring takes over the value and the velocity of the first.
with murmuration.Batch() as batch:
    dot = batch.add(0)
    batch.animate(dot, 1, murmuration.bouncy(0.6))
    first = batch.bake(times=times)[:, 0, 0]
    values = batch.values
    shown = []
    for time in times:
        if time >= 0.3 and batch.targets[0, 0] == 1:
            batch.animate(dot, -0.5, murmuration.bouncy(0.6))
        batch.advance(time)
        shown.append(values[0, 0])
turn.plot(times, first, "--", label="left alone")
turn.plot(times, shown, label="sent to -0.5 after 0.3 s")
turn.axvline(0.3, color="grey", linewidth=0.5)
turn.set(title="A new goal on the way", xlabel="seconds")
turn.legend()

# Ten thousand dots on their way from a square to a disc, those outside later than those inside.
random = np.random.default_rng(1)
square = random.uniform(-1, 1, (10_000, 2)).astype(np.float32)
angle, radius = random.uniform(0, 2 * np.pi, 10_000), np.sqrt(random.uniform(0, 1, 10_000))
disc = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1).astype(np.float32)
with murmuration.Batch(dimensions=2) as batch:
    dots = batch.add(square)
    batch.animate(dots, disc, murmuration.spring(0.8, 0.2), delays=0.5 * radius)
    batch.advance(0.6)
    field.scatter(*batch.values.T, s=1, c=radius, cmap="viridis")
field.set(title="10 000 dots after 0.6 s", aspect="equal", xticks=[-1, 0, 1], yticks=[-1, 0, 1])

figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "springs.png", dpi=100)
