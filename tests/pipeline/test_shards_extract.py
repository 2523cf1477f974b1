"""extract --shard and octavo merge: the bytes of one process, for any number of shards, in any order, whatever was killed."""

import json

import pytest
from PIL import Image

from sharding import COUNTS, contents, counts_with_one, extract, kill_at_random, shard_number, shuffled


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
