"""Names that are read from files never make a command read or write outside the folders that the user gave."""

import json
import os
import shutil
import sqlite3

import numpy as np
import pytest
from PIL import Image

from every_command import every, inputs  # noqa: F401

# Relative to the folder `work`, beside which lies `outside`.
NAMES = [
    "../outside/secret.png",
    "ABSOLUTE",
    "deep/../../outside/secret.png",
    "../outside/secret.png\0.png",
    "a\nb.png",
]


def tree(folder):
    """All files below, with their bytes; which were read is told by a name that is printed or by what is made."""
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in sorted(folder.rglob("*"))
    }


@pytest.fixture
def outside(every):  # noqa: F811
    """The folder that no command may touch, and the program in a folder beside it."""
    work, secret = every.folder / "work", every.folder / "outside"
    work.mkdir()
    secret.mkdir()
    for path in list(every.folder.iterdir()):
        if path not in (work, secret):
            path.rename(work / path.name)
    Image.effect_noise((200, 160), 60).save(secret / "secret.png")
    (secret / "secret.png.txt").write_text("1 128\n" + "1 2 3 4 " + "7 " * 128 + "\n")
    (secret / "secret.signature").write_bytes(b"secret")
    every.folder = work
    return secret


def shown(name, secret):
    return name.replace("ABSOLUTE", str(secret / "secret.png"))


def model(octavo, name):
    file = octavo.folder / "model" / "images.txt"
    file.write_text(file.read_text().replace(" 1 1.png\n", f" 1 {name}\n"))
    return [["export", "model", "-o", "out", "--to", "transforms,undistorted", "--photos", "posed"],
            ["export", "model", "-o", "out2", "--to", "bundler", "--photos", "posed"]]  # fmt: skip


def database(octavo, name):
    octavo("colmap", "photos", "-d", "out.db", "--device", "cpu")
    (octavo.folder / "out").mkdir()
    shutil.move(octavo.folder / "out.db", octavo.folder / "out" / "database.db")
    with sqlite3.connect(octavo.folder / "out" / "database.db") as tables:
        tables.execute("UPDATE images SET name = ? WHERE name = '0.png'", (name,))
    tables.close()
    return [["sfm", "photos", "-o", "out", "--mapper", "./mapper", "--device", "cpu"]]


def manifest(octavo, name):
    file = octavo.folder / "part1" / "octavo-manifest.jsonl"
    lines = file.read_text().splitlines()
    for line in lines:
        entry = json.loads(line)
        if "file" in entry:
            break
    lines.append(json.dumps({**entry, "file": name}))
    file.write_text("\n".join(lines) + "\n")
    return [["merge", "out", "part1", "part2"], ["merge", "out.h5", "part1", "part2"],
            ["extract", "photos", "-o", "part1", "--shard", "1/2", "--device", "cpu"]]  # fmt: skip


def archive(octavo, name):
    catalogue = next((octavo.folder / "archive").glob("*.sqlite*"), None) or next(
        path for path in (octavo.folder / "archive").iterdir() if path.is_file() and b"SQLite" in path.read_bytes()[:16]
    )
    digest = name.replace(".png", "").replace("../outside", "../../../outside")
    with sqlite3.connect(catalogue) as tables:
        tables.execute("UPDATE clip SET segment = ? WHERE rowid = 1", (digest,))
    tables.close()
    return [["video", "report", "--index", "archive", "-o", "out.html", "--device", "cpu"],
            ["video", "search", "b.avi", "--index", "archive"],
            ["video", "index", "a.avi", "--index", "archive", "--device", "cpu"],
            ["video", "forget", "a.avi", "b.avi", "--index", "archive"]]  # fmt: skip


def pairs(octavo, name):
    (octavo.folder / "pairs.txt").write_text(f'0.png "{name}"\n0.png 1.png\n')
    return [["match", "photos", "--pairs", "pairs.txt", "-o", "out.txt", "--device", "cpu"],
            ["colmap", "photos", "--pairs", "pairs.txt", "-d", "out.db", "--device", "cpu"],
            ["mosaic", "photos", "--pairs", "pairs.txt", "-o", "out.png", "--device", "cpu"]]  # fmt: skip


def hloc(octavo, name):
    h5py = pytest.importorskip("h5py", reason="lacks h5py, of tests/requirements.txt")
    octavo("extract", "photos", "-o", "f.h5", "--format", "hloc", "--device", "cpu")
    with h5py.File(octavo.folder / "f.h5", "a") as file:
        group = file["0.png"]
        target = name.replace("\0", "?").lstrip("/")  # HDF5's own separator is the slash
        file.copy(group, target)
        del file["0.png"]
    return [["match", "f.h5", "-o", "out.txt", "--device", "cpu"], ["match", "f.h5", "-o", "out.h5", "--device", "cpu"],
            ["pairs", "--features", "f.h5", "-o", "out2.txt", "--device", "cpu"],
            ["describe", "photos/1.png", "--keypoints", "f.h5", "-o", "out.npz", "--device", "cpu"]]  # fmt: skip


def npz(octavo, name):
    arrays = dict(np.load(octavo.folder / "keypoints" / "0.png.npz"))
    np.savez(octavo.folder / "n.npz", **{name.replace("\0", "?"): arrays["keypoints"]}, **arrays)
    return [["describe", "photos/0.png", "--keypoints", "n.npz", "-o", "out.npz", "--device", "cpu"],
            ["match", "n.npz", "keypoints/1.png.npz", "--json", "--device", "cpu"]]  # fmt: skip


def note(octavo, name):
    """The note of a shard, with settings and problems from another program."""
    (file,) = (octavo.folder / "part1").glob("octavo-part-*.json")
    entry = json.loads(file.read_text())
    file.write_text(json.dumps({**entry, "problems": [name], "item_count": 3}))
    shutil.copy(file, octavo.folder / "part1" / "octavo-part-2-of-2.json")
    return [["merge", "out", "part1", "part2"]]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("made", [model, database, manifest, archive, pairs, hloc, npz, note])
def test_a_name_leads_nowhere_else(every, outside, made, name):  # noqa: F811
    if made in (model, database) and shutil.which("colmap") is None:
        pytest.skip("lacks colmap, of Debian's package colmap")
    if made in (model, pairs) and "\n" in name:
        pytest.skip("lacks a way to write this name: it would be two lines")
    calls = made(every, shown(name, outside))
    before = tree(outside), set(os.listdir(every.folder.parent))
    secret = (outside / "secret.png.txt").read_bytes()
    for call in calls:
        done = every.call(*call)
        assert done.returncode in (0, 1), (call, done)
        assert all(line.startswith("octavo: ") for line in done.stderr.splitlines()), done.stderr
        assert (tree(outside), set(os.listdir(every.folder.parent))) == before, call
    copies = [path for path in every.folder.rglob("*") if path.is_file() and path.read_bytes() == secret]
    assert not copies, "it was read"


@pytest.mark.parametrize("made, words", [(model, "outside of any folder"), (database, "outside of any folder")])
def test_a_name_outside_is_told(every, outside, made, words):  # noqa: F811
    if shutil.which("colmap") is None:
        pytest.skip("lacks colmap, of Debian's package colmap")
    call = made(every, "../outside/secret.png")[0]
    assert words in every.error(1, *call)


def test_an_archive_with_a_name_outside_is_damaged(every, outside):  # noqa: F811
    calls = archive(every, "../outside/secret.png")
    done = every.call(*calls[1])
    assert done.returncode == 1 and "is no digest of a signature" in done.stderr
