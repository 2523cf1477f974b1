"""bench/quality/sfm_accuracy.py and sfm_scenes.py: errors of cameras, and rays on surfaces, by known answers."""

import sys
from pathlib import Path

import cv2
import numpy as np
import pytest


@pytest.fixture(autouse=True)
def quality(monkeypatch):
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "bench" / "quality"))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)


def test_area_under_recall():
    from sfm_accuracy import area_under_recall

    errors = np.array([0.8, 0.2, np.inf, 0.4])
    # Lines from (0, 0) to (0.2, 1/4), (0.4, 2/4), (0.8, 3/4), and level to (1, 3/4).
    assert area_under_recall(errors, 1.0) == pytest.approx(0.025 + 0.075 + 0.25 + 0.15)
    assert area_under_recall(errors, 0.5) == pytest.approx((0.025 + 0.075 + 0.05) / 0.5)
    assert area_under_recall(np.full(3, np.inf), 1.0) == 0


def test_pose_error():
    from sfm_accuracy import pose_error

    random = np.random.default_rng(0)

    def turn(axis, degrees):
        return cv2.Rodrigues(np.array(axis) / np.linalg.norm(axis) * np.radians(degrees))[0]

    first, second = turn((1, 2, 3), 40), turn((-1, 0, 2), 25)
    shift, other = random.normal(size=3), random.normal(size=3)
    true = first, shift, second, other
    # A reconstruction has its own place, turn and size of the world.
    world, moved, size = turn((0, 1, 1), 70), random.normal(size=3), 3.5
    same = [(r @ world, size * (t + r @ moved)) for r, t in ((first, shift), (second, other))]
    assert pose_error((*same[0], *same[1]), true) == pytest.approx(0, abs=1e-5)
    # The second camera turns by 2 degrees about its own centre: the rotation is wrong by 2, the direction, which is
    # expressed in that camera, by 2 at most.
    extra = turn((0, 0, 1), 2)
    assert pose_error((first, shift, extra @ second, extra @ other), true) == pytest.approx(2)
    # Its centre moves by 7 degrees as seen from the first camera.
    rotation = second @ first.T
    baseline = other - rotation @ shift
    axis = np.cross(baseline, (1, 0, 0))
    wrong = turn(axis, 7) @ baseline + rotation @ shift
    assert pose_error((first, shift, second, wrong), true) == pytest.approx(7)


def test_matches_are_read(tmp_path):
    from sfm_accuracy import read_matches

    (tmp_path / "matches.txt").write_text("a.png b.png\n0 5\n2 1\n\na.png c.png\n\nb.png c.png\n3 4\n\n")
    matches = read_matches(tmp_path / "matches.txt")
    assert {names: indices.tolist() for names, indices in matches.items()} == {
        ("a.png", "b.png"): [[0, 5], [2, 1]],
        ("a.png", "c.png"): [],
        ("b.png", "c.png"): [[3, 4]],
    }


def test_rays_meet_surfaces():
    from sfm_scenes import Face, Ground

    random = np.random.default_rng(0)
    image = np.zeros((300, 400, 3), np.float32)
    origin = np.array([0.3, -0.2, 3.0])
    rays = np.column_stack([random.uniform(-0.3, 0.3, (100, 2)), np.full(100, -1.0)])

    ground = Ground(image, random)
    points = origin + ground.cast(origin, rays)[:, None] * rays
    np.testing.assert_allclose(points[:, 2], ground.height(points[:, 0], points[:, 1]), atol=1e-9)

    face = Face(image, np.array([0.0, -0.5, 1.0]), (np.array([1.0, 0, 0]), np.array([0, 1.0, 0])), 100.0, np.zeros(2))
    depth = face.cast(origin, rays)
    points = origin + 2 * rays  # on the plane z = 1
    inside = (points[:, 0] > 0) & (points[:, 0] < 1) & (abs(points[:, 1]) < 0.5)
    assert 0 < inside.sum() < 100
    np.testing.assert_array_equal(np.isfinite(depth), inside)
    np.testing.assert_allclose(face.places(points[inside]), 100 * (points[inside, :2] + (0, 0.5)))
