"""Programs as OpenCV's tutorials have them do the same with one line changed: `from octavo import cv2`."""

import importlib
from pathlib import Path

import numpy as np
import pytest

cv2 = pytest.importorskip("cv2", reason="lacks opencv-python-headless")

PROGRAMS = Path(__file__).with_name("opencv_programs")

NEAR = {
    "affine": {"inliers": 0.2, "centre": 1.0},
    "bag_of_words": {},
    "batches": {},
    "epipolar": {"inliers": 0.2, "slope": 0.02},
    "flann": {"good": 0.2},
    "given_points": {},
    "homography": {"inliers": 0.2, "outline": 3.0},
    "stitching": {"size": 3.0},
    "tracking": {"centre": 1.0},
}
"""How far the results may lie apart: counts relatively, places in pixels. All other results are equal."""


def results(program, module, data):
    names = {"__name__": program}
    text = (PROGRAMS / f"{program}.py").read_text()
    line = "\nimport cv2\n"
    assert text.count(line) == 1
    exec(compile(text.replace(line, f"\nimport {module} as cv2\n"), program, "exec"), names)
    return names["main"](data)


@pytest.mark.parametrize("program", sorted(NEAR))
def test_a_program_works_by_changing_one_line(program, photograph):
    data = photograph("box.png").parent
    if program == "bag_of_words" and not hasattr(cv2, "BOWKMeansTrainer"):
        pytest.skip(f"lacks cv2.BOWKMeansTrainer, which OpenCV {cv2.__version__} has not")
    theirs, ours = (results(program, module, data) for module in ("cv2", "octavo.cv2"))
    assert ours.keys() == theirs.keys()
    for name, value in theirs.items():
        if name not in NEAR[program]:
            assert ours[name] == value, name
        elif isinstance(value, int):
            assert abs(ours[name] - value) <= NEAR[program][name] * value, name
        else:
            assert np.allclose(ours[name], value, atol=NEAR[program][name]), name


def test_every_program_has_its_line():
    assert {one.stem for one in PROGRAMS.glob("*.py")} == NEAR.keys()


@pytest.mark.parametrize(
    "name",
    ["AffineFeature", "BFMatcher", "BOWImgDescriptorExtractor", "DescriptorMatcher", "FlannBasedMatcher", "SIFT"],
)
def test_classes_have_all_methods_of_opencv(name):
    if not hasattr(cv2, name):
        pytest.skip(f"lacks cv2.{name}, which OpenCV {cv2.__version__} has not")
    ours = getattr(importlib.import_module("octavo.cv2"), name)
    assert [one for one in dir(getattr(cv2, name)) if not one.startswith("_") and not hasattr(ours, one)] == []
