"""Octavo: local features with one answer on every device.

It finds and describes the points of an image that can be recognised in another one (SIFT, FOAGDD corners), matches them
exactly, filters images trilaterally, and compares images as a whole. The same image and options give the same bytes on
the CPU, on CUDA and on OpenCL.

    import octavo

    a = octavo.extract(image_a)
    b = octavo.extract(image_b)
    matches = octavo.match(a, b)
    a.xy[matches.a], b.xy[matches.b]

`octavo.read`, `octavo.align`, `octavo.mosaic`, `octavo.sfm` and others work on files; `octavo.jobs` and `octavo.video` have
whole jobs, `octavo.geometry` has models of two views. `octavo.cv2.SIFT_create` is a twin of OpenCV's SIFT.
"""

from __future__ import annotations

import importlib
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import cv2 as cv2
    from . import errors as errors
    from . import geometry as geometry
    from . import jobs as jobs
    from . import ray as ray
    from . import video as video
    from ._api import *  # noqa: F403
    from ._octavo import version as __version__  # noqa: F401
else:  # type checkers would take any name for one of the package
    if "t" in getattr(sys, "abiflags", ""):  # it would load the modules, which are of another layout of objects
        raise ImportError("octavo cannot be used in free-threaded CPython; use the build with the GIL")

    _MODULES = ("cv2", "errors", "geometry", "jobs", "ray", "video")

    def __getattr__(name: str) -> Any:
        """The first use of a name imports the package, and NumPy, which takes most of the time."""
        if name in _MODULES:
            return importlib.import_module(f"{__name__}.{name}")
        if name == "__version__":
            return importlib.import_module(f"{__name__}._octavo").version
        if not name.startswith("_") or name == "__all__":
            api = importlib.import_module(f"{__name__}._api")
            if name == "__all__":
                return [*api.__all__, "__version__"]
            if name in api.__all__:
                globals()[name] = value = getattr(api, name)
                return value
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__() -> list[str]:
        return sorted([*__getattr__("__all__"), *_MODULES])
