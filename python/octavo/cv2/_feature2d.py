"""What detectors have in common: one image or several, arrays or UMat, as OpenCV's Feature2D takes them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from ..errors import InvalidArgument
from ._keypoints import KeyPoint, opencv_module

NORM_L2 = 4
"""The value of cv2.NORM_L2."""

Images = list[Any] | tuple[Any, ...]
"""Several images, as lists and tuples; a single one is an array or a UMat."""

Keypoints = tuple[KeyPoint, ...]
Descriptors = npt.NDArray[Any] | None
Described = tuple[Keypoints, Any]
"""Keypoints, and an array of N x 128, a UMat where the image is one, or None where there are no keypoints."""

ManyDescribed = tuple[tuple[Keypoints, ...], tuple[Any, ...]]


class Feature2D(ABC):
    """The methods that all detectors of this module have. Where they take an image, a list of images gives a tuple."""

    @abstractmethod
    def _detect(self, image: npt.NDArray[Any], mask: Any) -> tuple[Keypoints, Descriptors]:
        """The keypoints of an array, and their descriptors."""

    @abstractmethod
    def _compute(self, image: npt.NDArray[Any], keypoints: Sequence[KeyPoint]) -> tuple[Keypoints, Descriptors]:
        """Those of the keypoints that can be described, and their descriptors."""

    @overload
    def detect(self, image: Images, mask: Any = None) -> tuple[Keypoints, ...]: ...  # pyright: ignore[reportOverlappingOverload]
    @overload
    def detect(self, image: Any, mask: Any = None) -> Keypoints: ...
    def detect(self, image: Any, mask: Any = None) -> Any:
        """The keypoints of an image. `mask` (uint8) keeps those where it is not 0; for a list of images it is a list."""
        if _are_several(image):
            return tuple(self.detect(one, its) for one, its in _with(image, mask, "masks"))
        return self._detect(pixels_of(image), _mask(mask))[0]

    @overload
    def compute(
        self, image: Images, keypoints: Sequence[Sequence[KeyPoint]], descriptors: Any = None
    ) -> ManyDescribed: ...
    @overload
    def compute(self, image: Any, keypoints: Sequence[KeyPoint], descriptors: Any = None) -> Described: ...
    def compute(self, image: Any, keypoints: Any, descriptors: Any = None) -> Any:
        """Describes keypoints. Those that cannot be described are left out. `descriptors` is not written to."""
        if _are_several(image):
            return _transposed(self.compute(one, its) for one, its in _with(image, keypoints, "lists of keypoints"))
        kept, rows = self._compute(pixels_of(image), keypoints)
        return kept, _as_that_of(image, rows)

    @overload
    def detectAndCompute(  # pyright: ignore[reportOverlappingOverload]
        self, image: Images, mask: Any = None, descriptors: Any = None, useProvidedKeypoints: bool = False
    ) -> ManyDescribed: ...
    @overload
    def detectAndCompute(
        self, image: Any, mask: Any = None, descriptors: Any = None, useProvidedKeypoints: bool = False
    ) -> Described: ...
    def detectAndCompute(
        self, image: Any, mask: Any = None, descriptors: Any = None, useProvidedKeypoints: bool = False
    ) -> Any:
        """The keypoints of an image and their descriptors, N x 128; None where there are no keypoints. `descriptors` is
        not written to. Keypoints of the caller cannot be given here, as in OpenCV's Python: call `compute`."""
        if useProvidedKeypoints:
            raise InvalidArgument("useProvidedKeypoints is not known here; call compute(image, keypoints)")
        if _are_several(image):
            return _transposed(self.detectAndCompute(one, its) for one, its in _with(image, mask, "masks"))
        keypoints, rows = self._detect(pixels_of(image), _mask(mask))
        return keypoints, _as_that_of(image, rows)

    @abstractmethod
    def descriptorType(self) -> int:
        """cv2.CV_32F or cv2.CV_8U."""

    def defaultNorm(self) -> int:
        """cv2.NORM_L2."""
        return NORM_L2

    def descriptorSize(self) -> int:
        """128."""
        return 128

    def empty(self) -> bool:
        """True, as in OpenCV: there is no trained model in it."""
        return True

    def clear(self) -> None:
        """Does nothing, as in OpenCV."""
        return


def _are_several(image: Any) -> bool:
    return isinstance(image, (list, tuple))


def _with(images: Sequence[Any], others: Any, name: str) -> Iterator[tuple[Any, Any]]:
    """Each image with its mask, or its keypoints."""
    if others is None or len(others) == 0:
        return ((image, None) for image in images)
    if not isinstance(others, (list, tuple)) or len(others) != len(images):
        raise InvalidArgument(f"{len(images)} images need a list of {len(images)} {name}, not {len(others)}")
    return zip(images, others, strict=True)


def _transposed(results: Iterator[Any]) -> ManyDescribed:
    each = list(results)
    return tuple(keypoints for keypoints, _ in each), tuple(rows for _, rows in each)


def _is_umat(image: Any) -> bool:
    return type(image).__name__ == "UMat"


def _as_that_of(image: Any, rows: Descriptors) -> Any:
    """Descriptors as OpenCV returns them for this image."""
    if not _is_umat(image):
        return rows
    return opencv_module().UMat(np.zeros((0, 128), np.float32) if rows is None else rows)


def pixels_of(image: Any) -> Any:
    """An image as an array. Raises InvalidArgument for None."""
    if image is None:
        raise InvalidArgument("the image is None: cv2.imread gives this where it cannot read the file")
    return array_of(image)


def array_of(value: Any) -> Any:
    """An array or a UMat as an array."""
    return value.get() if _is_umat(value) else value


def _mask(mask: Any) -> Any:
    mask = array_of(mask)
    return None if mask is None or np.size(mask) == 0 else mask
