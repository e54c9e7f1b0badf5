# SPDX-License-Identifier: MIT
"""Springs, curves, keyframes and phases for many values at once, on NumPy arrays.

>>> import murmuration
>>> batch = murmuration.Batch(dimensions=2)
>>> dots = batch.add([[0, 0], [10, 0], [20, 0]])
>>> change = batch.animate(dots, [0, 50], murmuration.spring(0.5, bounce=0.3))
>>> batch.advance(5)
>>> batch.values.tolist()
[[0.0, 50.0], [0.0, 50.0], [0.0, 50.0]]
"""

from ._batch import Batch
from ._checks import CheckReport, check, same_bits
from ._colors import Encoding, convert_colors
from ._columns import Springs, ease, spring_states, spring_step, spring_values
from ._library import (
    Busy, Error, FileError, InvalidType, InvalidValue, Lent, OutOfMemory, OutOfRange, StateError, UnknownHandle, library)
from ._mixer import Layer, Mixer
from ._motions import (
    Animation, Curve, Grid, Keyframe, Playback, Spring, bouncy, curve, ease_in, ease_in_out, ease_out, interpolating_spring,
    linear, smooth, snappy, spring)
from ._outcomes import OUTCOME, TRACK_OUTCOME, Completion, Ending, Outcome, Result
from ._particles import Particles, Property
from ._scenes import GLTF, Scene
from ._snapshots import Snapshot
from ._staggers import stagger
from ._trackers import VelocityTrackers
from ._tracks import EVENT, Clip, EventKind, Motion, Phases, Selection, Tracks, TrackState

__version__: str = library.version().decode()

__all__ = [
    "EVENT", "GLTF", "OUTCOME", "TRACK_OUTCOME", "Animation", "Batch", "Busy", "CheckReport", "Clip", "Completion", "Curve",
    "Encoding", "Ending", "Error", "EventKind", "FileError", "Grid", "InvalidType", "InvalidValue", "Keyframe", "Layer", "Lent", "Mixer", "Motion",
    "OutOfMemory", "OutOfRange", "Outcome", "Particles", "Phases",
    "Playback", "Property", "Result", "Scene", "Selection", "Snapshot", "Spring", "Springs", "StateError", "TrackState", "Tracks", "UnknownHandle",
    "VelocityTrackers", "bouncy", "check", "convert_colors", "curve", "ease", "ease_in", "ease_in_out", "ease_out", "interpolating_spring", "linear",
    "same_bits", "smooth", "snappy", "spring", "spring_states", "spring_step", "spring_values", "stagger"]
