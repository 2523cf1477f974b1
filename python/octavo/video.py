"""Videos: frames, copies, affinity, takes and places: `octavo.video.search("clip.mp4", "archive")`.

Each function does the job of the command of its name (docs/video-search.md, docs/takes.md, docs/places.md). Times are in seconds
from the first frame of a clip. Files that cannot be read are sentences in the `problems` of a result, and the rest is done.
`progress` is a function of what is in work, the number that is done and the number of all, or the class `tqdm.tqdm`. Ctrl-C
stops the work within a second or so. Relative paths begin at the working directory, which must stay the same until a call returns.
"""

from __future__ import annotations

import contextlib
import os
import pathlib
import signal
import sys
import threading
import webbrowser
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Literal

from ._jobs_module import Progress, call, checked, jobs, listed
from ._photographs import Path, Places

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._jobs import (
        Affinity,
        Archive,
        ClipComparison,
        Duplicates,
        FilmReport,
        Frames,
        Indexed,
        Reported,
        Reviewed,
        Searched,
        TakenFrames,
        Takes,
    )
    from ._jobs import Places as PlacesOfFiles
    from ._option_types import (
        AffinityOptions,
        CompareOptions,
        DuplicateOptions,
        IndexOptions,
        PlaceOptions,
        ReportOptions,
        ReviewOptions,
        SearchOptions,
        TakeOptions,
        TrackOptions,
        VideoOptions,
    )
else:

    def __getattr__(name: str) -> Any:
        if name == "Archive":
            return jobs().Archive
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [
    "Archive",
    "affinity",
    "compare",
    "duplicates",
    "export_frames",
    "frames",
    "index",
    "keypoints",
    "places",
    "report",
    "review",
    "search",
    "takes",
]


def __dir__() -> list[str]:
    return sorted(__all__)


def _folders(archive: Archive | Places | None) -> list[str]:
    """The folders of an archive, or of several."""
    if archive is None:
        return []
    return listed(getattr(archive, "folder", archive), "archive")


@checked
def frames(clip: Path, *, grey: bool = False, **options: Unpack[VideoOptions]) -> Frames:
    """The frames of a video, one after the other: an iterator of frames with `image`, `index` and `seconds`.

    Images are H x W x 3 in uint8, or grey. By default two frames a second are taken, at most 640 pixels long: options `every`,
    `fps`, `size` (0: as they are), `fast`, ... It is a context too, which ends the decoder. Raises FileError, also in the middle
    of a damaged file; the frames before are good.
    """
    return jobs().Frames(clip, grey, options)  # type: ignore[no-any-return]


@checked
def export_frames(
    clip: Path,
    *,
    output: Path | None = None,
    contact_sheet: Path | None = None,
    grey: bool = False,
    progress: Progress | None = None,
    **options: Unpack[VideoOptions],
) -> TakenFrames:
    """Writes frames of a video as images into the folder `output`, and as one image. Options as for `frames`."""
    return call("export_frames", clip, output, contact_sheet, grey, options, progress=progress)  # type: ignore[no-any-return]


@checked
def keypoints(
    clip: Path,
    *,
    output: Path | None = None,
    tracks: bool = True,
    codec: Literal["auto", "h264", "mpeg4"] = "auto",
    grey: bool = False,
    progress: Progress | None = None,
    **options: Unpack[TrackOptions],
) -> FilmReport:
    """Follows the keypoints of a video, and draws them into the video `output`, which keeps what is done after Ctrl-C.

    Options are those of tracks, videos, detectors and devices. Raises FileError and InvalidOption.
    """
    return call("keypoints", clip, output, tracks, codec, grey, options, progress=progress)  # type: ignore[no-any-return]


@checked
def compare(
    a: Path,
    b: Path,
    *,
    image: Path | None = None,
    negative: bool = False,
    reversed: bool = False,
    progress: Progress | None = None,
    **options: Unpack[CompareOptions],
) -> ClipComparison:
    """Finds the segments that two clips share, without an archive; `a` is the query.

    `image` is a file for a frame of the best segment. `negative` and `reversed` look for such copies too. Options: `min_seconds`,
    `min_speed`, `max_speed`, `min_score`, `shake`, and those of videos and devices. Raises FileError and InvalidOption.
    """
    return call("compare", a, b, image, negative, reversed, options, progress=progress)  # type: ignore[no-any-return]


@checked
def affinity(
    a: Path,
    b: Path | None = None,
    *,
    output: Path | None = None,
    data: Path | None = None,
    segments: bool = True,
    progress: Progress | None = None,
    **options: Unpack[AffinityOptions],
) -> Affinity:
    """How similar each frame of a is to each frame of b, or of itself (Fassold and Rosner 2015).

    `output` is an image file, `data` a NumPy archive. Options: `measure` ("matches", "vlad"), `fps`, `every`, `max_features`, and
    those of videos and devices. Raises FileError, InvalidOption and OutOfMemory.
    """
    other = a if b is None else b
    return call("affinity", a, other, output, data, segments, options, progress=progress)  # type: ignore[no-any-return]


@checked
def takes(
    clips: Places = (),
    *,
    archive: Archive | Places | None = None,
    rough_cuts: bool = False,
    sheet: Path | None = None,
    otio: Path | None = None,
    fcpxml: Path | None = None,
    edl: Path | None = None,
    progress: Progress | None = None,
    **options: Unpack[TakeOptions],
) -> Takes:
    """Finds which shots of clips, or of archives, show the same scene, and how their times correspond.

    `archive` is an archive, its folder, or several folders, which count as one.
    `sheet` is an image file; `otio` and `fcpxml` are files of timelines, `edl` is a folder. Options: `measure`, `fps`,
    `min_seconds`, `min_affinity`, `max_gap`, `min_share`, and those of videos and devices. Raises FileError and InvalidOption.
    """
    arguments = (_folders(archive), rough_cuts, sheet, [otio, fcpxml, edl], options)
    return call("takes", listed(clips, "clips"), *arguments, progress=progress)  # type: ignore[no-any-return]


@checked
def places(
    files: Places = (),
    *,
    archive: Archive | Places | None = None,
    output: Path | None = None,
    progress: Progress | None = None,
    **options: Unpack[PlaceOptions],
) -> PlacesOfFiles:
    """Groups clips and images by the places where they were taken; `output` is an HTML file of a page.

    The files that an archive knows, or several, are taken too, each content once; `archive` is that of `takes`.

    Options: `max_frames`, `neighbours`, `max_drawings`, and those of reading, videos and devices. Raises FileError and
    InvalidOption.
    """
    return call("places", listed(files, "files"), _folders(archive), output, options, progress=progress)  # type: ignore[no-any-return]


@checked
def index(
    clips: Places,
    archive: Path,
    *,
    images: bool = False,
    retry: bool = False,
    jobs: int = 0,
    shard: str | None = None,
    progress: Progress | None = None,
    **options: Unpack[IndexOptions],
) -> Indexed:
    """Brings clips into an archive, a folder that is made if it is not there. What is there already is not read again.

    `clips` are files and folders; with `images` the images of folders count too. `jobs` clips are decoded at a time; 0: as many
    as there are cores. Options: `fps`, `every`, `max_features` (an archive has one setting), and those of videos and devices.
    Raises FileError and InvalidOption.
    """
    return call("index", listed(clips, "clips"), archive, images, retry, jobs, shard, options, progress=progress)  # type: ignore[no-any-return]


@checked
def search(
    queries: Places,
    archives: Places,
    *,
    mirrored: bool = True,
    negative: bool = False,
    reversed: bool = False,
    rough_ends: bool = False,
    images: Path | None = None,
    shard: str | None = None,
    output: Path | None = None,
    progress: Progress | None = None,
    **options: Unpack[SearchOptions],
) -> Searched:
    """Finds where archives show the same as clips and images. Several archives are searched as if they were one.

    `images` is a folder for a frame of each find. `rough_ends` does not decode clips again for exact ends. Options are those of
    `compare`, of signatures, videos and devices. Raises FileError and InvalidOption.
    """
    arguments = (mirrored, negative, reversed, rough_ends, images, shard, output, options)
    return call("search", listed(queries, "queries"), listed(archives, "archives"), *arguments, progress=progress)  # type: ignore[no-any-return]


@checked
def duplicates(
    archives: Places,
    *,
    mirrored: bool = True,
    reversed: bool = False,
    exact_ends: bool = False,
    all: bool = False,
    found: Path | None = None,
    shard: str | None = None,
    output: Path | None = None,
    progress: Progress | None = None,
    **options: Unpack[DuplicateOptions],
) -> Duplicates:
    """Compares the clips of archives with each other. Segments that many clips have, such as intros, are told apart.

    With `all`, pairs that were judged different are told too. `shard` and `output` are those of `octavo video duplicates`.
    Options are those of segments, `clips` (a segment recurs in so many), and `isa`. Raises FileError and InvalidOption.
    """
    arguments = (mirrored, reversed, exact_ends, all, found, shard, output, options)
    return call("duplicates", listed(archives, "archives"), *arguments, progress=progress)  # type: ignore[no-any-return]


@checked
def report(
    archive: Path,
    clips: Places = (),
    *,
    output: Path | None = None,
    csv: Path | None = None,
    json: Path | None = None,
    otio: Path | None = None,
    fcpxml: Path | None = None,
    edl: Path | None = None,
    exact_ends: bool | None = None,
    mirrored: bool = True,
    negative: bool = False,
    reversed: bool = False,
    progress: Progress | None = None,
    **options: Unpack[ReportOptions],
) -> Reported:
    """Writes what an archive shows twice, or where it shows `clips`: a page, a table, JSON, timelines.

    Ends are exact to the frame by default where clips are searched for. Options: `same_coverage`, `max_images`, and those of
    segments, videos and devices. Raises FileError and InvalidOption.
    """
    wanted = listed(clips, "clips")
    exact = bool(wanted) if exact_ends is None else exact_ends
    arguments = ([output, csv, json], [otio, fcpxml, edl], exact, mirrored, negative, reversed, options)
    return call("report", os.fspath(archive), wanted, *arguments, progress=progress)  # type: ignore[no-any-return]


@checked
def review(
    archive: Path,
    *,
    ready: Callable[[str], object] | None = None,
    until: Callable[[], bool] | None = None,
    exact_ends: bool = False,
    mirrored: bool = True,
    progress: Progress | None = None,
    **options: Unpack[ReviewOptions],
) -> Reviewed:
    """Serves a page on which a person judges which clips of an archive are the same (docs/video-search.md).

    `ready` is told the page's address, which only this machine can open; None: the desktop's browser opens it. The page is
    there until Ctrl-C, or until `until`, such as the method `is_set` of a threading.Event, is true. Options: `port`,
    `max_upload`, `same_coverage`, and those of segments, videos and devices. Raises FileError and InvalidOption.
    """

    def told(address: str, opening: str) -> None:
        if ready is not None:
            ready(address)
        else:  # by a file, since a command line with the address would show it to all users
            webbrowser.open(pathlib.Path(opening).as_uri())

    arguments = (os.fspath(archive), told, exact_ends, mirrored, options, until)
    with _ended_by_sigterm():
        return call("review", *arguments, progress=progress)  # type: ignore[no-any-return]


@contextlib.contextmanager
def _ended_by_sigterm() -> Iterator[None]:
    """SIGTERM ends the work as Ctrl-C does, so that no files of it stay, unless the caller does something else with it."""
    is_ours = (
        threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGTERM) == signal.SIG_DFL
    )
    if is_ours:
        signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    try:
        yield
    finally:
        if is_ours:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
