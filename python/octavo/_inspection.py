"""What happens to an image on its way to keypoints."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from . import _octavo
from ._checks import apart, check_one_of, check_word, items_of, refusing
from ._compared import Compared
from ._devices import Progress
from ._features import Features
from ._value_range import Range, array_range

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._option_types import DetectorOptions

VERDICTS: tuple[str, ...] = _octavo.verdicts
"""What becomes of a candidate, in the order in which it is decided; `CANDIDATE["verdict"]` is an index into it."""

CANDIDATE = np.dtype(
    {
        "names": [
            "octave",
            "layer",
            "row",
            "column",
            "x",
            "y",
            "scale",
            "value",
            "curvature_ratio",
            "keypoints",
            "verdict",
        ],
        "formats": [np.int32] * 4 + [np.float32] * 5 + [np.int32, np.uint8],
        "itemsize": 44,
    }
)
"""The record of a candidate. `Inspection` describes its fields."""


@dataclass(frozen=True, eq=False)
class StagePlane(Compared):
    """An image that is made on the way to keypoints."""

    stage: str
    """"image", "blur", "difference"; with trilateral smoothing "gradient", "region", "smoothed_gradient", "detail"; of FOAGDD
    "derivative", "measure"."""
    octave: int
    """-1 is the doubled image, 0 the image itself."""
    level: int
    """From 0 in the octave; of a derivative its direction; -1 of a stage that has one plane, the image or the measure."""
    scale: int
    """Of FOAGDD, from 1; 0: none."""
    sigma: float
    """[pixel of the octave] of the blur of this level; of a difference the sharper of its two; of FOAGDD [pixel^2]."""
    black: float
    """The value that images show as black ..."""
    white: float
    """... and as white."""
    pixels: npt.NDArray[np.float32]
    """Height x width in float32."""


@dataclass(frozen=True, eq=False)
class InspectedOctave(Compared):
    """One octave of an inspection. FOAGDD has one, which is the image itself."""

    octave: int
    """-1 is the doubled image, 0 the image itself."""
    width: int
    """[pixel of the octave]"""
    height: int
    """[pixel of the octave]"""
    sigmas: list[float]
    """[pixel of the image] The standard deviation of each of its blurs."""
    faint: list[int]
    """Points that are extreme, but too weak for candidates: of each layer; of FOAGDD one number."""
    verdicts: dict[str, int]
    """The number of candidates with each verdict that is possible."""
    keypoints: int
    """The number of keypoints."""


@dataclass(frozen=True, eq=False)
class InspectedScale(Compared):
    """One scale of FOAGDD, and what it rejects: judged = below_threshold + not_highest + passed."""

    scale: int
    """From 1."""
    sigma: float
    """[pixel^2] a variance."""
    judged: int
    """Scale 1: all pixels that can be corners; later those that passed the scale before."""
    below_threshold: int
    """Pixels whose measure does not exceed the threshold."""
    not_highest: int
    """Pixels above it that are not the highest of their neighbourhood; of scale 1 alone."""
    passed: int


@dataclass(frozen=True, eq=False)
class BlurKernel(Compared):
    """The blur that makes an image of an octave."""

    level: int
    """Of the blur that it makes; 0: the first of the first octave, from the image."""
    sigma: float
    """[pixel of the octave] of this kernel alone."""
    weights: npt.NDArray[np.float32]
    """From the centre outwards, for both sides."""


@dataclass(frozen=True, eq=False)
class DirectionalFilter(Compared):
    """A filter of FOAGDD: the derivative of a scale in a direction."""

    scale: int
    """From 1."""
    direction: int
    """From 0, which is the derivative downwards."""
    weights: npt.NDArray[np.float32]
    """31 x 31; the pixel that is filtered is the centre."""


@dataclass(frozen=True, eq=False)
class Inspection(Compared):
    """What `inspect` finds.

    `candidates` are N records (`CANDIDATE`), ascending by octave, layer, row and column, with these fields:

    - `octave`, `layer`, `row`, `column`: the grid point at which it was found [pixel of the octave];
    - `x`, `y`, `scale` [pixel of the image]: where refinement settled;
    - `value`: SIFT: the difference of Gaussians there, images being 0 to 1; FOAGDD: log10 of the measure at scale 1;
    - `curvature_ratio`: SIFT: what `edge_threshold` bounds; infinite where the curvatures have different signs;
    - `keypoints`: how many it gave, one for each orientation;
    - `verdict`: what became of it, an index into `VERDICTS`.
    """

    features: Features
    """Those of an Extractor with the same options."""
    candidates: npt.NDArray[np.void]
    """N records."""
    responses: npt.NDArray[np.float32]
    """Of FOAGDD: N x scales, the responses of the candidates at all scales, -inf for a measure of 0; otherwise 0 x 0."""
    planes: list[StagePlane]
    """The images of the stages that were asked for, in the order in which they are made."""
    octaves: list[InspectedOctave]
    """From the finest; empty for an image that is too small."""
    scales: list[InspectedScale]
    """Of FOAGDD, from the finest; otherwise empty."""
    kernels: list[BlurKernel]
    """Of SIFT, by level; the same in every octave."""
    filters: list[DirectionalFilter]
    """Of FOAGDD, by scale and direction; otherwise empty."""
    contrast: float
    """What contrast thresholds are multiplied by; 1 but where trilateral smoothing goes by the image's contrast."""

    def with_verdict(self, verdict: str) -> npt.NDArray[np.void]:
        """The candidates with this verdict, one of `VERDICTS`. Raises InvalidOption for another word."""
        check_one_of("verdict", verdict, VERDICTS)
        chosen: npt.NDArray[np.void] = self.candidates[self.candidates["verdict"] == VERDICTS.index(verdict)]
        return chosen

    def __repr__(self) -> str:
        return (
            f"<octavo.Inspection: {len(self.candidates)} candidates, {len(self.features)} keypoints,"
            f" {len(self.planes)} planes>"
        )


@refusing
def inspect(
    image: Any,
    mask: Any = None,
    *,
    detector: str = "sift",
    preset: str | None = None,
    stages: Iterable[str] | None = None,
    device: str = "auto",
    order: Literal["rgb", "bgr"] = "rgb",
    range: Range = "image",
    black: float = 0,
    white: float = 0,
    progress: Progress | None = None,
    **options: Unpack[DetectorOptions],
) -> Inspection:
    """Extracts the features of an image, and tells what becomes of every candidate and the images on the way.

    `image`, `mask`, `detector`, `preset`, `order`, `range`, `black` and `white` are as for `Extractor`. `stages` are the names of the stages whose
    planes are kept, such as ("difference",); None: all, () none. All planes of a large image take much memory: of SIFT
    some 70 bytes for each pixel of the finest octave. Planes have the same bytes on every device. The candidates that are
    kept are the points of the features. Raises InvalidArgument, InvalidOption, UnknownOption and OutOfMemory.
    """
    wanted = None if stages is None else _names(stages)
    image, mask = apart(image, mask)
    for option, value in (("detector", detector), ("preset", "" if preset is None else preset), ("order", order)):
        check_word(option, value)
    values = array_range(range, black, white)
    given = {"device": device, **options}
    facts = _octavo.inspect(image, mask, detector, preset, given, wanted, progress, order, values)
    return Inspection(
        features=Features._of(facts["features"]),
        candidates=facts["candidates"].view(CANDIDATE)[:, 0],
        responses=facts["responses"],
        planes=[StagePlane(**one) for one in facts["planes"]],
        octaves=[InspectedOctave(**one) for one in facts["octaves"]],
        scales=[InspectedScale(**one) for one in facts["scales"]],
        kernels=[BlurKernel(**one) for one in facts["kernels"]],
        filters=[DirectionalFilter(**one) for one in facts["filters"]],
        contrast=facts["contrast"],
    )


_STAGES = ("image", "blur", "difference", "gradient", "region", "smoothed_gradient", "detail", "derivative", "measure")


def _names(stages: Iterable[str]) -> list[str]:
    names = [stages] if isinstance(stages, str) else list(items_of("stages", stages))
    for name in names:
        check_one_of("a stage", name, _STAGES)
    return names
