"""What the tests of octavo evaluate share: a data set with its truths."""

import shutil

import cv2
import numpy as np
import pytest

import evaluate_in_numpy

CIRCUMSTANCES = ["octavo", "date", "exif_rotation", "covisible_only", "robust"]


def about_centre(matrix, width, height):
    shift = np.array([[1, 0, (width - 1) / 2], [0, 1, (height - 1) / 2], [0, 0, 1]])
    return shift @ np.array(matrix, float) @ np.linalg.inv(shift)


def turned(degrees, scale):
    c, s = scale * np.cos(np.radians(degrees)), scale * np.sin(np.radians(degrees))
    return [[c, -s, 0], [s, c, 0], [0, 0, 1]]


def write(path, image):
    path.parent.mkdir(parents=True, exist_ok=True)
    assert cv2.imwrite(str(path), image)


def write_matrix(path, matrix):
    path.write_text("\n".join(" ".join(repr(float(x)) for x in row) for row in matrix) + "\n")


@pytest.fixture(scope="session")
def data_set(photograph, tmp_path_factory):
    """A folder with a sequence of each layout, and its truths by the names of the images B."""
    root, truths = tmp_path_factory.mktemp("data"), {}
    box = cv2.resize(cv2.imread(str(photograph("box_in_scene.png"))), (320, 240), interpolation=cv2.INTER_AREA)
    home = cv2.resize(cv2.imread(str(photograph("home.jpg"))), (300, 220), interpolation=cv2.INTER_AREA)

    views = {2: turned(20, 1), 3: turned(-70, 0.8), 4: [[1, 0.3, 4], [0, 0.9, -6], [4e-4, -3e-4, 1]]}
    write(root / "v_box" / "1.png", box)
    for number, matrix in views.items():
        truth = about_centre(matrix, 320, 240)
        write(root / "v_box" / f"{number}.png", cv2.warpPerspective(box, truth, (310, 250), flags=cv2.INTER_AREA))
        write_matrix(root / "v_box" / f"H_1_{number}", truth)
        truths[f"v_box/{number}.png"] = truth

    write(root / "i_home" / "1.ppm", home)
    write(root / "i_home" / "2.ppm", cv2.convertScaleAbs(home, alpha=0.5, beta=10))
    write(root / "i_home" / "3.ppm", np.zeros_like(home))  # no keypoint, no match, no homography
    for number in (2, 3):
        write_matrix(root / "i_home" / f"H_1_{number}", np.eye(3))
        truths[f"i_home/{number}.ppm"] = np.eye(3)

    truth = about_centre(turned(5, 1.1), 300, 220)
    write(root / "oxford" / "home" / "img1.jpg", home)
    write(root / "oxford" / "home" / "img2.jpg", cv2.warpPerspective(home, truth, (300, 220)))
    write_matrix(root / "oxford" / "home" / "H1to2p", truth)
    truths["oxford/home/img2.jpg"] = truth

    write(root / "points" / "a.png", home)
    write(root / "points" / "b.png", cv2.warpPerspective(home, truth, (300, 220)))
    known = np.random.default_rng(1).uniform((20, 20), (280, 200), (600, 2))
    known = np.c_[known, evaluate_in_numpy.project(truth, known)]
    known = known[((known[:, 2:] > 0) & (known[:, 2:] < (299, 219))).all(axis=1)]
    (root / "points" / "correspondences.csv").write_text(
        "# x_a, y_a, x_b, y_b\n" + "\n".join(",".join(repr(float(x)) for x in row) for row in known)
    )
    truths["points/b.png"] = known
    return root, truths


@pytest.fixture
def data(octavo, data_set):
    """A copy of the data set, data/. Returns its truths."""
    root, truths = data_set
    shutil.copytree(root, octavo.folder / "data")
    return truths
