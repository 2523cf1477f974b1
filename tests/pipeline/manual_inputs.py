"""What the commands of the manual work on, under the names that its pages use: small parts of opencv-doc's images and clips."""

import fnmatch
import re
import shlex
import shutil
import subprocess

import cv2
import numpy as np
import pytest
from PIL import Image

from conftest import Octavo

CLIPS = {  # FFmpeg's options before and behind the source
    "clip.mp4": ("vtest.avi", "", "-vf scale=256:-2 -r 2 -t 65"),
    "films/one.mp4": ("Megamind.avi", "", "-vf scale=256:-2 -r 12 -t 6"),
    "films/old/two.mp4": ("tree.avi", "", "-vf scale=160:-2 -t 3"),
    "part.mp4": ("Megamind.avi", "-ss 1", "-vf hflip,scale=256:-2 -r 12 -t 4"),
    "a.mp4": ("Megamind.avi", "", "-vf scale=256:-2 -r 12 -t 3"),
    "b.mp4": ("Megamind_bugy.avi", "", "-vf scale=256:-2 -r 12 -t 3"),
    "new/three.mp4": ("Megamind.avi", "-ss 2", "-vf scale=240:-2 -r 12 -t 3"),
    "rushes.mov": ("Megamind.avi", "", "-vf scale=256:-2 -r 12 -t 5"),
    "rushes1.mov": ("Megamind.avi", "", "-vf scale=256:-2 -r 12 -t 5"),
    "rushes2.mov": ("Megamind_bugy.avi", "", "-vf scale=256:-2 -r 12 -t 5"),
    "pip.mp4": ("Megamind.avi", "", "-vf scale=240:-2,pad=480:360:40:30 -r 12 -t 3"),
    "pan.mp4": ("aloeL.jpg", "", "-vf loop=-1:1,crop=400:320:x=t*150:y=300 -r 25 -q:v 3 -t 3"),
}
LINKS = ("graf1.png", "graf3.png", "vtest.avi", "Megamind.avi")
ARCHIVED = ("a.mp4", "b.mp4", "films")  # what is in the folder "archive"


def make_images(folder, photograph):
    """Windows of one photograph, which overlap."""
    wide = cv2.imread(str(photograph("aloeL.jpg")))[200:700, 100:1100]
    windows = {"left.jpg": 0, "middle.jpg": 150, "right.jpg": 300, "photo.jpg": 80, "other.jpg": 200}
    windows |= {f"photos/{number}.jpg": 110 * number for number in range(4)}
    windows |= {f"tiles/{number}.jpg": 130 * number for number in range(3)}
    windows |= {"photos/more/4.jpg": 440, "images/place.jpg": 30, "photographs/0.jpg": 60}
    windows |= {"hpatches/v_aloe/1.png": 0, "hpatches/v_aloe/2.png": 40, "labelled/corners.png": 0}
    windows |= {"data/photos/0.jpg": 0, "data/photos/1.jpg": 90}
    for name, x in windows.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        cv2.imwrite(str(folder / name), wide[40:340, x : x + 380])
    (folder / "hpatches/v_aloe/H_1_2").write_text("1 0 -40\n0 1 0\n0 0 1\n")
    (folder / "labelled/corners.corners.txt").write_text("20 30\n50.5 60\n100 90\n")
    Image.open(folder / "photo.jpg").save(folder / "photo.heic", "JPEG")  # the content tells the format
    grey = cv2.cvtColor(wide[40:240, :260], cv2.COLOR_BGR2GRAY).astype(np.uint16)
    cv2.imwrite(str(folder / "scan16.tif"), grey * 200)
    (folder / "thermal").mkdir()
    for number in range(2):
        cv2.imwrite(str(folder / "thermal" / f"{number}.png"), 29000 + 8 * grey[:, 20 * number :])
    mask = np.full((300, 380), 255, np.uint8)
    mask[:40, :60] = 0
    cv2.imwrite(str(folder / "logo.png"), mask)


def make_clips(folder, photograph):
    for name, (source, before, behind) in CLIPS.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        words = f"ffmpeg -v error {before} -i {photograph(source)} -an {behind} -c:v mpeg4 {name}"
        subprocess.run(shlex.split(words), check=True, cwd=folder, timeout=60)
    (folder / "clips").mkdir()
    shutil.copy(folder / "a.mp4", folder / "clips" / "a.mp4")


def make_model(folder):
    """A model of COLMAP by hand: two of the photographs see eight points."""
    (folder / "model").mkdir()
    random = np.random.default_rng(1)
    points = random.uniform(-1, 1, (8, 3)) + (0, 0, 6)
    seen = 200 * points[:, :2] / points[:, 2:] + (190, 150)
    images, rows = "", [f"{i + 1} {x} {y} {z} 9 9 9 0.1 1 {i} 2 {i}" for i, (x, y, z) in enumerate(points)]
    for number in (1, 2):
        places = " ".join(f"{x} {y} {i + 1}" for i, (x, y) in enumerate(seen))
        images += f"{number} 1 0 0 0 0 0 0 1 {number}.jpg\n{places}\n"
    (folder / "model" / "cameras.txt").write_text("1 PINHOLE 380 300 200 200 190 150\n")
    (folder / "model" / "images.txt").write_text(images)
    (folder / "model" / "points3D.txt").write_text("\n".join(rows) + "\n")


def make_results(octavo):
    """What earlier commands of a user left."""
    for image, features in (("left", "a"), ("right", "b"), ("photo", "harris")):
        with open(octavo.folder / f"{features}.npz", "wb") as file:
            octavo.call("extract", f"{image}.jpg", "--output", "-", "--format", "npz", stdout=file)
    octavo("extract", "labelled", "--output", "harris_npz", "--format", "npz")
    octavo("video", "index", *ARCHIVED, "--index", "archive")
    for shard in (1, 2):
        octavo("video", "index", "films", "--index", f"part-{shard}", "--shard", f"{shard}/2")


def is_of(name, pattern):
    return pattern.startswith("*") and fnmatch.fnmatch(name, pattern)


@pytest.fixture(scope="module")
def inputs(photograph, ffmpeg, tmp_path_factory):
    """Makes a folder with what some commands name, but not what they make themselves."""
    store = tmp_path_factory.mktemp("manual") / "here"  # archives and blocks have files of the same paths
    store.mkdir()
    make_images(store, photograph)
    make_clips(store, photograph)
    make_model(store)
    for name in LINKS:
        (store / name).symlink_to(photograph(name))
    make_results(Octavo(store))
    kept = store.rename(store.parent / "kept")

    def supply(text):
        shutil.rmtree(store, ignore_errors=True)
        store.mkdir()
        words = [word.strip("/") for word in re.split(r"[\s'=]+", text)]
        if "archive" in words:
            words += ARCHIVED
        for path in kept.iterdir():
            named = any(word.split("/")[0] == path.name or is_of(path.name, word) for word in words)
            made = re.search(
                rf"(?:video index .*--index|merge|-o|--output|ffmpeg .*) {re.escape(path.name)}(?=[\s;]|$)", text
            )
            if named and not made:
                copy = shutil.copytree if path.is_dir() else shutil.copy2  # with its time, by which an archive knows it
                copy(path, store / path.name)
        return store

    return supply
