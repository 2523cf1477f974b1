"""The numbers of docs/evaluation.md, computed from their definitions by brute force, with NumPy only.

Features are dictionaries as np.load gives them; the truth is a homography b_from_a (3×3) or correspondences (N×4: x, y in
A, then in B). Homographies are not estimated again; Octavo's estimates are used."""

import numpy as np

THRESHOLDS = np.arange(1, 11)
RADIUS = 2


def project(matrix, points):
    mapped = np.c_[points, np.ones(len(points))] @ matrix.T
    with np.errstate(divide="ignore", invalid="ignore"):
        return mapped[:, :2] / mapped[:, 2:]


def seen(matrix, points, size_from, size_to):
    """A mask of the points that the matrix maps into the other image, on this side of the horizon."""
    centre = np.array([(size_from[0] - 1) / 2, (size_from[1] - 1) / 2, 1])
    w = np.c_[points, np.ones(len(points))] @ matrix[2]
    mapped = project(matrix, points)
    inside = (mapped >= -0.5).all(axis=1) & (mapped <= np.array(size_to) - 0.5).all(axis=1)
    return (w * (matrix[2] @ centre) > 0) & inside


def covisible(matrix, size_from, size_to):
    """The pixels that the matrix maps into the other image, as a mask."""
    y, x = np.mgrid[: size_from[1], : size_from[0]]
    pixels = np.c_[x.ravel(), y.ravel()].astype(float)
    return seen(matrix, pixels, size_from, size_to).reshape(y.shape)


def nearest_known(points, known):
    """The index of the nearest known point within the radius, for each point; −1 if there is none."""
    distance = np.hypot(*(points[:, None] - known[None]).transpose(2, 0, 1))
    nearest = distance.argmin(axis=1)
    return np.where(distance[np.arange(len(points)), nearest] <= RADIUS, nearest, -1)


def expected_in_b(points_a, truth):
    """The true places of A's points in B; NaN if they are not known."""
    if truth.shape == (3, 3):
        return project(truth, points_a)
    nearest = nearest_known(points_a, truth[:, :2])
    return np.where(nearest[:, None] >= 0, truth[nearest, 2:], np.nan)


def common(points_a, points_b, truth, size_a, size_b):
    if truth.shape == (3, 3):
        return seen(truth, points_a, size_a, size_b), seen(np.linalg.inv(truth), points_b, size_b, size_a)
    return nearest_known(points_a, truth[:, :2]) >= 0, nearest_known(points_b, truth[:, 2:]) >= 0


def matches(a, b, ratio, mutual):
    """The matches as pairs of indices. Descriptors are whole numbers, and so are the squares of their distances."""
    a, b = a.astype(np.int64), b.astype(np.int64)
    distance2 = (a**2).sum(1)[:, None] + (b**2).sum(1)[None] - 2 * a @ b.T
    first = distance2.argmin(axis=1)
    nearest = distance2[np.arange(len(a)), first]
    others = distance2.copy()
    others[np.arange(len(a)), first] = np.iinfo(np.int64).max // 10**8
    keep = np.ones(len(a), bool) if ratio == 1 else nearest * 10**8 < round(ratio * 10**4) ** 2 * others.min(axis=1)
    if mutual:
        keep &= distance2.argmin(axis=0)[first] == np.arange(len(a))
    return np.c_[np.flatnonzero(keep), first[keep]]


def within(errors):
    return [int((errors <= threshold).sum()) for threshold in THRESHOLDS]


def shares(counts, total):
    return [count / total if total else 0.0 for count in counts]


def distinct(points, others):
    """The points without repetition, and the values that belong to them."""
    _, first = np.unique(points, axis=0, return_index=True)
    return others[np.sort(first)]


def corner_error(homography, truth, size):
    right, bottom = size[0] - 1, size[1] - 1
    corners = np.array([[0, 0], [right, 0], [right, bottom], [0, bottom]], float)
    return float(np.linalg.norm(project(homography, corners) - project(truth, corners), axis=1).mean())


def pair_scores(a, b, truth, size_a, size_b, ratio, mutual, homography):
    """The numbers of a pair in `octavo evaluate --json`. `homography` is the one that Octavo estimated, or None."""
    points_a, points_b = (features["keypoints"][:, :2].astype(float) for features in (a, b))
    in_common = common(points_a, points_b, truth, size_a, size_b)
    place_a = distinct(points_a[in_common[0]], expected_in_b(points_a, truth)[in_common[0]])
    place_b = distinct(points_b[in_common[1]], points_b[in_common[1]])
    distance = np.sqrt(((place_a[:, None] - place_b[None]) ** 2).sum(axis=2))
    to_a, to_b = distance.argmin(axis=0), distance.argmin(axis=1)
    one_to_one = to_a[to_b] == np.arange(len(place_a))

    figures = {
        "keypoints_a": len(points_a), "keypoints_b": len(points_b),
        "common_a": int(in_common[0].sum()), "common_b": int(in_common[1].sum()),
        "points_a": len(place_a), "points_b": len(place_b),
        "repeated_a": within(distance.min(axis=1)), "repeated_b": within(distance.min(axis=0)),
        "corresponding": int((one_to_one & (distance.min(axis=1) <= 3)).sum()),
    }  # fmt: skip
    for prefix, pairs in (
        ("mutual_", matches(a["descriptors"], b["descriptors"], 1, True)),
        ("", matches(a["descriptors"], b["descriptors"], ratio, mutual)),
    ):
        errors = np.linalg.norm(expected_in_b(points_a[pairs[:, 0]], truth) - points_b[pairs[:, 1]], axis=1)
        figures |= {f"{prefix}matches": len(pairs), f"{prefix}judged": int((~np.isnan(errors)).sum())}
        figures |= {f"{prefix}correct": within(errors)}
    repeated = np.add(figures["repeated_a"], figures["repeated_b"]).tolist()
    figures |= {
        "repeatability": shares(repeated, figures["points_a"] + figures["points_b"]),
        "one_to_one": figures["corresponding"] / min(figures["points_a"], figures["points_b"]),
        "mma": shares(figures["mutual_correct"], figures["mutual_judged"]),
        "precision": shares(figures["correct"], figures["judged"]),
        "matching_score": figures["correct"][2] / min(figures["common_a"], figures["common_b"]),
    }
    if truth.shape == (3, 3):
        figures["homography_b_from_a"] = homography
        estimated = None if homography is None else np.array(homography).reshape(3, 3)
        figures["corner_error"] = None if homography is None else corner_error(estimated, truth, size_a)
    return figures


def area_under_accuracy(errors, threshold):
    """The area as in SuperGlue's evaluation: trapezoids between the sorted errors, level after the last."""
    errors = np.sort(errors)
    recall = np.r_[0, (np.arange(len(errors)) + 1) / len(errors)]
    errors = np.r_[0, errors]
    last = np.searchsorted(errors, threshold)
    return float(np.trapezoid(np.r_[recall[:last], recall[last - 1]], np.r_[errors[:last], threshold]) / threshold)


def summary(pairs):
    """The summary of several pairs in `octavo evaluate --json`, from the numbers of each pair."""
    figures = {"pairs": len(pairs), "keypoints": np.mean([[p["keypoints_a"], p["keypoints_b"]] for p in pairs])}
    for name in ("repeatability", "one_to_one", "mma", "matches", "correct", "precision", "matching_score"):
        figures[name] = np.mean([p[name] for p in pairs], axis=0)
    errors = [np.inf if p["corner_error"] is None else p["corner_error"] for p in pairs if "corner_error" in p]
    figures["homographies"] = len(errors)
    figures["homography_accuracy"] = [np.mean(np.array(errors) <= t) for t in THRESHOLDS] if errors else None
    figures["homography_auc"] = [area_under_accuracy(errors, t) for t in THRESHOLDS] if errors else None
    return figures
