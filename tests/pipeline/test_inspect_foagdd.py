"""octavo inspect --detector foagdd: its files and its page show what octavo extract computes, scale by scale."""

import json
from collections import Counter

import cv2
import numpy as np
import pytest
from PIL import Image
from selenium.webdriver.support.ui import Select

from conftest import Octavo
from test_inspect_page import Page, place_of

VERDICTS = ["below threshold", "not highest", "scale 2", "scale 3", "outside mask", "over budget", "kept"]
WIDTH, HEIGHT = 700, 520


@pytest.fixture(scope="module")
def look(tmp_path_factory, texture):
    """Rectangles on a texture, larger than a thumbnail."""
    octavo = Octavo(tmp_path_factory.mktemp("corners"))
    image, random = texture(WIDTH, HEIGHT) // 2 + 40, np.random.default_rng(3)
    for _ in range(60):
        x, y, w, h = random.integers([0, 0, 10, 10], [WIDTH, HEIGHT, 90, 90])
        cv2.rectangle(image, (int(x), int(y)), (int(x + w), int(y + h)), int(random.integers(0, 255)), -1)
    Image.fromarray(image).save(octavo.folder / "a.png")
    printed = octavo("inspect", "a.png", "-o", "look", "--detector", "foagdd", "--float")
    (octavo.folder / "look/printed.txt").write_text(printed)
    (octavo.folder / "look/extracted.json").write_text(octavo("extract", "a.png", "--detector", "foagdd", "--json"))
    return octavo.folder / "look"


@pytest.fixture
def page(chromium, look):
    yield Page(chromium, look)
    assert chromium.get_log("browser") == []


def floats(look, name):
    return cv2.imread(str(look / f"{name}.tif"), cv2.IMREAD_UNCHANGED)


def test_files(look):
    output = json.loads((look / "inspect.json").read_text())
    planes = [f"scale{s}_{stage}" for s in (1, 2, 3) for stage in [*(f"derivative{d}" for d in range(8)), "measure"]]
    expected = {"index.html", "inspect.json", "keypoints.png", *(f"scale{s}_candidates.png" for s in (1, 2, 3)),
                *(f"scale{s}_filter{d}.png" for s in (1, 2, 3) for d in range(8)),
                *(f"{plane}.{ending}" for plane in planes for ending in ("png", "tif"))}  # fmt: skip
    assert set(output["files"]) == expected == {f.name for f in look.iterdir()} - {"printed.txt", "extracted.json"}
    assert [plane["file"] for plane in output["planes"]] == [f"{plane}.png" for plane in planes]
    assert [(p["scale"], p["sigma"]) for p in output["planes"][::9]] == [(1, 1.5), (2, 3), (3, 4.5)]
    for plane in output["planes"]:
        with Image.open(look / plane["file"]) as image:
            assert (image.size, image.mode, plane["factor"]) == ((WIDTH // 2, HEIGHT // 2), "L", 2)
            shown = np.asarray(image).astype(float)
        squares = floats(look, plane["file"].removesuffix(".png")).reshape(HEIGHT // 2, 2, WIDTH // 2, 2)
        values = squares.max(axis=(1, 3)) if plane["stage"] == "measure" else squares.mean(axis=(1, 3))
        bytes_of = np.clip(255 * (values - plane["black"]) / (plane["white"] - plane["black"]), 0, 255)
        assert np.abs(shown - bytes_of).max() < 0.51
    # The definition (Zhang and Sun 2020, §3), x along the rows' index, weights as squares of 6x6 pixels.
    x, y = np.mgrid[-15:16, -15:16]
    for s in (1, 2, 3):
        filters = []
        for d in range(8):
            c, s_of = np.cos(d * np.pi / 8), np.sin(d * np.pi / 8)
            u, v, sigma = x * c + y * s_of, y * c - x * s_of, 1.5 * s
            filters.append(-1.5 * u / (2 * np.pi * sigma**2) * np.exp(-(1.5 * u**2 + v**2 / 1.5) / (2 * sigma)))
        for d, weights in enumerate(filters):
            with Image.open(look / f"scale{s}_filter{d}.png") as image:
                assert image.size == (186, 186)
                squares = np.asarray(image)
            assert (squares == np.repeat(np.repeat(squares[::6, ::6], 6, 0), 6, 1)).all()
            assert np.abs(squares[::6, ::6] - (128 + 127 * weights / np.max(filters))).max() < 0.51
    # Middle grey is the threshold.
    assert all(
        p["black"] + p["white"] == pytest.approx(2 * 8.4, abs=1e-4) for p in output["planes"] if p["stage"] == "measure"
    )


def test_numbers_are_those_of_the_planes_and_of_extract(look):
    output = json.loads((look / "inspect.json").read_text())
    extracted = json.loads((look / "extracted.json").read_text())["keypoints"]
    measures = [floats(look, f"scale{s}_measure") for s in (1, 2, 3)]
    inner = np.s_[6 : HEIGHT - 5, 6 : WIDTH - 5]
    above = [measure[inner] > 8.4 for measure in measures]
    highest = cv2.dilate(measures[0], np.ones((5, 5), np.uint8))[inner] == measures[0][inner]
    passed = [above[0] & highest, above[0] & highest & above[1], above[0] & highest & above[1] & above[2]]
    assert output["scales"] == [
        {"scale": 1, "sigma": 1.5, "judged_count": above[0].size, "below_threshold_count": int((~above[0]).sum()),
         "not_highest_count": int((above[0] & ~highest).sum()), "passed_count": int(passed[0].sum())},
        *({"scale": s, "sigma": 1.5 * s, "judged_count": int(passed[s - 2].sum()),
           "below_threshold_count": int((passed[s - 2] & ~above[s - 1]).sum()), "passed_count": int(passed[s - 1].sum())} for s in (2, 3)),
    ]  # fmt: skip
    places = {(k["x"], k["y"]) for k in extracted}
    assert {(float(x), float(y)) for y, x in np.argwhere(passed[2]) + 6} == places and len(places) > 30
    assert [(k["x"], k["y"], np.float32(k["response"])) for k in output["keypoints"]] == [
        (k["x"], k["y"], np.float32(k["response"])) for k in extracted]  # fmt: skip

    counted = Counter(c["verdict"] for c in output["candidates"])
    (octave,) = output["octaves"]
    assert octave["verdict_counts"] == {v: counted[v] for v in VERDICTS} and octave["keypoint_count"] == len(extracted)
    assert (
        counted["scale 2"] == output["scales"][1]["below_threshold_count"]
        and counted["scale 3"] == output["scales"][2]["below_threshold_count"]
    )
    for c in output["candidates"][:: max(1, len(output["candidates"]) // 500)]:
        at = [float(measure[c["row"], c["column"]]) for measure in measures]
        assert [-np.inf if r is None else r for r in c["responses"]] == pytest.approx(at)
    for k in output["keypoints"]:
        c = output["candidates"][k["candidate"]]
        assert (c["verdict"], c["x"], c["y"], c["layer"], c["keypoint_count"]) == ("kept", k["x"], k["y"], 3, 1)


def test_text(look):
    scales = json.loads((look / "inspect.json").read_text())["scales"]
    lines = (look / "printed.txt").read_text().splitlines()
    start = next(i for i, line in enumerate(lines) if line.split()[:2] == ["scale", "sigma"])
    for line, s in zip(lines[start + 1 : start + 4], scales, strict=True):
        assert line.split() == [str(s["scale"]), f"{s['sigma']:g}", str(s["judged_count"]), str(s["below_threshold_count"]),
                                str(s.get("not_highest_count", "-")), str(s["passed_count"])]  # fmt: skip
    assert not any(line.startswith("descriptor") for line in lines) and lines[-1].startswith("page ")


def test_drawn_points(look):
    """The image of a scale has the colours of what it rejects, and of corners."""
    colours = {1: [(110, 130, 255), (185, 150, 220)], 2: [(255, 190, 40)], 3: [(255, 60, 150)]}
    drawn = {s: cv2.imread(str(look / f"scale{s}_candidates.png"))[:, :, ::-1].reshape(-1, 3) for s in colours}
    scales = json.loads((look / "inspect.json").read_text())["scales"]
    for scale in colours:
        for other, others in colours.items():
            for colour in others:
                seen = (drawn[scale] == colour).all(axis=1).any()
                assert seen == (scale == other and scales[other - 1]["below_threshold_count"] > 0), (scale, colour)
        assert (drawn[scale] == (0, 220, 130)).all(axis=1).any()


def test_described_corners(octavo, look):
    image = look.parent / "a.png"
    options = ["--detector", "foagdd", "--describe", "--max-features", 40]
    octavo("inspect", image, "-o", "described", *options, "--point", "300,200")
    octavo("extract", image, "-o", ".", "--format", "npz", *options)
    output = json.loads((octavo.folder / "described/inspect.json").read_text())
    archive = np.load(octavo.folder / "a.png.npz")
    assert {"descriptor.png", "octave0_blur0.png"} <= set(output["files"])
    distance = np.hypot(*(archive["keypoints"][:, :2] - [300, 200]).T)
    point = output["point"]
    assert distance[point["keypoint"]] == distance.min()
    assert point["descriptor"] == archive["descriptors"][point["keypoint"]].tolist()
    assert sum(c["verdict"] == "over budget" for c in output["candidates"]) > 0
    # Files of an earlier run with another detector do not stay.
    octavo("inspect", image, "-o", "described", "--max-octaves", 1)
    assert not list((octavo.folder / "described").glob("scale*"))


def test_refusals(octavo, look):
    image = look.parent / "a.png"
    for options, reason in (
        (["--packed"], "--packed has no effect with --detector foagdd"),
        (["--point", "3,4"], "--point has no effect with --detector foagdd without --describe"),
        (["--layers", 3], "--layers has no effect with --detector foagdd"),
        (["--preset", "colmap"], "--preset has no effect with --detector foagdd"),
    ):
        for estimate in ([], ["--estimate"]):
            place = [] if estimate else ["-o", "out"]
            assert reason in octavo.error(2, "inspect", image, *place, "--detector", "foagdd", *options, *estimate)
    assert "--window" in octavo.error(2, "inspect", image, "-o", "out", "--window", 5)
    assert not (octavo.folder / "out").exists()


def test_page(page, look):
    scales = page.inspection["scales"]
    headings = [h.text for h in page.all("#sheet h2")]
    assert [h.split()[:2] for h in headings] == [["scale", "1"], ["scale", "2"], ["scale", "3"]]
    assert not page.one('[data-tab="descriptor"]').is_displayed()
    page.one('[data-tab="kernels"]').click()
    filters = page.all("#kernels img")
    assert [image.get_attribute("title") for image in filters] == [f"direction {d}" for d in range(8)] * 3
    assert all(image.get_property("naturalWidth") == 186 for image in filters)
    page.look_at("scale 2 · measure")
    page.one("#fit").click()
    kept = next(c for c in page.inspection["candidates"] if c["verdict"] == "kept")
    output = page.hover(*place_of(page, kept["column"] // 2, kept["row"] // 2, 2, WIDTH, HEIGHT))
    row, column = int(output["row"]), int(output["column"])
    square = floats(look, "scale2_measure")[2 * row : 2 * row + 2, 2 * column : 2 * column + 2]
    assert abs(float(output["value"]) - square.max()) <= float(output["accuracy"]) * 1.01
    assert "greatest of pixels" in page.one("#status").text

    # "This scale" shows what the scale rejects; the tooltip names the responses.
    page.show_every_candidate()
    assert (
        page.candidates()
        == sum(c["layer"] == 2 for c in page.inspection["candidates"])
        == scales[1]["below_threshold_count"]
    )
    Select(page.one("#octaves")).select_by_visible_text("scale 3")
    assert page.candidates() == scales[2]["below_threshold_count"] + scales[2]["passed_count"]
    page.hover(*place_of(page, kept["column"] / 2 - 0.25, kept["row"] / 2 - 0.25, 2, WIDTH, HEIGHT))
    lines = page.one("#tooltip").text.splitlines()
    assert lines[0] == "kept" and f"{kept['responses'][0]:.3f}" in lines[1] and "to be kept above 8.4" in lines[4]

    page.one('[data-tab="counts"]').click()
    row = page.one("#counts table tbody tr").text.split()
    assert [int(cell.replace(",", "")) for cell in row[2:6]] == [
        scales[0][key] for key in ("judged_count", "below_threshold_count", "not_highest_count", "passed_count")]  # fmt: skip


def test_keys_flip_through_the_stages(page):
    body = page.one("#canvas")
    for key, title in (("\ue014", "scale 1 · derivative 0"), ("\ue014", "scale 1 · derivative 1"), ("\ue015", "scale 2 · derivative 1"),
                       ("d", "scale 2 · measure"), ("\ue013", "scale 1 · measure"), ("\ue012", "scale 1 · derivative 7")):  # fmt: skip
        body.send_keys(key)
        page.wait(lambda: page.dataset("#canvas")["image"] == title)
