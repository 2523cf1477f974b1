"""The extension module of the jobs, which is imported with the first call that needs it."""

from __future__ import annotations

import functools
import importlib
import inspect
import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ._checks import Function, bound, is_path, is_text, items_of, refusing, told
from ._devices import Progress as Progress
from ._features import Features
from ._matches import Matches
from ._other_features import OtherFeatures
from ._results import complete
from .errors import WrongType

if TYPE_CHECKING:
    from types import ModuleType

    from ._photographs import Path


def jobs() -> ModuleType:
    """The module. Raises ImportError where the package was built without it."""
    try:
        module = importlib.import_module("octavo._jobs")
    except ModuleNotFoundError as error:
        if error.name != "octavo._jobs":
            raise
        raise ImportError(
            "this octavo was built without its jobs: install the wheel, or build it with "
            "-C cmake.define.OCTAVO_PYTHON_JOBS=ON"
        ) from error
    _complete(module)
    return module


@functools.cache
def _complete(module: Any) -> None:
    complete(module)
    module.Archive = _checked_archive(module.Archive)


def opened(folder: str) -> Any:
    """The archive in a folder, as another process has it."""
    return jobs().Archive(folder)


class _OfArchive:
    """What the methods of an archive take."""

    def __init__(self, folder: Path) -> None: ...
    def clip(self, file: Path) -> Any: ...
    def forget(self, file: Path) -> Any: ...
    def set_verdict(self, a: Path, b: Path, verdict: str | None, note: str = "") -> Any: ...


def _checked_archive(kind: Any) -> Any:
    """The module's class of archives with methods that check what they take, and with pickling."""
    members: dict[str, Any] = {name: kind.__dict__.get(name) for name in ("__doc__", "__module__")}
    for name, method in filter(lambda item: inspect.isfunction(item[1]), vars(_OfArchive).items()):
        called_as = "Archive" if name == "__init__" else name
        members[name] = checked(getattr(kind, name), inspect.signature(method), called_as)
    members["__reduce__"] = lambda self: (opened, (os.path.abspath(self.folder),))
    return type(kind)("Archive", (kind,), members)


def _is_named(value: Any) -> bool:
    return is_path(value) and len(os.fspath(value)) > 0


def _is_count(value: Any) -> bool:
    return isinstance(value, (int, np.integer)) and bool(0 <= value < 1 << 63)


# By annotation: what an argument must be, and a check.
_KINDS: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "Path": ("a path", lambda value: _is_named(value)),
    "Path | None": ("a path or None", lambda value: value is None or _is_named(value)),
    "str": ("a string", is_text),
    "str | None": ("a string or None", lambda value: value is None or is_text(value)),
    "bool": ("True or False", lambda value: isinstance(value, bool)),
    "bool | None": ("True, False or None", lambda value: value is None or isinstance(value, bool)),
    "int": ("a whole number, 0 or more", lambda value: _is_count(value)),
    "int | None": ("a whole number, 0 or more, or None", lambda value: value is None or _is_count(value)),
    "float": (
        "a number",
        lambda value: isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool),
    ),
    "float | None": (
        "a number or None",
        lambda value: value is None or isinstance(value, (int, float, np.integer, np.floating)),
    ),
    "Features": ("octavo.Features", lambda value: isinstance(value, Features)),
    "OtherFeatures | None": (
        "octavo.OtherFeatures or None",
        lambda value: value is None or isinstance(value, OtherFeatures),
    ),
    "Path | OtherFeatures | None": (
        "a path, octavo.OtherFeatures or None",
        lambda value: value is None or isinstance(value, OtherFeatures) or _is_named(value),
    ),
    "Matches": ("octavo.Matches", lambda value: isinstance(value, Matches)),
    "Matches | None": ("octavo.Matches or None", lambda value: value is None or isinstance(value, Matches)),
    "Progress | None": ("a function or None", lambda value: value is None or callable(value)),
}


def _kind_of(annotation: str) -> tuple[str, Callable[[Any], bool]]:
    if annotation.startswith("Literal["):
        annotation = "str"
    if annotation.startswith("Callable["):
        annotation = "Progress | None"
    return _KINDS.get(annotation, ("", lambda _: True))


def checked(function: Function, signature: inspect.Signature | None = None, name: str = "") -> Function:
    """Raises WrongType for arguments of another type than the annotations of the function, or of a signature, say."""
    signature = signature or inspect.signature(function)
    called_as = name or function.__name__
    called = refusing(function, signature, called_as)

    @functools.wraps(function)
    def call_checked(*arguments: Any, **keywords: Any) -> Any:
        for argument, value in bound(called_as, signature, arguments, keywords).items():
            parameter = signature.parameters[argument]
            what, fits = _kind_of(str(parameter.annotation))
            if value is not parameter.default and not fits(value):
                raise WrongType(f"{called_as}: {argument} is {told(value)}, but must be {what}")
        return called(*arguments, **keywords)

    return call_checked  # type: ignore[return-value]


class _Steps:
    """A progress function. Steps are told when they begin, so the end of the last one is told here."""

    def __init__(self, function: Callable[[str, int, int], object]) -> None:
        self._function = function
        self._last = ("", 0, 0)

    def __call__(self, stage: str, done: int, total: int) -> None:
        self._last = (stage, done, total)
        self._function(stage, done, total)

    def close(self, is_done: bool) -> None:
        stage, done, total = self._last
        if is_done and done < total:
            self._function(stage, total, total)


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
        if is_done and self._bar.total:
            self._bar.n = self._bar.total
            self._bar.refresh()
        self._bar.close()


def call(name: str, *arguments: Any, progress: Any = None, **keywords: Any) -> Any:
    """Calls a function of the module with a progress function, or with a bar of tqdm, which ends with the call."""
    function = getattr(jobs(), name)
    if progress is None:
        return function(*arguments, progress=None, **keywords)
    is_bar = isinstance(progress, type) and hasattr(progress, "set_description")
    told_to = _Bar(progress) if is_bar else _Steps(progress)
    is_done = False
    try:
        result = function(*arguments, progress=told_to, **keywords)
        is_done = True
        return result
    finally:
        told_to.close(is_done)


def listed(places: Any, what: str) -> list[str]:
    """One path, or several, as texts. Raises WrongType for anything else."""
    is_one = isinstance(places, (str, bytes, os.PathLike))
    try:
        several = iter([places] if is_one else places)
    except TypeError:
        raise WrongType(f"{what} must be a path or a list of paths, not {told(places)}") from None
    return [_path(place, what) for place in several]


def _path(place: Any, what: str) -> str:
    if not _is_named(place):
        raise WrongType(f"{what} must be paths, but one is {told(place)}")
    return os.fsdecode(place)


def numbers(what: str, values: Any) -> list[float]:
    """A number, or several. Raises WrongType for anything else."""
    try:
        return [float(values)] if np.ndim(values) == 0 else [float(value) for value in values]
    except (TypeError, ValueError, OverflowError):
        raise WrongType(f"{what} must be numbers, not {told(values)}") from None


def given(features: Any) -> Any:
    """Features of another detector as the module takes them; None for anything else."""
    return features._given() if isinstance(features, OtherFeatures) else None


def words(what: str, values: Any) -> list[str]:
    """A word, or several. Raises WrongType for anything else."""
    try:
        several = [values] if isinstance(values, str) else list(values)
    except TypeError:
        several = [values]
    if not all(map(is_text, several)):
        raise WrongType(f"{what} must be words, not {told(values)}")
    return several


def tuples(what: str, items: Any, parts: tuple[str, ...]) -> list[tuple[Any, ...]]:
    """Items of several paths each, which `parts` name. Raises WrongType for anything else."""
    several = []
    for item in items_of(what, items):
        if not isinstance(item, Sequence) or len(item) != len(parts) or not all(map(is_path, item)):
            raise WrongType(f"{what} must be tuples of paths, ({', '.join(parts)}), but one is {told(item)}")
        several.append(tuple(item))
    return several
