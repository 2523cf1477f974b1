"""Measures what rounding to bytes changes in matches of another detector's descriptors: those of OpenCV's KAZE, which OpenCV 4 has, and
SIFT's at 2 and 4 sizes of each keypoint, one after the other, which have 256 and 512 numbers.

usage: descriptor_scale_loss.py [--ratio R] [--json FILE] IMAGE-A IMAGE-B
"""

import argparse
import json
import sys
from pathlib import Path

import cv2
import numpy as np

import octavo
from circumstances import circumstances


def two_nearest(a, b):
    squares = (a * a).sum(axis=1)[:, None] + (b * b).sum(axis=1) - 2 * a @ b.T
    order = np.argsort(squares, axis=1, kind="stable")[:, :2]
    return order[:, 0], np.sqrt(np.maximum(np.take_along_axis(squares, order, axis=1), 0))


def losses(a, b, ratio):
    scale = octavo.DescriptorScale.of(a, b)
    exact, distances = two_nearest(a.astype(np.float64), b.astype(np.float64))
    index, squares = octavo.Matcher().nearest_two(scale.rows(a), scale.rows(b))
    passes = distances[:, 0] < ratio * distances[:, 1]
    roots = np.sqrt(squares.astype(np.float64))
    return {
        "descriptors": [len(a), len(b)],
        "numbers": a.shape[1],
        "nearest_changed": round(scale.loss(a, b), 4),
        "nearest_changed_of_those_that_pass": round(float(np.mean(index[passes, 0] != exact[passes])), 4),
        "verdict_of_the_ratio_changed": round(float(np.mean(passes != (roots[:, 0] < ratio * roots[:, 1]))), 4),
    }


def of_sizes(image, count):
    """Unit vectors of SIFT's descriptors at sizes up to twice that of each keypoint."""
    sift = octavo.cv2.SIFT_create(3000, device="cpu")
    keypoints, rows = sift.detectAndCompute(image, None)
    at_all, known = [], np.ones(len(keypoints), bool)
    for i in range(count):
        larger = [
            cv2.KeyPoint(*one.pt, one.size * 2 ** (i / count), one.angle, 1, 0, n) for n, one in enumerate(keypoints)
        ]
        kept, rows = sift.compute(image, larger)
        every = np.zeros((len(keypoints), 128), np.float32)
        places = [one.class_id for one in kept]
        every[places] = rows
        known &= np.isin(np.arange(len(keypoints)), places)
        at_all.append(every)
    rows = np.concatenate(at_all, axis=1)[known]
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ratio", type=float, default=0.8)
    parser.add_argument("--json", type=Path)
    parser.add_argument("images", nargs=2)
    arguments = parser.parse_args()
    images = [cv2.imread(file, cv2.IMREAD_GRAYSCALE) for file in arguments.images]
    if any(image is None for image in images):
        sys.exit("the images cannot be read")
    rows = []
    for is_extended in (False, True):
        kaze = cv2.KAZE_create(extended=is_extended)
        rows.append(losses(*(kaze.detectAndCompute(image, None)[1] for image in images), arguments.ratio))
    sizes = [losses(*(of_sizes(image, count) for image in images), arguments.ratio) for count in (2, 4)]
    told = {**circumstances(), "cv2": cv2.__version__, "ratio": arguments.ratio, "kaze": rows, "sizes_of_sift": sizes}
    text = json.dumps(told, indent=1)
    if arguments.json:
        arguments.json.write_text(text + "\n")
    print(text)


if __name__ == "__main__":
    main()
