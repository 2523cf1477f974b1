"""Where the time of octavo.ray.features goes: what each step from the file to the row costs for an image.

usage: ray_pixels.py [--images 16] [--rounds 3]

The steps are those of the package, one after the other in one process, with one thread, in milliseconds of CPU and of the clock for an
image; the best of the rounds counts. `ray_workers.py` measures this too. "table" is what reading makes of pixels, "store" the copy
into Ray's object store, "view" the actor's look at it, "row" what becomes of the features.
"""

import argparse
import json
import os
import tempfile
import time
from pathlib import Path

import numpy as np

import octavo
from octavo import read
from octavo._dataset import ExtractPixels, Read, images_of

SIZES = {"1280x960": (1280, 960), "12 megapixels": (4000, 3000)}


def write_images(folder, width, height, count):
    """JPEG of blobs and noise, grey and of colours in turns."""
    import cv2

    random = np.random.default_rng(1)
    tile = cv2.GaussianBlur(random.normal(128, 400, (960, 1280, 3)), (0, 0), 3) + random.normal(0, 4, (960, 1280, 3))
    whole = np.tile(np.clip(tile, 0, 255).astype(np.uint8), (height // 960 + 2, width // 1280 + 2, 1))
    files = []
    for i in range(count):
        image = whole[37 * i % 960 :, 53 * i % 1280 :][:height, :width]
        files.append(str(folder / f"{i:03}.jpg"))
        cv2.imwrite(files[-1], image if i % 2 else image[..., 1], [cv2.IMWRITE_JPEG_QUALITY, 92])
    return files


class Steps:
    """Measures steps, the best of some rounds, for one image."""

    def __init__(self, size, images, rounds):
        self._size, self._images, self._rounds = size, images, rounds
        self.rows = []

    def measure(self, step, work):
        best = []
        for _ in range(self._rounds):
            cpu, wall = time.process_time(), time.perf_counter()
            result = work()
            best.append((time.process_time() - cpu, time.perf_counter() - wall))
        cpu, wall = (1000 * min(times) / self._images for times in zip(*best))
        self.rows.append({"size": self._size, "step": step, "cpu_ms": round(cpu, 3), "wall_ms": round(wall, 3)})
        print(json.dumps(self.rows[-1]), flush=True)
        return result


def measure_pixels(images, rounds):
    """The rows of all steps and sizes. Ray must have been started."""
    import pyarrow
    import ray

    found = []
    for size, (width, height) in SIZES.items():
        with tempfile.TemporaryDirectory() as folder:
            files = write_images(Path(folder), width, height, images)
            steps = Steps(size, images, rounds)
            images = dict(
                zip(
                    files,
                    steps.measure("read and decode", lambda files=files: [read(file) for file in files]),
                )
            )
        paths = pyarrow.table({"path": files})
        tables = steps.measure("table", lambda images=images, paths=paths: list(Read(images.get)(paths)))
        stored = steps.measure("store", lambda tables=tables: [ray.put(table) for table in tables])
        seen = [ray.get(reference) for reference in stored]
        steps.measure("view", lambda seen=seen: [images_of(table) for table in seen])
        actor = ExtractPixels(device="cpu", threads=1, max_features=2000)
        rows = steps.measure(
            "view, extraction and row", lambda seen=seen, actor=actor: [actor(table) for table in seen]
        )
        extractor = octavo.Extractor(device="cpu", threads=1, max_features=2000)
        steps.measure(
            "extraction alone",
            lambda images=images, extractor=extractor: [extractor.extract(image) for image in images.values()],
        )
        steps.measure("store of the row", lambda rows=rows: [ray.put(row) for row in rows])
        found += steps.rows
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--images", type=int, default=16)
    parser.add_argument("--rounds", type=int, default=3)
    call = parser.parse_args()
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    import ray

    ray.init(address="local", include_dashboard=False, log_to_driver=False, logging_level="error")
    measure_pixels(call.images, call.rounds)
    ray.shutdown()


if __name__ == "__main__":
    main()
