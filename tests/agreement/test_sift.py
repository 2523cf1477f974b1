"""Octavo's SIFT beside OpenCV's (with precise upscaling), keypoint by keypoint and match by match.

Partners are keypoints within 0.5 pixel and a factor of 1.1 in scale. The descriptor distance is that of the partners
whose orientations are nearest, in units of 512 times the unit length."""

import os
import subprocess
from collections import defaultdict
from pathlib import Path

import cv2
import numpy as np
import pytest

DATA = Path("/usr/share/doc/opencv-doc/examples/data")
PHOTOGRAPHS = ["graf1.png", "leuvenA.jpg", "box_in_scene.png", "home.jpg", "building.jpg", "aloeL.jpg", "baboon.jpg"]


def grey(name):
    if not (DATA / name).exists():
        pytest.skip(f"lacks {DATA / name}, of Debian's package opencv-doc")
    return cv2.imread(str(DATA / name), cv2.IMREAD_GRAYSCALE)


class Features:
    """Keypoints (x, y, scale, orientation [degree], response) and descriptors."""

    def __init__(self, keypoints, descriptors):
        self.keypoints = np.asarray(keypoints, dtype=float).reshape(-1, 5)
        self.descriptors = np.asarray(descriptors, dtype=np.float32).reshape(-1, 128)

    def __len__(self):
        return len(self.keypoints)

    def strongest(self, count):
        order = np.argsort(-self.keypoints[:, 4], kind="stable")[:count]
        return Features(self.keypoints[order], self.descriptors[order])


def of_octavo(image, folder):
    path = Path(folder) / "image.png"
    cv2.imwrite(str(path), image)
    program = os.environ.get("OCTAVO_PROGRAM") or pytest.fail("OCTAVO_PROGRAM does not name the program to test")
    subprocess.run(
        [program, "extract", path, "--output", folder, "--format", "npz", "--preset", "opencv"],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    with np.load(Path(folder) / "image.png.npz") as found:
        keypoints = found["keypoints"].astype(float)
        keypoints[:, 3] = np.degrees(keypoints[:, 3])
        return Features(keypoints, found["descriptors"])


def of_opencv(image):
    keypoints, descriptors = cv2.SIFT_create(enable_precise_upscale=True).detectAndCompute(image, None)
    return Features([(k.pt[0], k.pt[1], k.size / 2, k.angle, k.response) for k in keypoints], descriptors)


def partners(a, b):
    """The indices of the partners in b, for each keypoint of a."""
    cells = defaultdict(list)
    for i, (x, y) in enumerate(b.keypoints[:, :2]):
        cells[int(x), int(y)].append(i)
    found = []
    for x, y, scale in a.keypoints[:, :3]:
        near = [i for dx in (-1, 0, 1) for dy in (-1, 0, 1) for i in cells[int(x) + dx, int(y) + dy]]
        found.append(
            [
                i
                for i in near
                if np.hypot(b.keypoints[i, 0] - x, b.keypoints[i, 1] - y) <= 0.5
                and 1 / 1.1 <= b.keypoints[i, 2] / scale <= 1.1
            ]
        )
    return found


@pytest.mark.parametrize("name", PHOTOGRAPHS)
def test_keypoints_and_descriptors(name, tmp_path):
    image = grey(name)
    ours, theirs = of_octavo(image, tmp_path), of_opencv(image)
    forward, backward = partners(ours, theirs), partners(theirs, ours)
    distances = []
    for i, candidates in enumerate(forward):
        if candidates:
            turn = [abs((ours.keypoints[i, 3] - theirs.keypoints[j, 3] + 180) % 360 - 180) for j in candidates]
            distances.append(np.linalg.norm(ours.descriptors[i] - theirs.descriptors[candidates[int(np.argmin(turn))]]))
    there, back = np.mean([bool(f) for f in forward]), np.mean([bool(b) for b in backward])
    print(
        f"\n{name}: {len(ours)} keypoints, OpenCV {cv2.__version__} {len(theirs)}; with a partner {there:.2%} and {back:.2%};"
        f" median descriptor distance {np.median(distances):.1f}"
    )
    assert there >= 0.99
    assert back >= 0.99
    assert np.median(distances) < 20


def matched_points(a, b):
    """Matches by Lowe's ratio test at 0.8 and the mutual test. Both libraries are matched by this function."""
    squares = (a.descriptors**2).sum(1)[:, None] + (b.descriptors**2).sum(1)[None] - 2 * a.descriptors @ b.descriptors.T
    rows = np.arange(len(a))
    first, second = np.argsort(squares, axis=1)[:, :2].T
    good = (squares[rows, first] < 0.64 * squares[rows, second]) & (squares.argmin(axis=0)[first] == rows)
    return a.keypoints[good, :2], b.keypoints[first[good], :2]


def errors(homography, a, b):
    mapped = np.c_[a, np.ones(len(a))] @ homography.T
    return np.linalg.norm(mapped[:, :2] / mapped[:, 2:] - b, axis=1)


def ground_truth(name_a):
    if name_a != "graf1.png":
        return None
    # The nodes of a storage are valid only as long as the storage exists.
    storage = cv2.FileStorage(str(DATA / "H1to3p.xml"), cv2.FILE_STORAGE_READ)
    return storage.getFirstTopLevelNode().mat()


@pytest.mark.parametrize("name_a, name_b", [("graf1.png", "graf3.png"), ("leuvenA.jpg", "leuvenB.jpg")])
def test_at_least_as_many_correct_matches_as_opencv(name_a, name_b, tmp_path):
    a, b = grey(name_a), grey(name_b)
    ours, theirs = (of_octavo(a, tmp_path), of_octavo(b, tmp_path)), (of_opencv(a), of_opencv(b))
    count_a, count_b = min(len(ours[0]), len(theirs[0])), min(len(ours[1]), len(theirs[1]))
    our_matches = matched_points(ours[0].strongest(count_a), ours[1].strongest(count_b))
    their_matches = matched_points(theirs[0].strongest(count_a), theirs[1].strongest(count_b))
    homography = ground_truth(name_a)
    if homography is None:  # there is no ground truth: it is estimated from the matches of both
        both = [np.concatenate(pair) for pair in zip(our_matches, their_matches)]
        homography, _ = cv2.findHomography(*both, cv2.USAC_MAGSAC, 2, maxIters=20000, confidence=0.9999)
    our_correct = int((errors(homography, *our_matches) < 3).sum())
    their_correct = int((errors(homography, *their_matches) < 3).sum())
    print(
        f"\n{name_a} and {name_b}, {count_a} and {count_b} keypoints each: within 3 px {our_correct} of {len(our_matches[0])}"
        f" matches, OpenCV {their_correct} of {len(their_matches[0])}"
    )
    assert our_correct >= their_correct
