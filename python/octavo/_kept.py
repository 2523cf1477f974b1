"""What functions such as `extract` keep from call to call."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Generic, TypeVar

import numpy as np

Made = TypeVar("Made")

_MOST = 4
"""Calls in turn with a few options are usual; more objects would hold buffers for nothing."""


class Kept(threading.local, Generic[Made]):
    """The objects of the last calls of a function on a thread, by what they were made with."""

    def __init__(self) -> None:
        self._objects: dict[tuple[Any, ...], Made] = {}

    def get(self, make: Callable[..., Made], **given: Any) -> Made:
        """What `make(**given)` gave before on this thread, or gives now."""
        key = tuple((name, type(value), _comparable(value)) for name, value in given.items())
        made = self._objects.pop(key, None)
        if made is None:
            while len(self._objects) >= _MOST:
                del self._objects[next(iter(self._objects))]  # frees its memory first
            made = make(**given)
        self._objects[key] = made  # the last is the newest
        return made


def _comparable(value: Any) -> Any:
    """1 and True are different values, by their types; what cannot be compared, as an array, is like nothing."""
    is_plain = value is None or isinstance(value, (str, bool, int, float, np.generic))
    if is_plain or (callable(value) and type(value).__hash__ is not None):
        return value
    return object()
