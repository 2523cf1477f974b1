"""Features in the memory of a GPU."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from . import _octavo
from ._checks import with_article
from ._features import KEYPOINT, Features
from .errors import WrongType


class DeviceFeatures:
    """A handle to the features of an image, in the memory of the GPU that found them.

    Features of the CPU are in host memory. Features on a GPU can be matched there without a copy to the host. Their bytes
    are those of Features. They never change. They exist as long as a handle does, also after the extractor is gone.
    """

    __slots__ = ("_handle",)

    def __init__(self, features: _octavo.DeviceFeatures | Features) -> None:
        """Keeps Features in host memory, for calls that take DeviceFeatures."""
        if isinstance(features, Features):
            rows = features.descriptors
            features = _octavo.device_features(features._bytes(), None if rows is None else np.ascontiguousarray(rows))
        if not isinstance(features, _octavo.DeviceFeatures):
            raise WrongType(f"features are {with_article(type(features).__name__)}, but must be Features")
        self._handle = features

    def __len__(self) -> int:
        return len(self._handle)

    @property
    def device(self) -> str:
        """The GPU whose memory holds them: "cuda:0", "opencl:0"; "cpu" for host memory."""
        return self._handle.device

    def download(self) -> Features:
        """Copies the features to host memory. Raises OutOfMemory and DeviceUnavailable."""
        return Features._of(self._handle.download())

    @property
    def descriptors(self) -> Any:
        """The descriptors where they lie: an object with `__dlpack__`, N x 128 in uint8.

        `torch.from_dlpack(features.descriptors)` and `cupy.from_dlpack` make a tensor of it without a copy, on the GPU that
        found the features; `numpy.from_dlpack` for host memory. It must not be written to. It keeps the memory. When its
        last user lets go, the GPU's work is waited for. Raises InvalidArgument on OpenCL, whose memory has no addresses.
        """
        return self._handle.descriptors

    @property
    def keypoint_rows(self) -> Any:
        """The keypoints where they lie, as `descriptors`: N x 11 in float32, the fields of `KEYPOINT`. Columns 5 and 6,
        octave and layer, have the bits of whole numbers of 32 bits.
        """
        return self._handle.keypoint_rows

    def keypoints(self) -> npt.NDArray[np.void]:
        """Copies the keypoints alone to host memory: N records of `KEYPOINT`."""
        array: Any = self._handle.keypoints()
        records: npt.NDArray[np.void] = array.view(KEYPOINT)[:, 0]
        return records

    def __repr__(self) -> str:
        return f"<octavo.DeviceFeatures: {len(self)} keypoints on {self.device}>"
