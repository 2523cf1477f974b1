"""SIFT over Gaussian blurs and over the trilateral filter: matches of a crop of a photograph against the photograph.

usage: trilateral.py [--photographs FILE...] [--side 480] [--octavo PROGRAM] [--json FILE]

The method is that of Sawada (2024). The middle half of a photograph, unchanged, with noise, other contrast or JPEG
compression, is matched (mutual, ratio 0.8) with the whole photograph. A match is right if it is within 4 pixels in x
and in y. One more crop is shifted by half a pixel in x and y, so that its pixels are not those of the photograph.
Photographs are made grey and scaled so that their longer side is --side pixels. Each number is a mean over the
photographs: right matches, their share of all matches, keypoints of the crop. Times are of the photographs, one
thread, the best of three.
"""

import argparse
import json
import platform
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path

import cv2
import numpy as np

REPOSITORY = Path(__file__).resolve().parents[2]
BACKGROUNDS = Path("/usr/share/backgrounds")
EXAMPLES = Path("/usr/share/doc/opencv-doc/examples/data")
PHOTOGRAPHS = [
    *(BACKGROUNDS / f"{name}.jpg" for name in (
        "Bridge_by_Sander_Klootwijk", "aitzgorri_by_Aitzol_Berasategi", "picosdeeuropa_by_Aitzol_Berasategi",
        "Dragonfly_by_Bolly", "greentock_by_Peter_Nerlich", "life_by_Aitzol_Berasategi")),
    *(EXAMPLES / name for name in ("graf1.png", "home.jpg", "building.jpg", "aloeL.jpg")),
]  # fmt: skip
SETTINGS = {
    "Gaussian": "",
    "Gaussian, as RootSIFT": "--descriptor rootsift",
    "Gaussian, low thresholds": "--contrast-threshold 0.01 --edge-threshold 0",
    "Gaussian, no thresholds": "--contrast-threshold 0 --edge-threshold 0",
    "trilateral": "--smoothing trilateral",
    "trilateral, edge test": "--smoothing trilateral --edge-threshold 10",
    "trilateral, certified windows": "--smoothing trilateral --trilateral-window certified",
    "trilateral, incremental": "--smoothing trilateral --trilateral-schedule incremental",
    "trilateral, by gradients": "--smoothing trilateral --trilateral-range gradients",
    "the sources'": "--preset mizuno2015",
}
NEAR = 4  # [pixel]


def changes(rng):
    """The changes of a crop, by name."""
    def as_bytes(values):
        return np.clip(np.rint(values), 0, 255).astype(np.uint8)

    def noise(sigma):
        return lambda crop: as_bytes(crop + rng.normal(0, sigma, crop.shape))

    def contrast(factor):
        return lambda crop: as_bytes((crop.astype(float) - 128) * factor + 128)

    def jpeg(quality):
        return lambda crop: cv2.imdecode(cv2.imencode(".jpg", crop, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], 0)

    def moved(by):
        to = np.float32([[1, 0, by], [0, 1, by]])
        return lambda crop: cv2.warpAffine(
            crop, to, crop.shape[::-1], flags=cv2.INTER_LANCZOS4, borderMode=cv2.BORDER_REFLECT)  # fmt: skip

    return {
        "clean": lambda crop: crop,
        "moved 0.5": moved(0.5),
        **{f"noise {sigma}": noise(sigma) for sigma in (5, 10, 15, 25)},
        **{f"contrast {factor}": contrast(factor) for factor in (0.3, 0.5, 0.7, 1.3)},
        **{f"JPEG {quality}": jpeg(quality) for quality in (10, 30, 50, 70, 90)},
    }


def make_pictures(call, work):
    """Writes the photographs and their crops; returns the crops' names and, for each photograph, where its crop lies."""
    named = changes(np.random.default_rng(1))
    corners = []
    for i, file in enumerate(call.photographs):
        picture = cv2.imread(str(file), cv2.IMREAD_GRAYSCALE)
        if picture is None:
            sys.exit(f"{file}: cannot be read as a picture")
        scale = call.side / max(picture.shape)
        picture = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        height, width = picture.shape
        y, x = height // 4, width // 4
        cv2.imwrite(str(work / f"{i} whole.png"), picture)
        for name, change in named.items():
            cv2.imwrite(str(work / f"{i} {name}.png"), change(picture[y : y + height // 2, x : x + width // 2]))
        corners.append((x, y))
    return list(named), corners


def extract(call, picture, words, folder):
    """The features of a picture, and how many milliseconds they took."""
    command = [call.octavo, "extract", picture, "-o", folder, "--format", "npz", "--device", "cpu", "--threads", 1]
    done = subprocess.run([*map(str, command), *words.split()], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stderr)
    with np.load(next(folder.rglob("*.npz"))) as features:
        milliseconds = float(re.search(r"([\d.]+) ms", done.stdout + done.stderr)[1])
        return features["keypoints"][:, :2], features["descriptors"].astype(np.float32), milliseconds


def compare(crop, whole, corner):
    """Right matches, all matches and keypoints of the crop."""
    if len(crop[0]) < 2 or len(whole[0]) < 2:
        return 0, 0, len(crop[0])
    matcher = cv2.BFMatcher(cv2.NORM_L2)
    nearest = {m.queryIdx: m.trainIdx for m in matcher.match(whole[1], crop[1])}
    matches = [
        (a.queryIdx, a.trainIdx)
        for a, b in matcher.knnMatch(crop[1], whole[1], k=2)
        if a.distance < 0.8 * b.distance and nearest[a.trainIdx] == a.queryIdx
    ]
    off = np.array([crop[0][i] + corner - whole[0][j] for i, j in matches]).reshape(-1, 2)
    return int((np.abs(off) <= NEAR).all(axis=1).sum()), len(matches), len(crop[0])


def evaluate(call, work, words, names, corners, i):
    """The results of `compare` for each crop of one photograph."""
    figures = {}
    with tempfile.TemporaryDirectory(dir=work) as folder:
        whole = extract(call, work / f"{i} whole.png", words, Path(folder) / "whole")
        for name in names:
            crop = extract(call, work / f"{i} {name}.png", words, Path(folder) / name)
            figures[name] = compare(crop, whole, np.array(corners[i]))
    return figures


def seconds(call, work, words):
    """The mean over the photographs, measured while no other work runs."""
    with tempfile.TemporaryDirectory(dir=work) as folder:
        best = [
            min(extract(call, work / f"{i} whole.png", words, Path(folder) / f"{i} {n}")[2] for n in range(3))
            for i in range(len(call.photographs))
        ]
    return float(np.mean(best)) / 1000


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--photographs", nargs="+", default=PHOTOGRAPHS, metavar="FILE")
    parser.add_argument("--side", type=int, default=480, metavar="PX")
    parser.add_argument("--octavo", default=REPOSITORY / "build/release/bin/octavo", metavar="PROGRAM")
    parser.add_argument("--json", metavar="FILE")
    call = parser.parse_args()
    results = []
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor() as threads:
        work = Path(folder)
        names, corners = make_pictures(call, work)
        print(f"{'':30} {'s':>6}", *(f"{name:>15}" for name in names))
        for setting, words in SETTINGS.items():
            figures = list(threads.map(
                lambda i: evaluate(call, work, words, names, corners, i), range(len(call.photographs))))  # fmt: skip
            result = {"setting": setting, "options": words, "seconds": round(seconds(call, work, words), 3), "crops": {}}
            for name in names:
                right, matches, keypoints = np.array([t[name] for t in figures], float).T
                result["crops"][name] = {
                    "right": round(right.mean(), 1),
                    "precision": round(float(np.mean(right / np.maximum(matches, 1))), 4),
                    "keypoints": round(keypoints.mean(), 1),
                }
            results.append(result)
            cells = (f"{c['right']:5.0f} {100 * c['precision']:3.0f}% {c['keypoints']:4.0f}"
                     for c in result["crops"].values())  # fmt: skip
            print(f"{setting:30} {result['seconds']:6.2f}", *cells, flush=True)
    if call.json:
        about = {
            "date": date.today().isoformat(),
            "machine": platform.processor() or platform.machine(),
            "photographs": [Path(file).name for file in call.photographs],
            "side": call.side,
            "near": NEAR,
            "results": results,
        }
        Path(call.json).write_text(json.dumps(about, indent=1) + "\n")


if __name__ == "__main__":
    main()
