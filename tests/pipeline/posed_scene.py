"""A scene of points in space whose cameras are known: a database has their projections with noise as keypoints, and the
matches that follow from the points, so that no features are needed."""

import itertools
import os
import sqlite3
import subprocess

import cv2
import numpy as np
import pytest

SIZE, FOCAL = (640, 480), 600.0
VIEWS = 6
NAMES = [f"view{number}.png" for number in range(VIEWS)] + ["bare.png", "few.png", "lone.png"]


def arc():
    """The places of cameras on an arc."""
    for angle in np.radians(np.linspace(-30, 30, VIEWS)):
        yield 6 * np.array([np.sin(angle), 0.1 * np.sin(3 * angle), -np.cos(angle)])


def make_cameras(places):
    """Rotations and translations of cameras, which look at the origin."""
    for place in places:
        ahead = -place / np.linalg.norm(place)
        right = np.cross((0, 1, 0), ahead)
        right /= np.linalg.norm(right)
        rotation = np.array([right, np.cross(ahead, right), ahead])
        yield rotation, -rotation @ place


def write_database(file, places=None):
    random = np.random.default_rng(5)
    points = random.uniform(-1.2, 1.2, (300, 3))
    keypoints = {}
    for name, (rotation, translation) in zip(NAMES, make_cameras(arc() if places is None else places), strict=False):
        seen = points @ rotation.T + translation
        pixels = FOCAL * seen[:, :2] / seen[:, 2:] + np.array(SIZE) / 2 + random.normal(0, 0.3, (len(points), 2))
        keypoints[name] = pixels
    keypoints["few.png"] = keypoints["lone.png"] = random.uniform(0, 480, (40, 2))
    matches = {pair: np.arange(len(points)) for pair in itertools.combinations(NAMES[:VIEWS], 2)}
    matches["view0.png", "few.png"] = np.arange(20)  # at random, so few fit one geometry
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    subprocess.run(
        ["colmap", "database_creator", "--database_path", file], check=True, capture_output=True, env=environment
    )
    tables = sqlite3.connect(file)
    parameters = np.array([FOCAL, SIZE[0] / 2, SIZE[1] / 2])
    tables.execute("INSERT INTO cameras VALUES (1, 0, ?, ?, ?, 1)", (*SIZE, parameters.tobytes()))
    for image, name in enumerate(NAMES, start=1):
        tables.execute("INSERT INTO images (image_id, name, camera_id) VALUES (?, ?, 1)", (image, name))
        places = keypoints.get(name, np.zeros((0, 2)))
        rows = np.column_stack([places, np.ones(len(places)), np.zeros(len(places))]).astype(np.float32)
        tables.execute("INSERT INTO keypoints VALUES (?, ?, 4, ?)", (image, len(rows), rows.tobytes()))
        tables.execute("INSERT INTO descriptors VALUES (?, ?, 128, ?)", (image, len(rows), bytes(128 * len(rows))))
    for (a, b), rows in matches.items():
        first, second = NAMES.index(a) + 1, NAMES.index(b) + 1
        data = np.column_stack([rows, rows]).astype(np.uint32)
        tables.execute(
            "INSERT INTO matches VALUES (?, ?, 2, ?)", (2147483647 * first + second, len(data), data.tobytes())
        )
    tables.commit()
    tables.close()


@pytest.fixture
def scene(octavo):
    photographs = octavo.folder / "photos"
    photographs.mkdir()
    for name in NAMES:
        cv2.imwrite(str(photographs / name), np.full((SIZE[1], SIZE[0], 3), (40, 90, 160), np.uint8))
    write_database(octavo.folder / "d.db")
    return octavo


def rotation_of(quaternion):
    w, *axis = quaternion
    axis = np.array(axis)
    length = np.linalg.norm(axis)
    return np.eye(3) if length == 0 else cv2.Rodrigues(axis / length * 2 * np.arctan2(length, w))[0]


def poses_of(folder):
    subprocess.run(["colmap", "model_converter", "--input_path", folder, "--output_path", folder, "--output_type", "TXT"],
                   check=True, capture_output=True, env={**os.environ, "QT_QPA_PLATFORM": "offscreen"})  # fmt: skip
    lines = [line for line in (folder / "images.txt").read_text().splitlines() if not line.startswith("#")][::2]
    for line in lines:
        _, *numbers, _, name = line.split(maxsplit=9)
        yield name, rotation_of(np.array(numbers[:4], float))
