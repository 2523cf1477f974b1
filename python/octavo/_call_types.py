"""What functions take beside their own arguments. It is imported by type checkers alone.

Those of octavo.ray take the arguments of the functions whose work they divide, without those that a job in shards sets
itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypedDict

from ._devices import Progress
from ._option_types import ColmapOptions, DetectorOptions, ExtractOptions, IndexOptions, PairOptions, SearchOptions
from ._photographs import Path
from ._value_range import Range


class OfExtract(ExtractOptions, total=False):
    """Of `octavo.jobs.extract`."""

    format: Literal["colmap", "npz", "json", "hloc"]
    recursive: bool
    draw: bool
    one_range: bool
    mask: Path | None


class OfColmap(ColmapOptions, total=False):
    """Of `octavo.colmap`."""

    recursive: bool
    one_range: bool
    mask: Path | None
    camera_params: Sequence[float]


class OfPairs(PairOptions, total=False):
    """Of `octavo.pairs`."""

    recursive: bool
    one_range: bool


class OfIndex(IndexOptions, total=False):
    """Of `octavo.video.index`."""

    images: bool
    jobs: int


class OfSearch(SearchOptions, total=False):
    """Of `octavo.video.search`."""

    mirrored: bool
    negative: bool
    reversed: bool
    rough_ends: bool
    images: Path | None


class ArgumentsOfExtractor(TypedDict, total=False):
    """Of `octavo.Extractor`, beside a detector's options."""

    preset: str | None
    device: str
    order: Literal["rgb", "bgr"]
    range: Range
    black: float
    white: float
    progress: Progress | None


class OfExtractor(DetectorOptions, ArgumentsOfExtractor, total=False):
    """Of `octavo.Extractor`."""
