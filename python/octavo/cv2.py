"""A twin of OpenCV's SIFT: a program that is written for `cv2.SIFT_create` works by changing one line.

    sift = octavo.cv2.SIFT_create()          # in the place of cv2.SIFT_create()
    keypoints, descriptors = sift.detectAndCompute(image, None)

Keypoints are `cv2.KeyPoint`, so the package opencv-python (or -headless) is needed, of any version from 4.4 on. It is
imported when the first keypoints are made. docs/python.md lists what differs from OpenCV.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ._api import KEYPOINT, Extractor, Features
from .errors import InvalidArgument

if TYPE_CHECKING:
    import cv2 as opencv

    KeyPoint = opencv.KeyPoint
else:
    KeyPoint = Any

NORM_L2 = 4
"""The value of cv2.NORM_L2."""


def _opencv() -> Any:
    import importlib

    return importlib.import_module("cv2")


def packed_octave(octave: npt.NDArray[np.int32], layer: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    """OpenCV's `KeyPoint.octave` without its third byte: octave in the first byte (-1 is 255), layer in the second."""
    return (octave & 255) | (layer << 8)


def to_keypoints(features: Features) -> list[KeyPoint]:
    """The keypoints as cv2.KeyPoint: size = 2 scale, angle in degrees, response, and OpenCV's packed octave."""
    make = _opencv().KeyPoint
    columns = (
        features.x.tolist(),
        features.y.tolist(),
        (2 * features.scale).tolist(),
        np.degrees(features.orientation).tolist(),
        features.response.tolist(),
        packed_octave(features.octave, features.layer).tolist(),
    )
    return [
        make(x, y, size, angle, response, octave) for x, y, size, angle, response, octave in zip(*columns, strict=True)
    ]


def from_keypoints(keypoints: Sequence[KeyPoint]) -> Features:
    """Features without descriptors of cv2.KeyPoints; the inverse of `to_keypoints`. An angle of -1 becomes 0."""
    records = np.zeros(len(keypoints), KEYPOINT)
    for record, point in zip(records, keypoints, strict=True):
        octave = point.octave & 255
        angle = np.float32(np.radians(max(point.angle, 0)))
        record["x"], record["y"] = point.pt
        record["scale"], record["orientation"] = point.size / 2, angle
        record["response"] = point.response
        record["octave"] = octave - 256 if octave >= 128 else octave
        record["layer"] = point.octave >> 8 & 255
    return Features(records)


class SIFT:
    """OpenCV's class SIFT, computed by Octavo. Make it by `SIFT_create`.

    Images are grey or in OpenCV's order of channels (blue, green, red), uint8. Each thread has its own extractor, so one
    object may be used by several threads.
    """

    def __init__(
        self,
        nfeatures: int = 0,
        nOctaveLayers: int = 3,
        contrastThreshold: float = 0.04,
        edgeThreshold: float = 10,
        sigma: float = 1.6,
        descriptorType: int = 5,
        enable_precise_upscale: bool = True,
        *,
        device: str = "auto",
        **options: Any,
    ) -> None:
        """The first five are OpenCV's. `descriptorType` is cv2.CV_32F (5) or cv2.CV_8U (0). The doubled image always has
        its pixels at exact places, so `enable_precise_upscale` must be true. `device` and `options` are those of
        octavo.Extractor, beyond the preset "opencv"."""
        self._settings: dict[str, Any] = {
            "nfeatures": nfeatures,
            "nOctaveLayers": nOctaveLayers,
            "contrastThreshold": contrastThreshold,
            "edgeThreshold": edgeThreshold,
            "sigma": sigma,
        }
        if descriptorType not in (0, 5):
            raise InvalidArgument(f"descriptorType is {descriptorType}, but must be cv2.CV_32F (5) or cv2.CV_8U (0)")
        if not enable_precise_upscale:
            raise InvalidArgument("enable_precise_upscale is false, but the doubled image always has exact places")
        self._is_float = descriptorType == 5
        self._more = {"device": device, **options}
        self._local = threading.local()
        self._setting = threading.Lock()
        self._own()  # so that wrong options are told at once

    def _own(self) -> Extractor:
        # Both as they are now: a setter on another thread gives them anew, together.
        with self._setting:
            settings, local = self._settings, self._local
        return self._of_thread(settings, local)

    def _of_thread(self, settings: dict[str, Any], local: threading.local) -> Extractor:
        extractor: Extractor | None = getattr(local, "extractor", None)
        if extractor is None:
            options = {
                "max_features": settings["nfeatures"],
                "layers": settings["nOctaveLayers"],
                "contrast_threshold": settings["contrastThreshold"],
                "edge_threshold": settings["edgeThreshold"],
                "sigma": settings["sigma"],
            }
            extractor = Extractor("sift", preset="opencv", order="bgr", **{**options, **self._more})
            local.extractor = extractor
        return extractor

    @staticmethod
    def create(*arguments: Any, **options: Any) -> SIFT:
        """The same as SIFT_create."""
        return SIFT(*arguments, **options)

    def detect(self, image: Any, mask: Any = None) -> tuple[KeyPoint, ...]:
        """The keypoints of an image. `mask` (uint8) keeps those where it is not 0."""
        return tuple(to_keypoints(self._own().extract(_image(image), _mask(mask))))

    def compute(
        self, image: Any, keypoints: Sequence[KeyPoint]
    ) -> tuple[tuple[KeyPoint, ...], npt.NDArray[Any] | None]:
        """Describes keypoints. Those that cannot be described are left out."""
        description = self._own().describe(_image(image), from_keypoints(keypoints))
        kept = tuple(keypoints[i] for i in description.inputs)
        return kept, self._descriptors(description.features)

    def detectAndCompute(
        self, image: Any, mask: Any = None, descriptors: Any = None, useProvidedKeypoints: bool = False
    ) -> tuple[tuple[KeyPoint, ...], npt.NDArray[Any] | None]:
        """The keypoints of an image and their descriptors, N x 128; None where there are no keypoints."""
        if useProvidedKeypoints:
            raise InvalidArgument("useProvidedKeypoints is not known here; call compute(image, keypoints)")
        features = self._own().extract(_image(image), _mask(mask))
        return tuple(to_keypoints(features)), self._descriptors(features)

    def _descriptors(self, features: Features) -> npt.NDArray[Any] | None:
        if features.descriptors is None or len(features) == 0:
            return None
        return features.descriptors.astype(np.float32) if self._is_float else features.descriptors

    def defaultNorm(self) -> int:
        """cv2.NORM_L2."""
        return NORM_L2

    def descriptorSize(self) -> int:
        """128."""
        return 128

    def descriptorType(self) -> int:
        """cv2.CV_32F or cv2.CV_8U."""
        return 5 if self._is_float else 0

    def empty(self) -> bool:
        """True, as in OpenCV: there is no trained model in it."""
        return True

    def getDefaultName(self) -> str:
        """ "Feature2D.SIFT", as in OpenCV."""
        return "Feature2D.SIFT"

    def getNFeatures(self) -> int:
        """The largest number of keypoints; 0: all."""
        return int(self._settings["nfeatures"])

    def getNOctaveLayers(self) -> int:
        """The scales per octave that are searched."""
        return int(self._settings["nOctaveLayers"])

    def getContrastThreshold(self) -> float:
        """The least contrast of a keypoint."""
        return float(self._settings["contrastThreshold"])

    def getEdgeThreshold(self) -> float:
        """The largest ratio of principal curvatures."""
        return float(self._settings["edgeThreshold"])

    def getSigma(self) -> float:
        """The blur of each octave's first image [pixel]."""
        return float(self._settings["sigma"])

    def _set(self, name: str, value: Any) -> None:
        # The extractor is made without the lock, since making it may call the caller's progress.
        while True:
            with self._setting:
                before = self._settings
            settings, local = {**before, name: value}, threading.local()
            self._of_thread(settings, local)  # raises where the value is wrong
            with self._setting:
                if self._settings is before:  # else another thread was faster
                    self._settings, self._local = settings, local
                    return

    def setNFeatures(self, maxFeatures: int) -> None:
        """See getNFeatures."""
        self._set("nfeatures", maxFeatures)

    def setNOctaveLayers(self, nOctaveLayers: int) -> None:
        """See getNOctaveLayers."""
        self._set("nOctaveLayers", nOctaveLayers)

    def setContrastThreshold(self, contrastThreshold: float) -> None:
        """See getContrastThreshold."""
        self._set("contrastThreshold", contrastThreshold)

    def setEdgeThreshold(self, edgeThreshold: float) -> None:
        """See getEdgeThreshold."""
        self._set("edgeThreshold", edgeThreshold)

    def setSigma(self, sigma: float) -> None:
        """See getSigma."""
        self._set("sigma", sigma)

    def __repr__(self) -> str:
        return f"<octavo.cv2.SIFT on {self._own().device}>"


def SIFT_create(*arguments: Any, **options: Any) -> SIFT:
    """A SIFT with the arguments and defaults of cv2.SIFT_create: nfeatures, nOctaveLayers, contrastThreshold,
    edgeThreshold, sigma, descriptorType. More keywords are `device` and the options of octavo.Extractor.
    """
    return SIFT(*arguments, **options)


def _image(image: Any) -> Any:
    if image is None:
        raise InvalidArgument("the image is None: cv2.imread gives this where it cannot read the file")
    return image


def _mask(mask: Any) -> Any:
    return None if mask is None or np.size(mask) == 0 else mask
