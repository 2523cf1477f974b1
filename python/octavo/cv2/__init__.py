"""A twin of OpenCV's SIFT and of what is used beside it: a program works by changing one line.

    from octavo import cv2 as twin

    sift = twin.SIFT_create()                # in the place of cv2.SIFT_create()
    keypoints, descriptors = sift.detectAndCompute(image, None)
    pairs = twin.BFMatcher().knnMatch(descriptors, others, k=2)

Keypoints are `cv2.KeyPoint`, matches `cv2.DMatch`, so the package opencv-python (or -headless) is needed, of any version
from 4.4 on. It is imported when the first ones are made. docs/python.md lists what differs from OpenCV.
"""

from __future__ import annotations

from ._affine import AffineFeature, AffineFeature_create
from ._feature2d import NORM_L2, Feature2D
from ._keypoints import from_keypoints, packed_octave, to_keypoints
from ._matchers import BFMatcher, BFMatcher_create, DescriptorMatcher, FlannBasedMatcher, FlannBasedMatcher_create
from ._sift import SIFT, SIFT_create

__all__ = [
    "NORM_L2",
    "SIFT",
    "AffineFeature",
    "AffineFeature_create",
    "BFMatcher",
    "BFMatcher_create",
    "DescriptorMatcher",
    "Feature2D",
    "FlannBasedMatcher",
    "FlannBasedMatcher_create",
    "SIFT_create",
    "from_keypoints",
    "packed_octave",
    "to_keypoints",
]

# For people, tracebacks and pickles these are parts of octavo.cv2 itself.
for _name in __all__:
    if hasattr(globals()[_name], "__module__"):
        globals()[_name].__module__ = "octavo.cv2"
