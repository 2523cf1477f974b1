"""A twin of OpenCV's SIFT and of what is used beside it: a program works by changing one line.

    from octavo import cv2                   # in the place of: import cv2

    sift = cv2.SIFT_create()
    keypoints, descriptors = sift.detectAndCompute(cv2.imread("photograph.jpg"), None)
    pairs = cv2.BFMatcher().knnMatch(descriptors, others, k=2)

All names that are not in `__all__` are OpenCV's own. Keypoints are `cv2.KeyPoint`, matches `cv2.DMatch`, so the package
opencv-python (or -headless) is needed, of any version from 4.4 on. It is imported when the first ones are made.
docs/python.md lists what differs from OpenCV.
"""

from __future__ import annotations

from typing import Any

from . import detail
from ._affine import AffineFeature, AffineFeature_create
from ._bag_of_words import BOWImgDescriptorExtractor
from ._feature2d import NORM_L2, Feature2D
from ._keypoints import from_keypoints, name_of_opencv, packed_octave, to_keypoints
from ._matchers import (
    BFMatcher,
    BFMatcher_create,
    DescriptorMatcher,
    DescriptorMatcher_create,
    FlannBasedMatcher,
    FlannBasedMatcher_create,
)
from ._sift import SIFT, SIFT_create

__all__ = [
    "NORM_L2",
    "SIFT",
    "AffineFeature",
    "AffineFeature_create",
    "BFMatcher",
    "BFMatcher_create",
    "BOWImgDescriptorExtractor",
    "DescriptorMatcher",
    "DescriptorMatcher_create",
    "Feature2D",
    "FlannBasedMatcher",
    "FlannBasedMatcher_create",
    "SIFT_create",
    "detail",
    "from_keypoints",
    "packed_octave",
    "to_keypoints",
]


def __dir__() -> list[str]:
    return sorted(__all__)


# For people, tracebacks and pickles these are parts of octavo.cv2 itself.
for _name in __all__:
    if hasattr(globals()[_name], "__module__"):
        globals()[_name].__module__ = "octavo.cv2"


def __getattr__(name: str) -> Any:
    return name_of_opencv(__name__, name)
