"""The inputs of the program: files, folders, patterns, and files that are not images."""

import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import pytest
from PIL import Image


@pytest.fixture
def folder(octavo, texture):
    """The folder photos/ with three images, one of them in a subfolder, and a file that is not an image."""
    photos = octavo.folder / "photos"
    (photos / "deep").mkdir(parents=True)
    for seed, name in enumerate(("b.png", "a.PNG", "deep/c.pgm")):
        Image.fromarray(texture(seed=seed)).save(photos / name)
    (photos / "notes.txt").write_text("no image")
    return photos


def names(printed):
    return [line.rpartition(": ")[0] for line in printed.splitlines()]


def bad_image(kind, path, texture):
    """Writes a file that cannot be read as an image. Returns a word of the error that says why."""
    image = Image.fromarray(texture())
    if kind == "truncated":
        image.save(path)
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    elif kind == "text":
        path.write_text("This is not an image.\n")
    elif kind == "empty":
        path.touch()
    elif kind == "folder":
        path.mkdir()
    return path


BAD = [
    ("truncated", "bad.jpg"),
    ("truncated", "bad.png"),
    ("truncated", "bad.tif"),
    ("truncated", "bad.webp"),
    ("truncated", "bad.pgm"),
    ("truncated", "bad.bmp"),
    ("truncated", "bad.gif"),
    ("truncated", "bad.avif"),
    ("truncated", "bad.jp2"),
    ("text", "bad.png"),
    ("text", "bad.jpg"),
    ("empty", "bad.png"),
    ("empty", "bad.jpg"),
    ("folder", "bad.png"),
    ("missing", "bad.png"),
]


@pytest.mark.parametrize("kind, name", BAD)
def test_bad_image(octavo, texture, kind, name):
    bad = bad_image(kind, octavo.folder / name, texture)
    assert str(bad) in octavo.error(1, "extract", bad)


@pytest.mark.parametrize("kind, name", BAD)
def test_bad_image_beside_a_good_one(octavo, texture, kind, name):
    good = octavo.folder / "good.png"
    Image.fromarray(texture()).save(good)
    bad = bad_image(kind, octavo.folder / name, texture)
    for command in ("match", "align"):
        for pair in ((good, bad), (bad, good)):
            assert str(bad) in octavo.error(1, command, *pair)
    assert str(bad) in octavo.error(1, "bench", "extract", good, bad, "--rounds", 1, "--warmup", 0)


def test_no_permission(texture, octavo):
    # Root may read every file. So the program runs without root's rights, from a folder that every user may read.
    place = Path(tempfile.mkdtemp(dir="/tmp"))
    try:
        place.chmod(0o755)
        program = shutil.copy(octavo.path, place / "octavo")
        secret = place / "secret.png"
        Image.fromarray(texture()).save(secret)
        secret.chmod(0)
        who = {"user": "nobody", "group": "nogroup", "extra_groups": []} if os.geteuid() == 0 else {}
        try:
            done = subprocess.run([program, "extract", secret], cwd=place, capture_output=True, text=True, **who)
        except PermissionError:
            pytest.skip("lacks the right to run a program as another user")
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr.startswith("octavo: ") and str(secret) in done.stderr and "ermission" in done.stderr
    finally:
        shutil.rmtree(place)


@pytest.mark.parametrize("width, height", [(1, 1), (2, 5000), (5000, 2), (11, 11)])
def test_small_images_have_no_keypoints(octavo, width, height):
    Image.fromarray(np.full((height, width), 77, np.uint8)).save(octavo.folder / "small.png")
    assert json.loads(octavo("extract", "small.png", "--json"))["keypoints"] == []
    octavo("extract", "small.png", "--output", ".", "--format", "colmap", "--draw")
    assert (octavo.folder / "small.png.txt").read_text() == "0 128\n"
    with Image.open(octavo.folder / "small.png.keypoints.png") as drawn:
        assert drawn.size == (width, height)


def test_one_bad_among_many(octavo, folder):
    (folder / "broken.png").write_bytes((folder / "b.png").read_bytes()[:100])
    done = octavo.call("extract", "photos", "--output", "out", "--json")
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1 and done.stderr.startswith("octavo: ") and "photos/broken.png" in done.stderr
    assert [entry["image"] for entry in json.loads(done.stdout)] == ["photos/a.PNG", "photos/b.png"]
    assert sorted(file.name for file in (octavo.folder / "out").glob("*.txt")) == ["a.PNG.txt", "b.png.txt"]


def test_folder_is_sorted_and_not_recursive(octavo, folder):
    assert names(octavo("extract", "photos")) == ["photos/a.PNG", "photos/b.png"]


@pytest.mark.parametrize(
    "command, made",
    [
        (("extract", "photos", "--output", "out"), "out/b.png.txt"),
        (("match", "photos", "-o", "matches.txt"), "matches.txt"),
        (("pairs", "photos", "-o", "pairs.txt", "--by", "exhaustive"), "pairs.txt"),
        (("colmap", "photos", "-d", "a.db"), "a.db"),
    ],
)
def test_a_folder_that_cannot_be_read_costs_no_others(bound, folder, command, made):
    shut = folder / "deep" / "shut"
    shut.mkdir()
    shut.chmod(0)
    try:
        done = bound.call(*command, "--recursive")
    finally:
        shut.chmod(0o755)
    assert (done.returncode, done.stderr) == (
        1,
        "octavo: photos/deep/shut: the folder cannot be read: Permission denied\n",
    )
    assert (bound.folder / made).is_file()


@pytest.mark.parametrize("pattern", ["*/*.p*", "*/c.pgm", "*/deep*/../c.p?m"])
def test_a_pattern_names_folders_that_it_cannot_read(bound, folder, pattern):
    (folder / "shut").mkdir()
    (folder / "shut").chmod(0)
    try:
        done = bound.call("extract", f"photos/{pattern}", f"{folder}/deep/*", "--output", "out")
    finally:
        (folder / "shut").chmod(0o755)
    assert (done.returncode, done.stderr) == (1, "octavo: photos/shut: the folder cannot be read: Permission denied\n")
    assert (bound.folder / "out" / "c.pgm.txt").is_file()


@pytest.mark.parametrize("command", ["match", "pairs"])
def test_a_name_that_a_list_cannot_hold_costs_no_others(octavo, folder, command):
    (folder / "b.png").rename(folder / "b\nb.png")
    by = ["--by", "exhaustive"] if command == "pairs" else []
    assert "b b.png" in octavo.error(1, command, "photos", "--recursive", *by, "-o", "list.txt")
    assert (octavo.folder / "list.txt").read_text().startswith("a.PNG deep/c.pgm\n")


def test_recursive(octavo, folder):
    octavo("extract", "photos", "--recursive", "--output", "out")
    made = sorted(str(file.relative_to(octavo.folder)) for file in (octavo.folder / "out").rglob("*.txt"))
    assert made == ["out/a.PNG.txt", "out/b.png.txt", "out/deep/c.pgm.txt"]


@pytest.mark.parametrize(
    "pattern, found",
    [
        ("photos/*.png", ["photos/b.png"]),
        ("photos/[ab].*", ["photos/a.PNG", "photos/b.png"]),
        ("photos/deep/?.pgm", ["photos/deep/c.pgm"]),
        ("phot*", ["photos/a.PNG", "photos/b.png"]),
    ],
)
def test_pattern(octavo, folder, pattern, found):
    assert names(octavo("extract", pattern)) == found


def test_file_whose_name_looks_like_a_pattern(octavo, texture):
    Image.fromarray(texture()).save(octavo.folder / "[1].png")
    assert names(octavo("extract", "[1].png")) == ["[1].png"]


def test_duplicates_are_done_once(octavo, folder):
    printed = octavo("extract", "photos/b.png", "photos", "./photos/b.png", folder / "b.png", "photos/*.png")
    assert names(printed) == ["photos/b.png", "photos/a.PNG"]


def test_pattern_and_folder_without_images(octavo, folder):
    (octavo.folder / "nothing").mkdir()
    assert "nothing/*.png" in octavo.error(1, "extract", "nothing/*.png")
    assert "nothing" in octavo.error(1, "extract", "nothing")
    done = octavo.call("extract", "nothing", "photos/b.png")
    assert done.returncode == 1 and names(done.stdout) == ["photos/b.png"]


def test_same_name_in_two_folders(octavo, folder):
    other = octavo.folder / "other"
    other.mkdir()
    shutil.copy(folder / "b.png", other)
    sentence = octavo.error(2, "extract", "photos", "other/b.png", "--output", "out")
    assert "photos/b.png" in sentence and "other/b.png" in sentence
    assert not (octavo.folder / "out").exists()
    assert names(octavo("extract", "photos/b.png", "other/b.png")) == ["photos/b.png", "other/b.png"]


def test_max_pixels(octavo, folder):
    """The option in the sentence is that of the command line, for one image, for a list, and in every command."""
    sentence = "it is 160 × 128 pixels, more than --max-pixels, 20479"
    limit = ["--max-pixels", 160 * 128 - 1]
    assert octavo.error(1, "extract", "photos/b.png", *limit).endswith(f"b.png': {sentence}\n")
    done = octavo.call("extract", "photos", *limit)
    assert done.returncode == 1 and done.stderr.count(sentence) == 2
    for command in ("match", "align"):
        assert sentence in octavo.error(1, command, "photos/b.png", "photos/a.PNG", *limit)
    assert sentence in octavo.error(1, "filter", "trilateral", "photos/b.png", "-o", "out.png", *limit)
    assert sentence in octavo.error(1, "inspect", "photos/b.png", "-o", "out", *limit)
    assert sentence in octavo.error(1, "bench", "extract", "photos/b.png", *limit)
    assert sentence in octavo.error(1, "evaluate", "robustness", "photos/b.png", "--kinds", "noise", *limit)
    octavo("extract", "photos/b.png", "--max-pixels", 160 * 128)
    octavo.error(2, "extract", "photos/b.png", "--max-pixels", 0)
    octavo.error(2, "extract", "photos/b.png", "--max-pixels", 2**30 + 1)


@pytest.mark.parametrize("missing", [1, 2])
def test_a_jpeg_that_lacks_its_last_marker_is_read_with_a_warning(octavo, texture, missing):
    Image.fromarray(texture()).save(octavo.folder / "whole.jfif", quality=95, format="jpeg")
    whole = (octavo.folder / "whole.jfif").read_bytes()
    (octavo.folder / "cut").mkdir()
    (octavo.folder / "cut" / "a.jfif").write_bytes(whole[:-missing])
    (octavo.folder / "cut" / "b.jfif").write_bytes(whole)
    words = "octavo: warning: 'cut/a.jfif': it lacks its last marker (EOI), but all its pixels are there\n"
    for call in (
        ("extract", "cut", "--json"),
        ("match", "cut"),
        ("colmap", "cut", "-d", "a.db"),
        ("mosaic", "cut/a.jfif", "cut/b.jfif"),
        ("pairs", "cut", "-o", "p.txt"),
        ("inspect", "cut/a.jfif", "-o", "look"),
        ("filter", "trilateral", "cut/a.jfif", "-o", "f.png"),
    ):
        done = octavo.call(*call, "--device", "cpu")
        assert done.stderr.count("lacks its last marker") == 1 and words in done.stderr, (call, done)
    of_cut, of_whole = (
        json.loads(octavo.call("extract", name, "--json").stdout) for name in ("cut/a.jfif", "whole.jfif")
    )
    assert of_cut["keypoints"] == of_whole["keypoints"] and len(of_cut["keypoints"]) > 20


@pytest.mark.parametrize("length", [200, 250, 255])
def test_a_name_may_be_as_long_as_the_file_system_takes(octavo, texture, length):
    def name(letter, ending):
        return letter * (length - len(ending)) + ending

    photos = octavo.folder / "photos"
    photos.mkdir()
    wide = texture(200, 160)
    for number, letter in enumerate("ab"):
        Image.fromarray(wide[:150, 10 * number : 180 + 10 * number]).save(photos / name(letter, ".png"))
    images = [f"photos/{name(letter, '.png')}" for letter in "ab"]
    for call in (
        ("match", *images, "-o", name("c", ".png")),
        ("filter", "trilateral", images[0], "-o", name("d", ".png")),
        ("mosaic", *images, "-o", name("e", ".png")),
        ("pairs", "photos", "--by", "exhaustive", "-o", name("f", ".txt")),
        ("match", "photos", "-o", name("g", ".txt")),
        ("match", "photos", "-o", name("h", ".h5")),
        ("extract", "photos", "-o", name("i", ".h5"), "--format", "hloc"),
        ("extract", "photos", "-o", name("j", "")),
        ("colmap", "photos", "-d", name("k", ".db")),
        ("inspect", images[0], "-o", name("l", "")),
    ):
        device = [] if call[:2] == ("pairs", "photos") else ["--device", "cpu"]
        done = octavo.call(*call, *device)
        if call[0] == "extract" and call[4:] == () and length > 251:
            assert done.returncode == 1 and "File name too long" in done.stderr and done.stderr.count("\n") == 2
            continue  # each image's own file would have a longer name than there are
        assert done.returncode == 0, (call, done.stderr)
        assert (octavo.folder / call[call.index("-o" if "-o" in call else "-d") + 1]).exists(), call
    octavo("colmap", "photos", "-d", name("k", ".db"), "--device", "cpu")  # extends it
