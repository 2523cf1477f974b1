"""Exceptions of Octavo. Every one derives from `Error`, and from the built-in exception of its kind."""

from __future__ import annotations


class Error(Exception):
    """An error that Octavo reports. Its text is one sentence for people.

    Where the value of an option is invalid, `option`, `value` and `reason` tell its name, its value as text, and what is
    wrong with it. Otherwise all three are None.
    """

    def __init__(
        self, sentence: str = "", option: str | None = None, value: str | None = None, reason: str | None = None
    ) -> None:
        super().__init__(sentence)
        self.option = option
        self.value = value
        self.reason = reason


class InvalidOption(Error, ValueError):
    """An option has an invalid value."""

    @classmethod
    def of(cls, option: str, value: str, reason: str) -> InvalidOption:
        """The error of an option, its value as text, and what is wrong with it: "must be above 0"."""
        return cls(f"{option} is {value}, but {reason}", option, value, reason)


class UnknownOption(Error, TypeError):
    """There is no option of this name. The sentence names the nearest one."""


class WrongType(Error, TypeError):
    """An argument is of a type that the call does not take, or missing, or there is none of its name."""


class InvalidArgument(Error, ValueError):
    """An image, a mask or an array is invalid. The sentence says why."""


class DeviceUnavailable(Error, RuntimeError):
    """The device does not exist, or cannot be used on this machine."""


class OutOfMemory(Error, MemoryError):
    """There is not enough memory, of the host or of a GPU. The sentence gives the number of bytes."""


class FileError(Error, OSError):
    """A file cannot be read or written. The sentence names it."""


_KINDS: dict[str, type[Error]] = {
    "invalid_option": InvalidOption,
    "invalid_argument": InvalidArgument,
    "device_unavailable": DeviceUnavailable,
    "out_of_memory": OutOfMemory,
    "file_error": FileError,
}


def error_of(kind: str, sentence: str, option: str, value: str, reason: str) -> Error:
    """The exception of an error of the library. For the extension module."""
    return _KINDS[kind](sentence, option or None, value or None, reason or None)


__all__ = [
    "DeviceUnavailable",
    "Error",
    "FileError",
    "InvalidArgument",
    "InvalidOption",
    "OutOfMemory",
    "UnknownOption",
    "WrongType",
]


def __dir__() -> list[str]:
    return sorted(__all__)
