"""bench/video/metrics.py: µAP of VSC2022, precision and recall of VCSL, by examples that are worked out by hand."""

import math
import sys
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def bench(monkeypatch):
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "bench" / "video"))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)


def segment(query_in, query_out, clip_in, clip_out, score=1.0, query="q", clip="c"):
    from metrics import Segment

    return Segment(query, clip, query_in, query_out, clip_in, clip_out, score)


def test_intervals():
    from metrics import common_length, length, united

    assert united([(7, 8), (2, 5), (4, 6), (6, 6.5)]) == [(2, 6.5), (7, 8)]
    assert length([(0, 10), (2, 3), (4, 5)]) == 10
    assert length([(2, 3), (0, 1.5), (2.5, 4)]) == 3.5
    # (2, 5) and (1, 3) share 1, (2, 5) and (4, 7) share 1, (7, 8) touches (4, 7) only.
    assert common_length([(2, 5), (7, 8)], [(1, 3), (4, 7)]) == 2
    assert common_length([(2, 5), (7, 8)], [(-1, 0), (3.5, 12)]) == 2.5


def test_pairs():
    from metrics import micro_average_precision, scores_of_pairs

    true = [("1", "10"), ("2", "11")]
    right, other, wrong = ("1", "10"), ("2", "11"), ("99", "99")
    # Precisions at the right pairs, in the order of the scores, by the number of true pairs. The first four are the
    # examples of the tests of the organisers' program.
    assert micro_average_precision(true, {right: 8, other: 4, wrong: 2}) == 1
    assert micro_average_precision(true, {right: 8, other: 4, wrong: 5}) == pytest.approx((1 + 2 / 3) / 2)
    assert micro_average_precision(true, {right: 3, ("2", "10"): 2, wrong: 1}) == 1 / 2
    assert micro_average_precision(true, {right: 2, ("2", "10"): 3, wrong: 1}) == 1 / 4
    assert micro_average_precision(true, {}) == 0
    # Equal scores are one step: recall goes from 0 to 1 at a precision of 2/3, in whatever order.
    assert micro_average_precision(true, {wrong: 5, right: 5, other: 5}) == pytest.approx(2 / 3)
    assert micro_average_precision(true, {right: 5, other: 5, wrong: 5}) == pytest.approx(2 / 3)
    assert scores_of_pairs(
        [segment(0, 1, 0, 1, 2.0), segment(5, 6, 0, 1, 3.0), segment(0, 1, 0, 1, 1.0, clip="d")]
    ) == {
        ("q", "c"): 3.0,
        ("q", "d"): 1.0,
    }


def test_pairs_as_scikit_learn():
    """47 found pairs with scores in ten steps; 16 of 17 true ones are among them. average_precision_score of
    scikit-learn 1.9.1 knows found pairs only. Its value times 16 / 17 is the expected one."""
    from metrics import micro_average_precision

    scores = {("q", str(i)): float(i * 37 % 101 // 10) for i in range(47)}
    true = [("q", str(i)) for i in range(0, 51, 3)]
    assert micro_average_precision(true, scores) == pytest.approx(0.33319704019148116)


def test_segments():
    from metrics import segment_average_precision

    true = [segment(4, 14, 10, 18)]
    assert segment_average_precision(true, true) == pytest.approx(1)
    assert segment_average_precision(true, []) == 0
    # Two halves of it are as good as the whole.
    assert segment_average_precision(true, [segment(4, 8, 10, 14, 1), segment(8, 14, 14, 18, 2)]) == pytest.approx(1)
    # Both halves are right on the query, and 2 of 4 seconds of the clip are left out between them: the first (score 2)
    # has P = 1 and R = √(6/10 · 2/8), the second P = 1 and R = √(10/10 · 6/8). The third is too long:
    # P = √(10/30 · 8/20) for what recall is left.
    halves = [segment(4, 8, 10, 14, 1), segment(8, 14, 16, 18, 2)]
    too_long = math.sqrt(10 / 30 * 8 / 20)
    last = segment_average_precision(true, [*halves, segment(0, 30, 5, 25, 0)])
    assert last == pytest.approx(math.sqrt(6 / 8) + too_long * (1 - math.sqrt(6 / 8)))
    # If the long one comes first, all recall has its precision.
    assert segment_average_precision(true, [*halves, segment(0, 30, 5, 25, 3)]) == pytest.approx(too_long)
    # With the same score they are one step.
    assert segment_average_precision(true, [*halves, segment(0, 30, 5, 25, 2)]) == pytest.approx(too_long)


def test_segments_of_other_places_and_clips():
    from metrics import segment_average_precision

    # Figure 4 (f) of He et al.: on each axis alone the found ones are the true ones, but no rectangle meets another.
    true = [segment(4, 14, 10, 18), segment(20, 28, 21, 29)]
    assert segment_average_precision(true, [segment(4, 14, 21, 29), segment(20, 28, 10, 18)]) == 0
    # Two wrong pairs come before the right one: P = √(1/3 · 1/3) for all recall.
    true = [segment(4, 14, 10, 18, query="1", clip="2")]
    found = [
        segment(4, 14, 10, 18, score, query, clip)
        for score, query, clip in ((3, "2", "2"), (2, "1", "1"), (1, "1", "2"))
    ]
    assert segment_average_precision(true, found) == pytest.approx(1 / 3)
    # Two true segments of 10 s in two pairs, one found in half, on both axes: P = 1, R = 5 / 20.
    true = [segment(0, 10, 0, 10), segment(0, 10, 0, 10, clip="d")]
    assert segment_average_precision(true, [segment(0, 5, 0, 5)]) == pytest.approx(1 / 4)


def test_copy_overlap():
    from metrics import copy_overlap

    true = [segment(0, 10, 20, 30)]
    assert copy_overlap(true, true) == (1, 1)
    assert copy_overlap(true, []) == (1, 0)
    assert copy_overlap([], true) == (0, 1)
    assert copy_overlap([], []) == (1, 1)
    # The lower left quarter: all of it is right, half of both axes is found.
    assert copy_overlap(true, [segment(0, 5, 20, 25)]) == (1, pytest.approx(1 / 4))
    # Half of 10 s too late on both axes: half of the found, half of the true.
    half = copy_overlap(true, [segment(5, 15, 25, 35)])
    assert half == (pytest.approx(1 / 4), pytest.approx(1 / 4)) and half.f1 == pytest.approx(1 / 4)
    # The same part found twice: each is right, and recall counts it once.
    assert copy_overlap(true, [segment(0, 5, 20, 25), segment(0, 5, 20, 25)]) == (1, pytest.approx(1 / 4))
    # One of two found is wrong: 10 of 20 seconds on both axes.
    assert copy_overlap(true, [*true, segment(50, 60, 50, 60)]) == (pytest.approx(1 / 4), 1)
    # Found ones that cross the true ones have nothing in common (figure 4 (f)).
    crossed = copy_overlap(
        [segment(4, 14, 10, 18), segment(20, 28, 21, 29)], [segment(4, 14, 21, 29), segment(20, 28, 10, 18)]
    )
    assert crossed == (0, 0) and crossed.f1 == 0
    # One found rectangle over two true ones with a gap of 2 s: precision 8/10 on both axes, recall 1.
    gap = copy_overlap([segment(0, 4, 0, 4), segment(6, 10, 6, 10)], [segment(0, 10, 0, 10)])
    assert gap == (pytest.approx(0.64), 1)


def test_copy_overlap_of_queries():
    from metrics import copy_overlap_of_queries

    true = [segment(0, 10, 0, 10, query="a", clip="x"), segment(0, 10, 0, 10, query="b", clip="x")]
    found = [segment(0, 5, 0, 5, query="a", clip="x"), segment(0, 9, 0, 9, query="b", clip="y")]
    pairs = [("a", "x"), ("b", "x"), ("b", "y")]
    # a: precision 1, recall 1/4. b: x is not found (1, 0), y is no copy (0, 1); their means are 1/2.
    overall = copy_overlap_of_queries(pairs, true, found)
    assert overall == (pytest.approx((1 + 1 / 2) / 2), pytest.approx((1 / 4 + 1 / 2) / 2))
    assert overall.f1 == pytest.approx(2 * 0.75 * 0.375 / (0.75 + 0.375))
