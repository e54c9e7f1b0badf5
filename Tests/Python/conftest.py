# SPDX-License-Identifier: MIT
import numpy as np
import pytest

import murmuration


@pytest.fixture
def batch():
    with murmuration.Batch(dimensions=2) as made:
        yield made


@pytest.fixture
def random():
    return np.random.default_rng(18)
