"""Keypoints of Octavo and OpenCV."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from .._api import KEYPOINT, Features

if TYPE_CHECKING:
    import cv2 as opencv

    DMatch = opencv.DMatch
    KeyPoint = opencv.KeyPoint
    UMat = opencv.UMat
else:
    DMatch = KeyPoint = UMat = Any


def opencv_module() -> Any:
    """OpenCV, which is imported when it is first needed."""
    return importlib.import_module("cv2")


def name_of_opencv(module: str, name: str) -> Any:
    """A name that a module here lacks. What Python itself asks of modules, such as __path__, does not import OpenCV."""
    if name.startswith("__") and name != "__version__":
        raise AttributeError(f"module {module!r} has no attribute {name!r}")
    own = opencv_module()
    return getattr(own.detail if module.endswith(".detail") else own, name)


def packed_octave(octave: npt.NDArray[np.int32], layer: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    """OpenCV's `KeyPoint.octave` without its third byte: octave in the first byte (-1 is 255), layer in the second."""
    return (octave & 255) | (layer << 8)


def to_keypoints(features: Features) -> list[KeyPoint]:
    """The keypoints as cv2.KeyPoint: size = 2 scale, angle in degrees, response, and OpenCV's packed octave."""
    columns = (
        features.x.tolist(),
        features.y.tolist(),
        (2 * features.scale).tolist(),
        np.degrees(features.orientation).tolist(),
        features.response.tolist(),
        packed_octave(features.octave, features.layer).tolist(),
    )
    return list(map(opencv_module().KeyPoint, *columns))


def from_keypoints(keypoints: Sequence[KeyPoint]) -> Features:
    """Features without descriptors of cv2.KeyPoints; the inverse of `to_keypoints`. An angle of -1 becomes 0."""
    records = np.zeros(len(keypoints), KEYPOINT)
    if len(keypoints) == 0:
        return Features(records)
    columns = np.array([(*one.pt, one.size, one.angle, one.response) for one in keypoints], np.float32).T
    packed = np.array([one.octave for one in keypoints], np.int32)
    records["x"], records["y"] = columns[0:2]
    records["scale"], records["orientation"] = columns[2] / 2, np.radians(np.maximum(columns[3], 0))
    records["response"] = columns[4]
    records["octave"] = (packed & 255) - np.where(packed & 128, 256, 0)
    records["layer"] = packed >> 8 & 255
    return Features(records)
