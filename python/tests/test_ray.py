"""octavo.ray on a cluster of this machine: the bytes of one process, for any number of workers, whatever was killed."""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import octavo.ray
from killer import SEED, Killer, children, named
from octavo._shards import Call, Made, make

pytest.importorskip("octavo._jobs", reason="lacks octavo._jobs: the package was built without its jobs")

SHARDS = 6
TRIES = 20  # of a test that kills, until it has hit often enough: machines differ in speed

DRIVER = """
import sys
import octavo.ray, ray
if __name__ == "__main__":
    address, *places = sys.argv[1:]
    ray.init(address=address, log_to_driver=False, logging_level="error")
    octavo.ray.extract(*places, shards=6, progress=lambda *told: print(*told, flush=True))
"""


@pytest.fixture
def octavo_program(program, tmp_path, monkeypatch):
    """Calls the program in a folder of the test, which is the working folder."""
    path = os.path.abspath(program)
    monkeypatch.chdir(tmp_path)

    def call(*arguments, code=0):
        done = subprocess.run([path, *map(str, arguments)], capture_output=True, text=True)
        assert done.returncode == code, done.stderr
        return done.stdout

    call.path = path
    return call


@pytest.fixture
def workers(cluster, octavo_program):
    return octavo.ray.Workers


@pytest.fixture(scope="module")
def images(texture, tmp_path_factory):
    """Images in two folders; one of them is none."""
    folder = tmp_path_factory.mktemp("images")
    (folder / "old").mkdir()
    for i in range(12):
        write_image(folder / ("old" if i % 3 == 0 else ".") / f"{i}.pgm", np.tile(texture(160, 128, seed=i), (3, 3)))
    (folder / "broken.png").write_bytes(b"no image")
    return folder


@pytest.fixture
def photos(images, tmp_path):
    return shutil.copytree(images, tmp_path / "photos")


def write_image(path, grey):
    path.write_bytes(b"P5 %d %d 255\n" % grey.shape[::-1] + grey.tobytes())


def contents(folder):
    return {
        str(path.relative_to(folder)): path.read_bytes() for path in sorted(Path(folder).rglob("*")) if path.is_file()
    }


def times(folder):
    return {path: path.stat().st_mtime_ns for path in Path(folder).rglob("*") if path.is_file()}


def one_process(octavo_program):
    octavo_program("extract", "photos", "--recursive", "-o", "whole", "--device", "cpu", code=1)
    return contents("whole")


def extract(workers, output="features", **options):
    return octavo.ray.extract("photos", output, recursive=True, shards=SHARDS, workers=workers, **options)


@pytest.mark.parametrize(
    "facts", [{"count": 1}, {"count": 2}, {"num_cpus": 0.5, "count": 4}, {"num_gpus": 0.5}], ids=str
)
def test_features(octavo_program, photos, workers, facts):
    told = []
    done = extract(workers(**facts), device="cpu", progress=lambda *step: told.append(step))
    assert contents("features") == one_process(octavo_program)
    assert told == [("features", i, SHARDS) for i in range(SHARDS + 1)]
    assert (done.output, done.items, done.made) == ("features", 13, SHARDS)
    assert [problem.item for problem in done.problems] == ["photos/broken.png"]
    assert done.problems[0].reason.startswith("it is not a JPEG")


def test_a_second_run_does_what_is_missing(octavo_program, photos, workers, texture, monkeypatch):
    extract(workers())
    (photos / "broken.png").unlink()
    write_image(photos / "added.pgm", texture())
    added = extract(workers())
    assert (added.items, added.problems) == (13, [])
    before = times("features") | times("features.parts")
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "ray", None)  # where nothing is to be done it is not needed
        again = extract(workers())
    assert again.made == 0 and times("features") | times("features.parts") == before
    os.remove("features/1.pgm.txt")
    assert extract(workers()).made == 0
    octavo_program("extract", "photos", "--recursive", "-o", "whole", "--device", "cpu")
    assert contents("features") == contents("whole")

    # What is done does not depend on how; other options make other parts.
    assert extract(workers(), threads=2).made == 0
    extract(workers(), format="npz", max_features=50)
    octavo_program(
        "extract", "photos", "--recursive", "-o", "whole", "--format", "npz", "--max-features", 50, "--device", "cpu"
    )
    assert contents("features") == contents("whole")

    # A mask that changes, under the same name.
    write_image(photos.parent / "mask.pgm", np.zeros((384, 480), np.uint8))
    extract(workers(), "masked", mask="mask.pgm")
    write_image(photos.parent / "mask.pgm", np.full((384, 480), 255, np.uint8))
    assert extract(workers(), "masked", mask="mask.pgm").made == SHARDS


def kill_workers(seed):
    """Kills Ray's processes. Not the decoder that they run: where that dies, the clip is one that cannot be read."""
    return Killer(("ray::make",), seed)


def test_an_image_that_is_bad_for_a_time(octavo_program, photos, workers):
    """A part that was made again without success is not what it was before."""
    (photos / "broken.png").unlink()

    def extract():
        return octavo.ray.extract("photos", "out", shards=3, recursive=True, workers=workers(), max_features=50)

    assert extract().problems == []
    (photos / "it's broken.pgm").write_bytes(b"no image")
    assert [problem.item for problem in extract().problems] == ["photos/it's broken.pgm"]
    (photos / "it's broken.pgm").unlink()
    again = extract()
    assert again.problems == [] and again.items == 12


def test_workers_that_are_killed(octavo_program, photos, workers):
    kills, whole = 0, one_process(octavo_program)
    for attempt in range(TRIES):
        with kill_workers(attempt) as killer:
            done = extract(workers(), f"features-{attempt}")
        kills += killer.kills
        assert len(done.problems) == 1
        assert contents(f"features-{attempt}") == whole
        if kills >= 4:
            break
    assert kills >= 4, "the work was too short to be hit"


def test_a_driver_that_is_killed(cluster, octavo_program, photos, workers):
    moments, killed, longest = random.Random(f"{SEED} driver"), 0, 1.2
    for _ in range(TRIES):
        arguments = [sys.executable, "-c", DRIVER, cluster, "photos", "features"]
        with subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True) as driver:
            assert driver.stdout.readline() == f"features {len(list(Path().glob('features.parts/*/*.done')))} 6\n"
            time.sleep(moments.uniform(0, longest))
            driver.send_signal(signal.SIGKILL)
            if driver.wait() == -signal.SIGKILL:
                killed += 1
            else:  # it had ended before: machines differ in speed
                longest /= 2
                shutil.rmtree("features")
                shutil.rmtree("features.parts")
        if killed == 2:
            break
    assert killed == 2, "the work was too short to be hit"
    deadline = time.monotonic() + 30
    while running := [one for one in children(os.getpid()) if named(one).startswith("ray::make")]:
        assert time.monotonic() < deadline, f"the shards go on without their driver: {running}"
        time.sleep(0.1)
    octavo_program("extract", "photos", "-o", "whole", "--device", "cpu", code=1)
    octavo.ray.extract("photos", "features", shards=6, workers=workers())
    assert contents("features") == contents("whole")


def test_progress_that_gives_up(photos, workers):
    def give_up(stage, done, total):
        if done == 1:
            raise KeyError("enough")

    with pytest.raises(KeyError, match="enough"):
        extract(workers(), progress=give_up)
    assert 1 <= SHARDS - extract(workers()).made <= 3


def colmap(workers, **options):
    return octavo.ray.colmap(
        "photos", "a.db", recursive=True, shards=3, pairs="sequential:2", max_features=300, workers=workers, **options
    )


def content(database):
    """The bytes without SQLite's counts of changes, which tell how often the content was replaced."""
    found = bytearray(Path(database).read_bytes())
    for first in (24, 40, 92):
        found[first : first + 4] = bytes(4)
    return found


def test_databases(octavo_program, photos, workers):
    with kill_workers("databases"):
        done = colmap(workers(), verify="usac", progress=lambda *told: None)
    call = ("colmap", "photos", "--recursive", "--pairs", "sequential:2", "--max-features", 300, "--device", "cpu")
    octavo_program(*call, "-d", "whole.db", "--verify", "usac", code=1)
    assert Path("a.db").read_bytes() == Path("whole.db").read_bytes()
    assert (done.items, done.made) == (19, 6) and [problem.item for problem in done.problems] == ["photos/broken.png"]
    (photos / "broken.png").unlink()
    colmap(workers(), verify="usac")
    before = times(".")
    assert colmap(workers(), verify="usac").made == 0 and times(".") == before

    os.remove("a.db")
    assert colmap(workers(), verify="usac").made == 0
    write_image(photos / "added.pgm", np.zeros((80, 90), np.uint8))
    assert colmap(workers(), verify="usac").made == 6
    octavo_program(*call, "-d", "added.db", "--verify", "usac")
    assert content("a.db") == content("added.db")
    assert colmap(workers()).made == 6
    octavo_program(*call, "-d", "unverified.db")
    assert content("a.db") == content("unverified.db")


def test_pairs(octavo_program, photos, workers):
    call = ("photos", "--recursive", "--device", "cpu")
    octavo_program("pairs", *call, "-o", "whole.txt", "--neighbours", 2, code=1)
    with kill_workers("pairs"):
        done = octavo.ray.pairs("photos", "pairs.txt", recursive=True, neighbours=2, shards=3, workers=workers())
    assert Path("pairs.txt").read_bytes() == Path("whole.txt").read_bytes() != b""
    assert (done.items, done.made, [problem.item for problem in done.problems]) == (13, 3, ["photos/broken.png"])

    octavo_program("colmap", *call, "--pairs", "retrieval:2", "--max-features", 300, "-d", "whole.db", code=1)
    options = {"recursive": True, "pairs": "retrieval:2", "max_features": 300, "shards": 2, "workers": workers()}
    done = octavo.ray.colmap("photos", "a.db", **options)
    assert Path("a.db").read_bytes() == Path("whole.db").read_bytes()
    assert [problem.item for problem in done.problems] == ["photos/broken.png"]
    octavo.ray.colmap("photos", "a.db", **options)
    assert len(list(Path("a.db.parts").glob("matches-*"))) == 1, (
        "no pair is matched again for an image that cannot be read"
    )
    (photos / "broken.png").unlink()
    octavo.ray.colmap("photos", "a.db", **options)
    assert octavo.ray.colmap("photos", "a.db", **options).made == 0


def test_one_file_of_features(octavo_program, photos, workers):
    octavo_program("extract", "photos", "--recursive", "-o", "whole.h5", "--format", "hloc", "--device", "cpu", code=1)
    with kill_workers("hloc"):
        done = extract(workers(), "features.h5", format="hloc")
    assert Path("features.h5").read_bytes() == Path("whole.h5").read_bytes()
    assert [problem.item for problem in done.problems] == ["photos/broken.png"]


@pytest.fixture(scope="module")
def films(photograph, tmp_path_factory):
    """Four clips of some seconds, of which one is a part of another, and a file that is none."""
    if shutil.which("ffmpeg") is None:
        pytest.skip("lacks ffmpeg, of Debian's package ffmpeg")
    folder = tmp_path_factory.mktemp("films")
    for name, source, begin, seconds in (
        ("a.avi", "vtest.avi", 20, 5), ("part.avi", "vtest.avi", 21, 3), ("b.avi", "tree.avi", 2, 2), ("c.avi", "Megamind.avi", 0, 4),
    ):  # fmt: skip
        command = ["ffmpeg", "-v", "error", "-ss", str(begin), "-t", str(seconds), "-i", photograph(source), "-an"]
        subprocess.run(
            [*command, "-vf", "scale=320:-2", "-c:v", "mpeg4", "-q:v", "4", folder / name], check=True, timeout=60
        )
    (folder / "broken.mp4").write_bytes(b"no clip")
    return folder


def test_clips(octavo_program, films, workers):
    octavo_program("video", "index", films, "--index", "whole", "--device", "cpu", code=1)

    def digest(archive):
        return json.loads(octavo_program("video", "list", "--index", archive, "--json"))["digest"]

    with kill_workers("clips"):
        done = octavo.ray.index(films, "archive", shards=3, workers=workers())
    assert digest("archive") == digest("whole")
    assert (done.items, done.made, [problem.item for problem in done.problems]) == (5, 3, [f"{films}/broken.mp4"])
    again = octavo.ray.index(films, "archive", shards=3, workers=workers())
    assert again.made == 1 and digest("archive") == digest("whole"), (
        "the shard with the broken file alone is begun again"
    )

    # Archives of other shards have the same catalogue, and the times of the work lie beside it.
    for name, shards in (("of-2", 2), ("of-3", 3)):
        octavo.ray.index(films, name, shards=shards, workers=workers())
    assert Path("of-2/catalogue.sqlite").read_bytes() == Path("of-3/catalogue.sqlite").read_bytes()
    assert digest("of-2") == digest("whole")

    # Queries in the parts of the index, and in the merged one.
    queries = [films / "part.avi", films / "broken.mp4", films / "c.avi"]
    octavo_program(
        "video", "search", *queries, "--index", "archive", "--rough-ends", "--device", "cpu", "--json", code=1
    )
    for name, archives in (("of-parts.json", done.parts), ("of-archive.json", "archive")):
        call = {"shards": 2, "rough_ends": True, "workers": workers()}
        with kill_workers(name):
            found = octavo.ray.search(queries, archives, name, **call)
        together = [
            word for archive in ([archives] if archives == "archive" else archives) for word in ("--index", archive)
        ]
        one = octavo_program(
            "video", "search", *queries, *together, "--rough-ends", "--device", "cpu", "--json", code=1
        )
        assert Path(name).read_text() == one
        assert len(json.loads(one)[0]["found_clips"]) == 2
        assert (found.items, [problem.item for problem in found.problems]) == (3, [f"{films}/broken.mp4"])
    octavo.ray.search(queries[0], "archive", "one.json", **call)
    assert octavo.ray.search(queries[0], "archive", "one.json", **call).made == 0


def test_features_of_clips(octavo_program, films, workers):
    clips = sorted(films.iterdir())
    octavo_program("extract", *clips, "-o", "whole", "--fps", 1, "--device", "cpu", code=1)
    with kill_workers("frames"):
        done = octavo.ray.extract(clips, "features", fps=1, shards=3, workers=workers())
    assert contents("features") == contents("whole")
    assert (done.items, [problem.item for problem in done.problems]) == (5, [f"{films}/broken.mp4"])


def test_calls_that_are_wrong(octavo_program, photos, workers, capfd):
    with pytest.raises(octavo.UnknownOption, match='extract has no option "max_feature"; did you mean max_features'):
        extract(workers(), max_feature=5)
    with pytest.raises(octavo.InvalidOption, match='pairs is "retrieval:0", but must have a whole number'):
        octavo.ray.colmap("photos", "a.db", pairs="retrieval:0", shards=2, workers=workers())
    with pytest.raises(octavo.InvalidArgument, match='output is "pairs", but must end in .txt'):
        octavo.ray.pairs("photos", "pairs", workers=workers())
    with pytest.raises(octavo.InvalidArgument, match='output is "a.txt", but must end in .h5 or .hdf5'):
        extract(workers(), "a.txt", format="hloc")
    with pytest.raises(octavo.InvalidArgument, match="shard is no option of a job in shards"):
        extract(workers(), shard="1/2")
    with pytest.raises(octavo.InvalidArgument, match="shards is 0, but must be between 1 and 10000"):
        octavo.ray.extract("photos", "features", shards=0)
    assert not Path("features").exists()
    missing = octavo.ray.extract("nowhere", "features", shards=2, workers=workers())
    assert [problem.item for problem in missing.problems] == ["nowhere"]
    Path("a.db").mkdir()
    with pytest.raises(octavo.Error, match="a.db"):
        colmap(workers())
    assert "Unhandled error" not in capfd.readouterr().err


def test_what_a_shard_is_given(photos, workers, monkeypatch):
    """Ray gives a GPU by CUDA_VISIBLE_DEVICES; the threads are those of the workers."""
    calls = []
    monkeypatch.setattr(octavo.ray, "make_shards", lambda stage, wanted, *_: calls.extend(wanted) or {})
    monkeypatch.setattr(octavo.ray, "make_all", lambda wanted, workers, took: took(Made("merge", 0, [])))
    for facts, device, threads in (
        ({"num_gpus": 1}, "auto", 1), ({"num_cpus": 2}, "cpu", 2), ({"num_gpus": 2, "num_cpus": 8}, "cuda:all", 8),
    ):  # fmt: skip
        calls.clear()
        octavo.ray.extract("photos", "features", shards=1, workers=workers(**facts))
        assert (calls[0].common["device"], calls[0].common["threads"]) == (device, threads)


def test_workers_that_always_die(tmp_path, cluster, monkeypatch):
    """The work is not tried for ever. Noise takes the trilateral filter long."""
    monkeypatch.chdir(tmp_path)
    Path("noise").mkdir()
    for i in range(12):
        write_image(Path("noise") / f"{i}.pgm", np.random.default_rng(i).integers(0, 256, (384, 480), np.uint8))
    with (
        Killer(("ray::make",), "always"),
        pytest.raises(
            octavo.Error, match="calls were not finished in 1 attempts each; the same job does them: features"
        ),
    ):
        octavo.ray.extract("noise", "features", shards=2, workers=octavo.ray.Workers(retries=0), smoothing="trilateral")


def test_a_worker_of_another_version(photos):
    call = Call("features 1/1", "jobs.extract", {}, {}, None, "")
    assert "but the driver has octavo 9.9" in str(make(call, {}, os.getcwd(), "9.9").refusal)
    assert "has no folder '/no/such'; all machines need the same one" in str(
        make(call, {}, "/no/such", octavo.__version__).refusal
    )


def test_example(cluster, octavo_program, photos):
    """docs/scale.md quotes it."""
    environment = {**os.environ, "RAY_ADDRESS": cluster}
    example = Path(__file__).parents[2] / "docs" / "examples" / "python" / "features_with_ray.py"
    for place, made in ((photos / "old", 100), (photos / "old", 0)):
        done = subprocess.run(
            [sys.executable, example, place, "features"], capture_output=True, text=True, env=environment
        )
        assert done.stdout == f"4 images, 0 failed; {made} shards were run now\n", done.stderr
    octavo_program("extract", photos / "old", "--max-features", 4000, "-o", "whole", "--device", "cpu")
    assert contents("features") == contents("whole")


def test_a_list_of_50_000_paths(photos, workers):
    """It moves to each shard, whatever its length."""
    paths = [*photos.glob("*.pgm"), *(f"{photos}/absent-{i:05}.pgm" for i in range(50_000))]
    done = octavo.ray.extract(paths, "features", shards=2, max_features=10, workers=workers())
    assert done.items == len(paths) and len(done.problems) == 50_000
    assert len(list(Path("features").iterdir())) >= 8


def test_without_ray(octavo_program, photos, monkeypatch):
    told = subprocess.run(
        [sys.executable, "-c", "import octavo.ray, sys; print('ray' in sys.modules)"], capture_output=True, text=True
    )
    assert told.stdout == "False\n", "Ray is imported where it is used"
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ModuleNotFoundError, match=r"octavo.ray needs ray: pip install octavo\[ray\]"):
        extract(octavo.ray.Workers())


def test_workers_of_ray_are_told_apart(tmp_path):
    for wrong, words in (
        ({"workers": 2}, r"workers is 2, but must be octavo.ray.Workers, such as Workers\(count=2\)"),
        ({"shards": "a"}, "shards is 'a', but must be a whole number"),
        ({"parts": 3}, "parts is 3, but must be a path"),
        ({"progress": 3}, "progress is 3, but must be a function"),
    ):
        with pytest.raises(octavo.Error, match=words):
            octavo.ray.extract(["a.png"], tmp_path / "out", **wrong)
    with pytest.raises(octavo.WrongType, match="inputs must be a path or a list of paths, not None"):
        octavo.ray.index(None, tmp_path / "out")
