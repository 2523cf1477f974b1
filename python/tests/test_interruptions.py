"""Ctrl-C ends every call soon, also where the work itself cannot be stopped, and the process can end."""

import os
import subprocess
import sys

import pytest

pytest.importorskip("octavo._jobs", reason="lacks octavo._jobs: the package was built without its jobs")

# Each takes seconds.
LONG = {
    "homography": "octavo.geometry.homography(a, b, max_iterations=10**7)",
    "fundamental": "octavo.geometry.fundamental(a, b, max_iterations=10**7)",
    "essential": "octavo.geometry.essential(a, b, (500, 500, 500, 500), max_iterations=10**7)",
    "write": "octavo.write('noise.webp', noise)",
    "pyramid": "octavo.Pyramid(device='cpu').make(noise[:3000, :3000, 0])",
    "describe": "octavo.Extractor(device='cpu').describe(noise[..., 0], np.full((40000, 3), 500.0))",
    "batch": "list(octavo.Extractor(device='cpu').batch([noise[..., 0]] * 8))",
    "covisible": "octavo.covisible([[1, 0.1, 0], [0, 1, 5], [0, 0, 1]], (30000, 30000), (30000, 30000))",
}

PROGRAM = """
import os, signal, sys, threading, time
import numpy as np
import octavo

random = np.random.default_rng(0)
a, b = random.uniform(0, 1000, (2, 300, 2))
noise = random.integers(0, 255, (4000, 4000, 3), np.uint8)
pressed = []

def press():
    pressed.append(time.monotonic())
    os.kill(os.getpid(), signal.SIGINT)

octavo.geometry.homography(a[:4], a[:4])  # the modules are loaded
threading.Timer(0.3, press).start()
try:
    CALL
except KeyboardInterrupt:
    print(time.monotonic() - pressed[0])
    sys.exit(7)
"""


@pytest.mark.parametrize("name", LONG)
def test_what_cannot_be_stopped_is_left(name, tmp_path):
    program = PROGRAM.replace("CALL", LONG[name])
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (7, "")
    assert float(done.stdout) < 2  # a second and what the machine does beside
    assert not os.listdir(tmp_path)


def test_a_file_that_is_left_does_not_appear(tmp_path):
    """The work goes on, but it has no effect."""
    program = PROGRAM.replace("CALL", LONG["write"].replace("noise)", "noise[:2500, :2500])")).replace(
        "sys.exit(7)", "time.sleep(5)\n    sys.exit(7)"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, timeout=60, check=False)
    assert done.returncode == 7 and not os.listdir(tmp_path)
