"""Times SIFT from Python in one run, on the same arrays: Octavo, OpenCV, and silx where it is installed. kornia-rs 0.2 has no SIFT
in its Python package (its `features` are FAST and ORB), so it is not here.

usage: extract_beside_peers.py [--device NAME] [--silx CPU|GPU] [--rounds N] PICTURE...

The contenders take turns, so that other work on the machine hits all alike; the table has medians and minima. It also tells the cost of a
call on a 64 x 64 picture, what two Python threads gain, the time of the import, and the size of the package.
"""

import argparse
import subprocess
import sys
import threading
import time
from pathlib import Path

import cv2
import numpy as np

import octavo


def contenders(device, silx_device, shape):
    matched = octavo.Extractor(preset="opencv", max_features=0, device=device)
    usual = octavo.Extractor(device=device)
    opencv = cv2.SIFT_create()
    table = {
        f"octavo, preset opencv, {matched.device}": lambda picture: len(matched.extract(picture)),
        f"octavo, {usual.device}": lambda picture: len(usual.extract(picture)),
        f"cv2 {cv2.__version__}": lambda picture: len(opencv.detectAndCompute(picture, None)[0]),
    }
    if silx_device:
        from silx.opencl.sift import SiftPlan

        plan = SiftPlan(shape=shape, dtype=np.uint8, devicetype=silx_device)
        table[f"silx, {silx_device}"] = lambda picture: len(plan(picture))
    return table


def measure(table, picture, rounds):
    times, counts = {name: [] for name in table}, {name: set() for name in table}
    for number in range(rounds + 1):  # the first round warms up
        for name, run in table.items():
            begin = time.perf_counter()
            count = run(picture)
            if number > 0:
                times[name].append(1000 * (time.perf_counter() - begin))
            counts[name].add(count)
    return times, counts


def cost_of_a_call(device, calls=2000):
    """The least time of a call on a picture of 64 x 64, and of 8 x 8, which is too small for an octave: [microsecond]."""
    extractor = octavo.Extractor(device=device)
    least = []
    for side in (64, 8):
        picture = np.random.default_rng(0).integers(0, 256, (side, side), dtype=np.uint8)
        times = []
        for _ in range(calls):
            begin = time.perf_counter()
            extractor.extract(picture)
            times.append(time.perf_counter() - begin)
        least.append(1e6 * min(times))
    return least


def gain_of_two_threads(picture, rounds=8):
    extractors = [octavo.Extractor(device="cpu", threads=1) for _ in range(2)]

    def work(extractor, count):
        for _ in range(count):
            extractor.extract(picture)

    for extractor in extractors:
        work(extractor, 1)
    gains = []
    for _ in range(3):
        begin = time.perf_counter()
        work(extractors[0], 2 * rounds)
        alone = time.perf_counter() - begin
        threads = [threading.Thread(target=work, args=(extractor, rounds)) for extractor in extractors]
        begin = time.perf_counter()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        gains.append(alone / (time.perf_counter() - begin))
    return max(gains)


def time_of_import(module, before=""):
    """The least time of the processor, since other work on the machine would count in that of the wall [millisecond]."""
    code = f"{before}\nimport time; t = time.process_time(); import {module}; print(1000 * (time.process_time() - t))"
    return min(float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout) for _ in range(7))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--silx", choices=("CPU", "GPU"))
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("pictures", nargs="+")
    arguments = parser.parse_args()
    for file in arguments.pictures:
        picture = cv2.imread(file, cv2.IMREAD_GRAYSCALE)
        if picture is None:
            parser.error(f"cannot read {file}")
        print(f"\n{Path(file).name}: {picture.shape[1]} x {picture.shape[0]}")
        print("| contender | keypoints | median [ms] | least [ms] |\n| --- | --- | --- | --- |")
        times, counts = measure(contenders(arguments.device, arguments.silx, picture.shape), picture, arguments.rounds)
        for name, row in times.items():
            found = " ... ".join(str(count) for count in sorted({min(counts[name]), max(counts[name])}))
            print(f"| {name} | {found} | {np.median(row):.1f} | {min(row):.1f} |")
    whole, least = cost_of_a_call(arguments.device)
    print(f"\na call on 64 x 64: {whole:.0f} us; on 8 x 8, which is too small for an octave: {least:.1f} us")
    print(f"two Python threads with an extractor each: {gain_of_two_threads(picture):.2f} times as much as one")
    print(f"import, time of the processor: {time_of_import('octavo'):.0f} ms, of which NumPy {time_of_import('numpy'):.0f} ms; "
          f"octavo after NumPy {time_of_import('octavo', 'import numpy'):.0f} ms; cv2 {time_of_import('cv2'):.0f} ms")  # fmt: skip
    print(f"package: {sum(f.stat().st_size for f in Path(octavo.__file__).parent.rglob('*.so*')) / 1e6:.1f} MB of code")


if __name__ == "__main__":
    main()
