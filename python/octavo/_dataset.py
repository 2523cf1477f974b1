"""Features as rows of a dataset of Ray, by actors that keep their extractors.

Ray Data moves batches of rows through a pipeline. An actor is a process that lives as long as the pipeline, so its buffers, and on
a GPU the driver and the kernels, are made once. It gets paths: threads of its own read the images ahead of the extractor, which
has several in flight as far as the device works on several at a time. So no pixels go through Ray, whose store of objects is
slower than a GPU. Ray does a batch again whose process was lost.

Keypoints and descriptors are columns of bytes: columns of records do not exist in Arrow, and those of arrays are known to Ray
alone. So any program can read a Parquet file of them.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ._api import DESCRIPTOR_LENGTH, KEYPOINT, Extractor, Features
from ._checks import number, refusing, told, whole
from ._jobs_module import listed
from ._photographs import read as read_image
from ._ray import device_of, ray, threads_of
from .errors import Error, WrongType

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._call_types import OfExtractor

Image = npt.NDArray[Any]


class Extract:
    """An actor that extracts features: `dataset.map_batches(octavo.ray.Extract, batch_size=16, num_gpus=1, ...)`.

    Its batches have a column `image`, as `ray.data.read_images` makes it. In its place come `width` and `height` [pixel],
    `keypoints` (bytes of N records of `octavo.KEYPOINT`), `descriptors` (bytes of N x 128), and `problem`: why the row has no
    features, otherwise empty. Other columns stay.
    """

    def __init__(self, detector: str = "sift", **options: Unpack[OfExtractor]) -> None:
        """Makes the extractor: the arguments are those of `octavo.Extractor`, in `fn_constructor_kwargs` of `map_batches`."""
        self._extractor = Extractor(detector, **options)

    def __call__(self, batch: dict[str, Any]) -> dict[str, Any]:
        images = list(batch["image"])
        problems = batch.get("problem", [""] * len(images))
        found = self._extract(problem or image for image, problem in zip(images, problems))
        for name in ("keypoints", "descriptors"):
            found[name] = [array.tobytes() for array in found[name]]
        return {**{name: column for name, column in batch.items() if name != "image"}, **found}

    def _extract(self, images: Iterable[Image | str]) -> dict[str, Any]:
        """The columns of images, in the place of which problems may stand."""
        shapes: list[tuple[int, ...]] = []
        problems: list[str] = []

        def without_problem() -> Iterator[Image]:
            for image in images:
                problems.append(image if isinstance(image, str) else "")
                shapes.append((0, 0) if isinstance(image, str) else image.shape)
                if not isinstance(image, str):
                    yield image

        outcomes = iter(list(self._extractor.batch(without_problem(), errors="return")))
        found = [_NONE] * len(problems)
        for i, problem in enumerate(problems):
            if problem:
                continue
            outcome = next(outcomes)
            if isinstance(outcome, Features):
                found[i] = outcome
            else:
                problems[i] = str(outcome)
        return {
            "width": np.array([shape[1] for shape in shapes], np.int32),
            "height": np.array([shape[0] for shape in shapes], np.int32),
            "keypoints": [one.keypoints for one in found],
            "descriptors": [_NONE.keypoints if one.descriptors is None else one.descriptors for one in found],
            "problem": problems,
        }


class ExtractFiles(Extract):
    """The same for tables of Arrow with a column `path`."""

    def __init__(self, read: Callable[[str], Any], readers: int, detector: str, **options: Unpack[OfExtractor]) -> None:
        """`read` gives the image of a path, in so many threads at a time."""
        super().__init__(detector, **options)
        self._read, self._ahead = read, 2 * readers
        self._readers = ThreadPoolExecutor(readers, "octavo read")

    def __call__(self, table: Any) -> Any:
        found = self._extract(self._images(table.column("path").to_pylist()))
        for name in ("keypoints", "descriptors"):
            found[name] = _bytes_column(found[name])
        return ray("pyarrow").table({"path": table.column("path"), **found})

    def _images(self, paths: list[str]) -> Iterator[Image | str]:
        """The images of paths, or their problems. Twice as many as there are threads are read ahead: it bounds memory."""
        ahead: deque[Future[Image | str]] = deque()
        for path in paths:
            ahead.append(self._readers.submit(self._image, path))
            if len(ahead) > self._ahead:
                yield ahead.popleft().result()
        while ahead:
            yield ahead.popleft().result()

    def _image(self, path: str) -> Image | str:
        try:
            image = np.asarray(self._read(path))
            if image.ndim not in (2, 3) or image.dtype.hasobject:
                raise TypeError(
                    f"what was read is no image, but has the shape {image.shape} and the type {image.dtype}"
                )
            return image
        except Exception as error:  # of the caller's function, which may raise any
            return (error.strerror if isinstance(error, OSError) else None) or str(error) or repr(error)


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


@refusing
def features_of(row: dict[str, Any]) -> Features:
    """The features in a row. Raises Error with the row's problem, if it has one."""
    try:
        if row["problem"]:
            raise Error(row["problem"])
        keypoints = np.frombuffer(row["keypoints"], KEYPOINT)
        descriptors = np.frombuffer(row["descriptors"], np.uint8).reshape(-1, DESCRIPTOR_LENGTH)
    except (LookupError, TypeError, ValueError):
        raise WrongType(f"the row is {told(row)}, but must be one of octavo.ray.features") from None
    return Features(keypoints, None if len(descriptors) < len(keypoints) else descriptors)


@refusing
def features(
    images: Iterable[str | os.PathLike[str]] | str | os.PathLike[str],
    *,
    read: Callable[[str], Any] | None = None,
    num_cpus: float | None = None,
    num_gpus: float = 0,
    count: int | None = None,
    batch_size: int | None = None,
    detector: str = "sift",
    **options: Unpack[OfExtractor],
) -> Any:
    """The features of images as a `ray.data.Dataset`, a row each, for programs that go on with them.

    `images` are paths. `read` gives the image of a path, as an array that `octavo.Extractor` takes; by default `octavo.read`
    does. Several threads call it. The columns are `path` and those that `octavo.ray.Extract` makes; `octavo.ray.features_of`
    gives the features of a row.
    An image that cannot be read or done is a row with its problem. `count` actors extract; None: as many as the cluster has
    room for and the work needs. Each has `num_gpus` GPUs (a half: two actors share one) and `num_cpus` CPU threads, which read the
    images too; None: one, or beside a GPU its part of the CPUs of its machine, of which Ray reserves one. An actor is given
    `batch_size` images at a time, which is what is done again if it is lost; None: 16, or 64 with a GPU. Further keywords are
    options of `octavo.Extractor`, which raises InvalidOption at once.

    The dataset is lazy: the work is done where rows are asked for or written, as in `.write_parquet(FOLDER)`. Rows come in any
    order, unless Ray is told to preserve it.
    """
    num_gpus = number("num_gpus", num_gpus)
    num_cpus = None if num_cpus is None else number("num_cpus", num_cpus)
    batch_size = whole("batch_size", batch_size if batch_size is not None else 64 if num_gpus else 16, 1)
    count = None if count is None else whole("count", count, 1)
    paths = listed(images, "images")
    tried: dict[str, Any] = {**options, "device": "cpu", "threads": 1}
    Extractor(detector, **tried)  # refuses wrong options here, not on a worker
    data = ray("ray.data")
    rows = data.from_items([{"path": path} for path in paths])
    if num_cpus is None:
        num_cpus = _cpus_beside(num_gpus) if num_gpus else 1
    made = {"threads": threads_of(num_cpus), "device": device_of(num_gpus), **options}
    return rows.map_batches(
        ExtractFiles,
        fn_constructor_kwargs={"read": read or read_image, "readers": made["threads"], "detector": detector, **made},
        batch_format="pyarrow",
        batch_size=batch_size,
        compute=data.ActorPoolStrategy(size=count) if count else data.ActorPoolStrategy(),
        # Ray advises against both.
        **({"num_gpus": num_gpus} if num_gpus else {"num_cpus": num_cpus}),
    )


def _cpus_beside(num_gpus: float) -> float:
    """The CPUs that every machine with GPUs has for so many of them."""
    machines = [machine["Resources"] for machine in ray().nodes() if machine["Alive"]]
    return num_gpus * min((one.get("CPU", 1) / one["GPU"] for one in machines if one.get("GPU")), default=1)
