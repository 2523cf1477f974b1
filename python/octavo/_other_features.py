"""Features of other detectors, for the jobs on photographs."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ._checks import is_path, numbers_of, path_of, told
from ._descriptor_scale import LONGEST_DESCRIPTOR, DescriptorScale
from ._features import DESCRIPTOR_LENGTH, Features, records_of
from .errors import InvalidArgument, WrongType

if TYPE_CHECKING:
    from ._photographs import Path


class OtherFeatures(Mapping[str, Features]):
    """Features of another detector, such as ALIKED, DISK or XFeat, by the names of their images.

        learned = octavo.OtherFeatures({"a.jpg": (keypoints, descriptors), ...})
        learned = octavo.OtherFeatures.read("feats-aliked.h5")      # hloc's file
        octavo.sfm("photos", "model", features=learned, ratio=0.95)

    The name of an image is its path below the folder that a job is given, or the name of a file that is given itself.
    Descriptors become bytes by one `DescriptorScale` for all images: `learned[name]` is Features with 128 bytes each.
    """

    scale: DescriptorScale
    """The rule by which they became bytes. Features of further images for the same database need it too."""

    def __init__(
        self, features: Mapping[str, tuple[npt.ArrayLike, npt.ArrayLike]], scale: DescriptorScale | None = None
    ) -> None:
        """Features of arrays: of each image (keypoints, descriptors).

        Keypoints are N x 2 to N x 5 (x, y, scale, orientation, response), in pixels of the image as it is stored, before EXIF
        turns it; (0, 0) is the centre of the first one. Descriptors are N x D numbers, D at most 512. `scale` is by default
        the finest one that holds all of them. Raises InvalidArgument that names the image.
        """
        if not isinstance(features, Mapping):
            raise WrongType(
                f"features are {told(features)}, but must be a mapping from names of images to (keypoints, descriptors)"
            )
        if not isinstance(scale, (DescriptorScale, type(None))):
            raise WrongType(f"scale is {told(scale)}, but must be octavo.DescriptorScale or None")
        _check(features)
        self.scale = DescriptorScale._of(_Descriptors(features)) if scale is None else scale
        self._features = {os.fsdecode(name): self._in_bytes(name, *both) for name, both in features.items()}

    @classmethod
    def read(cls, file: Path, scale: DescriptorScale | None = None) -> OtherFeatures:
        """Those of hloc's file of features (.h5): of each image `keypoints` and `descriptors` (D x N), and where they are
        there `scores`, `scales` and `oris`. Raises FileError and InvalidArgument."""
        from ._jobs_module import jobs  # which knows this class

        return cls(_InFile(jobs().HlocFile(path_of(file))), scale)

    def _in_bytes(self, name: str, keypoints: npt.ArrayLike, descriptors: npt.ArrayLike) -> Features:
        records, array = records_of(keypoints), numbers_of("descriptors", descriptors)
        if len(records) == 0:
            return Features(records, np.zeros((0, DESCRIPTOR_LENGTH), np.uint8))
        try:
            return Features(records, self.scale.rows(array))
        except InvalidArgument as error:
            raise _wrong(name, str(error)) from None

    def __getitem__(self, name: str) -> Features:
        return self._features[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._features)

    def __len__(self) -> int:
        return len(self._features)

    def __repr__(self) -> str:
        return f"<octavo.OtherFeatures of {len(self)} images>"

    def _given(self) -> tuple[str, float, dict[str, tuple[Any, Any]]]:
        """As the extension module takes them: the rule, the length in bytes of a descriptor of length 1, and arrays."""
        arrays = {name: (one._bytes(), one._described()) for name, one in self.items()}
        return f"DescriptorScale {self.scale._digest()}", 1 / self.scale.step, arrays


class _InFile(Mapping[str, tuple[npt.ArrayLike, npt.ArrayLike]]):
    """hloc's file. The features of one image are in memory at a time."""

    def __init__(self, file: Any) -> None:
        self._file = file

    def __getitem__(self, name: str) -> tuple[npt.ArrayLike, npt.ArrayLike]:
        keypoints, descriptors = self._file.read(name)
        return Features._of((keypoints, None)).keypoints, descriptors

    def __iter__(self) -> Iterator[str]:
        return iter(self._file.names)

    def __len__(self) -> int:
        return len(self._file.names)


class _Descriptors:
    """Those of all images, as often as they are looked at."""

    def __init__(self, features: Mapping[str, tuple[npt.ArrayLike, npt.ArrayLike]]) -> None:
        self._features = features

    def __iter__(self) -> Iterator[npt.ArrayLike]:
        return (self._features[name][1] for name in self._features)


def _wrong(name: Any, why: str) -> InvalidArgument:
    return InvalidArgument(f"the features of {told(name)}: {why}")


def _check(features: Mapping[str, Any]) -> None:
    """Refuses what does not fit together, with the name of the image."""
    first: tuple[str, int] | None = None  # the first image with descriptors, and the length of these
    for name, both in features.items():
        if not is_path(name):
            raise WrongType(f"the name of an image is {told(name)}, but must be a path")
        if not isinstance(both, (tuple, list)) or len(both) != 2:
            raise _wrong(name, f"they are {told(both)}, but must be (keypoints, descriptors)")
        try:
            length = _length_of(*both)
        except InvalidArgument as error:
            raise _wrong(name, str(error)) from None
        first = first or (length and (name, length)) or None
        if first and length not in (0, first[1]):
            raise _wrong(name, f"descriptors have {length} numbers, but those of {told(first[0])} {first[1]}")


def _length_of(keypoints: npt.ArrayLike, descriptors: npt.ArrayLike) -> int:
    """The length of the descriptors of an image; 0 without keypoints."""
    records, array = records_of(keypoints), numbers_of("descriptors", descriptors)
    for column in ("x", "y", "scale", "orientation", "response"):
        if not np.isfinite(records[column]).all():
            raise InvalidArgument(f"{column} of a keypoint is not finite")
    if len(records) == 0 and array.size == 0:
        return 0
    if array.ndim != 2 or len(array) != len(records) or not 0 < array.shape[1] <= LONGEST_DESCRIPTOR:
        hint = "; transpose them" if array.ndim == 2 and array.shape[1] == len(records) else ""
        raise InvalidArgument(
            f"descriptors are of the shape {array.shape}, but must be {len(records)} x D, a row for each keypoint, with D "
            f"of at most {LONGEST_DESCRIPTOR}{hint}"
        )
    if not np.isfinite(array).all():
        raise InvalidArgument("a descriptor has a number that is not finite")
    return int(array.shape[1])
