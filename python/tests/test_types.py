"""The package is typed: mypy checks it, and a program that uses it."""

import importlib.util
import inspect
import json
import subprocess
import sys
from pathlib import Path

import pytest

import octavo
from octavo import _call_types, _option_types

CONFIGURATION = Path(__file__).parents[2] / "pyproject.toml"

PROGRAM = """
from typing import Any

import numpy as np
import octavo
import octavo.cv2


extractor = octavo.Extractor("sift", max_features=100, device="cpu", order="bgr")
features = extractor.extract(np.zeros((9, 9), np.uint8))
part: octavo.Features = features[features.response > 0]
matches: octavo.Matches = octavo.match(features, part, ratio=0.8)
reveal_type(features.xy)
reveal_type(matches.pairs)
reveal_type(octavo.devices())
extractor.submit(None, keep="gpu")
octavo.trilateral(features).no_such_name
octavo.Extraktor
octavo.Extractor(max_feature=3)
octavo.extract(np.zeros((9, 9), np.uint8), smoothing="gausian")
octavo.match(features, part, mutual="yes")
octavo.cv2.SIFT_create(nfeature=3)
reveal_type(features.octave)
sift = octavo.cv2.SIFT_create(0, 3, 0.04, 10, 1.6, 0, True, device="cpu", upright=np.bool_(True))
pairs: tuple[tuple[Any, ...], ...] = octavo.cv2.BFMatcher().knnMatch(np.zeros((9, 128), np.float32), np.zeros((9, 128), np.float32), k=2)
octavo.ray.extract("photos", "out", format="npz", max_features=3, device="cpu", mask=None)
octavo.ray.extract("photos", "out", max_feature=3)
octavo.ray.colmap("photos", "a.db", camera_params=[1], treshold=3)
octavo.ray.pairs("photos", "a.txt", neighbour=3)
octavo.ray.index("clips", "archive", retries=True)
octavo.ray.search("clips", "archive", "a.json", rough_ends="yes")
octavo.ray.features("photos", preset="opencv", max_features=3, ordr="bgr")
octavo.ray.Extract(max_point=3)
"""

VIDEOS = """
from fractions import Fraction

import numpy as np
import numpy.typing as npt
import octavo

for frame in octavo.video.frames("a.mp4", fps=1):
    image: npt.NDArray[np.uint8] = frame.image
    index: int = frame.index
with octavo.video.frames("a.mp4") as frames:
    rate: Fraction = frames.facts.frame_rate
    seconds = [frame.seconds for frame in frames] + [next(frames).seconds]
    sentences: list[str] = frames.warnings
    reveal_type(seconds)
indexed = octavo.video.index(["a.mp4"], "archive")
told: list[str] = indexed.problems + indexed.warnings
reveal_type(indexed.problems)
"""


def mypy(*arguments, folder):
    pytest.importorskip("mypy", reason="lacks mypy")
    command = [sys.executable, "-m", "mypy", "--cache-dir", str(folder / "cache"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=folder)


def pyright(*arguments, folder):
    """What it says. PyPI has it as basedpyright (290 MB with its node); the package of its own name is fetched from npm."""
    names = [name for name in ("pyright", "basedpyright") if importlib.util.find_spec(name)]
    if not names:
        pytest.skip("lacks pyright: pip install basedpyright")
    settings = {"extraPaths": [str(Path(octavo.__file__).parents[1])], "typeCheckingMode": "standard"}
    (folder / "pyrightconfig.json").write_text(json.dumps(settings))
    command = [sys.executable, "-m", names[0], "--pythonpath", sys.executable, *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=folder).stdout


def test_package_for_pyright(tmp_path):
    assert "completeness score: 100%" in pyright("--verifytypes", "octavo", "--ignoreexternal", folder=tmp_path)
    told = pyright(str(Path(octavo.__file__).parent), folder=tmp_path)
    assert "0 errors, 0 warnings" in told, told


@pytest.mark.slow
def test_package(tmp_path):
    done = mypy("--config-file", str(CONFIGURATION), "-p", "octavo", folder=tmp_path)
    assert done.returncode == 0 and done.stdout.startswith("Success"), done.stdout


@pytest.mark.slow
def test_program(tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    told = mypy("--strict", "program.py", folder=tmp_path).stdout
    assert told.count("Revealed type") == 4 and "list[octavo._devices.Device]" in told, told
    octaves = [line for line in told.splitlines() if "Revealed type" in line][-1]
    assert "signedinteger" in octaves or "int32" in octaves, told
    lines = [int(line.split(":")[1]) for line in told.splitlines() if ": error:" in line]
    assert sorted(lines) == wrong_lines(), told
    for name in ("max_feature", "gausian", "no_such_name", "Extraktor", "nfeature"):
        assert name in told, told


@pytest.mark.slow
def test_documented_loops(tmp_path):
    (tmp_path / "videos.py").write_text(VIDEOS)
    done = mypy("--strict", "videos.py", folder=tmp_path)
    assert done.returncode == 0, done.stdout
    assert 'list[float]"' in done.stdout and 'list[str]"' in done.stdout


def wrong_lines():
    """The lines of the program that have an error."""
    wrong = ("gpu", "no_such_name", "Extraktor", "max_feature=", "gausian", "mutual=", "nfeature=")
    wrong += ("treshold", "neighbour=", "retries", "rough_ends", "ordr", "max_point=")
    return [i for i, line in enumerate(PROGRAM.splitlines(), 1) if any(word in line for word in wrong)]


def test_pyright_sees_options_too(tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    told = pyright("program.py", folder=tmp_path)
    lines = [int(line.split(":")[1]) for line in told.splitlines() if " error:" in line]
    assert sorted(set(lines)) == wrong_lines(), told


OF_RAY = {
    "OfExtract": (octavo.jobs.extract, {"skip_existing", "shard", "progress"}),
    "OfColmap": (octavo.colmap, {"pairs", "shard", "features", "progress"}),
    "OfPairs": (octavo.pairs, {"output", "features", "image", "shard", "progress"}),
    "OfIndex": (octavo.video.index, {"retry", "shard", "progress"}),
    "OfSearch": (octavo.video.search, {"shard", "output", "progress"}),
    "OfExtractor": (octavo.Extractor.__init__, set()),
}


@pytest.mark.parametrize("name", OF_RAY)
def test_options_of_ray_are_arguments_of_the_function_whose_work_is_divided(name):
    """But for those that a job in shards sets itself."""
    function, own = OF_RAY[name]
    parameters = inspect.signature(function).parameters.values()
    options = next(one.annotation for one in parameters if one.kind is one.VAR_KEYWORD)
    kind = getattr(_call_types, name)
    expected = {
        name: one.__forward_arg__
        for name, one in getattr(_option_types, options[len("Unpack[") : -1]).__annotations__.items()
    }
    taken = (one for one in parameters if one.kind is one.KEYWORD_ONLY and one.name not in own)
    expected.update((one.name, one.annotation) for one in taken)
    assert {name: one.__forward_arg__ for name, one in kind.__annotations__.items()} == expected


def test_types_of_options_are_those_of_the_tables():
    """python/octavo/_option_types.py is written by python/documentation/make_option_types.py."""
    root = Path(__file__).parents[2]
    maker = root / "python" / "documentation" / "make_option_types.py"
    if not maker.exists():
        pytest.skip("lacks the checkout around the tests")
    made = subprocess.run([sys.executable, maker], capture_output=True, text=True, check=True).stdout
    assert made == (root / "python" / "octavo" / "_option_types.py").read_text(), f"run {maker.name} --write"
