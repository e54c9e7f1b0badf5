# SPDX-License-Identifier: MIT
"""Reading numbers of a batch: into arrays of any layout, as views that are renewed, and as columns without a copy."""
import gc

import numpy as np
import pytest

import murmuration


def test_reading_into_arrays_of_any_layout(batch, random):
    start = random.normal(size=(40, 2)).astype(np.float32)
    dots = batch.add(start)
    wide = np.full((80, 5), 7, np.float32)
    for out in np.empty((40, 2), np.float32), np.empty((2, 40), np.float32).T, wide[::2, 1:4:2]:
        assert batch.read(out=out) is out and np.array_equal(out, start)
    assert (wide[1::2] == 7).all() and (wide[:, ::2] == 7).all()
    assert np.array_equal(batch.read(dots[5:9]), start[5:9]) and np.array_equal(batch.read(3), start[3:4])
    assert np.array_equal(batch.read(slice(38, None), "targets"), start[38:])
    with murmuration.Batch() as single:
        single.add(start[:, 0])
        assert np.array_equal(single.read(out=np.empty(40, np.float32)), start[:, 0])


def test_reading_into_fields_of_records(batch, random):
    batch.add((2 * random.normal(size=(300, 2))).astype(np.float32))
    numbers = batch.values
    kinds = [("f4", "f4", 2), ("f2", "f2", 2), ("u1", "u1", 2), ("i1", "i1", 2), ("u2", "u2", 2), ("i2", "i2", 2), ("y", "u1")]
    records = np.frombuffer(random.bytes(300 * 26), np.dtype([("pad", "u1"), *kinds])).copy()
    before = records.copy()
    for kind, scale in ("f4", None), ("f2", None), ("u1", 255), ("i1", 127), ("u2", 65535), ("i2", 32767):
        assert batch.read(out=records[kind], order=[1, 0]).dtype == kind
        numbers_of = numbers[:, ::-1]
        if scale:
            numbers_of = np.rint(np.clip(numbers_of, -1 if kind[0] == "i" else 0, 1) * np.float32(scale))
        assert np.array_equal(records[kind], numbers_of.astype(kind))
    batch.read(slice(4, 9), "targets", out=records["y"][4:9], order=[1])
    assert np.array_equal(records["y"][4:9], np.rint(np.clip(numbers[4:9, 1], 0, 1) * np.float32(255)))
    assert np.array_equal(records["pad"], before["pad"]) and np.array_equal(records["y"][9:], before["y"][9:])
    assert batch.read(order=[0, 0, 1]).shape == (300, 3) and batch.read(out=np.empty((300, 2), np.float16)).dtype == np.float16
    for out in np.empty((300, 2)), np.empty((300, 2), ">f2"), np.empty((300, 2), "u4"):
        with pytest.raises(TypeError, match="out must be an array of float32, float16"):
            batch.read(out=out, order=[0, 1])
    with pytest.raises(ValueError, match="side by side"):
        batch.read(out=np.lib.stride_tricks.as_strided(np.zeros(2, np.float16), (300, 2), (0, 2)))


def test_input_of_any_layout_is_read_where_it_lies(batch, random):
    table = random.normal(size=(30, 8)).astype(np.float32)
    table.flags.writeable = False
    record = np.zeros(10, np.dtype([("id", np.int32), ("at", np.float32, (2,)), ("mass", np.float32)]))
    record["at"] = table[:10, :2]
    for start in table[::3, 2:8:4], table[:10, :2].T.copy().T, record["at"], np.broadcast_to(table[0, :2], (10, 2)):
        dots = batch.add(start)
        assert np.array_equal(batch.read(dots), start)
        batch.remove(dots)


def test_values_are_renewed_while_someone_holds_them(batch):
    dots = batch.add([[0, 0], [0, 0]])
    held = batch.values
    part = held[1:, 0]
    assert not held.flags.writeable and np.shares_memory(held, batch.values)
    batch.animate(dots, [8, 8], murmuration.linear(1))
    batch.advance(0.5)
    assert held.tolist() == [[4, 4], [4, 4]] and part.tolist() == [4]
    del held
    batch.advance(0.75)
    assert part.tolist() == [6]
    batch.set(dots, [1, 1])
    assert part.tolist() == [1]
    more = batch.add(np.ones((1000, 2), np.float32))
    assert batch.values.shape == (1002, 2) and len(more) == 1000
    batch.advance(1)
    batch.close()
    gc.collect()
    assert part.tolist() == [1]


def test_values_have_as_many_indices_as_the_batch_also_after_a_frame(batch):
    """An advance renewed the array that someone held, which was given again, however many tracks there were."""
    dots = batch.add(np.ones((4, 2)))
    held, targets = batch.values, batch.targets
    batch.add(np.full((2, 2), 3))
    batch.advance(1)
    assert batch.values.shape == (6, 2) and batch.values[5].tolist() == [3, 3] and batch.targets.shape == (6, 2)
    held, targets = batch.values, batch.targets
    batch.remove(slice(2, None))
    batch.compact()
    batch.set(dots[:2], [7, 7])
    assert batch.values.tolist() == [[7, 7], [7, 7]] and batch.targets.shape == (2, 2)
    assert held.tolist() == [[7, 7], [7, 7], [0, 0], [0, 0], [0, 0], [0, 0]] and len(targets) == 6
    batch.remove_all()
    batch.advance(2)
    assert batch.values.shape == (0, 2)


def test_values_follow_every_call_that_changes_them(batch):
    dots = batch.add([[1, 1], [2, 2]])
    assert batch.values[0, 0] == 1
    batch.remove(dots[0])
    assert batch.values[0, 0] == 0
    batch.add([5, 5])
    assert batch.values[0, 0] == 5
    batch.animate(0, [6, 6], None)
    assert batch.targets[0, 0] == 6


def test_velocities_that_an_advance_left_out_keep_their_numbers(batch):
    dots = batch.add([0, 0])
    batch.animate(dots, [1, 1], murmuration.linear(1))
    batch.advance(0.25, velocities=True)
    speed = batch.velocities
    assert speed.tolist() == [[1, 1]]
    batch.advance(0.5)
    assert speed.tolist() == [[1, 1]]
    with pytest.raises(murmuration.StateError, match="velocities"):
        batch.velocities


def test_columns_are_lent_without_a_copy(batch, random):
    start = random.normal(size=(100, 2)).astype(np.float32)
    dots = batch.add(start)
    column = batch.column(1)
    part = column[3:]
    assert np.array_equal(column, start[:, 1]) and column.ctypes.data % 64 == 0
    del column
    for call in (
        lambda: batch.advance(1), lambda: batch.add([0, 0]), lambda: batch.compact(), lambda: batch.close(),
        lambda: batch.animate(dots, [0, 0], None), lambda: batch.remove_all(), lambda: batch.reserve(10**6),
    ):
        with pytest.raises(BufferError, match="1 views"):
            call()
    assert batch.values[3, 1] == start[3, 1]
    del part
    batch.advance(1)
    assert murmuration.Batch().column().shape == (0,)


def test_a_view_of_a_column_keeps_its_batch():
    batch = murmuration.Batch()
    batch.add(np.arange(64, dtype=np.float32))
    column = batch.column()
    del batch
    gc.collect()
    assert column.tolist() == list(range(64))
