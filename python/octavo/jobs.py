"""Jobs that write files: `octavo.jobs.extract(["photos"], "features")`.

Each does what the command of its name does, with the same bytes. No file is ever half written. What cannot be done, such as an
image that cannot be read, is a sentence in the `problems` of the result, and the rest is done. `progress` is a function of the
item in work, the number that is done and the number of all, or the class `tqdm.tqdm`. Ctrl-C stops a job, but not a merge; a file
is whole or not there, and the same call goes on where the command would. Relative paths begin at the working directory, which
must stay the same until a call returns; give absolute ones where a program calls `os.chdir`.
`shard` is "I/N": the job does that part of its items, and `merge` joins the parts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from ._checks import told
from ._jobs_module import Progress, call, checked, given, jobs, listed, numbers, tuples
from ._matches import Matches
from ._other_features import OtherFeatures
from ._photographs import Path, Places
from .errors import InvalidArgument

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._jobs import (
        DescribedImages,
        Extracted,
        FilteredImages,
        InspectedImage,
        MatchedPairs,
        Merged,
    )
    from ._option_types import (
        DescribeOptions,
        ExtractOptions,
        FilterOptions,
        MatchingOptions,
    )

__all__ = ["describe", "extract", "filter", "inspect", "match", "merge"]


def __dir__() -> list[str]:
    return sorted(__all__)


@checked
def extract(
    images: Places,
    output: Path,
    *,
    format: Literal["colmap", "npz", "json", "hloc"] = "colmap",
    recursive: bool = False,
    draw: bool = False,
    skip_existing: bool = False,
    one_range: bool = False,
    mask: Path | None = None,
    shard: str | None = None,
    progress: Progress | None = None,
    **options: Unpack[ExtractOptions],
) -> Extracted:
    """Writes the features of images, or of the frames of videos: a file each in the folder `output`, or hloc's one file.

    `images` are files, folders and patterns. `skip_existing` leaves out images whose files are up to date. With
    `one_range` all images of 16 bits or floats get one range of values. Options are those of
    reading, detectors, devices and, for videos, of their frames. Raises FileError and InvalidOption.
    """
    arguments = (output, format, recursive, draw, skip_existing, one_range, mask, shard, options)
    return call("extract", listed(images, "images"), *arguments, progress=progress)  # type: ignore[no-any-return]


@checked
def match(
    a: Path,
    b: Path = "",
    *,
    output: Path | None = None,
    pairs: str = "all",
    verify: Literal["none", "homography", "fundamental", "essential"] = "none",
    camera: float | Sequence[float] = (),
    recursive: bool = False,
    one_range: bool = False,
    mask: Path | None = None,
    features: OtherFeatures | None = None,
    take: Callable[[str, str, Matches, npt.NDArray[np.bool_] | None], object] | None = None,
    progress: Progress | None = None,
    **options: Unpack[MatchingOptions],
) -> MatchedPairs:
    """Matches the images, or stored features, of a folder or pattern with each other, or with those of `b`.

    `output` is a list for COLMAP (.txt) or hloc's file (.h5). `features` are those of another detector, in place of
    extraction. `take` is called with the names of each pair, its matches and, if they are verified, its inliers. `camera` is that of an essential matrix, a focal length or fx, fy, cx, cy [pixel], where the
    EXIF data do not tell it. After Ctrl-C the list has the pairs that were done. Options are those of reading, detectors, matching, robust models and devices. Raises
    FileError and InvalidOption.
    """
    arguments = (
        a,
        b,
        output,
        pairs,
        verify,
        numbers("camera", camera),
        recursive,
        one_range,
        mask,
        given(features),
        take,
        options,
    )
    return call("match", *arguments, progress=progress)  # type: ignore[no-any-return]


@checked
def describe(
    items: Iterable[tuple[Path, Path, Path]],
    *,
    orientations: Literal["keypoint", "image"] = "keypoint",
    progress: Progress | None = None,
    **options: Unpack[DescribeOptions],
) -> DescribedImages:
    """Writes the descriptors of keypoints that files give. An item is an image, its file of keypoints (.npz, .txt, .json) and
    the output (.npz, .txt). Options are those of reading, detectors and devices. Raises FileError and InvalidOption."""
    images = tuples("items", items, ("image", "keypoints", "output"))
    return call("describe", images, orientations, options, progress=progress)  # type: ignore[no-any-return]


@checked
def filter(
    items: Iterable[tuple[Path, Path]], *, progress: Progress | None = None, **options: Unpack[FilterOptions]
) -> FilteredImages:
    """Filters images trilaterally. An item is an image and the output. Options are those of reading, the trilateral filter and
    devices. Raises FileError and InvalidOption."""
    return call("filter", tuples("items", items, ("image", "output")), options, progress=progress)  # type: ignore[no-any-return]


@checked
def inspect(
    image: Path,
    folder: Path,
    *,
    frame: int | None = None,
    time: float | None = None,
    point: Sequence[float] | None = None,
    full: bool = False,
    floats: bool = False,
    packed: bool = False,
    mask: Path | None = None,
    progress: Progress | None = None,
    **options: Unpack[ExtractOptions],
) -> InspectedImage:
    """Writes a page and images of every stage of a detector, as `octavo inspect` does.

    Of a video the frame of this index, or that is seen at this time [second]; before the first frame that one, after the end
    the last one, whose index the JSON names. `point` is (x, y) [pixel]: the descriptor of the
    keypoint nearest to it is shown. Options are those of reading, detectors and devices. Raises FileError and InvalidOption.
    """
    arguments = (
        folder,
        frame,
        time,
        None if point is None else _place("point", point),
        full,
        floats,
        packed,
        mask,
        options,
    )
    return call("inspect", image, *arguments, progress=progress)  # type: ignore[no-any-return]


def _place(what: str, point: Any) -> list[float]:
    place = numbers(what, point)
    if len(place) != 2:
        raise InvalidArgument(f"{what} is {told(point)}, but must be (x, y)")
    return place


@checked
def merge(to: Path, parts: Places) -> Merged:
    """Joins the parts of all shards of a job: the bytes of one call without shards. Raises FileError."""
    return jobs().merge(to, listed(parts, "parts"))  # type: ignore[no-any-return]
