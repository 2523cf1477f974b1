#!/usr/bin/env python3
"""100 tiles to a mosaic of a gigapixel: time and peak memory.

usage: gigapixel.py OCTAVO FOLDER RESULT.json

The scene is six of Debian's wallpapers side by side, enlarged to 1.1 gigapixels; tiles of 3900 x 3600 pixels overlap by
a fifth, are turned by up to a degree, and have gain, vignetting and noise. The finest details of the scene are about
three pixels wide, coarser than those of a good camera.
"""

import json
import resource
import subprocess
import sys
import time
from pathlib import Path

import cv2
import numpy as np

from record import record
from tiles import tile

WALLPAPERS = Path("/usr/share/wallpapers")
NAMES = ["SafeLanding/contents/images/5120x2880.jpg", "Flow/contents/images/5120x2880.jpg", "Volna/contents/images/5120x2880.jpg"]
NAMES += ["Patak/contents/images/5120x2880.png", "Kay/contents/images/5120x2880.png", "Altai/contents/images/5120x2880.png"]
SIZE = (3900, 3600)
STEP = (3120, 2880)


def cut(folder):
    pictures = [cv2.imread(str(WALLPAPERS / name)) for name in NAMES]
    scene = np.vstack([np.hstack(pictures[i : i + 2]) for i in (0, 2, 4)])
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
            truth.append({"file": name, "picture_from_tile": matrix.ravel().tolist(), "scene_pixel": scale})
    (folder / "truth.json").write_text(json.dumps({"size": SIZE, "tiles": truth}))


def main():
    octavo, folder, result = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / "truth.json").exists():
        cut(folder)
    command = [octavo, "mosaic", str(folder / "tile*.jpg"), "-o", str(folder / "mosaic.tif"), "--json", "--max-features", "4000"]
    begin = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    seconds = time.monotonic() - begin
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    plan = json.loads(done.stdout)
    from mosaics import corner_rms

    truth = json.loads((folder / "truth.json").read_text())
    record(
        result,
        {
            "tiles": 100,
            "tile_size": SIZE,
            "placed": sum(picture["fate"] == "placed" for picture in plan["pictures"]),
            "model": plan["model"],
            "canvas": plan["canvas"],
            "withheld": plan["withheld"],
            # In pixels of tiles, not of the scene from which they are enlarged.
            "corner_rms": corner_rms(plan, truth) / truth["tiles"][0]["scene_pixel"],
            "seconds": seconds,
            "peak_mib": peak,
            "file_mib": (folder / "mosaic.tif").stat().st_size / 2**20,
        },
    )


if __name__ == "__main__":
    main()
