"""How good features and matches are, where it is known which point of one image belongs to which of the other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from . import _octavo
from ._checks import matrix_of, number, numbers_of, refusing, size_of, told
from ._compared import Compared
from ._features import Features
from ._jobs_module import checked
from ._matcher import match
from ._matches import Matches
from .errors import InvalidArgument

OVERLAP_ERRORS: npt.NDArray[np.float64] = np.array(_octavo.overlap_errors)
"""The thresholds of the overlap error of regions: 0.1 to 0.6."""

Size = tuple[int, int]
"""Width and height [pixel]."""


@dataclass(frozen=True, eq=False)
class PairScores(Compared):
    """What was counted in a pair of images; `docs/evaluation.md` defines every number.

    Curves have 10 entries: entry i belongs to the threshold of i + 1 pixels of image B. Those of regions belong to
    `OVERLAP_ERRORS`. Pairs of numbers are of A and B. "In common" are the keypoints that the truth sends into the other
    image. Several keypoints at one place are one point.
    """

    keypoints: tuple[int, int]
    """All keypoints."""
    common: tuple[int, int]
    """Keypoints in common."""
    points: tuple[int, int]
    """Points in common."""
    repeated_a: npt.NDArray[np.int32]
    """Points of A with a point of B within the threshold."""
    repeated_b: npt.NDArray[np.int32]
    """Points of B with a point of A within the threshold."""
    corresponding: int
    """Pairs of points, each the other's nearest, within 3 pixels."""
    mutual_matches: int
    """Mutual nearest neighbours."""
    mutual_judged: int
    """Those of which the truth tells whether they are right."""
    mutual_correct: npt.NDArray[np.int32]
    """Those that are right, at each threshold."""
    matches: int
    """Matches."""
    judged: int
    """Those of which the truth tells whether they are right."""
    correct: npt.NDArray[np.int32]
    """Those that are right, at each threshold."""
    regions: tuple[int, int]
    """Regions in common: the circles or ellipses of keypoints. Only with a homography."""
    corresponding_regions: npt.NDArray[np.int32]
    """Pairs of them, one to one, whose overlap error is at most the threshold."""
    repeatability: npt.NDArray[np.float64]
    """The share of points in common that are repeated."""
    correspondence_share: float
    """`corresponding` over the fewer points in common."""
    matching_accuracy: npt.NDArray[np.float64]
    """The share of mutual nearest neighbours that are right, whose mean over pairs is the MMA."""
    precision: npt.NDArray[np.float64]
    """The share of matches that are right."""
    matching_score: float
    """Right matches within 3 pixels over the fewer keypoints in common."""
    region_repeatability: npt.NDArray[np.float64]
    """`corresponding_regions` over the fewer regions in common."""

    def __repr__(self) -> str:
        return (
            f"<octavo.PairScores: at 3 pixels repeatability {self.repeatability[2]:.3f},"
            f" matching accuracy {self.matching_accuracy[2]:.3f}, {self.correct[2]} right matches>"
        )


@checked
def score_pair(
    a: Features,
    b: Features,
    size_a: Size,
    size_b: Size,
    *,
    homography: npt.ArrayLike | None = None,
    points: tuple[npt.ArrayLike, npt.ArrayLike] | None = None,
    radius: float = 2,
    matches: Matches | None = None,
    mutual: Matches | None = None,
) -> PairScores:
    """Scores the features of two images, and their matches.

    The truth is `homography` (3 x 3, b from a), or `points`: two arrays of N x 2, points of A and their places in B
    [pixel]; then a keypoint is judged if a known point lies within `radius` pixels of it. `size_a` and `size_b` are
    (width, height). `matches` are what is judged, by default those of `match(a, b)`; `mutual` are nearest neighbours
    without a ratio test, by default those of `match(a, b, 1.0)`. Without descriptors give both, for example
    `Matches.of([])`. Raises InvalidArgument for a truth that cannot be that of images of these sizes, and for a match
    of a keypoint that is not there.
    """
    judged = match(a, b) if matches is None else matches
    neighbours = match(a, b, 1.0) if mutual is None else mutual
    given = a._bytes(), b._bytes(), neighbours._bytes(), judged._bytes()
    sizes = size_of("size_a", size_a), size_of("size_b", size_b)
    if (homography is None) == (points is None):
        raise InvalidArgument("a pair has one truth: a homography or points")
    if homography is not None:
        matrix = matrix_of("the homography", homography)
        return PairScores(**_octavo.count_pair_by_homography(*given, matrix, *sizes))
    try:
        of_a, of_b = points  # type: ignore[misc]
    except (TypeError, ValueError):
        raise InvalidArgument(f"points are {told(points)}, but must be two arrays, of A and of B") from None
    places = _places(of_a, "A"), _places(of_b, "B")
    return PairScores(**_octavo.count_pair_by_points(*given, places[0], places[1], number("radius", radius), *sizes))


@refusing
def covisible(
    homography: npt.ArrayLike, size_a: Size, size_b: Size
) -> tuple[npt.NDArray[np.uint8] | None, npt.NDArray[np.uint8] | None]:
    """What both images show, as masks for `extract`: 255 at pixels whose centres the other image shows, 0 elsewhere.

    `homography` is 3 x 3, b from a. An image that is shown as a whole has None. Raises InvalidArgument as `score_pair`.
    """
    return _octavo.covisible(
        matrix_of("the homography", homography), size_of("size_a", size_a), size_of("size_b", size_b)
    )


@refusing
def corner_error(estimated: npt.ArrayLike, homography: npt.ArrayLike, size_a: Size) -> float:
    """The mean distance between the corners of A as the estimated and the true homography map them [pixel of B].

    Both are 3 x 3, b from a. Infinite if one maps a corner to infinity.
    """
    return _octavo.corner_error(
        matrix_of("the estimated homography", estimated),
        matrix_of("the homography", homography),
        size_of("size_a", size_a),
    )


def _places(points: npt.ArrayLike, name: str) -> npt.NDArray[np.float64]:
    places = np.ascontiguousarray(numbers_of(f"the points of {name}", points))
    if places.ndim != 2 or places.shape[1] != 2:
        raise InvalidArgument(f"the points of {name} have the shape {places.shape}, but must be N x 2")
    return places
