"""Images for the tests of the installed package. OCTAVO_PROGRAM names the program of the same build, if there is one."""

import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

import octavo

PHOTOGRAPHS = Path("/usr/share/doc/opencv-doc/examples/data")


@pytest.fixture(scope="session")
def texture():
    """A grey image with many keypoints, made of blobs of several sizes. It depends only on the seed."""

    def make(width=160, height=128, seed=1):
        random = np.random.default_rng(seed)
        image = np.full((height, width), 0.5)
        for _ in range(width * height // 170):
            sigma = random.uniform(1.5, 6)
            x, y = random.uniform(0, width), random.uniform(0, height)
            radius = int(5 * sigma)
            left, top = max(int(x) - radius, 0), max(int(y) - radius, 0)
            part = image[top : int(y) + radius + 1, left : int(x) + radius + 1]
            rows, columns = np.mgrid[top : top + part.shape[0], left : left + part.shape[1]]
            part += random.uniform(-0.5, 0.5) * np.exp(-((columns - x) ** 2 + (rows - y) ** 2) / (2 * sigma**2))
        return np.rint(255 * np.clip(image, 0, 1)).astype(np.uint8)

    return make


@pytest.fixture(scope="session")
def grey(texture):
    return texture()


@pytest.fixture(scope="session")
def colour(texture):
    return np.stack([texture(seed=seed) for seed in (1, 2, 3)], axis=-1)


@pytest.fixture(scope="session")
def extractor():
    return octavo.Extractor(device="cpu")


@pytest.fixture(scope="session")
def program():
    path = os.environ.get("OCTAVO_PROGRAM")
    if not path:
        pytest.skip("lacks the program octavo: OCTAVO_PROGRAM does not name it")
    return path


@pytest.fixture
def octavo_program(program):
    """Calls the program, which must end with `code`; gives what it prints."""

    def call(*arguments, code=0):
        done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True)
        assert done.returncode == code, done.stderr
        return done.stdout

    return call


@pytest.fixture(scope="session")
def photograph():
    """The path of one of opencv-doc's photographs."""

    def find(name):
        path = PHOTOGRAPHS / name
        if not path.exists():
            pytest.skip(f"lacks {path}, of Debian's package opencv-doc")
        return path

    return find


@pytest.fixture(scope="module")
def cluster():
    """Ray with two CPUs, and a GPU that exists only in Ray's accounts. Gives its address."""
    ray = pytest.importorskip("ray", reason="lacks Ray: pip install octavo[ray]")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        patch.setenv(
            "RAY_worker_niceness", "0"
        )  # by default 15: beside other work the tests would take ten times as long
        if program := os.environ.get("OCTAVO_PROGRAM"):  # workers have it on PATH
            patch.setenv("PATH", f"{Path(program).resolve().parent}:{os.environ['PATH']}")
        ray.init(
            address="local", num_cpus=2, num_gpus=1, include_dashboard=False, log_to_driver=False, logging_level="error"
        )
        yield ray.get_runtime_context().gcs_address
        ray.shutdown()
