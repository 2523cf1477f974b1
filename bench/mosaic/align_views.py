#!/usr/bin/env python3
"""Pairs of planes seen from far apart: `octavo align` beside OpenCV's AffineFeature.

usage: align_views.py OCTAVO RESULT.json FOLDER ... [--rounds N]

Each folder has a pair: 1.png, 2.png, and b_from_a.txt, the true homography from pixels of the first image to the second.
AffineFeature has SIFT, FLANN, a ratio of 0.75, and MAGSAC++ at 3 pixels. The programs take turns. Told are the mean
distance from the true homography [pixel of the second image] over what both images show, and the CPU seconds of all
threads (medians): of the command of Octavo, of the calls of OpenCV without the reading of files.
"""

import argparse
import json
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path

import cv2
import numpy as np

from record import record


def mean_error(homography, truth, size_a, size_b):
    if homography is None:
        return None
    step = 8  # [pixel]
    rows, columns = np.mgrid[0 : size_a[0] : step, 0 : size_a[1] : step]
    points = np.stack([columns.ravel(), rows.ravel()], axis=1)[:, None].astype(np.float64)
    true_places = cv2.perspectiveTransform(points, truth)[:, 0]
    places = cv2.perspectiveTransform(points, np.asarray(homography, np.float64))[:, 0]
    inside = np.all((true_places >= 0) & (true_places < np.array(size_b[::-1])), axis=1)
    return round(float(np.linalg.norm(places - true_places, axis=1)[inside].mean()), 2)


def by_octavo(octavo, folder):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [octavo, "align", str(folder / "1.png"), str(folder / "2.png"), "--json"]
    result = subprocess.run(command, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if result.returncode not in (0, 1):
        sys.exit(result.stderr)
    seconds = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return seconds, json.loads(result.stdout) if result.returncode == 0 else {}


def by_affine_feature(image_a, image_b):
    before = time.process_time()
    detector = cv2.AffineFeature_create(cv2.SIFT_create())
    (a, of_a), (b, of_b) = detector.detectAndCompute(image_a, None), detector.detectAndCompute(image_b, None)
    matcher = cv2.FlannBasedMatcher({"algorithm": 1, "trees": 4}, {"checks": 64})
    kept = [best for best, second in matcher.knnMatch(of_a, of_b, k=2) if best.distance < 0.75 * second.distance]
    from_a = np.float32([a[match.queryIdx].pt for match in kept])
    to_b = np.float32([b[match.trainIdx].pt for match in kept])
    homography, _ = cv2.findHomography(from_a, to_b, cv2.USAC_MAGSAC, 3, None, 10000, 0.999)
    return time.process_time() - before, homography


def measured(octavo, folder, rounds):
    image_a, image_b = (cv2.imread(str(folder / name), cv2.IMREAD_GRAYSCALE) for name in ("1.png", "2.png"))
    truth = np.loadtxt(folder / "b_from_a.txt")
    seconds, peer_seconds = [], []
    for _ in range(rounds):
        own, alignment = by_octavo(octavo, folder)
        peer, homography = by_affine_feature(image_a, image_b)
        seconds.append(own)
        peer_seconds.append(peer)
    return {
        "name": folder.name,
        "views": alignment.get("views"),
        "error": mean_error(alignment.get("homography"), truth, image_a.shape, image_b.shape),
        "inlier_count": alignment.get("inlier_count"),
        "warnings": alignment.get("warnings"),
        "cpu_seconds": round(statistics.median(seconds), 2),
        "affine_feature_error": mean_error(homography, truth, image_a.shape, image_b.shape),
        "affine_feature_cpu_seconds": round(statistics.median(peer_seconds), 2),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("octavo")
    parser.add_argument("result", type=Path)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    pairs = []
    for folder in arguments.folders:
        pairs.append(measured(arguments.octavo, folder, arguments.rounds))
        print(json.dumps(pairs[-1]), flush=True)
    own, peer = (sum(pair[key] for pair in pairs) for key in ("cpu_seconds", "affine_feature_cpu_seconds"))
    figures = {
        "what": "octavo align beside OpenCV's AffineFeature, in turns: mean distance from the true homography [pixel]",
        "opencv": cv2.__version__,
        "rounds": arguments.rounds,
        "pairs": pairs,
        "cpu_seconds": {"octavo": round(own, 2), "affine_feature": round(peer, 2), "ratio": round(own / peer, 3)},
    }
    record(arguments.result, figures)


if __name__ == "__main__":
    main()
