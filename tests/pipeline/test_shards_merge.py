"""octavo merge: what it refuses."""

import shutil

import pytest
from PIL import Image

from conftest import Octavo
from sharding import contents, extract, make_photos

WHOLE = ["part-1", "part-2", "part-3"]


@pytest.mark.parametrize(
    "call",
    [
        "extract photos --shard 1/2",
        "extract photos/1.png -o - --shard 1/2",
        "extract photos -o a.h5 --format hloc --shard 1/2",
        "extract clip.mp4 --shard 1/2",
        "pairs photos --shard 1/2",
        "pairs photos --shard 1/2 -o -",
        "pairs photos --shard 1/2 -o part --json",
        "pairs photos --shard 1/2 -o part --image a.png",
        "pairs photos --shard 1/2 -o part --by sequential",
        "colmap photos -d a.db --features b.db",
        "colmap photos -d a.db --shard 1/2 --pairs all",
        "colmap photos -d a.db --shard 1/2 --features b.db --pairs retrieval:5",
        "video search a.mp4 --index archive --shard 1/2",
        "video search a.mp4 --index archive --output found",
        "video duplicates --index archive --shard 1/2",
        "video duplicates --index archive --shard 1/2 --output part --json",
        "video duplicates --index archive --found pairs --min-score 4",
        "merge out",
    ],
)
def test_calls_without_a_part(octavo, photos, call):
    octavo.error(2, *call.split())
    assert [path.name for path in octavo.folder.iterdir()] == ["photos"]


@pytest.fixture(scope="module")
def parts(texture, tmp_path_factory):
    """The program beside parts. No test changes them."""
    octavo = Octavo(tmp_path_factory.mktemp("parts"))
    make_photos(octavo, texture)
    for i in (1, 2, 3):
        extract(octavo, f"part-{i}", "--shard", f"{i}/3")
    extract(octavo, "other", "--shard", "2/3", "--max-features", 5)
    extract(octavo, "half", "--shard", "1/2")
    extract(octavo, "unsharded")
    (octavo.folder / "file").write_text("no part")
    return octavo


@pytest.mark.parametrize(
    "names, told",
    [
        ("part-1", "shards 2/3, 3/3 are missing"),
        ("part-1 part-3", "shard 2/3 is missing"),
        ("part-1 other part-3", "max_features is 8192 in 'part-1' (shard 1/3), and 5 in 'other' (shard 2/3)"),
        ("part-1 half", "'part-1' (shard 1/3) and 'half' (shard 1/2): they are of different numbers of shards"),
        ("part-1 unsharded", "cannot merge 'unsharded': no shard has finished in it"),
        ("part-1 none", "cannot merge 'none': there is no such part"),
        ("part-1 file", "cannot use 'file': it is no part that a shard has finished"),
    ],
)
def test_parts_that_do_not_make_a_whole(parts, names, told):
    assert told in parts.error(1, "merge", "merged", *names.split())
    assert not (parts.folder / "merged").exists()


def test_a_part_is_no_output(parts):
    assert 'is "part-1"' in parts.error(2, "merge", "part-1", *WHOLE)


@pytest.fixture
def copied(octavo, parts):
    """The program beside parts that may change."""
    shutil.copytree(parts.folder, octavo.folder, dirs_exist_ok=True)
    return octavo


def test_a_shard_that_begins_again_is_not_finished_until_it_is(copied):
    note = copied.folder / "part-2" / "octavo-part-2-of-3.json"
    note.write_bytes(note.read_bytes()[:-10])
    assert f"cannot use 'part-2/{note.name}'" in copied.error(1, "merge", "merged", *WHOLE)
    note.unlink()
    assert "no shard has finished in it" in copied.error(1, "merge", "merged", *WHOLE)


def test_equal_parts_may_be_given_twice_and_different_ones_not(copied):
    shutil.copytree(copied.folder / "part-2", copied.folder / "copy")
    copied("merge", "merged", *WHOLE, "copy")
    name = next(name for name in contents(copied.folder / "copy") if name.endswith(".txt"))
    photos = copied.folder / "photos"
    Image.open(photos / "1.png").rotate(90).save(photos / name.removesuffix(".txt"))
    extract(copied, "copy", "--shard", "2/3")
    message = copied.error(1, "merge", "merged-2", *WHOLE, "copy")
    assert f"both have '{name}', with different content" in message
    assert not (copied.folder / "merged-2").exists()
