# SPDX-License-Identifier: MIT
"""What type checkers know of the package. It is checked and not run: objects in a `with` were Any."""
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

import murmuration

if TYPE_CHECKING:
    from typing_extensions import assert_type

    with murmuration.Batch() as batch:
        assert_type(batch, murmuration.Batch)
        assert_type(batch.add(np.zeros(3)), murmuration.Tracks)
        assert_type(batch.animate(None, np.zeros(3), murmuration.linear()), int)
        assert_type([one for one in batch.live([1, 2])], list[murmuration.Tracks])
        batch.stop(np.zeros(3, np.int64))
        batch.stop(np.zeros(9, bool))
        batch.stop(slice(9, 0, -2))
        assert_type(batch.finished(batch.trigger(completion="settled")).result(), murmuration.Outcome)
        assert_type(murmuration.check(batch.recording), murmuration.CheckReport)

        async def wait() -> None:
            assert_type(await batch.finished(1), murmuration.Outcome)

        assert_type(murmuration.check(batch.recording).passed, bool)
    with murmuration.Particles(position=2) as sparks:
        assert_type(sparks, murmuration.Particles)
        assert_type(sparks["position"], murmuration.Property)
    with murmuration.Scene("murmuration") as scene, murmuration.Mixer([0], [], 1) as mixer:
        assert_type((scene, mixer), tuple[murmuration.Scene, murmuration.Mixer])
    assert_type(murmuration.Curve.EASE_IN, murmuration.Curve)
    floats = np.zeros(3, np.float32)
    assert_type(murmuration.spring_values(murmuration.Springs([0.5, 1]), 0.1), npt.NDArray[np.float32])
    assert_type(
        murmuration.spring_states([murmuration.Spring()], floats), tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]])
    murmuration.spring_step(murmuration.Spring(), floats, floats, [1, 2, 3], 1 / 60)
    assert_type(murmuration.ease(murmuration.Curve.EASE_IN, floats, target=2), npt.NDArray[np.float32])
    assert_type(murmuration.convert_colors(floats, "srgb", "oklab_premultiplied"), npt.NDArray[np.float32])
