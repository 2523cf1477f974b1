"""OpenCV's matchers of descriptors, computed by Octavo."""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable, Sequence
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from .._checks import told
from .._features import DESCRIPTOR_LENGTH
from .._matcher import whole_rows
from ..errors import InvalidArgument
from ._feature2d import NORM_L2, array_of
from ._keypoints import DMatch, opencv_module
from ._neighbours import Mask, Nearest, Neighbours, Rows

NORM_L2SQR = 5
"""The value of cv2.NORM_L2SQR."""

Matches = tuple[DMatch, ...]
ManyMatches = tuple[Matches, ...]
Masks = Sequence[Any] | None


class _OfOthers(Exception):
    """The descriptors or the norm are not those of SIFT."""


def _or_opencv(method: Callable[..., Any]) -> Callable[..., Any]:
    """Descriptors and norms that are not SIFT's go to OpenCV's own matcher, so that a program may use both."""

    @functools.wraps(method)
    def either(self: DescriptorMatcher, queryDescriptors: Any, *arguments: Any, **named: Any) -> Any:
        try:
            return method(self, queryDescriptors, *arguments, **named)
        except _OfOthers:
            pass
        try:
            return getattr(self._opencv(), method.__name__)(queryDescriptors, *arguments, **named)
        except opencv_module().error as error:
            raise InvalidArgument(f"cv2.{type(self).__name__} cannot match these descriptors: {error.err}") from error

    return either


class DescriptorMatcher:
    """What both matchers have. Octavo matches SIFT's descriptors, N x 128 of whole numbers 0 to 255 in float32 or uint8;
    others are left to OpenCV's own matcher.

    The trained descriptors are sets, one for each image, whose number is `DMatch.imgIdx`. Neighbours are exact, and equal
    ones are in OpenCV's order: by image, then by index.
    """

    def __init__(self, normType: int = NORM_L2, crossCheck: bool = False, *, device: str = "auto") -> None:
        self._norm = int(normType)
        self._cross_check = bool(crossCheck)
        self._neighbours = Neighbours(device, normType == NORM_L2SQR)
        self._trained: list[npt.NDArray[Any]] = []

    @staticmethod
    def create(matcherType: str | int) -> Any:
        """The same as DescriptorMatcher_create."""
        return DescriptorMatcher_create(matcherType)

    def _new_of_opencv(self) -> Any:
        return opencv_module().BFMatcher(self._norm, self._cross_check)

    def _opencv(self) -> Any:
        """OpenCV's matcher of the same arguments and sets."""
        matcher = self._new_of_opencv()
        if self._trained:
            matcher.add(self._trained)
        return matcher

    def getDefaultName(self) -> str:
        """ "my_object", as in OpenCV."""
        return str(self._new_of_opencv().getDefaultName())

    def write(self, *arguments: Any) -> None:
        """Writes what OpenCV's matcher of the same arguments does: to a file, or to a cv2.FileStorage under a name."""
        self._new_of_opencv().write(*arguments)

    def save(self, filename: str) -> None:
        """Writes what OpenCV's matcher of the same arguments does."""
        self._new_of_opencv().save(filename)

    def read(self, fileName: Any) -> None:
        """Does nothing: no setting of a file of OpenCV's changes what is found."""

    def add(self, descriptors: Sequence[Any]) -> None:
        """Adds the descriptors of images, a list of arrays, to those that are searched."""
        is_one = isinstance(descriptors, np.ndarray) and descriptors.ndim == 2
        self._trained += map(array_of, [descriptors] if is_one else descriptors)

    def train(self) -> None:
        """Does nothing: there is no index."""

    def clear(self) -> None:
        """Forgets the descriptors that were added."""
        self._trained = []

    def empty(self) -> bool:
        """Whether no descriptors were added."""
        return not self._trained

    def getTrainDescriptors(self) -> tuple[npt.NDArray[Any], ...]:
        """The descriptors that were added."""
        return tuple(self._trained)

    def isMaskSupported(self) -> bool:
        """True. With crossCheck there can be no mask, as in OpenCV."""
        return True

    def clone(self, emptyTrainData: bool = False) -> DescriptorMatcher:
        """A copy, with or without the descriptors that were added."""
        other = copy.copy(self)
        other._trained = [] if emptyTrainData else list(self._trained)
        return other

    @overload
    def match(self, queryDescriptors: Any, trainDescriptors: npt.NDArray[Any], mask: Any = None) -> Matches: ...
    @overload
    def match(self, queryDescriptors: Any, masks: Masks = None) -> Matches: ...
    @_or_opencv
    def match(self, queryDescriptors: Any, *arguments: Any, **named: Any) -> Any:
        """The nearest row of each query: of `trainDescriptors`, or of what was added. `mask`, N x M in uint8, allows
        pairs where it is not 0; `masks` has one for each image that was added."""
        sets, allowed = self._sets(_by_name(arguments, named, None))
        found = self._nearest(queryDescriptors, sets, 1, allowed)
        return tuple(one for many in _as_matches(found, sets, True) for one in many)

    @overload
    def knnMatch(
        self,
        queryDescriptors: Any,
        trainDescriptors: npt.NDArray[Any],
        k: int,
        mask: Any = None,
        compactResult: bool = False,
    ) -> ManyMatches: ...
    @overload
    def knnMatch(
        self, queryDescriptors: Any, k: int, masks: Masks = None, compactResult: bool = False
    ) -> ManyMatches: ...
    @_or_opencv
    def knnMatch(self, queryDescriptors: Any, *arguments: Any, **named: Any) -> Any:
        """The `k` nearest rows of each query, nearest first. `compactResult` leaves out queries without any."""
        given = _by_name(arguments, named, "k")
        k = given["k"]
        if isinstance(k, bool) or not isinstance(k, (int, np.integer)) or k < 1:
            raise InvalidArgument(f"k is {told(k)}, but must be a whole number of at least 1")
        if self._cross_check and k > 1:
            raise InvalidArgument(f"k is {k}, but with crossCheck it must be 1")
        sets, allowed = self._sets(given)
        found = self._nearest(queryDescriptors, sets, int(k), allowed)
        return _as_matches(found, sets, given["compactResult"])

    @overload
    def radiusMatch(
        self,
        queryDescriptors: Any,
        trainDescriptors: npt.NDArray[Any],
        maxDistance: float,
        mask: Any = None,
        compactResult: bool = False,
    ) -> ManyMatches: ...
    @overload
    def radiusMatch(
        self, queryDescriptors: Any, maxDistance: float, masks: Masks = None, compactResult: bool = False
    ) -> ManyMatches: ...
    @_or_opencv
    def radiusMatch(self, queryDescriptors: Any, *arguments: Any, **named: Any) -> Any:
        """All rows that are at most `maxDistance` away from each query, nearest first."""
        given = _by_name(arguments, named, "maxDistance")
        if self._cross_check:
            raise InvalidArgument("radiusMatch cannot be used with crossCheck")
        sets, allowed = self._sets(given)
        queries = self._queries(queryDescriptors, allowed)
        near = self._neighbours.within(queries, _joined(sets), given["maxDistance"], allowed)
        found = [_as_matches(one, sets, False, query)[0] for query, one in enumerate(near)]
        return tuple(one for one in found if one or not given["compactResult"])

    def _sets(self, given: dict[str, Any]) -> tuple[list[Rows], Mask | None]:
        """The sets that are searched, and which pairs are allowed."""
        if self._norm not in (NORM_L2, NORM_L2SQR):
            raise _OfOthers
        if given["trainDescriptors"] is None:
            sets = [_rows(one) for one in self._trained]
            return sets, self._allowed(given["masks"], sets)
        sets = [_rows(given["trainDescriptors"])]
        return sets, self._allowed(None if given["mask"] is None else [given["mask"]], sets)

    def _allowed(self, masks: Any, sets: Sequence[Rows]) -> Mask | None:
        if masks is None or len(masks) == 0:
            return None
        if self._cross_check:
            raise InvalidArgument("there can be no mask with crossCheck")
        arrays = [array_of(one) for one in masks]
        if [one.shape[1:] for one in arrays] != [(len(rows),) for rows in sets] or any(
            one.dtype not in (np.uint8, np.bool_) for one in arrays
        ):
            shapes = ", ".join(f"{one.shape} in {one.dtype}" for one in arrays)
            raise InvalidArgument(
                f"the masks are {shapes}, but must be queries x train descriptors in uint8, for each set"
            )
        return np.concatenate([one != 0 for one in arrays], axis=1)

    @staticmethod
    def _queries(queries: Any, allowed: Mask | None) -> Rows:
        rows = _rows(queries)
        if allowed is not None and len(allowed) != len(rows):
            raise InvalidArgument(f"the mask has {len(allowed)} rows, but there are {len(rows)} query descriptors")
        return rows

    def _nearest(self, queries: Any, sets: Sequence[Rows], k: int, allowed: Mask | None) -> Nearest:
        rows, trains = self._queries(queries, allowed), _joined(sets)
        if self._cross_check and len(trains) > 0 and len(rows) > 0:
            return self._neighbours.mutual(rows, trains)
        return self._neighbours.nearest(rows, trains, k, allowed)


class BFMatcher(DescriptorMatcher):
    """cv2.BFMatcher for SIFT, many times as fast: the same matches, in the same order."""

    @staticmethod
    def create(  # type: ignore[override]
        normType: int = NORM_L2, crossCheck: bool = False, *, device: str = "auto"
    ) -> BFMatcher:
        """The same as the class."""
        return BFMatcher(normType, crossCheck, device=device)


class FlannBasedMatcher(DescriptorMatcher):
    """cv2.FlannBasedMatcher for SIFT. Its neighbours are exact, so both parameters have no effect. They have for the
    descriptors of others, which OpenCV's own matches."""

    def __init__(self, indexParams: Any = None, searchParams: Any = None, *, device: str = "auto") -> None:
        super().__init__(device=device)
        self._parameters = [one for one in (indexParams, searchParams) if one is not None]

    def _new_of_opencv(self) -> Any:
        return opencv_module().FlannBasedMatcher(*self._parameters)

    @staticmethod
    def create() -> FlannBasedMatcher:  # type: ignore[override]
        """The same as the class."""
        return FlannBasedMatcher()


def BFMatcher_create(normType: int = NORM_L2, crossCheck: bool = False, *, device: str = "auto") -> BFMatcher:
    """The same as BFMatcher."""
    return BFMatcher(normType, crossCheck, device=device)


def FlannBasedMatcher_create() -> FlannBasedMatcher:
    """The same as FlannBasedMatcher."""
    return FlannBasedMatcher()


def DescriptorMatcher_create(descriptorMatcherType: str | int) -> Any:
    """The matcher of a type: one of this module for "BruteForce" (2), "BruteForce-SL2" (6) and "FlannBased" (1), else
    OpenCV's. The parameter has no name in some versions of OpenCV. Raises InvalidArgument."""
    if descriptorMatcherType in ("BruteForce", 2):
        return BFMatcher()
    if descriptorMatcherType in ("BruteForce-SL2", 6):
        return BFMatcher(NORM_L2SQR)
    if descriptorMatcherType in ("FlannBased", 1):
        return FlannBasedMatcher()
    try:
        return opencv_module().DescriptorMatcher_create(descriptorMatcherType)
    except opencv_module().error as error:
        raise InvalidArgument(f"descriptorMatcherType is {told(descriptorMatcherType)}: {error.err}") from error


def _by_name(arguments: tuple[Any, ...], named: dict[str, Any], limit: str | None) -> dict[str, Any]:
    """The arguments behind the queries of OpenCV's two forms: with train descriptors, or of those that were added.
    `limit` is what knnMatch and radiusMatch have, and match has not."""
    first: Any = array_of(arguments[0]) if arguments else None
    of_added = "trainDescriptors" not in named and (isinstance(first, (list, tuple)) or np.ndim(first) == 0)
    names = ["masks"] if of_added else ["mask"]
    if limit is not None:
        names = [limit, *names, "compactResult"]
    if not of_added:
        names = ["trainDescriptors", *names]
    if len(arguments) > len(names):
        raise InvalidArgument(
            f"there are {len(arguments)} arguments after the query descriptors, but at most {len(names)}"
        )
    given = {"trainDescriptors": None, "mask": None, "masks": None, "compactResult": False}
    given.update(zip(names, arguments))
    for name, value in named.items():
        if name not in names:
            raise InvalidArgument(f"there is no argument {name!r} here; there are {', '.join(names)}")
        given[name] = value
    if limit is not None and limit not in given:
        raise InvalidArgument(f"{limit} is not given")
    return given


def _rows(descriptors: Any) -> Rows:
    array = array_of(descriptors)
    if array is None or np.size(array) == 0:  # of an image without keypoints
        return np.zeros((0, 128), np.uint8)
    rows = whole_rows(array)
    if rows is None or (np.ndim(rows) == 2 and np.shape(rows)[1] != DESCRIPTOR_LENGTH):
        raise _OfOthers
    return rows


def _joined(sets: Sequence[Rows]) -> Rows:
    if len(sets) == 1:
        return sets[0]
    return np.concatenate(sets) if sets else np.zeros((0, 128), np.uint8)


def _as_matches(found: Nearest, sets: Sequence[Rows], is_compact: bool, first_query: int = 0) -> ManyMatches:
    starts = np.cumsum([0, *map(len, sets)])[:-1]
    queries, columns = found.index.shape
    query = np.repeat(np.arange(first_query, first_query + queries), columns)
    index = found.index.ravel()
    image = np.searchsorted(starts, index, side="right") - 1 if len(sets) > 1 else np.zeros_like(index)
    place = index - starts[image] if len(sets) > 1 else index
    parts = (query, place, image, found.distance.ravel())
    each = iter(list(map(opencv_module().DMatch, *(part.tolist() for part in parts))))
    if columns > 0 and (index >= 0).all():
        return tuple(zip(*[each] * columns))  # so many at a time
    many = [tuple(one for i, one in zip(row, each) if i >= 0) for row in found.index.tolist()]
    return tuple(one for one in many if one or not is_compact)
