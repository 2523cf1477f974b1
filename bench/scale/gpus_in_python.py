"""How much faster all GPUs of a machine extract than one, from Python: images a second by `Extractor.batch`, and by a loop.

The images are made: noise of a coarse grain. Rounds of all ways take turns; the medians count.

usage: gpus_in_python.py [RESULT.json]
"""

import json
import statistics
import sys
import time

import numpy as np

import octavo

SIZES = {"1280x960": (1278, 960, 200), "12 MP": (4002, 3000, 48)}  # width, height, images
ROUNDS = 5
MOST = 2000  # keypoints of an image


def images_of(width, height, count, random):
    different = []
    for _ in range(8):
        grain = random.integers(0, 255, (height // 6, width // 6)).astype(np.float32)
        image = np.kron(grain, np.ones((6, 6), np.float32))
        different.append(np.clip(image + random.normal(0, 6, image.shape), 0, 255).astype(np.uint8))
    return [different[i % 8] for i in range(count)]


def rate(work, count):
    began = time.perf_counter()
    for _ in work():
        pass
    return count / (time.perf_counter() - began)


def main():
    random, results = np.random.default_rng(0), {}
    for name, (width, height, count) in SIZES.items():
        images = images_of(width, height, count, random)
        one, all_ = (octavo.Extractor(device=device, max_features=MOST) for device in ("cuda:0", "cuda:all"))
        ways = {
            "batch, cuda:0": lambda: one.batch(images),
            f"batch, {all_.device}": lambda: all_.batch(images),
            "loop of extract, cuda:0": lambda: map(one.extract, images),
        }
        for work in ways.values():
            rate(work, count)  # once before times are taken
        rounds = [{way: rate(work, count) for way, work in ways.items()} for _ in range(ROUNDS)]
        results[name] = {way: round(statistics.median(each[way] for each in rounds), 1) for way in ways}
        print(name, results[name])
    if len(sys.argv) > 1:
        with open(sys.argv[1], "w", encoding="utf-8") as stream:
            json.dump({"images a second": results}, stream, indent=1)


if __name__ == "__main__":
    main()
