# SPDX-License-Identifier: MIT
"""Particles, mixers, scenes and glTF files, and the examples in docstrings and in the article."""
import doctest
import importlib
import json
import os
import pathlib
import pkgutil
import re
import struct
import subprocess
import sys

import numpy as np
import pytest

import murmuration
from murmuration import Layer, Mixer, Particles, Scene, _library

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
needs_native = pytest.mark.skipif(
    "scene_open" not in vars(_library.library), reason="this build of the library has no scenes")


@needs_native
def test_particles(random):
    with Particles(position=2, opacity=1) as sparks:
        start = random.normal(size=(50, 3)).astype(np.float32)
        some = sparks.add(start)
        assert sparks.properties == ("position", "opacity")
        position, opacity = sparks["position"], sparks["opacity"]
        held = opacity.values
        assert np.array_equal(position.values, start[:, :2]) and np.array_equal(held, start[:, 2:])
        change = opacity.animate(some[:20], 1, murmuration.linear(0.5))
        sparks.advance(0.25)
        np.testing.assert_allclose(held[:20, 0], (start[:20, 2] + 1) / 2, atol=1e-5)
        with pytest.raises(murmuration.StateError, match="particles"):
            position.advance(1)
        column = position.column(0)
        with pytest.raises(BufferError):
            sparks.advance(1)
        del column
        sparks.advance_by(1)
        assert set(sparks.events["change"].tolist()) == {change} and len(sparks.events) == 20
        assert sparks.remove_settled() == 20 and len(position) == 30
        sparks.remove(some[20:25])
        assert len(opacity) == 25 and len(sparks.add(7)) == 7
        with pytest.raises(ValueError, match="colour"):
            sparks["colour"]
    with pytest.raises(murmuration.StateError, match="freed"):
        position.values


@needs_native
@pytest.mark.parametrize("close", [lambda sparks: sparks.close(), lambda sparks: sparks["position"].close()])
def test_particles_whose_goals_someone_holds_stay(close):
    """They were freed, and the next write to the goals went to memory of others."""
    with Particles(position=2, opacity=1) as sparks:
        sparks["position"].follow(sparks.add(100_000))
        goals = sparks["position"].goals(1)
        with pytest.raises(murmuration.Lent):
            close(sparks)
        goals[:] = 5
        sparks.advance(10)
        assert np.allclose(sparks["position"].values[:, 1], 5, atol=0.01)
        del goals


def test_mixers(random):
    base, shapes = (random.normal(size=shape).astype(np.float32) for shape in (9, (4, 9)))
    inputs = random.uniform(size=(20, 6)).astype(np.float32)
    mask = random.uniform(size=9).astype(np.float32)
    over = random.normal(size=(1, 9)).astype(np.float32)
    layers = [Layer(shapes), Layer(over, "override", mask=mask, has_weight=True)]
    with Mixer(base, iter(layers), 20) as mixer:
        assert (mixer.output_count, mixer.instance_count, mixer.column_count) == (9, 20, 6)
        mixer.set(inputs)
        expected = base + inputs[:, :4] @ shapes
        expected += inputs[:, 5:] * mask * (inputs[:, 4:5] @ over - expected)
        np.testing.assert_allclose(mixer.mix(), expected, atol=1e-5)
        out = np.zeros((9, 20), np.float32)
        assert np.array_equal(mixer.mix(out=out.T), mixer.mix()) and np.array_equal(mixer.mix(instances=3), out.T[:3])
        with murmuration.Batch(2) as batch:
            batch.add(np.zeros((20, 2), np.float32))
            batch.advance(0)
            mixer.set_tracks(batch, first_column=4)
        np.testing.assert_allclose(mixer.mix(), base + inputs[:, :4] @ shapes, atol=1e-5)
        with pytest.raises(ValueError, match="shape"):
            mixer.set(inputs[:, :5])
    with pytest.raises(ValueError, match="shape"):
        Mixer(base, [Layer(shapes[:, :8])], 1)


def glb():
    """A node that goes from (0, 0, 0) to (3, 4, 5) in 2 s."""
    data = struct.pack("<2f6f", 0, 2, 0, 0, 0, 3, 4, 5)
    text = json.dumps({
        "asset": {"version": "2.0"}, "nodes": [{"name": "Box"}], "buffers": [{"byteLength": len(data)}],
        "bufferViews": [
            {"buffer": 0, "byteLength": 8}, {"buffer": 0, "byteOffset": 8, "byteLength": 24}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 2, "type": "SCALAR", "min": [0], "max": [2]},
            {"bufferView": 1, "componentType": 5126, "count": 2, "type": "VEC3"}],
        "animations": [{
            "name": "slide", "samplers": [{"input": 0, "output": 1}],
            "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}]}],
    }).encode()
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(data), b"BIN\0") + data
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


@needs_native
def test_gltf(tmp_path):
    path = tmp_path / "box.glb"
    path.write_bytes(glb())
    for source in glb(), path, str(path):
        with murmuration.GLTF(source) as file, murmuration.Batch(3) as batch:
            assert len(file) == 1 and file.name() == "slide" and file.duration() == 2 and file.dimensions() == 3
            assert file.component_names()[1].endswith("y")
            clip = file.load_clip(batch)
            batch.play(clip, batch.add([0, 0, 0]))
            batch.advance(1)
            np.testing.assert_allclose(batch.values, [[1.5, 2, 2.5]], atol=1e-5)
    for length in range(len(glb())):
        with pytest.raises(murmuration.Error):
            murmuration.GLTF(glb()[:length])
    with pytest.raises(OSError, match="missing"):
        murmuration.GLTF(tmp_path / "missing.glb")


@needs_native
def test_scenes():
    with Scene("murmuration", track_count=100, frame_count=20, seed=5, frames_per_second=30) as scene:
        assert (scene.track_count, scene.frame_count, scene.seed, scene.frames_per_second) == (100, 20, 5, 30)
        assert scene.name and scene.description and len(scene.component_names) == scene.dimensions
        assert [count for _, part in scene.groups for count in part] == list(range(100))
        whole = scene.bake()
        assert whole.shape == (20, 100, scene.dimensions) and not np.isnan(whole).all()
        assert scene.bake(range(5, 9), range(10, 30), threads=2).tobytes() == whole[5:9, 10:30].tobytes()
        speeds = np.empty_like(whole)
        scene.bake(velocities=speeds)
        with pytest.raises(ValueError):
            scene.bake(21)
        with pytest.raises(ValueError, match="C order"):
            scene.bake(out=np.empty_like(whole)[:, ::-1])
    with pytest.raises(murmuration.Error):
        Scene("no such scene")
    with pytest.raises(murmuration.StateError, match="freed"):
        scene.bake()


MODULES = [found.name for found in pkgutil.iter_modules(murmuration.__path__) if not found.name.startswith("lib")]


@pytest.mark.parametrize("name", ["murmuration", *(f"murmuration.{name}" for name in MODULES)])
def test_examples_in_docstrings(name):
    module = importlib.import_module(name)
    assert doctest.testmod(module).failed == 0


@pytest.mark.parametrize("name, count", [("InPython", 3), ("CheckingPrograms", 1)])
def test_examples_in_articles(name, count):
    article = REPOSITORY / f"Sources/Murmuration/Murmuration.docc/Articles/{name}.md"
    examples = re.findall(r"^```python\n(.*?)^```", article.read_text(), re.S | re.M)
    assert len(examples) >= count
    names: dict = {}
    for example in examples:
        exec(compile(example, str(article), "exec"), names)


def test_the_example_draws_a_picture(tmp_path):
    pytest.importorskip("matplotlib")
    picture = tmp_path / "springs.png"
    subprocess.run([sys.executable, REPOSITORY / "Sources/Python/examples/springs.py", picture], check=True, env=os.environ)
    from matplotlib.image import imread

    pixels = imread(picture)
    assert pixels.shape[1] == 1500 and len(np.unique(pixels.reshape(-1, pixels.shape[2]), axis=0)) > 100
