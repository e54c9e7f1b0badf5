# SPDX-License-Identifier: MIT
"""Colours in the encodings of files, of light and of perception."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from ._arrays import FORMATS, Floats, Values, address, block, choice, empty, floats, in_order, int32
from ._library import INVALID_CODE, INVALID_COUNT, InvalidType, InvalidValue, call, library

#: What the first three numbers of a colour mean; the fourth is alpha. "srgb" is gamma-encoded, as in web colours and image
#: files (IEC 61966-2-1), "linear" has amounts of light, and "oklab" the lightness, a and b of Björn Ottosson's OKLab, in which
#: equal steps look equal. Premultiplied numbers are those of the space times alpha.
Encoding = Literal["srgb", "linear", "oklab", "srgb_premultiplied", "linear_premultiplied", "oklab_premultiplied"]
_ENCODINGS = {
    space + suffix: code + flag for suffix, flag in (("", 0), ("_premultiplied", 4))
    for code, space in enumerate(("srgb", "linear", "oklab"), 1)}


def encodings(color: tuple[Encoding, Encoding]) -> tuple[int, int]:
    """The codes of two encodings."""
    try:
        source, destination = color
    except (TypeError, ValueError):
        raise InvalidType(INVALID_CODE, f"color must be two encodings, is {color!r}") from None
    return choice("color", _ENCODINGS, source), choice("color", _ENCODINGS, destination)


def convert_colors(
    colors: Values, source: Encoding, destination: Encoding, *, out: Floats | None = None
) -> Floats:
    """Converts colours from one encoding to another, in float32.

    Batches move the numbers that they are given, so convert colours when they come in, and when they are read: see the
    argument `color` of :meth:`Batch.read`. Colours out of gamut are kept. Premultiplied numbers become 0 in another encoding
    where alpha is 0. Every processor gives the same bits.

    Args:
        colors: An array of (..., 4) of uint8 that has 0...1 as 0...255, or of real numbers.
        source: The encoding of the colours.
        destination: The encoding of the result.
        out: An array of float32 in C order to write to; it may be `colors`.

    >>> import numpy as np
    >>> from murmuration import convert_colors
    >>> convert_colors(np.array([255, 0, 0, 255], np.uint8), "srgb", "oklab").round(3)
    array([0.628, 0.225, 0.126, 1.   ], dtype=float32)
    """
    codes = encodings((source, destination))
    is_bytes = isinstance(colors, np.ndarray) and colors.dtype == np.uint8
    numbers: Any = colors if is_bytes else floats("colors", colors)
    if not numbers.ndim or numbers.shape[-1] != 4:
        raise InvalidValue(INVALID_COUNT, f"colors must have the shape (..., 4); theirs is {numbers.shape}")
    result = empty(numbers.shape) if out is None else out
    start = block("out", result, numbers.shape)
    numbers = in_order(numbers)
    call(
        library.convert_colors, *codes, address(numbers), FORMATS[numbers.dtype], int32("colors", numbers.size // 4), start, 4,
        1)
    return result
