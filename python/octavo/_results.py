"""Results of jobs as users of dataclasses expect them: compared by their members, copied, pickled, taken by pandas.

A result is an object of the extension module. A copy is of a class derived from its class, which has the same members.
"""

from __future__ import annotations

import dataclasses
import functools
from types import ModuleType
from typing import Any

from ._compared import are_equal


def complete(module: ModuleType) -> None:
    """Gives the classes of results their methods."""
    for kind in list(vars(module).values()):
        if isinstance(kind, type) and "__match_args__" in vars(kind):
            methods = {"__eq__": _equal, "__hash__": None, "__reduce__": _reduce}
            for name, value in {**methods, **{name: _OfDataclass(name) for name in _OF_DATACLASSES}}.items():
                setattr(kind, name, value)


_OF_DATACLASSES = ("__dataclass_fields__", "__dataclass_params__")


class _OfDataclass:
    """An attribute by which `dataclasses.asdict` and pandas know a dataclass; it is made when it is looked for."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, one: Any, kind: Any) -> Any:
        return getattr(_dataclass_like(kind), self._name)


@functools.cache
def _dataclass_like(kind: Any) -> type[Any]:
    return dataclasses.make_dataclass(kind.__name__, kind.__match_args__)


def _kind_of(result: Any) -> Any:
    """The class of the extension module."""
    return getattr(type(result), "_copied", type(result))


def _values(result: Any) -> list[Any]:
    return [getattr(result, name) for name in result.__match_args__]


def _equal(self: Any, other: object) -> Any:
    if _kind_of(self) is not _kind_of(other):
        return NotImplemented
    return are_equal(_values(self), _values(other))


def _reduce(self: Any) -> tuple[Any, ...]:
    kind = _kind_of(self)
    return copied, (kind.__name__, _values(self), {name: getattr(self, name)() for name in _methods_of(kind)})


def _methods_of(kind: Any) -> list[str]:
    """What a result can be asked for beside its members, such as a drawing; a copy has the answers."""
    return [name for name in vars(kind) if not name.startswith("_") and name not in kind.__match_args__]


def copied(name: str, values: list[Any], answers: dict[str, Any]) -> Any:
    """A result of the class of this name, with these members and answers of methods."""
    from ._jobs_module import jobs

    kind = _class_of_copies(getattr(jobs(), name))
    copy = kind.__new__(kind)
    copy._members = dict(zip(kind.__match_args__, values, strict=True))
    copy._answers = answers
    return copy


@functools.cache
def _class_of_copies(kind: Any) -> Any:
    members = {name: _member(name, getattr(kind, name).__doc__) for name in kind.__match_args__}
    methods = {"__module__": kind.__module__, "_copied": kind}
    answers = {name: _answer(name) for name in _methods_of(kind)}
    return type(kind)(kind.__name__, (kind,), {**members, **methods, **answers})


def _answer(name: str) -> Any:
    return lambda self: self._answers[name]


def _member(name: str, documentation: str | None) -> property:
    return property(lambda self: self._members[name], doc=documentation)
