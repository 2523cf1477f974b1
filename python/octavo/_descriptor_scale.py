"""Descriptors of other detectors as bytes, which the matcher compares exactly on every device."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from ._checks import number, numbers_of, told
from ._features import DESCRIPTOR_LENGTH
from .errors import InvalidArgument

_BLOCK = 1 << 22
"""Distances that are made at a time."""

LONGEST_DESCRIPTOR = 512
"""The most numbers of a descriptor."""

_AXIS_UNIT = 4096
"""The length of an axis, whose parts are whole numbers."""

_FINE = 64
"""Values are whole numbers of steps / _FINE before they are projected."""


class DescriptorScale:
    """One rule that turns descriptors of any kind into bytes: a value v becomes round((v - low) / step), 0 to 255.

    Descriptors are N x D numbers with D up to 512, such as those of ALIKED, DISK, XFeat and SuperPoint. The rows that `rows`
    gives have 128 bytes, of which those beyond D are 0, so their squared distances are those of the descriptors in steps,
    rounded before the comparison and then exact. Of more than 128 numbers the parts along 128 axes stay, in which the sets
    of the rule differ most (principal components). All sets that are matched must have the same rule.

        scale = octavo.DescriptorScale.of(a, b)
        matches = octavo.match(scale.rows(a), scale.rows(b), ratio=0.9)
        scale.loss(a, b)        # the share of nearest neighbours that the rounding has changed

    A rule gives the same bytes on every machine. One with axes is to be stored (pickle), not made anew: the last bits of
    axes depend on NumPy's linear algebra.
    """

    __slots__ = ("axes", "low", "step")

    low: float | npt.NDArray[np.float64]
    """The value that becomes 0; with axes one for each."""
    step: float
    """The difference that becomes 1."""
    axes: npt.NDArray[np.int16] | None
    """D x 128: the axes in units of 1 / 4096; None: the numbers are taken as they are."""

    def __init__(self, low: npt.ArrayLike, step: float, axes: npt.ArrayLike | None = None) -> None:
        """A rule that is known. Raises InvalidArgument for a step that is not above 0, and for axes of another shape."""
        lows, step = numbers_of("low", low), number("step", step)
        if not (np.isfinite(lows).all() and np.isfinite(step) and step > 0):
            raise InvalidArgument(
                f"low is {told(low)} and step {told(step)}, but both must be finite, and step above 0"
            )
        self.axes = None if axes is None else numbers_of("axes", axes).astype(np.int16)
        shape = () if self.axes is None else (DESCRIPTOR_LENGTH,)
        if lows.shape != shape or (self.axes is not None and self.axes.shape[1:] != shape):
            raise InvalidArgument("low must be a number; with axes, D x 128, an array of 128")
        self.low = lows if shape else float(lows)
        self.step = float(step)

    @classmethod
    def of(cls, *sets: npt.ArrayLike) -> DescriptorScale:
        """The finest rule that holds all values of these sets. Raises InvalidArgument."""
        return cls._of(sets)

    @classmethod
    def _of(cls, sets: Iterable[npt.ArrayLike]) -> DescriptorScale:
        """The same of sets that are looked at several times, one after the other."""

        def arrays() -> Iterator[npt.NDArray[np.float64]]:
            return (array for array in map(_checked, sets) if array.size > 0)

        lengths = {array.shape[1] for array in arrays()}
        if not lengths:
            raise InvalidArgument("there are no descriptors, of which the scale could be")
        if len(lengths) > 1:
            raise InvalidArgument("the sets have descriptors of several lengths")
        if max(lengths) > DESCRIPTOR_LENGTH:
            return cls._along_axes(arrays)
        low, high = _ends(array.ravel() for array in arrays())
        return cls(low, (high - low) / 255 if high > low else 1.0)

    @classmethod
    def _along_axes(cls, arrays: Callable[[], Iterator[npt.NDArray[np.float64]]]) -> DescriptorScale:
        mean = sum(array.sum(axis=0) for array in arrays()) / sum(map(len, arrays()))
        scatter = sum((array - mean).T @ (array - mean) for array in arrays())
        principal = np.linalg.eigh(scatter)[1][:, : -DESCRIPTOR_LENGTH - 1 : -1]
        axes = np.rint(_AXIS_UNIT * principal)
        low, high = _ends(array @ axes / _AXIS_UNIT for array in arrays())
        width = float(np.max(high - low))
        return cls(low, width / 255 if width > 0 else 1.0, axes)

    def rows(self, descriptors: npt.ArrayLike) -> npt.NDArray[np.uint8]:
        """The descriptors in bytes, N x 128, for `match`, `Matcher` and `Features`. Values outside the rule's range become 0
        or 255. Raises InvalidArgument."""
        array = _checked(descriptors)
        length, most = array.shape[1], DESCRIPTOR_LENGTH if self.axes is None else len(self.axes)
        if length > most or (self.axes is not None and length < most):
            raise InvalidArgument(f"descriptors have {length} numbers, but this rule is for {most}")
        if self.axes is not None:
            # Sums of whole numbers below 2^53, which float64 holds exactly in whatever order they are added.
            fine = np.clip(np.rint(array * (_FINE / self.step)), -(1 << 30), 1 << 30)
            steps = fine @ self.axes.astype(np.float64) / (_FINE * _AXIS_UNIT) - self.low / self.step
        else:
            steps = (array - self.low) / self.step
        rows = np.zeros((len(array), DESCRIPTOR_LENGTH), np.uint8)
        rows[:, : steps.shape[1]] = np.clip(np.rint(steps), 0, 255)
        return rows

    def loss(self, a: npt.ArrayLike, b: npt.ArrayLike) -> float:
        """The share of `a`, 0 to 1, whose nearest neighbour among `b` is another one in bytes than in the numbers."""
        array_a, array_b = _checked(a), _checked(b)
        if array_a.shape[1] != array_b.shape[1]:
            raise InvalidArgument(
                f"the descriptors of a have {array_a.shape[1]} numbers, but those of b {array_b.shape[1]}"
            )
        if len(array_a) == 0 or len(array_b) == 0:
            return 0.0
        in_bytes = _nearest(self.rows(a).astype(np.float64), self.rows(b).astype(np.float64))
        changed = sum(int(np.sum(one != other)) for one, other in zip(_nearest(array_a, array_b), in_bytes))
        return changed / len(array_a)

    def _digest(self) -> str:
        """Of all that determines the bytes."""
        arrays = (np.asarray(part, np.float64).tobytes() for part in self._parts() if part is not None)
        return hashlib.blake2b(b"".join(arrays), digest_size=16).hexdigest()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, DescriptorScale):
            return NotImplemented
        return all(np.array_equal(one, two) for one, two in zip(self._parts(), other._parts()))

    __hash__: ClassVar[None] = None  # type: ignore[assignment]

    def _parts(self) -> tuple[Any, ...]:
        return self.low, self.step, self.axes

    def __repr__(self) -> str:
        if self.axes is None:
            return f"octavo.DescriptorScale({self.low!r}, {self.step!r})"
        return f"<octavo.DescriptorScale of {len(self.axes)} numbers along {DESCRIPTOR_LENGTH} axes>"

    def __reduce__(self) -> tuple[Any, ...]:
        return DescriptorScale, self._parts()


def _ends(arrays: Iterable[npt.NDArray[np.float64]]) -> tuple[Any, Any]:
    """The smallest and the largest of what arrays have along their first side."""
    low, high = zip(*((array.min(axis=0), array.max(axis=0)) for array in arrays))
    return np.min(low, axis=0), np.max(high, axis=0)


def _checked(descriptors: npt.ArrayLike) -> npt.NDArray[np.float64]:
    array = numbers_of("descriptors", descriptors)
    if array.ndim != 2 or array.shape[1] > LONGEST_DESCRIPTOR:
        raise InvalidArgument(
            f"descriptors are of the shape {array.shape}, but must be N x D with D of at most {LONGEST_DESCRIPTOR}"
        )
    if not np.isfinite(array).all():
        raise InvalidArgument("a descriptor has a number that is not finite")
    return array


def _nearest(a: npt.NDArray[np.float64], b: npt.NDArray[np.float64]) -> Iterator[npt.NDArray[np.intp]]:
    """The index of the nearest row of `b` for some rows of `a` at a time."""
    squares = np.einsum("ij,ij->i", b, b)
    rows = max(1, _BLOCK // len(b))
    for first in range(0, len(a), rows):
        yield (squares - 2 * (a[first : first + rows] @ b.T)).argmin(axis=1)
