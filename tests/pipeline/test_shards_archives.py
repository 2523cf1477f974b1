"""video index, search and duplicates with --shard, and octavo merge: archives and results of one process."""

import functools
import json
import shutil

import pytest

from conftest import Octavo
from sharding import COUNTS, counts_with_one, kill_at_random, shuffled


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


def without_ids(text):
    """JSON without the numbers of clips and the times of the work."""
    return json.loads(text, object_hook=lambda one: {k: v for k, v in one.items() if k not in ("id", "work_seconds")})


@pytest.mark.parametrize("count", counts_with_one(3))
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


@pytest.mark.slow
def test_archives_of_shards_and_merges_that_are_killed(octavo, films):
    whole = indexed(octavo, films / "old", "whole")
    for i in (1, 2):
        call = ["video", "index", films / "old", "--index", f"part-{i}", "--shard", f"{i}/2"]
        call += ["--device", "cpu", "--jobs", "1"]
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
    assert "max_features is 256 in 'part-1' (shard 1/2), and 100 in 'other' (shard 2/2)" in octavo.error(
        1, "merge", "merged", "part-1", "other"
    )
    assert not (octavo.folder / "merged").exists()
    indexed(octavo, films / "old", "merged", "--max-features", "100")
    octavo.error(2, "merge", "merged", "part-1", "part-2")
    octavo.error(2, "video", "search", films / "part.avi", "--index", "part-1", "--index", "other")
    octavo.error(2, "video", "search", films / "part.avi", "--index", "part-1", "--index", "./part-1")


def test_archives_that_no_shard_made(octavo, films):
    """They are merged. One that a killed shard leaves is not taken for one of them."""
    old, part = sorted((films / "old").glob("*.avi")), films / "part.avi"
    whole = octavo.call("video", "index", *old, part, "--index", "whole", "--device", "cpu")
    assert whole.returncode == 0, whole.stderr
    octavo("video", "index", *old, "--index", "one", "--device", "cpu")
    octavo("video", "index", old[0], part, "--index", "other", "--device", "cpu")
    assert octavo("merge", "merged", "other", "one") == f"merged: archive, {len(old) + 2} items\n"
    digests = [json.loads(octavo("video", "list", "--index", name, "--json"))["digest"] for name in ("whole", "merged")]
    assert digests[0] == digests[1]
    octavo.call("video", "index", *old, "--index", "shard", "--device", "cpu", "--shard", "1/2")
    assert (
        octavo.error(1, "merge", "none", "shard", "other").count("no shard has finished in it") == 1
    )  # that in "other"
    (octavo.folder / "shard" / "octavo-part-1-of-2.json").unlink()
    (octavo.folder / "shard" / "octavo-part-1-of-2.begun").touch()  # as while it works
    assert "cannot merge 'shard': no shard has finished in it" in octavo.error(1, "merge", "none", "shard")


@pytest.mark.slow
@pytest.mark.parametrize("count", COUNTS)
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
