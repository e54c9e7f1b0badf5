# SPDX-License-Identifier: MIT
"""Chunks that workers compute: the same bits as one process, with workers that die, in bounded memory."""
import functools
import os
import pathlib
import pickle
import signal
import sys
import time

import numpy as np
import pytest

pytest.importorskip("dask")
pytest.importorskip("distributed")
import dask
from distributed import Client, LocalCluster, wait

import murmuration
import murmuration.dask
from scenes import DOTS, Peak, add_dots, peak_bytes, resident_bytes

HERE = str(pathlib.Path(__file__).parent)


@pytest.fixture(scope="module")
def client():
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [HERE, os.environ.get("PYTHONPATH")]))
    with dask.config.set({"distributed.worker.memory.spill": False, "distributed.admin.tick.interval": "1s"}):
        with LocalCluster(3, threads_per_worker=1, dashboard_address=None, memory_limit=None) as cluster:
            with Client(cluster) as made:
                yield made


@functools.cache
def whole():
    """All frames in one process and one batch."""
    with DOTS.batch(0, 3000) as batch:
        return batch.bake(90)


@pytest.mark.parametrize("chunks", [(90, 3000), (90, 7), (1, 3000), (13, 1000), (17, 611), ((40, 50), (1, 2999))])
def test_any_chunks_have_the_bits_of_one_process(chunks):
    if chunks == (90, 7):
        array = murmuration.dask.bake(DOTS, 90, 500, chunks=chunks)
        assert np.array_equal(array.compute(scheduler="threads"), whole()[:, :500])
        return
    array = murmuration.dask.bake(DOTS, 90, 3000, chunks=chunks)
    assert array.shape == (90, 3000, 2) and array.dtype == np.float32
    assert array.compute(scheduler="threads").tobytes() == whole().tobytes()


def test_parts_of_frames_and_tracks():
    array = murmuration.dask.bake(DOTS, range(20, 60), range(100, 900), chunks=(16, 300))
    assert np.array_equal(array.compute(scheduler="threads"), whole()[20:60, 100:900])
    assert np.array_equal(array[3:5, 10:700:3, 1].compute(scheduler="threads"), whole()[23:25, 110:800:3, 1])
    assert murmuration.dask.bake(DOTS, 0, 5).compute().shape == (0, 5, 2)


def test_workers_give_the_bits_of_one_process(client):
    array = murmuration.dask.bake(DOTS, 90, 3000, chunks=(30, 500))
    assert array.compute().tobytes() == whole().tobytes()
    means = array.mean(axis=1).compute()
    np.testing.assert_allclose(means, whole().mean(axis=1), rtol=1e-4)
    with client.get_executor() as pool:
        assert set(pool.map(lambda _: murmuration.same_bits(), range(6))) == {murmuration.same_bits()}


def test_a_scene_of_another_class_and_functions_of_the_main_program(client):
    def make(batch, tracks):
        batch.animate(batch.add(np.arange(tracks.start, tracks.stop, dtype=np.float32)), 0, murmuration.smooth(1))

    scene = murmuration.dask.Recipe(make, 1000)
    expected = murmuration.dask.chunk(scene, range(30), range(1000), 60)
    assert murmuration.dask.bake(scene, 30, chunks=(10, 300)).compute().tobytes() == expected.tobytes()


def test_a_worker_is_killed_half_way(client, tmp_path):
    scene = Peak(tmp_path, pause=0.05)
    array = murmuration.dask.bake(scene, 90, 3000, chunks=(15, 250))
    killed = False
    future = client.compute(array)
    deadline = time.monotonic() + 60
    while not future.done() and time.monotonic() < deadline:
        begun = {path.name.split("-")[0]: len(path.read_text().splitlines()) for path in tmp_path.iterdir()}
        if not killed and sum(begun.values()) >= 20:
            os.kill(int(max(begun, key=begun.get)), signal.SIGKILL)
            killed = True
        time.sleep(0.01)
    assert killed and future.result(timeout=60).tobytes() == whole().tobytes()
    assert sum(len(path.read_text().splitlines()) for path in tmp_path.iterdir()) > 72


def test_memory_is_bounded_by_chunks(client):
    """The most memory of a worker grows by its chunk and a few times the tracks of it, whatever the whole is."""
    client.restart()
    frames, tracks, width = 100, 10**9, 20_000
    chunk = 4 * frames * width * DOTS.dimensions
    array = murmuration.dask.bake(DOTS, frames, tracks, chunks=(frames, width))
    assert array.nbytes == 8 * 10**11
    client.run(murmuration.dask.chunk, DOTS, range(1), range(10), 60)
    before = client.run(resident_bytes)
    parts = array[:, 5 * 10**8:5 * 10**8 + 40 * width].sum(axis=(0, 1), dtype=np.float64)
    assert np.isfinite(parts.compute()).all()
    after = client.run(peak_bytes)
    growth = {name: after[name] - before[name] for name in before}
    print(f"\nmemory: chunk {chunk / 1e6:.0f} MB, growth {[round(bytes_ / 1e6) for bytes_ in growth.values()]} MB")
    assert all(bytes_ < 5 * chunk + 40_000_000 for bytes_ in growth.values()), growth


def test_a_plan():
    plan = murmuration.dask.plan(DOTS, 10**5, chunks=(1000, 1000))
    assert plan.tracks == 10**9 and plan.bytes == 8 * 10**14 and plan.chunk_count == 10**8
    assert plan.chunk_bytes == 8 * 10**6 and 0 < plan.worker_hours and plan.rate > 1e6
    assert "800 TB" in str(plan)


def test_graphs_of_many_chunks_are_small():
    array = murmuration.dask.bake(DOTS, 10**5, chunks=(1000, 10**5))
    assert array.npartitions == 10**6
    part = array[50_000, 123_456_789:123_456_792]
    expected = murmuration.dask.chunk(DOTS, range(50_000, 50_001), range(123_456_789, 123_456_792), 60)[0]
    assert np.array_equal(part.compute(scheduler="sync"), expected)


@pytest.mark.parametrize("arguments, words", [
    ((DOTS,), "frames must be given"), ((DOTS, 10, 2 * 10**9), "1000000000 tracks"), ((DOTS, range(0, 10, 2)), "steps of 1"),
    ((DOTS, 10, range(-1, 5)), "0 or more"), (("murmuration", 10), "Recipe"),
])
def test_bad_arguments(arguments, words):
    with pytest.raises(murmuration.Error, match=words):
        murmuration.dask.bake(*arguments)


def test_a_recipe_that_adds_too_few():
    scene = murmuration.dask.Recipe(lambda batch, tracks: batch.add(0.0), 100)
    with pytest.raises(murmuration.InvalidValue, match="100 tracks from 0 has 1"):
        murmuration.dask.bake(scene, 1).compute(scheduler="sync")


def test_a_scene_by_its_name(client):
    try:
        scene = murmuration.Scene("murmuration", track_count=200, frame_count=40)
    except NotImplementedError as error:
        pytest.skip(str(error))
    whole = scene.bake()
    assert pickle.loads(pickle.dumps(scene)).bake().tobytes() == whole.tobytes()
    for chunks in (40, 200), (7, 60), (1, 200):
        assert murmuration.dask.bake(scene, chunks=chunks).compute().tobytes() == whole.tobytes()
