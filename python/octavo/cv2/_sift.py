"""OpenCV's SIFT, computed by Octavo."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, overload

import numpy as np
import numpy.typing as npt

from .. import _octavo
from .._api import Extractor, Features
from .._checks import told
from .._kept import Kept
from .._options import OPENCV_NAMES
from .._remade import Remade
from ..errors import FileError, InvalidArgument, InvalidOption, UnknownOption
from ._feature2d import Descriptors, Feature2D, Keypoints
from ._keypoints import KeyPoint, from_keypoints, opencv_module, to_keypoints

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .._call_types import ArgumentsOfExtractor
    from .._option_types import FurtherSiftOptions

    class FurtherOptions(FurtherSiftOptions, ArgumentsOfExtractor, total=False):
        """What octavo.Extractor takes beside OpenCV's settings."""


CV_8U, CV_32F = 0, 5
"""The values of cv2.CV_8U and cv2.CV_32F."""

_WHOLE = ("nfeatures", "nOctaveLayers", "descriptorType")

_kept: Kept[Extractor] = Kept()

_ENLARGED_OFFSET = 0.25
"""[pixel] Where OpenCV sees keypoints to the right and below of their places, without `enable_precise_upscale`."""


class SIFT(Remade, Feature2D):
    """OpenCV's class SIFT, computed by Octavo. Make it by `SIFT_create`.

    Images are grey or in OpenCV's order of channels (blue, green, red), uint8. Each thread has its own extractor, so one
    object may be used by several threads. It can be pickled.
    """

    def __init__(
        self,
        nfeatures: int = 0,
        nOctaveLayers: int = 3,
        contrastThreshold: float = 0.04,
        edgeThreshold: float = 10,
        sigma: float = 1.6,
        *more: int,
        descriptorType: int | None = None,
        enable_precise_upscale: bool | None = None,
        **options: Unpack[FurtherOptions],
    ) -> None:
        """As `SIFT_create`."""
        if len(more) > 2:
            raise InvalidArgument(f"SIFT_create takes at most 7 arguments without a name, not {5 + len(more)}")
        sixth_and_seventh = more if len(more) == 2 else (None, *more, None)
        self._settings: dict[str, Any] = {
            "nfeatures": nfeatures,
            "nOctaveLayers": nOctaveLayers,
            "contrastThreshold": contrastThreshold,
            "edgeThreshold": edgeThreshold,
            "sigma": sigma,
            "descriptorType": _first(descriptorType, sixth_and_seventh[0], CV_32F),
        }
        self._is_precise = bool(_first(enable_precise_upscale, sixth_and_seventh[1], True))
        self._more = options
        self._setting = threading.Lock()
        self._own()  # so that wrong options are told at once

    def _own(self) -> Extractor:
        """That of this thread. SIFTs with the same settings share it, so that making one for each image costs nothing."""
        return _kept.get(_extractor, **self._settings, **self._more)

    @staticmethod
    def create(*arguments: Any, **options: Any) -> SIFT:
        """The same as SIFT_create."""
        return SIFT(*arguments, **options)

    def _detect(self, image: npt.NDArray[Any], mask: Any) -> tuple[Keypoints, Descriptors]:
        if isinstance(image, np.ndarray) and image.ndim == 3 and image.shape[2] == 4:
            image = image[..., :3]  # OpenCV knows no alpha
        features = self._own().extract(image, mask)
        self._move(features, 1)
        return tuple(to_keypoints(features)), self._descriptors(features)

    def _compute(self, image: npt.NDArray[Any], keypoints: Sequence[KeyPoint]) -> tuple[Keypoints, Descriptors]:
        given = from_keypoints(keypoints)
        self._move(given, -1)
        description = self._own()._describe(image, given, "keypoint")
        return tuple(keypoints[i] for i in description.inputs), self._descriptors(description.features)

    def _move(self, features: Features, direction: int) -> None:
        """To the places where OpenCV has keypoints (1), and from there (-1)."""
        if not self._is_precise:
            features.x[:] += direction * _ENLARGED_OFFSET
            features.y[:] += direction * _ENLARGED_OFFSET

    def _descriptors(self, features: Features) -> Descriptors:
        if features.descriptors is None or len(features) == 0:
            return None
        return features.descriptors.astype(np.float32) if self.descriptorType() == CV_32F else features.descriptors

    def descriptorType(self) -> int:
        """cv2.CV_32F or cv2.CV_8U."""
        return int(self._settings["descriptorType"])

    def getDefaultName(self) -> str:
        """ "Feature2D.SIFT", as in OpenCV."""
        return "Feature2D.SIFT"

    def getNFeatures(self) -> int:
        """The largest number of keypoints; 0 and less: all."""
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

    def _set(self, **changes: Any) -> None:
        # The extractor is made without the lock, since making it may call the caller's progress.
        while True:
            before = self._settings
            settings = {**before, **changes}
            _kept.get(_extractor, **settings, **self._more)  # raises where the value is wrong
            with self._setting:
                if self._settings is before:  # else another thread was faster
                    self._settings = settings
                    return

    def setNFeatures(self, maxFeatures: int) -> None:
        """See getNFeatures."""
        self._set(nfeatures=maxFeatures)

    def setNOctaveLayers(self, nOctaveLayers: int) -> None:
        """See getNOctaveLayers."""
        self._set(nOctaveLayers=nOctaveLayers)

    def setContrastThreshold(self, contrastThreshold: float) -> None:
        """See getContrastThreshold."""
        self._set(contrastThreshold=contrastThreshold)

    def setEdgeThreshold(self, edgeThreshold: float) -> None:
        """See getEdgeThreshold."""
        self._set(edgeThreshold=edgeThreshold)

    def setSigma(self, sigma: float) -> None:
        """See getSigma."""
        self._set(sigma=sigma)

    def write(self, fileName: Any, name: str | None = None) -> None:
        """Writes OpenCV's settings as cv2.SIFT does: to a file, or under a name to a cv2.FileStorage. Raises FileError."""
        if not isinstance(fileName, opencv_module().FileStorage):
            storage = _opened(fileName, for_writing=True)
            self.write(storage)
            storage.release()
            return
        if name is not None:
            fileName.startWriteStruct(name, opencv_module().FILE_NODE_MAP)
        fileName.write("name", self.getDefaultName())
        for setting, value in self._settings.items():
            fileName.write(setting, int(value) if setting in _WHOLE else float(value))
        if name is not None:
            fileName.endWriteStruct()

    def save(self, filename: str | os.PathLike[str]) -> None:
        """Writes OpenCV's settings to a file. Raises FileError."""
        self.write(filename)

    def read(self, fileName: Any) -> None:
        """Takes the settings of a file, or of a cv2.FileNode, that this class or cv2.SIFT wrote. What is not there
        stays. Raises FileError, and InvalidOption for a wrong setting."""
        is_node = isinstance(fileName, opencv_module().FileNode)
        storage = None if is_node else _opened(fileName, for_writing=False)
        node = fileName if storage is None else storage.root()
        read = {setting: node.getNode(setting) for setting in self._settings} if not node.empty() else {}
        self._set(**{name: _number(one) for name, one in read.items() if not one.empty()})

    @property
    def _given(self) -> dict[str, Any]:  # type: ignore[override]
        return {**self._settings, "enable_precise_upscale": self._is_precise, **self._more}

    def __repr__(self) -> str:
        return f"<octavo.cv2.SIFT on {self._own().device}>"


def _first(*values: Any) -> Any:
    """The first that is given."""
    return next(value for value in values if value is not None)


def _number(node: Any) -> float:
    return int(node.real()) if node.isInt() else float(node.real())


def _opened(file: Any, *, for_writing: bool) -> Any:
    name = os.fspath(file)
    cv = opencv_module()
    try:
        storage = cv.FileStorage(name, cv.FILE_STORAGE_WRITE if for_writing else cv.FILE_STORAGE_READ)
    except cv.error as error:
        raise FileError(f"cannot read '{name}': it is no file of cv2.FileStorage") from error
    if not storage.isOpened():
        raise FileError(f"cannot {'write' if for_writing else 'read'} '{name}'")
    return storage


def _extractor(*, descriptorType: int, **given: Any) -> Extractor:
    """The extractor of OpenCV's settings and further options. Errors tell the settings by OpenCV's names."""
    if descriptorType not in (CV_8U, CV_32F):
        raise InvalidOption.of("descriptorType", told(descriptorType), "must be cv2.CV_32F (5) or cv2.CV_8U (0)")
    options: dict[str, Any] = {"preset": "opencv", "order": "bgr"}
    options |= {OPENCV_NAMES.get(name, name): value for name, value in given.items()}
    if isinstance(options["max_features"], (int, np.integer)):
        options["max_features"] = max(int(options["max_features"]), 0)  # as OpenCV takes them
    try:
        return Extractor("sift", **options)
    except UnknownOption as error:
        known = [*OPENCV_NAMES, "descriptorType", "enable_precise_upscale", "device", "preset", *_known_options()]
        hint = _octavo.did_you_mean(str(error.option), known)
        raise UnknownOption(f'SIFT_create has no option "{error.option}"{hint}', error.option) from None
    except InvalidOption as error:
        name = next((name for name, option in OPENCV_NAMES.items() if option == error.option and name in given), None)
        if name is None:
            raise
        raise InvalidOption.of(name, str(error.value), str(error.reason)) from None


def _known_options() -> list[str]:
    tables = _octavo.option_tables()
    return [one["name"] for table in ("sift", "device") for one in tables[table]["options"]]


@overload
def SIFT_create(
    nfeatures: int = 0,
    nOctaveLayers: int = 3,
    contrastThreshold: float = 0.04,
    edgeThreshold: float = 10,
    sigma: float = 1.6,
    enable_precise_upscale: bool = True,
    *,
    descriptorType: int = CV_32F,
    **options: Unpack[FurtherOptions],
) -> SIFT: ...
@overload
def SIFT_create(
    nfeatures: int,
    nOctaveLayers: int,
    contrastThreshold: float,
    edgeThreshold: float,
    sigma: float,
    descriptorType: int,
    enable_precise_upscale: bool = True,
    **options: Unpack[FurtherOptions],
) -> SIFT: ...
def SIFT_create(*arguments: Any, **options: Any) -> SIFT:
    """A SIFT with the arguments and defaults of cv2.SIFT_create: nfeatures (0 and less: all), nOctaveLayers,
    contrastThreshold, edgeThreshold, sigma, and then enable_precise_upscale, or descriptorType and
    enable_precise_upscale. `descriptorType` is cv2.CV_32F (5) or cv2.CV_8U (0). The doubled image always has its pixels
    at exact places; with `enable_precise_upscale=False`, OpenCV's default, keypoints are moved to where OpenCV sees them,
    a quarter of a pixel to the right and below. More keywords are `device`, `progress` and the options of octavo.Extractor,
    beyond the preset "opencv".
    """
    return SIFT(*arguments, **options)
