"""Programs that are killed at any moment (kill -9): no helper lives on, and no file with a final name is half of one."""

import contextlib
import json
import os
import random
import shlex
import shutil
import signal
import sqlite3
import subprocess
import time
from pathlib import Path

import pytest
from PIL import Image

from every_command import WRITERS, every, inputs, words_of  # noqa: F401


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


# Kills of each command; `OCTAVO_KILLS_EACH=33 pytest -m slow test_kills.py -k any_moment` are a thousand.
KILLS_EACH = int(os.environ.get("OCTAVO_KILLS_EACH", "3"))
SEED = os.environ.get("OCTAVO_KILLS_SEED", "0")  # another one kills at other moments


def rows_of_archive(catalogue):
    """Those of its tables, without the numbers of clips: these follow the order in which the clips were ready."""
    # Nothing is written beside a file that is opened so.
    with contextlib.closing(sqlite3.connect(f"file:{catalogue}?immutable=1", uri=True)) as tables:
        facts = ", ".join(column for _, column, *_ in tables.execute("PRAGMA table_info(clip)") if column != "id")
        queries = (
            "SELECT * FROM setting",
            f"SELECT {facts} FROM clip",
            "SELECT content, position, name, sentence FROM warning JOIN clip ON id = clip",
            "SELECT path, given, file.size, modified, content, failure FROM file LEFT JOIN clip ON id = clip",
            "SELECT * FROM verdict",
        )
        return [sorted(tables.execute(query), key=repr) for query in queries]


def content(path):
    """The bytes; of an HDF5 file those of its arrays and of a database its rows, which may be in other places where two
    programs have written the file."""
    if path.name == "catalogue.sqlite":
        return rows_of_archive(path)
    if path.suffix == ".db":
        with contextlib.closing(sqlite3.connect(path)) as tables:
            return sorted(tables.iterdump())
    if path.suffix != ".h5":
        return path.read_bytes()
    h5py = pytest.importorskip("h5py", reason="lacks h5py, of tests/requirements.txt")
    found = {}
    with h5py.File(path) as file:
        file.visititems(
            lambda name, item: found.setdefault(name, item[()].tobytes()) if isinstance(item, h5py.Dataset) else None
        )
    return found


def contents(folder):
    return {str(path.relative_to(folder)): content(path) for path in folder.rglob("*") if path.is_file()}


def as_before(folder, before):
    """Removes what was made since."""
    for path in folder.iterdir():
        if path.name not in before:
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()


@pytest.mark.slow
@pytest.mark.parametrize("name", WRITERS)
def test_a_call_that_was_killed_at_any_moment_is_done_again(every, name):  # noqa: F811
    """No helper lives on, and the same call then gives what one that was not killed gives: the same files, and those
    that two whole runs make alike with the same bytes."""
    if name == "sfm" and not (every.folder / "mapper").exists():
        pytest.skip("lacks colmap, of Debian's package colmap")
    command, folder = [every.path, *words_of(name)], every.folder
    before = {path.name for path in folder.iterdir()}
    runs = []
    for _ in range(2):
        as_before(folder, before)
        begin = time.monotonic()
        subprocess.run(command, cwd=folder, capture_output=True, check=True, timeout=120)
        seconds = time.monotonic() - begin
        runs.append(contents(folder))
    assert set(runs[0]) == set(runs[1])
    alike = {file for file in runs[0] if runs[0][file] == runs[1][file]}
    moments = random.Random(f"{SEED} {name}")
    for kill in range(KILLS_EACH):
        as_before(folder, before)
        process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        moment = moments.uniform(0, seconds)
        time.sleep(moment)
        process.kill()
        process.wait(timeout=60)
        require_nobody(folder)
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, (kill, moment, done)
        made = contents(folder)
        assert set(made) == set(runs[0]), (kill, moment)
        other = {file for file in alike if made[file] != runs[0][file]}
        assert not other, (kill, moment, other)
