# SPDX-License-Identifier: MIT
"""Delays of tracks that set out one after another."""
import json
import pathlib
import re

import numpy as np
import pytest

import murmuration
from murmuration import Curve, _library, linear, stagger

pytestmark = pytest.mark.skipif("stagger_delays" not in vars(_library.library), reason="this build of the library has no staggers")

_RECORDED = json.loads((pathlib.Path(__file__).parent.parent / "Fixtures" / "staggers.json").read_text())


@pytest.mark.parametrize("recorded", _RECORDED)
def test_delays_are_those_of_swift(recorded):
    options = {name: recorded[name] for name in ("each", "over", "columns", "seed") if name in recorded}
    options["origin"] = recorded.get("place", recorded.get("point", "first"))
    if "ease" in recorded:
        options["ease"] = getattr(Curve, re.sub("(?=[A-Z])", "_", recorded["ease"]["name"]).upper())
    delays = stagger(recorded["count"], **options)
    assert delays.dtype == np.float64 and delays.tolist() == recorded["delays"]


def test_tracks_set_out_one_after_another():
    with murmuration.Batch(1) as batch:
        tracks = batch.add(np.zeros((4, 1)))
        batch.animate(tracks, 1, linear(1), delays=stagger(4, each=0.5, origin=3))
        batch.advance(1)
        assert batch.values[:, 0].tolist() == [0, 0, 0.5, 1]


@pytest.mark.parametrize("options, error", [
    ({}, TypeError), ({"each": 1, "over": 1}, TypeError), ({"each": "x"}, TypeError), ({"each": -1}, ValueError),
    ({"each": np.nan}, ValueError), ({"over": 1e11}, ValueError), ({"each": 1, "origin": "middle"}, ValueError),
    ({"each": 1, "origin": (1, 2, 3)}, TypeError), ({"each": 1, "origin": (1, np.inf)}, ValueError),
    ({"each": 1, "origin": None}, TypeError), ({"each": 1, "columns": 0}, ValueError), ({"each": 1, "columns": 1.5}, TypeError),
    ({"each": 1, "seed": -1}, ValueError), ({"each": 1, "seed": 0.5}, TypeError), ({"each": 1, "ease": "easeIn"}, TypeError),
])
def test_bad_arguments_are_refused(options, error):
    with pytest.raises(error) as raised:
        stagger(4, **options)
    assert isinstance(raised.value, murmuration.Error)


def test_counts_are_whole_numbers():
    assert stagger(0, each=1).tolist() == []
    for count, error in [(-1, ValueError), (1.5, TypeError), (1 << 40, ValueError)]:
        with pytest.raises(error):
            stagger(count, each=1)
