"""False pairs among unrelated short clips: an archive with itself, and decoys in it.

usage: false_pairs.py FOLDER --octavo build/release/bin/octavo [--clips 800] [--decoys 40] [--json FILE]

FOLDER keeps the clips, which are made once:

* pieces of up to 10 s of the clips of clips.py,
* camera moves of 6 s over photographs and drawings: Debian's lomiri-wallpapers-16.04 and plasma-workspace-wallpapers
  (one image of each folder), and the data of scikit-image 0.17.2 (PyPI), with random windows, turns and zooms,
* camera moves over synthetic textures, each drawn at random.

`octavo video duplicates` compares all of them with each other. Decoys are copies of some of them, mirrored or with all
frames in a random order; `octavo video search` looks for these. Every reported pair of clips from different sources is
false. Pairs of one source (the same film or image; trailer and bunny; v1 and v2, which show one town; both images
of a stereo pair, both chessboards) may show the same place, and are counted apart. Everything with a score of 0 or more is reported
(--min-score 0); the default of the program is 3.

A search compares the query with the clips in full that its lists propose, at most 200. So a pair was compared by the
lists, and some of the pairs also frame by frame. Needs ffmpeg, OpenCV and NumPy (.venv of ./dev setup)."""

import argparse
import datetime
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import time
import zipfile
from collections import Counter
from pathlib import Path

import cv2
import numpy as np

from clips import fetch

WIDTH, HEIGHT, RATE, MOVE_SECONDS, PIECE_SECONDS = 640, 360, 5, 6, 10
LARGEST = 2400  # pixels of the longer side of an image
SAME_SOURCE = {
    "bunny": "trailer",
    "v2": "v1",
    "motorcycle_right": "motorcycle_left",
    "chessboard_RGB": "chessboard_GRAY",
}
BACKGROUNDS, WALLPAPERS = Path("/usr/share/backgrounds"), Path("/usr/share/wallpapers")
SKIMAGE = ["scikit-image==0.17.2", "--python-version", "3.8"]  # later wheels have no images
X264 = ["-c:v", "libx264", "-preset", "ultrafast", "-crf", "23", "-pix_fmt", "yuv420p", "-an"]
DEFAULT_SCORE = 3


def images(folder):
    """The images by source: paths."""
    found = {path.stem: path for path in sorted(BACKGROUNDS.glob("*.jpg"))}
    for wallpaper in sorted(WALLPAPERS.iterdir() if WALLPAPERS.exists() else []):
        files = [path for kind in ("jpg", "png") for path in wallpaper.glob(f"contents/images/*.{kind}")]
        if files:
            found[wallpaper.name] = max(files, key=lambda path: (path.stat().st_size, path.name))
    if len(found) < 40:
        sys.exit(
            "images are missing: install Debian's packages lomiri-wallpapers-16.04 and plasma-workspace-wallpapers"
        )
    target = folder / "skimage"
    if not target.exists():
        command = [
            sys.executable,
            "-m",
            "pip",
            "download",
            "--quiet",
            "--no-deps",
            "--only-binary",
            ":all:",
            "-d",
            folder,
            *SKIMAGE,
        ]
        subprocess.run(list(map(str, command)), check=True)
        (wheel,) = folder.glob("scikit_image-*.whl")
        with zipfile.ZipFile(wheel) as packed:
            for name in packed.namelist():
                if re.fullmatch(r"skimage/data/\w+\.(png|jpg)", name):
                    packed.extract(name, folder)
    return found | {path.stem: path for path in sorted((folder / "skimage" / "data").iterdir())}


def read_image(path):
    """The image as BGR of at most LARGEST pixels; none if it is small or nearly empty."""
    image = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if image is None or min(image.shape[:2]) < 200 or image.std() < 8:
        return None
    scale = LARGEST / max(image.shape[:2])
    return cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else image


def texture(random):
    """Coloured noise of several scales with shapes on it."""
    height, width = 900, 1600
    canvas = np.zeros((height, width, 3), np.float32)
    for octave in range(2, 9):
        cells = random.normal(size=(height >> octave, max(1, width >> octave), 3)).astype(np.float32)
        canvas += cv2.resize(cells, (width, height), interpolation=cv2.INTER_CUBIC) * random.uniform(5, 30)
    canvas = np.clip(canvas + 128, 0, 255).astype(np.uint8)
    for _ in range(random.integers(20, 120)):
        colour = tuple(map(int, random.integers(0, 256, 3)))
        x, y = int(random.integers(width)), int(random.integers(height))
        size = int(random.integers(10, 150))
        if random.random() < 0.5:
            cv2.circle(canvas, (x, y), size, colour, int(random.choice([-1, 3])))
        else:
            cv2.rectangle(
                canvas, (x, y), (x + size, y + int(random.integers(10, 150))), colour, int(random.choice([-1, 3]))
            )
    return canvas


def window(image, random):
    """Centre, width and angle of a random window."""
    height, width = image.shape[:2]
    size = random.uniform(0.3, 0.6) * min(width, height * WIDTH / HEIGHT)
    x, y = random.uniform(size / 2, width - size / 2), random.uniform(0.3 * size, height - 0.3 * size)
    return np.array([x, y, size, random.uniform(-5, 5)])


def camera_move(image, random, target):
    """A film of a window that moves, turns and zooms."""
    first = window(image, random)
    last = first + np.array(
        [*random.uniform(-0.4, 0.4, 2) * first[2], first[2] * random.uniform(-0.2, 0.2), random.uniform(-5, 5)]
    )
    frames = RATE * MOVE_SECONDS
    with start_encoder(target) as encoder:
        for part in np.linspace(0, 1, frames):
            x, y, size, degrees = first + part * (last - first)
            transform = cv2.getRotationMatrix2D((x, y), degrees, WIDTH / size)
            transform[:, 2] += np.array([WIDTH / 2 - x, HEIGHT / 2 - y])
            frame = cv2.warpAffine(
                image, transform, (WIDTH, HEIGHT), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT
            )
            encoder.stdin.write(frame.tobytes())
        encoder.stdin.close()
    if encoder.returncode:
        sys.exit(f"ffmpeg failed for {target}")


def start_encoder(target):
    raw = ["-f", "rawvideo", "-pix_fmt", "bgr24", "-s", f"{WIDTH}x{HEIGHT}", "-r", str(RATE), "-i", "-"]
    return subprocess.Popen(["ffmpeg", "-v", "error", "-y", *raw, *X264, str(target)], stdin=subprocess.PIPE)


def run_ffmpeg(*words):
    subprocess.run(["ffmpeg", "-v", "error", "-y", *map(str, words)], check=True)


def source_of(file):
    """The source of a clip or decoy, from its name: SOURCE-NUMBER.mp4."""
    name = Path(file).stem.split(" ")[0].rsplit("-", 1)[0]
    return SAME_SOURCE.get(name, name)


def make_clips(folder, count):
    """Makes clips until there are `count`. Returns their paths, and the number by kind."""
    clips = folder / "pieces"
    if not (folder / "made.json").exists():
        shutil.rmtree(clips, ignore_errors=True)
        clips.mkdir(parents=True)
        kinds = Counter()
        for name, path in fetch(folder / "clips").items():
            fit = f"scale={WIDTH}:{WIDTH}:force_original_aspect_ratio=decrease:force_divisible_by=2"
            pattern = clips / f"{name}-%03d.mp4"
            run_ffmpeg(
                "-i",
                path,
                "-map",
                "0:v:0",
                "-vf",
                fit,
                *X264,
                "-force_key_frames",
                f"expr:gte(t,n_forced*{PIECE_SECONDS})",
                "-f",
                "segment",
                "-segment_time",
                PIECE_SECONDS,
                "-reset_timestamps",
                1,
                pattern,
            )
        kinds["pieces of films"] = len(list(clips.iterdir()))
        random = np.random.default_rng(1)
        painted = {name: image for name, path in images(folder).items() if (image := read_image(path)) is not None}
        moves = max(1, round((count - kinds["pieces of films"]) * 0.8 / len(painted)))
        for name, image in painted.items():
            for number in range(moves):
                camera_move(image, random, clips / f"{name}-{number:03}.mp4")
            kinds["moves over images"] += moves
            print(name, file=sys.stderr, flush=True)
        number = 0
        while sum(kinds.values()) < count:
            camera_move(texture(random), random, clips / f"texture{number}-000.mp4")
            kinds["moves over textures"] += 1
            number += 1
        (folder / "made.json").write_text(json.dumps({"kinds": kinds, "images": len(painted)}))
    return sorted(clips.iterdir()), json.loads((folder / "made.json").read_text())


def make_decoys(folder, clips, count):
    """Mirrored and shuffled copies of `count` clips, evenly chosen."""
    decoys = folder / "decoys"
    decoys.mkdir(exist_ok=True)
    made = []
    for clip in [clips[i * len(clips) // count] for i in range(count)]:
        for kind, change in (("mirrored", "hflip"), ("shuffled", "random=frames=512:seed=1")):
            target = decoys / f"{clip.stem} {kind}.mp4"
            if not target.exists():
                run_ffmpeg("-i", clip, "-vf", change, *X264, target)
            made.append(target)
    return made


def run_octavo(octavo, *words):
    done = subprocess.run([octavo, "video", *map(str, words)], check=True, stdout=subprocess.PIPE, text=True)
    return json.loads(done.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--octavo", type=Path, required=True)
    parser.add_argument("--clips", type=int, default=800)
    parser.add_argument(
        "--decoys", type=int, default=40, help="clips that are mirrored, and that are shuffled (default: 40)"
    )
    parser.add_argument("--json", type=Path)
    call = parser.parse_args()
    call.folder.mkdir(parents=True, exist_ok=True)
    begin = time.monotonic()
    clips, made = make_clips(call.folder, call.clips)
    decoys = make_decoys(call.folder, clips, call.decoys)
    seconds = {"making": time.monotonic() - begin}

    archive = call.folder / "archive"
    begin = time.monotonic()
    run_octavo(
        call.octavo,
        "index",
        call.folder / "pieces",
        "--index",
        archive,
        "--device",
        "cpu",
        "--patience",
        3600,
        "--json",
    )
    seconds["indexing"] = time.monotonic() - begin
    begin = time.monotonic()
    found = run_octavo(call.octavo, "duplicates", "--index", archive, "--min-score", 0, "--json")["pairs"]
    seconds["duplicates"] = time.monotonic() - begin
    begin = time.monotonic()
    searched = run_octavo(
        call.octavo,
        "search",
        *decoys,
        "--index",
        archive,
        "--min-score",
        0,
        "--rough-ends",
        "--device",
        "cpu",
        "--patience",
        3600,
        "--json",
    )
    seconds["decoys"] = time.monotonic() - begin

    rows = [("duplicates", pair["clip_a"], pair["clip_b"], pair["segments"]) for pair in found]
    rows += [
        (Path(one["query"]).stem.split(" ")[1], one["query"], clip["clip"], clip["segments"])
        for one in searched
        for clip in one["found_clips"]
    ]
    sources = Counter(source_of(clip) for clip in clips)
    within = sum(count * (count - 1) // 2 for count in sources.values())
    pairs = {"duplicates": len(clips) * (len(clips) - 1) // 2 - within}
    for kind in ("mirrored", "shuffled"):
        pairs[kind] = sum(len(clips) - sources[source_of(decoy)] for decoy in decoys if decoy.stem.endswith(kind))
    unrelated = [
        {
            "kind": kind,
            "a": Path(a).stem,
            "b": Path(b).stem,
            "score": max(one["score"] for one in segments),
            "segments": len(segments),
        }
        for kind, a, b, segments in rows
        if source_of(a) != source_of(b)
    ]
    processor = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
    result = {
        "date": datetime.date.today().isoformat(),
        "machine": f"{processor[1] if processor else platform.machine()}, {os.cpu_count()} cores",
        "version": subprocess.run(
            [call.octavo, "--version"], check=True, capture_output=True, text=True
        ).stdout.strip(),
        "command": " ".join(["bench/video/false_pairs.py", *sys.argv[2:]]),
        "clips": made["kinds"],
        "images": made["images"],
        "sources": len(sources),
        "unrelated_pairs": pairs | {"all": sum(pairs.values())},
        "false_pairs": [one for one in unrelated if one["score"] >= DEFAULT_SCORE],
        "false_pairs_below_the_default_score": [one for one in unrelated if one["score"] < DEFAULT_SCORE],
        "pairs_of_one_source": within,
        "reported_pairs_of_one_source": dict(Counter(kind for kind, a, b, _ in rows if source_of(a) == source_of(b))),
        "seconds": {key: round(value) for key, value in seconds.items()},
    }
    print(json.dumps(result, indent=1))
    if call.json:
        call.json.write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()
