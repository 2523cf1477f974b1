"""--shard and octavo merge: the bytes of one process, for any number of shards, in any order, whatever was killed."""

import contextlib
import functools
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import time

import pytest
from PIL import Image

from conftest import Octavo

SEED = os.environ.get("OCTAVO_KILLS_SEED", "0")  # another one kills at other moments
COUNTS = [1, 3, 7]


def counts_with_one(usual):
    """COUNTS, of which one is usual. The others are slow: a shard of films takes a second."""
    return [count if count == usual else pytest.param(count, marks=pytest.mark.slow) for count in COUNTS]


def shard_number(name, count):
    """As octavo/io/shard.h says."""
    z = 14695981039346656037
    for byte in name.encode():
        z = (z ^ byte) * 1099511628211 % 2**64
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
    return (z ^ z >> 31) % count + 1


def contents(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def shuffled(items, seed):
    items = list(items)
    random.Random(f"{SEED} {seed}").shuffle(items)
    return items


def kill_at_random(octavo, arguments, kills=3, longest=0.4):
    """Begins a call again and again, until it was killed several times while it was still at work."""
    moments = random.Random(f"{SEED} {arguments}")
    killed = 0
    while killed < kills:
        run = subprocess.Popen([octavo.path, *map(str, arguments)], cwd=octavo.folder, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)  # fmt: skip
        time.sleep(moments.uniform(0, longest))
        run.send_signal(signal.SIGKILL)
        if run.wait() == -signal.SIGKILL:
            killed += 1
        else:
            longest /= 2  # It had ended before: machines differ in speed.


@pytest.fixture
def photos(octavo, texture):
    """The folder photos/ with nine small images in two folders."""
    folder = octavo.folder / "photos"
    (folder / "old").mkdir(parents=True)
    for i in range(9):
        Image.fromarray(texture(96, 80, seed=i // 2)).save(folder / ("old" if i % 3 == 0 else ".") / f"{i}.png")
    return folder


def extract(octavo, output, *arguments):
    return octavo("extract", "photos", "--recursive", "--output", output, "--device", "cpu", *arguments)


@pytest.mark.parametrize("count", COUNTS)
def test_features(octavo, photos, count):
    options = ("--format", "npz", "--draw") if count == 3 else ()
    extract(octavo, "whole", *options)
    parts = [f"part-{i}" for i in range(1, count + 1)]
    names = [str(path.relative_to(photos)) for path in photos.rglob("*.png")]
    for i, part in enumerate(parts, 1):
        printed = extract(octavo, part, *options, "--shard", f"{i}/{count}")
        done = {line.rpartition(": ")[0].removeprefix("photos/") for line in printed.splitlines()}
        assert done == {name for name in names if shard_number(name, count) == i}
    assert octavo("merge", "merged", *shuffled(parts, count)) == (
        f"merged: features of {count} {'shard' if count == 1 else 'shards'}, 9 items\n"
    )
    assert contents(octavo.folder / "merged") == contents(octavo.folder / "whole")
    # Once more, with parts that are given twice; and all shards in one folder.
    octavo("merge", "merged", *shuffled(parts * 2, -count))
    assert contents(octavo.folder / "merged") == contents(octavo.folder / "whole")
    for i in range(1, count + 1):
        extract(octavo, "common", *options, "--shard", f"{i}/{count}")
    octavo("merge", "merged-again", "common")
    assert contents(octavo.folder / "merged-again") == contents(octavo.folder / "whole")


@pytest.mark.slow
def test_features_of_shards_and_merges_that_are_killed(octavo, photos):
    extract(octavo, "whole")
    parts = [f"part-{i}" for i in range(1, 4)]
    for i, part in enumerate(parts, 1):
        call = [
            "extract",
            "photos",
            "--recursive",
            "-o",
            part,
            "--device",
            "cpu",
            "--shard",
            f"{i}/3",
            "--skip-existing",
        ]
        kill_at_random(octavo, call)
        octavo(*call)
    kill_at_random(octavo, ["merge", "merged", *parts], longest=0.05)
    octavo("merge", "merged", *parts)
    assert contents(octavo.folder / "merged") == contents(octavo.folder / "whole")


def test_items_that_are_added(octavo, photos, texture):
    def shards():
        for i in (1, 2, 3):
            extract(octavo, f"part-{i}", "--shard", f"{i}/3", "--skip-existing")

    shards()
    Image.fromarray(texture(96, 80, seed=20)).save(photos / "added.png")
    extract(octavo, "part-2", "--shard", "2/3", "--skip-existing")
    message = octavo.error(1, "merge", "merged", "part-1", "part-2", "part-3")
    assert "they were given different inputs (9 and 10)" in message
    printed = [extract(octavo, f"part-{i}", "--shard", f"{i}/3", "--skip-existing") for i in (1, 2, 3)]
    assert sum(line.count("photos/") for line in printed) <= 1, "the others stay in their shards"
    octavo("merge", "merged", "part-1", "part-2", "part-3")
    extract(octavo, "whole")
    assert contents(octavo.folder / "merged") == contents(octavo.folder / "whole")


def test_failures_are_told_again(octavo, photos):
    (photos / "broken.png").write_bytes(b"no image")
    one = octavo.call("extract", "photos", "--recursive", "-o", "whole", "--device", "cpu")
    parts = []
    for i in (1, 2):
        parts.append(f"part-{i}")
        done = octavo.call("extract", "photos", "--recursive", "-o", parts[-1], "--device", "cpu", "--shard", f"{i}/2")
        assert done.returncode == (shard_number("broken.png", 2) == i)
    merged = octavo.call("merge", "merged", *parts, "--json")
    assert (merged.returncode, merged.stderr) == (1, one.stderr)
    assert json.loads(merged.stdout) == {
        "output": "merged", "kind": "features", "shard_count": 2, "item_count": 10,
        "problems": [one.stderr.removeprefix("octavo: ").rstrip()],
    }  # fmt: skip
    assert contents(octavo.folder / "merged") == contents(octavo.folder / "whole")


@pytest.mark.parametrize("text", ["0/3", "4/3", "x/2", "3", "1/0", "1/1000001", "-1/3", "1/2/3", ""])
def test_wrong_shards(octavo, photos, text):
    message = octavo.error(2, "extract", "photos", "-o", "out", "--shard", text)
    assert "--shard" in message and (text == "" or f'--shard is "{text}", but must be I/N' in message)
    assert not (octavo.folder / "out").exists()


def test_calls_without_a_part(octavo, photos, tmp_path):
    for arguments in (
        ("extract", "photos", "--shard", "1/2"),
        ("extract", "photos/1.png", "-o", "-", "--shard", "1/2"),
        ("extract", "photos", "-o", "a.h5", "--format", "hloc", "--shard", "1/2"),
        ("extract", "clip.mp4", "--shard", "1/2"),
        ("pairs", "photos", "--shard", "1/2"),
        ("pairs", "photos", "--shard", "1/2", "-o", "-"),
        ("pairs", "photos", "--shard", "1/2", "-o", "part", "--json"),
        ("pairs", "photos", "--shard", "1/2", "-o", "part", "--image", "a.png"),
        ("pairs", "photos", "--shard", "1/2", "-o", "part", "--by", "sequential"),
        ("colmap", "photos", "-d", "a.db", "--features", "b.db"),
        ("colmap", "photos", "-d", "a.db", "--shard", "1/2", "--pairs", "all"),
        ("colmap", "photos", "-d", "a.db", "--shard", "1/2", "--features", "b.db", "--pairs", "retrieval:5"),
        ("video", "search", "a.mp4", "--index", "archive", "--shard", "1/2"),
        ("video", "search", "a.mp4", "--index", "archive", "--output", "found"),
        ("video", "duplicates", "--index", "archive", "--shard", "1/2"),
        ("video", "duplicates", "--index", "archive", "--shard", "1/2", "--output", "part", "--json"),
        ("video", "duplicates", "--index", "archive", "--found", "pairs", "--min-score", "4"),
        ("merge", "out"),
    ):
        octavo.error(2, *arguments)
    assert [path.name for path in tmp_path.iterdir()] == ["photos"]


def test_parts_that_do_not_make_a_whole(octavo, photos):
    for i in (1, 2, 3):
        extract(octavo, f"part-{i}", "--shard", f"{i}/3")
    extract(octavo, "other", "--shard", "2/3", "--max-features", 5)
    extract(octavo, "half", "--shard", "1/2")
    extract(octavo, "unsharded")
    (octavo.folder / "file").write_text("no part")
    for parts, told in (
        (["part-1"], "shards 2/3, 3/3 are missing"),
        (["part-1", "part-3"], "shard 2/3 is missing"),
        (["part-1", "other", "part-3"], "max_features is 8192 in 'part-1' (shard 1/3), and 5 in 'other' (shard 2/3)"),
        (["part-1", "half"], "'part-1' (shard 1/3) and 'half' (shard 1/2): they are of different numbers of shards"),
        (["part-1", "unsharded"], "cannot merge 'unsharded': no shard has finished in it"),
        (["part-1", "none"], "cannot merge 'none': there is no such part"),
        (["part-1", "file"], "cannot use 'file': it is no part that a shard has finished"),
    ):
        assert told in octavo.error(1, "merge", "merged", *parts)
        assert not (octavo.folder / "merged").exists()
    octavo.error(2, "merge", "part-1", "part-1", "part-2", "part-3")

    # A shard that begins again is not finished until it is.
    note = octavo.folder / "part-2" / "octavo-part-2-of-3.json"
    whole = note.read_bytes()
    note.write_bytes(whole[:-10])
    assert f"cannot use 'part-2/{note.name}'" in octavo.error(1, "merge", "merged", "part-1", "part-2", "part-3")
    note.unlink()
    assert "no shard has finished in it" in octavo.error(1, "merge", "merged", "part-1", "part-2", "part-3")
    note.write_bytes(whole)

    # Equal parts twice are fine, different ones are not.
    shutil.copytree(octavo.folder / "part-2", octavo.folder / "copy")
    octavo("merge", "merged", "part-1", "part-2", "part-3", "copy")
    name = next(name for name in contents(octavo.folder / "copy") if name.endswith(".txt"))
    Image.open(photos / "1.png").rotate(90).save(photos / name.removesuffix(".txt"))
    extract(octavo, "copy", "--shard", "2/3")
    message = octavo.error(1, "merge", "merged-2", "part-1", "part-2", "part-3", "copy")
    assert f"both have '{name}', with different content" in message
    assert not (octavo.folder / "merged-2").exists()


@pytest.mark.parametrize("count", COUNTS)
def test_one_file_of_features(octavo, photos, count):
    """--format hloc: a shard makes a folder, the merge the file."""
    options = ("--format", "hloc", *(("--affine",) if count == 3 else ()))
    extract(octavo, "whole.h5", *options)
    parts = [f"part-{i}" for i in range(1, count + 1)]
    for i, part in enumerate(parts, 1):
        extract(octavo, part, *options, "--shard", f"{i}/{count}")
    assert "must end in one of .h5, .hdf5" in octavo.error(2, "merge", "merged", *parts)
    octavo("merge", "merged.h5", *shuffled(parts, count))
    whole = (octavo.folder / "whole.h5").read_bytes()
    assert (octavo.folder / "merged.h5").read_bytes() == whole
    octavo("merge", "merged.h5", *shuffled(parts * 2, -count))
    assert (octavo.folder / "merged.h5").read_bytes() == whole
    skipped = extract(octavo, "merged.h5", *options, "--skip-existing")
    assert skipped == "9 images are up to date\n"
    assert (octavo.folder / "merged.h5").read_bytes() == whole


def test_one_file_of_features_has_the_same_bytes_however_it_came_about(octavo, photos):
    extract(octavo, "whole.h5", "--format", "hloc")
    call = ("--device", "cpu", "-o", "grown.h5", "--format", "hloc")
    octavo("extract", "photos/8.png", "photos/4.png", *call)
    octavo("extract", "photos", *call, "--max-features", 5)
    octavo("extract", "photos", "--recursive", *call, "--skip-existing")
    assert (octavo.folder / "grown.h5").read_bytes() == (octavo.folder / "whole.h5").read_bytes()


@pytest.mark.slow
def test_one_file_of_features_of_shards_and_merges_that_are_killed(octavo, photos):
    extract(octavo, "whole.h5", "--format", "hloc")
    parts = ["part-1", "part-2"]
    base = ["extract", "photos", "--recursive", "--format", "hloc", "--device", "cpu", "--skip-existing"]
    for i, part in enumerate(parts, 1):
        call = [*base, "-o", part, "--shard", f"{i}/2"]
        kill_at_random(octavo, call)
        octavo(*call)
    kill_at_random(octavo, ["merge", "merged.h5", *parts], longest=0.05)
    octavo("merge", "merged.h5", *parts)
    assert (octavo.folder / "merged.h5").read_bytes() == (octavo.folder / "whole.h5").read_bytes()


@pytest.mark.parametrize("count", counts_with_one(3))
def test_features_of_videos(octavo, films, count):
    clips = [films / "a.avi", films / "b.avi", films / "old" / "c.avi", films / "old" / "d.avi"]
    options = ("--device", "cpu", "--fps", 1, *(("--format", "npz", "--draw") if count == 3 else ()))
    octavo("extract", *clips, *options, "-o", "whole")
    parts = [f"part-{i}" for i in range(1, count + 1)]
    for i, part in enumerate(parts, 1):
        printed = octavo("extract", *clips, *options, "-o", part, "--shard", f"{i}/{count}")
        done = {line.partition("#")[0] for line in printed.splitlines()}
        assert done == {str(clip) for clip in clips if shard_number(clip.name, count) == i}
    octavo("merge", "merged", *shuffled(parts, count))
    whole = contents(octavo.folder / "whole")
    assert contents(octavo.folder / "merged") == whole and len(whole) > 10
    skipped = octavo("extract", *clips, *options, "-o", "merged", "--skip-existing")
    frames = sum("#" in name and not name.endswith(".png") for name in whole)
    assert skipped == f"{frames} frames are up to date\n"
    assert contents(octavo.folder / "merged") == whole


@pytest.mark.slow
def test_features_of_videos_of_shards_that_are_killed(octavo, films):
    clips = [films / "a.avi", films / "b.avi", films / "old" / "c.avi"]
    octavo("extract", *clips, "--device", "cpu", "-o", "whole")
    for i in (1, 2):
        call = ["extract", *clips, "--device", "cpu", "-o", f"part-{i}", "--shard", f"{i}/2", "--skip-existing"]
        kill_at_random(octavo, call)
        octavo(*call)
    kill_at_random(octavo, ["merge", "merged", "part-1", "part-2"], longest=0.05)
    octavo("merge", "merged", "part-1", "part-2")
    assert contents(octavo.folder / "merged") == contents(octavo.folder / "whole")


def test_failures_of_videos_are_told_again(octavo, films):
    call = ("extract", films / "b.avi", films / "broken.mp4", "--device", "cpu")
    one = octavo.call(*call, "-o", "whole")
    parts = ["part-1", "part-2"]
    for i, part in enumerate(parts, 1):
        octavo.call(*call, "-o", part, "--shard", f"{i}/2")
    merged = octavo.call("merge", "merged", *parts)
    assert (merged.returncode, merged.stderr) == (1, one.stderr)
    assert contents(octavo.folder / "merged") == contents(octavo.folder / "whole")
    octavo.call(*call, "-o", "other", "--shard", "2/2", "--fps", 3)
    assert "fps is 2.0 in 'part-1' (shard 1/2), and 3.0 in 'other'" in octavo.error(1, "merge", "m", "part-1", "other")


@pytest.mark.parametrize("count", COUNTS)
def test_pairs(octavo, photos, count):
    """A shard makes VLADs, the merge the list."""
    octavo("pairs", "photos", "--recursive", "-o", "whole.txt", "--neighbours", 2, "--device", "cpu")
    parts = [f"part-{i}" for i in range(1, count + 1)]
    for i, part in enumerate(parts, 1):
        call = [
            "pairs",
            "photos",
            "--recursive",
            "-o",
            part,
            "--neighbours",
            2,
            "--device",
            "cpu",
            "--shard",
            f"{i}/{count}",
        ]
        if count == 3:
            kill_at_random(octavo, call, kills=1)
        octavo(*call)
    assert "must end in one of .txt" in octavo.error(2, "merge", "pairs", *parts)
    if count == 3:
        kill_at_random(octavo, ["merge", "pairs.txt", *parts], kills=2, longest=0.05)
    octavo("merge", "pairs.txt", *shuffled(parts * 2, count))
    assert (octavo.folder / "pairs.txt").read_bytes() == (octavo.folder / "whole.txt").read_bytes() != b""
    if count > 1:
        octavo(
            "pairs",
            "photos",
            "--recursive",
            "-o",
            "other",
            "--neighbours",
            3,
            "--device",
            "cpu",
            "--shard",
            f"2/{count}",
        )
        message = octavo.error(1, "merge", "a.txt", parts[0], "other")
        assert "neighbours is 2 in 'part-1'" in message and "and 3 in 'other'" in message


def test_pairs_of_features_and_of_images_that_fail(octavo, photos):
    extract(octavo, "features", "--format", "npz")
    octavo("pairs", "--features", "features", "--recursive", "-o", "whole.txt", "--neighbours", 1)
    for i in (1, 2):
        octavo(
            "pairs", "--features", "features", "--recursive", "-o", f"part-{i}", "--neighbours", 1, "--shard", f"{i}/2"
        )
    octavo("merge", "pairs.txt", "part-1", "part-2")
    assert (octavo.folder / "pairs.txt").read_bytes() == (octavo.folder / "whole.txt").read_bytes()

    (photos / "broken.png").write_bytes(b"no image")
    call = ("pairs", "photos", "--recursive", "--neighbours", 2, "--device", "cpu")
    one = octavo.call(*call, "-o", "whole.txt")
    for i in (1, 2):
        octavo.call(*call, "-o", f"part-{i}", "--shard", f"{i}/2")
    merged = octavo.call("merge", "pairs.txt", "part-1", "part-2")
    assert (merged.returncode, merged.stderr) == (1, one.stderr)
    assert (octavo.folder / "pairs.txt").read_bytes() == (octavo.folder / "whole.txt").read_bytes()


def test_databases_with_pairs_of_retrieval(octavo, photos):
    """Pairs by shards are those that one process chooses."""
    colmap(octavo, "whole.db", "--pairs", "retrieval:2")
    for i in (1, 2):
        octavo(
            "pairs",
            "photos",
            "--recursive",
            "--no-exif-rotation",
            "-o",
            f"pairs-{i}",
            "--neighbours",
            2,
            "--device",
            "cpu",
            "--shard",
            f"{i}/2",
        )
    octavo("merge", "pairs.txt", "pairs-1", "pairs-2")
    colmap_shards(octavo, 2, (), ("--pairs", "pairs.txt"), lambda call: octavo(*call))
    assert (octavo.folder / "merged.db").read_bytes() == (octavo.folder / "whole.db").read_bytes()


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
    for first, last in (
        (18, 19),
        (24, 27),
        (40, 43),
        (92, 95),
    ):  # the kind of its log and SQLite's counts of changes stay
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
    assert one.returncode == 1 and one.stderr.count("\n") == 2
    for i in (1, 2):
        octavo.call(*call, "-d", f"features-{i}.db", "--shard", f"{i}/2")
    merged = octavo.call("merge", "features.db", "features-1.db", "features-2.db")
    assert merged.returncode == 1 and "0-broken.png" in merged.stderr
    assert (
        "'5-other-size.png' into the database: it is 64 × 60 pixels, but the images of its camera are 96 × 80"
        in merged.stderr
    )
    for i in (1, 2):
        octavo(*call, "-d", f"matches-{i}.db", "--shard", f"{i}/2", "--features", "features.db")
    octavo("merge", "merged.db", "features.db", "matches-1.db", "matches-2.db")
    assert (octavo.folder / "merged.db").read_bytes() == (octavo.folder / "whole.db").read_bytes()


def test_databases_that_do_not_make_a_whole(octavo, photos):
    for i in (1, 2):
        colmap(octavo, f"features-{i}.db", "--shard", f"{i}/2")
    octavo("merge", "features.db", "features-1.db", "features-2.db")
    for i in (1, 2):
        colmap(octavo, f"matches-{i}.db", "--shard", f"{i}/2", "--features", "features.db")
    colmap(octavo, "other.db", "--shard", "2/2", "--max-features", 20)
    call = ("colmap", "photos", "--recursive", "--device", "cpu")

    assert "shard 2/2 is missing" in octavo.error(1, "merge", "a.db", "features-1.db")
    assert "shard 1/2 is missing" in octavo.error(1, "merge", "a.db", "features.db", "matches-2.db")
    assert "max_features is 8192 in" in octavo.error(1, "merge", "a.db", "features-1.db", "other.db")
    assert "one holds colmap features, the other colmap matches" in octavo.error(
        1, "merge", "a.db", "features-1.db", "matches-2.db"
    )
    assert "without the database of their features" in octavo.error(1, "merge", "a.db", "matches-1.db", "matches-2.db")
    assert "it is no part of a shard" in octavo.error(1, "merge", "a.db", "features.db")
    assert "it is no part of a shard" in octavo.error(
        1, "merge", "a.db", "features.db", "features-1.db", "features-2.db"
    )
    assert "merge the parts of all shards first" in octavo.error(
        1, *call, "-d", "m.db", "--shard", "1/2", "--features", "features-1.db"
    )
    assert "other options" in octavo.error(
        1, *call, "-d", "m.db", "--shard", "1/2", "--features", "features.db", "--ratio", "0.7"
    )
    assert "or as another part" in octavo.error(1, *call, "-d", "features-1.db", "--shard", "2/2")
    assert "or as another part" in octavo.error(1, *call, "-d", "features-1.db")
    colmap(octavo, "matches-2-other.db", "--shard", "2/2", "--features", "features.db", "--pairs", "sequential:1")
    assert "different inputs (36 and 8)" in octavo.error(
        1, "merge", "a.db", "features.db", "matches-1.db", "matches-2-other.db"
    )

    # Features of other images with the same names.
    for path in photos.rglob("*.png"):
        Image.open(path).transpose(Image.Transpose.FLIP_LEFT_RIGHT).save(path)
    for i in (1, 2):
        colmap(octavo, f"flipped-{i}.db", "--shard", f"{i}/2")
    octavo("merge", "flipped.db", "flipped-1.db", "flipped-2.db")
    assert "its matches are those of other features" in octavo.error(
        1, "merge", "a.db", "flipped.db", "matches-1.db", "matches-2.db"
    )
    assert "has other features in another part of this shard" in octavo.error(
        1, "merge", "a.db", "features-1.db", "features-2.db", "flipped-2.db"
    )
    assert not [path.name for path in octavo.folder.iterdir() if path.name == "a.db"]
    octavo("merge", "a.db", "features.db", "matches-1.db", "matches-2.db", "matches-2.db")
    assert sqlite3.connect(octavo.folder / "a.db").execute("SELECT count(*) FROM matches").fetchone() == (36,)


@pytest.fixture(scope="session")
def films(photograph, ffmpeg, tmp_path_factory):
    """Six clips of a second or two; one is a copy of another, one a part of another."""
    folder = tmp_path_factory.mktemp("films")
    (folder / "old").mkdir()
    for name, source, begin, seconds in (
        ("a.avi", "vtest.avi", 20, 5),
        ("part.avi", "vtest.avi", 21, 3),
        ("b.avi", "tree.avi", 2, 2),
        ("old/c.avi", "Megamind.avi", 0, 4),
        ("old/d.avi", "Megamind.avi", 5, 2),
    ):
        command = ["ffmpeg", "-v", "error", "-ss", str(begin), "-t", str(seconds), "-i", photograph(source), "-an"]
        subprocess.run(
            [*command, "-vf", "scale=240:-2", "-c:v", "mpeg4", "-q:v", "4", folder / name], check=True, timeout=60
        )
    shutil.copy(folder / "a.avi", folder / "old" / "copy of a.avi")
    (folder / "broken.mp4").write_bytes(b"no clip")
    return folder


def indexed(octavo, folder, archive, *arguments):
    octavo.call("video", "index", folder, "--index", archive, "--device", "cpu", *arguments)
    return json.loads(octavo("video", "list", "--index", archive, "--json"))


def without_numbers(shown):
    """Files and clips, without the numbers of clips and the times of the work."""
    for clip in shown["clips"]:
        for name in ("id", "work_seconds"):
            if clip["facts"]:
                del clip["facts"][name]
    return shown["clips"]


@pytest.fixture(scope="module")
def of_whole(films, tmp_path_factory):
    """What a call prints beside "whole", an archive of all clips that one process made. Each call is made once."""
    octavo = Octavo(tmp_path_factory.mktemp("whole"))
    indexed(octavo, films, "whole")
    printed = functools.cache(octavo)
    printed.archive = octavo.folder / "whole"
    return printed


@pytest.mark.parametrize("count", counts_with_one(7))
def test_archives(octavo, films, of_whole, count):
    whole = json.loads(of_whole("video", "list", "--index", "whole", "--json"))
    parts = [f"part-{i}" for i in range(1, count + 1)]
    shards = [indexed(octavo, films, part, "--shard", f"{i}/{count}") for i, part in enumerate(parts, 1)]
    assert sum(len(shard["clips"]) for shard in shards) == 7
    merged = octavo.call("merge", "merged", *shuffled(parts, count))
    assert merged.returncode == 1 and merged.stderr.startswith(f"octavo: cannot index '{films}/broken.mp4': ")
    shown = json.loads(octavo("video", "list", "--index", "merged", "--json"))
    assert shown["digest"] == whole["digest"]
    assert without_numbers(shown) == without_numbers(whole)
    octavo.call("merge", "merged", *shuffled(parts, -count))
    assert json.loads(octavo("video", "list", "--index", "merged", "--json"))["digest"] == whole["digest"]

    # Several archives are searched as one. "a.avi" and its copy may be in two of them.
    queries = (films / "part.avi", films / "old" / "c.avi")
    expected = of_whole("video", "search", *queries, "--index", "whole", "--json")
    together = [word for part in parts for word in ("--index", part)]
    found = octavo("video", "search", *queries, *together, "--json")
    assert without_ids(found) == without_ids(expected)
    assert without_ids(octavo("video", "search", *queries, "--index", "merged", "--json")) == without_ids(expected)
    duplicates = of_whole("video", "duplicates", "--index", "whole", "--json")
    assert len(json.loads(duplicates)["pairs"]) >= 1
    assert without_ids(octavo("video", "duplicates", *together, "--json")) == without_ids(duplicates)


def without_ids(text):
    """JSON without the numbers of clips and the times of the work."""
    return json.loads(text, object_hook=lambda one: {k: v for k, v in one.items() if k not in ("id", "work_seconds")})


@pytest.mark.slow
def test_archives_of_shards_and_merges_that_are_killed(octavo, films):
    whole = indexed(octavo, films / "old", "whole")
    for i in (1, 2):
        call = [
            "video",
            "index",
            films / "old",
            "--index",
            f"part-{i}",
            "--shard",
            f"{i}/2",
            "--device",
            "cpu",
            "--jobs",
            "1",
        ]
        kill_at_random(octavo, call, longest=1)
        octavo(*call)
    kill_at_random(octavo, ["merge", "merged", "part-1", "part-2"], longest=0.05)
    octavo("merge", "merged", "part-2", "part-1")
    assert json.loads(octavo("video", "list", "--index", "merged", "--json"))["digest"] == whole["digest"]


def test_archives_that_do_not_make_a_whole(octavo, films):
    for i in (1, 2):
        indexed(octavo, films / "old", f"part-{i}", "--shard", f"{i}/2")
    indexed(octavo, films / "old", "other", "--shard", "2/2", "--max-features", "100")
    assert "shard 1/2 is missing" in octavo.error(1, "merge", "merged", "part-2")
    assert "features is 256 in 'part-1' (shard 1/2), and 100 in 'other' (shard 2/2)" in octavo.error(
        1, "merge", "merged", "part-1", "other"
    )
    assert not (octavo.folder / "merged").exists()
    indexed(octavo, films / "old", "merged", "--max-features", "100")
    octavo.error(2, "merge", "merged", "part-1", "part-2")
    octavo.error(2, "video", "search", films / "part.avi", "--index", "part-1", "--index", "other")
    octavo.error(2, "video", "search", films / "part.avi", "--index", "part-1", "--index", "./part-1")


@pytest.mark.parametrize("count", counts_with_one(3))
def test_searches(octavo, films, of_whole, count):
    shutil.copytree(of_whole.archive, octavo.folder / "whole")
    queries = sorted(films.glob("*.avi")) + sorted((films / "old").glob("*.avi"))
    search = ("video", "search", *queries, "--index", "whole", "--rough-ends", "--device", "cpu")
    whole = of_whole(*search, "--json")
    parts = [f"found-{i}" for i in range(1, count + 1)]
    for i, part in enumerate(parts, 1):
        assert octavo(*search, "--shard", f"{i}/{count}", "--output", part) == ""
    octavo("merge", "found.json", *shuffled(parts, count))
    assert (octavo.folder / "found.json").read_text() == whole

    duplicates = ("video", "duplicates", "--index", "whole")
    for i in range(1, count + 1):
        assert octavo(*duplicates, "--shard", f"{i}/{count}", "--output", f"pairs-{i}") == ""
    octavo("merge", "pairs", *shuffled([f"pairs-{i}" for i in range(1, count + 1)], count))
    of_whole(*duplicates, "--shard", "1/1", "--output", "all-pairs")
    assert (octavo.folder / "pairs").read_bytes() == of_whole.archive.with_name("all-pairs").read_bytes()
    for options in ((), ("--json",), ("--exact-ends", "--all", "--json", "--recurring", "3")):
        assert octavo(*duplicates, "--found", "pairs", *options) == of_whole(*duplicates, *options)
    if count == 3:
        assert "shards 2/3, 3/3 are missing" in octavo.error(1, *duplicates, "--found", "pairs-1")
        assert "it holds found clips, not pairs of clips" in octavo.error(1, *duplicates, "--found", "found-1")
        indexed(octavo, films / "old", "other-archive")
        message = octavo.error(1, "video", "duplicates", "--index", "other-archive", "--found", "pairs")
        assert "its 5 clips are not the 3 clips of the archive" in message
        assert "shards 2/3, 3/3 are missing" in octavo.error(1, "merge", "a.json", "found-1")
        octavo(*search, "--shard", "2/3", "--output", "other", "--min-score", "4")
        assert "copies/min_score is 3 in 'found-1' (shard 1/3), and 4 in 'other'" in octavo.error(
            1, "merge", "a.json", "found-1", "other"
        )
        one = ("video", "search", queries[0], "--index", "whole", "--rough-ends", "--device", "cpu")
        for i in (1, 2):
            octavo(*one, "--shard", f"{i}/2", "--output", f"one-{i}")
        octavo("merge", "one.json", "one-1", "one-2")
        assert (octavo.folder / "one.json").read_text() == octavo(*one, "--json")
