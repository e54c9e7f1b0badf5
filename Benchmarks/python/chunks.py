# SPDX-License-Identifier: MIT
"""Compares the seconds that Dask workers compute with those of one call in one process, and plans a large bake. The fastest of
several rounds, by turns.

    python3 Benchmarks/python/chunks.py [WORKERS]
"""
import os
import sys
import time

import numpy as np
from distributed import Client, LocalCluster

import murmuration
import murmuration.dask

FRAMES, TRACKS = 1000, 100_000
SHAPES = [
    (1000, 50_000), (1000, 10_000), (250, 40_000), (1000, 2500), (250, 10_000), (100, 25_000), (1000, 1000), (100, 10_000),
    (250, 1000)]
ROUNDS, TASKS = 9, 1000


def make(batch, tracks):
    places = np.arange(tracks.start, tracks.stop, dtype=np.float32)
    dots = batch.add(places)
    batch.animate(dots, places + 1, murmuration.bouncy(8))


SCENE = murmuration.dask.Recipe(make, 10**9)


def timed(frames, tracks):
    """Seconds of this thread for one chunk, its batch included."""
    clock = time.thread_time()
    murmuration.dask.chunk(SCENE, frames, tracks, 60)
    return time.thread_time() - clock


def main():
    workers = int(sys.argv[1]) if len(sys.argv) > 1 else 2
    os.environ["PYTHONPATH"] = os.pathsep.join([os.path.dirname(__file__), os.environ.get("PYTHONPATH", "")])
    with LocalCluster(workers, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        import chunks

        client.run(chunks.timed, range(10), range(10))
        whole, idle, best = float("inf"), float("inf"), dict.fromkeys(SHAPES, float("inf"))
        for _ in range(ROUNDS):
            for length, width in SHAPES:
                one = client.submit(chunks.timed, range(FRAMES), range(TRACKS), pure=False).result()
                whole = min(whole, one)
                parts = [
                    (range(first, first + length), range(track, track + width))
                    for first in range(0, FRAMES, length) for track in range(0, TRACKS, width)]
                total = sum(client.gather(client.map(chunks.timed, *zip(*parts), pure=False)))
                best[length, width] = min(best[length, width], total)
            clock = time.perf_counter()
            client.gather(client.map(len, [()] * TASKS, pure=False))
            idle = min(idle, (time.perf_counter() - clock) / TASKS)
        print(f"{FRAMES} frames x {TRACKS:,} tracks, one process, one call: {whole:.3f} s; Dask alone {1e3 * idle:.2f} ms a task")
        print("\n| frames x tracks of a chunk | MB | chunks | seconds of all workers | of one process |")
        print("|---|---|---|---|---|")
        for (length, width), total in best.items():
            print(
                f"| {length} x {width:,} | {length * width * 4 / 1e6:.3g} | {FRAMES * TRACKS // (length * width)} | {total:.3f} "
                f"| {total / whole:.2f} |")
    print()
    for chunk in (1000, 10_000), (10_000, 1000), (1000, 1000):
        print(murmuration.dask.plan(SCENE, 10**5, chunks=chunk), end="\n\n")


if __name__ == "__main__":
    main()
