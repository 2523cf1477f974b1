"""The package is typed: mypy checks it, and a program that uses it."""

import subprocess
import sys
from pathlib import Path

import pytest

CONFIGURATION = Path(__file__).parents[2] / "pyproject.toml"

PROGRAM = """
import numpy as np
import octavo

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
"""


def mypy(*arguments, folder):
    pytest.importorskip("mypy", reason="lacks mypy")
    command = [sys.executable, "-m", "mypy", "--cache-dir", str(folder / "cache"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=folder)


def test_package(tmp_path):
    done = mypy("--config-file", str(CONFIGURATION), "-p", "octavo", folder=tmp_path)
    assert done.returncode == 0 and done.stdout.startswith("Success"), done.stdout


def test_program(tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    told = mypy("--strict", "program.py", folder=tmp_path).stdout
    assert told.count("Revealed type") == 3 and "list[octavo._devices.Device]" in told, told
    assert 'program.py:12: error: Argument "keep"' in told and 'has no attribute "no_such_name"' in told, told
    assert 'program.py:14: error: Module has no attribute "Extraktor"' in told, told
    assert "Found 3 errors" in told, told
