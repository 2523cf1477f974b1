"""The range of values of an image."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from . import _octavo
from ._checks import apart, array_of, check_word, number, numbers_of, refusing

Range = Literal["image", "full"]
"""The word for the range of values: those that the image uses, or all of its type."""


def array_range(range: Range, black: float, white: float) -> _octavo.ArrayRange:
    """The range of values that images are taken with. Raises InvalidOption."""
    check_word("range", range)
    return _octavo.ArrayRange(range, number("black", black), number("white", white))


@refusing
def fit_range(
    image: Any,
    black: float | None = None,
    white: float | None = None,
    *,
    no_data: float | None = None,
    mask: Any = None,
) -> npt.NDArray[np.generic]:
    """The image with the values that it uses mapped to the full range of its type, as `octavo extract` reads files.

    Extractors do so with arrays of uint16 and float32 (`range="image"`). This function takes arrays of any real type:
    uint8 and uint16 stay, others become float32. `black` and `white` are the values that become 0 and full scale, the same
    for images of a set, of which extractors take the results with `range="full"`. By default they are those that the image
    uses: the greatest value of as few bits as hold it, or the range of its values where that is narrow, without hot pixels,
    NaN, infinities, `no_data`, what `mask` (0) leaves out, and values that stand for missing data. Raises InvalidArgument.

    The luma of a YUV frame is grey. Of NV12 and I420 it is the first `height` rows, `frame[:height]`, a view without a copy.
    Where its range is limited, as that of most video, `fit_range(frame[:height], 16, 235)` stretches it.
    """
    image, mask = apart(image, mask)
    array = array_of("the image", image)
    if array.dtype not in (np.uint8, np.uint16):
        array = numbers_of("the samples of the image", array).astype(np.float32)
    black, white, no_data = (
        None if value is None else number(name, value)
        for name, value in (("black", black), ("white", white), ("no_data", no_data))
    )
    mapped: npt.NDArray[np.generic] = _octavo.fit_range(array, black, white, no_data, mask)
    return mapped.reshape(array.shape)
