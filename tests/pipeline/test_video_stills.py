"""What stands still in clips: slides, stills, and freezes. Their ends are those of the cuts."""

import json
import subprocess

import pytest

pytestmark = pytest.mark.usefixtures("ffmpeg")

RATE = 25
FRAMES = 2.01 / RATE  # [second] two frames
SLIDES = ["graf1.png", "home.jpg", "fruits.jpg", "building.jpg", "baboon.jpg", "aloeL.jpg"]
FIT = "scale=640:480:force_original_aspect_ratio=decrease,pad=640:480:(ow-iw)/2:(oh-ih)/2,setsar=1,format=yuv420p"


def encode(target, *arguments):
    command = [
        "ffmpeg",
        "-v",
        "error",
        *map(str, arguments),
        "-an",
        "-c:v",
        "libx264",
        "-preset",
        "veryfast",
        "-crf",
        "28",
        "-r",
        RATE,
        target,
    ]
    subprocess.run(list(map(str, command)), check=True, timeout=120)


@pytest.fixture(scope="module")
def clips(photograph, tmp_path_factory):
    folder = tmp_path_factory.mktemp("stills")

    def show(name, seconds, slides):
        inputs = [word for slide in slides for word in ("-i", photograph(slide))]
        hold = f"loop=-1:1,fps={RATE},trim=duration={seconds}"  # each photograph is decoded once
        graph = "".join(f"[{i}:v]{FIT},{hold}[s{i}];" for i in range(len(slides)))
        graph += "".join(f"[s{i}]" for i in range(len(slides))) + f"concat=n={len(slides)}[o]"
        encode(folder / name, *inputs, "-filter_complex", graph, "-map", "[o]")

    show("slides.mp4", 3, SLIDES)
    show("talk.mp4", 20, SLIDES[:3])
    show("still.mp4", 20, SLIDES[:1])
    show("others.mp4", 3, SLIDES[3:])
    show("alike.mp4", 4, ["graf3.png", "aloeR.jpg"])
    for name, options in {
        "slides_small.mp4": ("-i", folder / "slides.mp4", "-vf", "scale=426:320"),
        "slides_later.mp4": ("-ss", 1, "-i", folder / "slides.mp4", "-vf", "scale=426:320"),
        "talk_small.mp4": ("-i", folder / "talk.mp4", "-vf", "scale=426:320"),
        "still_small.mp4": ("-i", folder / "still.mp4", "-vf", "scale=426:320"),
    }.items():
        encode(folder / name, *options)
    return folder


@pytest.fixture(scope="module")
def moving(photograph, clips):
    """Eight seconds of a street, where cars and people move; frozen.mp4 stands for 2 s after the first four."""
    part = f"fps={RATE}"
    street = ("-ss", 20, "-t", 8, "-i", photograph("vtest.avi"))
    frozen = (
        f"{part},split[a][b];[a]trim=end=4,tpad=stop_mode=clone:stop_duration=2[c];"
        "[b]trim=start=4,setpts=PTS-STARTPTS[d];[c][d]concat[o]"
    )
    encode(clips / "street.mp4", *street, "-vf", part)
    encode(clips / "frozen.mp4", *street, "-filter_complex", frozen, "-map", "[o]")
    return clips


def compare(octavo, clips, a, b):
    """Segments of both orders, with the times of a first."""
    for first, second in ((a, b), (b, a)):
        done = octavo("video", "compare", clips / first, clips / second, "--json", "--device", "cpu")
        names = "ab" if first == a else "ba"
        yield [
            ([one[f"{end}_{name}"] for name in names for end in ("in", "out")], one)
            for one in json.loads(done)["segments"]
        ]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("a", "b", "still", "times"),
    [
        ("slides.mp4", "slides_small.mp4", False, [0, 18, 0, 18]),
        ("slides.mp4", "slides_later.mp4", False, [1, 18, 0, 17]),
        ("talk.mp4", "talk_small.mp4", False, [0, 60, 0, 60]),
        ("still.mp4", "still_small.mp4", True, [0, 20, 0, 20]),
        ("still.mp4", "slides_small.mp4", True, [0, 20, 0, 3]),
    ],
)
def test_cuts_and_stills_have_exact_ends(octavo, clips, a, b, still, times):
    for found in compare(octavo, clips, a, b):
        ((where, segment),) = found
        assert where == pytest.approx(times, abs=FRAMES)
        assert segment["still"] == still and segment["exact_ends"] and segment["speed"] == 1
        assert segment["ends_within"] <= FRAMES


@pytest.mark.slow
def test_a_freeze_parts_two_segments_to_the_frame(octavo, moving):
    for found in compare(octavo, moving, "street.mp4", "frozen.mp4"):
        first, second = sorted((where for where, _ in found), key=lambda where: where[0])
        assert first == pytest.approx([0, 4, 0, 4], abs=FRAMES)
        assert second == pytest.approx([4, 8, 6, 10], abs=FRAMES)
        assert all(segment["exact_ends"] for _, segment in found)


@pytest.mark.slow
def test_a_still_is_no_copy_of_other_slides(octavo, clips):
    for found in compare(octavo, clips, "still.mp4", "others.mp4"):
        assert found == []


@pytest.mark.slow
def test_photographs_of_one_scene_are_no_copies(octavo, clips):
    """From another place: features agree, images do not."""
    assert list(compare(octavo, clips, "alike.mp4", "slides.mp4")) == [[], []]


def test_the_text_tells_stills(octavo, clips):
    text = octavo("video", "compare", clips / "still.mp4", clips / "still_small.mp4")
    assert "0:00:00.000 - 0:00:20.000" in text and ", still" in text and "ends within" not in text
