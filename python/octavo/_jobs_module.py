"""The extension module of the jobs, which is imported with the first call that needs it."""

from __future__ import annotations

import functools
import importlib
import inspect
import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from ._devices import Progress as Progress
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
    "bool": ("True or False", lambda value: isinstance(value, (bool, np.bool_))),
    "bool | None": ("True, False or None", lambda value: value is None or isinstance(value, (bool, np.bool_))),
    "int": ("a whole number, 0 or more", lambda value: isinstance(value, (int, np.integer)) and bool(value >= 0)),
    "int | None": (
        "a whole number, 0 or more, or None",
        lambda value: value is None or isinstance(value, (int, np.integer)) and bool(value >= 0),
    ),
    "Progress | None": ("a function or None", lambda value: value is None or callable(value)),
}

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
            what, fits = _KINDS.get(str(signature.parameters[name].annotation), ("", lambda _: True))
            if not fits(value):
                raise WrongType(f"{function.__name__}: {name} is {value!r}, but must be {what}")
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

    def close(self) -> None:
        self._bar.close()


def call(name: str, *arguments: Any, progress: Any = None, **keywords: Any) -> Any:
    """Calls a function of the module with a progress function, or with a bar of tqdm, which ends with the call."""
    function = getattr(jobs(), name)
    bar = _Bar(progress) if isinstance(progress, type) and hasattr(progress, "set_description") else None
    try:
        return function(*arguments, progress=bar or progress, **keywords)
    finally:
        if bar is not None:
            bar.close()


def listed(places: Any, what: str) -> list[str]:
    """One path, or several, as texts. Raises WrongType for anything else."""
    several = [places] if isinstance(places, (str, bytes, os.PathLike)) else places
    try:
        return [os.fsdecode(place) for place in several]
    except TypeError as error:
        raise WrongType(f"{what} must be a path or a list of paths, not {type(places).__name__}") from error
