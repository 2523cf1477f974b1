"""octavo video places: clips and images by where they were taken; and the scores of bench/video/places.py."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from report_page import ReportPage

sys.path.insert(0, str(Path(__file__).parents[2] / "bench" / "video"))

needs_ffmpeg = pytest.mark.usefixtures("ffmpeg")

# A camera that moves over a photograph, under a logo and two lines of text, one of them in the middle. They are the same
# in all clips.
MOVE = "crop=480:360:x={x}:y={y},setsar=1,format=yuv420p[s{i}]"
OVERLAYS = (
    "[{logo}:v]scale=110:110[logo];[{text}:v]crop=520:26:0:20,scale=400:20,split[text][again];"
    "[all][logo]overlay=360:8[one];[one][text]overlay=40:326[two];[two][again]overlay=20:150"
)
CLIPS = {
    "street.mp4": [("leuvenA.jpg", "30+60*t", "120+10*t")],
    "wall.mp4": [("graf1.png", "80+70*t", "100+30*t")],
    "leaves.mp4": [("aloeL.jpg", "200+90*t", "300-20*t")],
    "news.mp4": [("leuvenA.jpg", "240-50*t", "100+20*t"), ("black", "", ""), ("aloeL.jpg", "150+80*t", "250+40*t")],
}


def make_clip(file, parts, photograph):
    inputs, graph = [], []
    for i, (source, x, y) in enumerate(parts):
        if source == "black":
            inputs += ["-f", "lavfi", "-t", "1", "-i", "color=black:s=480x360:r=6"]
            graph.append(f"[{i}:v]setsar=1,format=yuv420p[s{i}]")
        else:
            inputs += ["-loop", "1", "-framerate", "6", "-t", "2.5", "-i", photograph(source)]
            graph.append(f"[{i}:v]" + MOVE.format(x=f"'{x}'", y=f"'{y}'", i=i))
    graph.append("".join(f"[s{i}]" for i in range(len(parts))) + f"concat=n={len(parts)}[all]")
    if len(parts) == 1:
        graph.append(OVERLAYS.format(logo=1, text=2))
        inputs += ["-i", photograph("LinuxLogo.jpg"), "-i", photograph("imageTextN.png")]
    else:
        graph.append("[all]null")
    command = [
        "ffmpeg",
        "-v",
        "error",
        *inputs,
        "-filter_complex",
        ";".join(graph),
        "-r",
        "6",
        "-c:v",
        "mpeg4",
        "-q:v",
        "4",
    ]
    subprocess.run(list(map(str, [*command, file])), check=True, timeout=60)


@pytest.fixture(scope="session")
def shown(photograph, tmp_path_factory):
    """A folder of clips and images of three places, and one of something else."""
    folder = tmp_path_factory.mktemp("places")
    for name, parts in CLIPS.items():
        make_clip(folder / name, parts, photograph)
    for name in ("leuvenB.jpg", "graf3.png", "aloeR.jpg", "fruits.jpg"):
        shutil.copy(photograph(name), folder / name)
    return folder


def name_of(member):
    return Path(member["file"]).name


def names(found):
    """The names of the files of each place."""
    return sorted(sorted(map(name_of, place["members"])) for place in found["places"])


EXPECTED = [
    ["aloeR.jpg", "leaves.mp4", "news.mp4"],
    ["graf3.png", "wall.mp4"],
    ["leuvenB.jpg", "news.mp4", "street.mp4"],
]


@pytest.mark.slow
@needs_ffmpeg
def test_clips_and_images_of_a_place_are_together(octavo, shown, chromium):
    found = json.loads(octavo("video", "places", shown, "--json", "-o", "page.html", "--device", "cpu"))
    assert names(found) == EXPECTED and list(map(name_of, found["single"])) == ["fruits.jpg"]
    assert {Path(one["file"]).name: one["kind"] for one in found["files"]} == {
        **dict.fromkeys(CLIPS, "clip"),
        **dict.fromkeys(("leuvenB.jpg", "graf3.png", "aloeR.jpg", "fruits.jpg"), "image"),
    }
    ((black, reason),) = [(part, part["reason"]) for part in found["left_out"]]
    assert (reason, black["in"], black["out"]) == ("black", pytest.approx(2.5, abs=0.2), pytest.approx(3.5, abs=0.2))
    page = ReportPage(chromium, octavo.folder / "page.html")
    told = json.loads(json.dumps(found).replace(json.dumps(str(shown))[1:-1] + "/", ""))  # pages are given to others
    assert page.json == told and not chromium.get_log("browser")
    assert len(chromium.find_elements("css selector", "section[id^=place-]")) == 3
    joins = sum(pair["joins"] for place in found["places"] for pair in place["pairs"])
    drawn = chromium.find_elements("css selector", ".matches svg")
    assert len(drawn) == joins == 5
    assert all(len(one.find_elements("css selector", "line")) >= 12 for one in drawn)
    assert all(
        image.get_property("naturalWidth") > 0 for image in chromium.find_elements("css selector", ".images img")
    )


@pytest.mark.slow
@needs_ffmpeg
def test_members_pairs_and_times(octavo, shown):
    found = json.loads(octavo("video", "places", shown, "--json", "--threads", "1"))
    assert found == json.loads(octavo("video", "places", shown, "--json", "--threads", "2"))
    assert set(found) == {"files", "places", "single", "doubtful", "left_out"}
    spans = []
    for place in found["places"]:
        members = {member["member"]: member for member in place["members"]}
        joins = [pair for pair in place["pairs"] if pair["joins"]]
        assert len(joins) == len(members) - 1
        for pair in place["pairs"]:
            measured = {"member_a", "member_b", "seconds_a", "seconds_b", "inlier_count", "match_count"}
            assert set(pair) == measured | {"model", "sure", "joins"}
            assert 8 < pair["inlier_count"] <= pair["match_count"]
            assert pair["model"] in ("homography", "fundamental")
            for side in "ab":
                assert pair[f"seconds_{side}"] in members[pair[f"member_{side}"]].get("frame_seconds", [0])
        spans += [member for member in place["members"] if name_of(member) == "news.mp4"]
    first, second = sorted(spans, key=lambda member: member["in"])
    assert (first["in"], first["out"], first["out_frame"]) == (0, pytest.approx(2.5, abs=0.2), pytest.approx(15, abs=1))
    assert (second["in"], second["in_time_code"]) == (pytest.approx(3.5, abs=0.2), "00:00:03:03")
    assert all(second["in"] <= seconds < second["out"] for seconds in second["frame_seconds"])


@pytest.mark.slow
@needs_ffmpeg
def test_the_same_logo_and_text_join_no_places(octavo, shown):
    clips = [shown / name for name in ("street.mp4", "wall.mp4", "leaves.mp4")]
    assert json.loads(octavo("video", "places", *clips, "--json"))["places"] == []
    for i, clip in enumerate(clips):  # still images of them, of several sizes
        command = ["ffmpeg", "-v", "error", "-i", clip, "-frames:v", "1", "-vf", f"scale={480 + 80 * i}:-2"]
        subprocess.run(list(map(str, [*command, octavo.folder / f"{i}.png"])), check=True, timeout=60)
    found = json.loads(octavo("video", "places", *(f"{i}.png" for i in range(3)), "--json"))
    assert (found["places"], found["doubtful"], len(found["single"])) == ([], [], 3)


def test_images_of_different_things_are_in_no_place(octavo, photograph):
    some = ["fruits.jpg", "baboon.jpg", "home.jpg", "chessboard.png", "sudoku.png", "leuvenA.jpg", "cards.png"]
    printed = octavo("video", "places", *map(photograph, some), "-o", "page.html")
    assert printed.startswith("in no place\n") and printed.endswith("\n0 places with 0 of 7 files\n")
    assert "0 places with 0 of 7 files." in (octavo.folder / "page.html").read_text()


def test_the_number_of_drawings_is_limited(octavo, photograph):
    octavo(
        "video", "places", *map(photograph, ("leuvenA.jpg", "leuvenB.jpg")), "-o", "page.html", "--max-drawings", "0"
    )
    page = (octavo.folder / "page.html").read_text()
    assert "1 pair not drawn." in page and "<svg" not in page


def test_the_table(octavo, photograph):
    some = ["leuvenA.jpg", "leuvenB.jpg", "fruits.jpg"]
    lines = octavo("video", "places", *map(photograph, some), "--max-frames", "3", "--neighbours", "2").splitlines()
    assert lines[0] == "place 1, 1 pair" and lines[1].split() == ["in", "out", "frames", "pairs", "file"]
    assert [line.split()[-1] for line in lines[2:4]] == [str(photograph(name)) for name in some[:2]]
    assert lines[-1] == "1 place with 2 of 3 files"


@needs_ffmpeg
def test_a_file_that_fails_does_not_stop_the_others(octavo, shown, photograph):
    (octavo.folder / "empty.mp4").touch()
    (octavo.folder / "text.jpg").write_text("no image")
    (octavo.folder / "folder").mkdir()
    whole = (shown / "street.mp4").read_bytes()
    (octavo.folder / "broken.mp4").write_bytes(whole[: len(whole) // 2])
    bad = ["none.jpg", "empty.mp4", "text.jpg", "broken.mp4", "folder"]
    done = octavo.call("video", "places", *bad, photograph("leuvenA.jpg"), photograph("leuvenB.jpg"), "--json")
    assert done.returncode == 1 and done.stderr.count("octavo: ") == len(bad)
    assert all(name in done.stderr for name in bad)
    found = json.loads(done.stdout)
    assert names(found) == [["leuvenA.jpg", "leuvenB.jpg"]] and len(found["files"]) == 2
    done = octavo.call("video", "places", *bad, "-o", "page.html")
    assert (done.returncode, done.stdout) == (1, "") and not (octavo.folder / "page.html").exists()


@needs_ffmpeg
def test_a_clip_that_shows_nothing(octavo):
    black = ["-f", "lavfi", "-t", "1", "-i", "color=black:s=320x240:r=6", "-c:v", "mpeg4", octavo.folder / "black.mp4"]
    subprocess.run(list(map(str, ["ffmpeg", "-v", "error", *black])), check=True, timeout=60)
    found = json.loads(octavo("video", "places", "black.mp4", "--json"))
    assert (found["places"], found["single"]) == ([], [])
    assert [part["reason"] for part in found["left_out"]] == ["black"]


def test_archives_give_their_files(octavo, photograph):
    images = ("fruits.jpg", "leuvenA.jpg", "leuvenB.jpg")
    for name in images:
        shutil.copy(photograph(name), octavo.folder / name)
    expected = json.loads(octavo("video", "places", *(octavo.folder / name for name in images), "--json"))
    for archive, files in (("one", images[:2]), ("other", images[1:])):  # the second image is in both
        octavo("video", "index", *files, "--index", archive, "--device", "cpu")
    both = ("video", "places", "--index", "other", "--index", "one", "--json")
    assert json.loads(octavo(*both)) == json.loads(octavo(*both, "leuvenA.jpg")) == expected
    mixed = json.loads(octavo("video", "places", "--index", "one", "leuvenB.jpg", "--json"))
    assert names(mixed) == names(expected) == [["leuvenA.jpg", "leuvenB.jpg"]]
    (octavo.folder / "fruits.jpg").unlink()
    done = octavo.call(*both)
    assert done.returncode == 1 and "fruits.jpg' is gone or has changed since it was indexed" in done.stderr
    assert len(json.loads(done.stdout)["files"]) == 2


def test_wrong_calls(octavo, photograph):
    image = photograph("leuvenA.jpg")
    for arguments, code in (
        ([], 2),
        (["-"], 2),
        ([image, "--max-frames", "-1"], 2),
        ([image, "--neighbours", "0"], 2),
        ([image, "--fps", "2"], 2),
        ([image, "--max-drawings", "5"], 2),
        ([image, "-o", "page.png"], 2),
        ([image, "-o", "none/page.html"], 1),
        (["none.jpg"], 1),
    ):
        done = octavo.call("video", "places", *arguments)
        assert done.returncode == code and done.stderr.startswith("octavo: "), arguments
    shutil.copy(image, octavo.folder / "page.html")
    octavo.error(2, "video", "places", "page.html", "-o", "page.html")
    assert (octavo.folder / "page.html").read_bytes() == image.read_bytes()


def test_scores():
    places = pytest.importorskip("places")
    truth = {
        "a.mp4": [{"in": 0, "out": 2, "place": "x"}, {"in": 3, "out": 5, "place": "y"}],
        "b.jpg": [{"place": "x"}],
        "c.jpg": [{"place": "y"}],
        "d.jpg": [{"place": "x"}],
    }
    of_clip = lambda begin, end: {"file": "f/a.mp4", "in": begin, "out": end}
    image = lambda name: {"file": f"f/{name}.jpg"}
    right = {"places": [{"members": [of_clip(0, 2), image("b"), image("d")]}, {"members": [of_clip(3, 5), image("c")]}]}
    assert [places.scores(truth, right)[key] for key in ("precision", "recall", "true_pairs")] == [1, 1, 4]
    wrong = {"places": [{"members": [of_clip(0.5, 2), of_clip(2.1, 2.9), image("b"), image("c")]}]}
    scores = places.scores(truth, wrong)
    assert (scores["precision"], scores["recall"], scores["cards_in_places"]) == (pytest.approx(1 / 3), 0.25, 1)
    assert places.scores(truth, {"places": []})["recall"] == 0
