"""A small call of each command, for rules that hold for all of them: streams, interruptions, kills."""

import shlex
import shutil
import subprocess

import cv2
import numpy as np
import pytest
from PIL import Image

from conftest import Octavo

# What each command is called with, in a folder with what `inputs` makes. OUT stands for what it writes.
CALLS = {
    "extract": "extract photos --output OUT --format npz",
    "extract hloc": "extract photos --output OUT.h5 --format hloc",
    "extract shard": "extract photos --output OUT --shard 1/2",
    "describe": "describe photos/0.png --keypoints keypoints/0.png.npz --output OUT.npz",
    "match": "match photos --output OUT.txt",
    "match hloc": "match photos --output OUT.h5",
    "match drawn": "match photos/0.png photos/1.png --output OUT.png",
    "pairs": "pairs photos --output OUT.txt",
    "align": "align photos/0.png photos/1.png --output OUT.png",
    "colmap": "colmap photos --database OUT.db",
    "sfm": "sfm photos --output OUT --mapper ./mapper",
    "export": "export model --output OUT --to ply,transforms --photos posed",
    "mosaic": "mosaic photos/0.png photos/1.png photos/2.png --output OUT.png",
    "evaluate": "evaluate set --output OUT.html",
    "evaluate robustness": "evaluate robustness photos/0.png --kinds rotation --output OUT.html",
    "evaluate crops": "evaluate crops photos/0.png --crop-sizes 64x64 --changes clean --output OUT.html",
    "evaluate corners": "evaluate corners corners --output OUT.html",
    "filter trilateral": "filter trilateral photos/0.png --output OUT.png",
    "inspect": "inspect photos/0.png --output OUT",
    "merge": "merge OUT part1 part2",
    "video frames": "video frames a.avi --output OUT",
    "video keypoints": "video keypoints a.avi --output OUT.mp4",
    "video index": "video index a.avi b.avi --index OUT",
    "video search": "video search a.avi --index archive",
    "video duplicates": "video duplicates --index archive",
    "video report": "video report --index archive --output OUT.html",
    "video compare": "video compare a.avi b.avi",
    "video affinity": "video affinity a.avi b.avi --output OUT.png --json",
    "video takes": "video takes a.avi b.avi --min-seconds 0.4 --output OUT.jpg",
    "video places": "video places a.avi photos/0.png --output OUT.html",
    "video list": "video list --index archive",
    "video verdict": "video verdict --index archive",
    "devices": "devices",
    "completion": "completion bash",
    "help": "help extract",
    "bench extract": "bench extract photos/0.png --rounds 3",
    "bench match": "bench match --descriptor-counts 300 --rounds 3",
    "selftest": "selftest",
}
WITHOUT_DEVICE = {
    "export", "merge", "video frames", "video search", "video duplicates", "video list", "video verdict", "devices",
    "completion", "help",
}  # fmt: skip
WRITERS = [name for name, call in CALLS.items() if "OUT" in call]


def words_of(name, out="out"):
    """The arguments of the call, on the CPU."""
    device = [] if name in WITHOUT_DEVICE else ["--device", "cpu"]
    return [word.replace("OUT", out) for word in shlex.split(CALLS[name])] + device


def make_images(folder, texture):
    wide = texture(280, 220, seed=3)
    (folder / "photos").mkdir()
    for number, (x, y) in enumerate([(0, 0), (40, 10), (70, 40), (20, 50)]):
        Image.fromarray(wide[y : y + 160, x : x + 200]).save(folder / "photos" / f"{number}.png")


def make_truths(folder):
    (folder / "set" / "v_shift").mkdir(parents=True)
    for number in (0, 1):
        shutil.copy(folder / "photos" / f"{number}.png", folder / "set" / "v_shift" / f"{number + 1}.png")
    (folder / "set" / "v_shift" / "H_1_2").write_text("1 0 -40\n0 1 -10\n0 0 1\n")
    (folder / "corners").mkdir()
    shutil.copy(folder / "photos" / "0.png", folder / "corners" / "0.png")
    (folder / "corners" / "0.corners.txt").write_text("20 30\n50.5 60\n100 90\n")


def make_model(folder):
    """A model by hand: two images that see eight points. The mapper writes the same, after a while."""
    (folder / "model").mkdir()
    (folder / "posed").mkdir()
    random = np.random.default_rng(1)
    points = random.uniform(-1, 1, (8, 3)) + (0, 0, 6)
    seen = 200 * points[:, :2] / points[:, 2:] + (100, 80)
    images, rows = "", [f"{i + 1} {x} {y} {z} 9 9 9 0.1 1 {i} 2 {i}" for i, (x, y, z) in enumerate(points)]
    for number in (1, 2):
        cv2.imwrite(str(folder / "posed" / f"{number}.png"), np.full((160, 200, 3), 90, np.uint8))
        places = " ".join(f"{x} {y} {i + 1}" for i, (x, y) in enumerate(seen))
        images += f"{number} 1 0 0 0 0 0 0 1 {number}.png\n{places}\n"
    (folder / "model" / "cameras.txt").write_text("1 SIMPLE_PINHOLE 200 160 200 100 80\n")
    (folder / "model" / "images.txt").write_text(images)
    (folder / "model" / "points3D.txt").write_text("\n".join(rows) + "\n")


@pytest.fixture(scope="session")
def inputs(texture, photograph, ffmpeg, tmp_path_factory):
    """The folder of which each test gets a copy."""
    folder = tmp_path_factory.mktemp("inputs")
    octavo = Octavo(folder)
    make_images(folder, texture)
    make_truths(folder)
    make_model(folder)
    for name, begin in (("a.avi", 0), ("b.avi", 0.5)):
        film = f"ffmpeg -v error -ss {begin} -t 2 -i {photograph('tree.avi')} -an -vf scale=160:-2 -c:v mpeg4 {name}"
        words = shlex.split(film)
        subprocess.run(words, check=True, cwd=folder, timeout=60)
    octavo("extract", "photos", "-o", "keypoints", "--format", "npz", "--device", "cpu")
    octavo("video", "index", "a.avi", "b.avi", "--index", "archive", "--device", "cpu")
    octavo("video", "verdict", "a.avi", "b.avi", "different", "--index", "archive")
    for shard in (1, 2):
        octavo("extract", "photos", "-o", f"part{shard}", "--shard", f"{shard}/2", "--device", "cpu")
    return folder


@pytest.fixture
def every(octavo, inputs):
    """The program, in a folder with the inputs of all calls. `mapper` is COLMAP's, or a test writes it."""
    shutil.copytree(inputs, octavo.folder, dirs_exist_ok=True)
    octavo.told.append(", which show no depth: ")  # the photographs are cut from one
    colmap = shutil.which("colmap")
    if colmap:
        (octavo.folder / "mapper").symlink_to(colmap)
    return octavo
