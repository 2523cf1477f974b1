"""Equality of objects that hold arrays, whose own `==` compares each element."""

from __future__ import annotations

import dataclasses
from typing import Any, ClassVar

import numpy as np


def are_equal(a: Any, b: Any) -> bool:
    """Whether two values are the same: arrays have one type, one shape and the same bytes."""
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        are_alike = type(a) is type(b) and a.dtype == b.dtype and a.shape == b.shape
        if are_alike and a.dtype.names:  # between fields may be bytes that mean nothing
            return all(are_equal(a[name], b[name]) for name in a.dtype.names)
        return bool(are_alike and a.tobytes() == b.tobytes())
    if isinstance(a, (list, tuple)) and type(a) is type(b):
        return len(a) == len(b) and all(map(are_equal, a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(are_equal(a[key], b[key]) for key in a)
    is_same_nan = isinstance(a, float) and isinstance(b, float) and a != a and b != b
    return is_same_nan or bool(a == b)


class Compared:
    """A dataclass that is equal to another one if all members are; it is made with eq=False."""

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        names = [field.name for field in dataclasses.fields(self)]  # type: ignore[arg-type]
        return are_equal([getattr(self, name) for name in names], [getattr(other, name) for name in names])

    __hash__: ClassVar[None] = None  # type: ignore[assignment]
