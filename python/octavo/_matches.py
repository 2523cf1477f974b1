"""Pairs of features that show the same point."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, overload

import numpy as np
import numpy.typing as npt

from ._checks import array_of, part_of, told
from .errors import InvalidArgument

MATCH = np.dtype([("a", np.int32), ("b", np.int32), ("distance2", np.uint32)])
"""The record of a match: indices into both sets, and the squared Euclidean distance of the descriptors."""


class Matches:
    """Matches of two sets of features, by ascending index of the first set.

    `records` is an array of N records (`MATCH`). `a` and `b` are the indices, `pairs` both as N x 2, and `distance2` the
    squared distances, exact whole numbers. `matches[i]` is a record; a slice, a mask or an array of indices gives
    Matches.
    """

    __slots__ = ("records",)

    records: npt.NDArray[np.void]

    def __init__(self, records: npt.NDArray[np.void]) -> None:
        """Matches of records. Raises InvalidArgument for another array; `of` takes pairs of indices."""
        if not (isinstance(records, np.ndarray) and records.ndim == 1 and records.dtype == MATCH):
            raise InvalidArgument(
                f"the records are {told(records)}, but must be an array of octavo.MATCH; octavo.Matches.of takes pairs"
            )
        self.records = records

    @classmethod
    def _of(cls, array: Any) -> Matches:
        return cls(array.view(MATCH)[:, 0])

    @classmethod
    def of(cls, pairs: npt.ArrayLike) -> Matches:
        """Matches of any pairs, N x 2 whole numbers: indices into both sets. The distances are 0. Raises
        InvalidArgument."""
        array = array_of("pairs", pairs)
        if array.size == 0:
            array = np.zeros((0, 2), np.int32)
        if array.ndim != 2 or array.shape[1] != 2 or array.dtype.kind not in "iu":
            raise InvalidArgument(
                f"pairs are of the shape {array.shape} in {array.dtype}, but must be N x 2 whole numbers"
            )
        if array.size > 0 and not (array.min() >= 0 and array.max() <= np.iinfo(np.int32).max):
            raise InvalidArgument(
                f"pairs are indices from 0 to {np.iinfo(np.int32).max}, but one is {array.min() if array.min() < 0 else array.max()}"
            )
        records = np.zeros(len(array), MATCH)
        records["a"], records["b"] = array[:, 0], array[:, 1]
        return cls(records)

    def _bytes(self) -> npt.NDArray[np.uint8]:
        """The records as the extension module takes them."""
        packed = np.ascontiguousarray(self.records)
        return packed.view(np.uint8).reshape(len(packed), MATCH.itemsize)

    @property
    def a(self) -> npt.NDArray[np.int32]:
        """Indices into the first set, N in int32."""
        return self.records["a"]

    @property
    def b(self) -> npt.NDArray[np.int32]:
        """Indices into the second set, N in int32."""
        return self.records["b"]

    @property
    def distance2(self) -> npt.NDArray[np.uint32]:
        """Squared distances, N in uint32."""
        return self.records["distance2"]

    @property
    def pairs(self) -> npt.NDArray[np.int32]:
        """Indices, N x 2 in int32: a and b."""
        return np.ascontiguousarray(self.records).view(np.int32).reshape(len(self.records), 3)[:, 0:2]

    def __len__(self) -> int:
        return len(self.records)

    @overload
    def __getitem__(self, index: int | np.integer[Any]) -> np.void: ...
    @overload
    def __getitem__(self, index: slice | npt.NDArray[Any] | list[int] | list[bool]) -> Matches: ...
    def __getitem__(self, index: Any) -> Any:
        chosen = part_of(self.records, index)
        return chosen if isinstance(chosen, np.void) else Matches(chosen)

    def __iter__(self) -> Iterator[np.void]:
        return iter(self.records)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Matches):
            return NotImplemented
        return bool(np.array_equal(self.records, other.records))

    __hash__: ClassVar[None] = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<octavo.Matches: {len(self)}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return Matches, (self.records,)
