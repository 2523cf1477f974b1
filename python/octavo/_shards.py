"""The shards of a job as tasks of Ray, and the merge of their parts. Each is a call of a function of the package.

A call that has succeeded leaves a marker: a file with the digest of all that determines its result. A call whose marker has
the digest is not made again, so a job that is started again does what is missing. A call with problems leaves none, and is
made again: the function then tries what failed. Ray starts a task again whose worker was lost. Both may begin a call whose
first half is done, or make it twice at a time: parts are made for that.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import json
import os
import socket
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from glob import glob
from typing import Any

from ._devices import Progress
from ._octavo import version
from ._ray import ray
from .errors import Error, FileError, InvalidArgument, InvalidOption, UnknownOption

# Ray looks at each task that waits, so they are not handed over all at once.
_MOST_TASKS = 1000


@dataclass(frozen=True)
class Workers:
    """What a shard is given, and how many run at a time.

    A shard runs on `num_cpus` CPU threads, and on `num_gpus` GPUs (a half: two shards share one). Ray starts as many as
    the cluster has room for, and at most `count`. A shard whose worker is lost is begun again, up to `retries` times.
    """

    num_cpus: float = 1
    num_gpus: float = 0
    count: int | None = None
    retries: int = 10


@dataclass(frozen=True)
class Call:
    """A call of a function, and what it has to do with other calls."""

    name: str
    """For people: "shard 3/8"."""
    function: str
    """Of the package, such as "video.index"."""
    common: dict[str, Any]
    """Arguments that several calls have in common, such as a long list of files: one object, which moves once."""
    own: dict[str, Any]
    """Further arguments."""
    marker: str | None
    """The path of the file that says that it has succeeded."""
    digest: str
    """Of all that determines its result."""

    def is_done(self) -> bool:
        return self.marker is not None and read_marker(self.marker).get("digest") == self.digest


@dataclass(frozen=True)
class Made:
    """What a call has made."""

    name: str
    """Of the call."""
    items: int | None
    """Of a merge: the items of all shards. None: another function, or it failed as a whole."""
    problems: list[str]
    """What could not be done, a sentence each."""
    refusal: Error | None = None
    """Why the call is wrong. Ray would print an exception that is raised in several tasks."""


def digest_of(*parts: Any) -> str:
    """A digest of values that JSON knows, and of paths."""
    text = json.dumps(parts, default=os.fspath, ensure_ascii=True, sort_keys=True)
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def digest_of_file(path: str) -> str:
    """A digest of the bytes of a file."""
    digest = hashlib.blake2b(digest_size=16)
    with open(path, "rb") as stream:
        while block := stream.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def facts_of(path: str) -> list[int] | None:
    """Size and time of a file; None if there is none. Other bytes have other facts."""
    try:
        facts = os.stat(path)
    except OSError:
        return None
    return [facts.st_size, facts.st_mtime_ns]


def digest_of_places(places: Iterable[str], leave_out: Sequence[str] = ()) -> str:
    """A digest of the names, sizes and times of all files that the places name: files, folders, patterns.

    Another digest says only that the program must look, so files that do not matter do no harm. What lies in `leave_out`
    does not count.
    """
    hidden = {os.path.abspath(path) for path in leave_out}
    digest = hashlib.blake2b(digest_size=16)
    for file in sorted(_files_in(places, hidden)):
        digest.update(f"{file}\0{facts_of(file)}\0".encode(errors="surrogateescape"))
    return digest.hexdigest()


def _files_in(places: Iterable[str], hidden: set[str]) -> Iterator[str]:
    for place in places:
        for named in glob(place) if not os.path.lexists(place) and glob(place) else [place]:
            if not os.path.isdir(named):
                yield named
            for folder, folders, files in os.walk(named):
                folders[:] = [one for one in folders if os.path.abspath(os.path.join(folder, one)) not in hidden]
                paths = (os.path.join(folder, file) for file in files)
                yield from (path for path in paths if os.path.abspath(path) not in hidden)


def read_marker(path: str) -> dict[str, Any]:
    """The content of a marker; empty if it is none."""
    try:
        with open(path, encoding="utf-8") as stream:
            content = json.load(stream)
    except (OSError, ValueError):
        return {}
    return content if isinstance(content, dict) else {}


def write_marker(path: str, content: dict[str, Any]) -> None:
    """Writes a marker, whole or not at all."""
    draft = f"{path}.{socket.gethostname()}-{os.getpid()}"
    with open(draft, "w", encoding="utf-8") as stream:
        json.dump(content, stream)
    os.replace(draft, path)


def make(call: Call, common: dict[str, Any], folder: str, wanted: str) -> Made:
    """Makes a call in the folder, in which relative paths are meant. Runs on a worker, which needs the `wanted` version."""
    host = socket.gethostname()
    if version != wanted:
        refusal = FileError(f"{host} has octavo {version}, but the driver has octavo {wanted}: results might differ")
        return Made(call.name, None, [], refusal)
    if not os.path.isdir(folder):
        refusal = FileError(f"{host} has no folder '{folder}'; all machines need the same one")
        return Made(call.name, None, [], refusal)
    if call.marker is not None:  # what it tells is over once the part is made again
        with contextlib.suppress(FileNotFoundError):
            os.remove(call.marker)
    module, _, name = f"octavo.{call.function}".rpartition(".")
    os.chdir(folder)
    try:
        told = getattr(importlib.import_module(module), name)(**common, **call.own)
    except (InvalidArgument, InvalidOption, UnknownOption) as refusal:
        return Made(call.name, None, [], refusal)
    except Error as error:
        return Made(call.name, None, [str(error)])
    if call.marker is not None and not told.problems:
        write_marker(call.marker, {"digest": call.digest})
    return Made(call.name, getattr(told, "items", None), list(told.problems))


def make_all(calls: Iterable[Call], workers: Workers, took: Callable[[Made], object]) -> None:
    """Makes calls on the cluster, and hands over each as it ends.

    Raises Error with the names of those that could not be finished, after all others. Any other error, also one that `took`
    raises, ends the work at once.
    """
    waiting = iter(calls)
    cluster = ray()
    task = cluster.remote(make).options(
        num_cpus=workers.num_cpus,
        num_gpus=workers.num_gpus,
        max_retries=workers.retries,
    )
    folder = os.getcwd()
    stored: dict[int, Any] = {}
    running: dict[Any, Call] = {}
    lost: list[str] = []
    most = min(workers.count or _MOST_TASKS, _MOST_TASKS)
    try:
        while True:
            while len(running) < most and (call := next(waiting, None)) is not None:
                if id(call.common) not in stored:
                    stored[id(call.common)] = cluster.put(call.common)
                own = replace(call, common={})
                running[task.remote(own, stored[id(call.common)], folder, version)] = call
            if not running:
                break
            for reference in cluster.wait(list(running))[0]:
                call = running.pop(reference)
                try:
                    made = cluster.get(reference)
                except cluster.exceptions.RayTaskError as error:
                    raise error.cause from None
                except cluster.exceptions.RayError as error:
                    lost.append(f"{call.name}: {str(error).splitlines()[0]}")
                    continue
                if made.refusal is not None:
                    raise made.refusal
                took(made)
    finally:
        for reference in running:
            cluster.cancel(reference)
    if lost:
        raise Error(
            f"{len(lost)} calls were not finished in {workers.retries + 1} attempts each; the same job does them: "
            + "; ".join(lost)
        )


def make_shards(stage: str, calls: list[Call], workers: Workers, progress: Progress | None) -> dict[str, list[str]]:
    """Makes those calls that are not done. Returns what each of them says, by its name."""
    missing = [call for call in calls if not call.is_done()]
    told: dict[str, list[str]] = {}

    def tell() -> None:
        if progress is not None:
            progress(stage, len(calls) - len(missing) + len(told), len(calls))

    def take(made: Made) -> None:
        told[made.name] = made.problems
        tell()

    tell()
    if missing:
        make_all(missing, workers, take)
    return told
