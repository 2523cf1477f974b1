"""Videos of more than 8 bits that use few of them: a clip has one range, and gives what the same clip in its full range gives."""

import json
import subprocess

import cv2
import numpy as np
import pytest

pytestmark = pytest.mark.usefixtures("ffmpeg")

SIDES = 320, 240


@pytest.fixture
def scene(texture):
    """Frames of 10 bits: 4 seconds of a view that moves over a texture, and gets darker. uint16."""
    ground = np.block([[texture(seed=10 * y + x) for x in range(4)] for y in range(3)]) / 255
    width, height = SIDES
    views = [ground[2 * i : 2 * i + height, 5 * i : 5 * i + width] * (1 - 0.01 * i) for i in range(40)]
    return np.rint(1000 * np.array(views)).astype("<u2")


@pytest.fixture
def film(tmp_path):
    """Makes a clip of uint16 frames at 10 a second."""

    def make(name, frames, *options):
        source = ["-f", "rawvideo", "-pix_fmt", "gray16le", "-s", f"{SIDES[0]}x{SIDES[1]}", "-r", 10, "-i", "-"]
        command = ["ffmpeg", "-v", "error", "-y", *source, *options, tmp_path / name]
        subprocess.run(list(map(str, command)), input=frames.tobytes(), check=True, timeout=60)
        return name

    return make


FORMS = {
    "ffv1.mkv": ["-c:v", "ffv1"],
    "png.mkv": ["-c:v", "png", "-pix_fmt", "gray16be"],
    "rgb.mkv": ["-c:v", "png", "-pix_fmt", "rgb48be"],
}


@pytest.mark.parametrize("name", FORMS)
def test_frames_are_those_of_the_full_range(octavo, scene, film, tmp_path, name):
    dim = film(name, scene, *FORMS[name])
    bright = film("bright.mkv", np.rint(scene * (65535 / 1023)).astype("<u2"), "-c:v", "ffv1")
    shown = {}
    for clip in (dim, bright):
        found = json.loads(octavo("video", "frames", "--json", "--grey", "-o", "frames", clip))
        assert found.get("white") == (1023 if clip == dim else None)
        assert found["warnings"] == []
        shown[clip] = np.array(
            [cv2.imread(str(tmp_path / frame["file"]), cv2.IMREAD_UNCHANGED) for frame in found["frames"]]
        )
    assert len(shown[dim]) == 8 and np.ptp(shown[dim][0]) > 150
    assert np.abs(shown[dim].astype(int) - shown[bright]).max() <= 1
    assert shown[dim][-1].max() < 0.75 * shown[dim][0].max()  # one range: it gets darker
    coloured = json.loads(octavo("video", "frames", "--json", "-o", "colours", dim))["frames"][0]["file"]
    assert np.abs(cv2.imread(str(tmp_path / coloured)).astype(int) - shown[dim][0][..., None]).max() <= 1


@pytest.mark.slow
def test_dim_clips_have_keypoints_and_signatures(octavo, scene, film):
    dim = film("dim.mkv", scene, "-c:v", "ffv1")
    film(
        "usual.mp4", np.rint(scene * (65535 / 1023)).astype("<u2"), "-pix_fmt", "yuv420p", "-c:v", "libx264", "-crf", 20
    )
    frames = json.loads(octavo("extract", dim, "--json"))
    assert min(len(frame["keypoints"]) for frame in frames) > 20
    given = json.loads(octavo("extract", dim, "--json", "--black", 0, "--white", 1023))
    assert [frame["keypoints"] for frame in given] == [frame["keypoints"] for frame in frames]
    (segment,) = json.loads(octavo("video", "compare", "--json", dim, "usual.mp4"))["segments"]
    assert segment["out_a"] - segment["in_a"] > 3
    octavo("video", "index", dim, "--index", "archive")
    (found,) = json.loads(octavo("video", "search", "--json", "usual.mp4", "--index", "archive"))["found_clips"]
    assert found["segments"]


def test_the_range_is_an_option(octavo, scene, film):
    dim = film("dim.mkv", scene, "-c:v", "ffv1")
    done = octavo.call("extract", dim, "--range", "full")
    assert done.returncode == 0
    assert "dim.mkv: no keypoints in any frame; in the first: it has little contrast" in done.stderr
    for flag in ("frames", "compare usual.mkv", "affinity --data a.npz", "takes", "keypoints -o a.mp4"):
        command, *more = flag.split()
        assert "--white is 0, but must be above --black, 5" in octavo.error(
            2, "video", command, dim, *more, "--black", 5
        )
    assert "has no effect with --index" in octavo.error(2, "video", "takes", "--index", "archive", "--white", 5)
    assert "unknown option '--range'" in octavo.error(2, "video", "index", dim, "--index", "archive", "--range", "full")
