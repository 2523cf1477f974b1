"""octavo video compare: segments of transformed copies of real clips, to the frame."""

import json
import re
import subprocess

import cv2
import pytest

pytestmark = pytest.mark.usefixtures("ffmpeg")

RATE = 24000 / 1001 * 1.0  # of Megamind.avi, nearly [frame/s]


@pytest.fixture
def megamind(photograph):
    return photograph("Megamind.avi")


@pytest.fixture
def copy(tmp_path, megamind, photograph):
    """A clip of 320×236: 30 frames of another clip, frames 60 to 160 of megamind after a filter, and 20 frames more."""

    def make(name, filters, count=100, input_rate=24):
        fit = "fps=24,scale=320:236,setsar=1,format=yuv420p"
        graph = (
            f"[0:v]trim=start_frame=300:end_frame=380,setpts=N/10/TB,{fit},trim=end_frame=30[a];"
            f"[1:v]trim=start_frame=60:end_frame=160,setpts=N/{input_rate}/TB,{filters},{fit},trim=end_frame={count}[b];"
            f"[0:v]trim=start_frame=600:end_frame=680,setpts=N/10/TB,{fit},trim=end_frame=20[c];"
            "[a][b][c]concat=n=3,setpts=N/24/TB[out]"
        )
        command = [
            "ffmpeg",
            "-v",
            "error",
            "-y",
            "-i",
            photograph("vtest.avi"),
            "-i",
            megamind,
            "-filter_complex",
            graph,
        ]
        command += ["-map", "[out]", "-r", 24, "-c:v", "libx264", "-preset", "veryfast", "-crf", 30, tmp_path / name]
        subprocess.run(list(map(str, command)), check=True, timeout=120)
        return name

    return make


@pytest.fixture
def compared(octavo):
    return lambda *arguments: json.loads(octavo("video", "compare", "--json", *arguments))


def test_ends_are_exact(compared, copy, megamind, tmp_path):
    found = compared(copy("cropped.mp4", "crop=iw*0.8:ih*0.8,eq=gamma=1.4"), megamind, "--image", "why.png")
    assert (found["clip_a"], found["clip_b"]) == ("cropped.mp4", str(megamind))
    (segment,) = found["segments"]
    for key, frame in (
        ("in_a", 30 / 24),
        ("out_a", 130 / 24),
        ("in_b", 60 / RATE),
        ("out_b", 160 / RATE),
    ):
        assert segment[key] == pytest.approx(frame, abs=2.1 / 24), key
    assert segment["speed"] == pytest.approx(1, abs=0.01)
    assert not segment["mirrored"]
    assert (
        segment["frame_count"] >= 10
        and segment["inlier_count"] >= 10 * segment["frame_count"]
        and segment["score"] > 10
    )
    (a, _, tx), (b, _, ty) = segment["similarity"]  # 320 pixels show 0.8 of 640
    assert (a, b) == pytest.approx((1.6, 0), abs=0.02) and (tx, ty) == pytest.approx((64, 47), abs=4)
    assert found["coverage_a"] == pytest.approx(100 / 150, abs=0.03)
    assert found["coverage_b"] == pytest.approx(100 / 270, abs=0.03)
    height, width, _ = cv2.imread(str(tmp_path / "why.png")).shape
    assert width > 320 + 640 and height >= 469


@pytest.mark.slow
@pytest.mark.parametrize(
    ("filters", "across", "along"),
    [("crop=iw:ih*0.6", 2, 1.2), pytest.param("crop=iw*0.65:ih", 1.3, 2, marks=pytest.mark.slow)],
)
def test_stretched(octavo, compared, copy, megamind, filters, across, along):
    """What is left fills the frame, so it grows more in one direction. 320×236 pixels show a part of 640×470."""
    name = copy("stretched.mp4", filters)
    (segment,) = compared(name, megamind)["segments"]
    for key, frame in (("in_a", 30 / 24), ("out_a", 130 / 24), ("in_b", 60 / RATE), ("out_b", 160 / RATE)):
        assert segment[key] == pytest.approx(frame, abs=2.1 / 24), key
    (a, _, _), (_, b, _) = segment["similarity"]
    assert (a, b) == pytest.approx((across, along), rel=0.02)
    assert segment["stretch"] == pytest.approx(across / along, rel=0.02)
    assert f", stretched by {segment['stretch']:.2f}" in octavo("video", "compare", name, megamind)


@pytest.mark.slow
def test_negative(octavo, compared, copy, megamind):
    """Black bars are white in the negative."""
    name = copy("negative.mp4", "pad=iw:ih*1.2:0:(oh-ih)/2,negate")
    assert compared(name, megamind)["segments"] == []
    (segment,) = compared(name, megamind, "--negative")["segments"]
    for key, frame in (("in_a", 30 / 24), ("out_a", 130 / 24), ("in_b", 60 / RATE), ("out_b", 160 / RATE)):
        assert segment[key] == pytest.approx(frame, abs=2.1 / 24), key
    assert segment["negative"] and not segment["mirrored"]
    assert ", negative" in octavo("video", "compare", name, megamind, "--negative")


@pytest.mark.slow
def test_film_from_a_hand_that_shakes(octavo, compared, copy, megamind):
    moves = "x='(iw-ow)/2*(1+sin(11*t))':y='(ih-oh)/2*(1+sin(17*t+1))'"
    name = copy("shaken.mp4", f"crop=iw*0.82:ih*0.82:{moves}")
    assert compared(name, megamind)["segments"] == []
    (segment,) = compared(name, megamind, "--shake", 0.15)["segments"]
    for key, frame in (("in_a", 30 / 24), ("out_a", 130 / 24), ("in_b", 60 / RATE), ("out_b", 160 / RATE)):
        assert segment[key] == pytest.approx(frame, abs=0.5), key
    assert segment["shaken"] and not segment["exact_ends"]
    assert ", shaken, ends within" in octavo("video", "compare", name, megamind, "--shake", 0.15)


@pytest.mark.slow
def test_reversed_and_faster(octavo, compared, copy, megamind):
    name = copy("reversed.mp4", "reverse", count=66, input_rate=36)
    (segment,) = compared(name, megamind, "--reversed")["segments"]
    assert segment["speed"] == pytest.approx(-1.5, rel=0.03)
    for key, frame in (("in_a", 30 / 24), ("out_a", 96 / 24), ("in_b", 60 / RATE), ("out_b", 160 / RATE)):
        assert segment[key] == pytest.approx(frame, abs=3.1 / 24), key
    assert re.search(r" -1\.[45]\d ", octavo("video", "compare", name, megamind, "--reversed"))


@pytest.mark.slow
def test_mirrored_and_faster(octavo, compared, copy, megamind):
    name = copy("mirrored.mp4", "hflip", count=66, input_rate=36)
    (segment,) = compared(name, megamind)["segments"]
    assert segment["mirrored"] and segment["speed"] == pytest.approx(1.5, rel=0.03)
    assert segment["in_b"] == pytest.approx(60 / RATE, abs=3 / 24)
    assert segment["out_b"] == pytest.approx(160 / RATE, abs=3 / 24)
    assert compared(name, megamind, "--min-seconds", 5)["segments"] == []


@pytest.mark.parametrize("light", ["black", pytest.param("white", marks=pytest.mark.slow)])
def test_an_excerpt_that_fades_in_and_out(compared, copy, megamind, light):
    """A fade changes all values of a frame: against it what moves is little."""
    fades = f"fade=in:0:24:color={light},fade=out:76:24:color={light}"
    (segment,) = compared(copy("faded.mp4", fades), megamind)["segments"]
    assert segment["speed"] == 1
    assert (segment["in_a"], segment["out_a"]) == pytest.approx((30 / 24, 130 / 24), abs=0.5)
    assert segment["in_b"] - segment["in_a"] == pytest.approx(60 / RATE - 30 / 24, abs=0.05)


@pytest.mark.slow
@pytest.mark.parametrize("begin, count", [(40, 1), (10, 0)])
def test_fades_of_a_still_camera(compared, photograph, tmp_path, begin, count):
    """Where both clips fade, all of any scene moves alike; what moves in it still tells the time."""
    for name, first in (("a.mp4", begin), ("b.mp4", 40)):
        command = ["ffmpeg", "-v", "error", "-ss", first, "-t", 12, "-i", photograph("vtest.avi")]
        command += ["-vf", "fade=in:0:15,fade=out:105:15", "-c:v", "libx264", "-preset", "veryfast", tmp_path / name]
        subprocess.run(list(map(str, command)), check=True, timeout=120)
    assert len(compared("a.mp4", "b.mp4")["segments"]) == count


@pytest.mark.slow
def test_few_frames_a_second(compared, photograph, tmp_path):
    """tree.avi shows each frame for 0.33 to 0.73 s. The copy has 23 of them, of 0.44 s each."""
    tree, rate, first, last = photograph("tree.avi"), 2.2717, 9.400047, 19.466764
    command = [
        "ffmpeg",
        "-v",
        "error",
        "-y",
        "-i",
        tree,
        "-vf",
        f"trim=start_frame=22:end_frame=45,setpts=N/{rate}/TB",
        "-r",
        rate,
    ]
    command += ["-c:v", "libx264", "-preset", "veryfast", "-pix_fmt", "yuv420p", "-crf", 28, tmp_path / "excerpt.mp4"]
    subprocess.run(list(map(str, command)), check=True, timeout=120)
    (segment,) = compared("excerpt.mp4", tree)["segments"]
    for key, time in (("in_a", 0), ("out_a", 23 / rate), ("in_b", first), ("out_b", last)):
        assert segment[key] == pytest.approx(time, abs=0.5), key


FILM, PADDING = 100 / 24, 5  # [s]


@pytest.mark.slow
@pytest.mark.parametrize(
    "freeze",
    [
        "tpad=stop_mode=clone:stop_duration=5",
        pytest.param("tpad=start_mode=clone:start_duration=5", marks=pytest.mark.slow),
    ],
)
def test_a_frozen_frame_is_no_copy(compared, photograph, megamind, tmp_path, freeze):
    """One clip stands still where the other one shows another film. Both orders agree."""
    fit = "fps=24,scale=320:236,setsar=1,format=yuv420p"
    film = f"[0:v]trim=start_frame=60:end_frame=160,setpts=N/24/TB,{fit}"
    order = "[b][f]" if "start" in freeze else "[f][b]"
    graphs = {
        "frozen.mp4": f"{film},{freeze}[out]",
        "other.mp4": f"{film}[f];[1:v]trim=end_frame=50,setpts=N/10/TB,{fit}[b];{order}concat=n=2[out]",
    }
    for name, graph in graphs.items():
        command = [
            "ffmpeg",
            "-v",
            "error",
            "-y",
            "-i",
            megamind,
            "-i",
            photograph("vtest.avi"),
            "-filter_complex",
            graph,
        ]
        command += ["-map", "[out]", "-r", 24, "-c:v", "libx264", "-preset", "veryfast", "-crf", 26, tmp_path / name]
        subprocess.run(list(map(str, command)), check=True, timeout=120)
    begin = PADDING if "start" in freeze else 0
    for names in (list(graphs), list(graphs)[::-1]):
        found = compared(*names)
        (segment,) = found["segments"]
        for key in ("in_a", "in_b"):
            assert segment[key] == pytest.approx(begin, abs=0.15), (names, key)
        for key in ("out_a", "out_b"):
            assert segment[key] == pytest.approx(begin + FILM, abs=0.15), (names, key)
        assert found["coverage_a"] == pytest.approx(FILM / (FILM + PADDING), abs=0.02)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "freeze"),
    [
        ("vtest.avi", "stop"),
        ("Megamind.avi", "start"),
        pytest.param("vtest.avi", "start", marks=pytest.mark.slow),
        pytest.param("Megamind.avi", "stop", marks=pytest.mark.slow),
    ],
)
def test_a_frozen_frame_beside_the_film_that_goes_on(compared, photograph, tmp_path, name, freeze):
    """Of a still camera the frames that follow differ by little, but only one of them is the frame that stands."""
    film, padding = (2, 6), 4  # [s]
    from_second = film[0] if freeze == "stop" else film[1]
    parts = {
        "frozen.mp4": f"trim={from_second}:{from_second + 4},setpts=PTS-STARTPTS,tpad={freeze}_mode=clone:{freeze}_duration={padding}",
        "film.mp4": f"trim={film[0]}:{film[1] + 4},setpts=PTS-STARTPTS",
    }
    for output, filters in parts.items():
        command = [
            "ffmpeg",
            "-v",
            "error",
            "-y",
            "-i",
            photograph(name),
            "-vf",
            f"fps=25,scale=320:240,setsar=1,{filters}",
        ]
        command += [
            "-r",
            25,
            "-c:v",
            "libx264",
            "-preset",
            "veryfast",
            "-crf",
            23,
            "-pix_fmt",
            "yuv420p",
            tmp_path / output,
        ]
        subprocess.run(list(map(str, command)), check=True, timeout=120)
    begin = padding if freeze == "start" else 0
    for names in (list(parts), list(parts)[::-1]):
        (segment,) = compared(*names)["segments"]
        for key, time in (("in_a", begin), ("out_a", begin + 4), ("in_b", begin), ("out_b", begin + 4)):
            assert segment[key] == pytest.approx(time, abs=0.13), (names, key)
        assert segment["speed"] == pytest.approx(1, abs=0.01)


@pytest.mark.slow
def test_the_speed_is_that_of_the_ends(compared, photograph, tmp_path):
    """Two seconds of a street, half as fast again: too little to tell its speed by."""
    vtest, rate = photograph("vtest.avi"), "60000/1001"
    film, fast = tmp_path / "film.mov", tmp_path / "fast.mov"
    part = "trim=start_frame=75:end_frame=255,setpts=(PTS-STARTPTS)/1.5"
    for file, frames, image in ((film, 320, "null"), (fast, 120, part)):
        subprocess.run(["ffmpeg", "-v", "error", "-i", vtest, "-an", "-vf", f"scale=320:-2,setpts=N/({rate})/TB,{image}", "-r", rate,
                        "-frames:v", str(frames), "-c:v", "mpeg4", "-q:v", "4", file], check=True)  # fmt: skip
    segments = compared(fast, film)["segments"]
    assert segments
    for one in segments:
        assert one["speed"] == pytest.approx((one["out_b"] - one["in_b"]) / (one["out_a"] - one["in_a"]), abs=0.01)


def test_table(octavo, copy, megamind):
    head, line, shares = octavo("video", "compare", copy("grey.mp4", "hue=s=0"), megamind).splitlines()
    assert head.split() == ["in", "A", "in", "B", "speed", "score", "image"]
    assert line.startswith("  0:00:01.2") and line.split()[6] == "1.00"
    assert re.match("6[67] % of grey.mp4 is in ", shares)


def test_unrelated_clips(octavo, copy, photograph, tmp_path):
    tree = photograph("tree.avi")
    name = copy("copy.mp4", "null")
    assert octavo("video", "compare", name, tree, "--image", "no.png") == f"{name} and {tree} share no segment\n"
    assert not (tmp_path / "no.png").exists()


def test_a_clip_that_is_shorter_than_a_segment(octavo, megamind, tmp_path):
    name = "short.mp4"
    command = [
        "ffmpeg",
        "-v",
        "error",
        "-i",
        megamind,
        "-ss",
        "3",
        "-frames:v",
        "30",
        "-c:v",
        "libx264",
        tmp_path / name,
    ]
    subprocess.run(list(map(str, command)), check=True, timeout=120)
    why = ": short.mp4 lasts 1.25 s, and no segment is shorter than 2 s (--min-seconds)\n"
    assert octavo("video", "compare", name, megamind) == f"short.mp4 and {megamind} share no segment{why}"
    assert octavo("video", "compare", megamind, name).endswith(why)
    assert "share no segment" not in octavo("video", "compare", name, megamind, "--min-seconds", 1)


def test_a_clip_that_shows_nothing_is_told(octavo, tmp_path, megamind):
    flat = tmp_path / "flat.mp4"
    made = ["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "color=gray:s=320x240:r=25:d=4"]
    subprocess.run([*made, flat], check=True, timeout=120)
    why = f"{flat} shows nothing to recognise: its frames are black, flat, titles or bars, or without features"
    for a, b in ((flat, flat), (flat, megamind), (megamind, flat)):
        assert octavo("video", "compare", a, b) == f"{a} and {b} share no segment: {why}\n"
        assert json.loads(octavo("video", "compare", a, b, "--json"))["reason"] == why
    octavo("video", "index", megamind, "--index", tmp_path / "archive")
    search = ("video", "search", flat, "--index", tmp_path / "archive")
    assert octavo(*search) == f"{flat}: not found: it{why.removeprefix(str(flat))}\n"
    assert json.loads(octavo(*search, "--json"))["reason"] == "it" + why.removeprefix(str(flat))


def test_wrong_calls(octavo, tmp_path):
    (tmp_path / "text.mp4").write_text("no video")
    assert "'nix.mp4': no such file" in octavo.error(1, "video", "compare", "nix.mp4", "nix.mp4")
    assert "text.mp4" in octavo.error(1, "video", "compare", "text.mp4", "text.mp4")
    assert "videos are read several times" in octavo.error(2, "video", "compare", "-", "text.mp4")
    assert "why.xyz" in octavo.error(2, "video", "compare", "text.mp4", "text.mp4", "--image", "why.xyz")


# Boxes that move over a still image: the speed [pixel/s], the place at the beginning and the row of each [pixel].
WALKERS, OTHER_WALKERS = [(90, 0, 100), (130, 0, 250)], [(-70, 440, 120), (-45, 400, 230)]


@pytest.mark.slow
@pytest.mark.parametrize("second, count", [(WALKERS, 1), (OTHER_WALKERS, 0)])
def test_one_place_at_two_times_is_no_copy(compared, photograph, tmp_path, second, count):
    """A still camera: features match at all times, but what moves tells that the times differ."""
    for name, walkers in (("a.mp4", WALKERS), ("b.mp4", second)):
        graph = ["color=c=white:s=60x60:r=24,split[p0][p1]", "[0]scale=512:384,loop=-1:1[s0]"]
        graph += [
            f"[s{i}][p{i}]overlay=x=mod({x}+{speed}*t\\,450):y={y}:shortest=1[s{i + 1}]"
            for i, (speed, x, y) in enumerate(walkers)
        ]
        command = [
            "ffmpeg",
            "-v",
            "error",
            "-y",
            "-framerate",
            24,
            "-i",
            photograph("home.jpg"),
            "-filter_complex",
            ";".join(graph),
        ]
        command += [
            "-map",
            "[s2]",
            "-t",
            6,
            "-c:v",
            "libx264",
            "-preset",
            "veryfast",
            "-pix_fmt",
            "yuv420p",
            tmp_path / name,
        ]
        subprocess.run(list(map(str, command)), check=True, timeout=120)
    assert len(compared("b.mp4", "a.mp4")["segments"]) == count
