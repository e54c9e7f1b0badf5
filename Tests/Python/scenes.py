# SPDX-License-Identifier: MIT
"""Scenes of the tests, in a module that workers import."""
import os
import threading
import time

import numpy as np

import murmuration
from murmuration.dask import Recipe


def add_dots(batch, tracks):
    """Each track depends on its number alone."""
    numbers = np.arange(tracks.start, tracks.stop)
    places = np.stack([numbers % 1000, numbers // 1000 % 1000], axis=1).astype(np.float32)
    dots = batch.add(places)
    goals = places[:, ::-1].copy()
    for kind in range(3):
        some = numbers % 3 == kind
        batch.animate(dots[some], goals[some], murmuration.bouncy(0.8 + 0.3 * kind))


DOTS = Recipe(add_dots, track_count=10**9, dimensions=2)


class Peak:
    """A scene that adds up the seconds of its bakes, and the most memory of its process, in a folder."""

    def __init__(self, folder, pause=0.0):
        self.folder, self.pause = str(folder), pause
        self.track_count, self.dimensions = DOTS.track_count, DOTS.dimensions

    def batch(self, first, count):
        if self.pause:
            time.sleep(self.pause)
        with open(f"{self.folder}/{os.getpid()}-{threading.get_ident()}", "a", encoding="utf-8") as file:
            file.write(f"{first} {count}\n")
        return DOTS.batch(first, count)


def peak_bytes():
    """The most memory that this process ever had."""
    with open("/proc/self/status", encoding="utf-8") as file:
        return next(1024 * int(line.split()[1]) for line in file if line.startswith("VmHWM"))


def resident_bytes():
    """The memory that this process has, after its peak was set back to it."""
    with open("/proc/self/clear_refs", "w", encoding="utf-8") as file:
        file.write("5")
    return peak_bytes()
