"""octavo bench: the figures are present and consistent. No time is judged."""

import json
import statistics
import xml.etree.ElementTree

import numpy as np
import pytest
from PIL import Image

from report_page import ReportPage

pytestmark = pytest.mark.slow  # benchmarks take their time
TIMES = ["median_seconds", "q1_seconds", "q3_seconds", "run_seconds", "stage_seconds"]
KEYS = ["subject", "keypoint_count", "device", "isa", "threads", *TIMES]
KEYS_OF_MODE = {
    None: [],  # octavo bench match
    "latency": ["mode", "images_per_second", "on_device_seconds"],
    "throughput": ["mode", "images_per_second"],
}


@pytest.fixture
def image(octavo, texture):
    Image.fromarray(texture()).save(octavo.folder / "a.png")
    return "a.png"


def check(result):
    assert list(result) == KEYS + KEYS_OF_MODE[result.get("mode")]
    assert 0 < result["q1_seconds"] <= result["median_seconds"] <= result["q3_seconds"]
    assert result["device"] in ("cpu", "reference") and result["isa"]
    assert result["threads"] >= 1


def test_extract(octavo, image):
    result = json.loads(octavo("bench", "extract", image, "--rounds", 3, "--warmup", 1, "--threads", 1, "--json"))
    check(result)
    assert result["threads"] == 1
    assert result["keypoint_count"] == len(json.loads(octavo("extract", image, "--json"))["keypoints"])
    assert len(result["stage_seconds"]) > 1
    assert all(time >= 0 for time in result["stage_seconds"].values())
    assert result["mode"] == "latency"
    assert result["images_per_second"] == pytest.approx(1 / result["median_seconds"])
    assert result["on_device_seconds"] == pytest.approx(sum(result["stage_seconds"].values()))


def test_extract_of_several(octavo, image, texture):
    Image.fromarray(texture(seed=2)).save(octavo.folder / "b.png")
    results = json.loads(octavo("bench", "extract", ".", "--rounds", 1, "--warmup", 0, "--json"))
    assert [result["subject"] for result in results] == ["./a.png at 160x128", "./b.png at 160x128"]
    for result in results:
        check(result)


@pytest.mark.parametrize("size", ["80x64", "320x256", "50x100", "1x1"])
def test_resize(octavo, image, size):
    output = octavo("bench", "extract", image, "--rounds", 1, "--warmup", 0, "--sizes", size)
    assert f"a.png at {size}: " in output and "median" in output


def test_several_sizes_and_images(octavo, image, texture):
    Image.fromarray(texture(seed=2)).save(octavo.folder / "b.png")
    results = json.loads(octavo("bench", "extract", ".", "--rounds", 2, "--sizes", "80x64,160x90", "--json"))
    assert [result["subject"] for result in results] == [
        f"./{name} at {size}" for size in ("80x64", "160x90") for name in ("a.png", "b.png")
    ]
    for result in results:
        check(result)


def test_throughput(octavo, image, texture):
    Image.fromarray(texture(width=100, seed=2)).save(octavo.folder / "b.png")
    call = ["bench", "extract", ".", "--mode", "throughput", "--stream", 6, "--in-flight", 3, "--rounds", 2, "--json"]
    result = json.loads(octavo(*call))
    check(result)
    assert (result["subject"], result["mode"], result["stage_seconds"]) == ("2 images, 3 in flight", "throughput", {})
    each = [len(json.loads(octavo("extract", name, "--json"))["keypoints"]) for name in ("a.png", "b.png")]
    assert result["keypoint_count"] == sum(each) // 2
    results = json.loads(octavo(*call, "--sizes", "80x64,90x70"))
    assert [result["subject"] for result in results] == [
        f"2 images at {size}, 3 in flight" for size in ("80x64", "90x70")
    ]
    output = octavo(*call[:-1])
    assert "images per second" in output and "on the device" not in output


@pytest.mark.parametrize("options", [[], ["--spatial-sigma", 3.1, "--trilateral-window", "certified"]])
def test_filter(octavo, image, options):
    call = ["bench", "filter", image, "--rounds", 3, "--threads", 1, *options]
    result = json.loads(octavo(*call, "--json"))
    assert 0 < result["q1_seconds"] <= result["median_seconds"] <= result["q3_seconds"]
    assert {"grey", "range", "scaling", "levels", "windows"} <= set(result["stage_seconds"])
    work = result["work"]
    assert sum(w["pixel_count"] for w in work["windows"]) == 160 * 128
    assert work["tap_count"] == pytest.approx(
        sum(w["pixel_count"] * w["tap_count"] for w in work["windows"]) / (160 * 128)
    )
    assert work["imbalance"] >= 1 and work["busy_share"] == pytest.approx(1 / work["imbalance"])
    # A certified window without bound is a square of 2F + 1 pixels. The larger windows are all cut to discs.
    assert work["tap_count"] <= work["unbounded_tap_count"] and work["skipped_share"] == pytest.approx(
        1 - work["tap_count"] / work["unbounded_tap_count"]
    )
    output = octavo(*call)
    assert "imbalance" in output and "windows of 3x3" in output and "keypoints" not in output


@pytest.mark.usefixtures("opencl")
def test_filter_on_devices(octavo, image, chromium):
    """Tables 4.1 and 5.2 of Sawada (2024): each step by size, and the last one on a CPU, a GPU, and a GPU in order."""
    gpus = [name for name in ("opencl:0",) if name in octavo("devices")]
    call = ["bench", "filter", image, "--sizes", "48x40,90x70", "--spatial-sigma", 4, "--rounds", 2, "--warmup", 0]
    call += ["--devices", ",".join(["cpu@1", *gpus])]
    names = ["cpu, 1 thread", *(f"{gpu}, {order}" for gpu in gpus for order in ("in rows", "by windows"))]
    text = octavo(*call, "-o", "page.html")
    last, steps = text.split("Steps [ms]")
    assert len(last.splitlines()) == 2 + 2 + 2 + 1 and len(steps.splitlines()) == 2 + 2 * len(names)
    for gpu in gpus:
        assert f"{gpu} over cpu, 1 thread" in last and f"{gpu}, gain of the order" in last
    page = ReportPage(chromium, octavo.folder / "page.html")
    assert [one["name"] for one in page.json["implementations"]] == names
    assert [(r["width"], r["implementation"]) for r in page.json["results"]] == [
        (w, n) for w in (48, 90) for n in names
    ]
    for result in page.json["results"]:
        stages = result["stage_seconds"]
        ordering = stages["order"] if result["implementation"].endswith("by windows") else 0
        assert result["last_step_seconds"] == pytest.approx(stages["windows"] + ordering) and result["tap_count"] > 1
    (chart,) = page.charts()
    assert [line["label"] for line in chart["lines"]] == names
    assert [y for _, y in chart["lines"][0]["points"]] == [
        pytest.approx(1000 * r["last_step_seconds"]) for r in page.json["results"] if r["device"] == "cpu"
    ]
    assert "table 5.2" in page.text() and "table 4.1" in page.text() and page.width_on_a_phone() <= 390


def test_match(octavo):
    results = json.loads(octavo("bench", "match", "--descriptor-counts", "100,257", "--rounds", 3, "--json"))
    assert [result["keypoint_count"] for result in results] == [100, 257]
    for result in results:
        check(result)


def test_match_of_images(octavo, image):
    result = json.loads(octavo("bench", "match", image, image, "--job", "match", "--rounds", 2, "--json"))
    check(result)
    assert result["keypoint_count"] == len(json.loads(octavo("extract", image, "--json"))["keypoints"])


def test_text(octavo, image):
    output = octavo("bench", "match", "--descriptor-counts", 64, "--rounds", 1)
    assert output.startswith("device cpu, ") and "64 x 64: 64 keypoints" in output


@pytest.mark.usefixtures("opencl")
@pytest.mark.parametrize(
    "options", [["--device", "cpu"], ["--device", "reference", "--preset", "tsp2023"], ["--device", "opencl:0"]]
)
def test_pyramid(octavo, options):
    if options[1] not in octavo("devices"):
        pytest.skip(f"lacks the device {options[1]}")
    Image.fromarray(np.random.default_rng(1).integers(0, 256, (96, 128, 3), np.uint8)).save(octavo.folder / "a.png")
    call = ["bench", "pyramid", "a.png", "--rounds", 3, "--warmup", 1, *options]
    report = json.loads(octavo(*call, "--sizes", "64x48,100x80", "--json"))
    assert (report["image"], report["rounds"], report["device"]) == ("a.png", 3, options[1])
    on_gpu = options[1] == "opencl:0"
    measured = [(row["width"], row["grey_on"], row["whole"]) for row in report["pyramids"]]
    assert measured == [
        (w, grey, whole)
        for w in (64, 100)
        for grey in ("device", "host")
        for whole in ([True, False] if on_gpu else [True])
    ]
    for row in report["pyramids"]:
        assert len(row["run_seconds"]) == 3 and row["median_seconds"] == statistics.median(row["run_seconds"]) > 0
        stages = (
            (["upload", "grey", "blurs", "differences"] if on_gpu else ["grey, blurs and differences"])
            if row["whole"]
            else []
        )
        assert (
            list(row["stage_seconds"])
            == (["grey on the host"] if row["whole"] and row["grey_on"] == "host" else []) + stages
        )
    text = octavo(*call, "--grey-on", "host")
    assert "128x96, grey on the host" in text and "grey on the device" not in text


def test_pyramid_plots(octavo, chromium):
    call = [
        "bench",
        "pyramid",
        "--preset",
        "tsp2023",
        "--device",
        "cpu",
        "--sizes",
        "96x64",
        "--rounds",
        7,
        "--warmup",
        0,
    ]
    assert octavo(*call, "-o", "plot.html").endswith("plot  plot.html\n")
    page = ReportPage(chromium, octavo.folder / "plot.html")
    pyramids = page.json["pyramids"]
    charts = page.charts()
    assert [(chart["plot"], chart["subject"]) for chart in charts] == [("iterations", "0"), ("iterations", "1")]
    for chart, pyramid in zip(charts, pyramids):
        assert chart["title"] == pyramid["name"]
        runs, *levels = chart["lines"]
        assert runs["points"] == [[i + 1, 1000 * time] for i, time in enumerate(pyramid["run_seconds"])]
        assert [(line["label"], {y for _, y in line["points"]}) for line in levels] == [
            ("median", {1000 * pyramid["median_seconds"]}), ("first quartile", {1000 * pyramid["q1_seconds"]}), ("third quartile", {1000 * pyramid["q3_seconds"]})]  # fmt: skip

    octavo(*call, "-o", "plot.svg")
    root = xml.etree.ElementTree.parse(octavo.folder / "plot.svg").getroot()
    name = "{http://www.w3.org/2000/svg}"
    assert len(root.findall(f"{name}circle")) == 2 * 7
    titles = [title.text.split(":")[0] for title in root.iter(f"{name}title")]
    assert titles == ["first quartile", "median", "average", "third quartile"] * 2


def test_pyramid_refuses(octavo):
    assert octavo.error(2, "bench", "pyramid", "-o", "plot.png") == (
        'octavo: --output is "plot.png", but must end in one of .html, .htm, .svg\n'
    )
    assert "no.png" in octavo.error(1, "bench", "pyramid", "no.png", "--device", "cpu")
