"""octavo video affinity: the affinity matrix of two clips, as an image and as data."""

import json
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
        subprocess.run(
            [*command, "-vf", "scale=480:-2", "-c:v", "mpeg4", "-q:v", "4", folder / name], check=True, timeout=60
        )
    return folder


@pytest.mark.parametrize("measure", ["matches", "vlad"])
def test_a_copy_is_a_diagonal(octavo, clips, measure):
    octavo(
        "video",
        "affinity",
        clips / "part.avi",
        clips / "whole.avi",
        "-o",
        "a.png",
        "--data",
        "a.npz",
        "--measure",
        measure,
    )
    with np.load(octavo.folder / "a.npz") as data:
        affinity, part, whole, segments = (data[name] for name in ("affinity", "seconds_a", "seconds_b", "segments"))
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


def test_scenes_that_show_the_same_are_blocks(octavo, photograph):
    """A street, a room, and the street again."""
    parts = [("vtest.avi", 20, 4), ("Megamind.avi", 0.2, 3.4), ("vtest.avi", 40, 3)]
    inputs = [
        word
        for name, begin, seconds in parts
        for word in ("-ss", str(begin), "-t", str(seconds), "-i", photograph(name))
    ]
    shown = ";".join(f"[{i}:v]fps=10,scale=320:240,setsar=1[p{i}]" for i in range(3)) + ";[p0][p1][p2]concat=n=3"
    command = [
        "ffmpeg",
        "-v",
        "error",
        *inputs,
        "-filter_complex",
        shown,
        "-c:v",
        "mpeg4",
        "-q:v",
        "4",
        octavo.folder / "film.avi",
    ]
    subprocess.run(command, check=True, timeout=60)
    found = json.loads(
        octavo("video", "affinity", "film.avi", "--json", "--data", "a.npz", "--no-segments", "--device", "cpu")
    )
    assert (
        found["clip_a"] == found["clip_b"] == "film.avi" and found["measure"] == "matches" and found["segments"] == []
    )
    spans = [[block[end] for end in ("in_a", "out_a", "in_b", "out_b")] for block in found["blocks"]]
    for wanted in ([0, 4, 0, 4], [0, 4, 7.4, 10.4], [7.4, 10.4, 0, 4], [7.4, 10.4, 7.4, 10.4]):
        assert any(span == pytest.approx(wanted, abs=0.6) for span in spans), (wanted, spans)
    assert not any(span[0] < 3 and 3 < span[2] < 7 for span in spans), "the street and the room"
    with np.load(octavo.folder / "a.npz") as data:
        assert data["blocks"][:, :4] == pytest.approx(np.array(spans))


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
