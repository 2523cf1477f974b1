"""The names of cv2.detail, those of features computed by Octavo; all others are OpenCV's own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ._feature2d import Feature2D, pixels_of
from ._keypoints import name_of_opencv, opencv_module

__all__ = ["computeImageFeatures", "computeImageFeatures2"]


def __dir__() -> list[str]:
    return sorted(__all__)


_NO_ROWS = np.zeros((0, 128), np.float32)


def computeImageFeatures2(featuresFinder: Any, image: Any, mask: Any = None) -> Any:
    """The features of an image as cv2.detail.ImageFeatures, for OpenCV's steps of stitching. A finder of OpenCV's is
    left to OpenCV."""
    cv = opencv_module()
    if not isinstance(featuresFinder, Feature2D):
        return cv.detail.computeImageFeatures2(featuresFinder, image, mask)
    keypoints, rows = featuresFinder.detectAndCompute(image, mask)
    # OpenCV 4 leaves the members of a new ImageFeatures undefined, so that they cannot be written to.
    features = cv.detail.computeImageFeatures2(cv.SIFT_create(), np.zeros((8, 8), np.uint8))
    features.img_idx = 0
    features.img_size = pixels_of(image).shape[1::-1]
    features.keypoints = keypoints
    features.descriptors = rows if isinstance(rows, cv.UMat) else cv.UMat(_NO_ROWS if rows is None else rows)
    return features


def computeImageFeatures(featuresFinder: Any, images: Sequence[Any], masks: Sequence[Any] | None = None) -> Any:
    """The features of several images, whose `img_idx` are their places in the list."""
    if not isinstance(featuresFinder, Feature2D):
        return opencv_module().detail.computeImageFeatures(featuresFinder, images, masks)
    each = []
    for index, image in enumerate(images):
        features = computeImageFeatures2(featuresFinder, image, masks[index] if masks else None)
        features.img_idx = index
        each.append(features)
    return tuple(each)


def __getattr__(name: str) -> Any:
    return name_of_opencv(__name__, name)
