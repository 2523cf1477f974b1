"""Runs the program as a user does. OCTAVO_PROGRAM names it; ctest sets it."""

import functools
import os
import re
import shutil
import signal
import subprocess
from pathlib import Path

import numpy as np
import pytest

from evaluate_data import data, data_set  # noqa: F401
from posed_scene import scene  # noqa: F401
from review_server import archive, server, shared_server  # noqa: F401
from sharding import films, photos  # noqa: F401

NO_DRIVERS = "/no/drivers/of/OpenCL"
PHOTOGRAPHS = Path("/usr/share/doc/opencv-doc/examples/data")


class Octavo:
    """The program. It is called with a temporary folder as its working directory."""

    def __init__(self, folder, prefix=()):
        self.folder = folder
        self.prefix = prefix
        program = os.environ.get("OCTAVO_PROGRAM") or pytest.fail("OCTAVO_PROGRAM does not name the program to test")
        self.path = os.path.abspath(program)  # it runs in other folders
        self.told = [": no keypoints: ", " are copies of one photograph, "]  # what calls may say of their inputs

    def call(self, *arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE):
        command = [*self.prefix, self.path, *map(str, arguments)]
        return subprocess.run(command, cwd=self.folder, stdout=stdout, stderr=stderr, text=True, timeout=600)

    def __call__(self, *arguments):
        """The output of a call that must succeed. It may say that an image has no keypoints, or a copy."""
        done = self.call(*arguments)
        complaints = [line for line in done.stderr.splitlines() if not any(words in line for words in self.told)]
        assert (done.returncode, complaints) == (0, []), done
        return done.stdout

    def error(self, exit_code, *arguments):
        """The sentence on the error stream of a call that must fail."""
        done = self.call(*arguments)
        assert done.returncode == exit_code, done
        assert re.fullmatch(r"octavo: [^\n]+\n", done.stderr), done.stderr
        return done.stderr


@pytest.fixture
def octavo(tmp_path):
    return Octavo(tmp_path)


@pytest.fixture
def bound(tmp_path):
    """The program, bound by the permissions of files, as root is not."""
    if os.geteuid() != 0:
        return Octavo(tmp_path)
    prefix = ("setpriv", "--bounding-set=-dac_override,-dac_read_search")
    if shutil.which("setpriv") is None or subprocess.run([*prefix, "true"], capture_output=True).returncode != 0:
        pytest.skip("lacks setpriv, of Debian's package util-linux, or the right to give up capabilities")
    return Octavo(tmp_path, prefix)


def pytest_configure():
    """Where no device is named a command looks for one. OpenCL's drivers take longer to start than most jobs here: PoCL loads a
    compiler. So they are there for the tests with the fixture `opencl` alone."""
    os.environ.setdefault("OCL_ICD_VENDORS", NO_DRIVERS)
    # Where a shell started this in the background, Ctrl-C is ignored, and by the programs that are tested too.
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def opencl(monkeypatch):
    if os.environ["OCL_ICD_VENDORS"] == NO_DRIVERS:
        monkeypatch.delenv("OCL_ICD_VENDORS")


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
    """A small grey image with many keypoints, made of blobs of several sizes. It depends only on the seed."""

    @functools.lru_cache
    def make(width=160, height=128, seed=1):
        random = np.random.default_rng(seed)
        sigma, x, y, contrast = np.array(
            [
                [random.uniform(1.5, 6), random.uniform(0, width), random.uniform(0, height), random.uniform(-0.5, 0.5)]
                for _ in range(120)
            ]
        ).T[:, None]
        across, down = (
            np.exp(-((np.arange(side)[:, None] - at) ** 2) / (2 * sigma**2)) for side, at in ((width, x), (height, y))
        )
        return np.rint(255 * np.clip(0.5 + contrast * down @ across.T, 0, 1)).astype(np.uint8)

    return lambda *arguments, **named: make(*arguments, **named).copy()


@pytest.fixture(scope="session")
def ffmpeg():
    """The program that makes clips."""
    if shutil.which("ffmpeg") is None:
        pytest.skip("lacks ffmpeg, of Debian's package ffmpeg")


@pytest.fixture(scope="session")
def chromium():
    """A browser without access to a network; servers of this machine are none."""
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    lacking = [name for name in ("chromium", "chromedriver") if shutil.which(name) is None]
    if lacking:
        pytest.skip(f"lacks {' and '.join(lacking)}, of Debian's packages chromium and chromium-driver")
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium")
    for argument in (
        "--headless=new",
        "--no-sandbox",
        "--window-size=1500,1000",
        "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    ):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
    yield driver
    driver.quit()
