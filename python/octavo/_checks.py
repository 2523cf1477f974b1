"""Checks of what the package is called with. Every error is an octavo.Error and says what to give."""

from __future__ import annotations

import functools
import inspect
import operator
import os
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from . import _octavo
from .errors import InvalidArgument, InvalidOption, UnknownOption, WrongType

Item = TypeVar("Item")
Function = TypeVar("Function", bound=Callable[..., Any])


LONGEST = 100  # of a value in a message


def told(value: Any) -> str:
    """A value as messages tell it, on one line: an array by its shape, others as far as they are short."""
    shape = getattr(value, "shape", None)
    if isinstance(shape, tuple) and shape:
        return f"an array of {tuple(shape)}"
    text = " ".join(repr(value).split())
    return text if len(text) <= LONGEST else text[:LONGEST] + "…"


def with_article(name: str) -> str:
    """The name of a type in a sentence: an int, a list."""
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"


def warner() -> Callable[[str], None]:
    """A function that warns of the line outside the package that is at work now; any thread may call it."""
    frame = sys._getframe()
    while frame.f_back is not None and f"{frame.f_globals.get('__name__')}.".startswith("octavo."):
        frame = frame.f_back
    file, line = frame.f_code.co_filename, frame.f_lineno
    module, registry = frame.f_globals.get("__name__"), frame.f_globals.setdefault("__warningregistry__", {})
    return lambda sentence: warnings.warn_explicit(sentence, UserWarning, file, line, module, registry)


def refusing(function: Function, signature: inspect.Signature | None = None, name: str = "") -> Function:
    """The function; a call that its signature, or the one given, does not fit is an error of Octavo, which names the argument
    that may be meant, and so is what the extension module says of arguments of other types."""

    @functools.wraps(function)
    def call(*arguments: Any, **keywords: Any) -> Any:
        try:
            return function(*arguments, **keywords)
        except UnknownOption as error:
            hint = _hint(error.option, (signature or inspect.signature(function)).parameters.values(), keywords)
            if "did you mean" in str(error) or not hint:
                raise
            raise UnknownOption(f"{error}{hint}", error.option) from None
        except TypeError as error:
            if isinstance(error, WrongType):
                raise
            bound(name or function.__name__, signature or inspect.signature(function), arguments, keywords)
            if "incompatible function arguments" not in str(error):
                raise
            types = str(error).partition("Invoked with types: ")[2].partition(", kwargs")[0]
            raise WrongType(f"{function.__name__}: one of the arguments is of a wrong type; they are {types}") from None

    return call  # type: ignore[return-value]


def bound(
    called_as: str, signature: inspect.Signature, arguments: tuple[Any, ...], keywords: dict[str, Any]
) -> dict[str, Any]:
    """The arguments of a call by their names. Raises WrongType where one is missing, and for one that is not there."""
    try:
        return signature.bind(*arguments, **keywords).arguments
    except TypeError as error:
        parameters = list(signature.parameters.values())
        if any(one.kind is one.VAR_KEYWORD for one in parameters):  # keywords like the other ones may be options
            parameters = [one for one in parameters if one.default is one.empty]
        known = {option["name"] for table in _octavo.option_tables().values() for option in table["options"]}
        for name in keywords:
            if name not in known.union(signature.parameters) and (hint := _hint(name, parameters, keywords)):
                raise WrongType(f"{called_as}: there is no argument {name}{hint}") from None
        raise WrongType(f"{called_as}: {error}") from None


def _hint(name: str | None, parameters: Iterable[inspect.Parameter], keywords: dict[str, Any]) -> str:
    """The end of a sentence: the parameter, of those not given, that a keyword which is none may mean."""
    if name not in keywords:
        return ""
    absent = [one.name for one in parameters if one.kind is not one.VAR_KEYWORD and one.name not in keywords]
    return _octavo.did_you_mean(name, absent)


def is_path(value: object) -> bool:
    """A path that the system can hold: not every text can be one."""
    if not isinstance(value, (str, bytes, os.PathLike)):
        return False
    try:
        return b"\0" not in os.fsencode(value)
    except (TypeError, UnicodeError):
        return False


def is_text(value: object) -> bool:
    """A string that UTF-8 can hold."""
    if not isinstance(value, str):
        return False
    try:
        value.encode()
    except UnicodeError:
        return False
    return True


def check_word(option: str, value: Any) -> None:
    """A word, which the library looks up."""
    if not is_text(value):
        raise InvalidOption.of(option, told(value), "must be a string")


def check_one_of(option: str, value: Any, words: Iterable[str]) -> None:
    """One of a few words."""
    known = list(words)
    is_word = is_text(value)
    if not is_word or value not in known:
        text = f'"{value}"' if is_word else told(value)
        hint = _octavo.did_you_mean(value, known) if is_word else ""
        raise InvalidOption.of(option, text, f"must be one of {', '.join(known)}{hint}")


def flag(option: str, value: Any) -> bool:
    """True or False."""
    if not isinstance(value, (bool, np.bool_)):
        raise InvalidOption.of(option, told(value), "must be True or False")
    return bool(value)


def number(option: str, value: Any) -> float:
    """A number."""
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        raise InvalidOption.of(option, told(value), "must be a number") from None


def whole(option: str, value: Any, least: int = 0) -> int:
    """A whole number."""
    try:
        index = operator.index(value)
    except TypeError:
        raise InvalidOption.of(option, told(value), "must be a whole number") from None
    if not least <= index < 1 << 63:
        raise InvalidOption.of(option, str(index), f"must be at least {least}")
    return index


def path_of(file: Any) -> str:
    """The name of a file."""
    if not is_path(file):
        what = told(file) if isinstance(file, (str, bytes)) else with_article(type(file).__name__)
        raise WrongType(f"the file is {what}, but must be a path")
    return os.fsdecode(file)


def items_of(what: str, several: Iterable[Item]) -> Iterator[Item]:
    """The items of an iterable."""
    try:
        return iter(several)
    except TypeError:
        raise WrongType(
            f"{what} are {with_article(type(several).__name__)}, but must be a list or another iterable"
        ) from None


def array_of(what: str, values: Any) -> npt.NDArray[Any]:
    """An array of anything."""
    try:
        return np.asarray(values)
    except (TypeError, ValueError):  # rows of several lengths
        raise InvalidArgument(f"{what} must be an array, but these have none: {told(values)}") from None


def part_of(records: npt.NDArray[np.void], index: Any) -> npt.NDArray[np.void] | np.void:
    """A record, or an array of those that a slice, a mask or indices choose. Raises IndexError as NumPy does."""
    try:
        chosen = records[index]
    except (TypeError, ValueError):
        chosen = None
    if isinstance(chosen, np.void):
        return chosen
    if not isinstance(chosen, np.ndarray) or chosen.ndim != 1 or chosen.dtype != records.dtype:
        raise WrongType(
            f"the index is {told(index)}, but must be a whole number, a slice, a mask, or a list of indices"
        )
    return chosen


def numbers_of(what: str, values: Any) -> npt.NDArray[np.float64]:
    """An array of numbers."""
    if np.ma.is_masked(values):
        raise InvalidArgument(f"{what} must be numbers, but some are masked; leave them out")
    try:
        array = np.asarray(values)
        if array.dtype.kind not in "cmM":  # complex numbers and times
            return np.asarray(array, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        pass
    raise InvalidArgument(f"{what} must be numbers")


def matrix_of(what: str, values: Any) -> list[float]:
    """The numbers of a 3 x 3 matrix, row by row."""
    matrix = numbers_of(what, values)
    if matrix.shape != (3, 3):
        raise InvalidArgument(f"{what} has the shape {matrix.shape}, but must be 3 x 3")
    return matrix.ravel().tolist()


def size_of(what: str, size: Any) -> tuple[int, int]:
    """Width and height of an image."""
    try:
        width, height = size
    except (TypeError, ValueError):
        raise InvalidArgument(f"{what} is {told(size)}, but must be (width, height)") from None
    return whole(f"the width of {what}", width, -(1 << 31)), whole(f"the height of {what}", height, -(1 << 31))


def apart(image: Any, mask: Any) -> tuple[Any, Any]:
    """An image and its mask. What a masked array masks has no keypoints, nor what an array's alpha hides."""
    shown = _shown_by_alpha(image)
    if isinstance(image, np.ma.MaskedArray):
        hidden = np.ma.getmaskarray(image)
        by_mask = np.asarray(~(hidden.any(axis=2) if hidden.ndim == 3 else hidden), np.bool_)
        shown = by_mask if shown is None else shown & by_mask
        image = image.data
    if shown is None:
        return image, mask
    if mask is not None:
        given = np.asarray(mask)
        if given.shape != shown.shape:
            return image, mask  # which is refused
        shown &= given != 0
    return image, shown


def _shown_by_alpha(image: Any) -> npt.NDArray[np.bool_] | None:
    """Where alpha, the last of two or four channels, is at least half, as in files; None if that is everywhere."""
    if not isinstance(image, np.ndarray) or image.ndim != 3 or image.shape[2] not in (2, 4):
        return None
    half = {"uint8": 128, "uint16": 32768, "float32": 0.5}.get(image.dtype.name)
    shown = None if half is None else np.asarray(image[..., -1] >= half)
    return None if shown is None or shown.all() else shown
