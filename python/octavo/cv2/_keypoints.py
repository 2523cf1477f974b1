"""Keypoints of Octavo and OpenCV."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from .._api import KEYPOINT, Features
from .._checks import refusing, told
from .._jobs_module import checked
from ..errors import WrongType

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


@refusing
def packed_octave(octave: npt.NDArray[np.int32], layer: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    """OpenCV's `KeyPoint.octave` without its third byte: octave in the first byte (-1 is 255), layer in the second."""
    try:
        packed: npt.NDArray[np.int32] = (np.asarray(octave) & 255) | (np.asarray(layer) << 8)
    except (TypeError, ValueError, OverflowError):  # other numbers, or arrays of two shapes
        given = f"octave is {told(octave)} and layer {told(layer)}"
        raise WrongType(f"{given}, but both must be whole numbers, in arrays of one shape") from None
    return packed


@checked
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


@refusing
def from_keypoints(keypoints: Sequence[KeyPoint]) -> Features:
    """Features without descriptors of cv2.KeyPoints; the inverse of `to_keypoints`. An angle of -1 becomes 0."""
    try:
        rows = [(*one.pt, one.size, one.angle, one.response) for one in keypoints]
        packed = np.array([one.octave for one in keypoints], np.int32)
    except (AttributeError, TypeError):
        raise WrongType(f"keypoints are {told(keypoints)}, but must be a list of cv2.KeyPoint") from None
    records = np.zeros(len(rows), KEYPOINT)
    if not rows:
        return Features(records)
    columns = np.array(rows, np.float32).T
    records["x"], records["y"] = columns[0:2]
    records["scale"], records["orientation"] = columns[2] / 2, np.radians(np.maximum(columns[3], 0))
    records["response"] = columns[4]
    records["octave"] = (packed & 255) - np.where(packed & 128, 256, 0)
    records["layer"] = packed >> 8 & 255
    return Features(records)
