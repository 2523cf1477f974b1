"""The images of SIFT's scale space."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from . import _octavo
from ._checks import check_word, flag, whole
from ._compared import Compared
from ._devices import MemoryEstimate, Progress
from ._on_device import OnDevice
from ._value_range import Range, array_range

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._option_types import SiftOptions


@dataclass(frozen=True, eq=False)
class PyramidOctave(Compared):
    """The images of one octave, all of one size in float32."""

    octave: int
    """-1 is the doubled image, 0 the image itself."""
    gaussians: list[npt.NDArray[np.float32]]
    """S + 3 Gaussian images, from the least blur; empty if they are not wanted."""
    differences: list[npt.NDArray[np.float32]]
    """S + 2; difference i is Gaussian image i + 1 less image i; empty if they are not wanted."""


class Pyramid(OnDevice):
    """Makes the Gaussian images of SIFT's scale space and their differences, without a search for keypoints.

    The bytes are those in which an Extractor with these options finds its keypoints. The arrays take the memory of the
    images, without a copy.

    """

    _worker: _octavo.Pyramid

    def __init__(
        self,
        *,
        preset: str = "octavo",
        gaussians: bool = True,
        differences: bool = True,
        device: str = "auto",
        order: Literal["rgb", "bgr"] = "rgb",
        range: Range = "image",
        black: float = 0,
        white: float = 0,
        progress: Progress | None = None,
        **options: Unpack[SiftOptions],
    ) -> None:
        """Makes a pyramid. `options` are those of SIFT that concern its scale space: `first_octave` to `assumed_blur`,
        `smoothing` with its own, and `luma`. `range`, `black` and `white` are as for `Extractor`."""
        check_word("preset", preset)
        check_word("order", order)
        gaussians, differences = flag("gaussians", gaussians), flag("differences", differences)
        values = array_range(range, black, white)
        given = {"device": device, **options}
        self._given = {
            "preset": preset,
            "gaussians": gaussians,
            "differences": differences,
            "order": order,
            "range": range,
            "black": black,
            "white": white,
            "progress": progress,
            **given,
        }
        self._worker = _octavo.Pyramid(preset, given, gaussians, differences, progress, order, values)

    def make(self, image: Any) -> list[PyramidOctave]:
        """The octaves of an image, from the finest. `image` is as for `Extractor`.

        An image too small for a single octave has none. Raises InvalidArgument and OutOfMemory.
        """
        return [PyramidOctave(*one) for one in self._worker.make(image)]

    def sigma(self, level: int) -> float:
        """The blur of Gaussian image `level` of an octave, 0 to S + 2 [pixel of the octave]."""
        return self._worker.sigma(whole("level", level))

    def estimate(self, image: Any) -> MemoryEstimate:
        """The memory that images of this shape and type take, without the results. Pixels are not read."""
        return MemoryEstimate(**self._worker.estimate(image))
