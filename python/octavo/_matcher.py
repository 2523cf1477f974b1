"""Exact nearest neighbours of descriptors."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from . import _octavo
from ._checks import array_of, items_of, matrix_of, refusing, told, whole
from ._device_features import DeviceFeatures
from ._devices import MemoryEstimate, Progress
from ._features import DESCRIPTOR_LENGTH, Features
from ._kept import Kept
from ._matches import Matches
from ._on_device import OnDevice
from .errors import InvalidArgument

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._option_types import MatchOptions

Described = Features | npt.NDArray[np.uint8] | npt.NDArray[np.float32]
"""What has descriptors: Features, or an array of N x 128 in uint8, or in float32 with whole numbers from 0 to 255."""


def _rows(described: Described) -> npt.NDArray[np.uint8]:
    if isinstance(described, Features):
        return described._described()
    rows = whole_rows(described)
    if rows is not None and rows.dtype.kind not in "uib":
        raise InvalidArgument(
            f"descriptors are {told(described)}, but must be octavo.Features, or N x 128 numbers in uint8 or float32"
        )
    if rows is None:
        raise InvalidArgument(
            f"the descriptors are {np.asarray(described).dtype} with other values than whole numbers from 0 to 255, as"
            " SIFT's are; octavo.DescriptorScale makes such rows of others"
        )
    if rows.ndim != 2 or rows.shape[1] != DESCRIPTOR_LENGTH:
        raise InvalidArgument(
            f"descriptors are of the shape {np.shape(described)}, but must be N x {DESCRIPTOR_LENGTH};"
            " octavo.DescriptorScale makes such rows of others"
        )
    return rows


def whole_rows(descriptors: Any) -> npt.NDArray[np.uint8] | None:
    """Descriptors in bytes; None for floats that are other numbers. Other types are left as they are."""
    array = np.ascontiguousarray(array_of("descriptors", descriptors))
    if array.dtype.kind != "f":
        return array
    with np.errstate(invalid="ignore"):
        whole = array.astype(np.uint8)
    return whole if np.array_equal(whole, array) else None


class Matcher(OnDevice):
    """Finds the exact nearest neighbours of descriptors.

    The result is the same on every device. A Matcher may be used by several threads, which then wait for each other. Calls
    release the GIL. After an error it can be used again.

    """

    _worker: _octavo.Matcher

    def __init__(
        self,
        ratio: float | None = None,
        *,
        device: str = "auto",
        progress: Progress | None = None,
        **options: Unpack[MatchOptions],
    ) -> None:
        """Makes a matcher. The options follow below. Raises InvalidOption, UnknownOption and DeviceUnavailable."""
        given = {"ratio": ratio, "device": device, **options}
        self._given = {**given, "progress": progress}
        self._worker = _octavo.Matcher(given, progress)

    def match(
        self,
        a: Described | DeviceFeatures,
        b: Described | DeviceFeatures,
        *,
        homography: npt.ArrayLike | None = None,
        fundamental: npt.ArrayLike | None = None,
        radius: float | None = None,
    ) -> Matches:
        """The pairs that pass the ratio, distance and mutual tests, by ascending index of `a`.

        `a` and `b` are Features, arrays of N x 128 in uint8 or of whole numbers in float32, or DeviceFeatures, which are matched on their GPU. With
        `homography` (3 x 3, b from a) only pairs are compared of which b lies within `radius` pixels (3 by default) of the
        place where it maps a; with `fundamental` within `radius` pixels of the epipolar line of a. Then `a` and `b` must
        be Features, as with a `distinct_radius`, which has no effect on guided matches. Raises InvalidArgument,
        InvalidOption and OutOfMemory.
        """
        if homography is not None or fundamental is not None:
            return self._guided(a, b, homography, fundamental, radius)
        if radius is not None:
            raise InvalidArgument("radius needs a homography or a fundamental matrix")
        if isinstance(a, DeviceFeatures) or isinstance(b, DeviceFeatures):
            return Matches._of(self._worker.match_on_device(_handle(a), _handle(b)))
        if self.options["distinct_radius"] > 0:
            return Matches._of(self._worker.match_features(*_with_places(a), *_with_places(b)))
        return Matches._of(self._worker.match(_rows(a), _rows(b)))

    def _guided(
        self,
        a: Described | DeviceFeatures,
        b: Described | DeviceFeatures,
        homography: npt.ArrayLike | None,
        fundamental: npt.ArrayLike | None,
        radius: float | None,
    ) -> Matches:
        if homography is not None and fundamental is not None:
            raise InvalidArgument("a match has one guide: a homography or a fundamental matrix, not both")
        model: Literal["homography", "fundamental"] = "homography" if homography is not None else "fundamental"
        matrix = matrix_of(f"the {model}", homography if homography is not None else fundamental)
        guide = {"model": model, "radius": radius}
        points = *_with_places(a), *_with_places(b)
        return Matches._of(self._worker.match_guided(*points, guide, matrix))

    def match_all(self, a: Described, collection: Iterable[Described]) -> list[Matches]:
        """Matches one image with each of a collection, in one submission. Result i is `match(a, collection[i])`."""
        if self.options["distinct_radius"] > 0:
            return [self.match(a, b) for b in items_of("the collection", collection)]
        return [
            Matches._of(one)
            for one in self._worker.match_all(_rows(a), [_rows(b) for b in items_of("the collection", collection)])
        ]

    def nearest_two(self, a: Described, b: Described) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.uint32]]:
        """For each of `a` the two nearest of `b`: indices and squared distances, both N x 2.

        A missing neighbour has the index -1 and the distance 2^32 - 1. Among equal distances the smaller index is first.
        """
        return self._worker.nearest_two(_rows(a), _rows(b))

    def estimate(self, n: int, m: int) -> MemoryEstimate:
        """The memory that matching `n` with `m` descriptors takes."""
        return MemoryEstimate(**self._worker.estimate(whole("n", n), whole("m", m)))


def _with_places(features: Described | DeviceFeatures) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]:
    if isinstance(features, DeviceFeatures):
        features = features.download()
    if not isinstance(features, Features):
        raise InvalidArgument("a guided or distinct match needs Features, whose keypoints tell where they are")
    return features._bytes(), features._described()


def _handle(features: Described | DeviceFeatures) -> _octavo.DeviceFeatures:
    if isinstance(features, DeviceFeatures):
        return features._handle
    if isinstance(features, Features):
        return DeviceFeatures(features)._handle
    raise InvalidArgument("DeviceFeatures can be matched with DeviceFeatures or Features only")


_kept: Kept[Matcher] = Kept()


@refusing
def match(
    a: Described | DeviceFeatures,
    b: Described | DeviceFeatures,
    ratio: float | None = None,
    *,
    homography: npt.ArrayLike | None = None,
    fundamental: npt.ArrayLike | None = None,
    radius: float | None = None,
    device: str = "auto",
    progress: Progress | None = None,
    **options: Unpack[MatchOptions],
) -> Matches:
    """The matches of two sets of features: those of `Matcher(...).match(a, b)`.

    Each thread keeps the matchers of its last calls, so further calls with the same options are fast.
    """
    matcher = _kept.get(Matcher, ratio=ratio, device=device, progress=progress, **options)
    return matcher.match(a, b, homography=homography, fundamental=fundamental, radius=radius)
