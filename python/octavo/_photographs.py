"""Images by their paths: read, written, drawn, aligned, joined, and made into models."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from ._checks import array_of, is_path, told
from ._features import Features
from ._jobs_module import Progress, call, checked, given, jobs, listed, numbers, words
from ._matches import Matches
from ._other_features import OtherFeatures
from .errors import InvalidArgument, InvalidOption, WrongType

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._jobs import (
        Alignment,
        CameraFacts,
        ColmapSummary,
        Exported,
        Localised,
        Models,
        Mosaic,
        Pairs,
        SfmModel,
    )
    from ._option_types import (
        AlignOptions,
        ColmapOptions,
        LocaliseOptions,
        MosaicOptions,
        PairOptions,
        ReadOptions,
        SfmOptions,
        StoredOptions,
    )

Path = str | os.PathLike[str]
Places = Path | Iterable[Path]


@checked
def read(file: Path, **options: Unpack[StoredOptions]) -> npt.NDArray[Any]:
    """The pixels of an image file as they are stored, upright: H x W, or H x W x 2 to 4 (red, green, blue, alpha).

    Reads JPEG, PNG, TIFF (8, 16 bits, floats), WebP, BMP, PGM, PPM, GIF, HEIC, AVIF and JPEG 2000, in uint8, uint16 or
    float32. Options: `apply_exif_rotation`, `max_pixels`. Raises FileError that says what is wrong with the file.
    """
    return jobs().read(file, options)  # type: ignore[no-any-return]


@checked
def write(file: Path, image: Any) -> None:
    """Writes an image; the ending chooses the format: .png, .jpg, .tif, .webp, .pgm, .ppm.

    Samples that are too deep for the format are rounded; floats are then 0 to 1. The file appears whole or not at all.
    Raises FileError and InvalidArgument.
    """
    if isinstance(image, np.ndarray) and image.dtype.kind == "f" and image.size and not _holds_floats(file):
        low, high = float(image.min()), float(image.max())
        if not (low >= -_ROUNDED and high <= 1 + _ROUNDED):
            raise InvalidArgument(
                f"the samples are {low:g} to {high:g}, but floats must be 0 to 1 for '{os.fspath(file)}'; divide them, "
                "convert them to uint8 or uint16, or name a .tif file, which keeps them"
            )
    jobs().write(file, image)


_ROUNDED = 1e-3  # what sums of weights may leave 0 to 1 by


def _holds_floats(file: Path) -> bool:
    return os.fspath(file).lower().endswith((".tif", ".tiff"))


@checked
def camera_facts(file: Path, **options: Unpack[ReadOptions]) -> CameraFacts:
    """What the EXIF data of an image file say of the camera. Raises FileError."""
    return jobs().camera_facts(file, options)  # type: ignore[no-any-return]


@checked
def draw_keypoints(image: Any, features: Features) -> npt.NDArray[np.uint8]:
    """The image with a circle, or the ellipse, of each keypoint and a line along its orientation. Raises InvalidArgument."""
    return jobs().draw_keypoints(image, features._bytes())  # type: ignore[no-any-return]


@checked
def draw_matches(
    image_a: Any,
    features_a: Features,
    image_b: Any,
    features_b: Features,
    matches: Matches,
    inliers: npt.ArrayLike | None = None,
) -> npt.NDArray[np.uint8]:
    """Both images side by side with a line for each match, or for each of the `inliers`, N in bool. Raises InvalidArgument."""
    mask = None if inliers is None else _mask(inliers, len(matches))
    return jobs().draw_matches(  # type: ignore[no-any-return]
        image_a, features_a._bytes(), image_b, features_b._bytes(), matches._bytes(), mask
    )


def _mask(inliers: npt.ArrayLike, count: int) -> npt.NDArray[np.uint8]:
    mask = array_of("inliers", inliers)
    if mask.shape != (count,) or (count > 0 and mask.dtype.kind not in "biu"):
        raise InvalidArgument(
            f"inliers are {told(mask)} in {mask.dtype}, but must be {count} in bool, one for each match"
        )
    return np.ascontiguousarray(mask != 0).view(np.uint8)


@checked
def refine_matches(
    image_a: Any, features_a: Features, image_b: Any, features_b: Features, matches: Matches
) -> tuple[Features, int]:
    """features_b with its matched keypoints where b shows what a shows at their partners, and how many are moved.

    What a shows around a keypoint, 7 scales wide, is found again in b, by an affinity with gain and offset. This leaves about a
    third of the error of a detector. Keypoints that have several matches, and those around which b shows something else, stay.
    The images are those of the features, as arrays. Raises InvalidArgument.
    """
    keypoints, moved = jobs().refine_matches(
        image_a, features_a._bytes(), image_b, features_b._bytes(), matches._bytes()
    )
    return Features._of((keypoints, features_b.descriptors)), moved


@checked
def align(
    a: Any,
    b: Any,
    *,
    output: Path | None = None,
    mask: Path | None = None,
    draw: bool = True,
    retry: bool = True,
    progress: Progress | None = None,
    **options: Unpack[AlignOptions],
) -> Alignment:
    """Finds the homography that maps points of a to points of b, two images of a plane or from one place.

    `a` and `b` are files or arrays. The result has b warped onto a and joined with it, unless `draw` is False; with `output`
    the four images of `octavo align` are written instead. Images that do not fit are no error: `homography.found` is False,
    and `homography.reason` says why. `warnings` say why it may be wrong. Where nothing fits, or not surely, views of both
    images are tried, unless `retry` is False. Further options are those of reading, detectors, matching, robust models,
    blending and devices. Raises FileError, InvalidArgument and InvalidOption.
    """
    for image in (a, b):
        _check_path(image)
    return call("align", a, b, output, mask, draw, retry, options, progress=progress)  # type: ignore[no-any-return]


@checked
def mosaic(
    images: Any,
    *,
    output: Path | None = None,
    pairs: str = "all",
    points: Path | None = None,
    mask: Path | None = None,
    draw_graph: Path | None = None,
    draw_seams: Path | None = None,
    draw: bool = True,
    progress: Progress | None = None,
    **options: Unpack[MosaicOptions],
) -> Mosaic:
    """Joins images that overlap: files, folders, patterns and videos, or arrays.

    The result has the mosaic, unless `draw` is False; with `output` it is written instead. `found` is False, and `reason` says
    why, if no images overlap. `pairs` and `points` are as `octavo mosaic --help` tells them. `draw_graph` and `draw_seams` are files of images that show
    which images are joined, and where. Further options are those of
    mosaics, reading, detectors, matching, robust models and devices. Raises FileError, InvalidArgument and InvalidOption.
    """
    if isinstance(images, np.ndarray) and images.ndim < 4:
        raise InvalidArgument("images must be a list of files or of arrays, not one array")
    if not isinstance(images, (str, os.PathLike, Iterable)):
        raise WrongType(f"images must be a list of files or of arrays, not {told(images)}")
    several = [images] if isinstance(images, (str, os.PathLike)) else list(images)
    for image in several:
        _check_path(image)
    arguments = (output, pairs, points, mask, draw_graph, draw_seams, draw, options)
    return call("mosaic", several, *arguments, progress=progress)  # type: ignore[no-any-return]


def _check_path(image: Any) -> None:
    """An image by its name or its pixels has a name that can be one."""
    if isinstance(image, (str, bytes, os.PathLike)) and not (is_path(image) and os.fspath(image)):
        raise WrongType(f"the image is {told(image)}, but must be a path or an array")


@checked
def pairs(
    images: Places = (),
    *,
    features: Path | None = None,
    recursive: bool = False,
    one_range: bool = False,
    output: Path | None = None,
    image: Path | None = None,
    shard: str | None = None,
    progress: Progress | None = None,
    **options: Unpack[PairOptions],
) -> Pairs:
    """Chooses which images of a collection are to be matched: those that look alike, by default.

    `images` are files, folders and patterns; `features` is a folder of features in their place. `output` is a file for the
    list; with `shard` for the part of a shard. `image` is a file for a drawing of how similar they look. With `one_range` all images
    of 16 bits or floats get one range of values. Options: `by` ("retrieval", "sequential", "gps", "exhaustive"), `neighbours`, `overlap`, ..., and those of reading,
    detectors and devices. Images that cannot be read are `problems`. Raises FileError and InvalidOption.
    """
    arguments = (features, recursive, one_range, output, image, shard, options)
    return call("pairs", listed(images, "images"), *arguments, progress=progress)  # type: ignore[no-any-return]


@checked
def colmap(
    images: Places,
    database: Path,
    *,
    pairs: str = "all",
    recursive: bool = False,
    one_range: bool = False,
    mask: Path | None = None,
    camera_params: Sequence[float] = (),
    shard: str | None = None,
    features: Path | OtherFeatures | None = None,
    progress: Progress | None = None,
    **options: Unpack[ColmapOptions],
) -> ColmapSummary:
    """Puts the features of images, their matches and on request verified matches into a database of COLMAP.

    The same call goes on where it was stopped, and adds what is new. `pairs` is "all", "sequential:N", "retrieval:K", several
    of these joined by +, or a file. `features` are those of another detector, in place of extraction; a path is the database
    of features of a `shard`, as in `octavo colmap`. Options: `cameras`, `camera_model`, `verify`, `guided`, and those of reading, detectors, matching, robust models and devices. Images and pairs that fail are
    `problems`. Raises FileError and InvalidOption.
    """
    arguments = (
        database,
        pairs,
        recursive,
        one_range,
        mask,
        numbers("camera_params", camera_params),
        shard,
        None if isinstance(features, OtherFeatures) else features,
        given(features),
        options,
    )
    return call("colmap", listed(images, "images"), *arguments, progress=progress)  # type: ignore[no-any-return]


@checked
def sfm(
    photographs: Path,
    output: Path,
    *,
    database: Path | None = None,
    pairs: str | None = None,
    recursive: bool = False,
    one_range: bool = False,
    max_frames: int = 300,
    mask: Path | None = None,
    camera_params: Sequence[float] = (),
    features: OtherFeatures | None = None,
    progress: Progress | None = None,
    **options: Unpack[SfmOptions],
) -> Models:
    """Makes models of cameras and points from the photographs of a folder, or from a video.

    `output` is a folder, which gets the database, the models and `report.html`. It needs a mapper: COLMAP, GLOMAP or pycolmap.
    `pairs` and `features` are as for `colmap`; `pairs` None: all, or what suits a video. Options: `mapper`, `mapper_threads`,
    `mapper_seed`, `refine`, `gps`, those of panoramas and of `colmap`. Without a model `models` is empty, and `images` tell what each lacks. Raises
    FileError and InvalidOption.
    """
    arguments = (
        photographs,
        output,
        database,
        pairs,
        recursive,
        one_range,
        max_frames,
        mask,
        numbers("camera_params", camera_params),
        given(features),
        options,
    )
    return call("sfm", *arguments, progress=progress)  # type: ignore[no-any-return]


@checked
def localise(
    images: Places,
    model: Path,
    output: Path,
    *,
    database: Path | None = None,
    pairs: str = "retrieval:50",
    recursive: bool = False,
    one_range: bool = False,
    mask: Path | None = None,
    progress: Progress | None = None,
    **options: Unpack[LocaliseOptions],
) -> Localised:
    """Finds the poses of new photographs in a model that `sfm` made, which stays as it is; `output` gets one with them.

    `database` is that of the model, by default `model`/database.db. `mask` is that of the photographs, an image or a folder.
    Options are those of mappers, reading and devices, `cameras` (which of the photographs share one), `feature_memory` and
    `gpu_feature_memory`; the others are the database's. Raises FileError and InvalidOption.
    """
    arguments = (model, output, database, pairs, recursive, one_range, mask, options)
    return call("localise", listed(images, "images"), *arguments, progress=progress)  # type: ignore[no-any-return]


ModelForm = Literal["ply", "transforms", "bundler", "undistorted"]


@checked
def export_model(
    model: Path,
    output: Path,
    to: ModelForm | Sequence[ModelForm],
    *,
    photographs: Path | None = None,
    mapper: str = "auto",
    progress: Progress | None = None,
) -> Exported:
    """Writes a model for other programs, as `octavo export` does: "ply", "transforms" (nerfstudio), "bundler", "undistorted".

    `photographs` is their folder; those of a video are in `model`/images. Raises FileError and InvalidOption.
    """
    try:
        return call("export_model", model, output, words("to", to), photographs, mapper, progress=progress)  # type: ignore[no-any-return]
    except InvalidOption as error:  # the library has another name for it
        raise type(error)(
            str(error).replace("`photos`", "`photographs`"), error.option, error.value, error.reason
        ) from None


@checked
def read_model(folder: Path) -> SfmModel:
    """Cameras, images and points of a folder of COLMAP's files, .bin or .txt. Raises FileError."""
    return jobs().read_model(folder)  # type: ignore[no-any-return]


@checked
def read_features(file: Path) -> Features:
    """Features of a file: .npz (NumPy's archives) or .txt (COLMAP's text). Raises FileError."""
    return jobs().read_features(file)  # type: ignore[no-any-return]
