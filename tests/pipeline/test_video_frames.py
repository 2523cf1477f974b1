"""octavo video frames: times as ffprobe reads them, pixels as ffmpeg decodes them, and files that are no good videos."""

import json
import os
import shutil
import subprocess
import time
from fractions import Fraction
from pathlib import Path

import cv2
import numpy as np
import pytest

pytestmark = pytest.mark.usefixtures("ffmpeg")


UNKNOWN = -1


@pytest.fixture(autouse=True)
def work_in_the_folder(tmp_path, monkeypatch):
    """The program's working directory, to which the names of its files are relative."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def clip(tmp_path):
    """Makes a clip: arguments of ffmpeg between the input, a moving test image, and the file's name."""

    def make(name, *arguments, size="192x108", seconds=2, rate=25):
        source = ["-f", "lavfi", "-i", f"testsrc2=size={size}:rate={rate}:duration={seconds}"]
        command = ["ffmpeg", "-v", "error", "-y", *source, *map(str, arguments), tmp_path / name]
        subprocess.run(command, check=True, timeout=60)
        return tmp_path / name

    return make


@pytest.fixture
def listed(octavo):
    """The list of a video that can be read without a warning."""
    return lambda *arguments: json.loads(octavo("video", "frames", "--json", *arguments))


def probed_times(file):
    """The times of all frames as ffprobe reads them."""
    command = [
        "ffprobe",
        "-v",
        "error",
        "-select_streams",
        "v:0",
        "-show_entries",
        "frame=best_effort_timestamp",
        "-of",
        "json",
    ]
    frames = json.loads(subprocess.run([*command, file], check=True, capture_output=True).stdout)["frames"]
    return [int(frame.get("best_effort_timestamp", UNKNOWN)) for frame in frames]


def times_of(frames):
    """The times of the frames of a list, except those that the file does not tell."""
    return [UNKNOWN if frame["time_is_guessed"] else frame["ticks"] for frame in frames]


def decoded_luma(file, width, height, *options):
    """The luma of all frames as ffmpeg decodes them, without its scaler: 8 bits of 4:2:0."""
    command = ["ffmpeg", "-v", "error", "-flags", "bitexact", "-idct", "simple", *options, "-i", file, "-map", "0:v:0"]
    command += ["-vsync", "passthrough", "-f", "rawvideo", "-"]
    raw = np.frombuffer(subprocess.run(command, check=True, capture_output=True).stdout, np.uint8)
    frame = width * height + 2 * ((width + 1) // 2) * ((height + 1) // 2)
    return raw.reshape(-1, frame)[:, : width * height].reshape(-1, height, width)


def images_of(frames):
    return [cv2.imread(frame["file"], cv2.IMREAD_UNCHANGED) for frame in frames["frames"]]


def stretched(luma):
    return ((np.clip(luma.astype(int), 16, 235) - 16) * 2 * 255 + 219) // (2 * 219)


H264 = ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-preset", "ultrafast", "-bf", 2, "-g", 12]
CODECS = {
    "h264.mp4": H264,
    "h264.mkv": H264,
    "h264.ts": H264,
    "mpeg2.mpg": ["-c:v", "mpeg2video", "-g", 9],
    "mpeg4.avi": ["-c:v", "mpeg4"],
    "vp9.webm": ["-c:v", "libvpx-vp9", "-cpu-used", 8, "-deadline", "realtime", "-pix_fmt", "yuv420p"],
}


@pytest.mark.parametrize("name", CODECS)
def test_frames_are_those_of_ffmpeg(octavo, clip, listed, name):
    file = clip(name, *CODECS[name])
    frames = listed(name, "-o", "out", "--grey", "--every", 1, "--size", 0, "--stored-luma")
    times = probed_times(file)
    assert times_of(frames["frames"]) == times
    assert [frame["index"] for frame in frames["frames"]] == list(range(len(times)))
    base = Fraction(frames["time_base"])
    ticks = [frame["ticks"] for frame in frames["frames"]]
    assert [frame["seconds"] for frame in frames["frames"]] == pytest.approx([float(t * base) for t in ticks], abs=1e-9)
    assert ticks == sorted(set(ticks))
    assert frames["decoded_frame_count"] == len(times)
    expected = decoded_luma(file, 192, 108)
    for image, luma in zip(images_of(frames), expected, strict=True):
        assert (image == luma).all()
    keys = [frame["key"] for frame in frames["frames"]]
    assert keys[0] and not all(keys)
    # The usual luma is the same, stretched.
    usual = listed(name, "-o", "stretched", "--grey", "--every", 10, "--size", 0)
    for image, luma in zip(images_of(usual), expected[::10], strict=True):
        assert (image == stretched(luma)).all()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["h264.mp4", "mpeg2.mpg", "vp8.webm"])
def test_fast_frames_are_those_of_ffmpeg_without_the_rest(octavo, clip, listed, name):
    codec = {
        "mpeg2.mpg": [*CODECS["mpeg2.mpg"], "-bf", 2],
        "vp8.webm": ["-c:v", "libvpx", "-cpu-used", 8, "-deadline", "realtime"],
    }
    file = clip(name, *codec.get(name, H264), "-pix_fmt", "yuv420p", seconds=4)
    arguments = ["--grey", "--every", 1, "--size", 0, "--stored-luma"]
    fast = listed(name, "-o", "fast", "--fast", *arguments)
    assert listed(name, "-o", "fast", "--fast", *arguments) == fast
    expected = decoded_luma(file, 192, 108, "-skip_frame", "noref", "-skip_loop_filter", "all")
    for image, luma in zip(images_of(fast), expected, strict=True):
        assert (image == luma).all()
    whole = listed(name, "-o", "whole", *arguments)
    times = [frame["ticks"] for frame in whole["frames"]]
    assert set(times_of(fast["frames"])) - {UNKNOWN} <= set(times)
    assert fast["decoded_frame_count"] == len(fast["frames"])
    has_b_frames = name != "vp8.webm"
    assert (len(fast["frames"]) < 0.7 * len(times)) == has_b_frames
    if name != "mpeg2.mpg":  # it has no loop filter
        assert any((a != b).any() for a, b in zip(images_of(fast)[1:], images_of(whole)[1:]))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tree.avi", "vtest.avi", "Megamind.avi"])
def test_real_clips(octavo, photograph, name):
    file = photograph(name)
    frames = json.loads(
        octavo("video", "frames", "--json", file, "--every", 30, "-o", "out", "--grey", "--size", 0, "--stored-luma")
    )
    assert {frame["junk"] for frame in frames["frames"]} <= {"none", "black"}
    if name == "tree.avi":  # Cinepak gives RGB
        assert (frames["codec"], frames["matrix"], len(frames["frames"])) == ("cinepak", "gbr", 3)
        command = [
            "ffmpeg",
            "-v",
            "error",
            "-i",
            file,
            "-vsync",
            "passthrough",
            "-f",
            "rawvideo",
            "-pix_fmt",
            "rgb24",
            "-",
        ]
        rgb = np.frombuffer(subprocess.run(command, check=True, capture_output=True).stdout, np.uint8)
        expected = (rgb.reshape(-1, 240, 320, 3)[::30] @ np.array([13933, 46871, 4732]) + 32768) >> 16
    else:
        expected = decoded_luma(file, frames["width"], frames["height"])[::30]
    for image, luma in zip(images_of(frames), expected, strict=True):
        assert (image == luma).all()
    assert times_of(frames["frames"]) == probed_times(file)[::30]


def test_sampling_by_time(clip, listed):
    clip("a.mp4", *H264, seconds=4)
    assert [frame["index"] for frame in listed("a.mp4")["frames"]] == [0, 13, 25, 38, 50, 63, 75, 88]
    assert [frame["index"] for frame in listed("a.mp4", "--fps", 0.5)["frames"]] == [0, 50]
    assert len(listed("a.mp4", "--fps", 1000)["frames"]) == 100


def test_variable_rate_and_start(clip, listed):
    # Frames 10 to 59 are missing, and the first one comes at 5 s.
    select = "select='lt(n,10)+gte(n,60)',setpts=PTS+5/TB"
    file = clip("vfr.mkv", "-vf", select, "-vsync", "vfr", *H264, seconds=4)
    frames = listed("vfr.mkv", "--every", 1)
    assert [frame["ticks"] for frame in frames["frames"]] == probed_times(file)
    assert frames["frames"][0]["seconds"] == pytest.approx(5, abs=0.1)
    gaps = np.diff([frame["seconds"] for frame in frames["frames"]])
    assert gaps.max() == pytest.approx(51 / 25, abs=0.002) and np.median(gaps) == pytest.approx(1 / 25, abs=0.002)
    sampled = listed("vfr.mkv", "--fps", 2)["frames"]  # the intervals of 0.5 s from 2.4 s on have frames again
    assert [frame["index"] for frame in sampled] == [0, 10, 13, 25, 38]


@pytest.mark.parametrize("tag", [90, 180, 270])
def test_rotation(octavo, clip, listed, tmp_path, tag):
    clip("plain.mp4", *H264)
    copy = ["ffmpeg", "-v", "error", "-i", tmp_path / "plain.mp4", "-metadata:s:v:0", f"rotate={tag}"]
    subprocess.run([*copy, "-c", "copy", tmp_path / "turned.mp4"], check=True)
    frames = listed("turned.mp4", "-o", "turned", "--grey", "--stored-luma")
    turn = {90: cv2.ROTATE_90_CLOCKWISE, 180: cv2.ROTATE_180, 270: cv2.ROTATE_90_COUNTERCLOCKWISE}[frames["rotation"]]
    stored = decoded_luma(tmp_path / "plain.mp4", 192, 108)[[0, 13, 25, 38]]
    # ffmpeg turns frames as it decodes them.
    shown = decoded_luma(tmp_path / "turned.mp4", *((192, 108) if tag == 180 else (108, 192)))[[0, 13, 25, 38]]
    for image, plain, turned in zip(images_of(frames), stored, shown, strict=True):
        assert (image == turned).all()
        assert (image == cv2.rotate(plain, turn)).all()


def test_pixels_that_are_not_square(clip, listed):
    clip("pal.mpg", "-vf", "setsar=64/45", "-c:v", "mpeg2video", size="720x576", seconds=1)
    frames = listed("pal.mpg", "--size", 0)
    assert frames["pixel_aspect"] == "64:45"
    assert {(frame["width"], frame["height"]) for frame in frames["frames"]} == {(1024, 576)}
    assert {(frame["width"], frame["height"]) for frame in listed("pal.mpg")["frames"]} == {(640, 360)}


def test_scaling_is_the_mean_of_areas(octavo, clip, listed):
    file = clip("a.mp4", *H264)
    small = images_of(listed("a.mp4", "-o", "small", "--grey", "--size", 64, "--stored-luma"))
    for image, luma in zip(small, decoded_luma(file, 192, 108)[[0, 13, 25, 38]], strict=True):
        assert image.shape == (36, 64)
        means = luma.reshape(36, 3, 64, 3).sum(axis=(1, 3))
        assert (image == (2 * means + 9) // 18).all()


def test_colours(clip, listed, tmp_path):
    # Large areas, which neither the scaler nor chroma at half the size blurs.
    for matrix, name in (("bt709", "bt709"), ("smpte170m", "bt601")):
        for size in ("192x108", "1280x720"):
            file = f"{name}-{size}.mp4"
            colours = [
                "-vf",
                f"scale=out_color_matrix={name}:out_range=tv",
                "-colorspace",
                matrix,
                "-color_range",
                "tv",
            ]
            command = ["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", f"color=0xC83C28:size={size}:duration=0.2"]
            subprocess.run([*command, *colours, *map(str, H264), tmp_path / file], check=True)
            frames = listed(file, "-o", "out")
            assert (frames["matrix"], frames["matrix_assumed"], frames["range"]) == (matrix, False, "limited")
            image = images_of(frames)[0]
            assert np.abs(image[5:-5, 5:-5].astype(int) - [0x28, 0x3C, 0xC8]).max() <= 3


@pytest.mark.slow
@pytest.mark.parametrize(
    "pixel_format",
    ["yuv422p10le", "gray", "gray12le", "rgb24", "bgr0", "gbrp10le", "yuvj444p", "rgb555le", "pal8", "monow"],
)
def test_pixel_formats(clip, listed, pixel_format):
    codec = {
        "pal8": "png",
        "monow": "rawvideo",
        "yuvj444p": "mjpeg",
        "bgr0": "rawvideo",
        "rgb555le": "rawvideo",
        "rgb24": "png",
    }
    clip(
        "deep.mov" if pixel_format == "pal8" else "deep.nut",
        "-c:v",
        codec.get(pixel_format, "ffv1"),
        "-pix_fmt",
        pixel_format,
        seconds=0.2,
    )
    clip("plain.mp4", "-c:v", "libx264", "-qp", 0, "-pix_fmt", "yuv444p", seconds=0.2)
    name = "deep.mov" if pixel_format == "pal8" else "deep.nut"
    frames = listed(name, "-o", "out", "--grey", "--every", 1)
    assert frames["pixel_format"] == pixel_format
    expected = images_of(listed("plain.mp4", "-o", "out", "--grey", "--every", 1))
    for image, plain in zip(images_of(frames), expected, strict=True):
        difference = np.abs(image.astype(int) - plain)
        # Luma of Y'CbCr (here BT.601) and our luma of RGB (BT.709) differ in saturated colours.
        is_rgb = pixel_format in ("rgb24", "bgr0", "gbrp10le", "rgb555le", "pal8")
        correlation = np.corrcoef(image.ravel(), plain.ravel())[0, 1]
        if pixel_format == "monow":
            assert set(np.unique(image)) == {0, 255} and correlation > 0.5
        elif is_rgb:
            assert correlation > 0.9 and image.max() > 230 and image.min() < 20
        else:
            assert difference.max() <= (12 if pixel_format == "yuvj444p" else 2) or np.median(difference) <= 1


def test_interlaced_frames_give_their_first_field(octavo, clip, listed):
    for order, first in (("tff", 0), ("bff", 1)):
        # Each pair of frames becomes one with two fields.
        fields = [
            "-vf",
            f"tinterlace=interleave_{'top' if order == 'tff' else 'bottom'},fieldorder={order},format=yuv420p",
        ]
        file = clip(
            f"{order}.mpg", *fields, "-c:v", "mpeg2video", "-flags", "+ildct+ilme", "-top", 1 - first, "-qscale", 2
        )
        frames = listed(file.name, "-o", order, "--grey", "--size", 0, "--stored-luma", "--every", 1)
        assert all(frame["interlaced"] for frame in frames["frames"])
        expected = decoded_luma(file, 192, 108)
        for image, luma in zip(images_of(frames), expected, strict=True):
            assert (image == luma[first::2].repeat(2, axis=0)).all()
        woven = listed(
            file.name, "-o", f"{order}-woven", "--grey", "--size", 0, "--stored-luma", "--every", 1, "--weave"
        )
        for image, luma in zip(images_of(woven), expected, strict=True):
            assert (image == luma).all()


def test_cover_images_are_no_video(octavo, clip, listed, tmp_path):
    cover = tmp_path / "cover.png"
    cv2.imwrite(str(cover), np.full((600, 600, 3), 200, np.uint8))
    make = ["ffmpeg", "-v", "error", "-y", "-i", cover, "-f", "lavfi", "-i", "sine=duration=1"]
    song = ["-map", "1", "-map", "0", "-c:v", "copy", "-disposition:v:0", "attached_pic"]
    subprocess.run([*make, *song, "-c:a", "aac", tmp_path / "song.m4a"], check=True)
    error = octavo.error(1, "video", "frames", "song.m4a")
    assert "'song.m4a'" in error and "no video, only audio (aac), cover image (png)" in error
    clip("film.mp4", *H264)
    both = [
        "-i",
        tmp_path / "film.mp4",
        "-i",
        cover,
        "-map",
        "1",
        "-map",
        "0",
        "-c",
        "copy",
        "-disposition:v:0",
        "attached_pic",
    ]
    subprocess.run(["ffmpeg", "-v", "error", "-y", *both, tmp_path / "both.mp4"], check=True)
    frames = listed("both.mp4")
    assert (frames["codec"], frames["width"], len(frames["frames"])) == ("h264", 192, 4)


def test_size_changes(octavo, clip, tmp_path):
    parts = [clip("a.ts", *H264, size="192x108").read_bytes(), clip("b.ts", *H264, size="128x96").read_bytes()]
    (tmp_path / "both.ts").write_bytes(b"".join(parts))
    done = octavo.call("video", "frames", "both.ts", "--json", "--size", 0)
    assert done.returncode == 0 and "warning: both.ts: the size changes from 192x108 to 128x96" in done.stderr
    frames = json.loads(done.stdout)
    assert {(frame["width"], frame["height"]) for frame in frames["frames"]} == {(192, 108), (128, 96)}
    # The second part begins at its own time 0, which is before the end of the first.
    assert {"size", "time"} <= {warning["name"] for warning in frames["warnings"]}
    assert len([frame for frame in frames["frames"] if frame["width"] == 128]) >= 4


def test_small_and_large(clip, listed):
    clip("small.mp4", *H264, size="16x16", seconds=1)
    assert {(frame["width"], frame["height"]) for frame in listed("small.mp4")["frames"]} == {(16, 16)}
    clip("large.mkv", "-vf", "scale=7680:4320:flags=neighbor", "-c:v", "mjpeg", seconds=0.04)
    assert [(frame["width"], frame["height"]) for frame in listed("large.mkv")["frames"]] == [(640, 360)]


def test_too_large(octavo, clip):
    clip("a.mp4", *H264)
    assert "192x108 pixels, more than the 20000 that are allowed" in octavo.error(
        1, "video", "frames", "a.mp4", "--max-pixels", 20000
    )


def test_truncated_files_give_what_they_hold(octavo, clip, tmp_path):
    whole = clip("whole.mp4", *H264, "-movflags", "faststart", seconds=4).read_bytes()
    (tmp_path / "cut.mp4").write_bytes(whole[: len(whole) // 2])
    done = octavo.call("video", "frames", "cut.mp4", "--json", "--every", 1)
    frames = json.loads(done.stdout)
    assert done.returncode == 0 and frames["problems"] == []
    assert 20 < len(frames["frames"]) < 80
    assert "truncated" in [warning["name"] for warning in frames["warnings"]]
    assert "the file declares 4.000 s, but ends after" in done.stderr
    whole = clip("whole.avi", "-c:v", "mpeg4", seconds=4).read_bytes()
    (tmp_path / "cut.avi").write_bytes(whole[: len(whole) // 2])
    assert "the file declares 4.000 s, but ends after" in octavo.call("video", "frames", "cut.avi", "--json").stderr
    late = clip("late.mp4", *H264).read_bytes()
    (tmp_path / "cut_late.mp4").write_bytes(late[: len(late) // 2])  # without its index
    assert "moov atom not found" in octavo.error(1, "video", "frames", "cut_late.mp4")


def test_ten_million_frames_declared(octavo, clip, tmp_path):
    data = bytearray(clip("a.avi", "-c:v", "mpeg4").read_bytes())
    for at in (data.index(b"avih") + 8 + 16, data.index(b"strh") + 8 + 32):  # dwTotalFrames, dwLength
        data[at : at + 4] = (10_000_000).to_bytes(4, "little")
    (tmp_path / "many.avi").write_bytes(data)
    done = octavo.call("video", "frames", "many.avi", "--json", "--every", 1)
    frames = json.loads(done.stdout)
    assert (done.returncode, len(frames["frames"])) == (0, 50), done.stderr


@pytest.mark.slow
def test_damaged_files_give_errors_or_frames(octavo, clip, tmp_path):
    random = np.random.default_rng(1)
    for name, arguments in (("a.mp4", [*H264, "-movflags", "faststart"]), ("b.avi", ["-c:v", "mpeg4"]), ("c.ts", H264)):
        whole = np.frombuffer(clip(name, *arguments, seconds=1).read_bytes(), np.uint8)
        for turn in range(4):
            data = whole.copy()
            data[random.integers(0, len(data), 30 * (turn + 1))] = random.integers(0, 256, 30 * (turn + 1))
            (tmp_path / name).write_bytes(data.tobytes())
            done = octavo.call("video", "frames", name, "--json", "--patience", 20)
            assert done.returncode in (0, 1)
            assert all(line.startswith("octavo: ") for line in done.stderr.splitlines())
            assert done.returncode == 0 or f"'{name}'" in done.stderr


def test_files_that_are_no_videos(octavo, clip, tmp_path):
    (tmp_path / "empty.mp4").write_bytes(b"")
    (tmp_path / "noise.mp4").write_bytes(np.random.default_rng(3).bytes(100_000))
    (tmp_path / "text.mp4").write_text("This is no video.\n" * 100)
    (tmp_path / "playlist.m3u8").write_text(f"#EXTM3U\n#EXTINF:2,\n{clip('good.ts', *H264)}\n#EXT-X-ENDLIST\n")
    subprocess.run(
        ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "sine=duration=1", tmp_path / "sound.wav"], check=True
    )
    wrong = {
        "empty.mp4": "it is empty",
        "noise.mp4": "",
        "text.mp4": "it is of no known video format",
        "sound.wav": "it holds no video, only audio (pcm_s16le)",
        "playlist.m3u8": "",  # it would name another file
        "missing.mp4": "no such file",
        ".": "it is a directory",
    }
    for name, reason in wrong.items():
        error = octavo.error(1, "video", "frames", name)
        assert f"'{name}'" in error and reason in error
    done = octavo.call("video", "frames", *wrong, "good.ts", "--json")
    assert done.returncode == 1
    assert [clip["clip"] for clip in json.loads(done.stdout)] == ["good.ts"]
    for name in wrong:
        assert f"'{name}'" in done.stderr


def test_pipes(octavo, clip):
    name = clip("a.mkv", *H264).name
    with open(octavo.folder / name, "rb") as file:
        piped = subprocess.run([octavo.path, "video", "frames", "-", "--json"], input=file.read(), capture_output=True)
    assert piped.returncode == 0
    by_pipe, by_name = json.loads(piped.stdout), json.loads(octavo("video", "frames", name, "--json"))
    assert by_pipe["frames"] == by_name["frames"]
    with open(octavo.folder / name, "rb") as file:
        redirected = subprocess.run([octavo.path, "video", "frames", "-", "--json"], stdin=file, capture_output=True)
    assert json.loads(redirected.stdout)["frames"] == by_name["frames"]


@pytest.fixture
def decoder(octavo, monkeypatch):
    """Lets a shell script take the place of octavo-decode."""

    def use(script):
        path = octavo.folder / "decoder"
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)
        monkeypatch.setenv("OCTAVO_DECODER", str(path))

    return use


def test_a_decoder_that_hangs_or_crashes(octavo, clip, decoder):
    clip("a.mp4", *H264)
    decoder("exec sleep 1000")
    begin = time.monotonic()
    assert "'a.mp4': the decoder made no progress for 0.5 s" in octavo.error(
        1, "video", "frames", "a.mp4", "--patience", 0.5
    )
    assert time.monotonic() - begin < 30
    decoder("kill -SEGV $$")
    assert "'a.mp4': the decoder crashed: Segmentation fault" in octavo.error(1, "video", "frames", "a.mp4")
    decoder("exit 3")
    assert "'a.mp4': the decoder ended too early" in octavo.error(1, "video", "frames", "a.mp4")
    decoder("echo What is this? It is much longer than the head of a message.")
    assert "'a.mp4': the decoder went mad" in octavo.error(1, "video", "frames", "a.mp4")
    # A decoder that breaks in the midst of its work: the frames before are listed.
    real = os.path.join(os.path.dirname(octavo.path), "octavo-decode")
    decoder(f'{real} "$@" | head -c 60000')
    done = octavo.call("video", "frames", "a.mp4", "--json", "--every", 1)
    frames = json.loads(done.stdout)
    assert done.returncode == 1 and 0 < len(frames["frames"]) < 50
    last = frames["frames"][-1]
    assert f"after frame {last['index']} at {last['seconds']:.3f} s" in frames["problems"][0]
    assert frames["problems"][0] in done.stderr


def test_the_decoder_ends_with_the_program(octavo):
    program = subprocess.Popen([octavo.path, "video", "frames", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    children = f"/proc/{program.pid}/task/{program.pid}/children"

    def command_of(process):  # empty: it has ended
        try:
            return Path(f"/proc/{process}/cmdline").read_text()
        except OSError:
            return ""

    limit = time.monotonic() + 60
    decoder = ""
    while "octavo-decode" not in command_of(decoder):
        assert time.monotonic() < limit
        decoder = Path(children).read_text().strip()
    program.kill()
    program.wait()
    while command_of(decoder):
        assert time.monotonic() < limit
    program.stdin.close()


def test_junk_runs_and_contact_sheet(octavo, tmp_path):
    # A second each: black, a moving image between bars, a still image, grey.
    parts = (
        "testsrc2=size=192x72:rate=25:duration=1,pad=192:108:0:18[b];testsrc=size=192x108:rate=1:duration=1,fps=25[c]"
    )
    graph = f"color=black:size=192x108:rate=25:duration=1[a];{parts};color=gray:size=192x108:rate=25:duration=1[d]"
    command = ["ffmpeg", "-v", "error", "-filter_complex", f"{graph};[a][b][c][d]concat=n=4,format=yuv420p"]
    subprocess.run([*command, *map(str, H264), "-qp", "10", tmp_path / "junk.mp4"], check=True)
    output = octavo("video", "frames", "junk.mp4", "--json", "--fps", 5, "--contact-sheet", "sheet.png")
    counts = "20 of 100 frames taken: 5 black, 5 flat, 0 titles, 0 colour bars, 12 repeats, 0 interlaced"
    assert counts in octavo("video", "frames", "junk.mp4", "--fps", 5)  # the bars of five frames are black
    frames = json.loads(output)
    listed = frames["frames"]
    assert [frame["junk"] for frame in listed] == ["black"] * 5 + ["none"] * 10 + ["flat"] * 5
    assert all(frame["active"] == [0, 18, 192, 72] for frame in listed[5:10])
    assert all(frame["active"] == [0, 0, 192, 108] for frame in listed[10:])
    assert [frame["repeats"] for frame in listed] == [False, *[True] * 4, *[False] * 6, *[True] * 4, False, *[True] * 4]
    runs = [(run["first"], run["last"], run["frame_count"], run["in"], run["out"]) for run in frames["runs"]]
    assert runs == [(0, 20, 5, 0, 1), (50, 70, 5, 2, 3), (75, 95, 5, 3, pytest.approx(3.8))]
    sheet = cv2.imread(str(tmp_path / "sheet.png"))
    colours = {"red": [50, 60, 230], "blue": [255, 140, 70], "orange": [30, 170, 255]}
    found = {name: (sheet == colour).all(axis=2).sum() for name, colour in colours.items()}
    border = 6 * (192 + 108)
    assert found["red"] >= 10 * border and found["blue"] >= 4 * border and found["orange"] >= 5 * 2 * 192


@pytest.mark.parametrize("source", ["smptebars", "smptehdbars", "pal75bars", "pal100bars", "testsrc"])
def test_colour_bars(octavo, listed, source):
    command = [
        "ffmpeg",
        "-v",
        "error",
        "-f",
        "lavfi",
        "-i",
        f"{source}=size=720x576:rate=10:duration=0.5",
        *map(str, H264),
        "a.mp4",
    ]
    subprocess.run(command, check=True)
    junk = [frame["junk"] for frame in listed("a.mp4", "--every", 1)["frames"]]
    assert junk == ["none" if source == "testsrc" else "bars"] * 5


def test_names_of_images(octavo, clip):
    clip("a.mp4", *H264)
    octavo("video", "frames", "a.mp4", "-o", "out", "--fps", 1)
    assert sorted(os.listdir(octavo.folder / "out")) == ["a.mp4_0000000_0.000s.png", "a.mp4_0000025_1.000s.png"]
    (octavo.folder / "copy").mkdir()
    shutil.copy(octavo.folder / "a.mp4", octavo.folder / "copy")
    assert "same name" in octavo.error(2, "video", "frames", "a.mp4", "copy/a.mp4", "-o", "out")
    assert "one video" in octavo.error(2, "video", "frames", "a.mp4", "b.mp4", "--contact-sheet", "sheet.png")
    assert "--fps has no effect with --every" in octavo.error(2, "video", "frames", "a.mp4", "--every", 5, "--fps", 3)


def test_extract_takes_frames(octavo, clip):
    clip("a.mp4", *H264)
    (octavo.folder / "noise.mp4").write_bytes(np.random.default_rng(3).bytes(10_000))
    octavo("video", "frames", "a.mp4", "-o", "frames", "--grey", "--fps", 2)
    text = octavo(
        "extract", "a.mp4", "-o", "features", "--format", "npz", "--draw"
    )  # 2 frames a second are the default
    assert [line.split(":")[0] for line in text.splitlines()] == [f"a.mp4#{i}" for i in (0, 13, 25, 38)]
    for index, seconds in ((0, "0.000"), (13, "0.520"), (25, "1.000"), (38, "1.520")):
        octavo("extract", f"frames/a.mp4_{index:07}_{seconds}s.png", "-o", "alone", "--format", "npz")
        alone = np.load(f"alone/a.mp4_{index:07}_{seconds}s.png.npz")
        taken = np.load(f"features/a.mp4#{index}.npz")
        assert len(taken["keypoints"]) > 20
        for name in alone.files:
            assert (alone[name] == taken[name]).all()
        assert cv2.imread(f"features/a.mp4#{index}.keypoints.png").shape == (108, 192, 3)
    done = octavo.call("extract", "noise.mp4", "a.mp4", "--json", "--every", 20, "--size", 100)
    assert done.returncode == 1 and "'noise.mp4'" in done.stderr
    found = json.loads(done.stdout)
    assert [image["image"] for image in found] == ["a.mp4#0", "a.mp4#20", "a.mp4#40"]
    assert max(keypoint["x"] for keypoint in found[0]["keypoints"]) < 100
    cv2.imwrite("a.png", np.zeros((20, 20), np.uint8))
    assert "some inputs are videos" in octavo.error(2, "extract", "a.mp4", "a.png")
    assert "--fps has no effect without a video" in octavo.error(2, "extract", "a.png", "--fps", 2)
    assert "--fps has no effect with --every" in octavo.error(2, "extract", "a.mp4", "--fps", 2, "--every", 3)


def test_inspect_shows_a_frame(octavo, clip):
    clip("a.mp4", *H264)
    for options, index in (
        ([], 0),
        (["--frame", 17], 17),
        (["--time", 0.7], 17),
        (["--time", 99], 49),
        (["--time", -1], 0),
    ):
        shown = json.loads(octavo("inspect", "a.mp4", "-o", "look", "--json", *options))
        assert (shown["image"], shown["width"]) == (f"a.mp4#{index}", 192)
    assert "'a.mp4' has no frame 50: it has 50 frames" in octavo.error(
        1, "inspect", "a.mp4", "-o", "look", "--frame", 50
    )
    assert "--frame cannot be given together with --time" in octavo.error(
        2, "inspect", "a.mp4", "-o", "x", "--frame", 1, "--time", 1
    )
    assert "--size has no effect without a video" in octavo.error(2, "inspect", "a.png", "-o", "x", "--size", 9)
