"""Runs the program as a user does. OCTAVO_PROGRAM names it; ctest sets it."""

import os
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest

PHOTOGRAPHS = Path("/usr/share/doc/opencv-doc/examples/data")


class Octavo:
    """The program, called with the temporary folder as its working directory."""

    def __init__(self, folder):
        self.folder = folder
        self.path = os.environ.get("OCTAVO_PROGRAM") or pytest.fail("OCTAVO_PROGRAM does not name the program to test")

    def call(self, *arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE):
        command = [self.path, *map(str, arguments)]
        return subprocess.run(command, cwd=self.folder, stdout=stdout, stderr=stderr, text=True, timeout=600)

    def __call__(self, *arguments):
        """What a call that must succeed prints."""
        done = self.call(*arguments)
        assert (done.returncode, done.stderr) == (0, ""), done
        return done.stdout

    def error(self, exit_code, *arguments):
        """The one sentence that a call that must fail leaves on the error stream."""
        done = self.call(*arguments)
        assert done.returncode == exit_code, done
        assert re.fullmatch(r"octavo: [^\n]+\n", done.stderr), done.stderr
        return done.stderr


@pytest.fixture
def octavo(tmp_path):
    return Octavo(tmp_path)


@pytest.fixture(scope="session")
def photograph():
    """The path of one of opencv-doc's photographs."""

    def find(name):
        path = PHOTOGRAPHS / name
        if not path.exists():
            pytest.skip(f"lacks {path}, of Debian's package opencv-doc")
        return path

    return find


@pytest.fixture(scope="session")
def texture():
    """A small grey picture with plenty of keypoints, made of blobs of several sizes; the same for the same seed."""

    def make(width=160, height=128, seed=1):
        random = np.random.default_rng(seed)
        y, x = np.mgrid[0:height, 0:width]
        picture = np.full((height, width), 0.5)
        for _ in range(120):
            sigma = random.uniform(1.5, 6)
            distance2 = (x - random.uniform(0, width)) ** 2 + (y - random.uniform(0, height)) ** 2
            picture += random.uniform(-0.5, 0.5) * np.exp(-distance2 / (2 * sigma**2))
        return np.rint(255 * np.clip(picture, 0, 1)).astype(np.uint8)

    return make
