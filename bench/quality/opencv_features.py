"""Features of every image of a data set by OpenCV, as NumPy archives that `octavo evaluate --features` reads.

usage: opencv_features.py ROOT OUTPUT [--rootsift | --harris]

OUTPUT gets, for ROOT/a/b.png, the file a/b.png.npz. Keypoints are x, y, scale (half of OpenCV's size), orientation
[radian] and response, all that are found, with precise upscaling. Descriptors are OpenCV's, which are whole numbers from
0 to 255; with --rootsift they are L1-normalised, square-rooted, times 512, rounded (Arandjelovic and Zisserman, 2012);
with --harris there are none, and the keypoints are Harris's corners.
"""

import argparse
from pathlib import Path

import cv2
import numpy as np

IMAGES = {".png", ".ppm", ".pgm", ".jpg", ".jpeg", ".tif", ".webp"}


def sift(image, **options):
    """Keypoints N×5 and descriptors N×128 of a grey image; `options` are those of OpenCV's SIFT_create."""
    detector = cv2.SIFT_create(**{"nfeatures": 0, "enable_precise_upscale": True, **options})
    keypoints, descriptors = detector.detectAndCompute(image, None)
    rows = [(k.pt[0], k.pt[1], k.size / 2, np.radians(k.angle), k.response) for k in keypoints]
    descriptors = np.zeros((0, 128)) if descriptors is None else descriptors
    return np.array(rows, np.float32).reshape(-1, 5), descriptors


def rootsift(descriptors):
    shares = descriptors / np.maximum(descriptors.sum(axis=1, keepdims=True), 1e-12)
    return np.clip(np.rint(512 * np.sqrt(shares)), 0, 255)


def harris(image):
    """Keypoints N×5, without scale and orientation, and no descriptors: goodFeaturesToTrack with Harris's measure.

    Block size and k have their usual values, 3 pixels and 0.04. Corners are at least 3 pixels apart, as FOAGDD's are, and
    have at least 1e-5 of the best corner's measure. All are returned; the response decides which are used."""
    corners, measures = cv2.goodFeaturesToTrackWithQuality(
        image, maxCorners=0, qualityLevel=1e-5, minDistance=3, mask=None, blockSize=3, useHarrisDetector=True, k=0.04
    )[:2]
    if corners is None:
        return np.zeros((0, 5), np.float32), np.zeros((0, 128))
    places = corners.reshape(-1, 2)
    rest = np.column_stack([np.ones(len(places)), np.zeros(len(places)), np.ravel(measures)])
    return np.column_stack([places, rest]).astype(np.float32), np.zeros((0, 128))


def extract(root, detect, outputs):
    """Writes features of all images below root; `detect` finds them, outputs maps a folder to a function of the
    descriptors."""
    for file in sorted(path for path in root.rglob("*") if path.suffix.lower() in IMAGES):
        keypoints, descriptors = detect(cv2.imread(str(file), cv2.IMREAD_GRAYSCALE))
        for folder, change in outputs.items():
            target = folder / f"{file.relative_to(root)}.npz"
            target.parent.mkdir(parents=True, exist_ok=True)
            np.savez(target, keypoints=keypoints, descriptors=change(descriptors).astype(np.uint8))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=Path)
    parser.add_argument("output", type=Path)
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument("--rootsift", action="store_true")
    kind.add_argument("--harris", action="store_true")
    call = parser.parse_args()
    extract(call.root, harris if call.harris else sift, {call.output: rootsift if call.rootsift else np.asarray})


if __name__ == "__main__":
    main()
