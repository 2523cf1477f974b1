"""octavo evaluate crops: photographs and crops of them."""

import json
import re

import cv2
import numpy as np
import pytest

from report_page import ReportPage
from test_evaluate import write

CHANGES = ["clean", "noise 15", "contrast 0.5", "contrast 1.5", "contrast 2", "jpeg 50"]


@pytest.fixture
def photo(octavo, photograph):
    image = cv2.imread(str(photograph("box_in_scene.png")), cv2.IMREAD_GRAYSCALE)
    write(octavo.folder / "box.png", image)
    return "box.png"


def test_crops(octavo, photo):
    document = json.loads(octavo("evaluate", "crops", photo, "--json"))
    assert list(document) == [
        "images", "crops", "longest_side", "noise_seed", "right_within", "octavo", "date", "device", "exif_rotation",
        "settings", "problems", "warnings",
    ]  # fmt: skip
    (setting,) = document["settings"]
    cases = {f"{c['change']} {c['strength']:g}" if c["strength"] else c["change"]: c for c in setting["cases"]}
    assert list(cases) == CHANGES and document["crops"] == ["100x100"]
    clean = cases["clean"]
    assert (
        clean["right"] > 30
        and clean["precision"] > 0.95
        and clean["keypoints_photograph"] > 5 * clean["keypoints_crop"]
    )
    assert 0 < cases["noise 15"]["right"] < clean["right"] and 0 < cases["contrast 0.5"]["right"] < clean["right"]
    for pair in setting["pairs"]:
        assert (pair["left"], pair["top"], pair["photograph_size"]) == (206, 142, [512, 384])
        assert min(pair[f"seconds_{part}"] for part in ("photograph", "crop", "match")) > 0


def test_crops_are_those_of_other_commands(octavo, photo):
    """The keypoints and matches are those of the crop in a file. Right ones are counted again here."""
    options = ["--max-features", 500, "--ratio", 0.9]
    document = json.loads(
        octavo.call(
            "evaluate", "crops", photo, "--json", "--crop", "160x121", "--changes", "clean,contrast:0.5", *options
        ).stdout
    )
    image = cv2.imread(str(octavo.folder / photo), cv2.IMREAD_GRAYSCALE)
    left, top = (512 - 160) // 2, (384 - 121) // 2
    crop = image[top : top + 121, left : left + 160]
    write(octavo.folder / "clean.png", crop)
    write(octavo.folder / "contrast.png", np.rint(crop * 0.5).astype(np.uint8))
    for pair in document["settings"][0]["pairs"]:
        matched = json.loads(octavo("match", f"{pair['change']}.png", photo, "--json", *options))
        assert (matched["keypoints_a"], matched["keypoints_b"]) == (
            pair["keypoints_crop"],
            pair["keypoints_photograph"],
        )
        off = np.array([[m["x_a"] + left - m["x_b"], m["y_a"] + top - m["y_b"]] for m in matched["matches"]])
        assert len(off) == pair["matches"] > 20
        assert (np.abs(off) <= 4).all(axis=1).sum() == pair["right"]


def test_no_matches_have_no_precision(octavo, chromium):
    write(octavo.folder / "flat.png", np.full((120, 120), 90, np.uint8))
    octavo.call("evaluate", "crops", "flat.png", "--changes", "clean", "-o", "page.html")
    page = ReportPage(chromium, octavo.folder / "page.html")
    assert [line["points"] for line in page.chart("precision", "100x100")["lines"]] == [[]]
    assert [line["points"] for line in page.chart("right", "100x100")["lines"]] == [[[0, 0]]]


def test_crops_in_tables_and_on_a_page(octavo, photo, texture, chromium):
    write(octavo.folder / "texture.png", texture(99, 110))
    done = octavo.call(
        "evaluate", "crops", photo, "texture.png", "--crop", "100x100,64x48", "--changes", "clean,jpeg:10",
        "--setting", "one:", "--setting", "two: --contrast-threshold 0", "-o", "page.html",
    )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr == (
        "octavo: cannot use 'texture.png': an image of 99 × 110 pixels is smaller than the crop of 100 × 100\n")  # fmt: skip
    assert re.search(
        r"^100x100, clean\nsetting +photographs +keypoints +of crops +right +matches +precision +seconds\none +1 ",
        done.stdout,
        re.M,
    )
    assert re.search(r"^64x48, jpeg 10\n.*\none +2 .*\ntwo +2 ", done.stdout, re.M)
    page = ReportPage(chromium, octavo.folder / "page.html")
    assert [(c["subject"], c["plot"]) for c in page.charts()] == [
        (size, plot) for size in ("100x100", "64x48") for plot in ("right", "precision", "keypoints", "seconds")]  # fmt: skip
    right = page.chart("right", "64x48")
    for line, setting in zip(right["lines"], page.json["settings"]):
        assert line["label"] == setting["name"]
        assert line["points"] == [
            [c["right"], i] for i, c in enumerate(c for c in setting["cases"] if c["crop"] == "64x48")
        ]
    assert [c.text for c in page.all("#crops-64x48 figcaption")][:2] == ["clean", "jpeg 10"]
    assert page.text().count("is smaller than the crop") == 1 and "Sawada 2024" in page.text()
    assert page.width_on_a_phone() <= 390


def test_crops_of_no_photograph(octavo, texture):
    write(octavo.folder / "small.png", texture(60, 60))
    done = octavo.call("evaluate", "crops", "small.png", "--json", "-o", "page.html")
    assert done.returncode == 1 and "smaller than the crop" in done.stderr
    (setting,) = json.loads(done.stdout)["settings"]
    assert setting["pairs"] == [] and {c["photographs"] for c in setting["cases"]} == {0}
    assert {c["precision"] for c in setting["cases"]} == {None}
    assert (octavo.folder / "page.html").exists()
    done = octavo.call("evaluate", "crops", "small.png", "--changes", "clean")
    assert re.search(r"^octavo  +0( +-){6}$", done.stdout, re.M)
