"""Models of two views from matched points, found robustly: `octavo.geometry.homography(a, b)`.

Points are N x 2 (x, y) [pixel]; (0, 0) is the centre of the first pixel. Row i of `a` and row i of `b` are a pair. The same
pairs and options give the same model. Options of all three: `method` ("magsac", "ransac", "prosac"), `threshold` [pixel],
`confidence`, `max_iterations`, `seed`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ._checks import numbers_of, refusing
from ._jobs_module import jobs
from .errors import InvalidArgument

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._jobs import EssentialModel as EssentialModel
    from ._jobs import ModelWarning as ModelWarning
    from ._jobs import RobustModel as RobustModel
    from ._option_types import (
        RobustOptions,
    )

__all__ = ["essential", "fundamental", "homography"]


def __dir__() -> list[str]:
    return sorted(__all__)


@refusing
def homography(a: npt.ArrayLike, b: npt.ArrayLike, **options: Unpack[RobustOptions]) -> RobustModel:
    """The homography that maps points of a to points of b, from 4 pairs or more.

    `found` is False, and `reason` says why, for too few pairs, points on a line, and pairs that agree no better than
    chance. `warnings` say why it may be wrong, such as few inliers. Raises InvalidArgument and InvalidOption.
    """
    return jobs().homography(*_pairs(a, b), options)  # type: ignore[no-any-return]


@refusing
def fundamental(a: npt.ArrayLike, b: npt.ArrayLike, **options: Unpack[RobustOptions]) -> RobustModel:
    """The fundamental matrix F with b F a = 0, from 8 pairs or more. As `homography`."""
    return jobs().fundamental(*_pairs(a, b), options)  # type: ignore[no-any-return]


@refusing
def essential(
    a: npt.ArrayLike,
    b: npt.ArrayLike,
    camera_a: npt.ArrayLike,
    camera_b: npt.ArrayLike | None = None,
    **options: Unpack[RobustOptions],
) -> EssentialModel:
    """The essential matrix of two calibrated cameras, and the pose of b relative to a, from 6 pairs or more.

    A camera is a 3 x 3 matrix of intrinsic parameters, or (fx, fy, cx, cy) [pixel]. `camera_b` is by default `camera_a`. As
    `homography`.
    """
    first = _camera(camera_a, "camera_a")
    second = first if camera_b is None else _camera(camera_b, "camera_b")
    return jobs().essential(*_pairs(a, b), first, second, options)  # type: ignore[no-any-return]


def _pairs(a: npt.ArrayLike, b: npt.ArrayLike) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    return _points(a, "a"), _points(b, "b")


def _points(points: npt.ArrayLike, name: str) -> npt.NDArray[np.float64]:
    array = np.ascontiguousarray(numbers_of(name, points))
    if array.ndim == 3 and array.shape[1:] == (1, 2):  # as OpenCV has points
        array = array[:, 0]
    if array.size == 0:
        array = array.reshape(0, 2)
    if array.ndim != 2 or array.shape[1] != 2:
        raise InvalidArgument(f"{name} has the shape {array.shape}, but must be N x 2")
    return array


def _camera(camera: npt.ArrayLike, name: str) -> list[float]:
    array = numbers_of(name, camera)
    if array.shape == (3, 3):
        if array[0, 1] != 0 or (array[1:, 0] != 0).any() or array[2, 1] != 0 or array[2, 2] != 1:
            raise InvalidArgument(
                f"{name} must be fx 0 cx, 0 fy cy, 0 0 1: a skew, or another scale, has no meaning here"
            )
        return [float(array[0, 0]), float(array[1, 1]), float(array[0, 2]), float(array[1, 2])]
    if array.shape != (4,):
        raise InvalidArgument(f"{name} has the shape {array.shape}, but must be 3 x 3, or fx, fy, cx, cy")
    return [float(number) for number in array]
