# SPDX-License-Identifier: MIT
"""Arrays as the library takes them: an address and two strides in floats."""

from __future__ import annotations

import ctypes as c
import operator
import sys
from typing import Any, Callable, Iterable, Sequence, SupportsFloat, TypeVar, Union

import numpy as np
import numpy.typing as npt

from ._library import (
    CAPACITY_EXCEEDED, INVALID_CODE, INVALID_COUNT, INVALID_STRIDE, InvalidType, InvalidValue, OutOfMemory)

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]
#: Values for tracks: an array of float32, which is read where it lies, or other arrays, numbers and lists, which are
#: converted.
Values = Union[npt.NDArray[Any], SupportsFloat, Sequence[Any]]

_Array = TypeVar("_Array", bound=npt.NDArray[Any])
_Object = TypeVar("_Object")
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


def seed64(seed: Any) -> int:
    """A whole number from which everything random is drawn."""
    number = int32("seed", seed, bits=1024)
    if not 0 <= number < 1 << 64:
        raise InvalidValue(INVALID_COUNT, f"seed must be within range(2**64), is {number}")
    return number


def choice(name: str, codes: dict[str, int], value: Any) -> int:
    """The code of one of some words."""
    if not isinstance(value, str):
        raise InvalidType(INVALID_CODE, f"{name} must be one of {', '.join(codes)}, is {value!r}")
    if value not in codes:
        raise InvalidValue(INVALID_CODE, f"{name} must be one of {', '.join(codes)}, is {value!r}")
    return codes[value]


def octets(name: str, value: Any) -> bytes:
    """The bytes of an object that holds bytes."""
    try:
        return bytes(memoryview(value))
    except (TypeError, ValueError) as fault:
        raise InvalidType(INVALID_CODE, f"{name} must be bytes: {fault}") from None


def objects(name: str, kind: type[_Object], items: Iterable[_Object]) -> list[_Object]:
    """Objects of one type."""
    try:
        found = list(items)
    except TypeError:
        raise InvalidType(INVALID_CODE, f"{name} must be {kind.__name__} objects, is {items!r}") from None
    for place, item in enumerate(found):
        if not isinstance(item, kind):
            raise InvalidType(INVALID_CODE, f"{name}[{place}] must be of the type {kind.__name__}, is {item!r}")
    return found


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
        # NumPy takes an object that is no number, such as None, for NaN.
        if array.dtype.kind in "biuf" or array.dtype.kind == "O" and (array.ndim or isinstance(array[()], SupportsFloat)):
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


def plain(value: Floats) -> Floats:
    """An array that the library can step through: itself, or a copy if a stride is negative or no multiple of 4 bytes."""
    if address(value) & 3 or any(stride & 3 or not 0 <= stride <= 4 * _LARGEST for stride in value.strides):
        copy: Floats = empty(value.shape)
        copy[...] = value
        return copy
    return value


def in_order(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """An array in C order, which begins where the library may read it."""
    return np.require(array, requirements=["C", "A"])


def values(name: str, value: Values, count: int | None, dimensions: int) -> tuple[Floats, int, int, int]:
    """Values to read for `count` tracks, or one for all of them if the count is None.

    Shapes: (tracks, components), (tracks,) with one component, (components,) for all tracks, or one number.

    Returns:
        The array, which must outlive the call; its address; its strides from track to track and component to component.
    """
    if type(value) is not _ndarray or value.dtype is not FLOAT:
        value = floats(name, value)
    shape = value.shape
    value = plain(value)
    if shape == (count, dimensions) and value.strides == (4 * dimensions, 4):
        return value, address(value), dimensions, 1
    rank = len(shape)
    strides = [0 if size == 1 else stride // 4 for size, stride in zip(shape, value.strides)]
    if rank == 2 and shape[0] in (count, 1) and shape[1] in (dimensions, 1):
        return value, address(value), strides[0], strides[1]
    if rank == 1 and dimensions == 1 and shape[0] in (count, 1):
        return value, address(value), strides[0], 0
    if rank == 1 and dimensions > 1 and shape[0] in (dimensions, 1):
        return value, address(value), 0, strides[0]
    if rank == 0:
        return value, address(value), 0, 0
    tracks = "tracks" if count is None else str(count)
    raise InvalidValue(
        INVALID_COUNT, f"{name} must have the shape ({tracks}, {dimensions}), or be one value for all tracks; its shape is "
        f"{shape}")


def output(name: str, value: Any, count: int, dimensions: int) -> tuple[Floats, int, int, int]:
    """Memory to write the values of `count` tracks to.

    Returns:
        The array to write, which is another one, to be copied to `value`, if a stride of `value` is negative or no multiple of
        4 bytes; its address; its strides.
    """
    if type(value) is _ndarray and value.dtype is FLOAT and value.flags.writeable:
        if value.shape == (count, dimensions) and value.strides == (4 * dimensions, 4) and not address(value) & 3:
            return value, address(value), dimensions, 1
    _writable(name, value)
    if value.shape != (count, dimensions) and not (dimensions == 1 and value.shape == (count,)):
        raise InvalidValue(
            INVALID_COUNT, f"{name} must have the shape ({count}, {dimensions}); its shape is {value.shape}")
    if value.size and any(size > 1 and abs(stride) < 4 for size, stride in zip(value.shape, value.strides)):
        raise InvalidValue(INVALID_STRIDE, f"{name} must have strides of 4 bytes or more; they are {value.strides}")
    written = value if plain(value) is value else empty(value.shape)
    strides = [1 if size <= 1 or not value.size else stride // 4 for size, stride in zip(value.shape, written.strides)]
    return written, address(written), strides[0], strides[1] if value.ndim == 2 else 1


def settled(out: _Array, written: Floats) -> _Array:
    """The array to write, with the numbers in it that were written to another one."""
    if written is not out:
        out[...] = written
    return out


def _writable(name: str, value: Any) -> None:
    """Refuses what is no array of float32 to write to."""
    if not isinstance(value, _ndarray) or isinstance(value, np.ma.MaskedArray):
        raise InvalidType(INVALID_CODE, f"{name} must be an array of float32, is {type(value).__name__}")
    if value.dtype != FLOAT:
        raise InvalidType(INVALID_CODE, f"{name} must be float32, is {value.dtype}")
    if not value.flags.writeable:
        raise InvalidValue(INVALID_CODE, f"{name} must not be read-only")


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
    _writable(name, value)
    if value.shape != shape:
        raise InvalidValue(INVALID_COUNT, f"{name} must have the shape {shape}; its shape is {value.shape}")
    if not value.flags.c_contiguous:
        raise InvalidValue(INVALID_STRIDE, f"{name} must be contiguous in C order; its strides are {value.strides}")
    if address(value) & 3:
        raise InvalidValue(INVALID_STRIDE, f"{name} must begin at a multiple of 4 bytes")
    return address(value)


def doubles(name: str, value: Any, count: int | None = None, *, one_for_all: bool = False) -> Doubles:
    """Numbers in double side by side, converted if they are others."""
    array = in_order(_converted(name, value, np.float64)).reshape(-1)
    if count is not None and array.size != count and not (one_for_all and array.size == 1):
        raise InvalidValue(INVALID_COUNT, f"{name} must be {count} numbers, are {array.size}")
    return array
