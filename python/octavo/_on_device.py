"""What the objects that work on a device have in common."""

from __future__ import annotations

from typing import Any

from ._remade import Remade


class OnDevice(Remade):
    """The facts about an object whose work `_worker` does, an object of the extension module."""

    _worker: Any

    @property
    def options(self) -> dict[str, Any]:
        """The options, with their values."""
        options: dict[str, Any] = self._worker.options
        return options

    @property
    def device(self) -> str:
        """Where the work runs: "cpu", "reference", "cuda:0", never "auto"; several GPUs are "cuda:0,cuda:1"."""
        device: str = self._worker.device
        return device

    @property
    def isa(self) -> str:
        """The instruction set in use: "avx512", "scalar", "cuda", "opencl"."""
        isa: str = self._worker.isa
        return isa

    @property
    def threads(self) -> int:
        """The largest number of CPU threads that it uses."""
        threads: int = self._worker.threads
        return threads

    def __repr__(self) -> str:
        return f"<octavo.{type(self).__name__} on {self.device}>"
