"""The field's metrics of copy detection in videos, by their published definitions.

µAP of VSC2022 (Pizzi et al., The 2023 Video Similarity Dataset and Challenge). All found pairs of all queries are
sorted by their scores, the highest first. The micro average precision is sum P(i) (R(i) - R(i - 1)), where P and R are
the precision and the recall of those that come first. Equal scores are one step, so the order of the pairs does not
matter.

* Descriptor track, `micro_average_precision`: an item is a pair of a query and a clip; it is right or wrong.
* Matching track, `segment_average_precision`: an item is a segment. On each axis (time of the query, time of the clip)
  the intervals of the segments so far are united within each pair, and so are those of the true segments. A true
  segment takes part in the common length only if its rectangle, in the plane of both times, meets a found one. Over all
  pairs, the common length by the found length is the precision of the axis, by the whole true length its recall. P and
  R are the geometric means of both axes.

Precision and recall of VCSL (He et al. 2022, A Large-scale Comprehensive Dataset and Copy-overlap Aware Evaluation
Protocol for Segment-level Video Copy Detection), `copy_overlap`: for each found rectangle the parts that it has in
common with true ones are united on each axis. Their lengths, over all found rectangles, by the lengths of these is the
precision of the axis. Precision is the product of both axes. Recall is the same with found and true exchanged.
`copy_overlap_of_queries` takes the mean of the pairs of each query, then the mean of the queries, and F1 of both means.
"""

import itertools
import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

Pair = tuple[str, str]  # the names of a query and of a clip
Interval = tuple[float, float]  # begin and end [second]


class Segment(NamedTuple):
    """A part of a query that is a copy of a part of a clip: true, or found with a score. Times are in seconds."""

    query: str
    clip: str
    query_in: float
    query_out: float
    clip_in: float
    clip_out: float
    score: float = 1.0

    @property
    def pair(self) -> Pair:
        return self.query, self.clip

    @property
    def sides(self) -> tuple[Interval, Interval]:
        """The intervals on both axes."""
        return (self.query_in, self.query_out), (self.clip_in, self.clip_out)


class Overlap(NamedTuple):
    precision: float
    recall: float

    @property
    def f1(self) -> float:
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


def united(intervals: Iterable[Interval]) -> list[Interval]:
    """The union, as intervals that do not touch, in order."""
    result: list[Interval] = []
    for begin, end in sorted(intervals):
        if result and begin <= result[-1][1]:
            result[-1] = result[-1][0], max(end, result[-1][1])
        else:
            result.append((begin, end))
    return result


def length(intervals: Iterable[Interval]) -> float:
    """The length of the union."""
    return sum(end - begin for begin, end in united(intervals))


def common_length(some: Iterable[Interval], others: Iterable[Interval]) -> float:
    """The length of what is in both unions."""
    return sum(max(0.0, min(a[1], b[1]) - max(a[0], b[0])) for a, b in itertools.product(united(some), united(others)))


def common_part(a: Segment, b: Segment) -> tuple[Interval, Interval] | None:
    """The sides of the rectangle that both have in common; none if they only touch."""
    sides = tuple((max(x[0], y[0]), min(x[1], y[1])) for x, y in zip(a.sides, b.sides))
    return sides if all(begin < end for begin, end in sides) else None


def scores_of_pairs(segments: Iterable[Segment]) -> dict[Pair, float]:
    """The score of a pair is the highest of its segments."""
    scores: dict[Pair, float] = {}
    for one in segments:
        scores[one.pair] = max(one.score, scores.get(one.pair, -math.inf))
    return scores


def micro_average_precision(true: Collection[Pair], scores: Mapping[Pair, float]) -> float:
    """µAP of the descriptor track: `scores` are those of the found pairs. `true` must not be empty."""
    true = set(true)
    found = right = 0
    result = 0.0
    ordered = sorted(scores, key=lambda pair: -scores[pair])
    for _, group in itertools.groupby(ordered, key=lambda pair: scores[pair]):
        pairs = list(group)
        new = sum(pair in true for pair in pairs)
        found += len(pairs)
        right += new
        result += right / found * new / len(true)
    return result


def segment_average_precision(true: Collection[Segment], found: Collection[Segment]) -> float:
    """µAP of the matching track. `true` must not be empty."""
    true_of: dict[Pair, list[Segment]] = defaultdict(list)
    for one in true:
        true_of[one.pair].append(one)
    axes = range(2)
    true_length = [sum(length(one.sides[axis] for one in some) for some in true_of.values()) for axis in axes]
    so_far: dict[Pair, list[Segment]] = defaultdict(list)
    common: dict[Pair, list[float]] = {}
    lengths: dict[Pair, list[float]] = {}
    result = recall = 0.0
    for _, group in itertools.groupby(sorted(found, key=lambda one: -one.score), key=lambda one: one.score):
        changed = set()
        for one in group:
            so_far[one.pair].append(one)
            changed.add(one.pair)
        for pair in changed:
            some = so_far[pair]
            met = [one for one in true_of.get(pair, ()) if any(common_part(one, other) for other in some)]
            intervals = [[one.sides[axis] for one in some] for axis in axes]
            common[pair] = [common_length(intervals[axis], (one.sides[axis] for one in met)) for axis in axes]
            lengths[pair] = [length(intervals[axis]) for axis in axes]
        sums = [sum(each[axis] for each in common.values()) for axis in axes]
        precision = math.sqrt(math.prod(sums[axis] / sum(each[axis] for each in lengths.values()) for axis in axes))
        now = math.sqrt(math.prod(sums[axis] / true_length[axis] for axis in axes))
        result += precision * (now - recall)
        recall = now
    return result


def share_in_common(some: Collection[Segment], others: Collection[Segment]) -> float:
    """How much of `some` lies in `others`, as the product of both axes."""
    inside, whole = [0.0, 0.0], [0.0, 0.0]
    for one in some:
        parts = [part for other in others if (part := common_part(one, other))]
        for axis, (begin, end) in enumerate(one.sides):
            inside[axis] += length(part[axis] for part in parts)
            whole[axis] += end - begin
    return math.prod(inside[axis] / whole[axis] for axis in range(2))


def copy_overlap(true: Collection[Segment], found: Collection[Segment]) -> Overlap:
    """VCSL's precision and recall of one pair of clips. What finds nothing has a precision of 1."""
    if not found or not true:
        return Overlap(float(not found), float(not true))
    return Overlap(share_in_common(found, true), share_in_common(true, found))


def copy_overlap_of_queries(pairs: Collection[Pair], true: Collection[Segment], found: Collection[Segment]) -> Overlap:
    """VCSL's precision and recall of all `pairs`, those without copies too."""
    of_query: dict[str, list[Overlap]] = defaultdict(list)
    for pair in pairs:
        both = [[one for one in some if one.pair == pair] for some in (true, found)]
        of_query[pair[0]].append(copy_overlap(*both))
    means = [[sum(values) / len(values) for values in zip(*overlaps)] for overlaps in of_query.values()]
    precision, recall = (sum(values) / len(values) for values in zip(*means))
    return Overlap(precision, recall)
