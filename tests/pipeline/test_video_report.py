"""octavo video report: the page, CSV, JSON and OpenTimelineIO of what an archive has twice, and of where clips are in it."""

import csv
import io
import json
import re
import shutil
import subprocess

import opentimelineio as otio
import pytest
from selenium.webdriver.support.ui import Select, WebDriverWait

from conftest import Octavo

pytestmark = pytest.mark.usefixtures("ffmpeg")


def make(source, target, begin, seconds, image, *more):
    command = ["ffmpeg", "-v", "error", "-ss", str(begin), "-t", str(seconds), "-i", source, "-an", "-vf", image]
    subprocess.run([*command, "-c:v", "mpeg4", "-q:v", "4", *more, target], check=True, timeout=60)


@pytest.fixture(scope="module")
def archive(photograph, tmp_path_factory):
    """An archive with a film, the same film smaller, a part of it, the same bytes twice, and a file that fails; and clips
    that are not in it."""
    octavo = Octavo(tmp_path_factory.mktemp("report"))
    films = octavo.folder / "films, old"
    films.mkdir()
    vtest, megamind = photograph("vtest.avi"), photograph("Megamind.avi")
    make(vtest, films / "street.avi", 20, 10, "scale=480:-2")
    make(vtest, films / "small street.avi", 20, 10, "scale=360:-2")
    make(vtest, films / "part's.avi", 24, 4, "scale=480:-2,hue=s=0")
    make(megamind, films / "megamind.avi", 0, 8, "scale=480:-2")
    shutil.copy(films / "part's.avi", films / "twin.avi")
    (films / "broken.avi").touch()
    make(vtest, octavo.folder / "mirrored.avi", 23, 4, "crop=iw*0.8:ih*0.8,scale=480:-2,hflip")
    make(megamind, octavo.folder / "fast.avi", 0, 6, "scale=480:-2,setpts=PTS/1.5", "-r", "24")
    make(photograph("tree.avi"), octavo.folder / "unknown.avi", 2, 3, "scale=320:-2")
    assert octavo.call("video", "index", films, "--index", "archive", "--device", "cpu").returncode == 1
    return octavo


@pytest.fixture(scope="module")
def whole(archive):
    """All outputs of the archive with itself, in one call. The part is judged to be of no interest to the small street."""
    archive("video", "verdict", "films, old/part's.avi", "films, old/small street.avi", "ignore", "--index", "archive")
    archive(
        "video",
        "report",
        "--index",
        "archive",
        "-o",
        "r.html",
        "--csv",
        "r.csv",
        "--json-output",
        "r.json",
        "--otio",
        "r.otio",
        "--exact-ends",
        "--device",
        "cpu",
    )
    return archive


@pytest.fixture(scope="module")
def searched(archive):
    archive(
        "video",
        "report",
        "mirrored.avi",
        "fast.avi",
        "unknown.avi",
        "--index",
        "archive",
        "--csv",
        "s.csv",
        "--json-output",
        "s.json",
        "--otio",
        "s.otio",
        "-o",
        "s.html",
        "--device",
        "cpu",
    )
    return archive


def report_of(octavo, name):
    return json.loads((octavo.folder / name).read_text())


def names(pair):
    return {pair["clip_" + side].rpartition("/")[2] for side in "ab"}


class Page:
    def __init__(self, driver, file):
        self.driver = driver
        driver.get_log("browser")  # what an earlier page left there
        driver.get(file.as_uri())
        self.wait(lambda: self.run("return document.body.dataset.ready") == "yes")
        assert driver.get_log("browser") == []
        outside = self.run("return performance.getEntriesByType('resource').map((r) => r.name)")
        assert [name for name in outside if not name.startswith("data:")] == []

    def wait(self, condition):
        WebDriverWait(self.driver, 20, poll_frequency=0.02).until(lambda _: condition())

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def one(self, selector):
        return self.driver.find_element("css selector", selector)

    def all(self, selector):
        return self.driver.find_elements("css selector", selector)

    def texts(self, selector):
        return self.run(
            "return [...document.querySelectorAll(arguments[0])].map((found) => found.innerText.trim())", selector
        )

    def shown(self):
        """The ranks of the pairs in their order."""
        return self.texts("#pairs .rank")

    def fill(self, name, value):
        self.run(
            "const field = document.querySelector(`#filters [name=${arguments[0]}]`); field.value = arguments[1];"
            "field.dispatchEvent(new Event('input', { bubbles: true }))",
            name,
            value,
        )


def test_json_has_what_duplicates_prints(whole):
    report, printed = (
        report_of(whole, "r.json"),
        json.loads(whole("video", "duplicates", "--index", "archive", "--all", "--exact-ends", "--json")),
    )
    assert (
        report["of"] == "archive" and report["queries"] is None and report["archive"] == str(whole.folder / "archive")
    )
    assert [names(pair) for pair in report["pairs"]][0] == {"street.avi", "small street.avi"}
    assert len(report["pairs"]) == len(printed["pairs"]) == 3
    for pair, other in zip(report["pairs"], printed["pairs"]):
        for key in ("clip_a", "clip_b", "score", "coverage_a", "coverage_b", "verdict"):
            assert pair[key] == other[key]
        if other["verdict"] is None:
            # The report leaves recurring segments out, so its segments need not say which of them recur.
            expected = [{**segment, "recurring_index": None} for segment in pair["segments"]]
            assert [{key: s[key] for key in o} for s, o in zip(expected, other["segments"])] == other["segments"]
            assert all(segment["exact_ends"] for segment in pair["segments"])
    assert [failed["problems"] for failed in report["failed_clips"]] == [["it is empty"]]
    files = [
        {file.rpartition("/")[2] for i in group["indices"] for file in report["clips"][i]["files"]}
        for group in report["groups"]
    ]
    assert sorted(map(sorted, files)) == [["part's.avi", "twin.avi"], ["small street.avi", "street.avi"]]
    for group in report["groups"]:
        assert group["file_count"] == 2 and group["size"] > group["size_without_largest"] > 0


def test_csv_has_the_segments(whole):
    text = (whole.folder / "r.csv").read_bytes().decode()
    assert text.count("\r\n") == text.count("\n")
    rows, report = list(csv.DictReader(io.StringIO(text, newline=""))), report_of(whole, "r.json")
    segments = [
        (i, pair, k, segment)
        for i, pair in enumerate(report["pairs"], 1)
        for k, segment in enumerate(pair["segments"], 1)
    ]
    assert len(rows) == len(segments) >= 3
    for row, (i, pair, k, segment) in zip(rows, segments):
        assert (row["pair"], row["segment"], row["clip_a"]) == (str(i), str(k), pair["clip_a"])
        for key in ("in_a", "out_a", "in_b", "out_b", "speed", "scale", "degrees", "score"):
            assert float(row[key]) == pytest.approx(segment[key], rel=1e-5, abs=1e-6)
        assert row["verdict"] == (pair["verdict"] or "")


def check_timeline(octavo, name, report):
    """Reads a timeline with OpenTimelineIO's own library, and compares the times of all its segments with those of JSON."""
    timeline = otio.adapters.read_from_file(str(octavo.folder / name))
    found = set()
    for stack in timeline.tracks[0]:
        assert isinstance(stack, otio.schema.Stack)
        own = stack[0][0]
        length = own.source_range.duration
        for track in stack[1:]:
            assert track.kind == otio.schema.TrackKind.Video
            assert track.duration().to_seconds() == pytest.approx(length.to_seconds(), abs=1e-6)
            for clip in track:
                if isinstance(clip, otio.schema.Gap):
                    continue
                of = clip.metadata["octavo"]
                found.add((of["pair"], of["segment"], of["this"]))
                segment = report["pairs"][of["pair"] - 1]["segments"][of["segment"] - 1]
                mine, theirs = ("a", "b") if of["this"] == "b" else ("b", "a")
                half = 0.5 / length.rate + 1e-6
                at = clip.range_in_parent()
                assert at.start_time.to_seconds() == pytest.approx(segment[f"in_{mine}"], abs=half)
                assert at.end_time_exclusive().to_seconds() == pytest.approx(segment[f"out_{mine}"], abs=half)
                start = clip.source_range.start_time
                assert start.to_seconds() == pytest.approx(segment[f"in_{theirs}"], abs=0.5 / start.rate + 1e-6)
                speed = clip.effects[0].time_scalar if clip.effects else 1
                assert all(isinstance(effect, otio.schema.LinearTimeWarp) for effect in clip.effects)
                end = start.to_seconds() + speed * clip.source_range.duration.to_seconds()
                assert end == pytest.approx(segment[f"out_{theirs}"], abs=0.5 / start.rate + (1 + speed) * half)
                assert {key: of[key] for key in ("score", "mirrored", "inlier_count")} == {
                    key: segment[key] for key in ("score", "mirrored", "inlier_count")
                }
                reference = clip.media_reference
                assert (
                    otio.url_utils.filepath_from_url(reference.target_url)
                    == report["pairs"][of["pair"] - 1][f"clip_{theirs}"]
                )
                assert reference.available_range.end_time_exclusive().to_seconds() >= end - half - 0.5 / start.rate
    return found


def test_opentimelineio_reads_the_timeline(whole):
    report = report_of(whole, "r.json")
    expected = {
        (i, k, side)
        for i, pair in enumerate(report["pairs"], 1)
        if pair["verdict"] is None
        for k in range(1, len(pair["segments"]) + 1)
        for side in "ab"
    }
    assert check_timeline(whole, "r.otio", report) == expected


def test_clips_are_searched(searched):
    report, printed = (
        report_of(searched, "s.json"),
        json.loads(
            searched(
                "video",
                "search",
                "mirrored.avi",
                "fast.avi",
                "unknown.avi",
                "--index",
                "archive",
                "--json",
                "--device",
                "cpu",
            )
        ),
    )
    assert report["of"] == "search" and report["mirrored"]
    queries = [report["clips"][i]["clip"] for i in report["queries"]]
    assert queries == [str(searched.folder / name) for name in ("mirrored.avi", "fast.avi", "unknown.avi")]
    for query, result in zip(queries, printed):
        pairs = [pair for pair in report["pairs"] if pair["clip_a"] == query]
        assert [pair["score"] for pair in pairs] == [found["score"] for found in result["found_clips"]]
        for pair, found in zip(pairs, result["found_clips"]):
            assert [[s["in_a"], s["out_b"]] for s in pair["segments"]] == [
                [s["in_query"], s["out_clip"]] for s in found["segments"]
            ]
            assert pair["verdict_call"] is None
    assert any(segment["mirrored"] for pair in report["pairs"] for segment in pair["segments"])
    speeds = [segment["speed"] for pair in report["pairs"] if "fast.avi" in names(pair) for segment in pair["segments"]]
    assert speeds and speeds[0] == pytest.approx(1.5, abs=0.05)
    found = check_timeline(searched, "s.otio", report)
    assert {side for _, _, side in found} == {"b"} and len(found) == sum(
        len(pair["segments"]) for pair in report["pairs"]
    )


def test_the_page_shows_the_report(whole, chromium):
    page, report = Page(chromium, whole.folder / "r.html"), report_of(whole, "r.json")
    above = json.dumps(str(whole.folder) + "/")[1:-1]  # pages are given to others
    assert page.run("return data.report") == json.loads(json.dumps(report).replace(above, ""))
    assert (
        len(page.all(".group-card")) == 2 and len(page.all(".group-card li")) == 3
    )  # files of the same bytes are one clip
    assert page.shown() == ["1", "2"]
    assert page.texts("#pairs .coverage.a")[0].endswith("of A lies within B")
    assert len(page.all("#pair-1 .track span")) == 2 and len(page.all("#pair-1 .bands polygon")) == 1
    page.wait(lambda: page.run("return [...document.querySelectorAll('#pair-1 img')].every((img) => img.complete)"))
    assert len(page.all("#pair-1 .moments img")) == 6
    widths = page.run("return [...document.querySelectorAll('#pair-1 img')].map((img) => img.naturalWidth)")
    assert min(widths) > 10
    assert len(page.all("#pair-1 .why line")) > 50 and len(page.all("#pair-1 .matrix line.found")) == 1
    times = page.texts("#pair-1 .at")
    assert times[0] == "A 0:00:00.000" and re.fullmatch(r"B 0:00:09\.[89]00", times[-1])
    assert page.texts("#settled summary") == ["1 pair that verdicts settle"]
    assert len(page.all("#settled article")) == 0
    page.one("#settled summary").click()
    page.wait(lambda: page.texts("#settled .badge.ignore") == ["ignore"])
    rows = page.texts("#files tbody tr")
    assert len(rows) == 6 and sum("failed: it is empty" in row for row in rows) == 1


def test_the_page_copies_a_command_that_works(whole, chromium):
    page = Page(chromium, whole.folder / "r.html")
    part = next(card for card in page.all("#pairs article") if "part's.avi" in card.text)
    Select(part.find_element("css selector", ".command select")).select_by_visible_text("same")
    command = part.find_element("css selector", "code").text
    assert part.find_element("css selector", ".command small").text.startswith("The paths begin in the folder")
    assert command.startswith("octavo video verdict ") and "part'\\''s.avi" in command
    subprocess.run(command.replace("octavo", whole.path, 1), shell=True, check=True, timeout=60, cwd=whole.folder)
    whole("video", "report", "--index", "archive", "-o", "judged.html", "--max-images", "0")
    page = Page(chromium, whole.folder / "judged.html")
    assert page.texts("#pairs .badge.same") == ["same"]
    assert any("2 have none: --max-images" in note for note in page.texts("#notes .note"))
    page.fill("verdict", "same")
    assert page.shown() == ["2"]
    page.fill("verdict", "none")
    assert page.shown() == ["1"]
    words = command.replace(" same ", " --remove ")
    subprocess.run(words.replace("octavo", whole.path, 1), shell=True, check=True, timeout=60, cwd=whole.folder)


def test_a_verdict_names_clips_by_content(whole):
    report = json.loads((whole.folder / "r.json").read_text())
    pair = next(pair for pair in report["pairs"] if pair["verdict"] is None)
    contents = [report["clips"][pair[index]]["facts"]["content"] for index in ("index_a", "index_b")]
    whole("video", "verdict", *contents, "same", "--index", "archive")
    verdicts = json.loads(whole("video", "verdict", "--index", "archive", "--json"))
    assert {*contents} in [{one["content_a"], one["content_b"]} for one in verdicts]
    whole("video", "verdict", *contents, "--remove", "--index", "archive")


def test_pairs_are_filtered_and_sorted(whole, chromium):
    page = Page(chromium, whole.folder / "r.html")
    page.fill("name", "PART")
    assert (page.shown(), page.texts("#shown")) == (["2"], ["1 of 2 pairs"])
    page.fill("name", "")
    page.fill("score", "1e6")
    assert page.shown() == []
    page.fill("score", "0")
    page.fill("coverage", "100.5")
    assert page.shown() == []
    page.fill("coverage", "0")
    page.fill("order", "name")
    first = {
        pair["clip_a"].rpartition("/")[2]: str(i)
        for i, pair in reversed(list(enumerate(report_of(whole, "r.json")["pairs"], 1)))
        if pair["verdict"] is None
    }
    assert page.shown()[0] == first[min(first)]
    page.fill("order", "score")
    assert page.shown() == ["1", "2"]
    page.run("document.querySelector('#files [name=trouble]').click()")
    assert page.texts("#files form output") == ["1 of 6 files"]


def test_the_page_of_a_search(searched, chromium):
    page = Page(chromium, searched.folder / "s.html")
    assert page.one("h1").text.startswith("Where these clips are found")
    rows = page.texts("#queries tr")
    assert len(rows) == 3 and "not found" in rows[2] and "found in" in rows[0]
    assert page.texts("#pairs .badge.mirrored") != [] and page.texts("#pairs .badge.speed")[0].startswith("speed 1.")
    assert (
        page.texts("#pairs .command .quiet") == []
        and page.texts("#pairs p.quiet")[0] == "A verdict needs both clips in the archive."
    )


def test_the_same_report_has_the_same_bytes(archive):
    for number in "12":
        archive(
            "video",
            "report",
            "--index",
            "archive",
            "--csv",
            f"{number}.csv",
            "--json-output",
            f"{number}.json",
            "--otio",
            f"{number}.otio",
        )
    for kind in ("csv", "json", "otio"):
        assert (archive.folder / f"1.{kind}").read_bytes() == (archive.folder / f"2.{kind}").read_bytes()


def test_a_clip_of_the_archive_is_no_pair_with_itself(archive):
    archive(
        "video",
        "report",
        "films, old/part's.avi",
        "films, old/twin.avi",
        "--index",
        "archive",
        "--json-output",
        "itself.json",
        "--rough-ends",
    )
    report = report_of(archive, "itself.json")
    assert len(report["queries"]) == 1 and report["clips"][0]["in_archive"]
    assert sorted(sorted(names(pair)) for pair in report["pairs"]) == [
        ["part's.avi", "small street.avi"],
        ["part's.avi", "street.avi"],
    ]
    assert all(pair["verdict_call"] for pair in report["pairs"])


def test_a_disk_that_is_absent(whole, chromium):
    folder, away = whole.folder / "films, old", whole.folder / "away"
    folder.rename(away)
    try:
        whole(
            "video",
            "report",
            "--index",
            "archive",
            "-o",
            "absent.html",
            "--csv",
            "absent.csv",
            "--exact-ends",
            "--device",
            "cpu",
        )
    finally:
        away.rename(folder)
    page = Page(chromium, whole.folder / "absent.html")
    assert page.texts("#notes .note")[0].startswith("4 clips cannot be read now")
    assert (
        page.shown() == ["1", "2"]
        and page.all("#pair-1 .moments img") == []
        and len(page.all("#pair-1 .matrix img")) == 1
    )
    assert page.texts("#pair-1 .note")[0].endswith("there is no such file.")
    assert all(row["exact_ends"] == "false" for row in csv.DictReader((whole.folder / "absent.csv").open(newline="")))


def test_nothing_is_found_and_a_clip_cannot_be_read(archive, chromium):
    done = archive.call(
        "video",
        "report",
        "none.avi",
        "unknown.avi",
        "--index",
        "archive",
        "-o",
        "nothing.html",
        "--csv",
        "nothing.csv",
        "--otio",
        "nothing.otio",
        "--device",
        "cpu",
    )
    assert (done.returncode, done.stderr) == (1, "octavo: cannot read 'none.avi': no such file\n")
    assert len((archive.folder / "nothing.csv").read_text().splitlines()) == 1
    assert list(otio.adapters.read_from_file(str(archive.folder / "nothing.otio")).tracks[0]) == []
    page = Page(chromium, archive.folder / "nothing.html")
    assert page.texts("#no-pairs") == ["No clip of the archive shares a segment of at least 2 s with these clips."]
    rows = page.texts("#queries tr")
    assert "not found" in rows[0] and "no such file" in rows[1]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rate", "first", "later"),
    [("25", "10:00:00:00", "10:00:03:00"), ("30000/1001", "00:59:58;00", "01:00:01;00"), ("25", None, "00:00:03:00")],
)
def test_time_codes(octavo, photograph, rate, first, later):
    """A part that begins 3 seconds, by the labels, after a first frame with a time code."""
    codes = ["-timecode", first] if first else []
    frames = 75 if rate == "25" else 90
    for name, begin in (("whole.mov", 0), ("part.mov", frames)):
        cut = f"scale=480:-2,setpts=N/({rate})/TB,trim=start_frame={begin},setpts=PTS-STARTPTS"
        more = ["-r", rate, "-frames:v", "240" if begin == 0 else "120", *(codes if begin == 0 else [])]
        make(photograph("vtest.avi"), octavo.folder / name, 0, 60, cut, *more)
    octavo("video", "index", "whole.mov", "--index", "archive", "--device", "cpu")
    octavo("video", "report", "part.mov", "--index", "archive", "--csv", "r.csv", "--json-output", "r.json", "--otio", "r.otio",
           "--device", "cpu")  # fmt: skip
    report = report_of(octavo, "r.json")
    whole = next(clip for clip in report["clips"] if clip["clip"].endswith("whole.mov"))
    assert whole["facts"]["time_code"] == first
    (segment,) = report["pairs"][0]["segments"]
    assert abs(segment["in_frame_b"] - frames) <= 2 and segment["in_frame_a"] <= 2
    if segment["in_frame_b"] == frames:
        assert segment["in_time_code_b"] == later
    row = next(csv.DictReader((octavo.folder / "r.csv").open(newline="")))
    assert row["in_time_code_b"] == segment["in_time_code_b"] and int(row["out_frame_b"]) == segment["out_frame_b"]
    timeline = otio.adapters.read_from_file(str(octavo.folder / "r.otio"))
    (clip,) = [one for one in timeline.find_clips() if one.name == "whole.mov"]
    media = clip.media_reference.available_range
    assert media.start_time.to_timecode() == (first or "00:00:00:00")
    assert clip.source_range.start_time.to_timecode() == segment["in_time_code_b"]
    assert media.contains(clip.source_range)
    frames_json = json.loads(octavo("video", "frames", "whole.mov", "--json"))
    assert frames_json["time_code"] == first


@pytest.mark.slow
def test_what_runs_backwards(octavo, photograph, chromium):
    vtest, index = photograph("vtest.avi"), ("--index", "archive")
    make(vtest, octavo.folder / "film.avi", 20, 10, "scale=480:-2")
    make(vtest, octavo.folder / "back.avi", 24, 4, "scale=480:-2,reverse")
    octavo("video", "index", "film.avi", "back.avi", *index, "--device", "cpu")
    assert " -1.0" not in octavo("video", "duplicates", *index)
    (pair,) = json.loads(octavo("video", "duplicates", *index, "--reversed", "--json"))["pairs"]
    assert pair["segments"][0]["speed"] == pytest.approx(-1, abs=0.05)
    message = octavo.error(2, "video", "duplicates", *index, "--reversed", "--found", "none")
    assert "--reversed has no effect with --found" in message
    octavo("video", "report", *index, "--reversed", "--exact-ends", "--json-output", "b.json", "--csv", "b.csv", "--otio",
           "b.otio", "-o", "b.html", "--device", "cpu")  # fmt: skip
    report = report_of(octavo, "b.json")
    assert report["reversed"] and not report["negative"]
    (segment,) = report["pairs"][0]["segments"]
    assert segment["speed"] == pytest.approx(-1, abs=0.02) and segment["exact_ends"]
    assert float(next(csv.DictReader((octavo.folder / "b.csv").open(newline="")))["speed"]) < 0
    timeline = otio.adapters.read_from_file(str(octavo.folder / "b.otio"))
    speeds = [effect.time_scalar for clip in timeline.find_clips() for effect in clip.effects]
    assert speeds == pytest.approx([segment["speed"], 1 / segment["speed"]])
    page = Page(chromium, octavo.folder / "b.html")
    assert page.texts("#pairs .badge.speed")[0].replace("-", "\u2212") == "speed \u22121.00"
    a, b = page.texts("#pair-1 .at")[::2], page.texts("#pair-1 .at")[1::2]
    assert a == sorted(a) and b == sorted(b, reverse=True) and len(set(a)) == len(set(b)) == 3
    assert len(page.all("#pair-1 .why line")) > 50
    top, bottom = page.run(
        "const [a, b, c, d] = [...document.querySelector('.bands polygon').points].map((p) => p.x);"
        "return [b - a, c - d]"
    )
    assert top > 0 > bottom


@pytest.mark.slow
def test_negatives(octavo, photograph, chromium):
    vtest = photograph("vtest.avi")
    make(vtest, octavo.folder / "film.avi", 20, 10, "scale=480:-2")
    make(vtest, octavo.folder / "negative.avi", 24, 4, "scale=480:-2,negate")
    octavo("video", "index", "film.avi", "--index", "archive", "--device", "cpu")
    octavo("video", "report", "negative.avi", "--index", "archive", "--negative", "--json-output", "n.json", "--csv", "n.csv",
           "-o", "n.html", "--device", "cpu")  # fmt: skip
    report = report_of(octavo, "n.json")
    assert report["negative"] and report["pairs"][0]["segments"][0]["negative"]
    assert next(csv.DictReader((octavo.folder / "n.csv").open(newline="")))["negative"] == "true"
    page = Page(chromium, octavo.folder / "n.html")
    assert page.texts("#pairs .badge.negative") == ["negative"]
    assert len(page.all("#pair-1 .why line")) > 50
    assert "--negative has no effect without clips" in octavo.error(
        2, "video", "report", "--index", "archive", "--csv", "x.csv", "--negative"
    )


def test_wrong_calls(archive):
    index, film = ("--index", "archive"), "films, old/street.avi"
    before = (archive.folder / film).read_bytes()
    for code, part, arguments in (
        (2, "no output given: --output, --csv, --json-output, --otio, --edl or --fcpxml", index),
        (2, '--otio is "x.txt", but must end in one of .otio', (*index, "--otio", "x.txt")),
        (2, '--output is "x.csv", but must end in one of .html, .htm', (*index, "-o", "x.csv")),
        (2, '--csv is "films, old/street.avi", but', (*index, "--csv", film)),
        (2, "--exact-ends has no effect with clips", ("mirrored.avi", *index, "--csv", "x.csv", "--exact-ends")),
        (2, "--rough-ends has no effect without clips", (*index, "--csv", "x.csv", "--rough-ends")),
        (2, "--max-images has no effect without -o", (*index, "--csv", "x.csv", "--max-images", "3")),
        (2, "--same-coverage", (*index, "--csv", "x.csv", "--same-coverage", "2")),
        (2, "videos are read several times, so - cannot be one", ("-", *index, "--csv", "x.csv")),
        (1, "none", ("--index", "none", "--csv", "x.csv")),
        (1, "no/x.html", (*index, "-o", "no/x.html")),
        (1, "no/x.csv", (*index, "-o", "x.html", "--csv", "no/x.csv")),
    ):
        assert part in archive.error(code, "video", "report", *arguments), arguments
    assert (archive.folder / film).read_bytes() == before
    assert [file for file in archive.folder.rglob("*x.*") if file.suffix in (".csv", ".html", ".txt", ".part")] == []


def test_outputs_are_no_clips_and_differ(archive):
    shutil.copy(archive.folder / "mirrored.avi", archive.folder / "clip.csv")
    assert "clip.csv" in archive.error(2, "video", "report", "clip.csv", "--index", "archive", "--csv", "clip.csv")
    (archive.folder / "here").symlink_to(archive.folder)
    (archive.folder / "same.json").touch()
    (archive.folder / "same.otio").symlink_to("same.json")
    assert '--otio is "here/same.otio", but is the same file as --json-output' in archive.error(
        2, "video", "report", "--index", "archive", "--json-output", "same.json", "--otio", "here/same.otio"
    )
