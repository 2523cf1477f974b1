"""Scores of pairs: numbers that can be counted by hand, and those that NumPy counts."""

import numpy as np
import pytest

import octavo

SIZE = (100, 100)


def moved(dx, dy):
    return [[1, 0, dx], [0, 1, dy], [0, 0, 1]]


def at(*points):
    return octavo.Features(np.array([(*point, 2) for point in points], np.float32).reshape(len(points), 3))


def test_counts_by_hand():
    # B is A moved by (10, 0). A's x = 95 leaves the frame. B's x = 5 comes from outside A.
    a = at((20, 20), (20, 20), (50, 50), (95, 10), (70, 70))
    b = at((30.5, 20), (60, 54), (5, 5), (80, 70))
    mutual = octavo.Matches.of([(0, 0), (2, 1), (3, 2), (4, 3)])
    scores = octavo.score_pair(a, b, SIZE, SIZE, homography=moved(10, 0), mutual=mutual, matches=mutual[:2])
    assert (scores.keypoints, scores.common, scores.points) == ((5, 4), (4, 3), (3, 3))
    assert scores.repeated_a.tolist() == scores.repeated_b.tolist() == [2, 2, 2, 3, 3, 3, 3, 3, 3, 3]
    assert scores.corresponding == 2 and scores.correspondence_share == pytest.approx(2 / 3)
    assert scores.repeatability[2] == pytest.approx(4 / 6)
    assert (scores.mutual_matches, scores.mutual_judged, scores.matches, scores.judged) == (4, 4, 2, 2)
    assert scores.mutual_correct.tolist() == [2, 2, 2, 3, 3, 3, 3, 3, 3, 3]
    assert scores.correct.tolist() == [1, 1, 1, 2, 2, 2, 2, 2, 2, 2]
    assert scores.matching_accuracy[0] == 0.5 and scores.precision[3] == 1
    assert scores.matching_score == pytest.approx(1 / 3)
    assert scores.region_repeatability.shape == octavo.OVERLAP_ERRORS.shape == (6,)


def test_numpy_counts_the_same(grey):
    shifted = np.roll(grey, (3, 5), axis=(0, 1))
    a, b = (octavo.extract(one, device="cpu") for one in (grey, shifted))
    height, width = grey.shape
    size = (width, height)
    scores = octavo.score_pair(a, b, size, size, homography=moved(5, 3))
    errors = np.linalg.norm(a.xy[octavo.match(a, b).a].astype(float) + (5, 3) - b.xy[octavo.match(a, b).b], axis=1)
    assert scores.correct.tolist() == [(errors <= t).sum() for t in range(1, 11)]
    assert scores.matches == scores.judged == len(errors)

    def seen(places):
        return np.all((places >= -0.5) & (places <= np.array(size) - 0.5), axis=1)

    of_a = np.unique(a.xy.astype(float), axis=0) + (5, 3)
    of_b = np.unique(b.xy.astype(float), axis=0)
    of_a, of_b = of_a[seen(of_a)], of_b[seen(of_b - (5, 3))]
    apart = np.linalg.norm(of_a[:, None] - of_b[None], axis=2)
    assert scores.points == (len(of_a), len(of_b))
    assert scores.repeated_a.tolist() == [(apart.min(axis=1) <= t).sum() for t in range(1, 11)]
    assert scores.repeated_b.tolist() == [(apart.min(axis=0) <= t).sum() for t in range(1, 11)]
    assert scores.repeatability[2] > 0.5 and "matching accuracy" in repr(scores)


def test_points_judge_what_is_near_them():
    truth = [(20, 20), (60, 60)], [(30, 20), (70, 60)]
    a, b = at((21, 20), (60, 63), (60, 61)), at((30, 24), (70, 60))
    matches = octavo.Matches.of([(0, 0), (1, 1), (2, 1)])
    scores = octavo.score_pair(a, b, SIZE, SIZE, points=truth, matches=matches, mutual=matches)
    assert (scores.matches, scores.judged, scores.common) == (3, 2, (2, 1))
    assert scores.correct.tolist() == [1, 1, 1, 2, 2, 2, 2, 2, 2, 2]
    assert scores.regions == (0, 0)


def test_covisible_and_corner_error(grey):
    in_a, in_b = octavo.covisible(moved(-2, 0), (8, 4), (5, 4))
    assert in_b is None and in_a.dtype == np.uint8
    assert np.array_equal(in_a, np.tile(np.where((np.arange(8) >= 2) & (np.arange(8) < 7), 255, 0), (4, 1)))
    assert octavo.corner_error(moved(3, 4), moved(0, 0), SIZE) == 5
    height, width = grey.shape
    part, _ = octavo.covisible(moved(width // 2, 0), (width, height), (width, height))
    assert octavo.extract(grey, part, device="cpu").x.max() <= width // 2


def test_matches_of_pairs():
    matches = octavo.Matches.of(np.array([[1, 2], [3, 4]]))
    assert matches.pairs.tolist() == [[1, 2], [3, 4]] and matches.distance2.tolist() == [0, 0]
    assert len(octavo.Matches.of([])) == 0
    for wrong in ([[1, 2, 3]], [[0.5, 1]], [1, 2]):
        with pytest.raises(ValueError, match="must be N x 2"):
            octavo.Matches.of(wrong)
    for index in (-1, 2**32 + 5):
        with pytest.raises(ValueError, match=f"one is {index}"):
            octavo.Matches.of([[index, 0]])


def test_refuses_what_cannot_be():
    a = at((20, 20))
    none = octavo.Matches.of([])
    given = {"matches": none, "mutual": none}
    for truth, words in (
        ({}, "one truth"),
        ({"homography": moved(0, 0), "points": ([(1, 1)], [(1, 1)])}, "one truth"),
        ({"homography": np.eye(2)}, r"shape \(2, 2\)"),
        ({"homography": np.zeros((3, 3))}, "no inverse"),
        ({"homography": np.full((3, 3), np.nan)}, "not a number"),
        ({"homography": moved(1000, 0)}, "sizes disagree"),
        ({"points": ([(1, 1)], [(1, 1), (2, 2)])}, "equally many"),
        ({"points": ([1, 1], [1, 1])}, "points of A"),
        ({"points": ([(1, 1)], [(1, 1)]), "radius": 0}, "radius"),
    ):
        with pytest.raises(octavo.InvalidArgument, match=words):
            octavo.score_pair(a, a, SIZE, SIZE, **truth, **given)
    wrong = octavo.Matches.of([(0, 7)])
    with pytest.raises(octavo.InvalidArgument, match="keypoint 7"):
        octavo.score_pair(a, a, SIZE, SIZE, homography=moved(0, 0), matches=wrong, mutual=none)
    with pytest.raises(octavo.InvalidArgument, match="size of an image"):
        octavo.score_pair(a, a, (0, 5), SIZE, homography=moved(0, 0), **given)
    with pytest.raises(octavo.InvalidArgument, match="no descriptors"):
        octavo.score_pair(a, a, SIZE, SIZE, homography=moved(0, 0))
