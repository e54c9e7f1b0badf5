# SPDX-License-Identifier: MIT
"""Colours against the formulas of their sources in double."""

import itertools

import numpy as np
import pytest

import murmuration
from murmuration import convert_colors

_SPACES = ("srgb", "linear", "oklab")
_ENCODINGS = [space + suffix for space in _SPACES for suffix in ("", "_premultiplied")]
_LMS = np.array([
    [0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566],
    [0.0883024619, 0.2817188376, 0.6299787005]])
_LAB = np.array([
    [0.2104542553, 0.7936177850, -0.0040720468], [1.9779984951, -2.4285922050, 0.4505937099],
    [0.0259040371, 0.7827717662, -0.8086757660]])


def _light(colors, encoding):
    """Straight amounts of light, and alpha."""
    space, _, is_premultiplied = encoding.partition("_")
    numbers, alpha = colors[:, :3].astype(float), colors[:, 3:].astype(float)
    if is_premultiplied:
        numbers = np.divide(numbers, alpha, out=np.zeros_like(numbers), where=alpha != 0)
    if space == "srgb":
        size = np.abs(numbers)
        numbers = np.sign(numbers) * np.where(size <= 0.04045, size / 12.92, ((size + 0.055) / 1.055) ** 2.4)
    if space == "oklab":
        numbers = (numbers @ np.linalg.inv(_LAB).T) ** 3 @ np.linalg.inv(_LMS).T
    return numbers, alpha


def _encoded(numbers, alpha, encoding):
    space, _, is_premultiplied = encoding.partition("_")
    if space == "srgb":
        size = np.abs(numbers)
        numbers = np.sign(numbers) * np.where(size <= 0.0031308, size * 12.92, 1.055 * size ** (1 / 2.4) - 0.055)
    if space == "oklab":
        numbers = np.cbrt(numbers @ _LMS.T) @ _LAB.T
    return np.hstack([numbers * alpha if is_premultiplied else numbers, alpha])


def _colors(encoding):
    random = np.random.default_rng(3)
    light = _light(random.random((500, 4)), "srgb")
    light[1][::7] = 0
    return _encoded(*light, encoding).astype(np.float32)


@pytest.mark.parametrize("source, destination", itertools.product(_ENCODINGS, _ENCODINGS))
def test_colors_are_those_of_the_formulas(source, destination):
    colors = _colors(source)
    expected = colors if source == destination else _encoded(*_light(colors, source), destination)
    got = convert_colors(colors, source, destination)
    assert got.dtype == np.float32 and np.abs(got - expected).max() < 2e-5
    with murmuration.Batch(dimensions=4) as batch:
        batch.add(colors)
        assert (batch.read(color=(source, destination)) == got).all()
        vertices = np.zeros(500, [("id", "u1"), ("color", "u1", 4)])["color"]
        batch.read(out=vertices, order=[2, 1, 0, 3], color=(source, destination))
        assert (np.abs(vertices / 255 - np.clip(expected[:, [2, 1, 0, 3]], 0, 1)) <= 0.50001 / 255 + 2e-5).all()
    columns = np.asfortranarray(colors)
    assert (convert_colors(columns, source, destination) == got).all()
    assert convert_colors(colors, source, destination, out=colors) is colors and (colors == got).all()


@pytest.mark.parametrize("space", _SPACES)
def test_all_bytes_come_back(space):
    bytes_ = np.random.default_rng(1).integers(0, 256, (4096, 4), np.uint8)
    bytes_[:256] = np.arange(256)[:, None]
    with murmuration.Batch(dimensions=4) as batch:
        batch.add(convert_colors(bytes_, "srgb", space))
        assert (batch.read(out=np.zeros((4096, 4), np.uint8), color=(space, "srgb")) == bytes_).all()


def test_bad_arguments_are_refused():
    black = np.zeros((2, 4), np.float32)
    for colors, source, destination, out in [
            (black, "srgb", "hsv", None), (black, "SRGB", "oklab", None), (black, 1, "oklab", None),
            (black[:, :3], "srgb", "oklab", None), (np.float32(1), "srgb", "oklab", None), ("red", "srgb", "oklab", None),
            (black, "srgb", "oklab", np.zeros((2, 4))), (black, "srgb", "oklab", np.zeros((1, 4), np.float32))]:
        with pytest.raises(murmuration.Error):
            convert_colors(colors, source, destination, out=out)
    with murmuration.Batch(dimensions=4) as four, murmuration.Batch(dimensions=3) as three:
        four.add(black)
        three.add(black[:, :3])
        for batch, what, color in [
                (four, "velocities", ("oklab", "srgb")), (three, "values", ("oklab", "srgb")), (four, "values", "oklab"),
                (four, "values", ("oklab",)), (four, "values", 3), (four, "values", ("oklab", None))]:
            with pytest.raises(murmuration.Error):
                batch.read(None, what, color=color)
        four.advance(0.1, velocities=True)
        with pytest.raises(murmuration.Error):
            four.read(what="velocities", color=("oklab", "srgb"))
