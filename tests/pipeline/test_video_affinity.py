"""octavo video affinity: the affinity matrix of two clips, as a picture and as data."""

import subprocess

import numpy as np
import pytest
from PIL import Image

pytestmark = pytest.mark.usefixtures("ffmpeg")


@pytest.fixture(scope="session")
def clips(photograph, tmp_path_factory):
    """Six seconds of a film with cuts, and its seconds 2 to 6."""
    folder = tmp_path_factory.mktemp("clips")
    for name, begin in (("whole.avi", 3), ("part.avi", 5)):
        command = ["ffmpeg", "-v", "error", "-ss", str(begin), "-to", "9", "-i", photograph("Megamind.avi"), "-an"]
        subprocess.run([*command, "-vf", "scale=480:-2", "-c:v", "mpeg4", "-q:v", "4", folder / name], check=True, timeout=60)
    return folder


@pytest.mark.parametrize("measure", ["matches", "vlad"])
def test_a_copy_is_a_diagonal(octavo, clips, measure):
    octavo("video", "affinity", clips / "part.avi", clips / "whole.avi", "-o", "a.png", "--data", "a.npz", "--measure", measure)
    with np.load(octavo.folder / "a.npz") as data:
        affinity, part, whole, segments = (data[name] for name in ("affinity", "a_seconds", "b_seconds", "segments"))
    assert affinity.dtype == np.float32 and affinity.shape == (len(part), len(whole)) == (8, 12)
    assert part == pytest.approx(np.arange(8) / 2, abs=0.05) and whole == pytest.approx(np.arange(12) / 2, abs=0.05)
    assert np.abs(affinity.argmax(axis=1) - np.arange(4, 12)).max() <= 1
    assert segments == pytest.approx(np.array([[0, 4, 2, 6, 0]]), abs=0.15)
    assert Image.open(octavo.folder / "a.png").mode == "RGB"


def test_a_clip_with_itself_without_segments(octavo, clips):
    octavo("video", "affinity", clips / "part.avi", "--data", "a.npz", "--no-segments", "--fps", "3")
    with np.load(octavo.folder / "a.npz") as data:
        assert data["affinity"].shape == (12, 12) and data["segments"].shape == (0, 5)
        assert (data["affinity"].argmax(axis=1) == np.arange(12)).all()


def test_wrong_calls(octavo, clips):
    for arguments, code in (
        ([clips / "part.avi"], 2),
        ([clips / "part.avi", "-o", "a.txt"], 2),
        ([clips / "part.avi", "--data", "a.png"], 2),
        (["-", "-o", "a.png"], 2),
        ([clips / "part.avi", "-o", clips / "part.avi"], 2),
        (["none.avi", "-o", "a.png"], 1),
        ([clips / "part.avi", "-o", "none/a.png"], 1),
    ):
        done = octavo.call("video", "affinity", *arguments)
        assert done.returncode == code and done.stderr.startswith("octavo: "), arguments
    assert not list(octavo.folder.iterdir())
