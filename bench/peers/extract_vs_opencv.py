"""Times SIFT keypoints and descriptors by Octavo and by cv2.SIFT of the Python that runs this, in turns.

usage: extract_vs_opencv.py [--photographs FILE...] [--sizes 640x480,...] [--threads 1,2] [--turns 5] [--json FILE]
                            [--octavo PROGRAM] [--preset opencv]

Both get the same grey pixels and the same number of threads, and find the same number of keypoints: OpenCV by its
default, Octavo with the preset `opencv` by the highest contrast threshold that gives at least as many, with another
preset by a budget. A turn is warm runs of Octavo, then warm runs of OpenCV, about half a second each. A time is the
median over the turns of the median of a turn. `ratio_of_least` is that of the least times of all turns, and
`ratio_of_user_time` that of the least user time of a run, which other work on the machine changes less.
`bench_extract_vs_opencv` does the same with the OpenCV it is linked with.
"""

import argparse
import json
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from datetime import date
from pathlib import Path

import cv2

REPOSITORY = Path(__file__).resolve().parents[2]
PHOTOGRAPHS = [
    "/usr/share/backgrounds/aitzgorri_by_Aitzol_Berasategi.jpg",
    "/usr/share/backgrounds/Dragonfly_by_Bolly.jpg",
]
TURN_SECONDS = 0.5


def photograph(file, width, height):
    """The middle of the photograph in the wanted proportions, scaled to the wanted size, as extract_vs_opencv.cc does."""
    whole = cv2.imread(str(file), cv2.IMREAD_GRAYSCALE)
    if whole is None:
        sys.exit(f"{file} cannot be read")
    rows, columns = whole.shape
    scale = max(width / columns, height / rows)
    part_width, part_height = min(columns, round(width / scale)), min(rows, round(height / scale))
    x, y = (columns - part_width) // 2, (rows - part_height) // 2
    middle = whole[y : y + part_height, x : x + part_width]
    return cv2.resize(middle, (width, height), interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC)


class Octavo:
    def __init__(self, program, file, threads, preset):
        self.command = [str(program), "bench", "extract", str(file), "--preset", preset, "--device", "cpu", "--json"]
        self.command += ["--threads", str(threads)]
        self.has_budget = preset != "opencv"
        self.contrast = 0.04
        self.budget = 0

    def run(self, rounds, warmup, contrast=None):
        limit = (
            ["--max-features", self.budget]
            if self.has_budget
            else ["--contrast-threshold", repr(contrast or self.contrast)]
        )
        options = [*limit, "--rounds", rounds, "--warmup", warmup]
        done = subprocess.run([*self.command, *map(str, options)], capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(done.stderr.strip())
        return json.loads(done.stdout)

    def user_seconds(self, rounds):
        """Of a run: what more rounds add. Each round runs twice, once for the stages."""

        def of(rounds):
            before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
            self.run(rounds, 0)
            return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before

        return (of(rounds + 1) - of(1)) / (2 * rounds)

    def match_keypoints(self, wanted):
        """Takes the budget, or finds the highest contrast threshold, that gives at least the wanted number of keypoints."""
        self.budget = wanted
        if self.has_budget:
            return
        low, high = 0.0, 0.2  # `low` gives enough keypoints, `high` too few
        for _ in range(14):
            middle = (low + high) / 2
            if self.run(1, 0, middle)["keypoint_count"] >= wanted:
                low = middle
            else:
                high = middle
        self.contrast = low


class OpenCv:
    def __init__(self, image):
        self.image = image
        self.sift = cv2.SIFT_create()

    def user_seconds(self, rounds):
        before = resource.getrusage(resource.RUSAGE_SELF).ru_utime
        self.run(rounds, 0)
        return (resource.getrusage(resource.RUSAGE_SELF).ru_utime - before) / rounds

    def run(self, rounds, warmup):
        times = []
        for i in range(warmup + rounds):
            start = time.perf_counter()
            keypoints, _ = self.sift.detectAndCompute(self.image, None)
            if i >= warmup:
                times.append(time.perf_counter() - start)
        return {"median_seconds": statistics.median(times), "run_seconds": times, "keypoint_count": len(keypoints)}


def rounds_of_turn(median_seconds):
    return max(3, round(TURN_SECONDS / median_seconds))


def compare(call, file, size, threads, contrast):
    """One row of the results. `contrast` is Octavo's threshold if another number of threads needed it already."""
    width, height = map(int, size.split("x"))
    image = photograph(file, width, height)
    cv2.setNumThreads(threads)
    with tempfile.TemporaryDirectory() as folder:
        grey = Path(folder) / "grey.png"
        cv2.imwrite(str(grey), image)
        octavo, opencv = Octavo(call.octavo, grey, threads, call.preset), OpenCv(image)
        theirs = opencv.run(2, 1)
        if contrast is None:
            octavo.match_keypoints(theirs["keypoint_count"])
        else:
            octavo.contrast, octavo.budget = contrast, theirs["keypoint_count"]
        ours = octavo.run(3, 1)
        our_rounds, their_rounds = rounds_of_turn(ours["median_seconds"]), rounds_of_turn(theirs["median_seconds"])
        turns = [(octavo.run(our_rounds, 3), opencv.run(their_rounds, 1)) for _ in range(call.turns)]
        user = [(octavo.user_seconds(our_rounds), opencv.user_seconds(their_rounds)) for _ in range(call.turns)]
        user_least = [min(times) for times in zip(*user, strict=True)]
    least = [min(min(of_turn[i]["run_seconds"]) for of_turn in turns) for i in range(2)]
    ratios = [theirs["median_seconds"] / ours["median_seconds"] for ours, theirs in turns]
    return {
        "photograph": Path(file).name,
        "width": width,
        "height": height,
        "threads": threads,
        "isa": turns[0][0]["isa"],
        "preset": call.preset,
        **({} if octavo.has_budget else {"contrast_threshold": octavo.contrast}),
        "octavo_keypoints": turns[0][0]["keypoint_count"],
        "opencv_keypoints": turns[0][1]["keypoint_count"],
        "octavo_seconds": statistics.median(ours["median_seconds"] for ours, _ in turns),
        "opencv_seconds": statistics.median(theirs["median_seconds"] for _, theirs in turns),
        "ratio": statistics.median(ratios),
        "smallest_ratio": min(ratios),
        "octavo_least_seconds": least[0],
        "opencv_least_seconds": least[1],
        "ratio_of_least": least[1] / least[0],
        "octavo_user_seconds": user_least[0],
        "opencv_user_seconds": user_least[1],
        "ratio_of_user_time": user_least[1] / user_least[0],
    }


def record(call, results):
    commit = subprocess.run(["git", "describe", "--always", "--dirty"], cwd=REPOSITORY, capture_output=True, text=True)
    return {
        "machine": re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())[1],
        "cores": os.cpu_count(),
        "date": date.today().isoformat(),
        "commit": commit.stdout.strip(),
        "command": " ".join(sys.argv),
        "peer": f"cv2.SIFT, OpenCV {cv2.__version__} of PyPI",
        "turns": call.turns,
        "results": results,
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--photographs", nargs="+", type=Path, default=PHOTOGRAPHS)
    parser.add_argument("--sizes", default="640x480,1280x720,1920x1080,3840x2160")
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--octavo", default=REPOSITORY / "build" / "release" / "bin" / "octavo")
    parser.add_argument("--preset", default="opencv")
    call = parser.parse_args()

    print(
        f"{'photograph':32} {'size':>10} {'threads':>7} {'keypoints':>15} {'octavo [ms]':>11} {'opencv [ms]':>11} {'ratio':>6} {'of least':>8} {'of user time':>12}"
    )
    results = []
    for file in call.photographs:
        for size in call.sizes.split(","):
            contrast = None
            for threads in map(int, call.threads.split(",")):
                row = compare(call, file, size, threads, contrast)
                contrast = row.get("contrast_threshold", 0.04)
                results.append(row)
                print(
                    f"{row['photograph']:32.32} {size:>10} {threads:7} {row['octavo_keypoints']:7} {row['opencv_keypoints']:7}"
                    f" {1000 * row['octavo_seconds']:11.2f} {1000 * row['opencv_seconds']:11.2f} {row['ratio']:6.2f}"
                    f" {row['ratio_of_least']:8.2f} {row['ratio_of_user_time']:12.2f}",
                    flush=True,
                )
    if call.json:
        call.json.write_text(json.dumps(record(call, results), indent=2) + "\n")


if __name__ == "__main__":
    main()
