"""Features as rows of a dataset of Ray, by actors that keep their extractors.

Ray Data moves batches of rows through a pipeline: tasks on CPUs read the images, and actors extract their features. An
actor is a process that lives as long as the pipeline, so its buffers, and on a GPU the driver and the kernels, are made once.
It submits all images of a batch before it collects the first features, as far as the device works on several at a time.
Ray does a batch again whose process was lost.

Keypoints and descriptors are columns of bytes: columns of records do not exist in Arrow, and those of arrays are known to Ray
alone. So any program can read a Parquet file of them.

Pixels are the bulk of what moves, so they are copied once: into the object store, whose memory the actor sees. Reading makes
tables of Arrow whose columns of bytes are the pixels where the decoder has put them, and the actor looks at them where they lie in
the store. Rows of Python's bytes would be copied four times on the way.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from ._api import DESCRIPTOR_LENGTH, KEYPOINT, Extractor, Features
from ._photographs import read as read_image
from ._ray import device_of, ray, threads_of
from .errors import Error, InvalidArgument


class Read:
    """Rows with a path get pixels, or a problem. One table for each, so that no table grows beyond an image."""

    def __init__(self, read: Callable[[str], Any]) -> None:
        """`read` gives the image of a path."""
        self._read = read

    def __call__(self, table: Any) -> Iterator[Any]:
        arrow = ray("pyarrow")
        for path in table.column("path").to_pylist():
            problem = ""
            try:
                image = np.ascontiguousarray(self._read(path))
                if image.ndim not in (2, 3) or image.dtype.hasobject:
                    raise TypeError(
                        f"what was read is no image, but has the shape {image.shape} and the type {image.dtype}"
                    )
            except Exception as error:  # of the caller's function, which may raise any
                image = np.empty((0, 0), np.uint8)
                problem = (error.strerror if isinstance(error, OSError) else None) or str(error)
            # Arrays of several types cannot be in one column.
            columns = {
                "path": [path],
                "pixels": _bytes_column([image]),
                "shape": [list(image.shape)],
                "type": [image.dtype.str],
                "problem": [problem],
            }
            yield arrow.table(columns)


class Extract:
    """An actor that extracts features: `dataset.map_batches(octavo.ray.Extract, batch_size=16, num_gpus=1, ...)`.

    Its batches have a column `image`, as `ray.data.read_images` makes it. In its place come `width` and `height` [pixel],
    `keypoints` (bytes of N records of `octavo.KEYPOINT`), `descriptors` (bytes of N x 128), and `problem`: why the row has no
    features, otherwise empty. Other columns stay.
    """

    def __init__(self, detector: str = "sift", **options: Any) -> None:
        """Makes the extractor: the arguments are those of `octavo.Extractor`, in `fn_constructor_kwargs` of `map_batches`."""
        self._extractor = Extractor(detector, **options)

    def __call__(self, batch: dict[str, Any]) -> dict[str, Any]:
        images = list(batch["image"])
        found = self._extract(images, list(batch.get("problem", [""] * len(images))))
        for name in ("keypoints", "descriptors"):
            found[name] = [array.tobytes() for array in found[name]]
        return {**{name: column for name, column in batch.items() if name != "image"}, **found}

    def _extract(self, images: list[npt.NDArray[Any]], problems: list[str]) -> dict[str, Any]:
        """The columns of the images. Those with a problem are left out."""
        keypoints, descriptors = [], []
        outcomes = self._extractor.batch(
            (image for image, problem in zip(images, problems) if not problem), errors="return"
        )
        for i, problem in enumerate(problems):
            outcome = None if problem else next(outcomes)
            if isinstance(outcome, Error):
                problems[i] = str(outcome)
            features = outcome if isinstance(outcome, Features) else _NONE
            keypoints.append(features.keypoints)
            descriptors.append(_NONE.keypoints if features.descriptors is None else features.descriptors)
        return {
            "width": np.array([image.shape[1] for image in images], np.int32),
            "height": np.array([image.shape[0] for image in images], np.int32),
            "keypoints": keypoints,
            "descriptors": descriptors,
            "problem": problems,
        }


class ExtractPixels(Extract):
    """The same for tables of Arrow with the columns of `Read`."""

    def __call__(self, table: Any) -> Any:
        found = self._extract(images_of(table), table.column("problem").to_pylist())
        for name in ("keypoints", "descriptors"):
            found[name] = _bytes_column(found[name])
        return ray("pyarrow").table({"path": table.column("path"), **found})


def images_of(table: Any) -> list[npt.NDArray[Any]]:
    """The images in a table of `Read`: views of its memory, but for those that Ray has put at odd addresses behind others."""
    facts = zip(_arrays_in(table.column("pixels")), table.column("shape").to_pylist(), table.column("type").to_pylist())
    return [np.require(pixels.view(kind).reshape(shape), requirements="A") for pixels, shape, kind in facts]


def _arrays_in(column: Any) -> Iterator[npt.NDArray[np.uint8]]:
    """The arrays of `_bytes_column`, as views: a scalar of Arrow would be a copy."""
    for chunk in column.chunks:
        _, ends, content = chunk.buffers()
        places = np.frombuffer(ends, np.int64, len(chunk) + 1, offset=8 * chunk.offset)
        pixels = np.frombuffer(content if content is not None else b"", np.uint8)
        for begin, end in zip(places, places[1:]):
            yield pixels[begin:end]


_NONE = Features(np.empty(0, KEYPOINT))


def _bytes_column(arrays: list[npt.NDArray[Any]]) -> Any:
    """The bytes of contiguous arrays as a column of Arrow, which keeps the arrays: nothing is copied."""
    arrow = ray("pyarrow")
    if not arrays:
        return arrow.array([], arrow.large_binary())
    ends = [arrow.py_buffer(np.array([0, array.nbytes], np.int64)) for array in arrays]
    bytes_ = [arrow.py_buffer(array.reshape(-1).view(np.uint8)) for array in arrays]
    return arrow.chunked_array(
        [arrow.Array.from_buffers(arrow.large_binary(), 1, [None, *both]) for both in zip(ends, bytes_)]
    )


def features_of(row: dict[str, Any]) -> Features:
    """The features in a row. Raises Error with the row's problem, if it has one."""
    if row["problem"]:
        raise Error(row["problem"])
    keypoints = np.frombuffer(row["keypoints"], KEYPOINT)
    descriptors = np.frombuffer(row["descriptors"], np.uint8).reshape(-1, DESCRIPTOR_LENGTH)
    return Features(keypoints, None if len(descriptors) < len(keypoints) else descriptors)


def features(
    images: Iterable[str | os.PathLike[str]],
    *,
    read: Callable[[str], Any] | None = None,
    num_cpus: float = 1,
    num_gpus: float = 0,
    count: int | None = None,
    batch_size: int = 16,
    detector: str = "sift",
    **options: Any,
) -> Any:
    """The features of images as a `ray.data.Dataset`, a row each, for programs that go on with them.

    `images` are paths. `read` gives the image of a path, as an array that `octavo.Extractor` takes; by default `octavo.read` does. The columns are `path` and those that `octavo.ray.Extract` makes; `octavo.ray.features_of` gives the features of a row.
    An image that cannot be read or done is a row with its problem. `count` actors extract; None: as many as the cluster has
    room for and the work needs. Each has `num_cpus` CPU threads and `num_gpus` GPUs (a half: two actors share one), and works
    on `batch_size` images at a time. Images are read by tasks on CPUs before actors with a GPU, and by the actors
    otherwise. Further keywords are options of `octavo.Extractor`, which raises InvalidOption at once.

    The dataset is lazy: the work is done where rows are asked for or written, as in `.write_parquet(FOLDER)`. Rows come in any
    order, unless Ray is told to preserve it.
    """
    for name, value in (("batch_size", batch_size), ("count", 1 if count is None else count)):
        if value < 1:
            raise InvalidArgument(f"{name} is {value}, but must be at least 1")
    options = {"device": device_of(num_gpus), "threads": threads_of(num_cpus), **options}
    here: dict[str, Any] = {**options, "device": "cpu"}
    Extractor(detector, **here)  # refuses wrong options here, not on a worker
    data = ray("ray.data")
    rows = data.from_items([{"path": os.fspath(image)} for image in images])
    strategy = data.ActorPoolStrategy(size=count) if count else data.ActorPoolStrategy()
    tables = rows.map_batches(Read(read or read_image), batch_format="pyarrow", batch_size=None)
    return tables.map_batches(
        ExtractPixels,
        fn_constructor_kwargs={"detector": detector, **options},
        batch_format="pyarrow",
        batch_size=batch_size,
        compute=strategy,
        # Ray advises against both.
        **({"num_gpus": num_gpus} if num_gpus else {"num_cpus": num_cpus}),
    )
