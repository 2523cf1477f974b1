"""Rules that hold for every command, by a table of calls (every_command.py)."""

import os
import resource
import shlex
import signal
import subprocess
import time
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from conftest import Octavo
from every_command import CALLS, every, inputs, words_of  # noqa: F401
from test_kills import require_nobody


def by_shell(octavo, words, rest):
    """Runs a call with what a shell makes of its streams. Returns the exit code and the error stream."""
    command = f"{shlex.join([octavo.path, *words])} {rest}"
    done = subprocess.run(["bash", "-c", command], cwd=octavo.folder, capture_output=True, text=True, timeout=600)
    return done.returncode, done.stderr


@pytest.mark.parametrize("name", CALLS)
def test_a_closed_standard_output_is_an_error(every, name):  # noqa: F811
    if name == "sfm" and not (every.folder / "mapper").exists():
        pytest.skip("lacks colmap, of Debian's package colmap")
    code, stderr = by_shell(every, words_of(name), ">&-")
    last = stderr.splitlines()[-1] if stderr else ""
    assert (code, last) == (1, "octavo: cannot write to the standard output: Bad file descriptor"), stderr


@pytest.mark.parametrize("name", CALLS)
def test_an_output_whose_reader_has_ended_ends_quietly(every, name):  # noqa: F811
    """As `| head` does. What goes to files is written all the same."""
    if name == "sfm" and not (every.folder / "mapper").exists():
        pytest.skip("lacks colmap, of Debian's package colmap")
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "w") as pipe:
        done = every.call(*words_of(name), stdout=pipe)
    told = [*every.told, "warning: "]
    complaints = [line for line in done.stderr.splitlines() if not any(words in line for words in told)]
    assert (done.returncode, complaints) == (-signal.SIGPIPE, []), done
    out = [path for path in every.folder.iterdir() if path.name.startswith("out")]
    assert bool(out) == ("OUT" in CALLS[name])


# Calls that take more than eight seconds on the reference device of an idle machine.
LONG = [
    "extract photos --output OUT",
    "extract photos --output OUT.h5 --format hloc",
    "describe photos/0.png --keypoints keypoints.npz --output OUT.npz",
    "match photos --output OUT.txt",
    "match photos --output OUT.h5",
    "match photos/0.png photos/1.png",
    "pairs many --output OUT.txt",
    "align photos/0.png photos/1.png --output OUT.png",
    "colmap photos --database OUT.db",
    "sfm photos --output OUT --mapper ./mapper",
    "mosaic photos/0.png photos/1.png --output OUT.png",
    "filter trilateral photos/0.png --output OUT.png --spatial-sigma 12",
    "inspect photos/0.png --output OUT",
    "video keypoints film.mp4 --output OUT.mp4",
    "bench extract photos/0.png",
    "bench match --descriptor-counts 30000",
]


@pytest.fixture(scope="module")
def large(texture, ffmpeg, tmp_path_factory):
    folder = tmp_path_factory.mktemp("large")
    (folder / "photos").mkdir()
    whole = Image.fromarray(texture(400, 300)).resize((4000, 3000))
    for number in range(3):
        whole.crop((50 * number, 0, 3000 + 50 * number, 2400)).save(folder / "photos" / f"{number}.png")
    (folder / "many").mkdir()
    for number in range(40):
        whole.crop((20 * number, 0, 1280 + 20 * number, 960)).save(folder / "many" / f"{number}.jpg")
    film = "ffmpeg -v error -f lavfi -i testsrc2=s=3840x2160:d=1 -c:v mpeg4 film.mp4"
    subprocess.run(shlex.split(film), check=True, cwd=folder, timeout=60)
    return folder


def cpu_seconds(process):
    user, system = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def ended_cpu_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


@pytest.mark.slow
@pytest.mark.parametrize("moment", [0.3, 1.5])
@pytest.mark.parametrize("call", LONG)
def test_an_interruption_ends_any_command_within_a_second(large, tmp_path, call, moment):
    for name in ("photos", "many", "film.mp4"):
        (tmp_path / name).symlink_to(large / name)
    (tmp_path / "mapper").write_text("#!/bin/sh\nexit 1\n")
    (tmp_path / "mapper").chmod(0o755)
    octavo = Octavo(tmp_path)
    places = np.random.default_rng(1).uniform(100, 2000, (100_000, 2))
    np.savez(tmp_path / "keypoints.npz", keypoints=np.column_stack([places, np.full(len(places), 8.0)]))
    words = [word.replace("OUT", "out") for word in shlex.split(call)] + ["--device", "reference"]
    with open(tmp_path / "errors", "w") as errors:
        process = subprocess.Popen([octavo.path, *words], cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=errors)
        time.sleep(moment)
        assert process.poll() is None, (tmp_path / "errors").read_text()
        before = ended_cpu_seconds() + cpu_seconds(process)
        process.send_signal(signal.SIGINT)
        code = process.wait(timeout=60)
    assert ended_cpu_seconds() - before < 4, "a second of two cores, what a slow machine takes, and a decoder's own"
    assert code == -signal.SIGINT
    require_nobody(tmp_path)


@pytest.mark.slow
def test_an_interrupted_list_has_the_pairs_that_are_done(large, tmp_path):
    """On a device on which a pair takes seconds the pair in work is left."""
    octavo = Octavo(tmp_path)
    octavo("extract", large / "photos", "-o", "few", "--format", "npz", "--max-features", 300, "--device", "cpu")
    random = np.random.default_rng(1)
    many = {
        "keypoints": np.column_stack([random.uniform(0, 2000, (30_000, 2)), np.ones((30_000, 2))]).astype(np.float32),
        "descriptors": random.integers(0, 255, (30_000, 128), np.uint8),
    }
    np.savez(tmp_path / "few" / "3.png.npz", **many)
    np.savez(tmp_path / "few" / "4.png.npz", **many)
    process = subprocess.Popen(
        [octavo.path, "match", "few/*.npz", "-o", "list.txt", "--device", "reference", "--pairs", "sequential:1"],
        cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    time.sleep(1.5)
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=60) == -signal.SIGINT
    listed = (tmp_path / "list.txt").read_text()
    assert listed.startswith("0.png 1.png\n")
