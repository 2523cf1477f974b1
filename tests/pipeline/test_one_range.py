"""--one-range: images that are matched among themselves have one range of values, that of a sample of them."""

import json

import numpy as np
import pytest
from PIL import Image


@pytest.fixture
def thermal(octavo, texture):
    """Frames of a thermal camera: counts from 7000 on, of which each frame has some. They use 7000 to 8000 together."""
    folder = octavo.folder / "thermal"
    folder.mkdir()
    for i in range(4):
        counts = 7000 + 200 * i + np.rint(400 * (texture(seed=i).astype(float) / 255))
        counts[0, :64], counts[-1, :64] = 7000 + 200 * i, 7400 + 200 * i
        Image.fromarray(counts.astype(np.uint16)).save(folder / f"{i}.png")
    return folder


GIVEN = ("--black", 7000, "--white", 8000)


def contents(folder):
    return {file.relative_to(folder): file.read_bytes() for file in folder.rglob("*.npz")}


def test_all_images_have_it(octavo, thermal):
    for name, options in (("one", ["--one-range"]), ("given", GIVEN), ("each", [])):
        octavo("extract", "thermal", "--format", "npz", "-o", name, *options)
    one, given, each = (contents(octavo.folder / name) for name in ("one", "given", "each"))
    assert len(one) == 4 and one == given
    assert all(one[name] != each[name] for name in one)


def test_shards_and_later_runs_have_it_too(octavo, thermal):
    octavo("extract", "thermal", "--format", "npz", "-o", "whole", "--one-range")
    for i in (1, 2, 3):
        octavo("extract", "thermal", "--format", "npz", "-o", f"part{i}", "--one-range", "--shard", f"{i}/3")
    octavo("merge", "merged", "part1", "part2", "part3")
    assert contents(octavo.folder / "merged") == contents(octavo.folder / "whole")
    (octavo.folder / "whole" / "2.png.npz").unlink()
    octavo("extract", "thermal", "--format", "npz", "-o", "whole", "--one-range", "--skip-existing")
    assert contents(octavo.folder / "merged") == contents(octavo.folder / "whole")


@pytest.mark.parametrize(
    "command", [("colmap", "thermal", "-d"), ("match", "thermal", "-o"), ("pairs", "thermal", "-o")]
)
def test_it_holds_wherever_images_are_matched(octavo, thermal, command):
    for name, options in (("one.db", ["--one-range"]), ("given.db", GIVEN)):
        octavo(*command, name.replace("db", "txt") if command[0] != "colmap" else name, *options)
    one, given = sorted(octavo.folder.glob("one.*"))[0], sorted(octavo.folder.glob("given.*"))[0]
    assert one.read_bytes() == given.read_bytes()


def test_images_of_8_bits_stay(octavo, texture):
    for i in range(2):
        Image.fromarray(texture(seed=i) // 4).save(octavo.folder / f"{i}.png")
    one, each = (octavo("extract", "0.png", "1.png", "--json", *options) for options in (["--one-range"], []))
    assert [entry["keypoints"] for entry in json.loads(one)] == [entry["keypoints"] for entry in json.loads(each)]


def test_it_is_refused_where_it_has_no_effect(octavo, thermal):
    for other in (("--range", "full"), ("--black", 5), ("--white", 5)):
        assert f"{other[0]} has no effect with --one-range" in octavo.error(
            2, "extract", "thermal", "--one-range", *other
        )
    assert "--one-range has no effect with a video" in octavo.error(2, "extract", "a.mkv", "--one-range")
    assert "--one-range has no effect" in octavo.error(
        2, "pairs", "thermal", "-o", "a.txt", "--by", "exhaustive", "--one-range"
    )
    floats = Image.fromarray(np.linspace(270, 300, 4000, dtype=np.float32).reshape(50, 80))
    floats.save(thermal / "kelvin.tif")
    assert "cannot have one range of values" in octavo.error(1, "extract", "thermal", "--one-range")
