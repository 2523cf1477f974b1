"""octavo evaluate crops: photographs and crops of them."""

import json
import re

import cv2
import numpy as np
import pytest

from evaluate_data import write
from report_page import ReportPage

CHANGES = ["clean", "noise 15", "contrast 0.5", "contrast 1.5", "contrast 2", "jpeg 50"]


@pytest.fixture
def photo(octavo, photograph):
    image = cv2.imread(str(photograph("box_in_scene.png")), cv2.IMREAD_GRAYSCALE)
    write(octavo.folder / "box.png", image)
    return "box.png"


def test_crops(octavo, photo):
    document = json.loads(octavo("evaluate", "crops", photo, "--json"))
    assert list(document) == [
        "images", "crop_sizes", "size", "noise_seed", "correct_within", "octavo", "date", "device", "exif_rotation",
        "configurations", "problems", "warnings",
    ]  # fmt: skip
    (configuration,) = document["configurations"]
    cases = {f"{c['change']} {c['strength']:g}" if c["strength"] else c["change"]: c for c in configuration["cases"]}
    assert list(cases) == CHANGES and document["crop_sizes"] == ["100x100"]
    clean = cases["clean"]
    assert (
        clean["correct_count"] > 30
        and clean["precision"] > 0.95
        and clean["keypoint_count_photograph"] > 5 * clean["keypoint_count_crop"]
    )
    assert (
        0 < cases["noise 15"]["correct_count"] < clean["correct_count"]
        and 0 < cases["contrast 0.5"]["correct_count"] < clean["correct_count"]
    )
    for pair in configuration["pairs"]:
        assert (pair["left"], pair["top"], pair["photograph_size"]) == (206, 142, [512, 384])
        assert min(pair[f"{part}_seconds"] for part in ("photograph", "crop", "match")) > 0


def test_crops_are_those_of_other_commands(octavo, photo):
    """The keypoints and matches are those of the crop in a file. Correct ones are counted again here."""
    options = ["--max-features", 500, "--ratio", 0.9]
    document = json.loads(
        octavo.call(
            "evaluate", "crops", photo, "--json", "--crop-sizes", "160x121", "--changes", "clean,contrast:0.5", *options
        ).stdout
    )
    image = cv2.imread(str(octavo.folder / photo), cv2.IMREAD_GRAYSCALE)
    left, top = (512 - 160) // 2, (384 - 121) // 2
    crop = image[top : top + 121, left : left + 160]
    write(octavo.folder / "clean.png", crop)
    write(octavo.folder / "contrast.png", np.rint(crop * 0.5).astype(np.uint8))
    for pair in document["configurations"][0]["pairs"]:
        matched = json.loads(octavo("match", f"{pair['change']}.png", photo, "--json", *options))
        assert (matched["keypoint_count_a"], matched["keypoint_count_b"]) == (
            pair["keypoint_count_crop"],
            pair["keypoint_count_photograph"],
        )
        off = np.array([[m["x_a"] + left - m["x_b"], m["y_a"] + top - m["y_b"]] for m in matched["matches"]])
        assert len(off) == pair["match_count"] > 20
        assert (np.abs(off) <= 4).all(axis=1).sum() == pair["correct_count"]


def test_no_matches_have_no_precision(octavo, chromium):
    write(octavo.folder / "flat.png", np.full((120, 120), 90, np.uint8))
    octavo.call("evaluate", "crops", "flat.png", "--changes", "clean", "-o", "page.html")
    page = ReportPage(chromium, octavo.folder / "page.html")
    assert [line["points"] for line in page.chart("precision", "100x100")["lines"]] == [[]]
    assert [line["points"] for line in page.chart("correct", "100x100")["lines"]] == [[[0, 0]]]


def test_crops_in_tables_and_on_a_page(octavo, photo, texture, chromium):
    write(octavo.folder / "texture.png", texture(99, 110))
    done = octavo.call(
        "evaluate", "crops", photo, "texture.png", "--crop-sizes", "100x100,64x48", "--changes", "clean,jpeg:10",
        "--configuration", "one:", "--configuration", "two: --contrast-threshold 0", "-o", "page.html",
    )  # fmt: skip
    assert done.returncode == 1
    problem, warning = done.stderr.splitlines()
    assert problem == (
        "octavo: cannot use 'texture.png': an image of 99 × 110 pixels is smaller than the crop of 100 × 100")  # fmt: skip
    assert warning.startswith("octavo: warning: the numbers of keypoints differ, from ")
    assert re.search(
        r"^100x100, clean\nconfiguration +photographs +keypoints +of crops +correct +matches +precision +seconds\none +1 ",
        done.stdout,
        re.M,
    )
    assert re.search(r"^64x48, jpeg 10\n.*\none +2 .*\ntwo +2 ", done.stdout, re.M)
    page = ReportPage(chromium, octavo.folder / "page.html")
    assert [(c["subject"], c["plot"]) for c in page.charts()] == [
        (size, plot) for size in ("100x100", "64x48") for plot in ("correct", "precision", "keypoints", "seconds")]  # fmt: skip
    correct = page.chart("correct", "64x48")
    for line, configuration in zip(correct["lines"], page.json["configurations"]):
        assert line["label"] == configuration["name"]
        assert line["points"] == [
            [c["correct_count"], i] for i, c in enumerate(c for c in configuration["cases"] if c["crop"] == "64x48")
        ]
    assert [c.text for c in page.all("#crops-64x48 figcaption")][:2] == ["clean", "jpeg 10"]
    assert [p.find_element("css selector", "h3").text for p in page.all(".pair")] == [
        "100x100, clean, box.png", "100x100, jpeg 10, box.png", "64x48, clean, box.png", "64x48, jpeg 10, box.png"]  # fmt: skip
    assert page.text().count("is smaller than the crop") == 1 and "Sawada 2024" in page.text()
    assert page.width_on_a_phone() <= 390


def test_crops_of_no_photograph(octavo, texture):
    write(octavo.folder / "small.png", texture(60, 60))
    done = octavo.call("evaluate", "crops", "small.png", "--json", "-o", "page.html")
    assert done.returncode == 1 and "smaller than the crop" in done.stderr
    (configuration,) = json.loads(done.stdout)["configurations"]
    assert configuration["pairs"] == [] and {c["photograph_count"] for c in configuration["cases"]} == {0}
    assert {c["precision"] for c in configuration["cases"]} == {None}
    assert (octavo.folder / "page.html").exists()
    done = octavo.call("evaluate", "crops", "small.png", "--changes", "clean")
    assert re.search(r"^octavo  +0( +-){6}$", done.stdout, re.M)
