# SPDX-License-Identifier: MIT
"""Scenes and animations of files."""

from __future__ import annotations

import ctypes as c
import os
from typing import Any

from ._arrays import Floats, block, empty, int32, seed64
from ._baking import PIECE, part
from ._batch import Batch
from ._library import (
    INVALID_CODE, INVALID_COUNT, INVALID_VALUE, TRACK_OUT_OF_RANGE, CGLTFInfo, CGroupInfo, CHandle, CSceneInfo, CSceneSettings,
    FileError, InvalidType, InvalidValue, OutOfRange, library)
from ._owner import Owner
from ._tracks import Clip, counted, handle


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
            (.bvh, .csv, .npy, .npz) or of animations (.gltf, .glb).
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
            try:
                with self._turn:
                    self._change(library.scene_set, c.byref(settings))
            except FileError as fault:
                # The file is as it must be, and these numbers are not.
                raise InvalidValue(INVALID_VALUE, fault.message) from None

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
