"""Says why an object is no array that Octavo reads, and what to pass. It is imported when a call has failed."""

from __future__ import annotations

from typing import NoReturn

import numpy as np

from ._checks import with_article
from .errors import InvalidArgument


def _reason(value: object, what: str) -> str:
    if isinstance(value, np.ndarray):
        if value.dtype.hasobject:
            return f"the {what} is an array of Python objects, but must be uint8, uint16 or float32"
        if not value.dtype.isnative:
            return f"the bytes of the {what} have the order of another machine; convert it: {what}.astype({what}.dtype.newbyteorder())"
        if any(stride % value.itemsize for stride in value.strides):
            return f"the rows of the {what} are no whole number of samples apart; pass numpy.ascontiguousarray({what})"
        return f"the {what} is an array of {value.dtype}, but must be uint8, uint16 or float32"
    name = with_article(f"{type(value).__module__}.{type(value).__qualname__}".removeprefix("builtins."))
    if hasattr(value, "__array__") or hasattr(value, "__array_interface__"):
        return f"the {what} is {name}, which cannot be read where it is; pass numpy.asarray({what})"
    if isinstance(value, (str, bytes)) or hasattr(value, "__fspath__"):
        return f"the {what} is {name}, but must be an array; read the file first: octavo.read({what})"
    return f"the {what} is {name}, but must be an array, height x width or height x width x channels"


def refuse_array(value: object, what: str) -> NoReturn:
    """Raises InvalidArgument."""
    raise InvalidArgument(_reason(value, what))


def _conversion(value: object, what: str) -> str:
    """What gives the pixels that are meant, which depends on the values."""
    if what == "mask":
        return "pass mask != 0"
    general = f"convert it: octavo.fit_range({what})"
    try:
        array = np.asarray(value)
        if array.dtype.kind == "b":
            return f"convert it: {what}.astype(numpy.uint8) * 255"
        is_whole = array.dtype.kind in "iu" or bool(np.all(array == np.floor(array)))
        low, high = float(array.min()), float(array.max())  # 65535 is infinite in float16
    except (TypeError, ValueError, RuntimeError):  # on a GPU, or empty
        return general
    if is_whole and low >= 0 and 1 < high <= 65535:
        kind = "uint8" if high <= 255 else "uint16"
        return f"its values are {low:.0f} to {high:.0f}, so pass {what}.astype(numpy.{kind})"
    if array.dtype.kind == "f":
        return f"convert it: {what}.astype(numpy.float32), or octavo.fit_range({what})"
    return general


def refuse_type(value: object, what: str, name: str) -> NoReturn:
    """Raises InvalidArgument. `name` is that of the type."""
    raise InvalidArgument(f"the {what} is {name}, but must be uint8, uint16 or float32; {_conversion(value, what)}")
