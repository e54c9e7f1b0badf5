# SPDX-License-Identifier: MIT
"""Arrays as the library takes them: an address and two strides in floats."""

from __future__ import annotations

import ctypes as c
import operator
import sys
from typing import Any, Callable, Sequence, SupportsFloat, Union

import numpy as np
import numpy.typing as npt

from ._library import (
    CAPACITY_EXCEEDED, INVALID_CODE, INVALID_COUNT, INVALID_STRIDE, InvalidType, InvalidValue, OutOfMemory)

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]
#: Values for tracks: an array of float32, which is read where it lies, or other arrays, numbers and lists, which are
#: converted.
Values = Union[npt.NDArray[Any], SupportsFloat, Sequence[Any]]

FLOAT = np.dtype(np.float32)
_ndarray = np.ndarray
_LARGEST = 2**31 - 1


def _slow_address(array: npt.NDArray[Any]) -> int:
    return array.__array_interface__["data"][0]  # type: ignore[no-any-return]


def _fast_address(array: npt.NDArray[Any]) -> int:
    return _word(id(array) + _HEAD).value or 0


# The address is the first field of an array in C, which compiled extensions of NumPy rely on, and six times as fast to read
# there as from a new dictionary. An interpreter that lays objects out otherwise takes the dictionary.
_word: Any = c.c_size_t.from_address
_HEAD = object.__basicsize__
_probes = [np.zeros(5, np.float32)[first:] for first in range(4)]
_is_fast = sys.implementation.name == "cpython" and all(_fast_address(one) == _slow_address(one) for one in _probes)
#: The address of the first element of an array.
address: Callable[[npt.NDArray[Any]], int] = _fast_address if _is_fast else _slow_address


def int32(name: str, number: Any, *, bits: int = 32) -> int:
    """A whole number that fits in 32 bits."""
    try:
        number = operator.index(number)
    except TypeError:
        raise InvalidType(INVALID_CODE, f"{name} must be a whole number, is {number!r}") from None
    if not -(1 << bits - 1) < number < 1 << bits - 1:
        raise InvalidValue(INVALID_COUNT, f"{name} must fit in {bits} bits, is {number}")
    return number  # type: ignore[no-any-return]


def choice(name: str, codes: dict[str, int], value: Any) -> int:
    """The code of one of some words."""
    if not isinstance(value, str):
        raise InvalidType(INVALID_CODE, f"{name} must be one of {', '.join(codes)}, is {value!r}")
    if value not in codes:
        raise InvalidValue(INVALID_CODE, f"{name} must be one of {', '.join(codes)}, is {value!r}")
    return codes[value]


def empty(shape: tuple[int, ...], kind: Any = FLOAT) -> Any:
    """An array whose numbers are meaningless."""
    try:
        return np.empty(shape, kind)
    except (MemoryError, ValueError) as fault:
        raise OutOfMemory(CAPACITY_EXCEEDED, f"there is no memory for an array of the shape {shape}: {fault}") from None


def _converted(name: str, value: Any, kind: Any) -> npt.NDArray[Any]:
    """Real numbers of any type as an array of one type."""
    if isinstance(value, np.ma.MaskedArray):
        raise InvalidType(INVALID_CODE, f"{name} must not be a masked array; fill it first")
    try:
        array = np.asarray(value)
        if array.dtype.kind in "biuf" or array.dtype.kind == "O" and array.ndim:
            # A number that is too large becomes infinite, which the library refuses.
            with np.errstate(over="ignore"):
                return array.astype(kind, copy=False)
    except (TypeError, ValueError, OverflowError) as fault:
        raise InvalidType(INVALID_CODE, f"{name} must be numbers: {fault}") from None
    except MemoryError as fault:
        raise OutOfMemory(CAPACITY_EXCEEDED, f"{name}: {fault}") from None
    got = array.dtype if isinstance(value, _ndarray) else type(value).__name__
    raise InvalidType(INVALID_CODE, f"{name} must be numbers, is {got}")


def floats(name: str, value: Any) -> Floats:
    """An array of float32: `value` itself if it is one, otherwise its numbers converted."""
    return _converted(name, value, FLOAT)


def _strides(name: str, value: Floats, *, least: int) -> tuple[int, ...]:
    """The strides of an array in floats; `least` for a dimension that is never stepped over."""
    strides = []
    for size, stride in zip(value.shape, value.strides):
        if size == 1 or not value.size:
            strides.append(least)
        elif stride % 4 or stride < 4 * least or stride > 4 * _LARGEST:
            raise InvalidValue(
                INVALID_STRIDE, f"{name} must have strides that are multiples of 4 bytes, {4 * least} or more; they are "
                f"{value.strides}: pass a copy")
        else:
            strides.append(stride // 4)
    return tuple(strides)


def _aligned(name: str, value: Floats) -> int:
    start = address(value)
    if start & 3:
        raise InvalidValue(INVALID_STRIDE, f"{name} must begin at a multiple of 4 bytes: pass a copy")
    return start


def values(name: str, value: Values, count: int | None, dimensions: int) -> tuple[Floats, int, int, int]:
    """Values to read for `count` tracks, or one for all of them if the count is None.

    Shapes: (tracks, components), (tracks,) with one component, (components,) for all tracks, or one number.

    Returns:
        The array, which must outlive the call; its address; its strides from track to track and component to component.
    """
    if type(value) is not _ndarray or value.dtype is not FLOAT:
        value = floats(name, value)
    shape = value.shape
    if shape == (count, dimensions) and value.strides == (4 * dimensions, 4):
        return value, _aligned(name, value), dimensions, 1
    rank = len(shape)
    strides = _strides(name, value, least=0)
    if rank == 2 and shape[0] in (count, 1) and shape[1] in (dimensions, 1):
        return value, _aligned(name, value), strides[0], strides[1]
    if rank == 1 and dimensions == 1 and shape[0] in (count, 1):
        return value, _aligned(name, value), strides[0], 0
    if rank == 1 and dimensions > 1 and shape[0] in (dimensions, 1):
        return value, _aligned(name, value), 0, strides[0]
    if rank == 0:
        return value, _aligned(name, value), 0, 0
    tracks = "tracks" if count is None else str(count)
    raise InvalidValue(
        INVALID_COUNT, f"{name} must have the shape ({tracks}, {dimensions}), or be one value for all tracks; its shape is "
        f"{shape}")


def is_aligned(value: Any) -> bool:
    """Whether an array begins at a multiple of 4 bytes, and has such strides; true for what is no array."""
    return not isinstance(value, _ndarray) or not any((address(value) | stride) & 3 for stride in value.strides)


def output(name: str, value: Any, count: int, dimensions: int) -> tuple[int, int, int]:
    """Memory to write the values of `count` tracks to: its address and its strides."""
    if type(value) is _ndarray and value.dtype is FLOAT and value.flags.writeable:
        if value.shape == (count, dimensions) and value.strides == (4 * dimensions, 4):
            return _aligned(name, value), dimensions, 1
    if not isinstance(value, _ndarray) or isinstance(value, np.ma.MaskedArray):
        raise InvalidType(INVALID_CODE, f"{name} must be an array of float32, is {type(value).__name__}")
    if value.dtype != FLOAT:
        raise InvalidType(INVALID_CODE, f"{name} must be float32, is {value.dtype}")
    if not value.flags.writeable:
        raise InvalidValue(INVALID_CODE, f"{name} must not be read-only")
    if value.shape == (count, dimensions):
        strides = _strides(name, value, least=1)
        return _aligned(name, value), strides[0], strides[1]
    if dimensions == 1 and value.shape == (count,):
        return _aligned(name, value), _strides(name, value, least=1)[0], 1
    raise InvalidValue(
        INVALID_COUNT, f"{name} must have the shape ({count}, {dimensions}); its shape is {value.shape}")


#: The formats of numbers in vertices, by the type of an array.
FORMATS = {np.dtype(kind): code for code, kind in enumerate(("f4", "f2", "u1", "i1", "u2", "i2"))}


def vertices(name: str, value: Any, count: int, numbers: int) -> tuple[int, int, int, int]:
    """Memory to write numbers of `count` tracks to, in the format of its type, with the numbers of a track side by side: its
    address, the format, the bytes from track to track, and all of them."""
    if not isinstance(value, _ndarray) or isinstance(value, np.ma.MaskedArray) or value.dtype not in FORMATS:
        got = value.dtype if isinstance(value, _ndarray) else type(value).__name__
        raise InvalidType(
            INVALID_CODE, f"{name} must be an array of float32, float16, or integers of 8 or 16 bits in the order of the "
            f"processor, is {got}")
    if not value.flags.writeable:
        raise InvalidValue(INVALID_CODE, f"{name} must not be read-only")
    if value.shape != (count, numbers) and (numbers != 1 or value.shape != (count,)):
        raise InvalidValue(INVALID_COUNT, f"{name} must have the shape ({count}, {numbers}); its shape is {value.shape}")
    bytes_ = numbers * value.itemsize
    stride = value.strides[0] if count > 1 else bytes_
    if not bytes_ <= stride <= _LARGEST or numbers > 1 and count and value.strides[-1] != value.itemsize:
        raise InvalidValue(
            INVALID_STRIDE, f"{name} must have the numbers of a track side by side, and no track before the end of another; its "
            f"strides are {value.strides}: pass a copy")
    return address(value), FORMATS[value.dtype], stride, max(0, count - 1) * stride + bytes_


def block(name: str, value: Any, shape: tuple[int, ...]) -> int:
    """The address of a whole block of float32 in C order to write to."""
    if not isinstance(value, _ndarray) or isinstance(value, np.ma.MaskedArray):
        raise InvalidType(INVALID_CODE, f"{name} must be an array of float32, is {type(value).__name__}")
    if value.dtype != FLOAT:
        raise InvalidType(INVALID_CODE, f"{name} must be float32, is {value.dtype}")
    if not value.flags.writeable:
        raise InvalidValue(INVALID_CODE, f"{name} must not be read-only")
    if value.shape != shape:
        raise InvalidValue(INVALID_COUNT, f"{name} must have the shape {shape}; its shape is {value.shape}")
    if not value.flags.c_contiguous:
        raise InvalidValue(INVALID_STRIDE, f"{name} must be contiguous in C order; its strides are {value.strides}")
    return _aligned(name, value)


def doubles(name: str, value: Any, count: int | None = None, *, one_for_all: bool = False) -> Doubles:
    """Numbers in double side by side, converted if they are others."""
    array = np.ascontiguousarray(_converted(name, value, np.float64)).reshape(-1)
    if count is not None and array.size != count and not (one_for_all and array.size == 1):
        raise InvalidValue(INVALID_COUNT, f"{name} must be {count} numbers, are {array.size}")
    return array
