"""docs/adding-an-algorithm.md by its letter: in a copy of the sources its commands and its patch make the example a
detector of the list. The program, the Python module and the tests of that copy know it by name, with defaults.

What a file of the copy has in common with the build that is tested (OCTAVO_BUILD) is not compiled again."""

import json
import os
import re
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from detector_page import follow, run

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent / "added_detector"


def cached(build):
    """The variables of a build."""
    lines = (build / "CMakeCache.txt").read_text().splitlines()
    return dict(re.match(r"([^:]+):\w+=(.*)", line).groups() for line in lines if re.match(r"\w[^:]*:\w+=", line))


@pytest.fixture(scope="module")
def built():
    """The folder of a build with the example."""
    finished = Path(
        os.environ.get("OCTAVO_BUILD") or pytest.fail("OCTAVO_BUILD does not name the build that is tested")
    )
    variables = cached(finished)
    folder = finished / "tests" / "added_detector"
    shutil.rmtree(folder, ignore_errors=True)
    source, build = folder / "source", folder / "build"
    shutil.copytree(
        ROOT,
        source,
        ignore=lambda at, _: {"build", ".git", ".venv", "dist"} if Path(at) == ROOT else set(),
        symlinks=True,
    )
    follow(source)
    launcher = [sys.executable, HERE / "take_object.py", source, ROOT, finished]
    same = (
        "CMAKE_BUILD_TYPE",
        "CMAKE_CXX_COMPILER",
        "CMAKE_CXX_FLAGS",
        "CMAKE_CXX_FLAGS_RELEASE",
        "OCTAVO_CUDA",
        "OCTAVO_UNITY",
    )
    cmake = variables["CMAKE_COMMAND"]
    run(
        cmake,
        "-S",
        HERE,
        "-B",
        build,
        "-G",
        "Ninja",
        f"-DSOURCE={source}",
        f"-DPython_EXECUTABLE={sys.executable}",
        "-DCMAKE_CXX_COMPILER_LAUNCHER=" + ";".join(map(str, launcher)),
        "-DOCTAVO_CUDA_ARCHITECTURES=native",
        *[f"-D{name}={variables[name]}" for name in same],
    )
    run(
        cmake, "--build", build, "--target", "octavo_cli", "octavo_python_octavo", "detectors_test", "peaks_conformance"
    )
    shutil.copytree(source / "python/octavo", build / "octavo_package/octavo")
    for module in (build / "octavo").rglob("_octavo*.so"):
        shutil.copy(module, build / "octavo_package/octavo")
    return build


@pytest.fixture
def added(built, octavo, monkeypatch):
    """The program of that build."""
    octavo.path = str(built / "bin/octavo")
    return octavo


@pytest.fixture
def dots(tmp_path):
    """The path of an image with three peaks, the strongest at (12, 20)."""
    pixels = np.full((40, 60), 51, np.uint8)
    pixels[20, 12], pixels[10, 30], pixels[30, 45] = 204, 153, 102
    Image.fromarray(pixels).save(tmp_path / "dots.png")
    return tmp_path / "dots.png"


PLACES = [(30, 10), (12, 20), (45, 30)]  # row by row


@pytest.mark.parametrize("program", ["detectors_test", "peaks_conformance"])
def test_the_tests_of_the_copy_pass(built, program):
    run(built / "bin" / program)


@pytest.mark.parametrize("check", ["includes", "names"])
def test_the_copy_is_in_order(built, check):
    run(sys.executable, built.parent / f"source/tests/structure/check_{check}.py", built.parent / "source")


def test_the_documentation_can_be_written_anew(built):
    check = [
        sys.executable,
        built.parent / "source/tests/structure/check_docs.py",
        built.parent / "source",
        built / "bin/octavo",
    ]
    run(*check, "--write")
    run(*check)


def test_the_manual_names_the_detector(built):
    assert "--detector sift|foagdd|peaks" in run(built / "bin/octavo", "extract", "--help")


def test_extract(added, dots):
    found = json.loads(added("extract", dots, "--detector", "peaks", "--json"))["keypoints"]
    assert [(k["x"], k["y"]) for k in found] == PLACES
    assert (
        len(json.loads(added("extract", dots, "--detector", "peaks", "--peak-threshold", "0.3", "--json"))["keypoints"])
        == 2
    )
    assert "--detector peaks" in added.error(2, "extract", dots, "--detector", "peaks", "--max-features", "2")
    error = added.error(2, "extract", dots, "--detector", "peaks", "--output", "out", "--format", "colmap")
    assert "choose npz or json" in error and "describe" not in error
    added("extract", dots, "--detector", "peaks", "--output", "out", "--format", "npz")
    assert np.load(added.folder / "out/dots.png.npz")["keypoints"].shape == (3, 5)


def test_inspect(added, dots):
    text = added("inspect", dots, "-o", "look", "--detector", "peaks", "--peak-threshold", "0.3")
    assert "kept" in text and "too small" not in text
    told = json.loads((added.folder / "look/inspect.json").read_text())
    assert told["detector"] == "peaks" and told["options"]["peak_threshold"] == 0.3
    assert [(c["x"], c["y"], c["verdict"]) for c in told["candidates"]] == [(*at, "kept") for at in PLACES[:2]]
    assert [k["candidate"] for k in told["keypoints"]] == [0, 1]
    assert set(told["files"]) <= {path.name for path in (added.folder / "look").iterdir()}
    assert "--point has no effect with --detector peaks\n" in added.error(
        2, "inspect", dots, "-o", "look", "--detector", "peaks", "--point", "3,3"
    )
    assert "--packed" in added.error(2, "inspect", dots, "-o", "look", "--detector", "peaks", "--packed")
    assert json.loads(added("inspect", dots, "--detector", "peaks", "--estimate", "--json"))["devices"][0]["fits"]


def test_inspect_page(added, dots, chromium):
    added("inspect", dots, "-o", "look", "--detector", "peaks")
    chromium.get(f"file://{added.folder}/look/index.html")
    ready = "return document.body.dataset.ready"
    from selenium.webdriver.support.ui import WebDriverWait

    WebDriverWait(chromium, 20).until(lambda browser: browser.execute_script(ready) == "yes")
    assert "peaks" in chromium.execute_script("return document.getElementById('summary').textContent")
    assert chromium.execute_script("return document.querySelectorAll('#keypoint-table tbody tr').length") == 3
    assert chromium.execute_script("return document.getElementById('canvas').dataset.keypoints") == "3"
    assert "60\u00d740" in chromium.execute_script("return document.getElementById('counts').textContent")
    assert [entry for entry in chromium.get_log("browser") if entry["level"] == "SEVERE"] == []


def test_evaluate(added):
    sequence = added.folder / "data" / "v_noise"
    sequence.mkdir(parents=True)
    pixels = np.random.default_rng(1).integers(0, 256, (90, 120), np.uint8)
    Image.fromarray(pixels[:80, :100]).save(sequence / "1.png")
    Image.fromarray(pixels[4:84, 7:107]).save(sequence / "2.png")
    (sequence / "H_1_2").write_text("1 0 -7\n0 1 -4\n0 0 1\n")
    configurations = ["--configuration", "peaks: --detector peaks", "--configuration", "sift:"]
    done = added.call("evaluate", "data", *configurations, "--json", "-o", "page.html")
    (warning,) = done.stderr.splitlines()  # Peaks has no budget
    assert done.returncode == 0 and "the numbers of keypoints differ, from " in warning
    told = json.loads(done.stdout)
    peaks = told["configurations"][0]
    assert peaks["detector"] == "peaks" and peaks["peak_threshold"] == 0.05
    summary = peaks["summary"]["all"]
    assert summary["keypoint_count"] > 100 and summary["repeatability"][0] > 0.95 and summary["match_count"] == 0
    assert "Peaks" in (added.folder / "page.html").read_text()
    error = added.error(2, "evaluate", "data", "--max-features", "100", *configurations)
    assert "peaks has no such budget" in error


def test_commands_that_need_descriptors_do_not_offer_it(added, dots):
    for command in ("match", "align"):
        assert "must be one of sift, foagdd" in added.error(2, command, dots, dots, "--detector", "peaks")
        assert "--peak-threshold" not in added(command, "--help")
    assert "must be all" in added.error(2, "bench", "report", dots, "--detector", "peaks", "--max-features", "500")


def test_python(built, dots):
    script = f"""
import numpy as np, octavo
from PIL import Image
pixels = np.asarray(Image.open({str(dots)!r}))
found = octavo.Extractor("peaks", peak_threshold=0.3, device="cpu").extract(pixels)
assert list(zip(found.keypoints["x"], found.keypoints["y"])) == {PLACES[:2]}, found.keypoints
assert octavo.extract(pixels, detector="peaks", device="cpu").keypoints.shape == (3,)
seen = octavo.inspect(pixels, detector="peaks", device="cpu")
assert len(seen.candidates) == 3 and seen.planes == [] and seen.octaves[0].verdicts == {{"kept": 3}}, seen
assert [option.name for option in octavo.option_facts("peaks")] == ["peak_threshold", "luma"]
assert octavo.presets("peaks") == []
assert "Options of Peaks (detector=\\"peaks\\")" in octavo.Extractor.__doc__
assert "Options of FOAGDD (detector=\\"foagdd\\")" in octavo.Extractor.__doc__
"""
    run(sys.executable, "-c", script, env=os.environ | {"PYTHONPATH": str(built / "octavo_package")})
