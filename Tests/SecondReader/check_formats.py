# SPDX-License-Identifier: MIT
"""Reads the files of Scripts/check-formats with NumPy and pygltflib, and compares their numbers."""

import sys
import zipfile

import numpy as np
import pygltflib

folder, original = sys.argv[1:]


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

packed = np.load(f"{folder}/packed.npz")
check(all(np.array_equal(packed[name], archive[name]) for name in archive.files), "--compress writes the same arrays")
sizes = [zipfile.ZipFile(f"{folder}/{name}.npz") for name in ["packed", "frames"]]
sizes = [sum(entry.compress_size for entry in file.infolist()) for file in sizes]
check(sizes[0] < sizes[1], f"compressed arrays take {sizes[0] / sizes[1]:.0%} of the bytes")

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



def nodes(gltf):
    """The name of the node above, and the transform at rest, by the names of nodes."""
    parents = {child: node.name for node in gltf.nodes for child in node.children or []}
    return {
        node.name: (parents.get(index), *(getattr(node, key) for key in ["translation", "rotation", "scale", "matrix"]))
        for index, node in enumerate(gltf.nodes)}


def close(one, other):
    """Whether transforms are equal; a property that is missing is that of a node that does not move."""
    rest = [None, [0, 0, 0], [0, 0, 0, 1], [1, 1, 1], None]
    pairs = [(a if a is not None else r, b if b is not None else r) for a, b, r in zip(one, other, rest)]
    return pairs[0][0] == pairs[0][1] and all(a is b or np.allclose(a, b, rtol=1e-6, atol=1e-7) for a, b in pairs[1:])


def poses(gltf, animation, moments):
    """The values of all channels at moments, by node and path."""
    found = {}
    for channel in animation.channels:
        sampler = animation.samplers[channel.sampler]
        times, values = accessor(gltf, sampler.input)[:, 0], accessor(gltf, sampler.output)
        interpolation = sampler.interpolation or "LINEAR"
        if channel.target.path == "rotation" and interpolation == "LINEAR":
            key = np.clip(np.searchsorted(times, moments, "right") - 1, 0, len(times) - 2)
            t = np.clip((moments - times[key]) / (times[key + 1] - times[key]), 0, 1)[:, None]
            values = values / np.linalg.norm(values, axis=1, keepdims=True)
            dots = np.sum(values[key] * values[key + 1], axis=1, keepdims=True)
            angles = np.arccos(np.clip(np.abs(dots), -1, 1))
            small = angles < 1e-6
            sines = np.where(small, 1, np.sin(angles))
            first = np.where(small, 1 - t, np.sin(angles * (1 - t)) / sines)
            second = np.where(small, t, np.sin(angles * t) / sines)
            value = first * values[key] + np.sign(dots) * second * values[key + 1]
        else:
            value = evaluate(times, values, interpolation, moments)
        found[gltf.nodes[channel.target.node].name, channel.target.path] = value
    return found


fox, baked = pygltflib.GLTF2().load(original), pygltflib.GLTF2().load(f"{folder}/fox.glb")
ours, theirs = nodes(baked), nodes(fox)
check(ours.keys() == theirs.keys(), f"a baked glTF file has the {len(ours)} nodes of the file")
check(all(close(ours[name], theirs[name]) for name in ours), "with their parents and transforms at rest")
check([a.name for a in baked.animations] == [a.name for a in fox.animations], "and its animations")
for one, other in zip(baked.animations, fox.animations):
    times = accessor(baked, one.samplers[0].input)[:, 0]
    shown, exact = poses(baked, one, times), poses(fox, other, times)
    check(shown.keys() == exact.keys(), f"{one.name} moves the same {len(shown)} properties for {times[-1]:.3g} s")
    error = 0
    for key, value in exact.items():
        sign = np.sign(np.sum(value * shown[key], axis=1, keepdims=True)) if key[1] == "rotation" else 1
        error = max(error, np.abs(shown[key] * sign - value).max() / max(1, np.abs(value).max()))
    check(error <= 1e-5, f"and shows {one.name} at its {len(times)} keys within {error:.1e}")

try:
    import trimesh
except ImportError:
    print("      without trimesh: the boxes are not checked")
else:
    scene = trimesh.load(f"{folder}/lines.glb")
    boxes = list(scene.geometry.values())
    check(all(box.is_watertight and abs(box.volume - 1) < 1e-6 for box in boxes), "trimesh finds boxes of volume 1")
    check(len(scene.graph.nodes_geometry) == frames.shape[1], f"trimesh finds {frames.shape[1]} nodes that show one")
