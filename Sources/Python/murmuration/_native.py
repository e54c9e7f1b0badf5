# SPDX-License-Identifier: MIT
"""Particles, mixers, scenes and glTF files."""

from __future__ import annotations

import ctypes as c
import os
from dataclasses import dataclass
from typing import Any, Literal, Sequence

import numpy as np
import numpy.typing as npt

from ._arrays import Floats, Values, block, choice, empty, floats, in_order, int32, output, seed64, settled, values
from ._batch import PIECE, Batch, Snapshot, part
from ._library import (
    INVALID_CODE, INVALID_COUNT, INVALID_VALUE, TRACK_OUT_OF_RANGE, CGLTFInfo, CGroupInfo, CHandle, CLayer, CMixerInfo, CSceneInfo, CSceneSettings,
    InvalidType, InvalidValue, OutOfRange, library)
from ._owner import Owner
from ._tracks import EVENT, Clip, Selection, Tracks, counted, handle, select


class Property(Batch):
    """A property of :class:`Particles`: a batch whose tracks are the particles.

    Particles are added, removed and advanced in all properties at once, so these calls raise :class:`StateError` here.
    """

    def __init__(self, particles: Particles, number: int, dimensions: int) -> None:
        Owner.__init__(self, None, None)
        self._number = number
        self._hold_arrays(dimensions)
        self._lock, self._lent = particles._lock, particles._lent
        self._particles = particles

    def close(self) -> None:
        """Frees the particles with all their properties."""
        self._particles.close()

    def __reduce__(self) -> tuple[Any, ...]:
        return Owner.__reduce__(self)


def _create_particles(widths: Any, count: int, numbers: Any, number: Any) -> int:
    return library.particles_create(widths, count, number, numbers)  # type: ignore[no-any-return]


def _particles_from(snapshot: int, count: int, numbers: Any, number: Any) -> int:
    return library.particles_from_snapshot(snapshot, count, number, numbers)  # type: ignore[no-any-return]


def _unpickled(data: bytes, dimensions: dict[str, int]) -> Particles:
    return Particles.from_snapshot(Snapshot.from_bytes(data), **dimensions)


class Particles(Owner):
    """Particles of several properties, such as a position and a colour, which move on their own.

    A handle names a particle in every property.

    Args:
        dimensions: The components of each property by its name.

    >>> import murmuration
    >>> with murmuration.Particles(position=2, opacity=1) as sparks:  # doctest: +SKIP
    ...     some = sparks.add(100)
    ...     change = sparks["opacity"].animate(some, 1, murmuration.ease_in(0.3))
    ...     sparks.advance(0.1)
    """

    def __init__(self, **dimensions: int) -> None:
        widths = [int32(name, width) for name, width in dimensions.items()]
        if not 1 <= len(widths) <= 64:
            raise InvalidValue(INVALID_COUNT, f"particles have 1 to 64 properties, not {len(widths)}")
        self._make(_create_particles, (c.c_int32 * len(widths))(*widths), dimensions)

    def _make(self, function: Any, source: Any, dimensions: dict[str, int]) -> None:
        numbers = (c.c_uint32 * len(dimensions))()
        Owner.__init__(self, library.particles_free, function, source, len(dimensions), numbers)
        self._dimensions = sum(dimensions.values())
        self._numbers = dict(zip(dimensions, zip(numbers, dimensions.values())))

    @staticmethod
    def from_snapshot(snapshot: Snapshot, **dimensions: int) -> Particles:
        """Particles that begin with a snapshot of others: see :meth:`Batch.from_snapshot`.

        Args:
            dimensions: The names of the properties, with their components, in the order in which the others have them.
        """
        Snapshot._check(snapshot)
        made = Particles.__new__(Particles)
        with snapshot._turn:
            made._make(_particles_from, snapshot._number, dimensions)
        for name, (_, width) in made._numbers.items():
            components = made[name]._info().dimensions
            if components != width:
                made.close()
                raise InvalidValue(INVALID_COUNT, f"{name} has {components} components, not {width}")
        return made

    def __deepcopy__(self, memo: dict[int, Any]) -> Particles:
        with self.snapshot() as moment:
            return Particles.from_snapshot(moment, **{name: width for name, (_, width) in self._numbers.items()})

    def __reduce__(self) -> tuple[Any, ...]:
        with self.snapshot() as moment:
            return _unpickled, (bytes(moment), {name: width for name, (_, width) in self._numbers.items()})

    def _said(self) -> str:
        widths = ", ".join(f"{name} {width}" for name, (_, width) in self._numbers.items())
        info = self[self.properties[0]]._describe()
        return f" of {counted(info.count, 'track')} with {widths} at {info.time:g} s"

    @property
    def properties(self) -> tuple[str, ...]:
        """The names of the properties."""
        return tuple(self._numbers)

    def __getitem__(self, name: str) -> Property:
        made: dict[str, Property] = self.__dict__.setdefault("_shown", {})
        if name not in made:
            if name not in self._numbers:
                raise InvalidValue(INVALID_CODE, f"there is no property {name!r}, only {', '.join(self._numbers)}")
            made[name] = Property(self, *self._numbers[name])
        return made[name]

    def add(self, values_: Values | int, count: int | None = None) -> Tracks:
        """Adds particles that stand still.

        Args:
            values_: The components of all properties, one property after the other, (particles, components); or only the
                number of particles, which begin at zeros.
        """
        start: int | None = None
        strides: tuple[int, ...] = (0, 0)
        if isinstance(values_, (int, np.integer)) and count is None:
            count = int32("count", values_)
        else:
            array = floats("values", values_)
            count = int32("count", count if count is not None else array.shape[0] if array.ndim == 2 else 1)
            keep, start, *strides_ = values("values", array, count, self._dimensions)
            strides = tuple(strides_)
        if count < 0:
            raise InvalidValue(INVALID_COUNT, f"count must be 0 or more, is {count}")
        handles = empty((count, 3), np.uint32)
        with self._turn:
            self._change(library.particles_add, start, *strides, handles.ctypes.data, count)
            self._renew_properties()
        return Tracks._adopt(handles)

    def remove(self, tracks: Selection) -> None:
        """Removes particles."""
        with self._turn:
            self._change(library.particles_remove, *select(self[self.properties[0]], tracks))

    def remove_settled(self) -> int:
        """Removes the particles of which no property moves any more, and returns their number."""
        removed = c.c_int32()
        with self._turn:
            self._change(library.particles_remove_settled, c.byref(removed))
        return removed.value

    def advance(self, seconds: float, *, velocities: bool = False) -> None:
        """Evaluates every property at a time. After an error no property has changed."""
        self._advance(library.particles_advance, seconds, velocities)

    def advance_by(self, seconds: float, *, velocities: bool = False) -> None:
        """Moves the clock by some seconds, and evaluates every property."""
        self._advance(library.particles_advance_by, seconds, velocities)

    def _advance(self, function: Any, seconds: float, velocities: bool) -> None:
        with self._turn:
            self._change(function, seconds, 1 if velocities else 0)
            self._renew_properties()
            for made in self._properties():
                if made._endings.waiting:
                    made._take_ended()
        for made in self._properties():
            if made._endings.told:
                made._endings.tell()

    def close(self) -> None:
        """Frees the memory. Every later call is an error. Closing twice does nothing."""
        for made in self._properties():
            made._refuse_if_goals_are_lent()
        super().close()
        for made in self._properties():
            made._end()

    def _properties(self) -> list[Property]:
        """The properties that a program has asked for."""
        return list(self.__dict__.get("_shown", {}).values())

    def _change(self, function: Any, *arguments: Any) -> int:
        for made in self._properties():
            made._version += 1
        return super()._change(function, *arguments)

    def snapshot(self, into: Snapshot | None = None) -> Snapshot:
        """The state of all properties now: see :meth:`Batch.snapshot`."""
        if into is None:
            with self._turn:
                into = Snapshot(library.snapshot_free, library.particles_snapshot_create, self._number)
                into._words = self._said()
            return into
        Snapshot._check(into)
        with self._turn, into._turn:
            into._change(library.particles_snapshot_update, self._number)
            into._words = self._said()
        return into

    def restore(self, snapshot: Snapshot) -> None:
        """Makes the particles what they were: see :meth:`Batch.restore`."""
        Snapshot._check(snapshot)
        with self._turn, snapshot._turn:
            self._change(library.particles_restore, snapshot._number)
            self._renew_properties()

    def _renew_properties(self) -> None:
        for made in self._properties():
            if made._views:
                made._renew_held()

    @property
    def events(self) -> npt.NDArray[Any]:
        """An event for each particle that came to rest as a whole with the last advance."""
        with self._turn:
            return self._list(library.particles_events, EVENT)


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

    def __init__(self, base: Values, layers: Sequence[Layer], instances: int) -> None:
        below = _numbers("base", base, (-1,))
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
    return first, int32(count_name, all_ - first if count is None else count)


def _path(name: str, path: Any) -> bytes:
    """A path as the library takes it."""
    try:
        found = os.fsencode(path)
    except TypeError:
        raise InvalidType(INVALID_CODE, f"{name} must be a path, is {path!r}") from None
    if 0 in found:
        raise InvalidValue(INVALID_CODE, f"{name} must have no null character, is {path!r}")
    return found


class GLTF(Owner):
    """The animations of a .gltf or .glb file.

    Args:
        source: A path, whose side files are read from its folder; or the bytes of a file without side files.
    """

    def __init__(self, source: str | os.PathLike[str] | bytes) -> None:
        if isinstance(source, bytes):
            super().__init__(library.gltf_free, library.gltf_open_bytes, source, len(source))
        else:
            super().__init__(library.gltf_free, library.gltf_open, _path("source", source))

    def __len__(self) -> int:
        with self._turn:
            return self._count()

    def _count(self) -> int:
        count = c.c_int32()
        self._ask(library.gltf_count, c.byref(count))
        return count.value

    def _said(self) -> str:
        return f" of {counted(self._count(), 'animation')}"

    def _info(self, animation: int) -> CGLTFInfo:
        info = CGLTFInfo()
        with self._turn:
            self._ask(library.gltf_describe, int32("animation", animation), c.byref(info))
        return info

    def duration(self, animation: int = 0) -> float:
        """The seconds of an animation."""
        return self._info(animation).duration  # type: ignore[no-any-return]

    def dimensions(self, animation: int = 0) -> int:
        """The components of all channels of an animation."""
        return self._info(animation).dimensions  # type: ignore[no-any-return]

    def _text(self, what: int, animation: int, component: int) -> str:
        return self._lent_text(library.gltf_text, what, int32("animation", animation), component)

    def name(self, animation: int = 0) -> str:
        """The name of an animation."""
        return self._text(0, animation, 0)

    def component_names(self, animation: int = 0) -> list[str]:
        """The name of each component, such as "Hip.rotation.x"."""
        return [self._text(2, animation, component) for component in range(self.dimensions(animation))]

    def load_clip(self, batch: Batch, animation: int = 0) -> Clip:
        """Loads an animation as a clip into a batch of as many dimensions."""
        if not isinstance(batch, Batch):
            raise InvalidType(INVALID_CODE, f"batch must be a Batch or a property of particles, is {batch!r}")
        loaded, duration = CHandle(), c.c_double()
        with self._turn, batch._turn:
            if batch._lent:
                batch._refuse_if_lent()
            batch._version += 1
            self._ask(
                library.gltf_load_clip, int32("animation", animation), batch._number, c.byref(loaded), c.byref(duration))
        return Clip(handle(loaded), duration.value)


class Scene(Owner):
    """A scene that can be played: built in, or from a file.

    Any part of it has the same bits as the whole. It can be pickled: another process opens it anew.

    Args:
        name: The name of a built-in scene, such as "murmuration"; the path of a scene (.json), of a recording to follow
            (.bvh, .csv, .npy) or of animations (.gltf, .glb).
        frames_per_second, frame_count, track_count, seed: In place of those of the scene.
    """

    def __init__(
        self, name: str | os.PathLike[str], *, frames_per_second: float | None = None, frame_count: int | None = None,
        track_count: int | None = None, seed: int | None = None
    ) -> None:
        super().__init__(library.scene_free, library.scene_open, _path("name", name))
        self._arguments: tuple[Any, ...] = (os.fspath(name), frames_per_second, frame_count, track_count, seed)
        flags = (
            (frames_per_second is not None) + 2 * (frame_count is not None) + 4 * (track_count is not None)
            + 8 * (seed is not None))
        if flags:
            numbers = (
                int32("frame_count", frame_count or 0, bits=64), 0 if seed is None else seed64(seed),
                int32("track_count", track_count or 0), flags)
            try:
                settings = CSceneSettings(frames_per_second or 0, *numbers)
            except TypeError as fault:
                raise InvalidType(INVALID_CODE, f"frames_per_second must be a number: {fault}") from None
            except OverflowError as fault:
                raise InvalidValue(INVALID_VALUE, f"frames_per_second is out of range: {fault}") from None
            with self._turn:
                self._change(library.scene_set, c.byref(settings))

    def __reduce__(self) -> tuple[Any, ...]:
        return _open_scene, self._arguments

    def _said(self) -> str:
        info = CSceneInfo()
        self._ask(library.scene_describe, c.byref(info))
        return f" {self._arguments[0]!r} of {counted(info.track_count, 'track')}, {counted(info.frame_count, 'frame')}"

    def __dask_tokenize__(self) -> tuple[Any, ...]:
        return ("murmuration.Scene", *self._arguments)

    def _info(self) -> CSceneInfo:
        info = CSceneInfo()
        with self._turn:
            self._ask(library.scene_describe, c.byref(info))
        return info

    @property
    def frames_per_second(self) -> float:
        """Frame n is at n / frames_per_second."""
        return self._info().frames_per_second  # type: ignore[no-any-return]

    @property
    def duration(self) -> float:
        """Seconds that the scene lasts."""
        return self._info().duration  # type: ignore[no-any-return]

    @property
    def frame_count(self) -> int:
        """Frames that can be baked."""
        return self._info().frame_count  # type: ignore[no-any-return]

    @property
    def seed(self) -> int:
        """The number from which everything random is drawn."""
        return self._info().seed  # type: ignore[no-any-return]

    @property
    def track_count(self) -> int:
        """Tracks of all groups."""
        return self._info().track_count  # type: ignore[no-any-return]

    @property
    def dimensions(self) -> int:
        """Components of each track."""
        return self._info().dimensions  # type: ignore[no-any-return]

    @property
    def groups(self) -> list[tuple[str, range]]:
        """The name and the tracks of each group."""
        groups = []
        for number in range(self._info().group_count):
            info = CGroupInfo()
            with self._turn:
                self._ask(library.scene_group, number, c.byref(info))
            groups.append((self._text(3, number), range(info.first_track, info.first_track + info.track_count)))
        return groups

    def _text(self, what: int, index: int) -> str:
        return self._lent_text(library.scene_text, what, index)

    @property
    def name(self) -> str:
        """The name of the scene."""
        return self._text(0, 0)

    @property
    def description(self) -> str:
        """What the scene shows."""
        return self._text(1, 0)

    @property
    def component_names(self) -> list[str]:
        """The name of each component."""
        return [self._text(2, component) for component in range(self.dimensions)]

    def bake(
        self, frames: range | int | None = None, tracks: range | int | None = None, *, threads: int = 1,
        out: Floats | None = None, velocities: Floats | None = None
    ) -> Floats:
        """Computes frames of tracks, (frames, tracks, components); NaN for an absent value.

        Parts that follow each other in time are the fastest: a call for earlier frames plays the scene anew. A long bake is
        computed in pieces, so that Ctrl-C is answered soon; then a part of `out` is written.
        """
        info = self._info()
        span, some = part("frames", frames, info.frame_count), part("tracks", tracks, info.track_count)
        # Here, as the library sees only a piece at a time.
        if span.stop > info.frame_count:
            raise InvalidValue(INVALID_COUNT, f"frames must be within range({info.frame_count}), are {frames}")
        if some.stop > info.track_count:
            raise OutOfRange(TRACK_OUT_OF_RANGE, f"tracks must be within range({info.track_count}), are {tracks}")
        shape = (len(span), len(some), info.dimensions)
        if out is None:
            out = empty(shape)
        block("out", out, shape)
        if velocities is not None:
            block("velocities", velocities, shape)
        step = max(1, PIECE // max(1, len(some) * info.dimensions))
        with self._turn:
            for lower in range(0, max(1, len(span)), step):
                piece = slice(lower, min(len(span), lower + step))
                values_, speeds = out[piece], None if velocities is None else velocities[piece]
                self._change(
                    library.scene_bake, span.start + lower, len(values_), some.start, len(some),
                    int32("threads", threads), values_.ctypes.data, None if speeds is None else speeds.ctypes.data,
                    values_.size)
        return out


def _open_scene(
    name: str, frames_per_second: float | None, frame_count: int | None, track_count: int | None, seed: int | None
) -> Scene:
    return Scene(
        name, frames_per_second=frames_per_second, frame_count=frame_count, track_count=track_count, seed=seed)
