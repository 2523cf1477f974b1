"""octavo bench report: every measurement is present, and the derived figures follow from the measurements. No time is
judged."""

import html
import json
import os
import re
import resource
import shutil
import statistics
import subprocess

import pytest
from PIL import Image

from report_page import ReportPage

pytestmark = pytest.mark.slow  # benchmarks take their time
QUICK = ("--sizes", "80x64,160x128", "--max-features", "20,all", "--rounds", 3, "--warmup", 0)


@pytest.fixture
def image(octavo, texture):
    Image.fromarray(texture(320, 256)).save(octavo.folder / "a.png")
    return "a.png"


def report_of(octavo, *arguments):
    return json.loads(octavo("bench", "report", *arguments, "--json"))


@pytest.mark.usefixtures("opencl")
def test_everything_is_measured(octavo, image):
    report = report_of(octavo, image, *QUICK)
    names = [implementation["name"] for implementation in report["implementations"]]
    assert {"reference, 1 thread", "cpu, 1 thread"} < set(names)
    assert any(re.fullmatch(r"OpenCV 4\.\d+\.\d+, 1 thread", name) for name in names)
    assert len(set(names)) == len(names) and report["problems"] == []
    measured = [(row["implementation"], row["width"], row["max_features"]) for row in report["results"]]
    assert measured == [(name, width, budget) for width in (80, 160) for budget in (20, 0) for name in names]
    for row in report["results"]:
        assert len(row["run_seconds"]) == 3 and min(row["run_seconds"]) > 0
        assert row["implementation"].startswith("OpenCV") or len(row["stage_seconds"]) > 1
        assert row["median_seconds"] == statistics.median(row["run_seconds"])
        if row["max_features"] and row["implementation"].startswith("cpu"):
            assert row["keypoint_count"] == row["max_features"]
    own = [row for row in report["results"] if not row["implementation"].startswith("OpenCV")]
    counts = {(row["width"], row["max_features"], row["keypoint_count"]) for row in own}
    assert len(counts) == 4  # the same on every device
    for fit in report["cost_fits"]:
        assert min(fit["constant_seconds"], fit["megapixel_seconds"], fit["keypoint_seconds"]) >= 0


def test_the_page_is_whole(octavo, image, chromium):
    output = octavo("bench", "report", image, *QUICK, "-o", "report.html")
    page = ReportPage(chromium, octavo.folder / "report.html")
    assert "Time by size of the image" in page.html and "Time of every run" in page.html
    assert "Compared with reference, 1 thread" in page.html and "Compared with OpenCV" in page.html
    assert not re.search(r'(src|href)="(?!data:|#)', page.html)  # it needs no other file
    times, speed, stages = output.split("\n\n")
    for line in times.splitlines()[2:]:
        assert re.match(r"(reference|cpu|cuda|opencl|OpenCV).* (80x64|160x128) ", line), line
    assert [line.split()[:2] for line in speed.splitlines()[1:]] == [
        ["80x64", "20"],
        ["80x64", "all"],
        ["160x128", "20"],
        ["160x128", "all"],
    ]
    assert re.match(r"implementation +stage \[ms\] +80x64 +160x128", stages) and stages.endswith(
        "\npage  report.html\n"
    )

    names = [implementation["name"] for implementation in page.json["implementations"]]
    charts = page.charts()
    assert [(chart["plot"], chart["subject"]) for chart in charts] == [
        ("by_size", "0 0"), ("by_keypoints", "0 160x128"), ("by_run", "0 160x128 0")]  # fmt: skip
    for chart in charts:
        assert [line["label"] for line in chart["lines"]] == names
        assert chart["y"]["type"] == "logarithmic" and chart["y"]["label"].endswith("[ms]")
    by_size, by_keypoints, by_run = charts
    assert (by_size["x"]["label"], by_size["x"]["type"], by_size["bands"]) == ("megapixels", "logarithmic", len(names))
    row = {(r["implementation"], r["width"], r["max_features"]): r for r in page.json["results"]}
    for i, name in enumerate(names):
        assert by_size["lines"][i]["points"] == [
            [w * h / 1e6, 1000 * row[name, w, 0]["median_seconds"]] for w, h in ((80, 64), (160, 128))
        ]
        assert sorted(by_keypoints["lines"][i]["points"]) == sorted(
            [row[name, 160, n]["keypoint_count"], 1000 * row[name, 160, n]["median_seconds"]] for n in (20, 0)
        )
        assert [y for _, y in by_run["lines"][i]["points"]] == [1000 * s for s in row[name, 160, 0]["run_seconds"]]
    ticks = """const scale = { ticks: arguments[0].map((value) => ({ value })) };
               choose_ticks({ log: true }, scale);
               return scale.ticks.map(({ value }) => value)"""
    assert page.run(ticks, [1, 2, 3, 5, 7]) == [1, 2, 5] and page.run(ticks, [25, 30, 39.6]) == [25, 30, 39.6]
    label = page.hover(0, 0, 1)[1]
    assert re.fullmatch(re.escape(names[0]) + r": [\d.,]+ ms \([\d.,]+ to [\d.,]+\)", label), label


def quartiles(row):
    return row["q1_seconds"], row["median_seconds"], row["q3_seconds"]


def in_words(one, other):
    """How a time compares with another one."""
    (low, a, high), (other_low, b, other_high) = quartiles(one), quartiles(other)
    ratio = max(a, b) / min(a, b)
    if (low <= other_high and other_low <= high) or ratio < 1.01:
        return "the same"
    places = 2 if ratio < 1.1 else 1 if ratio < 10 else 0
    return f"{ratio:.{places}f}\u00d7 {'faster' if a < b else 'slower'}"


def test_ratios_are_above_one(octavo, image, chromium):
    octavo("bench", "report", image, "--devices", "cpu@1,reference@1,opencv@1", *QUICK, "-o", "report.html")
    page = ReportPage(chromium, octavo.folder / "report.html")
    row = {(row["implementation"], row["width"], row["max_features"]): row for row in page.json["results"]}
    names = [implementation["name"] for implementation in page.json["implementations"]]
    tasks = [(80, 20), (80, 0), (160, 20), (160, 0)]
    others = list(names)
    for section in page.all("[id^=than-]"):
        base = section.find_element("css selector", "h2").text.removeprefix("Compared with ")
        others.remove(base)  # each two are compared once
        header, *rows = page.cells(f"#{section.get_attribute('id')} table")
        assert header[1:] == others
        for cells, task in zip(rows, tasks, strict=True):
            assert cells[1:] == [in_words(row[(name, *task)], row[(base, *task)]) for name in others]
    assert len(page.all("[id^=than-]")) == 2 and page.width_on_a_phone() <= 390


def test_the_fastest_is_told_on_the_page_and_compared_in_the_terminal(octavo, image, chromium):
    output = octavo(
        "bench",
        "report",
        image,
        "--devices",
        "reference@1,cpu@1,opencv@1,cpu@2,opencv@2",
        *QUICK,
        "-o",
        "report.html",
    )
    page = ReportPage(chromium, octavo.folder / "report.html")
    row = {(row["implementation"], row["width"], row["max_features"]): row for row in page.json["results"]}
    opencv = next(name for name, _, _ in row if name.startswith("OpenCV") and name.endswith("2 threads"))
    header, *rows = page.cells("#result table")
    assert header == ["size", "keypoints", "fastest", "ms"]
    baselines = ["cpu, 1 thread", "cpu, 2 threads", opencv]
    titles, *lines = output.split("\n\n")[1].splitlines()
    assert all(f"compared with {name}" in titles for name in baselines)
    for cells, line, (width, points) in zip(rows, lines, [(80, 20), (80, 0), (160, 20), (160, 0)], strict=True):
        fastest = min(("cpu, 1 thread", "cpu, 2 threads"), key=lambda name: row[name, width, points]["median_seconds"])
        own = row[fastest, width, points]
        assert cells[2] == fastest and float(cells[3]) == pytest.approx(1000 * own["median_seconds"], rel=1e-3)
        assert re.split(" {2,}", line)[4:] == [
            "itself" if name == fastest else in_words(own, row[name, width, points]) for name in baselines
        ]


def test_exact_numbers_of_points(octavo, image):
    """All implementations give the number that was asked for, also where the contrast threshold alone gives fewer."""
    usual = report_of(octavo, image, "--devices", "cpu@1", "--sizes", "320x256", "--max-features", "all", "--rounds", 1)
    more = usual["results"][0]["keypoint_count"] + 50
    call = (image, "--sizes", "320x256", "--max-features", f"20,{more}", "--exact", "--rounds", 1, "--warmup", 0)
    report = report_of(octavo, *call, "--devices", "cpu@1,reference@1,opencv@1")
    assert report["exact"] is True and usual["exact"] is False
    for row in report["results"]:
        if row["implementation"].startswith("OpenCV"):  # keeps all keypoints that are as strong as the last one
            assert row["max_features"] <= row["keypoint_count"] <= row["max_features"] + 5
        else:
            assert row["keypoint_count"] == row["max_features"]
    output = octavo(
        "bench",
        "report",
        image,
        "--sizes",
        "64x64",
        "--max-features",
        "90000",
        "--exact",
        "--devices",
        "cpu@1",
        "--rounds",
        1,
        "-o",
        "few.html",
    )
    (note,) = re.findall(r"a\.png at 64x64 has \d+ keypoints by Octavo, fewer than 90000", output)
    assert note + "." in (octavo.folder / "few.html").read_text()


def test_corners_of_photographs_and_chessboards(octavo, image, chromium):
    call = (
        "--detector",
        "foagdd",
        "--chessboard",
        "--sizes",
        "96x64,192x128",
        "--max-features",
        "all",
        "--rounds",
        1,
        "--warmup",
        0,
    )
    output = octavo("bench", "report", image, *call, "-o", "corners.html")
    page = ReportPage(chromium, octavo.folder / "corners.html")
    report = page.json
    assert report["detector"] == "FOAGDD" and report["problems"] == [
        "OpenCV: detector is foagdd, but OpenCV has no such detector"
    ]
    assert report["images"] == [
        {"name": "a.png", "pixels": "1 channel, 8 bits"},
        {"name": "chessboard", "pixels": "1 channel, 8 bits"},
    ]
    names = [implementation["name"] for implementation in report["implementations"]]
    assert [(row["implementation"], row["image"], row["width"]) for row in report["results"]] == [
        (name, shown, width) for shown in ("a.png", "chessboard") for width in (96, 192) for name in names
    ]
    for row in report["results"]:
        assert row["implementation"].startswith("reference") or {
            "extension",
            "measures",
            "candidates",
            "verification",
        } <= set(row["stage_seconds"])
        assert row["memory"]["host_bytes"] > row["width"] * row["height"]
    corners = {
        row["keypoint_count"] for row in report["results"] if row["image"] == "chessboard" and row["width"] == 192
    }
    assert (
        len(corners) == 1 and min(corners) >= 7 * 11
    )  # one or two for each inner corner of the board, on every device
    assert "FOAGDD extraction: a.png, chessboard" in page.html
    assert [(chart["plot"], chart["subject"]) for chart in page.charts()] == [
        (plot, f"{shown} {what}")
        for shown in (0, 1)
        for plot, what in (("by_size", "0"), ("by_keypoints", "192x128"), ("by_run", "192x128 0"))
    ]
    assert re.search(r"cpu, 1 thread +chessboard +whole +[\d.]+ +[\d.]+", output)
    assert [sentence.text.split(": ")[0] for sentence in page.all(".conclusion")] == ["a.png", "chessboard"]


def test_headline(octavo, image, chromium):
    call = ("bench", "report", image, "--devices", "cpu@1,reference@1,opencv@1", *QUICK)
    octavo(*call, "-o", "few.html")
    page = ReportPage(chromium, octavo.folder / "few.html")
    assert page.one(".conclusion").text.startswith("3 runs are too few to say which implementation is faster")
    octavo(*call, "--rounds", 5, "-o", "report.html")
    page = ReportPage(chromium, octavo.folder / "report.html")
    own, opencv = (next(row for row in page.json["results"] if row["implementation"].startswith(name) and row["width"] == 160 and row["max_features"] == 0)
                   for name in ("cpu", "OpenCV"))  # fmt: skip
    how = in_words(own, opencv)
    words = "is as fast as" if how == "the same" else f"is {how} than"
    assert page.one(".conclusion").text.startswith(
        f"SIFT on cpu, 1 thread {words} {opencv['implementation']} on this machine at 160\u00d7128, all keypoints: "
    )
    octavo(
        "bench",
        "report",
        image,
        "--devices",
        "cpu@1",
        "--sizes",
        "64x64",
        "--max-features",
        "all",
        "--rounds",
        1,
        "-o",
        "one.html",
    )
    page = ReportPage(chromium, octavo.folder / "one.html")
    assert re.match(
        r"SIFT on cpu, 1 thread takes [\d.]+ ms on this machine at 64\u00d764, all keypoints\.",
        page.one(".conclusion").text,
    )


def test_costs_that_are_missing_have_a_reason(octavo, image, chromium):
    few = (image, "--sizes", "64x64,80x64", "--max-features", "all", "--rounds", 1, "--upright", "-o", "report.html")
    octavo("bench", "report", *few)
    page = ReportPage(chromium, octavo.folder / "report.html")
    rows = {cells[0]: cells[1:] for cells in page.cells("#costs table")[1:]}
    assert rows["cpu, 1 thread"] == [
        "2 measurements, but at least 6 are needed: more --sizes or --max-features",
        *3 * ["\u2013"],
    ]
    assert rows["OpenCV"][0] == "upright is true, but OpenCV's SIFT has no such option"
    # Six tasks of one size cannot tell the cost of a pixel.
    octavo(
        "bench",
        "report",
        image,
        "--devices",
        "cpu@1",
        "--sizes",
        "160x128",
        "--max-features",
        "5,10,15,20,25,30",
        "--rounds",
        1,
        "-o",
        "one.html",
    )
    assert "sizes and numbers of keypoints go together" in (octavo.folder / "one.html").read_text()


def test_who_takes_part(octavo, image):
    one = ("--sizes", "64x64", "--max-features", "all", "--rounds", 1)
    report = report_of(octavo, image, "--devices", "cpu@1,opencv@1,cpu@1", *one)
    assert len(report["implementations"]) == 2 and report["cost_fits"] == []
    rested = report_of(octavo, image, "--devices", "cpu@1", *one, "--rounds", 9, "--seconds", 0)
    assert len(rested["results"][0]["run_seconds"]) == 1
    other_work = report_of(octavo, image, *one, "--first-octave", 0)
    assert other_work["problems"] == ["OpenCV: first_octave is 0, but OpenCV's SIFT has no such option"]
    of_its_own = ("--devices", "cpu@1,opencv@1", "--upright")
    output = octavo.error(2, "bench", "report", image, *one, *of_its_own)
    assert "--upright" in output and "OpenCV's SIFT has no such option" in output
    repeated = ("--sizes", "64x64,80x64,64x64", "--max-features", "5,all,5", "--rounds", 1)
    twice = report_of(octavo, image, "--devices", "cpu@1", *repeated)
    assert [(row["width"], row["max_features"]) for row in twice["results"]] == [(64, 5), (64, 0), (80, 5), (80, 0)]


def test_names_that_are_not_text(octavo, image):
    name = os.fsdecode(b"\xe9.png")
    (octavo.folder / image).rename(octavo.folder / name)
    octavo.told.append("U+FFFD stands for bytes that are not UTF-8")
    few = ("--devices", "cpu@1", "--sizes", "64x64", "--max-features", "all", "--rounds", 1)
    assert json.loads(octavo("bench", "report", name, *few, "--json"))["images"][0]["name"] == "\ufffd.png"


def test_the_page_says_what_was_not_measured(octavo, image):
    arguments = (image, "--sizes", "64x64", "--max-features", "all", "--rounds", 1, "--upright", "-o", "report.html")
    why = "OpenCV: upright is true, but OpenCV's SIFT has no such option"
    assert f"not measured: {why}" in octavo("bench", "report", *arguments)
    page = html.unescape((octavo.folder / "report.html").read_text())
    assert page.count("<figure data-plot=") == 3 and f"Not measured: {why}." in page


@pytest.mark.parametrize(
    "arguments, words",
    [
        (("--max-features", "0"), '--max-features is "0", but must be a whole number above 0, or all'),
        (("--max-features", "some"), '--max-features is "some", but must be'),
        (("--sizes", "64"), '--sizes is "64", but must be WxH'),
        (("--devices", "gpu"), "gpu"),
        (("--devices", "cpu@many"), '--devices is "cpu@many", but needs a whole number of threads from 1 to 1024'),
        (("--devices", "cpu@2000"), '--devices is "cpu@2000", but needs a whole number of threads from 1 to 1024'),
        (("--devices", "opencv@-3"), '--devices is "opencv@-3", but needs a whole number of threads'),
        (("--exact",), '--max-features is "all", but must be a whole number above 0 with --exact'),
        (("--exact", "--max-features", "9", "--grid", "4"), "--grid has no effect with --exact"),
        (
            ("--exact", "--max-features", "9", "--contrast-threshold", "0.1"),
            "--contrast-threshold has no effect with --exact",
        ),
        (("--exact", "--max-features", "9", "--detector", "foagdd"), "--exact has no effect with --detector foagdd"),
        (("--detector", "foagdd", "--devices", "opencv"), "--detector is foagdd, but OpenCV has no such detector"),
        (("--layers", "9"), "--layers is 9"),
    ],
)
def test_wrong_calls(octavo, image, arguments, words):
    assert words in octavo.error(2, "bench", "report", image, *arguments)


def test_nothing_is_measured(octavo, image):
    """An implementation that lacks memory fails; the page says so."""
    limit = 360 << 20
    arguments = (
        "--sizes",
        "3000x3000",
        "--devices",
        "cpu@1",
        "--max-features",
        "all",
        "--rounds",
        "1",
        "-o",
        "report.html",
    )
    done = subprocess.run(
        [octavo.path, "bench", "report", image, *arguments], cwd=octavo.folder, capture_output=True, text=True, timeout=600,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)),
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (1, "octavo: nothing was measured\n")
    page = html.unescape((octavo.folder / "report.html").read_text())
    assert "Not measured: cpu, 1 thread at 3000x3000: " in page and "<figure data-plot=" not in page


def test_images_of_one_name(octavo, image):
    few = ("--devices", "cpu@1", "--sizes", "64x64", "--max-features", "all", "--rounds", 1)
    other = octavo.folder / "other" / image
    other.parent.mkdir()
    shutil.copy(octavo.folder / image, other)
    assert "have the same name, so their times cannot be told apart" in octavo.error(
        2, "bench", "report", image, other, *few
    )
    shutil.copy(octavo.folder / image, octavo.folder / "chessboard")
    assert "the image of --chessboard" in octavo.error(2, "bench", "report", "chessboard", "--chessboard", *few)


def test_files(octavo, image):
    assert "b.png" in octavo.error(1, "bench", "report", "b.png")
    few = ("--devices", "cpu@1", "--sizes", "64x64", "--max-features", "all", "--rounds", 1)
    assert "no/report.html" in octavo.error(1, "bench", "report", image, *few, "-o", "no/report.html")
