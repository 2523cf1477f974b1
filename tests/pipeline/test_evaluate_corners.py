"""octavo evaluate corners: labelled chessboards, corners of other programs, and what is refused. The numbers are compared
with a computation in NumPy."""

import base64
import json
import re

import cv2
import numpy as np
import pytest
from PIL import Image

from report_page import ReportPage

SQUARE = 20


@pytest.fixture
def boards(octavo):
    """Two chessboards with their inner corners, which lie between four pixels; one label of the second is wrong."""
    folder = octavo.folder / "boards" / "deep"
    folder.mkdir(parents=True)
    truth = {}
    for name, (columns, rows) in {"small.png": (5, 4), "deep/large.png": (7, 6)}.items():
        y, x = np.mgrid[: rows * SQUARE, : columns * SQUARE]
        Image.fromarray(((x // SQUARE + y // SQUARE) % 2 * 255).astype(np.uint8)).save(octavo.folder / "boards" / name)
        truth[name] = np.array(
            [(i * SQUARE - 0.5, j * SQUARE - 0.5) for j in range(1, rows) for i in range(1, columns)]
        )
    truth["deep/large.png"] = np.vstack([truth["deep/large.png"], [[SQUARE * 1.5, SQUARE * 1.5]]])
    for name, corners in truth.items():
        lines = ["# x y", *(f"{x} {y}" for x, y in corners)]
        (octavo.folder / "boards" / name).with_suffix(".corners.txt").write_text("\n".join(lines) + "\n")
    return truth


def scores_of(truth, points, tolerance):
    """Greedy one-to-one matches of the nearest pairs, and the numbers that follow."""
    points = np.unique(points, axis=0)
    distance = np.linalg.norm(truth[:, None] - points[None], axis=2) if len(points) else np.zeros((len(truth), 0))
    errors = []
    while distance.size and distance.min() <= tolerance:
        i, j = np.unravel_index(distance.argmin(), distance.shape)
        errors.append(distance[i, j])
        distance[i], distance[:, j] = np.inf, np.inf
    return {
        "labelled": len(truth),
        "detected": len(points),
        "matched": len(errors),
        "squared": float(np.square(errors).sum()),
    }


def check(scores, expected):
    assert [scores[f"{key}_count"] for key in ("labelled", "detected", "matched")] == [
        expected[key] for key in ("labelled", "detected", "matched")
    ]
    assert (
        scores["missed_count"] == expected["labelled"] - expected["matched"]
        and scores["false_count"] == expected["detected"] - expected["matched"]
    )
    assert scores["precision"] == (expected["matched"] / expected["detected"] if expected["detected"] else None)
    assert scores["recall"] == expected["matched"] / expected["labelled"]
    error = (expected["squared"] / expected["matched"]) ** 0.5 if expected["matched"] else None
    assert scores["localisation_error"] == (error if error is None else pytest.approx(error))


@pytest.mark.parametrize("options", [["--detector", "foagdd"], [], ["--detector", "foagdd", "--tolerance", 0.6]])
def test_numbers(octavo, boards, options):
    report = json.loads(octavo("evaluate", "corners", "boards", "--json", *options))
    assert report["problems"] == [] and report["tolerance"] == (0.6 if "--tolerance" in options else 4)
    (configuration,) = report["configurations"]
    assert [image["image"] for image in configuration["images"]] == ["deep/large.png", "small.png"]
    detector = [option for option in options if option not in ("--tolerance", 0.6)]
    total = dict.fromkeys(("labelled", "detected", "matched", "squared"), 0)
    for image in configuration["images"]:
        found = json.loads(octavo("extract", f"boards/{image['image']}", "--json", *detector))["keypoints"]
        points = np.array([(k["x"], k["y"]) for k in found]).reshape(-1, 2)
        expected = scores_of(boards[image["image"]], points, report["tolerance"])
        check(image, expected)
        total = {key: total[key] + expected[key] for key in total}
    check(configuration["summary"], total)
    if options == ["--detector", "foagdd"]:  # every corner of the boards, and not the wrong label
        assert configuration["summary"]["missed_count"] == 1 and configuration["summary"]["localisation_error"] < 1.5


def test_corners_of_other_programs(octavo, boards):
    for name, corners in boards.items():
        file = octavo.folder / "harris" / f"{name}.npz"
        file.parent.mkdir(parents=True, exist_ok=True)
        moved = corners[:-1] + [1, 0]
        np.savez(file, keypoints=moved.astype(np.float32), descriptors=np.zeros((len(moved), 128), np.uint8))
    output = octavo(
        "evaluate", "corners", "boards", "--detector", "foagdd", "--features", "harris=harris", "--per-image"
    )
    rows = [line.split() for line in output.splitlines()]
    labelled = sum(map(len, boards.values()))
    assert rows[0][:3] == ["configuration", "labelled", "detected"] and rows[1][0] == "octavo"
    assert rows[2] == ["harris", str(labelled), str(labelled - 2), str(labelled - 2), "2", "0", "100.00",
                       f"{100 * (labelled - 2) / labelled:.2f}", "1.000"]  # fmt: skip
    expected = [
        [name, configuration] for name in ("deep/large.png", "small.png") for configuration in ("octavo", "harris")
    ]
    assert [row[:2] for row in rows[5:]] == expected


def test_problems(octavo, boards):
    folder = octavo.folder / "boards"
    (folder / "alone.corners.txt").write_text("1 2\n")
    error = octavo.error(1, "evaluate", "corners", "boards", "--detector", "foagdd")
    assert "alone.corners.txt' lies beside 0 images of its name, but must lie beside one" in error
    (folder / "alone.corners.txt").unlink()
    (folder / "small.corners.txt").write_text("1 2\n3 x\n")
    assert "line 2: 'x' is not a number" in octavo.error(1, "evaluate", "corners", "boards", "--detector", "foagdd")
    (folder / "small.corners.txt").write_text("1 2\n300 4\n")
    assert "corner 2 (300, 4) lies outside of the image of 100x80" in octavo.error(1, "evaluate", "corners", "boards")
    (octavo.folder / "empty").mkdir()
    assert "holds no file NAME.corners.txt beside an image NAME" in octavo.error(1, "evaluate", "corners", "empty")
    assert "--tolerance is 0, but must be between 0.001 and 1000" in octavo.error(
        2, "evaluate", "corners", "boards", "--tolerance", 0
    )


def test_page(octavo, boards, chromium):
    for name, corners in boards.items():
        file = octavo.folder / "harris" / f"{name}.npz"
        file.parent.mkdir(parents=True, exist_ok=True)
        moved = np.vstack([corners[1:] + [1, 0], [[3, 3]]])  # a corner is missed, and one is false
        np.savez(file, keypoints=moved.astype(np.float32), descriptors=np.zeros((len(moved), 128), np.uint8))
    output = octavo(
        "evaluate", "corners", "boards", "--detector", "foagdd", "--features", "harris=harris", "-o", "page.html"
    )
    assert output.splitlines()[-1] == "page  page.html"
    page = ReportPage(chromium, octavo.folder / "page.html")
    report = json.loads(
        octavo("evaluate", "corners", "boards", "--detector", "foagdd", "--features", "harris=harris", "--json")
    )
    assert page.json | {"date": ""} == report | {"date": ""}
    names = ["deep/large.png", "small.png"]
    assert [(c["subject"], c["plot"]) for c in page.charts()] == [
        ("images", plot) for plot in ("precision_recall", "precision", "recall", "localisation_error")]  # fmt: skip
    for plot in ("precision", "recall", "localisation_error"):
        factor = 1 if plot == "localisation_error" else 100
        for line, configuration in zip(page.chart(plot, "images")["lines"], report["configurations"], strict=True):
            assert line["label"] == configuration["name"]
            assert line["points"] == [
                [pytest.approx(factor * p[plot]), i] for i, p in enumerate(configuration["images"])
            ]
    rows = page.cells("#images table")
    assert [row[:2] for row in rows[1:]] == [
        [name, configuration] for name in names for configuration in ("octavo", "harris")
    ]
    summary = dict(zip(page.cells("#overview table")[0], page.cells("#overview table")[2]))
    harris = report["configurations"][1]["summary"]
    assert summary["configuration"] == "harris" and summary["recall"].strip("★ ") == f"{100 * harris['recall']:.2f}"
    captions = [c.text for c in page.all("#corners figcaption")]
    assert len(captions) == 4
    for caption, (name, configuration) in zip(captions, [(n, s) for n in (0, 1) for s in (0, 1)], strict=True):
        scores = report["configurations"][configuration]["images"][name]
        assert caption.startswith(names[name])
        assert caption.endswith(
            f"{scores['matched_count']} found, {scores['missed_count']} missed, {scores['false_count']} false"
        )
    assert page.width_on_a_phone() <= 390

    # The false corner of harris in small.png, at (3, 3), is a magenta cross; its missed corner is an orange square.
    jpeg = page.all("#corners img")[3].get_attribute("src")
    image = cv2.imdecode(np.frombuffer(base64.b64decode(re.sub("^.*,", "", jpeg)), np.uint8), cv2.IMREAD_COLOR)[
        :, :, ::-1
    ].astype(int)
    zoom = image.shape[1] // 100
    assert zoom == 8

    def around(x, y):
        column, row = round((x + 0.5) * zoom - 0.5), round((y + 0.5) * zoom - 0.5)
        return image[max(0, row - 7) : row + 8, max(0, column - 7) : column + 8].reshape(-1, 3)

    red, green, blue = around(3, 3).T
    assert ((red - green > 60) & (blue - green > 60)).any() and not (green - red > 60).any()
    red, green, blue = around(*boards["small.png"][0]).T
    assert ((red - blue > 90) & (green > blue) & (red > green)).any()
    red, green, blue = around(*boards["small.png"][4]).T
    assert (green - red > 60).any()


def test_page_is_not_written_over_an_image(octavo, boards):
    before = (octavo.folder / "boards/small.png").read_bytes()
    assert "small.png" in octavo.error(2, "evaluate", "corners", "boards", "-o", "boards/small.png")
    assert (octavo.folder / "boards/small.png").read_bytes() == before
