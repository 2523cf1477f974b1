"""bench/plot_foagdd.py draws recorded speed-ups of FOAGDD, bench/plot_pyramid.py the iterations of `octavo bench pyramid`."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

pytestmark = pytest.mark.slow  # they draw

ROOT = Path(__file__).parents[2]


def draw(script, *arguments, cwd):
    command = [sys.executable, "-B", ROOT / "bench" / script, *arguments]
    done = subprocess.run(list(map(str, command)), cwd=cwd, capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stderr) == (0, ""), done


def test_the_plot_of_foagdd_is_that_of_its_records(tmp_path):
    records = sorted((ROOT / "bench/results").glob("2026-11-21-foagdd-*.json"))
    assert len(records) == 4
    for name, files in (("one.svg", records), ("other.svg", records[::-1])):
        draw("plot_foagdd.py", name, *files, cwd=tmp_path)
    drawn = (tmp_path / "one.svg").read_text()
    assert drawn == (tmp_path / "other.svg").read_text()
    for device in ("CUDA", "OpenCL"):
        assert all(f"{device} over one thread of a CPU, {kind}" in drawn for kind in ("chessboard", "photograph"))
    assert "port on the same GPU" in drawn and "1920×1080" in drawn


def test_the_plot_of_a_pyramid_has_the_average(octavo):
    report = octavo(
        "bench", "pyramid", "--sizes", "64x48", "--device", "cpu", "--rounds", 7, "--grey-on", "device", "--json"
    )
    (octavo.folder / "pyramid.json").write_text(report)
    times = [1000 * seconds for seconds in json.loads(report)["pyramids"][0]["run_seconds"]]
    draw("plot_pyramid.py", "plot.svg", "pyramid.json", cwd=octavo.folder)
    drawn = (octavo.folder / "plot.svg").read_text()
    assert f"average {sum(times) / 7:.3f} ms" in drawn and "64x48, grey on the device" in drawn
    draw("plot_pyramid.py", "plot.png", "pyramid.json", cwd=octavo.folder)
    with Image.open(octavo.folder / "plot.png") as image:
        assert image.size == (960, 432)


def test_of_a_gpu_the_iterations_without_the_upload_are_drawn(tmp_path):
    whole = {"name": "with upload", "whole": True, "run_seconds": [0.003, 0.005]}
    alone = {"name": "on the GPU alone", "whole": False, "run_seconds": [0.001, 0.002]}
    report = {"device": "cuda:0", "machine": "a machine", "pyramids": [whole, alone]}
    (tmp_path / "pyramid.json").write_text(json.dumps(report))
    draw("plot_pyramid.py", "alone.svg", "pyramid.json", cwd=tmp_path)
    draw("plot_pyramid.py", "whole.svg", "pyramid.json", "--with-upload", cwd=tmp_path)
    drawn = [(tmp_path / name).read_text() for name in ("alone.svg", "whole.svg")]
    assert ["average 1.500 ms" in text for text in drawn] == [True, False]
    assert ["average 4.000 ms" in text for text in drawn] == [False, True]
