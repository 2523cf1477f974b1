"""octavo video search, duplicates and verdict: clips that are found again in an archive."""

import json
import os
import re
import shutil
import subprocess

import pytest
from PIL import Image

from conftest import Octavo

pytestmark = pytest.mark.usefixtures("ffmpeg")


def make(source, target, begin, seconds, image):
    command = ["ffmpeg", "-v", "error", "-ss", str(begin), "-t", str(seconds), "-i", source, "-an", "-vf", image]
    subprocess.run([*command, "-c:v", "mpeg4", "-q:v", "4", target], check=True, timeout=60)


@pytest.fixture(scope="session")
def clips(photograph, tmp_path_factory):
    """Films of an archive, and queries: parts of them, changed."""
    folder = tmp_path_factory.mktemp("clips")
    vtest, megamind = photograph("vtest.avi"), photograph("Megamind.avi")
    make(vtest, folder / "street.avi", 20, 12, "scale=480:-2")
    make(megamind, folder / "megamind.avi", 0, 8, "scale=480:-2")
    make(vtest, folder / "part.avi", 24, 4, "scale=480:-2,hue=s=0")
    make(vtest, folder / "mirrored.avi", 24, 4, "scale=480:-2,hflip")
    make(vtest, folder / "cropped.avi", 24, 4, "crop=iw*0.7:ih*0.7,scale=480:-2")
    make(vtest, folder / "stretched.avi", 24, 4, "scale=336:360")
    make(vtest, folder / "negative.avi", 24, 4, "scale=480:-2,hflip,negate")
    make(vtest, folder / "reversed.avi", 24, 4, "scale=480:-2,reverse")
    make(photograph("tree.avi"), folder / "unknown.avi", 2, 4, "scale=320:-2")
    return folder


def make_archive(octavo, clips):
    for name in ("street.avi", "megamind.avi"):
        shutil.copy(clips / name, octavo.folder / name)
    octavo("video", "index", "street.avi", "megamind.avi", "--index", "archive", "--device", "cpu")
    return "archive"


@pytest.fixture
def archive(octavo, clips):
    """An archive that a test may change."""
    return make_archive(octavo, clips)


@pytest.fixture(scope="module")
def films(clips, tmp_path_factory):
    """The program in a folder with such an archive, which tests only read."""
    octavo = Octavo(tmp_path_factory.mktemp("films"))
    make_archive(octavo, clips)
    return octavo


def search(octavo, archive, *arguments):
    return json.loads(octavo("video", "search", *arguments, "--index", archive, "--json", "--device", "cpu"))


@pytest.mark.parametrize("name", ["part", "cropped", "mirrored", "stretched"])
def test_a_part_is_found_to_the_frame(films, clips, name):
    found = search(films, "archive", clips / f"{name}.avi")
    assert found["query"] == str(clips / f"{name}.avi")
    assert found["seconds"] == pytest.approx(4, abs=0.11)
    assert [clip["clip"] for clip in found["found_clips"]] == [str(films.folder / "street.avi")]
    clip = found["found_clips"][0]
    assert clip["coverage_query"] > 0.95 and clip["coverage_clip"] == pytest.approx(1 / 3, abs=0.04)
    assert len(clip["segments"]) == 1
    segment = clip["segments"][0]
    assert segment["mirrored"] == (name == "mirrored")
    assert segment["exact_ends"] and segment["speed"] == pytest.approx(1, abs=0.02)
    # vtest.avi has 10 frames a second.
    assert segment["in_clip"] - segment["in_query"] == pytest.approx(4, abs=0.2)
    assert segment["out_clip"] - segment["out_query"] == pytest.approx(4, abs=0.2)
    scale = (segment["similarity"][0][0] ** 2 + segment["similarity"][1][0] ** 2) ** 0.5
    assert scale == pytest.approx({"cropped": 0.7, "stretched": 480 / 336}.get(name, 1), abs=0.01)
    # 336×360 in place of 480×360
    assert segment["stretch"] == pytest.approx(480 / 336 if name == "stretched" else 1, abs=0.01)


@pytest.mark.slow
def test_a_negative_is_found_by_option(films, clips):
    assert search(films, "archive", clips / "negative.avi")["found_clips"] == []
    (clip,) = search(films, "archive", clips / "negative.avi", "--negative", "--images", "negatives")["found_clips"]
    (segment,) = clip["segments"]
    assert segment["negative"] and segment["mirrored"] and segment["exact_ends"]
    assert segment["in_clip"] - segment["in_query"] == pytest.approx(4, abs=0.2)
    assert segment["out_clip"] - segment["out_query"] == pytest.approx(4, abs=0.2)
    assert (films.folder / "negatives" / "negative.avi-1.png").exists()
    (clip,) = search(films, "archive", clips / "part.avi", "--negative")["found_clips"]
    assert not clip["segments"][0]["negative"]


@pytest.mark.slow
def test_what_runs_backwards_is_found_by_option(films, clips):
    (clip,) = search(films, "archive", clips / "reversed.avi", "--reversed", "--images", "back")["found_clips"]
    (segment,) = clip["segments"]
    assert segment["speed"] == pytest.approx(-1, abs=0.02) and segment["exact_ends"]
    times = [segment[key] for key in ("in_query", "out_query", "in_clip", "out_clip")]
    assert times == pytest.approx([0, 4, 4, 8], abs=0.21)
    assert (films.folder / "back" / "reversed.avi-1.png").exists()
    (clip,) = search(films, "archive", clips / "part.avi", "--reversed")["found_clips"]
    assert clip["segments"][0]["speed"] == pytest.approx(1, abs=0.02)


@pytest.mark.slow
def test_a_part_is_found_in_a_broadcast_that_was_joined(octavo, clips, photograph):
    """The times of the second part begin at 0 again."""
    parts = []
    for source, begin, seconds in [("Megamind.avi", 0, 8), ("vtest.avi", 20, 12)]:
        part = octavo.folder / "part.ts"
        command = [
            "ffmpeg",
            "-v",
            "error",
            "-y",
            "-ss",
            str(begin),
            "-t",
            str(seconds),
            "-i",
            photograph(source),
            "-an",
        ]
        subprocess.run(
            [*command, "-vf", "scale=480:-2,fps=25", "-c:v", "mpeg2video", "-q:v", "3", part], check=True, timeout=60
        )
        parts.append(part.read_bytes())
    (octavo.folder / "joined.ts").write_bytes(b"".join(parts))
    indexed = octavo.call("video", "index", "joined.ts", "--index", "archive", "--device", "cpu")
    assert indexed.returncode == 0 and "times go back" in indexed.stdout + indexed.stderr
    [clip] = search(octavo, "archive", clips / "part.avi")["found_clips"]
    [segment] = clip["segments"]
    assert clip["coverage_query"] > 0.95 and segment["ends_within"] <= 0.5
    assert segment["in_clip"] - segment["in_query"] == pytest.approx(12, abs=0.2)
    assert segment["out_clip"] - segment["out_query"] == pytest.approx(12, abs=0.2)


def test_what_is_not_there_is_not_found(films, clips):
    assert search(films, "archive", clips / "unknown.avi")["found_clips"] == []
    assert search(films, "archive", clips / "mirrored.avi", "--no-mirror")["found_clips"] == []
    assert search(films, "archive", clips / "part.avi", "--min-seconds", "10")["found_clips"] == []
    assert films("video", "search", clips / "unknown.avi", "--index", "archive").endswith("unknown.avi: not found\n")
    text = films("video", "search", clips / "part.avi", "--index", "archive", "--min-seconds", "10")
    assert re.search(r"part\.avi: not found: it lasts \d\.\d\d s, and no segment is shorter than 10 s \(--min-", text)


@pytest.mark.parametrize("pace", [1, 2])
def test_another_time_of_a_still_camera_is_not_found(films, photograph, tmp_path, pace):
    """The camera of street.avi, half a minute later: features match at all times, and some people walk alike."""
    make(photograph("vtest.avi"), tmp_path / "later.avi", 64, 10, f"scale=480:-2,setpts={pace}*PTS")
    assert search(films, "archive", tmp_path / "later.avi")["found_clips"] == []


def test_a_list_of_queries_and_one_that_fails(films, clips):
    done = films.call(
        "video", "search", clips / "part.avi", "none.avi", clips / "unknown.avi", "--index", "archive", "--json"
    )
    assert done.returncode == 1
    assert done.stderr == "octavo: cannot read 'none.avi': no such file\n"
    assert [len(one["found_clips"]) for one in json.loads(done.stdout)] == [1, 0]


def test_ends_are_rough_where_the_file_is_gone(octavo, archive, clips):
    (octavo.folder / "street.avi").unlink()
    [segment] = search(octavo, archive, clips / "part.avi")["found_clips"][0]["segments"]
    assert not segment["exact_ends"]
    assert segment["in_clip"] - segment["in_query"] == pytest.approx(4, abs=0.6)


def test_a_file_that_changed_or_is_damaged_loses_no_result(octavo, archive, clips):
    """The stamp of a file tells that it changed; one that is damaged behind its stamp cannot be decoded."""
    street = octavo.folder / "street.avi"
    stamp = street.stat()
    street.write_bytes((clips / "megamind.avi").read_bytes())
    found = search(octavo, archive, clips / "part.avi")["found_clips"]
    assert [one["exact_ends"] for clip in found for one in clip["segments"]] == [False]
    street.write_bytes(bytes(stamp.st_size))
    os.utime(street, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    query = ("video", "search", clips / "part.avi", "--index", archive, "--json", "--images", "why")
    done = octavo.call(*query)
    assert done.returncode == 1 and done.stderr.count(f"cannot read '{street}'") == done.stderr.count("octavo: ") == 1
    assert [one["exact_ends"] for clip in json.loads(done.stdout)["found_clips"] for one in clip["segments"]] == [False]
    assert list((octavo.folder / "why").iterdir()) == []
    shutil.copy(clips / "part.avi", octavo.folder / "part.avi")
    octavo("video", "index", "part.avi", "--index", archive, "--device", "cpu")
    done = octavo.call("video", "duplicates", "--index", archive, "--exact-ends", "--json")
    assert done.returncode == 1 and f"cannot read '{street}'" in done.stderr
    assert len(json.loads(done.stdout)["pairs"]) == 1


def test_a_lost_signature_costs_no_others(octavo, archive, clips, tmp_path):
    listed = json.loads(octavo("video", "list", "--index", archive, "--json"))
    (lost,) = [clip["facts"]["signature_digest"] for clip in listed["clips"] if clip["given"] == "megamind.avi"]
    (octavo.folder / archive / "segments" / lost[:2] / f"{lost}.signature").unlink()
    for command in (
        ("search", clips / "part.avi", "--rough-ends"),
        ("duplicates",),
        ("takes", "--rough-cuts"),
        ("report", "-o", "r.html"),
        ("report", clips / "part.avi", "--rough-ends", "--json-output", "r.json"),
    ):
        told = octavo.error(1, "video", *command, "--index", archive)
        assert "megamind.avi' in the archive 'archive' is lost" in told
    (pair,) = json.loads((octavo.folder / "r.json").read_text())["pairs"]
    assert pair["clip_b"].endswith("street.avi")
    assert "megamind.avi" in (octavo.folder / "r.html").read_text()
    done = octavo.call("video", "search", clips / "part.avi", "--index", archive, "--rough-ends", "--json")
    assert len(json.loads(done.stdout)["found_clips"]) == 1


@pytest.mark.slow
def test_an_archive_that_cannot_be_written(bound, archive, clips):
    files = list((bound.folder / archive).rglob("*"))
    for has_lists in (False, True):
        for path in (bound.folder / archive, *files):
            path.chmod(0o555)
        try:
            for command in ("list", "duplicates", "takes"):
                bound("video", command, "--index", archive)
            bound("video", "report", "--index", archive, "-o", "r.html")
            (found,) = search(bound, archive, clips / "part.avi")["found_clips"]
            assert found["clip"].endswith("street.avi")
            assert "cannot be changed" in bound.error(1, "video", "forget", "street.avi", "--index", archive)
            assert (bound.folder / archive / "lists").exists() == has_lists
        finally:
            for path in (bound.folder / archive, *files):
                path.chmod(0o755)
        bound("video", "duplicates", "--index", archive)
        files = list((bound.folder / archive).rglob("*"))


def test_images_show_why(films, clips):
    films("video", "search", clips / "part.avi", clips / "unknown.avi", "--index", "archive", "--images", "why")
    assert [file.name for file in (films.folder / "why").iterdir()] == ["part.avi-1.png"]
    assert Image.open(films.folder / "why" / "part.avi-1.png").width > 900  # two frames side by side
    done = films.call("video", "search", clips / "part.avi", "part.avi", "--index", "archive", "--images", "why")
    assert (done.returncode, done.stderr.count("two queries are called 'part.avi'")) == (2, 1)


def test_duplicates_and_verdicts(octavo, archive, clips):
    assert octavo("video", "duplicates", "--index", archive) == "0 pairs\n"
    shutil.copy(clips / "part.avi", octavo.folder / "part.avi")
    octavo("video", "index", "part.avi", "--index", archive, "--device", "cpu")
    duplicates = ("video", "duplicates", "--index", archive, "--json")
    printed = json.loads(octavo(*duplicates))
    assert printed["left_out_count"] == 0
    [pair] = printed["pairs"]
    covered = {pair[f"clip_{side}"]: pair[f"coverage_{side}"] for side in "ab"}
    assert covered[str(octavo.folder / "part.avi")] > 0.8
    assert covered[str(octavo.folder / "street.avi")] == pytest.approx(1 / 3, abs=0.06)
    assert pair["verdict"] is None
    portable = json.loads(octavo(*duplicates, "--isa", "portable"))
    assert portable == printed
    assert '--isa is "none"' in octavo.error(2, *duplicates, "--isa", "none")

    octavo("video", "verdict", "part.avi", "street.avi", "ignore", "--note", "a part", "--index", archive)
    assert json.loads(octavo(*duplicates)) == {
        "pairs": [],
        "left_out_count": 1,
        "recurring_segments": [],
        "recurring_pair_count": 0,
    }
    assert json.loads(octavo(*duplicates, "--all"))["pairs"][0]["verdict"] == "ignore"
    [verdict] = json.loads(octavo("video", "verdict", "--index", archive, "--json"))
    assert verdict["verdict"] == "ignore" and verdict["note"] == "a part"
    octavo("video", "verdict", "street.avi", "part.avi", "--remove", "--index", archive)
    assert json.loads(octavo(*duplicates))["pairs"][0]["verdict"] is None


@pytest.mark.slow
def test_an_intro_recurs(octavo, clips, photograph):
    """Five clips begin with the same three seconds; two of them share a scene too."""
    make(photograph("Megamind.avi"), octavo.folder / "intro.avi", 0, 3, "scale=320:240,fps=10")
    make(photograph("vtest.avi"), octavo.folder / "street.avi", 30, 3, "scale=320:240,fps=10")
    for i, name in enumerate(["fruits.jpg", "home.jpg", "building.jpg", "baboon.jpg", "board.jpg"]):
        pan = ["-r", "10", "-i", photograph(name)]
        street = ["-i", "street.avi"] if i > 2 else []
        shown = "[0:v]setsar=1[p0];[1:v]scale=640:-2,loop=-1:1,trim=duration=8,crop=320:240:'12*t':40,format=yuv420p,setsar=1[p1];"
        shown += "[2:v]setsar=1[p2];[p0][p1][p2]concat=n=3" if street else "[p0][p1]concat=n=2"
        command = ["ffmpeg", "-v", "error", "-i", "intro.avi", *pan, *street, "-filter_complex", shown]
        subprocess.run(
            [*command, "-c:v", "mpeg4", "-q:v", "4", f"film{i}.avi"], cwd=octavo.folder, check=True, timeout=60
        )
    octavo("video", "index", *(f"film{i}.avi" for i in range(5)), "--index", "archive", "--device", "cpu")
    found = json.loads(octavo("video", "duplicates", "--index", "archive", "--json"))
    [segment] = found["recurring_segments"]
    assert segment["clip_count"] == 5
    assert all(
        place["in"] == pytest.approx(0, abs=0.6) and place["out"] == pytest.approx(3, abs=0.6)
        for place in segment["places"]
    )
    [pair] = found["pairs"]
    assert (
        sorted(pair[f"clip_{side}"][-9:] for side in "ab") == ["film3.avi", "film4.avi"]
        and found["recurring_pair_count"] == 9
    )
    assert pair["coverage_a"] == pytest.approx(3 / 14, abs=0.06)
    assert sorted(one["recurring_index"] is None for one in pair["segments"]) == [False, True]
    printed = octavo("video", "duplicates", "--index", "archive")
    assert printed.startswith("recurring in 5 clips\n") and "share recurring segments alone\n" in printed
    many = json.loads(octavo("video", "duplicates", "--index", "archive", "--recurring", "9", "--json"))
    assert many["recurring_segments"] == [] and many["recurring_pair_count"] == 0 and len(many["pairs"]) == 10
    assert octavo.call("video", "duplicates", "--index", "archive", "--recurring", "2").returncode == 2


def test_wrong_calls(films):
    def refused(code, message, *arguments):
        done = films.call("video", *arguments)
        assert (done.returncode, done.stderr) == (code, f"octavo: {message}\n")

    index = ("--index", "archive")
    refused(1, "'none.avi' is not in the archive 'archive'", "verdict", "none.avi", "street.avi", "same", *index)
    refused(
        1,
        "'street.avi' and 'street.avi' have the same bytes: they are one clip",
        "verdict",
        "street.avi",
        "street.avi",
        "same",
        *index,
    )
    refused(
        1,
        "there is no verdict on 'megamind.avi' and 'street.avi'",
        "verdict",
        "megamind.avi",
        "street.avi",
        "--remove",
        *index,
    )
    for code, arguments in (
        (2, ("verdict", "street.avi", *index)),
        (2, ("verdict", "street.avi", "megamind.avi", *index)),
        (2, ("verdict", "street.avi", "megamind.avi", "alike", *index)),
        (2, ("verdict", "--note", "x", *index)),
        (2, ("search", "street.avi", "--min-frames", "0", *index)),
        (1, ("search", "street.avi", "--index", "none")),
        (1, ("duplicates", "--index", "none")),
    ):
        assert films.call("video", *arguments).returncode == code, arguments
