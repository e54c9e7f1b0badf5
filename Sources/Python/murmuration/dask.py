# SPDX-License-Identifier: MIT
"""Baking on many processes and machines: ``dask.array`` whose chunks the workers compute with this library.

    import murmuration.dask
    from distributed import Client

    client = Client("tcp://scheduler:8786")
    frames = murmuration.dask.bake(scene, frames=600, tracks=1_000_000, chunks=(60, 100_000))
    frames[:, :, 0].mean(axis=1).compute()
    frames.to_zarr("frames.zarr")

A *scene* says how to make any part of its tracks: a :class:`Recipe`, a :class:`murmuration.Scene`, or any object that can be
pickled and has `track_count`, `dimensions` and `batch(first, count)`. Any chunks have the same bits.
"""

from __future__ import annotations

import pickle
import threading
import time
from dataclasses import dataclass
from typing import Any, Callable, Protocol, Union, cast, runtime_checkable

import dask
import dask.array as da
import numpy as np

from ._arrays import FLOAT, Floats
from ._baking import part
from ._batch import Batch
from ._library import INVALID_CODE, INVALID_COUNT, InvalidType, InvalidValue
from ._scenes import Scene


@runtime_checkable
class Tracked(Protocol):
    """What can be baked: it makes the batch of a range of its tracks, with all calls made, at time 0."""

    @property
    def track_count(self) -> int: ...

    @property
    def dimensions(self) -> int: ...

    def batch(self, first: int, count: int) -> Batch: ...


@dataclass(frozen=True)
class Recipe:
    """A scene as a function that adds a range of its tracks to an empty batch, and sends them where they go.

    What becomes of a track must depend on its number alone, and not on the range: then any chunks have the same bits. A bake
    refuses calls that wait for their `delays`; animations with :meth:`murmuration.Animation.delay` do the same.
    A worker holds the tracks of one chunk for each of its threads, so the scene may have more than any machine has memory
    for.

    >>> import murmuration, numpy as np
    >>> def stars(batch, tracks):
    ...     places = np.arange(tracks.start, tracks.stop, dtype=np.float32)
    ...     dots = batch.add(places)
    ...     batch.animate(dots, places + 1, murmuration.spring(2))
    >>> Recipe(stars, track_count=10**9).batch(500, 3).count
    3

    Attributes:
        make: Takes a :class:`murmuration.Batch` and the range of tracks.
        track_count: Tracks of the whole scene.
        dimensions: Components of each.
    """

    make: Callable[[Batch, range], Any]
    track_count: int
    dimensions: int = 1

    def batch(self, first: int, count: int) -> Batch:
        """The batch of some tracks."""
        batch = Batch(self.dimensions, capacity=count)
        self.make(batch, range(first, first + count))
        return batch


AnyScene = Union[Tracked, Scene]


def chunk(scene: AnyScene, frames: range, tracks: range, frames_per_second: float, start: float = 0) -> Floats:
    """The part of a scene that one chunk holds: (frames, tracks, components)."""
    if isinstance(scene, Scene):
        return scene.bake(frames, tracks)
    with scene.batch(tracks.start, len(tracks)) as batch:
        if batch.index_count != len(tracks):
            raise InvalidValue(
                INVALID_COUNT, f"the batch of the {len(tracks)} tracks from {tracks.start} has {batch.index_count} tracks")
        baked: Floats = batch.bake(frames, frames_per_second=frames_per_second, start=start)
        return baked


class _Opened(threading.local):
    """The scene that a thread opened last: parts of a file that follow each other in time go on from each other."""

    pickled = b""
    scene: Any = None

    def open(self, pickled: bytes) -> AnyScene:
        if self.pickled != pickled:
            self.pickled, self.scene = pickled, pickle.loads(pickled)
        return self.scene  # type: ignore[no-any-return]


_opened = _Opened()


def _task(
    scene: bytes, frame_starts: tuple[int, ...], track_starts: tuple[int, ...], frames_per_second: float, start: float,
    block_id: tuple[int, ...] = (0, 0, 0)
) -> Floats:
    return chunk(
        _opened.open(scene), range(*frame_starts[block_id[0]:block_id[0] + 2]),
        range(*track_starts[block_id[1]:block_id[1] + 2]), frames_per_second, start)


def _parts(scene: AnyScene, frames: range | int | None, tracks: range | int | None) -> tuple[range, range]:
    if not isinstance(scene, (Scene, Tracked)):
        raise InvalidType(
            INVALID_CODE, f"a scene must be a Recipe, a Scene, or have track_count, dimensions and batch; it is {scene!r}")
    if frames is None and not isinstance(scene, Scene):
        raise InvalidValue(INVALID_COUNT, "frames must be given, as the scene has no number of frames")
    span = part("frames", frames, scene.frame_count if isinstance(scene, Scene) else 0)
    some = part("tracks", tracks, scene.track_count)
    if some.stop > scene.track_count:
        raise InvalidValue(INVALID_COUNT, f"the scene has {scene.track_count} tracks, not {some.stop}")
    if isinstance(scene, Scene) and span.stop > scene.frame_count:
        raise InvalidValue(INVALID_COUNT, f"the scene has {scene.frame_count} frames, not {span.stop}")
    return span, some


def bake(
    scene: AnyScene, frames: range | int | None = None, tracks: range | int | None = None, *,
    chunks: Any = "auto", frames_per_second: float = 60, start: float = 0
) -> da.Array:
    """Frames of tracks as a dask array, (frames, tracks, components), float32, whose chunks the workers compute.

    Nothing is computed yet. The bits are those of one process, whatever the chunks are. While a chunk is computed, a worker
    holds its numbers and its tracks, and no others.

    Args:
        scene: A :class:`Recipe`, a :class:`murmuration.Scene`, or an object with `track_count`, `dimensions` and
            `batch(first, count)` that can be pickled.
        frames: A number or a range of frames. Frame n is at start + n / frames_per_second.
        tracks: A number or a range of tracks; None for all.
        chunks: (frames, tracks) of a chunk, as dask takes them; "auto" for chunks of `array.chunk-size`.
        frames_per_second: Of a recipe. A :class:`murmuration.Scene` has its own.
    """
    span, some = _parts(scene, frames, tracks)
    shape = (len(span), len(some), scene.dimensions)
    sizes = (chunks, chunks) if isinstance(chunks, (str, int)) else tuple(chunks)
    normalize: Any = da.core.normalize_chunks
    sizes = normalize((*sizes[:2], scene.dimensions), shape, dtype=FLOAT)
    if not shape[0] or not shape[1]:
        empty: da.Array = cast(Any, da).zeros(shape, FLOAT, chunks=sizes)
        return empty

    def starts(first: int, lengths: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(first + int(end) for end in np.cumsum((0, *lengths)))

    # Pickled once: a graph of a million chunks has the scene once, and its functions by value.
    import cloudpickle  # type: ignore[import-untyped,unused-ignore]

    pickled = cloudpickle.dumps(scene)
    name = "murmuration-" + dask.base.tokenize(pickled, span, some, sizes, frames_per_second, start)
    map_blocks: Any = da.map_blocks
    array: da.Array = map_blocks(
        _task, pickled, starts(span.start, sizes[0]), starts(some.start, sizes[1]), frames_per_second, start,
        chunks=sizes, dtype=FLOAT, name=name, meta=np.empty((0, 0, 0), FLOAT))
    return array


@dataclass(frozen=True)
class Plan:
    """What a bake takes, from rates that were measured on this machine.

    Attributes:
        frames, tracks, dimensions: What is baked.
        chunk: Frames and tracks of a chunk.
        chunk_count: Chunks of the whole.
        chunk_bytes: The numbers of a chunk.
        bytes: The numbers of the whole.
        setup_seconds: To make the batch of one chunk.
        rate: Values (frames x tracks) per second, of one thread, once the batch is made.
        worker_hours: Of one thread each, for the whole.
    """

    frames: int
    tracks: int
    dimensions: int
    chunk: tuple[int, int]
    chunk_count: int
    chunk_bytes: int
    bytes: int
    setup_seconds: float
    rate: float
    worker_hours: float

    def __str__(self) -> str:
        return "\n".join([
            f"{self.frames:,} frames x {self.tracks:,} tracks x {self.dimensions} components: {_bytes(self.bytes)}",
            f"{self.chunk_count:,} chunks of {self.chunk[0]:,} frames x {self.chunk[1]:,} tracks: "
            f"{_bytes(self.chunk_bytes)} each",
            f"{self.rate / 1e6:,.0f} million values/s and {1e3 * self.setup_seconds:,.2f} ms to begin a chunk, of one thread",
            f"{self.worker_hours:,.1f} worker-hours"])


def _bytes(count: float) -> str:
    for unit in ("B", "kB", "MB", "GB", "TB"):
        if count < 1000:
            return f"{count:.3g} {unit}"
        count /= 1000
    return f"{count:,.0f} PB"


def plan(
    scene: AnyScene, frames: int, tracks: int | None = None, *, chunks: tuple[int, int] = (1000, 10_000),
    frames_per_second: float = 60, start: float = 0, repeats: int = 3
) -> Plan:
    """Computes what a bake would take, from one chunk in the middle that is computed here, the fastest of some times.

    >>> def still(batch, tracks):
    ...     batch.add(0, len(tracks))
    >>> str(plan(Recipe(still, 10**9), 10**5)).splitlines()[0]
    '100,000 frames x 1,000,000,000 tracks x 1 components: 400 TB'
    """
    span, some = _parts(scene, frames, tracks)
    length, width = min(chunks[0], len(span)), min(chunks[1], len(some))
    if not length or not width:
        raise InvalidValue(INVALID_COUNT, "a plan needs at least one frame and one track")
    chunk_count = -(-len(span) // length) * -(-len(some) // width)
    first_frame, first_track = (len(span) - length) // 2, (len(some) - width) // 2
    setup = whole = float("inf")
    for _ in range(repeats):
        clock = time.perf_counter()
        if isinstance(scene, Scene):
            chunk(scene, range(first_frame, first_frame + 1), range(first_track, first_track + width), 60)
        else:
            scene.batch(first_track, width).close()
        setup = min(setup, time.perf_counter() - clock)
        clock = time.perf_counter()
        chunk(
            scene, range(first_frame, first_frame + length), range(first_track, first_track + width), frames_per_second,
            start)
        whole = min(whole, time.perf_counter() - clock)
    numbers = 4 * length * width * scene.dimensions
    return Plan(
        len(span), len(some), scene.dimensions, (length, width), chunk_count, numbers, 4 * len(span) * len(some) * scene.dimensions, setup,
        length * width / max(whole - setup, 1e-9), chunk_count * whole / 3600)

