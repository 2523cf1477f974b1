"""Matches refined by what the images show: in octavo match, evaluate and sfm."""

import json
import shutil
import sqlite3
from xml.etree import ElementTree

import cv2
import numpy as np
import pytest

import rendered_room

WALL = np.array([[0.96, -0.11, 14.3], [0.13, 1.02, -9.7], [1e-4, -5e-5, 1]])


@pytest.fixture
def pair(octavo, texture):
    """An image, and the same as WALL maps it."""
    image = texture(320, 280)
    cv2.imwrite(str(octavo.folder / "a.png"), image)
    seen = cv2.warpPerspective(image, WALL, (320, 280), flags=cv2.INTER_CUBIC)
    cv2.imwrite(str(octavo.folder / "b.png"), seen)
    return "a.png", "b.png"


def errors(found):
    """How far the keypoint of B is from where WALL maps that of A, of each match."""
    a = np.array([[match["x_a"], match["y_a"], 1] for match in found["matches"]])
    b = np.array([[match["x_b"], match["y_b"]] for match in found["matches"]])
    mapped = a @ WALL.T
    return np.linalg.norm(mapped[:, :2] / mapped[:, 2:] - b, axis=1)


def test_matches_of_two_images(octavo, pair):
    plain = json.loads(octavo("match", *pair, "--json"))
    refined = json.loads(octavo("match", *pair, "--json", "--refine"))
    ends = [[(match["a"], match["b"], match["x_a"]) for match in found["matches"]] for found in (plain, refined)]
    assert ends[0] == ends[1] and len(ends[0]) > 50
    assert np.median(errors(refined)) < 0.5 * np.median(errors(plain))
    alone = json.loads(octavo("match", *pair, "--json", "--refine", "--threads", "1"))
    assert alone["matches"] == refined["matches"]


def test_matches_of_stored_features(octavo, pair):
    octavo("extract", *pair, "-o", ".", "--format", "npz")
    stored = ("match", "a.png.npz", "b.png.npz", "--json", "--refine")
    images = ("--image-a", "a.png", "--image-b", "b.png")
    found = json.loads(octavo(*stored, *images))["matches"]
    assert found == json.loads(octavo("match", *pair, "--json", "--refine"))["matches"]
    assert "--image-a" in octavo.error(2, *stored)


def test_matches_of_many_images_are_not_refined(octavo, pair):
    told = octavo.error(2, "match", "*.png", "--refine")
    assert "--refine has no effect with many images" in told


def test_evaluation_judges_refined_places(octavo, photograph):
    (octavo.folder / "graf").mkdir()
    for number, name in ((1, "graf1.png"), (3, "graf3.png")):
        shutil.copy(photograph(name), octavo.folder / "graf" / f"img{number}.png")
    numbers = ElementTree.parse(photograph("H1to3p.xml")).findtext("H13/data").split()
    np.savetxt(octavo.folder / "graf" / "H1to3p", np.array(numbers, float).reshape(3, 3))
    call = ("evaluate", "graf", "--max-features", "1000", "--json")
    report = json.loads(octavo(*call, "--configuration", "plain:", "--configuration", "refined: --refine"))
    plain, refined = report["configurations"]
    assert (plain["refine"], refined["refine"]) == (False, True)
    (before,), (after,) = plain["pairs"], refined["pairs"]
    assert after["repeatability"] == before["repeatability"]
    assert after["match_count"] == before["match_count"]
    assert after["matching_accuracy"][0] > before["matching_accuracy"][0] + 0.03
    assert after["correct_counts"][0] > before["correct_counts"][0]
    (alone,) = json.loads(octavo(*call, "--refine"))["configurations"]
    assert alone["pairs"] == refined["pairs"]


def test_crops_have_no_places_to_refine(octavo, pair):
    assert "--refine" in octavo.error(2, "evaluate", "crops", "a.png", "--configuration", "refined: --refine")


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("colmap") is None, reason="lacks colmap, of Debian's package colmap")
def test_models_fit_refined_keypoints_better(octavo, photograph):
    (octavo.folder / "photos").mkdir()
    rendered_room.write_views(photograph, octavo.folder / "photos", 4)
    errors = {}
    for name, options in (("plain", ["--no-refine"]), ("refined", [])):
        report = json.loads(octavo("sfm", "photos", "-o", name, "--mapper", "colmap", "--json", *options))
        (model,) = report["models"]
        errors[name] = model["mean_reprojection_error"]
        assert (report["refine_seconds"] > 0) == (name == "refined")
    assert errors["refined"] < 0.8 * errors["plain"]
    assert sorted(path.name for path in (octavo.folder / "refined").iterdir()) == [
        "database.db",
        "mapper.log",
        "report.html",
        "sparse",
    ]
    databases = [sqlite3.connect(octavo.folder / name / "database.db") for name in errors]
    stored = [database.execute("SELECT * FROM keypoints").fetchall() for database in databases]
    assert stored[0] == stored[1], "they stay as they were found"
