"""octavo sfm of videos: a walk through a room whose poses are known, and clips that give no model."""

import itertools
import json
import re
import shutil
import sqlite3
import subprocess

import cv2
import numpy as np
import pytest

import rendered_room
from test_sfm import poses_of

pytestmark = [
    pytest.mark.usefixtures("ffmpeg"),
    pytest.mark.skipif(shutil.which("colmap") is None, reason="lacks colmap, of Debian's package colmap"),
]
STEP = 1 / 18  # of the walk from a view of the room to the next, in a frame
STILL = 12  # frames at the beginning


def film(file, frames, rate=25):
    height, width = frames[0].shape
    command = ["ffmpeg", "-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", "gray", "-s", f"{width}x{height}"]
    command += ["-r", str(rate), "-i", "-", "-c:v", "libx264", "-crf", "14", "-pix_fmt", "yuv420p", file]
    subprocess.run(command, input=b"".join(frame.tobytes() for frame in frames), check=True, timeout=60)


@pytest.fixture(scope="module")
def walk(photograph, tmp_path_factory):
    """A camera stands, then walks along the views of the room. Every third frame is blurred."""
    walls = [
        cv2.imread(str(photograph(name)), cv2.IMREAD_GRAYSCALE) for name in ("graf1.png", "building.jpg", "home.jpg")
    ]
    frames = [rendered_room.view(max(0, index - STILL) * STEP, walls) for index in range(STILL + 90)]
    frames = [cv2.blur(frame, (9, 1)) if index % 3 == 0 else frame for index, frame in enumerate(frames)]
    file = tmp_path_factory.mktemp("walk") / "walk.mp4"
    film(file, frames)
    return file


def seconds_of(name):
    return float(re.fullmatch(r"frame-(\d{5}\.\d{3})s\.jpg", name)[1])


def frames_of(model):
    return sorted(path.name for path in (model / "images").glob("*.jpg"))


@pytest.mark.slow
def test_a_walk_becomes_a_model(octavo, walk):
    call = ("sfm", walk, "-o", "model", "--json")
    report = json.loads(octavo(*call))
    model = octavo.folder / "model"
    names = [image["image"] for image in report["images"]]
    assert names == frames_of(model) and 4 <= len(names) <= 20
    assert report["folder"] == str(model / "images")
    assert report["registered_image_count"] == len(names)
    indices = [round(25 * seconds_of(name)) for name in names]
    assert all(index % 3 for index in indices)
    assert len([index for index in indices if index < STILL]) == 1
    assert cv2.imread(str(model / "images" / names[0])).shape == (*rendered_room.SIZE[::-1], 3)
    found = dict(poses_of(model / "sparse" / "0"))
    for a, b in zip(names, names[1:], strict=False):
        true = [rendered_room.pose(max(0, round(25 * seconds_of(name)) - STILL) * STEP)[0] for name in (a, b)]
        difference = found[b] @ found[a].T @ (true[1] @ true[0].T).T
        assert np.degrees(np.arccos(np.clip((np.trace(difference) - 1) / 2, -1, 1))) < 1
    tables = sqlite3.connect(model / "database.db")
    assert tables.execute("SELECT count(*) FROM cameras").fetchone() == (1,)

    # The same call takes the files that are there.
    before = {path: path.stat().st_mtime_ns for path in (model / "images").iterdir()}
    assert json.loads(octavo(*call))["images"] == report["images"]
    assert {path: path.stat().st_mtime_ns for path in (model / "images").iterdir()} == before
    assert "has not the frames of this video with these options" in octavo.error(1, *call, "--max-frames", 3)


@pytest.mark.slow
def test_options_of_the_call_hold(octavo, walk):
    done = octavo.call("sfm", walk, "-o", "model", "--max-frames", 3, "--cameras", "image", "--pairs", "sequential:1",
                       "--max-features", 900, "--json")  # fmt: skip
    report = json.loads(done.stdout)
    (warning,) = report["warnings"]
    assert re.search(r"walk\.mp4' shows \d+ views, of which 3 are taken: they overlap less", warning)
    assert warning in done.stderr
    assert len(report["images"]) == 3
    names = [image["image"] for image in report["images"]]
    assert [(pair["image_a"], pair["image_b"]) for pair in report["pairs"]] == list(itertools.pairwise(names))
    tables = sqlite3.connect(octavo.folder / "model" / "database.db")
    assert tables.execute("SELECT count(*) FROM cameras").fetchone() == (3,)


def test_videos_without_a_model(octavo, texture):
    size = (160, 120)
    film(octavo.folder / "still.mp4", [texture(*size)] * 20)
    film(octavo.folder / "blank.mp4", [np.full(size[::-1], 90, np.uint8)] * 20)
    (octavo.folder / "bad.mp4").write_bytes(b"no video")
    (octavo.folder / "empty.mp4").touch()
    for clip, words in (
        ("still.mp4", "'still.mp4' shows one view alone: a model needs a camera that moves"),
        ("blank.mp4", "'blank.mp4' shows nothing that could be matched"),
        ("bad.mp4", "bad.mp4"),
        ("empty.mp4", "empty.mp4"),
        ("absent.mp4", "there is no video 'absent.mp4'"),
    ):
        assert words in octavo.error(1, "sfm", clip, "-o", "model")
        assert not (octavo.folder / "model").exists()


@pytest.mark.slow
def test_a_folder_of_other_images_is_left_alone(octavo, walk):
    other = octavo.folder / "model" / "images" / "mine.jpg"
    other.parent.mkdir(parents=True)
    other.write_bytes(b"mine")
    assert "'model/images' is there, and has not the frames of this video" in octavo.error(
        1, "sfm", walk, "-o", "model"
    )
    assert list(other.parent.iterdir()) == [other] and other.read_bytes() == b"mine"


def test_calls_that_do_not_fit(octavo):
    (octavo.folder / "walk.mp4").touch()
    (octavo.folder / "photos").mkdir()
    assert "--max-frames has no effect without a video" in octavo.error(
        2, "sfm", "photos", "-o", "m", "--max-frames", 9
    )
    for option in (["--database", "d.db"], ["--recursive"], ["--one-range"]):
        assert f"{option[0]} has no effect with a video" in octavo.error(2, "sfm", "walk.mp4", "-o", "m", *option)
    assert "--max-frames is 1" in octavo.error(2, "sfm", "walk.mp4", "-o", "m", "--max-frames", 1)
