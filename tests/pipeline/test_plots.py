"""bench/plot_extract.py draws the results of bench_extract_on_gpu, bench/tabulate_foagdd.py tabulates those of
bench_foagdd_on_gpu, bench/plot_speedup.py draws those of `octavo bench report`; bench/video/real_time.py makes its clip."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

pytestmark = pytest.mark.slow  # they need the benchmarks, which `./dev test` does not build

PLOT = Path(__file__).parents[2] / "bench" / "plot_extract.py"
SPEED_UP = PLOT.with_name("plot_speedup.py")
REAL_TIME = PLOT.with_name("video") / "real_time.py"
IMAGES = ("extract_by_size.svg", "extract_by_points.svg")


def run(*command, cwd):
    done = subprocess.run(list(map(str, command)), cwd=cwd, capture_output=True, text=True, timeout=600)
    assert (done.returncode, done.stderr) == (0, ""), done


@pytest.fixture
def measured(octavo, texture, opencl):
    """A report on the CPU and, if the machine has one, a GPU."""
    program = Path(octavo.path).with_name("bench_extract_on_gpu")
    if not program.exists():
        pytest.skip(f"lacks {program}: the benchmarks are not built")
    sizes = ((160, 120), (320, 240))
    for width, height in sizes:
        Image.fromarray(texture(width, height)).save(octavo.folder / f"texture_{width}x{height}.pgm", format="PPM")
    devices = [d["name"] for d in json.loads(octavo("devices", "--json")) if d["conformant"]]
    gpus = [name for name in devices if name.split(":")[0] in ("cuda", "opencl")]
    chosen = [argument for name in ["cpu", *gpus[:1]] for argument in ("--device", name)]
    run(
        program, *chosen, "--rounds", 2, "--images", 5, "--points-of", "texture_320x240.pgm", "--points", "40,80",
        "--json", "figures.json", *(f"texture_{width}x{height}.pgm" for width, height in sizes), cwd=octavo.folder,
    )  # fmt: skip
    return octavo.folder / "figures.json"


def test_plots(octavo, measured):
    report = json.loads(measured.read_text())
    assert {"machine", "date", "commit", "command", "devices"} <= report.keys()
    for row in report["results"] + report["by_points"]:
        assert row["same_as_cpu"] and row["extract_ms"] > 0
        assert ("device_ms" in row) == (row["device"] != "cpu")
        assert ("images_per_s" in row) == (row["device"] != "cpu" and row in report["results"])
    for wanted in (40, 80):
        assert any(abs(row["keypoints"] - wanted) <= 3 for row in report["by_points"])

    budget = {"max_features": 10, "extract_ms": 1e6}  # is left out
    with_budget = report | {name: report[name] + [report[name][0] | budget] for name in ("results", "by_points")}
    drawn = []
    for drawn_report in (report, with_budget):
        measured.write_text(json.dumps(drawn_report))
        run(sys.executable, "-B", PLOT, measured, "--output", "plots", cwd=octavo.folder)
        drawn.append([(octavo.folder / "plots" / name).read_bytes() for name in IMAGES])
    assert drawn[0] == drawn[1]
    # Of two reports the least times count, in either order.
    measured.write_text(json.dumps(report))
    slow = {
        name: [row | {key: 9 * row[key] for key in row if key.endswith("_ms")} for row in report[name]]
        for name in ("results", "by_points")
    }
    measured.with_name("slow.json").write_text(json.dumps(report | slow))
    for files in ((measured, "slow.json"), ("slow.json", measured)):
        run(sys.executable, "-B", PLOT, *files, "--output", "plots", cwd=octavo.folder)
        assert [(octavo.folder / "plots" / name).read_bytes() for name in IMAGES] == drawn[0]
    by_size, by_points = (image.decode() for image in drawn[0])
    assert "160×120" in by_size and "320×240" in by_size and "SIFT by size" in by_size
    assert "SIFT by number of keypoints" in by_points and "time per image [ms]" in by_points
    assert "Octavo, CPU" in by_size and "OpenCV 5.0" in by_size and "OpenCV 5.0" not in by_points


def test_table_of_corners(octavo, texture, opencl):
    program = Path(octavo.path).with_name("bench_foagdd_on_gpu")
    if not program.exists():
        pytest.skip(f"lacks {program}: the benchmarks are not built")
    Image.fromarray(texture(160, 120)).save(octavo.folder / "texture_160x120.pgm", format="PPM")
    for name in ("one.json", "two.json"):
        run(
            program, "--device", "cpu", "--threads", "1,2", "--chessboard", "128x96,160x120", "--rounds", 2,
            "--resized-board", "128x96,160x120",
            "--json", name, "texture_160x120.pgm", cwd=octavo.folder,
        )  # fmt: skip
    rows = [
        row for name in ("one.json", "two.json") for row in json.loads((octavo.folder / name).read_text())["results"]
    ]
    assert all(row["same_as_cpu"] for row in rows) and {row["threads"] for row in rows} == {1, 2}
    command = [sys.executable, PLOT.with_name("tabulate_foagdd.py"), "one.json", "two.json"]
    output = subprocess.run(command, cwd=octavo.folder, capture_output=True, text=True, check=True).stdout
    tables = [table.splitlines() for table in output.strip().split("\n\n")]
    assert [table[0].split(" |")[0] for table in tables] == [
        "| chessboard, cpu, 1 thread",
        "| resized board, cpu, 1 thread",
        "| texture, cpu, 1 thread",
        "| chessboard, cpu, 2 threads",
        "| resized board, cpu, 2 threads",
        "| texture, cpu, 2 threads",
    ]
    assert tables[0][0].endswith("| 128×96 | 160×120 |") and tables[1][2].startswith("| corners | ")
    assert all(table[3].startswith("| filters, once | ") for table in tables)
    whole = [
        row["extract_ms"]
        for row in rows
        if row["image"] == "chessboard" and row["threads"] == 1 and row["width"] == 160
    ]
    assert len(whole) == 2 and float(tables[0][-1].split(" | ")[-1].rstrip(" |")) == pytest.approx(min(whole), rel=0.06)


@pytest.mark.usefixtures("opencl")
@pytest.mark.parametrize("grid", ["sizes", "keypoints"])
def test_speed_ups_have_standard_deviations(octavo, texture, grid):
    """Figures 3 and 4 of Fassold and Rosner (2015)."""
    Image.fromarray(texture(160, 120)).save(octavo.folder / "a.png")
    gpus = [name for name in ("opencl:0",) if name in octavo("devices")]
    sizes, points = ("80x60,160x120", "20") if grid == "sizes" else ("160x120", "20,40")
    call = ["--exact", "--devices", ",".join(["cpu@1", "opencv@1", *gpus]), "--rounds", 3, "--json"]
    report = octavo("bench", "report", "a.png", "--sizes", sizes, "--max-features", points, *call)
    (octavo.folder / "report.json").write_text(report)
    for plot in ("a.svg", "b.svg"):
        run(sys.executable, "-B", SPEED_UP, "report.json", plot, cwd=octavo.folder)
    drawn = (octavo.folder / "a.svg").read_text()
    assert drawn == (octavo.folder / "b.svg").read_text()
    assert (
        "cpu, 1 thread" in drawn
        and ("80×60" in drawn) == (grid == "sizes")
        and ("keypoints</text>" in drawn or grid == "sizes")
    )
    for gpu in gpus:
        assert f"{gpu} over cpu, 1 thread" in drawn and f"{gpu} over OpenCV" in drawn


def test_the_deviation_of_a_ratio():
    sys.path.insert(0, str(SPEED_UP.parent))
    import plot_speedup

    assert plot_speedup.ratio(plot_speedup.Time(10, 1), plot_speedup.Time(2, 0.2)) == pytest.approx((5, 5 * 0.02**0.5))
    assert plot_speedup.time_of({"run_seconds": [0.001, 0.003]}) == pytest.approx((2, 2**0.5))
    assert plot_speedup.time_of({"median_ms": 4, "q1_ms": 3, "q3_ms": 4.349}) == pytest.approx((4, 1))


def test_speed_ups_are_of_the_number_that_was_asked_for():
    """OpenCV may give a few keypoints more."""
    sys.path.insert(0, str(SPEED_UP.parent))
    import plot_speedup

    size = {"width": 80, "height": 60, "run_seconds": [0.001]}
    rows = [
        size | {"implementation": name, "max_features": asked, "keypoint_count": asked + more}
        for name, more in (("cuda:0", 0), ("OpenCV 5, 1 thread", 2))
        for asked in (1000, 2000)
    ]
    by_size, times = plot_speedup.read({"results": rows})
    assert not by_size
    (of_opencv,) = plot_speedup.speed_ups(times).values()
    assert [place for place, _ in of_opencv] == [1000, 2000]


@pytest.mark.usefixtures("ffmpeg")
def test_real_time_needs_the_program_alone(octavo):
    call = ["--frames", 6, "--rounds", 1, "--points", "50,100", "--devices", "cpu@1", "--json", "rates.json"]
    run(sys.executable, "-B", REAL_TIME, "--octavo", octavo.path, *call, cwd=octavo.folder)
    report = json.loads((octavo.folder / "rates.json").read_text())
    assert [(r["first_octave"], r["points"], r["keypoints_per_frame"]) for r in report["results"]] == [
        (-1, 50, 50), (-1, 100, 100), (0, 50, 50), (0, 100, 100)]  # fmt: skip
    for row in report["results"]:
        assert row["times_real_time"] == pytest.approx(row["frames_per_second"] / 25, abs=0.01) and row["decode_ms"] > 0
