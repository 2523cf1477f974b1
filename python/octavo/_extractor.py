"""Extraction of features."""

from __future__ import annotations

import numbers
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np
import numpy.typing as npt

from . import _octavo
from ._batch import batch_of
from ._checks import apart, array_of, check_one_of, check_word, flag, items_of, refusing, told, warner, whole
from ._compared import Compared
from ._device_features import DeviceFeatures
from ._devices import MemoryEstimate, Progress
from ._features import Features, records_of
from ._kept import Kept
from ._on_device import OnDevice
from ._options import with_hint_of_opencv
from ._value_range import Range, array_range
from .errors import Error, InvalidArgument, InvalidOption, UnknownOption

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._option_types import DetectorOptions


@dataclass(frozen=True, eq=False)
class Description(Compared):
    """The descriptions of keypoints that the caller gave. Each of these is in `features` or in `left_out`."""

    features: Features
    """In the order of the keypoints that were given, not in canonical order."""
    inputs: npt.NDArray[np.int64]
    """For each of the features the index of its keypoint among those that were given; ascending."""
    left_out: list[tuple[int, str]]
    """The other keypoints: the index of each, and why it has no description ("lies outside the image")."""


class Extractor(OnDevice):
    """Finds and describes the keypoints of images.

    An Extractor keeps its buffers, so the second image of a size needs no allocation. It may be used by several threads,
    which then wait for each other; for speed make one for each thread. Calls release the GIL. After an error it can be
    used again.

    Images are arrays, height x width or height x width x channels, of uint8, uint16 or float32. The values that an image of
    uint16 or float32 uses become the full range, as `octavo extract` reads files: 10 bits, heights and kelvin have their
    keypoints. With `range="full"` values are taken as they are, 0 to 65535 or 0 to 1, as always those of uint8, and of
    tensors on a GPU, which are not copied to the host for it. Channels are 1 (grey), 2 (grey, alpha), 3 (red, green, blue) or 4 (red, green, blue, alpha); alpha is ignored. Arrays
    are read where they are, with rows any distance apart, upwards too, and `image[..., ::-1]` of three channels; only where
    the pixels of a row are not packed, they are copied. All arrays that offer DLPack or the buffer protocol do. A tensor on a CUDA device is read there.

    """

    _worker: _octavo.Extractor

    def __init__(
        self,
        detector: str = "sift",
        *,
        preset: str | None = None,
        device: str = "auto",
        order: Literal["rgb", "bgr"] = "rgb",
        range: Range = "image",
        black: float = 0,
        white: float = 0,
        progress: Progress | None = None,
        **options: Unpack[DetectorOptions],
    ) -> None:
        """Makes an extractor.

        `detector` is "sift" or "foagdd", `preset` the name of a preset of its options, `device` where the work runs,
        and `order` that of the channels of colour images, "bgr" for those of OpenCV. `range` says which values of uint16
        and float32 become black and white: "image" those that the image uses, without hot pixels, NaN and missing data,
        "full" all of the type. `black` and `white` are the two values in its place, as for images of a set. Other options
        follow below. Raises InvalidOption, UnknownOption and DeviceUnavailable.
        """
        if isinstance(detector, numbers.Number):
            reason = f"must be a name, such as sift; for at most {detector} keypoints pass max_features={detector}"
            raise InvalidOption.of("detector", told(detector), reason)
        for option, value in (("detector", detector), ("preset", "" if preset is None else preset), ("order", order)):
            check_word(option, value)
        self._range = array_range(range, black, white)
        given = {"device": device, **options}
        self._given = {
            "detector": detector,
            "preset": preset,
            "order": order,
            "range": range,
            "black": black,
            "white": white,
            "progress": progress,
            **given,
        }
        try:
            self._worker = _octavo.Extractor(detector, preset, given, progress, order, self._range)
        except UnknownOption as error:
            raise with_hint_of_opencv(error) from None

    def extract(self, image: Any, mask: Any = None, *, stream: int | None = None) -> Features:
        """The features of an image, in canonical order.

        `mask` (height x width in uint8 or bool) keeps the keypoints whose nearest pixel in it is not 0. `stream` is the
        number of the CUDA stream that made a tensor on a GPU; None: the default stream. An image too small for a single
        octave has no features. An image in host memory without keypoints is warned of. Raises InvalidArgument and OutOfMemory.
        """
        image, mask = apart(image, mask)
        try:
            features = Features._of(self._worker.extract(image, mask, _number_of(stream)))
        except InvalidArgument as error:
            if not (self._range.is_full and "float pixels" in str(error)):
                raise
            raise InvalidArgument(f'{error}; range="image" takes the values that it uses') from None
        if len(features) == 0 and (why := _octavo.why_no_keypoints(image, mask, self._range)):
            hint = '; range="image" takes the values that it uses' if "contrast" in why and self._range.is_full else ""
            warner()(f"no keypoints: {why}{hint}")
        return features

    def extract_timed(self, image: Any, mask: Any = None) -> tuple[Features, dict[str, float]]:
        """The features of an image, and the time of each stage [millisecond]."""
        arrays, times = self._worker.timed(*apart(image, mask))
        return Features._of(arrays), dict(times)

    def extract_on_device(self, image: Any, mask: Any = None, *, stream: int | None = None) -> DeviceFeatures:
        """Works like `extract`, and leaves the features in the memory of the GPU that found them."""
        return DeviceFeatures(self._worker.extract_on_device(*apart(image, mask), _number_of(stream)))

    def submit(
        self, image: Any, mask: Any = None, *, keep: Literal["host", "device"] = "host", stream: int | None = None
    ) -> int:
        """Starts the extraction of an image and returns a ticket for `collect`. The arrays may change afterwards.

        On a GPU the call returns before the work is done, so that consecutive images overlap; on the CPU it does the work.
        With `best_in_flight` images in flight it waits for an earlier one. `keep` is "device" for
        `collect_on_device`. Raises what is known at once; `collect` raises the rest.
        """
        check_one_of("keep", keep, ("host", "device"))
        return self._worker.submit(*apart(image, mask), keep == "device", _number_of(stream))

    def collect(self, ticket: int) -> Features:
        """Waits for the features of a submitted image. Tickets may be collected in any order, each once."""
        return Features._of(self._worker.collect(whole("ticket", ticket)))

    def collect_on_device(self, ticket: int) -> DeviceFeatures:
        """Works like `collect`, without a copy to the host."""
        return DeviceFeatures(self._worker.collect_on_device(whole("ticket", ticket)))

    @overload
    def batch(
        self, images: Iterable[Any], masks: Iterable[Any] | None = None, *, errors: Literal["raise"] = "raise"
    ) -> Iterator[Features]: ...
    @overload
    def batch(
        self, images: Iterable[Any], masks: Iterable[Any] | None = None, *, errors: Literal["return"]
    ) -> Iterator[Features | Error]: ...
    def batch(
        self, images: Iterable[Any], masks: Iterable[Any] | None = None, *, errors: Literal["raise", "return"] = "raise"
    ) -> Iterator[Features] | Iterator[Features | Error]:
        """The features of many images, in their order.

        `images` may be a generator: the next images are drawn from it while the device works on those before. On the CPU
        several images are worked on at a time, in threads that share those of the extractor. Arrays may change when the
        next image is drawn. With `errors="return"` an image that fails yields its exception in the place of features, and
        the others are done. By default the first failure is raised.
        """
        check_one_of("errors", errors, ("raise", "return"))
        pairs = _with_masks(images, masks)
        yield from batch_of(self, pairs, self._given["progress"] is not None, errors == "return")

    def _with_threads(self, threads: int) -> Extractor:
        """Another extractor with the same options but for the CPU threads, 1 or more."""
        given: dict[str, Any] = {**self._given, "threads": whole("threads", threads, 1)}
        return Extractor(**given)

    def describe(
        self,
        image: Any,
        keypoints: Features | npt.ArrayLike,
        orientation_from: Literal["keypoint", "image"] = "keypoint",
    ) -> Description:
        """Describes keypoints that the caller gives: of another detector, of another image, or of a grid.

        `keypoints` are Features, records (`KEYPOINT`), or N x 3 to N x 5 numbers: x, y, scale [pixel], and orientation
        [radian], which is 0 if it is not given, and response. With `orientation_from="image"` the orientations are those of
        an extraction, so a keypoint may get several descriptions. The keypoints of an extraction by the same options give
        its features again, byte by byte. Keypoints that cannot be described are warned of, and are in
        `Description.left_out`. Raises InvalidArgument, InvalidOption and OutOfMemory.
        """
        if isinstance(keypoints, Features):
            points = keypoints
        elif (given := array_of("keypoints", keypoints)).ndim == 2 and given.shape[1] == 2:
            raise InvalidArgument(
                "keypoints are N x 2, but a description needs their scales too: N x 3 (x, y, scale) or N x 4 (orientation)"
            )
        else:
            points = Features(records_of(given, 3))
        description = self._describe(image, points, orientation_from)
        if description.left_out:
            index, why = description.left_out[0]
            count = f"{len(description.left_out)} of {len(points)} keypoints"
            warner()(f"{count} have no description: keypoint {index} {why}")
        return description

    def _describe(self, image: Any, points: Features, orientation_from: str) -> Description:
        check_one_of("orientation_from", orientation_from, ("keypoint", "image"))
        arrays, inputs, left_out = self._worker.describe(image, points._bytes(), orientation_from == "image")
        return Description(Features._of(arrays), inputs, left_out)

    def estimate(self, image: Any, masked: bool = False) -> list[MemoryEstimate]:
        """The memory that images of this shape and type take on each device. Pixels are not read."""
        return [MemoryEstimate(**facts) for facts in self._worker.estimate(image, flag("masked", masked))]

    def estimate_description(self, image: Any, keypoints: int) -> MemoryEstimate:
        """The memory that `describe` takes for this number of keypoints of an image of this shape and type."""
        return MemoryEstimate(**self._worker.estimate_description(image, whole("keypoints", keypoints)))

    def release(self) -> None:
        """Waits for the images in flight and frees all buffers. The next image allocates new ones."""
        self._worker.release()

    @property
    def detector(self) -> str:
        """ "sift" or "foagdd"."""
        return self._worker.detector

    @property
    def best_in_flight(self) -> int:
        """The number of images in flight that keeps the devices busy; 1 if `submit` does the work."""
        return self._worker.best_in_flight

    def __repr__(self) -> str:
        return f"<octavo.Extractor: {self.detector} on {self.device}>"


def _number_of(stream: int | None) -> int | None:
    return None if stream is None else whole("stream", stream)


def _with_masks(images: Iterable[Any], masks: Iterable[Any] | None) -> Iterator[tuple[Any, Any]]:
    if masks is None:
        yield from ((image, None) for image in items_of("images", images))
        return
    for image, mask in zip_longest(items_of("images", images), items_of("masks", masks), fillvalue=_MISSING):
        if image is _MISSING or mask is _MISSING:
            raise InvalidArgument(f"there are fewer {'images' if image is _MISSING else 'masks'} than the others")
        yield image, mask


_MISSING = object()

_kept: Kept[Extractor] = Kept()


@refusing
def extract(
    image: Any,
    mask: Any = None,
    *,
    detector: str = "sift",
    preset: str | None = None,
    device: str = "auto",
    order: Literal["rgb", "bgr"] = "rgb",
    range: Range = "image",
    black: float = 0,
    white: float = 0,
    progress: Progress | None = None,
    **options: Unpack[DetectorOptions],
) -> Features:
    """The features of one image: those of `Extractor(...).extract(image, mask)`.

    Each thread keeps the extractors of its last calls, so further calls with the same options are fast.
    """
    extractor = _kept.get(
        Extractor,
        detector=detector,
        preset=preset,
        device=device,
        order=order,
        range=range,
        black=black,
        white=white,
        progress=progress,
        **options,
    )
    return extractor.extract(image, mask)
