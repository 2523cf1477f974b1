"""octavo extract --detector foagdd: its output, and the effects of its options."""

import json

import numpy as np
import pytest
from PIL import Image

from features import from_colmap, from_json


@pytest.fixture
def board(octavo):
    """Dark and light squares of 20 pixels, each of a different shade, with 35 corners between them."""
    row, column = np.mgrid[0:6, 0:8]
    shades = np.random.default_rng(1).permutation(48).reshape(6, 8) + np.where((row + column) % 2 == 0, 40, 160)
    Image.fromarray(np.kron(shades, np.ones((20, 20))).astype(np.uint8)).save(octavo.folder / "board.png")
    return "board.png"


def corners(octavo, *arguments):
    return from_json(octavo("extract", *arguments, "--detector", "foagdd", "--json"))


def test_corners_of_a_board(octavo, board):
    found = corners(octavo, board)
    for row in range(1, 6):
        for column in range(1, 8):
            distance = np.abs(found[:, :2] - (20 * column - 0.5, 20 * row - 0.5)).max(axis=1)
            assert distance.min() <= 1.5, (row, column)
    assert np.all(found[:, :2] == np.rint(found[:, :2])) and np.all(found[:, 4] > 8.4)
    assert np.all(found[:, 2] == 3) and np.all(found[:, 3] == 0)
    assert found.tolist() == sorted(found.tolist(), key=lambda k: (k[1], k[0]))


def test_every_device_gives_the_same(octavo, board):
    choices = [["--device", "reference"], []]
    for device in json.loads(octavo("devices", "--json")):
        choices += [
            ["--device", device["name"], "--isa", isa, "--threads", n] for isa in device["isas"] for n in (1, 7)
        ]
        choices += [["--device", device["name"]]] if ":" in device["name"] and device["conformant"] else []
    assert len(choices) > 3
    assert len({corners(octavo, board, *choice).tobytes() for choice in choices}) == 1
    files = set()
    for choice in choices:
        octavo("extract", board, "--detector", "foagdd", "--describe", "--output", "out", *choice)
        files.add((octavo.folder / "out/board.png.txt").read_bytes())
    assert len(files) == 1


def test_budget_mask_and_formats(octavo, board):
    everything = corners(octavo, board)
    best = corners(octavo, board, "--max-features", 10)
    assert sorted(best[:, 4]) == sorted(everything[:, 4])[-10:]
    half = np.zeros((120, 160), np.uint8)
    half[:, :80] = 255
    Image.fromarray(half).save(octavo.folder / "mask.png")
    np.testing.assert_array_equal(corners(octavo, board, "--mask", "mask.png"), everything[everything[:, 0] < 80])
    octavo("extract", board, "--detector", "foagdd", "--output", "out", "--format", "npz", "--draw")
    with np.load(octavo.folder / "out/board.png.npz") as archive:
        np.testing.assert_array_equal(archive["keypoints"], everything.astype(np.float32))
        assert archive["descriptors"].shape == (0, 128)
    with Image.open(octavo.folder / "out/board.png.keypoints.png") as drawn:
        assert drawn.size == (160, 120)


def test_options_change_the_corners(octavo, photograph):
    path = photograph("box_in_scene.png")
    usual = corners(octavo, path)
    assert (
        len(corners(octavo, path, "--verify-scales", 1)) > len(corners(octavo, path, "--verify-scales", 2)) > len(usual)
    )
    assert len(corners(octavo, path, "--corner-threshold", 9)) < len(usual)
    for option in (["--window", 5], ["--rho", 2], ["--directions", 6, "--corner-threshold", 6]):
        assert 50 < len(corners(octavo, path, *option)) < 2000


def test_described_corners(octavo, photograph):
    path = photograph("box.png")
    plain = corners(octavo, path)
    upright = corners(octavo, path, "--describe", "--upright", "--descriptor-scale", 2)
    np.testing.assert_array_equal(upright[:, [0, 1, 3, 4]], plain[:, [0, 1, 3, 4]])
    assert np.all(upright[:, 2] == 2)
    turned = corners(octavo, path, "--describe")
    assert len(turned) > len(plain)
    assert {tuple(k) for k in turned[:, [0, 1, 4]]} == {tuple(k) for k in plain[:, [0, 1, 4]]}
    single = corners(octavo, path, "--describe", "--max-orientations", 1)
    assert len(single) == len(plain) and np.any(single[:, 3] > 0)

    octavo("extract", path, "--detector", "foagdd", "--describe", "--output", "out")
    keypoints, descriptors = from_colmap(octavo.folder / "out/box.png.txt")
    assert len(keypoints) == len(turned)
    np.testing.assert_allclose(np.linalg.norm(descriptors, axis=1), 512, atol=40)


def test_corners_match(octavo, photograph):
    """An image and its rotation by a quarter turn, which maps every corner to a known place."""
    turned = Image.open(photograph("box.png")).transpose(Image.Transpose.ROTATE_90)
    turned.save(octavo.folder / "turned.png")
    output = json.loads(octavo("match", photograph("box.png"), "turned.png", "--detector", "foagdd", "--json"))
    right = [
        abs(m["x_b"] - m["y_a"]) <= 1 and abs(m["y_b"] - (turned.height - 1 - m["x_a"])) <= 1 for m in output["matches"]
    ]
    assert sum(right) > 100 and np.mean(right) > 0.9


def test_an_image_too_small_for_corners(octavo):
    Image.fromarray(np.zeros((11, 40), np.uint8)).save(octavo.folder / "small.png")
    assert len(corners(octavo, "small.png")) == 0


@pytest.mark.parametrize(
    "options, words",
    [
        (["--detector", "foagdd", "--layers", 3], ["--layers", "foagdd"]),
        (["--window", 5], ["--window", "sift"]),
        (["--detector", "foagdd", "--window", 8], ["--window is 8", "odd"]),
        (["--detector", "foagdd", "--directions", 17], ["--directions is 17", "2 and 16"]),
        (["--detector", "foagdd", "--corner-threshold", 101], ["--corner-threshold is 101"]),
        (["--detector", "foagdd", "--output", "out"], ["--format colmap", "descriptors"]),
        (["--detector", "foagdd", "--upright"], ["--upright", "--describe"]),
        (["--detector", "foagdd", "--descriptor-scale", 3], ["--descriptor-scale", "--describe"]),
        (["--describe"], ["--describe", "sift"]),
        (["--detector", "foagdd", "--describe", "--descriptor-scale", 9], ["--descriptor-scale is 9", "1.6 and 8"]),
        (["--detector", "harris"], ["--detector", "harris"]),
    ],
)
def test_wrong_calls(octavo, board, options, words):
    sentence = octavo.error(2, "extract", board, *options)
    assert all(word in sentence for word in words), sentence
    assert not (octavo.folder / "out").exists()
