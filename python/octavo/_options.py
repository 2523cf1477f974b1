"""The options, as the library describes them."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import Any

from . import _octavo
from ._checks import is_text, refusing, told
from ._jobs_module import jobs
from .errors import InvalidArgument, UnknownOption

OptionValue = bool | int | float | str
"""The value of an option."""


@dataclass(frozen=True)
class OptionFacts:
    """The description of an option."""

    name: str
    """The keyword argument."""
    group: str
    """The heading in manuals."""
    sentence: str
    """What it does."""
    unit: str
    """ "pixel", "byte"; empty: none."""
    kind: str
    """ "flag", "integer", "number", "choice" or "text"."""
    low: float | None
    """The range of an integer or a number, both ends included; None: any value."""
    high: float | None
    special: float | None
    """One more allowed value, outside the range."""
    odd: bool
    """Even values are not allowed."""
    words: list[str]
    """The words of a choice."""
    needs: list[tuple[str, str, bool]]
    """The option has no effect unless all of these are met: another option, a value, and whether any other is needed."""
    default: OptionValue


@refusing
def option_facts(table: str) -> list[OptionFacts]:
    """The options of a detector, such as "sift", or of "match", "trilateral", "vocabulary", "guide" or "device"; or those of
    jobs: "read", "robust", "blend", "mosaic", "pairs", "colmap", "sfm", "panorama", "video", "segment", "signature",
    "affinity", "takes", "places", "recurring", "report", "track"."""
    return [OptionFacts(**facts) for facts in _table(table)["options"]]


OPENCV_NAMES = {
    "nfeatures": "max_features",
    "nOctaveLayers": "layers",
    "contrastThreshold": "contrast_threshold",
    "edgeThreshold": "edge_threshold",
    "sigma": "sigma",
}
"""OpenCV's names of options of SIFT."""


def with_hint_of_opencv(error: UnknownOption) -> UnknownOption:
    """The error; where the option is nearly one of OpenCV's, the sentence ends with ours."""
    unknown = str(error.option)
    name = next((one for one in OPENCV_NAMES if _octavo.did_you_mean(unknown, [one])), None)
    if name is None or "did you mean" in str(error):
        return error
    return UnknownOption(f"{error}; did you mean {OPENCV_NAMES[name]}, which is OpenCV's {name}?", unknown)


@refusing
def presets(detector: str = "sift") -> list[str]:
    """The names of the presets of a detector. Raises InvalidArgument for what is no detector."""
    if not is_text(detector) or detector not in _octavo.detectors:
        hint = _octavo.did_you_mean(detector, _octavo.detectors) if is_text(detector) else ""
        raise InvalidArgument(
            f"there are no presets of {told(detector)}; detectors are {', '.join(_octavo.detectors)}{hint}"
        )
    return list(_table(detector)["presets"])


def _table(name: str) -> dict[str, Any]:
    tables = _octavo.option_tables()
    if is_text(name) and name not in tables:
        with contextlib.suppress(ImportError):  # the package may be built without its jobs
            tables = {**tables, **jobs().option_tables()}
    if not is_text(name) or name not in tables:
        hint = _octavo.did_you_mean(name, list(tables)) if is_text(name) else ""
        raise InvalidArgument(f"there are no options of {told(name)}; known are {', '.join(tables)}{hint}")
    table: dict[str, Any] = tables[name]
    return table
