"""What the tests of shards and merges share: images and clips, calls that are killed, and which item is in which shard."""

import os
import random
import shutil
import signal
import subprocess
import time

import pytest
from PIL import Image

SEED = os.environ.get("OCTAVO_KILLS_SEED", "0")  # another one kills at other moments
COUNTS = [1, 3, 7]


def counts_with_one(usual):
    """COUNTS, of which one is usual. The others are slow: a shard of films takes a second."""
    return [count if count == usual else pytest.param(count, marks=pytest.mark.slow) for count in COUNTS]


def shard_number(name, count):
    """As octavo/io/shard.h says."""
    z = 14695981039346656037
    for byte in name.encode():
        z = (z ^ byte) * 1099511628211 % 2**64
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
    return (z ^ z >> 31) % count + 1


def contents(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def shuffled(items, seed):
    items = list(items)
    random.Random(f"{SEED} {seed}").shuffle(items)
    return items


def kill_at_random(octavo, arguments, kills=3, longest=0.4):
    """Begins a call again and again, until it was killed several times while it was still at work."""
    moments = random.Random(f"{SEED} {arguments}")
    killed = 0
    while killed < kills:
        run = subprocess.Popen([octavo.path, *map(str, arguments)], cwd=octavo.folder, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)  # fmt: skip
        time.sleep(moments.uniform(0, longest))
        run.send_signal(signal.SIGKILL)
        if run.wait() == -signal.SIGKILL:
            killed += 1
        else:
            longest /= 2  # It had ended before: machines differ in speed.


def make_photos(octavo, texture):
    """Makes the folder photos/ with nine small images in two folders."""
    folder = octavo.folder / "photos"
    (folder / "old").mkdir(parents=True)
    for i in range(9):
        Image.fromarray(texture(96, 80, seed=i // 2)).save(folder / ("old" if i % 3 == 0 else ".") / f"{i}.png")
    return folder


@pytest.fixture
def photos(octavo, texture):
    return make_photos(octavo, texture)


@pytest.fixture(scope="session")
def films(photograph, ffmpeg, tmp_path_factory):
    """Six clips of a second or two; one is a copy of another, one a part of another."""
    folder = tmp_path_factory.mktemp("films")
    (folder / "old").mkdir()
    for name, source, begin, seconds in (
        ("a.avi", "vtest.avi", 20, 5),
        ("part.avi", "vtest.avi", 21, 3),
        ("b.avi", "tree.avi", 2, 2),
        ("old/c.avi", "Megamind.avi", 0, 4),
        ("old/d.avi", "Megamind.avi", 5, 2),
    ):
        command = ["ffmpeg", "-v", "error", "-ss", str(begin), "-t", str(seconds), "-i", photograph(source), "-an"]
        subprocess.run(
            [*command, "-vf", "scale=240:-2", "-c:v", "mpeg4", "-q:v", "4", folder / name], check=True, timeout=60
        )
    shutil.copy(folder / "a.avi", folder / "old" / "copy of a.avi")
    (folder / "broken.mp4").write_bytes(b"no clip")
    return folder


def extract(octavo, output, *arguments):
    return octavo("extract", "photos", "--recursive", "--output", output, "--device", "cpu", *arguments)
