"""octavo evaluate robustness: photographs that are changed in known ways."""

import json
import re

import cv2
import pytest
from selenium.webdriver.support.ui import Select

from evaluate_data import CIRCUMSTANCES, write
from report_page import ReportPage


@pytest.fixture
def photo(octavo, photograph):
    image = cv2.imread(str(photograph("box_in_scene.png")), cv2.IMREAD_GRAYSCALE)
    write(octavo.folder / "box.png", cv2.resize(image, (256, 192), interpolation=cv2.INTER_AREA))
    return "box.png"


@pytest.mark.slow
def test_robustness(octavo, photo):
    output = json.loads(octavo("evaluate", "robustness", photo, "--json"))
    assert list(output) == [
        "images",
        "noise_seed",
        *CIRCUMSTANCES,
        "thresholds",
        "overlap_errors",
        "configurations",
        "problems",
        "warnings",
    ]
    curves = {curve["kind"]: curve["points"] for curve in output["configurations"][0]["curves"]}
    assert list(curves) == [
        "rotation",
        "scale",
        "shear",
        "perspective",
        "mirror",
        "noise",
        "blur",
        "contrast",
        "brightness",
        "jpeg",
    ]
    precision = {kind: [point["precision"][2] for point in points] for kind, points in curves.items()}
    correct = {kind: [point["correct_counts"][2] for point in points] for kind, points in curves.items()}
    assert min(precision["rotation"]) > 0.9 and precision["jpeg"][-1] > 0.95 and precision["noise"][0] > 0.95
    for kind in ("shear", "perspective", "noise", "blur"):  # stronger changes leave fewer matches
        assert correct[kind][0] > 1.5 * correct[kind][-1] > 0, kind
    assert correct["contrast"][0] < correct["contrast"][3] < correct["contrast"][4]
    assert correct["jpeg"][0] < correct["jpeg"][-1]
    # SIFT's points are found again in a mirrored image, but only descriptors of symmetric places match.
    repeatability = {kind: [point["repeatability"][2] for point in points] for kind, points in curves.items()}
    assert min(repeatability["mirror"]) > 0.6 and max(precision["mirror"]) < 0.75
    assert max(correct["mirror"]) < 0.15 * correct["rotation"][-1]  # neither is cut at 180 degrees
    # Added brightness changes nothing where no grey level is cut.
    assert [point["strength"] for point in curves["brightness"]] == [-128, -64, -32, 32, 64, 128]
    assert min(precision["brightness"][1:5]) > 0.9 and max(correct["brightness"]) == max(correct["brightness"][2:4])
    for pair in output["configurations"][0]["pairs"]:
        if pair["kind"] == "rotation":
            assert pair["corner_error"] < 1  # the error of the truth is below one pixel


@pytest.mark.slow
def test_what_robustness_saves_evaluates_to_the_same_numbers(octavo, photo):
    """The same seed gives the same images, and another seed gives other noise."""
    options = ["--json", "--max-features", 200, "--kinds", "perspective,noise,scale,rotation"]
    made = json.loads(octavo.call("evaluate", "robustness", photo, "--images", "made", *options).stdout)
    again = json.loads(octavo.call("evaluate", "robustness", photo, *options).stdout)
    other = json.loads(octavo.call("evaluate", "robustness", photo, *options, "--noise-seed", 1).stdout)
    assert again == made
    read = json.loads(octavo.call("evaluate", "made", "--json", "--max-features", 200, "--covisible-only").stdout)

    def numbers(document, *left_out):
        pairs = document["configurations"][0]["pairs"]
        return {p["image_b"]: {key: value for key, value in p.items() if key not in left_out} for p in pairs}

    extra = ("sequence", "photograph", "kind", "strength")
    assert numbers(read, *extra) == numbers(made, *extra)
    differing = {name.split("/")[0] for name, pair in numbers(made).items() if pair != numbers(other)[name]}
    assert differing == {"i_box_noise"}


@pytest.mark.slow
def test_robustness_in_tables_and_on_a_page(octavo, photo, texture, chromium):
    write(octavo.folder / "texture.png", texture(64, 48))
    done = octavo.call("evaluate", "robustness", photo, "texture.png", "--kinds", "scale,jpeg", "--configuration", "one:",
                       "--configuration", "two: --upright", "-o", "page.html")  # fmt: skip
    # The texture scaled by 1/4 would have 16 × 12 pixels.
    assert done.returncode == 1
    assert re.findall("octavo: (.*too small)", done.stderr) == [
        "cannot use 'texture.png': an image of 64 × 48 pixels is too small"
    ]
    assert (
        "scale (factor)\nscale  repeatability one  repeatability two  regions one  regions two  MMA one  MMA two  precision one"
        in done.stdout
    )
    assert "jpeg (quality)" in done.stdout
    page = ReportPage(chromium, octavo.folder / "page.html")
    assert "Robustness" in page.html and page.text().count("too small") == 1
    # One small plot for each change. The reader chooses the number.
    assert [(chart["subject"], chart["plot"]) for chart in page.charts()] == [
        ("scale", "matching_accuracy"),
        ("jpeg", "matching_accuracy"),
    ]
    Select(page.one(".choice select")).select_by_value("precision")
    assert [chart["plot"] for chart in page.charts()] == ["precision", "precision"]
    scale = page.chart("precision", "scale")
    assert scale["x"] == {"type": "logarithmic", "min": 0.25, "max": 4, "label": "scale [factor]"}
    for line, configuration in zip(scale["lines"], page.json["configurations"]):
        points = configuration["curves"][0]["points"]
        assert line["points"] == [
            [p["strength"], pytest.approx(100 * p["precision"][2])] for p in points if p["pair_count"]
        ]
    Select(page.one(".choice select")).select_by_value("correct")
    axes = [chart["y"] for chart in page.charts()]
    assert axes[0]["max"] == axes[1]["max"] and page.chart("correct", "jpeg")["x"]["type"] == "linear"
    # One legend for all plots.
    assert [button.text for button in page.all(".legend button")] == ["one", "two"]
    page.all(".legend button")[1].click()
    assert page.run(
        "return [...document.querySelectorAll('.grid figure canvas')].map((c) => Chart.getChart(c).isDatasetVisible(1))"
    ) == [False, False]
    # Images of each change, and links to their sections.
    assert [link.get_attribute("href").split("#")[1] for link in page.all("nav a")] == [
        "overview",
        "scale",
        "jpeg",
        "configurations",
        "definitions",
    ]
    assert "SIFT is not made" not in page.text()
    assert [c.text for c in page.all("#scale figcaption")] == ["scale 0.25", "scale 0.85", "scale 4"]
    assert page.width_on_a_phone() <= 390
    assert (
        len(
            page.run(
                "return [...document.querySelectorAll('#jpeg img')].map((i) => i.naturalWidth).filter((w) => w > 0)"
            )
        )
        == 3
    )


def test_figures_say_that_sift_is_not_made_for_mirrored_images(octavo, photo, chromium):
    note = "mirror (degrees of the axis): SIFT is not made for mirrored images"
    assert note in octavo("evaluate", "robustness", photo, "--kinds", "mirror", "-o", "page.html")
    page = ReportPage(chromium, octavo.folder / "page.html")
    (chart,) = page.charts()
    assert chart["title"] == note


def test_robustness_spends_the_budget_on_what_is_seen(octavo, photo):
    """A quarter turn crops an image to a third. It still gives the full budget, and all its keypoints can be matched."""
    output = json.loads(octavo("evaluate", "robustness", photo, "--json", "--max-features", 60, "--kinds", "rotation"))
    for pair in output["configurations"][0]["pairs"]:
        assert pair["keypoint_count_a"] == 60 and pair["common_count_a"] >= 58, pair["strength"]
        assert pair["repeatability"][2] > 0.6 and pair["matching_accuracy"][2] > 0.7, pair["strength"]


def test_robustness_that_cannot_be(octavo, texture):
    write(octavo.folder / "tiny.png", texture(20, 18))
    done = octavo.call("evaluate", "robustness", "tiny.png", "--kinds", "scale", "--json")
    assert done.returncode == 1 and len(done.stderr.splitlines()) == 1
    assert "cannot use 'tiny.png': an image of 20 × 18 pixels is too small" in done.stderr
    points = json.loads(done.stdout)["configurations"][0]["curves"][0]["points"]
    assert [point["pair_count"] for point in points] == [0, 0, 0, 0, 0, 1, 1, 1, 1, 1]
    assert points[0]["matching_accuracy"] is points[0]["matching_score"] is None
    done = octavo.call("evaluate", "robustness", "tiny.png", "--kinds", "scale")
    assert re.search(r"^0\.25( +-){6}$", done.stdout, re.M)


@pytest.mark.slow
def test_chance_is_judged_by_photographs(octavo, photo, texture):
    """The images that are made of one photograph resemble each other."""
    configurations = ("--configuration", "a:", "--configuration", "b: --ratio 0.6", "-o", "page.html")
    for seed in range(8):
        write(octavo.folder / "textures" / f"{seed}.png", texture(64, 56, seed=seed))
    octavo("evaluate", "robustness", "textures", "--kinds", "noise,jpeg", *configurations)
    assert "whole photographs are drawn at random" in (octavo.folder / "page.html").read_text()
    octavo("evaluate", "robustness", photo, *configurations)
    assert "whole changes of a photograph are drawn at random" in (octavo.folder / "page.html").read_text()
    octavo("evaluate", "robustness", photo, "--kinds", "noise", *configurations)
    assert ": pairs are drawn at random" in (octavo.folder / "page.html").read_text()
