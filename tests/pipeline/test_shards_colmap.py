"""colmap --shard and octavo merge: the database of one process."""

import contextlib
import shutil
import sqlite3
import subprocess
import time

import pytest
from PIL import Image

from conftest import Octavo
from sharding import COUNTS, kill_at_random, make_photos, shuffled


def colmap(octavo, database, *arguments):
    return octavo("colmap", "photos", "--recursive", "-d", database, "--device", "cpu", *arguments)


def colmap_shards(octavo, count, options, pairs, run):
    """Makes merged.db by two steps of shards, each call by `run`."""
    base = ["colmap", "photos", "--recursive", "--device", "cpu", *options]
    for i in range(1, count + 1):
        run([*base, "-d", f"features-{i}.db", "--shard", f"{i}/{count}"])
    run(["merge", "features.db", *shuffled([f"features-{i}.db" for i in range(1, count + 1)], count)])
    for i in range(1, count + 1):
        run([*base, "-d", f"matches-{i}.db", "--shard", f"{i}/{count}", "--features", "features.db", *pairs])
    run(["merge", "merged.db", *shuffled(["features.db", *(f"matches-{i}.db" for i in range(1, count + 1))], count)])


@pytest.mark.parametrize("count", COUNTS)
def test_databases(octavo, photos, count):
    options = {1: (), 3: ("--affine", "--cameras", "folder"), 7: ("--verify", "usac", "--cameras", "one")}[count]
    pairs = ("--pairs", "sequential:3") if count == 3 else ()
    if count == 7:
        octavo("extract", "photos/1.png", "-o", ".", "--format", "json")  # no part, and no image
    colmap(octavo, "whole.db", *options, *pairs)
    colmap_shards(octavo, count, options, pairs, lambda call: octavo(*call))
    assert (octavo.folder / "merged.db").read_bytes() == (octavo.folder / "whole.db").read_bytes()
    assert not [path.name for path in octavo.folder.iterdir() if path.name.startswith(".")]
    # The features alone are those of a run without pairs.
    (octavo.folder / "no-pairs.txt").write_text("")
    colmap(octavo, "features-whole.db", *options, "--pairs", "no-pairs.txt")
    assert (octavo.folder / "features.db").read_bytes() == (octavo.folder / "features-whole.db").read_bytes()


def test_databases_with_pairs_of_retrieval(octavo, photos):
    """Pairs by shards are those that one process chooses."""
    colmap(octavo, "whole.db", "--pairs", "retrieval:2")
    for i in (1, 2):
        call = ("pairs", "photos", "--recursive", "--no-exif-rotation", "-o", f"pairs-{i}", "--neighbours", 2)
        octavo(*call, "--device", "cpu", "--shard", f"{i}/2")
    octavo("merge", "pairs.txt", "pairs-1", "pairs-2")
    colmap_shards(octavo, 2, (), ("--pairs", "pairs.txt"), lambda call: octavo(*call))
    assert (octavo.folder / "merged.db").read_bytes() == (octavo.folder / "whole.db").read_bytes()


def test_images_that_are_gone(octavo, photos):
    """The parts lose them too; and a merge replaces a database with the log that a killed program has left."""
    for _ in range(2):
        for i in (1, 2):
            colmap(octavo, f"features-{i}.db", "--shard", f"{i}/2")
        (photos / "1.png").unlink(missing_ok=True)
    with sqlite3.connect(octavo.folder / "killed.db") as killed:
        killed.execute("PRAGMA journal_mode = WAL")
        killed.execute("CREATE TABLE t (x)")
    for ending in ("", "-wal"):
        shutil.copy(octavo.folder / f"killed.db{ending}", octavo.folder / f"merged.db{ending}")
    octavo("merge", "merged.db", "features-1.db", "features-2.db")
    assert not (octavo.folder / "merged.db-wal").exists()
    (octavo.folder / "no-pairs.txt").write_text("")
    colmap(octavo, "whole.db", "--pairs", "no-pairs.txt")
    merged, whole = (bytearray((octavo.folder / name).read_bytes()) for name in ("merged.db", "whole.db"))
    # The kind of its log and SQLite's counts of changes stay.
    for first, last in ((18, 19), (24, 27), (40, 43), (92, 95)):
        merged[first : last + 1] = whole[first : last + 1]
    assert merged == whole


def test_a_merge_does_not_replace_a_database_under_its_writer(octavo, photos):
    for i in (1, 2):
        colmap(octavo, f"features-{i}.db", "--shard", f"{i}/2")
    call = ("merge", "merged.db", "features-1.db", "features-2.db")
    octavo(*call)
    other = sqlite3.connect(octavo.folder / "merged.db", isolation_level=None)
    with contextlib.closing(other):
        count = "SELECT count(*) FROM images"
        (images,) = other.execute(count).fetchone()
        other.execute("BEGIN IMMEDIATE")
        other.execute("INSERT INTO images (name, camera_id) VALUES ('of_other.png', 1)")
        run = subprocess.Popen([octavo.path, *call], cwd=octavo.folder, stderr=subprocess.PIPE, text=True)
        draft = octavo.folder / ".merged.db.merge"
        while run.poll() is None and not draft.exists():
            time.sleep(0.001)
        other.execute("COMMIT")
        errors = run.communicate()[1]
        # A merge that ended before the commit found its own bytes there, and had nothing to write.
        assert run.returncode == 0 or "another program has changed it" in errors
        assert other.execute(count).fetchone() == (images + 1,)
        octavo(*call)
        assert other.execute(count).fetchone() == (images,)  # a merge writes the whole


@pytest.mark.slow
def test_databases_of_shards_and_merges_that_are_killed(octavo, photos):
    colmap(octavo, "whole.db", "--verify", "usac")

    def run(call):
        kill_at_random(octavo, call, kills=2, longest=0.3)
        octavo(*call)

    colmap_shards(octavo, 2, ("--verify", "usac"), (), run)
    assert (octavo.folder / "merged.db").read_bytes() == (octavo.folder / "whole.db").read_bytes()
    assert not [path.name for path in octavo.folder.iterdir() if path.name.startswith(".")]


def test_images_that_fail_in_a_database(octavo, photos, texture):
    """An image that cannot be read, and one of another size than the camera that all images share."""
    (photos / "0-broken.png").write_bytes(b"no image")
    Image.fromarray(texture(64, 60, seed=1)).save(photos / "5-other-size.png")
    call = ["colmap", "photos", "--recursive", "--cameras", "one", "--device", "cpu"]
    one = octavo.call(*call, "-d", "whole.db")
    assert one.returncode == 1
    assert len([line for line in one.stderr.splitlines() if " are copies of " not in line]) == 2
    for i in (1, 2):
        octavo.call(*call, "-d", f"features-{i}.db", "--shard", f"{i}/2")
    merged = octavo.call("merge", "features.db", "features-1.db", "features-2.db")
    assert merged.returncode == 1 and "0-broken.png" in merged.stderr
    assert (
        "'5-other-size.png' into the database: it is 64 × 60 pixels, but the images of its camera are 96 × 80; with --cameras image each has its own"
        in merged.stderr
    )
    for i in (1, 2):
        octavo(*call, "-d", f"matches-{i}.db", "--shard", f"{i}/2", "--features", "features.db")
    octavo("merge", "merged.db", "features.db", "matches-1.db", "matches-2.db")
    assert (octavo.folder / "merged.db").read_bytes() == (octavo.folder / "whole.db").read_bytes()


@pytest.fixture(scope="module")
def databases(texture, tmp_path_factory):
    """The program beside databases of shards, and of both shards' features. No test changes them."""
    octavo = Octavo(tmp_path_factory.mktemp("databases"))
    make_photos(octavo, texture)
    for i in (1, 2):
        colmap(octavo, f"features-{i}.db", "--shard", f"{i}/2")
    octavo("merge", "features.db", "features-1.db", "features-2.db")
    for i in (1, 2):
        colmap(octavo, f"matches-{i}.db", "--shard", f"{i}/2", "--features", "features.db")
    colmap(octavo, "other.db", "--shard", "2/2", "--max-features", 20)
    colmap(octavo, "matches-2-other.db", "--shard", "2/2", "--features", "features.db", "--pairs", "sequential:1")
    return octavo


@pytest.mark.parametrize(
    "names, told",
    [
        ("features-1.db", "shard 2/2 is missing"),
        ("features.db matches-2.db", "shard 1/2 is missing"),
        ("features-1.db other.db", "max_features is 8192 in"),
        ("features-1.db matches-2.db", "one holds colmap features, the other colmap matches"),
        ("matches-1.db matches-2.db", "without the database of their features"),
        ("features.db", "it is no part of a shard"),
        ("features.db features-1.db features-2.db", "it is no part of a shard"),
        ("features.db matches-1.db matches-2-other.db", "different inputs (36 and 8)"),
    ],
)
def test_databases_that_do_not_make_a_whole(databases, names, told):
    assert told in databases.error(1, "merge", "a.db", *names.split())
    assert not (databases.folder / "a.db").exists()


@pytest.mark.parametrize(
    "arguments, told",
    [
        ("-d m.db --shard 1/2 --features features-1.db", "merge the parts of all shards first"),
        ("-d m.db --shard 1/2 --features features.db --ratio 0.7", "other options"),
        ("-d features-1.db --shard 2/2", "or as another part"),
        ("-d features-1.db", "or as another part"),
    ],
)
def test_databases_of_other_calls(databases, arguments, told):
    call = ("colmap", "photos", "--recursive", "--device", "cpu")
    assert told in databases.error(1, *call, *arguments.split())


def test_databases_with_features_of_other_images(octavo, databases):
    """The images have the same names."""
    shutil.copytree(databases.folder, octavo.folder, dirs_exist_ok=True)
    for path in (octavo.folder / "photos").rglob("*.png"):
        Image.open(path).transpose(Image.Transpose.FLIP_LEFT_RIGHT).save(path)
    for i in (1, 2):
        colmap(octavo, f"flipped-{i}.db", "--shard", f"{i}/2")
    octavo("merge", "flipped.db", "flipped-1.db", "flipped-2.db")
    assert "its matches are those of other features" in octavo.error(
        1, "merge", "a.db", "flipped.db", "matches-1.db", "matches-2.db"
    )
    assert "' has other keypoints in another part of this shard" in octavo.error(
        1, "merge", "a.db", "features-1.db", "features-2.db", "flipped-2.db"
    )
    assert not (octavo.folder / "a.db").exists()
    octavo("merge", "a.db", "features.db", "matches-1.db", "matches-2.db", "matches-2.db")
    assert sqlite3.connect(octavo.folder / "a.db").execute("SELECT count(*) FROM matches").fetchone() == (36,)
