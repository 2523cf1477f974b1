"""Long jobs on many machines, with Ray: `pip install octavo[ray]`.

    import octavo.ray

    done = octavo.ray.extract(["photos"], "features", recursive=True, shards=100)
    for problem in done.problems:
        print(problem.item, problem.reason)

A job is divided into shards. Each is a task of Ray that calls the function of the package with `shard="I/N"` on a worker, and
makes a part; the parts are merged. The result has the bytes of one call of the function, whatever the number of shards and workers
is, and however often workers, the driver or whole machines were lost; a database of COLMAP or an archive that is added to
has the same content, as SQLite counts the changes of a file. What cannot be done, such as an image that cannot
be read, is a row of the outcome. The same call again does only what is missing or has failed, and nothing if that is
nothing.

`octavo.ray.features` gives rows in the place of files: a dataset of Ray, made by actors that keep their extractors.

All machines need this package (`runtime_env={"pip": [WHEEL]}` installs it), and one file system with the inputs, the outputs
and the parts; relative paths are those of the driver. `ray.init` chooses the cluster; otherwise Ray starts one on this machine.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ._api import Progress
from ._checks import is_path, refusing, told, whole
from ._dataset import Extract, features, features_of
from ._jobs_module import listed
from ._octavo import version
from ._ray import device_of, threads_of
from ._shards import (
    Call,
    Made,
    Workers,
    digest_of,
    digest_of_file,
    digest_of_places,
    facts_of,
    make_all,
    make_shards,
    read_marker,
    write_marker,
)
from .errors import Error, InvalidArgument, WrongType

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._call_types import OfColmap, OfExtract, OfIndex, OfPairs, OfSearch

__all__ = [
    "Extract",
    "Outcome",
    "Problem",
    "Workers",
    "colmap",
    "extract",
    "features",
    "features_of",
    "index",
    "pairs",
    "search",
]


def __dir__() -> list[str]:
    return sorted(__all__)


Path = str | os.PathLike[str]

# Options of `octavo.colmap` that `octavo.pairs` has too, which chooses the pairs of "retrieval:K".
_OF_PAIRS = frozenset(["black", "device", "gpu_memory", "isa", "max_pixels", "range", "recursive", "threads", "white"])
# Options that say how the work is done. Results do not depend on them.
_HOW = frozenset(["device", "feature_memory", "gpu_feature_memory", "gpu_memory", "isa", "jobs", "patience", "threads"])


@dataclass(frozen=True)
class Problem:
    """An item that could not be done."""

    item: str
    """The image, pair or clip, as the job names it; empty where it names none."""
    reason: str
    """For people."""


@dataclass(frozen=True)
class Outcome:
    """What a job has made."""

    output: str
    """The result: a folder or a file."""
    items: int
    """The images, pairs of images, or clips of all shards, with those that failed."""
    problems: list[Problem]
    """The items that failed."""
    parts: list[str]
    """What the shards have made. They stay, so that the next call does only what is missing."""
    made: int
    """How many shards were run now; 0: everything was there."""


@dataclass(frozen=True)
class _Job:
    """What the steps of a job have in common."""

    output: str
    shards: int
    parts: str
    workers: Workers
    progress: Progress | None

    def step(self, stage: str, options: dict[str, Any], *more: Any) -> _Step:
        """A step whose parts are made by these options, and by whatever `more` tells."""
        fixed = {name: value for name, value in options.items() if name not in _HOW}
        digest = digest_of(version, stage, fixed, *more)
        folder = os.path.join(self.parts, f"{stage}-{digest[:16]}-of-{self.shards}")
        os.makedirs(folder, exist_ok=True)
        return _Step(self, stage, folder)


@dataclass(frozen=True)
class _Step:
    """Shards of one kind, whose parts are in one folder, and their merge."""

    job: _Job
    stage: str
    folder: str

    def run(self, function: str, ending: str, inputs: str, **arguments: Any) -> _Parts:
        """Makes the parts that are missing, by a function of the package. `inputs` is the digest of the items."""
        output = "archive" if function == "video.index" else "database" if function == "colmap" else "output"
        calls, parts = [], []
        for i in range(1, self.job.shards + 1):
            shard = f"{i}/{self.job.shards}"
            parts.append(os.path.join(self.folder, f"{i}{ending}"))
            marker = os.path.join(self.folder, f"{i}.done")
            own = {output: parts[-1], "shard": shard}
            calls.append(Call(f"{self.stage} {shard}", function, arguments, own, marker, inputs))
        told = make_shards(self.stage, calls, self.job.workers, self.job.progress)
        return _Parts(self, parts, told)


@dataclass(frozen=True)
class _Parts:
    """The parts of a step."""

    step: _Step
    parts: list[str]
    told: dict[str, list[str]]
    """What the shards said that were run now."""

    def merge(self, output: str, base: str | None = None) -> Outcome:
        """Merges the parts. Does nothing where the same parts were merged to that place, and nothing has changed since."""
        parts = [*([base] if base else []), *self.parts]
        marker = os.path.join(self.step.folder, "merged.done")
        facts = [os.path.abspath(output), digest_of_places([output]), digest_of_places(parts)]
        known = read_marker(marker)
        if known.get("facts") == facts:
            return self._outcome(output, known["items"], known["problems"])
        merged: list[Made] = []
        call = Call("merge", "jobs.merge", {}, {"to": output, "parts": parts}, None, "")
        make_all([call], Workers(retries=self.step.job.workers.retries), merged.append)
        items, problems = merged[0].items, merged[0].problems
        if items is None:
            raise Error("\n".join([*problems, *(line for told in self.told.values() for line in told)]))
        facts[1] = digest_of_places([output])
        write_marker(marker, {"facts": facts, "items": items, "problems": problems})
        return self._outcome(output, items, problems)

    def _outcome(self, output: str, items: int, problems: list[str]) -> Outcome:
        return Outcome(output, items, [_problem(sentence) for sentence in problems], self.parts, len(self.told))


@refusing
def extract(
    images: Iterable[Path] | Path,
    output: Path,
    *,
    shards: int = 64,
    parts: Path | None = None,
    workers: Workers = Workers(),
    progress: Progress | None = None,
    **options: Unpack[OfExtract],
) -> Outcome:
    """Images become files of features, as by `octavo.jobs.extract(images, output)`.

    `images` are files, folders and patterns, or clips, of which each is an item. With `format="hloc"` the output is one
    file, FILE.h5. `parts` is the folder of the parts, OUTPUT.parts by default. `progress` is told
    of each shard. Further keywords are those of the function: `format="npz"`, `max_features=2000`, `recursive=True`.
    Choose some times as many shards as there are workers; another number begins anew. Raises what the function raises for
    a wrong call, and Error where the result cannot be made.
    """
    places = _places(images)
    job, given = _job(output, shards, parts, workers, progress, options, ("shard", "skip_existing"))
    if given.get("format") == "hloc":
        _require_ending(job.output, ".h5", ".hdf5")
    step = job.step("features", given, _files_of(given))
    inputs = _digest_of_inputs(places, job)
    return step.run("jobs.extract", "", inputs, images=places, skip_existing=True, **given).merge(job.output)


@refusing
def colmap(
    images: Iterable[Path] | Path,
    database: Path,
    *,
    pairs: Path = "all",
    shards: int = 64,
    parts: Path | None = None,
    workers: Workers = Workers(),
    progress: Progress | None = None,
    **options: Unpack[OfColmap],
) -> Outcome:
    """Photographs become a database of COLMAP, as by `octavo.colmap(images, database, pairs=pairs)`.

    Features are extracted in shards of the images and merged; then pairs are matched in shards and merged into the
    database, which appears as a whole. `pairs` are "all", "sequential:N", "retrieval:K", or a file of `octavo pairs`. Those of
    "retrieval:K" are chosen in shards too, as by `octavo.ray.pairs`. An image that was
    added takes a second call with its own features only, but all its pairs are matched anew. The items of the outcome are
    pairs. The rest is that of `octavo.ray.extract`.
    """
    places, pairs = _places(images), os.fspath(pairs)
    if "retrieval" in pairs and "+" in pairs:
        raise InvalidArgument(f'pairs is "{pairs}", but pairs of several kinds cannot be chosen in shards')
    job, given = _job(database, shards, parts, workers, progress, options, ("shard", "features"))
    inputs = _digest_of_inputs(places, job)
    features = os.path.join(job.parts, "features.db")
    step = job.step("features", given)
    extracted = step.run("colmap", ".db", inputs, images=places, **given).merge(features)

    chosen = 0
    known: str | list[int] | None = facts_of(pairs)
    if neighbours := re.fullmatch("retrieval:([1-9][0-9]*)", pairs):
        own = {name: value for name, value in given.items() if name in _OF_PAIRS}
        vlads = _similar(job, places, {**own, "apply_exif_rotation": False, "neighbours": int(neighbours[1])}, inputs)
        # An image that cannot be read has no pairs. Its extraction has told why.
        similar = vlads.merge(os.path.join(vlads.step.folder, "pairs.txt"))
        pairs, chosen = similar.output, similar.made
        known = digest_of_file(pairs)  # a list that is made again, as where an image cannot be read, has another time
    step = job.step("matches", given, digest_of_file(features), pairs, known)
    made = step.run("colmap", ".db", inputs, images=places, features=features, pairs=pairs, **given)
    matched = made.merge(job.output, base=features)
    problems = [*extracted.problems, *(problem for problem in matched.problems if problem not in extracted.problems)]
    return Outcome(job.output, matched.items, problems, matched.parts, extracted.made + chosen + matched.made)


@refusing
def pairs(
    images: Iterable[Path] | Path,
    output: Path,
    *,
    shards: int = 64,
    parts: Path | None = None,
    workers: Workers = Workers(),
    progress: Progress | None = None,
    **options: Unpack[OfPairs],
) -> Outcome:
    """Photographs become a list of pairs that look alike, FILE.txt, as by `octavo.pairs(images, output=output)`.

    A shard makes a vector of each of its images, the VLAD. The merge compares the vectors of all images, on one machine. The
    rest is that of `octavo.ray.extract`.
    """
    places = _places(images)
    job, given = _job(output, shards, parts, workers, progress, options, ("shard", "features"))
    _require_ending(job.output, ".txt")
    return _similar(job, places, given, _digest_of_inputs(places, job)).merge(job.output)


@refusing
def index(
    clips: Iterable[Path] | Path,
    archive: Path,
    *,
    shards: int = 64,
    parts: Path | None = None,
    workers: Workers = Workers(),
    progress: Progress | None = None,
    **options: Unpack[OfIndex],
) -> Outcome:
    """Clips become an archive that can be searched, as by `octavo.video.index(clips, archive)`.

    The parts are archives too: `octavo.ray.search` takes them as well as the merged one. The rest is that of
    `octavo.ray.extract`.
    """
    places = _places(clips)
    job, given = _job(archive, shards, parts, workers, progress, options, ("shard", "retry"))
    given.setdefault("jobs", threads_of(workers.num_cpus))
    inputs = _digest_of_inputs(places, job)
    made = job.step("clips", given).run("video.index", "", inputs, clips=places, retry=True, **given)
    return made.merge(job.output)


@refusing
def search(
    queries: Sequence[Path] | Path,
    archives: Sequence[Path] | Path,
    output: Path,
    *,
    shards: int = 64,
    parts: Path | None = None,
    workers: Workers = Workers(),
    progress: Progress | None = None,
    **options: Unpack[OfSearch],
) -> Outcome:
    """Clips that share segments with the queries, as `octavo video search QUERIES --index ARCHIVE... --json` prints them.

    Several archives, such as the parts of an index, are searched as one, with the answer of one. The shards divide the
    queries; each asks all archives. The output is the JSON of all queries, in their order. The rest is that of
    `octavo.ray.extract`.
    """
    places, folders = _places(queries), _places(archives)
    job, given = _job(output, shards, parts, workers, progress, options, ("shard",))
    files = ("catalogue.sqlite", "catalogue.sqlite-wal")  # what was written last is in the log alone
    catalogues = [(folder, [facts_of(os.path.join(folder, file)) for file in files]) for folder in folders]
    inputs = _digest_of_inputs(places, job)
    step = job.step("found", given, places, inputs, catalogues)
    return step.run("video.search", ".json", inputs, queries=places, archives=folders, **given).merge(job.output)


def _similar(job: _Job, places: list[str], options: dict[str, Any], inputs: str) -> _Parts:
    """The VLADs of images, whose merge is a list of pairs."""
    return job.step("vlads", options).run("pairs", ".vlads", inputs, images=places, **options)


def _require_ending(output: str, *endings: str) -> None:
    """The merge would refuse another name after the work."""
    if not output.lower().endswith(endings):
        raise InvalidArgument(f'output is "{output}", but must end in {" or ".join(endings)}')


def _places(places: Iterable[Path] | Path) -> list[str]:
    return listed(places, "the inputs")


def _job(
    output: Path,
    shards: int,
    parts: Path | None,
    workers: Workers,
    progress: Progress | None,
    options: Mapping[str, object],
    own: Sequence[str],
) -> tuple[_Job, dict[str, Any]]:
    """The job, and its options with those that follow from the workers. `own` are options that the job sets itself."""
    for name in own:
        if name in options:
            raise InvalidArgument(f"{name} is no option of a job in shards, which sets it itself")
    if not isinstance(workers, Workers):
        raise WrongType(f"workers is {told(workers)}, but must be octavo.ray.Workers, such as Workers(count=2)")
    for name, path in (("output", output), ("parts", "." if parts is None else parts)):
        if not is_path(path):
            raise WrongType(f"{name} is {told(path)}, but must be a path")
    if progress is not None and not callable(progress):
        raise WrongType(f"progress is {told(progress)}, but must be a function or None")
    shards = whole("shards", shards)
    if workers.count is not None and workers.count < 1:
        raise InvalidArgument(f"the count of workers is {workers.count}, but must be 1 or more")
    if not 1 <= shards <= 10_000:
        raise InvalidArgument(f"shards is {shards}, but must be between 1 and 10000")
    given = {"device": device_of(workers.num_gpus), "threads": threads_of(workers.num_cpus), **options}
    output = os.fspath(output)
    return _Job(output, shards, os.path.abspath(parts or output + ".parts"), workers, progress), given


def _digest_of_inputs(places: list[str], job: _Job) -> str:
    return digest_of(places, digest_of_places(places, [job.output, job.parts]))


def _files_of(options: dict[str, Any]) -> list[list[int] | None]:
    """What tells that a file has changed that an option names, such as a mask."""
    return [facts_of(os.fspath(value)) for value in options.values() if isinstance(value, (str, os.PathLike))]


def _problem(sentence: str) -> Problem:
    """The item and the reason in a sentence of a job."""
    found = re.match(r"(?:cannot [^']*)?'(.+?)'(?: into the database)?: (.*)", sentence, re.DOTALL)
    found = found or re.match(r"(.+?): (.*)", sentence, re.DOTALL)
    return Problem(found[1], found[2]) if found else Problem("", sentence)
