"""The devices of this machine, their self-test, and memory."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from . import _octavo
from ._checks import refusing

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._option_types import DeviceOptions

Progress = Callable[[str, int, int], object]
"""A function that is told what is done: the stage in a few words, the parts that are done, and all parts (0: not
counted). An exception that it raises gives up the work, and is raised by the call."""


@dataclass(frozen=True)
class Device:
    """A device of this machine."""

    name: str
    """For the option `device`: "cpu", "reference", "cuda:0", "opencl:0"."""
    kind: str
    """"cpu", "reference", "cuda" or "opencl"."""
    description: str
    """For people: the number of cores or the product, and the driver."""
    isas: tuple[str, ...]
    """The instruction sets for the option `isa`, best first; empty if there is no choice."""
    conformant: bool
    """Gives the same bytes as every other conformant device."""
    note: str
    """Why "auto" never selects it; empty if "auto" may select it."""


@dataclass(frozen=True)
class MissingDriver:
    """A driver of GPUs that offers no device on this machine."""

    driver: str
    """"CUDA" or "OpenCL"."""
    reason: str
    """For people."""


@refusing
def devices() -> list[Device]:
    """The devices of this machine, best first; at least "cpu" and "reference".

    Drivers that crash or do not answer within 20 s are no error: they are asked in a child process.
    """
    return [Device(**facts) for facts in _octavo.survey()[0]]


@refusing
def missing_drivers() -> list[MissingDriver]:
    """The drivers of GPUs that offer no device, and why."""
    return [MissingDriver(driver, reason) for driver, reason in _octavo.survey()[1]]


@dataclass(frozen=True)
class SelftestResult:
    """One stage of the engine on one made-up image."""

    image: str
    """The name of the image and options."""
    stage: str
    """"scale space", "extrema", "orientation", "descriptor", "features", "matches" or "corners"."""
    digest: str
    """16 hexadecimal digits, of this device's bytes."""
    expected: str
    """The digest recorded once, the same for every device and machine."""
    ok: bool
    """They are equal."""


@refusing
def selftest(
    device: str = "auto", *, progress: Progress | None = None, **options: Unpack[DeviceOptions]
) -> list[SelftestResult]:
    """Runs every stage on made-up images and compares the bytes with those recorded when Octavo was made.

    It takes a second or two. Stages before a wrong one are right. `options` are those of devices: `threads`, `isa`,
    `gpu_memory`. Raises DeviceUnavailable and InvalidOption.
    """
    return [SelftestResult(*one) for one in _octavo.selftest({"device": device, **options}, progress)]


@dataclass(frozen=True)
class MemoryEstimate:
    """The memory that a piece of work takes on one device [byte]."""

    device: str
    octaves: int
    """Of the scale space; 0 if there is none."""
    least_host: int
    """What every input takes, of the memory of the process …"""
    least_device: int
    """… and of the GPU."""
    usual_host: int
    """What a usual input takes. Noise takes more."""
    usual_device: int
    each_further_host: int
    """For each further image in flight."""
    each_further_device: int
    in_flight: int
    """The number of images in flight that keeps the device busy."""
    available_host: int
    """What can be taken now."""
    available_device: int
    limit: str
    """What limits the host's memory, for people."""
    fits: bool
    """One image at a time has room."""


@refusing
def available_host_memory() -> int:
    """The memory that this process can take now [byte]."""
    return _octavo.available_host_memory()
