"""OpenCV's AffineFeature: keypoints in views of an image as a camera sees a plane from aside (Yu and Morel, ASIFT, 2011)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from .._checks import with_article
from ..errors import InvalidArgument
from ._feature2d import Descriptors, Feature2D, Keypoints
from ._keypoints import KeyPoint, opencv_module

Pose = npt.NDArray[np.floating[Any]]
"""The 2 x 3 matrix that maps places in the image to those in a view."""


class AffineFeature(Feature2D):
    """cv2.AffineFeature with a detector of this module, which OpenCV's own cannot take.

    Each view is the image turned by a roll and pressed together along x by a tilt. `KeyPoint.class_id` is the number of the
    view; a keypoint's place is that in the image, its size and angle are those in the view, as in OpenCV.
    """

    def __init__(
        self,
        backend: Feature2D,
        maxTilt: int = 5,
        minTilt: int = 0,
        tiltStep: float = 1.4142135623730951,
        rotateStepBase: float = 72,
    ) -> None:
        """`maxTilt` and `minTilt` are powers of `tiltStep`; a view of tilt t is turned in steps of rotateStepBase / t degrees."""
        if not isinstance(backend, Feature2D):
            raise InvalidArgument(
                f"backend is {with_article(type(backend).__name__)}, but must be a detector of octavo.cv2, such as SIFT_create()"
            )
        if not (minTilt < maxTilt and tiltStep > 0 and rotateStepBase > 0):
            raise InvalidArgument("minTilt must be below maxTilt, tiltStep and rotateStepBase above 0")
        self._backend = backend
        self._views = _views(maxTilt, minTilt, tiltStep, rotateStepBase)

    @staticmethod
    def create(backend: Feature2D, *arguments: Any, **named: Any) -> AffineFeature:
        """The same as the class."""
        return AffineFeature(backend, *arguments, **named)

    def getViewParams(self) -> tuple[list[float], list[float]]:
        """The tilts and the rolls [degree] of all views."""
        return [tilt for tilt, _ in self._views], [roll for _, roll in self._views]

    def setViewParams(self, tilts: Sequence[float], rolls: Sequence[float]) -> None:
        """Other views: a tilt of at least 1 and a roll [degree] for each."""
        if len(tilts) != len(rolls) or not all(tilt >= 1 for tilt in tilts):
            raise InvalidArgument("there must be as many tilts as rolls, and no tilt below 1")
        self._views = [(float(tilt), float(roll)) for tilt, roll in zip(tilts, rolls)]

    def descriptorType(self) -> int:
        """That of the backend."""
        return self._backend.descriptorType()

    def getDefaultName(self) -> str:
        """ "Feature2D.AffineFeature", as in OpenCV."""
        return "Feature2D.AffineFeature"

    def write(self, *arguments: Any) -> None:
        """Writes a file, or an entry of a cv2.FileStorage, without settings, as OpenCV's does."""
        opencv_module().AffineFeature_create(opencv_module().SIFT_create()).write(*arguments)

    def save(self, filename: str) -> None:
        """The same as `write`, where OpenCV's raises."""
        self.write(filename)

    def read(self, fileName: Any) -> None:
        """Does nothing, as in OpenCV."""

    def _detect(self, image: npt.NDArray[Any], mask: Any) -> tuple[Keypoints, Descriptors]:
        found: list[KeyPoint] = []
        rows: list[npt.NDArray[Any]] = []
        for number, (tilt, roll) in enumerate(self._views):
            view, seen, image_from_view = _view_of(image, mask, tilt, roll)
            keypoints, descriptors = self._backend.detectAndCompute(view, seen)
            if descriptors is None:
                continue
            _move(keypoints, image_from_view)
            for one in keypoints:
                one.class_id = number
            found += keypoints
            rows.append(descriptors)
        return tuple(found), np.concatenate(rows) if rows else None

    def _compute(self, image: npt.NDArray[Any], keypoints: Sequence[KeyPoint]) -> tuple[Keypoints, Descriptors]:
        wrong = next((one.class_id for one in keypoints if not 0 <= one.class_id < len(self._views)), None)
        if wrong is not None:
            raise InvalidArgument(
                f"class_id of a keypoint is {wrong}, but must be the number of a view, 0 to {len(self._views) - 1}"
            )
        kept: list[KeyPoint] = []
        rows: list[npt.NDArray[Any]] = []
        for number, (tilt, roll) in enumerate(self._views):
            of_view = [_copy(one) for one in keypoints if one.class_id == number]
            if not of_view:
                continue
            view, _, image_from_view = _view_of(image, None, tilt, roll)
            _move(of_view, _inverse(image_from_view))
            described, descriptors = self._backend.compute(view, of_view)
            if descriptors is None:
                continue
            _move(described, image_from_view)
            kept += described
            rows.append(descriptors)
        return tuple(kept), np.concatenate(rows) if rows else None


def AffineFeature_create(backend: Feature2D, *arguments: Any, **named: Any) -> AffineFeature:
    """The same as AffineFeature."""
    return AffineFeature(backend, *arguments, **named)


def _views(max_tilt: int, min_tilt: int, step: float, roll_base: float) -> list[tuple[float, float]]:
    """Tilts and rolls. The first tilt that is not 1 is one step, whatever the least power, as in OpenCV."""
    views = [(1.0, 0.0)] if min_tilt == 0 else []
    tilt = np.float32(1)
    for _ in range(max_tilt - max(min_tilt, 1) + 1):
        # Rounded as OpenCV's: a tilt of 2 is a little less, which decides what pixels a view has.
        tilt *= np.float32(step)
        apart = np.float32(roll_base) / tilt
        rolls = math.ceil(180 / apart)  # half a turn shows the same
        views += [(float(tilt), float(apart) * i) for i in range(rolls)]
    return views


def _view_of(image: npt.NDArray[Any], mask: Any, tilt: float, roll: float) -> tuple[npt.NDArray[Any], Any, Pose]:
    """The view, what of it the image and the mask show, and the matrix that maps its places to those in the image."""
    cv = opencv_module()
    height, width = image.shape[:2]
    pose: Pose = np.eye(2, 3)
    if roll != 0:
        cosine, sine = np.cos(np.radians(roll)), np.sin(np.radians(roll))
        pose[:, :2] = [[cosine, -sine], [sine, cosine]]
        corners = np.rint(np.array([[0, 0], [width, 0], [width, height], [0, height]]) @ pose[:, :2].T)
        pose[:, 2] = -corners.min(axis=0)
        size = tuple(int(side) + 1 for side in np.ptp(corners, axis=0))
        image = cv.warpAffine(image, pose, size, flags=cv.INTER_LINEAR, borderMode=cv.BORDER_REPLICATE)
    if tilt != 1:
        image = cv.GaussianBlur(image, (0, 0), 0.8 * np.sqrt(tilt * tilt - 1), sigmaY=0.01)
        image = cv.resize(image, None, fx=1 / tilt, fy=1, interpolation=cv.INTER_NEAREST)
        pose[0] /= tilt
    if roll == 0 and tilt == 1:
        return image, mask, pose
    whole = np.full((height, width), 255, np.uint8) if mask is None else mask
    seen = cv.warpAffine(whole, pose, image.shape[1::-1], flags=cv.INTER_NEAREST)
    return image, seen, _inverse(pose)


def _inverse(pose: Pose) -> Pose:
    turned = np.linalg.inv(pose[:, :2])
    return np.column_stack([turned, -turned @ pose[:, 2]])


def _move(keypoints: Sequence[KeyPoint], matrix: Pose) -> None:
    for one in keypoints:
        x, y = one.pt
        one.pt = tuple((matrix @ (x, y, 1)).tolist())


def _copy(one: KeyPoint) -> KeyPoint:
    copy: KeyPoint = opencv_module().KeyPoint(*one.pt, one.size, one.angle, one.response, one.octave, one.class_id)
    return copy
