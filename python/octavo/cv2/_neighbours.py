"""The nearest neighbours that OpenCV's matchers find, exactly, with its order among equal distances."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from .._api import Matcher

Rows = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.bool_]

_EXACT_ROOTS = 1 << 22
"""Roots of smaller whole numbers differ in float32, so nearness does not depend on whether the root is taken."""

_BLOCK = 1 << 22
"""Distances that are made at a time."""

_NONE = np.float32(np.inf)


@dataclass(frozen=True)
class Nearest:
    """For each query its neighbours, nearest first: N x k. Those that are missing have the index -1."""

    index: npt.NDArray[np.int32]
    distance: npt.NDArray[np.float32]


class Neighbours:
    """Finds neighbours among the rows of `trains`. `is_squared`: distances are squared."""

    def __init__(self, device: str, is_squared: bool) -> None:
        self._matcher = Matcher(ratio=1.0, mutual=False, device=device)
        self._is_squared = is_squared

    def nearest(self, queries: Rows, trains: Rows, k: int, mask: Mask | None) -> Nearest:
        """The `k` nearest, at most as many as there are rows. Of equal distances the smaller index is first."""
        k = min(k, len(trains))
        if mask is None and k <= 2:
            index, squares = self._matcher.nearest_two(queries, trains)
            if k == 0 or len(queries) == 0 or int(squares[:, k - 1].max()) < _EXACT_ROOTS:
                return Nearest(index[:, :k], self._as_distances(squares[:, :k]))
        return self._among_all(queries, trains, k, mask)

    def mutual(self, queries: Rows, trains: Rows) -> Nearest:
        """The nearest row of each query, where the query is the nearest of that row."""
        found = self.nearest(queries, trains, 1, None)
        of_trains = self.nearest(trains, queries, 1, None)
        is_mutual = of_trains.index[found.index[:, 0]] == np.arange(len(queries))[:, None]
        return Nearest(np.where(is_mutual, found.index, np.int32(-1)), found.distance)

    def within(self, queries: Rows, trains: Rows, radius: float, mask: Mask | None) -> Iterator[Nearest]:
        """For each query all neighbours that are at most `radius` away, 1 x k."""
        for _, every in self._blocks(queries, trains, mask):
            for distances in every:
                near = np.flatnonzero(distances <= radius)
                near = near[np.argsort(distances[near], kind="stable")]
                yield Nearest(near[None].astype(np.int32), distances[near][None])

    def _among_all(self, queries: Rows, trains: Rows, k: int, mask: Mask | None) -> Nearest:
        index = np.zeros((len(queries), k), np.int32)
        distance = np.zeros((len(queries), k), np.float32)
        for part, every in self._blocks(queries, trains, mask):
            nearest = np.argsort(every, axis=1, kind="stable")[:, :k]
            index[part], distance[part] = nearest, np.take_along_axis(every, nearest, axis=1)
        index[distance == _NONE] = -1
        return Nearest(index, distance)

    def _blocks(
        self, queries: Rows, trains: Rows, mask: Mask | None
    ) -> Iterator[tuple[slice, npt.NDArray[np.float32]]]:
        """All distances, some queries at a time; those that the mask forbids are infinite."""
        b = trains.astype(np.float32)
        squares_of_b = np.einsum("ij,ij->i", b, b)[None]
        rows = max(1, _BLOCK // max(1, len(trains)))
        for first in range(0, len(queries), rows):
            part = slice(first, first + rows)
            a = queries[part].astype(np.float32)
            # Sums of products are whole numbers below 2^24, so that float32 holds them exactly, in whatever order.
            every = a @ b.T
            every *= -2
            every += np.einsum("ij,ij->i", a, a)[:, None]
            every += squares_of_b
            every = self._as_distances(every)
            if mask is not None:
                every[~mask[part]] = _NONE
            yield part, every

    def _as_distances(self, squares: npt.NDArray[np.generic]) -> npt.NDArray[np.float32]:
        distances = squares.astype(np.float32)
        return distances if self._is_squared else np.sqrt(distances, out=distances)
