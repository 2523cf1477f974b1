"""octavo match: exact nearest neighbours, checked by NumPy."""

import json

import numpy as np
import pytest
from PIL import Image


@pytest.fixture
def pair(octavo, texture):
    """A picture, and the same moved by 7 and 5 pixels with some noise."""
    picture = texture(192, 160)
    noise = np.random.default_rng(1).integers(-3, 4, (150, 180))
    Image.fromarray(picture[:150, :180]).save(octavo.folder / "a.png")
    moved = np.clip(picture[5:155, 7:187].astype(int) + noise, 0, 255).astype(np.uint8)
    Image.fromarray(moved).save(octavo.folder / "b.png")
    return "a.png", "b.png"


@pytest.fixture
def descriptors(octavo, pair):
    octavo("extract", *pair, "--output", ".", "--format", "npz")
    return [np.load(octavo.folder / f"{name}.npz")["descriptors"].astype(np.int64) for name in pair]


def expected(descriptors, ratio=0.8, mutual=True, limit=np.inf):
    """The expected matches, by brute force."""
    a, b = descriptors
    distance2 = (a**2).sum(1)[:, None] + (b**2).sum(1)[None, :] - 2 * a @ b.T
    found = []
    for i, row in enumerate(distance2):
        j, second = np.argsort(row, kind="stable")[:2]
        passes = ratio == 1 or row[j] * 10**8 < round(ratio * 10**4) ** 2 * row[second]
        if passes and row[j] <= limit**2 and (not mutual or np.argmin(distance2[:, j]) == i):
            found.append((i, int(j), int(row[j])))
    return found


@pytest.mark.parametrize(
    "options, meaning",
    [
        ([], {}),
        (["--ratio", "0.6"], {"ratio": 0.6}),
        (["--ratio", "1"], {"ratio": 1}),
        (["--no-mutual"], {"mutual": False}),
        (["--ratio", "1", "--no-mutual"], {"ratio": 1, "mutual": False}),
        (["--max-distance", "80"], {"limit": 80}),
    ],
)
def test_matches_are_those_of_brute_force(octavo, pair, descriptors, options, meaning):
    output = json.loads(octavo("match", *pair, "--json", *options))
    found = [(match["a"], match["b"], round(match["distance"] ** 2)) for match in output["matches"]]
    assert found == expected(descriptors, **meaning)
    assert len(found) > 10


def test_json(octavo, pair):
    output = json.loads(octavo("match", *pair, "--json"))
    assert list(output) == ["keypoints_a", "keypoints_b", "milliseconds", "matches"]
    points = [json.loads(octavo("extract", name, "--json"))["keypoints"] for name in pair]
    assert [output["keypoints_a"], output["keypoints_b"]] == [len(points[0]), len(points[1])]
    moves = []
    for match in output["matches"]:
        assert list(match) == ["a", "b", "distance", "x_a", "y_a", "x_b", "y_b"]
        assert (match["x_a"], match["y_a"]) == (points[0][match["a"]]["x"], points[0][match["a"]]["y"])
        assert (match["x_b"], match["y_b"]) == (points[1][match["b"]]["x"], points[1][match["b"]]["y"])
        moves.append((match["x_a"] - match["x_b"], match["y_a"] - match["y_b"]))
    np.testing.assert_allclose(np.median(moves, axis=0), (7, 5), atol=0.05)


def test_text_and_picture(octavo, pair):
    output = octavo("match", *pair, "-o", "lines.png")
    count = len(json.loads(octavo("match", *pair, "--json"))["matches"])
    assert f"matches      {count}\n" in output and "lines.png" in output
    with Image.open(octavo.folder / "lines.png") as drawn:
        assert drawn.mode == "RGB" and drawn.width >= 360 and drawn.height >= 150


def test_picture_that_cannot_be_written(octavo, pair):
    assert "none/lines.png" in octavo.error(1, "match", *pair, "-o", "none/lines.png")
    assert "lines.xyz" in octavo.error(1, "match", *pair, "-o", "lines.xyz")


def test_pictures_without_keypoints(octavo):
    Image.new("L", (40, 40), 128).save(octavo.folder / "flat.png")
    output = json.loads(octavo("match", "flat.png", "flat.png", "--json"))
    assert (output["keypoints_a"], output["keypoints_b"], output["matches"]) == (0, 0, [])
    octavo("match", "flat.png", "flat.png", "-o", "lines.png")


def test_matcher_ignores_device_and_threads(octavo, pair):
    matches = [
        json.loads(octavo("match", *pair, "--json", *options))["matches"]
        for options in ([], ["--threads", "1"], ["--threads", "7"], ["--device", "reference"])
    ]
    assert all(other == matches[0] for other in matches)
