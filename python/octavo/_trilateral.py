"""The trilateral filter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from . import _octavo
from ._checks import check_word, refusing
from ._devices import MemoryEstimate, Progress
from ._kept import Kept
from ._on_device import OnDevice
from ._value_range import Range, array_range

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._option_types import TrilateralOptions


class Trilateral(OnDevice):
    """The trilateral filter smooths an image along its gradients and keeps edges as steep as they are.

    A filter keeps its buffers, so the second image of a size needs no allocation but the result. Several threads that use
    one wait for each other. Calls release the GIL.

    """

    _worker: _octavo.Trilateral

    def __init__(
        self,
        *,
        device: str = "auto",
        order: Literal["rgb", "bgr"] = "rgb",
        range: Range = "image",
        black: float = 0,
        white: float = 0,
        progress: Progress | None = None,
        **options: Unpack[TrilateralOptions],
    ) -> None:
        """Makes a filter. `range`, `black` and `white` are as for `Extractor`; the result has the values of the image again.
        The options follow below. Raises InvalidOption, UnknownOption and DeviceUnavailable."""
        check_word("order", order)
        values = array_range(range, black, white)
        given = {"device": device, **options}
        self._given = {"order": order, "range": range, "black": black, "white": white, "progress": progress, **given}
        self._worker = _octavo.Trilateral(given, progress, order, values)

    def filter(self, image: Any) -> npt.NDArray[np.generic]:
        """The filtered image: a new array of the same shape and type.

        `image` is as for `Extractor`. Of colours the luma is filtered, which keeps the differences between the channels;
        alpha is copied. Raises InvalidArgument and OutOfMemory.
        """
        filtered: npt.NDArray[np.generic] = self._worker.filter(image)
        return filtered.reshape(np.shape(image))

    def estimate(self, image: Any) -> MemoryEstimate:
        """The memory that images of this shape and type take. Pixels are not read."""
        return MemoryEstimate(**self._worker.estimate(image))


_kept: Kept[Trilateral] = Kept()


@refusing
def trilateral(
    image: Any,
    *,
    device: str = "auto",
    order: Literal["rgb", "bgr"] = "rgb",
    range: Range = "image",
    black: float = 0,
    white: float = 0,
    progress: Progress | None = None,
    **options: Unpack[TrilateralOptions],
) -> npt.NDArray[np.generic]:
    """The filtered image: that of `Trilateral(...).filter(image)`.

    Each thread keeps the filters of its last calls, so further calls with the same options are fast.
    """
    kept = _kept.get(
        Trilateral, device=device, order=order, range=range, black=black, white=white, progress=progress, **options
    )
    return kept.filter(image)
