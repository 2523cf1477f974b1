"""Octavo's FOAGDD beside a double-precision transcription of its definition, corner by corner.

Octavo gets the same grey image as the transcription. Images in colour are compared with their grey ones. Every corner that only one of them finds is printed, with the
ratios of its measure to the threshold and to its highest neighbouring candidate."""

import csv
import json
import os
import subprocess
from collections import defaultdict
from pathlib import Path

import cv2
import pytest

DATA = Path("/usr/share/doc/opencv-doc/examples/data")
GOLDEN = Path(__file__).parent.parent / "golden/foagdd/corners.csv"
LOG10_THRESHOLD = 8.4


@pytest.fixture(scope="session")
def golden():
    candidates = defaultdict(dict)
    with GOLDEN.open() as file:
        for row in csv.DictReader(file):
            measures = [float(row[f"log10_measure_{scale}"]) for scale in (1, 2, 3)]
            candidates[row["image"]][int(row["row"]), int(row["column"])] = (measures, int(row["stands"]))
    return candidates


def corners_of(pixels, folder, *options):
    path = folder / "image.png"
    cv2.imwrite(str(path), pixels)
    program = os.environ.get("OCTAVO_PROGRAM") or pytest.fail("OCTAVO_PROGRAM does not name the program to test")
    command = [program, "extract", path, "--detector", "foagdd", "--json", *options]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return {(int(k["y"]), int(k["x"])): k["response"] for k in json.loads(done.stdout)["keypoints"]}


def colour(image):
    if not (DATA / image).exists():
        pytest.skip(f"lacks {DATA / image}, of Debian's package opencv-doc")
    return cv2.imread(str(DATA / image))


def of_octavo(image, scales, folder):
    grey = cv2.cvtColor(colour(image), cv2.COLOR_BGR2GRAY)
    return corners_of(grey, folder, "--verify-scales", str(scales))


def explanation(at, measures, others):
    """Describes a corner that one side lacks. `others` are that side's candidates with their measures."""
    rivals = [m for (row, column), m in others.items() if 0 < max(abs(row - at[0]), abs(column - at[1])) <= 2]
    to_threshold = min(abs(m - LOG10_THRESHOLD) for m in measures)
    to_rival = (
        f"{10 ** min(abs(m - measures[0]) for m in rivals):.4g} of a rival"
        if rivals
        else "with no rival that is a candidate"
    )
    return f"measure within {10**to_threshold:.4g} of the threshold, {to_rival}"


@pytest.mark.parametrize("scales", [2, 3])
def test_corners_are_those_of_the_definition(golden, scales, tmp_path):
    expected_in_all = missing_in_all = new_in_all = 0
    for image, candidates in golden.items():
        expected = {at for at, (_, stands) in candidates.items() if stands >= scales}
        found = of_octavo(image, scales, tmp_path)
        missing, new = expected - found.keys(), found.keys() - expected
        print(
            f"{image}, {scales} scales: {len(expected)} corners, {len(found)} found, {len(missing)} missing, {len(new)} new"
        )
        candidates_found = of_octavo(image, 1, tmp_path) if missing else {}
        for at in sorted(missing):
            print(f"  missing at {at}: {explanation(at, candidates[at][0][:scales], candidates_found)}")
        for at in sorted(new):
            others = {other: measures[0] for other, (measures, _) in candidates.items()}
            measures = [found[at]] if at not in candidates else candidates[at][0][:scales]
            print(f"  new at {at}: {explanation(at, measures, others)}")
        for at in expected & found.keys():
            assert found[at] == pytest.approx(candidates[at][0][0], abs=0.05)
        expected_in_all += len(expected)
        missing_in_all += len(missing)
        new_in_all += len(new)
    print(f"{scales} scales: of {expected_in_all} corners {missing_in_all} are missing, {new_in_all} are new")
    assert missing_in_all <= 0.005 * expected_in_all and new_in_all <= 0.005 * expected_in_all


def test_grey_is_that_of_the_authors_pipeline_if_it_is_rounded(tmp_path):
    """Images in colour have the corners of their grey images, but for grey that OpenCV's whole numbers round otherwise."""
    corners, differing = 0, {(): 0, ("--round-grey",): 0}
    for image in ("aero1.jpg", "board.jpg", "building.jpg", "fruits.jpg", "graf1.png", "graf3.png", "home.jpg"):
        expected = of_octavo(image, 3, tmp_path).keys()
        corners += len(expected)
        for options in differing:
            differing[options] += len(expected ^ corners_of(colour(image), tmp_path, *options).keys())
    print(f"\nof {corners} corners differ: {differing}")
    assert differing[()] > 0.02 * corners and differing["--round-grey",] < 0.002 * corners
