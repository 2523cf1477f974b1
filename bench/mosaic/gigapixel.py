#!/usr/bin/env python3
"""100 tiles to a mosaic of a gigapixel: time and peak memory.

usage: gigapixel.py OCTAVO FOLDER RESULT.json [--images FILE FILE FILE FILE FILE FILE]

The scene is six images, each cut to 5120 x 2880 pixels, in three rows, enlarged to 1.2 gigapixels. Without --images they are six
of Debian's wallpapers, five of which are drawings with smooth shades. FOLDER keeps the tiles. Tiles of 4000 x 3750 pixels overlap by
a fifth, are turned by up to a degree, and have gain, vignetting and noise. The finest details of the scene are about
three pixels wide, coarser than those of a good camera.
"""

import argparse
import json
import os
import resource
import subprocess
import time
from pathlib import Path

import cv2
import numpy as np

from corners import corner_rms
from record import record
from tiles import tile

WALLPAPERS = Path("/usr/share/wallpapers")
NAMES = [
    "SafeLanding/contents/images/5120x2880.jpg",
    "Flow/contents/images/5120x2880.jpg",
    "Volna/contents/images/5120x2880.jpg",
]
NAMES += [
    "Patak/contents/images/5120x2880.png",
    "Kay/contents/images/5120x2880.png",
    "Altai/contents/images/5120x2880.png",
]
IMAGE = (5120, 2880)
SIZE = (4000, 3750)
STEP = (3200, 3000)


def covering(file):
    """The image, scaled until it covers IMAGE, and cut to that around its middle."""
    image = cv2.imread(str(file))
    scale = max(IMAGE[0] / image.shape[1], IMAGE[1] / image.shape[0])
    image = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC) if scale != 1 else image
    y, x = (image.shape[0] - IMAGE[1]) // 2, (image.shape[1] - IMAGE[0]) // 2
    return image[y : y + IMAGE[1], x : x + IMAGE[0]]


def cut(folder, files):
    images = [covering(file) for file in files]
    scene = np.vstack([np.hstack(images[i : i + 2]) for i in (0, 2, 4)])
    whole = np.array([STEP[0] * 9 + SIZE[0], STEP[1] * 9 + SIZE[1]])
    scale = (np.array(scene.shape[1::-1]) / whole).min() * 0.98
    rng = np.random.default_rng(1)
    truth = []
    for row in range(10):
        for column in range(10):
            angle = np.deg2rad(rng.uniform(-1, 1))
            turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
            middle = np.array([SIZE[0] / 2, SIZE[1] / 2])
            place = np.array([column * STEP[0], row * STEP[1]]) + middle + 0.01 * whole
            matrix = np.eye(3)
            matrix[:2, :2] = scale * turn
            matrix[:2, 2] = scale * (place - turn @ middle)
            name = f"tile{row}{column}.jpg"
            pixels = tile(scene, matrix, SIZE, rng, gain=(-0.2, 0), vignetting=0.15)
            cv2.imwrite(str(folder / name), pixels, [cv2.IMWRITE_JPEG_QUALITY, 92])
            truth.append({"file": name, "image_from_tile": matrix.ravel().tolist(), "scene_pixel": scale})
    (folder / "truth.json").write_text(json.dumps({"size": SIZE, "tiles": truth}))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("octavo")
    parser.add_argument("folder", type=Path)
    parser.add_argument("result")
    parser.add_argument("--images", type=Path, nargs=6, default=[WALLPAPERS / name for name in NAMES])
    call = parser.parse_args()
    folder = call.folder
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / "truth.json").exists():
        cut(folder, call.images)
    command = [
        call.octavo,
        "mosaic",
        str(folder / "tile*.jpg"),
        "-o",
        str(folder / "mosaic.tif"),
        "--json",
        "--max-features",
        "4000",
    ]
    begin = time.monotonic()
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    seconds = time.monotonic() - begin
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    plan = json.loads(done.stdout)
    truth = json.loads((folder / "truth.json").read_text())
    record(
        call.result,
        {
            "images": [str(image) for image in call.images],
            "tiles": 100,
            "tile_size": SIZE,
            "placed": sum(image["status"] == "placed" for image in plan["images"]),
            "model": plan["model"],
            "canvas": plan["canvas"],
            "held_out": plan["held_out"],
            # In pixels of tiles, not of the scene from which they are enlarged.
            "corner_rms": corner_rms(plan, truth) / truth["tiles"][0]["scene_pixel"],
            "seconds": seconds,
            "load_at_end": os.getloadavg(),
            "peak_mib": peak,
            "file_mib": (folder / "mosaic.tif").stat().st_size / 2**20,
        },
    )


if __name__ == "__main__":
    main()
