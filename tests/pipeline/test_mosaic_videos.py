"""octavo mosaic of videos: frames are taken by their overlap, and the mosaic is as large as what the camera saw."""

import json
import subprocess

import cv2
import numpy as np
import pytest

from test_mosaic import scene

pytestmark = pytest.mark.usefixtures("ffmpeg")

# Graph cuts take most of the time, and the seams are not looked at.
QUICK = ["--max-features", 800, "-o", "pan.png", "--no-seams"]
SIZE = (320, 240)


def film(file, views, rate=25):
    """A video of these images."""
    command = ["ffmpeg", "-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", "bgr24", "-s", f"{SIZE[0]}x{SIZE[1]}"]
    command += ["-r", str(rate), "-i", "-", "-c:v", "libx264", "-crf", "12", "-pix_fmt", "yuv420p", file]
    subprocess.run(command, input=b"".join(view.tobytes() for view in views), check=True, timeout=60)


def view(whole, x, y=0):
    return np.ascontiguousarray(whole[y : y + SIZE[1], x : x + SIZE[0]])


def mosaic(octavo, *arguments):
    return json.loads(octavo("mosaic", *arguments, "--json", *QUICK))


def seconds_of(plan, status="placed"):
    names = [image["image"] for image in plan["images"] if image["status"] == status]
    assert all(name.startswith("pan.mp4 at ") and name.endswith(" s") for name in names)
    return [float(name.split()[2]) for name in names]


@pytest.mark.slow
def test_a_pan_of_any_speed(octavo):
    """The camera stands, moves slowly, fast, and back. Every fourth frame is blurred by its motion."""
    whole = scene(1000, SIZE[1])
    places = [0] * 6 + list(range(0, 240, 6)) + list(range(240, 680, 11)) + [680] * 6 + list(range(680, 500, -15))
    views = [view(whole, x) for x in places]
    for i in range(0, len(views), 4):
        views[i] = cv2.blur(views[i], (15, 1))
    film(octavo.folder / "pan.mp4", views)
    plan = mosaic(octavo, "pan.mp4")
    canvas = plan["canvas"]
    assert canvas["width"] == pytest.approx(1000, rel=0.01) and canvas["height"] == pytest.approx(SIZE[1], rel=0.01)
    times = seconds_of(plan)
    assert 4 <= len(times) <= len(plan["images"]) <= 8 < len(views) / 10
    assert all(round(25 * time) % 4 != 0 for time in times)
    drawn = cv2.imread(str(octavo.folder / "pan.png"))
    left = plan["canvas"]["width"] - 1000
    assert abs(left) <= 10
    inner = np.s_[20:220, 20:960]
    assert np.abs(drawn[inner].astype(int) - whole[inner]).mean() < 6


@pytest.mark.slow
def test_rows_of_a_camera(octavo):
    whole = scene(700, 420)
    places = [(x, 0) for x in range(0, 380, 6)] + [(380, y) for y in range(0, 180, 6)]
    places += [(x, 180) for x in range(380, -1, -6)]
    film(octavo.folder / "pan.mp4", [view(whole, *place) for place in places])
    plan = mosaic(octavo, "pan.mp4")
    assert plan["canvas"]["width"] == pytest.approx(700, rel=0.01)
    assert plan["canvas"]["height"] == pytest.approx(420, rel=0.01)
    assert len(plan["images"]) <= 14


@pytest.mark.slow
def test_a_cut_begins_another_panorama(octavo):
    one, other = scene(700, SIZE[1]), scene(500, SIZE[1], 2)
    views = [view(one, x) for x in range(0, 380, 5)]
    views += [np.zeros((*SIZE[::-1], 3), np.uint8)] * 5 + [view(other, x) for x in range(0, 180, 5)]
    film(octavo.folder / "pan.mp4", views)
    plan = mosaic(octavo, "pan.mp4")
    cut = 76 / 25
    assert plan["canvas"]["width"] == pytest.approx(700, rel=0.01)
    assert all(time < cut for time in seconds_of(plan))
    others = seconds_of(plan, "second_panorama")
    assert len(others) >= 2 and all(time > cut for time in others)


def test_a_video_and_images(octavo):
    whole = scene(900, SIZE[1])
    film(octavo.folder / "pan.mp4", [view(whole, x) for x in range(0, 300, 5)])
    cv2.imwrite(str(octavo.folder / "right.png"), whole[:, 480:])
    plan = mosaic(octavo, "right.png", "pan.mp4")
    assert plan["canvas"]["width"] == pytest.approx(900, rel=0.01)
    assert plan["images"][0]["image"] == "right.png" and len(plan["images"]) > 2


def test_a_camera_that_stands_still(octavo):
    film(octavo.folder / "still.mp4", [view(scene(400, SIZE[1]), 0)] * 20)
    error = octavo.error(1, "mosaic", "still.mp4", *QUICK)
    assert error == "octavo: a mosaic needs at least 2 images, but the videos show one view alone\n"


def test_videos_that_cannot_be_read(octavo, monkeypatch):
    whole = scene(700, SIZE[1])
    film(octavo.folder / "pan.mp4", [view(whole, x) for x in range(0, 380, 5)])
    (octavo.folder / "bad.mp4").write_bytes(b"no video")
    done = octavo.call("mosaic", "bad.mp4", "pan.mp4", "--json", *QUICK)
    plan = json.loads(done.stdout)
    assert done.returncode == 1 and "bad.mp4" in done.stderr and plan["found"]
    assert len(plan["problems"]) == 1 and "bad.mp4" in plan["problems"][0]
    monkeypatch.setenv("OCTAVO_DECODER", "/no/decoder")
    done = octavo.call("mosaic", "pan.mp4", *QUICK)
    assert done.returncode == 1 and "/no/decoder" in done.stderr.splitlines()[0]
