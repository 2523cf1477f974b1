"""The range of values of an image."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from . import _octavo


def fit_range(
    image: Any,
    black: float | None = None,
    white: float | None = None,
    *,
    no_data: float | None = None,
    mask: Any = None,
) -> npt.NDArray[np.generic]:
    """The image with the values that it uses mapped to the full range of its type, as `octavo extract` reads files.

    Extractors take values as they are: 0 to 255, 65535 or 1. So the contrast of 10 bits in uint16, of heights or of kelvin
    is below or beyond every threshold until the image is mapped. `image` is an array of any real type: uint8 and uint16
    stay, others become float32. `black` and `white` are the values that become 0 and full scale, the same for images of a
    set; by default those that the image uses: the greatest value of as few bits as hold it, or the range of its values
    where that is narrow, without hot pixels, NaN, infinities, `no_data`, what `mask` (0) leaves out, and values that stand
    for missing data. Raises InvalidArgument.
    """
    array = np.asarray(image)
    if array.dtype not in (np.uint8, np.uint16):
        array = array.astype(np.float32)
    mapped: npt.NDArray[np.generic] = _octavo.fit_range(array, black, white, no_data, mask)
    return mapped.reshape(array.shape)
