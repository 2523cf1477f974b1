"""Programs that are killed at any moment (kill -9): no helper lives on, and no file with a final name is half of one."""

import json
import os
import shlex
import signal
import subprocess
import time
from pathlib import Path

import pytest
from PIL import Image


def living(folder):
    """The processes that work in a folder. Those that have ended may wait for a parent to ask."""
    found = []
    for place in Path("/proc").iterdir():
        try:
            state = (place / "stat").read_text().rpartition(")")[2].split()[0] if place.name.isdigit() else "Z"
            if state not in "ZX" and os.readlink(place / "cwd") == str(folder):
                found.append((place / "cmdline").read_bytes().replace(b"\0", b" "))
        except OSError:  # it has ended meanwhile
            continue
    return found


def require_nobody(folder):
    end = time.monotonic() + 10
    while living(folder):
        assert time.monotonic() < end, living(folder)
        time.sleep(0.02)


def kill_at_many_moments(octavo, command, check, moments=6):
    """Runs a command to its end, and then kills it at moments that are spread over this time."""
    begin = time.monotonic()
    octavo(*command)
    whole = time.monotonic() - begin
    check()
    for moment in range(moments):
        process = subprocess.Popen(
            [octavo.path, *map(str, command)], cwd=octavo.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        time.sleep(whole * (moment + 0.5) / moments)
        process.kill()
        process.wait(timeout=60)
        require_nobody(octavo.folder)
        check()


@pytest.fixture
def clips(octavo, photograph, ffmpeg):
    for name in ("a.avi", "b.avi"):
        command = [
            "ffmpeg",
            "-v",
            "error",
            "-t",
            "2",
            "-i",
            photograph("tree.avi"),
            "-an",
            "-vf",
            "scale=160:-2",
            "-c:v",
            "mpeg4",
            name,
        ]
        subprocess.run(command, check=True, cwd=octavo.folder, timeout=60)
    return ["a.avi", "b.avi"]


def test_an_archive(octavo, clips):
    number = iter(range(100))

    def check():
        for folder in octavo.folder.glob("archive*"):
            octavo("video", "list", "--index", folder)

    for moment in (0.1, 0.3, 0.6):
        archive = f"archive{next(number)}"
        process = subprocess.Popen([octavo.path, "video", "index", *clips, "--index", archive, "--device", "cpu"], cwd=octavo.folder,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # fmt: skip
        time.sleep(moment)
        process.kill()
        process.wait(timeout=60)
        require_nobody(octavo.folder)
        octavo("video", "index", *clips, "--index", archive, "--device", "cpu")
        check()


@pytest.mark.slow
def test_a_page(octavo, clips):
    octavo("video", "index", *clips, "--index", "archive", "--device", "cpu")
    page = octavo.folder / "r.html"

    def check():
        if page.exists():
            assert page.read_text().rstrip().endswith("</html>")
            page.unlink()

    kill_at_many_moments(octavo, ["video", "report", "--index", "archive", "-o", "r.html", "--device", "cpu"], check)


@pytest.mark.slow
def test_a_film(octavo, clips):
    film = octavo.folder / "drawn.mp4"

    def check():
        if film.exists():
            subprocess.run(["ffprobe", "-v", "error", "-i", film], check=True, timeout=60)
            film.unlink()

    kill_at_many_moments(octavo, ["video", "keypoints", "a.avi", "-o", "drawn.mp4", "--device", "cpu"], check)


def test_an_encoder_ends_with_its_reader(octavo, ffmpeg):
    """Though it waits for images, and something holds the other end of its input, such as a fork of the program that died."""
    request = {
        "container": "mp4",
        "is_stream": False,
        "width": 64,
        "height": 48,
        "time_base": [1, 25],
        "frame_rate": [25, 1],
        "encoders": ["mpeg4"],
    }
    words = [str(Path(octavo.path).with_name("octavo-encode")), "octavo-encode-2", json.dumps(request)]
    script = f"exec 3> film.mp4; exec {' '.join(map(shlex.quote, words))}"
    process = subprocess.Popen(["bash", "-c", script], cwd=octavo.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    process.stdout.read(16)  # it is ready
    process.stdout.close()
    assert process.wait(timeout=20) == 1
    process.stdin.close()


@pytest.mark.slow
def test_an_hdf5_file(octavo, texture):
    h5py = pytest.importorskip("h5py", reason="lacks h5py, of tests/requirements.txt")
    (octavo.folder / "photos").mkdir()
    for seed in range(4):
        Image.fromarray(texture(seed=seed)).save(octavo.folder / "photos" / f"{seed}.png")

    def check():
        if (octavo.folder / "m.h5").exists():
            with h5py.File(octavo.folder / "m.h5") as file:
                names = []
                file.visititems(
                    lambda name, item: names.append((name, item[()])) if isinstance(item, h5py.Dataset) else None
                )
                assert len(names) == 2 * 6

    # The first run makes the file, the others extend it.
    kill_at_many_moments(octavo, ["match", "photos", "-o", "m.h5", "--device", "cpu"], check, 10)


@pytest.mark.parametrize("how", ["killed", "interrupted twice"])
def test_a_mapper_ends_with_its_parent(octavo, texture, how):
    """The mapper is a script that ignores requests to end, and has started another program."""
    (octavo.folder / "photos").mkdir()
    for seed in range(2):
        Image.fromarray(texture(seed=1)).save(octavo.folder / "photos" / f"{seed}.png")
    mapper = octavo.folder / "mapper"
    mapper.write_text('#!/bin/sh\n[ "$2" = -h ] && exit 0\ntrap "" TERM INT\nsleep 60 &\ntouch begun\nwait\nwait\n')
    mapper.chmod(0o755)
    command = [
        octavo.path,
        "sfm",
        "photos",
        "-o",
        "model",
        "--mapper",
        "./mapper",
        "--verify",
        "usac",
        "--device",
        "cpu",
    ]
    process = subprocess.Popen(command, cwd=octavo.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while not (octavo.folder / "begun").exists():
        assert process.poll() is None
        time.sleep(0.02)
    if how == "killed":
        process.kill()
    else:
        process.send_signal(signal.SIGINT)
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
    assert process.wait(timeout=60) in (-signal.SIGKILL, -signal.SIGINT)
    require_nobody(octavo.folder)
