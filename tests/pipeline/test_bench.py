"""octavo bench: the figures are there and make sense; none is judged."""

import json

import pytest
from PIL import Image

KEYS = ["subject", "median_ms", "q1_ms", "q3_ms", "keypoints", "device", "isa", "threads", "stages"]


@pytest.fixture
def picture(octavo, texture):
    Image.fromarray(texture()).save(octavo.folder / "a.png")
    return "a.png"


def check(result):
    assert list(result) == KEYS
    assert 0 < result["q1_ms"] <= result["median_ms"] <= result["q3_ms"]
    assert result["device"] in ("cpu", "reference") and result["isa"]
    assert result["threads"] >= 1


def test_extract(octavo, picture):
    result = json.loads(octavo("bench", "extract", picture, "--rounds", 3, "--warmup", 1, "--threads", 1, "--json"))
    check(result)
    assert result["threads"] == 1
    assert result["keypoints"] == len(json.loads(octavo("extract", picture, "--json"))["keypoints"])
    assert len(result["stages"]) > 1
    assert all(time >= 0 for time in result["stages"].values())


def test_extract_of_several(octavo, picture, texture):
    Image.fromarray(texture(seed=2)).save(octavo.folder / "b.png")
    results = json.loads(octavo("bench", "extract", ".", "--rounds", 1, "--warmup", 0, "--json"))
    assert [result["subject"] for result in results] == ["./a.png at 160x128", "./b.png at 160x128"]
    for result in results:
        check(result)


@pytest.mark.parametrize("size", ["80x64", "320x256", "50x100", "1x1"])
def test_resize(octavo, picture, size):
    told = octavo("bench", "extract", picture, "--rounds", 1, "--warmup", 0, "--resize", size)
    assert f"a.png at {size}: " in told and "median" in told


def test_match(octavo):
    results = json.loads(octavo("bench", "match", "--sizes", "100,257", "--rounds", 3, "--json"))
    assert [result["keypoints"] for result in results] == [100, 257]
    for result in results:
        check(result)


def test_match_of_images(octavo, picture):
    result = json.loads(octavo("bench", "match", picture, picture, "--job", "match", "--rounds", 2, "--json"))
    check(result)
    assert result["keypoints"] == len(json.loads(octavo("extract", picture, "--json"))["keypoints"])


def test_text(octavo, picture):
    told = octavo("bench", "match", "--sizes", 64, "--rounds", 1)
    assert told.startswith("device cpu, ") and "64 x 64: 64 keypoints" in told
