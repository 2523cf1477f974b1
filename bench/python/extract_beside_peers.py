"""Measures SIFT from Python in one run, on the same arrays: Octavo beside OpenCV, kornia-rs and silx where they are installed.

usage: extract_beside_peers.py [--device NAME] [--silx CPU|GPU] [--rounds N] [--json FILE] IMAGE...

All that is measured takes turns within each round, so other work on the machine hits all alike. The figures are medians over the rounds:
the time of each contender; what Python adds to the library's own time of a call on an image of 64 x 64, and what two Python threads with an
extractor each gain over one. kornia-rs takes float32 of 0 to 255; the conversion is not timed.
"""

import argparse
import json
import os
import statistics
import sys
import threading
import time
from pathlib import Path

import cv2
import numpy as np

import octavo
from circumstances import circumstances

CALLS = 200  # of the small image in a round
PER_THREAD = 4  # extractions of a thread in a round


def milliseconds(work):
    begin = time.perf_counter()
    result = work()
    return 1000 * (time.perf_counter() - begin), result


def contenders(device, silx_device, shape):
    """Functions from the image, in uint8 and in float32, to the number of its keypoints."""
    matched = octavo.Extractor(preset="opencv", max_features=0, device=device)
    usual = octavo.Extractor(device=device)
    opencv = cv2.SIFT_create()
    table = {
        f"octavo, preset opencv, {matched.device}": lambda image, _: len(matched.extract(image)),
        f"octavo, {usual.device}": lambda image, _: len(usual.extract(image)),
        f"cv2 {cv2.__version__}": lambda image, _: len(opencv.detectAndCompute(image, None)[0]),
    }
    try:
        import kornia_rs

        kornia = kornia_rs.imgproc.Sift()
        table[f"kornia-rs {kornia_rs.__version__}"] = lambda _, numbers: len(kornia.detect_and_compute(numbers)[0])
    except ImportError:
        print("kornia-rs is not installed", file=sys.stderr)
    if silx_device:
        from silx import version
        from silx.opencl.sift import SiftPlan

        plan = SiftPlan(shape=shape, dtype=np.uint8, devicetype=silx_device)
        table[f"silx {version}, {silx_device}"] = lambda image, _: len(plan(image))
    return table


def cost_of_a_call(extractor, small):
    """What Python adds to the times of the stages, which the library measures in the same calls [microsecond]."""
    added = []
    for _ in range(CALLS):
        whole, (_, stages) = milliseconds(lambda: extractor.extract_timed(small))
        added.append(1000 * (whole - sum(stages.values())))
    return statistics.median(added)


def gain_of_two_threads(extractors, image):
    def work(extractor, count):
        for _ in range(count):
            extractor.extract(image)

    def side_by_side():
        threads = [threading.Thread(target=work, args=(extractor, PER_THREAD)) for extractor in extractors]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    alone, _ = milliseconds(lambda: work(extractors[0], 2 * PER_THREAD))
    return alone / milliseconds(side_by_side)[0]


def measure(images, device, silx_device, rounds):
    """The times and counts of every image's contenders, and the samples of the other figures."""
    tables = {name: contenders(device, silx_device, image.shape) for name, image in images.items()}
    numbers = {name: image[..., None].astype(np.float32) for name, image in images.items()}
    times = {name: {one: [] for one in table} for name, table in tables.items()}
    counts = {name: {one: set() for one in table} for name, table in tables.items()}
    extractor = octavo.Extractor(device=device)
    pair = [octavo.Extractor(device="cpu", threads=1) for _ in range(2)]
    small = np.random.default_rng(0).integers(0, 256, (64, 64), dtype=np.uint8)
    others = {"added_us": [], "gain": []}
    last = list(images.values())[-1]
    for number in range(rounds + 1):  # the first round warms up
        sample = {"added_us": cost_of_a_call(extractor, small), "gain": gain_of_two_threads(pair, last)}
        for image, table in tables.items():
            for one, run in table.items():
                took, count = milliseconds(lambda: run(images[image], numbers[image]))
                counts[image][one].add(count)
                if number > 0:
                    times[image][one].append(took)
        if number > 0:
            for key, value in sample.items():
                others[key].append(value)
    return times, counts, others


def report(images, times, counts, others):
    rows = []
    for name, image in images.items():
        for one, samples in times[name].items():
            found = counts[name][one]
            rows.append({
                "image": name, "width": image.shape[1], "height": image.shape[0], "contender": one,
                "keypoints": [min(found), max(found)], "median_ms": round(statistics.median(samples), 2),
                "least_ms": round(min(samples), 2),
            })  # fmt: skip
    return {
        "extraction": rows,
        "added_to_a_call_on_64x64_us": round(statistics.median(others["added_us"]), 1),
        "gain_of_two_threads": round(statistics.median(others["gain"]), 2),
        "largest_gain_of_two_threads": round(max(others["gain"]), 2),
        "package_mb": round(sum(f.stat().st_size for f in Path(octavo.__file__).parent.rglob("*.so*")) / 1e6, 1),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--silx", choices=("CPU", "GPU"))
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--json", type=Path)
    parser.add_argument("images", nargs="+")
    arguments = parser.parse_args()
    images = {Path(file).name: cv2.imread(file, cv2.IMREAD_GRAYSCALE) for file in arguments.images}
    for name, image in images.items():
        if image is None:
            parser.error(f"cannot read {name}")
    load = os.getloadavg()[0]
    measured = measure(images, arguments.device, arguments.silx, arguments.rounds)
    figures = {
        **circumstances(),
        "load_before_and_after": [round(load, 1), round(os.getloadavg()[0], 1)],
        "octavo": octavo.__version__,
        "numpy": np.__version__,
        "rounds": arguments.rounds,
        **report(images, *measured),
    }
    text = json.dumps(figures, indent=1)
    if arguments.json:
        arguments.json.write_text(text + "\n")
    print(text)


if __name__ == "__main__":
    main()
