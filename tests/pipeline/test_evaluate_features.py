"""octavo evaluate --features: features of files are evaluated as Octavo's own are."""

import json
import re
import shutil

import numpy as np


def test_imported_features_are_octavos_own(octavo, data):
    """Octavo's features, written to files and read again, give the same numbers; a budget keeps the strongest."""
    octavo("extract", "data", "--recursive", "--output", "all", "--format", "npz")
    done = octavo.call(
        "evaluate", "data", "--json", "--max-features", 150, "--rank", "response", "--features", "files=all"
    )
    own, files = json.loads(done.stdout)["configurations"]
    assert (own["name"], files["name"], files["features"]) == ("octavo", "files", "all")
    assert own["pairs"] == files["pairs"] and own["summary"] == files["summary"]
    # Both have too few keypoints in the black image.
    lines = done.stderr.splitlines()
    assert len(lines) == 2 and "the fewest are 0 in 'data/i_home/3.ppm'" in lines[1]
    assert lines[1].startswith("octavo: warning: configuration 'files': 1 of 11 images have fewer than 150 keypoints")


def test_covisible_parts_of_imported_features(octavo, data):
    octavo("extract", "data", "--recursive", "--output", "all", "--format", "npz")
    output = octavo.call(
        "evaluate",
        "data",
        "--json",
        "--covisible-only",
        "--max-features",
        150,
        "--rank",
        "response",
        "--features",
        "files=all",
    )
    own, files = json.loads(output.stdout)["configurations"]
    assert own["pairs"] == files["pairs"] and own["summary"] == files["summary"]


def test_features_as_others_write_them(octavo, data):
    """Archives that are compressed, with floats of any size, without response and octaves, or in column order."""
    octavo("extract", "data", "--recursive", "--output", "all", "--format", "npz")
    for i, file in enumerate(sorted((octavo.folder / "all").rglob("*.npz"))):
        found = np.load(file)
        keypoints, descriptors = (
            found["keypoints"][:, :2].astype(float),
            np.asfortranarray(found["descriptors"].astype((np.float16, np.float32)[i % 2])),
        )
        np.savez_compressed(file, keypoints=keypoints, descriptors=descriptors)
    own, files = json.loads(octavo("evaluate", "data", "--json", "--features", "files=all"))["configurations"]
    for pair in files["pairs"]:  # keypoints without a scale have no regions
        if "corner_error" in pair:
            assert (pair["region_count_a"], pair["region_count_b"], pair["corresponding_region_counts"]) == (
                0,
                0,
                [0] * 6,
            )
    regions = ("region_count_a", "region_count_b", "corresponding_region_counts", "region_repeatability")
    own, files = (
        [{key: value for key, value in pair.items() if key not in regions} for pair in one["pairs"]]
        for one in (own, files)
    )
    assert own == files
    assert re.search(r"^files +6 +0( +-){7}$", octavo("evaluate", "data", "--features", "files=all"), re.M)


def test_features_without_descriptors_are_repeated_and_match_nothing(octavo, data):
    octavo("extract", "data", "--recursive", "--output", "all", "--format", "npz")
    for file in (octavo.folder / "all").rglob("*.npz"):
        np.savez(file, keypoints=np.load(file)["keypoints"], descriptors=np.zeros((0, 128), np.uint8))
    done = octavo.call(
        "evaluate", "data", "--json", "--max-features", 150, "--rank", "response", "--features", "files=all"
    )
    own, files = json.loads(done.stdout)["configurations"]
    assert done.returncode == 0 and own["pairs"] and len(own["pairs"]) == len(files["pairs"])
    for ours, theirs in zip(own["pairs"], files["pairs"]):
        assert (
            ours["repeatability"] == theirs["repeatability"]
            and ours["correspondence_share"] == theirs["correspondence_share"]
        )
        assert theirs["match_count"] == 0 and theirs.get("corner_error") is None


def test_broken_features_are_named(octavo, data):
    """A pair that fails for one configuration counts for no configuration."""
    octavo("extract", "data", "--recursive", "--output", "all", "--format", "npz")
    (octavo.folder / "all" / "v_box" / "2.png.npz").unlink()
    file = octavo.folder / "all" / "v_box" / "3.png.npz"
    file.write_bytes(file.read_bytes()[:-20])
    shutil.copy(
        octavo.folder / "all" / "v_box" / "1.png.npz", octavo.folder / "all" / "oxford" / "home" / "img2.jpg.npz"
    )
    np.savez(octavo.folder / "all" / "points" / "b.png.npz", keypoints=np.zeros((3, 2)), descriptors=np.zeros((2, 128)))
    done = octavo.call("evaluate", "data", "--json", "--features", "files=all")
    assert done.returncode == 1
    lines = done.stderr.splitlines()
    assert len(lines) == 4
    for words in (
        r"oxford/home/img2\.jpg\.npz': the sizes disagree: keypoint \d+ lies at",
        r"all/points/b\.png\.npz': descriptors has the shape \(2, 128\), but must have \(3, 128\)",
        r"all/v_box/2\.png\.npz': no such file",
        r"all/v_box/3\.png\.npz': the archive is truncated",
    ):
        assert any(re.search(words, line) for line in lines), (words, lines)
    for configuration in json.loads(done.stdout)["configurations"]:
        assert [pair["image_b"] for pair in configuration["pairs"]] == ["i_home/2.ppm", "i_home/3.ppm", "v_box/4.png"]
