"""The numbers of docs/evaluation.md, computed from their definitions by brute force, with NumPy only.

Features are dictionaries as np.load gives them; the truth is a homography b_from_a (3×3) or correspondences (N×4: x, y in
A, then in B). Homographies are not estimated again; Octavo's estimates are used."""

import numpy as np

THRESHOLDS = np.arange(1, 11)
OVERLAP_ERRORS = np.arange(1, 7) / 10
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


def roots_of_quartics(polynomials):
    """The roots of each polynomial c0 z⁴ + c1 z³ + c2 z² + c1* z + c0*, shape (N, 5). Where c0 is 0, as for circles, it has two
    roots beside 0."""
    c0, c1, c2 = polynomials.T[:3]
    is_quartic = np.abs(c0) > 1e-12 * np.abs(polynomials).max(axis=1)
    companion = np.tile(np.eye(4, k=-1, dtype=complex), (len(polynomials), 1, 1))
    companion[:, 0] = -polynomials[:, 1:] / np.where(is_quartic, c0, 1)[:, None]
    half = np.sqrt(c2**2 - 4 * c1 * c1.conj())
    two = np.array([half - c2, -half - c2]) / (2 * np.where(c1 == 0, 1, c1))
    return np.where(is_quartic[:, None], np.linalg.eigvals(companion), np.r_[two, two].T)


def disc_and_ellipse(centres, matrices):
    """The area that the unit disc and each ellipse centre + matrix · u, |u| ≤ 1, have in common. The boundary of the ellipse
    crosses that of the disc where a polynomial of exp(iφ) is 0. Both are cut there, and also at the angles of the other
    roots, which does no harm, and the parts inside are added. Shapes: (N, 2), (N, 2, 2) and (N,)."""
    m0, m1 = matrices.transpose(2, 0, 1)
    cosine, sine, cosine2, sine2, squares, distance2 = (
        (a * b).sum(axis=1)
        for a, b in (
            (2 * centres, m0),
            (2 * centres, m1),
            (m0 + m1, (m0 - m1) / 2),
            (m0, m1),
            (m0, m0),
            (centres, centres),
        )
    )
    constant = squares - cosine2 + distance2 - 1
    polynomial = np.array(
        [cosine2 - 1j * sine2, cosine - 1j * sine, 2 * constant, cosine + 1j * sine, cosine2 + 1j * sine2]
    ).T
    is_disc = np.abs(polynomial).max(axis=1) < 1e-9
    phi = np.sort(np.angle(roots_of_quartics(polynomial)), axis=1)

    def boundary(angle):
        return centres[:, :, None] + matrices @ np.stack([np.cos(angle), np.sin(angle)], axis=1)

    def in_ellipse(points):
        return np.linalg.norm(np.linalg.solve(matrices, points - centres[:, :, None]), axis=1) < 1

    x, y = boundary(phi).transpose(1, 0, 2)
    theta = np.sort(np.arctan2(y, x), axis=1)
    phi, theta = (np.c_[angles, angles[:, 0] + 2 * np.pi] for angles in (phi, theta))
    middle = (theta[:, :-1] + theta[:, 1:]) / 2
    twice = (np.diff(theta) * in_ellipse(np.stack([np.cos(middle), np.sin(middle)], axis=1))).sum(axis=1)
    inside = np.linalg.norm(boundary((phi[:, :-1] + phi[:, 1:]) / 2), axis=1) < 1
    # ∮ centre × d(matrix · u)
    moved_x, moved_y = (matrices @ np.stack([np.diff(np.cos(phi)), np.diff(np.sin(phi))], axis=1)).transpose(1, 0, 2)
    area = np.linalg.det(matrices)
    arcs = area[:, None] * np.diff(phi) + centres[:, :1] * moved_y - centres[:, 1:] * moved_x
    return np.where(is_disc, np.pi, (twice + np.sign(area) * (arcs * inside).sum(axis=1)) / 2)


def regions(features, in_common):
    """Place and matrix of every region in common; each place and scale has one."""
    keypoints = features["keypoints"][in_common]
    _, first = np.unique(keypoints[:, :3], axis=0, return_index=True)
    keypoints = keypoints[np.sort(first)].astype(float)
    cosine, sine = (keypoints[:, 2] * f(keypoints[:, 3]) for f in (np.cos, np.sin))
    matrices = np.array([[cosine, -sine], [sine, cosine]]).transpose(2, 0, 1)
    if "ellipses" in features:
        ellipses = features["ellipses"][in_common][np.sort(first)].astype(float)
        matrices = np.where(ellipses.any(axis=1)[:, None, None], ellipses.reshape(-1, 2, 2), matrices)
    return keypoints[:, :2], matrices


def corresponding_regions(regions_a, regions_b, truth):
    """The numbers of pairs of regions with an overlap error of at most 0.1 … 0.6, those of least error first."""
    (places_a, matrices_a), (places_b, matrices_b) = regions_a, regions_b
    back = np.linalg.inv(truth)
    mapped, step = project(back, places_b), 1e-3
    columns = [(project(back, places_b + d) - project(back, places_b - d)) / (2 * step) for d in step * np.eye(2)]
    matrices_b = np.stack(columns, axis=2) @ matrices_b
    pairs = []
    for i, (place, matrix) in enumerate(zip(places_a, matrices_a)):
        factor = 30 / np.sqrt(abs(np.linalg.det(matrix)))
        to_disc = np.linalg.inv(factor * matrix)
        others, centres = factor * to_disc @ matrices_b, (mapped - place) @ to_disc.T
        areas = np.pi * np.abs(np.linalg.det(others))
        # Towards the disc's centre the ellipse reaches as far as `reach` from its own. What both have in common is in the
        # segment of the disc beyond that line; a segment of less than 0.84 high has less than 0.4 of the disc.
        distance = np.linalg.norm(centres, axis=1)
        reach = np.linalg.norm(np.einsum("nij,ni->nj", others, centres), axis=1) / np.maximum(distance, 1e-9)
        near = distance < reach + 0.16
        candidates = np.flatnonzero(near & (areas > 0.39 * np.pi) & (areas < np.pi / 0.39))
        both = disc_and_ellipse(centres[candidates], others[candidates])
        pairs += zip(1 - both / (np.pi + areas[candidates] - both), [i] * len(candidates), candidates)
    left_a, left_b, errors = set(range(len(places_a))), set(range(len(places_b))), []
    for error, i, j in sorted(pairs):
        if i in left_a and j in left_b:
            left_a.remove(i), left_b.remove(j), errors.append(error)
    return [int((np.array(errors) <= threshold).sum()) for threshold in OVERLAP_ERRORS]


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
        "keypoint_count_a": len(points_a), "keypoint_count_b": len(points_b),
        "common_count_a": int(in_common[0].sum()), "common_count_b": int(in_common[1].sum()),
        "point_count_a": len(place_a), "point_count_b": len(place_b),
        "repeated_counts_a": within(distance.min(axis=1)), "repeated_counts_b": within(distance.min(axis=0)),
        "corresponding_count": int((one_to_one & (distance.min(axis=1) <= 3)).sum()),
    }  # fmt: skip
    for prefix, pairs in (
        ("mutual_", matches(a["descriptors"], b["descriptors"], 1, True)),
        ("", matches(a["descriptors"], b["descriptors"], ratio, mutual)),
    ):
        errors = np.linalg.norm(expected_in_b(points_a[pairs[:, 0]], truth) - points_b[pairs[:, 1]], axis=1)
        figures |= {f"{prefix}match_count": len(pairs), f"{prefix}judged_count": int((~np.isnan(errors)).sum())}
        figures |= {f"{prefix}correct_counts": within(errors)}
    repeated = np.add(figures["repeated_counts_a"], figures["repeated_counts_b"]).tolist()
    figures |= {
        "repeatability": shares(repeated, figures["point_count_a"] + figures["point_count_b"]),
        "correspondence_share": figures["corresponding_count"]
        / min(figures["point_count_a"], figures["point_count_b"]),
        "matching_accuracy": shares(figures["mutual_correct_counts"], figures["mutual_judged_count"]),
        "precision": shares(figures["correct_counts"], figures["judged_count"]),
        "matching_score": figures["correct_counts"][2] / min(figures["common_count_a"], figures["common_count_b"]),
    }
    if truth.shape == (3, 3):
        regions_a, regions_b = regions(a, in_common[0]), regions(b, in_common[1])
        figures["region_count_a"], figures["region_count_b"] = len(regions_a[0]), len(regions_b[0])
        figures["corresponding_region_counts"] = corresponding_regions(regions_a, regions_b, truth)
        fewer = min(figures["region_count_a"], figures["region_count_b"])
        figures["region_repeatability"] = shares(figures["corresponding_region_counts"], fewer)
        figures["homography"] = homography
        estimated = None if homography is None else np.array(homography)
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
    figures = {
        "pair_count": len(pairs),
        "keypoint_count": np.mean([[p["keypoint_count_a"], p["keypoint_count_b"]] for p in pairs]),
    }
    for name in (
        "repeatability",
        "correspondence_share",
        "matching_accuracy",
        "match_count",
        "correct_counts",
        "precision",
        "matching_score",
    ):
        figures[name] = np.mean([p[name] for p in pairs], axis=0)
    errors = [np.inf if p["corner_error"] is None else p["corner_error"] for p in pairs if "corner_error" in p]
    figures["homography_count"] = len(errors)
    figures["homography_accuracy"] = [np.mean(np.array(errors) <= t) for t in THRESHOLDS] if errors else None
    figures["homography_auc"] = [area_under_accuracy(errors, t) for t in THRESHOLDS] if errors else None
    known = [p for p in pairs if "corner_error" in p]
    figures["region_count"] = np.mean([[p["region_count_a"], p["region_count_b"]] for p in known]) if known else None
    for name in ("region_repeatability", "corresponding_region_counts"):
        figures[name] = np.mean([p[name] for p in known], axis=0) if known else None
    return figures
