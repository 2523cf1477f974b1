"""Measures programs of OpenCV with only their import changed: the twin octavo.cv2 beside cv2, in one run on the same arrays.

usage: twin_beside_opencv.py [--device NAME] [--rounds N] [--json FILE] IMAGE-A IMAGE-B

All that is measured takes turns within each round, so other work on the machine hits all alike. The figures are medians over the rounds, in
milliseconds: a program that matches two images (SIFT_create, detectAndCompute of both, knnMatch, ratio test), also in time of the processor,
which other work changes less; detectAndCompute of 64 x 64 pixels of image A, a batch of 16 images beside a loop, and in new processes the first and the second construction.
"""

import argparse
import json
import statistics
import subprocess
import sys
import time
from pathlib import Path

import cv2

import octavo
import octavo.cv2
from circumstances import circumstances

SMALL_CALLS = 30  # in a round
IN_BATCH = 16

CONSTRUCTIONS = {
    "octavo.Extractor()": ("import octavo; octavo.Extractor", "octavo.Extractor(device={device!r})"),
    "octavo.cv2.SIFT_create()": (
        "import octavo.cv2; octavo.cv2.SIFT_create",
        "octavo.cv2.SIFT_create(device={device!r})",
    ),
    "cv2.SIFT_create()": ("import cv2", "cv2.SIFT_create()"),
}


def milliseconds(work, clock=time.perf_counter):
    begin = clock()
    result = work()
    return 1000 * (clock() - begin), result


def program(module, options, a, b):
    sift = module.SIFT_create(**options)
    _, of_a = sift.detectAndCompute(a, None)
    _, of_b = sift.detectAndCompute(b, None)
    pairs = module.BFMatcher().knnMatch(of_a, of_b, k=2)
    good = [one for one, other in pairs if one.distance < 0.75 * other.distance]
    return {"keypoints": [len(of_a), len(of_b)], "matches": len(good)}


def constructions(device):
    """The first and the second of a new process [millisecond]."""
    times = {}
    for name, (before, statement) in CONSTRUCTIONS.items():
        made = statement.format(device=device)
        code = (
            f"import time\n{before}\nt = [time.perf_counter()]\nfor _ in range(2):\n    {made}\n"
            "    t.append(time.perf_counter())\nprint(1000 * (t[1] - t[0]), 1000 * (t[2] - t[1]))"
        )
        told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
        times[f"{name}, first"], times[f"{name}, second"] = map(float, told.split())
    return times


def one_round(device, a, b):
    small = a[100:164, 100:164].copy()
    options = {"device": device}
    samples, counts = constructions(device), {}
    for name, module, more in (("octavo.cv2", octavo.cv2, options), ("cv2", cv2, {})):
        samples[f"program, {name}"], counts[name] = milliseconds(lambda: program(module, more, a, b))
        samples[f"program, processor, {name}"], _ = milliseconds(lambda: program(module, more, a, b), time.process_time)
        sift = module.SIFT_create(**more)
        calls = [milliseconds(lambda: sift.detectAndCompute(small, None))[0] for _ in range(SMALL_CALLS)]
        samples[f"64 x 64, {name}"] = statistics.median(calls)
    extractor = octavo.Extractor(device=device)
    images = [a, b] * (IN_BATCH // 2)
    samples["a loop"], _ = milliseconds(lambda: [extractor.extract(image) for image in images])
    samples["a batch"], _ = milliseconds(lambda: list(extractor.batch(images)))
    return samples, counts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", default="auto")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--json", type=Path)
    parser.add_argument("images", nargs=2)
    arguments = parser.parse_args()
    a, b = (cv2.imread(file) for file in arguments.images)
    if a is None or b is None:
        sys.exit("the images cannot be read")
    rounds = [one_round(arguments.device, a, b) for _ in range(arguments.rounds + 1)][1:]  # the first warms up
    medians = {name: statistics.median(samples[name] for samples, _ in rounds) for name in rounds[0][0]}
    result = {
        **circumstances(),
        "cv2": cv2.__version__,
        "device": octavo.Extractor(device=arguments.device).device,
        "rounds": arguments.rounds,
        "found": rounds[0][1],
        "median_ms": {name: round(value, 3) for name, value in medians.items()},
        "program, times as fast": round(medians["program, cv2"] / medians["program, octavo.cv2"], 2),
        "program, times less of the processor": round(
            medians["program, processor, cv2"] / medians["program, processor, octavo.cv2"], 2
        ),
        "64 x 64, times as fast": round(medians["64 x 64, cv2"] / medians["64 x 64, octavo.cv2"], 2),
    }
    text = json.dumps(result, indent=1)
    if arguments.json:
        arguments.json.write_text(text + "\n")
    print(text)


if __name__ == "__main__":
    main()
