"""OpenCV's bag of words: an image as the histogram of the visual words that its descriptors are nearest to (Csurka and
others, 2004)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ..errors import InvalidArgument
from ._feature2d import Feature2D, array_of
from ._keypoints import KeyPoint

Histogram = npt.NDArray[np.float32]
"""The share of an image's descriptors that each word has: 1 x words."""


class BOWImgDescriptorExtractor:
    """cv2.BOWImgDescriptorExtractor with a detector of this module, which OpenCV's own cannot take. OpenCV 5 has none.

    Words, as cv2.BOWKMeansTrainer makes them, are no whole numbers, so that the matcher is OpenCV's own.
    """

    def __init__(self, dextractor: Feature2D, dmatcher: Any) -> None:
        self._extractor = dextractor
        self._matcher = dmatcher
        self._words: Histogram | None = None

    def setVocabulary(self, vocabulary: Any) -> None:
        """The words, one in each row."""
        self._words = np.ascontiguousarray(array_of(vocabulary), np.float32)
        self._matcher.clear()
        self._matcher.add([self._words])

    def getVocabulary(self) -> Histogram | None:
        """The words; None before there are any."""
        return self._words

    def descriptorSize(self) -> int:
        """The number of words."""
        return 0 if self._words is None else len(self._words)

    def descriptorType(self) -> int:
        """cv2.CV_32F."""
        return 5

    def compute(self, image: Any, keypoints: Sequence[KeyPoint], imgDescriptor: Any = None) -> Histogram | None:
        """The histogram of an image, 1 x words; None without keypoints. `imgDescriptor` is not written to. Raises
        InvalidArgument without words."""
        if self._words is None:
            raise InvalidArgument("there are no words; call setVocabulary first")
        rows = array_of(self._extractor.compute(image, keypoints)[1])
        if rows is None or len(rows) == 0:
            return None
        found = [one.trainIdx for one in self._matcher.match(np.asarray(rows, np.float32))]
        return (np.bincount(found, minlength=len(self._words))[None] / len(rows)).astype(np.float32)
