"""The extension module of the jobs, which is imported with the first call that needs it."""

from __future__ import annotations

import functools
import importlib
import inspect
import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from ._checks import told
from ._devices import Progress as Progress
from ._features import Features
from ._matches import Matches
from .errors import WrongType

if TYPE_CHECKING:
    from types import ModuleType


def jobs() -> ModuleType:
    """The module. Raises ImportError where the package was built without it."""
    try:
        return importlib.import_module("octavo._jobs")
    except ModuleNotFoundError as error:
        if error.name != "octavo._jobs":
            raise
        raise ImportError(
            "this octavo was built without its jobs: install the wheel, or build it with "
            "-C cmake.define.OCTAVO_PYTHON_JOBS=ON"
        ) from error


def _is_path(value: object) -> bool:
    return isinstance(value, (str, bytes, os.PathLike))


# By annotation: what an argument must be, and a check.
_KINDS: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "Path": ("a path", _is_path),
    "Path | None": ("a path or None", lambda value: value is None or _is_path(value)),
    "str": ("a string", lambda value: isinstance(value, str)),
    "str | None": ("a string or None", lambda value: value is None or isinstance(value, str)),
    "bool": ("True or False", lambda value: isinstance(value, bool)),
    "bool | None": ("True, False or None", lambda value: value is None or isinstance(value, bool)),
    "int": ("a whole number, 0 or more", lambda value: isinstance(value, (int, np.integer)) and bool(value >= 0)),
    "int | None": (
        "a whole number, 0 or more, or None",
        lambda value: value is None or isinstance(value, (int, np.integer)) and bool(value >= 0),
    ),
    "float": (
        "a number",
        lambda value: isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool),
    ),
    "float | None": (
        "a number or None",
        lambda value: value is None or isinstance(value, (int, float, np.integer, np.floating)),
    ),
    "Features": ("octavo.Features", lambda value: isinstance(value, Features)),
    "Matches": ("octavo.Matches", lambda value: isinstance(value, Matches)),
    "Progress | None": ("a function or None", lambda value: value is None or callable(value)),
}


def _kind_of(annotation: str) -> tuple[str, Callable[[Any], bool]]:
    return _KINDS.get("str" if annotation.startswith("Literal[") else annotation, ("", lambda _: True))


_Function = TypeVar("_Function", bound=Callable[..., Any])


def checked(function: _Function) -> _Function:
    """Raises WrongType for arguments of another type than the function's annotations say."""
    signature = inspect.signature(function)

    @functools.wraps(function)
    def call_checked(*arguments: Any, **keywords: Any) -> Any:
        try:
            given = signature.bind(*arguments, **keywords).arguments
        except TypeError as error:
            raise WrongType(f"{function.__name__}: {error}") from None
        for name, value in given.items():
            what, fits = _kind_of(str(signature.parameters[name].annotation))
            if not fits(value):
                raise WrongType(f"{function.__name__}: {name} is {told(value)}, but must be {what}")
        return function(*arguments, **keywords)

    return call_checked  # type: ignore[return-value]


class _Bar:
    """A bar of tqdm as a progress function."""

    def __init__(self, make: Callable[..., Any]) -> None:
        self._bar = make()

    def __call__(self, stage: str, done: int, total: int) -> None:
        self._bar.total = total or None
        self._bar.n = done
        self._bar.set_description(stage, refresh=False)
        self._bar.refresh()

    def close(self, is_done: bool) -> None:
        """Steps are told when they begin, so the last one is counted here."""
        if is_done and self._bar.total:
            self._bar.n = self._bar.total
            self._bar.refresh()
        self._bar.close()


def call(name: str, *arguments: Any, progress: Any = None, **keywords: Any) -> Any:
    """Calls a function of the module with a progress function, or with a bar of tqdm, which ends with the call."""
    function = getattr(jobs(), name)
    bar = _Bar(progress) if isinstance(progress, type) and hasattr(progress, "set_description") else None
    is_done = False
    try:
        result = function(*arguments, progress=bar or progress, **keywords)
        is_done = True
        return result
    except TypeError as error:
        if "incompatible function arguments" not in str(error):
            raise
        types = str(error).partition("Invoked with types: ")[2].partition(", kwargs")[0]
        raise WrongType(f"{name}: one of the arguments is of a wrong type; they are {types}") from None
    finally:
        if bar is not None:
            bar.close(is_done)


def listed(places: Any, what: str) -> list[str]:
    """One path, or several, as texts. Raises WrongType for anything else."""
    try:
        several = iter([places] if _is_path(places) else places)
    except TypeError:
        raise WrongType(f"{what} must be a path or a list of paths, not {told(places)}") from None
    return [_path(place, what) for place in several]


def _path(place: Any, what: str) -> str:
    if not _is_path(place):
        raise WrongType(f"{what} must be paths, but one is {told(place)}")
    return os.fsdecode(place)
