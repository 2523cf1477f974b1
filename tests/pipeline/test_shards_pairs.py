"""pairs --shard and octavo merge: the list of one process."""

import pytest

from sharding import COUNTS, extract, kill_at_random, shuffled

PAIRS = ["pairs", "photos", "--recursive", "--device", "cpu"]


@pytest.mark.parametrize("count", COUNTS)
def test_pairs(octavo, photos, count):
    """A shard makes VLADs, the merge the list."""
    octavo(*PAIRS, "-o", "whole.txt", "--neighbours", 2)
    parts = [f"part-{i}" for i in range(1, count + 1)]
    for i, part in enumerate(parts, 1):
        call = [*PAIRS, "-o", part, "--neighbours", 2, "--shard", f"{i}/{count}"]
        if count == 3:
            kill_at_random(octavo, call, kills=1)
        octavo(*call)
    assert "must end in one of .txt" in octavo.error(2, "merge", "pairs", *parts)
    if count == 3:
        kill_at_random(octavo, ["merge", "pairs.txt", *parts], kills=2, longest=0.05)
    octavo("merge", "pairs.txt", *shuffled(parts * 2, count))
    assert (octavo.folder / "pairs.txt").read_bytes() == (octavo.folder / "whole.txt").read_bytes() != b""
    if count > 1:
        octavo(*PAIRS, "-o", "other", "--neighbours", 3, "--shard", f"2/{count}")
        message = octavo.error(1, "merge", "a.txt", parts[0], "other")
        assert "neighbours is 2 in 'part-1'" in message and "and 3 in 'other'" in message


def test_pairs_of_features_and_of_images_that_fail(octavo, photos):
    extract(octavo, "features", "--format", "npz")
    call = ("pairs", "--features", "features", "--recursive", "--neighbours", 1)
    octavo(*call, "-o", "whole.txt")
    for i in (1, 2):
        octavo(*call, "-o", f"part-{i}", "--shard", f"{i}/2")
    octavo("merge", "pairs.txt", "part-1", "part-2")
    assert (octavo.folder / "pairs.txt").read_bytes() == (octavo.folder / "whole.txt").read_bytes()

    (photos / "broken.png").write_bytes(b"no image")
    call = (*PAIRS, "--neighbours", 2)
    one = octavo.call(*call, "-o", "whole.txt")
    for i in (1, 2):
        octavo.call(*call, "-o", f"part-{i}", "--shard", f"{i}/2")
    merged = octavo.call("merge", "pairs.txt", "part-1", "part-2")
    assert (merged.returncode, merged.stderr) == (1, one.stderr)
    assert (octavo.folder / "pairs.txt").read_bytes() == (octavo.folder / "whole.txt").read_bytes()
