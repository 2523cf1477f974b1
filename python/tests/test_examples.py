"""The programs of docs/examples/python, as docs/python.md quotes them, and the API reference."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import octavo

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples" / "python"


def run(example, *arguments):
    done = subprocess.run([sys.executable, EXAMPLES / example, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def opencv():
    return pytest.importorskip("cv2", reason="lacks opencv-python-headless")


def test_match_photographs(tmp_path, photograph, opencv):
    told = run("match_photographs.py", photograph("graf1.png"), photograph("graf3.png"), tmp_path / "matches.jpg")
    assert int(told.split(" matches, ")[1].split()[0]) > 200
    assert opencv.imread(str(tmp_path / "matches.jpg")).shape == (640, 1600, 3)


def test_panorama(tmp_path, photograph, opencv):
    told = run("panorama.py", photograph("graf1.png"), photograph("graf3.png"), tmp_path / "panorama.jpg")
    assert int(told.split()[0]) > 100
    assert min(opencv.imread(str(tmp_path / "panorama.jpg")).shape[:2]) >= 640


def test_video_keypoints(tmp_path, photograph, opencv):
    told = run("video_keypoints.py", photograph("vtest.avi"), tmp_path / "keypoints.jpg")
    assert len(told.splitlines()) == 23
    assert (tmp_path / "keypoints.jpg").stat().st_size > 10_000


def test_score_photographs(photograph, opencv):
    told = run("score_photographs.py", photograph("graf1.png"), photograph("graf3.png"), photograph("H1to3p.xml"))
    assert "'low contrast'" in told and "the finest differences lie between -0." in told
    assert int(told.splitlines()[-1].split()[0]) > 200


def test_beside_pytorch():
    pytest.importorskip("torch", reason="lacks PyTorch")
    if not any(device.kind == "cuda" for device in octavo.devices()):
        pytest.skip("lacks a GPU with CUDA")
    assert "matches" in run("beside_pytorch.py")


def test_reference_is_that_of_the_docstrings(tmp_path):
    """docs/python-reference.md is written by python/documentation/make_reference.py."""
    root = EXAMPLES.parents[2]
    if not (root / "python" / "documentation" / "make_reference.py").exists():
        pytest.skip("lacks the checkout around the tests")
    if int(np.__version__.split(".")[0]) < 2:
        pytest.skip("lacks NumPy 2, which the page was written with")
    made = subprocess.run(
        [sys.executable, root / "python" / "documentation" / "make_reference.py"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert made.stdout == (root / "docs" / "python-reference.md").read_text(), (
        "run python/documentation/make_reference.py --write"
    )
