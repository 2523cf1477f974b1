"""Descriptors of other detectors as bytes, which the matcher compares exactly on every device."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from ._checks import numbers_of
from ._features import DESCRIPTOR_LENGTH
from .errors import InvalidArgument

_BLOCK = 1 << 22
"""Distances that are made at a time."""


class DescriptorScale:
    """One rule that turns descriptors of any kind into bytes: a value v becomes round((v - low) / step), 0 to 255.

    Descriptors are N x D numbers with D up to 128, such as those of ALIKED, DISK and XFeat. The rows that `rows` gives have
    128 bytes, of which those beyond D are 0, so their squared distances are those of the descriptors in steps, rounded
    before the comparison and then exact. All sets that are matched must have the same rule.

        scale = octavo.DescriptorScale.of(a, b)
        matches = octavo.match(scale.rows(a), scale.rows(b), ratio=0.9)
        scale.loss(a, b)        # the share of nearest neighbours that the rounding has changed
    """

    __slots__ = ("low", "step")

    low: float
    """The value that becomes 0."""
    step: float
    """The difference that becomes 1."""

    def __init__(self, low: float, step: float) -> None:
        """A rule that is known. Raises InvalidArgument for a step that is not above 0."""
        if not (np.isfinite(low) and np.isfinite(step) and step > 0):
            raise InvalidArgument(f"low is {low!r} and step {step!r}, but both must be finite, and step above 0")
        self.low, self.step = float(low), float(step)

    @classmethod
    def of(cls, *sets: npt.ArrayLike) -> DescriptorScale:
        """The finest rule that holds all values of these sets. Raises InvalidArgument."""
        arrays = [array for array in map(_checked, sets) if array.size > 0]
        if not arrays:
            raise InvalidArgument("there are no descriptors, of which the scale could be")
        low, high = min(array.min() for array in arrays), max(array.max() for array in arrays)
        return cls(low, (high - low) / 255 if high > low else 1.0)

    def rows(self, descriptors: npt.ArrayLike) -> npt.NDArray[np.uint8]:
        """The descriptors in bytes, N x 128, for `match`, `Matcher` and `Features`. Values outside the rule's range become 0
        or 255. Raises InvalidArgument."""
        array = _checked(descriptors)
        rows = np.zeros((len(array), DESCRIPTOR_LENGTH), np.uint8)
        rows[:, : array.shape[1]] = np.clip(np.rint((array - self.low) / self.step), 0, 255)
        return rows

    def loss(self, a: npt.ArrayLike, b: npt.ArrayLike) -> float:
        """The share of `a`, 0 to 1, whose nearest neighbour among `b` is another one in bytes than in the numbers."""
        array_a, array_b = _checked(a), _checked(b)
        if len(array_a) == 0 or len(array_b) == 0:
            return 0.0
        in_bytes = _nearest(self.rows(a).astype(np.float64), self.rows(b).astype(np.float64))
        changed = sum(int(np.sum(one != other)) for one, other in zip(_nearest(array_a, array_b), in_bytes))
        return changed / len(array_a)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, DescriptorScale):
            return NotImplemented
        return (self.low, self.step) == (other.low, other.step)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"octavo.DescriptorScale({self.low!r}, {self.step!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return DescriptorScale, (self.low, self.step)


def _checked(descriptors: npt.ArrayLike) -> npt.NDArray[np.float64]:
    array = numbers_of("descriptors", descriptors)
    if array.ndim != 2 or array.shape[1] > DESCRIPTOR_LENGTH:
        raise InvalidArgument(
            f"descriptors are of the shape {array.shape}, but must be N x D with D of at most {DESCRIPTOR_LENGTH}, which is the"
            " length of the rows that are matched"
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
