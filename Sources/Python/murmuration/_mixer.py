# SPDX-License-Identifier: MIT
"""Blend shapes and layers of poses for many instances."""

from __future__ import annotations

import ctypes as c
from dataclasses import dataclass
from typing import Any, Iterable, Literal

import numpy as np

from ._arrays import Floats, Values, choice, empty, floats, in_order, int32, objects, output, settled, values
from ._batch import Batch
from ._library import INVALID_CODE, INVALID_COUNT, CLayer, CMixerInfo, InvalidType, InvalidValue, library
from ._owner import Owner


@dataclass(frozen=True)
class Layer:
    """A layer of a mixer. With w its weight, m its mask and layer = base + sum of input * shape:

    "additive" gives output + w * m * layer, "override" gives output + w * m * (layer - output).

    Attributes:
        shapes: (shapes, outputs): one input column for each.
        base: Its value without inputs, one number for each output; None for 0.
        mask: The share of each output, 0...1; None for 1.
        has_weight: One more input column, after those of the shapes, is the weight of the layer; otherwise it is 1.
    """

    shapes: Values
    kind: Literal["additive", "override"] = "additive"
    base: Values | None = None
    mask: Values | None = None
    has_weight: bool = False


def _numbers(name: str, value: Any, shape: tuple[int, ...]) -> Floats:
    array = in_order(floats(name, value))
    if array.ndim != len(shape) or any(want >= 0 and want != got for want, got in zip(shape, array.shape)):
        raise InvalidValue(INVALID_COUNT, f"{name} must have the shape {shape}; its shape is {array.shape}")
    return array


class Mixer(Owner):
    """Many outputs from few animated inputs, for many instances, such as blend shapes and layers of poses.

    Args:
        base: The outputs below all layers.
        layers: From the lowest to the highest.
        instances: The number of instances, whose inputs are all 0.
    """

    def __init__(self, base: Values, layers: Iterable[Layer], instances: int) -> None:
        below, layers = _numbers("base", base, (-1,)), objects("layers", Layer, layers)
        outputs = below.shape[0]
        records, parts = (CLayer * max(1, len(layers)))(), [below[:0]]
        for record, layer in zip(records, layers):
            record.kind = choice("kind", {"additive": 0, "override": 1}, layer.kind)
            shapes = _numbers("shapes", layer.shapes, (-1, outputs))
            record.flags = (layer.base is not None) + 2 * (layer.mask is not None) + 4 * layer.has_weight
            record.shape_count = shapes.shape[0]
            for name, numbers in ("base", layer.base), ("mask", layer.mask):
                if numbers is not None:
                    parts.append(_numbers(name, numbers, (outputs,)))
            parts.append(shapes.reshape(-1))
        together = np.concatenate(parts)
        super().__init__(
            library.mixer_free, library.mixer_create, below.ctypes.data, outputs, records, len(layers),
            together.ctypes.data, together.size, int32("instances", instances))
        info = CMixerInfo()
        self._ask(library.mixer_describe, c.byref(info))
        self.output_count: int = info.output_count
        self.instance_count: int = info.instance_count
        self.column_count: int = info.column_count

    def _said(self) -> str:
        return f" of {self.instance_count} instances, {self.column_count} columns and {self.output_count} outputs"

    def set(self, inputs: Values, *, first_column: int = 0, columns: int | None = None, first_instance: int = 0,
            instances: int | None = None) -> None:
        """Sets input columns of instances to (instances, columns)."""
        place, width = _window("first_column", first_column, "columns", columns, self.column_count)
        first, count = _window("first_instance", first_instance, "instances", instances, self.instance_count)
        keep, start, instance_stride, column_stride = values("inputs", inputs, count, width)
        with self._turn:
            self._change(library.mixer_set, place, width, first, count, start, instance_stride, column_stride)

    def set_tracks(
        self, batch: Batch, *, first_column: int = 0, columns: int | None = None, first_instance: int = 0,
        first_component: int = 0, first_index: int = 0, count: int | None = None
    ) -> None:
        """Sets input columns of instances to values of tracks: a column for each component, an instance for each index."""
        if not isinstance(batch, Batch):
            raise InvalidType(INVALID_CODE, f"batch must be a Batch or a property of particles, is {batch!r}")
        place, width = _window("first_column", first_column, "columns", columns, self.column_count)
        if columns is None:
            width = batch.dimensions - int32("first_component", first_component)
        instance, length = _window("first_instance", first_instance, "count", count, self.instance_count)
        with self._turn, batch._turn:
            self._change(
                library.mixer_set_tracks, place, width, instance, batch._number, int32("first_component", first_component),
                int32("first_index", first_index), length)

    def mix(self, *, first_instance: int = 0, instances: int | None = None, out: Floats | None = None) -> Floats:
        """Computes the outputs of instances, (instances, outputs)."""
        first, count = _window("first_instance", first_instance, "instances", instances, self.instance_count)
        if out is None:
            out = empty((max(0, count), self.output_count))
        written, start, instance_stride, output_stride = output("out", out, count, self.output_count)
        with self._turn:
            self._change(library.mixer_mix, first, count, start, instance_stride, output_stride)
        return settled(out, written)


def _window(name: str, first: int, count_name: str, count: int | None, all_: int) -> tuple[int, int]:
    """A first element and a number of elements; None for all from the first on."""
    first = int32(name, first)
    return first, int32(count_name, max(0, all_ - first) if count is None else count)
