# SPDX-License-Identifier: MIT
"""Reads the files of Scripts/check-formats with NumPy and pygltflib, and compares their numbers."""

import sys

import numpy as np
import pygltflib

folder = sys.argv[1]


def check(holds, words):
    print(("ok    " if holds else "WRONG ") + words)
    if not holds:
        sys.exit(1)


def accessor(gltf, index):
    """The elements of an accessor of float32, in float64."""
    accessor = gltf.accessors[index]
    view = gltf.bufferViews[accessor.bufferView]
    width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[accessor.type]
    assert accessor.componentType == pygltflib.FLOAT
    numbers = np.frombuffer(
        gltf.binary_blob(), "<f4", accessor.count * width, (view.byteOffset or 0) + (accessor.byteOffset or 0))
    return numbers.reshape(accessor.count, width).astype("f8")


def evaluate(times, values, interpolation, moments):
    """Values at moments by the formulas of the glTF specification, appendix C."""
    key = np.clip(np.searchsorted(times, moments, "right") - 1, 0, len(times) - 2)
    length = times[key + 1] - times[key]
    t = np.clip((moments - times[key]) / length, 0, 1)[:, None]
    if interpolation == "LINEAR":
        return values[key] * (1 - t) + values[key + 1] * t
    assert interpolation == "CUBICSPLINE"
    parts = values.reshape(len(times), 3, -1)
    start, leaving = parts[key, 1], parts[key, 2] * length[:, None]
    end, arriving = parts[key + 1, 1], parts[key + 1, 0] * length[:, None]
    return (
        (2 * t**3 - 3 * t**2 + 1) * start + (t**3 - 2 * t**2 + t) * leaving
        + (3 * t**2 - 2 * t**3) * end + (t**3 - t**2) * arriving)


def tracks(name, moments):
    """The translations of all nodes of a file at moments: [moments, nodes, 3]."""
    gltf = pygltflib.GLTF2().load(f"{folder}/{name}")
    (animation,) = gltf.animations
    found = np.full((len(moments), len(gltf.nodes), 3), np.nan)
    for channel in animation.channels:
        assert channel.target.path == "translation"
        sampler = animation.samplers[channel.sampler]
        times = accessor(gltf, sampler.input)[:, 0]
        limits = gltf.accessors[sampler.input]
        assert limits.min == [times[0]] and limits.max == [times[-1]] and np.all(np.diff(times) > 0)
        values = accessor(gltf, sampler.output)
        found[:, channel.target.node] = evaluate(times, values, sampler.interpolation, moments)
    return found


# NumPy
frames = np.load(f"{folder}/frames.npy")
archive = np.load(f"{folder}/frames.npz")
check(sorted(archive.files) == ["times", "values", "velocities"], "numpy.load names values, velocities and times")
check(np.array_equal(archive["values"], frames), f"values of .npz and .npy are the same, {frames.shape}")
check(archive["velocities"].shape == frames.shape and archive["times"].dtype == np.float64, "shapes and types")
check(np.allclose(archive["times"], np.arange(len(frames)) / 30, rtol=0, atol=1e-12), "times are those of the frames")
run = np.load(f"{folder}/run.npz")
check(np.array_equal(run["values"], np.load(f"{folder}/run.npy")), "run writes the same values as .npz and .npy")

# glTF
size = np.abs(frames).max()
moments = archive["times"]
for name in ["lines.glb", "splines.glb"]:
    shown = tracks(name, moments)
    error = np.abs(shown[:, :, :2] - frames).max()
    # Key times are rounded to float32, so that a moment may lie a little beside its key.
    check(error <= 1e-6 * size * 30 and np.all(shown[:, :, 2] == 0), f"{name} shows the frames, within {error:.1e} of {size:.3g}")
dense = np.load(f"{folder}/dense.npz")
for name, share in [("lines.glb", 0.05), ("splines.glb", 0.01)]:
    inside = dense["times"] <= moments[-1]
    error = np.abs(tracks(name, dense["times"][inside])[:, :, :2] - dense["values"][inside]).max()
    check(error <= share * size, f"{name} is within {error:.1e} of {size:.3g} between the frames")

try:
    import trimesh
except ImportError:
    print("      without trimesh: the boxes are not checked")
else:
    scene = trimesh.load(f"{folder}/lines.glb")
    boxes = list(scene.geometry.values())
    check(all(box.is_watertight and abs(box.volume - 1) < 1e-6 for box in boxes), "trimesh finds boxes of volume 1")
    check(len(scene.graph.nodes_geometry) == frames.shape[1], f"trimesh finds {frames.shape[1]} nodes that show one")
