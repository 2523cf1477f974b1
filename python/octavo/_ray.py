"""What both ways to use Ray have in common."""

from __future__ import annotations

import importlib
from typing import Any


def ray(module: str = "ray") -> Any:
    """The package Ray, or a module of it, which is needed only where there is work to do."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(f"octavo.ray needs {error.name}: pip install octavo[ray]", name=error.name) from error


def device_of(num_gpus: float) -> str:
    """The device of a process to which Ray gives so many GPUs: it sees no others."""
    return "cpu" if num_gpus == 0 else "auto" if num_gpus <= 1 else "cuda:all"


def threads_of(num_cpus: float) -> int:
    """The CPU threads of a process to which Ray gives so many CPUs."""
    return max(int(num_cpus), 1)
