"""Images as vectors: vocabularies of visual words, VLADs, and words and codes of descriptors."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from . import _octavo
from ._checks import array_of, check_word, path_of, refusing, told, whole
from ._compared import Compared
from ._device_features import DeviceFeatures
from ._devices import Progress
from ._matcher import Described, _rows
from ._remade import Remade
from .errors import FileError, InvalidArgument, WrongType

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._option_types import DeviceOptions, VocabularyOptions


class Vocabulary:
    """The centres of visual words, k x 128 in uint8, for RootSIFT descriptors. It never changes."""

    __slots__ = ("_vocabulary",)

    def __init__(self, centres: npt.NDArray[np.uint8], origin: str = "") -> None:
        """`origin` is a text for people: what the centres were trained on."""
        check_word("origin", origin)
        self._vocabulary = _octavo.Vocabulary(np.ascontiguousarray(array_of("centres", centres)), origin)

    @classmethod
    def _of(cls, vocabulary: _octavo.Vocabulary) -> Vocabulary:
        self = cls.__new__(cls)
        self._vocabulary = vocabulary
        return self

    @classmethod
    def general(cls) -> Vocabulary:
        """The vocabulary that Octavo brings: 64 words."""
        return cls._of(_octavo.general_vocabulary())

    @classmethod
    def load(cls, file: str | os.PathLike[str]) -> Vocabulary:
        """Reads a vocabulary's file. Raises FileError that says what is wrong."""
        name = path_of(file)
        try:
            with open(name, "rb") as stream:
                told = name.encode(errors="surrogateescape").decode(errors="replace")
                return cls._of(_octavo.decode_vocabulary(stream.read(), told))
        except FileError:
            raise
        except OSError as error:
            raise FileError(f"cannot read '{name}': {error.strerror}") from error

    def save(self, file: str | os.PathLike[str]) -> None:
        """Writes a vocabulary's file: the same vocabulary gives the same bytes. Raises FileError."""
        name = path_of(file)
        try:
            with open(name, "wb") as stream:
                stream.write(self._vocabulary.encode())
        except OSError as error:
            raise FileError(f"cannot write '{name}': {error.strerror}") from error

    @property
    def centres(self) -> npt.NDArray[np.uint8]:
        """A copy of the centres, k x 128 in uint8."""
        return self._vocabulary.centres

    @property
    def origin(self) -> str:
        """What it was trained on, for people."""
        return self._vocabulary.origin

    def __len__(self) -> int:
        return len(self._vocabulary)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Vocabulary):
            return NotImplemented
        return self._vocabulary.equals(other._vocabulary)

    __hash__: ClassVar[None] = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<octavo.Vocabulary: {len(self)} words>"

    def __reduce__(self) -> tuple[Any, ...]:
        return Vocabulary, (self.centres, self.origin)


@dataclass(frozen=True, eq=False)
class VocabularyTraining(Compared):
    """A vocabulary, and how its training went."""

    vocabulary: Vocabulary
    rounds: int
    """How often the centres were moved."""
    has_settled: bool
    """False: `max_rounds` ended the training."""
    distance2: int
    """The sum of the squared distances of all descriptors to their centres."""
    counts: npt.NDArray[np.uint32]
    """The number of descriptors of each word."""


@refusing
def train_vocabulary(
    descriptors: Described,
    *,
    origin: str = "",
    device: str = "auto",
    progress: Progress | None = None,
    **options: Unpack[VocabularyOptions],
) -> VocabularyTraining:
    """Trains a vocabulary by k-means, in integers. The result is the same on every device and with any number of threads.

    Options: `words` (64), `max_rounds` (100) and `seed` (1), and those of devices. Raises InvalidArgument if there are fewer
    different descriptors than words, InvalidOption, UnknownOption, DeviceUnavailable and OutOfMemory.
    """
    check_word("origin", origin)
    trained = _octavo.train_vocabulary(_rows(descriptors), {"device": device, **options}, origin, progress)
    return VocabularyTraining(Vocabulary._of(trained[0]), *trained[1:])


class VladEncoder(Remade):
    """Makes the VLADs of images: one vector for each, whose product tells how similar two images are."""

    def __init__(
        self,
        vocabulary: Vocabulary | None = None,
        *,
        device: str = "auto",
        progress: Progress | None = None,
        **options: Unpack[DeviceOptions],
    ) -> None:
        """`vocabulary` has at most 1024 words; None: the general one. `options` are those of devices."""
        vocabulary = Vocabulary.general() if vocabulary is None else vocabulary
        if not isinstance(vocabulary, Vocabulary):
            raise WrongType(
                f"the vocabulary is {told(vocabulary)}, but must be octavo.Vocabulary; Vocabulary.load reads one"
            )
        given = {"device": device, **options}
        self._given = {"vocabulary": vocabulary, "progress": progress, **given}
        self._encoder = _octavo.VladEncoder(vocabulary._vocabulary, given, progress)

    def encode(self, features: Described | DeviceFeatures) -> npt.NDArray[np.int16]:
        """The VLAD of an image, k*128 in int16, of length 2^14. Raises InvalidArgument and OutOfMemory."""
        if isinstance(features, DeviceFeatures):
            return self._encoder.encode_on_device(features._handle)
        return self._encoder.encode(_rows(features))

    @property
    def vocabulary(self) -> Vocabulary:
        """The vocabulary in use."""
        return Vocabulary._of(self._encoder.vocabulary)

    @property
    def device(self) -> str:
        """Where the work runs: "cpu", "reference", "cuda:0", never "auto"."""
        return self._encoder.device


@refusing
def vlad_product(a: npt.NDArray[np.int16], b: npt.NDArray[np.int16]) -> int:
    """The scalar product of two VLADs, an exact whole number."""
    return _octavo.vlad_product(_vlad(a), _vlad(b))


@refusing
def vlad_similarity(a: npt.NDArray[np.int16], b: npt.NDArray[np.int16]) -> float:
    """The cosine of the angle between two VLADs, -1 to 1; 0 if one has no features."""
    product = _octavo.vlad_similarity(_vlad(a), _vlad(b))
    return min(max(product, -1.0), 1.0)  # the numbers of VLADs are rounded


def _vlad(numbers: Any) -> npt.NDArray[np.int16]:
    array = array_of("a VLAD", numbers)
    if array.ndim != 1 or array.dtype != np.int16:
        raise InvalidArgument(f"a VLAD is of the shape {array.shape} in {array.dtype}, but must be a row in int16")
    return np.ascontiguousarray(array)


@refusing
def most_similar_images(
    vlads: Sequence[npt.NDArray[np.int16]] | npt.NDArray[np.int16],
    count: int,
    *,
    threads: int = 0,
    progress: Progress | None = None,
) -> list[tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]]:
    """For each image the `count` most similar other ones: their indices and products, most similar first.

    `vlads` are N rows of one length, of one vocabulary. The search is exact.
    """
    matrix = np.ascontiguousarray(array_of("VLADs", vlads))
    if matrix.ndim != 2 or matrix.dtype != np.int16:
        raise InvalidArgument(
            f"the VLADs are of the shape {matrix.shape} in {matrix.dtype}, but must be N rows in int16"
        )
    return _octavo.most_similar_images(matrix, whole("count", count), {"device": "cpu", "threads": threads}, progress)


class FeatureQuantiser(Remade):
    """Makes words and codes of RootSIFT descriptors, 18 bytes in the place of 128, for inverted lists."""

    def __init__(
        self,
        words: int = 1,
        *,
        device: str = "auto",
        progress: Progress | None = None,
        **options: Unpack[DeviceOptions],
    ) -> None:
        """`words` is the number of near words of each descriptor, 1 to 256. `options` are those of devices."""
        given = {"device": device, **options}
        self._given = {"words": words, "progress": progress, **given}
        self._quantiser = _octavo.FeatureQuantiser(whole("words", words), given, progress)

    def quantise(self, features: Described | DeviceFeatures) -> tuple[npt.NDArray[np.uint16], npt.NDArray[np.uint64]]:
        """Words, N x `words` in uint16, nearest first, and codes of 128 bits, N x 2 in uint64."""
        if isinstance(features, DeviceFeatures):
            return self._quantiser.quantise_on_device(features._handle)
        return self._quantiser.quantise(_rows(features))

    @property
    def device(self) -> str:
        """Where the work runs: "cpu", "reference", "cuda:0", never "auto"."""
        return self._quantiser.device
