"""Images in flight of a batch: on GPUs by tickets, on the CPU several at a time in threads."""

from __future__ import annotations

import contextlib
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from ._features import Features
from .errors import Error, OutOfMemory

if TYPE_CHECKING:
    from ._extractor import Extractor

_MOST_LANES = 4
"""Each has buffers of its own, and what it gains over threads within an image grows slowly."""


class _Way(Protocol):
    """How images are worked on. What `begin` returns is for `finish`, in the same order, or is left at the end."""

    most: int
    """Images in flight that keep the device busy."""

    def begin(self, image: Any, mask: Any) -> Any: ...
    def finish(self, begun: Any) -> Features: ...
    def close(self, left: Iterable[Any]) -> None: ...


class _Tickets:
    """The extractor itself has images in flight."""

    def __init__(self, extractor: Extractor) -> None:
        self._extractor = extractor
        self.most = extractor.best_in_flight

    def begin(self, image: Any, mask: Any) -> int | Error:
        try:
            return self._extractor.submit(image, mask)
        except Error as error:
            return error

    def finish(self, begun: int | Error) -> Features:
        if isinstance(begun, Error):
            raise begun
        return self._extractor.collect(begun)

    def close(self, left: Iterable[int | Error]) -> None:
        # Where the caller has left, features that are never collected would be kept.
        for begun in left:
            with contextlib.suppress(BaseException):  # the first failure has been raised
                self.finish(begun)


class _Lanes:
    """Extractors side by side, each with a share of the threads: an image has parts that only one thread can do."""

    def __init__(self, extractor: Extractor, count: int) -> None:
        self._extractor = extractor
        self._count = count
        self._all = [extractor, *(extractor._with_threads(extractor.threads // count) for _ in range(count))]
        self._idle: SimpleQueue[Extractor] = SimpleQueue()
        for one in self._all[1:]:
            self._idle.put(one)
        self._threads = ThreadPoolExecutor(count, "octavo")
        self._begun: set[Future[Features]] = set()
        self._large: dict[tuple[int, ...], bool] = {}
        self.most = count + 1  # one waits, so that no lane does

    def begin(self, image: Any, mask: Any) -> tuple[Future[Features], Any, Any]:
        # The caller may write to the arrays afterwards.
        image, mask = (one.copy() if isinstance(one, np.ndarray) else one for one in (image, mask))
        shape = tuple(getattr(image, "shape", ()))
        if shape not in self._large:
            self._large[shape] = self._is_large(image, mask)
        if self._large[shape]:
            wait(self._begun)
            future = self._submitted(self._work_alone, image, mask)
            self._begun.add(future)
            wait([future])
        else:
            future = self._submitted(self._work, image, mask)
            self._begun.add(future)
        return future, image, mask

    def _submitted(self, work: Callable[[Any, Any], Features], image: Any, mask: Any) -> Future[Features]:
        try:
            return self._threads.submit(work, image, mask)
        except RuntimeError:  # Python ends, and a daemon thread goes on, for which there are no further threads
            future: Future[Features] = Future()
            try:
                future.set_result(work(image, mask))
            except Error as error:
                future.set_exception(error)
            return future

    def _is_large(self, image: Any, mask: Any) -> bool:
        """Whether the memory may not suffice for an image of this size in each lane."""
        try:
            (need,) = self._extractor.estimate(image, mask is not None)
        except Error:
            return False  # the work tells why
        return self._count * need.usual_host > need.available_host // 2

    def _work(self, image: Any, mask: Any) -> Features:
        extractor = self._idle.get()
        try:
            return extractor.collect(extractor.submit(image, mask))
        finally:
            self._idle.put(extractor)

    def _work_alone(self, image: Any, mask: Any) -> Features:
        return self._extractor.collect(self._extractor.submit(image, mask))

    def finish(self, begun: tuple[Future[Features], Any, Any]) -> Features:
        future, image, mask = begun
        self._begun.discard(future)
        with contextlib.suppress(OutOfMemory):
            return future.result()
        wait(self._begun)  # the memory that it lacked may be that of its neighbours
        return self._work_alone(image, mask)

    def close(self, left: Iterable[Any]) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)
        while not all(future.done() for future in self._begun):  # work that was about to begin is not stopped at once
            for extractor in self._all:
                extractor._worker.stop()
            time.sleep(0.02)
        self._threads.shutdown()


def _way_of(extractor: Extractor, tells_progress: bool) -> _Way:
    lanes = min(extractor.threads, _MOST_LANES)
    # A function for progress need not be safe for several threads.
    if extractor.best_in_flight > 1 or lanes < 2 or tells_progress:
        return _Tickets(extractor)
    return _Lanes(extractor, lanes)


def _until_failure(images: Iterable[Any], failure: list[Exception]) -> Iterator[Any]:
    """The images before the caller's generator raises, so that theirs are told first; what it raises is put to `failure`."""
    try:
        yield from images
    except Exception as error:  # of the caller's generator, which may raise any
        failure.append(error)


def batch_of(
    extractor: Extractor, images: Iterable[tuple[Any, Any]], tells_progress: bool, returns_errors: bool
) -> Iterator[Features | Error]:
    """The features of images and their masks, in their order."""
    way = _way_of(extractor, tells_progress)

    def outcome(begun: Any) -> Features | Error:
        try:
            return way.finish(begun)
        except Error as error:
            if not returns_errors:
                raise
            return error

    in_flight: deque[Any] = deque()
    failure: list[Exception] = []
    try:
        for image, mask in _until_failure(images, failure):
            in_flight.append(way.begin(image, mask))
            if len(in_flight) >= way.most:
                yield outcome(in_flight.popleft())
        while in_flight:
            yield outcome(in_flight.popleft())
        if failure:
            raise failure[0]
    finally:
        way.close(in_flight)
