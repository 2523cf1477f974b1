"""Objects that are pickled as what they were made with."""

from __future__ import annotations

from typing import Any


class Remade:
    """Objects of this kind can be pickled: what arrives is made anew with the same arguments. Buffers and images in flight
    stay behind, and "auto" is the best device of the machine where it arrives."""

    _given: dict[str, Any]
    """What the object was made with."""

    def __reduce__(self) -> tuple[Any, ...]:
        return _made_again, (type(self), self._given)


def _made_again(kind: type[Any], given: dict[str, Any]) -> Any:
    return kind(**given)
