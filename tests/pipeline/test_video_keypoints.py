"""octavo video keypoints: the drawn video as ffprobe reads it, tracks of clips whose motion is known, and bad outputs."""

import json
import os
import signal
import subprocess
from fractions import Fraction

import cv2
import numpy as np
import pytest

pytestmark = pytest.mark.usefixtures("ffmpeg")


@pytest.fixture(autouse=True)
def work_in_the_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def image(width, height, seed=1):
    """Blobs of several sizes, as a grey image."""
    noise = np.random.default_rng(seed).random((height, width)).astype(np.float32)
    layers = [cv2.GaussianBlur(noise, (0, 0), sigma) for sigma in (2, 4, 8)]
    sum_of_layers = sum((layer - layer.mean()) / layer.std() for layer in layers)
    return np.clip(128 + 40 * sum_of_layers, 0, 255).astype(np.uint8)


def write_clip(name, frames, *arguments, rate=25):
    """Encodes the grey frames; without loss unless the arguments say otherwise."""
    height, width = frames[0].shape
    source = ["-f", "rawvideo", "-pix_fmt", "gray", "-s", f"{width}x{height}", "-r", str(rate), "-i", "-"]
    codec = arguments or ["-c:v", "ffv1", "-pix_fmt", "yuv420p"]
    command = ["ffmpeg", "-v", "error", "-y", *source, *map(str, codec), name]
    subprocess.run(command, check=True, timeout=60, input=b"".join(frame.tobytes() for frame in frames))


def shifted(count, dx, dy=0, size=(240, 160)):
    """Frames of a window that moves over an image by this many pixels a frame."""
    width, height = size
    large = image(width + count * abs(dx), height + count * abs(dy))
    return [large[i * dy : i * dy + height, i * dx : i * dx + width].copy() for i in range(count)]


def probed(file):
    """The stream and its times [s] as ffprobe reads them."""
    command = ["ffprobe", "-v", "error", "-select_streams", "v:0", "-show_entries"]
    command += [
        "stream=codec_name,width,height,time_base,duration:format=duration:frame=best_effort_timestamp",
        "-of",
        "json",
    ]
    found = json.loads(subprocess.run([*command, file], check=True, capture_output=True).stdout)
    stream = found["streams"][0]
    times = [int(frame["best_effort_timestamp"]) * Fraction(stream["time_base"]) for frame in found["frames"]]
    return stream, times, float(stream.get("duration", found["format"].get("duration", "nan")))


def test_drawn_video_has_the_frames_and_times_of_the_clip(octavo):
    write_clip("clip.mkv", shifted(20, 2))
    for name, options in {"a.mp4": [], "b.mkv": ["--grey"], "c.mov": ["--codec", "mpeg4", "--no-tracks"]}.items():
        report = json.loads(octavo("video", "keypoints", "clip.mkv", "-o", name, "--json", *options))
        stream, times, duration = probed(name)
        assert (stream["width"], stream["height"], len(times)) == (240, 160, 20)
        assert stream["codec_name"] == report["codec"]
        tick = Fraction(1, 1000)  # of Matroska
        assert all(abs(time - Fraction(i, 25)) <= tick for i, time in enumerate(times))
        assert duration == pytest.approx(0.8, abs=0.002)
        assert (report["frame_count"], report["width"], report["height"], report["problems"]) == (20, 240, 160, [])
        assert report["clip_seconds"] == pytest.approx(0.8, abs=0.002)
        assert report["frames_per_second"] == pytest.approx(20 / report["seconds"])
        assert report["times_real_time"] == pytest.approx(report["clip_seconds"] / report["seconds"])
        stages = report["per_frame"]
        assert list(stages) == ["keypoint_count"] + [
            f"{stage}_seconds" for stage in ("decode", "extract", "match", "draw", "encode")
        ]
        assert all(
            (value > 0) == (stage != "match_seconds" or "--no-tracks" not in options) for stage, value in stages.items()
        )
        assert (report["tracking"] is None) == ("--no-tracks" in options)
    assert sorted(os.listdir()) == ["a.mp4", "b.mkv", "c.mov", "clip.mkv"]


def test_times_that_are_not_regular(octavo):
    arguments = ["-vf", "select='not(eq(mod(n,5),3))',setpts=PTS+0.7/TB", "-vsync", "vfr", "-c:v", "mpeg4", "-q:v", 2]
    write_clip("clip.mp4", shifted(20, 2), *arguments, rate="30000/1001")
    octavo("video", "keypoints", "clip.mp4", "-o", "drawn.mp4", "--max-features", 100)
    _, expected, _ = probed("clip.mp4")
    _, times, _ = probed("drawn.mp4")
    assert len(times) == 16
    assert times == [time - expected[0] for time in expected]


def test_keypoints_are_drawn_on_the_frames(octavo):
    frames = shifted(6, 2)
    write_clip("clip.mkv", frames)
    octavo("video", "keypoints", "clip.mkv", "-o", "drawn.mkv", "--stored-luma", "--max-features", 60)
    subprocess.run(["ffmpeg", "-v", "error", "-i", "drawn.mkv", "%d.png"], check=True)
    drawn = [cv2.imread(f"{i + 1}.png").astype(int) for i in range(6)]
    colour = [(np.ptp(one, axis=2) > 60).mean() for one in drawn]
    assert colour[0] < 0.005  # all points are new, and white
    assert all(0.01 < share < 0.5 for share in colour[2:])
    assert colour[5] > colour[1]  # tails grow


@pytest.mark.parametrize("dx, dy", [(3, 0), (2, -1), (0, 4)])
def test_tracks_follow_a_known_shift(octavo, dx, dy):
    frames = shifted(10, dx, abs(dy))
    write_clip("clip.mkv", frames if dy >= 0 else frames[::-1])
    followed = {}
    length = float(np.hypot(dx, dy))
    for factor in (1.5, 0.7):
        motion = factor * length / 240
        report = json.loads(
            octavo("video", "keypoints", "clip.mkv", "--json", "--max-motion", motion, "--max-features", 200)
        )
        followed[factor] = report["tracking"]["followed_share"]
        if factor > 1:
            assert report["tracking"]["max_frame_count"] == 10
    assert followed[1.5] > 0.6
    assert followed[0.7] < 0.05


def test_unrelated_frames_have_no_tracks(octavo):
    write_clip("clip.mkv", [image(240, 160, seed) for seed in range(6)])
    report = json.loads(octavo("video", "keypoints", "clip.mkv", "--json"))
    assert report["tracking"]["followed_share"] < 0.05


def test_the_line_of_text_and_frames_by_time(octavo):
    write_clip("clip.mkv", shifted(20, 1))
    line = octavo("video", "keypoints", "clip.mkv", "--fps", 5, "--size", 120)
    assert line.startswith("clip.mkv: 4 frames of 120x80 on ") and line.count("\n") == 1
    assert "x real time" in line and "decoding" in line and "drawing" not in line
    assert octavo("video", "keypoints", "clip.mkv", "--every", 10, "--no-tracks").startswith("clip.mkv: 2 frames")


def test_a_pipe(octavo):
    write_clip("clip.mkv", shifted(10, 2))
    command = [octavo.path, "video", "keypoints", "-", "-o", "drawn.mp4", "--json"]
    with open("clip.mkv", "rb") as clip, subprocess.Popen(["cat"], stdin=clip, stdout=subprocess.PIPE) as cat:
        done = subprocess.run(command, stdin=cat.stdout, capture_output=True, timeout=60, check=True)
    assert json.loads(done.stdout)["frame_count"] == 10
    assert len(probed("drawn.mp4")[1]) == 10


def test_drawn_video_to_a_pipe(octavo):
    write_clip("clip.mkv", shifted(10, 2))
    command = [octavo.path, "video", "keypoints", "clip.mkv", "--max-features", "100", "-o"]
    done = subprocess.run([*command, "-"], capture_output=True, timeout=60, check=True)
    with open("drawn.mkv", "wb") as file:
        file.write(done.stdout)
    stream, times, _ = probed("drawn.mkv")
    assert (stream["width"], len(times)) == (240, 10)
    assert all(abs(time - Fraction(i, 25)) <= Fraction(1, 1000) for i, time in enumerate(times))
    assert done.stderr.startswith(b"octavo: clip.mkv: 10 frames of 240x160") and done.stderr.count(b"\n") == 1
    os.mkfifo("pipe.mkv")
    with subprocess.Popen(["cat", "pipe.mkv"], stdout=subprocess.PIPE) as reader:
        subprocess.run([*command, "pipe.mkv"], timeout=60, check=True, capture_output=True)
        assert reader.communicate(timeout=60)[0] == done.stdout
    with open("before", "wb") as file:  # a file that is appended to keeps what it holds
        file.write(b"before")
    with open("before", "ab") as file:
        subprocess.run([*command, "-"], stdout=file, stderr=subprocess.PIPE, timeout=60, check=True)
    with open("before", "rb") as file:
        assert file.read() == b"before" + done.stdout


def test_a_reader_of_the_drawn_video_that_goes_away(octavo):
    write_clip("clip.mkv", [image(480, 320, seed) for seed in range(20)])
    command = [octavo.path, "video", "keypoints", "clip.mkv", "-o", "-"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as work:
        assert work.stdout.read(100)
        work.stdout.close()
        errors = work.stderr.read()
    assert (work.returncode, errors) == (-signal.SIGPIPE, b"")


@pytest.mark.slow
@pytest.mark.parametrize(
    "container", [["-f", "yuv4mpegpipe"], ["-c:v", "mjpeg", "-f", "nut"], ["-c:v", "mjpeg", "-f", "mjpeg"]]
)
def test_frames_that_come_too_fast_are_dropped_only_if_they_are_live(octavo, container):
    count = 30
    write_clip("clip.mkv", shifted(count, 1, size=(480, 320)))
    source = ["ffmpeg", "-v", "error", "-i", "clip.mkv", "-pix_fmt", "yuv420p", "-strict", "-1", *container, "-"]
    reports = {}
    for live in (False, True):
        command = [octavo.path, "video", "keypoints", "-", "--json", *(["--live"] if live else [])]
        with subprocess.Popen(source, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as camera:
            done = subprocess.run(command, stdin=camera.stdout, capture_output=True, timeout=120, check=True)
        reports[live] = json.loads(done.stdout)
        assert reports[live]["live"] == live
        assert reports[live]["frame_count"] + reports[live]["dropped_frame_count"] == count
    assert reports[False]["dropped_frame_count"] == 0
    assert 0 < reports[True]["dropped_frame_count"] < count


@pytest.fixture
def camera(monkeypatch):
    """Lets /dev/null be a camera."""
    monkeypatch.setenv("LD_PRELOAD", os.environ["OCTAVO_FAKE_CAMERA"])


def test_a_camera(octavo, camera):
    done = octavo.call("video", "keypoints", "/dev/null", "-o", "drawn.mp4", "--json")
    report = json.loads(done.stdout)
    # It is pulled out after 20 frames.
    assert done.returncode == 0 and "cannot be read beyond frame 19" in done.stderr
    assert (report["live"], report["width"], report["height"]) == (True, 64, 48)
    assert report["frame_count"] + report["dropped_frame_count"] == 20
    assert 0 < report["frames_per_second"] < 30  # the camera gives 25; a busy machine draws fewer
    assert len(probed("drawn.mp4")[1]) == report["frame_count"]


def test_frames_of_a_camera(octavo, camera):
    done = octavo.call("video", "frames", "/dev/null", "--json", "--every", 1, "-o", "out", "--grey", "--stored-luma")
    frames = json.loads(done.stdout)["frames"]
    assert [frame["index"] for frame in frames] == list(range(20))
    steps = np.diff([frame["seconds"] for frame in frames])
    assert steps == pytest.approx(np.full(19, 0.04), abs=1e-6)
    ramp = np.tile(3 * np.arange(64), (48, 1))
    for i, frame in enumerate(frames):
        assert (cv2.imread(frame["file"], cv2.IMREAD_UNCHANGED) == (ramp + 3 * i) % 256).all()


def test_cameras_that_are_none(octavo, monkeypatch):
    assert "no such device: ls /dev/video*" in octavo.error(1, "video", "keypoints", "/dev/video99")
    assert "this device is no camera" in octavo.error(1, "video", "keypoints", "/dev/zero")
    monkeypatch.setenv("LD_PRELOAD", os.environ["OCTAVO_FAKE_CAMERA"])
    monkeypatch.setenv("OCTAVO_FAKE_CAMERA_CAPTURES", "metadata")
    assert "gives no video" in octavo.error(1, "video", "keypoints", "/dev/null")


def test_odd_sides_and_frames_without_keypoints(octavo):
    write_clip("flat.mkv", [np.full((81, 121), 90, np.uint8)] * 3, "-c:v", "ffv1", "-pix_fmt", "yuv444p")
    report = json.loads(octavo("video", "keypoints", "flat.mkv", "-o", "drawn.mp4", "--json"))
    assert (report["per_frame"]["keypoint_count"], report["tracking"]["track_count"]) == (0, 0)
    stream, times, _ = probed("drawn.mp4")
    assert (stream["width"], stream["height"], len(times)) == (122, 82, 3)


def test_outputs_that_cannot_be_written(octavo, tmp_path):
    write_clip("clip.mkv", shifted(3, 2))
    assert "must end in one of .mp4" in octavo.error(2, "video", "keypoints", "clip.mkv", "-o", "drawn.txt")
    assert "there is no folder 'none'" in octavo.error(1, "video", "keypoints", "clip.mkv", "-o", "none/drawn.mp4")
    assert "read too" in octavo.error(2, "video", "keypoints", "clip.mkv", "-o", "clip.mkv")
    assert "--json has no place there" in octavo.error(2, "video", "keypoints", "clip.mkv", "-o", "-", "--json")
    (tmp_path / "folder.mp4").mkdir()
    assert "folder" in octavo.error(1, "video", "keypoints", "clip.mkv", "-o", "folder.mp4")
    os.mkfifo("pipe.mp4")
    assert "a pipe takes Matroska only" in octavo.error(1, "video", "keypoints", "clip.mkv", "-o", "pipe.mp4")
    assert "--tail" in octavo.error(2, "video", "keypoints", "clip.mkv", "--no-tracks", "--tail", 3)
    assert "--codec" in octavo.error(2, "video", "keypoints", "clip.mkv", "--codec", "h264")


def test_nothing_is_lost_when_it_fails(octavo, monkeypatch, tmp_path):
    write_clip("clip.mkv", shifted(3, 2))
    (tmp_path / "drawn.mp4").write_text("before")
    (tmp_path / "text.mp4").write_text("no video")
    assert "no known video format" in octavo.error(1, "video", "keypoints", "text.mp4", "-o", "drawn.mp4")
    assert "no such file" in octavo.error(1, "video", "keypoints", "none.mp4", "-o", "drawn.mp4")
    broken = tmp_path / "encoder"
    broken.write_text("#!/bin/sh\nkill -SEGV $$\n")
    broken.chmod(0o755)
    monkeypatch.setenv("OCTAVO_ENCODER", str(broken))
    assert "the encoder crashed: Segmentation fault" in octavo.error(
        1, "video", "keypoints", "clip.mkv", "-o", "drawn.mp4"
    )
    monkeypatch.setenv("OCTAVO_ENCODER", "/no/encoder")
    assert "'/no/encoder' is not a program" in octavo.error(1, "video", "keypoints", "clip.mkv", "-o", "drawn.mp4")
    assert (tmp_path / "drawn.mp4").read_text() == "before"
    assert not list(tmp_path.glob(".*"))
    monkeypatch.delenv("OCTAVO_ENCODER")
    octavo("video", "keypoints", "clip.mkv", "-o", "drawn.mp4")
    assert len(probed("drawn.mp4")[1]) == 3


def test_a_decoder_that_breaks_off_leaves_the_frames_before(octavo, monkeypatch, tmp_path):
    write_clip("clip.mkv", shifted(12, 2))
    real = os.path.join(os.path.dirname(octavo.path), "octavo-decode")
    broken = tmp_path / "decoder"
    frame = 240 * 160 * 4
    broken.write_text(f'#!/bin/sh\n{real} "$@" | head -c {int(6.5 * frame)}\n')
    broken.chmod(0o755)
    monkeypatch.setenv("OCTAVO_DECODER", str(broken))
    done = octavo.call("video", "keypoints", "clip.mkv", "-o", "drawn.mp4", "--json")
    assert (done.returncode, done.stderr.count("\n")) == (1, 1) and "after frame 5" in done.stderr
    report = json.loads(done.stdout)
    assert (report["frame_count"], report["problems"]) == (6, [done.stderr.removeprefix("octavo: ").strip()])
    assert len(probed("drawn.mp4")[1]) == 6


def test_an_interruption_ends_the_output_well(octavo):
    write_clip("clip.mkv", shifted(12, 2))
    command = [octavo.path, "video", "keypoints", "-", "-o", "drawn.mp4"]
    source = ["ffmpeg", "-v", "error", "-re", "-stream_loop", "-1", "-i", "clip.mkv", "-c", "copy", "-f", "nut", "-"]
    with (
        subprocess.Popen(source, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as camera,
        subprocess.Popen(command, stdin=camera.stdout, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as work,
    ):
        camera.stdout.close()
        while not os.path.exists(".drawn.mp4.part"):
            assert work.poll() is None
        work.send_signal(signal.SIGINT)
        output, errors = work.communicate(timeout=60)
    assert work.returncode == -signal.SIGINT and errors == b"octavo: interrupted\n"
    assert b"x real time" in output
    assert len(probed("drawn.mp4")[1]) >= 1
